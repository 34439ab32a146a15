/* isclose, allclose, array_equal and isin: values against plain loops, types, NaN and infinities,
 * what is empty, outputs, what is refused. */
#include "engine_help.h"
#include "positions_help.h"

#include "base/alloc.h"

enum { SPECIALS = 9 };

/* As isclose states it, for one pair. */
static bool is_close(double x1, double x2, double rtol, double atol, bool equal_nan)
{
    if (isnan(x1) || isnan(x2))
        return equal_nan && isnan(x1) && isnan(x2);
    return x1 == x2 || (isfinite(x2) && fabs(x1 - x2) <= atol + rtol * fabs(x2));
}

/* Each of some numbers beside each other one. */
static void check_pairs(double rtol, double atol, bool equal_nan)
{
    static const double of[SPECIALS] = {0, -0.0, 1, 1.5, -1, 1e-3, INFINITY, -INFINITY, NAN};
    double wanted[SPECIALS * SPECIALS];
    ps_tensor *row, *column;
    CHECK_OK(ps_tensor_from_host(PS_FLOAT64, SHAPE(1, SPECIALS), NULL, of, NULL, &row));
    CHECK_OK(ps_tensor_from_host(PS_FLOAT64, SHAPE(SPECIALS, 1), NULL, of, NULL, &column));
    bool all = true;
    for (int i = 0; i < SPECIALS * SPECIALS; i++) {
        bool close = is_close(of[i / SPECIALS], of[i % SPECIALS], rtol, atol, equal_nan);
        wanted[i] = close;
        all = all && close;
    }
    ps_tensor *y = CALL("isclose", T(column), T(row), F(rtol), F(atol), B(equal_nan));
    ps_tensor *whole = CALL("allclose", T(column), T(row), F(rtol), F(atol), B(equal_nan));
    assert_int_equal(ps_tensor_dtype(y), PS_BOOL);
    CHECK_SHAPE(y, SPECIALS, SPECIALS);
    check_values(y, SPECIALS * SPECIALS, wanted, __FILE__, __LINE__);
    assert_int_equal(ps_tensor_ndim(whole), 0);
    CHECK_VALUES(whole, all);
    RELEASE(row, column, y, whole);
}

static void near_numbers(void **state)
{
    (void)state;
    check_pairs(1e-5, 1e-8, false);
    check_pairs(1e-5, 1e-8, true);
    check_pairs(0.5, 0, false);
    check_pairs(0, 1, true);
    check_pairs(0, 0, false);
}

/* Neighbours that float32 does not tell apart, and complex numbers by their distance. */
static void near_types(void **state)
{
    (void)state;
    ps_tensor *a = INDICES(PS_INT32, 16777216, 7), *b = INDICES(PS_INT64, 16777217, 7);
    ps_tensor *apart = CALL("isclose", T(a), T(b), F(0), F(0));
    CHECK_VALUES(apart, 0, 1);
    float parts[4] = {3, 4, 0, 1};
    ps_tensor *z, *zero = CALL("zeros", INTS(2), D(PS_BOOL));
    CHECK_OK(ps_tensor_from_host(PS_COMPLEX64, SHAPE(2), NULL, parts, NULL, &z));
    ps_tensor *within = CALL("isclose", T(z), T(zero), F(0), F(4));
    CHECK_VALUES(within, 0, 1);
    RELEASE(a, b, apart, z, zero, within);
}

static void all_of_none(void **state)
{
    (void)state;
    ps_tensor *none = CALL("zeros", INTS(0, 3)), *row = CALL("zeros", INTS(3));
    ps_tensor *each = CALL("isclose", T(none), T(row)), *all = CALL("allclose", T(none), T(row));
    ps_tensor *same = CALL("array_equal", T(none), T(none));
    CHECK_SHAPE(each, 0, 3);
    CHECK_VALUES(all, 1);
    CHECK_VALUES(same, 1);
    RELEASE(none, row, each, all, same);
}

static void equal_tensors(void **state)
{
    (void)state;
    ps_tensor *x = counted(PS_INT32, SHAPE(2, 3)), *y = counted(PS_FLOAT64, SHAPE(2, 3));
    ps_tensor *line = counted(PS_INT32, SHAPE(6)), *nan = CALL("full", INTS(2), F(NAN));
    ps_tensor *same = CALL("array_equal", T(x), T(y)), *other = CALL("array_equal", T(x), T(line));
    ps_tensor *self = CALL("array_equal", T(nan), T(nan));
    assert_int_equal(ps_tensor_dtype(other), PS_BOOL);
    CHECK_VALUES(same, 1);
    CHECK_VALUES(other, 0);
    CHECK_VALUES(self, 0);
    RELEASE(x, y, line, nan, same, other, self);
}

