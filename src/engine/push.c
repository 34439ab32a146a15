/* Queueing a task: check, fill in a record, register it under the lock. */
#include "engine/capture.h"
#include "engine/internal.h"

#define MAX_ACCESSES (1u << 20)
#define MAX_BYTES (UINT64_C(1) << 60)
#define PUBLIC_FLAGS (PS_TASK_FUSABLE | PS_TASK_FRONTEND_ARG | PS_TASK_ALWAYS | PS_TASK_CAN_FAIL)

/* ---- Checking -------------------------------------------------------------------------- */

static ps_status check_vars(ps_engine *engine, const char *set, ps_var *const *vars, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (PS_UNLIKELY(vars[i] == NULL))
            return ps__fail(PS_ERR_ARGUMENT, "ps_push: %s[%zu] is NULL", set, i);
        PS_ASSERT(vars[i]->magic == PS__VAR_MAGIC);
        if (PS_UNLIKELY(vars[i]->engine != engine))
            return ps__fail(PS_ERR_ARGUMENT, "ps_push: %s[%zu] belongs to another engine", set, i);
    }
    return PS_OK;
}

static ps_status explain_bad_spec(const ps_task_spec *spec)
{
    if (spec->run == NULL)
        return ps__fail(PS_ERR_ARGUMENT, "ps_push: spec.run is NULL");
    if (spec->kind > PS_FRONTEND)
        return ps__fail(PS_ERR_ARGUMENT, "ps_push: spec.kind is %u, which is no kind",
                        (unsigned)spec->kind);
    if (spec->flags & ~(uint64_t)PUBLIC_FLAGS)
        return ps__fail(PS_ERR_ARGUMENT, "ps_push: spec.flags has unknown bits: 0x%llx",
                        (unsigned long long)spec->flags);
    if (spec->nreads > MAX_ACCESSES || spec->nwrites > MAX_ACCESSES)
        return ps__fail(PS_ERR_ARGUMENT, "ps_push: %zu reads and %zu writes, at most %u of each",
                        spec->nreads, spec->nwrites, MAX_ACCESSES);
    if (spec->bytes > MAX_BYTES)
        return ps__fail(PS_ERR_ARGUMENT, "ps_push: spec.bytes is %llu, more than any memory",
                        (unsigned long long)spec->bytes);
    return ps__fail(PS_ERR_ARGUMENT, "ps_push: spec.%s is NULL but its count is not 0",
                    spec->nreads != 0 && spec->reads == NULL ? "reads" : "writes");
}

static inline bool bad_spec(const ps_task_spec *spec)
{
    return spec == NULL || spec->size != sizeof *spec || spec->run == NULL ||
           spec->kind > PS_FRONTEND || (spec->flags & ~(uint64_t)PUBLIC_FLAGS) ||
           spec->nreads > MAX_ACCESSES || spec->nwrites > MAX_ACCESSES || spec->bytes > MAX_BYTES ||
           (spec->nreads != 0 && spec->reads == NULL) ||
           (spec->nwrites != 0 && spec->writes == NULL);
}

/* ---- Filling in ------------------------------------------------------------------------ */

static inline void add_inline(ps_task *task, ps_var *var, uintptr_t flags)
{
    for (uint32_t i = 0; i < task->accesses; i++) {
        ps__access *access = &task->inline_accesses[i];
        if (PS_UNLIKELY(ps__access_var(access) == var)) {
            if ((access->bits & PS__ACCESS_WRITE) && !(flags & PS__ACCESS_WRITE))
                access->bits |= PS__ACCESS_READS;
            return;
        }
    }
    task->inline_accesses[task->accesses++].bits = (uintptr_t)var | flags;
}

static bool add_extras(ps_engine *engine, ps_task *task, size_t total)
{
    ps__extra **link = &task->extra;
    size_t have = PS__INLINE_ACCESSES;
    ps__lock_take(&engine->lock);
    while (have < total && (*link = ps__extra_new_locked(engine)) != NULL) {
        (*link)->owner = task;
        (*link)->next = NULL;
        link = &(*link)->next;
        have += PS__EXTRA_ACCESSES;
    }
    ps__unlock(&engine->lock);
    return have >= total;
}

/* More than fit into the record; duplicates are found when they are registered. */
static void fill_many(ps_task *task, const ps_task_spec *spec)
{
    task->accesses = (uint32_t)(spec->nreads + spec->nwrites);
    ps__walk walk = ps__walk_begin(task);
    for (size_t i = 0; i < spec->nwrites; i++)
        ps__walk_next(&walk)->bits = (uintptr_t)spec->writes[i] | PS__ACCESS_WRITE;
    for (size_t i = 0; i < spec->nreads; i++)
        ps__walk_next(&walk)->bits = (uintptr_t)spec->reads[i];
}

