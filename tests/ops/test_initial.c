/* First values of parameters: how large they are, what orthogonal ones are, weights that enlarge
 * pictures; the same numbers for the same seed on any number of workers; what is refused. */
#include "autograd_help.h"

static ps_status try_initial(const char *name, size_t nargs, const ps_arg *args)
{
    ps_tensor *out = NULL;
    ps_status status = call_into(name, nargs, args, &out);
    ps_tensor_release(out);
    return status;
}

/* ---- sizes ----------------------------------------------------------------------------------- */

typedef struct spread {
    double mean, deviation, most;
} spread;

static spread spread_of(ps_tensor *x)
{
    double *v = values_of(x), sum = 0, squares = 0;
    spread s = {0};
    int64_t count = ps_tensor_count(x);
    for (int64_t i = 0; i < count; i++) {
        sum += v[i];
        squares += v[i] * v[i];
        s.most = fmax(s.most, fabs(v[i]));
    }
    free(v);
    ps_tensor_release(x);
    s.mean = sum / (double)count;
    s.deviation = sqrt(squares / (double)count);
    return s;
}

/* Within 5 % of what 24,000 numbers have on average. */
static void check_spread(ps_tensor *x, double deviation, double most)
{
    spread s = spread_of(x);
    assert_true(fabs(s.mean) < 0.05 * deviation);
    assert_true(fabs(s.deviation / deviation - 1) < 0.05);
    assert_true(s.most <= most);
}

/* A parameter of 40 outputs and 60 inputs, with 10 elements of each. */
static void sizes_follow_the_shape(void **state)
{
    (void)state;
    ps_arg shape = INTS(40, 60, 2, 5);
    ps_generator_seed(NULL, 3);
    double in = 600, out = 400, mean = 500;
    check_spread(CALL("xavier", shape), sqrt(1 / mean), sqrt(3 / mean));
    check_spread(CALL("xavier", shape, S("uniform"), S("in")), sqrt(1 / in), sqrt(3 / in));
    check_spread(CALL("xavier", shape, S("uniform"), S("out"), F(6)), sqrt(2 / out), sqrt(6 / out));
    check_spread(CALL("xavier", shape, S("gaussian"), S("avg"), F(2)), sqrt(2 / mean), 1);
    check_spread(CALL("xavier", shape, S("gaussian"), S("in"), F(1), D(PS_FLOAT64)), sqrt(1 / in),
                 1);
    check_spread(CALL("msra_prelu", shape), sqrt(2 / (1 + 0.0625) / mean), 1);
    check_spread(CALL("msra_prelu", shape, S("in"), F(0)), sqrt(2 / in), 1);
    check_spread(CALL("msra_prelu", shape, S("out"), F(1), D(PS_FLOAT16)), sqrt(1 / out), 1);
}

/* ---- orthogonal ------------------------------------------------------------------------------ */

/* x @ x.T, or x.T @ x if it has fewer columns, is the unit matrix times the squared scale. */
static void check_orthogonal(ps_arg shape, ps_dtype dtype, double scale, double bound)
{
    ps_tensor *x = CALL("orthogonal", shape, F(scale), D(dtype));
    int64_t rows = ps_tensor_shape(x)[0], columns = ps_tensor_count(x) / rows;
    bool high = rows > columns;
    assert_int_equal(ps_tensor_dtype(x), dtype);
    ps_tensor *flat = CALL("reshape", T(x), INTS(rows, columns));
    ps_tensor *wide = CALL("cast", T(flat), D(PS_FLOAT64));
    ps_tensor *unit = CALL("matmul", T(wide), T(wide), B(high), B(!high));
    double *v = values_of(unit);
    int64_t n = high ? columns : rows;
    for (int64_t i = 0; i < n * n; i++)
        assert_true(fabs(v[i] - (i % (n + 1) == 0 ? scale * scale : 0)) < bound);
    free(v);
    RELEASE_ALL(x, flat, wide, unit);
}

static void orthogonal_matrices(void **state)
{
    (void)state;
    check_orthogonal(INTS(5, 5), PS_FLOAT64, 1, 1e-13);
    check_orthogonal(INTS(7, 3), PS_FLOAT64, 1.414, 1e-13);
    check_orthogonal(INTS(3, 7), PS_FLOAT64, 2, 1e-13);
    check_orthogonal(INTS(4, 3, 2, 5), PS_FLOAT32, 1, 1e-5);
    check_orthogonal(INTS(200, 150), PS_FLOAT32, 1, 1e-5);
    check_orthogonal(INTS(1, 1), PS_FLOAT64, 1, 1e-13);
    check_orthogonal(INTS(6, 4), PS_FLOAT16, 1, 1e-2);
    ps_tensor *none = CALL("orthogonal", INTS(3, 0));
    CHECK_SHAPE(none, 3, 0);
    ps_tensor_release(none);
}

/* The result belongs to the triangle with a positive diagonal: of q.T @ numbers, which the same
 * seed gives. */
