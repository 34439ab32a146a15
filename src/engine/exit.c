/* Exit: io tasks and what they need run, the rest is dropped.
 *
 * Runs as an exit handler, on the thread that exits. Workers finish the task they are in and take
 * nothing more. No thread is joined and nothing is freed: other handlers may still use handles. */
#include "engine/internal.h"

#include <stdlib.h>

/* All unfinished tasks in sequence order. */
typedef struct roll {
    ps_task **tasks;
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

static ps_task *next_to_run(const roll *all, const uint64_t *sequences)
{
    for (size_t i = 0; i < all->count; i++) {
        ps_task *task = all->tasks[i];
        if (task->sequence == sequences[i] && task->state == PS__READY &&
            task->kind != PS_FRONTEND && task->queue == NULL)
            return task;
    }
    return NULL;
}

static void run_one(ps_engine *engine, ps__thread *thread, ps_task *task)
{
    ps__piece piece = {.tasks = {task}, .count = 1};
    ps__ready_remove(&engine->ready, task);
    ps__hint_update(engine);
    task->state = PS__TAKEN;
    ps__run_piece(engine, thread, &piece);
}

static void run_needed(ps_engine *engine, ps__thread *thread, const roll *all,
                       const uint64_t *sequences)
{
    unsigned own = ps__running_own(engine);
    while (engine->io_tasks != 0) {
        ps_task *task = next_to_run(all, sequences);
        if (task != NULL)
            run_one(engine, thread, task);
        else if (engine->lanes != NULL)
            ps__queue_run_lane(engine, thread);
        else if (engine->running > own || engine->in_flight != 0)
            ps__progress_wait(engine, -1);
        else
            return; /* what is left waits for a completion call that will not come */
    }
}

/* With the engine's lock held. */
static void run_io(ps_engine *engine, ps__thread *thread)
{
    for (ps__window *window = ps__load(&engine->windows); window != NULL;
         window = ps__load(&window->next))
        ps__window_flush(window);
    size_t capacity = engine->ops;
    roll all = {calloc(capacity, sizeof(ps_task *)), 0, capacity};
    uint64_t *sequences = calloc(capacity, sizeof *sequences);
    if (all.tasks != NULL && sequences != NULL) {
        ps__blocks_each_task(engine, enter, &all);
        qsort(all.tasks, all.count, sizeof *all.tasks, older_first);
        keep_needed(engine, &all);
        for (size_t i = 0; i < all.count; i++)
            sequences[i] = all.tasks[i]->sequence;
        run_needed(engine, thread, &all, sequences);
    }
    free(all.tasks);
    free(sequences);
}

static void leave(ps_engine *engine, ps__thread *thread)
{
    ps__lock_take(&engine->lock);
    engine->exiting = true;
    if (engine->io_tasks != 0 && thread != NULL)
        run_io(engine, thread);
    ps__store_release(&engine->closed, 2);
    ps__unlock(&engine->lock);
}

static void at_exit(void)
{
    ps__thread *thread = ps__thread_get();
    ps__engine_registry_lock();
    for (ps_engine *engine = ps__engine_registry(); engine != NULL; engine = engine->next)
        leave(engine, thread);
    ps__engine_registry_unlock();
}

void ps__exit_install(void)
{
    atexit(at_exit);
}
