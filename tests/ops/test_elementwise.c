/* Elementwise operations: values against plain loops for every element type and many layouts, types
 * of results, numbers beside tensors, outputs that are given. What single kernels compute is tested
 * in tests/kernels. */
#include "help.h"

#include "dtype/dtype.h"
#include "tensor/tensor.h"

static void release_all(ps_tensor **tensors, size_t count)
{
    for (size_t i = 0; i < count; i++)
        ps_tensor_release(tensors[i]);
}

#define RELEASE(...)                                                                               \
    release_all((ps_tensor *[]){__VA_ARGS__},                                                      \
                sizeof((ps_tensor *[]){__VA_ARGS__}) / sizeof(ps_tensor *))

/* ---- layouts ----------------------------------------------------------------------------- */

/* Elements of counted() are their places in memory, so what a view of it must show follows from its
 * strides. Of `index` only the last dimensions count, and none where the length is 1. */
static double shown(const ps_tensor *t, int ndim, const int64_t *index)
{
    int64_t place = t->offset;
    for (int i = 0; i < t->ndim; i++)
        if (ps__shape(t)[i] != 1)
            place += index[ndim - t->ndim + i] * ps__strides(t)[i];
    return (double)place;
}

static bool next_index(int ndim, const int64_t *shape, int64_t *index)
{
    for (int i = ndim; i-- > 0;) {
        if (++index[i] < shape[i])
            return true;
        index[i] = 0;
    }
    return false;
}

static void check_sum(ps_tensor *a, ps_tensor *b)
{
    ps_tensor *y = CALL("add", T(a), T(b));
    int ndim = ps_tensor_ndim(y);
    int64_t index[PS_DIMS_MAX] = {0}, at = 0;
    double *values = values_of(y);
    if (ps_tensor_count(y) != 0)
        do {
            double wanted = shown(a, ndim, index) + shown(b, ndim, index);
            if (values[at] != wanted)
                fail_msg("element %lld of %d dimensions is %g, not %g", (long long)at, ndim,
                         values[at], wanted);
            at++;
        } while (next_index(ndim, ps_tensor_shape(y), index));
    assert_int_equal(at, ps_tensor_count(y));
    free(values);
    ps_tensor_release(y);
}

static ps_tensor *view_of(ps_tensor *base, size_t count, const ps_index *indices, bool turn)
{
    ps_tensor *view, *turned;
    CHECK_OK(ps_tensor_index(base, indices, count, &view));
    ps_tensor_release(base);
    if (!turn)
        return view;
    CHECK_OK(ps_tensor_permute(view, NULL, 0, &turned));
    ps_tensor_release(view);
    return turned;
}

#define ALL_OF ((ps_index){PS_INDEX_RANGE, PS_INDEX_NONE, PS_INDEX_NONE, PS_INDEX_NONE})
#define BACKWARD ((ps_index){PS_INDEX_RANGE, PS_INDEX_NONE, PS_INDEX_NONE, -1})
#define EVERY(n) ((ps_index){PS_INDEX_RANGE, PS_INDEX_NONE, PS_INDEX_NONE, (n)})
#define FROM(n) ((ps_index){PS_INDEX_RANGE, (n), PS_INDEX_NONE, 1})

/* Views of shape (12, 18): all layouts that two dimensions can have. */
static ps_tensor *layout(ps_dtype dtype, int which)
{
    switch (which) {
    case 0:
        return counted(dtype, SHAPE(12, 18));
    case 1:
        return view_of(counted(dtype, SHAPE(18, 12)), 1, &ALL_OF, true);
    case 2:
        return view_of(counted(dtype, SHAPE(12, 18)), 2, (ps_index[]){BACKWARD, BACKWARD}, false);
    case 3:
        return view_of(counted(dtype, SHAPE(24, 36)), 2, (ps_index[]){EVERY(2), EVERY(-2)}, false);
    case 4:
        return view_of(counted(dtype, SHAPE(20, 24)), 2, (ps_index[]){FROM(2), EVERY(-2)}, true);
    case 5:
        return counted(dtype, SHAPE(1, 18));
    case 6:
        return counted(dtype, SHAPE(12, 1));
    case 7:
        return view_of(counted(dtype, SHAPE(36)), 1, &EVERY(-2), false);
    default:
        return counted(dtype, SHAPE(1));
    }
}

