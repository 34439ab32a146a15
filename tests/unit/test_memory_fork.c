/* Fork: the child finds every lock free, its own blocks intact, and takes over what the threads
 * that it does not have kept in their caches. */
#include "test_memory_help.h"

#include <pthread.h>
#include <sys/wait.h>

enum { THREADS = 3, BLOCKS = 50 };

/* 0 when all is well, else the number of the line that was not. */
#define EXPECT(condition)                                                                          \
    do {                                                                                           \
        if (!(condition))                                                                          \
            return __LINE__;                                                                       \
    } while (0)

static int register_hooks(void **state)
{
    (void)state;
    return pthread_atfork(ps__memory_fork_prepare, ps__memory_fork_parent, ps__memory_fork_child);
}

static void in_child(int (*body)(void))
{
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        alarm(PART_LIMIT_S);
        int line = body();
        if (line)
            fprintf(stderr, "%s:%d: not so in the child\n", __FILE__, line);
        _exit(line != 0);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

static const size_t sizes[] = {64, 700, 20000, 40000, 500000, 1 << 20, 3 << 20};
enum { SIZES = sizeof sizes / sizeof sizes[0] };

/* Every path once: small, medium, large, cached and fresh. */
static int use_everything(void)
{
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < SIZES; i++) {
            void *blocks[BLOCKS];
            for (int j = 0; j < BLOCKS / 5; j++) {
                EXPECT(ps_memory_alloc(sizes[i], &blocks[j]) == PS_OK);
                memset(blocks[j], j, 64);
            }
            for (int j = 0; j < BLOCKS / 5; j++) {
                EXPECT(*(char *)blocks[j] == j);
                ps_memory_free(blocks[j], sizes[i]);
            }
        }
        ps_memory_trim();
    }
    return 0;
}

/* ---- quiet threads --------------------------------------------------------------------- */

static pthread_barrier_t barrier;

/* Leaves blocks in this thread's cache and stands still. */
static void *fill_and_park(void *arg)
{
    (void)arg;
    void *blocks[BLOCKS];
    for (int i = 0; i < BLOCKS; i++)
        if (ps_memory_alloc((size_t)100 * (i + 1), &blocks[i]) != PS_OK)
            blocks[i] = NULL;
    for (int i = 0; i < BLOCKS; i++)
        ps_memory_free(blocks[i], (size_t)100 * (i + 1));
    pthread_barrier_wait(&barrier);
    pthread_barrier_wait(&barrier);
    return NULL;
}

static unsigned char *kept;

static int child_of_quiet_threads(void)
{
    ps_memory_stats stats = {.size = sizeof stats};
    EXPECT(kept[0] == 7 && kept[999] == 7);
    EXPECT(ps_memory_get_stats(&stats) == PS_OK);
    EXPECT(stats.live == counted(1000));
    ps_memory_free(kept, 1000);
    EXPECT(use_everything() == 0);
    ps_memory_trim();
    EXPECT(ps_memory_get_stats(&stats) == PS_OK);
    EXPECT(stats.live == 0);
    EXPECT(stats.cached == 0);
    return 0;
}

static void the_child_takes_over_the_caches(void **state)
{
    (void)state;
    pthread_t threads[THREADS];
    pthread_barrier_init(&barrier, NULL, THREADS + 1);
    kept = must_alloc(1000);
    memset(kept, 7, 1000);
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, fill_and_park, NULL), 0);
    pthread_barrier_wait(&barrier);
    in_child(child_of_quiet_threads);
    in_child(child_of_quiet_threads);
    pthread_barrier_wait(&barrier);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    assert_int_equal(kept[500], 7);
    ps_memory_free(kept, 1000);
    pthread_barrier_destroy(&barrier);
    assert_nothing_left();
}

/* ---- threads at work ------------------------------------------------------------------- */

static _Atomic bool stop;

/* Mostly where locks are held: with the sizes that go to the bins and to raw memory. */
static void *keep_busy(void *arg)
{
    uint64_t random = (uintptr_t)arg;
    void *blocks[BLOCKS] = {NULL};
    size_t bytes[BLOCKS] = {0};
    while (!atomic_load(&stop)) {
        unsigned i = next_random(&random) % BLOCKS;
        ps_memory_free(blocks[i], bytes[i]);
        bytes[i] = sizes[next_random(&random) % SIZES];
        if (ps_memory_alloc(bytes[i], &blocks[i]) != PS_OK)
            blocks[i] = NULL;
        if (random % 256 == 0)
            ps_memory_trim();
    }
    for (int i = 0; i < BLOCKS; i++)
        ps_memory_free(blocks[i], bytes[i]);
    return NULL;
}

/* The other threads stopped anywhere, even inside a call: what they had is gone, the rest works
 * and no block is handed out twice. */
static int child_of_busy_threads(void)
{
    enum { MANY = 2000 };
    static void *blocks[MANY];
    EXPECT(use_everything() == 0);
    for (uintptr_t i = 0; i < MANY; i++) {
        EXPECT(ps_memory_alloc(i % 3000 + 8, &blocks[i]) == PS_OK);
        memcpy(blocks[i], &i, sizeof i);
    }
    for (uintptr_t i = 0; i < MANY; i++) {
        EXPECT(memcmp(blocks[i], &i, sizeof i) == 0);
        ps_memory_free(blocks[i], i % 3000 + 8);
    }
    ps_memory_trim();
    return 0;
}

static void forks_while_threads_are_at_work(void **state)
{
    (void)state;
    pthread_t threads[THREADS];
    atomic_store(&stop, false);
#ifdef PENSTOCK_TESTING
    ps__step_configure(50, 1);
#endif
    for (uintptr_t i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, keep_busy, (void *)(i + 1)), 0);
    for (int i = 0; i < 80; i++)
        in_child(child_of_busy_threads);
    atomic_store(&stop, true);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
#ifdef PENSTOCK_TESTING
    ps__step_configure(0, 0);
#endif
    assert_nothing_left();
}

int main(void)
{
    alarm(LIMIT_S);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_child_takes_over_the_caches),
        cmocka_unit_test(forks_while_threads_are_at_work),
    };
    return cmocka_run_group_tests(tests, register_hooks, NULL);
}
