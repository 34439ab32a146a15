/* Errors. What is wrong with a call is said at the call, with the values; what goes wrong while
 * running marks the results and all that is computed from them, and nothing else. */
#include "help.h"

static void release_all(ps_tensor **tensors, size_t count)
{
    for (size_t i = 0; i < count; i++)
        ps_tensor_release(tensors[i]);
}

#define RELEASE(...)                                                                               \
    release_all((ps_tensor *[]){__VA_ARGS__},                                                      \
                sizeof((ps_tensor *[]){__VA_ARGS__}) / sizeof(ps_tensor *))

static const ps_op *find(const char *name)
{
    const ps_op *op;
    CHECK_OK(ps_op_find(name, &op));
    return op;
}

/* ---- calls ------------------------------------------------------------------------------- */

static void unknown_operations(void **state)
{
    (void)state;
    const ps_op *op = NULL;
    CHECK_FAILS(PS_ERR_ARGUMENT, "there is no operation \"ad\"", ps_op_find("ad", &op));
    CHECK_FAILS(PS_ERR_ARGUMENT, "\"\"", ps_op_find("", &op));
    CHECK_FAILS(PS_ERR_ARGUMENT, "name is NULL", ps_op_find(NULL, &op));
    CHECK_FAILS(PS_ERR_ARGUMENT, "op is NULL", ps_op_find("add", NULL));
    assert_null(op);
    assert_null(ps_op_at(ps_op_count()));
}

static void malformed_calls(void **state)
{
    (void)state;
    ps_tensor *x = counted(PS_FLOAT32, SHAPE(2)), *out[2] = {NULL, NULL};
    ps_arg args[4] = {T(x), T(x), T(x), T(x)};
    ps_call call = {.size = sizeof call, .args = args, .nargs = 2, .outputs = out, .noutputs = 1};
    CHECK_FAILS(PS_ERR_ARGUMENT, "op is NULL", ps_op_call(NULL, &call));
    CHECK_FAILS(PS_ERR_ARGUMENT, "call is NULL", ps_op_call(find("add"), NULL));
    ps_call other = call;
    other.size = 8;
    CHECK_FAILS(PS_ERR_ARGUMENT, "call.size is 8", ps_op_call(find("add"), &other));
    other = call;
    other.nargs = 3;
    CHECK_FAILS(PS_ERR_ARGUMENT, "add: 3 arguments given, it takes 2",
                ps_op_call(find("add"), &other));
    other.nargs = 1;
    CHECK_FAILS(PS_ERR_ARGUMENT, "add: argument x2 is missing", ps_op_call(find("add"), &other));
    other = call;
    other.noutputs = 2;
    CHECK_FAILS(PS_ERR_ARGUMENT, "add: 2 outputs given, it has 1", ps_op_call(find("add"), &other));
    other.noutputs = 0;
    CHECK_FAILS(PS_ERR_ARGUMENT, "add: 0 outputs given, it has 1", ps_op_call(find("add"), &other));
    other = call;
    other.outputs = NULL;
    CHECK_FAILS(PS_ERR_ARGUMENT, "add: ", ps_op_call(find("add"), &other));
    assert_null(out[0]);
    RELEASE(x);
}

