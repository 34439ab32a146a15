"""What programs give, to the last bit: a line for each, to be compared between ways to run them.

    python -m autograd.bits COUNT [hand]

Small programs and large ones take turns; with `hand` two threads record each. The last line counts
what is left of their graphs."""

import gc
import hashlib
import sys

from . import ours
from .programs import make_program


def digest(program, player):
    """A short text that is another one if a bit is."""
    answer = ours.run(program, player, lambda x: (str(x.dtype), x.shape, x.tobytes()))
    return hashlib.sha256(repr(sorted(answer.items())).encode()).hexdigest()[:16]


def main():
    import penstock

    player = ours.Hands if "hand" in sys.argv[2:] else ours.Player
    for seed in range(int(sys.argv[1])):
        program = make_program(seed, large=seed % 2 == 1)
        print(seed, digest(program, player))
    penstock.waitall()
    gc.collect()
    print(*penstock.autograd.stats())


if __name__ == "__main__":
    main()
