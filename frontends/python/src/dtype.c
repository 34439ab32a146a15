/* Element types as Python objects: penstock.float32 and its fellows.
 *
 * There is one object for each type, for the process's life. It equals its name and NumPy's type and
 * dtype of that name, and as a function makes an array of that type. */
#include "core.h"

#include <structmember.h>

typedef struct dtype_object {
    PyObject_HEAD ps_dtype dtype;
} dtype_object;

static PyTypeObject dtype_type;
static PyObject *objects[PYPS_DTYPES];

PyObject *pyps_dtype_object(ps_dtype dtype)
{
    return objects[dtype];
}

PyObject *pyps_dtype_for(const pyps_dialect *dialect, ps_dtype dtype)
{
    PyObject *own = dialect->dtypes[dtype];
    return own != NULL ? own : objects[dtype];
}

/* ---- From other objects ------------------------------------------------------------------ */

/* By name; 0 and no exception if there is none. */
static bool by_name(const char *name, ps_dtype *dtype)
{
    for (int i = 0; i < PYPS_DTYPES; i++) {
        if (strcmp(name, ps_dtype_name((ps_dtype)i)) == 0) {
            *dtype = (ps_dtype)i;
            return true;
        }
    }
    if (strcmp(name, "bool_") == 0) { /* NumPy's class before version 2 */
        *dtype = PS_BOOL;
        return true;
    }
    return false;
}

static bool by_text(PyObject *text, ps_dtype *dtype)
{
    Py_ssize_t length;
    const char *name = PyUnicode_AsUTF8AndSize(text, &length);
    if (name == NULL)
        PyErr_Clear();
    return name != NULL && strlen(name) == (size_t)length && by_name(name, dtype);
}

static bool by_attribute(PyObject *object, const char *attribute, ps_dtype *dtype)
{
    PyObject *text = PyObject_GetAttrString(object, attribute);
    bool found = text != NULL && PyUnicode_Check(text) && by_text(text, dtype);
    if (text == NULL)
        PyErr_Clear();
    Py_XDECREF(text);
    return found;
}

static bool by_python_type(const pyps_policy *policy, PyObject *object, ps_dtype *dtype)
{
    if (object == (PyObject *)&PyFloat_Type)
        *dtype = (ps_dtype)policy->float_type;
    else if (object == (PyObject *)&PyLong_Type)
        *dtype = (ps_dtype)policy->int_type;
    else if (object == (PyObject *)&PyBool_Type)
        *dtype = PS_BOOL;
    else if (object == (PyObject *)&PyComplex_Type)
        *dtype = (ps_dtype)policy->complex_type;
    else
        return false;
    return true;
}

/* One of the objects that the dialect has for them. */
static bool by_dialect(const pyps_dialect *dialect, const PyObject *object, ps_dtype *dtype)
{
    for (int i = 0; dialect != NULL && i < PYPS_DTYPES; i++)
        if (dialect->dtypes[i] == object) {
            *dtype = (ps_dtype)i;
            return true;
        }
    return false;
}

/* One of the texts and classes that the dialect has for them. */
static bool by_dialect_name(const pyps_dialect *dialect, PyObject *name, ps_dtype *dtype)
{
    PyObject *found = NULL;
    if (dialect != NULL && dialect->type_names != NULL && pyps_names_dtype(name))
        found = PyDict_GetItemWithError(dialect->type_names, name);
    if (found != NULL)
        *dtype = ((dtype_object *)found)->dtype;
    return found != NULL;
}

bool pyps_dtype_is_own(const pyps_dialect *dialect, PyObject *object, ps_dtype *dtype)
{
    if (by_dialect(dialect, object, dtype) || by_dialect_name(dialect, object, dtype))
        return true;
    bool own = !dialect->own_types && Py_IS_TYPE(object, &dtype_type);
    if (own)
        *dtype = ((dtype_object *)object)->dtype;
    return own;
}

bool pyps_dtype_is_plain(const pyps_dialect *dialect, PyObject *object)
{
    ps_dtype dtype;
    return !dialect->own_types || pyps_dtype_is_own(dialect, object, &dtype);
}

/* Whether the object stands for an element type, without an exception. */
static bool look_up(const pyps_dialect *dialect, PyObject *object, ps_dtype *dtype)
{
    if (by_dialect(dialect, object, dtype))
        return true;
    if (Py_IS_TYPE(object, &dtype_type)) {
        *dtype = ((dtype_object *)object)->dtype;
        return true;
    }
    if (by_dialect_name(dialect, object, dtype))
        return true;
    if (PyUnicode_Check(object))
        return by_text(object, dtype);
    if (by_python_type(&(dialect != NULL ? dialect : pyps_native)->policy, object, dtype))
        return true;
    if (PyType_Check(object)) /* numpy.float32 */
        return by_attribute(object, "__name__", dtype);
    return by_attribute(object, "name", dtype); /* numpy.dtype('float32') */
}

int pyps_dtype_parse(const pyps_dialect *dialect, PyObject *object, ps_dtype *dtype)
{
    if (look_up(dialect, object, dtype))
        return 0;
    if (PyUnicode_Check(object))
        pyps_error(PyExc_TypeError,
                   "there is no element type %R; those that there are: bool, "
                   "int8 to int64, uint8 to uint64, float16, bfloat16, float32, float64, "
                   "complex64, complex128",
                   object);
    else
        pyps_error(PyExc_TypeError,
                   "an element type must be a name such as 'float32', a penstock or NumPy type, "
                   "or float, int, bool or complex, not %R",
                   object);
    return -1;
}

/* ---- The objects ------------------------------------------------------------------------- */

