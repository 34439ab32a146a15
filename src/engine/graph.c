/* The graph: which task may run, given what it and the others read and write.
 *
 * Each variable has a queue of the accesses that wait, in sequence order, and counts what is
 * granted: any number of reads or one write. An access is granted when it is pushed, or when the
 * end of an earlier one lets it through. A task is ready when all its accesses are granted.
 * Readers are only counted, so a variable that is read for ever and never written stays small.
 *
 * Two releases: a device task hands its accesses on to tasks of the same device when it is
 * issued (the device keeps them in order: queue.c) and to all others when it is complete.
 *
 * Everything here runs under the engine's lock and takes constant time for each access. */
#include "engine/internal.h"

ps__access *ps__task_access(ps_task *task, uint32_t index)
{
    if (PS_LIKELY(index < PS__INLINE_ACCESSES))
        return &task->inline_accesses[index];
    index -= PS__INLINE_ACCESSES;
    ps__extra *extra = task->extra;
    for (; index >= PS__EXTRA_ACCESSES; index -= PS__EXTRA_ACCESSES)
        extra = extra->next;
    return &extra->accesses[index];
}

/* ---- Granting -------------------------------------------------------------------------- */

static bool device_lets_through(const ps_var *var, const ps_task *task, bool write)
{
    const ps__issued *issued = var->issued;
    if (issued->reads + issued->writes == 0)
        return true;
    if (task->queue != NULL && task->queue->device == issued->device)
        return true;
    return issued->writes == 0 && (!write || issued->reads == 0);
}

static inline bool grantable(const ps_var *var, const ps_task *task, bool write)
{
    if (var->writer != NULL || (write && var->reads != 0))
        return false;
    return PS_LIKELY(!(var->flags & PS__VAR_DEVICE)) || device_lets_through(var, task, write);
}

void ps__graph_inherit(ps_task *task, ps__error *error)
{
    if (task->error != NULL && task->error->sequence <= error->sequence)
        return;
    ps__error *old = task->error;
    ps__error_retain(error);
    task->error = error;
    if (old != NULL)
        ps__error_release(task->engine, old);
}

static inline bool reads(const ps__access *access)
{
    return (access->bits & (PS__ACCESS_WRITE | PS__ACCESS_READS)) != PS__ACCESS_WRITE;
}

/* While a write is issued and not complete nobody knows what mark it will leave: the tasks that
 * follow it on the device look again when they are complete. */
static bool mark_is_final(const ps_var *var)
{
    return !(var->flags & PS__VAR_DEVICE) || var->issued->writes == 0;
}

static inline void grant(ps_var *var, ps__access *access, ps_task *task)
{
    access->bits |= PS__ACCESS_GRANTED;
    if (access->bits & PS__ACCESS_WRITE)
        var->writer = access;
    else
        var->reads++;
    ps__error *error = ps__load(&var->error);
    if (PS_UNLIKELY(error != NULL) && reads(access) && mark_is_final(var))
        ps__graph_inherit(task, error);
}

void ps__graph_make_ready(ps_engine *engine, ps_task *task)
{
    task->state = PS__READY;
    if (task->queue != NULL) {
        ps__queue_add_ready(task->queue, task);
    } else {
        ps__ready_add(&engine->ready, task);
        ps__hint_update(engine);
    }
    if (PS_UNLIKELY(engine->sleeping_helpers != NULL))
        ps__waiters_wake_helpers(engine, task);
}

static void grant_waiting(ps_engine *engine, ps_var *var, ps__access *access)
{
    ps_task *task = ps__access_task(access);
    grant(var, access, task);
    engine->released = true;
    engine->released_issued += engine->issuing;
    if (--task->waiting != 0)
        return;
    ps__trace_event(engine, PS_TRACE_READY, task, engine->releasing);
    if (task->state == PS__PENDING)
        ps__graph_make_ready(engine, task);
}

/* Grants what can be granted from the front of the queue. Reads pass reads that wait for a
 * device; nothing passes a write. */
static void advance(ps_engine *engine, ps_var *var)
{
    ps__access **link = &var->head;
    while (*link != NULL && var->writer == NULL) {
        ps__access *access = *link;
        bool write = access->bits & PS__ACCESS_WRITE;
        if (write && link != &var->head)
            return;
        if (grantable(var, ps__access_task(access), write)) {
            *link = access->next;
            if (*link == NULL)
                var->tail = link;
            grant_waiting(engine, var, access);
        } else if (write) {
            return;
        } else {
            link = &access->next;
        }
    }
}

bool ps__var_is_idle(const ps_var *var)
{
    return var->head == NULL && var->writer == NULL && var->reads == 0 &&
           (!(var->flags & PS__VAR_DEVICE) || var->issued->reads + var->issued->writes == 0);
}

static inline void settle(ps_engine *engine, ps_var *var)
{
    if (var->head != NULL)
        advance(engine, var);
    else if (PS_UNLIKELY(var->flags & PS__VAR_ORPHAN) && ps__var_is_idle(var))
        ps__var_free_locked(engine, var);
}

