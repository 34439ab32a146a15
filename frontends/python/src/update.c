/* Operations on many arrays at once, which replace their first arguments: what optimisers are made of;
 * and learning rates.
 *
 * Lists are not copied: their owner must not change them while a call runs. */
#include "core.h"

typedef struct updating {
    const char *name; /* of the operation */
    const ps_op *op;
    const pyps_dialect *dialect; /* of the first array */
    Py_ssize_t count;            /* of sets: the length of every list */
    ps_arg args[PYPS_ARGS];
    const double *numbers[PYPS_ARGS];
    size_t nargs;
    char *room, *at;       /* for lists */
    ps_tensor **copies;    /* of the first list, each may be NULL; or NULL */
    ps_tensor **gradients; /* references, as many as `count`; or NULL */
} updating;

static void *take_room(updating *u, size_t item)
{
    void *room = u->at;
    u->at += (size_t)u->count * item;
    return room;
}

static bool is_list(PyObject *object)
{
    return PyList_Check(object) || PyTuple_Check(object);
}

/* ---- Arguments ------------------------------------------------------------------------------ */

static int take_arrays(updating *u, size_t index, PyObject *const *items)
{
    ps_tensor **tensors = take_room(u, sizeof tensors[0]);
    for (Py_ssize_t i = 0; i < u->count; i++) {
        if (!pyps_is_array(items[i])) {
            pyps_error(PyExc_TypeError, "%s: item %zd of argument %zu must be an array, not %R",
                       u->name, i, index, items[i]);
            return -1;
        }
        tensors[i] = pyps_tensor(items[i]);
        if (index == 0 && i == 0)
            u->dialect = pyps_dialect_get(items[0]);
    }
    u->args[index] = ps_arg_tensors(tensors, (size_t)u->count);
    return 0;
}

static int take_numbers(updating *u, size_t index, PyObject *const *items)
{
    double *numbers = take_room(u, sizeof numbers[0]);
    for (Py_ssize_t i = 0; i < u->count; i++) {
        numbers[i] = PyFloat_AsDouble(items[i]);
        if (numbers[i] == -1 && PyErr_Occurred())
            return -1;
    }
    u->numbers[index] = numbers;
    return 0;
}

static int take_list(updating *u, size_t index, PyObject *list)
{
    PyObject *const *items = PySequence_Fast_ITEMS(list);
    Py_ssize_t count = PySequence_Fast_GET_SIZE(list);
    if (count != u->count) {
        PyErr_Format(PyExc_ValueError, "%s: argument %zu is a list of %zd, the first one of %zd",
                     u->name, index, count, u->count);
        return -1;
    }
    bool numbers = count > 0 && !pyps_is_array(items[0]);
    return numbers ? take_numbers(u, index, items) : take_arrays(u, index, items);
}

/* The gradients of the first list, or of what copies there are. */
static int take_gradients(updating *u, size_t index)
{
    u->gradients = take_room(u, sizeof u->gradients[0]);
    memset(u->gradients, 0, (size_t)u->count * sizeof u->gradients[0]);
    for (Py_ssize_t i = 0; i < u->count; i++) {
        bool copied = u->copies != NULL && u->copies[i] != NULL;
        ps_tensor *owner = copied ? u->copies[i] : u->args[0].as.tensors[i];
        ps_status status = ps_grad_get(owner, &u->gradients[i]);
        if (status != PS_OK) {
            pyps_raise(u->dialect, status);
            return -1;
        }
        if (u->gradients[i] == NULL) {
            PyErr_Format(PyExc_ValueError,
                         "%s: array %zd has no gradient: attach_grad() asks for one", u->name, i);
            return -1;
        }
    }
    u->args[index] = ps_arg_tensors(u->gradients, (size_t)u->count);
    return 0;
}

static int take_argument(updating *u, size_t index, PyObject *object)
{
    u->args[index].kind = PS_ARG_NONE;
    u->args[index].count = 0;
    if (object == Py_None)
        return 0;
    if (object == Py_Ellipsis && index > 0)
        return take_gradients(u, index);
    if (is_list(object))
        return take_list(u, index, object);
    if (pyps_is_array(object)) {
        u->args[index] = ps_arg_tensor(pyps_tensor(object));
        return 0;
    }
    int number = pyps_number(object, &u->args[index]);
    if (number == 0)
        number = pyps_numpy_number(object, &u->args[index]);
    if (number == 0)
        pyps_error(PyExc_TypeError, "%s: argument %zu must be a list, an array or a number, not %R",
                   u->name, index, object);
    return number == 1 ? 0 : -1;
}

/* A list of arrays and None, or None for no copies at all. */
static int take_copies(updating *u, PyObject *list)
{
    if (list == Py_None)
        return 0;
    if (!is_list(list) || PySequence_Fast_GET_SIZE(list) != u->count) {
        PyErr_Format(PyExc_TypeError, "%s: copies must be a list of %zd, or None", u->name,
                     u->count);
        return -1;
    }
    u->copies = take_room(u, sizeof u->copies[0]);
    for (Py_ssize_t i = 0; i < u->count; i++) {
        PyObject *item = PySequence_Fast_GET_ITEM(list, i);
        if (item != Py_None && !pyps_is_array(item)) {
            pyps_error(PyExc_TypeError, "%s: item %zd of copies must be an array or None, not %R",
                       u->name, i, item);
            return -1;
        }
        u->copies[i] = item != Py_None ? pyps_tensor(item) : NULL;
    }
    return 0;
}

