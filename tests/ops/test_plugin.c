/* Operations that a program adds with a rule and a kernel of its own; splitting into views. */
#include "help.h"

typedef struct outer {
    int rules, kernels;
} outer;

/* The outer product of two lines of float32, times a number. */
static ps_status outer_rule(void *context, const ps_view *inputs, size_t ninputs,
                            const ps_scalar *numbers, size_t nnumbers, ps_dtype *dtype, int *ndim,
                            int64_t *shape)
{
    ((outer *)context)->rules++;
    assert_int_equal(ninputs, 2);
    assert_int_equal(nnumbers, 1);
    assert_null(inputs[0].data);
    if (inputs[0].ndim != 1 || inputs[1].ndim != 1 || inputs[0].dtype != PS_FLOAT32 ||
        inputs[1].dtype != PS_FLOAT32)
        return ps_op_fail(PS_ERR_ARGUMENT, "outer: %d and %d dimensions", inputs[0].ndim,
                          inputs[1].ndim);
    (void)numbers;
    *dtype = PS_FLOAT32;
    *ndim = 2;
    shape[0] = inputs[0].shape[0];
    shape[1] = inputs[1].shape[0];
    return PS_OK;
}

static float at(const ps_view *view, int64_t i)
{
    return *(const float *)((const char *)view->data + i * view->strides[0]);
}

static ps_status outer_kernel(void *context, const ps_view *inputs, size_t ninputs,
                              const ps_scalar *numbers, size_t nnumbers, const ps_view *output)
{
    outer *self = context;
    (void)ninputs;
    (void)nnumbers;
    __atomic_add_fetch(&self->kernels, 1, __ATOMIC_RELAXED);
    float *out = output->data;
    double factor = numbers[0].tag == PS_SCALAR_DOUBLE ? numbers[0].as.d : (double)numbers[0].as.i;
    if (factor < 0)
        return ps_op_fail(PS_ERR_ARGUMENT, "outer: factor %g is negative", factor);
    for (int64_t i = 0; i < output->shape[0]; i++)
        for (int64_t k = 0; k < output->shape[1]; k++)
            *out++ = at(&inputs[0], i) * at(&inputs[1], k) * (float)factor;
    return PS_OK;
}

static outer counts;

static void a_kernel_of_ones_own(void **state)
{
    (void)state;
    ps_op_def def = {.size = sizeof def,
                     .name = "scaled_outer",
                     .signature = "x, y, factor: scalar = 1.0",
                     .doc = "Outer product.",
                     .rule = outer_rule,
                     .kernel = outer_kernel,
                     .context = &counts};
    const ps_op *op;
    CHECK_OK(ps_op_register(&def, &op));
    CHECK_FAILS(PS_ERR_ARGUMENT, "already", ps_op_register(&def, NULL));
    ps_tensor *x = counted(PS_FLOAT32, SHAPE(6)), *even = NULL, *out;
    ps_index step = {PS_INDEX_RANGE, PS_INDEX_NONE, PS_INDEX_NONE, 2};
    CHECK_OK(ps_tensor_index(x, &step, 1, &even));
    out = CALL("scaled_outer", T(even), T(even));
    CHECK_SHAPE(out, 3, 3);
    CHECK_VALUES(out, 0, 0, 0, 0, 4, 8, 0, 8, 16);
    ps_tensor_release(out);
    out = CALL("scaled_outer", T(even), T(even), F(0.5));
    CHECK_VALUES(out, 0, 0, 0, 0, 2, 4, 0, 4, 8);
    ps_tensor_release(out);
    assert_int_equal(counts.rules, 2);
    assert_int_equal(counts.kernels, 2);

    ps_tensor *grid = counted(PS_FLOAT32, SHAPE(2, 3));
    out = NULL;
    CHECK_FAILS(PS_ERR_ARGUMENT, "outer: 2 and 1 dimensions",
                call_into("scaled_outer", ARGS(T(grid), T(x)), &out));
    CHECK_FAILS(PS_ERR_TYPE, "must be a tensor", call_into("scaled_outer", ARGS(T(x), F(1)), &out));
    out = CALL("scaled_outer", T(x), T(x), I(-1)); /* found while running */
    CHECK_FAILS(PS_ERR_ARGUMENT, "factor -1 is negative", ps_tensor_wait(out, NULL));
    ps_tensor_release(out);
    ps_tensor_release(grid);
    ps_tensor_release(even);
    ps_tensor_release(x);
}

