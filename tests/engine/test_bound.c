/* The bound: how far a pusher may run ahead, in operations and in bytes; reported and settable;
 * never applied inside a task or while there is nothing to wait for.
 *
 * A worker at a gate makes the queue fill up behind it; the pusher is a thread of its own, and the
 * test sees in the statistics that it was held back. */
#include "fixture.h"

static ps_bound get_bound(ps_engine *engine)
{
    ps_bound bound = {.size = sizeof bound};
    CHECK_OK(ps_engine_bound(engine, &bound));
    return bound;
}

/* No limit but those that the test sets. */
static ps_bound no_bound(void)
{
    return (ps_bound){.size = sizeof(ps_bound),
                      .soft_bytes = UINT64_MAX,
                      .soft_ops_per_worker = 1000000,
                      .hard_bytes = UINT64_MAX,
                      .ops = UINT64_MAX};
}

typedef struct pusher {
    ps_engine *engine;
    ps_var *x;      /* read by all that it pushes */
    uint64_t bytes; /* of each task */
    uint32_t count;
    tally pushed, failed, ran, ended;
} pusher;

static ps_status count_run(ps_task *self, void *arg)
{
    (void)self;
    tally_add(&((pusher *)arg)->ran);
    return PS_OK;
}

static void *push_all(void *arg)
{
    pusher *p = arg;
    for (uint32_t i = 0; i < p->count; i++) {
        ps_status status = PUSH(p->engine, .run = count_run, .arg = p, .reads = &p->x,
                                .nreads = p->x != NULL, .bytes = p->bytes);
        tally_add(status == PS_OK ? &p->pushed : &p->failed);
    }
    tally_add(&p->ended);
    return NULL;
}

/* Until a push was held back. The engine tells, so this asks until it does. */
static void wait_held_back(ps_engine *engine)
{
    while (fixture_stats(engine).held_back == 0)
        step_aside();
}

/* Pushes behind a gate until held back; returns the statistics at that moment. */
static ps_engine_stats held_back_with(ps_bound bound, unsigned workers, uint64_t bytes)
{
    gate g = {0};
    pusher p = {.engine = fixture_engine(workers), .bytes = bytes, .count = 1000};
    p.x = fixture_var(p.engine);
    CHECK_OK(ps_engine_set_bound(p.engine, &bound));
    CHECK_OK(fixture_push(p.engine, gate_task, &g, NULL, p.x));
    gate_wait_inside(&g, 1);
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, push_all, &p), 0);
    wait_held_back(p.engine);
    ps_engine_stats stats = fixture_stats(p.engine);
    assert_true(tally_read(&p.pushed) < p.count);
    assert_int_equal(tally_read(&p.ran), 0);
    gate_open(&g);
    pthread_join(thread, NULL);
    CHECK_OK(ps_wait_all(p.engine, NULL));
    assert_int_equal(tally_read(&p.failed), 0);
    assert_int_equal(tally_read(&p.ran), p.count);
    assert_int_equal(fixture_stats(p.engine).unfinished, 0);
    assert_int_equal(fixture_stats(p.engine).queued_bytes, 0);
    ps_var_release(p.x);
    CHECK_OK(ps_engine_destroy(p.engine));
    return stats;
}

static void operations_are_bounded(void **state)
{
    (void)state;
    ps_bound bound = no_bound();
    bound.ops = 64;
    ps_engine_stats stats = held_back_with(bound, 1, 0);
    assert_true(stats.unfinished >= 64 && stats.unfinished <= 64 + 2);
}

static void bytes_are_bounded(void **state)
{
    (void)state;
    ps_bound bound = no_bound();
    bound.hard_bytes = 1000000;
    ps_engine_stats stats = held_back_with(bound, 1, 100000);
    assert_true(stats.queued_bytes >= 1000000 && stats.queued_bytes <= 1200000);
}

/* Above the soft limit of bytes a few operations per worker are still let through. */
static void soft_bytes_are_bounded(void **state)
{
    (void)state;
    ps_bound bound = no_bound();
    bound.soft_bytes = 1000000;
    bound.soft_ops_per_worker = 5;
    ps_engine_stats stats = held_back_with(bound, 2, 900000);
    assert_true(stats.unfinished >= 10 && stats.unfinished <= 10 + 2);
    stats = held_back_with(bound, 2, 20000);
    assert_true(stats.queued_bytes >= 1000000 && stats.queued_bytes <= 1040000);
}

/* While it runs freely, with the pusher helping. */
static void the_queue_never_overfills(void **state)
{
    (void)state;
    ps_bound bound = no_bound();
    bound.ops = 32;
    pusher p = {.engine = fixture_engine(2)};
    CHECK_OK(ps_engine_set_bound(p.engine, &bound));
    for (int i = 0; i < FIXTURE_SCALED(20000); i++) {
        CHECK_OK(PUSH(p.engine, .run = count_run, .arg = &p));
        assert_true(fixture_stats(p.engine).unfinished <= 32 + 1);
    }
    CHECK_OK(ps_wait_all(p.engine, NULL));
    CHECK_OK(ps_engine_destroy(p.engine));
}

