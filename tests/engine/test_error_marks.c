/* A failure marks what the task writes; the mark flows to all that is computed from it and
 * nowhere else; of several, the oldest wins; a wait raises it each time; only a complete
 * overwrite clears it. */
#include "fixture.h"

/* The error that a wait must have raised on this thread. */
static ps_error_info last_info(void)
{
    ps_error_info info = {.size = sizeof info};
    CHECK_OK(ps_last_error_info(&info));
    return info;
}

typedef struct trouble {
    ps_status status;
    const char *text;
    uint64_t sequence; /* of the task, written by it */
    gate *gate;        /* passed before it fails, if there is one */
} trouble;

static ps_status make_trouble(ps_task *self, void *arg)
{
    trouble *t = arg;
    t->sequence = ps_task_sequence(self);
    if (t->gate != NULL)
        gate_task(self, t->gate);
    return ps_task_fail(self, t->status, "%s", t->text);
}

static void the_mark_flows(void **state)
{
    (void)state;
    ps_engine *engine = fixture_engine(2);
    ps_var *x = fixture_var(engine), *y = fixture_var(engine), *z = fixture_var(engine);
    ps_var *w = fixture_var(engine);
    trouble t = {.status = PS_ERR_SYSTEM, .text = "disk 7 is full"};
    tally ran = {0}, dropped = {0};
    CHECK_OK(
        PUSH(engine, .run = make_trouble, .arg = &t, WRITES(x), .name = "alpha", .location = 4711));
    CHECK_OK(PUSH(engine, .run = tally_task, .arg = &ran, READS(x), WRITES(y), .name = "beta"));
    CHECK_OK(PUSH(engine, .run = tally_task, .arg = &dropped, .drop = tally_drop, READS(w, y),
                  WRITES(z, w), .name = "gamma"));
    ps_var *marked[] = {x, y, z, w};
    for (int i = 0; i < 4; i++) {
        CHECK_STATUS(ps_wait_read(marked[i], NULL), PS_ERR_SYSTEM);
        ps_error_info info = last_info();
        assert_int_equal(info.status, PS_ERR_SYSTEM);
        assert_int_equal(info.sequence, t.sequence);
        assert_string_equal(info.operation, "alpha");
        assert_int_equal(info.location, 4711);
        assert_non_null(strstr(info.message, "disk 7 is full"));
        assert_non_null(strstr(ps_last_error(), "disk 7 is full"));
        assert_true(ps_var_is_ready(marked[i]));
    }
    assert_int_equal(tally_read(&ran), 0);
    assert_int_equal(tally_read(&dropped), 1); /* by its drop, not by its function */
    ps_engine_stats stats = fixture_stats(engine);
    assert_int_equal(stats.failed, 1);
    assert_int_equal(stats.skipped, 2);
    for (int i = 0; i < 4; i++)
        ps_var_release(marked[i]);
    CHECK_OK(ps_engine_destroy(engine));
}

static void every_wait_raises_it(void **state)
{
    (void)state;
    ps_engine *engine = fixture_engine(1);
    ps_var *x = fixture_var(engine);
    CHECK_OK(fixture_push(engine, fixture_failing, NULL, NULL, x));
    for (int i = 0; i < 3; i++) {
        CHECK_STATUS(ps_wait_read(x, NULL), PS_ERR_TASK);
        CHECK_STATUS(ps_wait_write(x, NULL), PS_ERR_TASK);
        CHECK_STATUS(ps_wait_read(x, LOOK), PS_ERR_TASK);
    }
    ps_var_release(x);
    CHECK_OK(ps_engine_destroy(engine));
}

