/* Fork beside threads that push and wait: whatever they are in the middle of, the child finds
 * every task done, or does it, or is told that it could not be stopped within a second.
 *
 * Each thread raises counters of its own, one write of a variable for each time, so that in the
 * child the value must be the number of writes that the variable knows of: a task that is lost or
 * done twice shows. The threads have hooks like a frontend's: a lock, which the thread that forks
 * holds, and a question about interrupts. */
#include "process.h"

#include "device/late/late.h"
#include "engine/internal.h" /* to see when a fork is under way */

enum {
    THREADS = 4,
    BURST = 40, /* tasks that a thread pushes before it waits */
    COST = 1500, /* of a short one: so that half a burst is run without the frontend's lock */
    FORKS = FIXTURE_SANITIZED ? 20 : 168 /* for each kind of work: 1008 in all */
};

/* ---- a frontend's lock ------------------------------------------------------------------- */

/* A wait inside of a task that a waiting thread runs finds the lock given up already. */
static pthread_mutex_t interpreter = PTHREAD_MUTEX_INITIALIZER;
static __thread bool holds_it, gave_it_up;

static void take_lock(void)
{
    pthread_mutex_lock(&interpreter);
    holds_it = true;
}

static void give_up_lock(void)
{
    holds_it = false;
    pthread_mutex_unlock(&interpreter);
}

static void unlock(void *state)
{
    (void)state;
    if (!holds_it)
        return;
    gave_it_up = true;
    give_up_lock();
}

static void relock(void *state)
{
    (void)state;
    if (!gave_it_up)
        return;
    gave_it_up = false;
    take_lock();
}

static bool never_interrupted(void *state)
{
    (void)state;
    return false;
}

static const ps_hooks plain_hooks = {
    .size = sizeof(ps_hooks), .unlock = unlock, .relock = relock};
static const ps_hooks asking_hooks = {.size = sizeof(ps_hooks),
                                      .unlock = unlock,
                                      .relock = relock,
                                      .interrupted = never_interrupted};

/* ---- what threads do --------------------------------------------------------------------- */

typedef struct world world;

typedef struct counter {
    ps_var *var;
    long value; /* guarded by the order on var */
    world *world;
    unsigned queue; /* of the device */
} counter;

typedef enum wait_kind { WAIT_READ, WAIT_WRITE, WAIT_ALL, WAIT_KINDS } wait_kind;

typedef struct pusher {
    counter counters[2];
    tally failed;
    unsigned index;
    pthread_t thread;
} pusher;

typedef ps_status (*push_fn)(counter *c);

struct world {
    ps_engine *engine;
    ps_device *device;
    ps_queue *queues[2];
    pusher pushers[THREADS];
    unsigned threads;
    push_fn push;
    tally rounds; /* of all threads together */
    tally stop;
};

static ps_status raise_counter(ps_task *self, void *arg)
{
    (void)self;
    ((counter *)arg)->value++;
    return PS_OK;
}

static ps_status push_short(counter *c)
{
    return PUSH(c->world->engine, .run = raise_counter, .arg = c, READS(c->var), WRITES(c->var),
                .cost_ns = COST);
}

/* A cost that is not known: straight to the workers. */
static ps_status push_unknown(counter *c)
{
    return PUSH(c->world->engine, .run = raise_counter, .arg = c, READS(c->var), WRITES(c->var));
}

static ps_status push_fusable(counter *c)
{
    return PUSH(c->world->engine, .run = raise_counter, .arg = c, READS(c->var), WRITES(c->var),
                .cost_ns = COST, .flags = PS_TASK_FUSABLE);
}

typedef struct group {
    counter *members[16];
    size_t count;
} group;

static ps_status run_group(void *state)
{
    group *g = state;
    for (size_t i = 0; i < g->count; i++)
        g->members[i]->value++;
    return PS_OK;
}

static size_t join_some(void *context, ps_task *const *tasks, size_t count, ps__group *out)
{
    (void)context;
    group *g = calloc(1, sizeof *g);
    if (g == NULL)
        return 0;
    for (; g->count < count && g->count < 16; g->count++)
        g->members[g->count] = ps__task_arg(tasks[g->count]);
    *out = (ps__group){.run = run_group, .drop = free, .state = g};
    return g->count;
}