static void several_pushers_share_the_bound(void **state)
{
    (void)state;
    enum { PUSHERS = 4 };
    ps_bound bound = no_bound();
    bound.ops = 16;
    pusher p = {.engine = fixture_engine(2), .count = FIXTURE_SCALED(10000)};
    pthread_t threads[PUSHERS];
    CHECK_OK(ps_engine_set_bound(p.engine, &bound));
    for (int i = 0; i < PUSHERS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, push_all, &p), 0);
    while (tally_read(&p.ended) < PUSHERS) {
        assert_true(fixture_stats(p.engine).unfinished <= 16 + PUSHERS);
        step_aside();
    }
    for (int i = 0; i < PUSHERS; i++)
        pthread_join(threads[i], NULL);
    CHECK_OK(ps_wait_all(p.engine, NULL));
    assert_int_equal(tally_read(&p.ran), PUSHERS * p.count);
    CHECK_OK(ps_engine_destroy(p.engine));
}

/* Bytes that only queued tasks keep alive count too, while somebody says so. */
static void reported_bytes_count(void **state)
{
    (void)state;
    ps_bound bound = no_bound();
    bound.hard_bytes = 1000000;
    gate g = {0};
    pusher p = {.engine = fixture_engine(1), .count = 3};
    ps_memory_stats memory = {.size = sizeof memory};
    CHECK_OK(ps_memory_get_stats(&memory));
    uint64_t queued = memory.queued;
    CHECK_OK(ps_engine_set_bound(p.engine, &bound));
    CHECK_OK(fixture_push(p.engine, gate_task, &g, NULL, NULL));
    gate_wait_inside(&g, 1);
    CHECK_OK(ps_engine_hold_bytes(p.engine, 2000000));
    assert_int_equal(fixture_stats(p.engine).queued_bytes, 2000000);
    CHECK_OK(ps_memory_get_stats(&memory));
    assert_int_equal(memory.queued, queued + 2000000);
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, push_all, &p), 0);
    wait_held_back(p.engine);
    assert_int_equal(tally_read(&p.ended), 0);
    CHECK_OK(ps_engine_hold_bytes(p.engine, -2000000));
    tally_wait(&p.ended, 1); /* the gate is still shut: this alone let it go on */
    pthread_join(thread, NULL);
    gate_open(&g);
    CHECK_OK(ps_wait_all(p.engine, NULL));
    assert_int_equal(fixture_stats(p.engine).queued_bytes, 0);
    CHECK_OK(ps_engine_destroy(p.engine));
}

/* Raising the bound lets a pusher go on that it held back. */
static void a_wider_bound_lets_pushers_go(void **state)
{
    (void)state;
    ps_bound bound = no_bound();
    bound.ops = 10;
    gate g = {0};
    pusher p = {.engine = fixture_engine(1), .count = 100};
    p.x = fixture_var(p.engine);
    CHECK_OK(ps_engine_set_bound(p.engine, &bound));
    CHECK_OK(fixture_push(p.engine, gate_task, &g, NULL, p.x));
    gate_wait_inside(&g, 1);
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, push_all, &p), 0);
    wait_held_back(p.engine);
    assert_int_equal(tally_read(&p.ended), 0);
    bound.ops = 1000;
    CHECK_OK(ps_engine_set_bound(p.engine, &bound));
    tally_wait(&p.ended, 1); /* the gate is still shut: this alone let it go on */
    pthread_join(thread, NULL);
    gate_open(&g);
    CHECK_OK(ps_wait_all(p.engine, NULL));
    ps_var_release(p.x);
    CHECK_OK(ps_engine_destroy(p.engine));
}

static ps_status push_from_inside(ps_task *self, void *arg)
{
    (void)self;
    push_all(arg);
    return PS_OK;
}

static void nothing_is_held_back_inside_a_task(void **state)
{
    (void)state;
    ps_bound bound = no_bound();
    bound.ops = 10;
    bound.hard_bytes = 1000;
    pusher p = {.engine = fixture_engine(1), .bytes = 1000, .count = 500};
    CHECK_OK(ps_engine_set_bound(p.engine, &bound));
    CHECK_OK(fixture_push(p.engine, push_from_inside, &p, NULL, NULL));
    tally_wait(&p.ended, 1);
    assert_int_equal(tally_read(&p.pushed), 500);
    tally_wait(&p.ran, 500);
    CHECK_OK(ps_wait_all(p.engine, NULL));
    assert_int_equal(fixture_stats(p.engine).held_back, 0);
    CHECK_OK(ps_engine_destroy(p.engine));
}

/* How often 60 tasks of a tenth of the bound are held back that may be grouped, while the one worker is
 * busy: one chain, or each on its own. */
