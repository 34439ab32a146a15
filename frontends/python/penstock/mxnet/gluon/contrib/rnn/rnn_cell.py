"""Cells with the same dropout at all steps, and with a projection."""

from ..... import _core
from ...rnn._cells import GatedCell, known_or_none, linear, stepped
from ...rnn.rnn_cell import BidirectionalCell, ModifierCell

__all__ = ["VariationalDropoutCell", "LSTMPCell"]

_MODULE = "mxnet.gluon.contrib.rnn.rnn_cell"
_ops = _core._ops
_is_training = _core._grad_is_training


class VariationalDropoutCell(ModifierCell):
    """In training, the same elements of inputs, states and outputs are 0 at all steps.

    reset() begins a new sequence; unroll calls it.
    """

    __module__ = _MODULE

    def __init__(self, base_cell, drop_inputs=0.0, drop_states=0.0, drop_outputs=0.0):
        if drop_states and isinstance(base_cell, BidirectionalCell):
            raise AssertionError(
                "drop_states cannot be for a BidirectionalCell: wrap each of its two cells in a "
                "VariationalDropoutCell"
            )
        super().__init__(base_cell)
        self.drop_inputs = drop_inputs
        self.drop_states = drop_states
        self.drop_outputs = drop_outputs

    def __repr__(self):
        rates = f"p_out = {self.drop_outputs}, p_state = {self.drop_states}"
        return f"{type(self).__name__}({rates})"

    def _alias(self):
        return "vardrop"

    def reset(self):
        """To be called before a new sequence: other elements are dropped."""
        super().reset()
        self._masks = {}

    def _dropped(self, what, x, rate):
        """x without the elements that are dropped in this sequence."""
        if not rate or not _is_training():
            return x
        mask = self._masks.get(what)
        if mask is None:
            mask = _ops["dropout"](_ops["ones"](x.shape, device=x.device), rate)
            mask = self._masks[what] = mask.as_subclass(type(x)).astype(x.dtype)
        return x * mask

    def hybrid_forward(self, F, inputs, states):
        if self.drop_states:
            states = [self._dropped("states", states[0], self.drop_states), *states[1:]]
        inputs = self._dropped("inputs", inputs, self.drop_inputs)
        output, states = self.base_cell(inputs, states)
        return self._dropped("outputs", output, self.drop_outputs), states


def dynamic_unroll(
    cell, inputs, begin_state, drop_inputs=0, drop_outputs=0, layout="TNC", valid_length=None
):
    """All steps of a cell over inputs that are one array: outputs, as one array, and last states.

    In training, elements of inputs and outputs are dropped, the same ones at all steps.
    """
    axis = layout.find("T")
    inputs = _dropped_along(inputs, drop_inputs, axis)
    length = inputs.shape[axis]
    settings = {"layout": layout, "merge_outputs": True, "valid_length": valid_length}
    outputs, states = cell.unroll(length, inputs, begin_state, **settings)
    return _dropped_along(outputs, drop_outputs, axis), states


dynamic_unroll.__module__ = _MODULE


def _dropped_along(x, rate, axis):
    return _ops["dropout"](x, rate, (axis,)) if rate and _is_training() else x


class LSTMPCell(GatedCell):
    """An LSTM whose hidden state, which is the output, is projected to fewer elements."""

    __module__ = _MODULE
    _gates = 4

    def __init__(
        self,
        hidden_size,
        projection_size,
        i2h_weight_initializer=None,
        h2h_weight_initializer=None,
        h2r_weight_initializer=None,
        i2h_bias_initializer="zeros",
        h2h_bias_initializer="zeros",
        input_size=0,
        prefix=None,
        params=None,
    ):
        self._projection_size = projection_size
        super().__init__(
            hidden_size,
            input_size,
            prefix,
            params,
            i2h_weight=i2h_weight_initializer,
            h2h_weight=h2h_weight_initializer,
            h2r_weight=h2r_weight_initializer,
            i2h_bias=i2h_bias_initializer,
            h2h_bias=h2h_bias_initializer,
        )

    def _shape_of(self, name):
        if name == "h2r_weight":
            return (self._projection_size, self._hidden_size)
        rows = self._gates * self._hidden_size
        return (rows, self._projection_size) if name == "h2h_weight" else super()._shape_of(name)

    def _alias(self):
        return "lstmp"

    def __repr__(self):
        rows, columns = self.i2h_weight.shape
        mapping = f"{known_or_none(columns)} -> {rows} -> {self._projection_size}"
        return f"{type(self).__name__}({mapping})"

    def state_info(self, batch_size=0):
        """Shape and layout of the projected state and of the cell."""
        sizes = self._projection_size, self._hidden_size
        return [{"shape": (batch_size, size), "__layout__": "NC"} for size in sizes]

    def hybrid_forward(
        self, F, inputs, states, i2h_weight, h2h_weight, h2r_weight, i2h_bias, h2h_bias
    ):
        state, cell = states
        gates = linear(inputs, i2h_weight, i2h_bias) + linear(state, h2h_weight, h2h_bias)
        hidden, cell = stepped(gates, cell, "tanh", "sigmoid")
        state = linear(hidden, h2r_weight)
        return state, [state, cell]
