/* Positions and masks: what the operations that read or write single elements share. */
#ifndef PS_OPS_POSITIONS_H
#define PS_OPS_POSITIONS_H

#include "ops/calls.h"

/* Argument `index`, positions, as a tensor of integers that lie side by side, retained; a number is
 * a tensor without dimensions, on the device of x. */
ps_status ps__positions_of(const ps__bound_call *call, unsigned index, const ps_tensor *x,
                           ps_tensor **positions);
/* Argument `index`, which must be a mask of bool with the shape of x's leading dimensions. */
ps_status ps__mask_of(const ps__bound_call *call, unsigned index, const ps_tensor *x,
                      ps_tensor **mask);
/* A mask over x's leading dimensions as one that broadcasts over the others; retained. */
ps_status ps__mask_spread(const ps_tensor *x, ps_tensor *mask, ps_tensor **spread);

#endif
