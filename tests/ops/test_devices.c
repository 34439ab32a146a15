/* Tensors on other devices: the late device, which stands in for a GPU, and the null device. */
#include "engine_help.h"

#include "aside.h"
#include "base/alloc.h"
#include "device/late/late.h"
#include "tensor/tensor.h"

static ps_device *late, *other, *null, *cpu;

static int find_devices(void **unused)
{
    (void)unused;
    alarm(LIMIT_S);
    CHECK_OK(ps__late_create(&late));
    CHECK_OK(ps__late_create(&other));
    CHECK_OK(ps_device_find("null", &null));
    CHECK_OK(ps_device_find("cpu", &cpu));
    return 0;
}

/* Writes a number into all of a tensor. */
static void assign(ps_tensor *to, ps_arg number)
{
    const ps_op *op;
    CHECK_OK(ps_op_find("assign", &op));
    CHECK_OK(ps_op_call(op, &(ps_call){.size = sizeof(ps_call),
                                       .args = &number,
                                       .nargs = 1,
                                       .outputs = &to,
                                       .noutputs = 1,
                                       .device = ps_tensor_device(to)}));
}

static ps_tensor *moved(ps_tensor *x, ps_device *device)
{
    return CALL_ON(device, "to_device", T(x));
}

/* The first handle is given up. */
static ps_tensor *moved_away(ps_tensor *x, ps_device *device)
{
    ps_tensor *there = moved(x, device);
    ps_tensor_release(x);
    return there;
}

static void check_same(ps_tensor *a, ps_tensor *b, const char *what)
{
    size_t item = ps_dtype_bytes(ps_tensor_dtype(a)), bytes = (size_t)ps_tensor_count(a) * item;
    assert_int_equal(ps_tensor_dtype(a), ps_tensor_dtype(b));
    assert_int_equal(ps_tensor_count(a), ps_tensor_count(b));
    char *x = calloc(1, bytes + 1), *y = calloc(1, bytes + 1);
    CHECK_OK(ps_tensor_to_host(a, x, bytes));
    CHECK_OK(ps_tensor_to_host(b, y, bytes));
    if (memcmp(x, y, bytes) != 0)
        fail_msg("%s differs", what);
    free(x);
    free(y);
}

static uint64_t live_on(ps_device *device)
{
    const ps__home *home;
    ps_memory_stats stats;
    CHECK_OK(ps__home_of(device, &home));
    ps__pool_stats(home->pool, &stats);
    return stats.live;
}

/* ---- copies ------------------------------------------------------------------------------ */

static void copies_go_round_in_a_ring(void **unused)
{
    (void)unused;
    ps_tensor *start = counted(PS_FLOAT32, SHAPE(50, 30)), *x = start;
    CHECK_OK(ps_tensor_retain(x));
    ps_device *ring[] = {late, NULL, other, late, other, cpu};
    for (int round = 0; round < 5; round++)
        for (int i = 0; i < 6; i++)
            x = moved_away(x, ring[i]);
    assert_ptr_equal(ps_tensor_device(x), cpu);
    assert_false(ps_tensor_shares(x, start));
    check_same(start, x, "the ring");
    ps_tensor_release(x);
    x = moved(start, cpu); /* it is there already */
    assert_ptr_equal(x, start);
    ps_tensor_release(x);
    ps_tensor_release(start);
    wait_all();
    assert_int_equal(live_on(late), 0);
    assert_int_equal(live_on(other), 0);
}

static void copies_do_not_block(void **unused)
{
    (void)unused;
    ps_tensor *x = CALL("full", INTS(1000), F(1), D(PS_FLOAT32));
    ps__late_stop(late);
    ps_tensor *there = moved(x, late), *back = moved(there, NULL);
    assert_ptr_equal(ps_tensor_device(there), late);
    assert_false(ps_tensor_is_ready(there));
    assert_false(ps_tensor_is_ready(back));
    CHECK_FAILS(PS_ERR_TIMEOUT, "",
                ps_tensor_wait(back, &(ps_wait_options){.size = sizeof(ps_wait_options),
                                                        .timeout_ns = 10000000}));
    /* What is written now does not reach a copy that was asked for before. */
    assign(x, F(2));
    ps__late_resume(late);
    ps_tensor *sum = CALL("sum", T(back)), *now = CALL("sum", T(x));
    CHECK_VALUES(sum, 1000);
    CHECK_VALUES(now, 2000);
    ps_tensor *all[] = {x, there, back, sum, now};
    for (int i = 0; i < 5; i++)
        ps_tensor_release(all[i]);
}

