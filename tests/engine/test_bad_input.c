/* Bad input: null handles, sizes that are too small or absurd, unknown kinds and flags. Each is a
 * clear error with a text; nothing is queued, nothing hangs, nothing breaks. */
#include "fixture.h"

/* The call fails with PS_ERR_ARGUMENT and has something to say. */
#define REFUSED(call) refused((call), #call, __LINE__)

static void refused(ps_status status, const char *call, int line)
{
    fixture_check(status, PS_ERR_ARGUMENT, call, __FILE__, line);
    ps_error_info info = {.size = sizeof info};
    fixture_check(ps_last_error_info(&info), PS_OK, call, __FILE__, line);
    if (info.status != PS_ERR_ARGUMENT || info.message == NULL || info.message[0] == '\0' ||
        strcmp(info.message, ps_last_error()) != 0 || info.sequence != 0)
        _fail(__FILE__, line);
}

static const size_t bad_sizes[] = {0, 1, sizeof(size_t), SIZE_MAX, SIZE_MAX / 2};
enum { BAD_SIZES = sizeof bad_sizes / sizeof bad_sizes[0] };

static void never(void *arg, ps_status status)
{
    (void)status;
    tally_add(arg);
}

static ps_status never_loop(size_t begin, size_t end, void *arg)
{
    (void)begin;
    (void)end;
    tally_add(arg);
    return PS_OK;
}

static void null_engines(void **state)
{
    (void)state;
    unsigned workers;
    size_t count;
    uint64_t lost;
    ps_var *x;
    ps_completions *completions;
    ps_queue *queue;
    ps_device *device = NULL;
    ps_engine_stats stats = {.size = sizeof stats};
    ps_bound bound = {.size = sizeof bound};
    tally called = {0};
    CHECK_OK(ps_device_find("cpu", &device));
    REFUSED(ps_engine_create(NULL, NULL));
    REFUSED(ps_engine_default(NULL));
    REFUSED(ps_engine_workers(NULL, &workers));
    REFUSED(ps_engine_set_workers(NULL, 1));
    REFUSED(ps_engine_get_stats(NULL, &stats));
    REFUSED(ps_var_create(NULL, &x));
    REFUSED(PUSH(NULL, .run = tally_task, .arg = &called, .drop = tally_drop));
    REFUSED(ps_wait_all(NULL, NULL));
    REFUSED(ps_completions_create(NULL, &completions));
    REFUSED(ps_engine_bound(NULL, &bound));
    REFUSED(ps_engine_set_bound(NULL, &bound));
    REFUSED(ps_engine_hold_bytes(NULL, 1));
    REFUSED(ps_parallel_for(NULL, 1, 1, never_loop, &called));
    REFUSED(ps_queue_create(NULL, device, 0, &queue));
    REFUSED(ps_trace_start(NULL, 16));
    REFUSED(ps_trace_stop(NULL));
    REFUSED(ps_trace_read(NULL, NULL, 0, &count, &lost));
    assert_int_equal(ps_releases_run(NULL), 0);
    CHECK_OK(ps_engine_destroy(NULL));
    assert_int_equal(tally_read(&called), 0);
}

