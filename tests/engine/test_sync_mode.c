/* Synchronous mode: each push runs its task before it returns, and returns its error. By engine,
 * by thread, by the environment. */
#include "fixture.h"

static void check_synchronous(ps_engine *engine)
{
    ps_var *x = fixture_var(engine), *y = fixture_var(engine);
    tally ran = {0}, dropped = {0};
    for (uint32_t i = 1; i <= 200; i++) {
        CHECK_OK(PUSH(engine, .run = tally_task, .arg = &ran, READS(x, y), WRITES(i % 2 ? x : y)));
        assert_int_equal(tally_read(&ran), i);
        assert_true(ps_var_is_ready(x));
    }
    CHECK_OK(PUSH(engine, .run = fixture_nothing, .arg = &dropped, .drop = tally_drop));
    assert_int_equal(tally_read(&dropped), 1);
    assert_int_equal(fixture_stats(engine).unfinished, 0);
    ps_var_release(x);
    ps_var_release(y);
}

static void an_engine_of_its_own(void **state)
{
    (void)state;
    ps_engine *engine = fixture_engine_in(2, PS_MODE_SYNC);
    check_synchronous(engine);
    CHECK_OK(ps_engine_destroy(engine));
}

static void a_thread_over_any_engine(void **state)
{
    (void)state;
    ps_engine *engine = fixture_engine(2);
    assert_int_equal(ps_thread_mode(), PS_MODE_DEFAULT);
    CHECK_OK(ps_thread_set_mode(PS_MODE_SYNC));
    assert_int_equal(ps_thread_mode(), PS_MODE_SYNC);
    check_synchronous(engine);
    CHECK_OK(ps_thread_set_mode(PS_MODE_DEFAULT));
    CHECK_OK(ps_engine_destroy(engine));
}

static void a_thread_can_ask_for_the_opposite(void **state)
{
    (void)state;
    ps_engine *engine = fixture_engine_in(1, PS_MODE_SYNC);
    gate g = {0};
    CHECK_OK(ps_thread_set_mode(PS_MODE_ASYNC));
    CHECK_OK(fixture_push(engine, gate_task, &g, NULL, NULL)); /* returns, although shut */
    gate_open(&g);
    CHECK_OK(ps_wait_all(engine, NULL));
    CHECK_OK(ps_thread_set_mode(PS_MODE_DEFAULT));
    check_synchronous(engine);
    CHECK_OK(ps_engine_destroy(engine));
}

static void *mode_of_a_thread(void *arg)
{
    *(ps_mode *)arg = ps_thread_mode();
    return NULL;
}

static void the_mode_belongs_to_one_thread(void **state)
{
    (void)state;
    ps_mode other = PS_MODE_SYNC;
    pthread_t thread;
    CHECK_OK(ps_thread_set_mode(PS_MODE_SYNC));
    assert_int_equal(pthread_create(&thread, NULL, mode_of_a_thread, &other), 0);
    pthread_join(thread, NULL);
    assert_int_equal(other, PS_MODE_DEFAULT);
    CHECK_OK(ps_thread_set_mode(PS_MODE_DEFAULT));
    CHECK_STATUS(ps_thread_set_mode((ps_mode)3), PS_ERR_ARGUMENT);
    assert_int_equal(ps_thread_mode(), PS_MODE_DEFAULT);
}

static void the_environment_decides(void **state)
{
    (void)state;
    setenv("PENSTOCK_ENGINE", "sync", 1);
    ps_engine *engine = fixture_engine_in(1, PS_MODE_DEFAULT);
    check_synchronous(engine);
    CHECK_OK(ps_engine_destroy(engine));
    engine = fixture_engine_in(1, PS_MODE_ASYNC); /* an option beats the environment */
    gate g = {0};
    CHECK_OK(fixture_push(engine, gate_task, &g, NULL, NULL));
    gate_open(&g);
    CHECK_OK(ps_engine_destroy(engine));
    setenv("PENSTOCK_ENGINE", "async", 1);
    engine = fixture_engine_in(1, PS_MODE_DEFAULT);
    gate h = {0};
    CHECK_OK(fixture_push(engine, gate_task, &h, NULL, NULL));
    gate_open(&h);
    CHECK_OK(ps_engine_destroy(engine));
    unsetenv("PENSTOCK_ENGINE");
}

