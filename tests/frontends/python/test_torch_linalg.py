"""torch.linalg, against NumPy and by what factors must satisfy."""

import math

import numpy as np
import pytest
from penstock import torch

linalg = torch.linalg
rng = np.random.default_rng(3)
SQUARE = rng.standard_normal((2, 3, 3)).astype("f")
WIDE = rng.standard_normal((3, 4)).astype("f")
STACK = rng.standard_normal((2, 3, 4)).astype("f")
POSITIVE = SQUARE @ SQUARE.swapaxes(1, 2) + np.eye(3, dtype="f")


def near(ours, expected, rtol=1e-4):
    np.testing.assert_allclose(ours.numpy(), expected, rtol=rtol, atol=1e-5)
    assert tuple(ours.shape) == np.shape(expected)


@pytest.mark.parametrize("order", [None, "fro", "nuc", 1, -1, 2, -2, math.inf, -math.inf])
def test_norms_of_matrices(order):
    near(linalg.norm(torch.tensor(WIDE), order), np.linalg.norm(WIDE, order))
    if order is None:
        return
    x = torch.tensor(STACK)
    near(linalg.matrix_norm(x, order), np.linalg.norm(STACK, order, (1, 2)))
    near(linalg.matrix_norm(x, order, (2, 0)), np.linalg.norm(STACK, order, (2, 0)))
    kept = np.linalg.norm(STACK, order, (2, 0), keepdims=True)
    near(linalg.norm(x, order, (2, 0), True), kept)


def test_nuclear_norms_by_the_older_name():
    x = torch.tensor(STACK)
    near(torch.norm(torch.tensor(WIDE), "nuc"), np.linalg.norm(WIDE, "nuc"))
    near(torch.norm(x, "nuc", (2, 0)), np.linalg.norm(STACK, "nuc", (2, 0)))
    kept = torch.norm(x, p="nuc", dim=(1, 2), keepdim=True)
    near(kept, np.linalg.norm(STACK, "nuc", (1, 2), keepdims=True))
    for wrong in ((x, "nuc"), (x, "nuc", 1), (torch.ones(3, dtype=torch.int32), "nuc"), (x, "two")):
        with pytest.raises(RuntimeError, match="linalg.matrix_norm"):
            torch.norm(*wrong)
    with pytest.raises(NotImplementedError, match="Low precision"):
        torch.norm(torch.ones(2, 2, dtype=torch.bfloat16), "nuc")


@pytest.mark.parametrize("order", [0, 1, 2, 3, 0.5, math.inf, -math.inf])
def test_norms_of_vectors(order):
    near(linalg.vector_norm(torch.tensor(WIDE), order), np.linalg.norm(WIDE.ravel(), order))
    near(linalg.norm(torch.tensor(WIDE), order, 1), np.linalg.norm(WIDE, order, 1))
    near(
        linalg.vector_norm(torch.tensor(WIDE), order, 0, True),
        np.linalg.norm(WIDE, order, 0, keepdims=True),
    )


def test_norms_have_gradients():
    x = torch.tensor(WIDE, requires_grad=True)
    linalg.norm(x).backward()
    near(x.grad, WIDE / np.linalg.norm(WIDE))


def test_products():
    a, b = torch.tensor(WIDE), torch.tensor(WIDE.T.copy())
    near(linalg.multi_dot([a, b, a, b]), WIDE @ WIDE.T @ WIDE @ WIDE.T)
    near(linalg.multi_dot([a[0], b, a, a[0]]), WIDE[0] @ WIDE.T @ WIDE @ WIDE[0])
    near(linalg.vecdot(a, a), (WIDE * WIDE).sum(1))
    near(linalg.vecdot(a, a[0], dim=-1), (WIDE * WIDE[0]).sum(1))
    near(linalg.cross(b, b * b), np.cross(WIDE.T, WIDE.T * WIDE.T))
    near(linalg.diagonal(torch.tensor(SQUARE)), SQUARE.diagonal(0, 1, 2))
    near(linalg.matrix_power(torch.tensor(SQUARE), 3), SQUARE @ SQUARE @ SQUARE)
    near(linalg.vander(a[0]), np.vander(WIDE[0], increasing=True))


