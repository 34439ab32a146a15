"""penstock.engine.trace: every operation queued in the block is seen, with what it follows."""

import doctest
import inspect
import threading

import gate
import penstock as ps
import pytest


def of(recorder, kind):
    return [event for event in recorder.events if event.kind == kind]


def only(recorder, kind, task):
    found = [event for event in recorder.events if event.kind == kind and event.task == task]
    assert len(found) == 1, found
    return found[0]


def tasks(recorder):
    """The numbers of the operations, by name in the order of queueing."""
    return [(event.name, event.task) for event in of(recorder, "queued")]


def here():
    """The number of the line after the caller's."""
    return inspect.currentframe().f_back.f_lineno + 1


def test_dependencies_of_a_small_program():
    with ps.engine.trace() as recorder:
        x = ps.ones((1, 2))
        y = ps.ones((1, 2))
        z = x * y + 2
        z.wait()
    names, (first, second, product, total) = zip(*tasks(recorder), strict=True)
    assert names == ("ones", "ones", "multiply", "add")
    assert first < second < product < total
    follows = {(event.task, event.other) for event in of(recorder, "depends")}
    assert follows == {(product, first), (product, second), (total, product)}
    assert recorder.lost == 0


@pytest.mark.parametrize("fusion", [True, False])
@pytest.mark.parametrize("workers", [1, 2, 4])
def test_every_operation_has_a_life(workers, fusion):
    before, fused = ps.engine.workers(), ps.engine.fusion()
    ps.engine.set_workers(workers)
    ps.engine.set_fusion(fusion)
    try:
        x = ps.ones(5000)
        x.wait()
        with ps.engine.trace() as recorder:
            for _ in range(50):
                x = x * 0.5 + 1
            ps.waitall()
    finally:
        ps.engine.set_workers(before)
        ps.engine.set_fusion(fused)
    assert len(tasks(recorder)) == 100
    assert len({event.thread for event in of(recorder, "queued")}) == 1
    for _, task in tasks(recorder):
        queued, ready = only(recorder, "queued", task), only(recorder, "ready", task)
        start, end = only(recorder, "start", task), only(recorder, "end", task)
        assert queued.time_ns <= start.time_ns <= end.time_ns
        assert queued.time_ns <= ready.time_ns <= end.time_ns
        assert end.other is None and queued.thread.split()[0] == "thread"
        assert start.other in ("held", "no worker")
        assert start.thread.split()[0] in ("worker", "thread")
    times = [event.time_ns for event in recorder.events]
    assert times == sorted(times)


def test_what_follows_starts_after_what_it_follows():
    x = ps.ones((60, 60))
    gate.shut()  # the first has not ended when the second is queued
    with ps.engine.trace() as recorder:
        y = x @ x
        z = y @ y
        gate.open()
        z.wait()
    (_, first), (_, second) = tasks(recorder)
    assert [event.other for event in of(recorder, "depends")] == [first]
    assert only(recorder, "ready", second).other == first
    assert only(recorder, "start", first).time_ns <= only(recorder, "start", second).time_ns


def test_members_of_a_group_name_the_first():
    x, workers = ps.ones(100_000), ps.engine.workers()
    ps.waitall()
    ps.engine.set_workers(1)
    with gate.product(), ps.engine.trace() as recorder:  # the chain is left to who waits
        y = ((x + 1) * 2 - 3) / 4
        y.wait()
    ps.engine.set_workers(workers)
    numbers = [task for _, task in tasks(recorder)]
    members = [(event.task, event.other) for event in of(recorder, "group")]
    assert members == [(number, numbers[0]) for number in numbers] and len(members) == 4


def test_the_line_that_queued_is_named():
    with ps.engine.trace() as recorder:
        line = here()
        y = ps.zeros(3)
    y.wait()
    (event,) = of(recorder, "queued")
    assert event.place == (__file__, line, "test_the_line_that_queued_is_named")
    assert all(event.place is None for event in recorder.events if event.kind != "queued")


def test_waits_are_in_pairs():
    x = ps.ones((300, 300))
    with ps.engine.trace() as recorder:
        y = x @ x
        y.wait_to_read()
        ps.waitall()
    waits, resumes = of(recorder, "wait"), of(recorder, "resume")
    assert len(waits) == len(resumes) >= 1
    assert {(event.task, event.name, event.other) for event in waits} == {(0, None, "value")}
    assert all(event.thread.startswith("thread") for event in waits)


