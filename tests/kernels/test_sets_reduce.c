/* Leaves, argmin and argmax of every set: against the vectors, and for every length against the
 * reference, bit by bit. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "kernels/support/arena.h"
#include "kernels/support/check.h"
#include "kernels/support/compare.h"
#include "kernels/support/sets.h"

static guarded memory;
static vector_file file;

static int begin(void **state)
{
    (void)state;
    memory = arena_make();
    file = vectors_load("reduce");
    return 0;
}

static int end(void **state)
{
    (void)state;
    vectors_free(&file);
    arena_free(&memory);
    return 0;
}

/* The values of a type: its row of "sum", which every type with a leaf has. */
static const vector_row *values_of(ps_dtype dtype)
{
    return vectors_find(&file, "sum", dtype);
}

/* ---- Leaves ---------------------------------------------------------------------------- */

/* The last n values, so that the special ones are met, ending where memory ends or elsewhere. */
static void *lay(const vector_row *values, size_t n, position place)
{
    size_t bytes = ps__dtype_bytes(values->dtype);
    void *x = arena_place(&memory, place, n, bytes);
    memcpy(x, vectors_at(values->set->operand[0], values->dtype, n % 3 ? values->set->n - n : 0),
           n * bytes);
    return x;
}

static void check_leaf(const ps__kernel_set *set, int reduce, const vector_row *values)
{
    ps__leaf_fn ours = set->leaf[reduce][values->dtype];
    ps__leaf_fn plain = sets_reference()->leaf[reduce][values->dtype];
    for (size_t n = 1; n <= PS__LEAF; n++) {
        char want[16], have[16], text[2][100];
        const void *x = lay(values, n, (position){(unsigned)n % 5, n & 1});
        plain(n, x, want);
        ours(n, x, have);
        if (!same_bits(values->dtype, want, have))
            fail_msg("%s reduction %d of %zu %s: want %s have %s", set->name, reduce, n,
                     ps__dtypes[values->dtype].name,
                     element_text(values->dtype, want, text[0], sizeof text[0]),
                     element_text(values->dtype, have, text[1], sizeof text[1]));
    }
}

/* Several leaves at a time give what each gives alone. */
static void check_several(const ps__kernel_set *set, int reduce, ps_dtype dtype)
{
    enum { MOST = 9 };
    size_t bytes = ps__dtype_bytes(dtype);
    char *x = malloc(MOST * PS__LEAF * bytes), have[MOST * 16], want[16];
    const vector_row *values = values_of(dtype);
    for (size_t i = 0; i < MOST * PS__LEAF; i++) /* tame ones, in another order each time */
        memcpy(x + i * bytes, vectors_at(values->set->operand[0], dtype, i * 7 % 800), bytes);
    for (size_t n = PS__LEAF; n >= PS__LANES; n -= n > 40 ? 37 : 1) {
        size_t count = n % (MOST + 1);
        set->leaves[reduce][dtype](count, n, (ptrdiff_t)(PS__LEAF * bytes), x, have);
        for (size_t i = 0; i < count; i++) {
            sets_reference()->leaf[reduce][dtype](n, x + i * PS__LEAF * bytes, want);
            if (!same_bits(dtype, want, have + i * bytes))
                fail_msg("%s reduction %d: leaf %zu of %zu, %zu elements, differs", set->name,
                         reduce, i, count, n);
        }
    }
    free(x);
}

static void check_all_leaves(const ps__kernel_set *set)
{
    for (ps_dtype dtype = 0; ps__dtype_valid(dtype); dtype++) {
        for (int reduce = 0; reduce < PS__REDUCES; reduce++) {
            bool there = sets_reference()->leaf[reduce][dtype] != NULL;
            assert_int_equal(there, set->leaf[reduce][dtype] != NULL);
            if (there && values_of(dtype))
                check_leaf(set, reduce, values_of(dtype));
            if (set->leaves[reduce][dtype] != NULL && values_of(dtype))
                check_several(set, reduce, dtype);
        }
    }
}