static void discard(ps_engine *engine, ps__window *window, ps_task *task)
{
    ps__lock_take(&engine->lock);
    ps__graph_free_extras(engine, task);
    ps__free(task->release);
    task->release = NULL;
    ps__record_free(engine, window, task);
    ps__unlock(&engine->lock);
}

/* A device task needs room on each variable to note what is issued. */
static bool prepare_device(ps_engine *engine, ps_task *task)
{
    ps__walk walk = ps__walk_begin(task);
    for (ps__access *access; (access = ps__walk_next(&walk)) != NULL;) {
        ps_var *var = ps__access_var(access);
        ps__issued *issued = ps__calloc(1, sizeof *issued);
        if (issued == NULL)
            return false;
        ps__lock_take(&engine->lock);
        if (var->issued == NULL) {
            var->issued = issued;
            var->flags |= PS__VAR_DEVICE;
            issued = NULL;
        }
        ps__unlock(&engine->lock);
        ps__free(issued);
    }
    return true;
}

/* The variables of a captured task are known only under the lock: as many records as there can be
 * variables are made before, and what is left of them is freed after. */
static bool make_spares(ps__capture *capture)
{
    for (size_t i = 0; i < capture->most; i++) {
        ps__issued *issued = ps__calloc(1, sizeof *issued);
        if (issued == NULL)
            return false;
        issued->next = capture->spares;
        capture->spares = issued;
    }
    return true;
}

/* Under the lock. */
static void attach_spares(ps_task *task, ps__capture *capture)
{
    ps__walk walk = ps__walk_begin(task);
    for (ps__access *access; (access = ps__walk_next(&walk)) != NULL;) {
        ps_var *var = ps__access_var(access);
        if (var->issued != NULL)
            continue;
        var->issued = capture->spares;
        var->flags |= PS__VAR_DEVICE;
        capture->spares = var->issued->next;
    }
}

static void free_spares(ps__capture *capture)
{
    while (capture->spares != NULL) {
        ps__issued *issued = capture->spares;
        capture->spares = issued->next;
        ps__free(issued);
    }
}

static bool prepare_rare(ps_engine *engine, ps__thread *thread, ps_task *task,
                         const ps_task_spec *spec, ps__capture *capture)
{
    if (spec->flags & PS_TASK_FRONTEND_ARG) {
        ps__release *release = ps__calloc(1, sizeof *release);
        if (release == NULL)
            return false;
        *release = (ps__release){.arg = spec->arg, .drop = spec->drop};
        if (thread->hooks != NULL) {
            release->pending = thread->hooks->releases_pending;
            release->state = thread->hooks->state;
        }
        task->release = release;
    }
    if (spec->queue != NULL) {
        task->flags |= PS__TASK_DEFERRED;
        return capture != NULL ? make_spares(capture) : prepare_device(engine, task);
    }
    return true;
}

static inline ps_task *fill(ps_engine *engine, ps__thread *thread, ps__window *window,
                            const ps_task_spec *spec, uint16_t flags, ps__capture *capture)
{
    ps_task *task = ps__record_new(window);
    if (PS_UNLIKELY(task == NULL))
        return NULL;
    ps__virtual_push(task);
    task->owner = task;
    task->run = spec->run;
    task->arg = spec->arg;
    task->drop = spec->drop;
    task->error = NULL;
    task->waiting = 0;
    task->accesses = 0;
    task->flags = (uint16_t)(spec->flags | flags);
    task->kind = spec->kind;
    task->cost = spec->cost_ns < UINT32_MAX ? (uint32_t)spec->cost_ns : UINT32_MAX;
    task->priority = spec->priority;
    task->bytes = spec->bytes;
    task->queue = spec->queue;
    task->name = spec->name;
    task->location = spec->location;
    task->engine = engine;
    size_t total = capture == NULL ? spec->nreads + spec->nwrites : capture->most;
    if (PS_LIKELY(total <= PS__INLINE_ACCESSES)) {
        for (size_t i = 0; i < spec->nwrites; i++)
            add_inline(task, spec->writes[i], PS__ACCESS_WRITE);
        for (size_t i = 0; i < spec->nreads; i++)
            add_inline(task, spec->reads[i], 0);
    } else if (add_extras(engine, task, total)) {
        fill_many(task, spec);
    } else {
        discard(engine, window, task);
        return NULL;
    }
    if (PS_UNLIKELY(spec->queue != NULL || (spec->flags & PS_TASK_FRONTEND_ARG)) &&
        !prepare_rare(engine, thread, task, spec, capture)) {
        discard(engine, window, task);
        return NULL;
    }
    return task;
}

