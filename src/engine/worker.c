/* Workers: the threads of an engine.
 *
 * A worker runs what it can find: pieces of parallel loops first (a task waits for them), then
 * device queues (so that devices stay busy), then what is ready, then what has passed its hold
 * in somebody's window. If there is nothing, at most one idle worker stays awake to watch; the
 * others sleep.
 *
 * The watcher polls without the lock: first busily, then in naps. It goes to sleep only under
 * the lock and only when no window holds a task and nothing is ready. Whoever creates work under
 * the lock and sees no watcher claims a sleeper there and then and wakes it after the unlock. So
 * no wake-up is lost: the last look of the watcher and the pusher's look at `watchers` are
 * ordered by the lock. A worker that stops watching because it found work leaves the watch to a
 * sleeper if there is more to do; if there is much, several sleepers are called, as far as there are
 * processors for them, and those call others.
 *
 * Parking: while a fork is under way nobody begins anything for its own sake. But a task that has
 * begun must come to its end, and it may wait for older ones, or share a loop: workers run just
 * those (work_for_begun). Who parks sleeps on `park_word`, which changes whenever there may be such
 * work, when a thread leaves what it was inside of, and at the end of the fork.
 *
 * Holds: when the watcher finds a window occupied it notes the newest sequence number and the
 * time. When the hold has passed since, all tasks up to that number are ripe. No clock is read
 * when a task is pushed. */
#include "engine/internal.h"

#include "base/schedule.h"
#include "base/topology.h"

#include <stdio.h>

/* All in nanoseconds. */
#define SPIN 20000       /* the watcher polls for this long before it naps */
#define WAITED_OUT 20000 /* a hold that ends within this is waited for without a nap */
#define NAP 80000
#define WORTH_WAKING 80000 /* work for which one more worker is woken */

enum {
    LOOK = 16 /* pauses between two looks */
};
#define IDLE 2000000 /* without work for this long it sleeps */

/* ---- Claiming and waking --------------------------------------------------------------- */

/* While a fork is under way: a task that has begun sleeps in a wait, or shares a loop. */
static bool begun_needs_work(const ps_engine *engine)
{
    return engine->loops != NULL ||
           (engine->sleeping_helpers != NULL &&
            (engine->ready.count != 0 || engine->fresh != 0 || engine->lanes != NULL));
}

static bool something_to_do(const ps_engine *engine)
{
    if (PS_UNLIKELY(engine->parking))
        return begun_needs_work(engine);
    return engine->ready.count != 0 || engine->fresh != 0 || engine->lanes != NULL ||
           engine->loops != NULL;
}

static ps__worker *poke_word(ps_engine *engine, ps__worker *worker)
{
    /* Under the lock; the worker read the word under the lock before it slept. */
    ps__store_release(&worker->word, ps__load(&worker->word) + 1);
    engine->wakes++;
    return worker;
}

/* Off the list of sleepers; the caller wakes it after the unlock. */
static ps__worker *call_sleeper(ps_engine *engine)
{
    ps__worker *sleeper = engine->sleepers;
    engine->sleepers = sleeper->next_sleeper;
    engine->waking++;
    return poke_word(engine, sleeper);
}

/* What is in windows is left for a worker that is about to end a piece, and looks there then. */
static bool somebody_comes(const ps_engine *engine)
{
    return engine->brief > engine->asleep_in_tasks && engine->ready.count == 0 &&
           engine->lanes == NULL && engine->loops == NULL && !engine->parking;
}

ps__worker *ps__worker_claim(ps_engine *engine, bool urgent)
{
    if (engine->watchers != 0) {
        ps__worker *napping = engine->napping;
        if (PS_LIKELY(!urgent || napping == NULL))
            return NULL;
        engine->napping = NULL;
        return poke_word(engine, napping);
    }
    ps__worker *sleeper = engine->sleepers;
    if (sleeper == NULL || engine->exiting || !something_to_do(engine) || somebody_comes(engine))
        return NULL;
    engine->watchers = 1;
    sleeper->watching = true;
    return call_sleeper(engine);
}

/* What others could take, by its estimates. */
static uint64_t cost_at_hand(const ps_engine *engine)
{
    uint64_t cost = engine->ready.cost;
    for (const ps__window *window = ps__load(&engine->windows); window != NULL;
         window = ps__load(&window->next))
        cost += ps__window_worth_taking(window) ? window->cost : 0;
    return cost;
}

