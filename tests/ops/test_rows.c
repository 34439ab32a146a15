/* Reductions of a few elements go by their kernel alone: the bits are those of a task, whatever the type, the
 * shape and the axes. */
#include "ops/rows.h" /* before help.h, which has short names of its own */

#include "engine_help.h"

static const ps_dtype types[] = {PS_BOOL,     PS_UINT8,   PS_INT32,   PS_INT64,    PS_FLOAT16,
                                 PS_BFLOAT16, PS_FLOAT32, PS_FLOAT64, PS_COMPLEX64};

/* Around what a lane, a row and all of them may have; -1 ends a shape. */
static const int64_t shapes[][4] = {{1, -1},      {7, -1},     {16, -1},      {17, -1},
                                    {33, -1},     {256, -1},   {257, -1},     {3, 5, -1},
                                    {1, 40, -1},  {40, 1, -1}, {2, 3, 4, -1}, {16, 16, -1},
                                    {15, 17, -1}, {4, 0, -1}};

static const char *const names[] = {"sum", "prod", "min", "max", "mean", "any", "all", "norm"};

enum { TYPES = sizeof types / sizeof types[0] };
enum { SHAPES = sizeof shapes / sizeof shapes[0] };
enum { NAMES = sizeof names / sizeof names[0] };

static ps_tensor *as_type(ps_tensor *x, ps_dtype dtype)
{
    ps_tensor *made = CALL("cast", T(x), D(dtype));
    ps_tensor_release(x);
    return made;
}

/* Numbers between -3 and 3, none of them round. */
static ps_tensor *filled(ps_dtype dtype, const int64_t *shape, double step)
{
    int ndim = 0;
    while (shape[ndim] >= 0)
        ndim++;
    ps_tensor *places = counted(PS_FLOAT64, ndim, shape);
    ps_tensor *turned = CALL("multiply", T(places), F(step));
    ps_tensor *waves = CALL("sin", T(turned)), *wide = CALL("multiply", T(waves), F(3));
    ps_tensor_release(places);
    ps_tensor_release(turned);
    ps_tensor_release(waves);
    return as_type(wide, dtype);
}

/* The same call twice: as it is, and with nothing done at the call. */
static void check_call(const char *name, size_t nargs, const ps_arg *args, const char *what)
{
    ps_tensor *at_once = NULL, *queued = NULL;
    ps_status status = call_into(name, nargs, args, &at_once);
    ps__at_once_set(false);
    assert_int_equal(call_into(name, nargs, args, &queued), status);
    ps__at_once_set(true);
    if (status != PS_OK)
        return; /* not of this type, or no elements for it */
    assert_int_equal(ps_tensor_dtype(at_once), ps_tensor_dtype(queued));
    check_shape(at_once, ps_tensor_ndim(queued), ps_tensor_shape(queued), __FILE__, __LINE__);
    check_same_bits(at_once, queued, what);
    ps_tensor_release(at_once);
    ps_tensor_release(queued);
}

/* Over all axes, over each alone, kept and not, and over two. */
static void check_reductions(ps_tensor *x, const char *what)
{
    for (int n = 0; n < NAMES; n++)
        for (int64_t axis = -1; axis < ps_tensor_ndim(x); axis++)
            for (int keep = 0; keep < 2; keep++)
                check_call(names[n], ARGS(T(x), axis < 0 ? NONE : INTS(axis), B(keep)), what);
    if (ps_tensor_ndim(x) == 3)
        for (int n = 0; n < NAMES; n++) {
            check_call(names[n], ARGS(T(x), INTS(0, 1)), what);
            check_call(names[n], ARGS(T(x), INTS(0, 2)), what);
            check_call(names[n], ARGS(T(x), INTS(2, 1)), what);
        }
    check_call("sum", ARGS(T(x), NONE, B(false), D(PS_FLOAT32)), what);
}

static void sums_have_the_bits_of_a_task(void **state)
{
    (void)state;
    char what[64];
    for (int t = 0; t < TYPES; t++)
        for (int s = 0; s < SHAPES; s++) {
            ps_tensor *x = filled(types[t], shapes[s], 0.7), *turned;
            CHECK_OK(ps_tensor_permute(x, NULL, 0, &turned));
            snprintf(what, sizeof what, "%s, shape %d", ps_dtype_name(types[t]), s);
            check_reductions(x, what);
            check_reductions(turned, what);
            ps_tensor_release(turned);
            ps_tensor_release(x);
        }
}

