/* Pickle, copy and deepcopy.
 *
 * A pickled array is its class, element type, shape and elements; from protocol 5 on the elements
 * are a PickleBuffer, which may travel outside of the pickle. Attributes that a subclass has given
 * an array go along. `rebuild` believes nothing: a pickle may have been made by anybody. */
#include "interop.h"

static PyObject *rebuild_function; /* as pickles name it */

/* ---- Out --------------------------------------------------------------------------------- */

/* The array with its elements row by row: itself if they are. A new reference. */
static PyObject *packed(PyObject *self)
{
    const ps_tensor *tensor = pyps_tensor(self);
    const int64_t *shape = ps_tensor_shape(tensor), *strides = ps_tensor_strides(tensor);
    int64_t next = 1;
    bool side_by_side = true;
    for (int i = ps_tensor_ndim(tensor) - 1; i >= 0; i--) {
        side_by_side &= shape[i] <= 1 || strides[i] == next;
        next *= shape[i];
    }
    if (side_by_side || ps_tensor_count(tensor) == 0)
        return Py_NewRef(self);
    ps_tensor *copy = NULL;
    ps_arg arg = ps_arg_tensor(pyps_tensor(self));
    if (pyps_op_tensors("copy", &arg, 1, &copy, pyps_dialect_get(self)) != 0)
        return NULL;
    return pyps_wrap(&pyps_array_type, pyps_native, copy);
}

static PyObject *pickled_elements(PyObject *self, int protocol)
{
    if (protocol < 5 || ps_tensor_dtype(pyps_tensor(self)) == PS_BFLOAT16)
        return PyObject_CallMethod(self, "tobytes", NULL);
    /* The view in between keeps one snapshot: a PickleBuffer asks its object for a new one. */
    PyObject *array = packed(self);
    PyObject *view = array != NULL ? PyMemoryView_FromObject(array) : NULL;
    PyObject *buffer = view != NULL ? PyPickleBuffer_FromObject(view) : NULL;
    Py_XDECREF(array);
    Py_XDECREF(view);
    return buffer;
}

/* A subclass that says itself how it is pickled is asked. */
static PyObject *own_reduce(PyObject *self)
{
    PyObject *theirs = PyObject_GetAttrString((PyObject *)Py_TYPE(self), "__reduce__");
    PyObject *ours = PyObject_GetAttrString((PyObject *)&pyps_array_type, "__reduce__");
    PyObject *result = NULL;
    if (theirs != NULL && ours != NULL && theirs != ours)
        result = PyObject_CallOneArg(theirs, self);
    Py_XDECREF(theirs);
    Py_XDECREF(ours);
    return result;
}

static PyObject *reduce_with(PyObject *self, int protocol)
{
    pyps_enter();
    ps_tensor *tensor = pyps_tensor(self);
    PyObject *state = PyObject_CallMethod(self, "__getstate__", NULL);
    PyObject *shape = state != NULL ? pyps_shape_object(tensor) : NULL;
    PyObject *elements = shape != NULL ? pickled_elements(self, protocol) : NULL;
    PyObject *result = NULL;
    if (elements != NULL)
        result = Py_BuildValue("O(OsOO)O", rebuild_function, Py_TYPE(self),
                               ps_dtype_name(ps_tensor_dtype(tensor)), shape, elements, state);
    Py_XDECREF(state);
    Py_XDECREF(shape);
    Py_XDECREF(elements);
    return result;
}

static PyObject *reduce_ex(PyObject *self, PyObject *protocol)
{
    long number = PyLong_AsLong(protocol);
    if (number == -1 && PyErr_Occurred())
        return NULL;
    PyObject *result = Py_IS_TYPE(self, &pyps_array_type) ? NULL : own_reduce(self);
    if (result != NULL || PyErr_Occurred())
        return result;
    return reduce_with(self, number >= 5 ? 5 : 2);
}

static PyObject *reduce(PyObject *self, PyObject *unused)
{
    (void)unused;
    return reduce_with(self, 2);
}

/* ---- In ---------------------------------------------------------------------------------- */

static int read_shape(PyObject *shape, int64_t lengths[PS_DIMS_MAX])
{
    if (!PyTuple_Check(shape) || PyTuple_GET_SIZE(shape) > PS_DIMS_MAX) {
        pyps_error(PyExc_TypeError,
                   "pickled array: shape must be a tuple of at most %d lengths, "
                   "not %R",
                   PS_DIMS_MAX, shape);
        return -1;
    }
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(shape); i++) {
        lengths[i] = PyLong_AsLongLong(PyTuple_GET_ITEM(shape, i));
        if (lengths[i] == -1 && PyErr_Occurred())
            return -1;
        if (lengths[i] < 0) {
            pyps_error(PyExc_ValueError, "pickled array: shape %R has a negative length", shape);
            return -1;
        }
    }
    return (int)PyTuple_GET_SIZE(shape);
}

/* Whether there are as many bytes as the shape needs. */
static int check_bytes(PyObject *shape, int ndim, const int64_t *lengths, ps_dtype dtype,
                       Py_ssize_t bytes)
{
    int64_t need = (int64_t)ps_dtype_bytes(dtype);
    bool fits = true;
    for (int i = 0; i < ndim; i++)
        fits &= !__builtin_mul_overflow(need, lengths[i], &need);
    if (fits && need == bytes)
        return 0;
    pyps_error(PyExc_ValueError, "pickled array: %zd bytes for shape %R of %s", bytes, shape,
               ps_dtype_name(dtype));
    return -1;
}