/* ---- Registering ----------------------------------------------------------------------- */

static bool may_read_now(const ps_var *var)
{
    if (var->head == NULL)
        return true;
    if (!(var->flags & PS__VAR_DEVICE))
        return false;
    for (const ps__access *at = var->head; at != NULL; at = at->next)
        if (at->bits & PS__ACCESS_WRITE)
            return false;
    return true;
}

static inline void enter(ps_task *task, ps__access *access)
{
    ps_var *var = ps__access_var(access);
    bool write = access->bits & PS__ACCESS_WRITE;
    if (write && !(task->flags & PS__TASK_FENCE)) {
        var->version++;
        /* Read without the lock by ps_var_is_ready, on this thread at the earliest. */
        ps__store(&var->writes, ps__load(&var->writes) + 1);
    }
    if ((write ? var->head == NULL : may_read_now(var)) && grantable(var, task, write)) {
        grant(var, access, task);
        return;
    }
    access->next = NULL;
    *var->tail = access;
    var->tail = &access->next;
    task->waiting++;
}

/* Finds repeated variables with a stamp on each; writes come first in the list. */
static void remove_duplicates(ps_task *task)
{
    ps__walk from = ps__walk_begin(task), to = from;
    uint32_t kept = 0;
    for (ps__access *access; (access = ps__walk_next(&from)) != NULL;) {
        ps_var *var = ps__access_var(access);
        if (var->stamp != task->sequence) {
            var->stamp = task->sequence;
            var->need_any = kept++; /* scratch: where its access is */
            ps__walk_next(&to)->bits = access->bits;
        } else if (!(access->bits & PS__ACCESS_WRITE)) {
            ps__access *first = ps__task_access(task, (uint32_t)var->need_any);
            if (first->bits & PS__ACCESS_WRITE)
                first->bits |= PS__ACCESS_READS;
        }
    }
    task->accesses = kept;
    from = ps__walk_begin(task);
    for (ps__access *access; (access = ps__walk_next(&from)) != NULL;)
        ps__access_var(access)->need_any = 0;
}

void ps__graph_register(ps_engine *engine, ps_task *task)
{
    task->sequence = ps__load(&engine->sequence) + 1;
    ps__store(&engine->sequence, task->sequence);
    task->generation = engine->generation;
    engine->outstanding[task->generation % PS__GENERATIONS]++;
    engine->ops++;
    if (PS_UNLIKELY(task->accesses > PS__INLINE_ACCESSES))
        remove_duplicates(task);
    ps__walk walk = ps__walk_begin(task);
    for (ps__access *access; (access = ps__walk_next(&walk)) != NULL;)
        enter(task, access);
    if (PS_UNLIKELY(ps__load(&engine->tracing))) {
        ps__trace_record(engine, PS_TRACE_QUEUED, task, task->location);
        walk = ps__walk_begin(task);
        for (ps__access *access; (access = ps__walk_next(&walk)) != NULL;)
            ps__trace_access(engine, task, access);
        if (task->waiting == 0)
            ps__trace_record(engine, PS_TRACE_READY, task, 0);
    }
}

/* ---- Issuing and completing ------------------------------------------------------------ */

static void raise_ticket(uint64_t *ticket, uint64_t to)
{
    if (*ticket < to)
        *ticket = to;
}

static void issue_access(ps_engine *engine, ps_task *task, ps__access *access)
{
    ps_var *var = ps__access_var(access);
    ps__issued *issued = var->issued;
    if (issued->reads + issued->writes == 0) {
        for (unsigned q = 0; q < PS__DEVICE_QUEUES; q++)
            issued->read_ticket[q] = issued->write_ticket[q] = 0;
        issued->device = task->queue->device;
    }
    access->bits |= PS__ACCESS_ISSUED;
    if (access->bits & PS__ACCESS_WRITE) {
        var->writer = NULL;
        issued->writes++;
        raise_ticket(&issued->write_ticket[task->queue->index], task->ticket);
    } else {
        var->reads--;
        issued->reads++;
        raise_ticket(&issued->read_ticket[task->queue->index], task->ticket);
    }
    if (var->head != NULL)
        advance(engine, var);
}

void ps__graph_issue(ps_engine *engine, ps_task *task)
{
    task->issued = 1;
    engine->releasing = task->sequence;
    engine->issuing = true;
    ps__walk walk = ps__walk_begin(task);
    for (ps__access *access; (access = ps__walk_next(&walk)) != NULL;)
        issue_access(engine, task, access);
    engine->issuing = false;
}