static void leaves_are_right(void **state)
{
    check_leaves(sets_of(state));
}

static void leaves_agree(void **state)
{
    check_all_leaves(sets_of(state));
}

/* ---- Arguments ------------------------------------------------------------------------- */

/* Few different values, so that there are many ties; of floats also NaN, now and then. */
static void fill_ties(ps_dtype dtype, size_t n, void *x, uint32_t *seed)
{
    const vector_row *values = values_of(dtype);
    size_t bytes = ps__dtype_bytes(dtype);
    bool special = *seed & 1;
    for (size_t i = 0; i < n; i++) {
        *seed = *seed * 1664525 + 1013904223;
        size_t pick = (*seed >> 16) % 5 + 120 + (*seed >> 16) % 2 * 9;
        if (special && (*seed >> 8) % 97 == 0)
            pick = 898 + (*seed >> 24) % 4;
        memcpy((char *)x + i * bytes, vectors_at(values->set->operand[0], dtype, pick), bytes);
    }
}

static void check_argument(ps_dtype dtype, size_t n, const void *x, const char *name,
                           ps__arg_fn ours, ps__arg_fn plain)
{
    char want[16], have[16];
    int64_t want_place = -1, have_place = -1;
    plain(n, x, want, &want_place);
    ours(n, x, have, &have_place);
    if (want_place != have_place || !same_bits(dtype, want, have))
        fail_msg("%s of %zu %s: want place %lld have %lld", name, n, ps__dtypes[dtype].name,
                 (long long)want_place, (long long)have_place);
}

static void check_all_arguments(const ps__kernel_set *set)
{
    const ps__kernel_set *plain = sets_reference();
    uint32_t seed = 7;
    for (ps_dtype dtype = 0; ps__dtype_valid(dtype); dtype++) {
        assert_int_equal(plain->argmin[dtype] != NULL, set->argmin[dtype] != NULL);
        assert_int_equal(plain->argmax[dtype] != NULL, set->argmax[dtype] != NULL);
        if (!plain->argmin[dtype] || !values_of(dtype))
            continue;
        for (size_t n = 1; n <= 1200; n += n < 200 ? 1 : 37) {
            for (int round = 0; round < 4; round++) {
                position place = {(unsigned)round, round & 1};
                void *x = arena_place(&memory, place, n, ps__dtype_bytes(dtype));
                fill_ties(dtype, n, x, &seed);
                check_argument(dtype, n, x, "argmin", set->argmin[dtype], plain->argmin[dtype]);
                check_argument(dtype, n, x, "argmax", set->argmax[dtype], plain->argmax[dtype]);
            }
        }
    }
}

/* Zeros of both signs: the sets must agree on which of them is first. */
static void check_zeros(const ps__kernel_set *set)
{
    static const float zeros[2] = {0.0f, -0.0f};
    const ps__kernel_set *plain = sets_reference();
    for (unsigned bits = 0; bits < 1024; bits++) {
        float x[40];
        for (unsigned i = 0; i < 40; i++)
            x[i] = zeros[bits >> i % 10 & 1];
        size_t n = 1 + bits % 40;
        check_argument(PS_FLOAT32, n, x, "argmin of zeros", set->argmin[PS_FLOAT32],
                       plain->argmin[PS_FLOAT32]);
        check_argument(PS_FLOAT32, n, x, "argmax of zeros", set->argmax[PS_FLOAT32],
                       plain->argmax[PS_FLOAT32]);
    }
}

static void arguments_are_right(void **state)
{
    check_arguments(sets_of(state));
}

static void arguments_agree(void **state)
{
    check_all_arguments(sets_of(state));
    check_zeros(sets_of(state));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ON_VECTOR_SETS(leaves_are_right, NULL, NULL),
        ON_VECTOR_SETS(leaves_agree, begin, end),
        ON_VECTOR_SETS(arguments_are_right, NULL, NULL),
        ON_VECTOR_SETS(arguments_agree, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
