/* See sets.h. */
#include "kernels/support/sets.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

const ps__kernel_set *sets_of(void **state)
{
    const ps__kernel_set *set = ps__kernels_find(*state);
    if (!set)
        skip();
    return set;
}

const ps__kernel_set *sets_reference(void)
{
    const ps__kernel_set *set = ps__kernels_find("ref");
    assert_non_null(set);
    return set;
}
