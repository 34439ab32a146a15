/* layer_norm and batch_norm: values against plain loops, gradients with all their arguments, running
 * statistics, the same bits everywhere, bad input. */
#include "train_help.h"
#include "trial_help.h"

static const double EPS = 1e-5;

/* ---- layer_norm ------------------------------------------------------------------------------ */

static double normalised(const double *x, int64_t n, int64_t step, int64_t at)
{
    double mean = 0, squares = 0;
    for (int64_t i = 0; i < n; i++)
        mean += x[i * step] / (double)n;
    for (int64_t i = 0; i < n; i++)
        squares += (x[i * step] - mean) * (x[i * step] - mean) / (double)n;
    return (x[at * step] - mean) / sqrt(squares + EPS);
}

static double room_of(ps_dtype dtype)
{
    return dtype == PS_FLOAT64 ? 1e-12 : dtype == PS_FLOAT32 ? 1e-5 : 0.03;
}

static void check_near(ps_tensor *y, const double *wanted, const char *what)
{
    double *found = values_of(y), room = room_of(ps_tensor_dtype(y));
    for (int64_t i = 0; i < ps_tensor_count(y); i++)
        if (!(fabs(found[i] - wanted[i]) <= room * (1 + fabs(wanted[i]))))
            fail_msg("%s: element %lld is %.12g, not %.12g", what, (long long)i, found[i],
                     wanted[i]);
    free(found);
}

static void check_layer(ps_dtype dtype, int64_t rows, int64_t n)
{
    ps_tensor *x = waves(dtype, SHAPE(rows, n)), *gamma = waves(dtype, SHAPE(n));
    ps_tensor *beta = counted(dtype, SHAPE(n)), *y = CALL("layer_norm", T(x), T(gamma), T(beta));
    ps_tensor *plain = CALL("layer_norm", T(x)), *shifted = CALL("layer_norm", T(x), NONE, T(beta));
    double *in = values_of(x), *factor = values_of(gamma), *summand = values_of(beta);
    double *wanted[3];
    for (int i = 0; i < 3; i++)
        wanted[i] = calloc((size_t)(rows * n), sizeof(double));
    for (int64_t i = 0; i < rows * n; i++) {
        double each = normalised(in + i / n * n, n, 1, i % n);
        wanted[0][i] = each * factor[i % n] + summand[i % n];
        wanted[1][i] = each;
        wanted[2][i] = each + summand[i % n];
    }
    check_near(y, wanted[0], "gamma and beta");
    check_near(plain, wanted[1], "plain");
    check_near(shifted, wanted[2], "beta");
    for (int i = 0; i < 3; i++)
        free(wanted[i]);
    free(in);
    free(factor);
    free(summand);
    RELEASE_ALL(x, gamma, beta, y, plain, shifted);
}

static void layer_values(void **state)
{
    (void)state;
    static const ps_dtype dtypes[] = {PS_FLOAT32, PS_FLOAT64, PS_FLOAT16, PS_BFLOAT16};
    static const int64_t lengths[] = {1, 2, 15, 16, 17, 63, 64, 65, 200};
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 9; k++)
            check_layer(dtypes[i], 3, dtypes[i] < PS_FLOAT32 ? k + 1 : lengths[k]);
}

/* The variance of numbers far from 0 keeps its digits. */
static void far_from_zero(void **state)
{
    (void)state;
    ps_tensor *x = waves(PS_FLOAT32, SHAPE(2, 500)), *far = CALL("add", T(x), F(30000));
    ps_tensor *y = CALL("layer_norm", T(far));
    double *in = values_of(far), *found = values_of(y);
    for (int i = 0; i < 1000; i++)
        assert_true(fabs(found[i] - normalised(in + i / 500 * 500, 500, 1, i % 500)) < 2e-3);
    free(in);
    free(found);
    RELEASE_ALL(x, far, y);
}

