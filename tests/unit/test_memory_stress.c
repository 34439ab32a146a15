/* Random allocs and frees of many threads that exchange their blocks: every byte stays what its
 * owner wrote, and the figures are exact at the end. */
#include "test_memory_help.h"

#include <pthread.h>

enum { THREADS = 4, SLOTS = 256, OWN = 32 };

/* A block carries its own size; its bytes follow from its address. */
typedef struct head {
    size_t bytes;
    uint64_t mark;
} head;

static _Atomic(head *) slots[SLOTS]; /* blocks that anybody may free; exchanged as a whole */
static _Atomic unsigned spoilt, refused, over_limit;

static unsigned char fill_of(const head *h)
{
    return (unsigned char)((uintptr_t)h >> 6 ^ h->bytes);
}

/* All of a small block; of a large one the ends and a byte in each page. */
static size_t stride_of(size_t bytes)
{
    return bytes <= 4096 ? 1 : 4096;
}

static head *make(size_t bytes)
{
    void *block;
    if (ps_memory_alloc(bytes, &block) != PS_OK) {
        atomic_fetch_add(&refused, 1);
        return NULL;
    }
    head *h = block;
    *h = (head){bytes, (uintptr_t)h ^ bytes};
    for (size_t at = sizeof *h; at < bytes; at += stride_of(bytes))
        ((unsigned char *)h)[at] = fill_of(h);
    return h;
}

static void destroy(head *h)
{
    if (!h)
        return;
    size_t bytes = h->bytes;
    bool bad = h->mark != ((uintptr_t)h ^ bytes);
    for (size_t at = sizeof *h; !bad && at < bytes; at += stride_of(bytes))
        bad = ((unsigned char *)h)[at] != fill_of(h);
    if (bad)
        atomic_fetch_add(&spoilt, 1);
    else
        ps_memory_free(h, bytes);
}

static size_t random_size(uint64_t *random)
{
    unsigned kind = next_random(random) % 100;
    size_t most = kind < 60 ? 1000 : kind < 90 ? 33000 : kind < 98 ? 600000 : 3 << 20;
    return sizeof(head) + next_random(random) % most;
}

typedef struct worker {
    pthread_t thread;
    uint64_t random;
    unsigned steps;
    bool trims;
} worker;

static void *work(void *arg)
{
    worker *w = arg;
    head *own[OWN] = {NULL};
    for (unsigned step = 0; step < w->steps; step++) {
        uint64_t choice = next_random(&w->random);
        head **mine = &own[choice % OWN];
        destroy(*mine);
        *mine = make(random_size(&w->random));
        if (choice >> 8 & 1) {
            /* Acquires the block that another thread's exchange released. */
            *mine = atomic_exchange_explicit(&slots[(choice >> 16) % SLOTS], *mine,
                                             memory_order_acq_rel);
        }
        if (w->trims && step % 500 == 0)
            ps_memory_trim();
        ps_memory_stats stats = {.size = sizeof stats};
        if (step % 1000 == 0 && ps_memory_get_stats(&stats) != PS_OK)
            atomic_fetch_add(&spoilt, 1);
        /* Live and cached together, as one number. */
        if (ps__load(&ps__cpu_pool.raw.held) > ps__load(&ps__cpu_pool.raw.limit))
            atomic_fetch_add(&over_limit, 1);
    }
    for (int i = 0; i < OWN; i++)
        destroy(own[i]);
    return NULL;
}

static void run(unsigned steps, uint64_t seed)
{
    worker workers[THREADS];
    for (int i = 0; i < THREADS; i++) {
        workers[i] =
            (worker){.random = seed * 1000 + (uint64_t)i + 1, .steps = steps, .trims = i == 0};
        assert_int_equal(pthread_create(&workers[i].thread, NULL, work, &workers[i]), 0);
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(workers[i].thread, NULL);
    for (int i = 0; i < SLOTS; i++)
        destroy(atomic_exchange(&slots[i], NULL));
    assert_int_equal(spoilt, 0);
    assert_nothing_left();
}

static void without_a_limit(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 3; seed++)
        run(10000, seed);
    assert_int_equal(refused, 0);
}

static void at_the_limit(void **state)
{
    (void)state;
    ps_memory_set_limit(24 << 20);
    run(10000, 4);
    assert_int_equal(over_limit, 0);
    assert_true(refused > 0);
    refused = 0;
    ps_memory_set_limit(0);
}

static void with_a_small_store(void **state)
{
    (void)state;
    uint64_t before = ps__cpu_pool.raw.stored_max;
    ps__cpu_pool.raw.stored_max = 2 << 20;
    run(10000, 5);
    ps__cpu_pool.raw.stored_max = before;
}

#ifdef PENSTOCK_TESTING
static void with_random_yields(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 3; seed++) {
        ps__step_configure(20, seed);
        run(1500, seed + 10);
        ps__step_configure(0, 0);
    }
}
#endif

int main(void)
{
    alarm(LIMIT_S);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_a_limit),
        cmocka_unit_test(at_the_limit),
        cmocka_unit_test(with_a_small_store),
#ifdef PENSTOCK_TESTING
        cmocka_unit_test(with_random_yields),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