static void arguments_of_the_wrong_kind(void **state)
{
    (void)state;
    ps_tensor *x = counted(PS_FLOAT32, SHAPE(2)), *out = NULL;
    CHECK_FAILS(PS_ERR_TYPE, "add: argument x2 must be a tensor, not a text",
                call_into("add", ARGS(T(x), S("one")), &out));
    CHECK_FAILS(PS_ERR_TYPE, "sum: argument axis must be integers, not a number",
                call_into("sum", ARGS(T(x), F(0.5)), &out));
    CHECK_FAILS(PS_ERR_TYPE, "sum: argument keepdims must be a bool, not a number",
                call_into("sum", ARGS(T(x), I(0), F(0.5)), &out));
    CHECK_FAILS(PS_ERR_TYPE, "cast: argument dtype must be an element type, not an integer",
                call_into("cast", ARGS(T(x), I(3)), &out));
    CHECK_FAILS(PS_ERR_ARGUMENT, "cast: argument dtype is NULL or invalid",
                call_into("cast", ARGS(T(x), D((ps_dtype)77)), &out));
    CHECK_FAILS(PS_ERR_TYPE, "take: argument axis must be an integer, not a tensor",
                call_into("take", ARGS(T(x), T(x), T(x)), &out));
    CHECK_FAILS(PS_ERR_ARGUMENT, "add: argument x1 is NULL or invalid",
                call_into("add", ARGS(T(NULL), T(x)), &out));
    CHECK_FAILS(PS_ERR_ARGUMENT, "concatenate: argument tensors is NULL or invalid",
                call_into("concatenate",
                          ARGS(((ps_arg){PS_ARG_TENSORS, 1, {.tensors = (ps_tensor *[]){NULL}}})),
                          &out));
    CHECK_FAILS(PS_ERR_TYPE, "no kind of argument",
                call_into("add", ARGS(((ps_arg){.kind = (ps_arg_kind)99}), T(x)), &out));
    CHECK_FAILS(PS_ERR_TYPE, "add: ",
                call_into("add",
                          ARGS(((ps_arg){.kind = PS_ARG_SCALAR,
                                         .as.scalar = {(ps_scalar_tag)9, {.i = 0}}}),
                               T(x)),
                          &out));
    assert_null(out);
    RELEASE(x);
}

static void shapes_that_do_not_fit(void **state)
{
    (void)state;
    ps_tensor *a = counted(PS_FLOAT32, SHAPE(2, 3)), *b = counted(PS_FLOAT32, SHAPE(4));
    ps_tensor *out = NULL;
    CHECK_FAILS(PS_ERR_ARGUMENT, "add: shapes (2, 3) and (4,) do not fit together",
                call_into("add", ARGS(T(a), T(b)), &out));
    CHECK_FAILS(PS_ERR_ARGUMENT, "where: shapes (2, 3) and (4,)",
                call_into("where", ARGS(T(a), T(b), T(b)), &out));
    CHECK_FAILS(PS_ERR_ARGUMENT, "matmul", call_into("matmul", ARGS(T(a), T(a)), &out));
    assert_non_null(strstr(ps_last_error(), "(2, 3)"));
    CHECK_FAILS(PS_ERR_ARGUMENT, "(2, 3)",
                call_into("concatenate",
                          ARGS(((ps_arg){PS_ARG_TENSORS, 2, {.tensors = (ps_tensor *[]){a, b}}})),
                          &out));
    assert_null(out);
    RELEASE(a, b);
}

