/* The value of an assignment as an argument.
 *
 * A number is passed as it is where the operations that write take it for what it is worth in the
 * array's element type. Else, as lists, it becomes a tensor of that type, with the checks of all
 * imports: a float is not rounded on the way into float64, 300 does not fit int8. */
#include "index.h"
#include "interop.h"

static bool integer_fits(int64_t value, ps_dtype dtype)
{
    int bits = 8 * (int)ps_dtype_bytes(dtype);
    if (dtype >= PS_UINT8)
        return value >= 0 && (bits == 64 || value >> bits == 0);
    int64_t most = INT64_MAX >> (64 - bits);
    return value <= most && value >= -most - 1;
}

static bool number_fits(const ps_arg *number, ps_dtype dtype)
{
    switch (number->kind) {
    case PS_ARG_BOOL:
        return true;
    case PS_ARG_INT:
        return dtype >= PS_FLOAT16 || (dtype != PS_BOOL && integer_fits(number->as.integer, dtype));
    case PS_ARG_DOUBLE: /* on its own it counts as float32 */
        return dtype >= PS_FLOAT16 && dtype != PS_FLOAT64 && dtype != PS_COMPLEX128;
    default:
        return number->as.scalar.tag == PS_SCALAR_UINT64 &&
               (dtype == PS_UINT64 || dtype >= PS_FLOAT16);
    }
}

static int import_value(PyObject *array, PyObject *value, bool plain, ps_arg *arg, ps_tensor **made)
{
    const ps_tensor *tensor = pyps_tensor(array);
    pyps_import wanted = {.dialect = pyps_dialect_get(array),
                          .dtype = plain ? (int)ps_tensor_dtype(tensor) : -1,
                          .copy = -1,
                          .sequences = true,
                          .device = ps_tensor_device(tensor)};
    *made = pyps_import_object(value, &wanted);
    if (*made != NULL) {
        *arg = ps_arg_tensor(*made);
        return 0;
    }
    if (!PyErr_Occurred())
        PyErr_Format(PyExc_TypeError,
                     "assignment: the value must be an array, a number or a sequence, not %.200s",
                     Py_TYPE(value)->tp_name);
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
    if (number > 0)
        pyps_policy_fit(pyps_dialect_get(array), ps_tensor_dtype(pyps_tensor(array)), arg);
    if (number < 0)
        PyErr_Clear(); /* too large for an argument: importing it says what is wrong, or takes it */
    else if (number > 0 && number_fits(arg, ps_tensor_dtype(pyps_tensor(array))))
        return 0;
    return import_value(array, value, number != 0 || pyps_is_sequence(value), arg, made);
}

ps_status pyps_value_strip(ps_tensor *tensor, int ndim, ps_tensor **view)
{
    ps_index places[PS_DIMS_MAX];
    int extra = ps_tensor_ndim(tensor) - ndim, count = 0;
    for (; count < extra && ps_tensor_shape(tensor)[count] == 1; count++)
        places[count] = (ps_index){.kind = PS_INDEX_AT};
    return ps_tensor_index(tensor, places, (size_t)count, view);
}
