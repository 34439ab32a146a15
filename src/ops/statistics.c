/* Reductions that are made of others: average, count_nonzero, ptp. */
#include "base/error.h"
#include "ops/compose.h"

/* ---- average ----------------------------------------------------------------------------- */

/* Whether there is a weight for each element of x, *axis being -1, or for each place along *axis.
 * Not in line, as the next one: texts and shapes take stack that what follows needs. */
static __attribute__((noinline)) bool weights_fit(ps__compose *c, const ps_tensor *x,
                                                  const ps_tensor *weights, int *axis)
{
    const ps_arg *axes = &c->call->args[1];
    *axis = -1;
    if (c->status != PS_OK ||
        ps__shape_equal(x->ndim, ps__shape(x), weights->ndim, ps__shape(weights)))
        return c->status == PS_OK;
    if (axes->kind != PS_ARG_NONE && axes->count == 1 && weights->ndim == 1)
        c->status = ps__axis("average", axes->as.ints[0], x->ndim, axis);
    if (c->status == PS_OK && (*axis < 0 || ps__shape(x)[*axis] != weights->count))
        c->status =
            ps__fail(PS_ERR_ARGUMENT, "average: weights of shape %s do not fit shape %s, %u axes",
                     ps__shape_text(weights->ndim, ps__shape(weights)),
                     ps__shape_text(x->ndim, ps__shape(x)),
                     axes->kind != PS_ARG_NONE ? axes->count : (unsigned)x->ndim);
    return c->status == PS_OK;
}

/* Weights along an axis of as many dimensions as x has. */
static __attribute__((noinline)) ps_arg along(ps__compose *c, const ps_tensor *x,
                                              ps_tensor *weights, int axis)
{
    int64_t shape[PS_DIMS_MAX];
    if (axis < 0)
        return ps__arg_tensor(weights);
    for (int i = 0; i < x->ndim; i++)
        shape[i] = i == axis ? weights->count : 1;
    return PS__MADE(c, "reshape", ps__arg_tensor(weights), ps__arg_ints(x->ndim, shape));
}

/* A sum over the axes of the call: of integers as int64. */
static __attribute__((noinline)) ps_arg summed(ps__compose *c, ps_arg x, ps_dtype dtype)
{
    ps_arg type = ps__dtype_is_inexact(dtype) ? ps__arg_none() : ps__arg_dtype(PS_INT64);
    return PS__MADE(c, "sum", x, c->call->args[1], c->call->args[3], type);
}

static __attribute__((noinline)) void give_weighted(ps__compose *c, ps_tensor *x,
                                                    ps_tensor *weights)
{
    int axis;
    ps_dtype dtype = ps__promote((ps_dtype)x->dtype, (ps_dtype)weights->dtype);
    if (!weights_fit(c, x, weights, &axis) ||
        !ps__compose_reduced(c, x, &c->call->args[1], c->call->args[3].as.boolean, false,
                             ps__float_of(dtype)))
        return;
    ps_arg each = along(c, x, weights, axis);
    ps_arg total = summed(c, PS__MADE(c, "multiply", ps__arg_tensor(x), each), dtype);
    PS__GIVE(c, "divide", total, summed(c, each, dtype));
}

ps_status ps__op_average(const ps__bound_call *call)
{
    ps__compose c;
    ps__compose_begin(&c, call);
    ps_tensor *x = ps__compose_tensor(&c, 0);
    if (x != NULL && call->args[2].kind == PS_ARG_NONE)
        PS__GIVE(&c, "mean", call->args[0], call->args[1], call->args[3]);
    else if (x != NULL)
        give_weighted(&c, x, call->args[2].as.tensor);
    return ps__compose_end(&c);
}

/* ---- counts and ranges ------------------------------------------------------------------- */

ps_status ps__op_count_nonzero(const ps__bound_call *call)
{
    ps__compose c;
    const ps_arg *axis = &call->args[1], *keepdims = &call->args[2];
    ps__compose_begin(&c, call);
    ps_tensor *x = ps__compose_tensor(&c, 0);
    if (x != NULL && ps__compose_reduced(&c, x, axis, keepdims->as.boolean, false, PS_INT64)) {
        ps_arg some = PS__MADE(&c, "not_equal", ps__arg_tensor(x), ps__arg_bool(false));
        PS__GIVE(&c, "sum", some, *axis, *keepdims, ps__arg_dtype(PS_INT64));
    }
    return ps__compose_end(&c);
}

ps_status ps__op_ptp(const ps__bound_call *call)
{
    ps__compose c;
    const ps_arg *axis = &call->args[1], *keepdims = &call->args[2];
    ps__compose_begin(&c, call);
    ps_tensor *x = ps__compose_tensor(&c, 0);
    if (x != NULL && !(PS__SET_REAL >> x->dtype & 1))
        c.status = ps__fail(PS_ERR_TYPE, "ptp: no rule for %s", ps__dtypes[x->dtype].name);
    if (x != NULL && ps__compose_fine(&c) &&
        ps__compose_reduced(&c, x, axis, keepdims->as.boolean, true, (ps_dtype)x->dtype)) {
        ps_arg most = PS__MADE(&c, "max", ps__arg_tensor(x), *axis, *keepdims);
        PS__GIVE(&c, "subtract", most, PS__MADE(&c, "min", ps__arg_tensor(x), *axis, *keepdims));
    }
    return ps__compose_end(&c);
}
