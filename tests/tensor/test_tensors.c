/* Tensors: handles, elements in and out, waiting, versions; and all of it from several threads. */
#include "ops/help.h"

#include <pthread.h>

static void release_all(ps_tensor **tensors, size_t count)
{
    for (size_t i = 0; i < count; i++)
        ps_tensor_release(tensors[i]);
}

#define RELEASE(...)                                                                               \
    release_all((ps_tensor *[]){__VA_ARGS__},                                                      \
                sizeof((ps_tensor *[]){__VA_ARGS__}) / sizeof(ps_tensor *))

static uint64_t live_bytes(void)
{
    ps_engine *engine;
    ps_memory_stats stats = {.size = sizeof stats};
    CHECK_OK(ps_engine_default(&engine));
    CHECK_OK(ps_wait_all(engine, NULL));
    CHECK_OK(ps_memory_get_stats(&stats));
    return stats.live;
}

/* ---- handles ----------------------------------------------------------------------------- */

static void handles_are_counted(void **state)
{
    (void)state;
    uint64_t before = live_bytes();
    ps_tensor *x = CALL("zeros", INTS(1 << 20));
    CHECK_OK(ps_tensor_retain(x));
    ps_tensor_release(x);
    CHECK_OK(ps_tensor_wait(x, NULL));
    assert_true(live_bytes() >= before + (4u << 20));
    ps_tensor_release(x);
    assert_true(live_bytes() < before + (1u << 20));
    ps_tensor_release(NULL);
    CHECK_FAILS(PS_ERR_ARGUMENT, "tensor is NULL", ps_tensor_retain(NULL));
}

static void what_is_known_without_waiting(void **state)
{
    (void)state;
    ps_tensor *x = counted(PS_INT16, SHAPE(2, 3, 4)), *point = CALL("sum", T(x));
    assert_int_equal(ps_tensor_dtype(x), PS_INT16);
    assert_int_equal(ps_tensor_ndim(x), 3);
    assert_int_equal(ps_tensor_count(x), 24);
    assert_int_equal(ps_tensor_shape(x)[1], 3);
    assert_int_equal(ps_tensor_strides(x)[0], 12);
    assert_int_equal(ps_tensor_strides(x)[2], 1);
    assert_non_null(ps_tensor_device(x));
    assert_int_equal(ps_tensor_ndim(point), 0);
    assert_int_equal(ps_tensor_count(point), 1);
    RELEASE(x, point);
}

static void versions_count_writes(void **state)
{
    (void)state;
    ps_tensor *x = counted(PS_FLOAT32, SHAPE(4)), *view;
    CHECK_OK(ps_tensor_index(x, &(ps_index){PS_INDEX_RANGE, 0, 2, 1}, 1, &view));
    uint64_t version = ps_tensor_version(x);
    CHECK_OK(call_into("add", ARGS(T(x), I(1)), &x));
    CHECK_OK(call_into("assign", ARGS(I(1)), &view));
    CHECK_VALUES(x, 1, 1, 3, 4);
    assert_int_equal(ps_tensor_version(x), version + 2);
    assert_int_equal(ps_tensor_version(view), version + 2);
    RELEASE(x, view);
}

static void ready_or_not(void **state)
{
    (void)state;
    ps_tensor *x = counted(PS_FLOAT32, SHAPE(64, 64)), *y = x;
    CHECK_OK(ps_tensor_retain(x));
    for (int i = 0; i < 50; i++) {
        ps_tensor *next = CALL("matmul", T(y), T(x));
        ps_tensor_release(y);
        y = next;
    }
    ps_wait_options look = {sizeof look, 0}, ever = {sizeof ever, -1};
    ps_status status = ps_tensor_wait(y, &look);
    assert_true(status == PS_OK || status == PS_ERR_TIMEOUT);
    CHECK_OK(ps_tensor_wait(y, &ever));
    assert_true(ps_tensor_is_ready(y));
    CHECK_OK(ps_tensor_wait(y, &look));
    assert_false(ps_tensor_is_ready(NULL));
    CHECK_FAILS(PS_ERR_ARGUMENT, "tensor is NULL", ps_tensor_wait(NULL, NULL));
    RELEASE(x, y);
}

/* ---- in and out -------------------------------------------------------------------------- */

static void elements_of_every_type(void **state)
{
    (void)state;
    for (int d = 0; d <= PS_COMPLEX128; d++) {
        size_t item = ps_dtype_bytes((ps_dtype)d);
        unsigned char in[24 * 16], out[24 * 16] = {0};
        for (size_t i = 0; i < sizeof in; i++)
            in[i] = d == PS_BOOL ? i % 2 : (unsigned char)(i * 37 + 11);
        ps_tensor *x;
        CHECK_OK(ps_tensor_from_host((ps_dtype)d, SHAPE(2, 3, 4), NULL, in, NULL, &x));
        memset(in + 24 * item, 0, sizeof in - 24 * item);
        CHECK_OK(ps_tensor_to_host(x, out, sizeof out)); /* more room than needed is fine */
        assert_memory_equal(in, out, sizeof in);
        ps_tensor_release(x);
    }
}

