/* Fork: parent and child go on with the same graph, each with its own copy of what the tasks work
 * on. What was queued is done in both; what could not be stopped in time is an error in the child.
 *
 * Every task raises one of a few plain counters, so that a task which is lost or done twice in
 * either process shows. */
#include "process.h"

#include "device/late/late.h"

#include <malloc.h>
#include <sched.h>

enum { COUNTERS = 4, FORKS = FIXTURE_SANITIZED ? 30 : 1000 };

typedef struct counter {
    ps_var *var;
    long value;    /* guarded by the order on var */
    long expected; /* pushes so far; the forking thread's own */
} counter;

typedef struct world {
    ps_engine *engine;
    counter counters[COUNTERS];
} world;

static world *world_open(unsigned workers)
{
    world *w = calloc(1, sizeof *w);
    w->engine = fixture_engine(workers);
    for (int i = 0; i < COUNTERS; i++)
        w->counters[i].var = fixture_var(w->engine);
    return w;
}

static ps_status raise_counter(ps_task *self, void *arg)
{
    counter *c = arg;
    (void)self;
    fixture_spin(1000);
    c->value++;
    return PS_OK;
}

static ps_status push_counter(world *w, int index)
{
    counter *c = &w->counters[index];
    c->expected++;
    return PUSH(w->engine, .run = raise_counter, .arg = c, READS(c->var), WRITES(c->var),
                .cost_ns = index % 2 ? 0 : 1000);
}

static bool push_some(world *w, int count)
{
    for (int i = 0; i < count; i++)
        if (push_counter(w, i % COUNTERS) != PS_OK)
            return false;
    return true;
}

static bool all_as_expected(world *w)
{
    for (int i = 0; i < COUNTERS; i++)
        if (ps_wait_read(w->counters[i].var, NULL) != PS_OK ||
            w->counters[i].value != w->counters[i].expected)
            return false;
    return true;
}

static void world_close(world *w)
{
    assert_true(all_as_expected(w));
    for (int i = 0; i < COUNTERS; i++)
        ps_var_release(w->counters[i].var);
    CHECK_OK(ps_engine_destroy(w->engine));
    free(w);
}

/* What each child does: read what was pending, then queue work of its own. */
static void child_life(world *w)
{
    child_begin();
    CHILD_CHECK(all_as_expected(w));
    CHILD_CHECK(push_some(w, 40));
    CHILD_CHECK(all_as_expected(w));
    CHILD_CHECK(ps_wait_all(w->engine, NULL) == PS_OK);
    _exit(0);
}

/* Few, and more than there are processors. */
static const unsigned worker_counts[] = {1, 2, 3, 16, 64};
enum { WORKER_COUNTS = sizeof worker_counts / sizeof worker_counts[0] };

static void pending_work_is_done_in_both(void **state)
{
    (void)state;
    for (int c = 0; c < WORKER_COUNTS; c++) {
        world *w = world_open(worker_counts[c]);
        for (int i = 0; i < 10; i++) {
            assert_true(push_some(w, 100));
            pid_t child = fork_flushed();
            if (child == 0)
                child_life(w);
            assert_true(push_some(w, 10)); /* the parent goes on at once */
            assert_int_equal(child_result(child), 0);
            assert_true(all_as_expected(w));
        }
        world_close(w);
    }
}

/* All workers are there, and asleep or about to be. */
static void with_idle_workers(void **state)
{
    (void)state;
    for (int c = 0; c < WORKER_COUNTS; c++) {
        world *w = world_open(worker_counts[c]);
        gate g = {0};
        for (unsigned i = 0; i < worker_counts[c]; i++)
            CHECK_OK(fixture_push(w->engine, gate_task, &g, NULL, NULL));
        gate_wait_inside(&g, worker_counts[c]);
        gate_open(&g);
        for (int i = 0; i < 5; i++) {
            CHECK_OK(ps_wait_all(w->engine, NULL));
            pid_t child = fork_flushed();
            if (child == 0)
                child_life(w);
            assert_int_equal(child_result(child), 0);
            assert_true(push_some(w, 10));
        }
        world_close(w);
    }
}

