/* Waits that could never end return PS_ERR_DEADLOCK at once: inside a task for its own work, for
 * work queued after it, for a task further down on the same stack; for everything; and any wait
 * in a callback. */
#include "fixture.h"

typedef struct culprit {
    ps_engine *engine;
    ps_var *var;
    ps_status (*wait)(ps_var *var, const ps_wait_options *options);
    gate *gate;       /* passed first, if there is one */
    bool push;        /* pushes a write of var before it waits */
    ps_status status; /* what the wait said */
    tally returned;   /* the wait has returned */
} culprit;

static ps_status wait_forever(ps_task *self, void *arg)
{
    culprit *c = arg;
    if (c->gate != NULL)
        gate_task(self, c->gate);
    if (c->push && fixture_push(c->engine, fixture_nothing, NULL, NULL, c->var) != PS_OK)
        return PS_ERR_TASK;
    c->status = c->var != NULL ? c->wait(c->var, NULL) : ps_wait_all(c->engine, NULL);
    tally_add(&c->returned);
    return PS_OK;
}

static void own_work(void **state)
{
    (void)state;
    ps_engine *engine = fixture_engine(2);
    ps_var *x = fixture_var(engine);
    culprit own_write = {.engine = engine, .var = x, .wait = ps_wait_read};
    CHECK_OK(fixture_push(engine, wait_forever, &own_write, NULL, x));
    CHECK_OK(ps_wait_all(engine, NULL));
    CHECK_STATUS(own_write.status, PS_ERR_DEADLOCK);
    culprit own_read = {.engine = engine, .var = x, .wait = ps_wait_write};
    CHECK_OK(fixture_push(engine, wait_forever, &own_read, x, NULL));
    CHECK_OK(ps_wait_all(engine, NULL));
    CHECK_STATUS(own_read.status, PS_ERR_DEADLOCK);
    culprit allowed = {.engine = engine, .var = x, .wait = ps_wait_read};
    CHECK_OK(fixture_push(engine, wait_forever, &allowed, x, NULL));
    CHECK_OK(ps_wait_all(engine, NULL));
    CHECK_STATUS(allowed.status, PS_OK); /* nobody writes it */
    ps_var_release(x);
    CHECK_OK(ps_engine_destroy(engine));
}

static void work_that_the_task_pushed(void **state)
{
    (void)state;
    for (unsigned workers = 1; workers <= 2; workers++) {
        ps_engine *engine = fixture_engine(workers);
        ps_var *x = fixture_var(engine);
        culprit reads = {.engine = engine, .var = x, .wait = ps_wait_read, .push = true};
        culprit writes = {.engine = engine, .var = x, .wait = ps_wait_write, .push = true};
        CHECK_OK(fixture_push(engine, wait_forever, &reads, x, NULL)); /* its child waits for it */
        CHECK_OK(ps_wait_all(engine, NULL));
        CHECK_STATUS(reads.status, PS_ERR_DEADLOCK);
        CHECK_OK(fixture_push(engine, wait_forever, &writes, NULL, x));
        CHECK_OK(ps_wait_all(engine, NULL));
        CHECK_STATUS(writes.status, PS_ERR_DEADLOCK);
        ps_var_release(x);
        CHECK_OK(ps_engine_destroy(engine));
    }
}

/* Alone, and behind older work that the task might wait for: the wait would be for both. */
static void younger_work(void **state)
{
    (void)state;
    for (int older = 0; older < 2; older++) {
        ps_engine *engine = fixture_engine(2);
        ps_var *x = fixture_var(engine);
        gate hold = {0}, g = {0};
        culprit c = {.engine = engine, .var = x, .wait = ps_wait_read, .gate = &g};
        if (older) {
            CHECK_OK(fixture_push(engine, gate_task, &hold, NULL, x));
            gate_wait_inside(&hold, 1);
        }
        CHECK_OK(fixture_push(engine, wait_forever, &c, NULL, NULL));
        gate_wait_inside(&g, 1);
        CHECK_OK(fixture_push(engine, gate_task, &hold, NULL, x));
        gate_open(&g);
        tally_wait(&c.returned, 1);
        gate_open(&hold);
        CHECK_OK(ps_wait_all(engine, NULL));
        CHECK_STATUS(c.status, PS_ERR_DEADLOCK);
        ps_var_release(x);
        CHECK_OK(ps_engine_destroy(engine));
    }
}

