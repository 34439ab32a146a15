"""Checks of symbols, of sparse arrays and of data sets that would be fetched: none is built."""

from .._unbuilt import not_built as _not_built

# Functions that MXNet has for these, by name.
_NAMES = """
check_consistency check_speed check_symbolic_backward check_symbolic_forward create_sparse_array
create_sparse_array_zd download_model get_bz2_data get_cifar10 get_im2rec_path get_mnist
get_mnist_iterator get_mnist_pkl get_mnist_ubyte get_zip_data rand_sparse_ndarray
same_symbol_structure shuffle_csr_column_indices simple_forward DummyIter
""".split()

for _name in _NAMES:
    globals()[_name] = _not_built(f"mxnet.test_utils.{_name}")
del _name

__all__ = _NAMES