typedef struct load {
    world *world;
    tally stop;
    tally failed;
    counter own;
} load;

/* Pushes and waits all the time, so that some of it is helped with by this thread. */
static void *keep_busy(void *arg)
{
    load *l = arg;
    while (tally_read(&l->stop) == 0) {
        for (int i = 0; i < 20; i++)
            if (fixture_push(l->world->engine, raise_counter, &l->own, NULL, l->own.var) != PS_OK)
                tally_add(&l->failed);
        if (ps_wait_read(l->own.var, NULL) != PS_OK)
            tally_add(&l->failed);
    }
    return NULL;
}

/* What the other thread had pushed when the child began, and may have had in its window. */
static bool own_is_done(load *l)
{
    uint64_t version = 0;
    return ps_wait_read(l->own.var, NULL) == PS_OK &&
           ps_var_version(l->own.var, &version) == PS_OK && (uint64_t)l->own.value == version;
}

static void fork_under_load(unsigned workers, unsigned threads, int forks)
{
    world *w = world_open(workers);
    load loads[4] = {{0}};
    pthread_t running[4];
    for (unsigned i = 0; i < threads; i++) {
        loads[i] = (load){.world = w, .own = {.var = fixture_var(w->engine)}};
        assert_int_equal(pthread_create(&running[i], NULL, keep_busy, &loads[i]), 0);
    }
    for (int i = 0; i < forks; i++) {
        assert_true(push_some(w, 20));
        pid_t child = fork_flushed();
        if (child == 0) {
            child_begin();
            for (unsigned k = 0; k < threads; k++)
                CHILD_CHECK(own_is_done(&loads[k]));
            child_life(w);
        }
        assert_true(child > 0);
        assert_true(push_some(w, 3));
        assert_int_equal(child_result(child), 0);
    }
    for (unsigned i = 0; i < threads; i++) {
        tally_add(&loads[i].stop);
        pthread_join(running[i], NULL);
        assert_int_equal(tally_read(&loads[i].failed), 0);
        ps_var_release(loads[i].own.var);
    }
    world_close(w);
}

static void a_thousand_forks_under_load(void **state)
{
    (void)state;
#ifdef FORK_BESIDE_PUSHERS_IS_UNSAFE
    print_message("skipped: " FORK_BESIDE_PUSHERS_IS_UNSAFE "\n");
    skip();
#endif
    fork_under_load(2, 1, FORKS / 2);
    fork_under_load(2, 2, FORKS / 4);
    fork_under_load(2, 4, FORKS / 4);
    fork_under_load(16, 4, FORKS / 20);
    fork_under_load(64, 4, FORKS / 50);
}

static void before_the_first_push(void **state)
{
    (void)state;
    world *w = world_open(2);
    pid_t child = fork_flushed();
    if (child == 0)
        child_life(w);
    assert_int_equal(child_result(child), 0);
    assert_true(push_some(w, 50));
    world_close(w);
}

/* A child forks in its turn, with pending work of its own. */
static void grandchildren(void **state)
{
    (void)state;
    world *w = world_open(2);
    assert_true(push_some(w, 50));
    pid_t child = fork_flushed();
    if (child == 0) {
        child_begin();
        CHILD_CHECK(push_some(w, 50));
        pid_t grandchild = fork();
        if (grandchild == 0)
            child_life(w);
        CHILD_CHECK(child_result(grandchild) == 0);
        CHILD_CHECK(all_as_expected(w));
        _exit(0);
    }
    assert_int_equal(child_result(child), 0);
    world_close(w);
}

/* The child leaves by exit, not _exit, with work queued. */
static void a_child_that_calls_exit(void **state)
{
    (void)state;
    world *w = world_open(2);
    for (int i = 0; i < 5; i++) {
        assert_true(push_some(w, 50));
        pid_t child = fork_flushed();
        if (child == 0) {
            child_begin();
            CHILD_CHECK(push_some(w, 50));
            exit(0);
        }
        assert_int_equal(child_result(child), 0);
    }
    world_close(w);
}

