/* Arrays out of other objects: which way in an object takes.
 *
 * In this order: arrays of ours, Python's numbers, lists, tuples and ranges (sequence.c), the
 * buffer protocol (buffer.c), DLPack (dlpack.c), __array__. Whatever the way, the elements have been read
 * when the call returns, unless copy=False promises that they stay; a conversion to another element
 * type is queued. */
#include "interop.h"

/* ---- Conversions on the way -------------------------------------------------------------- */

pyps_class pyps_class_of(ps_dtype dtype)
{
    return dtype == PS_BOOL      ? PYPS_CLASS_BOOL
           : dtype <= PS_UINT64  ? PYPS_CLASS_INTEGER
           : dtype <= PS_FLOAT64 ? PYPS_CLASS_FLOAT
                                 : PYPS_CLASS_COMPLEX;
}

/* The tensor as another type, itself if it has that type already. Takes it over. */
static ps_tensor *cast(ps_tensor *tensor, ps_dtype dtype, const pyps_dialect *dialect)
{
    ps_arg args[] = {ps_arg_tensor(tensor), ps_arg_dtype(dtype)};
    ps_tensor *result = NULL;
    if (ps_tensor_dtype(tensor) == dtype)
        return tensor;
    pyps_op_tensors("cast", args, 2, &result, dialect);
    ps_tensor_release(tensor);
    return result;
}

static ps_tensor *move(ps_tensor *tensor, ps_device *device, const pyps_dialect *dialect)
{
    ps_arg arg = ps_arg_tensor(tensor);
    ps_tensor *result = NULL;
    ps_call call = {.size = sizeof call,
                    .args = &arg,
                    .nargs = 1,
                    .outputs = &result,
                    .noutputs = 1,
                    .device = device,
                    .location = pyps_location()};
    const ps_op *op = pyps_op("to_device");
    ps_status status = op != NULL ? ps_op_call(op, &call) : PS_OK;
    ps_tensor_release(tensor);
    if (status != PS_OK)
        pyps_raise(dialect, status);
    return result;
}

ps_tensor *pyps_import_finish(ps_tensor *tensor, const pyps_import *wanted)
{
    if (tensor != NULL && wanted->dtype >= 0)
        tensor = cast(tensor, (ps_dtype)wanted->dtype, wanted->dialect);
    if (tensor != NULL && wanted->device != NULL && ps_tensor_device(tensor) != wanted->device)
        tensor = move(tensor, wanted->device, wanted->dialect);
    return tensor;
}

int pyps_import_uncopied(const pyps_import *wanted, ps_dtype dtype)
{
    if (wanted->dtype >= 0 && wanted->dtype != (int)dtype) {
        PyErr_Format(PyExc_ValueError, "copy=False: elements of type %s cannot become %s in place",
                     ps_dtype_name(dtype), ps_dtype_name((ps_dtype)wanted->dtype));
        return -1;
    }
    return 0;
}

/* ---- The ways in ------------------------------------------------------------------------- */

static ps_tensor *import_array(PyObject *object, const pyps_import *wanted)
{
    ps_tensor *tensor = pyps_tensor(object), *copy = NULL;
    ps_dtype dtype = ps_tensor_dtype(tensor);
    bool moved = wanted->device != NULL && ps_tensor_device(tensor) != wanted->device;
    bool changed = moved || (wanted->dtype >= 0 && wanted->dtype != (int)dtype);
    if (wanted->copy == 0 && pyps_import_uncopied(wanted, dtype) != 0)
        return NULL;
    if (wanted->copy == 0 && moved) {
        PyErr_Format(PyExc_ValueError, "copy=False: the array is on %s, %s was asked for",
                     ps_device_name(ps_tensor_device(tensor)), ps_device_name(wanted->device));
        return NULL;
    }
    if (wanted->copy == 1 && !changed) { /* each change makes a copy as it is */
        ps_arg arg = ps_arg_tensor(tensor);
        pyps_op_tensors("copy", &arg, 1, &copy, wanted->dialect);
        return copy;
    }
    ps_status status = ps_tensor_retain(tensor);
    if (status != PS_OK) {
        pyps_raise(wanted->dialect, status);
        return NULL;
    }
    return pyps_import_finish(tensor, wanted);
}

