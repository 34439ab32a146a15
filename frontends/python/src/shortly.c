/* Calls of the commonest forms, by ways without a signature's: a shape, an array or a list of arrays
 * alone; an array with integers or with an element type; two arrays or more.
 *
 * Each looks at what is given before it does anything: what is not usual goes the long way, which
 * knows all that may be given. */
#include "function.h"

/* Arrays in a list; longer ones go the long way. */
enum { SHORT_LIST = 8 };

/* ---- Which there are ------------------------------------------------------------------------ */

/* Whether parameters from one on may be left out, and nothing is given for them then. */
static bool may_end(const pyps_function *self, int from)
{
    const pyps_param *params = self->signature->params;
    for (int i = from; i < self->signature->count; i++) {
        bool typeless = params[i].kind == PS_ARG_DTYPE && params[i].otherwise == NULL &&
                        params[i].standard < 0 && !self->creates;
        if (params[i].required || (params[i].fills && !typeless))
            return false;
    }
    return self->noutputs == 1;
}

/* Whether a parameter by position is the operation's argument of the same place. */
static bool is_in_place(const pyps_function *self, int index)
{
    return self->signature->positional > index && self->signature->params[index].to == index;
}

/* Whether a shape may be given alone: an element type is the dialect's then. */
static bool may_end_behind_shape(const pyps_function *self)
{
    const pyps_param *params = self->signature->params;
    bool may = !params[0].axes && self->creates && self->numbers == NULL && self->form < 0;
    for (int i = 1; may && i < self->signature->count; i++)
        may = !params[i].required && (!params[i].fills || params[i].standard >= 0);
    return may && self->noutputs == 1;
}

static ps_arg_kind kind_alone(const pyps_function *self)
{
    ps_arg_kind kind = self->signature->params[0].kind;
    bool may = kind == PS_ARG_INTS                               ? may_end_behind_shape(self)
               : kind == PS_ARG_TENSOR || kind == PS_ARG_TENSORS ? may_end(self, 1)
                                                                 : false;
    return may && is_in_place(self, 0) ? kind : PS_ARG_NONE;
}

static ps_arg_kind kind_of_second(const pyps_function *self)
{
    const pyps_param *params = self->signature->params;
    ps_arg_kind kind = params[1].kind;
    bool may = kind == PS_ARG_INTS || kind == PS_ARG_DTYPE;
    return may && is_in_place(self, 0) && params[0].kind == PS_ARG_TENSOR && is_in_place(self, 1) &&
                   may_end(self, 2)
               ? kind
               : PS_ARG_NONE;
}

static uint32_t numbers_of_arrays(const pyps_function *self)
{
    const pyps_param *params = self->signature->params;
    uint32_t may = 0;
    for (int i = 0; i < PYPS_SHORT_ARRAYS; i++) {
        if (!is_in_place(self, i) || params[i].kind != PS_ARG_TENSOR)
            break;
        if (i >= 1 && may_end(self, i + 1))
            may |= UINT32_C(2) << i;
    }
    return may;
}

/* The name by which a device may be given behind a shape: borrowed from the signature. */
static PyObject *name_of_device(const pyps_function *self)
{
    const pyps_param *params = self->signature->params;
    for (int i = 1; self->alone == PS_ARG_INTS && i < self->signature->count; i++)
        if (params[i].to == PYPS_TO_DEVICE)
            return params[i].name;
    return NULL;
}

void pyps_shortly_ready(pyps_function *self)
{
    self->alone = kind_alone(self);
    self->device_name = name_of_device(self);
    self->second = kind_of_second(self);
    self->by_arrays = numbers_of_arrays(self);
}

/* ---- What is usual -------------------------------------------------------------------------- */

/* Whether it is an array of the dialect's own class, of a type and with dimensions that are usual. */
static inline bool is_usual(const pyps_function *self, PyObject *object)
{
    if (Py_TYPE(object) != self->dialect->array_class || pyps_dialect_get(object) != self->dialect)
        return false;
    const ps_tensor *tensor = pyps_tensor(object);
    return (self->types == 0 || self->types >> ps_tensor_dtype(tensor) & 1) &&
           (self->ndim < 0 || ps_tensor_ndim(tensor) == self->ndim) && ps_tensor_count(tensor) > 0;
}

