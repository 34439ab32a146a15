/* Random integers, truth values and permutations: ends of ranges, exact values, and whether each
 * value comes as often as it should. Seeds are fixed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "kernels/test_random_words.h"

static const ps_dtype integers[] = {PS_INT8,  PS_INT16,  PS_INT32,  PS_INT64,
                                    PS_UINT8, PS_UINT16, PS_UINT32, PS_UINT64};
enum { INTEGERS = 8 };

/* As a number of 64 bits, with the sign extended. */
static uint64_t element(ps_dtype dtype, const void *elements, size_t i)
{
    const char *at = (const char *)elements + i * ps__dtype_bytes(dtype);
    uint64_t value = 0;
    size_t bits = 8 * ps__dtype_bytes(dtype);
    memcpy(&value, at, ps__dtype_bytes(dtype));
    if (bits < 64 && ps__dtype_kind_of(dtype) == PS__KIND_SIGNED && value >> (bits - 1))
        value |= UINT64_MAX << bits;
    return value;
}

static uint64_t lowest_of(ps_dtype dtype)
{
    return ps__dtype_kind_of(dtype) == PS__KIND_SIGNED
               ? -((uint64_t)1 << (8 * ps__dtype_bytes(dtype) - 1))
               : 0;
}

static uint64_t span_of(ps_dtype dtype)
{
    return UINT64_MAX >> (64 - 8 * ps__dtype_bytes(dtype));
}

/* The first element, from the words of its block. */
static uint64_t first_with(const char *set, ps_dtype dtype, uint64_t low, uint64_t span, block x)
{
    ps__random state = state_with_block(123, x);
    ps__random_spec spec = {PS__RANDOM_INTEGERS, dtype, {.integers = {low, span}}};
    uint64_t out[32] = {0};
    if (!ps__random_fill_with(set, &state, &spec, 0, 3, out))
        ps__random_fill_with("ref", &state, &spec, 0, 3, out);
    return element(dtype, out, 0);
}

static void ends_are_reached_and_not_passed(void **unused)
{
    (void)unused;
    const block zeros = {{0, 0, 0, 0}}, ones = {{UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX}};
    for (int i = 0; i < INTEGERS * SETS; i++) {
        ps_dtype dtype = integers[i % INTEGERS];
        const char *set = set_names[i / INTEGERS];
        uint64_t lowest = lowest_of(dtype), span = span_of(dtype);
        const uint64_t spans[] = {0, 1, 2, 6, 99, span / 3, span / 2, span / 2 + 1, span - 1, span};
        for (size_t k = 0; k < sizeof spans / sizeof *spans; k++) {
            assert_true(first_with(set, dtype, lowest, spans[k], zeros) == lowest);
            assert_true(first_with(set, dtype, lowest, spans[k], ones) == lowest + spans[k]);
        }
        assert_true(first_with(set, dtype, 5, 9, ones) == 14);
    }
}

/* The integer part of a product of 128 and 64 bits, one bit at a time. */
static uint64_t product_top(uint64_t high, uint64_t low, uint64_t range)
{
    unsigned __int128 top = 0;
    for (int bit = 0; bit < 128; bit++) { /* top = (top + bit * range) / 2, from the lowest bit */
        uint64_t word = bit < 64 ? low : high;
        if (word >> bit % 64 & 1)
            top += range;
        top >>= 1;
    }
    return (uint64_t)top;
}

static void check_products(ps_dtype dtype, uint64_t span)
{
    enum { N = 500 };
    ps__random state = {span, {8, 8}};
    ps__random_spec raw = {PS__RANDOM_BITS, PS_UINT64, {{0, 0}}};
    ps__random_spec spec = {PS__RANDOM_INTEGERS, dtype, {.integers = {3, span}}};
    bool wide = ps__dtype_bytes(dtype) == 8;
    uint64_t words[2 * N + 16], out[N];
    ps__random_fill(&state, &raw, 0, 2 * N + 16, words);
    for (int s = 0; s < SETS; s++) {
        if (!ps__random_fill_with(set_names[s], &state, &spec, 0, N, out))
            continue;
        for (size_t i = 0; i < N; i++) {
            const uint64_t *x = wide ? words + i / 8 * 16 + i % 8 : words + i;
            uint64_t expected = product_top(x[0], wide ? x[8] : 0, span + 1);
            assert_true(element(dtype, out, i) == expected + 3);
        }
    }
}

