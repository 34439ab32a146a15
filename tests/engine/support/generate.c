/* Makes a program from a seed.
 *
 * First what may occur in it (choose_features), then who owns which variable, then the steps of
 * each pusher with the tasks that they push. Few things occur in most programs, many in some: a
 * failure is easier to understand in a plain program, and rare meetings need the rich ones. */
#include "program.h"

#include <string.h>

/* splitmix64: good enough, and every seed is as good as any other. */
typedef struct dice {
    uint64_t state;
} dice;

static uint64_t roll(dice *d)
{
    uint64_t z = d->state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

static unsigned below(dice *d, unsigned limit)
{
    return (unsigned)(roll(d) % limit);
}

static bool chance(dice *d, unsigned percent)
{
    return below(d, 100) < percent;
}

#define PICK(d, table) ((table)[below((d), sizeof(table) / sizeof *(table))])

/* ---- features ---------------------------------------------------------------------------- */

static void choose_finishes(program *p, dice *d)
{
    p->finishes = 1u << FINISH_RETURN;
    if (chance(d, 50))
        return;
    p->finishes |= 1u << FINISH_INSIDE | 1u << FINISH_HELPER;
    if (!p->sync && chance(d, 60))
        p->finishes |= 1u << FINISH_TASK | 1u << FINISH_PUSHER;
}

static void choose_features(program *p, dice *d)
{
    static const unsigned workers[] = {1, 2, 3, 8, 16, 2, 3, 8};
    static const unsigned failures[] = {0, 0, 5, 20};
    static const uint64_t ops[] = {4, 16, 4096, 4096};
    static const uint64_t bytes[] = {1000, UINT64_C(1) << 40};
    static const uint32_t periods[] = {0, 2, 5, 20, 100};
    static const int64_t delays[] = {0, 0, 2000, 20000, 100000};
    static const unsigned pushers[] = {1, 1, 2, 3};
    /* Every worker count in both modes within any 32 seeds, a crowd in both within any 256. */
    p->workers = workers[p->seed % 8];
    p->sync = p->seed / 8 % 4 == 0;
    p->npushers = PICK(d, pushers);
    if (p->seed % 64 == 63) {
        p->workers = PROGRAM_CROWD;
        p->npushers = PROGRAM_PUSHERS;
        p->sync = p->seed / 64 % 4 == 0;
    }
    p->failure_percent = PICK(d, failures);
    p->nested = chance(d, 40);
    p->switches = chance(d, 10);
    p->traced = chance(d, p->failure_percent != 0 ? 60 : 10);
    p->device = chance(d, 35);
    p->delay_ns[0] = PICK(d, delays);
    p->delay_ns[1] = PICK(d, delays);
    p->bound_ops = PICK(d, ops);
    p->bound_bytes = PICK(d, bytes);
    p->step_period = PICK(d, periods);
    p->destroys_undrained = !p->traced && !p->device && chance(d, 15);
    choose_finishes(p, d);
    /* A task that waits for one that a younger task or its pusher completes would wait for ever. */
    p->waits_inside = (p->finishes >> FINISH_TASK) == 0 && chance(d, 25);
}

/* Whether skipped tasks would leave the order of what follows unknown (invariant 3). */
static bool nothing_shared(const program *p)
{
    return p->failure_percent != 0 && !p->traced;
}

static void choose_variables(program *p, dice *d)
{
    p->nvars = 1 + below(d, PROGRAM_VARS);
    for (unsigned v = 0; v < p->nvars; v++) {
        cell *c = &p->cells[v];
        bool owned = nothing_shared(p) || chance(d, 40);
        c->owner = owned ? (int)below(d, p->npushers) : -1;
        c->value = c->start = roll(d);
        c->released_first = chance(d, 30);
    }
    if (nothing_shared(p))
        p->nested = false;
}

/* ---- tasks ------------------------------------------------------------------------------- */

/* The variables that a context may use: `who` is a pusher, or -1 for tasks. */
static unsigned usable(const program *p, int who, uint8_t *vars)
{
    unsigned count = 0;
    for (unsigned v = 0; v < p->nvars; v++)
        if (p->cells[v].owner == -1 || p->cells[v].owner == who)
            vars[count++] = (uint8_t)v;
    return count;
}

static void choose_sets(program *p, dice *d, task *t, int who)
{
    static const unsigned reads[] = {0, 1, 1, 2, 2, 3, 4, 6};
    static const unsigned writes[] = {0, 1, 1, 1, 2, 3};
    uint8_t vars[PROGRAM_VARS];
    unsigned count = usable(p, who, vars);
    if (count == 0)
        return;
    t->nreads = PICK(d, reads);
    t->nwrites = PICK(d, writes);
    for (unsigned i = 0; i < t->nreads; i++)
        t->reads[i] = vars[below(d, count)];
    for (unsigned i = 0; i < t->nwrites; i++)
        t->writes[i] = vars[below(d, count)];
    if (t->nreads > 0 && t->nwrites > 0 && chance(d, 30))
        t->reads[0] = t->writes[0]; /* an update in place */
}

static void choose_spec(dice *d, task *t)
{
    static const uint64_t costs[] = {0, 20, 2000, 50000, 1000000};
    static const uint64_t bytes[] = {0, 0, 64, 1 << 20};
    static const uint8_t kinds[] = {PS_COMPUTE, PS_COMPUTE, PS_COMPUTE,
                                    PS_COPY,    PS_IO,      PS_FRONTEND};
    static const char *const names[] = {"compute", "copy", "io", "frontend"};
    t->spec.size = sizeof t->spec;
    t->spec.kind = PICK(d, kinds);
    t->spec.name = names[t->spec.kind];
    t->spec.location = t->id + 1; /* so that 0 can only be a mistake */
    t->spec.cost_ns = PICK(d, costs);
    t->spec.bytes = PICK(d, bytes);
    t->spec.priority = (int32_t)below(d, 5) - 2;
    if (chance(d, 20))
        t->spec.flags |= PS_TASK_FUSABLE;
    t->yields = chance(d, 20);
    t->spin_ns = chance(d, 10) ? below(d, 20000) : 0;
}

static void choose_loop(program *p, dice *d, loop *l)
{
    l->owner = p;
    l->count = below(d, 200);
    l->grain = chance(d, 20) ? 0 : 1 + l->count / (1 + below(d, PROGRAM_PIECES - 1));
    if (chance(d, 30))
        l->failing = (uint32_t)roll(d) & (uint32_t)roll(d);
}

static void choose_finish(program *p, dice *d, task *t)
{
    unsigned way = below(d, 12);
    bool own = t->parent == -1;
    if (way > FINISH_PUSHER || (p->finishes >> way & 1) == 0)
        return;
    /* Only a pusher can make sure that somebody completes it before the next wait. */
    if ((way == FINISH_TASK || way == FINISH_PUSHER) && !own)
        return;
    t->finish = (finish)way;
    /* The second time the engine may be gone already, unless somebody waits for the helper. */
    t->twice = chance(d, 30) && !(way == FINISH_HELPER && p->destroys_undrained);
}

static void choose_failure(program *p, dice *d, task *t)
{
    static const ps_status statuses[] = {PS_ERR_TASK, PS_ERR_SYSTEM, PS_ERR_ARGUMENT,
                                         PS_ERR_MEMORY};
    t->status = PICK(d, statuses);
    if (!chance(d, p->failure_percent) || p->nfailing == PROGRAM_FAILURES)
        return;
    p->nfailing++;
    t->failure = FAIL_RETURN;
    /* The device blames what is on the queue: two tasks must not put work there at a time, as they
     * do when one of them waits meanwhile. */
    if (t->queue >= 0 && !p->nested && !p->waits_inside && chance(d, 50)) {
        t->failure = FAIL_DEVICE;
        t->status = PS_ERR_DEVICE;
    } else if (t->finish == FINISH_INSIDE) {
        t->failure = chance(d, 50) ? FAIL_BOTH : FAIL_COMPLETE;
    } else if (t->finish != FINISH_RETURN && chance(d, 50)) {
        t->failure = FAIL_COMPLETE;
    }
}

static void choose_wait(program *p, dice *d, task *t, int who)
{
    static const int64_t timeouts[] = {-1, -1, 0, 20000};
    uint8_t vars[PROGRAM_VARS];
    unsigned count = usable(p, who, vars);
    t->wait_var = -1;
    if (!p->waits_inside || count == 0 || t->queue >= 0 || !chance(d, 20))
        return;
    t->wait_var = vars[below(d, count)];
    t->wait_for_write = chance(d, 40);
    t->wait_timeout_ns = PICK(d, timeouts);
    t->names |= UINT32_C(1) << t->wait_var;
}

static int make_task(program *p, dice *d, int who, int parent, unsigned depth);

static void choose_children(program *p, dice *d, task *t, unsigned depth)
{
    if (!p->nested || depth == PROGRAM_DEPTH || !chance(d, 20))
        return;
    unsigned count = 1 + below(d, PROGRAM_CHILDREN);
    for (unsigned i = 0; i < count; i++) {
        int id = make_task(p, d, -1, (int)t->id, depth + 1);
        if (id < 0)
            return;
        task *child = &p->tasks[id];
        t->children[t->nchildren++] = (uint16_t)id;
        t->names |= child->names | program_reads_mask(child) | program_writes_mask(child);
    }
    t->push_first = chance(d, 50);
}

/* Returns its index, or -1 when the program is full. */
static int make_task(program *p, dice *d, int who, int parent, unsigned depth)
{
    if (p->ntasks == PROGRAM_TASKS)
        return -1;
    task *t = &p->tasks[p->ntasks];
    t->owner = p;
    t->id = p->ntasks++;
    t->parent = parent;
    t->queue = p->device && chance(d, 40) ? (int)below(d, 2) : -1;
    choose_sets(p, d, t, who);
    choose_spec(d, t);
    choose_wait(p, d, t, who);
    if (t->queue < 0) {
        choose_finish(p, d, t);
        if (chance(d, 15))
            t->spec.flags |= PS_TASK_ALWAYS;
        t->loops = chance(d, 10);
        choose_loop(p, d, &t->loop);
    }
    choose_failure(p, d, t);
    choose_children(p, d, t, depth);
    return (int)t->id;
}

/* ---- steps ------------------------------------------------------------------------------- */

static step *add_step(pusher *u, step_kind kind)
{
    step *s = &u->steps[u->nsteps++];
    s->owner = u->owner;
    s->kind = kind;
    return s;
}

static bool has_room(const pusher *u)
{
    return u->nsteps + PROGRAM_VARS + 8 < PROGRAM_STEPS; /* for what a step may add, and the end */
}

static void add_push(pusher *u, dice *d)
{
    program *p = u->owner;
    int id = make_task(p, d, (int)u->index, -1, 0);
    if (id < 0)
        return;
    add_step(u, STEP_PUSH)->task = (unsigned)id;
    if (p->tasks[id].finish != FINISH_TASK)
        return;
    int later = make_task(p, d, (int)u->index, -1, PROGRAM_DEPTH);
    if (later < 0)
        return;
    /* It must be able to run whatever the other one holds back. */
    task *completer = &p->tasks[later];
    completer->nreads = completer->nwrites = 0;
    completer->queue = -1;
    completer->failure = completer->failure == FAIL_DEVICE ? FAIL_RETURN : completer->failure;
    completer->finish = FINISH_RETURN;
    if (completer->failure != FAIL_NOT)
        completer->failure = FAIL_RETURN;
    completer->completes = (uint16_t)(id + 1);
    add_step(u, STEP_PUSH)->task = (unsigned)later;
}

/* A step that is about one variable; false if this pusher may use none. */
static bool add_variable_step(pusher *u, dice *d)
{
    static const step_kind kinds[] = {STEP_WAIT_READ, STEP_WAIT_READ, STEP_WAIT_WRITE,
                                      STEP_IS_READY,  STEP_VERSION,   STEP_ON_READY,
                                      STEP_WATCH};
    static const int64_t timeouts[] = {-1, -1, 0, 50000};
    uint8_t vars[PROGRAM_VARS];
    unsigned count = usable(u->owner, (int)u->index, vars);
    if (count == 0)
        return false;
    step *s = add_step(u, PICK(d, kinds));
    s->var = vars[below(d, count)];
    s->timeout_ns = PICK(d, timeouts);
    return true;
}

static void add_other_step(pusher *u, dice *d)
{
    static const unsigned workers[] = {1, 2, 3, 8, 16};
    static const int64_t timeouts[] = {-1, -1, 0, 50000};
    program *p = u->owner;
    switch (below(d, 6)) {
    case 0:
        add_step(u, STEP_WAIT_ALL)->timeout_ns = PICK(d, timeouts);
        break;
    case 1:
        add_step(u, STEP_POP);
        break;
    case 2:
        add_step(u, STEP_COMPLETE);
        break;
    case 3:
        add_step(u, STEP_WORKERS)->argument = PICK(d, workers);
        break;
    case 4: {
        step *s = add_step(u, STEP_LOOP);
        s->loop = calloc(1, sizeof *s->loop);
        choose_loop(p, d, s->loop);
        break;
    }
    default:
        if (p->switches)
            add_step(u, STEP_MODE)->argument = chance(d, 50) ? PS_MODE_SYNC : PS_MODE_DEFAULT;
    }
}

static uint32_t step_names(const pusher *u, const step *s)
{
    const task *t = &u->owner->tasks[s->task];
    switch (s->kind) {
    case STEP_PUSH:
        return t->names | program_reads_mask(t) | program_writes_mask(t);
    case STEP_WAIT_READ:
    case STEP_WAIT_WRITE:
    case STEP_IS_READY:
    case STEP_VERSION:
    case STEP_ON_READY:
    case STEP_WATCH:
        return UINT32_C(1) << s->var;
    default:
        return 0;
    }
}

/* Gives up some variables right after their last use, the others at the end. */
static void add_releases(pusher *u, dice *d)
{
    step *old = malloc(sizeof u->steps);
    unsigned count = u->nsteps, early = (unsigned)roll(d);
    uint32_t left = 0;
    memcpy(old, u->steps, sizeof u->steps);
    uint32_t last[PROGRAM_STEPS] = {0};
    for (unsigned i = count; i-- > 0;) {
        uint32_t names = step_names(u, &old[i]);
        last[i] = names & ~left & early;
        left |= names;
    }
    memset(u->steps, 0, sizeof u->steps);
    u->nsteps = 0;
    uint32_t released = 0;
    for (unsigned i = 0; i < count; i++) {
        u->steps[u->nsteps++] = old[i];
        for (unsigned v = 0; v < u->owner->nvars; v++)
            if (last[i] >> v & 1)
                add_step(u, STEP_RELEASE)->var = v;
        released |= last[i];
    }
    for (unsigned v = 0; v < u->owner->nvars; v++)
        if (!(released >> v & 1))
            add_step(u, STEP_RELEASE)->var = v;
    free(old);
}

static void make_steps(pusher *u, dice *d)
{
    static const unsigned lengths[] = {2, 5, 10, 10, 20, 20, 40, 100};
    unsigned length = 1 + below(d, chance(d, 2) ? PROGRAM_STEPS : PICK(d, lengths));
    while (length-- > 0 && has_room(u)) {
        unsigned what = below(d, 100);
        if (what < 70)
            add_push(u, d);
        else if (what < 90)
            add_variable_step(u, d);
        else
            add_other_step(u, d);
    }
    add_releases(u, d);
}

void program_generate(program *p, uint64_t seed)
{
    dice d = {.state = seed * UINT64_C(0x2545f4914f6cdd1d)};
    memset(p, 0, sizeof *p);
    pthread_mutex_init(&p->lock, NULL);
    p->seed = seed;
    choose_features(p, &d);
    choose_variables(p, &d);
    for (unsigned i = 0; i < p->npushers; i++) {
        p->pushers[i].owner = p;
        p->pushers[i].index = i;
        make_steps(&p->pushers[i], &d);
    }
}

void program_describe(const program *p, char *text, size_t size)
{
    snprintf(text, size,
             "seed %ju: %u tasks, %u variables, %u pushers, %u workers, %s%s%s%s%s%s, %u %% fail, "
             "finishes 0x%x, bound %ju, yields 1/%u",
             (uintmax_t)p->seed, p->ntasks, p->nvars, p->npushers, p->workers,
             p->sync ? "sync" : "async", p->switches ? ", modes switch" : "",
             p->traced ? ", traced" : "", p->nested ? ", nested" : "", p->device ? ", late" : "",
             p->waits_inside ? ", waits inside" : "", p->failure_percent, p->finishes,
             (uintmax_t)p->bound_ops, p->step_period);
}
