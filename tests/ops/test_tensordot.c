/* tensordot and dot: which axes go where, given outputs, errors, and the same values as sums of
 * products taken one by one. */
#include "ops/help.h"

static void release(size_t count, ps_tensor **tensors)
{
    for (size_t i = 0; i < count; i++)
        ps_tensor_release(tensors[i]);
}

#define RELEASE(...)                                                                               \
    release(sizeof((ps_tensor *[]){__VA_ARGS__}) / sizeof(ps_tensor *),                            \
            (ps_tensor *[]){__VA_ARGS__})

/* ---- tensordot --------------------------------------------------------------------------- */

static void one_axis(void **unused)
{
    (void)unused;
    ps_tensor *a = counted(PS_FLOAT32, SHAPE(2, 3)), *b = counted(PS_FLOAT32, SHAPE(3, 2));
    ps_tensor *last = CALL("tensordot", T(a), T(b), INTS(1), INTS(0));
    CHECK_SHAPE(last, 2, 2);
    CHECK_VALUES(last, 10, 13, 28, 40);
    ps_tensor *first = CALL("tensordot", T(a), T(b), INTS(0), INTS(-1));
    CHECK_SHAPE(first, 3, 3);
    CHECK_VALUES(first, 3, 9, 15, 4, 14, 24, 5, 19, 33);
    RELEASE(a, b, last, first);
}

/* The definition, for x1 of (4, 3, 5) and x2 of (5, 2, 4) over axes 0 and 2 with 2 and 0. */
static void two_axes(void **unused)
{
    (void)unused;
    static const ps_dtype dtypes[] = {PS_FLOAT32, PS_FLOAT64, PS_INT32, PS_INT64, PS_COMPLEX64};
    for (size_t d = 0; d < sizeof dtypes / sizeof dtypes[0]; d++) {
        ps_tensor *a = counted(dtypes[d], SHAPE(4, 3, 5)), *b = counted(dtypes[d], SHAPE(5, 2, 4));
        ps_tensor *c = CALL("tensordot", T(a), T(b), INTS(0, 2), INTS(2, 0));
        ps_tensor *turned = CALL("tensordot", T(a), T(b), INTS(2, 0), INTS(0, 2));
        double wanted[6] = {0};
        for (int i = 0; i < 4 * 3 * 5 * 2; i++) {
            int p = i / 30, r = i / 10 % 3, q = i / 2 % 5, s = i % 2;
            wanted[2 * r + s] += (p * 15 + r * 5 + q) * (double)(q * 8 + s * 4 + p);
        }
        CHECK_SHAPE(c, 3, 2);
        assert_int_equal(ps_tensor_dtype(c), dtypes[d]);
        if (dtypes[d] != PS_COMPLEX64) {
            check_values(c, 6, wanted, __FILE__, __LINE__);
            check_values(turned, 6, wanted, __FILE__, __LINE__);
        } else {
            ps_tensor *parts = CALL("real", T(c));
            check_values(parts, 6, wanted, __FILE__, __LINE__);
            ps_tensor_release(parts);
        }
        RELEASE(a, b, c, turned);
    }
}

static void no_axis_and_all(void **unused)
{
    (void)unused;
    ps_arg none = {.kind = PS_ARG_INTS, .count = 0};
    ps_tensor *a = counted(PS_INT64, SHAPE(2)), *b = counted(PS_INT64, SHAPE(1, 3));
    ps_tensor *outer = CALL("tensordot", T(a), T(b), none, none);
    CHECK_SHAPE(outer, 2, 1, 3);
    CHECK_VALUES(outer, 0, 0, 0, 0, 1, 2);
    ps_tensor *inner = CALL("tensordot", T(b), T(b), INTS(0, 1), INTS(0, 1));
    assert_int_equal(ps_tensor_ndim(inner), 0);
    CHECK_VALUES(inner, 5);
    ps_tensor *empty = CALL("zeros", INTS(2, 0)), *zero;
    zero = CALL("tensordot", T(empty), T(empty), INTS(1), INTS(1));
    CHECK_SHAPE(zero, 2, 2);
    CHECK_VALUES(zero, 0, 0, 0, 0);
    RELEASE(a, b, outer, inner, empty, zero);
}

static void views_and_types(void **unused)
{
    (void)unused;
    ps_tensor *a = counted(PS_INT32, SHAPE(3, 4)), *b = counted(PS_FLOAT32, SHAPE(4)), *back;
    CHECK_OK(ps_tensor_index(a,
                             (ps_index[]){{.kind = PS_INDEX_ELLIPSIS},
                                          {PS_INDEX_RANGE, PS_INDEX_NONE, PS_INDEX_NONE, -1}},
                             2, &back));
    ps_tensor *c = CALL("tensordot", T(back), T(b), INTS(1), INTS(0));
    assert_int_equal(ps_tensor_dtype(c), PS_FLOAT32);
    CHECK_VALUES(c, 4, 28, 52);
    RELEASE(a, b, back, c);
}

