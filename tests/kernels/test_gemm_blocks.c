/* The bits of a product are those of one worker, whatever the number of workers: for every element
 * type, layout and kind of BLAS kernel that this processor can run. And they do not depend on where
 * the operands lie. */
#include "test_gemm_help.h"

enum { ROUNDS = 6 };

static const unsigned worker_counts[] = {2, 3, 8, 61};

static int compare(const ps__gemm *whole, size_t *blocks)
{
    ps__gemm g = *whole;
    int failures = 0;
    for (size_t w = 0; w < sizeof worker_counts / sizeof worker_counts[0]; w++) {
        g.c = gemm_result(&g);
        size_t count = gemm_in_blocks(&g, worker_counts[w]);
        *blocks = count > *blocks ? count : *blocks;
        if (!gemm_same(&g, g.c, whole->c)) {
            printf("%s: %s %lldx%lldx%lld, strides %lld %lld and %lld %lld, differs for %u workers "
                   "(%zu blocks)\n",
                   ps_blas_name(), ps__dtypes[g.dtype].name, (long long)g.m, (long long)g.n,
                   (long long)g.k, (long long)g.a_row, (long long)g.a_column, (long long)g.b_row,
                   (long long)g.b_column, worker_counts[w], count);
            failures++;
        }
        free(g.c);
    }
    return failures;
}

/* One shape: in blocks, and with the operands moved and further apart. */
static int check_shape(ps_dtype dtype, int64_t m, int64_t n, int64_t k, layout la, layout lb,
                       size_t *blocks)
{
    matrix a = matrix_random(dtype, m, k, la, 0), b = matrix_random(dtype, k, n, lb, 0);
    ps__gemm g = gemm_of(dtype, m, n, k, &a, &b);
    g.c = gemm_result(&g);
    int failures = ps__gemm_run(&g) != PS_OK;
    failures += compare(&g, blocks);

    layout ma = la == BY_ROWS ? PADDED : la, mb = lb == BY_ROWS ? PADDED : lb;
    matrix a2 = matrix_copy(&a, dtype, m, k, ma, gemm_between(1, 15));
    matrix b2 = matrix_copy(&b, dtype, k, n, mb, gemm_between(1, 15));
    ps__gemm moved = gemm_of(dtype, m, n, k, &a2, &b2);
    moved.c = gemm_result(&moved);
    failures += ps__gemm_run(&moved) != PS_OK;
    if (!gemm_same(&g, g.c, moved.c)) {
        printf("%s: %s %lldx%lldx%lld depends on where it lies\n", ps_blas_name(),
               ps__dtypes[dtype].name, (long long)m, (long long)n, (long long)k);
        failures++;
    }
    free(g.c);
    free(moved.c);
    free(a.memory);
    free(b.memory);
    free(a2.memory);
    free(b2.memory);
    return failures;
}

static int64_t some_length(int64_t most)
{
    switch (gemm_random() % 6) {
    case 0:
        return gemm_between(1, 20);
    case 1:
        return 24 * gemm_between(1, most / 24);
    default:
        return gemm_between(20, most);
    }
}

static int check_types(ps_dtype first, ps_dtype last, int64_t most)
{
    int failures = 0;
    size_t blocks = 0;
    for (int dtype = first; dtype <= (int)last; dtype++) {
        for (int round = 0; round < ROUNDS; round++) {
            layout la = gemm_random() % 2 ? BY_ROWS : BY_COLUMNS;
            layout lb = gemm_random() % 2 ? BY_ROWS : BY_COLUMNS;
            if (round == 0) {
                la = (layout)(gemm_random() % LAYOUTS);
                lb = (layout)(gemm_random() % LAYOUTS);
            }
            failures += check_shape((ps_dtype)dtype, some_length(most), some_length(most),
                                    some_length(most * 3 / 4), la, lb, &blocks);
        }
    }
    if (blocks < 2) {
        printf("nothing was divided\n");
        failures++;
    }
    return failures;
}

static int floats(void)
{
    return check_types(PS_FLOAT32, PS_COMPLEX128, 520);
}

static int halves_and_integers(void)
{
    int failures = check_types(PS_FLOAT16, PS_BFLOAT16, 400) + check_types(PS_BOOL, PS_UINT64, 130);
    size_t blocks = 0; /* more of k than is converted at a time */
    return failures + check_shape(PS_FLOAT16, 150, 210, 4099, BY_ROWS, BY_COLUMNS, &blocks) +
           check_shape(PS_BFLOAT16, 1, 900, 2050, BY_ROWS, BY_ROWS, &blocks);
}

