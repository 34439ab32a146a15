/* A thread that waits: what it may do meanwhile and when it stops. Shared by the files that wait
 * (wait.c, bound.c) and the one that helps and sleeps (help.c). */
#ifndef PS_ENGINE_WAITING_H
#define PS_ENGINE_WAITING_H

#include "engine/internal.h"

/* What for: as the trace tells it. */
typedef enum ps__wait_kind {
    PS__WAIT_READ = 0,
    PS__WAIT_WRITE = 1,
    PS__WAIT_ALL = 2,
    PS__WAIT_BOUND = 3
} ps__wait_kind;

typedef struct ps__waiting {
    ps_engine *engine;
    ps__thread *thread;
    int64_t deadline;          /* negative: none */
    ps__permit permit;         /* what it may help with */
    ps_task *own;              /* the one task it was pushed for, or NULL */
    bool unlocked;             /* the frontend's lock is given up */
    bool asks;                 /* its thread's hooks, whether to stop */
    struct ps__waiting *outer; /* it is inside of a task that this one runs, or NULL */
    int64_t next_poll;
    ps__wait_kind what;
} ps__waiting;

/* May this thread wait at all, and for what? Fails if not. */
ps_status ps__waiting_begin(ps__waiting *wait, ps_engine *engine, ps__thread *thread,
                            const ps_wait_options *options);
ps_status ps__waiting_check_options(const ps_wait_options *options);

/* Gives up the frontend's lock, if it is held; takes it again, if it was given up. Not under the
 * engine's lock. Inside of a task that a wait runs the lock is that wait's: given up for it, and not
 * taken before the task has ended. So a task comes to its end whoever has the lock: also while the
 * thread that has it forks. */
void ps__waiting_unlock(ps__waiting *wait);
void ps__waiting_relock(ps__waiting *wait);

/* Around all that may run tasks; leaving takes the frontend's lock again. Not under the engine's. */
static inline void ps__waiting_enter(ps__waiting *wait)
{
    ps__thread *thread = wait->thread;
    ps__virtual_waits();
    wait->outer = thread->wait;
    /* Inside of a task the frontend's lock is not to be had: the wait that runs it asks after it. */
    wait->asks = wait->outer == NULL && thread->hooks != NULL && thread->hooks->interrupted != NULL;
    thread->wait = wait;
}

static inline void ps__waiting_leave(ps__waiting *wait)
{
    wait->thread->wait = wait->outer;
    if (PS_UNLIKELY(wait->unlocked))
        ps__waiting_relock(wait);
}

/* The rest: under the engine's lock, and it is held again on return. */

/* PS_OK, or why to stop: the time limit or an interrupt, or no worker in the child of a fork. May
 * give up the lock meanwhile. */
ps_status ps__waiting_ask(ps__waiting *wait);
static inline ps_status ps__waiting_reason_to_stop(ps__waiting *wait)
{
    bool asks = wait->deadline >= 0 || wait->asks || ps__load(&wait->engine->forked);
    return PS_LIKELY(!asks) ? PS_OK : ps__waiting_ask(wait);
}

/* True: a fork was under way and this thread has stayed out of its way; the lock was given up. In
 * the same hold of the lock as the search for something to run, and before it. */
bool ps__waiting_stay_out(ps__waiting *wait);
static inline bool ps__waiting_park(ps__waiting *wait)
{
    return PS_UNLIKELY(wait->engine->parking) && ps__waiting_stay_out(wait);
}

/* Sleeps once with the waiter registered; until when at most. */
void ps__waiting_sleep(ps__waiting *wait, ps__waiter *waiter);
int64_t ps__waiting_sleep_end(const ps__waiting *wait);
void ps__waiter_unlink(ps__waiter **list, ps__waiter *waiter);

/* Finds something to run that the target needs (NULL: unknown), or anything; and runs it. */
bool ps__help_find_for(ps__waiting *wait, ps_task *target, ps__piece *piece);
bool ps__help_find_any(ps__waiting *wait, ps__piece *piece);
void ps__help_run(ps__waiting *wait, ps__piece *piece);

/* A step of waiting for the queue to get shorter: helps, or sleeps until something ends. False if
 * nothing moves. */
bool ps__queue_step(ps__waiting *wait);

/* Generations of tasks, for ps_wait_all: passes those that are complete; is this one, and all
 * before it? */
void ps__generations_pass(ps_engine *engine);
bool ps__generation_done(ps_engine *engine, uint32_t generation);

#endif