static void every_pair_of_layouts(void **state)
{
    (void)state;
    for (int a = 0; a < 9; a++)
        for (int b = 0; b < 9; b++) {
            ps_tensor *x = layout(PS_FLOAT32, a), *y = layout(PS_INT16, b);
            check_sum(x, y);
            RELEASE(x, y);
        }
}

/* Long enough for several tiles in each row, and rows shorter than a tile. */
static void long_and_short_rows(void **state)
{
    (void)state;
    static const int64_t columns[] = {1, 3, 127, 128, 129, 1023, 1025, 3000};
    for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++) {
        int64_t n = columns[i];
        ps_tensor *base = counted(PS_FLOAT64, SHAPE(7, n)), *row = counted(PS_FLOAT64, SHAPE(n));
        ps_tensor *column = counted(PS_FLOAT64, SHAPE(7, 1)),
                  *other = counted(PS_FLOAT64, SHAPE(n, 7));
        ps_tensor *turned = view_of(other, 1, &ALL_OF, true);
        check_sum(base, row);
        check_sum(column, base);
        check_sum(base, turned);
        check_sum(turned, row);
        RELEASE(base, row, column, turned);
    }
}

static void no_elements_and_no_dimensions(void **state)
{
    (void)state;
    ps_tensor *point = counted(PS_FLOAT32, 0, NULL), *empty = counted(PS_FLOAT32, SHAPE(3, 0, 2));
    ps_tensor *one = counted(PS_FLOAT32, SHAPE(1, 1)), *two = counted(PS_FLOAT32, SHAPE(2));
    check_sum(point, point);
    check_sum(point, two);
    check_sum(empty, point);
    check_sum(empty, two);
    check_sum(one, empty);
    ps_tensor *y = CALL("multiply", T(point), I(3)), *z = CALL("exp", T(empty));
    assert_int_equal(ps_tensor_ndim(y), 0);
    CHECK_SHAPE(z, 3, 0, 2);
    CHECK_OK(call_into("add", ARGS(T(empty), I(1)), &empty));
    CHECK_OK(ps_tensor_wait(empty, NULL));
    RELEASE(point, empty, one, two, y, z);
}

static void thirty_two_dimensions(void **state)
{
    (void)state;
    int64_t shape[PS_DIMS_MAX], other[PS_DIMS_MAX];
    for (int i = 0; i < PS_DIMS_MAX; i++) {
        shape[i] = i % 4 == 1 ? 2 : 1; /* 256 elements */
        other[i] = i % 8 == 3 ? 2 : 1; /* 16, in other places */
    }
    ps_tensor *a = counted(PS_FLOAT32, PS_DIMS_MAX, shape), *turned;
    ps_tensor *b = counted(PS_FLOAT32, PS_DIMS_MAX, other);
    CHECK_OK(ps_tensor_permute(a, NULL, 0, &turned));
    check_sum(a, a);
    check_sum(a, b);
    check_sum(a, turned);
    RELEASE(a, b, turned);
}

/* ---- types ------------------------------------------------------------------------------- */

static ps_tensor *small(ps_dtype dtype, double first)
{
    double values[5];
    for (int i = 0; i < 5; i++)
        values[i] = first + i;
    ps_tensor *wide, *x;
    CHECK_OK(ps_tensor_from_host(PS_FLOAT64, SHAPE(5), NULL, values, NULL, &wide));
    x = CALL("cast", T(wide), D(dtype));
    ps_tensor_release(wide);
    return x;
}

static void check_pair(ps_dtype a, ps_dtype b)
{
    ps_tensor *x = small(a, 3), *y = small(b, 1), *sum = CALL("add", T(x), T(y));
    assert_int_equal(ps_tensor_dtype(sum), ps__promote(a, b));
    double *values = values_of(sum);
    for (int i = 0; i < 5; i++) {
        double wanted = (a == PS_BOOL ? 1 : 3 + i) + (b == PS_BOOL ? 1 : 1 + i);
        if (a == PS_BOOL && b == PS_BOOL)
            wanted = 1;
        if (values[i] != wanted)
            fail_msg("%s + %s: %g, not %g", ps_dtype_name(a), ps_dtype_name(b), values[i], wanted);
    }
    free(values);
    ps_tensor *equal = CALL("equal", T(x), T(y));
    assert_int_equal(ps_tensor_dtype(equal), PS_BOOL);
    RELEASE(x, y, sum, equal);
}