static void a_complete_overwrite_clears_it(void **state)
{
    (void)state;
    ps_engine *engine = fixture_engine(2);
    ps_var *x = fixture_var(engine), *y = fixture_var(engine);
    tally ran = {0};
    CHECK_OK(fixture_push(engine, fixture_failing, NULL, NULL, x));
    CHECK_OK(PUSH(engine, .run = tally_task, .arg = &ran, READS(x), WRITES(x))); /* in place */
    CHECK_STATUS(ps_wait_read(x, NULL), PS_ERR_TASK);
    CHECK_OK(PUSH(engine, .run = tally_task, .arg = &ran, READS(x, x), WRITES(x, x)));
    CHECK_STATUS(ps_wait_read(x, NULL), PS_ERR_TASK);
    assert_int_equal(tally_read(&ran), 0);
    CHECK_OK(PUSH(engine, .run = tally_task, .arg = &ran, WRITES(x, x))); /* twice is once */
    CHECK_OK(ps_wait_read(x, NULL));
    assert_int_equal(tally_read(&ran), 1);
    CHECK_OK(PUSH(engine, .run = tally_task, .arg = &ran, READS(x), WRITES(y)));
    CHECK_OK(ps_wait_read(y, NULL));
    assert_int_equal(tally_read(&ran), 2);
    ps_var_release(x);
    ps_var_release(y);
    CHECK_OK(ps_engine_destroy(engine));
}

/* A task between a failure and its overwrite sees the mark; one after it does not, whatever the
 * order in which they are found ready. */
static void each_reader_sees_its_own_version(void **state)
{
    (void)state;
    ps_engine *engine = fixture_engine(2);
    for (int round = 0; round < FIXTURE_SCALED(200); round++) {
        ps_var *x = fixture_var(engine), *before = fixture_var(engine);
        ps_var *between = fixture_var(engine), *after = fixture_var(engine);
        CHECK_OK(fixture_push(engine, fixture_nothing, NULL, NULL, x));
        CHECK_OK(fixture_push(engine, fixture_nothing, NULL, x, before));
        CHECK_OK(fixture_push(engine, fixture_failing, NULL, NULL, x));
        CHECK_OK(fixture_push(engine, fixture_nothing, NULL, x, between));
        CHECK_OK(fixture_push(engine, fixture_nothing, NULL, NULL, x));
        CHECK_OK(fixture_push(engine, fixture_nothing, NULL, x, after));
        CHECK_OK(ps_wait_read(after, NULL));
        CHECK_STATUS(ps_wait_read(between, NULL), PS_ERR_TASK);
        CHECK_OK(ps_wait_read(before, NULL));
        CHECK_OK(ps_wait_read(x, NULL));
        ps_var_release(x);
        ps_var_release(before);
        ps_var_release(between);
        ps_var_release(after);
    }
    CHECK_OK(ps_engine_destroy(engine));
}

/* Being pushed after, or overwriting what a marked task reads, is no dependence on the value. */
static void order_alone_carries_no_mark(void **state)
{
    (void)state;
    ps_engine *engine = fixture_engine(2);
    ps_var *x = fixture_var(engine), *y = fixture_var(engine), *z = fixture_var(engine);
    tally ran = {0};
    CHECK_OK(fixture_push(engine, fixture_failing, NULL, y, x));
    CHECK_OK(fixture_push(engine, fixture_nothing, NULL, x, z)); /* marked */
    CHECK_OK(fixture_push(engine, tally_task, &ran, NULL, y));   /* write after read */
    CHECK_OK(fixture_push(engine, tally_task, &ran, y, NULL));
    CHECK_OK(fixture_push(engine, tally_task, &ran, NULL, x)); /* write after write */
    CHECK_OK(ps_wait_read(y, NULL));
    CHECK_OK(ps_wait_read(x, NULL));
    CHECK_STATUS(ps_wait_read(z, NULL), PS_ERR_TASK);
    CHECK_OK(ps_wait_all(engine, NULL));
    assert_int_equal(tally_read(&ran), 3);
    ps_var_release(x);
    ps_var_release(y);
    ps_var_release(z);
    CHECK_OK(ps_engine_destroy(engine));
}

