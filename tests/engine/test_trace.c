/* The trace: every task says when it was queued, ready, started and ended, what it follows and on
 * which thread it ran; every thread that runs pieces of a loop says how many; a full ring forgets
 * the oldest and counts them; off, nothing is recorded. */
#include "fixture.h"

#include "base/alloc.h"

enum { RING = 1 << 16, FIRST_OUTSIDER = 0x10000 };

typedef struct trace {
    ps_trace_event *events;
    size_t count;
    uint64_t lost;
} trace;

static trace read_trace(ps_engine *engine)
{
    trace t = {0};
    size_t again = 0;
    CHECK_OK(ps_trace_read(engine, NULL, 0, &t.count, &t.lost));
    t.events = calloc(t.count + 1, sizeof *t.events);
    CHECK_OK(ps_trace_read(engine, t.events, t.count, &again, &t.lost));
    assert_int_equal(again, t.count);
    for (size_t i = 1; i < t.count; i++)
        assert_true(t.events[i - 1].time_ns <= t.events[i].time_ns);
    return t;
}

/* The only event of that kind for that task; NULL if there is none. */
static const ps_trace_event *find(const trace *t, ps_trace_kind kind, uint64_t sequence)
{
    const ps_trace_event *found = NULL;
    for (size_t i = 0; i < t->count; i++)
        if (t->events[i].kind == (uint32_t)kind && t->events[i].sequence == sequence) {
            assert_null(found);
            found = &t->events[i];
        }
    return found;
}

static bool depends(const trace *t, uint64_t sequence, uint64_t on)
{
    for (size_t i = 0; i < t->count; i++)
        if (t->events[i].kind == PS_TRACE_DEPENDS && t->events[i].sequence == sequence &&
            t->events[i].other == on)
            return true;
    return false;
}

static ps_status note_sequence(ps_task *self, void *arg)
{
    *(uint64_t *)arg = ps_task_sequence(self);
    return PS_OK;
}

/* Queued, ready, started, ended, in that order and nothing missing. */
static void check_life(const trace *t, uint64_t sequence)
{
    const ps_trace_event *queued = find(t, PS_TRACE_QUEUED, sequence);
    const ps_trace_event *ready = find(t, PS_TRACE_READY, sequence);
    const ps_trace_event *start = find(t, PS_TRACE_START, sequence);
    const ps_trace_event *end = find(t, PS_TRACE_END, sequence);
    assert_non_null(queued);
    assert_non_null(ready);
    assert_non_null(start);
    assert_non_null(end);
    assert_true(queued->time_ns <= ready->time_ns);
    assert_true(ready->time_ns <= start->time_ns);
    assert_true(start->time_ns <= end->time_ns);
    assert_true(start->other <= PS_TRACE_NO_WORKER);
}

static void every_task_has_a_life(void **state)
{
    (void)state;
    enum { TASKS = 300 };
    static const unsigned workers[] = {1, 2, 8};
    for (int w = 0; w < 3; w++) {
        ps_engine *engine = fixture_engine(workers[w]);
        ps_var *vars[3] = {fixture_var(engine), fixture_var(engine), fixture_var(engine)};
        static uint64_t sequences[TASKS];
        CHECK_OK(ps_trace_start(engine, RING));
        for (int i = 0; i < TASKS; i++)
            CHECK_OK(PUSH(engine, .run = note_sequence, .arg = &sequences[i], READS(vars[i % 3]),
                          WRITES(vars[i * 7 % 3]), .name = "traced", .location = (uint64_t)i + 1000,
                          .cost_ns = i % 2 ? 0 : 50));
        CHECK_OK(ps_wait_all(engine, NULL));
        CHECK_OK(ps_trace_stop(engine));
        trace t = read_trace(engine);
        assert_int_equal(t.lost, 0);
        for (int i = 0; i < TASKS; i++) {
            check_life(&t, sequences[i]);
            const ps_trace_event *queued = find(&t, PS_TRACE_QUEUED, sequences[i]);
            assert_int_equal(queued->other, i + 1000);
            assert_string_equal(queued->name, "traced");
            assert_true(queued->thread >= FIRST_OUTSIDER);
            assert_int_equal(find(&t, PS_TRACE_END, sequences[i])->other, PS_OK);
            uint32_t thread = find(&t, PS_TRACE_START, sequences[i])->thread;
            assert_true((thread >= 1 && thread <= workers[w]) || thread >= FIRST_OUTSIDER);
        }
        free(t.events);
        for (int i = 0; i < 3; i++)
            ps_var_release(vars[i]);
        CHECK_OK(ps_engine_destroy(engine));
    }
}

