/* Random floats: values are within a few units in the last place of what their words say, in range
 * at every extreme, and distributed as they should be. Seeds are fixed, so a check of statistics
 * passes always or never. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "kernels/test_random_words.h"

static const ps_dtype floats[] = {PS_FLOAT16, PS_BFLOAT16, PS_FLOAT32, PS_FLOAT64};
enum { FLOATS = 4 };

static double element(ps_dtype dtype, const void *elements, size_t i)
{
    return ps__scalar_load(dtype, (const char *)elements + i * ps__dtype_bytes(dtype)).as.d;
}

/* ---- Accuracy -------------------------------------------------------------------------- */

static const long double quarter_pi = 0.785398163397448309615660845819875721L;

/* -2 log((x + 1/2) / 2^bits) */
static long double minus_two_log(uint64_t x, int bits)
{
    uint64_t top = (uint64_t)1 << (bits - 1), mask = top - 1 + top;
    if (x & top)
        return -2 * log1pl(-ldexpl((long double)(mask - x) + 0.5L, -bits));
    return -2 * logl(ldexpl((long double)x + 0.5L, -bits));
}

/* The pair of normals that belongs to two words. */
static void normals_of(uint64_t radius, uint64_t angle, int bits, long double z[2])
{
    long double r = sqrtl(minus_two_log(radius, bits));
    int64_t turned = (int64_t)(angle << (66 - bits));
    long double a = ldexpl((long double)turned, -63) * quarter_pi;
    long double c = (angle >> (bits - 1) & 1) ? -cosl(a) : cosl(a), s = sinl(a);
    int swap = angle >> (bits - 2) & 1;
    z[swap] = r * c;
    z[!swap] = r * s;
}

static double error_in(long double expected, double got, double epsilon)
{
    long double size = fabsl(expected);
    return size > 0 ? (double)(fabsl(expected - got) / (size * epsilon)) : fabs(got) / epsilon;
}

static double worst_normal(ps_dtype dtype, const ps__random *state, int bits)
{
    enum { N = 1 << 16 };
    static uint64_t words[N], out[N];
    ps__random_spec raw = {PS__RANDOM_BITS, bits == 32 ? PS_UINT32 : PS_UINT64, {{0, 0}}};
    ps__random_spec spec = {PS__RANDOM_NORMAL, dtype, {.normal = {0, 1}}};
    double worst = 0, epsilon = bits == 32 ? FLT_EPSILON : DBL_EPSILON;
    size_t half = bits == 32 ? 16 : 8;
    ps__random_fill(state, &raw, 0, N, words);
    ps__random_fill(state, &spec, 0, N, out);
    for (size_t i = 0; i < N; i++) {
        if (i & half)
            continue;
        const uint32_t *narrow = (const uint32_t *)(const void *)words;
        uint64_t radius = bits == 32 ? narrow[i] : words[i];
        uint64_t angle = bits == 32 ? narrow[i + half] : words[i + half];
        long double z[2];
        normals_of(radius, angle, bits, z);
        worst = fmax(worst, error_in(z[0], element(dtype, out, i), epsilon));
        worst = fmax(worst, error_in(z[1], element(dtype, out, i + half), epsilon));
    }
    return worst;
}

static void normals_are_accurate(void **unused)
{
    (void)unused;
    double narrow = 0, wide = 0;
    for (uint64_t key = 0; key < 8; key++) {
        ps__random state = {key, {key * 1000, 0}};
        narrow = fmax(narrow, worst_normal(PS_FLOAT32, &state, 32));
        wide = fmax(wide, worst_normal(PS_FLOAT64, &state, 64));
    }
    print_message("worst: float32 %.2f, float64 %.2f units in the last place\n", narrow, wide);
    assert_true(narrow < 4 && wide < 4);
}

