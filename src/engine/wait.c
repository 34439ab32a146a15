/* Waiting, helping, and being held back.
 *
 * A thread that waits for a variable runs what that needs: it follows the accesses that are not
 * granted from the task it waits for to an older one that nobody runs yet. Only if there is none
 * does it sleep. Everything it runs is older than every task on its own stack, so that no task
 * can come to wait for one that is buried below it.
 *
 * Waiting threads that sleep inside a task are listed: all workers may be such waiters. When a task
 * becomes ready and no worker is idle, and when a worker stops being there for what is ready, those
 * that may run it are called to look again; they run it even if they do not wait for it.
 *
 * A thread with an interrupt hook or a time limit only runs tasks that are known to be short. */
#include "engine/internal.h"

#include <inttypes.h>

#define SPIN_NS 3000              /* before a sleep */
#define POLL_NS 20000000          /* how often a sleeper asks its interrupt hook */

typedef struct waiting {
    ps_engine *engine;
    ps__thread *thread;
    int64_t deadline;  /* negative: none */
    ps__permit permit; /* what it may help with */
    ps_task *own;      /* the one task it was pushed for, or NULL */
    bool unlocked;     /* the frontend's lock is given up */
    int64_t next_poll;
} waiting;

/* ---- Waiters: under the lock ----------------------------------------------------------- */

void ps__waiter_fire(ps_engine *engine, ps__waiter *waiter)
{
    engine->released = true;
    /* Pairs with the acquire load in sleep_once. The waiter may be gone once this is seen, so the
     * wake call uses the address alone. */
    ps__word *word = &waiter->word;
    ps__store_release(word, ps__load(word) | 1);
    ps__futex_wake(word, 1);
}

void ps__waiters_notify_write(ps_engine *engine, ps_var *var)
{
    for (ps__waiter **link = &var->waiters; *link != NULL;) {
        ps__waiter *waiter = *link;
        if (--waiter->remaining == 0) {
            *link = waiter->next;
            ps__waiter_fire(engine, waiter);
        } else {
            link = &waiter->next;
        }
    }
    if (var->waiters == NULL)
        var->flags &= (uint16_t)~PS__VAR_WAITERS;
}

static void pass_generations(ps_engine *engine)
{
    while (engine->oldest_generation != engine->generation &&
           engine->outstanding[engine->oldest_generation % PS__GENERATIONS] == 0)
        engine->oldest_generation++;
}

static bool generation_done(ps_engine *engine, uint32_t generation)
{
    pass_generations(engine);
    return engine->ops == 0 || (int32_t)(engine->oldest_generation - generation) > 0;
}

void ps__waiters_notify_generation(ps_engine *engine)
{
    for (ps__waiter **link = &engine->all_waiters; *link != NULL;) {
        ps__waiter *waiter = *link;
        if (generation_done(engine, waiter->generation)) {
            *link = waiter->next;
            ps__waiter_fire(engine, waiter);
        } else {
            link = &waiter->next;
        }
    }
}

static void unlink_waiter(ps__waiter **list, ps__waiter *waiter)
{
    while (*list != NULL && *list != waiter)
        list = &(*list)->next;
    if (*list == waiter)
        *list = waiter->next;
}

static void call_helper(ps__waiter *helper)
{
    ps__store_release(&helper->word, ps__load(&helper->word) + 2);
    ps__futex_wake(&helper->word, 1);
}

void ps__waiters_wake_helpers(ps_engine *engine, const ps_task *task)
{
    if (engine->watchers != 0 || engine->sleepers != NULL)
        return;
    for (ps__waiter *at = engine->sleeping_helpers; at != NULL; at = at->next_helper)
        if (ps__run_allowed(task, at->permit))
            call_helper(at);
}

void ps__waiters_offer(ps_engine *engine)
{
    if (engine->ready.count == 0 || engine->watchers != 0 || engine->sleepers != NULL)
        return;
    for (ps__waiter *at = engine->sleeping_helpers; at != NULL; at = at->next_helper)
        if (ps__run_next(engine, at->permit) != NULL)
            call_helper(at);
}

