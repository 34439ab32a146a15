/* The hard limit: exact, trims first, then waits, then says why. */
#include "test_memory_help.h"

enum { MB = 1 << 20 };

static int start_clean(void **state)
{
    (void)state;
    ps__memory_set_wait(NULL);
    ps_memory_set_limit(0);
    assert_nothing_left();
    return 0;
}

static void exactly_what_fits(void **state)
{
    (void)state;
    void *blocks[11];
    assert_int_equal(ps_memory_set_limit(10 * MB), PS_OK);
    assert_int_equal(stats_now().limit, 10 * MB);
    for (int i = 0; i < 10; i++)
        blocks[i] = must_alloc(MB);
    assert_int_equal(ps_memory_alloc(MB, &blocks[10]), PS_ERR_MEMORY);
    assert_non_null(strstr(ps_last_error(), "1048576 bytes"));
    assert_non_null(strstr(ps_last_error(), "10485760 bytes live"));
    assert_non_null(strstr(ps_last_error(), "limit 10485760 bytes"));
    assert_int_equal(ps_memory_alloc(1, &blocks[10]), PS_ERR_MEMORY);
    ps_memory_free(blocks[0], MB);
    blocks[0] = must_alloc(MB);
    assert_int_equal(ps_memory_set_limit(11 * MB), PS_OK);
    blocks[10] = must_alloc(MB);
    for (int i = 0; i < 11; i++)
        ps_memory_free(blocks[i], MB);
    ps_memory_set_limit(0);
    assert_int_equal(stats_now().limit, UINT64_MAX);
}

static void cached_blocks_make_room(void **state)
{
    (void)state;
    ps_memory_set_limit(8 * MB);
    for (int i = 0; i < 6; i++)
        ps_memory_free(must_alloc((size_t)(i + 1) * MB), (size_t)(i + 1) * MB);
    /* Of every class there may be cached blocks, and their slabs, when the large one comes. */
    void *blocks[20];
    for (int i = 0; i < 20; i++)
        blocks[i] = must_alloc((size_t)1000 * (i + 1));
    for (int i = 0; i < 20; i++)
        ps_memory_free(blocks[i], (size_t)1000 * (i + 1));
    assert_true(stats_now().live + stats_now().cached <= 8 * MB);
    ps_memory_free(must_alloc(8 * MB), 8 * MB);
    /* And the other way round. */
    void *small = must_alloc(100);
    ps_memory_free(small, 100);
}

static void only_as_much_goes_as_is_needed(void **state)
{
    (void)state;
    counting_device *device;
    ps__pool *pool = counting_pool(&device);
    void *blocks[4], *block;
    ps__pool_set_limit(pool, 8 * MB);
    for (int i = 0; i < 4; i++)
        assert_int_equal(ps__pool_alloc(pool, 2 * MB, &blocks[i]), PS_OK);
    for (int i = 0; i < 4; i++)
        ps__pool_free(pool, blocks[i], 2 * MB);
    assert_int_equal(ps__pool_alloc(pool, MB, &block), PS_OK);
    assert_ptr_equal(device->last_released, blocks[0]);
    assert_int_equal(device->bytes, 7 * MB);
    ps__pool_free(pool, block, MB);
    ps__pool_trim(pool);
}

static void a_lower_limit_trims_and_leaves_what_is_live(void **state)
{
    (void)state;
    void *kept = must_alloc(3 * MB);
    void *freed = must_alloc(4 * MB), *block;
    ps_memory_free(freed, 4 * MB);
    ps_memory_set_limit(2 * MB);
    assert_int_equal(stats_now().cached, 0);
    assert_int_equal(stats_now().live, 3 * MB);
    assert_int_equal(ps_memory_alloc(64, &block), PS_ERR_MEMORY);
    ps_memory_free(kept, 3 * MB);
    ps_memory_free(must_alloc(64), 64);
}