/* Words that are hard: the ends of the radius, and the places where cases meet. */
static void normals_are_accurate_at_the_edges(void **unused)
{
    (void)unused;
    static const uint64_t radii[] = {0,
                                     1,
                                     0x00000000FFFFFFFF,
                                     0x7FFFFFFFFFFFFFFF,
                                     0x8000000000000000,
                                     0xB504F333F9DE6484,
                                     0xB504F334FFFFFFFF,
                                     0xFFFFFF00FFFFFFFF,
                                     0xFFFFFFFFFFFFFFFE,
                                     0xFFFFFFFFFFFFFFFF};
    static const uint64_t angles[] = {0x0000000000000001, 0x1FFFFFFF1FFFFFFF, 0x2000000020000000,
                                      0x7FFFFFFF7FFFFFFF, 0x8000000080000000, 0xC0000001C0000001};
    ps__random_spec spec = {PS__RANDOM_NORMAL, PS_FLOAT64, {.normal = {0, 1}}};
    for (size_t i = 0; i < sizeof radii / sizeof *radii; i++) {
        for (size_t j = 0; j < sizeof angles / sizeof *angles; j++) {
            uint64_t r = radii[i], a = angles[j];
            block x = {{(uint32_t)r, (uint32_t)(r >> 32), (uint32_t)a, (uint32_t)(a >> 32)}};
            ps__random state = state_with_block(i * 77, x);
            double out[16];
            float narrow[32];
            long double z[2];
            spec.dtype = PS_FLOAT64;
            ps__random_fill(&state, &spec, 0, 16, out);
            normals_of(r, a, 64, z);
            assert_true(error_in(z[0], out[0], DBL_EPSILON) < 4);
            assert_true(error_in(z[1], out[8], DBL_EPSILON) < 4);
            spec.dtype = PS_FLOAT32;
            ps__random_fill(&state, &spec, 0, 32, narrow);
            for (int word = 0; word < 2; word++) {
                normals_of(x.word[word], x.word[2 + word], 32, z);
                assert_true(error_in(z[0], narrow[word], FLT_EPSILON) < 4);
                assert_true(error_in(z[1], narrow[16 + word], FLT_EPSILON) < 4);
            }
        }
    }
}

static void normals_reach_far(void **unused)
{
    (void)unused;
    ps__random state = state_with_block(1, (block){{0, 0, 0, 0}});
    ps__random_spec spec = {PS__RANDOM_NORMAL, PS_FLOAT32, {.normal = {0, 1}}};
    float narrow;
    double wide;
    ps__random_fill(&state, &spec, 0, 1, &narrow);
    spec.dtype = PS_FLOAT64;
    ps__random_fill(&state, &spec, 0, 1, &wide);
    assert_true(narrow > 6.7f && wide > 9.4);
}

static void exponentials_are_accurate(void **unused)
{
    (void)unused;
    enum { N = 1 << 16 };
    static uint64_t words[N];
    static double wide[N];
    static float narrow[N];
    ps__random state = {5, {6, 7}};
    ps__random_spec spec = {PS__RANDOM_BITS, PS_UINT64, {{0, 0}}};
    ps__random_fill(&state, &spec, 0, N, words);
    spec = (ps__random_spec){PS__RANDOM_EXPONENTIAL, PS_FLOAT64, {.exponential = {2}}};
    ps__random_fill(&state, &spec, 0, N, wide);
    spec.dtype = PS_FLOAT32;
    ps__random_fill(&state, &spec, 0, N, narrow);
    for (size_t i = 0; i < N; i++) {
        uint32_t word = (uint32_t)(words[i / 2] >> i % 2 * 32);
        assert_true(error_in(minus_two_log(words[i], 64), wide[i], DBL_EPSILON) < 4);
        assert_true(error_in(minus_two_log(word, 32), narrow[i], FLT_EPSILON) < 4);
    }
}

/* ---- Uniform ranges -------------------------------------------------------------------- */

/* Elements whose words are the least, the largest, or between. */
static void check_uniform(ps_dtype dtype, double low, double high)
{
    static const uint32_t words[] = {0, UINT32_MAX, 0x80000000, 0xFFFFFF00, 0xFFFFFE00, 0x12345678};
    ps__random_spec spec = {PS__RANDOM_UNIFORM, dtype, {.uniform = {low, high}}};
    for (int s = 0; s < SETS; s++) {
        for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
            uint32_t w = words[i];
            ps__random state = state_with_block(9, (block){{w, w, w, w}});
            uint64_t out[32];
            if (!ps__random_fill_with(set_names[s], &state, &spec, 0, 32, out))
                continue;
            for (size_t k = 0; k < 32; k++) {
                double x = element(dtype, out, k);
                assert_true(x >= low && x < high);
            }
            if (w == 0)
                assert_true(element(dtype, out, 0) == low);
        }
    }
}