static void sizes_that_cannot_be(void **state)
{
    (void)state;
    ps_tensor *out = NULL, *x = NULL;
    CHECK_FAILS(PS_ERR_ARGUMENT, "zeros: negative length in shape (3, -1)",
                call_into("zeros", ARGS(INTS(3, -1)), &out));
    CHECK_FAILS(PS_ERR_ARGUMENT, "ones: shape (4611686018427387904,) of float32 is too large",
                call_into("ones", ARGS(INTS(INT64_C(1) << 62)), &out));
    CHECK_FAILS(PS_ERR_ARGUMENT, "is too large",
                call_into("empty", ARGS(INTS(INT64_C(1) << 40, INT64_C(1) << 40)), &out));
    CHECK_FAILS(PS_ERR_ARGUMENT, "is too large", /* also beside a 0 */
                call_into("empty", ARGS(INTS(0, INT64_C(1) << 40, INT64_C(1) << 40)), &out));
    int64_t ones[33];
    for (int i = 0; i < 33; i++)
        ones[i] = 1;
    CHECK_FAILS(PS_ERR_ARGUMENT, "zeros: 33 dimensions, at most 32",
                call_into("zeros", ARGS(((ps_arg){PS_ARG_INTS, 33, {.ints = ones}})), &out));
    CHECK_FAILS(PS_ERR_ARGUMENT, "ps_tensor_from_host: negative length",
                ps_tensor_from_host(PS_INT8, SHAPE(-5), NULL, "abc", NULL, &x));
    CHECK_FAILS(PS_ERR_ARGUMENT, "linspace: a count of -2",
                call_into("linspace", ARGS(F(0), F(1), I(-2)), &out));
    CHECK_FAILS(PS_ERR_ARGUMENT, "the step is 0",
                call_into("arange", ARGS(I(0), I(9), I(0)), &out));
    ps_tensor *wide = counted(PS_FLOAT32, SHAPE(1)), *row, *column;
    CHECK_OK(ps_tensor_broadcast(wide, SHAPE(1, INT64_C(1) << 40), &row));
    CHECK_OK(ps_tensor_broadcast(wide, SHAPE(INT64_C(1) << 40, 1), &column));
    CHECK_FAILS(PS_ERR_ARGUMENT,
                "add: shape (1099511627776, 1099511627776) of float32 is too large",
                call_into("add", ARGS(T(row), T(column)), &out));
    assert_null(out);
    assert_null(x);
    RELEASE(wide, row, column);
}

/* More than there is: found when it runs, as an error like any other. */
static void more_memory_than_there_is(void **state)
{
    (void)state;
    ps_tensor *x = CALL("zeros", INTS(INT64_C(1) << 55)), *y = CALL("add", T(x), I(1));
    CHECK_FAILS(PS_ERR_MEMORY, "", ps_tensor_wait(y, NULL));
    CHECK_FAILS(PS_ERR_MEMORY, "", ps_tensor_wait(x, NULL));
    ps_tensor *fine = CALL("ones", INTS(3));
    CHECK_VALUES(fine, 1, 1, 1);
    RELEASE(x, y, fine);
    ps_engine *engine;
    CHECK_OK(ps_engine_default(&engine));
    while (ps_wait_all(engine, NULL) != PS_OK)
        ;
}

/* A failed call leaves a given output, and its version, alone. */
static void failed_calls_change_nothing(void **state)
{
    (void)state;
    ps_tensor *x = counted(PS_INT32, SHAPE(3)), *other = counted(PS_FLOAT32, SHAPE(2)), *given = x;
    CHECK_VALUES(x, 0, 1, 2);
    uint64_t version = ps_tensor_version(x);
    assert_int_not_equal(call_into("add", ARGS(T(x), T(other)), &given), PS_OK);
    assert_int_not_equal(call_into("divide", ARGS(T(x), I(2)), &given), PS_OK);
    assert_int_not_equal(call_into("add", ARGS(T(x), I(INT64_C(1) << 40)), &given), PS_OK);
    assert_ptr_equal(given, x);
    assert_int_equal(ps_tensor_version(x), version);
    CHECK_VALUES(x, 0, 1, 2);
    RELEASE(x, other);
}

/* ---- while running ----------------------------------------------------------------------- */

/* A take whose position is out of range, called at that place of the user's program. */
static ps_tensor *bad_take(ps_tensor *x, uint64_t location)
{
    int64_t positions[] = {0, 99};
    ps_tensor *indices, *out = NULL;
    CHECK_OK(ps_tensor_from_host(PS_INT64, SHAPE(2), NULL, positions, NULL, &indices));
    CHECK_OK(ps_op_call(find("take"), &(ps_call){.size = sizeof(ps_call),
                                                 .args = (ps_arg[]){T(x), T(indices)},
                                                 .nargs = 2,
                                                 .outputs = &out,
                                                 .noutputs = 1,
                                                 .location = location}));
    ps_tensor_release(indices);
    return out;
}

