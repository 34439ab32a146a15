"""Where ours differs from MXNet 1.9.1 on purpose, or where MXNet has no answer. docs/mxnet.md lists
the same.

A rule looks at a difference: its statement `step`, its words `how`, the results `real` and `ours`
as the runner gave them. The first that matches explains it."""

import re


class Rule:
    def __init__(self, name, why, matches):
        self.name, self.why, self.matches = name, why, matches


def text(result):
    return result.get("text", "") if isinstance(result, dict) else ""


def raised(result):
    return result["error"][0] if "error" in result else None


def only_real_raises(difference, pattern):
    """The real one raises a text like this and ours has an answer."""
    return (
        "error" in difference.real
        and "error" not in difference.ours
        and re.search(pattern, text(difference.real)) is not None
    )


def more(name, why, pattern):
    return Rule(name, why, lambda d: only_real_raises(d, pattern))


def changed(difference):
    """Pairs of elements that differ, if the results are arrays of one shape and type; else none."""
    real, ours = difference.real, difference.ours
    if difference.how != "values" or "data" not in real or "data" not in ours:
        return []
    return [(a, b) for a, b in zip(real["data"], ours["data"]) if a != b and (a == a or b == b)]


def does_not_fit(difference):
    """Whole numbers made of numbers that the type cannot hold: ours are 0 or the nearest."""
    dtype = re.fullmatch(r"(u?)int(\d+)", difference.real.get("dtype", ""))
    if not dtype:
        return False
    bits = int(dtype[2])
    ends = (0, 2**bits - 1) if dtype[1] else (0, -(2 ** (bits - 1)), 2 ** (bits - 1) - 1)
    pairs = changed(difference)
    infinite = has_infinity(difference) or has_nan(difference)
    return bool(pairs) and (infinite or all(ours in ends for _, ours in pairs))


def infinite_sum(difference):
    """NaN where ours is infinite, or made of an infinite array in one statement."""
    pairs = changed(difference)
    if pairs:
        return all(a != a and abs(b) == float("inf") for a, b in pairs)
    return (
        has_infinity(difference)
        and difference.how == "values"
        and re.search(r"\b(sum|mean)\(", difference.step)
    )


def has_nan(difference):
    arrays = [*difference.inputs, difference.real]
    return any(v != v for array in arrays for v in array.get("data", ()))


def orders_nan(difference):
    return (
        has_nan(difference)
        and re.search("sort|topk|unique|softm|percentile|quantile", difference.step)
        and "error" not in difference.real
        and "error" not in difference.ours
    )


def orders_ties(difference):
    """The same positions in another order, of more elements than MXNet sorts stably."""
    real, ours = difference.real.get("data", ()), difference.ours.get("data", ())
    return (
        re.search("sort|topk", difference.step) and len(real) > 16 and sorted(real) == sorted(ours)
    )


def has_infinity(difference):
    return any(abs(v) == float("inf") for i in difference.inputs for v in i.get("data", ()))


def signed_zeros(difference):
    """They are inputs of unique or copysign, or the results are infinities that differ in sign."""
    if "np.copysign(" in difference.step:
        return any(v == 0 for i in difference.inputs for v in i["data"])
    if "np.unique(" in difference.step:
        return any(str(v) == "-0.0" for i in difference.inputs for v in i["data"])
    pairs = changed(difference)
    return bool(pairs) and all(a == -b and abs(a) == float("inf") for a, b in pairs)


def off_by_one(difference):
    """A function whose result lies next to a whole number."""
    exact = re.match(r"u?int", difference.real.get("dtype", "")) and difference.how == "values"
    return (
        exact
        and all(abs(a - b) == 1 for a, b in changed(difference))
        and re.search(
            r"\b(erf|exp|expm1|log\w*|tan|sinh?|cosh?|cbrt|sqrt|degrees|radians)\(", difference.step
        )
    )


def largest(difference):
    values = [abs(v) for i in difference.inputs for v in i.get("data", ()) if v == v]
    return max(values, default=0)


