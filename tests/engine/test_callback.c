/* Callbacks: exactly once, on a worker, when the writes queued before are complete; and never if
 * the registration failed. */
#include "fixture.h"

typedef struct listener {
    tally called;
    pthread_t thread; /* written before `called` is raised */
    ps_status status;
} listener;

static void hear(void *arg, ps_status status)
{
    listener *l = arg;
    l->thread = pthread_self();
    l->status = status;
    tally_add(&l->called);
}

static ps_status note_thread(ps_task *self, void *arg)
{
    (void)self;
    *(pthread_t *)arg = pthread_self();
    return PS_OK;
}

static void a_ready_variable_calls_back_on_a_worker(void **state)
{
    (void)state;
    ps_engine *engine = fixture_engine(1);
    ps_var *x = fixture_var(engine);
    listener l = {0};
    CHECK_OK(ps_var_on_ready(x, hear, &l));
    tally_wait(&l.called, 1);
    assert_int_equal(l.status, PS_OK);
    assert_false(pthread_equal(l.thread, pthread_self()));
    pthread_t worker;
    CHECK_OK(PUSH(engine, .run = note_thread, .arg = &worker, .kind = PS_FRONTEND));
    CHECK_OK(ps_wait_all(engine, NULL));
    assert_true(pthread_equal(l.thread, worker));
    ps_var_release(x);
    CHECK_OK(ps_engine_destroy(engine));
    assert_int_equal(tally_read(&l.called), 1);
}

/* Also when this thread waits, and so helps with everything else. */
static void waiting_threads_do_not_run_callbacks(void **state)
{
    (void)state;
    enum { CALLS = 500 };
    ps_engine *engine = fixture_engine(1);
    ps_var *x = fixture_var(engine);
    static listener listeners[CALLS];
    for (int i = 0; i < CALLS; i++) {
        CHECK_OK(fixture_push(engine, fixture_nothing, NULL, x, x));
        CHECK_OK(ps_var_on_ready(x, hear, &listeners[i]));
        if (i % 10 == 0)
            CHECK_OK(ps_wait_read(x, NULL));
    }
    for (int i = 0; i < CALLS; i++) {
        tally_wait(&listeners[i].called, 1);
        assert_false(pthread_equal(listeners[i].thread, pthread_self()));
    }
    ps_var_release(x);
    CHECK_OK(ps_engine_destroy(engine));
    for (int i = 0; i < CALLS; i++)
        assert_int_equal(tally_read(&listeners[i].called), 1);
}

static void only_earlier_writes_delay_it(void **state)
{
    (void)state;
    ps_engine *engine = fixture_engine(2);
    ps_var *x = fixture_var(engine);
    gate first = {0}, second = {0}, reader = {0};
    listener before = {0}, between = {0}, after = {0};
    CHECK_OK(ps_var_on_ready(x, hear, &before));
    tally_wait(&before.called, 1);
    CHECK_OK(fixture_push(engine, gate_task, &first, NULL, x));
    CHECK_OK(ps_var_on_ready(x, hear, &between));
    CHECK_OK(fixture_push(engine, gate_task, &second, NULL, x));
    CHECK_OK(ps_var_on_ready(x, hear, &after));
    gate_wait_inside(&first, 1);
    assert_int_equal(tally_read(&between.called), 0);
    gate_open(&first);
    tally_wait(&between.called, 1);
    assert_int_equal(tally_read(&after.called), 0);
    gate_wait_inside(&second, 1);
    CHECK_OK(fixture_push(engine, gate_task, &reader, x, NULL));
    assert_int_equal(tally_read(&after.called), 0);
    gate_open(&second);
    tally_wait(&after.called, 1); /* although the reader is shut in */
    gate_open(&reader);
    ps_var_release(x);
    CHECK_OK(ps_engine_destroy(engine));
}

