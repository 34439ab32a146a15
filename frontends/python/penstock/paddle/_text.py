"""Texts of tensors, which the library writes, and set_printoptions."""

from .. import _core

_options = {
    "precision": 8,
    "threshold": 1000,
    "edgeitems": 3,
    "linewidth": 80,
    "sci_mode": False,
}


def set_printoptions(
    precision=None, threshold=None, edgeitems=None, sci_mode=None, linewidth=None
):
    """How tensors are written from now on.

    >>> from penstock import paddle
    >>> paddle.set_printoptions(precision=2)
    >>> paddle.to_tensor([1 / 3, 1.0])
    Tensor(shape=[2], dtype=float32, place=Place(cpu), stop_gradient=True,
           [0.33, 1.  ])
    >>> paddle.set_printoptions(precision=8)
    """
    given = {
        "precision": precision,
        "threshold": threshold,
        "edgeitems": edgeitems,
        "sci_mode": sci_mode,
        "linewidth": linewidth,
    }
    _options.update((name, value) for name, value in given.items() if value is not None)


def text_of(tensor):
    """What repr and str give. Waits."""
    shape = ", ".join(map(str, tensor.shape))
    return _core._format(
        tensor,
        "paddle",
        precision=_options["precision"],
        threshold=int(_options["threshold"]),
        edge=_options["edgeitems"],
        width=_options["linewidth"],
        scientific=bool(_options["sci_mode"]),
        prefix=(
            f"Tensor(shape=[{shape}], dtype={tensor.dtype._name}, place={tensor.place}, "
            f"stop_gradient={tensor.stop_gradient},\n       "
        ),
    )