/* The child closes its copy of the engine; the parent's is not touched. */
static void a_child_that_destroys_the_engine(void **state)
{
    (void)state;
    world *w = world_open(2);
    assert_true(push_some(w, 100));
    pid_t child = fork_flushed();
    if (child == 0) {
        child_begin();
        for (int i = 0; i < COUNTERS; i++)
            ps_var_release(w->counters[i].var);
        CHILD_CHECK(ps_engine_destroy(w->engine) == PS_OK);
        for (int i = 0; i < COUNTERS; i++)
            CHILD_CHECK(w->counters[i].value == w->counters[i].expected);
        _exit(0);
    }
    assert_int_equal(child_result(child), 0);
    world_close(w);
}

/* ---- from inside a task ------------------------------------------------------------------ */

typedef struct forker {
    world *world;
    ps_var *mine;
    pid_t child;
} forker;

static ps_status fork_inside(ps_task *self, void *arg)
{
    forker *f = arg;
    world *w = f->world;
    (void)self;
    f->child = fork_flushed();
    if (f->child != 0)
        return PS_OK;
    child_begin();
    CHILD_CHECK(all_as_expected(w)); /* all older than this task: it may wait for them */
    CHILD_CHECK(push_some(w, 40));
    CHILD_CHECK(ps_wait_read(f->mine, NULL) == PS_ERR_DEADLOCK); /* what it writes itself */
    CHILD_CHECK(ps_wait_all(w->engine, NULL) == PS_ERR_DEADLOCK);
    _exit(0);
}

static void inside_a_task(void **state)
{
    (void)state;
    for (int c = 0; c < WORKER_COUNTS; c++) {
        forker f = {.world = world_open(worker_counts[c])};
        f.mine = fixture_var(f.world->engine);
        for (int i = 0; i < 5; i++) {
            assert_true(push_some(f.world, 60));
            CHECK_OK(fixture_push(f.world->engine, fork_inside, &f, NULL, f.mine));
            CHECK_OK(ps_wait_read(f.mine, NULL));
            assert_int_equal(child_result(f.child), 0);
        }
        ps_var_release(f.mine);
        world_close(f.world);
    }
}

/* ---- what cannot be stopped -------------------------------------------------------------- */

static void a_task_that_does_not_stop(void **state)
{
    (void)state;
    world *w = world_open(2);
    ps_var *x = fixture_var(w->engine), *y = fixture_var(w->engine);
    gate g = {0};
    tally after = {0};
    CHECK_OK(fixture_push(w->engine, gate_task, &g, NULL, x));
    gate_wait_inside(&g, 1);
    CHECK_OK(fixture_push(w->engine, tally_task, &after, x, y));
    assert_true(push_some(w, 50));
    pid_t child = fork_flushed(); /* takes a second: the gate is shut */
    if (child == 0) {
        child_begin();
        CHILD_CHECK(ps_wait_read(x, NULL) == PS_ERR_FORKED);
        CHILD_CHECK(ps_wait_read(y, NULL) == PS_ERR_FORKED);
        CHILD_CHECK(tally_read(&after) == 0);
        child_life(w); /* the rest is unharmed */
    }
    assert_int_equal(child_result(child), 0);
    assert_false(ps_var_is_ready(x));
    gate_open(&g);
    CHECK_OK(ps_wait_read(y, NULL)); /* in the parent nothing happened */
    assert_int_equal(tally_read(&after), 1);
    ps_var_release(x);
    ps_var_release(y);
    world_close(w);
}

/* ---- tasks that finish later ------------------------------------------------------------- */

typedef struct later {
    ps_token token;
    tally returned;
} later;

static ps_status defer_task(ps_task *self, void *arg)
{
    later *l = arg;
    ps_status status = ps_task_defer(self, &l->token);
    tally_add(&l->returned);
    return status;
}

static void *wait_for_variable(void *arg)
{
    return ps_wait_read(arg, NULL) == PS_OK ? arg : NULL;
}

