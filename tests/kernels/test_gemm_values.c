/* Products are right: against sums in long double for floats, exactly for integers and bool; with
 * bias and activation; for empty, degenerate and infinite operands; in batches; with and without a
 * BLAS library. */
#include <complex.h>
#include <dirent.h>
#include <dlfcn.h>
#include <math.h>

#include "test_gemm_help.h"

#include "base/alloc.h"

typedef long double complex number;

static number load(ps_dtype dtype, const void *element)
{
    ps_scalar s = ps__scalar_load(dtype, element);
    if (s.tag == PS_SCALAR_COMPLEX)
        return (long double)s.as.z[0] + (long double)s.as.z[1] * I;
    return s.as.d;
}

/* ---- Against a plain sum --------------------------------------------------------------- */

static double epsilon(ps_dtype dtype)
{
    switch (ps__dtypes[dtype].real) {
    case PS_FLOAT64:
        return 0x1p-52;
    case PS_FLOAT16:
        return 0x1p-10;
    case PS_BFLOAT16:
        return 0x1p-7;
    default:
        return 0x1p-23;
    }
}

/* The sum of one element and of the sizes of its terms. */
static number expected_float(const ps__gemm *g, const matrix *a, const matrix *b, int64_t i,
                             int64_t j, long double *size)
{
    number sum = 0;
    *size = 0;
    for (int64_t p = 0; p < g->k; p++) {
        number term = load(g->dtype, matrix_at(a, g->dtype, i, p)) *
                      load(g->dtype, matrix_at(b, g->dtype, p, j));
        sum += term;
        *size += cabsl(term);
    }
    if (g->bias != NULL) {
        number bias =
            load(g->dtype, (const char *)g->bias + j * (int64_t)ps__dtype_bytes(g->dtype));
        sum += bias;
        *size += cabsl(bias);
    }
    if (g->activation == PS__ACTIVATION_RELU)
        sum = creall(sum) > 0 ? sum : 0;
    return sum;
}

static bool float_is_right(const ps__gemm *g, const matrix *a, const matrix *b, int64_t i,
                           int64_t j, const void *got)
{
    long double size;
    number wanted = expected_float(g, a, b, i, j, &size);
    long double off = cabsl(load(g->dtype, got) - wanted);
    /* Rounding of the sums in the type of computation, then of the result. */
    double compute = fmin(epsilon(g->dtype), 0x1p-23);
    return off <= size * compute * (4 + sqrt((double)g->k) * 2) +
                      cabsl(wanted) * epsilon(g->dtype) +
                      (g->bias != NULL ? size * epsilon(g->dtype) : 0) + 1e-7 * (compute > 1e-10);
}

static uint64_t bits_of(ps_dtype dtype, const void *element)
{
    uint64_t bits = 0;
    memcpy(&bits, element, ps__dtype_bytes(dtype));
    return bits;
}

/* Sums wrap: the low bits do not depend on the higher ones. */
static bool integer_is_right(const ps__gemm *g, const matrix *a, const matrix *b, int64_t i,
                             int64_t j, const void *got)
{
    size_t bytes = ps__dtype_bytes(g->dtype);
    uint64_t sum = 0;
    for (int64_t p = 0; p < g->k; p++) {
        uint64_t x = bits_of(g->dtype, matrix_at(a, g->dtype, i, p));
        uint64_t y = bits_of(g->dtype, matrix_at(b, g->dtype, p, j));
        sum = g->dtype == PS_BOOL ? sum | (x & y) : sum + x * y;
    }
    if (g->bias != NULL) {
        uint64_t bias = bits_of(g->dtype, (const char *)g->bias + j * (int64_t)bytes);
        sum = g->dtype == PS_BOOL ? sum | bias : sum + bias;
    }
    bool negative = sum >> (8 * bytes - 1) & 1;
    if (g->activation && negative && ps__dtype_kind_of(g->dtype) == PS__KIND_SIGNED)
        sum = 0;
    return memcmp(&sum, got, bytes) == 0;
}

