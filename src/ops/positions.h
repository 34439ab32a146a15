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

/* While running: n positions of `indices`, from `first` on, along a dimension of the length, as
 * distances: `step` times the position, which counts from the end if it is negative. Returns the
 * first of them that is out of range, whose distance means nothing; -1 if none is. */
int64_t ps__positions_resolve(const ps__operand *indices, int64_t first, int64_t n, int64_t length,
                              int64_t step, int64_t *distances);
/* The error for the one at `place`. The axis is -1 for a tensor that is taken as one dimension. */
ps_status ps__positions_fail(ps_task *self, const char *name, const ps__operand *indices,
                             int64_t place, int axis, int64_t length);

#endif