/* Raised at the call; the task counts as queued all the same, and its mark flows. */
static void errors_are_raised_at_the_call(void **state)
{
    (void)state;
    ps_engine *engine = fixture_engine_in(1, PS_MODE_SYNC);
    ps_var *x = fixture_var(engine), *y = fixture_var(engine);
    tally ran = {0}, dropped = {0};
    uint64_t version = 0;
    CHECK_STATUS(PUSH(engine, .run = fixture_failing, .arg = &dropped, .drop = tally_drop,
                      WRITES(x), .name = "culprit", .location = 99),
                 PS_ERR_TASK);
    ps_error_info info = {.size = sizeof info};
    CHECK_OK(ps_last_error_info(&info));
    assert_string_equal(info.operation, "culprit");
    assert_int_equal(info.location, 99);
    assert_non_null(strstr(info.message, "on purpose"));
    assert_int_equal(tally_read(&dropped), 1);
    CHECK_OK(ps_var_version(x, &version));
    assert_int_equal(version, 1);
    assert_int_equal(fixture_stats(engine).pushed, 1);
    CHECK_OK(ps_wait_all(engine, NULL)); /* the call has raised it */
    CHECK_STATUS(ps_wait_read(x, NULL), PS_ERR_TASK);
    CHECK_STATUS(fixture_push(engine, tally_task, &ran, x, y), PS_ERR_TASK); /* marked input */
    assert_int_equal(tally_read(&ran), 0);
    CHECK_STATUS(ps_wait_read(y, NULL), PS_ERR_TASK);
    CHECK_OK(fixture_push(engine, tally_task, &ran, NULL, x));
    CHECK_OK(ps_wait_read(x, NULL));
    ps_var_release(x);
    ps_var_release(y);
    CHECK_OK(ps_engine_destroy(engine));
}

typedef struct parent {
    ps_engine *engine;
    ps_var *x;
    int value; /* guarded by the order on x */
    int seen_at_end;
    int depth;
    tally ran, failed;
} parent;

static ps_status nested_child(ps_task *self, void *arg)
{
    parent *p = arg;
    (void)self;
    p->value++;
    tally_add(&p->ran);
    return PS_OK;
}

/* The child writes what the parent reads: it can only run after it. */
static ps_status nested_parent(ps_task *self, void *arg)
{
    parent *p = arg;
    (void)self;
    if (fixture_push(p->engine, nested_child, p, NULL, p->x) != PS_OK)
        tally_add(&p->failed);
    p->seen_at_end = p->value;
    return PS_OK;
}

static void a_child_that_depends_on_its_parent(void **state)
{
    (void)state;
    for (int writes = 0; writes < 2; writes++) {
        parent p = {.engine = fixture_engine_in(1, PS_MODE_SYNC)};
        p.x = fixture_var(p.engine);
        CHECK_OK(
            fixture_push(p.engine, nested_parent, &p, writes ? NULL : p.x, writes ? p.x : NULL));
        CHECK_OK(ps_wait_all(p.engine, NULL));
        assert_int_equal(p.seen_at_end, 0);
        assert_int_equal(tally_read(&p.ran), 1);
        assert_int_equal(tally_read(&p.failed), 0);
        assert_int_equal(p.value, 1);
        ps_var_release(p.x);
        CHECK_OK(ps_engine_destroy(p.engine));
    }
}

/* Waits for what it may not wait for: the call fails on the thread that runs it. */
static ps_status fail_a_call(ps_task *self, void *arg)
{
    parent *p = arg;
    (void)self;
    if (ps_wait_all(p->engine, NULL) != PS_ERR_DEADLOCK)
        tally_add(&p->failed);
    tally_add(&p->ran);
    return PS_OK;
}

static ps_status fail_with_a_child(ps_task *self, void *arg)
{
    parent *p = arg;
    if (PUSH(p->engine, .run = fail_a_call, .arg = p, READS(p->x), .flags = PS_TASK_ALWAYS,
             .cost_ns = 100) != PS_OK)
        tally_add(&p->failed);
    return fixture_failing(self, NULL);
}

/* The only worker is inside of a gate: this thread runs both, the child last. */
static void the_error_is_that_of_the_push(void **state)
{
    (void)state;
    parent p = {.engine = fixture_engine(1)};
    gate g = {0};
    ps_error_info info = {.size = sizeof info};
    p.x = fixture_var(p.engine);
    CHECK_OK(fixture_push(p.engine, gate_task, &g, NULL, NULL));
    gate_wait_inside(&g, 1);
    CHECK_OK(ps_thread_set_mode(PS_MODE_SYNC));
    CHECK_STATUS(PUSH(p.engine, .run = fail_with_a_child, .arg = &p, WRITES(p.x),
                      .name = "culprit"),
                 PS_ERR_TASK);
    CHECK_OK(ps_last_error_info(&info));
    assert_int_equal(info.status, PS_ERR_TASK);
    assert_string_equal(info.operation, "culprit");
    assert_string_equal(info.message, "on purpose");
    CHECK_OK(ps_thread_set_mode(PS_MODE_DEFAULT));
    gate_open(&g);
    CHECK_OK(ps_wait_all(p.engine, NULL));
    assert_int_equal(tally_read(&p.ran), 1);
    assert_int_equal(tally_read(&p.failed), 0);
    ps_var_release(p.x);
    CHECK_OK(ps_engine_destroy(p.engine));
}

static ps_status nested_deeply(ps_task *self, void *arg)
{
    parent *p = arg;
    (void)self;
    tally_add(&p->ran);
    if (--p->depth > 0 && fixture_push(p->engine, nested_deeply, p, NULL, NULL) != PS_OK)
        tally_add(&p->failed);
    return PS_OK;
}

