/* Reductions, as they are queued and as fusion sees them.
 *
 * What is combined is the result of a program over the operands: at least a conversion to the type
 * of the accumulator. The order of combination is that of kernels.h and depends on the lengths of
 * the reduced dimensions alone: not on strides, not on threads, not on what the program fuses. */
#ifndef PS_OPS_REDUCE_H
#define PS_OPS_REDUCE_H

#include "ops/task.h"

typedef struct ps__reduce_spec {
    uint8_t reduce;      /* a ps__reduce */
    uint8_t accumulator; /* a ps_dtype */
    uint8_t result;      /* a ps_dtype */
    bool square;         /* squared absolute values are combined */
    bool root;           /* at the end, after dividing: the square root */
    bool divide;         /* at the end: by the divisor, which may be 0 */
    double divisor;
} ps__reduce_spec;

/* Operand 0 is the result, side by side; operand 1 what is reduced, with its own dimensions. */
typedef struct ps__reduce_work {
    ps__reduce_spec spec;
    uint32_t reduced; /* a bit for each dimension that goes */
} ps__reduce_work;

static inline ps__reduce_work *ps__reduce_of(ps__task *task)
{
    return (ps__reduce_work *)task->extra;
}

/* Ends a program, whose value `value` is what to reduce, with what the reduction does to each
 * element, and makes that its only store. False if it becomes too large. */
bool ps__reduce_prologue(const ps__reduce_spec *spec, ps__program *program, int value);

/* Reduces what the program makes of its inputs, whose strides are over `shape`, into `out`. */
ps_status ps__reduce_run(const ps__reduce_spec *spec, const ps__program *program, int ndim,
                         const int64_t *shape, uint32_t reduced, const ps__memory *inputs,
                         void *out);

#endif
