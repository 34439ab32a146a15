"""torchvision.ops: boxes, which are (left, top, right, bottom), and parts of pictures by them."""

from ..._pictures.regions import parts, rounded
from ...torch import maximum, minimum, stack, tensor, zeros
from .. import _missing

__all__ = ["box_area", "box_iou", "clip_boxes_to_image", "nms", "roi_pool"]


def box_area(boxes):
    """The area of each box."""
    return (boxes[:, 2] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 1])


def box_iou(boxes1, boxes2):
    """What two boxes have in common as a share of what they cover, for all pairs: (N, M).

    >>> from penstock import torch, torchvision
    >>> a = torch.tensor([[0.0, 0.0, 2.0, 2.0]])
    >>> torchvision.ops.box_iou(a, torch.tensor([[1.0, 1.0, 3.0, 3.0], [0.0, 0.0, 2.0, 1.0]]))
    tensor([[0.1429, 0.5000]])
    """
    corners = maximum(boxes1[:, None, :2], boxes2[:, :2])
    sides = (minimum(boxes1[:, None, 2:], boxes2[:, 2:]) - corners).clamp(min=0)
    common = sides[:, :, 0] * sides[:, :, 1]
    return common / (box_area(boxes1)[:, None] + box_area(boxes2) - common)


def nms(boxes, scores, iou_threshold):
    """Places of boxes from the highest score down, without those that cover a better one. Waits."""
    if boxes.ndim != 2 or boxes.shape[1] != 4:
        raise RuntimeError(f"boxes should be a 2d tensor of 4 columns, got {list(boxes.shape)}")
    if scores.shape != boxes.shape[:1]:
        raise RuntimeError(
            f"boxes and scores should have same number of elements in dimension 0, got "
            f"{boxes.shape[0]} and {list(scores.shape)}"
        )
    order = scores.argsort(dim=0, descending=True, stable=True)
    ordered = boxes[order]
    covers = (box_iou(ordered, ordered) > iou_threshold).numpy()
    kept, gone = [], covers[:0].any(0)
    for place in range(len(covers)):
        if not gone[place]:
            kept.append(place)
            gone |= covers[place]
    return order[tensor(kept, dtype=order.dtype)]


def clip_boxes_to_image(boxes, size):
    """Boxes that end at the borders of a picture of (height, width)."""
    height, width = size
    columns, rows = boxes[..., 0::2].clamp(0, width), boxes[..., 1::2].clamp(0, height)
    return stack((columns, rows), boxes.ndim).reshape(boxes.shape)


def roi_pool(input, boxes, output_size, spatial_scale=1.0):
    """The largest elements of parts of regions: (regions, channels, height, width). Waits.

    Boxes are rows of (picture, left, top, right, bottom), or a list with the boxes of each picture.
    """
    height, width = (output_size,) * 2 if isinstance(output_size, int) else output_size
    regions = [
        _pooled(input[picture], corners, height, width, spatial_scale)
        for picture, corners in _regions(boxes)
    ]
    if not regions:
        return zeros((0, input.shape[1], height, width), dtype=input.dtype)
    return stack(regions)


def _regions(boxes):
    """The number of the picture and the corners of each region."""
    if isinstance(boxes, (list, tuple)):
        return [(number, row) for number, one in enumerate(boxes) for row in one.tolist()]
    if boxes.ndim != 2 or boxes.shape[1] != 5:
        raise RuntimeError(f"roi_pool: boxes should be of 5 columns, not {list(boxes.shape)}")
    return [(int(row[0]), row[1:]) for row in boxes.tolist()]


def _pooled(picture, corners, height, width, scale):
    left, top, right, bottom = (rounded(corner * scale) for corner in corners)
    rows = parts(top, bottom, height, picture.shape[1])
    columns = parts(left, right, width, picture.shape[2])
    cells = [_largest(picture[:, row, column]) for row in rows for column in columns]
    return stack(cells, 1).reshape(picture.shape[0], height, width)


def _largest(cell):
    if 0 in cell.shape[1:]:
        return zeros(cell.shape[0], dtype=cell.dtype)
    return cell.amax((1, 2))


__getattr__ = _missing.missing("torchvision.ops")
