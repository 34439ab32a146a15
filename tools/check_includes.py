#!/usr/bin/env python3
"""Checks that the layers use each other one way: in what they include, and in what they call.

    check_includes.py [--objects BUILD] [--nm NM] [ROOT]

Rules, for the files under src/:
  1. An include of our own is written from the root of src, as "layer/file.h"; besides that there
     is only "penstock.h".
  2. A layer sees itself and what LAYERS lists for it.
  3. The folder of one kind of device, device/<kind>/ or backend/<kind>/, is closed: it is seen by
     its own files and by those that CLOSED lists. What implements a device, device/<kind>/, sees
     what `backend` sees, and `backend`.
  4. What DOORS lists is used there, and that often, and nowhere else.
Outside of src: include/ and examples/ see nothing of it; a frontend sees penstock.h, penstock_ops.h,
its own files, and what its system and its language have.

With --objects, the folder of a build, the same for symbols. Of the objects of the library each refers
to what its layer or one that it sees defines, closed folders to be entered only by what a header
outside of them declares. What HOOKS declares belongs to its layer and is defined by a later one: the
only way up. Objects of frontends refer to what penstock.h declares.
"""
import argparse
import pathlib
import re
import subprocess
import sys

from check_symbols import declared

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
    "autograd": ("base", "device", "memory", "engine", "dtype", "kernels", "backend", "tensor",
                 "ops"),
    "files": ("base", "device", "memory", "engine", "dtype", "kernels", "tensor", "ops"),
    "fuse": ("base", "device", "memory", "engine", "dtype", "kernels", "backend", "tensor", "ops"),
}
# Layers with folders that are closed, and who else may look into them.
CLOSED = {"device": ("device/registry.c",), "backend": ()}
# Declares what layers above define. There is one such header.
HOOKS = "tensor/above.h"
# What is used in few places only: how often each file has the word, its definition included.
DOORS = {
    # A handle on a storage that has one is made by ps__view alone.
    "ps__handle_new": {"tensor/handle.h": 1, "tensor/snapshot.c": 1, "tensor/tensor.c": 1,
                       "tensor/view.c": 1},
    "ps__storage_retain": {"tensor/storage.h": 1, "tensor/view.c": 1},
    "sizeof(ps_tensor)": {"tensor/handle.h": 1},
}

OUTSIDE = ("include", "examples")
PUBLIC = ("penstock.h", "penstock_ops.h")
SUFFIXES = {".c", ".h", ".inc", ".def", ".cc", ".cpp", ".cxx", ".hh", ".hpp"}
INCLUDE = re.compile(r'\s*#\s*include\s*([<"])([^>"]+)[>"]')
COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.S)


def files(folder):
    return sorted(path for path in folder.rglob("*") if path.suffix in SUFFIXES)


def includes(path):
    """Line number, whether in quotes, and name of each include."""
    for number, line in enumerate(path.read_text().splitlines(), 1):
        match = INCLUDE.match(line)
        if match:
            yield number, match.group(1) == '"', match.group(2)


def code(path):
    return COMMENT.sub(" ", path.read_text())


def closed(path):
    """The closed folder that the path, relative to src, is in; or None."""
    parts = path.parts
    return "/".join(parts[:2]) if parts[0] in CLOSED and len(parts) > 2 else None


def may_enter(source, folder):
    return closed(source) == folder or source.as_posix() in CLOSED[folder.split("/")[0]]


def sees(source, layer):
    """Whether src/<source> may use what belongs to the layer."""
    own = source.parts[0]
    implements = own == "device" and closed(source)
    seen = ("backend", *LAYERS["backend"]) if implements else LAYERS[own]
    return layer == own or layer in seen


# ---- includes ----------------------------------------------------------------------------------


def fault(source, quoted, name, src):
    """What is wrong with src/<source> including `name`, or None."""
    target = pathlib.PurePosixPath(name)
    if name == "penstock.h" or not quoted and not (src / target).exists():
        return None
    if len(target.parts) < 2 or ".." in target.parts:
        return "write it from the root of src"
    if not sees(source, target.parts[0]):
        return f"{source.parts[0]} may not include {target.parts[0]}"
    folder = closed(target)
    if folder and not may_enter(source, folder):
        return f"only {' and '.join((folder + '/', *CLOSED[target.parts[0]]))} may include it"
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


def check_frontend(path, src):
    """Headers in quotes are its own, beside the file or in its folder src."""
    frontends = src.parent / "frontends"
    home = frontends / path.relative_to(frontends).parts[0]
    for number, quoted, name in includes(path):
        if name in PUBLIC:
            continue
        found = [base / name for base in (path.parent, home / "src") if (base / name).exists()]
        own = found and home in found[0].resolve().parents
        if not own and (quoted or ".." in name or (src / name).exists()):
            yield number, f'"{name}": a frontend sees {", ".join(PUBLIC)} and its own files'


def check_doors(src):
    """DOORS holds, by path, line and text."""
    text = {path.relative_to(src).as_posix(): code(path) for path in files(src)}
    for word, expected in DOORS.items():
        pattern = re.compile(rf"\b{re.escape(word)}(?!\w)")
        counts = {name: len(pattern.findall(body)) for name, body in text.items()}
        for name in sorted(text.keys() | expected.keys()):
            have, want = counts.get(name, 0), expected.get(name, 0)
            if have != want:
                yield src / name, 1, f"{word}: {have} times, not {want}: see DOORS"


