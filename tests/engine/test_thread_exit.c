/* A thread may end right after its pushes: what is in its window runs all the same, although
 * nobody waits, and what belonged to the thread is cleaned up. */
#include "fixture.h"

typedef struct leaver {
    ps_engine *engine;
    ps_var *x;
    tally *ran;
    int pushes;
    uint64_t cost_ns;
} leaver;

static void *push_and_leave(void *arg)
{
    leaver *l = arg;
    for (int i = 0; i < l->pushes; i++)
        PUSH(l->engine, .run = tally_task, .arg = l->ran, .reads = &l->x, .nreads = l->x != NULL,
             .writes = &l->x, .nwrites = l->x != NULL, .cost_ns = l->cost_ns);
    return NULL;
}

static void run_thread(void *(*body)(void *), void *arg)
{
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, body, arg), 0);
    pthread_join(thread, NULL);
}

/* Cheap tasks are the ones that stay in the window. */
static void its_tasks_still_run(void **state)
{
    (void)state;
    static const uint64_t costs[] = {0, 20, 1000000};
    ps_engine *engine = fixture_engine(2);
    ps_var *x = fixture_var(engine);
    tally ran = {0};
    uint32_t expected = 0;
    for (int round = 0; round < FIXTURE_SCALED(600); round++) {
        leaver l = {engine, round % 2 ? x : NULL, &ran, round % 20 + 1, costs[round % 3]};
        run_thread(push_and_leave, &l);
        expected += (uint32_t)l.pushes;
        if (round % 10 == 0)
            tally_wait(&ran, expected);
    }
    tally_wait(&ran, expected); /* not an engine's wait: nobody but the workers helps */
    CHECK_OK(ps_wait_all(engine, NULL));
    assert_int_equal(tally_read(&ran), expected);
    ps_var_release(x);
    CHECK_OK(ps_engine_destroy(engine));
}

/* The first push to an engine comes from a thread that is gone at once. */
static void as_the_first_thread_ever(void **state)
{
    (void)state;
    for (int round = 0; round < FIXTURE_SCALED(100); round++) {
        tally ran = {0};
        leaver l = {fixture_engine(1), NULL, &ran, 3, 10};
        run_thread(push_and_leave, &l);
        tally_wait(&ran, 3);
        CHECK_OK(ps_engine_destroy(l.engine));
    }
}

/* Behind work that is still running when the thread ends. */
static void with_pending_work(void **state)
{
    (void)state;
    ps_engine *engine = fixture_engine(1);
    ps_var *x = fixture_var(engine);
    gate g = {0};
    tally ran = {0};
    leaver l = {engine, x, &ran, 300, 10};
    CHECK_OK(fixture_push(engine, gate_task, &g, NULL, x));
    gate_wait_inside(&g, 1);
    run_thread(push_and_leave, &l);
    assert_int_equal(tally_read(&ran), 0);
    gate_open(&g);
    tally_wait(&ran, 300);
    ps_var_release(x);
    CHECK_OK(ps_engine_destroy(engine));
}

static void *push_to_many(void *arg)
{
    ps_engine **engines = arg;
    static tally ran;
    for (int i = 0; i < 30; i++)
        fixture_push(engines[i % 3], tally_task, &ran, NULL, NULL);
    return &ran;
}

/* Windows of several engines, of which one is closed before the thread ends. */
typedef struct closing {
    ps_engine *engines[3];
    tally pushed, closed;
} closing;

static void *outlive_an_engine(void *arg)
{
    closing *c = arg;
    push_to_many(c->engines);
    tally_add(&c->pushed);
    tally_reaches(&c->closed, 1);
    return NULL;
}

static void after_an_engine_was_closed(void **state)
{
    (void)state;
    for (int round = 0; round < 20; round++) {
        closing c = {.engines = {fixture_engine(1), fixture_engine(1), fixture_engine(1)}};
        pthread_t thread;
        assert_int_equal(pthread_create(&thread, NULL, outlive_an_engine, &c), 0);
        tally_wait(&c.pushed, 1);
        CHECK_OK(ps_engine_destroy(c.engines[1]));
        tally_add(&c.closed);
        pthread_join(thread, NULL);
        CHECK_OK(ps_engine_destroy(c.engines[0]));
        CHECK_OK(ps_engine_destroy(c.engines[2]));
    }
}

static ps_engine *destructor_engine;
static tally destructor_ran;

static void push_in_destructor(void *value)
{
    (void)value;
    fixture_push(destructor_engine, tally_task, &destructor_ran, NULL, NULL);
}

static pthread_key_t destructor_key;

static void *leave_a_value(void *arg)
{
    leaver *l = arg;
    pthread_setspecific(destructor_key, l);
    return push_and_leave(l);
}

/* A destructor of somebody else's thread-local value pushes when ours has run already. */
static void pushes_while_the_thread_ends(void **state)
{
    (void)state;
    tally ran = {0};
    leaver l = {fixture_engine(1), NULL, &ran, 2, 10};
    destructor_engine = l.engine;
    assert_int_equal(pthread_key_create(&destructor_key, push_in_destructor), 0);
    for (uint32_t i = 1; i <= 50; i++) {
        run_thread(leave_a_value, &l);
        tally_wait(&destructor_ran, i);
    }
    tally_wait(&ran, 100);
    pthread_key_delete(destructor_key);
    CHECK_OK(ps_engine_destroy(l.engine));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(its_tasks_still_run),
        cmocka_unit_test(as_the_first_thread_ever),
        cmocka_unit_test(with_pending_work),
        cmocka_unit_test(after_an_engine_was_closed),
        cmocka_unit_test(pushes_while_the_thread_ends),
    };
    return FIXTURE_RUN(tests);
}
