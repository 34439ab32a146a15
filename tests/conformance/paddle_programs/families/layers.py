"""Layers with given weights: values, gradients, texts, names, training and evaluation."""

SHARE = 90


def _filled(m, layer):
    """A layer whose parameters are set to numbers that both libraries can compute."""
    m.add(f"net = {layer}")
    m.add(
        "for at, p in enumerate(net.parameters()):\n"
        "    n = int(np.prod(p.shape))\n"
        "    numbers = np.sin(np.arange(n) * 0.7 + at + 0.3) * 0.5\n"
        "    p.set_value(numbers.astype('float32').reshape(tuple(p.shape)))"
    )


def _input(m, shape, flows=True):
    return m.let(
        f"paddle.to_tensor(np.cos(np.arange({_count(shape)}) * {m.pick('0.9', '1.3', '0.37')})"
        f".astype('float32').reshape({tuple(shape)}), stop_gradient={not flows})"
    )


def _count(shape):
    count = 1
    for length in shape:
        count *= length
    return count


def _run(m, x, of="net"):
    y = m.let(f"{of}({x})")
    m.add(f"({y} * {y} * {y}).sum().backward()")
    m.let(f"{x}.grad")
    m.add("gradients = [p.grad for p in net.parameters()]")
    m.let("repr(net)")
    if m.chance(0.4):
        m.let("[(k, v.shape) for k, v in net.state_dict().items()]")
    if m.chance(0.3):
        m.let("[k for k, _ in net.named_parameters()]")


def _linear(m):
    inner, outer = m.integer(1, 4), m.integer(1, 4)
    bias = m.pick("", "", ", bias_attr=False")
    _filled(m, f"nn.Linear({inner}, {outer}{bias})")
    _run(m, _input(m, m.pick((2, inner), (inner,), (2, 3, inner), (2, inner + (m.chance(0.3))))))


def _convolution(m):
    groups = m.pick(1, 1, 1, 2)
    inner, outer = groups * m.integer(1, 2), groups * m.integer(1, 2)
    kernel = m.pick("1", "2", "3", "[2, 3]")
    options = [
        m.pick("", "stride=2", "stride=[1, 2]"),
        m.pick("", "padding=1", "padding=[1, 0]", "padding='SAME'", "padding='VALID'"),
        m.pick("", "", "dilation=2") if kernel in ("1", "2") else "",
        f"groups={groups}" if groups > 1 else "",
        m.pick("", "", "bias_attr=False"),
    ]
    text = ", ".join(filter(None, [str(inner), str(outer), kernel, *options]))
    _filled(m, f"nn.Conv2D({text})")
    _run(m, _input(m, (m.integer(1, 2), inner, m.integer(4, 6), m.integer(4, 6))))


def _convolution_1(m):
    inner, outer = m.integer(1, 3), m.integer(1, 3)
    name = m.pick("Conv1D", "Conv1D", "Conv1DTranspose")
    options = m.pick("", ", stride=2", ", padding=1", ", stride=2, padding=1")
    _filled(m, f"nn.{name}({inner}, {outer}, {m.integer(1, 3)}{options})")
    _run(m, _input(m, (2, inner, m.integer(4, 6))))


def _transposed(m):
    inner, outer = m.integer(1, 2), m.integer(1, 2)
    options = m.pick("", ", stride=2", ", padding=1", ", stride=2, padding=1, output_padding=1")
    _filled(m, f"nn.Conv2DTranspose({inner}, {outer}, {m.pick('2', '3')}{options})")
    _run(m, _input(m, (1, inner, m.integer(3, 4), m.integer(3, 4))))


def _pooling(m):
    name = m.pick("MaxPool2D", "AvgPool2D")
    options = m.pick("", ", stride=1", ", padding=1", ", stride=2, padding=1", ", ceil_mode=True")
    if name == "AvgPool2D":
        options += m.pick("", ", exclusive=False")
    adaptive = m.pick("nn.AdaptiveAvgPool2D(2)", "nn.AdaptiveAvgPool2D([1, 3])", "nn.AdaptiveMaxPool2D(2)")
    m.add(f"net = {m.pick(f'nn.{name}({m.pick(2, 3)}{options})', adaptive)}")
    _run(m, _input(m, (1, 2, m.integer(3, 6), m.integer(3, 6))))


