/* Turns: what a worker needs the lock for between two pieces, done by another thread that has it.
 *
 * The worker publishes the one piece and takes the other. While a thread pushes one task after the
 * other, both want the lock all the time; each change costs the pusher more than a push, and what the
 * lock guards moves from cache to cache and back. So a worker that sees how tasks are pushed says what it
 * wants instead, and looks at nothing but a line of its own. The pusher, who has the lock and all the
 * records at hand, publishes the piece and fills the next one. If nobody does so soon, the worker takes
 * the lock, and serves those who wait as it does.
 *
 * Invariants
 *   - engine->turns is a list to which workers add at any time, and from which only the holder of the
 *     lock takes, one at a time.
 *   - From when a turn is in the list until it is answered, it, the worker's piece and its frame belong
 *     to whoever holds the lock; the worker waits. Adding releases them, the answer gives them back.
 *   - A worker whose turn is not answered takes the lock itself: nobody depends on being served.
 *   - A turn is served in one step under the lock, so invariant 8 holds: its frame tells before what is
 *     to be published and after what is taken. */
#include "engine/internal.h"

enum {
    LOOK = 16,    /* pauses between two looks at more than the own line */
    AT_A_TIME = 2 /* that a pusher serves: its push lasts longer by that */
};
#define SOON 2000       /* ns after which a worker that nobody has served takes the lock */
#define PATIENCE 20000  /* ns that one waits, once published, to be given another piece */
#define PUSH_EVERY 3000 /* ns: who pushes less often will not come by in time */
#define PUSHES_LEAST 4

/* Tasks are pushed often enough that a pusher will soon have the lock. */
static bool pushes_go_on(const ps_engine *engine, const ps__worker *worker)
{
    uint64_t pushes = ps__load(&engine->sequence) - worker->frame.newest;
    return pushes >= PUSHES_LEAST && pushes * PUSH_EVERY >= worker->piece.cost;
}

static void post(ps_engine *engine, ps__worker *worker)
{
    ps__virtual_line(); /* the list's */
    ps__worker *first = ps__load(&engine->turns);
    do
        worker->turn.next = first;
    while (!ps__cas(&engine->turns, &first, worker));
}

/* ---- Serving: under the lock ------------------------------------------------------------- */

/* Nobody else takes from the list, so that the first one is there until it is taken. */
static ps__worker *pop(ps_engine *engine)
{
    ps__worker *first = ps__load_acquire(&engine->turns); /* pairs with post */
    while (first != NULL && !ps__cas(&engine->turns, &first, first->turn.next))
        continue;
    if (first != NULL)
        ps__virtual_line(); /* the list's */
    return first;
}

static void answer(ps_engine *engine, ps__worker *worker)
{
    ps__virtual_line(); /* the turn's, to be written */
    ps__workers_call(engine, false, &worker->turn.calls);
    ps__store_release(&worker->turn.answered, 1);
    ps__virtual_freed(&worker->turn.answered);
}

/* Records go to `window`, that of who serves. */
static void begin(ps_engine *engine, ps__window *window, ps__worker *worker)
{
    ps__virtual_line(); /* the turn's, to be read */
    if (worker->turn.woken)
        engine->waking--;
    else
        ps__piece_end(engine, worker->thread, window, &worker->frame);
    worker->turn.begun = true;
}

static bool give(ps_engine *engine, ps__worker *worker)
{
    worker->turn.given = ps__worker_take(engine, worker);
    return worker->turn.given;
}

/* There is nothing for it. One of them waits to be given something, and so is the one that watches; the
 * others sleep. */
static bool let_wait(ps_engine *engine, ps__worker *worker)
{
    if (engine->watchers != 0 && !worker->watching) {
        ps__worker_list_sleeper(engine, worker);
        worker->turn.sleeps = true;
        return false;
    }
    engine->watchers = 1;
    worker->watching = true;
    engine->patient = worker;
    return true;
}