/* ---- Beginning and ending a wait ------------------------------------------------------- */

static ps_status check_options(const ps_wait_options *options)
{
    if (options != NULL && options->size != sizeof *options)
        return ps__fail(PS_ERR_ARGUMENT, "wait options: size is %zu, expected %zu", options->size,
                        sizeof *options);
    return PS_OK;
}

static ps_status read_options(waiting *wait, const ps_wait_options *options)
{
    wait->deadline = -1;
    ps_status status = check_options(options);
    if (status != PS_OK || options == NULL)
        return status;
    if (options->timeout_ns >= 0) {
        int64_t now = ps__now_ns();
        wait->deadline = options->timeout_ns < INT64_MAX - now ? now + options->timeout_ns
                                                               : INT64_MAX;
    }
    return PS_OK;
}

/* May this thread wait at all, and for what? */
static ps_status begin(waiting *wait, ps_engine *engine, ps__thread *thread,
                       const ps_wait_options *options)
{
    *wait = (waiting){.engine = engine, .thread = thread};
    wait->permit = (ps__permit){UINT64_MAX, UINT64_MAX, thread->worker};
    ps_status status = read_options(wait, options);
    if (status != PS_OK)
        return status;
    if (thread->callback)
        return ps__fail(PS_ERR_DEADLOCK, "a completion callback must not wait");
    if (thread->loops != 0)
        return ps__fail(PS_ERR_DEADLOCK, "the body of a parallel loop must not wait");
    if (thread->frame != NULL) {
        if (thread->frame->engine != engine)
            return ps__fail(PS_ERR_DEADLOCK, "a task may wait only for work of its own engine");
        if (thread->depth == PS__NEST)
            return ps__fail(PS_ERR_DEADLOCK, "%d waits inside of tasks are nested here", PS__NEST);
    }
    bool polite = wait->deadline >= 0 ||
                  (thread->hooks != NULL && thread->hooks->interrupted != NULL);
    if (polite)
        wait->permit.dearest = PS__COST_POLITE;
    if (PS_UNLIKELY(ps__load(&engine->forked)) && !ps__load_acquire(&engine->started))
        return ps__workers_ensure(engine);
    return PS_OK;
}

/* The oldest task on the stack; and if a task below was pushed by one that waits for it, then what
 * that one may wait for. Under the lock. */
uint64_t ps__wait_limit(const ps__thread *thread, const ps_engine *engine)
{
    uint64_t limit = UINT64_MAX;
    for (const ps__frame *frame = thread->frame; frame != NULL; frame = frame->below) {
        if (frame->engine != engine)
            continue;
        if (frame->sequence < limit)
            limit = frame->sequence;
        const ps__waiter *pusher = frame->task->waiter;
        if (pusher != NULL && pusher->limit < limit)
            limit = pusher->limit;
    }
    return limit;
}

static void give_up_frontend_lock(waiting *wait)
{
    const ps_hooks *hooks = wait->thread->hooks;
    if (wait->unlocked || hooks == NULL)
        return;
    if (hooks->unlock != NULL)
        hooks->unlock(hooks->state);
    wait->unlocked = true;
}

static void take_frontend_lock(waiting *wait)
{
    const ps_hooks *hooks = wait->thread->hooks;
    if (wait->unlocked) {
        wait->unlocked = false;
        if (hooks->relock != NULL)
            hooks->relock(hooks->state);
    }
}

/* Not under the engine's lock. */
static bool interrupted(waiting *wait)
{
    const ps_hooks *hooks = wait->thread->hooks;
    if (hooks == NULL || hooks->interrupted == NULL)
        return false;
    take_frontend_lock(wait);
    return hooks->interrupted(hooks->state);
}

static bool timed_out(const waiting *wait)
{
    return wait->deadline >= 0 && ps__now_ns() >= wait->deadline;
}