def test_the_parts_of_a_divided_operation_add_up():
    """Whoever runs them: the lanes of all threads together have each part once."""
    x = ps.ones((1000, 1000))
    x.wait()
    with ps.engine.trace() as recorder:
        (x @ x).wait()
    ((_, task),) = tasks(recorder)
    begun, ended = of(recorder, "loop"), of(recorder, "loop end")
    assert begun and len(begun) == len(ended)
    assert {(event.task, event.name) for event in begun + ended} == {(task, "matmul")}
    (parts,) = {event.other for event in begun}
    assert sum(event.other for event in ended) == parts > 1
    assert sorted(event.thread for event in begun) == sorted(event.thread for event in ended)


def test_failures_are_told():
    with ps.engine.trace() as recorder:
        y = ps.take(ps.array([1.0, 2.0]), ps.array([7]))
        with pytest.raises(IndexError):
            y.wait()
    failed = [event.name for event in of(recorder, "end") if event.other == "failed"]
    assert failed == ["take"]


def test_only_the_block_is_recorded():
    (ps.ones(3) + 1).wait()
    recorder = ps.engine.trace()
    assert (recorder.events, recorder.lost) == ([], 0)
    with recorder:
        y = ps.ones(3) * 2
        y.wait()
    seen = list(recorder.events)
    (ps.ones(3) - 1).wait()
    assert recorder.events == seen
    assert [name for name, _ in tasks(recorder)] == ["ones", "multiply"]


def test_it_can_be_used_again_and_starts_afresh():
    recorder = ps.engine.trace()
    for operation in (ps.sin, ps.cos):
        with recorder:
            operation(ps.ones(3)).wait()
        assert [name for name, _ in tasks(recorder)] == ["ones", operation.__name__]


def test_a_short_ring_forgets_the_oldest():
    with ps.engine.trace(events=8) as recorder:
        for _ in range(100):
            y = ps.ones(3)
        last = y + 1
        last.wait()
    assert recorder.lost > 0
    assert "add" in {event.name for event in recorder.events}


def test_one_at_a_time():
    with ps.engine.trace() as outer:
        with pytest.raises(RuntimeError, match="recorded already"), ps.engine.trace():
            pass
        ps.ones(3).wait()
    assert len(tasks(outer)) == 1
    with ps.engine.trace():
        pass


def test_an_exception_passes_and_ends_it():
    with pytest.raises(ZeroDivisionError), ps.engine.trace() as recorder:
        y = ps.ones(3)
        1 / 0  # noqa: B018
    assert [name for name, _ in tasks(recorder)] == ["ones"]
    with ps.engine.trace():
        y.wait()


def test_other_threads_are_seen():
    with ps.engine.trace() as recorder:
        ps.ones(3).wait()
        thread = threading.Thread(target=lambda: ps.zeros(3).wait())
        thread.start()
        thread.join()
    threads = {event.name: event.thread for event in of(recorder, "queued")}
    assert threads["ones"] != threads["zeros"]


@pytest.mark.parametrize("events", [0, -1, 1 << 40])
def test_absurd_numbers_of_events(events):
    with pytest.raises(ValueError), ps.engine.trace(events=events):
        pass
    with ps.engine.trace():  # nothing is left over from the failure
        pass


def test_wrong_types():
    with pytest.raises(TypeError, match="events must be an integer"), ps.engine.trace(events="8"):
        pass


def test_its_example_runs():
    test = doctest.DocTestParser().get_doctest(
        inspect.getdoc(ps.engine.trace), {"ps": ps}, "trace", None, 0
    )
    report = []
    doctest.DocTestRunner(verbose=False).run(test, out=report.append)
    assert test.examples and not report, "".join(report)


def test_events_are_named_tuples():
    with ps.engine.trace() as recorder:
        ps.ones(3).wait()
    event = recorder.events[0]
    assert isinstance(event, ps.engine.Event) and isinstance(event, tuple)
    assert event._fields == ("time_ns", "kind", "task", "name", "thread", "other", "place")
    assert ps.engine.Event.__module__ == "penstock.engine"
