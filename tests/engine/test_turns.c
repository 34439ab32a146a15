/* Turns: while a thread pushes, it publishes for workers and gives them their pieces. Whatever happens
 * beside that, each task runs once and in order, its end is seen by who waits, and a failure marks what
 * follows: with failures, tokens, workers that come and go, traces that begin and end, forks. */
#include "process.h"

#include "engine/internal.h"

enum {
    CHAINS = 24,
    PUSHES = FIXTURE_SCALED(40000),
    ROUNDS = 40, /* until somebody was served */
    COST = 2600, /* said; a task takes less */
    NAP = 400    /* turns of an empty loop in each */
};

typedef struct chain {
    ps_var *var;
    uint64_t done;   /* by its tasks, one after the other */
    uint64_t pushed; /* by the test */
    bool wrong;      /* one came out of order, or after a failure */
} chain;

typedef struct step {
    chain *of;
    uint64_t number;
    bool fails, deferred;
} step;

static ps_status run_step(ps_task *self, void *arg)
{
    const step *s = arg;
    s->of->wrong |= s->of->done != s->number;
    s->of->done++;
    for (volatile int i = 0; i < NAP; i++)
        continue;
    ps_token token;
    if (s->deferred && ps_task_defer(self, &token) == PS_OK)
        return ps_complete(token, PS_OK, NULL);
    return s->fails ? ps_task_fail(self, PS_ERR_TASK, "step %ju", (uintmax_t)s->number) : PS_OK;
}

static ps_engine *engine;
static chain chains[CHAINS];

static void begin(unsigned workers)
{
    engine = fixture_engine(workers);
    memset(chains, 0, sizeof chains);
    for (int i = 0; i < CHAINS; i++)
        chains[i].var = fixture_var(engine);
}

static ps_status push_step(chain *of, bool fails, bool deferred)
{
    step *s = malloc(sizeof *s);
    if (s == NULL)
        return PS_ERR_MEMORY;
    *s = (step){of, of->pushed++, fails, deferred};
    return PUSH(engine, .run = run_step, .arg = s, .drop = free, .cost_ns = COST, WRITES(of->var));
}

/* How often a pusher has done something for a worker. */
static uint64_t served(void)
{
    ps__lock_take(&engine->lock);
    uint64_t count = engine->served;
    ps__unlock(&engine->lock);
    return count;
}

static bool all_done(void)
{
    bool right = true;
    for (int i = 0; i < CHAINS; i++)
        right &= chains[i].done == chains[i].pushed && !chains[i].wrong;
    return right;
}

static void end(void)
{
    for (int i = 0; i < CHAINS; i++)
        ps_var_release(chains[i].var);
    CHECK_OK(ps_engine_destroy(engine));
}

static void each_task_runs_once_and_in_order(void **state)
{
    (void)state;
    begin(3);
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < PUSHES; i++)
            CHECK_OK(push_step(&chains[i % CHAINS], false, i % 977 == 0));
        CHECK_OK(ps_wait_all(engine, NULL));
        assert_true(all_done());
        if (served() != 0)
            break;
    }
    if (served() == 0) /* that they are is asserted in virtual time */
        print_message("nobody was served: is there one processor?\n");
    end();
}

static void failures_are_told_and_what_follows_is_marked(void **state)
{
    (void)state;
    begin(3);
    int half = PUSHES / 2;
    for (int i = 0; i < PUSHES; i++)
        CHECK_OK(push_step(&chains[i % CHAINS], i == half, false));
    CHECK_STATUS(ps_wait_all(engine, NULL), PS_ERR_TASK);
    const chain *failed = &chains[half % CHAINS];
    for (int i = 0; i < CHAINS; i++) {
        assert_false(chains[i].wrong);
        if (&chains[i] != failed)
            assert_int_equal(chains[i].done, chains[i].pushed);
    }
    /* A write that does not read makes it good again: so do the tasks here. */
    assert_int_equal(failed->done, failed->pushed);
    end();
}

static void workers_and_traces_come_and_go(void **state)
{
    (void)state;
    begin(2);
    for (int i = 0; i < PUSHES; i++) {
        if (i % (PUSHES / 16) == 0)
            CHECK_OK(ps_engine_set_workers(engine, 1 + (unsigned)i / (PUSHES / 16 + 1) % 5));
        if (i % (PUSHES / 10) == 0)
            CHECK_OK(i / (PUSHES / 10) % 2 == 0 ? ps_trace_start(engine, 4096)
                                                : ps_trace_stop(engine));
        CHECK_OK(push_step(&chains[i % CHAINS], false, false));
    }
    CHECK_OK(ps_wait_all(engine, NULL));
    assert_true(all_done());
    end();
}

/* A chain's variable is ready when its last task is published, whoever did it. */
static void waits_see_what_others_published(void **state)
{
    (void)state;
    begin(3);
    for (int i = 0; i < PUSHES; i++) {
        chain *of = &chains[i % CHAINS];
        CHECK_OK(push_step(of, false, false));
        if (i % 61 == 0) {
            CHECK_OK(ps_wait_read(of->var, NULL));
            assert_int_equal(of->done, of->pushed);
        }
    }
    CHECK_OK(ps_wait_all(engine, NULL));
    assert_true(all_done());
    end();
}

static void a_fork_finds_all_of_it(void **state)
{
    (void)state;
#ifdef FORK_IS_UNSAFE
    print_message("not here: %s\n", FORK_IS_UNSAFE);
    skip();
#endif
    begin(3);
    for (int i = 0; i < PUSHES; i++) {
        CHECK_OK(push_step(&chains[i % CHAINS], false, false));
        if (i % (PUSHES / 12) != 7)
            continue;
        pid_t child = fork_flushed();
        if (child == 0) {
            child_begin();
            CHILD_CHECK(ps_wait_all(engine, NULL) == PS_OK);
            CHILD_CHECK(all_done());
            for (int more = 0; more < 500; more++)
                CHILD_CHECK(push_step(&chains[more % CHAINS], false, false) == PS_OK);
            CHILD_CHECK(ps_wait_all(engine, NULL) == PS_OK);
            CHILD_CHECK(all_done());
            _exit(0);
        }
        assert_int_equal(child_result(child), 0);
    }
    CHECK_OK(ps_wait_all(engine, NULL));
    assert_true(all_done());
    end();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_task_runs_once_and_in_order),
        cmocka_unit_test(failures_are_told_and_what_follows_is_marked),
        cmocka_unit_test(workers_and_traces_come_and_go),
        cmocka_unit_test(waits_see_what_others_published),
        cmocka_unit_test(a_fork_finds_all_of_it),
    };
    return FIXTURE_RUN(tests);
}