static void unrelated_variables_stay_usable(void **state)
{
    (void)state;
    ps_engine *engine = fixture_engine(2);
    ps_var *bad = fixture_var(engine), *good = fixture_var(engine);
    tally ran = {0};
    for (int i = 0; i < 100; i++) {
        CHECK_OK(fixture_push(engine, fixture_failing, NULL, bad, bad));
        CHECK_OK(fixture_push(engine, tally_task, &ran, good, good));
    }
    CHECK_OK(ps_wait_read(good, NULL));
    CHECK_OK(ps_wait_write(good, NULL));
    assert_int_equal(tally_read(&ran), 100);
    CHECK_STATUS(ps_wait_read(bad, NULL), PS_ERR_TASK);
    assert_int_equal(fixture_stats(engine).failed, 1); /* the others read what it marked */
    ps_var_release(bad);
    ps_var_release(good);
    CHECK_OK(ps_engine_destroy(engine));
}

/* The older one fails later; the sets name them in both orders. */
static void the_oldest_wins(void **state)
{
    (void)state;
    for (int order = 0; order < 4; order++) {
        ps_engine *engine = fixture_engine(2);
        ps_var *x = fixture_var(engine), *y = fixture_var(engine), *z = fixture_var(engine);
        gate g = {0};
        trouble first = {.status = PS_ERR_TASK, .text = "first", .gate = &g};
        trouble second = {.status = PS_ERR_SYSTEM, .text = "second"};
        CHECK_OK(fixture_push(engine, make_trouble, &first, NULL, x));
        gate_wait_inside(&g, 1);
        CHECK_OK(fixture_push(engine, make_trouble, &second, NULL, y));
        if (order & 1)
            CHECK_STATUS(ps_wait_read(y, NULL), PS_ERR_SYSTEM);
        ps_var *both[] = {x, y}, *turned[] = {y, x};
        CHECK_OK(PUSH(engine, .run = fixture_nothing, .reads = order & 2 ? turned : both,
                      .nreads = 2, WRITES(z)));
        gate_open(&g);
        CHECK_STATUS(ps_wait_read(z, NULL), PS_ERR_TASK);
        assert_int_equal(last_info().sequence, first.sequence);
        assert_true(first.sequence < second.sequence);
        CHECK_STATUS(ps_wait_read(y, NULL), PS_ERR_SYSTEM);
        ps_var_release(x);
        ps_var_release(y);
        ps_var_release(z);
        CHECK_OK(ps_engine_destroy(engine));
    }
}

/* A variable marked by an old error, then by a younger failure that overwrote it. */
static void the_last_writer_decides_the_mark(void **state)
{
    (void)state;
    ps_engine *engine = fixture_engine(1);
    ps_var *x = fixture_var(engine);
    trouble first = {.status = PS_ERR_TASK, .text = "first"};
    trouble second = {.status = PS_ERR_SYSTEM, .text = "second"};
    CHECK_OK(fixture_push(engine, make_trouble, &first, NULL, x));
    CHECK_OK(fixture_push(engine, make_trouble, &second, NULL, x));
    CHECK_STATUS(ps_wait_read(x, NULL), PS_ERR_SYSTEM);
    assert_int_equal(last_info().sequence, second.sequence);
    ps_var_release(x);
    CHECK_OK(ps_engine_destroy(engine));
}

typedef struct always {
    ps_status seen;
    tally ran;
} always;

static ps_status look_at_mark(ps_task *self, void *arg)
{
    always *a = arg;
    a->seen = ps_task_error(self);
    tally_add(&a->ran);
    return PS_OK;
}

static void some_tasks_run_all_the_same(void **state)
{
    (void)state;
    ps_engine *engine = fixture_engine(1);
    ps_var *x = fixture_var(engine), *y = fixture_var(engine);
    always marked = {0}, unmarked = {.seen = PS_ERR_TASK};
    CHECK_OK(fixture_push(engine, fixture_failing, NULL, NULL, x));
    CHECK_OK(PUSH(engine, .run = look_at_mark, .arg = &marked, READS(x), .flags = PS_TASK_ALWAYS));
    CHECK_OK(
        PUSH(engine, .run = look_at_mark, .arg = &unmarked, READS(y), .flags = PS_TASK_ALWAYS));
    tally_wait(&marked.ran, 1);
    tally_wait(&unmarked.ran, 1);
    CHECK_STATUS(ps_wait_write(y, NULL), PS_OK);
    assert_int_equal(marked.seen, PS_ERR_TASK);
    assert_int_equal(unmarked.seen, PS_OK);
    CHECK_STATUS(ps_wait_read(x, NULL), PS_ERR_TASK);
    ps_var_release(x);
    ps_var_release(y);
    CHECK_OK(ps_engine_destroy(engine));
}

