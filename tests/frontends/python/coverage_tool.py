"""tools/dialect_coverage.py as the tests of pages load it."""

import importlib.util
import pathlib
import sys

ROOT = pathlib.Path(__file__).parents[3]


def coverage(dialect):
    """What the tool knows of a dialect."""
    if "dialect_coverage" not in sys.modules:
        path = ROOT / "tools/dialect_coverage.py"
        spec = importlib.util.spec_from_file_location("dialect_coverage", path)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        sys.modules["dialect_coverage"] = module
    return sys.modules["dialect_coverage"].DIALECTS[dialect]()