static int check(ps__gemm g, const matrix *a, const matrix *b)
{
    g.c = gemm_result(&g);
    int failures = ps__gemm_run(&g) != PS_OK;
    for (int64_t i = 0; i < g.m; i++) {
        for (int64_t j = 0; j < g.n; j++) {
            const char *got = (char *)g.c + (i * g.c_row + j) * (int64_t)ps__dtype_bytes(g.dtype);
            bool right = ps__dtype_is_inexact(g.dtype) ? float_is_right(&g, a, b, i, j, got)
                                                       : integer_is_right(&g, a, b, i, j, got);
            failures += !right;
        }
    }
    if (failures)
        printf("%s: %s %lldx%lldx%lld, strides %lld %lld and %lld %lld: %d wrong\n", ps_blas_name(),
               ps__dtypes[g.dtype].name, (long long)g.m, (long long)g.n, (long long)g.k,
               (long long)g.a_row, (long long)g.a_column, (long long)g.b_row, (long long)g.b_column,
               failures);
    free(g.c);
    return failures;
}

static int check_random(ps_dtype dtype, int64_t m, int64_t n, int64_t k)
{
    matrix a = matrix_random(dtype, m, k, (layout)(gemm_random() % LAYOUTS), gemm_random() % 4);
    matrix b = matrix_random(dtype, k, n, (layout)(gemm_random() % LAYOUTS), gemm_random() % 4);
    matrix bias = matrix_random(dtype, 1, n, BY_ROWS, 0);
    ps__gemm g = gemm_of(dtype, m, n, k, &a, &b);
    g.c_row = n + gemm_random() % 3;
    if (gemm_random() % 2)
        g.bias = bias.data;
    if (gemm_random() % 2 && ps__dtype_kind_of(dtype) != PS__KIND_COMPLEX)
        g.activation = PS__ACTIVATION_RELU;
    int failures = check(g, &a, &b);
    free(a.memory);
    free(b.memory);
    free(bias.memory);
    return failures;
}

static int random_products(void)
{
    static const int64_t shapes[][3] = {{1, 1, 1},    {2, 3, 4},   {5, 1, 70},    {1, 90, 33},
                                        {17, 9, 5},   {31, 40, 1}, {33, 65, 40},  {1, 1, 1500},
                                        {70, 2, 700}, {2, 70, 90}, {100, 50, 60}, {3, 1, 2}};
    int failures = 0;
    for (int dtype = PS_BOOL; dtype <= PS_COMPLEX128; dtype++) {
        for (size_t s = 0; s < sizeof shapes / sizeof shapes[0]; s++)
            failures += check_random((ps_dtype)dtype, shapes[s][0], shapes[s][1], shapes[s][2]);
        for (int round = 0; round < 12; round++)
            failures += check_random((ps_dtype)dtype, gemm_between(1, 40), gemm_between(1, 40),
                                     gemm_between(1, 40));
    }
    return failures + check_random(PS_FLOAT16, 5, 6, 5000) + check_random(PS_FLOAT32, 6, 5, 5000);
}

/* ---- Empty, shared and infinite operands ----------------------------------------------- */

static int empty(void)
{
    int failures = 0;
    for (int dtype = PS_BOOL; dtype <= PS_COMPLEX128; dtype++) {
        failures += check_random((ps_dtype)dtype, 7, 5, 0); /* zeros and the bias */
        failures += check_random((ps_dtype)dtype, 1, 9, 0);
        failures += check_random((ps_dtype)dtype, 0, 5, 3);
        failures += check_random((ps_dtype)dtype, 4, 0, 3);
    }
    ps__gemm_grid grid;
    ps__gemm_grid_make(&(ps__gemm){.dtype = PS_FLOAT32, .n = 5, .k = 5}, 4, &grid);
    return failures + (grid.count != 0);
}

