/* The array type: what it is made of, how it comes and goes, and what is known without waiting. */
#include "core.h"

#include <structmember.h>

/* ---- Coming and going -------------------------------------------------------------------- */

/* Freed objects, for the next: arrays come and go with each operation. One list is for the plain
 * class, one for classes that derive from it and add no fields (`__slots__ = ()`): their objects are
 * alike, but have the collector's header in front, which remembers that an object was finalised: so
 * none with __del__. */
enum { SPARE = 64, EXTRA = offsetof(pyps_array, extra) };
typedef struct spares {
    unsigned count;
    pyps_array *objects[SPARE];
} spares;
static spares plain, derived;

/* The list for objects of a class, or NULL if there is none. */
static inline spares *spares_of(const PyTypeObject *type)
{
    if (PYPS_LIKELY(type == &pyps_array_type))
        return &plain;
    bool alike = type->tp_basicsize == sizeof(pyps_array) &&
                 (type->tp_dictoffset == 0 || type->tp_dictoffset == EXTRA) &&
                 (type->tp_flags & Py_TPFLAGS_HAVE_GC) && type->tp_finalize == NULL;
#ifdef Py_TPFLAGS_MANAGED_DICT
    alike = alike && !(type->tp_flags & Py_TPFLAGS_MANAGED_DICT);
#endif
    return alike ? &derived : NULL;
}

static inline pyps_array *allocate(PyTypeObject *type)
{
    spares *list = spares_of(type);
    if (PYPS_LIKELY(list != NULL && list->count > 0)) {
        pyps_array *self = list->objects[--list->count];
        PyObject_Init((PyObject *)self, type);
        self->weakrefs = self->extra = NULL;
        if (list == &derived)
            PyObject_GC_Track(self);
        return self;
    }
    pyps_array *self = (pyps_array *)type->tp_alloc(type, 0);
    if (self != NULL)
        self->weakrefs = self->extra = NULL;
    return self;
}

PYPS_HOT PyObject *pyps_wrap_as(PyTypeObject *type, const pyps_dialect *dialect, ps_tensor *tensor)
{
    pyps_array *self = allocate(type);
    if (PYPS_UNLIKELY(self == NULL)) {
        ps_tensor_release(tensor);
        return NULL;
    }
    self->tensor = tensor;
    self->dialect = dialect;
    return (PyObject *)self;
}

static inline void clear_weak_references(pyps_array *self)
{
    if (PYPS_UNLIKELY(self->weakrefs != NULL))
        PyObject_ClearWeakRefs((PyObject *)self);
}

static inline void free_array(pyps_array *self, PyTypeObject *type)
{
    ps_tensor_release(self->tensor);
    spares *list = spares_of(type);
    if (PYPS_LIKELY(list != NULL && list->count < SPARE))
        list->objects[list->count++] = self;
    else
        type->tp_free(self);
}

PYPS_HOT static void array_dealloc(PyObject *object)
{
    clear_weak_references((pyps_array *)object);
    free_array((pyps_array *)object, Py_TYPE(object));
}

/* Of a class of a dialect, for Python's own way with classes, which finds out each time what there is
 * to be done. Classes derived from it call this one last. */
PYPS_HOT static void derived_dealloc(PyObject *object)
{
    PyTypeObject *type = Py_TYPE(object);
    pyps_array *self = (pyps_array *)object;
    if (PYPS_UNLIKELY(type->tp_finalize != NULL) && PyObject_CallFinalizerFromDealloc(object) != 0)
        return; /* somebody has it again */
    PyObject_GC_UnTrack(object);
    clear_weak_references(self);
    Py_CLEAR(self->extra);
    free_array(self, type);
    Py_DECREF(type);
}

/* From then on Python itself visits the dict for the collector, and clears it. */
static void add_dict(PyTypeObject *type)
{
    if (type->tp_basicsize == sizeof(pyps_array) && type->tp_dictoffset == 0) {
        type->tp_dictoffset = EXTRA;
        PyType_Modified(type);
    }
}

void pyps_array_adapt(PyTypeObject *type, bool attributes)
{
    if (attributes)
        add_dict(type);
    if (type->tp_base == &pyps_array_type && spares_of(type) == &derived)
        type->tp_dealloc = derived_dealloc;
}

