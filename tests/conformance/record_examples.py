"""Records what the programs of examples/mxnet print with the real MXNet 1.9.1.

    record_examples.py > tests/conformance/vectors/examples.json
"""

import json
import sys

import examples


def main():
    printed = {name: examples.run_program(name, sys.executable) for name in examples.names()}
    json.dump(printed, sys.stdout, indent=1)
    print()


if __name__ == "__main__":
    main()
