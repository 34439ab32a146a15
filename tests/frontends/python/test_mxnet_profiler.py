"""mx.profiler: a file that trace viewers read, sums, and what programs mark."""

import json

import pytest
from penstock import mxnet as mx
from penstock.mxnet import nd, profiler


@pytest.fixture
def running(tmp_path):
    """The file of a profiler that runs."""
    path = tmp_path / "profile.json"
    profiler.dumps(reset=True)
    profiler.set_config(filename=str(path), profile_all=True, aggregate_stats=True)
    profiler.set_state("run")
    yield path
    profiler.set_state("stop")
    profiler.set_config(profile_all=False)
    profiler.dump()
    profiler.dumps(reset=True)


def sums():
    return json.loads(profiler.dumps(format="json"))


def counts():
    return {name: one["Count"] for name, one in sums()["Time"].get("operator", {}).items()}


def events(path):
    return json.loads(path.read_text())["traceEvents"]


def test_operations_are_counted_by_mxnets_names(running):
    x = nd.zeros((100, 100))
    nd.sqrt(x)
    x = x + 1
    x = 2 - x
    x *= 3
    x = x + x
    nd.waitall()
    found = counts()
    assert found == {
        "_zeros": 1,
        "sqrt": 1,
        "_plus_scalar": 1,
        "_rminus_scalar": 1,
        "_mul_scalar": 1,
        "add": 1,
    }


def test_numbers_beside_arrays_of_np(running):
    x = mx.np.ones((3,)) * 2
    x = 1 / x
    x.wait_to_read()
    assert counts() == {"_ones": 1, "_npi_multiply_scalar": 1, "_npi_rtrue_divide_scalar": 1}


def test_operators_are_themselves_afterwards(running):
    before = nd.NDArray.__sub__
    profiler.set_state("stop")
    assert "__add__" not in vars(nd.NDArray) and nd.NDArray.__sub__ is not before
    assert (nd.ones((2,)) + 1).asnumpy().tolist() == [2, 2]


def test_the_file(running):
    nd.dot(nd.ones((10, 10)), nd.ones((10, 10))).wait_to_read()
    profiler.dump(finished=False)
    found = events(running)
    spans = [event for event in found if event["ph"] == "X" and event["cat"] == "operator"]
    assert sorted(event["name"] for event in spans) == ["_ones", "_ones", "matmul"]
    lanes = {event["tid"] for event in found if event.get("name") == "thread_name"}
    assert all(event["dur"] >= 0 and event["tid"] in lanes for event in spans)
    nd.sin(nd.ones((2,))).wait_to_read()
    profiler.dump()
    assert len(events(running)) > len(found)  # what was there stays
    names = [event["name"] for event in events(running)]
    assert names.count("matmul") == 1 and names.count("sin") == 1
    profiler.dump()
    assert [event["ph"] for event in events(running)] == ["M"]  # and is gone once it is finished


def test_a_pause(running):
    nd.sin(nd.ones((2,))).wait_to_read()
    profiler.pause()
    nd.cos(nd.ones((2,))).wait_to_read()
    profiler.resume()
    nd.tan(nd.ones((2,))).wait_to_read()
    assert {"sin", "tan"} <= set(counts()) and "cos" not in counts()


def test_nothing_is_noted_when_it_does_not_run(tmp_path):
    profiler.dumps(reset=True)
    profiler.Event("never").start()
    nd.ones((2,)).wait_to_read()
    assert sums()["Time"] == {}


def test_what_programs_mark(running):
    domain = profiler.Domain("mine")
    task, frame, event = domain.new_task("t"), domain.new_frame("f"), profiler.Event("e")
    for one in (task, frame, event):
        one.start()
        one.stop()
    with task:
        pass
    counter = domain.new_counter("c", 3)
    counter += 2
    counter -= 1
    counter.increment(10)
    counter.decrement(4)
    domain.new_marker("m").mark("thread")
    times = sums()["Time"]
    assert times["mine"]["t"]["Count"] == 2 and times["mine"]["c"]["Count"] == 5
    assert set(times["mine,frame"]) == {"f"} and set(times["event"]) == {"e"}
    profiler.dump()
    found = events(running)
    levels = [one["args"]["c"] for one in found if one["ph"] == "C" and one["name"] == "c"]
    assert levels == [3, 5, 4, 14, 10]
    (mark,) = (one for one in found if one["ph"] == "i")
    assert (mark["name"], mark["s"]) == ("m", "t")
    assert [str(one) for one in (domain, task, frame, event, counter)] == ["mine", *"tfec"]


def test_sums_are_sorted(running):
    for _ in range(3):
        nd.sin(nd.ones((2,))).wait_to_read()
    for key, name in (("total", "Total"), ("avg", "Avg"), ("min", "Min"), ("max", "Max")):
        for ascending in (False, True):
            text = profiler.dumps(format="json", sort_by=key, ascending=ascending)
            values = [one[name] for one in json.loads(text)["Time"]["operator"].values()]
            assert values == sorted(values, reverse=not ascending)
    assert sums()["Unit"] == {"Time": "ms", "Memory": "kB"}
    assert sums()["Memory"]["Device Storage"]["Memory: cpu/0"]["Count"] > 0
    assert profiler.dumps(reset=True).splitlines()[1] == "Profile Statistics:"
    assert "sin" in profiler.dumps() or sums()["Time"] == {}


def test_custom_operators(running):
    class Twice(mx.operator.CustomOp):
        def forward(self, is_train, req, in_data, out_data, aux):
            self.assign(out_data[0], req[0], in_data[0] * 2)

        def backward(self, req, out_grad, in_data, out_data, in_grad, aux):
            self.assign(in_grad[0], req[0], out_grad[0] * 2)

    @mx.operator.register("profiled_twice")
    class Property(mx.operator.CustomOpProp):
        def create_operator(self, ctx, shapes, dtypes):
            return Twice()

    x = nd.ones((2,))
    x.attach_grad()
    with mx.autograd.record():
        y = nd.Custom(x, op_type="profiled_twice")
    y.backward()
    nd.waitall()
    found = sums()["Time"]["Custom Operator"]
    assert {
        "profiled_twice::pure_python",
        "profiled_twice::_mul_scalar",
        "_backward_profiled_twice::pure_python",
    } <= set(found)


def test_bad_input():
    with pytest.raises(mx.MXNetError, match="no setting 'bogus'"):
        profiler.set_config(bogus=1)
    with pytest.raises(KeyError):
        profiler.set_state("walk")
    with pytest.raises(mx.MXNetError, match="servers"):
        profiler.set_state("run", profile_process="server")
    with pytest.raises(AssertionError, match="format must be .*, not 'x'"):
        profiler.dumps(format="x")
    with pytest.raises(AssertionError, match="sort_by must be .*, not 'x'"):
        profiler.dumps(sort_by="x")
    with pytest.raises(mx.MXNetError, match="no scope 'here'"):
        profiler.Domain("d").new_marker("m").mark("here")


def test_the_older_names(tmp_path):
    with pytest.warns(UserWarning, match="is the old name"):
        profiler.profiler_set_config("all", str(tmp_path / "old.json"))
    with pytest.warns(UserWarning, match="is the old name"):
        profiler.profiler_set_state("run")
    nd.sin(nd.ones((2,))).wait_to_read()
    with pytest.warns(UserWarning, match="is the old name"):
        profiler.dump_profile()
    assert "sin" in [event["name"] for event in events(tmp_path / "old.json")]
    profiler.dumps(reset=True)
