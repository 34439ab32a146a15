/* Windows: the tasks that a thread has pushed and nobody has taken yet.
 *
 * Small tasks stay here so that they can be taken as a piece: many of them for one take of the
 * lock, in sequence order, by one thread, which may then group them. A task whose accesses wait
 * only for members of the same piece is taken with them; one that waits for anything else is
 * PENDING from then on and comes back through the ready list. Each task is thus looked at once
 * (a take for a target may pass over some).
 *
 * How it is known that an access waits only for the piece: the variable notes the piece, how
 * many granted reads are in it and which waiting access comes next. Since a piece is built in
 * sequence order, those of a variable's queue that are in it are a prefix of the queue.
 *
 * All under the engine's lock. */
#include "engine/internal.h"

#include <stdlib.h>
#include <string.h>

static void reset_var(ps_var *var, void *arg)
{
    (void)arg;
    var->piece = 0;
}

uint32_t ps__piece_number(ps_engine *engine)
{
    if (PS_UNLIKELY(++engine->piece == 0)) { /* wrapped: old marks must not be taken for new */
        ps__blocks_each_var(engine, reset_var, NULL);
        engine->piece = 1;
    }
    return engine->piece;
}

static bool only_piece_before(const ps_var *var, const ps__access *access, uint32_t piece)
{
    if (var->piece != piece || var->piece_next != access)
        return false;
    if (PS_UNLIKELY(var->flags & PS__VAR_DEVICE) && var->issued->reads + var->issued->writes != 0)
        return false;
    return var->writer != NULL || var->piece_reads == var->reads;
}

bool ps__piece_fits(ps_task *task, uint32_t piece)
{
    if (PS_LIKELY(task->waiting == 0))
        return true;
    ps__walk walk = ps__walk_begin(task);
    for (ps__access *access; (access = ps__walk_next(&walk)) != NULL;)
        if (!(access->bits & PS__ACCESS_GRANTED) &&
            !only_piece_before(ps__access_var(access), access, piece))
            return false;
    return true;
}

static bool writes(ps_task *task, const ps_var *var)
{
    ps__walk walk = ps__walk_begin(task);
    for (ps__access *access; (access = ps__walk_next(&walk)) != NULL;)
        if (ps__access_var(access) == var)
            return access->bits & PS__ACCESS_WRITE;
    return false;
}

/* What `before` writes is there for the task after it alone, as far as is known. */
static bool is_passed_on(ps_task *before, ps_task *task)
{
    ps__walk walk = ps__walk_begin(task);
    for (ps__access *access; (access = ps__walk_next(&walk)) != NULL;)
        if (!(access->bits & PS__ACCESS_GRANTED) && access->next == NULL &&
            writes(before, ps__access_var(access)))
            return true;
    return false;
}

void ps__window_count_bytes(ps__window *window, ps_task *task)
{
    ps_engine *engine = window->engine;
    engine->fresh_bytes += task->bytes;
    ps_task *before = window->tail - window->head > 1 ? window->tasks[window->tail - 2] : NULL;
    if (task->waiting == 0 || before == NULL || (before->flags & PS__TASK_PASSED_ON) ||
        !(before->flags & PS_TASK_FUSABLE) || !is_passed_on(before, task))
        return;
    engine->fresh_bytes -= before->bytes;
    before->flags |= PS__TASK_PASSED_ON;
}

/* While a task that may be grouped is in a window its bytes are not counted, unless there are many
 * such tasks (ps__engine_over): most of a group's results are never stored, and a pusher held back
 * on their account would break up the group. */
static inline void leave(ps_task *task)
{
    task->engine->fresh--;
    if (PS_UNLIKELY(task->bytes != 0) && !(task->flags & PS__TASK_COUNTED)) {
        task->engine->fresh_bytes -= task->flags & PS__TASK_PASSED_ON ? 0 : task->bytes;
        ps__bytes_count(task->engine, task);
        if (ps__engine_over(task->engine))
            ps__store(&task->engine->over, 1); /* read by pushers without the lock: a hint */
    }
}

/* The variables note that it is in the piece. */
static inline void mark(ps_task *task, uint32_t id)
{
    ps__walk walk = ps__walk_begin(task);
    for (ps__access *access; (access = ps__walk_next(&walk)) != NULL;) {
        ps_var *var = ps__access_var(access);
        if (var->piece != id) {
            var->piece = id;
            var->piece_reads = 0;
            var->piece_next = var->head;
        }
        if (!(access->bits & PS__ACCESS_GRANTED))
            var->piece_next = access->next;
        else if (!(access->bits & PS__ACCESS_WRITE))
            var->piece_reads++;
    }
}

