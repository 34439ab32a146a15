/* Arguments that are plain: those that a function of a dialect leaves to the operation of the table.
 *
 * It is decided by looking at them, before anything is called: nothing is converted, no exception
 * is made. */
#include "signature.h"

/* An int, not of a class derived from it; a length is above 0, or -1 for what is left. */
static inline bool is_plain_int(const pyps_param *param, PyObject *value)
{
    int overflow = 0;
    int64_t number;
    if (!PyLong_CheckExact(value))
        return false;
    if (PYPS_UNLIKELY(!pyps_short_int(value, &number)))
        number = PyLong_AsLongLongAndOverflow(value, &overflow);
    return overflow == 0 && (param->axes || number > 0 || number == -1);
}

static bool are_plain_ints(const pyps_param *param, PyObject *const *items, Py_ssize_t count)
{
    for (Py_ssize_t i = 0; i < count; i++)
        if (!is_plain_int(param, items[i]))
            return false;
    return count > 0;
}

static bool is_plain_ints(const pyps_param *param, PyObject *value)
{
    if (PyTuple_CheckExact(value) || PyList_CheckExact(value))
        return are_plain_ints(param, PySequence_Fast_ITEMS(value), PySequence_Fast_GET_SIZE(value));
    return is_plain_int(param, value);
}

static bool is_plain_array(const pyps_plain *plain, PyObject *value)
{
    if (!pyps_is_array(value) || pyps_dialect_get(value) != plain->dialect)
        return false;
    const ps_tensor *tensor = pyps_tensor(value);
    return (plain->ndim < 0 || ps_tensor_ndim(tensor) == plain->ndim) &&
           (plain->types == 0 || plain->types >> ps_tensor_dtype(tensor) & 1);
}

/* Some arrays of one element type. */
static bool are_plain_arrays(const pyps_plain *plain, PyObject *value)
{
    if (!PyTuple_CheckExact(value) && !PyList_CheckExact(value))
        return false;
    PyObject *const *items = PySequence_Fast_ITEMS(value);
    Py_ssize_t count = PySequence_Fast_GET_SIZE(value);
    for (Py_ssize_t i = 0; i < count; i++)
        if (!is_plain_array(plain, items[i]) ||
            ps_tensor_dtype(pyps_tensor(items[i])) != ps_tensor_dtype(pyps_tensor(items[0])))
            return false;
    return count > 0;
}

static bool is_plain_number(PyObject *value)
{
    return PyLong_CheckExact(value) || PyFloat_CheckExact(value) || PyBool_Check(value) ||
           PyComplex_CheckExact(value);
}

/* The first of the parameters is an array: with a number in its place a function may be another. */
static bool is_plain_value(const pyps_plain *plain, const pyps_param *param, bool first,
                           PyObject *value)
{
    if (value == Py_None)
        return param->none;
    if (param->to == PYPS_TO_OUT)
        return pyps_is_array(value);
    switch (param->kind) {
    case PS_ARG_TENSOR:
        return is_plain_array(plain, value) ||
               (plain->numbers && !first && !param->lifts && is_plain_number(value));
    case PS_ARG_TENSORS:
        return are_plain_arrays(plain, value);
    case PS_ARG_INT:
        return PyLong_CheckExact(value);
    case PS_ARG_INTS:
        return is_plain_ints(param, value);
    case PS_ARG_BOOL:
        return PyBool_Check(value);
    case PS_ARG_DTYPE:
        return pyps_dtype_is_plain(plain->dialect, value);
    default:
        return true;
    }
}

/* What is left over behind the last parameter by position. */
static bool is_plain_rest(const pyps_plain *plain, const pyps_signature *signature,
                          PyObject *const *args, Py_ssize_t nargs)
{
    int taken = signature->positional;
    if (nargs <= taken)
        return true;
    return plain->variadic &&
           are_plain_ints(&signature->params[taken - 1], args + taken, nargs - taken);
}

/* Whether an axis is given beside an array that has none, or could be beside one without elements. */
static bool is_bare(const pyps_signature *signature, PyObject *const *values, int known)
{
    bool axes = false, bare = false, empty = false;
    for (int i = 0; i < known; i++) {
        const pyps_param *param = &signature->params[i];
        if (values[i] == NULL || values[i] == Py_None)
            continue;
        axes |= param->axes;
        if (param->kind == PS_ARG_TENSOR && pyps_is_array(values[i])) {
            bare |= ps_tensor_ndim(pyps_tensor(values[i])) == 0;
            empty |= ps_tensor_count(pyps_tensor(values[i])) == 0;
        }
    }
    return (axes && bare) || empty;
}

/* Whether all arrays, of those that are arguments themselves, have one shape. */
static bool are_alike(const pyps_signature *signature, PyObject *const *values, int known)
{
    const ps_tensor *first = NULL;
    for (int i = 0; i < known; i++) {
        if (values[i] == NULL || signature->params[i].kind != PS_ARG_TENSOR ||
            !pyps_is_array(values[i]))
            continue;
        const ps_tensor *tensor = pyps_tensor(values[i]);
        if (first != NULL && !pyps_same_shape(first, tensor))
            return false;
        first = tensor;
    }
    return true;
}

bool pyps_is_plain(const pyps_plain *plain, const pyps_signature *signature, PyObject *const *args,
                   Py_ssize_t nargs, PyObject *names, PyObject **values)
{
    if (pyps_signature_place(signature, args, nargs, names, values) != NULL ||
        !is_plain_rest(plain, signature, args, nargs))
        return false;
    int known = pyps_signature_known(signature, nargs, names);
    for (int i = 0; i < known; i++) {
        const pyps_param *param = &signature->params[i];
        if (values[i] != NULL ? !is_plain_value(plain, param, i == 0, values[i]) : param->required)
            return false;
    }
    return (!plain->alike || are_alike(signature, values, known)) &&
           (!signature->axes || !is_bare(signature, values, known));
}
