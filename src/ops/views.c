/* Views: the same elements under another shape. None copies, but for a reshape that no strides can
 * express. */
#include "base/error.h"
#include "engine/origin.h"
#include "ops/calls.h"

/* The operand of a call that makes a view. */
static ps_status view_begin(const ps__bound_call *call, ps_tensor **x)
{
    *x = call->args[0].as.tensor;
    return ps__output_none(call);
}

static ps_status make_view(const ps__bound_call *call, ps_tensor *x, const ps__layout *to)
{
    return ps__view(x, (ps_dtype)x->dtype, to, call->call->outputs);
}

ps_status ps__op_reshape(const ps__bound_call *call)
{
    ps_tensor *x, *copy = NULL;
    const ps_arg *shape = &call->args[1];
    ps_status status = view_begin(call, &x);
    if (status == PS_OK)
        status = ps_tensor_view_as(x, (int)shape->count, shape->as.ints, call->call->outputs);
    if (status != PS_ERR_STATE) /* that one says: the shape fits, but not on these strides */
        return status;
    status = ps__contiguous(call, x, &copy);
    if (status != PS_OK)
        return status;
    status = ps_tensor_view_as(copy, (int)shape->count, shape->as.ints, call->call->outputs);
    ps_tensor_release(copy);
    return status;
}

/* "(0, 2)", as the caller counts. */
static const char *write_axes(char *text, const ps_arg *axes)
{
    int64_t stated[PS__SHAPE_ROOM / 3]; /* a text has no room for more */
    unsigned most = sizeof stated / sizeof stated[0];
    unsigned count = axes->count < most ? axes->count : most;
    for (unsigned i = 0; i < count; i++)
        stated[i] = ps__stated(axes->as.ints[i]);
    return ps__shape_write(text, (int)count, stated);
}

ps_status ps__op_permute(const ps__bound_call *call)
{
    ps_tensor *x;
    const ps_arg *arg = &call->args[1];
    int axes[PS_DIMS_MAX];
    ps_status status = view_begin(call, &x);
    if (status != PS_OK || arg->kind == PS_ARG_NONE)
        return status == PS_OK ? ps_tensor_permute(x, NULL, 0, call->call->outputs) : status;
    if (arg->count != x->ndim)
        return ps__fail(PS_ERR_ARGUMENT, "permute: axes %s for a tensor of %d dimensions",
                        write_axes((char[PS__SHAPE_ROOM]){0}, arg), x->ndim);
    for (int i = 0; i < x->ndim && status == PS_OK; i++)
        status = ps__axis("permute", arg->as.ints[i], x->ndim, &axes[i]);
    return status == PS_OK ? ps_tensor_permute(x, axes, x->ndim, call->call->outputs) : status;
}

ps_status ps__op_broadcast_to(const ps__bound_call *call)
{
    ps_tensor *x;
    ps_status status = view_begin(call, &x);
    if (status != PS_OK)
        return status;
    return ps_tensor_broadcast(x, (int)call->args[1].count, call->args[1].as.ints,
                               call->call->outputs);
}

ps_status ps__op_expand_dims(const ps__bound_call *call)
{
    ps_tensor *x;
    ps__layout to;
    ps_status status = view_begin(call, &x);
    if (status == PS_OK)
        status = ps__layout_expand(x, call->args[1].as.integer, &to);
    return status == PS_OK ? make_view(call, x, &to) : status;
}

ps_status ps__op_squeeze(const ps__bound_call *call)
{
    ps_tensor *x;
    ps__layout to;
    uint32_t axes;
    ps_status status = view_begin(call, &x);
    if (status == PS_OK)
        status = ps__axes(call, &call->args[1], x->ndim, &axes);
    if (status != PS_OK)
        return status;
    bool all = call->args[1].kind == PS_ARG_NONE; /* those that can go */
    for (int i = 0; all && i < x->ndim; i++)
        if (ps__shape(x)[i] != 1)
            axes &= ~((uint32_t)1 << i);
    status = ps__layout_squeeze(x, axes, &to);
    return status == PS_OK ? make_view(call, x, &to) : status;
}

