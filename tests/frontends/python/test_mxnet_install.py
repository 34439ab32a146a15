"""The ways in for programs that import mxnet, each in a process of its own."""

import pickle
import signal
import subprocess
import sys
import textwrap

import pytest
from processes import LIMIT, environment, run_quietly


def python(*arguments, folder=None, text=None, **settings):
    """Python with these arguments, once it has ended."""
    kept = {key: value for key, value in environment().items() if not key.startswith("MXNET_")}
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        env=kept | settings,
        input=text,
        capture_output=True,
        text=True,
        timeout=LIMIT,
    )


def as_mxnet(*arguments, **options):
    return python("-m", "penstock", "--as", "mxnet", *arguments, **options)


def printed(done):
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def write(folder, name, program):
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(textwrap.dedent(program))
    return path


INSTALLED = "ps.install_as('mxnet')\nimport mxnet as mx\n"


def run_installed(program, **settings):
    return run_quietly(INSTALLED + textwrap.dedent(program), **settings)


# ---- install_as ----------------------------------------------------------------------------------


def test_the_package_by_its_own_name():
    program = """
        import sys
        import penstock.mxnet as mx
        print(mx.np.ones((1, 2)) + 1, mx.__version__, "mxnet" in sys.modules)
    """
    assert run_quietly(program) == "[[2. 2.]] 1.9.1 False\n"


def test_installed():
    program = """
        import penstock.mxnet
        from mxnet import nd, np, npx
        print(mx is penstock.mxnet, np is mx.numpy, type(np.ones(2)), type(nd.ones((2,))))
    """
    expected = "True True <class 'mxnet.numpy.ndarray'> <class 'mxnet.ndarray.ndarray.NDArray'>\n"
    assert run_installed(program) == expected


def test_it_gives_the_package_and_may_be_called_again():
    program = """
        import sys
        before = len(sys.meta_path)
        print(ps.install_as("mxnet") is mx, len(sys.meta_path) == before)
    """
    assert run_installed(program) == "True True\n"


def test_one_module_under_all_names():
    program = """
        import importlib, sys
        names = {
            "numpy": "numpy", "np": "numpy", "numpy.multiarray": "numpy",
            "ndarray": "ndarray", "nd": "ndarray", "ndarray.ndarray": "ndarray",
            "numpy_extension": "numpy_extension", "npx": "numpy_extension",
            "np.random": "numpy.random", "nd.random": "ndarray.random",
            "init": "initializer", "initializer": "initializer", "autograd": "autograd",
            "random": "random", "util": "util", "engine": "engine", "image": "image",
            "gluon.nn": "gluon.nn", "gluon.nn.basic_layers": "gluon.nn.basic_layers", "gluon.loss": "gluon.loss",
            "gluon.data.vision.transforms": "gluon.data.vision.transforms", "context": "context",
            "contrib.text.vocab": "contrib.text.vocab", "contrib.nd": "ndarray.contrib",
        }
        for name, real in names.items():
            module = importlib.import_module("mxnet." + name)
            assert module is importlib.import_module("penstock.mxnet." + name), name
            assert module is sys.modules["penstock.mxnet." + real], name
            assert module is sys.modules["mxnet." + name], name
            assert module.__name__ == module.__spec__.name == "penstock.mxnet." + real, name
        print(len(names))
    """
    assert run_installed(program) == "24\n"


def test_what_was_loaded_before_is_there_too():
    program = """
        import penstock.mxnet.gluon.nn, sys
        ps.install_as("mxnet")
        print(sys.modules["mxnet.gluon.nn"] is penstock.mxnet.gluon.nn)
    """
    assert run_quietly(program) == "True\n"


def test_forgotten_modules_come_back():
    program = """
        import sys
        del sys.modules["mxnet"], sys.modules["mxnet.numpy"]
        import mxnet.numpy
        print(mxnet is mx)
    """
    assert run_installed(program) == "True\n"


def test_importing_from_many_threads():
    program = """
        import importlib, threading
        names = ["np", "gluon.nn", "image", "init", "gluon.data.vision", "autograd", "engine"]
        ready, found = threading.Barrier(8), []
        def work(i):
            ready.wait()
            ps.install_as("mxnet")
            mine = names[i % 7 :] + names[: i % 7]
            found.append({name: id(importlib.import_module("mxnet." + name)) for name in mine})
        threads = [threading.Thread(target=work, args=(i,)) for i in range(8)]
        for thread in threads: thread.start()
        for thread in threads: thread.join()
        print(len(found), all(one == found[0] for one in found))
    """
    assert run_quietly(program) == "8 True\n"


