/* What a waiting thread does meanwhile: helping, and sleeping.
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
#include "engine/waiting.h"

#define SPIN_NS 3000     /* before a sleep */
#define POLL_NS 20000000 /* how often a sleeper asks its interrupt hook */

/* ---- Waiters: under the lock ----------------------------------------------------------- */

/* It is going to look again, or is done: it does not count as asleep from now on, though it may
 * take a while until it is awake. */
static void rouse(ps_engine *engine, ps__waiter *waiter)
{
    engine->asleep_in_tasks -= waiter->asleep;
    waiter->asleep = false;
}

void ps__waiter_fire(ps_engine *engine, ps__waiter *waiter)
{
    engine->released = true;
    rouse(engine, waiter);
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

void ps__generations_pass(ps_engine *engine)
{
    while (engine->oldest_generation != engine->generation &&
           engine->outstanding[engine->oldest_generation % PS__GENERATIONS] == 0)
        engine->oldest_generation++;
}

bool ps__generation_done(ps_engine *engine, uint32_t generation)
{
    ps__generations_pass(engine);
    return engine->ops == 0 || (int32_t)(engine->oldest_generation - generation) > 0;
}

void ps__waiters_notify_generation(ps_engine *engine)
{
    for (ps__waiter **link = &engine->all_waiters; *link != NULL;) {
        ps__waiter *waiter = *link;
        if (ps__generation_done(engine, waiter->generation)) {
            *link = waiter->next;
            ps__waiter_fire(engine, waiter);
        } else {
            link = &waiter->next;
        }
    }
}

void ps__waiter_unlink(ps__waiter **list, ps__waiter *waiter)
{
    while (*list != NULL && *list != waiter)
        list = &(*list)->next;
    if (*list == waiter)
        *list = waiter->next;
}

static void call_helper(ps_engine *engine, ps__waiter *helper)
{
    rouse(engine, helper);
    ps__store_release(&helper->word, ps__load(&helper->word) + 2);
    ps__futex_wake(&helper->word, 1);
}

/* What it pushed itself to wait for is not blocked by its stack: see take_one. */
static bool can_run_own(const ps__waiter *helper)
{
    const ps_task *own = helper->task;
    return own != NULL && own->state == PS__READY &&
           (own->queue == NULL || own->queue->issuer == NULL);
}

static bool can_run_something(const ps_engine *engine, const ps__waiter *helper)
{
    return can_run_own(helper) || ps__run_next(engine, helper->permit) != NULL ||
           ps__run_next_issue(engine, helper->permit) != NULL;
}

/* Idle workers see to what is ready, unless they park. */
static bool left_to_workers(ps_engine *engine)
{
    if (PS_UNLIKELY(engine->parking)) {
        ps__park_call(engine);
        return false;
    }
    return engine->watchers != 0 || engine->sleepers != NULL;
}

void ps__waiters_wake_helpers(ps_engine *engine, const ps_task *task)
{
    if (left_to_workers(engine))
        return;
    for (ps__waiter *at = engine->sleeping_helpers; at != NULL; at = at->next_helper)
        if (at->task == task || ps__run_allowed(task, at->permit))
            call_helper(engine, at);
}

void ps__waiters_offer(ps_engine *engine)
{
    if (left_to_workers(engine))
        return;
    for (ps__waiter *at = engine->sleeping_helpers; at != NULL; at = at->next_helper)
        if (can_run_something(engine, at))
            call_helper(engine, at);
}

bool ps__ready_moves(const ps_engine *engine)
{
    if (engine->ready.count == 0 && engine->lanes == NULL)
        return false;
    unsigned workers = engine->workers_present;
    for (const ps__waiter *at = engine->sleeping_helpers; at != NULL; at = at->next_helper) {
        if (can_run_something(engine, at))
            return true;
        workers -= at->asleep && at->thread->worker;
    }
    return workers != 0;
}

/* ---- Beginning and ending a wait ------------------------------------------------------- */

/* Zero is a time limit too: a caller's struct has it in every version. */
static ps_status read_timeout(const ps_wait_options *given, int64_t *timeout_ns)
{
    ps_wait_options options;
    *timeout_ns = -1;
    if (given == NULL)
        return PS_OK;
    ps_status status = ps__sized_read("wait options", &options, sizeof options, given,
                                      PS__SIZE_TO(ps_wait_options, timeout_ns));
    if (status == PS_OK)
        *timeout_ns = options.timeout_ns;
    return status;
}

ps_status ps__waiting_check_options(const ps_wait_options *options)
{
    int64_t timeout_ns;
    return read_timeout(options, &timeout_ns);
}

static ps_status read_options(ps__waiting *wait, const ps_wait_options *options)
{
    int64_t timeout_ns;
    ps_status status = read_timeout(options, &timeout_ns);
    if (status == PS_OK && timeout_ns >= 0) {
        int64_t now = ps__now_ns();
        wait->deadline = timeout_ns < INT64_MAX - now ? now + timeout_ns : INT64_MAX;
    }
    return status;
}

/* May this thread wait at all, and for what? */
ps_status ps__waiting_begin(ps__waiting *wait, ps_engine *engine, ps__thread *thread,
                            const ps_wait_options *options)
{
    *wait = (ps__waiting){.engine = engine, .thread = thread, .deadline = -1};
    wait->permit = (ps__permit){UINT64_MAX, UINT64_MAX, thread->worker};
    ps_status status = PS_OK;
    if (PS_UNLIKELY(options != NULL) && (status = read_options(wait, options)) != PS_OK)
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
    bool polite =
        wait->deadline >= 0 || (thread->hooks != NULL && thread->hooks->interrupted != NULL);
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

void ps__waiting_unlock(ps__waiting *wait)
{
    const ps_hooks *hooks = wait->thread->hooks;
    while (wait->outer != NULL)
        wait = wait->outer;
    if (wait->unlocked || hooks == NULL)
        return;
    if (hooks->unlock != NULL)
        hooks->unlock(hooks->state);
    wait->unlocked = true;
}

void ps__waiting_relock(ps__waiting *wait)
{
    const ps_hooks *hooks = wait->thread->hooks;
    if (wait->unlocked) {
        wait->unlocked = false;
        if (hooks->relock != NULL)
            hooks->relock(hooks->state);
    }
}

/* Not under the engine's lock. */
static bool interrupted(ps__waiting *wait)
{
    const ps_hooks *hooks = wait->thread->hooks;
    if (hooks == NULL || hooks->interrupted == NULL)
        return false;
    ps__waiting_relock(wait);
    return hooks->interrupted(hooks->state);
}

static bool timed_out(const ps__waiting *wait)
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

static bool take_one(ps__waiting *wait, ps_task *task, ps__piece *piece)
{
    /* What this thread pushed itself to wait for is not blocked by its stack: push.c sees to it. */
    ps__permit permit = wait->permit;
    if (task == wait->own)
        permit.limit = UINT64_MAX;
    if (!ps__run_allowed(task, &permit))
        return false;
    if (task->queue != NULL) {
        piece->count = 0;
        return ps__queue_issue_ready(wait->engine, wait->thread, task);
    }
    if (ps__connects(wait->engine, task))
        return ps__connect(wait->engine, task, &permit, piece);
    ps__virtual_look(task);
    ps__ready_remove(&wait->engine->ready, task);
    ps__hint_update(wait->engine);
    task->state = PS__TAKEN;
    ps__piece_clear(piece, false, false);
    piece->tasks[piece->count++] = task;
    piece->cost = ps__task_cost(task);
    return true;
}

/* Something that is ready: to run, or to be issued on a device queue. */
static bool take_ready(ps__waiting *wait, const ps__permit *permit, ps__piece *piece)
{
    if (ps__run_take_ready(wait->engine, permit, piece))
        return true;
    ps_task *task = ps__run_next_issue(wait->engine, permit);
    return task != NULL && ps__queue_issue_ready(wait->engine, wait->thread, task);
}

/* Finds a piece that the target needs, as far as that can be told. */
static bool find_needed(ps__waiting *wait, ps_task *target, ps__piece *piece)
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
    return take_ready(wait, &permit, piece);
}

bool ps__help_find_for(ps__waiting *wait, ps_task *target, ps__piece *piece)
{
    if (target != NULL && find_needed(wait, target, piece))
        return true;
    /* Inside a task this thread may be the last one that can run what others wait for. */
    return wait->thread->frame != NULL && take_ready(wait, &wait->permit, piece);
}

/* Anything: for those who wait for everything or are held back. */
bool ps__help_find_any(ps__waiting *wait, ps__piece *piece)
{
    ps__window *own = wait->thread->windows;
    if (own != NULL && own->engine == wait->engine && own->head != own->tail) {
        if (own->cost > wait->permit.dearest &&
            (!own->fusable || own->tasks[own->head]->cost > wait->permit.dearest))
            ps__window_flush(own);
        uint64_t enough = ps__window_worth_taking(own) ? PS__COST_GRAIN : UINT64_MAX;
        /* The owner waits: others may take what it does not. */
        own->ripe = ps__load(&wait->engine->sequence);
        if (ps__window_take(own, UINT64_MAX, enough, piece))
            return true;
    }
    return take_ready(wait, &wait->permit, piece);
}

void ps__help_run(ps__waiting *wait, ps__piece *piece)
{
    if (piece->count != 0) /* else what was found was done at once */
        ps__run_piece(wait->engine, wait->thread, piece, wait);
}

/* ---- Sleeping -------------------------------------------------------------------------- */

static void list_helper(ps__waiting *wait, ps__waiter *waiter)
{
    ps_engine *engine = wait->engine;
    waiter->asleep = wait->deadline < 0; /* else it wakes by itself */
    engine->asleep_in_tasks += waiter->asleep;
    if (engine->progress_waiters != 0)
        ps__progress(engine); /* they count who is still at work */
    waiter->limit = wait->permit.limit;
    waiter->permit = &wait->permit;
    ps__waiters_offer(engine); /* to the others, who look once the lock is given up */
    waiter->next_helper = engine->sleeping_helpers;
    engine->sleeping_helpers = waiter;
}

static void unlist_helper(ps__waiting *wait, ps__waiter *waiter)
{
    rouse(wait->engine, waiter);
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
        for (unsigned i = 0; i < 32; i += ps__spin(&waiter->word, 32 - i))
            if (ps__load_acquire(&waiter->word) != value)
                return true;
    } while (ps__now_ns() < end);
    return false;
}