/* ---- Helping: under the lock, and it is held again on return ---------------------------- */

/* An older task that keeps this one from running, if that can be told. */
static ps_task *blocker(ps_task *task)
{
    ps__walk walk = ps__walk_begin(task);
    for (ps__access *access; (access = ps__walk_next(&walk)) != NULL;) {
        if (access->bits & PS__ACCESS_GRANTED)
            continue;
        const ps_var *var = ps__access_var(access);
        if (var->writer != NULL)
            return ps__access_task(var->writer);
    }
    return NULL;
}

static bool take_one(waiting *wait, ps_task *task, ps__piece *piece)
{
    /* What this thread pushed itself to wait for is not blocked by its stack: push.c sees to it. */
    ps__permit permit = wait->permit;
    if (task == wait->own)
        permit.limit = UINT64_MAX;
    if (!ps__run_allowed(task, &permit))
        return false;
    if (task->queue != NULL) {
        ps__queue_issue_ready(wait->engine, wait->thread, task);
        piece->count = 0;
        return true;
    }
    ps__ready_remove(&wait->engine->ready, task);
    ps__hint_update(wait->engine);
    task->state = PS__TAKEN;
    piece->tasks[0] = task;
    piece->count = 1;
    piece->cost = ps__task_cost(task);
    piece->windowed = false;
    return true;
}

/* Finds a piece that the target needs, as far as that can be told. */
static bool find_needed(waiting *wait, ps_task *target, ps__piece *piece)
{
    ps_task *task = target;
    while (task != NULL) {
        switch (task->state) {
        case PS__FRESH:
            if (ps__window_take_for(task->where, task, &wait->permit, piece))
                return true;
            break; /* it waits for something elsewhere, or is too dear for this thread */
        case PS__READY:
            return take_one(wait, task, piece);
        case PS__PENDING:
            task = blocker(task);
            break;
        default:
            return false; /* somebody runs it */
        }
    }
    /* It waits for readers, which are only counted: one of the older ready tasks may be it. */
    ps__permit permit = wait->permit;
    if (target->sequence < permit.limit)
        permit.limit = target->sequence;
    return ps__run_take_ready(wait->engine, &permit, piece);
}

static bool find_for(waiting *wait, ps_task *target, ps__piece *piece)
{
    if (target != NULL && find_needed(wait, target, piece))
        return true;
    /* Inside a task this thread may be the last one that can run what others wait for. */
    return wait->thread->frame != NULL &&
           ps__run_take_ready(wait->engine, &wait->permit, piece);
}

/* Anything: for those who wait for everything or are held back. */
static bool find_any(waiting *wait, ps__piece *piece)
{
    ps__window *own = wait->thread->windows;
    if (own != NULL && own->engine == wait->engine && own->head != own->tail) {
        if (own->cost > wait->permit.dearest)
            ps__window_flush(own);
        uint64_t enough = ps__load(&own->heavy) ? PS__COST_GRAIN : UINT64_MAX;
        /* The owner waits: others may take what it does not. */
        own->ripe = ps__load(&wait->engine->sequence);
        if (ps__window_take(own, UINT64_MAX, enough, piece))
            return true;
    }
    return ps__run_take_ready(wait->engine, &wait->permit, piece);
}

static void help(waiting *wait, ps__piece *piece)
{
    ps_engine *engine = wait->engine;
    if (piece->count == 0)
        return; /* what was found was done at once */
    if (PS_UNLIKELY(piece->cost > PS__COST_LOCKED) && wait->thread->hooks != NULL &&
        !wait->unlocked) {
        ps__unlock(&engine->lock);
        give_up_frontend_lock(wait);
        ps__lock_take(&engine->lock);
    }
    ps__run_piece(engine, wait->thread, piece);
}

/* ---- Sleeping -------------------------------------------------------------------------- */

