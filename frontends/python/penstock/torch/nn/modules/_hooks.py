"""Functions that are called before and after a module's forward."""


class Hooks(dict):
    """Hooks by number; handles refer to it without keeping it."""

    __slots__ = ("__weakref__",)

    def __reduce__(self):
        return Hooks, (dict(self),)


class Hook:
    """A function and how it is called."""

    __slots__ = ("function", "with_kwargs", "always")

    def __init__(self, function, with_kwargs=False, always=False):
        self.function, self.with_kwargs, self.always = function, with_kwargs, always


def added(table, hook, prepend):
    """A handle of a hook that was put at the end of a table, or at its head."""
    from ...utils.hooks import RemovableHandle

    handle = RemovableHandle(table)
    if not prepend:
        table[handle.id] = hook
        return handle
    rest = dict(table)
    table.clear()
    table[handle.id] = hook
    table.update(rest)
    return handle


def call(module, args, kwargs):
    """What a module with hooks gives."""
    try:
        args, kwargs = _before(module, args, kwargs)
        result = module.forward(*args, **kwargs)
    except Exception:
        always = [one for one in module._forward_hooks.values() if one.always]
        _after(module, args, kwargs, None, always)
        raise
    return _after(module, args, kwargs, result, module._forward_hooks.values())


def _before(module, args, kwargs):
    for hook in tuple(module._forward_pre_hooks.values()):
        if hook.with_kwargs:
            changed = hook.function(module, args, kwargs)
            if changed is not None:
                if not isinstance(changed, tuple) or len(changed) != 2:
                    raise RuntimeError(
                        "forward pre-hook must return None or a tuple of (new_args, new_kwargs), "
                        f"but got {changed}."
                    )
                args, kwargs = changed
        else:
            changed = hook.function(module, args)
            if changed is not None:
                args = changed if isinstance(changed, tuple) else (changed,)
    return args, kwargs


def _after(module, args, kwargs, result, hooks):
    for hook in tuple(hooks):
        if hook.with_kwargs:
            changed = hook.function(module, args, kwargs, result)
        else:
            changed = hook.function(module, args, result)
        if changed is not None:
            result = changed
    return result
