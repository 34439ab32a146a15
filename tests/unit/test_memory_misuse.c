/* What debug builds and the address sanitizer notice: freeing twice or with a wrong size, and
 * touching what is not allocated. */
#include "test_memory_help.h"

#include "memory/check.h"
#include "memory/guard.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>

#ifdef PENSTOCK_DEBUG
/* True if the body stops the process in the way a failed check does. */
static bool stops(void (*body)(size_t bytes), size_t bytes)
{
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        struct rlimit none = {0, 0};
        setrlimit(RLIMIT_CORE, &none);
        signal(SIGABRT, SIG_DFL);
        if (!freopen("/dev/null", "w", stderr))
            _exit(1);
        body(bytes);
        _exit(0);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT;
}

static void free_once(size_t bytes)
{
    ps_memory_free(must_alloc(bytes), bytes);
}

static void free_twice(size_t bytes)
{
    void *block = must_alloc(bytes);
    ps_memory_free(block, bytes);
    ps_memory_free(block, bytes);
}

static void free_twice_with_trim_between(size_t bytes)
{
    void *block = must_alloc(bytes);
    ps_memory_free(block, bytes);
    ps_memory_trim();
    ps_memory_free(block, bytes);
}

static void free_with_twice_the_size(size_t bytes)
{
    ps_memory_free(must_alloc(bytes), bytes * 2);
}

static void free_with_half_the_size(size_t bytes)
{
    ps_memory_free(must_alloc(bytes), bytes / 2);
}

static void free_inside(size_t bytes)
{
    ps_memory_free((char *)must_alloc(bytes) + 64, bytes);
}

static void mistakes_stop_the_process(void **state)
{
    (void)state;
    static const size_t sizes[] = {128, 5000, 32768, 40000, 500000, 524288, 1 << 20, 9 << 20};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        assert_false(stops(free_once, sizes[i]));
        assert_true(stops(free_twice, sizes[i]));
        assert_true(stops(free_twice_with_trim_between, sizes[i]));
        assert_true(stops(free_with_twice_the_size, sizes[i]));
        assert_true(stops(free_with_half_the_size, sizes[i]));
        assert_true(stops(free_inside, sizes[i]));
    }
}
#endif

#ifdef PS__GUARDED
static bool poisoned(const void *address)
{
    return __asan_address_is_poisoned(address);
}

static void only_what_was_asked_for_may_be_touched(void **state)
{
    (void)state;
    static const size_t sizes[] = {1, 8, 100, 4000, 33000, 500000, 600000, 5000000};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        size_t bytes = sizes[i];
        for (int round = 0; round < 2; round++) { /* fresh, and used before */
            char *block = must_alloc(bytes);
            assert_null(__asan_region_is_poisoned(block, bytes));
            assert_true(poisoned(block + bytes));
            assert_true(poisoned(block + counted(bytes) - 1));
            ps_memory_free(block, bytes);
            assert_true(poisoned(block));
            assert_true(poisoned(block + bytes / 2));
            assert_true(poisoned(block + bytes - 1));
        }
    }
    assert_nothing_left();
}

static void what_went_back_to_the_system_is_not_poisoned(void **state)
{
    (void)state;
    char *block = must_alloc(3 << 20);
    ps_memory_free(block, 3 << 20);
    ps_memory_trim();
    assert_null(__asan_region_is_poisoned(block, 3 << 20));
}
#endif

static void nothing_to_see_here(void **state)
{
    (void)state;
    free(malloc(1)); /* builds without checks have no further tests */
}

int main(void)
{
    alarm(LIMIT_S);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_to_see_here),
#ifdef PENSTOCK_DEBUG
        cmocka_unit_test(mistakes_stop_the_process),
#endif
#ifdef PS__GUARDED
        cmocka_unit_test(only_what_was_asked_for_may_be_touched),
        cmocka_unit_test(what_went_back_to_the_system_is_not_poisoned),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
