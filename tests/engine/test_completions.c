/* The completion queue: one file descriptor that poll(2) understands for any number of awaited
 * variables, readable exactly while there is something to pop. */
#include "fixture.h"

#include <poll.h>

static bool readable(ps_completions *completions, int timeout_ms)
{
    struct pollfd fd = {.fd = ps_completions_fd(completions), .events = POLLIN};
    return poll(&fd, 1, timeout_ms) == 1 && (fd.revents & POLLIN) != 0;
}

static ps_completions *open_queue(ps_engine *engine)
{
    ps_completions *completions = NULL;
    CHECK_OK(ps_completions_create(engine, &completions));
    assert_true(ps_completions_fd(completions) >= 0);
    return completions;
}

static void one_variable(void **state)
{
    (void)state;
    ps_engine *engine = fixture_engine(1);
    ps_completions *completions = open_queue(engine);
    ps_var *x = fixture_var(engine);
    gate g = {0};
    uint64_t tag = 0;
    ps_status status = PS_ERR_TASK;
    CHECK_STATUS(ps_completions_pop(completions, &tag, &status), PS_ERR_EMPTY);
    CHECK_OK(fixture_push(engine, gate_task, &g, NULL, x));
    CHECK_OK(ps_completions_watch(completions, x, 77));
    gate_wait_inside(&g, 1);
    assert_false(readable(completions, 0));
    CHECK_STATUS(ps_completions_pop(completions, &tag, &status), PS_ERR_EMPTY);
    gate_open(&g);
    assert_true(readable(completions, -1));
    CHECK_OK(ps_completions_pop(completions, &tag, &status));
    assert_int_equal(tag, 77);
    assert_int_equal(status, PS_OK);
    assert_false(readable(completions, 0));
    CHECK_STATUS(ps_completions_pop(completions, &tag, &status), PS_ERR_EMPTY);
    ps_completions_destroy(completions);
    ps_var_release(x);
    CHECK_OK(ps_engine_destroy(engine));
}

/* As an event loop does it: poll, pop until empty, poll again. */
static void a_thousand_variables(void **state)
{
    (void)state;
    enum { VARIABLES = 1000 };
    ps_engine *engine = fixture_engine(2);
    ps_completions *completions = open_queue(engine);
    static ps_var *vars[VARIABLES];
    static int seen[VARIABLES];
    for (uint64_t i = 0; i < VARIABLES; i++) {
        vars[i] = fixture_var(engine);
        ps_task_fn run = i % 10 == 3 ? fixture_failing : fixture_nothing;
        CHECK_OK(fixture_push(engine, run, NULL, NULL, vars[i]));
        CHECK_OK(ps_completions_watch(completions, vars[i], i));
    }
    for (int left = VARIABLES; left > 0;) {
        assert_true(readable(completions, -1));
        uint64_t tag;
        ps_status status, result;
        while ((result = ps_completions_pop(completions, &tag, &status)) == PS_OK) {
            assert_true(tag < VARIABLES);
            assert_int_equal(status, tag % 10 == 3 ? PS_ERR_TASK : PS_OK);
            seen[tag]++;
            left--;
        }
        CHECK_STATUS(result, PS_ERR_EMPTY);
    }
    for (int i = 0; i < VARIABLES; i++) {
        assert_int_equal(seen[i], 1);
        ps_var_release(vars[i]);
    }
    assert_false(readable(completions, 0));
    ps_completions_destroy(completions);
    while (ps_wait_all(engine, NULL) != PS_OK)
        continue; /* the failures made on purpose */
    CHECK_OK(ps_engine_destroy(engine));
}

/* The queue goes while some of it is watched, some ready, some still running. */
static void destroyed_with_watches_left(void **state)
{
    (void)state;
    for (int round = 0; round < FIXTURE_SCALED(100); round++) {
        ps_engine *engine = fixture_engine(2);
        ps_completions *completions = open_queue(engine);
        ps_var *x = fixture_var(engine), *y = fixture_var(engine);
        gate g = {0};
        CHECK_OK(fixture_push(engine, gate_task, &g, NULL, x));
        CHECK_OK(fixture_push(engine, fixture_nothing, NULL, NULL, y));
        for (uint64_t i = 0; i < 50; i++)
            CHECK_OK(ps_completions_watch(completions, i % 2 ? x : y, i));
        if (round % 2)
            assert_true(readable(completions, -1));
        ps_completions_destroy(completions);
        gate_open(&g);
        CHECK_OK(ps_wait_all(engine, NULL));
        ps_var_release(x);
        ps_var_release(y);
        CHECK_OK(ps_engine_destroy(engine));
    }
}

typedef struct popper {
    ps_completions *completions;
    tally *popped;
    uint32_t total;
    tally odd;
} popper;

static void *pop_until_all(void *arg)
{
    popper *p = arg;
    while (tally_read(p->popped) < p->total) {
        uint64_t tag;
        ps_status status;
        ps_status result = ps_completions_pop(p->completions, &tag, &status);
        if (result == PS_OK)
            tally_add(p->popped);
        else if (result == PS_ERR_EMPTY)
            readable(p->completions, 1);
        else
            tally_add(&p->odd);
    }
    return NULL;
}

/* Several threads pop while others watch: nothing is lost or given twice. */
static void several_threads_pop(void **state)
{
    (void)state;
    enum { THREADS = 3 };
    ps_engine *engine = fixture_engine(2);
    ps_completions *completions = open_queue(engine);
    tally popped = {0};
    popper p = {completions, &popped, FIXTURE_SCALED(20000), {0}};
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, pop_until_all, &p), 0);
    ps_var *x = fixture_var(engine);
    for (uint32_t i = 0; i < p.total; i++) {
        CHECK_OK(fixture_push(engine, fixture_nothing, NULL, NULL, x));
        CHECK_OK(ps_completions_watch(completions, x, i));
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    assert_int_equal(tally_read(&popped), p.total);
    assert_int_equal(tally_read(&p.odd), 0);
    ps_completions_destroy(completions);
    ps_var_release(x);
    CHECK_OK(ps_engine_destroy(engine));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_variable),
        cmocka_unit_test(a_thousand_variables),
        cmocka_unit_test(destroyed_with_watches_left),
        cmocka_unit_test(several_threads_pop),
    };
    return FIXTURE_RUN(tests);
}
