/* Being told that a variable is ready: callbacks, and a queue of completions for event loops.
 *
 * Both are tasks that read the variable, run even if it is marked, and are run by workers only. */
#include "engine/internal.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

static ps_status push_reader(ps_var *var, ps_task_fn run, void *arg, void (*drop)(void *),
                             const char *name)
{
    ps_status status = ps__engine_check(var->engine);
    if (status != PS_OK)
        return status;
    ps_task_spec spec = {.size = sizeof spec,
                         .run = run,
                         .arg = arg,
                         .drop = drop,
                         .reads = &var,
                         .nreads = 1,
                         .name = name,
                         .flags = PS_TASK_ALWAYS};
    return ps__push_internal(var->engine, &spec, PS__TASK_CALLBACK, NULL);
}

/* ---- Callbacks ------------------------------------------------------------------------- */

typedef struct callback {
    ps_ready_fn fn;
    void *arg;
} callback;

static ps_status run_callback(ps_task *self, void *arg)
{
    callback *call = arg;
    ps_status status = ps_task_error(self);
    ps__thread *thread = ps__thread_current;
    thread->callback = true;
    call->fn(call->arg, status);
    thread->callback = false;
    return PS_OK;
}

ps_status ps_var_on_ready(ps_var *var, ps_ready_fn fn, void *arg)
{
    if (var == NULL || fn == NULL)
        return ps__fail(PS_ERR_ARGUMENT, "ps_var_on_ready: %s is NULL",
                        var == NULL ? "variable" : "function");
    callback *call = ps__calloc(1, sizeof *call);
    if (call == NULL)
        return ps__fail(PS_ERR_MEMORY, "no memory for a callback");
    *call = (callback){fn, arg};
    ps_status status = push_reader(var, run_callback, call, ps__free, "callback");
    if (status != PS_OK)
        ps__free(call);
    return status;
}

/* ---- The completion queue -------------------------------------------------------------- */

typedef struct watch {
    ps_completions *completions;
    uint64_t tag;
    ps_status status;
    struct watch *next;
} watch;

struct ps_completions {
    ps_engine *engine;
    int fd;        /* readable while the list is not empty: changed with it, under the lock */
    ps__lock lock; /* guards the list; taken after the engine's */
    watch *first, **last;
    ps_completions *next, **link; /* of the engine; under its lock */
    _Atomic uint32_t references;  /* the handle and each watch under way */
};

static void release_completions(ps_completions *completions)
{
    /* Pairs with the other releases. */
    if (ps__sub_acq_rel(&completions->references, 1) != 1)
        return;
    ps__lock_take(&completions->engine->lock);
    *completions->link = completions->next;
    if (completions->next != NULL)
        completions->next->link = completions->link;
    ps__unlock(&completions->engine->lock);
    while (completions->first != NULL) {
        watch *next = completions->first->next;
        ps__free(completions->first);
        completions->first = next;
    }
    close(completions->fd);
    ps__free(completions);
}

/* Sets or clears the descriptor. It cannot fail in a way that matters: the count is 0 or 1. */
static void signal_fd(ps_completions *completions, bool set)
{
    uint64_t one = 1;
    ssize_t result;
    do {
        result = set ? write(completions->fd, &one, sizeof one)
                     : read(completions->fd, &one, sizeof one);
    } while (result < 0 && errno == EINTR);
}

static ps_status run_watch(ps_task *self, void *arg)
{
    watch *done = arg;
    ps_completions *completions = done->completions;
    done->status = ps_task_error(self);
    ps__lock_take(&completions->lock);
    if (completions->first == NULL)
        signal_fd(completions, true);
    *completions->last = done;
    completions->last = &done->next;
    ps__unlock(&completions->lock);
    release_completions(completions);
    return PS_OK;
}

