"""What a benchmark of rows takes from the command line, prints and writes. OURS is the name of our
side in all of them."""

import argparse
import fnmatch
import json
import operator
import os
import sys

OURS = "penstock"

MET = {None: "", True: "met", False: "NOT MET"}


def option_parser(description, output):
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--venv", default="build/bench/venv", help="where the peers live")
    parser.add_argument("--output", default=output)
    parser.add_argument("--quick", action="store_true", help="one short round, to try it out")
    parser.add_argument("--rounds", type=int, help="default 5")
    parser.add_argument("--only", default="", metavar="PATTERN",
                        help="rows whose name contains this, or matches it if it has * or ?")
    parser.add_argument("--markdown", action="store_true", help="print the table as Markdown")
    return parser


def selected(rows, pattern, name=operator.attrgetter("name")):
    if any(c in pattern for c in "*?["):
        return [r for r in rows if fnmatch.fnmatchcase(name(r), pattern)]
    return [r for r in rows if pattern in name(r)]


def progress(text):
    """What is being measured, where somebody looks on."""
    if sys.stderr.isatty():
        print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)


def number(value):
    if value is None:
        return "-"
    return f"{value:.3f}" if value < 10 else f"{value:.1f}" if value < 1e4 else f"{value:.0f}"


def print_columns(lines, left):
    """Lines of cells below each other, those in the columns `left` aligned there."""
    widths = [max(len(line[i]) for line in lines) for i in range(len(lines[0]))]
    for line in lines:
        cells = [c.ljust(w) if i in left else c.rjust(w)
                 for i, (c, w) in enumerate(zip(line, widths))]
        print("  ".join(cells).rstrip())


class Table:
    """The rows as lines of text: ours, the peers, our value divided by the best peer's, the target.
    Where all rows have one unit it stands in the head, else behind the title."""

    def __init__(self, rows, peers):
        self.rows, self.peers = rows, peers
        self.names = [OURS, *peers]
        units = {row.unit for row in rows}
        self.unit = units.pop() if len(units) == 1 else ""

    def head(self):
        return [self.unit, *self.names, "ratio", "target", ""]

    def line(self, row):
        title = row.title if self.unit else f"{row.title} [{row.unit}]"
        ratio, target = row.ratio(OURS, self.peers), row.target(OURS, self.peers)
        return [title, *(number(row.value(n)) for n in self.names),
                "" if ratio is None else f"{ratio:.2f}",
                "" if target is None else "<= " + number(target), MET[row.met(OURS, self.peers)]]

    def print_plain(self):
        head = self.head()
        print_columns([head, *map(self.line, self.rows)], left=(0, len(head) - 1))

    def print_markdown(self):
        """The same for docs/performance.md."""
        head = ["µs" if self.unit == "us" else self.unit, *self.head()[1:]]
        rule = ["---", *["---:"] * (len(self.names) + 2), "---"]
        for line in [head, rule, *map(self.line, self.rows)]:
            print("| " + " | ".join(line) + " |")

    def print(self, markdown):
        (self.print_markdown if markdown else self.print_plain)()

    def print_summary(self, notes):
        met = [row.met(OURS, self.peers) for row in self.rows]
        print(f"\nratio: ours / the best peer. {met.count(True)} of "
              f"{len(met) - met.count(None)} targets met.")
        for note in notes:
            print("note: " + note)


def disturbance(seconds, others):
    """A note when other programs ran beside ours."""
    share = 100 * others / max(seconds, 0.1)
    if share <= 5:
        return []
    return [f"other programs used {share:.0f} % of the processors: do not trust these figures"]


def write_json(path, rows):
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    with open(path, "w", encoding="utf-8") as out:
        json.dump(rows, out, indent=1)
        out.write("\n")
    print("written: " + path)