typedef struct held {
    gate gate;
    uint64_t sequence;
} held;

static ps_status run_held(ps_task *self, void *arg)
{
    held *h = arg;
    h->sequence = ps_task_sequence(self);
    return gate_task(self, &h->gate);
}

/* Behind a gate, what each task follows is certain. */
static void dependencies_are_named(void **state)
{
    (void)state;
    ps_engine *engine = fixture_engine(1);
    ps_var *x = fixture_var(engine), *y = fixture_var(engine);
    held root = {0};
    uint64_t reader, second_reader, writer, stranger;
    CHECK_OK(ps_trace_start(engine, RING));
    CHECK_OK(fixture_push(engine, run_held, &root, NULL, x));
    gate_wait_inside(&root.gate, 1);
    CHECK_OK(fixture_push(engine, note_sequence, &reader, x, NULL));
    CHECK_OK(fixture_push(engine, note_sequence, &second_reader, x, NULL));
    CHECK_OK(fixture_push(engine, note_sequence, &writer, NULL, x));
    CHECK_OK(fixture_push(engine, note_sequence, &stranger, NULL, y));
    gate_open(&root.gate);
    CHECK_OK(ps_wait_all(engine, NULL));
    CHECK_OK(ps_trace_stop(engine));
    trace t = read_trace(engine);
    assert_true(depends(&t, reader, root.sequence));
    assert_true(depends(&t, second_reader, root.sequence));
    assert_false(depends(&t, second_reader, reader)); /* both only read */
    assert_true(depends(&t, writer, reader) || depends(&t, writer, second_reader));
    for (size_t i = 0; i < t.count; i++)
        if (t.events[i].kind == PS_TRACE_DEPENDS) {
            assert_true(t.events[i].other < t.events[i].sequence);
            assert_int_not_equal(t.events[i].sequence, stranger);
        }
    assert_int_equal(find(&t, PS_TRACE_READY, reader)->other, root.sequence);
    uint64_t last = find(&t, PS_TRACE_READY, writer)->other;
    assert_true(last == reader || last == second_reader);
    assert_true(find(&t, PS_TRACE_START, reader)->time_ns >=
                find(&t, PS_TRACE_END, root.sequence)->time_ns);
    free(t.events);
    ps_var_release(x);
    ps_var_release(y);
    CHECK_OK(ps_engine_destroy(engine));
}

static void failures_and_waits_are_told(void **state)
{
    (void)state;
    ps_engine *engine = fixture_engine(1);
    ps_var *x = fixture_var(engine);
    held h = {0};
    CHECK_OK(ps_trace_start(engine, RING));
    CHECK_OK(PUSH(engine, .run = fixture_failing, WRITES(x), .name = "bad"));
    CHECK_STATUS(ps_wait_read(x, NULL), PS_ERR_TASK);
    CHECK_OK(fixture_push(engine, run_held, &h, NULL, x));
    gate_wait_inside(&h.gate, 1);
    CHECK_STATUS(ps_wait_read(x, WITHIN_MS(1)), PS_ERR_TIMEOUT);
    CHECK_STATUS(ps_wait_write(x, WITHIN_MS(1)), PS_ERR_TIMEOUT);
    CHECK_STATUS(ps_wait_all(engine, WITHIN_MS(1)), PS_ERR_TIMEOUT);
    gate_open(&h.gate);
    CHECK_OK(ps_wait_all(engine, NULL));
    CHECK_OK(ps_trace_stop(engine));
    trace t = read_trace(engine);
    int failed = 0, waits = 0, resumes = 0;
    unsigned kinds = 0, resumed = 0;
    for (size_t i = 0; i < t.count; i++) {
        const ps_trace_event *e = &t.events[i];
        failed += e->kind == PS_TRACE_END && e->other == PS_ERR_TASK && strcmp(e->name, "bad") == 0;
        waits += e->kind == PS_TRACE_WAIT;
        resumes += e->kind == PS_TRACE_RESUME;
        assert_true(e->kind <= PS_TRACE_LOOP_END);
        if (e->kind == PS_TRACE_WAIT || e->kind == PS_TRACE_RESUME) {
            assert_true(e->other <= 3 && e->thread >= FIRST_OUTSIDER);
            *(e->kind == PS_TRACE_WAIT ? &kinds : &resumed) |= 1u << e->other;
        }
    }
    assert_int_equal(failed, 1);
    assert_true(waits >= 3); /* those that timed out: for reading, for writing, for all */
    assert_int_equal(kinds, 7);
    assert_int_equal(resumed, 7);
    assert_int_equal(waits, resumes);
    free(t.events);
    ps_var_release(x);
    CHECK_OK(ps_engine_destroy(engine));
}

