/* What the tests of matrix products share: random operands in every layout, products in blocks, and
 * children that run with another BLAS library or other kernels of it.
 *
 * Those are chosen by variables that are read once in a process. So a test program computes no
 * product itself: each check is a function that returns how many cases failed, and runs in a child
 * of its own (in_child). */
#ifndef PS_TESTS_KERNELS_TEST_GEMM_HELP_H
#define PS_TESTS_KERNELS_TEST_GEMM_HELP_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <glob.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "dtype/dtype.h"
#include "kernels/blas.h"
#include "kernels/gemm.h"
#include "limit.h"

enum { GEMM_MOST_FAILURES = 100 };

/* ---- Random numbers -------------------------------------------------------------------- */

static uint64_t gemm_seed = 1;

static inline uint32_t gemm_random(void)
{
    gemm_seed = gemm_seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(gemm_seed >> 33);
}

/* In [low, high]. */
static inline int64_t gemm_between(int64_t low, int64_t high)
{
    return low + (int64_t)(gemm_random() % (uint64_t)(high - low + 1));
}

static inline double gemm_unit(void)
{
    return gemm_random() / 1073741824.0 - 1;
}

/* Anything for integers, [-1, 1) for floats. */
static inline void gemm_element(ps_dtype dtype, void *element)
{
    uint64_t bits = (uint64_t)gemm_random() << 33 ^ (uint64_t)gemm_random() << 10;
    ps_scalar value = {.tag = PS_SCALAR_DOUBLE, .as.d = gemm_unit()};
    switch (ps__dtype_kind_of(dtype)) {
    case PS__KIND_BOOL:
        *(uint8_t *)element = bits >> 40 & 1;
        return;
    case PS__KIND_FLOAT:
        break;
    case PS__KIND_COMPLEX:
        value = (ps_scalar){.tag = PS_SCALAR_COMPLEX, .as.z = {gemm_unit(), gemm_unit()}};
        break;
    default:
        memcpy(element, (char *)&bits + 8 - ps__dtype_bytes(dtype), ps__dtype_bytes(dtype));
        return;
    }
    ps__scalar_cast(value, dtype, element);
}

/* ---- Operands -------------------------------------------------------------------------- */

typedef enum layout { BY_ROWS, BY_COLUMNS, PADDED, SPREAD, REVERSED, LAYOUTS } layout;

/* A matrix with its strides in elements; memory is what to free. */
typedef struct matrix {
    char *memory, *data;
    int64_t row, column;
} matrix;

static inline char *matrix_at(const matrix *m, ps_dtype dtype, int64_t i, int64_t j)
{
    return m->data + (i * m->row + j * m->column) * (int64_t)ps__dtype_bytes(dtype);
}

/* rows x columns elements of any values in a layout, begun `shift` elements after a multiple of
 * 64 bytes. */
static inline matrix matrix_empty(ps_dtype dtype, int64_t rows, int64_t columns, layout l,
                                  int64_t shift)
{
    size_t bytes = ps__dtype_bytes(dtype);
    int64_t elements = shift + 6 * (rows + 8) * (columns + 8);
    matrix m = {.row = columns, .column = 1};
    m.memory = aligned_alloc(64, ((size_t)elements * bytes + 63) / 64 * 64);
    m.data = m.memory + shift * (int64_t)bytes;
    if (l == BY_COLUMNS) {
        m.row = 1;
        m.column = rows + shift % 3;
    } else if (l == PADDED) {
        m.row = columns + 5;
    } else if (l == SPREAD) {
        m.row = 2 * columns + 3;
        m.column = 2;
    } else if (l == REVERSED) {
        m.data += (rows * columns - 1) * (int64_t)bytes;
        m.row = -columns;
        m.column = -1;
    }
    return m;
}

static inline matrix matrix_random(ps_dtype dtype, int64_t rows, int64_t columns, layout l,
                                   int64_t shift)
{
    matrix m = matrix_empty(dtype, rows, columns, l, shift);
    for (int64_t i = 0; i < rows; i++) {
        for (int64_t j = 0; j < columns; j++)
            gemm_element(dtype, matrix_at(&m, dtype, i, j));
    }
    return m;
}

/* The same values elsewhere in memory. */
static inline matrix matrix_copy(const matrix *from, ps_dtype dtype, int64_t rows, int64_t columns,
                                 layout l, int64_t shift)
{
    matrix m = matrix_empty(dtype, rows, columns, l, shift);
    for (int64_t i = 0; i < rows; i++) {
        for (int64_t j = 0; j < columns; j++)
            memcpy(matrix_at(&m, dtype, i, j), matrix_at(from, dtype, i, j),
                   ps__dtype_bytes(dtype));
    }
    return m;
}

static inline ps__gemm gemm_of(ps_dtype dtype, int64_t m, int64_t n, int64_t k, const matrix *a,
                               const matrix *b)
{
    return (ps__gemm){.dtype = dtype,
                      .m = m,
                      .n = n,
                      .k = k,
                      .a = a->data,
                      .b = b->data,
                      .a_row = a->row,
                      .a_column = a->column,
                      .b_row = b->row,
                      .b_column = b->column,
                      .c_row = n};
}

/* Room for c, full of bytes that are NaN as floats. */
static inline void *gemm_result(const ps__gemm *g)
{
    size_t bytes = (size_t)g->m * (size_t)g->c_row * ps__dtype_bytes(g->dtype);
    void *c = malloc(bytes + 1);
    memset(c, 0xFF, bytes);
    return c;
}

static inline bool gemm_same(const ps__gemm *g, const void *x, const void *y)
{
    return memcmp(x, y, (size_t)g->m * (size_t)g->c_row * ps__dtype_bytes(g->dtype)) == 0;
}

/* All blocks for so many workers, the last first. */
static inline size_t gemm_in_blocks(const ps__gemm *g, unsigned workers)
{
    ps__gemm_grid grid;
    ps__gemm_grid_make(g, workers, &grid);
    for (size_t i = grid.count; i-- > 0;)
        ps__gemm_block(g, &grid, i, NULL);
    return grid.count;
}

/* ---- Children -------------------------------------------------------------------------- */

/* Runs check() in a child with the variable set (NULL: none); what it returned, or -1. */
static inline int in_child(int (*check)(void), const char *variable, const char *value)
{
    fflush(stdout);
    fflush(stderr);
    pid_t child = fork();
    if (child == 0) {
        static const int crashes[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
        for (size_t i = 0; i < sizeof crashes / sizeof crashes[0]; i++)
            signal(crashes[i], SIG_DFL);
        alarm(PART_LIMIT_S);
        if (variable != NULL)
            setenv(variable, value, 1);
        int failures = check();
        exit(failures > GEMM_MOST_FAILURES ? GEMM_MOST_FAILURES : failures);
    }
    int status = 0;
    assert_true(child > 0);
    while (waitpid(child, &status, 0) < 0)
        continue;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* The library that the Python package depends on, if the environment of its tests is there. */
static inline const char *gemm_python_library(void)
{
    static char file[4096];
    glob_t found;
    if (glob(PENSTOCK_VENV "/lib/python3*/site-packages/scipy_openblas32/lib/libscipy_openblas.so",
             0, NULL, &found) == 0)
        snprintf(file, sizeof file, "%s", found.gl_pathv[0]);
    globfree(&found);
    return file[0] ? file : NULL;
}

#endif