/* 1, 0, or -1 and an exception. */
static int has(PyObject *object, const char *name)
{
    PyObject *found = PyObject_GetAttrString((PyObject *)Py_TYPE(object), name);
    if (found == NULL && !PyErr_ExceptionMatches(PyExc_AttributeError))
        return -1;
    PyErr_Clear();
    Py_XDECREF(found);
    return found != NULL;
}

/* Whether its element type is bfloat16 by name: NumPy has no letter for that type of ml_dtypes, so
 * that it refuses to give a buffer. */
static bool is_bfloat16(PyObject *object)
{
    ps_dtype dtype;
    PyObject *type = PyObject_GetAttrString(object, "dtype");
    bool found = type != NULL && pyps_dtype_parse(NULL, type, &dtype) == 0 && dtype == PS_BFLOAT16;
    PyErr_Clear();
    Py_XDECREF(type);
    return found;
}

static ps_tensor *import_bits(PyObject *object, const pyps_import *wanted)
{
    PyObject *bits = PyObject_CallMethod(object, "view", "s", "uint16");
    ps_tensor *tensor = bits != NULL ? pyps_import_buffer(bits, wanted, PS_BFLOAT16) : NULL;
    Py_XDECREF(bits);
    return tensor;
}

static ps_tensor *import_by_buffer(PyObject *object, const pyps_import *wanted)
{
    ps_tensor *tensor = pyps_import_buffer(object, wanted, -1);
    if (tensor != NULL || !PyErr_ExceptionMatches(PyExc_Exception))
        return tensor;
    PyObject *type, *value, *traceback;
    PyErr_Fetch(&type, &value, &traceback);
    if (!is_bfloat16(object)) {
        PyErr_Restore(type, value, traceback);
        return NULL;
    }
    Py_XDECREF(type);
    Py_XDECREF(value);
    Py_XDECREF(traceback);
    return import_bits(object, wanted);
}

/* __array__ must give something that has a buffer. */
static ps_tensor *import_by_method(PyObject *object, const pyps_import *wanted)
{
    PyObject *array = PyObject_CallMethod(object, "__array__", NULL);
    ps_tensor *tensor = NULL;
    if (array == NULL)
        return NULL;
    if (PyObject_CheckBuffer(array))
        tensor = import_by_buffer(array, wanted);
    else
        PyErr_Format(PyExc_TypeError, "%.200s.__array__ gave %.200s object, not a NumPy array",
                     Py_TYPE(object)->tp_name, Py_TYPE(array)->tp_name);
    Py_DECREF(array);
    return tensor;
}

/* What other libraries' arrays offer. */
static ps_tensor *import_foreign(PyObject *object, const pyps_import *wanted)
{
    int found;
    if (PyUnicode_Check(object) || PyType_Check(object))
        return NULL;
    if (PyObject_CheckBuffer(object))
        return import_by_buffer(object, wanted);
    if ((found = has(object, "__dlpack__")) != 0)
        return found > 0 ? pyps_import_dlpack(object, wanted) : NULL;
    if ((found = has(object, "__array__")) != 0)
        return found > 0 ? import_by_method(object, wanted) : NULL;
    return NULL;
}

ps_tensor *pyps_import_object(PyObject *object, const pyps_import *wanted)
{
    pyps_import native;
    pyps_enter();
    if (wanted->dialect == NULL) {
        native = *wanted;
        native.dialect = pyps_native;
        wanted = &native;
    }
    if (pyps_is_array(object))
        return import_array(object, wanted);
    bool sequence = wanted->sequences && pyps_is_sequence(object);
    if (wanted->copy == 0 && (sequence || pyps_is_number(object))) {
        PyErr_Format(PyExc_ValueError, "copy=False: %.200s has no elements that could be shared",
                     Py_TYPE(object)->tp_name);
        return NULL;
    }
    if (pyps_is_number(object))
        return pyps_import_number(object, wanted);
    return sequence ? pyps_import_sequence(object, wanted) : import_foreign(object, wanted);
}

/* ---- penstock.array and asarray ---------------------------------------------------------- */

int pyps_copy_parse(PyObject *object, int *copy, const char *what)
{
    if (object != Py_None && !PyBool_Check(object)) {
        pyps_error(PyExc_TypeError, "%s: copy must be True, False or None, not %R", what, object);
        return -1;
    }
    *copy = object == Py_None ? -1 : object == Py_True;
    return 0;
}

