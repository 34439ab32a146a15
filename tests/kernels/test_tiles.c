/* Tiles of products of every set, the reference among them, against sums one step at a time: the same
 * bits, for each number of rows, from zero, from numbers, and from what is there. What lies beyond the
 * columns stays as it was. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/support/sets.h"

enum { DEPTH = 37, COLUMNS = 64, B_LENGTH = 4096, STEP = 91, A_STEP = 17 };

typedef enum begin { FROM_ZERO, FROM_NUMBERS, FROM_THERE, BEGINS } begin;

static double number(size_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(int64_t)(*seed >> 20) / (double)(1ll << 43) - 1;
}

static double get(ps_dtype dtype, const void *data, size_t index)
{
    return dtype == PS_FLOAT32 ? (double)((const float *)data)[index]
                               : ((const double *)data)[index];
}

static void put(ps_dtype dtype, void *data, size_t index, double value)
{
    if (dtype == PS_FLOAT32)
        ((float *)data)[index] = (float)value;
    else
        ((double *)data)[index] = value;
}

/* One step of a sum, as the set makes it. */
static double step(ps_dtype dtype, bool fused, double x, double y, double sum)
{
    if (dtype == PS_FLOAT32)
        return fused ? (double)fmaf((float)x, (float)y, (float)sum)
                     : (double)((float)x * (float)y + (float)sum);
    return fused ? fma(x, y, sum) : x * y + sum;
}

static void fill(ps_dtype dtype, size_t seed, size_t count, void *data)
{
    for (size_t i = 0; i < count; i++)
        put(dtype, data, i, number(&seed));
}

static void check_tile(const ps__kernel_set *set, ps_dtype dtype, int rows, begin from,
                       int64_t depth, int64_t a_step)
{
    static double a[DEPTH * A_STEP], b[B_LENGTH], start[PS__TILE_ROWS];
    static double c[PS__TILE_ROWS * COLUMNS], before[PS__TILE_ROWS * COLUMNS];
    static int64_t at[DEPTH];
    const ps__tiles *tiles = &set->tiles[dtype];
    int64_t row = tiles->columns + 3;
    fill(dtype, 1, DEPTH * A_STEP, a);
    fill(dtype, 2, B_LENGTH, b);
    fill(dtype, 3, PS__TILE_ROWS, start);
    fill(dtype, 4, PS__TILE_ROWS * COLUMNS, before);
    memcpy(c, before, sizeof c);
    for (int i = 0; i < DEPTH; i++)
        at[i] = (i * STEP + i % 3) % (B_LENGTH - COLUMNS);
    tiles->run[rows - 1](&(ps__tile){.depth = depth,
                                     .a = a,
                                     .a_row = 1,
                                     .a_step = a_step,
                                     .b = b,
                                     .at = at,
                                     .c = c,
                                     .c_row = row,
                                     .start = from == FROM_NUMBERS ? start : NULL,
                                     .accumulate = from == FROM_THERE});
    bool fused = strcmp(set->name, "ref") != 0;
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < row; j++) {
            size_t place = (size_t)(i * row + j);
            double sum = from == FROM_NUMBERS ? get(dtype, start, (size_t)i) : 0;
            if (from == FROM_THERE || j >= tiles->columns)
                sum = get(dtype, before, place);
            for (int64_t k = 0; k < depth && j < tiles->columns; k++)
                sum = step(dtype, fused, get(dtype, a, (size_t)(k * a_step + i)),
                           get(dtype, b, (size_t)(at[k] + j)), sum);
            if (get(dtype, c, place) != sum)
                fail_msg("%s: %d rows, begin %d: element %d, %d is %.17g, not %.17g", set->name,
                         rows, (int)from, (int)i, (int)j, get(dtype, c, place), sum);
        }
}

static void sums(void **state)
{
    static const ps_dtype dtypes[] = {PS_FLOAT32, PS_FLOAT64};
    const ps__kernel_set *set = sets_of(state);
    for (int d = 0; d < 2; d++) {
        const ps__tiles *tiles = &set->tiles[dtypes[d]];
        assert_true(tiles->rows > 0 && tiles->rows <= PS__TILE_ROWS);
        assert_true(tiles->columns + 3 <= COLUMNS && tiles->step >= tiles->rows);
        for (int rows = 1; rows <= tiles->rows; rows++)
            for (int from = 0; from < BEGINS; from++) {
                check_tile(set, dtypes[d], rows, from, DEPTH, rows);
                check_tile(set, dtypes[d], rows, from, DEPTH, A_STEP);
                check_tile(set, dtypes[d], rows, from, 1, rows);
                check_tile(set, dtypes[d], rows, from, 0, rows);
            }
    }
}

/* No other type has any. */
static void only_floats(void **state)
{
    const ps__kernel_set *set = sets_of(state);
    for (int i = 0; i < PS__DTYPES; i++)
        if (i != PS_FLOAT32 && i != PS_FLOAT64)
            assert_int_equal(set->tiles[i].rows, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ON_ALL_SETS(sums, NULL, NULL),
        ON_ALL_SETS(only_floats, NULL, NULL),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