static void list_helper(waiting *wait, ps__waiter *waiter)
{
    ps_engine *engine = wait->engine;
    engine->asleep_in_tasks++;
    if (engine->progress_waiters != 0)
        ps__progress(engine); /* they count who is still at work */
    waiter->limit = wait->permit.limit;
    waiter->permit = &wait->permit;
    ps__waiters_offer(engine);
    waiter->next_helper = engine->sleeping_helpers;
    engine->sleeping_helpers = waiter;
}

static void unlist_helper(waiting *wait, ps__waiter *waiter)
{
    wait->engine->asleep_in_tasks--;
    ps__waiter **link = &wait->engine->sleeping_helpers;
    while (*link != NULL && *link != waiter)
        link = &(*link)->next_helper;
    if (*link == waiter)
        *link = waiter->next_helper;
}

static bool spin(ps__waiter *waiter, uint32_t value)
{
    int64_t end = ps__now_ns() + SPIN_NS;
    do {
        for (int i = 0; i < 32; i++) {
            if (ps__load_acquire(&waiter->word) != value)
                return true;
            ps__pause();
        }
    } while (ps__now_ns() < end);
    return false;
}

static int64_t sleep_end(const waiting *wait)
{
    const ps_hooks *hooks = wait->thread->hooks;
    if (hooks == NULL || hooks->interrupted == NULL)
        return wait->deadline;
    int64_t poll = ps__now_ns() + POLL_NS;
    return wait->deadline >= 0 && wait->deadline < poll ? wait->deadline : poll;
}

/* Called with the lock held and the waiter registered; returns with the lock held. */
static void sleep_once(waiting *wait, ps__waiter *waiter)
{
    ps_engine *engine = wait->engine;
    bool nested = wait->thread->frame != NULL;
    ps__window *own = wait->thread->windows;
    if (own != NULL && own->engine == engine)
        ps__window_flush(own);
    if (nested)
        list_helper(wait, waiter);
    uint32_t value = ps__load(&waiter->word);
    ps__engine_unlock_and_wake(engine, true);
    if (!(value & 1)) {
        ps__threads_poke(1);
        give_up_frontend_lock(wait);
        if (!spin(waiter, value))
            ps__futex_wait(&waiter->word, value, sleep_end(wait));
    }
    ps__lock_take(&engine->lock);
    if (nested)
        unlist_helper(wait, waiter);
}

/* Not done yet: is there a reason to stop? Lock held; given up while hooks are asked. */
static ps_status reason_to_stop(waiting *wait)
{
    bool asks = wait->thread->hooks != NULL && wait->thread->hooks->interrupted != NULL;
    if (PS_LIKELY(wait->deadline < 0 && !asks))
        return PS_OK;
    if (timed_out(wait))
        return PS_ERR_TIMEOUT;
    if (!asks)
        return PS_OK;
    int64_t now = ps__now_ns();
    if (wait->next_poll != 0 && now < wait->next_poll)
        return PS_OK;
    ps__unlock(&wait->engine->lock);
    bool stop = interrupted(wait);
    ps__lock_take(&wait->engine->lock);
    wait->next_poll = now + POLL_NS / 4;
    return stop ? PS_ERR_INTERRUPTED : PS_OK;
}

static ps_status stopped(ps_status status)
{
    return ps__fail(status, status == PS_ERR_TIMEOUT ? "the wait reached its time limit"
                                                     : "the wait was interrupted");
}

/* ---- Waiting for a variable ------------------------------------------------------------ */

static uint64_t writes_done(const ps_var *var)
{
    return var->version - ps__load(&var->writes);
}

static bool changes(const ps__access *access)
{
    return (access->bits & PS__ACCESS_WRITE) && !(ps__access_task(access)->flags & PS__TASK_FENCE);
}

