/* Rows that are made of others: values against plain loops, types, axes, what is empty, NaN and
 * infinities, outputs, what is refused and in whose name, how many tasks they queue. */
#include "engine_help.h"
#include "positions_help.h"
#include "support/workers.h"

#include "base/alloc.h"

/* ---- an evaluator -------------------------------------------------------------------------- */

enum { MOST = 64 };

/* A tensor of at most three dimensions, as doubles. */
typedef struct plain {
    int64_t shape[3];
    double at[MOST];
} plain;

static plain plain_of(ps_tensor *x)
{
    plain p = {.shape = {1, 1, 1}};
    int ndim = ps_tensor_ndim(x);
    for (int i = 0; i < ndim; i++)
        p.shape[3 - ndim + i] = ps_tensor_shape(x)[i];
    double *values = values_of(x);
    memcpy(p.at, values, (size_t)ps_tensor_count(x) * sizeof values[0]);
    free(values);
    return p;
}

typedef enum soft { SOFTMAX, LOG_SOFTMAX, LOGSUMEXP } soft;

/* One line of `n` elements `step` apart. */
static void soft_line(soft kind, int64_t n, int64_t step, double *x)
{
    double most = -INFINITY, total = 0;
    for (int64_t i = 0; i < n; i++)
        most = fmax(most, x[i * step]);
    for (int64_t i = 0; i < n; i++)
        total += exp(x[i * step] - most);
    for (int64_t i = 0; i < n; i++)
        x[i * step] = kind == SOFTMAX       ? exp(x[i * step] - most) / total
                      : kind == LOG_SOFTMAX ? x[i * step] - most - log(total)
                                            : most + log(total);
}

static void soft_along(soft kind, plain *p, int axis)
{
    int64_t step = axis == 0 ? p->shape[1] * p->shape[2] : axis == 1 ? p->shape[2] : 1;
    int64_t n = p->shape[axis], all = p->shape[0] * p->shape[1] * p->shape[2];
    for (int64_t i = 0; i < all; i++)
        if (i / step % n == 0)
            soft_line(kind, n, step, p->at + i);
}

static void check_near(ps_tensor *x, const plain *wanted, int64_t stride, double tolerance)
{
    double *values = values_of(x);
    for (int64_t i = 0; i < ps_tensor_count(x); i++)
        if (!(fabs(values[i] - wanted->at[i * stride]) <= tolerance))
            fail_msg("element %lld is %.17g, not %.17g", (long long)i, values[i],
                     wanted->at[i * stride]);
    free(values);
}

/* Numbers of some size in a shape. */
static ps_tensor *waves(ps_dtype dtype, int ndim, const int64_t *shape)
{
    ps_tensor *n = counted(PS_FLOAT64, ndim, shape), *half = CALL("multiply", T(n), F(0.7));
    ps_tensor *sine = CALL("sin", T(half)), *wide = CALL("multiply", T(sine), F(5));
    ps_tensor *x = CALL("cast", T(wide), D(dtype));
    RELEASE(n, half, sine, wide);
    return x;
}

/* ---- softmax and its kin --------------------------------------------------------------------- */

static void soft_values(void **state)
{
    (void)state;
    static const ps_dtype types[] = {PS_FLOAT32, PS_FLOAT64, PS_FLOAT16, PS_INT32};
    static const double tolerances[] = {3e-6, 1e-14, 2e-2, 3e-6};
    static const char *const names[] = {"softmax", "log_softmax"};
    for (int t = 0; t < 4; t++)
        for (int axis = 0; axis < 3; axis++)
            for (int kind = 0; kind < 2; kind++) {
                ps_tensor *x = waves(types[t], SHAPE(2, 3, 4));
                ps_tensor *y = CALL(names[kind], T(x), I(kind ? axis - 3 : axis));
                plain p = plain_of(x);
                soft_along((soft)kind, &p, axis);
                assert_int_equal(ps_tensor_dtype(y), types[t] == PS_INT32 ? PS_FLOAT32 : types[t]);
                CHECK_SHAPE(y, 2, 3, 4);
                check_near(y, &p, 1, tolerances[t]);
                RELEASE(x, y);
            }
}

/* The same bits, but for those of NaN. */
static void check_same_lines(ps_tensor *a, ps_tensor *b, const char *name, int64_t length)
{
    double *x = values_of(a), *y = values_of(b);
    for (int64_t i = 0; i < ps_tensor_count(a); i++)
        if (memcmp(&x[i], &y[i], sizeof x[i]) != 0 && !(isnan(x[i]) && isnan(y[i])))
            fail_msg("%s of %lld: element %lld is %.17g, not %.17g", name, (long long)length,
                     (long long)i, x[i], y[i]);
    free(x);
    free(y);
}

