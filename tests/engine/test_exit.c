/* Leaving the process by exit(): queued io and what it needs runs, and what is cheap and can fail;
 * the rest is dropped and counted, and nothing hangs, whatever the workers are doing.
 *
 * Each test is a child process that queues work and leaves. Its io writes letters to a pipe that
 * the parent reads to the end, which comes when the child is gone. */
#include "process.h"

#include "device/late/late.h"

static int pipe_end;            /* in the child: where the letters go */
static ps_engine *after_engine; /* likewise: for handlers that run after the engine's own */

/* A task's function: writes the letter that is its argument. */
static ps_status write_letter(ps_task *self, void *arg)
{
    char letter = (char)(intptr_t)arg;
    (void)self;
    return write(pipe_end, &letter, 1) == 1 ? PS_OK : PS_ERR_SYSTEM;
}

static tally leaving; /* raised when exit() has begun */

static void note_leaving(void)
{
    tally_add(&leaving);
}

/* A long computation: still busy when the process leaves, and not for ever. */
static ps_status compute_long(ps_task *self, void *arg)
{
    (void)self;
    (void)arg;
    tally_reaches(&leaving, 1);
    fixture_spin(100000000);
    return PS_OK;
}

typedef struct ending {
    int code; /* of the child */
    size_t count;
    char letters[4096]; /* that it wrote */
} ending;

/* Runs the body in a child that must leave by itself, and collects what it wrote. */
static ending run_to_the_end(int (*body)(void *arg))
{
    ending e = {0};
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    pipe_end = ends[1];
    pid_t child = child_start(body, NULL);
    close(ends[1]);
    ssize_t got;
    while (e.count < sizeof e.letters &&
           (got = read(ends[0], e.letters + e.count, sizeof e.letters - e.count)) > 0)
        e.count += (size_t)got;
    close(ends[0]);
    e.code = child_result(child);
    return e;
}

static size_t count_of(const ending *e, char letter)
{
    size_t found = 0;
    for (size_t i = 0; i < e->count; i++)
        found += e->letters[i] == letter;
    return found;
}

static ps_engine *child_engine(unsigned workers)
{
    ps_engine *engine = NULL;
    ps_engine_options options = {.size = sizeof options, .workers = workers, .mode = PS_MODE_ASYNC};
    CHILD_CHECK(ps_engine_create(&options, &engine) == PS_OK);
    CHILD_CHECK(atexit(note_leaving) == 0); /* runs before the engine's own handler */
    return engine;
}

static ps_var *child_var(ps_engine *engine)
{
    ps_var *x = NULL;
    CHILD_CHECK(ps_var_create(engine, &x) == PS_OK);
    return x;
}

static void push_letter(ps_engine *engine, char letter, ps_kind kind, ps_var *read, ps_var *write)
{
    CHILD_CHECK(PUSH(engine, .run = write_letter, .arg = (void *)(intptr_t)letter, .reads = &read,
                     .nreads = read != NULL, .writes = &write, .nwrites = write != NULL,
                     .kind = (uint8_t)kind) == PS_OK);
}

/* 'a' computes, 'b' computes from it, 'i' is io that needs both, 'u' is unrelated. */
static void push_story(ps_engine *engine)
{
    ps_var *x = child_var(engine), *y = child_var(engine), *z = child_var(engine);
    CHILD_CHECK(PUSH(engine, .run = compute_long, WRITES(z)) == PS_OK);
    push_letter(engine, 'u', PS_COMPUTE, z, z);
    push_letter(engine, 'a', PS_COMPUTE, NULL, x);
    push_letter(engine, 'b', PS_COMPUTE, x, y);
    push_letter(engine, 'i', PS_IO, y, NULL);
    ps_var_release(x);
    ps_var_release(y);
    ps_var_release(z);
}

static int leave_with_io(void *arg)
{
    (void)arg;
    ps_engine *engine = child_engine(1);
    push_story(engine);
    return 7;
}

static void queued_io_runs(void **state)
{
    (void)state;
    for (int i = 0; i < 5; i++) {
        ending e = run_to_the_end(leave_with_io);
        assert_int_equal(e.code, 7);
        assert_int_equal(e.count, 3); /* 'u' was dropped */
        assert_memory_equal(e.letters, "abi", 3);
    }
}

static gate shut; /* nobody opens it */

static int leave_with_a_stuck_worker(void *arg)
{
    (void)arg;
    ps_engine *engine = child_engine(1);
    CHILD_CHECK(fixture_push(engine, gate_task, &shut, NULL, NULL) == PS_OK);
    CHILD_CHECK(tally_reaches(&shut.inside, 1));
    push_story(engine);
    return 7;
}

