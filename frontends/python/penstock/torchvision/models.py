"""torchvision.models: there are none, trained or not, and every name says so."""


def __getattr__(name):
    from ._missing import WHERE

    if name.startswith("_"):
        raise AttributeError(f"module 'torchvision.models' has no attribute {name!r}", name=name)
    raise AttributeError(
        f"torchvision.models.{name}: Penstock has no models of torchvision, and no trained weights, "
        f"which would have to be downloaded ({WHERE})",
        name=name,
    )
