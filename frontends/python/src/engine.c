/* The engine: waitall, and what engine.py is made of, where the other functions are described.
 *
 * Statistics are named tuples whose fields a table lists. */
#include "core.h"

#include "engine.h"

/* ---- Numbers and statistics -------------------------------------------------------------- */

enum { FIELDS_MAX = 16 };

int pyps_count(PyObject *object, uint64_t most, uint64_t *count, const char *what)
{
    PyObject *integer = PyBool_Check(object) ? NULL : PyNumber_Index(object);
    if (integer == NULL && PyErr_Occurred() && !PyErr_ExceptionMatches(PyExc_TypeError))
        return -1;
    if (integer == NULL) {
        pyps_error(PyExc_TypeError, "%s must be an integer, not %R", what, object);
        return -1;
    }
    *count = PyLong_AsUnsignedLongLong(integer);
    Py_DECREF(integer);
    bool failed = PyErr_Occurred() != NULL;
    if (failed)
        PyErr_Clear();
    if (!failed && *count <= most)
        return 0;
    pyps_error(PyExc_ValueError, "%s must be from 0 to %llu, not %R", what,
               (unsigned long long)most, object);
    return -1;
}

PyTypeObject *pyps_stats_type(PyObject *module, const char *attribute, const char *name,
                              const char *doc, const pyps_stat *fields)
{
    PyStructSequence_Field sequence[FIELDS_MAX + 1] = {{NULL, NULL}};
    int count = 0;
    for (; fields[count].name != NULL && count < FIELDS_MAX; count++)
        sequence[count] = (PyStructSequence_Field){fields[count].name, fields[count].doc};
    PyStructSequence_Desc description = {name, doc, sequence, count};
    PyTypeObject *type = PyStructSequence_NewType(&description);
    if (type != NULL && PyModule_AddObjectRef(module, attribute, (PyObject *)type) != 0)
        Py_CLEAR(type);
    return type;
}

PyObject *pyps_stats_make(PyTypeObject *type, const pyps_stat *fields, const void *values)
{
    PyObject *result = PyStructSequence_New(type);
    for (int i = 0; result != NULL && fields[i].name != NULL; i++) {
        uint64_t value;
        memcpy(&value, (const char *)values + fields[i].offset, sizeof value);
        PyObject *number = PyLong_FromUnsignedLongLong(value);
        if (number == NULL)
            Py_CLEAR(result);
        else
            PyStructSequence_SET_ITEM(result, i, number);
    }
    return result;
}

static const pyps_stat stats_fields[] =
    {{"pushed", "operations queued so far, with waits and callbacks",
      offsetof(ps_engine_stats, pushed)},
     {"executed", "of these, how many ran", offsetof(ps_engine_stats, executed)},
     {"skipped", "how many did not run because what they read had failed",
      offsetof(ps_engine_stats, skipped)},
     {"failed", "how many failed while they ran", offsetof(ps_engine_stats, failed)},
     {"unfinished", "how many are queued and not complete", offsetof(ps_engine_stats, unfinished)},
     {"queued_bytes", "what these need or hold", offsetof(ps_engine_stats, queued_bytes)},
     {"held_back", "calls that met the bound", offsetof(ps_engine_stats, held_back)},
     {"helped", "operations run by threads that are no workers", offsetof(ps_engine_stats, helped)},
     {"groups", "groups of operations run as one", offsetof(ps_engine_stats, groups)},
     {"wakes", "times a sleeping worker was called", offsetof(ps_engine_stats, wakes)},
     {"unseen_errors", "failures that no wait has raised yet",
      offsetof(ps_engine_stats, unseen_errors)},
     {NULL, NULL, 0}};

static const pyps_stat bound_fields[] = {
    {"soft_bytes", "queued bytes above which calls are held back, unless few operations are queued",
     offsetof(ps_bound, soft_bytes)},
    {"soft_ops_per_worker", "how many operations are few", offsetof(ps_bound, soft_ops_per_worker)},
    {"hard_bytes", "queued bytes above which calls are always held back",
     offsetof(ps_bound, hard_bytes)},
    {"ops", "queued operations above which calls are held back", offsetof(ps_bound, ops)},
    {NULL, NULL, 0}};

static PyTypeObject *stats_type, *bound_type;

static PyObject *engine_stats(PyObject *module, PyObject *unused)
{
    (void)module;
    (void)unused;
    ps_engine *engine = pyps_engine();
    if (engine == NULL)
        return NULL;
    ps_engine_stats stats = {.size = sizeof stats};
    ps_status status = ps_engine_get_stats(engine, &stats);
    return status == PS_OK ? pyps_stats_make(stats_type, stats_fields, &stats)
                           : pyps_raise(NULL, status);
}

/* ---- Settings ---------------------------------------------------------------------------- */

static PyObject *engine_workers(PyObject *module, PyObject *unused)
{
    (void)module;
    (void)unused;
    ps_engine *engine = pyps_engine();
    if (engine == NULL)
        return NULL;
    unsigned workers;
    ps_status status = ps_engine_workers(engine, &workers);
    return status == PS_OK ? PyLong_FromUnsignedLong(workers) : pyps_raise(NULL, status);
}

