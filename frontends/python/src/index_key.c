/* A Python object as a key.
 *
 * A key is one item or a tuple of them. Items that are no integer, slice, None or ... are arrays:
 * of this library, of others, or lists. */
#include "index.h"

#include <stdarg.h>

/* ---- Items ------------------------------------------------------------------------------- */

int pyps_key_slice(PyObject *array, ps_index *item, PyObject *slice)
{
    Py_ssize_t start, stop, step;
    if (PySlice_Unpack(slice, &start, &stop, &step) < 0)
        return -1;
    if (PYPS_UNLIKELY(step < 0) && pyps_dialect_get(array)->policy.forward) {
        PyErr_SetString(PyExc_ValueError, "step must be greater than zero");
        return -1;
    }
    /* What Python clipped to the smallest number must not read as left out, except where both mean
     * the same: the end of a range that runs backwards. */
    item->kind = PS_INDEX_RANGE;
    item->start = start == PY_SSIZE_T_MIN ? start + 1 : start;
    item->stop = stop == PY_SSIZE_T_MIN && step > 0 ? stop + 1 : stop;
    item->step = step;
    return 0;
}

/* An exception of the dialect's for that kind of error. Returns -1. */
static int fail(PyObject *array, pyps_error_kind kind, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    pyps_error_v(pyps_dialect_get(array)->errors[kind], format, args);
    va_end(args);
    return -1;
}

static int refuse(PyObject *array, PyObject *object)
{
    return fail(array, PYPS_ERROR_KEY,
                "only integers, slices, ellipsis, None, and integer or boolean arrays are valid "
                "indices, not %.200s",
                Py_TYPE(object)->tp_name);
}

