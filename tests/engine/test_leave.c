/* The end of a program with the engine open (ps_engine_leave): what is cheap and can fail runs, with
 * what it needs, the oldest first and no more than is allowed; errors are told, and then what is
 * left, once. tests/engine/test_exit.c has the same at the end of a process.
 *
 * The only worker is inside of a gate, so that nobody but the thread that leaves runs anything. */
#include "process.h"

#include "base/alloc.h"

enum { CHEAP = 100, BUDGET_NS = 20000000, ALL_NS = 5000000 };

typedef struct stage {
    ps_engine *engine;
    gate gate;
    tally ran;
} stage;

static void stage_begin(stage *s)
{
    *s = (stage){.engine = fixture_engine(1)};
    CHECK_OK(PUSH(s->engine, .run = gate_task, .arg = &s->gate, .name = "gate", .location = 1));
    gate_wait_inside(&s->gate, 1);
}

static void stage_end(stage *s)
{
    gate_open(&s->gate);
    CHECK_OK(ps_wait_all(s->engine, NULL));
    CHECK_OK(ps_engine_destroy(s->engine));
}

/* A task that is counted when it runs. */
static void push(stage *s, ps_var *read, ps_var *write, uint64_t cost, uint32_t flags)
{
    CHECK_OK(PUSH(s->engine, .run = tally_task, .arg = &s->ran, .reads = &read,
                  .nreads = read != NULL, .writes = &write, .nwrites = write != NULL,
                  .cost_ns = cost, .flags = flags, .name = "counted", .location = 2));
}

static void push_failing(stage *s, ps_var *read, uint64_t cost)
{
    CHECK_OK(PUSH(s->engine, .run = fixture_failing, .reads = &read, .nreads = read != NULL,
                  .cost_ns = cost, .flags = PS_TASK_CAN_FAIL, .name = "failing", .location = 3));
}

static ps_error_info taken(stage *s, ps_status status)
{
    ps_error_info info = {.size = sizeof info};
    CHECK_STATUS(ps_engine_take_error(s->engine), status);
    CHECK_OK(ps_last_error_info(&info));
    return info;
}

/* So many tasks are left, the gate the first of them. */
static void check_left(stage *s, uint64_t count)
{
    char text[100] = "1 operation that nobody waited for is dropped";
    if (count > 1)
        snprintf(text, sizeof text,
                 "%d operations that nobody waited for are dropped, the first of "
                 "them here",
                 (int)count);
    ps_error_info info = taken(s, PS_ERR_DROPPED);
    assert_string_equal(info.message, text);
    assert_string_equal(info.operation, "gate");
    assert_int_equal(info.location, 1);
    assert_int_equal(info.more, count - 1);
    CHECK_OK(ps_engine_take_error(s->engine)); /* told once */
}

static void nothing_is_left(void **state)
{
    (void)state;
    ps_engine *engine = fixture_engine(2);
    CHECK_OK(ps_engine_leave(engine));
    CHECK_OK(ps_engine_take_error(engine));
    CHECK_OK(fixture_push(engine, fixture_nothing, NULL, NULL, NULL));
    CHECK_OK(ps_wait_all(engine, NULL));
    CHECK_OK(ps_engine_leave(engine));
    CHECK_OK(ps_engine_take_error(engine));
    CHECK_OK(ps_engine_destroy(engine));
}

static void a_failure_is_found_and_told(void **state)
{
    (void)state;
    stage s;
    stage_begin(&s);
    ps_var *x = fixture_var(s.engine), *y = fixture_var(s.engine);
    push(&s, NULL, x, CHEAP, 0);
    push(&s, x, y, CHEAP, 0);
    push_failing(&s, y, CHEAP);
    push(&s, y, x, CHEAP, 0); /* nothing that can fail needs it */
    CHECK_OK(ps_engine_leave(s.engine));
    assert_int_equal(tally_read(&s.ran), 2);
    ps_error_info info = taken(&s, PS_ERR_TASK);
    assert_string_equal(info.operation, "failing");
    assert_int_equal(info.location, 3);
    check_left(&s, 2);
    ps_var_release(x);
    ps_var_release(y);
    stage_end(&s);
}

/* Behind what has no estimate, costs too much, or finishes later. */
static void what_needs_something_dear_is_left(void **state)
{
    (void)state;
    stage s;
    stage_begin(&s);
    ps_var *unknown = fixture_var(s.engine), *dear = fixture_var(s.engine);
    push(&s, NULL, unknown, 0, 0);
    push(&s, unknown, unknown, CHEAP, 0);
    push_failing(&s, unknown, CHEAP);
    push(&s, NULL, dear, BUDGET_NS + 1, 0);
    push_failing(&s, dear, CHEAP);
    push_failing(&s, NULL, BUDGET_NS + 1);
    push_failing(&s, NULL, 0);
    push(&s, NULL, NULL, CHEAP, PS_TASK_CAN_FAIL);
    CHECK_OK(ps_engine_leave(s.engine));
    assert_int_equal(tally_read(&s.ran), 1);
    check_left(&s, 8);
    gate_open(&s.gate);
    while (ps_wait_all(s.engine, NULL) == PS_ERR_TASK)
        continue; /* it goes on, and they fail now */
    ps_var_release(unknown);
    ps_var_release(dear);
    stage_end(&s);
}

