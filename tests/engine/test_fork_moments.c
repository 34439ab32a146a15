/* Fork at moments that a test can hold: what a thread has taken and not begun, what is around a
 * function that does not stop, a task that waits for another, a loop that is shared. Those that
 * hold a thread still take a second each: so long does a fork wait for it. */
#include "process.h"

#include "engine/internal.h" /* to see when a fork is under way */

enum { SOME = 32 };

typedef struct counter {
    ps_var *var;
    long value; /* guarded by the order on var */
} counter;

static ps_status raise_counter(ps_task *self, void *arg)
{
    (void)self;
    ((counter *)arg)->value++;
    return PS_OK;
}

/* ---- what a thread holds ----------------------------------------------------------------- */

/* An engine whose workers stand at gates, and a thread that pushes and waits: what it waits for is
 * run by that thread alone. */
typedef struct stage {
    ps_engine *engine;
    gate workers, held;
    counter before, after;
    ps_var *x; /* of the task in the middle */
    const ps_hooks *hooks;
    ps_task_fn middle;
    ps__grouping_fn grouping;
    bool last_only;   /* the thread waits for `after` only, which then is a piece by itself */
    ps_status status; /* what its wait said */
    pthread_t thread;
} stage;

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
    CHECK_OK(ps__engine_set_grouping(s->engine, s->grouping, NULL));
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

/* The counter that half of SOME raise at once. */
static ps_status run_group_at_gate(void *state)
{
    gate_task(NULL, held_gate);
    ((counter *)state)->value += SOME / 2;
    return PS_OK;
}

static size_t group_half(void *context, ps_task *const *tasks, size_t count, ps__group *out)
{
    (void)context;
    if (count < SOME / 2)
        return 0;
    *out = (ps__group){.run = run_group_at_gate, .state = ps__task_arg(tasks[0])};
    return SOME / 2;
}

/* All members of the group have begun; what comes after it in the piece has not. */
static void around_a_group_that_does_not_stop(void **state)
{
    (void)state;
    stage s = {.middle = fixture_nothing, .grouping = group_half};
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
    CHECK_OK(
        PUSH(i.engine, .run = tally_task, .arg = &second, READS(i.y), WRITES(i.y), .kind = kind));
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

int main(void)
{
#ifdef FORK_IS_UNSAFE
    print_message("skipped: " FORK_IS_UNSAFE "\n");
    return 0;
#endif
    const struct CMUnitTest tests[] = {
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
