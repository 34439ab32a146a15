/* Operations with several outputs: they give a tuple, and `out` is a tuple of as many arrays, or None
 * for what is to be new. */
#include "core.h"

enum { MOST = 6 }; /* outputs: see ps_op_register */

static int take_out(PyObject *out, size_t count, ps_tensor **outputs)
{
    if (out == NULL || out == Py_None)
        return 0;
    bool fits = PyTuple_Check(out) && (size_t)PyTuple_GET_SIZE(out) == count;
    for (size_t i = 0; i < count && fits; i++) {
        PyObject *item = PyTuple_GET_ITEM(out, i);
        fits = item == Py_None || pyps_is_array(item);
        outputs[i] = fits && item != Py_None ? pyps_tensor(item) : NULL;
    }
    if (!fits)
        pyps_error(PyExc_TypeError, "out must be a tuple of %zu penstock arrays or None, not %R",
                   count, out);
    return fits ? 0 : -1;
}

/* The array that was given, or a new one, which takes the tensor over. */
static PyObject *one(const pyps_call *call, PyObject *out, size_t i, ps_tensor *output)
{
    PyObject *given = out != NULL && out != Py_None ? PyTuple_GET_ITEM(out, i) : Py_None;
    if (given != Py_None)
        return Py_NewRef(given);
    PyTypeObject *type = call->type != NULL ? call->type : call->dialect->array_class;
    return pyps_wrap(type, call->dialect, output);
}

static PyObject *give(const pyps_call *call, PyObject *out, size_t count, ps_tensor **outputs)
{
    PyObject *items[MOST] = {NULL}, *tuple = PyTuple_New((Py_ssize_t)count);
    bool all = tuple != NULL;
    for (size_t i = 0; i < count; i++) {
        items[i] = one(call, out, i, outputs[i]);
        all = all && items[i] != NULL;
    }
    for (size_t i = 0; i < count; i++) {
        if (all)
            PyTuple_SET_ITEM(tuple, (Py_ssize_t)i, items[i]);
        else
            Py_XDECREF(items[i]);
    }
    if (!all)
        Py_CLEAR(tuple);
    return tuple;
}

PyObject *pyps_op_run_several(pyps_call *call, const ps_op *op, size_t nargs, PyObject *out,
                              size_t noutputs)
{
    ps_tensor *outputs[MOST] = {NULL};
    if (noutputs > MOST)
        return PyErr_Format(PyExc_ValueError, "an operation with %zu outputs; at most %d", noutputs,
                            MOST);
    if (take_out(out, noutputs, outputs) != 0)
        return NULL;
    call->call.nargs = nargs;
    call->call.outputs = outputs;
    call->call.noutputs = noutputs;
    call->call.location = pyps_location();
    pyps_enter();
    ps_status status = ps_op_call(op, &call->call);
    return status == PS_OK ? give(call, out, noutputs, outputs) : pyps_raise(call->dialect, status);
}
