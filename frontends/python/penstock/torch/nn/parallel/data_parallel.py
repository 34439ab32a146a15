"""A module that is called as if it ran on several devices."""

from ... import _missing
from ..modules.module import Module
from .scatter_gather import _named, scatter

__all__ = ["DataParallel", "data_parallel"]


class DataParallel(Module):
    """Calls a module, on the device that it is on; a batch is not cut into parts.

    Of device_ids the first one counts: if it is a GPU, inputs are moved there. Results are those of
    several devices, for batches that need no more memory than one has.
    """

    def __init__(self, module, device_ids=None, output_device=None, dim=0):
        super().__init__()
        self.module, self.dim = module, dim
        devices = [_named(one) for one in device_ids or ()]
        gpus = [one for one in devices if one.type == "cuda"]
        self.device_ids = [one.index or 0 for one in gpus]
        self.output_device = self.device_ids[0] if self.device_ids else None
        if output_device is not None and gpus:
            self.output_device = _named(output_device).index or 0

    def forward(self, *inputs, **kwargs):
        if self.device_ids:
            first = [self.device_ids[0]]
            inputs = scatter(inputs, first, self.dim)[0] if inputs else inputs
            kwargs = scatter(kwargs, first, self.dim)[0] if kwargs else kwargs
        return self.module(*inputs, **kwargs)


def data_parallel(
    module, inputs, device_ids=None, output_device=None, dim=0, module_kwargs=None
):
    """What the module gives for inputs, by DataParallel."""
    inputs = inputs if isinstance(inputs, tuple) else (inputs,)
    made = DataParallel(module, device_ids, output_device, dim)
    return made(*inputs, **(module_kwargs or {}))


__getattr__ = _missing.missing("torch.nn.parallel.data_parallel")