ps_status ps__op_flip(const ps__bound_call *call)
{
    ps_tensor *x;
    ps__layout to;
    uint32_t axes;
    ps_status status = view_begin(call, &x);
    if (status == PS_OK)
        status = ps__axes(call, &call->args[1], x->ndim, &axes);
    if (status != PS_OK)
        return status;
    ps__layout_flip(x, axes, &to);
    return make_view(call, x, &to);
}

/* ---- axes by name ------------------------------------------------------------------------ */

static ps_status read_axes(const ps__bound_call *call, unsigned index, int ndim, int *axes)
{
    const ps_arg *arg = &call->args[index];
    uint32_t seen;
    ps_status status = ps__axes(call, arg, ndim, &seen);
    for (unsigned i = 0; i < arg->count && status == PS_OK; i++)
        status = ps__axis(call->op->row.name, arg->as.ints[i], ndim, &axes[i]);
    return status;
}

/* The order in which axes source[i] stand at destination[i], and the others as they were. */
static void move_axes(int ndim, unsigned count, const int *source, const int *destination,
                      int *order)
{
    uint32_t moved = 0;
    for (int i = 0; i < ndim; i++)
        order[i] = -1;
    for (unsigned i = 0; i < count; i++) {
        order[destination[i]] = source[i];
        moved |= 1u << source[i];
    }
    for (int i = 0, next = 0; i < ndim; i++) {
        if (order[i] >= 0)
            continue;
        while (moved >> next & 1)
            next++;
        order[i] = next++;
    }
}

ps_status ps__op_moveaxis(const ps__bound_call *call)
{
    ps_tensor *x;
    int source[PS_DIMS_MAX], destination[PS_DIMS_MAX], order[PS_DIMS_MAX];
    unsigned count = call->args[1].count;
    ps_status status = view_begin(call, &x);
    if (status == PS_OK)
        status = read_axes(call, 1, x->ndim, source);
    if (status == PS_OK)
        status = read_axes(call, 2, x->ndim, destination);
    if (status == PS_OK && count != call->args[2].count)
        status = ps__fail(PS_ERR_ARGUMENT, "moveaxis: %u axes cannot go to %u places", count,
                          (unsigned)call->args[2].count);
    if (status != PS_OK)
        return status;
    move_axes(x->ndim, count, source, destination, order);
    return ps_tensor_permute(x, order, x->ndim, call->call->outputs);
}

/* Two axes in arguments `index` and the next. */
static ps_status read_pair(const ps__bound_call *call, unsigned index, int ndim, int axes[2])
{
    ps_status status = PS_OK;
    for (unsigned i = 0; i < 2 && status == PS_OK; i++)
        status = ps__axis(call->op->row.name, call->args[index + i].as.integer, ndim, &axes[i]);
    return status;
}

ps_status ps__op_swapaxes(const ps__bound_call *call)
{
    ps_tensor *x;
    int axes[2], order[PS_DIMS_MAX];
    ps_status status = view_begin(call, &x);
    if (status == PS_OK)
        status = read_pair(call, 1, x->ndim, axes);
    if (status != PS_OK)
        return status;
    for (int i = 0; i < x->ndim; i++)
        order[i] = i == axes[0] ? axes[1] : i == axes[1] ? axes[0] : i;
    return ps_tensor_permute(x, order, x->ndim, call->call->outputs);
}

ps_status ps__op_diagonal(const ps__bound_call *call)
{
    ps_tensor *x;
    ps__layout to;
    int axes[2] = {0, 1};
    int64_t offset = call->args[1].as.integer;
    ps_status status = view_begin(call, &x);
    if (status == PS_OK && x->ndim < 2)
        status = ps__fail(PS_ERR_ARGUMENT, "diagonal: two dimensions or more are needed, not %d",
                          x->ndim);
    if (status == PS_OK)
        status = read_pair(call, 2, x->ndim, axes);
    if (status == PS_OK && axes[0] == axes[1])
        status = ps__fail(PS_ERR_ARGUMENT, "diagonal: axis %d is given twice", axes[0]);
    if (status != PS_OK)
        return status;
    /* Beyond every axis there is nothing, however far. */
    ps__layout_diagonal(x, axes[0], axes[1], offset == INT64_MIN ? offset + 1 : offset, &to);
    return make_view(call, x, &to);
}
