/* Keys with arrays in them: which elements they mean.
 *
 * A key is taken apart into a view, by its ranges, and arrays of positions along axes of that view.
 * An integer becomes a range of length 1 whose dimension the result lacks; a mask becomes the
 * positions where it is true, one array for each of its dimensions.
 *
 * Several arrays are brought together by arithmetic on positions, which is queued like any other.
 * Whether positions are in range is found by reading a table of multiples at them: the error names
 * axis and position. */
#include "index.h"

/* ---- Taking a key apart ------------------------------------------------------------------ */

typedef struct building {
    pyps_pick *pick;
    unsigned naxes;
    ps_index axes[PYPS_KEY_ROOM + PS_DIMS_MAX]; /* of the view */
    int group; /* 0: no array or integer yet; 1: the last item was one; 2: something came after */
} building;

static const ps_index everything = {PS_INDEX_RANGE, PS_INDEX_NONE, PS_INDEX_NONE, PS_INDEX_NONE};

static void add_axis(building *b, ps_index axis, pyps_step step)
{
    b->axes[b->naxes++] = axis;
    b->pick->steps[b->pick->nsteps++] = (uint8_t)step;
}

static void add_rest(building *b, int rest)
{
    for (int i = 0; i < rest; i++)
        add_axis(b, everything, PYPS_STEP_KEEP);
}

/* Counted from the start: no range of negative ends has the last position alone. */
static void add_position(building *b, const ps_index *item, int axis)
{
    int64_t length = ps_tensor_shape(pyps_tensor(b->pick->array))[axis];
    int64_t at = item->start < 0 ? item->start + length : item->start;
    add_axis(b, (ps_index){PS_INDEX_RANGE, at, at + 1, 1}, PYPS_STEP_DROP);
}

static void note_group(building *b, bool member)
{
    if (member) {
        b->pick->front |= b->group == 2;
        b->group = 1;
    } else if (b->group == 1) {
        b->group = 2;
    }
}

/* (2, 3) */
static PyObject *shape_tuple(int ndim, const int64_t *shape)
{
    PyObject *tuple = PyTuple_New(ndim);
    for (int i = 0; tuple != NULL && i < ndim; i++) {
        PyObject *length = PyLong_FromLongLong(shape[i]);
        if (length == NULL)
            Py_CLEAR(tuple);
        else
            PyTuple_SET_ITEM(tuple, i, length);
    }
    return tuple;
}

static int refuse_shapes(const pyps_pick *pick, const ps_tensor *tensor)
{
    PyObject *a = shape_tuple(pick->ndim, pick->shape);
    PyObject *b = shape_tuple(ps_tensor_ndim(tensor), ps_tensor_shape(tensor));
    if (a != NULL && b != NULL)
        pyps_key_error(pick->array,
                       "shape mismatch: indexing arrays could not be broadcast together with "
                       "shapes %S %S",
                       a, b);
    Py_XDECREF(a);
    Py_XDECREF(b);
    return -1;
}

/* The common shape of the arrays so far and one more. */
static int broadcast(pyps_pick *pick, const ps_tensor *tensor)
{
    int ndim = ps_tensor_ndim(tensor), more = ndim - pick->ndim;
    int64_t shape[PS_DIMS_MAX];
    int longest = more > 0 ? ndim : pick->ndim;
    for (int i = 1; i <= longest; i++) {
        int64_t a = i <= pick->ndim ? pick->shape[pick->ndim - i] : 1;
        int64_t b = i <= ndim ? ps_tensor_shape(tensor)[ndim - i] : 1;
        if (a != b && a != 1 && b != 1)
            return refuse_shapes(pick, tensor);
        shape[longest - i] = a == 1 ? b : a;
    }
    pick->ndim = longest;
    memcpy(pick->shape, shape, (size_t)longest * sizeof shape[0]);
    return 0;
}

/* Takes the tensor over, also on failure. */
static int add_positions(building *b, ps_tensor *at, ps_index axis, bool sure)
{
    pyps_pick *pick = b->pick;
    if (pick->narrays == PS_DIMS_MAX || broadcast(pick, at) != 0) {
        if (pick->narrays == PS_DIMS_MAX)
            pyps_index_error(pick->array, "more than %d arrays in an index", PS_DIMS_MAX);
        ps_tensor_release(at);
        return -1;
    }
    pick->arrays[pick->narrays++] = (pyps_positions){at, (int)b->naxes, sure};
    add_axis(b, axis, PYPS_STEP_ARRAY);
    return 0;
}

static int add_array(building *b, ps_tensor *at)
{
    if (pyps_index_done(b->pick->array, ps_tensor_retain(at)) != 0)
        return -1;
    return add_positions(b, at, everything, false);
}

