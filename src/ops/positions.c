/* Positions and masks: see positions.h. */
#include "ops/positions.h"

#include "base/error.h"

ps_status ps__positions_of(const ps__bound_call *call, unsigned index, const ps_tensor *x,
                           ps_tensor **positions)
{
    const char *name = call->op->row.name;
    const ps_arg *arg = &call->args[index];
    if (arg->kind == PS_ARG_TENSOR) {
        ps_tensor *given = arg->as.tensor;
        if (!ps__dtype_is_integer((ps_dtype)given->dtype))
            return ps__fail(PS_ERR_TYPE, "%s: indices of %s, they must be integers", name,
                            ps__dtypes[given->dtype].name);
        return ps__contiguous(call, given, positions);
    }
    if (arg->as.scalar.tag != PS_SCALAR_INT64)
        return ps__fail(PS_ERR_TYPE, "%s: the index must be an integer", name);
    return ps_tensor_from_host(PS_INT64, 0, NULL, NULL, &arg->as.scalar.as.i, x->home->device,
                               positions);
}

ps_status ps__mask_of(const ps__bound_call *call, unsigned index, const ps_tensor *x,
                      ps_tensor **mask)
{
    const char *name = call->op->row.name;
    const ps_tensor *m = *mask = call->args[index].as.tensor;
    if (m->dtype != PS_BOOL)
        return ps__fail(PS_ERR_TYPE, "%s: a mask of %s, it must be bool", name,
                        ps__dtypes[m->dtype].name);
    if (m->ndim > x->ndim || !ps__shape_equal(m->ndim, ps__shape(m), m->ndim, ps__shape(x)))
        return ps__fail(PS_ERR_ARGUMENT, "%s: a mask of shape %s for a tensor of shape %s", name,
                        ps__shape_text(m->ndim, ps__shape(m)),
                        ps__shape_text(x->ndim, ps__shape(x)));
    return PS_OK;
}

ps_status ps__mask_spread(const ps_tensor *x, ps_tensor *mask, ps_tensor **spread)
{
    ps__layout to;
    ps__layout_of(mask, &to);
    while (to.ndim < x->ndim)
        ps__layout_add(&to, 1, 0);
    return ps__view(mask, PS_BOOL, &to, spread);
}
