/* Waits: for a variable to be read or written, for everything. Helping and sleeping: help.c. */
#include "engine/waiting.h"

#include <inttypes.h>

static ps_status stopped(ps_status status)
{
    if (status != PS_ERR_TIMEOUT && status != PS_ERR_INTERRUPTED)
        return status;
    return ps__fail(status, status == PS_ERR_TIMEOUT ? "the wait reached its time limit"
                                                     : "the wait was interrupted");
}

/* ---- Waiting for a variable ------------------------------------------------------------ */

static uint64_t writes_done(const ps_var *var)
{
    return var->version - ps__load(&var->writes);
}

static bool changes(const ps__access *access)
{
    return (access->bits & PS__ACCESS_WRITE) && !(ps__access_task(access)->flags & PS__TASK_FENCE);
}

/* The youngest task that is going to write the variable, if it is not on a device already. */
static ps_task *last_writer(const ps_var *var)
{
    if (var->head != NULL) {
        ps__access *last = (ps__access *)((char *)var->tail - offsetof(ps__access, next));
        if (changes(last))
            return ps__access_task(last);
    }
    ps__access *found = var->writer != NULL && changes(var->writer) ? var->writer : NULL;
    for (ps__access *at = var->head; at != NULL; at = at->next)
        if (changes(at))
            found = at;
    return found != NULL ? ps__access_task(found) : NULL;
}

/* Inside a task: only older work may be waited for. */
static ps_status check_age(const ps__waiting *wait, const ps_task *target)
{
    uint64_t self = wait->permit.limit;
    if (self == UINT64_MAX || target == NULL || target->sequence < self ||
        (target->flags & PS__TASK_PASSIVE))
        return PS_OK;
    if (target->sequence == self)
        return ps__fail(PS_ERR_DEADLOCK, "task %" PRIu64 " waits for what it writes itself", self);
    return ps__fail(PS_ERR_DEADLOCK,
                    "task %" PRIu64 " waits for task %" PRIu64 ", which was queued after it", self,
                    target->sequence);
}

/* Lock held on entry and on return. */
static ps_status wait_writes(ps__waiting *wait, ps_var *var)
{
    uint64_t goal = var->version;
    ps_task *target = last_writer(var);
    uint64_t sequence = target != NULL ? target->sequence : 0;
    ps_status status = check_age(wait, target);
    ps__piece piece;
    while (status == PS_OK && writes_done(var) < goal) {
        if ((status = ps__waiting_reason_to_stop(wait)) != PS_OK || writes_done(var) >= goal)
            break;
        if (ps__waiting_park(wait))
            continue;
        /* A recycled record has another number. */
        bool live = target != NULL && target->sequence == sequence && target->state != PS__ERROR;
        if (ps__help_find_for(wait, live ? target : NULL, &piece)) {
            ps__help_run(wait, &piece);
            continue;
        }
        ps__waiter waiter = {.remaining = goal - writes_done(var),
                             .thread = wait->thread,
                             .next = var->waiters};
        var->waiters = &waiter;
        var->flags |= PS__VAR_WAITERS;
        ps__waiting_sleep(wait, &waiter);
        ps__waiter_unlink(&var->waiters, &waiter);
    }
    return stopped(status);
}

static ps_status raise_mark(ps_engine *engine, ps_var *var)
{
    ps__error *error = ps__load(&var->error);
    return error != NULL ? ps__error_raise(engine, error) : PS_OK;
}

static ps_status check_var(ps_var *var, const char *call)
{
    if (var == NULL)
        return ps__fail(PS_ERR_ARGUMENT, "%s: variable is NULL", call);
    PS_ASSERT(var->magic == PS__VAR_MAGIC);
    return ps__engine_check(var->engine);
}

static void enter_wait(ps__waiting *wait, ps__wait_kind what)
{
    wait->what = what;
    ps__waiting_enter(wait);
    ps__lock_take(&wait->engine->lock);
    ps__window *own = ps__thread_window_at_hand(wait->thread, wait->engine);
    if (own != NULL) {
        /* What comes after a wait may be a burst and no stream. */
        ps__window_set_limit(own, PS__WINDOW);
        ps__window_waited(own);
    }
    ps__kept_tell_own(wait->engine, wait->thread);
    if (PS_UNLIKELY(wait->thread->frame != NULL)) {
        wait->thread->depth++;
        wait->permit.limit = ps__wait_limit(wait->thread, wait->engine);
        ps__run_give_back(wait->engine, wait->thread);
        if (wait->thread->frame->piece == NULL)
            ps__queue_step_aside(wait->thread->frame->task->queue);
    }
    ps__trace_event(wait->engine, PS_TRACE_WAIT, NULL, what);
}