static void every_pair_of_types(void **state)
{
    (void)state;
    for (int a = 0; a < PS__DTYPES; a++)
        for (int b = 0; b < PS__DTYPES; b++)
            check_pair((ps_dtype)a, (ps_dtype)b);
}

#define COMPLEX(r, i)                                                                              \
    ((ps_arg){.kind = PS_ARG_SCALAR, .as.scalar = {PS_SCALAR_COMPLEX, {.z = {(r), (i)}}}})
#define UNSIGNED(x) ((ps_arg){.kind = PS_ARG_SCALAR, .as.scalar = {PS_SCALAR_UINT64, {.u = (x)}}})

static void numbers_are_weak(void **state)
{
    (void)state;
    const struct {
        ps_dtype tensor;
        ps_arg number;
        ps_dtype result;
    } cases[] = {
        {PS_INT32, I(1), PS_INT32},
        {PS_UINT8, I(1), PS_UINT8},
        {PS_BOOL, I(1), PS_INT64},
        {PS_BOOL, B(true), PS_BOOL},
        {PS_INT8, B(true), PS_INT8},
        {PS_INT32, F(1), PS_FLOAT32},
        {PS_INT64, F(1), PS_FLOAT32},
        {PS_BOOL, F(1), PS_FLOAT32},
        {PS_FLOAT16, F(1), PS_FLOAT16},
        {PS_BFLOAT16, F(1), PS_BFLOAT16},
        {PS_FLOAT16, I(1), PS_FLOAT16},
        {PS_FLOAT64, F(1), PS_FLOAT64},
        {PS_FLOAT32, F(1), PS_FLOAT32},
        {PS_COMPLEX64, F(1), PS_COMPLEX64},
        {PS_FLOAT32, COMPLEX(1, 0), PS_COMPLEX64},
        {PS_FLOAT16, COMPLEX(1, 0), PS_COMPLEX64},
        {PS_INT32, COMPLEX(1, 0), PS_COMPLEX64},
        {PS_FLOAT64, COMPLEX(1, 0), PS_COMPLEX128},
        {PS_UINT64, UNSIGNED(1), PS_UINT64},
        {PS_INT16, UNSIGNED(1), PS_INT16},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ps_tensor *x = small(cases[i].tensor, 0);
        ps_tensor *y = call("add", 2, (ps_arg[]){T(x), cases[i].number});
        ps_tensor *z = call("add", 2, (ps_arg[]){cases[i].number, T(x)});
        if (ps_tensor_dtype(y) != cases[i].result || ps_tensor_dtype(z) != cases[i].result)
            fail_msg("case %zu: %s", i, ps_dtype_name(ps_tensor_dtype(y)));
        double *values = values_of(y);
        assert_true(values[0] == 1);
        free(values);
        RELEASE(x, y, z);
    }
}

static void numbers_out_of_range_are_refused(void **state)
{
    (void)state;
    ps_tensor *bytes = small(PS_UINT8, 0), *small_int = small(PS_INT8, 0), *out = NULL;
    ps_tensor *wide = small(PS_INT64, 0), *unsigned_wide = small(PS_UINT64, 0);
    CHECK_FAILS(PS_ERR_ARGUMENT, "300 is out of range for uint8",
                call_into("add", ARGS(T(bytes), I(300)), &out));
    CHECK_FAILS(PS_ERR_ARGUMENT, "-1 is out of range for uint8",
                call_into("multiply", ARGS(I(-1), T(bytes)), &out));
    CHECK_FAILS(PS_ERR_ARGUMENT, "-129 is out of range for int8",
                call_into("maximum", ARGS(T(small_int), I(-129)), &out));
    CHECK_FAILS(PS_ERR_ARGUMENT, "out of range for int64",
                call_into("add", ARGS(T(wide), UNSIGNED(UINT64_MAX)), &out));
    CHECK_FAILS(PS_ERR_ARGUMENT, "-1 is out of range for uint64",
                call_into("add", ARGS(T(unsigned_wide), I(-1)), &out));
    assert_null(out);
    ps_tensor *y = CALL("add", T(bytes), I(255)),
              *z = CALL("add", T(unsigned_wide), UNSIGNED(UINT64_MAX));
    CHECK_VALUES(y, 255, 0, 1, 2, 3); /* and arithmetic wraps */
    uint64_t values[5];
    CHECK_OK(ps_tensor_to_host(z, values, sizeof values));
    assert_true(values[0] == UINT64_MAX && values[1] == 0);
    RELEASE(bytes, small_int, wide, unsigned_wide, y, z);
}

