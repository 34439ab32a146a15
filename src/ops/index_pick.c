/* Indices with arrays in them: which elements they mean.
 *
 * Two passes. The first goes through the items and makes the view; it looks at shapes only, and
 * refuses what does not fit. The second makes positions of masks, one array for each dimension of a
 * mask, and brings the arrays' shapes together. */
#include "base/error.h"
#include "ops/index.h"

#include <inttypes.h>
#include <string.h>

/* ---- items --------------------------------------------------------------------------------- */

/* Whether arrays, and positions beside them, follow each other without anything in between. */
typedef enum group { GROUP_NONE, GROUP_OPEN, GROUP_ENDED } group;

typedef struct building {
    ps__pick *pick;
    int axis; /* of the tensor */
    int rest;
    group group;
    bool front; /* the arrays' dimensions come first */
    ps__layout view;
} building;

static void keep(building *b, int axis)
{
    b->pick->kept[b->pick->nkept++] = (int8_t)axis;
}

/* The tensor's next axis as it is. */
static void add_axis(building *b)
{
    const ps_tensor *x = b->pick->tensor;
    ps__layout_add(&b->view, ps__shape(x)[b->axis], ps__strides(x)[b->axis]);
    b->axis++;
}

static void add_rest(building *b)
{
    for (; b->rest > 0; b->rest--) {
        keep(b, b->view.ndim);
        add_axis(b);
    }
}

static void add_positions(building *b, ps_tensor *given, int column)
{
    ps__pick *pick = b->pick;
    if (pick->narrays == 0)
        pick->place = pick->nkept;
    pick->arrays[pick->narrays++] =
        (ps__positions){.given = given, .axis = b->view.ndim, .column = column};
}

ps_status ps__mask_check(const ps_tensor *tensor, const ps_tensor *mask, int axis)
{
    for (int i = 0; i < mask->ndim; i++)
        if (ps__shape(mask)[i] != ps__shape(tensor)[axis + i])
            return ps__fail(PS_ERR_INDEX,
                            "boolean index did not match indexed array along axis %d; size of axis "
                            "is %" PRId64 " but size of corresponding boolean axis is %" PRId64
                            " (a mask of shape %s for an array of shape %s)",
                            axis + i, ps__shape(tensor)[axis + i], ps__shape(mask)[i],
                            ps__shape_text(mask->ndim, ps__shape(mask)),
                            ps__shape_text(tensor->ndim, ps__shape(tensor)));
    return PS_OK;
}

static ps_status add_mask(building *b, ps_tensor *mask)
{
    ps_status status = ps__mask_check(b->pick->tensor, mask, b->axis);
    for (int i = 0; i < mask->ndim && status == PS_OK; i++) {
        add_positions(b, mask, i);
        add_axis(b);
    }
    if (mask->ndim == 0) {
        add_positions(b, mask, 0);
        ps__layout_add(&b->view, 1, 0);
    }
    return status;
}

static ps_status add_basic(building *b, const ps_index *item)
{
    int axis = b->axis++;
    if (item->kind == PS_INDEX_RANGE)
        keep(b, b->view.ndim);
    ps_status status = ps__index_add(&b->view, b->pick->tensor, item, axis);
    if (status == PS_OK && item->kind == PS_INDEX_AT)
        ps__layout_add(&b->view, 1, ps__strides(b->pick->tensor)[axis]);
    return status;
}

static ps_status add_item(building *b, const ps_index *item)
{
    switch (item->kind) {
    case PS_INDEX_NEW:
        keep(b, PS__KEPT_NEW);
        return PS_OK;
    case PS_INDEX_ELLIPSIS:
        add_rest(b);
        return PS_OK;
    case PS_INDEX_ARRAY:
        add_positions(b, ps__index_tensor(item), 0);
        add_axis(b);
        return PS_OK;
    case PS_INDEX_MASK:
        return add_mask(b, ps__index_tensor(item));
    default:
        return add_basic(b, item);
    }
}

static void note_group(building *b, bool member)
{
    if (member) {
        b->front |= b->group == GROUP_ENDED;
        b->group = GROUP_OPEN;
    } else if (b->group == GROUP_OPEN) {
        b->group = GROUP_ENDED;
    }
}

static ps_status add_items(building *b, const ps_index *items, size_t count)
{
    ps_status status = PS_OK;
    for (size_t i = 0; i < count && status == PS_OK; i++) {
        note_group(b, items[i].kind == PS_INDEX_AT || items[i].kind >= PS_INDEX_ARRAY);
        status = add_item(b, &items[i]);
    }
    if (status != PS_OK)
        return status;
    add_rest(b);
    if (b->front)
        b->pick->place = 0;
    return PS_OK;
}

/* ---- positions ----------------------------------------------------------------------------- */

/* A mask without dimensions: the one position of an axis, or none. Waits. */
static ps_status find_point(const ps__pick *pick, ps__positions *positions)
{
    ps_scalar truth;
    ps_status status = ps_tensor_item(positions->given, &truth);
    if (status != PS_OK)
        return status;
    int64_t count = truth.as.b;
    ps_arg args[] = {ps_arg_ints(&count, 1), ps_arg_dtype(PS_INT64)};
    return ps__call("zeros", pick->on, args, 2, &positions->at);
}

