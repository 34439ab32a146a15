/* Arrays in files of MXNet's `.params` format.
 *
 * The interpreter's lock is given up while a file is read or written. Arrays are waited for before
 * that, so that Ctrl-C ends the wait. */
#include "files.h"

#include <errno.h>

/* ---- What files share -------------------------------------------------------------------- */

PyObject *pyps_file_raise(ps_status status, int code, PyObject *path)
{
    if (status != PS_ERR_SYSTEM || code == 0)
        return pyps_raise(NULL, status);
    errno = code;
    return PyErr_SetFromErrnoWithFilenameObject(PyExc_OSError, path);
}

const char *pyps_file_text(const char *function, PyObject *text)
{
    Py_ssize_t bytes;
    const char *found = PyUnicode_AsUTF8AndSize(text, &bytes); /* TypeError if it is no str */
    if (found == NULL || (size_t)bytes == strlen(found))
        return found;
    pyps_error(PyExc_ValueError, "%s: the name %R has a null character", function, text);
    return NULL;
}

const char **pyps_file_texts(const char *function, PyObject *texts)
{
    Py_ssize_t count = PyTuple_GET_SIZE(texts);
    const char **found = PyMem_Calloc((size_t)count + 1, sizeof *found);
    if (found == NULL) {
        PyErr_NoMemory();
        return NULL;
    }
    for (Py_ssize_t i = 0; i < count; i++) {
        found[i] = pyps_file_text(function, PyTuple_GET_ITEM(texts, i));
        if (found[i] == NULL) {
            PyMem_Free(found);
            return NULL;
        }
    }
    return found;
}

/* ---- Saving ------------------------------------------------------------------------------ */

void pyps_saving_end(pyps_saving *s)
{
    Py_XDECREF(s->arrays);
    Py_XDECREF(s->names);
    PyMem_Free(s->tensors);
    PyMem_Free(s->texts);
}

static int take_array(pyps_saving *s, const char *function, Py_ssize_t i)
{
    PyObject *array = PyTuple_GET_ITEM(s->arrays, i);
    if (!pyps_is_array(array)) {
        pyps_error(PyExc_TypeError, "%s: arrays[%zd] must be an array, not %R", function, i, array);
        return -1;
    }
    s->tensors[i] = pyps_tensor(array);
    ps_status status = ps_tensor_wait(s->tensors[i], NULL);
    if (status != PS_OK)
        pyps_raise(pyps_dialect_get(array), status);
    return status == PS_OK ? 0 : -1;
}