def overflowing_power(difference):
    dtype = re.fullmatch(r"u?int(\d+)", difference.real.get("dtype", ""))
    if not dtype or not changed(difference) or not re.search(r"\*\*|pow", difference.step):
        return False
    negative = difference.real["dtype"][0] == "u" and "-" in difference.step  # wraps to a large one
    most = largest(difference)
    return negative or most**most >= 2.0 ** (int(dtype[1]) - 1)


def near(difference, part):
    """Whether the results differ by no more than a part of the largest input."""
    pairs = changed(difference)
    return bool(pairs) and all(abs(a - b) <= part * largest(difference) for a, b in pairs)


def is_view(difference, name):
    """Whether the name was made by an index, a reshape or the like."""
    return any(
        step.startswith(f"{name} = ") and re.search(r"\w\[|reshape|detach|T$", step)
        for step in difference.program["steps"][: difference.at]
    )


def writes_what_it_reads(difference):
    """In place, while an operand is the target or a view."""
    target, _, value = difference.step.partition("= ")
    if difference.how != "values" or not re.match(r"\w+(\[.*\])? [-+*/%]?$", target):
        return False
    names = re.findall(r"\w+", value)
    return re.match(r"\w+", target)[0] in names or any(is_view(difference, n) for n in names)


def computed_in_integers(difference):
    """Deviations and norms of arrays that are not floating point, or as another type."""
    exact = any(not i.get("dtype", "float").startswith("float") for i in difference.inputs)
    if not exact and "dtype=" not in difference.step:
        return False
    if "error" in difference.real or "error" in difference.ours:
        return False
    mean = difference.how == "values" and "mean(" in difference.step
    return mean or re.search(r"\b(var|std|norm)\(", difference.step)