static void layer_axes(void **state)
{
    (void)state;
    ps_tensor *x = waves(PS_FLOAT64, SHAPE(4, 3, 5)), *whole, *one, *flat, *moved, *row;
    ps_tensor *gamma = waves(PS_FLOAT64, SHAPE(3, 5)), *line = CALL("reshape", T(gamma), INTS(15));
    whole = CALL("layer_norm", T(x), T(gamma), NONE, INTS(1, 2));
    flat = CALL("reshape", T(x), INTS(4, 15));
    row = CALL("layer_norm", T(flat), T(line));
    check_same_bits(whole, row, "two axes");
    moved = CALL("moveaxis", T(x), I(1), I(-1));
    one = CALL("layer_norm", T(x), NONE, NONE, INTS(1));
    ps_tensor *last = CALL("layer_norm", T(moved)), *back = CALL("moveaxis", T(one), I(1), I(-1));
    check_same_bits(back, last, "an inner axis");
    RELEASE_ALL(x, gamma, line, whole, flat, row, moved, one, last, back);
}

static void layer_gradients(void **state)
{
    (void)state;
    ps_tensor *x = waves(PS_FLOAT64, SHAPE(2, 3, 4)), *gamma = waves(PS_FLOAT64, SHAPE(4));
    ps_tensor *beta = waves(PS_FLOAT64, SHAPE(4)), *both = waves(PS_FLOAT64, SHAPE(3, 4));
    ps_tensor *inner = waves(PS_FLOAT64, SHAPE(3));
    TRY("layer_norm", T(x), T(gamma), T(beta));
    TRY("layer_norm", T(x), NONE, T(beta));
    TRY("layer_norm", T(x), T(both), NONE, INTS(-2, -1), F(0.5));
    TRY("layer_norm", T(x), T(inner), T(inner), INTS(1));
    RELEASE_ALL(x, gamma, beta, both, inner);
}

static void layer_program(ps_tensor **results)
{
    ps_tensor *x = wavy_leaf(PS_FLOAT32, SHAPE(700, 300));
    ps_tensor *gamma = wavy_leaf(PS_FLOAT32, SHAPE(300)), *beta = wavy_leaf(PS_FLOAT32, SHAPE(300));
    record();
    ps_tensor *y = CALL("layer_norm", T(x), T(gamma), T(beta)), *z = CALL("square", T(y));
    pause_it();
    backward(z);
    results[0] = z;
    results[1] = gradient_of(x);
    results[2] = gradient_of(gamma);
    results[3] = gradient_of(beta);
    RELEASE_ALL(x, gamma, beta, y);
}

/* ---- batch_norm ------------------------------------------------------------------------------ */

/* y, mean and var. */
static void train(ps_tensor *x, ps_arg gamma, ps_arg beta, int axis, ps_tensor **made)
{
    made[0] = made[1] = made[2] = NULL;
    CHECK_OK(call_several("batch_norm",
                          ARGS(T(x), gamma, beta, NONE, NONE, F(0.9), F(EPS), I(axis)), 3, made));
}

static void check_batch(ps_dtype dtype, int64_t outer, int64_t channels, int64_t inner)
{
    ps_tensor *x = waves(dtype, SHAPE(outer, channels, inner)), *made[3];
    ps_tensor *gamma = waves(dtype, SHAPE(channels)), *turned = CALL("moveaxis", T(x), I(1), I(2));
    ps_tensor *last = CALL("copy", T(turned)), *other[3];
    train(x, T(gamma), NONE, 1, made);
    train(last, T(gamma), NONE, -1, other);
    double *in = values_of(last), *factor = values_of(gamma);
    int64_t count = outer * inner;
    double *wanted = calloc((size_t)(count * channels), sizeof *wanted);
    for (int64_t i = 0; i < count * channels; i++)
        wanted[i] =
            normalised(in + i % channels, count, channels, i / channels) * factor[i % channels];
    ps_tensor *back = CALL("moveaxis", T(made[0]), I(1), I(2));
    check_near(back, wanted, "the second axis");
    check_near(other[0], wanted, "the last axis");
    ps_tensor *mean = CALL("mean", T(last), INTS(0, 1)), *var = CALL("var", T(last), INTS(0, 1));
    double *means = values_of(mean), *vars = values_of(var);
    check_near(made[1], means, "mean");
    check_near(made[2], vars, "variance");
    free(in);
    free(factor);
    free(wanted);
    free(means);
    free(vars);
    RELEASE_ALL(x, gamma, turned, last, back, mean, var, made[0], made[1], made[2], other[0],
                other[1], other[2]);
}

