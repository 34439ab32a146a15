/* What the operations on shapes share: copying strided elements, tasks that put a result together
 * from regions of their inputs, and results that go into a given tensor by way of another. */
#ifndef PS_OPS_STRIDED_H
#define PS_OPS_STRIDED_H

#include "ops/calls.h"

enum {
    PS__COPY_DIMS = 2 * PS_DIMS_MAX,
    PS__COPY_PIECE = 1 << 18,       /* bytes; copies are divided among threads in pieces of these */
    PS__COPY_STREAM = 8 * (1 << 20) /* bytes; from here on, stores go around the caches */
};

/* Copies elements of 1, 2, 4, 8 or 16 bytes, on the pool if they are many. Strides are in bytes, of
 * any sign; those of `from` may be 0. At most PS__COPY_DIMS dimensions. No overlap. */
ps_status ps__copy_strided(size_t item, int ndim, const int64_t *shape, void *to,
                           const int64_t *to_strides, const void *from,
                           const int64_t *from_strides);

/* What one queued copy costs, by the bytes of its result. */
uint64_t ps__copy_cost(const ps_tensor *result);

/* ---- Regions ---------------------------------------------------------------------------- */

/* Elements of an input, or the value for all, that go to a place in the result. */
typedef struct ps__region {
    unsigned source; /* an operand; 0: the value */
    int ndim;
    int64_t to, from;                           /* bytes from the operands' first elements */
    int64_t *shape, *to_strides, *from_strides; /* in bytes, filled in by who adds the region */
} ps__region;

typedef struct ps__regions {
    unsigned count;
    ps__element value;
    ps__region region[];
} ps__regions;

/* A task that makes the result of up to `count` regions, which have up to `ndim` dimensions. Operand
 * 1 + i is input i. No input shares its storage with the result. */
ps_status ps__regions_begin(const ps__bound_call *call, const ps__result *result, unsigned inputs,
                            ps_tensor *const *input, unsigned count, int ndim, ps__launch *launch,
                            int64_t **dims);
/* Another region: its arrays take 3 * ndim numbers from *dims. */
ps__region *ps__regions_add(ps__launch *launch, unsigned source, int ndim, int64_t **dims);

/* ---- Arguments and results -------------------------------------------------------------- */

/* Argument `index`, which must not be a number here. */
ps_status ps__tensor_of(const ps__bound_call *call, unsigned index, ps_tensor **tensor);
/* x as one dimension, retained: a view if there is one. */
ps_status ps__flattened(const ps__bound_call *call, ps_tensor *x, ps_tensor **flat);
/* An error if an output is given, to an operation that makes views. */
ps_status ps__no_output(const ps__bound_call *call);
/* True if an output is given into which a result of the type cannot be written straight away: it
 * has another type or device, or shares its storage with an argument. Then ps__detour does the
 * call: into a tensor of its own, and from there into the output. */
bool ps__needs_detour(const ps__bound_call *call, ps_dtype dtype);
ps_status ps__detour(const ps__bound_call *call);

#endif
