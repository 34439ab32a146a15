/* The serial oracle: replays a program one task at a time in sequence-number order and compares
 * with what happened.
 *
 * The order. Tasks and the steps of pushers are items with a key. A task's key is its sequence
 * number; a step's, and that of a skipped task whose number nobody knows, is the key of what its
 * pusher pushed before. Steps look at variables of their own only exactly, and such programs share
 * nothing, so it does not matter how items of different pushers with one key are ordered.
 *
 * A mark is the task whose failure is the root. What a marked cell holds is undefined.
 *
 * A task of a device may have been issued before it was known that its input failed on the same
 * device; then it ran, and its outputs are marked all the same. If it fails as well, its failure
 * may or may not be reported by itself: it is a *doubtful* failure. */
#include "program.h"

#include <string.h>

enum { NO_MARK = -1 };

typedef struct item {
    uint64_t key;
    unsigned pusher; /* PROGRAM_PUSHERS for tasks pushed by tasks */
    unsigned minor;  /* index of the step */
    task *task;      /* NULL: a step that is no push */
    step *step;      /* NULL: a task pushed by a task */
} item;

typedef struct variable {
    uint64_t value;
    uint64_t writes; /* so far */
    int mark;
    bool early; /* the mark may come after what depends on it was issued */
    unsigned nhistory;
    int history[PROGRAM_TASKS + 1]; /* all marks it ever had, in order */
} variable;

/* Something was returned to somebody. */
typedef struct sighting {
    uint64_t root; /* 0: nothing was left to return (waits for all only) */
    uint64_t begin, end;
    bool all;      /* by ps_wait_all */
    bool optional; /* may or may not count as having been seen */
    int pusher;    /* whose tasks it covers; -1: everybody's */
    unsigned position;
} sighting;

enum { SIGHTINGS = 3 * PROGRAM_TASKS + PROGRAM_PUSHERS * PROGRAM_STEPS + PROGRAM_DRAIN };

typedef struct oracle {
    program *program;
    unsigned nitems;
    item items[PROGRAM_TASKS + PROGRAM_PUSHERS * PROGRAM_STEPS];
    variable vars[PROGRAM_VARS];
    bool failed[PROGRAM_TASKS];                    /* is the root of an error */
    bool doubtful[PROGRAM_TASKS];                  /* its failure need not be reported */
    int marks[PROGRAM_TASKS];                      /* on the inputs of each task */
    unsigned from[PROGRAM_PUSHERS][PROGRAM_STEPS]; /* place in the history at each step */
    unsigned wait_from[PROGRAM_TASKS];             /* and at the wait inside each task */
    unsigned nsightings;
    sighting sightings[SIGHTINGS];
} oracle;

#define COMPLAIN(o, ...) program_complain((o)->program, __VA_ARGS__)

/* ---- the order --------------------------------------------------------------------------- */

static void add_item(oracle *o, item i)
{
    o->items[o->nitems++] = i;
}

static void add_pusher(oracle *o, pusher *u)
{
    uint64_t key = 0;
    for (unsigned i = 0; i < u->nsteps; i++) {
        step *s = &u->steps[i];
        task *t = s->kind == STEP_PUSH ? &o->program->tasks[s->task] : NULL;
        if (t != NULL && t->sequence != 0) {
            if (t->sequence <= key)
                COMPLAIN(o, "pusher %u pushed task %u later, but its sequence %ju is not above %ju",
                         u->index, t->id, (uintmax_t)t->sequence, (uintmax_t)key);
            key = t->sequence;
        }
        add_item(o, (item){.key = key, .pusher = u->index, .minor = i, .task = t, .step = s});
    }
}

static void add_children(oracle *o, const task *t)
{
    uint64_t before = t->sequence;
    for (unsigned i = 0; i < t->nchildren; i++) {
        task *child = &o->program->tasks[t->children[i]];
        if (child->pushed != (ps__load(&t->runs) != 0))
            COMPLAIN(o, "task %u ran, but its child %u was not pushed", t->id, child->id);
        if (!child->pushed)
            continue;
        if (child->sequence == 0)
            COMPLAIN(o, "task %u was pushed by a task and has no sequence number", child->id);
        else if (child->sequence <= before)
            COMPLAIN(o, "task %u was pushed by task %u, but its sequence %ju is not above %ju",
                     child->id, t->id, (uintmax_t)child->sequence, (uintmax_t)before);
        before = child->sequence;
        add_item(o, (item){.key = child->sequence, .pusher = PROGRAM_PUSHERS, .task = child});
    }
}

