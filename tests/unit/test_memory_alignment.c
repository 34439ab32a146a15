/* Every size gives an aligned block of its own, or a clean error. */
#include "test_memory_help.h"

enum { KEPT = 64 };

/* Blocks that are live at the same time must not overlap: each is filled with its own number and
 * looked at again (all that are aligned, and the last byte) when it is freed, KEPT blocks later. */
typedef struct kept {
    unsigned char *block;
    size_t bytes;
    unsigned char fill;
} kept;

static void check_and_free(kept *k)
{
    for (size_t at = 0; at < k->bytes; at += PS__ALIGNMENT)
        if (k->block[at] != k->fill || k->block[k->bytes - 1] != k->fill)
            fail_msg("byte %zu or the last of a block of %zu was overwritten", at, k->bytes);
    ps_memory_free(k->block, k->bytes);
}

static void all_sizes_up_to_70000(void **state)
{
    (void)state;
    kept ring[KEPT] = {{NULL, 0, 0}};
    for (size_t bytes = 0; bytes <= 70000; bytes++) {
        kept *k = &ring[bytes % KEPT];
        if (k->block)
            check_and_free(k);
        *k = (kept){must_alloc(bytes), bytes, (unsigned char)bytes};
        assert_int_equal((uintptr_t)k->block % PS__ALIGNMENT, 0);
        memset(k->block, k->fill, bytes);
    }
    for (int i = 0; i < KEPT; i++)
        check_and_free(&ring[i]);
    assert_nothing_left();
}

static void big_sizes(void **state)
{
    (void)state;
    for (size_t power = 70000; power <= (size_t)64 << 20; power = power * 5 / 3) {
        for (size_t bytes = power - 1; bytes <= power + 1; bytes++) {
            char *block = must_alloc(bytes);
            size_t alignment = bytes > PS__MEDIUM_BYTES && counted(bytes) >= PS__HUGE_BYTES
                                   ? PS__HUGE_BYTES
                                   : PS__ALIGNMENT;
            assert_int_equal((uintptr_t)block % alignment, 0);
            block[0] = block[bytes / 2] = block[bytes - 1] = 1;
            ps_memory_free(block, bytes);
        }
    }
    assert_nothing_left();
}

static void zero_bytes_are_valid_and_free(void **state)
{
    (void)state;
    uint64_t before = stats_now().live;
    void *block = must_alloc(0);
    assert_int_equal((uintptr_t)block % PS__ALIGNMENT, 0);
    assert_int_equal(stats_now().live, before);
    ps_memory_free(block, 0);
    ps_memory_free(block, 0);
    ps_memory_free(NULL, 0);
    ps_memory_free(NULL, 100);
    assert_int_equal(stats_now().live, before);
}

static void absurd_sizes_fail_cleanly(void **state)
{
    (void)state;
    static const size_t sizes[] = {SIZE_MAX,           SIZE_MAX - 1,
                                   SIZE_MAX - 63,      SIZE_MAX - 64,
                                   SIZE_MAX - 4095,    SIZE_MAX / 2,
                                   SIZE_MAX / 2 + 2,   PS__BLOCK_BYTES_MAX + 1,
                                   PS__BLOCK_BYTES_MAX};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        void *block;
        char digits[32];
        snprintf(digits, sizeof digits, "%zu bytes", sizes[i]);
        assert_int_equal(ps_memory_alloc(sizes[i], &block), PS_ERR_MEMORY);
        assert_non_null(strstr(ps_last_error(), digits));
    }
    assert_int_equal(ps_memory_alloc(8, NULL), PS_ERR_ARGUMENT);
    assert_nothing_left();
}

int main(void)
{
    alarm(LIMIT_S);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_sizes_up_to_70000),
        cmocka_unit_test(big_sizes),
        cmocka_unit_test(zero_bytes_are_valid_and_free),
        cmocka_unit_test(absurd_sizes_fail_cleanly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
