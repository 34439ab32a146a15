/* What ps_tensor_set writes.
 *
 * A number must be one that the element type holds: an integer in its range, no complex number
 * where the type has real ones. A float is cut toward zero for an integer type, as casts do;
 * anything is true or false for bool. */
#include "base/error.h"
#include "ops/index.h"

static ps_status check_number(ps_scalar number, ps_dtype dtype)
{
    ps__element element;
    bool integer = number.tag == PS_SCALAR_INT64 || number.tag == PS_SCALAR_UINT64;
    if (dtype == PS_BOOL)
        return PS_OK;
    if (number.tag == PS_SCALAR_COMPLEX && ps__dtype_kind_of(dtype) != PS__KIND_COMPLEX)
        return ps__fail(PS_ERR_TYPE,
                        "complex numbers cannot become %s: take their real part (of %g%+gi)",
                        ps__dtypes[dtype].name, number.as.z[0], number.as.z[1]);
    if (integer && !ps__scalar_store(number, dtype, &element))
        return ps__scalar_refuse("ps_tensor_set", number, dtype);
    return PS_OK;
}

/* Whether operations take a number that fits for what it is worth in the type. A float on its own
 * counts as float32. */
static bool passes(ps_scalar number, ps_dtype dtype)
{
    switch (number.tag) {
    case PS_SCALAR_BOOL:
        return true;
    case PS_SCALAR_INT64:
        return dtype != PS_BOOL;
    case PS_SCALAR_UINT64:
        return dtype == PS_UINT64 || ps__dtype_is_inexact(dtype);
    case PS_SCALAR_DOUBLE:
        return ps__dtype_is_inexact(dtype) && dtype != PS_FLOAT64 && dtype != PS_COMPLEX128;
    default:
        return false;
    }
}

/* Else it becomes a tensor without dimensions. */
static ps_status make_element(ps__value *value, ps_scalar number, const ps_tensor *tensor)
{
    ps__element element = {{0}};
    ps_dtype dtype = (ps_dtype)tensor->dtype;
    ps__scalar_cast(number, dtype, &element);
    ps_status status =
        ps_tensor_from_host(dtype, 0, NULL, NULL, &element, ps_tensor_device(tensor), &value->made);
    value->arg = ps_arg_tensor(value->made);
    return status;
}

ps_status ps__value_begin(ps__value *value, const ps_arg *given, const ps_tensor *tensor)
{
    ps_scalar number;
    ps_dtype dtype = (ps_dtype)tensor->dtype;
    *value = (ps__value){.arg = *given};
    if (given->kind == PS_ARG_TENSOR && given->as.tensor != NULL && given->count == 0)
        return PS_OK;
    if (given->count != 0 || !ps__arg_number(given, &number))
        return ps__fail(PS_ERR_TYPE,
                        "ps_tensor_set: the value must be a tensor or a number, not an argument of "
                        "kind %d with a count of %u",
                        (int)given->kind, (unsigned)given->count);
    ps_status status = check_number(number, dtype);
    if (status != PS_OK || passes(number, dtype))
        return status;
    return make_element(value, number, tensor);
}

ps_status ps__value_strip(ps_tensor *tensor, int ndim, ps_tensor **view)
{
    ps__layout all, to;
    int extra = tensor->ndim - ndim, first = 0;
    while (first < extra && ps__shape(tensor)[first] == 1)
        first++;
    ps__layout_of(tensor, &all);
    to.ndim = 0;
    to.offset = all.offset;
    for (int i = first; i < all.ndim; i++)
        ps__layout_add(&to, all.shape[i], all.strides[i]);
    return ps__view(tensor, (ps_dtype)tensor->dtype, &to, view);
}

/* A view as a tensor of the other's type with elements of its own. Takes it over. */
static ps_status separate(ps_tensor *view, const ps_tensor *tensor, const ps_call *on,
                          ps_tensor **result)
{
    bool same = view->dtype == tensor->dtype;
    ps_arg args[] = {ps_arg_tensor(view), ps_arg_dtype((ps_dtype)tensor->dtype)};
    *result = view;
    if (same && view->storage != tensor->storage)
        return PS_OK;
    *result = NULL;
    ps_status status = ps__call(same ? "copy" : "cast", on, args, same ? 1 : 2, result);
    ps_tensor_release(view);
    return status;
}

ps_status ps__value_convert(const ps__value *value, const ps_tensor *tensor, int ndim,
                            const ps_call *on, ps__value *converted)
{
    ps_tensor *view;
    *converted = (ps__value){.arg = value->arg};
    if (value->arg.kind != PS_ARG_TENSOR)
        return PS_OK;
    ps_status status = ps__value_strip(value->arg.as.tensor, ndim, &view);
    if (status == PS_OK)
        status = separate(view, tensor, on, &converted->made);
    converted->arg = ps_arg_tensor(converted->made);
    return status;
}
