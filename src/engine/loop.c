/* Parallel loops: the pieces of a loop are claimed one by one by the thread that called it and by
 * workers that have nothing else to do; as many threads together as there are workers, since one
 * more would only take a processor away from another. How the loop is cut depends on its arguments
 * alone.
 *
 * The pieces are dealt out in as many parts. A thread begins with the part that its number stands for,
 * and goes on with the others': so when operations follow each other on the same data, the same core
 * mostly has the same elements.
 *
 * A trace shows each thread's stretch of a loop, its caller's too, with the task that the loop
 * belongs to: of all stretches of a loop the pieces add up to what it has. */
#include "engine/internal.h"

enum { PARTS = 16 }; /* at most */

/* Pieces [next, end), in a line of its own. */
typedef struct part {
    _Alignas(64) _Atomic size_t next; /* to be claimed; relaxed: pieces are independent, and the
                                          caller's lock at the end orders all they wrote */
    size_t end;                       /* constant */
} part;

/* On the stack of the caller, who leaves only when nobody is joined. */
struct ps__loop {
    ps_loop_fn body;
    void *arg;
    size_t count, grain, pieces;
    part *parts; /* of the caller's stack too; both constant once it is listed */
    unsigned part_count;
    ps__lock failure_lock; /* guards the next two; a leaf */
    size_t failed_piece;
    ps_status status;
    uint32_t joined;     /* under the engine's lock */
    bool listed;         /* under the engine's lock */
    ps__word left;       /* changes when the last one leaves */
    ps__loop *next_loop; /* under the engine's lock */
    ps_engine *engine;   /* constant from here on */
    ps__thread *owner;
    uint64_t sequence; /* of the task that it belongs to, for traces; 0: none */
    const char *name;  /* of that task */
    bool in_task;      /* a task cannot end before it */
    ps__loop *outer;   /* the one around it that the same thread shares */
};

static void run_piece_of(ps__loop *loop, size_t piece)
{
    size_t begin = piece * loop->grain;
    size_t end = loop->count - begin > loop->grain ? begin + loop->grain : loop->count;
    ps_status status = ps__status_checked(loop->body(begin, end, loop->arg));
    if (PS_LIKELY(status == PS_OK))
        return;
    ps__lock_take(&loop->failure_lock);
    if (loop->status == PS_OK || piece < loop->failed_piece) {
        loop->status = status;
        loop->failed_piece = piece;
    }
    ps__unlock(&loop->failure_lock);
}

static bool trace_begin(ps_engine *engine, const ps__loop *loop)
{
    if (PS_LIKELY(!ps__load(&engine->tracing)) || loop->pieces == 1)
        return false;
    ps__trace_loop(engine, PS_TRACE_LOOP, loop->sequence, loop->name, loop->pieces);
    return true;
}

static void deal_out(ps__loop *loop, size_t parts)
{
    loop->part_count = (unsigned)parts;
    for (size_t i = 0; i < parts; i++) {
        ps__store(&loop->parts[i].next, loop->pieces * i / parts);
        loop->parts[i].end = loop->pieces * (i + 1) / parts;
    }
}

/* The next piece of a part, if there is one. The look before spares those who come last a line. */
static bool claim(part *from, size_t *piece)
{
    return ps__load(&from->next) < from->end && (*piece = ps__add(&from->next, 1)) < from->end;
}

/* Claims and runs pieces until none is left. */
static void run_pieces(ps_engine *engine, ps__thread *thread, ps__loop *loop)
{
    const ps__loop *outer = thread->loop;
    size_t done = 0, piece;
    bool traced = false;
    thread->loop = loop;
    thread->loops++;
    for (unsigned i = 0; i < loop->part_count; i++) {
        part *from = &loop->parts[(thread->id + i) % loop->part_count];
        for (; claim(from, &piece); done++) {
            if (done == 0)
                traced = trace_begin(engine, loop);
            run_piece_of(loop, piece);
        }
    }
    thread->loops--;
    thread->loop = outer;
    if (PS_UNLIKELY(traced))
        ps__trace_loop(engine, PS_TRACE_LOOP_END, loop->sequence, loop->name, done);
}

/* A loop inside of a loop belongs to the same task, whichever thread calls it. */
static void find_task(const ps_engine *engine, const ps__thread *thread, ps__loop *loop)
{
    if (thread->loop != NULL) {
        loop->sequence = thread->loop->sequence;
        loop->name = thread->loop->name;
    } else if (thread->frame != NULL && thread->frame->engine == engine) {
        loop->sequence = thread->frame->sequence;
        loop->name = thread->frame->task->name;
    }
}

/* Under the lock. */
static void unlist(ps_engine *engine, ps__loop *loop)
{
    if (!loop->listed)
        return;
    ps__loop **link = &engine->loops;
    while (*link != loop)
        link = &(*link)->next_loop;
    *link = loop->next_loop;
    loop->listed = false;
    ps__hint_update(engine);
}

