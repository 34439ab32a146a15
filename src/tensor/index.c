/* Basic indexing: positions, slices, new dimensions and the ellipsis as one view; and what the
 * items of any index take of a tensor's dimensions. ops/index_pick.c has those with arrays and
 * masks. */
#include "tensor/tensor.h"

#include "base/error.h"
#include "engine/origin.h"

#include <inttypes.h>

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
        return ps__fail(PS_ERR_ARGUMENT, "the step of a slice is 0");
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
                        "index %" PRId64 " is out of bounds for axis %" PRId64
                        " with size %" PRId64,
                        ps__stated(index->start), ps__stated(axis), length);
    to->offset += at * stride;
    return PS_OK;
}

ps_status ps__index_add(ps__layout *to, const ps_tensor *tensor, const ps_index *index, int axis)
{
    int64_t length = ps__shape(tensor)[axis], stride = ps__strides(tensor)[axis];
    return index->kind == PS_INDEX_RANGE ? add_range(to, index, length, stride)
                                         : add_position(to, index, axis, length, stride);
}

/* ---- counting ------------------------------------------------------------------------------ */

/* What the items take, make and are. */
typedef struct counts {
    int64_t used, made, ellipses;
} counts;

static ps_status refuse_kind(const ps_index *item)
{
    if (item->kind == PS_INDEX_ARRAY || item->kind == PS_INDEX_MASK)
        return ps__fail(PS_ERR_ARGUMENT, "ps_tensor_index: an array or a mask selects no view; "
                                         "ps_tensor_get reads with them");
    return ps__fail(PS_ERR_ARGUMENT, "%" PRIu64 " is no kind of index", item->kind);
}

/* An array or a mask, of the right type. */
static ps_status count_tensor(const ps_index *item, size_t at, counts *c, ps__index_use *use)
{
    const ps_tensor *tensor = ps__index_tensor(item);
    if (item->kind > PS_INDEX_MASK)
        return refuse_kind(item);
    if (tensor == NULL)
        return ps__fail(PS_ERR_ARGUMENT, "item %zu of an index: its tensor is NULL", at);
    bool mask = item->kind == PS_INDEX_MASK;
    ps_dtype dtype = (ps_dtype)tensor->dtype;
    if (mask && dtype != PS_BOOL)
        return ps__fail(PS_ERR_INDEX, "item %zu of an index: a mask must be of bool, not %s", at,
                        ps__dtypes[dtype].name);
    if (!mask && !ps__dtype_is_integer(dtype))
        return ps__fail(
            PS_ERR_INDEX,
            "item %zu of an index: arrays used as indices must be of integer or boolean "
            "type, not %s%s",
            at, ps__dtypes[dtype].name, dtype == PS_BOOL ? " as positions" : "");
    c->used += mask ? tensor->ndim : 1;
    use->points += mask && tensor->ndim == 0;
    use->arrays++;
    return PS_OK;
}

static ps_status check_counts(const ps_tensor *tensor, const counts *c, ps__index_use *use)
{
    if (c->ellipses > 1)
        return ps__fail(PS_ERR_INDEX, "an index can only have a single ellipsis ('...'), not %d",
                        (int)c->ellipses);
    if (c->used > tensor->ndim)
        return ps__fail(PS_ERR_INDEX,
                        "too many indices for array: array is %d-dimensional, but %" PRId64
                        " were indexed",
                        tensor->ndim, c->used);
    use->rest = tensor->ndim - (int)c->used;
    if (c->made + use->rest > PS_DIMS_MAX)
        return ps__fail(PS_ERR_INDEX, "the index makes %" PRId64 " dimensions, at most %d",
                        c->made + use->rest, PS_DIMS_MAX);
    return PS_OK;
}

ps_status ps__index_count(const ps_tensor *tensor, const ps_index *items, size_t count, bool arrays,
                          ps__index_use *use)
{
    counts c = {0};
    *use = (ps__index_use){0};
    if (count > PS__INDEX_ITEMS)
        return ps__fail(PS_ERR_INDEX, "%zu indices, at most %d", count, PS__INDEX_ITEMS);
    for (size_t i = 0; i < count; i++) {
        c.used += items[i].kind == PS_INDEX_RANGE || items[i].kind == PS_INDEX_AT;
        c.made += items[i].kind == PS_INDEX_RANGE || items[i].kind == PS_INDEX_NEW;
        c.ellipses += items[i].kind == PS_INDEX_ELLIPSIS;
        if (PS_LIKELY(items[i].kind <= PS_INDEX_ELLIPSIS))
            continue;
        ps_status status = arrays ? count_tensor(&items[i], i, &c, use) : refuse_kind(&items[i]);
        if (status != PS_OK)
            return status;
    }
    return check_counts(tensor, &c, use);
}

/* ---- views --------------------------------------------------------------------------------- */

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
    return ps__index_add(to, tensor, index, (*axis)++);
}

ps_status ps__index_view(ps_tensor *tensor, const ps_index *items, size_t count, int rest,
                         ps_tensor **view)
{
    ps__layout to;
    ps_status status = PS_OK;
    int axis = 0;
    to.ndim = 0;
    to.offset = tensor->offset;
    for (size_t i = 0; i < count && status == PS_OK; i++)
        status = add_index(&to, tensor, &items[i], &axis, &rest);
    if (status != PS_OK)
        return status;
    add_rest(&to, tensor, &axis, rest);
    return ps__view(tensor, (ps_dtype)tensor->dtype, &to, view);
}

ps_status ps_tensor_index(ps_tensor *tensor, const ps_index *indices, size_t count,
                          ps_tensor **view)
{
    ps__index_use use;
    if (tensor == NULL || view == NULL || (count != 0 && indices == NULL))
        return ps__fail(PS_ERR_ARGUMENT, "ps_tensor_index: %s is NULL",
                        tensor == NULL ? "tensor"
                        : view == NULL ? "view"
                                       : "indices");
    ps_status status = ps__index_count(tensor, indices, count, false, &use);
    return status == PS_OK ? ps__index_view(tensor, indices, count, use.rest, view) : status;
}
