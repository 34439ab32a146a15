/* diff, and sums and products with the first element before them: values against plain loops, types,
 * axes, outputs, what is empty, what is refused. */
#include "positions_help.h"

/* ---- diff -------------------------------------------------------------------------------------- */

static void along_a_line(void **state)
{
    (void)state;
    enum { COUNT = 6 };
    static const float of[COUNT] = {1, 4, 9, -3, 0, 2};
    double left[COUNT];
    ps_tensor *x = from_floats(SHAPE(COUNT), of);
    for (int i = 0; i < COUNT; i++)
        left[i] = (double)of[i];
    for (int n = 0; n <= COUNT; n++) {
        ps_tensor *y = CALL("diff", T(x), I(n));
        assert_int_equal(ps_tensor_dtype(y), PS_FLOAT32);
        check_values(y, (size_t)(COUNT - n), left, __FILE__, __LINE__);
        ps_tensor_release(y);
        for (int i = 0; i + 1 < COUNT - n; i++)
            left[i] = left[i + 1] - left[i];
    }
    ps_tensor *none = CALL("diff", T(x), I(1000000000000));
    CHECK_SHAPE(none, 0);
    RELEASE(x, none);
}

static void along_axes(void **state)
{
    (void)state;
    ps_tensor *x = counted(PS_UINT8, SHAPE(2, 3)), *square = CALL("square", T(x));
    ps_tensor *down = CALL("diff", T(square), I(1), I(0)), *twice = CALL("diff", T(square), I(2));
    CHECK_SHAPE(down, 1, 3);
    CHECK_VALUES(down, 9, 15, 21);
    CHECK_SHAPE(twice, 2, 1);
    CHECK_VALUES(twice, 2, 2);
    ps_tensor *flags = mask_of(SHAPE(4), "1101"), *changes = CALL("diff", T(flags));
    assert_int_equal(ps_tensor_dtype(changes), PS_BOOL);
    CHECK_VALUES(changes, 0, 1, 1);
    RELEASE(x, square, down, twice, flags, changes);
}

static void continued(void **state)
{
    (void)state;
    ps_tensor *x = INDICES(PS_INT32, 1, 4), *before = INDICES(PS_INT64, 0);
    ps_tensor *behind = from_floats(SHAPE(2), (float[]){10, 10.5f});
    ps_tensor *first = CALL("diff", T(x), NONE, NONE, T(before));
    assert_int_equal(ps_tensor_dtype(first), PS_INT64);
    CHECK_VALUES(first, 1, 3);
    ps_tensor *both = CALL("diff", T(x), I(2), I(0), T(before), T(behind));
    assert_true(ps_tensor_dtype(both) == PS_FLOAT32 || ps_tensor_dtype(both) == PS_FLOAT64);
    CHECK_VALUES(both, 2, 3, -5.5);
    ps_tensor *whole = CALL("diff", T(x), I(0), I(0), T(before), NONE);
    CHECK_VALUES(whole, 0, 1, 4);
    RELEASE(x, before, behind, first, both, whole);
}

static void diff_refusals(void **state)
{
    (void)state;
    ps_tensor *x = CALL("zeros", INTS(2, 3)), *other = CALL("zeros", INTS(3, 3)), *out = NULL;
    CHECK_FAILS(PS_ERR_ARGUMENT, "diff: n must be at least 0, not -1",
                call_into("diff", ARGS(T(x), I(-1)), &out));
    CHECK_FAILS(PS_ERR_ARGUMENT, "diff: axis 2", call_into("diff", ARGS(T(x), I(1), I(2)), &out));
    CHECK_FAILS(PS_ERR_ARGUMENT, "diff: shape (3, 3) does not continue (2, 3)",
                call_into("diff", ARGS(T(x), I(1), I(1), T(other)), &out));
    CHECK_FAILS(PS_ERR_ARGUMENT, "diff: ", call_into("diff", ARGS(T(x)), &other));
    ps_tensor *given = CALL("ones", INTS(2, 2));
    CHECK_OK(call_into("diff", ARGS(T(x)), &given));
    CHECK_VALUES(given, 0, 0, 0, 0);
    RELEASE(x, other, given);
}

/* ---- with a first element ---------------------------------------------------------------------- */

static void with_initial(void **state)
{
    (void)state;
    ps_tensor *x = counted(PS_INT8, SHAPE(2, 3)), *y = CALL("add", T(x), I(1));
    ps_tensor *sums = CALL("cumulative_sum", T(y), I(1), NONE, B(true));
    assert_int_equal(ps_tensor_dtype(sums), PS_INT64);
    CHECK_SHAPE(sums, 2, 4);
    CHECK_VALUES(sums, 0, 1, 3, 6, 0, 4, 9, 15);
    ps_tensor *products = CALL("cumulative_prod", T(y), I(-2), D(PS_FLOAT32), B(true));
    assert_int_equal(ps_tensor_dtype(products), PS_FLOAT32);
    CHECK_SHAPE(products, 3, 3);
    CHECK_VALUES(products, 1, 1, 1, 1, 2, 3, 4, 10, 18);
    ps_tensor *all = CALL("cumulative_sum", T(y), NONE, NONE, B(true));
    CHECK_VALUES(all, 0, 1, 3, 6, 10, 15, 21);
    ps_tensor *point = CALL("full", INTS(1), I(5)), *number = CALL("squeeze", T(point));
    ps_tensor *two = CALL("cumulative_sum", T(number), NONE, NONE, B(true));
    CHECK_VALUES(two, 0, 5);
    ps_tensor *none = CALL("zeros", INTS(0, 2)),
              *one = CALL("cumulative_prod", T(none), I(0), NONE, B(true));
    CHECK_SHAPE(one, 1, 2);
    CHECK_VALUES(one, 1, 1);
    RELEASE(x, y, sums, products, all, point, number, two, none, one);
}

static void initial_outputs(void **state)
{
    (void)state;
    ps_tensor *x = counted(PS_INT64, SHAPE(3)), *out = CALL("zeros", INTS(4), D(PS_INT64));
    ps_tensor *short_one = CALL("zeros", INTS(3), D(PS_INT64));
    CHECK_OK(call_into("cumulative_sum", ARGS(T(x), I(0), NONE, B(true)), &out));
    CHECK_VALUES(out, 0, 0, 1, 3);
    CHECK_FAILS(PS_ERR_ARGUMENT, "cumulative_sum: ",
                call_into("cumulative_sum", ARGS(T(x), I(0), NONE, B(true)), &short_one));
    CHECK_FAILS(PS_ERR_ARGUMENT, "cumulative_sum: axis 1",
                call_into("cumulative_sum", ARGS(T(x), I(1), NONE, B(true)), &out));
    CHECK_FAILS(PS_ERR_TYPE, "cumulative_prod: no rule for int64 as bool",
                call_into("cumulative_prod", ARGS(T(x), I(0), D(PS_BOOL), B(true)), &out));
    RELEASE(x, out, short_one);
}

int main(void)
{
    alarm(LIMIT_S);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(along_a_line), cmocka_unit_test(along_axes),
        cmocka_unit_test(continued),    cmocka_unit_test(diff_refusals),
        cmocka_unit_test(with_initial), cmocka_unit_test(initial_outputs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
