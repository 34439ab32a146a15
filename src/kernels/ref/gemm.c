/* Products of matrices by plain loops over vectors of 64 bytes, for every element type but the
 * 16-bit floats: what runs when there is no BLAS, and what is faster than BLAS where that has much
 * to set up.
 *
 * The loops are compiled for several instruction sets, with the same bits from each: there is no
 * fused multiplication and addition, and the number of lanes is that of 64 bytes on all.
 *
 * Order of summation, for an element of c: by p = 0, 1, 2, ... in pieces of GEMM_DEPTH for
 * matrices, of GEMM_DEPTH_BYTES for vectors; where a vector is multiplied with contiguous columns,
 * by lanes in each piece. It does not depend on the element's place. */
#include <pthread.h>
#include <string.h>

#include "dtype/dtype.h"
#include "kernels/gemm.h"

#ifdef __clang__
#pragma STDC FP_CONTRACT OFF
#endif

#define GEMM_MIN(x, y) ((x) < (y) ? (x) : (y))

enum {
    GEMM_VECTOR_BYTES = 64,
    GEMM_FEW = 4,             /* rows, columns and depth that need no panel */
    GEMM_DEPTH = 256,         /* of a panel of b: 16 KiB */
    GEMM_ROWS = 128,          /* of a that are used with one panel after another */
    GEMM_DEPTH_BYTES = 16384, /* of x that are used with one column after another */
    GEMM_TILE_BYTES = 8192,   /* sums that are kept while b passes by */
    /* Working memory that is taken from the stack, so that small products need no other. It may be
     * that of whoever calls, and small. */
    GEMM_STACK_BYTES = 4096
};

typedef struct products {
    void (*matrix[PS__DTYPES])(const ps__gemm *gemm, bool accumulate, void *room);
    void (*vector[PS__DTYPES])(const ps__gemm_vector *vector, void *room);
} products;

/* ---- Working memory -------------------------------------------------------------------- */

static size_t beyond_stack(int64_t bytes)
{
    return bytes > GEMM_STACK_BYTES ? (size_t)bytes : 0;
}

size_t ps__gemm_direct_room(int64_t k)
{
    return beyond_stack(GEMM_MIN(GEMM_DEPTH, k) * GEMM_VECTOR_BYTES);
}

/* Whether a vector is multiplied with one column of b after the other, not with tiles of rows. */
static bool by_columns(const ps__gemm_vector *v)
{
    return v->n == 1 || v->b_column != 1;
}

/* By columns: x and a column, copied where they do not lie side by side, and for complex numbers x
 * with its parts exchanged. By rows: the sums of a tile, for complex numbers twice. */
size_t ps__gemm_vector_room(const ps__gemm_vector *v)
{
    int64_t bytes = (int64_t)ps__dtype_bytes(v->dtype);
    int complex = ps__dtype_kind_of(v->dtype) == PS__KIND_COMPLEX;
    if (by_columns(v))
        return beyond_stack(GEMM_MIN(GEMM_DEPTH_BYTES, v->k * bytes) *
                            ((v->x_stride != 1) + complex + (v->b_row != 1)));
    return beyond_stack(GEMM_MIN(GEMM_TILE_BYTES, v->n * bytes) * (1 + complex));
}

/* ---- Instruction sets ------------------------------------------------------------------ */

#define SET(x) x##_plain
#define TARGET
#include "kernels/ref/gemm_set.inc"
#undef SET
#undef TARGET

#ifdef __x86_64__
#define SET(x) x##_avx2
#define TARGET __attribute__((target("avx2")))
#include "kernels/ref/gemm_set.inc"
#undef SET
#undef TARGET

#define SET(x) x##_avx512
#define TARGET __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl")))
#include "kernels/ref/gemm_set.inc"
#undef SET
#undef TARGET
#endif

static const products *best = &products_plain;

static void choose(void)
{
#ifdef __x86_64__
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
        best = &products_avx512;
    else if (__builtin_cpu_supports("avx2"))
        best = &products_avx2;
#endif
}

/* `best` is written inside pthread_once and read after it. */
static const products *products_get(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, choose);
    return best;
}

void ps__gemm_direct(const ps__gemm *gemm, bool accumulate, void *room)
{
    products_get()->matrix[gemm->dtype](gemm, accumulate, room);
}

void ps__gemm_vector_run(const ps__gemm_vector *vector, void *room)
{
    products_get()->vector[vector->dtype](vector, room);
}