def check_tree(root):
    """How many files there are, and what is wrong: path, line, text."""
    src = root / "src"
    sources = [(path, check_source) for path in files(src)]
    for folder in OUTSIDE:
        sources += [(path, check_outside) for path in files(root / folder)]
    sources += [(path, check_frontend) for path in files(root / "frontends")]
    problems = [(path, *problem) for path, check in sources for problem in check(path, src)]
    return len(sources), problems + list(check_doors(src))


# ---- symbols -----------------------------------------------------------------------------------


def objects(folders, sources):
    """Objects by their sources' paths relative to `sources`. A source that is gone may have left one
    behind."""
    found = {}
    for folder in folders:
        for path in folder.rglob("*.o"):
            source = path.relative_to(folder).with_suffix("")
            if (sources / source).exists():
                found[source] = path
    return found


def symbols(nm, found):
    """What objects define, by name: the source; and what they refer to: pairs of source and name."""
    by_object = {str(path): source for source, path in found.items()}
    command = [nm, "--extern-only", "--print-file-name", "--format=posix", *sorted(by_object)]
    output = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
    defined, used = {}, []
    for line in output.splitlines():
        name_of_file, rest = line.rsplit(": ", 1)
        name, kind = rest.split()[:2]
        if kind in "Uwv":
            used.append((by_object[name_of_file], name))
        else:
            defined[name] = by_object[name_of_file]
    return defined, used


def hooks(src):
    path = src / HOOKS
    return set(re.findall(r"\b(ps__\w+)\s*[(;]", code(path))) if path.exists() else set()


def open_names(src):
    """The words in headers of layers with closed folders, outside of those."""
    headers = [path for layer in CLOSED for path in sorted((src / layer).glob("*.h"))]
    return {word for path in headers for word in re.findall(r"\w+", code(path))}


def check_reference(source, name, target, hooked, opened):
    """What is wrong with src/<source> referring to a name that src/<target> defines, or None."""
    layer = pathlib.PurePosixPath(HOOKS).parts[0] if name in hooked else target.parts[0]
    if not sees(source, layer):
        return f"{source.parts[0]} may not use {layer} ({target})"
    folder = closed(target)
    if folder and name not in opened and not may_enter(source, folder):
        return f"no header outside of {folder}/ declares it ({target})"
    return None


def check_hooks(hooked, defined):
    """What HOOKS declares and no later layer defines."""
    layer = pathlib.PurePosixPath(HOOKS).parts[0]
    for name in sorted(hooked):
        if name not in defined:
            yield name, "nothing defines it"
        elif layer not in LAYERS[defined[name].parts[0]]:
            yield name, f"{defined[name]} is no layer above: declare it with its noun"


def check_objects(root, build, nm):
    """How many objects there are, and what is wrong: path, line, text."""
    src = root / "src"
    parts = [build / "CMakeFiles" / f"penstock_{part}.dir" / "src" for part in ("static", "kernels")]
    found = objects(parts, src)
    # Kernels for other processors are left out.
    missing = {path.relative_to(src) for path in src.rglob("*.c")} - found.keys()
    missing = sorted(path for path in missing if path.parts[:2] != ("kernels", "cpu"))
    if not found or missing:
        sys.exit(f"{build}: no object of {missing[0] if missing else src}: build penstock_static")
    defined, used = symbols(nm, found)
    hooked, opened = hooks(src), open_names(src)
    problems = [(src / HOOKS, 1, f"{name}: {text}") for name, text in check_hooks(hooked, defined)]
    for source, name in sorted(used):
        text = name in defined and check_reference(source, name, defined[name], hooked, opened)
        if text:
            problems.append((src / source, 1, f"{name}: {text}"))

    public = declared(root / "include" / "penstock.h")
    count = len(found)
    for home in sorted((root / "frontends").iterdir()):
        folders = build.glob(f"frontends/{home.name}/CMakeFiles/*.dir")
        found = objects(folders, home)
        count += len(found)
        for source, name in sorted(symbols(nm, found)[1] if found else ()):
            if name in defined and name not in public:
                problems.append((home / source, 1, f"{name}: penstock.h does not declare it"))
    return count, problems


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--objects", type=pathlib.Path)
    parser.add_argument("--nm", default="nm")
    parser.add_argument("root", nargs="?", default=".", type=pathlib.Path)
    arguments = parser.parse_args()

    root = arguments.root.resolve()
    count, problems = check_tree(root)
    if not count:
        sys.exit(f"{root}: no files")
    summary = f"{count} files"
    if arguments.objects:
        count, more = check_objects(root, arguments.objects.resolve(), arguments.nm)
        problems += more
        summary += f", {count} objects"
    for path, number, text in problems:
        print(f"{path.relative_to(root)}:{number}: {text}")
    print(f"{summary}, {len(problems)} problems")
    sys.exit(bool(problems))


if __name__ == "__main__":
    main()