static void into_given(void **unused)
{
    (void)unused;
    ps_tensor *a = counted(PS_FLOAT32, SHAPE(2, 2)), *b = counted(PS_FLOAT32, SHAPE(2, 1, 2));
    ps_tensor *plain = CALL("zeros", INTS(2, 1, 2)), *wide, *turned;
    wide = CALL("zeros", INTS(2, 1, 2), D(PS_FLOAT64));
    ps_tensor *base = CALL("zeros", INTS(2, 1, 2));
    CHECK_OK(ps_tensor_permute(base, NULL, 0, &turned));
    CHECK_OK(call_into("tensordot", ARGS(T(a), T(b), INTS(1), INTS(0)), &plain));
    CHECK_OK(call_into("tensordot", ARGS(T(a), T(b), INTS(1), INTS(0)), &wide));
    CHECK_OK(call_into("tensordot", ARGS(T(a), T(b), INTS(1), INTS(0)), &turned));
    CHECK_VALUES(plain, 2, 3, 6, 11);
    CHECK_VALUES(wide, 2, 3, 6, 11);
    CHECK_VALUES(base, 2, 6, 3, 11);
    CHECK_OK(call_into("tensordot", ARGS(T(a), T(b), INTS(1), INTS(0)), &b));
    CHECK_VALUES(b, 2, 3, 6, 11);
    RELEASE(a, b, plain, wide, base, turned);
}

static void errors(void **unused)
{
    (void)unused;
    ps_tensor *a = counted(PS_FLOAT32, SHAPE(2, 3)), *out = NULL;
    CHECK_FAILS(PS_ERR_ARGUMENT,
                "tensordot: shapes (2, 3) and (2, 3) do not fit: axis 1 of x1 has length 3, axis 0 "
                "of x2 2",
                call_into("tensordot", ARGS(T(a), T(a), INTS(1), INTS(0)), &out));
    CHECK_FAILS(PS_ERR_ARGUMENT, "2 axes of x1 but 1 of x2",
                call_into("tensordot", ARGS(T(a), T(a), INTS(0, 1), INTS(0)), &out));
    CHECK_FAILS(PS_ERR_ARGUMENT, "axis 1 of x2 is given twice",
                call_into("tensordot", ARGS(T(a), T(a), INTS(0, 1), INTS(1, -1)), &out));
    CHECK_FAILS(PS_ERR_ARGUMENT, "axis 2 is out of range",
                call_into("tensordot", ARGS(T(a), T(a), INTS(2), INTS(0)), &out));
    CHECK_FAILS(PS_ERR_TYPE, "x2 must be a tensor",
                call_into("tensordot", ARGS(T(a), F(1), INTS(0), INTS(0)), &out));
    CHECK_FAILS(PS_ERR_ARGUMENT, "dot: shapes (2, 3) and (2, 3) do not fit",
                call_into("dot", ARGS(T(a), T(a)), &out));
    assert_null(out);
    out = CALL("zeros", INTS(2, 2), D(PS_INT32));
    CHECK_FAILS(PS_ERR_ARGUMENT, "the output has shape (2, 2), the result (3, 3)",
                call_into("tensordot", ARGS(T(a), T(a), INTS(0), INTS(0)), &out));
    CHECK_FAILS(PS_ERR_TYPE, "cannot be written into int32",
                call_into("tensordot", ARGS(T(a), T(a), INTS(1), INTS(1)), &out));
    RELEASE(a, out);
}

/* ---- dot --------------------------------------------------------------------------------- */

static void dot_of_numbers(void **unused)
{
    (void)unused;
    ps_tensor *a = counted(PS_FLOAT32, SHAPE(2, 2)), *two = CALL("full", INTS(1), F(2)), *one;
    CHECK_OK(ps_tensor_view_as(two, 0, NULL, &one));
    ps_tensor *left = CALL("dot", T(one), T(a)), *right = CALL("dot", T(a), F(3));
    CHECK_VALUES(left, 0, 2, 4, 6);
    CHECK_VALUES(right, 0, 3, 6, 9);
    ps_tensor *both = CALL("dot", T(one), T(one));
    CHECK_VALUES(both, 4);
    RELEASE(a, two, one, left, right, both);
}

static void dot_of_matrices(void **unused)
{
    (void)unused;
    ps_tensor *v = counted(PS_FLOAT32, SHAPE(3)), *a = counted(PS_FLOAT32, SHAPE(2, 3));
    ps_tensor *b = counted(PS_FLOAT32, SHAPE(2, 3, 2));
    ps_tensor *vv = CALL("dot", T(v), T(v)), *av = CALL("dot", T(a), T(v));
    ps_tensor *vb = CALL("dot", T(v), T(b)), *ab = CALL("dot", T(a), T(b));
    CHECK_VALUES(vv, 5);
    CHECK_VALUES(av, 5, 14);
    CHECK_SHAPE(vb, 2, 2);
    CHECK_VALUES(vb, 10, 13, 28, 31);
    CHECK_SHAPE(ab, 2, 2, 2);
    CHECK_VALUES(ab, 10, 13, 28, 31, 28, 40, 100, 112);
    RELEASE(v, a, b, vv, av, vb, ab);
}

static void dot_into_given(void **unused)
{
    (void)unused;
    ps_tensor *v = counted(PS_FLOAT32, SHAPE(3)), *a = counted(PS_FLOAT32, SHAPE(2, 3));
    ps_tensor *out = CALL("zeros", INTS(2));
    CHECK_OK(call_into("dot", ARGS(T(a), T(v)), &out));
    CHECK_VALUES(out, 5, 14);
    RELEASE(v, a, out);
}

int main(void)
{
    alarm(LIMIT_S);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_axis),        cmocka_unit_test(two_axes),
        cmocka_unit_test(no_axis_and_all), cmocka_unit_test(views_and_types),
        cmocka_unit_test(into_given),      cmocka_unit_test(errors),
        cmocka_unit_test(dot_of_numbers),  cmocka_unit_test(dot_of_matrices),
        cmocka_unit_test(dot_into_given),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
