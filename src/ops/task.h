/* Queued operations: one block of memory with all that running one needs.
 *
 * A call makes a task with ps__task_new, describes its operands, and queues it. Which buffers the
 * operands' storages have at that moment is found out while the engine registers the task
 * (capture.h), and whether a storage that is written moves on to a fresh buffer:
 *
 *   written how            nobody reads the buffer   somebody does        exported
 *   all of it, unread      in place                  fresh buffer         fresh buffer
 *   all of it, updated     in place                  fresh, reads old     fresh, reads old
 *   a part of it           in place                  in place, in order   fresh, copied first
 *
 * The engine orders what is done in place. */
#ifndef PS_OPS_TASK_H
#define PS_OPS_TASK_H

#include "ops/op.h"

enum { PS__OPERANDS = 32 }; /* at most, in one task */

typedef enum ps__use {
    PS__READ,
    PS__NEW,   /* written; nobody else knows the storage yet */
    PS__WHOLE, /* every element of an existing storage is overwritten; what was there is not read */
    PS__UPDATE, /* every element of it is replaced, element by element, from itself and others */
    PS__PART    /* some elements are overwritten or updated */
} ps__use;

typedef struct ps__operand {
    ps__buffer *buffer;             /* captured; a reference */
    char *data;                     /* while running: the first element */
    int64_t offset;                 /* of it in the buffer, in bytes */
    const int64_t *shape, *strides; /* strides in bytes; over what space: as the task says */
    uint8_t dtype, ndim;
    uint8_t use;     /* a ps__use */
    ps__buffer *old; /* the buffer before, if it must be copied first, or read instead; or NULL */
} ps__operand;

typedef struct ps__task ps__task;
struct ps__task {
    const ps_op *op;
    /* Does the work, with all operands in CPU memory and allocated, in the plain floating-point
     * mode. `self` is for ps_task_fail. */
    ps_status (*run)(ps__task *task, ps_task *self);
    const ps__place *place;
    uint32_t block_bytes;
    uint8_t count, outputs; /* operands, and how many of them, the first, are written */
    bool map;               /* an elementwise task: `extra` is a ps__map_work */
    bool reduce;            /* a reduction: `extra` is a ps__reduce_work */
    void *extra;            /* what else the run function needs; in the block */
    ps__operand operands[];
};

/* What to queue besides the task. */
typedef struct ps__launch {
    ps__task *task;
    ps__storage *storages[PS__OPERANDS];
    uint64_t cost_ns;
    uint64_t location;
    uint32_t flags; /* of ps_task_spec */
    uint8_t kind;   /* of ps_task_spec */
    bool brief;     /* it neither waits nor calls foreign code, so it may be done at the call */
} ps__launch;

/* A task for `op` with room for `count` operands, of which the first `outputs` are written, `dims`
 * numbers for shapes and strides, and `extra` bytes. *dims_at is where the numbers go. */
ps_status ps__task_new(const ps_op *op, const ps__place *place, unsigned outputs, unsigned count,
                       unsigned dims, size_t extra, ps__launch *launch, int64_t **dims_at);
/* Describes operand `index` as a tensor with its own shape and strides, which takes 2 * ndim numbers
 * from *dims_at. */
void ps__task_operand(ps__launch *launch, unsigned index, const ps_tensor *tensor, ps__use use,
                      int64_t **dims_at);
/* Queues it; on failure nothing was queued and the task is gone. In synchronous mode also runs it:
 * a failure of its own is returned likewise. */
ps_status ps__task_push(ps__launch *launch);
/* Frees a task that was never queued. */
void ps__task_discard(ps__task *task);

/* Runs body over [0, count) in pieces of `grain`, on the pool if there is more than one. */
ps_status ps__split(size_t count, size_t grain, ps_loop_fn body, void *arg);

/* What operations on the CPU are pushed with: tells our tasks from others'. */
ps_status ps__task_main(ps_task *self, void *task);

/* Makes outputs that have no memory allocated, makes copies that are due, and sets `data`. */
ps_status ps__task_prepare(ps__task *task, ps_task *self);

/* ---- Results ---------------------------------------------------------------------------- */

/* What a call writes to: a fresh tensor of the type and shape, or the one given in the call, which
 * must have that shape. */
typedef struct ps__result {
    ps_tensor *tensor;
    ps__use use;
    bool made; /* fresh */
    ps_tensor **slot;
} ps__result;

ps_status ps__result_begin(const ps__bound_call *call, unsigned index, const ps__place *place,
                           ps_dtype dtype, int ndim, const int64_t *shape, ps__result *result);
/* Hands a fresh tensor to the caller if status is PS_OK, else releases it; returns status. */
ps_status ps__result_end(ps__result *result, ps_status status);
/* How writing `out` must be done if `input`, which may be NULL, is read elementwise: PS__UPDATE or
 * PS__PART where they are the same elements. False if they overlap otherwise: then the result must
 * go through a temporary. */
bool ps__may_write(const ps_tensor *out, const ps_tensor *input, ps__use *use);
/* The device that all tensors share; without any, that of the output if one is given, else that of
 * the call. An error names two that differ. */
ps_status ps__common_place(const ps__bound_call *call, const ps__place **place);

#endif
