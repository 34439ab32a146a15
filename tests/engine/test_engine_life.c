/* Engines come, stand side by side, and go: destruction runs what is queued, refuses what it could
 * not end, and leaves handles that say that they are closed. */
#include "fixture.h"

#include "device/late/late.h"

static void several_at_once(void **state)
{
    (void)state;
    enum { ENGINES = 4, TASKS = FIXTURE_SCALED(4000) };
    ps_engine *engines[ENGINES];
    ps_var *vars[ENGINES];
    tally ran[ENGINES];
    memset(ran, 0, sizeof ran);
    for (unsigned i = 0; i < ENGINES; i++) {
        engines[i] = fixture_engine(i + 1);
        vars[i] = fixture_var(engines[i]);
    }
    for (int task = 0; task < TASKS; task++)
        for (int i = 0; i < ENGINES; i++)
            CHECK_OK(
                fixture_push(engines[i], tally_task, &ran[i], vars[i], task % 3 ? NULL : vars[i]));
    for (int i = 0; i < ENGINES; i++) {
        CHECK_OK(ps_wait_write(vars[i], NULL));
        assert_int_equal(tally_read(&ran[i]), TASKS);
    }
    CHECK_OK(fixture_push(engines[0], fixture_failing, NULL, NULL, NULL));
    CHECK_OK(ps_wait_all(engines[1], NULL)); /* not its failure */
    CHECK_STATUS(ps_wait_all(engines[0], NULL), PS_ERR_TASK);
    for (int i = 0; i < ENGINES; i++) {
        ps_var_release(vars[i]);
        CHECK_OK(ps_engine_destroy(engines[i]));
    }
}

static void variables_belong_to_one_engine(void **state)
{
    (void)state;
    ps_engine *one = fixture_engine(1), *other = fixture_engine(1);
    ps_var *x = fixture_var(one);
    tally ran = {0}, dropped = {0};
    CHECK_STATUS(PUSH(other, .run = tally_task, .arg = &ran, .drop = tally_drop, WRITES(x)),
                 PS_ERR_ARGUMENT);
    CHECK_STATUS(fixture_push(other, tally_task, &ran, x, NULL), PS_ERR_ARGUMENT);
    CHECK_OK(ps_wait_all(other, NULL));
    assert_int_equal(tally_read(&ran), 0);
    assert_int_equal(tally_read(&dropped), 0);
    CHECK_OK(fixture_push(one, tally_task, &ran, NULL, x));
    CHECK_OK(ps_wait_read(x, NULL));
    ps_var_release(x);
    CHECK_OK(ps_engine_destroy(one));
    CHECK_OK(ps_engine_destroy(other));
}

typedef struct bridge {
    ps_engine *to;
    tally ran;
} bridge;

static ps_status push_across(ps_task *self, void *arg)
{
    bridge *b = arg;
    (void)self;
    return fixture_push(b->to, tally_task, &b->ran, NULL, NULL);
}

static void tasks_push_to_other_engines(void **state)
{
    (void)state;
    ps_engine *one = fixture_engine(1);
    bridge b = {.to = fixture_engine(1)};
    for (int i = 0; i < 500; i++)
        CHECK_OK(fixture_push(one, push_across, &b, NULL, NULL));
    CHECK_OK(ps_wait_all(one, NULL));
    CHECK_OK(ps_wait_all(b.to, NULL));
    assert_int_equal(tally_read(&b.ran), 500);
    CHECK_OK(ps_engine_destroy(one));
    CHECK_OK(ps_engine_destroy(b.to));
}

static void destruction_runs_what_is_queued(void **state)
{
    (void)state;
    for (unsigned workers = 1; workers <= 3; workers++) {
        ps_engine *engine = fixture_engine(workers);
        ps_var *x = fixture_var(engine);
        tally ran = {0}, dropped = {0};
        for (int i = 0; i < 1000; i++)
            CHECK_OK(PUSH(engine, .run = tally_task, .arg = &ran, WRITES(x)));
        CHECK_OK(
            PUSH(engine, .run = fixture_nothing, .arg = &dropped, .drop = tally_drop, READS(x)));
        ps_var_release(x);
        CHECK_OK(ps_engine_destroy(engine));
        assert_int_equal(tally_read(&ran), 1000);
        assert_int_equal(tally_read(&dropped), 1);
    }
}

static void destruction_of_an_unused_engine(void **state)
{
    (void)state;
    for (int i = 0; i < 20; i++)
        CHECK_OK(ps_engine_destroy(fixture_engine((unsigned)i % 8 + 1)));
    CHECK_OK(ps_engine_destroy(NULL));
}

typedef struct deferred {
    ps_token token;
    tally returned;
} deferred;

static ps_status defer_task(ps_task *self, void *arg)
{
    deferred *d = arg;
    ps_status status = ps_task_defer(self, &d->token);
    tally_add(&d->returned);
    return status;
}

