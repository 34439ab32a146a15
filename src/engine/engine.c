/* Engines: creating, destroying, settings, statistics.
 *
 * The struct of an engine is never freed, so that using a destroyed one is an error and not a
 * crash; what it owned is. */
#include "engine/internal.h"

#include "base/environment.h"
#include "base/topology.h"

#define MAX_HELD (UINT64_C(1) << 60)

static ps__lock registry_lock; /* guards the two lists; taken before any engine's lock */
static ps_engine *open_engines;
static ps_engine *closed_engines; /* keeps them reachable */
static ps_engine *default_engine;
static ps__lock default_lock; /* taken before registry_lock */
static pthread_once_t once = PTHREAD_ONCE_INIT;

void ps__engine_registry_lock(void)
{
    ps__lock_take(&registry_lock);
}

void ps__engine_registry_unlock(void)
{
    ps__unlock(&registry_lock);
}

void ps__engine_fork_lock(void)
{
    ps__lock_take(&default_lock);
    ps__lock_take(&registry_lock);
}

void ps__engine_fork_unlock(void)
{
    ps__unlock(&registry_lock);
    ps__unlock(&default_lock);
}

ps_engine *ps__engine_registry(void)
{
    return open_engines;
}

ps_status ps__engine_check_slow(ps_engine *engine)
{
    if (engine == NULL)
        return ps__fail(PS_ERR_ARGUMENT, "engine is NULL");
    return ps__fail(PS_ERR_CLOSED, ps__load(&engine->closed) == 1 ? "the engine was destroyed"
                                                                  : "the process is exiting");
}

/* ---- Settings -------------------------------------------------------------------------- */

static ps_status default_workers(unsigned *workers)
{
    uint64_t count = ps__topology_processors();
    ps_status status = ps__env_count("PENSTOCK_WORKERS", 1, PS_WORKERS_MAX, &count);
    *workers = count > PS_WORKERS_MAX ? PS_WORKERS_MAX : (unsigned)count;
    return status;
}

static ps_status default_mode(ps_mode *mode)
{
    static const char *const words[] = {"async", "sync"};
    unsigned index = 0;
    ps_status status = ps__env_choice("PENSTOCK_ENGINE", words, 2, &index);
    *mode = index == 1 ? PS_MODE_SYNC : PS_MODE_ASYNC;
    return status;
}

static ps_status default_bound(ps_bound *bound)
{
    *bound = (ps_bound){.size = sizeof *bound,
                        .soft_bytes = UINT64_C(48) << 20,
                        .soft_ops_per_worker = 8,
                        .hard_bytes = ps__topology_memory() / 8,
                        .ops = 4096};
    ps_status status = ps__env_bytes("PENSTOCK_QUEUE_SOFT_BYTES", &bound->soft_bytes);
    if (status == PS_OK)
        status = ps__env_bytes("PENSTOCK_QUEUE_BYTES", &bound->hard_bytes);
    if (status == PS_OK)
        status = ps__env_count("PENSTOCK_QUEUE_OPS", 1, UINT64_C(1) << 40, &bound->ops);
    return status;
}

static ps_status check_workers(unsigned workers)
{
    if (workers > PS_WORKERS_MAX)
        return ps__fail(PS_ERR_ARGUMENT, "%u workers: at most %u", workers, PS_WORKERS_MAX);
    return PS_OK;
}

static ps_status configure(ps_engine *engine, const ps_engine_options *given)
{
    ps_engine_options options;
    engine->processors = ps__topology_processors();
    unsigned workers = 0;
    ps_status status = default_workers(&workers);
    ps__store(&engine->workers_wanted, workers); /* nobody else knows the engine yet */
    if (status == PS_OK)
        status = default_mode(&engine->mode);
    if (status == PS_OK)
        status = default_bound(&engine->bound);
    if (status != PS_OK || given == NULL)
        return status;
    status = ps__sized_read("ps_engine_create: options", &options, sizeof options, given,
                            PS__SIZE_TO(ps_engine_options, workers));
    if (status != PS_OK)
        return status;
    if ((unsigned)options.mode > PS_MODE_SYNC)
        return ps__fail(PS_ERR_ARGUMENT, "ps_engine_create: %d is no mode", (int)options.mode);
    if (options.workers != 0)
        ps__store(&engine->workers_wanted, options.workers); /* likewise */
    if (options.mode != PS_MODE_DEFAULT)
        engine->mode = options.mode;
    return check_workers(options.workers);
}

/* ---- Creating and destroying ----------------------------------------------------------- */

/* Under the lock: exact for what the calling thread did. */
static uint64_t bytes_counted(ps_engine *engine)
{
    if (ps__thread_current != NULL)
        ps__kept_tell_own(engine, ps__thread_current);
    return ps__bytes_counted(engine);
}

