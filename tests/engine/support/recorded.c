#include "recorded.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/lock.h"
#include "engine/capture.h"
#include "engine/internal.h"

#include <pthread.h>
#include <string.h>

/* Costs of steps as measured on one core: elementwise steps of 2,000, 20,000 and 100,000 numbers,
 * products of matrices at 200 GFLOP/s, x + 1 of 3,000 numbers. */
const recorded_program recorded_programs[] = {
    {"chains-2000", 320, 8, 8, 250, 8000, 100, false, false, true},
    {"chains-20000", 320, 8, 0, 2600, 80000, 80, false, false, true},
    {"chains-100000", 320, 8, 0, 9000, 400000, 80, false, false, true},
    {"products-64", 6400, 1, 0, 2600, 16384, 0, false, false, false},
    {"products-200", 640, 1, 0, 80000, 160000, 0, false, false, false},
    {"adds-queued", 1, 20000, 0, 300, 12000, 60, true, false, true},
    {"adds-waited", 1, 20000, 0, 300, 12000, 60, true, true, true},
};
const size_t recorded_program_count = sizeof recorded_programs / sizeof recorded_programs[0];

const recorded_program *recorded_find(const char *name)
{
    for (size_t i = 0; i < recorded_program_count; i++)
        if (strcmp(recorded_programs[i].name, name) == 0)
            return &recorded_programs[i];
    return NULL;
}

/* ---- What runs it ------------------------------------------------------------------------ */

enum {
    CORES = 1025,
    SMALL = 32768,  /* blocks up to this are kept by who freed them, */
    OWN_BLOCKS = 4, /* so many of them */
    COUNTED = 4096  /* results from this size on are told to the engine */
};

typedef struct block {
    struct block *next;
    uint32_t last; /* the core that touched it, from 1 on; who has the block */
} block;

/* Of one core: only the thread that is there uses it, and none leaves a core in the middle. */
typedef struct corner {
    _Alignas(64) block *blocks;
    unsigned count;
    int64_t work, moving;
} corner;

typedef struct chain {
    ps_var *var;
    block *result;     /* of the last step that stored one; ordered by `var` */
    uint32_t next;     /* the step to run; ordered by `var` */
    bool out_of_order; /* likewise */
} chain;

typedef struct machine {
    const recorded_program *program;
    const ps__virtual_costs *costs;
    ps_engine *engine;
    bool is_virtual;
    corner corners[CORES];
    ps__lock lock; /* guards `blocks` */
    block *blocks;
    chain *chains;
} machine;

static __thread uint32_t thread_number; /* in real time it stands for the core */
static _Atomic uint32_t thread_numbers;

static uint32_t core_of(const machine *m)
{
    if (m->is_virtual)
        return ps__virtual_core() + 1;
    if (thread_number == 0)
        thread_number = ps__add(&thread_numbers, 1) % (CORES - 1) + 1;
    return thread_number;
}

static void busy(const machine *m, int64_t ns)
{
    if (m->is_virtual) {
        ps__virtual_charge(ns);
        return;
    }
    int64_t end =
        ps__now_ns() + ns - m->costs->clock; /* it was late when the first look came back */
    while (ps__now_ns() < end)
        ;
}

/* ---- Memory ------------------------------------------------------------------------------ */

static block *block_take(machine *m)
{
    corner *own = &m->corners[core_of(m)];
    block *taken = own->blocks;
    if (taken != NULL) {
        own->blocks = taken->next;
        own->count--;
        return taken;
    }
    ps__lock_take(&m->lock);
    taken = m->blocks;
    if (taken != NULL)
        m->blocks = taken->next;
    ps__unlock(&m->lock);
    return taken != NULL ? taken : ps__calloc(1, sizeof *taken);
}

static void block_free(machine *m, block *freed)
{
    corner *own = &m->corners[core_of(m)];
    if (m->program->bytes <= SMALL && own->count < OWN_BLOCKS) {
        freed->next = own->blocks;
        own->blocks = freed;
        own->count++;
        return;
    }
    ps__lock_take(&m->lock);
    freed->next = m->blocks;
    m->blocks = freed;
    ps__unlock(&m->lock);
}

