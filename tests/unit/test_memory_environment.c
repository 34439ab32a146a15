/* PENSTOCK_MEMORY_LIMIT: read once, at the first use. Each case is a process of its own, forked
 * before this one has used the memory layer. */
#include "test_memory_help.h"

#include <sys/wait.h>

enum { MB = 1 << 20 };

/* 0 when all is well, else the number of the line that was not. */
#define EXPECT(condition)                                                                          \
    do {                                                                                           \
        if (!(condition))                                                                          \
            return __LINE__;                                                                       \
    } while (0)

static void in_child(int (*body)(void))
{
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        int line = body();
        if (line)
            fprintf(stderr, "%s:%d: not so in the child\n", __FILE__, line);
        _exit(line != 0);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

static uint64_t limit_now(void)
{
    ps_memory_stats stats = {.size = sizeof stats};
    return ps_memory_get_stats(&stats) == PS_OK ? stats.limit : 0;
}

static int limit_is_set(void)
{
    void *block;
    setenv("PENSTOCK_MEMORY_LIMIT", "3M", 1);
    EXPECT(ps_memory_alloc(4 * MB, &block) == PS_ERR_MEMORY);
    EXPECT(ps_memory_alloc(2 * MB, &block) == PS_OK);
    EXPECT(limit_now() == 3 * MB);
    setenv("PENSTOCK_MEMORY_LIMIT", "1M", 1);
    EXPECT(limit_now() == 3 * MB);
    ps_memory_free(block, 2 * MB);
    return 0;
}

static int the_call_wins(void)
{
    setenv("PENSTOCK_MEMORY_LIMIT", "3M", 1);
    EXPECT(ps_memory_set_limit(2 * MB) == PS_OK);
    EXPECT(limit_now() == 2 * MB);
    return 0;
}

static int unset_is_no_limit(void)
{
    void *block;
    unsetenv("PENSTOCK_MEMORY_LIMIT");
    EXPECT(ps_memory_alloc(10, &block) == PS_OK);
    EXPECT(limit_now() == UINT64_MAX);
    ps_memory_free(block, 10);
    return 0;
}

static int malformed_fails_until_set(void)
{
    void *block;
    setenv("PENSTOCK_MEMORY_LIMIT", "three", 1);
    for (int i = 0; i < 3; i++) {
        EXPECT(ps_memory_alloc(64, &block) == PS_ERR_ENVIRONMENT);
        EXPECT(strstr(ps_last_error(), "PENSTOCK_MEMORY_LIMIT"));
        EXPECT(strstr(ps_last_error(), "three"));
    }
    setenv("PENSTOCK_MEMORY_LIMIT", "3M", 1); /* read once: too late */
    EXPECT(ps_memory_alloc(64, &block) == PS_ERR_ENVIRONMENT);
    EXPECT(limit_now() == UINT64_MAX);
    /* The engine's own allocations go on, and fill this thread's cache meanwhile. */
    EXPECT(ps__pool_alloc(ps__pool_cpu(), 64, &block) == PS_OK);
    ps__pool_free(ps__pool_cpu(), block, 64);
    EXPECT(ps_memory_alloc(64, &block) == PS_ERR_ENVIRONMENT);
    EXPECT(ps_memory_set_limit(0) == PS_OK);
    EXPECT(ps_memory_alloc(64, &block) == PS_OK);
    ps_memory_free(block, 64);
    return 0;
}

static void a_limit_is_taken(void **state)
{
    (void)state;
    in_child(limit_is_set);
}

static void a_call_overrides_it(void **state)
{
    (void)state;
    in_child(the_call_wins);
}

static void none_means_no_limit(void **state)
{
    (void)state;
    in_child(unset_is_no_limit);
}

static void a_malformed_value_is_an_error(void **state)
{
    (void)state;
    in_child(malformed_fails_until_set);
}

int main(void)
{
    alarm(LIMIT_S);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_limit_is_taken),
        cmocka_unit_test(a_call_overrides_it),
        cmocka_unit_test(none_means_no_limit),
        cmocka_unit_test(a_malformed_value_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
