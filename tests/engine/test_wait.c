/* Waiting: to read, to write, for everything; with time limits; by several threads; and inside a
 * task for work that was queued before it.
 *
 * A thread that waits may run what it waits for. Where a test must not end up inside a gate that it
 * is to open itself, it first sees the gate's task inside a worker. */
#include "fixture.h"

static void a_read_wait_ignores_readers(void **state)
{
    (void)state;
    ps_engine *engine = fixture_engine(1);
    ps_var *x = fixture_var(engine);
    gate g = {0};
    CHECK_OK(fixture_push(engine, gate_task, &g, x, NULL));
    gate_wait_inside(&g, 1);
    CHECK_OK(ps_wait_read(x, NULL));
    CHECK_OK(ps_wait_read(x, LOOK));
    assert_true(ps_var_is_ready(x));
    CHECK_STATUS(ps_wait_write(x, LOOK), PS_ERR_TIMEOUT);
    gate_open(&g);
    CHECK_OK(ps_wait_write(x, NULL));
    ps_var_release(x);
    CHECK_OK(ps_engine_destroy(engine));
}

static void waits_cover_what_was_queued_before(void **state)
{
    (void)state;
    ps_engine *engine = fixture_engine(2);
    ps_var *x = fixture_var(engine);
    tally ran = {0};
    for (uint32_t i = 1; i <= 1000; i++) {
        CHECK_OK(fixture_push(engine, tally_task, &ran, NULL, x));
        if (i % 3 == 0)
            CHECK_OK(ps_wait_read(x, NULL));
        else if (i % 3 == 1)
            CHECK_OK(ps_wait_write(x, NULL));
        else
            CHECK_OK(ps_wait_all(engine, NULL));
        assert_int_equal(tally_read(&ran), i);
        assert_true(ps_var_is_ready(x));
    }
    ps_var_release(x);
    CHECK_OK(ps_engine_destroy(engine));
}

static void a_write_wait_covers_readers(void **state)
{
    (void)state;
    ps_engine *engine = fixture_engine(2);
    ps_var *x = fixture_var(engine);
    tally ran = {0};
    for (uint32_t i = 1; i <= 300; i++) {
        for (int reader = 0; reader < 3; reader++)
            CHECK_OK(fixture_push(engine, tally_task, &ran, x, NULL));
        CHECK_OK(ps_wait_write(x, NULL));
        assert_int_equal(tally_read(&ran), 3 * i);
    }
    uint64_t version = 1;
    CHECK_OK(ps_var_version(x, &version)); /* waiting is no write */
    assert_int_equal(version, 0);
    ps_var_release(x);
    CHECK_OK(ps_engine_destroy(engine));
}

/* Nothing is queued yet, or never was. */
static void waits_for_nothing_return(void **state)
{
    (void)state;
    ps_engine *engine = fixture_engine(1);
    ps_var *x = fixture_var(engine);
    CHECK_OK(ps_wait_read(x, NULL));
    CHECK_OK(ps_wait_write(x, NULL));
    CHECK_OK(ps_wait_all(engine, NULL));
    CHECK_OK(ps_wait_read(x, LOOK));
    CHECK_OK(ps_wait_write(x, LOOK));
    CHECK_OK(ps_wait_all(engine, LOOK));
    assert_true(ps_var_is_ready(x));
    ps_var_release(x);
    CHECK_OK(ps_engine_destroy(engine));
}

static void a_limit_ends_each_wait(void **state)
{
    (void)state;
    ps_engine *engine = fixture_engine(1);
    ps_var *x = fixture_var(engine);
    gate g = {0};
    CHECK_OK(fixture_push(engine, gate_task, &g, NULL, x));
    gate_wait_inside(&g, 1);
    assert_false(ps_var_is_ready(x));
    CHECK_STATUS(ps_wait_read(x, LOOK), PS_ERR_TIMEOUT);
    CHECK_STATUS(ps_wait_write(x, LOOK), PS_ERR_TIMEOUT);
    CHECK_STATUS(ps_wait_all(engine, LOOK), PS_ERR_TIMEOUT);
    int64_t begin = ps__now_ns();
    CHECK_STATUS(ps_wait_read(x, WITHIN_MS(5)), PS_ERR_TIMEOUT);
    assert_true(ps__now_ns() - begin >= 5000000);
    begin = ps__now_ns();
    CHECK_STATUS(ps_wait_write(x, WITHIN_MS(5)), PS_ERR_TIMEOUT);
    assert_true(ps__now_ns() - begin >= 5000000);
    begin = ps__now_ns();
    CHECK_STATUS(ps_wait_all(engine, WITHIN_MS(5)), PS_ERR_TIMEOUT);
    assert_true(ps__now_ns() - begin >= 5000000);
    gate_open(&g);
    CHECK_OK(ps_wait_read(x, IN_TIME));
    assert_int_equal(tally_read(&g.inside), 1); /* nothing was cancelled or done twice */
    ps_var_release(x);
    CHECK_OK(ps_engine_destroy(engine));
}

