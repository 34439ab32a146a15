/* Size classes: they cover all sizes, waste little, and keep blocks aligned. */
#include "test_memory_help.h"

static void sizes_and_classes_agree(void **state)
{
    (void)state;
    for (unsigned class = 0; class < PS__CLASSES; class ++) {
        size_t bytes = ps__class_bytes(class);
        size_t below = class ? ps__class_bytes(class - 1) : 0;
        assert_int_equal(ps__class_of(bytes), class);
        assert_int_equal(ps__class_of(below + 1), class);
        assert_true(bytes > below);
        assert_int_equal(bytes % PS__ALIGNMENT, 0);
    }
}

static void the_borders_are_where_the_header_says(void **state)
{
    (void)state;
    assert_int_equal(ps__class_bytes(PS__SMALL_CLASSES - 1), PS__SMALL_BYTES);
    assert_int_equal(ps__class_bytes(PS__SLAB_CLASSES - 1), PS__MEDIUM_BYTES);
    assert_int_equal(ps__class_bytes(PS__CLASSES - 1), PS__BLOCK_BYTES_MAX);
}

static void little_is_wasted(void **state)
{
    (void)state;
    for (size_t bytes = 1; bytes <= 70000; bytes++) {
        size_t rounded = ps__class_bytes(ps__class_of(bytes));
        assert_true(rounded >= bytes);
        assert_true(rounded - bytes < 64 || (rounded - bytes) * 8 < bytes);
    }
}

/* A slab must hold whole blocks for any class, and raw sizes must be classes. */
static void raw_sizes_are_classes(void **state)
{
    (void)state;
    for (size_t bytes = PS__RAW_BYTES; bytes <= PS__HUGE_BYTES; bytes *= 2)
        assert_int_equal(counted(bytes), bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_and_classes_agree),
        cmocka_unit_test(the_borders_are_where_the_header_says),
        cmocka_unit_test(little_is_wasted),
        cmocka_unit_test(raw_sizes_are_classes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
