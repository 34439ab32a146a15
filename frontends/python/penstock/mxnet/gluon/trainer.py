"""mx.gluon.trainer: steps of training."""

import os

from .. import optimizer as _optimizers
from .._missing import missing
from .._unbuilt import raise_not_built
from ..kvstore import KVStore, KVStoreBase, create, total, write
from .parameter import Parameter, ParameterDict, changes

__all__ = ["Trainer"]


class Trainer:
    """Changes parameters by their gradients, in steps.

    In one context a step is one call of the optimiser for all parameters. In several, gradients are
    added up by a kvstore first, which also keeps the parameters and updates them unless
    update_on_kvstore is False.
    """

    __module__ = "mxnet.gluon.trainer"

    def __init__(
        self,
        params,
        optimizer,
        optimizer_params=None,
        kvstore="device",
        compression_params=None,
        update_on_kvstore=None,
    ):
        self._params = _listed(params)
        for param in self._params:
            param._set_trainer(self)
        if kvstore is not None and not isinstance(kvstore, (str, KVStoreBase)):
            raise TypeError(f"kvstore must be a KVStore, its name or None, not {kvstore!r}")
        self._wanted = (kvstore, compression_params, update_on_kvstore)
        self._contexts = self._check_contexts()
        optimizer_params = optimizer_params or {}
        self._scale = float(optimizer_params.get("rescale_grad", 1.0))
        self._optimizer = self._made(optimizer, optimizer_params)
        self._updaters = [_optimizers.get_updater(self._optimizer) for _ in self._contexts]
        self._mark = None  # what `changes` said when the lists below were made
        self._lists = None
        self._reset_kvstore()

    def _made(self, optimizer, optimizer_params):
        param_dict = dict(enumerate(self._params))
        if not isinstance(optimizer, _optimizers.Optimizer):
            return _optimizers.create(optimizer, param_dict=param_dict, **optimizer_params)
        if optimizer_params:
            raise AssertionError(
                "optimizer_params are for optimizers by name; this one is made already"
            )
        optimizer.param_dict = param_dict
        return optimizer

    def _check_contexts(self):
        """The contexts of the parameters, which are the same for all."""
        contexts = None
        for param in self._params:
            ctx = param.list_ctx()
            if contexts is not None and contexts != ctx:
                raise AssertionError(
                    f"Parameter {param.name} is on {ctx}, and those before it on {contexts}: a "
                    "Trainer needs all of its parameters on the same ones"
                )
            contexts = ctx
        return list(contexts)

    # ---- The optimiser ------------------------------------------------------------------------

    @property
    def optimizer(self):
        """The optimiser."""
        return self._optimizer

    @property
    def learning_rate(self):
        """The learning rate now."""
        return self._optimizer.learning_rate

    def set_learning_rate(self, lr):
        """A new learning rate; not beside a scheduler."""
        self._optimizer.set_learning_rate(lr)

    # ---- The store ----------------------------------------------------------------------------

    def _reset_kvstore(self):
        """The store is made at the next step."""
        self._kvstore = None
        self._update_on_kvstore = False
        self._kv_initialized = False
        self._stored = set()  # numbers of the parameters that the store has

    def _init_kvstore(self):
        kvstore, compression, on_kvstore = self._wanted
        if isinstance(kvstore, str) and kvstore:
            alone = len(self._contexts) == 1 and "dist" not in kvstore
            kvstore = None if alone else create(kvstore)
        if compression is not None and kvstore is not None:
            raise_not_built("mxnet.gluon.Trainer(compression_params=...)")
        self._kvstore = kvstore or None
        if on_kvstore and self._kvstore is None:
            raise ValueError(
                "update_on_kvstore=True needs a kvstore: for one context there is none by name"
            )
        if on_kvstore is None:
            on_kvstore = self._kvstore is not None and _by_environment()
        if on_kvstore and not self._kvstore.is_capable(KVStoreBase.OPTIMIZER):
            if self._wanted[2]:
                raise ValueError(f"a kvstore of type {self._kvstore.type} has no optimizer")
            on_kvstore = False
        if on_kvstore:
            self._kvstore.set_optimizer(self._optimizer)
        self._update_on_kvstore = bool(on_kvstore)
        self._kv_initialized = True

    def _init_params(self):
        """Has the store begin with the parameters that it does not have yet."""
        for number, param in enumerate(self._params):
            if number not in self._stored and param._plan is None:
                self._kvstore.broadcast(number, param.list_data()[0], param.list_data())
                self._stored.add(number)

    def _was_set(self, param):
        """A parameter was written to otherwise: a store that updates it begins anew."""
        if self._update_on_kvstore:
            if isinstance(self._wanted[0], str):
                self._reset_kvstore()
                return
            for number in self._stored:  # the program's own store goes on
                if self._params[number] is param:
                    write(param.list_data()[0], [self._kvstore._arrays[number]])

    # ---- Steps --------------------------------------------------------------------------------

    def step(self, batch_size, ignore_stale_grad=False):
        """Changes the parameters by their gradients, divided by batch_size. Does not wait.

        A gradient that no backward has written since the last step raises a UserWarning, or, with
        ignore_stale_grad=True, its parameter stays as it is.
        """
        self._optimizer.rescale_grad = self._scale / batch_size
        if not self._kv_initialized:
            self._init_kvstore()
        if self._kvstore is not None:
            self._allreduce_grads()
        if not self._update_on_kvstore:
            self._update(ignore_stale_grad)

    def allreduce_grads(self):
        """Adds up the gradients of all contexts; `update` then does what is left of a step."""
        self._begin("allreduce_grads")
        if self._kvstore is not None:
            self._allreduce_grads()

    def update(self, batch_size, ignore_stale_grad=False):
        """Changes the parameters by gradients that allreduce_grads has added up."""
        self._begin("update")
        self._optimizer.rescale_grad = self._scale / batch_size
        self._update(ignore_stale_grad)

    def _begin(self, name):
        if not self._kv_initialized:
            self._init_kvstore()
        if self._update_on_kvstore:
            raise AssertionError(
                f"{name}() is not for a trainer whose kvstore updates the parameters: give it "
                "update_on_kvstore=False"
            )

    def _allreduce_grads(self):
        self._init_params()
        trained = [
            (number, param)
            for number, param in enumerate(self._params)
            if param.grad_req != "null"
        ]
        numbers = [number for number, _ in trained]
        grads = [param.list_grad() for _, param in trained]
        if self._update_on_kvstore:
            self._kvstore.pushpull(numbers, grads, out=[param.list_data() for _, param in trained])
        elif isinstance(self._kvstore, KVStore):
            for one in grads:
                write(total(one), one)
        else:
            for number, one in zip(numbers, grads):
                self._kvstore.pushpull(number, one)

    def _update(self, ignore_stale_grad=False):
        if self._mark is not changes.mark:
            self._make_lists()
        lists = self._lists
        for numbers, grads, weights, fresh in lists:
            if not all(fresh):
                lists = self._without_stale(ignore_stale_grad)
                break
        several = len(lists) > 1
        for updater, ctx, (numbers, grads, weights, fresh) in zip(
            self._updaters, self._contexts, lists
        ):
            for one in fresh:
                one.clear()
            if several:
                self._optimizer._set_current_context(ctx.device_id)
            if numbers:
                updater(numbers, grads, weights)

    def _make_lists(self):
        """For each context: numbers, gradients and arrays of parameters that are trained."""
        mark = changes.mark
        contexts = self._check_contexts()
        while len(self._updaters) < len(contexts):
            self._updaters.append(_optimizers.get_updater(self._optimizer))
        self._contexts = contexts
        trained = [
            (number, param)
            for number, param in enumerate(self._params)
            if param.grad_req != "null" and param._checked(param._arrays)
        ]
        self._lists = []
        for place in range(len(contexts)):
            columns = [[], [], [], []]
            for number, param in trained:
                row = (number, *(list(one.values())[place] for one in param._gradient_parts()))
                for column, value in zip(columns, row):
                    column.append(value)
            self._lists.append(columns)
        self._mark = mark

    def _without_stale(self, ignore):
        """The lists without gradients that are stale; raises unless they are to be ignored."""
        kept = []
        for ctx, columns in zip(self._contexts, self._lists):
            rows = list(zip(*columns))
            for number, _, _, fresh in rows:
                if not fresh and not ignore:
                    raise UserWarning(
                        f"Parameter `{self._params[number].name}` has no new gradient on {ctx} "
                        "after the step before: no backward() reached it, as what was computed did "
                        "not use it. If that is intended, ignore_stale_grad=True leaves it "
                        "as it is."
                    )
            rows = [row for row in rows if row[3]]
            kept.append([list(column) for column in zip(*rows)] if rows else [[], [], [], []])
        return kept

    # ---- States -------------------------------------------------------------------------------

    def save_states(self, fname):
        """Writes the optimiser and its states to a file. Waits for them."""
        if not self._kv_initialized:
            self._init_kvstore()
        if self._update_on_kvstore:
            self._init_params()
            self._kvstore.save_optimizer_states(fname, dump_optimizer=True)
            return
        with open(fname, "wb") as file:
            file.write(self._updaters[0].get_states(dump_optimizer=True))

    def load_states(self, fname):
        """Goes on from what save_states wrote."""
        if not self._kv_initialized:
            self._init_kvstore()
        if self._update_on_kvstore:
            self._kvstore.load_optimizer_states(fname)
            self._optimizer = self._kvstore._updater.optimizer
        else:
            with open(fname, "rb") as file:
                states = file.read()
            for updater in self._updaters:
                updater.set_states(states)
                updater.optimizer = self._updaters[0].optimizer
            self._optimizer = self._updaters[0].optimizer
        self._optimizer.param_dict = dict(enumerate(self._params))


def _listed(params):
    """Parameters in a list: those of a dict in the order of their names."""
    if isinstance(params, (dict, ParameterDict)):
        params = [params[name] for name in sorted(params.keys())]
    if not isinstance(params, (list, tuple)):
        raise ValueError(
            f"params must be Parameters in a list or dict, not {type(params)}"
        )
    for param in params:
        if not isinstance(param, Parameter):
            raise ValueError(
                f"params must be Parameters in a list or dict, and one is {type(param)}"
            )
    if not params:
        raise TypeError("params is empty: there is nothing to train")
    return list(params)


def _by_environment():
    """Whether stores update parameters, unless the program says."""
    return os.environ.get("MXNET_UPDATE_ON_KVSTORE", "1") != "0"


__getattr__ = missing("mxnet.gluon.trainer")
