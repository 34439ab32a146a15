"""The classes of results with names: torch.return_types.max and others."""

from . import _order

globals().update(_order.RETURN_TYPES)