static void raise_on_device(void *arg)
{
    ((counter *)arg)->value++;
}

static ps_status issue(ps_task *self, void *arg)
{
    counter *c = arg;
    (void)self;
    ps_device *device = c->world->device;
    return device->table->launch(device, c->queue, raise_on_device, c);
}

static ps_status push_device(counter *c)
{
    return PUSH(c->world->engine, .run = issue, .arg = c, READS(c->var), WRITES(c->var),
                .queue = c->world->queues[c->queue]);
}

static ps_status loop_part(size_t begin, size_t end, void *arg)
{
    ps__add_acq_rel((_Atomic uint32_t *)arg, (uint32_t)(end - begin)); /* pairs with the end */
    fixture_spin(2000);
    return PS_OK;
}

static ps_status loop_task(ps_task *self, void *arg)
{
    counter *c = arg;
    _Atomic uint32_t covered = 0;
    (void)self;
    ps_status status = ps_parallel_for(c->world->engine, 64, 4, loop_part, &covered);
    c->value += ps__load_acquire(&covered) == 64; /* pairs with loop_part */
    return status;
}

static ps_status push_loop(counter *c)
{
    return PUSH(c->world->engine, .run = loop_task, .arg = c, READS(c->var), WRITES(c->var),
                .cost_ns = 40000);
}

/* Waits for the other counter of its thread, whose tasks so far are older. */
static ps_status waiting_task(ps_task *self, void *arg)
{
    counter *c = arg;
    (void)self;
    ps_status status = ps_wait_read(c[-1].var, NULL);
    c->value++;
    return status == PS_ERR_DEADLOCK ? PS_OK : status; /* a younger one has come meanwhile */
}

/* The first counter of a thread is raised as it is, the second by tasks that wait for the first. */
static ps_status push_waiting(counter *c)
{
    if (c->queue == 0)
        return push_unknown(c);
    return PUSH(c->world->engine, .run = waiting_task, .arg = c, WRITES(c->var));
}

/* Each of the kinds in turn. */
static ps_status wait_somehow(pusher *p, unsigned round)
{
    world *w = p->counters[0].world;
    ps_var *var = p->counters[round % 2].var;
    switch ((wait_kind)(round % WAIT_KINDS)) {
    case WAIT_READ:
        return ps_wait_read(var, NULL);
    case WAIT_WRITE:
        return ps_wait_write(var, NULL);
    default:
        return ps_wait_all(w->engine, NULL);
    }
}

static void *push_and_wait(void *arg)
{
    pusher *p = arg;
    world *w = p->counters[0].world;
    take_lock();
    ps_thread_set_hooks(p->index % 2 ? &asking_hooks : &plain_hooks);
    for (unsigned round = 0; tally_read(&w->stop) == 0; round++) {
        for (unsigned i = 0; i < BURST; i++) /* one after the other, or in turn */
            if (w->push(&p->counters[round % 2 ? i % 2 : i >= BURST / 2]) != PS_OK)
                tally_add(&p->failed);
        if (wait_somehow(p, round) != PS_OK)
            tally_add(&p->failed);
        give_up_lock();
        tally_add(&w->rounds);
        take_lock();
    }
    give_up_lock();
    return NULL;
}

/* ---- a world of them --------------------------------------------------------------------- */

static unsigned workers_of_environment(unsigned otherwise)
{
    const char *text = getenv("PENSTOCK_WORKERS");
    return text != NULL ? 0 : otherwise; /* 0: as the environment says */
}

static void open_device(world *w)
{
    CHECK_OK(ps__late_create(&w->device));
    for (unsigned q = 0; q < 2; q++)
        CHECK_OK(ps_queue_create(w->engine, w->device, q, &w->queues[q]));
}

