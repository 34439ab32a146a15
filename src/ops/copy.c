/* Copies: to another element type, into a given tensor, side by side; clipping. All are elementwise
 * rows with a twist. */
#include "base/error.h"
#include "ops/calls.h"

ps_status ps__op_cast(const ps__bound_call *call)
{
    ps__map_options options = {.convert = true, .dtype = call->args[1].as.dtype};
    const ps_tensor *into = call->call->outputs[0];
    if (into != NULL && into->dtype != (uint8_t)options.dtype)
        return ps__fail(PS_ERR_TYPE, "cast: to %s, but the output given has %s",
                        ps__dtypes[options.dtype].name, ps__dtypes[into->dtype].name);
    return ps__elementwise(call, &options);
}

ps_status ps__op_assign(const ps__bound_call *call)
{
    const ps_tensor *into = call->call->outputs[0];
    const ps_arg *x = &call->args[0];
    ps__element element;
    if (into == NULL)
        return ps__fail(PS_ERR_ARGUMENT, "assign: the output must be given");
    if (x->kind == PS_ARG_SCALAR && x->as.scalar.tag == PS_SCALAR_INT64 && into->dtype != PS_BOOL &&
        !ps__scalar_store(x->as.scalar, (ps_dtype)into->dtype, &element))
        return ps__scalar_refuse("assign", x->as.scalar, (ps_dtype)into->dtype);
    return ps__elementwise(call, &(ps__map_options){.convert = true, .fill = true});
}

ps_status ps__assign(const ps__bound_call *call, ps_tensor *to, const ps_arg *value)
{
    return ps__call("assign", call->call, value, 1, &to);
}

ps_status ps__contiguous(const ps__bound_call *call, ps_tensor *x, ps_tensor **result)
{
    if (x->contiguous) {
        *result = x;
        return ps_tensor_retain(x);
    }
    ps_arg arg = ps__arg_tensor(x);
    *result = NULL;
    return ps__call("copy", call->call, &arg, 1, result);
}

static ps_status clip(const ps__bound_call *call)
{
    ps_arg args[2] = {call->args[0]};
    bool low = call->args[1].kind != PS_ARG_NONE, high = call->args[2].kind != PS_ARG_NONE;
    if (!low && !high)
        return ps__call("copy", call->call, args, 1, &call->call->outputs[0]);
    args[1] = call->args[low ? 1 : 2];
    if (!low || !high)
        return ps__call(low ? "maximum" : "minimum", call->call, args, 2, &call->call->outputs[0]);
    ps_tensor *raised = NULL;
    ps_status status = ps__call("maximum", call->call, args, 2, &raised);
    if (status != PS_OK)
        return status;
    args[0] = ps__arg_tensor(raised);
    args[1] = call->args[2];
    status = ps__call("minimum", call->call, args, 2, &call->call->outputs[0]);
    ps_tensor_release(raised);
    return status;
}

/* What is wrong is found by the operations it is made of; the caller knows this one. */
ps_status ps__op_clip(const ps__bound_call *call)
{
    ps_status status = clip(call);
    bool refused = status == PS_ERR_ARGUMENT || status == PS_ERR_TYPE;
    return refused ? ps__fail(status, "clip: %s", ps_last_error()) : status;
}
