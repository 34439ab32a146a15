/* Blocks cross threads, and threads end: nothing is lost and nothing piles up. */
#include "test_memory_help.h"

#include "aside.h"
#include "memory/cache.h"

#include <pthread.h>

static void run_thread(void *(*body)(void *), void *arg)
{
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, body, arg), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
}

/* ---- freed by another thread ------------------------------------------------------------ */

enum { PASSED = 1000 };
static const size_t pass_sizes[] = {64, 700, 4096, 32768, 40000, 600000};
enum { PASS_SIZES = sizeof pass_sizes / sizeof pass_sizes[0] };

typedef struct passing {
    void *blocks[PASSED];
    size_t bytes;
} passing;

static void *alloc_all(void *arg)
{
    passing *p = arg;
    for (int i = 0; i < PASSED; i++)
        if (ps_memory_alloc(p->bytes, &p->blocks[i]) != PS_OK)
            p->blocks[i] = NULL;
    return NULL;
}

static void *free_all(void *arg)
{
    passing *p = arg;
    for (int i = 0; i < PASSED; i++)
        ps_memory_free(p->blocks[i], p->bytes);
    return NULL;
}

static void one_thread_allocates_another_frees(void **state)
{
    (void)state;
    static passing p;
    for (int i = 0; i < PASS_SIZES; i++) {
        p.bytes = pass_sizes[i];
        run_thread(alloc_all, &p);
        assert_int_equal(stats_now().live, PASSED * counted(p.bytes));
        run_thread(free_all, &p);
        assert_nothing_left();
    }
}

/* The owner of the blocks always allocates, the other always frees, both stay: what flows through
 * the bins must come back, or memory grows with the number of rounds. */
typedef struct pipe_end {
    _Atomic unsigned head, tail; /* release by the one side, acquire by the other */
    void *ring[64];
    unsigned count;
    size_t bytes;
} pipe_end;

static void *free_what_comes(void *arg)
{
    pipe_end *p = arg;
    for (unsigned i = 0; i < p->count; i++) {
        while (atomic_load_explicit(&p->head, memory_order_acquire) == i)
            step_aside();
        ps_memory_free(p->ring[i % 64], p->bytes);
        atomic_store_explicit(&p->tail, i + 1, memory_order_release);
    }
    return NULL;
}

static void memory_does_not_grow_when_blocks_flow_one_way(void **state)
{
    (void)state;
    static pipe_end p;
    p.count = 20000;
    p.bytes = 1000;
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, free_what_comes, &p), 0);
    uint64_t most = 0;
    for (unsigned i = 0; i < p.count; i++) {
        while (i - atomic_load_explicit(&p.tail, memory_order_acquire) >= 64)
            step_aside();
        p.ring[i % 64] = must_alloc(p.bytes);
        *(char *)p.ring[i % 64] = 1;
        atomic_store_explicit(&p.head, i + 1, memory_order_release);
        if (i % 1000 == 0) {
            ps_memory_stats stats = stats_now();
            most = stats.live + stats.cached > most ? stats.live + stats.cached : most;
        }
    }
    pthread_join(thread, NULL);
    /* 64 in the ring, two caches of 64, 128 in the bin, rounded up to slabs. */
    assert_true(most <= 1 << 20);
    assert_nothing_left();
}

/* ---- ends of threads -------------------------------------------------------------------- */

static void *use_and_end(void *arg)
{
    (void)arg;
    for (size_t bytes = 64; bytes <= PS__SMALL_BYTES; bytes *= 2) {
        void *block;
        if (ps_memory_alloc(bytes, &block) == PS_OK)
            ps_memory_free(block, bytes);
    }
    return NULL;
}

static void a_thread_that_ends_leaves_nothing_cached(void **state)
{
    (void)state;
    for (int i = 0; i < 20; i++)
        run_thread(use_and_end, NULL);
    assert_nothing_left();
}

/* Destructors of thread-specific data may run after ours. */
static pthread_key_t late_key;
static int late_runs;

static void use_late(void *arg)
{
    use_and_end(NULL);
    /* Again in the next round of destructors, when our own has certainly run. */
    if (++late_runs < 3)
        pthread_setspecific(late_key, arg);
}

static void *use_after_the_end(void *arg)
{
    pthread_setspecific(late_key, arg);
    return use_and_end(NULL);
}

static void the_pool_works_after_a_thread_lost_its_cache(void **state)
{
    (void)state;
    late_runs = 0;
    assert_int_equal(pthread_key_create(&late_key, use_late), 0);
    run_thread(use_after_the_end, &late_runs);
    assert_int_equal(late_runs, 3);
    pthread_key_delete(late_key);
    assert_nothing_left();
}

/* ---- bounds and statistics of a cache that is alive ------------------------------------- */

typedef struct visit {
    pthread_barrier_t barrier;
    void *kept;
    int64_t most; /* bytes that were ever in the cache */
} visit;

/* Frees a block of every size there is, many times over; the cache must stay bounded. */
static void *fill_cache(void *arg)
{
    visit *v = arg;
    static void *blocks[PS__SMALL_CLASSES][64];
    for (unsigned class = 0; class < PS__SMALL_CLASSES; class ++)
        for (int i = 0; i < 64; i++)
            if (ps_memory_alloc(ps__class_bytes(class), &blocks[class][i]) != PS_OK)
                blocks[class][i] = NULL;
    for (unsigned class = 0; class < PS__SMALL_CLASSES; class ++)
        for (int i = 0; i < 64; i++) {
            ps_memory_free(blocks[class][i], ps__class_bytes(class));
            int64_t bytes = ps__load(&ps__thread_cache->bytes);
            v->most = bytes > v->most ? bytes : v->most;
        }
    if (ps_memory_alloc(100, &v->kept) != PS_OK)
        v->kept = NULL;
    pthread_barrier_wait(&v->barrier);
    pthread_barrier_wait(&v->barrier);
    ps_memory_free(v->kept, 100);
    return NULL;
}

static void anothers_cache_is_counted_and_bounded(void **state)
{
    (void)state;
    visit v = {.most = 0};
    pthread_t thread;
    pthread_barrier_init(&v.barrier, NULL, 2);
    assert_int_equal(pthread_create(&thread, NULL, fill_cache, &v), 0);
    pthread_barrier_wait(&v.barrier);
    assert_non_null(v.kept);
    ps_memory_trim();
    ps_memory_stats stats = stats_now();
    assert_int_equal(stats.live, counted(100));
    assert_true(stats.cached >= PS__CACHE_BYTES / 4);
    /* Enough went through it to fill it, and no more was kept. */
    assert_in_range(v.most, PS__CACHE_BYTES / 2, PS__CACHE_BYTES);
    pthread_barrier_wait(&v.barrier);
    pthread_join(thread, NULL);
    pthread_barrier_destroy(&v.barrier);
    assert_nothing_left();
}

int main(void)
{
    alarm(LIMIT_S);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_thread_allocates_another_frees),
        cmocka_unit_test(memory_does_not_grow_when_blocks_flow_one_way),
        cmocka_unit_test(a_thread_that_ends_leaves_nothing_cached),
        cmocka_unit_test(the_pool_works_after_a_thread_lost_its_cache),
        cmocka_unit_test(anothers_cache_is_counted_and_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