def test_two_names_at_once():
    program = """
        from importlib.util import module_from_spec
        import sys
        specs = [sys.meta_path[0].find_spec(name) for name in ("mxnet.nd", "mxnet.ndarray.ndarray")]
        modules = [module_from_spec(spec) for spec in specs]
        for spec, module in zip(specs, modules):
            spec.loader.exec_module(module)
        print(modules[0] is modules[1] is mx.nd, mx.nd.__spec__.name)
    """
    assert run_installed(program) == "True penstock.mxnet.ndarray\n"


def test_a_shim_package(tmp_path):
    write(tmp_path, "mxnet/__init__.py", "import penstock\npenstock.install_as('mxnet')\n")
    program = """
        import mxnet.gluon.nn
        from mxnet import np
        import penstock.mxnet
        print(np.ones(1), mxnet is penstock.mxnet, mxnet.gluon is penstock.mxnet.gluon)
    """
    path = write(tmp_path, "program.py", program)
    assert printed(python(str(path))) == "[1.] True True\n"


def test_a_shim_module_that_a_thread_has_got_hold_of(tmp_path):
    shim = """
        import sys
        import penstock
        early = sys.modules["mxnet"]
        penstock.install_as("mxnet")
        import penstock.mxnet
        print(early is not penstock.mxnet, early.np is penstock.mxnet.np)
    """
    write(tmp_path, "mxnet.py", shim)
    assert printed(python("-c", "import mxnet", folder=tmp_path)) == "True True\n"


def test_another_mxnet_is_loaded(tmp_path):
    write(tmp_path, "mxnet/__init__.py", "value = 1\n")
    program = """
        import mxnet, penstock
        try:
            penstock.install_as("mxnet")
        except ImportError as error:
            print(error, error.name)
        import penstock.mxnet
        print(mxnet.value)
    """
    out = printed(python("-c", textwrap.dedent(program), folder=tmp_path))
    text, value = out.splitlines()
    assert "another mxnet is loaded already" in text and str(tmp_path) in text
    assert text.endswith("imports mxnet mxnet")
    assert value == "1"


def test_parts_of_another_mxnet_are_loaded():
    program = """
        import sys, types
        sys.modules["mxnet.base"] = types.ModuleType("mxnet.base")
        try:
            ps.install_as("mxnet")
        except ImportError as error:
            print("another mxnet" in str(error))
    """
    assert run_quietly(program) == "True\n"


@pytest.mark.parametrize("name", ["mxnte", "", "numpy"])
def test_unknown_libraries(name):
    import penstock

    with pytest.raises(ValueError, match=f"install as '{name}'; there is 'mxnet'"):
        penstock.install_as(name)


def test_import_penstock_brings_nothing_of_it():
    out = run_quietly("import sys; print([name for name in sys.modules if 'mxnet' in name])")
    assert out == "[]\n"


# ---- Names that are not there --------------------------------------------------------------------


def test_missing_names():
    program = """
        def text(statement):
            try:
                exec(statement, {"mx": mx})
            except AttributeError as error:
                print("AttributeError", error)
            except ModuleNotFoundError as error:
                print("ModuleNotFoundError", error.name, error)
        text("mx.tvmop")
        text("import mxnet.tvmop")
        text("from mxnet import tvmop")
        text("mx.gluom")
        text("from mxnet import gluom")
        text("from mxnet.np import exq")
        text("mx.gluon.nn.Dens")
        print(hasattr(mx, "tvmop"), hasattr(mx, "__wrapped__"))
    """
    missing = "mxnet.tvmop is a part of MXNet that Penstock does not have: see docs/mxnet.md"
    typo = "{} has no {!r}, and neither has MXNet 1.9.1; did you mean {!r}? (see docs/mxnet.md)"
    gluon = typo.format("mxnet", "gluom", "gluon")
    assert run_installed(program).splitlines() == [
        f"AttributeError {missing}",
        f"ModuleNotFoundError mxnet.tvmop {missing}",
        f"ModuleNotFoundError mxnet.tvmop {missing}",
        f"AttributeError {gluon}",
        f"ModuleNotFoundError mxnet.gluom {gluon}",
        f"ModuleNotFoundError mxnet.numpy.exq {typo.format('mxnet.np', 'exq', 'exp')}",
        f"AttributeError {typo.format('mxnet.gluon.nn', 'Dens', 'Dense')}",
        "False False",
    ]


