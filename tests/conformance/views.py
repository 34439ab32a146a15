"""Every form of indexing and of changing a shape, and what is seen of whether it shares elements.

`seen` does one form in a given mxnet: it makes an array, applies the form, writes through the
result and then through the source, and returns what both look like after each. record_views.py
writes down what the real MXNet does; test_mxnet_views.py holds ours against that.
"""

SHAPES = {"one": (6,), "two": (3, 4), "three": (2, 3, 4), "thin": (1, 4, 1)}

# Indices, by the array they are for. Those of arrays as indices are copies everywhere.
INDICES = {
    "one": (
        *("0", "-1", "5", "2:4", ":3", "3:", ":", "...", "()", "::2", "1::2", "::-1", "5:1:-2"),
        *("-2:", "2:3", "0:6", "0:6:1", "None", "None, 2:4", "2:4, None", "[0, 2]", "[3]"),
    ),
    "two": (
        *("0", "2", "-1", "0:2", "1:", ":", "...", "()", "::2", "::-1", "1:2", "0:3", "2:3"),
        *(
            ":, 1",
            ":, -1",
            ":, 1:3",
            ":, 0:4",
            ":, :",
            ":, ::2",
            ":, ::-1",
            "1, 2",
            "1, 1:3",
            "1, :",
        ),
        *("1, ...", "..., 1", "..., 1:3", "1:2, 1:3", "1:2, 2", "0:2, 0:4", "0:2, 1:3", "0:2, 1"),
        *("1:2, ::2", "1, ::2", "::2, 1", "::2, ::2", "-2:, :", "None", "None, 1", "1, None"),
        *(
            ":, None",
            "..., None",
            "1:2, None, 1:3",
            "[0, 2]",
            "[[0], [1]]",
            "[0, 1], [1, 2]",
            "1, [0, 2]",
        ),
        *("[0, 2], 1:3", ":, [0, 2]"),
    ),
    "three": (
        *(
            "0",
            "1",
            "-1",
            "0:1",
            "0:2",
            ":",
            "...",
            "::2",
            "::-1",
            "0, 1",
            "0, 1:3",
            "0, :",
            "0, 1, 2",
        ),
        *(
            "0, 1, 1:3",
            "0, 1:2, 1:3",
            "0, 1:3, 1",
            "0, 0:3, 0:4",
            "0, :, 1",
            "0, :, :",
            "0:1, 1",
            "0:1, 1:3",
        ),
        *(
            "0:1, 1:2, 1:3",
            "0:1, 0:3, 0:4",
            ":, 0",
            ":, 1:3",
            ":, :, 0",
            ":, :, 1:3",
            ":, 0:3",
            "1, ..., 1:3",
        ),
        *("..., 0", "1, ..., 0", "1, 2, ...", "1, None, 2", "None, 1, 2", "1, 0::2", "1, 2, ::-1"),
        *("[1, 0]", "[1, 0], [2, 0]", "1, [0, 2]", "[1, 0], :, 1"),
    ),
    "thin": ("0", "0, 1", "0, 1:3", ":, 1:3", ":, 1", "0, :, 0", "..., 0", ":, 0:4, :", "0:1, 2"),
}

# Methods and functions that both kinds of arrays have.
SHARED_FORMS = {
    "one": ("x.reshape((2, 3))", "x.reshape((-1, 2))", "x.T", "x.copy()", "list(x)[1]"),
    "two": (
        *(
            "x.reshape((4, 3))",
            "x.reshape((-1,))",
            "x.reshape(2, 6)",
            "x.reshape((3, 4))",
            "x.reshape(-1)",
        ),
        *(
            "x[1].reshape((2, 2))",
            "x[1:].reshape((-1,))",
            "x[1].reshape((2, 2))[1]",
            "x.T",
            "x.T.T",
            "x.T[1]",
        ),
        *("x.transpose()", "x.transpose((1, 0))", "x.swapaxes(0, 1)", "x.expand_dims(0)"),
        *("x.expand_dims(1)", "x.flatten()", "x.squeeze()", "x.copy()", "x.astype('float32')"),
        *("x.astype('float32', copy=False)", "x.as_in_context(mx.cpu())", "x.as_nd_ndarray()"),
        *("x.as_np_ndarray()", "x.detach()", "x[1].detach()", "x.tostype('default')", "list(x)[1]"),
        *(
            "[row for row in x][2]",
            "x[1:][0]",
            "x[0:2][1]",
            "x[1:][0][1:3]",
            "x.repeat(1, axis=0)",
            "x.tile((1, 1))",
        ),
        *("x.copyto(mx.cpu())", "x.slice_axis(axis=0, begin=1, end=2)", "x.broadcast_to((3, 4))"),
        *("x.split(3, axis=0)[1]", "x.flip(axis=0)"),
    ),
    "three": ("x.reshape((6, 4))", "x.transpose((0, 2, 1))", "x[1].T", "x[1].reshape((4, 3))"),
    "thin": ("x.squeeze()", "x.squeeze(axis=0)", "x.T", "x.flatten()", "x.reshape((4,))"),
}

