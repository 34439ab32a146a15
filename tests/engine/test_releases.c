/* Arguments that belong to a frontend (PS_TASK_FRONTEND_ARG) are dropped by ps_releases_run alone,
 * on the thread that calls it; the hook releases_pending says when there are some. */
#include "fixture.h"

typedef struct owner {
    ps_hooks hooks;
    tally pending; /* calls of releases_pending */
} owner;

typedef struct argument {
    tally dropped;
    pthread_t thread; /* that dropped it */
} argument;

static void note_pending(void *state)
{
    tally_add(&((owner *)state)->pending);
}

static void drop_argument(void *arg)
{
    argument *a = arg;
    a->thread = pthread_self();
    tally_add(&a->dropped);
}

static void owner_enter(owner *o)
{
    *o = (owner){.hooks = {.size = sizeof(ps_hooks), .releases_pending = note_pending}};
    o->hooks.state = o;
    CHECK_OK(ps_thread_set_hooks(&o->hooks));
}

static ps_status push_owned(ps_engine *engine, argument *a, ps_task_fn run)
{
    return PUSH(engine, .run = run, .arg = a, .drop = drop_argument, .flags = PS_TASK_FRONTEND_ARG);
}

static void only_the_frontend_drops_them(void **state)
{
    (void)state;
    enum { TASKS = 10, ROUNDS = 3 };
    ps_engine *engine = fixture_engine(2);
    owner o;
    owner_enter(&o);
    assert_int_equal(ps_releases_run(engine), 0);
    for (uint32_t round = 1; round <= ROUNDS; round++) {
        argument arguments[TASKS];
        memset(arguments, 0, sizeof arguments);
        for (int i = 0; i < TASKS; i++)
            CHECK_OK(push_owned(engine, &arguments[i], fixture_nothing));
        CHECK_OK(ps_wait_all(engine, NULL));
        for (int i = 0; i < TASKS; i++)
            assert_int_equal(tally_read(&arguments[i].dropped), 0);
        assert_int_equal(tally_read(&o.pending), round); /* once, when the first came */
        assert_int_equal(ps_releases_run(engine), TASKS);
        assert_int_equal(ps_releases_run(engine), 0);
        for (int i = 0; i < TASKS; i++) {
            assert_int_equal(tally_read(&arguments[i].dropped), 1);
            assert_true(pthread_equal(arguments[i].thread, pthread_self()));
        }
    }
    CHECK_OK(ps_thread_set_hooks(NULL));
    CHECK_OK(ps_engine_destroy(engine));
}

/* Failed and skipped tasks have arguments too. */
static void failures_are_released_too(void **state)
{
    (void)state;
    ps_engine *engine = fixture_engine(1);
    ps_var *x = fixture_var(engine);
    owner o;
    owner_enter(&o);
    argument failed = {0}, skipped = {0};
    CHECK_OK(PUSH(engine, .run = fixture_failing, .arg = &failed, .drop = drop_argument, WRITES(x),
                  .flags = PS_TASK_FRONTEND_ARG));
    CHECK_OK(PUSH(engine, .run = fixture_nothing, .arg = &skipped, .drop = drop_argument, READS(x),
                  .flags = PS_TASK_FRONTEND_ARG));
    CHECK_STATUS(ps_wait_write(x, NULL), PS_ERR_TASK);
    CHECK_OK(ps_wait_all(engine, NULL));
    assert_int_equal(tally_read(&failed.dropped) + tally_read(&skipped.dropped), 0);
    assert_int_equal(ps_releases_run(engine), 2);
    assert_int_equal(tally_read(&failed.dropped), 1);
    assert_int_equal(tally_read(&skipped.dropped), 1);
    CHECK_STATUS(ps_wait_read(x, NULL), PS_ERR_TASK); /* the error outlives the argument */
    CHECK_OK(ps_thread_set_hooks(NULL));
    ps_var_release(x);
    CHECK_OK(ps_engine_destroy(engine));
}

/* A thread without hooks may push them too: somebody will run the releases. */
static void without_hooks_they_wait(void **state)
{
    (void)state;
    ps_engine *engine = fixture_engine(1);
    argument a = {0};
    CHECK_OK(push_owned(engine, &a, fixture_nothing));
    CHECK_OK(ps_wait_all(engine, NULL));
    assert_int_equal(tally_read(&a.dropped), 0);
    assert_int_equal(ps_releases_run(engine), 1);
    assert_int_equal(tally_read(&a.dropped), 1);
    CHECK_OK(ps_engine_destroy(engine));
}

/* Without the flag nothing waits for the frontend. */
static void other_arguments_are_dropped_at_once(void **state)
{
    (void)state;
    ps_engine *engine = fixture_engine(1);
    owner o;
    owner_enter(&o);
    argument a = {0};
    CHECK_OK(PUSH(engine, .run = fixture_nothing, .arg = &a, .drop = drop_argument));
    CHECK_OK(ps_wait_all(engine, NULL));
    assert_int_equal(tally_read(&a.dropped), 1);
    assert_int_equal(tally_read(&o.pending), 0);
    assert_int_equal(ps_releases_run(engine), 0);
    CHECK_OK(ps_thread_set_hooks(NULL));
    CHECK_OK(ps_engine_destroy(engine));
}

/* Destruction needs no frontend: what it leaves is released when the frontend comes to it. */
static void released_after_the_engine(void **state)
{
    (void)state;
    ps_engine *engine = fixture_engine(1);
    argument arguments[3];
    memset(arguments, 0, sizeof arguments);
    for (int i = 0; i < 3; i++)
        CHECK_OK(push_owned(engine, &arguments[i], fixture_nothing));
    CHECK_OK(ps_engine_destroy(engine));
    for (int i = 0; i < 3; i++)
        assert_int_equal(tally_read(&arguments[i].dropped), 0);
    assert_int_equal(ps_releases_run(engine), 3);
    for (int i = 0; i < 3; i++)
        assert_int_equal(tally_read(&arguments[i].dropped), 1);
}

static void released_while_more_come(void **state)
{
    (void)state;
    enum { TASKS = FIXTURE_SCALED(20000) };
    ps_engine *engine = fixture_engine(2);
    owner o;
    owner_enter(&o);
    tally dropped = {0};
    size_t released = 0;
    for (int i = 0; i < TASKS; i++) {
        CHECK_OK(PUSH(engine, .run = fixture_nothing, .arg = &dropped, .drop = tally_drop,
                      .flags = PS_TASK_FRONTEND_ARG));
        if (i % 7 == 0)
            released += ps_releases_run(engine);
    }
    CHECK_OK(ps_wait_all(engine, NULL));
    released += ps_releases_run(engine);
    assert_int_equal(released, TASKS);
    assert_int_equal(tally_read(&dropped), TASKS);
    CHECK_OK(ps_thread_set_hooks(NULL));
    CHECK_OK(ps_engine_destroy(engine));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_the_frontend_drops_them),
        cmocka_unit_test(failures_are_released_too),
        cmocka_unit_test(without_hooks_they_wait),
        cmocka_unit_test(other_arguments_are_dropped_at_once),
        cmocka_unit_test(released_after_the_engine),
        cmocka_unit_test(released_while_more_come),
    };
    return FIXTURE_RUN(tests);
}
