/* Gradients: what autograd.py and the methods of arrays about them are made of. The graph is the
 * library's: operations, views and writes record themselves, whoever calls them. */
#include "callback.h"

#include "engine.h"

/* ---- The thread's state -------------------------------------------------------------------- */

static PyObject *is_set(uint64_t bit)
{
    return PyBool_FromLong((ps_thread_state() & bit) != 0);
}

static PyObject *is_recording(PyObject *module, PyObject *unused)
{
    (void)module;
    (void)unused;
    return is_set(PS_STATE_RECORDING);
}

static PyObject *is_training(PyObject *module, PyObject *unused)
{
    (void)module;
    (void)unused;
    return is_set(PS_STATE_TRAINING);
}

static PyObject *is_paused(PyObject *module, PyObject *unused)
{
    (void)module;
    (void)unused;
    return is_set(PS_STATE_PAUSED);
}

/* Whether recording, training, and the pause of what is recorded unless paused, are to be on: True,
 * False or None, for each; None keeps what is. Gives what they were in the same form, so that calling
 * it with that goes back. */
static PyObject *set_state(PyObject *module, PyObject *const *args, Py_ssize_t nargs)
{
    static const uint64_t bits[] = {PS_STATE_RECORDING, PS_STATE_TRAINING, PS_STATE_PAUSED};
    static const char *const names[] = {"recording", "train_mode", "paused"};
    PyObject *before[] = {Py_None, Py_None, Py_None};
    uint64_t old = ps_thread_state(), state = old;
    (void)module;
    for (Py_ssize_t i = 0; i < nargs && i < (Py_ssize_t)PYPS_COUNT(bits); i++) {
        if (args[i] == Py_None)
            continue;
        if (!PyBool_Check(args[i]))
            return pyps_error(PyExc_TypeError, "%s must be True or False, not %R", names[i],
                              args[i]);
        before[i] = old & bits[i] ? Py_True : Py_False;
        state = args[i] == Py_True ? state | bits[i] : state & ~bits[i];
    }
    ps_status status = state != old ? ps_thread_set_state(state) : PS_OK;
    return status == PS_OK ? PyTuple_Pack(3, before[0], before[1], before[2])
                           : pyps_raise(NULL, status);
}

/* ---- Arrays -------------------------------------------------------------------------------- */

static int parse_request(PyObject *object, uint32_t *request)
{
    static const char *const names[] =
        {[PS_GRAD_NULL] = "null", [PS_GRAD_WRITE] = "write", [PS_GRAD_ADD] = "add"};
    for (size_t i = 0; i < PYPS_COUNT(names) && PyUnicode_Check(object); i++)
        if (PyUnicode_CompareWithASCIIString(object, names[i]) == 0) {
            *request = (uint32_t)i;
            return 0;
        }
    pyps_error(PyUnicode_Check(object) ? PyExc_ValueError : PyExc_TypeError,
               "attach_grad: grad_req must be 'write', 'add' or 'null', not %R", object);
    return -1;
}

static PyObject *attach(PyObject *array, PyObject *object, ps_tensor *grad)
{
    uint32_t request;
    if (parse_request(object, &request) != 0) {
        pyps_translate(pyps_dialect_get(array));
        return NULL;
    }
    pyps_enter();
    ps_status status = ps_grad_attach(pyps_tensor(array),
                                      request | pyps_dialect_get(array)->policy.gradients, grad);
    return status == PS_OK ? Py_NewRef(Py_None) : pyps_raise(pyps_dialect_get(array), status);
}

static PyObject *attach_grad(PyObject *self, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"grad_req", NULL};
    PyObject *request = NULL;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|O:attach_grad", names, &request))
        return NULL;
    PyObject *given = request != NULL ? Py_NewRef(request) : PyUnicode_FromString("write");
    PyObject *done = given != NULL ? attach(self, given, NULL) : NULL;
    Py_XDECREF(given);
    return done;
}

/* An array, the array for its gradient, and the request. */
static PyObject *attach_given(PyObject *module, PyObject *args)
{
    PyObject *array, *grad, *request;
    (void)module;
    if (!PyArg_ParseTuple(args, "O!O!O:_grad_attach", &pyps_array_type, &array, &pyps_array_type,
                          &grad, &request))
        return NULL;
    return attach(array, request, pyps_tensor(grad));
}

/* `known` itself, an array or None, if it is the gradient. */
static PyObject *wrap_grad(PyObject *self, PyObject *known)
{
    ps_tensor *grad = NULL;
    ps_status status = ps_grad_get(pyps_tensor(self), &grad);
    if (status != PS_OK)
        return pyps_raise(pyps_dialect_get(self), status);
    if (grad == NULL)
        Py_RETURN_NONE;
    if (known == Py_None || pyps_tensor(known) != grad)
        return pyps_wrap_like(self, grad);
    ps_tensor_release(grad);
    return Py_NewRef(known);
}

