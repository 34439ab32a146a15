/* put and masked_put: elements and slices at positions, under masks; in place, into copies, through
 * views; every element type; what fails while running writes nothing. */
#include "positions_help.h"

#include "base/alloc.h"

static ps_tensor *floats(size_t count, const float *values)
{
    return from_floats(1, (int64_t[]){(int64_t)count}, values);
}

#define FLOATS(...) floats(sizeof((float[]){__VA_ARGS__}) / sizeof(float), (float[]){__VA_ARGS__})

/* x becomes put(x, ...). */
#define PUT(x, ...) CHECK_OK(call_into("put", ARGS(T(x), __VA_ARGS__), &(x)))

/* ---- by hand ------------------------------------------------------------------------------- */

static void positions_count_through_x(void **state)
{
    (void)state;
    ps_tensor *x = counted(PS_FLOAT32, SHAPE(2, 3)), *at = INDICES(PS_INT64, 4, 0, -1);
    ps_tensor *values = FLOATS(10, 20, 30), *y = CALL("put", T(x), T(at), T(values));
    CHECK_SHAPE(y, 2, 3);
    CHECK_VALUES(y, 20, 1, 2, 3, 10, 30);
    CHECK_VALUES(x, 0, 1, 2, 3, 4, 5);
    assert_false(ps_tensor_shares(x, y));
    ps_tensor *z = x;
    CHECK_OK(call_into("put", ARGS(T(x), T(at), T(values)), &z));
    assert_ptr_equal(z, x);
    CHECK_VALUES(x, 20, 1, 2, 3, 10, 30);
    PUT(x, I(-2), F(7.5)); /* numbers */
    CHECK_VALUES(x, 20, 1, 2, 3, 7.5, 30);
    RELEASE(x, at, values, y);
}

static void the_last_of_equal_positions_counts(void **state)
{
    (void)state;
    ps_tensor *x = counted(PS_INT32, SHAPE(4)), *at = INDICES(PS_INT32, 1, 3, 1, -3, 3);
    ps_tensor *values = INDICES(PS_INT32, 10, 20, 30, 40, 50);
    PUT(x, T(at), T(values));
    CHECK_VALUES(x, 0, 40, 2, 50);
    PUT(x, T(at), T(values), B(true));
    CHECK_VALUES(x, 0, 120, 2, 120);
    PUT(x, T(at), I(1), B(true));
    CHECK_VALUES(x, 0, 123, 2, 122);
    RELEASE(x, at, values);
}

static void slices_along_an_axis(void **state)
{
    (void)state;
    ps_tensor *x = counted(PS_FLOAT32, SHAPE(3, 2)), *at = INDICES(PS_INT64, 2, 0);
    ps_tensor *values = counted(PS_FLOAT32, SHAPE(2, 2)), *row = FLOATS(70, 80);
    ps_tensor *y = CALL("put", T(x), T(at), T(values), B(false), I(0));
    CHECK_VALUES(y, 2, 3, 2, 3, 0, 1);
    PUT(x, T(at), T(row), B(false), I(0)); /* the same row at both */
    CHECK_VALUES(x, 70, 80, 2, 3, 70, 80);
    ps_tensor *column = from_floats(SHAPE(3, 1), (float[]){1, 2, 3});
    PUT(x, I(1), T(row), B(true), I(0));
    CHECK_VALUES(x, 70, 80, 72, 83, 70, 80);
    ps_tensor *last = INDICES(PS_INT8, -1);
    PUT(x, T(last), T(column), B(false), I(1));
    CHECK_VALUES(x, 70, 1, 72, 2, 70, 3);
    RELEASE(x, at, values, row, y, column, last);
}

