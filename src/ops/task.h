/* Queued operations: one block of memory with a description of work and all that running it needs.
 *
 * Which buffers the operands' storages have is found out while the engine registers the task
 * (capture.h), and whether a storage that is written moves on to a fresh buffer:
 *
 *   written how            nobody reads the buffer   somebody does        exported
 *   all of it, unread      in place                  fresh buffer         fresh buffer
 *   all of it, updated     in place                  fresh, reads old     fresh, reads old
 *   all of it, advanced    in place                  in place, in order   fresh, reads old
 *   a part of it           in place                  in place, in order   fresh, copied first
 *
 * The engine orders what is done in place. */
#ifndef PS_OPS_TASK_H
#define PS_OPS_TASK_H

#include "backend/backend.h"
#include "ops/op.h"

typedef enum ps__use {
    PS__READ,
    PS__NEW,   /* written; nobody else knows the storage yet */
    PS__WHOLE, /* every element of an existing storage is overwritten; what was there is not read */
    PS__UPDATE,  /* every element of it is replaced, element by element, from itself and others */
    PS__ADVANCE, /* the same, after those who read it: what follows needs the new elements anyway, so
                    another buffer would only take memory */
    PS__PART     /* some elements are overwritten or updated */
} ps__use;

/* What an operand keeps until the task is gone. */
typedef struct ps__held {
    ps__buffer *buffer; /* captured; a reference */
    ps__buffer *old;    /* the one before, if it must be copied first, or read instead; or NULL */
    int64_t offset;     /* of the first element in the buffer, in bytes */
    uint8_t use;        /* a ps__use */
} ps__held;

typedef struct ps__task {
    const ps_op *op;
    const ps__home *home;
    const ps__work *work;   /* in the block, if it is queued */
    ps__held *held;         /* one for each operand; in the block, as are shapes and strides */
    uint32_t bytes;         /* of the block */
    uint32_t count;         /* operands */
    uint32_t outputs;       /* how many of them, the first, are written */
    ps__operand operands[]; /* but for the addresses, which are set when it runs */
} ps__task;

/* What operations that are done by the calling thread are pushed with: tells our tasks from
 * others', and from those that a device's queue orders. */
ps_status ps__task_main(ps_task *self, void *task);
/* The same for devices with queues: puts the work on the queue. */
ps_status ps__task_issue(ps_task *self, void *task);
/* Does the work: operands' buffers are captured, or pinned (at_once.c). `self` may be NULL. */
ps_status ps__task_do(ps__task *task, ps_task *self);
/* Gives up what a queued task holds, and frees it; or only frees it. */
void ps__task_drop(void *task);
void ps__task_discard(ps__task *task);

/* Runs a description that was made of several, in place of their tasks. Outputs have memory. */
ps_status ps__task_do_work(const ps__home *home, const char *name, const ps__work *work,
                           const ps__operand *operands, unsigned count);

#endif
