/* Waiting for everything raises each failure that nobody has seen once, the oldest first; of many
 * 64 are kept and the rest are counted. No failure is lost because its output was released. */
#include "fixture.h"

typedef struct failing {
    uint64_t sequence; /* of the task, written by it */
    int number;
} failing;

static ps_status fail_by_number(ps_task *self, void *arg)
{
    failing *f = arg;
    f->sequence = ps_task_sequence(self);
    return ps_task_fail(self, PS_ERR_TASK, "number %d", f->number);
}

static uint64_t last_sequence(void)
{
    ps_error_info info = {.size = sizeof info};
    CHECK_OK(ps_last_error_info(&info));
    return info.sequence;
}

static void the_oldest_first_then_the_next(void **state)
{
    (void)state;
    enum { FAILURES = 10 };
    ps_engine *engine = fixture_engine(2);
    failing failures[FAILURES];
    for (int i = 0; i < FAILURES; i++) {
        failures[i] = (failing){.number = i};
        CHECK_OK(fixture_push(engine, fail_by_number, &failures[i], NULL, NULL));
    }
    for (int i = 0; i < FAILURES; i++) {
        char text[32];
        CHECK_STATUS(ps_wait_all(engine, NULL), PS_ERR_TASK);
        snprintf(text, sizeof text, "number %d", i);
        assert_non_null(strstr(ps_last_error(), text));
        assert_int_equal(last_sequence(), failures[i].sequence);
        assert_int_equal(fixture_stats(engine).unseen_errors, FAILURES - 1 - i);
    }
    CHECK_OK(ps_wait_all(engine, NULL));
    CHECK_OK(ps_engine_destroy(engine));
}

/* What a wait on a variable has raised is seen, for the root and so for all who share it. */
static void seen_errors_are_left_out(void **state)
{
    (void)state;
    ps_engine *engine = fixture_engine(2);
    ps_var *x = fixture_var(engine), *y = fixture_var(engine), *z = fixture_var(engine);
    failing first = {.number = 1}, second = {.number = 2};
    CHECK_OK(fixture_push(engine, fail_by_number, &first, NULL, x));
    CHECK_OK(fixture_push(engine, fixture_nothing, NULL, x, z));
    CHECK_OK(fixture_push(engine, fail_by_number, &second, NULL, y));
    CHECK_STATUS(ps_wait_read(z, NULL), PS_ERR_TASK);
    assert_int_equal(last_sequence(), first.sequence);
    CHECK_STATUS(ps_wait_all(engine, NULL), PS_ERR_TASK);
    assert_int_equal(last_sequence(), second.sequence);
    CHECK_OK(ps_wait_all(engine, NULL));
    CHECK_STATUS(ps_wait_read(x, NULL), PS_ERR_TASK); /* seen, but the mark stays */
    CHECK_STATUS(ps_wait_read(y, NULL), PS_ERR_TASK);
    CHECK_OK(ps_wait_all(engine, NULL));
    ps_var_release(x);
    ps_var_release(y);
    ps_var_release(z);
    CHECK_OK(ps_engine_destroy(engine));
}

/* A wait that only looked, or that gave up, has raised nothing. */
static void a_wait_that_gave_up_has_seen_nothing(void **state)
{
    (void)state;
    ps_engine *engine = fixture_engine(1);
    gate g = {0};
    failing f = {.number = 1};
    CHECK_OK(fixture_push(engine, fail_by_number, &f, NULL, NULL));
    CHECK_OK(fixture_push(engine, gate_task, &g, NULL, NULL));
    gate_wait_inside(&g, 1); /* on the one worker: the failure is over */
    CHECK_STATUS(ps_wait_all(engine, LOOK), PS_ERR_TIMEOUT);
    CHECK_STATUS(ps_wait_all(engine, WITHIN_MS(1)), PS_ERR_TIMEOUT);
    gate_open(&g);
    CHECK_STATUS(ps_wait_all(engine, NULL), PS_ERR_TASK);
    CHECK_OK(ps_wait_all(engine, NULL));
    CHECK_OK(ps_engine_destroy(engine));
}

enum { KEPT = 64, MANY = 200 };

/* How many failures one wait after the other reports, in ascending order. */
static uint64_t drain(ps_engine *engine, int *kept)
{
    uint64_t before = 0, more = 0;
    *kept = 0;
    for (;;) {
        ps_status status = ps_wait_all(engine, NULL);
        if (status == PS_OK)
            return (uint64_t)*kept + more;
        if (status == PS_ERR_MORE) {
            assert_int_equal(more, 0);
            const char *digit = ps_last_error() + strcspn(ps_last_error(), "0123456789");
            more = strtoull(digit, NULL, 10);
            assert_true(more > 0);
            continue;
        }
        CHECK_STATUS(status, PS_ERR_TASK);
        assert_int_equal(more, 0); /* the count comes last */
        assert_true(last_sequence() > before);
        before = last_sequence();
        ++*kept;
    }
}