/* While tracing is off, before, between and after. */
static void off_records_nothing(void **state)
{
    (void)state;
    ps_engine *engine = fixture_engine(2);
    uint64_t inside = 0, outside = 0;
    CHECK_OK(fixture_push(engine, note_sequence, &outside, NULL, NULL));
    CHECK_OK(ps_wait_all(engine, NULL));
    CHECK_OK(ps_trace_start(engine, RING));
    CHECK_OK(fixture_push(engine, note_sequence, &inside, NULL, NULL));
    CHECK_OK(ps_wait_all(engine, NULL));
    CHECK_OK(ps_trace_stop(engine));
    uint64_t before = outside;
    CHECK_OK(fixture_push(engine, note_sequence, &outside, NULL, NULL));
    CHECK_OK(ps_wait_all(engine, NULL));
    trace t = read_trace(engine);
    check_life(&t, inside);
    for (size_t i = 0; i < t.count; i++) {
        assert_int_not_equal(t.events[i].sequence, before);
        assert_int_not_equal(t.events[i].sequence, outside);
    }
    free(t.events);
    CHECK_OK(ps_engine_destroy(engine));
}

/* ---- parallel loops ---------------------------------------------------------------------- */

typedef struct looping {
    ps_engine *engine;
    size_t pieces, nested; /* of the loop, and of the one that each of its pieces calls; or 0 */
    uint64_t sequence;     /* of the task, written by it; 0: the test itself calls the loop */
    uint32_t meeting;      /* pieces that wait for each other */
    tally inside;
} looping;

static ps_status pass(size_t begin, size_t end, void *arg)
{
    (void)begin;
    (void)end;
    (void)arg;
    return PS_OK;
}

static ps_status loop_piece(size_t begin, size_t end, void *arg)
{
    (void)begin;
    (void)end;
    looping *l = arg;
    tally_add(&l->inside);
    if (!tally_reaches(&l->inside, l->meeting))
        return PS_ERR_TIMEOUT;
    return l->nested != 0 ? ps_parallel_for(l->engine, l->nested, 1, pass, NULL) : PS_OK;
}

static ps_status run_looping(ps_task *self, void *arg)
{
    looping *l = arg;
    l->sequence = self != NULL ? ps_task_sequence(self) : 0;
    return ps_parallel_for(l->engine, l->pieces, 1, loop_piece, l);
}

static trace trace_loop(looping *l, bool inside)
{
    CHECK_OK(ps_trace_start(l->engine, RING));
    if (inside) {
        CHECK_OK(PUSH(l->engine, .run = run_looping, .arg = l, .name = "looping"));
        CHECK_OK(ps_wait_all(l->engine, NULL));
    } else {
        CHECK_OK(run_looping(NULL, l));
    }
    CHECK_OK(ps_trace_stop(l->engine));
    return read_trace(l->engine);
}

/* The end of a stretch: the next one on that thread, with the loops inside of it in pairs. */
static const ps_trace_event *end_of(const trace *t, size_t begin)
{
    int depth = 0;
    for (size_t i = begin; i < t->count; i++) {
        const ps_trace_event *e = &t->events[i];
        if (e->thread != t->events[begin].thread)
            continue;
        depth += e->kind == PS_TRACE_LOOP;
        if (e->kind == PS_TRACE_LOOP_END && --depth == 0)
            return e;
    }
    return NULL;
}

/* How many pieces all stretches of loops with `pieces` pieces have together, and how many stretches
 * there are; each must be of that task. */
static uint64_t stretches(const trace *t, const looping *l, size_t pieces, int *count)
{
    uint64_t sum = 0;
    *count = 0;
    for (size_t i = 0; i < t->count; i++) {
        const ps_trace_event *begin = &t->events[i];
        if (begin->kind != PS_TRACE_LOOP || begin->other != pieces)
            continue;
        const ps_trace_event *end = end_of(t, i);
        assert_non_null(end);
        assert_int_equal(begin->sequence, l->sequence);
        assert_int_equal(end->sequence, l->sequence);
        if (l->sequence != 0)
            assert_string_equal(begin->name, "looping");
        assert_true(end->other >= 1);
        sum += end->other;
        ++*count;
    }
    return sum;
}

