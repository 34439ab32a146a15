/* Far more threads than processors: 64 workers and 16 threads that push, wait and run loops, all on one
 * engine. What each of them counts must be exact: a task that is lost, done twice or out of order
 * shows. */
#include "fixture.h"

enum { WORKERS = 64, PUSHERS = 16, PIECES = 20, TASKS = FIXTURE_SANITIZED ? 500 : 10000 };

typedef struct counter {
    ps_var *var;
    long value; /* guarded by the order on var */
} counter;

typedef struct crowd {
    ps_engine *engine;
    counter shared;
    tally pieces; /* of loops inside of tasks */
} crowd;

typedef struct pusher {
    crowd *crowd;
    counter own;
    long failed; /* the thread's own until it is joined */
    long shared; /* likewise: what it added to the shared counter */
    pthread_t thread;
} pusher;

static ps_status raise_counter(ps_task *self, void *arg)
{
    (void)self;
    ((counter *)arg)->value++;
    return PS_OK;
}

static ps_status piece(size_t begin, size_t end, void *arg)
{
    for (size_t i = begin; i < end; i++)
        tally_add(arg);
    return PS_OK;
}

static ps_status run_loop(ps_task *self, void *arg)
{
    crowd *c = arg;
    (void)self;
    return ps_parallel_for(c->engine, PIECES, 1, piece, &c->pieces);
}

static ps_status push_raise(ps_engine *engine, counter *c, uint64_t cost)
{
    return PUSH(engine, .run = raise_counter, .arg = c, READS(c->var), WRITES(c->var),
                .cost_ns = cost);
}

/* One task in five is for the shared counter, one in a hundred a loop, and then it looks. */
static void *push_and_look(void *arg)
{
    pusher *p = arg;
    ps_engine *engine = p->crowd->engine;
    long own = 0;
    for (int i = 1; i <= TASKS; i++) {
        bool shared = i % 5 == 0;
        p->failed +=
            push_raise(engine, shared ? &p->crowd->shared : &p->own, i % 3 ? 100 : 0) != PS_OK;
        p->shared += shared;
        own += !shared;
        if (i % 100 != 0)
            continue;
        p->failed += fixture_push(engine, run_loop, p->crowd, NULL, NULL) != PS_OK;
        p->failed += ps_wait_read(p->own.var, NULL) != PS_OK || p->own.value != own;
    }
    p->failed += ps_wait_read(p->own.var, NULL) != PS_OK || p->own.value != own;
    return NULL;
}

static void crowd_open(crowd *c, pusher *pushers)
{
    *c = (crowd){.engine = fixture_engine(WORKERS)};
    c->shared.var = fixture_var(c->engine);
    for (int i = 0; i < PUSHERS; i++)
        pushers[i] = (pusher){.crowd = c, .own = {.var = fixture_var(c->engine)}};
}

static void crowd_push(pusher *pushers)
{
    for (int i = 0; i < PUSHERS; i++)
        assert_int_equal(pthread_create(&pushers[i].thread, NULL, push_and_look, &pushers[i]), 0);
    for (int i = 0; i < PUSHERS; i++)
        pthread_join(pushers[i].thread, NULL);
}

static void crowd_close(crowd *c, pusher *pushers)
{
    long expected = 0;
    CHECK_OK(ps_wait_all(c->engine, NULL));
    for (int i = 0; i < PUSHERS; i++) {
        assert_int_equal(pushers[i].failed, 0);
        expected += pushers[i].shared;
        ps_var_release(pushers[i].own.var);
    }
    assert_int_equal(c->shared.value, expected);
    assert_int_equal(tally_read(&c->pieces), PUSHERS * (TASKS / 100) * PIECES);
    ps_var_release(c->shared.var);
    CHECK_OK(ps_engine_destroy(c->engine));
}

static void everybody_counts_right(void **state)
{
    (void)state;
    static crowd c;
    static pusher pushers[PUSHERS];
    crowd_open(&c, pushers);
    crowd_push(pushers);
    crowd_close(&c, pushers);
}

/* So few tasks may be queued that most threads are held back most of the time. */
static void although_all_are_held_back(void **state)
{
    (void)state;
    static crowd c;
    static pusher pushers[PUSHERS];
    ps_bound bound = {.size = sizeof bound};
    crowd_open(&c, pushers);
    CHECK_OK(ps_engine_bound(c.engine, &bound));
    bound.ops = 8;
    CHECK_OK(ps_engine_set_bound(c.engine, &bound));
    crowd_push(pushers);
    crowd_close(&c, pushers);
}

/* All workers are inside of gates: those who wait do what they wait for. */
static void although_all_workers_are_stuck(void **state)
{
    (void)state;
    static crowd c;
    static pusher pushers[PUSHERS];
    gate g = {0};
    crowd_open(&c, pushers);
    for (int i = 0; i < WORKERS; i++)
        CHECK_OK(fixture_push(c.engine, gate_task, &g, NULL, NULL));
    gate_wait_inside(&g, WORKERS);
    crowd_push(pushers);
    gate_open(&g);
    crowd_close(&c, pushers);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(everybody_counts_right),
        cmocka_unit_test(although_all_are_held_back),
        cmocka_unit_test(although_all_workers_are_stuck),
    };
    return FIXTURE_RUN(tests);
}
