"""mx.init: initial values of parameters, by their names and by the initialiser's own."""

import json
import pickle

import numpy
import pytest

from penstock import mxnet as mx

init = mx.init


def filled(initializer, name, shape=(3, 4), cls=mx.nd):
    array = cls.ones(shape) * 7
    initializer(init.InitDesc(name), array)
    return array.asnumpy()


# ---- By name -------------------------------------------------------------------------------------


@pytest.mark.parametrize("initializer", [init.Constant(5), init.One(), init.Xavier()])
def test_the_end_of_the_name_says_what_a_parameter_is(initializer):
    for name, value in {
        "fc_bias": 0,
        "bn_gamma": 1,
        "bn_beta": 0,
        "quantized_min": 0,
        "quantized_max": 1,
        "fc_bias_quantize": 0,
    }.items():
        assert (filled(initializer, name) == value).all(), name
    with pytest.raises(ValueError, match="the name bn_running_mean does not say"):
        filled(initializer, "bn_running_mean")


def test_names_that_are_plain_text_know_older_kinds_and_are_deprecated():
    array = mx.nd.ones((6,)) * 7
    for name, wanted in {
        "a_moving_mean": [0] * 6,
        "a_moving_var": [1] * 6,
        "stn_loc_weight": [0] * 6,
        "stn_loc_bias": [1, 0, 0, 0, 1, 0],
        "a_weight": [2] * 6,
    }.items():
        with pytest.warns(DeprecationWarning, match="InitDesc"):
            init.Constant(2)(name, array)
        assert array.asnumpy().tolist() == wanted, name
    with pytest.warns(DeprecationWarning), pytest.raises(TypeError, match="name must be text"):
        init.Zero()(3, array)


def test_a_description_may_have_an_initializer_of_its_own():
    array = mx.nd.zeros((2,))
    for own, value in (
        (init.Constant(3), 3),
        ('["constant", {"value": 4}]', 4),
        ("ones", 1),
    ):
        desc = init.InitDesc("fc_bias", {"__init__": own})
        init.Uniform()(desc, array)
        assert (array.asnumpy() == value).all()
        assert desc == "fc_bias" and isinstance(desc.global_init, init.Uniform)


def test_an_initializer_of_a_program_says_what_weights_are():
    @init.register
    class Place(init.Initializer):
        def __init__(self, start=0):
            super().__init__(start=start)
            self.start = start

        def _init_weight(self, name, arr):
            arr[:] = mx.nd.arange(self.start, self.start + arr.size).reshape(arr.shape)

    made = init.create("place", start=2)
    assert filled(made, "a_weight", (2, 2)).tolist() == [[2, 3], [4, 5]]
    assert filled(made, "a_bias", (2, 2)).tolist() == [[0, 0], [0, 0]]
    assert made.dumps() == '["place", {"start": 2}]' and init.create(made.dumps()) == made
    with pytest.raises(NotImplementedError):
        filled(init.Initializer(), "a_weight")


# ---- Values --------------------------------------------------------------------------------------


@pytest.mark.parametrize("cls", [mx.nd, mx.np])
def test_numbers(cls):
    assert (filled(init.Zero(), "a_weight", cls=cls) == 0).all()
    assert (filled(init.One(), "a_weight", cls=cls) == 1).all()
    row = [1, 2, 3, 4]
    for value in (row, numpy.array(row), mx.nd.array(row)):
        assert filled(init.Constant(value), "a_weight", cls=cls).tolist() == [row] * 3


def deviation(initializer, shape):
    mx.random.seed(1)
    return filled(initializer, "a_weight", shape).std()


@pytest.mark.parametrize("shape", [(200, 300), (60, 40, 5, 3)])
def test_random_numbers_have_the_deviations_of_mxnet(shape):
    area = numpy.prod(shape[2:])
    inputs, outputs = shape[1] * area, shape[0] * area
    for initializer, wanted in (
        (init.Uniform(), 0.07 / 3**0.5),
        (init.Uniform(0.5), 0.5 / 3**0.5),
        (init.Normal(), 0.01),
        (init.Normal(0.5), 0.5),
        (init.Xavier(), (2 / (inputs + outputs)) ** 0.5),
        (init.Xavier("gaussian", "in", 2), (2 / inputs) ** 0.5),
        (init.Xavier("gaussian", "out", 2), (2 / outputs) ** 0.5),
        (init.Xavier("uniform", "out", 2), (2 / outputs / 3) ** 0.5),
        (init.MSRAPrelu(), (2 / (1 + 0.25**2) / ((inputs + outputs) / 2)) ** 0.5),
        (init.MSRAPrelu("in", 0.1), (2 / (1 + 0.1**2) / inputs) ** 0.5),
    ):
        assert deviation(initializer, shape) == pytest.approx(wanted, rel=0.02)


@pytest.mark.parametrize("shape", [(4, 6), (6, 4), (3, 2, 2)])
def test_orthogonal_rows_or_columns(shape):
    for kind in ("uniform", "normal"):
        matrix = filled(init.Orthogonal(2.0, kind), "a_weight", shape).reshape(shape[0], -1)
        matrix = matrix if matrix.shape[0] <= matrix.shape[1] else matrix.T
        assert numpy.allclose(matrix @ matrix.T, 4 * numpy.eye(len(matrix)), atol=1e-5)


