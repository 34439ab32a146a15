/* A frontend's lock (such as an interpreter's): given up before a thread blocks or runs queued
 * work, taken again after, so that the bound reached under the lock cannot deadlock with tasks and
 * callbacks that need it; pressure is called before a pusher blocks, with the lock held. */
#include "fixture.h"

typedef struct frontend {
    pthread_mutex_t mutex;
    bool locked; /* by the thread with the hooks; its own */
    int unlocks, relocks, pressures;
    int errors; /* hooks called in a state they must not be called in */
} frontend;

static void unlock_hook(void *state)
{
    frontend *f = state;
    f->errors += !f->locked;
    f->unlocks++;
    f->locked = false;
    pthread_mutex_unlock(&f->mutex);
}

static void relock_hook(void *state)
{
    frontend *f = state;
    f->errors += f->locked;
    pthread_mutex_lock(&f->mutex);
    f->relocks++;
    f->locked = true;
}

static void pressure_hook(void *state)
{
    frontend *f = state;
    f->errors += !f->locked;
    f->pressures++;
}

static bool interrupted_hook(void *state)
{
    frontend *f = state;
    f->errors += !f->locked;
    return false;
}

/* The calling thread takes the lock and gives the engine its hooks. */
static void frontend_enter(frontend *f, ps_hooks *hooks)
{
    *f = (frontend){0};
    pthread_mutex_init(&f->mutex, NULL);
    pthread_mutex_lock(&f->mutex);
    f->locked = true;
    *hooks = (ps_hooks){.size = sizeof *hooks,
                        .state = f,
                        .unlock = unlock_hook,
                        .relock = relock_hook,
                        .pressure = pressure_hook};
    CHECK_OK(ps_thread_set_hooks(hooks));
}

static void frontend_leave(frontend *f)
{
    assert_true(f->locked);
    assert_int_equal(f->errors, 0);
    assert_int_equal(f->unlocks, f->relocks);
    CHECK_OK(ps_thread_set_hooks(NULL));
    pthread_mutex_unlock(&f->mutex);
    pthread_mutex_destroy(&f->mutex);
}

typedef struct call {
    frontend *frontend;
    tally ran;
} call;

static ps_status call_frontend(ps_task *self, void *arg)
{
    call *c = arg;
    (void)self;
    pthread_mutex_lock(&c->frontend->mutex);
    pthread_mutex_unlock(&c->frontend->mutex);
    tally_add(&c->ran);
    return PS_OK;
}

static void call_back(void *arg, ps_status status)
{
    (void)status;
    call_frontend(NULL, arg);
}

static void set_ops(ps_engine *engine, uint64_t ops)
{
    ps_bound bound = {.size = sizeof bound};
    CHECK_OK(ps_engine_bound(engine, &bound));
    bound.ops = ops;
    CHECK_OK(ps_engine_set_bound(engine, &bound));
}

static void the_bound_under_the_lock(void **state)
{
    (void)state;
    enum { ROUNDS = FIXTURE_SCALED(4000) };
    for (unsigned workers = 1; workers <= 2; workers++) {
        ps_engine *engine = fixture_engine(workers);
        ps_var *x = fixture_var(engine);
        frontend f;
        ps_hooks hooks;
        call tasks = {.frontend = &f}, callbacks = {.frontend = &f};
        set_ops(engine, 16);
        frontend_enter(&f, &hooks);
        for (int i = 0; i < ROUNDS; i++) {
            CHECK_OK(PUSH(engine, .run = call_frontend, .arg = &tasks, READS(x), WRITES(x),
                          .kind = PS_FRONTEND));
            if (i % 8 == 0)
                CHECK_OK(ps_var_on_ready(x, call_back, &callbacks));
            CHECK_OK(PUSH(engine, .run = fixture_nothing, READS(x), .cost_ns = 1000));
            assert_true(f.locked);
        }
        CHECK_OK(ps_wait_all(engine, NULL));
        assert_true(f.unlocks > 0);
        assert_true(f.pressures > 0);
        assert_true(fixture_stats(engine).held_back > 0);
        assert_int_equal(tally_read(&tasks.ran), ROUNDS);
        frontend_leave(&f); /* a callback may still wait for the lock */
        tally_wait(&callbacks.ran, (ROUNDS + 7) / 8);
        ps_var_release(x);
        CHECK_OK(ps_engine_destroy(engine));
    }
}

