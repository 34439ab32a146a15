"""Other types, devices and libraries: to, type, float, item, tolist, NumPy, Python's numbers."""

from ..maker import TYPES

SHARE = 60

NAMES = "bool byte char short int long half bfloat16 float double cfloat cdouble".split()
LARGE = [
    "300.7",
    "-1.5",
    "70000.0",
    "1e10",
    "1e20",
    "nan",
    "inf",
    "-inf",
    "-300.0",
    "255.0",
    "2147483648.0",
    "0.1",
    "-0.0",
]


def _typed(m):
    x = m.let(m.tensor(dtype=m.pick(TYPES), special=0.0))
    for name in m.some(NAMES, 4):
        m.let(f"{x}.{name}()")
    one = f"torch.{m.pick(*TYPES, 'uint16', 'uint32', 'uint64')}"
    other = m.let(m.tensor())
    for given in m.some(
        (
            one,
            f"dtype={one}",
            "'cpu'",
            f"'cpu', {one}",
            other,
            f"other={other}",
            "torch.device('cpu')",
            f"device='cpu', dtype={one}",
            f"{one}, copy=True",
            f"{one}, non_blocking=True",
            f"{one}, True",
            "copy=True",
            "",
            "None",
            "'gpu'",
            "5",
            "foo=1",
            "float",
            "'cuda:0'",
            f"{one}, {one}",
            "np.float32",
            "dtype=None",
            f"device=None, dtype={one}",
            "'cpu:1'",
            "dtype='float32'",
            "[]",
        ),
        4,
    ):
        m.let(f"{x}.to({given})")
    m.let(f"{x}.to({one}) is {x}")
    m.let(
        f"{x}.type({m.pick('', one, repr('torch.FloatTensor'), 'torch.LongTensor', repr('float32'), 'float', '5', repr('torch.cuda.FloatTensor'), 'None', f'{x}.type()')})"
    )
    m.let(f"{x}.type_as({other})")
    m.let(
        f"{m.pick(f'{x}.is_floating_point()', f'{x}.is_complex()', f'torch.is_floating_point({x})', f'{x}.dtype.is_signed', f'{x}.dtype.itemsize', f'isinstance({x}, torch.FloatTensor)', f'{x}.is_cuda', f'{x}.layout', f'{x}.dtype == {one}', f'{x}.is_signed()', f'torch.is_nonzero({x})', f'{x}.dtype.to_complex()', f'{x}.dtype.to_real()', f'torch.is_complex({x})', f'{x}.is_inference()', f'{x}.get_device()')}"
    )
    m.let(f"torch.{m.pick('promote_types', 'can_cast')}({one}, torch.{m.pick(TYPES)})")
    m.let(f"torch.result_type({m.pick(x, '1', '1.5')}, {m.pick(other, '2', '2.5', 'True', '1j')})")


def _values(m):
    """Numbers that types cannot hold, as other types."""
    source = m.pick("float32", "float64")
    x = m.let(f"torch.tensor([{', '.join(m.some(LARGE, 6))}], dtype=torch.{source})")
    fits = m.let(f"{x}[{x}.abs() < 100]")
    for name in m.some(TYPES, 4):
        m.let(f"{fits}.to(torch.{name})")
    i = m.let(
        f"torch.tensor([{', '.join(m.some(('300', '-1', '70000', '2**40', '255', '-129', '128', '0'), 5))}], dtype=torch.int64)"
    )
    for name in m.some(TYPES, 4):
        m.let(f"{i}.to(torch.{name})")


def _numbers(m):
    x = m.let(m.tensor(m.pick((), (), (1,), (1, 1), (2,), (0,), (2, 2)), m.pick(TYPES)))
    for text in m.some(
        (
            f"{x}.item()",
            f"{x}.tolist()",
            f"float({x})",
            f"int({x})",
            f"bool({x})",
            f"complex({x})",
            f"len({x})",
            f"list({x})",
            f"hash({x}) == id({x})",
            f"[5, 6, 7, 8, 9, 1, 2][{x}]",
            f"1 in {x}",
            f"round({x})",
            f"math.sqrt({x})",
            f"np.sqrt({x})",
            f"abs({x})",
            f"{x}.numpy()",
            f"np.asarray({x})",
            f"np.array({x}, dtype='float32')",
            f"{x}.__array__()",
            f"not {x}",
            f"math.floor({x})",
            f"math.trunc({x})",
            f"operator.index({x})",
            f"divmod({x}, 2)",
            f"pow({x}, 2)",
            f"sum([{x}, {x}])",
            f"max({x}, {x})",
            f"np.float64({x})",
            f"int({x}) + 1",
            f"{x} if {x} else 0",
            f"'{{}}'.format({x})",
            f"{x}.numpy(force=True)",
            f"np.add({x}, 1)",
            f"np.stack([{x}, {x}])",
            f"{x}.element_size()",
            f"np.array([{x}, {x}])",
            f"'%.2f' % {x}",
            f"[1] * {x}",
            f"copy.copy({x})",
            f"copy.deepcopy({x})",
            f"pickle.loads(pickle.dumps({x}))",
            f"{x}.storage_type()",
            f"{x} is {x}",
            f"{x} == None",
            f"{x} != 'a'",
            f"{x} == [1]",
            f"{x} + None",
            f"{x} + 'a'",
            f"[1] + {x}",
            f"np.ones(2) + {x}",
            f"{x} + np.ones(1)",
            f"np.float32(1) * {x}",
            f"{x} < None",
            f"{x} & True",
            f"{x} @ {x}",
            f"~{x}",
            f"str({x}.dtype)",
            f"{x}.foo",
            f"next(iter({x}))",
            f"dir({x}) != []",
            f"{x}.__len__()",
            f"tuple({x})",
            f"set({x}.tolist())",
        ),
        8,
    ):
        m.let(text)


def _numpy(m):
    array = m.pick(
        "np.arange(6).reshape(2, 3)",
        "np.ones(3, 'float16')",
        "np.zeros((0, 2))",
        "np.array(2.5)",
        "np.array([True])",
        "np.array([1, 2], 'uint16')",
        "np.array([1j])",
        "np.arange(4)[::2]",
        "np.arange(4).reshape(2, 2).T",
        "np.array([1, 2], '>i2')",
        "np.array(['a'])",
        "np.array([None])",
        "np.arange(3)[::-1]",
        "np.array(['2020'], 'datetime64')",
        "np.float32(2)",
        "np.ones(2, 'longdouble')",
    )
    m.add(f"n = {array}")
    for text in m.some(
        (
            "torch.from_numpy(n)",
            "torch.tensor(n)",
            "torch.as_tensor(n)",
            "torch.as_tensor(n, dtype=torch.float32)",
            "torch.from_numpy(n).dtype",
            "torch.Tensor(n)",
            "torch.FloatTensor(n)",
            "torch.from_numpy(n).numpy()",
            "torch.asarray(n)",
            "torch.stack([torch.as_tensor(n)] * 2)",
            "torch.add(torch.ones(1), n)",
            "torch.where(torch.tensor(True), torch.ones(1), n)",
            "torch.full((2,), n)",
            "torch.maximum(torch.ones(1), n)",
            "torch.ones(2).fill_(n)",
        ),
        6,
    ):
        m.let(text)


def make(m):
    m.pick(_typed, _typed, _values, _numbers, _numbers, _numpy)(m)