static int compare_items(const void *left, const void *right)
{
    const item *a = left, *b = right;
    if (a->key != b->key)
        return a->key < b->key ? -1 : 1;
    if (a->pusher != b->pusher)
        return a->pusher < b->pusher ? -1 : 1;
    return a->minor < b->minor ? -1 : a->minor > b->minor;
}

static void put_in_order(oracle *o)
{
    program *p = o->program;
    for (unsigned i = 0; i < p->npushers; i++)
        add_pusher(o, &p->pushers[i]);
    for (unsigned i = 0; i < p->ntasks; i++)
        add_children(o, &p->tasks[i]);
    qsort(o->items, o->nitems, sizeof *o->items, compare_items);
    const task *last = NULL;
    for (unsigned i = 0; i < o->nitems; i++) {
        const task *t = o->items[i].task;
        if (t == NULL || t->sequence == 0)
            continue;
        if (last != NULL && last->sequence == t->sequence)
            COMPLAIN(o, "tasks %u and %u have the same sequence %ju", last->id, t->id,
                     (uintmax_t)t->sequence);
        last = t;
    }
}

/* ---- replaying a task -------------------------------------------------------------------- */

static uint64_t sequence_of(const oracle *o, int mark)
{
    return o->program->tasks[mark].sequence;
}

/* The mark with the lowest sequence number; NO_MARK is above all. */
static int older(const oracle *o, int a, int b)
{
    if (a == NO_MARK || b == NO_MARK)
        return a == NO_MARK ? b : a;
    return sequence_of(o, a) < sequence_of(o, b) ? a : b;
}

static int input_mark(const oracle *o, const task *t)
{
    int mark = NO_MARK;
    for (unsigned i = 0; i < t->nreads; i++)
        mark = older(o, mark, o->vars[t->reads[i]].mark);
    return mark;
}

/* Whether all marks on its inputs may have come too late to skip it. */
static bool may_run_marked(const oracle *o, const task *t)
{
    if (t->queue < 0)
        return false;
    for (unsigned i = 0; i < t->nreads; i++)
        if (o->vars[t->reads[i]].mark != NO_MARK && !o->vars[t->reads[i]].early)
            return false;
    return true;
}

static uint64_t expected_hash(const oracle *o, const task *t, int mark)
{
    const program *p = o->program;
    uint64_t hash = program_mix(p->seed, t->id);
    if (mark != NO_MARK)
        hash = program_mix(hash, p->tasks[mark].status);
    else
        for (unsigned i = 0; i < t->nreads; i++)
            hash = program_mix(hash, o->vars[t->reads[i]].value);
    return t->loops ? program_mix(hash, loop_expected(&t->loop)) : hash;
}

static void check_run(oracle *o, const task *t, int mark)
{
    bool ran = ps__load(&t->runs) != 0, always = t->spec.flags & PS_TASK_ALWAYS;
    if (!ran && (mark == NO_MARK || always))
        COMPLAIN(o, "task %u did not run", t->id);
    if (!ran)
        return;
    if (mark != NO_MARK && !always) {
        if (!may_run_marked(o, t))
            COMPLAIN(o, "task %u ran although task %d, which it depends on, failed", t->id, mark);
        return;
    }
    ps_status status = mark != NO_MARK ? o->program->tasks[mark].status : PS_OK;
    if (t->mark != status)
        COMPLAIN(o, "task %u was told that its inputs are marked with %s, not %s (task %d)", t->id,
                 ps_status_name(t->mark), ps_status_name(status), mark);
    bool computed = t->queue < 0 || t->failure != FAIL_RETURN;
    if (computed && t->hash != expected_hash(o, t, mark))
        COMPLAIN(o, "task %u read other values than in a serial run", t->id);
}