def test_classes_that_are_not_built():
    program = """
        from mxnet import autograd, gluon, mod, sym
        class Mine(mod.BaseModule):
            def __init__(self):
                pass
        def text(function):
            try:
                function()
            except NotImplementedError as error:
                print(isinstance(error, mx.MXNetError), error)
        text(Mine)
        text(lambda: mod.Module(None))
        text(lambda: sym.Variable("x"))
        text(lambda: autograd.get_symbol(mx.nd.ones((1,))))
        print(mod.Module is mod.Module, sym.Symbol is mx.symbol.Symbol, isinstance(3, sym.Symbol))
        with autograd.pause(), autograd.predict_mode():
            print(autograd.is_recording(), autograd.is_training())
    """
    ends = " is a part of MXNet that Penstock does not have yet: see docs/mxnet.md"
    assert run_installed(program).splitlines() == [
        "True Mine: its base mxnet.module.BaseModule" + ends,
        "True mxnet.module.Module" + ends,
        "True mxnet.symbol.Variable" + ends,
        "True mxnet.autograd.get_symbol" + ends,
        "True True False",
        "False False",
    ]


def test_bulks():
    program = """
        def sizes():
            former = mx.engine.set_bulk_size(7)
            with mx.engine.bulk(20):
                inside = mx.engine.set_bulk_size(9)
            return former, inside, mx.engine.set_bulk_size(former)
        print(*sizes(), *sizes())
    """
    assert run_installed(program) == "0 20 7 0 20 7\n"


def test_the_book_s_library_imports():
    pytest.importorskip("d2l", reason="d2l is not installed: make setup")
    program = """
        from d2l import mxnet as d2l
        print(d2l.np is mx.np, d2l.nn_Module is mx.gluon.nn.Block, d2l.try_gpu())
    """
    assert run_installed(program, MPLBACKEND="agg") == "True True cpu(0)\n"


# ---- Pickles -------------------------------------------------------------------------------------

THINGS = """
    import pickle
    def things():
        return [
            mx.np.array([[1, 2], [3, 4]], dtype="int32"), mx.nd.array([1.5, 2]),
            mx.np.array(3.0), mx.cpu(1), ValueError("plain"), mx.MXNetError("bad"),
        ]
    def show(found):
        a, b, c, d, e, f = found
        print(type(a), a.asnumpy().tolist(), a.dtype, type(b), b.asnumpy().tolist())
        print(type(c), c.shape, type(d), d, repr(e), type(f) is mx.MXNetError, f)
"""


@pytest.mark.parametrize("writer", ["installed", "plain"])
def test_pickles_load_in_either_kind_of_process(tmp_path, writer):
    path = str(tmp_path / "file")
    things = textwrap.dedent(THINGS)
    plain = "import penstock.mxnet as mx\n" + things
    dump = f"pickle.dump(things(), open({path!r}, 'wb')); show(things())"
    load = f"show(pickle.load(open({path!r}, 'rb')))"
    if writer == "installed":
        written, read = run_installed(things + dump), run_quietly(plain + load)
    else:
        written, read = run_quietly(plain + dump), run_installed(things + load)
    assert written == read
    assert "<class 'mxnet.numpy.ndarray'> [[1, 2], [3, 4]] int32" in read


def test_pickles_of_this_process_need_nothing_installed():
    from penstock import mxnet as mx

    x = mx.np.array([1.0, 2.0])
    assert type(pickle.loads(pickle.dumps(x))) is mx.np.ndarray


def test_a_process_that_imports_nothing_loads_them(tmp_path):
    path = tmp_path / "file"
    run_installed(f"import pickle; pickle.dump(mx.np.ones(2), open({str(path)!r}, 'wb'))")
    done = python("-c", f"import pickle; print(pickle.load(open({str(path)!r}, 'rb')))")
    assert printed(done) == "[1. 1.]\n"


def test_errors_are_pickled_with_their_class():
    program = """
        import pickle
        for bad in (lambda: mx.np.ones((2, 3)).reshape(7), lambda: mx.nd.ones((2,))[5]):
            try:
                bad().wait_to_read()
            except mx.MXNetError as error:
                again = pickle.loads(pickle.dumps(error))
                print(type(again) is type(error), again.args == error.args)
    """
    assert run_installed(program) == "True True\nTrue True\n"


