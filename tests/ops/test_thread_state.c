/* The word of a thread: its mode, fusion, where it makes tensors; what is kept; what is refused. */
#include "help.h"
#include "ops/support/workers.h"

#include <pthread.h>

static int reset(void **state)
{
    (void)state;
    return ps_thread_set_state(0) == PS_OK ? 0 : -1;
}

static void modes_are_a_part(void **state)
{
    (void)state;
    assert_true(ps_thread_state() == 0);
    CHECK_OK(ps_thread_set_state(PS_STATE_TRAINING | PS_MODE_SYNC));
    assert_int_equal(ps_thread_mode(), PS_MODE_SYNC);
    CHECK_OK(ps_thread_set_mode(PS_MODE_ASYNC));
    assert_true(ps_thread_state() == (PS_STATE_TRAINING | PS_MODE_ASYNC));
    CHECK_OK(ps_thread_set_mode(PS_MODE_DEFAULT));
    assert_true(ps_thread_state() == PS_STATE_TRAINING);
}

static void what_is_unknown_is_refused(void **state)
{
    (void)state;
    const uint64_t kept = PS_STATE_RECORDING | PS_MODE_ASYNC;
    CHECK_OK(ps_thread_set_state(kept));
    CHECK_FAILS(PS_ERR_ARGUMENT, "unknown bits: 0x80", ps_thread_set_state(0x81));
    CHECK_FAILS(PS_ERR_ARGUMENT, "unknown bits: 0x8000000000000000",
                ps_thread_set_state(UINT64_C(1) << 63));
    CHECK_FAILS(PS_ERR_ARGUMENT, "3 is no mode", ps_thread_set_state(3));
    CHECK_FAILS(PS_ERR_ARGUMENT, "both on and off",
                ps_thread_set_state(PS_STATE_FUSION_ON | PS_STATE_FUSION_OFF));
    CHECK_FAILS(PS_ERR_ARGUMENT, "no device of number 65535", ps_thread_set_state(PS_STATE_DEVICE));
    assert_true(ps_thread_state() == kept);
}

static void *state_elsewhere(void *arg)
{
    *(uint64_t *)arg = ps_thread_state();
    return NULL;
}

static void threads_have_their_own(void **state)
{
    (void)state;
    uint64_t other = 1;
    pthread_t thread;
    CHECK_OK(ps_thread_set_state(PS_MODE_SYNC));
    assert_int_equal(pthread_create(&thread, NULL, state_elsewhere, &other), 0);
    pthread_join(thread, NULL);
    assert_true(other == 0);
}

/* ---- devices ------------------------------------------------------------------------------ */

static uint64_t state_of(ps_device *device)
{
    return (uint64_t)ps_device_number(device) << PS_STATE_DEVICE_SHIFT;
}

static ps_device *device_named(const char *name)
{
    ps_device *device;
    CHECK_OK(ps_device_find(name, &device));
    return device;
}

static void devices_have_numbers(void **state)
{
    (void)state;
    ps_device *cpu = device_named("cpu"), *second = device_named("cpu:1"),
              *null = device_named("null");
    assert_int_equal(ps_device_number(NULL), 0);
    assert_int_equal(ps_device_number(cpu), 1);
    assert_int_equal(ps_device_number(second), 2);
    assert_true(ps_device_number(null) > 2);
    assert_int_equal(ps_device_number(null), ps_device_number(device_named("null:0")));
}

static void check_made_on(ps_device *wanted, ps_device *named)
{
    ps_tensor *x = NULL, *y;
    const ps_op *zeros;
    CHECK_OK(ps_op_find("zeros", &zeros));
    CHECK_OK(ps_op_call(zeros, &(ps_call){.size = sizeof(ps_call),
                                          .args = (ps_arg[]){INTS(3)},
                                          .nargs = 1,
                                          .outputs = &x,
                                          .noutputs = 1,
                                          .device = named}));
    assert_ptr_equal(ps_tensor_device(x), wanted);
    CHECK_OK(ps_tensor_from_host(PS_FLOAT32, SHAPE(2), NULL, (float[]){1, 2}, named, &y));
    assert_ptr_equal(ps_tensor_device(y), wanted);
    ps_tensor_release(x);
    ps_tensor_release(y);
}

static void tensors_are_made_there(void **state)
{
    (void)state;
    ps_device *cpu = device_named("cpu"), *second = device_named("cpu:1"),
              *null = device_named("null");
    check_made_on(cpu, NULL);
    CHECK_OK(ps_thread_set_state(state_of(second)));
    check_made_on(second, NULL);
    check_made_on(cpu, cpu);
    CHECK_OK(ps_thread_set_state(state_of(null)));
    check_made_on(null, NULL);
    CHECK_OK(ps_thread_set_state(state_of(cpu)));
    check_made_on(cpu, NULL);
}

/* ---- fusion ------------------------------------------------------------------------------- */

static uint64_t groups_of_a_chain(void)
{
    ps_engine *engine;
    ps_engine_stats before = {.size = sizeof before}, after = {.size = sizeof after};
    CHECK_OK(ps_engine_default(&engine));
    ps_tensor *x = CALL("ones", INTS(100000));
    CHECK_OK(ps_tensor_wait(x, NULL));
    CHECK_OK(ps_engine_get_stats(engine, &before));
    workers_stop();
    ps_tensor *y = CALL("exp", T(x)), *z = CALL("sin", T(y));
    ps_tensor_release(y);
    CHECK_OK(ps_tensor_wait(z, NULL));
    workers_go_on();
    CHECK_OK(ps_engine_get_stats(engine, &after));
    ps_tensor_release(x);
    ps_tensor_release(z);
    return after.groups - before.groups;
}

static void fusion_by_thread(void **state)
{
    (void)state;
    for (int process = 0; process < 2; process++) {
        ps_fusion_set(process);
        CHECK_OK(ps_thread_set_state(PS_STATE_FUSION_OFF));
        assert_int_equal(groups_of_a_chain(), 0);
        CHECK_OK(ps_thread_set_state(0));
        assert_int_equal(groups_of_a_chain(), process);
        CHECK_OK(ps_thread_set_state(PS_STATE_FUSION_ON));
        assert_int_equal(groups_of_a_chain(), 1);
    }
    ps_fusion_set(true);
}

int main(void)
{
    alarm(LIMIT_S);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(modes_are_a_part, reset),
        cmocka_unit_test_setup(what_is_unknown_is_refused, reset),
        cmocka_unit_test_setup(threads_have_their_own, reset),
        cmocka_unit_test_setup(devices_have_numbers, reset),
        cmocka_unit_test_setup(tensors_are_made_there, reset),
        cmocka_unit_test_setup(fusion_by_thread, reset),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
