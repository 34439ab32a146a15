"""Texts of tensors, which the library writes, and set_printoptions."""

from .. import _core
from ._dialect import default_dtype
from ._dtypes import ALL

_DEFAULT = {"precision": 4, "threshold": 1000, "edgeitems": 3, "linewidth": 80, "sci_mode": None}
_options = dict(_DEFAULT)
_PROFILES = {
    "default": {},
    "short": {"precision": 2, "edgeitems": 2},
    "full": {"threshold": float("inf")},
}

# Types that no suffix names.
_UNNAMED = {ALL["int64"], ALL["bool"]}


def set_printoptions(
    precision=None, threshold=None, edgeitems=None, linewidth=None, profile=None, sci_mode=None
):
    """How tensors are written from now on.

    >>> from penstock import torch
    >>> torch.set_printoptions(precision=2)
    >>> torch.tensor([1 / 3, 1.0])
    tensor([0.33, 1.00])
    >>> torch.set_printoptions(profile='default')
    """
    if profile is not None:
        if profile not in _PROFILES:
            raise ValueError(f"set_printoptions: there is no profile {profile!r}")
        _options.update({**_DEFAULT, **_PROFILES[profile]})
    given = {
        "precision": precision,
        "threshold": threshold,
        "edgeitems": edgeitems,
        "linewidth": linewidth,
    }
    _options.update((name, value) for name, value in given.items() if value is not None)
    _options["sci_mode"] = sci_mode


def get_printoptions():
    """How tensors are written."""
    return dict(_options)


def text_of(tensor):
    """What repr and str give. Waits."""
    threshold = _options["threshold"]
    return _core._format(
        tensor,
        "torch",
        precision=_options["precision"],
        threshold=2**62 if threshold == float("inf") else int(threshold),
        edge=_options["edgeitems"],
        width=_options["linewidth"],
        scientific=_options["sci_mode"],
        prefix="tensor(",
        suffixes=_suffixes(tensor),
    )


def _suffixes(tensor):
    one, parts = tensor.dtype, []
    if tensor.device.type != "cpu":
        parts.append(f"device='{tensor.device}'")
    if tensor.numel() == 0:
        if tensor.ndim != 1:
            parts.append(f"size={tuple(tensor.shape)}")
        if one is not default_dtype():
            parts.append(f"dtype={one}")
    elif one not in _UNNAMED and one is not default_dtype() and one is not _default_complex():
        parts.append(f"dtype={one}")
    flows, leaf, name = _core._grad_info(tensor)
    if flows:
        from .autograd._leaf import shown_name

        parts.append("requires_grad=True" if leaf else f"grad_fn=<{shown_name(name)}>")
    return "\n".join(parts) or None


def _default_complex():
    return ALL["complex128" if default_dtype() is ALL["float64"] else "complex64"]
