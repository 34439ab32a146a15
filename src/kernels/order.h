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

#include "dtype/dtype.h"

/* Bytes of scratch memory for n elements. */
size_t ps__sort_room(ps_dtype dtype, size_t n);
/* The elements of x in order. */
void ps__sort(ps_dtype dtype, bool descending, size_t n, const void *x, void *out, void *scratch);

/* Bytes of scratch memory for the first `wanted` places of n. */
size_t ps__argsort_room(ps_dtype dtype, size_t n, size_t wanted);
/* Places of the first `wanted` elements, at most n, of x in order. */
void ps__argsort(ps_dtype dtype, bool descending, size_t n, const void *x, size_t wanted,
                 int64_t *places, void *scratch);

/* For each of `count` elements of x where in sorted[0 .. n) it could be put in so that it stays
 * sorted: before those that are alike, or behind them. */
void ps__search(ps_dtype dtype, bool behind, size_t n, const void *sorted, size_t count,
                const void *x, int64_t *places);

#endif
