/* The value of an assignment as an argument.
 *
 * A number is passed as it is; lists, and numbers of more than 64 bits, become tensors of the
 * array's element type, with the checks of all imports. */
#include "index.h"
#include "interop.h"

#include <math.h>

/* NULL and an exception on failure. */
static ps_tensor *import_value(PyObject *array, PyObject *value, bool plain)
{
    const ps_tensor *tensor = pyps_tensor(array);
    pyps_import wanted = {.dialect = pyps_dialect_get(array),
                          .dtype = plain ? (int)ps_tensor_dtype(tensor) : -1,
                          .copy = -1,
                          .sequences = true,
                          .device = ps_tensor_device(tensor)};
    ps_tensor *made = pyps_import_object(value, &wanted);
    if (made == NULL && !PyErr_Occurred())
        PyErr_Format(PyExc_TypeError,
                     "assignment: the value must be an array, a number or a sequence, not %.200s",
                     Py_TYPE(value)->tp_name);
    return made;
}

/* Whether a number can be written to elements of a type, where that is looked at: integers within what
 * the type holds, and as far below 0 for unsigned ones, which wrap around; of floats what is left of the
 * point counts; complex numbers to complex elements, and anything to truth values. */
static bool fits(PyObject *array, const ps_arg *number)
{
    ps_dtype dtype = ps_tensor_dtype(pyps_tensor(array));
    if (dtype >= PS_COMPLEX64 || dtype == PS_BOOL)
        return true;
    if (number->kind == PS_ARG_SCALAR && number->as.scalar.tag == PS_SCALAR_COMPLEX)
        return number->as.scalar.as.z[1] == 0;
    if (dtype > PS_UINT64 || number->kind == PS_ARG_BOOL)
        return true;
    int bits = 8 * (int)ps_dtype_bytes(dtype);
    bool is_signed = dtype <= PS_INT64;
    double most = ldexp(1.0, is_signed ? bits - 1 : bits); /* just above the largest */
    double value = number->kind == PS_ARG_DOUBLE ? trunc(number->as.number)
                   : number->kind == PS_ARG_INT  ? (double)number->as.integer
                                                 : ldexp(1.0, 63);
    bool below = is_signed                       ? value >= -most
                 : number->kind == PS_ARG_DOUBLE ? value >= 0
                                                 : value > -most;
    return value < most && below;
}

static int refuse_number(PyObject *array)
{
    PyErr_Format(pyps_dialect_get(array)->errors[PYPS_ERROR_VALUE],
                 "value cannot be converted to type %s without overflow",
                 ps_dtype_name(ps_tensor_dtype(pyps_tensor(array))));
    return -1;
}

static int refuse_value(PyObject *array, PyObject *value)
{
    PyErr_Format(pyps_dialect_get(array)->errors[PYPS_ERROR_VALUE],
                 "elements of a %.200s are set to arrays and numbers, not to a %.200s",
                 Py_TYPE(array)->tp_name, Py_TYPE(value)->tp_name);
    return -1;
}

int pyps_value_take(PyObject *array, PyObject *value, ps_arg *arg, ps_tensor **made)
{
    *made = NULL;
    if (pyps_is_array(value)) {
        PyTypeObject *type = Py_TYPE(array);
        const pyps_dialect *dialect = pyps_dialect_get(array);
        *arg = ps_arg_tensor(pyps_tensor(value));
        return pyps_merge(value, &type, &dialect);
    }
    int number = pyps_number(value, arg);
    if (number > 0 && pyps_dialect_get(array)->policy.array_values && !fits(array, arg))
        return refuse_number(array);
    if (number > 0) {
        pyps_policy_fit(pyps_dialect_get(array), ps_tensor_dtype(pyps_tensor(array)), arg);
        return 0;
    }
    if (number == 0 && pyps_dialect_get(array)->policy.array_values) {
        PyErr_Format(PyExc_TypeError, "can't assign a %.200s to elements of a %.200s",
                     Py_TYPE(value)->tp_name, Py_TYPE(array)->tp_name);
        return -1;
    }
    if (number == 0 && pyps_dialect_get(array)->policy.element_values &&
        (value == Py_None || PyUnicode_Check(value) || pyps_is_sequence(value)))
        return refuse_value(array, value);
    if (number < 0)
        PyErr_Clear(); /* too large for an argument: importing it says what is wrong, or takes it */
    *made = import_value(array, value, number != 0 || pyps_is_sequence(value));
    *arg = ps_arg_tensor(*made);
    return *made != NULL ? 0 : -1;
}

/* Python has classes of its own for numbers that an element type does not hold: importing one
 * raises them. */
int pyps_value_refuse(PyObject *array, PyObject *value, ps_status status)
{
    bool refused = status == PS_ERR_ARGUMENT || status == PS_ERR_TYPE;
    if (refused && pyps_is_number(value)) {
        ps_tensor *made = import_value(array, value, true);
        if (made == NULL)
            return -1;
        ps_tensor_release(made);
    }
    return pyps_index_done(array, status);
}
