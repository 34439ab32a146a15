/* The BLAS library, loaded when the first product needs it: the file that PENSTOCK_BLAS names, else
 * the one given to ps_blas_propose, else libopenblas.so.0. It must have the CBLAS interface with
 * 32-bit dimensions; its names may have the prefix "scipy_". Where none can be loaded, products are
 * computed by kernels/ref/gemm.c; nothing fails for want of it, except that a PENSTOCK_BLAS which
 * cannot be followed is an error. See docs/decisions/009-kernels-of-the-blas-library.md for how its
 * kernels are chosen.
 *
 * It gets no threads of its own, because the library's workers call it side by side. */
#ifndef PS_KERNELS_BLAS_H
#define PS_KERNELS_BLAS_H

#include "penstock.h"

/* PS_ERR_ENVIRONMENT if PENSTOCK_BLAS names no library that can be used. Loads it if the variable is
 * set. For each call that queues a product. */
ps_status ps__blas_check(void);

/* Whether PENSTOCK_BLAS names one, which products of all kinds then use. */
bool ps__blas_wished(void);

/* Whether there is one. Loads it at the first call; any thread may call. */
bool ps__blas_present(void);

/* Where a product may be cut without a change of any bit of the result: at rows, or columns, that
 * are multiples of these numbers, when every piece has more than `work` multiplications and at most
 * `most_rows` rows. 0 means nowhere: then the cuts have to follow from the shape alone. These are
 * measured, see docs/decisions/004-matrix-products.md. */
typedef struct ps__blas_cuts {
    int rows, columns;
    int most_rows;
    double work;
} ps__blas_cuts;

const ps__blas_cuts *ps__blas_cuts_get(void);

/* One call of the library: c = a b, or c += a b with `accumulate`. Rows of c, m x n, are contiguous
 * and c_row apart. An operand that is `transposed` has contiguous columns, a `stride` apart; else
 * contiguous rows. Only for float32, float64, complex64, complex128 and with ps__blas_present. */
typedef struct ps__blas_operand {
    const void *data;
    int stride;
    bool transposed;
} ps__blas_operand;

void ps__blas_gemm(ps_dtype dtype, int m, int n, int k, ps__blas_operand a, ps__blas_operand b,
                   bool accumulate, void *c, int c_row);

#endif
