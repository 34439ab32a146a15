"""Programs that measure. A program is a process that stays alive and answers a line for each
question: `about`, `check ROW`, `time ROW`, and ours in Python also `counts`."""

import select
import subprocess
import tempfile
import time

ANSWER_S = 60      # no row takes so long
COMPILE_S = 240    # nor its first time
SETTLE_S = 0.02    # threads of the last program go to sleep
TOLERANCE = {"normals": 0.02}  # of digests; 10^-3 for what is not random


class Program:
    """A process that answers questions. One that dies or hangs is started anew for the next."""

    def __init__(self, name, command, env):
        self.name, self.command, self.env = name, command, env
        self.process, self.errors = None, tempfile.TemporaryFile()
        self.absent = set()  # rows that it cannot do
        self.notes = []

    def start(self):
        self.errors.seek(0)
        self.errors.truncate()
        self.process = subprocess.Popen(self.command, env=self.env, stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=self.errors)

    def stop(self):
        if self.process is not None:
            self.process.stdin.close()
            try:
                self.process.wait(timeout=5)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
            self.process.stdout.close()
        self.process = None

    def said(self, limit):
        """The next line, or what to note instead."""
        ready, _, _ = select.select([self.process.stdout], [], [], limit)
        if not ready:
            self.process.kill()
            self.process.wait()
            return None, f"no answer within {limit} s"
        line = self.process.stdout.readline().decode()
        if line:
            return line.strip(), None
        status = self.process.wait()
        self.errors.seek(0)
        last = (self.errors.read().decode(errors="replace").strip().splitlines() or [""])[-1]
        return None, f"exit status {status}: {last[-200:]}"

    def send(self, words, limit):
        if self.process is None:
            self.start()
        try:
            self.process.stdin.write((words + "\n").encode())
            self.process.stdin.flush()
        except BrokenPipeError:
            pass  # it has ended: said() tells why
        line, trouble = self.said(limit)
        if trouble:
            self.process.stdout.close()
            self.process = None
        return line, trouble

    def about(self):
        line, trouble = self.send("about", COMPILE_S)
        return line.partition(" ")[2] if line else f"{self.name}: {trouble}"

    def ask(self, command, row, limit=ANSWER_S):
        """The value, or None."""
        if row.name in self.absent:
            return None
        line, trouble = self.send(f"{command} {row.name}", limit)
        words = line.split(maxsplit=2) if line else []
        if len(words) == 2 and words[1] != "-":
            return float(words[1])
        if trouble or len(words) == 3:
            self.give_up(row, trouble or words[2])
        return None

    def give_up(self, row, why):
        self.absent.add(row.name)
        self.notes.append(f"{self.name} {row.name}: {why}")


def alive(programs):
    """Those that can be asked; says what they are."""
    found = []
    for program in programs:
        print(program.about(), flush=True)
        if program.process is not None:
            found.append(program)
    return found


def check(programs, row, ours):
    """All programs must compute what the first peer that can do the row computes."""
    found = {}
    for program in programs:
        value = program.ask("check", row, COMPILE_S)
        if value is not None:
            found[program] = value
    reference = next((p for p in found if p.name != ours), None)
    if reference is None:
        return
    wanted = found[reference]
    allowed = TOLERANCE.get(row.name.partition(".")[0], 1e-3) * max(abs(wanted), 1e-2)
    for program, value in found.items():
        if not abs(value - wanted) <= allowed:  # NaN is wrong too
            program.give_up(row, f"wrong result: digest {value:.6g}, {reference.name} {wanted:.6g}")


def in_turn(programs, turn):
    """The programs, beginning with another one in each round, each after the last came to rest."""
    start = turn % len(programs)
    for program in programs[start:] + programs[:start]:
        time.sleep(SETTLE_S)
        yield program
