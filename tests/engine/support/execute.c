/* Runs a program: an engine, its pushing threads with their steps, and the end.
 *
 * The calling thread is the first pusher. At the end it waits until nothing is unfinished and no
 * error is left, so that everything that happened can be read without locks; or it destroys the
 * engine as it is, which must run all that is queued. */
#include "program.h"

#include <poll.h>
#include <string.h>

#include "device/late/late.h"

void program_complain(program *p, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    pthread_mutex_lock(&p->lock);
    if (!p->complained)
        vsnprintf(p->complaint, sizeof p->complaint, format, arguments);
    p->complained = true;
    pthread_mutex_unlock(&p->lock);
    va_end(arguments);
}

bool program_complained(program *p)
{
    pthread_mutex_lock(&p->lock);
    bool complained = p->complained;
    pthread_mutex_unlock(&p->lock);
    return complained;
}

static bool must(program *p, const char *what, ps_status status)
{
    if (status != PS_OK)
        program_complain(p, "%s: %s: %s", what, ps_status_name(status), ps_last_error());
    return status == PS_OK;
}

/* ---- errors ------------------------------------------------------------------------------ */

static void check_error(program *p, const ps_error_info *info)
{
    const task *t = &p->tasks[info->location - 1];
    char text[64];
    snprintf(text, sizeof text, "task %u fails", t->id);
    if (info->operation == NULL || strcmp(info->operation, t->spec.name) != 0)
        program_complain(p, "the error of task %u names operation %s", t->id,
                         info->operation != NULL ? info->operation : "NULL");
    if (info->sequence != t->sequence)
        program_complain(p, "the error of task %u has sequence %ju, not %ju", t->id,
                         (uintmax_t)info->sequence, (uintmax_t)t->sequence);
    if (info->status != t->status)
        program_complain(p, "the error of task %u is %s, not %s", t->id,
                         ps_status_name(info->status), ps_status_name(t->status));
    if (t->failure != FAIL_DEVICE && strstr(info->message, text) == NULL)
        program_complain(p, "the error of task %u says: %s", t->id, info->message);
}

uint64_t program_root(program *p, ps_status status)
{
    ps_error_info info = {.size = sizeof info};
    if (status == PS_OK)
        return 0;
    if (ps_last_error_info(&info) != PS_OK || info.status != status || info.message == NULL)
        program_complain(p, "%s was returned, but the last error is %s", ps_status_name(status),
                         ps_status_name(info.status));
    if (info.sequence == 0)
        return 0;
    if (info.location == 0 || info.location > p->ntasks)
        program_complain(p, "an error has location %ju", (uintmax_t)info.location);
    else
        check_error(p, &info);
    return info.sequence;
}

/* ---- steps ------------------------------------------------------------------------------- */

static void complete_pending(pusher *u)
{
    for (unsigned i = 0; i < u->npending; i++)
        task_complete(&u->owner->tasks[u->pending[i]]);
    u->npending = 0;
}

/* In programs where nothing keeps a task from running, the bound holds after every push. */
static void check_bound(pusher *u)
{
    program *p = u->owner;
    unsigned later = 1u << FINISH_HELPER | 1u << FINISH_TASK | 1u << FINISH_PUSHER;
    ps_engine_stats stats = {.size = sizeof stats};
    if (p->npushers > 1 || p->nested || p->device || p->waits_inside || (p->finishes & later) != 0)
        return;
    if (must(p, "ps_engine_get_stats", ps_engine_get_stats(p->engine, &stats)) &&
        stats.unfinished > p->bound_ops + 1)
        program_complain(p, "%ju tasks are unfinished after a push with a bound of %ju",
                         (uintmax_t)stats.unfinished, (uintmax_t)p->bound_ops);
}

static void do_push(pusher *u, step *s)
{
    task *t = &u->owner->tasks[s->task];
    bool later = t->finish == FINISH_TASK || t->finish == FINISH_PUSHER;
    if (u->sync) {
        complete_pending(u); /* the push may have to wait for them */
        if (later)
            task_complete(t); /* nobody could once the push waits for it */
    }
    task_push(t, u->sync);
    if (later && !u->sync)
        u->pending[u->npending++] = (uint16_t)t->id;
    check_bound(u);
}

uint64_t step_written(const pusher *u, const step *s)
{
    return program_mix(program_mix(u->owner->seed, u->index), (uint64_t)(s - u->steps));
}