static void null_places_for_results(void **state)
{
    (void)state;
    ps_engine *engine = fixture_engine(1);
    ps_var *x = fixture_var(engine);
    ps_device *device = NULL;
    ps_completions *completions = NULL;
    uint64_t tag;
    ps_status status;
    CHECK_OK(ps_device_find("cpu", &device));
    CHECK_OK(ps_completions_create(engine, &completions));
    REFUSED(ps_engine_workers(engine, NULL));
    REFUSED(ps_engine_get_stats(engine, NULL));
    REFUSED(ps_var_create(engine, NULL));
    REFUSED(ps_var_version(x, NULL));
    REFUSED(ps_push(engine, NULL));
    REFUSED(ps_var_on_ready(x, NULL, NULL));
    REFUSED(ps_completions_create(engine, NULL));
    REFUSED(ps_completions_pop(completions, NULL, &status));
    REFUSED(ps_completions_pop(completions, &tag, NULL));
    REFUSED(ps_engine_bound(engine, NULL));
    REFUSED(ps_engine_set_bound(engine, NULL));
    REFUSED(ps_parallel_for(engine, 1, 1, NULL, NULL));
    REFUSED(ps_device_find("cpu", NULL));
    REFUSED(ps_queue_create(engine, device, 0, NULL));
    REFUSED(ps_memory_alloc(64, NULL));
    REFUSED(ps_memory_get_stats(NULL));
    CHECK_STATUS(ps_last_error_info(NULL), PS_ERR_ARGUMENT);
    ps_completions_destroy(completions);
    ps_var_release(x);
    CHECK_OK(ps_engine_destroy(engine));
}

static void other_null_handles(void **state)
{
    (void)state;
    ps_engine *engine = fixture_engine(1);
    ps_var *x = fixture_var(engine);
    ps_completions *completions = NULL;
    ps_device *device = NULL;
    ps_queue *queue = NULL;
    ps_token token;
    uint64_t version, tag;
    ps_status status;
    tally called = {0};
    CHECK_OK(ps_completions_create(engine, &completions));
    REFUSED(ps_var_retain(NULL));
    REFUSED(ps_var_version(NULL, &version));
    REFUSED(ps_wait_read(NULL, NULL));
    REFUSED(ps_wait_write(NULL, NULL));
    REFUSED(ps_var_on_ready(NULL, never, &called));
    REFUSED(ps_completions_watch(NULL, x, 1));
    REFUSED(ps_completions_watch(completions, NULL, 1));
    REFUSED(ps_completions_pop(NULL, &tag, &status));
    REFUSED(ps_queue_create(engine, NULL, 0, &queue));
    REFUSED(ps_queue_synchronise(NULL));
    REFUSED(ps_device_find(NULL, &device));
    REFUSED(ps_device_find("", &device));
    REFUSED(ps_task_defer(NULL, &token));
    REFUSED(ps_task_error(NULL));
    REFUSED(ps_complete((ps_token){0}, PS_OK, NULL));
    assert_int_equal(ps_task_sequence(NULL), 0);
    assert_int_not_equal(ps_task_fail(NULL, PS_ERR_TASK, "nobody"), PS_OK);
    assert_false(ps_var_is_ready(NULL));
    assert_true(ps_completions_fd(NULL) < 0);
    CHECK_OK(ps_queue_destroy(NULL));
    ps_var_release(NULL);
    ps_completions_destroy(NULL);
    ps_memory_free(NULL, 0);
    ps_memory_free(NULL, 100);
    assert_int_equal(tally_read(&called), 0);
    ps_completions_destroy(completions);
    ps_var_release(x);
    CHECK_OK(ps_engine_destroy(engine));
}

static void bad_sizes_of_options(void **state)
{
    (void)state;
    ps_engine *engine = fixture_engine(1), *none = NULL;
    ps_var *x = fixture_var(engine);
    tally called = {0};
    for (int i = 0; i < BAD_SIZES; i++) {
        size_t size = bad_sizes[i];
        ps_engine_options options = {.size = size};
        ps_wait_options wait = {.size = size, .timeout_ns = -1};
        ps_engine_stats stats = {.size = size};
        ps_bound bound = {.size = size, .ops = 100};
        ps_hooks hooks = {.size = size};
        ps_memory_stats memory = {.size = size};
        ps_error_info info = {.size = size};
        ps_task_spec spec = {.size = size, .run = tally_task, .arg = &called, .drop = tally_drop};
        REFUSED(ps_engine_create(&options, &none));
        REFUSED(ps_wait_read(x, &wait));
        REFUSED(ps_wait_write(x, &wait));
        REFUSED(ps_wait_all(engine, &wait));
        REFUSED(ps_engine_get_stats(engine, &stats));
        REFUSED(ps_engine_bound(engine, &bound));
        REFUSED(ps_engine_set_bound(engine, &bound));
        REFUSED(ps_thread_set_hooks(&hooks));
        REFUSED(ps_memory_get_stats(&memory));
        CHECK_STATUS(ps_last_error_info(&info), PS_ERR_ARGUMENT); /* keeps what it knows */
        REFUSED(ps_push(engine, &spec));
    }
    assert_null(none);
    CHECK_OK(ps_wait_all(engine, NULL));
    assert_int_equal(tally_read(&called), 0);
    assert_int_equal(fixture_stats(engine).pushed, 0);
    ps_var_release(x);
    CHECK_OK(ps_engine_destroy(engine));
}

