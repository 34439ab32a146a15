/* ps_tensor_get: reading by an index.
 *
 * Without arrays it is a view. With them slices are taken at positions along one axis; several
 * arrays have their axes made one first. A mask alone selects what is under it. */
#include "base/error.h"
#include "ops/index.h"

/* ---- several axes as one ------------------------------------------------------------------- */

static bool is_array_axis(const ps__pick *pick, int axis)
{
    for (int i = 0; i < pick->narrays; i++)
        if (pick->arrays[i].axis == axis)
            return true;
    return false;
}

/* The view with the arrays' axes in front of all others. */
static ps_status move_to_front(const ps__pick *pick, ps_tensor **moved)
{
    int axes[PS_DIMS_MAX], count = 0, ndim = pick->view->ndim;
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < ndim; i++)
            if (is_array_axis(pick, i) == (pass == 0))
                axes[count++] = i;
    return ps_tensor_permute(pick->view, axes, ndim, moved);
}

/* Axes [first, last] of the tensor as one. */
static ps_status join(const ps__pick *pick, ps_tensor *tensor, int first, int last,
                      ps_tensor **joined)
{
    int64_t shape[PS_DIMS_MAX];
    int ndim = 0;
    for (int i = 0; i < tensor->ndim; i++) {
        int64_t length = ps__shape(tensor)[i];
        if (i > first && i <= last)
            shape[ndim - 1] *= length;
        else
            shape[ndim++] = length;
    }
    ps_arg args[] = {ps_arg_tensor(tensor), ps_arg_ints(shape, (size_t)ndim)};
    *joined = NULL;
    return ps__call("reshape", pick->on, args, 2, joined);
}

/* The view with the arrays' axes as one, and which it is. */
static ps_status join_axes(const ps__pick *pick, ps_tensor **joined, int *axis)
{
    ps_tensor *moved;
    *axis = ps__pick_first(pick);
    if (ps__pick_adjacent(pick))
        return join(pick, pick->view, *axis, ps__pick_last(pick), joined);
    *axis = 0;
    ps_status status = move_to_front(pick, &moved);
    if (status != PS_OK)
        return status;
    status = join(pick, moved, 0, pick->narrays - 1, joined);
    ps_tensor_release(moved);
    return status;
}

/* Positions in the one axis. */
static ps_status join_positions(const ps__pick *pick, ps_tensor **positions)
{
    int64_t strides[PS_DIMS_MAX], stride = 1;
    for (int i = pick->narrays; i-- > 0;) {
        strides[i] = stride;
        stride *= ps__shape(pick->view)[pick->arrays[i].axis];
    }
    return ps__pick_offsets(pick, strides, positions);
}

/* ---- reading ------------------------------------------------------------------------------- */

static ps_status take_at(const ps__pick *pick, ps_tensor *from, ps_tensor *positions, int axis,
                         ps_tensor **taken)
{
    ps_arg args[] = {ps_arg_tensor(from), ps_arg_tensor(positions), ps_arg_int(axis)};
    *taken = NULL;
    return ps__call("take", pick->on, args, 3, taken);
}

/* Slices at the positions, whose dimensions begin at *axis of what is taken. */
static ps_status take(const ps__pick *pick, ps_tensor **taken, int *axis)
{
    ps_tensor *joined, *positions;
    *axis = ps__pick_first(pick);
    if (pick->narrays == 1)
        return take_at(pick, pick->view, pick->arrays[0].at, *axis, taken);
    ps_status status = join_positions(pick, &positions);
    if (status != PS_OK)
        return status;
    status = join_axes(pick, &joined, axis);
    if (status == PS_OK) {
        status = take_at(pick, joined, positions, *axis, taken);
        ps_tensor_release(joined);
    }
    ps_tensor_release(positions);
    return status;
}

/* Where an axis of the view that is kept lies in what was taken. */
static int dim_of(const ps__pick *pick, int axis)
{
    int first = ps__pick_first(pick), last = ps__pick_last(pick), before = 0;
    if (ps__pick_adjacent(pick))
        return axis < first ? axis : axis - (last - first + 1) + pick->ndim;
    for (int i = 0; i < axis; i++)
        before += !is_array_axis(pick, i);
    return before + pick->ndim;
}

/* What was taken, with the dimensions of the result in their order. */
static void arrange(const ps__pick *pick, const ps_tensor *taken, int at, ps__layout *to)
{
    to->ndim = 0;
    to->offset = taken->offset;
    for (int i = 0; i < ps__pick_ndim(pick); i++) {
        int kept = ps__pick_kept(pick, i);
        if (kept >= 0 && pick->kept[kept] == PS__KEPT_NEW) {
            ps__layout_add(to, 1, 0);
            continue;
        }
        int dim = kept < 0 ? at + i - pick->place : dim_of(pick, pick->kept[kept]);
        ps__layout_add(to, ps__shape(taken)[dim], ps__strides(taken)[dim]);
    }
}

static ps_status read_pick(const ps__pick *pick, ps_tensor **result)
{
    ps_tensor *taken;
    ps__layout to;
    int axis;
    ps_status status = take(pick, &taken, &axis);
    if (status != PS_OK)
        return status;
    arrange(pick, taken, axis, &to);
    status = ps__view(taken, (ps_dtype)taken->dtype, &to, result);
    ps_tensor_release(taken);
    return status;
}

static ps_status read_masked(ps_tensor *tensor, ps_tensor *mask, const ps_call *on,
                             ps_tensor **result)
{
    ps_arg args[] = {ps_arg_tensor(tensor), ps_arg_tensor(mask)};
    ps_tensor *selected = NULL;
    ps_status status = ps__mask_check(tensor, mask, 0);
    if (status == PS_OK)
        status = ps__call("masked_select", on, args, 2, &selected);
    if (status == PS_OK)
        *result = selected;
    return status;
}

static ps_status read_arrays(ps_tensor *tensor, const ps_index *items, size_t count,
                             const ps__index_use *use, const ps_call *on, ps_tensor **result)
{
    ps__pick pick;
    if (ps__index_is_mask(items, count))
        return read_masked(tensor, ps__index_tensor(&items[0]), on, result);
    ps_status status = ps__pick_begin(&pick, tensor, items, count, use, on);
    if (status != PS_OK)
        return status;
    status = read_pick(&pick, result);
    ps__pick_end(&pick);
    return status;
}

ps_status ps_tensor_get(ps_tensor *tensor, const ps_index *items, size_t count, uint64_t location,
                        ps_tensor **result)
{
    ps__index_use use;
    if (tensor == NULL || result == NULL || (items == NULL && count != 0))
        return ps__fail(PS_ERR_ARGUMENT, "ps_tensor_get: %s is NULL",
                        tensor == NULL   ? "tensor"
                        : result == NULL ? "result"
                                         : "items");
    ps_status status = ps__index_count(tensor, items, count, true, &use);
    if (status != PS_OK)
        return status;
    if (use.arrays == 0)
        return ps__index_view(tensor, items, count, use.rest, result);
    ps_call on = {.size = sizeof on, .device = ps_tensor_device(tensor), .location = location};
    return read_arrays(tensor, items, count, &use, &on, result);
}