static void numbers_alone(void **state)
{
    (void)state;
    ps_tensor *a = CALL("add", I(2), I(3)), *b = CALL("add", I(2), F(0.5)), *c = CALL("exp", I(0));
    ps_tensor *d = CALL("less", B(true), F(2));
    assert_int_equal(ps_tensor_dtype(a), PS_INT64);
    assert_int_equal(ps_tensor_dtype(b), PS_FLOAT32);
    assert_int_equal(ps_tensor_dtype(c), PS_FLOAT32);
    assert_int_equal(ps_tensor_dtype(d), PS_BOOL);
    CHECK_VALUES(a, 5);
    CHECK_VALUES(b, 2.5);
    CHECK_VALUES(c, 1);
    CHECK_VALUES(d, 1);
    RELEASE(a, b, c, d);
}

/* 16-bit floats are rounded after every operation, also inside of a chain. */
static void halves_round_each_time(void **state)
{
    (void)state;
    float values[] = {2048, 2049, 1, 0.1f, 60000};
    ps_tensor *x = from_floats(SHAPE(5), values), *h = CALL("cast", T(x), D(PS_FLOAT16));
    ps_tensor *y = CALL("add", T(h), I(1)), *z = CALL("subtract", T(y), I(1));
    CHECK_VALUES(h, 2048, 2048, 1, 0.0999755859375, 60000);
    CHECK_VALUES(z, 2047, 2047, 1, 0.099609375, 60000); /* 2048 + 1 is 2048; 2048 - 1 is 2047 */
    ps_tensor *large = CALL("multiply", T(h), I(2));
    CHECK_VALUES(large, 4096, 4096, 2, 0.199951171875, INFINITY);
    ps_tensor *number = CALL("full", INTS(1), F(1.5), D(PS_FLOAT16));
    ps_tensor *tenth = CALL("multiply", T(number), F(0.1)); /* the number is rounded first, too */
    CHECK_VALUES(tenth, 1228.0 / 8192);
    ps_tensor *brain = CALL("cast", T(x), D(PS_BFLOAT16)), *sum = CALL("add", T(brain), I(1));
    CHECK_VALUES(sum, 2048, 2048, 2, 1.1015625, 59904);
    RELEASE(x, h, y, z, large, number, tenth, brain, sum);
}

static void numbers_are_written_in_full(void **state)
{
    (void)state;
    ps_tensor *wide = CALL("zeros", INTS(2), D(PS_FLOAT64));
    ps_tensor *whole = CALL("zeros", INTS(2), D(PS_INT64));
    CHECK_OK(call_into("assign", ARGS(F(0.1)), &wide));
    CHECK_OK(call_into("assign", ARGS(F(1e15 + 3)), &whole));
    CHECK_VALUES(wide, 0.1, 0.1);
    CHECK_VALUES(whole, 1e15 + 3, 1e15 + 3);
    ps_tensor *small_type = CALL("zeros", INTS(2), D(PS_INT8));
    CHECK_FAILS(PS_ERR_ARGUMENT, "300 is out of range for int8",
                call_into("assign", ARGS(I(300)), &small_type));
    CHECK_VALUES(small_type, 0, 0);
    RELEASE(wide, whole, small_type);
}

