/* Errors: one object for each task that failed, shared by reference.
 *
 * The object is the record of the failed task itself, so that noting a failure needs no memory
 * and cannot be lost. It is held by every variable it marks, every queued task that inherited it
 * and, until a wait has raised it, by the engine's list of unseen errors. All of this is guarded
 * by the engine's lock.
 *
 * The list has one error for each *batch*: tasks of one name, pushed at one place, that failed with
 * one status. It is the oldest of them and counts the others, whose records go when no variable has
 * them any more. So a loop that queues a million tasks which fail costs one record. Where the place
 * is not known every failure is a batch of its own.
 *
 * Invariants
 *   1. At most PS__UNSEEN batches are made so; after that a failure joins the newest batch of its
 *      status, which is mixed from then on, or makes the first of that status. The list is thus
 *      never longer than PS__UNSEEN and the number of statuses together.
 *   2. The list is in ascending sequence, and the oldest unseen failure of all is its first, unless
 *      that was seen already and stands there for others of its batch.
 *   3. `more` of a listed error is the number of unseen members besides itself. An error that is
 *      `counted` is one of them as long as a listed error has its batch number; after that it has
 *      been told.
 *   4. engine->unseen_failures is the number of unseen failures in all batches. */
#include "engine/internal.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void ps__error_retain(ps__error *error)
{
    error->references++;
}

void ps__error_release(ps_engine *engine, ps__error *error)
{
    if (--error->references != 0)
        return;
    ps__free(error->message);
    error->message = NULL;
    error->failure = PS_OK;
    error->issued = error->in_flight = 0;
    error->runner = NULL; /* was `more` */
    ps__record_free(engine, NULL, error);
}

/* ---- The list of unseen errors ---------------------------------------------------------- */

static bool is_seen(const ps__error *error)
{
    return error->flags & PS__TASK_SEEN;
}

/* The place in the list for, or of, an error. */
static ps__error **place_of(ps_engine *engine, const ps__error *error)
{
    ps__error **at = &engine->unseen;
    while (*at != NULL && (*at)->sequence < error->sequence)
        at = &(*at)->next;
    return at;
}

static void enlist(ps_engine *engine, ps__error *error, bool mixed, uint64_t more)
{
    ps__error **at = place_of(engine, error);
    error->next = *at;
    *at = error;
    error->listed = mixed ? PS__MIXED : PS__ALIKE;
    error->counted = 0;
    error->more = more;
    engine->unseen_count++;
    ps__error_retain(error);
}

/* May free it. */
static void unlist(ps_engine *engine, ps__error *error)
{
    ps__error **at = place_of(engine, error);
    PS_ASSERT(*at == error);
    *at = error->next;
    error->listed = 0;
    engine->unseen_count--;
    ps__error_release(engine, error);
}