/* The cell of a variable of its own, after a wait for it. */
static void touch(pusher *u, step *s)
{
    cell *c = &u->owner->cells[s->var];
    bool write = s->kind == STEP_WAIT_WRITE;
    if (c->owner != (int)u->index)
        return;
    cell_enter(u->owner, s->var, write, "pusher", u->index);
    s->value = c->value;
    if (write)
        c->value = step_written(u, s);
    cell_leave(u->owner, s->var, write);
}

static ps_status call_wait(program *p, const step *s, const ps_wait_options *limit)
{
    if (s->kind == STEP_WAIT_ALL)
        return ps_wait_all(p->engine, limit);
    ps_var *var = p->cells[s->var].var;
    return s->kind == STEP_WAIT_READ ? ps_wait_read(var, limit) : ps_wait_write(var, limit);
}

static void do_wait(program *p, step *s)
{
    ps_wait_options limit = {.size = sizeof limit, .timeout_ns = s->timeout_ns};
    s->begin = program_stamp(p);
    s->status = call_wait(p, s, &limit);
    s->root = program_root(p, s->status);
    s->end = program_stamp(p);
    bool late = s->root == 0 && s->status == PS_ERR_TIMEOUT && s->timeout_ns >= 0;
    if (s->status != PS_OK && s->root == 0 && !late)
        program_complain(p, "a wait returned %s: %s", ps_status_name(s->status), ps_last_error());
    s->done = !late;
}

static void do_wait_step(pusher *u, step *s)
{
    if (s->timeout_ns < 0)
        complete_pending(u);
    do_wait(u->owner, s);
    if (s->done && s->kind != STEP_WAIT_ALL)
        touch(u, s);
}

static void tell(step *s, ps_status status)
{
    ps__store(&s->told_stamp, program_stamp(s->owner));
    ps__store(&s->told, (uint32_t)status);
    ps__add(&s->calls, 1);
}

static void on_ready(void *arg, ps_status status)
{
    step *s = arg;
    tell(s, status);
    tally_add(&s->owner->callbacks);
}

static uint64_t step_tag(const pusher *u, const step *s)
{
    return (uint64_t)u->index << 32 | (uint64_t)(s - u->steps);
}

/* False when there was nothing. */
static bool pop(program *p)
{
    uint64_t tag = 0;
    ps_status told = PS_OK, status = ps_completions_pop(p->completions, &tag, &told);
    if (status == PS_ERR_EMPTY)
        return false;
    if (!must(p, "ps_completions_pop", status))
        return false;
    uint64_t index = tag >> 32, number = tag & UINT32_MAX;
    if (index >= p->npushers || number >= p->pushers[index].nsteps ||
        p->pushers[index].steps[number].kind != STEP_WATCH)
        program_complain(p, "a tag that nobody gave was popped: %jx", (uintmax_t)tag);
    else
        tell(&p->pushers[index].steps[number], told);
    return true;
}

static void do_step(pusher *u, step *s)
{
    program *p = u->owner;
    ps_var *var = p->cells[s->var].var;
    switch (s->kind) {
    case STEP_PUSH:
        do_push(u, s);
        break;
    case STEP_WAIT_READ:
    case STEP_WAIT_WRITE:
    case STEP_WAIT_ALL:
        do_wait_step(u, s);
        break;
    case STEP_IS_READY:
        s->value = ps_var_is_ready(var);
        s->end = program_stamp(p);
        break;
    case STEP_VERSION:
        must(p, "ps_var_version", ps_var_version(var, &s->value));
        break;
    case STEP_ON_READY:
        must(p, "ps_var_on_ready", ps_var_on_ready(var, on_ready, s));
        break;
    case STEP_WATCH:
        must(p, "ps_completions_watch", ps_completions_watch(p->completions, var, step_tag(u, s)));
        break;
    case STEP_POP:
        pop(p);
        break;
    case STEP_COMPLETE:
        complete_pending(u);
        break;
    case STEP_WORKERS:
        must(p, "ps_engine_set_workers", ps_engine_set_workers(p->engine, s->argument));
        break;
    case STEP_LOOP:
        s->value = loop_run(s->loop);
        break;
    case STEP_MODE:
        complete_pending(u);
        must(p, "ps_thread_set_mode", ps_thread_set_mode((ps_mode)s->argument));
        u->sync = p->sync || s->argument == PS_MODE_SYNC;
        break;
    case STEP_RELEASE:
        ps_var_release(var);
        break;
    }
}

