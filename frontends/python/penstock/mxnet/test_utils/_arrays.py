"""Shapes, arrays and matrices for tests, random ones with NumPy's generator; and contexts."""

import random

import numpy as np

from .. import context
from .._unbuilt import raise_not_built

__all__ = [
    "assign_each",
    "assign_each2",
    "collapse_sum_like",
    "create_2d_tensor",
    "create_vector",
    "default_context",
    "default_dtype",
    "get_identity_mat",
    "get_identity_mat_batch",
    "list_gpus",
    "new_matrix_with_real_eigvals_2d",
    "new_matrix_with_real_eigvals_nd",
    "new_orthonormal_matrix_2d",
    "new_sym_matrix_with_real_eigvals_2d",
    "new_sym_matrix_with_real_eigvals_nd",
    "np_reduce",
    "rand_coord_2d",
    "rand_ndarray",
    "rand_shape_2d",
    "rand_shape_3d",
    "rand_shape_nd",
    "random_arrays",
    "random_sample",
    "random_uniform_arrays",
    "set_default_context",
]

# ---- Where, and of which type --------------------------------------------------------------------


def default_context():
    """Where tests make their arrays."""
    return context.current_context()


def set_default_context(ctx):
    """Makes tests of this thread use another context."""
    context.Context.default_ctx = ctx


def default_dtype():
    """The element type that tests use."""
    return np.float32


def list_gpus():
    """The numbers of the GPUs that can be used."""
    return range(context.num_gpus())


def dense_only(stype):
    """Raises for arrays of other kinds than the default."""
    if stype != "default":
        raise_not_built(f"mxnet.nd.sparse ({stype} arrays)")


# ---- Shapes --------------------------------------------------------------------------------------


def rand_shape_2d(dim0=10, dim1=10, allow_zero_size=False):
    """Two random lengths, up to these."""
    return _lengths((dim0, dim1), allow_zero_size)


def rand_shape_3d(dim0=10, dim1=10, dim2=10, allow_zero_size=False):
    """Three random lengths, up to these."""
    return _lengths((dim0, dim1, dim2), allow_zero_size)


def rand_shape_nd(num_dim, dim=10, allow_zero_size=False):
    """This many random lengths, up to dim."""
    return _lengths((dim,) * num_dim, allow_zero_size)


def _lengths(most, allow_zero_size):
    least = 0 if allow_zero_size else 1
    return tuple(int(np.random.randint(least, one + 1)) for one in most)


def rand_coord_2d(x_low, x_high, y_low, y_high):
    """A random pair of whole numbers."""
    return np.random.randint(x_low, x_high), np.random.randint(y_low, y_high)


# ---- Random arrays -------------------------------------------------------------------------------


def random_arrays(*shapes):
    """NumPy arrays of normal numbers as float32; of one shape, the array itself."""
    arrays = [np.asarray(np.random.randn(*shape), dtype=default_dtype()) for shape in shapes]
    return arrays if len(arrays) > 1 else arrays[0]


def random_uniform_arrays(*shapes, **kwargs):
    """A list of NumPy arrays of uniform numbers, from low to high."""
    low, high = kwargs.pop("low", 0.0), kwargs.pop("high", 1.0)
    dtype = kwargs.pop("dtype", default_dtype())
    if kwargs:
        raise TypeError(f"random_uniform_arrays: {sorted(kwargs)[0]} is not an argument of it")
    return [np.random.uniform(low, high, size=shape).astype(dtype) for shape in shapes]


def random_sample(population, k):
    """k different elements of a list, in their random order."""
    if not 0 <= k <= len(population):
        raise AssertionError(f"random_sample: {k} of {len(population)} elements")
    return random.sample(list(population), k)


def rand_ndarray(
    shape,
    stype="default",
    density=None,
    dtype=None,
    modifier_func=None,
    shuffle_csr_indices=False,
    distribution=None,
    ctx=None,
):
    """An array of mx.nd of normal numbers. Other kinds than the default raise."""
    from ..ndarray import array

    dense_only(stype)
    return array(random_arrays(shape), dtype=dtype, ctx=ctx)