static inline void append(ps_task *task, ps__piece *piece)
{
    ps__virtual_look(task);
    task->state = PS__TAKEN;
    piece->tasks[piece->count++] = task;
    piece->cost += ps__task_cost(task);
    piece->estimated &= (task->flags & PS__TASK_ESTIMATED) != 0;
}

/* Of tasks that leave a window, to be taken or let go. */
typedef struct counted {
    uint64_t cost;
    uint32_t staying;
} counted;

static inline void count_out(counted *out, const ps_task *task)
{
    out->cost += ps__task_cost(task);
    out->staying += (task->flags & PS__TASK_STAYS) != 0;
}

static inline void take_off(ps__window *window, counted out)
{
    window->cost -= out.cost;
    window->left += out.cost;
    window->staying -= out.staying;
}

static inline void add(ps_task *task, uint32_t id, ps__piece *piece)
{
    mark(task, id);
    append(task, piece);
}

void ps__piece_add(ps_task *task, uint32_t id, ps__piece *piece)
{
    add(task, id, piece);
}

/* The members of a chain need the memory of one of them, not of all: each is counted until the next
 * takes its place. */
static inline void count_chain(ps_task *task, const ps__piece *piece)
{
    ps_task *before = piece->count != 0 ? piece->tasks[piece->count - 1] : NULL;
    if (before == NULL || task->waiting == 0 || !(before->flags & PS__TASK_COUNTED) ||
        !is_passed_on(before, task))
        return;
    task->engine->bytes -= before->bytes;
    before->flags &= (uint16_t)~PS__TASK_COUNTED;
}

static inline void include(ps_task *task, uint32_t id, ps__piece *piece)
{
    count_chain(task, piece);
    add(task, id, piece);
    leave(task);
}

static void let_go(ps__window *window, ps_task *task)
{
    task->where = NULL;
    leave(task);
    if (task->waiting == 0)
        ps__graph_make_ready(window->engine, task);
    else
        task->state = PS__PENDING;
}

/* Its owner waits for a little at a time, and so will probably take this itself. */
static bool is_waited_for(const ps__window *window)
{
    return window->usual != 0 && window->usual <= PS__COST_ALONE &&
           ps__window_since(window) <= PS__COST_ALONE;
}

static inline bool is_small(const ps__window *window)
{
    uint64_t count = window->tail - window->head;
    return window->cost < PS__COST_GRAIN || window->cost < PS__COST_SMALL * count;
}

/* Tasks that cost less than moving them would, or that are waited for, are left to their pusher for long.
 * Of the others, those that may be grouped are left alone for a part of what they will cost, so that
 * the rest of their group can come; for those that may not there is nothing to wait for. */
static uint32_t hold_of(const ps__window *window)
{
    if (is_small(window) || window->staying == window->tail - window->head || is_waited_for(window))
        return PS__HOLD_SMALL;
    if (window->fusable && window->gathering)
        return PS__HOLD_GATHERING;
    if (!window->fusable)
        return PS__HOLD_ALONE;
    uint64_t part = window->cost / PS__HOLD_PART;
    return part < PS__HOLD_LEAST  ? PS__HOLD_LEAST
           : part > PS__HOLD_MOST ? PS__HOLD_MOST
                                  : (uint32_t)part;
}

/* Read by the watching worker without the lock; written only when it changes, so that its looking
 * does not slow down every push. */
static void change_hold(ps__window *window)
{
    uint32_t hold = hold_of(window);
    if (PS_UNLIKELY(hold != ps__load(&window->hold)))
        ps__store(&window->hold, hold);
}

static inline void update_hold(ps__window *window)
{
    if (ps__load(&window->hold) != PS__HOLD_SMALL || !is_small(window))
        change_hold(window);
}

void ps__gathering(ps_engine *engine, bool on)
{
    ps__window *window = ps__thread_current != NULL ? ps__thread_current->windows : NULL;
    while (window != NULL && window->engine != engine)
        window = window->next_of_thread;
    if (window == NULL)
        return; /* it has pushed nothing yet */
    ps__lock_take(&engine->lock);
    if (window->gathering != on)
        engine->gathering += on ? 1 : UINT32_MAX; /* one more or less */
    window->gathering = on;
    update_hold(window);
    ps__unlock(&engine->lock);
}