static world *world_open(unsigned workers, unsigned threads, push_fn push)
{
    world *w = calloc(1, sizeof *w);
    w->engine = fixture_engine(workers_of_environment(workers));
    w->threads = threads;
    w->push = push;
    CHECK_OK(ps__engine_set_join(w->engine, join_some, NULL));
    if (push == push_device)
        open_device(w);
    for (unsigned i = 0; i < threads; i++) {
        pusher *p = &w->pushers[i];
        p->index = i;
        for (unsigned k = 0; k < 2; k++)
            p->counters[k] = (counter){.var = fixture_var(w->engine), .world = w, .queue = k};
        assert_int_equal(pthread_create(&p->thread, NULL, push_and_wait, p), 0);
    }
    return w;
}

static bool as_many_as_written(const counter *c)
{
    uint64_t version = 0;
    if (ps_wait_read(c->var, NULL) == PS_OK && ps_var_version(c->var, &version) == PS_OK &&
        (uint64_t)c->value == version)
        return true;
    fprintf(stderr, "value %ld, %ju writes, %s\n", c->value, (uintmax_t)version, ps_last_error());
    return false;
}

static bool world_is_right(const world *w)
{
    bool right = true;
    for (unsigned i = 0; i < 2 * w->threads; i++)
        right &= as_many_as_written(&w->pushers[i / 2].counters[i % 2]);
    return right;
}

static void world_close(world *w)
{
    tally_add(&w->stop);
    for (unsigned i = 0; i < w->threads; i++)
        pthread_join(w->pushers[i].thread, NULL);
    CHECK_OK(ps_wait_all(w->engine, NULL));
    assert_true(world_is_right(w));
    for (unsigned i = 0; i < w->threads; i++) {
        assert_int_equal(tally_read(&w->pushers[i].failed), 0);
        for (unsigned k = 0; k < 2; k++)
            ps_var_release(w->pushers[i].counters[k].var);
    }
    for (unsigned q = 0; q < 2; q++)
        CHECK_OK(ps_queue_destroy(w->queues[q]));
    CHECK_OK(ps_engine_destroy(w->engine));
    free(w);
}

/* The child: all that it knew of is done, with the right values; then work of its own. */
static void child_life(world *w)
{
    child_begin();
    CHILD_CHECK(ps_wait_all(w->engine, NULL) == PS_OK);
    CHILD_CHECK(world_is_right(w));
    for (unsigned i = 0; i < 2 * w->threads; i++)
        CHILD_CHECK(w->push(&w->pushers[i / 2].counters[i % 2]) == PS_OK);
    CHILD_CHECK(world_is_right(w));
    _exit(0);
}

/* The lock is held until the child has ended, so that not much else runs meanwhile. */
static int fork_with_lock(world *w)
{
    take_lock();
    pid_t child = fork();
    if (child == 0)
        child_life(w);
    int result = child > 0 ? child_result(child) : CHILD_FAILED;
    give_up_lock();
    return result;
}

static void fork_often(push_fn push)
{
    static const struct {
        unsigned workers, threads, part;
    } cases[] = {{2, 1, 4}, {1, 2, 4}, {2, 4, 2}};
    const char *more = getenv("FORK_THREADS_TIMES"); /* for a longer run by hand */
    unsigned times = more != NULL ? (unsigned)atoi(more) : 1;
    fflush(stdout);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        world *w = world_open(cases[i].workers, cases[i].threads, push);
        for (unsigned k = 0; k < times * FORKS / cases[i].part; k++) {
            tally_wait(&w->rounds, tally_read(&w->rounds) + 1 + k % 3);
            assert_int_equal(fork_with_lock(w), 0);
        }
        world_close(w);
    }
}

static void beside_short_tasks(void **state)
{
    (void)state;
    fork_often(push_short);
}

static void beside_tasks_of_unknown_cost(void **state)
{
    (void)state;
    fork_often(push_unknown);
}

static void beside_groups(void **state)
{
    (void)state;
    fork_often(push_fusable);
}

static void beside_device_tasks(void **state)
{
    (void)state;
    fork_often(push_device);
}

static void beside_parallel_loops(void **state)
{
    (void)state;
    fork_often(push_loop);
}

static void beside_tasks_that_wait(void **state)
{
    (void)state;
    fork_often(push_waiting);
}

