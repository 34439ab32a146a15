/* ps_tensor_get and ps_tensor_set: what is a view and what is not, values, what is queued around
 * them, refusals. test_keys.c has random indices. */
#include "positions_help.h"

#define ALL ((ps_index){PS_INDEX_RANGE, PS_INDEX_NONE, PS_INDEX_NONE, PS_INDEX_NONE})
#define RANGE(start, stop, step) ((ps_index){PS_INDEX_RANGE, (start), (stop), (step)})
#define AT(place) ((ps_index){PS_INDEX_AT, (place), 0, 0})
#define NEW ((ps_index){PS_INDEX_NEW, 0, 0, 0})
#define ELLIPSIS ((ps_index){PS_INDEX_ELLIPSIS, 0, 0, 0})
#define ARRAY(tensor) ps_index_tensor(PS_INDEX_ARRAY, (tensor))
#define MASK(tensor) ps_index_tensor(PS_INDEX_MASK, (tensor))
#define ITEMS(...) (ps_index[]){__VA_ARGS__}, sizeof((ps_index[]){__VA_ARGS__}) / sizeof(ps_index)

static ps_tensor *get(ps_tensor *x, const ps_index *items, size_t count)
{
    ps_tensor *result = NULL;
    CHECK_OK(ps_tensor_get(x, items, count, 0, &result));
    return result;
}

#define GET(x, ...) get(x, ITEMS(__VA_ARGS__))
#define SET(x, value, ...) CHECK_OK(ps_tensor_set(x, ITEMS(__VA_ARGS__), value, 0))

/* ---- reading ------------------------------------------------------------------------------- */

static void views_and_copies(void **state)
{
    (void)state;
    ps_tensor *x = counted(PS_INT32, SHAPE(3, 4)), *at = INDICES(PS_INT64, 2, 0);
    ps_tensor *row = GET(x, AT(-1)), *block = GET(x, ALL, NEW, RANGE(1, 3, 1));
    ps_tensor *same = get(x, NULL, 0), *rows = GET(x, ARRAY(at));
    assert_true(ps_tensor_shares(row, x) && ps_tensor_shares(block, x));
    assert_true(ps_tensor_shares(same, x) && !ps_tensor_shares(rows, x));
    CHECK_SHAPE(block, 3, 1, 2);
    SET(x, I(50), AT(2));
    CHECK_VALUES(row, 50, 50, 50, 50);
    CHECK_VALUES(rows, 8, 9, 10, 11, 0, 1, 2, 3);
    RELEASE(x, at, row, block, same, rows);
}

/* Where the dimensions of arrays stand. */
static void places_of_arrays(void **state)
{
    (void)state;
    int64_t column[] = {0, 1, 1};
    ps_tensor *x = counted(PS_INT16, SHAPE(2, 3, 4)), *at = INDICES(PS_UINT8, 1, 0);
    ps_tensor *tall = indices_of(PS_INT32, SHAPE(3, 1), column);
    ps_tensor *middle = GET(x, ALL, ARRAY(at)), *front = GET(x, AT(1), ALL, ARRAY(at));
    ps_tensor *both = GET(x, ARRAY(tall), ELLIPSIS, ARRAY(at)),
              *beside = GET(x, ALL, AT(2), ARRAY(at));
    CHECK_SHAPE(middle, 2, 2, 4);
    CHECK_SHAPE(front, 2, 3);
    CHECK_VALUES(front, 13, 17, 21, 12, 16, 20);
    CHECK_SHAPE(both, 3, 2, 3);
    CHECK_VALUES(both, 1, 5, 9, 0, 4, 8, 13, 17, 21, 12, 16, 20, 13, 17, 21, 12, 16, 20);
    CHECK_SHAPE(beside, 2, 2);
    CHECK_VALUES(beside, 9, 8, 21, 20);
    RELEASE(x, at, tall, middle, front, both, beside);
}