/* After tasks have left. */
static void settle(ps__window *window)
{
    if (window->head == window->tail) {
        window->head = window->tail = 0;
        window->left += window->cost;
        window->cost = 0;
        window->staying = 0;
        window->fusable = false;
        ps__store(&window->occupied, 0);
    }
    update_hold(window);
    if (PS_UNLIKELY(window->engine->progress_waiters != 0))
        ps__progress(window->engine); /* what left may have turned out to be stuck */
}

void ps__window_add(ps__window *window, ps_task *task)
{
    PS_ASSERT(window->tail < PS__WINDOW);
    window->engine->fresh++;
    task->state = PS__FRESH;
    task->where = window;
    window->tasks[window->tail++] = task;
    window->cost += ps__task_cost(task);
    if (task->flags & (PS__TASK_STAYS | PS_TASK_FUSABLE)) {
        window->staying += (task->flags & PS__TASK_STAYS) != 0;
        window->fusable |= (task->flags & PS_TASK_FUSABLE) != 0;
    }
    /* As in update_hold. The watcher takes the lock before it acts. */
    if (window->tail == window->head + 1)
        ps__store(&window->occupied, 1);
    update_hold(window);
}

void ps__window_flush(ps__window *window)
{
    for (uint32_t i = window->head; i < window->tail; i++)
        let_go(window, window->tasks[i]);
    window->head = window->tail;
    settle(window);
}

void ps__windows_flush(ps_engine *engine)
{
    for (ps__window *window = ps__load(&engine->windows); window != NULL;
         window = ps__load(&window->next))
        ps__window_flush(window);
}

void ps__window_pack(ps__window *window)
{
    uint32_t count = window->tail - window->head;
    memmove(window->tasks, window->tasks + window->head, count * sizeof window->tasks[0]);
    window->head = 0;
    window->tail = count;
}

/* ---- Taking what may be grouped ---------------------------------------------------------- */

bool ps__window_touches(ps_task *task, uint64_t need)
{
    ps__walk walk = ps__walk_begin(task);
    for (ps__access *access; (access = ps__walk_next(&walk)) != NULL;)
        if (ps__access_var(access)->need_any == need)
            return true;
    return false;
}

/* The first task and those of the window that may be grouped with it: found from variable to variable,
 * since the records of all the others are in the caches of their pusher. */
typedef struct connected {
    ps__window *window;
    ps_task *members[PS__PIECE];
    uint32_t count, room;
    uint64_t need; /* variables that were looked at have this */
} connected;

/* False: it does not belong to it, or there is no room. */
static bool connect_task(connected *c, ps_task *task)
{
    ps__virtual_look(task);
    if (task->flags & PS__TASK_NEEDED)
        return true; /* it is there already */
    if (task->state != PS__FRESH || task->where != c->window || c->count == c->room ||
        !(task->flags & PS_TASK_FUSABLE))
        return false;
    task->flags |= PS__TASK_NEEDED;
    c->members[c->count++] = task;
    return true;
}

/* Who uses the same variable: what is granted, as far as it is known, and what waits, up to the first
 * that does not belong to it. Once for each variable. */
static void connect_by(connected *c, const ps__access *access)
{
    ps_var *var = ps__access_var(access);
    if (var->need_any == c->need)
        return;
    var->need_any = c->need;
    if (var->writer != NULL && var->writer != access)
        connect_task(c, ps__access_task(var->writer));
    for (const ps__access *at = var->head; at != NULL; at = at->next)
        if (at != access && !connect_task(c, ps__access_task(at)))
            break;
}

/* Tasks that only read the same: variables count them, and know no more. So many of the first tasks
 * are looked at. */
static void connect_readers(connected *c, uint32_t reach)
{
    ps__window *window = c->window;
    uint64_t need = ++window->engine->need;
    uint32_t end = window->tail - window->head > reach ? window->head + reach : window->tail;
    for (uint32_t i = 0; i < c->count; i++)
        ps__window_need(c->members[i], need);
    for (uint32_t i = window->head + 1; i < end; i++) {
        ps_task *task = window->tasks[i];
        if (!(task->flags & PS__TASK_NEEDED) && ps__window_touches(task, need) &&
            connect_task(c, task))
            ps__window_need(task, need);
    }
}