/* What is written becomes defined, or marked with `mark`. */
static void write_outputs(oracle *o, const task *t, int mark)
{
    uint32_t writes = program_writes_mask(t);
    bool returned = ps__load(&t->runs) != 0 && t->failure != FAIL_RETURN;
    for (unsigned i = 0; i < t->nwrites; i++)
        o->vars[t->writes[i]].value = program_mix(t->hash, i);
    for (unsigned v = 0; v < PROGRAM_VARS; v++) {
        variable *var = &o->vars[v];
        if (!(writes >> v & 1))
            continue;
        var->writes++;
        var->mark = mark;
        var->early = t->queue >= 0 && returned;
        var->history[var->nhistory++] = mark;
    }
}

static void replay_task(oracle *o, const task *t)
{
    int mark = input_mark(o, t);
    bool ran = ps__load(&t->runs) != 0;
    o->marks[t->id] = mark;
    o->failed[t->id] = ran && t->failure != FAIL_NOT;
    o->doubtful[t->id] = o->failed[t->id] && mark != NO_MARK && !(t->spec.flags & PS_TASK_ALWAYS);
    if (t->wait_var >= 0)
        o->wait_from[t->id] = o->vars[t->wait_var].nhistory - 1;
    if (ps__load(&t->drops) != 1)
        COMPLAIN(o, "the argument of task %u was dropped %u times", t->id, ps__load(&t->drops));
    if (o->program->traced && t->traced_ends != 1)
        COMPLAIN(o, "task %u ended %u times in the trace", t->id, t->traced_ends);
    check_run(o, t, mark);
    write_outputs(o, t, o->failed[t->id] ? older(o, mark, (int)t->id) : mark);
}

/* ---- replaying a step -------------------------------------------------------------------- */

/* The state of a variable of the pusher's own is exactly known. */
static void check_own(oracle *o, const pusher *u, const step *s)
{
    variable *var = &o->vars[s->var];
    if (s->kind == STEP_VERSION && s->value != var->writes)
        COMPLAIN(o, "variable %u had version %ju after %ju writes", s->var, (uintmax_t)s->value,
                 (uintmax_t)var->writes);
    if ((s->kind != STEP_WAIT_READ && s->kind != STEP_WAIT_WRITE) || !s->done)
        return;
    uint64_t root = var->mark != NO_MARK ? sequence_of(o, var->mark) : 0;
    if (s->root != root)
        COMPLAIN(o, "a wait for variable %u returned the error of sequence %ju, not %ju", s->var,
                 (uintmax_t)s->root, (uintmax_t)root);
    if (var->mark == NO_MARK && s->value != var->value)
        COMPLAIN(o, "cell %u held another value after a wait than in a serial run", s->var);
    if (s->kind == STEP_WAIT_WRITE)
        var->value = step_written(u, s);
}

static void replay_step(oracle *o, const item *i)
{
    const pusher *u = &o->program->pushers[i->pusher];
    const step *s = i->step;
    o->from[i->pusher][i->minor] = o->vars[s->var].nhistory - 1;
    if (o->program->cells[s->var].owner == (int)i->pusher)
        check_own(o, u, s);
    if (s->kind == STEP_LOOP && s->value != loop_expected(s->loop))
        COMPLAIN(o, "a loop of %zu by %zu returned something else", s->loop->count, s->loop->grain);
}

static void replay(oracle *o)
{
    for (unsigned v = 0; v < PROGRAM_VARS; v++) {
        o->vars[v].mark = NO_MARK;
        o->vars[v].history[o->vars[v].nhistory++] = NO_MARK;
    }
    for (unsigned i = 0; i < o->nitems; i++) {
        if (o->items[i].task != NULL)
            replay_task(o, o->items[i].task);
        else
            replay_step(o, &o->items[i]);
    }
}

/* ---- what waits returned ----------------------------------------------------------------- */

/* Whether the variable had that mark at some place in the history from `from` on. */
static bool had_mark(const oracle *o, unsigned var, unsigned from, uint64_t root)
{
    const variable *v = &o->vars[var];
    for (unsigned i = from; i < v->nhistory; i++)
        if ((v->history[i] == NO_MARK ? 0 : sequence_of(o, v->history[i])) == root)
            return true;
    return false;
}

