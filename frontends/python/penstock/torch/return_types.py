"""The classes of results with names: torch.return_types.max and others."""

from . import _linear, _order, _statistics  # noqa: F401

globals().update(_order.RETURN_TYPES)