/* Reading what a dear task reads is no reason to wait for it; overwriting that is. */
static void only_what_conflicts_is_needed(void **state)
{
    (void)state;
    stage s;
    stage_begin(&s);
    ps_var *x = fixture_var(s.engine);
    push(&s, x, NULL, 0, 0);
    push(&s, x, NULL, CHEAP, PS_TASK_CAN_FAIL);
    push(&s, NULL, x, CHEAP, PS_TASK_CAN_FAIL);
    CHECK_OK(ps_engine_leave(s.engine));
    assert_int_equal(tally_read(&s.ran), 1);
    check_left(&s, 3);
    ps_var_release(x);
    stage_end(&s);
}

static void no_more_than_is_allowed(void **state)
{
    (void)state;
    enum { COST = 1000000, TASKS = 100 };
    stage s;
    stage_begin(&s);
    for (int i = 0; i < TASKS; i++)
        push(&s, NULL, NULL, COST, PS_TASK_CAN_FAIL);
    CHECK_OK(ps_engine_leave(s.engine));
    assert_int_equal(tally_read(&s.ran), BUDGET_NS / COST);
    check_left(&s, 1 + TASKS - BUDGET_NS / COST);
    stage_end(&s);
}

/* A check at the end of a chain that is too long. */
static void a_long_chain_is_not_run_to_its_end(void **state)
{
    (void)state;
    enum { COST = 50000, TASKS = 1000 };
    stage s;
    stage_begin(&s);
    ps_var *x = fixture_var(s.engine);
    for (int i = 0; i < TASKS; i++)
        push(&s, x, x, COST, 0);
    push_failing(&s, x, CHEAP);
    CHECK_OK(ps_engine_leave(s.engine));
    assert_true(tally_read(&s.ran) <= BUDGET_NS / COST);
    check_left(&s, 2 + TASKS - tally_read(&s.ran));
    ps_var_release(x);
    gate_open(&s.gate);
    CHECK_STATUS(ps_wait_all(s.engine, NULL), PS_ERR_TASK);
    stage_end(&s);
}

/* What cannot fail is not run, cheap as each of them is. */
static void many_that_cannot_fail_are_left(void **state)
{
    (void)state;
    enum { TASKS = 4000 };
    stage s;
    stage_begin(&s);
    for (int i = 0; i < TASKS; i++)
        push(&s, NULL, NULL, 2 * ALL_NS / TASKS, 0);
    uint32_t before = tally_read(&s.ran); /* the window was full and its owner ran some */
    CHECK_OK(ps_engine_leave(s.engine));
    assert_int_equal(tally_read(&s.ran), before);
    check_left(&s, 1 + TASKS - before);
    stage_end(&s);
}

/* All that is left costs little: whoever runs it, it is done, and there is nothing to tell. */
static void little_is_simply_run(void **state)
{
    (void)state;
    enum { TASKS = 50 };
    stage s = {.engine = fixture_engine(1)};
    ps_var *x = fixture_var(s.engine);
    for (int i = 0; i < TASKS; i++)
        push(&s, x, x, ALL_NS / TASKS, 0);
    CHECK_OK(ps_engine_leave(s.engine));
    assert_int_equal(tally_read(&s.ran), TASKS);
    CHECK_OK(ps_engine_take_error(s.engine));
    ps_var_release(x);
    CHECK_OK(ps_engine_destroy(s.engine));
}

static void io_runs_whatever_it_costs(void **state)
{
    (void)state;
    stage s;
    stage_begin(&s);
    ps_var *x = fixture_var(s.engine);
    push(&s, NULL, x, 0, 0);
    CHECK_OK(PUSH(s.engine, .run = tally_task, .arg = &s.ran, READS(x), .kind = PS_IO));
    CHECK_OK(ps_engine_leave(s.engine));
    assert_int_equal(tally_read(&s.ran), 2);
    check_left(&s, 1);
    ps_var_release(x);
    stage_end(&s);
}

/* A worker is inside of the one that will fail. */
typedef struct meeting {
    tally inside, leaving;
} meeting;

static ps_status fail_once_we_leave(ps_task *self, void *arg)
{
    meeting *m = arg;
    tally_add(&m->inside);
    tally_reaches(&m->leaving, 1);
    return ps_task_fail(self, PS_ERR_TASK, "late");
}

static void note_leaving(void *arg)
{
    tally_add(&((meeting *)arg)->leaving);
}

static void note_return(void *arg)
{
    tally_add(&((meeting *)arg)->inside);
}

