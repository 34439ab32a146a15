/* Products by tiles: every element is one sum in the order of k, whatever the shape is cut into, the
 * working memory that is asked for is enough, and each element is told to be complete once. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dtype/dtype.h"
#include "kernels/gemm_tiles.h"
#include "kernels/kernels.h"

enum { GUARD = 256, GUARD_BYTE = 0x5a };

typedef struct layout {
    bool a_turned, b_turned;
    int64_t a_more, b_more, c_more; /* elements between lines */
} layout;

typedef struct problem {
    ps__gemm_part part;
    float *a, *b, *c;
    uint8_t *told; /* how often an element was complete */
} problem;

static float *numbers(int64_t count, unsigned seed)
{
    float *x = malloc((size_t)(count + 1) * sizeof *x);
    for (int64_t i = 0; i < count; i++) {
        seed = seed * 1664525u + 1013904223u;
        x[i] = (float)((int)(seed >> 16) % 2001 - 1000) / 512.0f;
    }
    return x;
}

static void note_done(const void *arg, int64_t row, int64_t rows, int64_t column, int64_t columns)
{
    const problem *p = arg;
    for (int64_t i = row; i < row + rows; i++)
        for (int64_t j = column; j < column + columns; j++)
            p->told[i * p->part.n + j]++;
}

static problem problem_make(int64_t m, int64_t n, int64_t k, layout l, bool accumulate)
{
    int64_t a_line = (l.a_turned ? m : k) + l.a_more, b_line = (l.b_turned ? k : n) + l.b_more;
    problem p = {.a = numbers((l.a_turned ? k : m) * a_line, 1),
                 .b = numbers((l.b_turned ? n : k) * b_line, 2),
                 .c = numbers(m * (n + l.c_more), 3),
                 .told = calloc((size_t)(m * n), 1)};
    p.part = (ps__gemm_part){.dtype = PS_FLOAT32,
                             .accumulate = accumulate,
                             .m = m,
                             .n = n,
                             .k = k,
                             .a = (char *)p.a,
                             .b = (char *)p.b,
                             .c = (char *)p.c,
                             .a_row = l.a_turned ? 1 : a_line,
                             .a_column = l.a_turned ? a_line : 1,
                             .b_row = l.b_turned ? 1 : b_line,
                             .b_column = l.b_turned ? b_line : 1,
                             .c_row = n + l.c_more,
                             .done = note_done};
    return p;
}

static void problem_free(problem *p)
{
    free(p->a);
    free(p->b);
    free(p->c);
    free(p->told);
}

static float sum_of(const problem *p, const float *before, int64_t i, int64_t j)
{
    const ps__gemm_part *g = &p->part;
    bool fused = strcmp(ps__kernels_get()->name, "ref") != 0; /* one rounding for each step */
    float sum = g->accumulate ? before[i * g->c_row + j] : 0.0f;
    for (int64_t q = 0; q < g->k; q++) {
        float x = p->a[i * g->a_row + q * g->a_column], y = p->b[q * g->b_row + j * g->b_column];
        sum = fused ? fmaf(x, y, sum) : x * y + sum;
    }
    return sum;
}

/* Elements here and there, those at edges among them. */
static void check_values(const problem *p, const float *before)
{
    const ps__gemm_part *g = &p->part;
    int64_t steps = g->m * g->n * g->k > 4000000 ? 97 : 1;
    for (int64_t e = 0; e < g->m * g->n; e += e + steps < g->m * g->n ? steps : 1) {
        int64_t i = e / g->n, j = e % g->n;
        float wanted = sum_of(p, before, i, j), found = p->c[i * g->c_row + j];
        assert_memory_equal(&wanted, &found, sizeof wanted);
    }
    for (int64_t e = 0; e < g->m * g->n; e++)
        assert_int_equal(p->told[e], 1);
    for (int64_t i = 0; i < g->m; i++) /* what lies between the lines */
        for (int64_t j = g->n; j < g->c_row; j++)
            assert_true(p->c[i * g->c_row + j] == before[i * g->c_row + j]);
}

static void check_product(int64_t m, int64_t n, int64_t k, layout l, bool accumulate)
{
    problem p = problem_make(m, n, k, l, accumulate);
    size_t bytes = ps__gemm_tiles_room(PS_FLOAT32, n, k), c_bytes = (size_t)(m * p.part.c_row) * 4;
    char *room = aligned_alloc(64, (bytes + GUARD + 63) / 64 * 64);
    float *before = malloc(c_bytes + 1);
    memcpy(before, p.c, c_bytes);
    memset(room, GUARD_BYTE, bytes + GUARD);
    p.part.arg = &p;
    ps__gemm_tiles(&p.part, room);
    for (size_t i = bytes; i < bytes + GUARD; i++)
        assert_int_equal(room[i], GUARD_BYTE);
    check_values(&p, before);
    free(before);
    free(room);
    problem_free(&p);
}

static void every_layout(void **state)
{
    (void)state;
    static const int64_t shapes[][3] = {{1, 1, 1},    {14, 32, 8},  {15, 33, 9},     {29, 63, 384},
                                        {65, 70, 40}, {70, 65, 41}, {130, 100, 385}, {16, 513, 20}};
    for (size_t s = 0; s < sizeof shapes / sizeof shapes[0]; s++)
        for (unsigned bits = 0; bits < 16; bits++) {
            layout l = {.a_turned = bits & 1, .b_turned = bits & 2};
            if (bits & 4) { /* lines of a about 4 KB apart, others at odd distances */
                l.a_more = 1024 - shapes[s][l.a_turned ? 0 : 2] % 1024;
                l.b_more = 3;
                l.c_more = 5;
            }
            check_product(shapes[s][0], shapes[s][1], shapes[s][2], l, bits & 8);
        }
}

static void parts_of_several_lengths(void **state)
{
    (void)state;
    static const int64_t shapes[][3] = {{3, 1024, 512},
                                        {3, 1025, 769},
                                        {66, 1055, 383},
                                        {100, 544, 1000},
                                        {67, 1537, 386}};
    for (size_t s = 0; s < sizeof shapes / sizeof shapes[0]; s++)
        check_product(shapes[s][0], shapes[s][1], shapes[s][2], (layout){.b_turned = s % 2}, false);
}

/* Blocks of a product are of several sizes, and have the room of the largest. */
static void less_needs_no_more_room(void **state)
{
    (void)state;
    static const ps_dtype dtypes[] = {PS_FLOAT32, PS_FLOAT64};
    for (size_t d = 0; d < 2; d++)
        for (int64_t n = 1; n < 2200; n++)
            for (int64_t k = 1; k < 900; k += 7) {
                size_t bytes = ps__gemm_tiles_room(dtypes[d], n, k);
                assert_true(bytes <= ps__gemm_tiles_room(dtypes[d], n + 1, k));
                assert_true(bytes <= ps__gemm_tiles_room(dtypes[d], n, k + 7));
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_layout),
        cmocka_unit_test(parts_of_several_lengths),
        cmocka_unit_test(less_needs_no_more_room),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
