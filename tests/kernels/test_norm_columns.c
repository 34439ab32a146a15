/* Kernels that normalise columns: against plain loops, the same bits from every instruction set, and for a
 * column wherever it lies. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "kernels/norm.h"

enum { ROWS = 70, COLUMNS = 150, MOST = ROWS * COLUMNS };

static float x[MOST], flow[MOST], numbers[4][COLUMNS];

static int begin(void **state)
{
    (void)state;
    for (int i = 0; i < MOST; i++) {
        x[i] = (float)(i * 37 % 101) / 7 - 3;
        flow[i] = (float)(i * 53 % 97) / 11 - 4;
    }
    for (int k = 0; k < 4; k++)
        for (int j = 0; j < COLUMNS; j++)
            numbers[k][j] = (float)((j + 5) * (k + 3) % 29) / 9 - 1;
    return 0;
}

/* All that the kernels give for a table. */
typedef struct answers {
    double means[COLUMNS], squares[COLUMNS], plain[COLUMNS], along[COLUMNS];
    float out[MOST], back[MOST], scaled[MOST];
} answers;

static void ask(const char *set, size_t rows, size_t columns, answers *a)
{
    const ps__norm_kernels *kernels = ps__norm_kernels_of(ps__kernels_find(set), PS_FLOAT32);
    ps__norm_table t = {rows, columns, x, flow};
    ps__norm_part part = {rows * columns, x, 0.25, 1.5};
    memset(a, 0, sizeof *a);
    kernels->column_moments(&t, a->means, a->squares);
    kernels->by_columns(&t, numbers[0], numbers[1], columns % 2 ? numbers[2] : NULL, a->out);
    kernels->column_flows(&t, numbers[0], a->plain, a->along);
    kernels->back_by_columns(&t, numbers[0], numbers[1], numbers[2], numbers[3], a->back);
    kernels->back_scaled(&part, flow, 0.75, (double[]){0.5, -0.25}, a->scaled);
}

static void check_near(double found, double wanted, const char *what)
{
    if (!(fabs(found - wanted) <= 1e-4 * (1 + fabs(wanted))))
        fail_msg("%s: %.9g, not %.9g", what, found, wanted);
}

static void check_column(const answers *a, size_t rows, size_t columns, size_t j)
{
    double mean = 0, squares = 0, plain = 0, along = 0;
    for (size_t i = j; i < rows * columns; i += columns) {
        mean += (double)x[i] / (double)rows;
        plain += (double)flow[i];
        along += (double)(flow[i] * (x[i] - numbers[0][j]));
    }
    for (size_t i = j; i < rows * columns; i += columns) {
        double apart = (double)x[i] - mean, beta = columns % 2 ? (double)numbers[2][j] : 0;
        double centred = (double)(x[i] - numbers[0][j]);
        squares += apart * apart;
        check_near((double)a->out[i], centred * (double)numbers[1][j] + beta, "by_columns");
        check_near((double)a->back[i],
                   ((double)flow[i] - (double)numbers[1][j] - centred * (double)numbers[2][j]) *
                       (double)numbers[3][j],
                   "back_by_columns");
        check_near((double)a->scaled[i],
                   ((double)flow[i] * 0.75 - 0.5 + ((double)x[i] - 0.25) * 1.5 * 0.25) * 1.5,
                   "back_scaled");
    }
    check_near(a->means[j], mean, "mean");
    check_near(a->squares[j], squares, "squares");
    check_near(a->plain[j], plain, "plain");
    check_near(a->along[j], along, "along");
}

static void values(void **state)
{
    static answers a;
    (void)state;
    for (size_t columns = 1; columns <= COLUMNS; columns += columns < 20 ? 1 : 13)
        for (size_t rows = 1; rows <= ROWS; rows += 23) {
            ask("ref", rows, columns, &a);
            for (size_t j = 0; j < columns; j++)
                check_column(&a, rows, columns, j);
        }
}

static void every_set(void **state)
{
    static const char *const names[] = {"avx2", "avx512"};
    static answers a, b;
    (void)state;
    for (size_t s = 0; s < 2; s++)
        for (size_t columns = 1; columns <= COLUMNS && ps__kernels_find(names[s]); columns += 7) {
            ask("ref", ROWS, columns, &a);
            ask(names[s], ROWS, columns, &b);
            assert_memory_equal(&a, &b, sizeof a);
        }
}

/* A column by itself gives what it does among others. */
static void every_place(void **state)
{
    static float line[ROWS];
    static answers a;
    (void)state;
    const ps__norm_kernels *kernels = ps__norm_kernels_of(ps__kernels_get(), PS_FLOAT32);
    ask(ps__kernels_get()->name, ROWS, COLUMNS, &a);
    for (int j = 0; j < COLUMNS; j++) {
        double mean = 0, squares = 0;
        for (int i = 0; i < ROWS; i++)
            line[i] = x[i * COLUMNS + j];
        kernels->column_moments(&(ps__norm_table){ROWS, 1, line, NULL}, &mean, &squares);
        assert_true(mean == a.means[j] && squares == a.squares[j]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(values, begin),
        cmocka_unit_test_setup(every_set, begin),
        cmocka_unit_test_setup(every_place, begin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
