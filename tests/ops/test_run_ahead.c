/* A loop of operations that may be joined cannot run away: memory stays near the bound although the
 * results of such tasks are not counted while they wait for their neighbours. */
#include "help.h"

enum { ELEMENTS = 1 << 16, STEPS = 3000, SOFT = 2 << 20, MOST = 12 << 20 };

static uint64_t peak_over(uint64_t live)
{
    ps_memory_stats stats = {.size = sizeof stats};
    CHECK_OK(ps_memory_get_stats(&stats));
    return stats.peak - live;
}

/* y = (x + 1) + y: the first sums depend on nothing and could all be made ahead of the second. */
static void a_loop_with_a_side_branch(void **state)
{
    (void)state;
    ps_engine *engine;
    ps_bound bound = {.size = sizeof bound}, old = {.size = sizeof old};
    CHECK_OK(ps_engine_default(&engine));
    CHECK_OK(ps_engine_bound(engine, &old));
    bound = old;
    bound.soft_bytes = SOFT;
    CHECK_OK(ps_engine_set_bound(engine, &bound));
    ps_tensor *x = CALL("ones", INTS(ELEMENTS)), *y = CALL("zeros", INTS(ELEMENTS));
    CHECK_OK(ps_wait_all(engine, NULL));
    ps_memory_stats before = {.size = sizeof before};
    CHECK_OK(ps_memory_get_stats(&before));
    ps_memory_reset_peak();
    for (int i = 0; i < STEPS; i++) {
        ps_tensor *side = CALL("add", T(x), I(1)), *next = CALL("add", T(side), T(y));
        ps_tensor_release(side);
        ps_tensor_release(y);
        y = next;
    }
    CHECK_OK(ps_tensor_wait(y, NULL));
    uint64_t peak = peak_over(before.live);
    if (peak > MOST)
        fail_msg("%ju bytes above what was live", (uintmax_t)peak);
    ps_tensor_release(x);
    ps_tensor_release(y);
    CHECK_OK(ps_engine_set_bound(engine, &old));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_loop_with_a_side_branch)};
    alarm(LIMIT_S);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
