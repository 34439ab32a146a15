"""Errors that training meets while it runs name the line of the program that queued the operation.

Of gradients they name two: the line of the forward call, and that which asked for gradients. Lines
inside of the package, its layers, losses and optimisers, are never named.
"""

import contextlib
import inspect
import re
import textwrap

import penstock as ps
import pytest
from penstock import autograd, nn, optim

BAD_IDS = [[1, 9]]  # of which one is out of range for WORDS
BAD_LABELS = [0, 7]  # of which one is out of range for CLASSES
WORDS, CLASSES = 5, 3
SIDE = 1024
ROOM = 1 << 21  # bytes: for records, but not for a matrix of SIDE x SIDE


@pytest.fixture(autouse=True)
def nothing_is_left():
    """Errors that a test does not look at are not those of the next one."""
    yield
    ps.memory.set_limit(None)
    while True:
        try:
            ps.waitall()
        except Exception:
            continue
        break


def place_of(function, mark):
    """File and line of the line of a function that ends with a mark."""
    lines, first = inspect.getsourcelines(function)
    [number] = [n for n, line in enumerate(lines) if line.rstrip().endswith(f"# {mark}")]
    return f"{inspect.getsourcefile(function)}, line {first + number}"


def source_of(function, mark):
    lines, _ = inspect.getsourcelines(function)
    [line] = [line for line in lines if line.rstrip().endswith(f"# {mark}")]
    return f"    {line.strip()}"


def own_note(error):
    """The note about lines; others name layers."""
    [note] = [note for note in error.__notes__ if " was queued at " in note]
    assert "site-packages" not in note and re.search(r"penstock/\w+(/\w+)*\.py", note) is None
    return note


def assert_forward(error, operation, function, mark="forward"):
    place = place_of(function, mark)
    assert str(error).endswith(f"(in {operation}, queued at {place})")
    name = function.__qualname__
    assert own_note(error).splitlines() == [
        f"{operation} was queued at {place}, in {name}",
        source_of(function, mark),
    ]


def assert_both(error, operation, forward, backward):
    """The lines of two functions that are marked so."""
    queued, asked = place_of(forward, "forward"), place_of(backward, "backward")
    both = f"for the gradient of {operation}, queued at {queued}; backward at {asked})"
    assert str(error).endswith(both)
    assert_note(error, operation, forward, backward)


def assert_note(error, operation, forward, backward):
    assert own_note(error).splitlines() == [
        f"{operation} was queued at {place_of(forward, 'forward')}, in {forward.__qualname__}",
        source_of(forward, "forward"),
        f"gradients were asked for at {place_of(backward, 'backward')}",
        source_of(backward, "backward"),
    ]


def assert_whichever(error, forward, backward):
    """The same, where it does not matter which operation of the line it was."""
    [operation] = re.findall(r"for the gradient of (.+), queued at ", str(error))
    assert_both(error, operation, forward, backward)


def failure_of(array, kind=IndexError):
    with pytest.raises(kind) as caught:
        array.wait_to_read()
    return caught.value


@contextlib.contextmanager
def little_room():
    """No memory for anything large."""
    ps.waitall()
    ps.memory.trim()
    ps.memory.set_limit(ps.memory.stats().live + ROOM)
    yield
    ps.memory.set_limit(None)


# ---- Forward -------------------------------------------------------------------------------------


def test_label_out_of_range():
    loss = nn.SoftmaxCELoss()
    x = ps.ones((2, CLASSES))
    result = loss(x, ps.array(BAD_LABELS))  # forward
    assert_forward(failure_of(result), "cross_entropy_rows", test_label_out_of_range)


def test_label_out_of_range_with_options():
    loss = nn.SoftmaxCELoss(weight=2.0, smoothing=0.1)
    x = ps.ones((2, CLASSES))
    result = loss(x, ps.array(BAD_LABELS)).mean()  # forward
    assert_forward(failure_of(result), "cross_entropy_rows", test_label_out_of_range_with_options)


def test_position_out_of_range_in_a_layer():
    net = nn.Sequential(nn.Embedding(WORDS, 4), nn.Dense(2)).initialize()
    result = net(ps.array(BAD_IDS))  # forward
    assert_forward(failure_of(result), "embedding", test_position_out_of_range_in_a_layer)


def test_position_out_of_range_in_nested_containers():
    inner = nn.Sequential(nn.Embedding(WORDS, 4), nn.LayerNorm())
    net = nn.Sequential(nn.Sequential(inner), nn.Dense(2)).initialize()
    result = net(ps.array(BAD_IDS))  # forward
    assert_forward(failure_of(result), "embedding", test_position_out_of_range_in_nested_containers)