static uint64_t held_back_by_groups(bool chain)
{
    enum { TASKS = 60 };
    ps_bound bound = no_bound();
    bound.hard_bytes = 1000000;
    gate g = {0};
    pusher p = {.engine = fixture_engine(1)};
    ps_var *vars[TASKS];
    for (int i = 0; i < TASKS; i++)
        vars[i] = fixture_var(p.engine);
    CHECK_OK(ps_engine_set_bound(p.engine, &bound));
    CHECK_OK(fixture_push(p.engine, gate_task, &g, NULL, NULL));
    gate_wait_inside(&g, 1);
    for (int i = 0; i < TASKS; i++)
        CHECK_OK(PUSH(p.engine, .run = count_run, .arg = &p, .reads = &vars[i - (i > 0)],
                      .nreads = chain && i > 0, WRITES(vars[i]), .bytes = 100000, .cost_ns = 100,
                      .flags = PS_TASK_FUSABLE));
    uint64_t held_back = fixture_stats(p.engine).held_back;
    gate_open(&g);
    CHECK_OK(ps_wait_all(p.engine, NULL));
    assert_int_equal(tally_read(&p.ran), TASKS);
    assert_int_equal(fixture_stats(p.engine).queued_bytes, 0);
    for (int i = 0; i < TASKS; i++)
        ps_var_release(vars[i]);
    CHECK_OK(ps_engine_destroy(p.engine));
    return held_back;
}

/* Each step of a chain takes the place of the one before. */
static void a_chain_needs_the_bytes_of_one_step(void **state)
{
    (void)state;
    assert_int_equal(held_back_by_groups(true), 0);
    assert_true(held_back_by_groups(false) > 0);
}

static void one_absurdly_large_task_is_let_through(void **state)
{
    (void)state;
    pusher p = {.engine = fixture_engine(1), .bytes = UINT64_MAX, .count = 3};
    ps_status status = PUSH(p.engine, .run = count_run, .arg = &p, .bytes = UINT64_MAX);
    assert_true(status == PS_OK || status == PS_ERR_ARGUMENT);
    CHECK_OK(PUSH(p.engine, .run = count_run, .arg = &p, .bytes = UINT64_C(1) << 50));
    CHECK_OK(PUSH(p.engine, .run = count_run, .arg = &p, .bytes = UINT64_C(1) << 50));
    CHECK_OK(ps_wait_all(p.engine, NULL));
    assert_int_equal(fixture_stats(p.engine).queued_bytes, 0);
    CHECK_OK(ps_engine_destroy(p.engine));
}

static void it_is_reported_and_set(void **state)
{
    (void)state;
    unsetenv("PENSTOCK_QUEUE_SOFT_BYTES");
    unsetenv("PENSTOCK_QUEUE_BYTES");
    unsetenv("PENSTOCK_QUEUE_OPS");
    ps_engine *engine = fixture_engine(1);
    ps_bound bound = get_bound(engine);
    assert_int_equal(bound.ops, 4096);
    assert_int_equal(bound.soft_ops_per_worker, 8);
    assert_true(bound.soft_bytes >= 48000000 && bound.soft_bytes <= 48 << 20);
    assert_true(bound.hard_bytes > 0);
    bound = (ps_bound){.size = sizeof bound,
                       .soft_bytes = 11,
                       .soft_ops_per_worker = 22,
                       .hard_bytes = 33,
                       .ops = 44};
    CHECK_OK(ps_engine_set_bound(engine, &bound));
    bound = get_bound(engine);
    assert_int_equal(bound.soft_bytes, 11);
    assert_int_equal(bound.soft_ops_per_worker, 22);
    assert_int_equal(bound.hard_bytes, 33);
    assert_int_equal(bound.ops, 44);
    CHECK_OK(ps_engine_destroy(engine));
}

static void the_environment_sets_it(void **state)
{
    (void)state;
    setenv("PENSTOCK_QUEUE_SOFT_BYTES", "3M", 1);
    setenv("PENSTOCK_QUEUE_BYTES", "1GiB", 1);
    setenv("PENSTOCK_QUEUE_OPS", "77", 1);
    ps_engine *engine = fixture_engine(1);
    ps_bound bound = get_bound(engine);
    assert_int_equal(bound.soft_bytes, 3 << 20);
    assert_int_equal(bound.hard_bytes, 1 << 30);
    assert_int_equal(bound.ops, 77);
    CHECK_OK(ps_engine_destroy(engine));
    unsetenv("PENSTOCK_QUEUE_SOFT_BYTES");
    unsetenv("PENSTOCK_QUEUE_BYTES");
    unsetenv("PENSTOCK_QUEUE_OPS");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(operations_are_bounded),
        cmocka_unit_test(bytes_are_bounded),
        cmocka_unit_test(soft_bytes_are_bounded),
        cmocka_unit_test(the_queue_never_overfills),
        cmocka_unit_test(several_pushers_share_the_bound),
        cmocka_unit_test(reported_bytes_count),
        cmocka_unit_test(a_wider_bound_lets_pushers_go),
        cmocka_unit_test(nothing_is_held_back_inside_a_task),
        cmocka_unit_test(a_chain_needs_the_bytes_of_one_step),
        cmocka_unit_test(one_absurdly_large_task_is_let_through),
        cmocka_unit_test(it_is_reported_and_set),
        cmocka_unit_test(the_environment_sets_it),
    };
    return FIXTURE_RUN(tests);
}