static void operations_refuse_types(void **state)
{
    (void)state;
    ps_tensor *z = small(PS_COMPLEX64, 0), *b = small(PS_BOOL, 0), *f = small(PS_FLOAT32, 0);
    ps_tensor *out = NULL;
    CHECK_FAILS(PS_ERR_TYPE, "less: no rule for complex64 and float32",
                call_into("less", ARGS(T(z), T(f)), &out));
    CHECK_FAILS(PS_ERR_TYPE, "subtract: no rule for bool and bool",
                call_into("subtract", ARGS(T(b), T(b)), &out));
    CHECK_FAILS(PS_ERR_TYPE, "bitwise_and: no rule for float32 and an int",
                call_into("bitwise_and", ARGS(T(f), I(1)), &out));
    CHECK_FAILS(PS_ERR_TYPE, "erf: no rule for complex64", call_into("erf", ARGS(T(z)), &out));
    CHECK_FAILS(PS_ERR_TYPE, "maximum: no rule for float32 and a complex",
                call_into("maximum", ARGS(T(f), COMPLEX(1, 1)), &out));
    assert_null(out);
    RELEASE(z, b, f);
}

static void results_of_other_types(void **state)
{
    (void)state;
    ps_tensor *i = small(PS_INT32, 1), *z = small(PS_COMPLEX64, 3), *b = small(PS_BOOL, 0);
    ps_tensor *quotient = CALL("divide", T(i), I(2)), *size = CALL("abs", T(z));
    ps_tensor *both = CALL("logical_and", T(i), T(b)), *root = CALL("sqrt", T(i));
    assert_int_equal(ps_tensor_dtype(quotient), PS_FLOAT32);
    assert_int_equal(ps_tensor_dtype(size), PS_FLOAT32);
    assert_int_equal(ps_tensor_dtype(both), PS_BOOL);
    assert_int_equal(ps_tensor_dtype(root), PS_FLOAT32);
    CHECK_VALUES(quotient, 0.5, 1, 1.5, 2, 2.5);
    CHECK_VALUES(size, 3, 4, 5, 6, 7);
    CHECK_VALUES(both, 0, 1, 1, 1, 1);
    RELEASE(i, z, b, quotient, size, both, root);
}

/* ---- outputs that are given --------------------------------------------------------------- */

static bool same_kind(ps_dtype from, ps_dtype to)
{
    static const int ranks[] = {0, 1, 1, 2,
                                3}; /* by kind: bool, unsigned, signed, float, complex */
    return ranks[ps__dtype_kind_of(to)] >= ranks[ps__dtype_kind_of(from)];
}

static void given_outputs_of_every_type(void **state)
{
    (void)state;
    for (int a = 0; a < PS__DTYPES; a++)
        for (int b = 0; b < PS__DTYPES; b++) {
            ps_tensor *x = small((ps_dtype)a, 1), *out = small((ps_dtype)b, 50), *given = out;
            ps_status status = call_into("multiply", ARGS(T(x), T(x)), &given);
            assert_ptr_equal(given, out);
            if (!same_kind((ps_dtype)a, (ps_dtype)b)) {
                assert_int_equal(status, PS_ERR_TYPE);
                assert_non_null(strstr(ps_last_error(), ps_dtype_name((ps_dtype)a)));
                assert_non_null(strstr(ps_last_error(), ps_dtype_name((ps_dtype)b)));
                double *values = values_of(out);
                assert_true(values[1] == (b == PS_BOOL ? 1 : 51)); /* untouched */
                free(values);
            } else {
                CHECK_OK(status);
                double *values = values_of(out);
                for (int i = 0; i < 5; i++) {
                    double wanted = a == PS_BOOL || b == PS_BOOL ? 1 : (1 + i) * (1 + i);
                    if (values[i] != wanted)
                        fail_msg("%s into %s: %g, not %g", ps_dtype_name((ps_dtype)a),
                                 ps_dtype_name((ps_dtype)b), values[i], wanted);
                }
                free(values);
            }
            RELEASE(x, out);
        }
}

static void given_outputs_of_every_layout(void **state)
{
    (void)state;
    for (int a = 0; a < 5; a++)
        for (int b = 0; b < 9; b++) {
            ps_tensor *out = layout(PS_FLOAT32, a), *x = layout(PS_FLOAT32, b);
            int64_t index[2] = {0};
            CHECK_OK(call_into("add", ARGS(T(x), T(out)), &out));
            double *values = values_of(out);
            for (int64_t at = 0; at < 12 * 18; at++) {
                assert_true(values[at] == shown(out, 2, index) + shown(x, 2, index));
                next_index(2, ps_tensor_shape(out), index);
            }
            free(values);
            RELEASE(out, x);
        }
}

