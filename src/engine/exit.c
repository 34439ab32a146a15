/* The end of a program: what must still run runs, the rest is dropped and counted.
 *
 * What runs, each with what it needs, that is with the unfinished tasks before it that it conflicts
 * with, directly or by way of others:
 *   - io tasks, whatever they cost;
 *   - tasks that can fail (PS_TASK_CAN_FAIL), as far as that is cheap, so that their errors are not
 *     lost: those that need nothing dear, oldest first, up to CHECKS_NS in all;
 *   - everything, if all of it together costs no more than ALL_NS: then nothing is dropped.
 * Costs are the estimates that tasks were pushed with. Dear is what costs more than CHECKS_NS, what
 * has no estimate, and what others must end: a device, a completion call, a frontend.
 *
 * The thread that ends the program runs it, so it ends although workers are stuck. What a worker is
 * inside of already is waited for: io for ever, the others for WAIT_NS, in case an estimate was wrong.
 *
 * A frontend asks for this while it can still report (ps_engine_leave), with the engine open. When
 * the process exits it is done once more by a handler, on the thread that exits; workers then finish
 * the task that they are in and take nothing more. No thread is joined and nothing is freed: other
 * handlers may still use handles. */
#include "engine/internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define CHECKS_NS 20000000u
#define ALL_NS 5000000u
#define WAIT_NS INT64_C(5000000000)

typedef enum fate {
    DROPPED,
    CHECKED, /* runs because it, or what needs it, can fail */
    NEEDED   /* runs because it is io, or io needs it */
} fate;

typedef struct entry {
    ps_task *task;
    uint64_t sequence; /* the record is used again, with another number, once this is complete */
    fate fate;
    bool dear;
} entry;

/* All unfinished tasks in sequence order. */
typedef struct roll {
    entry *entries;
    size_t count, capacity;
} roll;

static bool unfinished(const ps_task *task)
{
    return task->state != PS__FREE && task->state != PS__ERROR;
}

/* ---- What to run ------------------------------------------------------------------------- */

static void enter(ps_task *task, void *arg)
{
    roll *all = arg;
    if (unfinished(task) && all->count < all->capacity)
        all->entries[all->count++] = (entry){.task = task, .sequence = task->sequence};
}

static int older_first(const void *a, const void *b)
{
    uint64_t x = ((const entry *)a)->sequence, y = ((const entry *)b)->sequence;
    return x < y ? -1 : x > y;
}

/* The parent of this process has it too, and tells. */
static bool is_inherited(const ps_task *task)
{
    return task->sequence <= task->engine->inherited;
}

static bool is_dear(const ps_task *task)
{
    return task->cost == 0 || task->cost > CHECKS_NS || task->queue != NULL ||
           task->kind == PS_FRONTEND || (task->flags & PS__TASK_CALLBACK) ||
           task->state == PS__RETURNED || is_inherited(task) ||
           (task->state == PS__TAKEN && task->runner == ps__thread_current);
}

/* What needs something dear is dear; what is left needs nothing but what is left. Returns what all
 * of it costs, CHECKS_NS and more if something is dear. */
static uint64_t find_dear(ps_engine *engine, roll *all)
{
    uint64_t need = ++engine->need, cost = 0;
    for (size_t i = 0; i < all->count; i++) {
        entry *e = &all->entries[i];
        e->dear = is_dear(e->task) || ps__window_is_needed(e->task, need);
        cost += e->dear ? CHECKS_NS : e->task->cost;
        if (e->dear)
            ps__window_need(e->task, need);
    }
    return cost;
}

static bool is_io(const entry *e)
{
    return e->task->kind == PS_IO;
}

static bool can_fail(const entry *e)
{
    return !e->dear && (e->task->flags & PS_TASK_CAN_FAIL);
}

static bool any(const entry *e)
{
    (void)e;
    return true;
}

