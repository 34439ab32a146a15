/* unique_values, unique_indices, unique_inverse, unique_counts: by hand, with an order that is
 * given, NaN both ways, on another device; errors; memory. */
#include "positions_help.h"

#include "base/alloc.h"
#include "device/late/late.h"

static void by_hand(void **state)
{
    (void)state;
    ps_tensor *x = indices_of(PS_INT16, SHAPE(2, 3), (int64_t[]){5, -1, 5, 3, -1, 5});
    ps_tensor *turned = CALL("permute", T(x)), *line = CALL("reshape", T(turned), INTS(6));
    ps_tensor *order = CALL("argsort", T(line));
    for (int given = 0; given < 2; given++) {
        ps_arg places = given ? T(order) : NONE;
        ps_tensor *values = CALL("unique_values", T(turned), places);
        ps_tensor *indices = CALL("unique_indices", T(turned), places);
        ps_tensor *inverse = CALL("unique_inverse", T(turned), places);
        ps_tensor *counts = CALL("unique_counts", T(turned), places);
        assert_int_equal(ps_tensor_dtype(values), PS_INT16);
        CHECK_VALUES(values, -1, 3, 5);
        CHECK_VALUES(indices, 2, 1, 0); /* the elements go 5 3 -1 -1 5 5 */
        CHECK_SHAPE(inverse, 3, 2);
        CHECK_VALUES(inverse, 2, 1, 0, 0, 2, 2);
        CHECK_VALUES(counts, 2, 1, 3);
        assert_int_equal(ps_tensor_dtype(counts), PS_INT64);
        RELEASE(values, indices, inverse, counts);
    }
    RELEASE(x, turned, line, order);
}

/* Every NaN by itself, or all as one; zeros of both signs are one, the first of them. */
static void nans_and_zeros(void **state)
{
    (void)state;
    ps_tensor *x = from_floats(SHAPE(6), (float[]){NAN, -0.0f, 1, NAN, 0.0f, -NAN});
    ps_tensor *values = CALL("unique_values", T(x)), *counts = CALL("unique_counts", T(x));
    CHECK_VALUES(values, 0, 1, NAN, NAN, NAN);
    CHECK_VALUES(counts, 2, 1, 1, 1, 1);
    ps_tensor *joined = CALL("unique_values", T(x), NONE, B(true));
    ps_tensor *inverse = CALL("unique_inverse", T(x), NONE, B(true));
    CHECK_VALUES(joined, 0, 1, NAN);
    CHECK_VALUES(inverse, 2, 0, 1, 2, 0, 2);
    float got[3];
    CHECK_OK(ps_tensor_to_host(joined, got, sizeof got));
    assert_true(signbit(got[0]));
    RELEASE(x, values, counts, joined, inverse);
}

static void nothing_and_points(void **state)
{
    (void)state;
    ps_tensor *none = CALL("zeros", INTS(0, 3)), *full = counted(PS_INT32, SHAPE(1, 1));
    ps_tensor *point = CALL("sum", T(full));
    static const char *const names[] = {"unique_values", "unique_indices", "unique_inverse",
                                        "unique_counts"};
    for (int i = 0; i < 4; i++) {
        ps_tensor *empty = CALL(names[i], T(none)), *one = CALL(names[i], T(point));
        assert_int_equal(ps_tensor_count(empty), 0);
        assert_int_equal(ps_tensor_ndim(empty), i == 2 ? 2 : 1);
        assert_int_equal(ps_tensor_ndim(one), i == 2 ? 0 : 1);
        CHECK_VALUES(one, i == 3);
        RELEASE(empty, one);
    }
    RELEASE(none, full, point);
}

