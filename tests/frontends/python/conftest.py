"""What all tests of the Python package share.

Hypothesis draws the same few examples in every run, so that a change is judged by itself and not by
luck. HYPOTHESIS_PROFILE=long looks for new ones:

    HYPOTHESIS_PROFILE=long ctest --preset release -L python
"""

import os

import hypothesis
import pytest

# No deadline: the first example of a test may pay for starting threads or loading a library. No
# database: the source tree stays as it was.
hypothesis.settings.register_profile(
    "ci", max_examples=25, derandomize=True, database=None, deadline=None
)
hypothesis.settings.register_profile("long", max_examples=1000, database=None, deadline=None)
hypothesis.settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))


@pytest.fixture(autouse=True)
def nothing_left_queued():
    """Waits after each test for what it queued: an error that it did not expect fails it."""
    yield
    import penstock

    penstock.waitall()


@pytest.fixture
def nothing_recorded():
    """Looks after a test that it left no graph and no thread's state behind."""
    yield
    import gc

    from penstock import _core, autograd

    if autograd.stats() != (0, 0):  # exceptions hold frames in cycles
        gc.collect()
    assert autograd.stats() == (0, 0)
    assert (autograd.is_recording(), autograd.is_training()) == (False, False)
    assert not _core._grad_is_paused()


@pytest.fixture
def d2l(monkeypatch):
    """The book's helper library over ours, with arrays as NumPy has them and without a screen."""
    pytest.importorskip("d2l", reason="d2l is not installed: make setup")
    import penstock

    monkeypatch.setenv("MPLBACKEND", "agg")
    package = penstock.install_as("mxnet")
    from d2l import mxnet as library

    package.npx.set_np()
    package.npx.random.seed(0)
    library.random.seed(0)
    yield library
    library.plt.close("all")
    package.npx.reset_np()
