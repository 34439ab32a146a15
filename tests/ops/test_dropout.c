/* Dropout: which elements become 0, that the way back finds the same ones and saves nothing, axes,
 * generators, bad input. */
#include "train_help.h"

enum { LENGTH = 100000 };

/* Ones with a gradient attached. */
static ps_tensor *ones(ps_dtype dtype, int64_t length)
{
    ps_tensor *x = CALL("ones", INTS(length), D(dtype));
    CHECK_OK(ps_grad_attach(x, PS_GRAD_WRITE, NULL));
    return x;
}

static void elements_are_dropped_or_scaled(void **state)
{
    (void)state;
    static const ps_dtype dtypes[] = {PS_FLOAT32, PS_FLOAT64, PS_FLOAT16, PS_BFLOAT16};
    for (int i = 0; i < 4; i++) {
        CHECK_OK(ps_generator_seed(NULL, 1));
        ps_tensor *x = CALL("ones", INTS(LENGTH), D(dtypes[i]));
        ps_tensor *y = CALL("dropout", T(x), F(0.75));
        assert_int_equal(ps_tensor_dtype(y), dtypes[i]);
        double *values = values_of(y);
        int kept = 0;
        for (int k = 0; k < LENGTH; k++) {
            assert_true(values[k] == 0 || values[k] == 4);
            kept += values[k] != 0;
        }
        assert_in_range(kept, LENGTH / 4 - 1000, LENGTH / 4 + 1000); /* of this seed */
        free(values);
        RELEASE_ALL(x, y);
    }
}

static void the_ends_are_exact(void **state)
{
    (void)state;
    ps_tensor *x = waves(PS_FLOAT32, SHAPE(1000)), *all = CALL("dropout", T(x), F(0));
    ps_tensor *none = CALL("dropout", T(x), F(1)), *zeros = CALL("zeros", INTS(1000));
    check_same_bits(all, x, "p = 0");
    check_same_bits(none, zeros, "p = 1");
    RELEASE_ALL(x, all, none, zeros);
}

/* Infinities and NaN that are dropped are 0. */
static void what_is_dropped_is_zero(void **state)
{
    (void)state;
    ps_tensor *x = CALL("full", INTS(1000), F(NAN)), *y = CALL("dropout", T(x), F(0.5));
    double *values = values_of(y);
    int zeros = 0;
    for (int i = 0; i < 1000; i++)
        zeros += values[i] == 0;
    assert_in_range(zeros, 400, 600);
    free(values);
    RELEASE_ALL(x, y);
}

static uint64_t saves(void)
{
    ps_graph_stats stats = {.size = sizeof stats};
    CHECK_OK(ps_graph_get_stats(&stats));
    return stats.saves;
}

/* Of ones the result is the mask, scaled: so is the gradient. Nothing is saved for it. */
static void the_way_back_finds_the_mask(void **state)
{
    (void)state;
    static const ps_dtype dtypes[] = {PS_FLOAT32, PS_FLOAT64, PS_FLOAT16};
    for (int i = 0; i < 3; i++) {
        ps_tensor *x = ones(dtypes[i], LENGTH);
        record();
        ps_tensor *y = CALL("dropout", T(x), F(0.4));
        pause_it();
        assert_int_equal(saves(), 0);
        backward(y);
        ps_tensor *gradient = gradient_of(x);
        check_same_bits(gradient, y, ps_dtype_name(dtypes[i]));
        RELEASE_ALL(x, y, gradient);
    }
    nothing_is_left();
}

/* A gradient of a gradient, which is a mask of the weights. */
static void any_order(void **state)
{
    (void)state;
    ps_tensor *x = ones(PS_FLOAT64, 1000), *weights = ones(PS_FLOAT64, 1000), *first, *second;
    record();
    ps_tensor *y = CALL("dropout", T(x), F(0.5));
    ps_backward_options options = {.size = sizeof options, .gradients = &weights, .create = true};
    CHECK_OK(ps_grad(&y, 1, &x, 1, &options, &first));
    CHECK_OK(ps_grad(&first, 1, &weights, 1, NULL, &second));
    pause_it();
    check_same_bits(first, y, "first order");
    check_same_bits(second, y, "second order");
    RELEASE_ALL(x, weights, y, first, second);
    nothing_is_left();
}