static void batch_values(void **state)
{
    (void)state;
    static const ps_dtype dtypes[] = {PS_FLOAT32, PS_FLOAT64};
    for (int i = 0; i < 2; i++) {
        check_batch(dtypes[i], 4, 3, 1);
        check_batch(dtypes[i], 4, 3, 15);
        check_batch(dtypes[i], 4, 3, 100);
        check_batch(dtypes[i], 1, 5, 7);
        check_batch(dtypes[i], 40, 35, 1);
        check_batch(dtypes[i], 70, 1100, 1); /* several blocks of rows */
    }
}

/* Gradients of x, gamma and beta, and y. */
static void channels_program(ps_tensor *values, int axis, int64_t channels, ps_tensor **results)
{
    ps_tensor *x = CALL("copy", T(values)), *made[3] = {NULL};
    ps_tensor *gamma = wavy_leaf(PS_FLOAT32, SHAPE(channels));
    ps_tensor *beta = wavy_leaf(PS_FLOAT32, SHAPE(channels));
    CHECK_OK(ps_grad_attach(x, PS_GRAD_WRITE, NULL));
    record();
    train(x, T(gamma), T(beta), axis, made);
    ps_tensor *z = CALL("square", T(made[0]));
    pause_it();
    backward(z);
    results[0] = gradient_of(x);
    results[1] = gradient_of(gamma);
    results[2] = gradient_of(beta);
    results[3] = z;
    RELEASE_ALL(x, gamma, beta, made[0], made[1], made[2]);
}

/* Channels that lie side by side, over several blocks of rows, give what channels by themselves do. */
static void two_ways(void **state)
{
    (void)state;
    ps_tensor *x = waves(PS_FLOAT32, SHAPE(70, 1100)), *turned = CALL("permute", T(x), INTS(1, 0));
    ps_tensor *side[4], *apart[4];
    channels_program(x, 1, 1100, side);
    channels_program(turned, 0, 1100, apart);
    for (int i = 0; i < 4; i++) {
        ps_tensor *same =
            i == 1 || i == 2 ? CALL("copy", T(apart[i])) : CALL("permute", T(apart[i]), INTS(1, 0));
        ps_tensor *near = CALL("allclose", T(side[i]), T(same), F(1e-4), F(1e-4));
        CHECK_VALUES(near, 1);
        RELEASE_ALL(same, near, side[i], apart[i]);
    }
    RELEASE_ALL(x, turned);
    nothing_is_left();
}

static void batch_gradients(void **state)
{
    (void)state;
    ps_tensor *x = waves(PS_FLOAT64, SHAPE(2, 3, 2, 2)), *gamma = waves(PS_FLOAT64, SHAPE(3));
    ps_tensor *beta = waves(PS_FLOAT64, SHAPE(3)), *mean = waves(PS_FLOAT64, SHAPE(3));
    ps_tensor *var = CALL("square", T(gamma)), *wide = waves(PS_FLOAT64, SHAPE(2, 2, 17));
    ps_tensor *two = waves(PS_FLOAT64, SHAPE(2));
    ps_arg momentum = F(0.9), eps = F(0.1), second = I(1);
    TRY("batch_norm", T(x), T(gamma), T(beta));
    TRY("batch_norm", T(x), NONE, T(two), NONE, NONE, momentum, eps, I(0));
    TRY("batch_norm", T(wide), T(two), T(two));
    ps_tensor *rows = waves(PS_FLOAT64, SHAPE(5, 18)), *many = waves(PS_FLOAT64, SHAPE(18));
    TRY("batch_norm", T(rows), T(many), T(many), NONE, NONE, momentum, eps);
    TRY("batch_norm", T(rows), NONE, NONE, NONE, NONE, momentum, eps);
    RELEASE_ALL(wide, two, rows, many);
    /* By what is normalised and scaled; the running statistics are numbers like others there. */
    TRY("batch_norm", T(x), T(gamma), T(beta), T(mean), T(var), momentum, eps, second, B(false));
    RELEASE_ALL(x, gamma, beta, mean, var);
}

