"""Modules of MXNet that programs import at the top: they work, or say what is missing."""

import logging

import numpy
import pytest
from penstock import mxnet as mx


@pytest.mark.parametrize(
    ("module", "name"),
    [
        ("symbol", "Variable"),
        ("sym", "FullyConnected"),
        ("module", "Module"),
        ("mod", "Module"),
        ("model", "FeedForward"),
        ("model", "load_checkpoint"),
        ("executor", "Executor"),
        ("visualization", "plot_network"),
        ("viz", "print_summary"),
        ("monitor", "Monitor"),
        ("mon", "Monitor"),
        ("rnn", "LSTMCell"),
        ("rtc", "CudaModule"),
        ("operator", "NumpyOp"),
    ],
)
def test_what_is_used_raises_by_name(module, name):
    found = getattr(getattr(mx, module), name)
    with pytest.raises(NotImplementedError, match=rf"mxnet\.\w+\.{name} .*docs/mxnet.md"):
        found("anything")


def test_nothing_is_a_symbol():
    assert not isinstance(mx.nd.ones((1,)), mx.sym.Symbol)
    assert mx.symbol is mx.sym and mx.viz is mx.visualization
    with pytest.raises(AttributeError, match="neither has MXNet 1.9.1"):
        mx.sym.Variabel  # noqa: B018


def test_parameters_of_an_epoch(tmp_path):
    path = str(tmp_path / "net")
    mx.nd.save(path + "-0007.params", {"arg:w": mx.nd.ones((2,)), "aux:m": mx.nd.zeros((1,))})
    weights, states = mx.model.load_params(path, 7)
    assert list(weights) == ["w"] and list(states) == ["m"]
    assert weights["w"].asnumpy().tolist() == [1, 1]
    assert mx.model.BatchEndParam(1, 2, None, {}).nbatch == 2


# ---- runtime -------------------------------------------------------------------------------------


def test_features():
    features = mx.runtime.Features()
    assert features is mx.runtime.Features() and len(features) == 32
    assert not features.is_enabled("CUDA") and not features.is_enabled("cuda")
    assert features.is_enabled("INT64_TENSOR_SIZE")
    assert repr(features["CUDA"]) == "✖ CUDA" and features["CUDA"].name == "CUDA"
    assert repr(features).startswith("[✖ CUDA, ✖ CUDNN, ")
    assert [one.name for one in mx.runtime.feature_list()] == list(features)
    with pytest.raises(RuntimeError, match="there is no feature 'WINGS'"):
        features.is_enabled("wings")


# ---- log, libinfo, error, base -------------------------------------------------------------------


def test_loggers(tmp_path):
    path = tmp_path / "lines"
    logger = mx.log.get_logger("penstock.test", str(path), "w", mx.log.INFO)
    assert mx.log.getLogger("penstock.test") is logger and len(logger.handlers) == 1
    logger.info("hello %d", 3)
    logger.debug("not this")
    (line,) = path.read_text().splitlines()
    assert line[0] == "I" and line.endswith("] hello 3") and "test_loggers" in line
    assert mx.log.get_logger() is logging.getLogger()


def test_where_the_library_is():
    (path,) = mx.libinfo.find_lib_path()
    assert "_core" in path and mx.libinfo.__version__ == "1.9.1"
    with pytest.raises(NotImplementedError, match="find_include_path"):
        mx.libinfo.find_include_path()


def test_kinds_of_errors():
    @mx.error.register
    class OwnError(mx.MXNetError):
        pass

    assert issubclass(mx.error.InternalError, mx.MXNetError)
    assert mx.error.register("Other", OwnError) is OwnError


def test_names_of_base():
    assert mx.base.string_types == (str,) and mx.base.py_str(b"a") == "a"
    assert isinstance(numpy.int32(1), mx.base.integer_types)
    assert isinstance(numpy.float16(1), mx.base.numeric_types)
    assert not isinstance("1", mx.base.numeric_types)
    assert mx.base._as_list(3) == [3] and mx.base._as_list((1,)) == (1,)
    with pytest.raises(AttributeError):
        mx.base.nothing  # noqa: B018


def test_the_folder_for_data(monkeypatch):
    monkeypatch.setenv("MXNET_HOME", "/somewhere")
    assert mx.base.data_dir() == "/somewhere"
    monkeypatch.delenv("MXNET_HOME")
    assert mx.base.data_dir().endswith(".mxnet")
