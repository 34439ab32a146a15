"""Where ours differs from PaddlePaddle 3.3.1 on purpose. docs/paddle.md lists the same.

What a rule is and looks at is in dialect_programs/rules.py."""

import ast
import cmath
import math
import re

from dialect_programs.rules import (
    Rule,
    elements,
    first_match,
    is_inf,
    is_nan,
    number,
    numbers,
    of_step,
    only_ours_raises,
    only_real_raises,
    text,
)

# What is said of an argument that is of a wrong kind, or one too many.
WRONG_KIND = (
    r"must be (a )?(Tensor|tensor|list|tuple|int|integer|str|numpy|scalar|float|bool|any of)|"
    r"should be (a )?(Tensor|list|int|float|str|one of|tuple|scalar)|except axis type|"
    r"has no attribute '(shape|dtype|ndim|astype|place|name|is_dist|dim|size|lower|item|clone|flatten|"
    r"numpy|unsqueeze|tolist|data_ptr|reshape|__dict__)'|unsupported operand|bad operand|"
    r"not supported between|is not (iterable|subscriptable|callable)|argument after \*|"
    r"positional argument|unexpected keyword|multiple values|Not supported numpy dtype|"
    r"[Tt]he (data )?type of|Type of input args|Currently, |Value type error|not understood|"
    r"must be real number|cannot be interpreted|could not convert|device value error|keyword|"
    r"must be long|Variable length not match|only one element tensors|only 0-dimensional arrays|Expected Tensor|is not set|object cannot be|greater than or equal to the rank|is not supported|"
    r"set_value function, arguments type|"
    r"invalid literal|expected at least|has too many arguments|Unexpected data type|dtype"
)
RANGES = (
    r"out of range|out of bounds|must be in the range|in range of|must >= 0|expected at least 2|"
    r"should be in the range|larger than the opposite rank|Too many indices|"
    r"dimensions?|len\(\) of a 0-D|arg is an empty"
)


def has_no_kernel(difference):
    """The real one has no code for the type; ours has a result, or tells something else first."""
    return re.search(
        "of kernel `.*not registered|Only supports to align data type|not supported data type|"
        "Unsupported (data|dtype|data type)|must be one of \\[|can not meet input requirements",
        text(difference.real),
    )


def both_raise(told):
    """Whether both raise, and the real one's text has this in it."""
    return lambda d: (
        "error" in d.real
        and "error" in d.ours
        and d.real["error"] != d.ours["error"]
        and re.search(told, text(d.real))
    )


def arguments_of(statement):
    """How many arguments the call of a statement has, by place and by name; 0 if it is no call."""
    call = getattr(ast.parse(statement).body[0], "value", None)
    if isinstance(call, ast.Call) and getattr(call.func, "id", None) == "about":
        call = call.args[0]
    return len(call.args) + len(call.keywords) if isinstance(call, ast.Call) else 0


def several_arguments(difference):
    """Both refuse a call: of two arguments or more, or of one whose kind ours refuses."""
    return (
        difference.program["family"] in ("wrong_calls", "creation")
        and "error" in difference.real
        and "error" in difference.ours
        and (arguments_of(difference.step) >= 2 or difference.ours["error"] == "TypeError")
    )


def is_empty(value):
    return 0 in value.get("shape", ())


def of_nothing(difference):
    """A function of a tensor without elements."""
    return any(map(is_empty, [difference.real, difference.ours, *difference.inputs]))


def has_no_dimensions(difference):
    return any(v.get("shape") == [] for v in [difference.real, *difference.inputs])


def drops_batches(difference):
    """A product of integers that has fewer matrices than its operands make."""
    real, ours = (r.get("shape") or [0] for r in (difference.real, difference.ours))
    return (
        re.search(r"matmul|mm\(|@", difference.step)
        and "int" in difference.real.get("dtype", "")
        and real[-2:] == ours[-2:]
        and math.prod(real) < math.prod(ours)
    )


def is_complex(difference):
    return "complex" in str([v.get("dtype") for v in [difference.real, *difference.inputs]]) or (
        re.search(r"\dj\b|complex", str(difference.program["steps"][: difference.at + 1]))
    )


def does_not_fit(difference):
    """Integers made of floats that their type cannot hold."""
    pairs = elements(difference)
    return (
        pairs
        and "int" in difference.real.get("dtype", "")
        and re.search(r"cast|astype|\.to\(|dtype=|to_tensor|\] =|long\(|int\(|fill|full", difference.step)
    )


def _real(a, b):
    return not isinstance(a, list) and not isinstance(b, list)


def apart(difference):
    """Pairs of elements that are not nearly equal."""
    return [(a, b) for a, b in elements(difference) if not _near(a, b)]


def _near(a, b):
    return cmath.isclose(number(a), number(b), rel_tol=1e-4)


