/* A BLAS library that is open: its functions, and what it says about itself. */
#ifndef PS_KERNELS_BLAS_LIBRARY_H
#define PS_KERNELS_BLAS_LIBRARY_H

#include <stdbool.h>

typedef void (*ps__sgemm_fn)(int order, int ta, int tb, int m, int n, int k, float alpha,
                             const void *a, int lda, const void *b, int ldb, float beta, void *c,
                             int ldc);
typedef void (*ps__dgemm_fn)(int order, int ta, int tb, int m, int n, int k, double alpha,
                             const void *a, int lda, const void *b, int ldb, double beta, void *c,
                             int ldc);
typedef void (*ps__xgemm_fn)(int order, int ta, int tb, int m, int n, int k, const void *alpha,
                             const void *a, int lda, const void *b, int ldb, const void *beta,
                             void *c, int ldc);

enum { PS__BLAS_TEXT = 512, PS__BLAS_FILE = 4096 };

typedef struct ps__blas_library {
    void *handle;
    ps__sgemm_fn sgemm;
    ps__dgemm_fn dgemm;
    ps__xgemm_fn cgemm, zgemm;
    int threads;              /* that it uses for a product; 0: not known */
    char file[PS__BLAS_FILE]; /* where the dynamic linker found it */
    /* Of OpenBLAS; else "". */
    char config[PS__BLAS_TEXT]; /* "OpenBLAS 0.3.21 NO_LAPACKE DYNAMIC_ARCH ..." */
    char version[32];           /* "0.3.21" */
    char core[32];              /* the core type whose kernels it uses */
} ps__blas_library;

/* Opens a file, or a name that dlopen finds, and lets it use one thread only. `entry`: what the
 * environment has besides while it is opened, "NAME=value", or NULL. False with the reason if that
 * cannot be done, or if it does not have all of the functions. */
bool ps__blas_library_open(const char *file, const char *entry, ps__blas_library *library,
                           char reason[PS__BLAS_TEXT]);

/* Closes it and says whether it is gone: it stays if the program has it open too. */
bool ps__blas_library_close(const char *file, ps__blas_library *library);

#endif