static PyObject *engine_set_workers(PyObject *module, PyObject *count)
{
    (void)module;
    uint64_t workers = 0;
    ps_engine *engine = pyps_engine();
    if (engine == NULL)
        return NULL;
    if (count != Py_None) {
        if (pyps_count(count, PS_WORKERS_MAX, &workers, "set_workers: workers") != 0)
            return NULL;
        if (workers == 0) {
            PyErr_Format(PyExc_ValueError,
                         "set_workers: workers must be from 1 to %u, not 0; None is the default",
                         PS_WORKERS_MAX);
            return NULL;
        }
    }
    pyps_enter();
    ps_status status = ps_engine_set_workers(engine, (unsigned)workers);
    return status == PS_OK ? Py_NewRef(Py_None) : pyps_raise(NULL, status);
}

static PyObject *engine_bound(PyObject *module, PyObject *unused)
{
    (void)module;
    (void)unused;
    ps_engine *engine = pyps_engine();
    if (engine == NULL)
        return NULL;
    ps_bound bound = {.size = sizeof bound};
    ps_status status = ps_engine_bound(engine, &bound);
    return status == PS_OK ? pyps_stats_make(bound_type, bound_fields, &bound)
                           : pyps_raise(NULL, status);
}

/* The four in the order of the fields; None keeps what is. */
static PyObject *engine_set_bound(PyObject *module, PyObject *const *args, Py_ssize_t nargs)
{
    (void)module;
    ps_engine *engine = pyps_engine();
    if (engine == NULL)
        return NULL;
    ps_bound bound = {.size = sizeof bound};
    ps_status status = ps_engine_bound(engine, &bound);
    if (status != PS_OK)
        return pyps_raise(NULL, status);
    for (Py_ssize_t i = 0; i < nargs && bound_fields[i].name != NULL; i++) {
        if (args[i] == Py_None)
            continue;
        char what[64];
        PyOS_snprintf(what, sizeof what, "set_bound: %s", bound_fields[i].name);
        uint64_t value;
        if (pyps_count(args[i], UINT64_MAX, &value, what) != 0)
            return NULL;
        memcpy((char *)&bound + bound_fields[i].offset, &value, sizeof value);
    }
    pyps_enter();
    status = ps_engine_set_bound(engine, &bound);
    return status == PS_OK ? Py_NewRef(Py_None) : pyps_raise(NULL, status);
}

static PyObject *engine_fusion(PyObject *module, PyObject *unused)
{
    (void)module;
    (void)unused;
    return PyBool_FromLong(ps_fusion());
}

static PyObject *engine_set_fusion(PyObject *module, PyObject *on)
{
    (void)module;
    if (!PyBool_Check(on)) {
        pyps_error(PyExc_TypeError, "set_fusion: on must be True or False, not %R", on);
        return NULL;
    }
    ps_fusion_set(on == Py_True);
    Py_RETURN_NONE;
}

/* ---- Waiting for everything -------------------------------------------------------------- */

static PyObject *waitall(PyObject *module, PyObject *const *args, Py_ssize_t nargs, PyObject *names)
{
    (void)module;
    ps_wait_options options;
    PyObject *timeout = pyps_timeout_arg(args, nargs, names, "waitall");
    if (timeout == NULL || pyps_timeout_parse(timeout, &options, "waitall") != 0)
        return NULL;
    ps_engine *engine = pyps_engine();
    if (engine == NULL)
        return NULL;
    pyps_enter();
    ps_status status = ps_wait_all(engine, &options);
    if (status == PS_OK)
        Py_RETURN_NONE;
    if (!pyps_timed_out(status))
        return pyps_raise(NULL, status);
    pyps_error(PyExc_TimeoutError, "waitall: not everything was complete after %R seconds",
               timeout);
    return NULL;
}

PyDoc_STRVAR(
    waitall_doc,
    "waitall(timeout=None)\n--\n\n"
    "Wait until everything that was queued before is complete.\n\n"
    "Raises the oldest error that nobody has seen yet; call again for the next. Errors of\n"
    "one operation at one line are raised as one, whose text counts them. Raises\n"
    "TimeoutError after timeout seconds; what was queued goes on all the same.\n\n"
    ">>> y = ps.ones((3, 3)) + 1\n"
    ">>> ps.waitall()\n"
    ">>> y.is_ready()\n"
    "True");

static PyMethodDef functions[] =
    {{"waitall", (PyCFunction)(void (*)(void))waitall, METH_FASTCALL | METH_KEYWORDS, waitall_doc},
     {"_engine_stats", engine_stats, METH_NOARGS, NULL},
     {"_engine_workers", engine_workers, METH_NOARGS, NULL},
     {"_engine_set_workers", engine_set_workers, METH_O, NULL},
     {"_engine_bound", engine_bound, METH_NOARGS, NULL},
     {"_engine_set_bound", (PyCFunction)(void (*)(void))engine_set_bound, METH_FASTCALL, NULL},
     {"_engine_fusion", engine_fusion, METH_NOARGS, NULL},
     {"_engine_set_fusion", engine_set_fusion, METH_O, NULL},
     {NULL, NULL, 0, NULL}};

int pyps_engine_setup(PyObject *module)
{
    stats_type = pyps_stats_type(module, "_EngineStats", "penstock.engine.Stats",
                                 "What the engine has done: see stats().", stats_fields);
    bound_type = pyps_stats_type(module, "_EngineBound", "penstock.engine.Bound",
                                 "How far the queue may run ahead: see bound().", bound_fields);
    if (stats_type == NULL || bound_type == NULL || PyModule_AddFunctions(module, functions) != 0)
        return -1;
    if (pyps_wait_setup(module) != 0 || pyps_completions_setup(module) != 0 ||
        pyps_trace_setup(module) != 0)
        return -1;
    return pyps_memory_setup(module) != 0 || pyps_exit_setup(module) != 0 ? -1 : 0;
}
