"""Writes vectors/paddle_expressions.json.gz: what the real PaddlePaddle 3.3.1 answers.

    python record_paddle.py

in an environment that has PaddlePaddle 3.3.1 for the CPU, and NumPy. Expressions that end its
process are left out.
"""

import gzip
import json
import os
import pathlib
import pickle
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import paddle_expressions  # noqa: E402

TOGETHER = 100  # cases that one process answers


def answers(paddle, cases):
    """Pairs of a case and its answer, as far as a process of their own comes."""
    here, there = os.pipe()
    child = os.fork()
    if child == 0:
        with os.fdopen(there, "wb") as file:
            for case in cases:
                pickle.dump([case, paddle_expressions.answer(paddle, case)], file)
                file.flush()
        os._exit(0)
    os.close(there)
    found = []
    with os.fdopen(here, "rb") as file:
        while True:
            try:
                found.append(pickle.load(file))
            except EOFError:
                break
    os.waitpid(child, 0)
    return found


def main():
    import paddle

    if paddle.__version__ != "3.3.1":
        raise SystemExit(f"PaddlePaddle 3.3.1 is needed, not {paddle.__version__}")
    left, found = list(paddle_expressions.cases()), []
    while left:
        some = answers(paddle, left[:TOGETHER])
        found += some
        ended = len(some) < min(TOGETHER, len(left))
        left = left[len(some) + ended :]
    text = "".join(json.dumps(one, separators=(",", ":")) + "\n" for one in found)
    path = HERE / "vectors" / "paddle_expressions.json.gz"
    with open(path, "wb") as file, gzip.GzipFile("", "wb", 9, file, mtime=0) as out:
        out.write(text.encode())
    print(f"{len(found)} expressions")


if __name__ == "__main__":
    main()