/* Rows of x in one task, against the same rows along axis 0, which other rows are called for. */
static void check_one_pass(const char *name, ps_tensor *x)
{
    ps_tensor *turned = CALL("permute", T(x));
    ps_tensor *columns = CALL(name, T(turned), I(0)), *back = CALL("permute", T(columns));
    ps_tensor *rows = CALL(name, T(x)), *again = CALL("copy", T(turned));
    ps_tensor *strided = CALL("permute", T(again)), *gathered = CALL(name, T(strided), I(1));
    check_same_lines(rows, back, name, ps_tensor_shape(x)[1]);
    check_same_lines(gathered, back, name, ps_tensor_shape(x)[1]);
    RELEASE(turned, columns, back, rows, again, strided, gathered);
}

static void soft_in_one_pass(void **state)
{
    (void)state;
    static const int64_t lengths[] = {1, 2, 15, 16, 17, 255, 1000, 1024, 1025, 3500, 32768, 40000};
    static const ps_dtype types[] = {PS_FLOAT32, PS_FLOAT64, PS_INT16, PS_BOOL, PS_FLOAT16};
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++)
        for (size_t t = 0; t < sizeof types / sizeof types[0]; t++) {
            ps_tensor *x = waves(types[t], SHAPE(3, lengths[i]));
            check_one_pass("softmax", x);
            check_one_pass("log_softmax", x);
            ps_tensor_release(x);
        }
}

/* A row with an infinity, one of them alone, one with NaN, one that underflows. */
static void soft_specials(void **state)
{
    (void)state;
    float rows[5][40];
    for (int i = 0; i < 5 * 40; i++)
        rows[i / 40][i % 40] = (float)(i % 7) - 3;
    rows[0][17] = INFINITY;
    for (int i = 0; i < 40; i++)
        rows[1][i] = -INFINITY;
    rows[2][39] = NAN;
    rows[3][0] = 200;
    rows[4][5] = -INFINITY;
    ps_tensor *x = from_floats(SHAPE(5, 40), rows[0]);
    check_one_pass("softmax", x);
    check_one_pass("log_softmax", x);
    ps_tensor_release(x);
}

static void logsumexp_values(void **state)
{
    (void)state;
    ps_tensor *x = waves(PS_FLOAT64, SHAPE(2, 3, 4));
    plain along = plain_of(x), all = {.shape = {1, 1, 24}};
    memcpy(all.at, along.at, sizeof all.at);
    soft_along(LOGSUMEXP, &along, 2);
    soft_along(LOGSUMEXP, &all, 2);
    ps_tensor *last = CALL("logsumexp", T(x), I(-1)), *total = CALL("logsumexp", T(x));
    ps_tensor *kept = CALL("logsumexp", T(x), INTS(0, 1, 2), B(true));
    CHECK_SHAPE(last, 2, 3);
    CHECK_SHAPE(kept, 1, 1, 1);
    assert_int_equal(ps_tensor_ndim(total), 0);
    check_near(last, &along, 4, 1e-14);
    check_near(total, &all, 1, 1e-14);
    check_near(kept, &all, 1, 1e-14);
    RELEASE(x, last, total, kept);
}

static void soft_extremes(void **state)
{
    (void)state;
    ps_tensor *x =
        from_floats(SHAPE(4, 2), (float[]){1000, 1000, -INFINITY, 3, NAN, 1, -INFINITY, -INFINITY});
    ps_tensor *y = CALL("softmax", T(x)), *sums = CALL("logsumexp", T(x), I(1));
    CHECK_VALUES(y, 0.5, 0.5, 0, 1, NAN, NAN, NAN, NAN);
    double *got = values_of(sums);
    assert_true(fabs(got[0] - 1000.6931) < 1e-3 && got[1] == 3 && isnan(got[2]));
    assert_true(got[3] == -INFINITY);
    free(got);
    ps_tensor *none = CALL("zeros", INTS(0, 3)), *empty = CALL("softmax", T(none)), *out = NULL;
    CHECK_SHAPE(empty, 0, 3);
    CHECK_FAILS(PS_ERR_ARGUMENT, "softmax: no elements along axis 0 of shape (0, 3)",
                call_into("softmax", ARGS(T(none), I(0)), &out));
    RELEASE(x, y, sums, none, empty);
}

