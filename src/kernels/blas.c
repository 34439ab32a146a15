/* Loads the BLAS library and calls it.
 *
 * Invariants
 *   1. `blas` is written once, inside pthread_once, and read only after it.
 *   2. A library is used with all four gemm functions or not at all.
 *   3. The environment is not written, and OpenBLAS starts no threads unless the system forbids
 *      what keeps it from that (open_alone).
 *   4. Every call is by columns: a product by rows is the product of the transposes in the other
 *      order. OpenBLAS does the same with a call by rows, except for a short cut of float32 whose
 *      results would depend on the size. */
#include <dlfcn.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "kernels/blas.h"
#include "kernels/blas_exit.h"

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

/* What a frontend has proposed. */
static struct {
    pthread_mutex_t lock;
    char *file;  /* NULL: nothing; guarded by the lock */
    bool closed; /* it is too late: loading has begun; guarded by the lock */
} proposal = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* ---- Where it may be cut --------------------------------------------------------------- */

/* The kernels of OpenBLAS whose cuts were measured, by the library's version and its name for the
 * kind of processor. `columns`: the kernels for processors with AVX2 treat the last columns of a
 * call in another order of summation, so that no cut between columns is neutral there; and 0.3.34
 * works through columns in longer pieces on processors of AMD with AVX-512, which does the same to
 * float64 with SkylakeX. */
static const struct {
    const char *version, *core;
    int rows, columns;
} measured[] = {
    {"0.3.21", "Cooperlake", 24, 192},    {"0.3.21", "SkylakeX", 24, 192},
    {"0.3.21", "Haswell", 24, 0},         {"0.3.21", "Zen", 24, 0},
    {"0.3.21", "Sandybridge", 24, 192},   {"0.3.21", "Nehalem", 24, 192},
    {"0.3.21", "Core2", 24, 192},         {"0.3.21", "Prescott", 24, 192},
    {"0.3.21", "Atom", 24, 192},          {"0.3.34.237.2", "SkylakeX", 24, 0},
    {"0.3.34.237.2", "Haswell", 24, 0},   {"0.3.34.237.2", "Sandybridge", 24, 192},
    {"0.3.34.237.2", "Nehalem", 24, 192},
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

/* ---- Names in the library -------------------------------------------------------------- */

/* A library that is open. The builds of OpenBLAS for Python packages put a prefix before the names
 * of all functions, so that several of them can live in one process. */
typedef struct opened {
    void *handle;
    const char *prefix;
} opened;

static void *symbol(const opened *library, const char *name)
{
    char full[64];
    snprintf(full, sizeof full, "%s%s", library->prefix, name);
    return dlsym(library->handle, full);
}

static bool resolve(const opened *library)
{
    blas.sgemm = (sgemm_fn)symbol(library, "cblas_sgemm");
    blas.dgemm = (dgemm_fn)symbol(library, "cblas_dgemm");
    blas.cgemm = (xgemm_fn)symbol(library, "cblas_cgemm");
    blas.zgemm = (xgemm_fn)symbol(library, "cblas_zgemm");
    return blas.sgemm && blas.dgemm && blas.cgemm && blas.zgemm;
}

/* The library's name, and its cuts if it is an OpenBLAS: its text of configuration begins with
 * "OpenBLAS 0.3.21 ". */
static void identify(const opened *library, const char *file)
{
    char *(*config)(void) = (char *(*)(void))symbol(library, "openblas_get_config");
    char *(*core)(void) = (char *(*)(void))symbol(library, "openblas_get_corename");
    char version[32] = "";
    if (config == NULL || core == NULL || sscanf(config(), "OpenBLAS %31s", version) != 1) {
        snprintf(blas.name, sizeof blas.name, "%s", file);
        cuts_find("", "");
        return;
    }
    snprintf(blas.name, sizeof blas.name, "OpenBLAS %s %s", version, core());
    cuts_find(version, core());
}

/* ---- Loading --------------------------------------------------------------------------- */

static void name_missing(const char *reason)
{
    snprintf(blas.name, sizeof blas.name, "reference (%s)", reason ? reason : "no library");
}

/* dlopen while this thread may use one processor only. OpenBLAS starts its threads when it is
 * loaded, one fewer than the processors it may use, whatever OPENBLAS_NUM_THREADS says above that;
 * so it starts none. Where the system refuses, they are started and stay asleep. */
static void *open_alone(const char *file)
{
    cpu_set_t all, one;
    int processor = sched_getcpu();
    bool alone =
        processor >= 0 && processor < CPU_SETSIZE && sched_getaffinity(0, sizeof all, &all) == 0;
    if (alone) {
        CPU_ZERO(&one);
        CPU_SET(processor, &one);
        alone = sched_setaffinity(0, sizeof one, &one) == 0;
    }
    void *handle = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    if (alone)
        sched_setaffinity(0, sizeof all, &all);
    return handle;
}

/* Uses the library of this file, or notes why not. */
static bool load_file(const char *file)
{
    static const char *const prefixes[] = {"", "scipy_"};
    opened library = {.handle = open_alone(file)};
    if (library.handle == NULL) {
        name_missing(dlerror());
        return false;
    }
    for (size_t i = 0; i < sizeof prefixes / sizeof prefixes[0] && !blas.present; i++) {
        library.prefix = prefixes[i];
        blas.present = resolve(&library);
    }
    if (!blas.present) {
        name_missing("the library has no CBLAS interface");
        dlclose(library.handle);
        return false;
    }
    void (*set_threads)(int) = (void (*)(int))symbol(&library, "openblas_set_num_threads");
    if (set_threads != NULL)
        set_threads(1);
    identify(&library, file);
    return true;
}

/* The caller frees it. */
static char *proposal_take(void)
{
    pthread_mutex_lock(&proposal.lock);
    char *file = proposal.file;
    proposal.file = NULL;
    proposal.closed = true;
    pthread_mutex_unlock(&proposal.lock);
    return file;
}

static void load(void)
{
    char *proposed = proposal_take();
    const char *wanted = getenv("PENSTOCK_BLAS");
    if (wanted != NULL && wanted[0] != 0)
        load_file(wanted);
    else if (proposed == NULL || !load_file(proposed))
        load_file("libopenblas.so.0");
    ps__free(proposed);
}

ps_status ps_blas_propose(const char *file)
{
    char *copy = NULL;
    if (file != NULL) {
        size_t bytes = strlen(file) + 1;
        copy = ps__calloc(1, bytes);
        if (copy == NULL)
            return ps__fail(PS_ERR_MEMORY, "no memory for the name of a BLAS library");
        memcpy(copy, file, bytes);
    }
    pthread_mutex_lock(&proposal.lock);
    bool closed = proposal.closed;
    char *unused = closed ? copy : proposal.file;
    if (!closed)
        proposal.file = copy;
    pthread_mutex_unlock(&proposal.lock);
    ps__free(unused);
    if (closed)
        return ps__fail(PS_ERR_STATE, "a product was computed before a BLAS library was proposed");
    return PS_OK;
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

const char *ps_blas_name(void)
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
    ps__blas_call_begin();
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
    ps__blas_call_end();
}
