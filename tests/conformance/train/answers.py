"""Runs cases: what a library answers, as numbers that can be written to a file."""

import importlib
import pkgutil

import numpy

from . import families


def family_names():
    return sorted(module.name for module in pkgutil.iter_modules(families.__path__))


def cases_of(family):
    cases = importlib.import_module(f"train.families.{family}").cases()
    names = [case.name for case in cases]
    assert len(set(names)) == len(names), f"{family}: two cases have one name"
    return cases


def packed(array):
    array = numpy.asarray(array)
    return {"dtype": str(array.dtype), "shape": list(array.shape), "data": array.ravel().tolist()}


def unpacked(record):
    return numpy.array(record["data"], record["dtype"]).reshape(record["shape"])


def of_torch(case):
    """PyTorch's answer, by name."""
    import torch

    results = case.theirs(torch, {k: torch.from_numpy(v.copy()) for k, v in case.inputs.items()})
    return {name: value.detach().numpy() for name, value in results.items()}


def of_ours(case, inputs):
    """Ours to the inputs, by name."""
    import penstock

    arrays = {k: penstock.array(v) for k, v in inputs.items()}
    return {name: value.asnumpy() for name, value in case.ours(penstock, arrays).items()}


def difference(case, wanted, found):
    """A text that says in what two answers differ; None if they do not."""
    if wanted.keys() != found.keys():
        return f"{case.name}: results {sorted(found)}, PyTorch has {sorted(wanted)}"
    for name, array in wanted.items():
        if array.shape != found[name].shape:
            return f"{case.name}: {name} has shape {found[name].shape}, PyTorch's {array.shape}"
        close = numpy.isclose(found[name], array, case.rtol, case.atol, equal_nan=True)
        if not close.all():
            at = tuple(int(i) for i in numpy.argwhere(~close)[0])
            return (
                f"{case.name}: {name}{list(at)} is {found[name][at]!r}, PyTorch has {array[at]!r}; "
                f"{(~close).sum()} of {close.size} differ"
            )
    return None
