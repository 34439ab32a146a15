"""Parameters: when they have an array, what it holds, threads and processes that come first."""

import copy
import gc
import pickle
import threading
import weakref

import numpy as np
import pytest

import penstock as ps
from penstock import autograd, nn
from processes import run_quietly


def made(*args, **kwargs):
    parameter = nn.Parameter(*args, **kwargs)
    parameter.initialize()
    return parameter


# ---- Before and after ----------------------------------------------------------------------------


def test_without_an_array():
    parameter = nn.Parameter((3, None, 0), name="weight")
    assert parameter.shape == (3, 0, 0)
    assert repr(parameter) == "Parameter('weight', shape=(3, ?, ?), dtype=float32)"
    assert not parameter.is_initialized
    with pytest.raises(nn.NotInitialized, match=r"'weight' of shape \(3, \?, \?\).*initialize\(\)"):
        parameter.data
    parameter.initialize()
    with pytest.raises(nn.NotInitialized, match="found at the first call") as caught:
        parameter.grad
    assert caught.value.parameter is parameter


def test_shapes_are_settled_once():
    parameter = made((3, 0), init="ones")
    parameter.settle((3, 2))
    array = parameter.data
    parameter.settle((3, 2))
    assert parameter.data is array
    with pytest.raises(ValueError, match=r"has shape \(3, 2\), not \(3, 4\)"):
        parameter.settle((3, 4))
    with pytest.raises(ValueError, match=r"has shape \(3, 2\), not \(3, 2, 1\)"):
        parameter.settle((3, 2, 1))


def test_a_shape_alone_makes_no_array():
    parameter = nn.Parameter((0,))
    parameter.settle((5,))
    assert (parameter.shape, parameter.is_initialized) == ((5,), False)
    parameter.initialize()
    assert parameter.data.shape == (5,)


def test_initialize_again():
    parameter = made(4, init="ones")
    array = parameter.data
    array[...] = 7
    parameter.initialize()
    assert parameter.data.tolist() == [7, 7, 7, 7]
    parameter.initialize(force=True)
    assert parameter.data is array
    assert array.tolist() == [1, 1, 1, 1]


@pytest.mark.parametrize(
    ("init", "values"),
    [
        ("zeros", [0, 0]),
        ("one", [1, 1]),
        (3, [3, 3]),
        (2.5, [2.5, 2.5]),
        (nn.init.Constant(4), [4, 4]),
        (lambda shape, dtype: ps.full(shape, 6, dtype), [6, 6]),
        (lambda shape, dtype: np.arange(2), [0, 1]),
        (ps.array([8.0, 9.0]), [8, 9]),
    ],
)
def test_initialisers(init, values):
    parameter = nn.Parameter(2, "float64", init)
    parameter.initialize("ones")  # its own comes first
    assert parameter.data.tolist() == values
    assert parameter.data.dtype == ps.float64
    other = nn.Parameter(2)
    other.initialize(init)
    assert other.data.tolist() == values


def test_random_initialisers_follow_the_seed():
    inits = (nn.init.Uniform(0.5), nn.init.Normal(2.0), nn.init.MSRAPrelu(), nn.init.Orthogonal())
    for init in (None, "xavier", *inits):
        ps.random.seed(3)
        first = nn.Parameter((20, 30))
        first.initialize(init)
        ps.random.seed(3)
        second = nn.Parameter((20, 0))
        second.initialize(init)
        second.settle((20, 30))
        assert (first.data == second.data).all()
        assert len(set(first.data.ravel().tolist())) > 500
    own = [nn.init.Normal(1.0, ps.random.default_rng(5))((4,), "float32") for _ in range(2)]
    assert (own[0] == own[1]).all()


def test_initialisers_by_the_shape():
    weight = nn.init.Xavier("gaussian", "in", 2.0)((100, 400), "float64")
    assert weight.std().item() == pytest.approx((2 / 400) ** 0.5, rel=0.05)
    weight = nn.init.MSRAPrelu("out", 0.0)((100, 400), "float64")
    assert weight.std().item() == pytest.approx((2 / 100) ** 0.5, rel=0.05)
    weight = nn.init.Orthogonal(2.0)((5, 3), "float64")
    np.testing.assert_allclose((weight.T @ weight).asnumpy(), 4 * np.eye(3), atol=1e-12)
    with pytest.raises(ValueError, match="uniform"):
        nn.init.Xavier("flat")((2, 3), "float32")


def test_an_initialisers_array_is_copied():
    shared = ps.ones(2)
    first, second = made(2, init=shared), made(2, init=lambda shape, dtype: shared)
    first.data[...] = 5
    assert (shared.tolist(), second.data.tolist()) == ([1, 1], [1, 1])


def test_wrong_initialisers():
    with pytest.raises(ValueError, match="no initialiser 'xyz', only .*zeros"):
        nn.Parameter(2).initialize("xyz")
    with pytest.raises(TypeError, match="an initialiser, its name, a number or an array, not None"):
        nn.init.find(None)
    with pytest.raises(TypeError, match="not <class"):
        nn.Parameter(2).initialize(nn.init.Zero)
    with pytest.raises(ValueError, match=r"has shape \(2,\), and .* gave \(3,\)"):
        nn.Parameter(2, init=ps.ones(3)).initialize()
    with pytest.raises(NotImplementedError, match="Initializer"):
        nn.Parameter(2).initialize(nn.init.Initializer())


