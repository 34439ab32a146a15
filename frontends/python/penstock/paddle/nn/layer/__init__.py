"""Layers by kind."""

from .layers import Layer

__all__ = ["Layer"]
