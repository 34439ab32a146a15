/* Backends: how a kind of device does work.
 *
 * A device's table (device.h) names its backend; without one it is the CPU's. An entry that is NULL
 * means that the device cannot do that kind of work: the call of an operation that needs it is
 * refused, with the name of what is missing.
 *
 * An entry is called when the operands are there: outputs have memory, inputs have values, and
 * nobody else writes them or reads the outputs. Where the device has queues it only issues the work
 * on lane->queue, and the operands stay as they are until that queue has done it; where it has none
 * the work is done when the call returns. */
#ifndef PS_BACKEND_BACKEND_H
#define PS_BACKEND_BACKEND_H

#include "backend/work.h"
#include "device/device.h"

typedef struct ps__operand {
    char *data;                     /* the first element */
    const char *old;                /* of an output that is updated: where its elements were */
    const int64_t *shape, *strides; /* strides in bytes */
    uint8_t dtype, ndim;
} ps__operand;

/* Where and for whom work is done. */
typedef struct ps__lane {
    ps_engine *engine; /* whose threads may share in the work */
    ps_task *self;     /* for ps_task_fail; NULL: it is done at the call */
    const char *name;  /* of the operation */
    ps_device *device;
    unsigned queue;
} ps__lane;

typedef ps_status (*ps__work_run_fn)(const ps__lane *lane, const ps__work *work,
                                     const ps__operand *operands, unsigned count);

struct ps__backend {
    ps__work_run_fn run[PS__WORK_KINDS];
    /* Where work is issued on a queue: a copy within the device, in the order of that queue. NULL:
     * the device's memory is the host's, and memcpy will do. */
    ps_status (*copy)(const ps__lane *lane, void *to, const void *from, uint64_t bytes);
};

extern const ps__backend ps__backend_cpu; /* cpu/table.c */

#endif
