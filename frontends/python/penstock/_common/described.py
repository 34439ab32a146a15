"""Modules as data, from which modules of a library's own classes are made again.

For each module there is the name of its class, its plain attributes, its tensors and its modules.
No code is written or run, so that only modules of the library's classes can be described.
"""

from .registered import BUFFER, MODULE, PARAMETER

_PLAIN = (bool, int, float, complex, str, bytes, type(None))
_NESTED = (tuple, list, set, frozenset)
_KINDS = {kind: kind for kind in (BUFFER, MODULE, PARAMETER)}  # the words of a file as our own


class Descriptions:
    """How the modules of one library are described.

    `nn` has the classes and is called `name`; `base` is the class of all of them; `own` are their
    attributes that are not described, `hooks` those of them that must be empty; `other` says what
    can be done with modules that have no description.
    """

    def __init__(self, nn, name, base, own, hooks, other):
        self.nn, self.name, self.base = nn, name, base
        self.own, self.hooks, self.other = own, hooks, other

    # ---- Writing ---------------------------------------------------------------------------------

    def of(self, module, path="", seen=None):
        """The data of a module; of one that is there twice, the same object."""
        seen = {} if seen is None else seen
        if id(module) in seen:
            return seen[id(module)]
        self._check(module, path)
        kinds = module._kinds
        tensors = {name: vars(module)[name] for name, what in kinds.items() if what != MODULE}
        data = {"class": type(module).__name__, "attributes": self._attributes(module, path)}
        data.update(kinds=dict(kinds), tensors=tensors, modules={})
        seen[id(module)] = data
        for name in (name for name, what in kinds.items() if what == MODULE):
            inner = vars(module)[name]
            inside = None if inner is None else self.of(inner, f"{path}.{name}".lstrip("."), seen)
            data["modules"][name] = inside
        return data

    def _check(self, module, path):
        kind = type(module)
        if getattr(self.nn, kind.__name__, None) is not kind:
            self._refuse(path, f"is a {kind.__qualname__}, and code is not written")
        if any(vars(module).get(name) for name in self.hooks):
            self._refuse(path, "has hooks, and code is not written")

    def _attributes(self, module, path):
        found = {}
        for name, value in vars(module).items():
            if name in module._kinds or name in self.own or name in self.hooks:
                continue
            if not _is_plain(value):
                self._refuse(f"{path}.{name}".lstrip("."), f"is {value!r}, which is no plain value")
            found[name] = value
        return found

    def _refuse(self, path, why):
        raise NotImplementedError(
            f"jit.save: {path or 'the module'} {why}; modules of the classes in {self.name} can be "
            f"written, and {self.other}"
        )

    # ---- Reading ---------------------------------------------------------------------------------

    def made(self, data, seen=None):
        """The module of some data; of data that is there twice, the same module."""
        seen = {} if seen is None else seen
        if id(data) in seen:
            return seen[id(data)]
        kind = getattr(self.nn, data["class"], None)
        if not (isinstance(kind, type) and issubclass(kind, self.base)):
            raise RuntimeError(
                f"jit.load: {self.name} has no class {data['class']!r} of modules"
            )
        module = seen[id(data)] = kind.__new__(kind)
        self.base.__init__(module)
        vars(module).update(data["attributes"])
        inner = {name: one and self.made(one, seen) for name, one in data["modules"].items()}
        for name, what in data["kinds"].items():
            module._kinds[name] = _KINDS[what]
            vars(module)[name] = inner[name] if what == MODULE else data["tensors"][name]
        return module


def _is_plain(value):
    if type(value) in _NESTED:
        return all(map(_is_plain, value))
    if type(value) is dict:
        return all(_is_plain(key) and _is_plain(item) for key, item in value.items())
    return type(value) in _PLAIN