static void the_mark_is_passed_on(void **state)
{
    (void)state;
    ps_engine *engine = fixture_engine(1);
    ps_var *x = fixture_var(engine);
    listener early = {0}, late = {0}, cleared = {0};
    CHECK_OK(fixture_push(engine, fixture_failing, NULL, NULL, x));
    CHECK_OK(ps_var_on_ready(x, hear, &early));
    tally_wait(&early.called, 1);
    assert_int_equal(early.status, PS_ERR_TASK);
    CHECK_OK(ps_var_on_ready(x, hear, &late));
    tally_wait(&late.called, 1);
    assert_int_equal(late.status, PS_ERR_TASK);
    CHECK_OK(fixture_push(engine, fixture_nothing, NULL, NULL, x));
    CHECK_OK(ps_var_on_ready(x, hear, &cleared));
    tally_wait(&cleared.called, 1);
    assert_int_equal(cleared.status, PS_OK);
    CHECK_STATUS(ps_wait_all(engine, NULL), PS_ERR_TASK); /* a callback is no wait: unseen */
    ps_var_release(x);
    CHECK_OK(ps_engine_destroy(engine));
}

static void a_failed_registration_never_calls(void **state)
{
    (void)state;
    ps_engine *engine = fixture_engine(1);
    ps_var *x = fixture_var(engine);
    listener l = {0};
    CHECK_STATUS(ps_var_on_ready(x, NULL, &l), PS_ERR_ARGUMENT);
    CHECK_STATUS(ps_var_on_ready(NULL, hear, &l), PS_ERR_ARGUMENT);
    CHECK_OK(fixture_push(engine, fixture_nothing, NULL, NULL, x));
    CHECK_OK(ps_wait_all(engine, NULL));
    CHECK_OK(ps_engine_destroy(engine));
    CHECK_STATUS(ps_var_on_ready(x, hear, &l), PS_ERR_CLOSED);
    assert_int_equal(tally_read(&l.called), 0);
    ps_var_release(x);
}

/* The variable's last handle goes before its write is complete. */
static void a_released_variable_still_calls_back(void **state)
{
    (void)state;
    ps_engine *engine = fixture_engine(1);
    ps_var *x = fixture_var(engine);
    gate g = {0};
    listener l = {0};
    CHECK_OK(fixture_push(engine, gate_task, &g, NULL, x));
    CHECK_OK(ps_var_on_ready(x, hear, &l));
    ps_var_release(x);
    gate_open(&g);
    tally_wait(&l.called, 1);
    CHECK_OK(ps_engine_destroy(engine));
    assert_int_equal(tally_read(&l.called), 1);
}

typedef struct chain {
    ps_engine *engine;
    ps_var *x;
    tally pushed, ran, wrong;
} chain;

static void push_next(void *arg, ps_status status)
{
    chain *c = arg;
    if (status != PS_OK || fixture_push(c->engine, tally_task, &c->ran, NULL, c->x) != PS_OK)
        tally_add(&c->wrong);
    tally_add(&c->pushed);
    if (tally_read(&c->pushed) < 100 && ps_var_on_ready(c->x, push_next, c) != PS_OK)
        tally_add(&c->wrong);
}

static void callbacks_push_and_register(void **state)
{
    (void)state;
    chain c = {.engine = fixture_engine(1)};
    c.x = fixture_var(c.engine);
    CHECK_OK(ps_var_on_ready(c.x, push_next, &c));
    tally_wait(&c.ran, 100);
    assert_int_equal(tally_read(&c.wrong), 0);
    ps_var_release(c.x);
    CHECK_OK(ps_engine_destroy(c.engine));
}

/* Each push runs before it returns; the callback still comes, and from elsewhere. */
static void synchronous_engines_call_back_too(void **state)
{
    (void)state;
    ps_engine *engine = fixture_engine_in(1, PS_MODE_SYNC);
    ps_var *x = fixture_var(engine);
    listener l = {0};
    CHECK_OK(fixture_push(engine, fixture_nothing, NULL, NULL, x));
    CHECK_OK(ps_var_on_ready(x, hear, &l));
    tally_wait(&l.called, 1);
    assert_false(pthread_equal(l.thread, pthread_self()));
    ps_var_release(x);
    CHECK_OK(ps_engine_destroy(engine));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ready_variable_calls_back_on_a_worker),
        cmocka_unit_test(waiting_threads_do_not_run_callbacks),
        cmocka_unit_test(only_earlier_writes_delay_it),
        cmocka_unit_test(the_mark_is_passed_on),
        cmocka_unit_test(a_failed_registration_never_calls),
        cmocka_unit_test(a_released_variable_still_calls_back),
        cmocka_unit_test(callbacks_push_and_register),
        cmocka_unit_test(synchronous_engines_call_back_too),
    };
    return FIXTURE_RUN(tests);
}