/* The owner looks far: he has the records at hand. Others do where much is to be gained. */
static uint32_t reach_of(const ps__window *window, bool owner)
{
    enum { NEAR = 8 };
    if (owner)
        return PS__PIECE;
    return window->tasks[window->head]->cost >= PS__COST_PIECE / 2 ? NEAR : 0;
}

static void connect_all(connected *c, uint32_t reach)
{
    for (uint32_t i = 0; i < c->count; i++) {
        ps__walk walk = ps__walk_begin(c->members[i]);
        for (ps__access *access; (access = ps__walk_next(&walk)) != NULL;)
            connect_by(c, access);
        if (reach != 0 && i + 1 == c->count)
            connect_readers(c, reach);
    }
}

int ps__by_sequence(const void *a, const void *b)
{
    const ps_task *first = *(ps_task *const *)a, *second = *(ps_task *const *)b;
    return (first->sequence > second->sequence) - (first->sequence < second->sequence);
}

/* Takes the members, which are in order, out of the window: what is before the last of them moves up. */
static void take_out(const connected *c)
{
    ps__window *window = c->window;
    uint32_t at = window->head, left = c->count;
    for (; left != 0; at++)
        left -= window->tasks[at] == c->members[c->count - left];
    uint32_t to = at;
    for (left = c->count; at-- > window->head;)
        if (left != 0 && window->tasks[at] == c->members[left - 1])
            left--;
        else
            window->tasks[--to] = window->tasks[at];
    window->head = to;
}

static void take_connected(ps__window *window, bool owner, uint32_t id, ps__piece *piece)
{
    connected c;
    c.window = window;
    c.count = 0;
    c.room = PS__PIECE - piece->count;
    c.need = ++window->engine->need;
    connect_task(&c, window->tasks[window->head]);
    connect_all(&c, reach_of(window, owner));
    qsort(c.members, c.count, sizeof c.members[0], ps__by_sequence);
    take_out(&c);
    counted out = {0, 0};
    for (uint32_t i = 0; i < c.count; i++) {
        ps_task *task = c.members[i];
        task->flags &= (uint16_t)~PS__TASK_NEEDED;
        count_out(&out, task);
        if (ps__piece_fits(task, id))
            include(task, id, piece);
        else
            let_go(window, task);
    }
    take_off(window, out);
}

/* Dear tasks that may be grouped are taken together with what they can be grouped with, whether it
 * has passed its hold or not; others in order. */
static bool takes_connected(const ps__window *window, uint64_t newest, uint64_t enough)
{
    return window->fusable && window->engine->grouping != NULL && enough != UINT64_MAX &&
           window->head < window->tail && (window->tasks[window->head]->flags & PS_TASK_FUSABLE) &&
           window->tasks[window->head]->sequence <= newest;
}

/* Several groups, as long as each comes after the one before as a whole: a piece is in order. What has no
 * room any more would be cut. */
static void take_groups(ps__window *window, bool owner, uint64_t newest, uint64_t enough,
                        ps__piece *piece)
{
    uint32_t id = ps__piece_number(window->engine);
    do
        take_connected(window, owner, id, piece);
    while (piece->cost < enough && piece->count <= PS__PIECE / 2 &&
           takes_connected(window, newest, enough) &&
           (piece->count == 0 ||
            window->tasks[window->head]->sequence > piece->tasks[piece->count - 1]->sequence));
}

static void mark_all(const ps__piece *piece, uint32_t id)
{
    for (uint32_t i = 0; i < piece->count; i++)
        mark(piece->tasks[i], id);
}

/* Variables are looked at only if some task waits: those of independent tasks are in the caches of
 * their pusher, and the lock would be held while they come. */
static void take_in_order(ps__window *window, uint64_t newest, uint64_t enough, ps__piece *piece)
{
    uint32_t id = 0; /* none yet */
    counted out = {0, 0};
    while (window->head < window->tail && piece->count < PS__PIECE && piece->cost < enough) {
        ps_task *task = window->tasks[window->head];
        if (task->sequence > newest)
            break;
        window->head++;
        count_out(&out, task);
        if (task->waiting != 0 && id == 0) {
            id = ps__piece_number(window->engine);
            mark_all(piece, id);
        }
        if (!ps__piece_fits(task, id)) {
            let_go(window, task);
            continue;
        }
        if (id != 0)
            mark(task, id);
        append(task, piece);
        leave(task);
    }
    take_off(window, out);
}

