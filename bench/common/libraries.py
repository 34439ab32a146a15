"""Benchmarks in which each library is a process of its own, `library.py NAME`: PyTorch and JAX in a
virtual environment that is made at the first run, the real MXNet in the one that `make conformance`
makes; a peer that is not there is left out."""

import os
import sys

from common.environment import has_module, make_environment, settings
from common.program import Program
from common.report import OURS, option_parser

LIBRARIES = ("numpy", "torch", "jax")


def parse_options(description, output, **switches):
    """Options of all benchmarks of libraries, and switches with their help."""
    parser = option_parser(description, output)
    for name, about in switches.items():
        parser.add_argument("--" + name, action="store_true", help=about)
    parser.add_argument("--package", default="build/release/python", metavar="FOLDER",
                        help="where the package penstock is")
    parser.add_argument("--real", default="build/conformance/venv/bin/python", metavar="PYTHON",
                        help="a Python that has MXNet 1.9.1")
    return parser.parse_args()


def find_pythons(options, peers):
    """The Python of each library that is there; ours is always, and the first."""
    python, libraries = make_environment(options.venv, LIBRARIES)
    found = {OURS: python if os.access(python, os.X_OK) else sys.executable}
    found |= {name: python for name in peers if name.partition("_")[0] in libraries}
    if os.access(options.real, os.X_OK) and has_module(options.real, "mxnet"):
        found["mxnet"] = options.real
    else:
        print(f"no MXNet: {options.real} cannot import it (make conformance installs it)")
    return found


def environment_of(name, options, scratch):
    """The variables that a library sees."""
    env = {k: v for k, v in settings(scratch).items() if not k.startswith(("PYTHONPATH", "MXNET_"))}
    env["PYTHONWARNINGS"] = "ignore"
    return env | ({"PYTHONPATH": os.path.abspath(options.package)} if name == OURS else {})


def make_programs(options, scratch, script, pythons):
    rest = ["--seconds", str(0.03 if options.quick else 0.3)]
    return [Program(name, [python, script, name, *rest], environment_of(name, options, scratch))
            for name, python in pythons.items()]