/* Strides of zero: one row for all rows, one element for all. */
static int shared(void)
{
    int failures = 0;
    for (int dtype = PS_BOOL; dtype <= PS_COMPLEX128; dtype++) {
        matrix a = matrix_random((ps_dtype)dtype, 30, 30, BY_ROWS, 0);
        matrix b = matrix_random((ps_dtype)dtype, 30, 30, BY_ROWS, 0);
        a.row = 0;
        failures += check(gemm_of((ps_dtype)dtype, 30, 30, 30, &a, &b), &a, &b);
        b.row = 1;
        b.column = 0;
        failures += check(gemm_of((ps_dtype)dtype, 30, 30, 30, &a, &b), &a, &b);
        b.row = b.column = 0;
        failures += check(gemm_of((ps_dtype)dtype, 30, 30, 30, &a, &b), &a, &b);
        free(a.memory);
        free(b.memory);
    }
    return failures;
}

/* NaN and infinity in one place of a, times zeros of b: NaN in that row, and nowhere else. */
static int nan_spreads(void)
{
    static const int64_t shapes[][3] = {{5, 4, 3},
                                        {1, 40, 30},
                                        {40, 1, 30},
                                        {60, 50, 40},
                                        {200, 130, 70}};
    int failures = 0;
    for (size_t s = 0; s < sizeof shapes / sizeof shapes[0]; s++) {
        int64_t m = shapes[s][0], n = shapes[s][1], k = shapes[s][2];
        for (int dtype = PS_FLOAT16; dtype <= PS_COMPLEX128; dtype++) {
            for (int infinite = 0; infinite < 2; infinite++) {
                matrix a = matrix_random((ps_dtype)dtype, m, k, BY_ROWS, 0);
                matrix b = matrix_empty((ps_dtype)dtype, k, n, BY_ROWS, 0);
                memset(b.data, 0, (size_t)(k * n) * ps__dtype_bytes((ps_dtype)dtype));
                ps__scalar_cast((ps_scalar){PS_SCALAR_DOUBLE, {.d = infinite ? INFINITY : NAN}},
                                (ps_dtype)dtype, matrix_at(&a, (ps_dtype)dtype, m / 2, k / 2));
                ps__gemm g = gemm_of((ps_dtype)dtype, m, n, k, &a, &b);
                g.c = gemm_result(&g); /* NaN before: must not be read */
                g.activation = ps__dtype_kind_of(g.dtype) == PS__KIND_FLOAT && infinite;
                failures += ps__gemm_run(&g) != PS_OK;
                matrix c = {.data = g.c, .row = n, .column = 1};
                for (int64_t i = 0; i < m; i++) {
                    for (int64_t j = 0; j < n; j++) {
                        number got = load(g.dtype, matrix_at(&c, g.dtype, i, j));
                        failures += (isnan(creall(got)) != 0) != (i == m / 2);
                    }
                }
                free(g.c);
                free(a.memory);
                free(b.memory);
            }
        }
    }
    return failures;
}

/* ---- Batches --------------------------------------------------------------------------- */

/* Shapes (3, 1, m, k) and (1, 4, k, n) as the products of (3, 4). */
static int check_batch(ps_dtype dtype, int64_t m, int64_t n, int64_t k, unsigned workers)
{
    matrix a = matrix_random(dtype, 3 * m, k, BY_ROWS, 0);
    matrix b = matrix_random(dtype, 4 * k, n, BY_ROWS, 0);
    ps__gemm_batch batch = {.one = gemm_of(dtype, m, n, k, &a, &b),
                            .rank = 2,
                            .shape = {3, 4},
                            .a_stride = {m * k, 0},
                            .b_stride = {0, k * n},
                            .c_stride = {4 * m * n, m * n}};
    int64_t bytes = (int64_t)ps__dtype_bytes(dtype);
    char *c = calloc((size_t)(12 * m * n + 1), (size_t)bytes);
    batch.one.c = c;
    ps__gemm_batch_grid grid;
    ps__gemm_batch_grid_make(&batch, workers, &grid);
    int failures = 0;
    for (size_t i = grid.count; i-- > 0;)
        failures += ps__gemm_batch_block(&batch, &grid, i, NULL) != PS_OK;
    for (int64_t i = 0; i < 12; i++) {
        ps__gemm g = batch.one;
        g.a = a.data + i / 4 * m * k * bytes;
        g.b = b.data + i % 4 * k * n * bytes;
        g.c = gemm_result(&g);
        failures += ps__gemm_run(&g) != PS_OK;
        failures += !gemm_same(&g, g.c, c + i * m * n * bytes);
        free(g.c);
    }
    if (failures)
        printf("batch of %s %lldx%lldx%lld for %u workers: %d wrong\n", ps__dtypes[dtype].name,
               (long long)m, (long long)n, (long long)k, workers, failures);
    free(c);
    free(a.memory);
    free(b.memory);
    return failures;
}

