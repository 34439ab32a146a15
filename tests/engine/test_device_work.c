/* Work that a device does for a task and that finds out itself that it fails; and device tasks whose
 * variables are only known under the engine's lock. */
#include "fixture.h"

#include "base/alloc.h"
#include "device/late/late.h"
#include "engine/capture.h"
#include "engine/grouping.h"

enum { MOST = 24 };

typedef struct bench {
    ps_device *device;
    ps_engine *engine;
    ps_queue *queue;
} bench;

/* One task: what its work is to find, and whether it was done. */
typedef struct piece {
    ps_device *device;
    ps_status result;
    tally worked, dropped;
} piece;

static void do_work(void *arg)
{
    ps_task *self = arg;
    piece *p = ps__task_arg(self);
    tally_add(&p->worked);
    if (p->result != PS_OK)
        ps__device_work_failed(self, ps_task_fail(self, p->result, "found by the work"));
}

static ps_status issue(ps_task *self, void *arg)
{
    piece *p = arg;
    return p->device->table->launch(p->device, 0, do_work, self);
}

static void drop(void *arg)
{
    tally_add(&((piece *)arg)->dropped);
}

static bench bench_open(unsigned workers)
{
    static ps_device *device; /* devices stay for the program's life */
    if (device == NULL)
        CHECK_OK(ps__late_create(&device));
    bench b = {device, fixture_engine(workers), NULL};
    CHECK_OK(ps_queue_create(b.engine, device, 0, &b.queue));
    return b;
}

static void bench_close(bench *b)
{
    CHECK_OK(ps_wait_all(b->engine, NULL));
    CHECK_OK(ps_queue_destroy(b->queue));
    CHECK_OK(ps_engine_destroy(b->engine));
}

static void push(bench *b, piece *p, ps_var *read, ps_var *write)
{
    p->device = b->device;
    CHECK_OK(PUSH(b->engine, .run = issue, .arg = p, .drop = drop, .name = "work", .reads = &read,
                  .nreads = read != NULL, .writes = &write, .nwrites = write != NULL,
                  .queue = b->queue));
}

static void a_failure_of_the_work_marks_its_outputs(void **state)
{
    (void)state;
    bench b = bench_open(2);
    ps_var *x = fixture_var(b.engine), *y = fixture_var(b.engine), *other = fixture_var(b.engine);
    piece bad = {.result = PS_ERR_ARGUMENT}, after = {0}, unrelated = {0};
    tally host = {0};
    ps__late_stop(b.device);
    push(&b, &bad, NULL, x);
    push(&b, &after, x, y);
    push(&b, &unrelated, NULL, other);
    CHECK_OK(fixture_push(b.engine, tally_task, &host, y, NULL));
    ps__late_resume(b.device);
    CHECK_STATUS(ps_wait_read(x, NULL), PS_ERR_ARGUMENT);
    assert_non_null(strstr(ps_last_error(), "found by the work"));
    CHECK_STATUS(ps_wait_read(y, NULL), PS_ERR_ARGUMENT);
    assert_non_null(strstr(ps_last_error(), "found by the work"));
    CHECK_OK(ps_wait_read(other, NULL));
    CHECK_OK(ps_wait_all(b.engine, NULL)); /* it was seen */
    assert_int_equal(tally_read(&host), 0);
    assert_int_equal(tally_read(&bad.dropped), 1);
    assert_int_equal(tally_read(&after.dropped), 1);
    bad.result = PS_OK;
    push(&b, &bad, NULL, x); /* a complete overwrite */
    CHECK_OK(ps_wait_read(x, NULL));
    ps_var_release(x);
    ps_var_release(y);
    ps_var_release(other);
    bench_close(&b);
}

/* The second was on the device before the first one's failure was known. What it found, working on
 * what the first one left, is no error of its own; what the third found is. */
static void a_failure_that_follows_from_another_is_none(void **state)
{
    (void)state;
    bench b = bench_open(2);
    ps_var *x = fixture_var(b.engine), *y = fixture_var(b.engine), *z = fixture_var(b.engine);
    piece first = {.result = PS_ERR_ARGUMENT}, second = {.result = PS_ERR_TASK};
    piece third = {.result = PS_ERR_SYSTEM};
    ps__late_stop(b.device);
    push(&b, &first, NULL, x);
    push(&b, &second, x, y);
    push(&b, &third, NULL, z);
    while (fixture_stats(b.engine).executed < 3) /* all are issued */
        step_aside();
    ps__late_resume(b.device);
    CHECK_STATUS(ps_wait_read(y, NULL), PS_ERR_ARGUMENT);
    assert_int_equal(tally_read(&second.worked), 1);
    CHECK_STATUS(ps_wait_all(b.engine, NULL), PS_ERR_SYSTEM);
    CHECK_OK(ps_wait_all(b.engine, NULL));
    ps_var_release(x);
    ps_var_release(y);
    ps_var_release(z);
    bench_close(&b);
}

