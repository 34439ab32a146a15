"""Small modules and functions of the torch dialect that few programs use."""

import math
import subprocess
import sys

import numpy as np
import pytest
from penstock import torch

rng = np.random.default_rng(5)
A = rng.standard_normal((3, 4)).astype("f")
V = rng.standard_normal(6).astype("f")
X, W = torch.tensor(A), torch.tensor(V)


def near(ours, expected):
    np.testing.assert_allclose(ours.detach().numpy(), expected, rtol=1e-5, atol=1e-6)
    assert tuple(ours.shape) == np.shape(expected)


def gradient(function, array):
    x = torch.tensor(array, requires_grad=True)
    function(x).sum().backward()
    return x.grad


# ---- Modules -------------------------------------------------------------------------------------


def test_jit_gives_what_it_is_given():
    net = torch.nn.Linear(4, 2)
    assert torch.jit.script(net) is net and torch.jit.trace(net, X) is net
    assert torch.jit.script(net)(X).shape == (3, 2)

    @torch.jit.script
    def doubled(x):
        return x * 2

    near(doubled(X), A * 2)
    assert not torch.jit.is_scripting()
    with pytest.raises(TypeError):
        torch.jit.script(5)
    with pytest.raises(AttributeError, match="torch.jit.fork is a part of PyTorch"):
        torch.jit.fork
    assert torch.compile(net) is net and torch.compile()(len) is len
    assert torch.compile(net, mode="max-autotune") is net


def test_scripted_modules_are_saved_and_loaded(tmp_path):
    path, nn = tmp_path / "net", torch.nn
    inner = nn.Sequential(nn.ReLU(), nn.Linear(5, 5))
    net = nn.Sequential(nn.LazyLinear(5), nn.BatchNorm1d(5), inner)
    net.append(net[2])  # a module that is there twice
    net(X)
    assert not hasattr(net, "save")
    net.eval()
    torch.jit.script(net).save(path)
    again = torch.jit.load(path)
    assert repr(again) == repr(net) and again[2] is again[3] and not again.training
    near(again(X), net(X).detach().numpy())
    again.train()(X).sum().backward()
    assert all(parameter.grad is not None for parameter in again.parameters())
    assert list(again.state_dict()) == list(net.state_dict())
    again.save(path)
    near(torch.jit.load(str(path), map_location="cpu").eval()(X), again.eval()(X).detach().numpy())


def test_what_scripted_files_cannot_have(tmp_path):
    class Own(torch.nn.Module):
        def forward(self, x):
            return x

    net = torch.jit.script(torch.nn.Sequential(torch.nn.ReLU(), Own()))
    with pytest.raises(NotImplementedError, match="jit.save: 1 is a .*Own, and code is not"):
        net.save(tmp_path / "net")
    assert not (tmp_path / "net").exists()
    with pytest.raises(NotImplementedError, match="_extra_files"):
        torch.jit.save(net, tmp_path / "net", {"a": "b"})
    torch.save(torch.ones(2), tmp_path / "data")
    with pytest.raises(RuntimeError, match="no module that jit.save wrote"):
        torch.jit.load(tmp_path / "data")


def test_version_and_backends():
    assert torch.version.__version__ == torch.__version__ and torch.version.cuda is None
    backends = torch.backends
    for name in ("enabled", "benchmark", "deterministic"):
        before = getattr(backends.cudnn, name)
        setattr(backends.cudnn, name, not before)
        assert getattr(backends.cudnn, name) is not before
        setattr(backends.cudnn, name, before)
    assert backends.mps.is_available() is False
    assert backends.cuda.is_built() == torch.cuda.is_available() == backends.cudnn.is_available()
    backends.cuda.matmul.allow_tf32 = True
    with pytest.raises(AttributeError, match="torch.backends.quantized is a part of PyTorch"):
        backends.quantized
    torch.set_float32_matmul_precision("high")
    assert torch.get_float32_matmul_precision() == "highest"


def test_special():
    special, positive = torch.special, torch.tensor(abs(A))
    near(special.expit(X), 1 / (1 + np.exp(-A)))
    near(special.erf(X), np.vectorize(math.erf)(A))
    near(special.ndtr(X), 0.5 * (1 + np.vectorize(math.erf)(A / math.sqrt(2))))
    near(special.sinc(torch.tensor([0.0, 0.5, 1.0])), np.sinc([0.0, 0.5, 1.0]))
    near(torch.sinc(X), np.sinc(A))
    near(special.exp2(X), np.exp2(A))
    near(special.logsumexp(X, 1), np.log(np.exp(A).sum(1)))
    near(special.xlogy(X, positive), A * np.log(abs(A)))
    found = special.xlogy(torch.tensor([0.0, 0.0]), torch.tensor([0.0, math.nan]))
    near(found, [0.0, math.nan])
    near(special.xlogy(X, 2), A * math.log(2))
    near(special.xlogy(2, positive), 2 * np.log(abs(A)))
    near(special.entr(torch.tensor([0.0, 0.5, -1.0])), [0.0, 0.5 * math.log(2), -math.inf])
    near(special.gammaln(torch.tensor([1, 5])), [0.0, math.log(24)])
    near(gradient(special.sinc, np.zeros(2, "f")), np.zeros(2))
    soft = np.exp(A) / np.exp(A).sum(1, keepdims=True)
    for found in (special.softmax(X, 1), X.softmax(1), X.softmax(dim=-1)):
        near(found, soft)
    near(X.log_softmax(1), np.log(soft))
    with pytest.raises(AttributeError, match="torch.special.zeta is a part of PyTorch"):
        special.zeta


