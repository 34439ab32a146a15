/* Operations that a library adds to the running program, and nothing else: see test_rows.py. It stays
 * loaded, since the table keeps a kernel for the life of the process. */
#include <penstock.h>

PS_API const char *rows_add(void);

static ps_status outer_rule(void *context, const ps_view *inputs, size_t ninputs,
                            const ps_scalar *numbers, size_t nnumbers, ps_dtype *dtype, int *ndim,
                            int64_t *shape)
{
    (void)context;
    (void)ninputs;
    (void)numbers;
    (void)nnumbers;
    for (int i = 0; i < 2; i++)
        if (inputs[i].ndim != 1 || inputs[i].dtype != PS_FLOAT32)
            return ps_op_fail(PS_ERR_ARGUMENT,
                              "rows_outer: operand %d has %d dimensions of %s; it must have 1 of "
                              "float32",
                              i + 1, inputs[i].ndim, ps_dtype_name(inputs[i].dtype));
    *dtype = PS_FLOAT32;
    *ndim = 2;
    shape[0] = inputs[0].shape[0];
    shape[1] = inputs[1].shape[0];
    return PS_OK;
}

static float element(const ps_view *view, int64_t i)
{
    return *(const float *)((const char *)view->data + i * view->strides[0]);
}

static ps_status outer_kernel(void *context, const ps_view *inputs, size_t ninputs,
                              const ps_scalar *numbers, size_t nnumbers, const ps_view *output)
{
    (void)context;
    (void)ninputs;
    (void)nnumbers;
    float *out = output->data;
    double factor = numbers[0].tag == PS_SCALAR_DOUBLE ? numbers[0].as.d : (double)numbers[0].as.i;
    if (factor < 0)
        return ps_op_fail(PS_ERR_ARGUMENT, "rows_outer: factor %g is negative", factor);
    for (int64_t i = 0; i < output->shape[0]; i++)
        for (int64_t k = 0; k < output->shape[1]; k++)
            *out++ = element(&inputs[0], i) * element(&inputs[1], k) * (float)factor;
    return PS_OK;
}

static const ps_op_def rows[] = {
    {.size = sizeof(ps_op_def),
     .name = "rows_leaky",
     .signature = "x, slope: scalar = 0.5",
     .dtypes = "numeric",
     .result = "same",
     .expression = "where(x >= 0, x, slope * x)",
     .gradient = "dy * where(x >= 0, 1, slope)",
     .doc = "The operand, times slope where it is negative."},
    {.size = sizeof(ps_op_def),
     .name = "rows_sum_difference",
     .signature = "x, y",
     .dtypes = "numeric",
     .result = "same",
     .expression = "x + y; x - y",
     .doc = "The sum and the difference."},
    {.size = sizeof(ps_op_def),
     .name = "rows_outer",
     .signature = "x, y, factor: scalar = 1.0",
     .doc = "The outer product, times a factor.",
     .rule = outer_rule,
     .kernel = outer_kernel},
};

/* NULL, or what is wrong. */
const char *rows_add(void)
{
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (ps_op_register(&rows[i], NULL) != PS_OK)
            return ps_last_error();
    return NULL;
}
