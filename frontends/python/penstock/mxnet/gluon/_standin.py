"""Initialisers until mx.initializer is merged."""


def module():
    from .. import initializer

    return initializer if "Uniform" in vars(initializer) else Standin


class Standin:
    class Initializer:
        def __call__(self, desc, arr):
            init = desc[1]["__init__"]
            create(init if init is not None else self)._init_weight(desc, arr)

        def _init_weight(self, desc, arr):
            from ... import random

            arr[:] = random.uniform(-0.07, 0.07, arr.shape).asnumpy()

    Uniform = Initializer

    @staticmethod
    def create(init, **kw):
        return create(init)

    @staticmethod
    def InitDesc(name, attrs):
        return (name, attrs)


class _Number(Standin.Initializer):
    def __init__(self, number):
        self.number = number

    def _init_weight(self, desc, arr):
        arr[:] = self.number


def create(init):
    if isinstance(init, str):
        return _Number({"zeros": 0, "ones": 1}[init])
    return init