static void check_marked(ps_tensor *x, uint64_t location)
{
    ps_error_info info = {.size = sizeof info};
    CHECK_FAILS(PS_ERR_INDEX, "index 99 is out of range", ps_tensor_wait(x, NULL));
    CHECK_OK(ps_last_error_info(&info));
    assert_int_equal(info.status, PS_ERR_INDEX);
    assert_string_equal(info.operation, "take");
    assert_int_equal(info.location, location);
    assert_true(info.sequence != 0);
}

static void drain(void)
{
    ps_engine *engine;
    CHECK_OK(ps_engine_default(&engine));
    while (ps_wait_all(engine, NULL) != PS_OK)
        ;
}

static void marks_flow_to_dependents_only(void **state)
{
    (void)state;
    static const int64_t lengths[] = {5, 5000}; /* alone, and in groups */
    for (int i = 0; i < 2; i++) {
        ps_tensor *x = counted(PS_FLOAT32, 1, &lengths[i]);
        ps_tensor *short_x = counted(PS_FLOAT32, SHAPE(5)), *bad = bad_take(short_x, 4242);
        ps_tensor *first, *wide, *fine = CALL("add", T(x), I(1));
        CHECK_OK(ps_tensor_index(bad, &(ps_index){PS_INDEX_AT, 0, 0, 0}, 1, &first));
        CHECK_OK(ps_tensor_broadcast(first, 1, &lengths[i], &wide));
        ps_tensor *a = CALL("multiply", T(fine), T(wide)), *b = CALL("multiply", T(fine), I(2));
        ps_tensor *c = CALL("add", T(a), T(b)), *sum = CALL("sum", T(c)),
                  *good = CALL("add", T(b), T(fine));
        check_marked(bad, 4242);
        check_marked(first, 4242);
        check_marked(a, 4242);
        check_marked(c, 4242);
        check_marked(sum, 4242);
        check_marked(sum, 4242); /* every time */
        float room[2];
        ps_scalar scalar;
        char text[64];
        size_t length;
        CHECK_FAILS(PS_ERR_INDEX, "take", ps_tensor_to_host(bad, room, sizeof room));
        CHECK_FAILS(PS_ERR_INDEX, "take", ps_tensor_item(sum, &scalar));
        CHECK_FAILS(PS_ERR_INDEX, "take", ps_tensor_format(bad, NULL, text, sizeof text, &length));
        double *values = values_of(good);
        for (int64_t k = 0; k < lengths[i]; k++)
            assert_true(values[k] == 3.0 * (double)(k + 1));
        free(values);
        RELEASE(x, short_x, bad, first, wide, fine, a, b, c, sum, good);
    }
    drain();
}

static void only_a_complete_overwrite_clears_a_mark(void **state)
{
    (void)state;
    ps_tensor *x = counted(PS_FLOAT32, SHAPE(5)), *bad = bad_take(x, 7), *part;
    CHECK_OK(ps_tensor_index(bad, &(ps_index){PS_INDEX_RANGE, 0, 1, 1}, 1, &part));
    check_marked(bad, 7);
    CHECK_OK(call_into("assign", ARGS(I(1)), &part)); /* a part: what is beside it stays bad */
    check_marked(bad, 7);
    CHECK_OK(call_into("add", ARGS(T(bad), I(1)), &bad)); /* an update reads what is there */
    check_marked(bad, 7);
    CHECK_OK(call_into("assign", ARGS(I(3)), &bad));
    CHECK_VALUES(bad, 3, 3);
    RELEASE(x, bad, part);
    drain();
}

/* Memory and variables are used again; marks are not. */
static void fresh_tensors_have_no_old_marks(void **state)
{
    (void)state;
    for (int round = 0; round < 50; round++) {
        float values[2] = {1, 2};
        ps_tensor *x = counted(PS_FLOAT32, SHAPE(5)), *bad = bad_take(x, 9);
        if (round % 2)
            check_marked(bad, 9);
        RELEASE(x, bad); /* before it runs, or after */
        ps_tensor *fresh[8];
        for (int i = 0; i < 8; i++)
            fresh[i] = from_floats(SHAPE(2), values);
        for (int i = 0; i < 8; i++)
            CHECK_VALUES(fresh[i], 1, 2);
        release_all(fresh, 8);
        drain();
    }
}

