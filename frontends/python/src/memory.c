/* The memory of arrays: what memory.py is made of, where the functions are described. */
#include "core.h"

#include "engine.h"

static const pyps_stat fields[] =
    {{"live", "bytes that arrays and running operations use", offsetof(ps_memory_stats, live)},
     {"peak", "the most that was in use at once", offsetof(ps_memory_stats, peak)},
     {"cached", "bytes kept for the next arrays", offsetof(ps_memory_stats, cached)},
     {"queued", "bytes that queued operations need or hold", offsetof(ps_memory_stats, queued)},
     {"limit", "the hard limit; None if there is none", offsetof(ps_memory_stats, limit)},
     {NULL, NULL, 0}};
static PyTypeObject *stats_type;

/* The library's word for "no limit" is None here. */
static PyObject *memory_stats(PyObject *module, PyObject *unused)
{
    (void)module;
    (void)unused;
    ps_memory_stats stats = {.size = sizeof stats};
    ps_status status = ps_memory_get_stats(&stats);
    if (status != PS_OK)
        return pyps_raise(NULL, status);
    PyObject *result = pyps_stats_make(stats_type, fields, &stats);
    if (result != NULL && stats.limit == UINT64_MAX) {
        Py_DECREF(PyStructSequence_GET_ITEM(result, 4));
        PyStructSequence_SET_ITEM(result, 4, Py_NewRef(Py_None));
    }
    return result;
}

static PyObject *memory_set_limit(PyObject *module, PyObject *bytes)
{
    (void)module;
    uint64_t limit = 0;
    if (bytes != Py_None) {
        if (pyps_count(bytes, UINT64_MAX - 1, &limit, "set_limit: bytes") != 0)
            return NULL;
        if (limit == 0) {
            PyErr_SetString(PyExc_ValueError,
                            "set_limit: bytes must be at least 1, not 0; None removes the limit");
            return NULL;
        }
    }
    ps_status status = ps_memory_set_limit(limit);
    return status == PS_OK ? Py_NewRef(Py_None) : pyps_raise(NULL, status);
}

static PyObject *memory_trim(PyObject *module, PyObject *unused)
{
    (void)module;
    (void)unused;
    return PyLong_FromUnsignedLongLong(ps_memory_trim());
}

static PyObject *memory_reset_peak(PyObject *module, PyObject *unused)
{
    (void)module;
    (void)unused;
    ps_memory_reset_peak();
    Py_RETURN_NONE;
}

static PyMethodDef functions[] = {{"_memory_stats", memory_stats, METH_NOARGS, NULL},
                                  {"_memory_set_limit", memory_set_limit, METH_O, NULL},
                                  {"_memory_trim", memory_trim, METH_NOARGS, NULL},
                                  {"_memory_reset_peak", memory_reset_peak, METH_NOARGS, NULL},
                                  {NULL, NULL, 0, NULL}};

int pyps_memory_setup(PyObject *module)
{
    stats_type = pyps_stats_type(module, "_MemoryStats", "penstock.memory.Stats",
                                 "What arrays use, in bytes: see stats().", fields);
    return stats_type != NULL ? PyModule_AddFunctions(module, functions) : -1;
}
