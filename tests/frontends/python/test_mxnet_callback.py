"""mx.callback and mx.registry."""

import re
from types import SimpleNamespace

import pytest

from penstock import mxnet as mx

callback = mx.callback


def batch(number, metric=None, epoch=1):
    return SimpleNamespace(epoch=epoch, nbatch=number, eval_metric=metric)


def metric():
    made = mx.metric.create("acc")
    made.update([mx.nd.array([1, 0])], [mx.nd.array([1, 1])])
    return made


@pytest.fixture
def logged(caplog):
    caplog.set_level("INFO")
    return lambda: [re.sub(r"Speed: ([\d.]+|inf)", "Speed: S", text) for text in caplog.messages]


def test_speedometer_logs_and_resets(logged):
    meter, found = callback.Speedometer(4, 2), metric()
    for number in range(5):
        meter(batch(number, found))
    assert logged() == [
        "Epoch[1] Batch [0-2]\tSpeed: S samples/sec\taccuracy=0.500000",
        "Epoch[1] Batch [2-4]\tSpeed: S samples/sec\taccuracy=nan",
    ]
    assert found.get_global() == ("accuracy", 0.5)


def test_speedometer_without_reset_or_metric_and_in_a_new_epoch(logged):
    meter, found = callback.Speedometer(4, 2, auto_reset=False), metric()
    for number in (1, 2):
        meter(batch(number, found))
    for number in (0, 2):
        meter(batch(number, None, epoch=2))
    assert logged() == [
        "Epoch[1] Batch [0-2]\tSpeed: S samples/sec\taccuracy=0.500000",
        "Iter[2] Batch [2]\tSpeed: S samples/sec",
    ]


def test_other_logs(logged):
    callback.log_train_metric(2)(batch(1, metric()))
    found = metric()
    callback.log_train_metric(2, auto_reset=True)(batch(2, found))
    callback.LogValidationMetricsCallback()(batch(0, metric(), epoch=3))
    callback.ProgressBar(10, 20)(batch(3))
    assert logged() == [
        "Iter[1] Batch[2] Train-accuracy=0.500000",
        "Epoch[3] Validation-accuracy=0.500000",
        "[======--------------] 30%\r",
    ]
    assert found.num_inst == 0


def test_checkpoints_have_parameters_and_no_symbols(tmp_path):
    prefix, array = str(tmp_path / "x"), mx.nd.ones((2,))
    save = callback.do_checkpoint(prefix, period=2)
    save(0, None, {"a": array}, {"b": array})
    save(1, None, {"a": array}, {"b": array})
    assert [path.name for path in tmp_path.iterdir()] == ["x-0002.params"]
    assert sorted(mx.nd.load(prefix + "-0002.params")) == ["arg:a", "aux:b"]
    with pytest.raises(mx.base.NotBuiltError, match="mxnet.model.save_checkpoint with a symbol"):
        save(1, "a symbol", {}, {})


def test_module_checkpoints_are_the_modules_own():
    seen = []
    module = SimpleNamespace(save_checkpoint=lambda *args: seen.append(args))
    save = callback.module_checkpoint(module, "x", 2, True)
    for epoch in range(4):
        save(epoch)
    assert seen == [("x", 2, True), ("x", 4, True)]


def test_registry_of_a_class_of_ones_own():
    class Shape:
        def __init__(self, size=1):
            self.size = size

    register = mx.registry.get_register_func(Shape, "shape")
    create = mx.registry.get_create_func(Shape, "shape")

    @register
    @mx.registry.get_alias_func(Shape, "shape")("disc", "ring")
    class Circle(Shape):
        pass

    assert mx.registry.get_registry(Shape) == {"circle": Circle, "disc": Circle, "ring": Circle}
    assert create("Ring", 3).size == create(shape="disc", size=3).size == 3
    assert create('{"shape": "circle", "size": 4}').size == 4
    assert create({"shape": "circle", "size": 4}).size == 4
    with pytest.warns(UserWarning, match="and no longer"):
        register(Circle)
    with pytest.raises(AssertionError, match="is no Shape"):
        register(int)
    with pytest.raises(AssertionError, match="of the name square"):
        create("square")
