/* Device queues, tokens, and tasks that finish later.
 *
 * Tasks of a queue are issued by one worker at a time, oldest first (that keeps the order near the
 * program's; it is not needed for correctness: a ticket taken late only covers more). Issuing calls the task's
 * function, which puts work on the device; takes a ticket behind that work; and asks the device
 * to tell when the ticket is reached. Then the task hands its accesses on to tasks of the same
 * device: those on the same queue are in order by themselves, those on another queue first make
 * it wait for the ticket. The host hears of a completion only through the device's call. Work that
 * is a function of ours may report a failure while it runs; the task still ends with that call. */
#include "engine/capture.h"
#include "engine/internal.h"

#include <string.h>

/* ---- Lanes: under the lock ------------------------------------------------------------- */

static void list_lane(ps_queue *queue)
{
    if (queue->listed || queue->issuer != NULL)
        return;
    queue->listed = true;
    queue->next = queue->engine->lanes;
    queue->engine->lanes = queue;
    ps__hint_update(queue->engine);
}

static void unlist_lane(ps_queue *queue)
{
    ps_queue **link = &queue->engine->lanes;
    while (*link != NULL && *link != queue)
        link = &(*link)->next;
    if (*link == queue)
        *link = queue->next;
    queue->listed = false;
    ps__hint_update(queue->engine);
}

void ps__queue_add_ready(ps_queue *queue, ps_task *task)
{
    ps__ready_add(&queue->ready, task);
    list_lane(queue);
}

/* The latest ticket on each queue of the device that the task must come after. */
static void collect_tickets(ps_task *task, uint64_t *tickets)
{
    ps__walk walk = ps__walk_begin(task);
    for (ps__access *access; (access = ps__walk_next(&walk)) != NULL;) {
        const ps__issued *issued = ps__access_var(access)->issued;
        if (issued->reads + issued->writes == 0)
            continue;
        for (unsigned q = 0; q < PS__DEVICE_QUEUES; q++) {
            uint64_t ticket = issued->write_ticket[q];
            if ((access->bits & PS__ACCESS_WRITE) && issued->read_ticket[q] > ticket)
                ticket = issued->read_ticket[q];
            if (tickets[q] < ticket)
                tickets[q] = ticket;
        }
    }
}

/* One of the variables it reads was marked by an older task. */
static bool reads_marked(ps_task *task)
{
    ps__walk walk = ps__walk_begin(task);
    for (ps__access *access; (access = ps__walk_next(&walk)) != NULL;) {
        const ps__error *error = ps__load(&ps__access_var(access)->error);
        bool reads = (access->bits & (PS__ACCESS_WRITE | PS__ACCESS_READS)) != PS__ACCESS_WRITE;
        if (reads && error != NULL && error->sequence < task->sequence)
            return true;
    }
    return false;
}

/* The task's work was on the device before it was known that what it reads is marked; a failure
 * found by working on such elements says nothing. All that it comes after is complete now: see
 * `notify` in device.h. A task that failed before its work was put on the device is not meant: it
 * was returned without being issued. */
static void forget_consequence(ps_task *task)
{
    bool by_work = task->failure != PS_OK && (task->state == PS__TAKEN || task->issued);
    if (by_work && !(task->flags & PS_TASK_ALWAYS) && reads_marked(task))
        task->failure = PS_OK;
}

/* From a thread of the device. */
static void device_done(void *arg, ps_status status)
{
    ps_task *task = arg;
    ps_engine *engine = task->engine;
    ps__lock_take(&engine->lock);
    forget_consequence(task);
    if (status != PS_OK && task->failure == PS_OK)
        task->failure = status;
    task->flags |= PS__TASK_FIRED;
    if (task->state == PS__RETURNED) {
        task->state = PS__COMPLETING;
        ps__run_finish(engine, task);
    }
    ps__engine_unlock_and_wake(engine, true);
}

/* From the work itself, so before its ticket is reached: the task cannot be complete yet. */
void ps__device_work_failed(ps_task *task, ps_status status)
{
    ps__lock_take(&task->engine->lock);
    if (task->failure == PS_OK)
        task->failure = status;
    ps__unlock(&task->engine->lock);
}

/* How far a task got on its way to the device. */
typedef enum outcome {
    NOT_THERE, /* it is complete: nothing of it is on the device, nor anything it must come after */
    BEHIND,    /* it failed or is skipped, but must not be complete before what it comes after */
    ISSUED
} outcome;

static ps_status wait_for_others(ps_queue *queue, const uint64_t *tickets)
{
    ps_status status = PS_OK;
    for (unsigned q = 0; q < queue->device->table->queues && status == PS_OK; q++)
        if (q != queue->index && tickets[q] != 0)
            status = queue->device->table->wait_event(queue->device, queue->index, q, tickets[q]);
    return status;
}

