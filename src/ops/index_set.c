/* ps_tensor_set: writing by an index.
 *
 * Without arrays the value is assigned to a view, unless it is that view already. One array puts slices
 * at its positions; several put single elements, at their positions in the whole view. A mask alone
 * needs no positions, so writing under it does not wait. */
#include "base/atomic.h"
#include "base/error.h"
#include "ops/index.h"
#include "ops/positions.h"
#include "tensor/graph.h"

#include <string.h>

/* ---- writing to a view --------------------------------------------------------------------- */

/* The row `assign`, which is found once: it is most of what a short assignment takes. */
static ps_status find_assign(const ps_op **op)
{
    static _Atomic(const ps_op *) found;
    *op = ps__load_acquire(&found); /* pairs with the release below */
    if (PS_LIKELY(*op != NULL))
        return PS_OK;
    ps_status status = ps_op_find("assign", op);
    if (status == PS_OK)
        ps__store_release(&found, *op); /* pairs with the acquire above */
    return status;
}

static ps_status assign(ps_tensor *view, const ps_arg *value, const ps_call *on)
{
    const ps_op *op;
    ps_status status = find_assign(&op);
    if (status != PS_OK)
        return status;
    ps_call call = *on;
    call.args = value;
    call.nargs = 1;
    call.outputs = &view;
    call.noutputs = 1;
    return ps_op_call(op, &call);
}

/* Whether nothing of gradients tells two handles of the same elements apart. */
static bool are_made_alike(ps_tensor *view, ps_tensor *given)
{
    if (view->alias != given->alias ||
        (view->generation == PS__DETACHED) != (given->generation == PS__DETACHED))
        return false;
    /* Pairs with the release where it is set. */
    const ps__graph_table *graph = ps__load_acquire(&ps__graph_hooks);
    bool recorded = false;
    /* Leaves may not be written, and are made by nothing. */
    return graph == NULL || !ps__may_record() ||
           (graph->write(given, &recorded) == PS_OK && graph->write(view, &recorded) == PS_OK);
}

/* What a language makes of `x[i] += y`: the sum is written into a view, and then the view to where it
 * is already. Out of line: most values are of another storage. */
static __attribute__((noinline, cold)) bool is_there_already(ps_tensor *view, ps_tensor *given)
{
    if (!ps__tensor_same_view(view, given) || !are_made_alike(view, given))
        return false;
    ps__storage_count_idle_write(view->storage, view->alias);
    return true;
}

/* A value may have more dimensions, if they have length 1. */
static ps_status write_view(ps_tensor *view, const ps__value *value, const ps_call *on)
{
    ps_tensor *bare;
    if (PS_UNLIKELY(value->arg.kind == PS_ARG_TENSOR &&
                    value->arg.as.tensor->storage == view->storage) &&
        is_there_already(view, value->arg.as.tensor))
        return PS_OK;
    if (PS_LIKELY(value->arg.kind != PS_ARG_TENSOR || value->arg.as.tensor->ndim <= view->ndim))
        return assign(view, &value->arg, on);
    ps_status status = ps__value_strip(value->arg.as.tensor, view->ndim, &bare);
    if (status != PS_OK)
        return status;
    ps_arg arg = ps_arg_tensor(bare);
    status = assign(view, &arg, on);
    ps_tensor_release(bare);
    return status;
}

static ps_status write_basic(ps_tensor *tensor, const ps_index *items, size_t count, int rest,
                             const ps__value *value, const ps_call *on)
{
    ps_tensor *view;
    if (count == 0)
        return write_view(tensor, value, on);
    ps_status status = ps__index_view(tensor, items, count, rest, &view);
    if (status != PS_OK)
        return status;
    status = write_view(view, value, on);
    ps_tensor_release(view);
    return status;
}

/* ---- writing under a mask ------------------------------------------------------------------ */

/* Whether the value is the same for all that the mask selects. */
static bool is_common(const ps_tensor *tensor, const ps_tensor *mask, const ps_arg *value)
{
    if (value->kind != PS_ARG_TENSOR)
        return true;
    const ps_tensor *given = value->as.tensor;
    int extra = given->ndim - (tensor->ndim - mask->ndim);
    for (int i = 0; i < extra; i++)
        if (ps__shape(given)[i] != 1)
            return false;
    return true;
}

/* x = where(mask, value, x). */
static ps_status write_common(ps_tensor *tensor, ps_tensor *mask, const ps__value *value,
                              const ps_call *on)
{
    ps__value converted;
    ps_tensor *over;
    ps_status status = ps__mask_spread(tensor, mask, &over);
    if (status != PS_OK)
        return status;
    status = ps__value_convert(value, tensor, tensor->ndim - mask->ndim, on, &converted);
    if (status == PS_OK) {
        ps_arg args[] = {ps_arg_tensor(over), converted.arg, ps_arg_tensor(tensor)};
        status = ps__call("where", on, args, 3, &tensor);
        ps_tensor_release(converted.made);
    }
    ps_tensor_release(over);
    return status;
}