/* Those that fit, and what they need. */
static void keep(ps_engine *engine, roll *all, bool (*fits)(const entry *e), fate why)
{
    uint64_t need = ++engine->need;
    for (size_t i = all->count; i-- > 0;) {
        entry *e = &all->entries[i];
        if (!fits(e) && !ps__window_is_needed(e->task, need))
            continue;
        e->fate = e->fate > why ? e->fate : why;
        ps__window_need(e->task, need);
    }
}

/* The oldest up to CHECKS_NS: what they need is older still. Drops the entries that are not kept. */
static void cut(roll *all)
{
    uint64_t cost = 0;
    size_t kept = 0;
    for (size_t i = 0; i < all->count; i++) {
        entry *e = &all->entries[i];
        if (e->fate == CHECKED && (cost += e->task->cost) > CHECKS_NS)
            e->fate = DROPPED;
        if (e->fate != DROPPED)
            all->entries[kept++] = *e;
    }
    all->count = kept;
}

static void choose(ps_engine *engine, roll *all, bool checks)
{
    keep(engine, all, is_io, NEEDED);
    if (checks) {
        uint64_t cost = find_dear(engine, all);
        keep(engine, all, cost <= ALL_NS ? any : can_fail, CHECKED);
    }
    cut(all);
}

/* ---- Running it -------------------------------------------------------------------------- */

static bool still(const entry *e)
{
    return e->task->sequence == e->sequence && unfinished(e->task);
}

/* Some other thread or a device is about to complete it. */
static bool is_under_way(const ps_task *task)
{
    return (task->state == PS__TAKEN && task->runner != ps__thread_current) ||
           task->state == PS__COMPLETING || task->in_flight;
}

static void run_one(ps_engine *engine, ps__thread *thread, ps_task *task)
{
    if (engine->parking) {
        ps__park_wait(engine); /* another thread forks; then it is looked for again */
        return;
    }
    if (task->queue != NULL) {
        if (!ps__queue_issue_ready(engine, thread, task))
            ps__progress_wait(engine, -1); /* for who issues from it */
        return;
    }
    ps__piece piece = {.tasks = {task}, .count = 1};
    ps__ready_remove(&engine->ready, task);
    ps__hint_update(engine);
    task->state = PS__TAKEN;
    ps__run_piece(engine, thread, &piece, NULL);
}

/* Runs, in order, what can be run; what each one needs comes before it. Says what it found under
 * way in the hands of others. False: nothing could be run. */
static bool run_through(ps_engine *engine, ps__thread *thread, const roll *all, fate *under_way)
{
    bool ran = false;
    *under_way = DROPPED;
    for (size_t i = 0; i < all->count; i++) {
        const entry *e = &all->entries[i];
        if (engine->parking)
            ps__park_wait(engine);
        if (!still(e))
            continue;
        if (e->task->state == PS__READY && e->task->kind != PS_FRONTEND) {
            run_one(engine, thread, e->task);
            ran = true;
        } else if (is_under_way(e->task) && e->fate > *under_way) {
            *under_way = e->fate;
        }
    }
    return ran;
}

/* Until it is done, or what is left waits for what will not come any more. False: none was run. */
static bool run_kept(ps_engine *engine, ps__thread *thread, const roll *all)
{
    bool ran = false;
    int64_t patience = ps__now_ns() + WAIT_NS;
    for (fate under_way;;) {
        if (run_through(engine, thread, all, &under_way)) {
            ran = true;
        } else if (under_way == NEEDED) {
            ps__progress_wait(engine, -1);
        } else if (under_way == CHECKED && ps__now_ns() < patience) {
            ps__progress_wait(engine, patience);
        } else {
            return ran;
        }
    }
}

/* With the engine's lock held: one round over all that is unfinished now. */
static ps_status run_round(ps_engine *engine, ps__thread *thread, bool checks, bool *ran)
{
    ps__windows_flush(engine);
    *ran = false;
    roll all = {.capacity = engine->ops};
    if (engine->ops == 0)
        return PS_OK;
    all.entries = ps__calloc(all.capacity, sizeof *all.entries);
    if (all.entries == NULL)
        return ps__fail(PS_ERR_MEMORY, "no memory to look at %zu tasks", all.capacity);
    ps__blocks_each_task(engine, enter, &all);
    qsort(all.entries, all.count, sizeof *all.entries, older_first);
    choose(engine, &all, checks);
    *ran = run_kept(engine, thread, &all);
    ps__free(all.entries);
    return PS_OK;
}

