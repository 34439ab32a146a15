/* Tasks on device queues, with the late device in the place of a GPU. They hand on to their own
 * queue when issued, to another queue of the device when issued and behind an event, to the CPU
 * when complete. While the device is stopped nothing on it completes, so whatever runs then was
 * released by an issue alone. */
#include "fixture.h"

#include "device/late/late.h"

enum { LOG = 2000 };

typedef struct bench {
    ps_device *device;
    ps_engine *engine;
    ps_queue *queue[2];
    _Atomic int done; /* entries of the log, added by the device's thread */
    int log[LOG];     /* numbers of the works in the order in which the device did them */
    tally issued;     /* functions that have put their work on a queue */
} bench;

typedef struct work {
    bench *bench;
    unsigned queue;
    int number;
    ps_status result; /* of the function */
} work;

static void do_work(void *arg)
{
    work *w = arg;
    int place = ps__add_acq_rel(&w->bench->done, 1); /* pairs with done_count */
    w->bench->log[place] = w->number;
}

static int done_count(bench *b)
{
    return ps__load_acquire(&b->done); /* pairs with do_work */
}

static ps_status issue(ps_task *self, void *arg)
{
    work *w = arg;
    ps_device *device = w->bench->device;
    if (w->result != PS_OK)
        return ps_task_fail(self, w->result, "not issued");
    ps_status status = device->table->launch(device, w->queue, do_work, w);
    tally_add(&w->bench->issued);
    return status;
}

static ps_status push_work(work *w, ps_var *read, ps_var *write)
{
    return PUSH(w->bench->engine, .run = issue, .arg = w, .reads = &read, .nreads = read != NULL,
                .writes = &write, .nwrites = write != NULL, .name = "work",
                .queue = w->bench->queue[w->queue]);
}

/* One device for the whole program: devices stay for its life. */
static bench *bench_open(unsigned workers)
{
    static ps_device *device;
    bench *b = calloc(1, sizeof *b);
    if (device == NULL)
        CHECK_OK(ps__late_create(&device));
    b->device = device;
    b->engine = fixture_engine(workers);
    for (unsigned i = 0; i < 2; i++) {
        ps__late_set_delay(device, i, 0);
        CHECK_OK(ps_queue_create(b->engine, device, i, &b->queue[i]));
    }
    return b;
}

static void bench_close(bench *b)
{
    CHECK_OK(ps_wait_all(b->engine, NULL));
    for (unsigned i = 0; i < 2; i++)
        CHECK_OK(ps_queue_destroy(b->queue[i]));
    CHECK_OK(ps_engine_destroy(b->engine));
    free(b);
}

/* All are queued before the first is issued, so that each is released by the one before it. */
static void a_chain_makes_one_round_trip(void **state)
{
    (void)state;
    enum { LENGTH = 1000 };
    bench *b = bench_open(1);
    ps_var *x = fixture_var(b->engine);
    gate g = {0};
    static work works[LENGTH];
    CHECK_OK(fixture_push(b->engine, gate_task, &g, NULL, NULL));
    gate_wait_inside(&g, 1);
    ps__late_stop(b->device);
    for (int i = 0; i < LENGTH; i++) {
        works[i] = (work){b, 0, i, PS_OK};
        CHECK_OK(push_work(&works[i], x, x));
    }
    gate_open(&g);
    tally_wait(&b->issued, LENGTH);
    assert_int_equal(done_count(b), 0);
    assert_false(ps_var_is_ready(x));
    ps__late_resume(b->device);
    CHECK_OK(ps_wait_read(x, NULL));
    assert_int_equal(done_count(b), LENGTH);
    for (int i = 0; i < LENGTH; i++)
        assert_int_equal(b->log[i], i);
    ps_engine_stats stats = fixture_stats(b->engine);
    assert_true(stats.device_round_trips <= 1);
    assert_true(stats.released_issued >= LENGTH - 1);
    ps_var_release(x);
    bench_close(b);
}

