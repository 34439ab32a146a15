/* What was freed is used again, for sizes near it; what is kept is bounded, and the oldest goes
 * first. */
#include "test_memory_help.h"

#include "memory/cache.h"

static void *pool_alloc(ps__pool *pool, size_t bytes)
{
    void *block = NULL;
    assert_int_equal(ps__pool_alloc(pool, bytes, &block), PS_OK);
    return block;
}

static void the_last_freed_block_is_the_next(void **state)
{
    (void)state;
    static const size_t sizes[][2] = {{1, 64},          {4000, 4096},       {30000, 30720},
                                      {100000, 106496}, {1 << 20, 1000000}, {60 << 20, 59 << 20}};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        void *block = must_alloc(sizes[i][0]);
        ps_memory_free(block, sizes[i][0]);
        assert_ptr_equal(must_alloc(sizes[i][1]), block);
        ps_memory_free(block, sizes[i][1]);
    }
    assert_nothing_left();
}

/* Slabs grow with their bin, so the second round may cut the memory up in another way. */
static void a_loop_needs_no_more_than_its_first_rounds(void **state)
{
    (void)state;
    static const size_t sizes[] = {64, 5000, 40000, 300000, 1 << 20, 5 << 20};
    enum { SIZES = sizeof sizes / sizeof sizes[0], EACH = 40 };
    counting_device *device;
    ps__pool *pool = counting_pool(&device);
    void *blocks[SIZES * EACH];
    uint64_t first_bytes = 0;
    unsigned first_rounds = 0;
    for (int round = 0; round < 8; round++) {
        for (int i = 0; i < SIZES * EACH; i++)
            blocks[i] = pool_alloc(pool, sizes[i % SIZES]);
        for (int i = 0; i < SIZES * EACH; i++)
            ps__pool_free(pool, blocks[i], sizes[i % SIZES]);
        if (round == 0)
            first_bytes = device->bytes;
        if (round == 1)
            first_rounds = device->allocated;
        if (round > 1)
            assert_int_equal(device->allocated, first_rounds);
    }
    assert_true(device->bytes < first_bytes + first_bytes / 20);
    ps__pool_trim(pool);
    assert_int_equal(device->pieces, 0);
    assert_int_equal(device->bytes, 0);
}

static void an_empty_slab_serves_other_classes(void **state)
{
    (void)state;
    counting_device *device;
    ps__pool *pool = counting_pool(&device);
    void *blocks[1024];
    /* 64 KB of one class; freed, all but the few kept aside go back to their slab. */
    for (int i = 0; i < 1024; i++)
        blocks[i] = pool_alloc(pool, 64);
    assert_int_equal(device->pieces, 1);
    for (int i = 0; i < 1024; i++)
        ps__pool_free(pool, blocks[i], 64);
    ps__bin_trim(pool, ps__class_of(64));
    void *other = pool_alloc(pool, 6000);
    assert_int_equal(device->allocated, 1);
    ps__pool_free(pool, other, 6000);
    ps__pool_trim(pool);
    assert_int_equal(device->pieces, 0);
}

/* Blocks taken in one go and freed in any order must all be found again in their slabs. */
static void slabs_grow_and_all_blocks_return(void **state)
{
    (void)state;
    enum { COUNT = 60000, STEP = 7919 /* has no factor with COUNT */ };
    counting_device *device;
    ps__pool *pool = counting_pool(&device);
    void **blocks = calloc(COUNT, sizeof *blocks);
    assert_non_null(blocks);
    for (int i = 0; i < COUNT; i++)
        blocks[i] = pool_alloc(pool, 192);
    /* Slabs of 64 KB only would be 176 pieces. */
    assert_in_range(device->pieces, 6, 16);
    assert_true(device->bytes < (uint64_t)COUNT * 192 + PS__HUGE_BYTES + PS__RAW_BYTES * 16);
    for (int i = 0; i < COUNT; i++)
        ps__pool_free(pool, blocks[(uint64_t)i * STEP % COUNT], 192);
    ps__pool_trim(pool);
    assert_int_equal(device->pieces, 0);
    free(blocks);
}

static void kept_large_blocks_are_bounded_and_the_oldest_goes_first(void **state)
{
    (void)state;
    enum { MB = 1 << 20, BLOCKS = 8 };
    counting_device *device;
    ps__pool *pool = counting_pool(&device);
    pool->raw.stored_max = 5 * MB;
    void *blocks[BLOCKS];
    for (int i = 0; i < BLOCKS; i++)
        blocks[i] = pool_alloc(pool, MB);
    for (int i = 0; i < BLOCKS; i++) {
        ps__pool_free(pool, blocks[i], MB);
        ps_memory_stats stats;
        ps__pool_stats(pool, &stats);
        assert_true(stats.cached <= 5 * MB);
        assert_int_equal(device->bytes, stats.live + stats.cached);
        if (i >= 5)
            assert_ptr_equal(device->last_released, blocks[i - 5]);
    }
    /* Across classes too: a 3 MB block drives out the oldest three of the five. */
    void *other = pool_alloc(pool, 3 * MB);
    ps__pool_free(pool, other, 3 * MB);
    assert_ptr_equal(device->last_released, blocks[5]);
    /* And one that is too large to keep drives out nothing. */
    other = pool_alloc(pool, 6 * MB);
    ps__pool_free(pool, other, 6 * MB);
    assert_ptr_equal(device->last_released, other);
    assert_int_equal(device->bytes, 5 * MB);
    assert_int_equal(ps__pool_trim(pool), 5 * MB);
    assert_int_equal(device->pieces, 0);
}