bool ps__window_take(ps__window *window, uint64_t newest, uint64_t enough, ps__piece *piece)
{
    bool owner = newest == UINT64_MAX;
    ps__piece_clear(piece, true, true);
    if (takes_connected(window, newest, enough))
        take_groups(window, owner, newest, enough, piece);
    else
        take_in_order(window, newest, enough, piece);
    settle(window);
    return piece->count != 0;
}

/* ---- Taking for a target --------------------------------------------------------------- */

/* Marks the variables of a needed task: who of the earlier ones touches them is needed too. */
void ps__window_need(ps_task *task, uint64_t need)
{
    ps__walk walk = ps__walk_begin(task);
    for (ps__access *access; (access = ps__walk_next(&walk)) != NULL;) {
        ps_var *var = ps__access_var(access);
        var->need_any = need;
        if (access->bits & PS__ACCESS_WRITE)
            var->need_write = need;
    }
}

bool ps__window_is_needed(ps_task *task, uint64_t need)
{
    ps__walk walk = ps__walk_begin(task);
    for (ps__access *access; (access = ps__walk_next(&walk)) != NULL;) {
        const ps_var *var = ps__access_var(access);
        if (var->need_write == need || (var->need_any == need && (access->bits & PS__ACCESS_WRITE)))
            return true;
    }
    return false;
}

/* From the target back to the oldest: the target's ancestors in this window. */
static uint32_t mark_needed(ps__window *window, ps_task *target)
{
    uint64_t need = ++window->engine->need;
    uint32_t end = window->tail;
    while (window->tasks[end - 1] != target)
        end--;
    target->flags |= PS__TASK_NEEDED;
    ps__window_need(target, need);
    for (uint32_t i = end - 1; i-- > window->head;) {
        ps_task *task = window->tasks[i];
        if (!ps__window_is_needed(task, need))
            continue;
        task->flags |= PS__TASK_NEEDED;
        ps__window_need(task, need);
    }
    return end;
}

/* Whether the thread is to leave tasks that may be grouped alone: one of them is too dear for it, and
 * the others had better be grouped with that one. */
static bool leaves_fusable(const ps__window *window, uint32_t end, const ps__permit *permit)
{
    if (permit->dearest == UINT64_MAX || window->engine->grouping == NULL)
        return false;
    for (uint32_t i = window->head; i < end; i++) {
        const ps_task *task = window->tasks[i];
        if ((task->flags & PS__TASK_NEEDED) && (task->flags & PS_TASK_FUSABLE) &&
            task->cost > permit->dearest)
            return true;
    }
    return false;
}

static bool take_needed(ps__window *window, ps_task *target, const ps__permit *permit,
                        ps__piece *piece)
{
    uint32_t end = mark_needed(window, target), kept = window->head;
    uint32_t id = ps__piece_number(window->engine);
    bool leaves = leaves_fusable(window, end, permit);
    counted out = {0, 0};
    for (uint32_t i = window->head; i < window->tail; i++) {
        ps_task *task = window->tasks[i];
        bool needed = i < end && (task->flags & PS__TASK_NEEDED);
        if (!needed || piece->count == PS__PIECE) {
            task->flags &= (uint16_t)~PS__TASK_NEEDED;
            window->tasks[kept++] = task;
            continue;
        }
        task->flags &= (uint16_t)~PS__TASK_NEEDED;
        count_out(&out, task);
        if (ps__run_allowed(task, permit) && !(leaves && (task->flags & PS_TASK_FUSABLE)) &&
            ps__piece_fits(task, id))
            include(task, id, piece);
        else
            let_go(window, task);
    }
    window->tail = kept;
    take_off(window, out);
    settle(window);
    return piece->count != 0;
}

bool ps__window_take_for(ps__window *window, ps_task *target, const ps__permit *permit,
                         ps__piece *piece)
{
    /* A cheap window is run in order: telling what is needed would cost as much. */
    if (window->cost <= PS__COST_LOCKED)
        return ps__window_take(window, target->sequence, UINT64_MAX, piece);
    ps__piece_clear(piece, true, true);
    return take_needed(window, target, permit, piece);
}