static ps_status ask_device(ps_task *task)
{
    ps_device *device = task->queue->device;
    unsigned index = task->queue->index;
    ps_status status = device->table->record(device, index, &task->ticket);
    return status != PS_OK ? status
                           : device->table->notify(device, index, task->ticket, device_done, task);
}

/* The device will not tell: wait here for all that the task comes after. */
static void wait_here(ps_queue *queue)
{
    for (unsigned q = 0; q < queue->device->table->queues; q++)
        queue->device->table->synchronise(queue->device, q);
}

/* Without the lock: everything that calls the task or the device. */
static outcome put_on_device(ps_task *task, const uint64_t *tickets, bool skip, ps_status *status)
{
    bool behind = false;
    for (unsigned q = 0; q < PS__DEVICE_QUEUES; q++)
        behind |= tickets[q] != 0;
    *status = wait_for_others(task->queue, tickets);
    if (*status == PS_OK && !skip)
        *status = ps__status_checked(task->run(task, task->arg));
    bool failed = *status != PS_OK || skip;
    if (failed && !behind)
        return NOT_THERE;
    ps_status asked = ask_device(task);
    if (asked == PS_OK)
        return failed ? BEHIND : ISSUED;
    if (*status == PS_OK && !skip)
        *status = asked;
    wait_here(task->queue);
    return NOT_THERE;
}

static void issue(ps_engine *engine, ps__thread *thread, ps_task *task)
{
    bool skip = task->error != NULL && !(task->flags & PS_TASK_ALWAYS);
    uint64_t tickets[PS__DEVICE_QUEUES] = {0};
    ps__frame frame = {.below = thread->frame,
                       .engine = engine,
                       .task = task,
                       .sequence = task->sequence};
    task->state = PS__TAKEN;
    task->runner = thread;
    thread->frame = &frame;
    collect_tickets(task, tickets);
    ps__engine_unlock_and_wake(engine, false);
    if (!skip)
        ps__trace_event(engine, PS_TRACE_START, task, PS_TRACE_NO_WORKER);
    ps_status status;
    outcome result = put_on_device(task, tickets, skip, &status);
    ps__lock_take(&engine->lock);
    thread->frame = frame.below;
    engine->executed += !skip;
    engine->skipped += skip;
    if (status != PS_OK)
        task->failure = status;
    if (result == NOT_THERE || (task->flags & PS__TASK_FIRED)) {
        task->state = PS__COMPLETING;
        ps__run_finish(engine, task);
        return;
    }
    task->state = PS__RETURNED;
    task->runner = NULL;
    task->in_flight = 1;
    engine->in_flight++;
    if (result == ISSUED) {
        ps__trace_event(engine, PS_TRACE_ISSUED, task, task->ticket);
        ps__graph_issue(engine, task);
    }
}

/* One thread at a time: what it puts on the device and the ticket behind that stay together, so
 * that a failure on the device is the right task's. */
static void begin_issuing(ps_queue *queue, const ps__thread *thread)
{
    unlist_lane(queue);
    queue->issuer = thread;
    queue->issuers++;
    ps__running_begin(queue->engine);
}

void ps__queue_step_aside(ps_queue *queue)
{
    queue->issuer = NULL;
    if (queue->engine->progress_waiters != 0)
        ps__progress(queue->engine); /* one of them may be about to step back */
    if (queue->ready.count == 0)
        return;
    list_lane(queue);
    ps__waiters_offer(queue->engine);
}

void ps__queue_step_back(ps_queue *queue, const ps__thread *thread)
{
    while (queue->issuer != NULL)
        ps__progress_wait(queue->engine, -1);
    unlist_lane(queue);
    queue->issuer = thread;
}

static void end_issuing(ps_queue *queue)
{
    ps__queue_step_aside(queue);
    queue->issuers--;
    ps__running_end(queue->engine);
}

void ps__queue_forget_issuer(ps_queue *queue, const ps__thread *thread)
{
    queue->issuers--;
    if (queue->issuer != thread)
        return; /* it waited meanwhile */
    queue->issuer = NULL;
    if (queue->ready.count != 0)
        list_lane(queue);
}

bool ps__queue_issue_ready(ps_engine *engine, ps__thread *thread, ps_task *task)
{
    ps_queue *queue = task->queue;
    if (queue->issuer != NULL)
        return false;
    begin_issuing(queue, thread);
    ps__ready_remove(&queue->ready, task);
    issue(engine, thread, task);
    end_issuing(queue);
    return true;
}

bool ps__queue_run_lane(ps_engine *engine, ps__thread *thread)
{
    ps_queue *queue = engine->lanes;
    if (queue == NULL)
        return false;
    begin_issuing(queue, thread);
    ps_task *task;
    while (!engine->parking && (task = ps__ready_pop(&queue->ready)) != NULL)
        issue(engine, thread, task);
    end_issuing(queue);
    return true;
}