static PyObject *get_grad(PyObject *self, void *closure)
{
    (void)closure;
    return wrap_grad(self, Py_None);
}

static bool is_array_or_none(PyObject *object)
{
    return object == Py_None || pyps_is_array(object);
}

/* The gradient of an array, or None; what is given with it is given back if it is that, so that a
 * library in which x.grad is one object can keep it. */
static PyObject *get_grad_known(PyObject *module, PyObject *args)
{
    PyObject *array, *known;
    (void)module;
    if (!PyArg_ParseTuple(args, "O!O:_grad_get", &pyps_array_type, &array, &known))
        return NULL;
    if (!is_array_or_none(known))
        return pyps_error(PyExc_TypeError, "grad: expected an array or None, not %R", known);
    return wrap_grad(array, known);
}

/* Where the gradient of an array goes from now on; None: none until the next backward makes it. */
static PyObject *put_grad(PyObject *module, PyObject *args)
{
    PyObject *array, *grad;
    (void)module;
    if (!PyArg_ParseTuple(args, "O!O:_grad_set", &pyps_array_type, &array, &grad))
        return NULL;
    if (!is_array_or_none(grad)) {
        pyps_error(PyExc_TypeError, "grad must be an array or None, not %R", grad);
        pyps_translate(pyps_dialect_get(array));
        return NULL;
    }
    ps_status status = ps_grad_set(pyps_tensor(array), grad != Py_None ? pyps_tensor(grad) : NULL);
    return status == PS_OK ? Py_NewRef(Py_None) : pyps_raise(pyps_dialect_get(array), status);
}

static int set_grad(PyObject *self, PyObject *value, void *closure)
{
    (void)self;
    (void)closure;
    pyps_error(PyExc_AttributeError,
               "grad cannot be %s: x.attach_grad() makes it, x.grad[:] = value writes to it, and "
               "x.attach_grad('null') removes it",
               value != NULL ? "assigned" : "deleted");
    return -1;
}

static PyObject *detach_by(PyObject *array, ps_status (*by)(ps_tensor *, ps_tensor **))
{
    ps_tensor *detached = NULL;
    pyps_enter();
    ps_status status = by(pyps_tensor(array), &detached);
    return status == PS_OK ? pyps_wrap_like(array, detached)
                           : pyps_raise(pyps_dialect_get(array), status);
}

static PyObject *detach(PyObject *self, PyObject *unused)
{
    (void)unused;
    return detach_by(self, ps_tensor_detach);
}

static int check_array(const char *what, PyObject *object)
{
    if (pyps_is_array(object))
        return 0;
    pyps_error(PyExc_TypeError, "%s: expected an array, not %R", what, object);
    return -1;
}

/* The same, through which writes are not counted. */
static PyObject *alias(PyObject *module, PyObject *array)
{
    (void)module;
    return check_array("_grad_alias", array) == 0 ? detach_by(array, ps_tensor_alias) : NULL;
}

/* How often an array, or one that it shares its elements with, was written in place. */
static PyObject *version(PyObject *module, PyObject *array)
{
    (void)module;
    if (check_array("_version", array) != 0)
        return NULL;
    return PyLong_FromUnsignedLongLong(ps_tensor_version(pyps_tensor(array)));
}

/* ---- Walks --------------------------------------------------------------------------------- */

/* What one walk needs of Python's lists. */
typedef struct walk {
    const char *what; /* begins the text of an error */
    const pyps_dialect *dialect;
    Py_ssize_t count, nwanted;
    ps_tensor **heads, **wanted; /* borrowed from the lists */
    ps_tensor **gradients;       /* of the heads; owned, NULL: ones */
    ps_tensor **results;         /* of what is wanted; owned */
} walk;

int pyps_take_arrays(const char *what, const char *noun, PyObject *list, ps_tensor **to)
{
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(list); i++) {
        PyObject *item = PyList_GET_ITEM(list, i);
        if (!pyps_is_array(item)) {
            pyps_error(PyExc_TypeError, "%s: %s %zd must be an array, not %R", what, noun, i, item);
            return -1;
        }
        to[i] = pyps_tensor(item);
    }
    return 0;
}