/* The only worker never comes back: the thread that exits does it. */
static void queued_io_runs_although_the_worker_is_stuck(void **state)
{
    (void)state;
    ending e = run_to_the_end(leave_with_a_stuck_worker);
    assert_int_equal(e.code, 7);
    assert_int_equal(e.count, 3);
    assert_memory_equal(e.letters, "abi", 3);
}

static int leave_with_chains(void *arg)
{
    (void)arg;
    for (int i = 0; i < 3; i++) {
        ps_engine *engine = child_engine((unsigned)i + 1);
        ps_var *x = child_var(engine);
        for (int task = 0; task < 100; task++)
            push_letter(engine, (char)('A' + i), task % 2 ? PS_IO : PS_COMPUTE, x, x);
    }
    return 0;
}

/* Several engines, each with io and compute in one chain. */
static void every_engine_ends(void **state)
{
    (void)state;
    ending e = run_to_the_end(leave_with_chains);
    assert_int_equal(e.code, 0);
    for (char letter = 'A'; letter <= 'C'; letter++)
        assert_int_equal(count_of(&e, letter), 100);
}

/* More than there are processors, too. */
static const unsigned worker_counts[] = {2, 16, 64};
enum { WORKER_COUNTS = sizeof worker_counts / sizeof worker_counts[0] };
static unsigned workers; /* in the child: as many as its engine has */

/* All of them are busy. */
static int leave_without_io(void *arg)
{
    (void)arg;
    ps_engine *engine = child_engine(workers);
    for (uint32_t i = 1; i <= workers; i++) {
        CHILD_CHECK(fixture_push(engine, gate_task, &shut, NULL, NULL) == PS_OK);
        CHILD_CHECK(tally_reaches(&shut.inside, i));
    }
    for (int i = 0; i < 1000; i++)
        push_letter(engine, 'u', i % 2 ? PS_COMPUTE : PS_COPY, NULL, NULL);
    return 3;
}

static void compute_is_dropped(void **state)
{
    (void)state;
    for (int c = 0; c < WORKER_COUNTS; c++) {
        workers = worker_counts[c];
        ending e = run_to_the_end(leave_without_io);
        assert_int_equal(e.code, 3);
        assert_int_equal(e.count, 0);
    }
}

/* All of them have worked and sleep, or are about to; io is queued at the last moment. */
static int leave_at_rest(void *arg)
{
    (void)arg;
    ps_engine *engine = child_engine(workers);
    static gate met;
    for (uint32_t i = 1; i <= workers; i++) {
        CHILD_CHECK(fixture_push(engine, gate_task, &met, NULL, NULL) == PS_OK);
        CHILD_CHECK(tally_reaches(&met.inside, i));
    }
    gate_open(&met);
    CHILD_CHECK(ps_wait_all(engine, NULL) == PS_OK);
    for (int i = 0; i < 100; i++)
        push_letter(engine, 'i', PS_IO, NULL, NULL);
    return 3;
}

static void idle_workers_do_not_hold_it_up(void **state)
{
    (void)state;
    for (int i = 0; i < 3 * WORKER_COUNTS; i++) {
        workers = worker_counts[i % WORKER_COUNTS];
        ending e = run_to_the_end(leave_at_rest);
        assert_int_equal(e.code, 3);
        assert_int_equal(count_of(&e, 'i'), 100);
    }
}

/* All of them are in the middle of short tasks, and there are more. */
static int leave_under_load(void *arg)
{
    (void)arg;
    ps_engine *engine = child_engine(workers);
    ps_var *x = child_var(engine);
    static tally ran; /* the tasks outlive this function */
    for (uint32_t i = 0; i < 2000; i++)
        CHILD_CHECK(fixture_push(engine, tally_task, &ran, NULL, i % 10 ? NULL : x) == PS_OK);
    push_letter(engine, 'i', PS_IO, x, NULL);
    return 5;
}

static void busy_workers_do_not_hold_it_up(void **state)
{
    (void)state;
    for (int i = 0; i < 3 * WORKER_COUNTS; i++) {
        workers = worker_counts[i % WORKER_COUNTS];
        ending e = run_to_the_end(leave_under_load);
        assert_int_equal(e.code, 5);
        assert_int_equal(e.count, 1);
    }
}

/* ---- what can fail ----------------------------------------------------------------------- */

enum { CHEAP = 100 };

/* After the engines' own handler: what is told, as letters. 'e' is a failure, 'd' what is dropped,
 * then how many more each stands for, as a digit. */
static void take_errors_after(void)
{
    for (ps_status status; (status = ps_engine_take_error(after_engine)) != PS_OK;) {
        ps_error_info info = {.size = sizeof info};
        CHILD_CHECK(ps_last_error_info(&info) == PS_OK);
        CHILD_CHECK(status == PS_ERR_TASK || status == PS_ERR_DROPPED);
        CHILD_CHECK(strcmp(info.operation, status == PS_ERR_TASK ? "failing" : "gate") == 0);
        char told[2] = {status == PS_ERR_TASK ? 'e' : 'd', (char)('0' + info.more)};
        CHILD_CHECK(write(pipe_end, told, 2) == 2);
    }
}