def test_wrong_arguments():
    with pytest.raises(TypeError, match="made of integers, not 'ab'"):
        nn.Parameter("ab")
    with pytest.raises(ValueError, match="must not be below 0"):
        nn.Parameter((-1, 2))
    with pytest.raises(ValueError, match="must be one of write, add, null, not 'no'"):
        nn.Parameter(2, grad_request="no")
    with pytest.raises(AttributeError, match=r"p.set\(value\)"):
        nn.Parameter(2).data = ps.ones(2)
    with pytest.raises(AttributeError, match="no attribute 'weight'"):
        nn.Parameter(2).weight
    assert not hasattr(nn.Parameter(2), "weight")


# ---- Elements and gradients ----------------------------------------------------------------------


def test_set():
    parameter = nn.Parameter((2, 0))
    parameter.set(np.ones((2, 3)))
    array = parameter.data
    assert (parameter.shape, array.dtype) == ((2, 3), ps.float32)
    parameter.set([[2, 2, 2], [3, 3, 3]])
    assert parameter.data is array
    assert array.tolist() == [[2, 2, 2], [3, 3, 3]]
    with pytest.raises(ValueError, match=r"has shape \(2, 3\), not \(3, 2\)"):
        parameter.set(np.ones((3, 2)))


def test_set_takes_a_copy():
    x = ps.ones(3)
    parameter = nn.Parameter(3)
    parameter.set(x)
    x += 1
    assert parameter.data.tolist() == [1, 1, 1]


@pytest.mark.parametrize(("request_", "expected"), [("write", [2, 2]), ("add", [4, 4])])
def test_requests(request_, expected):
    parameter = made(2, grad_request=request_)
    for _ in range(2):
        with autograd.record():
            y = 2 * parameter.data
        y.backward()
    assert parameter.grad.tolist() == expected
    parameter.zero_grad()
    assert parameter.grad.tolist() == [0, 0]


def test_no_gradient():
    parameter = made(2, grad_request="null")
    assert parameter.grad is None
    parameter.zero_grad()
    parameter.grad_request = "write"
    assert parameter.grad.tolist() == [0, 0]
    parameter.grad_request = "null"
    assert parameter.grad is None


def test_set_while_recording():
    """What initialises and sets is no part of a graph."""
    parameter = nn.Parameter((0,))
    with autograd.record():
        parameter.set([1.0, 2.0])
        parameter.set([3.0, 4.0])
        y = parameter.data * 2
    y.backward()
    assert parameter.grad.tolist() == [2, 2]


def test_cast():
    parameter = made(2, init="ones")
    parameter.cast("float64")
    assert (parameter.data.dtype, parameter.grad.dtype) == (ps.float64, ps.float64)
    later = nn.Parameter((0,))
    later.initialize()
    later.cast("float16")
    later.settle((3,))
    assert later.data.dtype == ps.float16


def test_devices():
    parameter = nn.Parameter(2)
    parameter.initialize(device="cpu:0")
    assert parameter.data.device == "cpu:0"
    with pytest.raises(ValueError, match="nowhere"):
        nn.Parameter(2).initialize(device="nowhere:0")


# ---- copy and pickle -----------------------------------------------------------------------------


@pytest.mark.parametrize("duplicate", [copy.deepcopy, lambda p: pickle.loads(pickle.dumps(p))])
def test_duplicates(duplicate):
    parameter = made((2, 2), "float64", name="weight", lr_mult=0.5, grad_request="add")
    other = duplicate(parameter)
    assert (other.data == parameter.data).all()
    assert (other.name, other.lr_mult, other.grad_request) == ("weight", 0.5, "add")
    other.data[...] = 0
    assert (parameter.data != 0).any()
    assert other.grad.shape == (2, 2)
    bare = duplicate(nn.Parameter((2, 0)))
    assert not bare.is_initialized
    bare.initialize()
    bare.settle((2, 3))
    assert bare.data.shape == (2, 3)


def test_parameters_are_freed():
    parameter = made((2, 2))
    dead = weakref.ref(parameter)
    del parameter
    gc.collect()
    assert dead() is None


# ---- Threads and processes -----------------------------------------------------------------------


def test_threads_settle_together():
    for _ in range(50):
        drawn = []
        parameter = nn.Parameter((4, 0))
        parameter.initialize(lambda shape, dtype: drawn.append(shape) or ps.ones(shape, dtype))
        barrier = threading.Barrier(4)
        arrays = []

        def body():
            barrier.wait()
            parameter.settle((4, 3))
            arrays.append(parameter.data)

        threads = [threading.Thread(target=body) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert drawn == [(4, 3)]
        assert all(array is parameter.data for array in arrays)


def test_threads_that_disagree():
    parameter = nn.Parameter((0,))
    parameter.initialize()
    barrier = threading.Barrier(2)
    failures = []

    def body(length):
        barrier.wait()
        try:
            parameter.settle((length,))
        except ValueError as error:
            failures.append(str(error))

    threads = [threading.Thread(target=body, args=(length,)) for length in (2, 3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(failures) == 1
    assert parameter.data.shape in ((2,), (3,))


def test_a_fork_while_another_thread_settles():
    out = run_quietly("""
        import os, threading
        inside, leave = threading.Event(), threading.Event()
        def init(shape, dtype):
            inside.set()
            leave.wait()
            return ps.ones(shape, dtype)
        parameter = ps.nn.Parameter((0,))
        parameter.initialize(init)
        thread = threading.Thread(target=parameter.settle, args=((3,),))
        thread.start()
        inside.wait()
        child = os.fork()
        leave.set()
        if child == 0:
            parameter.settle((3,))
            os._exit(int(parameter.data.sum().item()))
        thread.join()
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), parameter.data)
    """)
    assert out == "3 [1. 1. 1.]\n"
