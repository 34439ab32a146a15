/* Values as Python objects and NumPy arrays.
 *
 * Everything here waits for the value. NumPy is imported at the first call that needs it. */
#include "interop.h"

/* ---- Single elements --------------------------------------------------------------------- */

PyObject *pyps_scalar_object(const ps_scalar *value)
{
    switch (value->tag) {
    case PS_SCALAR_BOOL:
        return PyBool_FromLong(value->as.b);
    case PS_SCALAR_INT64:
        return PyLong_FromLongLong(value->as.i);
    case PS_SCALAR_UINT64:
        return PyLong_FromUnsignedLongLong(value->as.u);
    case PS_SCALAR_DOUBLE:
        return PyFloat_FromDouble(value->as.d);
    default:
        return PyComplex_FromDoubles(value->as.z[0], value->as.z[1]);
    }
}

PyObject *pyps_shape_object(const ps_tensor *tensor)
{
    int ndim = ps_tensor_ndim(tensor);
    PyObject *shape = PyTuple_New(ndim);
    for (int i = 0; shape != NULL && i < ndim; i++) {
        PyObject *length = PyLong_FromLongLong(ps_tensor_shape(tensor)[i]);
        if (length == NULL)
            Py_CLEAR(shape);
        else
            PyTuple_SET_ITEM(shape, i, length);
    }
    return shape;
}

static PyObject *item_of(ps_tensor *tensor, const pyps_dialect *dialect)
{
    ps_scalar value;
    pyps_enter();
    ps_status status = ps_tensor_item(tensor, &value);
    return status == PS_OK ? pyps_scalar_object(&value) : pyps_raise(dialect, status);
}

PyObject *pyps_item(PyObject *self)
{
    ps_tensor *tensor = pyps_tensor(self);
    if (PYPS_LIKELY(ps_tensor_count(tensor) == 1)) {
        Py_INCREF(self); /* who calls a slot may have borrowed it, from a list for example */
        PyObject *number = item_of(tensor, pyps_dialect_get(self));
        Py_DECREF(self);
        return number;
    }
    PyObject *shape = pyps_shape_object(tensor);
    if (shape != NULL)
        pyps_error(PyExc_ValueError,
                   "an array of shape %R has %lld elements, only one can become a number", shape,
                   (long long)ps_tensor_count(tensor));
    Py_XDECREF(shape);
    return NULL;
}

/* A place among all elements, row by row, as positions in the dimensions. */
static int unravel(const ps_tensor *tensor, int64_t flat, ps_index *indices)
{
    int64_t count = ps_tensor_count(tensor), at = flat < 0 ? flat + count : flat;
    const int64_t *shape = ps_tensor_shape(tensor);
    if (at < 0 || at >= count) {
        PyErr_Format(PyExc_IndexError, "item: position %lld is out of range for %lld elements",
                     (long long)flat, (long long)count);
        return -1;
    }
    for (int i = ps_tensor_ndim(tensor) - 1; i >= 0; i--) {
        indices[i] = (ps_index){.kind = PS_INDEX_AT, .start = at % shape[i]};
        at /= shape[i];
    }
    return 0;
}

static int check_positions(const ps_tensor *tensor, const int64_t *at, ps_index *indices)
{
    const int64_t *shape = ps_tensor_shape(tensor);
    for (int i = 0; i < ps_tensor_ndim(tensor); i++) {
        if (at[i] < -shape[i] || at[i] >= shape[i]) {
            PyErr_Format(PyExc_IndexError,
                         "item: index %lld is out of range for dimension %d of length %lld",
                         (long long)at[i], i, (long long)shape[i]);
            return -1;
        }
        indices[i] = (ps_index){.kind = PS_INDEX_AT, .start = at[i]};
    }
    return 0;
}

static int read_positions(const ps_tensor *tensor, PyObject *args, ps_index *indices)
{
    int64_t at[PS_DIMS_MAX];
    PyObject *first = PyTuple_GET_ITEM(args, 0);
    PyObject *given = PyTuple_GET_SIZE(args) == 1 && PyTuple_Check(first) ? first : args;
    Py_ssize_t count = pyps_ints(given, at, PS_DIMS_MAX, "item: index");
    if (count < 0)
        return -1;
    if (count == ps_tensor_ndim(tensor))
        return check_positions(tensor, at, indices);
    if (count == 1)
        return unravel(tensor, at[0], indices);
    PyErr_Format(PyExc_ValueError, "item: %zd indices for an array of %d dimensions", count,
                 ps_tensor_ndim(tensor));
    return -1;
}