static void arrays_without_dimensions(void **state)
{
    (void)state;
    int64_t two = 2;
    ps_tensor *x = counted(PS_FLOAT64, SHAPE(3, 2)), *at = indices_of(PS_INT8, 0, NULL, &two);
    ps_tensor *yes = mask_of(0, NULL, "1"), *no = mask_of(0, NULL, "0");
    ps_tensor *row = GET(x, ARRAY(at)), *one = GET(x, ARRAY(at), AT(-1));
    ps_tensor *all = GET(x, MASK(yes)), *none = GET(x, MASK(no)),
              *mixed = GET(x, MASK(yes), ARRAY(at));
    CHECK_SHAPE(row, 2);
    CHECK_VALUES(row, 4, 5);
    assert_int_equal(ps_tensor_ndim(one), 0);
    CHECK_VALUES(one, 5);
    CHECK_SHAPE(all, 1, 3, 2);
    CHECK_SHAPE(none, 0, 3, 2);
    CHECK_SHAPE(mixed, 1, 2);
    CHECK_VALUES(mixed, 4, 5);
    SET(x, F(9), MASK(no));
    SET(x, F(7), ARRAY(at), AT(0));
    CHECK_VALUES(x, 0, 1, 2, 3, 7, 5);
    RELEASE(x, at, yes, no, row, one, all, none, mixed);
}

static void masks(void **state)
{
    (void)state;
    ps_tensor *x = counted(PS_INT64, SHAPE(2, 3)), *full = mask_of(SHAPE(2, 3), "010011");
    ps_tensor *rows = mask_of(SHAPE(2), "01"), *columns = mask_of(SHAPE(3), "101");
    ps_tensor *a = GET(x, MASK(full)), *b = GET(x, MASK(rows), ELLIPSIS),
              *c = GET(x, ALL, MASK(columns));
    ps_tensor *d = GET(x, MASK(rows), MASK(columns));
    CHECK_VALUES(a, 1, 4, 5);
    CHECK_SHAPE(b, 1, 3);
    CHECK_VALUES(b, 3, 4, 5);
    CHECK_SHAPE(c, 2, 2);
    CHECK_VALUES(c, 0, 2, 3, 5);
    CHECK_VALUES(d, 3, 5);
    RELEASE(x, full, rows, columns, a, b, c, d);
}

static void empty_ones(void **state)
{
    (void)state;
    ps_tensor *x = counted(PS_FLOAT32, SHAPE(3, 2)), *none = CALL("zeros", INTS(0), D(PS_INT32));
    ps_tensor *hollow = CALL("zeros", INTS(0, 2)), *mask = mask_of(SHAPE(3, 2), "000000");
    ps_tensor *a = GET(x, ARRAY(none)), *b = GET(x, MASK(mask)),
              *c = GET(hollow, ARRAY(none), AT(1));
    CHECK_SHAPE(a, 0, 2);
    CHECK_SHAPE(b, 0);
    CHECK_SHAPE(c, 0);
    SET(x, F(1), ARRAY(none));
    SET(x, F(1), MASK(mask));
    SET(x, F(1), ARRAY(none), ARRAY(none));
    SET(x, F(1), RANGE(2, 1, 1));
    CHECK_VALUES(x, 0, 1, 2, 3, 4, 5);
    RELEASE(x, none, hollow, mask, a, b, c);
}

/* ---- writing ------------------------------------------------------------------------------- */