/* ndarray(object, dtype=None, *, copy=True, device=None): as penstock.array, of the class. */
static PyObject *array_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"", "dtype", "copy", "device", NULL};
    PyObject *object, *dtype = Py_None, *device = Py_None;
    int copy = 1;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O|O$pO:ndarray", names, &object, &dtype, &copy,
                                     &device))
        return NULL;
    const pyps_dialect *dialect = pyps_dialect_of(type);
    ps_dtype parsed;
    if (dtype != Py_None && pyps_dtype_parse(dialect, dtype, &parsed) != 0)
        return NULL;
    pyps_import wanted = {.dialect = dialect,
                          .dtype = dtype != Py_None ? (int)parsed : -1,
                          .copy = copy ? 1 : -1,
                          .sequences = true};
    if (pyps_device_parse(device, &wanted.device) != 0)
        return NULL;
    ps_tensor *tensor = pyps_import_object(object, &wanted);
    if (tensor == NULL && !PyErr_Occurred())
        pyps_error(PyExc_TypeError, "ndarray: cannot make an array of %.200s object %R",
                   Py_TYPE(object)->tp_name, object);
    return tensor != NULL ? pyps_wrap_as(type, dialect, tensor) : NULL;
}

int pyps_merge(PyObject *array, PyTypeObject **type, const pyps_dialect **dialect)
{
    PyTypeObject *other = Py_TYPE(array);
    const pyps_dialect *given = pyps_dialect_get(array);
    /* The native rules go with any others; two sets of rules contradict each other. */
    if (PYPS_UNLIKELY(*dialect != NULL && given != *dialect && given != pyps_native &&
                      *dialect != pyps_native)) {
        PyErr_Format(PyExc_TypeError, "type %R not supported: arrays of %U and %U cannot be mixed",
                     other, (*dialect)->name, given->name);
        return -1;
    }
    if (*type == NULL || (other != *type && PyType_IsSubtype(other, *type))) {
        *type = other;
        *dialect = pyps_dialect_get(array);
        return 0;
    }
    if (PYPS_LIKELY(other == *type || PyType_IsSubtype(*type, other)))
        return 0;
    PyErr_Format(PyExc_TypeError, "arrays of the classes %.200s and %.200s cannot be mixed",
                 (*type)->tp_name, other->tp_name);
    return -1;
}

/* ---- What is known without waiting ------------------------------------------------------- */

/* A tuple, or an object of a class derived from it. */
static PyObject *tuple_of(PyTypeObject *class, const int64_t *values, int count, int64_t factor)
{
    PyObject *tuple =
        PYPS_LIKELY(class == &PyTuple_Type) ? PyTuple_New(count) : class->tp_alloc(class, count);
    for (int i = 0; tuple != NULL && i < count; i++) {
        PyObject *value = PyLong_FromLongLong(values[i] * factor);
        if (value == NULL)
            Py_CLEAR(tuple);
        else
            PyTuple_SET_ITEM(tuple, i, value);
    }
    return tuple;
}

/* An object of a class derived from list. */
static PyObject *list_of(PyTypeObject *class, const int64_t *values, int count)
{
    PyObject *nothing = PyTuple_New(0);
    PyObject *list = nothing != NULL ? PyList_Type.tp_new(class, nothing, NULL) : NULL;
    for (int i = 0; list != NULL && i < count; i++) {
        PyObject *value = PyLong_FromLongLong(values[i]);
        if (value == NULL || PyList_Append(list, value) != 0)
            Py_CLEAR(list);
        Py_XDECREF(value);
    }
    Py_XDECREF(nothing);
    return list;
}

static PyObject *get_shape(PyObject *self, void *unused)
{
    const ps_tensor *tensor = pyps_tensor(self);
    PyTypeObject *class = pyps_dialect_get(self)->shape_class;
    (void)unused;
    if (PYPS_UNLIKELY(PyType_HasFeature(class, Py_TPFLAGS_LIST_SUBCLASS)))
        return list_of(class, ps_tensor_shape(tensor), ps_tensor_ndim(tensor));
    return tuple_of(class, ps_tensor_shape(tensor), ps_tensor_ndim(tensor), 1);
}

