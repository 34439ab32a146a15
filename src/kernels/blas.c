/* Loads the BLAS library and calls it.
 *
 * Invariants
 *   1. `blas` is written once, inside pthread_once, and read only after it.
 *   2. A library is used with all four gemm functions or not at all.
 *   3. Every call is by columns: a product by rows is the product of the transposes in the other
 *      order. OpenBLAS does the same with a call by rows, except for a short cut of float32 whose
 *      results would depend on the size. */
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/blas.h"

/* The values of CBLAS's enumerations. */
enum { BY_COLUMNS = 102, PLAIN = 111, TRANSPOSED = 112 };

typedef void (*sgemm_fn)(int order, int ta, int tb, int m, int n, int k, float alpha, const void *a,
                         int lda, const void *b, int ldb, float beta, void *c, int ldc);
typedef void (*dgemm_fn)(int order, int ta, int tb, int m, int n, int k, double alpha,
                         const void *a, int lda, const void *b, int ldb, double beta, void *c,
                         int ldc);
typedef void (*xgemm_fn)(int order, int ta, int tb, int m, int n, int k, const void *alpha,
                         const void *a, int lda, const void *b, int ldb, const void *beta, void *c,
                         int ldc);

static struct {
    bool present;
    sgemm_fn sgemm;
    dgemm_fn dgemm;
    xgemm_fn cgemm, zgemm;
    ps__blas_cuts cuts;
    char name[256];
} blas;

/* ---- Where it may be cut --------------------------------------------------------------- */

/* The kernels of OpenBLAS whose cuts were measured, by the library's version and its name for the
 * kind of processor. `columns`: the kernels for processors with AVX2 treat the last columns of a
 * call in another order of summation, so that no cut between columns is neutral there. */
static const struct {
    const char *version, *core;
    int rows, columns;
} measured[] = {
    {"0.3.21", "Cooperlake", 24, 192},  {"0.3.21", "SkylakeX", 24, 192},
    {"0.3.21", "Haswell", 24, 0},       {"0.3.21", "Zen", 24, 0},
    {"0.3.21", "Sandybridge", 24, 192}, {"0.3.21", "Nehalem", 24, 192},
    {"0.3.21", "Core2", 24, 192},       {"0.3.21", "Prescott", 24, 192},
    {"0.3.21", "Atom", 24, 192},
};

static void cuts_find(const char *version, const char *core)
{
    /* Up to a million multiplications it may use other kernels; and it works through rows in
     * pieces, whose length depends on type and processor but is above this. */
    blas.cuts = (ps__blas_cuts){.most_rows = 3840, .work = 1e6};
    for (size_t i = 0; i < sizeof measured / sizeof measured[0]; i++) {
        if (strcmp(version, measured[i].version) == 0 && strcmp(core, measured[i].core) == 0) {
            blas.cuts.rows = measured[i].rows;
            blas.cuts.columns = measured[i].columns;
        }
    }
}

/* ---- Loading --------------------------------------------------------------------------- */

static void name_missing(const char *reason)
{
    snprintf(blas.name, sizeof blas.name, "reference (%s)", reason ? reason : "no library");
}

/* The library's name, and its cuts if it is an OpenBLAS: its text of configuration begins with
 * "OpenBLAS 0.3.21 ". */
static void identify(void *library, const char *file)
{
    char *(*config)(void) = (char *(*)(void))dlsym(library, "openblas_get_config");
    char *(*core)(void) = (char *(*)(void))dlsym(library, "openblas_get_corename");
    char version[32] = "";
    if (config == NULL || core == NULL || sscanf(config(), "OpenBLAS %31s", version) != 1) {
        snprintf(blas.name, sizeof blas.name, "%s", file);
        cuts_find("", "");
        return;
    }
    snprintf(blas.name, sizeof blas.name, "OpenBLAS %s %s", version, core());
    cuts_find(version, core());
}

static bool resolve(void *library)
{
    blas.sgemm = (sgemm_fn)dlsym(library, "cblas_sgemm");
    blas.dgemm = (dgemm_fn)dlsym(library, "cblas_dgemm");
    blas.cgemm = (xgemm_fn)dlsym(library, "cblas_cgemm");
    blas.zgemm = (xgemm_fn)dlsym(library, "cblas_zgemm");
    return blas.sgemm && blas.dgemm && blas.cgemm && blas.zgemm;
}

static void load(void)
{
    const char *file = getenv("PENSTOCK_BLAS");
    if (file == NULL || file[0] == 0)
        file = "libopenblas.so.0";
    void *library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) {
        name_missing(dlerror());
        return;
    }
    if (!resolve(library)) {
        name_missing("the library has no CBLAS interface");
        dlclose(library);
        return;
    }
    void (*set_threads)(int) = (void (*)(int))dlsym(library, "openblas_set_num_threads");
    if (set_threads != NULL)
        set_threads(1);
    identify(library, file);
    blas.present = true;
}

static void load_once(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
}

bool ps__blas_present(void)
{
    load_once();
    return blas.present;
}

const char *ps__blas_name(void)
{
    load_once();
    return blas.name;
}

const ps__blas_cuts *ps__blas_cuts_get(void)
{
    load_once();
    return &blas.cuts;
}

/* ---- Calling --------------------------------------------------------------------------- */

void ps__blas_gemm(ps_dtype dtype, int m, int n, int k, ps__blas_operand a, ps__blas_operand b,
                   bool accumulate, void *c, int c_row)
{
    static const float one_f[2] = {1, 0}, zero_f[2] = {0, 0};
    static const double one_d[2] = {1, 0}, zero_d[2] = {0, 0};
    int ta = a.transposed ? TRANSPOSED : PLAIN, tb = b.transposed ? TRANSPOSED : PLAIN;
    const float *beta_f = accumulate ? one_f : zero_f;
    const double *beta_d = accumulate ? one_d : zero_d;
    switch (dtype) {
    case PS_FLOAT32:
        blas.sgemm(BY_COLUMNS, tb, ta, n, m, k, 1, b.data, b.stride, a.data, a.stride, beta_f[0], c,
                   c_row);
        break;
    case PS_FLOAT64:
        blas.dgemm(BY_COLUMNS, tb, ta, n, m, k, 1, b.data, b.stride, a.data, a.stride, beta_d[0], c,
                   c_row);
        break;
    case PS_COMPLEX64:
        blas.cgemm(BY_COLUMNS, tb, ta, n, m, k, one_f, b.data, b.stride, a.data, a.stride, beta_f,
                   c, c_row);
        break;
    default:
        blas.zgemm(BY_COLUMNS, tb, ta, n, m, k, one_d, b.data, b.stride, a.data, a.stride, beta_d,
                   c, c_row);
        break;
    }
}