static void through_views(void **state)
{
    (void)state;
    ps_tensor *x = counted(PS_INT16, SHAPE(3, 4)), *turned = CALL("permute", T(x)), *part;
    ps_tensor *at = INDICES(PS_UINT8, 1, 3), *values = INDICES(PS_INT16, -1, -2);
    PUT(turned, T(at), T(values)); /* positions count through the view */
    CHECK_VALUES(x, 0, -2, 2, 3, -1, 5, 6, 7, 8, 9, 10, 11);
    CHECK_OK(ps_tensor_index(x,
                             (ps_index[]){{.start = 0, .stop = 3, .step = 2},
                                          {.start = 3, .stop = PS_INDEX_NONE, .step = -2}},
                             2, &part));
    PUT(part, T(at), T(values));
    CHECK_VALUES(x, 0, -1, 2, 3, -1, 5, 6, 7, 8, -2, 10, 11);
    ps_tensor *line = CALL("put", T(part), T(at), I(5)); /* of a view, into a copy */
    CHECK_VALUES(line, 3, 5, 11, 5);
    CHECK_VALUES(x, 0, -1, 2, 3, -1, 5, 6, 7, 8, -2, 10, 11);
    RELEASE(x, turned, part, at, values, line);
}

static void into_another_output(void **state)
{
    (void)state;
    ps_tensor *x = counted(PS_INT32, SHAPE(4)), *out = CALL("zeros", INTS(4), D(PS_FLOAT64));
    ps_tensor *at = INDICES(PS_INT64, 2), *back = CALL("flip", T(x)), *wrong, *bits;
    CHECK_OK(call_into("put", ARGS(T(x), T(at), I(9)), &out));
    CHECK_VALUES(out, 0, 1, 9, 3);
    CHECK_OK(call_into("put", ARGS(T(x), T(at), I(9)), &back)); /* the same storage, turned round */
    CHECK_VALUES(back, 0, 1, 9, 3);
    CHECK_VALUES(x, 3, 9, 1, 0);
    wrong = CALL("zeros", INTS(5), D(PS_INT32));
    bits = CALL("zeros", INTS(4), D(PS_BOOL));
    CHECK_FAILS(PS_ERR_ARGUMENT, "(5,)", call_into("put", ARGS(T(x), T(at), I(9)), &wrong));
    assert_int_not_equal(call_into("put", ARGS(T(x), T(at), I(9)), &bits), PS_OK);
    RELEASE(x, out, at, back, wrong, bits);
}

/* Positions, values and masks that are x itself, or views of it. */
static void from_itself(void **state)
{
    (void)state;
    ps_tensor *x = INDICES(PS_INT64, 3, 2, 1, 0), *back = CALL("flip", T(x));
    PUT(x, T(x), T(back));
    CHECK_VALUES(x, 3, 2, 1, 0);
    PUT(x, T(back), T(x), B(true));
    CHECK_VALUES(x, 6, 4, 2, 0);
    ps_tensor *bits = mask_of(SHAPE(4), "1010");
    CHECK_OK(call_into("masked_put", ARGS(T(bits), T(bits), B(false)), &bits));
    CHECK_VALUES(bits, 0, 0, 0, 0);
    RELEASE(x, back, bits);
}

/* What others read, or took out, stays as it was. */
static void snapshots_do_not_change(void **state)
{
    (void)state;
    enum { N = 100000 };
    ps_tensor *x = counted(PS_FLOAT32, SHAPE(N));
    for (int i = 0; i < 20; i++) {
        ps_tensor *before = CALL("add", T(x), F(0));
        PUT(x, I(i), F(-1));
        double *values = values_of(before);
        assert_true(values[i] == i && (i == 0 || values[i - 1] == -1));
        free(values);
        ps_tensor_release(before);
    }
    ps_tensor_release(x);
}

/* ---- against a plain loop ------------------------------------------------------------------ */

static uint64_t random_state = 88172645463325252u;

static int pick(int below)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return (int)(random_state % (uint64_t)below);
}

typedef struct problem {
    ps_dtype dtype, index_dtype;
    int ndim, axis; /* -1: flattened */
    int64_t shape[4];
    int at_ndim;
    int64_t at_shape[2];
    bool accumulate, in_place, turned;
    int values_ndim;
    int64_t values_shape[6];
} problem;

static int64_t product(int ndim, const int64_t *shape)
{
    int64_t count = 1;
    for (int i = 0; i < ndim; i++)
        count *= shape[i];
    return count;
}