RULES = [
    Rule(
        "not here",
        "a function or a keyword that we do not have says so when it is used",
        lambda d: "not built" in text(d.ours) or "Penstock does not have" in text(d.ours),
    ),
    more(
        "more names",
        "functions, methods and operators that MXNet 1.9.1 lacks",
        r"has no attribute|unsupported operand type|bad operand type"
        r"|must derive from BaseException",
    ),
    more(
        "more types",
        "element types for which MXNet has no kernel",
        r"Unknown type enum|does not support (boolean|float16)|is not supported|type_flag_|kFlag"
        r"|FInferType|only support floating|should be int type|Do not support|not implemented"
        r"|Input data should be|does not support combination|param.dtype.value"
        r"|valid values are: \{",
    ),
    Rule(
        "mixed types",
        "functions of np promote like its operators do",
        lambda d: d.program["dialect"] == "np"
        and "(" in d.step
        and only_real_raises(d, r"Incompatible attr in node|Type inconsistent"),
    ),
    more(
        "negative axes",
        "a negative axis counts from the end, also where MXNet takes none",
        r"index = -\d+ must be in range",
    ),
    Rule(
        "negative axes of concatenate",
        "nd.concatenate takes them too",
        lambda d: "nd.concatenate(" in d.step
        and only_real_raises(d, "Shape inconsistent|ndim=.*too large"),
    ),
    more(
        "padding",
        "reflected wider than the array, or of other numbers of dimensions",
        r"implementation of reflection padding|only supports 4-D or 5-D",
    ),
    more("axes=None", "is the same as no axes in transpose", r"== param.axes.ndim\(\)"),
    more(
        "files of both modes",
        "a file that was written without set_np loads under set_np",
        r"was not saved",
    ),
    more(
        "empty slices",
        "a slice that selects nothing is an empty array, also where MXNet has none",
        r"Invalid slicing range|Invalid range \(start, stop, step\)|src_idx < dshape_len|^$"
        r"|inferred shape=\[.*\b0\b|NDArray.Reshape: Check failed: shape_.Size"
        r"|requested shape \(.*\b0\b",
    ),
    more(
        "indices of any type",
        "of batch_take and where they are whole numbers",
        r"batch_take|inferred type = int32",
    ),
    more("splits past the end", "give empty parts", r"is no less than the size of the axis"),
    Rule(
        "padding of one dimension",
        "MXNet fails where there is one dimension",
        lambda d: "np.pad" in d.step
        and only_real_raises(d, "must be in range|must be of integral"),
    ),
    Rule(
        "order of NaN",
        "NaN is sorted to the end; in MXNet its place depends on the algorithm",
        orders_nan,
    ),
    Rule(
        "order of ties",
        "equal elements keep their order; in MXNet not where there are many",
        orders_ties,
    ),
    Rule(
        "overlapping writes",
        "x *= x[0] reads all of x[0] first; MXNet reads what it has written",
        writes_what_it_reads,
    ),
    Rule(
        "means, deviations and norms of integers",
        "are computed in floating point; in MXNet in the integer "
        "type, where they overflow and round",
        computed_in_integers,
    ),
    Rule(
        "stack of unequal shapes",
        "raises; stack of MXNet takes the first shape for all",
        lambda d: ".stack(" in d.step and "error" not in d.real and "does not fit" in text(d.ours),
    ),
    Rule(
        "signed zeros",
        "0.0 and -0.0 are one value, and remainders have the divisor's sign",
        signed_zeros,
    ),
    Rule(
        "softmax and quantiles of infinities",
        "MXNet's softmax is NaN in the whole row, or depends on the order",
        lambda d: re.search("softm|quantile|percentile", d.step)
        and has_infinity(d)
        and d.how == "values",
    ),
    Rule("functions of integers", "are rounded once, and then cut off", off_by_one),
    Rule(
        "axis errors",
        "of functions that MXNet hands to NumPy are ValueError, not NumPy's AxisError",
        lambda d: raised(d.real) == "AxisError" and "ValueError" in d.ours.get("error", ()),
    ),
    Rule(
        "masks of NumPy",
        "a NumPy mask that is written through is a mask; MXNet takes it as integers",
        lambda d: re.match(r"\w+\[onp\.array\(\[+(True|False)", d.step),
    ),
    Rule(
        "reshape that drops elements",
        "raises; MXNet's function accepts (1, -2)",
        lambda d: "eshape(" in d.step
        and "error" in d.ours
        and "error" not in d.real
        and "cannot reshape" in text(d.ours),
    ),
    more(
        "numbers for arrays",
        "where MXNet asserts that an argument is an array",
        r"must have NDArray type",
    ),
    more(
        "NumPy's truth values",
        "can be written into arrays",
        r"Invalid Parameter format for (fill_)?value expect double"
        r"|No conversion could be performed",
    ),
    Rule(
        "empty arrays",
        "np makes them also outside set_np",
        lambda d: d.program["dialect"] == "nd" and "np.zeros((0" in d.step,
    ),
    more(
        "arrays without dimensions",
        "in percentile, quantile and reshape_like",
        r"axis should be between 0 and 0|Invalid begin, end",
    ),
    Rule(
        "arange in broken steps",
        "as integers or float16: the numbers are rounded; MXNet rounds the step",
        lambda d: re.search(r"arange\(.*, 0\.5, dtype='(u?int|float16)", d.step),
    ),
    Rule(
        "powers of integers that overflow",
        "wrap; in MXNet they are whatever the processor gives",
        overflowing_power,
    ),
    Rule(
        "remainders of rounded numbers",
        "differ as much as the numbers do",
        lambda d: re.search("mod|remainder|%", d.step) and near(d, 1e-4),
    ),
    more(
        "faults of MXNet",
        "in its libraries, with views or after other errors",
        r"could not construct|delay_alloc|exceed the maximum number of dimension",
    ),
    more(
        "lists of arrays", "a list of arrays is stacked", r"source_array must be array like object"
    ),
    Rule(
        "assertions",
        "where MXNet asserts, or fails on its way, ours raises what fits the fault",
        lambda d: "error" in d.ours
        and (
            raised(d.real) == "AssertionError"
            or re.search(
                "object has no attribute|tuple index out of range|codec can't decode", text(d.real)
            )
        ),
    ),
    Rule(
        "numbers that do not fit",
        "a float that an integer type cannot hold is the nearest integer "
        "that it can, and NaN is 0; in MXNet it is whatever the processor gives",
        does_not_fit,
    ),
    Rule(
        "infinite sums",
        "a sum with an infinity is infinite; MXNet's compensated sum is NaN",
        infinite_sum,
    ),
]