static double as_dtype(ps_dtype dtype, double value)
{
    uint64_t bits = 0;
    ps__scalar_cast((ps_scalar){.tag = PS_SCALAR_DOUBLE, .as.d = value}, dtype, &bits);
    return element(dtype, &bits, 0);
}

static void uniforms_stay_below_high(void **unused)
{
    (void)unused;
    static const double precision[FLOATS] = {0x1p-10, 0x1p-7, 0x1p-23, 0x1p-52};
    static const double largest[FLOATS] = {65504, 0x1.fep127, FLT_MAX, DBL_MAX};
    for (int f = 0; f < FLOATS; f++) {
        ps_dtype dtype = floats[f];
        double ulp = precision[f];
        check_uniform(dtype, 0, 1);
        check_uniform(dtype, -1, 0);
        check_uniform(dtype, 1, 1 + ulp);
        check_uniform(dtype, 1 - ulp / 2, 1);
        check_uniform(dtype, -1, -1 + ulp / 2);
        check_uniform(dtype, 1, 1 + 2 * ulp);
        check_uniform(dtype, 1, 2);
        check_uniform(dtype, -largest[f], largest[f]);
        check_uniform(dtype, 0, largest[f]);
        check_uniform(dtype, -3, as_dtype(dtype, 1000.3));
        check_uniform(dtype, 0, 0x1p-14);
    }
}

static void an_empty_uniform_range_gives_low(void **unused)
{
    (void)unused;
    ps__random state = {1, {2, 3}};
    for (int f = 0; f < FLOATS; f++) {
        uint64_t out[100];
        ps__random_spec spec = {PS__RANDOM_UNIFORM, floats[f], {.uniform = {2, 2}}};
        ps__random_fill(&state, &spec, 0, 100, out);
        for (size_t i = 0; i < 100; i++)
            assert_true(element(floats[f], out, i) == 2);
    }
}

/* ---- Distributions --------------------------------------------------------------------- */

enum { SAMPLES = 200000 };
static double samples[SAMPLES];