static problem any_problem(void)
{
    problem p = {.dtype = (ps_dtype)pick(15), .index_dtype = (ps_dtype)(PS_INT8 + pick(8))};
    p.ndim = 1 + pick(3);
    for (int i = 0; i < p.ndim; i++)
        p.shape[i] = 1 + pick(5);
    p.axis = pick(3) == 0 ? -1 : pick(p.ndim);
    p.at_ndim = pick(3);
    for (int i = 0; i < p.at_ndim; i++)
        p.at_shape[i] = pick(5);
    p.accumulate = pick(2);
    p.in_place = pick(2);
    p.turned = pick(2);
    for (int i = 0; i < p.axis; i++)
        p.values_shape[p.values_ndim++] = p.shape[i];
    for (int i = 0; i < p.at_ndim; i++)
        p.values_shape[p.values_ndim++] = p.at_shape[i];
    for (int i = p.axis < 0 ? p.ndim : p.axis + 1; i < p.ndim; i++)
        p.values_shape[p.values_ndim++] = p.shape[i];
    return p;
}

/* 0, 1, 2, ... and from 0 again: sums of some of these are exact in every type. */
static ps_tensor *small(ps_dtype dtype, int ndim, const int64_t *shape, int below)
{
    ps_tensor *all = counted(PS_INT64, ndim, shape), *few = CALL("remainder", T(all), I(below));
    ps_tensor *typed = CALL("cast", T(few), D(dtype));
    ps_tensor_release(all);
    ps_tensor_release(few);
    return typed;
}

/* Some lengths become 1, some leading ones go: it is broadcast to the shape again. */
static ps_tensor *any_values(const problem *p, ps_dtype dtype)
{
    int64_t shape[6];
    int skip = p->values_ndim > 0 && pick(3) == 0 ? pick(p->values_ndim + 1) : 0, ndim = 0;
    for (int i = skip; i < p->values_ndim; i++)
        shape[ndim++] = p->values_shape[i] > 0 && pick(4) == 0 ? 1 : p->values_shape[i];
    return small(dtype, ndim, shape, 4);
}

/* Where element `flat` of the values goes, as a position in x, given the resolved positions. */
static int64_t place_of(const problem *p, int64_t flat, const int64_t *at)
{
    if (p->axis < 0)
        return at[flat];
    int64_t after = product(p->ndim - p->axis - 1, p->shape + p->axis + 1);
    int64_t many = product(p->at_ndim, p->at_shape);
    int64_t inner = flat % after, middle = flat / after % many, outer = flat / after / many;
    return (outer * p->shape[p->axis] + at[middle]) * after + inner;
}

static void expect(const problem *p, double *x, const double *values, const int64_t *at)
{
    int64_t count = product(p->values_ndim, p->values_shape);
    for (int64_t i = 0; i < count; i++) {
        double *to = &x[place_of(p, i, at)];
        *to = p->accumulate ? *to + values[i] : values[i];
        if (p->dtype == PS_BOOL)
            *to = *to != 0;
    }
}

static void check_problem(const problem *p)
{
    int64_t at[25], length = p->axis < 0 ? product(p->ndim, p->shape) : p->shape[p->axis];
    int64_t given[25], count = product(p->at_ndim, p->at_shape);
    bool negative = p->index_dtype <= PS_INT64;
    for (int64_t i = 0; i < count; i++) {
        at[i] = pick((int)length);
        given[i] = negative && pick(2) ? at[i] - length : at[i];
    }
    ps_tensor *x = small(p->dtype, p->ndim, p->shape, 20);
    if (p->turned) { /* the same elements, laid out the other way round */
        ps_tensor *there = CALL("permute", T(x)), *moved = CALL("copy", T(there));
        ps_tensor_release(x);
        ps_tensor_release(there);
        x = CALL("permute", T(moved));
        ps_tensor_release(moved);
    }
    ps_tensor *places = indices_of(p->index_dtype, p->at_ndim, p->at_shape, given);
    ps_tensor *values = any_values(p, pick(2) ? p->dtype : PS_UINT8), *spread, *y = NULL;
    ps_tensor *typed = CALL("cast", T(values), D(p->dtype));
    CHECK_OK(ps_tensor_broadcast(typed, p->values_ndim, p->values_shape, &spread));
    double *wanted = values_of(x), *all = values_of(spread);
    expect(p, wanted, all, at);
    y = p->in_place ? x : NULL;
    CHECK_OK(call_into("put",
                       ARGS(T(x), T(places), T(values), B(p->accumulate),
                            p->axis < 0 ? NONE : I(p->axis)),
                       &y));
    check_values(y, (size_t)product(p->ndim, p->shape), wanted, __FILE__, __LINE__);
    free(wanted);
    free(all);
    if (y != x)
        ps_tensor_release(y);
    RELEASE(x, places, values, spread, typed);
}

