"""Embeddings."""

from __future__ import annotations

from .. import _core
from ._block import Block
from ._parameter import Parameter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .._core import _DTypeLike, ndarray
    from .init import _InitializerLike

_embedding = _core._ops["embedding"]


class Embedding(Block):
    """Rows of a table at integer positions.

    >>> layer = ps.nn.Embedding(10, 3).initialize()
    >>> layer(ps.array([[1, 2]])).shape
    (1, 2, 3)
    """

    def __init__(
        self,
        input_dim: int,
        output_dim: int,
        dtype: _DTypeLike = "float32",
        weight_init: _InitializerLike = None,
    ) -> None:
        self.weight = Parameter((input_dim, output_dim), dtype, weight_init)

    def forward(self, x: ndarray) -> ndarray:
        return _embedding(x, self.weight.data)

    def _described(self) -> str:
        return "{} -> {}".format(*self.weight.shape)
