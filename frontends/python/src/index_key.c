/* A Python object as a key.
 *
 * A key is one item or a tuple of them. Items that are no integer, slice, None or ... are arrays:
 * of this library, of others, or lists. */
#include "index.h"

/* ---- Items ------------------------------------------------------------------------------- */

int pyps_key_slice(ps_index *item, PyObject *slice)
{
    Py_ssize_t start, stop, step;
    if (PySlice_Unpack(slice, &start, &stop, &step) < 0)
        return -1;
    /* What Python clipped to the smallest number must not read as left out, except where both mean
     * the same: the end of a range that runs backwards. */
    item->kind = PS_INDEX_RANGE;
    item->start = start == PY_SSIZE_T_MIN ? start + 1 : start;
    item->stop = stop == PY_SSIZE_T_MIN && step > 0 ? stop + 1 : stop;
    item->step = step;
    return 0;
}

int pyps_key_check(PyObject *array, int64_t at, int axis, int64_t length)
{
    if (PYPS_LIKELY(at >= -length && at < length))
        return 0;
    return pyps_index_error(array, "index %lld is out of bounds for axis %d with size %lld",
                            (long long)at, axis, (long long)length);
}

static int refuse(PyObject *array, PyObject *object)
{
    return pyps_key_error(array,
                          "only integers, slices, ellipsis, None, and integer or boolean arrays "
                          "are valid indices, not %.200s",
                          Py_TYPE(object)->tp_name);
}

static int add_integer(pyps_key *key, PyObject *array, PyObject *integer)
{
    int overflow;
    long long at = PyLong_AsLongLongAndOverflow(integer, &overflow);
    if (overflow != 0)
        return pyps_index_error(array, "index %S is out of bounds", integer);
    if (at == -1 && PyErr_Occurred())
        return -1;
    key->items[key->count].kind = PS_INDEX_AT;
    key->items[key->count++].start = at;
    key->used++;
    return 0;
}

/* An object of another library that has dimensions is an array, even if it could be an integer. */
static bool has_dimensions(PyObject *object)
{
    PyObject *ndim = PyObject_GetAttrString(object, "ndim");
    long count = ndim != NULL && PyLong_Check(ndim) ? PyLong_AsLong(ndim) : 0;
    PyErr_Clear();
    Py_XDECREF(ndim);
    return count > 0;
}

/* 1 if the object was taken as an integer, 0 if it is none. */
static int try_integer(pyps_key *key, PyObject *array, PyObject *object)
{
    if (!PyIndex_Check(object) || has_dimensions(object))
        return 0;
    PyObject *integer = PyNumber_Index(object);
    if (integer == NULL) {
        if (!PyErr_ExceptionMatches(PyExc_TypeError))
            return -1;
        PyErr_Clear();
        return 0;
    }
    int status = add_integer(key, array, integer);
    Py_DECREF(integer);
    return status == 0 ? 1 : -1;
}

/* ---- Arrays ------------------------------------------------------------------------------ */

static bool is_integer(ps_dtype dtype)
{
    return dtype >= PS_INT8 && dtype <= PS_UINT64;
}

/* Takes the tensor over, also on failure. Where integers are floats, floats are positions. */
static int add_tensor(pyps_key *key, PyObject *array, ps_tensor *tensor, bool listed)
{
    ps_dtype dtype = ps_tensor_dtype(tensor);
    bool loose = (listed && ps_tensor_count(tensor) == 0) ||
                 !is_integer((ps_dtype)pyps_dialect_get(array)->policy.int_type);
    /* Where comparisons give numbers, bool is one too. */
    bool truths = listed && dtype == PS_BOOL && pyps_dialect_get(array)->policy.compare != -1;
    if (truths || (dtype != PS_BOOL && !is_integer(dtype))) {
        ps_tensor *converted = NULL;
        ps_arg args[] = {ps_arg_tensor(tensor), ps_arg_dtype(PS_INT64)};
        int failed = loose || truths
                         ? pyps_index_call(array, "cast", args, 2, &converted)
                         : pyps_index_error(array,
                                            "arrays used as indices must be of integer or "
                                            "boolean type, not %s",
                                            ps_dtype_name(dtype));
        ps_tensor_release(tensor);
        if (failed)
            return -1;
        tensor = converted;
    }
    bool mask = dtype == PS_BOOL && !truths;
    key->items[key->count].kind = (ps_index_kind)(mask ? PYPS_KEY_MASK : PYPS_KEY_ARRAY);
    key->tensors[key->count++] = tensor;
    key->arrays++;
    key->used += mask ? ps_tensor_ndim(tensor) : 1;
    return 0;
}

static int add_truth(pyps_key *key, PyObject *array, bool truth)
{
    ps_tensor *tensor;
    ps_device *device = ps_tensor_device(pyps_tensor(array));
    ps_status status = ps_tensor_from_host(PS_BOOL, 0, NULL, NULL, &truth, device, &tensor);
    if (pyps_index_done(array, status) != 0)
        return -1;
    return add_tensor(key, array, tensor, false);
}

static int add_array(pyps_key *key, PyObject *array, PyObject *object)
{
    if (pyps_index_done(array, ps_tensor_retain(pyps_tensor(object))) != 0)
        return -1;
    return add_tensor(key, array, pyps_tensor(object), false);
}