def _pooling_1(m):
    name = m.pick("MaxPool1D(2)", "AvgPool1D(2)", "AvgPool1D(3, stride=1, padding=1)", "MaxPool1D(3, 2, 1)")
    m.add(f"net = nn.{m.pick(name, 'AdaptiveAvgPool1D(2)', 'AdaptiveMaxPool1D(2)')}")
    _run(m, _input(m, (2, 2, m.integer(4, 6))))


def _norm(m):
    channels = m.integer(2, 4)
    kind = m.pick("BatchNorm1D", "BatchNorm2D", "LayerNorm", "GroupNorm", "InstanceNorm2D")
    options = m.pick("", ", epsilon=1e-3")
    if kind.startswith("Batch"):
        options += m.pick("", ", momentum=0.5", ", weight_attr=False", ", bias_attr=False")
    if kind == "LayerNorm":
        shape = m.pick((2, channels), (2, 3, channels))
        _filled(m, f"nn.LayerNorm({m.pick(channels, [channels])}{options})")
    elif kind == "GroupNorm":
        channels, shape = 4, (2, 4, 3)
        _filled(m, f"nn.GroupNorm({m.pick(1, 2, 4)}, 4{options})")
    else:
        shape = (3, channels) if kind == "BatchNorm1D" else (2, channels, 2, 3)
        _filled(m, f"nn.{kind}({channels}{options})")
    x = _input(m, shape)
    if m.chance(0.3):
        m.add("_ = net.eval()")
    _run(m, x)
    if kind.startswith("Batch"):
        m.let("net._mean")
        m.let("net._variance")
        m.add("_ = net.eval()")
        m.let(f"net({x})")


ACTIVATIONS = (
    "relu relu6 sigmoid tanh softplus softsign elu selu celu gelu silu swish mish hardswish "
    "hardsigmoid hardtanh leaky_relu log_sigmoid tanhshrink softshrink hardshrink softmax log_softmax"
).split()


def _activation(m):
    x = _input(m, m.pick((2, 3), (4,), (2, 2, 2)))
    for name in m.random.sample(ACTIVATIONS, 4):
        options = {
            "elu": m.pick("", ", alpha=0.5"),
            "leaky_relu": m.pick("", ", negative_slope=0.2"),
            "gelu": m.pick("", ", approximate=True"),
            "softmax": m.pick("", ", axis=0"),
            "log_softmax": m.pick("", ", axis=0"),
            "softplus": m.pick("", ", beta=2"),
        }.get(name, "")
        y = m.let(f"F.{name}({x} * 3{options})")
        m.add(f"({y} * {y}).sum().backward()")
        m.let(f"{x}.grad")
    m.let(f"repr(nn.{m.pick('ReLU', 'Sigmoid', 'Tanh', 'GELU', 'Softmax', 'LeakyReLU', 'ELU', 'Softplus', 'Hardswish', 'LogSoftmax')}())")


def _recurrent(m):
    kind = m.pick("SimpleRNN", "LSTM", "GRU")
    inner, hidden = m.integer(1, 3), m.integer(1, 3)
    options = m.pick(
        "", "", ", num_layers=2", ", direction='bidirect'", ", time_major=True", ", activation='relu'" * (kind == "SimpleRNN")
    )
    _filled(m, f"nn.{kind}({inner}, {hidden}{options})")
    x = _input(m, (2, 3, inner))
    m.add(f"out, state = net({x})")
    m.let("state")
    m.add("(out * out).sum().backward()")
    m.let(f"{x}.grad")
    m.add("gradients = [p.grad for p in net.parameters()]")
    m.let("list(net.state_dict())")
    m.let("repr(net)")


def _cell(m):
    kind = m.pick("SimpleRNNCell", "LSTMCell", "GRUCell")
    inner, hidden = m.integer(1, 3), m.integer(1, 3)
    _filled(m, f"nn.{kind}({inner}, {hidden})")
    x = _input(m, (2, inner))
    m.add(f"out, state = net({x})")
    m.let("state")
    m.add("out.sum().backward()")
    m.let(f"{x}.grad")


