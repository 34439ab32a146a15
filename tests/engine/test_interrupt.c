/* Ctrl-C: a wait of a thread with an interrupt hook ends soon after the hook says so, even during
 * one long task that cannot be split, and cancels nothing. Such a thread leaves long and unknown
 * work to the workers, of which one is enough. */
#include "fixture.h"

typedef struct keyboard {
    tally polls;
    uint32_t after; /* says yes from this poll on */
    tally pressed;  /* or once this was raised */
} keyboard;

static bool ask(void *state)
{
    keyboard *k = state;
    tally_add(&k->polls);
    return tally_read(&k->polls) > k->after || tally_read(&k->pressed) > 0;
}

static void keyboard_enter(keyboard *k, ps_hooks *hooks)
{
    *hooks = (ps_hooks){.size = sizeof *hooks, .state = k, .interrupted = ask};
    CHECK_OK(ps_thread_set_hooks(hooks));
}

typedef struct long_task {
    gate gate;
    pthread_t thread; /* written before it comes to the gate */
} long_task;

static ps_status run_long(ps_task *self, void *arg)
{
    long_task *l = arg;
    l->thread = pthread_self();
    return gate_task(self, &l->gate);
}

static ps_status wait_of_kind(int kind, ps_engine *engine, ps_var *x)
{
    return kind == 0   ? ps_wait_read(x, NULL)
           : kind == 1 ? ps_wait_write(x, NULL)
           : kind == 2 ? ps_wait_all(engine, NULL)
                       : ps_wait_read(x, IN_TIME);
}

/* The task has not begun when the wait begins: the waiting thread must not run it itself. */
static void one_long_task(void **state)
{
    (void)state;
    for (int kind = 0; kind < 4; kind++) {
        ps_engine *engine = fixture_engine(1);
        ps_var *x = fixture_var(engine);
        long_task l = {0};
        keyboard k = {.after = 2};
        ps_hooks hooks;
        keyboard_enter(&k, &hooks);
        CHECK_OK(fixture_push(engine, run_long, &l, NULL, x));
        CHECK_STATUS(wait_of_kind(kind, engine, x), PS_ERR_INTERRUPTED);
        assert_false(ps_var_is_ready(x));
        k.after = UINT32_MAX;
        gate_open(&l.gate);
        CHECK_OK(wait_of_kind(kind, engine, x)); /* nothing was cancelled */
        assert_int_equal(tally_read(&l.gate.inside), 1);
        assert_false(pthread_equal(l.thread, pthread_self()));
        CHECK_OK(ps_thread_set_hooks(NULL));
        ps_var_release(x);
        CHECK_OK(ps_engine_destroy(engine));
    }
}

static void *press(void *arg)
{
    keyboard *k = arg;
    tally_reaches(&k->polls, 1); /* the wait is under way */
    tally_add(&k->pressed);
    return NULL;
}

/* From outside, while the waiting thread sleeps. The task does not end before the wait has. */
static void pressed_during_a_wait(void **state)
{
    (void)state;
    ps_engine *engine = fixture_engine(1);
    ps_var *x = fixture_var(engine);
    long_task l = {0};
    keyboard k = {.after = UINT32_MAX};
    ps_hooks hooks;
    pthread_t thread;
    keyboard_enter(&k, &hooks);
    CHECK_OK(fixture_push(engine, run_long, &l, NULL, x));
    gate_wait_inside(&l.gate, 1);
    assert_int_equal(pthread_create(&thread, NULL, press, &k), 0);
    CHECK_STATUS(ps_wait_read(x, NULL), PS_ERR_INTERRUPTED);
    pthread_join(thread, NULL);
    gate_open(&l.gate);
    tally_wait(&l.gate.opened, 1);
    CHECK_OK(ps_thread_set_hooks(NULL));
    CHECK_OK(ps_wait_read(x, NULL));
    ps_var_release(x);
    CHECK_OK(ps_engine_destroy(engine));
}