/* With the lock held. What ran may have pushed more io. */
static ps_status run_last(ps_engine *engine, ps__thread *thread)
{
    bool ran;
    ps_status status = run_round(engine, thread, true, &ran);
    while (status == PS_OK && ran && engine->io_tasks != 0)
        status = run_round(engine, thread, false, &ran);
    engine->tell_left = true;
    return status;
}

/* ---- What is left ------------------------------------------------------------------------ */

typedef struct leftover {
    uint64_t count;
    const ps_task *oldest;
} leftover;

static void count_left(ps_task *task, void *arg)
{
    leftover *left = arg;
    if (!unfinished(task) || (task->flags & PS__TASK_PASSIVE) || is_inherited(task))
        return;
    left->count++;
    if (left->oldest == NULL || task->sequence < left->oldest->sequence)
        left->oldest = task;
}

ps_status ps__exit_tell_left(ps_engine *engine)
{
    leftover left = {0};
    if (!engine->tell_left)
        return PS_OK;
    engine->tell_left = false;
    ps__blocks_each_task(engine, count_left, &left);
    if (left.count == 0)
        return PS_OK;
    char text[128] = "1 operation that nobody waited for is dropped";
    if (left.count > 1)
        snprintf(text, sizeof text,
                 "%" PRIu64
                 " operations that nobody waited for are dropped, the first of them here",
                 left.count);
    return ps__fail_info(&(ps_error_info){
        .size = sizeof(ps_error_info),
        .status = PS_ERR_DROPPED,
        .sequence = left.oldest->sequence,
        .operation = left.oldest->name != NULL ? left.oldest->name : "task",
        .location = left.oldest->location,
        .message = text,
        .more = left.count - 1,
    });
}

/* ---- Leaving ----------------------------------------------------------------------------- */

ps_status ps_engine_leave(ps_engine *engine)
{
    ps_status status = ps__engine_check(engine);
    if (status != PS_OK)
        return status;
    ps__thread *thread = ps__thread_get();
    if (thread == NULL)
        return ps__fail(PS_ERR_MEMORY, "no memory for the state of this thread");
    if (thread->frame != NULL || thread->loops != 0 || thread->callback)
        return ps__fail(PS_ERR_STATE, "ps_engine_leave: called inside a task");
    const ps_hooks *hooks = thread->hooks;
    if (hooks != NULL && hooks->unlock != NULL)
        hooks->unlock(hooks->state);
    ps__lock_take(&engine->lock);
    status = run_last(engine, thread);
    ps__engine_unlock_and_wake(engine, false);
    if (hooks != NULL && hooks->relock != NULL)
        hooks->relock(hooks->state);
    return status;
}

/* Memory that is out now can be told to nobody; what did not run for want of it is counted. */
static void leave(ps_engine *engine, ps__thread *thread)
{
    ps__lock_take(&engine->lock);
    engine->exiting = true;
    if (thread != NULL)
        (void)run_last(engine, thread);
    engine->tell_left = true;
    ps__store_release(&engine->closed, 2);
    ps__unlock(&engine->lock);
}

/* Engines are never freed, and tasks that run now may make new ones. */
static ps_engine *next_open(void)
{
    ps__engine_registry_lock();
    ps_engine *engine = ps__engine_registry();
    while (engine != NULL && ps__load(&engine->closed) != 0)
        engine = engine->next;
    ps__engine_registry_unlock();
    return engine;
}

static void at_exit(void)
{
    ps__thread *thread = ps__thread_get();
    for (ps_engine *engine; (engine = next_open()) != NULL;)
        leave(engine, thread);
}

void ps__exit_install(void)
{
    atexit(at_exit);
}