/* A limit so large that now + limit overflows is no limit. */
static void an_absurd_limit_is_no_limit(void **state)
{
    (void)state;
    ps_engine *engine = fixture_engine(1);
    ps_var *x = fixture_var(engine);
    tally ran = {0};
    ps_wait_options longest = {.size = sizeof longest, .timeout_ns = INT64_MAX};
    CHECK_OK(fixture_push(engine, tally_task, &ran, NULL, x));
    CHECK_OK(ps_wait_read(x, &longest));
    assert_int_equal(tally_read(&ran), 1);
    gate g = {0};
    CHECK_OK(fixture_push(engine, gate_task, &g, NULL, x));
    gate_open(&g);
    CHECK_OK(ps_wait_all(engine, &longest));
    ps_var_release(x);
    CHECK_OK(ps_engine_destroy(engine));
}

/* A wait that gave up leaves nothing behind that the end of the work could trip over. */
static void many_limits_pass_before_the_end(void **state)
{
    (void)state;
    ps_engine *engine = fixture_engine(2);
    for (int round = 0; round < FIXTURE_SCALED(400); round++) {
        ps_var *x = fixture_var(engine);
        gate g = {0};
        CHECK_OK(fixture_push(engine, gate_task, &g, NULL, x));
        gate_wait_inside(&g, 1);
        ps_wait_options brief = {.size = sizeof brief, .timeout_ns = round % 50 * 1000};
        CHECK_STATUS(round % 2 ? ps_wait_write(x, &brief) : ps_wait_read(x, &brief),
                     PS_ERR_TIMEOUT);
        gate_open(&g);
        CHECK_OK(ps_wait_read(x, NULL));
        ps_var_release(x);
    }
    CHECK_OK(ps_engine_destroy(engine));
}

typedef struct crowd {
    ps_engine *engine;
    ps_var *x;
    gate *gate;
    int value; /* guarded by the order on x */
    tally waiting, wrong;
    int kind; /* of wait */
} crowd;

static ps_status set_value(ps_task *self, void *arg)
{
    crowd *c = arg;
    ps_status status = gate_task(self, c->gate);
    c->value = 42;
    return status;
}

static void *wait_in_crowd(void *arg)
{
    crowd *c = arg;
    tally_add(&c->waiting);
    ps_status status = c->kind == 0   ? ps_wait_read(c->x, NULL)
                       : c->kind == 1 ? ps_wait_write(c->x, NULL)
                                      : ps_wait_all(c->engine, NULL);
    if (status != PS_OK || c->value != 42)
        tally_add(&c->wrong);
    return NULL;
}

static void several_threads_wait_for_one_variable(void **state)
{
    (void)state;
    enum { THREADS = 6 };
    for (int kind = 0; kind < 3; kind++) {
        gate g = {0};
        crowd c = {.engine = fixture_engine(1), .gate = &g, .kind = kind};
        pthread_t threads[THREADS];
        c.x = fixture_var(c.engine);
        CHECK_OK(fixture_push(c.engine, set_value, &c, NULL, c.x));
        gate_wait_inside(&g, 1); /* on the worker: no waiting thread can take it */
        for (int i = 0; i < THREADS; i++)
            assert_int_equal(pthread_create(&threads[i], NULL, wait_in_crowd, &c), 0);
        tally_wait(&c.waiting, THREADS);
        gate_open(&g);
        for (int i = 0; i < THREADS; i++)
            pthread_join(threads[i], NULL);
        assert_int_equal(tally_read(&c.wrong), 0);
        ps_var_release(c.x);
        CHECK_OK(ps_engine_destroy(c.engine));
    }
}

/* ---- inside tasks ------------------------------------------------------------------------ */

typedef struct inner {
    ps_var *var;
    int kind; /* 0 reads, 1 writes */
    tally *older;
    tally began;
    ps_status status;
    uint32_t seen;
} inner;