static int64_t item_bytes(PyObject *self)
{
    return (int64_t)ps_dtype_bytes(ps_tensor_dtype(pyps_tensor(self)));
}

static PyObject *get_strides(PyObject *self, void *unused)
{
    const ps_tensor *tensor = pyps_tensor(self);
    (void)unused;
    return tuple_of(&PyTuple_Type, ps_tensor_strides(tensor), ps_tensor_ndim(tensor),
                    item_bytes(self));
}

static PyObject *get_dtype(PyObject *self, void *unused)
{
    (void)unused;
    return Py_NewRef(pyps_dtype_for(pyps_dialect_get(self), ps_tensor_dtype(pyps_tensor(self))));
}

static PyObject *get_ndim(PyObject *self, void *unused)
{
    (void)unused;
    return PyLong_FromLong(ps_tensor_ndim(pyps_tensor(self)));
}

static PyObject *get_size(PyObject *self, void *unused)
{
    (void)unused;
    return PyLong_FromLongLong(ps_tensor_count(pyps_tensor(self)));
}

static PyObject *get_itemsize(PyObject *self, void *unused)
{
    (void)unused;
    return PyLong_FromLongLong(item_bytes(self));
}

static PyObject *get_nbytes(PyObject *self, void *unused)
{
    (void)unused;
    return PyLong_FromLongLong(item_bytes(self) * ps_tensor_count(pyps_tensor(self)));
}

static PyObject *get_device(PyObject *self, void *unused)
{
    (void)unused;
    return PyUnicode_FromString(ps_device_name(ps_tensor_device(pyps_tensor(self))));
}

/* A new array of the class around a view, or around its copy where the dialect has copies. */
static PyObject *give(PyObject *self, ps_status status, ps_tensor *view, pyps_form form)
{
    const pyps_dialect *dialect = pyps_dialect_get(self);
    if (status != PS_OK)
        return pyps_raise(dialect, status);
    if (pyps_policy_form(dialect, form, &view) != 0)
        return NULL;
    return pyps_wrap_like(self, view);
}

static PyObject *get_transposed(PyObject *self, void *unused)
{
    ps_tensor *view = NULL;
    (void)unused;
    ps_status status = ps_tensor_permute(pyps_tensor(self), NULL, 0, &view);
    return give(self, status, view, PYPS_FORM_PERMUTE);
}

static PyObject *get_matrix_transposed(PyObject *self, void *unused)
{
    ps_tensor *view = NULL;
    int ndim = ps_tensor_ndim(pyps_tensor(self)), axes[PS_DIMS_MAX];
    (void)unused;
    if (ndim < 2)
        return PyErr_Format(PyExc_ValueError,
                            "mT: the array must have 2 or more dimensions, not %d", ndim);
    for (int i = 0; i < ndim; i++)
        axes[i] = i < ndim - 2 ? i : 2 * ndim - 3 - i;
    ps_status status = ps_tensor_permute(pyps_tensor(self), axes, ndim, &view);
    return give(self, status, view, PYPS_FORM_PERMUTE);
}

/* The parts of complex arrays are views; of others, the array itself and zeros. */
static PyObject *get_part(PyObject *self, void *imaginary)
{
    ps_tensor *view = NULL;
    ps_dtype dtype = ps_tensor_dtype(pyps_tensor(self));
    if (dtype >= PS_COMPLEX64) {
        ps_status status = ps_tensor_part(pyps_tensor(self), imaginary != NULL, &view);
        return give(self, status, view, PYPS_FORM_STRIDED);
    }
    if (imaginary == NULL)
        return Py_NewRef(self);
    const ps_tensor *tensor = pyps_tensor(self);
    ps_arg args[] = {ps_arg_ints(ps_tensor_shape(tensor), (size_t)ps_tensor_ndim(tensor)),
                     ps_arg_dtype(dtype)};
    return pyps_op_tensors("zeros", args, 2, &view, pyps_dialect_get(self)) == 0
               ? pyps_wrap_like(self, view)
               : NULL;
}

static PyObject *get_priority(PyObject *self, void *unused)
{
    (void)self;
    (void)unused;
    return PyFloat_FromDouble(
        1000.0); /* above NumPy's own arrays, whose operators then step back */
}