static void views_are_copied_as_they_are(void **unused)
{
    (void)unused;
    ps_tensor *x = counted(PS_INT32, SHAPE(6, 5)), *turned, *part, *wide;
    CHECK_OK(ps_tensor_permute(x, NULL, 0, &turned));
    CHECK_OK(ps_tensor_index(x, &(ps_index){PS_INDEX_RANGE, 1, 4, 1}, 1, &part));
    CHECK_OK(ps_tensor_broadcast(x, SHAPE(2, 6, 5), &wide));
    ps_tensor *views[] = {turned, part, wide};
    for (int i = 0; i < 3; i++) {
        ps_tensor *there = moved(views[i], late);
        check_same(views[i], there, "a view");
        ps_tensor *back, *again; /* a view there */
        CHECK_OK(ps_tensor_permute(there, NULL, 0, &back));
        CHECK_OK(ps_tensor_permute(views[i], NULL, 0, &again));
        check_same(again, back, "a view of a copy");
        ps_tensor_release(there);
        ps_tensor_release(back);
        ps_tensor_release(again);
        ps_tensor_release(views[i]);
    }
    ps_tensor_release(x);
}

static void host_memory_goes_there_and_back(void **unused)
{
    (void)unused;
    float numbers[] = {1, 2, 3, 4, 5, 6}, back[6] = {0};
    ps_tensor *x, *none;
    CHECK_OK(ps_tensor_from_host(PS_FLOAT32, SHAPE(2, 3), NULL, numbers, late, &x));
    memset(numbers, 0, sizeof numbers); /* copied at the call */
    assert_ptr_equal(ps_tensor_device(x), late);
    CHECK_OK(ps_tensor_to_host(x, back, sizeof back));
    for (int i = 0; i < 6; i++)
        assert_true(back[i] == (float)(i + 1));
    CHECK_OK(ps_tensor_from_host(PS_FLOAT32, SHAPE(0, 3), NULL, NULL, late, &none));
    CHECK_OK(ps_tensor_to_host(none, back, 0));
    ps_tensor_release(none);
    ps_tensor *one = CALL_ON(late, "full", (ps_arg){.kind = PS_ARG_INTS}, F(7));
    ps_scalar value;
    CHECK_OK(ps_tensor_item(one, &value));
    assert_true(value.as.d == 7);
    ps_tensor_release(one);
    ps_tensor_release(x);
}

static void what_cannot_be_copied_is_refused(void **unused)
{
    (void)unused;
    ps_tensor *x = CALL("ones", INTS(3)), *out = NULL;
    CHECK_FAILS(PS_ERR_TYPE, "number", call_into("to_device", ARGS(F(1)), &out));
    out = x;
    CHECK_FAILS(PS_ERR_ARGUMENT, "to_device", call_into("to_device", ARGS(T(x)), &out));
    ps_tensor_release(x);
}

/* ---- operations -------------------------------------------------------------------------- */

enum { RESULTS = 12 };

