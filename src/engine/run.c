/* Running pieces.
 *
 * The members of a piece run in order on one thread; what they did is published in one step at
 * the end. Earlier, if a member fails (those after it may depend on it), finishes later, or waits
 * itself, or if somebody pokes the thread because he has nothing to do or waits for a member:
 * then what is done is published and the rest may be given back.
 *
 * Every function here that takes the lock as held also returns with it held. */
#include "engine/waiting.h"

#define POKE_PATIENCE 5000 /* ns: a piece younger than this is finished first */

/* What a member's status is until it has one. */
#define LEFT ((ps_status)-1)

const ps__permit ps__permit_all = {UINT64_MAX, UINT64_MAX, true};

bool ps__run_allowed(const ps_task *task, const ps__permit *permit)
{
    if (task->sequence >= permit->limit && !(task->flags & PS__TASK_PASSIVE))
        return false;
    if (!permit->any_kind && (task->kind == PS_FRONTEND || (task->flags & PS__TASK_CALLBACK)))
        return false;
    return permit->dearest == UINT64_MAX || (task->cost != 0 && task->cost <= permit->dearest);
}

static bool allowed(const ps_task *task, void *arg)
{
    return ps__run_allowed(task, arg);
}

static ps_task *next_of(const ps__ready *ready, const ps__permit *permit)
{
    ps_task *task = ps__ready_peek(ready);
    if (task == NULL || ps__run_allowed(task, permit))
        return task;
    return ps__ready_find(ready, allowed, (void *)permit);
}

ps_task *ps__run_next(const ps_engine *engine, const ps__permit *permit)
{
    return next_of(&engine->ready, permit);
}

ps_task *ps__run_next_issue(const ps_engine *engine, const ps__permit *permit)
{
    ps_task *task = NULL;
    for (const ps_queue *lane = engine->lanes; lane != NULL && task == NULL; lane = lane->next)
        task = next_of(&lane->ready, permit);
    return task;
}

/* A part of what is there, if there is much: each take of the lock costs the others. */
static uint64_t enough_of(const ps_engine *engine)
{
    uint64_t part = engine->ready.cost / (2 * (uint64_t)ps__load(&engine->workers_wanted) + 1);
    uint64_t least = PS__COST_PIECE / 2, most = ps__piece_enough(engine);
    return part < least ? least : part > most ? most : part;
}

bool ps__run_take_ready(ps_engine *engine, const ps__permit *permit, ps__piece *piece)
{
    ps__piece_clear(piece, false, false);
    ps_task *task;
    uint64_t enough = enough_of(engine);
    while (piece->count < PS__PIECE && piece->cost < enough &&
           (task = ps__run_next(engine, permit)) != NULL) {
        if (ps__connects(engine, task))
            return piece->count != 0 || ps__connect(engine, task, permit, piece);
        ps__virtual_look(task);
        ps__ready_remove(&engine->ready, task);
        task->state = PS__TAKEN;
        piece->tasks[piece->count++] = task;
        piece->cost += ps__task_cost(task);
        piece->estimated &= (task->flags & PS__TASK_ESTIMATED) != 0;
    }
    ps__hint_update(engine);
    return piece->count != 0;
}

/* ---- Publishing ------------------------------------------------------------------------ */

/* Completes the members from the last one published to `end`; their records go to `window`. */
static void publish_to(ps_engine *engine, ps__window *window, bool helped, ps__frame *frame,
                       uint32_t end)
{
    ps__piece *piece = frame->piece;
    for (uint32_t i = frame->published; i < end; i++) {
        if (PS_LIKELY(i + 1 < end))
            __builtin_prefetch(piece->tasks[i + 1]->inline_accesses);
        if (PS_LIKELY(piece->status[i] != LEFT))
            ps__graph_complete(engine, window, piece->tasks[i], piece->status[i]);
    }
    engine->helped += helped ? end - frame->published : 0;
    frame->published = end;
    engine->executed += frame->executed;
    engine->skipped += frame->skipped;
    engine->failed += frame->failed;
    engine->groups += frame->groups;
    frame->executed = frame->skipped = frame->failed = frame->groups = 0;
    ps__kept_tell(engine, &frame->kept);
    ps__bound_update(engine);
}

static void publish(ps_engine *engine, ps__thread *thread, ps__frame *frame, uint32_t end)
{
    publish_to(engine, ps__thread_window_at_hand(thread, engine), !thread->worker, frame, end);
}