PyDoc_STRVAR(item_doc,
             "item($self, /, *index)\n--\n\n"
             "One element as a Python number: the only one, the one at a place among all\n"
             "of them, or at an index for each dimension. Waits.\n\n"
             ">>> ps.array([[1, 2], [3, 4]]).item(1, 0)\n3");

static PyObject *item(PyObject *self, PyObject *args)
{
    ps_index indices[PS_DIMS_MAX];
    ps_tensor *tensor = pyps_tensor(self), *element = NULL;
    if (PyTuple_GET_SIZE(args) == 0)
        return pyps_item(self);
    if (read_positions(tensor, args, indices) != 0)
        return NULL;
    ps_status status = ps_tensor_index(tensor, indices, (size_t)ps_tensor_ndim(tensor), &element);
    if (status != PS_OK)
        return pyps_raise(pyps_dialect_get(self), status);
    PyObject *value = item_of(element, pyps_dialect_get(self));
    ps_tensor_release(element);
    return value;
}

/* ---- Lists ------------------------------------------------------------------------------- */

DLManagedTensorVersioned *pyps_snapshot(PyObject *array)
{
    DLManagedTensorVersioned *managed = NULL;
    pyps_enter();
    ps_status status = ps_tensor_to_dlpack(pyps_tensor(array), &managed);
    if (status != PS_OK)
        pyps_raise(pyps_dialect_get(array), status);
    return managed;
}

/* Of all types but the 16-bit floats. */
static PyObject *element(ps_dtype dtype, const void *at)
{
    switch (dtype) {
    case PS_BOOL:
        return PyBool_FromLong(*(const uint8_t *)at);
    case PS_INT8:
        return PyLong_FromLong(*(const int8_t *)at);
    case PS_INT16:
        return PyLong_FromLong(*(const int16_t *)at);
    case PS_INT32:
        return PyLong_FromLong(*(const int32_t *)at);
    case PS_INT64:
        return PyLong_FromLongLong(*(const int64_t *)at);
    case PS_UINT8:
        return PyLong_FromLong(*(const uint8_t *)at);
    case PS_UINT16:
        return PyLong_FromLong(*(const uint16_t *)at);
    case PS_UINT32:
        return PyLong_FromUnsignedLong(*(const uint32_t *)at);
    case PS_UINT64:
        return PyLong_FromUnsignedLongLong(*(const uint64_t *)at);
    case PS_FLOAT32:
        return PyFloat_FromDouble(*(const float *)at);
    case PS_FLOAT64:
        return PyFloat_FromDouble(*(const double *)at);
    case PS_COMPLEX64:
        return PyComplex_FromDoubles(((const float *)at)[0], ((const float *)at)[1]);
    default:
        return PyComplex_FromDoubles(((const double *)at)[0], ((const double *)at)[1]);
    }
}

static PyObject *list_of(const DLTensor *t, ps_dtype dtype, int axis, const char *at)
{
    if (axis == t->ndim)
        return element(dtype, at);
    int64_t step = t->strides[axis] * (int64_t)ps_dtype_bytes(dtype);
    PyObject *list = PyList_New((Py_ssize_t)t->shape[axis]);
    for (int64_t i = 0; list != NULL && i < t->shape[axis]; i++) {
        PyObject *value = list_of(t, dtype, axis + 1, at + i * step);
        if (value == NULL)
            Py_CLEAR(list);
        else
            PyList_SET_ITEM(list, (Py_ssize_t)i, value);
    }
    return list;
}

/* The tensor with elements that C has a type for: a new reference. */
static ps_tensor *readable(PyObject *self)
{
    ps_tensor *tensor = pyps_tensor(self), *result = NULL;
    ps_dtype dtype = ps_tensor_dtype(tensor);
    ps_arg args[] = {ps_arg_tensor(tensor), ps_arg_dtype(PS_FLOAT32)};
    if (dtype == PS_FLOAT16 || dtype == PS_BFLOAT16) {
        pyps_op_tensors("cast", args, 2, &result, pyps_dialect_get(self));
        return result;
    }
    ps_status status = ps_tensor_retain(tensor);
    if (status != PS_OK) {
        pyps_raise(pyps_dialect_get(self), status);
        return NULL;
    }
    return tensor;
}

