"""mx.np.linalg: norms and products; factorisations are done by NumPy."""

from ... import linalg as _native
from .._missing import missing
from ..base import MXNetValueError
from ._by_numpy import applied
from ._table import composed, need_arrays

__all__ = ["matrix_power", "multi_dot", "norm"]


def norm(x, ord=None, axis=None, keepdims=False):
    """A norm of vectors for one axis, of matrices for two, else of all elements.

    >>> mx.np.linalg.norm(mx.np.array([3, 4]))
    array(5.)
    """
    need_arrays("norm", x)
    if isinstance(axis, list):
        axis = tuple(axis)
    if isinstance(axis, tuple) and len(axis) > 2:
        raise MXNetValueError(f"norm: one or two axes are needed, not {axis}")
    matrix = x.ndim == 2 if axis is None else isinstance(axis, tuple) and len(axis) == 2
    if matrix and ord in (2, -2, "nuc"):  # by singular values
        return _by_numpy("norm", numbers=True)(x, ord, axis, keepdims)
    result = composed(_native.norm, x, ord, axis, keepdims)
    return result.astype(x.dtype) if x.dtype.kind in "biu" else result


def matrix_power(a, n):
    """The product of n copies of a square matrix."""
    if n < 0:
        return _by_numpy("matrix_power")(a, n)
    need_arrays("matrix_power", a)
    return composed(_native.matrix_power, a, n)


def _by_numpy(name, numbers=False):
    """A function of numpy.linalg, of arrays of mx.np: waits for them."""

    def function(*args, **kwargs):
        import numpy

        called = getattr(numpy.linalg, name)
        try:
            return applied(called, args, kwargs, numbers)
        except numpy.linalg.LinAlgError as error:
            raise MXNetValueError(f"{name}: {error}") from None

    function.__name__ = function.__qualname__ = name
    function.__module__ = "mxnet.numpy.linalg"
    function.__doc__ = f"numpy.linalg.{name}, of arrays of mx.np: waits for them."
    return function


# Those that are always arrays, and those that are numbers where MXNet's are.
for _name in (
    *("cholesky", "det", "eig", "eigh", "eigvals", "eigvalsh", "inv", "pinv", "slogdet", "solve"),
    *("tensorinv", "tensorsolve"),
):
    globals()[_name] = _by_numpy(_name, numbers=True)
    __all__.append(_name)
for _name in ("cond", "lstsq", "matrix_rank", "multi_dot", "qr"):
    globals()[_name] = _by_numpy(_name)
__all__ += ["cond", "lstsq", "matrix_rank", "qr"]
del _name


def svd(a):
    """Three arrays u, s, v with u @ diag(s) @ v == a, where u and v have orthogonal rows."""
    need_arrays("svd", a)
    return tuple(_by_numpy("svd")(a, full_matrices=False))


__all__.append("svd")


def __dir__():
    return __all__


__getattr__ = missing("mxnet.np.linalg")
