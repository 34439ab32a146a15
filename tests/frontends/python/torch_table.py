"""A program for every way in which the book's programs call a name of PyTorch.

CASES has the names as the reference's table does: `Tensor.x` of tensors, `nn.Module#x` of
instances, `idiom:` for ways of writing. With each program is what its last line gives: an
expression (over NumPy), a shape as a tuple, a class whose instance it is, or True.

`test_torch_table.py` runs them here. On the real PyTorch 2.15.0 with torchvision 0.29.2 they give
the same, but for torch.cuda.synchronize, which raises there without a GPU.
"""

SETUP = """
x = torch.arange(6.).reshape(2, 3)
a = np.arange(6.).reshape(2, 3)
i = torch.arange(6)
v = torch.tensor([3., 1., 2.])
p = torch.arange(16.).reshape(1, 1, 4, 4)
w = torch.tensor([1., 2.], requires_grad=True)
net = nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 2))
lin = nn.Linear(3, 2)
images = torch.rand(2, 3, 8, 8)
picture = Image.fromarray(np.arange(8 * 8 * 3, dtype=np.uint8).reshape(8, 8, 3))
cpu = torch.device('cpu')
def trained(make):
    net = nn.Linear(1, 1); o = make(net.parameters())
    def loss(): return ((net(torch.ones(4, 1)) - 5) ** 2).mean()
    first = loss().item()
    for _ in range(20):
        o.zero_grad(); loss().backward(); o.step()
    return loss().item() < first
"""


def layers(count):
    return "nn.Sequential(" + ", ".join(["nn.ReLU()"] * count) + ")(x)"


