"""Calls that are wrong: types, counts, names, shapes, axes."""

from .elements import BINARY, UNARY

SHARE = 100

REDUCED = "sum mean prod all any max min argmax std cumsum norm logsumexp".split()
SHAPES = "reshape transpose squeeze unsqueeze flatten split chunk roll flip tile moveaxis unbind expand".split()
TWO = "matmul mm dot bmm mv outer maximum where concat stack gather index_select".split()
OTHERS = (
    "zeros ones full arange linspace eye zeros_like to_tensor randn randint randperm normal "
    "topk sort argsort unique clip tensordot meshgrid masked_fill masked_select nonzero diag tril "
    "equal_all allclose isclose is_tensor numel searchsorted repeat_interleave add_n cast"
).split()
NAMES = [*UNARY, *BINARY, *REDUCED, *SHAPES, *TWO, *OTHERS]
ARGUMENTS = [
    *("x", "x", "x", "y", "i", "1", "0", "-1", "2.5", "None", "'a'", "[]", "()", "(1, 2)", "[0]"),
    *("True", "m", "object()", "np.ones(2)", "paddle", "paddle.float32", "{}", "[x]", "[x, y]"),
    *("(x, 1)", "x.shape", "5", "slice(None)", "(lambda: 0)"),
]
KEYWORDS = [
    *("axis=0", "axis=1", "axis=5", "axis=None", "axis='a'", "keepdim=True", "foo=1", "name=None"),
    *("dtype='float64'", "dtype='a'", "dtype=5", "x=x", "y=y", "input=x", "shape=[2]", "min=0"),
]
METHODS = (
    "item tolist numpy backward detach clone cpu size dim numel view expand fill_ zero_ add_ multiply_ "
    "astype cast clear_grad register_hook set_value scale_ clip_ unsqueeze_ __getitem__ __len__"
).split()
# Left out: what ends the real one's process or does not come back.
DANGEROUS = {"gather", "index_select", "masked_select", "repeat_interleave", "tile", "expand", "eye"}


def _given(m):
    found = [m.pick(ARGUMENTS) for _ in range(m.pick(0, 1, 1, 2, 2, 3))]
    return ", ".join([*found, *m.some(KEYWORDS, m.pick(0, 0, 1, 1))])


def make(m):
    first = ("[[1., 2., 3.], [4., 5., 6.]]", "[1., 2., 3.]", "1.5", "[[1, 2], [3, 4]]")
    second = ("[1., 2.]", "[[1.], [2.]]", "[[True, False, True]]")
    m.add(f"x = paddle.to_tensor({m.pick(first)})")
    m.add(f"y = paddle.to_tensor({m.pick(second)})")
    m.add("i = paddle.to_tensor([0, 1])\nm = paddle.to_tensor([True, False])")
    names = [name for name in NAMES if name not in DANGEROUS]
    for _ in range(6):
        choice = m.random.random()
        if choice < 0.6:
            call = f"paddle.{m.pick(names)}({_given(m)})"
        elif choice < 0.75:
            call = f"x.{m.pick(names)}({_given(m)})"
        elif choice < 0.9:
            call = f"x.clone().{m.pick(METHODS)}({_given(m)})"
        else:
            call = f"x {m.pick('+', '-', '*', '@', '&', '<', '//', '==')} {m.pick(ARGUMENTS)}"
        m.let(f"about({call})" if "rand" in call or "normal" in call else call)
    m.let(
        m.pick(
            *("paddle.foo", "paddle.nn.foo", "paddle.Tensor.foo", "paddle.float33", "x.foo"),
            *("paddle.CPUPlace(5)", "paddle.CUDAPlace(0)", "paddle.set_device('gpu')"),
            *("paddle.set_device('foo')", "paddle.get_device()", "x.cuda()"),
            *("paddle.set_default_dtype(5)", "paddle.set_printoptions(foo=1)", "paddle.no_grad(5)"),
            *("paddle.finfo(paddle.int8)", "paddle.iinfo(paddle.float32)", "paddle.finfo(5)"),
            *("paddle.seed('a')", "paddle.set_grad_enabled()", "paddle.device.cuda.device_count()"),
            *("paddle.is_compiled_with_cuda()", "len(paddle.to_tensor(1))", "iter(5)"),
        )
    )
