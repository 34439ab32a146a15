"""Layers that are made of layers in some order, or by name."""

from collections import OrderedDict

from ...._common.holders import Named, Numbered
from ...._common.registered import MODULE, PARAMETER, Registered
from .layers import Layer


def _place(layers, index):
    """A number counted from the beginning; IndexError if there is none."""
    count = len(layers)
    if not isinstance(index, int) or not -count <= index < count:
        raise IndexError(
            f"index {index} is out of range, should be an integer in range [{-count}, {count})"
        )
    return index % count


class _Numbered(Numbered, Layer):
    """What Sequential and LayerList have in common."""

    def _held(self):
        return self._sub_layers

    def _put(self, name, layer):
        self.add_sublayer(name, layer)


class Sequential(_Numbered):
    """Layers that are called one after the other.

    >>> from penstock.paddle import nn
    >>> nn.Sequential(nn.Flatten(), nn.ReLU())
    Sequential(
      (0): Flatten()
      (1): ReLU()
    )
    """

    def __init__(self, *layers):
        super().__init__()
        if len(layers) == 1 and isinstance(layers[0], OrderedDict):
            layers = tuple(layers[0].items())
        elif len(layers) == 1 and isinstance(layers[0], list):
            layers = tuple(layers[0])
        for at, one in enumerate(layers):
            if isinstance(one, (tuple, list)):
                self.add_sublayer(str(one[0]), one[1])
            else:
                self.add_sublayer(str(at), one)

    def _keys(self):
        return list(self._sub_layers)

    def __getitem__(self, index):
        if isinstance(index, slice):
            return type(self)(*list(self._sub_layers.values())[index])
        if isinstance(index, str):
            return self._sub_layers[index]
        keys = self._keys()
        return self.__dict__[keys[_place(keys, index)]]

    def __setitem__(self, index, layer):
        keys = self._keys()
        self.add_sublayer(keys[_place(keys, index)] if isinstance(index, int) else index, layer)

    def __delitem__(self, index):
        keys = self._keys()
        del self._sub_layers[keys[_place(keys, index)] if isinstance(index, int) else index]

    def forward(self, input):
        own = self.__dict__
        for name, kind in self._kinds.items():
            if kind == MODULE:
                input = own[name](input)
        return input


class LayerList(_Numbered):
    """Layers by number, which a class of one's own calls."""

    def __init__(self, sublayers=None):
        super().__init__()
        for at, one in enumerate(sublayers or ()):
            self.add_sublayer(str(at), one)

    def __getitem__(self, index):
        if isinstance(index, slice):
            return type(self)(list(self)[index])
        return self.__dict__[str(_place(self, index))]

    def __setitem__(self, index, sublayer):
        self.add_sublayer(str(_place(self, index)), sublayer)

    def __delitem__(self, index):
        kept = list(self)
        del kept[index]
        self._renumber(kept)

    def append(self, sublayer):
        """One more layer at the end; gives the list."""
        return super().append(sublayer)

    def insert(self, index, sublayer):
        """One more layer before the one of a number."""
        if not isinstance(index, int) or not -len(self) <= index <= len(self):
            raise AssertionError(
                f"index should be an integer in range [{-len(self)}, {len(self)}], not {index}"
            )
        layers = list(self)
        layers.insert(index, sublayer)
        self._renumber(layers)

    def extend(self, sublayers):
        """More layers at the end; gives the list."""
        for one in sublayers:
            self.append(one)
        return self


class LayerDict(Named, Layer):
    """Layers by name, which a class of one's own calls."""

    def __init__(self, sublayers=None):
        super().__init__()
        if sublayers is not None:
            self.update(sublayers)

    def _held(self):
        return self._sub_layers

    def __getitem__(self, key):
        return self._sub_layers[key]

    def __setitem__(self, key, sublayer):
        self.add_sublayer(key, sublayer)

    def __delitem__(self, key):
        del self._sub_layers[key]

    def pop(self, key):
        """The layer of a name, which goes."""
        found = self[key]
        del self[key]
        return found

    def update(self, sublayers):
        """More layers by name: a dict, a LayerDict or pairs."""
        pairs = sublayers.items() if hasattr(sublayers, "items") else sublayers
        for key, one in pairs:
            self.add_sublayer(key, one)


class ParameterList(Layer):
    """Parameters by number."""

    def __init__(self, parameters=None):
        super().__init__()
        for one in parameters or ():
            self.append(one)

    def __getitem__(self, index):
        return self.__dict__[str(_place(self, index))]

    def __setitem__(self, index, parameter):
        Registered(self, PARAMETER)[str(_place(self, index))] = parameter

    def __len__(self):
        return len(self._parameters)

    def __iter__(self):
        return iter(list(self._parameters.values()))

    def append(self, parameter):
        """One more parameter at the end; gives the list."""
        self.add_parameter(str(len(self)), parameter)
        return self