/* Three pieces that wait for each other are on three threads: each has its stretch of one. */
static void every_thread_of_a_loop_is_shown(void **state)
{
    (void)state;
    ps_engine *engine = fixture_engine(3);
    for (int inside = 0; inside < 2; inside++) {
        looping l = {.engine = engine, .pieces = 3, .meeting = 3};
        trace t = trace_loop(&l, inside);
        uint32_t threads[3];
        int count = 0, found = 0;
        assert_int_equal(stretches(&t, &l, 3, &count), 3);
        assert_int_equal(count, 3);
        for (size_t i = 0; i < t.count; i++)
            if (t.events[i].kind == PS_TRACE_LOOP_END)
                threads[found++] = t.events[i].thread;
        assert_int_equal(found, 3);
        assert_true(threads[0] != threads[1] && threads[1] != threads[2] &&
                    threads[0] != threads[2]);
        free(t.events);
    }
    CHECK_OK(ps_engine_destroy(engine));
}

/* However the pieces are spread, none is missing and none is there twice; also where a piece that
 * another thread runs is a loop itself. */
static void the_pieces_of_a_loop_add_up(void **state)
{
    (void)state;
    for (unsigned workers = 1; workers <= 4; workers++)
        for (size_t nested = 0; nested <= 7; nested += 7) {
            ps_engine *engine = fixture_engine(workers);
            looping l = {.engine = engine, .pieces = 200, .nested = nested};
            if (workers > 1)
                l.meeting = 2; /* a second thread is there */
            trace t = trace_loop(&l, true);
            int count = 0, inner = 0;
            assert_int_equal(t.lost, 0);
            assert_int_equal(stretches(&t, &l, 200, &count), 200);
            assert_in_range(count, workers > 1 ? 2 : 1, workers);
            assert_int_equal(stretches(&t, &l, 7, &inner), 200 * nested);
            free(t.events);
            CHECK_OK(ps_engine_destroy(engine));
        }
}

/* One piece is a plain call. */
static void a_loop_of_one_piece_is_not_shown(void **state)
{
    (void)state;
    looping l = {.engine = fixture_engine(2), .pieces = 1};
    trace t = trace_loop(&l, true);
    int count = 0;
    assert_int_equal(stretches(&t, &l, 1, &count), 0);
    assert_non_null(find(&t, PS_TRACE_END, l.sequence));
    free(t.events);
    CHECK_OK(ps_engine_destroy(l.engine));
}

static void never_started_is_empty(void **state)
{
    (void)state;
    ps_engine *engine = fixture_engine(1);
    CHECK_OK(fixture_push(engine, fixture_nothing, NULL, NULL, NULL));
    CHECK_OK(ps_wait_all(engine, NULL));
    size_t count = 1;
    uint64_t lost = 1;
    ps_status status = ps_trace_read(engine, NULL, 0, &count, &lost);
    assert_true(status == PS_ERR_STATE || (status == PS_OK && count == 0 && lost == 0));
    CHECK_OK(ps_engine_destroy(engine));
}

/* Each thread keeps its newest events; together with the lost ones nothing is missing. */
static void a_full_ring_counts_what_it_lost(void **state)
{
    (void)state;
    enum { SMALL = 64, TASKS = 2000, WORKERS = 2 };
    ps_engine *engine = fixture_engine(WORKERS);
    static uint64_t sequences[TASKS];
    CHECK_OK(ps_trace_start(engine, SMALL));
    for (int i = 0; i < TASKS; i++)
        CHECK_OK(fixture_push(engine, note_sequence, &sequences[i], NULL, NULL));
    CHECK_OK(ps_wait_all(engine, NULL));
    CHECK_OK(ps_trace_stop(engine));
    trace t = read_trace(engine);
    assert_true(t.lost > 0);
    assert_true(t.count <= SMALL * (WORKERS + 1));
    assert_true(t.count + t.lost >= 4 * TASKS);
    bool newest = false;
    for (size_t i = 0; i < t.count; i++)
        newest |= t.events[i].sequence == sequences[TASKS - 1];
    assert_true(newest);
    ps_trace_event some[10];
    size_t count = 0;
    uint64_t lost = 0;
    CHECK_OK(ps_trace_read(engine, some, 10, &count, &lost)); /* less room than events */
    free(t.events);
    CHECK_OK(ps_engine_destroy(engine));
}