/* The copies come first. */
static int take_arguments(updating *u, PyObject *const *args, Py_ssize_t nargs)
{
    PyObject *copies = *args++;
    nargs--;
    if (nargs < 1 || nargs > PYPS_ARGS || !is_list(args[0])) {
        PyErr_Format(PyExc_TypeError, "%s: 1 to %d arguments, the first of them a list", u->name,
                     PYPS_ARGS);
        return -1;
    }
    u->count = PySequence_Fast_GET_SIZE(args[0]);
    u->nargs = (size_t)nargs;
    u->room = u->at = PyMem_Malloc((size_t)(u->count * (nargs + 1)) * sizeof(double) + 1);
    if (u->room == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    if (take_copies(u, copies) != 0)
        return -1;
    for (Py_ssize_t i = 0; i < nargs; i++)
        if (take_argument(u, (size_t)i, args[i]) != 0)
            return -1;
    return 0;
}

static PyObject *run(updating *u)
{
    ps_update update = {.size = sizeof update,
                        .count = (size_t)u->count,
                        .args = u->args,
                        .nargs = u->nargs,
                        .numbers = u->numbers,
                        .location = pyps_location(),
                        .copies = u->copies};
    pyps_enter();
    ps_status status = ps_op_update(u->op, &update);
    return status == PS_OK ? Py_NewRef(Py_None) : pyps_raise(u->dialect, status);
}

static PyObject *op_update(PyObject *module, PyObject *const *args, Py_ssize_t nargs)
{
    (void)module;
    if (nargs < 2 || !PyUnicode_Check(args[0])) {
        PyErr_SetString(PyExc_TypeError,
                        "_op_update: the name of an operation comes first, then the copies");
        return NULL;
    }
    updating u = {.name = PyUnicode_AsUTF8(args[0]), .dialect = pyps_native};
    u.op = u.name != NULL ? pyps_op(u.name) : NULL;
    PyObject *result = NULL;
    if (u.op != NULL && take_arguments(&u, args + 1, nargs - 1) == 0)
        result = run(&u);
    for (Py_ssize_t i = 0; u.gradients != NULL && i < u.count; i++)
        ps_tensor_release(u.gradients[i]);
    PyMem_Free(u.room);
    return result;
}

/* ---- Learning rates --------------------------------------------------------------------------- */

/* A number of steps, for PyArg_ParseTuple. */
static int to_steps(PyObject *object, void *to)
{
    *(uint64_t *)to = PyLong_AsUnsignedLongLong(object);
    return !PyErr_Occurred();
}

static int take_milestones(PyObject *tuple, uint64_t **milestones)
{
    Py_ssize_t count = PyTuple_GET_SIZE(tuple);
    *milestones = PyMem_Calloc((size_t)count + 1, sizeof **milestones);
    if (*milestones == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    for (Py_ssize_t i = 0; i < count; i++)
        if (!to_steps(PyTuple_GET_ITEM(tuple, i), &(*milestones)[i]))
            return -1;
    return 0;
}

static PyObject *schedule_rate(PyObject *module, PyObject *args)
{
    ps_schedule s = {.size = sizeof s};
    uint64_t step;
    int steady;
    PyObject *tuple, *result = NULL;
    uint64_t *milestones = NULL;
    double rate;
    (void)module;
    if (!PyArg_ParseTuple(args, "O&dddddO&O&pO!O&:_schedule_rate", to_steps, &s.kind, &s.base,
                          &s.last, &s.first, &s.factor, &s.power, to_steps, &s.period, to_steps,
                          &s.warmup, &steady, &PyTuple_Type, &tuple, to_steps, &step))
        return NULL;
    if (take_milestones(tuple, &milestones) == 0) {
        s.steady = (uint64_t)steady;
        s.milestones = milestones;
        s.nmilestones = (size_t)PyTuple_GET_SIZE(tuple);
        ps_status status = ps_schedule_rate(&s, step, &rate);
        result = status == PS_OK ? PyFloat_FromDouble(rate) : pyps_raise(NULL, status);
    }
    PyMem_Free(milestones);
    return result;
}

int pyps_update_setup(PyObject *module)
{
    static PyMethodDef methods[] = {
        {"_op_update", (PyCFunction)(void (*)(void))op_update, METH_FASTCALL,
         "_op_update(name, copies, arrays, /, *args)\n--\n\nCalls an elementwise operation for many "
         "arrays, which its results replace. Arguments are\nlists with an array or a number for "
         "each, or one for all; None is the default, ... the\ngradients of the arrays. Copies are "
         "None, or arrays that get the new first arrays in their\nown type, and whose gradients "
         "count instead."},
        {"_schedule_rate", schedule_rate, METH_VARARGS,
         "_schedule_rate(kind, base, last, first, factor, power, period, warmup, steady, milestones, "
         "step, /)\n--\n\nThe learning rate of a step."},
        {NULL, NULL, 0, NULL},
    };
    return PyModule_AddFunctions(module, methods);
}
