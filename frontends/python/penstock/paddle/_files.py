"""paddle.save and paddle.load: pickles of arrays, which are read as data only.

A tensor is a pair of its name and its elements; the tensors of a layer's state are the elements
alone. What a file names is looked up in a table: nothing of it is imported or run.
"""

import os
from collections import OrderedDict

from .._common import tables
from .._common.unpickle import PREFIX, Allowance, Interpreter, refusal
from ._calls import nearest
from ._create import to_tensor
from ._parameter import Parameter
from ._tensor import Tensor

__all__ = ["load", "save"]

_NAMES = "StructuredToParameterName@@"
_SPARE = 64_000  # bytes that load may take beside those that the size of a file allows


# ---- Saving --------------------------------------------------------------------------------------


class _Pair:
    """A tensor in a pickle: tuple((name, array))."""

    def __init__(self, pair):
        self._pair = pair

    def __reduce__(self):
        return tuple, (self._pair,)


def save(obj, path, protocol=4, **configs):
    """Write tensors, in containers too, to a file or a BytesIO, in PaddlePaddle's format. Waits."""
    import pickle

    _check_configs("save", configs, ("use_binary_format", "pickle_protocol"))
    if configs.get("use_binary_format"):
        raise NotImplementedError("paddle.save: use_binary_format is not here")
    protocol = configs.get("pickle_protocol", protocol)
    if not isinstance(protocol, int) or not 1 < protocol < 5:
        raise ValueError(f"Expected 1<'protocol'<5, but received protocol={protocol}")
    name = not hasattr(path, "write")
    if name and os.path.basename(path) == "":
        raise ValueError(
            "The input path MUST be format of dirname/filename, but received filename is empty "
            "string."
        )
    data = pickle.dumps(_state(obj) if _is_state(obj) else _plain(obj), protocol)
    if not name:
        path.write(data)
        return
    folder = os.path.dirname(path)
    if folder:
        os.makedirs(folder, exist_ok=True)
    with open(path, "wb") as file:
        file.write(data)


def _check_configs(function, given, known):
    for name in given:
        if name not in known:
            raise ValueError(
                f"The additional config ({name}) of `paddle.{function}` is not supported"
                f"{nearest(name, (*known, 'protocol', 'return_numpy'))}"
            )


def _is_state(obj):
    """Whether it is what a layer's state_dict gives: a dict of tensors with a parameter in it."""
    return (
        isinstance(obj, dict)
        and bool(obj)
        and all(isinstance(one, Tensor) for one in obj.values())
        and any(isinstance(one, Parameter) for one in obj.values())
    )


def _state(obj):
    made = {name: one.numpy() for name, one in obj.items()}
    made[_NAMES] = {name: one.name for name, one in obj.items()}
    return made


def _plain(obj):
    """What is written for an object: containers taken apart, tensors as pairs."""
    if isinstance(obj, Tensor):
        return _Pair((obj.name, obj.numpy()))
    if type(obj).__module__ != "builtins" and hasattr(obj, "sublayers"):
        raise ValueError("paddle do not support saving `paddle.nn.Layer` object.")
    if type(obj) in (dict, OrderedDict):
        return type(obj)((key, _plain(one)) for key, one in obj.items())
    if type(obj) in (list, tuple):
        return type(obj)(_plain(one) for one in obj)
    if obj is None or isinstance(obj, (bool, int, float, complex, str, bytes)):
        return obj
    if type(obj).__module__ == "numpy":
        return obj
    raise NotImplementedError(
        f"paddle.save: a value of class {type(obj).__name__} is not saved here: tensors, arrays, "
        "numbers, texts and containers of these are"
    )


# ---- Loading -------------------------------------------------------------------------------------


def load(path, return_numpy=False, **configs):
    """What a file, or a BytesIO, has, as data: nothing of it is run."""
    _check_configs("load", configs, ("model_filename", "params_filename", "keep_name_table"))
    if hasattr(path, "read"):
        return _loaded(path.read(), "the given file", return_numpy)
    if not os.path.isfile(path):
        raise ValueError(f"The ``path`` ({path}) to load model not exists.")
    with open(path, "rb") as file:
        return _loaded(file.read(), path, return_numpy)


