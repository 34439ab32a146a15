"""Convolutions and pooling: results, and what flows back to images, weights and bias."""

from __future__ import annotations

import itertools

from ..case import Case, normal

# Of x and the weights; then the options of conv2d.
CONV2D = [
    ((2, 3, 5, 4), (2, 3, 3, 3), {}),
    ((1, 2, 6, 5), (3, 2, 3, 2), {"stride": (2, 1), "padding": (1, 2)}),
    ((1, 2, 7, 7), (2, 2, 3, 3), {"dilation": 2, "padding": 2}),
    ((2, 4, 4, 4), (4, 2, 3, 3), {"groups": 2, "padding": 1}),
    ((1, 4, 5, 5), (4, 1, 3, 3), {"groups": 4, "stride": 2, "padding": 1}),
    ((1, 3, 9, 8), (2, 3, 4, 2), {"stride": (3, 2), "dilation": (2, 3), "padding": (3, 1)}),
    ((2, 5, 3, 3), (6, 5, 1, 1), {}),
    ((1, 3, 6, 6), (2, 3, 1, 1), {"stride": 2}),
    ((1, 2, 4, 6), (2, 1, 2, 2), {"groups": 2, "stride": (3, 1), "dilation": (1, 3)}),
]
TRANSPOSE = [
    ((2, 3, 4, 3), (3, 2, 3, 3), {}),
    ((1, 2, 3, 4), (2, 3, 3, 2), {"stride": (2, 3), "padding": (1, 0)}),
    ((1, 2, 3, 3), (2, 2, 3, 3), {"stride": 2, "padding": 1, "output_padding": 1}),
    ((1, 4, 3, 3), (4, 2, 2, 3), {"groups": 2, "stride": (1, 2), "output_padding": (0, 1)}),
    ((1, 2, 3, 2), (2, 1, 3, 2), {"dilation": (2, 3), "stride": 2, "padding": (2, 1)}),
]
CONV1D = [
    ((2, 2, 7), (3, 2, 3), {}),
    ((1, 4, 9), (2, 2, 2), {"stride": 2, "padding": 1, "dilation": 3, "groups": 2}),
]
POOL = [
    ((2, 2, 4, 4), {"kernel": 2}),
    ((1, 2, 7, 6), {"kernel": 3, "stride": 2, "padding": 1}),
    ((1, 2, 6, 7), {"kernel": (3, 2), "stride": (1, 3)}),
    ((1, 2, 8, 7), {"kernel": 3, "stride": 2, "ceil_mode": True}),
    ((1, 1, 6, 5), {"kernel": (2, 3), "stride": 3, "padding": 1, "ceil_mode": True}),
    ((1, 2, 5, 5), {"kernel": 3, "stride": 1, "padding": 1}),
]

OURS = {
    "conv2d": lambda ps: ps.nn.conv2d,
    "conv2d_transpose": lambda ps: ps.nn.conv2d_transpose,
    "conv1d": lambda ps: ps.nn.conv1d,
    "max_pool2d": lambda ps: ps.nn.max_pool2d,
    "avg_pool2d": lambda ps: ps.nn.avg_pool2d,
    "global_max_pool2d": lambda ps: ps.nn.global_max_pool2d,
    "global_avg_pool2d": lambda ps: ps.nn.global_avg_pool2d,
}


def ours_of(function, options):
    """The result of our function, and the gradients of all inputs but dy."""

    def ours(ps, arrays):
        arrays = dict(arrays)
        dy = arrays.pop("dy")
        for array in arrays.values():
            array.attach_grad()
        with ps.autograd.record():
            y = OURS[function](ps)(*arrays.values(), **options)
        y.backward(dy)
        return {"y": y} | {f"d{name}": array.grad for name, array in arrays.items()}

    return ours


