"""Programs on penstock. Reads programs, a line each, and prints answers; `ours.py hand` has two
threads take turns at the steps."""

import json
import os
import queue
import sys
import threading

from . import rows

# ---- Steps --------------------------------------------------------------------------------------


class Player:
    """Runs the statements of one program, in a namespace of its own."""

    def __init__(self):
        import penstock
        from penstock import autograd

        self.space = {"ps": penstock, "autograd": autograd, "numbers": rows.numbers}
        self.scopes = {"record": autograd.record, "pause": autograd.pause}

    def step(self, step):
        """Does a step, unless an array that it needs was never made."""
        if all(name in self.space for name in rows.names_of(step)):
            with self.scopes[step.get("mode", "record")]():
                exec(rows.statement(step), self.space)

    def steps(self, program):
        """Does all; the error of the step that failed, if one did."""
        for at, step in enumerate(program["steps"]):
            try:
                self.step(step)
            except Exception as error:
                return {"error": f"{type(error).__name__}: {error}", "at": at}
        return None


# ---- Two threads --------------------------------------------------------------------------------

TURN = 3  # steps that a thread does before the other goes on


class Hands(Player):
    """Two threads record one graph: each does a few steps and hands the arrays on. What walks
    back, and all after it, is done by the thread that waits for them."""

    def steps(self, program):
        steps = program["steps"]
        walk = next((i for i, s in enumerate(steps) if s["do"] in ("backward", "grad")), len(steps))
        parts = [steps[i : min(i + TURN, walk)] for i in range(0, walk, TURN)]
        self.failed = None
        self.turns = [queue.SimpleQueue(), queue.SimpleQueue()]
        threads = [threading.Thread(target=self.take_turns, args=(i,)) for i in (0, 1)]
        for thread in threads:
            thread.start()
        self.turns[0].put(parts)
        for thread in threads:
            thread.join()
        return self.failed or super().steps(dict(program, steps=steps[walk:]))

    def take_turns(self, number):
        while parts := self.turns[number].get():
            self.failed = self.failed or super().steps({"steps": parts[0]})
            self.turns[1 - number].put(parts[1:])
        self.turns[1 - number].put([])


# ---- Answers ------------------------------------------------------------------------------------


def encoded(x):
    return {"dtype": str(x.dtype), "shape": list(x.shape), "data": x.reshape((-1,)).tolist()}


def run(program, player=Player, encode=encoded):
    """What the arrays are that a program says are to be read, or its error."""
    player = player()
    failed = player.steps(program)
    if failed:
        return failed
    space = player.space
    return {"arrays": {name: encode(space[name]) for name in program["read"] if name in space}}


def main():
    answers = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)
    player = Hands if "hand" in sys.argv else Player
    for line in sys.stdin:
        print(json.dumps(run(json.loads(line), player)), file=answers)


if __name__ == "__main__":
    main()
