/* Operations that give views: which elements they show, that they share, what they refuse. */
#include "help.h"

static ps_tensor *shaped(int ndim, const int64_t *shape)
{
    return counted(PS_FLOAT32, ndim, shape);
}

static void reshape_is_a_view_where_it_can_be(void **state)
{
    (void)state;
    ps_tensor *x = shaped(SHAPE(2, 3, 4)), *y = CALL("reshape", T(x), INTS(4, -1));
    CHECK_SHAPE(y, 4, 6);
    assert_true(ps_tensor_shares(x, y));
    ps_tensor *turned = CALL("permute", T(x), INTS(2, 0, 1));
    ps_tensor *rows = CALL("reshape", T(turned), INTS(4, 6)); /* the last two still are one run */
    assert_true(ps_tensor_shares(x, rows));
    ps_tensor *flat = CALL("reshape", T(turned), INTS(-1)); /* these are not */
    assert_false(ps_tensor_shares(x, flat));
    CHECK_SHAPE(flat, 24);
    CHECK_VALUES(flat, 0, 4, 8, 12, 16, 20, 1, 5, 9, 13, 17, 21, 2, 6, 10, 14, 18, 22, 3, 7, 11, 15,
                 19, 23);
    ps_tensor *all[] = {x, y, turned, rows, flat};
    for (int i = 0; i < 5; i++)
        ps_tensor_release(all[i]);
}

static void reshape_to_and_from_nothing(void **state)
{
    (void)state;
    ps_tensor *x = shaped(SHAPE(1, 1)),
              *point = call("reshape", 2, (ps_arg[]){T(x), {PS_ARG_INTS, 0, {0}}});
    assert_int_equal(ps_tensor_ndim(point), 0);
    ps_tensor *empty = shaped(SHAPE(0, 3)), *other = CALL("reshape", T(empty), INTS(5, 0));
    CHECK_SHAPE(other, 5, 0);
    ps_tensor *line = CALL("reshape", T(empty), INTS(-1));
    CHECK_SHAPE(line, 0);
    int64_t ones[32];
    for (int i = 0; i < 32; i++)
        ones[i] = 1;
    ps_tensor *deep = CALL("reshape", T(x), (ps_arg){PS_ARG_INTS, 32, {.ints = ones}});
    assert_int_equal(ps_tensor_ndim(deep), 32);
    ps_tensor *out = NULL;
    CHECK_FAILS(PS_ERR_ARGUMENT, "33 dimensions",
                call_into("expand_dims", ARGS(T(deep), I(0)), &out));
    ps_tensor *all[] = {x, point, empty, other, line, deep};
    for (int i = 0; i < 6; i++)
        ps_tensor_release(all[i]);
}

static void reshape_refuses(void **state)
{
    (void)state;
    ps_tensor *x = shaped(SHAPE(2, 3)), *out = NULL;
    CHECK_FAILS(PS_ERR_ARGUMENT, "(4, 2)", call_into("reshape", ARGS(T(x), INTS(4, 2)), &out));
    CHECK_FAILS(PS_ERR_ARGUMENT, "(-1, -1)", call_into("reshape", ARGS(T(x), INTS(-1, -1)), &out));
    CHECK_FAILS(PS_ERR_ARGUMENT, "6 elements", call_into("reshape", ARGS(T(x), INTS(4, -1)), &out));
    CHECK_FAILS(PS_ERR_ARGUMENT, "(-2, 3)", call_into("reshape", ARGS(T(x), INTS(-2, 3)), &out));
    CHECK_FAILS(PS_ERR_TYPE, "not a number", call_into("reshape", ARGS(F(1), INTS(1)), &out));
    ps_tensor *given = x;
    CHECK_FAILS(PS_ERR_ARGUMENT, "takes no output",
                call_into("reshape", ARGS(T(x), INTS(6)), &given));
    assert_null(out);
    ps_tensor_release(x);
}

static void permute_orders_dimensions(void **state)
{
    (void)state;
    ps_tensor *x = shaped(SHAPE(2, 3)), *out = NULL, *y = CALL("permute", T(x));
    CHECK_SHAPE(y, 3, 2);
    CHECK_VALUES(y, 0, 3, 1, 4, 2, 5);
    ps_tensor *same = CALL("permute", T(x), INTS(0, -1));
    CHECK_VALUES(same, 0, 1, 2, 3, 4, 5);
    CHECK_FAILS(PS_ERR_ARGUMENT, "(0,) for a tensor of 2",
                call_into("permute", ARGS(T(x), INTS(0)), &out));
    CHECK_FAILS(PS_ERR_ARGUMENT, "axis 2 is out of range for 2",
                call_into("permute", ARGS(T(x), INTS(0, 2)), &out));
    CHECK_FAILS(PS_ERR_ARGUMENT, "twice", call_into("permute", ARGS(T(x), INTS(1, -1)), &out));
    CHECK_FAILS(PS_ERR_ARGUMENT, "4294967296",
                call_into("permute", ARGS(T(x), INTS(4294967296, 1)), &out));
    ps_tensor_release(x);
    ps_tensor_release(y);
    ps_tensor_release(same);
}

