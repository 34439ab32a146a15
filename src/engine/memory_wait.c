/* When the memory limit is hit inside a task: wait for other tasks to end and free something.
 *
 * A task gives up only when nobody is left who could free memory: every thread that runs tasks is
 * itself waiting for memory, or asleep in a wait inside a task. Of several that wait for memory
 * the youngest gives up, so that the older ones can go on. While a fork is under way nobody gives
 * up: others would go on after it. */
#include "engine/internal.h"

/* On the stack of the waiting thread; guarded by the engine's lock. */
struct ps__memory_waiter {
    uint64_t sequence;
    struct ps__memory_waiter *next;
};

static uint32_t count(const struct ps__memory_waiter *list)
{
    uint32_t found = 0;
    for (; list != NULL; list = list->next)
        found++;
    return found;
}

static bool youngest(const struct ps__memory_waiter *list, uint64_t sequence)
{
    for (; list != NULL; list = list->next)
        if (list->sequence > sequence)
            return false;
    return true;
}

static void unlink_waiter(ps_engine *engine, struct ps__memory_waiter *waiter)
{
    struct ps__memory_waiter **link = &engine->memory_waiters;
    while (*link != waiter)
        link = &(*link)->next;
    *link = waiter->next;
}

bool ps__memory_wait(void)
{
    ps__thread *thread = ps__thread_current;
    if (thread == NULL || thread->frame == NULL || thread->loops != 0 || thread->callback)
        return false;
    ps_engine *engine = thread->frame->engine;
    ps__lock_take(&engine->lock);
    ps__run_give_back(engine, thread);
    struct ps__memory_waiter waiter = {thread->frame->sequence, engine->memory_waiters};
    engine->memory_waiters = &waiter;
    bool stuck = !engine->parking && engine->in_flight == 0 &&
                 engine->running <= count(&waiter) + engine->asleep_in_tasks;
    bool give_up = stuck && youngest(engine->memory_waiters, waiter.sequence);
    if (stuck && !give_up)
        ps__progress(engine); /* the youngest must look again */
    if (!give_up)
        ps__progress_wait(engine, -1);
    unlink_waiter(engine, &waiter);
    ps__unlock(&engine->lock);
    return !give_up;
}
