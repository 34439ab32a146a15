/* Views: other shapes and strides on the same storage. */
#include "tensor/tensor.h"

#include "base/error.h"

#include <inttypes.h>
#include <string.h>

enum {
    INDICES_MOST = 2 * PS_DIMS_MAX + 1, /* each dimension, as many new ones, the ellipsis */
    PARTS_MOST = 1 << 20                /* a count beyond it was never set */
};

typedef struct layout {
    int ndim;
    int64_t offset;
    int64_t shape[PS_DIMS_MAX], strides[PS_DIMS_MAX];
} layout;

static ps_status make(ps_tensor *base, const layout *to, ps_tensor **view)
{
    return ps__tensor_view(base, (ps_dtype)base->dtype, to->ndim, to->shape, to->strides,
                           to->offset, view);
}

static ps_status check(const char *what, const void *tensor, const void *view)
{
    return tensor != NULL && view != NULL
               ? PS_OK
               : ps__fail(PS_ERR_ARGUMENT, "%s: %s is NULL", what, tensor ? "view" : "tensor");
}

/* ---- basic indexing -------------------------------------------------------------------- */

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

static ps_status add_range(layout *to, const ps_index *index, int64_t length, int64_t stride)
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
    to->shape[to->ndim] = count;
    to->strides[to->ndim++] = count > 1 ? stride * step : stride;
    return PS_OK;
}