/* The same program for any device. */
static void program(ps_device *device, ps_tensor **r)
{
    ps_generator *g;
    CHECK_OK(ps_generator_create(99, &g));
    ps_arg from = {.kind = PS_ARG_GENERATOR, .as.generator = g};
    ps_tensor *x = r[0] = CALL_ON(device, "random_normal", INTS(300, 200), NONE, NONE, NONE, from);
    ps_tensor *y = r[1] = CALL_ON(device, "random_uniform", INTS(300, 200), NONE, NONE, NONE, from);
    ps_generator_release(g);
    ps_tensor *a = CALL("multiply", T(x), T(y)), *b = CALL("add", T(a), F(2));
    r[2] = CALL("exp", T(b));
    ps_tensor_release(a);
    ps_tensor_release(b);
    r[3] = CALL("sum", T(x), INTS(0));
    r[4] = CALL("max", T(y));
    r[5] = CALL("matmul", T(x), T(y), B(false), B(true));
    ps_tensor *places = CALL_ON(device, "arange", I(0), I(300), I(7));
    r[6] = CALL("take", T(x), T(places), I(0));
    ps_tensor_release(places);
    r[7] = CALL("copy", T(x));
    for (int i = 0; i < 5; i++) { /* all of it, updated, while it is read */
        ps_tensor *reader = CALL("sum", T(r[7]));
        CHECK_OK(call_into("add", ARGS(T(r[7]), T(y)), &r[7]));
        ps_tensor_release(reader);
    }
    ps_tensor *part;
    r[8] = CALL("copy", T(y));
    CHECK_OK(ps_tensor_index(r[8], &(ps_index){PS_INDEX_RANGE, 10, 100, 3}, 1, &part));
    assign(part, F(4));
    CHECK_OK(call_into("multiply", ARGS(T(part), F(3)), &part));
    ps_tensor_release(part);
    r[9] = CALL("concatenate",
                ((ps_arg){.kind = PS_ARG_TENSORS, .count = 2, .as.tensors = (ps_tensor *[]){x, y}}),
                I(1));
    r[10] = CALL("cast", T(x), D(PS_INT8));
    r[11] = CALL("argmax", T(x), I(1));
}

static void compare_program(ps_device *device)
{
    ps_tensor *here[RESULTS], *there[RESULTS];
    program(NULL, here);
    program(device, there);
    for (int i = 0; i < RESULTS; i++) {
        char what[32];
        snprintf(what, sizeof what, "result %d", i);
        assert_ptr_equal(ps_tensor_device(there[i]), device);
        check_same(here[i], there[i], what);
        ps_tensor_release(here[i]);
        ps_tensor_release(there[i]);
    }
    wait_all();
    assert_int_equal(live_on(device), 0);
}

static void operations_give_the_same_bits(void **unused)
{
    (void)unused;
    compare_program(late);
    ps__late_set_delay(late, 0, 300000);
    compare_program(late);
    ps__late_set_delay(late, 0, 0);
    CHECK_OK(ps_thread_set_mode(PS_MODE_SYNC));
    compare_program(late);
    CHECK_OK(ps_thread_set_mode(PS_MODE_DEFAULT));
}

/* How many functions of tasks have been called. */
static uint64_t executed(void)
{
    ps_engine *engine;
    ps_engine_stats stats = {.size = sizeof stats};
    CHECK_OK(ps_engine_default(&engine));
    CHECK_OK(ps_engine_get_stats(engine, &stats));
    return stats.executed;
}

/* While the device is stopped a whole chain is issued: the operations are released by one another
 * on its queue, not by their completion. The test ends by the time limit if they are not. */
static void operations_follow_on_the_queue(void **unused)
{
    (void)unused;
    ps_tensor *x = CALL_ON(late, "zeros", INTS(100));
    CHECK_OK(ps_tensor_wait(x, NULL));
    ps__late_stop(late);
    uint64_t before = executed();
    for (int i = 0; i < 50; i++) {
        ps_tensor *next = CALL("add", T(x), F(1));
        ps_tensor_release(x);
        x = next;
    }
    while (executed() < before + 50)
        step_aside();
    assert_false(ps_tensor_is_ready(x));
    ps__late_resume(late);
    ps_tensor *sum = CALL("sum", T(x));
    ps_tensor_release(x);
    CHECK_VALUES(sum, 5000);
    ps_tensor_release(sum);
}

/* A snapshot on the CPU of what is then overwritten on the device, again and again. */
static void both_sides_take_turns(void **unused)
{
    (void)unused;
    ps_tensor *x = CALL_ON(late, "zeros", INTS(2000)), *seen[40];
    for (int i = 0; i < 40; i++) {
        CHECK_OK(call_into("add", ARGS(T(x), F(1)), &x));
        seen[i] = moved(x, NULL);
        ps_tensor *more = CALL("add", T(seen[i]), F(0.5)), *there = moved_away(more, late);
        CHECK_OK(call_into("maximum", ARGS(T(x), T(there)), &x));
        CHECK_OK(call_into("subtract", ARGS(T(x), F(0.5)), &x));
        ps_tensor_release(there);
    }
    for (int i = 0; i < 40; i++) {
        ps_tensor *low = CALL("min", T(seen[i])), *high = CALL("max", T(seen[i]));
        CHECK_VALUES(low, i + 1);
        CHECK_VALUES(high, i + 1);
        ps_tensor_release(low);
        ps_tensor_release(high);
        ps_tensor_release(seen[i]);
    }
    ps_tensor_release(x);
}

