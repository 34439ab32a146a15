/* Queueing work: one function turns a call, what it writes, what it reads, a description and an
 * estimate into a task. */
#ifndef PS_OPS_SUBMIT_H
#define PS_OPS_SUBMIT_H

#include "ops/output.h"

/* Operands over a space that is not their own: for MAP. */
typedef struct ps__spread {
    int ndim;
    const int64_t *shape;
    const int64_t (*strides)[PS_DIMS_MAX]; /* of each operand, in bytes; NULL: one dimension, and
                                              every operand lies side by side */
} ps__spread;

typedef struct ps__job {
    const ps__bound_call *call;
    const ps__home *home;     /* NULL: that of the first output */
    const ps__work *work;     /* copied */
    const ps__output *output; /* operands: the outputs, */
    unsigned outputs;
    ps_tensor *const *input; /* then these; NULLs at the end are left out */
    unsigned inputs;
    const ps__spread *spread; /* NULL: every operand has its own shape and strides */
    uint64_t cost_ns;         /* estimated, for one thread */
    int64_t elements;         /* of a pass that may be fused with others; 0: it may not */
} ps__job;

enum { PS__FUSE_LEAST = 4096 }; /* elements from which on fusing pays */

/* What is short may be done before it returns (at_once.h). Synchronous mode also runs it: a failure
 * of its own is returned. On any failure nothing was queued. */
ps_status ps__submit(const ps__job *job);

/* One output that the work writes side by side: begun, submitted and ended. */
ps_status ps__submit_output(const ps__job *job, const ps__home *home, ps_dtype dtype, int ndim,
                            const int64_t *shape);

/* What one queued copy costs, by the bytes of its result. */
uint64_t ps__copy_cost(const ps_tensor *result);

#endif
