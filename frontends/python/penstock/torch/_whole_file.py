"""Writing a file whole or not at all.

The bytes go to a new file beside the target, which is renamed over it at the end. A symbolic link
stays one; a target that is no ordinary file, such as a pipe, is written to as it is.
"""

import os
from contextlib import contextmanager
from itertools import count

_numbers = count()


@contextmanager
def replacing(path):
    """A file for the new content of a path, which has it once the block has ended."""
    target = os.path.realpath(path)
    if os.path.exists(target) and not os.path.isfile(target):
        with open(target, "wb") as file:
            yield file
        return
    _check(path, target)
    file = _beside(target)
    try:
        with file:
            yield file
        if os.path.exists(target):
            os.chmod(file.name, os.stat(target).st_mode & 0o7777)
        os.replace(file.name, target)
    except BaseException:
        os.unlink(file.name)
        raise


def _beside(target):
    """A new file in the folder of the target, under a name that nobody has."""
    while True:
        name = f".penstock-{os.getpid()}-py{next(_numbers)}.tmp"
        try:
            return open(os.path.join(os.path.dirname(target), name), "xb")
        except FileExistsError:
            continue


def _check(path, target):
    folder = os.path.dirname(target)
    if not os.path.isdir(folder):
        raise RuntimeError(f"Parent directory {folder} does not exist.")
    if os.path.exists(target) and not os.access(target, os.W_OK):
        raise PermissionError(13, "Permission denied", os.fspath(path))