/* ---- Queueing -------------------------------------------------------------------------- */

/* What does not gain from waiting for its neighbours goes straight to the workers. */
static inline bool goes_direct(const ps_task *task)
{
    if (task->kind >= PS_IO || task->priority != 0 || task->queue != NULL ||
        (task->flags & (PS__TASK_CALLBACK | PS__TASK_FENCE)))
        return true;
    return ps__task_cost(task) >= PS__COST_DIRECT && !(task->flags & PS_TASK_FUSABLE);
}

/* Its owner runs what is in the window, until `keep` tasks are left, but for what would take it for
 * long. If a fork begins meanwhile the rest is left to others. */
static void run_window(ps_engine *engine, ps__thread *thread, ps__window *window, uint32_t keep,
                       uint64_t enough)
{
    ps__piece piece;
    while (!engine->parking && window->tail - window->head > keep &&
           ps__window_take(window, UINT64_MAX, enough, &piece)) {
        if (PS_UNLIKELY(piece.cost > PS__COST_PUSHER))
            ps__piece_give_back(engine, &piece, 0);
        else
            ps__run_piece(engine, thread, &piece, NULL);
    }
    if (PS_UNLIKELY(engine->parking))
        ps__window_flush(window);
}

/* Others take from it about as fast as it fills. */
static bool is_kept_up_with(const ps__window *window)
{
    uint32_t count = window->tail - window->head;
    return count <= window->limit / 2 && window->staying != count;
}

/* The window is full: its owner runs cheap tasks, others go to the workers. */
static void empty_window(ps_engine *engine, ps__thread *thread, ps__window *window)
{
    ps__lock_take(&engine->lock);
    if (is_kept_up_with(window)) {
        ps__window_pack(window);
        ps__engine_unlock_and_wake(engine, false);
        return;
    }
    bool may_run = thread->frame == NULL && !thread->callback && thread->loops == 0;
    bool dear = window->cost > PS__COST_OWNER;
    if (may_run && dear && window->fusable) {
        /* Too dear for the owner alone, but giving it away task by task would group nothing. */
        run_window(engine, thread, window, window->limit / 2, PS__COST_PIECE);
        ps__window_pack(window);
    } else {
        if (!may_run || dear)
            ps__window_flush(window);
        run_window(engine, thread, window, 0, UINT64_MAX);
        ps__window_set_limit(window, PS__WINDOW_BUSY);
    }
    ps__engine_unlock_and_wake(engine, false);
}

static inline void account(ps_engine *engine, ps__window *window, ps_task *task)
{
    if (PS_UNLIKELY(task->bytes != 0)) {
        /* What may be grouped may turn out to need no memory at all: see `leave` in window.c. */
        if (task->state == PS__FRESH && task->flags & PS_TASK_FUSABLE)
            ps__window_count_bytes(window, task);
        else
            ps__bytes_count(engine, task);
    }
    if (PS_UNLIKELY(ps__engine_over(engine)))
        ps__store(&engine->over, 1); /* read by pushers without the lock: a hint */
}

static void account_rare(ps_engine *engine, ps_task *task)
{
    if (task->queue != NULL)
        task->queue->tasks++;
    if (task->kind == PS_IO)
        engine->io_tasks++;
}

/* The accesses of a captured task. It has room for as many as were announced. */
static inline void fill_captured(ps_task *task, ps__capture *capture)
{
    capture->fill(capture);
    PS_ASSERT(capture->nreads + capture->nwrites <= capture->most);
    if (PS_UNLIKELY(capture->most > PS__INLINE_ACCESSES)) {
        fill_many(task, &(ps_task_spec){.reads = capture->reads,
                                        .nreads = capture->nreads,
                                        .writes = capture->writes,
                                        .nwrites = capture->nwrites});
    } else {
        for (size_t i = 0; i < capture->nwrites; i++)
            add_inline(task, capture->writes[i], PS__ACCESS_WRITE);
        for (size_t i = 0; i < capture->nreads; i++)
            add_inline(task, capture->reads[i], 0);
    }
    if (PS_UNLIKELY(task->queue != NULL))
        attach_spares(task, capture);
}

