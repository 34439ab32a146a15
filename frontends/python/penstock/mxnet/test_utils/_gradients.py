"""Gradients against finite differences, and blocks against themselves when they are hybridised."""

import numpy as np

from .. import autograd
from .._nd_array import NDArray
from .._unbuilt import raise_not_built
from ..base import MXNetTypeError, MXNetValueError
from ._arrays import default_context
from ._compare import _host, assert_almost_equal, default_numeric_eps, get_atol, get_rtol

__all__ = ["check_gluon_hybridize_consistency", "check_numeric_gradient", "numeric_grad"]


def _function_of(sym, name):
    """A function or a block; symbols and executors raise by name."""
    if isinstance(sym, NDArray) or not callable(sym):
        raise MXNetTypeError(f"{name} needs a function of arrays or a block, not {sym!r}")
    home = type(sym).__module__
    if home.startswith(("mxnet.symbol", "mxnet.executor")):
        raise_not_built(f"mxnet.test_utils.{name} of symbols")
    return sym


def _arrays_at(location, ctx, dtype):
    """The arguments as arrays, by name or by number."""
    from .. import ndarray, numpy
    from ..util import is_np_array

    named = location if isinstance(location, dict) else dict(enumerate(location))
    make = numpy.array if is_np_array() else ndarray.array
    return {
        name: make(_host(one), dtype=dtype, ctx=ctx)
        for name, one in named.items()
    }


def _called(function, arrays):
    """What the function gives, as a list of arrays."""
    positional = [one for name, one in arrays.items() if isinstance(name, int)]
    named = {name: one for name, one in arrays.items() if isinstance(name, str)}
    given = function(*positional, **named)
    return list(given) if isinstance(given, (list, tuple)) else [given]


def numeric_grad(
    executor, location, aux_states=None, eps=1e-4, use_forward_train=True, dtype=np.float32
):
    """The gradient of the sum of a function's results, by differences of one element at a time.

    `location` has the arguments, as a list or by name; so has what is given.
    """
    function = _function_of(executor, "numeric_grad")
    if aux_states is not None:
        raise_not_built("mxnet.test_utils.numeric_grad(aux_states=...)")
    arrays = _arrays_at(location, default_context(), dtype)
    mode = autograd.train_mode if use_forward_train else autograd.predict_mode

    def total():
        with mode():
            given = _called(function, arrays)
        return sum(float(one.asnumpy().astype("float64").sum()) for one in given)

    found = {name: _differences(one, total, eps) for name, one in arrays.items()}
    return found if isinstance(location, dict) else list(found.values())


def _differences(array, total, eps):
    """How the total changes with each element, from half a step below to half a step above."""
    start = array.asnumpy()
    found = np.zeros(start.shape, start.dtype)
    for index in np.ndindex(start.shape):
        ends = []
        for step in (eps / 2, -eps / 2):
            moved = start.copy()
            moved[index] += step
            array[:] = moved
            ends.append(total())
        found[index] = (ends[0] - ends[1]) / eps
    array[:] = start
    return found


def check_numeric_gradient(
    sym,
    location,
    aux_states=None,
    numeric_eps=None,
    rtol=None,
    atol=None,
    grad_nodes=None,
    use_forward_train=True,
    ctx=None,
    grad_stype_dict=None,
    dtype=np.float32,
):
    """Compares the gradients of a function of arrays, or of a block, with finite differences.

    Results are weighted with random numbers before they are summed, so that no two elements can
    make up for each other. `grad_nodes` has the names, or numbers, of the arguments to look at.
    """
    function = _function_of(sym, "check_numeric_gradient")
    for value, name in ((aux_states, "aux_states"), (grad_stype_dict, "grad_stype_dict")):
        if value is not None:
            raise_not_built(f"mxnet.test_utils.check_numeric_gradient({name}=...)")
    eps = default_numeric_eps()[np.dtype(dtype)] if numeric_eps is None else numeric_eps
    arrays = _arrays_at(location, ctx or default_context(), dtype)
    looked_at = list(arrays) if grad_nodes is None else list(grad_nodes)
    for name in looked_at:
        if name not in arrays:
            raise MXNetValueError(f"check_numeric_gradient: {name!r} is not in location")
    weighted = _weighted(function, arrays, use_forward_train)
    for name in looked_at:
        arrays[name].attach_grad()
    with autograd.record(train_mode=use_forward_train):
        heads = _called(weighted, arrays)
    autograd.backward(heads, train_mode=use_forward_train)
    numeric = numeric_grad(weighted, _host_copies(arrays), None, eps, use_forward_train, dtype)
    for name in looked_at:
        assert_almost_equal(
            numeric[name],
            arrays[name].grad,
            rtol=get_rtol(rtol, dtype),
            atol=get_atol(atol, dtype),
            names=(f"NUMERICAL_{name}", f"BACKWARD_{name}"),
        )


def _host_copies(arrays):
    """The values by name; numbers stay the places that they are."""
    return {name: one.asnumpy() for name, one in arrays.items()}


def _weighted(function, arrays, training):
    """The function with each of its results times random numbers of the same shape."""
    with autograd.train_mode() if training else autograd.predict_mode():
        likes = _called(function, arrays)
    weights = []
    for like in likes:
        weights.append(like.copy())
        weights[-1][:] = np.random.uniform(0.1, 1.1, like.shape)

    def product(*args, **kwargs):
        given = function(*args, **kwargs)
        given = given if isinstance(given, (list, tuple)) else [given]
        return [one * weight for one, weight in zip(given, weights)]

    return product


# ---- Blocks --------------------------------------------------------------------------------------


def check_gluon_hybridize_consistency(
    net_builder, data_l, numpy_func=None, test_grad=True, rtol=1e-4, atol=1e-4
):
    """Compares what a block gives, and its gradients, before and after `hybridize`.

    `net_builder()` makes a block; all that are made get the parameters of the first one.
    """
    plain = net_builder()
    plain.initialize()
    expected, gradients = _run_block(plain, data_l, test_grad)
    if numpy_func is not None:
        by_numpy = numpy_func(*[one.asnumpy() for one in data_l])
        assert_almost_equal(expected, np.asarray(by_numpy, expected.dtype), rtol=rtol, atol=atol)
    for options in ({}, {"static_alloc": True}, {"static_alloc": True, "static_shape": True}):
        hybrid = net_builder()
        hybrid.initialize()
        pairs = zip(plain.collect_params().values(), hybrid.collect_params().values(), strict=True)
        for one, other in pairs:
            other.set_data(one.data())
        hybrid.hybridize(**options)
        found, found_gradients = _run_block(hybrid, data_l, test_grad)
        assert_almost_equal(found, expected, rtol=rtol, atol=atol)
        for one, other in zip(found_gradients, gradients, strict=True):
            assert_almost_equal(one, other, rtol=rtol, atol=atol)


def _run_block(net, data_l, test_grad):
    """What a block gives, and a list of the gradients of its arguments and parameters."""
    inputs = [one.copy() for one in data_l]
    for one in inputs:
        one.attach_grad()
    if not test_grad:
        return net(*inputs).asnumpy(), []
    with autograd.record():
        given = net(*inputs)
    given.backward()
    wanted = [one for one in net.collect_params().values() if one.grad_req != "null"]
    gradients = [one.grad for one in inputs] + [one.grad() for one in wanted]
    return given.asnumpy(), [one.asnumpy() for one in gradients]
