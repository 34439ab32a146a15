"""paddle.static: what describes the inputs of a program; programs are not written down first."""

from . import _missing
from ._dtypes import as_dtype
from ._tensor import Tensor

__all__ = ["InputSpec"]


class InputSpec:
    """The shape, element type and name of an input; a length that may be any is -1.

    >>> from penstock import paddle
    >>> paddle.static.InputSpec([None, 3], name="x")
    InputSpec(shape=(-1, 3), dtype=paddle.float32, name=x, stop_gradient=False)
    """

    def __init__(self, shape, dtype="float32", name=None, stop_gradient=False):
        self.shape = _checked(shape)
        self.dtype = None if dtype is None else as_dtype(dtype)
        self.name, self.stop_gradient = name, stop_gradient

    @classmethod
    def from_tensor(cls, tensor, name=None):
        """That of a tensor."""
        if not isinstance(tensor, Tensor):
            raise ValueError(
                f"Input `tensor` should be a Tensor, but received {type(tensor).__name__}."
            )
        return cls(list(tensor.shape), tensor.dtype, name or tensor.name)

    @classmethod
    def from_numpy(cls, ndarray, name=None):
        """That of an array of NumPy's."""
        return cls(list(ndarray.shape), str(ndarray.dtype), name)

    def batch(self, batch_size):
        """A dimension more, before the others; gives itself."""
        if isinstance(batch_size, (list, tuple)):
            if len(batch_size) != 1:
                raise ValueError(
                    f"Length of batch_size: {batch_size} shall be 1, but received "
                    f"{len(batch_size)}."
                )
            batch_size = batch_size[0]
        elif not isinstance(batch_size, int):
            raise TypeError(
                f"type(batch_size) shall be `int`, but received {type(batch_size).__name__}."
            )
        self.shape = (*_checked([batch_size]), *self.shape)
        return self

    def unbatch(self):
        """The first dimension less; gives itself."""
        if not self.shape:
            raise ValueError("Not support to unbatch a InputSpec when len(shape) == 0.")
        self.shape = self.shape[1:]
        return self

    def __repr__(self):
        return (
            f"{type(self).__name__}(shape={self.shape}, dtype={self.dtype}, name={self.name}, "
            f"stop_gradient={self.stop_gradient})"
        )

    def _key(self):
        return self.shape, self.dtype, self.name, self.stop_gradient

    def __hash__(self):
        return hash(self._key())

    def __eq__(self, other):
        return type(self) is type(other) and self._key() == other._key()

    def __ne__(self, other):
        return not self == other


def _checked(shape):
    if not isinstance(shape, (list, tuple)):
        raise TypeError(
            "Type of `shape` in InputSpec should be one of (tuple, list), but received "
            f"{type(shape).__name__}."
        )
    for at, length in enumerate(shape):
        if length is not None and not isinstance(length, int):
            raise ValueError(
                f"shape[{at}] should be an `int`, but received `{type(length).__name__}`:{length}."
            )
    return tuple(-1 if length is None else length for length in shape)


__getattr__ = _missing.missing("paddle.static")