static void against_a_plain_loop(void **state)
{
    (void)state;
    for (int i = 0; i < 2000; i++) {
        problem p = any_problem();
        check_problem(&p);
    }
}

/* Large enough to be divided among threads; rows written more than once. */
static void large_slices(void **state)
{
    (void)state;
    enum { OUTER = 64, LENGTH = 50, INNER = 40, AT = 200 };
    int64_t at[AT];
    for (int i = 0; i < AT; i++)
        at[i] = i * 7 % LENGTH;
    ps_tensor *x = counted(PS_INT32, SHAPE(OUTER, LENGTH, INNER));
    ps_tensor *places = indices_of(PS_INT64, SHAPE(AT), at);
    ps_tensor *values = counted(PS_INT32, SHAPE(OUTER, AT, INNER));
    ps_tensor *plain = CALL("put", T(x), T(places), T(values), B(false), I(1));
    ps_tensor *sums = CALL("put", T(x), T(places), T(values), B(true), I(1));
    problem p = {.ndim = 3, .axis = 1, .shape = {OUTER, LENGTH, INNER}, .at_ndim = 1};
    p.at_shape[0] = AT;
    p.values_ndim = 3;
    memcpy(p.values_shape, (int64_t[]){OUTER, AT, INNER}, 3 * sizeof(int64_t));
    double *v = values_of(values);
    for (int accumulate = 0; accumulate < 2; accumulate++) {
        p.accumulate = accumulate;
        p.dtype = PS_INT32;
        double *wanted = values_of(x);
        expect(&p, wanted, v, at);
        check_values(accumulate ? sums : plain, OUTER * LENGTH * INNER, wanted, __FILE__, __LINE__);
        free(wanted);
    }
    free(v);
    RELEASE(x, places, values, plain, sums);
}

/* Rounded sums follow the order of the positions: the same bits every time. */
static void sums_have_one_order(void **state)
{
    (void)state;
    enum { N = 20000, ROWS = 30, WIDTH = 300 };
    float *values = malloc(N * sizeof *values), sum = 0, got = 0;
    for (int i = 0; i < N; i++) {
        values[i] = (float)pick(1000000) * (i % 3 ? 1e-3f : 1e3f);
        sum += values[i];
    }
    ps_tensor *v = floats(N, values), *x = CALL("zeros", INTS(1));
    ps_tensor *at = CALL("zeros", INTS(N), D(PS_INT32));
    PUT(x, T(at), T(v), B(true));
    CHECK_OK(ps_tensor_to_host(x, &got, sizeof got));
    assert_memory_equal(&got, &sum, sizeof got);
    ps_tensor *wide = CALL("zeros", INTS(1, WIDTH)), *rows = CALL("reshape", T(v), INTS(-1, 1));
    ps_tensor *many = CALL("broadcast_to", T(rows), INTS(N, WIDTH));
    PUT(wide, T(at), T(many), B(true), I(0));
    double *all = values_of(wide);
    for (int i = 0; i < WIDTH; i++)
        assert_true(all[i] == (double)sum);
    free(all);
    free(values);
    RELEASE(v, x, at, wide, rows, many);
}

/* ---- failures ------------------------------------------------------------------------------ */

