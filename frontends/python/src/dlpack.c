/* DLPack: tensors handed over in capsules.
 *
 * Out: a snapshot in a capsule whose destructor gives it back unless somebody has taken it. Without
 * a version the struct cannot say that it is read-only, so such consumers are given a copy.
 *
 * In: nothing of a capsule is believed; the library checks the struct. Its owner's deleter may need
 * the interpreter's lock, so the library is given a struct of ours instead, whose deleter leaves
 * the other one to release.c.
 *
 * Invariants
 *   1. A capsule is renamed before anything else can happen to it, so that two threads cannot take
 *      it both; it gets its name back if the import fails, and then still owns the struct. */
#include "interop.h"

#define OLD "dltensor"
#define NEW "dltensor_versioned"

/* ---- Out --------------------------------------------------------------------------------- */

/* For consumers that know the struct without a version only. */
typedef struct old_export {
    DLManagedTensor managed;
    DLManagedTensorVersioned *inner;
} old_export;

static void old_delete(DLManagedTensor *managed)
{
    old_export *self = managed->manager_ctx;
    self->inner->deleter(self->inner);
    free(self);
}

static void old_destroy(PyObject *capsule)
{
    if (!PyCapsule_IsValid(capsule, OLD))
        return; /* taken */
    DLManagedTensor *managed = PyCapsule_GetPointer(capsule, OLD);
    managed->deleter(managed);
}

static void new_destroy(PyObject *capsule)
{
    if (!PyCapsule_IsValid(capsule, NEW))
        return;
    DLManagedTensorVersioned *managed = PyCapsule_GetPointer(capsule, NEW);
    managed->deleter(managed);
}

static PyObject *old_capsule(DLManagedTensorVersioned *inner)
{
    old_export *self = malloc(sizeof *self);
    if (self == NULL) {
        inner->deleter(inner);
        return PyErr_NoMemory();
    }
    self->inner = inner;
    self->managed = (DLManagedTensor){inner->dl_tensor, self, old_delete};
    PyObject *capsule = PyCapsule_New(&self->managed, OLD, old_destroy);
    if (capsule == NULL)
        old_delete(&self->managed);
    return capsule;
}

static PyObject *new_capsule(DLManagedTensorVersioned *managed)
{
    PyObject *capsule = PyCapsule_New(managed, NEW, new_destroy);
    if (capsule == NULL)
        managed->deleter(managed);
    return capsule;
}

/* Nobody else has the copy, so whoever gets it may write to it. */
static DLManagedTensorVersioned *export_copy(PyObject *self)
{
    ps_tensor *copy = NULL;
    ps_arg arg = ps_arg_tensor(pyps_tensor(self));
    DLManagedTensorVersioned *managed = NULL;
    pyps_enter();
    if (pyps_op_tensors("copy", &arg, 1, &copy, pyps_dialect_get(self)) != 0)
        return NULL;
    ps_status status = ps_tensor_to_dlpack(copy, &managed);
    ps_tensor_release(copy);
    if (status != PS_OK) {
        pyps_raise(pyps_dialect_get(self), status);
        return NULL;
    }
    managed->flags &= ~DLPACK_FLAG_BITMASK_READ_ONLY;
    managed->flags |= DLPACK_FLAG_BITMASK_IS_COPIED;
    return managed;
}

/* Two integers out of a tuple of them. */
static int parse_pair(PyObject *object, long pair[2], const char *what)
{
    if (PyTuple_Check(object) && PyTuple_GET_SIZE(object) == 2) {
        pair[0] = PyLong_AsLong(PyTuple_GET_ITEM(object, 0));
        pair[1] = PyErr_Occurred() ? -1 : PyLong_AsLong(PyTuple_GET_ITEM(object, 1));
        if (!PyErr_Occurred())
            return 0;
        PyErr_Clear();
    }
    pyps_error(PyExc_TypeError, "__dlpack__: %s must be a tuple of two integers, not %R", what,
               object);
    return -1;
}