static void broadcast_repeats_elements(void **state)
{
    (void)state;
    ps_tensor *x = shaped(SHAPE(3, 1)), *out = NULL;
    ps_tensor *y = CALL("broadcast_to", T(x), INTS(2, 3, 2));
    CHECK_VALUES(y, 0, 0, 1, 1, 2, 2, 0, 0, 1, 1, 2, 2);
    assert_true(ps_tensor_shares(x, y));
    ps_tensor *none = CALL("broadcast_to", T(x), INTS(3, 0));
    CHECK_SHAPE(none, 3, 0);
    CHECK_FAILS(PS_ERR_ARGUMENT, "(3, 1) cannot be broadcast to (2, 2)",
                call_into("broadcast_to", ARGS(T(x), INTS(2, 2)), &out));
    ps_tensor_release(x);
    ps_tensor_release(y);
    ps_tensor_release(none);
}

static void dimensions_of_length_one(void **state)
{
    (void)state;
    ps_tensor *x = shaped(SHAPE(2, 3)), *out = NULL;
    ps_tensor *a = CALL("expand_dims", T(x), I(-1)), *b = CALL("expand_dims", T(a), I(0));
    CHECK_SHAPE(a, 2, 3, 1);
    CHECK_SHAPE(b, 1, 2, 3, 1);
    ps_tensor *c = CALL("squeeze", T(b)), *d = CALL("squeeze", T(b), I(-1));
    CHECK_SHAPE(c, 2, 3);
    CHECK_SHAPE(d, 1, 2, 3);
    CHECK_VALUES(d, 0, 1, 2, 3, 4, 5);
    CHECK_FAILS(PS_ERR_ARGUMENT, "axis 1 of shape (1, 2, 3, 1) has length 2",
                call_into("squeeze", ARGS(T(b), INTS(0, 1)), &out));
    CHECK_FAILS(PS_ERR_ARGUMENT, "axis 3", call_into("expand_dims", ARGS(T(x), I(3)), &out));
    CHECK_FAILS(PS_ERR_ARGUMENT, "axis -4", call_into("expand_dims", ARGS(T(x), I(-4)), &out));
    ps_tensor *all[] = {x, a, b, c, d};
    for (int i = 0; i < 5; i++)
        ps_tensor_release(all[i]);
}

static void flip_turns_axes(void **state)
{
    (void)state;
    ps_tensor *x = shaped(SHAPE(2, 3)), *a = CALL("flip", T(x)), *b = CALL("flip", T(x), I(0));
    ps_tensor *c = CALL("flip", T(a), INTS(-1)), *out = NULL;
    CHECK_VALUES(a, 5, 4, 3, 2, 1, 0);
    CHECK_VALUES(b, 3, 4, 5, 0, 1, 2);
    CHECK_VALUES(c, 3, 4, 5, 0, 1, 2);
    assert_true(ps_tensor_shares(x, c));
    ps_tensor *empty = shaped(SHAPE(0, 4)), *still = CALL("flip", T(empty));
    CHECK_SHAPE(still, 0, 4);
    ps_tensor *copy = CALL("copy", T(a));
    CHECK_VALUES(copy, 5, 4, 3, 2, 1, 0);
    CHECK_FAILS(PS_ERR_ARGUMENT, "twice", call_into("flip", ARGS(T(x), INTS(0, -2)), &out));
    ps_tensor *all[] = {x, a, b, c, empty, still, copy};
    for (int i = 0; i < 7; i++)
        ps_tensor_release(all[i]);
}

/* A write through one view is seen by all. */
static void views_share(void **state)
{
    (void)state;
    ps_tensor *x = shaped(SHAPE(2, 3)), *y = CALL("permute", T(x)), *z = CALL("flip", T(y), I(0));
    ps_tensor *line = CALL("reshape", T(x), INTS(6));
    CHECK_OK(call_into("assign", ARGS(F(7)), &line));
    CHECK_VALUES(z, 7, 7, 7, 7, 7, 7);
    ps_tensor *add = z;
    CHECK_OK(call_into("add", ARGS(T(z), T(z)), &add));
    CHECK_VALUES(x, 14, 14, 14, 14, 14, 14);
    ps_tensor *all[] = {x, y, z, line};
    for (int i = 0; i < 4; i++)
        ps_tensor_release(all[i]);
}

int main(void)
{
    alarm(LIMIT_S);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reshape_is_a_view_where_it_can_be),
        cmocka_unit_test(reshape_to_and_from_nothing),
        cmocka_unit_test(reshape_refuses),
        cmocka_unit_test(permute_orders_dimensions),
        cmocka_unit_test(broadcast_repeats_elements),
        cmocka_unit_test(dimensions_of_length_one),
        cmocka_unit_test(flip_turns_axes),
        cmocka_unit_test(views_share),
    };
    return cmocka_run_group_tests_name("views", tests, NULL, NULL);
}