def theirs_of(function, options):
    def theirs(torch, tensors):
        tensors = dict(tensors)
        dy = tensors.pop("dy")
        for tensor in tensors.values():
            tensor.requires_grad_()
        y = getattr(torch.nn.functional, function)(*tensors.values(), **options)
        y.backward(dy)
        return {"y": y} | {f"d{name}": tensor.grad for name, tensor in tensors.items()}

    return theirs


def pair(value):
    return value if isinstance(value, tuple) else (value, value)


def windows(length, kernel, stride, padding, dilation):
    return (length + 2 * padding - dilation * (kernel - 1) - 1) // stride + 1


def conv_shape(x, weight, options):
    """The result's; of lines or images."""
    lengths = []
    for axis, (length, kernel) in enumerate(zip(x[2:], weight[2:])):
        stride, padding, dilation = (
            pair(options.get(name, otherwise))[axis]
            for name, otherwise in (("stride", 1), ("padding", 0), ("dilation", 1))
        )
        lengths.append(windows(length, kernel, stride, padding, dilation))
    return (x[0], weight[0], *lengths)


def transpose_shape(x, weight, options):
    lengths = []
    for axis, (length, kernel) in enumerate(zip(x[2:], weight[2:])):
        stride, padding, more, dilation = (
            pair(options.get(name, otherwise))[axis]
            for name, otherwise in (
                ("stride", 1),
                ("padding", 0),
                ("output_padding", 0),
                ("dilation", 1),
            )
        )
        lengths.append((length - 1) * stride - 2 * padding + dilation * (kernel - 1) + more + 1)
    return (x[0], weight[1] * options.get("groups", 1), *lengths)


def pool_shape(x, options):
    lengths = []
    for axis, length in enumerate(x[2:]):
        kernel = pair(options["kernel"])[axis]
        stride = pair(options.get("stride", options["kernel"]))[axis]
        padding = pair(options.get("padding", 0))[axis]
        count, rest = divmod(length + 2 * padding - kernel, stride)
        count += 1
        if options.get("ceil_mode") and rest and count * stride < length + padding:
            count += 1
        lengths.append(count)
    return (*x[:2], *lengths)


def conv_cases(ours, theirs, table, shape):
    for (number, (x, weight, options)), bias in itertools.product(enumerate(table), (False, True)):
        result = shape(x, weight, options)
        inputs = {"x": normal(number, *x), "weight": normal(number + 50, *weight)}
        if bias:
            inputs["bias"] = normal(number + 100, result[1])
        inputs["dy"] = normal(number + 150, *result)
        yield Case(
            f"{ours} {x} {weight} {options}{' with bias' if bias else ''}",
            inputs,
            ours_of(ours, options),
            theirs_of(theirs, options),
            1e-4,
            1e-5,
        )


def pool_cases(name, more):
    for number, (x, options) in enumerate(POOL):
        options = options | more
        named = {"kernel_size" if k == "kernel" else k: v for k, v in options.items()}
        inputs = {"x": normal(number, *x), "dy": normal(number + 50, *pool_shape(x, options))}
        yield Case(f"{name} {x} {options}", inputs, ours_of(name, options), theirs_of(name, named))


def global_cases(name, theirs):
    inputs = {"x": normal(1, 2, 3, 4, 5), "dy": normal(2, 2, 3, 1, 1)}
    yield Case(name, inputs, ours_of(name, {}), theirs_of(theirs, {"output_size": 1}))


def cases():
    return [
        *conv_cases("conv2d", "conv2d", CONV2D, conv_shape),
        *conv_cases("conv2d_transpose", "conv_transpose2d", TRANSPOSE, transpose_shape),
        *conv_cases("conv1d", "conv1d", CONV1D, conv_shape),
        *pool_cases("max_pool2d", {}),
        *pool_cases("avg_pool2d", {}),
        *pool_cases("avg_pool2d", {"count_include_pad": False}),
        *global_cases("global_max_pool2d", "adaptive_max_pool2d"),
        *global_cases("global_avg_pool2d", "adaptive_avg_pool2d"),
    ]