static void *push_all(void *arg)
{
    pusher *u = arg;
    task_mark_test_thread();
    u->sync = u->owner->sync;
    for (unsigned i = 0; i < u->nsteps; i++)
        do_step(u, &u->steps[i]);
    complete_pending(u);
    ps_thread_set_mode(PS_MODE_DEFAULT);
    return NULL;
}

/* ---- the beginning ----------------------------------------------------------------------- */

static bool set_up_queues(program *p)
{
    ps_device *device = program_device();
    if (device == NULL)
        return must(p, "ps__late_create", PS_ERR_DEVICE);
    for (unsigned i = 0; i < 2; i++) {
        ps__late_set_delay(device, i, p->delay_ns[i]);
        if (!must(p, "ps_queue_create", ps_queue_create(p->engine, device, i, &p->queues[i])))
            return false;
    }
    return true;
}

static bool set_up_engine(program *p)
{
    ps_engine_options options = {.size = sizeof options,
                                 .workers = p->workers,
                                 .mode = p->sync ? PS_MODE_SYNC : PS_MODE_ASYNC};
    ps_bound bound = {.size = sizeof bound};
    if (!must(p, "ps_engine_create", ps_engine_create(&options, &p->engine)) ||
        !must(p, "ps_engine_bound", ps_engine_bound(p->engine, &bound)))
        return false;
    bound.ops = p->bound_ops;
    bound.soft_bytes = p->bound_bytes;
    return must(p, "ps_engine_set_bound", ps_engine_set_bound(p->engine, &bound)) &&
           must(p, "ps_completions_create", ps_completions_create(p->engine, &p->completions)) &&
           (!p->traced ||
            must(p, "ps_trace_start", ps_trace_start(p->engine, 64 + 32 * p->ntasks))) &&
           (!p->device || set_up_queues(p));
}

static bool set_up_variables(program *p)
{
    for (unsigned v = 0; v < p->nvars; v++) {
        cell *c = &p->cells[v];
        if (!must(p, "ps_var_create", ps_var_create(p->engine, &c->var)))
            return false;
        for (unsigned i = 0; i < p->npushers; i++)
            must(p, "ps_var_retain", ps_var_retain(c->var));
        if (c->released_first)
            ps_var_release(c->var);
    }
    return true;
}

static void run_pushers(program *p)
{
    for (unsigned i = 1; i < p->npushers; i++)
        if (pthread_create(&p->pushers[i].thread, NULL, push_all, &p->pushers[i]) != 0)
            abort(); /* the machine, not the engine */
    push_all(&p->pushers[0]);
    for (unsigned i = 1; i < p->npushers; i++)
        pthread_join(p->pushers[i].thread, NULL);
}

/* ---- the end ----------------------------------------------------------------------------- */

/* Until nothing is unfinished and no error is left. A wait does not cover what tasks push while it
 * lasts, so there may be a few more of them than errors. */
static void drain(program *p)
{
    p->stats.size = sizeof p->stats;
    while (p->ndrain < PROGRAM_DRAIN) {
        step *s = &p->drain[p->ndrain++];
        s->kind = STEP_WAIT_ALL;
        s->timeout_ns = -1;
        if (!must(p, "ps_engine_get_stats", ps_engine_get_stats(p->engine, &p->stats)))
            return;
        do_wait(p, s);
        if (s->status == PS_OK && p->stats.unfinished == 0)
            break;
    }
    p->have_stats = must(p, "ps_engine_get_stats", ps_engine_get_stats(p->engine, &p->stats));
}

static unsigned count_steps(const program *p, step_kind kind)
{
    unsigned count = 0;
    for (unsigned i = 0; i < p->npushers; i++)
        for (unsigned k = 0; k < p->pushers[i].nsteps; k++)
            count += p->pushers[i].steps[k].kind == kind;
    return count;
}

static unsigned count_told(program *p)
{
    unsigned count = 0;
    for (unsigned i = 0; i < p->npushers; i++)
        for (unsigned k = 0; k < p->pushers[i].nsteps; k++)
            if (p->pushers[i].steps[k].kind == STEP_WATCH)
                count += ps__load(&p->pushers[i].steps[k].calls);
    return count;
}

static bool readable(program *p, int milliseconds)
{
    struct pollfd fd = {.fd = ps_completions_fd(p->completions), .events = POLLIN};
    return poll(&fd, 1, milliseconds) == 1;
}

