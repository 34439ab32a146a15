#!/usr/bin/env python3
"""Checks that includes between the layers go one way.

    check_includes.py [ROOT]

Rules, for the files under src/:
  1. An include of our own is written from the root of src, as "layer/file.h"; besides that there
     is only "penstock.h".
  2. A layer sees itself and what LAYERS lists for it.
  3. Of the devices it sees the headers directly in device/. The folder of one kind of device, a
     backend, is seen by its own files and by device/registry.c alone.
And outside of it: include/ and examples/ see nothing of src.
"""
import pathlib
import re
import sys

# What each layer may include besides itself. A new folder under src/ needs a line here.
LAYERS = {
    "base": (),
    "device": ("base",),
    "memory": ("base", "device"),
    "engine": ("base", "device", "memory"),
    "dtype": ("base",),
    "kernels": ("base", "dtype"),
    "backend": ("base", "device", "memory", "engine", "dtype", "kernels"),
    "tensor": ("base", "device", "memory", "engine", "dtype", "kernels", "backend"),
    "ops": ("base", "device", "memory", "engine", "dtype", "kernels", "backend", "tensor"),
    "files": ("base", "device", "memory", "engine", "dtype", "kernels", "tensor", "ops"),
    "fuse": ("base", "device", "memory", "engine", "dtype", "kernels", "backend", "tensor", "ops"),
}
OUTSIDE = ("include", "examples")
SUFFIXES = {".c", ".h", ".inc", ".cpp", ".hpp"}
INCLUDE = re.compile(r'\s*#\s*include\s*([<"])([^>"]+)[>"]')


def files(folder):
    return sorted(path for path in folder.rglob("*") if path.suffix in SUFFIXES)


def includes(path):
    """Line number, whether in quotes, and name of each include."""
    for number, line in enumerate(path.read_text().splitlines(), 1):
        match = INCLUDE.match(line)
        if match:
            yield number, match.group(1) == '"', match.group(2)


def backend(path):
    """The kind of device whose folder the path, relative to src, is in."""
    parts = path.parts
    return parts[1] if parts[0] == "device" and len(parts) > 2 else None


def fault(source, quoted, name, src):
    """What is wrong with src/<source> including `name`, or None."""
    target = pathlib.PurePosixPath(name)
    if name == "penstock.h" or not quoted and not (src / target).exists():
        return None
    if len(target.parts) < 2 or ".." in target.parts:
        return "write it from the root of src"
    layer, wanted = source.parts[0], target.parts[0]
    if wanted != layer and wanted not in LAYERS[layer]:
        return f"{layer} may not include {wanted}"
    kind = backend(target)
    if kind and kind != backend(source) and source.as_posix() != "device/registry.c":
        return f"only device/{kind}/ and device/registry.c may include it"
    return None


def check_source(path, src):
    source = path.relative_to(src)
    if source.parts[0] not in LAYERS:
        yield 1, "this folder is no layer: give it a line in LAYERS (tools/check_includes.py)"
        return
    for number, quoted, name in includes(path):
        problem = fault(source, quoted, name, src)
        if problem:
            yield number, f'"{name}": {problem}'


def check_outside(path, src):
    for number, _, name in includes(path):
        if (src / name).exists() or name.startswith("../"):
            yield number, f'"{name}": only penstock.h is seen from here'


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()
    src = root / "src"
    sources = [(path, check_source) for path in files(src)]
    for folder in OUTSIDE:
        sources += [(path, check_outside) for path in files(root / folder)]

    problems = [(path, *problem) for path, check in sources for problem in check(path, src)]
    for path, number, text in problems:
        print(f"{path.relative_to(root)}:{number}: {text}")
    if not sources:
        sys.exit(f"{src}: no files")
    print(f"{len(sources)} files, {len(problems)} problems")
    sys.exit(bool(problems))


if __name__ == "__main__":
    main()