/* The second queue waits on the device, not on the host. */
static void another_queue_follows_behind_an_event(void **state)
{
    (void)state;
    enum { ROUNDS = 20 };
    bench *b = bench_open(2);
    ps_var *x = fixture_var(b->engine);
    static work works[2 * ROUNDS];
    ps__late_set_delay(b->device, 0, 500000);
    ps__late_stop(b->device);
    for (int i = 0; i < 2 * ROUNDS; i++) {
        works[i] = (work){b, (unsigned)i % 2, i, PS_OK};
        CHECK_OK(push_work(&works[i], x, x));
    }
    tally_wait(&b->issued, 2 * ROUNDS);
    assert_int_equal(done_count(b), 0);
    ps__late_resume(b->device);
    CHECK_OK(ps_wait_read(x, NULL));
    for (int i = 0; i < 2 * ROUNDS; i++)
        assert_int_equal(b->log[i], i);
    assert_true(fixture_stats(b->engine).device_round_trips <= 1);
    ps_var_release(x);
    bench_close(b);
}

static void independent_queues_do_not_wait(void **state)
{
    (void)state;
    bench *b = bench_open(2);
    ps_var *x = fixture_var(b->engine), *y = fixture_var(b->engine);
    work slow = {b, 0, 0, PS_OK}, quick = {b, 1, 1, PS_OK};
    ps__late_set_delay(b->device, 0, INT64_C(300000000));
    CHECK_OK(push_work(&slow, NULL, x));
    tally_wait(&b->issued, 1);
    CHECK_OK(push_work(&quick, NULL, y));
    CHECK_OK(ps_wait_read(y, NULL));
    assert_int_equal(b->log[0], 1);
    CHECK_OK(ps_wait_read(x, NULL));
    assert_int_equal(b->log[1], 0);
    ps_var_release(x);
    ps_var_release(y);
    bench_close(b);
}

typedef struct observer {
    bench *bench;
    int at_least;
    tally ran, early;
} observer;

static ps_status observe(ps_task *self, void *arg)
{
    observer *o = arg;
    (void)self;
    if (done_count(o->bench) < o->at_least)
        tally_add(&o->early);
    tally_add(&o->ran);
    return PS_OK;
}

/* All three hazards between a device task and a host task that follows. */
static void host_tasks_follow_completion(void **state)
{
    (void)state;
    bench *b = bench_open(2);
    for (int hazard = 0; hazard < 3; hazard++) {
        ps_var *x = fixture_var(b->engine), *y = fixture_var(b->engine);
        work w = {b, 0, hazard, PS_OK};
        observer o = {.bench = b, .at_least = hazard + 1};
        bool device_writes = hazard != 1, host_writes = hazard != 0;
        ps__late_stop(b->device);
        CHECK_OK(push_work(&w, device_writes ? NULL : x, device_writes ? x : NULL));
        CHECK_OK(
            fixture_push(b->engine, observe, &o, host_writes ? NULL : x, host_writes ? x : NULL));
        tally_wait(&b->issued, (uint32_t)hazard + 1);
        CHECK_OK(fixture_push(b->engine, fixture_nothing, NULL, NULL, y));
        CHECK_OK(ps_wait_read(y, NULL));
        assert_int_equal(tally_read(&o.ran), 0);
        CHECK_STATUS(ps_wait_write(x, LOOK), PS_ERR_TIMEOUT);
        ps__late_resume(b->device);
        CHECK_OK(ps_wait_write(x, NULL));
        assert_int_equal(tally_read(&o.ran), 1);
        assert_int_equal(tally_read(&o.early), 0);
        ps_var_release(x);
        ps_var_release(y);
    }
    bench_close(b);
}

static void device_tasks_follow_host_tasks(void **state)
{
    (void)state;
    bench *b = bench_open(2);
    ps_var *x = fixture_var(b->engine), *y = fixture_var(b->engine);
    gate g = {0};
    work w = {b, 0, 7, PS_OK};
    CHECK_OK(fixture_push(b->engine, gate_task, &g, NULL, x));
    CHECK_OK(push_work(&w, x, y));
    gate_wait_inside(&g, 1);
    assert_int_equal(tally_read(&b->issued), 0);
    gate_open(&g);
    CHECK_OK(ps_wait_read(y, NULL));
    assert_int_equal(done_count(b), 1);
    ps_var_release(x);
    ps_var_release(y);
    bench_close(b);
}

/* The failure of the first also marks what was computed from it on the device before the host
 * knew; what did not depend on it is unharmed. */