/* It is waited for, with the frontend's lock given up. */
static void what_a_worker_is_inside_of_is_waited_for(void **state)
{
    (void)state;
    stage s = {.engine = fixture_engine(1)};
    meeting m = {0};
    ps_hooks hooks = {.size = sizeof hooks,
                      .state = &m,
                      .unlock = note_leaving,
                      .relock = note_return};
    CHECK_OK(PUSH(s.engine, .run = fail_once_we_leave, .arg = &m, .cost_ns = CHEAP,
                  .flags = PS_TASK_CAN_FAIL));
    tally_wait(&m.inside, 1);
    CHECK_OK(ps_thread_set_hooks(&hooks));
    CHECK_OK(ps_engine_leave(s.engine));
    CHECK_OK(ps_thread_set_hooks(NULL));
    assert_int_equal(tally_read(&m.leaving), 1);
    assert_int_equal(tally_read(&m.inside), 2);
    taken(&s, PS_ERR_TASK);
    CHECK_OK(ps_engine_take_error(s.engine));
    CHECK_OK(ps_engine_destroy(s.engine));
}

static ps_status leave_inside(ps_task *self, void *arg)
{
    (void)self;
    ps_status status = ps_engine_leave(arg);
    return status == PS_ERR_STATE ? PS_OK : PS_ERR_TASK;
}

static void what_it_refuses(void **state)
{
    (void)state;
    CHECK_STATUS(ps_engine_leave(NULL), PS_ERR_ARGUMENT);
    ps_engine *engine = fixture_engine(1);
    CHECK_OK(fixture_push(engine, leave_inside, engine, NULL, NULL));
    CHECK_OK(ps_wait_all(engine, NULL));
    CHECK_OK(ps_engine_destroy(engine));
    CHECK_STATUS(ps_engine_leave(engine), PS_ERR_CLOSED);
}

/* Nothing has run, and that is told; it can be tried again. */
static void without_memory(void **state)
{
    (void)state;
    stage s;
    stage_begin(&s);
    push_failing(&s, NULL, CHEAP);
    ps__fault_set(1, false);
    ps_status status = ps_engine_leave(s.engine);
    ps__fault_set(0, false);
    CHECK_STATUS(status, PS_ERR_MEMORY);
    check_left(&s, 2);
    CHECK_OK(ps_engine_leave(s.engine));
    taken(&s, PS_ERR_TASK);
    check_left(&s, 1);
    stage_end(&s);
}

static ps_status finish_later(ps_task *self, void *arg)
{
    return ps_task_defer(self, arg);
}

/* What its parent has queued, the child of a fork neither runs for its errors nor tells. */
static int leave_in_a_child(void *arg)
{
    ps_engine *engine = arg;
    ps_error_info info = {.size = sizeof info};
    CHILD_CHECK(ps_engine_leave(engine) == PS_OK);
    CHILD_CHECK(ps_engine_take_error(engine) == PS_OK);
    CHILD_CHECK(PUSH(engine, .run = fixture_failing, .cost_ns = CHEAP, .name = "own",
                     .flags = PS_TASK_CAN_FAIL) == PS_OK);
    CHILD_CHECK(ps_engine_leave(engine) == PS_OK);
    CHILD_CHECK(ps_engine_take_error(engine) == PS_ERR_TASK);
    CHILD_CHECK(ps_last_error_info(&info) == PS_OK && strcmp(info.operation, "own") == 0);
    CHILD_CHECK(ps_engine_take_error(engine) == PS_OK);
    return 0;
}

static void the_child_of_a_fork(void **state)
{
    (void)state;
    ps_engine *engine = fixture_engine(1);
    ps_var *x = fixture_var(engine);
    ps_token token = {0};
    CHECK_OK(fixture_push(engine, finish_later, &token, NULL, x));
    CHECK_OK(PUSH(engine, .run = fixture_failing, READS(x), .cost_ns = CHEAP,
                  .flags = PS_TASK_CAN_FAIL));
    assert_int_equal(child_run(leave_in_a_child, engine), 0);
    CHECK_OK(ps_engine_leave(engine));
    CHECK_STATUS(ps_engine_take_error(engine), PS_ERR_DROPPED);
    CHECK_OK(ps_complete(token, PS_OK, NULL));
    CHECK_STATUS(ps_wait_all(engine, NULL), PS_ERR_TASK);
    ps_var_release(x);
    CHECK_OK(ps_engine_destroy(engine));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_left),
        cmocka_unit_test(a_failure_is_found_and_told),
        cmocka_unit_test(what_needs_something_dear_is_left),
        cmocka_unit_test(only_what_conflicts_is_needed),
        cmocka_unit_test(no_more_than_is_allowed),
        cmocka_unit_test(a_long_chain_is_not_run_to_its_end),
        cmocka_unit_test(many_that_cannot_fail_are_left),
        cmocka_unit_test(little_is_simply_run),
        cmocka_unit_test(io_runs_whatever_it_costs),
        cmocka_unit_test(what_a_worker_is_inside_of_is_waited_for),
        cmocka_unit_test(what_it_refuses),
        cmocka_unit_test(without_memory),
        cmocka_unit_test(the_child_of_a_fork),
    };
    return FIXTURE_RUN(tests);
}
