/* Fork: parent and child go on with the same graph.
 *
 * Before the fork every thread stops at a task boundary and all locks are taken. What a thread has
 * taken and not begun it gives back, what it has done it publishes; this holds for threads that
 * help, in waits or because their window is full, as for workers (invariants 8 and 9). A task that
 * has begun and waits for others is helped to its end.
 *
 * In the child only the forking thread is left, and workers start again at the next push or wait.
 * Every unfinished task is then one of these:
 *   - ready, or pending behind one that is: also all that was in others' windows
 *   - left to the holder of a token, or to a device
 *   - in a piece of the forking thread itself, which forked from inside of a task
 *   - failed with PS_ERR_FORKED: its function had not returned after PATIENCE
 * Around such a function the frames tell what is what: the members of the piece before it are done,
 * those after it are given back. */
#include "base/error.h"
#include "base/fork_lock.h"
#include "base/frontend.h"
#include "engine/internal.h"

#define PATIENCE 1000000000 /* ns */

unsigned ps__running_own(const ps_engine *engine)
{
    const ps__thread *thread = ps__thread_current;
    if (thread == NULL)
        return 0;
    unsigned own = thread->joined == engine;
    for (const ps__frame *frame = thread->frame; frame != NULL; frame = frame->below)
        own += frame->engine == engine;
    return own;
}

static void each_engine(void (*fn)(ps_engine *engine))
{
    for (ps_engine *engine = ps__engine_registry(); engine != NULL; engine = engine->next)
        fn(engine);
}

/* ---- Before ---------------------------------------------------------------------------- */

static int64_t give_up_at; /* guarded by the engines' registry lock */

static void start_parking(ps_engine *engine)
{
    ps__lock_take(&engine->lock);
    engine->parking = true;
    ps__unlock(&engine->lock);
}

static void wait_parked(ps_engine *engine)
{
    unsigned own = ps__running_own(engine);
    ps__lock_take(&engine->lock);
    while (engine->running > own && ps__now_ns() < give_up_at) {
        uint32_t value = ps__load(&engine->park_word);
        ps__unlock(&engine->lock);
        ps__threads_poke(2);
        ps__futex_wait(&engine->park_word, value, give_up_at);
        ps__lock_take(&engine->lock);
    }
    ps__unlock(&engine->lock);
}

static void take_locks(ps_engine *engine)
{
    ps__lock_take(&engine->lock);
    ps__completions_fork_prepare(engine);
}

static void device_prepare(ps_device *device)
{
    if (device->table->fork_prepare != NULL)
        device->table->fork_prepare(device);
}

static void prepare(void)
{
    ps__engine_fork_lock();
    give_up_at = ps__now_ns() + PATIENCE;
    each_engine(start_parking);
    ps__threads_poke(2);
    each_engine(wait_parked);
    ps__device_each(device_prepare);
    ps__fork_locks_take();
    each_engine(take_locks);
    ps__threads_lock();
    ps__own_suspend(ps__threads_all());
    ps__memory_fork_prepare();
    ps__errors_fork_prepare();
}

/* ---- After, in both -------------------------------------------------------------------- */

static void unpark(ps_engine *engine)
{
    engine->parking = false;
    ps__park_call(engine);
    if (engine->progress_waiters != 0)
        ps__progress(engine); /* who waits for memory has not given up meanwhile */
    ps__engine_unlock_and_wake(engine, true);
}

static void device_parent(ps_device *device)
{
    if (device->table->fork_parent != NULL)
        device->table->fork_parent(device);
}

static void parent(void)
{
    ps__errors_fork_parent();
    ps__memory_fork_parent();
    ps__own_resume(ps__threads_all());
    ps__threads_unlock();
    each_engine(ps__completions_fork_parent);
    each_engine(unpark);
    ps__fork_locks_give();
    ps__device_each(device_parent);
    ps__engine_fork_unlock();
}

/* ---- In the child ---------------------------------------------------------------------- */

/* The list keeps what this thread itself waits for. */
static void keep_own(ps__waiter **link)
{
    while (*link != NULL) {
        if ((*link)->thread != ps__thread_current)
            *link = (*link)->next;
        else
            link = &(*link)->next;
    }
}

static void forget_waiters(ps_var *var, void *arg)
{
    (void)arg;
    keep_own(&var->waiters);
    if (var->waiters == NULL)
        var->flags &= (uint16_t)~PS__VAR_WAITERS;
}

static void forget_waiter(ps_task *task, void *arg)
{
    (void)arg;
    if (task->waiter != NULL && task->waiter->thread != ps__thread_current)
        task->waiter = NULL;
}