static void given_outputs_of_another_shape(void **state)
{
    (void)state;
    ps_tensor *x = counted(PS_FLOAT32, SHAPE(2, 3)), *out = counted(PS_FLOAT32, SHAPE(3, 2));
    ps_tensor *row = counted(PS_FLOAT32, SHAPE(3)), *wide = counted(PS_FLOAT32, SHAPE(4, 2, 3));
    CHECK_FAILS(PS_ERR_ARGUMENT, "the output has shape (3, 2), the result (2, 3)",
                call_into("add", ARGS(T(x), I(1)), &out));
    CHECK_FAILS(PS_ERR_ARGUMENT, "the output has shape (3,), the result (2, 3)",
                call_into("add", ARGS(T(x), T(row)), &row));
    CHECK_FAILS(PS_ERR_ARGUMENT, "the output has shape (4, 2, 3), the result (2, 3)",
                call_into("add", ARGS(T(x), T(row)), &wide));
    CHECK_OK(call_into("assign", ARGS(T(x)), &wide)); /* assign broadcasts */
    double *values = values_of(wide);
    for (int i = 0; i < 24; i++)
        assert_true(values[i] == i % 6);
    free(values);
    CHECK_FAILS(PS_ERR_ARGUMENT, "(2, 3) cannot be written into shape (3, 2)",
                call_into("assign", ARGS(T(x)), &out));
    RELEASE(x, out, row, wide);
}

/* assign converts whatever it is; cast wants the type that it names. */
static void assign_and_cast_convert(void **state)
{
    (void)state;
    float values[] = {-1.5f, 300.7f, NAN, 3e10f, 0};
    ps_tensor *x = from_floats(SHAPE(5), values), *i = small(PS_INT32, 0), *u = small(PS_UINT8, 0);
    CHECK_OK(call_into("assign", ARGS(T(x)), &i));
    CHECK_OK(call_into("assign", ARGS(T(x)), &u));
    CHECK_VALUES(i, -1, 300, 0, INT32_MAX, 0);
    CHECK_VALUES(u, 0, 255, 0, 255, 0);
    ps_tensor *b = CALL("cast", T(x), D(PS_BOOL));
    CHECK_VALUES(b, 1, 1, 1, 1, 0);
    CHECK_FAILS(PS_ERR_TYPE, "to int64, but the output given has int32",
                call_into("cast", ARGS(T(x), D(PS_INT64)), &i));
    ps_tensor *out = NULL;
    CHECK_FAILS(PS_ERR_ARGUMENT, "the output must be given", call_into("assign", ARGS(T(x)), &out));
    RELEASE(x, i, u, b);
}

/* ---- several operands --------------------------------------------------------------------- */

static void where_broadcasts_all_three(void **state)
{
    (void)state;
    ps_tensor *mask = counted(PS_INT32, SHAPE(3, 1)), *x = counted(PS_FLOAT32, SHAPE(4));
    ps_tensor *y = CALL("where", T(mask), T(x), F(-1)), *z = CALL("where", B(true), T(x), T(mask));
    CHECK_SHAPE(y, 3, 4);
    CHECK_VALUES(y, -1, -1, -1, -1, 0, 1, 2, 3, 0, 1, 2, 3);
    CHECK_SHAPE(z, 3, 4);
    assert_int_equal(ps_tensor_dtype(z), PS_FLOAT32);
    ps_tensor *long_mask = counted(PS_BOOL, SHAPE(5000)),
              *long_y = CALL("where", T(long_mask), I(7), F(0.5));
    double *values = values_of(long_y);
    for (int i = 0; i < 5000; i++)
        assert_true(values[i] == (i == 0 ? 0.5 : 7));
    free(values);
    RELEASE(mask, x, y, z, long_mask, long_y);
}

static void clip_has_ends_or_not(void **state)
{
    (void)state;
    ps_tensor *x = small(PS_INT32, 0), *low = CALL("clip", T(x), I(2));
    ps_tensor *high = CALL("clip", T(x), NONE, I(1)), *both = CALL("clip", T(x), I(1), I(3));
    ps_tensor *none = CALL("clip", T(x));
    CHECK_VALUES(low, 2, 2, 2, 3, 4);
    CHECK_VALUES(high, 0, 1, 1, 1, 1);
    CHECK_VALUES(both, 1, 1, 2, 3, 3);
    CHECK_VALUES(none, 0, 1, 2, 3, 4);
    RELEASE(x, low, high, both, none);
}