PyDoc_STRVAR(tolist_doc, "tolist($self, /)\n--\n\n"
                         "The elements as nested lists of Python numbers; without dimensions the\n"
                         "number. Waits.\n\n"
                         ">>> ps.array([[1, 2], [3, 4]]).tolist()\n[[1, 2], [3, 4]]");

static PyObject *tolist(PyObject *self, PyObject *unused)
{
    (void)unused;
    pyps_enter();
    DLManagedTensorVersioned *managed = NULL;
    ps_tensor *tensor = readable(self);
    if (tensor == NULL)
        return NULL;
    ps_dtype dtype = ps_tensor_dtype(tensor);
    ps_status status = ps_tensor_to_dlpack(tensor, &managed);
    ps_tensor_release(tensor);
    if (status != PS_OK)
        return pyps_raise(pyps_dialect_get(self), status);
    const DLTensor *t = &managed->dl_tensor;
    PyObject *list = list_of(t, dtype, 0, (const char *)t->data + t->byte_offset);
    managed->deleter(managed);
    return list;
}

/* ---- Bytes ------------------------------------------------------------------------------- */

static size_t bytes_of(const ps_tensor *tensor)
{
    return (size_t)ps_tensor_count(tensor) * ps_dtype_bytes(ps_tensor_dtype(tensor));
}

PyDoc_STRVAR(tobytes_doc, "tobytes($self, /)\n--\n\n"
                          "The elements as bytes, row by row. Waits.\n\n"
                          ">>> ps.array([1, 2], dtype='int16').tobytes()\n"
                          "b'\\x01\\x00\\x02\\x00'");

static PyObject *tobytes(PyObject *self, PyObject *unused)
{
    ps_tensor *tensor = pyps_tensor(self);
    size_t count = bytes_of(tensor);
    (void)unused;
    pyps_enter();
    PyObject *bytes = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)count);
    if (bytes == NULL)
        return NULL;
    ps_status status = ps_tensor_to_host(tensor, PyBytes_AS_STRING(bytes), count);
    if (status != PS_OK) {
        Py_DECREF(bytes);
        return pyps_raise(pyps_dialect_get(self), status);
    }
    return bytes;
}

/* ---- NumPy ------------------------------------------------------------------------------- */

/* numpy.empty, kept from the first call on. Borrowed. */
static PyObject *numpy_empty(void)
{
    static PyObject *empty;
    PyObject *numpy = empty == NULL ? PyImport_ImportModule("numpy") : NULL;
    if (numpy != NULL) {
        empty = PyObject_GetAttrString(numpy, "empty");
        Py_DECREF(numpy);
    }
    return empty;
}

/* NumPy has no such type of its own; the package ml_dtypes adds it. */
static PyObject *view_as_bfloat16(PyObject *bits)
{
    PyObject *package = PyImport_ImportModule("ml_dtypes"), *type = NULL, *array = NULL;
    if (package == NULL && PyErr_ExceptionMatches(PyExc_ImportError))
        PyErr_SetString(PyExc_TypeError, "NumPy has no bfloat16; convert with astype('float32') "
                                         "first, or install ml_dtypes, which adds it");
    if (package != NULL)
        type = PyObject_GetAttrString(package, "bfloat16");
    if (type != NULL)
        array = PyObject_CallMethod(bits, "view", "O", type);
    Py_XDECREF(package);
    Py_XDECREF(type);
    return array;
}

static int fill_array(PyObject *self, PyObject *array)
{
    Py_buffer view;
    if (PyObject_GetBuffer(array, &view, PyBUF_CONTIG) != 0)
        return -1;
    ps_status status = ps_tensor_to_host(pyps_tensor(self), view.buf, (size_t)view.len);
    PyBuffer_Release(&view);
    if (status != PS_OK)
        pyps_raise(pyps_dialect_get(self), status);
    return status == PS_OK ? 0 : -1;
}

