"""paddle.vision.ops: boxes, which are (left, top, right, bottom), and parts of pictures by them."""

from ..._pictures.regions import parts, rounded
from .. import _missing
from .._create import zeros
from .._joining import stack
from .._reduce import max as _max
from ..nn import Layer

__all__ = ["RoIPool", "roi_pool"]


def roi_pool(x, boxes, boxes_num, output_size, spatial_scale=1.0, name=None):
    """The largest elements of parts of regions: (boxes, channels, height, width). Waits.

    `boxes_num` says how many of the boxes are of each picture of x.

    >>> from penstock import paddle
    >>> x = paddle.arange(16, dtype="float32").reshape([1, 1, 4, 4])
    >>> boxes = paddle.to_tensor([[0.0, 0.0, 20.0, 20.0]])
    >>> number = paddle.to_tensor([1], dtype="int32")
    >>> paddle.vision.ops.roi_pool(x, boxes, number, 2, 0.1).tolist()
    [[[[5.0, 6.0], [9.0, 10.0]]]]
    """
    height, width = (output_size,) * 2 if isinstance(output_size, int) else output_size
    if boxes.ndim != 2 or boxes.shape[1] != 4:
        raise ValueError(
            f"(InvalidArgument) roi_pool: boxes are of the shape [N, 4], not {list(boxes.shape)}"
        )
    counts = boxes_num.tolist()
    if len(counts) != x.shape[0] or sum(counts) != boxes.shape[0]:
        raise ValueError(
            f"(InvalidArgument) roi_pool: boxes_num is {counts}, for {x.shape[0]} pictures and "
            f"{boxes.shape[0]} boxes"
        )
    pictures = [number for number, count in enumerate(counts) for _ in range(count)]
    regions = [
        _pooled(x[picture], corners, height, width, spatial_scale)
        for picture, corners in zip(pictures, boxes.tolist())
    ]
    return stack(regions) if regions else zeros([0, x.shape[1], height, width], x.dtype)


def _pooled(picture, corners, height, width, scale):
    left, top, right, bottom = (rounded(corner * scale) for corner in corners)
    rows = parts(top, bottom, height, picture.shape[1])
    columns = parts(left, right, width, picture.shape[2])
    cells = [_largest(picture[:, row, column]) for row in rows for column in columns]
    return stack(cells, 1).reshape([picture.shape[0], height, width])


def _largest(cell):
    if 0 in cell.shape[1:]:
        return zeros([cell.shape[0]], cell.dtype)
    return _max(cell, [1, 2])


class RoIPool(Layer):
    """The largest elements of parts of regions."""

    def __init__(self, output_size, spatial_scale=1.0):
        super().__init__()
        self._output_size, self._spatial_scale = output_size, spatial_scale

    def forward(self, x, boxes, boxes_num):
        return roi_pool(x, boxes, boxes_num, self._output_size, self._spatial_scale)

    def extra_repr(self):
        return f"output_size={self._output_size}, spatial_scale={self._spatial_scale}"


__getattr__ = _missing.missing("paddle.vision.ops")