static void bad_modes(void **state)
{
    (void)state;
    ps_engine *engine = NULL;
    for (int mode = -1; mode < 200; mode += 4) {
        ps_engine_options options = {.size = sizeof options, .mode = (ps_mode)mode};
        REFUSED(ps_engine_create(&options, &engine));
        REFUSED(ps_thread_set_mode((ps_mode)mode));
    }
    assert_null(engine);
    assert_int_equal(ps_thread_mode(), PS_MODE_DEFAULT);
}

/* None of these is queued: neither function nor drop is ever called. */
static void bad_tasks(void **state)
{
    (void)state;
    ps_engine *engine = fixture_engine(1);
    ps_var *x = fixture_var(engine), *none = NULL;
    tally called = {0};
#define BAD(...)                                                                                   \
    REFUSED(PUSH(engine, .run = tally_task, .arg = &called, .drop = tally_drop, __VA_ARGS__))
    REFUSED(PUSH(engine, .arg = &called, .drop = tally_drop)); /* no function */
    BAD(.nreads = 1);
    BAD(.nwrites = 1);
    BAD(.nreads = SIZE_MAX);
    BAD(.nwrites = SIZE_MAX);
    BAD(.nreads = SIZE_MAX / 2, .nwrites = SIZE_MAX / 2 + 2);
    BAD(.reads = &x, .nreads = SIZE_MAX);
    BAD(.writes = &x, .nwrites = SIZE_MAX / sizeof(ps_var *));
    BAD(.reads = &none, .nreads = 1);
    BAD(.writes = &none, .nwrites = 1);
    BAD(READS(x, x, x, x, x, x, NULL));
    BAD(READS(x), WRITES(x, x, x, x, x, x, NULL));
    BAD(.kind = PS_FRONTEND + 1);
    BAD(.kind = 255);
    BAD(.flags = 1u << 4);
    BAD(.flags = 1u << 31);
    BAD(.flags = UINT32_MAX);
#undef BAD
    CHECK_OK(ps_wait_all(engine, NULL));
    assert_int_equal(tally_read(&called), 0);
    ps_engine_stats stats = fixture_stats(engine);
    assert_int_equal(stats.pushed, 0);
    assert_int_equal(stats.unfinished, 0);
    uint64_t version = 1;
    CHECK_OK(ps_var_version(x, &version));
    assert_int_equal(version, 0);
    CHECK_OK(fixture_push(engine, tally_task, &called, x, x)); /* it is as good as new */
    CHECK_OK(ps_wait_read(x, NULL));
    assert_int_equal(tally_read(&called), 1);
    ps_var_release(x);
    CHECK_OK(ps_engine_destroy(engine));
}