# ---- Shapes --------------------------------------------------------------------------------------


def test_joined_and_taken_apart():
    near(torch.dstack([X, X]), np.dstack([A, A]))
    near(torch.dstack([W, W]), np.dstack([V, V]))
    near(torch.column_stack([X, X[:, 0]]), np.column_stack([A, A[:, 0]]))
    assert [torch.atleast_3d(X.new_ones((2,) * n)).shape for n in range(4)] == [
        *((1, 1, 1), (1, 2, 1), (2, 2, 1), (2, 2, 2)),
    ]
    for ours, theirs in zip(torch.hsplit(X, [1, 3]), np.hsplit(A, [1, 3])):
        near(ours, theirs)
    x = X.clone()
    x.hsplit(2)[1].zero_()
    assert (x[:, 2:] == 0).all() and not (x[:, :2] == 0).any()
    assert len(x.vsplit(3)) == 3 and len(torch.dsplit(torch.ones(1, 1, 4), 2)) == 2
    for run in (lambda: x.hsplit(3), lambda: W.vsplit(2), lambda: x.dsplit(2)):
        with pytest.raises(RuntimeError):
            run()


@pytest.mark.parametrize("turns", range(-2, 5))
def test_turned(turns):
    near(torch.rot90(X, turns), np.rot90(A, turns))
    cube = A.reshape(3, 2, 2)
    near(torch.rot90(torch.tensor(cube), turns, [2, 0]), np.rot90(cube, turns, (2, 0)))


@pytest.mark.parametrize("offset", [-2, 0, 1])
def test_diagonals(offset):
    near(torch.diag_embed(X, offset), np.stack([np.diag(row, offset) for row in A]))
    near(torch.diagflat(X, offset), np.diagflat(A, offset))
    made = torch.diag_embed(X, offset, 0, 1)
    near(made.diagonal(offset, 0, 1), A)
    near(gradient(lambda x: torch.diag_embed(x, offset), A), np.ones((3, 4)))


def test_blocks_products_and_choices():
    made = torch.block_diag(X, W, torch.tensor(2.0))
    assert made.shape == (5, 11) and made.sum().item() == pytest.approx(A.sum() + V.sum() + 2, 1e-4)
    near(made[:3, :4], A)
    near(made[3, 4:10], V)
    found = torch.cartesian_prod(torch.tensor([1, 2]), torch.tensor([3, 4, 5]))
    assert found.tolist() == [[1, 3], [1, 4], [1, 5], [2, 3], [2, 4], [2, 5]]
    three = torch.tensor([1, 2, 3])
    assert torch.combinations(three).tolist() == [[1, 2], [1, 3], [2, 3]]
    assert torch.combinations(three, 2, True).shape == (6, 2)


def test_views_by_strides_and_windows():
    x = torch.arange(12.0).reshape(3, 4)
    corner = x.as_strided((2, 2), (4, 1), 5)
    assert corner.tolist() == [[5, 6], [9, 10]] and corner.storage_offset() == 5
    corner.zero_()
    assert x[1].tolist() == [4, 0, 0, 7]
    pairs = x.unfold(1, 2, 2)
    assert pairs.shape == (3, 2, 2) and pairs.stride() == (4, 2, 1)
    pairs.fill_(1)
    assert (x == 1).all()
    assert torch.arange(6).unfold(0, 2, 3).tolist() == [[0, 1], [3, 4]]
    with pytest.raises(NotImplementedError, match="unfold.*overlap"):
        x.unfold(1, 2, 1)
    with pytest.raises(NotImplementedError, match="as_strided.*overlap"):
        x.as_strided((3, 3), (1, 1))
    with pytest.raises(RuntimeError, match="out of bounds"):
        x.as_strided((3,), (10,))


# ---- Statistics ----------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["linear", "lower", "higher", "nearest", "midpoint"])
@pytest.mark.parametrize("part", [0.0, 0.37, 0.5, 1.0])
def test_quantiles(kind, part):
    near(torch.quantile(X, part, interpolation=kind), np.quantile(A, part, method=kind))
    near(X.quantile(part, 1, interpolation=kind), np.quantile(A, part, 1, method=kind))
    parts = np.array([part, 0.2], "f")
    ours = torch.quantile(X, torch.tensor(parts), dim=0, keepdim=True, interpolation=kind)
    near(ours, np.quantile(A, parts, 0, keepdims=True, method=kind))


