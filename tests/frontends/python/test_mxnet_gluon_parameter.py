"""Parameters of mx.gluon and dicts of them, as MXNet 1.9.1 has them.

Numbers beside the tests are those of the facts that were found by running MXNet itself.
"""

import copy
import pickle
import threading

import numpy
import pytest

from penstock import mxnet as mx
from penstock.mxnet import autograd, gluon, nd, np, npx
from penstock.mxnet.base import MXNetError, NotBuiltError
from penstock.mxnet.gluon import Constant, DeferredInitializationError, Parameter, ParameterDict

CPUS = [mx.cpu(0), mx.cpu(1)]


@pytest.fixture
def numpy_mode():
    npx.set_np()
    yield
    npx.reset_np()


def made(name="w", ctx=None, shape=(2,), init="ones", **others):
    param = Parameter(name, shape=shape, init=init, **others)
    param.initialize(ctx=ctx)
    return param


def values(array):
    return array.asnumpy().tolist()


# ---- Arrays: 29, 34, 46 -------------------------------------------------------------------------


def test_data_is_the_same_object():
    param = made()
    array, grad = param.data(), param.grad()
    assert param.data() is array and param.grad() is grad
    param.set_data(nd.array([5, 6]))
    assert param.data() is array
    assert values(array) == [5, 6]
    param.initialize(force_reinit=True)
    assert param.data() is not array
    assert values(array) == [5, 6]


def test_writes_are_not_recorded():
    """30: inside of record they are refused."""
    param = made()
    with autograd.record(), pytest.raises(MXNetError):
        param.set_data(nd.zeros(2))
    assert values(param.data()) == [1, 1]


def test_grad_is_one_storage():
    param = made()
    grad = param.grad()
    assert values(grad) == [0, 0]
    with autograd.record():
        y = param.data() * 3
    y.backward()
    assert values(grad) == [3, 3]
    param.zero_grad()
    assert values(grad) == [0, 0]


def test_no_gradient():
    param = made(grad_req="null")
    with pytest.raises(RuntimeError, match="grad_req is 'null'"):
        param.grad()
    with pytest.raises(RuntimeError, match="grad_req is 'null'"):
        param.list_grad()
    param.zero_grad()
    with autograd.record():
        y = param.data() * 2
    with pytest.raises(MXNetError):
        y.backward()
    param.grad_req = "add"
    for _ in range(2):
        with autograd.record():
            y = param.data() * 2
        y.backward()
    assert values(param.grad()) == [4, 4]
    param.grad_req = "null"
    with pytest.raises(RuntimeError):
        param.grad()


def test_grad_req_is_checked():
    param = made()
    with pytest.raises(AssertionError, match="grad_req is 'sum'"):
        param.grad_req = "sum"
    assert Parameter("w", differentiable=False).grad_req == "null"


def test_contexts():
    param = made(ctx=CPUS)
    assert param.list_ctx() == CPUS
    assert [one.context for one in param.list_data()] == CPUS
    assert [one.context for one in param.list_grad()] == CPUS
    assert param.data() is param.data(mx.cpu(0)) is not param.data(mx.cpu(1))
    with mx.Context("cpu", 1):
        assert param.data() is param.data(mx.cpu(1))
    with pytest.raises(RuntimeError, match=r"has no data on cpu\(2\)"):
        param.data(mx.cpu(2))
    with pytest.raises(RuntimeError, match=r"has no data on cpu\(2\)"):
        param.grad(mx.cpu(2))
    param.set_data(nd.array([1, 2]))
    assert [values(one) for one in param.list_data()] == [[1, 2], [1, 2]]
    param.data(mx.cpu(1))[:] = 5  # each has its own
    assert [values(one) for one in param.list_data()] == [[1, 2], [5, 5]]
    param.reset_ctx(mx.cpu(2))
    assert param.list_ctx() == [mx.cpu(2)]
    assert values(param.data()) == [3, 3.5]


def test_random_numbers_are_those_of_all_contexts():
    param = made(ctx=CPUS, shape=(20,), init=None)
    one, other = param.list_data()
    assert values(one) == values(other)