/* The rules for the arguments: *versioned says which capsule is wanted, *copy whether a copy is. */
static int check_request(PyObject *stream, PyObject *max_version, PyObject *device, PyObject *given,
                         bool *versioned, bool *copy)
{
    long version[2] = {0, 0}, place[2] = {kDLCPU, 0};
    int wanted;
    if (stream != Py_None) {
        pyps_error(PyExc_ValueError,
                   "__dlpack__: memory of the CPU has no stream: stream must "
                   "be None, not %R",
                   stream);
        return -1;
    }
    if ((max_version != Py_None && parse_pair(max_version, version, "max_version") != 0) ||
        (device != Py_None && parse_pair(device, place, "dl_device") != 0) ||
        pyps_copy_parse(given, &wanted, "__dlpack__") != 0)
        return -1;
    if (place[0] != kDLCPU || place[1] != 0) {
        pyps_error(PyExc_BufferError,
                   "__dlpack__: the array is exported to the CPU, (1, 0), only, "
                   "not to %R",
                   device);
        return -1;
    }
    *versioned = version[0] >= DLPACK_MAJOR_VERSION;
    if (!*versioned && wanted == 0) {
        PyErr_SetString(PyExc_BufferError,
                        "__dlpack__: copy=False needs max_version (1, 0) or later: "
                        "only that can say that elements are read-only");
        return -1;
    }
    *copy = wanted == 1 || !*versioned;
    return 0;
}

PyDoc_STRVAR(dlpack_doc, "__dlpack__($self, /, *, stream=None, max_version=None, dl_device=None, "
                         "copy=None)\n--\n\n"
                         "The array in a DLPack capsule: a read-only snapshot. Waits.");

static PyObject *dlpack(PyObject *self, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"stream", "max_version", "dl_device", "copy", NULL};
    PyObject *stream = Py_None, *version = Py_None, *device = Py_None, *given = Py_None;
    bool versioned, copy;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|$OOOO:__dlpack__", names, &stream, &version,
                                     &device, &given) ||
        check_request(stream, version, device, given, &versioned, &copy) != 0)
        return NULL;
    DLManagedTensorVersioned *managed = copy ? export_copy(self) : pyps_snapshot(self);
    if (managed == NULL)
        return NULL;
    return versioned ? new_capsule(managed) : old_capsule(managed);
}

static PyObject *dlpack_device(PyObject *self, PyObject *unused)
{
    (void)self;
    (void)unused;
    return Py_BuildValue("(ii)", kDLCPU, 0);
}

/* ---- In ---------------------------------------------------------------------------------- */

/* Somebody's struct, seen by the library as one of ours. */
typedef struct taken {
    pyps_release release;
    DLManagedTensorVersioned managed;
    DLManagedTensorVersioned *theirs; /* one of the two */
    DLManagedTensor *old;
} taken;

static void taken_end(pyps_release *release)
{
    taken *self = (taken *)release;
    if (self->theirs != NULL && self->theirs->deleter != NULL)
        self->theirs->deleter(self->theirs);
    if (self->old != NULL && self->old->deleter != NULL)
        self->old->deleter(self->old);
    free(self);
}

static void taken_delete(DLManagedTensorVersioned *managed)
{
    taken *self = managed->manager_ctx;
    pyps_release_later(&self->release);
}

/* Of a capsule that has the name it should have. */
static int taken_read(taken *self, void *pointer, bool versioned)
{
    self->theirs = versioned ? pointer : NULL;
    self->old = versioned ? NULL : pointer;
    self->release.run = taken_end;
    if (versioned && self->theirs->version.major != DLPACK_MAJOR_VERSION) {
        PyErr_Format(PyExc_BufferError,
                     "from_dlpack: a capsule of version %u.%u, only 1.x is known",
                     (unsigned)self->theirs->version.major, (unsigned)self->theirs->version.minor);
        return -1;
    }
    self->managed = (DLManagedTensorVersioned){
        .version = {DLPACK_MAJOR_VERSION, DLPACK_MINOR_VERSION},
        .manager_ctx = self,
        .deleter = taken_delete,
        .flags = versioned ? self->theirs->flags : 0,
        .dl_tensor = versioned ? self->theirs->dl_tensor : self->old->dl_tensor,
    };
    return 0;
}