static void push_check(ps_engine *engine, char letter, ps_var *read, uint64_t cost)
{
    CHILD_CHECK(PUSH(engine, .run = write_letter, .arg = (void *)(intptr_t)letter, .reads = &read,
                     .nreads = read != NULL, .flags = PS_TASK_CAN_FAIL, .cost_ns = cost) == PS_OK);
}

/* The only worker is stuck. 'c' can fail and is cheap, as what it needs; 'n' needs what is dear; of
 * two failures at one place one stands for both. */
static int leave_with_checks(void *arg)
{
    (void)arg;
    atexit(take_errors_after);
    after_engine = child_engine(1);
    ps_var *x = child_var(after_engine), *y = child_var(after_engine);
    CHILD_CHECK(PUSH(after_engine, .run = gate_task, .arg = &shut, .name = "gate") == PS_OK);
    CHILD_CHECK(tally_reaches(&shut.inside, 1));
    CHILD_CHECK(PUSH(after_engine, .run = write_letter, .arg = (void *)(intptr_t)'a', WRITES(x),
                     .cost_ns = CHEAP) == PS_OK);
    push_check(after_engine, 'c', x, CHEAP);
    push_letter(after_engine, 'u', PS_COMPUTE, NULL, y); /* its cost is not known */
    push_check(after_engine, 'n', y, CHEAP);
    for (int i = 0; i < 2; i++)
        CHILD_CHECK(PUSH(after_engine, .run = fixture_failing, .flags = PS_TASK_CAN_FAIL,
                         .name = "failing", .location = 1, .cost_ns = CHEAP) == PS_OK);
    return 4;
}

static void what_can_fail_runs_and_is_told(void **state)
{
    (void)state;
    for (int i = 0; i < 5; i++) {
        ending e = run_to_the_end(leave_with_checks);
        assert_int_equal(e.code, 4);
        assert_int_equal(e.count, 6);
        assert_memory_equal(e.letters, "ace1d2", 6);
    }
}

/* The device never gets to its work: that is dropped, and with it the check that needs it. */
static int leave_with_device_work(void *arg)
{
    (void)arg;
    atexit(take_errors_after);
    after_engine = child_engine(1);
    ps_var *x = child_var(after_engine);
    ps_device *late = NULL;
    ps_queue *queue = NULL;
    CHILD_CHECK(ps__late_create(&late) == PS_OK);
    CHILD_CHECK(ps_queue_create(after_engine, late, 0, &queue) == PS_OK);
    ps__late_stop(late);
    CHILD_CHECK(PUSH(after_engine, .run = fixture_nothing, .queue = queue, WRITES(x),
                     .name = "gate", .cost_ns = CHEAP) == PS_OK);
    push_check(after_engine, 'n', x, CHEAP);
    push_check(after_engine, 'c', NULL, CHEAP);
    return 0;
}

static void device_work_is_not_waited_for(void **state)
{
    (void)state;
    ending e = run_to_the_end(leave_with_device_work);
    assert_int_equal(e.code, 0);
    assert_int_equal(e.count, 3);
    assert_memory_equal(e.letters, "cd1", 3);
}

static ps_status defer_task(ps_task *self, void *arg)
{
    return ps_task_defer(self, arg);
}

static int leave_without_waiting_for_a_completion(void *arg)
{
    (void)arg;
    ps_engine *engine = child_engine(1);
    ps_var *x = child_var(engine), *y = child_var(engine);
    static ps_token token;
    CHILD_CHECK(fixture_push(engine, defer_task, &token, NULL, x) == PS_OK);
    push_letter(engine, 'n', PS_IO, x, NULL); /* can never run */
    push_letter(engine, 'i', PS_IO, y, y);
    return 0;
}

/* Io behind a completion call that never comes is dropped; other io is not. */
static void a_missing_completion_does_not_hang(void **state)
{
    (void)state;
    ending e = run_to_the_end(leave_without_waiting_for_a_completion);
    assert_int_equal(e.code, 0);
    assert_int_equal(e.count, 1);
    assert_int_equal(e.letters[0], 'i');
}

static ps_status exit_inside(ps_task *self, void *arg)
{
    (void)self;
    tally_reaches(arg, 1); /* all is pushed */
    exit(5);
}

static int exit_from_a_worker(void *arg)
{
    (void)arg;
    ps_engine *engine = child_engine(2);
    ps_var *x = child_var(engine);
    tally pushed = {0};
    CHILD_CHECK(fixture_push(engine, gate_task, &shut, NULL, NULL) == PS_OK);
    CHILD_CHECK(tally_reaches(&shut.inside, 1));
    push_letter(engine, 'i', PS_IO, NULL, NULL);
    CHILD_CHECK(PUSH(engine, .run = exit_inside, .arg = &pushed, WRITES(x), .kind = PS_FRONTEND) ==
                PS_OK);
    push_letter(engine, 'n', PS_IO, x, NULL); /* behind the task that never returns */
    tally_add(&pushed);
    for (;;)
        pause();
}

