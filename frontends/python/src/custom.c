/* Functions with a gradient of their own: what autograd.Function is made of. */
#include "callback.h"

#include "engine.h"

/* ---- A turn in a walk ---------------------------------------------------------------------- */

/* Arrays, of the classes from `first` on; None where there is no tensor. */
static PyObject *wrap_all(const pyps_callback *self, Py_ssize_t first, ps_tensor *const *tensors,
                          size_t count)
{
    PyObject *tuple = PyTuple_New((Py_ssize_t)count);
    for (Py_ssize_t i = 0; tuple != NULL && i < (Py_ssize_t)count; i++) {
        PyObject *item = tensors[i] != NULL ? pyps_callback_wrap(self, first + i, tensors[i])
                                            : Py_NewRef(Py_None);
        if (item == NULL)
            Py_CLEAR(tuple);
        else
            PyTuple_SET_ITEM(tuple, i, item);
    }
    return tuple;
}

static PyObject *truths(const bool *list, size_t count)
{
    PyObject *tuple = PyTuple_New((Py_ssize_t)count);
    for (size_t i = 0; tuple != NULL && i < count; i++)
        PyTuple_SET_ITEM(tuple, (Py_ssize_t)i, Py_NewRef(list[i] ? Py_True : Py_False));
    return tuple;
}

static PyObject *call(const pyps_callback *self, const ps_node_turn *turn)
{
    PyObject *gradients = wrap_all(self, 0, turn->gradients, turn->ngradients), *result = NULL;
    PyObject *saved = gradients != NULL
                          ? wrap_all(self, (Py_ssize_t)turn->ngradients, turn->saved, turn->nsaved)
                          : NULL;
    PyObject *wanted = saved != NULL ? truths(turn->wanted, turn->nresults) : NULL;
    if (wanted != NULL)
        result = PyObject_CallFunctionObjArgs(self->function, gradients, saved, wanted, NULL);
    Py_XDECREF(gradients);
    Py_XDECREF(saved);
    Py_XDECREF(wanted);
    return result;
}

/* The function is this package's, and gives a list of arrays and None, one for each input. */
static int take_results(PyObject *list, ps_node_turn *turn)
{
    if (!PyList_Check(list) || PyList_GET_SIZE(list) != (Py_ssize_t)turn->nresults) {
        pyps_error(PyExc_TypeError, "backward: expected a list of %zu gradients, not %R",
                   turn->nresults, list);
        return -1;
    }
    for (size_t i = 0; i < turn->nresults; i++) {
        PyObject *item = PyList_GET_ITEM(list, (Py_ssize_t)i);
        if (item == Py_None)
            continue;
        if (!pyps_is_array(item)) {
            pyps_error(PyExc_TypeError, "backward: gradient %zu must be an array, not %R", i, item);
            return -1;
        }
        ps_status status = ps_tensor_retain(pyps_tensor(item));
        if (status != PS_OK) {
            pyps_raise(NULL, status);
            return -1;
        }
        turn->results[i] = pyps_tensor(item);
    }
    return 0;
}

static ps_status backward(void *context, ps_node_turn *turn)
{
    const pyps_callback *self = context;
    PyGILState_STATE lock = PyGILState_Ensure();
    PyObject *list = call(self, turn);
    bool fine = list != NULL && take_results(list, turn) == 0;
    ps_status status = fine ? PS_OK : pyps_callback_failed();
    Py_XDECREF(list);
    PyGILState_Release(lock);
    return status;
}

/* ---- Making -------------------------------------------------------------------------------- */

/* The classes of all arrays of two lists. */
static PyObject *types_of(PyObject *first, PyObject *second)
{
    Py_ssize_t count = PyList_GET_SIZE(first);
    PyObject *types = PyTuple_New(count + PyList_GET_SIZE(second));
    for (Py_ssize_t i = 0; types != NULL && i < PyTuple_GET_SIZE(types); i++) {
        PyObject *item = i < count ? PyList_GET_ITEM(first, i) : PyList_GET_ITEM(second, i - count);
        PyTuple_SET_ITEM(types, i, Py_NewRef((PyObject *)Py_TYPE(item)));
    }
    return types;
}

typedef struct lists {
    const char *name;
    PyObject *inputs, *outputs, *saved, *function;
} lists;

/* `tensors` has room for all three lists. */
static PyObject *create(const lists *l, ps_tensor **tensors)
{
    ps_node_spec spec = {.size = sizeof spec,
                         .name = l->name,
                         .inputs = tensors,
                         .ninputs = (size_t)PyList_GET_SIZE(l->inputs),
                         .noutputs = (size_t)PyList_GET_SIZE(l->outputs),
                         .nsaved = (size_t)PyList_GET_SIZE(l->saved),
                         .backward = backward,
                         .drop = pyps_callback_drop,
                         .location = pyps_location()};
    ps_tensor **outputs = tensors + spec.ninputs, **saved = outputs + spec.noutputs;
    spec.outputs = outputs;
    spec.saved = saved;
    if (pyps_take_arrays(l->name, "input", l->inputs, tensors) != 0 ||
        pyps_take_arrays(l->name, "output", l->outputs, outputs) != 0 ||
        pyps_take_arrays(l->name, "saved", l->saved, saved) != 0)
        return NULL;
    spec.context = pyps_callback_new(l->function, types_of(l->outputs, l->saved));
    if (spec.context == NULL)
        return NULL;
    pyps_enter();
    ps_status status = ps_node_create(&spec);
    if (status == PS_OK)
        Py_RETURN_NONE;
    PyObject *like = PyList_GET_SIZE(l->inputs) > 0 ? PyList_GET_ITEM(l->inputs, 0) : NULL;
    return pyps_raise(like != NULL ? pyps_dialect_get(like) : NULL, status);
}

/* A name; lists of inputs, of outputs that were made of these, of what is saved; and a function of
 * tuples of gradients (None: nothing flows), of what was saved, and of whether each input wants its
 * gradient. */
static PyObject *make_node(PyObject *module, PyObject *args)
{
    lists l;
    (void)module;
    if (!PyArg_ParseTuple(args, "sO!O!O!O:_grad_node", &l.name, &PyList_Type, &l.inputs,
                          &PyList_Type, &l.outputs, &PyList_Type, &l.saved, &l.function))
        return NULL;
    size_t count =
        (size_t)(PyList_GET_SIZE(l.inputs) + PyList_GET_SIZE(l.outputs) + PyList_GET_SIZE(l.saved));
    ps_tensor **tensors = PyMem_Calloc(count + 1, sizeof tensors[0]);
    if (tensors == NULL)
        return PyErr_NoMemory();
    PyObject *done = create(&l, tensors);
    PyMem_Free(tensors);
    return done;
}

int pyps_custom_setup(PyObject *module)
{
    static PyMethodDef functions[] = {{"_grad_node", make_node, METH_VARARGS, NULL},
                                      {NULL, NULL, 0, NULL}};
    return PyModule_AddFunctions(module, functions);
}