def test_determinants_and_inverses():
    x = torch.tensor(SQUARE)
    for found in (linalg.det(x), torch.det(x), x.det()):
        near(found, np.linalg.det(SQUARE))
    sign, size = linalg.slogdet(x)
    near(sign * size.exp(), np.linalg.det(SQUARE))
    assert torch.slogdet(x).logabsdet.equal(size)
    near(torch.logdet(torch.tensor(POSITIVE)), np.log(np.linalg.det(POSITIVE)))
    for found in (linalg.inv(x), torch.inverse(x), x.inverse()):
        near(found, np.linalg.inv(SQUARE), 1e-3)
    near(linalg.pinv(torch.tensor(WIDE)), np.linalg.pinv(WIDE))
    assert linalg.matrix_rank(torch.ones(3, 3)).item() == 1
    assert linalg.det(x.double()).dtype is torch.float64


def test_solutions():
    x, b = torch.tensor(SQUARE), torch.tensor(STACK)
    near(x @ linalg.solve(x, b), STACK, 1e-3)
    near(x[0] @ linalg.solve(x[0], b[0, :, 0]), STACK[0, :, 0], 1e-3)
    near(linalg.solve(x, b.mT, left=False) @ x, STACK.swapaxes(1, 2), 1e-3)


def test_factors():
    x, wide = torch.tensor(POSITIVE), torch.tensor(WIDE)
    lower = linalg.cholesky(x)
    near(lower @ lower.mT, POSITIVE)
    assert torch.equal(linalg.cholesky(x, upper=True), lower.mT)
    Q, R = linalg.qr(wide)
    near(Q @ R, WIDE)
    assert linalg.qr(wide.T, mode="complete").Q.shape == (4, 4)
    U, S, Vh = linalg.svd(wide, full_matrices=False)
    near(U @ torch.diag(S) @ Vh, WIDE)
    near(torch.svd(wide).V @ torch.diag(S) @ torch.svd(wide).U.T, WIDE.T)
    near(linalg.svdvals(wide), S.numpy())
    values, vectors = linalg.eigh(x)
    near(vectors @ torch.diag_embed(values) @ vectors.mT, POSITIVE)
    near(linalg.eigvalsh(x), values.numpy())


def test_eigenvalues_are_complex_and_named():
    found = linalg.eig(torch.tensor([[2.0, 0.0], [0.0, 3.0]]))
    assert type(found).__name__ == "linalg_eig" and found.eigenvalues.dtype is torch.complex64
    assert found[0].real.tolist() == [2.0, 3.0]
    assert repr(found).startswith("torch.return_types.linalg_eig(\neigenvalues=tensor(")
    turn = linalg.eigvals(torch.tensor([[0.0, -1.0], [1.0, 0.0]], dtype=torch.float64))
    assert turn.dtype is torch.complex128 and sorted(turn.imag.tolist()) == [-1.0, 1.0]


def test_no_gradient_flows_through_the_host():
    x = torch.tensor(SQUARE[0], requires_grad=True)
    with pytest.raises(NotImplementedError, match="linalg.det.*no gradient"):
        torch.det(x)
    with torch.no_grad():
        near(torch.det(x), np.linalg.det(SQUARE[0]))
    near(torch.det(x.detach()), np.linalg.det(SQUARE[0]))


@pytest.mark.parametrize(
    "run, error, text",
    [
        (lambda: linalg.det(torch.ones(2, 3)), RuntimeError, "2 by 3"),
        (lambda: linalg.det(torch.ones(3)), RuntimeError, "at least 2 dimensions"),
        (lambda: linalg.det(torch.ones(2, 2, dtype=torch.int64)), NotImplementedError, "int64"),
        (lambda: linalg.inv(torch.ones(2, 2).half()), NotImplementedError, "float16"),
        (lambda: linalg.inv(torch.zeros(2, 2)), linalg.LinAlgError, "linalg.inv"),
        (lambda: linalg.cholesky(-torch.eye(2)), linalg.LinAlgError, "linalg.cholesky"),
        (lambda: linalg.solve(torch.eye(2), torch.ones(3)), RuntimeError, "2x2 and 3x1"),
        (lambda: linalg.matrix_norm(torch.ones(2, 2), "no"), RuntimeError, "no not supported"),
        (lambda: linalg.norm(torch.ones(2, 2, 2), 2), RuntimeError, "3D"),
        (lambda: linalg.multi_dot([torch.ones(2)]), RuntimeError, "got 1"),
        (lambda: linalg.cross(torch.ones(3, 2), torch.ones(3, 2)), RuntimeError, "2 and 2"),
        (lambda: linalg.lu, AttributeError, "torch.linalg.lu is a part of PyTorch"),
    ],
)
def test_errors(run, error, text):
    with pytest.raises(error, match=text):
        run()
    assert issubclass(linalg.LinAlgError, RuntimeError)