/* Of all engines, for the statistics of memory. */
static uint64_t queued_bytes(void)
{
    uint64_t bytes = 0;
    ps__lock_take(&registry_lock);
    for (ps_engine *engine = open_engines; engine != NULL; engine = engine->next) {
        ps__lock_take(&engine->lock);
        bytes += bytes_counted(engine);
        ps__unlock(&engine->lock);
    }
    ps__unlock(&registry_lock);
    return bytes;
}

static void install_once(void)
{
    ps__fork_install();
    ps__exit_install();
    ps__memory_set_wait(ps__memory_wait);
    ps__memory_set_queued(queued_bytes);
}

static ps_status create(const ps_engine_options *options, ps_engine **out)
{
    pthread_once(&once, install_once);
    ps_engine *engine = ps__calloc_aligned(64, sizeof *engine);
    if (engine == NULL)
        return ps__fail(PS_ERR_MEMORY, "no memory for an engine");
    ps_status status = configure(engine, options);
    if (status != PS_OK) {
        ps__free(engine);
        return status;
    }
    engine->releases_tail = &engine->releases;
    ps__lock_take(&registry_lock);
    engine->next = open_engines;
    open_engines = engine;
    ps__unlock(&registry_lock);
    *out = engine;
    return PS_OK;
}

ps_status ps_engine_create(const ps_engine_options *options, ps_engine **engine)
{
    if (engine == NULL)
        return ps__fail(PS_ERR_ARGUMENT, "ps_engine_create: nowhere to put the engine");
    return create(options, engine);
}

ps_status ps_engine_default(ps_engine **engine)
{
    if (engine == NULL)
        return ps__fail(PS_ERR_ARGUMENT, "ps_engine_default: nowhere to put the engine");
    ps_status status = PS_OK;
    ps__lock_take(&default_lock);
    if (default_engine == NULL) {
        status = create(NULL, &default_engine);
        if (status == PS_OK)
            default_engine->is_default = true;
    }
    *engine = default_engine;
    ps__unlock(&default_lock);
    return status;
}

ps_engine *ps__engine_default_if_any(void)
{
    ps__lock_take(&default_lock);
    ps_engine *engine = default_engine;
    ps__unlock(&default_lock);
    return engine;
}

static void close_registry(ps_engine *engine)
{
    ps__lock_take(&registry_lock);
    ps_engine **link = &open_engines;
    while (*link != engine)
        link = &(*link)->next;
    *link = engine->next;
    engine->next = closed_engines;
    closed_engines = engine;
    ps__unlock(&registry_lock);
}

static void forget_error(ps_var *var, void *arg)
{
    (void)arg;
    ps__store(&var->error, NULL);
}

static void free_message(ps_task *task, void *arg)
{
    (void)arg;
    if (task->state == PS__ERROR) {
        ps__free(task->message);
        task->message = NULL;
    }
}

/* Windows without an owner go; the others are freed by their owners, who see `closed`. */
static void free_windows(ps_engine *engine)
{
    _Atomic(ps__window *) *link = &engine->windows;
    for (ps__window *window; (window = ps__load(link)) != NULL;) {
        if (window->owner != NULL) {
            link = &window->next;
            continue;
        }
        ps__store(link, ps__load(&window->next));
        ps__free(window);
    }
}

/* The engine is closed, its workers are gone. */
static void free_contents(ps_engine *engine)
{
    ps__lock_take(&engine->lock);
    ps__blocks_each_task(engine, free_message, NULL);
    ps__blocks_each_var(engine, forget_error, NULL);
    engine->unseen = NULL;
    engine->emptied = true;
    free_windows(engine);
    ps__blocks_destroy(engine);
    ps__unlock(&engine->lock);
    ps__trace_destroy(engine);
}

/* True when this call closed it; false: somebody pushed meanwhile. */
static bool close_idle(ps_engine *engine)
{
    ps__lock_take(&engine->lock);
    bool idle = engine->ops == 0;
    if (idle) {
        ps__store_release(&engine->closed, 1);
        engine->stopping = true;
    }
    ps__unlock(&engine->lock);
    return idle;
}

static void stop_workers(ps_engine *engine)
{
    ps__workers_set(engine, 0);
    ps__lock_take(&engine->lock);
    while (engine->workers_present != 0)
        ps__progress_wait(engine, -1);
    ps__unlock(&engine->lock);
}

ps_status ps_engine_destroy(ps_engine *engine)
{
    if (engine == NULL)
        return PS_OK;
    ps_status status = ps__engine_check(engine);
    if (status != PS_OK)
        return status;
    if (engine->is_default)
        return ps__fail(PS_ERR_STATE, "the default engine is not destroyed");
    ps__thread *thread = ps__thread_get();
    if (thread == NULL)
        return ps__fail(PS_ERR_MEMORY, "no memory for the state of this thread");
    if (thread->frame != NULL || thread->loops != 0 || thread->callback)
        return ps__fail(PS_ERR_STATE, "an engine cannot be destroyed from inside a task");
    do {
        status = ps__drain(engine, thread);
        if (status == PS_ERR_DEADLOCK)
            return ps__fail(status, "tasks are left that wait for a completion call");
        if (status != PS_OK)
            return status;
    } while (!close_idle(engine));
    stop_workers(engine);
    close_registry(engine);
    free_contents(engine);
    return PS_OK;
}