/* The gradient of a head: numbers and sequences of them become elements of the head's type. */
static ps_tensor *import_gradient(const walk *w, Py_ssize_t index, PyObject *object)
{
    if (pyps_is_array(object)) {
        ps_status status = ps_tensor_retain(pyps_tensor(object));
        if (status != PS_OK)
            pyps_raise(w->dialect, status);
        return status == PS_OK ? pyps_tensor(object) : NULL;
    }
    bool bare = pyps_is_number(object) || pyps_is_sequence(object);
    pyps_import wanted = {.dialect = w->dialect,
                          .dtype = bare ? (int)ps_tensor_dtype(w->heads[index]) : -1,
                          .copy = -1,
                          .sequences = true};
    ps_tensor *tensor = pyps_import_object(object, &wanted);
    if (tensor == NULL && !PyErr_Occurred())
        pyps_error(PyExc_TypeError, "%s: the gradient of head %zd must be an array, not %R",
                   w->what, index, object);
    return tensor;
}

static int take_gradients(walk *w, PyObject *list)
{
    if (list == Py_None)
        return 0;
    if (PyList_GET_SIZE(list) != w->count) {
        PyErr_Format(PyExc_ValueError, "%s: %zd gradients of heads for %zd heads", w->what,
                     PyList_GET_SIZE(list), w->count);
        return -1;
    }
    for (Py_ssize_t i = 0; i < w->count; i++) {
        PyObject *item = PyList_GET_ITEM(list, i);
        if (item != Py_None && (w->gradients[i] = import_gradient(w, i, item)) == NULL)
            return -1;
    }
    return 0;
}

