/* pad with elements of the tensor itself: positions against plain loops, axes, types, outputs, what
 * is empty, what is refused. */
#include "positions_help.h"

static const char *const modes[] = {"edge", "wrap", "reflect", "symmetric"};

/* Walks one step at a time: where a walker stands who starts at 0 and turns, or goes on, at ends. */
static int64_t walked(int mode, int64_t at, int64_t length)
{
    int64_t place = 0, step = at < 0 ? -1 : 1, way = step;
    for (int64_t i = 0; i != at; i += step) {
        int64_t next = place + way;
        if (next >= 0 && next < length)
            place = next;
        else if (mode == 1)
            place = way < 0 ? length - 1 : 0;
        else if (mode > 1)
            way = -way;
        if (mode == 2 && next != place) /* the end is not met twice */
            place = length > 1 ? place + way : 0;
    }
    return place;
}

static void along_a_line(void **state)
{
    (void)state;
    for (int mode = 0; mode < 4; mode++)
        for (int64_t length = 1; length <= 4; length++)
            for (int64_t before = 0; before <= 9; before += 3) {
                double wanted[32];
                int64_t count = before + length + 5;
                for (int64_t i = 0; i < count; i++)
                    wanted[i] = (double)walked(mode, i - before, length);
                ps_tensor *x = counted(PS_INT16, SHAPE(length));
                ps_tensor *y = CALL("pad", T(x), I(before), I(5), NONE, S(modes[mode]));
                assert_int_equal(ps_tensor_dtype(y), PS_INT16);
                check_values(y, (size_t)count, wanted, __FILE__, __LINE__);
                RELEASE(x, y);
            }
}

static void along_axes(void **state)
{
    (void)state;
    ps_tensor *x = counted(PS_FLOAT32, SHAPE(2, 3)), *turned = CALL("permute", T(x));
    ps_tensor *y = CALL("pad", T(x), INTS(1, 0), INTS(0, 2), F(9), S("reflect"));
    CHECK_SHAPE(y, 3, 5);
    CHECK_VALUES(y, 3, 4, 5, 4, 3, 0, 1, 2, 1, 0, 3, 4, 5, 4, 3);
    ps_tensor *strided = CALL("pad", T(turned), INTS(0, 1), INTS(0, 0), NONE, S("wrap"));
    CHECK_SHAPE(strided, 3, 3);
    CHECK_VALUES(strided, 3, 0, 3, 4, 1, 4, 5, 2, 5);
    ps_tensor *same = CALL("pad", T(x), I(0), I(0), NONE, S("edge"));
    CHECK_VALUES(same, 0, 1, 2, 3, 4, 5);
    assert_false(ps_tensor_shares(same, x));
    ps_tensor *plain = CALL("pad", T(x), INTS(0, 1), I(0), F(7), S("constant"));
    CHECK_VALUES(plain, 7, 0, 1, 2, 7, 3, 4, 5);
    RELEASE(x, turned, y, strided, same, plain);
}

static void what_is_empty(void **state)
{
    (void)state;
    ps_tensor *x = CALL("zeros", INTS(0, 2)), *out = NULL;
    ps_tensor *y = CALL("pad", T(x), INTS(0, 1), INTS(0, 1), NONE, S("edge"));
    CHECK_SHAPE(y, 0, 4);
    CHECK_FAILS(PS_ERR_ARGUMENT, "pad: axis 0 is empty: mode wrap has nothing to add",
                call_into("pad", ARGS(T(x), INTS(1, 0), I(0), NONE, S("wrap")), &out));
    RELEASE(x, y);
}

static void into_outputs(void **state)
{
    (void)state;
    ps_tensor *x = counted(PS_INT32, SHAPE(2)), *out = CALL("zeros", INTS(4), D(PS_INT64));
    CHECK_OK(call_into("pad", ARGS(T(x), I(1), I(1), NONE, S("symmetric")), &out));
    CHECK_VALUES(out, 0, 0, 1, 1);
    ps_tensor *part = CALL("zeros", INTS(2), D(PS_INT32));
    CHECK_OK(call_into("pad", ARGS(T(x), I(0), I(0), NONE, S("edge")), &part));
    CHECK_VALUES(part, 0, 1);
    CHECK_FAILS(PS_ERR_ARGUMENT,
                "pad: ", call_into("pad", ARGS(T(x), I(1), I(0), NONE, S("edge")), &part));
    RELEASE(x, out, part);
}

static void refusals(void **state)
{
    (void)state;
    ps_tensor *x = CALL("zeros", INTS(2, 2)), *out = NULL;
    CHECK_FAILS(PS_ERR_ARGUMENT, "pad: before is -1, must not be negative",
                call_into("pad", ARGS(T(x), I(-1), I(0), NONE, S("edge")), &out));
    CHECK_FAILS(PS_ERR_ARGUMENT, "pad: 3 numbers for after",
                call_into("pad", ARGS(T(x), I(1), INTS(1, 2, 3), NONE, S("edge")), &out));
    CHECK_FAILS(PS_ERR_ARGUMENT, "pad: axis 0 becomes too long",
                call_into("pad", ARGS(T(x), I(INT64_MAX), I(0), NONE, S("edge")), &out));
    CHECK_FAILS(PS_ERR_ARGUMENT, "not \"mean\"",
                call_into("pad", ARGS(T(x), I(1), I(0), NONE, S("mean")), &out));
    ps_tensor_release(x);
}

int main(void)
{
    alarm(LIMIT_S);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(along_a_line),  cmocka_unit_test(along_axes),
        cmocka_unit_test(what_is_empty), cmocka_unit_test(into_outputs),
        cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