static void check_out_of_range(ps_tensor *x, ps_arg at, ps_arg axis, const char *text)
{
    ps_tensor *y = NULL;
    ps_status status = call_into("put", ARGS(T(x), at, I(1), B(false), axis), &y);
    CHECK_FAILS(PS_ERR_INDEX, text, status == PS_OK ? ps_tensor_wait(y, NULL) : status);
    ps_tensor_release(y);
}

static void out_of_range(void **state)
{
    (void)state;
    ps_tensor *x = counted(PS_FLOAT32, SHAPE(3, 4)), *at = INDICES(PS_INT8, 0, 1, 3, -4);
    ps_tensor *huge = INDICES(PS_UINT64, 2, -1), *nothing = CALL("zeros", INTS(0, 4));
    check_out_of_range(x, T(at), I(0),
                       "put: index 3 is out of range for axis 0 with length 3; it is number 2");
    check_out_of_range(x, I(-5), I(1), "index -5 is out of range for axis 1 with length 4");
    check_out_of_range(x, I(12), NONE,
                       "index 12 is out of range for the flattened tensor with length 12");
    check_out_of_range(x, T(huge), I(0), "index 18446744073709551615 is out of range");
    check_out_of_range(nothing, I(0), NONE, "index 0 is out of range");
    check_out_of_range(nothing, I(4), I(1), "index 4 is out of range for axis 1 with length 4");
    CHECK_VALUES(x, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11); /* nothing else suffers */
    RELEASE(x, at, huge, nothing);
}

/* In place the mark is on x, until it is overwritten; no element was. */
static void in_place_nothing_is_written(void **state)
{
    (void)state;
    ps_engine *engine;
    CHECK_OK(ps_engine_default(&engine));
    float values[4] = {1, 2, 3, 4}, got[4];
    ps_tensor *x = floats(4, values), *half, *at = INDICES(PS_INT64, 0, 1, 4);
    CHECK_OK(ps_tensor_index(x, &(ps_index){.start = 0, .stop = 2, .step = 1}, 1, &half));
    PUT(half, T(at), F(9));
    CHECK_FAILS(PS_ERR_INDEX, "index 4", ps_tensor_wait(x, NULL));
    CHECK_FAILS(PS_ERR_INDEX, "index 4", ps_tensor_to_host(x, got, sizeof got));
    CHECK_OK(call_into("assign", ARGS(F(5)), &x));
    CHECK_VALUES(x, 5, 5, 5, 5);
    CHECK_OK(ps_engine_take_error(engine)); /* seen */
    RELEASE(x, half, at);
}

static void what_put_refuses(void **state)
{
    (void)state;
    ps_tensor *x = counted(PS_INT8, SHAPE(2, 3)), *out = NULL, *at = INDICES(PS_INT64, 0, 1);
    ps_tensor *three = FLOATS(1, 2, 3), *same;
    CHECK_FAILS(PS_ERR_TYPE, "float32", call_into("put", ARGS(T(x), T(three), I(1)), &out));
    CHECK_FAILS(PS_ERR_TYPE, "integer", call_into("put", ARGS(T(x), F(1), I(1)), &out));
    CHECK_FAILS(PS_ERR_ARGUMENT, "values of shape (3,) cannot be broadcast to (2,)",
                call_into("put", ARGS(T(x), T(at), T(three)), &out));
    CHECK_FAILS(PS_ERR_ARGUMENT, "values of shape (3,) cannot be broadcast to (2, 2)",
                call_into("put", ARGS(T(x), T(at), T(three), B(false), I(1)), &out));
    CHECK_FAILS(PS_ERR_ARGUMENT, "axis 2",
                call_into("put", ARGS(T(x), T(at), I(1), B(false), I(2)), &out));
    CHECK_FAILS(PS_ERR_ARGUMENT, " for int8", call_into("put", ARGS(T(x), T(at), I(300)), &out));
    CHECK_FAILS(PS_ERR_ARGUMENT, "does not fit into int8",
                call_into("put", ARGS(T(x), T(at), F(0.5)), &out));
    int64_t ones[PS_DIMS_MAX];
    for (int i = 0; i < PS_DIMS_MAX; i++)
        ones[i] = 1;
    ps_arg deep = {.kind = PS_ARG_INTS, .count = PS_DIMS_MAX, .as.ints = ones};
    ps_tensor *many = CALL("ones", deep), *yes = CALL("ones", INTS(1), D(PS_BOOL)), *flag = NULL;
    CHECK_OK(ps_tensor_view_as(yes, 0, NULL, &flag));
    CHECK_FAILS(PS_ERR_ARGUMENT,
                "masked_put: ", call_into("masked_put", ARGS(T(many), T(flag), T(many)), &out));
    ps_tensor_release(many);
    ps_tensor_release(yes);
    ps_tensor_release(flag);
    CHECK_FAILS(PS_ERR_TYPE, "must be a tensor", call_into("put", ARGS(I(1), T(at), I(1)), &out));
    assert_int_not_equal(call_into("put", ARGS(T(x), T(at)), &out), PS_OK);
    assert_null(out);
    same = CALL("broadcast_to", T(three), INTS(2, 3));
    CHECK_FAILS(PS_ERR_ARGUMENT, "repeat", call_into("put", ARGS(T(same), T(at), I(1)), &same));
    ps_tensor *whole = CALL("put", T(same), T(at), I(7)); /* into a copy it may */
    CHECK_VALUES(whole, 7, 7, 3, 1, 2, 3);
    RELEASE(x, at, three, same, whole);
}

