/* Running sums and products along a row. */
#ifndef PS_KERNELS_SCAN_H
#define PS_KERNELS_SCAN_H

#include "kernels/kernels.h"

/* For each of n elements in order: combines *carry with it, writes that to out and back to *carry.
 * `out` may be `in`. The order is that of the row: the bits do not depend on how a row is cut. */
typedef void (*ps__scan_fn)(size_t n, void *out, const void *in, void *carry);

/* By PS__PRIM_add or PS__PRIM_multiply, for a type that arithmetic is done in. NULL for products of
 * complex numbers: the primitive itself does them, one by one. */
ps__scan_fn ps__scan_get(ps__prim prim, ps_dtype dtype);

#endif
