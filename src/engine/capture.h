/* Queueing a task whose variables are only known under the engine's lock.
 *
 * The layer above keeps pointers to variables that change when something is queued: a tensor's
 * storage moves on to a fresh buffer, with a variable of its own, when it is overwritten. Finding
 * the variables and registering the task must then be one step. The lock that registration takes
 * anyway guards both. */
#ifndef PS_ENGINE_CAPTURE_H
#define PS_ENGINE_CAPTURE_H

#include "penstock.h"

typedef struct ps__capture {
    /* Called exactly once under the engine's lock, just before the task is registered, if the push
     * succeeds; else never. It must not fail, block, allocate or call the engine. It fills in the
     * sets, whose arrays the caller provides. */
    void (*fill)(struct ps__capture *self);
    ps_var **reads, **writes;
    size_t nreads, nwrites;    /* set by `fill` */
    size_t most;               /* an upper bound on their sum; more than 4 cost an allocation */
    bool stays;                /* moving the task to another thread would cost more than it does */
    bool estimated;            /* it takes about what the spec says, and waits for nothing */
    struct ps__issued *spares; /* the engine's own; NULL */
} ps__capture;

/* As ps_push of a spec with empty sets. The spec is not checked, but in debug builds. */
ps_status ps__push_capture(ps_engine *engine, const ps_task_spec *spec, ps__capture *capture);

/* For work that a device does for `task`, which was issued there: it has failed. Called before the
 * work ends; as in a task's function, ps_task_fail gives the text. */
void ps__device_work_failed(ps_task *task, ps_status status);

/* No write of it is unfinished and it has no mark: what it stands for may be filled by a thread. */
bool ps__var_is_clean(ps_var *var);

/* Counts bytes of a result that only queued tasks keep alive, negative when they are gone, toward the
 * bound. The thread notes it for itself and tells when it has the lock for something else: when the
 * tasks that it runs are published, when it queues or waits; sooner if it is much. */
void ps__engine_keep(ps_engine *engine, int64_t delta);

/* The lock itself, for looking at what `fill` changes. Hold it for a few instructions only. */
void ps__engine_lock(ps_engine *engine);
void ps__engine_unlock(ps_engine *engine);

#endif
