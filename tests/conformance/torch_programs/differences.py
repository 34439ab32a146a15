"""Where ours differs from PyTorch 2.15.0 on purpose. docs/torch.md lists the same.

What a rule is and looks at is in dialect_programs/rules.py."""

import ast
import math
import re

from dialect_programs.rules import (
    Rule,
    elements,
    first_match,
    number,
    numbers,
    of_step,
    only_ours_raises,
    only_real_raises,
    text,
)


MADE_INTEGER = (
    r"torch\.u?int\d|dtype=|\.(to|type|type_as|long|int|short|char|byte|new_\w+)\(|\] =|_\(|tensor\("
)


def does_not_fit(difference):
    """Integers made of floats of which the type cannot hold one: ours are 0 or the nearest, and
    what is computed of those."""
    found = re.fullmatch(r"(u?)int(\d+)", difference.real.get("dtype", ""))
    pairs = elements(difference)
    if not found or not pairs:
        return False
    bits = int(found[2])
    low, high = (0, 2**bits - 1) if found[1] else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)
    if not re.search(MADE_INTEGER, difference.step):
        return False
    outside = any(
        isinstance(n, float) and not low <= n <= high
        for value in difference.inputs
        for n in numbers(value)
    )
    return outside or all(ours in (0, low, high) for _, ours in pairs)


# Names of PyTorch that the programs use and that are not here.
ABSENT = {
    *("linspace", "logspace"),  # of complex numbers
    *("torch.range", "torch.hann_window", "torch.vander", "torch.is_nonzero", "Tensor.get_device"),
    *("Tensor.is_inference", "Tensor.is_signed", "Tensor.storage_type", "Tensor.put_"),
    *("Tensor.log_normal_", "Tensor.geometric_", "Tensor.cauchy_"),
    *("Tensor.resize_", "Tensor.unfold"),
}


def is_absent(difference):
    said = re.match(
        r"([\w.]+)(: .*| of complex numbers)? (is a part of PyTorch that Penstock does not have|is not here)",
        text(difference.ours),
    )
    return said and said[1] in ABSENT and "error" in difference.ours


def without_function(value):
    """A text without the name of a gradient's function, which may break a line."""
    return re.sub(r"[, \n]*(grad_fn=)?<\w+Backward\w*( object at \w+)?>", "", value)


def names_a_function(difference):
    """Texts that are equal but for the function's name."""
    real, ours = difference.real.get("value"), difference.ours.get("value")
    if difference.how != "values" or not isinstance(real, str) or "Backward" not in real:
        return False
    return ours and without_function(real) == without_function(ours)


def zero_or_none(difference):
    real, ours = difference.real, difference.ours
    pairs = zip(real["items"], ours["items"]) if "items" in real and "items" in ours else [(real, ours)]
    differ = [pair for pair in pairs if "NoneType" in (pair[0].get("kind"), pair[1].get("kind"))]
    return "NoneType" in difference.how and differ and all(map(zero_beside_none, differ))


def zero_beside_none(pair):
    """One is None, and the other has only zeros and NaN."""
    none, other = sorted(pair, key=lambda value: value.get("kind") != "NoneType")
    return none.get("kind") == "NoneType" and not any(n for n in numbers(other) if n == n)


def has_no_elements(difference):
    """Ours alone refuses a type, of a tensor without elements."""
    values = [difference.real, *difference.inputs]
    if difference.how == "raises RuntimeError, ours NotImplementedError":
        return "require gradients" in text(difference.real) and any(
            0 in value.get("shape", ()) for value in values
        )
    return only_ours_raises(difference, "not implemented for|no rule for") and (
        any(0 in value.get("shape", ()) for value in values) or "0" in difference.step
    )


def values_of(node):
    """How many values an argument has: those of a list or tuple are counted one by one."""
    return sum(map(values_of, node.elts)) if isinstance(node, (ast.List, ast.Tuple)) else 1