def _loaded(data, path, return_numpy):
    def tensors(found, allowance):
        return _Tensors(allowance, return_numpy).of(found)

    return data_of(data, path, made=tensors)


def data_of(data, path, encoding="utf-8", made=None):
    """What the bytes of a pickle have, as data; the encoding is that of Python 2's texts.

    `made` makes something else of that; it gets the function that is told of memory, too.
    """
    from pickle import UnpicklingError

    if not data:
        raise EOFError("Ran out of input")
    allowance = Allowance(len(data), _SPARE)
    try:
        found = Interpreter(data, _Table(), _no_storage, allowance, encoding).run()
        return found if made is None else made(found, allowance)
    except UnpicklingError as error:
        text = str(error).removeprefix(PREFIX)
        raise ValueError(f"`paddle.load` can not parse the file:{path}. {text}") from None


def _no_storage(identity):
    raise refusal("The file has persistent ids, which no file of paddle.save has.")


class _Table(tables.Table):
    """What a file may name: arrays of NumPy's, and the containers that pickles call."""

    def __init__(self):
        from .._common.numpy_pickles import CALLED, FILLED, VALUES

        values = {**tables.VALUES, **VALUES, ("builtins", "tuple"): tuple}
        super().__init__(values, {**tables.CALLED, **CALLED, id(tuple): _pair}, FILLED)

    def call(self, machine, function, arguments):
        """What a call that the file asks for makes."""
        try:
            return super().call(machine, function, arguments)
        except TypeError as error:
            raise refusal(f"The file calls a function in a wrong way: {error}.") from None


class _Named(tuple):
    """The pair of a name and an array that stands for a tensor."""

    __slots__ = ()


def _pair(machine, items=()):
    if type(items) not in (tuple, list):
        raise refusal("A tuple is made of what is no tuple.")
    machine.allowance(100 + 8 * len(items))
    return _Named(items)


_DEEPEST = 200  # containers in one another


class _Tensors:
    """Puts tensors, or arrays, in the place of pairs of a name and an array.

    A container is looked at once, however often it is there. The allowance is told of the elements
    of each tensor: a file may name one array many times.
    """

    def __init__(self, allowance, plain):
        self._allowance, self._plain = allowance, plain
        self._done = {}  # by identity: a container that was read, kept, and what it has become

    def of(self, found):
        """What was read; a layer's state has arrays alone, and the names in a dict of their own."""
        if not isinstance(found, dict) or _NAMES not in found:
            return self._of(found, 0)
        names = found.pop(_NAMES)
        names = names if isinstance(names, dict) else {}
        for key, value in found.items():
            state = _is_array(value)
            found[key] = self._made(value, names.get(key)) if state else self._of(value, 1)
        return found

    def _of(self, one, depth):
        if not isinstance(one, (dict, list, tuple)):
            return one
        if id(one) in self._done:
            return self._done[id(one)][1]
        if depth > _DEEPEST:
            raise refusal(f"Containers are nested more than {_DEEPEST} deep.")
        self._allowance(100)
        made = self._of_tuple(one, depth) if isinstance(one, tuple) else one
        self._done[id(one)] = one, made
        if isinstance(one, dict):
            for key, value in one.items():
                one[key] = self._of(value, depth + 1)
        elif isinstance(one, list):
            one[:] = [self._of(value, depth + 1) for value in one]
        return made

    def _of_tuple(self, one, depth):
        if type(one) is _Named and len(one) == 2 and _is_array(one[1]):
            return self._made(one[1], one[0])
        return tuple([self._of(value, depth + 1) for value in one])

    def _made(self, array, name):
        if self._plain:
            return array
        if array.dtype.kind not in "biufc":
            raise refusal(f"An array of {array.dtype} is no tensor.")
        self._allowance(array.nbytes + 500)
        made = to_tensor(array)
        if type(name) is str:
            made.name = name
        return made


def _is_array(value):
    import numpy

    return isinstance(value, numpy.ndarray)