int64_t ps__waiting_sleep_end(const ps__waiting *wait)
{
    const ps_hooks *hooks = wait->thread->hooks;
    if (hooks == NULL || hooks->interrupted == NULL)
        return wait->deadline;
    int64_t poll = ps__now_ns() + POLL_NS;
    return wait->deadline >= 0 && wait->deadline < poll ? wait->deadline : poll;
}

/* Called with the lock held and the waiter registered; returns with the lock held. */
void ps__waiting_sleep(ps__waiting *wait, ps__waiter *waiter)
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
        ps__waiting_unlock(wait);
        if (!spin(waiter, value))
            ps__futex_wait(&waiter->word, value, ps__waiting_sleep_end(wait));
    }
    ps__lock_take(&engine->lock);
    if (nested)
        unlist_helper(wait, waiter);
}

/* A fork is under way: a thread that is inside of no task stays here, without the frontend's lock,
 * until it is over. One that is inside of a task must come to the end of that. */
bool ps__waiting_stay_out(ps__waiting *wait)
{
    ps_engine *engine = wait->engine;
    if (wait->thread->frame != NULL)
        return false;
    ps__unlock(&engine->lock);
    ps__waiting_unlock(wait);
    ps__lock_take(&engine->lock);
    ps__park_wait(engine);
    return true;
}

/* The child of a fork, on its way out of a task that forked, is in a wait that began with workers
 * that are not there. */
static ps_status ensure_workers(ps__waiting *wait)
{
    ps__unlock(&wait->engine->lock);
    ps_status status = ps__workers_ensure(wait->engine);
    ps__lock_take(&wait->engine->lock);
    return status;
}

/* Not done yet: is there a reason to stop? Lock held; given up while hooks are asked. */
ps_status ps__waiting_ask(ps__waiting *wait)
{
    if (PS_UNLIKELY(ps__load(&wait->engine->forked)) && !ps__load(&wait->engine->started)) {
        ps_status status = ensure_workers(wait);
        if (status != PS_OK)
            return status;
    }
    if (timed_out(wait))
        return PS_ERR_TIMEOUT;
    if (!wait->asks)
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