static PyGetSetDef array_getset[] = {
    {"shape", get_shape, NULL, "Lengths of the dimensions.", NULL},
    {"dtype", get_dtype, NULL, "Type of the elements.", NULL},
    {"ndim", get_ndim, NULL, "Number of dimensions.", NULL},
    {"size", get_size, NULL, "Number of elements.", NULL},
    {"itemsize", get_itemsize, NULL, "Bytes of one element.", NULL},
    {"nbytes", get_nbytes, NULL, "Bytes of all elements.", NULL},
    {"strides", get_strides, NULL, "Bytes from one element to the next in each dimension.", NULL},
    {"device", get_device, NULL, "Where the elements are.", NULL},
    {"T", get_transposed, NULL, "A view with the dimensions reversed.", NULL},
    {"mT", get_matrix_transposed, NULL, "A view with the last two dimensions swapped.", NULL},
    {"real", get_part, NULL, "The real parts, as a view.", NULL},
    {"imag", get_part, NULL, "The imaginary parts, as a view.", (void *)1},
    {"__array_priority__", get_priority, NULL, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

/* ---- Classes ------------------------------------------------------------------------------ */

static PyObject *as_subclass(PyObject *self, PyObject *cls)
{
    if (!PyType_Check(cls) || !PyType_IsSubtype((PyTypeObject *)cls, &pyps_array_type))
        return pyps_error(PyExc_TypeError,
                          "as_subclass: the class must derive from ndarray, not %R", cls);
    ps_tensor *tensor = pyps_tensor(self);
    ps_status status = ps_tensor_retain(tensor);
    if (status != PS_OK)
        return pyps_raise(pyps_dialect_get(self), status);
    return pyps_wrap_as((PyTypeObject *)cls, pyps_dialect_of((PyTypeObject *)cls), tensor);
}

static PyObject *array_namespace(PyObject *self, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"api_version", NULL};
    PyObject *version = Py_None;
    (void)self;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|$O:__array_namespace__", names, &version))
        return NULL;
    static const char *const known[] = {"2021.12", "2022.12", "2023.12", "2024.12"};
    bool found = version == Py_None;
    for (size_t i = 0; i < PYPS_COUNT(known) && !found && PyUnicode_Check(version); i++)
        found = PyUnicode_CompareWithASCIIString(version, known[i]) == 0;
    if (!found)
        return pyps_error(PyExc_ValueError,
                          "api_version must be None or a version of the array API standard from "
                          "'2021.12' to '2024.12', not %R",
                          version);
    return PyImport_ImportModule("penstock");
}

static PyMethodDef array_methods[] = {
    {"as_subclass", as_subclass, METH_O,
     "as_subclass($self, cls, /)\n--\n\n"
     "The same array, sharing its elements, as an object of another array class.\n\n"
     ">>> class Mine(ps.ndarray):\n...     pass\n"
     ">>> type(ps.ones(2).as_subclass(Mine) + 1).__name__\n'Mine'"},
    {"__array_namespace__", (PyCFunction)(void (*)(void))array_namespace,
     METH_VARARGS | METH_KEYWORDS, NULL},
    {NULL, NULL, 0, NULL},
};

static int add_descriptor(const char *name, PyObject *descriptor)
{
    int status =
        descriptor != NULL ? PyDict_SetItemString(pyps_array_type.tp_dict, name, descriptor) : -1;
    Py_XDECREF(descriptor);
    PyType_Modified(&pyps_array_type);
    return status;
}

int pyps_methods_add(PyMethodDef *methods)
{
    for (PyMethodDef *method = methods; method->ml_name != NULL; method++)
        if (add_descriptor(method->ml_name, PyDescr_NewMethod(&pyps_array_type, method)) != 0)
            return -1;
    return 0;
}

int pyps_getset_add(PyGetSetDef *properties)
{
    for (PyGetSetDef *property = properties; property->name != NULL; property++)
        if (add_descriptor(property->name, PyDescr_NewGetSet(&pyps_array_type, property)) != 0)
            return -1;
    return 0;
}

PyDoc_STRVAR(array_doc,
             "ndarray(object, /, dtype=None, *, copy=True, device=None)\n--\n\n"
             "An array whose operations are queued and run in the background.\n\n"
             "Arithmetic, functions and assignments return at once. What needs a value waits for\n"
             "it: print, item, float, asnumpy, tolist; wait_to_read and penstock.waitall wait\n"
             "explicitly.\n\n"
             ">>> x = ps.array([1.0, 2.0])\n"
             ">>> y = x * x + 2\n"
             ">>> y\n"
             "array([3., 6.])");

PyTypeObject pyps_array_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "penstock.ndarray",
    .tp_basicsize = sizeof(pyps_array),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
    .tp_doc = array_doc,
    .tp_new = array_new,
    .tp_dealloc = array_dealloc,
    .tp_weaklistoffset = offsetof(pyps_array, weakrefs),
    .tp_repr = pyps_repr,
    .tp_str = pyps_str,
    .tp_hash = PyObject_HashNotImplemented,
    .tp_richcompare = pyps_compare,
    .tp_iter = pyps_iter,
    .tp_as_number = &pyps_number_methods,
    .tp_as_mapping = &pyps_mapping_methods,
    .tp_as_sequence = &pyps_sequence_methods,
    .tp_as_buffer = &pyps_buffer_procs,
    .tp_as_async = &pyps_async_methods,
    .tp_getset = array_getset,
    .tp_methods = array_methods,
};

