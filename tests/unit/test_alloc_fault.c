/* Records, pages and threads: what they are like when they succeed, and that each can be made to
 * fail at a chosen call. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/futex.h"
#include "limit.h"

#ifndef PENSTOCK_TESTING
#error "faults can be injected into the testing build only"
#endif

static int faults_off(void **state)
{
    (void)state;
    ps__fault_set(0, false);
    return 0;
}

static bool is_zero(const void *memory, size_t bytes)
{
    const unsigned char *at = memory;
    for (size_t i = 0; i < bytes; i++) {
        if (at[i])
            return false;
    }
    return true;
}

/* ---- Success --------------------------------------------------------------------------- */

static void records_are_zeroed(void **state)
{
    (void)state;
    for (int i = 0; i < 50; i++) { /* later rounds get memory that was used before */
        char *plain = ps__calloc(10, 100);
        char *aligned = ps__calloc_aligned(64, 1000);
        assert_true(plain && aligned);
        assert_true(is_zero(plain, 1000));
        assert_true(is_zero(aligned, 1000));
        memset(plain, 0xFF, 1000);
        memset(aligned, 0xFF, 1000);
        ps__free(plain);
        ps__free(aligned);
    }
    ps__free(NULL);
}

static void alignment_is_kept(void **state)
{
    (void)state;
    for (size_t alignment = 1; alignment <= 1 << 16; alignment *= 2) {
        void *memory = ps__calloc_aligned(alignment, 24);
        assert_non_null(memory);
        assert_int_equal((uintptr_t)memory % alignment, 0);
        ps__free(memory);
    }
}

static void zero_bytes_are_memory_too(void **state)
{
    (void)state;
    void *blocks[] = {ps__calloc(0, 8), ps__calloc(8, 0), ps__calloc_aligned(64, 0)};
    for (int i = 0; i < 3; i++) {
        assert_non_null(blocks[i]);
        ps__free(blocks[i]);
    }
}

static void absurd_sizes_are_refused(void **state)
{
    (void)state;
    volatile size_t most = SIZE_MAX; /* so that the compiler does not warn of the obvious */
    assert_null(ps__calloc(most, 2));
    assert_null(ps__calloc(most / 2, 4));
    assert_null(ps__calloc_aligned(64, most - 100));
    assert_null(ps__pages_map(most, 4096));
    assert_null(ps__pages_map(most - 5000, 1 << 21));
    assert_null(ps__pages_map(most / 2, 4096));
    assert_null(ps__pages_map(0, 4096));
}

static void pages_are_aligned_and_usable(void **state)
{
    (void)state;
    static const size_t sizes[] = {1, 4096, 4097, 100000, (2 << 20) + 1};
    for (size_t alignment = 4096; alignment <= 8 << 20; alignment *= 2) {
        for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
            unsigned char *memory = ps__pages_map(sizes[i], alignment);
            assert_non_null(memory);
            assert_int_equal((uintptr_t)memory % alignment, 0);
            assert_true(is_zero(memory, sizes[i]));
            memset(memory, 0xA5, sizes[i]);
            ps__pages_unmap(memory, sizes[i]);
        }
    }
    ps__pages_unmap(NULL, 4096);
}

/* Pages of address space that the process has. */
static long mapped_pages(void)
{
    long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    assert_non_null(file);
    assert_int_equal(fscanf(file, "%ld", &pages), 1);
    fclose(file);
    return pages;
}

static void only_what_was_asked_for_is_kept(void **state)
{
    (void)state;
    enum { BLOCKS = 64, ALIGNMENT = 16 << 20 };
    void *blocks[BLOCKS];
    long before = mapped_pages();
    for (int i = 0; i < BLOCKS; i++)
        assert_non_null(blocks[i] = ps__pages_map(4096, ALIGNMENT));
    assert_true(mapped_pages() - before < BLOCKS * 8); /* not the 4096 that lie between two */
    for (int i = 0; i < BLOCKS; i++)
        ps__pages_unmap(blocks[i], 4096);
    assert_true(mapped_pages() - before < BLOCKS / 2);
}

/* ---- Threads --------------------------------------------------------------------------- */

struct report {
    ps__word done;    /* atomic: publishes the rest */
    ps__word started; /* atomic: ps__thread_start has returned */
    char name[32];
    sigset_t blocked;
    int detached;
};

static void announce(ps__word *word)
{
    ps__store_release(word, 1); /* pairs with await */
    ps__futex_wake(word, 1);
}

static void await(ps__word *word)
{
    while (ps__load_acquire(word) == 0) /* pairs with announce */
        ps__futex_wait(word, 0, -1);
}

static void *look_around(void *arg)
{
    struct report *report = arg;
    pthread_attr_t attributes;
    await(&report->started);
    pthread_getname_np(pthread_self(), report->name, sizeof report->name);
    pthread_sigmask(SIG_SETMASK, NULL, &report->blocked);
    pthread_getattr_np(pthread_self(), &attributes);
    pthread_attr_getdetachstate(&attributes, &report->detached);
    pthread_attr_destroy(&attributes);
    announce(&report->done);
    return NULL;
}

