/* The cast kernels of every set, between all types, against casts of single numbers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "kernels/kernels.h"

enum { COUNT = 300 };

/* A spread of values: limits of all integer types and their neighbours, ties of the 16-bit floats,
 * special values, both signs, and something ordinary. */
static ps_scalar number(int i)
{
    static const double special[] = {
        0.0,     -0.0,    NAN,    INFINITY, -INFINITY, 0.5,      -0.5,   1e30,
        -1e30,   1e300,   1e-300, 2049,     2051,      65519.99, 65520,  0x1p-24,
        0x1p-25, 0x3p-25, 257.0,  259.0,    3.4e38,    -128.9,   -129.0, 255.9,
    };
    enum { SPECIAL = sizeof special / sizeof *special };
    ps_scalar made = {.tag = PS_SCALAR_DOUBLE};
    if (i < SPECIAL) {
        made.as.d = special[i];
    } else if (i < SPECIAL + 64) {
        made.tag = PS_SCALAR_UINT64;
        made.as.u = ((uint64_t)1 << (i - SPECIAL)) + (uint64_t)(i % 3) - 1;
    } else if (i < SPECIAL + 128) {
        made.tag = PS_SCALAR_INT64;
        made.as.u = 0 - (((uint64_t)1 << (i - SPECIAL - 64)) + (uint64_t)(i % 3) - 1);
    } else if (i % 3) {
        made.tag = PS_SCALAR_COMPLEX;
        made.as.z[0] = (i - 200) * 1.37;
        made.as.z[1] = i % 2 ? i * 0.1 : 0;
    } else {
        made.tag = PS_SCALAR_INT64;
        made.as.u = (uint64_t)i * 0x9E3779B97F4A7C15u;
    }
    return made;
}

static bool both_nan(ps_scalar a, ps_scalar b)
{
    if (a.tag == PS_SCALAR_DOUBLE)
        return a.as.d != a.as.d && b.as.d != b.as.d;
    return a.tag == PS_SCALAR_COMPLEX && a.as.z[0] != a.as.z[0] && b.as.z[0] != b.as.z[0] &&
           a.as.z[1] == b.as.z[1];
}

static void check_cast(const ps__kernel_set *set, ps_dtype from, ps_dtype to)
{
    _Alignas(16) unsigned char in[COUNT * 16], out[COUNT * 16], expected[16];
    size_t in_bytes = ps__dtype_bytes(from), out_bytes = ps__dtype_bytes(to);
    for (int i = 0; i < COUNT; i++)
        ps__scalar_cast(number(i), from, in + (size_t)i * in_bytes);
    set->cast[from][to](COUNT, out, in);
    for (int i = 0; i < COUNT; i++) {
        const unsigned char *got = out + (size_t)i * out_bytes;
        ps__scalar_cast(ps__scalar_load(from, in + (size_t)i * in_bytes), to, expected);
        if (memcmp(got, expected, out_bytes) == 0 ||
            both_nan(ps__scalar_load(to, got), ps__scalar_load(to, expected)))
            continue;
        fail_msg("%s: %s to %s, number %d", set->name, ps_dtype_name(from), ps_dtype_name(to), i);
    }
    set->cast[from][to](0, NULL, NULL);
}

static void all_types_to_all(void **state)
{
    (void)state;
    static const char *const names[] = {"ref", "avx2", "avx512"};
    for (int s = 0; s < 3; s++) {
        const ps__kernel_set *set = ps__kernels_find(names[s]);
        for (int from = 0; set && from < PS__DTYPES; from++) {
            for (int to = 0; to < PS__DTYPES; to++)
                check_cast(set, (ps_dtype)from, (ps_dtype)to);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(all_types_to_all)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
