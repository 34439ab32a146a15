"""The ways in for programs that import paddle, each in a process of its own."""

import subprocess
import sys

from processes import LIMIT, environment, run_quietly


def as_paddle(*arguments, folder=None):
    return subprocess.run(
        [sys.executable, "-m", "penstock", "--as", "paddle", *arguments],
        cwd=folder,
        env=environment(),
        capture_output=True,
        text=True,
        timeout=LIMIT,
    )


def test_by_its_own_name():
    program = """
        import sys
        from penstock import paddle
        print((paddle.ones([1, 2]) + 1).tolist(), paddle.__version__, "paddle" in sys.modules)
    """
    assert run_quietly(program) == "[[2.0, 2.0]] 3.3.1 False\n"


def test_installed():
    program = """
        paddle = ps.install_as("paddle")
        import paddle as again, paddle.device.cuda
        from paddle import autograd
        print(again is paddle, paddle.autograd is autograd, ps.install_as("paddle") is paddle)
        print(paddle.device.cuda.synchronize.__module__, type(paddle.ones([1])))
    """
    assert run_quietly(program) == (
        "True True True\npenstock.paddle.device.cuda <class 'paddle.Tensor'>\n"
    )


def test_as_paddle(tmp_path):
    script = tmp_path / "program.py"
    script.write_text("import paddle, sys\nprint(paddle.ones([2]).tolist(), sys.argv[1:])\n")
    done = as_paddle(str(script), "x")
    assert (done.returncode, done.stdout, done.stderr) == (0, "[1.0, 1.0] ['x']\n", "")


def test_another_paddle_is_loaded(tmp_path):
    (tmp_path / "paddle.py").write_text("")
    program = f"""
        import sys
        sys.path.insert(0, {str(tmp_path)!r})
        import paddle
        try:
            ps.install_as("paddle")
        except ImportError as error:
            print("another paddle is loaded" in str(error))
    """
    assert run_quietly(program) == "True\n"


def test_a_module_that_is_not_there():
    program = """
        ps.install_as("paddle")
        try:
            import paddle.fleet
        except ModuleNotFoundError as error:
            print(error)
    """
    assert run_quietly(program).startswith("module 'paddle' has no attribute 'fleet'")


def test_all_dialects_in_one_process():
    program = """
        mx, paddle, torch = map(ps.install_as, ("mxnet", "paddle", "torch"))
        print(torch.ones(2), paddle.ones([2]).tolist(), mx.np.ones(2))
        for other in (torch.ones(2), mx.np.ones(2), ps.ones(2)):
            try:
                print(type(paddle.ones([2]) + other).__module__)
            except TypeError as error:
                print("TypeError")
    """
    lines = run_quietly(program).splitlines()
    assert lines[0] == "tensor([1., 1.]) [1.0, 1.0] [1. 1.]"
    assert len(lines) == 4


def test_what_importing_loads():
    program = """
        import sys
        from penstock import paddle
        heavy = {"numpy", "penstock.torch", "penstock.mxnet", "penstock.nn", "inspect"}
        print(sorted(heavy & set(sys.modules)))
    """
    assert run_quietly(program) == "[]\n"