static bool had_status(const oracle *o, unsigned var, unsigned from, ps_status status)
{
    const variable *v = &o->vars[var];
    for (unsigned i = from; i < v->nhistory; i++)
        if ((v->history[i] == NO_MARK ? PS_OK : o->program->tasks[v->history[i]].status) == status)
            return true;
    return false;
}

/* Whether a wait of this kind for this variable must outlast the task. */
static bool covers(step_kind kind, unsigned var, const task *t)
{
    uint32_t mask = program_writes_mask(t);
    if (kind == STEP_WAIT_ALL)
        return true;
    if (kind == STEP_WAIT_WRITE)
        mask |= program_reads_mask(t);
    return mask >> var & 1;
}

/* All that the pusher pushed before step `position` and that the step covers was complete at
 * `stamp`. */
static void check_complete(oracle *o, const pusher *u, unsigned position, uint64_t stamp)
{
    const step *s = &u->steps[position];
    for (unsigned i = 0; i < position; i++) {
        if (u->steps[i].kind != STEP_PUSH)
            continue;
        const task *t = &o->program->tasks[u->steps[i].task];
        if (covers(s->kind, s->var, t) && ps__load(&t->drop_stamp) >= stamp)
            COMPLAIN(o, "step %u of pusher %u (kind %d, variable %u) ended before task %u",
                     position, u->index, s->kind, s->var, t->id);
    }
}

static void check_told(oracle *o, const pusher *u, unsigned position)
{
    const step *s = &u->steps[position];
    uint32_t calls = ps__load(&s->calls);
    ps_status told = (ps_status)ps__load(&s->told);
    if (calls == 0 && s->kind == STEP_WATCH && o->program->destroys_undrained)
        return;
    if (calls != 1)
        COMPLAIN(o, "step %u of pusher %u was told %u times", position, u->index, calls);
    if (!had_status(o, s->var, o->from[u->index][position], told))
        COMPLAIN(o, "step %u of pusher %u was told that variable %u is marked with %s", position,
                 u->index, s->var, ps_status_name(told));
    check_complete(o, u, position, ps__load(&s->told_stamp));
}

static void check_step(oracle *o, const pusher *u, unsigned position)
{
    const step *s = &u->steps[position];
    bool wait = s->kind == STEP_WAIT_READ || s->kind == STEP_WAIT_WRITE;
    if (wait && s->done && !had_mark(o, s->var, o->from[u->index][position], s->root))
        COMPLAIN(o, "a wait for variable %u returned the error of sequence %ju, which it never had",
                 s->var, (uintmax_t)s->root);
    if (((wait || s->kind == STEP_WAIT_ALL) && s->done) || (s->kind == STEP_IS_READY && s->value))
        check_complete(o, u, position, s->end);
    if (s->kind == STEP_ON_READY || s->kind == STEP_WATCH)
        check_told(o, u, position);
}

/* ---- waits inside tasks ------------------------------------------------------------------ */

/* A task that its pusher waits for must not wait for what that one may not wait for. */
static uint64_t wait_limit(const oracle *o, const task *t)
{
    uint64_t limit = t->sequence;
    for (; t->push_sync && t->parent >= 0; t = &o->program->tasks[t->parent])
        if (o->program->tasks[t->parent].sequence < limit)
            limit = o->program->tasks[t->parent].sequence;
    return limit;
}

static bool younger_was_queued(const oracle *o, const task *t, step_kind kind)
{
    uint64_t limit = wait_limit(o, t);
    for (unsigned i = 0; i < o->program->ntasks; i++) {
        const task *other = &o->program->tasks[i];
        if (other->pushed && other->push_begin < t->wait_end &&
            covers(kind, (unsigned)t->wait_var, other) &&
            (other->sequence == 0 || (other->sequence >= limit && other != t)))
            return true;
    }
    return false;
}

