/* Arrays in safetensors files.
 *
 * An open file is a capsule; what is known without reading elements comes with it, as Python
 * objects, once. The interpreter's lock is given up while a file is read or written. */
#include "files.h"

#include <errno.h>

#define CAPSULE "penstock.safetensors"

/* ---- Saving ------------------------------------------------------------------------------ */

static PyObject *write_file(pyps_saving *s, const char *const *pairs, size_t npairs)
{
    PyObject *path;
    ps_status status;
    int code;
    if (!PyUnicode_FSConverter(s->path, &path))
        return NULL;
    Py_BEGIN_ALLOW_THREADS;
    errno = 0;
    status = ps_safetensors_save(PyBytes_AS_STRING(path), s->texts, s->tensors, (size_t)s->count,
                                 pairs, npairs);
    code = errno;
    Py_END_ALLOW_THREADS;
    Py_DECREF(path);
    return status == PS_OK ? Py_NewRef(Py_None) : pyps_file_raise(status, code, s->path);
}

static PyObject *safetensors_save(PyObject *module, PyObject *args)
{
    static const char function[] = "_safetensors_save";
    PyObject *names, *arrays, *metadata, *result = NULL;
    pyps_saving s = {0};
    (void)module;
    if (!PyArg_ParseTuple(args, "OOOO!:_safetensors_save", &s.path, &names, &arrays, &PyTuple_Type,
                          &metadata))
        return NULL;
    pyps_enter();
    const char **pairs = pyps_file_texts(function, metadata);
    if (pairs != NULL && pyps_saving_take(&s, function, arrays, names) == 0)
        result = write_file(&s, pairs, (size_t)PyTuple_GET_SIZE(metadata) / 2);
    PyMem_Free(pairs);
    pyps_saving_end(&s);
    return result;
}

/* ---- What is in a file ------------------------------------------------------------------- */

static PyObject *shape_of(const ps_safetensors *file, size_t i)
{
    int ndim = ps_safetensors_ndim(file, i);
    PyObject *shape = PyTuple_New(ndim);
    for (int axis = 0; axis < ndim && shape != NULL; axis++) {
        PyObject *length = PyLong_FromLongLong(ps_safetensors_shape(file, i)[axis]);
        if (length != NULL)
            PyTuple_SET_ITEM(shape, axis, length);
        else
            Py_CLEAR(shape);
    }
    return shape;
}

/* (name, dtype, shape) of each. */
static PyObject *entries_of(const ps_safetensors *file)
{
    size_t count = ps_safetensors_count(file);
    PyObject *list = PyList_New((Py_ssize_t)count);
    for (size_t i = 0; i < count && list != NULL; i++) {
        PyObject *shape = shape_of(file, i), *entry = NULL;
        if (shape != NULL)
            entry = Py_BuildValue("(sON)", ps_safetensors_name(file, i),
                                  pyps_dtype_object(ps_safetensors_dtype(file, i)), shape);
        if (entry != NULL)
            PyList_SET_ITEM(list, (Py_ssize_t)i, entry);
        else
            Py_CLEAR(list);
    }
    return list;
}

static PyObject *metadata_of(const ps_safetensors *file)
{
    PyObject *found = PyDict_New();
    const char *key;
    for (size_t i = 0; found != NULL && (key = ps_safetensors_metadata_key(file, i)) != NULL; i++) {
        PyObject *value = PyUnicode_FromString(ps_safetensors_metadata_value(file, i));
        if (value == NULL || PyDict_SetItemString(found, key, value) != 0)
            Py_CLEAR(found);
        Py_XDECREF(value);
    }
    return found;
}

/* ---- Opening ----------------------------------------------------------------------------- */

static void close_capsule(PyObject *capsule)
{
    ps_safetensors_close(PyCapsule_GetPointer(capsule, CAPSULE));
}

/* (file, entries, metadata); takes the file over. */
static PyObject *result_of(ps_safetensors *file)
{
    PyObject *entries, *metadata, *capsule = PyCapsule_New(file, CAPSULE, close_capsule);
    if (capsule == NULL) {
        ps_safetensors_close(file);
        return NULL;
    }
    entries = entries_of(file);
    metadata = entries != NULL ? metadata_of(file) : NULL;
    PyObject *result = metadata != NULL ? PyTuple_Pack(3, capsule, entries, metadata) : NULL;
    Py_DECREF(capsule);
    Py_XDECREF(entries);
    Py_XDECREF(metadata);
    return result;
}

static PyObject *safetensors_open(PyObject *module, PyObject *args)
{
    PyObject *given, *path;
    int borrow, code;
    ps_safetensors *file = NULL;
    ps_status status;
    (void)module;
    if (!PyArg_ParseTuple(args, "Op:_safetensors_open", &given, &borrow) ||
        !PyUnicode_FSConverter(given, &path))
        return NULL;
    pyps_enter();
    Py_BEGIN_ALLOW_THREADS;
    errno = 0;
    status =
        ps_safetensors_open(PyBytes_AS_STRING(path), borrow ? PS_SAFETENSORS_BORROW : 0, &file);
    code = errno;
    Py_END_ALLOW_THREADS;
    Py_DECREF(path);
    return status == PS_OK ? result_of(file) : pyps_file_raise(status, code, given);
}

static PyObject *safetensors_read(PyObject *module, PyObject *args)
{
    PyObject *capsule, *path;
    Py_ssize_t index;
    ps_tensor *tensor = NULL;
    ps_status status;
    int code;
    (void)module;
    if (!PyArg_ParseTuple(args, "OnO:_safetensors_read", &capsule, &index, &path))
        return NULL;
    const ps_safetensors *file = PyCapsule_GetPointer(capsule, CAPSULE);
    if (file == NULL)
        return NULL;
    pyps_enter();
    Py_BEGIN_ALLOW_THREADS;
    errno = 0;
    status = ps_safetensors_tensor(file, (size_t)index, &tensor);
    code = errno;
    Py_END_ALLOW_THREADS;
    return status == PS_OK ? pyps_wrap(&pyps_array_type, pyps_native, tensor)
                           : pyps_file_raise(status, code, path);
}

int pyps_safetensors_setup(PyObject *module)
{
    static PyMethodDef methods[] = {
        {"_safetensors_save", safetensors_save, METH_VARARGS,
         "_safetensors_save(path, names, arrays, metadata, /)\n--\n\nWaits for the arrays and "
         "writes them; metadata is a tuple of keys and values in turn."},
        {"_safetensors_open", safetensors_open, METH_VARARGS,
         "_safetensors_open(path, borrow, /)\n--\n\nAn open file; name, dtype and shape of each "
         "array; the metadata."},
        {"_safetensors_read", safetensors_read, METH_VARARGS,
         "_safetensors_read(file, index, path, /)\n--\n\nAn array of an open file; the path is "
         "for errors."},
        {NULL, NULL, 0, NULL},
    };
    return PyModule_AddFunctions(module, methods);
}
