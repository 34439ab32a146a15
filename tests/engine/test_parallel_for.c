/* ps_parallel_for: the pieces depend on count and grain alone; all run, on this thread and idle
 * workers; the failure of the lowest is returned; inside and outside of tasks, and nested. */
#include "fixture.h"

enum { COUNT = 10007 };

typedef struct loop {
    ps_engine *engine;
    size_t count, grain;
    _Atomic int visits[COUNT]; /* of each index; relaxed: read after the loop */
    tally pieces, wrong;
    size_t failing_from; /* pieces that begin here or later fail */
} loop;

/* A piece must begin at a multiple of grain and end there or at count. */
static bool is_piece(const loop *l, size_t begin, size_t end)
{
    size_t grain = l->grain == 0 ? l->count : l->grain;
    return begin % grain == 0 &&
           end - begin == (l->count - begin < grain ? l->count - begin : grain);
}

static ps_status visit(size_t begin, size_t end, void *arg)
{
    loop *l = arg;
    if (!is_piece(l, begin, end))
        tally_add(&l->wrong);
    for (size_t i = begin; i < end && i < COUNT; i++)
        atomic_fetch_add_explicit(&l->visits[i], 1, memory_order_relaxed);
    tally_add(&l->pieces);
    return PS_OK;
}

static loop *new_loop(ps_engine *engine, size_t count, size_t grain)
{
    loop *l = calloc(1, sizeof *l);
    l->engine = engine;
    l->count = count;
    l->grain = grain;
    l->failing_from = SIZE_MAX;
    return l;
}

/* Not by ps__load: there are too many for a yield at each. */
static int visits_of(loop *l, size_t index)
{
    return atomic_load_explicit(&l->visits[index], memory_order_relaxed);
}

static void check_visits(loop *l)
{
    size_t pieces = l->count == 0   ? 0
                    : l->grain == 0 ? 1
                                    : l->count / l->grain + (l->count % l->grain != 0);
    assert_int_equal(tally_read(&l->pieces), pieces);
    assert_int_equal(tally_read(&l->wrong), 0);
    for (size_t i = 0; i < COUNT; i++)
        assert_int_equal(visits_of(l, i), i < l->count);
}

static ps_status run_loop(ps_task *self, void *arg)
{
    loop *l = arg;
    (void)self;
    return ps_parallel_for(l->engine, l->count, l->grain, visit, l);
}

static void run_with(ps_engine *engine, size_t count, size_t grain, bool inside)
{
    loop *l = new_loop(engine, count, grain);
    if (inside) {
        CHECK_OK(fixture_push(engine, run_loop, l, NULL, NULL));
        CHECK_OK(ps_wait_all(engine, NULL));
    } else {
        CHECK_OK(run_loop(NULL, l));
    }
    check_visits(l);
    free(l);
}

static void pieces_depend_on_count_and_grain_alone(void **state)
{
    (void)state;
    static const unsigned workers[] = {1, 2, 8};
    static const size_t counts[] = {0, 1, 2, 63, 64, 1000, COUNT};
    static const size_t grains[] = {0, 1, 7, 64, COUNT, SIZE_MAX};
    for (int w = 0; w < 3; w++) {
        ps_engine *engine = fixture_engine(workers[w]);
        for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++)
            for (size_t g = 0; g < sizeof grains / sizeof grains[0]; g++) {
                run_with(engine, counts[c], grains[g], false);
                run_with(engine, counts[c], grains[g], true);
            }
        CHECK_OK(ps_engine_destroy(engine));
    }
}

/* The ends of pieces near the largest number must not wrap around. */
static void the_largest_counts(void **state)
{
    (void)state;
    ps_engine *engine = fixture_engine(2);
    static const size_t grains[] = {SIZE_MAX, SIZE_MAX - 1, SIZE_MAX / 2 + 1, SIZE_MAX / 3, 0};
    static const uint32_t pieces[] = {1, 2, 2, 3, 1};
    for (int i = 0; i < 5; i++) {
        loop *l = new_loop(engine, SIZE_MAX, grains[i]);
        CHECK_OK(run_loop(NULL, l));
        assert_int_equal(tally_read(&l->pieces), pieces[i]);
        assert_int_equal(tally_read(&l->wrong), 0);
        free(l);
    }
    CHECK_OK(ps_engine_destroy(engine));
}

static ps_status fail_late_pieces(size_t begin, size_t end, void *arg)
{
    loop *l = arg;
    visit(begin, end, arg);
    if (begin < l->failing_from)
        return PS_OK;
    /* Which piece it was shows in the status: the lowest two differ from all others. */
    return begin < l->failing_from + l->grain ? PS_ERR_SYSTEM : PS_ERR_TASK;
}

static void the_lowest_failure_is_returned(void **state)
{
    (void)state;
    for (unsigned workers = 1; workers <= 8; workers += 7) {
        ps_engine *engine = fixture_engine(workers);
        for (int round = 0; round < FIXTURE_SCALED(200); round++) {
            loop *l = new_loop(engine, 1000, 10);
            l->failing_from = (size_t)(round % 99) * 10;
            CHECK_STATUS(ps_parallel_for(engine, l->count, l->grain, fail_late_pieces, l),
                         PS_ERR_SYSTEM);
            check_visits(l); /* all ran all the same */
            free(l);
        }
        CHECK_OK(ps_wait_all(engine, NULL)); /* it is the call's error, not a task's */
        CHECK_OK(ps_engine_destroy(engine));
    }
}