/* Statistics that are given as outputs are moved on in place, and are in no graph. */
static void running_statistics(void **state)
{
    (void)state;
    ps_tensor *x = from_floats(SHAPE(2, 2), (float[]){1, 5, 3, 9});
    ps_tensor *mean = CALL("zeros", INTS(2)), *var = CALL("ones", INTS(2));
    ps_tensor *made[3] = {NULL, mean, var};
    ps_arg args[] = {T(x), NONE, NONE, T(mean), T(var), F(0.75), F(0), I(1), B(true), F(1)};
    CHECK_OK(ps_grad_attach(x, PS_GRAD_WRITE, NULL));
    record();
    CHECK_OK(call_several("batch_norm", 10, args, 3, made));
    pause_it();
    assert_ptr_equal(made[1], mean);
    CHECK_VALUES(mean, 0.5, 1.75);
    CHECK_VALUES(var, 1.25, 2.75); /* of one number less: 2 and 8 */
    CHECK_VALUES(made[0], -1, -1, 1, 1);
    assert_true(ps_tensor_is_recorded(made[0]));
    assert_false(ps_tensor_is_recorded(mean) || ps_tensor_is_recorded(var));
    ps_tensor_release(made[0]);
    made[0] = NULL;
    args[8] = B(false);
    CHECK_OK(call_several("batch_norm", 10, args, 3, made));
    CHECK_VALUES(mean, 0.5, 1.75);
    double *found = values_of(made[0]);
    assert_true(fabs(found[3] - (9 - 1.75) / sqrt(2.75)) < 1e-5);
    free(found);
    RELEASE_ALL(x, mean, var, made[0]);
    nothing_is_left();
}

static void batch_program(ps_tensor **results)
{
    ps_tensor *x = wavy_leaf(PS_FLOAT32, SHAPE(6, 20, 30, 31)), *made[3] = {NULL};
    ps_tensor *gamma = wavy_leaf(PS_FLOAT32, SHAPE(20)), *beta = wavy_leaf(PS_FLOAT32, SHAPE(20));
    record();
    CHECK_OK(call_several("batch_norm", ARGS(T(x), T(gamma), T(beta)), 3, made));
    ps_tensor *z = CALL("square", T(made[0]));
    pause_it();
    backward(z);
    results[0] = z;
    results[1] = gradient_of(x);
    results[2] = gradient_of(gamma);
    results[3] = gradient_of(beta);
    results[4] = made[1];
    results[5] = made[2];
    RELEASE_ALL(x, gamma, beta, made[0]);
}

static void columns_program(ps_tensor **results)
{
    ps_tensor *x = waves(PS_FLOAT32, SHAPE(700, 300));
    channels_program(x, 1, 300, results);
    ps_tensor_release(x);
}

static void the_same_bits_everywhere(void **state)
{
    (void)state;
    check_everywhere(layer_program);
    check_everywhere(batch_program);
    check_everywhere(columns_program);
    nothing_is_left();
}

/* ---- bad input --------------------------------------------------------------------------------- */