def texts(difference):
    """Both texts, without spaces and the signs of zeros; None if they are none."""
    values = [r.get("value") for r in (difference.real, difference.ours) if isinstance(r, dict)]
    if len(values) < 2 or not all(isinstance(one, str) for one in values):
        return None
    return [re.sub(r"[ \n]|\+(?=-)|-(?=0\.0*[^\d])", "", one) for one in values]


def last_digits(difference):
    """Texts of results that differ in numbers that are nearly equal."""
    both = texts(difference)
    if not both:
        return False
    found = [re.findall(r"-?\d+\.\d*(?:e[+-]\d+)?", one) for one in both]
    return (
        re.sub(r"[\d.]+", "0", both[0]) == re.sub(r"[\d.]+", "0", both[1])
        and len(found[0]) == len(found[1])
        and all(math.isclose(float(a), float(b), rel_tol=1e-5, abs_tol=1e-6) for a, b in zip(*found))
    )


def alike(difference, tolerance):
    """Whether two tensors differ by no more than a part of their elements."""
    pairs = elements(difference)
    return pairs and all(_real(a, b) and math.isclose(a, b, rel_tol=tolerance) for a, b in pairs)


def nearly(difference):
    """Whether tensors, or lists of numbers, differ by less than a part in 1000."""
    real, ours = difference.real, difference.ours
    if difference.how != "values":
        return False
    if "items" in real:
        pairs = [(a.get("value"), b.get("value")) for a, b in zip(real["items"], ours["items"])]
    else:
        pairs = elements(difference) or [(real.get("value"), ours.get("value"))]
    return all(
        isinstance(a, float) and math.isclose(a, b, rel_tol=1e-3, abs_tol=1e-4) for a, b in pairs
    )


def drifts(difference, limit):
    """Whether lists of losses are the same for five steps, and no further apart than a limit later."""
    real, ours = difference.real, difference.ours
    if difference.how != "values" or len(real.get("items", ())) != 20:
        return False
    pairs = [(a.get("value"), b.get("value")) for a, b in zip(real["items"], ours["items"])]
    return all(isinstance(a, float) for a, _ in pairs) and all(
        math.isclose(a, b, rel_tol=1e-5, abs_tol=1e-5 if at < 5 else limit)
        for at, (a, b) in enumerate(pairs)
    )


def before(difference, pattern):
    """Whether the steps up to the difference have this in them."""
    return re.search(pattern, str(difference.program["steps"][: (difference.at or 0) + 1]))