static void nothing_to_put(void **state)
{
    (void)state;
    ps_tensor *x = counted(PS_FLOAT32, SHAPE(3)), *none = CALL("zeros", INTS(0), D(PS_INT64));
    ps_tensor *nothing = CALL("zeros", INTS(0)), *point = CALL("full", INTS(), F(3));
    PUT(x, T(none), T(nothing));
    PUT(x, T(none), F(1));
    CHECK_VALUES(x, 0, 1, 2);
    PUT(nothing, T(none), F(1));
    PUT(point, I(0), F(4));
    PUT(point, I(-1), F(1), B(true));
    CHECK_VALUES(point, 5);
    RELEASE(x, none, nothing, point);
}

/* ---- masks --------------------------------------------------------------------------------- */

#define MASKED_PUT(x, ...) CHECK_OK(call_into("masked_put", ARGS(T(x), __VA_ARGS__), &(x)))

static void masks_by_hand(void **state)
{
    (void)state;
    ps_tensor *x = counted(PS_FLOAT32, SHAPE(2, 3)), *mask = mask_of(SHAPE(2, 3), "011001");
    ps_tensor *values = FLOATS(10, 20, 30), *y = CALL("masked_put", T(x), T(mask), T(values));
    CHECK_VALUES(y, 0, 10, 20, 3, 4, 30);
    CHECK_VALUES(x, 0, 1, 2, 3, 4, 5);
    MASKED_PUT(x, T(mask), F(-1));
    CHECK_VALUES(x, 0, -1, -1, 3, 4, -1);
    ps_tensor *turned = CALL("permute", T(x)), *other = CALL("permute", T(mask));
    MASKED_PUT(turned, T(other), T(values)); /* in the order of the view */
    CHECK_VALUES(x, 0, 10, 20, 3, 4, 30);
    ps_tensor *rows = mask_of(SHAPE(2), "01"), *row = FLOATS(7, 8, 9);
    MASKED_PUT(x, T(rows), T(row));
    CHECK_VALUES(x, 0, 10, 20, 7, 8, 9);
    ps_tensor *both = mask_of(SHAPE(2), "11"), *columns = from_floats(SHAPE(2, 1), (float[]){1, 2});
    MASKED_PUT(x, T(both), T(columns));
    CHECK_VALUES(x, 1, 1, 1, 2, 2, 2);
    ps_tensor *all = mask_of(0, NULL, "1"), *whole = counted(PS_FLOAT32, SHAPE(1, 2, 3));
    MASKED_PUT(x, T(all), T(whole));
    CHECK_VALUES(x, 0, 1, 2, 3, 4, 5);
    RELEASE(x, mask, values, y, turned, other, rows, row, both, columns, all, whole);
}

