/* Layouts: which elements of a tensor's storage its views have, and in what order. These compute and
 * check; view.c makes the views. Each kind of view that has a row in the table of operations and a
 * call of its own has its layout from one function here. */
#include "tensor/tensor.h"

#include "base/error.h"
#include "engine/origin.h"

#include <inttypes.h>
#include <string.h>

void ps__layout_of(const ps_tensor *tensor, ps__layout *to)
{
    size_t bytes = (size_t)tensor->ndim * sizeof to->shape[0];
    to->ndim = tensor->ndim;
    to->offset = tensor->offset;
    memcpy(to->shape, ps__shape(tensor), bytes);
    memcpy(to->strides, ps__strides(tensor), bytes);
}

void ps__layout_narrow(const ps_tensor *tensor, int axis, int64_t first, int64_t length,
                       ps__layout *to)
{
    ps__layout_of(tensor, to);
    to->offset += first * to->strides[axis];
    to->shape[axis] = length;
}

/* ---- the order of dimensions, and their direction --------------------------------------- */

ps_status ps__layout_permute(const ps_tensor *tensor, const int *axes, ps__layout *to)
{
    int ndim = tensor->ndim;
    uint64_t seen = 0;
    to->ndim = 0;
    to->offset = tensor->offset;
    for (int i = 0; i < ndim; i++) {
        int axis = ndim - 1 - i;
        ps_status status = axes != NULL ? ps__axis("permute", axes[i], ndim, &axis) : PS_OK;
        if (status != PS_OK)
            return status;
        if (seen >> axis & 1)
            return ps__fail(PS_ERR_ARGUMENT, "permute: axis %" PRId64 " is named twice",
                            ps__stated(axis));
        seen |= (uint64_t)1 << axis;
        ps__layout_add(to, ps__shape(tensor)[axis], ps__strides(tensor)[axis]);
    }
    return PS_OK;
}

void ps__layout_flip(const ps_tensor *tensor, uint32_t axes, ps__layout *to)
{
    to->ndim = 0;
    to->offset = tensor->offset;
    for (int i = 0; i < tensor->ndim; i++) {
        int64_t length = ps__shape(tensor)[i], stride = ps__strides(tensor)[i];
        bool turns = (axes >> i & 1) && length > 1;
        if (turns && tensor->count != 0)
            to->offset += (length - 1) * stride;
        ps__layout_add(to, length, turns ? -stride : stride);
    }
}

void ps__layout_diagonal(const ps_tensor *tensor, int axis1, int axis2, int64_t offset,
                         ps__layout *to)
{
    const int64_t *shape = ps__shape(tensor), *strides = ps__strides(tensor);
    int64_t down = offset < 0 ? -offset : 0, right = offset > 0 ? offset : 0;
    int64_t rows = down < shape[axis1] ? shape[axis1] - down : 0;
    int64_t columns = right < shape[axis2] ? shape[axis2] - right : 0;
    int64_t length = rows < columns ? rows : columns;
    to->ndim = 0;
    to->offset = tensor->offset;
    if (length > 0)
        to->offset += down * strides[axis1] + right * strides[axis2];
    for (int i = 0; i < tensor->ndim; i++)
        if (i != axis1 && i != axis2)
            ps__layout_add(to, shape[i], strides[i]);
    ps__layout_add(to, length, strides[axis1] + strides[axis2]);
}

/* ---- dimensions of length 1, and repeated ones ------------------------------------------- */

ps_status ps__layout_expand(const ps_tensor *tensor, int64_t axis, ps__layout *to)
{
    int at;
    ps_status status = ps__axis("expand_dims", axis, tensor->ndim + 1, &at);
    if (status != PS_OK)
        return status;
    if (tensor->ndim == PS_DIMS_MAX)
        return ps__fail(PS_ERR_ARGUMENT, "expand_dims: %d dimensions, at most %d", tensor->ndim + 1,
                        PS_DIMS_MAX);
    to->ndim = 0;
    to->offset = tensor->offset;
    for (int i = 0; i <= tensor->ndim; i++) {
        if (i == at)
            ps__layout_add(to, 1, 0);
        if (i < tensor->ndim)
            ps__layout_add(to, ps__shape(tensor)[i], ps__strides(tensor)[i]);
    }
    return PS_OK;
}

ps_status ps__layout_squeeze(const ps_tensor *tensor, uint32_t axes, ps__layout *to)
{
    to->ndim = 0;
    to->offset = tensor->offset;
    for (int i = 0; i < tensor->ndim; i++) {
        bool goes = axes >> i & 1;
        if (goes && ps__shape(tensor)[i] != 1)
            return ps__fail(PS_ERR_ARGUMENT,
                            "squeeze: axis %" PRId64 " of shape %s has length %" PRId64 ", not 1",
                            ps__stated(i), ps__shape_text(tensor->ndim, ps__shape(tensor)),
                            ps__shape(tensor)[i]);
        if (!goes)
            ps__layout_add(to, ps__shape(tensor)[i], ps__strides(tensor)[i]);
    }
    return PS_OK;
}

