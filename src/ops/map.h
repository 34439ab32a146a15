/* Elementwise tasks, as they are queued and as fusion sees them. */
#ifndef PS_OPS_MAP_H
#define PS_OPS_MAP_H

#include "ops/task.h"

enum {
    PS__MAP_ARGS = 4,
    PS__CONSTANT = 0xff,            /* an argument that is a number */
    PS__MAP_FUSE_LEAST = 2048,      /* elements from which on joining pays */
    PS__MAP_NEAR_BYTES = 256 << 10, /* of a storage: strided elements of it are near */
    PS__MAP_SHORT_NS = 250,         /* up to this long an operation is done at the call */
    PS__MAP_PIECE_NS = 25000,       /* work is divided among threads in pieces of about this long */
};

/* Operand 0 is the result. Operands' shape and strides are over the task's space, in which
 * dimensions that can be walked as one are one. */
typedef struct ps__map_work {
    const ps__plan *plan;
    int64_t count;
    int ndim;
    bool dense;                   /* every operand lies side by side; numbers aside */
    uint8_t source[PS__MAP_ARGS]; /* argument -> operand; 0: the result's own old elements */
    ps__element constant[PS__MAP_ARGS];
} ps__map_work;

static inline ps__map_work *ps__map_of(ps__task *task)
{
    return (ps__map_work *)task->extra;
}

/* Where the old elements of an updated result are. */
static inline char *ps__map_old(const ps__operand *operand)
{
    return operand->use == PS__UPDATE && operand->old != NULL
               ? (char *)operand->old->data + operand->offset
               : operand->data;
}

/* Runs a program over a space, on the pool if it is worth it. */
ps_status ps__map_run(const ps__program *program, const ps__space *space, const ps__memory *inputs,
                      const ps__memory *stores);

/* Merges dimensions that all operands walk as one, and drops those of length 1. shape has ndim
 * lengths; strides[i] those of operand i. Returns the new number of dimensions. */
int ps__space_collapse(int ndim, int64_t *shape, unsigned operands,
                       int64_t (*strides)[PS_DIMS_MAX]);

#endif