/* Enough is there for one more of those who sleep, and a processor. */
static bool wants_another(const ps_engine *engine)
{
    return engine->sleepers != NULL && (engine->fresh != 0 || engine->ready.count != 0) &&
           !engine->exiting && !engine->parking &&
           engine->running + engine->watchers + engine->waking < engine->processors &&
           cost_at_hand(engine) > (uint64_t)WORTH_WAKING * (engine->waking + 1);
}

void ps__worker_wake(ps__worker *worker)
{
    ps__futex_wake(&worker->word, 1);
}

void ps__workers_call(ps_engine *engine, bool urgent, ps__calls *calls)
{
    const unsigned most = sizeof calls->workers / sizeof calls->workers[0];
    calls->workers[0] = ps__worker_claim(engine, urgent);
    calls->count = calls->workers[0] != NULL;
    while (PS_UNLIKELY(engine->sleepers != NULL) && calls->count < most && wants_another(engine))
        calls->workers[calls->count++] = call_sleeper(engine);
}

void ps__workers_wake(const ps__calls *calls)
{
    for (unsigned i = 0; i < calls->count; i++)
        ps__worker_wake(calls->workers[i]);
}

/* Somebody watches, and there is nothing for anybody else: what ps__workers_call would find, at once. */
static inline bool nobody_is_wanted(const ps_engine *engine, bool urgent)
{
    return engine->watchers != 0 && !urgent && engine->fresh == 0 && engine->ready.count == 0;
}

void ps__engine_unlock_and_wake(ps_engine *engine, bool urgent)
{
    if (nobody_is_wanted(engine, urgent)) {
        ps__unlock(&engine->lock);
        return;
    }
    ps__calls calls;
    ps__workers_call(engine, urgent, &calls);
    ps__unlock(&engine->lock);
    ps__workers_wake(&calls);
}

/* ---- Running and parking --------------------------------------------------------------- */

void ps__running_begin(ps_engine *engine)
{
    engine->running++;
}

void ps__running_end(ps_engine *engine)
{
    engine->running--;
    if (PS_UNLIKELY(engine->progress_waiters != 0))
        ps__progress(engine);
    if (PS_UNLIKELY(engine->parking))
        ps__park_call(engine);
}

void ps__park_call(ps_engine *engine)
{
    ps__store(&engine->park_word, ps__load(&engine->park_word) + 1);
    ps__futex_wake(&engine->park_word, INT32_MAX);
}

static void park_once(ps_engine *engine)
{
    uint32_t value = ps__load(&engine->park_word); /* changes under the lock, which is held */
    ps__unlock(&engine->lock);
    ps__futex_wait(&engine->park_word, value, -1);
    ps__lock_take(&engine->lock);
}

void ps__park_wait(ps_engine *engine)
{
    while (engine->parking)
        park_once(engine);
}

/* ---- Watching -------------------------------------------------------------------------- */

/* When some window will have ripe tasks, as far as can be told; INT64_MAX: none has tasks. Notes what
 * it sees. Without the lock: `seen` and `seen_time` belong to the watcher, the role is handed over
 * under the lock. */
static int64_t look_at_windows(ps_engine *engine, int64_t now)
{
    int64_t first = INT64_MAX;
    /* Pairs with the release store that published the window. */
    for (ps__window *window = ps__load_acquire(&engine->windows); window != NULL;
         window = ps__load_acquire(&window->next)) {
        if (!ps__load(&window->occupied)) {
            window->seen_time = 0;
            continue;
        }
        if (window->seen_time == 0) {
            window->seen = ps__load(&engine->sequence);
            window->seen_time = now;
        }
        int64_t ripe = window->seen_time + ps__load(&window->hold);
        first = ripe < first ? ripe : first;
    }
    return first;
}

/* Under the lock, by the watcher: what it saw long enough ago may be taken. */
static void ripen(ps_engine *engine)
{
    int64_t now = ps__now_ns();
    for (ps__window *window = ps__load(&engine->windows); window != NULL;
         window = ps__load(&window->next)) {
        if (window->seen_time == 0 || now - window->seen_time < ps__load(&window->hold))
            continue;
        window->ripe = window->seen;
        window->seen = ps__load(&engine->sequence);
        window->seen_time = now;
    }
}