/* ---- Asking and setting ---------------------------------------------------------------- */

ps_status ps_engine_workers(ps_engine *engine, unsigned *workers)
{
    ps_status status = ps__engine_check(engine);
    if (status != PS_OK)
        return status;
    if (workers == NULL)
        return ps__fail(PS_ERR_ARGUMENT, "ps_engine_workers: workers is NULL");
    *workers = ps__load(&engine->workers_wanted); /* a number by itself */
    return PS_OK;
}

ps_status ps_engine_set_workers(ps_engine *engine, unsigned workers)
{
    ps_status status = ps__engine_check(engine);
    if (status == PS_OK)
        status = check_workers(workers);
    if (status == PS_OK && workers == 0)
        status = default_workers(&workers);
    return status == PS_OK ? ps__workers_set(engine, workers) : status;
}

ps_status ps_engine_bound(ps_engine *engine, ps_bound *bound)
{
    ps_status status = ps__engine_check(engine);
    if (status != PS_OK)
        return status;
    ps__lock_take(&engine->lock);
    ps_bound full = engine->bound;
    ps__unlock(&engine->lock);
    return ps__sized_write("ps_engine_bound: bound", bound, &full, sizeof full);
}

ps_status ps_engine_set_bound(ps_engine *engine, const ps_bound *given)
{
    ps_bound bound;
    ps_status status = ps__engine_check(engine);
    if (status == PS_OK)
        status = ps__sized_read("ps_engine_set_bound: bound", &bound, sizeof bound, given,
                                PS__SIZE_TO(ps_bound, ops));
    if (status != PS_OK)
        return status;
    if (bound.ops == 0)
        return ps__fail(PS_ERR_ARGUMENT, "ps_engine_set_bound: ops is 0");
    ps__lock_take(&engine->lock);
    engine->bound = bound;
    ps__store(&engine->over, ps__engine_over(engine));
    ps__progress(engine);
    ps__unlock(&engine->lock);
    return PS_OK;
}

ps_status ps_engine_hold_bytes(ps_engine *engine, int64_t delta)
{
    ps_status status = ps__engine_check(engine);
    if (status != PS_OK)
        return status;
    ps__lock_take(&engine->lock);
    bool fits = delta >= 0 ? engine->held_bytes + (uint64_t)delta <= MAX_HELD
                           : engine->held_bytes >= -(uint64_t)delta;
    if (fits) {
        engine->held_bytes += (uint64_t)delta;
        engine->bytes += (uint64_t)delta;
        ps__store(&engine->over, ps__engine_over(engine));
        if (delta < 0 && engine->progress_waiters != 0)
            ps__progress(engine);
    }
    ps__unlock(&engine->lock);
    return fits ? PS_OK
                : ps__fail(PS_ERR_ARGUMENT, "ps_engine_hold_bytes: %s",
                           delta < 0 ? "fewer bytes are held" : "more than any memory");
}

static void done_at_once(uint64_t *workers, uint64_t *others)
{
    ps__threads_lock();
    *workers = ps__own_done(ps__threads_all(), true);
    *others = ps__own_done(ps__threads_all(), false);
    ps__threads_unlock();
}

ps_status ps_engine_get_stats(ps_engine *engine, ps_engine_stats *stats)
{
    ps_status status = ps__engine_check(engine);
    if (status != PS_OK)
        return status;
    uint64_t workers = 0, others = 0; /* done at the call without a number */
    if (engine->is_default)
        done_at_once(&workers, &others);
    ps__lock_take(&engine->lock);
    ps_engine_stats full = {.pushed = ps__load(&engine->sequence) + workers + others,
                            .executed = engine->executed + workers + others,
                            .skipped = engine->skipped,
                            .failed = engine->failed,
                            .unfinished = engine->ops,
                            .queued_bytes = bytes_counted(engine),
                            .held_back = engine->held_back,
                            .helped = engine->helped + others,
                            .groups = engine->groups,
                            .wakes = engine->wakes,
                            .released_issued = engine->released_issued,
                            .device_round_trips = engine->device_round_trips,
                            .unseen_errors = engine->unseen_failures};
    ps__unlock(&engine->lock);
    return ps__sized_write("ps_engine_get_stats: stats", stats, &full, sizeof full);
}

ps_status ps__engine_set_grouping(ps_engine *engine, ps__grouping_fn grouping, void *context)
{
    ps_status status = ps__engine_check(engine);
    if (status != PS_OK)
        return status;
    ps__lock_take(&engine->lock);
    engine->grouping_context = context;
    engine->grouping = grouping;
    ps__unlock(&engine->lock);
    return PS_OK;
}