/* A mask without dimensions: a new dimension, of which one position is taken or none. Waits. */
static int add_truth(building *b, ps_tensor *mask)
{
    ps_scalar truth;
    PyObject *array = b->pick->array;
    pyps_enter();
    if (pyps_index_done(array, ps_tensor_item(mask, &truth)) != 0)
        return -1;
    int64_t count = truth.as.b;
    ps_arg args[] = {ps_arg_ints(&count, 1), ps_arg_dtype(PS_INT64)};
    ps_tensor *zeros = NULL;
    if (pyps_index_call(array, "zeros", args, 2, &zeros) != 0)
        return -1;
    return add_positions(b, zeros, (ps_index){.kind = PS_INDEX_NEW}, true);
}

/* Waits for the mask. */
static int add_mask(building *b, ps_tensor *mask)
{
    PyObject *array = b->pick->array;
    ps_arg arg = ps_arg_tensor(mask);
    ps_tensor *rows = NULL, *column;
    if (ps_tensor_ndim(mask) == 0)
        return add_truth(b, mask);
    int failed = pyps_index_call(array, "nonzero", &arg, 1, &rows);
    for (int i = 0; !failed && i < ps_tensor_ndim(mask); i++) {
        ps_index place[] = {everything, {.kind = PS_INDEX_AT, .start = i}};
        failed = pyps_index_done(array, ps_tensor_index(rows, place, 2, &column));
        if (!failed)
            failed = add_positions(b, column, everything, true);
    }
    ps_tensor_release(rows);
    return failed;
}

static int add_item(building *b, const pyps_key *key, unsigned i)
{
    const ps_index *item = &key->items[i];
    int kind = (int)item->kind;
    note_group(b, kind == PS_INDEX_AT || kind >= PYPS_KEY_ARRAY);
    switch (kind) {
    case PS_INDEX_RANGE:
        add_axis(b, *item, PYPS_STEP_KEEP);
        return 0;
    case PS_INDEX_NEW:
        b->pick->steps[b->pick->nsteps++] = PYPS_STEP_NEW;
        return 0;
    case PS_INDEX_ELLIPSIS:
        add_rest(b, key->rest);
        return 0;
    case PYPS_KEY_ARRAY:
        return add_array(b, key->tensors[i]);
    case PYPS_KEY_MASK:
        return add_mask(b, key->tensors[i]);
    default:
        return 0;
    }
}

static int add_items(building *b, const pyps_key *key)
{
    int axis = 0; /* of the array */
    for (unsigned i = 0; i < key->count; i++) {
        int kind = (int)key->items[i].kind;
        if (kind == PS_INDEX_AT)
            add_position(b, &key->items[i], axis);
        if (add_item(b, key, i) != 0)
            return -1;
        if (kind == PYPS_KEY_MASK)
            axis += ps_tensor_ndim(key->tensors[i]);
        else if (kind == PS_INDEX_ELLIPSIS)
            axis += key->rest;
        else if (kind != PS_INDEX_NEW)
            axis++;
    }
    if (!key->ellipsis)
        add_rest(b, key->rest);
    return 0;
}

int pyps_pick_begin(pyps_pick *pick, PyObject *array, const pyps_key *key)
{
    building b = {.pick = pick};
    pick->array = array;
    pick->view = NULL;
    pick->nsteps = pick->narrays = 0;
    pick->ndim = 0;
    pick->front = false;
    if (add_items(&b, key) == 0 &&
        pyps_index_done(array, ps_tensor_index(pyps_tensor(array), b.axes, b.naxes, &pick->view)) ==
            0)
        return 0;
    pyps_pick_end(pick);
    return -1;
}

void pyps_pick_end(pyps_pick *pick)
{
    ps_tensor_release(pick->view);
    for (unsigned i = 0; i < pick->narrays; i++)
        ps_tensor_release(pick->arrays[i].at);
}

/* ---- Positions --------------------------------------------------------------------------- */

static int multiply(PyObject *array, ps_tensor *at, int64_t stride, ps_tensor **product)
{
    ps_arg args[] = {ps_arg_tensor(at), ps_arg_int(stride)};
    return pyps_index_call(array, "multiply", args, 2, product);
}

/* 0, stride, 2 stride, ... along an axis, all dimensions before which have length 1. */
static int make_table(PyObject *array, int axis, int64_t length, int64_t stride, ps_tensor **table)
{
    ps_arg args[] = {ps_arg_int(0), ps_arg_int(length * stride), ps_arg_int(stride),
                     ps_arg_dtype(PS_INT64)};
    ps_index places[PS_DIMS_MAX];
    ps_tensor *line = NULL;
    if (pyps_index_call(array, "arange", args, 4, &line) != 0)
        return -1;
    for (int i = 0; i < axis; i++)
        places[i] = (ps_index){.kind = PS_INDEX_NEW};
    ps_status status = ps_tensor_index(line, places, (size_t)axis, table);
    ps_tensor_release(line);
    return pyps_index_done(array, status);
}

