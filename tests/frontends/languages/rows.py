"""The rows that programs call, by what they take and give. Types are those of model.CLASSES."""

# row: (types, result); result is same, bool, real, float (integers become float32).
UNARY = {
    "abs": ("all", "real"),
    "positive": ("numeric", "same"),
    "negative": ("numeric", "same"),
    "square": ("numeric", "same"),
    "sign": ("numeric", "same"),
    "conj": ("numeric", "same"),
    "real": ("numeric", "real"),
    "imag": ("numeric", "real"),
    "round": ("numeric", "same"),
    "ceil": ("real", "same"),
    "floor": ("real", "same"),
    "trunc": ("real", "same"),
    "signbit": ("real", "bool"),
    "isfinite": ("numeric", "bool"),
    "isinf": ("numeric", "bool"),
    "isnan": ("numeric", "bool"),
    "logical_not": ("all", "bool"),
    "bitwise_invert": ("bool or integer", "same"),
    "copy": ("all", "same"),
    "exp": ("float", "float"),
    "expm1": ("float", "float"),
    "log": ("float", "float"),
    "log2": ("float", "float"),
    "log1p": ("float", "float"),
    "sqrt": ("float", "float"),
    "reciprocal": ("float", "float"),
    "sin": ("float", "float"),
    "cos": ("float", "float"),
    "tan": ("float", "float"),
    "asin": ("float", "float"),
    "atan": ("float", "float"),
    "sinh": ("float", "float"),
    "tanh": ("float", "float"),
    "acosh": ("float", "float"),
    "rsqrt": ("real float", "float"),
    "exp2": ("real float", "float"),
    "erf": ("real float", "float"),
    "relu": ("real", "same"),
    "relu6": ("real", "same"),
    "sigmoid": ("real float", "float"),
    "silu": ("real float", "float"),
    "gelu": ("real float", "float"),
    "gelu_tanh": ("real float", "float"),
    "softplus": ("real float", "float"),
    "softsign": ("real float", "float"),
    "hard_sigmoid": ("real float", "float"),
    "hard_swish": ("real float", "float"),
    "mish": ("real float", "float"),
}

BINARY = {
    "add": ("all", "same"),
    "subtract": ("numeric", "same"),
    "multiply": ("all", "same"),
    "divide": ("float", "float"),
    "floor_divide": ("real", "same"),
    "remainder": ("real", "same"),
    "modulo": ("real", "same"),
    "fmod": ("real", "same"),
    "pow": ("numeric", "same"),
    "maximum": ("bool or real", "same"),
    "minimum": ("bool or real", "same"),
    "atan2": ("real float", "float"),
    "hypot": ("real float", "float"),
    "logaddexp": ("real float", "float"),
    "copysign": ("real float", "float"),
    "nextafter": ("float32 or float64", "same"),
    "equal": ("all", "bool"),
    "not_equal": ("all", "bool"),
    "less": ("bool or real", "bool"),
    "less_equal": ("bool or real", "bool"),
    "greater": ("bool or real", "bool"),
    "greater_equal": ("bool or real", "bool"),
    "logical_and": ("all", "bool"),
    "logical_or": ("all", "bool"),
    "logical_xor": ("all", "bool"),
    "bitwise_and": ("bool or integer", "same"),
    "bitwise_or": ("bool or integer", "same"),
    "bitwise_xor": ("bool or integer", "same"),
    "bitwise_left_shift": ("integer", "same"),
    "bitwise_right_shift": ("integer", "same"),
    "l1_loss": ("real float", "float"),
    "l2_loss": ("real float", "float"),
    "logistic_loss": ("real float", "float"),
}

# What all languages have as operators, and those of them that assign.
OPERATORS = {
    "add": "+",
    "subtract": "-",
    "multiply": "*",
    "divide": "/",
    "remainder": "%",
    "bitwise_and": "&",
    "bitwise_or": "|",
    "bitwise_xor": "^",
    "bitwise_left_shift": "<<",
    "bitwise_right_shift": ">>",
    "equal": "==",
    "not_equal": "!=",
    "less": "<",
    "less_equal": "<=",
    "greater": ">",
    "greater_equal": ">=",
}
# Those for which Python, with a number first, asks the array for another: 2 < x is x > 2.
MIRRORED = list(OPERATORS)[12:]
UNARY_OPERATORS = {"negative": "-", "positive": "+", "bitwise_invert": "~"}
UPDATES = list(OPERATORS)[:10]

# Reductions: (types, result, several axes).
REDUCTIONS = {
    "sum": ("all", "sum", True),
    "prod": ("all", "sum", True),
    "mean": ("numeric", "float", True),
    "max": ("bool or real", "same", True),
    "min": ("bool or real", "same", True),
    "std": ("real float", "float", True),
    "var": ("real float", "float", True),
    "all": ("all", "bool", True),
    "any": ("all", "bool", True),
    "argmax": ("bool or real", "int64", False),
    "argmin": ("bool or real", "int64", False),
    "norm": ("numeric", "norm", True),
    "ptp": ("real", "same", True),
    "count_nonzero": ("all", "int64", True),
    "average": ("real float", "float", True),
    "logsumexp": ("real float alone", "same", True),
}

# Methods that arrays have in all languages, under the row's name and with the row's arguments.
METHODS = {
    "all", "any", "argmax", "argmin", "argsort", "clip", "conj", "copy", "dot", "max", "mean", "min",
    "prod", "reshape", "squeeze", "std", "sum", "swapaxes", "var",
}  # fmt: skip

# Rows with which values of other elements make one, that gradients flow through: for what is recorded.
SMOOTH_UNARY = ["square", "exp", "tanh", "sin", "cos", "sigmoid", "softplus", "abs", "relu", "sqrt"]
SMOOTH_BINARY = ["add", "subtract", "multiply", "divide", "maximum", "minimum", "hypot"]
SMOOTH_REDUCTIONS = ["sum", "mean", "max", "min", "prod", "var", "norm", "logsumexp"]