/* The youngest task that is going to write the variable, if it is not on a device already. */
static ps_task *last_writer(const ps_var *var)
{
    if (var->head != NULL) {
        ps__access *last = (ps__access *)((char *)var->tail - offsetof(ps__access, next));
        if (changes(last))
            return ps__access_task(last);
    }
    ps__access *found = var->writer != NULL && changes(var->writer) ? var->writer : NULL;
    for (ps__access *at = var->head; at != NULL; at = at->next)
        if (changes(at))
            found = at;
    return found != NULL ? ps__access_task(found) : NULL;
}

/* Inside a task: only older work may be waited for. */
static ps_status check_age(const waiting *wait, const ps_task *target)
{
    uint64_t self = wait->permit.limit;
    if (self == UINT64_MAX || target == NULL || target->sequence < self ||
        (target->flags & PS__TASK_PASSIVE))
        return PS_OK;
    if (target->sequence == self)
        return ps__fail(PS_ERR_DEADLOCK, "task %" PRIu64 " waits for what it writes itself",
                        self);
    return ps__fail(PS_ERR_DEADLOCK,
                    "task %" PRIu64 " waits for task %" PRIu64 ", which was queued after it",
                    self, target->sequence);
}

/* Lock held on entry and on return. */
static ps_status wait_writes(waiting *wait, ps_var *var)
{
    uint64_t goal = var->version;
    ps_task *target = last_writer(var);
    uint64_t sequence = target != NULL ? target->sequence : 0;
    ps_status status = check_age(wait, target);
    ps__waiter waiter = {0};
    ps__piece piece;
    while (status == PS_OK && writes_done(var) < goal) {
        if (wait->engine->parking) {
            ps__park_wait(wait->engine);
            continue;
        }
        if ((status = reason_to_stop(wait)) != PS_OK || writes_done(var) >= goal)
            break;
        /* A recycled record has another number. */
        bool live = target != NULL && target->sequence == sequence && target->state != PS__ERROR;
        if (find_for(wait, live ? target : NULL, &piece)) {
            help(wait, &piece);
            continue;
        }
        waiter = (ps__waiter){.remaining = goal - writes_done(var),
                              .thread = wait->thread,
                              .next = var->waiters};
        var->waiters = &waiter;
        var->flags |= PS__VAR_WAITERS;
        sleep_once(wait, &waiter);
        unlink_waiter(&var->waiters, &waiter);
    }
    return status == PS_ERR_TIMEOUT || status == PS_ERR_INTERRUPTED ? stopped(status) : status;
}

static ps_status raise_mark(ps_engine *engine, ps_var *var)
{
    ps__error *error = ps__load(&var->error);
    return error != NULL ? ps__error_raise(engine, error) : PS_OK;
}

static ps_status check_var(ps_var *var, const char *call)
{
    if (var == NULL)
        return ps__fail(PS_ERR_ARGUMENT, "%s: variable is NULL", call);
    PS_ASSERT(var->magic == PS__VAR_MAGIC);
    return ps__engine_check(var->engine);
}

static void enter_wait(waiting *wait)
{
    ps__lock_take(&wait->engine->lock);
    if (PS_UNLIKELY(wait->thread->frame != NULL)) {
        wait->thread->depth++;
        wait->permit.limit = ps__wait_limit(wait->thread, wait->engine);
        ps__run_give_back(wait->engine, wait->thread);
        if (wait->thread->frame->piece == NULL)
            ps__queue_step_aside(wait->thread->frame->task->queue);
    }
    ps__trace_event(wait->engine, PS_TRACE_WAIT, NULL, 0);
}

static void leave_wait(waiting *wait)
{
    if (PS_UNLIKELY(wait->thread->frame != NULL))
        wait->thread->depth--;
    ps__trace_event(wait->engine, PS_TRACE_RESUME, NULL, 0);
    ps__engine_unlock_and_wake(wait->engine, false);
    take_frontend_lock(wait);
}