/* Absurd, but possible. Sets whose count is 0 are empty, whatever their pointer. */
static void extreme_values_are_taken(void **state)
{
    (void)state;
    ps_engine *engine = fixture_engine(1);
    ps_var *x = fixture_var(engine), *y = fixture_var(engine);
    tally ran = {0};
    CHECK_OK(PUSH(engine, .run = tally_task, .arg = &ran, WRITES(x), .cost_ns = UINT64_MAX));
    CHECK_OK(PUSH(engine, .run = tally_task, .arg = &ran, WRITES(x), .priority = INT32_MIN));
    CHECK_OK(PUSH(engine, .run = tally_task, .arg = &ran, WRITES(x), .priority = INT32_MAX,
                  .location = UINT64_MAX, .name = ""));
    CHECK_OK(PUSH(engine, .run = tally_task, .arg = &ran, .reads = &x, .writes = &x));
    CHECK_OK(ps_wait_read(x, &(ps_wait_options){.size = sizeof(ps_wait_options),
                                                .timeout_ns = INT64_MIN}));
    CHECK_OK(ps_wait_all(engine, NULL));
    assert_int_equal(tally_read(&ran), 4);
    CHECK_OK(ps_engine_hold_bytes(engine, 0));
    ps_var_release(x);
    ps_var_release(y);
    CHECK_OK(ps_engine_destroy(engine));
}

/* More is given back than was ever reported: refused, or counted as nothing; never a huge number
 * that holds everybody back. */
static void bytes_below_zero(void **state)
{
    (void)state;
    ps_engine *engine = fixture_engine(1);
    tally ran = {0};
    static const int64_t absurd[] = {-1, INT64_MIN, INT64_MIN + 1};
    for (int i = 0; i < 3; i++) {
        ps_status status = ps_engine_hold_bytes(engine, absurd[i]);
        assert_true(status == PS_OK || status == PS_ERR_ARGUMENT);
        assert_int_equal(fixture_stats(engine).queued_bytes, 0);
    }
    for (int i = 0; i < 10; i++)
        CHECK_OK(fixture_push(engine, tally_task, &ran, NULL, NULL));
    CHECK_OK(ps_wait_all(engine, NULL));
    assert_int_equal(tally_read(&ran), 10);
    CHECK_OK(ps_engine_destroy(engine));
}

/* Names and texts exist for every status, and a fixed one for all other numbers. */
static void statuses_have_names(void **state)
{
    (void)state;
    assert_string_equal(ps_status_name(PS_OK), "PS_OK");
    assert_string_equal(ps_status_name(PS_ERR_TIMEOUT), "PS_ERR_TIMEOUT");
    assert_string_equal(ps_status_text(PS_ERR_TIMEOUT), "timed out");
    static const int odd[] = {-1, 17, 999, INT32_MAX, INT32_MIN};
    for (int i = 0; i < 5; i++) {
        assert_true(strlen(ps_status_name((ps_status)odd[i])) > 0);
        assert_true(strlen(ps_status_text((ps_status)odd[i])) > 0);
    }
}

typedef struct foreign {
    ps_task *task;
    gate gate;
} foreign;

static ps_status show_self(ps_task *self, void *arg)
{
    foreign *f = arg;
    f->task = self;
    return gate_task(self, &f->gate);
}

/* Deferring is for the task that runs on the calling thread. */
static void defer_from_another_thread(void **state)
{
    (void)state;
    ps_engine *engine = fixture_engine(1);
    foreign f = {0};
    ps_token token;
    CHECK_OK(fixture_push(engine, show_self, &f, NULL, NULL));
    gate_wait_inside(&f.gate, 1);
    CHECK_STATUS(ps_task_defer(f.task, &token), PS_ERR_STATE);
    gate_open(&f.gate);
    CHECK_OK(ps_wait_all(engine, NULL));
    CHECK_OK(ps_engine_destroy(engine));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(null_engines),
        cmocka_unit_test(null_places_for_results),
        cmocka_unit_test(other_null_handles),
        cmocka_unit_test(bad_sizes_of_options),
        cmocka_unit_test(bad_modes),
        cmocka_unit_test(bad_tasks),
        cmocka_unit_test(extreme_values_are_taken),
        cmocka_unit_test(bytes_below_zero),
        cmocka_unit_test(statuses_have_names),
        cmocka_unit_test(defer_from_another_thread),
    };
    return FIXTURE_RUN(tests);
}
