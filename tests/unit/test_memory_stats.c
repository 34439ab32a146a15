/* The statistics: exact whenever nobody is inside a call. */
#include "test_memory_help.h"

static const size_t sizes[] = {1, 64, 65, 1000, 32768, 32769, 500000, 524288, 524289, 3 << 20};
enum { SIZES = sizeof sizes / sizeof sizes[0] };

static void live_counts_every_block(void **state)
{
    (void)state;
    void *blocks[SIZES];
    uint64_t live = stats_now().live;
    for (int i = 0; i < SIZES; i++) {
        blocks[i] = must_alloc(sizes[i]);
        live += counted(sizes[i]);
        assert_int_equal(stats_now().live, live);
    }
    for (int i = 0; i < SIZES; i++) {
        ps_memory_free(blocks[i], sizes[i]);
        live -= counted(sizes[i]);
        assert_int_equal(stats_now().live, live);
    }
    assert_nothing_left();
}

static void live_and_cached_are_what_the_device_gave(void **state)
{
    (void)state;
    counting_device *device;
    ps__pool *pool = counting_pool(&device);
    uint64_t random = 7;
    void *blocks[200] = {NULL};
    size_t bytes[200] = {0};
    for (int step = 0; step < 5000; step++) {
        unsigned i = next_random(&random) % 200;
        ps__pool_free(pool, blocks[i], bytes[i]);
        bytes[i] = next_random(&random) % (step % 10 ? 5000 : 1500000);
        assert_int_equal(ps__pool_alloc(pool, bytes[i], &blocks[i]), PS_OK);
        ps_memory_stats stats;
        ps__pool_stats(pool, &stats);
        uint64_t expected = 0;
        for (int j = 0; j < 200; j++)
            expected += blocks[j] ? counted(bytes[j]) : 0;
        assert_int_equal(stats.live, expected);
        assert_int_equal(stats.live + stats.cached, device->bytes);
    }
    for (int i = 0; i < 200; i++)
        ps__pool_free(pool, blocks[i], bytes[i]);
    ps__pool_trim(pool);
    assert_int_equal(device->bytes, 0);
}

/* One thread: exact, whichever way blocks take. */
static void the_peak_of_one_thread_is_exact(void **state)
{
    (void)state;
    enum { BLOCKS = 300 };
    void *blocks[BLOCKS];
    size_t bytes[BLOCKS];
    uint64_t random = 3;
    ps_memory_reset_peak();
    uint64_t peak = stats_now().peak, live = stats_now().live;
    assert_int_equal(peak, live);
    for (int round = 0; round < 50; round++) {
        int count = (int)(next_random(&random) % BLOCKS);
        for (int i = 0; i < count; i++) {
            bytes[i] = 1 + next_random(&random) % (i % 50 ? 3000 : 900000);
            blocks[i] = must_alloc(bytes[i]);
            live += counted(bytes[i]);
            peak = live > peak ? live : peak;
        }
        /* Down and up again between two looks: the least of the caches counts, not the last. */
        for (int i = 0; i < count; i++) {
            ps_memory_free(blocks[i], bytes[i]);
            live -= counted(bytes[i]);
        }
        if (round % 7 == 0)
            assert_int_equal(stats_now().peak, peak);
    }
    assert_int_equal(stats_now().peak, peak);
    ps_memory_reset_peak();
    assert_int_equal(stats_now().peak, live);
    assert_nothing_left();
}

static void trim_returns_what_it_gave_back(void **state)
{
    (void)state;
    void *kept = must_alloc(100);
    void *large = must_alloc(2 << 20);
    for (int i = 0; i < SIZES; i++)
        ps_memory_free(must_alloc(sizes[i]), sizes[i]);
    ps_memory_free(large, 2 << 20);
    ps_memory_stats before = stats_now();
    uint64_t trimmed = ps_memory_trim();
    ps_memory_stats after = stats_now();
    assert_true(trimmed >= 2 << 20);
    assert_int_equal(before.cached - after.cached, trimmed);
    assert_int_equal(after.live, before.live);
    /* The slab of the block that is kept stays. */
    assert_int_equal(after.cached, PS__RAW_BYTES - counted(100));
    ps_memory_free(kept, 100);
    assert_nothing_left();
}

static uint64_t seven_hundred(void)
{
    return 700;
}

static void queued_bytes_are_reported(void **state)
{
    (void)state;
    assert_int_equal(stats_now().queued, 0);
    ps__memory_set_queued(seven_hundred);
    assert_int_equal(stats_now().queued, 700);
    ps__memory_set_queued(NULL);
    assert_int_equal(stats_now().queued, 0);
}

static void structs_of_other_sizes(void **state)
{
    (void)state;
    struct {
        ps_memory_stats stats;
        uint64_t more;
    } longer = {.stats = {.size = sizeof longer}, .more = 42};
    ps_memory_stats shorter = {.size = offsetof(ps_memory_stats, queued), .queued = 43};
    assert_int_equal(ps_memory_get_stats(&longer.stats), PS_OK);
    assert_int_equal(longer.more, 42);
    assert_int_equal(longer.stats.size, sizeof longer);
    assert_int_equal(ps_memory_get_stats(&shorter), PS_OK);
    assert_int_equal(shorter.queued, 43);
    shorter.size = 0;
    assert_int_equal(ps_memory_get_stats(&shorter), PS_ERR_ARGUMENT);
    assert_int_equal(ps_memory_get_stats(NULL), PS_ERR_ARGUMENT);
}

int main(void)
{
    alarm(LIMIT_S);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(live_counts_every_block),
        cmocka_unit_test(live_and_cached_are_what_the_device_gave),
        cmocka_unit_test(the_peak_of_one_thread_is_exact),
        cmocka_unit_test(trim_returns_what_it_gave_back),
        cmocka_unit_test(queued_bytes_are_reported),
        cmocka_unit_test(structs_of_other_sizes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
