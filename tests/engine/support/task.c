/* What the function of a task does, on whatever thread it runs: a worker, a pusher that helps, a
 * thread of the late device, or the thread that completes it later.
 *
 * A task is *begun* (enters its cells, reads, computes) and *ended* (writes, leaves its cells) on
 * one thread or on two; between the two it occupies its cells, so that any other task that the
 * engine lets in is noticed. A deferred task is ended by whoever completes it.
 *
 * The box of a deferred task is where it and the thread that completes it meet: the second to come
 * ends and completes it. 0 -> 1: the token is in the task, the function has left it there (release;
 * acquired by task_complete). -> 2: it may be completed (release; acquired by leave_token). */
#include "program.h"

#include <string.h>

#include "device/late/late.h"

static _Thread_local bool test_thread;
static _Thread_local bool in_loop;
static _Thread_local bool in_push;
static _Thread_local const task *running; /* innermost task on this thread */

void task_mark_test_thread(void)
{
    test_thread = true;
}

/* ---- cells ------------------------------------------------------------------------------- */

void cell_enter(program *p, unsigned var, bool write, const char *who, unsigned id)
{
    cell *c = &p->cells[var];
    uint32_t before = ps__add(&c->inside, write ? CELL_WRITER : 1);
    if (before >= CELL_WRITER || (write && before != 0))
        program_complain(p,
                         "%s %u came to %s cell %u with %u readers and %u writers inside (last "
                         "writer: task %u)",
                         who, id, write ? "write" : "read", var, before % CELL_WRITER,
                         before / CELL_WRITER, ps__load(&c->writer));
    if (write)
        ps__store(&c->writer, id);
}

void cell_leave(program *p, unsigned var, bool write)
{
    ps__add(&p->cells[var].inside, write ? (uint32_t)-CELL_WRITER : (uint32_t)-1);
}

static void enter_cells(task *t)
{
    uint32_t writes = program_writes_mask(t), reads = program_reads_mask(t) & ~writes;
    for (unsigned v = 0; v < PROGRAM_VARS; v++)
        if ((writes | reads) >> v & 1)
            cell_enter(t->owner, v, writes >> v & 1, "task", t->id);
}

static void leave_cells(task *t)
{
    uint32_t writes = program_writes_mask(t), reads = program_reads_mask(t) & ~writes;
    for (unsigned v = 0; v < PROGRAM_VARS; v++)
        if ((writes | reads) >> v & 1)
            cell_leave(t->owner, v, writes >> v & 1);
}

/* ---- loops ------------------------------------------------------------------------------- */

uint64_t loop_piece_hash(size_t begin, size_t end)
{
    return program_mix(program_mix(17, begin), end);
}

ps_status loop_piece_status(const loop *l, unsigned piece)
{
    if (!(l->failing >> piece % 32 & 1))
        return PS_OK;
    return piece % 2 != 0 ? PS_ERR_TASK : PS_ERR_SYSTEM;
}

static ps_status loop_body(size_t begin, size_t end, void *arg)
{
    loop *l = arg;
    size_t grain = loop_grain(l), piece = begin / grain;
    size_t wanted = begin + grain < l->count ? begin + grain : l->count;
    if (begin % grain != 0 || end != wanted || piece >= loop_pieces(l)) {
        program_complain(l->owner, "loop of %zu by %zu was given the piece [%zu, %zu)", l->count,
                         l->grain, begin, end);
        return PS_OK;
    }
    ps__add(&l->calls[piece], 1);
    l->hash[piece] = loop_piece_hash(begin, end);
    return loop_piece_status(l, (unsigned)piece);
}

static uint64_t loop_sum(const uint64_t *hash, unsigned pieces, ps_status status)
{
    uint64_t sum = status;
    for (unsigned i = 0; i < pieces; i++)
        sum = program_mix(sum, hash[i]);
    return sum;
}

uint64_t loop_run(loop *l)
{
    unsigned pieces = loop_pieces(l);
    in_loop = true;
    ps_status status = ps_parallel_for(l->owner->engine, l->count, l->grain, loop_body, l);
    in_loop = false;
    for (unsigned i = 0; i < pieces; i++)
        if (ps__load(&l->calls[i]) != 1)
            program_complain(l->owner, "piece %u of a loop of %zu by %zu ran %u times", i, l->count,
                             l->grain, ps__load(&l->calls[i]));
    return loop_sum(l->hash, pieces, status);
}

uint64_t loop_expected(const loop *l)
{
    uint64_t hash[PROGRAM_PIECES];
    unsigned pieces = loop_pieces(l);
    ps_status status = PS_OK;
    for (unsigned i = pieces; i-- > 0;) {
        size_t begin = i * loop_grain(l), end = begin + loop_grain(l);
        hash[i] = loop_piece_hash(begin, end < l->count ? end : l->count);
        if (loop_piece_status(l, i) != PS_OK)
            status = loop_piece_status(l, i);
    }
    return loop_sum(hash, pieces, status);
}