/* False: the engine was closed meanwhile. */
static inline bool enqueue(ps_engine *engine, ps__thread *thread, ps__window *window, ps_task *task,
                           ps__capture *capture)
{
    ps__lock_take(&engine->lock);
    if (PS_UNLIKELY(ps__load(&engine->closed))) {
        ps__unlock(&engine->lock);
        discard(engine, window, task);
        return false;
    }
    if (capture != NULL)
        fill_captured(task, capture);
    ps__virtual_register();
    ps__graph_register(engine, task);
    bool direct = goes_direct(task), urgent = false;
    if (PS_LIKELY(!direct)) {
        ps__window_add(window, task);
    } else {
        account_rare(engine, task);
        if (task->waiting != 0) {
            task->state = PS__PENDING;
        } else {
            ps__graph_make_ready(engine, task);
            urgent = true;
        }
    }
    ps__kept_tell(engine, &window->kept);
    account(engine, window, task);
    bool full = ps__window_is_full(window);
    ps__worker *worker =
        PS_UNLIKELY(engine->watchers == 0 || urgent) ? ps__worker_claim(engine, urgent) : NULL;
    ps__turns_serve(engine, window);
    ps__unlock(&engine->lock);
    if (PS_UNLIKELY(worker != NULL))
        ps__worker_wake(worker);
    if (PS_UNLIKELY(full))
        empty_window(engine, thread, window);
    return true;
}

static ps_status no_memory(void)
{
    return ps__fail(PS_ERR_MEMORY, "no memory for a task");
}

static ps_status start_workers(ps_engine *engine)
{
    return PS_LIKELY(ps__load_acquire(&engine->started)) ? PS_OK : ps__workers_ensure(engine);
}

static ps_status push_with(ps_engine *engine, const ps_task_spec *spec, uint16_t flags,
                           ps__waiter *waiter, ps__capture *capture)
{
    ps__thread *thread = ps__thread_get();
    ps__window *window = thread != NULL ? ps__thread_window(thread, engine) : NULL;
    if (window == NULL)
        return no_memory();
    ps_status status = start_workers(engine);
    if (status != PS_OK)
        return status;
    ps_task *task = fill(engine, thread, window, spec, flags, capture);
    if (task == NULL)
        return no_memory();
    if (waiter != NULL) {
        waiter->task = task;
        task->waiter = waiter;
    }
    return enqueue(engine, thread, window, task, capture)
               ? PS_OK
               : ps__fail(PS_ERR_CLOSED, "the engine was destroyed");
}

ps_status ps__push_internal(ps_engine *engine, const ps_task_spec *spec, uint16_t flags,
                            ps__waiter *waiter)
{
    return push_with(engine, spec, flags, waiter, NULL);
}

/* ---- Synchronous mode ------------------------------------------------------------------ */

/* May this thread wait for what it has just pushed? Not inside a callback or a loop; inside a task
 * only if nothing holds it up, since that might be a task on this thread's own stack. If not, the
 * task is left to run as soon as it can. */
static bool stay_for(ps_engine *engine, ps__thread *thread, ps__waiter *waiter)
{
    if (thread->frame == NULL && !thread->callback && thread->loops == 0)
        return true;
    ps__lock_take(&engine->lock);
    ps_task *task = waiter->task;
    bool stay = !thread->callback && thread->loops == 0 && (task == NULL || task->waiting == 0);
    if (!stay && task != NULL)
        task->waiter = NULL;
    if (!stay && waiter->error != NULL)
        ps__error_release(engine, waiter->error);
    ps__unlock(&engine->lock);
    return stay;
}

typedef struct leftovers {
    ps_engine *engine;
    ps__thread *thread;
    ps__window *window;
} leftovers;

/* What tasks pushed while they ran and could not run themselves. */
static void run_leftovers(void *arg)
{
    const leftovers *left = arg;
    ps__piece piece;
    ps__lock_take(&left->engine->lock);
    while (!left->engine->parking && ps__window_take(left->window, UINT64_MAX, UINT64_MAX, &piece))
        ps__run_piece(left->engine, left->thread, &piece, NULL);
    ps__engine_unlock_and_wake(left->engine, false);
}

static __attribute__((noinline, cold)) ps_status push_and_run(ps_engine *engine, ps__thread *thread,
                                                              ps__window *window,
                                                              const ps_task_spec *spec,
                                                              ps__capture *capture)
{
    ps__waiter waiter = {.thread = thread, .limit = UINT64_MAX};
    if (thread->frame != NULL) { /* what it pushes may not wait for it either */
        ps__lock_take(&engine->lock);
        waiter.limit = ps__wait_limit(thread, engine);
        ps__unlock(&engine->lock);
    }
    ps_status status = push_with(engine, spec, 0, &waiter, capture);
    if (status != PS_OK)
        return status;
    if (!stay_for(engine, thread, &waiter))
        return PS_OK;
    status = ps__wait_task(engine, thread, &waiter, NULL);
    if (thread->frame == NULL) {
        leftovers left = {engine, thread, window};
        if (PS_LIKELY(status == PS_OK))
            run_leftovers(&left);
        else
            ps__fail_apart(run_leftovers, &left); /* the error is that of this push */
    }
    return status;
}

