/* Ctrl-C: a wait ends within 100 ms of the moment from which its thread's hook says so.
 *
 * This measures time, so it is a soak and not a test: it prints the worst, and fails when more than
 * 5 % took longer. That such a wait ends, whenever that is, is tested in
 * tests/engine/test_interrupt.c. */
#include "engine/fixture.h"

enum { LIMIT_MS = 100, ROUNDS = 100, PERCENT = 5 };

typedef struct keyboard {
    tally polls, pressed;
    int64_t pressed_at; /* written before `pressed` is raised */
} keyboard;

static bool ask(void *state)
{
    keyboard *k = state;
    tally_add(&k->polls);
    return tally_read(&k->pressed) > 0;
}

static void *press(void *arg)
{
    keyboard *k = arg;
    tally_reaches(&k->polls, 2); /* the wait is under way, and sleeps in between */
    k->pressed_at = ps__now_ns();
    tally_add(&k->pressed);
    return NULL;
}

/* How long the wait went on after the key was pressed, in nanoseconds. */
static int64_t wait_and_press(ps_var *x)
{
    keyboard k = {0};
    ps_hooks hooks = {.size = sizeof hooks, .state = &k, .interrupted = ask};
    pthread_t thread;
    CHECK_OK(ps_thread_set_hooks(&hooks));
    assert_int_equal(pthread_create(&thread, NULL, press, &k), 0);
    CHECK_STATUS(ps_wait_read(x, NULL), PS_ERR_INTERRUPTED);
    int64_t end = ps__now_ns();
    pthread_join(thread, NULL);
    CHECK_OK(ps_thread_set_hooks(NULL));
    return end - k.pressed_at;
}

static void waits_end_promptly(void **state)
{
    (void)state;
    ps_engine *engine = fixture_engine(1);
    ps_var *x = fixture_var(engine);
    gate g = {0};
    int64_t worst = 0;
    int late = 0;
    CHECK_OK(fixture_push(engine, gate_task, &g, NULL, x));
    gate_wait_inside(&g, 1);
    for (int i = 0; i < ROUNDS; i++) {
        int64_t took = wait_and_press(x);
        worst = took > worst ? took : worst;
        late += took > LIMIT_MS * INT64_C(1000000);
    }
    print_message("worst %.3f ms, %d of %d over %d ms\n", (double)worst / 1e6, late, ROUNDS,
                  LIMIT_MS);
    gate_open(&g);
    CHECK_OK(ps_wait_read(x, NULL));
    ps_var_release(x);
    CHECK_OK(ps_engine_destroy(engine));
    assert_true(late * 100 <= ROUNDS * PERCENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(waits_end_promptly)};
    return FIXTURE_RUN(tests);
}
