/* nan_to_num and round_to: values, types and their limits, what is refused. */
#include "positions_help.h"

#include <float.h>

/* ---- NaN and infinities ------------------------------------------------------------------------ */

static void replaced(void **state)
{
    (void)state;
    static const ps_dtype types[] = {PS_FLOAT16, PS_BFLOAT16, PS_FLOAT32, PS_FLOAT64};
    static const double most[] = {65504, 0x1.fep127, (double)FLT_MAX, DBL_MAX};
    ps_tensor *given = from_floats(SHAPE(5), (float[]){NAN, INFINITY, -INFINITY, -0.0f, 2.5f});
    for (int t = 0; t < 4; t++) {
        ps_tensor *x = CALL("cast", T(given), D(types[t])), *y = CALL("nan_to_num", T(x));
        assert_int_equal(ps_tensor_dtype(y), types[t]);
        CHECK_VALUES(y, 0, most[t], -most[t], 0, 2.5);
        RELEASE(x, y);
    }
    ps_tensor *own = CALL("nan_to_num", T(given), F(7), F(8), F(-9));
    CHECK_VALUES(own, 7, 8, -9, 0, 2.5);
    ps_tensor *kept = CALL("nan_to_num", T(given), F(INFINITY)); /* what is put is not replaced */
    CHECK_VALUES(kept, INFINITY, (double)FLT_MAX, -(double)FLT_MAX, 0, 2.5);
    RELEASE(given, own, kept);
}

static void integers_have_none(void **state)
{
    (void)state;
    ps_tensor *x = counted(PS_UINT8, SHAPE(3)), *y = CALL("nan_to_num", T(x), F(7));
    assert_int_equal(ps_tensor_dtype(y), PS_UINT8);
    assert_false(ps_tensor_shares(x, y));
    CHECK_VALUES(y, 0, 1, 2);
    RELEASE(x, y);
}

/* ---- decimals ---------------------------------------------------------------------------------- */

static void rounded_floats(void **state)
{
    (void)state;
    static const double of[] = {1.25, -1.35, 2.5, 1e300, NAN, INFINITY, 1234.5678, -0.04};
    enum { COUNT = sizeof of / sizeof of[0] };
    ps_tensor *x;
    CHECK_OK(ps_tensor_from_host(PS_FLOAT64, SHAPE(COUNT), NULL, of, NULL, &x));
    for (int decimals = -4; decimals <= 4; decimals++) {
        double wanted[COUNT], scale = pow(10, abs(decimals));
        for (int i = 0; i < COUNT; i++)
            wanted[i] = decimals > 0 ? rint(of[i] * scale) / scale : rint(of[i] / scale) * scale;
        ps_tensor *y = CALL("round_to", T(x), I(decimals));
        assert_int_equal(ps_tensor_dtype(y), PS_FLOAT64);
        check_values(y, COUNT, wanted, __FILE__, __LINE__);
        ps_tensor_release(y);
    }
    ps_tensor_release(x);
}

/* To tens: halves to the even one, below 0 as above it. */
static void rounded_integers(void **state)
{
    (void)state;
    ps_tensor *x = INDICES(PS_INT16, 15, 25, 24, 26, -15, -25, -24, -26, 5, -5);
    ps_tensor *tens = CALL("round_to", T(x), I(-1)), *same = CALL("round_to", T(x), I(2));
    assert_int_equal(ps_tensor_dtype(tens), PS_INT16);
    CHECK_VALUES(tens, 20, 20, 20, 30, -20, -20, -20, -30, 0, 0);
    CHECK_VALUES(same, 15, 25, 24, 26, -15, -25, -24, -26, 5, -5);
    ps_tensor *far = CALL("round_to", T(x), I(-18)), *beyond = CALL("round_to", T(x), I(-300));
    ps_tensor *sum1 = CALL("sum", T(far)), *sum2 = CALL("sum", T(beyond));
    CHECK_VALUES(sum1, 0);
    CHECK_VALUES(sum2, 0);
    ps_tensor *natural = INDICES(PS_UINT8, 250, 151, 150, 50, 49);
    ps_tensor *hundreds = CALL("round_to", T(natural), I(-2));
    CHECK_VALUES(hundreds, 200, 200, 200, 0, 0);
    RELEASE(x, tens, same, far, beyond, sum1, sum2, natural, hundreds);
}

static void rounded_complex(void **state)
{
    (void)state;
    float parts[2] = {1.25f, -2.75f};
    ps_tensor *z;
    CHECK_OK(ps_tensor_from_host(PS_COMPLEX64, SHAPE(1), NULL, parts, NULL, &z));
    ps_tensor *y = CALL("round_to", T(z)), *real = CALL("real", T(y)), *imag = CALL("imag", T(y));
    CHECK_VALUES(real, 1);
    CHECK_VALUES(imag, -3);
    RELEASE(z, y, real, imag);
}

/* ---- outputs and refusals ---------------------------------------------------------------------- */

static void into_outputs(void **state)
{
    (void)state;
    ps_tensor *x = from_floats(SHAPE(3), (float[]){1.26f, NAN, 12});
    CHECK_OK(call_into("nan_to_num", ARGS(T(x), F(3)), &x)); /* in place */
    CHECK_OK(call_into("round_to", ARGS(T(x), I(-1)), &x));
    CHECK_VALUES(x, 0, 0, 10);
    ps_tensor *i = INDICES(PS_INT32, 17), *wide = CALL("zeros", INTS(1), D(PS_INT64));
    CHECK_OK(call_into("round_to", ARGS(T(i), I(-1)), &wide));
    CHECK_VALUES(wide, 20);
    ps_tensor *three = INDICES(PS_INT32, 1, 2, 3);
    CHECK_FAILS(PS_ERR_TYPE, "round_to: ", call_into("round_to", ARGS(T(x), I(1)), &three));
    CHECK_FAILS(PS_ERR_ARGUMENT, "nan_to_num: ", call_into("nan_to_num", ARGS(T(i)), &x));
    RELEASE(x, i, wide, three);
}

static void refusals(void **state)
{
    (void)state;
    ps_tensor *x = CALL("zeros", INTS(2)), *flags = CALL("zeros", INTS(2), D(PS_BOOL)), *out = NULL;
    CHECK_FAILS(PS_ERR_ARGUMENT, "round_to: decimals must be from -308 to 308, not 309",
                call_into("round_to", ARGS(T(x), I(309)), &out));
    CHECK_FAILS(PS_ERR_TYPE, "round_to: no rule for bool",
                call_into("round_to", ARGS(T(flags), I(1)), &out));
    ps_tensor *none = CALL("zeros", INTS(0, 2)), *y = CALL("round_to", T(none), I(3));
    CHECK_SHAPE(y, 0, 2);
    RELEASE(x, flags, none, y);
}

int main(void)
{
    alarm(LIMIT_S);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(replaced),        cmocka_unit_test(integers_have_none),
        cmocka_unit_test(rounded_floats),  cmocka_unit_test(rounded_integers),
        cmocka_unit_test(rounded_complex), cmocka_unit_test(into_outputs),
        cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
