"""Functions that NumPy computes on the host: they wait for their tensors, and record nothing."""

from .autograd._modes import is_grad_enabled


def array_of(name, input):
    """The elements as a NumPy array; raises where a gradient would be asked for. Waits."""
    if input.requires_grad and is_grad_enabled():
        raise NotImplementedError(
            f"{name}: it is computed on the host, and no gradient flows back through it; give it a "
            "tensor that is detached, or call it under torch.no_grad()"
        )
    return input.detach().numpy()


def tensor_of(array, like):
    """A tensor of what NumPy gave, on the device of another tensor."""
    import numpy

    from ._create import from_numpy

    return from_numpy(numpy.array(array)).to(like.device)
