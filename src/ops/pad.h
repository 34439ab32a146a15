/* What the ways to pad share. */
#ifndef PS_OPS_PAD_H
#define PS_OPS_PAD_H

#include "ops/op.h"

/* rearrange.c: how much argument `index` adds along each dimension of x, the first argument. */
ps_status ps__pad_amounts(const ps__bound_call *call, unsigned index, int64_t *amount);
/* rearrange.c: the shape with so much before and after along each dimension. */
ps_status ps__pad_shape(const ps_tensor *x, const int64_t *before, const int64_t *after,
                        int64_t *shape);

/* pad_modes.c: with elements of x in the place of a value. */
ps_status ps__pad_by_places(const ps__bound_call *call);

#endif
