"""A program for every way in which the book's programs call a name of PaddlePaddle's tensors.

CASES has the names as the reference's table does: `Tensor.x` of tensors, `idiom:` for ways of
writing. With each program is what its last line gives: an expression (over NumPy), a shape as a
tuple, or True. `test_paddle_table.py` runs them here; on the real PaddlePaddle 3.3.1 they give the
same, but for synchronize, which raises there without a GPU.
"""

SETUP = """
x = paddle.arange(6.).reshape([2, 3])
a = np.arange(6.).reshape(2, 3)
i = paddle.arange(6)
v = paddle.to_tensor([3., 1., 2.])
w = paddle.to_tensor([1., 2.], stop_gradient=False)
"""

CASES = {
    # ---- Making tensors --------------------------------------------------------------------------
    "paddle.to_tensor": {
        "paddle.to_tensor([1., 2.], dtype='float64')": "np.array([1., 2.])",
        "paddle.to_tensor(a, place=paddle.CPUPlace())": "a",
        "paddle.to_tensor([1.], stop_gradient=False).stop_gradient": "False",
    },
    "paddle.zeros": {
        "paddle.zeros([2, 3])": "np.zeros((2, 3))",
        "paddle.zeros(shape=(2, 3), dtype='int64')": "np.zeros((2, 3), int)",
    },
    "paddle.ones": {
        "paddle.ones((2, 3))": "np.ones((2, 3))",
        "paddle.ones(shape=[2], dtype=paddle.int64)": "np.ones(2)",
    },
    "paddle.arange": {
        "paddle.arange(4)": "np.arange(4)",
        "paddle.arange(1, 4)": "np.arange(1, 4)",
        "paddle.arange(1, 8, 3)": "np.arange(1, 8, 3)",
        "paddle.arange(12, dtype='float32')": "np.arange(12.)",
        "paddle.arange(start=1, end=4, step=2)": "np.array([1, 3])",
    },
    "paddle.meshgrid": {
        "paddle.meshgrid(i[:2], i[:3])[0]": "np.array([[0, 0, 0], [1, 1, 1]])",
    },
    "paddle.ones_like": {"paddle.ones_like(x)": "np.ones((2, 3))"},
    "paddle.zeros_like": {"paddle.zeros_like(i)": "np.zeros(6)"},
    "paddle.eye": {"paddle.eye(2)": "np.eye(2)"},
    "paddle.full": {"paddle.full([2], 3, dtype='int64')": "np.full(2, 3)"},
    "paddle.linspace": {"paddle.linspace(0, 1, 5)": "np.linspace(0, 1, 5)"},
    "paddle.Tensor": {"isinstance(x, paddle.Tensor)": "True"},
    # ---- What tensors are ------------------------------------------------------------------------
    "Tensor.shape": {"x.shape": "[2, 3]", "x.shape[0]": "2"},
    "Tensor.dtype": {"x.dtype == paddle.float32": "True"},
    "Tensor.ndim": {"x.ndim": "2"},
    "Tensor.dim": {"x.dim()": "2"},
    "Tensor.numel": {"x.numel()": "6"},
    "Tensor.place": {"str(x.place)": "'Place(cpu)'"},
    "paddle.float32": {"str(paddle.float32)": "'paddle.float32'"},
    "paddle.int64": {"str(paddle.int64)": "'paddle.int64'"},
    "paddle.int32": {"str(paddle.int32)": "'paddle.int32'"},
    "paddle.bool": {"str(paddle.bool)": "'paddle.bool'"},
    "paddle.is_tensor": {"paddle.is_tensor(x), paddle.is_tensor(a)": "(True, False)"},
    # ---- Elements --------------------------------------------------------------------------------
    **{
        f"paddle.{name}": {f"paddle.{name}(x)": f"np.{name}(a)"}
        for name in "sqrt tanh abs cos square sin exp cosh sinh sign".split()
    },
    "paddle.log": {"paddle.log(v)": "np.log([3., 1., 2.])"},
    "Tensor.abs": {"(-x).abs()": "a"},
    "paddle.maximum": {"paddle.maximum(x, x * 0 + 2)": "np.maximum(a, 2)"},
    "paddle.minimum": {"paddle.minimum(x, x * 0 + 2)": "np.minimum(a, 2)"},
    "paddle.pow": {"paddle.pow(x, 2)": "a ** 2"},
    "Tensor.pow": {"x.pow(2)": "a ** 2"},
    "paddle.clip": {"paddle.clip(x, 1, 3)": "a.clip(1, 3)"},
    "Tensor.clip": {"x.clip(min=1)": "a.clip(1)"},
    "paddle.cast": {"paddle.cast(x, dtype='int32')": "a.astype('int32')"},
    "Tensor.astype": {
        "x.astype('int64')": "a.astype('int64')",
        "x.astype(paddle.float64)": "a",
        "x.astype(i.dtype)": "a.astype(int)",
    },
    # ---- Reductions ------------------------------------------------------------------------------
    "Tensor.sum": {
        "x.sum()": "a.sum()",
        "x.sum(0)": "a.sum(0)",
        "x.sum(axis=1, keepdim=True)": "a.sum(1, keepdims=True)",
        "x.sum(axis=[0, 1])": "a.sum()",
    },
    "paddle.sum": {
        "paddle.sum(x)": "a.sum()",
        "paddle.sum(x, axis=1, keepdim=True)": "a.sum(1, keepdims=True)",
    },
    "Tensor.mean": {
        "x.mean()": "a.mean()",
        "x.mean(0)": "a.mean(0)",
        "x.mean(axis=1)": "a.mean(1)",
    },
    "paddle.mean": {"paddle.mean(x, axis=1, keepdim=True)": "a.mean(1, keepdims=True)"},
    "Tensor.argmax": {"x.argmax()": "5", "x.argmax(axis=1)": "a.argmax(1)"},
    "paddle.argmax": {
        "paddle.argmax(x, axis=1)": "a.argmax(1)",
        "paddle.argmax(x, 0)": "a.argmax(0)",
    },
    "paddle.max": {
        "paddle.max(x)": "5",
        "paddle.max(x, 1)": "a.max(1)",
        "paddle.max(x, axis=0)": "a.max(0)",
    },
    "Tensor.max": {"x.max()": "5"},
    "paddle.norm": {"paddle.norm(x)": "np.sqrt((a ** 2).sum())"},
    "Tensor.norm": {"x.norm()": "np.sqrt((a ** 2).sum())"},
    "Tensor.std": {"x.std()": "a.std(ddof=1)"},
    "Tensor.cumsum": {"x.cumsum(axis=0)": "a.cumsum(0)"},
    "paddle.nonzero": {"paddle.nonzero(i > 3)": "np.array([[4], [5]])"},
    "paddle.topk": {"paddle.topk(v, k=2)[0]": "np.array([3., 2.])"},
    "Tensor.unique": {
        "paddle.to_tensor([1, 2, 1]).unique(return_counts=True)[1]": "np.array([2, 1])"
    },
    "paddle.argsort": {"paddle.argsort(v, axis=-1, descending=True)": "np.array([0, 2, 1])"},
    "paddle.sort": {"paddle.sort(v)": "np.array([1., 2., 3.])"},
    # ---- Products --------------------------------------------------------------------------------
    "paddle.matmul": {"paddle.matmul(x, x.T)": "a @ a.T"},
    "paddle.mm": {"paddle.mm(x, x.T)": "a @ a.T"},
    "paddle.tensor.mm": {"paddle.tensor.mm(x, x.T)": "a @ a.T"},
    "paddle.bmm": {"paddle.bmm(x.unsqueeze(0), x.T.unsqueeze(0))": "(a @ a.T)[None]"},
    "paddle.mv": {"paddle.mv(x, v)": "a @ np.array([3., 1., 2.])"},
    "paddle.dot": {"paddle.dot(v, v)": "14."},
    "Tensor.matmul": {"x.matmul(x.T)": "a @ a.T"},
    "idiom: a @ b": {"x @ x.T": "a @ a.T"},
    # ---- Shapes ----------------------------------------------------------------------------------
    "Tensor.reshape": {"x.reshape([3, -1])": "a.reshape(3, 2)", "x.reshape((6,))": "a.reshape(6)"},
    "paddle.reshape": {
        "paddle.reshape(x, (3, 2))": "a.reshape(3, 2)",
        "paddle.reshape(x, shape=[-1])": "a.reshape(6)",
    },
    "Tensor.transpose": {"x.transpose([1, 0])": "a.T", "x.transpose(perm=[1, 0])": "a.T"},
    "paddle.transpose": {"paddle.transpose(x, perm=[1, 0])": "a.T"},
    "Tensor.T": {"x.T": "a.T"},
    "Tensor.t": {"x.t()": "a.T"},
    "Tensor.squeeze": {
        "x.unsqueeze(0).squeeze()": "a",
        "x.unsqueeze(0).squeeze(0)": "a",
        "x.unsqueeze(0).squeeze(axis=0)": "a",
    },
    "paddle.squeeze": {"paddle.squeeze(x.unsqueeze(0), axis=0)": "a"},
    "Tensor.unsqueeze": {"x.unsqueeze(1)": "a[:, None]", "x.unsqueeze(axis=0)": "a[None]"},
    "paddle.unsqueeze": {"paddle.unsqueeze(x, axis=0)": "a[None]"},
    "paddle.concat": {
        "paddle.concat([x, x])": "np.concatenate([a, a])",
        "paddle.concat((x, x), 1)": "np.concatenate([a, a], 1)",
        "paddle.concat(x=[x, x], axis=1)": "np.concatenate([a, a], 1)",
    },
    "paddle.stack": {
        "paddle.stack([x, x])": "np.stack([a, a])",
        "paddle.stack([x, x], axis=1)": "np.stack([a, a], 1)",
    },
    "paddle.split": {"paddle.split(x, 3, axis=1)[1]": "a[:, 1:2]"},
    "paddle.tile": {
        "paddle.tile(x, (2, 1))": "np.tile(a, (2, 1))",
        "paddle.tile(x, repeat_times=[2])": "np.tile(a, 2)",
    },
    "Tensor.tile": {"x.tile([2, 1])": "np.tile(a, (2, 1))"},
    "paddle.repeat_interleave": {
        "paddle.repeat_interleave(v, 2)": "np.repeat([3., 1., 2.], 2)",
        "paddle.repeat_interleave(x, repeats=2, axis=0)": "a.repeat(2, 0)",
    },
    "Tensor.repeat_interleave": {"v.repeat_interleave(2)": "np.repeat([3., 1., 2.], 2)"},
    "paddle.flatten": {"paddle.flatten(x.unsqueeze(0), start_axis=1)": "a.reshape(1, 6)"},
    # ---- Values ----------------------------------------------------------------------------------
    "Tensor.numpy": {"x.numpy()": "a"},
    "Tensor.item": {"x.sum().item()": "15."},
    "Tensor.tolist": {"x.tolist()": "a.tolist()"},
    "Tensor.clone": {"y = x.clone(); y[0] = 9; x": "a"},
    "idiom: float(tensor)": {"float(x.sum())": "15."},
    "idiom: int(tensor)": {"int(x.sum())": "15"},
    "idiom: len(tensor)": {"len(x)": "2"},
    "idiom: list(tensor)": {"list(x)[1]": "a[1]"},
    "idiom: for row in tensor": {"[row.sum().item() for row in x]": "[3., 12.]"},
    "idiom: id(tensor)": {"b = id(x); x += 1; id(x) == b": "False"},
    'idiom: f"{tensor}"': {"f'{x.sum()}, {x.sum():.2f}'": "'15.0, 15.00'"},
    "idiom: print(tensor)": {
        "str(v)": "'Tensor(shape=[3], dtype=float32, place=Place(cpu), stop_gradient=True,\\n"
        "       [3., 1., 2.])'"
    },
    # ---- Indices and writes ----------------------------------------------------------------------
    "idiom: x[...] = value": {
        "x[0, 1] = 9; x": "np.array([[0., 9., 2.], [3., 4., 5.]])",
        "x[:] = 1.; x": "np.ones((2, 3))",
        "x[:, 1:] = x[:, :2]; x": "np.array([[0., 0., 1.], [3., 3., 4.]])",
    },
    "idiom: x[None]": {"x[None]": "a[None]", "x[:, None]": "a[:, None]"},
    "idiom: x[a:b:step]": {"i[1:6:2]": "np.array([1, 3, 5])"},
    "idiom: x[...]": {"x[..., 0]": "a[..., 0]"},
    "idiom: x[mask]": {"x[x > 3]": "np.array([4., 5.])"},
    "idiom: tensor // or %": {"i // 2 + i % 2": "np.arange(6) // 2 + np.arange(6) % 2"},
    "idiom: in-place +=": {"x += 1; x": "a + 1"},
    "idiom: in-place *=": {"x *= 2; x": "a * 2"},
    "idiom: in-place -=": {"x -= 1; x": "a - 1"},
    "Tensor.zero_": {"x.zero_(); x": "np.zeros((2, 3))"},
    "Tensor.set_value": {
        "x.set_value(x + 1); x": "a + 1",
        "w.set_value(np.ones(2, 'float32')); w": "np.ones(2)",
    },
    # ---- Gradients -------------------------------------------------------------------------------
    "Tensor.backward": {
        "w.sum().backward(); w.grad": "np.ones(2)",
        "(w * 2).backward(paddle.ones([2]) * 3); w.grad": "np.full(2, 6.)",
        "l = (w * w).sum(); l.backward(retain_graph=True); l.backward(); w.grad": (
            "np.array([4., 8.])"
        ),
    },
    "Tensor.grad": {"w.grad is None": "True"},
    "Tensor.stop_gradient": {"x.stop_gradient = False; (x * 2).stop_gradient": "False"},
    "Tensor.detach": {"w.detach().stop_gradient": "True"},
    "Tensor.clear_gradient": {"w.sum().backward(); w.clear_gradient(); w.grad": "np.zeros(2)"},
    "paddle.no_grad": {"with paddle.no_grad(): y = w * 2\ny.stop_gradient": "True"},
    # ---- Random numbers --------------------------------------------------------------------------
    "paddle.randn": {
        "paddle.randn([2, 3])": "(2, 3)",
        "paddle.randn(shape=(2, 3))": "(2, 3)",
        "paddle.randn((2,), 'float64')": "(2,)",
    },
    "paddle.rand": {"paddle.rand([2, 3])": "(2, 3)", "paddle.rand(shape=[2])": "(2,)"},
    "paddle.normal": {
        "paddle.normal(0, 1, [2, 3])": "(2, 3)",
        "paddle.normal(mean=0., std=0.01, shape=[2])": "(2,)",
        "paddle.normal(0, 1, shape=(2, 3))": "(2, 3)",
    },
    "paddle.uniform": {"paddle.uniform([2, 3])": "(2, 3)"},
    "paddle.randint": {"paddle.randint(0, 5, [2])": "(2,)"},
    # ---- Devices, others -------------------------------------------------------------------------
    "paddle.CPUPlace": {"str(paddle.CPUPlace())": "'Place(cpu)'"},
    "paddle.CUDAPlace": {"raises(lambda: paddle.CUDAPlace(99), ValueError)": "True"},
    "paddle.device.cuda.device_count": {"paddle.device.cuda.device_count() >= 0": "True"},
    "paddle.device.cuda.synchronize": {
        "paddle.device.cuda.synchronize() is None": "True",
        "paddle.device.cuda.synchronize(0) is None": "True",
    },
    "paddle.set_device": {"str(paddle.set_device('cpu'))": "'Place(cpu)'"},
    "paddle.device.set_device": {"str(paddle.device.set_device('cpu'))": "'Place(cpu)'"},
    "Tensor.cpu": {"x.cpu()": "a"},
    "Tensor.cuda": {"paddle.device.cuda.device_count() or raises(x.cuda, ValueError)": "True"},
    "Tensor.to": {"x.to('cpu')": "a", "x.to('float64')": "a"},
    "paddle.disable_signal_handler": {"paddle.disable_signal_handler() is None": "True"},
    "paddle.set_printoptions": {"paddle.set_printoptions(8) is None": "True"},
}
