/* float16 and bfloat16: all values both ways, and rounding at, just below and just above every tie,
 * against arithmetic on doubles, which is exact for all of it; and against the compiler's own type
 * where it has one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "dtype/half.h"

/* One format: bits of fraction, bias of the exponent. */
typedef struct format {
    int fraction, bias;
    float (*to_float)(uint16_t);
    uint16_t (*from_float)(float);
    uint16_t (*from_double)(double);
} format;

static const format formats[] = {
    {10, 15, ps__float16_to_float, ps__float16_from_float, ps__float16_from_double},
    {7, 127, ps__bfloat16_to_float, ps__bfloat16_from_float, ps__bfloat16_from_double},
};
enum { FORMATS = 2 };

static int exponent_of(const format *f, unsigned half)
{
    return (int)(half & 0x7FFF) >> f->fraction;
}

static int top_exponent(const format *f)
{
    return (1 << (15 - f->fraction)) - 1;
}

static bool is_nan(const format *f, unsigned half)
{
    return (half & 0x7FFF) > (unsigned)top_exponent(f) << f->fraction;
}

/* What the bits mean; for the exponent of infinity what they would mean if it were an ordinary one,
 * so that the tie between the largest number and infinity can be found. */
static double meaning(const format *f, unsigned half)
{
    int exponent = exponent_of(f, half);
    double fraction = half & ((1u << f->fraction) - 1);
    double size = exponent ? ldexp(fraction + (1 << f->fraction), exponent - f->bias - f->fraction)
                           : ldexp(fraction, 1 - f->bias - f->fraction);
    return half & 0x8000 ? -size : size;
}

static void all_values_are_read_right(void **state)
{
    (void)state;
    for (const format *f = formats; f < formats + FORMATS; f++) {
        for (unsigned half = 0; half < 0x10000; half++) {
            float value = f->to_float((uint16_t)half);
            if (is_nan(f, half))
                assert_true(value != value);
            else if (exponent_of(f, half) == top_exponent(f))
                assert_true(value == (half & 0x8000 ? -INFINITY : INFINITY));
            else
                assert_true(value == meaning(f, half));
            assert_int_equal(signbit(value) != 0, half >> 15);
        }
    }
}

static void all_values_come_back(void **state)
{
    (void)state;
    for (const format *f = formats; f < formats + FORMATS; f++) {
        unsigned quiet = 1u << (f->fraction - 1);
        for (unsigned half = 0; half < 0x10000; half++) {
            float value = f->to_float((uint16_t)half);
            unsigned expected = is_nan(f, half) ? half | quiet : half;
            assert_int_equal(f->from_float(value), expected);
            assert_int_equal(f->from_double(value), expected);
        }
    }
}

static void ties_go_to_even(void **state)
{
    (void)state;
    for (const format *f = formats; f < formats + FORMATS; f++) {
        unsigned infinity = (unsigned)top_exponent(f) << f->fraction;
        for (unsigned half = 0; half < infinity; half++) {
            double tie = (meaning(f, half) + meaning(f, half + 1)) / 2;
            unsigned even = half & 1 ? half + 1 : half;
            assert_true((double)(float)tie == tie || f->bias == 127);
            assert_int_equal(f->from_double(tie), even);
            assert_int_equal(f->from_double(-tie), even | 0x8000);
            assert_int_equal(f->from_double(nextafter(tie, 0)), half);
            assert_int_equal(f->from_double(nextafter(tie, INFINITY)), half + 1);
            if ((double)(float)tie != tie)
                continue; /* bfloat16 beside the largest float */
            assert_int_equal(f->from_float((float)tie), even);
            assert_int_equal(f->from_float(-(float)tie), even | 0x8000);
            assert_int_equal(f->from_float(nextafterf((float)tie, 0)), half);
            assert_int_equal(f->from_float(nextafterf((float)tie, INFINITY)), half + 1);
        }
    }
}

static void what_is_too_large_or_small(void **state)
{
    (void)state;
    assert_int_equal(ps__float16_from_float(65519.996f), 0x7BFF);
    assert_int_equal(ps__float16_from_float(65520), 0x7C00);
    assert_int_equal(ps__float16_from_float(1e30f), 0x7C00);
    assert_int_equal(ps__float16_from_float(-INFINITY), 0xFC00);
    assert_int_equal(ps__float16_from_float(0x1p-149f), 0);
    assert_int_equal(ps__float16_from_float(-0x1p-149f), 0x8000);
    assert_int_equal(ps__float16_from_double(1e300), 0x7C00);
    assert_int_equal(ps__float16_from_double(-1e-300), 0x8000);
    assert_int_equal(ps__bfloat16_from_double(1e300), 0x7F80);
    assert_int_equal(ps__bfloat16_from_double(-1e-300), 0x8000);
    assert_int_equal(ps__bfloat16_from_float(3.4e38f), 0x7F80);
    assert_int_equal(ps__bfloat16_from_float(INFINITY), 0x7F80);
}

