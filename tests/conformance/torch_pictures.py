"""Pictures of other sizes, and turned ones: what torchvision has PyTorch compute for tensors.

record_torch_pictures.py recorded what the real PyTorch 2.15.0 computes.
"""

import math

# Mode, whether it is smoothed, height and width before and after.
SIZES = [
    (mode, smooth, *sizes)
    for mode, smooth in (
        ("nearest", False),
        ("nearest-exact", False),
        ("bilinear", False),
        ("bilinear", True),
        ("bicubic", False),
        ("bicubic", True),
    )
    for sizes in ((5, 7, 3, 4), (5, 7, 9, 10), (12, 10, 5, 3), (6, 6, 1, 13), (4, 5, 4, 2))
]
# Mode, degrees, height and width, and the point that stays.
TURNS = [
    (mode, angle, *shape, center)
    for mode in ("nearest", "bilinear")
    for angle, shape, center in (
        (33.0, (5, 7), None),
        (-45.0, (6, 6), None),
        (10.0, (4, 5), (0.0, 0.0)),
        (200.0, (5, 4), (1.5, 3.0)),
    )
]


def picture(height, width):
    """Two channels of numbers that are not alike."""
    return [
        [
            [round(math.sin(1 + channel + 0.7 * row * row + 1.3 * column), 4) for column in range(width)]
            for row in range(height)
        ]
        for channel in range(2)
    ]
