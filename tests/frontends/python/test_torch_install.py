"""The ways in for programs that import torch and torchvision, each in a process of its own."""

import subprocess
import sys
import textwrap

import pytest
from processes import LIMIT, environment, run_quietly


def python(*arguments, folder=None, text=None, **settings):
    """Python with these arguments, once it has ended."""
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        env=environment(**settings),
        input=text,
        capture_output=True,
        text=True,
        timeout=LIMIT,
    )


def as_torch(*arguments, **options):
    return python("-m", "penstock", "--as", "torch", *arguments, **options)


def printed(done):
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def write(folder, name, program):
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(textwrap.dedent(program))
    return path


INSTALLED = "ps.install_as('torch')\nimport torch\n"


def run_installed(program, **settings):
    return run_quietly(INSTALLED + textwrap.dedent(program), **settings)


# ---- install_as ----------------------------------------------------------------------------------


def test_the_packages_by_their_own_names():
    program = """
        import sys
        from penstock import torch, torchvision
        print(torch.ones(1, 2) + 1, torch.__version__, torchvision.__version__)
        print("torch" in sys.modules, "torchvision" in sys.modules)
    """
    assert run_quietly(program) == "tensor([[2., 2.]]) 2.15.0 0.29.2\nFalse False\n"


def test_installed():
    program = """
        import penstock.torch, penstock.torchvision, torchvision
        from torch import nn, optim
        from torch.nn import functional as F
        from torch.utils import data
        from torchvision import transforms
        print(torch is penstock.torch, torchvision is penstock.torchvision)
        print(nn is penstock.torch.nn, transforms is penstock.torchvision.transforms)
        print(type(torch.ones(2)), F.relu(torch.tensor([-1.0, 2.0])), data.DataLoader.__name__)
    """
    expected = "True True\nTrue True\n<class 'torch.Tensor'> tensor([0., 2.]) DataLoader\n"
    assert run_installed(program) == expected


def test_it_gives_the_package_and_may_be_called_again():
    program = """
        import sys
        before = len(sys.meta_path)
        print(ps.install_as("torch") is torch, len(sys.meta_path) == before)
    """
    assert run_installed(program) == "True True\n"


def test_one_module_under_all_names():
    program = """
        import importlib, sys
        names = [
            "torch", "torch.nn", "torch.nn.functional", "torch.nn.init", "torch.nn.parameter",
            "torch.nn.modules.linear", "torch.nn.utils.rnn", "torch.optim",
            "torch.optim.lr_scheduler", "torch.utils.data", "torch.utils.data.dataset",
            "torch.autograd", "torch.cuda", "torch.random", "torch.serialization", "torchvision",
            "torchvision.transforms", "torchvision.transforms.functional", "torchvision.datasets",
            "torchvision.io", "torchvision.io.image", "torchvision.ops", "torchvision.models",
            "torchvision.models.resnet",
        ]
        for name in names:
            module = importlib.import_module(name)
            assert module is importlib.import_module("penstock." + name), name
            assert module is sys.modules[name] is sys.modules["penstock." + name], name
            assert module.__name__ == module.__spec__.name == "penstock." + name, name
        print(len(names))
    """
    assert run_installed(program) == "24\n"


def test_what_was_loaded_before_is_there_too():
    program = """
        import penstock.torch.serialization, penstock.torchvision.ops, sys
        ps.install_as("torch")
        print(sys.modules["torch.serialization"] is penstock.torch.serialization)
        print(sys.modules["torchvision.ops"] is penstock.torchvision.ops)
    """
    assert run_quietly(program) == "True\nTrue\n"


def test_importing_from_many_threads():
    program = """
        import importlib, threading
        names = ["torch.nn", "torch.optim", "torchvision.transforms", "torch.serialization",
                 "torch.utils.data", "torchvision.ops", "torch.autograd"]
        ready, found = threading.Barrier(8), []
        def work(i):
            ready.wait()
            ps.install_as("torch")
            mine = names[i % 7 :] + names[: i % 7]
            found.append({name: id(importlib.import_module(name)) for name in mine})
        threads = [threading.Thread(target=work, args=(i,)) for i in range(8)]
        for thread in threads: thread.start()
        for thread in threads: thread.join()
        print(len(found), all(one == found[0] for one in found))
    """
    assert run_quietly(program) == "8 True\n"