static void devices_do_not_mix(void **unused)
{
    (void)unused;
    ps_tensor *here = CALL("ones", INTS(3)), *there = CALL_ON(late, "ones", INTS(3)), *out = NULL;
    CHECK_FAILS(PS_ERR_ARGUMENT, "cpu:0 and late:0",
                call_into("add", ARGS(T(here), T(there)), &out));
    CHECK_FAILS(PS_ERR_ARGUMENT, "late:0 and cpu:0",
                call_into("matmul", ARGS(T(there), T(here)), &out));
    assert_null(out);
    out = here;
    CHECK_FAILS(PS_ERR_ARGUMENT, "late:0", call_into("exp", ARGS(T(there)), &out));
    CHECK_FAILS(PS_ERR_ARGUMENT, "cpu:0", call_into("exp", ARGS(T(there)), &out));
    ps_tensor_release(here);
    ps_tensor_release(there);
}

/* ---- errors ------------------------------------------------------------------------------ */

/* What was computed on the device from a failed result was on the queue before anybody knew. The
 * second `take` works on elements that were never written: what it finds is no error of its own. */
static void a_failure_there_marks_what_follows(void **unused)
{
    (void)unused;
    ps_engine *engine;
    CHECK_OK(ps_engine_default(&engine));
    ps_tensor *x = CALL_ON(late, "arange", I(10)), *bad = CALL_ON(late, "full", INTS(3), I(12));
    ps__late_stop(late);
    ps_tensor *r[6];
    r[0] = CALL("take", T(x), T(bad), I(0));
    r[1] = CALL("add", T(r[0]), I(1000000));
    r[2] = CALL("take", T(x), T(r[1]), I(0));
    r[3] = moved(r[2], NULL);
    r[4] = CALL("negative", T(r[3]));
    r[5] = CALL("add", T(x), I(1)); /* has nothing to do with it */
    ps__late_resume(late);
    ps_error_info info = {.size = sizeof info};
    for (int i = 4; i >= 0; i--) {
        CHECK_FAILS(PS_ERR_INDEX, "12", ps_tensor_wait(r[i], NULL));
        CHECK_OK(ps_last_error_info(&info));
        assert_string_equal(info.operation, "take");
    }
    CHECK_OK(ps_tensor_wait(r[5], NULL));
    CHECK_OK(ps_wait_all(engine, NULL)); /* there was one error, and it was seen */
    CHECK_VALUES(r[5], 1, 2, 3, 4, 5, 6, 7, 8, 9, 10);
    assign(r[0], I(5)); /* a complete overwrite */
    CHECK_VALUES(r[0], 5, 5, 5);
    for (int i = 0; i < 6; i++)
        ps_tensor_release(r[i]);
    ps_tensor_release(x);
    ps_tensor_release(bad);
    wait_all();
    assert_int_equal(live_on(late), 0);
}

static void sync_mode_raises_at_the_call(void **unused)
{
    (void)unused;
    ps_tensor *x = CALL_ON(late, "arange", I(10)), *bad = CALL_ON(late, "full", INTS(3), I(-11));
    ps_tensor *out = NULL;
    CHECK_OK(ps_thread_set_mode(PS_MODE_SYNC));
    CHECK_FAILS(PS_ERR_INDEX, "-11", call_into("take", ARGS(T(x), T(bad), I(0)), &out));
    CHECK_OK(ps_thread_set_mode(PS_MODE_DEFAULT));
    assert_null(out);
    ps_tensor_release(x);
    ps_tensor_release(bad);
}