static void sync_mode_returns_the_failure(void **state)
{
    (void)state;
    bench b = bench_open(1);
    ps_var *x = fixture_var(b.engine);
    piece bad = {.device = b.device, .result = PS_ERR_ARGUMENT};
    CHECK_OK(ps_thread_set_mode(PS_MODE_SYNC));
    CHECK_STATUS(PUSH(b.engine, .run = issue, .arg = &bad, WRITES(x), .queue = b.queue),
                 PS_ERR_ARGUMENT);
    assert_non_null(strstr(ps_last_error(), "found by the work"));
    CHECK_OK(ps_thread_set_mode(PS_MODE_DEFAULT));
    ps_var_release(x);
    bench_close(&b);
}

/* ---- captured pushes --------------------------------------------------------------------- */

typedef struct captured {
    ps__capture capture; /* first */
    ps_var **vars;
    size_t count; /* the first is written, the others are read */
    ps_var *reads[MOST], *writes[1];
} captured;

static void fill(ps__capture *capture)
{
    captured *c = (captured *)capture;
    capture->writes[capture->nwrites++] = c->vars[0];
    for (size_t i = 1; i < c->count; i++)
        capture->reads[capture->nreads++] = c->vars[i];
}

static ps_status push_captured(bench *b, piece *p, ps_var **vars, size_t count)
{
    captured c = {.vars = vars, .count = count};
    c.capture =
        (ps__capture){.fill = fill, .reads = c.reads, .writes = c.writes, .most = count + 1};
    p->device = b->device;
    return ps__push_capture(b->engine,
                            &(ps_task_spec){.size = sizeof(ps_task_spec),
                                            .run = issue,
                                            .arg = p,
                                            .drop = drop,
                                            .name = "captured",
                                            .queue = b->queue},
                            &c.capture);
}

/* Few and many variables, some of which the device has seen before. */
static void captured_tasks_go_to_a_device(void **state)
{
    (void)state;
    bench b = bench_open(2);
    ps_var *vars[MOST];
    static piece pieces[MOST];
    memset(pieces, 0, sizeof pieces);
    for (int i = 0; i < MOST; i++)
        vars[i] = fixture_var(b.engine);
    for (size_t count = 1; count <= MOST; count += count < 5 ? 1 : 6)
        CHECK_OK(push_captured(&b, &pieces[count - 1], vars + MOST - count, count));
    tally host = {0};
    CHECK_OK(fixture_push(b.engine, tally_task, &host, vars[MOST - 1], vars[MOST - 2]));
    CHECK_OK(ps_wait_all(b.engine, NULL));
    assert_int_equal(tally_read(&host), 1);
    for (size_t count = 1; count <= MOST; count += count < 5 ? 1 : 6) {
        assert_int_equal(tally_read(&pieces[count - 1].worked), 1);
        assert_int_equal(tally_read(&pieces[count - 1].dropped), 1);
    }
    for (int i = 0; i < MOST; i++)
        ps_var_release(vars[i]);
    bench_close(&b);
}

/* With the Nth call for memory failing: nothing was queued, or all is done. */
static void captured_tasks_meet_the_end_of_memory(void **state)
{
    (void)state;
    bool failed = true;
    for (unsigned long nth = 1; failed; nth++) {
        bench b = bench_open(1);
        ps_var *vars[3];
        piece p = {0};
        for (int i = 0; i < 3; i++)
            vars[i] = fixture_var(b.engine);
        CHECK_OK(fixture_push(b.engine, fixture_nothing, NULL, NULL, vars[0]));
        CHECK_OK(ps_wait_all(b.engine, NULL));
        ps__late_stop(b.device);
        ps__fault_set(nth, false);
        ps_status status = push_captured(&b, &p, vars, 3);
        failed = ps__fault_count() >= nth;
        ps__fault_set(0, false);
        ps__late_resume(b.device);
        (void)ps_wait_all(b.engine, NULL); /* it may have been issued without memory */
        if (status != PS_OK) {
            assert_int_equal(status, PS_ERR_MEMORY);
            assert_int_equal(tally_read(&p.dropped), 0);
        } else {
            assert_int_equal(tally_read(&p.dropped), 1);
        }
        for (int i = 0; i < 3; i++)
            ps_var_release(vars[i]);
        bench_close(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_failure_of_the_work_marks_its_outputs),
        cmocka_unit_test(a_failure_that_follows_from_another_is_none),
        cmocka_unit_test(sync_mode_returns_the_failure),
        cmocka_unit_test(captured_tasks_go_to_a_device),
        cmocka_unit_test(captured_tasks_meet_the_end_of_memory),
    };
    return FIXTURE_RUN(tests);
}