static void values_are_the_products(void **unused)
{
    (void)unused;
    check_products(PS_UINT8, 6);
    check_products(PS_INT32, 999);
    check_products(PS_UINT32, UINT32_MAX - 100);
    check_products(PS_INT64, 999);
    check_products(PS_INT64, UINT32_MAX - 1);
    check_products(PS_INT64, UINT32_MAX);
    check_products(PS_INT64, (uint64_t)UINT32_MAX + 1);
    check_products(PS_UINT64, UINT64_MAX - 10);
    check_products(PS_UINT64, UINT64_MAX / 3 * 2);
}

static void the_whole_range_is_the_words(void **unused)
{
    (void)unused;
    enum { N = 64 };
    ps__random state = {1, {2, 3}};
    ps__random_spec spec = {PS__RANDOM_BITS, PS_UINT64, {{0, 0}}};
    uint64_t words[2 * N], out[N];
    ps__random_fill(&state, &spec, 0, 2 * N, words);
    for (int k = 0; k < INTEGERS; k++) {
        size_t bits = 8 * ps__dtype_bytes(integers[k]);
        spec = (ps__random_spec){PS__RANDOM_INTEGERS,
                                 integers[k],
                                 {.integers = {0, span_of(integers[k])}}};
        ps__random_fill(&state, &spec, 0, N, out);
        for (size_t i = 0; i < N; i++) {
            uint64_t word = bits == 64 ? words[i / 8 * 16 + i % 8] : words[i];
            uint64_t mask = UINT64_MAX >> (64 - bits);
            assert_true((element(integers[k], out, i) & mask) == word >> (64 - bits));
        }
    }
}

/* ---- Frequencies ----------------------------------------------------------------------- */

enum { SAMPLES = 200000 };

/* Chi-square of counts that should be equal, as deviations from what is expected; good for many
 * cells. */
static double chi_square(const int *counts, size_t cells, double total)
{
    double sum = 0, expected = total / (double)cells, freedom = (double)cells - 1;
    for (size_t i = 0; i < cells; i++)
        sum += (counts[i] - expected) * (counts[i] - expected) / expected;
    return (sum - freedom) / sqrt(2 * freedom);
}

static void every_value_comes_as_often(void **unused)
{
    (void)unused;
    static uint64_t out[SAMPLES];
    for (int k = 0; k < INTEGERS; k++) {
        bool is_signed = ps__dtype_kind_of(integers[k]) == PS__KIND_SIGNED;
        for (uint64_t span = 1; span < 127; span = span * 2 + 4) {
            uint64_t low = is_signed ? (uint64_t)-60 : 17;
            ps__random state = {span, {0, 0}};
            ps__random_spec spec = {PS__RANDOM_INTEGERS, integers[k], {.integers = {low, span}}};
            int counts[128] = {0};
            ps__random_fill(&state, &spec, 0, SAMPLES, out);
            for (size_t i = 0; i < SAMPLES; i++) {
                uint64_t offset = element(integers[k], out, i) - low;
                assert_true(offset <= span);
                counts[offset]++;
            }
            assert_true(fabs(chi_square(counts, span + 1, SAMPLES)) < 4);
        }
    }
}

/* A range of two thirds of 2^64: by 64 bits alone a third of the values would come twice as
 * often. */
static void wide_ranges_are_even(void **unused)
{
    (void)unused;
    enum { CELLS = 300 };
    static uint64_t out[SAMPLES];
    uint64_t span = UINT64_MAX / 3 * 2;
    ps__random state = {99, {0, 0}};
    ps__random_spec spec = {PS__RANDOM_INTEGERS, PS_UINT64, {.integers = {0, span}}};
    int thirds[3] = {0}, cells[CELLS] = {0};
    ps__random_fill(&state, &spec, 0, SAMPLES, out);
    for (size_t i = 0; i < SAMPLES; i++) {
        thirds[out[i] % 3]++;
        cells[out[i] / (span / CELLS + 1)]++;
    }
    assert_true(fabs(chi_square(thirds, 3, SAMPLES)) < 4);
    assert_true(fabs(chi_square(cells, CELLS, SAMPLES)) < 4);
}