static void check_wait_complete(oracle *o, const task *t, step_kind kind)
{
    for (unsigned i = 0; i < o->program->ntasks; i++) {
        const task *other = &o->program->tasks[i];
        if (other->pushed && other->sequence < t->sequence && other->sequence != 0 &&
            covers(kind, (unsigned)t->wait_var, other) &&
            ps__load(&other->drop_stamp) >= t->wait_end)
            COMPLAIN(o, "the wait inside task %u ended before task %u", t->id, other->id);
    }
}

static void check_wait_inside(oracle *o, const task *t)
{
    step_kind kind = t->wait_for_write ? STEP_WAIT_WRITE : STEP_WAIT_READ;
    bool own = covers(kind, (unsigned)t->wait_var, t);
    if (t->wait_root == 0 && t->wait_status == PS_ERR_TIMEOUT && t->wait_timeout_ns >= 0)
        return;
    if (t->wait_root == 0 && t->wait_status == PS_ERR_DEADLOCK) {
        if (!own && !younger_was_queued(o, t, kind))
            COMPLAIN(o, "the wait inside task %u for variable %d could have ended", t->id,
                     t->wait_var);
        return;
    }
    if (t->wait_root == 0 && t->wait_status != PS_OK)
        COMPLAIN(o, "the wait inside task %u returned %s", t->id, ps_status_name(t->wait_status));
    if (own)
        COMPLAIN(o, "task %u waited for itself and got %s", t->id, ps_status_name(t->wait_status));
    if (!had_mark(o, (unsigned)t->wait_var, o->wait_from[t->id], t->wait_root))
        COMPLAIN(o, "the wait inside task %u returned the error of sequence %ju", t->id,
                 (uintmax_t)t->wait_root);
    check_wait_complete(o, t, kind);
}

/* ---- which errors were seen -------------------------------------------------------------- */

static void add_sighting(oracle *o, sighting s)
{
    o->sightings[o->nsightings++] = s;
}

static void collect_from_pusher(oracle *o, const pusher *u)
{
    for (unsigned i = 0; i < u->nsteps; i++) {
        const step *s = &u->steps[i];
        bool all = s->kind == STEP_WAIT_ALL;
        if (s->done && (all || s->root != 0))
            add_sighting(o, (sighting){s->root, s->begin, s->end, all, false, (int)u->index, i});
    }
}

static void collect_from_task(oracle *o, const task *t)
{
    if (t->push_root != 0)
        add_sighting(o,
                     (sighting){.root = t->push_root, .begin = t->push_begin, .end = t->push_end});
    if (t->wait_root != 0)
        add_sighting(o,
                     (sighting){.root = t->wait_root, .begin = t->wait_begin, .end = t->wait_end});
    if (t->mark != PS_OK && o->marks[t->id] != NO_MARK)
        add_sighting(o, (sighting){.root = sequence_of(o, o->marks[t->id]),
                                   .begin = t->push_begin,
                                   .end = ps__load(&t->drop_stamp),
                                   .optional = true});
}

static void collect_sightings(oracle *o)
{
    program *p = o->program;
    for (unsigned i = 0; i < p->npushers; i++)
        collect_from_pusher(o, &p->pushers[i]);
    for (unsigned i = 0; i < p->ntasks; i++)
        collect_from_task(o, &p->tasks[i]);
    for (unsigned i = 0; i < p->ndrain; i++)
        add_sighting(o, (sighting){p->drain[i].root, p->drain[i].begin, p->drain[i].end, true,
                                   false, -1, 0});
}

static bool is_root(const oracle *o, uint64_t sequence)
{
    for (unsigned i = 0; i < o->program->ntasks; i++)
        if (o->failed[i] && o->program->tasks[i].sequence == sequence)
            return true;
    return false;
}

/* Whether somebody may have seen the error before the stamp. */
static bool seen_before(const oracle *o, uint64_t root, uint64_t stamp)
{
    for (unsigned i = 0; i < o->nsightings; i++)
        if (o->sightings[i].root == root && o->sightings[i].begin < stamp)
            return true;
    return false;
}