static void wait_all_raises_each_failure_once(void **state)
{
    (void)state;
    ps_engine *engine;
    CHECK_OK(ps_engine_default(&engine));
    CHECK_OK(ps_wait_all(engine, NULL));
    ps_tensor *x = counted(PS_FLOAT32, SHAPE(5)), *a = bad_take(x, 1), *b = bad_take(x, 2);
    ps_tensor_release(a); /* dropped: it fails all the same */
    CHECK_FAILS(PS_ERR_INDEX, "index 99", ps_wait_all(engine, NULL));
    CHECK_FAILS(PS_ERR_INDEX, "index 99", ps_wait_all(engine, NULL));
    CHECK_OK(ps_wait_all(engine, NULL));
    RELEASE(x, b);
}

static void synchronous_mode_raises_at_the_call(void **state)
{
    (void)state;
    ps_tensor *x = counted(PS_FLOAT32, SHAPE(5)), *out = NULL,
              *indices = CALL("full", INTS(2), I(99));
    CHECK_OK(ps_thread_set_mode(PS_MODE_SYNC));
    CHECK_FAILS(PS_ERR_INDEX, "index 99", call_into("take", ARGS(T(x), T(indices)), &out));
    assert_null(out);
    ps_tensor *y = CALL("add", T(x), I(1));
    CHECK_OK(ps_thread_set_mode(PS_MODE_DEFAULT));
    CHECK_VALUES(y, 1, 2, 3, 4, 5);
    RELEASE(x, indices, y);
    drain();
}

/* The operation that fails lies between fusable ones of one window. */
static void a_failure_between_groups(void **state)
{
    (void)state;
    enum { LENGTH = 4000 };
    ps_tensor *x = counted(PS_FLOAT32, SHAPE(LENGTH)), *a = CALL("add", T(x), I(1));
    ps_tensor *b = CALL("multiply", T(a), I(2)), *places = CALL("full", INTS(LENGTH), I(LENGTH));
    ps_tensor *bad = CALL("take", T(b), T(places)), *c = CALL("add", T(bad), T(b));
    ps_tensor *d = CALL("subtract", T(b), T(x)), *e = CALL("add", T(d), I(1)),
              *f = CALL("maximum", T(c), T(e));
    CHECK_FAILS(PS_ERR_INDEX, "take: index 4000 is out of range", ps_tensor_wait(f, NULL));
    double *values = values_of(e);
    for (int i = 0; i < LENGTH; i++)
        assert_true(values[i] == i + 3);
    free(values);
    RELEASE(x, a, b, places, bad, c, d, e, f);
    drain();
}

/* ---- rows that are added ----------------------------------------------------------------- */

static ps_status add_row(const char *name, const char *signature, const char *expression)
{
    return ps_op_register(&(ps_op_def){.size = sizeof(ps_op_def),
                                       .name = name,
                                       .signature = signature,
                                       .dtypes = "numeric",
                                       .result = "same",
                                       .expression = expression},
                          NULL);
}

