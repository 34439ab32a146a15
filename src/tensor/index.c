/* Basic indexing: positions, slices, new dimensions and the ellipsis as one view. */
#include "tensor/tensor.h"

#include "base/error.h"
#include "engine/origin.h"

#include <inttypes.h>

enum { INDICES_MOST = 2 * PS_DIMS_MAX + 1 }; /* each dimension, as many new ones, the ellipsis */

/* A slice's bounds as Python makes them: clipped, with defaults by the sign of the step. */
static int64_t clip(int64_t at, int64_t length, int64_t step)
{
    int64_t low = step > 0 ? 0 : -1, high = step > 0 ? length : length - 1;
    if (at < 0) {
        at += length;
        return at < 0 ? low : at;
    }
    return at > high ? high : at;
}

static ps_status add_range(ps__layout *to, const ps_index *index, int64_t length, int64_t stride)
{
    int64_t step = index->step == PS_INDEX_NONE ? 1 : index->step;
    if (step == 0)
        return ps__fail(PS_ERR_ARGUMENT, "ps_tensor_index: the step of a slice is 0");
    if (step < -INT64_MAX / 2)
        step = -INT64_MAX / 2;
    int64_t start = index->start == PS_INDEX_NONE ? (step > 0 ? 0 : length - 1)
                                                  : clip(index->start, length, step);
    int64_t stop =
        index->stop == PS_INDEX_NONE ? (step > 0 ? length : -1) : clip(index->stop, length, step);
    int64_t count = step > 0 ? (stop > start ? (stop - start - 1) / step + 1 : 0)
                             : (start > stop ? (start - stop - 1) / -step + 1 : 0);
    if (count > 0)
        to->offset += start * stride;
    ps__layout_add(to, count, count > 1 ? stride * step : stride);
    return PS_OK;
}

static ps_status add_position(ps__layout *to, const ps_index *index, int axis, int64_t length,
                              int64_t stride)
{
    int64_t at = index->start < 0 ? index->start + length : index->start;
    if (at < 0 || at >= length)
        return ps__fail(PS_ERR_INDEX,
                        "index %" PRId64 " is out of range for axis %" PRId64
                        " with length %" PRId64,
                        ps__stated(index->start), ps__stated(axis), length);
    to->offset += at * stride;
    return PS_OK;
}

/* How many dimensions the ellipsis, given or understood at the end, stands for. */
static ps_status count_rest(const ps_tensor *tensor, const ps_index *indices, size_t count,
                            int *rest)
{
    int64_t used = 0, made = 0, ellipses = 0;
    for (size_t i = 0; i < count; i++) {
        used += indices[i].kind == PS_INDEX_RANGE || indices[i].kind == PS_INDEX_AT;
        made += indices[i].kind == PS_INDEX_RANGE || indices[i].kind == PS_INDEX_NEW;
        ellipses += indices[i].kind == PS_INDEX_ELLIPSIS;
        if (indices[i].kind > PS_INDEX_ELLIPSIS)
            return ps__fail(PS_ERR_ARGUMENT, "ps_tensor_index: %" PRIu64 " is no kind of index",
                            indices[i].kind);
    }
    if (ellipses > 1)
        return ps__fail(PS_ERR_ARGUMENT, "ps_tensor_index: more than one ellipsis");
    if (used > tensor->ndim)
        return ps__fail(PS_ERR_INDEX, "%" PRId64 " indices for a tensor of %d dimensions", used,
                        tensor->ndim);
    *rest = tensor->ndim - (int)used;
    if (made + *rest > PS_DIMS_MAX)
        return ps__fail(PS_ERR_ARGUMENT, "the index makes %" PRId64 " dimensions, at most %d",
                        made + *rest, PS_DIMS_MAX);
    return PS_OK;
}

static void add_rest(ps__layout *to, const ps_tensor *tensor, int *axis, int rest)
{
    for (int i = 0; i < rest; i++, ++*axis)
        ps__layout_add(to, ps__shape(tensor)[*axis], ps__strides(tensor)[*axis]);
}

static ps_status add_index(ps__layout *to, const ps_tensor *tensor, const ps_index *index,
                           int *axis, int *rest)
{
    if (index->kind == PS_INDEX_ELLIPSIS) {
        add_rest(to, tensor, axis, *rest);
        *rest = 0;
        return PS_OK;
    }
    if (index->kind == PS_INDEX_NEW) {
        ps__layout_add(to, 1, 0);
        return PS_OK;
    }
    int64_t length = ps__shape(tensor)[*axis], stride = ps__strides(tensor)[*axis];
    int at = (*axis)++;
    return index->kind == PS_INDEX_RANGE ? add_range(to, index, length, stride)
                                         : add_position(to, index, at, length, stride);
}

ps_status ps_tensor_index(ps_tensor *tensor, const ps_index *indices, size_t count,
                          ps_tensor **view)
{
    if (tensor == NULL || view == NULL || (count != 0 && indices == NULL))
        return ps__fail(PS_ERR_ARGUMENT, "ps_tensor_index: %s is NULL",
                        tensor == NULL ? "tensor"
                        : view == NULL ? "view"
                                       : "indices");
    if (count > INDICES_MOST)
        return ps__fail(PS_ERR_ARGUMENT, "ps_tensor_index: %zu indices, at most %d", count,
                        INDICES_MOST);
    int rest = 0, axis = 0;
    ps_status status = count_rest(tensor, indices, count, &rest);
    if (status != PS_OK)
        return status;
    ps__layout to;
    to.ndim = 0;
    to.offset = tensor->offset;
    for (size_t i = 0; i < count && status == PS_OK; i++)
        status = add_index(&to, tensor, &indices[i], &axis, &rest);
    if (status != PS_OK)
        return status;
    add_rest(&to, tensor, &axis, rest);
    return ps__view(tensor, (ps_dtype)tensor->dtype, &to, view);
}