/* Every kind of wait gives the lock up, also the one that times out. */
static void waits_under_the_lock(void **state)
{
    (void)state;
    ps_engine *engine = fixture_engine(1);
    ps_var *x = fixture_var(engine);
    frontend f;
    ps_hooks hooks;
    call c = {.frontend = &f};
    frontend_enter(&f, &hooks);
    for (uint32_t i = 1; i <= FIXTURE_SCALED(400); i++) {
        CHECK_OK(PUSH(engine, .run = call_frontend, .arg = &c, WRITES(x), .kind = PS_FRONTEND));
        if (i % 4 == 0)
            CHECK_OK(ps_wait_read(x, NULL));
        else if (i % 4 == 1)
            CHECK_OK(ps_wait_write(x, NULL));
        else if (i % 4 == 2)
            CHECK_OK(ps_wait_all(engine, NULL));
        else
            CHECK_OK(ps_wait_read(x, IN_TIME));
        assert_true(f.locked);
        assert_int_equal(tally_read(&c.ran), i);
    }
    gate g = {0};
    CHECK_OK(fixture_push(engine, gate_task, &g, NULL, x));
    gate_wait_inside(&g, 1);
    CHECK_STATUS(ps_wait_read(x, WITHIN_MS(2)), PS_ERR_TIMEOUT);
    assert_true(f.locked);
    gate_open(&g);
    hooks.interrupted = interrupted_hook;
    CHECK_OK(ps_wait_all(engine, NULL));
    frontend_leave(&f);
    ps_var_release(x);
    CHECK_OK(ps_engine_destroy(engine));
}

/* Nothing to wait for, nothing to give up. */
static void a_wait_that_does_not_block_keeps_the_lock(void **state)
{
    (void)state;
    ps_engine *engine = fixture_engine(1);
    ps_var *x = fixture_var(engine);
    frontend f;
    ps_hooks hooks;
    CHECK_OK(fixture_push(engine, fixture_nothing, NULL, NULL, x));
    CHECK_OK(ps_wait_all(engine, NULL));
    frontend_enter(&f, &hooks);
    CHECK_OK(ps_wait_read(x, NULL));
    CHECK_OK(ps_wait_write(x, NULL));
    CHECK_OK(ps_wait_all(engine, NULL));
    assert_int_equal(f.unlocks, 0);
    assert_int_equal(f.pressures, 0);
    frontend_leave(&f);
    ps_var_release(x);
    CHECK_OK(ps_engine_destroy(engine));
}

/* In synchronous mode a push waits for its own task. */
static void synchronous_pushes_under_the_lock(void **state)
{
    (void)state;
    ps_engine *engine = fixture_engine_in(1, PS_MODE_SYNC);
    frontend f;
    ps_hooks hooks;
    call c = {.frontend = &f};
    frontend_enter(&f, &hooks);
    for (uint32_t i = 1; i <= 20; i++) {
        CHECK_OK(PUSH(engine, .run = call_frontend, .arg = &c, .kind = PS_FRONTEND));
        assert_int_equal(tally_read(&c.ran), i);
    }
    frontend_leave(&f);
    CHECK_OK(ps_engine_destroy(engine));
}

/* The engine's last tasks need the lock that the destroying thread holds. */
static void destruction_under_the_lock(void **state)
{
    (void)state;
    ps_engine *engine = fixture_engine(1);
    frontend f;
    ps_hooks hooks;
    call c = {.frontend = &f};
    frontend_enter(&f, &hooks);
    for (int i = 0; i < 20; i++)
        CHECK_OK(PUSH(engine, .run = call_frontend, .arg = &c, .kind = PS_FRONTEND));
    CHECK_OK(ps_engine_destroy(engine));
    assert_int_equal(tally_read(&c.ran), 20);
    frontend_leave(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_bound_under_the_lock),
        cmocka_unit_test(waits_under_the_lock),
        cmocka_unit_test(a_wait_that_does_not_block_keeps_the_lock),
        cmocka_unit_test(synchronous_pushes_under_the_lock),
        cmocka_unit_test(destruction_under_the_lock),
    };
    return FIXTURE_RUN(tests);
}
