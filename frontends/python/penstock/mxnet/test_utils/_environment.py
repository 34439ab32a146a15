"""Variables of the environment, repeated tests, what the machine has, files from the net."""

import contextlib
import os
import platform

from ..util import getenv, setenv

__all__ = [
    "discard_stderr",
    "download",
    "environment",
    "has_tvm_ops",
    "is_aarch64_run",
    "is_cd_run",
    "is_op_runnable",
    "retry",
]


@contextlib.contextmanager
def environment(*args):
    """A `with` statement in which variables have other values: a name and a value, or a dictionary.

    None removes a variable. What MXNet's library would read anew is read here at the import.
    """
    wanted = args[0] if len(args) == 1 else dict([args])
    before = {name: getenv(name) for name in wanted}
    try:
        for name, value in wanted.items():
            setenv(name, value)
        yield
    finally:
        for name, value in before.items():
            setenv(name, value)


def retry(n):
    """A decorator: a test that fails by chance is tried n times."""
    if n <= 0:
        raise AssertionError(f"retry: at least once, not {n!r} times")

    def decorate(test):
        from functools import wraps

        @wraps(test)
        def function(*args, **kwargs):
            for left in reversed(range(n)):
                try:
                    return test(*args, **kwargs)
                except AssertionError:
                    if not left:
                        raise

        return function

    return decorate


@contextlib.contextmanager
def discard_stderr():
    """A `with` statement in which what is written to the standard error is lost."""
    kept = os.dup(2)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, 2)
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(nowhere)


def is_cd_run():
    """Whether MXNet's own delivery runs the tests."""
    return os.environ.get("CD_JOB", "0") == "1"


def is_aarch64_run():
    """Whether this is a 64-bit Arm processor."""
    return platform.machine() == "aarch64"


def has_tvm_ops():
    """Whether operations of TVM are built in: they never are."""
    return False


def is_op_runnable():
    """Whether operations of TVM that are built in could run: there is nothing that could not."""
    return True


def download(url, fname=None, dirname=None, overwrite=False, retries=5):
    """Fetches a file, unless it is there; gives its name."""
    from ..gluon.utils import download as fetch

    if fname is None:
        fname = url.split("/")[-1]
    if dirname is not None:
        os.makedirs(dirname, exist_ok=True)
        fname = os.path.join(dirname, fname)
    return fetch(url, path=fname, overwrite=overwrite, retries=retries)