static int add_other(pyps_key *key, PyObject *array, PyObject *object)
{
    pyps_import wanted = {.dialect = pyps_native,
                          .dtype = -1,
                          .copy = -1,
                          .sequences = true,
                          .device = ps_tensor_device(pyps_tensor(array))};
    bool text = PyUnicode_Check(object) || PyBytes_Check(object) || PyByteArray_Check(object);
    if (text || PyFloat_Check(object) || PyComplex_Check(object))
        return refuse(array, object);
    int integer = try_integer(key, array, object);
    if (integer != 0)
        return integer > 0 ? 0 : -1;
    ps_tensor *tensor = pyps_import_object(object, &wanted);
    if (tensor == NULL)
        return PyErr_Occurred() ? -1 : refuse(array, object);
    return add_tensor(key, array, tensor, PyList_Check(object) || PyTuple_Check(object));
}

/* ---- Keys -------------------------------------------------------------------------------- */

static int add_ellipsis(pyps_key *key, PyObject *array)
{
    if (key->ellipsis)
        return pyps_index_error(array, "an index can only have a single ellipsis ('...')");
    key->ellipsis = true;
    key->items[key->count++].kind = PS_INDEX_ELLIPSIS;
    return 0;
}

static int add_item(pyps_key *key, PyObject *array, PyObject *object)
{
    if (PyLong_CheckExact(object))
        return add_integer(key, array, object);
    if (PySlice_Check(object)) {
        if (pyps_key_slice(&key->items[key->count], object) != 0)
            return -1;
        key->count++;
        key->used++;
        return 0;
    }
    if (object == Py_None) {
        key->expands = true;
        key->items[key->count++].kind = PS_INDEX_NEW;
        return 0;
    }
    if (object == Py_Ellipsis)
        return add_ellipsis(key, array);
    if (PyBool_Check(object))
        return add_truth(key, array, object == Py_True);
    if (pyps_is_array(object))
        return add_array(key, array, object);
    return add_other(key, array, object);
}

static int add_items(pyps_key *key, PyObject *array, PyObject *object)
{
    if (!PyTuple_Check(object))
        return add_item(key, array, object);
    Py_ssize_t count = PyTuple_GET_SIZE(object);
    if (count > PYPS_KEY_ROOM)
        return pyps_index_error(array, "%zd indices, at most %d", count, (int)PYPS_KEY_ROOM);
    for (Py_ssize_t i = 0; i < count; i++)
        if (add_item(key, array, PyTuple_GET_ITEM(object, i)) != 0)
            return -1;
    return 0;
}

static int check_mask(PyObject *array, const ps_tensor *mask, int axis)
{
    const int64_t *lengths = ps_tensor_shape(pyps_tensor(array)) + axis;
    for (int i = 0; i < ps_tensor_ndim(mask); i++)
        if (ps_tensor_shape(mask)[i] != lengths[i])
            return pyps_index_error(array,
                                    "boolean index did not match indexed array along axis %d; size "
                                    "of axis is %lld but size of corresponding boolean axis is "
                                    "%lld",
                                    axis + i, (long long)lengths[i],
                                    (long long)ps_tensor_shape(mask)[i]);
    return 0;
}

static int check_dimensions(pyps_key *key, PyObject *array)
{
    int ndim = ps_tensor_ndim(pyps_tensor(array)), made = 0;
    if (key->used > ndim)
        return pyps_index_error(array,
                                "too many indices for array: array is %d-dimensional, but %d were "
                                "indexed",
                                ndim, key->used);
    key->rest = ndim - key->used;
    for (unsigned i = 0; i < key->count; i++)
        made += key->items[i].kind == PS_INDEX_NEW || key->items[i].kind == PS_INDEX_RANGE;
    if (made + key->rest > PS_DIMS_MAX)
        return pyps_index_error(array, "the index makes %d dimensions, at most %d",
                                made + key->rest, PS_DIMS_MAX);
    return 0;
}

static int check_items(const pyps_key *key, PyObject *array)
{
    const ps_tensor *tensor = pyps_tensor(array);
    int axis = 0, status = 0;
    for (unsigned i = 0; i < key->count && status == 0; i++)
        switch ((int)key->items[i].kind) {
        case PS_INDEX_ELLIPSIS:
            axis += key->rest;
            break;
        case PS_INDEX_AT:
            status =
                pyps_key_check(array, key->items[i].start, axis, ps_tensor_shape(tensor)[axis]);
            axis++;
            break;
        case PS_INDEX_RANGE:
        case PYPS_KEY_ARRAY:
            axis++;
            break;
        case PYPS_KEY_MASK:
            status = check_mask(array, key->tensors[i], axis);
            axis += ps_tensor_ndim(key->tensors[i]);
            break;
        default:
            break;
        }
    return status;
}

int pyps_key_begin(pyps_key *key, PyObject *array, PyObject *object)
{
    key->count = key->arrays = 0;
    key->used = 0;
    key->ellipsis = key->expands = false;
    if (add_items(key, array, object) == 0 && check_dimensions(key, array) == 0 &&
        check_items(key, array) == 0)
        return 0;
    pyps_key_end(key);
    return -1;
}

void pyps_key_end(pyps_key *key)
{
    for (unsigned i = 0; key->arrays > 0 && i < key->count; i++)
        if ((int)key->items[i].kind >= PYPS_KEY_ARRAY)
            ps_tensor_release(key->tensors[i]);
    key->arrays = 0;
}

bool pyps_key_is_mask(const pyps_key *key)
{
    return (int)key->items[0].kind == PYPS_KEY_MASK && ps_tensor_ndim(key->tensors[0]) > 0 &&
           (key->count == 1 || (key->count == 2 && key->items[1].kind == PS_INDEX_ELLIPSIS));
}