/* Reads or writes all of it. */
static void touch(machine *m, block *touched)
{
    uint32_t core = core_of(m);
    int64_t cost = 0;
    if (touched->last != 0 && touched->last != core)
        cost = (int64_t)m->program->bytes * m->costs->byte_moved_ps / 1000;
    touched->last = core;
    m->corners[core].moving += cost;
    if (cost != 0)
        busy(m, cost);
}

/* ---- Steps ------------------------------------------------------------------------------- */

typedef struct step {
    machine *m;
    chain *of;
    uint32_t index;
    block *input; /* freed when the step is dropped */
    bool done;
} step;

/* Some steps of a chain in one pass: what is between them is not stored. */
static void run_steps(machine *m, step *const *steps, size_t count, int64_t cost)
{
    chain *of = steps[0]->of;
    if (of->result != NULL)
        touch(m, of->result);
    block *result = block_take(m);
    touch(m, result);
    m->corners[core_of(m)].work += cost;
    busy(m, cost);
    for (size_t i = 0; i < count; i++) {
        of->out_of_order |= of->next != steps[i]->index;
        of->next = steps[i]->index + 1;
        steps[i]->done = true;
    }
    steps[0]->input = of->result;
    of->result = result;
}

static ps_status run_step(ps_task *self, void *arg)
{
    (void)self;
    step *one = arg;
    run_steps(one->m, &one, 1, one->m->program->step_ns);
    return PS_OK;
}

/* As tensors do it: the result is there and nobody has a handle; what was read goes. */
static void drop_step(void *arg)
{
    step *one = arg;
    machine *m = one->m;
    const recorded_program *p = m->program;
    bool told = p->bytes >= COUNTED;
    bool last = one->index == p->steps - 1;
    if (told && !(last && p->kept))
        ps__engine_keep(m->engine, (int64_t)p->bytes);
    if (told && (one->index > p->at_call))
        ps__engine_keep(m->engine, -(int64_t)p->bytes);
    if (one->input != NULL)
        block_free(m, one->input);
    if (last && !p->kept) {
        if (told)
            ps__engine_keep(m->engine, -(int64_t)p->bytes);
        block_free(m, one->of->result);
        one->of->result = NULL;
    }
    ps__free(one);
}

/* ---- Groups ------------------------------------------------------------------------------ */

typedef struct steps_group {
    size_t count;
    step *steps[PS__PIECE];
} steps_group;

static ps_status run_group(void *state)
{
    steps_group *group = state;
    machine *m = group->steps[0]->m;
    int64_t cost = m->program->step_ns * m->program->grouped_pct / 100;
    run_steps(m, group->steps, group->count, cost * (int64_t)group->count);
    return PS_OK;
}

static size_t group_steps(void *context, ps_task *const *tasks, size_t count, ps__group *group)
{
    (void)context;
    steps_group *state = ps__calloc(1, sizeof *state);
    if (state == NULL)
        return 0;
    for (size_t i = 0; i < count && i < PS__PIECE; i++) {
        step *one = ps__task_arg(tasks[i]);
        if (i != 0 && one->of != state->steps[0]->of)
            break;
        state->steps[state->count++] = one;
    }
    *group = (ps__group){run_group, ps__free, state};
    size_t members = state->count;
    if (members < 2)
        ps__free(state);
    return members;
}

/* ---- Pushing ----------------------------------------------------------------------------- */

typedef struct capturing {
    ps__capture capture; /* first */
    ps_var *var, *reads, *writes;
} capturing;

static void fill_capture(ps__capture *capture)
{
    capturing *c = (capturing *)capture;
    capture->reads[capture->nreads++] = c->var;
    capture->writes[capture->nwrites++] = c->var;
}

static bool push_step(machine *m, chain *of, uint32_t index)
{
    const recorded_program *p = m->program;
    step *one = ps__calloc(1, sizeof *one);
    if (one == NULL)
        return false;
    *one = (step){.m = m, .of = of, .index = index};
    if (!m->is_virtual) /* what a frontend does; the rest of a push is real */
        busy(m, m->costs->push - m->costs->push_locked);
    ps_task_spec spec = {.size = sizeof spec,
                         .run = run_step,
                         .arg = one,
                         .drop = drop_step,
                         .cost_ns = (uint64_t)p->step_ns,
                         .bytes = p->bytes,
                         .flags = p->grouped_pct != 0 ? PS_TASK_FUSABLE : 0};
    capturing c = {.var = of->var};
    c.capture = (ps__capture){.fill = fill_capture,
                              .reads = &c.reads,
                              .writes = &c.writes,
                              .most = 2,
                              .stays = p->stays,
                              .estimated = true};
    return ps__push_capture(m->engine, &spec, &c.capture) == PS_OK;
}