/* Without its first dimensions, which have length 1. Takes the tensor over. */
static int drop_first(PyObject *array, ps_tensor *tensor, int count, ps_tensor **view)
{
    ps_index places[PS_DIMS_MAX];
    for (int i = 0; i < count; i++)
        places[i] = (ps_index){.kind = PS_INDEX_AT};
    ps_status status = ps_tensor_index(tensor, places, (size_t)count, view);
    ps_tensor_release(tensor);
    return pyps_index_done(array, status);
}

/* Positions of one array times the stride, all counted from the start. */
static int scale(const pyps_pick *pick, const pyps_positions *positions, int64_t stride,
                 ps_tensor **scaled)
{
    int axis = positions->axis;
    ps_tensor *table, *found = NULL;
    if (positions->sure)
        return multiply(pick->array, positions->at, stride, scaled);
    if (make_table(pick->array, axis, ps_tensor_shape(pick->view)[axis], stride, &table) != 0)
        return -1;
    ps_arg args[] = {ps_arg_tensor(table), ps_arg_tensor(positions->at), ps_arg_int(axis)};
    int failed = pyps_index_call(pick->array, "take", args, 3, &found);
    ps_tensor_release(table);
    return failed ? -1 : drop_first(pick->array, found, axis, scaled);
}

int pyps_pick_offsets(const pyps_pick *pick, const int64_t *strides, ps_tensor **offsets)
{
    ps_tensor *sum = NULL;
    for (unsigned i = 0; i < pick->narrays; i++) {
        ps_tensor *next = NULL, *more = NULL;
        /* Where an axis has no elements a stride may be 0, and nothing be selected. */
        int64_t stride = strides[i] > 0 ? strides[i] : 1;
        int failed = scale(pick, &pick->arrays[i], stride, &next);
        if (!failed && sum != NULL) {
            ps_arg args[] = {ps_arg_tensor(sum), ps_arg_tensor(next)};
            failed = pyps_index_call(pick->array, "add", args, 2, &more);
            ps_tensor_release(next);
            next = more;
        }
        ps_tensor_release(sum);
        if (failed)
            return -1;
        sum = next;
    }
    *offsets = sum;
    return 0;
}

/* ---- Dimensions --------------------------------------------------------------------------- */

void pyps_pick_steps(const pyps_pick *pick, uint8_t *steps)
{
    for (unsigned i = 0; i < pick->nsteps; i++)
        if (pick->steps[i] != PYPS_STEP_NEW)
            *steps++ = pick->steps[i];
}

bool pyps_pick_adjacent(const pyps_pick *pick)
{
    uint8_t steps[PS_DIMS_MAX];
    pyps_pick_steps(pick, steps);
    for (int i = pyps_pick_first(pick); i < pyps_pick_last(pick); i++)
        if (steps[i] == PYPS_STEP_KEEP)
            return false;
    return true;
}

void pyps_places_add(pyps_places *to, ps_index_kind kind, int count)
{
    ps_index place = {kind, PS_INDEX_NONE, PS_INDEX_NONE, PS_INDEX_NONE};
    if (kind == PS_INDEX_AT)
        place.start = 0;
    for (int i = 0; i < count; i++)
        to->list[to->count++] = place;
}

/* Between arrays whose axes were joined, integers have no dimension any more. */
void pyps_pick_places(const pyps_pick *pick, pyps_places *to)
{
    bool joined = pick->narrays > 1 && pyps_pick_adjacent(pick), placed = pick->front;
    int axis = 0;
    if (pick->front)
        pyps_places_add(to, PS_INDEX_RANGE, pick->ndim);
    for (unsigned i = 0; i < pick->nsteps; i++) {
        pyps_step step = (pyps_step)pick->steps[i];
        if (step == PYPS_STEP_KEEP)
            pyps_places_add(to, PS_INDEX_RANGE, 1);
        else if (step == PYPS_STEP_NEW)
            pyps_places_add(to, PS_INDEX_NEW, 1);
        else if (step == PYPS_STEP_ARRAY && !placed)
            pyps_places_add(to, PS_INDEX_RANGE, pick->ndim);
        else if (step == PYPS_STEP_DROP &&
                 !(joined && axis > pyps_pick_first(pick) && axis < pyps_pick_last(pick)))
            pyps_places_add(to, PS_INDEX_AT, 1);
        placed |= step == PYPS_STEP_ARRAY;
        axis += step != PYPS_STEP_NEW;
    }
}