static void a_failing_device_marks_results(void **unused)
{
    (void)unused;
    ps_tensor *x = CALL_ON(late, "ones", INTS(10)), *y, *back;
    CHECK_OK(ps_tensor_wait(x, NULL));
    ps__late_fail(late, 0, 1, PS_ERR_DEVICE);
    y = CALL("exp", T(x));
    back = moved(y, NULL);
    CHECK_FAILS(PS_ERR_DEVICE, "", ps_tensor_wait(back, NULL));
    CHECK_OK(ps_tensor_wait(x, NULL));
    ps_tensor_release(x);
    ps_tensor_release(y);
    ps_tensor_release(back);
    wait_all();
}

static bool short_of_memory(ps_status status)
{
    return status == PS_ERR_MEMORY || status == PS_ERR_THREAD;
}

/* There and back with an operation between; returns the first failure. */
static ps_status round_trip(ps_tensor *x)
{
    ps_tensor *there = NULL, *sum = NULL;
    const ps__home *home;
    double value = 0;
    ps_status status = ps__home_of(late, &home);
    if (status == PS_OK)
        status = ps__tensor_to_home(x, home, &there);
    if (status == PS_OK)
        status = call_into("sum", ARGS(T(there)), &sum);
    if (status == PS_OK)
        status = ps_tensor_to_host(sum, &value, sizeof value);
    if (status == PS_OK)
        assert_true(value == 4950);
    ps_tensor_release(there);
    ps_tensor_release(sum);
    return status;
}

/* The Nth call for memory fails, for N = 1, 2, ... until there is none left to fail. */
static void memory_may_end_anywhere(void **unused)
{
    (void)unused;
    ps_engine *engine;
    CHECK_OK(ps_engine_default(&engine));
    ps_tensor *x = counted(PS_FLOAT64, SHAPE(100));
    bool met = true;
    CHECK_OK(round_trip(x));
    for (unsigned long nth = 1; met; nth++) {
        ps__fault_set(nth, false);
        ps_status status = round_trip(x);
        met = ps__fault_count() >= nth;
        ps__fault_set(0, false);
        if (status != PS_OK && !short_of_memory(status))
            fail_msg("call %lu: %s: %s", nth, ps_status_name(status), ps_last_error());
        while ((status = ps_wait_all(engine, NULL)) != PS_OK)
            assert_true(short_of_memory(status));
        assert_int_equal(live_on(late), 0);
        CHECK_OK(round_trip(x));
    }
    ps_tensor_release(x);
}

/* ---- other names of the CPU ----------------------------------------------------------------- */

static void names_of_the_cpu_compute_alike(void **unused)
{
    (void)unused;
    ps_device *second;
    ps_tensor *here[RESULTS], *there[RESULTS];
    CHECK_OK(ps_device_find("cpu:1", &second));
    program(cpu, here);
    program(second, there);
    for (int i = 0; i < RESULTS; i++) {
        assert_ptr_equal(ps_tensor_device(there[i]), second);
        check_same(here[i], there[i], "a result under another name");
        ps_tensor_release(here[i]);
        ps_tensor_release(there[i]);
    }
}

/* They are one memory, so operands need not be moved; the first says where the result is. */
static void names_of_the_cpu_mix(void **unused)
{
    (void)unused;
    ps_device *second;
    CHECK_OK(ps_device_find("cpu:1", &second));
    ps_tensor *x = CALL("full", INTS(3), F(2)), *y = CALL_ON(second, "full", INTS(3), F(5));
    ps_tensor *a = CALL("subtract", T(x), T(y)), *b = CALL("subtract", T(y), T(x));
    ps_tensor *mask = CALL("greater", T(y), F(0)), *some = CALL("masked_select", T(x), T(mask));
    ps_tensor *list[] = {y, x}, *copy = moved(x, second);
    ps_tensor *both =
        CALL("concatenate", ((ps_arg){.kind = PS_ARG_TENSORS, .count = 2, .as.tensors = list}));
    assert_ptr_equal(ps_tensor_device(a), cpu);
    assert_ptr_equal(ps_tensor_device(b), second);
    assert_ptr_equal(ps_tensor_device(both), second);
    assert_ptr_equal(ps_tensor_device(copy), second);
    assert_false(ps_tensor_shares(copy, x));
    CHECK_VALUES(a, -3, -3, -3);
    CHECK_VALUES(b, 3, 3, 3);
    CHECK_VALUES(some, 2, 2, 2);
    CHECK_VALUES(both, 5, 5, 5, 2, 2, 2);
    CHECK_VALUES(copy, 2, 2, 2);
    CHECK_OK(call_into("add", ARGS(T(x), T(y)), &y));
    CHECK_VALUES(y, 7, 7, 7);
    ps_tensor *all[] = {x, y, a, b, mask, some, copy, both};
    for (int i = 0; i < 8; i++)
        ps_tensor_release(all[i]);
}