def only_ours_raises(difference, pattern):
    return (
        "error" in difference.ours
        and "error" not in difference.real
        and re.search(pattern, text(difference.ours)) is not None
    )


def new_axes_beside_arrays(difference):
    """Reading gives another shape; in writing either may be refused."""
    written = re.match(r"\w+\[.*\bNone\b.*\] =", difference.step)
    read = re.search(r"\[.*\bNone\b.*\]", difference.step) and difference.how.startswith("shape")
    return read or (written and "raises" in difference.how)


def sums_converted(difference):
    """Whole numbers made of floats by a reduction that was asked for them."""
    floats = any(i.get("dtype", "").startswith("float") for i in difference.inputs)
    return (
        floats
        and difference.how == "values"
        and re.search(r"(sum|prod)\(.*dtype='u?int", difference.step)
    )


RULES += [
    Rule(
        "wrong arguments",
        "a call with too many, too few or unknown arguments is a TypeError, as in Python, "
        "and not always an MXNetError",
        lambda d: raised(d.real) == "MXNetError" and raised(d.ours) == "TypeError",
    ),
    Rule(
        "axes of arrays without dimensions",
        "there are none; MXNet takes 0 and -1",
        lambda d: only_ours_raises(d, r"out of range for [01] dimensions"),
    ),
    Rule(
        "arithmetic of truth values",
        "powers, isnan and the like of bool arrays raise, and so do results as bool; "
        "lcm is for integers",
        lambda d: only_ours_raises(d, r"no rule for .*bool|'lcm'"),
    ),
    Rule(
        "arguments that do not fit",
        "such as -1 for uint8 in a list or in where raise; operators wrap them, as MXNet does",
        lambda d: only_ours_raises(d, r"does not fit|out of range for u?int"),
    ),
    Rule(
        "positions that are NaN",
        "are 0; MXNet leaves them out or takes whatever the processor gives",
        lambda d: has_nan(d) and re.search(r"(one_hot|pick|take)\(", d.step) and d.how == "values",
    ),
    Rule(
        "numbers beside integers",
        "arctan2, hypot, copysign and where of an integer array and a broken number are float32; "
        "MXNet cuts off",
        lambda d: d.how.startswith("dtype")
        and re.search(r"(arctan2|hypot|copysign|where)\(", d.step),
    ),
    Rule(
        "sums as integers",
        "np.sum(x, dtype='int32') of floats converts the elements; MXNet converts the sum",
        sums_converted,
    ),
    Rule(
        "new axes beside index arrays",
        "x[i, None] has them where they stand, as in NumPy; MXNet puts them first",
        new_axes_beside_arrays,
    ),
    Rule(
        "x[:]",
        "is a new array object of the same memory; in MXNet it is x itself",
        lambda d: re.search(r"a\[(:|\(\))\] is a", d.step),
    ),
    Rule(
        "nothing to make or go through",
        "nd.array(None) and a loop over an array without dimensions raise; "
        "in MXNet they give NaN and nothing",
        lambda d: only_ours_raises(d, "NoneType|iteration over a 0-d"),
    ),
    Rule(
        "sign and relu of NaN",
        "are NaN; in MXNet 0, and its copysign takes NaN for negative",
        lambda d: has_nan(d) and re.search(r"(sign|ctivation)\(", d.step) and d.how == "values",
    ),
    Rule(
        "broadcast_like",
        "takes arrays of any number of dimensions",
        lambda d: only_real_raises(d, r"lhs_shape.ndim\(\) == rhs_shape.ndim"),
    ),
]


def known_difference(difference):
    """The name of the rule that explains it, or None."""
    if difference.step is None:
        return None
    return next((r.name for r in RULES if r.matches(difference)), None)
