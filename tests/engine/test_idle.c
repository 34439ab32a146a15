/* A process with nothing to do uses no processor time: a while after the last task the engine's
 * threads do not run at all, however many they are and whatever they did before (idle.h). */
#include "idle.h"

#include "base/alloc.h"

enum { SPAN_MS = 1000, SHORT_MS = 250 };

static void work(ps_engine *engine, unsigned tasks)
{
    tally ran = {0};
    ps_var *vars[4];
    for (int i = 0; i < 4; i++)
        vars[i] = fixture_var(engine);
    for (unsigned i = 0; i < tasks; i++)
        CHECK_OK(fixture_push(engine, tally_task, &ran, vars[i % 4], i % 3 ? vars[i % 2] : NULL));
    CHECK_OK(ps_wait_all(engine, NULL));
    assert_int_equal(tally_read(&ran), tasks);
    for (int i = 0; i < 4; i++)
        ps_var_release(vars[i]);
}

/* All workers at once, so that each has run and falls asleep by itself. */
static void meet(ps_engine *engine, unsigned workers)
{
    gate g = {0};
    for (unsigned i = 0; i < workers; i++)
        CHECK_OK(fixture_push(engine, gate_task, &g, NULL, NULL));
    gate_wait_inside(&g, workers);
    gate_open(&g);
    CHECK_OK(ps_wait_all(engine, NULL));
}

static void rests_after_work(unsigned workers, int64_t span_ms)
{
    crew before;
    crew_before(&before);
    ps_engine *engine = fixture_engine(workers);
    meet(engine, workers);
    work(engine, FIXTURE_SCALED(5000));
    assert_idle(&before, workers, span_ms);
    work(engine, 10); /* and it wakes up again */
    CHECK_OK(ps_engine_destroy(engine));
}

static void after_work(void **state)
{
    (void)state;
    rests_after_work(1, SHORT_MS);
    rests_after_work(2, SPAN_MS);
    rests_after_work(64, SPAN_MS);
}

/* Nobody waits for what was pushed. */
static void after_work_that_nobody_waited_for(void **state)
{
    (void)state;
    crew before;
    crew_before(&before);
    ps_engine *engine = fixture_engine(16);
    tally ran = {0};
    for (int i = 0; i < 100; i++)
        CHECK_OK(PUSH(engine, .run = tally_task, .arg = &ran, .cost_ns = i % 2 ? 100 : 0));
    tally_wait(&ran, 100);
    assert_idle(&before, 16, SHORT_MS);
    CHECK_OK(ps_engine_destroy(engine));
}

/* One task stays inside its function, another is to be completed later, a third waits for both. */
static ps_status defer(ps_task *self, void *arg)
{
    return ps_task_defer(self, arg);
}

static void while_others_are_waited_for(void **state)
{
    (void)state;
    crew before;
    crew_before(&before);
    ps_engine *engine = fixture_engine(16);
    ps_var *x = fixture_var(engine), *y = fixture_var(engine);
    ps_token token = {0};
    tally ran = {0};
    gate g = {0};
    meet(engine, 16);
    CHECK_OK(fixture_push(engine, gate_task, &g, NULL, x));
    CHECK_OK(fixture_push(engine, defer, &token, NULL, y));
    CHECK_OK(PUSH(engine, .run = tally_task, .arg = &ran, READS(x, y)));
    gate_wait_inside(&g, 1);
    assert_idle(&before, 16, SHORT_MS);
    assert_int_equal(tally_read(&ran), 0);
    gate_open(&g);
    CHECK_OK(ps_complete(token, PS_OK, NULL));
    tally_wait(&ran, 1);
    CHECK_OK(ps_wait_all(engine, NULL));
    ps_var_release(x);
    ps_var_release(y);
    CHECK_OK(ps_engine_destroy(engine));
}

typedef struct waiter {
    ps_var *var;
    tally began;
    ps_status status;
} waiter;

static void *wait_for_it(void *arg)
{
    waiter *w = arg;
    tally_add(&w->began);
    w->status = ps_wait_read(w->var, NULL);
    return NULL;
}

/* A thread that waits sleeps as deep as the workers. */
static void a_thread_that_waits(void **state)
{
    (void)state;
    crew before;
    crew_before(&before);
    ps_engine *engine = fixture_engine(2);
    waiter w = {.var = fixture_var(engine)};
    ps_token token = {0};
    pthread_t thread;
    CHECK_OK(fixture_push(engine, defer, &token, NULL, w.var));
    assert_int_equal(pthread_create(&thread, NULL, wait_for_it, &w), 0);
    tally_wait(&w.began, 1);
    assert_idle(&before, 3, SHORT_MS);
    CHECK_OK(ps_complete(token, PS_OK, NULL));
    pthread_join(thread, NULL);
    assert_int_equal(w.status, PS_OK);
    ps_var_release(w.var);
    CHECK_OK(ps_engine_destroy(engine));
}

static ps_status piece(size_t begin, size_t end, void *arg)
{
    for (size_t i = begin; i < end; i++)
        tally_add(arg);
    return PS_OK;
}

static void after_loops_and_other_numbers_of_workers(void **state)
{
    (void)state;
    crew before;
    crew_before(&before);
    ps_engine *engine = fixture_engine(3);
    for (unsigned i = 1; i <= 16; i++) {
        tally visited = {0};
        CHECK_OK(ps_engine_set_workers(engine, 1 + i * 5 % 16));
        CHECK_OK(ps_parallel_for(engine, 1000, 10, piece, &visited));
        assert_int_equal(tally_read(&visited), 1000);
    }
    assert_idle(&before, 0, SHORT_MS);
    work(engine, 10);
    CHECK_OK(ps_engine_destroy(engine));
}

/* Fewer workers than were asked for, because threads could not be started: nobody goes on trying. */
static void with_workers_missing(void **state)
{
    (void)state;
    crew before;
    crew_before(&before);
    ps_engine *engine = fixture_engine(16);
    ps__fault_set_threads(4, true);
    meet(engine, 3);
    assert_idle(&before, 3, SHORT_MS);
    ps__fault_set_threads(0, false);
    work(engine, 10);
    CHECK_OK(ps_engine_destroy(engine));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(after_work),
        cmocka_unit_test(after_work_that_nobody_waited_for),
        cmocka_unit_test(while_others_are_waited_for),
        cmocka_unit_test(a_thread_that_waits),
        cmocka_unit_test(after_loops_and_other_numbers_of_workers),
        cmocka_unit_test(with_workers_missing),
    };
    return FIXTURE_RUN(tests);
}
