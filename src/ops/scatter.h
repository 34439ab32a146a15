/* Writing at many places of a tensor, one after the other: what put and masked_put do while they
 * run.
 *
 * Some of x's dimensions, side by side, are counted through by a position; the others make up the
 * slice that is at it. The values lie side by side: x's dimensions before those, the positions, x's
 * dimensions behind them. */
#ifndef PS_OPS_SCATTER_H
#define PS_OPS_SCATTER_H

#include "ops/task.h"

typedef struct ps__scatter {
    int axis;        /* for messages; -1: positions count through all of x */
    bool accumulate; /* add to what is there */
    int64_t count;   /* of positions; of a mask: of its elements */
    int64_t length;  /* positions are less than that */
    int64_t given;   /* masks: values that there are, one for each that is true; -1: one for all */
    int64_t step;    /* bytes from the values of one position to the next; 0: the same for all */

    int places; /* dimensions that a position counts through; strides in bytes, in x */
    int64_t place_shape[PS_DIMS_MAX], place_strides[PS_DIMS_MAX];
    int slice; /* dimensions of a slice; strides in bytes, in x and in the values */
    int64_t shape[PS_DIMS_MAX], strides[2][PS_DIMS_MAX];
} ps__scatter;

/* Describes x, of which positions count through the dimensions [begin, end), and values for that
 * many positions. `single`: one element is the value of all. */
void ps__scatter_describe(const ps_tensor *x, int begin, int end, int64_t values, bool single,
                          ps__scatter *work);

/* What the tasks run: operand 0 is x, to be updated, 1 the positions or the mask, side by side, 2
 * the values. If a position is out of range, or the number of values is wrong, nothing is written.
 * What is written, and added, follows the order of the positions on any number of threads. */
ps_status ps__scatter_positions(ps__task *task, ps_task *self);
ps_status ps__scatter_mask(ps__task *task, ps_task *self);

#endif