ps_status ps_wait_read(ps_var *var, const ps_wait_options *options)
{
    ps_status status = check_var(var, "ps_wait_read");
    if (PS_UNLIKELY(options != NULL) && status == PS_OK)
        status = check_options(options);
    if (PS_UNLIKELY(status != PS_OK))
        return status;
    /* Acquire: pairs with the release in complete_write; what the task wrote is visible. */
    if (ps__load_acquire(&var->writes) == 0 && ps__load(&var->error) == NULL)
        return PS_OK;
    ps__thread *thread = ps__thread_get();
    if (thread == NULL)
        return ps__fail(PS_ERR_MEMORY, "no memory for the state of this thread");
    waiting wait;
    status = begin(&wait, var->engine, thread, options);
    if (status != PS_OK)
        return status;
    enter_wait(&wait);
    status = wait_writes(&wait, var);
    if (status == PS_OK)
        status = raise_mark(var->engine, var);
    leave_wait(&wait);
    return status;
}

/* ---- Waiting for a task, and for readers ------------------------------------------------ */

/* Lock held on entry and on return. */
static ps_status wait_task(waiting *wait, ps__waiter *waiter)
{
    ps_status status = PS_OK;
    wait->own = waiter->task;
    ps__piece piece;
    while (waiter->task != NULL && status == PS_OK) {
        if (wait->engine->parking) {
            ps__park_wait(wait->engine);
            continue;
        }
        if ((status = reason_to_stop(wait)) != PS_OK || waiter->task == NULL)
            break;
        if (find_for(wait, waiter->task, &piece))
            help(wait, &piece);
        else
            sleep_once(wait, waiter);
    }
    if (waiter->task != NULL) {
        waiter->task->waiter = NULL;
        return stopped(status);
    }
    if (waiter->error != NULL) {
        status = ps__error_raise(wait->engine, waiter->error);
        ps__error_release(wait->engine, waiter->error);
        waiter->error = NULL;
    } else {
        status = PS_OK;
    }
    return status;
}

ps_status ps__wait_task(ps_engine *engine, ps__thread *thread, ps__waiter *waiter,
                        const ps_wait_options *options)
{
    waiting wait;
    ps_status status = begin(&wait, engine, thread, options);
    if (status != PS_OK)
        return status;
    enter_wait(&wait);
    status = wait_task(&wait, waiter);
    leave_wait(&wait);
    return status;
}

static ps_status nothing(ps_task *self, void *arg)
{
    (void)self;
    (void)arg;
    return PS_OK;
}

typedef struct reader_search {
    const ps_var *var;
    const waiting *wait;
    const ps_task *fence;
    ps_status status;
} reader_search;

static void look_for_reader(ps_task *task, void *arg)
{
    reader_search *search = arg;
    if (task->state == PS__FREE || task->state == PS__ERROR || search->status != PS_OK ||
        task->sequence < search->wait->permit.limit || task->sequence >= search->fence->sequence)
        return;
    ps__walk walk = ps__walk_begin(task);
    for (ps__access *access; (access = ps__walk_next(&walk)) != NULL;)
        if (ps__access_var(access) == search->var && (access->bits & PS__ACCESS_GRANTED))
            search->status = check_age(search->wait, task);
}

/* Inside a task: all that the fence follows must be older. Readers are only counted, so if there
 * are any all tasks are looked at. */
static ps_status check_users(const waiting *wait, ps_var *var, const ps_task *fence)
{
    ps_status status = PS_OK;
    if (var->writer != NULL && ps__access_task(var->writer) != fence)
        status = check_age(wait, ps__access_task(var->writer));
    for (ps__access *at = var->head; at != NULL && status == PS_OK; at = at->next) {
        if (ps__access_task(at) == fence)
            break;
        status = check_age(wait, ps__access_task(at));
    }
    if (status == PS_OK && var->reads != 0) {
        reader_search search = {var, wait, fence, PS_OK};
        ps__blocks_each_task(wait->engine, look_for_reader, &search);
        status = search.status;
    }
    return status;
}