static void through_views(void **state)
{
    (void)state;
    ps_tensor *x = counted(PS_INT32, SHAPE(3, 4)), *at = INDICES(PS_INT64, 1, -1);
    ps_tensor *turned = CALL("permute", T(x)),
              *back = GET(turned, RANGE(PS_INDEX_NONE, PS_INDEX_NONE, -1));
    ps_tensor *mask = CALL("greater", T(back), I(9));
    SET(back, I(-1), ARRAY(at)); /* rows 1 and 3 of back: columns 2 and 0 of x */
    CHECK_VALUES(x, -1, 1, -1, 3, -1, 5, -1, 7, -1, 9, -1, 11);
    SET(back, I(-2), MASK(mask)); /* 10 and 11 */
    CHECK_VALUES(x, -1, 1, -1, 3, -1, 5, -1, 7, -1, 9, -2, -2);
    SET(back, I(-3), ARRAY(at), ARRAY(at));
    CHECK_VALUES(x, -1, 1, -1, 3, -1, 5, -3, 7, -3, 9, -2, -2);
    RELEASE(x, at, turned, back, mask);
}

static void values_are_broadcast_and_converted(void **state)
{
    (void)state;
    ps_tensor *x = counted(PS_INT16, SHAPE(3, 2)), *at = INDICES(PS_INT64, 2, 0);
    ps_tensor *line = from_floats(SHAPE(2), (float[]){1.75f, -2.5f});
    ps_tensor *deep = from_floats(SHAPE(1, 1, 2, 1), (float[]){7, 8});
    ps_tensor *mask = mask_of(SHAPE(3), "011"), *pair = from_floats(SHAPE(2, 1), (float[]){20, 30});
    SET(x, T(line), ARRAY(at));
    CHECK_VALUES(x, 1, -2, 2, 3, 1, -2);
    SET(x, T(deep), ARRAY(at));
    CHECK_VALUES(x, 8, 8, 2, 3, 7, 7);
    SET(x, T(pair), MASK(mask));
    CHECK_VALUES(x, 8, 8, 20, 20, 30, 30);
    SET(x, T(line), MASK(mask));
    CHECK_VALUES(x, 8, 8, 1, -2, 1, -2);
    SET(x, T(deep), RANGE(0, 2, 1));
    CHECK_VALUES(x, 7, 7, 8, 8, 1, -2);
    RELEASE(x, at, line, deep, mask, pair);
}

static void parts_of_itself(void **state)
{
    (void)state;
    ps_tensor *x = counted(PS_INT64, SHAPE(4)), *turn = INDICES(PS_INT64, 3, 2, 1, 0);
    SET(x, T(x), ARRAY(turn));
    CHECK_VALUES(x, 3, 2, 1, 0);
    SET(x, I(9), ARRAY(x)); /* it says where, too */
    CHECK_VALUES(x, 9, 9, 9, 9);
    RELEASE(x, turn);
}

static uint64_t executed(void)
{
    ps_engine *engine = NULL;
    ps_engine_stats now = {.size = sizeof now};
    CHECK_OK(ps_engine_default(&engine));
    CHECK_OK(ps_wait_all(engine, NULL));
    CHECK_OK(ps_engine_get_stats(engine, &now));
    return now.executed;
}

/* What languages make of x[i] += y: the last step moves nothing, and counts as a write. */
static void a_part_onto_itself(void **state)
{
    (void)state;
    ps_tensor *x = counted(PS_INT32, SHAPE(300, 300)), *part = GET(x, RANGE(1, 3, 1));
    ps_tensor *again = GET(x, RANGE(1, 3, 1), ALL), *turned = CALL("permute", T(x));
    uint64_t before = executed(), version = ps_tensor_version(x);
    SET(x, T(part), RANGE(1, 3, 1));
    SET(x, T(again), RANGE(1, 3, 1), ELLIPSIS);
    SET(x, T(x), ALL);
    CHECK_OK(ps_tensor_set(x, NULL, 0, T(x), 0));
    assert_int_equal(executed(), before);
    assert_int_equal(ps_tensor_version(x), version + 4);
    SET(x, T(part), RANGE(2, 4, 1)); /* these are other elements, */
    ps_tensor *moved = GET(x, RANGE(1, 5, 1), AT(0));
    CHECK_VALUES(moved, 300, 300, 600, 1200);
    SET(x, T(turned), ALL); /* and these have another order */
    ps_tensor *column = GET(x, AT(0), RANGE(0, 5, 1));
    CHECK_VALUES(column, 0, 300, 300, 600, 1200);
    assert_true(executed() > before);
    RELEASE(x, part, again, turned, moved, column);
}

