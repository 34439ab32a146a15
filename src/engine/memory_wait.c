/* When the memory limit is hit: wait for what is queued to end and free something.
 *
 * Outside of tasks, the thread helps to run what is queued, as one that is held back does, until
 * there is room or nothing moves.
 *
 * Inside a task there are two ways to wait.
 *
 *   In ps_memory_alloc (ps__memory_wait). The task keeps what it has, so several may come to block
 *   each other: when nobody is left who could free memory the youngest gives up, so that the older
 *   ones can go on, and its allocation fails.
 *
 *   Between two attempts (ps__memory_turn). A task that failed so and can be run again gives back
 *   what it has and waits for its turn: the oldest makes the next attempt, one at a time, whenever
 *   another task has ended since the last one. It fails for good only when it was alone: nothing
 *   has ended since its last attempt began, and nobody is left who could free memory.
 *
 * Nobody is left: every thread that runs tasks waits here or sleeps in a wait inside a task,
 * nothing is on a device, and what is ready has no worker to run it. While a fork is under way
 * nobody gives up: others would go on after it.
 *
 * Everything in the list and its members is guarded by the engine's lock. */
#include "engine/waiting.h"

#include "engine/memory_turn.h"

/* On the stack of the waiting thread. */
struct ps__memory_waiter {
    uint64_t sequence;
    unsigned own; /* how many of engine->running are this thread's */
    bool worker;
    bool waits; /* a turn is listed while its task makes an attempt, too */
    bool turn;
    struct ps__memory_waiter *next;
};

_Static_assert(sizeof(struct ps__memory_waiter) <= sizeof(((ps__memory_turn *)0)->waiter),
               "a turn has room for its waiter");

static void list_waiter(ps_engine *engine, const ps__thread *thread,
                        struct ps__memory_waiter *waiter, bool turn)
{
    *waiter = (struct ps__memory_waiter){.sequence = thread->frame->sequence,
                                         .own = ps__running_own(engine),
                                         .worker = thread->worker,
                                         .turn = turn,
                                         .next = engine->memory_waiters};
    engine->memory_waiters = waiter;
}

static void unlist_waiter(ps_engine *engine, struct ps__memory_waiter *waiter)
{
    struct ps__memory_waiter **link = &engine->memory_waiters;
    while (*link != waiter)
        link = &(*link)->next;
    *link = waiter->next;
}

/* Of those that wait in ps_memory_alloc. */
static bool is_youngest(const ps_engine *engine, uint64_t sequence)
{
    for (const struct ps__memory_waiter *at = engine->memory_waiters; at != NULL; at = at->next)
        if (!at->turn && at->sequence > sequence)
            return false;
    return true;
}

static bool is_oldest_turn(const ps_engine *engine, uint64_t sequence)
{
    for (const struct ps__memory_waiter *at = engine->memory_waiters; at != NULL; at = at->next)
        if (at->turn && at->sequence < sequence)
            return false;
    return true;
}

/* Nobody is left who could free memory. What lies in windows must have been put on the lists. */
static bool is_stuck(const ps_engine *engine)
{
    unsigned resting = engine->asleep_in_tasks, workers = engine->asleep_in_tasks;
    for (const struct ps__memory_waiter *at = engine->memory_waiters; at != NULL; at = at->next) {
        resting += at->waits ? at->own : 0;
        workers += at->waits && at->worker;
    }
    bool ready = engine->ready.count != 0 || engine->lanes != NULL;
    bool taken = ready && engine->workers_present > workers && !engine->exiting;
    return !engine->parking && engine->in_flight == 0 && engine->running <= resting && !taken;
}

static void rest(ps_engine *engine, struct ps__memory_waiter *waiter)
{
    waiter->waits = true;
    if (!ps__windows_open(engine))
        ps__progress_wait(engine, -1);
    waiter->waits = false;
}

/* ---- in ps_memory_alloc ------------------------------------------------------------------ */