/* ---- Queues ---------------------------------------------------------------------------- */

ps_status ps_queue_create(ps_engine *engine, ps_device *device, unsigned index, ps_queue **out)
{
    ps_status status = ps__engine_check(engine);
    if (status != PS_OK)
        return status;
    if (device == NULL || out == NULL)
        return ps__fail(PS_ERR_ARGUMENT, "ps_queue_create: %s is NULL",
                        device == NULL ? "device" : "queue");
    if (index >= device->table->queues)
        return ps__fail(PS_ERR_ARGUMENT, "ps_queue_create: device %s has %u queues, no number %u",
                        device->name, device->table->queues, index);
    ps_queue *queue = ps__calloc(1, sizeof *queue);
    if (queue == NULL)
        return ps__fail(PS_ERR_MEMORY, "no memory for a queue");
    queue->engine = engine;
    queue->device = device;
    queue->index = index;
    *out = queue;
    return PS_OK;
}

ps_status ps_queue_destroy(ps_queue *queue)
{
    if (queue == NULL)
        return PS_OK;
    ps_engine *engine = queue->engine;
    ps__lock_take(&engine->lock);
    uint64_t tasks = queue->tasks;
    if (tasks == 0) {
        unlist_lane(queue);
        while (queue->issuers != 0) /* done with its tasks, about to leave */
            ps__progress_wait(engine, -1);
    }
    ps__unlock(&engine->lock);
    if (tasks != 0)
        return ps__fail(PS_ERR_STATE, "ps_queue_destroy: %llu tasks are queued on it",
                        (unsigned long long)tasks);
    ps__free(queue);
    return PS_OK;
}

ps_status ps_queue_synchronise(ps_queue *queue)
{
    if (queue == NULL)
        return ps__fail(PS_ERR_ARGUMENT, "ps_queue_synchronise: queue is NULL");
    return queue->device->table->synchronise(queue->device, queue->index);
}

/* ---- Tokens ---------------------------------------------------------------------------- */

ps_status ps_task_defer(ps_task *self, ps_token *token)
{
    if (self == NULL || token == NULL)
        return ps__fail(PS_ERR_ARGUMENT, "ps_task_defer: %s is NULL",
                        self == NULL ? "task" : "token");
    ps__thread *thread = ps__thread_current;
    ps__frame *frame = thread != NULL ? thread->frame : NULL;
    if (frame == NULL || frame->task != self || frame->piece == NULL)
        return ps__fail(PS_ERR_STATE, "ps_task_defer: only for a task that runs on this thread and "
                                      "not on a device");
    if (frame->deferred)
        return ps__fail(PS_ERR_STATE, "ps_task_defer: the task has a token already");
    ps_engine *engine = frame->engine;
    ps__lock_take(&engine->lock);
    self->flags |= PS__TASK_DEFERRED;
    *token = (ps_token){engine, self, self->sequence};
    ps__unlock(&engine->lock);
    frame->deferred = true;
    return PS_OK;
}

static bool awaits_completion(const ps_task *task, uint64_t sequence)
{
    return task->sequence == sequence && (task->flags & PS__TASK_DEFERRED) &&
           !(task->flags & PS__TASK_FIRED) && task->queue == NULL &&
           (task->state == PS__TAKEN || task->state == PS__RETURNED);
}

static char *copy_text(const char *text)
{
    if (text == NULL)
        return NULL;
    size_t length = strlen(text) + 1;
    char *copy = ps__calloc(1, length);
    if (copy != NULL) /* else the status alone must do */
        memcpy(copy, text, length);
    return copy;
}

ps_status ps_complete(ps_token token, ps_status status, const char *message)
{
    ps_status open = ps__engine_check(token.engine);
    if (open != PS_OK)
        return open;
    if (token.task == NULL || (unsigned)status >= PS__STATUSES)
        return ps__fail(PS_ERR_ARGUMENT, token.task == NULL ? "ps_complete: the token is empty"
                                                            : "ps_complete: that is no status");
    char *text = status != PS_OK ? copy_text(message) : NULL;
    ps_engine *engine = token.engine;
    ps_task *task = token.task;
    ps__lock_take(&engine->lock);
    if (ps__load(&engine->closed) || !awaits_completion(task, token.sequence)) {
        ps__unlock(&engine->lock);
        ps__free(text);
        return ps__fail(PS_ERR_STATE, "ps_complete: the task is complete already");
    }
    task->flags |= PS__TASK_FIRED;
    if (status != PS_OK && task->failure == PS_OK) {
        task->failure = status;
        if (task->message == NULL) {
            task->message = text;
            text = NULL;
        }
    }
    if (task->state == PS__RETURNED) {
        task->state = PS__COMPLETING;
        ps__run_finish(engine, task);
    }
    ps__engine_unlock_and_wake(engine, true);
    ps__free(text);
    return PS_OK;
}