FORMS = {
    "nd": {
        "two": (
            *(
                "nd.reshape(x, (4, 3))",
                "nd.transpose(x)",
                "nd.expand_dims(x, axis=0)",
                "nd.flatten(x)",
            ),
            *("nd.identity(x)", "nd.BlockGrad(x)", "nd.array(x)", "nd.concat(x, dim=0)"),
            *("nd.slice(x, begin=(1,), end=(3,))", "nd.slice_axis(x, axis=0, begin=0, end=2)"),
            *("nd.split(x, 3, axis=0)[1]", "nd.split(x, num_outputs=1, axis=0)", "nd.stack(x)[0]"),
            *(
                "nd.swapaxes(x, 0, 1)",
                "nd.squeeze(x)",
                "nd.concatenate([x])",
                "nd.broadcast_to(x, (3, 4))",
            ),
            *("nd.concatenate([x], always_copy=False)", "x.expand_dims(0, inplace=True)"),
            *(
                "x.flatten(inplace=True)",
                "x.reshape((0, -1))",
                "x.reshape((-3,))",
                "x.reshape((-4, 1, 3, 0))",
            ),
            *(
                "x.reshape((-1, 0), reverse=True)",
                "x.reshape_like(nd.zeros((4, 3)))",
                "x.slice(begin=(0,), end=(2,))",
            ),
            *("x.diag()", "nd.Dropout(x)", "nd.take(x, nd.array([1]))", "x[nd.array([1])]"),
            *("x[nd.array([1, 0], dtype='int32')]", "nd.cast(x, 'float32')", "nd.flip(x, axis=0)"),
        ),
        # What changes nothing, and copies all the same.
        "three": (
            *("nd.SequenceMask(x)", "nd.add_n(x)", "nd.clip(x, -9, 99)", "nd.tile(x, (1,))"),
            *("nd.repeat(x, 1, axis=0)", "nd.moveaxis(x, 0, 0)", "nd.slice_like(x, x)"),
            *("nd.Concat(x, dim=1)", "nd.relu(x)", "x.round()", "nd.split_v2(x, 1)"),
            *("nd.reshape_like(x, x)", "nd.swapaxes(x, 1, 1)", "nd.transpose(x, (0, 1, 2))"),
            *(
                "x.swapaxes(1, 1)",
                "x.transpose((0, 1, 2))",
                "x.broadcast_like(x)",
                "nd.khatri_rao(x[0])",
            ),
            *("nd.slice_axis(x, axis=0, begin=0, end=2)", "nd.slice(x, begin=(0,), end=(2,))"),
            "nd.pad(x.reshape((1, 2, 3, 4)), mode='edge', pad_width=(0, 0, 0, 0, 0, 0, 0, 0))",
            "nd.broadcast_axis(x.reshape((1, 2, 3, 4)), axis=0, size=1)",
        ),
        "thin": ("x.squeeze(axis=0, inplace=True)",),
    },
    "np": {
        "two": (
            *(
                "np.reshape(x, (4, 3))",
                "np.transpose(x)",
                "np.expand_dims(x, axis=0)",
                "np.ravel(x)",
            ),
            *("x.ravel()", "np.squeeze(x)", "np.swapaxes(x, 0, 1)", "np.moveaxis(x, 0, 1)"),
            *("np.array(x)", "np.concatenate([x])", "np.stack([x])[0]", "np.split(x, 3)[1]"),
            *(
                "np.vsplit(x, 3)[1]",
                "np.hsplit(x, 2)[0]",
                "np.broadcast_to(x, (3, 4))",
                "np.flip(x, 0)",
            ),
            *(
                "np.copy(x)",
                "np.atleast_2d(x)",
                "np.diag(x)",
                "np.rot90(x)",
                "np.roll(x, 1)",
                "np.tril(x)",
            ),
            *(
                "x.transpose(1, 0)",
                "x[np.array([1, 0], dtype='int32')]",
                "x[x > 3]",
                "np.take(x, np.array([1]))",
            ),
            *(
                "np.where(x > 3, x, x)",
                "np.abs(x)",
                "x.as_in_ctx(mx.cpu())",
                "npx.reshape(x, (-2,))",
            ),
            *(
                "x.flatten(order='C')",
                "x.reshape((4, 3), order='C')",
                "np.vstack([x])",
                "np.tile(x, 1)",
            ),
        ),
        "thin": ("np.squeeze(x)", "np.squeeze(x, axis=0)"),
    },
}


def forms():
    """(kind of array, name of its shape, expression) for all."""
    for kind in ("nd", "np"):
        for name in SHAPES:
            for index in INDICES[name]:
                yield kind, name, f"x[{index}]"
            for form in SHARED_FORMS[name] + FORMS[kind].get(name, ()):
                yield kind, name, form


def _listed(array):
    """The elements; all of them are integers."""
    return array.asnumpy().astype("int64").tolist()


def seen(mx, kind, name, form):
    """What a form gives, as data: values, and those of source and result after writing to each."""
    import numpy

    module = getattr(mx, kind)
    elements = numpy.arange(numpy.prod(SHAPES[name]), dtype="float32").reshape(SHAPES[name])
    x = module.array(elements)
    names = {"x": x, "mx": mx, "nd": mx.nd, "np": mx.np, "npx": mx.npx}
    try:
        y = eval(form, names)
    except Exception as error:  # what it is called is all that is compared
        return {"raises": _kinds(error)}
    found = {"kind": type(y).__name__, "values": _listed(y)}
    y[()] = -1
    found["source"] = _listed(x)
    x[()] = -2
    found["result"] = _listed(y)
    return found


def _kinds(error):
    """The built-in classes that an exception is of; MXNetError counts as RuntimeError."""
    return sorted(
        kind.__name__
        for kind in type(error).__mro__
        if kind.__module__ == "builtins" and kind not in (object, BaseException, Exception)
    )
