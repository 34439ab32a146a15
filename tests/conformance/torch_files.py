"""Files of tensors: what is written, and how what was read is described.

The same runs in the real PyTorch 2.15.0 and in ours; record_torch_files.py recorded files of the
real one. A description has classes, values, element types, strides, and which tensors share a
storage.
"""

import collections
import io

# Cases that our tensors cannot be made for.
READ_ONLY = {"conj", "neg", "overlapping", "cut off"}
NOT_WEIGHTS = {"no bytes"}  # what the real one reads with weights_only=False alone


def _types(torch):
    made = {}
    for name in (
        "bool uint8 int8 int16 int32 int64 uint16 uint32 uint64 float16 bfloat16 float32 float64 "
        "complex64 complex128"
    ).split():
        one = getattr(torch, name)
        made[name] = torch.tensor([0, 1, 2, 127]).to(one)
    return made


def _special(torch):
    inf, nan = float("inf"), float("nan")
    return [
        torch.tensor([inf, -inf, nan, -0.0, 1e-40], dtype=one)
        for one in (torch.float32, torch.float64, torch.bfloat16)
    ]


def _sharing(torch):
    x = torch.arange(4.0)
    return [x, x[:2], {"a": 1}, x.reshape(2, 2), torch.arange(4.0)]


def _strided(torch):
    x = torch.arange(120).reshape(2, 3, 4, 5)
    views = {
        "rows": x[1:],
        "columns": x[..., 1:4],
        "steps": x[:, ::2, ::3],
        "inner": x[:, :, 1:3, ::2],
        "turned": x.permute(3, 0, 2, 1),
        "turned rows": x.permute(2, 1, 0, 3)[1:, :2],
        "one": x[1, 2, 3, 4],
        "row": x[1, 2, 3],
        "middle": x[0, :, 1],
        "long": x[:, 1:2],
        "expanded": x[:, :1].expand(2, 7, 4, 5),
        "diagonal": x[0, 0].diagonal(),
    }
    return {"all": x, **views}


def _alone(torch):
    return torch.arange(100)[10:50:7]


def _empty(torch):
    return [torch.zeros(0), torch.zeros(2, 0, 3), torch.tensor(2.5), torch.tensor([])]


def _gradients(torch):
    x = torch.ones(2, requires_grad=True)
    return [x, x * 2, torch.zeros(1)]


def _attributes(torch):
    x = torch.ones(2)
    x.note = [1, "two"]
    return x


def _containers(torch):
    ordered = collections.OrderedDict(z=1, a=[2])
    ordered._metadata = {"version": 1}
    cycle = [1]
    cycle.append({"again": cycle})
    return {
        "ordered": ordered,
        "counter": collections.Counter("aab"),
        "set": {1, "a", 2.5, None},
        "tuples": ((), (1,), (1, (2, 3)), [()]),
        "bytes": [b"ab\xff", bytearray(b"x\x00")],
        "numbers": [0, -1, 255, 70000, -(2**31), 2**100, -(2**1000), 1.5, -0.0, float("inf"), 1j],
        "words": ["", "ä\n", "\U0001f600", "\ud800"],
        "others": [None, True, False],
        5: {(1, "x"): 2, 2.5: 3, None: 4, True: 5},
        "cycle": cycle,
        "same": [ordered["a"], ordered["a"]],
    }


def _no_bytes(torch):
    return [b"", bytearray()]


def _names(torch):
    return [
        torch.float32,
        torch.bfloat16,
        torch.Size([2, 3]),
        torch.Size([]),
        torch.device("cpu"),
        torch.device("cuda:1"),
        torch.strided,
    ]


def _many(torch):
    return [torch.tensor(float(i)) for i in range(40)]


def _parameters(torch):
    p = torch.nn.Parameter(torch.arange(3.0))
    q = torch.nn.Parameter(torch.ones(2, 1), requires_grad=False)
    q.note = 3
    return [p, q]