# ---- python -m penstock --as mxnet ---------------------------------------------------------------

SHOW = """
    import sys
    from mxnet import np
    print(np.ones(1), sys.argv, repr(sys.path[0]), __name__, globals().get("__file__"))
    print(sys.modules["__main__"].__dict__ is globals())
"""


def test_a_script(tmp_path):
    path = write(tmp_path, "inner/program.py", SHOW)
    out = printed(as_mxnet("inner/program.py", "a", "-m", "--as", folder=tmp_path))
    argv = ["inner/program.py", "a", "-m", "--as"]
    assert out == f"[1.] {argv} {str(path.parent)!r} __main__ {path}\nTrue\n"


def test_a_script_finds_its_neighbours_and_the_process_its_main(tmp_path):
    write(tmp_path, "inner/neighbour.py", "value = 5\n")
    program = """
        import pickle
        import neighbour
        class Thing: pass
        print(neighbour.value, type(pickle.loads(pickle.dumps(Thing()))) is Thing)
    """
    write(tmp_path, "inner/program.py", program)
    assert printed(as_mxnet("inner/program.py", folder=tmp_path)) == "5 True\n"


def test_a_module(tmp_path):
    path = write(tmp_path, "pack/__main__.py", SHOW)
    out = printed(as_mxnet("-m", "pack", "-c", folder=tmp_path))
    assert out == f"[1.] {[str(path), '-c']} {str(tmp_path)!r} __main__ {path}\nTrue\n"


def test_a_folder(tmp_path):
    path = write(tmp_path, "pack/__main__.py", SHOW)
    out = printed(as_mxnet("pack", folder=tmp_path))
    assert out == f"[1.] ['pack'] {str(path.parent)!r} __main__ {path}\nTrue\n"


def test_code():
    out = printed(as_mxnet("-c", textwrap.dedent(SHOW), "x", "--help"))
    assert out == "[1.] ['-c', 'x', '--help'] '' __main__ None\nTrue\n"


def test_the_standard_input():
    out = printed(as_mxnet("-", "x", text=textwrap.dedent(SHOW)))
    assert out == "[1.] ['-', 'x'] '' __main__ None\nTrue\n"


def test_without_a_first_path(tmp_path):
    path = write(tmp_path, "program.py", "import sys; print(sys.path[0])\n")
    plain = printed(python("-P", str(path)))
    done = python("-P", "-m", "penstock", "--as=mxnet", str(path))
    assert printed(done) == plain


@pytest.mark.parametrize(
    ("program", "code", "out", "error"),
    [
        ("import sys; sys.exit(7)", 7, "", ""),
        ("import sys; sys.exit('words')", 1, "", "words\n"),
        ("import sys; sys.exit()", 0, "", ""),
        ("import atexit; atexit.register(print, 'late'); print('now')", 0, "now\nlate\n", ""),
    ],
)
def test_exit_codes(program, code, out, error):
    done = as_mxnet("-c", program)
    assert (done.returncode, done.stdout, done.stderr) == (code, out, error)


WAYS = {"script": ["program.py"], "module": ["-m", "program"], "folder": ["."]}


@pytest.mark.parametrize("way", WAYS)
def test_tracebacks_are_those_of_python(tmp_path, way):
    name = "__main__.py" if way == "folder" else "program.py"
    write(tmp_path, name, "def f():\n    return 1 / 0\n\nf()\n")
    done = as_mxnet(*WAYS[way], folder=tmp_path)
    plain = python(*WAYS[way], folder=tmp_path)
    without_runpy = [line for line in plain.stderr.splitlines() if "<frozen runpy>" not in line]
    assert done.stderr.splitlines() == without_runpy
    assert done.returncode == plain.returncode == 1


def test_syntax_errors_are_those_of_python(tmp_path):
    write(tmp_path, "program.py", "x = (1,\n")
    done, plain = (way("program.py", folder=tmp_path) for way in (as_mxnet, python))
    assert done.stderr == plain.stderr and "SyntaxError" in plain.stderr
    assert done.returncode == plain.returncode == 1


