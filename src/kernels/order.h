/* Sorting rows of memory and searching in them, for every element type.
 *
 * The order: false before true; numbers as they are, -0 and 0 alike; NaN after all numbers, one
 * like the other. Complex numbers by their real parts, then by their imaginary parts; those with a
 * NaN come last: first where the imaginary part is NaN, then where the real part is, then both. The
 * other direction is exactly that turned round.
 *
 * Sorting is stable in both directions: what is alike stays in the order in which it was. So the
 * result of each call is one and only, whatever way leads there. Rows lie side by side; no overlap,
 * and scratch memory is aligned to 16 bytes. */
#ifndef PS_KERNELS_ORDER_H
#define PS_KERNELS_ORDER_H

#include "kernels/kernels.h"

/* Bytes of scratch memory for n elements. */
size_t ps__sort_room(ps_dtype dtype, size_t n);
/* The elements of x in order. */
void ps__sort(ps_dtype dtype, bool descending, size_t n, const void *x, void *out, void *scratch);

/* Bytes of scratch memory for the first `wanted` places of n. */
size_t ps__argsort_room(ps_dtype dtype, size_t n, size_t wanted);
/* Places of the first `wanted` elements, at most n, of x in order. */
void ps__argsort(ps_dtype dtype, bool descending, size_t n, const void *x, size_t wanted,
                 int64_t *places, void *scratch);

/* ---- many short rows ------------------------------------------------------------------- */

/* PS__ORDER_LANES rows at once, in a tile: element k of row i is at tile[k][i]. Tiles and records
 * are aligned to 64 bytes and do not overlap. */
enum { PS__ORDER_LANES = 16 };

typedef struct ps__lanes ps__lanes;
typedef void (*ps__sort_lanes_fn)(const ps__lanes *lanes, const void *x, void *out);
/* `records` has room for 16 bytes for each element of the tile. */
typedef void (*ps__argsort_lanes_fn)(const ps__lanes *lanes, const void *x, int64_t *places,
                                     void *records);

struct ps__lanes {
    size_t n;                /* elements of a row */
    uint64_t turn, infinity; /* for the kernels: bits to change, the bits of infinity */
    ps__sort_lanes_fn sort;
    ps__argsort_lanes_fn argsort;
};

/* How rows of n elements are sorted in tiles, with the instructions of a set; false where row by
 * row is quicker, and for types that there are no tiles of. */
bool ps__order_lanes(const ps__kernel_set *set, ps_dtype dtype, bool descending, bool places,
                     size_t n, ps__lanes *lanes);

/* ---- searching ------------------------------------------------------------------------- */

/* For each of `count` elements of x where in sorted[0 .. n) it could be put in so that it stays
 * sorted: before those that are alike, or behind them. */
void ps__search(ps_dtype dtype, bool behind, size_t n, const void *sorted, size_t count,
                const void *x, int64_t *places);

#endif