/* A wait for all has to return an error only if nobody else can have seen it. */
static void check_not_skipped(oracle *o, const sighting *all, const task *t)
{
    bool due =
        o->failed[t->id] && !o->doubtful[t->id] && (all->root == 0 || t->sequence < all->root);
    if (due && !seen_before(o, t->sequence, all->end))
        COMPLAIN(o,
                 "the error of task %u (sequence %ju) was passed over by a wait for all that "
                 "returned %ju",
                 t->id, (uintmax_t)t->sequence, (uintmax_t)all->root);
}

static void check_covered(oracle *o, const sighting *all)
{
    program *p = o->program;
    if (all->pusher < 0) {
        for (unsigned i = 0; i < p->ntasks; i++)
            /* What tasks push during the wait may come after it, except at the very end. */
            if (all == &o->sightings[o->nsightings - 1] || p->tasks[i].parent < 0)
                check_not_skipped(o, all, &p->tasks[i]);
        return;
    }
    const pusher *u = &p->pushers[all->pusher];
    for (unsigned i = 0; i < all->position; i++)
        if (u->steps[i].kind == STEP_PUSH)
            check_not_skipped(o, all, &p->tasks[u->steps[i].task]);
}

/* A wait for all returns what nobody has seen. */
static void check_unseen(oracle *o, const sighting *all)
{
    for (unsigned i = 0; i < o->nsightings; i++) {
        const sighting *other = &o->sightings[i];
        if (other == all || other->root != all->root || other->optional)
            continue;
        if (other->all || other->end < all->begin)
            COMPLAIN(o, "a wait for all returned the error of sequence %ju, which had been seen",
                     (uintmax_t)all->root);
    }
}

static void check_sightings(oracle *o)
{
    for (unsigned i = 0; i < o->nsightings; i++) {
        const sighting *s = &o->sightings[i];
        if (s->root != 0 && !is_root(o, s->root))
            COMPLAIN(o, "an error of sequence %ju was returned, but that task did not fail",
                     (uintmax_t)s->root);
        if (s->all)
            check_covered(o, s);
        if (s->all && s->root != 0)
            check_unseen(o, s);
    }
}

/* ---- the rest ---------------------------------------------------------------------------- */

/* In synchronous mode a push returns the error of its task. */
static void check_push(oracle *o, const task *t)
{
    if (!t->push_sync || t->parent >= 0)
        return;
    int mark = o->marks[t->id], wanted = o->failed[t->id] ? older(o, mark, (int)t->id) : mark;
    if (o->failed[t->id] && t->push_root == t->sequence)
        return;
    if (t->push_root != (wanted == NO_MARK ? 0 : sequence_of(o, wanted)))
        COMPLAIN(o, "the push of task %u returned %s of sequence %ju", t->id,
                 ps_status_name(t->push_status), (uintmax_t)t->push_root);
}

static void check_cells(oracle *o)
{
    for (unsigned v = 0; v < o->program->nvars; v++) {
        const cell *c = &o->program->cells[v];
        if (o->vars[v].mark == NO_MARK && c->value != o->vars[v].value)
            COMPLAIN(o, "cell %u holds another value at the end than in a serial run", v);
        if (ps__load(&c->inside) != 0)
            COMPLAIN(o, "somebody is still inside cell %u", v);
    }
}

static void check_count(oracle *o, const char *what, uint64_t got, uint64_t low, uint64_t high)
{
    if (got < low || got > high)
        COMPLAIN(o, "%ju tasks were %s, not %ju to %ju", (uintmax_t)got, what, (uintmax_t)low,
                 (uintmax_t)high);
}

static void check_stats(oracle *o)
{
    program *p = o->program;
    const ps_engine_stats *s = &p->stats;
    uint64_t pushed = 0, executed = 0, failed = 0, doubtful = 0;
    for (unsigned i = 0; i < p->ntasks; i++) {
        pushed += p->tasks[i].pushed;
        executed += ps__load(&p->tasks[i].runs);
        failed += o->failed[i];
        doubtful += o->doubtful[i];
    }
    /* Callbacks and waits may be tasks of the engine's own; all of them run. */
    uint64_t own = s->pushed - pushed;
    check_count(o, "pushed", s->pushed, pushed, UINT64_MAX);
    check_count(o, "executed", s->executed, executed + own, executed + own);
    check_count(o, "skipped", s->skipped, pushed - executed, pushed - executed);
    check_count(o, "failed", s->failed, failed - doubtful, failed);
    check_count(o, "unfinished at the end", s->unfinished, 0, 0);
    if (s->queued_bytes != 0 || s->unseen_errors != 0)
        COMPLAIN(o, "%ju bytes are queued and %ju errors unseen at the end",
                 (uintmax_t)s->queued_bytes, (uintmax_t)s->unseen_errors);
}

