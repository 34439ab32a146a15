"""From tensors to numbers, lists, arrays and other types, and back."""

from ..maker import TYPES

SHARE = 50


def make(m):
    dtype = m.pick(TYPES) if m.chance(0.5) else m.pick("float32", "int64", "bool")
    shape = m.pick((), (1,), (1, 1), m.shape(empty=0.06))
    x = m.let(m.tensor(shape, dtype))
    target = m.pick(TYPES)
    positions = ", ".join(str(m.integer(0, max(n - 1, 0))) for n in shape)
    choices = [
        f"{x}.item()",
        f"{x}.item({m.pick('0', positions, '99')})",
        f"{x}.tolist()",
        f"{x}.numpy()" if dtype != "bfloat16" else f"{x}.tolist()",
        f"np.asarray({x}).shape",
        f"float({x})",
        f"int({x})",
        f"bool({x})",
        f"complex({x})",
        f"len({x})",
        f"[1, 2, 3, 4, 5, 6, 7][{x}]" if "int" in dtype and dtype != "uint8" else f"bool({x})",
        f"{x}.astype('{target}')",
        f"{x}.cast(paddle.{target})",
        f"paddle.cast({x}, '{target}')",
        f"{x}.astype({m.pick('np.float64', 'np.int32', 'float', 'int', 'bool', repr('a'), '5')})",
        f"{x}.to('{target}')",
        f"{x}.to({m.pick(repr('cpu'), 'paddle.CPUPlace()', 'paddle.float64', '5', 'dtype=' + repr('float64'))})",
        f"{x}.{m.pick('float', 'double', 'half', 'int', 'long', 'bool', 'bfloat16')}()",
        f"{x}.cpu()",
        f"{x}.place",
        f"{x}.dtype",
        f"{x}.dtype == {m.pick(f'paddle.{dtype}', repr(dtype), 'paddle.float32', 'None')}",
        f"str({x}.dtype)",
        f"{x}.is_floating_point()",
        f"paddle.{m.pick('is_complex', 'is_integer', 'is_floating_point', 'is_empty')}({x})",
        f"copy.deepcopy({x})",
        f"copy.copy({x})",
        f"hash({x}) == id({x})",
        f"paddle.to_tensor({x}.numpy())" if dtype != "bfloat16" else f"{x}.clone()",
        f"paddle.to_tensor({x})",
        f"np.sum({x}.numpy())" if dtype != "bfloat16" else f"{x}.clone()",
        f"{x}.shape == {m.pick(list(shape), tuple(shape))}",
        f"isinstance({x}.shape, list)",
        f"{x}.shape + [1]",
        f"{x}.shape * 2",
        f"tuple({x}.shape)",
        f"{x}.size",
        f"{x} in [{x}]",
    ]
    for text in m.random.sample(choices, 8):
        m.let(text)
