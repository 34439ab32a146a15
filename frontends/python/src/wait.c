/* Waiting for an array: wait_to_read, wait, is_ready and await.
 *
 * While a thread waits, the interpreter's lock is given up by its hooks (thread.c). */
#include "core.h"

#include "engine.h"

/* ---- Timeouts ---------------------------------------------------------------------------- */

static int refuse_timeout(PyObject *timeout, PyObject *exception, const char *what)
{
    pyps_error(exception, "%s: timeout must be None or a number of seconds from 0 up, not %R", what,
               timeout);
    return -1;
}

int pyps_timeout_parse(PyObject *timeout, ps_wait_options *options, const char *what)
{
    *options = (ps_wait_options){.size = sizeof *options, .timeout_ns = -1};
    if (timeout == Py_None)
        return 0;
    double seconds = PyFloat_AsDouble(timeout);
    if (seconds == -1.0 && PyErr_Occurred()) {
        if (!PyErr_ExceptionMatches(PyExc_TypeError))
            return -1;
        PyErr_Clear();
        return refuse_timeout(timeout, PyExc_TypeError, what);
    }
    if (!(seconds >= 0)) /* nor is NaN */
        return refuse_timeout(timeout, PyExc_ValueError, what);
    if (seconds < 9e9) /* else it is for ever: 64 bits of nanoseconds end there */
        options->timeout_ns = (int64_t)(seconds * 1e9);
    return 0;
}

bool pyps_timed_out(ps_status status)
{
    ps_error_info info = {.size = sizeof info};
    return status == PS_ERR_TIMEOUT && ps_last_error_info(&info) == PS_OK && info.operation == NULL;
}

PyObject *pyps_timeout_arg(PyObject *const *args, Py_ssize_t nargs, PyObject *names,
                           const char *what)
{
    Py_ssize_t named = names != NULL ? PyTuple_GET_SIZE(names) : 0;
    if (nargs + named == 0)
        return Py_None;
    for (Py_ssize_t i = 0; i < named; i++) {
        PyObject *name = PyTuple_GET_ITEM(names, i);
        if (PyUnicode_CompareWithASCIIString(name, "timeout") != 0) {
            pyps_error(PyExc_TypeError, "%s() has no argument %R, only timeout", what, name);
            return NULL;
        }
    }
    if (nargs + named > 1) {
        PyErr_Format(PyExc_TypeError, "%s() takes one argument, timeout, but %zd were given", what,
                     nargs + named);
        return NULL;
    }
    return args[0];
}

/* ---- Methods ----------------------------------------------------------------------------- */

static PyObject *raise_for(PyObject *self, ps_status status)
{
    return pyps_raise(pyps_dialect_get(self), status);
}

static PyObject *wait_to_read(PyObject *self, PyObject *unused)
{
    (void)unused;
    pyps_enter();
    ps_status status = ps_tensor_wait(pyps_tensor(self), NULL);
    return status == PS_OK ? Py_NewRef(Py_None) : raise_for(self, status);
}

static PyObject *wait_for(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *names)
{
    ps_wait_options options;
    PyObject *timeout = pyps_timeout_arg(args, nargs, names, "wait");
    if (timeout == NULL || pyps_timeout_parse(timeout, &options, "wait") != 0)
        return NULL;
    pyps_enter();
    ps_status status = ps_tensor_wait(pyps_tensor(self), options.timeout_ns < 0 ? NULL : &options);
    if (pyps_timed_out(status))
        Py_RETURN_FALSE;
    return status == PS_OK ? Py_NewRef(Py_True) : raise_for(self, status);
}

static PyObject *is_ready(PyObject *self, PyObject *unused)
{
    (void)unused;
    return PyBool_FromLong(ps_tensor_is_ready(pyps_tensor(self)));
}

/* ---- await ------------------------------------------------------------------------------- */

/* An iterator that ends at once, with the array as its value. */
typedef struct ready {
    PyObject_HEAD PyObject *array;
} ready;