/* ---- moments that a test can hold -------------------------------------------------------- */

/* An engine whose workers stand at gates, and a thread that pushes and waits: what it waits for is
 * run by that thread alone. */
typedef struct stage {
    ps_engine *engine;
    gate workers, held;
    counter before, after;
    ps_var *x; /* of the task in the middle */
    const ps_hooks *hooks;
    ps_task_fn middle;
    ps__join_fn join;
    bool last_only;   /* the thread waits for `after` only, which then is a piece by itself */
    ps_status status; /* what its wait said */
    pthread_t thread;
} stage;

enum { SOME = 32 };

static ps_status push_some(stage *s, counter *c)
{
    ps_status status = PS_OK;
    for (int i = 0; i < SOME && status == PS_OK; i++)
        status = PUSH(s->engine, .run = raise_counter, .arg = c, READS(c->var), WRITES(c->var),
                      .cost_ns = 1000, .flags = PS_TASK_FUSABLE);
    return status;
}

/* Tasks before and after the one in the middle, in one window. */
static void *push_around(void *arg)
{
    stage *s = arg;
    ps_thread_set_hooks(s->hooks);
    ps_status status = push_some(s, &s->before);
    if (status == PS_OK)
        status = PUSH(s->engine, .run = s->middle, .arg = &s->held, WRITES(s->x), .cost_ns = 1000);
    if (status == PS_OK)
        status = push_some(s, &s->after);
    if (status == PS_OK)
        status = s->last_only ? ps_wait_read(s->after.var, NULL) : ps_wait_all(s->engine, NULL);
    s->status = status;
    return NULL;
}

static void stage_open(stage *s)
{
    s->engine = fixture_engine(1);
    CHECK_OK(ps__engine_set_join(s->engine, s->join, NULL));
    s->before.var = fixture_var(s->engine);
    s->after.var = fixture_var(s->engine);
    s->x = fixture_var(s->engine);
    CHECK_OK(fixture_push(s->engine, gate_task, &s->workers, NULL, NULL));
    gate_wait_inside(&s->workers, 1);
    assert_int_equal(pthread_create(&s->thread, NULL, push_around, s), 0);
    gate_wait_inside(&s->held, 1);
}

static void stage_close(stage *s)
{
    gate_open(&s->held);
    gate_open(&s->workers);
    pthread_join(s->thread, NULL);
    assert_int_equal(s->status, PS_OK);
    CHECK_OK(ps_wait_all(s->engine, NULL));
    assert_int_equal(s->before.value, SOME);
    assert_int_equal(s->after.value, SOME);
    ps_var_release(s->before.var);
    ps_var_release(s->after.var);
    ps_var_release(s->x);
    CHECK_OK(ps_engine_destroy(s->engine));
}

/* Forks, and looks at the three variables in the child. */
static int child_of_stage(stage *s, ps_status before, ps_status middle)
{
    fflush(stdout);
    pid_t child = fork();
    if (child != 0)
        return child_result(child);
    child_begin();
    gate_open(&s->held); /* for what has not begun */
    CHILD_CHECK(ps_wait_read(s->before.var, NULL) == before);
    CHILD_CHECK(before != PS_OK || s->before.value == SOME);
    CHILD_CHECK(ps_wait_read(s->x, NULL) == middle);
    CHILD_CHECK(ps_wait_read(s->after.var, NULL) == PS_OK);
    CHILD_CHECK(s->after.value == SOME);
    _exit(0);
}

/* The frontend's lock is given up between taking a piece and running it; here that takes long. */
static gate *held_gate;

static void give_up_at_gate(void *state)
{
    (void)state;
    gate_task(NULL, held_gate);
}

static const ps_hooks slow_hooks = {.size = sizeof(ps_hooks), .unlock = give_up_at_gate};

static void what_is_taken_and_not_begun_is_given_back(void **state)
{
    (void)state;
    stage s = {.hooks = &slow_hooks, .middle = fixture_nothing, .last_only = true};
    held_gate = &s.held;
    stage_open(&s);
    assert_int_equal(child_of_stage(&s, PS_OK, PS_OK), 0);
    stage_close(&s);
}

