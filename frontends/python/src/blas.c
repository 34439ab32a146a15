/* The library of matrix products that the Python package brings along. */
#include "core.h"

#include "engine.h"

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

static PyTypeObject *info_type;

static const pyps_stat info_fields[] =
    {{"name", "in short: the library, its version and kernels", 0},
     {"file", "that was loaded; None: there is no library", 0},
     {"config", "how OpenBLAS was built; None: another library", 0},
     {"core", "the kind of processor whose kernels it uses", 0},
     {"threads", "that it uses for one call; None: not known", 0},
     {"reason", "why this library and these kernels", 0},
     {NULL, NULL, 0}};

static PyObject *text_or_none(const char *text)
{
    return text != NULL ? PyUnicode_DecodeFSDefault(text) : Py_NewRef(Py_None);
}

static PyObject *info(PyObject *module, PyObject *unused)
{
    ps_blas_info known = {.size = sizeof known};
    (void)module;
    (void)unused;
    ps_status status = ps_blas_get_info(&known);
    if (status != PS_OK)
        return pyps_raise(NULL, status);
    PyObject *items[] = {text_or_none(known.name),
                         text_or_none(known.file),
                         text_or_none(known.config),
                         text_or_none(known.core),
                         known.threads > 0 ? PyLong_FromUnsignedLong(known.threads)
                                           : Py_NewRef(Py_None),
                         text_or_none(known.reason)};
    PyObject *result = PyStructSequence_New(info_type);
    for (int i = 0; i < 6; i++) {
        if (result != NULL && items[i] != NULL)
            PyStructSequence_SET_ITEM(result, i, Py_NewRef(items[i]));
        else
            Py_CLEAR(result);
        Py_XDECREF(items[i]);
    }
    return result;
}

int pyps_blas_setup(PyObject *module)
{
    static PyMethodDef methods[] = {
        {"_blas_propose", propose, METH_O, NULL},
        {"_blas_info", info, METH_NOARGS, NULL},
        {NULL, NULL, 0, NULL},
    };
    info_type = pyps_stats_type(module, "_EngineBlas", "penstock.engine.Blas",
                                "What multiplies matrices: see blas().", info_fields);
    return info_type != NULL ? PyModule_AddFunctions(module, methods) : -1;
}