static bool wait_inside(ps__thread *thread)
{
    ps_engine *engine = thread->frame->engine;
    struct ps__memory_waiter waiter;
    ps__lock_take(&engine->lock);
    ps__run_give_back(engine, thread);
    list_waiter(engine, thread, &waiter, false);
    waiter.waits = true;
    bool stuck = engine->fresh == 0 && is_stuck(engine);
    bool give_up = stuck && is_youngest(engine, waiter.sequence);
    if (stuck && !give_up)
        ps__progress(engine); /* the youngest must look again */
    if (!give_up)
        rest(engine, &waiter);
    unlist_waiter(engine, &waiter);
    ps__unlock(&engine->lock);
    return !give_up;
}

/* The engine whose tasks may free something: the one that this thread uses, or the common one. */
static ps_engine *engine_of(const ps__thread *thread)
{
    return thread->windows != NULL ? thread->windows->engine : ps__engine_default_if_any();
}

static bool wait_outside(ps__thread *thread)
{
    ps__waiting wait;
    ps_engine *engine = engine_of(thread);
    if (engine == NULL || ps__load(&engine->closed) ||
        ps__waiting_begin(&wait, engine, thread, NULL) != PS_OK)
        return false;
    ps__waiting_enter(&wait);
    ps__lock_take(&engine->lock);
    bool moved = ps__waiting_reason_to_stop(&wait) == PS_OK && ps__queue_step(&wait);
    ps__engine_unlock_and_wake(engine, false);
    ps__waiting_leave(&wait);
    return moved;
}

bool ps__memory_wait(void)
{
    ps__thread *thread = ps__thread_get();
    if (thread == NULL || thread->loops != 0 || thread->callback)
        return false;
    return thread->frame != NULL ? wait_inside(thread) : wait_outside(thread);
}

/* ---- between two attempts ---------------------------------------------------------------- */

static uint64_t ended(const ps_engine *engine)
{
    return ps__load(&engine->sequence) - engine->ops; /* all under the lock */
}

static bool may_wait(const ps_task *self)
{
    const ps__thread *thread = ps__thread_current;
    return thread != NULL && thread->frame != NULL && thread->frame->task == self &&
           thread->frame->piece != NULL && thread->loops == 0 && !thread->callback;
}

/* Under the lock: until it is this task's turn, or it has failed for good. */
static bool await_turn(ps_engine *engine, ps__memory_turn *turn, struct ps__memory_waiter *waiter)
{
    for (;;) {
        bool first = is_oldest_turn(engine, waiter->sequence);
        uint64_t count = ended(engine);
        if (first && turn->ended != count) {
            turn->ended = count;
            return true;
        }
        waiter->waits = true;
        bool stuck = engine->fresh == 0 && is_stuck(engine);
        waiter->waits = false;
        if (stuck && first)
            return false;
        if (stuck)
            ps__progress(engine); /* the oldest must look again */
        rest(engine, waiter);
    }
}

bool ps__memory_turn_next(ps_task *self, ps__memory_turn *turn)
{
    if (!may_wait(self))
        return false;
    ps_engine *engine = self->engine;
    struct ps__memory_waiter *waiter = (struct ps__memory_waiter *)turn->waiter;
    ps__lock_take(&engine->lock);
    if (!turn->listed) {
        ps__run_give_back(engine, ps__thread_current);
        list_waiter(engine, ps__thread_current, waiter, true);
        turn->listed = true;
        turn->ended = UINT64_MAX;
    }
    ps__progress(engine); /* it has given memory back */
    bool again = await_turn(engine, turn, waiter);
    ps__unlock(&engine->lock);
    return again;
}

void ps__memory_turn_end(ps_task *self, ps__memory_turn *turn)
{
    if (!turn->listed)
        return;
    ps__lock_take(&self->engine->lock);
    unlist_waiter(self->engine, (struct ps__memory_waiter *)turn->waiter);
    ps__progress(self->engine); /* the next one's turn */
    ps__unlock(&self->engine->lock);
}