/* ---- Truth values ---------------------------------------------------------------------- */

static double share_of_true(double probability)
{
    static bool out[SAMPLES];
    ps__random state = {31, {0, 0}};
    ps__random_spec spec = {PS__RANDOM_BERNOULLI, PS_BOOL, {.bernoulli = {probability}}};
    double sum = 0;
    ps__random_fill(&state, &spec, 0, SAMPLES, out);
    for (size_t i = 0; i < SAMPLES; i++)
        sum += out[i];
    return sum / SAMPLES;
}

static void truth_comes_with_its_probability(void **unused)
{
    (void)unused;
    assert_true(share_of_true(0) == 0);
    assert_true(share_of_true(1) == 1);
    for (double p = 0.05; p < 1; p += 0.15)
        assert_true(fabs(share_of_true(p) - p) < 4 * sqrt(p * (1 - p) / SAMPLES));
}

static void zero_and_one_are_certain(void **unused)
{
    (void)unused;
    for (int i = 0; i < 2 * SETS; i++) {
        uint32_t w = i % 2 ? UINT32_MAX : 0;
        ps__random state = state_with_block(1, (block){{w, w, w, w}});
        ps__random_spec spec = {PS__RANDOM_BERNOULLI, PS_BOOL, {.bernoulli = {0}}};
        uint8_t out[32];
        if (!ps__random_fill_with(set_names[i / 2], &state, &spec, 0, 32, out))
            continue;
        assert_int_equal(out[0], 0);
        spec.bernoulli.probability = 1;
        ps__random_fill_with(set_names[i / 2], &state, &spec, 0, 32, out);
        assert_int_equal(out[0], 1);
        spec.bernoulli.probability = 0x1p-32; /* true for the word 0 alone */
        ps__random_fill_with(set_names[i / 2], &state, &spec, 0, 32, out);
        assert_int_equal(out[0], w == 0);
    }
}

/* ---- Permutations ---------------------------------------------------------------------- */

static void permutations_have_every_number_once(void **unused)
{
    (void)unused;
    enum { MOST = 5000 };
    static int64_t out[MOST];
    static bool seen[MOST];
    for (int64_t n = 0; n <= MOST; n = n * 2 + (n < 3) + n / 3) {
        ps__random state = {(uint64_t)n, {0, 0}};
        memset(seen, 0, sizeof seen);
        ps__random_permutation(&state, n, out);
        for (int64_t i = 0; i < n; i++) {
            assert_true(out[i] >= 0 && out[i] < n && !seen[out[i]]);
            seen[out[i]] = true;
        }
    }
}

static void every_order_comes_as_often(void **unused)
{
    (void)unused;
    enum { N = 5, ORDERS = 120, TRIALS = 60000 };
    int counts[ORDERS] = {0};
    ps__random state = {6, {0, 0}};
    for (int trial = 0; trial < TRIALS; trial++) {
        int64_t out[N];
        ps__random_permutation(&state, N, out);
        ps__random_advance(&state, ps__random_blocks(PS__RANDOM_INTEGERS, PS_INT64, N));
        int order = 0;
        for (int i = 0; i < N; i++) { /* its number in the list of all orders */
            int smaller = 0;
            for (int j = i + 1; j < N; j++)
                smaller += out[j] < out[i];
            order = order * (N - i) + smaller;
        }
        counts[order]++;
    }
    assert_true(fabs(chi_square(counts, ORDERS, TRIALS)) < 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ends_are_reached_and_not_passed),
        cmocka_unit_test(values_are_the_products),
        cmocka_unit_test(the_whole_range_is_the_words),
        cmocka_unit_test(every_value_comes_as_often),
        cmocka_unit_test(wide_ranges_are_even),
        cmocka_unit_test(truth_comes_with_its_probability),
        cmocka_unit_test(zero_and_one_are_certain),
        cmocka_unit_test(permutations_have_every_number_once),
        cmocka_unit_test(every_order_comes_as_often),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
