"""Calls that are wrong: types, counts, names, shapes, dimensions, devices."""

from .elements import BINARY, UNARY
from .reductions import SEVERAL

SHARE = 80

TWO = [
    "mm",
    "matmul",
    "dot",
    "bmm",
    "mv",
    "outer",
    "maximum",
    "where",
    "cat",
    "stack",
    "gather",
    "index_select",
]
SHAPES = "reshape permute transpose squeeze unsqueeze flatten split chunk narrow select roll flip tile movedim unbind".split()
OTHERS = (
    "zeros ones full arange linspace eye zeros_like tensor as_tensor randn randint randperm normal cat "
    "stack topk sort argsort max min median unique cumsum clamp norm tensordot einsum meshgrid "
    "masked_fill masked_select nonzero diag tril equal allclose isclose is_tensor numel var std "
    "bincount searchsorted repeat_interleave multinomial bernoulli from_numpy"
).split()
NAMES = [*UNARY, *BINARY, *SEVERAL, *TWO, *SHAPES, *OTHERS]
ARGUMENTS = [
    *(
        "x",
        "x",
        "x",
        "y",
        "i",
        "1",
        "0",
        "-1",
        "2.5",
        "None",
        "'a'",
        "[]",
        "()",
        "(1, 2)",
        "[0]",
        "True",
        "1j",
        "m",
    ),
    *(
        "object()",
        "np.ones(2)",
        "torch",
        "torch.float32",
        "{}",
        "[x]",
        "[x, y]",
        "(x, 1)",
        "x.shape",
        "5",
        "slice(None)",
        "(lambda: 0)",
    ),
]
KEYWORDS = [
    *(
        "dim=0",
        "dim=1",
        "dim=5",
        "dim=None",
        "dim='a'",
        "axis=0",
        "keepdim=True",
        "keepdim=5",
        "keepdims=True",
        "dtype=torch.float64",
    ),
    *(
        "dtype=float",
        "dtype='a'",
        "dtype=5",
        "foo=1",
        "out=x",
        "out=5",
        "out=None",
        "input=x",
        "other=y",
        "self=x",
        "device='cpu'",
    ),
    *(
        "device='gpu'",
        "device=5.5",
        "requires_grad=True",
        "size=(2,)",
        "a=1",
        "alpha=2",
        "value=1",
        "min=0",
        "max=1",
        "inplace=True",
        "p=2",
    ),
]
METHODS = (
    "item tolist numpy backward detach clone cpu contiguous size dim numel view expand repeat copy_ fill_ zero_ add_ "
    "mul_ div_ to type float long requires_grad_ retain_grad register_hook masked_fill_ index_add_ scatter_ "
    "uniform_ normal_ new_zeros new_tensor new_full view_as expand_as type_as element_size is_contiguous stride data_ptr "
    "__add__ __getitem__ __len__ clamp_ unsqueeze_ squeeze_ t_ sigmoid softmax"
).split()


def _given(m):
    found = [m.pick(ARGUMENTS) for _ in range(m.pick(0, 1, 1, 2, 2, 3, 4))]
    return ", ".join([*found, *m.some(KEYWORDS, m.pick(0, 0, 1, 1, 2))])


def make(m):
    m.add(
        f"x = {m.pick('torch.tensor([[1., 2., 3.], [4., 5., 6.]])', 'torch.tensor([1., 2., 3.])', 'torch.tensor(1.5)', 'torch.tensor([[1, 2], [3, 4]])')}"
    )
    m.add(
        f"y = {m.pick('torch.tensor([1., 2.])', 'torch.tensor([[1.], [2.]])', 'torch.tensor([[True, False, True]])')}"
    )
    m.add("i = torch.tensor([0, 1])\nm = torch.tensor([True, False])")
    for _ in range(6):
        choice = m.random.random()
        if choice < 0.6:
            name = m.pick(NAMES)
            call = f"torch.{name}({_given(m)})"
        elif choice < 0.75:
            call = f"x.{m.pick(NAMES)}({_given(m)})"
        elif choice < 0.9:
            name = m.pick(METHODS)
            drawn = name in ("uniform_", "normal_")  # x stays what it is in both libraries
            call = f"x{'.clone()' * drawn}.{name}({_given(m)})"
        else:
            call = f"x {m.pick('+', '-', '*', '@', '&', '<', '**', '//', '==')} {m.pick(ARGUMENTS)}"
        text = (
            "about(" + call + ")"
            if any(r in call for r in ("rand", "normal", "multinomial", "bernoulli", "uniform"))
            else call
        )
        if m.chance(0.1):
            m.add(
                m.pick(
                    f"x.{m.pick('shape', 'dtype', 'device', 'grad', 'data', 'requires_grad', 'foo', 'T', 'ndim', 'is_leaf')} = {m.pick(ARGUMENTS)}",
                    f"x[{m.pick(ARGUMENTS)}] = {m.pick(ARGUMENTS)}",
                    f"x {m.pick('+=', '*=', '@=', '&=', '//=')} {m.pick(ARGUMENTS)}",
                    f"del x[{m.pick(ARGUMENTS)}]",
                    "del x.grad",
                )
            )
            m.let("x.clone()")
        else:
            m.let(text)
    m.let(
        m.pick(
            "torch.foo",
            "torch.nn.foo",
            "torch.Tensor.foo",
            "torch.float33",
            "torch.device('foo')",
            "torch.device('cpu', -1)",
            "torch.device('cpu:x')",
            "torch.device()",
            "torch.device(None)",
            "torch.ones(1, device='cuda')",
            "torch.Tensor(1, 2, 'a')",
            "torch.Size([1.5])",
            "torch.Size('a')",
            "torch.finfo(torch.int8)",
            "torch.iinfo(torch.float32)",
            "torch.finfo(5)",
            "torch.set_default_dtype(5)",
            "torch.set_printoptions(precision='a')",
            "torch.set_printoptions(foo=1)",
            "torch.no_grad(5)",
            "torch.dtype()",
            "torch.Tensor.add(5, 5)",
            "torch.Tensor.sum(5)",
            "torch.ones(1).cuda()",
            "torch.cuda.is_available()",
            "torch.cuda.device_count()",
            "torch.set_grad_enabled()",
            "torch.manual_seed()",
            "torch.device('cuda', 0).index",
            "torch.device(type='cpu')",
            "torch.device('cpu') == 'cpu'",
            "torch.Size([1, 2]) + [3]",
            "torch.Size([1, 2]) * 2",
            "torch.Size([1]) + (2,)",
            "(2,) + torch.Size([1])",
            "torch.Size([1, 2])[0:1]",
            "torch.Size([2]).index(2)",
            "torch.Size()",
            "torch.Size([True])",
            "torch.Size(5)",
            "torch.Size((2, torch.tensor(3)))",
        )
    )