/* A slice of the value for each element that is true; their number is compared while running. */
static ps_status write_each(ps_tensor *tensor, ps_tensor *mask, const ps__value *value,
                            const ps_call *on)
{
    ps__value converted;
    int ndim = tensor->ndim - mask->ndim + 1;
    ps_status status = ps__value_convert(value, tensor, ndim, on, &converted);
    if (status != PS_OK)
        return status;
    ps_arg args[] = {ps_arg_tensor(tensor), ps_arg_tensor(mask), converted.arg};
    status = ps__call("masked_put", on, args, 3, &tensor);
    ps_tensor_release(converted.made);
    return status;
}

static ps_status write_masked(ps_tensor *tensor, ps_tensor *mask, const ps__value *value,
                              const ps_call *on)
{
    ps_status status = ps__mask_check(tensor, mask, 0);
    if (status != PS_OK)
        return status;
    return is_common(tensor, mask, &value->arg) ? write_common(tensor, mask, value, on)
                                                : write_each(tensor, mask, value, on);
}

/* ---- writing slices ------------------------------------------------------------------------ */

static int dim_of(const ps__pick *pick, int axis)
{
    for (int i = 0; i < ps__pick_ndim(pick); i++) {
        int kept = ps__pick_kept(pick, i);
        if (kept >= 0 && pick->kept[kept] == axis)
            return i;
    }
    return -1;
}

static void add_dims(ps__layout *to, const ps__layout *from, int first, int count)
{
    for (int i = first; i < first + count; i++)
        ps__layout_add(to, from->shape[i], from->strides[i]);
}

/* From the order of the result's dimensions to that of the view's, as `put` wants values. */
static void arrange(const ps__pick *pick, const ps__layout *from, ps__layout *to)
{
    to->ndim = 0;
    to->offset = from->offset;
    for (int axis = 0; axis < pick->view->ndim; axis++) {
        int dim = dim_of(pick, axis);
        if (axis == ps__pick_first(pick))
            add_dims(to, from, pick->place, pick->ndim);
        else if (dim >= 0)
            add_dims(to, from, dim, 1);
        else
            ps__layout_add(to, 1, 0);
    }
}

/* Replaces values by a view of them in all places of the result. */
static ps_status spread_values(const ps__pick *pick, ps__value *values)
{
    int64_t shape[PS_DIMS_MAX];
    ps_tensor *given = values->made;
    ps__layout all, to;
    ps__pick_shape(pick, shape);
    ps_status status = ps__layout_broadcast(given, ps__pick_ndim(pick), shape, &all);
    if (status != PS_OK)
        return status;
    if (pick->view->ndim - 1 + pick->ndim > PS_DIMS_MAX)
        return ps__fail(PS_ERR_INDEX, "the index makes %d dimensions, at most %d",
                        pick->view->ndim - 1 + pick->ndim, PS_DIMS_MAX);
    arrange(pick, &all, &to);
    ps_tensor *arranged;
    status = ps__view(given, (ps_dtype)given->dtype, &to, &arranged);
    if (status != PS_OK)
        return status;
    ps_tensor_release(given);
    *values = (ps__value){ps_arg_tensor(arranged), arranged};
    return PS_OK;
}

static ps_status write_slices(const ps__pick *pick, const ps__value *value)
{
    ps__value values;
    ps_tensor *view = pick->view;
    ps_status status =
        ps__value_convert(value, pick->tensor, ps__pick_ndim(pick), pick->on, &values);
    if (status == PS_OK && values.made != NULL)
        status = spread_values(pick, &values);
    if (status == PS_OK) {
        ps_arg args[] = {ps_arg_tensor(view), ps_arg_tensor(pick->arrays[0].at), values.arg,
                         ps_arg_bool(false), ps_arg_int(ps__pick_first(pick))};
        status = ps__call("put", pick->on, args, 5, &view);
    }
    ps_tensor_release(values.made);
    return status;
}

/* ---- writing elements ---------------------------------------------------------------------- */

/* Where the elements of a result lie in the view. */
typedef struct target {
    const ps__pick *pick;
    int64_t strides[PS_DIMS_MAX]; /* of the view, as if its elements lay side by side */
    ps_tensor *positions;         /* what is summed up so far; owned */
} target;

/* Adds numbers that lie along dimensions [at, at + ndim) of the result. Takes them over. */
static ps_status add_along(target *t, ps_tensor *numbers, int at, int ndim, const int64_t *lengths)
{
    int64_t shape[PS_DIMS_MAX];
    ps_tensor *view;
    for (int i = 0; i < ps__pick_ndim(t->pick); i++)
        shape[i] = i >= at && i < at + ndim ? lengths[i - at] : 1;
    ps_status status = ps_tensor_view_as(numbers, ps__pick_ndim(t->pick), shape, &view);
    ps_tensor_release(numbers);
    return status == PS_OK ? ps__pick_add(t->pick, &t->positions, view) : status;
}