/* The parts that it is made of are on x's device too. */
static void on_another_device(void **state)
{
    (void)state;
    static const char *const names[] = {"unique_values", "unique_indices", "unique_inverse",
                                        "unique_counts"};
    static const int64_t wanted[4][3] = {{4, 7}, {1, 0}, {1, 0, 1}, {1, 2}};
    ps_device *late;
    ps_tensor *x;
    CHECK_OK(ps__late_create(&late));
    CHECK_OK(ps_tensor_from_host(PS_INT64, SHAPE(3), NULL, (int64_t[]){7, 4, 7}, late, &x));
    for (int i = 0; i < 4; i++) {
        ps_tensor *y = CALL(names[i], T(x));
        int64_t got[3], count = ps_tensor_count(y);
        assert_ptr_equal(ps_tensor_device(y), late);
        assert_int_equal(count, i == 2 ? 3 : 2);
        CHECK_OK(ps_tensor_to_host(y, got, (size_t)count * sizeof got[0]));
        assert_memory_equal(got, wanted[i], (size_t)count * sizeof got[0]);
        ps_tensor_release(y);
    }
    ps_tensor_release(x);
}

static void into_an_output(void **state)
{
    (void)state;
    ps_tensor *x = INDICES(PS_INT32, 7, 4, 7), *y = CALL("zeros", INTS(2), D(PS_FLOAT32));
    CHECK_OK(call_into("unique_values", ARGS(T(x)), &y));
    CHECK_VALUES(y, 4, 7);
    ps_tensor *wrong = CALL("zeros", INTS(3), D(PS_INT64));
    CHECK_FAILS(PS_ERR_ARGUMENT, "the output has shape (3,), the result (2,)",
                call_into("unique_counts", ARGS(T(x)), &wrong));
    RELEASE(x, y, wrong);
}

static void what_is_refused(void **state)
{
    (void)state;
    ps_tensor *x = INDICES(PS_INT32, 7, 4, 7), *few = INDICES(PS_INT64, 0, 1), *out = NULL;
    ps_tensor *narrow = INDICES(PS_INT32, 0, 1, 2);
    CHECK_FAILS(PS_ERR_ARGUMENT, "order must be 3 places of int64, not int64 of shape (2,)",
                call_into("unique_inverse", ARGS(T(x), T(few)), &out));
    CHECK_FAILS(PS_ERR_ARGUMENT, "not int32 of shape (3,)",
                call_into("unique_indices", ARGS(T(x), T(narrow)), &out));
    CHECK_FAILS(PS_ERR_TYPE, "must be a tensor", call_into("unique_values", ARGS(F(1)), &out));
    assert_null(out);
    RELEASE(x, few, narrow);
}

/* Each allocation fails in turn: the call or the wait says so, or all is as it should be. */
static void memory_that_is_not_there(void **state)
{
    (void)state;
    ps_engine *engine;
    CHECK_OK(ps_engine_default(&engine));
    ps_tensor *x = INDICES(PS_INT32, 7, 4, 7);
    CHECK_OK(ps_wait_all(engine, NULL));
    for (unsigned long nth = 1, calls = nth; calls + 1 >= nth; nth++) {
        ps_tensor *inverse = NULL, *counts = NULL;
        int64_t got[3], how_many[2];
        ps__fault_set(nth, false);
        ps_status status = call_into("unique_inverse", ARGS(T(x), NONE, B(true)), &inverse);
        if (status == PS_OK)
            status = call_into("unique_counts", ARGS(T(x)), &counts);
        if (status == PS_OK)
            status = ps_tensor_to_host(inverse, got, sizeof got);
        if (status == PS_OK)
            status = ps_tensor_to_host(counts, how_many, sizeof how_many);
        calls = ps__fault_count();
        ps__fault_set(0, false);
        if (status == PS_OK) {
            assert_memory_equal(got, ((int64_t[]){1, 0, 1}), sizeof got);
            assert_memory_equal(how_many, ((int64_t[]){1, 2}), sizeof how_many);
        } else {
            assert_int_equal(status, PS_ERR_MEMORY);
        }
        RELEASE(inverse, counts);
        while (ps_wait_all(engine, NULL) != PS_OK)
            continue;
    }
    ps_tensor_release(x);
}

int main(void)
{
    alarm(LIMIT_S);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(by_hand),
        cmocka_unit_test(nans_and_zeros),
        cmocka_unit_test(nothing_and_points),
        cmocka_unit_test(into_an_output),
        cmocka_unit_test(on_another_device),
        cmocka_unit_test(what_is_refused),
        cmocka_unit_test(memory_that_is_not_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