static void nans_keep_their_sign(void **state)
{
    (void)state;
    for (const format *f = formats; f < formats + FORMATS; f++) {
        uint16_t plus = f->from_float(copysignf(NAN, 1)), minus = f->from_float(copysignf(NAN, -1));
        assert_true(is_nan(f, plus) && is_nan(f, minus));
        assert_int_equal(plus >> 15, 0);
        assert_int_equal(minus >> 15, 1);
        assert_true(is_nan(f, f->from_double(NAN)));
        /* A fraction whose upper bits are all zero must not become infinity. */
        assert_true(is_nan(f, f->from_float(ps__float_of_bits(0x7F800001))));
    }
}

/* Through float these would be rounded twice, the first time onto a tie. */
static void doubles_are_rounded_once(void **state)
{
    (void)state;
    assert_int_equal(ps__float16_from_double(1 + 0x1p-11 + 0x1p-40), 0x3C01);
    assert_int_equal(ps__float16_from_double(1 + 0x3p-11 - 0x1p-40), 0x3C01);
    assert_int_equal(ps__bfloat16_from_double(1 + 0x1p-8 + 0x1p-40), 0x3F81);
    assert_int_equal(ps__bfloat16_from_double(1 + 0x3p-8 - 0x1p-40), 0x3F81);
}

/* So would these through double. */
static void integers_are_rounded_once(void **state)
{
    (void)state;
    int64_t tie = ((int64_t)1 << 62) + ((int64_t)1 << 54);
    assert_int_equal(ps__bfloat16_from_double(ps__int64_to_odd_double(tie)), 0x5E80);
    assert_int_equal(ps__bfloat16_from_double(ps__int64_to_odd_double(tie + 1)), 0x5E81);
    assert_int_equal(ps__bfloat16_from_double(ps__int64_to_odd_double(-tie)), 0xDE80);
    assert_int_equal(ps__bfloat16_from_double(ps__int64_to_odd_double(-tie - 1)), 0xDE81);
    assert_int_equal(ps__bfloat16_from_double(ps__int64_to_odd_double(-tie + 1)), 0xDE80);
    uint64_t high = ((uint64_t)1 << 63) + ((uint64_t)1 << 55);
    assert_int_equal(ps__bfloat16_from_double(ps__uint64_to_odd_double(high)), 0x5F00);
    assert_int_equal(ps__bfloat16_from_double(ps__uint64_to_odd_double(high + 1)), 0x5F01);
    assert_true(ps__int64_to_odd_double(INT64_MIN) == -0x1p63);
    assert_true(ps__int64_to_odd_double((int64_t)1 << 53) == 0x1p53);
    assert_true(ps__int64_to_odd_double(-3) == -3);
}

#ifdef __FLT16_MAX__
static void agrees_with_the_compilers_type(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 1u << 22; i++) {
        uint32_t bits = i * 1021u; /* an odd step: spread over all floats */
        float value = ps__float_of_bits(bits);
        if (value != value)
            continue;
        _Float16 half = (_Float16)value, half_of_double = (_Float16)((double)value * (1 + 0x1p-30));
        uint16_t expected, expected_of_double;
        memcpy(&expected, &half, sizeof expected);
        memcpy(&expected_of_double, &half_of_double, sizeof expected);
        assert_int_equal(ps__float16_from_float(value), expected);
        assert_int_equal(ps__float16_from_double((double)value * (1 + 0x1p-30)),
                         expected_of_double);
    }
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_values_are_read_right),
        cmocka_unit_test(all_values_come_back),
        cmocka_unit_test(ties_go_to_even),
        cmocka_unit_test(what_is_too_large_or_small),
        cmocka_unit_test(nans_keep_their_sign),
        cmocka_unit_test(doubles_are_rounded_once),
        cmocka_unit_test(integers_are_rounded_once),
#ifdef __FLT16_MAX__
        cmocka_unit_test(agrees_with_the_compilers_type),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