/* A task that writes the variable without changing it: it follows all that uses it now. */
static ps_status push_fence(ps_var *var, ps__waiter *fence)
{
    ps_task_spec spec = {.size = sizeof spec,
                         .run = nothing,
                         .writes = &var,
                         .nwrites = 1,
                         .name = "wait",
                         .cost_ns = 20,
                         .flags = PS_TASK_ALWAYS};
    return ps__push_internal(var->engine, &spec, PS__TASK_FENCE, fence);
}

ps_status ps_wait_write(ps_var *var, const ps_wait_options *options)
{
    ps_status status = check_var(var, "ps_wait_write");
    if (status != PS_OK)
        return status;
    ps__thread *thread = ps__thread_get();
    if (thread == NULL)
        return ps__fail(PS_ERR_MEMORY, "no memory for the state of this thread");
    ps_engine *engine = var->engine;
    waiting wait;
    status = begin(&wait, engine, thread, options);
    if (status != PS_OK)
        return status;
    ps__lock_take(&engine->lock);
    bool idle = ps__var_is_idle(var);
    if (idle)
        status = raise_mark(engine, var);
    ps__unlock(&engine->lock);
    if (idle)
        return status;
    ps__waiter fence = {.thread = thread, .limit = UINT64_MAX};
    status = push_fence(var, &fence);
    if (status != PS_OK)
        return status;
    enter_wait(&wait);
    if (thread->frame != NULL && fence.task != NULL)
        status = check_users(&wait, var, fence.task);
    if (status == PS_OK)
        status = wait_task(&wait, &fence);
    else
        fence.task->waiter = NULL; /* it passes by itself */
    if (status == PS_OK)
        status = raise_mark(engine, var);
    leave_wait(&wait);
    return status;
}

/* ---- Waiting for everything ------------------------------------------------------------ */

static uint32_t close_generation(ps_engine *engine)
{
    uint32_t generation = engine->generation;
    pass_generations(engine);
    if (engine->outstanding[generation % PS__GENERATIONS] != 0 &&
        engine->generation - engine->oldest_generation < PS__GENERATIONS - 1)
        engine->generation++;
    return generation;
}

ps_status ps_wait_all(ps_engine *engine, const ps_wait_options *options)
{
    ps_status status = ps__engine_check(engine);
    if (status != PS_OK)
        return status;
    ps__thread *thread = ps__thread_get();
    if (thread == NULL)
        return ps__fail(PS_ERR_MEMORY, "no memory for the state of this thread");
    waiting wait;
    status = begin(&wait, engine, thread, options);
    if (status != PS_OK)
        return status;
    if (thread->frame != NULL)
        return ps__fail(PS_ERR_DEADLOCK, "a task cannot wait for everything: it is part of it");
    enter_wait(&wait);
    uint32_t generation = close_generation(engine);
    ps__waiter waiter = {0};
    ps__piece piece;
    while (!generation_done(engine, generation)) {
        if (engine->parking) {
            ps__park_wait(engine);
            continue;
        }
        if ((status = reason_to_stop(&wait)) != PS_OK || generation_done(engine, generation))
            break;
        if (find_any(&wait, &piece)) {
            help(&wait, &piece);
            continue;
        }
        waiter = (ps__waiter){
            .generation = generation, .thread = thread, .next = engine->all_waiters};
        engine->all_waiters = &waiter;
        sleep_once(&wait, &waiter);
        unlink_waiter(&engine->all_waiters, &waiter);
    }
    if (generation_done(engine, generation))
        status = ps__error_raise_unseen(engine);
    else
        status = stopped(status);
    leave_wait(&wait);
    return status;
}

/* ---- The bound ------------------------------------------------------------------------- */

bool ps__engine_over(const ps_engine *engine)
{
    const ps_bound *bound = &engine->bound;
    if (PS_UNLIKELY(engine->ops > bound->ops || engine->bytes > bound->hard_bytes))
        return true;
    uint64_t few;
    return engine->bytes > bound->soft_bytes &&
           !__builtin_mul_overflow(bound->soft_ops_per_worker, engine->workers_wanted, &few) &&
           engine->ops > few;
}