/* masked_put undoes masked_select. */
static void every_type_under_a_mask(void **state)
{
    (void)state;
    for (int dtype = 0; dtype < 15; dtype++)
        for (int round = 0; round < 10; round++) {
            int64_t shape[3] = {1 + pick(6), 1 + pick(6), 1 + pick(90)};
            int depth = 1 + pick(3);
            ps_tensor *x = counted((ps_dtype)dtype, 3, shape);
            ps_tensor *noise =
                CALL("random_bernoulli",
                     ((ps_arg){.kind = PS_ARG_INTS, .count = (uint32_t)depth, .as.ints = shape}),
                     F(0.4));
            ps_tensor *chosen = CALL("masked_select", T(x), T(noise));
            ps_tensor *y = CALL("masked_fill", T(x), T(noise), I(0));
            MASKED_PUT(y, T(noise), T(chosen));
            double *wanted = values_of(x);
            check_values(y, (size_t)product(3, shape), wanted, __FILE__, __LINE__);
            free(wanted);
            RELEASE(x, noise, chosen, y);
        }
}

static void a_wrong_number_of_values(void **state)
{
    (void)state;
    ps_tensor *x = counted(PS_FLOAT32, SHAPE(4)), *mask = mask_of(SHAPE(4), "1101");
    ps_tensor *two = FLOATS(1, 2), *none = CALL("zeros", INTS(0)), *no = mask_of(SHAPE(4), "0000");
    static const char *const texts[] = {"2 values for 3 places", "0 values for 3 places",
                                        "2 values for 0 places"};
    ps_tensor *values[] = {two, none, two}, *masks[] = {mask, mask, no};
    for (int i = 0; i < 3; i++) {
        ps_tensor *y = NULL;
        ps_status status = call_into("masked_put", ARGS(T(x), T(masks[i]), T(values[i])), &y);
        CHECK_FAILS(PS_ERR_ARGUMENT, texts[i], status == PS_OK ? ps_tensor_wait(y, NULL) : status);
        ps_tensor_release(y);
    }
    MASKED_PUT(x, T(no), T(none));
    MASKED_PUT(x, T(no), F(9));
    CHECK_VALUES(x, 0, 1, 2, 3);
    RELEASE(x, mask, two, none, no);
}

static void what_masked_put_refuses(void **state)
{
    (void)state;
    ps_tensor *x = counted(PS_FLOAT32, SHAPE(2, 3)), *rows = mask_of(SHAPE(2), "11"), *out = NULL;
    ps_tensor *wrong = mask_of(SHAPE(3), "111"), *values = counted(PS_FLOAT32, SHAPE(2, 2));
    CHECK_FAILS(PS_ERR_TYPE, "a mask of float32",
                call_into("masked_put", ARGS(T(x), T(x), F(1)), &out));
    CHECK_FAILS(PS_ERR_ARGUMENT, "shape (3,) for a tensor of shape (2, 3)",
                call_into("masked_put", ARGS(T(x), T(wrong), F(1)), &out));
    CHECK_FAILS(PS_ERR_ARGUMENT, "values of shape (2, 2) cannot be broadcast to (2, 3)",
                call_into("masked_put", ARGS(T(x), T(rows), T(values)), &out));
    CHECK_FAILS(PS_ERR_TYPE, "mask must be a tensor",
                call_into("masked_put", ARGS(T(x), B(true), F(1)), &out));
    assert_null(out);
    RELEASE(x, rows, wrong, values);
}

/* ---- devices, modes, memory ---------------------------------------------------------------- */