def test_cast():
    param = made()
    param.cast("float16")
    assert param.dtype == "float16"
    assert param.data().dtype is param.grad().dtype is numpy.float16
    param.dtype = "float64"
    assert param.data().dtype is numpy.float64
    with autograd.record():
        y = param.data() * 2
    y.backward()
    assert values(param.grad()) == [2, 2]


# ---- Shapes and errors: 40, 43, 44 --------------------------------------------------------------


def test_not_initialized():
    param = Parameter("w", shape=(2,))
    for ask in (param.data, param.grad, param.list_data, param.list_grad, param.list_ctx):
        with pytest.raises(RuntimeError, match="'w' has not been initialized"):
            ask()
    with pytest.raises(AssertionError, match="has not been initialized"):
        param.set_data(nd.ones(2))
    with pytest.raises(ValueError, match="has no data to move"):
        param.reset_ctx(mx.cpu(1))
    with pytest.raises(ValueError, match="is not known"):
        Parameter("w", shape=(2, 0)).initialize()
    with pytest.raises(ValueError, match="is not known"):
        Parameter("w").initialize()


def test_deferred():
    param = Parameter("w", shape=(2, 0), allow_deferred_init=True)
    param.initialize(ctx=CPUS)
    assert param.list_ctx() == CPUS
    for ask in (param.data, param.list_data, param.grad):
        with pytest.raises(DeferredInitializationError, match="deferred") as raised:
            ask()
        assert isinstance(raised.value, MXNetError)
    assert isinstance(pickle.loads(pickle.dumps(raised.value)), DeferredInitializationError)
    param.set_data(nd.array([[1, 2, 3], [4, 5, 6]]))
    assert param.shape == (2, 3)
    param._finish_deferred_init()
    assert values(param.data(mx.cpu(1))) == [[1, 2, 3], [4, 5, 6]]


def test_shapes_that_do_not_fit():
    param = made(shape=(2, 3))
    with pytest.raises(AssertionError, match=r"cannot become \(3, 3\)"):
        param.set_data(nd.ones((3, 3)))
    with pytest.raises(AssertionError, match="cannot become"):
        param.shape = (2, 4)
    assert values(param.data()) == [[1, 1, 1], [1, 1, 1]]
    open_one = Parameter("w", shape=(2, 0))
    open_one.shape = (2, 7)
    assert open_one.shape == (2, 7)
    assert Parameter("w", shape=3).shape == (3,)
    assert Parameter("w").shape is None


def test_lengths_that_are_not_known(numpy_mode):
    assert Parameter("w", shape=(2, 0)).shape == (2, -1)
    assert Parameter("w", shape=(2, -1)).shape == (2, -1)
    assert Parameter("w", shape=()).shape == ()
    param = made(shape=())
    assert type(param.data()) is np.ndarray
    assert param.data().item() == 1
    param.set_data(np.array(3.0))
    param.zero_grad()
    assert param.data().item() == 3 and param.grad().item() == 0


def test_a_second_initialisation_is_ignored():
    param = made()
    with pytest.warns(UserWarning, match="'w' has data"):
        param.initialize(init="zeros")
    assert values(param.data()) == [1, 1]


def test_which_initialiser_counts():
    """42: the parameter's own before that of the block, and an explicit one before both."""
    own, plain = Parameter("a", shape=(2,), init="ones"), Parameter("b", shape=(2,))
    params = ParameterDict()
    params._params.update(a=own, b=plain)
    params.initialize(mx.init.Constant(3))
    assert values(own.data()) == [1, 1] and values(plain.data()) == [3, 3]
    explicit = Parameter("c", shape=(2,), init="ones")
    explicit.initialize(init=mx.init.Constant(4))
    assert values(explicit.data()) == [4, 4]


def test_default_initialiser():
    """42: numbers of [-0.07, 0.07)."""
    param = made(shape=(1000,), init=None)
    found = param.data().asnumpy()
    assert abs(found).max() <= 0.07
    assert abs(found).max() > 0.06 and abs(found.mean()) < 0.01