void ps__worker_list_sleeper(ps_engine *engine, ps__worker *worker)
{
    worker->sleeps_at = ps__load(&worker->word); /* changes under the lock */
    worker->next_sleeper = engine->sleepers;
    engine->sleepers = worker;
}

/* By a worker that is listed, without the lock. True: it was called and given a piece. False: it was
 * called; the lock is held. */
static bool sleep_until_called(ps_engine *engine, ps__worker *worker)
{
    ps__turned turned;
    do {
        worker->idle_since = 0;
        /* Acquire: pairs with poke_word. */
        while (ps__load_acquire(&worker->word) == worker->sleeps_at)
            ps__futex_wait(&worker->word, worker->sleeps_at, -1);
        turned = ps__turn_woken(engine, worker);
    } while (turned == PS__TURN_SLEEP);
    if (turned == PS__TURN_OWN) {
        ps__lock_take(&engine->lock);
        engine->waking--;
    }
    worker->worked = turned == PS__TURN_GIVEN;
    return turned == PS__TURN_GIVEN;
}

/* By a worker that has begun a piece, without the lock, which is held on return. */
static void run_given(ps_engine *engine, ps__worker *worker)
{
    while (ps__run_given(engine, worker) && sleep_until_called(engine, worker))
        continue;
}

static void nap(ps_engine *engine, ps__worker *worker, int64_t until)
{
    ps__lock_take(&engine->lock);
    if (ps__load(&engine->hint) == 0) {
        engine->napping = worker;
        uint32_t value = ps__load(&worker->word);
        ps__unlock(&engine->lock);
        ps__threads_poke(1);
        ps__futex_wait(&worker->word, value, until);
        ps__lock_take(&engine->lock);
        if (engine->napping == worker)
            engine->napping = NULL;
    }
    ps__unlock(&engine->lock);
}

static void watch(ps_engine *engine, ps__worker *worker)
{
    ps__unlock(&engine->lock);
    int64_t began = ps__now_ns();
    /* Busily only right after work, when more is likely: a thread that has just been woken, or has
     * napped in vain, would take the time from others. */
    int64_t spin = worker->worked ? SPIN : 0;
    worker->worked = false;
    if (worker->idle_since == 0)
        worker->idle_since = began;
    for (int64_t now = began;; now = ps__now_ns()) {
        int64_t ripe = look_at_windows(engine, now);
        if (ps__load(&engine->hint) != 0 || ripe <= now)
            break;
        /* A hold that ends soon is waited out: getting up from a nap takes longer than that. */
        if (now - began < spin || ripe - now <= WAITED_OUT) {
            for (int i = 0; i < LOOK; i++)
                ps__pause();
            continue;
        }
        nap(engine, worker, ripe < now + NAP ? ripe : now + NAP);
        break;
    }
    ps__lock_take(&engine->lock);
    ripen(engine);
}

static void leave_watch(ps_engine *engine, ps__worker *worker)
{
    if (!worker->watching)
        return;
    worker->watching = false;
    engine->watchers = 0;
}

/* Under the lock, with nothing found to run. */
static void idle(ps_engine *engine, ps__worker *worker)
{
    if (!worker->watching && engine->watchers == 0) {
        engine->watchers = 1;
        worker->watching = true;
    }
    bool long_idle = worker->idle_since != 0 && ps__now_ns() - worker->idle_since >= IDLE;
    if (worker->watching && !engine->exiting && !(long_idle && engine->fresh == 0)) {
        watch(engine, worker);
        return;
    }
    leave_watch(engine, worker);
    ps__worker_list_sleeper(engine, worker);
    ps__unlock(&engine->lock);
    if (sleep_until_called(engine, worker))
        run_given(engine, worker);
}

static void stop_watching(ps_engine *engine, ps__worker *worker)
{
    worker->idle_since = 0;
    worker->worked = true;
    leave_watch(engine, worker);
}

/* ---- Working --------------------------------------------------------------------------- */

/* For a thread that pushes and serves others: up to where they may take, if that is enough for a piece.
 * For what may be grouped, what was pushed since is as good as time. */
static uint64_t left_alone(const ps__window *window)
{
    enum { PUSHES = 32 };
    uint32_t count = window->tail - window->head, since = window->fusable ? PUSHES : 0;
    if (!ps__window_worth_taking(window) || count <= since ||
        window->cost / count * (count - since) < ps__piece_enough(window->engine))
        return window->ripe;
    uint64_t older = window->tasks[window->tail - 1 - since]->sequence;
    return older > window->ripe ? older : window->ripe;
}