/* Its function may have put something on the device, which nobody asks about any more. */
static void lose_device_task(ps_engine *engine, const ps__thread *gone, ps_task *task)
{
    ps__queue_forget_issuer(task->queue, gone);
    task->flags |= PS__TASK_FIRED;
    engine->failed++;
    ps__graph_complete(engine, NULL, task, PS_ERR_FORKED);
}

/* What a thread held that is not there. Pieces do not depend on each other (invariant 4), so the
 * order of threads and frames is of no importance. */
static void recover_frames(ps__thread *gone, void *arg)
{
    ps_engine *engine = arg;
    for (ps__frame *frame = gone->frame; frame != NULL; frame = frame->below) {
        if (frame->engine != engine)
            continue;
        if (frame->piece != NULL)
            ps__run_recover(engine, gone, frame);
        else
            lose_device_task(engine, gone, frame->task);
    }
}

/* Done, but for the drop of its argument, which another thread may or may not have come to: that
 * is left alone. */
static void recover_completing(ps_task *task, void *arg)
{
    if (task->state != PS__COMPLETING || ps__run_is_finishing(task))
        return;
    ps_engine *engine = arg;
    if (task->queue != NULL && !task->in_flight) /* it was completed by who issued it */
        ps__queue_forget_issuer(task->queue, task->runner);
    engine->failed += task->failure != PS_OK;
    ps__graph_complete(engine, NULL, task, task->failure);
}

static void recover_windows(ps_engine *engine)
{
    for (ps__window *window = ps__load(&engine->windows); window != NULL;
         window = ps__load(&window->next)) {
        if (window->owner == ps__thread_current && window->owner != NULL)
            continue;
        ps__window_flush(window);
        ps__kept_tell(engine, &window->kept);
        window->owner = NULL;
        window->seen_time = 0;
        window->free = NULL; /* its thread may have been in the middle of changing it */
        window->free_count = 0;
    }
}

static uint32_t own_brief(const ps_engine *engine)
{
    uint32_t own = 0;
    if (ps__thread_current != NULL)
        for (const ps__frame *at = ps__thread_current->frame; at != NULL; at = at->below)
            own += at->engine == engine && at->brief;
    return own;
}

static void recover(ps_engine *engine)
{
    ps__thread *self = ps__thread_current;
    bool worker = self != NULL && self->worker;
    engine->workers_present = 0;
    for (size_t i = 0; i < PS_WORKERS_MAX / 64; i++)
        engine->worker_bits[i] = 0;
    if (worker && ps__running_own(engine) != 0) { /* forked inside a task: it goes on as one */
        engine->workers_present = 1;
        engine->worker_bits[(self->id - 1) / 64] |= UINT64_C(1) << (self->id - 1) % 64;
    }
    ps__store(&engine->started, 0);
    ps__store(&engine->forked, 1);
    engine->inherited = ps__load(&engine->sequence);
    engine->tell_left = false;
    engine->watchers = engine->waking = 0;
    engine->sleepers = NULL;
    engine->napping = NULL;
    engine->running = ps__running_own(engine);
    engine->brief = own_brief(engine);
    engine->patient = NULL;
    ps__store(&engine->turns, NULL); /* of threads that are not there; their frames tell the same */
    engine->progress_waiters = 0;
    engine->asleep_in_tasks = 0;
    engine->sleeping_helpers = NULL;
    engine->memory_waiters = NULL;
    keep_own(&engine->all_waiters);
    ps__blocks_each_var(engine, forget_waiters, NULL);
    ps__blocks_each_task(engine, forget_waiter, NULL);
    ps__loops_fork_child(engine, self);
    ps__trace_fork_child(engine);
    ps__threads_each_gone(recover_frames, engine);
    recover_windows(engine);
    ps__blocks_each_task(engine, recover_completing, engine);
}

static void device_child(ps_device *device)
{
    if (device->table->fork_child != NULL)
        device->table->fork_child(device);
}

static void child(void)
{
    ps__memory_fork_child();
    ps__errors_fork_child();
    ps__frontends_fork_child();
    each_engine(recover);
    ps__threads_fork_child();
    ps__own_resume(ps__threads_all());
    ps__threads_unlock();
    each_engine(ps__completions_fork_child);
    each_engine(unpark);
    ps__fork_locks_give();
    ps__device_each(device_child);
    ps__engine_fork_unlock();
}

void ps__fork_install(void)
{
    pthread_atfork(prepare, parent, child);
}
