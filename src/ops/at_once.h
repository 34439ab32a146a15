/* Operations that are done at the call, without being queued: the thread that calls runs them under
 * the engine's lock (engine/at_once.h says why that is the same as queueing).
 *
 * What is not possible at this moment is queued as ever, so nothing here fails: inputs that tasks
 * are still writing or that are marked, an output that somebody uses, no memory left. */
#ifndef PS_OPS_AT_ONCE_H
#define PS_OPS_AT_ONCE_H

#include "ops/submit.h"

enum {
    PS__AT_ONCE_MAP_NS = 250,    /* up to this long an elementwise operation is done at the call, */
    PS__AT_ONCE_TASK_NS = 400,   /* and any other: what is longer is worth another thread's while */
    PS__AT_ONCE_NEAR = 256 << 10 /* bytes of a storage: strided elements of it are near */
};

/* If an operation on these tensors, the first of which is written, all in the CPU's memory, can be
 * done now: takes the engine's lock and finds the first element of each. */
bool ps__at_once_open(unsigned count, const ps_tensor *const *operands, ps__use use, char **data);
/* It is done. */
void ps__at_once_close(const ps_tensor *written, ps__use use);

/* Whether a job of up to PS__AT_ONCE_TASK_NS has one result, a new one, and inputs that seem to be
 * there. */
bool ps__at_once_suits(const ps__job *job, const ps__home *home);
/* Does the task that was made of such a job, if all is there. The lock is held only while its inputs
 * are found and pinned, so that they stay as they are: what writes them meanwhile goes to fresh
 * memory. True if it is done; else it is to be queued, also if it failed: then it fails again, as a
 * task. */
bool ps__at_once_task(const ps__job *job, ps__task *task);

#endif