static void destruction_refused_for_a_missing_completion(void **state)
{
    (void)state;
    ps_engine *engine = fixture_engine(2);
    ps_var *x = fixture_var(engine), *y = fixture_var(engine);
    deferred d = {0};
    tally behind = {0}, beside = {0};
    CHECK_OK(fixture_push(engine, defer_task, &d, NULL, x));
    CHECK_OK(fixture_push(engine, tally_task, &behind, x, NULL));
    tally_wait(&d.returned, 1);
    for (uint32_t i = 1; i <= 3; i++) {
        CHECK_STATUS(ps_engine_destroy(engine), PS_ERR_DEADLOCK);
        CHECK_OK(fixture_push(engine, tally_task, &beside, NULL, y)); /* still usable */
        CHECK_OK(ps_wait_read(y, NULL));
        assert_int_equal(tally_read(&beside), i);
    }
    assert_int_equal(tally_read(&behind), 0);
    CHECK_OK(ps_complete(d.token, PS_OK, NULL));
    ps_var_release(x);
    ps_var_release(y);
    CHECK_OK(ps_engine_destroy(engine));
    assert_int_equal(tally_read(&behind), 1);
}

static ps_status destroy_engine(ps_task *self, void *arg)
{
    (void)self;
    return ps_engine_destroy(arg);
}

static void destruction_refused_inside_a_task(void **state)
{
    (void)state;
    ps_engine *engine = fixture_engine(1), *other = fixture_engine(1);
    ps_var *x = fixture_var(engine);
    CHECK_OK(fixture_push(engine, destroy_engine, engine, NULL, x));
    CHECK_STATUS(ps_wait_read(x, NULL), PS_ERR_STATE);
    CHECK_OK(fixture_push(engine, destroy_engine, other, NULL, x)); /* and of another engine */
    CHECK_STATUS(ps_wait_read(x, NULL), PS_ERR_STATE);
    ps_var_release(x);
    CHECK_OK(ps_engine_destroy(engine));
    CHECK_OK(ps_engine_destroy(other));
}

static void the_default_engine(void **state)
{
    (void)state;
    ps_engine *engine = NULL, *again = NULL;
    tally ran = {0};
    CHECK_OK(ps_engine_default(&engine));
    CHECK_OK(ps_engine_default(&again));
    assert_ptr_equal(engine, again);
    CHECK_STATUS(ps_engine_destroy(engine), PS_ERR_STATE);
    CHECK_OK(fixture_push(engine, tally_task, &ran, NULL, NULL));
    CHECK_OK(ps_wait_all(engine, NULL));
    assert_int_equal(tally_read(&ran), 1);
}

static void never_called(void *arg, ps_status status)
{
    (void)status;
    tally_add(arg);
}

static ps_status never_looped(size_t begin, size_t end, void *arg)
{
    (void)begin;
    (void)end;
    tally_add(arg);
    return PS_OK;
}

static void closed_handles_say_so(void **state)
{
    (void)state;
    ps_engine *engine = fixture_engine(2);
    ps_var *x = fixture_var(engine), *y = NULL;
    ps_bound bound = {.size = sizeof bound};
    ps_engine_stats stats = {.size = sizeof stats};
    ps_completions *completions = NULL;
    deferred d = {0};
    uint64_t version;
    unsigned workers;
    size_t events;
    tally called = {0};
    CHECK_OK(ps_engine_bound(engine, &bound));
    CHECK_OK(fixture_push(engine, defer_task, &d, NULL, x));
    tally_wait(&d.returned, 1);
    CHECK_OK(ps_complete(d.token, PS_OK, NULL));
    CHECK_OK(ps_engine_destroy(engine));
    CHECK_STATUS(ps_engine_destroy(engine), PS_ERR_CLOSED);
    CHECK_STATUS(PUSH(engine, .run = tally_task, .arg = &called, .drop = tally_drop),
                 PS_ERR_CLOSED);
    CHECK_STATUS(fixture_push(engine, tally_task, &called, NULL, x), PS_ERR_CLOSED);
    CHECK_STATUS(ps_var_create(engine, &y), PS_ERR_CLOSED);
    CHECK_STATUS(ps_wait_read(x, NULL), PS_ERR_CLOSED);
    CHECK_STATUS(ps_wait_write(x, NULL), PS_ERR_CLOSED);
    CHECK_STATUS(ps_wait_all(engine, NULL), PS_ERR_CLOSED);
    CHECK_STATUS(ps_var_on_ready(x, never_called, &called), PS_ERR_CLOSED);
    CHECK_STATUS(ps_var_version(x, &version), PS_ERR_CLOSED);
    CHECK_STATUS(ps_engine_workers(engine, &workers), PS_ERR_CLOSED);
    CHECK_STATUS(ps_engine_set_workers(engine, 2), PS_ERR_CLOSED);
    CHECK_STATUS(ps_engine_get_stats(engine, &stats), PS_ERR_CLOSED);
    CHECK_STATUS(ps_engine_bound(engine, &bound), PS_ERR_CLOSED);
    CHECK_STATUS(ps_engine_set_bound(engine, &bound), PS_ERR_CLOSED);
    CHECK_STATUS(ps_engine_hold_bytes(engine, 1), PS_ERR_CLOSED);
    CHECK_STATUS(ps_completions_create(engine, &completions), PS_ERR_CLOSED);
    CHECK_STATUS(ps_parallel_for(engine, 1, 1, never_looped, &called), PS_ERR_CLOSED);
    CHECK_STATUS(ps_trace_start(engine, 16), PS_ERR_CLOSED);
    CHECK_STATUS(ps_trace_read(engine, NULL, 0, &events, &version), PS_ERR_CLOSED);
    ps_status late = ps_complete(d.token, PS_OK, NULL);
    assert_true(late == PS_ERR_CLOSED || late == PS_ERR_STATE);
    assert_int_equal(ps_releases_run(engine), 0);
    assert_int_equal(tally_read(&called), 0);
    ps_var_release(x);
}

