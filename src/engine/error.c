/* Errors: one object for each task that failed, shared by reference.
 *
 * The object is the record of the failed task itself, so that noting a failure needs no memory
 * and cannot be lost. It is held by every variable it marks, every queued task that inherited it
 * and, until a wait has raised it, by the engine's list of unseen errors. All of this is guarded
 * by the engine's lock. */
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
    ps__record_free(engine, NULL, error);
}

static void unlist(ps_engine *engine, ps__error *error)
{
    ps__error **at = &engine->unseen;
    while (*at != error)
        at = &(*at)->next;
    *at = error->next;
    error->listed = 0;
    engine->unseen_count--;
}

static void count_only(ps_engine *engine, ps__error *error)
{
    error->counted = 1;
    engine->unseen_more++;
}

/* Keeps the oldest PS__UNSEEN in order; the rest are counted. */
static void list(ps_engine *engine, ps__error *error)
{
    ps__error **at = &engine->unseen;
    while (*at != NULL && (*at)->sequence < error->sequence)
        at = &(*at)->next;
    if (engine->unseen_count == PS__UNSEEN && *at == NULL) {
        count_only(engine, error);
        return;
    }
    error->next = *at;
    *at = error;
    error->listed = 1;
    ps__error_retain(error);
    if (++engine->unseen_count <= PS__UNSEEN)
        return;
    ps__error *newest = error;
    while (newest->next != NULL)
        newest = newest->next;
    unlist(engine, newest);
    count_only(engine, newest);
    ps__error_release(engine, newest);
}

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

static void mark_seen(ps_engine *engine, ps__error *error)
{
    if (error->flags & PS__TASK_SEEN)
        return;
    error->flags |= PS__TASK_SEEN;
    if (error->counted) {
        error->counted = 0;
        if (engine->unseen_more > 0) /* PS_ERR_MORE may have reported it already */
            engine->unseen_more--;
    }
    if (error->listed) {
        unlist(engine, error);
        ps__error_release(engine, error);
    }
}

static ps_status report(const ps__error *error)
{
    ps_error_info info = {.size = sizeof info,
                          .status = error->failure,
                          .sequence = error->sequence,
                          .operation = error->name != NULL ? error->name : "task",
                          .location = error->location,
                          .message = error->message != NULL ? error->message
                                                            : ps_status_text(error->failure)};
    return ps__fail_info(&info);
}

ps_status ps__error_raise(ps_engine *engine, ps__error *error)
{
    ps_status status = report(error);
    mark_seen(engine, error); /* the list may have held the last reference */
    return status;
}

ps_status ps__error_raise_unseen(ps_engine *engine)
{
    if (engine->unseen != NULL)
        return ps__error_raise(engine, engine->unseen);
    if (engine->unseen_more == 0)
        return PS_OK;
    uint64_t more = engine->unseen_more;
    engine->unseen_more = 0;
    return ps__fail(PS_ERR_MORE, "%" PRIu64 " further tasks failed", more);
}

ps_status ps_engine_take_error(ps_engine *engine)
{
    ps_status status = ps__engine_check(engine);
    if (status != PS_OK)
        return status;
    ps__lock_take(&engine->lock);
    status = ps__error_raise_unseen(engine);
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
    ps_status status = report(self->error);
    ps__unlock(&engine->lock);
    return status;
}