ps_status ps__layout_broadcast(const ps_tensor *tensor, int ndim, const int64_t *shape,
                               ps__layout *to)
{
    int64_t count;
    ps_status status = ps__shape_check("broadcast", (ps_dtype)tensor->dtype, ndim, shape, &count);
    if (status != PS_OK)
        return status;
    int lead = ndim - tensor->ndim;
    bool fits = lead >= 0;
    to->ndim = 0;
    to->offset = tensor->offset;
    for (int i = 0; fits && i < ndim; i++) {
        int64_t length = i < lead ? 1 : ps__shape(tensor)[i - lead];
        fits = length == 1 || length == shape[i];
        ps__layout_add(to, shape[i],
                       length == shape[i] && i >= lead ? ps__strides(tensor)[i - lead] : 0);
    }
    if (!fits)
        return ps__fail(PS_ERR_ARGUMENT, "shape %s cannot be broadcast to %s",
                        ps__shape_text(tensor->ndim, ps__shape(tensor)),
                        ps__shape_text(ndim, shape));
    return PS_OK;
}

/* ---- other shapes ------------------------------------------------------------------------ */

/* Replaces one -1 by what is left; checks that the number of elements stays. */
static ps_status complete_shape(const ps_tensor *tensor, int ndim, const int64_t *shape,
                                ps__layout *to)
{
    int64_t known = 1, missing = -1;
    for (int i = 0; i < ndim; i++) {
        to->shape[i] = shape[i];
        if (shape[i] == -1 && missing < 0)
            missing = i;
        else if (shape[i] < 0 || __builtin_mul_overflow(known, shape[i], &known))
            return ps__fail(PS_ERR_ARGUMENT, "reshape: %s is no shape",
                            ps__shape_text(ndim, shape));
    }
    if (missing >= 0 && known != 0 && tensor->count % known == 0) {
        to->shape[missing] = tensor->count / known;
        known = tensor->count;
    }
    to->ndim = ndim;
    if (known == tensor->count && (missing < 0 || to->shape[missing] >= 0))
        return PS_OK;
    return ps__fail(PS_ERR_ARGUMENT, "cannot reshape %" PRId64 " elements of shape %s into %s",
                    tensor->count, ps__shape_text(tensor->ndim, ps__shape(tensor)),
                    ps__shape_text(ndim, shape));
}

/* Old dimensions [first, end) lie one inside the other as if they were one. */
static bool is_run(const ps__layout *old, int first, int end)
{
    for (int i = first; i + 1 < end; i++)
        if (old->strides[i] != old->strides[i + 1] * old->shape[i + 1])
            return false;
    return true;
}

/* Strides for the new shape on the old layout: the shortest runs of old and new dimensions with
 * equal numbers of elements stand for each other. False if such a run of old ones is not one piece.
 * Both have elements, and equally many. */
static bool divide(const ps_tensor *tensor, ps__layout *to)
{
    ps__layout old;
    old.ndim = 0;
    for (int i = 0; i < tensor->ndim; i++)
        if (ps__shape(tensor)[i] != 1)
            ps__layout_add(&old, ps__shape(tensor)[i], ps__strides(tensor)[i]);
    int from = 0, at = 0;
    while (from < old.ndim) {
        int from_end = from + 1, at_end = at + 1;
        int64_t have = old.shape[from], want = to->shape[at];
        while (have != want) {
            if (have < want)
                have *= old.shape[from_end++];
            else
                want *= to->shape[at_end++];
        }
        if (!is_run(&old, from, from_end))
            return false;
        int64_t step = old.strides[from_end - 1];
        for (int i = at_end - 1; i >= at; i--) {
            to->strides[i] = step;
            step *= to->shape[i];
        }
        from = from_end;
        at = at_end;
    }
    for (; at < to->ndim; at++) /* what is left has length 1 */
        to->strides[at] = 1;
    return true;
}

ps_status ps__layout_reshape(const ps_tensor *tensor, int ndim, const int64_t *shape,
                             ps__layout *to)
{
    if (ndim < 0 || ndim > PS_DIMS_MAX || (ndim != 0 && shape == NULL))
        return ps__fail(PS_ERR_ARGUMENT, "reshape: %d dimensions, at most %d, or shape is NULL",
                        ndim, PS_DIMS_MAX);
    ps_status status = complete_shape(tensor, ndim, shape, to);
    if (status != PS_OK)
        return status;
    to->offset = tensor->offset;
    if (tensor->contiguous)
        ps__shape_strides(ndim, to->shape, to->strides);
    else if (!divide(tensor, to))
        return ps__fail(PS_ERR_STATE, "no view of shape %s on a tensor of shape %s and strides %s",
                        ps__shape_text(ndim, to->shape),
                        ps__shape_text(tensor->ndim, ps__shape(tensor)),
                        ps__shape_text(tensor->ndim, ps__strides(tensor)));
    return PS_OK;
}