static void definitions_that_are_neither(void **state)
{
    (void)state;
    ps_op_def def = {.size = sizeof def, .name = "half_done", .signature = "x"};
    CHECK_FAILS(PS_ERR_ARGUMENT, "either", ps_op_register(&def, NULL));
    def.rule = outer_rule;
    CHECK_FAILS(PS_ERR_ARGUMENT, "either", ps_op_register(&def, NULL));
    def.kernel = outer_kernel;
    def.expression = "x";
    CHECK_FAILS(PS_ERR_ARGUMENT, "either", ps_op_register(&def, NULL));
    def.expression = NULL;
    def.signature = "x, axis: ints = none";
    CHECK_FAILS(PS_ERR_ARGUMENT, "one to 8 tensors", ps_op_register(&def, NULL));
    CHECK_FAILS(PS_ERR_ARGUMENT, "half_done", ps_op_find("half_done", &(const ps_op *){0}));
}

/* The expression is an argument by itself, or a number: there is nothing to compute. */
static void expressions_without_a_step(void **state)
{
    (void)state;
    ps_op_def def = {.size = sizeof def,
                     .name = "the_second",
                     .signature = "x, y",
                     .dtypes = "numeric",
                     .result = "same",
                     .expression = "y"};
    CHECK_OK(ps_op_register(&def, NULL));
    def.name = "seven_and_a_half";
    def.signature = "x";
    def.dtypes = "real floating-point";
    def.expression = "7.5";
    def.to_float = true;
    CHECK_OK(ps_op_register(&def, NULL));
    /* Large enough to be queued, and small ones, which are done at the call. */
    for (int64_t length = 3; length < 100000; length *= 1000) {
        ps_tensor *x = CALL("zeros", INTS(length, 2)), *y = CALL("ones", INTS(length, 2));
        ps_tensor *truth = CALL("cast", T(x), D(PS_BOOL)), *turned = CALL("permute", T(truth));
        ps_tensor *second = CALL("the_second", T(x), T(y));
        ps_tensor *sevens = CALL("seven_and_a_half", T(turned));
        ps_tensor *low = CALL("min", T(second)), *high = CALL("max", T(sevens));
        ps_tensor *least = CALL("min", T(sevens));
        CHECK_VALUES(low, 1);
        CHECK_VALUES(high, 7.5);
        CHECK_VALUES(least, 7.5);
        ps_tensor *all[] = {x, y, truth, turned, second, sevens, low, high, least};
        for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
            ps_tensor_release(all[i]);
    }
}

static void split_into_views(void **state)
{
    (void)state;
    ps_tensor *x = counted(PS_INT32, SHAPE(2, 5)), *parts[3];
    CHECK_OK(ps_tensor_split(x, -1, (int64_t[]){2, 0, 3}, 3, parts));
    CHECK_SHAPE(parts[1], 2, 0);
    CHECK_VALUES(parts[0], 0, 1, 5, 6);
    CHECK_VALUES(parts[2], 2, 3, 4, 7, 8, 9);
    CHECK_OK(call_into("assign", ARGS(I(-1)), &parts[0]));
    CHECK_VALUES(x, -1, -1, 2, 3, 4, -1, -1, 7, 8, 9);
    for (int i = 0; i < 3; i++)
        ps_tensor_release(parts[i]);
    CHECK_FAILS(PS_ERR_ARGUMENT, "add up to 4, not 5",
                ps_tensor_split(x, 1, (int64_t[]){2, 2}, 2, parts));
    CHECK_FAILS(PS_ERR_ARGUMENT, "length -1 of part 0",
                ps_tensor_split(x, 1, (int64_t[]){-1, 6}, 2, parts));
    CHECK_FAILS(PS_ERR_ARGUMENT, "does not fit into 5",
                ps_tensor_split(x, 1, (int64_t[]){INT64_MAX, INT64_MAX}, 2, parts));
    CHECK_FAILS(PS_ERR_ARGUMENT, "axis 2 is out of range",
                ps_tensor_split(x, 2, (int64_t[]){5}, 1, parts));
    ps_tensor_release(x);
}

int main(void)
{
    alarm(LIMIT_S);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_kernel_of_ones_own),
        cmocka_unit_test(definitions_that_are_neither),
        cmocka_unit_test(expressions_without_a_step),
        cmocka_unit_test(split_into_views),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