static void everything_inside_a_task(void **state)
{
    (void)state;
    ps_engine *engine = fixture_engine(2);
    culprit c = {.engine = engine};
    CHECK_OK(fixture_push(engine, wait_forever, &c, NULL, NULL));
    CHECK_OK(ps_wait_all(engine, NULL));
    CHECK_STATUS(c.status, PS_ERR_DEADLOCK);
    CHECK_OK(ps_engine_destroy(engine));
}

/* Two tasks, each in a worker, each waiting for the other. */
static void each_other(void **state)
{
    (void)state;
    for (int round = 0; round < FIXTURE_SCALED(200); round++) {
        ps_engine *engine = fixture_engine(2);
        ps_var *x = fixture_var(engine), *y = fixture_var(engine);
        gate g = {0};
        culprit first = {.engine = engine, .var = y, .wait = ps_wait_read, .gate = &g};
        culprit second = {.engine = engine, .var = x, .wait = ps_wait_read, .gate = &g};
        CHECK_OK(fixture_push(engine, wait_forever, &first, NULL, x));
        CHECK_OK(fixture_push(engine, wait_forever, &second, NULL, y));
        gate_wait_inside(&g, 2);
        gate_open(&g);
        CHECK_OK(ps_wait_all(engine, NULL));
        CHECK_STATUS(first.status, PS_ERR_DEADLOCK);
        CHECK_STATUS(second.status, PS_OK);
        ps_var_release(x);
        ps_var_release(y);
        CHECK_OK(ps_engine_destroy(engine));
    }
}

/* The upper task runs on the stack of the lower, which waits for it, and waits for the lower. */
static void buried_work(void **state)
{
    (void)state;
    ps_engine *engine = fixture_engine(1);
    ps_var *x = fixture_var(engine), *y = fixture_var(engine);
    gate g = {0};
    culprit upper = {.engine = engine, .var = y, .wait = ps_wait_read};
    culprit lower = {.engine = engine, .var = x, .wait = ps_wait_read};
    CHECK_OK(fixture_push(engine, gate_task, &g, NULL, NULL));
    gate_wait_inside(&g, 1);
    CHECK_OK(fixture_push(engine, wait_forever, &upper, NULL, x));
    CHECK_OK(PUSH(engine, .run = wait_forever, .arg = &lower, WRITES(y), .priority = 1));
    gate_open(&g);
    CHECK_OK(ps_wait_all(engine, NULL));
    CHECK_STATUS(upper.status, PS_ERR_DEADLOCK);
    CHECK_STATUS(lower.status, PS_OK);
    ps_var_release(x);
    ps_var_release(y);
    CHECK_OK(ps_engine_destroy(engine));
}

/* Only a worker may run the older task, and the only worker is inside the one that waits. */
static void older_work_that_cannot_be_helped(void **state)
{
    (void)state;
    ps_engine *engine = fixture_engine(1);
    ps_var *x = fixture_var(engine);
    gate g = {0};
    tally ran = {0};
    culprit c = {.engine = engine, .var = x, .wait = ps_wait_read};
    CHECK_OK(fixture_push(engine, gate_task, &g, NULL, NULL));
    gate_wait_inside(&g, 1);
    CHECK_OK(PUSH(engine, .run = tally_task, .arg = &ran, WRITES(x), .kind = PS_FRONTEND));
    CHECK_OK(PUSH(engine, .run = wait_forever, .arg = &c, .priority = 1));
    gate_open(&g);
    CHECK_OK(ps_wait_all(engine, NULL));
    assert_true(c.status == PS_OK || c.status == PS_ERR_DEADLOCK);
    assert_int_equal(tally_read(&ran), 1);
    ps_var_release(x);
    CHECK_OK(ps_engine_destroy(engine));
}

typedef struct caller {
    ps_engine *engine;
    ps_var *pending, *ready;
    ps_status all, read, write;
    tally called;
} caller;