void program_judge(program *p)
{
    oracle *o = calloc(1, sizeof *o);
    o->program = p;
    for (unsigned v = 0; v < p->nvars; v++)
        o->vars[v].value = p->cells[v].start;
    put_in_order(o);
    if (!program_complained(p))
        replay(o);
    for (unsigned i = 0; i < p->npushers && !program_complained(p); i++)
        for (unsigned k = 0; k < p->pushers[i].nsteps; k++)
            check_step(o, &p->pushers[i], k);
    for (unsigned i = 0; i < p->ntasks && !program_complained(p); i++) {
        if (p->tasks[i].wait_var >= 0 && ps__load(&p->tasks[i].runs) != 0)
            check_wait_inside(o, &p->tasks[i]);
        check_push(o, &p->tasks[i]);
    }
    if (!program_complained(p)) {
        collect_sightings(o);
        check_sightings(o);
        check_cells(o);
        if (p->have_stats)
            check_stats(o);
    }
    free(o);
}

/* ---- messages ---------------------------------------------------------------------------- */

static void print_task(const task *t, FILE *out)
{
    fprintf(out, "  task %u%s: sequence %ju, parent %d, queue %d, finish %d, failure %d (%s)%s, r",
            t->id, t->pushed ? "" : " (never pushed)", (uintmax_t)t->sequence, t->parent, t->queue,
            t->finish, t->failure, ps_status_name(t->status),
            t->spec.flags & PS_TASK_ALWAYS ? ", always" : "");
    for (unsigned i = 0; i < t->nreads; i++)
        fprintf(out, " %u", t->reads[i]);
    fprintf(out, ", w");
    for (unsigned i = 0; i < t->nwrites; i++)
        fprintf(out, " %u", t->writes[i]);
    fprintf(out, ", cost %ju, priority %d, %s; ran %u, dropped %u, mark %s",
            (uintmax_t)t->spec.cost_ns, t->spec.priority, t->spec.name, ps__load(&t->runs),
            ps__load(&t->drops), ps_status_name(t->mark));
    if (t->wait_var >= 0)
        fprintf(out, ", waited %s %d: %s", t->wait_for_write ? "write" : "read", t->wait_var,
                ps_status_name(t->wait_status));
    fprintf(out, "\n");
}

static void print_step(const pusher *u, unsigned number, FILE *out)
{
    static const char *const names[] = {"push",     "wait read", "wait write", "wait all",
                                        "is ready", "version",   "on ready",   "watch",
                                        "pop",      "complete",  "workers",    "loop",
                                        "mode",     "release"};
    const step *s = &u->steps[number];
    fprintf(out, "  %u.%u %s", u->index, number, names[s->kind]);
    if (s->kind == STEP_PUSH)
        fprintf(out, " %u: %s", s->task, ps_status_name(u->owner->tasks[s->task].push_status));
    else
        fprintf(out, " variable %u, argument %u, timeout %jd: %s, root %ju, told %s", s->var,
                s->argument, (intmax_t)s->timeout_ns, ps_status_name(s->status), (uintmax_t)s->root,
                ps_status_name((ps_status)ps__load(&s->told)));
    fprintf(out, "\n");
}

void program_print(program *p, FILE *out)
{
    for (unsigned i = 0; i < p->ntasks; i++)
        print_task(&p->tasks[i], out);
    for (unsigned i = 0; i < p->npushers; i++)
        for (unsigned k = 0; k < p->pushers[i].nsteps; k++)
            if (p->pushers[i].steps[k].kind != STEP_RELEASE)
                print_step(&p->pushers[i], k, out);
}