def test_layers():
    weight = filled(init.Bilinear(), "a_weight", (1, 1, 4, 4))
    line = numpy.array([[0.25, 0.75, 0.75, 0.25]])
    assert (weight == line * line.T).all()
    bias = filled(init.LSTMBias(2.0), "a_weight", (8,))
    assert bias.tolist() == [0, 0, 2, 2, 0, 0, 0, 0]


def test_elements_keep_their_type():
    for dtype in ("float16", "float64"):
        array = mx.nd.zeros((2, 3), dtype=dtype)
        for initializer in (init.Uniform(), init.Xavier(), init.Orthogonal(), init.One()):
            initializer(init.InitDesc("a_weight"), array)
            assert array.dtype == numpy.dtype(dtype) and (array.asnumpy() != 0).all()


def test_arrays_are_filled_while_others_are_recorded():
    array = mx.nd.zeros((2, 3))
    array.attach_grad()
    with mx.autograd.record():
        init.One()(init.InitDesc("a_weight"), array)
        init.Xavier()(init.InitDesc("a_weight"), array)
        init.LSTMBias()(init.InitDesc("a_weight"), array)
        loss = (array * 2).sum()
    loss.backward()
    assert (array.grad.asnumpy() == 2).all()


def test_arguments_that_make_no_sense_raise():
    with pytest.raises(ValueError, match="two dimensions or more, and a_weight has"):
        filled(init.Xavier(), "a_weight", (4,))
    with pytest.raises(ValueError, match="factor_type must be"):
        filled(init.Xavier(factor_type="both"), "a_weight")
    with pytest.raises(ValueError, match="rnd_type must be"):
        filled(init.Xavier("even"), "a_weight")
    with pytest.raises(mx.MXNetError, match="two dimensions"):
        filled(init.Orthogonal(), "a_weight", (4,))
    with pytest.raises(ValueError, match="rand_type"):
        filled(init.Orthogonal(rand_type="even"), "a_weight")
    with pytest.raises(mx.base.NotBuiltError, match="mxnet.initializer.FusedRNN"):
        filled(init.FusedRNN(init.Xavier(), 2, 1, "lstm"), "a_weight")


# ---- Text ----------------------------------------------------------------------------------------


def test_initializers_as_text():
    assert init.Xavier(magnitude=2).dumps() == (
        '["xavier", {"rnd_type": "uniform", "factor_type": "avg", "magnitude": 2}]'
    )
    assert init.MSRAPrelu().dumps() == '["msraprelu", {"factor_type": "avg", "slope": 0.25}]'
    assert init.Constant(1).dumps() == '["constant", {"value": 1}]'
    for value in (mx.nd.ones((2, 1)), numpy.ones((2, 1))):
        made = init.Constant(value)
        assert json.loads(made.dumps()) == ["constant", {"value": [[1.0], [1.0]]}]


def test_create():
    assert type(init.create("zeros")) is type(init.create("Zero")) is init.Zero
    assert init.create("uniform", 3) == init.create("uniform", scale=3) == init.Uniform(3)
    assert init.create('{"initializer": "normal", "sigma": 2}') == init.Normal(2)
    made = init.Zero()
    assert init.create(made) is made
    for args, text in (
        ((None,), "must be given by its name, not None"),
        (("nope",), "of the name nope"),
        ((made, 3), "is made already"),
        (('["uniform", {}]', 3), "complete"),
    ):
        with pytest.raises(AssertionError, match=text):
            init.create(*args)


def test_equality_and_pickles():
    assert init.Uniform() == init.Uniform(0.07) != init.Uniform(0.08)
    assert init.Uniform(0.01) != init.Normal(0.01) and init.Zero() != 0
    again = pickle.loads(pickle.dumps(init.Xavier("gaussian")))
    assert type(again) is init.Xavier and again == init.Xavier("gaussian")
    assert type(again).__module__ == "mxnet.initializer"


def test_what_is_filled_can_be_logged(caplog):
    caplog.set_level("INFO")
    made = init.One().set_verbosity(True)
    filled(made, "a_weight")
    made.set_verbosity(True, lambda array: f"shape {array.shape}")
    filled(made, "a_bias")
    assert caplog.messages == [
        "Initialized a_weight as weight: 1.0",
        "Initialized a_bias as bias: shape (3, 4)",
    ]


# ---- Several -------------------------------------------------------------------------------------


def test_mixed_goes_by_regular_expressions():
    mixed = init.Mixed(["fc.*", ".*"], [init.Constant(1), init.Constant(2)])
    for name, value in (("fc_weight", 1), ("conv_weight", 2)):
        assert (filled(mixed, name) == value).all()
    with pytest.raises(ValueError, match="no pattern of Mixed is for the name"):
        filled(init.Mixed(["fc.*"], [init.Zero()]), "conv_weight")
    with pytest.raises(AssertionError):
        init.Mixed(["a", "b"], [init.Zero()])


def test_load_takes_what_there_is(tmp_path, caplog):
    caplog.set_level("INFO")
    file = str(tmp_path / "x.params")
    mx.nd.save(file, {"arg:a_weight": mx.nd.ones((3, 4)) * 2, "aux:b": mx.nd.ones((2,))})
    loaded = init.Load(file, default_init=init.Constant(9), verbose=True)
    assert (filled(loaded, "a_weight") == 2).all()
    assert (filled(loaded, "c_weight") == 9).all()
    assert caplog.messages == ["Initialized a_weight by loading", "Initialized c_weight by default"]
    with pytest.raises(AssertionError, match="what Load has for it"):
        filled(loaded, "b")
    with pytest.raises(AssertionError, match="nothing to load for c"):
        filled(init.Load({}), "c")
