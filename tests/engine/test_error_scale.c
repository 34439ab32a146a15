/* Failures in numbers: 10^6 that are dropped keep memory flat; a failed task with a chain of 10^6
 * dependents neither recurses nor leaks. */
#include "process.h"

enum {
    FAILURES = FIXTURE_SCALED(1000000),
    CHAIN = FIXTURE_SCALED(1000000),
    STACK = FIXTURE_SANITIZED ? 512 * 1024 : 64 * 1024,
    FLAT = 8 << 20 /* growth that is noise */
};

static void fail_and_drop(ps_engine *engine, int count)
{
    for (int i = 0; i < count; i++) {
        ps_var *x = fixture_var(engine);
        CHECK_OK(fixture_push(engine, fixture_failing, NULL, NULL, x));
        ps_var_release(x);
    }
}

static void a_million_dropped_failures(void **state)
{
    (void)state;
    ps_engine *engine = fixture_engine(2);
    fail_and_drop(engine, FAILURES / 10);
    uint64_t before = process_resident();
    fail_and_drop(engine, FAILURES - FAILURES / 10);
    if (!FIXTURE_SANITIZED) /* they keep what is freed */
        assert_true(process_resident() < before + FLAT);
    uint64_t raised = 0;
    ps_error_info info = {.size = sizeof info};
    ps_status status;
    for (; (status = ps_wait_all(engine, NULL)) == PS_ERR_TASK; raised += 1 + info.more)
        CHECK_OK(ps_last_error_info(&info));
    CHECK_OK(status);
    assert_int_equal(raised, FAILURES);
    assert_int_equal(fixture_stats(engine).failed, FAILURES);
    CHECK_OK(ps_engine_destroy(engine));
}

typedef struct deep {
    ps_engine *engine;
    gate *gate;
    ps_status last, all, again; /* of the waits */
    bool fine;                  /* every other call succeeded */
    tally ran, dropped;
} deep;

static ps_status fail_behind_gate(ps_task *self, void *arg)
{
    deep *d = arg;
    gate_task(self, d->gate);
    return ps_task_fail(self, PS_ERR_SYSTEM, "at the head");
}

static ps_status count_run(ps_task *self, void *arg)
{
    (void)self;
    tally_add(&((deep *)arg)->ran);
    return PS_OK;
}

static void count_drop(void *arg)
{
    tally_add(&((deep *)arg)->dropped);
}

/* Each task reads what the one before it wrote; nobody else holds those variables. */
static void *push_chain(void *arg)
{
    deep *d = arg;
    ps_var *last = NULL;
    d->fine = ps_var_create(d->engine, &last) == PS_OK &&
              fixture_push(d->engine, fail_behind_gate, d, NULL, last) == PS_OK &&
              tally_reaches(&d->gate->inside, 1);
    for (int i = 0; i < CHAIN && d->fine; i++) {
        ps_var *next = NULL;
        d->fine = ps_var_create(d->engine, &next) == PS_OK &&
                  PUSH(d->engine, .run = count_run, .arg = d, .drop = count_drop, READS(last),
                       WRITES(next)) == PS_OK;
        ps_var_release(last);
        last = next;
    }
    gate_open(d->gate);
    d->last = ps_wait_read(last, NULL);
    d->all = ps_wait_all(d->engine, NULL);
    ps_var_release(last);
    d->again = ps_wait_all(d->engine, NULL);
    return NULL;
}

static void on_a_small_stack(void *(*body)(void *), void *arg)
{
    pthread_attr_t attributes;
    pthread_t thread;
    assert_int_equal(pthread_attr_init(&attributes), 0);
    assert_int_equal(pthread_attr_setstacksize(&attributes, STACK), 0);
    assert_int_equal(pthread_create(&thread, &attributes, body, arg), 0);
    pthread_join(thread, NULL);
    pthread_attr_destroy(&attributes);
}

static void set_no_bound(ps_engine *engine)
{
    ps_bound bound = {.size = sizeof bound};
    CHECK_OK(ps_engine_bound(engine, &bound));
    bound.ops = 4 * (uint64_t)CHAIN;
    CHECK_OK(ps_engine_set_bound(engine, &bound));
}

static void a_million_dependents(void **state)
{
    (void)state;
    gate g = {0};
    deep d = {.engine = fixture_engine(1), .gate = &g};
    set_no_bound(d.engine);
    on_a_small_stack(push_chain, &d);
    assert_true(d.fine);
    assert_int_equal(d.last, PS_ERR_SYSTEM);
    assert_int_equal(d.all, PS_OK);
    assert_int_equal(d.again, PS_OK);
    assert_int_equal(tally_read(&d.ran), 0);
    assert_int_equal(tally_read(&d.dropped), CHAIN);
    ps_engine_stats stats = fixture_stats(d.engine);
    assert_int_equal(stats.failed, 1);
    assert_int_equal(stats.skipped, CHAIN);
    assert_int_equal(stats.unfinished, 0);
    CHECK_OK(ps_engine_destroy(d.engine));
}

/* One failed variable, read by all of them at once. */
static void *push_fan(void *arg)
{
    deep *d = arg;
    ps_var *x = NULL;
    d->fine = ps_var_create(d->engine, &x) == PS_OK &&
              fixture_push(d->engine, fail_behind_gate, d, NULL, x) == PS_OK &&
              tally_reaches(&d->gate->inside, 1);
    for (int i = 0; i < CHAIN / 4 && d->fine; i++)
        d->fine =
            PUSH(d->engine, .run = count_run, .arg = d, .drop = count_drop, READS(x)) == PS_OK;
    gate_open(d->gate);
    d->last = ps_wait_write(x, NULL);
    d->all = ps_wait_all(d->engine, NULL);
    ps_var_release(x);
    return NULL;
}

static void many_readers_of_one_failure(void **state)
{
    (void)state;
    gate g = {0};
    deep d = {.engine = fixture_engine(1), .gate = &g};
    set_no_bound(d.engine);
    on_a_small_stack(push_fan, &d);
    assert_true(d.fine);
    assert_int_equal(d.last, PS_ERR_SYSTEM);
    assert_int_equal(d.all, PS_OK);
    assert_int_equal(tally_read(&d.ran), 0);
    assert_int_equal(tally_read(&d.dropped), CHAIN / 4);
    CHECK_OK(ps_engine_destroy(d.engine));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_million_dropped_failures),
        cmocka_unit_test(a_million_dependents),
        cmocka_unit_test(many_readers_of_one_failure),
    };
    return FIXTURE_RUN(tests);
}