static void on_the_null_device(void **state)
{
    (void)state;
    ps_device *null;
    CHECK_OK(ps_device_find("null", &null));
    ps_tensor *x = NULL, *at = NULL, *y;
    int64_t places[2] = {0, 7};
    CHECK_OK(ps_tensor_from_host(PS_FLOAT32, SHAPE(3), NULL, (float[]){1, 2, 3}, null, &x));
    CHECK_OK(ps_tensor_from_host(PS_INT64, SHAPE(2), NULL, places, null, &at));
    y = CALL("put", T(x), T(at), F(1));
    assert_ptr_equal(ps_tensor_device(y), null);
    CHECK_OK(ps_tensor_wait(y, NULL)); /* nothing is looked at there */
    PUT(x, T(at), T(at));
    CHECK_OK(ps_tensor_wait(x, NULL));
    ps_tensor *here = counted(PS_FLOAT32, SHAPE(3)), *out = NULL;
    CHECK_FAILS(PS_ERR_ARGUMENT, "null", call_into("put", ARGS(T(here), T(at), F(1)), &out));
    RELEASE(x, at, y, here);
}

static void in_synchronous_mode_the_call_fails(void **state)
{
    (void)state;
    ps_engine *engine;
    CHECK_OK(ps_engine_default(&engine));
    ps_tensor *x = counted(PS_FLOAT32, SHAPE(3)), *out = NULL;
    CHECK_OK(ps_tensor_wait(x, NULL));
    CHECK_OK(ps_thread_set_mode(PS_MODE_SYNC));
    CHECK_FAILS(PS_ERR_INDEX, "index 3", call_into("put", ARGS(T(x), I(3), F(1)), &out));
    assert_null(out);
    PUT(x, I(2), F(1));
    CHECK_OK(ps_thread_set_mode(PS_MODE_DEFAULT));
    CHECK_VALUES(x, 0, 1, 1);
    ps_tensor_release(x);
}

/* Each allocation fails in turn: the call or the wait says so, or all is as it should be. */
static void memory_that_is_not_there(void **state)
{
    (void)state;
    ps_engine *engine;
    CHECK_OK(ps_engine_default(&engine));
    ps_tensor *x = counted(PS_FLOAT32, SHAPE(6)), *at = INDICES(PS_INT32, 1, 4);
    ps_tensor *mask = mask_of(SHAPE(6), "000011"), *values = FLOATS(7, 8);
    CHECK_OK(ps_wait_all(engine, NULL));
    for (unsigned long nth = 1, calls = nth; calls + 1 >= nth; nth++) {
        ps_tensor *y = NULL, *z = NULL;
        float got[6];
        ps__fault_set(nth, false);
        ps_status status = call_into("put", ARGS(T(x), T(at), T(values)), &y);
        if (status == PS_OK)
            status = call_into("masked_put", ARGS(T(y), T(mask), I(9)), &z);
        if (status == PS_OK)
            status = ps_tensor_to_host(z, got, sizeof got);
        calls = ps__fault_count();
        ps__fault_set(0, false);
        if (status == PS_OK)
            assert_memory_equal(got, ((float[]){0, 7, 2, 3, 9, 9}), sizeof got);
        else
            assert_int_equal(status, PS_ERR_MEMORY);
        RELEASE(y, z);
        while (ps_wait_all(engine, NULL) != PS_OK)
            continue;
    }
    RELEASE(x, at, mask, values);
}

int main(void)
{
    alarm(LIMIT_S);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(positions_count_through_x),
        cmocka_unit_test(the_last_of_equal_positions_counts),
        cmocka_unit_test(slices_along_an_axis),
        cmocka_unit_test(through_views),
        cmocka_unit_test(into_another_output),
        cmocka_unit_test(from_itself),
        cmocka_unit_test(snapshots_do_not_change),
        cmocka_unit_test(against_a_plain_loop),
        cmocka_unit_test(large_slices),
        cmocka_unit_test(sums_have_one_order),
        cmocka_unit_test(out_of_range),
        cmocka_unit_test(in_place_nothing_is_written),
        cmocka_unit_test(what_put_refuses),
        cmocka_unit_test(nothing_to_put),
        cmocka_unit_test(masks_by_hand),
        cmocka_unit_test(every_type_under_a_mask),
        cmocka_unit_test(a_wrong_number_of_values),
        cmocka_unit_test(what_masked_put_refuses),
        cmocka_unit_test(on_the_null_device),
        cmocka_unit_test(in_synchronous_mode_the_call_fails),
        cmocka_unit_test(memory_that_is_not_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