static int walk_begin(walk *w, PyObject *heads, PyObject *gradients, PyObject *wanted)
{
    w->count = PyList_GET_SIZE(heads);
    w->nwanted = wanted != Py_None ? PyList_GET_SIZE(wanted) : 0;
    w->heads = PyMem_Calloc(2 * (size_t)(w->count + w->nwanted) + 1, sizeof w->heads[0]);
    if (w->heads == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    w->gradients = w->heads + w->count;
    w->wanted = w->gradients + w->count;
    w->results = w->wanted + w->nwanted;
    if (pyps_take_arrays(w->what, "head", heads, w->heads) != 0)
        return -1;
    if (w->count > 0)
        w->dialect = pyps_dialect_get(PyList_GET_ITEM(heads, 0));
    if (wanted != Py_None && pyps_take_arrays(w->what, "variable", wanted, w->wanted) != 0)
        return -1;
    return take_gradients(w, gradients);
}

static void walk_end(walk *w)
{
    for (Py_ssize_t i = 0; w->heads != NULL && i < w->count; i++)
        ps_tensor_release(w->gradients[i]);
    for (Py_ssize_t i = 0; w->heads != NULL && i < w->nwanted; i++)
        ps_tensor_release(w->results[i]);
    PyMem_Free(w->heads);
}

/* One array for each variable, of its class; None where nothing flows. */
static PyObject *walk_results(walk *w, PyObject *wanted)
{
    PyObject *list = PyList_New(w->nwanted);
    for (Py_ssize_t i = 0; list != NULL && i < w->nwanted; i++) {
        ps_tensor *result = w->results[i];
        w->results[i] = NULL;
        PyObject *item = result != NULL ? pyps_wrap_like(PyList_GET_ITEM(wanted, i), result)
                                        : Py_NewRef(Py_None);
        if (item == NULL)
            Py_CLEAR(list);
        else
            PyList_SET_ITEM(list, i, item);
    }
    return list;
}

static bool walk_run(walk *w, ps_backward_options *options, bool backward)
{
    pyps_walk raised;
    options->size = sizeof *options;
    options->gradients = w->gradients;
    options->location = pyps_location();
    pyps_enter();
    pyps_walk_begin(&raised);
    ps_status status = backward ? ps_backward(w->heads, (size_t)w->count, options)
                                : ps_grad(w->heads, (size_t)w->count, w->wanted, (size_t)w->nwanted,
                                          options, w->results);
    return pyps_walk_end(&raised, w->dialect, status);
}

/* Lists of heads, of their gradients or None, and of variables, or None for all that have a
 * gradient attached; then whether to retain what was saved, whether the walk is recorded, and
 * whether only heads of one element may do without a gradient. */
static PyObject *run_walk(PyObject *module, PyObject *args)
{
    PyObject *heads, *gradients, *wanted, *result = NULL;
    int retain, create, scalars = 0;
    (void)module;
    if (!PyArg_ParseTuple(args, "O!OOpp|p:_grad_walk", &PyList_Type, &heads, &gradients, &wanted,
                          &retain, &create, &scalars))
        return NULL;
    ps_backward_options options = {.retain = retain, .create = create, .scalars = scalars};
    bool backward = wanted == Py_None;
    walk w = {.what = backward ? "backward" : "grad", .dialect = pyps_native};
    if (walk_begin(&w, heads, gradients, wanted) == 0) {
        if (walk_run(&w, &options, backward))
            result = backward ? Py_NewRef(Py_None) : walk_results(&w, wanted);
    } else {
        pyps_translate(w.dialect);
    }
    walk_end(&w);
    return result;
}

static PyObject *is_recorded(PyObject *module, PyObject *array)
{
    (void)module;
    return PyBool_FromLong(pyps_is_array(array) && ps_tensor_is_recorded(pyps_tensor(array)));
}

/* Whether gradients flow to an array, whether one was asked for it itself, and the name of what made it,
 * or None. */
static PyObject *info(PyObject *module, PyObject *array)
{
    ps_grad_info found = {.size = sizeof found};
    (void)module;
    if (check_array("_grad_info", array) != 0)
        return NULL;
    ps_status status = ps_grad_get_info(pyps_tensor(array), &found);
    if (status != PS_OK)
        return pyps_raise(pyps_dialect_get(array), status);
    return Py_BuildValue("(OOz)", found.flows ? Py_True : Py_False, found.leaf ? Py_True : Py_False,
                         found.operation);
}

/* ---- Statistics ---------------------------------------------------------------------------- */

static const pyps_stat stats_fields[] = {{"nodes",
                                          "operations, views and arrays with a gradient in graphs",
                                          offsetof(ps_graph_stats, nodes)},
                                         {"saves", "values that are kept for gradients",
                                          offsetof(ps_graph_stats, saves)},
                                         {NULL, NULL, 0}};

static PyTypeObject *stats_type;

static PyObject *graph_stats(PyObject *module, PyObject *unused)
{
    (void)module;
    (void)unused;
    ps_graph_stats stats = {.size = sizeof stats};
    ps_status status = ps_graph_get_stats(&stats);
    return status == PS_OK ? pyps_stats_make(stats_type, stats_fields, &stats)
                           : pyps_raise(NULL, status);
}

/* ---- The module ---------------------------------------------------------------------------- */

static PyMethodDef methods[] = {
    {"attach_grad", (PyCFunction)(void (*)(void))attach_grad, METH_VARARGS | METH_KEYWORDS,
     "attach_grad($self, grad_req='write')\n--\n\n"
     "Ask for the gradient of the array, which is cut off from what it was computed of.\n\n"
     "It is in x.grad: zeros, until a backward writes it ('write') or adds to it ('add'). 'null':\n"
     "none any more.\n\n"
     ">>> x = ps.array([1.0, 2.0])\n"
     ">>> x.attach_grad()\n"
     ">>> x.grad\n"
     "array([0., 0.])"},
    {"detach", detach, METH_NOARGS,
     "detach($self, /)\n--\n\n"
     "The same elements, shared, as an array that is part of no graph: no gradient flows through\n"
     "it.\n\n"
     ">>> x = ps.array([3.0])\n"
     ">>> x.attach_grad()\n"
     ">>> with ps.autograd.record():\n"
     "...     y = x.detach() * x\n"
     ">>> y.backward()\n"
     ">>> x.grad\n"
     "array([3.])"},
    {NULL, NULL, 0, NULL},
};

static PyGetSetDef properties[] = {
    {"grad", get_grad, set_grad,
     "The gradient that attach_grad asked for; None without. It is one array: what was taken of\n"
     "it before a backward has the result after it.",
     NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyMethodDef functions[] = {{"_grad_is_recording", is_recording, METH_NOARGS, NULL},
                                  {"_grad_is_training", is_training, METH_NOARGS, NULL},
                                  {"_grad_is_paused", is_paused, METH_NOARGS, NULL},
                                  {"_grad_set_state", (PyCFunction)(void (*)(void))set_state,
                                   METH_FASTCALL, NULL},
                                  {"_grad_attach", attach_given, METH_VARARGS, NULL},
                                  {"_grad_get", get_grad_known, METH_VARARGS, NULL},
                                  {"_grad_set", put_grad, METH_VARARGS, NULL},
                                  {"_grad_alias", alias, METH_O, NULL},
                                  {"_version", version, METH_O, NULL},
                                  {"_grad_walk", run_walk, METH_VARARGS, NULL},
                                  {"_grad_info", info, METH_O, NULL},
                                  {"_grad_is_recorded", is_recorded, METH_O, NULL},
                                  {"_grad_stats", graph_stats, METH_NOARGS, NULL},
                                  {NULL, NULL, 0, NULL}};

int pyps_autograd_setup(PyObject *module)
{
    stats_type = pyps_stats_type(module, "_GraphStats", "penstock.autograd.Stats",
                                 "What is kept for gradients: see stats().", stats_fields);
    if (stats_type == NULL || pyps_methods_add(methods) != 0 || pyps_getset_add(properties) != 0)
        return -1;
    return PyModule_AddFunctions(module, functions);
}