static void one_hot_values(void **state)
{
    (void)state;
    ps_tensor *x = INDICES(PS_INT8, 2, 0, -1, 5);
    ps_tensor *rows = CALL("one_hot", T(x), I(3)), *columns = CALL("one_hot", T(x), I(3), I(0));
    CHECK_SHAPE(rows, 4, 3);
    assert_int_equal(ps_tensor_dtype(rows), PS_FLOAT32);
    CHECK_VALUES(rows, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0);
    CHECK_SHAPE(columns, 3, 4);
    CHECK_VALUES(columns, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0);
    ps_tensor *many = CALL("one_hot", T(x), I(300), NONE, D(PS_INT64)), *sum = CALL("sum", T(many));
    CHECK_VALUES(sum, 3); /* more classes than int8 has numbers */
    RELEASE(x, rows, columns, many, sum);
}

static void linear_values(void **state)
{
    (void)state;
    ps_tensor *x = from_floats(SHAPE(2, 2), (float[]){1, 2, 3, -4});
    ps_tensor *w = from_floats(SHAPE(3, 2), (float[]){1, 0, 0, 1, 1, 1});
    ps_tensor *b = from_floats(SHAPE(3), (float[]){0, 10, -9});
    ps_tensor *bare = CALL("linear", T(x), T(w)), *full = CALL("linear", T(x), T(w), T(b));
    ps_tensor *relu = CALL("linear", T(x), T(w), T(b), S("relu"));
    ps_tensor *square = CALL("linear", T(x), T(w), T(b), S("square"));
    CHECK_VALUES(bare, 1, 2, 3, 3, -4, -1);
    CHECK_VALUES(full, 1, 12, -6, 3, 6, -10);
    CHECK_VALUES(relu, 1, 12, 0, 3, 6, 0);
    CHECK_VALUES(square, 1, 144, 36, 9, 36, 100);
    RELEASE(x, w, b, bare, full, relu, square);
}

/* ---- norms ----------------------------------------------------------------------------------- */

static void norm_values(void **state)
{
    (void)state;
    ps_tensor *x = from_floats(SHAPE(2, 3), (float[]){3, -4, 0, -1, 2, -2});
    static const double orders[] = {2, 1, 0, INFINITY, -INFINITY};
    static const double wanted[5][2] = {{5, 3}, {7, 5}, {2, 3}, {4, 2}, {0, 1}};
    for (int i = 0; i < 5; i++) {
        ps_tensor *y = CALL("vector_norm", T(x), F(orders[i]), I(1));
        check_values(y, 2, wanted[i], __FILE__, __LINE__);
        ps_tensor_release(y);
    }
    ps_tensor *cube = CALL("vector_norm", T(x), F(3), NONE, B(true));
    plain p = {.at = {cbrt(27 + 64 + 1 + 8 + 8)}};
    CHECK_SHAPE(cube, 1, 1);
    check_near(cube, &p, 1, 1e-5);
    static const double matrix_orders[] = {1, -1, INFINITY, -INFINITY};
    static const double matrix_wanted[] = {6, 2, 7, 5};
    for (int i = 0; i < 4; i++) {
        ps_tensor *y = CALL("matrix_norm", T(x), F(matrix_orders[i]), B(i % 2));
        assert_int_equal(ps_tensor_ndim(y), i % 2 ? 2 : 0);
        check_values(y, 1, &matrix_wanted[i], __FILE__, __LINE__);
        ps_tensor_release(y);
    }
    ps_tensor *whole = CALL("matrix_norm", T(x)), *integers = CALL("cast", T(x), D(PS_INT16));
    ps_tensor *of_integers = CALL("vector_norm", T(integers), F(1));
    plain root = {.at = {sqrt(34)}};
    check_near(whole, &root, 1, 1e-6);
    assert_int_equal(ps_tensor_dtype(of_integers), PS_FLOAT32);
    CHECK_VALUES(of_integers, 12);
    RELEASE(x, cube, whole, integers, of_integers);
}

/* ---- views ----------------------------------------------------------------------------------- */