static void leave_wait(ps__waiting *wait)
{
    if (PS_UNLIKELY(wait->thread->frame != NULL)) {
        wait->thread->depth--;
        if (wait->thread->frame->piece == NULL)
            ps__queue_step_back(wait->thread->frame->task->queue, wait->thread);
    }
    ps__trace_event(wait->engine, PS_TRACE_RESUME, NULL, wait->what);
    ps__engine_unlock_and_wake(wait->engine, false);
    ps__waiting_leave(wait);
}

ps_status ps_wait_read(ps_var *var, const ps_wait_options *options)
{
    ps_status status = check_var(var, "ps_wait_read");
    if (PS_UNLIKELY(options != NULL) && status == PS_OK)
        status = ps__waiting_check_options(options);
    if (PS_UNLIKELY(status != PS_OK))
        return status;
    /* Acquire: pairs with the release in complete_write; what the task wrote is visible. */
    if (ps__load_acquire(&var->writes) == 0 && ps__load(&var->error) == NULL)
        return PS_OK;
    ps__thread *thread = ps__thread_get();
    if (thread == NULL)
        return ps__fail(PS_ERR_MEMORY, "no memory for the state of this thread");
    ps__waiting wait;
    status = ps__waiting_begin(&wait, var->engine, thread, options);
    if (status != PS_OK)
        return status;
    enter_wait(&wait, PS__WAIT_READ);
    status = wait_writes(&wait, var);
    if (status == PS_OK)
        status = raise_mark(var->engine, var);
    leave_wait(&wait);
    return status;
}

/* ---- Waiting for a task, and for readers ------------------------------------------------ */

/* Lock held on entry and on return. */
static ps_status wait_task(ps__waiting *wait, ps__waiter *waiter)
{
    ps_status status = PS_OK;
    wait->own = waiter->task;
    ps__piece piece;
    while (waiter->task != NULL && status == PS_OK) {
        if ((status = ps__waiting_reason_to_stop(wait)) != PS_OK || waiter->task == NULL)
            break;
        if (ps__waiting_park(wait))
            continue;
        if (ps__help_find_for(wait, waiter->task, &piece))
            ps__help_run(wait, &piece);
        else
            ps__waiting_sleep(wait, waiter);
    }
    if (waiter->task != NULL) {
        waiter->task->waiter = NULL;
        return stopped(status);
    }
    if (waiter->error != NULL) {
        status = ps__error_raise(wait->engine, waiter->error);
        ps__error_release(wait->engine, waiter->error);
        waiter->error = NULL;
    } else {
        status = PS_OK;
    }
    return status;
}

/* The task goes on without anybody waiting for it. */
static void forget_waiter(ps_engine *engine, ps__waiter *waiter)
{
    ps__lock_take(&engine->lock);
    if (waiter->task != NULL)
        waiter->task->waiter = NULL;
    if (waiter->error != NULL)
        ps__error_release(engine, waiter->error);
    ps__unlock(&engine->lock);
}

ps_status ps__wait_task(ps_engine *engine, ps__thread *thread, ps__waiter *waiter,
                        const ps_wait_options *options)
{
    ps__waiting wait;
    ps_status status = ps__waiting_begin(&wait, engine, thread, options);
    if (status != PS_OK) {
        forget_waiter(engine, waiter);
        return status;
    }
    enter_wait(&wait, PS__WAIT_READ);
    status = wait_task(&wait, waiter);
    leave_wait(&wait);
    return status;
}

static ps_status nothing(ps_task *self, void *arg)
{
    (void)self;
    (void)arg;
    return PS_OK;
}

typedef struct reader_search {
    const ps_var *var;
    const ps__waiting *wait;
    const ps_task *fence;
    ps_status status;
} reader_search;

static void look_for_reader(ps_task *task, void *arg)
{
    reader_search *search = arg;
    if (task->state == PS__FREE || task->state == PS__ERROR || search->status != PS_OK ||
        task->sequence < search->wait->permit.limit || task->sequence >= search->fence->sequence)
        return;
    ps__walk walk = ps__walk_begin(task);
    for (ps__access *access; (access = ps__walk_next(&walk)) != NULL;)
        if (ps__access_var(access) == search->var && (access->bits & PS__ACCESS_GRANTED))
            search->status = check_age(search->wait, task);
}

/* Inside a task: all that the fence follows must be older. Readers are only counted, so if there
 * are any all tasks are looked at. */
