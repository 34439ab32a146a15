/* How many workers there are: by default, by the environment, by option, and changed under load.
 *
 * A crowd of gates counts them: as many gates are inside at once as there are workers. */
#include "fixture.h"

#include "base/topology.h"

static unsigned worker_count(ps_engine *engine)
{
    unsigned workers = 0;
    CHECK_OK(ps_engine_workers(engine, &workers));
    return workers;
}

static unsigned count_of_new(unsigned wanted)
{
    ps_engine *engine = fixture_engine(wanted);
    unsigned workers = worker_count(engine);
    CHECK_OK(ps_engine_destroy(engine));
    return workers;
}

static void the_default_is_what_the_process_may_use(void **state)
{
    (void)state;
    unsetenv("PENSTOCK_WORKERS");
    assert_int_equal(count_of_new(0), ps__topology_processors());
    setenv("PENSTOCK_WORKERS", "", 1);
    assert_int_equal(count_of_new(0), ps__topology_processors());
    setenv("PENSTOCK_WORKERS", "3", 1);
    assert_int_equal(count_of_new(0), 3);
    assert_int_equal(count_of_new(5), 5); /* an option beats the environment */
    unsetenv("PENSTOCK_WORKERS");
}

static void numbers_beyond_reason_are_refused(void **state)
{
    (void)state;
    ps_engine *engine = NULL;
    static const unsigned absurd[] = {PS_WORKERS_MAX + 1, 0x7fffffff, 0x80000000, 0xffffffff};
    for (size_t i = 0; i < sizeof absurd / sizeof absurd[0]; i++) {
        ps_engine_options options = {.size = sizeof options, .workers = absurd[i]};
        CHECK_STATUS(ps_engine_create(&options, &engine), PS_ERR_ARGUMENT);
    }
    engine = fixture_engine(2);
    for (size_t i = 0; i < sizeof absurd / sizeof absurd[0]; i++)
        CHECK_STATUS(ps_engine_set_workers(engine, absurd[i]), PS_ERR_ARGUMENT);
    assert_int_equal(worker_count(engine), 2);
    CHECK_OK(ps_engine_set_workers(engine, 0));
    assert_int_equal(worker_count(engine), ps__topology_processors());
    CHECK_OK(ps_engine_destroy(engine));
}

typedef struct meter {
    _Atomic int inside;
    _Atomic int most; /* ever inside at once */
    tally ran;
} meter;

static ps_status measure(ps_task *self, void *arg)
{
    meter *m = arg;
    (void)self;
    int inside = ps__add_acq_rel(&m->inside, 1) + 1; /* only counts: orders nothing */
    int most = ps__load(&m->most);
    while (inside > most && !ps__cas(&m->most, &most, inside))
        continue;
    fixture_spin(20000);
    ps__sub_acq_rel(&m->inside, 1);
    tally_add(&m->ran);
    return PS_OK;
}

static void all_of_them_work(void **state)
{
    (void)state;
    static const unsigned counts[] = {1, 2, 3, 4, 5, 6, 7, 8, 16, 64};
    for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++) {
        unsigned workers = counts[c];
        ps_engine *engine = fixture_engine(workers);
        gate g = {0};
        for (unsigned i = 0; i < workers; i++)
            CHECK_OK(fixture_push(engine, gate_task, &g, NULL, NULL));
        gate_wait_inside(&g, workers); /* nobody helps: these are all workers */
        gate_open(&g);
        CHECK_OK(ps_engine_destroy(engine));
    }
}

/* With nobody helping, never more tasks at once than workers. */
static void never_more_than_asked_for(void **state)
{
    (void)state;
    ps_engine *engine = fixture_engine(3);
    enum { TASKS = FIXTURE_SCALED(2000) };
    for (unsigned workers = 3; workers >= 1; workers--) {
        gate g = {0};
        meter m = {0};
        CHECK_OK(ps_engine_set_workers(engine, workers));
        assert_int_equal(worker_count(engine), workers);
        for (unsigned i = 0; i < workers; i++)
            CHECK_OK(fixture_push(engine, gate_task, &g, NULL, NULL));
        gate_wait_inside(&g, workers);
        for (int i = 0; i < TASKS; i++)
            CHECK_OK(PUSH(engine, .run = measure, .arg = &m, .cost_ns = 20000));
        gate_open(&g);
        tally_wait(&m.ran, TASKS);
        assert_true(ps__load(&m.most) <= (int)workers);
        CHECK_OK(ps_wait_all(engine, NULL)); /* the gates are used again */
    }
    CHECK_OK(ps_engine_destroy(engine));
}

/* More are there at once, although all that were there are busy. */
static void more_while_all_are_busy(void **state)
{
    (void)state;
    ps_engine *engine = fixture_engine(1);
    gate g = {0};
    for (uint32_t workers = 1; workers <= 6; workers++) {
        CHECK_OK(ps_engine_set_workers(engine, workers));
        CHECK_OK(fixture_push(engine, gate_task, &g, NULL, NULL));
        gate_wait_inside(&g, workers);
    }
    gate_open(&g);
    CHECK_OK(ps_wait_all(engine, NULL));
    CHECK_OK(ps_engine_destroy(engine));
}