static int batches(void)
{
    static const unsigned workers[] = {1, 2, 3, 8, 100};
    int failures = 0;
    for (size_t w = 0; w < sizeof workers / sizeof workers[0]; w++) {
        for (int dtype = PS_BOOL; dtype <= PS_COMPLEX128; dtype++) {
            failures += check_batch((ps_dtype)dtype, 4, 5, 6, workers[w]);
            failures += check_batch((ps_dtype)dtype, 1, 50, 60, workers[w]);
        }
        failures += check_batch(PS_FLOAT32, 300, 210, 150, workers[w]);
        failures += check_batch(PS_FLOAT64, 300, 210, 150, workers[w]);
        failures += check_batch(PS_BFLOAT16, 130, 210, 150, workers[w]);
        failures += check_batch(PS_FLOAT32, 0, 4, 4, workers[w]);
    }
    ps__gemm_batch none = {.one = {.dtype = PS_FLOAT32, .m = 2, .n = 2, .k = 2}, .rank = 1};
    return failures + (ps__gemm_batch_run(&none) != PS_OK);
}

/* ---- Rules ----------------------------------------------------------------------------- */

/* A product with bias and activation has the bits of the steps apart. */
static int epilogue_is_separate(void)
{
    int failures = 0;
    for (int dtype = PS_FLOAT16; dtype <= PS_FLOAT64; dtype++) {
        matrix a = matrix_random((ps_dtype)dtype, 50, 60, BY_ROWS, 0);
        matrix b = matrix_random((ps_dtype)dtype, 60, 70, BY_ROWS, 0);
        matrix bias = matrix_random((ps_dtype)dtype, 1, 70, BY_ROWS, 0);
        ps__gemm plain = gemm_of((ps_dtype)dtype, 50, 70, 60, &a, &b), full = plain;
        plain.c = gemm_result(&plain);
        full.c = gemm_result(&full);
        full.bias = bias.data;
        full.activation = PS__ACTIVATION_RELU;
        failures += ps__gemm_run(&plain) != PS_OK || ps__gemm_run(&full) != PS_OK;
        matrix c = {.data = plain.c, .row = 70, .column = 1};
        for (int64_t i = 0; i < 50 * 70; i++) {
            char *at = matrix_at(&c, plain.dtype, 0, i);
            double x = ps__scalar_load(plain.dtype, at).as.d;
            double y = ps__scalar_load(plain.dtype, matrix_at(&bias, plain.dtype, 0, i % 70)).as.d;
            double sum = plain.dtype == PS_FLOAT64 ? x + y : (double)((float)x + (float)y);
            ps__scalar_cast((ps_scalar){PS_SCALAR_DOUBLE, {.d = sum > 0 ? sum : 0}}, plain.dtype,
                            at);
        }
        failures += !gemm_same(&plain, plain.c, full.c);
        free(plain.c);
        free(full.c);
        free(a.memory);
        free(b.memory);
        free(bias.memory);
    }
    return failures;
}

static int no_memory(void)
{
    matrix a = matrix_random(PS_FLOAT16, 20, 20, BY_ROWS, 0);
    ps__gemm g = gemm_of(PS_FLOAT16, 20, 20, 20, &a, &a);
    g.c = gemm_result(&g);
    ps__fault_set(1, false);
    int failures = ps__gemm_run(&g) != PS_ERR_MEMORY;
    ps__fault_set(0, false);
    failures += ps__gemm_run(&g) != PS_OK;
    free(g.c);
    free(a.memory);
    return failures;
}

