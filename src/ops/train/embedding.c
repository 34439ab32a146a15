/* embedding and pick: rows of a table, and one element of each line, at integer positions. */
#include "base/error.h"
#include "engine/origin.h"
#include "ops/along.h"

#include <inttypes.h>
#include <string.h>

/* take along the first axis, under the name of this row. */
ps_status ps__op_embedding(const ps__bound_call *call)
{
    const ps_tensor *weight = call->args[1].as.tensor;
    ps__bound_call take;
    if (weight->ndim == 0)
        return ps__fail(PS_ERR_ARGUMENT, "embedding: a weight of shape %s has no rows",
                        ps__shape_text(0, ps__shape(weight)));
    take.op = call->op;
    take.call = call->call;
    take.args[0] = call->args[1];
    take.args[1] = call->args[0];
    take.args[2] = ps__arg_int(0);
    return ps__op_take(&take);
}

/* ---- pick -------------------------------------------------------------------------------- */

/* Whether the positions have the shape of x without the axis, or with length 1 there. */
static bool fits_lines(const ps_tensor *x, const ps_tensor *index, int axis)
{
    bool kept = index->ndim == x->ndim;
    if (!kept && index->ndim != x->ndim - 1)
        return false;
    for (int i = 0; i < x->ndim; i++) {
        int64_t length = i == axis ? 1 : ps__shape(x)[i];
        if ((kept || i != axis) && ps__shape(index)[i - (!kept && i > axis)] != length)
            return false;
    }
    return true;
}

static ps_status check_pick(const ps__bound_call *call, const ps_tensor *x, const ps_tensor *index,
                            int *axis)
{
    ps_status status = ps__axis("pick", call->args[2].as.integer, x->ndim, axis);
    if (status != PS_OK)
        return status;
    if (!fits_lines(x, index, *axis))
        return ps__fail(PS_ERR_ARGUMENT,
                        "pick: index of shape %s does not fit x of shape %s without axis %" PRId64,
                        ps__shape_text(index->ndim, ps__shape(index)),
                        ps__shape_text(x->ndim, ps__shape(x)), ps__stated(*axis));
    if (!ps__dtype_is_integer((ps_dtype)index->dtype))
        return ps__fail(PS_ERR_TYPE, "pick: indices of %s, they must be integers",
                        ps__dtypes[index->dtype].name);
    if (ps__shape(x)[*axis] == 0 && index->count > 0)
        return ps__fail(PS_ERR_ARGUMENT,
                        "pick: there is nothing along axis %" PRId64 " of shape %s",
                        ps__stated(*axis), ps__shape_text(x->ndim, ps__shape(x)));
    return PS_OK;
}

/* The shape of the result fits a given output. Not in line: it takes stack that what follows needs. */
static __attribute__((noinline)) bool pick_begin(ps__compose *c, int *axis)
{
    const ps_tensor *x = ps__compose_tensor(c, 0), *index = ps__compose_tensor(c, 1);
    int64_t shape[PS_DIMS_MAX];
    int ndim = 0;
    if (c->status == PS_OK)
        c->status = check_pick(c->call, x, index, axis);
    if (c->status != PS_OK)
        return false;
    for (int i = 0; i < x->ndim; i++)
        if (i != *axis || c->call->args[3].as.boolean)
            shape[ndim++] = i == *axis ? 1 : ps__shape(x)[i];
    return ps__compose_result(c, (ps_dtype)x->dtype, ndim, shape);
}

/* Positions that are in range, as the mode says. */
static ps_arg within(ps__compose *c, const ps__bound_call *call, int64_t length)
{
    const ps_arg *mode = &call->args[4];
    ps_arg index = call->args[1];
    if (mode->kind != PS_ARG_TEXT || length == 0)
        return index;
    index = ps__arg_tensor(ps__compose_cast(c, index.as.tensor, PS_INT64));
    if (strcmp(mode->as.text, "wrap") == 0)
        return PS__MADE(c, "remainder", index, ps__arg_int(length));
    return PS__MADE(c, "clip", index, ps__arg_int(0), ps__arg_int(length - 1));
}

ps_tensor *ps__pick_positions(ps__compose *c, const ps__bound_call *call, int ndim, int64_t length,
                              int axis)
{
    ps_arg places = within(c, call, length);
    if (c->status == PS_OK && places.as.tensor->ndim < ndim)
        places = PS__MADE(c, "expand_dims", places, ps__arg_int(axis));
    return places.as.tensor;
}

ps_status ps__op_pick(const ps__bound_call *call)
{
    ps__compose c;
    int axis;
    ps__compose_begin(&c, call);
    if (pick_begin(&c, &axis)) {
        ps_tensor *x = call->args[0].as.tensor;
        ps_tensor *places = ps__pick_positions(&c, call, x->ndim, ps__shape(x)[axis], axis);
        ps_tensor *taken = ps__along_take(&c, x, places, axis);
        if (!call->args[3].as.boolean)
            taken = PS__MAKE(&c, "squeeze", ps__arg_tensor(taken), ps__arg_int(axis));
        ps__compose_hand(&c, taken);
    }
    return ps__compose_end(&c);
}
