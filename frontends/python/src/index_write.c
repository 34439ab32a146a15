/* Writing through keys with arrays.
 *
 * One array puts slices at its positions; several put single elements, at their positions in the
 * whole view. A mask alone needs no positions, so writing under it does not wait. */
#include "index.h"

/* ---- Values ------------------------------------------------------------------------------ */

/* A value as an argument of the array's element type with elements of its own, of at most `ndim`
 * dimensions if those in front have length 1; numbers as they are. *made is NULL or must be
 * released. */
static int convert(PyObject *array, const ps_arg *value, int ndim, ps_arg *arg, ps_tensor **made)
{
    ps_dtype dtype = ps_tensor_dtype(pyps_tensor(array));
    ps_tensor *view, *converted = NULL;
    *made = NULL;
    *arg = *value;
    if (value->kind != PS_ARG_TENSOR)
        return 0;
    if (pyps_index_done(array, pyps_value_strip(value->as.tensor, ndim, &view)) != 0)
        return -1;
    bool same = ps_tensor_dtype(view) == dtype;
    if (!same || ps_tensor_shares(view, pyps_tensor(array))) {
        ps_arg args[] = {ps_arg_tensor(view), ps_arg_dtype(dtype)};
        int failed = same ? pyps_index_call(array, "copy", args, 1, &converted)
                          : pyps_index_call(array, "cast", args, 2, &converted);
        ps_tensor_release(view);
        if (failed)
            return -1;
        view = converted;
    }
    *made = view;
    *arg = ps_arg_tensor(view);
    return 0;
}

/* ---- Writing under a mask ---------------------------------------------------------------- */

/* Whether the value is the same for all that the mask selects. */
static bool is_common(PyObject *array, const ps_tensor *mask, const ps_arg *value)
{
    if (value->kind != PS_ARG_TENSOR)
        return true;
    const ps_tensor *tensor = value->as.tensor;
    int extra =
        ps_tensor_ndim(tensor) - (ps_tensor_ndim(pyps_tensor(array)) - ps_tensor_ndim(mask));
    for (int i = 0; i < extra; i++)
        if (ps_tensor_shape(tensor)[i] != 1)
            return false;
    return true;
}

/* A mask over the first dimensions of an array as one over all: a view. */
static int spread(PyObject *array, ps_tensor *mask, ps_tensor **over)
{
    pyps_places to = {.count = 0};
    pyps_places_add(&to, PS_INDEX_ELLIPSIS, 1);
    pyps_places_add(&to, PS_INDEX_NEW, ps_tensor_ndim(pyps_tensor(array)) - ps_tensor_ndim(mask));
    return pyps_index_done(array, ps_tensor_index(mask, to.list, to.count, over));
}

/* x = where(mask, value, x). */
static int write_common(PyObject *array, ps_tensor *mask, const ps_arg *value)
{
    ps_tensor *x = pyps_tensor(array), *over, *made;
    int ndim = ps_tensor_ndim(x) - ps_tensor_ndim(mask);
    if (spread(array, mask, &over) != 0)
        return -1;
    ps_arg args[3] = {ps_arg_tensor(over), {.kind = PS_ARG_NONE}, ps_arg_tensor(x)};
    int failed = convert(array, value, ndim, &args[1], &made);
    if (!failed)
        failed = pyps_index_call(array, "where", args, 3, &x);
    ps_tensor_release(made);
    ps_tensor_release(over);
    return failed;
}

/* A slice of the value for each element that is true; their number is compared while running. */
static int write_each(PyObject *array, ps_tensor *mask, const ps_arg *value)
{
    ps_tensor *x = pyps_tensor(array), *made;
    int ndim = ps_tensor_ndim(x) - ps_tensor_ndim(mask) + 1;
    ps_arg args[3] = {ps_arg_tensor(x), ps_arg_tensor(mask)};
    int failed = convert(array, value, ndim, &args[2], &made);
    if (!failed)
        failed = pyps_index_call(array, "masked_put", args, 3, &x);
    ps_tensor_release(made);
    return failed;
}

static int write_masked(PyObject *array, ps_tensor *mask, const ps_arg *value)
{
    return is_common(array, mask, value) ? write_common(array, mask, value)
                                         : write_each(array, mask, value);
}

/* ---- Writing at positions ---------------------------------------------------------------- */

/* Where the elements of a result lie in the view. */
typedef struct target {
    const pyps_pick *pick;
    int ndim;                     /* of the result */
    int64_t strides[PS_DIMS_MAX]; /* of the view, as if its elements lay side by side */
    ps_tensor *positions;         /* what is summed up so far; owned */
} target;