/* A write is complete: the mark it leaves, and those who wait for it. */
static inline void complete_write(ps_engine *engine, ps_var *var, ps_task *task, ps__error *mark)
{
    if (PS_UNLIKELY(task->flags & PS__TASK_FENCE))
        return;
    ps__error *old = ps__load(&var->error);
    if (PS_UNLIKELY(mark != old)) {
        if (mark != NULL)
            ps__error_retain(mark);
        ps__store(&var->error, mark);
        if (old != NULL)
            ps__error_release(engine, old);
    }
    /* Pairs with the acquire load in ps_var_is_ready and ps_wait_read. */
    ps__store_release(&var->writes, ps__load(&var->writes) - 1);
    if (PS_UNLIKELY(var->flags & PS__VAR_WAITERS))
        ps__waiters_notify_write(engine, var);
}

static inline void complete_access(ps_engine *engine, ps_task *task, ps__access *access,
                                   ps__error *mark)
{
    ps_var *var = ps__access_var(access);
    uintptr_t bits = access->bits;
    if (bits & PS__ACCESS_WRITE) {
        if (PS_UNLIKELY(bits & PS__ACCESS_ISSUED))
            var->issued->writes--;
        else
            var->writer = NULL;
        complete_write(engine, var, task, mark);
    } else {
        if (PS_UNLIKELY(bits & PS__ACCESS_ISSUED))
            var->issued->reads--;
        else
            var->reads--;
    }
    settle(engine, var);
}

/* A device task may be let through before its predecessors are complete: have they failed? */
static void inherit_late(ps_task *task)
{
    ps__walk walk = ps__walk_begin(task);
    for (ps__access *access; (access = ps__walk_next(&walk)) != NULL;) {
        ps__error *error = ps__load(&ps__access_var(access)->error);
        if (error != NULL && reads(access) && error->sequence < task->sequence)
            ps__graph_inherit(task, error);
    }
}

static void count_down(ps_engine *engine, ps_task *task)
{
    engine->ops--;
    if (PS_UNLIKELY(task->kind == PS_IO))
        engine->io_tasks--;
    if (--engine->outstanding[task->generation % PS__GENERATIONS] == 0 &&
        PS_UNLIKELY(engine->all_waiters != NULL))
        ps__waiters_notify_generation(engine);
}

void ps__graph_free_extras(ps_engine *engine, ps_task *task)
{
    ps__extra *extra = task->extra;
    task->extra = NULL;
    while (extra != NULL) {
        ps__extra *next = extra->next;
        ps__extra_free_locked(engine, extra);
        extra = next;
    }
}

static void end_device_task(ps_engine *engine, ps_task *task)
{
    task->queue->tasks--;
    if (task->in_flight) {
        engine->in_flight--;
        engine->device_round_trips += engine->released;
    }
}

/* What only some tasks have. */
static void end_rare(ps_engine *engine, ps_task *task, ps_status status)
{
    if (task->waiter != NULL) {
        ps__error *error = task->error != NULL ? task->error : status != PS_OK ? task : NULL;
        if (error != NULL)
            ps__error_retain(error);
        task->waiter->error = error;
        task->waiter->task = NULL;
        ps__waiter_fire(engine, task->waiter);
        task->waiter = NULL;
    }
    ps__graph_free_extras(engine, task);
    if (task->queue != NULL)
        end_device_task(engine, task);
}

/* The record lives on as an error, or is free. */
static inline void retire(ps_engine *engine, ps__window *window, ps_task *task, bool failed)
{
    if (PS_UNLIKELY(task->error != NULL)) {
        ps__error *inherited = task->error;
        task->error = NULL;
        ps__error_release(engine, inherited);
    }
    if (PS_UNLIKELY(failed)) {
        ps__error_release(engine, task);
        return;
    }
    if (PS_UNLIKELY(task->message != NULL)) {
        ps__free(task->message);
        task->message = NULL;
    }
    if (PS_UNLIKELY(task->flags & PS__TASK_DEFERRED)) {
        task->failure = PS_OK;
        task->issued = task->in_flight = 0;
    }
    ps__record_free(engine, window, task);
}

void ps__graph_complete(ps_engine *engine, ps__window *window, ps_task *task, ps_status status)
{
    PS_ASSERT(task->waiting == 0);
    ps__virtual_publish(task);
    ps__trace_event(engine, PS_TRACE_END, task,
                    (uint64_t)(status == PS_OK && task->error != NULL ? task->error->failure
                                                                      : status));
    engine->releasing = task->sequence;
    engine->released = false;
    if (PS_UNLIKELY(task->queue != NULL))
        inherit_late(task);
    bool failed = status != PS_OK;
    if (PS_UNLIKELY(failed))
        ps__error_begin(engine, task, status);
    /* A mark it inherited is older than its own failure. */
    ps__error *mark = task->error != NULL ? task->error : failed ? task : NULL;
    ps__walk walk = ps__walk_begin(task);
    for (ps__access *access; (access = ps__walk_next(&walk)) != NULL;)
        complete_access(engine, task, access, mark);
    count_down(engine, task);
    if (PS_UNLIKELY(task->flags & PS__TASK_COUNTED))
        engine->bytes -= task->bytes;
    if (PS_UNLIKELY(task->waiter != NULL || task->extra != NULL || task->queue != NULL))
        end_rare(engine, task, status);
    retire(engine, window, task, failed);
}
