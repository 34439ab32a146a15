/* The library of matrix products that the Python package brings along. */
#include "core.h"

/* The file of a BLAS library to load at the first product. Too late after it: then nothing changes. */
static PyObject *propose(PyObject *module, PyObject *path)
{
    PyObject *bytes;
    (void)module;
    if (!PyUnicode_FSConverter(path, &bytes))
        return NULL;
    ps_status status = ps_blas_propose(PyBytes_AS_STRING(bytes));
    Py_DECREF(bytes);
    if (status != PS_OK && status != PS_ERR_STATE)
        return pyps_raise(NULL, status);
    Py_RETURN_NONE;
}

static PyObject *name(PyObject *module, PyObject *unused)
{
    (void)module;
    (void)unused;
    return PyUnicode_DecodeFSDefault(ps_blas_name());
}

int pyps_blas_setup(PyObject *module)
{
    static PyMethodDef methods[] = {
        {"_blas_propose", propose, METH_O, NULL},
        {"_blas_name", name, METH_NOARGS, NULL},
        {NULL, NULL, 0, NULL},
    };
    return PyModule_AddFunctions(module, methods);
}