void ps__piece_give_back(ps_engine *engine, ps__piece *piece, uint32_t from)
{
    for (uint32_t i = from; i < piece->count; i++) {
        ps_task *task = piece->tasks[i];
        task->runner = NULL;
        if (task->waiting == 0)
            ps__graph_make_ready(engine, task);
        else
            task->state = PS__PENDING;
    }
    piece->count = from;
}

void ps__run_give_back(ps_engine *engine, ps__thread *thread)
{
    ps__frame *frame = thread->frame;
    if (frame == NULL || frame->piece == NULL || frame->engine != engine)
        return;
    /* Both written by this thread. A group that runs has begun all of its members. */
    uint32_t index = ps__load(&frame->index), begun = ps__load(&frame->begun);
    PS_ASSERT(begun > index); /* hooks that make groups do not wait */
    publish(engine, thread, frame, index);
    ps__piece_give_back(engine, frame->piece, begun);
}

/* The members that it was in the middle of; unless the function has returned and left its task to
 * the holder of a token, who goes on. */
static void lose(ps_engine *engine, const ps__thread *gone, ps__piece *piece, uint32_t from,
                 uint32_t end)
{
    for (uint32_t i = from; i < end; i++) {
        ps_task *task = piece->tasks[i];
        if (task->state != PS__TAKEN || task->runner != gone)
            continue;
        if (task->flags & PS__TASK_DEFERRED)
            task->flags |= PS__TASK_FIRED;
        engine->failed++;
        ps__graph_complete(engine, NULL, task, PS_ERR_FORKED);
    }
}

void ps__run_recover(ps_engine *engine, const ps__thread *gone, ps__frame *frame)
{
    /* Acquire: pairs with the owner's release stores, across fork. */
    uint32_t index = ps__load_acquire(&frame->index), begun = ps__load_acquire(&frame->begun);
    publish_to(engine, NULL, !gone->worker, frame, index);
    lose(engine, gone, frame->piece, index, begun);
    ps__piece_give_back(engine, frame->piece, begun);
}

/* ---- One task -------------------------------------------------------------------------- */

static void release_argument(ps_engine *engine, ps_task *task)
{
    ps__release *release = task->release;
    void (*pending)(void *) = release->pending; /* once it is listed, it may go at any time */
    void *state = release->state;
    task->release = NULL;
    ps__lock_take(&engine->lock);
    bool first = engine->releases == NULL;
    release->next = NULL;
    *engine->releases_tail = release;
    engine->releases_tail = &release->next;
    ps__unlock(&engine->lock);
    if (first && pending != NULL)
        pending(state);
}

static inline void drop_argument(ps_engine *engine, ps_task *task)
{
    if (PS_UNLIKELY(task->release != NULL))
        release_argument(engine, task);
    else if (task->drop != NULL)
        task->drop(task->arg);
}

/* For the trace: since when it was ready. */
static ps_trace_reason why_it_waited(const ps__piece *piece)
{
    return piece->windowed ? PS_TRACE_HELD : PS_TRACE_NO_WORKER;
}

/* The function has returned and a token is out: complete if that has been used already, else
 * leave the task to whoever uses it. He may do so as soon as the lock is free, so the members before
 * it, which it may follow, are complete by then. */
static ps_status after_defer(ps_engine *engine, ps__frame *frame, ps_task *task, ps_status status)
{
    ps__lock_take(&engine->lock);
    bool fired = task->flags & PS__TASK_FIRED;
    if (fired) {
        if (task->failure != PS_OK) /* it came first */
            status = task->failure;
    } else {
        uint32_t index = ps__load(&frame->index); /* its own: written by this thread */
        publish(engine, ps__thread_current, frame, index);
        engine->executed++; /* now: it may be complete before its piece is */
        task->failure = status;
        task->state = PS__RETURNED;
        task->runner = NULL;
    }
    ps__unlock(&engine->lock);
    return fired ? status : LEFT;
}

static inline ps_status execute(ps_engine *engine, ps__frame *frame, ps_task *task, bool skip)
{
    frame->task = task;
    frame->sequence = task->sequence;
    frame->deferred = false;
    ps__virtual_run(task);
    ps_status status = PS_OK;
    if (PS_LIKELY(!skip)) {
        ps__trace_event(engine, PS_TRACE_START, task, why_it_waited(frame->piece));
        status = ps__status_checked(task->run(task, task->arg));
        if (PS_UNLIKELY(frame->deferred))
            status = after_defer(engine, frame, task, status);
    }
    if (PS_LIKELY(status != LEFT))
        drop_argument(engine, task);
    return status;
}

