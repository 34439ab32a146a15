"""The libraries that are compared, and where they run.

A kit is what a build leaves behind that others use: include/, lib/ and python/. Those of a commit are
built from an export of its files and kept in build/compare/<commit>, where the next run finds them;
that of the working tree is taken from build/release. A commit has two, of the same code in two places:
`base` as it is built, and `twin` with functions at other distances. Where a linker happens to put a
loop is worth some per cent of a short row's time, so one placement alone says nothing about a change
of that size.

For a run they are copied to build/compare/run, with the tree's as `tree`, so that nobody changes them
while they are measured. The names have the same length on purpose: the length of a path moves a
process's stack. All processes share the memory that the system keeps a file in, and where that happens
to be decides which parts of a program drive each other out of a cache: worth up to a tenth of a short
row's time, for as long as the file is kept. So what is run is copied anew for every round (`renew`)."""

import contextlib
import glob
import os
import shutil
import signal
import subprocess

FOLDER = os.path.join("build", "compare")
BASE, TWIN, TREE = SIDES = ("base", "twin", "tree")

PLACEMENTS = {BASE: [], TWIN: ["-DCMAKE_C_FLAGS=-falign-functions=32"]}  # 16 without

CONFIGURE = ["cmake", "--preset", "release", "--log-level=WARNING"]
BUILD = ["cmake", "--build", "--preset", "release"]


class Unusable(Exception):
    """Nothing can be measured; the reason is for the user."""


def run_quietly(command, folder):
    """Raises Unusable with what the command wrote if it fails. It gets a process group of its own,
    so that an interrupt ends all that it has started."""
    process = subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT, text=True, start_new_session=True)
    try:
        text, _ = process.communicate()
    except BaseException:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGTERM)
        process.communicate()
        raise
    if process.returncode != 0:
        raise Unusable(f"failed: {' '.join(command)}\n{text.strip()[-4000:]}")
    return text.strip()


def find_commit(root, name):
    if not name or name.startswith("-"):
        raise Unusable("which commit to compare with? make bench-compare BASE=<commit>")
    try:
        return run_quietly(["git", "rev-parse", "--verify", "--quiet", name + "^{commit}"], root)
    except Unusable:
        raise Unusable(f"there is no commit {name} here") from None


def take_kit(source, build, kit):
    """Copies what the build made; a commit without the Python package has no python/."""
    libraries = glob.glob(os.path.join(build, "libpenstock.so*"))
    if not libraries:
        raise Unusable(f"no libpenstock.so in {build}")
    os.makedirs(os.path.join(kit, "lib"))
    for library in libraries:
        shutil.copy2(library, os.path.join(kit, "lib"), follow_symlinks=False)
    shutil.copytree(os.path.join(source, "include"), os.path.join(kit, "include"))
    package = os.path.join(build, "python")
    if os.path.isdir(package):
        shutil.copytree(package, os.path.join(kit, "python"),
                        ignore=shutil.ignore_patterns("__pycache__"))


def build_commit(root, commit, work, python, jobs):
    """Builds an export of the commit in the folder `work`, once for each placement; returns the folder
    of its kits."""
    source, kits = os.path.join(work, "source"), os.path.join(work, "kits")
    archive = os.path.join(work, "source.tar")
    os.makedirs(source)
    run_quietly(["git", "archive", "--format=tar", "-o", archive, commit], root)
    run_quietly(["tar", "-xf", archive, "-C", source], root)
    for side, placement in PLACEMENTS.items():
        # Warnings of another compiler than the author's are not what is looked for here.
        run_quietly([*CONFIGURE, "-DPENSTOCK_TESTS=OFF", "-DPENSTOCK_EXAMPLES=OFF",
                     "-DPENSTOCK_WERROR=OFF", f"-DPENSTOCK_PYTHON_EXECUTABLE={python}", *placement],
                    source)
        run_quietly([*BUILD, "-j", str(jobs)], source)
        take_kit(source, os.path.join(source, "build", "release"), os.path.join(kits, side))
    return kits


def base_kits(root, commit, python, jobs):
    """The kits of a commit. What is there is complete: it gets its name at the end."""
    kits = os.path.join(root, FOLDER, commit)
    if os.path.isdir(os.path.join(kits, TWIN)):
        return kits
    print(f"building {commit[:12]} in {FOLDER}, twice", flush=True)
    work = kits + ".part"
    shutil.rmtree(work, ignore_errors=True)
    shutil.rmtree(kits, ignore_errors=True)
    try:
        os.rename(build_commit(root, commit, work, python, jobs), kits)
    finally:
        shutil.rmtree(work, ignore_errors=True)
    return kits


def build_tree(root, jobs):
    print("building this tree in build/release", flush=True)
    run_quietly(CONFIGURE, root)
    run_quietly([*BUILD, "-j", str(jobs), "--target", "penstock", "penstock_python"], root)


def stage(root, commit, python, jobs):
    """Builds both and returns the folder of each side."""
    kits = base_kits(root, commit, python, jobs)
    build_tree(root, jobs)
    run = os.path.join(root, FOLDER, "run")
    shutil.rmtree(run, ignore_errors=True)
    folders = {side: os.path.join(run, side) for side in SIDES}
    for side in (BASE, TWIN):
        shutil.copytree(os.path.join(kits, side), folders[side], symlinks=True)
    take_kit(root, os.path.join(root, "build", "release"), folders[TREE])
    return folders


def is_program(path):
    """Or a library."""
    with open(path, "rb") as file:
        return file.read(4) == b"\x7fELF"


def renew(folders):
    """Puts all programs and libraries elsewhere in memory, where nothing runs."""
    for folder in folders.values():
        for path in glob.glob(os.path.join(folder, "**"), recursive=True):
            if os.path.isfile(path) and not os.path.islink(path) and is_program(path):
                fresh = path + ".new"
                shutil.copy2(path, fresh)
                os.replace(fresh, path)


def compile_program(root, folders, name, source):
    """This tree's program for every side. The reason, if it does not compile with the base."""
    for side in (TREE, BASE):
        folder = folders[side]
        command = ["gcc", "-std=c11", "-D_GNU_SOURCE", "-O2", "-I" + os.path.join(folder, "include"),
                   os.path.join(root, source), "-o", os.path.join(folder, name),
                   "-L" + os.path.join(folder, "lib"), "-Wl,-rpath,$ORIGIN/lib", "-lpenstock",
                   "-lm", "-lpthread"]
        try:
            run_quietly(command, root)
        except Unusable as error:
            if side == TREE:
                raise
            lines = [line for line in str(error).splitlines() if "error" in line]
            return f"{source} does not compile with the base: {(lines or ['?'])[0].strip()}"
    shutil.copy2(os.path.join(folders[BASE], name), os.path.join(folders[TWIN], name))
    return None