/* Its piece has members before it, which are done and not published, and after it. */
static void around_a_function_that_does_not_stop(void **state)
{
    (void)state;
    stage s = {.middle = gate_task};
    stage_open(&s);
    assert_int_equal(child_of_stage(&s, PS_OK, PS_ERR_FORKED), 0);
    stage_close(&s);
}

static ps_status run_group_at_gate(void *state)
{
    gate_task(NULL, held_gate);
    return run_group(state);
}

static size_t join_at_gate(void *context, ps_task *const *tasks, size_t count, ps__group *out)
{
    size_t members = join_some(context, tasks, count, out);
    out->run = run_group_at_gate;
    return members;
}

/* All members of the group have begun; what comes after it in the piece has not. */
static void around_a_group_that_does_not_stop(void **state)
{
    (void)state;
    stage s = {.middle = fixture_nothing, .join = join_at_gate};
    held_gate = &s.held;
    stage_open(&s);
    assert_int_equal(child_of_stage(&s, PS_ERR_FORKED, PS_OK), 0);
    stage_close(&s);
}

/* ---- tasks that wait inside -------------------------------------------------------------- */

typedef struct inner_wait {
    ps_engine *engine;
    ps_var *y, *z;
    tally inside;
    gate first;
} inner_wait;

static bool fork_is_under_way(ps_engine *engine)
{
    ps__lock_take(&engine->lock);
    bool parking = engine->parking;
    ps__unlock(&engine->lock);
    return parking;
}

static void *open_during_fork(void *arg)
{
    inner_wait *i = arg;
    while (!fork_is_under_way(i->engine))
        sched_yield();
    gate_open(&i->first);
    return NULL;
}

static ps_status wait_inside(ps_task *self, void *arg)
{
    inner_wait *i = arg;
    (void)self;
    tally_add(&i->inside);
    return ps_wait_read(i->y, NULL);
}

static void *push_and_run_waiting(void *arg)
{
    inner_wait *i = arg;
    PUSH(i->engine, .run = wait_inside, .arg = i, WRITES(i->z), .cost_ns = 1000);
    return ps_wait_read(i->z, NULL) == PS_OK ? arg : NULL;
}

/* The task waits for one that must still be taken when the fork is under way: by its own thread,
 * or, if only workers run such tasks, by the worker. */
static void a_task_that_waits_is_helped(ps_kind kind)
{
    inner_wait i = {.engine = fixture_engine(1)};
    tally second = {0};
    void *result = NULL;
    pthread_t thread, opener;
    i.y = fixture_var(i.engine);
    i.z = fixture_var(i.engine);
    CHECK_OK(fixture_push(i.engine, gate_task, &i.first, NULL, i.y));
    gate_wait_inside(&i.first, 1);
    CHECK_OK(PUSH(i.engine, .run = tally_task, .arg = &second, READS(i.y), WRITES(i.y),
                  .kind = kind));
    assert_int_equal(pthread_create(&thread, NULL, push_and_run_waiting, &i), 0);
    tally_wait(&i.inside, 1);
    fflush(stdout);
    assert_int_equal(pthread_create(&opener, NULL, open_during_fork, &i), 0);
    pid_t child = fork();
    if (child == 0) {
        child_begin();
        CHILD_CHECK(ps_wait_read(i.z, NULL) == PS_OK);
        CHILD_CHECK(tally_read(&second) == 1);
        _exit(0);
    }
    assert_int_equal(child_result(child), 0);
    pthread_join(opener, NULL);
    pthread_join(thread, &result);
    assert_ptr_equal(result, &i);
    ps_var_release(i.y);
    ps_var_release(i.z);
    CHECK_OK(ps_engine_destroy(i.engine));
}

static void a_task_that_waits_helps_itself(void **state)
{
    (void)state;
    a_task_that_waits_is_helped(PS_COMPUTE);
}

static void a_task_that_waits_is_helped_by_workers(void **state)
{
    (void)state;
    a_task_that_waits_is_helped(PS_FRONTEND);
}

/* ---- forks from inside ------------------------------------------------------------------- */

