/* Views: the same elements under another shape. None copies, but for a reshape that no strides can
 * express. */
#include "base/error.h"
#include "ops/calls.h"

#include <inttypes.h>

typedef struct layout {
    int ndim;
    int64_t offset, shape[PS_DIMS_MAX], strides[PS_DIMS_MAX];
} layout;

/* The operand of a call that makes a view. */
static ps_status begin(const ps__bound_call *call, ps_tensor **x)
{
    ps_status status = ps__output_none(call);
    return status == PS_OK ? ps__tensor_of(call, 0, x) : status;
}

static ps_status make(const ps__bound_call *call, ps_tensor *x, const layout *to)
{
    return ps__tensor_view(x, (ps_dtype)x->dtype, to->ndim, to->shape, to->strides, to->offset,
                           call->call->outputs);
}

static void add_dim(layout *to, int64_t length, int64_t stride)
{
    to->shape[to->ndim] = length;
    to->strides[to->ndim++] = stride;
}

ps_status ps__op_reshape(const ps__bound_call *call)
{
    ps_tensor *x, *copy = NULL;
    const ps_arg *shape = &call->args[1];
    ps_status status = begin(call, &x);
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

ps_status ps__op_permute(const ps__bound_call *call)
{
    ps_tensor *x;
    const ps_arg *arg = &call->args[1];
    int axes[PS_DIMS_MAX];
    ps_status status = begin(call, &x);
    if (status != PS_OK || arg->kind == PS_ARG_NONE)
        return status == PS_OK ? ps_tensor_permute(x, NULL, 0, call->call->outputs) : status;
    if (arg->count != x->ndim)
        return ps__fail(PS_ERR_ARGUMENT, "permute: axes %s for a tensor of %d dimensions",
                        ps__shape_text((int)arg->count, arg->as.ints), x->ndim);
    for (int i = 0; i < x->ndim && status == PS_OK; i++)
        status = ps__axis("permute", arg->as.ints[i], x->ndim, &axes[i]);
    return status == PS_OK ? ps_tensor_permute(x, axes, x->ndim, call->call->outputs) : status;
}

ps_status ps__op_broadcast_to(const ps__bound_call *call)
{
    ps_tensor *x;
    ps_status status = begin(call, &x);
    if (status != PS_OK)
        return status;
    return ps_tensor_broadcast(x, (int)call->args[1].count, call->args[1].as.ints,
                               call->call->outputs);
}

ps_status ps__op_expand_dims(const ps__bound_call *call)
{
    ps_tensor *x;
    int axis;
    ps_status status = begin(call, &x);
    if (status == PS_OK)
        status = ps__axis("expand_dims", call->args[1].as.integer, x->ndim + 1, &axis);
    if (status != PS_OK)
        return status;
    if (x->ndim == PS_DIMS_MAX)
        return ps__fail(PS_ERR_ARGUMENT, "expand_dims: %d dimensions, at most %d", x->ndim + 1,
                        PS_DIMS_MAX);
    layout to = {.offset = x->offset};
    for (int i = 0; i <= x->ndim; i++) {
        if (i == axis)
            add_dim(&to, 1, 0);
        if (i < x->ndim)
            add_dim(&to, ps__shape(x)[i], ps__strides(x)[i]);
    }
    return make(call, x, &to);
}

ps_status ps__op_squeeze(const ps__bound_call *call)
{
    ps_tensor *x;
    uint32_t axes;
    bool all = call->args[1].kind == PS_ARG_NONE;
    ps_status status = begin(call, &x);
    if (status == PS_OK)
        status = ps__axes(call, &call->args[1], x->ndim, &axes);
    if (status != PS_OK)
        return status;
    layout to = {.offset = x->offset};
    for (int i = 0; i < x->ndim; i++) {
        bool goes = axes >> i & 1;
        if (goes && !all && ps__shape(x)[i] != 1)
            return ps__fail(PS_ERR_ARGUMENT,
                            "squeeze: axis %d of shape %s has length %" PRId64 ", not 1", i,
                            ps__shape_text(x->ndim, ps__shape(x)), ps__shape(x)[i]);
        if (!goes || ps__shape(x)[i] != 1)
            add_dim(&to, ps__shape(x)[i], ps__strides(x)[i]);
    }
    return make(call, x, &to);
}

ps_status ps__op_flip(const ps__bound_call *call)
{
    ps_tensor *x;
    uint32_t axes;
    ps_status status = begin(call, &x);
    if (status == PS_OK)
        status = ps__axes(call, &call->args[1], x->ndim, &axes);
    if (status != PS_OK)
        return status;
    layout to = {.offset = x->offset};
    for (int i = 0; i < x->ndim; i++) {
        int64_t length = ps__shape(x)[i], stride = ps__strides(x)[i];
        bool turns = (axes >> i & 1) && length > 1;
        if (turns && x->count != 0)
            to.offset += (length - 1) * stride;
        add_dim(&to, length, turns ? -stride : stride);
    }
    return make(call, x, &to);
}