def test_all_dialects_in_one_process():
    program = """
        ps.install_as("mxnet")
        import mxnet as mx, torch, torchvision, numpy as np
        x, y = torch.ones(2), mx.np.ones(2)
        print(type(x).__name__, type(y).__name__, x + 1, y + 1, ps.ones(2) + 1)
        print(torch.from_dlpack(y), torch.tensor(np.asarray(y)) / 2)
    """
    assert run_installed(program).splitlines() == [
        "Tensor ndarray tensor([2., 2.]) [2. 2.] [2. 2.]",
        "tensor([1., 1.]) tensor([0.5000, 0.5000])",
    ]


@pytest.mark.parametrize("name", ["torch", "torchvision"])
def test_a_shim_package(tmp_path, name):
    write(tmp_path, f"{name}/__init__.py", "import penstock\npenstock.install_as('torch')\n")
    program = f"""
        import {name}
        import torch.nn, torchvision.transforms
        import penstock.torch, penstock.torchvision
        print(torch is penstock.torch, torchvision is penstock.torchvision, torch.ones(1))
    """
    path = write(tmp_path, "program.py", program)
    assert printed(python(str(path))) == "True True tensor([1.])\n"


@pytest.mark.parametrize("name", ["torch", "torchvision"])
def test_another_is_loaded(tmp_path, name):
    write(tmp_path, f"{name}/__init__.py", "value = 1\n")
    program = f"""
        import sys, {name}, penstock
        try:
            penstock.install_as("torch")
        except ImportError as error:
            print(error, error.name)
        import penstock.torch, penstock.torchvision
        print({name}.value, sorted({{"torch", "torchvision"}} & set(sys.modules)))
    """
    out = printed(python("-c", textwrap.dedent(program), folder=tmp_path))
    text, value = out.splitlines()
    assert f"another {name} is loaded already" in text and str(tmp_path) in text
    assert text.endswith(f"imports {name} {name}")
    assert value == f"1 ['{name}']"


def test_parts_of_another_torch_are_loaded():
    program = """
        import sys, types
        sys.modules["torch.nn"] = types.ModuleType("torch.nn")
        try:
            ps.install_as("torch")
        except ImportError as error:
            print("another torch is loaded" in str(error), "torchvision" in sys.modules)
    """
    assert run_quietly(program) == "True False\n"


def test_unknown_libraries():
    import penstock

    for name in ("torchvision", "tensorflow", ""):
        with pytest.raises(ValueError, match=f"install as '{name}'; there is 'mxnet', 'paddle', 'torch'"):
            penstock.install_as(name)


def test_import_penstock_brings_nothing_of_it():
    out = run_quietly("import sys; print([name for name in sys.modules if 'torch' in name])")
    assert out == "[]\n"


def test_what_installing_loads():
    program = """
        import sys
        print([name for name in ("numpy", "PIL", "zipfile", "torch.nn", "torchvision.transforms",
                                 "torch.serialization", "penstock._common.unpickle")
               if name in sys.modules])
    """
    assert run_installed(program) == "[]\n"


# ---- Names that are not there --------------------------------------------------------------------


def test_missing_names():
    program = """
        def text(statement):
            try:
                exec(statement, {"torch": torch})
            except AttributeError as error:
                print("AttributeError", error)
            except ModuleNotFoundError as error:
                print("ModuleNotFoundError", error.name, error)
        text("torch.fft")
        text("import torch.fft")
        text("from torchvision import utils")
        text("from torchvision.transforms import v2")
        text("from torchvision import transform")
        text("torch.serialization.add_safe_globals([int])")
    """
    out = run_installed(program).splitlines()
    assert out[0].startswith("AttributeError torch.fft is a part of PyTorch that Penstock does not")
    assert out[1].startswith("ModuleNotFoundError torch.fft torch.fft is a part of PyTorch")
    part = "is a part of torchvision that Penstock does not have: see docs/torch.md"
    assert out[2] == f"ModuleNotFoundError torchvision.utils torchvision.utils {part}"
    assert out[3].endswith(f"torchvision.transforms.v2 {part}")
    assert out[4].endswith("did you mean 'transforms'? (see docs/torch.md)")
    assert "torch.serialization.add_safe_globals is a part of PyTorch" in out[5]


