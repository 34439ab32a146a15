/* Methods of arrays that are no operations of the table: conversions, flat copies, filling; and the
 * door through which the package adds those that it writes in Python (_methods.py). */
#include "core.h"

/* ---- Element types -------------------------------------------------------------------------- */

static PyObject *cast(PyObject *self, ps_dtype dtype)
{
    ps_tensor *made = NULL;
    ps_arg args[] = {ps_arg_tensor(pyps_tensor(self)), ps_arg_dtype(dtype)};
    return pyps_op_tensors("cast", args, 2, &made, pyps_dialect_get(self)) == 0
               ? pyps_wrap_like(self, made)
               : NULL;
}

static PyObject *astype(PyObject *self, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"dtype", "copy", NULL};
    PyObject *object;
    ps_dtype dtype;
    int copy = 1;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O|$p:astype", names, &object, &copy) ||
        pyps_dtype_parse(pyps_dialect_get(self), object, &dtype) != 0)
        return NULL;
    if (!copy && dtype == ps_tensor_dtype(pyps_tensor(self)))
        return Py_NewRef(self);
    return cast(self, dtype);
}

/* ---- One dimension -------------------------------------------------------------------------- */

static int flat(PyObject *self, ps_tensor **made)
{
    static const int64_t all = -1;
    ps_tensor *tensor = pyps_tensor(self);
    int64_t count = ps_tensor_count(tensor); /* -1 has no answer where there is no element */
    ps_arg args[] = {ps_arg_tensor(tensor), ps_arg_ints(count > 0 ? &all : &count, 1)};
    return pyps_op_tensors("reshape", args, 2, made, pyps_dialect_get(self));
}

static PyObject *ravel(PyObject *self, PyObject *unused)
{
    ps_tensor *made = NULL;
    (void)unused;
    if (flat(self, &made) != 0 ||
        pyps_policy_form(pyps_dialect_get(self), PYPS_FORM_FLATTEN, &made) != 0)
        return NULL;
    return pyps_wrap_like(self, made);
}

static PyObject *flatten(PyObject *self, PyObject *unused)
{
    ps_tensor *made = NULL, *copy = NULL;
    (void)unused;
    if (flat(self, &made) != 0)
        return NULL;
    if (!ps_tensor_shares(made, pyps_tensor(self)))
        return pyps_wrap_like(self, made);
    ps_arg arg = ps_arg_tensor(made);
    int status = pyps_op_tensors("copy", &arg, 1, &copy, pyps_dialect_get(self));
    ps_tensor_release(made);
    return status == 0 ? pyps_wrap_like(self, copy) : NULL;
}

/* ---- Filling -------------------------------------------------------------------------------- */

static PyObject *fill(PyObject *self, PyObject *value)
{
    pyps_call call;
    PyObject *result = NULL;
    const ps_op *op = pyps_op("assign");
    if (op == NULL)
        return NULL;
    pyps_call_begin(&call, pyps_dialect_get(self));
    if (pyps_arg_tensor(&call, &call.args[0], value, "fill: value") == 0) {
        if (call.args[0].kind == PS_ARG_TENSOR && ps_tensor_count(call.args[0].as.tensor) != 1)
            PyErr_Format(PyExc_ValueError, "fill: value must be one number, not an array of %lld",
                         (long long)ps_tensor_count(call.args[0].as.tensor));
        else
            result = pyps_op_run(&call, op, 1, self);
    }
    pyps_call_end(&call);
    if (result == NULL)
        return NULL;
    Py_DECREF(result);
    Py_RETURN_NONE;
}

/* ---- Methods written in Python --------------------------------------------------------------- */

static PyObject *add_method(PyObject *module, PyObject *args)
{
    PyObject *name, *function;
    (void)module;
    if (!PyArg_ParseTuple(args, "UO:_add_method", &name, &function))
        return NULL;
    if (PyDict_SetItem(pyps_array_type.tp_dict, name, function) != 0)
        return NULL;
    PyType_Modified(&pyps_array_type);
    Py_RETURN_NONE;
}

static PyMethodDef methods[] = {
    {"astype", (PyCFunction)(void (*)(void))astype, METH_VARARGS | METH_KEYWORDS,
     "astype($self, dtype, /, *, copy=True)\n--\n\n"
     "The elements as another type; the array itself if it has that type and copy is False.\n\n"
     ">>> ps.array([1.7, -1.7]).astype(int)\n"
     "array([ 1, -1])"},
    {"ravel", ravel, METH_NOARGS,
     "ravel($self, /)\n--\n\nAll elements in one dimension: a view if possible, else a copy.\n\n"
     ">>> ps.ones((2, 2)).ravel()\n"
     "array([1., 1., 1., 1.])"},
    {"flatten", flatten, METH_NOARGS,
     "flatten($self, /)\n--\n\nA copy of all elements in one dimension.\n\n"
     ">>> ps.zeros((2, 2)).flatten()\n"
     "array([0., 0., 0., 0.])"},
    {"fill", fill, METH_O,
     "fill($self, value, /)\n--\n\nWrites the number into all elements.\n\n"
     ">>> x = ps.zeros(3)\n"
     ">>> x.fill(7)\n"
     ">>> x\n"
     "array([7., 7., 7.])"},
    {NULL, NULL, 0, NULL},
};

static PyMethodDef functions[] = {
    {"_add_method", add_method, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};

int pyps_methods_setup(PyObject *module)
{
    if (pyps_methods_add(methods) != 0)
        return -1;
    return PyModule_AddFunctions(module, functions);
}