static void a_device_failure_marks_what_follows(void **state)
{
    (void)state;
    bench *b = bench_open(2);
    ps_var *x = fixture_var(b->engine), *y = fixture_var(b->engine), *z = fixture_var(b->engine);
    ps_var *other = fixture_var(b->engine);
    work bad = {b, 0, 0, PS_OK}, same = {b, 0, 1, PS_OK}, across = {b, 1, 2, PS_OK};
    work unrelated = {b, 1, 3, PS_OK};
    tally host = {0};
    ps__late_stop(b->device);
    ps__late_fail(b->device, 0, 1, PS_ERR_DEVICE);
    CHECK_OK(push_work(&bad, NULL, x));
    CHECK_OK(push_work(&same, x, y));
    CHECK_OK(push_work(&across, y, z));
    CHECK_OK(push_work(&unrelated, NULL, other));
    CHECK_OK(fixture_push(b->engine, tally_task, &host, z, z));
    tally_wait(&b->issued, 4);
    ps__late_resume(b->device);
    ps_error_info info = {.size = sizeof info};
    CHECK_STATUS(ps_wait_read(z, NULL), PS_ERR_DEVICE);
    CHECK_OK(ps_last_error_info(&info));
    uint64_t root = info.sequence;
    assert_string_equal(info.operation, "work");
    CHECK_STATUS(ps_wait_read(x, NULL), PS_ERR_DEVICE);
    CHECK_OK(ps_last_error_info(&info));
    assert_int_equal(info.sequence, root);
    CHECK_STATUS(ps_wait_read(y, NULL), PS_ERR_DEVICE);
    CHECK_OK(ps_wait_read(other, NULL));
    assert_int_equal(tally_read(&host), 0);
    CHECK_OK(push_work(&bad, NULL, x)); /* a complete overwrite */
    CHECK_OK(ps_wait_read(x, NULL));
    ps_var_release(x);
    ps_var_release(y);
    ps_var_release(z);
    ps_var_release(other);
    bench_close(b);
}

static void a_failing_function_marks_its_outputs(void **state)
{
    (void)state;
    bench *b = bench_open(1);
    ps_var *x = fixture_var(b->engine), *y = fixture_var(b->engine);
    work bad = {b, 0, 0, PS_ERR_TASK}, after = {b, 0, 1, PS_OK};
    CHECK_OK(push_work(&bad, NULL, x));
    CHECK_OK(push_work(&after, x, y));
    CHECK_STATUS(ps_wait_read(y, NULL), PS_ERR_TASK);
    assert_non_null(strstr(ps_last_error(), "not issued"));
    assert_int_equal(done_count(b), 0);
    ps_var_release(x);
    ps_var_release(y);
    bench_close(b);
}

static void queues_can_be_synchronised(void **state)
{
    (void)state;
    bench *b = bench_open(2);
    static work works[20];
    ps__late_set_delay(b->device, 0, 200000);
    for (int i = 0; i < 20; i++) {
        works[i] = (work){b, 0, i, PS_OK};
        CHECK_OK(push_work(&works[i], NULL, NULL));
    }
    tally_wait(&b->issued, 20);
    CHECK_OK(ps_queue_synchronise(b->queue[0]));
    assert_int_equal(done_count(b), 20);
    CHECK_OK(ps_queue_synchronise(b->queue[1]));
    bench_close(b);
}

static void a_queue_in_use_is_not_destroyed(void **state)
{
    (void)state;
    bench *b = bench_open(1);
    ps_var *x = fixture_var(b->engine);
    work w = {b, 0, 0, PS_OK};
    ps__late_stop(b->device);
    CHECK_OK(push_work(&w, NULL, x));
    CHECK_STATUS(ps_queue_destroy(b->queue[0]), PS_ERR_STATE);
    ps__late_resume(b->device);
    CHECK_OK(ps_wait_read(x, NULL));
    ps_var_release(x);
    bench_close(b);
}