bool ps__loop_join(ps_engine *engine, ps__thread *thread)
{
    ps__loop *loop = engine->loops;
    while (PS_UNLIKELY(engine->parking) && loop != NULL && !loop->in_task)
        loop = loop->next_loop; /* it can go on after the fork */
    if (loop == NULL)
        return false;
    if (++loop->joined + 1 >= ps__load(&engine->workers_wanted))
        unlist(engine, loop);
    ps__running_begin(engine);
    ps__engine_unlock_and_wake(engine, false);
    ps_engine *outer = thread->joined;
    thread->joined = engine;
    run_pieces(engine, thread, loop);
    thread->joined = outer;
    ps__lock_take(&engine->lock);
    unlist(engine, loop);
    if (--loop->joined == 0) {
        /* Pairs with the acquire load in wait_for_joined; only the address is used after it. */
        ps__word *left = &loop->left;
        ps__store_release(left, 1);
        ps__futex_wake(left, 1);
    }
    ps__running_end(engine);
    return true;
}

static void wait_for_joined(ps_engine *engine, ps__loop *loop)
{
    ps__lock_take(&engine->lock);
    unlist(engine, loop);
    while (loop->joined != 0) {
        ps__store(&loop->left, 0);
        ps__unlock(&engine->lock);
        for (unsigned i = 0; i < 2000 && ps__load_acquire(&loop->left) == 0;)
            i += ps__spin(&loop->left, 2000 - i);
        while (ps__load_acquire(&loop->left) == 0)
            ps__futex_wait(&loop->left, 0, -1);
        ps__lock_take(&engine->lock);
    }
    ps__unlock(&engine->lock);
}

/* Shares the loop with the workers, if there are any to be had. */
static void share(ps_engine *engine, ps__thread *thread, ps__loop *loop)
{
    if (ps__load_acquire(&engine->started) == 0 && ps__workers_ensure(engine) != PS_OK)
        return; /* this thread does it all */
    ps__lock_take(&engine->lock);
    if (ps__load(&engine->workers_wanted) < 2) {
        ps__unlock(&engine->lock);
        return; /* likewise */
    }
    size_t most =
        ps__load(&engine->workers_wanted) < PARTS ? ps__load(&engine->workers_wanted) : PARTS;
    deal_out(loop, loop->pieces < most ? loop->pieces : most);
    loop->owner = thread;
    loop->in_task = thread->frame != NULL;
    loop->outer = thread->shared;
    thread->shared = loop;
    loop->listed = true;
    loop->next_loop = engine->loops;
    engine->loops = loop;
    ps__hint_update(engine);
    if (PS_UNLIKELY(engine->parking))
        ps__park_call(engine);
    ps__engine_unlock_and_wake(engine, true);
}

ps_status ps_parallel_for(ps_engine *engine, size_t count, size_t grain, ps_loop_fn body, void *arg)
{
    ps_status status = ps__engine_check(engine);
    if (status != PS_OK)
        return status;
    if (body == NULL)
        return ps__fail(PS_ERR_ARGUMENT, "ps_parallel_for: body is NULL");
    if (count == 0)
        return PS_OK;
    ps__thread *thread = ps__thread_get();
    if (thread == NULL)
        return ps__fail(PS_ERR_MEMORY, "no memory for the state of this thread");
    if (grain == 0 || grain > count)
        grain = count;
    part parts[PARTS];
    ps__loop loop = {.engine = engine,
                     .body = body,
                     .arg = arg,
                     .parts = parts,
                     .count = count,
                     .grain = grain,
                     .pieces = (count - 1) / grain + 1};
    find_task(engine, thread, &loop);
    deal_out(&loop, 1);
    if (loop.pieces > 1)
        share(engine, thread, &loop);
    run_pieces(engine, thread, &loop);
    if (loop.owner != NULL) { /* it was shared */
        wait_for_joined(engine, &loop);
        thread->shared = loop.outer;
    }
    if (loop.status == PS_OK)
        return PS_OK;
    return ps__fail(loop.status, "piece %zu of a parallel loop failed: %s", loop.failed_piece,
                    ps_status_text(loop.status));
}

/* The others are gone, and with them the pieces that they had claimed. */
static void lose_joined(ps__loop *loop)
{
    if (loop->joined == 0)
        return;
    loop->joined = 0;
    loop->failure_lock = (ps__lock){0}; /* one of them may have held it */
    loop->status = PS_ERR_FORKED;
    loop->failed_piece = 0;
}

/* The owners of other loops are gone; this thread's go on without those who have joined. */
void ps__loops_fork_child(ps_engine *engine, const ps__thread *self)
{
    for (ps__loop **link = &engine->loops; *link != NULL;) {
        ps__loop *loop = *link;
        if (loop->owner != self) {
            loop->listed = false;
            *link = loop->next_loop;
        } else {
            link = &loop->next_loop;
        }
    }
    ps__hint_update(engine);
    for (ps__loop *loop = self != NULL ? self->shared : NULL; loop != NULL; loop = loop->outer)
        if (loop->engine == engine)
            lose_joined(loop);
}
