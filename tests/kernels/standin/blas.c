/* A library that passes for OpenBLAS: its functions, with plain loops behind them. It looks for
 * OPENBLAS_CORETYPE in its constructor, as OpenBLAS does, and writes down what it saw, so that tests
 * can make it choose whatever kernels they want on any processor.
 *
 *   STANDIN_LOG      file that gets a line for each loading ("load Prescott": the kernels that it
 *                 uses) and for the end of each ("unload")
 *   STANDIN_CORE     the kernels that it chooses when it is not told any; Prescott if not set
 *   STANDIN_STUBBORN set: it does not listen to OPENBLAS_CORETYPE
 *   STANDIN_CONFIG   its text of configuration
 *
 * Compiled with STANDIN_INCOMPLETE it lacks one of the products, with STANDIN_PLAIN it has nothing but
 * them: a BLAS that is not OpenBLAS. */
#include <complex.h>
#include <stdio.h>
#include <stdlib.h>

enum { TRANSPOSED = 112 };

#define EXPORT __attribute__((visibility("default")))

/* ---- What it says of itself ------------------------------------------------------------ */

static char core[32];

static void write_down(const char *what, const char *value)
{
    const char *name = getenv("STANDIN_LOG");
    FILE *file = name != NULL ? fopen(name, "a") : NULL;
    if (file == NULL)
        return;
    fprintf(file, "%s%s\n", what, value);
    fclose(file);
}

__attribute__((constructor)) static void begin(void)
{
    const char *told = getenv("STANDIN_STUBBORN") == NULL ? getenv("OPENBLAS_CORETYPE") : NULL;
    const char *own = getenv("STANDIN_CORE");
    if (told == NULL || told[0] == 0)
        told = own != NULL ? own : "Prescott";
    snprintf(core, sizeof core, "%s", told);
    write_down("load ", core);
}

__attribute__((destructor)) static void end(void)
{
    write_down("unload", "");
}

#ifndef STANDIN_PLAIN
static int threads = 4;

EXPORT char *openblas_get_corename(void);
EXPORT char *openblas_get_config(void);
EXPORT void openblas_set_num_threads(int count);
EXPORT int openblas_get_num_threads(void);

char *openblas_get_corename(void)
{
    return core;
}

char *openblas_get_config(void)
{
    char *config = getenv("STANDIN_CONFIG");
    return config != NULL ? config : "OpenBLAS 0.3.21 DYNAMIC_ARCH NO_AFFINITY";
}

void openblas_set_num_threads(int count)
{
    threads = count;
}

int openblas_get_num_threads(void)
{
    return threads;
}
#endif

/* ---- Products -------------------------------------------------------------------------- */

/* By columns only, which is how the library is called. Strides of rows and columns. */
static int row_stride(int transposed, int stride)
{
    return transposed == TRANSPOSED ? stride : 1;
}

static int column_stride(int transposed, int stride)
{
    return transposed == TRANSPOSED ? 1 : stride;
}

#define GEMM(name, number, scalar, value)                                                          \
    EXPORT void name(int order, int ta, int tb, int m, int n, int k, scalar alpha,                 \
                     const number *a, int lda, const number *b, int ldb, scalar beta, number *c,   \
                     int ldc);                                                                     \
    void name(int order, int ta, int tb, int m, int n, int k, scalar alpha, const number *a,       \
              int lda, const number *b, int ldb, scalar beta, number *c, int ldc)                  \
    {                                                                                              \
        (void)order;                                                                               \
        for (int j = 0; j < n; j++) {                                                              \
            for (int i = 0; i < m; i++) {                                                          \
                number sum = 0;                                                                    \
                for (int p = 0; p < k; p++)                                                        \
                    sum += a[i * row_stride(ta, lda) + p * column_stride(ta, lda)] *               \
                           b[p * row_stride(tb, ldb) + j * column_stride(tb, ldb)];                \
                number *place = &c[i + j * ldc];                                                   \
                *place = value(alpha) * sum + (value(beta) != 0 ? value(beta) * *place : 0);       \
            }                                                                                      \
        }                                                                                          \
    }

#define ITSELF(x) (x)
#define POINTED(x) (*(x))

GEMM(cblas_sgemm, float, float, ITSELF)
GEMM(cblas_dgemm, double, double, ITSELF)
GEMM(cblas_cgemm, float complex, const float complex *, POINTED)
#ifndef STANDIN_INCOMPLETE
GEMM(cblas_zgemm, double complex, const double complex *, POINTED)
#endif