static void the_triangle_is_positive(void **state)
{
    (void)state;
    ps_generator_seed(NULL, 5);
    ps_tensor *q = CALL("orthogonal", INTS(6, 4), F(1), D(PS_FLOAT64));
    ps_generator_seed(NULL, 5);
    ps_tensor *numbers = CALL("random_normal", INTS(6, 4), F(0), F(1), D(PS_FLOAT64));
    ps_tensor *r = CALL("matmul", T(q), T(numbers), B(true));
    double *v = values_of(r);
    for (int i = 0; i < 4; i++)
        for (int j = 0; j <= i; j++)
            assert_true(i == j ? v[i * 4 + j] > 0 : fabs(v[i * 4 + j]) < 1e-13);
    free(v);
    RELEASE_ALL(q, numbers, r);
}

static void the_same_numbers(void **state)
{
    (void)state;
    static const unsigned workers[] = {1, 2, 3, 8};
    ps_engine *engine;
    double *wanted = NULL;
    CHECK_OK(ps_engine_default(&engine));
    for (int i = 0; i < 4; i++) {
        CHECK_OK(ps_engine_set_workers(engine, workers[i]));
        ps_generator_seed(NULL, 11);
        ps_tensor *x = CALL("orthogonal", INTS(180, 130));
        double *found = values_of(x);
        if (wanted == NULL)
            wanted = found;
        else
            assert_memory_equal(wanted, found, 180 * 130 * sizeof *found);
        if (wanted != found)
            free(found);
        ps_tensor_release(x);
    }
    free(wanted);
    CHECK_OK(ps_engine_set_workers(engine, 0));
}

/* ---- bilinear -------------------------------------------------------------------------------- */

static void weights_that_enlarge(void **state)
{
    (void)state;
    ps_tensor *x = CALL("bilinear", INTS(1, 2, 4, 4)), *odd = CALL("bilinear", INTS(1, 1, 1, 3));
    static const double row[] = {0.25, 0.75, 0.75, 0.25};
    double *v = values_of(x);
    for (int i = 0; i < 32; i++)
        assert_true(v[i] == row[i % 4] * row[i / 4 % 4]);
    free(v);
    CHECK_VALUES(odd, 0.25 * 0.25, 0.25 * 0.75, 0.25 * 0.75);
    ps_tensor *none = CALL("bilinear", INTS(1, 1, 0, 0));
    CHECK_SHAPE(none, 1, 1, 0, 0);
    RELEASE_ALL(x, odd, none);
}

/* ---- outputs and refusals
 * ---------------------------------------------------------------------- */

static void into_what_is_given(void **state)
{
    (void)state;
    static const char *const names[] = {"xavier", "msra_prelu", "orthogonal", "bilinear"};
    for (int i = 0; i < 4; i++) {
        ps_tensor *out = CALL("zeros", INTS(2, 2, 3, 3), D(PS_FLOAT64)), *first = out;
        CHECK_OK(call_into(names[i], ARGS(INTS(2, 2, 3, 3)), &out));
        assert_ptr_equal(out, first);
        assert_true(spread_of(out).deviation > 0);
        ps_tensor *wrong = CALL("zeros", INTS(2));
        CHECK_FAILS(PS_ERR_ARGUMENT, names[i], call_into(names[i], ARGS(INTS(2, 2, 3, 3)), &wrong));
        ps_tensor_release(wrong);
    }
}

static void what_is_refused(void **state)
{
    (void)state;
    CHECK_FAILS(PS_ERR_ARGUMENT, "xavier: shape (3,) has 1 dimensions",
                try_initial("xavier", ARGS(INTS(3))));
    CHECK_FAILS(PS_ERR_ARGUMENT, "msra_prelu: shape (3,)",
                try_initial("msra_prelu", ARGS(INTS(3))));
    CHECK_FAILS(PS_ERR_ARGUMENT, "orthogonal: shape (3,)",
                try_initial("orthogonal", ARGS(INTS(3))));
    CHECK_FAILS(PS_ERR_ARGUMENT, "bilinear: shape (3, 3) has 2 dimensions, exactly 4",
                try_initial("bilinear", ARGS(INTS(3, 3))));
    CHECK_FAILS(PS_ERR_ARGUMENT, "the magnitude is -1",
                try_initial("xavier", ARGS(INTS(3, 3), NONE, NONE, F(-1))));
    CHECK_FAILS(PS_ERR_ARGUMENT, "scale is inf",
                try_initial("orthogonal", ARGS(INTS(3, 3), F(INFINITY))));
    CHECK_FAILS(PS_ERR_TYPE, "xavier: no rule for int32",
                try_initial("xavier", ARGS(INTS(3, 3), NONE, NONE, F(1), D(PS_INT32))));
    CHECK_FAILS(PS_ERR_TYPE, "orthogonal: no rule for bool",
                try_initial("orthogonal", ARGS(INTS(3, 3), F(1), D(PS_BOOL))));
    CHECK_FAILS(PS_ERR_TYPE, "bilinear: no rule for int8",
                try_initial("bilinear", ARGS(INTS(1, 1, 3, 3), D(PS_INT8))));
}

int main(void)
{
    alarm(LIMIT_S);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_follow_the_shape),   cmocka_unit_test(orthogonal_matrices),
        cmocka_unit_test(the_triangle_is_positive), cmocka_unit_test(the_same_numbers),
        cmocka_unit_test(weights_that_enlarge),     cmocka_unit_test(into_what_is_given),
        cmocka_unit_test(what_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