static void many_failures_with(unsigned workers)
{
    ps_engine *engine = fixture_engine(workers);
    static failing failures[MANY];
    gate g = {0};
    CHECK_OK(fixture_push(engine, gate_task, &g, NULL, NULL));
    for (int i = 0; i < MANY; i++) {
        failures[i] = (failing){.number = i};
        CHECK_OK(fixture_push(engine, fail_by_number, &failures[i], NULL, NULL));
    }
    gate_open(&g);
    int kept = 0;
    CHECK_STATUS(ps_wait_all(engine, NULL), PS_ERR_TASK);
    assert_int_equal(last_sequence(), failures[0].sequence);
    assert_int_equal(drain(engine, &kept), MANY - 1);
    assert_int_equal(kept, KEPT - 1);
    assert_int_equal(fixture_stats(engine).failed, MANY);
    assert_int_equal(fixture_stats(engine).unseen_errors, 0);
    CHECK_OK(ps_engine_destroy(engine));
}

static void beyond_sixty_four_they_are_counted(void **state)
{
    (void)state;
    many_failures_with(1);
    many_failures_with(2);
    many_failures_with(8);
}

/* One that was counted and is then raised by a wait of its own is counted no more. */
static void a_counted_failure_can_still_be_seen(void **state)
{
    (void)state;
    ps_engine *engine = fixture_engine(1);
    static failing failures[MANY];
    ps_var *last = fixture_var(engine);
    for (int i = 0; i < MANY; i++)
        CHECK_OK(
            fixture_push(engine, fail_by_number, &failures[i], NULL, i == MANY - 1 ? last : NULL));
    CHECK_STATUS(ps_wait_read(last, NULL), PS_ERR_TASK);
    int kept = 0;
    assert_int_equal(drain(engine, &kept), MANY - 1);
    ps_var_release(last);
    CHECK_OK(ps_engine_destroy(engine));
}

static void a_dropped_failure_is_raised(void **state)
{
    (void)state;
    ps_engine *engine = fixture_engine(2);
    for (int round = 0; round < FIXTURE_SCALED(500); round++) {
        ps_var *x = fixture_var(engine);
        failing f = {.number = round};
        CHECK_OK(fixture_push(engine, fail_by_number, &f, NULL, x));
        ps_var_release(x);
        CHECK_STATUS(ps_wait_all(engine, NULL), PS_ERR_TASK);
        assert_int_equal(last_sequence(), f.sequence);
        CHECK_OK(ps_wait_all(engine, NULL));
    }
    CHECK_OK(ps_engine_destroy(engine));
}

static ps_status push_failing(ps_task *self, void *arg)
{
    (void)self;
    return fixture_push(arg, fixture_failing, NULL, NULL, NULL);
}

static void a_failure_inside_a_task_of_a_task(void **state)
{
    (void)state;
    ps_engine *engine = fixture_engine(2);
    CHECK_OK(fixture_push(engine, push_failing, engine, NULL, NULL));
    ps_status status = ps_wait_all(engine, NULL); /* the outer one; perhaps the inner one too */
    CHECK_STATUS(status != PS_OK ? status : ps_wait_all(engine, NULL), PS_ERR_TASK);
    CHECK_OK(ps_wait_all(engine, NULL));
    CHECK_OK(ps_engine_destroy(engine));
}

static ps_status defer_only(ps_task *self, void *arg)
{
    return ps_task_defer(self, arg);
}

static void a_failure_by_a_completion_call(void **state)
{
    (void)state;
    ps_engine *engine = fixture_engine(1);
    ps_token token = {0};
    gate behind = {0};
    CHECK_OK(fixture_push(engine, defer_only, &token, NULL, NULL));
    CHECK_OK(fixture_push(engine, gate_task, &behind, NULL, NULL));
    gate_wait_inside(&behind, 1); /* on the one worker: the first function has returned */
    gate_open(&behind);
    CHECK_OK(ps_complete(token, PS_ERR_TASK, "late"));
    CHECK_STATUS(ps_wait_all(engine, NULL), PS_ERR_TASK);
    assert_non_null(strstr(ps_last_error(), "late"));
    CHECK_OK(ps_wait_all(engine, NULL));
    CHECK_OK(ps_engine_destroy(engine));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_oldest_first_then_the_next),
        cmocka_unit_test(seen_errors_are_left_out),
        cmocka_unit_test(a_wait_that_gave_up_has_seen_nothing),
        cmocka_unit_test(beyond_sixty_four_they_are_counted),
        cmocka_unit_test(a_counted_failure_can_still_be_seen),
        cmocka_unit_test(a_dropped_failure_is_raised),
        cmocka_unit_test(a_failure_inside_a_task_of_a_task),
        cmocka_unit_test(a_failure_by_a_completion_call),
    };
    return FIXTURE_RUN(tests);
}
