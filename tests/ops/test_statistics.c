/* average, count_nonzero, ptp and kron: values, types, axes, outputs, what is empty, what is refused. */
#include "positions_help.h"

/* ---- average ------------------------------------------------------------------------------------ */

static void weighted(void **state)
{
    (void)state;
    ps_tensor *x = counted(PS_FLOAT32, SHAPE(2, 3)),
              *each = from_floats(SHAPE(3), (float[]){1, 0, 3});
    ps_tensor *rows = CALL("average", T(x), I(1), T(each));
    CHECK_SHAPE(rows, 2);
    CHECK_VALUES(rows, 1.5, 4.5);
    ps_tensor *kept = CALL("average", T(x), I(-1), T(each), B(true));
    CHECK_SHAPE(kept, 2, 1);
    CHECK_VALUES(kept, 1.5, 4.5);
    ps_tensor *plain = CALL("average", T(x), I(0)), *all = CALL("average", T(x), NONE, T(x));
    CHECK_VALUES(plain, 1.5, 2.5, 3.5);
    assert_int_equal(ps_tensor_ndim(all), 0);
    CHECK_VALUES(all, (double)(55.0f / 15.0f));
    RELEASE(x, each, rows, kept, plain, all);
}

static void average_types(void **state)
{
    (void)state;
    ps_tensor *x = INDICES(PS_INT8, 1, 3), *w = INDICES(PS_UINT8, 3, 1);
    ps_tensor *a = CALL("average", T(x), NONE, T(w)), *b = CALL("average", T(x));
    assert_int_equal(ps_tensor_dtype(a), PS_FLOAT32);
    CHECK_VALUES(a, 1.5);
    CHECK_VALUES(b, 2);
    ps_tensor *zero = CALL("zeros", INTS(2)), *nothing = CALL("average", T(x), NONE, T(zero));
    CHECK_VALUES(nothing, NAN);
    RELEASE(x, w, a, b, zero, nothing);
}

static void average_refusals(void **state)
{
    (void)state;
    ps_tensor *x = CALL("zeros", INTS(2, 3)), *w = CALL("zeros", INTS(2)), *out = NULL;
    CHECK_FAILS(PS_ERR_ARGUMENT, "average: weights of shape (2,) do not fit shape (2, 3), 2 axes",
                call_into("average", ARGS(T(x), NONE, T(w)), &out));
    CHECK_FAILS(PS_ERR_ARGUMENT, "average: weights of shape (2,) do not fit shape (2, 3), 1 axes",
                call_into("average", ARGS(T(x), I(1), T(w)), &out));
    CHECK_FAILS(PS_ERR_ARGUMENT, "average: axis 5",
                call_into("average", ARGS(T(x), I(5), T(w)), &out));
    CHECK_FAILS(PS_ERR_ARGUMENT, "average: ", call_into("average", ARGS(T(x), I(0), T(w)), &w));
    ps_tensor *given = CALL("zeros", INTS(3));
    CHECK_OK(call_into("average", ARGS(T(x), I(0)), &given));
    RELEASE(x, w, given);
}

/* ---- counts and ranges -------------------------------------------------------------------------- */

static void counts(void **state)
{
    (void)state;
    ps_tensor *x = from_floats(SHAPE(2, 3), (float[]){0, -0.0f, NAN, 1, 0, -2});
    ps_tensor *all = CALL("count_nonzero", T(x)),
              *rows = CALL("count_nonzero", T(x), I(1), B(true));
    assert_int_equal(ps_tensor_dtype(all), PS_INT64);
    CHECK_VALUES(all, 3);
    CHECK_SHAPE(rows, 2, 1);
    CHECK_VALUES(rows, 1, 2);
    ps_tensor *none = CALL("zeros", INTS(0, 2)), *zero = CALL("count_nonzero", T(none), I(0));
    CHECK_VALUES(zero, 0, 0);
    RELEASE(x, all, rows, none, zero);
}

static void ranges(void **state)
{
    (void)state;
    ps_tensor *x = INDICES(PS_INT16, 3, 9, -5), *all = CALL("ptp", T(x)), *out = NULL;
    assert_int_equal(ps_tensor_dtype(all), PS_INT16);
    CHECK_VALUES(all, 14);
    ps_tensor *y = from_floats(SHAPE(2, 2), (float[]){1, NAN, 2, 5});
    ps_tensor *rows = CALL("ptp", T(y), I(1)), *none = CALL("zeros", INTS(0, 2));
    CHECK_VALUES(rows, NAN, 3);
    ps_tensor *flags = CALL("zeros", INTS(2), D(PS_BOOL));
    CHECK_FAILS(PS_ERR_TYPE, "ptp: no rule for bool", call_into("ptp", ARGS(T(flags)), &out));
    CHECK_FAILS(PS_ERR_ARGUMENT, "ptp: no elements along the axes of shape (0, 2)",
                call_into("ptp", ARGS(T(none)), &out));
    CHECK_FAILS(PS_ERR_ARGUMENT,
                "count_nonzero: ", call_into("count_nonzero", ARGS(T(y), I(0)), &none));
    RELEASE(x, all, y, rows, none, flags);
}

/* ---- kron --------------------------------------------------------------------------------------- */

static void blocks(void **state)
{
    (void)state;
    ps_tensor *x = counted(PS_INT32, SHAPE(2, 2)), *y = from_floats(SHAPE(1, 2), (float[]){1, 10});
    ps_tensor *z = CALL("kron", T(x), T(y)), *w = CALL("kron", T(y), T(x));
    CHECK_SHAPE(z, 2, 4);
    CHECK_VALUES(z, 0, 0, 1, 10, 2, 20, 3, 30);
    CHECK_SHAPE(w, 2, 4);
    CHECK_VALUES(w, 0, 1, 0, 10, 2, 3, 20, 30);
    ps_tensor *line = INDICES(PS_INT8, 1, 2), *row = CALL("kron", T(line), T(x));
    assert_int_equal(ps_tensor_dtype(row), PS_INT32);
    CHECK_SHAPE(row, 2, 4);
    CHECK_VALUES(row, 0, 1, 0, 2, 2, 3, 4, 6);
    ps_tensor *none = CALL("zeros", INTS(0)), *empty = CALL("kron", T(none), T(line));
    CHECK_SHAPE(empty, 0);
    ps_tensor *deep = CALL("ones", INTS(1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1));
    ps_tensor *out = NULL;
    CHECK_FAILS(PS_ERR_ARGUMENT, "kron: 17 dimensions are more than 16",
                call_into("kron", ARGS(T(deep), T(x)), &out));
    CHECK_FAILS(PS_ERR_ARGUMENT, "kron: ", call_into("kron", ARGS(T(line), T(line)), &z));
    CHECK_OK(call_into("kron", ARGS(T(x), T(y)), &w));
    CHECK_VALUES(w, 0, 0, 1, 10, 2, 20, 3, 30);
    RELEASE(x, y, z, w, line, row, none, empty, deep);
}

int main(void)
{
    alarm(LIMIT_S);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(weighted),         cmocka_unit_test(average_types),
        cmocka_unit_test(average_refusals), cmocka_unit_test(counts),
        cmocka_unit_test(ranges),           cmocka_unit_test(blocks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