def test_text():
    assert str(Parameter("w", shape=(2, 0))) == (
        "Parameter w (shape=(2, 0), dtype=<class 'numpy.float32'>)"
    )
    assert str(Parameter("w", dtype="float16")) == "Parameter w (shape=None, dtype=float16)"


def test_what_there_is_not():
    param = made()
    with pytest.raises(NotBuiltError, match="mxnet.gluon.Parameter.var"):
        param.var()
    for call in (param.row_sparse_data, param.list_row_sparse_data):
        with pytest.raises(NotBuiltError, match="mxnet.gluon.Parameter"):
            call(0)
    with pytest.raises(NotBuiltError, match="row_sparse"):
        Parameter("w", stype="row_sparse")
    with pytest.raises(NotBuiltError, match="row_sparse"):
        Parameter("w", grad_stype="row_sparse")
    with pytest.raises(AssertionError, match="stype"):
        Parameter("w", stype="dense")


# ---- Constants ----------------------------------------------------------------------------------


def test_constant():
    constant = Constant("c", [[1, 2], [3, 4]])
    constant.initialize(ctx=CPUS)
    assert values(constant.data(mx.cpu(1))) == [[1, 2], [3, 4]]
    with pytest.raises(RuntimeError, match="null"):
        constant.grad()
    with pytest.warns(UserWarning, match="has no gradient"):
        constant.grad_req = "write"
    assert constant.grad_req == "null"
    assert str(constant).startswith("Constant c (shape=(2, 2)")


def test_constants_of_dicts():
    params = ParameterDict("net_")
    constant = params.get_constant("c", nd.array([1, 2]))
    assert constant.name == "net_c"
    assert params.get_constant("c") is params.get_constant("c", nd.array([1, 2])) is constant
    with pytest.raises(AssertionError, match="another value"):
        params.get_constant("c", nd.array([1, 3]))
    with pytest.raises(KeyError, match="net_d"):
        params.get_constant("d")
    params.get("w")
    with pytest.raises(AssertionError, match="which is no Constant"):
        params.get_constant("w", [1])


# ---- Dicts: 45 ----------------------------------------------------------------------------------


def test_dict():
    params = ParameterDict("net_")
    weight = params.get("w", shape=(2, 0), dtype="float32")
    assert params.get("w", shape=(0, 3)) is weight is params["net_w"]
    assert weight.shape == (2, 3)
    assert list(params.keys()) == list(params) == ["net_w"]
    assert list(params.items()) == [("net_w", weight)] and "net_w" in params
    assert params.prefix == "net_"
    assert repr(params) == (
        "net_ (\n  Parameter net_w (shape=(2, 3), dtype=float32)\n)"
    )
    assert repr(ParameterDict()) == "(\n\n)"
    assert bool(ParameterDict())


@pytest.mark.parametrize(
    "wanted", [{"shape": (2, 4)}, {"shape": (2,)}, {"dtype": "float64"}, {"lr_mult": 2}]
)
def test_dict_refuses_another(wanted):
    params = ParameterDict("net_")
    params.get("w", shape=(2, 3))
    with pytest.raises(AssertionError, match="Cannot retrieve Parameter 'net_w'"):
        params.get("w", **wanted)


def test_dict_shares():
    params, other = ParameterDict("a_"), ParameterDict("b_")
    weight = params.get("w")
    assert ParameterDict("a_", shared=params).get("w") is weight
    assert ParameterDict("c_", shared=params).get("w") is not weight
    other.get("w")
    other.update(params)
    assert list(other) == ["b_w", "a_w"]
    conflict = ParameterDict("a_")
    conflict.get("w")
    with pytest.raises(AssertionError, match="another Parameter of the name 'a_w'"):
        conflict.update(params)


def test_dict_at_once():
    params = ParameterDict()
    one, other = params.get("a", shape=(2,)), params.get("b", shape=(3,))
    params.initialize("ones", ctx=CPUS)
    assert params.list_ctx() == CPUS
    params.setattr("grad_req", "add")
    assert one.grad_req == other.grad_req == "add"
    one.grad(mx.cpu(1))[:] = 5
    params.zero_grad()
    assert values(one.grad(mx.cpu(1))) == [0, 0]
    params.reset_ctx(mx.cpu(3))
    assert params.list_ctx() == [mx.cpu(3)]