RULES = [
    Rule(
        "tensors of all types promote",
        "as PyTorch's do; PaddlePaddle raises for most mixtures of integers and floats, and for lists "
        "of tensors of two types",
        lambda d: (
            "error" in d.real
            and re.search(
                "Type promotion only support|type of data we are trying to retrieve|isn't consistent",
                text(d.real),
            )
        ),
    ),
    Rule(
        "more element types are taken",
        "where PaddlePaddle has no kernel for a type on the CPU, there is a result",
        has_no_kernel,
    ),
    Rule(
        "not here",
        "parts of PaddlePaddle that Penstock does not have say so by name",
        lambda d: re.search("is not here", text(d.ours)),
    ),
    Rule(
        "more arguments are taken",
        "numbers, NumPy's numbers and tensors where PaddlePaddle wants another kind of argument",
        lambda d: only_real_raises(WRONG_KIND)(d),
    ),
    Rule(
        "classes of errors about arguments",
        "an argument of a wrong kind is a ValueError or TypeError; what PaddlePaddle raises depends on "
        "where its code first uses it",
        both_raise(WRONG_KIND),
    ),
    Rule(
        "classes of errors about axes",
        "an axis or position that is not there is a ValueError or IndexError; some functions of "
        "PaddlePaddle raise the other, or AssertionError",
        both_raise(RANGES),
    ),
    Rule(
        "several wrong arguments",
        "which of them is told first differs; one of a kind that no call takes is a TypeError",
        several_arguments,
    ),
    Rule(
        "types before shapes",
        "methods in place refuse types that they are not for before they look at shapes",
        lambda d: both_raise("different from that of inplace")(d) and "no rule for" in text(d.ours),
    ),
    Rule(
        "complex numbers have no order",
        "comparisons, remainders and the like of complex numbers are refused; PaddlePaddle compares "
        "their real parts",
        lambda d: re.search("no rule for|complex", text(d.ours)) and is_complex(d),
    ),
    Rule(
        "errors in values come where they are waited for",
        "such as a division by 0 of integers",
        lambda d: d.how == "EnforceNotMet comes late",
    ),
    Rule(
        "NumPy's numbers beside tensors",
        "are numbers of their value; PaddlePaddle cuts floats beside integers, and compares some "
        "wrongly",
        lambda d: (
            before(d, r"np\.(u?int|float)\d+\(")
            and re.match("values|dtype: |kind: bool, ours Tensor|ours raises RuntimeError", d.how)
        ),
    ),
    Rule(
        "what has no dimensions gets none",
        "operators of a number and such a tensor; PaddlePaddle gives some of them one",
        lambda d: d.how == "shape: [1], ours []" and has_no_dimensions(d),
    ),
    Rule(
        "reductions and places of nothing",
        "are refused, or have a value of their own; PaddlePaddle's are unset memory in places",
        of_nothing,
    ),
    Rule(
        "numbers that do not fit",
        "into a type of integers become the nearest that does; PaddlePaddle's wrap",
        does_not_fit,
    ),
    Rule(
        "the truth of negative numbers",
        "is True; PaddlePaddle asks whether a number is above 0",
        of_step(r"bool\(", "values"),
    ),
    Rule(
        "in place a tensor keeps its type",
        "x.add_(y), x.logical_and_(y) and the like are refused if the result is of another type; "
        "PaddlePaddle changes x's type",
        lambda d: (
            only_ours_raises(d, "cannot take elements of")
            or d.how.startswith("dtype: ")
            and any(re.search(r"[a-z]_\(", step) for step in d.failed)
        ),
    ),
    Rule(
        "gradients of gradients' tensors",
        "x.grad stops gradients if it is no part of a graph; in PaddlePaddle that depends on how it "
        "was made",
        of_step(r"\.grad\b|gradients", "^flows"),
    ),
    Rule(
        "gradients that hooks changed",
        "are written in place as others are; those of PaddlePaddle may be results",
        lambda d: before(d, "register_hook") and re.search(r"grad|list\(seen\)", d.step),
    ),
    Rule(
        "products of two types",
        "are refused; the operator @, outer and the like of PaddlePaddle promote, and take the left "
        "one's type for integers",
        lambda d: only_ours_raises(d, "to have the same dtype"),
    ),
    Rule(
        "products with numbers",
        "x @ 2 is refused; PaddlePaddle takes the number for a vector",
        lambda d: only_ours_raises(d, "must be arrays, not numbers"),
    ),
    Rule(
        "numbers beside half precision",
        "keep it; where and floor_divide of PaddlePaddle give float32",
        lambda d: re.match("dtype: float32, ours b?float16", d.how),
    ),
    Rule(
        "bounds of one element",
        "clip by a tensor of the shape [1] has a dimension; none in PaddlePaddle",
        of_step("clip|clamp", "^shape"),
    ),
    Rule(
        "moments of RMSProp",
        "with centered=True nearly cancel where a gradient hardly changes: steps differ by rounding",
        lambda d: before(d, "centered=True") and d.how == "values",
    ),
    Rule(
        "steps around a minimum",
        "make much of a gradient's rounding, whose sign they follow: losses are the same at first. So "
        "does L1Decay, of a weight's sign",
        lambda d: (
            d.program["family"] == "optimisers" and drifts(d, 0.1 if before(d, "L1Decay") else 1e-2)
        ),
    ),
    Rule(
        "LinearLR to an epoch",
        "step(n) gives the rate of the epoch; PaddlePaddle goes one step from the last rate",
        lambda d: before(d, r"LinearLR\(") and before(d, r"s\.step\(.*\d"),
    ),
    Rule(
        "states of LinearWarmup",
        "may lack the inner schedule's; a KeyError in PaddlePaddle",
        only_real_raises("LinearWarmup_LR"),
    ),
    Rule(
        "limits of complex types",
        "are those of their parts: finfo of these is not here",
        lambda d: only_ours_raises(d, "finfo: a floating-point type"),
    ),
    Rule(
        "writes beside None",
        "x[None, None] = y has its shape; PaddlePaddle mistakes it for another",
        lambda d: "None" in d.step
        and only_real_raises("must match the shape of target|non-singleton dimension does not")(d),
    ),
    Rule(
        "tensordot of lengths that differ",
        "is refused; PaddlePaddle repeats a length of 1",
        lambda d: "tensordot" in d.step and only_ours_raises(d, "do not fit"),
    ),
    Rule(
        "shapes are broadcast",
        "by isclose, allclose and normal; PaddlePaddle refuses it",
        only_real_raises(
            "must have the same dimension size|same shape|should be equal|is not equal to the Input|"
            "must be equal to the capacity"
        ),
    ),
    Rule(
        "batches of integers' products",
        "are broadcast; PaddlePaddle drops them where a row of integers meets columns",
        drops_batches,
    ),
    Rule(
        "sums of several tensors",
        "of two shapes are refused; PaddlePaddle writes a tensor without dimensions over the first "
        "element",
        lambda d: "add_n" in d.step and only_ours_raises(d, "must have the same shape"),
    ),
    Rule(
        "nan_to_num of integers",
        "gives them; PaddlePaddle raises AssertionError",
        of_step("nan_to_num", "raises (AssertionError|ValueError)"),
    ),
    Rule(
        "bounds of infinities",
        "clip by tensors leaves infinities where there is no bound; PaddlePaddle makes them the "
        "largest number",
        lambda d: "cl" in d.step and elements(d) and all(is_inf(b) for _, b in elements(d)),
    ),
    Rule(
        "infinite numbers divided",
        "inf // 2 is inf, as the array API standard has it; NaN in PaddlePaddle",
        lambda d: (
            re.search(r"//|floor_divide", d.step)
            and elements(d)
            and all(is_nan(a) and is_inf(b) for a, b in elements(d))
        ),
    ),
    Rule(
        "softmax of infinity",
        "is not a number there, and 0 beside it; nowhere a number in PaddlePaddle",
        lambda d: (
            "softmax" in d.step
            and apart(d)
            and all(is_nan(a) and b in (0, -math.inf) for a, b in apart(d))
        ),
    ),
    Rule(
        "logsumexp of infinity",
        "is infinity; NaN in PaddlePaddle",
        lambda d: (
            "logsumexp" in d.step
            and apart(d)
            and all(is_nan(a) and is_inf(b) for a, b in apart(d))
        ),
    ),
    Rule(
        "angles and signs of integers",
        "atan2 and copysign of integers are float32; float64 and integers in PaddlePaddle; hypot of an "
        "infinity is one, and of numbers whose squares are too small for the type not 0",
        lambda d: (
            re.search("atan2|copysign|hypot|logaddexp", d.step)
            and re.match("dtype: |ours raises ValueError", d.how)
            or "hypot" in d.step
            and apart(d)
            and all(is_nan(a) and is_inf(b) or a == 0 and abs(b) < 1e-18 for a, b in apart(d))
        ),
    ),
    Rule(
        "deviations of one number",
        "of an integer, or without dimensions, are 0, not a number in PaddlePaddle; those of complex "
        "numbers are real",
        lambda d: (
            re.search("std|var", d.step)
            and (elements(d) or "complex" in d.how)
            and (
                any("int" in v.get("dtype", "") for v in d.inputs)
                or has_no_dimensions(d)
                or is_complex(d)
            )
        ),
    ),
    Rule(
        "what has no dimensions",
        "has no axis 0 for sort, median, kthvalue, diag and iteration; PaddlePaddle takes it for a "
        "vector in some of them, and has no items in it",
        lambda d: "error" in d.ours and has_no_dimensions(d),
    ),
    Rule(
        "writes into what has no dimensions",
        "by None and by masks; PaddlePaddle refuses some of them",
        lambda d: (
            re.search(r"\] .?= ", d.step)
            and "error" in d.real
            and (has_no_dimensions(d) or re.search("rank of input should be less", text(d.real)))
        ),
    ),
    Rule(
        "the best of equal elements",
        "is the first for topk, and what flows to it: another one in PaddlePaddle at times",
        lambda d: (
            before(d, "topk")
            and ".grad" in d.step
            and d.how == "values"
            and sorted(numbers(d.real)) == sorted(numbers(d.ours))
        ),
    ),
    Rule(
        "masks that select nothing",
        "write nothing; PaddlePaddle refuses them",
        lambda d: only_real_raises("p_index is nullptr")(d) and "] = " in d.step,
    ),
    Rule(
        "float keys",
        "index tensors of floats are an IndexError; a ValueError in PaddlePaddle",
        both_raise("value tensor of shape|did not match indexed|Index holds the wrong type|slice indices only allows|type of tensor in slice"),
    ),
    Rule(
        "places that functions return",
        "have no gradient and stop it; PaddlePaddle says of topk's that they do not",
        of_step("topk|sort|kthvalue|unique", "^flows|items"),
    ),
    Rule(
        "heads of another shape",
        "are refused by paddle.grad as by backward, so that there is no gradient of that shape",
        lambda d: (
            re.search(r"paddle\.grad\(|autograd", d.step)
            and re.search("shape not match", text(d.ours))
            or ".grad" in d.step
            and before(d, r"autograd\.backward")
            and d.how == "kind: Tensor, ours NoneType"
        ),
    ),
    Rule(
        "what was overwritten whole",
        "x[...] = 2.5 cuts x from what it was made of: it stops gradients, and there is none of that",
        lambda d: (
            before(d, r"\] = |fill_|zero_|set_value")
            and (d.how.startswith("flows") or "NoneType" in d.how)
        ),
    ),
    Rule(
        "results that set_value overwrote",
        "x.exp_(); x.set_value(y): the gradient of exp is of the result that it had; PaddlePaddle's is of y",
        lambda d: d.how == "values" and ".grad" in d.step and before(d, r"_\(\).*set_value"),
    ),
    Rule(
        "the gradient of smoothed labels",
        "is there; PaddlePaddle's is None for one row",
        lambda d: "kind: NoneType, ours Tensor" in d.how and before(d, "label_smoothing"),
    ),
    Rule(
        "the gradient of binary entropy at 0",
        "has the sign that it has beside it; PaddlePaddle's has the other",
        lambda d: (
            before(d, "binary_cross_entropy_with_logits|BCEWithLogits")
            and d.how == "values"
            and any(n == 0 for value in d.inputs for n in numbers(value))
        ),
    ),
    Rule(
        "bfloat16 in NumPy",
        "needs ml_dtypes; PaddlePaddle gives the bits as integers",
        lambda d: only_ours_raises(d, "NumPy has no bfloat16") or before(d, "bfloat16") and d.step.endswith(".tolist()"),
    ),
    Rule(
        "complex numbers that lose a part",
        "are refused for types without it",
        lambda d: only_ours_raises(d, "i does not fit into"),
    ),
    Rule(
        "operators of NumPy's numbers",
        "work with all of its types; PaddlePaddle refuses some",
        only_real_raises("does not support ufuncs|__array_ufunc__"),
    ),
    Rule(
        "parts of nothing",
        "split by [n, -1] has an empty last part if nothing is left; PaddlePaddle refuses it",
        only_real_raises("Sum of Attr"),
    ),
    Rule(
        "the signs of zeros in texts",
        "are those of the numbers: -0.0 of 0.0 negated, and 1-0j",
        lambda d: d.how == "values" and texts(d) and texts(d)[0] == texts(d)[1],
    ),
    Rule(
        "gradients that pass float32",
        "have its digits from there on",
        lambda d: "float32" in str(d.program["steps"]) and ".grad" in d.step and alike(d, 1e-6),
    ),
    Rule(
        "floats beside integers in comparisons",
        "are compared as they are; some functions of PaddlePaddle cut them first",
        lambda d: (
            of_step("equal|less|greater|[<>]", "values")(d)
            and before(d, r"\d\.[1-9]")
            and any(re.match("u?int|bool", value.get("dtype", "")) for value in d.inputs)
        ),
    ),
    Rule(
        "the last digits of results",
        "a text of 8 decimals shows digits that float32 does not hold; they differ as results may",
        lambda d: d.how == "values" and last_digits(d),
    ),
    Rule(
        "truth values have no gradient",
        "stop_gradient is True for them; False in PaddlePaddle",
        lambda d: (
            only_ours_raises(d, "bool has no gradient")
            or re.search("bool", d.step)
            and (d.how in ("values", "flows: [False, False], ours [True, True]"))
            and "stop_gradient=False" in str(d.real.get("value", "stop_gradient=False"))
        ),
    ),
    Rule(
        "the default type of results",
        "an integer tensor and a float give the default type; always float32 in PaddlePaddle",
        lambda d: before(d, "set_default_dtype") and d.how.startswith("dtype: float32"),
    ),
    Rule(
        "tensors without dimensions are weak",
        "within a kind of types, as in PyTorch; in some mixtures of PaddlePaddle they are not",
        lambda d: (
            d.how.startswith("dtype: ")
            and (
                has_no_dimensions(d)
                or d.program["family"] == "promotion"
                and before(d, "[xy] = [0-9T]")
            )
        ),
    ),
    Rule(
        "what raises has not written",
        "x.add_(y) of a leaf leaves it as it was; PaddlePaddle has written by then, and counted it",
        lambda d: (
            any(re.search(r"[a-z]_\(|\] = ", step) for step in d.failed)
            and (d.how == "values" or d.how.startswith(("shape", "raises")))
        ),
    ),
    Rule(
        "views that are the tensor itself",
        "reshape and x[...] to the same shape are views; in PaddlePaddle some are the tensor itself, a "
        "leaf",
        lambda d: (
            of_step(r"reshape|\[\.\.\.\]|stop_gradient = |dropout|net\(", r"^flows")(d)
            or "kind: Tensor, ours NoneType" in d.how
            and before(d, r"retain_grads")
            and before(d, r"reshape|\[\.\.\.\]")
        ),
    ),
    Rule(
        "values of one element as layouts",
        "a dimension of length 1 or 0 does not count for is_contiguous and strides",
        of_step(r"is_contiguous|strides", "values"),
    ),
    Rule(
        "zeros to negative powers",
        "(-0.0) ** -1 is -inf, as IEEE 754 has it; inf in PaddlePaddle",
        lambda d: re.search(r"\*\*|pow", d.step) and apart(d) and all(a == -b for a, b in apart(d)),
    ),
    Rule(
        "complex128 of single precision",
        "exp of complex128 has all its digits; those of complex64 in PaddlePaddle",
        lambda d: d.real.get("dtype") == "complex128" and "values" == d.how and "exp" in d.step,
    ),
    Rule(
        "truth values divided",
        "are floats, as integers are, inf and NaN by 0; PaddlePaddle's are truth values, or raise",
        lambda d: (
            d.real.get("error") == "EnforceNotMet"
            and d.ours.get("error") != "EnforceNotMet"
            or re.search(" /=? |divide", d.step)
            and d.how == "dtype: bool, ours float32"
        ),
    ),
    Rule(
        "labels out of range",
        "are found where the result is waited for",
        lambda d: d.how.endswith("comes late"),
    ),
    Rule(
        "names by position",
        "name is given by its name; PaddlePaddle takes anything as the last argument",
        lambda d: "error" in d.ours
        and "error" not in d.real
        and re.search(
            r"give name= by name|positional arguments? but|too many arguments|unexpected keyword|expected \d argument",
            text(d.ours),
        ),
    ),
    Rule(
        "types and texts as operands",
        "are refused; PaddlePaddle takes their numbers",
        lambda d: only_ours_raises(d, "unsupported operand") or of_step("== ", "kind: Tensor, ours bool")(d),
    ),
    Rule(
        "slices of shapes",
        "are lists, which are equal to shapes",
        of_step(r"shape\[|size\(slice", "kind: Size, ours list"),
    ),
    Rule(
        "axes given twice",
        "are refused by flip; of what has no dimensions they are not looked at",
        lambda d: only_ours_raises(d, "given twice") or only_real_raises("duplicate dimensions")(d),
    ),
    Rule(
        "powers of norms",
        "all are taken for matrices, and for one number; PaddlePaddle refuses some, or gives 0; norms of "
        "complex numbers are real",
        of_step(r"(\.|\b)(norm|dist)\(", "values|raises|dtype: complex"),
    ),
    Rule(
        "views of what has no dimensions",
        "x.view([1]) is one, and 0 keeps a length in view as in reshape; PaddlePaddle refuses both; what "
        "flatten and reshape give of an element of unbind is one, too, and a copy there",
        lambda d: (
            only_real_raises("can not be viewed|cannot reshape tensor of 0 elements")(d)
            or d.how == "values"
            and re.search(r"unbind.*(flatten|reshape).*_\(", str(d.program["steps"][: d.at]))
        ),
    ),
    Rule(
        "lengths below 0",
        "are ValueErrors",
        both_raise(r"meta data must be valid|shifts\.size"),
    ),
    Rule(
        "no_grad without parentheses",
        "is taken as a decorator; PaddlePaddle refuses it",
        of_step("no_grad", "raises TypeError"),
    ),
    Rule(
        "restarts after a state",
        "CosineAnnealingWarmRestarts goes on from last_epoch; PaddlePaddle from where it was",
        lambda d: before(d, "CosineAnnealingWarmRestarts") and before(d, "set_state_dict"),
    ),
    Rule(
        "Adam's numbers",
        "that are None are TypeErrors; AssertionErrors in PaddlePaddle",
        of_step(r"O\.Adam", "raises AssertionError"),
    ),
    Rule(
        "casts that PaddlePaddle does not have",
        "such as of complex numbers in lists",
        lambda d: re.search("is not supported when casting", text(d.real)),
    ),
    Rule(
        "bincount of what is no vector",
        "is a ValueError, and truth values are counted; TypeErrors in PaddlePaddle",
        of_step("bincount", "raises TypeError"),
    ),
    Rule(
        "iterators of tensors",
        "are refused where a list is wanted; vstack and hstack of PaddlePaddle take them",
        of_step(r"iter\(|hstack|vstack", "ours raises ValueError"),
    ),
    Rule(
        "Adam's corrections",
        "are computed with all digits; PaddlePaddle's 1 - 0.999 ** n has the digits of float32, which "
        "shows after some steps",
        lambda d: d.program["family"] == "optimisers" and before(d, r"O\.Adam") and nearly(d),
    ),
    Rule(
        "Python's types as element types",
        "float is the default type; some functions of PaddlePaddle take it for float64",
        of_step("dtype=(float|int|bool|complex)", "dtype|ours (raises )?TypeError"),
    ),
    Rule(
        "remainders by floats",
        "of integers are floats; paddle.mod cuts the float",
        of_step("mod|remainder|floor_divide", "dtype: u?int"),
    ),
    Rule(
        "gradients of products with zeros",
        "are the products of the other elements; NaN in PaddlePaddle",
        lambda d: before(d, r"prod\(") and apart(d) and all(is_nan(a) for a, _ in apart(d)),
    ),
    Rule(
        "writes that no gradient needs",
        "are allowed; PaddlePaddle refuses some",
        only_real_raises("has been modified by an inplace"),
    ),
    Rule(
        "truth values beside numbers",
        "are compared as numbers; paddle.equal takes the number for a truth value",
        lambda d: (
            re.search("equal|less|greater", d.step)
            and (before(d, "dtype='bool'") or any(v.get("dtype") == "bool" for v in d.inputs))
            and apart(d)
        ),
    ),
    Rule(
        "closeness to infinity",
        "only infinity of the same sign is close to it; in PaddlePaddle everything is",
        lambda d: (
            "close" in d.step
            and d.real.get("dtype") == "bool"
            and d.how == "values"
            and any(math.isinf(n) for value in d.inputs for n in numbers(value))
        ),
    ),
    Rule(
        "axes that are not there",
        "are refused; gather and cumprod of PaddlePaddle take some, or refuse others of what has no "
        "dimensions",
        lambda d: only_ours_raises(d, "the axis is expected") or only_real_raises("CumprodOp")(d),
    ),
    Rule(
        "writes of nothing",
        "into what has elements are refused, and into nothing are none; PaddlePaddle writes what lies in "
        "memory, and refuses some of nothing into nothing",
        lambda d: only_ours_raises(d, r"shape \(.*0.*cannot be written")
        or "] = " in d.step
        and only_real_raises(r"The value \(0\) of the non-singleton dimension")(d),
    ),
    Rule(
        "writes where nothing is true",
        "check the shape as others do; PaddlePaddle does not look at it",
        lambda d: only_ours_raises(d, r"cannot be broadcast to \(0, "),
    ),
    Rule(
        "gradients of another type",
        "than the tensor's become the tensor's; PaddlePaddle keeps the type of what backward was given",
        lambda d: re.search(r"\.grad\b|clear_grad", d.step)
        and re.match("dtype: float", d.how)
        and before(d, r"backward\(\["),
    ),
    Rule(
        "remainders of roots",
        "are those of correctly rounded roots; PaddlePaddle's root of 1 is 1 less its last digit",
        lambda d: before(d, "sqrt")
        and re.search("%|mod|remainder|floor", d.step)
        and elements(d) != [],
    ),
    Rule(
        "texts of BatchNorm1D",
        "name the layout; PaddlePaddle's no longer do after the first call",
        lambda d: d.how == "values" and "repr(net)" in d.step and before(d, "BatchNorm1D"),
    ),
    Rule(
        "wrong calls that PaddlePaddle takes",
        "are refused: bounds of another shape, shapes of several dimensions, numbers as types",
        lambda d: d.program["family"] == "wrong_calls" and only_ours_raises(d, ""),
    ),
    Rule(
        "bounds and scales that are tensors",
        "may have several elements, and promote; PaddlePaddle takes NumPy's arrays for numbers",
        lambda d: (
            only_real_raises(
                "Scalar only supports|only one element variable|max should be greater than or equal"
            )(d)
            or of_step(r"clip.*np\.", "^dtype")(d)
        ),
    ),
    Rule(
        "errors that PaddlePaddle loses",
        "a SystemError of its Python functions; here the call has a result",
        only_real_raises("returned a result with an exception set"),
    ),
    Rule(
        "counts of writes",
        "each write of elements is counted once; PaddlePaddle counts some functions in place twice, "
        "and those of views apart",
        of_step("inplace_version", "values"),
    ),
    Rule(
        "shapes in place",
        "x[...] is a view that has its own shape; in PaddlePaddle it may be x, whose shape changes too",
        lambda d: (
            d.program["family"] == "in_place"
            and before(d, r"(squeeze|reshape|flatten)_\(")
            and (d.how.startswith("shape") or "raises" in d.how)
            or before(d, r"(squeeze|reshape|flatten)_\(")
            and d.program["family"] == "in_place"
            and d.how == "values"
        ),
    ),
    Rule(
        "unique by an axis",
        "is in order; PaddlePaddle's is not always",
        of_step(r"unique\(.*axis", "values"),
    ),
    Rule(
        "unique NaN",
        "is one; each is another in PaddlePaddle",
        lambda d: (
            "unique(" in d.step
            and any(is_nan(n) for value in d.inputs for n in numbers(value))
        ),
    ),
    Rule(
        "None twice beside numbers",
        "x[None, 0:2, None, 1] has the new dimensions where None stands; PaddlePaddle mistakes them",
        of_step(r"None.*None", "^shape"),
    ),
    Rule(
        "numbers in where",
        "are of the tensor's type; of float32 first in PaddlePaddle",
        lambda d: "where(" in d.step and (nearly(d) or is_complex(d) and d.how == "values"),
    ),
    Rule(
        "items of what does not lie row by row",
        "x[::2].item(2) is the third of x[::2]; PaddlePaddle takes another of x's",
        lambda d: (
            ".item(" in d.step
            and (d.how == "values" or only_real_raises("offset exceeds the size")(d))
            and before(d, r"::2\]|\[1:\]|transpose")
        ),
    ),
    Rule(
        "roots of infinity",
        "are infinite; NaN in PaddlePaddle where several are computed at once",
        lambda d: (
            "sqrt" in d.step
            and apart(d)
            and all(is_nan(a) and is_inf(b) for a, b in apart(d))
        ),
    ),
    Rule(
        "functions of infinite complex numbers",
        "have the limits of the C standard, such as 1 of tanh; NaN in PaddlePaddle",
        lambda d: (
            re.search("tanh|exp|log|sqrt|sin|cos", d.step)
            and is_complex(d)
            and apart(d)
            and all(is_nan(a) for a, _ in apart(d))
            and any(not math.isfinite(n) for value in d.inputs for n in numbers(value))
        ),
    ),
    Rule(
        "gradients after a write that was refused",
        "are there; in PaddlePaddle the leaf may have lost its place in the graph",
        lambda d: "kind: NoneType, ours Tensor" in d.how
        and any(re.search(r"[a-z]_\(|\] = ", step) for step in d.failed),
    ),
    Rule(
        "clip without bounds",
        "of integers gives them; PaddlePaddle gives the smallest number",
        of_step(r"cl(ip|amp)_?\((name=None)?\)", "values"),
    ),
    Rule(
        "numbers that are nearly equal",
        "are not equal; PaddlePaddle takes floats for equal that are less than 1e-8 apart",
        lambda d: (
            re.search("==|!=|equal", d.step)
            and d.real.get("dtype") == "bool"
            and d.how == "values"
            and any(0 < abs(n) < 1e-8 for value in d.inputs for n in numbers(value))
        ),
    ),
    Rule(
        "gradients where values are infinite",
        "are NaN only for what depends on them; PaddlePaddle's spread",
        lambda d: (
            ".grad" in d.step
            and apart(d)
            and all(is_nan(a) for a, _ in apart(d))
            and any(not math.isfinite(n) for value in d.inputs for n in numbers(value))
        ),
    ),
    Rule(
        "leaves that stop gradients later",
        "get none, nor do tensors made without gradients that others are written into; in PaddlePaddle "
        "they get one",
        lambda d: (
            "kind: Tensor, ours NoneType" in d.how
            and before(d, "stop_gradient = True|with paddle.no_grad")
        ),
    ),
    Rule(
        "no order of dimensions",
        "or too short a one, in transpose is refused; PaddlePaddle leaves the last dimensions",
        lambda d: "transpose" in d.step and only_ours_raises(d, "axis's size|permute: axes"),
    ),
    Rule(
        "gradients of norms over few elements",
        "differ by their rounding, where the deviation is small",
        lambda d: before(d, r"nn\.(Group|Instance|Batch|Layer)Norm") and nearly(d),
    ),
    Rule(
        "floats as truth values",
        "are True if they are not 0; full_like of PaddlePaddle refuses them",
        only_real_raises("The filled value is out of range"),
    ),
    Rule(
        "one object or another",
        "cast to the type that a tensor has is the tensor; reshape to its shape is a view",
        lambda d: False,
    ),
    Rule(
        "storages of gradients",
        "one is kept from the first backward on; PaddlePaddle makes another after clear_grad, and "
        "writes into it what is assigned to x.grad",
        lambda d: False,
    ),
    Rule(
        "moveaxis that copies",
        "moveaxis is a view, as transpose is; PaddlePaddle copies at times",
        lambda d: False,
    ),
    Rule(
        "writes of what does not lie row by row",
        "x.T.add_(y) writes into x; PaddlePaddle gives the view memory of its own there, and by "
        "contiguous, in which later views have no part",
        lambda d: (
            d.how == "values"
            and d.program["family"] == "views"
            and before(d, r"\.contiguous\(\)")
            and before(d, r"\] = ")
        ),
    ),
]


# What is known of which tensors share memory or are one object.
def known_sharing(difference):
    """The name of the rule, or None."""
    steps = str(difference.program["steps"])
    if difference.how == "same objects" and re.search(r"cast|\.to\(|astype|reshape|cpu\(|expand|\.T|\+\(|contiguous", steps):
        return "one object or another"
    if difference.how == "shared memory" and "moveaxis" in steps:
        return "moveaxis that copies"
    if difference.how == "shared memory" and re.search(
        r"= paddle.to_tensor\([^\[]|unbind.*(flatten|reshape)", steps
    ):
        return "views of what has no dimensions"
    if re.search(r"clear_grad|\.grad = ", steps):
        return "storages of gradients"
    if re.search(r"\.T\b|transpose|\.t\(|moveaxis|swapaxes|::|diagonal", steps) and re.search(
        r"_\(|contiguous", steps
    ):
        return "writes of what does not lie row by row"
    return None


def known_difference(difference):
    """The name of the rule that explains it, or None."""
    if difference.step is None:
        return known_sharing(difference)
    return first_match(RULES, difference)