static ps_status add_arrays(target *t)
{
    const ps__pick *pick = t->pick;
    int64_t strides[PS_DIMS_MAX];
    ps_tensor *offsets;
    for (int i = 0; i < pick->narrays; i++)
        strides[i] = t->strides[pick->arrays[i].axis];
    ps_status status = ps__pick_offsets(pick, strides, &offsets);
    if (status != PS_OK)
        return status;
    return add_along(t, offsets, pick->place, pick->ndim, pick->shape);
}

/* Axes of the view that follow each other and are kept whole: one row of numbers does. */
static ps_status add_kept(target *t, int axis, int count, int at)
{
    const int64_t *lengths = ps__shape(t->pick->view) + axis;
    int64_t number = 1, stride = t->strides[axis + count - 1];
    ps_tensor *line = NULL;
    for (int i = 0; i < count; i++)
        number *= lengths[i];
    if (number == 1)
        return PS_OK;
    stride = stride > 0 ? stride : 1;
    ps_arg args[] = {ps_arg_int(0), ps_arg_int(number * stride), ps_arg_int(stride),
                     ps_arg_dtype(PS_INT64)};
    ps_status status = ps__call("arange", t->pick->on, args, 4, &line);
    return status == PS_OK ? add_along(t, line, at, count, lengths) : status;
}

/* The axis of the view that a dimension of the result is; -1 if it is none. */
static int axis_of(const ps__pick *pick, int dim)
{
    int kept = ps__pick_kept(pick, dim);
    return kept >= 0 ? pick->kept[kept] : -1;
}

static ps_status add_all_kept(target *t)
{
    int ndim = ps__pick_ndim(t->pick), count;
    ps_status status = PS_OK;
    for (int at = 0; at < ndim && status == PS_OK; at += count) {
        int axis = axis_of(t->pick, at);
        count = 1;
        while (axis >= 0 && at + count < ndim && axis_of(t->pick, at + count) == axis + count)
            count++;
        if (axis >= 0)
            status = add_kept(t, axis, count, at);
    }
    return status;
}

/* Flat positions in the view, in the shape of what the index selects, but for dimensions along
 * which they are the same. */
static ps_status find_positions(const ps__pick *pick, ps_tensor **positions)
{
    target t = {.pick = pick};
    int64_t stride = 1;
    for (int i = pick->view->ndim - 1; i >= 0; i--) {
        t.strides[i] = stride;
        stride *= ps__shape(pick->view)[i];
    }
    ps_status status = add_arrays(&t);
    if (status == PS_OK)
        status = add_all_kept(&t);
    *positions = t.positions; /* the caller's, also on failure */
    return status;
}

static ps_status write_elements(const ps__pick *pick, const ps__value *value)
{
    ps__value values = {.made = NULL};
    ps_tensor *view = pick->view, *positions;
    ps_status status = find_positions(pick, &positions);
    if (status == PS_OK)
        status = ps__value_convert(value, pick->tensor, positions->ndim, pick->on, &values);
    if (status == PS_OK) {
        ps_arg args[] = {ps_arg_tensor(view), ps_arg_tensor(positions), values.arg};
        status = ps__call("put", pick->on, args, 3, &view);
    }
    ps_tensor_release(values.made);
    ps_tensor_release(positions);
    return status;
}

/* ---- all together -------------------------------------------------------------------------- */

static ps_status write_pick(const ps__pick *pick, const ps__value *value)
{
    return pick->narrays == 1 ? write_slices(pick, value) : write_elements(pick, value);
}

static ps_status write_arrays(ps_tensor *tensor, const ps_index *items, size_t count,
                              const ps__index_use *use, const ps__value *value, const ps_call *on)
{
    ps__pick pick;
    if (ps__index_is_mask(items, count))
        return write_masked(tensor, ps__index_tensor(&items[0]), value, on);
    ps_status status = ps__pick_begin(&pick, tensor, items, count, use, on);
    if (status != PS_OK)
        return status;
    status = write_pick(&pick, value);
    ps__pick_end(&pick);
    return status;
}

ps_status ps_tensor_set(ps_tensor *tensor, const ps_index *items, size_t count, ps_arg value,
                        uint64_t location)
{
    ps__index_use use;
    ps__value given;
    if (tensor == NULL || (items == NULL && count != 0))
        return ps__fail(PS_ERR_ARGUMENT, "ps_tensor_set: %s is NULL",
                        tensor == NULL ? "tensor" : "items");
    ps_status status = ps__index_count(tensor, items, count, true, &use);
    if (status == PS_OK)
        status = ps__value_begin(&given, &value, tensor);
    if (status != PS_OK)
        return status;
    ps_call on = {.size = sizeof on, .device = ps_tensor_device(tensor), .location = location};
    status = use.arrays == 0 ? write_basic(tensor, items, count, use.rest, &given, &on)
                             : write_arrays(tensor, items, count, &use, &given, &on);
    ps_tensor_release(given.made);
    return status;
}