/* Steps that are shorter than queueing them. */
static void run_at_call(machine *m, chain *of)
{
    for (uint32_t i = 0; i < m->program->at_call; i++) {
        busy(m, m->costs->push);
        busy(m, m->program->step_ns);
        of->next = i + 1;
    }
}

static bool push_chain(machine *m, chain *of)
{
    const recorded_program *p = m->program;
    run_at_call(m, of);
    for (uint32_t i = p->at_call; i < p->steps; i++) {
        if (!push_step(m, of, i))
            return false;
        if (p->waited && ps_wait_read(of->var, NULL) != PS_OK)
            return false;
    }
    return true;
}

/* The results of the round before are gone: in an order that has nothing to do with who made them. */
static void begin_round(machine *m)
{
    uint32_t count = m->program->chains, random = 1;
    for (uint32_t i = 0; i < count; i++) {
        random = random * 1664525u + 1013904223u;
        chain *one = &m->chains[i], *other = &m->chains[(random >> 8) % count];
        block *moved = one->result;
        one->result = other->result;
        other->result = moved;
    }
    for (uint32_t i = 0; i < count; i++) {
        chain *of = &m->chains[i];
        if (of->result != NULL)
            block_free(m, of->result);
        of->result = NULL;
        of->next = 0;
    }
    for (unsigned i = 0; i < CORES; i++)
        m->corners[i].work = m->corners[i].moving = 0;
}

static ps__lock lock_counts(ps_engine *engine)
{
    ps__lock_take(&engine->lock);
    ps__lock seen = {.takes = engine->lock.takes - 1, .contended = engine->lock.contended};
    ps__unlock(&engine->lock);
    return seen;
}

/* All that only ever grows. */
typedef struct odometer {
    ps_engine_stats engine;
    ps__lock lock;
    ps__virtual_counts time;
} odometer;

static odometer read_odometer(const machine *m)
{
    odometer now = {.engine = {.size = sizeof now.engine}};
    (void)ps_engine_get_stats(m->engine, &now.engine);
    if (m->is_virtual)
        now.time = ps__virtual_counted();
    now.lock = lock_counts(m->engine);
    return now;
}

static void note_way(const machine *m, const odometer *from, recorded_times *times)
{
    ps__lock lock = lock_counts(m->engine);
    times->takes = lock.takes - from->lock.takes - 1;
    times->contended = lock.contended - from->lock.contended;
    odometer to = read_odometer(m);
    times->wakes = to.engine.wakes - from->engine.wakes;
    times->held_back = to.engine.held_back - from->engine.held_back;
    times->helped = to.engine.helped - from->engine.helped;
    times->groups = to.engine.groups - from->engine.groups;
    times->slept = to.time.slept - from->time.slept;
    times->spun = to.time.spun - from->time.spun;
}

static void note_steps(const machine *m, recorded_times *times)
{
    for (unsigned i = 0; i < CORES; i++) {
        times->work += m->corners[i].work;
        times->moving += m->corners[i].moving;
    }
    times->in_order = true;
    for (uint32_t i = 0; i < m->program->chains; i++)
        times->in_order &= !m->chains[i].out_of_order && m->chains[i].next == m->program->steps;
}

static bool run_round(machine *m, recorded_times *times)
{
    const recorded_program *p = m->program;
    begin_round(m);
    odometer before = read_odometer(m);
    int64_t began = ps__now_ns();
    for (uint32_t i = 0; i < p->chains; i++)
        if (!push_chain(m, &m->chains[i]))
            return false;
    times->pushing = ps__now_ns() - began;
    if (ps_wait_all(m->engine, NULL) != PS_OK)
        return false;
    times->makespan = ps__now_ns() - began;
    note_way(m, &before, times);
    note_steps(m, times);
    return true;
}

/* ---- A run ------------------------------------------------------------------------------- */