static inline uint16_t flags_of(const ps__capture *capture)
{
    return (uint16_t)((capture->stays ? PS__TASK_STAYS : 0) |
                      (capture->estimated ? PS__TASK_ESTIMATED : 0));
}

static inline ps_status push_checked(ps_engine *engine, const ps_task_spec *spec,
                                     ps__capture *capture)
{
    ps__thread *thread = ps__thread_get();
    ps__window *window = thread != NULL ? ps__thread_window(thread, engine) : NULL;
    if (PS_UNLIKELY(window == NULL))
        return no_memory();
    ps_status status;
    if (PS_UNLIKELY((status = start_workers(engine)) != PS_OK))
        return status;
    if (PS_UNLIKELY(ps__thread_is_sync(thread, engine)))
        return push_and_run(engine, thread, window, spec, capture);
    if (PS_UNLIKELY(ps__load(&engine->over)) &&
        PS_UNLIKELY((status = ps__hold_back(engine, thread)) != PS_OK))
        return status;
    uint16_t flags = capture != NULL ? flags_of(capture) : 0;
    ps_task *task = fill(engine, thread, window, spec, flags, capture);
    if (PS_UNLIKELY(task == NULL))
        return no_memory();
    if (PS_UNLIKELY(!enqueue(engine, thread, window, task, capture)))
        return ps__fail(PS_ERR_CLOSED, "the engine was destroyed");
    return PS_OK;
}

/* A description of another size, or one that is wrong. */
static ps_status push_unusual(ps_engine *engine, const ps_task_spec *spec)
{
    ps_task_spec full;
    ps_status status = ps__sized_read("ps_push: spec", &full, sizeof full, spec,
                                      PS__SIZE_TO(ps_task_spec, nwrites));
    if (status != PS_OK)
        return status;
    return bad_spec(&full) ? explain_bad_spec(&full) : ps_push(engine, &full);
}

ps_status ps_push(ps_engine *engine, const ps_task_spec *spec)
{
    ps_status status = ps__engine_check(engine);
    if (PS_UNLIKELY(status != PS_OK))
        return status;
    if (PS_UNLIKELY(bad_spec(spec)))
        return push_unusual(engine, spec);
    if (PS_UNLIKELY((status = check_vars(engine, "reads", spec->reads, spec->nreads)) != PS_OK) ||
        PS_UNLIKELY((status = check_vars(engine, "writes", spec->writes, spec->nwrites)) != PS_OK))
        return status;
    if (PS_UNLIKELY(spec->queue != NULL && spec->queue->engine != engine))
        return ps__fail(PS_ERR_ARGUMENT, "ps_push: spec.queue belongs to another engine");
    return push_checked(engine, spec, NULL);
}

ps_status ps__push_capture(ps_engine *engine, const ps_task_spec *spec, ps__capture *capture)
{
    ps_status status = ps__engine_check(engine);
    if (PS_UNLIKELY(status != PS_OK))
        return status;
    PS_ASSERT(!bad_spec(spec) && spec->nreads == 0 && spec->nwrites == 0);
    status = push_checked(engine, spec, capture);
    if (PS_UNLIKELY(capture->spares != NULL))
        free_spares(capture);
    return status;
}

void ps__engine_lock(ps_engine *engine)
{
    ps__lock_take(&engine->lock);
}

void ps__engine_unlock(ps_engine *engine)
{
    ps__unlock(&engine->lock);
}

/* ---- Arguments that a frontend must drop ------------------------------------------------ */

size_t ps_releases_run(ps_engine *engine)
{
    if (engine == NULL)
        return 0;
    ps__lock_take(&engine->lock);
    ps__release *list = engine->releases;
    engine->releases = NULL;
    engine->releases_tail = &engine->releases;
    ps__unlock(&engine->lock);
    size_t count = 0;
    while (list != NULL) {
        ps__release *next = list->next;
        if (list->drop != NULL)
            list->drop(list->arg);
        ps__free(list);
        list = next;
        count++;
    }
    return count;
}

ps_task_fn ps__task_run(const ps_task *task)
{
    return task->run;
}

void *ps__task_arg(const ps_task *task)
{
    return task->arg;
}