static void of_equal_positions_the_last_counts(void **state)
{
    (void)state;
    ps_tensor *x = counted(PS_INT64, SHAPE(2, 2)), *at = INDICES(PS_INT64, 1, 0, 1);
    ps_tensor *values = INDICES(PS_INT64, 10, 20, 30);
    SET(x, T(values), ARRAY(at), AT(1));
    CHECK_VALUES(x, 0, 20, 2, 30);
    SET(x, T(values), ARRAY(at), ARRAY(at));
    CHECK_VALUES(x, 20, 20, 2, 30);
    RELEASE(x, at, values);
}

/* What was queued before a write reads what was there then. */
static void queued_readers(void **state)
{
    (void)state;
    enum { N = 1000 };
    ps_tensor *x = CALL("zeros", INTS(N), D(PS_FLOAT64)), *at = INDICES(PS_INT64, 1, N - 1);
    ps_tensor *sums[20];
    for (int i = 0; i < 20; i++) {
        sums[i] = CALL("sum", T(x));
        SET(x, F(i + 1), ARRAY(at));
    }
    for (int i = 0; i < 20; i++)
        CHECK_VALUES(sums[i], 2 * i);
    release_all(sums, 20);
    RELEASE(x, at);
}

/* ---- numbers ------------------------------------------------------------------------------- */

static ps_status set_first(ps_dtype dtype, ps_arg number, double *read)
{
    ps_tensor *x = CALL("zeros", INTS(2), D(dtype));
    ps_status status = ps_tensor_set(x, ITEMS(AT(0)), number, 0);
    double *values = values_of(x);
    *read = values[0];
    free(values);
    ps_tensor_release(x);
    return status;
}

static ps_arg scalar(ps_scalar value)
{
    return (ps_arg){.kind = PS_ARG_SCALAR, .as.scalar = value};
}

static void numbers_that_fit(void **state)
{
    (void)state;
    static const struct {
        ps_dtype dtype;
        ps_arg number;
        double wanted;
    } cases[] = {
        {PS_FLOAT64, {.kind = PS_ARG_DOUBLE, .as.number = 0.1}, 0.1},
        {PS_FLOAT32, {.kind = PS_ARG_DOUBLE, .as.number = 0.1}, 0.1f},
        {PS_INT8, {.kind = PS_ARG_INT, .as.integer = -128}, -128},
        {PS_UINT8, {.kind = PS_ARG_INT, .as.integer = 255}, 255},
        {PS_INT16, {.kind = PS_ARG_DOUBLE, .as.number = -2.5}, -2},
        {PS_INT32, {.kind = PS_ARG_DOUBLE, .as.number = 16777217.0}, 16777217},
        {PS_BOOL, {.kind = PS_ARG_INT, .as.integer = 5}, 1},
        {PS_BOOL, {.kind = PS_ARG_DOUBLE, .as.number = 0.25}, 1},
        {PS_INT32, {.kind = PS_ARG_BOOL, .as.boolean = true}, 1},
    };
    double read;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        CHECK_OK(set_first(cases[i].dtype, cases[i].number, &read));
        assert_true(read == cases[i].wanted);
    }
    CHECK_OK(set_first(PS_UINT64, scalar((ps_scalar){PS_SCALAR_UINT64, {.u = UINT64_MAX}}), &read));
    assert_true(read == (double)UINT64_MAX);
}