/* Variables outlive their engine, marked ones too, and are released in any order. */
static void variables_released_after_the_engine(void **state)
{
    (void)state;
    enum { VARIABLES = 100 };
    ps_engine *engine = fixture_engine(2);
    ps_var *vars[VARIABLES];
    for (int i = 0; i < VARIABLES; i++) {
        vars[i] = fixture_var(engine);
        CHECK_OK(fixture_push(engine, i % 5 ? fixture_nothing : fixture_failing, NULL,
                              i > 0 ? vars[i - 1] : NULL, vars[i]));
        CHECK_OK(ps_var_retain(vars[i]));
    }
    CHECK_OK(ps_engine_destroy(engine));
    for (int i = 0; i < VARIABLES; i++) {
        ps_var_release(vars[i]);
        CHECK_STATUS(ps_wait_read(vars[i], NULL), PS_ERR_CLOSED);
    }
    for (int i = VARIABLES - 1; i >= 0; i--)
        ps_var_release(vars[i]);
}

/* The completion queue of a closed engine can still be destroyed. */
static void a_completion_queue_outlives_its_engine(void **state)
{
    (void)state;
    ps_engine *engine = fixture_engine(1);
    ps_completions *completions = NULL;
    ps_var *x = fixture_var(engine);
    CHECK_OK(ps_completions_create(engine, &completions));
    CHECK_OK(fixture_push(engine, fixture_nothing, NULL, NULL, x));
    CHECK_OK(ps_completions_watch(completions, x, 1));
    CHECK_OK(ps_engine_destroy(engine));
    ps_var_release(x);
    ps_completions_destroy(completions);
}

static void issue_nothing(void *arg)
{
    tally_add(arg);
}

typedef struct device_work {
    ps_device *device;
    tally done;
} device_work;

static ps_status issue(ps_task *self, void *arg)
{
    device_work *w = arg;
    (void)self;
    return w->device->table->launch(w->device, 0, issue_nothing, &w->done);
}

/* Work on a device completes by itself, so destruction waits for it. */
static void destruction_waits_for_devices(void **state)
{
    (void)state;
    ps_engine *engine = fixture_engine(1);
    device_work w = {0};
    ps_queue *queue = NULL;
    CHECK_OK(ps__late_create(&w.device));
    ps__late_set_delay(w.device, 0, 2000000);
    CHECK_OK(ps_queue_create(engine, w.device, 0, &queue));
    for (int i = 0; i < 10; i++)
        CHECK_OK(PUSH(engine, .run = issue, .arg = &w, .queue = queue));
    CHECK_OK(ps_engine_destroy(engine));
    assert_int_equal(tally_read(&w.done), 10);
    CHECK_OK(ps_queue_destroy(queue));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(several_at_once),
        cmocka_unit_test(variables_belong_to_one_engine),
        cmocka_unit_test(tasks_push_to_other_engines),
        cmocka_unit_test(destruction_runs_what_is_queued),
        cmocka_unit_test(destruction_of_an_unused_engine),
        cmocka_unit_test(destruction_refused_for_a_missing_completion),
        cmocka_unit_test(destruction_refused_inside_a_task),
        cmocka_unit_test(the_default_engine),
        cmocka_unit_test(closed_handles_say_so),
        cmocka_unit_test(variables_released_after_the_engine),
        cmocka_unit_test(a_completion_queue_outlives_its_engine),
        cmocka_unit_test(destruction_waits_for_devices),
    };
    return FIXTURE_RUN(tests);
}