static void random_mixtures_keep_their_order(void **state)
{
    (void)state;
    enum { VARIABLES = 3, TASKS = 300 };
    bench *b = bench_open(2);
    ps_var *vars[VARIABLES];
    static work works[TASKS];
    unsigned random = 12345;
    for (int i = 0; i < VARIABLES; i++)
        vars[i] = fixture_var(b->engine);
    ps__late_set_delay(b->device, 1, 20000);
    for (int i = 0; i < TASKS; i++) {
        random = random * 1664525u + 1013904223u;
        ps_var *x = vars[random >> 8 & 1];
        works[i] = (work){b, random >> 16 & 1, i, PS_OK};
        if ((random >> 20 & 7) == 0)
            CHECK_OK(fixture_push(b->engine, fixture_nothing, NULL, x, x));
        CHECK_OK(PUSH(b->engine, .run = issue, .arg = &works[i], READS(x), WRITES(vars[2], x),
                      .queue = b->queue[works[i].queue]));
    }
    CHECK_OK(ps_wait_all(b->engine, NULL));
    for (int i = 0; i < TASKS; i++) /* all write vars[2] */
        assert_int_equal(b->log[i], i);
    for (int i = 0; i < VARIABLES; i++)
        ps_var_release(vars[i]);
    bench_close(b);
}

typedef struct waiter {
    ps_var *x;
    tally inside;
    ps_status status;
} waiter;

static ps_status defer(ps_task *self, void *arg)
{
    return ps_task_defer(self, arg);
}

static ps_status wait_for_readers(ps_task *self, void *arg)
{
    waiter *w = arg;
    (void)self;
    tally_add(&w->inside);
    w->status = ps_wait_write(w->x, NULL);
    return PS_OK;
}

/* The only worker sleeps inside a task when the work it waits for becomes ready to be issued: it
 * has to do that itself, or whoever else waits. */
static void a_worker_that_waits_inside_a_task_issues(void **state)
{
    (void)state;
    bench *b = bench_open(1);
    ps_var *x = fixture_var(b->engine), *y = fixture_var(b->engine);
    work w = {b, 0, 0, PS_OK};
    waiter inside = {.x = x};
    ps_token token;
    CHECK_OK(fixture_push(b->engine, defer, &token, NULL, y));
    CHECK_OK(PUSH(b->engine, .run = issue, .arg = &w, READS(x, y), .queue = b->queue[0]));
    CHECK_OK(fixture_push(b->engine, wait_for_readers, &inside, NULL, NULL));
    tally_wait(&inside.inside, 1);
    assert_int_equal(tally_read(&b->issued), 0);
    CHECK_OK(ps_complete(token, PS_OK, NULL));
    tally_wait(&b->issued, 1);
    CHECK_OK(ps_wait_all(b->engine, NULL));
    CHECK_STATUS(inside.status, PS_OK);
    assert_int_equal(done_count(b), 1);
    ps_var_release(x);
    ps_var_release(y);
    bench_close(b);
}

static void devices_are_found_by_name(void **state)
{
    (void)state;
    bench *b = bench_open(1);
    ps_device *device = NULL;
    ps_queue *queue = NULL;
    CHECK_OK(ps_device_find("cpu", &device));
    assert_non_null(device);
    CHECK_OK(ps_device_find("late", &device));
    assert_ptr_equal(device, b->device);
    CHECK_STATUS(ps_device_find("sundial", &device), PS_ERR_ARGUMENT);
    CHECK_STATUS(ps_device_find("late:99", &device), PS_ERR_ARGUMENT);
    CHECK_STATUS(ps_queue_create(b->engine, b->device, PS__LATE_QUEUES, &queue), PS_ERR_ARGUMENT);
    CHECK_STATUS(ps_queue_create(b->engine, b->device, UINT32_MAX, &queue), PS_ERR_ARGUMENT);
    bench_close(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_chain_makes_one_round_trip),
        cmocka_unit_test(another_queue_follows_behind_an_event),
        cmocka_unit_test(independent_queues_do_not_wait),
        cmocka_unit_test(host_tasks_follow_completion),
        cmocka_unit_test(device_tasks_follow_host_tasks),
        cmocka_unit_test(a_device_failure_marks_what_follows),
        cmocka_unit_test(a_failing_function_marks_its_outputs),
        cmocka_unit_test(queues_can_be_synchronised),
        cmocka_unit_test(a_queue_in_use_is_not_destroyed),
        cmocka_unit_test(random_mixtures_keep_their_order),
        cmocka_unit_test(a_worker_that_waits_inside_a_task_issues),
        cmocka_unit_test(devices_are_found_by_name),
    };
    return FIXTURE_RUN(tests);
}