static int forbid_copied(const taken *self, const pyps_import *wanted)
{
    if (wanted->copy != 0 || !(self->managed.flags & DLPACK_FLAG_BITMASK_IS_COPIED))
        return 0;
    PyErr_SetString(PyExc_ValueError, "copy=False: the object could be exported as a copy only");
    return -1;
}

/* The struct is theirs still if this fails. */
static ps_tensor *taken_import(taken *self, const pyps_import *wanted)
{
    ps_tensor *tensor = NULL;
    bool copy = wanted->copy == 1;
    if (forbid_copied(self, wanted) != 0)
        return NULL;
    if (copy)
        self->managed.deleter = NULL; /* this thread has the lock: it calls theirs itself */
    ps_status status = ps_tensor_from_dlpack(&self->managed, copy, &tensor);
    if (status != PS_OK)
        pyps_raise(wanted->dialect, status);
    else if (copy)
        taken_end(&self->release);
    return tensor;
}

static ps_tensor *import_pointer(void *pointer, bool versioned, const pyps_import *wanted)
{
    ps_tensor *tensor = NULL;
    if (wanted->copy != 1 && pyps_release_prepare() != 0)
        return NULL;
    taken *self = malloc(sizeof *self);
    if (self == NULL) {
        PyErr_NoMemory();
        return NULL;
    }
    if (taken_read(self, pointer, versioned) == 0)
        tensor = taken_import(self, wanted);
    if (tensor == NULL)
        free(self);
    return tensor;
}

static void *refuse_capsule(PyObject *object)
{
    const char *name = PyCapsule_CheckExact(object) ? PyCapsule_GetName(object) : NULL;
    if (!PyCapsule_CheckExact(object))
        PyErr_Format(PyExc_TypeError, "from_dlpack: __dlpack__ gave %.200s object, not a capsule",
                     Py_TYPE(object)->tp_name);
    else if (name != NULL && strncmp(name, "used_", 5) == 0)
        PyErr_Format(PyExc_ValueError, "from_dlpack: the capsule '%.100s' was taken already", name);
    else if (!PyErr_Occurred())
        PyErr_Format(PyExc_ValueError,
                     "from_dlpack: a capsule named '%.100s', expected '" NEW "' or '" OLD "'",
                     name != NULL ? name : "");
    return NULL;
}

static ps_tensor *import_capsule(PyObject *capsule, const pyps_import *wanted)
{
    bool versioned = PyCapsule_IsValid(capsule, NEW);
    const char *name = versioned ? NEW : OLD;
    if (!versioned && !PyCapsule_IsValid(capsule, OLD))
        return refuse_capsule(capsule);
    void *pointer = PyCapsule_GetPointer(capsule, name);
    if (pointer == NULL || PyCapsule_SetName(capsule, versioned ? "used_" NEW : "used_" OLD) != 0)
        return NULL;
    ps_tensor *tensor = import_pointer(pointer, versioned, wanted);
    if (tensor == NULL) {
        PyObject *type, *value, *traceback;
        PyErr_Fetch(&type, &value, &traceback);
        PyCapsule_SetName(capsule, name);
        PyErr_Restore(type, value, traceback);
    } else if (wanted->copy == 0 && pyps_import_uncopied(wanted, ps_tensor_dtype(tensor)) != 0) {
        ps_tensor_release(tensor);
        return NULL;
    }
    return pyps_import_finish(tensor, wanted);
}

/* Whether its memory is the CPU's: otherwise a TypeError, and -1. */
static int check_device(PyObject *object)
{
    long type = 0, id = 0;
    PyObject *pair = PyObject_CallMethod(object, "__dlpack_device__", NULL);
    if (pair == NULL)
        return -1;
    if (PyTuple_Check(pair) && PyTuple_GET_SIZE(pair) == 2) { /* enumerations are integers too */
        type = PyLong_AsLong(PyTuple_GET_ITEM(pair, 0));
        id = PyErr_Occurred() ? 0 : PyLong_AsLong(PyTuple_GET_ITEM(pair, 1));
    }
    if (!PyErr_Occurred() && type != kDLCPU && type != kDLCUDAHost)
        PyErr_Format(
            PyExc_TypeError,
            "from_dlpack: %.200s object is on DLPack device (%ld, %ld), only memory of the "
            "CPU can be taken: copy it there first",
            Py_TYPE(object)->tp_name, type, id);
    Py_DECREF(pair);
    return PyErr_Occurred() ? -1 : 0;
}