/* All pairs of layouts at one shape that is divided along both directions, wide and tall ones. */
static int layouts(void)
{
    size_t blocks = 0;
    int failures = 0;
    for (int la = 0; la < LAYOUTS; la++) {
        for (int lb = 0; lb < LAYOUTS; lb++)
            failures += check_shape(PS_FLOAT32, 403, 610, 67, (layout)la, (layout)lb, &blocks);
    }
    failures += check_shape(PS_FLOAT32, 40, 4001, 130, BY_ROWS, BY_ROWS, &blocks);
    failures += check_shape(PS_FLOAT64, 40, 4001, 130, BY_ROWS, BY_COLUMNS, &blocks);
    failures += check_shape(PS_FLOAT32, 9001, 30, 40, BY_ROWS, BY_COLUMNS, &blocks);
    failures += check_shape(PS_FLOAT64, 9001, 30, 40, BY_COLUMNS, BY_ROWS, &blocks);
    failures += check_shape(PS_FLOAT32, 1100, 900, 3, BY_ROWS, BY_ROWS, &blocks);
    return failures;
}

static int vectors(void)
{
    int failures = 0;
    size_t blocks = 0;
    for (int dtype = PS_BOOL; dtype <= PS_COMPLEX128; dtype++) {
        for (int l = 0; l < 4; l++) {
            layout la = l & 1 ? BY_COLUMNS : BY_ROWS, lb = l & 2 ? BY_COLUMNS : BY_ROWS;
            int64_t n = gemm_between(300, 900), k = gemm_between(500, 800);
            failures += check_shape((ps_dtype)dtype, 1, n, k, la, lb, &blocks);
            failures += check_shape((ps_dtype)dtype, n, 1, k, la, lb, &blocks);
        }
        failures += check_shape((ps_dtype)dtype, 1, 1, 5000, BY_ROWS, BY_ROWS, &blocks);
    }
    return failures;
}

/* ---- The tests ------------------------------------------------------------------------- */

static void floats_with_every_kernel(void **state)
{
    (void)state;
    static const char *const cores[] = {"Prescott", "Core2", "Nehalem",  "Sandybridge",
                                        "Haswell",  "Zen",   "SkylakeX", "Cooperlake"};
    bool has[] = {true,
                  true,
                  __builtin_cpu_supports("sse4.2"),
                  __builtin_cpu_supports("avx"),
                  __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"),
                  __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"),
                  __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq"),
                  __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bf16")};
    int failures = in_child(floats, NULL, NULL);
    for (size_t i = 0; i < sizeof cores / sizeof cores[0]; i++) {
        gemm_seed = i + 2;
        if (has[i])
            failures += in_child(floats, "OPENBLAS_CORETYPE", cores[i]);
    }
    assert_int_equal(failures, 0);
}

static void wide_tall_and_strided(void **state)
{
    (void)state;
    assert_int_equal(in_child(layouts, NULL, NULL), 0);
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        assert_int_equal(in_child(layouts, "OPENBLAS_CORETYPE", "Haswell"), 0);
}

static void halves_and_integers_in_blocks(void **state)
{
    (void)state;
    assert_int_equal(in_child(halves_and_integers, NULL, NULL), 0);
}

static void vectors_in_blocks(void **state)
{
    (void)state;
    assert_int_equal(in_child(vectors, NULL, NULL), 0);
}

static void without_a_library(void **state)
{
    (void)state;
    assert_int_equal(in_child(floats, "PENSTOCK_BLAS", "none"), 0);
}

/* A library whose cuts nobody measured is cut by the shape alone. */
static void with_an_unknown_library(void **state)
{
    (void)state;
    if (access("/usr/lib/x86_64-linux-gnu/blas/libblas.so.3", R_OK) != 0)
        skip();
    assert_int_equal(in_child(floats, "PENSTOCK_BLAS",
                              "/usr/lib/x86_64-linux-gnu/blas/libblas.so.3"),
                     0);
}

/* Haswell is not asked for: 0.3.34 writes beyond its stack with it on processors of AMD that have
 * AVX-512, where it chooses SkylakeX. */
static void with_the_library_of_python(void **state)
{
    (void)state;
    const char *file = gemm_python_library();
    if (file == NULL)
        skip();
    assert_int_equal(setenv("PENSTOCK_BLAS", file, 1), 0);
    int failures = in_child(floats, NULL, NULL) + in_child(layouts, NULL, NULL);
    failures += in_child(floats, "OPENBLAS_CORETYPE", "Nehalem");
    if (__builtin_cpu_supports("avx"))
        failures += in_child(floats, "OPENBLAS_CORETYPE", "Sandybridge");
    unsetenv("PENSTOCK_BLAS");
    assert_int_equal(failures, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(floats_with_every_kernel),
        cmocka_unit_test(wide_tall_and_strided),
        cmocka_unit_test(halves_and_integers_in_blocks),
        cmocka_unit_test(vectors_in_blocks),
        cmocka_unit_test(without_a_library),
        cmocka_unit_test(with_an_unknown_library),
        cmocka_unit_test(with_the_library_of_python),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