static ps_status wait_inside(ps_task *self, void *arg)
{
    inner *in = arg;
    (void)self;
    tally_add(&in->began);
    in->status = in->kind == 0 ? ps_wait_read(in->var, NULL) : ps_wait_write(in->var, NULL);
    in->seen = tally_read(in->older);
    return PS_OK;
}

/* The only worker is in a task that waits for an older one nobody has started: it runs that
 * itself, on top. The priority makes the younger task start first. */
static void a_task_waits_for_older_work(void **state)
{
    (void)state;
    for (int kind = 0; kind < 2; kind++) {
        ps_engine *engine = fixture_engine(1);
        ps_var *x = fixture_var(engine);
        gate g = {0};
        tally older = {0};
        inner in = {.var = x, .kind = kind, .older = &older};
        CHECK_OK(fixture_push(engine, gate_task, &g, NULL, NULL));
        gate_wait_inside(&g, 1);
        for (int i = 0; i < 10; i++)
            CHECK_OK(fixture_push(engine, tally_task, &older, x, x));
        ps_var *done = fixture_var(engine);
        CHECK_OK(PUSH(engine, .run = wait_inside, .arg = &in, WRITES(done), .priority = 1));
        gate_open(&g);
        tally_wait(&older, 10); /* not an engine's wait: this thread must not help */
        CHECK_OK(ps_wait_read(done, NULL));
        CHECK_STATUS(in.status, PS_OK);
        assert_int_equal(in.seen, 10);
        ps_var_release(x);
        ps_var_release(done);
        CHECK_OK(ps_engine_destroy(engine));
    }
}

/* The older task is running on another worker. */
static void a_task_waits_for_running_work(void **state)
{
    (void)state;
    ps_engine *engine = fixture_engine(2);
    ps_var *x = fixture_var(engine), *done = fixture_var(engine);
    gate g = {0};
    inner in = {.var = x, .older = &g.opened};
    CHECK_OK(fixture_push(engine, gate_task, &g, NULL, x));
    gate_wait_inside(&g, 1);
    CHECK_OK(fixture_push(engine, wait_inside, &in, NULL, done));
    tally_wait(&in.began, 1); /* on the other worker */
    CHECK_STATUS(ps_wait_read(done, WITHIN_MS(5)), PS_ERR_TIMEOUT);
    gate_open(&g);
    CHECK_OK(ps_wait_read(done, NULL));
    CHECK_STATUS(in.status, PS_OK);
    assert_int_equal(in.seen, 1);
    ps_var_release(x);
    ps_var_release(done);
    CHECK_OK(ps_engine_destroy(engine));
}

/* A ladder: each task waits for the one before it, all start from the youngest. */
static void waits_stack_up(void **state)
{
    (void)state;
    enum { RUNGS = 50 };
    for (unsigned workers = 1; workers <= 2; workers++) {
        ps_engine *engine = fixture_engine(workers);
        gate g = {0};
        tally none = {0};
        ps_var *vars[RUNGS];
        inner rungs[RUNGS];
        for (unsigned i = 0; i < workers; i++)
            CHECK_OK(fixture_push(engine, gate_task, &g, NULL, NULL));
        gate_wait_inside(&g, workers);
        for (int i = 0; i < RUNGS; i++) {
            vars[i] = fixture_var(engine);
            rungs[i] = (inner){.var = vars[i > 0 ? i - 1 : 0], .older = &none};
            CHECK_OK(PUSH(engine, .run = i > 0 ? wait_inside : fixture_nothing, .arg = &rungs[i],
                          WRITES(vars[i]), .priority = i));
        }
        gate_open(&g);
        CHECK_OK(ps_wait_all(engine, NULL));
        for (int i = 0; i < RUNGS; i++) {
            CHECK_STATUS(rungs[i].status, PS_OK);
            ps_var_release(vars[i]);
        }
        CHECK_OK(ps_engine_destroy(engine));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_read_wait_ignores_readers),
        cmocka_unit_test(waits_cover_what_was_queued_before),
        cmocka_unit_test(a_write_wait_covers_readers),
        cmocka_unit_test(waits_for_nothing_return),
        cmocka_unit_test(a_limit_ends_each_wait),
        cmocka_unit_test(an_absurd_limit_is_no_limit),
        cmocka_unit_test(many_limits_pass_before_the_end),
        cmocka_unit_test(several_threads_wait_for_one_variable),
        cmocka_unit_test(a_task_waits_for_older_work),
        cmocka_unit_test(a_task_waits_for_running_work),
        cmocka_unit_test(waits_stack_up),
    };
    return FIXTURE_RUN(tests);
}