/* Slabs are larger than their first block; near the limit they must not be. */
static void small_limits_can_be_used(void **state)
{
    (void)state;
    ps_memory_set_limit(PS__MEDIUM_BYTES);
    void *block = must_alloc(PS__MEDIUM_BYTES);
    ps_memory_free(block, PS__MEDIUM_BYTES);
    void *blocks[8];
    for (int i = 0; i < 8; i++) /* one slab of 64 KB for each class */
        blocks[i] = must_alloc((size_t)64 << i);
    for (int i = 0; i < 8; i++)
        ps_memory_free(blocks[i], (size_t)64 << i);
}

/* ---- the wait hook --------------------------------------------------------------------- */

static struct {
    int calls, give_up_after;
    void *block;
    size_t bytes;
    int free_at;
} hook;

static bool wait_for_memory(void)
{
    hook.calls++;
    if (hook.calls == hook.free_at)
        ps_memory_free(hook.block, hook.bytes);
    /* A hook runs other work on this thread, which may fail in other ways. */
    ps_memory_alloc(1, NULL);
    return hook.calls <= hook.give_up_after;
}

static void waits_until_memory_is_free(void **state)
{
    (void)state;
    hook.calls = 0;
    hook.give_up_after = 100;
    hook.free_at = 3;
    hook.bytes = 4 * MB;
    ps_memory_set_limit(5 * MB);
    hook.block = must_alloc(4 * MB);
    ps__memory_set_wait(wait_for_memory);
    void *block = must_alloc(2 * MB);
    assert_int_equal(hook.calls, 3);
    ps_memory_free(block, 2 * MB);
}

static void fails_when_waiting_is_no_use(void **state)
{
    (void)state;
    void *kept, *block;
    hook.calls = 0;
    hook.give_up_after = 4;
    hook.free_at = 0;
    ps_memory_set_limit(5 * MB);
    kept = must_alloc(4 * MB);
    ps__memory_set_wait(wait_for_memory);
    assert_int_equal(ps_memory_alloc(2 * MB, &block), PS_ERR_MEMORY);
    assert_int_equal(hook.calls, 5);
    assert_non_null(strstr(ps_last_error(), "cannot allocate 2097152 bytes"));
    /* What can never fit does not wait, and the engine's own allocations never do. */
    assert_int_equal(ps_memory_alloc(6 * MB, &block), PS_ERR_MEMORY);
    assert_int_equal(ps_memory_alloc(SIZE_MAX, &block), PS_ERR_MEMORY);
    assert_int_equal(ps__pool_alloc(ps__pool_cpu(), 2 * MB, &block), PS_ERR_MEMORY);
    assert_int_equal(hook.calls, 5);
    ps_memory_free(kept, 4 * MB);
}

static void a_device_without_memory_is_an_error(void **state)
{
    (void)state;
    counting_device *device;
    ps__pool *pool = counting_pool(&device);
    void *block;
    device->refuse = true;
    for (size_t bytes = 1; bytes < (size_t)64 << 20; bytes *= 5) {
        assert_int_equal(ps__pool_alloc(pool, bytes, &block), PS_ERR_MEMORY);
        assert_non_null(strstr(ps_last_error(), "counting:0"));
        assert_non_null(strstr(ps_last_error(), "no limit"));
    }
    device->refuse = false;
    assert_int_equal(ps__pool_alloc(pool, 100, &block), PS_OK);
    ps__pool_free(pool, block, 100);
    ps__pool_trim(pool);
    assert_int_equal(device->pieces, 0);
}

int main(void)
{
    alarm(LIMIT_S);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(exactly_what_fits, start_clean, start_clean),
        cmocka_unit_test_setup_teardown(cached_blocks_make_room, start_clean, start_clean),
        cmocka_unit_test_setup_teardown(only_as_much_goes_as_is_needed, start_clean, start_clean),
        cmocka_unit_test_setup_teardown(a_lower_limit_trims_and_leaves_what_is_live, start_clean,
                                        start_clean),
        cmocka_unit_test_setup_teardown(small_limits_can_be_used, start_clean, start_clean),
        cmocka_unit_test_setup_teardown(waits_until_memory_is_free, start_clean, start_clean),
        cmocka_unit_test_setup_teardown(fails_when_waiting_is_no_use, start_clean, start_clean),
        cmocka_unit_test_setup_teardown(a_device_without_memory_is_an_error, start_clean,
                                        start_clean),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