static ps_status visit_nested(size_t begin, size_t end, void *arg)
{
    loop *l = arg;
    for (size_t i = begin; i < end; i++) {
        ps_status status = ps_parallel_for(l->engine, l->count, l->grain, visit, l);
        if (status != PS_OK)
            return status;
    }
    return PS_OK;
}

static ps_status run_nested(ps_task *self, void *arg)
{
    loop *l = arg;
    (void)self;
    return ps_parallel_for(l->engine, 20, 1, visit_nested, l);
}

static void loops_inside_loops(void **state)
{
    (void)state;
    for (unsigned workers = 1; workers <= 8; workers += 7) {
        ps_engine *engine = fixture_engine(workers);
        for (int inside = 0; inside < 2; inside++) {
            loop *l = new_loop(engine, 200, 9);
            if (inside) {
                CHECK_OK(fixture_push(engine, run_nested, l, NULL, NULL));
                CHECK_OK(ps_wait_all(engine, NULL));
            } else {
                CHECK_OK(run_nested(NULL, l));
            }
            assert_int_equal(tally_read(&l->wrong), 0);
            for (size_t i = 0; i < COUNT; i++)
                assert_int_equal(visits_of(l, i), i < 200 ? 20 : 0);
            free(l);
        }
        CHECK_OK(ps_engine_destroy(engine));
    }
}

static ps_status meet(size_t begin, size_t end, void *arg)
{
    tally *inside = arg;
    (void)begin;
    (void)end;
    tally_add(inside);
    return tally_reaches(inside, 3) ? PS_OK : PS_ERR_TIMEOUT;
}

static ps_status run_meeting(ps_task *self, void *arg)
{
    (void)self;
    tally inside = {0};
    return ps_parallel_for(arg, 3, 1, meet, &inside);
}

/* Three pieces that wait for each other: this thread and two workers. */
static void idle_workers_take_part(void **state)
{
    (void)state;
    ps_engine *engine = fixture_engine(3);
    for (int round = 0; round < FIXTURE_SCALED(100); round++) {
        CHECK_OK(run_meeting(NULL, engine));
        CHECK_OK(fixture_push(engine, run_meeting, engine, NULL, NULL));
        CHECK_OK(ps_wait_all(engine, NULL));
    }
    CHECK_OK(ps_engine_destroy(engine));
}

/* All workers are busy for good: the calling thread does it alone. */
static void without_idle_workers(void **state)
{
    (void)state;
    ps_engine *engine = fixture_engine(2);
    gate g = {0};
    CHECK_OK(fixture_push(engine, gate_task, &g, NULL, NULL));
    CHECK_OK(fixture_push(engine, gate_task, &g, NULL, NULL));
    gate_wait_inside(&g, 2);
    run_with(engine, 1000, 7, false);
    gate_open(&g);
    CHECK_OK(ps_wait_all(engine, NULL));
    CHECK_OK(ps_engine_destroy(engine));
}

static void many_loops_at_once(void **state)
{
    (void)state;
    enum { LOOPS = 200 };
    ps_engine *engine = fixture_engine(4);
    static loop *loops[LOOPS];
    for (int i = 0; i < LOOPS; i++) {
        loops[i] = new_loop(engine, 500, (size_t)i % 17 + 1);
        CHECK_OK(fixture_push(engine, run_loop, loops[i], NULL, NULL));
        if (i % 10 == 0)
            run_with(engine, 300, 11, false);
    }
    CHECK_OK(ps_wait_all(engine, NULL));
    for (int i = 0; i < LOOPS; i++) {
        check_visits(loops[i]);
        free(loops[i]);
    }
    CHECK_OK(ps_engine_destroy(engine));
}

typedef struct pushing {
    ps_engine *engine;
    tally ran, failed;
} pushing;

static ps_status push_one(size_t begin, size_t end, void *arg)
{
    pushing *p = arg;
    (void)begin;
    (void)end;
    if (fixture_push(p->engine, tally_task, &p->ran, NULL, NULL) != PS_OK)
        tally_add(&p->failed);
    return PS_OK;
}

static void pieces_may_push(void **state)
{
    (void)state;
    pushing p = {.engine = fixture_engine(2)};
    CHECK_OK(ps_parallel_for(p.engine, 100, 1, push_one, &p));
    CHECK_OK(ps_wait_all(p.engine, NULL));
    assert_int_equal(tally_read(&p.ran), 100);
    assert_int_equal(tally_read(&p.failed), 0);
    CHECK_OK(ps_engine_destroy(p.engine));
}

static void synchronous_engines_loop_too(void **state)
{
    (void)state;
    ps_engine *engine = fixture_engine_in(2, PS_MODE_SYNC);
    run_with(engine, 1000, 7, false);
    run_with(engine, 1000, 7, true);
    CHECK_OK(ps_engine_destroy(engine));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pieces_depend_on_count_and_grain_alone),
        cmocka_unit_test(the_largest_counts),
        cmocka_unit_test(the_lowest_failure_is_returned),
        cmocka_unit_test(loops_inside_loops),
        cmocka_unit_test(idle_workers_take_part),
        cmocka_unit_test(without_idle_workers),
        cmocka_unit_test(many_loops_at_once),
        cmocka_unit_test(pieces_may_push),
        cmocka_unit_test(synchronous_engines_loop_too),
    };
    return FIXTURE_RUN(tests);
}
