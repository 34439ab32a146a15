"""The chapter's MXNet programs run as they stand.

Values are checked against NumPy, texts against what MXNet shows. What the chapters tell of
asynchronous computation is checked as an order of events: whether work was left when a line was
printed. No times are looked at.
"""

import gate
import numpy
import penstock
import pytest
import seeds

pytest.importorskip("d2l", reason="d2l is not installed: make setup")

# 000 Turkish, 001 Indonesian, 002 French; 004 the older Chinese edition.
NEW, OLD = ("000", "001", "002"), "004"


def text_of(number):
    path = seeds.path_of(number)
    if path is None:
        pytest.skip(f"seed {number} is not in {seeds.FOLDER}")
    return path.read_text()


@pytest.fixture(autouse=True)
def mxnet(monkeypatch):
    """Penstock as mxnet; without the mode that a chapter may have switched on, at the end."""
    monkeypatch.setenv("MPLBACKEND", "agg")
    package = penstock.install_as("mxnet")
    yield package
    package.npx.reset_np()


def test_cells_are_found():
    counts = [len(seeds.cells(text_of(number))) for number in NEW]
    assert counts == [7, 7, 7]
    assert len(seeds.cells(text_of("000"), "pytorch")) == 4
    old = seeds.cells(text_of(OLD))
    assert len(old) == 15
    assert old[0].startswith("from mxnet import autograd, gluon, nd\n")


def run_cells(cells, line):
    """A notebook after these cells. In the one that prints a line with this beginning no product
    ends before that. (In synchronous mode none could be waited for.)"""

    def open_gate(printed):
        if printed.text.startswith(line):
            gate.open()

    notebook = seeds.Notebook(open_gate)
    try:
        for cell in cells:
            if line in cell and not penstock.engine.is_sync():
                gate.shut()
            notebook.run(cell)
    finally:
        gate.open()
    return notebook


def run_chapter(number):
    return run_cells(seeds.cells(text_of(number)), "mxnet.np")


def product_of(a):
    return numpy.dot(a.asnumpy(), a.asnumpy())


@pytest.mark.parametrize("number", NEW)
def test_new_edition(number):
    notebook = run_chapter(number)
    penstock.waitall()
    stats = penstock.engine.stats()
    assert stats.executed == stats.pushed and stats.failed == 0
    check_shown(notebook)
    check_values(notebook.space)
    check_order(notebook)


def check_shown(notebook):
    assert notebook.shown == ["array([[3., 3.]])"]
    # Two are translated in one edition.
    names = ["numpy", "mxnet.np", "Done", "waitall", "wait_to_read", ..., ...]
    names += ["synchronous", "asynchronous"]
    found = [line.text.partition(":")[0] for line in notebook.lines]
    assert len(found) == len(names)
    assert all(name in (..., text) for name, text in zip(names, found))


def check_values(space):
    a, b = space["a"], space["b"]
    assert str(type(a)) == "<class 'mxnet.numpy.ndarray'>"
    assert (a.shape, str(a.dtype)) == ((1000, 1000), "float32")
    assert abs(a.mean().item()) < 0.01 and abs(a.std().item() - 1) < 0.01
    numpy.testing.assert_allclose(b.asnumpy(), product_of(a), rtol=1e-3, atol=1e-3)
    assert b.sum().item() == pytest.approx(product_of(a).sum(), rel=1e-2, abs=10)
    assert space["y"].asnumpy().tolist() == [[2, 2]]
    assert space["z"].asnumpy().tolist() == [[3, 3]]


def left_over(line):
    """Whether work was left when the line was printed; in synchronous mode there never is."""
    return line.stats.unfinished > 0 or penstock.engine.is_sync()


def check_order(notebook):
    """The loop over products ended before they did; after waitall nothing is left."""
    assert left_over(notebook.line("mxnet.np"))
    for start in ("Done", "waitall", "asynchronous"):
        assert notebook.line(start).stats.unfinished == 0
    loops = [notebook.line(name).stats.executed for name in ("synchronous", "asynchronous")]
    assert loops[1] - loops[0] == 10000


