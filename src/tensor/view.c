/* Views: handles on the storage of another tensor, all made by ps__view.
 *
 * Whoever needs to know that a tensor is a view, of what base and with which layout, looks there: no
 * other function makes a handle on a storage that has one (tools/check_includes.py counts the uses of
 * what that takes). Layouts come from layout.c, and from index.c for basic indexing. */
#include "tensor/handle.h"

#include "base/error.h"

#include <inttypes.h>

enum { PARTS_MOST = 1 << 20 }; /* of a split: a count beyond it was never set */

/* In the graph of the base, if it has one. */
static ps_status record_view(const ps__graph_table *graph, ps_tensor *base,
                             const ps__layout *layout, ps_tensor **view)
{
    ps_status status = graph->view(base, layout, *view);
    if (status != PS_OK) {
        ps_tensor_release(*view);
        *view = NULL;
    }
    return status;
}

PS_HOT ps_status ps__view(ps_tensor *base, ps_dtype dtype, const ps__layout *layout,
                          ps_tensor **result)
{
    ps_tensor *view;
    int ndim = layout->ndim;
    ps_status status = ps__handle_new(base->storage, base->home, dtype, ndim, &view);
    if (PS_UNLIKELY(status != PS_OK))
        return status;
    ps__storage_retain(base->storage);
    view->offset = layout->offset;
    view->count = 1;
    for (int i = 0; i < ndim; i++) {
        view->count *= layout->shape[i];
        view->dims[i] = layout->shape[i];
        view->dims[ndim + i] = layout->strides[i];
    }
    view->contiguous = ps__shape_contiguous(ndim, layout->shape, layout->strides);
    view->whole = base->whole && view->contiguous && dtype == base->dtype && layout->offset == 0 &&
                  view->count == base->count;
    view->alias = base->alias;
    *result = view;
    const ps__graph_table *graph = ps__load_acquire(&ps__graph_hooks); /* pairs with its making */
    return PS_LIKELY(graph == NULL) ? PS_OK : record_view(graph, base, layout, result);
}

/* ---- the calls ------------------------------------------------------------------------- */

static ps_status check_view(const char *what, const void *tensor, const void *view)
{
    return tensor != NULL && view != NULL
               ? PS_OK
               : ps__fail(PS_ERR_ARGUMENT, "%s: %s is NULL", what, tensor ? "view" : "tensor");
}

/* The view, if its layout could be computed. */
static ps_status make_view_of(ps_status status, ps_tensor *base, const ps__layout *to,
                              ps_tensor **view)
{
    return status == PS_OK ? ps__view(base, (ps_dtype)base->dtype, to, view) : status;
}

ps_status ps_tensor_permute(ps_tensor *tensor, const int *axes, int count, ps_tensor **view)
{
    ps__layout to;
    ps_status status = check_view("ps_tensor_permute", tensor, view);
    if (status == PS_OK && axes != NULL && count != tensor->ndim)
        status = ps__fail(PS_ERR_ARGUMENT, "ps_tensor_permute: %d axes for %d dimensions", count,
                          tensor->ndim);
    if (status == PS_OK)
        status = ps__layout_permute(tensor, axes, &to);
    return make_view_of(status, tensor, &to, view);
}

ps_status ps_tensor_broadcast(ps_tensor *tensor, int ndim, const int64_t *shape, ps_tensor **view)
{
    ps__layout to;
    ps_status status = check_view("ps_tensor_broadcast", tensor, view);
    if (status == PS_OK)
        status = ps__layout_broadcast(tensor, ndim, shape, &to);
    return make_view_of(status, tensor, &to, view);
}

ps_status ps_tensor_view_as(ps_tensor *tensor, int ndim, const int64_t *shape, ps_tensor **view)
{
    ps__layout to;
    ps_status status = check_view("ps_tensor_view_as", tensor, view);
    if (status == PS_OK)
        status = ps__layout_reshape(tensor, ndim, shape, &to);
    return make_view_of(status, tensor, &to, view);
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
    ps_status status = check_view("ps_tensor_split", tensor, views);
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
    int64_t first = 0;
    for (size_t i = 0; i < count; i++) {
        ps__layout to;
        ps__layout_narrow(tensor, at, first, lengths[i], &to);
        status = make_view_of(PS_OK, tensor, &to, &views[i]);
        if (status != PS_OK) {
            while (i-- > 0) {
                ps_tensor_release(views[i]);
                views[i] = NULL; /* a caller who cleans up finds nothing there */
            }
            return status;
        }
        first += lengths[i];
    }
    return PS_OK;
}

ps_status ps_tensor_part(ps_tensor *tensor, bool imaginary, ps_tensor **view)
{
    ps_status status = check_view("ps_tensor_part", tensor, view);
    if (status != PS_OK)
        return status;
    ps_dtype dtype = (ps_dtype)tensor->dtype;
    if (ps__dtype_kind_of(dtype) != PS__KIND_COMPLEX)
        return ps__fail(PS_ERR_TYPE, "ps_tensor_part: %s has no parts", ps__dtypes[dtype].name);
    ps__layout to;
    ps__layout_of(tensor, &to);
    to.offset = 2 * to.offset + imaginary; /* in elements of half the size */
    for (int i = 0; i < to.ndim; i++)
        to.strides[i] *= 2;
    return ps__view(tensor, (ps_dtype)ps__dtypes[dtype].real, &to, view);
}