static ps_status check_users(const ps__waiting *wait, ps_var *var, const ps_task *fence)
{
    ps_status status = PS_OK;
    if (var->writer != NULL && ps__access_task(var->writer) != fence)
        status = check_age(wait, ps__access_task(var->writer));
    for (ps__access *at = var->head; at != NULL && status == PS_OK; at = at->next) {
        if (ps__access_task(at) == fence)
            break;
        status = check_age(wait, ps__access_task(at));
    }
    if (status == PS_OK && var->reads != 0) {
        reader_search search = {var, wait, fence, PS_OK};
        ps__blocks_each_task(wait->engine, look_for_reader, &search);
        status = search.status;
    }
    return status;
}

/* A task that writes the variable without changing it: it follows all that uses it now. */
static ps_status push_fence(ps_var *var, ps__waiter *fence)
{
    ps_task_spec spec = {.size = sizeof spec,
                         .run = nothing,
                         .writes = &var,
                         .nwrites = 1,
                         .name = "wait",
                         .cost_ns = 20,
                         .flags = PS_TASK_ALWAYS};
    return ps__push_internal(var->engine, &spec, PS__TASK_FENCE, fence);
}

ps_status ps_wait_write(ps_var *var, const ps_wait_options *options)
{
    ps_status status = check_var(var, "ps_wait_write");
    if (status != PS_OK)
        return status;
    ps__thread *thread = ps__thread_get();
    if (thread == NULL)
        return ps__fail(PS_ERR_MEMORY, "no memory for the state of this thread");
    ps_engine *engine = var->engine;
    ps__waiting wait;
    status = ps__waiting_begin(&wait, engine, thread, options);
    if (status != PS_OK)
        return status;
    ps__lock_take(&engine->lock);
    bool idle = ps__var_is_idle(var);
    if (idle)
        status = raise_mark(engine, var);
    ps__unlock(&engine->lock);
    if (idle)
        return status;
    ps__waiter fence = {.thread = thread, .limit = UINT64_MAX};
    status = push_fence(var, &fence);
    if (status != PS_OK)
        return status;
    enter_wait(&wait, PS__WAIT_WRITE);
    if (thread->frame != NULL && fence.task != NULL)
        status = check_users(&wait, var, fence.task);
    if (status == PS_OK)
        status = wait_task(&wait, &fence);
    else
        fence.task->waiter = NULL; /* it passes by itself */
    if (status == PS_OK)
        status = raise_mark(engine, var);
    leave_wait(&wait);
    return status;
}

/* ---- Waiting for everything ------------------------------------------------------------ */

static uint32_t close_generation(ps_engine *engine)
{
    uint32_t generation = engine->generation;
    ps__generations_pass(engine);
    if (engine->outstanding[generation % PS__GENERATIONS] != 0 &&
        engine->generation - engine->oldest_generation < PS__GENERATIONS - 1)
        engine->generation++;
    return generation;
}

ps_status ps_wait_all(ps_engine *engine, const ps_wait_options *options)
{
    ps_status status = ps__engine_check(engine);
    if (status != PS_OK)
        return status;
    ps__thread *thread = ps__thread_get();
    if (thread == NULL)
        return ps__fail(PS_ERR_MEMORY, "no memory for the state of this thread");
    ps__waiting wait;
    status = ps__waiting_begin(&wait, engine, thread, options);
    if (status != PS_OK)
        return status;
    if (thread->frame != NULL)
        return ps__fail(PS_ERR_DEADLOCK, "a task cannot wait for everything: it is part of it");
    enter_wait(&wait, PS__WAIT_ALL);
    uint32_t generation = close_generation(engine);
    ps__waiter waiter = {0};
    ps__piece piece;
    while (!ps__generation_done(engine, generation)) {
        if ((status = ps__waiting_reason_to_stop(&wait)) != PS_OK ||
            ps__generation_done(engine, generation))
            break;
        if (ps__waiting_park(&wait))
            continue;
        if (ps__help_find_any(&wait, &piece)) {
            ps__help_run(&wait, &piece);
            continue;
        }
        waiter =
            (ps__waiter){.generation = generation, .thread = thread, .next = engine->all_waiters};
        engine->all_waiters = &waiter;
        ps__waiting_sleep(&wait, &waiter);
        ps__waiter_unlink(&engine->all_waiters, &waiter);
    }
    if (ps__generation_done(engine, generation))
        status = ps__error_raise_unseen(engine);
    else
        status = stopped(status);
    leave_wait(&wait);
    return status;
}
