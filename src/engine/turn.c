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
#define PUSH_EVERY 1500 /* ns: who pushes less often will not come by in time */
#define PUSHES_LEAST 4

struct ps__turn {
    _Alignas(64) ps__word word; /* 1: answered. A release store; the worker's load acquires */
    bool published;             /* what is left is another piece */
    bool given;                 /* there is one */
    struct ps__turn *next;
    ps__worker *worker;
    ps__piece *piece;
    ps__frame *frame;
    ps__calls calls; /* the worker wakes them */
};

/* Tasks are pushed often enough that a pusher will soon have the lock. */
static bool pushes_go_on(const ps_engine *engine, const ps__piece *piece, const ps__frame *frame)
{
    uint64_t pushes = ps__load(&engine->sequence) - frame->newest;
    return pushes >= PUSHES_LEAST && pushes * PUSH_EVERY >= piece->cost;
}

static void post(ps_engine *engine, struct ps__turn *turn)
{
    struct ps__turn *first = ps__load(&engine->turns);
    do
        turn->next = first;
    while (!ps__cas(&engine->turns, &first, turn));
    ps__lock_disturbed(&engine->lock);
}

/* ---- Serving: under the lock ------------------------------------------------------------- */

/* Nobody else takes from the list, so that the first one is there until it is taken. */
static struct ps__turn *pop(ps_engine *engine)
{
    struct ps__turn *first = ps__load_acquire(&engine->turns); /* pairs with post */
    while (first != NULL && !ps__cas(&engine->turns, &first, first->next))
        continue;
    return first;
}

static void answer(ps_engine *engine, struct ps__turn *turn)
{
    ps__workers_call(engine, false, &turn->calls);
    ps__store_release(&turn->word, 1);
    ps__virtual_freed(&turn->word);
}

static void publish(ps_engine *engine, ps__window *window, struct ps__turn *turn)
{
    ps__virtual_serve();
    ps__piece_end(engine, turn->worker->thread, window, turn->frame);
    turn->published = true;
}

static bool give(ps_engine *engine, struct ps__turn *turn)
{
    ps__worker *worker = turn->worker;
    turn->given = ps__worker_take(engine, worker, turn->piece);
    if (turn->given)
        ps__piece_begin(engine, worker->thread, turn->piece, turn->frame);
    return turn->given;
}

/* It will be given something, or look itself soon: it watches. */
static bool let_wait(ps_engine *engine, struct ps__turn *turn)
{
    if (engine->watchers != 0 || engine->exiting || engine->parking)
        return false;
    engine->watchers = 1;
    turn->worker->watching = true;
    engine->patient = turn;
    return true;
}

static void give_patient(ps_engine *engine)
{
    struct ps__turn *turn = engine->patient;
    if (!give(engine, turn))
        return;
    ps__virtual_serve();
    engine->patient = NULL;
    engine->watchers = 0;
    turn->worker->watching = false;
    answer(engine, turn);
}

void ps__turns_serve_some(ps_engine *engine, ps__window *window)
{
    if (engine->patient != NULL)
        give_patient(engine);
    for (int i = 0; i < AT_A_TIME; i++) {
        struct ps__turn *turn = pop(engine);
        if (turn == NULL)
            return;
        publish(engine, window, turn);
        if (give(engine, turn) || !let_wait(engine, turn))
            answer(engine, turn);
    }
}

/* ---- Waiting ----------------------------------------------------------------------------- */

static bool is_answered(const struct ps__turn *turn)
{
    return ps__load_acquire(&turn->word) != 0;
}

/* False: nobody came by, or there is something that it had better see to. */
static bool wait_for_answer(const ps_engine *engine, const struct ps__turn *turn)
{
    int64_t now = ps__now_ns(), soon = now + SOON, end = now + PATIENCE;
    uint64_t newest = ps__load(&engine->sequence);
    for (; now < end; now = ps__now_ns()) {
        for (unsigned i = 0; i < LOOK; i += ps__spin(&turn->word, LOOK - i))
            if (is_answered(turn))
                return true;
        uint64_t sequence = ps__load(&engine->sequence);
        if (sequence != newest)
            soon = now + SOON;
        if (now >= soon || ps__load(&engine->hint) != 0)
            return false;
        newest = sequence;
    }
    return is_answered(turn);
}

/* With the lock, which is kept if there is nothing to be given. */
static ps__turned help_oneself(ps_engine *engine, struct ps__turn *turn)
{
    ps__lock_take(&engine->lock);
    ps__window *window = ps__thread_window_at_hand(turn->worker->thread, engine);
    if (engine->patient == turn)
        engine->patient = NULL; /* it goes on to watch */
    while (!turn->published) {  /* and so it is in the list */
        struct ps__turn *other = pop(engine);
        publish(engine, window, other);
        if (other != turn) {
            give(engine, other);
            answer(engine, other);
        }
    }
    bool given = turn->given;
    if (given)
        ps__unlock(&engine->lock);
    ps__workers_wake(&turn->calls); /* of an answer that came late */
    return given ? PS__TURN_GIVEN : PS__TURN_ENDED;
}

ps__turned ps__turn(ps_engine *engine, ps__worker *worker, ps__piece *piece, ps__frame *frame)
{
    if (!pushes_go_on(engine, piece, frame) || ps__load(&engine->tracing))
        return PS__TURN_OWN;
    struct ps__turn turn = {.worker = worker, .piece = piece, .frame = frame};
    post(engine, &turn);
    if (!wait_for_answer(engine, &turn))
        return help_oneself(engine, &turn);
    ps__workers_wake(&turn.calls);
    if (turn.given)
        return PS__TURN_GIVEN;
    ps__lock_take(&engine->lock);
    return PS__TURN_ENDED;
}