ps_status ps_completions_create(ps_engine *engine, ps_completions **out)
{
    ps_status status = ps__engine_check(engine);
    if (status != PS_OK)
        return status;
    if (out == NULL)
        return ps__fail(PS_ERR_ARGUMENT, "ps_completions_create: nowhere to put it");
    ps_completions *completions = ps__calloc(1, sizeof *completions);
    if (completions == NULL)
        return ps__fail(PS_ERR_MEMORY, "no memory for a completion queue");
    completions->fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (completions->fd < 0) {
        int error = errno;
        ps__free(completions);
        return ps__fail(PS_ERR_SYSTEM, "eventfd: %s", strerror(error));
    }
    completions->engine = engine;
    completions->last = &completions->first;
    ps__store(&completions->references, 1);
    ps__lock_take(&engine->lock);
    completions->next = engine->completions;
    completions->link = &engine->completions;
    if (engine->completions != NULL)
        engine->completions->link = &completions->next;
    engine->completions = completions;
    ps__unlock(&engine->lock);
    *out = completions;
    return PS_OK;
}

void ps_completions_destroy(ps_completions *completions)
{
    if (completions != NULL)
        release_completions(completions);
}

int ps_completions_fd(ps_completions *completions)
{
    return completions != NULL ? completions->fd : -1;
}

ps_status ps_completions_watch(ps_completions *completions, ps_var *var, uint64_t tag)
{
    if (completions == NULL || var == NULL)
        return ps__fail(PS_ERR_ARGUMENT, "ps_completions_watch: %s is NULL",
                        var == NULL ? "variable" : "completions");
    if (var->engine != completions->engine)
        return ps__fail(PS_ERR_ARGUMENT, "ps_completions_watch: the variable is another engine's");
    watch *item = ps__calloc(1, sizeof *item);
    if (item == NULL)
        return ps__fail(PS_ERR_MEMORY, "no memory for a watch");
    *item = (watch){.completions = completions, .tag = tag};
    ps__add(&completions->references, 1);
    ps_status status = push_reader(var, run_watch, item, NULL, "watch");
    if (status != PS_OK) {
        ps__free(item);
        release_completions(completions);
    }
    return status;
}

ps_status ps_completions_pop(ps_completions *completions, uint64_t *tag, ps_status *status)
{
    if (completions == NULL || tag == NULL || status == NULL)
        return ps__fail(PS_ERR_ARGUMENT, "ps_completions_pop: an argument is NULL");
    ps__lock_take(&completions->lock);
    watch *item = completions->first;
    if (item != NULL) {
        completions->first = item->next;
        if (item->next == NULL) {
            completions->last = &completions->first;
            signal_fd(completions, false);
        }
    }
    ps__unlock(&completions->lock);
    if (item == NULL)
        return ps__fail(PS_ERR_EMPTY, "no watch has completed");
    *tag = item->tag;
    *status = item->status;
    ps__free(item);
    return PS_OK;
}

/* ---- Fork: with the engine's lock held ------------------------------------------------- */

void ps__completions_fork_prepare(ps_engine *engine)
{
    for (ps_completions *at = engine->completions; at != NULL; at = at->next)
        ps__lock_take(&at->lock);
}

void ps__completions_fork_parent(ps_engine *engine)
{
    for (ps_completions *at = engine->completions; at != NULL; at = at->next)
        ps__unlock(&at->lock);
}

/* Parent and child must not share the count behind the descriptor: the child puts one of its own
 * in the same place. Without a descriptor to be had it shares the parent's, and may wake in vain. */
static void own_fd(ps_completions *completions)
{
    int fresh = eventfd(completions->first != NULL, EFD_CLOEXEC | EFD_NONBLOCK);
    if (fresh < 0)
        return;
    dup3(fresh, completions->fd, O_CLOEXEC);
    close(fresh);
}

void ps__completions_fork_child(ps_engine *engine)
{
    for (ps_completions *at = engine->completions; at != NULL; at = at->next) {
        own_fd(at);
        ps__unlock(&at->lock);
    }
}
