/* Positions out of range: the error names the row that was called, the position, its number among those
 * that were given, and the range. */
#include "engine_help.h"

static ps_tensor *positions(int ndim, const int64_t *shape, const int64_t *values)
{
    ps_tensor *x;
    CHECK_OK(ps_tensor_from_host(PS_INT64, ndim, shape, NULL, values, NULL, &x));
    return x;
}

/* What the row says when its result is asked for, or at the call. */
static void check_error(const char *text, const char *name, unsigned nargs, const ps_arg *args)
{
    ps_tensor *y = NULL;
    ps_status status = call_into(name, nargs, args, &y);
    if (status == PS_OK)
        status = ps_tensor_wait(y, NULL);
    if (status != PS_ERR_INDEX || strstr(ps_last_error(), text) == NULL)
        fail_msg("%s: \"%s\", not \"%s\"", name, ps_last_error(), text);
    ps_tensor_release(y);
    (void)ps_wait_all(engine(), NULL);
}

static void embedding_says_so(void **state)
{
    (void)state;
    ps_tensor *weight = counted(PS_FLOAT32, SHAPE(5, 3));
    ps_tensor *at = positions(SHAPE(2, 2), (int64_t[]){0, 4, -5, 7});
    ps_tensor *low = positions(SHAPE(1), (int64_t[]){-6});
    check_error(
        "embedding: index 7 is out of range for axis 0 with length 5; it is number 3 of the "
        "indices",
        "embedding", ARGS(T(at), T(weight)));
    check_error("embedding: index -6 is out of range for axis 0 with length 5", "embedding",
                ARGS(T(low), T(weight)));
    ps_tensor_release(weight);
    ps_tensor_release(at);
    ps_tensor_release(low);
}

static void pick_says_so(void **state)
{
    (void)state;
    ps_tensor *x = counted(PS_FLOAT32, SHAPE(2, 3, 4));
    ps_tensor *last = positions(SHAPE(2, 3), (int64_t[]){0, 3, -4, 1, 4, 9});
    ps_tensor *middle = positions(SHAPE(2, 4), (int64_t[]){0, 1, 2, 0, 1, 2, -4, 0});
    check_error("pick: index 4 is out of range for axis 2 with length 4; it is number 4 of the "
                "indices",
                "pick", ARGS(T(x), T(last)));
    check_error("pick: index -4 is out of range for axis 1 with length 3; it is number 6 of the "
                "indices",
                "pick", ARGS(T(x), T(middle), I(1)));
    ps_tensor *y = CALL("pick", T(x), T(last), I(-1), B(false), S("clip"));
    CHECK_VALUES(y, 0, 7, 8, 13, 19, 23);
    ps_tensor *all[] = {x, last, middle, y};
    for (int i = 0; i < 4; i++)
        ps_tensor_release(all[i]);
}

/* Numbers are those of the positions as they were given, whatever the axis. */
static void take_along_axis_says_so(void **state)
{
    (void)state;
    ps_tensor *x = counted(PS_FLOAT32, SHAPE(3, 2));
    ps_tensor *at = positions(SHAPE(2, 2), (int64_t[]){0, 1, 3, 0});
    ps_tensor *line = positions(SHAPE(1, 3), (int64_t[]){0, -3, 0});
    check_error(
        "take_along_axis: index 3 is out of range for axis 0 with length 3; it is number 2 of "
        "the indices",
        "take_along_axis", ARGS(T(x), T(at), I(0)));
    check_error(
        "take_along_axis: index -3 is out of range for axis 1 with length 2; it is number 1 "
        "of the indices",
        "take_along_axis", ARGS(T(x), T(line), I(1)));
    ps_tensor_release(x);
    ps_tensor_release(at);
    ps_tensor_release(line);
}

/* One task each, where nothing has to be moved. */
static void nothing_is_copied(void **state)
{
    (void)state;
    ps_tensor *x = counted(PS_FLOAT32, SHAPE(300, 40)), *weight = counted(PS_FLOAT32, SHAPE(9, 70));
    ps_tensor *at = CALL("full", INTS(300), I(-1), D(PS_INT64));
    ps_tensor *wide = CALL("full", INTS(300, 9), I(3), D(PS_INT64));
    CHECK_OK(ps_wait_all(engine(), NULL));
    struct {
        const char *name;
        ps_arg first, second;
    } calls[] = {{"pick", T(x), T(at)},
                 {"take_along_axis", T(x), T(wide)},
                 {"embedding", T(wide), T(weight)}};
    for (int i = 0; i < 3; i++) {
        uint64_t before = stats().pushed;
        ps_tensor *y = CALL(calls[i].name, calls[i].first, calls[i].second);
        assert_int_equal(stats().pushed - before, 1);
        ps_tensor_release(y);
    }
    ps_tensor *y = CALL("pick", T(x), T(at)), *first = CALL("take", T(y), I(1));
    CHECK_VALUES(first, 79);
    ps_tensor *all[] = {x, weight, at, wide, y, first};
    for (int i = 0; i < 6; i++)
        ps_tensor_release(all[i]);
}

int main(void)
{
    alarm(LIMIT_S);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(embedding_says_so),
        cmocka_unit_test(pick_says_so),
        cmocka_unit_test(take_along_axis_says_so),
        cmocka_unit_test(nothing_is_copied),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