static void drain_completions(program *p)
{
    unsigned watched = count_steps(p, STEP_WATCH);
    while (count_told(p) < watched) {
        if (!readable(p, PART_LIMIT_S * 1000)) {
            program_complain(p, "a watch was never told");
            return;
        }
        if (!pop(p))
            program_complain(p, "the descriptor was readable, but there was nothing to pop");
    }
    if (pop(p) || readable(p, 0))
        program_complain(p, "there was more to pop than was watched");
}

static void note_event(program *p, const ps_trace_event *e)
{
    if (e->kind == PS_TRACE_QUEUED && e->other >= 1 && e->other <= p->ntasks) {
        task *t = &p->tasks[e->other - 1];
        if (t->sequence != 0 && t->sequence != e->sequence)
            program_complain(p, "task %u has sequence %ju, but %ju in the trace", t->id,
                             (uintmax_t)t->sequence, (uintmax_t)e->sequence);
        t->sequence = e->sequence;
    }
    for (unsigned i = 0; e->kind == PS_TRACE_END && i < p->ntasks; i++)
        if (p->tasks[i].sequence == e->sequence)
            p->tasks[i].traced_ends++;
}

static void read_trace(program *p)
{
    size_t count = 0;
    uint64_t lost = 0;
    must(p, "ps_trace_stop", ps_trace_stop(p->engine));
    must(p, "ps_trace_read", ps_trace_read(p->engine, NULL, 0, &count, &lost));
    if (lost != 0)
        program_complain(p, "the trace lost %ju events", (uintmax_t)lost);
    ps_trace_event *events = calloc(count + 1, sizeof *events);
    must(p, "ps_trace_read", ps_trace_read(p->engine, events, count, &count, &lost));
    /* Twice, because an end is known by a sequence number that the first pass finds. */
    for (size_t i = 0; i < count; i++)
        if (events[i].kind == PS_TRACE_QUEUED)
            note_event(p, &events[i]);
    for (size_t i = 0; i < count; i++)
        if (events[i].kind == PS_TRACE_END)
            note_event(p, &events[i]);
    free(events);
}

static void check_versions(program *p)
{
    for (unsigned v = 0; v < p->nvars; v++) {
        uint64_t version = 0, writes = 0;
        if (p->cells[v].released_first)
            continue;
        for (unsigned i = 0; i < p->ntasks; i++)
            writes += p->tasks[i].pushed && (program_writes_mask(&p->tasks[i]) >> v & 1);
        must(p, "ps_var_version", ps_var_version(p->cells[v].var, &version));
        if (version != writes)
            program_complain(p, "variable %u has version %ju after %ju writes", v,
                             (uintmax_t)version, (uintmax_t)writes);
        if (!ps_var_is_ready(p->cells[v].var))
            program_complain(p, "variable %u is not ready at the end", v);
    }
}

static void release_variables(program *p)
{
    for (unsigned v = 0; v < p->nvars; v++)
        if (!p->cells[v].released_first)
            ps_var_release(p->cells[v].var);
}

static void finish_in_order(program *p)
{
    drain(p);
    drain_completions(p);
    task_wait_helper(p);
    if (p->traced)
        read_trace(p);
    check_versions(p);
    for (unsigned i = 0; i < 2; i++)
        if (p->queues[i] != NULL)
            must(p, "ps_queue_destroy", ps_queue_destroy(p->queues[i]));
}

/* While the helper has tasks to complete the engine may refuse, and stays open. */
static void destroy_engine(program *p)
{
    bool helped = p->finishes >> FINISH_HELPER & 1;
    ps_status status;
    do {
        status = ps_engine_destroy(p->engine);
    } while (status == PS_ERR_DEADLOCK && helped);
    must(p, "ps_engine_destroy", status);
}

void program_execute(program *p)
{
    char text[512];
    program_describe(p, text, sizeof text);
    ps__step_configure(p->step_period, p->seed);
    if (!set_up_engine(p) || !set_up_variables(p))
        return;
    watchdog_start(PART_LIMIT_S, p->engine, text);
    run_pushers(p);
    if (!p->destroys_undrained)
        finish_in_order(p);
    ps_completions_destroy(p->completions);
    watchdog_start(PART_LIMIT_S, NULL, text);
    destroy_engine(p);
    task_wait_helper(p);
    if (!tally_reaches(&p->callbacks, count_steps(p, STEP_ON_READY)))
        program_complain(p, "a callback was never called");
    release_variables(p); /* handles stay valid after the engine is gone */
    watchdog_stop();
    ps__step_configure(0, 0);
}