static ps_status return_number(ps_task *self, void *arg)
{
    (void)self;
    return (ps_status)(intptr_t)arg;
}

/* Whatever a function returns, success is PS_OK alone. */
static void any_other_value_is_a_failure(void **state)
{
    (void)state;
    ps_engine *engine = fixture_engine(1);
    ps_var *x = fixture_var(engine);
    static const intptr_t values[] = {PS_ERR_MEMORY, 17, 999, -1, INT32_MAX, INT32_MIN};
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        CHECK_OK(fixture_push(engine, return_number, (void *)values[i], NULL, x));
        assert_int_not_equal(ps_wait_read(x, NULL), PS_OK);
        assert_true(strlen(ps_last_error()) > 0);
        CHECK_OK(ps_wait_all(engine, NULL));
    }
    ps_var_release(x);
    CHECK_OK(ps_engine_destroy(engine));
}

/* Without a text, a name and a location there is still something to say. */
static void a_nameless_failure_has_a_text(void **state)
{
    (void)state;
    ps_engine *engine = fixture_engine(1);
    ps_var *x = fixture_var(engine);
    CHECK_OK(fixture_push(engine, return_number, (void *)PS_ERR_TASK, NULL, x));
    CHECK_STATUS(ps_wait_read(x, NULL), PS_ERR_TASK);
    ps_error_info info = last_info();
    assert_non_null(info.operation);
    assert_true(info.message != NULL && strlen(info.message) > 0);
    assert_int_equal(info.location, 0);
    CHECK_STATUS(ps_wait_read(NULL, NULL), PS_ERR_ARGUMENT); /* a call's own failure */
    info = last_info();
    assert_int_equal(info.status, PS_ERR_ARGUMENT);
    assert_int_equal(info.sequence, 0);
    assert_null(info.operation);
    ps_var_release(x);
    CHECK_OK(ps_engine_destroy(engine));
}

static ps_status fail_at_length(ps_task *self, void *arg)
{
    return ps_task_fail(self, PS_ERR_TASK, "%s", (const char *)arg);
}

static void a_very_long_text_is_cut(void **state)
{
    (void)state;
    ps_engine *engine = fixture_engine(1);
    ps_var *x = fixture_var(engine);
    static char text[100000];
    memset(text, 'x', sizeof text - 1);
    CHECK_OK(fixture_push(engine, fail_at_length, text, NULL, x));
    CHECK_STATUS(ps_wait_read(x, NULL), PS_ERR_TASK);
    assert_non_null(strstr(ps_last_error(), "xxxxxxxx"));
    ps_var_release(x);
    CHECK_OK(ps_engine_destroy(engine));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_mark_flows),
        cmocka_unit_test(every_wait_raises_it),
        cmocka_unit_test(a_complete_overwrite_clears_it),
        cmocka_unit_test(each_reader_sees_its_own_version),
        cmocka_unit_test(order_alone_carries_no_mark),
        cmocka_unit_test(unrelated_variables_stay_usable),
        cmocka_unit_test(the_oldest_wins),
        cmocka_unit_test(the_last_writer_decides_the_mark),
        cmocka_unit_test(some_tasks_run_all_the_same),
        cmocka_unit_test(any_other_value_is_a_failure),
        cmocka_unit_test(a_nameless_failure_has_a_text),
        cmocka_unit_test(a_very_long_text_is_cut),
    };
    return FIXTURE_RUN(tests);
}
