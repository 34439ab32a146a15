/* Positions that are given for each line along an axis: what take_along_axis, pick and their gradients
 * share. */
#ifndef PS_OPS_ALONG_H
#define PS_OPS_ALONG_H

#include "ops/compose.h"

/* What is at the positions along the axis of x, which has as many dimensions; the others are broadcast.
 * A position out of range fails it in the name of the composition. NULL after a failure. */
ps_tensor *ps__along_take(ps__compose *c, ps_tensor *x, ps_tensor *indices, int axis);
/* Zeros in the shape of x, broadcast, to which dy is added at the positions. */
ps_tensor *ps__along_add(ps__compose *c, int ndim, const int64_t *shape, ps_tensor *indices,
                         ps_tensor *dy, int axis);
/* The positions of a call of pick, for x with so many dimensions and such a length: in range as the mode
 * says, and with the axis. */
ps_tensor *ps__pick_positions(ps__compose *c, const ps__bound_call *call, int ndim, int64_t length,
                              int axis);

/* take.c: elements of x's lines along the last axis, `per` positions for each of them; both tensors lie
 * side by side, and differ in the last length alone. The axis and the number of lines behind it, in the
 * user's order, are for messages. *made is NULL before. */
ps_status ps__take_lines(const ps__bound_call *call, ps_tensor *x, ps_tensor *indices, int axis,
                         int64_t behind, ps_tensor **made);

#endif
