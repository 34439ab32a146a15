/* Rounded functions of real numbers over many values of all magnitudes, for every set. The vectors
 * have few values and their exact results; here the reference in float64 stands for the truth of
 * float32, and in float64 two sets may be apart by what both may be from the truth. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "kernels/support/bounds.h"
#include "kernels/support/compare.h"
#include "kernels/support/sets.h"

enum { BLOCK = 512, BLOCKS = 100 };

static double wide[3][BLOCK];  /* operands and expected result in float64 */
static float narrow[4][BLOCK]; /* operands, expected, result */
static double result[BLOCK];

static uint64_t next(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return *seed >> 11;
}

/* Half of them of all magnitudes, NaN and infinities among them; half from -16 to 16. */
static double draw(uint64_t *seed)
{
    double x;
    uint64_t bits = next(seed) << 11 | next(seed) >> 42;
    if (next(seed) & 1024)
        return (double)(int64_t)bits * 0x1p-59;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static float draw_float(uint64_t *seed)
{
    float x;
    uint32_t bits = (uint32_t)next(seed);
    if (next(seed) & 1024)
        return (float)(int32_t)bits * 0x1p-27f;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static void compare_block(const ps__kernel_set *set, ps__prim prim, ps_dtype dtype,
                          const void *expected, const void *got, double bound)
{
    size_t bytes = ps__dtype_bytes(dtype);
    for (size_t i = 0; i < BLOCK; i++) {
        const char *want = (const char *)expected + i * bytes,
                   *have = (const char *)got + i * bytes;
        double error = error_ulp(dtype, want, have, 0);
        if (error <= bound)
            continue;
        char text[4][100];
        bool is_float = dtype == PS_FLOAT32;
        const void *a = is_float ? (void *)&narrow[0][i] : &wide[0][i];
        const void *b = is_float ? (void *)&narrow[1][i] : &wide[1][i];
        fail_msg("%s %s(%s, %s): want %s have %s, %g ulp", set->name, ps__prims[prim].name,
                 element_text(dtype, a, text[0], sizeof text[0]),
                 element_text(dtype, b, text[1], sizeof text[1]),
                 element_text(dtype, want, text[2], sizeof text[2]),
                 element_text(dtype, have, text[3], sizeof text[3]), error);
    }
}

static void check_float(const ps__kernel_set *set, ps__prim prim, uint64_t *seed)
{
    for (size_t i = 0; i < BLOCK; i++) {
        for (int k = 0; k < 2; k++) {
            narrow[k][i] = draw_float(seed);
            wide[k][i] = narrow[k][i];
        }
    }
    const void *in[2] = {wide[0], wide[1]}, *in_narrow[2] = {narrow[0], narrow[1]};
    sets_reference()->map[prim][PS_FLOAT64][PS__FORM_ALL](BLOCK, wide[2], in);
    for (size_t i = 0; i < BLOCK; i++)
        narrow[2][i] = (float)wide[2][i];
    set->map[prim][PS_FLOAT32][PS__FORM_ALL](BLOCK, narrow[3], in_narrow);
    compare_block(set, prim, PS_FLOAT32, narrow[2], narrow[3], bound_of(prim, PS_FLOAT32));
}

static void check_double(const ps__kernel_set *set, ps__prim prim, uint64_t *seed)
{
    for (size_t i = 0; i < BLOCK; i++) {
        wide[0][i] = draw(seed);
        wide[1][i] = draw(seed);
    }
    const void *in[2] = {wide[0], wide[1]};
    sets_reference()->map[prim][PS_FLOAT64][PS__FORM_ALL](BLOCK, wide[2], in);
    set->map[prim][PS_FLOAT64][PS__FORM_ALL](BLOCK, result, in);
    compare_block(set, prim, PS_FLOAT64, wide[2], result, 2 * bound_of(prim, PS_FLOAT64));
}

static void check_set(const ps__kernel_set *set)
{
    uint64_t seed = 1;
    for (ps__prim prim = 0; prim < PS__PRIMS; prim++) {
        /* The error of logaddexp near a zero of its result is bounded by its operands' size only. */
        bool listed = ps__prims[prim].dtypes & PS__DTYPE_BIT(PS_FLOAT32);
        if (ps__prims[prim].exact || !listed || prim == PS__PRIM_logaddexp)
            continue;
        for (int block = 0; block < BLOCKS; block++) {
            check_float(set, prim, &seed);
            check_double(set, prim, &seed);
        }
    }
}

static void functions_are_near_the_truth(void **state)
{
    check_set(sets_of(state));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ON_ALL_SETS(functions_are_near_the_truth, NULL, NULL),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