/* What this thread finishes: the drop of an argument may finish another task. */
typedef struct finishing {
    const ps_task *task;
    struct finishing *outer;
} finishing;
static __thread finishing *innermost __attribute__((tls_model("initial-exec")));

bool ps__run_is_finishing(const ps_task *task)
{
    for (const finishing *at = innermost; at != NULL; at = at->outer)
        if (at->task == task)
            return true;
    return false;
}

void ps__run_finish(ps_engine *engine, ps_task *task)
{
    finishing self = {task, innermost};
    innermost = &self;
    ps__unlock(&engine->lock);
    drop_argument(engine, task);
    ps__lock_take(&engine->lock);
    innermost = self.outer;
    engine->failed += task->failure != PS_OK;
    ps__graph_complete(engine, NULL, task, task->failure);
    ps__bound_update(engine);
}

/* ---- Groups ---------------------------------------------------------------------------- */

/* Runs some of the next members as one; returns how many. */
static uint32_t run_group(ps_engine *engine, ps__frame *frame)
{
    ps__piece *piece = frame->piece;
    uint32_t from = ps__load(&frame->index), end = from; /* written by this thread */
    if (from < frame->alone)
        return 0;
    while (end < piece->count && (piece->tasks[end]->flags & PS_TASK_FUSABLE) &&
           piece->tasks[end]->error == NULL)
        end++;
    if (end - from < 2)
        return 0;
    ps__group group = {0};
    size_t members =
        piece->grouping(piece->grouping_context, piece->tasks + from, end - from, &group);
    if (members < 2 || members > end - from)
        return 0;
    frame->task = piece->tasks[from];
    frame->sequence = frame->task->sequence;
    frame->deferred = false;
    if (PS_UNLIKELY(ps__load(&engine->tracing)))
        for (uint32_t i = from; i < from + members; i++) {
            ps__trace_record(engine, PS_TRACE_GROUP, piece->tasks[i], frame->sequence);
            ps__trace_record(engine, PS_TRACE_START, piece->tasks[i], why_it_waited(piece));
        }
    ps__store_release(&frame->begun, from + (uint32_t)members);
    ps_status status = group.run(group.state);
    if (group.drop != NULL)
        group.drop(group.state);
    if (status != PS_OK) {
        frame->alone = from + (uint32_t)members;
        return 0;
    }
    frame->groups++;
    frame->executed += (uint32_t)members;
    for (uint32_t i = from; i < from + members; i++) {
        ps__virtual_run(piece->tasks[i]);
        piece->status[i] = PS_OK;
        drop_argument(engine, piece->tasks[i]);
    }
    return (uint32_t)members;
}

/* ---- A piece --------------------------------------------------------------------------- */

/* Somebody wants what is done, or what is left. True: nothing is left for this thread. */
static bool answer_poke(ps_engine *engine, ps__thread *thread, ps__frame *frame, int64_t began)
{
    uint32_t poke = ps__exchange(&thread->poke, 0);
    if (poke == 1 && began != 0 && ps__now_ns() - began < POKE_PATIENCE)
        return false;
    uint32_t index = ps__load(&frame->index); /* written by this thread */
    ps__lock_take(&engine->lock);
    publish(engine, thread, frame, index);
    ps__piece_give_back(engine, frame->piece, index);
    ps__engine_unlock_and_wake(engine, false);
    return true;
}

/* A member has failed, was skipped, or finishes later: those after it may depend on it. */
static void publish_failed(ps_engine *engine, ps__thread *thread, ps__frame *frame,
                           ps_status status)
{
    uint32_t index = ps__load(&frame->index); /* written by this thread */
    frame->failed += status != LEFT && status != PS_OK;
    ps__lock_take(&engine->lock);
    publish(engine, thread, frame, index);
    if (status == LEFT)
        ps__piece_give_back(engine, frame->piece, index);
    ps__engine_unlock_and_wake(engine, false);
}

static inline void run_one(ps_engine *engine, ps__thread *thread, ps__frame *frame)
{
    ps__piece *piece = frame->piece;
    uint32_t index = ps__load(&frame->index); /* written by this thread */
    ps_task *task = piece->tasks[index];
    bool skip = PS_UNLIKELY(task->error != NULL) && !(task->flags & PS_TASK_ALWAYS);
    ps__store_release(&frame->begun, index + 1);
    ps_status status = execute(engine, frame, task, skip);
    piece->status[index++] = status;
    ps__store_release(&frame->index, index);
    frame->executed += !skip && status != LEFT;
    frame->skipped += skip;
    if (PS_UNLIKELY(status != PS_OK || task->error != NULL))
        publish_failed(engine, thread, frame, status);
}

