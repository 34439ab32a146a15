/* argmin and argmax. */
#include "base/error.h"
#include "engine/origin.h"
#include "ops/calls.h"

#include <inttypes.h>

static ps_status check_operand(const ps__bound_call *call)
{
    const ps_arg *x = &call->args[0];
    const char *name = call->op->row.name;
    if (ps__dtype_kind_of((ps_dtype)x->as.tensor->dtype) == PS__KIND_COMPLEX)
        return ps__fail(PS_ERR_TYPE, "%s: %s has no order", name,
                        ps__dtypes[x->as.tensor->dtype].name);
    return PS_OK;
}

static ps_status arg_reduce_axis(const ps__bound_call *call, ps_tensor *x, int axis, int ndim,
                                 const int64_t *shape, bool largest)
{
    ps__work_argreduce work = {.head = PS__WORK_HEAD(ARGREDUCE, ps__work_argreduce),
                               .axis = axis,
                               .largest = largest};
    ps__job job = {.call = call,
                   .work = &work.head,
                   .input = &x,
                   .inputs = 1,
                   .cost_ns = 60 + (uint64_t)((double)x->count * 0.3)};
    return ps__submit_output(&job, x->home, PS_INT64, ndim, shape);
}

/* Over all of x: as one long row. */
static ps_status arg_reduce_all(const ps__bound_call *call, bool keepdims, bool largest)
{
    ps_tensor *x = call->args[0].as.tensor, *flat = NULL;
    ps_arg args[2] = {call->args[0], {.kind = PS_ARG_INTS, .count = 1, .as.ints = (int64_t[]){-1}}};
    if (x->count == 0)
        return ps__fail(PS_ERR_ARGUMENT, "%s: no elements in shape %s", call->op->row.name,
                        ps__shape_text(x->ndim, ps__shape(x)));
    ps_status status = ps__call("reshape", call->call, args, 2, &flat);
    if (status != PS_OK)
        return status;
    int64_t ones[PS_DIMS_MAX];
    for (int i = 0; i < x->ndim; i++)
        ones[i] = 1;
    status = arg_reduce_axis(call, flat, 0, keepdims ? x->ndim : 0, ones, largest);
    ps_tensor_release(flat);
    return status;
}

static ps_status arg_reduce(const ps__bound_call *call, bool largest)
{
    ps_status status = check_operand(call);
    if (status != PS_OK)
        return status;
    bool keepdims = call->args[2].as.boolean;
    if (call->args[1].kind == PS_ARG_NONE)
        return arg_reduce_all(call, keepdims, largest);
    ps_tensor *x = call->args[0].as.tensor;
    int axis, ndim = 0;
    status = ps__axis(call->op->row.name, call->args[1].as.integer, x->ndim, &axis);
    if (status != PS_OK)
        return status;
    if (ps__shape(x)[axis] == 0)
        return ps__fail(PS_ERR_ARGUMENT, "%s: no elements along axis %" PRId64 " of shape %s",
                        call->op->row.name, ps__stated(axis),
                        ps__shape_text(x->ndim, ps__shape(x)));
    int64_t shape[PS_DIMS_MAX];
    for (int i = 0; i < x->ndim; i++)
        if (i != axis || keepdims)
            shape[ndim++] = i == axis ? 1 : ps__shape(x)[i];
    return arg_reduce_axis(call, x, axis, ndim, shape, largest);
}

ps_status ps__op_argmin(const ps__bound_call *call)
{
    return arg_reduce(call, false);
}

ps_status ps__op_argmax(const ps__bound_call *call)
{
    return arg_reduce(call, true);
}