static int result_ndim(const pyps_pick *pick)
{
    int ndim = pick->ndim;
    for (unsigned i = 0; i < pick->nsteps; i++)
        ndim += pick->steps[i] == PYPS_STEP_KEEP || pick->steps[i] == PYPS_STEP_NEW;
    return ndim;
}

/* Adds numbers that lie along dimensions [at, at + ndim) of the result. Takes them over. */
static int add_along(target *t, ps_tensor *numbers, int at, int ndim, const int64_t *lengths)
{
    PyObject *array = t->pick->array;
    int64_t shape[PS_DIMS_MAX];
    ps_tensor *view, *sum = NULL;
    for (int i = 0; i < t->ndim; i++)
        shape[i] = i >= at && i < at + ndim ? lengths[i - at] : 1;
    ps_status status = ps_tensor_view_as(numbers, t->ndim, shape, &view);
    ps_tensor_release(numbers);
    if (pyps_index_done(array, status) != 0)
        return -1;
    if (t->positions == NULL) {
        t->positions = view;
        return 0;
    }
    ps_arg args[] = {ps_arg_tensor(t->positions), ps_arg_tensor(view)};
    int failed = pyps_index_call(array, "add", args, 2, &sum);
    ps_tensor_release(view);
    if (failed)
        return -1;
    ps_tensor_release(t->positions);
    t->positions = sum;
    return 0;
}

static int add_arrays(target *t, int at)
{
    const pyps_pick *pick = t->pick;
    int64_t strides[PS_DIMS_MAX];
    ps_tensor *offsets;
    for (unsigned i = 0; i < pick->narrays; i++)
        strides[i] = t->strides[pick->arrays[i].axis];
    if (pyps_pick_offsets(pick, strides, &offsets) != 0)
        return -1;
    return add_along(t, offsets, at, pick->ndim, pick->shape);
}

/* Axes of the view that follow each other and are kept whole: one row of numbers does. */
static int add_kept(target *t, int axis, int count, int at)
{
    const int64_t *lengths = ps_tensor_shape(t->pick->view) + axis;
    int64_t number = 1, stride = t->strides[axis + count - 1];
    ps_tensor *line = NULL;
    for (int i = 0; i < count; i++)
        number *= lengths[i];
    if (number == 1)
        return 0;
    stride = stride > 0 ? stride : 1;
    ps_arg args[] = {ps_arg_int(0), ps_arg_int(number * stride), ps_arg_int(stride),
                     ps_arg_dtype(PS_INT64)};
    if (pyps_index_call(t->pick->array, "arange", args, 4, &line) != 0)
        return -1;
    return add_along(t, line, at, count, lengths);
}

static int add_steps(target *t)
{
    const pyps_pick *pick = t->pick;
    bool placed = pick->front;
    int axis = 0, at = pick->front ? pick->ndim : 0, failed = 0;
    if (pick->front)
        failed = add_arrays(t, 0);
    for (unsigned i = 0; i < pick->nsteps && !failed; i++) {
        pyps_step step = (pyps_step)pick->steps[i];
        int count = 1;
        if (step == PYPS_STEP_KEEP) {
            for (; i + 1 < pick->nsteps && pick->steps[i + 1] == PYPS_STEP_KEEP; i++)
                count++;
            failed = add_kept(t, axis, count, at);
            at += count;
        } else if (step == PYPS_STEP_NEW) {
            at++;
        } else if (step == PYPS_STEP_ARRAY && !placed) {
            failed = add_arrays(t, at);
            at += pick->ndim;
            placed = true;
        }
        axis += step == PYPS_STEP_NEW ? 0 : count;
    }
    return failed;
}

/* Flat positions in the view, in the shape of what the key selects. */
static int find_positions(const pyps_pick *pick, ps_tensor **positions)
{
    target t = {.pick = pick, .ndim = result_ndim(pick), .positions = NULL};
    int64_t stride = 1;
    for (int i = ps_tensor_ndim(pick->view) - 1; i >= 0; i--) {
        t.strides[i] = stride;
        stride *= ps_tensor_shape(pick->view)[i];
    }
    if (t.ndim > PS_DIMS_MAX)
        return pyps_index_error(pick->array, "the index makes %d dimensions, at most %d", t.ndim,
                                PS_DIMS_MAX);
    int failed = add_steps(&t);
    *positions = t.positions; /* the caller's, also on failure */
    return failed;
}

static int write_elements(const pyps_pick *pick, const ps_arg *value)
{
    ps_tensor *view = pick->view, *positions = NULL, *made = NULL;
    int failed = find_positions(pick, &positions);
    if (!failed) {
        ps_arg args[3] = {ps_arg_tensor(view), ps_arg_tensor(positions)};
        failed = convert(pick->array, value, ps_tensor_ndim(positions), &args[2], &made);
        if (!failed)
            failed = pyps_index_call(pick->array, "put", args, 3, &view);
    }
    ps_tensor_release(made);
    ps_tensor_release(positions);
    return failed;
}