/* Up to where the thread may take from a window. */
static uint64_t newest_of(const ps__window *window, const ps__thread *thread)
{
    return window->owner == thread               ? UINT64_MAX
           : window->owner == ps__thread_current ? left_alone(window)
                                                 : window->ripe;
}

static uint64_t enough_of(const ps__window *window)
{
    if (!ps__window_worth_taking(window))
        return UINT64_MAX;
    return window->owner == ps__thread_current ? ps__piece_enough(window->engine) : PS__COST_PIECE;
}

static bool take_from_windows(ps_engine *engine, const ps__thread *thread, ps__piece *piece)
{
    if (engine->watchers == 0 && engine->fresh != 0) { /* as whoever watches would do */
        look_at_windows(engine, ps__now_ns());
        ripen(engine);
    }
    for (ps__window *window = ps__load(&engine->windows); window != NULL;
         window = ps__load(&window->next)) {
        uint64_t newest = newest_of(window, thread);
        if (window->head == window->tail || window->tasks[window->head]->sequence > newest)
            continue;
        uint64_t enough = enough_of(window);
        if (ps__window_take(window, newest, enough, piece))
            return true;
    }
    return false;
}

static bool take(ps_engine *engine, const ps__thread *thread, ps__piece *piece)
{
    return ps__run_take_ready(engine, &ps__permit_all, piece) ||
           take_from_windows(engine, thread, piece) ||
           ps__run_take_ready(engine, &ps__permit_all, piece);
}

static bool must_leave(const ps_engine *engine, const ps__worker *worker)
{
    return engine->stopping || worker->index >= ps__load(&engine->workers_wanted);
}

bool ps__worker_is_free(const ps_engine *engine, const ps__worker *worker)
{
    return !engine->exiting && !engine->parking && engine->loops == NULL && engine->lanes == NULL &&
           !must_leave(engine, worker);
}

bool ps__worker_take(ps_engine *engine, ps__worker *worker)
{
    if (!ps__worker_is_free(engine, worker) || !take(engine, worker->thread, &worker->piece))
        return false;
    leave_watch(engine, worker);
    ps__piece_begin(engine, worker->thread, &worker->piece, &worker->frame);
    return true;
}

static bool work_once(ps_engine *engine, ps__worker *worker)
{
    if (engine->exiting)
        return false;
    ps__thread *thread = worker->thread;
    if (engine->loops != NULL || engine->lanes != NULL) {
        bool was_watching = worker->watching;
        stop_watching(engine, worker);
        if (ps__loop_join(engine, thread) || ps__queue_run_lane(engine, thread))
            return true;
        if (was_watching && engine->watchers == 0) {
            worker->watching = true;
            engine->watchers = 1;
        }
    }
    /* What leaves a window unready changes nothing that a watcher must do. */
    if (!take(engine, thread, &worker->piece))
        return false;
    stop_watching(engine, worker);
    ps__piece_begin(engine, thread, &worker->piece, &worker->frame);
    ps__engine_unlock_and_wake(engine, false);
    run_given(engine, worker);
    return true;
}

/* All that may be older than a task which sleeps in a wait: its own thread looks for it first, but
 * may not be permitted to run it. */
static ps__permit permit_for_begun(const ps_engine *engine)
{
    ps__permit permit = {0, UINT64_MAX, true};
    for (const ps__waiter *at = engine->sleeping_helpers; at != NULL; at = at->next_helper)
        if (permit.limit < at->limit)
            permit.limit = at->limit;
    return permit;
}

/* While a fork is under way: what those need who are inside of tasks. */
static bool work_for_begun(ps_engine *engine, ps__worker *worker)
{
    if (engine->exiting || !begun_needs_work(engine))
        return false;
    ps__thread *thread = worker->thread;
    stop_watching(engine, worker);
    if (ps__loop_join(engine, thread))
        return true;
    if (engine->sleeping_helpers == NULL)
        return false;
    ps__permit permit = permit_for_begun(engine);
    ps__windows_flush(engine);
    if (ps__run_take_ready(engine, &permit, &worker->piece)) {
        ps__run_piece(engine, thread, &worker->piece, NULL);
        return true;
    }
    ps_task *task = ps__run_next_issue(engine, &permit);
    return task != NULL && ps__queue_issue_ready(engine, thread, task);
}