static void axes_moved(void **state)
{
    (void)state;
    ps_tensor *x = counted(PS_INT64, SHAPE(2, 3, 4, 5));
    ps_tensor *one = CALL("moveaxis", T(x), I(0), I(-1));
    ps_tensor *two = CALL("moveaxis", T(x), INTS(0, 1), INTS(-1, 0));
    ps_tensor *swapped = CALL("swapaxes", T(x), I(0), I(-2)), *line = CALL("sum", T(x));
    CHECK_SHAPE(one, 3, 4, 5, 2);
    CHECK_SHAPE(two, 3, 4, 5, 2);
    CHECK_SHAPE(swapped, 4, 3, 2, 5);
    assert_true(ps_tensor_shares(one, x) && ps_tensor_shares(swapped, x));
    ps_tensor *same = CALL("equal", T(one), T(two)), *all = CALL("all", T(same));
    CHECK_VALUES(all, 1);
    ps_tensor *back = CALL("moveaxis", T(one), I(-1), I(0)), *here = CALL("equal", T(back), T(x));
    ps_tensor *again = CALL("all", T(here));
    CHECK_VALUES(again, 1);
    RELEASE(x, one, two, swapped, line, same, all, back, here, again);
}

static void diagonals(void **state)
{
    (void)state;
    ps_tensor *x = counted(PS_INT32, SHAPE(3, 4)), *turned = CALL("permute", T(x));
    static const int64_t offsets[] = {0, 2, -2, 9, INT64_MIN, INT64_MAX};
    static const double wanted[6][3] = {{0, 5, 10}, {2, 7}, {8}};
    static const size_t counts[] = {3, 2, 1, 0, 0, 0};
    for (int i = 0; i < 6; i++) {
        ps_tensor *y = CALL("diagonal", T(x), I(offsets[i]));
        ps_tensor *z = CALL("diagonal", T(turned), I(offsets[i]), I(-1), I(0));
        assert_true(ps_tensor_shares(y, x));
        check_values(y, counts[i], wanted[i], __FILE__, __LINE__);
        check_values(z, counts[i], wanted[i], __FILE__, __LINE__);
        RELEASE(y, z);
    }
    ps_tensor *cube = counted(PS_INT32, SHAPE(2, 3, 4)),
              *y = CALL("diagonal", T(cube), I(1), I(0), I(2));
    CHECK_SHAPE(y, 3, 2);
    CHECK_VALUES(y, 1, 14, 5, 18, 9, 22);
    ps_tensor *trace = CALL("trace", T(x), I(1)),
              *typed = CALL("trace", T(x), NONE, NONE, NONE, D(PS_FLOAT64));
    CHECK_VALUES(trace, 18);
    assert_int_equal(ps_tensor_dtype(trace), PS_INT64);
    assert_int_equal(ps_tensor_dtype(typed), PS_FLOAT64);
    RELEASE(x, turned, cube, y, trace, typed);
}

static void triangles(void **state)
{
    (void)state;
    ps_tensor *x = counted(PS_INT16, SHAPE(2, 3)), *tri = CALL("tri", I(2), I(3), I(1), D(PS_BOOL));
    ps_tensor *low = CALL("tril", T(x)), *high = CALL("triu", T(x), I(1));
    CHECK_VALUES(tri, 1, 1, 0, 1, 1, 1);
    assert_int_equal(ps_tensor_dtype(tri), PS_BOOL);
    CHECK_VALUES(low, 0, 0, 0, 3, 4, 0);
    CHECK_VALUES(high, 0, 1, 2, 0, 0, 5);
    assert_int_equal(ps_tensor_dtype(low), PS_INT16);
    ps_tensor *line = counted(PS_INT16, SHAPE(2)), *spread = CALL("diag", T(line), I(-1));
    ps_tensor *back = CALL("diag", T(spread), I(-1)), *none = CALL("zeros", INTS(0, 2));
    ps_tensor *empty = CALL("tril", T(none));
    CHECK_SHAPE(spread, 3, 3);
    CHECK_VALUES(spread, 0, 0, 0, 0, 0, 0, 0, 1, 0);
    CHECK_VALUES(back, 0, 1);
    CHECK_SHAPE(empty, 0, 2);
    RELEASE(x, tri, low, high, line, spread, back, none, empty);
}

/* ---- products -------------------------------------------------------------------------------- */

static void products(void **state)
{
    (void)state;
    ps_tensor *a = INDICES(PS_INT32, 1, 2, 3), *b = INDICES(PS_INT64, 4, 5, 6);
    ps_tensor *outer = CALL("outer", T(a), T(b)), *inner = CALL("inner", T(a), T(b));
    ps_tensor *dot = CALL("vecdot", T(a), T(b)), *cross = CALL("cross", T(a), T(b));
    CHECK_SHAPE(outer, 3, 3);
    CHECK_VALUES(outer, 4, 5, 6, 8, 10, 12, 12, 15, 18);
    assert_int_equal(ps_tensor_dtype(outer), PS_INT64);
    CHECK_VALUES(inner, 32);
    CHECK_VALUES(dot, 32);
    CHECK_VALUES(cross, -3, 6, -3);
    ps_tensor *rows = counted(PS_FLOAT32, SHAPE(3, 2)),
              *along = CALL("cross", T(rows), T(rows), I(0));
    CHECK_SHAPE(along, 3, 2);
    CHECK_VALUES(along, 0, 0, 0, 0, 0, 0);
    ps_tensor *by_rows = CALL("vecdot", T(rows), T(rows), I(0));
    CHECK_VALUES(by_rows, 20, 35);
    RELEASE(a, b, outer, inner, dot, cross, rows, along, by_rows);
}

