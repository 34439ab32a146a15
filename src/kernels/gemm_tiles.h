/* Products by tiles (kernels.h) of float32 and float64.
 *
 * Every element of c is one sum in the order of k, whatever c is cut into: cuts change no bits. */
#ifndef PS_KERNELS_GEMM_TILES_H
#define PS_KERNELS_GEMM_TILES_H

#include "penstock.h"

/* m x n elements of c, or of a part of it. Strides in elements; those of b and a are any. */
typedef struct ps__gemm_part {
    ps_dtype dtype;
    bool accumulate; /* to what c holds */
    int64_t m, n, k;
    const char *a, *b;
    char *c;
    int64_t a_row, a_column, b_row, b_column, c_row;
    /* Called for rows x columns elements that are complete, while they are in the cache; or NULL. */
    void (*done)(const void *arg, int64_t row, int64_t rows, int64_t column, int64_t columns);
    const void *arg;
} ps__gemm_part;

/* Whether the kernels of this processor have them for a type, and are as fast as BLAS by them. */
bool ps__gemm_tiles_are(ps_dtype dtype);
/* Rows and columns of a tile: what c is best cut by. */
void ps__gemm_tiles_unit(ps_dtype dtype, int64_t *rows, int64_t *columns);

/* Bytes of working memory for parts of at most so many columns and so much depth. */
size_t ps__gemm_tiles_room(ps_dtype dtype, int64_t n, int64_t k);
/* `room` is aligned to 64. k is above 0. */
void ps__gemm_tiles(const ps__gemm_part *part, char *room);

#endif
