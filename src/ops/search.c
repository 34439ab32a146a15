/* searchsorted: binary search, in the order of sort. */
#include "base/error.h"
#include "ops/calls.h"

#include <string.h>

/* Argument `index` as the type, side by side, on the place; retained. */
static ps_status converted_operand(const ps__bound_call *call, unsigned index, ps_dtype dtype,
                                   const ps__home *home, ps_tensor **result)
{
    const ps_arg *arg = &call->args[index];
    *result = NULL;
    if (arg->kind != PS_ARG_TENSOR) {
        ps_call on = *call->call;
        ps_arg args[3] = {{.kind = PS_ARG_INTS}, *arg, {.kind = PS_ARG_DTYPE, .as.dtype = dtype}};
        on.device = home->device;
        return ps__call("full", &on, args, 3, result);
    }
    if (arg->as.tensor->dtype == (uint8_t)dtype)
        return ps__contiguous(call, arg->as.tensor, result);
    ps_arg args[2] = {*arg, {.kind = PS_ARG_DTYPE, .as.dtype = dtype}};
    return ps__call("cast", call->call, args, 2, result);
}

static ps_status common_type(const ps__bound_call *call, ps_dtype *dtype)
{
    ps__operand_type types[2];
    for (int i = 0; i < 2; i++) {
        const ps_arg *arg = &call->args[i];
        bool scalar = arg->kind != PS_ARG_TENSOR;
        types[i] = (ps__operand_type){scalar, (uint8_t)(scalar ? (int)arg->as.scalar.tag
                                                               : (int)arg->as.tensor->dtype)};
    }
    return ps__common_type(call->op, types, 2, dtype);
}

static ps_status check_search(const ps__bound_call *call, bool *behind)
{
    const ps_tensor *sorted = call->args[0].as.tensor;
    const ps_arg *side = &call->args[2];
    if (sorted->ndim != 1)
        return ps__fail(PS_ERR_ARGUMENT, "searchsorted: x1 must have one dimension, not shape %s",
                        ps__shape_text(sorted->ndim, ps__shape(sorted)));
    *behind = side->kind == PS_ARG_TEXT && strcmp(side->as.text, "right") == 0;
    return PS_OK;
}

static ps_status submit_search(const ps__bound_call *call, ps_tensor *sorted, ps_tensor *x,
                               bool behind)
{
    int64_t count;
    ps_tensor *inputs[2] = {sorted, x};
    ps__work_search work = {.head = PS__WORK_HEAD(SEARCH, ps__work_search), .behind = behind};
    ps_status status = ps__shape_check("searchsorted", PS_INT64, x->ndim, ps__shape(x), &count);
    if (status != PS_OK)
        return status;
    ps__job job = {.call = call,
                   .work = &work.head,
                   .input = inputs,
                   .inputs = 2,
                   .cost_ns = 60 + 30 * (uint64_t)count};
    return ps__submit_output(&job, x->home, PS_INT64, x->ndim, ps__shape(x));
}

ps_status ps__op_searchsorted(const ps__bound_call *call)
{
    ps_tensor *sorted = NULL, *x = NULL;
    const ps__home *home;
    ps_dtype dtype;
    bool behind = false;
    ps_status status = check_search(call, &behind);
    if (status == PS_OK)
        status = ps__common_home(call, &home);
    if (status == PS_OK)
        status = common_type(call, &dtype);
    if (status != PS_OK)
        return status;
    status = converted_operand(call, 0, dtype, home, &sorted);
    if (status == PS_OK)
        status = converted_operand(call, 1, dtype, home, &x);
    if (status == PS_OK)
        status = submit_search(call, sorted, x, behind);
    ps_tensor_release(sorted);
    ps_tensor_release(x);
    return status;
}