static void conjugated(void **state)
{
    (void)state;
    double z[4] = {1, 2, 3, -1};
    ps_tensor *x, *dot;
    CHECK_OK(ps_tensor_from_host(PS_COMPLEX128, SHAPE(2), NULL, z, NULL, &x));
    dot = CALL("vecdot", T(x), T(x));
    CHECK_OK(ps_tensor_to_host(dot, z, 2 * sizeof z[0]));
    assert_true(z[0] == 15 && z[1] == 0);
    RELEASE(x, dot);
}

static void powers(void **state)
{
    (void)state;
    ps_tensor *x = from_floats(SHAPE(2, 2), (float[]){1, 1, 0, 1});
    for (int power = 0; power < 20; power++) {
        ps_tensor *y = CALL("matrix_power", T(x), I(power));
        CHECK_VALUES(y, 1, power, 0, 1);
        assert_false(ps_tensor_shares(x, y));
        ps_tensor_release(y);
    }
    ps_tensor *zero = CALL("zeros", INTS(3, 1, 1)),
              *far = CALL("matrix_power", T(zero), I(INT64_MAX));
    CHECK_VALUES(far, 0, 0, 0); /* more products than a composition keeps */
    RELEASE(x, zero, far);
}

/* ---- along an axis --------------------------------------------------------------------------- */

static void taken_along(void **state)
{
    (void)state;
    ps_tensor *x = counted(PS_FLOAT32, SHAPE(2, 3)), *none = CALL("zeros", INTS(2, 0));
    ps_tensor *last = indices_of(PS_INT8, SHAPE(2, 2), (int64_t[]){2, -3, 0, 1});
    ps_tensor *first = indices_of(PS_UINT64, SHAPE(1, 3), (int64_t[]){1, 0, 1});
    ps_tensor *by_last = CALL("take_along_axis", T(x), T(last));
    ps_tensor *by_first = CALL("take_along_axis", T(x), T(first), I(0));
    CHECK_SHAPE(by_last, 2, 2);
    CHECK_VALUES(by_last, 2, 0, 3, 4);
    CHECK_SHAPE(by_first, 1, 3);
    CHECK_VALUES(by_first, 3, 1, 5);
    ps_tensor *wide = CALL("zeros", INTS(1, 3), D(PS_FLOAT64));
    CHECK_OK(call_into("take_along_axis", ARGS(T(x), T(first), I(0)), &wide));
    CHECK_VALUES(wide, 3, 1, 5);
    ps_tensor *nowhere = CALL("cast", T(none), D(PS_INT64));
    ps_tensor *nothing = CALL("take_along_axis", T(none), T(nowhere));
    CHECK_SHAPE(nothing, 2, 0);
    for (int64_t bad = -4; bad <= 3; bad += 7) { /* not into the other row */
        ps_tensor *at = indices_of(PS_INT64, SHAPE(2, 1), (int64_t[]){bad, bad});
        ps_tensor *y = CALL("take_along_axis", T(x), T(at));
        assert_int_equal(ps_tensor_wait(y, NULL), PS_ERR_INDEX);
        RELEASE(at, y);
    }
    RELEASE(x, none, last, first, by_last, by_first, wide, nowhere, nothing);
}

/* ---- distributions --------------------------------------------------------------------------- */

