"""mx.gluon.rnn.rnn_cell: cells, each of which makes one step."""

from ._cells import GRUCell, HybridRecurrentCell, LSTMCell, RecurrentCell, RNNCell
from ._modifiers import DropoutCell, ModifierCell, ResidualCell, ZoneoutCell
from ._stacks import BidirectionalCell, HybridSequentialRNNCell, SequentialRNNCell

__all__ = [
    "RecurrentCell",
    "HybridRecurrentCell",
    "RNNCell",
    "LSTMCell",
    "GRUCell",
    "SequentialRNNCell",
    "HybridSequentialRNNCell",
    "DropoutCell",
    "ModifierCell",
    "ZoneoutCell",
    "ResidualCell",
    "BidirectionalCell",
]