static int add_integer(pyps_key *key, PyObject *array, PyObject *integer)
{
    int overflow;
    long long at = PyLong_AsLongLongAndOverflow(integer, &overflow);
    if (overflow != 0)
        return fail(array, PYPS_ERROR_INDEX, "index %S is out of bounds", integer);
    if (at == -1 && PyErr_Occurred())
        return -1;
    key->items[key->count++] = (ps_index){.kind = PS_INDEX_AT, .start = at};
    key->selects = true;
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

/* Replaces a tensor by what holds its elements as positions, or as truth values. */
static int convert(PyObject *array, ps_tensor **tensor, ps_dtype dtype)
{
    ps_tensor *converted = NULL;
    ps_arg args[] = {ps_arg_tensor(*tensor), ps_arg_dtype(dtype)};
    int failed = pyps_index_call(array, "cast", args, 2, &converted);
    ps_tensor_release(*tensor);
    *tensor = converted;
    return failed;
}

/* Takes the tensor over, also on failure. */
static int add_tensor(pyps_key *key, PyObject *array, ps_tensor *tensor, bool listed)
{
    const pyps_policy *policy = &pyps_dialect_get(array)->policy;
    ps_dtype dtype = ps_tensor_dtype(tensor);
    bool mask = dtype == PS_BOOL, positions = false;
    if (mask) /* where comparisons give numbers, bool is one too */
        positions = listed && policy->compare != -1;
    else if (!is_integer(dtype)) /* where integers are floats, floats are positions */
        positions =
            (listed && ps_tensor_count(tensor) == 0) || !is_integer((ps_dtype)policy->int_type);
    else if (dtype == PS_UINT8 && policy->list_keys && !listed)
        mask = true;
    if (mask && !positions && dtype != PS_BOOL && convert(array, &tensor, PS_BOOL) != 0)
        return -1;
    if (positions && convert(array, &tensor, PS_INT64) != 0)
        return -1;
    ps_index_kind kind = mask && !positions ? PS_INDEX_MASK : PS_INDEX_ARRAY;
    key->items[key->count++] = ps_index_tensor(kind, tensor);
    key->arrays++;
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

/* An integer that is not known yet, where it selects as any other: waits for it. */
static int add_computed(pyps_key *key, PyObject *array, PyObject *object)
{
    PyObject *integer = pyps_item(object);
    int status = integer != NULL ? add_integer(key, array, integer) : -1;
    Py_XDECREF(integer);
    return status;
}

static int add_array(pyps_key *key, PyObject *array, PyObject *object)
{
    const ps_tensor *tensor = pyps_tensor(object);
    const pyps_policy *policy = &pyps_dialect_get(array)->policy;
    ps_dtype dtype = ps_tensor_dtype(tensor);
    if (policy->select_first && ps_tensor_ndim(tensor) == 0 && is_integer(dtype) &&
        !(dtype == PS_UINT8 && policy->list_keys))
        return add_computed(key, array, object);
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

static int add_item(pyps_key *key, PyObject *array, PyObject *object)
{
    if (PyLong_CheckExact(object))
        return add_integer(key, array, object);
    if (PySlice_Check(object)) {
        if (pyps_key_slice(array, &key->items[key->count], object) != 0)
            return -1;
        key->count++;
        key->selects = true;
        return 0;
    }
    if (object == Py_None) {
        key->expands = true;
        key->items[key->count++] = (ps_index){.kind = PS_INDEX_NEW};
        return 0;
    }
    if (object == Py_Ellipsis) {
        key->items[key->count++] = (ps_index){.kind = PS_INDEX_ELLIPSIS};
        return 0;
    }
    if (PyBool_Check(object))
        return add_truth(key, array, object == Py_True);
    if (pyps_is_array(object))
        return add_array(key, array, object);
    return add_other(key, array, object);
}

/* A list that holds more than numbers, where that is a tuple of items. */
static bool is_tuple_of_items(PyObject *array, PyObject *list)
{
    enum { SHORT = 32 };
    Py_ssize_t count = PyList_GET_SIZE(list);
    if (!pyps_dialect_get(array)->policy.list_keys || count >= SHORT)
        return false;
    for (Py_ssize_t i = 0; i < count; i++) {
        PyObject *item = PyList_GET_ITEM(list, i);
        if (pyps_is_array(item) || PySequence_Check(item) || PySlice_Check(item) ||
            item == Py_None || item == Py_Ellipsis)
            return true;
    }
    return false;
}

/* What follows an ellipsis to the end of the key is nothing if it is another. */
static void drop_ellipses(pyps_key *key)
{
    unsigned first = 0;
    while (first < key->count && key->items[first].kind != PS_INDEX_ELLIPSIS)
        first++;
    while (key->count > first + 1 && key->items[key->count - 1].kind == PS_INDEX_ELLIPSIS)
        key->count--;
}

static int add_tuple(pyps_key *key, PyObject *array, PyObject *items)
{
    Py_ssize_t count = PyTuple_GET_SIZE(items);
    if (count > PYPS_KEY_ROOM)
        return fail(array, PYPS_ERROR_INDEX, "%zd indices, at most %d", count, (int)PYPS_KEY_ROOM);
    for (Py_ssize_t i = 0; i < count; i++)
        if (add_item(key, array, PyTuple_GET_ITEM(items, i)) != 0)
            return -1;
    if (pyps_dialect_get(array)->policy.list_keys)
        drop_ellipses(key);
    return 0;
}

static int add_items(pyps_key *key, PyObject *array, PyObject *object)
{
    if (PyTuple_Check(object))
        return add_tuple(key, array, object);
    if (!PyList_Check(object) || !is_tuple_of_items(array, object))
        return add_item(key, array, object);
    PyObject *items = PyList_AsTuple(object);
    int status = items != NULL ? add_tuple(key, array, items) : -1;
    Py_XDECREF(items);
    return status;
}

int pyps_key_begin(pyps_key *key, PyObject *array, PyObject *object)
{
    key->count = key->arrays = 0;
    key->selects = key->expands = false;
    if (add_items(key, array, object) == 0)
        return 0;
    pyps_key_end(key);
    return -1;
}

void pyps_key_end(pyps_key *key)
{
    for (unsigned i = 0; key->arrays > 0 && i < key->count; i++)
        if (key->items[i].kind == PS_INDEX_ARRAY || key->items[i].kind == PS_INDEX_MASK)
            ps_tensor_release((ps_tensor *)(intptr_t)key->items[i].start);
    key->arrays = 0;
}

static bool has_integers(const pyps_key *key)
{
    for (unsigned i = 0; i < key->count; i++)
        if (key->items[i].kind == PS_INDEX_AT)
            return true;
    return false;
}

/* How many dimensions an item is about. */
static int dimensions_of(const ps_index *item)
{
    if (item->kind == PS_INDEX_MASK)
        return ps_tensor_ndim((const ps_tensor *)(intptr_t)item->start);
    return item->kind == PS_INDEX_NEW ? 0 : 1;
}

int pyps_key_select(pyps_key *key, PyObject *array, ps_tensor **view)
{
    static const ps_index all = {.kind = PS_INDEX_RANGE, .stop = INT64_MAX, .step = 1};
    ps_index first[PYPS_KEY_ROOM];
    unsigned count = 0, left = 0;
    if (!pyps_dialect_get(array)->policy.select_first || key->arrays == 0 || !has_integers(key))
        return 0;
    for (unsigned i = 0; i < key->count; i++) {
        const ps_index *item = &key->items[i];
        bool as_it_is = item->kind == PS_INDEX_AT || item->kind == PS_INDEX_ELLIPSIS;
        for (int j = 0; j < (as_it_is ? 1 : dimensions_of(item)); j++) {
            if (count == PYPS_KEY_ROOM)
                return fail(array, PYPS_ERROR_INDEX, "more than %d indices", (int)PYPS_KEY_ROOM);
            first[count++] = as_it_is ? *item : all;
        }
        if (item->kind != PS_INDEX_AT)
            key->items[left++] = *item;
    }
    key->count = left;
    ps_status status = ps_tensor_index(pyps_tensor(array), first, count, view);
    return pyps_index_done(array, status) == 0 ? 1 : -1;
}

bool pyps_key_refused(const pyps_key *key, PyObject *array, ps_status status)
{
    ps_error_info info = {.size = sizeof info};
    if (PYPS_LIKELY(status != PS_ERR_INDEX) || key->arrays < 2 ||
        ps_last_error_info(&info) != PS_OK || info.operation != NULL)
        return false;
    fail(array, PYPS_ERROR_KEY, "%s", info.message);
    return true;
}
