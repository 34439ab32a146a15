/* Chains of elementwise operations are one pass at any size: also for a thread that can be
 * interrupted, which leaves what is dear to the workers. Sizes that no machine has memory for are on
 * the null device, where nothing is touched. */
#include "engine_help.h"
#include "support/sanitized.h"
#include "support/workers.h"

enum { STEPS = 8 };

/* exp((relu(b * b + 2) * 0.5 - b) * 0.01) + b; only the result is held. */
static ps_tensor *chain(ps_tensor *b)
{
    static const struct {
        const char *name;
        double number; /* 0: b */
    } steps[STEPS] = {{"multiply", 0}, {"add", 2},         {"relu", -1}, {"multiply", 0.5},
                      {"subtract", 0}, {"multiply", 0.01}, {"exp", -1},  {"add", 0}};
    ps_tensor *y = b;
    for (int i = 0; i < STEPS; i++) {
        ps_tensor *before = y;
        ps_arg args[2] = {T(before), steps[i].number == 0 ? T(b) : F(steps[i].number)};
        y = call(steps[i].name, steps[i].number < 0 ? 1 : 2, args);
        if (before != b)
            ps_tensor_release(before);
    }
    return y;
}

static ps_tensor *ones_on(const char *device, int64_t length)
{
    ps_device *on;
    CHECK_OK(ps_device_find(device, &on));
    ps_tensor *out = CALL_ON(on, "ones", INTS(length));
    CHECK_OK(ps_tensor_wait(out, NULL));
    return out;
}

/* Asked while the thread waits: first before it has looked for anything to do, then when it has
 * slept. Only then do the workers go on, so they find what the thread has left. */
static int asked;

static bool interrupted(void *unused)
{
    (void)unused;
    if (++asked == 2)
        workers_go_on();
    return false;
}

static void check_one_group(ps_tensor *b, bool whole_engine)
{
    static const ps_hooks hooks = {.size = sizeof hooks, .interrupted = interrupted};
    asked = 0;
    workers_stop();
    ps_engine_stats before = stats();
    ps_tensor *y = chain(b);
    CHECK_OK(ps_thread_set_hooks(&hooks));
    CHECK_OK(whole_engine ? ps_wait_all(engine(), NULL) : ps_tensor_wait(y, NULL));
    CHECK_OK(ps_thread_set_hooks(NULL));
    if (asked < 2)
        workers_go_on();
    wait_all();
    ps_engine_stats after = stats();
    assert_int_equal(after.groups - before.groups, 1);
    /* The workers' own tasks are there too, and nothing was run a second time. */
    assert_int_equal(after.failed - before.failed, 0);
    ps_tensor_release(y);
}

static void one_pass_from_a_megabyte_to_a_gigabyte(void **state)
{
    (void)state;
    for (int64_t bytes = (int64_t)1 << 20; bytes <= (int64_t)1 << 30; bytes *= 2) {
        ps_tensor *b = ones_on("null", bytes / 4);
        check_one_group(b, true);
        check_one_group(b, false);
        ps_tensor_release(b);
    }
}

/* The same with elements: 64 MB were the first size that ran as eight passes. */
static void one_pass_on_the_cpu(void **state)
{
    (void)state;
    int64_t most = SANITIZED ? 1 << 20 : 1 << 24;
    for (int64_t length = 1 << 18; length <= most; length *= 8) {
        ps_tensor *b = ones_on("cpu", length);
        check_one_group(b, true);
        check_one_group(b, false);
        ps_tensor *y = chain(b), *least = CALL("min", T(y)), *largest = CALL("max", T(y));
        double *low = values_of(least), *high = values_of(largest);
        float wanted = expf((3 * 0.5f - 1) * 0.01f) + 1;
        assert_true(low[0] == high[0] && fabs(low[0] - (double)wanted) < 1e-6);
        free(low);
        free(high);
        ps_tensor *all[] = {b, y, least, largest};
        for (int i = 0; i < 4; i++)
            ps_tensor_release(all[i]);
    }
}

/* Two results of one input share a pass, also when they were left to the workers. */
static void branches_share_a_pass(void **state)
{
    (void)state;
    static const ps_hooks hooks = {.size = sizeof hooks, .interrupted = interrupted};
    ps_tensor *b = ones_on("null", (int64_t)1 << 26);
    asked = 0;
    workers_stop();
    ps_engine_stats before = stats();
    ps_tensor *x = CALL("add", T(b), F(1)), *y = CALL("multiply", T(b), F(2));
    ps_tensor *z = CALL("subtract", T(x), T(b));
    CHECK_OK(ps_thread_set_hooks(&hooks));
    wait_all();
    CHECK_OK(ps_thread_set_hooks(NULL));
    assert_true(asked >= 2);
    assert_int_equal(stats().groups - before.groups, 1);
    ps_tensor *all[] = {b, x, y, z};
    for (int i = 0; i < 4; i++)
        ps_tensor_release(all[i]);
}

/* Chains of inputs of their own have nothing to share: joined, they would only need more at a time. */
static void chains_apart_are_passes_of_their_own(void **state)
{
    enum { CHAINS = 4 };
    (void)state;
    for (int64_t length = (int64_t)1 << 18; length <= (int64_t)1 << 26; length *= 4) {
        ps_tensor *b[CHAINS], *y[CHAINS];
        for (int i = 0; i < CHAINS; i++)
            b[i] = ones_on("null", length);
        workers_stop();
        ps_engine_stats before = stats();
        for (int i = 0; i < CHAINS; i++)
            y[i] = chain(b[i]);
        for (int i = 0; i < CHAINS; i++)
            CHECK_OK(ps_tensor_wait(y[i], NULL));
        workers_go_on();
        assert_int_equal(stats().groups - before.groups, CHAINS);
        for (int i = 0; i < CHAINS; i++) {
            ps_tensor_release(b[i]);
            ps_tensor_release(y[i]);
        }
    }
}

int main(void)
{
    alarm(LIMIT_S);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_pass_from_a_megabyte_to_a_gigabyte),
        cmocka_unit_test(one_pass_on_the_cpu),
        cmocka_unit_test(branches_share_a_pass),
        cmocka_unit_test(chains_apart_are_passes_of_their_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