static void the_same_along_axes(void **state)
{
    (void)state;
    ps_tensor *x = CALL("ones", INTS(50, 3, 40));
    CHECK_OK(ps_grad_attach(x, PS_GRAD_WRITE, NULL));
    record();
    ps_tensor *y = CALL("dropout", T(x), F(0.5), INTS(0, -1));
    pause_it();
    backward(y);
    ps_tensor *gradient = gradient_of(x);
    check_same_bits(gradient, y, "the way back");
    double *values = values_of(y);
    for (int i = 0; i < 50 * 3 * 40; i++)
        assert_true(values[i] == values[i / 40 % 3 * 40]);
    free(values);
    RELEASE_ALL(x, y, gradient);
    nothing_is_left();
}

static void generators_decide(void **state)
{
    (void)state;
    ps_generator *generator;
    CHECK_OK(ps_generator_create(5, &generator));
    ps_arg from = {.kind = PS_ARG_GENERATOR, .as.generator = generator};
    ps_tensor *x = waves(PS_FLOAT32, SHAPE(10, 100)), *turned = CALL("permute", T(x));
    ps_tensor *a = CALL("dropout", T(x), F(0.5), NONE, from);
    ps_tensor *b = CALL("dropout", T(x), F(0.5), NONE, from);
    ps_tensor *none = NULL;
    CHECK_FAILS(PS_ERR_ARGUMENT, "p is 2",
                call_into("dropout", ARGS(T(x), F(2), NONE, from), &none));
    CHECK_OK(ps_generator_seed(generator, 5));
    ps_tensor *again = CALL("dropout", T(x), F(0.5), NONE, from);
    ps_tensor *next = CALL("dropout", T(x), F(0.5), NONE, from);
    check_same_bits(again, a, "the same seed");
    check_same_bits(next, b, "what follows");
    CHECK_OK(ps_generator_seed(generator, 5));
    ps_tensor *strided = CALL("dropout", T(turned), F(0.5), NONE, from);
    ps_tensor *packed = CALL("copy", T(turned));
    CHECK_OK(ps_generator_seed(generator, 5));
    ps_tensor *plain = CALL("dropout", T(packed), F(0.5), NONE, from);
    check_same_bits(strided, plain, "a view");
    ps_generator_release(generator);
    RELEASE_ALL(x, turned, a, b, again, next, strided, packed, plain);
}

static void program(ps_tensor **results)
{
    CHECK_OK(ps_generator_seed(NULL, 3));
    ps_tensor *x = wavy_leaf(PS_FLOAT32, SHAPE(LENGTH));
    record();
    ps_tensor *y = CALL("dropout", T(x), F(0.2)), *z = CALL("square", T(y));
    pause_it();
    backward(z);
    results[0] = z;
    results[1] = gradient_of(x);
    RELEASE_ALL(x, y);
}

static void the_same_bits_everywhere(void **state)
{
    (void)state;
    check_everywhere(program);
}

static void bad_input(void **state)
{
    (void)state;
    ps_tensor *x = waves(PS_FLOAT32, SHAPE(3)), *whole = CALL("arange", I(3)), *y = NULL;
    CHECK_FAILS(PS_ERR_ARGUMENT, "dropout: p is -0.5, not in [0, 1]",
                call_into("dropout", ARGS(T(x), F(-0.5)), &y));
    CHECK_FAILS(PS_ERR_ARGUMENT, "dropout: p is", call_into("dropout", ARGS(T(x), F(NAN)), &y));
    CHECK_FAILS(PS_ERR_TYPE, "dropout: no rule for int64",
                call_into("dropout", ARGS(T(whole), F(0.5)), &y));
    CHECK_FAILS(PS_ERR_ARGUMENT, "dropout: axis 1",
                call_into("dropout", ARGS(T(x), F(0.5), INTS(1)), &y));
    assert_null(y);
    ps_tensor *empty = CALL("zeros", INTS(0, 3));
    y = CALL("dropout", T(empty), F(0.5));
    CHECK_SHAPE(y, 0, 3);
    RELEASE_ALL(x, whole, empty, y);
}

int main(void)
{
    alarm(LIMIT_S);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(elements_are_dropped_or_scaled),
        cmocka_unit_test(the_ends_are_exact),
        cmocka_unit_test(what_is_dropped_is_zero),
        cmocka_unit_test(the_way_back_finds_the_mask),
        cmocka_unit_test(any_order),
        cmocka_unit_test(the_same_along_axes),
        cmocka_unit_test(generators_decide),
        cmocka_unit_test(the_same_bits_everywhere),
        cmocka_unit_test(bad_input),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