static void distributions(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        double mean, variance;
    } rows[] = {{"random_exponential", 2, 4},
                {"random_laplace", 1, 8},
                {"random_gumbel", 1 + 2 * 0.5772156649, 4 * M_PI * M_PI / 6},
                {"random_lognormal", 1.6487212707, 4.6707742705}};
    for (int i = 0; i < 4; i++) {
        ps_arg args[3] = {INTS(200000), F(2)};
        size_t nargs = i == 0 ? 2 : i == 3 ? 1 : 3;
        args[1] = F(i == 0 ? 2 : 1);
        args[2] = F(2);
        ps_tensor *x = call(rows[i].name, nargs, args);
        ps_tensor *mean = CALL("mean", T(x)), *variance = CALL("var", T(x));
        plain m = {.at = {rows[i].mean}}, v = {.at = {rows[i].variance}};
        check_near(mean, &m, 1, 0.05);
        check_near(variance, &v, 1, 0.12 * rows[i].variance + (i == 3 ? 1 : 0));
        RELEASE(x, mean, variance);
    }
    ps_tensor *half = CALL("random_laplace", INTS(10), F(0), F(1), D(PS_FLOAT16)), *out = NULL;
    assert_int_equal(ps_tensor_dtype(half), PS_FLOAT16);
    CHECK_FAILS(PS_ERR_ARGUMENT, "random_gumbel: scale is -1, below 0",
                call_into("random_gumbel", ARGS(INTS(2), F(0), F(-1)), &out));
    CHECK_FAILS(PS_ERR_TYPE, "random_exponential: no rule for int32",
                call_into("random_exponential", ARGS(INTS(2), F(1), D(PS_INT32)), &out));
    ps_tensor_release(half);
}

/* ---- outputs --------------------------------------------------------------------------------- */

static void into_outputs(void **state)
{
    (void)state;
    ps_tensor *x = from_floats(SHAPE(2, 2), (float[]){1, 1, 3, 3});
    ps_tensor *wide = CALL("zeros", INTS(2, 2), D(PS_FLOAT64)), *was = wide;
    CHECK_OK(call_into("softmax", ARGS(T(x)), &wide));
    assert_ptr_equal(wide, was);
    CHECK_VALUES(wide, 0.5, 0.5, 0.5, 0.5);
    CHECK_OK(call_into("softmax", ARGS(T(x), I(0)), &x)); /* into what it reads */
    double *got = values_of(x);
    assert_true(got[0] == got[1] && fabs(got[0] - 1 / (1 + exp(2))) < 1e-6);
    free(got);
    ps_tensor *pair = CALL("zeros", INTS(2), D(PS_FLOAT64)), *drawn = CALL("zeros", INTS(2));
    CHECK_OK(call_into("vector_norm", ARGS(T(wide), F(1), I(0)), &pair));
    CHECK_VALUES(pair, 1, 1);
    CHECK_OK(call_into("random_exponential", ARGS(INTS(2)), &drawn));
    CHECK_OK(call_into("matrix_power", ARGS(T(wide), I(2)), &wide));
    CHECK_VALUES(wide, 0.5, 0.5, 0.5, 0.5);
    RELEASE(x, wide, pair, drawn);
}

/* What is wrong with an output is said before anything is queued. */
static void wrong_outputs(void **state)
{
    (void)state;
    ps_tensor *x = counted(PS_INT32, SHAPE(64, 64)), *small = CALL("zeros", INTS(3));
    ps_tensor *line = counted(PS_INT32, SHAPE(64));
    wait_all();
    static const char *const names[] = {"softmax",     "log_softmax", "logsumexp", "vector_norm",
                                        "matrix_norm", "tril",        "triu",      "trace"};
    uint64_t before = stats().pushed;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char text[100];
        snprintf(text, sizeof text, "%s: the output has shape (3,), the result", names[i]);
        CHECK_FAILS(PS_ERR_ARGUMENT, text, call_into(names[i], ARGS(T(x)), &small));
    }
    CHECK_FAILS(PS_ERR_ARGUMENT, "one_hot: the output has shape (3,), the result (64, 64, 5)",
                call_into("one_hot", ARGS(T(x), I(5)), &small));
    CHECK_FAILS(PS_ERR_ARGUMENT, "outer: the output has shape",
                call_into("outer", ARGS(T(line), T(line)), &small));
    CHECK_FAILS(PS_ERR_ARGUMENT, "linear: the output has shape",
                call_into("linear", ARGS(T(x), T(x), NONE, S("tanh")), &small));
    CHECK_FAILS(PS_ERR_ARGUMENT, "diagonal gives a view and takes no output",
                call_into("diagonal", ARGS(T(x)), &small));
    CHECK_FAILS(PS_ERR_TYPE, "softmax: a result of float32 cannot be written into int32",
                call_into("softmax", ARGS(T(line)), &line));
    assert_int_equal(stats().pushed, before);
    RELEASE(x, small, line);
}

/* ---- what is refused, and in whose name ------------------------------------------------------ */

typedef struct refusal {
    const char *text, *name;
    size_t nargs;
    ps_arg args[4];
} refusal;

