"""Twenty steps of each optimiser, with its options, clips of gradients and schedules of its rate."""

SHARE = 60

DECAY = ["", "", ", weight_decay=0.01", ", weight_decay=paddle.regularizer.L2Decay(0.1)", ", weight_decay=paddle.regularizer.L1Decay(0.1)"]
CLIPS = ["", "", ", grad_clip=nn.ClipGradByNorm(0.5)", ", grad_clip=nn.ClipGradByGlobalNorm(0.5)", ", grad_clip=nn.ClipGradByValue(0.3)"]
OPTIONS = {
    "SGD": [""],
    "Momentum": ["", ", momentum=0.5", ", use_nesterov=True", ", momentum=0.8, use_nesterov=True"],
    "Adam": ["", ", beta1=0.5", ", beta2=0.9", ", epsilon=1e-2", ", amsgrad=True"],
    "AdamW": ["", ", beta1=0.5", ", epsilon=1e-2", ", amsgrad=True"],
    "Adagrad": ["", ", epsilon=1e-2", ", initial_accumulator_value=0.5"],
    "RMSProp": ["", ", rho=0.8", ", momentum=0.5", ", centered=True", ", epsilon=1e-2"],
    "Adadelta": ["", ", rho=0.8", ", epsilon=1e-2"],
}
SCHEDULES = [
    "StepDecay(0.1, step_size=3, gamma=0.5)",
    "MultiStepDecay(0.1, milestones=[3, 7], gamma=0.2)",
    "ExponentialDecay(0.1, gamma=0.9)",
    "NaturalExpDecay(0.1, gamma=0.1)",
    "InverseTimeDecay(0.1, gamma=0.5)",
    "PolynomialDecay(0.1, decay_steps=10)",
    "PolynomialDecay(0.1, decay_steps=5, end_lr=0.01, power=2.0, cycle=True)",
    "CosineAnnealingDecay(0.1, T_max=10)",
    "CosineAnnealingDecay(0.1, T_max=5, eta_min=0.01)",
    "LambdaDecay(0.1, lr_lambda=lambda n: 0.9 ** n)",
    "MultiplicativeDecay(0.1, lr_lambda=lambda n: 0.95)",
    "NoamDecay(d_model=8, warmup_steps=5)",
    "PiecewiseDecay(boundaries=[3, 6], values=[0.1, 0.05, 0.01])",
    "LinearWarmup(0.1, warmup_steps=5, start_lr=0.0, end_lr=0.1)",
    "LinearWarmup(O.lr.StepDecay(0.1, 3), warmup_steps=4, start_lr=0.01, end_lr=0.1)",
    "LinearLR(0.1, total_steps=8)",
    "CosineAnnealingWarmRestarts(0.1, T_0=4, T_mult=2)",
]


def _parameters(m):
    shape = m.pick((2,), (2, 3), (1,))
    m.add(
        f"p = paddle.create_parameter({list(shape)}, 'float32')\n"
        f"p.set_value({m.literal(shape)})\n"
        f"q = paddle.create_parameter([2], 'float32')\n"
        f"q.set_value({m.literal((2,))})"
    )


def _steps(m, after):
    m.add(
        "told = []\n"
        "for n in range(20):\n"
        f"    loss = ((p - {m.pick('1', '0.3', '2')}) ** 2).sum() + {m.pick('(q ** 2).sum()', '(q * (n % 3)).sum()')}\n"
        "    loss.backward()\n"
        "    o.step()\n"
        "    o.clear_grad()\n"
        "    told.append(float(loss))\n"
        f"{after}"
    )
    m.let("(p, told)[0]")
    m.let("(q, told)[0]")
    m.let("list(told)")


def _optimiser(m):
    name = m.pick(list(OPTIONS))
    decay = m.pick("", ", weight_decay=0.1") if name == "AdamW" else m.pick(DECAY)
    rate = m.pick("0.1", "0.01", "learning_rate=0.05")
    _parameters(m)
    m.add(f"o = O.{name}({rate}, parameters=[p, q]{m.pick(OPTIONS[name])}{decay}{m.pick(CLIPS)})")
    _steps(m, m.pick("", "    o.set_lr(0.1 / (n + 1))\n"))
    m.let("o.get_lr()")


def _scheduled(m):
    name = m.pick("SGD", "Momentum", "Adam")
    _parameters(m)
    m.add(f"s = O.lr.{m.pick(SCHEDULES)}")
    m.add(f"o = O.{name}(s, parameters=[p, q])")
    m.add("rates = []")
    _steps(m, "    s.step()\n    rates.append(o.get_lr())\n")
    m.let("rates")
    m.let("(s.last_epoch, s.last_lr)")
    m.let("o.set_lr(0.1)")


def _schedule(m):
    made = m.pick(SCHEDULES)
    m.add(f"s = O.lr.{made}")
    m.add("rates = []\nfor n in range(12):\n    s.step()\n    rates.append(s())")
    m.let("rates")
    m.add(f"s.step({m.pick('3', 'epoch=5', '0')})")
    m.let("(s(), s.last_lr, s.last_epoch)")
    m.let("s.state_dict()")
    m.add(f"t = O.lr.{made}\nt.set_state_dict(s.state_dict())\nt.step()")
    m.let("(t.last_lr, t.last_epoch)")


def _plateau(m):
    m.add(f"s = O.lr.ReduceOnPlateau(0.1{m.pick('', ', factor=0.5, patience=1', ', patience=2, cooldown=1', ', mode=' + repr('max'), ', patience=0, threshold=0.1', ', patience=1, min_lr=0.05')})")
    numbers = [round(m.random.uniform(0, 2), 2) for _ in range(8)]
    m.add(f"rates = []\nfor n in {numbers}:\n    s.step({m.pick('n', 'paddle.to_tensor(n)', 'np.float32(n)')})\n    rates.append(s.last_lr)")
    m.let("rates")


def _wrong(m):
    _parameters(m)
    m.let(
        m.pick(
            *("O.SGD(0.1)", "O.SGD('a', parameters=[p])", "O.SGD(0.1, parameters=5)", "O.Adam(0.1, beta1=2., parameters=[p])"),
            *("O.SGD(0.1, parameters=[])", "O.Momentum(0.1, momentum=None, parameters=[p])", "O.SGD(None, parameters=[p])"),
            *("O.lr.StepDecay(0.1, 'a')", "O.lr.StepDecay('a', 3)", "O.lr.MultiStepDecay(0.1, 5)", "O.lr.LambdaDecay(0.1, 5)", "O.SGD(0.1, parameters=[p], foo=1)"),
            *("O.Adam(parameters=[p], epsilon=None)", "O.RMSProp(None, parameters=[p])", "O.lr.PolynomialDecay(0.1, 0)", "O.lr.CosineAnnealingDecay(0.1, 'a')"),
        )
    )
    m.add("o = O.SGD(0.1, parameters=[p])\no.step()")
    m.let("p")


def make(m):
    m.pick(*[_optimiser] * 5, *[_scheduled] * 2, _schedule, _plateau, _wrong)(m)