static void a_thread_is_named_detached_and_deaf(void **state)
{
    (void)state;
    static struct report report; /* outlives the thread */
    sigset_t before, after;
    pthread_sigmask(SIG_SETMASK, NULL, &before);
    assert_true(ps__thread_start(look_around, &report, "a-name-that-is-too-long"));
    announce(&report.started);
    await(&report.done);
    pthread_sigmask(SIG_SETMASK, NULL, &after);
    assert_string_equal(report.name, "a-name-that-is-");
    assert_int_equal(report.detached, PTHREAD_CREATE_DETACHED);
    static const int deaf_to[] = {SIGINT,  SIGTERM, SIGHUP,  SIGALRM, SIGCHLD,  SIGUSR1,
                                  SIGPIPE, SIGQUIT, SIGPROF, SIGURG,  SIGVTALRM};
    static const int open_to[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};
    for (size_t i = 0; i < sizeof deaf_to / sizeof deaf_to[0]; i++)
        assert_true(sigismember(&report.blocked, deaf_to[i]));
    for (size_t i = 0; i < sizeof open_to / sizeof open_to[0]; i++)
        assert_false(sigismember(&report.blocked, open_to[i]));
    for (int signal = 1; signal < SIGRTMIN; signal++)
        assert_int_equal(sigismember(&before, signal), sigismember(&after, signal));
}

static void *never(void *arg)
{
    announce(arg);
    return NULL;
}

static void a_refused_thread_never_runs(void **state)
{
    (void)state;
    static ps__word ran;
    sigset_t before, after;
    pthread_sigmask(SIG_SETMASK, NULL, &before);
    ps__fault_set(1, true);
    assert_false(ps__thread_start(never, &ran, "never"));
    ps__fault_set(0, false);
    pthread_sigmask(SIG_SETMASK, NULL, &after);
    assert_int_equal(sigismember(&before, SIGINT), sigismember(&after, SIGINT));
    assert_int_equal(ps__load(&ran), 0);
}

/* ---- Faults ---------------------------------------------------------------------------- */

static void *nothing(void *arg)
{
    return arg;
}

/* The calls that can fail, in a fixed order; bit i of the result is set if call i succeeded. */
static unsigned each_call(void)
{
    unsigned succeeded = 0;
    void *memory = ps__calloc(1, 8);
    succeeded |= (memory != NULL) << 0;
    ps__free(memory);
    memory = ps__calloc_aligned(64, 8);
    succeeded |= (memory != NULL) << 1;
    ps__free(memory);
    memory = ps__pages_map(4096, 4096);
    succeeded |= (memory != NULL) << 2;
    ps__pages_unmap(memory, 4096);
    succeeded |= (unsigned)ps__thread_start(nothing, NULL, "nothing") << 3;
    return succeeded;
}

enum { CALLS = 4, ALL = (1 << CALLS) - 1 };

static void exactly_the_nth_call_fails(void **state)
{
    (void)state;
    for (unsigned nth = 1; nth <= CALLS; nth++) {
        ps__fault_set(nth, false);
        assert_int_equal(each_call(), ALL & ~(1u << (nth - 1)));
        assert_int_equal(ps__fault_count(), CALLS);
        assert_int_equal(each_call(), ALL);
    }
}

static void sticky_faults_stay(void **state)
{
    (void)state;
    for (unsigned nth = 1; nth <= CALLS; nth++) {
        ps__fault_set(nth, true);
        assert_int_equal(each_call(), (1u << (nth - 1)) - 1);
        assert_int_equal(each_call(), 0);
        assert_int_equal(ps__fault_count(), 2 * CALLS);
    }
    ps__fault_set(0, false);
    assert_int_equal(each_call(), ALL);
}

static void counting_goes_on_while_off(void **state)
{
    (void)state;
    ps__fault_set(0, true);
    assert_int_equal(each_call(), ALL);
    assert_int_equal(ps__fault_count(), CALLS);
    ps__fault_set(CALLS + 1, false);
    assert_int_equal(ps__fault_count(), 0);
    assert_int_equal(each_call(), ALL);
    assert_null(ps__calloc(1, 1));
}

/* Of many threads, one call fails. */
static void *allocate_often(void *arg)
{
    _Atomic unsigned *failures = arg;
    for (int i = 0; i < 1000; i++) {
        void *memory = ps__calloc(1, 16);
        if (!memory)
            ps__add(failures, 1);
        ps__free(memory);
    }
    return NULL;
}

static void one_fault_hits_one_thread(void **state)
{
    (void)state;
    _Atomic unsigned failures = 0;
    pthread_t threads[4];
    ps__fault_set(1234, false);
    for (int i = 0; i < 4; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, allocate_often, &failures), 0);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    assert_int_equal(ps__load(&failures), 1);
    assert_int_equal(ps__fault_count(), 4000);
}

#define TEST(test) cmocka_unit_test_teardown(test, faults_off)

int main(void)
{
    alarm(LIMIT_S);
    const struct CMUnitTest tests[] = {
        TEST(records_are_zeroed),
        TEST(alignment_is_kept),
        TEST(zero_bytes_are_memory_too),
        TEST(absurd_sizes_are_refused),
        TEST(pages_are_aligned_and_usable),
        TEST(only_what_was_asked_for_is_kept),
        TEST(a_thread_is_named_detached_and_deaf),
        TEST(a_refused_thread_never_runs),
        TEST(exactly_the_nth_call_fails),
        TEST(sticky_faults_stay),
        TEST(counting_goes_on_while_off),
        TEST(one_fault_hits_one_thread),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
