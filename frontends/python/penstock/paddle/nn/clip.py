"""Gradients that are cut before a step."""

from .._dialect import row

__all__ = ["ClipGradByGlobalNorm", "ClipGradByNorm", "ClipGradByValue"]

_sum, _square = row("sum", "sum", "x"), row("square", "square", "x")
_sqrt, _stack = row("sqrt", "sqrt", "x"), row("stack", "stack", "x:tensors, axis=0")
_clip = row("clip", "clip", "x, min=None, max=None")
_maximum = row("maximum", "maximum", "x:x1, y:x2")


class _Clip:
    """What an optimiser takes as grad_clip: gives pairs of parameters and gradients."""

    def __call__(self, params_grads):
        found = [
            (param, gradient)
            for param, gradient in params_grads
            if gradient is not None and getattr(param, "need_clip", True)
        ]
        cut = dict(zip((id(param) for param, _ in found), self._cut([g for _, g in found])))
        return [(param, cut.get(id(param), gradient)) for param, gradient in params_grads]

    def _cut(self, gradients):
        raise NotImplementedError


class ClipGradByValue(_Clip):
    """No element of a gradient is above max or below min, which is -max unless given."""

    def __init__(self, max, min=None):
        if min is None:
            if max <= 0:
                raise AssertionError(f"max should be above 0 where min is not given, not {max}")
            min = -max
        self.max, self.min = float(max), float(min)

    def _cut(self, gradients):
        return [_clip(one, self.min, self.max) for one in gradients]

    def __str__(self):
        return f"Clip Gradient By Value, min = {self.min}, max={self.max}"


class ClipGradByNorm(_Clip):
    """No gradient has a norm above a number."""

    def __init__(self, clip_norm):
        self.clip_norm = float(clip_norm)

    def _cut(self, gradients):
        return [self._one(one) for one in gradients]

    def _one(self, gradient):
        norm = _sqrt(_sum(_square(gradient)))
        return gradient * (self.clip_norm / _maximum(norm, self.clip_norm))

    def __str__(self):
        return f"Gradient Clip By Norm, clip_norm={self.clip_norm}"


class ClipGradByGlobalNorm(_Clip):
    """All gradients together have a norm of at most a number."""

    def __init__(self, clip_norm, group_name="default_group", auto_skip_clip=False):
        self.clip_norm, self.group_name = float(clip_norm), group_name

    def _cut(self, gradients):
        if not gradients:
            return []
        norm = _sqrt(_sum(_stack([_sum(_square(one)) for one in gradients])))
        factor = self.clip_norm / _maximum(norm, self.clip_norm)
        return [one * factor for one in gradients]

    def __str__(self):
        return f"Gradient Clip By GlobalNorm, global_norm={self.clip_norm}"
