/* Fork beside threads that push and wait: whatever they are in the middle of, the child finds
 * every task done, or does it, or is told that it could not be stopped within a second.
 *
 * Each thread raises counters of its own, one write of a variable for each time, so that in the
 * child the value must be the number of writes that the variable knows of: a task that is lost or
 * done twice shows. The threads have hooks like a frontend's: a lock, which the thread that forks
 * holds, and a question about interrupts. */
#include "process.h"

#include "device/late/late.h"
#include "engine/grouping.h"

enum {
    THREADS = 4,
    BURST = 40,  /* tasks that a thread pushes before it waits */
    COST = 1500, /* of a short one: so that half a burst is run without the frontend's lock */
    FORKS = FIXTURE_SANITIZED ? 12 : 48 /* for each kind of work */
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

static const ps_hooks plain_hooks = {.size = sizeof(ps_hooks), .unlock = unlock, .relock = relock};
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

/* As many as the environment says, if it does. */
static unsigned workers_or(unsigned otherwise)
{
    return getenv("PENSTOCK_WORKERS") != NULL ? 0 : otherwise;
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
    w->engine = fixture_engine(workers_or(workers));
    w->threads = threads;
    w->push = push;
    CHECK_OK(ps__engine_set_grouping(w->engine, join_some, NULL));
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
    } cases[] = {{2, 1, 4}, {1, 2, 4}, {2, 4, 2}, {16, 4, 8}, {64, 4, 12}};
    fflush(stdout);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        world *w = world_open(cases[i].workers, cases[i].threads, push);
        for (unsigned k = 0; k < FORKS / cases[i].part; k++) {
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

int main(void)
{
#ifdef FORK_IS_UNSAFE
    print_message("skipped: " FORK_IS_UNSAFE "\n");
    return 0;
#endif
#ifdef FORK_BESIDE_PUSHERS_IS_UNSAFE
    print_message("skipped: " FORK_BESIDE_PUSHERS_IS_UNSAFE "\n");
    return 0;
#endif
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(beside_short_tasks),    cmocka_unit_test(beside_tasks_of_unknown_cost),
        cmocka_unit_test(beside_groups),         cmocka_unit_test(beside_device_tasks),
        cmocka_unit_test(beside_parallel_loops), cmocka_unit_test(beside_tasks_that_wait),
    };
    return FIXTURE_RUN(tests);
}