/* ---- begun and ended --------------------------------------------------------------------- */

static void begin(task *t)
{
    program *p = t->owner;
    enter_cells(t);
    uint64_t hash = program_mix(p->seed, t->id);
    if (t->mark != PS_OK)
        hash = program_mix(hash, t->mark); /* what marked cells hold is nobody's business */
    else
        for (unsigned i = 0; i < t->nreads; i++)
            hash = program_mix(hash, p->cells[t->reads[i]].value);
    if (t->loops)
        hash = program_mix(hash, loop_run(&t->loop));
    if (t->yields)
        step_aside();
    if (t->spin_ns != 0)
        fixture_spin(t->spin_ns);
    t->hash = hash;
}

static void end(task *t)
{
    for (unsigned i = 0; i < t->nwrites; i++)
        t->owner->cells[t->writes[i]].value = program_mix(t->hash, i);
    leave_cells(t);
}

/* ---- finishing --------------------------------------------------------------------------- */

static void end_and_complete(task *t)
{
    bool fails = t->failure == FAIL_COMPLETE || t->failure == FAIL_BOTH;
    program *p = t->owner;
    ps_token token = t->token;
    bool twice = t->twice;
    char text[64];
    snprintf(text, sizeof text, "task %u fails", t->id);
    end(t);
    ps_status status = ps_complete(token, fails ? t->status : PS_OK, fails ? text : NULL);
    if (status != PS_OK)
        program_complain(p, "completing task %u: %s", t->id, ps_last_error());
    if (twice && (status = ps_complete(token, PS_OK, NULL)) != PS_ERR_STATE)
        program_complain(p, "completing task %u again: %s", t->id, ps_status_name(status));
}

/* The thread that completes FINISH_HELPER tasks, one for all programs. */
static struct {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    task *tasks[PROGRAM_TASKS]; /* guarded by lock; a ring */
    unsigned first, count;      /* guarded by lock */
} helper = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

static void *helper_body(void *arg)
{
    (void)arg;
    test_thread = true;
    for (;;) {
        pthread_mutex_lock(&helper.lock);
        while (helper.count == 0)
            pthread_cond_wait(&helper.changed, &helper.lock);
        task *t = helper.tasks[helper.first];
        helper.first = (helper.first + 1) % PROGRAM_TASKS;
        helper.count--;
        pthread_mutex_unlock(&helper.lock);
        program *p = t->owner;
        end_and_complete(t);
        tally_add(&p->returned); /* the last touch of the program: see task_wait_helper */
    }
    return NULL;
}

static void helper_start(void)
{
    pthread_t thread;
    if (pthread_create(&thread, NULL, helper_body, NULL) == 0)
        pthread_detach(thread);
}

static void give_to_helper(task *t)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, helper_start);
    tally_add(&t->owner->given);
    pthread_mutex_lock(&helper.lock);
    helper.tasks[(helper.first + helper.count++) % PROGRAM_TASKS] = t;
    pthread_cond_signal(&helper.changed);
    pthread_mutex_unlock(&helper.lock);
}

void task_wait_helper(program *p)
{
    tally_reaches(&p->returned, tally_read(&p->given));
}

static void leave_token(task *t)
{
    uint32_t empty = 0;
    if (!ps__cas(&t->box, &empty, 1)) /* pairs with task_complete */
        end_and_complete(t);
}

void task_complete(task *t)
{
    if (ps__exchange(&t->box, 2) == 1) /* pairs with leave_token */
        end_and_complete(t);
}

static void finish_later(task *t, ps_task *self)
{
    ps_status status = ps_task_defer(self, &t->token);
    if (status != PS_OK)
        program_complain(t->owner, "deferring task %u: %s", t->id, ps_last_error());
    if (t->finish == FINISH_INSIDE)
        end_and_complete(t);
    else if (t->finish == FINISH_HELPER)
        give_to_helper(t);
    else
        leave_token(t);
}

/* ---- on the late device ------------------------------------------------------------------ */

ps_device *program_device(void)
{
    static ps_device *device; /* devices stay for the life of the process */
    if (device == NULL && ps__late_create(&device) != PS_OK)
        return NULL;
    return device;
}

static void device_begin(void *arg)
{
    begin(arg);
}

static void device_end(void *arg)
{
    task *t = arg;
    end(t);
    if (t->failure == FAIL_DEVICE) /* this piece is the next that the queue finishes */
        ps__late_fail(program_device(), (unsigned)t->queue, 1, t->status);
}

static void put_on_device(task *t)
{
    ps_device *device = program_device();
    ps_status status = device->table->launch(device, (unsigned)t->queue, device_begin, t);
    if (status == PS_OK)
        status = device->table->launch(device, (unsigned)t->queue, device_end, t);
    if (status != PS_OK)
        program_complain(t->owner, "launching task %u: %s", t->id, ps_last_error());
}

/* ---- the function ------------------------------------------------------------------------ */

