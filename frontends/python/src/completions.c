/* A queue of arrays that have become ready, with a file descriptor for an event loop: what _aio.py
 * is made of. */
#include "core.h"

#include "engine.h"

typedef struct completions {
    PyObject_HEAD ps_completions *queue;
} completions;

static PyObject *completions_new(PyTypeObject *type, PyObject *args, PyObject *names)
{
    static char *no_names[] = {NULL};
    if (!PyArg_ParseTupleAndKeywords(args, names, ":Completions", no_names))
        return NULL;
    ps_engine *engine = pyps_engine();
    completions *self = engine != NULL ? (completions *)type->tp_alloc(type, 0) : NULL;
    if (self == NULL)
        return NULL;
    ps_status status = ps_completions_create(engine, &self->queue);
    if (status == PS_OK)
        return (PyObject *)self;
    self->queue = NULL;
    Py_DECREF(self);
    return pyps_raise(NULL, status);
}

static void completions_free(PyObject *self)
{
    ps_completions_destroy(((completions *)self)->queue);
    Py_TYPE(self)->tp_free(self);
}

static PyObject *completions_fileno(PyObject *self, PyObject *unused)
{
    (void)unused;
    return PyLong_FromLong(ps_completions_fd(((completions *)self)->queue));
}

/* watch(array, tag) */
static PyObject *completions_watch(PyObject *self, PyObject *const *args, Py_ssize_t nargs)
{
    if (nargs != 2 || !pyps_is_array(args[0])) {
        PyErr_SetString(PyExc_TypeError, "watch: expected an array and a tag");
        return NULL;
    }
    uint64_t tag = PyLong_AsUnsignedLongLong(args[1]);
    if (tag == UINT64_MAX && PyErr_Occurred())
        return NULL;
    pyps_enter();
    ps_status status =
        ps_completions_watch_tensor(((completions *)self)->queue, pyps_tensor(args[0]), tag);
    return status == PS_OK ? Py_NewRef(Py_None) : pyps_raise(pyps_dialect_get(args[0]), status);
}

/* pop(): (tag, whether it succeeded), or None. */
static PyObject *completions_pop(PyObject *self, PyObject *unused)
{
    (void)unused;
    uint64_t tag;
    ps_status mark, status = ps_completions_pop(((completions *)self)->queue, &tag, &mark);
    if (status == PS_ERR_EMPTY)
        Py_RETURN_NONE;
    if (status != PS_OK)
        return pyps_raise(NULL, status);
    return Py_BuildValue("KO", (unsigned long long)tag, mark == PS_OK ? Py_True : Py_False);
}

static PyMethodDef methods[] = {{"fileno", completions_fileno, METH_NOARGS,
                                 "The descriptor: readable while pop has something."},
                                {"watch", (PyCFunction)(void (*)(void))completions_watch,
                                 METH_FASTCALL,
                                 "Put the tag into the queue once the array is ready."},
                                {"pop", completions_pop, METH_NOARGS,
                                 "(tag, whether the array has a value), or None. Does not wait."},
                                {NULL, NULL, 0, NULL}};

static PyTypeObject completions_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "penstock._core.Completions",
    .tp_basicsize = sizeof(completions),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_doc = "A queue of arrays that have become ready.",
    .tp_new = completions_new,
    .tp_dealloc = completions_free,
    .tp_methods = methods,
};

int pyps_completions_setup(PyObject *module)
{
    if (PyType_Ready(&completions_type) != 0)
        return -1;
    return PyModule_AddObjectRef(module, "_Completions", (PyObject *)&completions_type);
}
