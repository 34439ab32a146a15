"""The text of arrays, as MXNet shows them: NumPy's, with other rules for the element type."""

# NumPy shows the others' types.
_UNSAID = ("bool", "float64", "int64")


def _elements(array):
    import numpy

    if array.size == 0 and array.shape != (0,):
        return f"[], shape={array.shape}"
    return numpy.array2string(array, separator=", ", prefix="array(", suffix=")")


def _joined(text, dtype):
    """The text and the type behind it, on a line of its own where NumPy would put it so."""
    import numpy

    last = len(text) - (text.rfind("\n") + 1)
    wide = last + len(f"dtype={dtype})") + 2 > numpy.get_printoptions()["linewidth"]
    return f"{text},{chr(10) + ' ' * len('array(') if wide else ' '}dtype={dtype})"


def repr_of(array):
    """repr(array)."""
    elements = array.asnumpy()
    text = f"array({_elements(elements)}"
    dtype = str(elements.dtype)
    if dtype == "float32" or (dtype == "bool" and elements.size):
        text += ")"
    elif dtype in _UNSAID and elements.size:
        text = f"{text}, dtype={dtype})"
    else:
        text = _joined(text, dtype)
    context = array.ctx
    return text if context.device_type == "cpu" else f"{text[:-1]}, ctx={context})"