class Model(nn.Block):
    """A block of the program: its lines are the program's."""

    def __init__(self):
        self.words = nn.Embedding(WORDS, 4)
        self.out = nn.Dense(CLASSES, flatten=False)

    def forward(self, x):
        h = self.words(x)  # forward
        return self.out(h)


def test_block_of_the_program():
    result = Model().initialize()(ps.array(BAD_IDS))
    assert_forward(failure_of(result), "embedding", Model.forward)


def test_block_of_the_program_inside_of_a_container():
    result = nn.Sequential(nn.Sequential(Model()), nn.Flatten()).initialize()(ps.array(BAD_IDS))
    assert_forward(failure_of(result), "embedding", Model.forward)


def test_hook_of_the_program():
    def pick(block, args, result):
        return ps.take(result, ps.array([99]))  # forward

    layer = nn.Dense(2).initialize()
    with layer.register_forward_hook(pick):
        result = layer(ps.ones((1, 2)))
    assert_forward(failure_of(result), "take", pick)


def test_function_given_to_a_layer():
    def pick(x):
        return x.take(ps.array([99]))  # forward

    result = nn.Sequential(nn.Lambda(pick), nn.Flatten())(ps.ones((1, 2)))
    assert_forward(failure_of(result), "take", pick)


def test_the_first_call_settles_shapes():
    """What an initialiser queues has the line of the call that needs it."""
    net = nn.Sequential(nn.Dense(SIDE)).initialize()
    x = ps.ones((1, SIDE))
    with little_room():
        result = net(x)  # forward
        error = failure_of(result, MemoryError)
    assert f"queued at {place_of(test_the_first_call_settles_shapes, 'forward')})" in str(error)
    assert own_note(error)


def test_memory_in_a_layer():
    net = nn.Dense(SIDE).initialize()
    x = ps.ones((SIDE, SIDE))
    net(x[:1])
    with little_room():
        result = net(x)  # forward
        error = failure_of(result, MemoryError)
    assert f"queued at {place_of(test_memory_in_a_layer, 'forward')})" in str(error)
    assert own_note(error)


def test_synchronously_the_call_itself_raises():
    net = nn.Sequential(nn.Embedding(WORDS, 4)).initialize()
    with ps.engine.sync(), pytest.raises(IndexError) as caught:
        net(ps.array(BAD_IDS))  # forward
    assert_forward(caught.value, "embedding", test_synchronously_the_call_itself_raises)
    assert "in layer '0'" in caught.value.__notes__[-1]


# ---- Backward ------------------------------------------------------------------------------------


def test_label_out_of_range_reaches_the_gradient():
    net, loss = nn.Dense(CLASSES).initialize(), nn.SoftmaxCELoss()
    with autograd.record():
        result = loss(net(ps.ones((2, 4))), ps.array(BAD_LABELS))  # forward
    result.backward()  # backward
    test = test_label_out_of_range_reaches_the_gradient
    assert_both(failure_of(net.weight.grad), "cross_entropy_rows", test, test)


def test_and_the_weights():
    """A step with a gradient that failed fails, with the lines of what made the gradient."""
    net, loss = nn.Dense(CLASSES).initialize(), nn.SoftmaxCELoss()
    steps = optim.Adam(net.parameters(), 0.1)
    with autograd.record():
        result = loss(net(ps.ones((2, 4))), ps.array(BAD_LABELS))  # forward
    result.backward()  # backward
    steps.step()
    test = test_and_the_weights
    assert_both(failure_of(net.weight.data), "cross_entropy_rows", test, test)


def test_clipping_hands_it_on():
    net, loss = nn.Dense(CLASSES).initialize(), nn.SoftmaxCELoss()
    steps = optim.SGD(net.parameters(), 0.1)
    with autograd.record():
        result = loss(net(ps.ones((2, 4))), ps.array(BAD_LABELS))  # forward
    result.backward()  # backward
    optim.clip_global_norm([one.grad for one in net.parameters().values()], 1.0)
    steps.step()
    test = test_clipping_hands_it_on
    assert_both(failure_of(net.weight.data), "cross_entropy_rows", test, test)


def ask(result):
    """Gradients are asked for by another function than what was recorded."""
    result.backward()  # backward


@pytest.mark.parametrize("fused", [True, False])
def test_memory_in_backward(fused):
    ps.engine.set_fusion(fused)
    x = ps.ones((SIDE, SIDE))
    x.attach_grad()
    with autograd.record():
        z = ps.square(ps.cumulative_sum(x, axis=1)).sum()  # forward
    with little_room():
        ask(z)
        error = failure_of(x.grad, MemoryError)
    ps.engine.set_fusion(True)
    assert_whichever(error, test_memory_in_backward, ask)