/* What traps or is undefined in C is a value here. */
static void integer_corners(void **state)
{
    (void)state;
    int32_t a[] = {7, INT32_MIN, -7, INT32_MIN, 5, INT32_MAX}, b[] = {0, -1, 2, 0, -3, 2};
    ps_tensor *x, *y;
    CHECK_OK(ps_tensor_from_host(PS_INT32, SHAPE(6), NULL, a, NULL, &x));
    CHECK_OK(ps_tensor_from_host(PS_INT32, SHAPE(6), NULL, b, NULL, &y));
    ps_tensor *quotient = CALL("floor_divide", T(x), T(y)), *rest = CALL("remainder", T(x), T(y));
    ps_tensor *product = CALL("multiply", T(x), T(y)), *size = CALL("abs", T(x));
    CHECK_VALUES(quotient, 0, INT32_MIN, -4, 0, -2, INT32_MAX / 2);
    CHECK_VALUES(rest, 0, 0, 1, 0, -1, 1);
    CHECK_VALUES(product, 0, INT32_MIN, -14, 0, -15, -2);
    CHECK_VALUES(size, 7, INT32_MIN, 7, INT32_MIN, 5, INT32_MAX);
    ps_tensor *shift = CALL("bitwise_left_shift", T(x), I(40));
    CHECK_VALUES(shift, 0, 0, 0, 0, 0, 0);
    RELEASE(x, y, quotient, rest, product, size, shift);
}

/* Every elementwise row of the table can be called with floats or integers. */
static void every_row_runs(void **state)
{
    (void)state;
    ps_tensor *f = small(PS_FLOAT32, 0.25), *i = small(PS_INT32, 1);
    unsigned rows = 0;
    for (size_t at = 0; at < ps_op_count(); at++) {
        ps_op_info info = {.size = sizeof info};
        CHECK_OK(ps_op_get_info(ps_op_at(at), &info));
        if (strcmp(info.group, "elementwise") != 0)
            continue;
        bool done = false;
        for (int type = 0; type < 2; type++) {
            ps_tensor *y = NULL, *x = type ? i : f;
            ps_arg args[4] = {T(x), T(x), T(x), T(x)};
            size_t nargs = 0;
            while (nargs < info.nargs && info.args[nargs].kind == PS_ARG_TENSOR)
                nargs++;
            if (call_into(info.name, nargs, args, &y) != PS_OK)
                continue;
            CHECK_OK(ps_tensor_wait(y, NULL));
            CHECK_SHAPE(y, 5);
            ps_tensor_release(y);
            done = true;
        }
        if (!done)
            fail_msg("%s: %s", info.name, ps_last_error());
        rows++;
    }
    assert_true(rows > 70);
    RELEASE(f, i);
}

int main(void)
{
    alarm(LIMIT_S);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_pair_of_layouts),
        cmocka_unit_test(long_and_short_rows),
        cmocka_unit_test(no_elements_and_no_dimensions),
        cmocka_unit_test(thirty_two_dimensions),
        cmocka_unit_test(every_pair_of_types),
        cmocka_unit_test(numbers_are_weak),
        cmocka_unit_test(numbers_out_of_range_are_refused),
        cmocka_unit_test(numbers_alone),
        cmocka_unit_test(halves_round_each_time),
        cmocka_unit_test(numbers_are_written_in_full),
        cmocka_unit_test(operations_refuse_types),
        cmocka_unit_test(results_of_other_types),
        cmocka_unit_test(given_outputs_of_every_type),
        cmocka_unit_test(given_outputs_of_every_layout),
        cmocka_unit_test(given_outputs_of_another_shape),
        cmocka_unit_test(assign_and_cast_convert),
        cmocka_unit_test(where_broadcasts_all_three),
        cmocka_unit_test(clip_has_ends_or_not),
        cmocka_unit_test(integer_corners),
        cmocka_unit_test(every_row_runs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