/* The integers behind an array, in a tuple or list or one by one, if they are usual; else -1. */
static Py_ssize_t usual_ints(const pyps_function *self, const ps_tensor *tensor,
                             PyObject *const *args, Py_ssize_t count, int64_t *ints)
{
    bool axes = self->signature->params[1].axes;
    PyObject *const *items = args;
    if (PyTuple_CheckExact(args[0]) || PyList_CheckExact(args[0])) {
        if (count > 1)
            return -1;
        items = PySequence_Fast_ITEMS(args[0]);
        count = PySequence_Fast_GET_SIZE(args[0]);
    }
    if (count == 0 || count > PS_DIMS_MAX || (axes && ps_tensor_ndim(tensor) == 0))
        return -1;
    for (Py_ssize_t i = 0; i < count; i++)
        if (!pyps_short_int(items[i], &ints[i]) || (!axes && ints[i] <= 0 && ints[i] != -1))
            return -1;
    return count;
}

/* Some arrays of one element type. */
static bool are_usual(const pyps_function *self, PyObject *const *items, Py_ssize_t count)
{
    for (Py_ssize_t i = 0; i < count; i++)
        if (!is_usual(self, items[i]) ||
            ps_tensor_dtype(pyps_tensor(items[i])) != ps_tensor_dtype(pyps_tensor(items[0])))
            return false;
    return count > 0;
}

/* ---- Calls ---------------------------------------------------------------------------------- */

/* With the first `given` arguments of the operation, and nothing for the others. */
PYPS_HOT static PyObject *run(const pyps_function *self, pyps_call *call, int given)
{
    int nargs = self->signature->nargs;
    for (int i = given; i < nargs; i++)
        call->args[i].kind = PS_ARG_NONE;
    PyObject *result = pyps_op_run(call, self->op, (size_t)nargs, NULL);
    return self->form >= 0 && result != NULL ? pyps_function_form(self, result) : result;
}

/* ones((2, 3)): with a tuple or list of lengths, perhaps a device, and nothing else, if they are ints
 * above 0. */
PYPS_HOT static PyObject *call_shape(const pyps_function *self, PyObject *lengths, PyObject *device)
{
    const pyps_signature *signature = self->signature;
    pyps_call call;
    if (!PyTuple_CheckExact(lengths) && !PyList_CheckExact(lengths))
        return NULL;
    PyObject *const *items = PySequence_Fast_ITEMS(lengths);
    Py_ssize_t ndim = PySequence_Fast_GET_SIZE(lengths);
    if (ndim == 0 || ndim > PS_DIMS_MAX)
        return NULL;
    for (Py_ssize_t i = 0; i < ndim; i++)
        if (!pyps_short_int(items[i], &call.ints[i]) || call.ints[i] <= 0)
            return NULL;
    pyps_call_begin(&call, self->dialect);
    if (device != NULL && pyps_device_parse(device, &call.call.device) != 0)
        return NULL;
    call.args[0] = ps_arg_ints(call.ints, (size_t)ndim);
    for (int i = 1; i < signature->nargs; i++)
        call.args[i].kind = PS_ARG_NONE;
    for (int i = 1; i < signature->needed; i++)
        if (signature->params[i].fills)
            call.args[signature->params[i].to] =
                pyps_standard_dtype(self->dialect, &signature->params[i]);
    return pyps_op_make(&call, self->op, (size_t)signature->nargs);
}

/* exp(x), x.sum() */
PYPS_HOT static PyObject *call_array(const pyps_function *self, PyObject *array)
{
    pyps_call call;
    if (!is_usual(self, array))
        return NULL;
    pyps_call_begin(&call, self->dialect);
    call.args[0] = ps_arg_tensor(pyps_tensor(array));
    return run(self, &call, 1);
}