def test_a_hook_of_the_program_sees_its_errors(tmp_path):
    program = """
        import sys, traceback
        def hook(kind, error, trace):
            print("hook", kind.__name__, [frame.name for frame in traceback.extract_tb(trace)])
        sys.excepthook = hook
        def f():
            raise KeyError
        f()
    """
    write(tmp_path, "program.py", program)
    done = as_mxnet("program.py", folder=tmp_path)
    assert (done.returncode, done.stdout) == (1, "hook KeyError ['<module>', 'f']\n")


def test_ctrl_c_ends_it_as_a_signal_does():
    done = as_mxnet("-c", "import signal; signal.raise_signal(signal.SIGINT)")
    assert done.returncode == -signal.SIGINT
    assert done.stderr.endswith("KeyboardInterrupt\n") and "__main__.py" not in done.stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--az", "mxnet", "x.py"], "there is no option '--az'; did you mean '--as'?"),
        (["--as", "mxnte", "x.py"], "as 'mxnte'; there is 'mxnet'"),
        (["--as"], "--as needs the name of a library"),
        (["--as", "mxnet"], "there is no program to run"),
        ([], "there is no program to run"),
        (["x.py"], "--as is missing"),
        (["--as", "mxnet", "-m"], "-m needs an argument"),
        (["--as", "mxnet", "-c"], "-c needs an argument"),
        (["--as", "mxnet", "-x"], "there is no option '-x'"),
        (["--as", "mxnet", "no/such.py"], "can't open file"),
    ],
)
def test_mistakes(arguments, said):
    done = python("-m", "penstock", *arguments)
    assert done.returncode == 2 and done.stdout == ""
    assert said in done.stderr and "Traceback" not in done.stderr


def test_a_module_that_does_not_exist():
    done = as_mxnet("-m", "no_such_module")
    assert done.returncode == 1
    assert done.stderr == f"{sys.executable}: No module named no_such_module\n"


def test_help():
    import penstock

    out = printed(python("-m", "penstock", "--help"))
    assert "--as NAME" in out and "mxnet" in out
    assert printed(python("-m", "penstock", "--version")) == f"penstock {penstock.__version__}\n"


# ---- Environment variables -----------------------------------------------------------------------

MODE = """
    import penstock as ps, threading
    import penstock.mxnet as mx
    modes = [ps.engine.is_sync()]
    def look():
        x = mx.nd.ones((600, 600))
        modes.append(ps.engine.is_sync())
        modes.append(all(mx.nd.dot(x, x).is_ready() for _ in range(8)))
    thread = threading.Thread(target=look); thread.start(); thread.join()
    try:
        bad = mx.nd.random.normal(0, -1, shape=(3,))
        modes.append("later")
        bad.wait_to_read()
    except mx.MXNetError:
        pass
    print(*modes, ps.engine.workers())
    ps.waitall()
"""


def run_mode(**settings):
    return printed(python("-c", textwrap.dedent(MODE), **settings)).split()


def test_the_naive_engine_is_synchronous_in_all_threads():
    modes = run_mode(MXNET_ENGINE_TYPE="NaiveEngine", PENSTOCK_WORKERS="2")
    assert modes == ["True", "True", "True", "2"]


@pytest.mark.parametrize("value", ["ThreadedEngine", "ThreadedEnginePerDevice", ""])
def test_other_engines_are_not(value):
    modes = run_mode(MXNET_ENGINE_TYPE=value, PENSTOCK_WORKERS="2")
    assert (modes[0], modes[1], modes[-2]) == ("False", "False", "later")


def test_our_own_variables_win():
    modes = run_mode(
        MXNET_ENGINE_TYPE="NaiveEngine",
        PENSTOCK_ENGINE="async",
        MXNET_CPU_WORKER_NTHREADS="3",
        PENSTOCK_WORKERS="4",
    )
    assert (modes[0], modes[-1]) == ("False", "4")


def test_workers():
    assert run_mode(MXNET_CPU_WORKER_NTHREADS="3")[-1] == "3"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("MXNET_ENGINE_TYPE", "naive"),
        ("MXNET_CPU_WORKER_NTHREADS", "two"),
        ("MXNET_CPU_WORKER_NTHREADS", "0"),
        ("MXNET_CPU_WORKER_NTHREADS", "-1"),
        ("MXNET_CPU_WORKER_NTHREADS", "99999999999"),
    ],
)
def test_values_that_mean_nothing(name, value):
    program = """
        try:
            import penstock.mxnet
        except ValueError as error:
            print(error)
    """
    out = printed(python("-c", textwrap.dedent(program), **{name: value}))
    assert name in out and repr(value) in out
