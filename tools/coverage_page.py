"""What the tools that write coverage into pages of docs/ share."""

import dis
import textwrap


def returns(thing):
    """Not a function that does nothing but raise."""
    code = getattr(getattr(thing, "__func__", thing), "__code__", None)
    steps = dis.get_instructions(code) if code is not None else ()
    return code is None or any(step.opname.startswith("RETURN_") for step in steps)


def listed(names):
    """Names as code, separated by commas, in lines of a page."""
    return textwrap.fill(", ".join(f"`{name}`" for name in names), 100)


def between(page, tool, name, text):
    """The page with this text between the comments of the name, which say what tool writes it."""
    begin, end = f"<!-- {name}: written by tools/{tool} -->\n", f"<!-- end of {name} -->\n"
    head, _, rest = page.partition(begin)
    _, found, tail = rest.partition(end)
    if not found:
        raise SystemExit(f"there are no comments for {name} in the page")
    return f"{head}{begin}\n{text}\n{end}{tail}"