static void draw(const ps__random_spec *spec, uint64_t key)
{
    static uint64_t out[SAMPLES];
    ps__random state = {key, {0, key}};
    ps__random_fill(&state, spec, 0, SAMPLES, out);
    for (size_t i = 0; i < SAMPLES; i++)
        samples[i] = element(spec->dtype, out, i);
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double normal_below(double z)
{
    return 0.5 * erfc(-z / sqrt(2));
}

static double uniform_below(double x)
{
    return x;
}

static double exponential_below(double x)
{
    return -expm1(-x);
}

/* Kolmogorov and Smirnov: the largest distance of the distributions, times the root of the number
 * of samples, is above 1.95 once in a thousand. */
static double distance(double (*below)(double))
{
    double worst = 0;
    qsort(samples, SAMPLES, sizeof *samples, ascending);
    for (size_t i = 0; i < SAMPLES; i++) {
        double p = below(samples[i]);
        worst = fmax(worst, fmax(p - (double)i / SAMPLES, (double)(i + 1) / SAMPLES - p));
    }
    return worst * sqrt(SAMPLES);
}

static void check_distances(ps__random_spec spec, double (*below)(double))
{
    for (uint64_t key = 0; key < 3; key++) {
        spec.dtype = PS_FLOAT32;
        draw(&spec, key);
        assert_true(distance(below) < 1.95);
        spec.dtype = PS_FLOAT64;
        draw(&spec, key + 10);
        assert_true(distance(below) < 1.95);
    }
}

static void distributions_are_right(void **unused)
{
    (void)unused;
    check_distances((ps__random_spec){PS__RANDOM_UNIFORM, 0, {.uniform = {0, 1}}}, uniform_below);
    check_distances((ps__random_spec){PS__RANDOM_NORMAL, 0, {.normal = {0, 1}}}, normal_below);
    check_distances((ps__random_spec){PS__RANDOM_EXPONENTIAL, 0, {.exponential = {1}}},
                    exponential_below);
}

/* The mean of x^power and whether it is within four deviations of the right one. */
static void check_moment(int power, double expected, double variance)
{
    double sum = 0;
    for (size_t i = 0; i < SAMPLES; i++)
        sum += pow(samples[i], power);
    assert_true(fabs(sum / SAMPLES - expected) < 4 * sqrt(variance / SAMPLES) + 1e-4);
}

static void moments_are_right(void **unused)
{
    (void)unused;
    for (int f = 0; f < FLOATS; f++) {
        /* what rounding to bfloat16 does to a fourth power is below the tolerance */
        ps__random_spec spec = {PS__RANDOM_NORMAL, floats[f], {.normal = {0, 1}}};
        draw(&spec, 77);
        check_moment(1, 0, 1);
        check_moment(2, 1, 2);
        check_moment(3, 0, 15);
        check_moment(4, 3, 96);
        spec = (ps__random_spec){PS__RANDOM_UNIFORM, floats[f], {.uniform = {0, 1}}};
        draw(&spec, 78);
        check_moment(1, 1 / 2.0, 1 / 12.0);
        check_moment(2, 1 / 3.0, 4 / 45.0);
        spec = (ps__random_spec){PS__RANDOM_EXPONENTIAL, floats[f], {.exponential = {1}}};
        draw(&spec, 79);
        check_moment(1, 1, 1);
        check_moment(2, 2, 20);
    }
}

/* The two of a pair share a radius; they, and neighbours, must not be correlated, nor must their
 * squares. */
static void neighbours_are_independent(void **unused)
{
    (void)unused;
    static const size_t lags[] = {1, 2, 4, 8, 16, 32, 64};
    ps__random_spec spec = {PS__RANDOM_NORMAL, PS_FLOAT32, {.normal = {0, 1}}};
    draw(&spec, 5);
    for (size_t l = 0; l < sizeof lags / sizeof *lags; l++) {
        double sum = 0, squares = 0, n = (double)(SAMPLES - lags[l]);
        for (size_t i = lags[l]; i < SAMPLES; i++) {
            double a = samples[i], b = samples[i - lags[l]];
            sum += a * b;
            squares += (a * a - 1) * (b * b - 1);
        }
        assert_true(fabs(sum) / sqrt(n) < 4);
        assert_true(fabs(squares) / sqrt(4 * n) < 4);
    }
}

/* Of 2^25 normals the expected number are beyond each bound, to four deviations. */
static void tails_are_right(void **unused)
{
    (void)unused;
    enum { TOTAL = 1 << 25, PART = 1 << 15, BOUNDS = 4 };
    static const float bounds[BOUNDS] = {2, 3, 4, 5};
    static float part[PART];
    double beyond[BOUNDS] = {0};
    ps__random state = {2024, {0, 0}};
    ps__random_spec spec = {PS__RANDOM_NORMAL, PS_FLOAT32, {.normal = {0, 1}}};
    for (uint64_t begin = 0; begin < TOTAL; begin += PART) {
        ps__random_fill(&state, &spec, begin, begin + PART, part);
        for (int b = 0; b < BOUNDS; b++) {
            int count = 0;
            for (int i = 0; i < PART; i++)
                count += fabsf(part[i]) > bounds[b];
            beyond[b] += count;
        }
    }
    for (int b = 0; b < BOUNDS; b++) {
        double expected = TOTAL * 2 * normal_below(-(double)bounds[b]);
        assert_true(fabs(beyond[b] - expected) < 4 * sqrt(expected));
    }
}

static void mean_and_deviation_are_applied(void **unused)
{
    (void)unused;
    ps__random_spec spec = {PS__RANDOM_NORMAL, PS_FLOAT64, {.normal = {10, 0.5}}};
    draw(&spec, 3);
    for (size_t i = 0; i < SAMPLES; i++)
        samples[i] = (samples[i] - 10) * 2;
    check_moment(1, 0, 1);
    check_moment(2, 1, 2);
    spec.normal.deviation = 0;
    draw(&spec, 3);
    for (size_t i = 0; i < SAMPLES; i++)
        assert_true(samples[i] == 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(normals_are_accurate),
        cmocka_unit_test(normals_are_accurate_at_the_edges),
        cmocka_unit_test(normals_reach_far),
        cmocka_unit_test(exponentials_are_accurate),
        cmocka_unit_test(uniforms_stay_below_high),
        cmocka_unit_test(an_empty_uniform_range_gives_low),
        cmocka_unit_test(distributions_are_right),
        cmocka_unit_test(moments_are_right),
        cmocka_unit_test(neighbours_are_independent),
        cmocka_unit_test(tails_are_right),
        cmocka_unit_test(mean_and_deviation_are_applied),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