static void it_can_start_again(void **state)
{
    (void)state;
    ps_engine *engine = fixture_engine(2);
    for (int round = 0; round < 5; round++) {
        uint64_t sequence = 0;
        CHECK_OK(ps_trace_start(engine, RING >> round));
        CHECK_OK(fixture_push(engine, note_sequence, &sequence, NULL, NULL));
        CHECK_OK(ps_wait_all(engine, NULL));
        CHECK_OK(ps_trace_stop(engine));
        trace t = read_trace(engine);
        check_life(&t, sequence);
        for (size_t i = 0; i < t.count; i++)
            assert_true(t.events[i].sequence == 0 || t.events[i].sequence >= sequence);
        free(t.events);
    }
    CHECK_OK(ps_engine_destroy(engine));
}

/* Started and stopped while tasks run: no crash, no torn event. */
static void switched_under_load(void **state)
{
    (void)state;
    ps_engine *engine = fixture_engine(2);
    ps_var *x = fixture_var(engine);
    for (int round = 0; round < FIXTURE_SCALED(100); round++) {
        for (int i = 0; i < 100; i++) {
            CHECK_OK(PUSH(engine, .run = fixture_nothing, READS(x), .name = "load"));
            if (i == 20)
                CHECK_OK(ps_trace_start(engine, 128));
            if (i == 80)
                CHECK_OK(ps_trace_stop(engine));
        }
        CHECK_OK(ps_wait_all(engine, NULL));
        trace t = read_trace(engine);
        for (size_t i = 0; i < t.count; i++)
            assert_true(t.events[i].kind <= PS_TRACE_RESUME && t.events[i].time_ns > 0);
        free(t.events);
    }
    ps_var_release(x);
    CHECK_OK(ps_engine_destroy(engine));
}

/* A thread that goes back and forth between engines has one ring in each. */
static void several_engines_at_once(void **state)
{
    (void)state;
    enum { TASKS = 200, SMALL = 4096 };
    ps_engine *engines[2] = {fixture_engine(1), fixture_engine(1)};
    static uint64_t sequences[2][TASKS];
    for (int e = 0; e < 2; e++)
        CHECK_OK(ps_trace_start(engines[e], SMALL));
    ps__fault_set(0, false); /* counts calls for memory from here */
    for (int i = 0; i < TASKS; i++)
        for (int e = 0; e < 2; e++)
            CHECK_OK(fixture_push(engines[e], note_sequence, &sequences[e][i], NULL, NULL));
    for (int e = 0; e < 2; e++)
        CHECK_OK(ps_wait_all(engines[e], NULL));
    assert_true(ps__fault_count() < TASKS / 2);
    for (int e = 0; e < 2; e++) {
        CHECK_OK(ps_trace_stop(engines[e]));
        trace t = read_trace(engines[e]);
        assert_int_equal(t.lost, 0);
        for (int i = 0; i < TASKS; i++)
            check_life(&t, sequences[e][i]);
        free(t.events);
        CHECK_OK(ps_engine_destroy(engines[e]));
    }
}

static void absurd_rings_are_refused(void **state)
{
    (void)state;
    ps_engine *engine = fixture_engine(1);
    CHECK_STATUS(ps_trace_start(engine, 0), PS_ERR_ARGUMENT);
    ps_status status = ps_trace_start(engine, SIZE_MAX);
    assert_true(status == PS_ERR_ARGUMENT || status == PS_ERR_MEMORY);
    status = ps_trace_start(engine, SIZE_MAX / sizeof(ps_trace_event) + 2);
    assert_true(status == PS_ERR_ARGUMENT || status == PS_ERR_MEMORY);
    CHECK_OK(fixture_push(engine, fixture_nothing, NULL, NULL, NULL));
    CHECK_OK(ps_wait_all(engine, NULL));
    CHECK_OK(ps_engine_destroy(engine));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_task_has_a_life),
        cmocka_unit_test(dependencies_are_named),
        cmocka_unit_test(failures_and_waits_are_told),
        cmocka_unit_test(off_records_nothing),
        cmocka_unit_test(every_thread_of_a_loop_is_shown),
        cmocka_unit_test(the_pieces_of_a_loop_add_up),
        cmocka_unit_test(a_loop_of_one_piece_is_not_shown),
        cmocka_unit_test(never_started_is_empty),
        cmocka_unit_test(a_full_ring_counts_what_it_lost),
        cmocka_unit_test(it_can_start_again),
        cmocka_unit_test(switched_under_load),
        cmocka_unit_test(several_engines_at_once),
        cmocka_unit_test(absurd_rings_are_refused),
    };
    return FIXTURE_RUN(tests);
}