static void leave(ps_engine *engine, ps__worker *worker)
{
    /* Nothing changes its mind: who asks for more from now on starts another with this index. */
    engine->worker_bits[worker->index / 64] &= ~(UINT64_C(1) << worker->index % 64);
    stop_watching(engine, worker);
    ps__waiters_offer(engine);
    ps__engine_unlock_and_wake(engine, false);
    ps__thread_end(worker->thread);
    ps__lock_take(&engine->lock);
    engine->workers_present--;
    ps__store(&engine->progress, ps__load(&engine->progress) + 1);
    ps__futex_wake(&engine->progress, INT32_MAX);
    ps__unlock(&engine->lock);
    ps__free(worker);
}

static void *worker_main(void *arg)
{
    ps__worker *worker = arg;
    ps_engine *engine = worker->engine;
    ps__schedule_promptly();
    ps__thread_enter_worker(worker->thread, worker->index + 1);
    ps__lock_take(&engine->lock);
    while (!must_leave(engine, worker)) {
        if (PS_UNLIKELY(engine->parking)) {
            if (!work_for_begun(engine, worker))
                park_once(engine);
        } else if (!work_once(engine, worker)) {
            idle(engine, worker);
        }
    }
    leave(engine, worker);
    return NULL;
}

/* ---- Starting and stopping ------------------------------------------------------------- */

static ps_status start_thread(ps_engine *engine, unsigned index)
{
    ps__worker *worker = ps__calloc_aligned(_Alignof(ps__worker), sizeof *worker);
    ps__thread *thread = ps__thread_prepare();
    if (worker != NULL && thread != NULL) {
        char name[24];
        snprintf(name, sizeof name, "penstock-%u", index);
        worker->engine = engine;
        worker->index = index;
        worker->thread = thread;
        if (ps__thread_start(worker_main, worker, name))
            return PS_OK;
    }
    bool memory = worker == NULL || thread == NULL;
    ps__free(worker);
    ps__free(thread);
    return memory ? ps__fail(PS_ERR_MEMORY, "no memory to start worker %u", index)
                  : ps__fail(PS_ERR_THREAD, "worker %u could not be started", index);
}

/* Under the lock; gives it up meanwhile. */
static ps_status start_one(ps_engine *engine, unsigned index)
{
    engine->worker_bits[index / 64] |= UINT64_C(1) << index % 64;
    engine->workers_present++;
    ps__unlock(&engine->lock);
    ps_status status = start_thread(engine, index);
    ps__lock_take(&engine->lock);
    if (status != PS_OK) {
        engine->worker_bits[index / 64] &= ~(UINT64_C(1) << index % 64);
        engine->workers_present--;
    }
    return status;
}

/* Under the lock. */
static ps_status start_missing(ps_engine *engine)
{
    ps_status status = PS_OK;
    for (unsigned i = 0; i < ps__load(&engine->workers_wanted) && status == PS_OK; i++)
        if (!(engine->worker_bits[i / 64] >> i % 64 & 1))
            status = start_one(engine, i);
    return status;
}

ps_status ps__workers_ensure(ps_engine *engine)
{
    ps__lock_take(&engine->lock);
    ps_status status = PS_OK;
    if (!ps__load(&engine->started)) {
        status = start_missing(engine);
        /* One worker is enough to go on; the rest are tried again by ps_engine_set_workers. */
        if (engine->workers_present != 0) {
            ps__store(&engine->started, 1);
            status = PS_OK;
        }
    }
    ps__unlock(&engine->lock);
    return status;
}

static void wake_all(ps_engine *engine)
{
    while (engine->sleepers != NULL)
        ps__worker_wake(call_sleeper(engine));
    if (engine->napping != NULL)
        ps__worker_wake(poke_word(engine, engine->napping));
}

ps_status ps__workers_set(ps_engine *engine, unsigned count)
{
    unsigned processors = ps__topology_processors();
    ps__lock_take(&engine->lock);
    unsigned old = ps__load(&engine->workers_wanted);
    ps__store(&engine->workers_wanted, count);
    engine->processors = processors;
    ps_status status = PS_OK;
    if (count != 0 && ps__load(&engine->started))
        status = start_missing(engine);
    if (status != PS_OK)
        ps__store(&engine->workers_wanted, old);
    wake_all(engine); /* those that must leave see it; the others go back to sleep */
    ps__unlock(&engine->lock);
    return status;
}
