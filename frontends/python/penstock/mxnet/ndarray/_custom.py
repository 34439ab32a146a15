"""Operations that programs write themselves, by the name under which they are registered."""

__all__ = ["Custom"]


def Custom(*args, op_type=None, name=None, out=None, **kwargs):
    """Calls an operation that was registered with `mx.operator.register`.

    What is given by keyword is an array of the operation, or else a string for its property.
    """
    from ..operator import custom

    return custom(*args, op_type=op_type, name=name, out=out, **kwargs)
