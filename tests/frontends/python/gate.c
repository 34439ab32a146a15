/* OpenBLAS behind a gate: a BLAS library (PENSTOCK_BLAS) whose products begin, and go on when a test
 * lets them. So a test can look at work that is surely unfinished, however busy the machine is.
 *
 * All functions that the runtime uses are handed on to the library that GATE_BLAS names. The tests
 * (gate.py) call the others. The gate is open at first. */
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define EXPORT __attribute__((visibility("default")))

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
/* All guarded by the lock. */
static int is_shut;
static unsigned calls;   /* of BLAS, that ever came to the gate */
static unsigned waiting; /* those at the gate */
static unsigned passes;  /* those that may go through although it is shut */

/* ---- For the tests ----------------------------------------------------------------------- */

EXPORT void gate_shut(void)
{
    pthread_mutex_lock(&lock);
    is_shut = 1;
    passes = 0;
    pthread_mutex_unlock(&lock);
}

EXPORT void gate_open(void)
{
    pthread_mutex_lock(&lock);
    is_shut = 0;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
}

/* Lets so many calls through. */
EXPORT void gate_pass(unsigned count)
{
    pthread_mutex_lock(&lock);
    passes += count;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
}

/* Until a call is at the gate. */
EXPORT void gate_await(void)
{
    pthread_mutex_lock(&lock);
    while (waiting == 0)
        pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
}

/* Calls so far. */
EXPORT unsigned gate_calls(void)
{
    pthread_mutex_lock(&lock);
    unsigned count = calls;
    pthread_mutex_unlock(&lock);
    return count;
}

static void go_through(void)
{
    pthread_mutex_lock(&lock);
    calls++;
    waiting++;
    pthread_cond_broadcast(&changed);
    while (is_shut && passes == 0)
        pthread_cond_wait(&changed, &lock);
    if (is_shut)
        passes--;
    waiting--;
    pthread_mutex_unlock(&lock);
}

/* ---- The library behind it --------------------------------------------------------------- */

static void *library; /* constant once this one is loaded */

__attribute__((constructor)) static void load_library(void)
{
    library = dlopen(getenv("GATE_BLAS"), RTLD_NOW | RTLD_LOCAL);
}

/* The packages scipy-openblas32 and OpenBLAS differ in their names. */
static void *find(const char *name)
{
    char other[64];
    snprintf(other, sizeof other, "scipy_%s", name);
    void *found = library != NULL ? dlsym(library, name) : NULL;
    if (found == NULL && library != NULL)
        found = dlsym(library, other);
    if (found != NULL)
        return found;
    fprintf(stderr, "GATE_BLAS: no %s in %s\n", name, getenv("GATE_BLAS"));
    exit(1);
}

EXPORT void cblas_sgemm(int order, int ta, int tb, int m, int n, int k, float alpha, const void *a,
                        int lda, const void *b, int ldb, float beta, void *c, int ldc)
{
    void (*gemm)(int, int, int, int, int, int, float, const void *, int, const void *, int, float,
                 void *, int) = find("cblas_sgemm");
    go_through();
    gemm(order, ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}

EXPORT void cblas_dgemm(int order, int ta, int tb, int m, int n, int k, double alpha, const void *a,
                        int lda, const void *b, int ldb, double beta, void *c, int ldc)
{
    void (*gemm)(int, int, int, int, int, int, double, const void *, int, const void *, int, double,
                 void *, int) = find("cblas_dgemm");
    go_through();
    gemm(order, ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}

static void complex_gemm(const char *name, const int *numbers, const void *alpha, const void *a,
                         const void *b, const void *beta, void *c)
{
    void (*gemm)(int, int, int, int, int, int, const void *, const void *, int, const void *, int,
                 const void *, void *, int) = find(name);
    go_through();
    gemm(numbers[0], numbers[1], numbers[2], numbers[3], numbers[4], numbers[5], alpha, a,
         numbers[6], b, numbers[7], beta, c, numbers[8]);
}

EXPORT void cblas_cgemm(int order, int ta, int tb, int m, int n, int k, const void *alpha,
                        const void *a, int lda, const void *b, int ldb, const void *beta, void *c,
                        int ldc)
{
    int numbers[] = {order, ta, tb, m, n, k, lda, ldb, ldc};
    complex_gemm("cblas_cgemm", numbers, alpha, a, b, beta, c);
}

EXPORT void cblas_zgemm(int order, int ta, int tb, int m, int n, int k, const void *alpha,
                        const void *a, int lda, const void *b, int ldb, const void *beta, void *c,
                        int ldc)
{
    int numbers[] = {order, ta, tb, m, n, k, lda, ldb, ldc};
    complex_gemm("cblas_zgemm", numbers, alpha, a, b, beta, c);
}

EXPORT char *openblas_get_config(void)
{
    char *(*config)(void) = find("openblas_get_config");
    return config();
}

EXPORT char *openblas_get_corename(void)
{
    char *(*name)(void) = find("openblas_get_corename");
    return name();
}

EXPORT void openblas_set_num_threads(int count)
{
    void (*set)(int) = find("openblas_set_num_threads");
    set(count);
}