CASES = {
    # ---- Tensors ---------------------------------------------------------------------------------
    "Tensor.shape": {"x.shape": "(2, 3)"},
    "Tensor.reshape": {
        "x.reshape((3, 2))": "a.reshape(3, 2)",
        "x.reshape(3, -1)": "a.reshape(3, 2)",
        "x.reshape(1, 3, 2)": "a.reshape(1, 3, 2)",
        "x.reshape(1, 2, 3, 1)": "a.reshape(1, 2, 3, 1)",
    },
    "Tensor.numpy": {"x.numpy()": "a.astype('float32')"},
    "Tensor.backward": {
        "w.sum().backward(); w.grad": "np.ones(2)",
        "(w * 2).backward(torch.ones(2)); w.grad": "np.full(2, 2.)",
        "(w * 2).backward(gradient=torch.ones(2)); w.grad": "np.full(2, 2.)",
        "l = (w * w).sum(); l.backward(retain_graph=True); l.backward(); w.grad": "np.array([4., 8.])",
    },
    "Tensor.detach": {"w.detach()": "np.array([1., 2.])", "w.detach().requires_grad": "False"},
    "Tensor.to": {
        "x.to(cpu) is x": "True",
        "x.to(torch.int32)": "a.astype('int32')",
        "x.to(cpu, non_blocking=True)": "a",
    },
    "Tensor.mean": {
        "x.mean()": "a.mean()",
        "x.mean(0)": "a.mean(0)",
        "x.mean(dim=1, keepdim=True)": "a.mean(1, keepdims=True)",
        "x.mean(axis=0)": "a.mean(0)",
    },
    "Tensor.grad": {"w.grad": "None", "w.sum().backward(); w.grad": "np.ones(2)"},
    "Tensor.type": {"x.type(torch.int64)": "a.astype('int64')"},
    "Tensor.dtype": {"x.dtype, i.dtype": "(torch.float32, torch.int64)"},
    "Tensor.sum": {
        "x.sum()": "a.sum()",
        "x.sum(0)": "a.sum(0)",
        "x.sum(axis=[0, 1])": "a.sum()",
        "x.sum(axis=1, keepdims=True)": "a.sum(1, keepdims=True)",
        "x.sum(dim=0)": "a.sum(0)",
    },
    "Tensor.argmax": {
        "x.argmax()": "np.array(5)",
        "x.argmax(1)": "a.argmax(1)",
        "x.argmax(dim=1)": "a.argmax(1)",
        "x.argmax(axis=0)": "a.argmax(0)",
    },
    "Tensor.requires_grad": {"w.requires_grad, x.requires_grad": "(True, False)"},
    "Tensor.device": {"x.device == cpu": "True"},
    "Tensor.data": {"w.data[:] = 7; w.detach()": "np.full(2, 7.)"},
    "Tensor.squeeze": {
        "x[None, :, None].squeeze()": "a",
        "x[None].squeeze(0)": "a",
        "x[None].squeeze(dim=0)": "a",
    },
    "Tensor.numel": {"x.numel()": "6"},
    "Tensor.ndim": {"x.ndim": "2"},
    "Tensor.permute": {
        "x[None].permute(2, 0, 1)": "a[None].transpose(2, 0, 1)",
        "p.permute(0, 2, 3, 1)": (1, 4, 4, 1),
        "p[None].permute(4, 0, 1, 2, 3)": (4, 1, 1, 1, 4),
    },
    "Tensor.T": {"x.T": "a.T"},
    "Tensor.unsqueeze": {
        "x.unsqueeze(0)": "a[None]",
        "x.unsqueeze(dim=-1)": "a[..., None]",
    },
    "Tensor.zero_": {"x.zero_() is x": "True", "x.zero_()": "0 * a"},
    "Tensor.cpu": {"x.cpu() is x": "True"},
    "Tensor.item": {"v[1].item()": "1.0"},
    "Tensor.size": {"x.size(0), x.size(-1)": "(2, 3)"},
    "Tensor.dim": {"x.dim()": "2"},
    "Tensor.float": {"i.float()": "np.arange(6.)"},
    "Tensor.transpose": {"x.transpose(0, 1)": "a.T"},
    "Tensor.tolist": {"x.tolist()": "a.tolist()"},
    "Tensor.repeat": {
        "x.repeat(2, 1)": "np.tile(a, (2, 1))",
        "x.repeat(2, 1, 2)": "np.tile(a, (2, 1, 2))",
    },
    "Tensor.copy_": {"x.copy_(torch.ones(3)) is x, x.sum().item()": "(True, 6.0)"},
    "Tensor.swapaxes": {"x.swapaxes(0, 1)": "a.T"},
    "Tensor.long": {"x.long()": "a.astype('int64')"},
    "Tensor.normal_": {"torch.empty(4000).normal_(1, 2).std().item() - 2 < 0.2": "True"},
    "Tensor.fill_": {"x.fill_(3)": "np.full((2, 3), 3.)"},
    "Tensor.repeat_interleave": {"v.repeat_interleave(2, dim=0)": "np.repeat([3., 1, 2], 2)"},
    "Tensor.abs": {"(-x).abs()": "a"},
    "Tensor.t": {"x.t()": "a.T"},
    "Tensor.requires_grad_": {
        "x.requires_grad_().requires_grad": "True",
        "w.requires_grad_(False).requires_grad": "False",
    },
    "Tensor.cumsum": {"x.cumsum(axis=0)": "a.cumsum(0)", "x.cumsum(dim=1)": "a.cumsum(1)"},
    "Tensor.clamp": {"v.clamp(min=2)": "np.array([3., 2., 2.])"},
    "Tensor.unique": {
        "torch.tensor([2, 1, 2]).unique(return_counts=True)[1]": "np.array([1, 2])",
    },
    "Tensor.std": {"x.std()": "a.std(ddof=1)", "x.std(unbiased=False)": "a.std()"},
    "Tensor.dot": {"v.dot(v)": "np.array(14.)"},
    "Tensor.flatten": {"x.flatten()": "a.ravel()", "p.flatten(1)": (1, 16)},
    "Tensor.norm": {"x.norm()": "np.linalg.norm(a)"},
    "Tensor.cuda": {
        "torch.cuda.is_available() or raises(lambda: x.cuda(0), (RuntimeError, AssertionError))": True,
    },
    "Tensor.clone": {"y = x.clone(); y += 1; x": "a"},
    "Tensor.max": {"x.max()": "a.max()"},
    "Tensor.mm": {"x.mm(x.T)": "a @ a.T"},
    "Tensor.sub_": {"x.sub_(1) is x": "True", "x.sub_(1)": "a - 1"},
    "Tensor.expand": {"v.expand(2, 1, 3)": "np.broadcast_to([3., 1, 2], (2, 1, 3))"},
    "Tensor.prod": {"(x + 1).prod(dim=0)": "(a + 1).prod(0)"},
    "Tensor.sqrt": {"x.sqrt()": "np.sqrt(a)"},
    "Tensor.detach_": {"y = w * 2; y.detach_().requires_grad": "False"},
    "Tensor.pow": {"x.pow(2)": "a ** 2"},
    # ---- Types and numbers -----------------------------------------------------------------------
    "torch.float32": {"torch.ones(1).dtype is torch.float32": "True"},
    "torch.float64": {"torch.ones(1, dtype=torch.float64).dtype": "torch.float64"},
    "torch.int32": {"str(torch.int32)": "'torch.int32'"},
    "torch.int64": {"i.dtype is torch.int64": "True"},
    "torch.long": {"torch.long is torch.int64": "True"},
    "torch.bool": {"(x > 1).dtype is torch.bool": "True"},
    "torch.pi": {"torch.pi": "np.pi"},
    "torch.device": {"torch.device('cpu')": "cpu", "str(torch.device('cuda:1'))": "'cuda:1'"},
    # ---- New tensors -----------------------------------------------------------------------------
    "torch.tensor": {
        "torch.tensor([1, 2])": "np.array([1, 2])",
        "torch.tensor([1, 2], dtype=torch.float32, device=cpu)": "np.array([1., 2.])",
        "torch.tensor([1.], requires_grad=True).requires_grad": "True",
    },
    "torch.Tensor": {"torch.Tensor([1, 2])": "np.array([1., 2.])"},
    "torch.FloatTensor": {"torch.FloatTensor([1, 2])": "np.array([1., 2.])"},
    "torch.zeros": {
        "torch.zeros((2, 3), device=cpu)": "0 * a",
        "torch.zeros(2, 3, dtype=torch.int32)": "(0 * a).astype('int32')",
        "torch.zeros(1, 2, 3)": (1, 2, 3),
        "torch.zeros(1, 2, 3, 4)": (1, 2, 3, 4),
        "torch.zeros(2, requires_grad=True).requires_grad": "True",
    },
    "torch.ones": {
        "torch.ones((1, 2), device=cpu)": "np.ones((1, 2))",
        "torch.ones(2, 3, dtype=torch.int64)": "np.ones((2, 3), int)",
    },
    "torch.full": {
        "torch.full((2, 3), 7, dtype=torch.float32, device=cpu)": "np.full((2, 3), 7.)",
        "torch.full((2,), 7)": "np.full(2, 7)",
    },
    "torch.arange": {
        "torch.arange(3)": "np.arange(3)",
        "torch.arange(1, 4, dtype=torch.float32, device=cpu)": "np.arange(1., 4)",
        "torch.arange(0, 3, 0.5)": "np.arange(0, 3, 0.5)",
        "torch.arange(3.0, requires_grad=True).requires_grad": "True",
    },
    "torch.linspace": {"torch.linspace(0, 1, 5)": "np.linspace(0, 1, 5)"},
    "torch.eye": {"torch.eye(3)": "np.eye(3)"},
    "torch.zeros_like": {"torch.zeros_like(x)": "0 * a"},
    "torch.ones_like": {"torch.ones_like(x)": "0 * a + 1"},
    "torch.from_numpy": {"torch.from_numpy(a).dtype": "torch.float64", "torch.from_numpy(a)": "a"},
    "torch.meshgrid": {
        "torch.meshgrid(v, v)[0]": "np.meshgrid([3., 1, 2], [3., 1, 2], indexing='ij')[0]",
        "torch.meshgrid(v, v, indexing='ij')[1]": "np.meshgrid([3., 1, 2], [3., 1, 2], indexing='ij')[1]",
    },
    # ---- Random numbers --------------------------------------------------------------------------
    "torch.randn": {
        "torch.randn(size=(2, 3), device=cpu)": (2, 3),
        "s = (2, 3); torch.randn(*s)": (2, 3),
        "torch.randn(2)": (2,),
        "torch.randn(2, 3, dtype=torch.float64)": (2, 3),
        "torch.randn(1, 2, 3)": (1, 2, 3),
        "torch.randn(1, 2, 3, 4)": (1, 2, 3, 4),
        "torch.randn(2, requires_grad=True).requires_grad": "True",
        "abs(torch.randn(10000).std().item() - 1) < 0.05": "True",
    },
    "torch.rand": {
        "torch.rand(size=(2, 3), device=cpu)": (2, 3),
        "s = (2, 3); torch.rand(*s)": (2, 3),
        "torch.rand((2, 3))": (2, 3),
        "torch.rand(2, 3)": (2, 3),
        "torch.rand(1, 2, 3)": (1, 2, 3),
        "r = torch.rand(1000); bool((r >= 0).all() and (r < 1).all())": "True",
    },
    "torch.normal": {
        "torch.normal(0, 1, (2, 3))": (2, 3),
        "torch.normal(0, 1, size=(2, 3), requires_grad=True, device=cpu).requires_grad": "True",
        "torch.normal(mean=torch.zeros(3), std=torch.ones(3))": (3,),
        "torch.normal(torch.zeros(3), torch.ones(3))": (3,),
    },
    "torch.randint": {
        "torch.randint(5, (4,))": (4,),
        "torch.randint(0, 5, (4,)).dtype": "torch.int64",
        "torch.randint(3, 4, size=(2,))": "np.full(2, 3)",
    },
    "torch.manual_seed": {
        "torch.manual_seed(1); r = torch.rand(3); _ = torch.manual_seed(1); torch.equal(r, torch.rand(3))": "True",
    },
    "torch.distributions.multinomial.Multinomial": {
        "from torch.distributions.multinomial import Multinomial\n"
        "torch.distributions.multinomial.Multinomial(10, torch.ones(6) / 6).sample().sum().item()": "10.0",
    },
    "torch.distributions.binomial.Binomial": {
        "import torch.distributions.binomial\n"
        "torch.distributions.binomial.Binomial(10, torch.tensor(1.0)).sample().item()": "10.0",
    },
    "torch.distributions.poisson.Poisson": {
        "import torch.distributions.poisson\n"
        "torch.distributions.poisson.Poisson(torch.tensor(5.0)).sample().item() >= 0": "True",
    },
    # ---- Functions of elements -------------------------------------------------------------------
    "torch.sqrt": {"torch.sqrt(x)": "np.sqrt(a)"},
    "torch.exp": {"torch.exp(x)": "np.exp(a)"},
    "torch.log": {"torch.log(x + 1)": "np.log(a + 1)"},
    "torch.log2": {"torch.log2(x + 1)": "np.log2(a + 1)"},
    "torch.abs": {"torch.abs(-x)": "a"},
    "torch.sin": {"torch.sin(x)": "np.sin(a)"},
    "torch.cos": {"torch.cos(x)": "np.cos(a)"},
    "torch.sinh": {"torch.sinh(x)": "np.sinh(a)"},
    "torch.cosh": {"torch.cosh(x)": "np.cosh(a)"},
    "torch.tanh": {"torch.tanh(x)": "np.tanh(a)"},
    "torch.acos": {"torch.acos(x / 5)": "np.arccos(a / 5)"},
    "torch.square": {"torch.square(x)": "a ** 2"},
    "torch.sigmoid": {"torch.sigmoid(x)": "1 / (1 + np.exp(-a))"},
    "torch.relu": {"torch.relu(x - 2)": "np.maximum(a - 2, 0)"},
    "torch.sign": {"torch.sign(x - 2)": "np.sign(a - 2)"},
    "torch.floor": {"torch.floor(x / 2)": "np.floor(a / 2)"},
    "torch.pow": {"torch.pow(x, 2)": "a ** 2"},
    "torch.clamp": {"torch.clamp(x, 1, 3)": "np.clip(a, 1, 3)"},
    "torch.isnan": {"torch.isnan(x)": "np.isnan(a)"},
    # ---- Products --------------------------------------------------------------------------------
    "torch.matmul": {"torch.matmul(x, x.T)": "a @ a.T"},
    "torch.mm": {"torch.mm(x, x.T)": "a @ a.T"},
    "torch.bmm": {"torch.bmm(x[None], x.T[None])": "(a @ a.T)[None]"},
    "torch.mv": {"torch.mv(x, v)": "a @ [3., 1, 2]"},
    "torch.dot": {"torch.dot(v, v)": "np.array(14.)"},
    "torch.einsum": {
        "torch.einsum('ij, kj -> ik', x, x)": "a @ a.T",
        "torch.einsum('ij, kj, k -> i', x, x, torch.ones(2))": "(a @ a.T).sum(1)",
    },
    "torch.det": {"torch.det(torch.tensor([[1., 2.], [3., 4.]]))": "np.array(-2.)"},
    "torch.linalg.eig": {"torch.linalg.eig(torch.eye(2))[0].real": "np.ones(2)"},
    # ---- Reductions and order --------------------------------------------------------------------
    "torch.sum": {
        "torch.sum(x)": "a.sum()",
        "torch.sum(x, axis=0)": "a.sum(0)",
        "torch.sum(x, dim=1)": "a.sum(1)",
    },
    "torch.mean": {
        "torch.mean(x)": "a.mean()",
        "torch.mean(x, axis=0)": "a.mean(0)",
        "torch.mean(i, dtype=torch.float32)": "np.array(2.5)",
    },
    "torch.argmax": {"torch.argmax(x)": "np.array(5)", "torch.argmax(x, dim=1)": "a.argmax(1)"},
    "torch.max": {
        "torch.max(x)": "a.max()",
        "torch.max(x, dim=1).indices": "a.argmax(1)",
        "torch.max(x, torch.tensor(2.))": "np.maximum(a, 2)",
    },
    "torch.min": {"torch.min(x)": "a.min()", "torch.min(x, torch.tensor(2.))": "np.minimum(a, 2)"},
    "torch.norm": {"torch.norm(x)": "np.linalg.norm(a)"},
    "torch.nonzero": {"torch.nonzero(v > 1)": "np.array([[0], [2]])"},
    "torch.topk": {"torch.topk(v, k=2).indices": "np.array([0, 2])"},
    "torch.argsort": {
        "torch.argsort(v)": "np.array([1, 2, 0])",
        "torch.argsort(v, dim=0, descending=True)": "np.array([0, 2, 1])",
    },
    "torch.sort": {"torch.sort(v)[0]": "np.array([1., 2., 3.])"},
    "torch.cumsum": {"torch.cumsum(x, dim=0)": "a.cumsum(0)"},
    # ---- Shapes ----------------------------------------------------------------------------------
    "torch.cat": {
        "torch.cat((x, x))": "np.concatenate((a, a))",
        "torch.cat((x, x), 1)": "np.concatenate((a, a), 1)",
        "torch.cat((x, x), dim=1)": "np.concatenate((a, a), 1)",
        "torch.cat([x, x], axis=0)": "np.concatenate((a, a))",
    },
    "torch.stack": {
        "torch.stack([x, x])": "np.stack([a, a])",
        "torch.stack([x, x], 1)": "np.stack([a, a], 1)",
        "torch.stack((x, x), dim=2)": "np.stack([a, a], 2)",
        "torch.stack((x, x), axis=0)": "np.stack([a, a])",
    },
    "torch.repeat_interleave": {
        "torch.repeat_interleave(v, 2)": "np.repeat([3., 1, 2], 2)",
        "torch.repeat_interleave(x, repeats=2, dim=0)": "np.repeat(a, 2, 0)",
    },
    "torch.flatten": {"torch.flatten(x)": "a.ravel()", "torch.flatten(p, start_dim=1)": (1, 16)},
    "torch.unsqueeze": {"torch.unsqueeze(x, dim=1)": "a[:, None]"},
    "torch.squeeze": {"torch.squeeze(x[None], dim=0)": "a"},
    "torch.split": {"torch.split(x, 2, dim=1)[1]": "a[:, 2:]", "torch.split(x, 1)[1]": "a[1:]"},
    # ---- The rest of torch -----------------------------------------------------------------------
    "torch.no_grad": {
        "with torch.no_grad(): y = w * 2\ny.requires_grad": "False",
        "@torch.no_grad()\ndef f(): return w * 2\nf().requires_grad": "False",
    },
    "torch.is_grad_enabled": {"torch.is_grad_enabled()": "True"},
    "torch.is_tensor": {"torch.is_tensor(x), torch.is_tensor(a)": "(True, False)"},
    "torch.set_printoptions": {
        "torch.set_printoptions(2); t = repr(torch.tensor([1/3])); torch.set_printoptions(4); t": "'tensor([0.33])'",
    },
    "torch.save": {"torch.save(x, tmp / 'x'); torch.load(tmp / 'x')": "a"},
    "torch.load": {"torch.save({'w': x}, tmp / 'x'); torch.load(tmp / 'x')['w']": "a"},
    "torch.cuda.device_count": {"torch.cuda.device_count() >= 0": "True"},
    "torch.cuda.synchronize": {
        "torch.cuda.synchronize()": "None",
        "torch.cuda.synchronize(cpu)": "None",
    },
    "torch.jit.script": {"torch.jit.script(net)(x)": (2, 2)},
    # ---- Idioms ----------------------------------------------------------------------------------
    "idiom: x[...] = value": {
        "x[:] = 7; x": "np.full((2, 3), 7.)",
        "x[0, 1:] = torch.tensor([8., 9.]); x[0]": "np.array([0., 8., 9.])",
    },
    "idiom: in-place *=": {"y = x; x *= 2; y": "a * 2"},
    "idiom: in-place +=": {"y = x; x += 2; y": "a + 2"},
    "idiom: in-place -=": {"y = x; x -= 2; y": "a - 2"},
    "idiom: in-place /=": {"y = x; x /= 2; y": "a / 2"},
    "idiom: float(tensor)": {"float(v[0])": "3.0"},
    "idiom: int(tensor)": {"int(v[0])": "3"},
    "idiom: len(tensor)": {"len(x)": "2"},
    "idiom: id(tensor)": {"before = id(x); x[:] = 1; id(x) == before": "True"},
    "idiom: print(tensor)": {"import io; f = io.StringIO(); print(v, file=f); f.getvalue()": "'tensor([3., 1., 2.])\\n'"},
    'idiom: f"{tensor}"': {"f'{v[0]}'": "'3.0'"},
    'idiom: f"{tensor:spec}"': {"f'{v[0]:.3f}'": "'3.000'"},
    "idiom: x[None]": {"x[None]": "a[None]"},
    "idiom: x[a:b:step]": {"x.reshape(-1)[0:6:2]": "a.ravel()[0:6:2]"},
    "idiom: x[mask]": {"x[x > 2]": "a[a > 2]"},
    "idiom: a @ b": {"x @ x.T": "a @ a.T"},
    "idiom: tensor // or %": {"i // 4": "np.arange(6) // 4", "i % 4": "np.arange(6) % 4"},
    "idiom: class X(torch.nn.Module)": {
        "class X(nn.Module):\n    def __init__(self):\n        super().__init__(); self.l = nn.Linear(3, 2)\n"
        "    def forward(self, x): return self.l(x)\nX()(x)": (2, 2),
    },
    "idiom: class X(torch.nn.CrossEntropyLoss)": {
        "class X(nn.CrossEntropyLoss):\n    def forward(self, p, y, m):\n        self.reduction = 'none'\n"
        "        return (super().forward(p, y) * m).mean()\nX()(x, torch.tensor([0, 1]), v[:2]).item() > 0": "True",
    },
    "idiom: class X(torch.utils.data.Dataset)": {
        "class X(data.Dataset):\n    def __len__(self): return 4\n    def __getitem__(self, i): return i * 1.0\n"
        "next(iter(data.DataLoader(X(), 4)))": "np.arange(4.)",
    },
    # ---- Layers ----------------------------------------------------------------------------------
    "torch.nn.Module": {"isinstance(lin, nn.Module)": "True"},
    "torch.nn.Parameter": {"nn.Parameter(torch.ones(2)).requires_grad": "True"},
    "torch.nn.Sequential": {
        "nn.Sequential(*[nn.ReLU(), nn.ReLU()])(x)": "a",
        "nn.Sequential()(x)": "a",
        **{layers(count): "a" for count in (1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 16, 21)},
    },
    "torch.nn.ModuleList": {"m = nn.ModuleList(); m.append(lin); len(list(m.parameters()))": "2"},
    "torch.nn.Linear": {"nn.Linear(3, 2)(x)": (2, 2)},
    "torch.nn.LazyLinear": {"nn.LazyLinear(4)(x)": (2, 4), "nn.LazyLinear(4, bias=False)(x)": (2, 4)},
    "torch.nn.Conv1d": {"nn.Conv1d(3, 2, 3)(images[:, :, 0])": (2, 2, 6)},
    "torch.nn.Conv2d": {
        "nn.Conv2d(3, 4, kernel_size=3, padding=1, stride=2, bias=False)(images)": (2, 4, 4, 4),
        "nn.Conv2d(3, 4, 3, 1, 1)(images)": (2, 4, 8, 8),
        "nn.Conv2d(in_channels=3, out_channels=4, kernel_size=1)(images)": (2, 4, 8, 8),
    },
    "torch.nn.LazyConv2d": {
        "nn.LazyConv2d(4, kernel_size=3, padding=1, stride=2, bias=False)(images)": (2, 4, 4, 4),
        "nn.LazyConv2d(6, 3, 1, 1)(images)": (2, 6, 8, 8),
        "nn.LazyConv2d(6, kernel_size=1, groups=3)(images)": (2, 6, 8, 8),
    },
    "torch.nn.ConvTranspose2d": {
        "nn.ConvTranspose2d(3, 2, kernel_size=4, padding=1, stride=2, bias=False)(images)": (2, 2, 16, 16),
        "nn.ConvTranspose2d(3, 2, 4, 2, 1)(images)": (2, 2, 16, 16),
        "nn.ConvTranspose2d(in_channels=3, out_channels=2, kernel_size=2)(images)": (2, 2, 9, 9),
    },
    "torch.nn.MaxPool2d": {
        "nn.MaxPool2d(2)(p)": "np.array([[[[5., 7.], [13., 15.]]]])",
        "nn.MaxPool2d(kernel_size=3, stride=2, padding=1)(p)": (1, 1, 2, 2),
    },
    "torch.nn.AvgPool2d": {
        "nn.AvgPool2d(kernel_size=2, stride=2)(p)": "np.array([[[[2.5, 4.5], [10.5, 12.5]]]])",
    },
    "torch.nn.AdaptiveAvgPool1d": {"nn.AdaptiveAvgPool1d(1)(x)": "a.mean(1, keepdims=True)"},
    "torch.nn.AdaptiveAvgPool2d": {"nn.AdaptiveAvgPool2d((1, 1))(p)": "np.full((1, 1, 1, 1), 7.5)"},
    "torch.nn.AdaptiveMaxPool2d": {"nn.AdaptiveMaxPool2d((1, 1))(p)": "np.full((1, 1, 1, 1), 15.)"},
    "torch.nn.Flatten": {"nn.Flatten()(p)": (1, 16), "nn.Flatten(start_dim=2)(p)": (1, 1, 16)},
    "torch.nn.Dropout": {
        "nn.Dropout()(torch.ones(100)).unique()": "np.array([0., 2.])",
        "nn.Dropout(0.75)(torch.ones(100)).unique()": "np.array([0., 4.])",
        "nn.Dropout(p=0.5).eval()(x)": "a",
    },
    "torch.nn.BatchNorm1d": {"nn.BatchNorm1d(3)(x)": "(a - a.mean(0)) / np.sqrt(a.var(0) + 1e-5)"},
    "torch.nn.BatchNorm2d": {"nn.BatchNorm2d(3)(images).mean((0, 2, 3)).abs().max().item() < 1e-5": "True"},
    "torch.nn.LazyBatchNorm1d": {"nn.LazyBatchNorm1d()(x)": "(a - a.mean(0)) / np.sqrt(a.var(0) + 1e-5)"},
    "torch.nn.LazyBatchNorm2d": {"nn.LazyBatchNorm2d()(images)": (2, 3, 8, 8)},
    "torch.nn.LayerNorm": {
        "nn.LayerNorm(3)(x)": "(a - a.mean(1, keepdims=True)) / np.sqrt(a.var(1, keepdims=True) + 1e-5)",
    },
    "torch.nn.Embedding": {
        "nn.Embedding(6, 4)(i)": (6, 4),
        "nn.Embedding(num_embeddings=6, embedding_dim=2)(i)": (6, 2),
    },
    "torch.nn.RNN": {"nn.RNN(3, 5)(x[:, None])[0]": (2, 1, 5)},
    "torch.nn.GRU": {
        "nn.GRU(3, 5)(x[:, None])[1]": (1, 1, 5),
        "nn.GRU(3, 5, 2, dropout=0.1, bidirectional=True)(x[:, None])[0]": (2, 1, 10),
    },
    "torch.nn.LSTM": {"nn.LSTM(3, 5, num_layers=2, bidirectional=True)(x[:, None])[1][1]": (4, 1, 5)},
    "torch.nn.ReLU": {"nn.ReLU()(x - 2)": "np.maximum(a - 2, 0)"},
    "torch.nn.LeakyReLU": {"nn.LeakyReLU(0.5, inplace=True)(x - 2)": "np.where(a < 2, (a - 2) / 2, a - 2)"},
    "torch.nn.GELU": {"nn.GELU()(torch.zeros(2))": "np.zeros(2)"},
    "torch.nn.Sigmoid": {"nn.Sigmoid()(x)": "1 / (1 + np.exp(-a))"},
    "torch.nn.Tanh": {"nn.Tanh()(x)": "np.tanh(a)"},
    "torch.nn.DataParallel": {
        "nn.DataParallel(lin)(x)": (2, 2),
        "nn.DataParallel(lin, device_ids=[])(x) if not torch.cuda.is_available() else lin(x)": (2, 2),
    },
    "torch.nn.parallel.scatter": {
        "import torch.nn.parallel\n"
        "torch.cuda.is_available() or raises(lambda: torch.nn.parallel.scatter(x, [torch.device('cuda:0')]), Exception)": True,
    },
    "layer#weight": {"lin.weight.shape": "(2, 3)"},
    "layer#bias": {"lin.bias.shape": "(2,)"},
    "nn.Module#parameters": {"[tuple(one.shape) for one in lin.parameters()]": "[(2, 3), (2,)]"},
    "nn.Module#named_parameters": {"[n for n, _ in lin.named_parameters()]": "['weight', 'bias']"},
    "nn.Module#apply": {"lin.apply(lambda m: nn.init.zeros_(m.weight)); lin.weight.detach()": "np.zeros((2, 3))"},
    "nn.Module#eval": {"net.eval() is net, net[0].training": "(True, False)"},
    "nn.Module#train": {"net.eval(); net.train() is net, net[0].training": "(True, True)"},
    "nn.Module#to": {
        "lin.to(cpu) is lin": "True",
        "lin.to(device=cpu)(x)": (2, 2),
    },
    "nn.Module#add_module": {"net.add_module('last', nn.ReLU()); len(net)": "4"},
    "nn.Module#children": {"len(list(net.children()))": "3"},
    "nn.Module#state_dict": {"list(lin.state_dict())": "['weight', 'bias']"},
    "nn.Module#load_state_dict": {
        "o = nn.Linear(3, 2); o.load_state_dict(lin.state_dict()); torch.equal(o(x), lin(x))": "True",
    },
    "nn.Module#zero_grad": {"lin(x).sum().backward(); lin.zero_grad(); lin.weight.grad": "None"},
    # ---- Functions of layers, losses, first weights ----------------------------------------------
    "torch.nn.functional.cross_entropy": {
        "F.cross_entropy(x, torch.tensor([0, 2]))": "-np.log((np.exp(a) / np.exp(a).sum(1, keepdims=True))[[0, 1], [0, 2]]).mean()",
        "F.cross_entropy(x, torch.tensor([0, 2]), reduction='none')": (2,),
    },
    "torch.nn.functional.softmax": {"F.softmax(x, dim=1)": "np.exp(a) / np.exp(a).sum(1, keepdims=True)"},
    "torch.nn.functional.relu": {"F.relu(x - 2)": "np.maximum(a - 2, 0)"},
    "torch.nn.functional.one_hot": {"F.one_hot(torch.tensor([0, 2]), 3)": "np.array([[1, 0, 0], [0, 0, 1]])"},
    "torch.nn.functional.avg_pool2d": {
        "F.avg_pool2d(input=p, kernel_size=2, stride=2)": "np.array([[[[2.5, 4.5], [10.5, 12.5]]]])",
    },
    "torch.nn.functional.conv2d": {
        "F.conv2d(input=p, weight=torch.ones(1, 1, 4, 4), bias=torch.ones(1))": "np.full((1, 1, 1, 1), 121.)",
    },
    "torch.nn.functional.binary_cross_entropy_with_logits": {
        "F.binary_cross_entropy_with_logits(torch.zeros(2), torch.ones(2), weight=v[:2], reduction='none')": "np.log(2) * np.array([3., 1.])",
    },
    "torch.nn.CrossEntropyLoss": {
        "nn.CrossEntropyLoss()(torch.zeros(2, 4), torch.tensor([1, 2]))": "np.log(4.)",
        "nn.CrossEntropyLoss(reduction='none')(torch.zeros(2, 4), torch.tensor([1, 2]))": "np.full(2, np.log(4.))",
    },
    "torch.nn.MSELoss": {
        "nn.MSELoss()(x, 0 * x)": "(a ** 2).mean()",
        "nn.MSELoss(reduction='none')(x, 0 * x)": "a ** 2",
    },
    "torch.nn.L1Loss": {"nn.L1Loss(reduction='none')(x, 0 * x)": "a", "nn.L1Loss()(x, 0 * x)": "a.mean()"},
    "torch.nn.BCEWithLogitsLoss": {
        "nn.BCEWithLogitsLoss()(0 * x, 0 * x)": "np.log(2.)",
        "nn.BCEWithLogitsLoss(reduction='none')(0 * x, 0 * x)": "np.full((2, 3), np.log(2.))",
    },
    "torch.nn.NLLLoss": {"nn.NLLLoss()(x, torch.tensor([0, 2]))": "np.array(-2.5)"},
    "torch.nn.init.xavier_uniform_": {"nn.init.xavier_uniform_(lin.weight).abs().max().item() <= (6 / 5) ** 0.5": "True"},
    "torch.nn.init.normal_": {
        "nn.init.normal_(torch.empty(5000), mean=1, std=0.01).mean().item() > 0.99": "True",
        "nn.init.normal_(torch.empty(5000), 0, 0.01).std().item() < 0.02": "True",
    },
    "torch.nn.init.constant_": {"nn.init.constant_(x, 42)": "np.full((2, 3), 42.)"},
    "torch.nn.init.zeros_": {"nn.init.zeros_(x)": "0 * a"},
    "torch.nn.init.uniform_": {"nn.init.uniform_(torch.empty(100), -10, 10).abs().max().item() <= 10": "True"},
    # ---- Optimisers ------------------------------------------------------------------------------
    "torch.optim.Optimizer": {"isinstance(torch.optim.SGD([w], lr=0.1), torch.optim.Optimizer)": "True"},
    "torch.optim.SGD": {
        "trained(lambda p: torch.optim.SGD(p, lr=0.1, weight_decay=1e-3, momentum=0.5))": "True",
        "trained(lambda p: torch.optim.SGD(p, 0.1))": "True",
    },
    "torch.optim.Adam": {"trained(lambda p: torch.optim.Adam(p, lr=0.1))": "True"},
    "torch.optim.Adadelta": {"trained(torch.optim.Adadelta)": "True"},
    "torch.optim.Adagrad": {"trained(torch.optim.Adagrad)": "True"},
    "torch.optim.RMSprop": {"trained(torch.optim.RMSprop)": "True"},
    "optim.Optimizer#step": {"w.sum().backward(); torch.optim.SGD([w], lr=1.).step(); w.detach()": "np.array([0., 1.])"},
    "optim.Optimizer#zero_grad": {"w.sum().backward(); torch.optim.SGD([w], lr=1.).zero_grad(); w.grad": "None"},
    "optim.Optimizer#param_groups": {"o = torch.optim.SGD([w], lr=1.); o.param_groups[0]['lr'] = 2.; o.param_groups[0]['lr']": "2.0"},
    "torch.optim.lr_scheduler.StepLR": {
        "torch.optim.lr_scheduler.StepLR(torch.optim.SGD([w], lr=1.), 2, 0.5).get_last_lr()": "[1.0]",
    },
    "torch.optim.lr_scheduler.MultiStepLR": {
        "o = torch.optim.SGD([w], lr=1.); s = torch.optim.lr_scheduler.MultiStepLR(o, milestones=[1], gamma=0.5); "
        "o.step(); s.step(); o.param_groups[0]['lr']": "0.5",
    },
    "lr_scheduler#step": {
        "o = torch.optim.SGD([w], lr=1.); s = torch.optim.lr_scheduler.StepLR(o, 1, 0.5); o.step(); s.step(); o.param_groups[0]['lr']": "0.5",
    },
    "lr_scheduler#get_last_lr": {
        "o = torch.optim.SGD([w], lr=1.); s = torch.optim.lr_scheduler.StepLR(o, 1, 0.5); o.step(); s.step(); s.get_last_lr()": "[0.5]",
    },
    # ---- Data ------------------------------------------------------------------------------------
    "torch.utils.data.Dataset": {"issubclass(data.TensorDataset, data.Dataset)": "True"},
    "torch.utils.data.TensorDataset": {"t = (x, v[:2]); data.TensorDataset(*t)[1][0]": "a[1]"},
    "torch.utils.data.DataLoader": {
        "len(list(data.DataLoader(range(4))))": "4",
        "[len(b) for b in data.DataLoader(range(5), 2, drop_last=True)]": "[2, 2]",
        "sorted(torch.cat(list(data.DataLoader(range(5), batch_size=2, shuffle=True, num_workers=0))).tolist())": "list(range(5))",
        "list(data.DataLoader(range(4), batch_size=2, num_workers=2))[1]": "np.array([2, 3])",
        "list(data.DataLoader(range(4), 2, collate_fn=sum))": "[1, 5]",
    },
    # ---- Pictures --------------------------------------------------------------------------------
    "torchvision.transforms.ToTensor": {
        "transforms.ToTensor()(picture)": "np.asarray(picture).transpose(2, 0, 1) / 255.",
    },
    "torchvision.transforms.Compose": {
        "transforms.Compose([transforms.Resize(4), transforms.ToTensor()])(picture)": (3, 4, 4),
    },
    "torchvision.transforms.Resize": {
        "transforms.Resize(4)(picture).size": "(4, 4)",
        "transforms.Resize((6, 5))(images)": (2, 3, 6, 5),
    },
    "torchvision.transforms.Normalize": {
        "transforms.Normalize([0.5] * 3, [0.25] * 3)(images)": "(images.numpy().astype('float64') - 0.5) / 0.25",
        "transforms.Normalize(mean=[0.5] * 3, std=[0.25] * 3)(images[0])": (3, 8, 8),
    },
    "torchvision.transforms.RandomHorizontalFlip": {"transforms.RandomHorizontalFlip()(picture).size": "(8, 8)"},
    "torchvision.transforms.RandomVerticalFlip": {"transforms.RandomVerticalFlip()(images)": (2, 3, 8, 8)},
    "torchvision.transforms.RandomResizedCrop": {
        "transforms.RandomResizedCrop((5, 5), scale=(0.1, 1), ratio=(0.5, 2))(picture).size": "(5, 5)",
    },
    "torchvision.transforms.CenterCrop": {"transforms.CenterCrop(4)(images)": "images[:, :, 2:6, 2:6].numpy()"},
    "torchvision.transforms.ColorJitter": {
        "transforms.ColorJitter(brightness=0.5, contrast=0.5, saturation=0.5, hue=0.5)(picture).size": "(8, 8)",
    },
    "torchvision.transforms.ToPILImage": {"transforms.ToPILImage()(images[0]).size": "(8, 8)"},
    "torchvision.transforms.RandomCrop.get_params": {
        "torchvision.transforms.RandomCrop.get_params(images, (4, 5))[2:]": "(4, 5)",
    },
    "torchvision.transforms.functional.crop": {
        "r = (1, 2, 3, 4); torchvision.transforms.functional.crop(images, *r)": "images[:, :, 1:4, 2:6].numpy()",
    },
    "torchvision.io.read_image": {
        "picture.save(tmp / 'p.png'); torchvision.io.read_image(str(tmp / 'p.png'))": "np.asarray(picture).transpose(2, 0, 1)",
        "picture.save(tmp / 'p.png'); torchvision.io.read_image(str(tmp / 'p.png'), torchvision.io.image.ImageReadMode.RGB)": (3, 8, 8),
    },
    "torchvision.datasets.FashionMNIST": {
        "d = torchvision.datasets.FashionMNIST(root=digits('FashionMNIST'), train=True, transform=transforms.ToTensor(), download=True)\n"
        "len(d), tuple(d[1][0].shape), d[1][1], round(d[1][0].max().item(), 5)": "(3, (1, 28, 28), 1, round(1 / 255, 5))",
    },
    "torchvision.datasets.MNIST": {
        "d = torchvision.datasets.MNIST(root=digits('MNIST'), train=True, transform=transforms.ToTensor(), download=True)\n"
        "len(d), d[2][1]": "(3, 2)",
    },
    "torchvision.datasets.CIFAR10": {
        "raises(lambda: torchvision.datasets.CIFAR10(train=True, root=str(tmp / 'none'), download=False, transform=None), RuntimeError)": True,
    },
    "torchvision.datasets.ImageFolder": {
        "for n in 'ab': (tmp / 'f' / n).mkdir(parents=True); picture.save(tmp / 'f' / n / 'p.png')\n"
        "d = torchvision.datasets.ImageFolder(str(tmp / 'f'), transform=transforms.ToTensor())\n"
        "d.classes, len(d), d[1][1], tuple(d[0][0].shape)": "(['a', 'b'], 2, 1, (3, 8, 8))",
    },
    "torchvision.models.resnet18": {
        "torchvision.models.resnet18().eval()(torch.rand(1, 3, 32, 32))": (1, 1000),
        "torchvision.models.resnet18(pretrained=False).fc.in_features": "512",
    },
    "torchvision.models.resnet34": {"torchvision.models.resnet34(pretrained=False).fc.out_features": "1000"},
    "torchvision.models.vgg19": {"len(torchvision.models.vgg19(pretrained=False).features)": "37"},
    "torchvision.ops.roi_pool": {
        "torchvision.ops.roi_pool(p, torch.tensor([[0., 0., 0., 3., 3.]]), output_size=(2, 2), spatial_scale=1.)": (1, 1, 2, 2),
    },
}

# Rows whose signature was read from the text of the book and is not what the function takes, or of
# functions that are passed on without a call there.
LOOSE = {
    "Tensor.sqrt": "a method of tensors takes no argument; the book's text has another object there",
    "Tensor.unsqueeze": "0 positional stands beside dim=",
    "torch.optim.Adadelta": "passed on as a class",
}
