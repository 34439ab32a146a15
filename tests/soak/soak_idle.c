/* A process with nothing to do, for ten seconds: not one of the engine's threads runs, not once
 * (tests/engine/idle.h). tests/engine/test_idle.c has one second each of more cases. */
#include "engine/idle.h"

enum { SPAN_MS = 10000 };

static void rests(unsigned workers)
{
    crew before;
    crew_before(&before);
    ps_engine *engine = fixture_engine(workers);
    gate g = {0};
    tally ran = {0};
    for (unsigned i = 0; i < workers; i++)
        CHECK_OK(fixture_push(engine, gate_task, &g, NULL, NULL));
    gate_wait_inside(&g, workers);
    gate_open(&g);
    for (int i = 0; i < 100000; i++)
        CHECK_OK(PUSH(engine, .run = tally_task, .arg = &ran, .cost_ns = i % 2 ? 100 : 0));
    CHECK_OK(ps_wait_all(engine, NULL));
    assert_int_equal(tally_read(&ran), 100000);
    assert_idle(&before, workers, SPAN_MS);
    CHECK_OK(ps_engine_destroy(engine));
}

static void two_workers(void **state)
{
    (void)state;
    rests(2);
}

static void a_crowd(void **state)
{
    (void)state;
    rests(64);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_workers),
        cmocka_unit_test(a_crowd),
    };
    return FIXTURE_RUN(tests);
}