static ps_status add_position(layout *to, const ps_index *index, int axis, int64_t length,
                              int64_t stride)
{
    int64_t at = index->start < 0 ? index->start + length : index->start;
    if (at < 0 || at >= length)
        return ps__fail(PS_ERR_INDEX,
                        "index %" PRId64 " is out of range for axis %d with length %" PRId64,
                        index->start, axis, length);
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

static void add_rest(layout *to, const ps_tensor *tensor, int *axis, int rest)
{
    for (int i = 0; i < rest; i++, ++*axis) {
        to->shape[to->ndim] = ps__shape(tensor)[*axis];
        to->strides[to->ndim++] = ps__strides(tensor)[*axis];
    }
}

static ps_status add_index(layout *to, const ps_tensor *tensor, const ps_index *index, int *axis,
                           int *rest)
{
    if (index->kind == PS_INDEX_ELLIPSIS) {
        add_rest(to, tensor, axis, *rest);
        *rest = 0;
        return PS_OK;
    }
    if (index->kind == PS_INDEX_NEW) {
        to->shape[to->ndim] = 1;
        to->strides[to->ndim++] = 0;
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
    ps_status status = check("ps_tensor_index", tensor, view);
    int rest = 0, axis = 0;
    if (status == PS_OK && count != 0 && indices == NULL)
        status = ps__fail(PS_ERR_ARGUMENT, "ps_tensor_index: indices is NULL");
    if (status == PS_OK && count > INDICES_MOST)
        status = ps__fail(PS_ERR_ARGUMENT, "ps_tensor_index: %zu indices, at most %d", count,
                          INDICES_MOST);
    if (status == PS_OK)
        status = count_rest(tensor, indices, count, &rest);
    if (status != PS_OK)
        return status;
    layout to; /* large, and mostly unused */
    to.ndim = 0;
    to.offset = tensor->offset;
    for (size_t i = 0; i < count && status == PS_OK; i++)
        status = add_index(&to, tensor, &indices[i], &axis, &rest);
    if (status != PS_OK)
        return status;
    add_rest(&to, tensor, &axis, rest);
    return make(tensor, &to, view);
}

/* ---- the others ------------------------------------------------------------------------ */

ps_status ps_tensor_permute(ps_tensor *tensor, const int *axes, int count, ps_tensor **view)
{
    ps_status status = check("ps_tensor_permute", tensor, view);
    if (status != PS_OK)
        return status;
    int ndim = tensor->ndim;
    if (axes != NULL && count != ndim)
        return ps__fail(PS_ERR_ARGUMENT, "ps_tensor_permute: %d axes for %d dimensions", count,
                        ndim);
    layout to = {.ndim = ndim, .offset = tensor->offset};
    uint64_t seen = 0;
    for (int i = 0; i < ndim; i++) {
        int axis = ndim - 1 - i;
        if (axes != NULL && (status = ps__axis("permute", axes[i], ndim, &axis)) != PS_OK)
            return status;
        if (seen >> axis & 1)
            return ps__fail(PS_ERR_ARGUMENT, "permute: axis %d is named twice", axis);
        seen |= (uint64_t)1 << axis;
        to.shape[i] = ps__shape(tensor)[axis];
        to.strides[i] = ps__strides(tensor)[axis];
    }
    return make(tensor, &to, view);
}

ps_status ps_tensor_broadcast(ps_tensor *tensor, int ndim, const int64_t *shape, ps_tensor **view)
{
    int64_t count;
    ps_status status = check("ps_tensor_broadcast", tensor, view);
    if (status == PS_OK)
        status = ps__shape_check("broadcast", (ps_dtype)tensor->dtype, ndim, shape, &count);
    if (status != PS_OK)
        return status;
    layout to = {.ndim = ndim, .offset = tensor->offset};
    int lead = ndim - tensor->ndim;
    bool fits = lead >= 0;
    for (int i = 0; fits && i < ndim; i++) {
        int64_t length = i < lead ? 1 : ps__shape(tensor)[i - lead];
        fits = length == 1 || length == shape[i];
        to.shape[i] = shape[i];
        to.strides[i] = length == shape[i] && i >= lead ? ps__strides(tensor)[i - lead] : 0;
    }
    if (!fits)
        return ps__fail(PS_ERR_ARGUMENT, "shape %s cannot be broadcast to %s",
                        ps__shape_text(tensor->ndim, ps__shape(tensor)),
                        ps__shape_text(ndim, shape));
    return make(tensor, &to, view);
}

/* Replaces one -1 by what is left; checks that the number of elements stays. */
static ps_status complete_shape(const ps_tensor *tensor, int ndim, const int64_t *shape, layout *to)
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
static bool is_run(const layout *old, int first, int end)
{
    for (int i = first; i + 1 < end; i++)
        if (old->strides[i] != old->strides[i + 1] * old->shape[i + 1])
            return false;
    return true;
}

/* Strides for the new shape on the old layout: the shortest runs of old and new dimensions with
 * equal numbers of elements stand for each other. False if such a run of old ones is not one piece.
 * Both have elements, and equally many. */
static bool divide(const ps_tensor *tensor, layout *to)
{
    layout old = {0};
    for (int i = 0; i < tensor->ndim; i++) {
        if (ps__shape(tensor)[i] == 1)
            continue;
        old.shape[old.ndim] = ps__shape(tensor)[i];
        old.strides[old.ndim++] = ps__strides(tensor)[i];
    }
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

ps_status ps_tensor_view_as(ps_tensor *tensor, int ndim, const int64_t *shape, ps_tensor **view)
{
    ps_status status = check("ps_tensor_view_as", tensor, view);
    if (status == PS_OK && (ndim < 0 || ndim > PS_DIMS_MAX || (ndim != 0 && shape == NULL)))
        status = ps__fail(PS_ERR_ARGUMENT, "reshape: %d dimensions, at most %d, or shape is NULL",
                          ndim, PS_DIMS_MAX);
    layout to = {.offset = status == PS_OK ? tensor->offset : 0};
    if (status == PS_OK)
        status = complete_shape(tensor, ndim, shape, &to);
    if (status != PS_OK)
        return status;
    if (tensor->contiguous)
        ps__shape_strides(ndim, to.shape, to.strides);
    else if (!divide(tensor, &to))
        return ps__fail(PS_ERR_STATE, "no view of shape %s on a tensor of shape %s and strides %s",
                        ps__shape_text(ndim, to.shape),
                        ps__shape_text(tensor->ndim, ps__shape(tensor)),
                        ps__shape_text(tensor->ndim, ps__strides(tensor)));
    return make(tensor, &to, view);
}

/* The lengths are none below 0 and add up to the axis's. */
static ps_status check_lengths(int64_t total, const int64_t *lengths, size_t count)
{
    int64_t sum = 0;
    for (size_t i = 0; i < count; i++) {
        if (lengths[i] < 0 || lengths[i] > total - sum)
            return ps__fail(PS_ERR_ARGUMENT,
                            "split: length %" PRId64 " of part %zu does not fit into %" PRId64,
                            lengths[i], i, total);
        sum += lengths[i];
    }
    return sum == total
               ? PS_OK
               : ps__fail(PS_ERR_ARGUMENT, "split: the lengths add up to %" PRId64 ", not %" PRId64,
                          sum, total);
}

ps_status ps_tensor_split(ps_tensor *tensor, int64_t axis, const int64_t *lengths, size_t count,
                          ps_tensor **views)
{
    int at;
    ps_status status = check("ps_tensor_split", tensor, views);
    if (status == PS_OK && lengths == NULL && count != 0)
        status = ps__fail(PS_ERR_ARGUMENT, "ps_tensor_split: lengths is NULL");
    if (status == PS_OK && count > PARTS_MOST)
        status =
            ps__fail(PS_ERR_ARGUMENT, "ps_tensor_split: %zu parts, at most %d", count, PARTS_MOST);
    if (status == PS_OK)
        status = ps__axis("split", axis, tensor->ndim, &at);
    if (status == PS_OK)
        status = check_lengths(ps__shape(tensor)[at], lengths, count);
    if (status != PS_OK)
        return status;
    layout to = {.ndim = tensor->ndim, .offset = tensor->offset};
    memcpy(to.shape, ps__shape(tensor), (size_t)to.ndim * sizeof to.shape[0]);
    memcpy(to.strides, ps__strides(tensor), (size_t)to.ndim * sizeof to.strides[0]);
    for (size_t i = 0; i < count; i++) {
        to.shape[at] = lengths[i];
        status = make(tensor, &to, &views[i]);
        if (status != PS_OK) {
            while (i-- > 0) {
                ps_tensor_release(views[i]);
                views[i] = NULL; /* a caller who cleans up finds nothing there */
            }
            return status;
        }
        to.offset += lengths[i] * to.strides[at];
    }
    return PS_OK;
}

ps_status ps_tensor_part(ps_tensor *tensor, bool imaginary, ps_tensor **view)
{
    ps_status status = check("ps_tensor_part", tensor, view);
    if (status != PS_OK)
        return status;
    ps_dtype dtype = (ps_dtype)tensor->dtype;
    if (ps__dtype_kind_of(dtype) != PS__KIND_COMPLEX)
        return ps__fail(PS_ERR_TYPE, "ps_tensor_part: %s has no parts", ps__dtypes[dtype].name);
    int64_t strides[PS_DIMS_MAX];
    for (int i = 0; i < tensor->ndim; i++)
        strides[i] = 2 * ps__strides(tensor)[i];
    return ps__tensor_view(tensor, (ps_dtype)ps__dtypes[dtype].real, tensor->ndim,
                           ps__shape(tensor), strides, 2 * tensor->offset + imaginary, view);
}
