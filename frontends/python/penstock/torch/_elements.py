"""Functions of elements: those of several modules, in one place."""

from .._common.namespaces import bring
from . import _binary, _choice, _unary

__all__ = bring(globals(), _unary, _binary, _choice)