def test_memory_in_backward_of_layers():
    net = nn.Sequential(nn.Dense(SIDE, activation="relu"), nn.Dense(SIDE)).initialize()
    with autograd.record():
        result = net(ps.ones((SIDE, SIDE))).sum()  # forward
    with little_room():
        ask(result)
        error = failure_of(net[0].weight.grad, MemoryError)
    assert_whichever(error, test_memory_in_backward_of_layers, ask)


class Raises(autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2

    @staticmethod
    def backward(ctx, dy):
        raise ZeroDivisionError("on purpose")


class Picks(autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2

    @staticmethod
    def backward(ctx, dy):
        return ps.take(dy, ps.array([0, 99]))  # forward


def test_function_whose_backward_raises():
    """What it raises is the program's own; a note has the lines."""
    x = ps.ones(2)
    x.attach_grad()
    with autograd.record():
        y = Raises.apply(x)  # forward
        z = y.sum()
    with pytest.raises(ZeroDivisionError) as caught:
        ask(z)
    assert str(caught.value) == "on purpose"
    test = test_function_whose_backward_raises
    assert_note(caught.value, "a function of the program", test, ask)


def test_function_whose_backward_fails_later():
    """It queues operations itself: theirs is the line."""
    x = ps.ones(2)
    x.attach_grad()
    with autograd.record():
        z = Picks.apply(x).sum()
    ask(z)
    assert_forward(failure_of(x.grad), "take", Picks.backward)


def test_hook_that_raises():
    def refuse(gradient):
        raise KeyError("on purpose")

    x = ps.ones(2)
    x.attach_grad()
    with autograd.record():
        y = ps.exp(x)  # forward
        z = y.sum()
    y.register_hook(refuse)
    with pytest.raises(KeyError) as caught:
        ask(z)
    assert_note(caught.value, "exp", test_hook_that_raises, ask)


def test_gradient_of_a_gradient():
    layer = nn.Embedding(WORDS, 4).initialize()
    with autograd.record():
        y = layer(ps.array(BAD_IDS))  # forward
        first = autograd.grad((y * y * y).sum(), layer.weight.data, create_graph=True)
        square = (first * first).sum()
    ask(square)
    error = failure_of(layer.weight.grad)
    assert place_of(test_gradient_of_a_gradient, "forward") in str(error)
    assert own_note(error)


def test_walked_twice():
    net = nn.Dense(2).initialize()
    with autograd.record():
        result = net(ps.ones((1, 3)))  # forward
    ask(result)
    with pytest.raises(RuntimeError, match="walked before") as caught:
        ask(result)
    assert_whichever(caught.value, test_walked_twice, ask)


# ---- A whole program -----------------------------------------------------------------------------

PROGRAM = """
    import penstock as ps
    from penstock import autograd, nn, optim

    class Net(nn.Block):
        def __init__(self):
            self.words = nn.Embedding(5, 4)
            self.lstm = nn.LSTM(3)
            self.out = nn.Dense(3, flatten=False)

        def forward(self, x):
            h = self.words(x)
            h = self.lstm(h)
            return self.out(h)

    def train(batches):
        net = Net().initialize()
        loss = nn.SoftmaxCELoss()
        steps = optim.Adam(net.parameters(), 0.1)
        for ids, labels in batches:
            with autograd.record():
                result = loss(net(ids), labels).mean()  # loss
            result.backward()  # backward
            steps.step()
        return net
    """


def test_a_bad_batch_in_the_middle(tmp_path):
    """Steps after the batch are queued as if nothing had happened; the weights tell of it."""
    path = tmp_path / "train.py"
    path.write_text(textwrap.dedent(PROGRAM), encoding="utf-8")
    lines = path.read_text(encoding="utf-8").splitlines()
    scope = {}
    exec(compile(path.read_text(encoding="utf-8"), str(path), "exec"), scope)
    ids = ps.array([[0, 1], [2, 3]])
    good, bad = (ids, ps.array([[0, 1], [2, 0]])), (ids, ps.array([[0, 1], [CLASSES, 0]]))
    net = scope["train"]([good, good, bad, good, good])
    error = failure_of(net.out.weight.data)
    loss = next(n for n, line in enumerate(lines, 1) if line.endswith("# loss"))
    asked = next(n for n, line in enumerate(lines, 1) if line.endswith("# backward"))
    assert "label 3 is out of range for 3 classes" in str(error)
    assert str(error).endswith(
        f"queued at {path}, line {loss}; backward at {path}, line {asked})"
    )
    assert own_note(error)
