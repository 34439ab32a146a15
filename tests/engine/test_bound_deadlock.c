/* The bound cannot deadlock: a pusher is not held back when only it can make the queue move on. */
#include "fixture.h"

enum { BEHIND = 5000 }; /* more than the default bound */

typedef struct deferred {
    ps_token token;
    tally returned;
} deferred;

static ps_status defer_task(ps_task *self, void *arg)
{
    deferred *d = arg;
    ps_status status = ps_task_defer(self, &d->token);
    tally_add(&d->returned);
    return status;
}

static void operations_behind_a_task_that_the_pusher_completes(void **state)
{
    (void)state;
    for (unsigned workers = 1; workers <= 2; workers++) {
        ps_engine *engine = fixture_engine(workers);
        ps_var *x = fixture_var(engine);
        deferred d = {0};
        tally ran = {0};
        CHECK_OK(fixture_push(engine, defer_task, &d, NULL, x));
        tally_wait(&d.returned, 1);
        for (int i = 0; i < BEHIND; i++)
            CHECK_OK(PUSH(engine, .run = tally_task, .arg = &ran, READS(x), .bytes = 1 << 20));
        assert_int_equal(tally_read(&ran), 0);
        CHECK_OK(ps_complete(d.token, PS_OK, NULL));
        CHECK_OK(ps_wait_all(engine, NULL));
        assert_int_equal(tally_read(&ran), BEHIND);
        ps_var_release(x);
        CHECK_OK(ps_engine_destroy(engine));
    }
}

/* Between them there is always something that can run, to the last. */
static void other_work_in_between(void **state)
{
    (void)state;
    ps_engine *engine = fixture_engine(1);
    ps_var *x = fixture_var(engine);
    deferred d = {0};
    tally ran = {0};
    CHECK_OK(fixture_push(engine, defer_task, &d, NULL, x));
    tally_wait(&d.returned, 1);
    for (int i = 0; i < BEHIND; i++) {
        CHECK_OK(fixture_push(engine, tally_task, &ran, x, NULL));
        CHECK_OK(fixture_push(engine, tally_task, &ran, NULL, NULL));
    }
    CHECK_OK(ps_complete(d.token, PS_OK, NULL));
    CHECK_OK(ps_wait_all(engine, NULL));
    assert_int_equal(tally_read(&ran), 2 * BEHIND);
    ps_var_release(x);
    CHECK_OK(ps_engine_destroy(engine));
}

typedef struct nested {
    ps_var *x;
    tally inside;
    ps_status status;
} nested;

static ps_status wait_for_deferred(ps_task *self, void *arg)
{
    nested *n = arg;
    (void)self;
    tally_add(&n->inside);
    n->status = ps_wait_read(n->x, NULL);
    return PS_OK;
}

/* A worker is inside a task, but that only waits for what the pusher is going to complete. What is
 * ready meanwhile does not count either if that worker alone may run it. */
static void push_behind_a_task_that_waits(ps_kind kind)
{
    ps_engine *engine = fixture_engine(1);
    ps_var *x = fixture_var(engine);
    deferred d = {0};
    tally ran = {0};
    nested n = {.x = x};
    CHECK_OK(fixture_push(engine, defer_task, &d, NULL, x));
    tally_wait(&d.returned, 1);
    CHECK_OK(fixture_push(engine, wait_for_deferred, &n, NULL, NULL));
    tally_wait(&n.inside, 1);
    for (int i = 0; i < BEHIND; i++)
        CHECK_OK(fixture_push(engine, tally_task, &ran, x, NULL)); /* no younger write */
    CHECK_OK(PUSH(engine, .run = tally_task, .arg = &ran, .kind = kind));
    for (int i = 0; i < BEHIND; i++)
        CHECK_OK(fixture_push(engine, tally_task, &ran, x, NULL));
    CHECK_OK(ps_complete(d.token, PS_OK, NULL));
    CHECK_OK(ps_wait_all(engine, NULL));
    assert_int_equal(tally_read(&ran), 2 * BEHIND + 1);
    CHECK_STATUS(n.status, PS_OK);
    ps_var_release(x);
    CHECK_OK(ps_engine_destroy(engine));
}

static void a_task_that_waits_is_not_running(void **state)
{
    (void)state;
    push_behind_a_task_that_waits(PS_COMPUTE);
    push_behind_a_task_that_waits(PS_FRONTEND);
}

/* Only workers may run these, and the queue is full of them. */
static void tasks_that_a_pusher_must_not_run(void **state)
{
    (void)state;
    ps_engine *engine = fixture_engine(1);
    ps_bound bound = {.size = sizeof bound};
    tally ran = {0};
    CHECK_OK(ps_engine_bound(engine, &bound));
    bound.ops = 8;
    CHECK_OK(ps_engine_set_bound(engine, &bound));
    for (int i = 0; i < FIXTURE_SCALED(5000); i++)
        CHECK_OK(PUSH(engine, .run = tally_task, .arg = &ran, .kind = PS_FRONTEND));
    CHECK_OK(ps_wait_all(engine, NULL));
    assert_int_equal(tally_read(&ran), FIXTURE_SCALED(5000));
    CHECK_OK(ps_engine_destroy(engine));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(operations_behind_a_task_that_the_pusher_completes),
        cmocka_unit_test(other_work_in_between),
        cmocka_unit_test(a_task_that_waits_is_not_running),
        cmocka_unit_test(tasks_that_a_pusher_must_not_run),
    };
    return FIXTURE_RUN(tests);
}