/* None of them queues anything. */
static void check_refusals(size_t count, const refusal *cases)
{
    ps_tensor *out = NULL;
    wait_all();
    uint64_t before = stats().pushed;
    for (size_t i = 0; i < count; i++) {
        ps_status status = call_into(cases[i].name, cases[i].nargs, cases[i].args, &out);
        bool refused = status == PS_ERR_ARGUMENT || status == PS_ERR_TYPE;
        if (!refused || strncmp(ps_last_error(), cases[i].text, strlen(cases[i].text)) != 0)
            fail_msg("%s: \"%s\", not \"%s\"", ps_status_name(status), ps_last_error(),
                     cases[i].text);
    }
    assert_int_equal(stats().pushed, before);
    assert_null(out);
}

#define CHECK_REFUSALS(...)                                                                        \
    check_refusals(sizeof((refusal[]){__VA_ARGS__}) / sizeof(refusal), (refusal[]){__VA_ARGS__})

static void network_refusals(void **state)
{
    (void)state;
    ps_tensor *x = counted(PS_FLOAT32, SHAPE(2, 3)), *z = CALL("cast", T(x), D(PS_COMPLEX64));
    ps_tensor *i = counted(PS_INT32, SHAPE(2, 3)), *cube = CALL("expand_dims", T(x), I(2));
    ps_tensor *turned = CALL("permute", T(x));
    CHECK_REFUSALS({"softmax: axis 3 is out of range for 2 dimensions", "softmax", 2, {T(i), I(3)}},
                   {"softmax: complex64 has no order", "softmax", 1, {T(z)}},
                   {"softmax: argument x must be a tensor", "softmax", 1, {F(1)}},
                   {"log_softmax: axis -3 is out of range", "log_softmax", 2, {T(i), I(-3)}},
                   {"logsumexp: axis 0 is given twice", "logsumexp", 2, {T(i), INTS(0, 0)}},
                   {"one_hot: integers are needed, not float32", "one_hot", 2, {T(x), I(3)}},
                   {"one_hot: -1 classes", "one_hot", 2, {T(i), I(-1)}},
                   {"one_hot: axis 3 is out of range", "one_hot", 3, {T(i), I(2), I(3)}},
                   {"linear: there is no activation \"add\"",
                    "linear",
                    4,
                    {T(x), T(x), NONE, S("add")}},
                   {"linear: a weight of shape (2, 3, 1)", "linear", 2, {T(x), T(cube)}},
                   {"linear: ", "linear", 2, {T(x), T(turned)}},
                   {"vector_norm: axis 2 is out of range", "vector_norm", 3, {T(i), F(1), I(2)}},
                   {"matrix_norm: ord must be 1, -1, inf or -inf, or left out, not 2:",
                    "matrix_norm",
                    2,
                    {T(x), F(2)}});
    RELEASE(x, z, i, cube, turned);
}

static void shape_refusals(void **state)
{
    (void)state;
    ps_tensor *x = counted(PS_FLOAT32, SHAPE(2, 3)), *pair = CALL("zeros", INTS(2));
    ps_tensor *truths = CALL("ones", INTS(3), D(PS_BOOL));
    CHECK_REFUSALS(
        {"moveaxis: 2 axes cannot go to 1 places", "moveaxis", 3, {T(x), INTS(0, 1), I(0)}},
        {"moveaxis: axis 0 is given twice", "moveaxis", 3, {T(x), INTS(0, 0), INTS(0, 1)}},
        {"swapaxes: axis 2 is out of range", "swapaxes", 3, {T(x), I(0), I(2)}},
        {"diagonal: axis 1 is given twice", "diagonal", 4, {T(x), NONE, I(1), I(-1)}},
        {"diagonal: two dimensions or more are needed, not 1", "diagonal", 1, {T(pair)}},
        {"trace: axis 7 is out of range", "trace", 3, {T(x), NONE, I(7)}},
        {"tril: two dimensions or more are needed, not 1", "tril", 1, {T(pair)}},
        {"tri: diagonal 4611686018427387904 is too far out",
         "tri",
         3,
         {I(2), NONE, I(INT64_C(1) << 62)}},
        {"tri: negative length in shape (-1, -1)", "tri", 1, {I(-1)}},
        {"vecdot: lengths 3 and 2 differ along the axis", "vecdot", 2, {T(x), T(pair)}},
        {"vecdot: no rule for bool", "vecdot", 2, {T(truths), T(truths)}},
        {"cross: length 3 is needed along the axis, not 2, 2", "cross", 3, {T(x), T(x), I(0)}},
        {"cross: no rule for bool", "cross", 2, {T(truths), T(truths)}},
        {"inner: ", "inner", 2, {T(x), T(pair)}},
        {"take_along_axis: indices must be integers, not float32",
         "take_along_axis",
         2,
         {T(x), T(x)}},
        {"take_along_axis: argument x must be a tensor", "take_along_axis", 2, {F(1), F(1)}},
        {"matrix_power: square matrices are needed, not shape (2, 3)",
         "matrix_power",
         2,
         {T(x), I(2)}});
    RELEASE(x, pair, truths);
}

