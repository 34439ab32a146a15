/* Reading through keys with arrays: slices are taken at positions along one axis. Several arrays
 * have their axes made one first. A mask alone selects what is under it, and is waited for. */
#include "index.h"

/* ---- Several axes as one ----------------------------------------------------------------- */

/* The view with the arrays' axes in front of all others. */
static int move_to_front(const pyps_pick *pick, ps_tensor **moved)
{
    int axes[PS_DIMS_MAX], count = 0, ndim = ps_tensor_ndim(pick->view);
    uint8_t steps[PS_DIMS_MAX];
    pyps_pick_steps(pick, steps);
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < ndim; i++)
            if ((steps[i] == PYPS_STEP_ARRAY) == (pass == 0))
                axes[count++] = i;
    return pyps_index_done(pick->array, ps_tensor_permute(pick->view, axes, ndim, moved));
}

/* Axes [first, last] as one. Takes the tensor over. */
static int join(PyObject *array, ps_tensor *tensor, int first, int last, ps_tensor **joined)
{
    int64_t shape[PS_DIMS_MAX];
    int ndim = 0;
    for (int i = 0; i < ps_tensor_ndim(tensor); i++) {
        int64_t length = ps_tensor_shape(tensor)[i];
        if (i > first && i <= last)
            shape[ndim - 1] *= length;
        else
            shape[ndim++] = length;
    }
    ps_arg args[] = {ps_arg_tensor(tensor), ps_arg_ints(shape, (size_t)ndim)};
    *joined = NULL;
    int failed = pyps_index_call(array, "reshape", args, 2, joined);
    ps_tensor_release(tensor);
    return failed;
}

/* The view with the arrays' axes as one, and which it is. */
static int join_axes(const pyps_pick *pick, ps_tensor **joined, int *axis)
{
    ps_tensor *tensor = pick->view;
    *axis = 0;
    if (!pyps_pick_adjacent(pick)) {
        if (move_to_front(pick, &tensor) != 0)
            return -1;
        return join(pick->array, tensor, 0, (int)pick->narrays - 1, joined);
    }
    *axis = pyps_pick_first(pick);
    if (pyps_index_done(pick->array, ps_tensor_retain(tensor)) != 0)
        return -1;
    return join(pick->array, tensor, *axis, pyps_pick_last(pick), joined);
}

/* Positions in the one axis. */
static int join_positions(const pyps_pick *pick, ps_tensor **positions)
{
    int64_t strides[PS_DIMS_MAX], stride = 1;
    for (unsigned i = pick->narrays; i-- > 0;) {
        strides[i] = stride;
        stride *= ps_tensor_shape(pick->view)[pick->arrays[i].axis];
    }
    return pyps_pick_offsets(pick, strides, positions);
}

/* ---- Reading ----------------------------------------------------------------------------- */

/* Slices at the positions; the dimensions of the positions begin at *axis of the result. */
static int take(const pyps_pick *pick, ps_tensor **taken, int *axis)
{
    ps_tensor *joined, *positions;
    *taken = NULL;
    if (pick->narrays == 1) {
        *axis = pyps_pick_first(pick);
        ps_arg args[] = {ps_arg_tensor(pick->view), ps_arg_tensor(pick->arrays[0].at),
                         ps_arg_int(*axis)};
        return pyps_index_call(pick->array, "take", args, 3, taken);
    }
    if (join_positions(pick, &positions) != 0)
        return -1;
    int failed = join_axes(pick, &joined, axis);
    if (!failed) {
        ps_arg args[] = {ps_arg_tensor(joined), ps_arg_tensor(positions), ps_arg_int(*axis)};
        failed = pyps_index_call(pick->array, "take", args, 3, taken);
        ps_tensor_release(joined);
    }
    ps_tensor_release(positions);
    return failed;
}

/* Dimensions [at, at + count) before all others. Takes the tensor over. */
static int rotate(PyObject *array, ps_tensor *tensor, int at, int count, ps_tensor **rotated)
{
    int axes[PS_DIMS_MAX], ndim = ps_tensor_ndim(tensor);
    for (int i = 0; i < ndim; i++)
        axes[i] = i < count ? at + i : i < at + count ? i - count : i;
    ps_status status = ps_tensor_permute(tensor, axes, ndim, rotated);
    ps_tensor_release(tensor);
    return pyps_index_done(array, status);
}

static int read_pick(const pyps_pick *pick, ps_tensor **result)
{
    pyps_places to = {.count = 0};
    ps_tensor *taken;
    int axis;
    if (take(pick, &taken, &axis) != 0)
        return -1;
    if (pick->front && axis > 0 && rotate(pick->array, taken, axis, pick->ndim, &taken) != 0)
        return -1;
    pyps_pick_places(pick, &to);
    ps_status status = ps_tensor_index(taken, to.list, to.count, result);
    ps_tensor_release(taken);
    return pyps_index_done(pick->array, status);
}

int pyps_arrays_read(PyObject *array, const pyps_key *key, ps_tensor **result)
{
    pyps_pick pick;
    *result = NULL;
    if (pyps_key_is_mask(key)) {
        ps_arg args[] = {ps_arg_tensor(pyps_tensor(array)), ps_arg_tensor(key->tensors[0])};
        return pyps_index_call(array, "masked_select", args, 2, result);
    }
    if (pyps_pick_begin(&pick, array, key) != 0)
        return -1;
    int failed = read_pick(&pick, result);
    pyps_pick_end(&pick);
    return failed;
}