PyDoc_STRVAR(asnumpy_doc,
             "asnumpy($self, /)\n--\n\n"
             "A NumPy array with a copy of the elements, which is the caller's own and\n"
             "can be written to. Waits. numpy.asarray gives a read-only one without a\n"
             "copy.\n\n"
             ">>> ps.array([1.0, 2.0]).asnumpy()\narray([1., 2.], dtype=float32)");

static PyObject *asnumpy(PyObject *self, PyObject *unused)
{
    ps_dtype dtype = ps_tensor_dtype(pyps_tensor(self));
    const char *name = dtype == PS_BFLOAT16 ? "uint16" : ps_dtype_name(dtype);
    PyObject *empty = numpy_empty(); /* borrowed */
    PyObject *shape = empty != NULL ? pyps_shape_object(pyps_tensor(self)) : NULL;
    (void)unused;
    if (shape == NULL)
        return NULL;
    pyps_enter();
    PyObject *array = PyObject_CallFunction(empty, "(Os)", shape, name);
    Py_DECREF(shape);
    if (array != NULL && fill_array(self, array) != 0)
        Py_CLEAR(array);
    if (array != NULL && dtype == PS_BFLOAT16)
        Py_SETREF(array, view_as_bfloat16(array));
    return array;
}

/* A function of _numpy.py, which has the rest; kept from the first call on. Borrowed. */
static PyObject *python_function(PyObject **kept, const char *name)
{
    PyObject *module = *kept == NULL ? PyImport_ImportModule("penstock._numpy") : NULL;
    if (module != NULL) {
        *kept = PyObject_GetAttrString(module, name);
        Py_DECREF(module);
    }
    return *kept;
}

/* With the array as the first argument. */
static PyObject *call_python(PyObject *function, PyObject *self, PyObject *args, PyObject *kwargs)
{
    Py_ssize_t count = PyTuple_GET_SIZE(args);
    PyObject *all = function != NULL ? PyTuple_New(count + 1) : NULL;
    if (all == NULL)
        return NULL;
    PyTuple_SET_ITEM(all, 0, Py_NewRef(self));
    for (Py_ssize_t i = 0; i < count; i++)
        PyTuple_SET_ITEM(all, i + 1, Py_NewRef(PyTuple_GET_ITEM(args, i)));
    PyObject *result = PyObject_Call(function, all, kwargs);
    Py_DECREF(all);
    return result;
}

static PyObject *as_array(PyObject *self, PyObject *args, PyObject *kwargs)
{
    static PyObject *function;
    if (pyps_buffer_interrupted(self)) {
        PyErr_SetNone(PyExc_KeyboardInterrupt);
        return NULL;
    }
    return call_python(python_function(&function, "as_array"), self, args, kwargs);
}

static PyObject *call_ufunc(PyObject *self, PyObject *args, PyObject *kwargs)
{
    static PyObject *function;
    return call_python(python_function(&function, "call_ufunc"), self, args, kwargs);
}

/* ---- Setup ------------------------------------------------------------------------------- */

static PyMethodDef methods[] = {
    {"item", item, METH_VARARGS, item_doc},
    {"tolist", tolist, METH_NOARGS, tolist_doc},
    {"tobytes", tobytes, METH_NOARGS, tobytes_doc},
    {"asnumpy", asnumpy, METH_NOARGS, asnumpy_doc},
    {"numpy", asnumpy, METH_NOARGS, "numpy($self, /)\n--\n\nThe same as asnumpy."},
    {"__array__", (PyCFunction)(void (*)(void))as_array, METH_VARARGS | METH_KEYWORDS,
     "__array__($self, dtype=None, *, copy=None)\n--\n\n"
     "A NumPy array: without a copy a read-only snapshot. Waits."},
    {"__array_ufunc__", (PyCFunction)(void (*)(void))call_ufunc, METH_VARARGS | METH_KEYWORDS,
     "__array_ufunc__($self, ufunc, method, /, *inputs, **kwargs)\n--\n\n"
     "NumPy's functions of elements, by the function of the same name here."},
    {NULL, NULL, 0, NULL},
};

int pyps_export_setup(PyObject *module)
{
    return pyps_methods_add(methods) == 0 && pyps_format_setup(module) == 0
               ? pyps_pickle_setup(module)
               : -1;
}