/* ---- For classes that are written in Python --------------------------------------------------- */

static int check_array(const char *what, PyObject *object)
{
    if (pyps_is_array(object))
        return 0;
    pyps_error(PyExc_TypeError, "%s: expected an array, not %R", what, object);
    return -1;
}

static PyObject *extra_of(PyObject *module, PyObject *args)
{
    PyObject *object;
    int create;
    (void)module;
    if (!PyArg_ParseTuple(args, "Op:_extra", &object, &create) ||
        check_array("_extra", object) != 0)
        return NULL;
    pyps_array *self = (pyps_array *)object;
    if (Py_TYPE(object)->tp_dictoffset != EXTRA)
        return pyps_error(PyExc_TypeError, "_extra: arrays of class %.200s have no attributes",
                          Py_TYPE(object)->tp_name);
    if (self->extra == NULL && create)
        self->extra = PyDict_New();
    return self->extra != NULL ? Py_NewRef(self->extra) : create ? NULL : Py_NewRef(Py_None);
}

static PyObject *layout_of(PyObject *module, PyObject *array)
{
    ps_tensor_place place = {.size = sizeof place};
    (void)module;
    if (check_array("_layout", array) != 0)
        return NULL;
    const ps_tensor *tensor = pyps_tensor(array);
    ps_status status = ps_tensor_get_place(tensor, &place);
    if (status != PS_OK)
        return pyps_raise(pyps_dialect_get(array), status);
    PyObject *strides =
        tuple_of(&PyTuple_Type, ps_tensor_strides(tensor), ps_tensor_ndim(tensor), 1);
    return strides != NULL
               ? Py_BuildValue("(KLNK)", (unsigned long long)place.storage, (long long)place.offset,
                               strides, (unsigned long long)place.bytes)
               : NULL;
}

static PyObject *become(PyObject *module, PyObject *args)
{
    PyObject *array, *other;
    (void)module;
    if (!PyArg_ParseTuple(args, "OO:_become", &array, &other) ||
        check_array("_become", array) != 0 || check_array("_become", other) != 0)
        return NULL;
    ps_tensor *before = pyps_tensor(array);
    ps_status status = ps_tensor_retain(pyps_tensor(other));
    if (status != PS_OK)
        return pyps_raise(pyps_dialect_get(array), status);
    ((pyps_array *)array)->tensor = pyps_tensor(other);
    ps_tensor_release(before);
    Py_RETURN_NONE;
}

int pyps_array_setup(PyObject *module)
{
    static PyMethodDef functions[] = {
        {"_extra", extra_of, METH_VARARGS,
         "_extra(array, create)\n\nThe dict of what is kept with an array; None if there is none."},
        {"_layout", layout_of, METH_O,
         "_layout(array)\n\nStorage, first element, strides in elements, bytes of the storage."},
        {"_become", become, METH_VARARGS,
         "_become(array, other)\n\nFrom here on the array is what the other is."},
        {NULL, NULL, 0, NULL},
    };
    return PyModule_AddType(module, &pyps_array_type) == 0
               ? PyModule_AddFunctions(module, functions)
               : -1;
}