# ---- The older edition ---------------------------------------------------------------------------


def training_cells():
    """All cells, and the places of the one that runs the network first and of the two loops."""
    cells = seeds.cells(text_of(OLD))
    first = next(i for i, cell in enumerate(cells) if "    break\nloss(y, net(X))" in cell)
    loops = [i for i, cell in enumerate(cells) if "trainer.step(" in cell]
    assert len(loops) == 2 and loops[-1] == len(cells) - 1 and "asscalar" in cells[loops[0]]
    return cells, first, loops


@pytest.fixture(scope="module")
def older():
    """A notebook after all cells of the older edition, with what was noted on the way."""
    penstock.install_as("mxnet").random.seed(1)
    cells, first, loops = training_cells()
    notebook = run_cells(cells[:first], "Workloads are queued.")
    notebook.early = dict(notebook.space)  # training uses some of the names again
    notebook.run(cells[first])
    penstock.waitall()
    notebook.losses, notebook.peaks = [loss_of(notebook)], []
    for place in range(first + 1, len(cells)):
        penstock.memory.reset_peak()
        notebook.run(cells[place])
        if place in loops:
            notebook.peaks.append(penstock.memory.stats().peak)
            notebook.losses.append(loss_of(notebook))
    return notebook


def loss_of(notebook):
    """Of the network as it is, over a batch that is always the same."""
    nd, net = notebook.space["nd"], notebook.space["net"]
    X = nd.array(numpy.random.RandomState(1).normal(size=(256, 512)))
    return float(((net(X) - 1) ** 2).mean().asscalar()) / 2


def test_older_edition(older):
    penstock.waitall()
    stats = penstock.engine.stats()
    assert stats.executed == stats.pushed and stats.failed == 0
    assert older.shown == ["\n[[3. 3.]]\n<NDArray 1x2 @cpu(0)>"]
    check_older_values(older)
    check_older_order(older)
    check_data(older.space)


def test_the_older_editions_training_learns(older):
    before, between, after = older.losses
    assert before > between > after and before > 2 * after
    assert older.space["l_sum"] / 100 > after
    batches = [line.text for line in older.lines if line.text.startswith("batch ")]
    assert [text.split(",")[0] for text in batches[-4:]] == ["batch 50", "batch 100"] * 2


def test_the_older_editions_memory_is_bounded(older):
    """A loop that never waits uses no more than the bound beside what one batch needs."""
    waits, never = older.peaks
    assert never <= waits + penstock.engine.bound().soft_bytes
    told = [line.text for line in older.lines if line.text.startswith("increased memory:")]
    assert len(told) == 2 and all(text.endswith(" MB") for text in told)


def check_older_values(notebook):
    space = notebook.early
    x, y, z = space["x"], space["y"], space["z"]
    assert str(type(x)) == "<class 'mxnet.ndarray.ndarray.NDArray'>"
    assert space["c"].asnumpy().tolist() == [[3, 3]]
    assert (y == x + 1).min().asscalar() == 1
    numpy.testing.assert_allclose(z.asnumpy(), product_of(x), rtol=1e-4)
    assert 0 <= x.min().asscalar() < x.max().asscalar() < 1
    total = notebook.line("sum =").text + notebook.lines[2].text
    assert float(total.strip("sum =[]")) == pytest.approx(product_of(x).sum(), rel=1e-4)


def check_older_order(notebook):
    assert left_over(notebook.line("Workloads are queued."))
    assert notebook.lines.index(notebook.line("sum =")) == 1
    assert notebook.lines.index(notebook.line("Workloads are finished.")) == 4
    assert notebook.line("asynchronous.").stats.unfinished == 0
    loops = [notebook.line(name).stats.executed for name in ("synchronous.", "asynchronous.")]
    assert loops[1] - loops[0] == 1000


def check_data(space):
    X, y = next(space["data_iter"]())
    assert (X.shape, y.shape) == ((1024, 512), (1024,))
    assert abs(X.mean().asscalar()) < 0.01
    assert y.sum().asscalar() == 1024
