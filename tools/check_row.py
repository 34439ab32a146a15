#!/usr/bin/env python3
"""Adds one row to a copy of the table of operations and checks that all else follows from it.

    check_row.py SOURCE SCRATCH PYTHON [JOBS]

SOURCE is the checkout, SCRATCH a folder for the copy and its build, PYTHON that of the tests. The row
is elementwise, with a gradient. `make generate` is done on the copy; then the C header, a C program,
the C++ headers, a C++ program, the Python package and its stubs, the reference page and the tests that
walk the table must have it.
The only file that was edited by hand is src/ops/ops.def.
"""

import pathlib
import re
import shutil
import subprocess
import sys

NAME = "checked_row"
ROW = (
    f'ELEMENTWISE({NAME}, "x1, x2", NUMERIC, 0, SAME, "x1 * x2 + 1", '
    '"dy * conj(x2); dy * conj(x1)", "A row that tools/check_row.py adds.")\n'
)
BEFORE = "/* ---- Rounding"

PROGRAM = f"""
#include <penstock_ops.h>
int main(void)
{{
    ps_tensor *y = NULL;
    ps_scalar value = {{0}};
    if (ps_{NAME}(PS_ARG(2.0), PS_ARG(3.0), &y) != PS_OK || ps_tensor_item(y, &value) != PS_OK)
        return 1;
    ps_tensor_release(y);
    return value.as.d == 7 ? 0 : 2;
}}
"""

PROGRAM_CPP = f"""
#include <penstock.hpp>
int main()
{{
    return ps::{NAME}(2.0, ps::array{{3.0}}).item<float>() == 7 && ps::call("{NAME}", 2, 3) == 7 ? 0 : 1;
}}
"""

PYTHON = f"""
import inspect
import penstock as ps
assert ps.{NAME}(2.0, ps.array([3.0])).tolist() == [7]
assert ps.call("{NAME}", 2, 3).item() == 7
assert "{NAME}" in ps.__all__ and "tools/check_row.py" in ps.{NAME}.__doc__
assert str(inspect.signature(ps.{NAME})) == "(x1, x2, /, *, out=None)"
"""

CPP = "frontends/cpp/include/penstock"
# What the generator writes, and what `make generate` may change.
OUTPUTS = {
    "header": "include/penstock_ops.h",
    "docs": "docs/operations.md",
    "cpp-methods": f"{CPP}/methods.hpp",
    "cpp-ops": f"{CPP}/ops.hpp",
}
MADE = {
    *OUTPUTS.values(),
    "docs/mxnet.md",
    "frontends/python/penstock/__init__.pyi",
    "frontends/python/penstock/_core.pyi",
}
WALKS = ["table", "gradients", *(f"autograd_{walk}" for walk in ("rows", "forms", "again", "types"))]
TARGETS = ["penstock", "penstock_python", "generate", *(f"ops_{walk}" for walk in WALKS)]
TESTS = f"^(ops/({'|'.join(WALKS)})|check/(generated-.*|penstock_ops-.*))$"


def run(*command, **options):
    print("+", *command, flush=True)
    return subprocess.run([str(part) for part in command], check=True, **options)


def tracked(source):
    listed = run("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard",
                 cwd=source, stdout=subprocess.PIPE, text=True)  # fmt: skip
    return [name for name in listed.stdout.split("\0") if name and (source / name).is_file()]


def copy(source, target, names):
    """Only what differs, so that a second run builds little."""
    for name in names:
        to = target / name
        to.parent.mkdir(parents=True, exist_ok=True)
        if not to.exists() or to.read_bytes() != (source / name).read_bytes():
            shutil.copy2(source / name, to)


def add_row(target):
    table = target / "src/ops/ops.def"
    text = table.read_text()
    if NAME in text or text.count(BEFORE) != 1:
        raise SystemExit(f"{table}: cannot add a row before '{BEFORE}'")
    table.write_text(text.replace(BEFORE, ROW + BEFORE))


def build(target, output, python, jobs):
    run("cmake", "-S", target, "-B", output, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release",
        "-DPENSTOCK_PYTHON=ON", "-DPENSTOCK_LTO=OFF", "-DPENSTOCK_WERROR=ON",
        f"-DPENSTOCK_PYTHON_EXECUTABLE={python}", stdout=subprocess.DEVNULL)  # fmt: skip
    run("cmake", "--build", output, "-j", jobs, "--target", *TARGETS, stdout=subprocess.DEVNULL)


def generate(target, output, python):
    for what, name in OUTPUTS.items():
        made = run(output / "tests/generate", what, stdout=subprocess.PIPE).stdout
        (target / name).write_bytes(made)
    path = {"PYTHONPATH": str(output / "python")}
    run(python, target / "tools/python_stubs.py", target / "frontends/python/penstock", env=path)
    run(python, target / "tools/mxnet_coverage.py", target / "docs/mxnet.md", env=path)


def check_files(source, target, names):
    changed = {n for n in names if (source / n).read_bytes() != (target / n).read_bytes()}
    if not changed <= MADE | {"src/ops/ops.def"}:
        raise SystemExit(f"the row changed more than what is made: {sorted(changed - MADE)}")
    for name, pattern in {
        "include/penstock_ops.h": rf"\bps_{NAME}\(",
        "docs/operations.md": rf"\b{NAME}\b",
        f"{CPP}/ops.hpp": rf"\b{NAME}\(",
        "frontends/python/penstock/__init__.pyi": rf"def {NAME}\(",
    }.items():
        if not re.search(pattern, (target / name).read_text()):
            raise SystemExit(f"{name} does not have {NAME}")
    print("changed:", *sorted(changed))


def check_program(target, output):
    file = output / "checked_row.c"
    file.write_text(PROGRAM)
    run("cc", "-std=c11", "-Wall", "-Werror", f"-I{target}/include", file, f"-L{output}",
        "-lpenstock", f"-Wl,-rpath,{output}", "-o", output / NAME)  # fmt: skip
    run(output / NAME)
    file = output / "checked_row.cpp"
    file.write_text(PROGRAM_CPP)
    run("c++", "-std=c++20", "-Wall", "-Werror", f"-I{target}/include", f"-I{target}/frontends/cpp/include",
        file, f"-L{output}", "-lpenstock", f"-Wl,-rpath,{output}", "-o", output / f"{NAME}_cpp")  # fmt: skip
    run(output / f"{NAME}_cpp")


def main():
    if len(sys.argv) not in (4, 5):
        raise SystemExit(__doc__)
    source, scratch = (pathlib.Path(argument).absolute() for argument in sys.argv[1:3])
    python = pathlib.Path(sys.argv[3]).absolute()
    target, output = scratch / "source", scratch / "build"
    names = tracked(source)
    copy(source, target, names)
    add_row(target)
    build(target, output, python, sys.argv[4] if len(sys.argv) == 5 else "2")
    generate(target, output, python)
    check_files(source, target, names)
    run("cmake", "--build", output, "--target", *TARGETS, stdout=subprocess.DEVNULL)
    check_program(target, output)
    run(python, "-c", PYTHON, env={"PYTHONPATH": str(output / "python")})
    run("ctest", "--test-dir", output, "-R", TESTS, "--output-on-failure")
    print(f"{NAME}: one row, and all else followed")


if __name__ == "__main__":
    main()
