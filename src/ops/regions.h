/* Building work that puts a result together from regions of inputs. */
#ifndef PS_OPS_REGIONS_H
#define PS_OPS_REGIONS_H

#include "ops/calls.h"

/* A tensor's shape, and its strides in bytes. */
typedef struct ps__layout_bytes {
    int ndim;
    const int64_t *shape;
    int64_t strides[PS_DIMS_MAX];
} ps__layout_bytes;

ps__layout_bytes ps__layout_bytes_of(const ps_tensor *tensor);

typedef struct ps__regions {
    ps__work_regions *work;
    size_t block;  /* bytes of it */
    int64_t used;  /* numbers of its dimensions */
    int64_t *dims; /* all of them */
} ps__regions;

/* Room for `count` regions of up to `ndim` dimensions. */
ps_status ps__regions_begin(ps__regions *regions, unsigned count, int ndim);

/* Another region, of input `source` (from 1 on; 0: the value), to be filled in: strides in bytes. */
typedef struct ps__region_fill {
    ps__region *region;
    int64_t *shape, *to_strides, *from_strides;
} ps__region_fill;
ps__region_fill ps__regions_add(ps__regions *regions, unsigned source, int ndim);

/* Queues it and frees it; inputs share no element with the output. */
ps_status ps__regions_submit(ps__regions *regions, const ps__bound_call *call,
                             const ps__output *output, ps_tensor *const *inputs, unsigned count);

#endif