static void exit_inside_a_task(void **state)
{
    (void)state;
    for (int i = 0; i < 5; i++) {
        ending e = run_to_the_end(exit_from_a_worker);
        assert_int_equal(e.code, 5);
        assert_int_equal(count_of(&e, 'i'), 1);
        assert_int_equal(count_of(&e, 'n'), 0);
    }
}

static ps_var *after_var;

/* Runs after the engines' own handler, since it was registered before. */
static void use_handles_after(void)
{
    ps_var *x = NULL;
    if (ps_var_create(after_engine, &x) != PS_ERR_CLOSED ||
        fixture_push(after_engine, fixture_nothing, NULL, NULL, after_var) != PS_ERR_CLOSED ||
        ps_wait_all(after_engine, NULL) != PS_ERR_CLOSED)
        _exit(CHILD_FAILED);
    ps_var_release(after_var);
}

static int leave_with_handles(void *arg)
{
    (void)arg;
    atexit(use_handles_after);
    after_engine = child_engine(2);
    after_var = child_var(after_engine);
    push_letter(after_engine, 'i', PS_IO, after_var, after_var);
    return 0;
}

/* What is left of a program's own cleaning up finds a closed engine. */
static void handles_used_after_shutdown(void **state)
{
    (void)state;
    ending e = run_to_the_end(leave_with_handles);
    assert_int_equal(e.code, 0);
    assert_int_equal(count_of(&e, 'i'), 1);
}

static ps_status push_more_io(ps_task *self, void *arg)
{
    ps_engine *engine = arg;
    (void)self;
    PUSH(engine, .run = write_letter, .arg = (void *)(intptr_t)'j', .kind = PS_IO);
    return PS_OK;
}

static int leave_with_io_that_pushes(void *arg)
{
    (void)arg;
    ps_engine *engine = child_engine(1);
    CHILD_CHECK(fixture_push(engine, gate_task, &shut, NULL, NULL) == PS_OK);
    CHILD_CHECK(tally_reaches(&shut.inside, 1));
    CHILD_CHECK(PUSH(engine, .run = push_more_io, .arg = engine, .kind = PS_IO) == PS_OK);
    push_letter(engine, 'i', PS_IO, NULL, NULL);
    return 0;
}

/* Io that is pushed while the process leaves comes too late or not; it must not hang. */
static void io_pushed_while_leaving(void **state)
{
    (void)state;
    ending e = run_to_the_end(leave_with_io_that_pushes);
    assert_int_equal(e.code, 0);
    assert_int_equal(count_of(&e, 'i'), 1);
}

typedef struct stream {
    ps_engine *engine;
    tally pushed;
} stream;

static void *push_for_ever(void *arg)
{
    stream *l = arg;
    while (fixture_push(l->engine, fixture_nothing, NULL, NULL, NULL) == PS_OK)
        tally_add(&l->pushed);
    return NULL;
}

static int leave_while_others_push(void *arg)
{
    (void)arg;
    static stream l;
    pthread_t thread;
    l.engine = child_engine(2);
    CHILD_CHECK(pthread_create(&thread, NULL, push_for_ever, &l) == 0);
    pthread_detach(thread);
    CHILD_CHECK(tally_reaches(&l.pushed, 1000));
    push_letter(l.engine, 'i', PS_IO, NULL, NULL);
    return 0;
}

static void other_threads_push_meanwhile(void **state)
{
    (void)state;
    for (int i = 0; i < 5; i++) {
        ending e = run_to_the_end(leave_while_others_push);
        assert_int_equal(e.code, 0);
        assert_int_equal(count_of(&e, 'i'), 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(queued_io_runs),
        cmocka_unit_test(queued_io_runs_although_the_worker_is_stuck),
        cmocka_unit_test(every_engine_ends),
        cmocka_unit_test(compute_is_dropped),
        cmocka_unit_test(idle_workers_do_not_hold_it_up),
        cmocka_unit_test(busy_workers_do_not_hold_it_up),
        cmocka_unit_test(what_can_fail_runs_and_is_told),
        cmocka_unit_test(device_work_is_not_waited_for),
        cmocka_unit_test(a_missing_completion_does_not_hang),
        cmocka_unit_test(exit_inside_a_task),
        cmocka_unit_test(handles_used_after_shutdown),
        cmocka_unit_test(io_pushed_while_leaving),
        cmocka_unit_test(other_threads_push_meanwhile),
    };
    return FIXTURE_RUN(tests);
}