/* ---- Writing slices ------------------------------------------------------------------------ */

/* The shape of what the key selects, from the dimensions that reading would have taken. */
static int result_shape(const pyps_pick *pick, const pyps_places *to, int64_t *shape)
{
    int64_t taken[2 * PS_DIMS_MAX], *next = taken;
    int axis = pyps_pick_first(pick), ndim = 0;
    size_t arrays = (size_t)pick->ndim * sizeof taken[0];
    if (pick->front)
        next = (int64_t *)memcpy(next, pick->shape, arrays) + pick->ndim;
    for (int i = 0; i < ps_tensor_ndim(pick->view); i++)
        if (i != axis)
            *next++ = ps_tensor_shape(pick->view)[i];
        else if (!pick->front)
            next = (int64_t *)memcpy(next, pick->shape, arrays) + pick->ndim;
    next = taken;
    for (size_t i = 0; i < to->count; i++) {
        int64_t length = to->list[i].kind == PS_INDEX_NEW ? 1 : *next++;
        if (to->list[i].kind == PS_INDEX_AT)
            continue;
        if (ndim == PS_DIMS_MAX)
            return pyps_index_error(pick->array, "the index makes more than %d dimensions",
                                    PS_DIMS_MAX);
        shape[ndim++] = length;
    }
    return ndim;
}

/* From the order of the result's dimensions to that of the view's: what reading did, backwards.
 * Takes the values over. */
static int arrange(const pyps_pick *pick, ps_tensor *values, pyps_places *to, ps_tensor **arranged)
{
    int axes[PS_DIMS_MAX], axis = pyps_pick_first(pick), count = pick->ndim;
    ps_tensor *view;
    for (size_t i = 0; i < to->count; i++)
        if (to->list[i].kind == PS_INDEX_NEW)
            to->list[i] = (ps_index){.kind = PS_INDEX_AT};
        else if (to->list[i].kind == PS_INDEX_AT)
            to->list[i].kind = PS_INDEX_NEW;
    ps_status status = ps_tensor_index(values, to->list, to->count, &view);
    ps_tensor_release(values);
    if (pyps_index_done(pick->array, status) != 0)
        return -1;
    int ndim = ps_tensor_ndim(view);
    for (int i = 0; i < ndim; i++)
        axes[i] = !pick->front || i >= axis + count ? i : i < axis ? i + count : i - axis;
    status = ps_tensor_permute(view, axes, ndim, arranged);
    ps_tensor_release(view);
    return pyps_index_done(pick->array, status);
}

/* The values as `put` wants them. Takes them over. */
static int spread_values(const pyps_pick *pick, ps_tensor *values, ps_tensor **arranged)
{
    pyps_places to = {.count = 0};
    int64_t shape[PS_DIMS_MAX];
    ps_tensor *all = NULL;
    pyps_pick_places(pick, &to);
    int ndim = result_shape(pick, &to, shape);
    if (ndim >= 0 && pyps_index_done(pick->array, ps_tensor_broadcast(values, ndim, shape, &all)))
        ndim = -1;
    ps_tensor_release(values);
    return ndim >= 0 ? arrange(pick, all, &to, arranged) : -1;
}

static int write_slices(const pyps_pick *pick, const ps_arg *value)
{
    ps_tensor *view = pick->view, *values, *arranged = NULL;
    ps_arg args[] = {ps_arg_tensor(view),
                     ps_arg_tensor(pick->arrays[0].at),
                     {.kind = PS_ARG_NONE},
                     ps_arg_bool(false),
                     ps_arg_int(pyps_pick_first(pick))};
    if (convert(pick->array, value, result_ndim(pick), &args[2], &values) != 0)
        return -1;
    if (values != NULL) {
        if (spread_values(pick, values, &arranged) != 0)
            return -1;
        args[2] = ps_arg_tensor(arranged);
    }
    int failed = pyps_index_call(pick->array, "put", args, 5, &view);
    ps_tensor_release(arranged);
    return failed;
}

/* ---- All together -------------------------------------------------------------------------- */

int pyps_arrays_write(PyObject *array, const pyps_key *key, const ps_arg *value)
{
    pyps_pick pick;
    if (pyps_key_is_mask(key))
        return write_masked(array, key->tensors[0], value);
    if (pyps_pick_begin(&pick, array, key) != 0)
        return -1;
    int failed = pick.narrays == 1 ? write_slices(&pick, value) : write_elements(&pick, value);
    pyps_pick_end(&pick);
    return failed;
}