/* The object's capsule. Producers of before version 1 know no max_version. */
static PyObject *ask_capsule(PyObject *object)
{
    PyObject *method = PyObject_GetAttrString(object, "__dlpack__");
    PyObject *none = method != NULL ? PyTuple_New(0) : NULL;
    PyObject *keywords = none != NULL ? Py_BuildValue("{s(ii)}", "max_version",
                                                      DLPACK_MAJOR_VERSION, DLPACK_MINOR_VERSION)
                                      : NULL;
    PyObject *capsule = keywords != NULL ? PyObject_Call(method, none, keywords) : NULL;
    if (keywords != NULL && capsule == NULL && PyErr_ExceptionMatches(PyExc_TypeError)) {
        PyErr_Clear();
        capsule = PyObject_CallNoArgs(method);
    }
    Py_XDECREF(method);
    Py_XDECREF(none);
    Py_XDECREF(keywords);
    return capsule;
}

static ps_tensor *import_object(PyObject *object, const pyps_import *wanted)
{
    if (PyCapsule_CheckExact(object))
        return import_capsule(object, wanted);
    PyObject *capsule = check_device(object) == 0 ? ask_capsule(object) : NULL;
    ps_tensor *tensor = capsule != NULL ? import_capsule(capsule, wanted) : NULL;
    Py_XDECREF(capsule);
    return tensor;
}

/* Elements are captured, unless the caller promises that they stay. */
ps_tensor *pyps_import_dlpack(PyObject *object, const pyps_import *wanted)
{
    pyps_import captured = *wanted;
    if (captured.copy == -1)
        captured.copy = 1;
    return import_object(object, &captured);
}

PyDoc_STRVAR(from_dlpack_doc,
             "from_dlpack(x, /, *, device=None, copy=None)\n--\n\n"
             "An array of another library's array, by DLPack.\n\n"
             "It shares the memory unless copy is True: do not write there while the array is\n"
             "used. Writes to the array itself go to memory of its own.\n\n"
             ">>> ps.from_dlpack(ps.array([1.0, 2.0]))\n"
             "array([1., 2.])");

static PyObject *from_dlpack(PyObject *module, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"", "device", "copy", NULL};
    PyObject *object, *device = Py_None, *copy = Py_None;
    pyps_import wanted = {.dialect = pyps_native, .dtype = -1};
    (void)module;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O|$OO:from_dlpack", names, &object, &device,
                                     &copy) ||
        pyps_copy_parse(copy, &wanted.copy, "from_dlpack") != 0 ||
        pyps_device_parse(device, &wanted.device) != 0)
        return NULL;
    pyps_enter();
    ps_tensor *tensor = import_object(object, &wanted);
    if (tensor == NULL && PyErr_ExceptionMatches(PyExc_AttributeError))
        pyps_error(PyExc_TypeError,
                   "from_dlpack: the object must have __dlpack__ and __dlpack_device__, %.200s "
                   "object %R has not",
                   Py_TYPE(object)->tp_name, object);
    return tensor != NULL ? pyps_wrap(&pyps_array_type, pyps_native, tensor) : NULL;
}

/* ---- Setup ------------------------------------------------------------------------------- */

static PyMethodDef methods[] = {
    {"__dlpack__", (PyCFunction)(void (*)(void))dlpack, METH_VARARGS | METH_KEYWORDS, dlpack_doc},
    {"__dlpack_device__", dlpack_device, METH_NOARGS,
     "__dlpack_device__($self, /)\n--\n\nWhere DLPack exports are: the CPU, (1, 0)."},
    {NULL, NULL, 0, NULL},
};

static PyMethodDef functions[] = {
    {"from_dlpack", (PyCFunction)(void (*)(void))from_dlpack, METH_VARARGS | METH_KEYWORDS,
     from_dlpack_doc},
    {NULL, NULL, 0, NULL},
};

int pyps_dlpack_setup(PyObject *module)
{
    return pyps_methods_add(methods) == 0 ? PyModule_AddFunctions(module, functions) : -1;
}
