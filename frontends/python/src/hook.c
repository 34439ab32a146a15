/* Hooks: Python functions that are called with gradients, and the objects that take them away. */
#include "callback.h"

typedef struct hook {
    PyObject_HEAD ps_hook *hook; /* NULL: it was removed */
} hook;

/* ---- A turn in a walk ---------------------------------------------------------------------- */

static int take_replacement(PyObject *given, ps_tensor **replacement)
{
    if (given == Py_None)
        return 0;
    if (!pyps_is_array(given)) {
        pyps_error(PyExc_TypeError, "a hook must give an array or None, not %R", given);
        return -1;
    }
    ps_status status = ps_tensor_retain(pyps_tensor(given));
    if (status != PS_OK) {
        pyps_raise(NULL, status);
        return -1;
    }
    *replacement = pyps_tensor(given);
    return 0;
}

static ps_status run(void *context, ps_tensor *gradient, ps_tensor **replacement)
{
    const pyps_callback *self = context;
    PyGILState_STATE lock = PyGILState_Ensure();
    PyObject *array = pyps_callback_wrap(self, 0, gradient);
    PyObject *given = array != NULL ? PyObject_CallOneArg(self->function, array) : NULL;
    bool fine = given != NULL && take_replacement(given, replacement) == 0;
    ps_status status = fine ? PS_OK : pyps_callback_failed();
    Py_XDECREF(array);
    Py_XDECREF(given);
    PyGILState_Release(lock);
    return status;
}

/* ---- The object ---------------------------------------------------------------------------- */

static void hook_dealloc(PyObject *self)
{
    ps_hook_release(((hook *)self)->hook);
    Py_TYPE(self)->tp_free(self);
}

static PyObject *hook_remove(PyObject *self, PyObject *unused)
{
    ps_hook *mine = ((hook *)self)->hook;
    (void)unused;
    ((hook *)self)->hook = NULL; /* first: what goes with it may run code that comes here */
    ps_hook_remove(mine);
    Py_RETURN_NONE;
}

static PyObject *hook_enter(PyObject *self, PyObject *unused)
{
    (void)unused;
    return Py_NewRef(self);
}

static PyMethodDef hook_methods[] = {
    {"remove", hook_remove, METH_NOARGS,
     "remove($self, /)\n--\n\nTake the hook away; once more does nothing."},
    {"__enter__", hook_enter, METH_NOARGS, NULL},
    {"__exit__", hook_remove, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyTypeObject hook_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "penstock.autograd.Hook",
    .tp_basicsize = sizeof(hook),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .tp_doc = "What register_hook gives: takes the hook away, also as a context manager.",
    .tp_dealloc = hook_dealloc,
    .tp_methods = hook_methods,
};

/* ---- Adding -------------------------------------------------------------------------------- */

static PyObject *add(PyObject *array, PyObject *function, ps_hook_kind kind)
{
    hook *self = (hook *)hook_type.tp_alloc(&hook_type, 0);
    PyObject *types = self != NULL ? PyTuple_Pack(1, (PyObject *)Py_TYPE(array)) : NULL;
    pyps_callback *context = self != NULL ? pyps_callback_new(function, types) : NULL;
    if (context == NULL) {
        Py_XDECREF(self);
        return NULL;
    }
    ps_hook_spec spec = {.size = sizeof spec,
                         .kind = kind,
                         .run = run,
                         .context = context,
                         .drop = pyps_callback_drop};
    pyps_enter();
    ps_status status = ps_tensor_hook(pyps_tensor(array), &spec, &self->hook);
    if (status == PS_OK)
        return (PyObject *)self;
    Py_DECREF(self);
    return pyps_raise(pyps_dialect_get(array), status);
}

static PyObject *register_hook(PyObject *self, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"", "accumulated", NULL};
    PyObject *function;
    int accumulated = 0;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O|$p:register_hook", names, &function,
                                     &accumulated))
        return NULL;
    if (!PyCallable_Check(function)) {
        pyps_error(PyExc_TypeError, "register_hook: expected a function, not %R", function);
        pyps_translate(pyps_dialect_get(self));
        return NULL;
    }
    return add(self, function, accumulated ? PS_HOOK_ACCUMULATED : PS_HOOK_GRADIENT);
}

static PyMethodDef methods[] = {
    {"register_hook", (PyCFunction)(void (*)(void))register_hook, METH_VARARGS | METH_KEYWORDS,
     "register_hook($self, function, /, *, accumulated=False)\n--\n\n"
     "Have a function called with the gradient of the array by each walk that computes it.\n\n"
     "If it gives an array, that is used as the gradient instead. With accumulated=True it is\n"
     "called with x.grad, after a backward has written or added to that. Hooks run in the order in\n"
     "which they were added; they belong to the value that the array has now. What is given back\n"
     "takes the hook away, by its remove() or at the end of a with block; until then it stays with\n"
     "the value, and with it what the function refers to, which must not be the array itself.\n\n"
     ">>> x = ps.array([1.0, 2.0])\n"
     ">>> x.attach_grad()\n"
     ">>> with ps.autograd.record():\n"
     "...     y = x * x\n"
     ">>> with y.register_hook(lambda gradient: 10 * gradient):\n"
     "...     y.backward()\n"
     ">>> x.grad\n"
     "array([20., 40.])"},
    {NULL, NULL, 0, NULL},
};

int pyps_hook_setup(PyObject *module)
{
    if (PyType_Ready(&hook_type) != 0 || pyps_methods_add(methods) != 0)
        return -1;
    return PyModule_AddObjectRef(module, "_GradHook", (PyObject *)&hook_type);
}