/* concat([x, y]). The list may change while the call waits for memory: its arrays are kept. */
static PyObject *call_list(const pyps_function *self, PyObject *list)
{
    PyObject *kept[SHORT_LIST];
    ps_tensor *tensors[SHORT_LIST];
    pyps_call call;
    if (!PyList_CheckExact(list) && !PyTuple_CheckExact(list))
        return NULL;
    Py_ssize_t count = PySequence_Fast_GET_SIZE(list);
    if (count > SHORT_LIST || !are_usual(self, PySequence_Fast_ITEMS(list), count))
        return NULL;
    for (Py_ssize_t i = 0; i < count; i++) {
        kept[i] = Py_NewRef(PySequence_Fast_GET_ITEM(list, i));
        tensors[i] = pyps_tensor(kept[i]);
    }
    pyps_call_begin(&call, self->dialect);
    call.args[0] = ps_arg_tensors(tensors, (size_t)count);
    PyObject *result = run(self, &call, 1);
    for (Py_ssize_t i = 0; i < count; i++)
        Py_DECREF(kept[i]);
    return result;
}

/* x.reshape([2, 3]), x.reshape(2, 3), x.sum(0) */
static PyObject *call_ints(const pyps_function *self, PyObject *const *args, Py_ssize_t nargs)
{
    pyps_call call;
    if (!is_usual(self, args[0]))
        return NULL;
    ps_tensor *tensor = pyps_tensor(args[0]);
    Py_ssize_t count = usual_ints(self, tensor, args + 1, nargs - 1, call.ints);
    if (count < 0)
        return NULL;
    pyps_call_begin(&call, self->dialect);
    call.args[0] = ps_arg_tensor(tensor);
    call.args[1] = ps_arg_ints(call.ints, (size_t)count);
    return run(self, &call, 2);
}

/* maximum(x, y), where(mask, x, y) */
PYPS_HOT static PyObject *call_arrays(const pyps_function *self, PyObject *const *args,
                                      Py_ssize_t nargs)
{
    pyps_call call;
    for (Py_ssize_t i = 0; i < nargs; i++)
        if (!is_usual(self, args[i]) ||
            (self->alike && !pyps_same_shape(pyps_tensor(args[0]), pyps_tensor(args[i]))))
            return NULL;
    pyps_call_begin(&call, self->dialect);
    for (Py_ssize_t i = 0; i < nargs; i++)
        call.args[i] = ps_arg_tensor(pyps_tensor(args[i]));
    return run(self, &call, (int)nargs);
}

/* cast(x, 'float64') */
static PyObject *call_dtype(const pyps_function *self, PyObject *const *args)
{
    pyps_call call;
    ps_dtype dtype;
    if (!is_usual(self, args[0]) || !pyps_dtype_is_own(self->dialect, args[1], &dtype))
        return NULL;
    pyps_call_begin(&call, self->dialect);
    call.args[0] = ps_arg_tensor(pyps_tensor(args[0]));
    call.args[1] = ps_arg_dtype(dtype);
    return run(self, &call, 2);
}

static PyObject *call_alone(const pyps_function *self, PyObject *arg)
{
    switch (self->alone) {
    case PS_ARG_TENSOR:
        return call_array(self, arg);
    case PS_ARG_TENSORS:
        return call_list(self, arg);
    default:
        return call_shape(self, arg, NULL);
    }
}

static PyObject *call_behind(const pyps_function *self, PyObject *const *args, Py_ssize_t nargs)
{
    switch (self->second) {
    case PS_ARG_INTS:
        return call_ints(self, args, nargs);
    case PS_ARG_DTYPE:
        return call_dtype(self, args);
    default:
        return call_arrays(self, args, nargs);
    }
}

PyObject *pyps_call_shortly(const pyps_function *self, PyObject *const *args, Py_ssize_t nargs,
                            PyObject *names)
{
    if (names != NULL)
        return call_shape(self, args[0], args[1]);
    return nargs == 1 ? call_alone(self, args[0]) : call_behind(self, args, nargs);
}