static void numbers_that_do_not(void **state)
{
    (void)state;
    double read;
    ps_arg large = scalar((ps_scalar){PS_SCALAR_UINT64, {.u = (uint64_t)1 << 63}});
    ps_arg complex = scalar((ps_scalar){PS_SCALAR_COMPLEX, {.z = {0, 1}}});
    CHECK_FAILS(PS_ERR_ARGUMENT, "300 is out of range for int8", set_first(PS_INT8, I(300), &read));
    assert_true(read == 0);
    CHECK_FAILS(PS_ERR_ARGUMENT, "-1 is out of range for uint8", set_first(PS_UINT8, I(-1), &read));
    CHECK_FAILS(PS_ERR_ARGUMENT, "for int64", set_first(PS_INT64, large, &read));
    CHECK_FAILS(PS_ERR_TYPE, "complex numbers cannot become float32",
                set_first(PS_FLOAT32, complex, &read));
    CHECK_FAILS(PS_ERR_TYPE, "a tensor or a number", set_first(PS_INT8, INTS(1, 2), &read));
    CHECK_FAILS(PS_ERR_TYPE, "a tensor or a number", set_first(PS_INT8, NONE, &read));
    CHECK_FAILS(PS_ERR_TYPE, "a tensor or a number", set_first(PS_INT8, T(NULL), &read));
}

/* ---- refusals ------------------------------------------------------------------------------ */

/* Reading and writing refuse it alike, and nothing is written. */
static void refuses(ps_status wanted, const char *part, ps_tensor *x, const ps_index *items,
                    size_t count)
{
    ps_tensor *result = NULL;
    uint64_t version = ps_tensor_version(x);
    CHECK_FAILS(wanted, part, ps_tensor_get(x, items, count, 0, &result));
    CHECK_FAILS(wanted, part, ps_tensor_set(x, items, count, I(0), 0));
    assert_null(result);
    assert_int_equal(ps_tensor_version(x), version);
}

static void what_is_refused(void **state)
{
    (void)state;
    ps_tensor *x = counted(PS_INT32, SHAPE(3, 2)), *at = INDICES(PS_INT64, 0, 1);
    ps_tensor *three = INDICES(PS_INT64, 0, 1, 2), *floats = CALL("zeros", INTS(2));
    ps_tensor *mask = mask_of(SHAPE(2), "11"), *wide = mask_of(SHAPE(3, 3), "000000000");
    refuses(PS_ERR_INDEX, "index 3 is out of bounds for axis 0 with size 3", x,
            ITEMS(AT(3), ARRAY(at)));
    refuses(PS_ERR_INDEX, "index -3 is out of bounds for axis 1 with size 2", x,
            ITEMS(ARRAY(at), AT(-3)));
    refuses(PS_ERR_INDEX, "2-dimensional, but 3 were indexed", x, ITEMS(ARRAY(at), MASK(wide)));
    refuses(PS_ERR_INDEX, "single ellipsis ('...'), not 2", x,
            ITEMS(ELLIPSIS, ARRAY(at), ELLIPSIS));
    refuses(PS_ERR_INDEX, "shapes (2,) (3,)", x, ITEMS(ARRAY(at), ARRAY(three)));
    refuses(PS_ERR_INDEX, "axis 0; size of axis is 3 but size of corresponding boolean axis is 2",
            x, ITEMS(MASK(mask)));
    refuses(PS_ERR_INDEX, "a mask of shape (3, 3) for an array of shape (3, 2)", x,
            ITEMS(MASK(wide)));
    refuses(PS_ERR_INDEX,
            "item 1 of an index: arrays used as indices must be of integer or boolean "
            "type, not float32",
            x, ITEMS(AT(0), ARRAY(floats)));
    refuses(PS_ERR_INDEX, "not bool as positions", x, ITEMS(ARRAY(mask)));
    refuses(PS_ERR_INDEX, "a mask must be of bool, not int64", x, ITEMS(MASK(at)));
    refuses(PS_ERR_ARGUMENT, "item 0 of an index: its tensor is NULL", x, ITEMS(ARRAY(NULL)));
    refuses(PS_ERR_ARGUMENT, "6 is no kind of index", x, ITEMS({.kind = 6}));
    refuses(PS_ERR_ARGUMENT, "step of a slice is 0", x, ITEMS(RANGE(0, 1, 0), ARRAY(at)));
    refuses(PS_ERR_ARGUMENT, "items is NULL", x, NULL, 1);
    refuses(PS_ERR_INDEX, "66 indices, at most 65", x, ITEMS(AT(0)) + 65);
    CHECK_VALUES(x, 0, 1, 2, 3, 4, 5);
    RELEASE(x, at, three, floats, mask, wide);
}