/* Tasks that were pushed before the threads went still run. */
static void fewer_while_all_are_busy(void **state)
{
    (void)state;
    ps_engine *engine = fixture_engine(6);
    gate g = {0};
    meter m = {0};
    for (int i = 0; i < 6; i++)
        CHECK_OK(fixture_push(engine, gate_task, &g, NULL, NULL));
    gate_wait_inside(&g, 6);
    for (int i = 0; i < 500; i++)
        CHECK_OK(fixture_push(engine, measure, &m, NULL, NULL));
    CHECK_OK(ps_engine_set_workers(engine, 1));
    assert_int_equal(worker_count(engine), 1);
    gate_open(&g);
    tally_wait(&m.ran, 500);
    assert_int_equal(ps__load(&m.most), 1);
    CHECK_OK(ps_engine_destroy(engine));
}

/* Those that are about to leave, because fewer were asked for, count among the new number or are
 * replaced. */
static void fewer_and_at_once_more(void **state)
{
    (void)state;
    enum { MANY = 16, ROUNDS = FIXTURE_SCALED(400) };
    ps_engine *engine = fixture_engine(MANY);
    for (unsigned i = 0; i < ROUNDS; i++) {
        gate g = {0};
        CHECK_OK(ps_engine_set_workers(engine, 1 + i % 4));
        if (i % 3 == 0)
            fixture_spin(i * 100 % 50000);
        CHECK_OK(ps_engine_set_workers(engine, MANY));
        for (unsigned k = 0; k < MANY; k++)
            CHECK_OK(fixture_push(engine, gate_task, &g, NULL, NULL));
        gate_wait_inside(&g, MANY);
        gate_open(&g);
        CHECK_OK(ps_wait_all(engine, NULL));
    }
    CHECK_OK(ps_engine_destroy(engine));
}

typedef struct changer {
    ps_engine *engine;
    tally stop, failed;
} changer;

static void *change_all_the_time(void *arg)
{
    changer *c = arg;
    for (unsigned i = 1; tally_read(&c->stop) == 0; i++)
        if (ps_engine_set_workers(c->engine, i * 7 % 8 + 1) != PS_OK)
            tally_add(&c->failed);
    return NULL;
}

static void changed_under_load(void **state)
{
    (void)state;
    changer c = {.engine = fixture_engine(2)};
    ps_var *vars[8];
    tally ran = {0};
    pthread_t thread;
    for (int i = 0; i < 8; i++)
        vars[i] = fixture_var(c.engine);
    assert_int_equal(pthread_create(&thread, NULL, change_all_the_time, &c), 0);
    enum { TASKS = FIXTURE_SCALED(40000) };
    for (int i = 0; i < TASKS; i++) {
        CHECK_OK(fixture_push(c.engine, tally_task, &ran, vars[i % 8], vars[i * 5 % 7]));
        if (i % 1000 == 999)
            CHECK_OK(ps_wait_all(c.engine, NULL));
    }
    CHECK_OK(ps_wait_all(c.engine, NULL));
    tally_add(&c.stop);
    pthread_join(thread, NULL);
    assert_int_equal(tally_read(&ran), TASKS);
    assert_int_equal(tally_read(&c.failed), 0);
    for (int i = 0; i < 8; i++)
        ps_var_release(vars[i]);
    CHECK_OK(ps_engine_destroy(c.engine));
}

/* A task may ask for fewer than there are, its own thread among them. */
static ps_status leave_one(ps_task *self, void *arg)
{
    (void)self;
    return ps_engine_set_workers(arg, 1);
}

static void changed_inside_a_task(void **state)
{
    (void)state;
    ps_engine *engine = fixture_engine(4);
    tally ran = {0};
    CHECK_OK(fixture_push(engine, leave_one, engine, NULL, NULL));
    CHECK_OK(ps_wait_all(engine, NULL));
    assert_int_equal(worker_count(engine), 1);
    for (int i = 0; i < 100; i++)
        CHECK_OK(fixture_push(engine, tally_task, &ran, NULL, NULL));
    tally_wait(&ran, 100);
    CHECK_OK(ps_engine_destroy(engine));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_default_is_what_the_process_may_use),
        cmocka_unit_test(numbers_beyond_reason_are_refused),
        cmocka_unit_test(all_of_them_work),
        cmocka_unit_test(never_more_than_asked_for),
        cmocka_unit_test(more_while_all_are_busy),
        cmocka_unit_test(fewer_while_all_are_busy),
        cmocka_unit_test(fewer_and_at_once_more),
        cmocka_unit_test(changed_under_load),
        cmocka_unit_test(changed_inside_a_task),
    };
    return FIXTURE_RUN(tests);
}
