"""Programs that end PaddlePaddle's process, or that it never answers. They are left out.

Others that the families leave out, since what they read or write is not theirs: an integer tensor to
a negative power (it does not return), index arrays out of range (foreign memory), a convolution whose
kernel is larger than its input, `x[0] = 1j`, None or a mask beside index arrays,
`x.__add__()`, `x[0] = y` of a y with more dimensions than its place, `paddle.device.cuda.current_stream()`."""

import re

from dialect_programs.rules import Rule, first_match


def of_program(pattern):
    """Whether a step of a program has this in it."""
    return lambda program: any(re.search(pattern, step) for step in program["steps"])


RULES = [
    Rule(
        "unique by an axis from the end",
        "paddle.unique(x, axis=-2) reads past the shape",
        of_program(r"unique\(.*axis=-"),
    ),
    Rule(
        "remainders by 0",
        "of integers: the error ends the process at times",
        of_program(r" (%|//)=? |remainder|floor_divide|mod_?\("),
    ),
    Rule(
        "reductions of what has no dimensions",
        "cumprod, norm and the like by an axis read past the shape, which ends the process at times",
        lambda program: (
            program["family"] in ("reductions", "order")
            and of_program(r"= paddle\.to_tensor\([^\[]")(program)
        ),
    ),
    Rule(
        "sums of what is no element type",
        "x.sum(5, (1, 2)) ends the process, and x.norm(0, ()) does",
        lambda program: (
            program["family"] == "wrong_calls" and of_program(r"\b(sum|norm)\(.+, .")(program)
        ),
    ),
    Rule(
        "numbers that are arrays",
        "x.diag(0, np.ones(2)) makes a number of an exception",
        of_program(r"diag\(.*np\."),
    ),
    Rule(
        "orders that leave dimensions out",
        "x.transpose([0, 2]) of three dimensions reads past the list at times",
        of_program(r"transpose\("),
    ),
    Rule(
        "parts that are -1",
        "paddle.split(x, -1) divides by 0",
        of_program(r"(split|chunk)\(.*-1"),
    ),
    Rule(
        "heads of another shape",
        "paddle.grad(x.sort(), x, head), and backward, read past a head that is smaller than its tensor, "
        "and write past the gradient of a larger one",
        of_program(r"paddle\.grad\([^,]+, [^,]+, paddle\.to_tensor|autograd\.backward\(.*to_tensor"),
    ),
    Rule(
        "products of batches of integers",
        "paddle.matmul of integers in three dimensions and more does not always come back",
        lambda program: (
            program["family"] == "products"
            and of_program(r"to_tensor\(\[\[\[\[?-?\d+[,\]]")(program)
        ),
    ),
]


def known_end(program):
    """The name of the rule that explains why the process ended, or None."""
    return first_match(RULES, program)