# ---- python -m penstock --as torch ---------------------------------------------------------------

SHOW = """
    import sys
    import torch, torchvision
    print(torch.ones(1), sys.argv, repr(sys.path[0]), __name__, globals().get("__file__"))
    print(sys.modules["__main__"].__dict__ is globals(), torchvision.__version__)
"""


def test_a_script(tmp_path):
    path = write(tmp_path, "inner/program.py", SHOW)
    out = printed(as_torch("inner/program.py", "a", "-m", "--as", folder=tmp_path))
    argv = ["inner/program.py", "a", "-m", "--as"]
    assert out == f"tensor([1.]) {argv} {str(path.parent)!r} __main__ {path}\nTrue 0.29.2\n"


def test_a_module(tmp_path):
    path = write(tmp_path, "pack/__main__.py", SHOW)
    out = printed(as_torch("-m", "pack", "-c", folder=tmp_path))
    argv = [str(path), "-c"]
    assert out == f"tensor([1.]) {argv} {str(tmp_path)!r} __main__ {path}\nTrue 0.29.2\n"


def test_code_and_the_standard_input():
    program = textwrap.dedent(SHOW)
    out = printed(as_torch("-c", program, "x"))
    assert out == "tensor([1.]) ['-c', 'x'] '' __main__ None\nTrue 0.29.2\n"
    out = printed(as_torch("-", "x", text=program))
    assert out == "tensor([1.]) ['-', 'x'] '' __main__ None\nTrue 0.29.2\n"


def test_tracebacks_are_those_of_python(tmp_path):
    write(tmp_path, "program.py", "def f():\n    return 1 / 0\n\nf()\n")
    done, plain = (way("program.py", folder=tmp_path) for way in (as_torch, python))
    assert done.stderr == plain.stderr and done.returncode == plain.returncode == 1


def test_help_names_it():
    out = printed(python("-m", "penstock", "--help"))
    assert "NAME: mxnet, paddle, torch." in out
    done = python("-m", "penstock", "--as", "torhc", "x.py")
    assert done.returncode == 2 and "'torhc'; there is 'mxnet', 'paddle', 'torch'" in done.stderr


# ---- Pickles and files ---------------------------------------------------------------------------

THINGS = """
    import collections, io, pickle
    def things():
        net = torch.nn.Linear(2, 1)
        with torch.no_grad():
            net.weight.fill_(0.5)
        return [
            torch.arange(4).reshape(2, 2), torch.tensor(2.5, requires_grad=True), torch.float16,
            torch.device("cpu"), torch.Size([1, 2]), net.weight,
        ]
    def show(found):
        for one in found:
            print(type(one), one)
"""


@pytest.mark.parametrize("writer", ["installed", "plain"])
def test_pickles_and_files_load_in_either_kind_of_process(tmp_path, writer):
    pickled, saved = str(tmp_path / "pickle"), str(tmp_path / "file.pt")
    things = textwrap.dedent(THINGS)
    plain = "from penstock import torch\n" + things
    dump = f"pickle.dump(things(), open({pickled!r}, 'wb')); torch.save(things(), {saved!r})\n"
    dump += "show(things() + things())"
    load = f"show(pickle.load(open({pickled!r}, 'rb')) + torch.load({saved!r}))"
    if writer == "installed":
        written, read = run_installed(things + dump), run_quietly(plain + load)
    else:
        written, read = run_quietly(plain + dump), run_installed(things + load)
    assert written == read
    assert "<class 'torch.Tensor'> tensor([[0, 1]," in read and "Parameter containing" in read
