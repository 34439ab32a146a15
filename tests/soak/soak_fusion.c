/* The hold of a window is long enough: on a quiet machine, with the workers awake and looking, 99 of
 * 100 chains of operations that a program queues and waits for run as one group each. That all do
 * when nobody can cut them is tested in tests/ops/test_fusion.c. */
#include "ops/help.h"

enum { LENGTH = 100000, STEPS = 8, RUNS = 1000, PERCENT = 1 };

static ps_engine *engine(void)
{
    ps_engine *found;
    CHECK_OK(ps_engine_default(&found));
    return found;
}

static uint64_t groups(void)
{
    ps_engine_stats stats = {.size = sizeof stats};
    CHECK_OK(ps_engine_get_stats(engine(), &stats));
    return stats.groups;
}

static void run_chain(ps_tensor *x)
{
    ps_tensor *y = x;
    CHECK_OK(ps_tensor_retain(x));
    for (int i = 0; i < STEPS; i++) {
        ps_tensor *next = i % 2 == 0 ? CALL("multiply", T(y), T(x)) : CALL("add", T(y), F(0.5));
        ps_tensor_release(y);
        y = next;
    }
    CHECK_OK(ps_tensor_wait(y, NULL));
    ps_tensor_release(y);
}

/* Operations that ran as members of a group while the trace was recorded. */
static size_t count_members(void)
{
    size_t count, members = 0;
    uint64_t lost;
    CHECK_OK(ps_trace_read(engine(), NULL, 0, &count, &lost));
    assert_int_equal(lost, 0);
    ps_trace_event *events = calloc(count + 1, sizeof *events);
    CHECK_OK(ps_trace_read(engine(), events, count, &count, &lost));
    for (size_t i = 0; i < count; i++)
        members += events[i].kind == PS_TRACE_GROUP;
    free(events);
    return members;
}

static void chains_are_seldom_cut(void **state)
{
    (void)state;
    ps_tensor *x = CALL("full", INTS(LENGTH), F(0.5), D(PS_FLOAT32));
    CHECK_OK(ps_wait_all(engine(), NULL));
    uint64_t before = groups();
    CHECK_OK(ps_trace_start(engine(), 1 << 18));
    for (int i = 0; i < RUNS; i++)
        run_chain(x);
    CHECK_OK(ps_trace_stop(engine()));
    size_t made = groups() - before, members = count_members();
    print_message("%d chains: %zu groups, %zu of %d operations in them\n", RUNS, made, members,
                  RUNS * STEPS);
    assert_in_range(made, RUNS - RUNS * PERCENT / 100, RUNS + RUNS * PERCENT / 100);
    assert_in_range(members, RUNS * STEPS - RUNS * STEPS * PERCENT / 100, RUNS * STEPS);
    ps_tensor_release(x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(chains_are_seldom_cut)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
