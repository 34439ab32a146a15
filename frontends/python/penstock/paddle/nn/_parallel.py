"""paddle.DataParallel: a model of one process, which has all of the batch."""

from .layer.layers import Layer

__all__ = ["DataParallel"]


class DataParallel(Layer):
    """Calls a layer; gradients of several processes are not here, as there is one."""

    def __init__(
        self,
        layers,
        strategy=None,
        comm_buffer_size=25,
        last_comm_buffer_size=1,
        find_unused_parameters=False,
        group=None,
    ):
        super().__init__(layers.full_name() + "_data_parallel")
        self._layers = layers
        self.find_unused_parameters = find_unused_parameters

    def forward(self, *inputs, **kwargs):
        return self._layers(*inputs, **kwargs)

    def scale_loss(self, loss):
        """The loss itself."""
        return loss

    def apply_collective_grads(self):
        """Nothing: there is one process."""

    def state_dict(self, *args, **kwargs):
        """The state of the layer."""
        return self._layers.state_dict(*args, **kwargs)

    def set_state_dict(self, state_dict, use_structured_name=True):
        """Write a state into the layer."""
        return self._layers.set_state_dict(state_dict, use_structured_name)

    set_dict = load_dict = set_state_dict