/* The copy is taken before the call returns. */
static void the_callers_memory_is_its_own(void **state)
{
    (void)state;
    float values[3] = {1, 2, 3};
    ps_tensor *x = from_floats(SHAPE(3), values);
    memset(values, 0xff, sizeof values);
    ps_tensor *y = CALL("add", T(x), I(1));
    CHECK_VALUES(x, 1, 2, 3);
    CHECK_VALUES(y, 2, 3, 4);
    RELEASE(x, y);
}

static void strided_host_memory(void **state)
{
    (void)state;
    int32_t values[24];
    for (int i = 0; i < 24; i++)
        values[i] = i;
    ps_tensor *columns, *backward, *repeated, *deep;
    CHECK_OK(ps_tensor_from_host(PS_INT32, SHAPE(6, 4), (int64_t[]){1, 6}, values, NULL, &columns));
    CHECK_OK(ps_tensor_from_host(PS_INT32, SHAPE(3), (int64_t[]){-4}, values + 8, NULL, &backward));
    CHECK_OK(
        ps_tensor_from_host(PS_INT32, SHAPE(2, 2), (int64_t[]){0, 5}, values, NULL, &repeated));
    CHECK_OK(ps_tensor_from_host(PS_INT32, SHAPE(2, 3, 2, 2), (int64_t[]){12, 4, 1, 2}, values,
                                 NULL, &deep));
    double *got = values_of(columns);
    for (int i = 0; i < 24; i++)
        assert_true(got[i] == i % 4 * 6 + i / 4);
    free(got);
    CHECK_VALUES(backward, 8, 4, 0);
    CHECK_VALUES(repeated, 0, 5, 0, 5);
    CHECK_VALUES(deep, 0, 2, 1, 3, 4, 6, 5, 7, 8, 10, 9, 11, 12, 14, 13, 15, 16, 18, 17, 19, 20, 22,
                 21, 23);
    RELEASE(columns, backward, repeated, deep);
}

static void what_in_and_out_refuse(void **state)
{
    (void)state;
    float values[6] = {0};
    ps_tensor *x = NULL;
    CHECK_FAILS(PS_ERR_ARGUMENT, "elements is NULL",
                ps_tensor_from_host(PS_FLOAT32, SHAPE(2), NULL, NULL, NULL, &x));
    CHECK_FAILS(PS_ERR_ARGUMENT, "tensor is NULL",
                ps_tensor_from_host(PS_FLOAT32, SHAPE(2), NULL, values, NULL, NULL));
    CHECK_FAILS(PS_ERR_ARGUMENT, "77 is no element type",
                ps_tensor_from_host((ps_dtype)77, SHAPE(2), NULL, values, NULL, &x));
    CHECK_FAILS(PS_ERR_ARGUMENT, "33 dimensions, at most 32",
                ps_tensor_from_host(PS_FLOAT32, 33, (int64_t[33]){0}, NULL, values, NULL, &x));
    CHECK_FAILS(PS_ERR_ARGUMENT, "shape is NULL",
                ps_tensor_from_host(PS_FLOAT32, 1, NULL, NULL, values, NULL, &x));
    assert_null(x);
    x = from_floats(SHAPE(2, 3), values);
    CHECK_FAILS(PS_ERR_ARGUMENT, "room for 23 bytes, 24 are needed",
                ps_tensor_to_host(x, values, 23));
    CHECK_FAILS(PS_ERR_ARGUMENT, "24 are needed", ps_tensor_to_host(x, NULL, 24));
    CHECK_FAILS(PS_ERR_ARGUMENT, "tensor is NULL", ps_tensor_to_host(NULL, values, 24));
    ps_scalar value;
    CHECK_FAILS(PS_ERR_ARGUMENT, "shape (2, 3) has 6 elements, not one", ps_tensor_item(x, &value));
    CHECK_FAILS(PS_ERR_ARGUMENT, "value is NULL", ps_tensor_item(x, NULL));
    ps_tensor *empty;
    CHECK_OK(ps_tensor_from_host(PS_FLOAT32, SHAPE(0), NULL, NULL, NULL, &empty));
    CHECK_OK(ps_tensor_to_host(empty, NULL, 0));
    RELEASE(x, empty);
}