static void the_number_of_kept_pieces_is_bounded(void **state)
{
    (void)state;
    enum { PIECES = PS__STORE_ENTRIES + 100 };
    counting_device *device;
    ps__pool *pool = counting_pool(&device);
    unsigned class = ps__class_of(PS__RAW_BYTES);
    void **pieces = calloc(PIECES, sizeof *pieces);
    assert_non_null(pieces);
    pool->raw.stored_max = UINT64_MAX;
    for (int i = 0; i < PIECES; i++)
        assert_int_equal(ps__raw_take(pool, class, &pieces[i]), PS__GRANTED);
    for (int i = 0; i < PIECES; i++)
        assert_false(ps__raw_give(pool, class, pieces[i]));
    assert_int_equal(device->pieces, PS__STORE_ENTRIES);
    assert_ptr_equal(device->last_released, pieces[99]);
    ps__pool_trim(pool);
    assert_int_equal(device->pieces, 0);
    free(pieces);
}

static void large_blocks_ask_for_huge_page_alignment(void **state)
{
    (void)state;
    counting_device *device;
    ps__pool *pool = counting_pool(&device);
    void *block = pool_alloc(pool, PS__HUGE_BYTES - 4096);
    assert_int_equal(device->last_alignment, PS__HUGE_BYTES);
    ps__pool_free(pool, block, PS__HUGE_BYTES - 4096);
    block = pool_alloc(pool, 1 << 20);
    assert_int_equal(device->last_alignment, PS__RAW_BYTES);
    ps__pool_free(pool, block, 1 << 20);
    ps__pool_trim(pool);
}

/* A cache that is full but for less than a batch, a magazine that is full, and a batch of another
 * class on top: the block freed next still finds a place. */
static void a_fill_past_the_bound_loses_no_block(void **state)
{
    (void)state;
    enum { FULL = 30720, SMALL = 512, EACH = 64 };
    void *full[3], *held[PS__SMALL_CLASSES][EACH];
    for (int i = 0; i < 3; i++)
        full[i] = must_alloc(FULL);
    for (unsigned class = 8; class < ps__class_of(FULL); class ++) {
        for (int i = 0; i < EACH; i++)
            held[class][i] = must_alloc(ps__class_bytes(class));
    }
    ps_memory_trim();
    ps_memory_free(full[0], FULL);
    ps_memory_free(full[1], FULL);
    for (unsigned class = ps__class_of(FULL) - 1; class >= 8; class --) {
        ps__magazine *magazine = &ps__thread_cache->magazines[class];
        int64_t bytes = (int64_t)ps__class_bytes(class);
        for (int i = 0; i < EACH; i++) {
            bool fits = ps__load(&ps__thread_cache->bytes) + bytes <= PS__CACHE_BYTES;
            if (fits && ps__load(&magazine->count) < magazine->capacity) {
                ps_memory_free(held[class][i], (size_t)bytes);
                held[class][i] = NULL;
            }
        }
    }
    assert_true(ps__load(&ps__thread_cache->bytes) > PS__CACHE_BYTES - 8192);
    void *small = must_alloc(SMALL);
    assert_true(ps__load(&ps__thread_cache->bytes) > PS__CACHE_BYTES);
    ps_memory_free(full[2], FULL);
    ps_memory_free(small, SMALL);
    for (unsigned class = 8; class < ps__class_of(FULL); class ++) {
        for (int i = 0; i < EACH; i++) {
            if (held[class][i])
                ps_memory_free(held[class][i], ps__class_bytes(class));
        }
    }
    assert_nothing_left();
}

int main(void)
{
    alarm(LIMIT_S);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_last_freed_block_is_the_next),
        cmocka_unit_test(a_loop_needs_no_more_than_its_first_rounds),
        cmocka_unit_test(an_empty_slab_serves_other_classes),
        cmocka_unit_test(slabs_grow_and_all_blocks_return),
        cmocka_unit_test(kept_large_blocks_are_bounded_and_the_oldest_goes_first),
        cmocka_unit_test(the_number_of_kept_pieces_is_bounded),
        cmocka_unit_test(large_blocks_ask_for_huge_page_alignment),
        cmocka_unit_test(a_fill_past_the_bound_loses_no_block),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