def _embedding(m):
    count, width = m.integer(2, 5), m.integer(1, 4)
    _filled(m, f"nn.Embedding({count}, {width}{m.pick('', ', padding_idx=0', ', padding_idx=-1')})")
    places = [m.integer(0, count - 1) for _ in range(4)]
    i = m.let(f"paddle.to_tensor({m.pick(places, [places[:2], places[2:]])})")
    y = m.let(f"net({i})")
    m.add(f"({y} * {y}).sum().backward()")
    m.let("net.weight.grad")
    m.let("repr(net)")


def _containers(m):
    m.add(
        m.pick(
            "net = nn.Sequential(nn.Linear(2, 3), nn.ReLU(), nn.Linear(3, 1))",
            "net = nn.Sequential(('a', nn.Linear(2, 3)), ('b', nn.Tanh()))",
            "net = nn.Sequential(nn.Flatten(), nn.Linear(2, 2), nn.Dropout(0.5))",
            "net = nn.LayerList([nn.Linear(2, 3), nn.Linear(3, 2)])",
            "net = nn.Sequential(nn.Sequential(nn.Linear(2, 2)), nn.BatchNorm1D(2))",
            "net = nn.LayerDict({'a': nn.Linear(2, 2)})",
            "class Net(nn.Layer):\n    def __init__(self):\n        super().__init__()\n        self.a = nn.Linear(2, 2)\n        self.w = self.create_parameter([2])\n        self.register_buffer('t', paddle.ones([1]))\n    def forward(self, x):\n        return self.a(x) * self.w\nnet = Net()",
        )
    )
    m.let("repr(net)")
    m.let("[(k, v.shape) for k, v in net.state_dict().items()]")
    m.let("[k for k, _ in net.named_sublayers()]")
    m.let("len(net.parameters())")
    m.let("[type(one).__name__ for one in net.sublayers()]")
    m.let("[k for k, _ in net.named_parameters()]")
    m.let("(net.training, net.eval() is net, net.training)")
    m.let("net.set_state_dict({'x': paddle.ones([1])})" if m.chance(0.5) else "[type(p).__name__ for p in net.parameters()]")
    m.let(m.pick("net.foo", "net(paddle.ones([3, 7]))", "net('a')", "len(net)", "net[0]", "net.bias", "[p.stop_gradient for p in net.parameters()]", "net.full_name().rsplit('_', 1)[0]"))


def _dropout(m):
    x = _input(m, (2, 3))
    part = m.pick("0.5", "0", "1", "0.9")
    m.add(f"net = nn.Dropout({part}{m.pick('', ', mode=' + repr('downscale_in_infer'))})")
    m.let(f"net({x}).shape")
    m.add("_ = net.eval()")
    m.let(f"net({x})")
    m.let("repr(net)")
    m.let(f"F.dropout({x}, {part}, training=False)")


def _shapes(m):
    x = _input(m, (1, 2, 3, 4))
    m.add(
        f"net = {m.pick('nn.Flatten()', 'nn.Flatten(0)', 'nn.Flatten(2, 3)', 'nn.Pad2D(1)', 'nn.Pad2D([1, 0, 2, 1])', 'nn.ZeroPad2D(1)', 'nn.Identity()', 'nn.Pad2D(1, mode=' + repr('reflect') + ')', 'nn.Pad2D(1, mode=' + repr('replicate') + ')', 'nn.Unflatten(3, [2, 2])')}"
    )
    _run(m, x)
    m.let(f"F.pad({x}, [1, 2]{m.pick('', ', value=3.', '')})")
    m.let(f"F.one_hot(paddle.to_tensor({m.pick([0, 2], [[1, 0]], [3])}), {m.pick(3, 4)})")
    m.let(f"F.normalize({x}{m.pick('', ', axis=-1', ', p=1')})")
    m.let(f"F.cosine_similarity({x}, {x} + 1{m.pick('', ', axis=-1')})")


def make(m):
    m.pick(
        *(_linear, _linear, _convolution, _convolution, _convolution_1, _transposed, _pooling),
        *(_pooling_1, _norm, _norm, _activation, _activation, _recurrent, _recurrent, _cell),
        *(_embedding, _containers, _containers, _dropout, _shapes),
    )(m)