typedef struct shared_loop {
    pthread_t forker;
    gate others;
    pid_t child;
} shared_loop;

static ps_status fork_in_loop(size_t begin, size_t end, void *arg)
{
    shared_loop *l = arg;
    (void)begin;
    (void)end;
    if (!pthread_equal(pthread_self(), l->forker))
        return gate_task(NULL, &l->others);
    if (!tally_reaches(&l->others.inside, 1))
        return PS_ERR_TIMEOUT;
    l->child = fork();
    if (l->child == 0)
        child_begin();
    else
        gate_open(&l->others);
    return PS_OK;
}

/* The piece that another thread had claimed is not done in the child. */
static void inside_a_loop_that_others_have_joined(void **state)
{
    (void)state;
    ps_engine *engine = fixture_engine(2);
    shared_loop l = {.forker = pthread_self(), .child = -1};
    fflush(stdout);
    ps_status status = ps_parallel_for(engine, 2, 1, fork_in_loop, &l);
    if (l.child == 0) {
        CHILD_CHECK(status == PS_ERR_FORKED);
        CHILD_CHECK(ps_wait_all(engine, NULL) == PS_OK);
        _exit(0);
    }
    CHECK_OK(status);
    assert_int_equal(child_result(l.child), 0);
    CHECK_OK(ps_engine_destroy(engine));
}

static gate *open_after_fork;

static ps_status fork_in_task(ps_task *self, void *arg)
{
    (void)self;
    *(pid_t *)arg = fork();
    if (*(pid_t *)arg == 0)
        child_begin();
    else
        gate_open(open_after_fork);
    return PS_OK;
}

/* The child comes back from the task into a wait that began with workers, for what only workers
 * run. The parent's worker is at a gate, so that the task runs on the thread that waits. */
static void inside_a_wait_that_needs_workers(void **state)
{
    (void)state;
    ps_engine *engine = fixture_engine(1);
    ps_var *x = fixture_var(engine), *y = fixture_var(engine);
    gate g = {0};
    pid_t child = -1;
    CHECK_OK(fixture_push(engine, gate_task, &g, NULL, NULL));
    gate_wait_inside(&g, 1);
    CHECK_OK(PUSH(engine, .run = fork_in_task, .arg = &child, WRITES(x), .cost_ns = 1000));
    CHECK_OK(PUSH(engine, .run = fixture_nothing, READS(x), WRITES(y), .kind = PS_FRONTEND));
    open_after_fork = &g;
    ps_status status = ps_wait_read(y, NULL);
    if (child == 0)
        _exit(status == PS_OK ? 0 : CHILD_FAILED);
    CHECK_OK(status);
    assert_int_equal(child_result(child), 0);
    ps_var_release(x);
    ps_var_release(y);
    CHECK_OK(ps_engine_destroy(engine));
}

/* As in test_fork.c. */
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define FORK_IS_UNSAFE 1
#endif
#endif
#if defined(__SANITIZE_THREAD__)
#define FORK_IS_UNSAFE 1
#endif

int main(void)
{
#ifdef FORK_IS_UNSAFE
    print_message("skipped: ThreadSanitizer does not keep its own locks across fork\n");
    return 0;
#endif
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(beside_short_tasks),
        cmocka_unit_test(beside_tasks_of_unknown_cost),
        cmocka_unit_test(beside_groups),
        cmocka_unit_test(beside_device_tasks),
        cmocka_unit_test(beside_parallel_loops),
        cmocka_unit_test(beside_tasks_that_wait),
        cmocka_unit_test(what_is_taken_and_not_begun_is_given_back),
        cmocka_unit_test(around_a_function_that_does_not_stop),
        cmocka_unit_test(around_a_group_that_does_not_stop),
        cmocka_unit_test(a_task_that_waits_helps_itself),
        cmocka_unit_test(a_task_that_waits_is_helped_by_workers),
        cmocka_unit_test(inside_a_loop_that_others_have_joined),
        cmocka_unit_test(inside_a_wait_that_needs_workers),
    };
    return FIXTURE_RUN(tests);
}