static void among_others(void **state)
{
    (void)state;
    ps_tensor *x = counted(PS_INT8, SHAPE(2, 3)), *others = INDICES(PS_INT64, 4, 1, 300, 1);
    ps_tensor *found = CALL("isin", T(x), T(others)), *not = CALL("isin", T(x), T(others), B(true));
    CHECK_SHAPE(found, 2, 3);
    CHECK_VALUES(found, 0, 1, 0, 0, 1, 0);
    CHECK_VALUES(not, 1, 0, 1, 1, 0, 1);
    ps_tensor *none = CALL("zeros", INTS(0)), *never = CALL("isin", T(x), T(none));
    ps_tensor *always = CALL("isin", T(x), T(none), B(true)), *empty = CALL("isin", T(none), T(x));
    CHECK_VALUES(never, 0, 0, 0, 0, 0, 0);
    CHECK_VALUES(always, 1, 1, 1, 1, 1, 1);
    CHECK_SHAPE(empty, 0);
    RELEASE(x, others, found, not, none, never, always, empty);
}

static void nan_is_among_none(void **state)
{
    (void)state;
    ps_tensor *x = from_floats(SHAPE(3), (float[]){NAN, 1, -0.0f});
    ps_tensor *others = from_floats(SHAPE(2), (float[]){0, NAN});
    ps_tensor *found = CALL("isin", T(x), T(others));
    CHECK_VALUES(found, 0, 0, 1);
    RELEASE(x, others, found);
}

static void into_outputs(void **state)
{
    (void)state;
    ps_tensor *x = counted(PS_FLOAT32, SHAPE(2, 3)), *out = CALL("zeros", INTS(2, 3));
    ps_tensor *one = CALL("zeros", INTS(1)), *flag = CALL("squeeze", T(one));
    CHECK_OK(call_into("isclose", ARGS(T(x), T(x)), &out));
    CHECK_VALUES(out, 1, 1, 1, 1, 1, 1);
    CHECK_OK(call_into("isin", ARGS(T(x), T(x), B(true)), &out));
    CHECK_VALUES(out, 0, 0, 0, 0, 0, 0);
    CHECK_OK(call_into("allclose", ARGS(T(x), T(x)), &flag));
    CHECK_VALUES(one, 1);
    CHECK_OK(call_into("array_equal", ARGS(T(x), T(one)), &flag));
    CHECK_VALUES(one, 0);
    CHECK_FAILS(PS_ERR_ARGUMENT, "isclose: ", call_into("isclose", ARGS(T(x), T(x)), &one));
    CHECK_FAILS(PS_ERR_ARGUMENT, "allclose: ", call_into("allclose", ARGS(T(x), T(x)), &out));
    CHECK_FAILS(PS_ERR_ARGUMENT, "isin: ", call_into("isin", ARGS(T(x), T(x)), &one));
    RELEASE(x, out, one, flag);
}

static void refusals(void **state)
{
    (void)state;
    ps_tensor *x = CALL("zeros", INTS(2)), *y = CALL("zeros", INTS(3)), *out = NULL;
    CHECK_FAILS(PS_ERR_ARGUMENT, "isclose: shapes (2,) and (3,) cannot be broadcast together",
                call_into("isclose", ARGS(T(x), T(y)), &out));
    CHECK_FAILS(PS_ERR_ARGUMENT, "allclose: shapes (2,) and (3,) cannot be broadcast together",
                call_into("allclose", ARGS(T(x), T(y)), &out));
    RELEASE(x, y);
}

/* Of integers both are converted first: either conversion may fail. */
static void memory_that_is_not_there(void **state)
{
    (void)state;
    ps_tensor *x = counted(PS_INT32, SHAPE(2, 3));
    wait_all();
    for (unsigned long nth = 1, calls = 1; calls + 1 >= nth; nth++) {
        ps_tensor *y = NULL;
        ps__fault_set(nth, false);
        ps_status status = call_into("isclose", ARGS(T(x), T(x)), &y);
        calls = ps__fault_count();
        ps__fault_set(0, false);
        assert_true(status == PS_OK || status == PS_ERR_MEMORY);
        ps_tensor_release(y);
        while (ps_wait_all(engine(), NULL) != PS_OK)
            continue;
    }
    RELEASE(x);
}

int main(void)
{
    alarm(LIMIT_S);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_that_is_not_there),
        cmocka_unit_test(near_numbers),
        cmocka_unit_test(near_types),
        cmocka_unit_test(all_of_none),
        cmocka_unit_test(equal_tensors),
        cmocka_unit_test(among_others),
        cmocka_unit_test(nan_is_among_none),
        cmocka_unit_test(into_outputs),
        cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