void ps__piece_begin(ps_engine *engine, ps__thread *thread, ps__piece *piece, ps__frame *frame)
{
    *frame = (ps__frame){.below = thread->frame, .engine = engine, .piece = piece};
    frame->task = piece->tasks[0]; /* for who looks before it has begun: its number is the lowest */
    frame->sequence = frame->task->sequence;
    for (uint32_t i = 0; i < piece->count; i++)
        piece->tasks[i]->runner = thread;
    piece->grouping = piece->groupable ? engine->grouping : NULL;
    piece->grouping_context = engine->grouping_context;
    frame->newest = ps__load(&engine->sequence);
    frame->brief = thread->worker && piece->estimated && piece->cost <= PS__COST_BRIEF;
    if (PS_UNLIKELY(frame->brief))
        engine->brief++;
    thread->frame = frame;
    ps__running_begin(engine);
}

void ps__piece_end(ps_engine *engine, ps__thread *thread, ps__window *window, ps__frame *frame)
{
    publish_to(engine, window, !thread->worker, frame, ps__load(&frame->index));
    thread->frame = frame->below;
    engine->brief -= frame->brief;
    ps__running_end(engine);
}

/* At least one member runs, whoever pokes: a thread that is asked again and again to give back
 * still comes to an end. */
static inline void run_members(ps_engine *engine, ps__thread *thread, ps__piece *piece,
                               ps__frame *frame)
{
    bool several = piece->count > 1;
    if (several)
        ps__store(&thread->running, piece->count);
    int64_t began = several ? ps__now_ns() : 0;
    for (uint32_t index = 0; index < piece->count; index = ps__load(&frame->index)) {
        if (PS_UNLIKELY(ps__load(&thread->poke)) && index != 0 &&
            answer_poke(engine, thread, frame, began))
            break;
        uint32_t grouped = PS_UNLIKELY(piece->grouping != NULL) ? run_group(engine, frame) : 0;
        if (grouped != 0)
            ps__store_release(&frame->index, index + grouped);
        else
            run_one(engine, thread, frame);
    }
    if (several)
        ps__store(&thread->running, 0);
}

/* What completing the members is going to change may be in the caches of who pushed them: it comes
 * before the lock is taken, not while others wait for that. */
static void prefetch_variables(const ps__piece *piece, uint32_t from, uint32_t end)
{
    for (uint32_t i = from; i < end; i++) {
        const ps_task *task = piece->tasks[i];
        ps__virtual_fetch(task);
        uint32_t count =
            task->accesses < PS__INLINE_ACCESSES ? task->accesses : PS__INLINE_ACCESSES;
        for (uint32_t a = 0; a < count; a++)
            __builtin_prefetch(ps__access_var(&task->inline_accesses[a]), 1);
    }
}

static void lock_and_end(ps_engine *engine, ps__thread *thread, const ps__piece *piece,
                         ps__frame *frame)
{
    if (thread->worker) /* others run what they have pushed, most of the time */
        prefetch_variables(piece, frame->published,
                           ps__load(&frame->index)); /* written by this thread */
    ps__lock_take(&engine->lock);
    ps__piece_end(engine, thread, ps__thread_window_at_hand(thread, engine), frame);
}

void ps__run_piece(ps_engine *engine, ps__thread *thread, ps__piece *piece, ps__waiting *wait)
{
    ps__frame frame;
    ps__piece_begin(engine, thread, piece, &frame);
    ps__engine_unlock_and_wake(engine, false);
    if (PS_UNLIKELY(piece->cost > PS__COST_LOCKED) && wait != NULL)
        ps__waiting_unlock(wait);
    run_members(engine, thread, piece, &frame);
    lock_and_end(engine, thread, piece, &frame);
}

bool ps__run_given(ps_engine *engine, ps__worker *worker)
{
    ps__turned turned;
    do
        run_members(engine, worker->thread, &worker->piece, &worker->frame);
    while ((turned = ps__turn_done(engine, worker)) == PS__TURN_GIVEN);
    if (turned == PS__TURN_OWN)
        lock_and_end(engine, worker->thread, &worker->piece, &worker->frame);
    return turned == PS__TURN_SLEEP;
}
