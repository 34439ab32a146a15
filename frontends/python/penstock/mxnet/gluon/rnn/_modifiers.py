"""Cells that change what other cells get or give."""

from .... import _core
from . import _sequences
from ._cells import _MODULE, HybridRecurrentCell
from ._stacks import BidirectionalCell

_ops = _core._ops
_dropout, _where = _ops["dropout"], _ops["where"]
_is_training = _core._grad_is_training


class DropoutCell(HybridRecurrentCell):
    """In training, elements of the input are 0 with a probability; there are no states."""

    __module__ = _MODULE

    def __init__(self, rate, axes=(), prefix=None, params=None):
        super().__init__(prefix=prefix, params=params)
        if not isinstance(rate, (int, float)):
            raise AssertionError(f"rate must be a number, not {rate!r}")
        self._rate = rate
        self._axes = axes

    def __repr__(self):
        return f"{type(self).__name__}(rate={self._rate}, axes={self._axes})"

    def _alias(self):
        return "dropout"

    def state_info(self, batch_size=0):
        """There are no states."""
        return []

    def hybrid_forward(self, F, inputs, states):
        if self._rate > 0 and _is_training():
            inputs = _dropout(inputs, self._rate, self._axes or None)
        return inputs, states

    def unroll(
        self,
        length,
        inputs,
        begin_state=None,
        layout="NTC",
        merge_outputs=None,
        valid_length=None,
    ):
        """The same of a whole sequence, at once if it is one array."""
        self.reset()
        if merge_outputs is not None:
            inputs = _sequences.formatted(length, inputs, layout, merge_outputs)
        if _sequences.is_array(inputs):
            return self.hybrid_forward(None, inputs, [])
        return super().unroll(length, inputs, [], layout, merge_outputs)


class ModifierCell(HybridRecurrentCell):
    """A cell around another one, whose parameters and states are its own."""

    __module__ = _MODULE

    def __init__(self, base_cell):
        if base_cell._modified:
            raise AssertionError(
                f"cell {base_cell.name} is inside of another modifier already"
            )
        base_cell._modified = True
        super().__init__(prefix=base_cell.prefix + self._alias(), params=None)
        self.base_cell = base_cell

    def __repr__(self):
        return f"{type(self).__name__}({self.base_cell!r})"

    @property
    def params(self):
        """The parameters of the cell inside."""
        return self.base_cell.params

    def state_info(self, batch_size=0):
        """Shape and layout of each state of the cell inside."""
        return self.base_cell.state_info(batch_size)

    def begin_state(self, func=None, **kwargs):
        """The states that the cell inside begins with."""
        self._check_not_modified()
        return self._unmodified(self.base_cell.begin_state, func=func, **kwargs)

    def _unmodified(self, call, *args, **kwargs):
        """A call of the cell inside as if it were not modified."""
        self.base_cell._modified = False
        try:
            return call(*args, **kwargs)
        finally:
            self.base_cell._modified = True

    def hybrid_forward(self, F, inputs, states):
        raise NotImplementedError(f"{type(self).__name__} does not define hybrid_forward")


class ZoneoutCell(ModifierCell):
    """In training, elements of outputs and states keep with a probability what they were."""

    __module__ = _MODULE

    def __init__(self, base_cell, zoneout_outputs=0.0, zoneout_states=0.0):
        if isinstance(base_cell, BidirectionalCell):
            raise AssertionError(
                "zoneout goes step by step, which a BidirectionalCell cannot: wrap each of its two "
                "cells in a ZoneoutCell"
            )
        super().__init__(base_cell)
        self.zoneout_outputs = zoneout_outputs
        self.zoneout_states = zoneout_states
        self._prev_output = None

    def __repr__(self):
        rates = f"p_out={self.zoneout_outputs}, p_state={self.zoneout_states}"
        return f"{type(self).__name__}({rates}, {self.base_cell!r})"

    def _alias(self):
        return "zoneout"

    def reset(self):
        """To be called before a new sequence."""
        super().reset()
        self._prev_output = None

    def hybrid_forward(self, F, inputs, states):
        output, after = self.base_cell(inputs, states)
        if _is_training():
            output = _kept(self._prev_output, output, self.zoneout_outputs)
            rate = self.zoneout_states
            after = [_kept(was, now, rate) for was, now in zip(states, after, strict=True)]
        self._prev_output = output
        return output, after


def _kept(was, now, rate):
    """The new elements, or with a probability the old ones; these are 0 at first."""
    if rate == 0:
        return now
    new = _ops["random_bernoulli"](now.shape, 1 - rate)
    return _where(new, now, 0.0 if was is None else was)


class ResidualCell(ModifierCell):
    """The output of the cell inside plus its input."""

    __module__ = _MODULE

    def __init__(self, base_cell):
        super().__init__(base_cell)

    def hybrid_forward(self, F, inputs, states):
        output, states = self.base_cell(inputs, states)
        return output + inputs, states

    def unroll(
        self,
        length,
        inputs,
        begin_state=None,
        layout="NTC",
        merge_outputs=None,
        valid_length=None,
    ):
        """So many steps of the cell inside, plus their inputs."""
        self.reset()
        settings = {"layout": layout, "merge_outputs": merge_outputs, "valid_length": valid_length}
        outputs, states = self._unmodified(
            self.base_cell.unroll, length, inputs, begin_state, **settings
        )
        merge = _sequences.is_array(outputs)
        if valid_length is not None:
            axis = _sequences.time_axis(layout)
            inputs = _sequences.masked(_sequences.merged(inputs, layout), valid_length, axis)
        inputs = _sequences.formatted(length, inputs, layout, merge)
        if merge:
            return outputs + inputs, states
        return [one + other for one, other in zip(outputs, inputs, strict=True)], states