/* ---- the null device --------------------------------------------------------------------- */

static long resident_pages(void)
{
    long total, resident = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (file == NULL || fscanf(file, "%ld %ld", &total, &resident) != 2)
        resident = 0;
    if (file != NULL)
        fclose(file);
    return resident;
}

static void the_null_device_does_nothing(void **unused)
{
    (void)unused;
    long before = resident_pages();
    ps_tensor *r[RESULTS], *big = CALL_ON(null, "ones", INTS(64, 1 << 20), D(PS_FLOAT64));
    ps_tensor *twice = CALL("add", T(big), T(big)), *sum = CALL("sum", T(twice));
    program(null, r);
    for (int i = 0; i < RESULTS; i++) {
        assert_ptr_equal(ps_tensor_device(r[i]), null);
        CHECK_OK(ps_tensor_wait(r[i], NULL));
        ps_tensor_release(r[i]);
    }
    CHECK_VALUES(sum, 0); /* what comes back is zeros */
    assert_true((resident_pages() - before) * sysconf(_SC_PAGESIZE) < 400 << 20); /* of 1 GB */
    ps_tensor_release(big);
    ps_tensor_release(twice);
    ps_tensor_release(sum);
    wait_all();
    assert_int_equal(live_on(null), 0);
}

static void the_null_device_forgets(void **unused)
{
    (void)unused;
    ps_tensor *x = CALL("ones", INTS(2));
    ps_device *ring[] = {null, late, null, NULL};
    for (int i = 0; i < 4; i++)
        x = moved_away(x, ring[i]);
    CHECK_VALUES(x, 0, 0);
    ps_tensor_release(x);
}

static void an_error_passes_through_the_null_device(void **unused)
{
    (void)unused;
    ps_tensor *x = CALL("arange", I(4)), *bad = CALL("full", INTS(1), I(9));
    ps_tensor *y = CALL("take", T(x), T(bad), I(0)), *there = moved(y, null);
    ps_tensor *more = CALL("add", T(there), I(1)), *back = moved(more, NULL);
    CHECK_FAILS(PS_ERR_INDEX, "9", ps_tensor_wait(back, NULL));
    ps_tensor *all[] = {x, bad, y, there, more, back};
    for (int i = 0; i < 6; i++)
        ps_tensor_release(all[i]);
    wait_all();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(copies_go_round_in_a_ring),
        cmocka_unit_test(copies_do_not_block),
        cmocka_unit_test(views_are_copied_as_they_are),
        cmocka_unit_test(host_memory_goes_there_and_back),
        cmocka_unit_test(what_cannot_be_copied_is_refused),
        cmocka_unit_test(operations_give_the_same_bits),
        cmocka_unit_test(operations_follow_on_the_queue),
        cmocka_unit_test(both_sides_take_turns),
        cmocka_unit_test(devices_do_not_mix),
        cmocka_unit_test(a_failure_there_marks_what_follows),
        cmocka_unit_test(sync_mode_raises_at_the_call),
        cmocka_unit_test(a_failing_device_marks_results),
        cmocka_unit_test(memory_may_end_anywhere),
        cmocka_unit_test(names_of_the_cpu_compute_alike),
        cmocka_unit_test(names_of_the_cpu_mix),
        cmocka_unit_test(the_null_device_does_nothing),
        cmocka_unit_test(the_null_device_forgets),
        cmocka_unit_test(an_error_passes_through_the_null_device),
    };
    return cmocka_run_group_tests(tests, find_devices, NULL);
}