static void dimensions_that_are_too_many(void **state)
{
    (void)state;
    int64_t ones[32];
    ps_index items[32];
    for (int i = 0; i < 32; i++) {
        ones[i] = 1;
        items[i] = NEW;
    }
    ps_tensor *x = counted(PS_INT32, 32, ones), *at = CALL("zeros", INTS(1, 1), D(PS_INT64));
    ps_tensor *yes = mask_of(0, NULL, "1"), *line = counted(PS_INT32, SHAPE(3));
    refuses(PS_ERR_INDEX, "33 dimensions, at most 32", x, ITEMS(ARRAY(at)));
    refuses(PS_ERR_INDEX, "an array of 32 dimensions and 1 masks", x, ITEMS(MASK(yes)));
    items[0] = ARRAY(at);
    refuses(PS_ERR_INDEX, "the index makes 33 dimensions, at most 32", line, items, 32);
    RELEASE(x, at, yes, line);
}

static void found_while_running(void **state)
{
    (void)state;
    ps_tensor *x = counted(PS_INT32, SHAPE(3, 2)), *far = INDICES(PS_INT64, 0, 3);
    ps_tensor *at = INDICES(PS_INT64, 0, 1), *mask = mask_of(SHAPE(3), "101");
    ps_tensor *rows = CALL("zeros", INTS(3, 2)), *a = GET(x, ARRAY(far)),
              *b = GET(x, ARRAY(at), ARRAY(far));
    CHECK_FAILS(PS_ERR_INDEX, "3 is out of range for axis 0 with length 3",
                ps_tensor_wait(a, NULL));
    CHECK_FAILS(PS_ERR_INDEX, "3 is out of range for axis 1 with length 2",
                ps_tensor_wait(b, NULL));
    SET(x, I(1), ARRAY(far));
    CHECK_FAILS(PS_ERR_INDEX, "3 is out of range for axis 0 with length 3",
                ps_tensor_wait(x, NULL));
    SET(x, I(4), ELLIPSIS);
    CHECK_VALUES(x, 4, 4, 4, 4, 4, 4);
    SET(x, T(rows), MASK(mask));
    CHECK_FAILS(PS_ERR_ARGUMENT, "3 values for 2 places", ps_tensor_wait(x, NULL));
    CHECK_FAILS(PS_ERR_ARGUMENT, "shape", ps_tensor_set(x, ITEMS(ARRAY(at)), T(rows), 0));
    RELEASE(x, far, at, mask, rows, a, b);
}

int main(void)
{
    alarm(LIMIT_S);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(views_and_copies),
        cmocka_unit_test(places_of_arrays),
        cmocka_unit_test(arrays_without_dimensions),
        cmocka_unit_test(masks),
        cmocka_unit_test(empty_ones),
        cmocka_unit_test(through_views),
        cmocka_unit_test(values_are_broadcast_and_converted),
        cmocka_unit_test(parts_of_itself),
        cmocka_unit_test(a_part_onto_itself),
        cmocka_unit_test(of_equal_positions_the_last_counts),
        cmocka_unit_test(queued_readers),
        cmocka_unit_test(numbers_that_fit),
        cmocka_unit_test(numbers_that_do_not),
        cmocka_unit_test(what_is_refused),
        cmocka_unit_test(dimensions_that_are_too_many),
        cmocka_unit_test(found_while_running),
    };
    return cmocka_run_group_tests_name("get_set", tests, NULL, NULL);
}