/* The common end of both functions. */
static PyObject *make(const char *what, PyObject *object, PyObject *dtype, PyObject *copy,
                      PyObject *device)
{
    pyps_import wanted = {.dialect = pyps_native, .dtype = -1, .sequences = true};
    ps_dtype parsed;
    if (dtype != Py_None) {
        if (pyps_dtype_parse(pyps_native, dtype, &parsed) != 0)
            return NULL;
        wanted.dtype = (int)parsed;
    }
    if (pyps_copy_parse(copy, &wanted.copy, what) != 0 ||
        pyps_device_parse(device, &wanted.device) != 0)
        return NULL;
    ps_tensor *tensor = pyps_import_object(object, &wanted);
    if (tensor == NULL && !PyErr_Occurred())
        pyps_error(PyExc_TypeError,
                   "%s: the object must be a number, a sequence of numbers, or an array of this "
                   "or another library, not %.200s object %R",
                   what, Py_TYPE(object)->tp_name, object);
    if (tensor != NULL && pyps_is_array(object) && tensor == pyps_tensor(object)) {
        ps_tensor_release(tensor);
        return Py_NewRef(object);
    }
    return tensor != NULL ? pyps_wrap(&pyps_array_type, pyps_native, tensor) : NULL;
}

PyDoc_STRVAR(array_doc,
             "array(object, dtype=None, *, copy=True, device=None)\n--\n\n"
             "An array with the elements of a number, of nested sequences, or of another array.\n\n"
             "Elements are copied before the call returns. copy=None does not copy arrays of this\n"
             "library; copy=False never copies, and raises ValueError where that is not possible:\n"
             "the caller promises not to write to the object while the array is used.\n\n"
             ">>> ps.array([[1, 2], [3, 4]], dtype='float32')\n"
             "array([[1., 2.],\n"
             "       [3., 4.]])");

static PyObject *array_with(PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"object", "dtype", "copy", "device", NULL};
    PyObject *object, *dtype = Py_None, *copy = Py_True, *device = Py_None;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O|O$OO:array", names, &object, &dtype, &copy,
                                     &device))
        return NULL;
    return make("array", object, dtype, copy, device);
}

/* The keywords' names and their values as a dict. */
static PyObject *keywords_of(PyObject *const *values, PyObject *names)
{
    PyObject *kwargs = PyDict_New();
    for (Py_ssize_t i = 0; kwargs != NULL && names != NULL && i < PyTuple_GET_SIZE(names); i++)
        if (PyDict_SetItem(kwargs, PyTuple_GET_ITEM(names, i), values[i]) != 0)
            Py_CLEAR(kwargs);
    return kwargs;
}

static PyObject *array(PyObject *module, PyObject *const *values, Py_ssize_t count, PyObject *names)
{
    (void)module;
    if (PYPS_LIKELY(count == 1 && names == NULL))
        return make("array", values[0], Py_None, Py_True, Py_None);
    PyObject *args = PyTuple_New(count), *kwargs = keywords_of(values + count, names);
    for (Py_ssize_t i = 0; args != NULL && i < count; i++)
        PyTuple_SET_ITEM(args, i, Py_NewRef(values[i]));
    PyObject *result = args != NULL && kwargs != NULL ? array_with(args, kwargs) : NULL;
    Py_XDECREF(args);
    Py_XDECREF(kwargs);
    return result;
}

PyDoc_STRVAR(asarray_doc,
             "asarray(obj, /, *, dtype=None, device=None, copy=None)\n--\n\n"
             "The object as an array: itself if it is one already, else as penstock.array.\n\n"
             ">>> x = ps.array([1.0, 2.0])\n"
             ">>> ps.asarray(x) is x\n"
             "True");

static PyObject *asarray(PyObject *module, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"", "dtype", "device", "copy", NULL};
    PyObject *object, *dtype = Py_None, *copy = Py_None, *device = Py_None;
    (void)module;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O|$OOO:asarray", names, &object, &dtype,
                                     &device, &copy))
        return NULL;
    return make("asarray", object, dtype, copy, device);
}

static PyMethodDef functions[] = {
    {"array", (PyCFunction)(void (*)(void))array, METH_FASTCALL | METH_KEYWORDS, array_doc},
    {"asarray", (PyCFunction)(void (*)(void))asarray, METH_VARARGS | METH_KEYWORDS, asarray_doc},
    {NULL, NULL, 0, NULL},
};

int pyps_import_setup(PyObject *module)
{
    return PyModule_AddFunctions(module, functions) == 0 ? pyps_buffer_setup(module) : -1;
}
