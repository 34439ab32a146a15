"""A benchmark of ours against one other library that has the same statements: both are processes that
run a script `library.py`, in rounds in which both do a row before the next row is done."""

import os
import sys

from .environment import processor_seconds, settings
from .program import Program
from .report import OURS, Table, disturbance, option_parser, selected, write_json
from .rounds import run_rounds, unequal_counts


class Pair:
    """What such a benchmark is about."""

    def __init__(self, folder, title, peer, version, real, output, without=()):
        self.folder, self.title, self.peer, self.version = folder, title, peer, version
        self.real, self.output = real, output  # the peer's Python, and the file to write, by default
        self.without = ("PYTHONPATH", *without)  # how variables begin that the peer does not get

    def options(self, about):
        parser = option_parser(about, self.output)
        parser.add_argument("--real", default=self.real, metavar="PYTHON",
                            help=f"a Python that has {self.version}")
        parser.add_argument("--package", default="build/release/python", metavar="FOLDER",
                            help="where the package penstock is")
        return parser.parse_args()

    def programs(self, options):
        env = {k: v for k, v in settings("").items() if not k.startswith(self.without)}
        env["PYTHONWARNINGS"] = "ignore"
        script = os.path.join(self.folder, "library.py")
        rest = ["--seconds", str(0.03 if options.quick else 0.2)]
        ours = env | {"PYTHONPATH": os.path.abspath(options.package)}
        return [Program(OURS, [sys.executable, script, OURS, *rest], ours),
                Program(self.peer, [options.real, script, self.peer, *rest], env)]

    def run(self, about, all_rows):
        """Prints the table and writes the file; the exit status is 1 if a target is missed."""
        options = self.options(about)
        rounds = options.rounds or (1 if options.quick else 5)
        rows = selected(all_rows, options.only)
        programs = self.programs(options)
        for program in programs:
            print(program.about(), flush=True)
        before = processor_seconds()
        run_rounds(programs, rows, rounds)
        wrong = unequal_counts(programs[0])
        for program in programs:
            program.stop()
        used = [b - a for a, b in zip(before, processor_seconds())]
        print(f"\n{self.title}: best of {rounds} rounds\n")
        table = Table(rows, [self.peer])
        table.print(options.markdown)
        table.print_summary([n for p in programs for n in p.notes] + wrong + disturbance(*used))
        write_json(options.output, [self.json(row) for row in rows])
        return 0 if not wrong and all(row.met(OURS, [self.peer]) for row in rows) else 1

    def json(self, row):
        return row.json(OURS, [self.peer]) | {"met": row.met(OURS, [self.peer])}