static void push_children(task *t)
{
    for (unsigned i = 0; i < t->nchildren; i++)
        task_push(&t->owner->tasks[t->children[i]], t->owner->sync || t->owner->switches);
}

static void wait_inside(task *t)
{
    program *p = t->owner;
    if (t->wait_var < 0)
        return;
    ps_var *var = p->cells[t->wait_var].var;
    ps_wait_options limit = {.size = sizeof limit, .timeout_ns = t->wait_timeout_ns};
    t->wait_begin = program_stamp(p);
    t->wait_status = t->wait_for_write ? ps_wait_write(var, &limit) : ps_wait_read(var, &limit);
    t->wait_root = program_root(p, t->wait_status);
    t->wait_end = program_stamp(p);
}

/* Whether this thread may run this task now. */
static void check_place(task *t)
{
    program *p = t->owner;
    bool always_async = !p->sync && !p->switches;
    if (in_loop)
        program_complain(p, "task %u ran on a thread inside a loop", t->id);
    if (running != NULL && in_push && always_async)
        program_complain(p, "task %u ran inside a push from task %u", t->id, running->id);
    if (running != NULL && !in_push && t->sequence >= running->sequence)
        program_complain(p, "task %u ran on top of task %u, which is older", t->id, running->id);
    if (t->spec.kind == PS_FRONTEND && test_thread && always_async)
        program_complain(p, "task %u calls a frontend and ran on a thread that is no worker",
                         t->id);
    if (t->mark != PS_OK && !(t->spec.flags & PS_TASK_ALWAYS) && t->queue < 0)
        program_complain(p, "task %u ran with a mark: %s", t->id, ps_status_name(t->mark));
}

static void act(task *t, ps_task *self)
{
    if (t->completes != 0)
        task_complete(&t->owner->tasks[t->completes - 1]);
    if (t->push_first)
        push_children(t);
    wait_inside(t);
    if (t->queue >= 0) {
        if (t->failure != FAIL_RETURN)
            put_on_device(t);
    } else {
        begin(t);
        if (t->finish != FINISH_RETURN)
            finish_later(t, self);
        else
            end(t);
    }
    if (!t->push_first)
        push_children(t);
}

static ps_status task_run(ps_task *self, void *arg)
{
    task *t = arg;
    const task *outer = running;
    bool outer_push = in_push;
    if (ps__add(&t->runs, 1) != 0)
        program_complain(t->owner, "task %u ran twice", t->id);
    if (ps__load(&t->drops) != 0)
        program_complain(t->owner, "task %u ran after its argument was dropped", t->id);
    t->sequence = ps_task_sequence(self);
    t->mark = ps_task_error(self);
    check_place(t);
    running = t;
    in_push = false;
    /* After this the record is still ours, even if somebody has completed the task already. */
    act(t, self);
    running = outer;
    in_push = outer_push;
    if (t->failure == FAIL_RETURN)
        return ps_task_fail(self, t->status, "task %u fails", t->id);
    /* The completion has failed first: this one is the second and must not be the task's. */
    return t->failure == FAIL_BOTH ? PS_ERR_STATE : PS_OK;
}

static void release_names(program *p, uint32_t names)
{
    for (unsigned v = 0; v < PROGRAM_VARS; v++)
        if (names >> v & 1)
            ps_var_release(p->cells[v].var);
}

static void task_drop(void *arg)
{
    task *t = arg;
    ps__store(&t->drop_stamp, program_stamp(t->owner));
    if (ps__add(&t->drops, 1) != 0)
        program_complain(t->owner, "the argument of task %u was dropped twice", t->id);
    release_names(t->owner, t->names);
}

void task_push(task *t, bool sync)
{
    program *p = t->owner;
    ps_var *reads[PROGRAM_READS], *writes[PROGRAM_WRITES];
    for (unsigned i = 0; i < t->nreads; i++)
        reads[i] = p->cells[t->reads[i]].var;
    for (unsigned i = 0; i < t->nwrites; i++)
        writes[i] = p->cells[t->writes[i]].var;
    ps_task_spec spec = t->spec;
    spec.run = task_run;
    spec.arg = t;
    spec.drop = task_drop;
    spec.reads = reads;
    spec.nreads = t->nreads;
    spec.writes = writes;
    spec.nwrites = t->nwrites;
    spec.queue = t->queue >= 0 ? p->queues[t->queue] : NULL;
    for (unsigned v = 0; v < PROGRAM_VARS; v++)
        if (t->names >> v & 1)
            ps_var_retain(p->cells[v].var);
    t->pushed = true;
    t->push_begin = program_stamp(p);
    bool outer = in_push;
    in_push = true;
    ps_status status = ps_push(p->engine, &spec);
    in_push = outer;
    t->push_end = program_stamp(p);
    t->push_status = status;
    t->push_sync = sync;
    t->push_root = program_root(p, status);
    if (status != PS_OK && (!sync || t->push_root == 0))
        program_complain(p, "pushing task %u: %s", t->id, ps_last_error());
}