def assign_each(the_input, function):
    """A NumPy array of what a function gives for each element; a copy without one."""
    made = np.array(the_input)
    if function is not None:
        for index in np.ndindex(made.shape):
            made[index] = function(the_input[index])
    return made


def assign_each2(input1, input2, function):
    """The same for a function of two elements."""
    made = np.array(input1)
    if function is not None:
        for index in np.ndindex(made.shape):
            made[index] = function(input1[index], input2[index])
    return made


# ---- Arrays that are known -----------------------------------------------------------------------


def create_vector(size, dtype=np.int64):
    """0, 1, 2, ... as an array of mx.nd."""
    from ..ndarray import array

    return array(np.arange(size), dtype=dtype)


def create_2d_tensor(rows, columns, dtype=np.int64):
    """A matrix of mx.nd whose elements are their rows' numbers."""
    from ..ndarray import array

    return array(np.repeat(np.arange(rows), columns).reshape(rows, columns), dtype=dtype)


def get_identity_mat(size):
    """An identity matrix of mx.nd."""
    from ..ndarray import array

    return array(np.eye(size))


def get_identity_mat_batch(size):
    """Two of them in one array."""
    from ..ndarray import array

    return array(np.stack([np.eye(size)] * 2))


def new_orthonormal_matrix_2d(n):
    """A random matrix whose rows are orthogonal and of length 1."""
    factor, _ = np.linalg.qr(np.random.randn(n, n))
    return factor


def new_matrix_with_real_eigvals_2d(n):
    """A random matrix, well conditioned, with real eigenvalues that are far from zero."""
    base = np.random.randn(n, n)
    base += 2 * np.sign(np.trace(base) or 1.0) * np.eye(n)
    return base @ _spread_eigenvalues(n) @ np.linalg.inv(base)


def new_sym_matrix_with_real_eigvals_2d(n):
    """A random symmetric one."""
    base = new_orthonormal_matrix_2d(n)
    made = base @ _spread_eigenvalues(n) @ base.T
    return (made + made.T) / 2


def _spread_eigenvalues(n):
    """A diagonal matrix of values of either sign between 1 and 8, no two alike."""
    sizes = np.linspace(1, 8, n) + np.random.uniform(0, 0.5 / n, n)
    return np.diag(sizes * np.random.choice([-1, 1], n))


def _stacked(make, shape):
    """Matrices of a function in an array of this shape."""
    count = int(np.prod(shape[:-2]))
    return np.stack([make(shape[-1]) for _ in range(count)]).reshape(shape)


def new_matrix_with_real_eigvals_nd(shape):
    """An array of such matrices."""
    return _stacked(new_matrix_with_real_eigvals_2d, shape)


def new_sym_matrix_with_real_eigvals_nd(shape):
    """An array of such symmetric matrices."""
    return _stacked(new_sym_matrix_with_real_eigvals_2d, shape)


# ---- Reductions in NumPy -------------------------------------------------------------------------


def np_reduce(dat, axis, keepdims, numpy_reduce_func):
    """A reduction of NumPy's over one axis, several or all."""
    axes = range(dat.ndim) if axis is None else [axis] if isinstance(axis, int) else axis
    axes = {one % dat.ndim for one in axes}
    found = dat
    for one in sorted(axes, reverse=True):
        found = numpy_reduce_func(found, axis=one)
    if keepdims:
        return found.reshape([1 if i in axes else n for i, n in enumerate(dat.shape)])
    return found


def collapse_sum_like(a, shape):
    """The sum of a NumPy array over the axes along which the shape would be broadcast to it."""
    if len(a.shape) < len(shape):
        raise AssertionError(f"collapse_sum_like: {shape} has more dimensions than {a.shape}")
    if a.size == 0 or not shape:
        return np.reshape(np.sum(a) if a.size else a.reshape(-1)[:0], shape)
    new = a.ndim - len(shape)
    alike = [i + new for i, n in enumerate(shape) if n == 1 and a.shape[i + new] != 1]
    return np.sum(a, axis=(*range(new), *alike)).reshape(shape)
