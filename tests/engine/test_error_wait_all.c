/* Waiting for everything raises each failure that nobody has seen once, the oldest first; failures
 * of one operation at one place are raised as one, which counts them, and so are those beyond 64. No
 * failure is lost because its output was released. */
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

static ps_error_info last_info(void)
{
    ps_error_info info = {.size = sizeof info};
    CHECK_OK(ps_last_error_info(&info));
    return info;
}

static uint64_t last_sequence(void)
{
    return last_info().sequence;
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
    for (ps_status status; (status = ps_wait_all(engine, NULL)) != PS_OK; ++*kept) {
        CHECK_STATUS(status, PS_ERR_TASK);
        assert_true(last_sequence() > before);
        before = last_sequence();
        more += last_info().more;
    }
    return (uint64_t)*kept + more;
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
    uint64_t told = 1 + last_info().more; /* it came late, if it stands for others */
    assert_int_equal(told + drain(engine, &kept), MANY);
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

/* ---- failures that are alike ------------------------------------------------------------- */

/* What a task fails with, and where it says that it was pushed. */
typedef struct kind {
    const char *name;
    uint64_t location;
    ps_status status;
} kind;

static ps_status fail_by_kind(ps_task *self, void *arg)
{
    return ps_task_fail(self, ((const kind *)arg)->status, "of its kind");
}

static void push_kind(ps_engine *engine, const kind *of, ps_var *write)
{
    CHECK_OK(PUSH(engine, .run = fail_by_kind, .arg = (void *)of, .name = of->name,
                  .location = of->location, .writes = &write, .nwrites = write != NULL));
}

/* The next failure is of this kind and stands for `more` others. */
static void check_next(ps_engine *engine, const kind *of, uint64_t more)
{
    CHECK_STATUS(ps_wait_all(engine, NULL), of->status);
    ps_error_info info = last_info();
    assert_string_equal(info.operation, of->name);
    assert_int_equal(info.location, of->location);
    assert_int_equal(info.more, more);
    char text[64] = "of its kind";
    if (more != 0)
        snprintf(text, sizeof text, "of its kind, and %d more of the same", (int)more);
    assert_string_equal(info.message, text);
}

static void a_loop_that_fails_is_one_failure(void **state)
{
    (void)state;
    enum { FAILURES = FIXTURE_SCALED(100000) };
    static const kind take = {"take", 7, PS_ERR_INDEX};
    for (unsigned workers = 1; workers <= 8; workers += 7) {
        ps_engine *engine = fixture_engine(workers);
        for (int i = 0; i < FAILURES; i++)
            push_kind(engine, &take, NULL);
        check_next(engine, &take, FAILURES - 1);
        assert_int_equal(fixture_stats(engine).unseen_errors, 0);
        CHECK_OK(ps_wait_all(engine, NULL));
        CHECK_OK(ps_engine_destroy(engine));
    }
}

/* Another name, another place or another status is another failure. */
static void the_first_of_each_kind_is_kept(void **state)
{
    (void)state;
    static const kind kinds[] = {{"take", 7, PS_ERR_INDEX},
                                 {"take", 8, PS_ERR_INDEX},
                                 {"put", 7, PS_ERR_INDEX},
                                 {"take", 7, PS_ERR_MEMORY},
                                 {"random", 9, PS_ERR_ARGUMENT}};
    enum { KINDS = sizeof kinds / sizeof kinds[0], ROUNDS = 20 };
    ps_engine *engine = fixture_engine(2);
    for (int i = 0; i < KINDS * ROUNDS; i++)
        push_kind(engine, &kinds[i % KINDS], NULL);
    for (int i = 0; i < KINDS; i++)
        check_next(engine, &kinds[i], ROUNDS - 1);
    CHECK_OK(ps_wait_all(engine, NULL));
    CHECK_OK(ps_engine_destroy(engine));
}

/* Fails after all that was pushed so before it: which ones are kept depends on the order. */
static void push_in_order(ps_engine *engine, const kind *of, ps_var *chain)
{
    CHECK_OK(PUSH(engine, .run = fail_by_kind, .arg = (void *)of, .name = of->name,
                  .location = of->location, READS(chain), WRITES(chain), .flags = PS_TASK_ALWAYS));
}

/* More places than are kept, and of other statuses few failures: those are kept too, and nothing
 * but what tasks failed with is returned. */
static void beyond_them_each_status_is_kept(void **state)
{
    (void)state;
    enum { PLACES = KEPT + 10 };
    static kind kinds[PLACES];
    static const kind late[] = {{"other", 1, PS_ERR_MEMORY}, {"other", 1, PS_ERR_ARGUMENT}};
    ps_engine *engine = fixture_engine(2);
    ps_var *chain = fixture_var(engine);
    for (int i = 0; i < PLACES; i++) {
        kinds[i] = (kind){"take", (uint64_t)i + 1, PS_ERR_INDEX};
        push_in_order(engine, &kinds[i], chain);
    }
    for (int i = 0; i < 6; i++)
        push_in_order(engine, &late[i % 2], chain);
    for (int i = 0; i < KEPT - 1; i++)
        check_next(engine, &kinds[i], 0);
    CHECK_STATUS(ps_wait_all(engine, NULL), PS_ERR_INDEX);
    assert_int_equal(last_info().more, PLACES - KEPT);
    assert_non_null(strstr(ps_last_error(), "and 10 further failures"));
    check_next(engine, &late[0], 2);
    check_next(engine, &late[1], 2);
    CHECK_OK(ps_wait_all(engine, NULL));
    ps_var_release(chain);
    CHECK_OK(ps_engine_destroy(engine));
}

/* Pushes failures that are alike and lets all of them happen, raising none. */
static void fail_alike(ps_engine *engine, const kind *of, ps_var **x, int count)
{
    ps_var *after = fixture_var(engine);
    for (int i = 0; i < count; i++)
        push_kind(engine, of, x[i] = fixture_var(engine));
    while (fixture_stats(engine).unfinished != 0) {
        CHECK_OK(fixture_push(engine, fixture_nothing, NULL, NULL, after));
        CHECK_OK(ps_wait_read(after, NULL));
    }
    ps_var_release(after);
}

/* A wait of its own takes a failure out of the count, be it the one that stands for the others. */
static void what_is_seen_by_itself_is_not_counted(void **state)
{
    (void)state;
    enum { ALIKE = 10 };
    static const kind take = {"take", 7, PS_ERR_INDEX};
    ps_engine *engine = fixture_engine(1);
    ps_var *x[ALIKE];
    for (int seen = 1; seen <= ALIKE; seen++)
        for (int from = 0; from + seen <= ALIKE; from++) {
            fail_alike(engine, &take, x, ALIKE);
            for (int i = from; i < from + seen; i++) {
                CHECK_STATUS(ps_wait_read(x[i], NULL), PS_ERR_INDEX);
                CHECK_STATUS(ps_wait_write(x[i], NULL), PS_ERR_INDEX); /* is seen already */
            }
            uint64_t left = (uint64_t)(ALIKE - seen);
            assert_int_equal(fixture_stats(engine).unseen_errors, left);
            if (left != 0)
                check_next(engine, &take, from == 0 ? left : left - 1);
            CHECK_OK(ps_wait_all(engine, NULL));
            for (int i = 0; i < ALIKE; i++)
                ps_var_release(x[i]);
        }
    CHECK_OK(ps_engine_destroy(engine));
}

/* What was told in a count is told: seeing it later changes no later count. */
static void a_told_failure_is_in_no_later_count(void **state)
{
    (void)state;
    static const kind take = {"take", 7, PS_ERR_INDEX};
    ps_engine *engine = fixture_engine(2);
    ps_var *x = fixture_var(engine);
    push_kind(engine, &take, NULL);
    push_kind(engine, &take, x);
    check_next(engine, &take, 1);
    for (int i = 0; i < 5; i++)
        push_kind(engine, &take, NULL);
    CHECK_STATUS(ps_wait_read(x, NULL), PS_ERR_INDEX);
    check_next(engine, &take, 4);
    CHECK_OK(ps_wait_all(engine, NULL));
    ps_var_release(x);
    CHECK_OK(ps_engine_destroy(engine));
}

/* A long text gives way to the count. */
static ps_status fail_at_length(ps_task *self, void *arg)
{
    (void)arg;
    char text[1000];
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = 0;
    return ps_task_fail(self, PS_ERR_TASK, "%s", text);
}

static void the_count_is_never_cut_off(void **state)
{
    (void)state;
    ps_engine *engine = fixture_engine(1);
    for (int i = 0; i < 3; i++)
        CHECK_OK(PUSH(engine, .run = fail_at_length, .location = 1));
    CHECK_STATUS(ps_wait_all(engine, NULL), PS_ERR_TASK);
    assert_non_null(strstr(ps_last_error(), "xx, and 2 more of the same"));
    CHECK_OK(ps_wait_all(engine, NULL));
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
        cmocka_unit_test(a_loop_that_fails_is_one_failure),
        cmocka_unit_test(the_first_of_each_kind_is_kept),
        cmocka_unit_test(beyond_them_each_status_is_kept),
        cmocka_unit_test(what_is_seen_by_itself_is_not_counted),
        cmocka_unit_test(a_told_failure_is_in_no_later_count),
        cmocka_unit_test(the_count_is_never_cut_off),
        cmocka_unit_test(a_dropped_failure_is_raised),
        cmocka_unit_test(a_failure_inside_a_task_of_a_task),
        cmocka_unit_test(a_failure_by_a_completion_call),
    };
    return FIXTURE_RUN(tests);
}
