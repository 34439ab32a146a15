/* Tasks that have left their window before they were taken, and may be grouped.
 *
 * A window is emptied when its owner sleeps, or is not the one to run what is in it: a thread that
 * can be interrupted leaves dear tasks to the workers. The first of a chain of tasks is then ready,
 * the others are pending. Whoever takes the first takes with it what it can be grouped with: what
 * waits for nothing but members of the piece, and what is ready and shares variables with them.
 *
 * All under the engine's lock. */
#include "engine/internal.h"

#include <stdlib.h>

typedef struct connecting {
    ps_engine *engine;
    const ps__permit *permit;
    ps__piece *piece;
    uint32_t number; /* of the piece */
    uint64_t need;   /* marks the variables of its members */
    bool too_dear;   /* something belongs to it that this thread may not run */
} connecting;

static void connect_task(connecting *c, ps_task *task)
{
    if (task->state == PS__READY)
        ps__ready_remove(&c->engine->ready, task);
    ps__piece_add(task, c->number, c->piece);
    ps__window_need(task, c->need);
}

/* Whether it may be added; notes if it would be, but for its cost. A thread that is inside of a task
 * takes what it may: it could be the last one that runs anything. */
static bool belongs(connecting *c, ps_task *task)
{
    if (!ps__connects(c->engine, task) || !ps__piece_fits(task, c->number))
        return false;
    if (ps__run_allowed(task, c->permit))
        return true;
    ps__permit rich = *c->permit;
    rich.dearest = UINT64_MAX;
    c->too_dear |= c->permit->limit == UINT64_MAX && ps__run_allowed(task, &rich);
    return false;
}

/* What waits for a member, and for nothing else. */
static void add_waiting(connecting *c, ps_task *member)
{
    ps__walk walk = ps__walk_begin(member);
    for (ps__access *access; (access = ps__walk_next(&walk)) != NULL;) {
        ps_var *var = ps__access_var(access);
        while (var->piece_next != NULL && c->piece->count < PS__PIECE) {
            ps_task *task = ps__access_task(var->piece_next);
            if (task->state != PS__PENDING || !belongs(c, task))
                break;
            connect_task(c, task);
        }
    }
}

/* What is ready and shares variables with members, among the oldest. */
static void add_ready(connecting *c)
{
    ps_task *task = c->engine->ready.first, *next;
    for (uint32_t i = 0; i < PS__PIECE && task != NULL && c->piece->count < PS__PIECE; i++) {
        next = task->next;
        if (ps__window_touches(task, c->need) && belongs(c, task))
            connect_task(c, task);
        task = next;
    }
}

/* Back to where they were. */
static void undo(connecting *c)
{
    for (uint32_t i = 0; i < c->piece->count; i++) {
        ps_task *task = c->piece->tasks[i];
        if (task->waiting != 0)
            task->state = PS__PENDING;
        else
            ps__graph_make_ready(c->engine, task);
    }
    c->piece->count = 0;
    c->piece->cost = 0;
}

bool ps__connect(ps_engine *engine, ps_task *first, const ps__permit *permit, ps__piece *piece)
{
    connecting c = {.engine = engine,
                    .permit = permit,
                    .piece = piece,
                    .number = ps__piece_number(engine),
                    .need = ++engine->need};
    ps__piece_clear(piece, false, true);
    connect_task(&c, first);
    for (uint32_t i = 0; i < piece->count && !c.too_dear; i++) {
        add_waiting(&c, piece->tasks[i]);
        if (i + 1 == piece->count)
            add_ready(&c);
    }
    if (c.too_dear)
        undo(&c);
    else
        qsort(piece->tasks, piece->count, sizeof piece->tasks[0], ps__by_sequence);
    ps__hint_update(engine);
    return piece->count != 0;
}