static int library_is_there(void)
{
    return !ps__blas_present() || strncmp(ps_blas_name(), "OpenBLAS ", 9) != 0;
}

static int library_is_missing(void)
{
    return ps__blas_present() || strncmp(ps_blas_name(), "reference (", 11) != 0;
}

/* ---- Which library --------------------------------------------------------------------- */

static int threads(void)
{
    DIR *folder = opendir("/proc/self/task");
    int count = 0;
    for (struct dirent *entry; folder != NULL && (entry = readdir(folder)) != NULL;)
        count += entry->d_name[0] != '.';
    if (folder != NULL)
        closedir(folder);
    return count;
}

/* Neither by loading it nor by a product, whatever the variable says. */
static int starts_no_threads(void)
{
    int before = threads();
    int failures = library_is_there() + check_random(PS_FLOAT32, 400, 300, 200);
    return failures + (before < 1) + (threads() != before);
}

static int proposed_in_vain(void)
{
    unsetenv("PENSTOCK_BLAS");
    int failures = ps_blas_propose("/nonexistent/proposed") != PS_OK;
    failures += library_is_there(); /* the system's */
    return failures + (ps_blas_propose("libopenblas.so.0") != PS_ERR_STATE);
}

static int proposed(void)
{
    unsetenv("PENSTOCK_BLAS");
    int failures = ps_blas_propose("/nonexistent/proposed") != PS_OK;
    failures += ps_blas_propose(NULL) != PS_OK;
    failures += ps_blas_propose(gemm_python_library()) != PS_OK;
    failures += library_is_there() + random_products();
    return failures + (dlopen(gemm_python_library(), RTLD_NOW | RTLD_NOLOAD) == NULL);
}

static int proposed_but_another_is_set(void)
{
    return (ps_blas_propose("libopenblas.so.0") != PS_OK) + library_is_missing();
}

static int proposed_without_memory(void)
{
    ps__fault_set(1, false);
    int failures = ps_blas_propose("libopenblas.so.0") != PS_ERR_MEMORY;
    ps__fault_set(0, false);
    return failures;
}

static int everything(void)
{
    return random_products() + empty() + shared() + nan_spreads() + batches() +
           epilogue_is_separate() + no_memory();
}

/* ---- The tests ------------------------------------------------------------------------- */

static void with_openblas(void **state)
{
    (void)state;
    assert_int_equal(in_child(library_is_there, NULL, NULL), 0);
    assert_int_equal(in_child(everything, NULL, NULL), 0);
}

static void with_older_kernels(void **state)
{
    (void)state;
    assert_int_equal(in_child(everything, "OPENBLAS_CORETYPE", "Nehalem"), 0);
}

static void without_a_library(void **state)
{
    (void)state;
    assert_int_equal(in_child(library_is_missing, "PENSTOCK_BLAS", "none"), 0);
    assert_int_equal(in_child(everything, "PENSTOCK_BLAS", "none"), 0);
}

static void no_threads_of_its_own(void **state)
{
    (void)state;
    assert_int_equal(in_child(starts_no_threads, NULL, NULL), 0);
    assert_int_equal(in_child(starts_no_threads, "OPENBLAS_NUM_THREADS", "4"), 0);
    if (gemm_python_library() != NULL)
        assert_int_equal(in_child(starts_no_threads, "PENSTOCK_BLAS", gemm_python_library()), 0);
}

static void with_a_proposed_library(void **state)
{
    (void)state;
    assert_int_equal(in_child(proposed_in_vain, NULL, NULL), 0);
    assert_int_equal(in_child(proposed_but_another_is_set, "PENSTOCK_BLAS", "none"), 0);
    assert_int_equal(in_child(proposed_without_memory, NULL, NULL), 0);
    if (gemm_python_library() != NULL)
        assert_int_equal(in_child(proposed, NULL, NULL), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(with_openblas),           cmocka_unit_test(with_older_kernels),
        cmocka_unit_test(without_a_library),       cmocka_unit_test(no_threads_of_its_own),
        cmocka_unit_test(with_a_proposed_library),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