static void single_elements(void **state)
{
    (void)state;
    const struct {
        ps_dtype dtype;
        ps_scalar_tag tag;
    } cases[] = {{PS_BOOL, PS_SCALAR_BOOL},        {PS_INT8, PS_SCALAR_INT64},
                 {PS_INT64, PS_SCALAR_INT64},      {PS_UINT32, PS_SCALAR_INT64},
                 {PS_UINT64, PS_SCALAR_UINT64},    {PS_FLOAT16, PS_SCALAR_DOUBLE},
                 {PS_BFLOAT16, PS_SCALAR_DOUBLE},  {PS_FLOAT64, PS_SCALAR_DOUBLE},
                 {PS_COMPLEX64, PS_SCALAR_COMPLEX}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ps_tensor *x = CALL("ones", INTS(1, 1), D(cases[i].dtype));
        ps_scalar value;
        CHECK_OK(ps_tensor_item(x, &value));
        assert_int_equal(value.tag, cases[i].tag);
        assert_true(value.tag == PS_SCALAR_BOOL     ? value.as.b
                    : value.tag >= PS_SCALAR_DOUBLE ? value.as.d == 1
                                                    : value.as.i == 1);
        ps_tensor_release(x);
    }
}

/* ---- several threads --------------------------------------------------------------------- */

enum { THREADS = 4, ROUNDS = 200 };

typedef struct shared {
    ps_tensor *total, *source;
    _Atomic int failures;
} shared;

static bool into(const char *name, ps_tensor *a, ps_arg b, ps_tensor *out)
{
    return call_into(name, ARGS(T(a), b), &out) == PS_OK;
}

/* Adds to one tensor, reads another, and makes tensors that other threads' cells go into. */
static void *add_up(void *arg)
{
    shared *s = arg;
    for (int i = 0; i < ROUNDS; i++) {
        ps_tensor *x = NULL, *y = NULL;
        bool fine = into("add", s->total, I(1), s->total);
        fine &= call_into("multiply", ARGS(T(s->source), I(i)), &x) == PS_OK;
        fine &= x != NULL && call_into("sum", ARGS(T(x)), &y) == PS_OK;
        ps_scalar value;
        if (i % 20 == 0)
            fine &= ps_tensor_item(y, &value) == PS_OK && value.as.d == 3000.0 * i;
        if (i % 50 == 0) {
            float now[4];
            fine &= ps_tensor_to_host(s->total, now, sizeof now) == PS_OK && now[0] == now[3];
        }
        ps_tensor_release(x);
        ps_tensor_release(y);
        s->failures += !fine;
    }
    return NULL;
}

static void tensors_are_shared_by_threads(void **state)
{
    (void)state;
    shared s = {.total = CALL("zeros", INTS(4)), .source = CALL("ones", INTS(3000))};
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, add_up, &s), 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    assert_int_equal(s.failures, 0);
    CHECK_VALUES(s.total, THREADS * ROUNDS, THREADS * ROUNDS, THREADS * ROUNDS, THREADS * ROUNDS);
    RELEASE(s.total, s.source);
}

static void *drop_half(void *arg)
{
    ps_tensor **tensors = arg;
    for (int i = 0; i < ROUNDS; i += 2)
        ps_tensor_release(tensors[i]);
    return NULL;
}

/* Handles may be released by any thread, while their work is queued. */
static void handles_go_on_other_threads(void **state)
{
    (void)state;
    ps_tensor *tensors[ROUNDS], *x = CALL("ones", INTS(3000));
    pthread_t thread;
    for (int i = 0; i < ROUNDS; i++)
        tensors[i] = CALL("multiply", T(i % 3 == 0 || i == 0 ? x : tensors[i - 1]), I(1));
    assert_int_equal(pthread_create(&thread, NULL, drop_half, tensors), 0);
    for (int i = 1; i < ROUNDS; i += 2) {
        double *values = values_of(tensors[i]);
        assert_true(values[0] == 1 && values[2999] == 1);
        free(values);
        ps_tensor_release(tensors[i]);
    }
    pthread_join(thread, NULL);
    ps_tensor_release(x);
}

int main(void)
{
    alarm(LIMIT_S);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(handles_are_counted),
        cmocka_unit_test(what_is_known_without_waiting),
        cmocka_unit_test(versions_count_writes),
        cmocka_unit_test(ready_or_not),
        cmocka_unit_test(elements_of_every_type),
        cmocka_unit_test(the_callers_memory_is_its_own),
        cmocka_unit_test(strided_host_memory),
        cmocka_unit_test(what_in_and_out_refuse),
        cmocka_unit_test(single_elements),
        cmocka_unit_test(tensors_are_shared_by_threads),
        cmocka_unit_test(handles_go_on_other_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