static ps_tensor *read_elements(PyObject *shape, ps_dtype dtype, PyObject *elements)
{
    int64_t lengths[PS_DIMS_MAX];
    Py_buffer view;
    ps_tensor *tensor = NULL;
    int ndim = read_shape(shape, lengths);
    if (ndim < 0 || PyObject_GetBuffer(elements, &view, PyBUF_SIMPLE) != 0)
        return NULL;
    if (check_bytes(shape, ndim, lengths, dtype, view.len) == 0) {
        ps_status status = ps_tensor_from_host(dtype, ndim, lengths, NULL, view.buf, NULL, &tensor);
        if (status != PS_OK)
            pyps_raise(NULL, status);
    }
    PyBuffer_Release(&view);
    return tensor;
}

static PyObject *rebuild(PyObject *module, PyObject *args)
{
    PyObject *cls, *name, *shape, *elements;
    ps_dtype dtype;
    (void)module;
    if (!PyArg_ParseTuple(args, "OUOO:_rebuild", &cls, &name, &shape, &elements) ||
        pyps_dtype_parse(NULL, name, &dtype) != 0)
        return NULL;
    if (!PyType_Check(cls) || !PyType_IsSubtype((PyTypeObject *)cls, &pyps_array_type))
        return pyps_error(PyExc_TypeError,
                          "pickled array: the class must derive from ndarray, not %R", cls);
    pyps_enter();
    ps_tensor *tensor = read_elements(shape, dtype, elements);
    if (tensor == NULL)
        return NULL;
    return pyps_wrap_as((PyTypeObject *)cls, pyps_dialect_of((PyTypeObject *)cls), tensor);
}

/* ---- copy and deepcopy ------------------------------------------------------------------- */

static PyObject *copy_elements(PyObject *self)
{
    ps_tensor *copy = NULL;
    ps_arg arg = ps_arg_tensor(pyps_tensor(self));
    pyps_enter();
    if (pyps_op_tensors("copy", &arg, 1, &copy, pyps_dialect_get(self)) != 0)
        return NULL;
    return pyps_wrap_like(self, copy);
}

/* The attributes of a subclass's object: a new reference, NULL if there are none or on failure. */
static PyObject *attributes_of(PyObject *self)
{
    if (Py_TYPE(self)->tp_dictoffset == 0)
        return NULL;
    PyObject *attributes = PyObject_GenericGetDict(self, NULL);
    if (attributes != NULL && PyDict_GET_SIZE(attributes) == 0)
        Py_CLEAR(attributes);
    return attributes;
}

static int add_attributes(PyObject *to, PyObject *attributes)
{
    PyObject *own = PyObject_GenericGetDict(to, NULL);
    int failed = own != NULL ? PyDict_Update(own, attributes) : -1;
    Py_XDECREF(own);
    return failed;
}

static PyObject *copy(PyObject *self, PyObject *unused)
{
    (void)unused;
    PyObject *result = copy_elements(self);
    PyObject *attributes = result != NULL ? attributes_of(self) : NULL;
    if (result != NULL && attributes != NULL && add_attributes(result, attributes) != 0)
        Py_CLEAR(result);
    Py_XDECREF(attributes);
    if (PyErr_Occurred())
        Py_CLEAR(result);
    return result;
}

/* The memo is told first: attributes may lead back to the array. */
static int deepen(PyObject *self, PyObject *memo, PyObject *result, PyObject *attributes)
{
    PyObject *key = PyLong_FromVoidPtr(self);
    PyObject *module = key != NULL ? PyImport_ImportModule("copy") : NULL;
    PyObject *deep = NULL;
    int failed = module == NULL || PyObject_SetItem(memo, key, result) != 0 ? -1 : 0;
    if (failed == 0)
        deep = PyObject_CallMethod(module, "deepcopy", "OO", attributes, memo);
    failed = deep != NULL ? add_attributes(result, deep) : -1;
    Py_XDECREF(key);
    Py_XDECREF(module);
    Py_XDECREF(deep);
    return failed;
}

static PyObject *deepcopy(PyObject *self, PyObject *memo)
{
    PyObject *result = copy_elements(self);
    PyObject *attributes = result != NULL ? attributes_of(self) : NULL;
    if (result != NULL && attributes != NULL && deepen(self, memo, result, attributes) != 0)
        Py_CLEAR(result);
    Py_XDECREF(attributes);
    if (PyErr_Occurred())
        Py_CLEAR(result);
    return result;
}

/* ---- Setup ------------------------------------------------------------------------------- */

static PyMethodDef methods[] = {
    {"__reduce_ex__", reduce_ex, METH_O,
     "__reduce_ex__($self, protocol, /)\n--\n\nFor pickle. Waits."},
    {"__reduce__", reduce, METH_NOARGS, "__reduce__($self, /)\n--\n\nFor pickle. Waits."},
    {"__copy__", copy, METH_NOARGS,
     "__copy__($self, /)\n--\n\nFor copy.copy: elements of its own."},
    {"__deepcopy__", deepcopy, METH_O,
     "__deepcopy__($self, memo, /)\n--\n\nFor copy.deepcopy: elements and attributes of its own."},
    {NULL, NULL, 0, NULL},
};

static PyMethodDef functions[] = {
    {"_rebuild", rebuild, METH_VARARGS, "For pickle: an array of its parts."},
    {NULL, NULL, 0, NULL},
};

int pyps_pickle_setup(PyObject *module)
{
    if (pyps_methods_add(methods) != 0 || PyModule_AddFunctions(module, functions) != 0)
        return -1;
    rebuild_function = PyObject_GetAttrString(module, "_rebuild");
    return rebuild_function != NULL ? 0 : -1;
}
