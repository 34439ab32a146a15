/* Exit: io tasks and what they need run, the rest is dropped.
 *
 * Runs as an exit handler, on the thread that exits. Workers finish the task they are in and take
 * nothing more. No thread is joined and nothing is freed: other handlers may still use handles. */
#include "engine/internal.h"

#include <stdlib.h>

/* All unfinished tasks in sequence order. */
typedef struct roll {
    ps_task **tasks;
    uint64_t *sequences;
    size_t count, capacity;
} roll;

static bool unfinished(const ps_task *task)
{
    return task->state == PS__PENDING || task->state == PS__READY || task->state == PS__TAKEN ||
           task->state == PS__RETURNED || task->state == PS__COMPLETING;
}

static void enter(ps_task *task, void *arg)
{
    roll *all = arg;
    if (unfinished(task) && all->count < all->capacity)
        all->tasks[all->count++] = task;
}

static int older_first(const void *a, const void *b)
{
    uint64_t x = (*(ps_task *const *)a)->sequence, y = (*(ps_task *const *)b)->sequence;
    return x < y ? -1 : x > y;
}

/* Keeps only io tasks and their ancestors. */
static void keep_needed(ps_engine *engine, roll *all)
{
    uint64_t need = ++engine->need;
    for (size_t i = all->count; i-- > 0;) {
        ps_task *task = all->tasks[i];
        task->flags &= (uint16_t)~PS__TASK_NEEDED;
        if (task->kind != PS_IO && !ps__window_is_needed(task, need))
            continue;
        task->flags |= PS__TASK_NEEDED;
        ps__window_need(task, need);
    }
    size_t kept = 0;
    for (size_t i = 0; i < all->count; i++)
        if (all->tasks[i]->flags & PS__TASK_NEEDED)
            all->tasks[kept++] = all->tasks[i];
    all->count = kept;
}

/* Still the task that was entered: a record is used again once it is complete. */
static bool still(const roll *all, size_t i)
{
    return all->tasks[i]->sequence == all->sequences[i] && unfinished(all->tasks[i]);
}

static ps_task *next_to_run(const roll *all)
{
    for (size_t i = 0; i < all->count; i++) {
        ps_task *task = all->tasks[i];
        if (still(all, i) && task->state == PS__READY && task->kind != PS_FRONTEND)
            return task;
    }
    return NULL;
}

/* Some other thread or a device is about to complete one of them. */
static bool one_is_under_way(const roll *all)
{
    for (size_t i = 0; i < all->count; i++) {
        const ps_task *task = all->tasks[i];
        if (still(all, i) && ((task->state == PS__TAKEN && task->runner != ps__thread_current) ||
                              task->state == PS__COMPLETING || task->in_flight))
            return true;
    }
    return false;
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
    ps__run_piece(engine, thread, &piece);
}

/* False: nothing of it could be run. */
static bool run_needed(ps_engine *engine, ps__thread *thread, const roll *all)
{
    bool ran = false;
    for (;;) {
        ps_task *task = next_to_run(all);
        if (task != NULL) {
            run_one(engine, thread, task);
            ran = true;
        } else if (one_is_under_way(all)) {
            ps__progress_wait(engine, -1);
        } else {
            return ran; /* what is left waits for what will not come any more */
        }
    }
}

/* With the engine's lock held: one round over all that is unfinished now. */
static bool run_io(ps_engine *engine, ps__thread *thread)
{
    ps__windows_open(engine);
    size_t capacity = engine->ops;
    roll all = {calloc(capacity, sizeof(ps_task *)), calloc(capacity, sizeof(uint64_t)), 0,
                capacity};
    bool ran = false;
    if (all.tasks != NULL && all.sequences != NULL) {
        ps__blocks_each_task(engine, enter, &all);
        qsort(all.tasks, all.count, sizeof *all.tasks, older_first);
        keep_needed(engine, &all);
        for (size_t i = 0; i < all.count; i++)
            all.sequences[i] = all.tasks[i]->sequence;
        ran = run_needed(engine, thread, &all);
    }
    free(all.tasks);
    free(all.sequences);
    return ran;
}

static void leave(ps_engine *engine, ps__thread *thread)
{
    ps__lock_take(&engine->lock);
    engine->exiting = true;
    while (thread != NULL && engine->io_tasks != 0 && run_io(engine, thread))
        ; /* what ran may have pushed more */
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