static void bad_layers(void **state)
{
    (void)state;
    ps_tensor *x = waves(PS_FLOAT32, SHAPE(2, 3, 4)), *line = waves(PS_FLOAT32, SHAPE(3));
    ps_tensor *whole = CALL("arange", I(4)), *empty = CALL("zeros", INTS(2, 0)), *y = NULL;
    CHECK_FAILS(PS_ERR_ARGUMENT, "layer_norm: gamma of shape (3,) for axes of shape (4,)",
                call_into("layer_norm", ARGS(T(x), T(line)), &y));
    CHECK_FAILS(PS_ERR_ARGUMENT, "layer_norm: beta of shape (3,) for axes of shape (3, 4)",
                call_into("layer_norm", ARGS(T(x), NONE, T(line), INTS(1, 2)), &y));
    CHECK_FAILS(PS_ERR_ARGUMENT, "2 axes of shape (2, 3, 4); there must be one, or the last ones",
                call_into("layer_norm", ARGS(T(x), NONE, NONE, INTS(0, 2)), &y));
    CHECK_FAILS(PS_ERR_ARGUMENT, "axis 3",
                call_into("layer_norm", ARGS(T(x), NONE, NONE, INTS(3)), &y));
    CHECK_FAILS(PS_ERR_TYPE, "layer_norm: no rule for int64",
                call_into("layer_norm", ARGS(T(whole)), &y));
    CHECK_FAILS(PS_ERR_ARGUMENT, "no elements along axis 1 of shape (2, 0)",
                call_into("layer_norm", ARGS(T(empty)), &y));
    assert_null(y);
    ps_tensor *none = CALL("zeros", INTS(0, 4));
    y = CALL("layer_norm", T(none));
    CHECK_SHAPE(y, 0, 4);
    RELEASE_ALL(x, line, whole, empty, none, y);
}

static void bad_batches(void **state)
{
    (void)state;
    ps_tensor *x = waves(PS_FLOAT32, SHAPE(2, 3)), *line = waves(PS_FLOAT32, SHAPE(2));
    ps_tensor *whole = CALL("arange", I(4)), *empty = CALL("zeros", INTS(0, 2)), *made[3] = {NULL};
    CHECK_FAILS(PS_ERR_ARGUMENT, "batch_norm: gamma of shape (2,) for 3 elements",
                call_several("batch_norm", ARGS(T(x), T(line)), 3, made));
    CHECK_FAILS(PS_ERR_ARGUMENT, "running_mean and running_var go together",
                call_several("batch_norm", ARGS(T(x), NONE, NONE, T(line)), 3, made));
    CHECK_FAILS(PS_ERR_ARGUMENT, "without training the running statistics must be given",
                call_several("batch_norm",
                             ARGS(T(x), NONE, NONE, NONE, NONE, NONE, NONE, NONE, B(false)), 3,
                             made));
    CHECK_FAILS(PS_ERR_ARGUMENT, "no elements of channels in x of shape (0, 2)",
                call_several("batch_norm", ARGS(T(empty)), 3, made));
    CHECK_FAILS(PS_ERR_ARGUMENT, "axis 1", call_several("batch_norm", ARGS(T(line)), 3, made));
    CHECK_FAILS(PS_ERR_TYPE, "batch_norm: no rule for int64",
                call_several("batch_norm", ARGS(T(whole)), 3, made));
    assert_true(made[0] == NULL && made[1] == NULL && made[2] == NULL);
    made[1] = line;
    CHECK_FAILS(PS_ERR_ARGUMENT, "batch_norm", call_several("batch_norm", ARGS(T(x)), 3, made));
    RELEASE_ALL(x, line, whole, empty);
}

int main(void)
{
    alarm(LIMIT_S);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(layer_values),       cmocka_unit_test(far_from_zero),
        cmocka_unit_test(layer_axes),         cmocka_unit_test(layer_gradients),
        cmocka_unit_test(batch_values),       cmocka_unit_test(batch_gradients),
        cmocka_unit_test(running_statistics), cmocka_unit_test(the_same_bits_everywhere),
        cmocka_unit_test(bad_layers),         cmocka_unit_test(bad_batches),
        cmocka_unit_test(two_ways),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