def test_quantiles_with_nan_and_errors():
    holes = A.copy()
    holes[0, 1] = np.nan
    x = torch.tensor(holes)
    near(x.quantile(0.3, 1), np.quantile(holes, 0.3, 1))
    near(x.nanquantile(0.3, 1), np.nanquantile(holes, 0.3, 1))
    for wrong, part in ((X, 1.5), (X.long(), 0.5), (X[:0], 0.5)):
        with pytest.raises(RuntimeError):
            wrong.quantile(part)


def test_covariances():
    near(torch.cov(X), np.cov(A))
    near(X.cov(correction=0), np.cov(A, ddof=0))
    counts, weights = [1, 2, 1, 3], [0.1, 0.2, 0.3, 0.4]
    ours = X.cov(fweights=torch.tensor(counts), aweights=torch.tensor(weights))
    near(ours, np.cov(A, fweights=counts, aweights=weights))
    near(torch.corrcoef(X), np.corrcoef(A))
    near(torch.cov(W), np.cov(V))


def test_running_extremes_and_sums():
    near(X.cummax(1).values, np.maximum.accumulate(A, 1))
    near(torch.cummin(X, 0)[0], np.minimum.accumulate(A, 0))
    found = torch.cummax(torch.tensor([1, 3, 3, 2, 3, 4]), 0)
    assert found.indices.tolist() == [0, 1, 2, 2, 4, 5]
    assert found.values.tolist() == [1, 3, 3, 3, 3, 4]
    near(torch.cummin(torch.tensor([2.0, math.nan, 1.0]), 0).values, [2.0, math.nan, math.nan])
    near(X.logcumsumexp(1), np.log(np.cumsum(np.exp(A), 1)))
    near(torch.logcumsumexp(torch.tensor([500.0, 500.0]), 0), [500.0, 500 + math.log(2)])
    near(gradient(lambda x: x.cummax(0).values, np.array([1.0, 0.5, 2.0], "f")), [2.0, 0.0, 1.0])
    near(torch.diff(X, 2, 0), np.diff(A, 2, 0))
    near(torch.trapezoid(X, dx=2), ((A[:, 1:] + A[:, :-1]) / 2).sum(1) * 2)


@pytest.mark.parametrize("p", [1.0, 2.0, 3.0, math.inf])
def test_distances(p):
    near(torch.cdist(X, X + 1, p), np.linalg.norm(A[:, None] - (A + 1)[None], p, -1))
    near(gradient(lambda x: torch.cdist(x, x, p), A).isnan(), np.zeros((3, 4)))


def test_counted():
    near(torch.histc(X, 4, -1, 1), np.histogram(A, 4, (-1, 1))[0])
    near(X.histc(5), np.histogram(A, 5)[0])
    values, inverse, counts = torch.unique_consecutive(torch.tensor([1, 1, 2, 1]), True, True)
    assert values.tolist() == [1, 2, 1] and inverse.tolist() == [0, 0, 1, 2]
    assert counts.tolist() == [2, 1, 1]
    with pytest.raises(NotImplementedError, match="histc"):
        torch.histc(torch.ones(2, requires_grad=True))


# ---- Names ---------------------------------------------------------------------------------------


def test_functions_of_copies_and_views():
    assert torch.asarray(X) is X and torch.asarray(X, copy=True) is not X
    assert torch.equal(torch.clone(X), X) and torch.detach(X).data_ptr() == X.data_ptr()
    assert X.resolve_conj() is X
    twisted = torch.tensor([[1 + 2j, 3j]])
    assert twisted.mH.tolist() == twisted.H.tolist() == [[1 - 2j], [-3j]]
    assert X.mH.data_ptr() == X.data_ptr() and X.adjoint().shape == (4, 3)


def test_names_that_tensors_lack_hide_nothing_of_users():
    x = torch.ones(2)
    assert not hasattr(x, "sparse_mask") and not hasattr(torch.Tensor, "sparse_mask")
    listed = dir(x)
    assert "sparse_mask" not in listed and "einsum" not in listed and "softmax" in listed
    with pytest.raises(AttributeError, match="Tensor.sparse_mask is a part of PyTorch"):
        x.sparse_mask
    x.name = "weight"
    assert x.name == "weight" and "name" in dir(x) and "name" not in dir(torch.ones(2))


def test_what_is_loaded_later_is_listed_and_found():
    for name in ("einsum", "quantile", "det", "linalg", "distributions", "softmax"):
        assert name in dir(torch)
    program = (
        "import sys; from penstock import torch; x = torch.ones(2, 2)\n"
        "early = [n for n in sys.modules if n.startswith('penstock.torch.')]\n"
        "assert not any(n.endswith(('_statistics', 'linalg', 'special')) for n in early), early\n"
        "assert 'numpy' not in sys.modules\n"
        "assert x.quantile(0.5).item() == 1 and torch.quantile is torch.Tensor.quantile\n"
        "from penstock.torch import return_types\n"
        "assert return_types.linalg_eig and return_types.cummax\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True, timeout=60)