static void products_of_rows_too(void **state)
{
    (void)state;
    char what[64];
    for (int t = 0; t < TYPES; t++)
        for (int s = 0; s < SHAPES; s++) {
            ps_tensor *x = filled(types[t], shapes[s], 0.7), *y = filled(types[t], shapes[s], 1.3);
            snprintf(what, sizeof what, "%s, shape %d", ps_dtype_name(types[t]), s);
            for (int64_t axis = -1; axis < ps_tensor_ndim(x); axis++)
                check_call("vecdot", ARGS(T(x), T(y), I(axis)), what);
            ps_tensor_release(x);
            ps_tensor_release(y);
        }
}

/* Few elements, side by side, of the type that is added up in. */
static void few_elements_are_short(void **state)
{
    (void)state;
    ps__reduce_spec spec = {.reduce = PS__REDUCE_SUM,
                            .accumulator = PS_FLOAT32,
                            .result = PS_FLOAT32};
    ps_tensor *most = filled(PS_FLOAT32, shapes[5], 1), *more = filled(PS_FLOAT32, shapes[6], 1);
    ps_tensor *half = filled(PS_FLOAT16, shapes[1], 1), *wide = filled(PS_FLOAT32, shapes[7], 1);
    ps_tensor *none = filled(PS_FLOAT32, shapes[13], 1), *turned;
    CHECK_OK(ps_tensor_permute(wide, NULL, 0, &turned));
    assert_true(ps__rows_are_short(&spec, most));
    assert_true(ps__rows_are_short(&spec, wide));
    ps_tensor *others[] = {more, half, none, turned};
    for (int i = 0; i < 4; i++) {
        assert_false(ps__rows_are_short(&spec, others[i]));
        ps_tensor_release(others[i]);
    }
    spec.square = true;
    assert_false(ps__rows_are_short(&spec, most));
    ps_tensor_release(most);
    ps_tensor_release(wide);
}

/* A product of rows is one operation; one that does not suit is made of two. */
static void products_of_rows_are_one_operation(void **state)
{
    (void)state;
    ps_tensor *x = filled(PS_FLOAT32, shapes[7], 1), *tall = filled(PS_FLOAT32, shapes[6], 1);
    wait_all();
    uint64_t before = stats().pushed;
    ps_tensor_release(CALL("vecdot", T(x), T(x)));
    assert_int_equal(stats().pushed - before, 1);
    ps_tensor_release(CALL("vecdot", T(tall), T(tall)));
    assert_int_equal(stats().pushed - before, 3);
    ps_tensor_release(x);
    ps_tensor_release(tall);
}

/* Into a tensor that is given, also of another type, or a part of one; what somebody still has of it stays. */
static void given_results_are_written(void **state)
{
    (void)state;
    ps_index last = {PS_INDEX_RANGE, -3, PS_INDEX_NONE, PS_INDEX_NONE};
    ps_tensor *x = filled(PS_FLOAT32, shapes[7], 1), *wide = CALL("zeros", INTS(3), D(PS_FLOAT64));
    ps_tensor *whole = CALL("ones", INTS(5)), *part, *snapshot;
    CHECK_OK(ps_tensor_index(whole, &last, 1, &part));
    CHECK_FAILS(PS_ERR_ARGUMENT, "the output has shape (3,), the result (3, 1)",
                call_into("sum", ARGS(T(x), INTS(1), B(true)), &wide));
    ps_tensor *wanted = CALL("sum", T(x), INTS(1));
    CHECK_OK(call_into("sum", ARGS(T(x), INTS(1)), &wide));
    snapshot = CALL("copy", T(whole));
    CHECK_OK(call_into("sum", ARGS(T(x), INTS(1)), &part));
    assert_int_equal(ps_tensor_version(whole), 1);
    CHECK_VALUES(snapshot, 1, 1, 1, 1, 1);
    ps_tensor *found = as_type(wide, PS_FLOAT32), *copied = CALL("copy", T(part));
    check_same_bits(found, wanted, "given");
    check_same_bits(copied, wanted, "a part");
    CHECK_OK(call_into("vecdot", ARGS(T(x), T(x)), &part));
    ps_tensor *all[] = {x, whole, part, snapshot, wanted, found, copied};
    for (int i = 0; i < 7; i++)
        ps_tensor_release(all[i]);
}

static int set_up(void **state)
{
    (void)state;
    alarm(LIMIT_S);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_have_the_bits_of_a_task),
        cmocka_unit_test(products_of_rows_too),
        cmocka_unit_test(few_elements_are_short),
        cmocka_unit_test(products_of_rows_are_one_operation),
        cmocka_unit_test(given_results_are_written),
    };
    return cmocka_run_group_tests(tests, set_up, NULL);
}