static void wait_in_callback(void *arg, ps_status status)
{
    caller *c = arg;
    (void)status;
    c->all = ps_wait_all(c->engine, NULL);
    c->read = ps_wait_read(c->pending, NULL);
    c->write = ps_wait_write(c->pending, NULL);
    tally_add(&c->called);
}

static void a_wait_in_a_callback(void **state)
{
    (void)state;
    caller c = {.engine = fixture_engine(2)};
    gate g = {0};
    c.pending = fixture_var(c.engine);
    c.ready = fixture_var(c.engine);
    CHECK_OK(fixture_push(c.engine, gate_task, &g, NULL, c.pending));
    gate_wait_inside(&g, 1);
    CHECK_OK(ps_var_on_ready(c.ready, wait_in_callback, &c));
    tally_wait(&c.called, 1);
    gate_open(&g);
    CHECK_STATUS(c.all, PS_ERR_DEADLOCK);
    CHECK_STATUS(c.read, PS_ERR_DEADLOCK);
    CHECK_STATUS(c.write, PS_ERR_DEADLOCK);
    CHECK_OK(ps_wait_all(c.engine, NULL));
    ps_var_release(c.pending);
    ps_var_release(c.ready);
    CHECK_OK(ps_engine_destroy(c.engine));
}

/* ---- any tasks wait for anything ----------------------------------------------------------- */

enum { VARIABLES = 16, WAITERS = 400 };

typedef struct throng {
    ps_engine *engine;
    ps_var *vars[VARIABLES];
    tally fine, refused, odd;
} throng;

typedef struct random_waiter {
    throng *throng;
    uint32_t random;
} random_waiter;

static ps_status wait_for_anything(ps_task *self, void *arg)
{
    random_waiter *w = arg;
    (void)self;
    for (int i = 0; i < 3; i++) {
        w->random = w->random * 1664525u + 1013904223u;
        ps_var *x = w->throng->vars[(w->random >> 10) % VARIABLES];
        ps_status status = w->random >> 31 ? ps_wait_read(x, NULL) : ps_wait_write(x, NULL);
        tally_add(status == PS_OK             ? &w->throng->fine
                  : status == PS_ERR_DEADLOCK ? &w->throng->refused
                                              : &w->throng->odd);
    }
    return PS_OK;
}

static void throng_with(unsigned workers)
{
    static random_waiter waiters[WAITERS];
    throng t = {.engine = fixture_engine(workers)};
    for (int i = 0; i < VARIABLES; i++)
        t.vars[i] = fixture_var(t.engine);
    uint32_t random = workers;
    for (int i = 0; i < WAITERS; i++) {
        random = random * 1664525u + 1013904223u;
        waiters[i] = (random_waiter){&t, random};
        CHECK_OK(PUSH(t.engine, .run = wait_for_anything, .arg = &waiters[i],
                      READS(t.vars[(random >> 8) % VARIABLES]),
                      WRITES(t.vars[(random >> 16) % VARIABLES]),
                      .priority = (int32_t)(random >> 24) % 3));
    }
    CHECK_OK(ps_wait_all(t.engine, NULL));
    assert_int_equal(tally_read(&t.odd), 0);
    assert_int_equal(tally_read(&t.fine) + tally_read(&t.refused), 3 * WAITERS);
    for (int i = 0; i < VARIABLES; i++)
        ps_var_release(t.vars[i]);
    CHECK_OK(ps_engine_destroy(t.engine));
}

static void any_waits_come_to_an_end(void **state)
{
    (void)state;
    static const unsigned workers[] = {1, 2, 3, 8};
    for (int round = 0; round < FIXTURE_SCALED(40); round++)
        throng_with(workers[round % 4]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(own_work),
        cmocka_unit_test(work_that_the_task_pushed),
        cmocka_unit_test(younger_work),
        cmocka_unit_test(everything_inside_a_task),
        cmocka_unit_test(each_other),
        cmocka_unit_test(buried_work),
        cmocka_unit_test(older_work_that_cannot_be_helped),
        cmocka_unit_test(a_wait_in_a_callback),
        cmocka_unit_test(any_waits_come_to_an_end),
    };
    return FIXTURE_RUN(tests);
}