static void pushes_inside_pushes(void **state)
{
    (void)state;
    parent p = {.engine = fixture_engine_in(1, PS_MODE_SYNC), .depth = 100};
    CHECK_OK(fixture_push(p.engine, nested_deeply, &p, NULL, NULL));
    CHECK_OK(ps_wait_all(p.engine, NULL));
    tally_wait(&p.ran, 100);
    assert_int_equal(tally_read(&p.failed), 0);
    CHECK_OK(ps_engine_destroy(p.engine));
}

/* A failing child is not the parent's failure unless the parent says so. */
static ps_status ignore_child(ps_task *self, void *arg)
{
    parent *p = arg;
    (void)self;
    fixture_push(p->engine, fixture_failing, NULL, NULL, NULL);
    return PS_OK;
}

static void a_failing_child(void **state)
{
    (void)state;
    parent p = {.engine = fixture_engine_in(1, PS_MODE_SYNC)};
    CHECK_OK(fixture_push(p.engine, ignore_child, &p, NULL, NULL));
    ps_status status = ps_wait_all(p.engine, NULL);
    assert_true(status == PS_OK || status == PS_ERR_TASK); /* raised inside, or now */
    CHECK_OK(ps_wait_all(p.engine, NULL));
    assert_int_equal(fixture_stats(p.engine).failed, 1);
    CHECK_OK(ps_engine_destroy(p.engine));
}

typedef struct mixture {
    ps_engine *engine;
    ps_var *x;
    gate gate;
    tally ran;
    ps_status status;
    uint32_t seen;
} mixture;

static void *push_synchronously(void *arg)
{
    mixture *m = arg;
    ps_thread_set_mode(PS_MODE_SYNC);
    m->status = fixture_push(m->engine, tally_task, &m->ran, m->x, m->x);
    m->seen = tally_read(&m->ran);
    return NULL;
}

/* Another thread's asynchronous task stands before it: the push waits for that one too. */
static void behind_asynchronous_work(void **state)
{
    (void)state;
    mixture m = {.engine = fixture_engine(1)};
    m.x = fixture_var(m.engine);
    pthread_t thread;
    CHECK_OK(fixture_push(m.engine, gate_task, &m.gate, NULL, m.x));
    gate_wait_inside(&m.gate, 1);
    assert_int_equal(pthread_create(&thread, NULL, push_synchronously, &m), 0);
    while (fixture_stats(m.engine).pushed < 2)
        step_aside();
    assert_int_equal(tally_read(&m.ran), 0);
    gate_open(&m.gate);
    pthread_join(thread, NULL);
    CHECK_STATUS(m.status, PS_OK);
    assert_int_equal(m.seen, 1);
    ps_var_release(m.x);
    CHECK_OK(ps_engine_destroy(m.engine));
}

typedef struct later {
    ps_token token;
    tally deferred;
    ps_status result;
} later;

static ps_status defer_task(ps_task *self, void *arg)
{
    later *l = arg;
    ps_status status = ps_task_defer(self, &l->token);
    tally_add(&l->deferred);
    return status;
}

static void *complete_later(void *arg)
{
    later *l = arg;
    tally_reaches(&l->deferred, 1);
    ps_complete(l->token, l->result, "later");
    return NULL;
}

/* The push returns when the task is complete, with what the completion call said. */
static void a_task_that_finishes_later(void **state)
{
    (void)state;
    ps_engine *engine = fixture_engine_in(1, PS_MODE_SYNC);
    ps_var *x = fixture_var(engine);
    for (int fails = 0; fails < 2; fails++) {
        later l = {.result = fails ? PS_ERR_SYSTEM : PS_OK};
        pthread_t thread;
        assert_int_equal(pthread_create(&thread, NULL, complete_later, &l), 0);
        CHECK_STATUS(fixture_push(engine, defer_task, &l, NULL, x), l.result);
        assert_true(ps_var_is_ready(x));
        pthread_join(thread, NULL);
    }
    ps_var_release(x);
    CHECK_OK(ps_engine_destroy(engine));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_engine_of_its_own),
        cmocka_unit_test(a_thread_over_any_engine),
        cmocka_unit_test(a_thread_can_ask_for_the_opposite),
        cmocka_unit_test(the_mode_belongs_to_one_thread),
        cmocka_unit_test(the_environment_decides),
        cmocka_unit_test(errors_are_raised_at_the_call),
        cmocka_unit_test(a_child_that_depends_on_its_parent),
        cmocka_unit_test(the_error_is_that_of_the_push),
        cmocka_unit_test(pushes_inside_pushes),
        cmocka_unit_test(a_failing_child),
        cmocka_unit_test(behind_asynchronous_work),
        cmocka_unit_test(a_task_that_finishes_later),
    };
    return FIXTURE_RUN(tests);
}