def _linear(torch):
    net = torch.nn.Sequential(torch.nn.Linear(2, 3), torch.nn.BatchNorm1d(3))
    with torch.no_grad():
        net[0].weight.copy_(torch.arange(6.0).reshape(3, 2))
        net[0].bias.fill_(0.5)
    return net.state_dict()


def _adam(torch):
    x = torch.nn.Parameter(torch.tensor([1.0, 2.0]))
    adam = torch.optim.Adam([x], lr=0.1)
    (x * x).sum().backward()
    adam.step()
    return adam.state_dict()


def _conj(torch):
    return torch.tensor([1 + 2j, 3 - 1j]).conj()


def _neg(torch):
    return torch._neg_view(torch.arange(3.0))


def _overlapping(torch):
    return torch.arange(6.0).unfold(0, 3, 1)


def _cut_off(torch):
    return torch.arange(10.0).as_strided((3, 2), (4, 1))


CASES = {
    "types": _types,
    "special": _special,
    "sharing": _sharing,
    "strided": _strided,
    "alone": _alone,
    "empty": _empty,
    "gradients": _gradients,
    "attributes": _attributes,
    "containers": _containers,
    "no bytes": _no_bytes,
    "names": _names,
    "many": _many,
    "parameters": _parameters,
    "linear": _linear,
    "adam": _adam,
    "conj": _conj,
    "neg": _neg,
    "overlapping": _overlapping,
    "cut off": _cut_off,
}
# Ways to write: protocols, and the format before archives.
WAYS = {
    **{f"protocol {number}": {"pickle_protocol": number} for number in (2, 3, 4, 5)},
    "plain": {"_use_new_zipfile_serialization": False},
}
# Written in all ways; the others by protocol 2 alone. The real one cannot read the older format's
# unsigned types.
ALL_WAYS = ("sharing", "containers", "strided")


def written(torch, name, way):
    """The bytes of a file with the value of a case."""
    file = io.BytesIO()
    torch.save(CASES[name](torch), file, **WAYS[way])
    return file.getvalue()


def rows():
    """Case and way of each file."""
    for name in CASES:
        for way in WAYS if name in ALL_WAYS else ["protocol 2"]:
            yield name, way


class Description:
    """A value as texts, lists and dicts. Strides of tensors that must be copied are left out."""

    def __init__(self, torch):
        self.torch = torch
        self.storages = {}
        self.around = []

    def of(self, value):
        if any(value is one for one in self.around):
            return "cycle"
        self.around.append(value)
        try:
            return self._of(value)
        finally:
            self.around.pop()

    def _of(self, value):
        name = type(value).__name__
        if isinstance(value, self.torch.Tensor):
            return self._tensor(value)
        if isinstance(value, dict):
            items = [[self.of(key), self.of(inner)] for key, inner in value.items()]
            return [name, items, self.of(dict(vars(value))) if hasattr(value, "__dict__") else None]
        if isinstance(value, (set, frozenset)):
            return [name, sorted(map(repr, value))]
        if isinstance(value, (list, tuple)):
            return [name, [self.of(inner) for inner in value]]
        return [name, ascii(value)]

    def _tensor(self, x):
        plain = x.detach()
        storage = plain.untyped_storage().data_ptr() if plain.numel() else None
        number = self.storages.setdefault(storage, len(self.storages))
        steps = [step for step, length in zip(x.stride(), x.shape) if length > 1]
        wide = plain.float() if x.dtype is self.torch.bfloat16 else plain
        return {
            "class": type(x).__name__,
            "type": str(x.dtype),
            "shape": list(x.shape),
            "steps": steps if x.numel() else None,
            "offset": x.storage_offset() if x.numel() else None,
            "storage": number,
            "gradient": [x.requires_grad, x.is_leaf],
            "attributes": self.of({k: v for k, v in vars(x).items() if k[0] != "_"}),
            "values": ascii(wide.tolist()),
        }


def described(torch, value):
    """The description of a value."""
    return Description(torch).of(value)