static PyObject *dtype_repr(PyObject *self)
{
    return PyUnicode_FromFormat("penstock.%s", ps_dtype_name(((dtype_object *)self)->dtype));
}

static PyObject *dtype_str(PyObject *self)
{
    return PyUnicode_FromString(ps_dtype_name(((dtype_object *)self)->dtype));
}

static Py_hash_t dtype_hash(PyObject *self)
{
    PyObject *name = dtype_str(self); /* equal to the name, so it hashes as the name does */
    Py_hash_t hash = name != NULL ? PyObject_Hash(name) : -1;
    Py_XDECREF(name);
    return hash;
}

static PyObject *dtype_compare(PyObject *self, PyObject *other, int op)
{
    ps_dtype dtype;
    if (op != Py_EQ && op != Py_NE)
        Py_RETURN_NOTIMPLEMENTED;
    bool equal = look_up(NULL, other, &dtype) && dtype == ((dtype_object *)self)->dtype;
    return PyBool_FromLong(equal == (op == Py_EQ));
}

static PyObject *dtype_name(PyObject *self, void *unused)
{
    (void)unused;
    return dtype_str(self);
}

static PyObject *dtype_itemsize(PyObject *self, void *unused)
{
    (void)unused;
    return PyLong_FromSize_t(ps_dtype_bytes(((dtype_object *)self)->dtype));
}

char pyps_dtype_kind(ps_dtype dtype)
{
    return dtype == PS_BOOL      ? 'b'
           : dtype <= PS_INT64   ? 'i'
           : dtype <= PS_UINT64  ? 'u'
           : dtype <= PS_FLOAT64 ? 'f'
                                 : 'c';
}

static PyObject *dtype_kind(PyObject *self, void *unused)
{
    char kind = pyps_dtype_kind(((dtype_object *)self)->dtype);
    (void)unused;
    return PyUnicode_FromStringAndSize(&kind, 1);
}

static PyObject *dtype_call(PyObject *self, PyObject *args, PyObject *kwargs)
{
    PyObject *value = Py_False;
    static char *names[] = {"", NULL};
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|O:dtype", names, &value))
        return NULL;
    pyps_import wanted = {.dialect = pyps_native,
                          .dtype = (int)((dtype_object *)self)->dtype,
                          .copy = -1,
                          .sequences = true};
    ps_tensor *tensor = pyps_import_object(value, &wanted);
    if (tensor == NULL && !PyErr_Occurred())
        pyps_error(PyExc_TypeError, "%s: the value must be a number or a sequence, not %R",
                   ps_dtype_name(((dtype_object *)self)->dtype), value);
    return tensor != NULL ? pyps_wrap(&pyps_array_type, pyps_native, tensor) : NULL;
}

static PyObject *dtype_reduce(PyObject *self, PyObject *unused)
{
    (void)unused;
    return dtype_str(self); /* pickled by its name in the module */
}

static PyGetSetDef dtype_getset[] = {
    {"name", dtype_name, NULL, "Its name.", NULL},
    {"itemsize", dtype_itemsize, NULL, "Bytes of one element.", NULL},
    {"kind", dtype_kind, NULL, "One of b, i, u, f, c: bool, signed, unsigned, float, complex.",
     NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyMethodDef dtype_methods[] = {
    {"__reduce__", dtype_reduce, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyTypeObject dtype_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "penstock.dtype",
    .tp_basicsize = sizeof(dtype_object),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .tp_doc = PyDoc_STR("The type of an array's elements.\n\n>>> ps.float32.itemsize\n4\n"
                        ">>> ps.ones(2).dtype == 'float32'\nTrue"),
    .tp_repr = dtype_repr,
    .tp_str = dtype_str,
    .tp_hash = dtype_hash,
    .tp_call = dtype_call,
    .tp_richcompare = dtype_compare,
    .tp_getset = dtype_getset,
    .tp_methods = dtype_methods,
};

/* ---- For the package ------------------------------------------------------------------------- */

static PyObject *parse(PyObject *module, PyObject *object)
{
    ps_dtype dtype;
    (void)module;
    return pyps_dtype_parse(NULL, object, &dtype) == 0 ? Py_NewRef(objects[dtype]) : NULL;
}

static PyObject *promote(PyObject *module, PyObject *args)
{
    PyObject *a, *b;
    ps_dtype types[2], result;
    (void)module;
    if (!PyArg_ParseTuple(args, "OO:_promote", &a, &b) ||
        pyps_dtype_parse(NULL, a, &types[0]) != 0 || pyps_dtype_parse(NULL, b, &types[1]) != 0)
        return NULL;
    ps_status status = ps_dtype_promote(types[0], types[1], &result);
    return status == PS_OK ? Py_NewRef(objects[result]) : pyps_raise(NULL, status);
}

static PyMethodDef functions[] = {
    {"_dtype", parse, METH_O, "The element type that an object stands for."},
    {"_promote", promote, METH_VARARGS, "The element type that holds those of both."},
    {NULL, NULL, 0, NULL},
};

int pyps_dtype_setup(PyObject *module)
{
    if (PyModule_AddType(module, &dtype_type) != 0 || PyModule_AddFunctions(module, functions) != 0)
        return -1;
    for (int i = 0; i < PYPS_DTYPES; i++) {
        if (objects[i] == NULL) {
            dtype_object *object = PyObject_New(dtype_object, &dtype_type);
            if (object == NULL)
                return -1;
            object->dtype = (ps_dtype)i;
            objects[i] = (PyObject *)object;
        }
        if (PyModule_AddObjectRef(module, ps_dtype_name((ps_dtype)i), objects[i]) != 0)
            return -1;
    }
    return 0;
}