static void ready_free(PyObject *self)
{
    Py_XDECREF(((ready *)self)->array);
    PyObject_Free(self);
}

/* The value wrapped in the exception: a tuple would otherwise be taken for its arguments, and an
 * array must not be looked into. */
static PyObject *ready_next(PyObject *self)
{
    PyObject *array = ((ready *)self)->array;
    PyObject *stop = array != NULL ? PyObject_CallOneArg(PyExc_StopIteration, array) : NULL;
    if (stop != NULL) {
        PyErr_SetObject(PyExc_StopIteration, stop);
        Py_DECREF(stop);
    }
    Py_CLEAR(((ready *)self)->array);
    return NULL;
}

static PyTypeObject ready_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "penstock._core.ready",
    .tp_basicsize = sizeof(ready),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .tp_doc = "What `await` runs for an array that is ready.",
    .tp_dealloc = ready_free,
    .tp_iter = PyObject_SelfIter,
    .tp_iternext = ready_next,
};

static PyObject *ready_make(PyObject *array)
{
    ready *iterator = PyObject_New(ready, &ready_type);
    if (iterator != NULL)
        iterator->array = Py_NewRef(array);
    return (PyObject *)iterator;
}

static PyObject *await_later(PyObject *self)
{
    static PyObject *function; /* kept: the module of the package that knows asyncio */
    if (function == NULL) {
        PyObject *module = PyImport_ImportModule("penstock._aio");
        function = module != NULL ? PyObject_GetAttrString(module, "awaiting") : NULL;
        Py_XDECREF(module);
        if (function == NULL)
            return NULL;
    }
    return PyObject_CallOneArg(function, self);
}

/* Only looks: another thread may queue a write at any time, and the loop must not wait for it. */
static PyObject *await(PyObject *self)
{
    ps_wait_options look = {.size = sizeof look, .timeout_ns = 0};
    if (!ps_tensor_is_ready(pyps_tensor(self)))
        return await_later(self);
    pyps_enter();
    ps_status status = ps_tensor_wait(pyps_tensor(self), &look);
    if (status == PS_OK)
        return ready_make(self);
    return pyps_timed_out(status) ? await_later(self) : raise_for(self, status);
}

PyAsyncMethods pyps_async_methods = {.am_await = await};

/* ---- Setting up -------------------------------------------------------------------------- */

PyDoc_STRVAR(wait_to_read_doc, "wait_to_read($self, /)\n--\n\n"
                               "Wait until the array's value is there.\n\n"
                               "Raises what an operation met that the value comes from.\n\n"
                               ">>> y = ps.ones((3, 3)) @ ps.ones((3, 3))\n"
                               ">>> y.wait_to_read()\n"
                               ">>> y.is_ready()\n"
                               "True");
PyDoc_STRVAR(wait_doc,
             "wait($self, /, timeout=None)\n--\n\n"
             "Wait until the array's value is there, at most timeout seconds.\n\n"
             "Returns True when it is there and False when the time is up; what was queued\n"
             "goes on all the same. Raises what an operation met that the value comes from.\n\n"
             ">>> ps.ones(3).wait(timeout=60)\n"
             "True");
PyDoc_STRVAR(is_ready_doc,
             "is_ready($self, /)\n--\n\n"
             "Whether reading the array would not have to wait. Does not wait itself.\n\n"
             ">>> y = ps.ones(3) + 1\n"
             ">>> y.wait_to_read()\n"
             ">>> y.is_ready()\n"
             "True");

static PyMethodDef methods[] = {{"wait_to_read", wait_to_read, METH_NOARGS, wait_to_read_doc},
                                {"wait", (PyCFunction)(void (*)(void))wait_for,
                                 METH_FASTCALL | METH_KEYWORDS, wait_doc},
                                {"is_ready", is_ready, METH_NOARGS, is_ready_doc},
                                {NULL, NULL, 0, NULL}};

int pyps_wait_setup(PyObject *module)
{
    (void)module;
    if (PyType_Ready(&ready_type) != 0)
        return -1;
    return pyps_methods_add(methods);
}
