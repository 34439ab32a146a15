/* Operations that are done at the call, without being queued: the thread that calls runs them, on
 * storages of its own without any lock (engine/own.h), else under the engine's (engine/at_once.h says
 * why that is the same as queueing), or with operands that it has pinned under the lock.
 *
 * What is not possible at this moment is queued as ever, so nothing here fails: inputs that tasks
 * are still writing or that are marked, an output that somebody uses, no memory left. */
#ifndef PS_OPS_AT_ONCE_H
#define PS_OPS_AT_ONCE_H

#include "ops/submit.h"

enum {
    PS__AT_ONCE_MAP_NS = 2000,   /* up to this long an elementwise operation is done at the call, */
    PS__AT_ONCE_TASK_NS = 1000,  /* and any other: what is longer is worth another thread's while */
    PS__AT_ONCE_LOCKED_NS = 250, /* and this long under the engine's lock */
    PS__AT_ONCE_NEAR = 256 << 10,       /* bytes of a storage: strided elements of it are near */
    PS__AT_ONCE_MOST = 1 + PS__MAP_ARGS /* operands */
};

/* By what the operands stay as they are. */
typedef enum ps__opened {
    PS__OPEN_OWN,    /* they are the thread's own, which is inside */
    PS__OPEN_LOCKED, /* the engine's lock */
    PS__OPEN_PINNED  /* pins on those that are read; the first is new */
} ps__opened;

/* An operation on these tensors, the first of which is written, all in the CPU's memory. */
typedef struct ps__opening {
    unsigned count;
    const ps_tensor *const *operands;
    ps__use use;     /* of the first */
    float cost_ns;   /* estimated */
    ps__opened held; /* set by ps__at_once_open */
    ps__buffer *pinned[PS__AT_ONCE_MOST];
    char *data[PS__AT_ONCE_MOST]; /* set by it: the first element of each */
} ps__opening;

/* If it can be done now: keeps the operands as they are until it is closed. Nothing that takes a lock,
 * waits or allocates is to be called meanwhile. */
bool ps__at_once_open(ps__opening *opening);
/* It is done. */
void ps__at_once_close(ps__opening *opening);

/* Whether a job of up to PS__AT_ONCE_TASK_NS has one result, a new one, and inputs that seem to be
 * there. */
bool ps__at_once_suits(const ps__job *job, const ps__home *home);
/* Does the task that was made of such a job, if all is there. Its inputs are pinned, so that they stay as
 * they are: what writes them meanwhile goes to fresh memory. True if it is done; else it is to be queued, also if it failed: then it fails again, as a
 * task. */
bool ps__at_once_task(const ps__job *job, ps__task *task);

#endif