static void rows_that_cannot_be_added(void **state)
{
    (void)state;
    size_t before = ps_op_count();
    CHECK_FAILS(PS_ERR_ARGUMENT, "already an operation \"add\"", add_row("add", "x", "x"));
    CHECK_FAILS(PS_ERR_ARGUMENT, "\"Bad Name\" is no name", add_row("Bad Name", "x", "x"));
    CHECK_FAILS(PS_ERR_ARGUMENT, "no_such", add_row("error_a", "x", "no_such(x)"));
    CHECK_FAILS(PS_ERR_ARGUMENT, "z", add_row("error_b", "x", "x + z"));
    CHECK_FAILS(PS_ERR_ARGUMENT, "(x + 1", add_row("error_c", "x", "(x + 1"));
    CHECK_FAILS(PS_ERR_ARGUMENT, "error_d", add_row("error_d", "x: ints", "x"));
    CHECK_FAILS(PS_ERR_ARGUMENT, "error_e", add_row("error_e", "", "1"));
    CHECK_FAILS(PS_ERR_ARGUMENT, "are needed", add_row("error_f", "x", NULL));
    char deep[400] = "";
    for (int i = 0; i < 150; i++)
        strcat(deep, "(");
    strcat(deep, "x");
    CHECK_FAILS(PS_ERR_ARGUMENT, "error_g", add_row("error_g", "x", deep));
    char long_text[2000] = "x";
    for (int i = 0; i < 300; i++)
        strcat(long_text, " + x");
    CHECK_FAILS(PS_ERR_ARGUMENT, "error_h", add_row("error_h", "x", long_text));
    assert_int_equal(ps_op_count(), before);
    const ps_op *op;
    CHECK_FAILS(PS_ERR_ARGUMENT, "there is no operation", ps_op_find("error_a", &op));
}

/* What a caller in C can get wrong without a warning. */
static void calls_that_make_no_sense(void **state)
{
    (void)state;
    static const int tags[] = {5, 6, 9, 100, -1};
    ps_tensor *out = NULL, *x = CALL("ones", INTS(2));
    for (size_t i = 0; i < sizeof tags / sizeof tags[0]; i++) {
        ps_arg bad = {.kind = PS_ARG_SCALAR, .as.scalar.tag = (ps_scalar_tag)tags[i]};
        CHECK_FAILS(PS_ERR_ARGUMENT, "value is NULL or invalid",
                    call_into("full", ARGS(INTS(2), bad), &out));
        CHECK_FAILS(PS_ERR_TYPE, "add: argument", call_into("add", ARGS(T(x), bad), &out));
    }
    CHECK_FAILS(PS_ERR_ARGUMENT, "call.args is NULL", call_into("add", 2, NULL, &out));
    ps_arg counted_tensor = {.kind = PS_ARG_TENSOR, .count = 1, .as.tensor = x};
    CHECK_FAILS(PS_ERR_ARGUMENT, "has a count", call_into("abs", ARGS(counted_tensor), &out));
    ps_arg endless = {.kind = PS_ARG_INTS, .count = UINT32_MAX, .as.ints = &(int64_t){0}};
    CHECK_FAILS(PS_ERR_ARGUMENT, "axis is NULL or invalid",
                call_into("sum", ARGS(T(x), endless), &out));
    ps_call flagged = {.size = sizeof flagged, .outputs = &out, .noutputs = 1, .flags = 1u << 1};
    CHECK_FAILS(PS_ERR_ARGUMENT, "unknown bits", ps_op_call(find("abs"), &flagged));
    assert_null(out);
    ps_tensor_release(x);
}

int main(void)
{
    alarm(LIMIT_S);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unknown_operations),
        cmocka_unit_test(malformed_calls),
        cmocka_unit_test(arguments_of_the_wrong_kind),
        cmocka_unit_test(shapes_that_do_not_fit),
        cmocka_unit_test(sizes_that_cannot_be),
        cmocka_unit_test(more_memory_than_there_is),
        cmocka_unit_test(failed_calls_change_nothing),
        cmocka_unit_test(marks_flow_to_dependents_only),
        cmocka_unit_test(only_a_complete_overwrite_clears_a_mark),
        cmocka_unit_test(fresh_tensors_have_no_old_marks),
        cmocka_unit_test(wait_all_raises_each_failure_once),
        cmocka_unit_test(synchronous_mode_raises_at_the_call),
        cmocka_unit_test(a_failure_between_groups),
        cmocka_unit_test(calls_that_make_no_sense),
        cmocka_unit_test(rows_that_cannot_be_added),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