def arguments_of(statement):
    """How many values the call of a statement is given, by place and by name; 0 if it is no call."""
    call = getattr(ast.parse(statement).body[0], "value", None)
    if isinstance(call, ast.Call) and getattr(call.func, "id", None) == "about":
        call = call.args[0]
    if not isinstance(call, ast.Call):
        return 0
    return sum(map(values_of, [*call.args, *(keyword.value for keyword in call.keywords)]))


def several_arguments(difference):
    """Both refuse a call of wrong_calls that is given two values or more."""
    return (
        difference.program["family"] == "wrong_calls"
        and re.match("raises .*, ours (?!does not)", difference.how)
        and arguments_of(difference.step) >= 2
    )


NUMBER = r"[-+]?\d+\.\d*(?:e[-+]\d+)?"


def types_before_shapes(difference):
    """An operator or a method in place of types that it is not for, and of shapes that do not fit."""
    node = ast.parse(difference.step).body[0]
    value = getattr(node, "value", None)
    called = getattr(getattr(value, "func", None), "attr", "")
    return (
        (isinstance(node, ast.AugAssign) or isinstance(value, ast.BinOp) or called.endswith("_"))
        and difference.how == "raises RuntimeError, ours NotImplementedError"
        and re.search("must match the size of|match the broadcast shape", text(difference.real))
        and re.search("no rule for|not implemented for", text(difference.ours))
    )


def last_digits(difference):
    """Texts of more digits than float32 has, equal but for the last ones."""
    real, ours = difference.real.get("value"), difference.ours.get("value")
    digits = re.findall(r"precision=(\d+)", str(difference.program["steps"]))
    if not isinstance(real, str) or not isinstance(ours, str) or max(map(int, digits), default=0) < 6:
        return False
    pairs = zip(re.findall(NUMBER, real), re.findall(NUMBER, ours))
    return re.sub(NUMBER, "", real) == re.sub(NUMBER, "", ours) and all(
        math.isclose(float(a), float(b), rel_tol=5e-7) for a, b in pairs
    )


def writes_through_detach(difference):
    """A gradient of a tensor that was written through detach()."""
    before = str(difference.program["steps"][: difference.at])
    write = r"\.detach\(\)(\[[^\]]*\] [-+*/]?= |\.\w+_\()"
    return (
        difference.how == "values"
        and re.search(r"\.grad\b|autograd\.grad", difference.step)
        and re.search(write, before)
    )