static bool make_chains(machine *m)
{
    m->chains = ps__calloc(m->program->chains, sizeof *m->chains);
    for (uint32_t i = 0; m->chains != NULL && i < m->program->chains; i++)
        if (ps_var_create(m->engine, &m->chains[i].var) != PS_OK)
            return false;
    return m->chains != NULL;
}

static void free_blocks(block *first)
{
    while (first != NULL) {
        block *next = first->next;
        ps__free(first);
        first = next;
    }
}

static void end_machine(machine *m)
{
    for (uint32_t i = 0; m->chains != NULL && i < m->program->chains; i++) {
        ps__free(m->chains[i].result);
        ps_var_release(m->chains[i].var);
    }
    ps__free(m->chains);
    if (m->engine != NULL)
        (void)ps_engine_destroy(m->engine);
    for (unsigned i = 0; i < CORES; i++)
        free_blocks(m->corners[i].blocks);
    free_blocks(m->blocks);
}

static bool run_rounds(machine *m, const recorded_setting *setting, recorded_times *best)
{
    ps_engine_options options = {.size = sizeof options,
                                 .workers = setting->workers,
                                 .mode = PS_MODE_ASYNC};
    if (ps_engine_create(&options, &m->engine) != PS_OK || !make_chains(m))
        return false;
    if (m->program->grouped_pct != 0)
        (void)ps__engine_set_grouping(m->engine, group_steps, NULL);
    bool in_order = true;
    for (unsigned i = 0; i <= setting->rounds; i++) {
        recorded_times round = {0};
        if (!run_round(m, &round))
            return false;
        in_order &= round.in_order;
        if (i == 1 || (i > 1 && round.makespan < best->makespan))
            *best = round;
    }
    best->in_order = in_order;
    return true;
}

static void add_bounds(const machine *m, recorded_times *times)
{
    const recorded_program *p = m->program;
    int64_t push = m->costs->push + m->costs->push_locked + m->costs->lock;
    int64_t pct = p->grouped_pct != 0 ? p->grouped_pct : 100;
    int64_t queued = (int64_t)(p->steps - p->at_call) * p->chains;
    times->push_least = push * p->steps * p->chains + m->costs->record * queued +
                        p->at_call * p->step_ns * p->chains;
    times->critical = p->step_ns * pct / 100 * (p->steps - p->at_call);
    if (p->waited) /* nothing is beside anything, and nothing is grouped */
        times->critical = times->push_least + (p->step_ns + m->costs->wait) * p->steps * p->chains;
}

typedef struct request {
    const recorded_program *program;
    const recorded_setting *setting;
    recorded_times *times;
    bool done;
} request;

static void *serve(void *arg)
{
    request *r = arg;
    unsigned cores = r->setting->cores;
    machine *m = ps__calloc_aligned(64, sizeof *m);
    if (m == NULL)
        return NULL;
    m->program = r->program;
    m->is_virtual = cores != 0;
    m->costs = r->setting->costs != NULL ? r->setting->costs : &ps__virtual_measured;
    if (cores != 0)
        ps__virtual_begin(cores, m->costs);
    r->done = run_rounds(m, r->setting, r->times);
    if (cores != 0)
        r->times->switches = ps__virtual_counted().switches;
    add_bounds(m, r->times);
    end_machine(m);
    if (cores != 0)
        ps__virtual_end();
    ps__free(m);
    return NULL;
}

/* In a thread of its own, which has nothing left from runs before. */
static bool run_apart(request *r)
{
    pthread_t thread;
    if (pthread_create(&thread, NULL, serve, r) != 0)
        return false;
    pthread_join(thread, NULL);
    return r->done;
}

bool recorded_run(const recorded_program *program, const recorded_setting *setting,
                  recorded_times *times)
{
    static const recorded_program little = {.name = "little",
                                            .chains = 8,
                                            .steps = 8,
                                            .bytes = 1 << 20};
    static const recorded_setting real = {.workers = 1};
    static bool warm; /* what a process does once is done */
    recorded_times ignored = {0};
    if (!warm && !run_apart(&(request){&little, &real, &ignored, false}))
        return false;
    warm = true;
    *times = (recorded_times){0};
    request asked = {program, setting, times, false};
    return run_apart(&asked);
}