/* Tuples: while an array is waited for other threads may run, and must not change them. */
int pyps_saving_take(pyps_saving *s, const char *function, PyObject *arrays, PyObject *names)
{
    s->arrays = PySequence_Tuple(arrays);
    s->names = names != Py_None ? PySequence_Tuple(names) : NULL;
    if (s->arrays == NULL || (s->names == NULL && names != Py_None))
        return -1;
    s->count = PyTuple_GET_SIZE(s->arrays);
    if (s->names != NULL && PyTuple_GET_SIZE(s->names) != s->count) {
        PyErr_Format(PyExc_ValueError, "%s: %zd names for %zd arrays", function,
                     PyTuple_GET_SIZE(s->names), s->count);
        return -1;
    }
    s->tensors = PyMem_Calloc((size_t)s->count + 1, sizeof *s->tensors);
    if (s->tensors == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    s->texts = s->names != NULL ? pyps_file_texts(function, s->names) : NULL;
    if (s->texts == NULL && s->names != NULL)
        return -1;
    for (Py_ssize_t i = 0; i < s->count; i++)
        if (take_array(s, function, i) != 0)
            return -1;
    return 0;
}

static PyObject *write_file(pyps_saving *s, int version)
{
    PyObject *path;
    ps_status status;
    int code;
    if (!PyUnicode_FSConverter(s->path, &path))
        return NULL;
    Py_BEGIN_ALLOW_THREADS;
    errno = 0;
    status = ps_params_save(PyBytes_AS_STRING(path), s->texts, s->tensors, (size_t)s->count,
                            (ps_params_version)version);
    code = errno;
    Py_END_ALLOW_THREADS;
    Py_DECREF(path);
    return status == PS_OK ? Py_NewRef(Py_None) : pyps_file_raise(status, code, s->path);
}

static PyObject *params_save(PyObject *module, PyObject *args)
{
    PyObject *names, *arrays, *result = NULL;
    int version;
    pyps_saving s = {0};
    (void)module;
    if (!PyArg_ParseTuple(args, "OOOi:_params_save", &s.path, &names, &arrays, &version))
        return NULL;
    pyps_enter();
    if (pyps_saving_take(&s, "_params_save", arrays, names) == 0)
        result = write_file(&s, version);
    pyps_saving_end(&s);
    return result;
}

/* ---- Loading ----------------------------------------------------------------------------- */

/* An array saved before it had a shape is None. */
static PyObject *array_of(const ps_params *params, size_t i)
{
    ps_tensor *tensor;
    ps_status status = ps_params_tensor(params, i, &tensor);
    if (status != PS_OK)
        return pyps_raise(NULL, status);
    return tensor != NULL ? pyps_wrap(&pyps_array_type, pyps_native, tensor) : Py_NewRef(Py_None);
}

static PyObject *name_of(const ps_params *params, size_t i)
{
    return PyUnicode_FromString(ps_params_name(params, i));
}

static PyObject *list_of(const ps_params *params, PyObject *(*item_of)(const ps_params *, size_t))
{
    size_t count = ps_params_count(params);
    PyObject *list = PyList_New((Py_ssize_t)count);
    for (size_t i = 0; i < count && list != NULL; i++) {
        PyObject *item = item_of(params, i);
        if (item != NULL)
            PyList_SET_ITEM(list, (Py_ssize_t)i, item);
        else
            Py_CLEAR(list);
    }
    return list;
}

/* (arrays, names or None); ends the params. */
static PyObject *result_of(ps_params *params)
{
    PyObject *arrays = list_of(params, array_of), *names = NULL, *result = NULL;
    bool named = ps_params_name(params, 0) != NULL;
    if (arrays != NULL)
        names = named ? list_of(params, name_of) : Py_NewRef(Py_None);
    if (names != NULL)
        result = PyTuple_Pack(2, arrays, names);
    Py_XDECREF(arrays);
    Py_XDECREF(names);
    ps_params_free(params);
    return result;
}

static uint32_t flags_of(int allow_v3, int allow_older)
{
    return (allow_v3 ? 0u : (uint32_t)PS_PARAMS_REFUSE_V3) |
           (allow_older ? 0u : (uint32_t)PS_PARAMS_REFUSE_OLDER);
}

static PyObject *params_load(PyObject *module, PyObject *args)
{
    PyObject *given, *path;
    int allow_v3 = 1, allow_older = 1, code;
    ps_params *params = NULL;
    ps_status status;
    (void)module;
    if (!PyArg_ParseTuple(args, "O|pp:_params_load", &given, &allow_v3, &allow_older) ||
        !PyUnicode_FSConverter(given, &path))
        return NULL;
    pyps_enter();
    Py_BEGIN_ALLOW_THREADS;
    errno = 0;
    status = ps_params_load(PyBytes_AS_STRING(path), flags_of(allow_v3, allow_older), &params);
    code = errno;
    Py_END_ALLOW_THREADS;
    Py_DECREF(path);
    return status == PS_OK ? result_of(params) : pyps_file_raise(status, code, given);
}

static PyObject *params_load_buffer(PyObject *module, PyObject *args)
{
    Py_buffer view;
    int allow_v3 = 1, allow_older = 1;
    ps_params *params = NULL;
    ps_status status;
    (void)module;
    if (!PyArg_ParseTuple(args, "y*|pp:_params_load_buffer", &view, &allow_v3, &allow_older))
        return NULL;
    pyps_enter();
    const void *data = view.buf != NULL ? view.buf : "";
    Py_BEGIN_ALLOW_THREADS;
    status =
        ps_params_load_memory(data, (size_t)view.len, flags_of(allow_v3, allow_older), &params);
    Py_END_ALLOW_THREADS;
    PyBuffer_Release(&view);
    return status == PS_OK ? result_of(params) : pyps_raise(NULL, status);
}

int pyps_files_setup(PyObject *module)
{
    static PyMethodDef methods[] = {
        {"_params_save", params_save, METH_VARARGS,
         "_params_save(path, names, arrays, version, /)\n--\n\nWaits for the arrays and writes "
         "them; names may be None, version is 2 or 3."},
        {"_params_load", params_load, METH_VARARGS,
         "_params_load(path, allow_v3=True, allow_older=True, /)\n--\n\nThe arrays of a file, and "
         "their names or None."},
        {"_params_load_buffer", params_load_buffer, METH_VARARGS,
         "_params_load_buffer(data, allow_v3=True, allow_older=True, /)\n--\n\nThe same of a "
         "file's bytes."},
        {NULL, NULL, 0, NULL},
    };
    return PyModule_AddFunctions(module, methods);
}