/* Another thread sleeps in a wait for it, which exists in the parent only. */
static void a_deferred_task_is_completed_in_both(void **state)
{
    (void)state;
    world *w = world_open(1);
    ps_var *x = fixture_var(w->engine);
    later l = {0};
    gate behind = {0};
    pthread_t thread;
    void *result = NULL;
    CHECK_OK(fixture_push(w->engine, defer_task, &l, NULL, x));
    CHECK_OK(fixture_push(w->engine, gate_task, &behind, NULL, NULL));
    gate_wait_inside(&behind, 1); /* on the one worker: the first function has returned */
    gate_open(&behind);
    assert_int_equal(pthread_create(&thread, NULL, wait_for_variable, x), 0);
    assert_true(push_some(w, 20));
    pid_t child = fork_flushed();
    if (child == 0) {
        child_begin();
        CHILD_CHECK(ps_wait_read(x, LOOK) == PS_ERR_TIMEOUT);
        CHILD_CHECK(ps_complete(l.token, PS_OK, NULL) == PS_OK);
        CHILD_CHECK(ps_wait_read(x, NULL) == PS_OK);
        CHILD_CHECK(ps_complete(l.token, PS_OK, NULL) == PS_ERR_STATE);
        child_life(w);
    }
    assert_int_equal(child_result(child), 0);
    assert_false(ps_var_is_ready(x));
    CHECK_OK(ps_complete(l.token, PS_OK, NULL));
    pthread_join(thread, &result);
    assert_ptr_equal(result, x);
    ps_var_release(x);
    world_close(w);
}

/* ---- devices ----------------------------------------------------------------------------- */

typedef struct device_counter {
    ps_device *device;
    unsigned queue;
    long value; /* raised by the device, in order */
} device_counter;

static void raise_on_device(void *arg)
{
    ((device_counter *)arg)->value++;
}

static ps_status issue(ps_task *self, void *arg)
{
    device_counter *d = arg;
    (void)self;
    return d->device->table->launch(d->device, d->queue, raise_on_device, d);
}

static void with_work_on_a_device(void **state)
{
    (void)state;
    world *w = world_open(2);
    ps_device *device = NULL;
    ps_queue *queues[2];
    ps_var *vars[2];
    device_counter counters[2];
    CHECK_OK(ps__late_create(&device));
    for (unsigned q = 0; q < 2; q++) {
        ps__late_set_delay(device, q, 200000);
        CHECK_OK(ps_queue_create(w->engine, device, q, &queues[q]));
        vars[q] = fixture_var(w->engine);
        counters[q] = (device_counter){device, q, 0};
    }
    for (long i = 1; i <= 10; i++) {
        for (int task = 0; task < 40; task++)
            CHECK_OK(PUSH(w->engine, .run = issue, .arg = &counters[task % 2],
                          READS(vars[task % 2]), WRITES(vars[task % 2]),
                          .queue = queues[task % 2]));
        assert_true(push_some(w, 20));
        pid_t child = fork_flushed();
        if (child == 0) {
            child_begin();
            for (int q = 0; q < 2; q++) {
                CHILD_CHECK(ps_wait_read(vars[q], NULL) == PS_OK);
                CHILD_CHECK(counters[q].value == 20 * i);
            }
            CHILD_CHECK(PUSH(w->engine, .run = issue, .arg = &counters[0], WRITES(vars[0]),
                             .queue = queues[0]) == PS_OK);
            CHILD_CHECK(ps_wait_read(vars[0], NULL) == PS_OK);
            CHILD_CHECK(counters[0].value == 20 * i + 1);
            child_life(w);
        }
        assert_int_equal(child_result(child), 0);
        for (int q = 0; q < 2; q++) {
            CHECK_OK(ps_wait_read(vars[q], NULL));
            assert_int_equal(counters[q].value, 20 * i);
        }
    }
    for (int q = 0; q < 2; q++) {
        CHECK_OK(ps_queue_destroy(queues[q]));
        ps_var_release(vars[q]);
    }
    world_close(w);
}

/* ---- other threads in the middle of other calls ------------------------------------------ */

static void *call_everything(void *arg)
{
    load *l = arg;
    while (tally_read(&l->stop) == 0) {
        ps_engine *engine = NULL, *own = NULL;
        ps_var *x = NULL;
        void *block = NULL;
        if (ps_engine_default(&engine) != PS_OK || ps_var_create(engine, &x) != PS_OK ||
            fixture_push(engine, fixture_nothing, NULL, NULL, x) != PS_OK ||
            ps_wait_read(x, NULL) != PS_OK || ps_memory_alloc(1000, &block) != PS_OK ||
            ps_engine_create(NULL, &own) != PS_OK || ps_engine_destroy(own) != PS_OK)
            tally_add(&l->failed);
        ps_memory_free(block, 1000);
        ps_var_release(x);
        ps_wait_read(NULL, NULL); /* notes an error text */
    }
    return NULL;
}

