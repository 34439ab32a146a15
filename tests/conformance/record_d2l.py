"""Records what the calls of d2l_cases.py give with the real MXNet.

    record_d2l.py > tests/conformance/vectors/d2l.json

Run by a Python that has mxnet 1.9.1, d2l 1.0.3 and what d2l imports.
"""

import json
import sys

import d2l_cases
from d2l import mxnet as d2l
from mxnet import np, npx


def main():
    npx.set_np()
    found = {name: d2l_cases.plain(call(d2l, np)) for name, call in d2l_cases.CASES.items()}
    lines = (f"{json.dumps(name)}: {json.dumps(value)}" for name, value in found.items())
    sys.stdout.write("{\n" + ",\n".join(lines) + "\n}\n")


if __name__ == "__main__":
    main()
