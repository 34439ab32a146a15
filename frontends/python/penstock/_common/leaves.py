"""What a tensor keeps beside its elements: gradients of results, hooks, and users' attributes."""

from .. import _core

_extra, _register = _core._extra, _core.ndarray.register_hook
_OWN = ("_grad", "_retains")


def retains(tensor):
    """Whether the gradient of a result is kept."""
    extra = _extra(tensor, False)
    return bool(extra and extra.get("_retains"))


def retain(tensor):
    """Keep the gradient of a result from now on."""
    if retains(tensor):
        return
    import weakref

    seen = weakref.ref(tensor)  # the graph keeps the hook: it must not keep what keeps the graph

    def keep(gradient):
        found = seen()
        if found is not None:
            extra = _extra(found, True)
            known = extra.get("_grad")
            extra["_grad"] = gradient.clone() if known is None else known + gradient

    _register(tensor, keep)
    _extra(tensor, True)["_retains"] = True


def hook(tensor, hooks, number):
    """Have what a dict has under a number called with a tensor's gradient, while it has it."""

    def call(gradient):
        found = hooks.get(number)
        return None if found is None else found(gradient)

    _register(tensor, call)


def attributes(tensor, *hidden):
    """The attributes that a program gave a tensor; `hidden` are further ones that are not such."""
    extra = _extra(tensor, False) or {}
    return {
        name: value for name, value in extra.items() if name not in _OWN and name not in hidden
    }