bool ps__anything_moves(const ps_engine *engine, unsigned own)
{
    return engine->running > own + engine->asleep_in_tasks || engine->ready.count != 0 || engine->lanes != NULL ||
           engine->in_flight != 0 || engine->fresh != 0;
}

void ps__progress(ps_engine *engine)
{
    ps__store(&engine->progress, ps__load(&engine->progress) + 1);
    ps__futex_wake(&engine->progress, INT32_MAX);
}

void ps__progress_wait(ps_engine *engine, int64_t deadline)
{
    uint32_t value = ps__load(&engine->progress);
    engine->progress_waiters++;
    ps__engine_unlock_and_wake(engine, true);
    ps__futex_wait(&engine->progress, value, deadline);
    ps__lock_take(&engine->lock);
    engine->progress_waiters--;
}

static void sleep_for_progress(waiting *wait)
{
    if (!wait->unlocked && wait->thread->hooks != NULL) {
        ps__unlock(&wait->engine->lock);
        give_up_frontend_lock(wait);
        ps__lock_take(&wait->engine->lock);
        return; /* things may have changed meanwhile: look again first */
    }
    ps__progress_wait(wait->engine, sleep_end(wait));
}

/* Others' windows count as something that moves: see to it that they do, or turn out not to.
 * False if there was nothing to open. */
static bool open_windows(ps_engine *engine)
{
    if (engine->fresh == 0)
        return false;
    for (ps__window *window = ps__load(&engine->windows); window != NULL;
         window = ps__load(&window->next))
        ps__window_flush(window);
    return true;
}

ps_status ps__hold_back(ps_engine *engine, ps__thread *thread)
{
    waiting wait;
    if (thread->frame != NULL || thread->callback || thread->loops != 0)
        return PS_OK;
    ps_status status = begin(&wait, engine, thread, NULL);
    if (status != PS_OK)
        return status;
    const ps_hooks *hooks = thread->hooks;
    bool pressed = hooks == NULL || hooks->pressure == NULL;
    ps__lock_take(&engine->lock);
    engine->held_back++;
    ps__trace_event(engine, PS_TRACE_WAIT, NULL, 3);
    ps__piece piece;
    while (ps__engine_over(engine)) {
        if (engine->parking) {
            ps__park_wait(engine);
        } else if ((status = reason_to_stop(&wait)) != PS_OK) {
            break;
        } else if (find_any(&wait, &piece)) {
            help(&wait, &piece);
        } else if (!ps__anything_moves(engine, 0)) {
            break;
        } else if (!pressed) {
            pressed = true;
            ps__unlock(&engine->lock);
            take_frontend_lock(&wait);
            hooks->pressure(hooks->state);
            ps__lock_take(&engine->lock);
        } else if (!open_windows(engine)) {
            sleep_for_progress(&wait);
        }
    }
    ps__trace_event(engine, PS_TRACE_RESUME, NULL, 3);
    ps__engine_unlock_and_wake(engine, false);
    take_frontend_lock(&wait);
    return status == PS_ERR_INTERRUPTED ? ps__fail(status, "interrupted at the queue's bound")
                                        : PS_OK;
}

ps_status ps__drain(ps_engine *engine, ps__thread *thread)
{
    waiting wait;
    ps_status status = begin(&wait, engine, thread, NULL);
    if (status != PS_OK)
        return status;
    ps__piece piece;
    ps__lock_take(&engine->lock);
    while (engine->ops != 0 && status == PS_OK) {
        if (engine->parking)
            ps__park_wait(engine);
        else if (find_any(&wait, &piece))
            help(&wait, &piece);
        else if (!ps__anything_moves(engine, 0))
            status = PS_ERR_DEADLOCK;
        else if (!open_windows(engine))
            sleep_for_progress(&wait);
    }
    ps__unlock(&engine->lock);
    take_frontend_lock(&wait);
    return status;
}
