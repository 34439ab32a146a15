"""Packages of Penstock under the names of the libraries whose programs they run.

`install_as("mxnet")` makes `import mxnet` mean penstock.mxnet. A finder at the head of
sys.meta_path serves the submodules: each is one module object under all of its names, so that a
class is the same wherever it was imported from. The package says by which other names its modules
go (`mxnet.nd` is `mxnet.ndarray`), and what to say of modules that it does not have. With torch
comes torchvision, which is a package of its own.
"""

import sys
from _thread import allocate_lock

KNOWN = {"mxnet": "penstock.mxnet", "paddle": "penstock.paddle", "torch": "penstock.torch"}
_BESIDE = {"torch": ("torchvision",)}  # what programs of a library import beside it

_lock = allocate_lock()


def install_as(name):
    """Makes programs that import a library get Penstock's package for them; gives that package.

    Call it before anything imports the library. A second call does nothing.

    >>> mx = ps.install_as("mxnet")
    >>> from mxnet import np
    >>> np.ones((1, 2)) * 2
    array([[2., 2.]])
    """
    if name not in KNOWN:
        known = ", ".join(map(repr, KNOWN))
        raise ValueError(f"install_as: nothing is known to install as {name!r}; there is {known}")
    from importlib import import_module

    places = {name: KNOWN[name], **{other: f"penstock.{other}" for other in _BESIDE.get(name, ())}}
    packages = {one: import_module(place) for one, place in places.items()}
    with _lock:
        missing = {
            one: package for one, package in packages.items() if sys.modules.get(one) is not package
        }
        for one in missing:
            _check_free(one, sys.modules.get(one))
        for one, package in missing.items():
            _put(one, package)
    return packages[name]


def _put(name, package):
    """From here on a name means a package."""
    package._finder.also(name)
    _forward(sys.modules.get(name), package)
    sys.modules[name] = package


def _check_free(name, loaded):
    """The name must be unused, or that of a module whose own code is calling."""
    inner = [other for other in sys.modules if other.startswith(name + ".")]
    if loaded is None and not inner or loaded is not None and _is_running(loaded):
        return
    where = getattr(loaded, "__file__", None) or "this process"
    raise ImportError(
        f"install_as: another {name} is loaded already, from {where}; "
        f"install Penstock's before anything imports {name}",
        name=name,
    )


def _is_running(module):
    """Whether a frame of this thread runs the module's code: a package that calls install_as."""
    frame = sys._getframe(2)
    while frame is not None:
        if frame.f_globals is vars(module):
            return True
        frame = frame.f_back
    return False


def _forward(module, package):
    """Another thread may have got hold of the module that calls install_as: it has all names."""
    if module is not None:
        vars(module)["__getattr__"] = lambda name: getattr(package, name)


class Finder:
    """Finds the modules of one package under all of its names.

    `aliases` has other names of modules, from the package on; `explain(name)` the text for a module
    that does not exist.
    """

    def __init__(self, package, aliases, explain):
        self.package = package
        self.shown = package.rpartition(".")[2]
        self.names = (package,)
        self.aliases = aliases
        self.explain = explain
        sys.meta_path.insert(0, self)

    def __repr__(self):
        return f"<finder of {', '.join(self.names)}>"

    def also(self, name):
        """From here on the package goes by this name too, and so does what is loaded of it.

        Once only, before anybody imports by that name: an import in another thread takes a module
        that appears meanwhile for its own, and would run it a second time.
        """
        if name in self.names:
            return
        for path, module in list(sys.modules.items()):
            complete = not getattr(getattr(module, "__spec__", None), "_initializing", False)
            if path.startswith(self.package + ".") and complete:
                sys.modules[name + path[len(self.package) :]] = module
        self.names += (name,)

    def find_spec(self, fullname, path=None, target=None):
        inner = self._inner(fullname)
        if inner is None:
            return None
        real = self._real(inner)
        if real == fullname:
            return self._ask_others(fullname, inner, path, target)
        from importlib.machinery import ModuleSpec

        return ModuleSpec(fullname, _Alias(real))

    def _inner(self, fullname):
        """The part of the name after the package's, None if it is not of the package."""
        for name in self.names:
            if fullname == name or fullname.startswith(name + "."):
                return fullname[len(name) + 1 :]
        return None

    def _real(self, inner):
        """The one name under which a module is loaded."""
        real = ""
        for part in inner.split("."):
            real = f"{real}.{part}" if real else part
            real = self.aliases.get(real, real)
        return f"{self.package}.{real}" if real else self.package

    def _ask_others(self, fullname, inner, path, target):
        for finder in sys.meta_path:
            spec = finder.find_spec(fullname, path, target) if finder is not self else None
            if spec is not None:
                return spec
        # With its full name `from package import name` would pass over the error, and its text.
        raise ModuleNotFoundError(self.explain(inner), name=f"{self.shown}.{inner}")


class _Alias:
    """Loads a module under its real name and gives it for another one."""

    specs = {}  # of modules, by real name

    def __init__(self, real):
        self.real = real

    def create_module(self, spec):
        from importlib import import_module

        module = import_module(self.real)
        # Another thread may be loading it under a third name, and have that name's spec in there.
        if module.__spec__.name == self.real:
            self.specs[self.real] = module.__spec__
        return module

    def exec_module(self, module):
        # The import system has just written the spec of the other name into it.
        module.__spec__ = self.specs[self.real]