/* False: it is not answered yet. */
static bool see_to(ps_engine *engine, ps__worker *worker)
{
    return give(engine, worker) || !ps__worker_is_free(engine, worker) || !let_wait(engine, worker);
}

static void give_patient(ps_engine *engine)
{
    ps__worker *worker = engine->patient;
    if (!give(engine, worker))
        return;
    engine->patient = NULL;
    answer(engine, worker);
}

void ps__turns_serve_some(ps_engine *engine, ps__window *window)
{
    if (engine->patient != NULL)
        give_patient(engine);
    for (int i = 0; i < AT_A_TIME; i++) {
        ps__worker *worker = pop(engine);
        if (worker == NULL)
            return;
        engine->served++;
        begin(engine, window, worker);
        if (see_to(engine, worker))
            answer(engine, worker);
    }
}

/* ---- Waiting ----------------------------------------------------------------------------- */

static bool is_answered(const ps__worker *worker)
{
    return ps__load_acquire(&worker->turn.answered) != 0;
}

/* False: nobody came by, or there is something that it had better see to. */
static bool wait_for_answer(const ps_engine *engine, const ps__worker *worker)
{
    int64_t now = ps__now_ns(), soon = now + SOON, end = now + PATIENCE;
    uint64_t newest = ps__load(&engine->sequence);
    for (; now < end; now = ps__now_ns()) {
        for (unsigned i = 0; i < LOOK; i += ps__spin(&worker->turn.answered, LOOK - i))
            if (is_answered(worker))
                return true;
        if (ps__load(&engine->hint) != 0)
            return false;
        if (now < soon)
            continue;
        uint64_t sequence = ps__load(&engine->sequence); /* in a line that pushers need */
        if (sequence == newest)
            return false;
        newest = sequence;
        soon = now + SOON;
    }
    return is_answered(worker);
}

static ps__turned outcome(const ps__worker *worker)
{
    return worker->turn.given    ? PS__TURN_GIVEN
           : worker->turn.sleeps ? PS__TURN_SLEEP
                                 : PS__TURN_ENDED;
}

/* With the lock, which is kept if there is nothing to be given. */
static ps__turned help_oneself(ps_engine *engine, ps__worker *worker)
{
    ps__lock_take(&engine->lock);
    ps__window *window = ps__thread_window_at_hand(worker->thread, engine);
    if (engine->patient == worker)
        engine->patient = NULL;   /* it goes on to watch */
    while (!worker->turn.begun) { /* and so it is in the list */
        ps__worker *other = pop(engine);
        begin(engine, window, other);
        if (other != worker && see_to(engine, other))
            answer(engine, other);
    }
    ps__turned turned = outcome(worker);
    if (turned != PS__TURN_ENDED)
        ps__unlock(&engine->lock);
    ps__workers_wake(&worker->turn.calls); /* of an answer that came late */
    return turned;
}

static ps__turned wait_for_turn(ps_engine *engine, ps__worker *worker, bool woken)
{
    worker->turn = (ps__turn){.woken = woken};
    post(engine, worker);
    if (!wait_for_answer(engine, worker))
        return help_oneself(engine, worker);
    ps__workers_wake(&worker->turn.calls);
    ps__turned turned = outcome(worker);
    if (turned == PS__TURN_ENDED)
        ps__lock_take(&engine->lock);
    return turned;
}

ps__turned ps__turn_done(ps_engine *engine, ps__worker *worker)
{
    /* What a task does is traced by the thread that does it. */
    if (!pushes_go_on(engine, worker) || ps__load(&engine->tracing))
        return PS__TURN_OWN;
    return wait_for_turn(engine, worker, false);
}

ps__turned ps__turn_woken(ps_engine *engine, ps__worker *worker)
{
    if (ps__load(&engine->hint) != 0)
        return PS__TURN_OWN;
    return wait_for_turn(engine, worker, true);
}
