/* The reference kernels against results computed elsewhere: by NumPy, with mpmath's digits, and by
 * the rules of kernels.h where those have none. See tests/vectors. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "kernels/support/check.h"

static const ps__kernel_set *reference(void)
{
    const ps__kernel_set *set = ps__kernels_find("ref");
    assert_non_null(set);
    return set;
}

static void entries_are_there(void **state)
{
    (void)state;
    check_entries(reference());
}

static void primitives_are_right(void **state)
{
    (void)state;
    check_primitives(reference());
}

static void casts_are_right(void **state)
{
    (void)state;
    check_casts(reference());
}

static void leaves_are_in_order(void **state)
{
    (void)state;
    check_leaves(reference());
}

static void smallest_and_largest_are_found(void **state)
{
    (void)state;
    check_arguments(reference());
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(entries_are_there),
        cmocka_unit_test(primitives_are_right),
        cmocka_unit_test(casts_are_right),
        cmocka_unit_test(leaves_are_in_order),
        cmocka_unit_test(smallest_and_largest_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