RULES = [
    Rule(
        "which of several mistakes is told",
        "a call of wrong_calls with two values or more, by place, by name or in a list, that both refuse "
        "is equal whatever the classes: such calls have any number of mistakes, and which is told first "
        "is no part of PyTorch's interface; calls with one value or none are compared by class",
        several_arguments,
    ),
    Rule(
        "NumPy's integers as dimensions",
        "are ints; PyTorch does not find a function for them where it looks for an int by its class",
        lambda d: re.search(r"np\.int\d+\(", d.step)
        and "invalid combination of arguments" in text(d.real)
        and "error" in d.ours,
    ),
    Rule(
        "numbers that do not fit",
        "a float that an integer type cannot hold is the nearest integer that it can, and NaN is 0; "
        "in PyTorch it is whatever the processor gives",
        does_not_fit,
    ),
    Rule(
        "errors that depend on values",
        "an index out of range, a division by zero or too few values for a mask are found while "
        "running, and raised where the result is waited for; what is wrong with types is told before",
        lambda d: (
            d.how.endswith("comes late")
            and re.search("out of (range|bounds)|ZeroDivision|is out of|masked_put", text(d.ours))
            or d.how == "raises IndexError, ours RuntimeError"
            and re.search(r"\] [-+*/]+= ", d.step)
            and re.search("out of bounds|Dimension out of range", text(d.real))
            and re.search("can't be cast", text(d.ours))
        ),
    ),
    Rule(
        "places out of range of nothing",
        "an index out of range is an error also where nothing is taken or written, and a divisor 0 "
        "where nothing is divided; of a dimension without elements nothing may be taken if the result "
        "has none",
        lambda d: (
            only_ours_raises(d, "index .* is out of range")
            or only_ours_raises(d, "of the divisors is 0")
            and 0 in d.real.get("shape", ())
            or only_real_raises("out of bounds for dimension with size 0")(d)
            and 0 in d.ours.get("shape", ())
        ),
    ),
    Rule(
        "an ellipsis between positions",
        "parts them, as in NumPy, also where it stands for no dimension: theirs come first",
        of_step(r"[\])], \.\.\., (\[|torch\.tensor\()", "^shape: "),
    ),
    Rule(
        "overlapping writes",
        "what is written may share memory with what is read: all is read first; PyTorch refuses it",
        lambda d: re.search("unsupported operation: (some|more than one) element", text(d.real)),
    ),
    Rule(
        "writes of other types through places",
        "x[[0, 1]] = values converts them as x[0:2] = values does; PyTorch refuses other types",
        lambda d: re.search("Index put requires the source and destination dtypes", text(d.real)),
    ),
    Rule(
        "complex32",
        "complex numbers of half precision are not here: what would be such a number is complex64",
        lambda d: (
            re.search(
                "complex32|ComplexHalf|BComplex32",
                str(d.real.get("dtype", "")) + str(d.real.get("value", "")) + text(d.real),
            )
            or d.how == "dtype: float16, ours float32"
            and any("complex" in value.get("dtype", "") for value in d.inputs)
        ),
    ),
    Rule(
        "nextafter of half precision",
        "is not here: the neighbours of float16 and bfloat16 are not numbers of the table",
        lambda d: "nextafter" in d.step and "no rule for" in text(d.ours),
    ),
    Rule(
        "random complex numbers",
        "randn and randn_like draw them; uniform_, normal_ and normal do not",
        lambda d: "complex" in str(d.program) and re.search(
            "\"(uniform_|normal_|normal)\" not implemented for torch.complex", text(d.ours)
        ),
    ),
    Rule("not here", "a name that we do not have says so when it is used", is_absent),
    Rule(
        "names of gradients' functions",
        "grad_fn tells the operation of ours that computed a tensor: ViewBackward0 for x[0], where "
        "PyTorch has SelectBackward0",
        names_a_function,
    ),
    Rule(
        "gradients of nothing",
        "a gradient that is zero whatever the values are, as through floor, round or a tensor that "
        "was overwritten whole, is None, or the "
        "other way round for gradients of gradients",
        lambda d: (
            zero_or_none(d)
            or only_ours_raises(d, "appears to not have been used in the graph")
            and re.search(r"floor|round|trunc|ceil|copysign|//", str(d.program["steps"][: d.at]))
        ),
    ),
    Rule(
        "gradients that flow on",
        "what create_graph=True gives has a gradient of its own also where that is zero",
        lambda d: (
            "create_graph=True" in d.step
            and (
                d.how == "flows: [False, True, False], ours [True, False, True]"
                or d.how == "flows: [True, False, True], ours [False, True, False]"
                and "copysign" in str(d.program["steps"])
            )
        ),
    ),
    Rule(
        "gradients where there is none",
        "of hypot(0, 0) it is 0 and of copysign(0, x) 1; of equal elements the one that is chosen has "
        "all of median's and topk's, and NaN takes part in max's; floor_divide has one, that is zero; NaN that "
        "flows back through a power 0 stays NaN; second gradients of powers and norms are NaN at other places where logarithms or quotients have none",
        lambda d: (
            (".grad" in d.step or "autograd" in d.step or "backward" in d.step)
            and (
                d.how == "values"
                and re.search("hypot|copysign|median|topk", str(d.program["steps"][: d.at]))
                or d.how == "values"
                and "nan" in str(d.real)
                and re.search("max|min", str(d.program["steps"][: d.at]))
                or d.how == "values"
                and "create_graph" in str(d.program["steps"])
                and any(n != n for n in numbers(d.real) + numbers(d.ours))
                and re.search("cumprod|pow|atan2|hypot|norm", str(d.program["steps"][: d.at]))
                or d.how == "values"
                and "nan" in str(d.ours)
                and re.search(r"pow\(|\*\*", str(d.program["steps"][: d.at]))
                and re.search(r"\.(var|std)\(", str(d.program["steps"][: d.at]))
                or "kind: NoneType" in d.how
                and "//" in str(d.program["steps"][: d.at])
                or "flows" in d.how
                and re.search(r"\.(var|std)\(", str(d.program["steps"][: d.at]))
                and "nan" in str(d.real)
                or re.search("floor_divide is not implemented", text(d.real))
            )
        ),
    ),
    Rule(
        "kept for the gradient",
        "a value that its own gradient needs is kept when it is overwritten by itself: x.mul_(x) has "
        "a gradient, PyTorch refuses to compute it",
        only_real_raises("modified by an inplace operation"),
    ),
    Rule(
        "overwritten whole",
        "a tensor that is overwritten whole with a number has no gradient any more; in PyTorch it "
        "flows on, as zeros",
        lambda d: (
            ("flows: [True, False, True], ours [False" in d.how)
            or only_ours_raises(d, "does not require grad")
            or only_real_raises("only change requires_grad flags of leaf")(d)
        )
        and re.search(r"zero_\(|fill_\(|\] = -?[\d.]+'", str(d.program["steps"][: d.at + 1])),
    ),
    Rule(
        "graphs that keep no values",
        "can be walked again; PyTorch refuses some of them",
        only_real_raises("Trying to backward through the graph a second time"),
    ),
    Rule(
        "graphs that keep values",
        "tril and triu keep which elements are taken: their graph can be walked once",
        lambda d: (
            only_ours_raises(d, "the graph was walked before, and what where saved")
            and re.search(r"\.tri[lu]\(", str(d.program["steps"][: d.at]))
        ),
    ),
    Rule(
        "the order of what has none",
        "slices with NaN in them, which are equal to nothing, come in another order out of unique",
        lambda d: (
            d.how == "values"
            and re.search(r"unique\(.*dim=", d.step)
            and any(n != n for value in d.inputs for n in numbers(value))
        ),
    ),
    Rule(
        "bytes as masks",
        "x[bytes] = number writes where they are not 0, as x[bytes] reads; PyTorch refuses some",
        lambda d: re.search("masked_fill_ only supports boolean masks", text(d.real)),
    ),
    Rule(
        "data of another shape",
        "a leaf whose data was exchanged is another leaf: graphs of before do not reach it, and its "
        "gradient has the shape that it has now",
        lambda d: (
            re.search(r"\.data = ", str(d.program["steps"][: d.at]))
            and (
                re.search("returned an invalid gradient", text(d.real))
                or only_real_raises("must match the size of tensor b")(d)
                and "backward(" in d.step
                or d.how.startswith("shape")
                or d.how in ("kind: NoneType, ours Tensor", "kind: Tensor, ours NoneType")
            )
        ),
    ),
    Rule(
        "writes through data",
        "count as writes of the tensor: _version tells, and gradients have the values of before; "
        "PyTorch's .data has a count of its own, and gradients take what was written",
        lambda d: (
            "_version" in d.step
            and ".data" in str(d.program["steps"][: d.at])
            or ".grad" in d.step
            and d.how == "values"
            and re.search(r"\.data\[[^]]*\] [-+*/]?= ", str(d.program["steps"][: d.at]))
        ),
    ),
    Rule(
        "writes through detach",
        "the graph knows of them: what was overwritten has no gradient, as if it had been written "
        "through the tensor itself; PyTorch's graph keeps what it had",
        writes_through_detach,
    ),
    Rule(
        "arguments that are no tensors",
        "are TypeErrors; some functions of PyTorch ask them for an attribute, an AttributeError",
        lambda d: (
            d.how == "raises AttributeError, ours TypeError"
            and re.search("has no attribute", text(d.real))
        ),
    ),
    Rule(
        "detach_ of views",
        "takes them out of their graph; PyTorch refuses it",
        of_step(r"\.detach_\(", "ours does not", "Can't detach views in-place"),
    ),
    Rule(
        "lists of truth values beside an ellipsis",
        "are masks of as many dimensions as they have; PyTorch counts one for x[..., mask], if the "
        "mask is a list of lists",
        of_step(
            r"\.\.\.,.*\[\[+(True|False)|\[\[\[(True|False).*\]\],.*\.\.\.",
            "raises IndexError, ours does not",
            "shape of the mask|Dimension out of range",
        ),
    ),
    Rule(
        "dimensions of tensors without elements",
        "must be there for roll too; PyTorch does not look at them",
        lambda d: (
            "roll(" in d.step
            and only_ours_raises(d, "Dimension out of range")
            and 0 in d.real.get("shape", ())
        ),
    ),
    Rule(
        "sizes of split",
        "are ints; PyTorch takes a tensor of a float too",
        lambda d: "split(" in d.step and only_ours_raises(d, "must be tuple of ints, not Tensor"),
    ),
    Rule(
        "types before shapes",
        "operators and methods in place refuse types that they are not for before they look at "
        "shapes: x & i of floats and of another shape is a NotImplementedError",
        types_before_shapes,
    ),
    Rule(
        "keys before values",
        "x[key] = 1j of a tensor without complex numbers is refused for the number, then for the "
        "key; values of another shape are refused before places in a dimension without elements",
        lambda d: (
            "] = " in d.step
            and d.how == "raises IndexError, ours RuntimeError"
            and (
                re.search("without overflow", text(d.ours))
                or re.search("cannot be broadcast to", text(d.ours))
                and re.search("for dimension with size 0", text(d.real))
            )
        ),
    ),
    Rule(
        "results that their gradient needs",
        "relu6 keeps its result for the gradient, and refuses it once that was overwritten",
        lambda d: only_ours_raises(d, "result of relu6, which its gradient needs"),
    ),
    Rule(
        "gradients after a walk that is refused",
        "a graph that is walked a second time is refused before any gradient is added to; PyTorch has "
        "added some by then",
        lambda d: (
            ".grad" in d.step
            and d.how == "values"
            and re.search(r"'([^']*\.backward\(\))'.*'\1'", str(d.program["steps"][: d.at]))
        ),
    ),
    Rule(
        "gradients through remainders",
        "of large numbers differ by their rounding, which is a large part of the remainder",
        lambda d: (
            ".grad" in d.step
            and re.search(" % |remainder|fmod", str(d.program["steps"][: d.at]))
            and elements(d)
            and all(math.isclose(a, b, rel_tol=1e-3) for a, b in elements(d))
        ),
    ),
    Rule(
        "digits of what was shorter",
        "float64 of what was computed as float32 has float32's digits",
        lambda d: (
            d.real.get("dtype") == "float64"
            and re.search(r"float32|\.float\(", str(d.program["steps"][: d.at + 1]))
            and elements(d)
            and all(math.isclose(a, b, rel_tol=1e-5, abs_tol=1e-6) for a, b in elements(d))
        ),
    ),
    Rule(
        "remainders that are zero",
        "have the divisor's sign, as Python's have; in PyTorch the dividend's",
        lambda d: (
            re.search(" %=? |remainder", str(d.program["steps"][: d.at + 1]))
            and re.search("atan2|copysign|/|reciprocal", d.step)
            and elements(d)
            and all(math.isclose(a, -b, rel_tol=1e-6) for a, b in elements(d))
        ),
    ),
    Rule(
        "digits beyond the type's",
        "a text of 6 decimals or more shows digits that float32 does not hold; they differ as results "
        "may",
        last_digits,
    ),
    Rule(
        "hooks that give another type",
        "are a NotImplementedError; a RuntimeError in PyTorch",
        lambda d: re.search("has changed the type of value", text(d.real)) and "error" in d.ours,
    ),
    Rule(
        "layouts of copies",
        "clone and the like lie row by row; in PyTorch they lie as what they were made of",
        lambda d: (
            re.search(r"is_contiguous\(|stride\(", d.step)
            and d.how == "values"
            and re.search(r"clone\(|_like\(|\.to\(|copy", str(d.program["steps"][: d.at + 1]))
        ),
    ),
    Rule(
        "powers of complex zeros and infinities",
        "to the power of 0 are 1; NaN in PyTorch",
        lambda d: (
            "complex" in str(d.real.get("dtype"))
            and re.search(r"\*\*|pow", d.step)
            and any(
                not math.isfinite(n) for value in [d.real, *d.inputs] for n in numbers(value)
            )
        ),
    ),
    Rule(
        "numbers that an integer type cannot hold",
        "torch.where(mask, bytes, -1) is refused; PyTorch takes -1 for 255",
        lambda d: only_ours_raises(d, r"is out of range for u?int"),
    ),
    Rule(
        "second gradients of norms",
        "of one element are what rounding leaves of a difference; PyTorch's may be 0",
        lambda d: (
            "grad" in d.step
            and "create_graph" in str(d.program["steps"])
            and re.search("norm", str(d.program["steps"][: d.at]))
            and elements(d) != []
            and all(abs(number(a) - number(b)) < 1e-5 for a, b in elements(d))
        ),
    ),
    Rule(
        "data of what was computed",
        "x.data = y makes x a leaf where it was not one",
        of_step(r"\.data = ", r"flows: \[True, False, True\], ours \[True, True, False\]"),
    ),
    Rule(
        "types of tensors without elements",
        "are refused as those of others are; PyTorch does not look at them",
        has_no_elements,
    ),
    Rule(
        "arrays of NumPy beside tensors",
        "are taken for tensors, and errors are those of tensors; PyTorch leaves some to NumPy",
        lambda d: (
            "np." in d.step
            and (
                re.search("operands could not be broadcast|ufunc|unsupported ScalarType", text(d.real))
                or re.search("not supported between instances of", text(d.real))
                or only_ours_raises(d, "result type .* can't be cast|have the same dtype|the output has shape")
                or re.search("must be Tensor, not numpy.ndarray", text(d.real))
            )
        ),
    ),
    Rule(
        "methods for operators called by name",
        "x.__add__(y, z) is a TypeError; PyTorch answers NotImplemented",
        of_step(r"\.__\w+__\(", "ours raises TypeError"),
    ),
    Rule(
        "methods without a tensor",
        "Tensor.add(5, 5) is torch.add(5, 5); PyTorch refuses it",
        of_step(r"torch\.Tensor\.\w+\(5", "", "doesn't apply to a 'int' object"),
    ),
    Rule(
        "sums into out",
        "are refused if out is of a lower kind, as other results are; PyTorch sums as out's type, "
        "and refuses an out of another type than dtype",
        of_step(r"torch\.(sum|prod)\(.*out=", "raises"),
    ),
    Rule(
        "negative lengths",
        "are refused; broadcast_to of PyTorch makes a tensor of length -2",
        lambda d: any(n < 0 for n in d.real.get("shape", ())),
    ),
    Rule(
        "the median of nothing",
        "is NaN, or an integer of which nothing is said",
        lambda d: "median(" in d.step and any(0 in v.get("shape", ()) for v in d.inputs),
    ),
    Rule(
        "masks without dimensions beside positions",
        "x[..., torch.tensor(True), [0, 1]]: what the positions give comes first, as in NumPy",
        of_step(r"torch\.tensor\((True|False)\)", "^shape: "),
    ),
    Rule(
        "tensors in lists of other types",
        "x.new_tensor([torch.tensor(2.)]) is cut to x's type; PyTorch refuses it",
        of_step(r"new_tensor\(\[.*torch", "raises TypeError"),
    ),
    Rule(
        "normal of truth values",
        "torch.normal of a mean that is no float is refused, with out too",
        lambda d: "normal(" in d.step and only_ours_raises(d, "not implemented for torch"),
    ),
    Rule(
        "products of two types without elements",
        "are refused, as others of two types are; so is einsum of two types over a length of 1",
        lambda d: (
            only_ours_raises(d, "to have the same dtype")
            and any(
                0 in value.get("shape", ()) or "einsum(" in d.step and 1 in value.get("shape", ())
                for value in d.inputs
            )
        ),
    ),
    Rule(
        "roots of -0.0 and -inf",
        "(-0.0) ** -0.5 and (-inf) ** 0.5 are inf, as IEEE 754 has it; -inf and NaN in PyTorch",
        lambda d: (
            re.search(r"pow|\*\*", d.step)
            and elements(d)
            and all(
                a == -b or abs(a - b) < 1e-4 * abs(a) for a, b in elements(d) if a == a and b == b
            )
            and any(math.isinf(one) for pair in elements(d) for one in pair)
        ),
    ),
    Rule(
        "deviations of too few complex numbers",
        "are inf where the correction is larger than their count; NaN in PyTorch",
        of_step(r"(var|std)(_mean)?\(.*correction=", "values"),
    ),
    Rule(
        "keepdim without dim",
        "sum and mean take keepdim=True without dim, as amax does; PyTorch refuses it",
        of_step(r"\b(sum|mean)\((x, )?keepdims?=", "raises TypeError, ours does not", "combination"),
    ),
    Rule(
        "detach_ of values that a gradient needs",
        "leaves what was recorded before as it is; PyTorch refuses the gradient",
        only_real_raises("saved tensor that has been detached in-place"),
    ),
    Rule(
        "dimensions of norm",
        "norm takes a tensor or a number of NumPy for dim; PyTorch refuses it",
        of_step(r"norm\(.*dim=(torch|np)", "raises TypeError, ours does not"),
    ),
    Rule(
        "storages that are lost",
        "the second gradient of abs can be read",
        lambda d: re.search("unallocated storage", text(d.real)),
    ),
    Rule(
        "numbers in the place of types",
        "x.to(1j), x.to(2.5) and x.to(True) are TypeErrors; in PyTorch they name a type",
        of_step(r"\.to\((1j|True|2\.5)", "ours raises TypeError"),
    ),
    Rule(
        "products of truth values",
        "b @ b is one; PyTorch has none",
        of_step(" @ ", "raises NotImplementedError, ours does not", "not implemented for 'Bool'"),
    ),
    Rule(
        "infinite numbers divided",
        "inf // 2 is inf, as the array API standard has it; NaN in PyTorch",
        lambda d: (
            re.search("//|floor_divide|rounding_mode='floor'", d.step)
            and all(math.isnan(a) and math.isinf(b) for a, b in elements(d))
            and elements(d)
        ),
    ),
    Rule(
        "the sign of remainders",
        "x % y that leaves nothing is a 0 of y's sign, as in NumPy, and of x's in PyTorch: atan2 and "
        "quotients tell",
        lambda d: (
            re.search("%|remainder", str(d.program["steps"][: d.at]))
            and elements(d)
            and all(a == -b for a, b in elements(d))
        ),
    ),
    Rule(
        "the sign of NaN",
        "is NaN; 0 in PyTorch; so are the gradients of abs and norm(1) of NaN",
        lambda d: (
            (
                re.search("sign|sgn", d.step)
                or ".grad" in d.step
                and re.search(r"abs|norm\(", str(d.program["steps"][: d.at]))
            )
            and all(a == 0 and math.isnan(b) for a, b in elements(d))
            and elements(d)
        ),
    ),
    Rule(
        "positions counted from the end",
        "gather, scatter, index_select and the like take -1 for the last; PyTorch refuses it",
        lambda d: (
            "error" in d.real
            and re.search(r"index_|gather|scatter|take|put", d.step)
            and re.search(r"-\d", d.step)
            and re.search("out of (range|bounds)", text(d.real))
        ),
    ),
    Rule(
        "classes of errors about positions",
        "a position out of range is an IndexError; a RuntimeError in some functions of PyTorch",
        lambda d: (
            re.search("raises RuntimeError, ours IndexError", d.how)
            and re.search("out of (range|bounds)", text(d.real) + text(d.ours))
        ),
    ),
    Rule(
        "probabilities out of range",
        "bernoulli and multinomial do not look at their weights, which would wait for them",
        of_step(
            "multinomial|bernoulli", "raises RuntimeError, ours does not", "p_in|probab|distribution"
        ),
    ),
    Rule(
        "complex numbers as real ones",
        "float(x) and int(x) of a complex x are TypeErrors, as Python's are",
        lambda d: (
            d.ours.get("error") == "TypeError"
            and re.search("not 'complex'", text(d.ours))
            or d.how == "kind: numpy scalar, ours numpy"
            and re.search(r"np\.float\d+\(", d.step)
        ),
    ),
    Rule(
        "views by strides",
        "as_strided gives those that slices, transpose and expand can give",
        lambda d: "as_strided" in d.step and only_ours_raises(d, "^as_strided: "),
    ),
    Rule(
        "numbers written through what repeats",
        "x.expand(2, 3)[0] = 1 is refused, as other writes into elements that repeat are",
        lambda d: only_ours_raises(d, "has elements that repeat"),
    ),
    Rule(
        "odd keys",
        "strings and int16 and float arrays as indices: what is no index is an IndexError, and "
        "integers of every type are one",
        lambda d: (
            "[" in d.step
            and (
                re.search("tensors used as indices must be long|invalid data type", text(d.real))
                or re.search("must be of integer or boolean type", text(d.ours))
            )
        ),
    ),
    Rule(
        "lists of nothing as keys",
        "x[[None]] is x[None]; PyTorch takes the list for numbers",
        of_step(r"\[", "raises RuntimeError", "Could not infer dtype"),
    ),
    Rule(
        "ints beyond 64 bits",
        "are OverflowErrors beside integers, and floats beside floats; ValueErrors in PyTorch",
        of_step(r"10\*\*20|2\*\*6[34]", "raises ValueError"),
    ),
    Rule(
        "bool -= number",
        "is refused for the type of its result; PyTorch refuses the subtraction",
        of_step(r"-= |sub_\(|subtract_\(", "raises NotImplementedError, ours RuntimeError", "Subtraction"),
    ),
    Rule(
        "versions of views in place",
        "x.squeeze_() of what has a gradient is no write: _version stays",
        lambda d: (
            "_version" in d.step
            and d.how == "values"
            and re.search(r"(squeeze|transpose|t|swapaxes|swapdims)_\(", str(d.program["steps"]))
        ),
    ),
]


# What is known of which tensors share memory or are one object.
SNAPSHOTS = "exports are snapshots and imports copies"  # nothing shares memory with NumPy
CONJUGATES = "conjugates are copies"  # views in PyTorch
ONE_HOST = "the host is one device"  # .to("cpu:1") is the tensor itself


def is_shared_with_numpy(difference):
    imports = r"from_numpy|as_tensor|asarray|frombuffer|\.numpy\(|Tensor\(n"
    return difference.how == "shared memory" and any(
        re.search(imports, step) for step in difference.program["steps"]
    )


def known_sharing(difference):
    if is_shared_with_numpy(difference):
        return SNAPSHOTS
    steps = str(difference.program["steps"])
    if difference.how == "shared memory" and re.search(r"conj\(|\.mH|\.H\b|adjoint\(", steps):
        return CONJUGATES
    if re.search(r"\.H\b", steps) and difference.how == "same objects":
        return CONJUGATES
    return ONE_HOST if "cpu:1" in steps else None


def known_difference(difference):
    """The name of the rule that explains it, or None."""
    if difference.step is None:
        return known_sharing(difference)
    return first_match(RULES, difference)