static void with_other_threads_inside_calls(void **state)
{
    (void)state;
#ifdef FORK_BESIDE_PUSHERS_IS_UNSAFE
    print_message("skipped: " FORK_BESIDE_PUSHERS_IS_UNSAFE "\n");
    skip();
#endif
    world *w = world_open(1);
    load l = {.world = w};
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, call_everything, &l), 0);
    for (int i = 0; i < FORKS / 5; i++) {
        pid_t child = fork_flushed();
        if (child == 0) {
            ps_engine *engine = NULL;
            void *block = NULL;
            child_begin();
            CHILD_CHECK(ps_engine_default(&engine) == PS_OK);
            CHILD_CHECK(fixture_push(engine, fixture_nothing, NULL, NULL, NULL) == PS_OK);
            CHILD_CHECK(ps_wait_all(engine, NULL) == PS_OK);
            CHILD_CHECK(ps_memory_alloc(1000, &block) == PS_OK);
            child_life(w);
        }
        assert_int_equal(child_result(child), 0);
    }
    tally_add(&l.stop);
    pthread_join(thread, NULL);
    assert_int_equal(tally_read(&l.failed), 0);
    world_close(w);
}

enum { FAILING = 16, NOTE_BYTES = 4096 /* at least */ };

typedef struct noted {
    tally failed, stop;
} noted;

static void *fail_and_stay(void *arg)
{
    noted *n = arg;
    (void)ps_wait_read(NULL, NULL);
    tally_add(&n->failed);
    while (tally_read(&n->stop) == 0)
        sched_yield();
    return NULL;
}

/* Where the allocator is the sanitizer's, that looks for leaks when the child exits. */
static int notes_are_freed(void *arg)
{
    size_t before = *(const size_t *)arg, now = mallinfo2().uordblks;
    CHILD_CHECK(FIXTURE_SANITIZED || before >= now + (size_t)FAILING * NOTE_BYTES);
    CHILD_CHECK(strcmp(ps_last_error(), "") != 0); /* this thread's own stays */
    return 0;
}

static void what_other_threads_failed_of_is_freed(void **state)
{
    (void)state;
    world *w = world_open(1);
    noted n = {0};
    pthread_t threads[FAILING];
    assert_int_not_equal(ps_wait_read(NULL, NULL), PS_OK);
    for (int i = 0; i < FAILING; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, fail_and_stay, &n), 0);
    while (tally_read(&n.failed) < FAILING)
        sched_yield();
    size_t before = mallinfo2().uordblks;
    assert_int_equal(child_run(notes_are_freed, &before), 0);
    tally_add(&n.stop);
    for (int i = 0; i < FAILING; i++)
        pthread_join(threads[i], NULL);
    assert_true(push_some(w, 10));
    world_close(w);
}

int main(void)
{
#ifdef FORK_IS_UNSAFE
    print_message("skipped: " FORK_IS_UNSAFE "\n");
    return 0;
#endif
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pending_work_is_done_in_both),
        cmocka_unit_test(with_idle_workers),
        cmocka_unit_test(a_thousand_forks_under_load),
        cmocka_unit_test(before_the_first_push),
        cmocka_unit_test(grandchildren),
        cmocka_unit_test(a_child_that_calls_exit),
        cmocka_unit_test(a_child_that_destroys_the_engine),
        cmocka_unit_test(inside_a_task),
        cmocka_unit_test(a_task_that_does_not_stop),
        cmocka_unit_test(a_deferred_task_is_completed_in_both),
        cmocka_unit_test(with_work_on_a_device),
        cmocka_unit_test(with_other_threads_inside_calls),
        cmocka_unit_test(what_other_threads_failed_of_is_freed),
    };
    return FIXTURE_RUN(tests);
}