def test_dict_files(tmp_path):
    path = str(tmp_path / "a.params")
    params = ParameterDict("net_")
    params.get("w", shape=(2,))
    params.get("v", shape=(1,))
    params.initialize(mx.init.Constant(2), ctx=CPUS)
    params["net_w"].data(mx.cpu(1))[:] = 4
    params.save(path, strip_prefix="net_")
    assert sorted(nd.load(path)) == ["v", "w"]
    same = ParameterDict("other_")
    same.get("w", shape=(0,))
    same.get("v")
    same.load(path, restore_prefix="other_")
    assert values(same["other_w"].data()) == [3, 3]  # the mean over the contexts
    assert same.list_ctx() == [mx.cpu(0)]
    with pytest.raises(AssertionError, match="nothing for Parameter 'w'"):
        params.load(str(_saved(tmp_path, {"v": nd.ones(1)})), restore_prefix="net_")
    with pytest.raises(AssertionError, match="has 'u', which"):
        more = str(_saved(tmp_path, {"v": nd.ones(1), "u": nd.ones(1)}))
        params.load(more, allow_missing=True, restore_prefix="net_")
    with pytest.raises(ValueError, match="cannot be cut off"):
        params.save(path, strip_prefix="other_")
    with pytest.raises(AssertionError, match="restore_prefix"):
        params.load(path, restore_prefix="x_")
    with pytest.raises(MXNetError):
        params.load(str(tmp_path / "missing"))
    with pytest.raises(TypeError, match="have no names"):
        params.load(str(_saved(tmp_path, [nd.ones(1)])))


def _saved(folder, arrays):
    nd.save(str(folder / "b.params"), arrays)
    return folder / "b.params"


def test_what_a_file_must_be(tmp_path):
    path = str(_saved(tmp_path, {"w": nd.ones((2, 3))}))
    for settings, text in (
        ({"shape": (2, 4)}, "has shape .* what was saved for it"),
        ({"shape": (2,)}, "has shape .* what was saved for it"),
        ({"shape": (2, 3), "dtype": "float16"}, "has type .* what was saved for it"),
    ):
        params = ParameterDict()
        params.get("w", **settings)
        with pytest.raises(AssertionError, match=text):
            params.load(path)
    params.load(path, cast_dtype=True)
    assert params["w"].data().dtype is numpy.float16
    params.load(path, cast_dtype=True, dtype_source="saved")
    assert params["w"].data().dtype is numpy.float32
    with pytest.raises(AssertionError, match="dtype_source"):
        params.load(path, cast_dtype=True, dtype_source="file")
    with pytest.raises(AssertionError, match=r"on \[cpu\(1\)\]"):
        params.load(path, ctx=mx.cpu(1))


# ---- Copies and threads -------------------------------------------------------------------------


def test_copies_and_pickles():
    param = made(ctx=CPUS)
    for same in (copy.deepcopy(param), pickle.loads(pickle.dumps(param))):
        assert type(same) is Parameter and same.name == "w"
        same.set_data(nd.zeros(2))
        assert values(param.data(mx.cpu(1))) == [1, 1]
        with autograd.record():
            y = same.data(mx.cpu(1)) * 2
        y.backward()
        assert values(same.grad(mx.cpu(1))) == [2, 2]
        assert values(param.grad(mx.cpu(1))) == [0, 0]


def test_threads_draw_once():
    """Two threads that call a block first get the same random numbers."""
    for _ in range(20):
        layer = gluon.nn.Dense(4)
        layer.initialize()
        x, start, found = nd.ones((2, 3)), threading.Barrier(2), []

        def call(layer=layer, x=x, start=start, found=found):
            start.wait()
            found.append(layer(x).asnumpy())

        threads = [threading.Thread(target=call) for _ in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(found) == 2 and (found[0] == found[1]).all()
        assert (found[0] == layer(x).asnumpy()).all()
