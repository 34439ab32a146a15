/* Taking a failure that nobody has seen, without a wait: what is complete is told, the oldest
 * first, and nothing is run or waited for. */
#include "fixture.h"

static ps_status fail_by_number(ps_task *self, void *arg)
{
    return ps_task_fail(self, PS_ERR_TASK, "number %d", *(const int *)arg);
}

static uint64_t last_sequence(void)
{
    ps_error_info info = {.size = sizeof info};
    CHECK_OK(ps_last_error_info(&info));
    return info.sequence;
}

/* Until every task queued so far is complete, without raising anything. */
static void let_run(ps_engine *engine)
{
    ps_var *x = fixture_var(engine);
    while (fixture_stats(engine).unfinished != 0) {
        CHECK_OK(fixture_push(engine, fixture_nothing, NULL, NULL, x));
        CHECK_OK(ps_wait_read(x, NULL));
    }
    ps_var_release(x);
}

static void there_is_none(void **state)
{
    (void)state;
    ps_engine *engine = fixture_engine(2);
    CHECK_OK(ps_engine_take_error(engine));
    CHECK_OK(fixture_push(engine, fixture_nothing, NULL, NULL, NULL));
    CHECK_OK(ps_wait_all(engine, NULL));
    CHECK_OK(ps_engine_take_error(engine));
    CHECK_OK(ps_engine_destroy(engine));
}

static void the_oldest_first_then_the_next(void **state)
{
    (void)state;
    enum { FAILURES = 5 };
    ps_engine *engine = fixture_engine(2);
    static const int numbers[FAILURES] = {0, 1, 2, 3, 4};
    for (int i = 0; i < FAILURES; i++)
        CHECK_OK(fixture_push(engine, fail_by_number, (void *)&numbers[i], NULL, NULL));
    let_run(engine);
    uint64_t before = 0;
    for (int i = 0; i < FAILURES; i++) {
        char text[32];
        snprintf(text, sizeof text, "number %d", i);
        CHECK_STATUS(ps_engine_take_error(engine), PS_ERR_TASK);
        assert_non_null(strstr(ps_last_error(), text));
        assert_true(last_sequence() > before);
        before = last_sequence();
        assert_int_equal(fixture_stats(engine).unseen_errors, FAILURES - 1 - i);
    }
    CHECK_OK(ps_engine_take_error(engine));
    CHECK_OK(ps_wait_all(engine, NULL));
    CHECK_OK(ps_engine_destroy(engine));
}

/* What was taken is seen; the mark on the variable stays. */
static void it_and_waits_share_what_is_seen(void **state)
{
    (void)state;
    ps_engine *engine = fixture_engine(2);
    ps_var *x = fixture_var(engine), *y = fixture_var(engine);
    CHECK_OK(fixture_push(engine, fixture_failing, NULL, NULL, x));
    CHECK_OK(fixture_push(engine, fixture_failing, NULL, NULL, y));
    let_run(engine);
    CHECK_STATUS(ps_wait_read(x, NULL), PS_ERR_TASK);
    CHECK_STATUS(ps_engine_take_error(engine), PS_ERR_TASK);
    CHECK_OK(ps_engine_take_error(engine));
    CHECK_STATUS(ps_wait_read(y, NULL), PS_ERR_TASK);
    ps_var_release(x);
    ps_var_release(y);
    CHECK_OK(ps_engine_destroy(engine));
}

static void many_are_counted(void **state)
{
    (void)state;
    enum { KEPT = 64, MANY = 100 };
    ps_engine *engine = fixture_engine(2);
    for (int i = 0; i < MANY; i++)
        CHECK_OK(fixture_push(engine, fixture_failing, NULL, NULL, NULL));
    let_run(engine);
    uint64_t told = 0;
    ps_error_info info = {.size = sizeof info};
    for (int i = 0; i < KEPT; i++) {
        CHECK_STATUS(ps_engine_take_error(engine), PS_ERR_TASK);
        CHECK_OK(ps_last_error_info(&info));
        told += 1 + info.more;
    }
    assert_int_equal(told, MANY);
    CHECK_OK(ps_engine_take_error(engine));
    CHECK_OK(ps_engine_destroy(engine));
}

/* The only worker is inside the gate, and the failure behind it is not run by the call. */
static void nothing_is_run_or_waited_for(void **state)
{
    (void)state;
    ps_engine *engine = fixture_engine(1);
    gate g = {0};
    CHECK_OK(fixture_push(engine, gate_task, &g, NULL, NULL));
    gate_wait_inside(&g, 1);
    CHECK_OK(fixture_push(engine, fixture_failing, NULL, NULL, NULL));
    CHECK_OK(ps_engine_take_error(engine));
    assert_int_equal(fixture_stats(engine).unfinished, 2);
    gate_open(&g);
    let_run(engine);
    CHECK_STATUS(ps_engine_take_error(engine), PS_ERR_TASK);
    CHECK_OK(ps_engine_destroy(engine));
}

typedef struct asking {
    ps_engine *engine;
    ps_status taken;
} asking;

static ps_status take_inside(ps_task *self, void *arg)
{
    (void)self;
    asking *asked = arg;
    asked->taken = ps_engine_take_error(asked->engine);
    return PS_OK;
}

/* It is no wait: a task may ask too. */
static void from_inside_a_task(void **state)
{
    (void)state;
    asking asked = {fixture_engine(1), PS_OK};
    CHECK_OK(fixture_push(asked.engine, fixture_failing, NULL, NULL, NULL));
    let_run(asked.engine);
    CHECK_OK(fixture_push(asked.engine, take_inside, &asked, NULL, NULL));
    CHECK_OK(ps_wait_all(asked.engine, NULL));
    assert_int_equal(asked.taken, PS_ERR_TASK);
    CHECK_OK(ps_engine_destroy(asked.engine));
}

static void what_it_refuses(void **state)
{
    (void)state;
    CHECK_STATUS(ps_engine_take_error(NULL), PS_ERR_ARGUMENT);
    ps_engine *engine = fixture_engine(1);
    CHECK_OK(fixture_push(engine, fixture_failing, NULL, NULL, NULL));
    CHECK_OK(ps_engine_destroy(engine));
    CHECK_STATUS(ps_engine_take_error(engine), PS_ERR_CLOSED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(there_is_none),
        cmocka_unit_test(the_oldest_first_then_the_next),
        cmocka_unit_test(it_and_waits_share_what_is_seen),
        cmocka_unit_test(many_are_counted),
        cmocka_unit_test(nothing_is_run_or_waited_for),
        cmocka_unit_test(from_inside_a_task),
        cmocka_unit_test(what_it_refuses),
    };
    return FIXTURE_RUN(tests);
}