/* Many short tasks: the hook is asked between them. */
static void between_short_tasks(void **state)
{
    (void)state;
    ps_engine *engine = fixture_engine(1);
    keyboard k = {.after = 3};
    ps_hooks hooks;
    gate g = {0};
    tally ran = {0};
    CHECK_OK(fixture_push(engine, gate_task, &g, NULL, NULL));
    gate_wait_inside(&g, 1);
    for (int i = 0; i < 1000; i++)
        CHECK_OK(PUSH(engine, .run = tally_task, .arg = &ran, .cost_ns = 1000));
    keyboard_enter(&k, &hooks);
    CHECK_STATUS(ps_wait_all(engine, NULL), PS_ERR_INTERRUPTED);
    CHECK_OK(ps_thread_set_hooks(NULL));
    gate_open(&g);
    CHECK_OK(ps_wait_all(engine, NULL));
    assert_int_equal(tally_read(&ran), 1000);
    CHECK_OK(ps_engine_destroy(engine));
}

/* At the bound: the push that is held back ends, and has queued nothing. */
static void at_the_bound(void **state)
{
    (void)state;
    ps_engine *engine = fixture_engine(1);
    ps_var *x = fixture_var(engine);
    ps_bound bound = {.size = sizeof bound};
    keyboard k = {.after = 2};
    ps_hooks hooks;
    gate g = {0};
    tally ran = {0}, dropped = {0};
    CHECK_OK(ps_engine_bound(engine, &bound));
    bound.ops = 10;
    CHECK_OK(ps_engine_set_bound(engine, &bound));
    CHECK_OK(fixture_push(engine, gate_task, &g, NULL, x));
    gate_wait_inside(&g, 1);
    keyboard_enter(&k, &hooks);
    uint64_t pushed = 0;
    ps_status status;
    while ((status = PUSH(engine, .run = fixture_nothing, .arg = &dropped, .drop = tally_drop,
                          READS(x))) == PS_OK)
        pushed++;
    CHECK_STATUS(status, PS_ERR_INTERRUPTED);
    assert_true(pushed >= 10 && pushed <= 12);
    assert_int_equal(fixture_stats(engine).pushed, pushed + 1);
    CHECK_OK(ps_thread_set_hooks(NULL));
    gate_open(&g);
    CHECK_OK(fixture_push(engine, tally_task, &ran, x, NULL)); /* it can be done again */
    CHECK_OK(ps_wait_all(engine, NULL));
    assert_int_equal(tally_read(&ran), 1);
    assert_int_equal(tally_read(&dropped), pushed);
    ps_var_release(x);
    CHECK_OK(ps_engine_destroy(engine));
}

/* A hook that never says yes changes no result. */
static void not_interrupted(void **state)
{
    (void)state;
    ps_engine *engine = fixture_engine(1);
    ps_var *x = fixture_var(engine);
    keyboard k = {.after = UINT32_MAX};
    ps_hooks hooks;
    tally ran = {0};
    keyboard_enter(&k, &hooks);
    for (uint32_t i = 1; i <= FIXTURE_SCALED(2000); i++) {
        CHECK_OK(
            PUSH(engine, .run = tally_task, .arg = &ran, WRITES(x), .cost_ns = i % 3 ? 100 : 0));
        if (i % 5 == 0) {
            CHECK_OK(wait_of_kind((int)(i / 5 % 4), engine, x));
            assert_int_equal(tally_read(&ran), i);
        }
    }
    CHECK_OK(ps_thread_set_hooks(NULL));
    ps_var_release(x);
    CHECK_OK(ps_engine_destroy(engine));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_long_task),       cmocka_unit_test(pressed_during_a_wait),
        cmocka_unit_test(between_short_tasks), cmocka_unit_test(at_the_bound),
        cmocka_unit_test(not_interrupted),
    };
    return FIXTURE_RUN(tests);
}
