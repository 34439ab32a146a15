/* Integer division by zero.
 *
 * Elementwise programs cannot fail, so that they can be fused and vectorised. Where a dialect has
 * division fail, the divisors pass through an operation of their own first. */
#include "zeros.h"

#include <inttypes.h>

/* ---- The operation --------------------------------------------------------------------------- */

static ps_status rule(void *context, const ps_view *inputs, size_t ninputs,
                      const ps_scalar *numbers, size_t nnumbers, ps_dtype *dtype, int *ndim,
                      int64_t *shape)
{
    (void)context, (void)ninputs, (void)numbers, (void)nnumbers;
    *dtype = inputs[0].dtype;
    *ndim = inputs[0].ndim;
    for (int i = 0; i < inputs[0].ndim; i++)
        shape[i] = inputs[0].shape[i];
    return PS_OK;
}

static bool is_zero(const unsigned char *element, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        if (element[i] != 0)
            return false;
    return true;
}

/* The place in memory of an element, by its number among all, the last dimension fastest. */
static const unsigned char *element_at(const ps_view *view, int64_t number)
{
    const unsigned char *at = view->data;
    for (int i = view->ndim - 1; i >= 0; i--) {
        at += number % view->shape[i] * view->strides[i];
        number /= view->shape[i];
    }
    return at;
}

static ps_status kernel(void *context, const ps_view *inputs, size_t ninputs,
                        const ps_scalar *numbers, size_t nnumbers, const ps_view *output)
{
    size_t bytes = ps_dtype_bytes(inputs[0].dtype);
    unsigned char *to = output->data;
    int64_t count = 1;
    (void)context, (void)ninputs, (void)numbers, (void)nnumbers;
    for (int i = 0; i < output->ndim; i++)
        count *= output->shape[i];
    for (int64_t i = 0; i < count; i++, to += bytes) {
        const unsigned char *from = element_at(&inputs[0], i);
        if (is_zero(from, bytes))
            return ps_op_fail(PS_ERR_STATE,
                              "ZeroDivisionError: element %" PRId64 " of the divisors is 0", i);
        memcpy(to, from, bytes);
    }
    return PS_OK;
}

#define CHECKING "nonzero_divisors"

bool pyps_is_zero_division(const ps_error_info *info)
{
    return info->operation != NULL && strcmp(info->operation, CHECKING) == 0;
}

static const ps_op *checking_op(void)
{
    static const ps_op *op; /* with the interpreter's lock held */
    ps_op_def def = {.size = sizeof def,
                     .name = CHECKING,
                     .signature = "x",
                     .doc =
                         "The elements, none of which is 0: that is an error found while running.",
                     .rule = rule,
                     .kernel = kernel};
    if (op == NULL && ps_op_register(&def, &op) != PS_OK)
        op = NULL;
    return op;
}

/* ---- Where it goes ----------------------------------------------------------------------------- */

static bool divides(const ps_op *op)
{
    return op == pyps_known(PYPS_FLOOR_DIVIDE) || op == pyps_known(PYPS_REMAINDER) ||
           op == pyps_known(PYPS_FMOD);
}

static bool is_integer(const ps_arg *arg)
{
    return arg->kind == PS_ARG_TENSOR ? ps_tensor_dtype(arg->as.tensor) <= PS_UINT64
                                      : arg->kind == PS_ARG_INT || arg->kind == PS_ARG_BOOL;
}

static bool is_number_zero(const ps_arg *arg)
{
    return (arg->kind == PS_ARG_INT && arg->as.integer == 0) ||
           (arg->kind == PS_ARG_BOOL && !arg->as.boolean);
}

int pyps_zeros_check(const pyps_dialect *dialect, const ps_op *op, ps_arg *args, size_t nargs,
                     ps_tensor **owned)
{
    ps_tensor *checked = NULL;
    if (nargs != 2 || !divides(op) || !is_integer(&args[0]) || !is_integer(&args[1]))
        return 0;
    if (args[1].kind != PS_ARG_TENSOR) {
        if (!is_number_zero(&args[1]))
            return 0;
        PyErr_SetString(dialect->errors[PYPS_ERROR_DIVISION], "ZeroDivisionError");
        return -1;
    }
    const ps_op *checking = checking_op();
    ps_call call = {.size = sizeof call,
                    .args = &args[1],
                    .nargs = 1,
                    .outputs = &checked,
                    .noutputs = 1,
                    .location = pyps_location()};
    ps_status status = checking != NULL ? ps_op_call(checking, &call) : PS_ERR_MEMORY;
    if (status != PS_OK) {
        pyps_raise(dialect, status);
        return -1;
    }
    ps_tensor_release(owned[1]);
    owned[1] = checked;
    args[1] = ps_arg_tensor(checked);
    return 0;
}
