"""The two libraries, each in a process of its own that is started anew when a program ends it."""

import json
import os
import select
import subprocess

HERE = os.path.dirname(os.path.abspath(__file__))
ANSWER_S = 60  # no program takes so long

CRASHED = {"crashed": True}


class Library:
    """Runs programs in `real` or `ours`, by the given Python: with runner.py, or as `program`
    says."""

    def __init__(self, which, python, folder=".", package=None, program=None, patience=ANSWER_S):
        self.which, self.process, self.crashes = which, None, 0
        self.patience = patience
        program = program or [os.path.join(HERE, "runner.py"), which, folder]
        self.command = [python, *program]
        folders = [HERE, *([os.path.abspath(package)] if package else [])]
        self.env = dict(os.environ, PYTHONDONTWRITEBYTECODE="1", PYTHONWARNINGS="ignore")
        self.env["PYTHONPATH"] = os.pathsep.join(folders)

    def start(self):
        self.process = subprocess.Popen(
            self.command,
            env=self.env,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )

    def check(self):
        """Raises if the library cannot be used at all."""
        if self.run({"dialect": "np", "steps": ["a = np.ones((2,)) + 1"]}) == CRASHED:
            done = subprocess.run(
                [*self.command[:2], self.which],
                env=self.env,
                input=b"",
                stderr=subprocess.PIPE,
                check=False,
            )
            raise RuntimeError(f"{self.which}: {done.stderr.decode(errors='replace')[-500:]}")

    def stop(self):
        if self.process is not None:
            self.process.kill()
            self.process.communicate()
        self.process = None

    def answer(self, program):
        self.process.stdin.write(json.dumps(program).encode() + b"\n")
        self.process.stdin.flush()
        ready, _, _ = select.select([self.process.stdout], [], [], self.patience)
        return self.process.stdout.readline() if ready else b""

    def run(self, program):
        """The answer, or CRASHED for a program that ended the process or never came back."""
        if self.process is None:
            self.start()
        try:
            line = self.answer(program)
        except BrokenPipeError:
            line = b""
        if line:
            return json.loads(line)
        self.stop()
        self.crashes += 1
        return CRASHED