/* ---- tasks ----------------------------------------------------------------------------------- */

static void check_tasks(const char *name, uint64_t wanted, size_t nargs, const ps_arg *args)
{
    wait_all();
    workers_stop();
    uint64_t before = stats().pushed;
    ps_tensor *y = call(name, nargs, args);
    uint64_t queued = stats().pushed - before;
    workers_go_on();
    if (queued != wanted)
        fail_msg("%s queues %llu tasks, not %llu", name, (unsigned long long)queued,
                 (unsigned long long)wanted);
    ps_tensor_release(y);
}

static void tasks(void **state)
{
    (void)state;
    ps_tensor *x = waves(PS_FLOAT32, SHAPE(8, 8)), *big = CALL("zeros", INTS(300, 300));
    ps_tensor *i = CALL("zeros", INTS(300, 300), D(PS_INT32));
    check_tasks("softmax", 1, ARGS(T(big)));
    check_tasks("softmax", 1, ARGS(T(i)));
    check_tasks("log_softmax", 1, ARGS(T(big)));
    check_tasks("softmax", 7, ARGS(T(big), I(0)));
    check_tasks("softmax", 8, ARGS(T(i), I(0))); /* converted first */
    check_tasks("log_softmax", 8, ARGS(T(big), I(0)));
    check_tasks("logsumexp", 8, ARGS(T(big)));
    check_tasks("linear", 1, ARGS(T(big), T(big), NONE, S("relu")));
    check_tasks("linear", 2, ARGS(T(big), T(big), NONE, S("tanh")));
    check_tasks("vector_norm", 1, ARGS(T(big)));
    check_tasks("diagonal", 0, ARGS(T(big)));
    check_tasks("moveaxis", 0, ARGS(T(big), I(0), I(1)));
    check_tasks("trace", 1, ARGS(T(big)));
    check_tasks("matrix_power", 3, ARGS(T(big), I(6)));
    RELEASE(x, big, i);
}

/* Each allocation fails in turn: the call or the wait says so, or all is as it should be. */
static void memory_that_is_not_there(void **state)
{
    (void)state;
    ps_tensor *x = waves(PS_FLOAT32, SHAPE(2, 3, 4)), *wanted = CALL("softmax", T(x));
    plain p = plain_of(wanted);
    wait_all();
    for (unsigned long nth = 1, calls = nth; calls + 1 >= nth; nth++) {
        ps_tensor *y = NULL;
        float got[24];
        ps__fault_set(nth, false);
        ps_status status = call_into("softmax", ARGS(T(x)), &y);
        if (status == PS_OK)
            status = ps_tensor_to_host(y, got, sizeof got);
        calls = ps__fault_count();
        ps__fault_set(0, false);
        if (status == PS_OK)
            check_near(y, &p, 1, 0);
        else
            assert_int_equal(status, PS_ERR_MEMORY);
        ps_tensor_release(y);
        while (ps_wait_all(engine(), NULL) != PS_OK)
            continue;
    }
    RELEASE(x, wanted);
}

int main(void)
{
    alarm(LIMIT_S);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(soft_values),
        cmocka_unit_test(soft_in_one_pass),
        cmocka_unit_test(soft_specials),
        cmocka_unit_test(logsumexp_values),
        cmocka_unit_test(soft_extremes),
        cmocka_unit_test(one_hot_values),
        cmocka_unit_test(linear_values),
        cmocka_unit_test(norm_values),
        cmocka_unit_test(axes_moved),
        cmocka_unit_test(diagonals),
        cmocka_unit_test(triangles),
        cmocka_unit_test(products),
        cmocka_unit_test(conjugated),
        cmocka_unit_test(powers),
        cmocka_unit_test(taken_along),
        cmocka_unit_test(distributions),
        cmocka_unit_test(into_outputs),
        cmocka_unit_test(wrong_outputs),
        cmocka_unit_test(network_refusals),
        cmocka_unit_test(shape_refusals),
        cmocka_unit_test(tasks),
        cmocka_unit_test(memory_that_is_not_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
