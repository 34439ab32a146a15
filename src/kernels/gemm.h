/* Matrix products on CPU memory: c = activation(a b + bias), whole or in blocks that different
 * threads may run at the same time.
 *
 * float32 is computed by tiles (gemm_tiles.h) where these are as fast as BLAS; else it, float64 and
 * complex go to BLAS (kernels/blas.h) where there is one; 16-bit floats are converted to float32 and
 * rounded once at the end; integers wrap; of bool it is the or of ands. Vectors (m or n is 1), small
 * products and integers use kernels/ref/gemm.c.
 *
 * Rules
 *   1. The bits of c depend on the operands' shapes, strides and values, and on the library that is
 *      loaded; not on the number of workers, on the order of blocks, or on where in memory anything
 *      lies.
 *   2. m, n and k may be 0; k = 0 is a product of zeros.
 *   3. Strides of a and b are any: zero, negative, none of them 1. Those that BLAS cannot take are
 *      copied, block by block, into the scratch.
 *   4. What c holds before is not read. c overlaps neither a, b nor bias.
 *   5. Bias and activation give the bits that separate operations would give: for 16-bit floats the
 *      product is rounded, then the sum. */
#ifndef PS_KERNELS_GEMM_H
#define PS_KERNELS_GEMM_H

#include "penstock.h"

typedef enum ps__activation {
    PS__ACTIVATION_NONE,
    PS__ACTIVATION_RELU /* not of complex numbers; bool stays as it is */
} ps__activation;

typedef struct ps__gemm {
    ps_dtype dtype; /* of all operands */
    ps__activation activation;
    int64_t m, n, k; /* a is m x k, b is k x n, c is m x n */
    const void *a, *b;
    void *c;
    int64_t a_row, a_column, b_row, b_column; /* strides in elements */
    int64_t c_row;    /* at least n, if m is above 1; columns of c are contiguous */
    const void *bias; /* NULL, or n contiguous elements that are added to every row */
} ps__gemm;

/* A division into row_blocks x column_blocks blocks. Edges are multiples of the units, the last
 * block takes the rest. */
typedef struct ps__gemm_grid {
    int64_t row_unit, column_unit;
    int64_t row_blocks, column_blocks;
    size_t count;   /* of blocks, at least 1 if c has elements */
    size_t scratch; /* bytes of working memory that one block needs, 0 for small ones */
} ps__gemm_grid;

/* The division for so many workers. k is never divided. There may be fewer blocks than workers: a
 * block is worth a few microseconds at least. */
void ps__gemm_grid_make(const ps__gemm *gemm, unsigned workers, ps__gemm_grid *grid);

/* One block, index < grid->count. `scratch`: grid->scratch bytes for this call alone, aligned to 64;
 * with NULL they are allocated here, which is the only way to fail. */
ps_status ps__gemm_block(const ps__gemm *gemm, const ps__gemm_grid *grid, size_t index,
                         void *scratch);

/* All of it on this thread. */
ps_status ps__gemm_run(const ps__gemm *gemm);
/* The same at once for a product that is small and needs nothing: one block, no working memory,
 * nothing afterwards. False if it is none such. */
bool ps__gemm_small(const ps__gemm *gemm);

/* ---- Many products of one shape -------------------------------------------------------- */

enum { PS__GEMM_BATCH_RANK = 16 };

/* Product i, with (i0, i1, ...) as its place in `shape` (the last axis is fastest), is `one` with
 * its pointers moved by the sum of place times stride, in elements. Strides of a and b may be 0:
 * the operand is shared. The bias is shared by all. */
typedef struct ps__gemm_batch {
    ps__gemm one;
    int rank; /* at most PS__GEMM_BATCH_RANK; 0 is one product */
    int64_t shape[PS__GEMM_BATCH_RANK];
    int64_t a_stride[PS__GEMM_BATCH_RANK], b_stride[PS__GEMM_BATCH_RANK];
    int64_t c_stride[PS__GEMM_BATCH_RANK];
} ps__gemm_batch;

/* Either each product is divided by `grid`, or a piece is `together` whole products. */
typedef struct ps__gemm_batch_grid {
    ps__gemm_grid grid;
    int64_t products, together;
    size_t count;
    size_t scratch; /* for one piece */
} ps__gemm_batch_grid;

void ps__gemm_batch_grid_make(const ps__gemm_batch *batch, unsigned workers,
                              ps__gemm_batch_grid *grid);
ps_status ps__gemm_batch_block(const ps__gemm_batch *batch, const ps__gemm_batch_grid *grid,
                               size_t index, void *scratch);
ps_status ps__gemm_batch_run(const ps__gemm_batch *batch);

/* ---- The kernels that are our own (ref/gemm.c) ----------------------------------------- */

/* Both need working memory. They say how many bytes: 0 for small products, which are served from
 * the stack; never less for more depth, nor for more columns where there are several. `room` is
 * aligned to 64. */

/* c = a b, or c += a b with `accumulate`, by plain loops. Any strides; no bias, no activation; not
 * for 16-bit floats; k is above 0. */
size_t ps__gemm_direct_room(int64_t k);
void ps__gemm_direct(const ps__gemm *gemm, bool accumulate, void *room);

/* The same for one row: c[j] is the sum of x[p] b[p][j]. Strides in elements. */
typedef struct ps__gemm_vector {
    ps_dtype dtype;
    bool accumulate;
    int64_t n, k;
    const void *x, *b;
    void *c;
    int64_t x_stride, b_row, b_column, c_stride;
} ps__gemm_vector;

size_t ps__gemm_vector_room(const ps__gemm_vector *vector); /* by dtype, n, k and strides of x, b */
void ps__gemm_vector_run(const ps__gemm_vector *vector, void *room);

#endif