/* A column of the rows that `nonzero` gives. */
static ps_status column_of(ps_tensor *rows, int column, ps_tensor **view)
{
    ps__layout to = {.ndim = 0, .offset = rows->offset + column * ps__strides(rows)[1]};
    ps__layout_add(&to, ps__shape(rows)[0], ps__strides(rows)[0]);
    return ps__view(rows, PS_INT64, &to, view);
}

/* All arrays of a mask with dimensions. Waits for it. */
static ps_status find_mask(const ps__pick *pick, ps__positions *positions)
{
    ps_arg mask = ps_arg_tensor(positions->given);
    ps_tensor *rows = NULL;
    ps_status status = ps__call("nonzero", pick->on, &mask, 1, &rows);
    for (int i = 0; i < positions->given->ndim && status == PS_OK; i++)
        status = column_of(rows, i, &positions[i].at);
    ps_tensor_release(rows);
    return status;
}

static ps_status find_positions(const ps__pick *pick, ps__positions *positions)
{
    ps_tensor *given = positions->given;
    if (positions->at != NULL) /* with the mask's first dimension */
        return PS_OK;
    if (given->dtype == PS_BOOL)
        return given->ndim == 0 ? find_point(pick, positions) : find_mask(pick, positions);
    positions->at = given;
    return ps_tensor_retain(given);
}

/* The common shape of the arrays so far and one more. */
static ps_status broadcast(ps__pick *pick, const ps_tensor *at)
{
    int64_t shape[PS_DIMS_MAX];
    int ndim = pick->ndim;
    memcpy(shape, pick->shape, (size_t)ndim * sizeof shape[0]);
    if (!ps__shape_broadcast(&ndim, shape, at->ndim, ps__shape(at)))
        return ps__fail(PS_ERR_INDEX,
                        "shape mismatch: indexing arrays could not be broadcast together with "
                        "shapes %s %s",
                        ps__shape_text(pick->ndim, pick->shape),
                        ps__shape_text(at->ndim, ps__shape(at)));
    pick->ndim = ndim;
    memcpy(pick->shape, shape, (size_t)ndim * sizeof shape[0]);
    return PS_OK;
}

static ps_status find_all(ps__pick *pick)
{
    ps_status status = PS_OK;
    for (int i = 0; i < pick->narrays && status == PS_OK; i++) {
        status = find_positions(pick, &pick->arrays[i]);
        if (status == PS_OK)
            status = broadcast(pick, pick->arrays[i].at);
    }
    if (status == PS_OK && ps__pick_ndim(pick) > PS_DIMS_MAX)
        return ps__fail(PS_ERR_INDEX, "the index makes %d dimensions, at most %d",
                        ps__pick_ndim(pick), PS_DIMS_MAX);
    return status;
}

/* ---- all together -------------------------------------------------------------------------- */

static ps_status make_view(ps__pick *pick, const ps_index *items, size_t count, int rest)
{
    building b = {.pick = pick, .rest = rest};
    b.view.ndim = 0;
    b.view.offset = pick->tensor->offset;
    ps_status status = add_items(&b, items, count);
    if (status != PS_OK)
        return status;
    return ps__view(pick->tensor, (ps_dtype)pick->tensor->dtype, &b.view, &pick->view);
}

ps_status ps__pick_begin(ps__pick *pick, ps_tensor *tensor, const ps_index *items, size_t count,
                         const ps__index_use *use, const ps_call *on)
{
    pick->on = on;
    pick->tensor = tensor;
    pick->view = NULL;
    pick->narrays = pick->nkept = pick->place = pick->ndim = 0;
    if (tensor->ndim + use->points > PS_DIMS_MAX)
        return ps__fail(PS_ERR_INDEX,
                        "an array of %d dimensions and %d masks without any: at most %d together",
                        tensor->ndim, use->points, PS_DIMS_MAX);
    ps_status status = make_view(pick, items, count, use->rest);
    if (status == PS_OK)
        status = find_all(pick);
    if (status != PS_OK)
        ps__pick_end(pick);
    return status;
}

void ps__pick_end(ps__pick *pick)
{
    ps_tensor_release(pick->view);
    for (int i = 0; i < pick->narrays; i++)
        ps_tensor_release(pick->arrays[i].at);
}

bool ps__index_is_mask(const ps_index *items, size_t count)
{
    return items[0].kind == PS_INDEX_MASK && ps__index_tensor(&items[0])->ndim > 0 &&
           (count == 1 || (count == 2 && items[1].kind == PS_INDEX_ELLIPSIS));
}

/* ---- dimensions ---------------------------------------------------------------------------- */

void ps__pick_shape(const ps__pick *pick, int64_t *shape)
{
    for (int i = 0; i < ps__pick_ndim(pick); i++) {
        int kept = ps__pick_kept(pick, i);
        int axis = kept >= 0 ? pick->kept[kept] : 0;
        shape[i] = kept < 0               ? pick->shape[i - pick->place]
                   : axis == PS__KEPT_NEW ? 1
                                          : ps__shape(pick->view)[axis];
    }
}

bool ps__pick_adjacent(const ps__pick *pick)
{
    for (int i = 0; i < pick->nkept; i++)
        if (pick->kept[i] > ps__pick_first(pick) && pick->kept[i] < ps__pick_last(pick))
            return false;
    return true;
}
