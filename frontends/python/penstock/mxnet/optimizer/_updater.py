"""What applies an optimiser to parameters that go by an index, and keeps their states."""

from .._nd_array import NDArray
from .._pickles import Pickled
from . import _states
from ._optimizer import ListOptimizer


class Updater(Pickled):
    """Updates parameters: index, gradient and weight are given, one or a list of each."""

    __module__ = "mxnet.optimizer.optimizer"

    def __init__(self, optimizer):
        self.optimizer = optimizer
        self.states = {}
        self.states_synced = {}  # whether the state is in the context of its parameter, by index
        self._all_synced = True
        self.aggregate_updates = optimizer.aggregate_num > 0

    def __call__(self, index, grad, weight):
        """Changes the parameters by their gradients. Does not wait."""
        if not isinstance(index, (list, tuple)):
            index, grad, weight = (index,), (grad,), (weight,)
        if not index:
            return
        states = self._states_of(index, weight)
        optimizer = self.optimizer
        lists = optimizer.takes_lists() if isinstance(optimizer, ListOptimizer) else None
        if lists:
            optimizer.update_multi_precision(index, weight, grad, states)
            return
        weight = [one.as_nd_ndarray() for one in weight]
        grad = [one.as_nd_ndarray() for one in grad]
        if lists is None and self.aggregate_updates:
            self._update_groups(index, weight, grad, states)
        else:
            for one in zip(index, weight, grad, states):
                optimizer.update_multi_precision(*one)

    def _states_of(self, index, weight):
        """The states of parameters, which are made when they are first asked for."""
        states = self.states
        if self._all_synced:
            try:
                return [states[one] for one in index]
            except KeyError:
                pass
        for one, array in zip(index, weight):
            if one not in states:
                state = self.optimizer.create_state_multi_precision(one, array.as_nd_ndarray())
                states[one] = state
                self.states_synced[one] = True
            elif not self.states_synced.get(one):
                states[one] = self.sync_state_context(states[one], array.context)
                self.states_synced[one] = True
        self._all_synced = all(self.states_synced.values())
        return [states[one] for one in index]

    def _update_groups(self, index, weight, grad, states):
        """For a program's own optimiser of lists: parameters of one type, so many at a time."""
        groups = {}
        for one in zip(index, weight, grad, states):
            groups.setdefault(one[1].dtype, []).append(one)
        size = self.optimizer.aggregate_num
        for group in groups.values():
            for start in range(0, len(group), size):
                lists = map(list, zip(*group[start : start + size]))
                self.optimizer.update_multi_precision(*lists)

    def sync_state_context(self, state, context):
        """The state with its arrays in a context."""
        if isinstance(state, NDArray):
            return state.as_in_context(context)
        if isinstance(state, (tuple, list)):
            return type(state)(self.sync_state_context(one, context) for one in state)
        return state

    def set_states(self, states):
        """Goes on from what get_states gave, here or in MXNet."""
        loaded = _states.loads(states)
        if isinstance(loaded, tuple) and len(loaded) == 2:
            self.states, self.optimizer = loaded
        else:
            self.states = loaded
        self.states_synced = dict.fromkeys(self.states, False)
        self._all_synced = False

    def get_states(self, dump_optimizer=False):
        """The states as bytes, in MXNet's form; with dump_optimizer the optimiser too. Waits."""
        return _states.dumps((self.states, self.optimizer) if dump_optimizer else self.states)


def get_updater(optimizer):
    """What applies an optimiser to parameters."""
    return Updater(optimizer)
