"""Runs a program that was written for another library, with Penstock in that library's place.

The program finds sys.argv, sys.path and __main__ as Python itself would have left them. An error
that it does not catch is shown without the frames of this file, and ends the process as usual.
"""

import sys

_USAGE = """\
usage: python -m penstock --as NAME script.py [argument ...]
       python -m penstock --as NAME -m module [argument ...]
       python -m penstock --as NAME -c code [argument ...]

Runs a program with Penstock's package in place of the library NAME: {known}.
script.py may also be a folder or a zip file with a __main__.py, or - for the standard input.

options:
  --as NAME      the library that the program imports
  -m module      run a module, as python -m does
  -c code        run the code of the next argument
  -h, --help     show this text
  --version      show the version of Penstock
"""


def main(arguments):
    """Takes the options before the program, and runs it."""
    name, rest = None, list(arguments)
    while rest:
        option = rest.pop(0)
        if option == "--as":
            name = rest.pop(0) if rest else _refuse("--as needs the name of a library")
        elif option.startswith("--as="):
            name = option[5:]
        elif option in ("-h", "--help"):
            return print(_usage(), end="")
        elif option == "--version":
            return print(_version())
        else:
            return _start(name, option, rest)
    return _refuse("there is no program to run")


def _start(name, option, rest):
    """Installs the package, and runs the program that the option names or begins."""
    if option.startswith("-") and option not in ("-", "-m", "-c"):
        _refuse(f"there is no option {option!r}{_hint(option)}")
    if option in ("-m", "-c") and not rest:
        _refuse(f"{option} needs an argument")
    if name is None:
        _refuse("--as is missing: which library does the program import?")
    _install(name)
    if option == "-m":
        return _run(_module, rest[0], ["-m", *rest[1:]])
    if option == "-c":
        return _run(_code, rest[0], ["-c", *rest[1:]])
    return _run(_script, option, [option, *rest])


def _install(name):
    from . import install_as

    try:
        install_as(name)
    except (ImportError, ValueError) as error:
        _refuse(str(error))


def _usage():
    from ._install import KNOWN

    return _USAGE.format(known=", ".join(KNOWN))


def _version():
    from . import __version__

    return f"penstock {__version__}"


def _hint(option):
    import difflib

    near = difflib.get_close_matches(option, ["--as", "--help", "--version"], 1, 0.5)
    return f"; did you mean {near[0]!r}?" if near else ""


def _refuse(text):
    print(f"python -m penstock: {text}\n(--help shows how it is used)", file=sys.stderr)
    sys.exit(2)


# ---- Running -------------------------------------------------------------------------------------


def _run(how, program, argv):
    """Runs the program as the main module; errors are shown as if nothing had been around it."""
    sys.argv[:] = argv
    try:
        how(program)
    except SystemExit:
        raise
    except BaseException:
        _hide_frames()
        raise


def _new_main():
    """A fresh __main__. That of this file stays alive by its functions."""
    from types import ModuleType

    module = sys.modules["__main__"] = ModuleType("__main__")
    space = vars(module)
    space.update(__builtins__=sys.modules["builtins"], __annotations__={})
    return space


def _set_first_path(folder):
    """Where Python looks first; nowhere particular if it was started with -P or -I."""
    if not sys.flags.safe_path:
        sys.path[0] = folder


def _module(name):
    import runpy

    # What `python -m` does, which is not what runpy.run_module does: that one cleans up at the end,
    # while threads and exit functions of the program may still be about.
    _new_main()
    runpy._run_module_as_main(name)


def _code(text):
    _set_first_path("")
    space = _new_main()
    exec(compile(text + "\n", "<string>", "exec"), space)


def _script(path):
    import os.path

    if path == "-":
        return _standard_input()
    path = os.path.abspath(path)
    if _is_importable(path):
        return _folder(path)
    code = _compiled(path)
    _set_first_path(os.path.dirname(os.path.realpath(path)))
    space = _new_main()
    from importlib.machinery import SourceFileLoader

    space.update(__file__=path, __cached__=None, __loader__=SourceFileLoader("__main__", path))
    exec(code, space)


def _compiled(path):
    """The code of a script, or of a compiled one."""
    import io
    import pkgutil

    try:
        with io.open_code(path) as file:
            compiled = pkgutil.read_code(file)
        if compiled is not None:
            return compiled
        with io.open_code(path) as file:
            return compile(file.read(), path, "exec")
    except OSError as error:
        print(f"python -m penstock: can't open file {path!r}: {error.strerror}", file=sys.stderr)
        sys.exit(2)


def _standard_input():
    _set_first_path("")
    text = sys.stdin.read()
    space = _new_main()
    exec(compile(text, "<stdin>", "exec"), space)


def _is_importable(path):
    """Whether it is a folder or a zip file, whose __main__.py is the program."""
    from pkgutil import get_importer

    return get_importer(path) is not None


def _folder(path):
    import runpy

    if sys.flags.safe_path:
        sys.path.insert(0, path)
    else:
        sys.path[0] = path
    _new_main()
    runpy._run_module_as_main("__main__", False)


# ---- Errors --------------------------------------------------------------------------------------


def _hide_frames():
    """Lets the hook that shows an uncaught error begin with the program's own frames."""
    show = sys.excepthook

    def hook(kind, error, traceback):
        error.__traceback__ = _without_ours(traceback)
        show(kind, error, error.__traceback__)

    sys.excepthook = hook


def _without_ours(traceback):
    """From the first frame on that is not of this file or of what it runs programs with."""
    ours = {__file__, "<frozen runpy>"}
    while traceback is not None and traceback.tb_frame.f_code.co_filename in ours:
        traceback = traceback.tb_next
    return traceback


if __name__ == "__main__":
    main(sys.argv[1:])