static bool same_name(const char *a, const char *b)
{
    return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

static bool alike(const ps__error *a, const ps__error *b)
{
    return a->location != 0 && a->location == b->location && a->failure == b->failure &&
           same_name(a->name, b->name);
}

/* The listed error whose batch a new one joins; NULL: none. */
static ps__error *batch_for(const ps_engine *engine, const ps__error *error)
{
    ps__error *newest = NULL;
    for (ps__error *at = engine->unseen; at != NULL; at = at->next) {
        if (alike(at, error))
            return at;
        if (at->failure == error->failure)
            newest = at;
    }
    return engine->unseen_count < PS__UNSEEN ? NULL : newest;
}

static void list(ps_engine *engine, ps__error *error)
{
    engine->unseen_failures++;
    ps__error *first = batch_for(engine, error);
    if (PS_LIKELY(first == NULL)) {
        error->batch = ++engine->batches;
        enlist(engine, error, false, 0);
        return;
    }
    bool mixed = first->listed == PS__MIXED || !alike(first, error);
    error->batch = first->batch;
    if (first->sequence < error->sequence) {
        first->listed = mixed ? PS__MIXED : PS__ALIKE;
        first->more++;
        error->counted = 1;
        return;
    }
    uint64_t more = first->more + !is_seen(first);
    first->counted = !is_seen(first);
    unlist(engine, first);
    enlist(engine, error, mixed, more);
}

/* ---- Failing, raising -------------------------------------------------------------------- */

void ps__error_begin(ps_engine *engine, ps_task *task, ps_status status)
{
    PS_ASSERT(task->waiting == 0);
    task->state = PS__ERROR;
    task->references = 1;
    task->failure = status;
    task->listed = task->counted = 0;
    task->flags &= (uint16_t)~PS__TASK_SEEN;
    list(engine, task);
}

/* A member of a batch that another one is listed for. */
static void uncount(ps_engine *engine, ps__error *error)
{
    ps__error *first = engine->unseen;
    error->counted = 0;
    while (first != NULL && first->batch != error->batch)
        first = first->next;
    if (first == NULL) /* its batch has been told */
        return;
    engine->unseen_failures--;
    if (--first->more == 0 && is_seen(first))
        unlist(engine, first);
}

static void mark_seen(ps_engine *engine, ps__error *error)
{
    if (is_seen(error))
        return;
    error->flags |= PS__TASK_SEEN;
    if (error->counted) {
        uncount(engine, error);
    } else if (error->listed) {
        engine->unseen_failures--;
        if (error->more == 0) /* else it stands for the others */
            unlist(engine, error);
    }
}

static const char *text_of(const ps__error *error)
{
    return error->message != NULL ? error->message : ps_status_text(error->failure);
}

static ps_status report(const ps__error *error, const char *message, uint64_t more)
{
    ps_error_info info = {.size = sizeof info,
                          .status = error->failure,
                          .sequence = error->sequence,
                          .operation = error->name != NULL ? error->name : "task",
                          .location = error->location,
                          .message = message,
                          .more = more};
    return ps__fail_info(&info);
}

ps_status ps__error_raise(ps_engine *engine, ps__error *error)
{
    ps_status status = report(error, text_of(error), 0);
    mark_seen(engine, error); /* the list may have held the last reference */
    return status;
}

/* How much of a text is left if it must be no longer than `most`: whole UTF-8 characters. */
static int length_within(const char *text, size_t most)
{
    size_t length = strnlen(text, most);
    while (length > 0 && ((unsigned char)text[length] & 0xC0) == 0x80)
        length--;
    return (int)length;
}

/* One error for its batch, which has been told then. */
static ps_status raise_batch(ps_engine *engine, ps__error *first)
{
    char text[1024];
    const char *message = text_of(first);
    uint64_t more = first->more;
    if (more != 0) {
        snprintf(text, sizeof text, "%.*s, and %" PRIu64 " %s",
                 length_within(message, sizeof text - 64), message, more,
                 first->listed == PS__MIXED ? "further failures" : "more of the same");
        message = text;
    }
    ps_status status = report(first, message, more);
    engine->unseen_failures -= more + !is_seen(first);
    first->flags |= PS__TASK_SEEN;
    unlist(engine, first);
    return status;
}

ps_status ps__error_raise_unseen(ps_engine *engine)
{
    return engine->unseen != NULL ? raise_batch(engine, engine->unseen) : PS_OK;
}

ps_status ps_engine_take_error(ps_engine *engine)
{
    /* One that was left at exit still has its errors, one that was destroyed has not. */
    ps_status status = PS_OK;
    if (engine == NULL || ps__load(&engine->closed) == 1)
        status = ps__engine_check(engine);
    if (status != PS_OK)
        return status;
    ps__lock_take(&engine->lock);
    status = ps__error_raise_unseen(engine);
    if (status == PS_OK)
        status = ps__exit_tell_left(engine);
    ps__unlock(&engine->lock);
    return status;
}

/* ---- From inside a task ---------------------------------------------------------------- */

ps_status ps_task_fail(ps_task *self, ps_status status, const char *format, ...)
{
    if (self == NULL || status == PS_OK || format == NULL)
        return ps__fail(PS_ERR_ARGUMENT, "ps_task_fail: needs a task, a failure and a text");
    status = ps__status_checked(status);
    va_list arguments;
    va_start(arguments, format);
    char text[1024];
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    size_t length = strlen(text) + 1;
    char *copy = ps__calloc(1, length);
    if (copy != NULL) { /* without memory for the text the status alone must do */
        memcpy(copy, text, length);
        ps__lock_take(&self->engine->lock);
        char *old = copy;
        if (self->failure == PS_OK) { /* else ps_complete came first */
            old = self->message;
            self->message = copy;
        }
        ps__unlock(&self->engine->lock);
        ps__free(old);
    }
    return status;
}

uint64_t ps_task_sequence(const ps_task *self)
{
    return self != NULL ? self->sequence : 0;
}

ps_status ps_task_error(ps_task *self)
{
    if (self == NULL)
        return ps__fail(PS_ERR_ARGUMENT, "ps_task_error: task is NULL");
    if (self->error == NULL)
        return PS_OK;
    ps_engine *engine = self->engine;
    ps__lock_take(&engine->lock);
    ps_status status = report(self->error, text_of(self->error), 0);
    ps__unlock(&engine->lock);
    return status;
}
