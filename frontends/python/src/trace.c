/* The trace of the engine, for engine.trace() in engine.py, where it is described.
 *
 * Events are given as plain tuples (time, kind, task, name, thread, other, place): numbers as the
 * library has them, and the user's line where a task was queued. engine.py gives them names. */
#include "core.h"

#include "engine.h"

/* More would be 640 MB for each thread. */
enum { EVENTS_MAX = 1 << 24 };

static PyObject *trace_start(PyObject *module, PyObject *count)
{
    (void)module;
    uint64_t events;
    ps_engine *engine = pyps_engine();
    if (engine == NULL || pyps_count(count, EVENTS_MAX, &events, "trace: events") != 0)
        return NULL;
    ps_status status = ps_trace_start(engine, (size_t)events);
    return status == PS_OK ? Py_NewRef(Py_None) : pyps_raise(NULL, status);
}

static PyObject *trace_stop(PyObject *module, PyObject *unused)
{
    (void)module;
    (void)unused;
    ps_engine *engine = pyps_engine();
    if (engine == NULL)
        return NULL;
    ps_status status = ps_trace_stop(engine);
    return status == PS_OK ? Py_NewRef(Py_None) : pyps_raise(NULL, status);
}

/* (file, line, function) of a push; None if it is not known. */
static PyObject *place_of(const ps_trace_event *event)
{
    ps_place place = {.size = sizeof place};
    if (event->kind != PS_TRACE_QUEUED || !ps_location_resolve(event->other, &place))
        return Py_NewRef(Py_None);
    return Py_BuildValue("(snz)", place.file, (Py_ssize_t)place.line, place.function);
}

static PyObject *event_tuple(const ps_trace_event *event)
{
    return Py_BuildValue("(KIKzIKN)", (unsigned long long)event->time_ns, event->kind,
                         (unsigned long long)event->sequence, event->name, event->thread,
                         (unsigned long long)event->other, place_of(event));
}

static PyObject *event_list(const ps_trace_event *events, size_t count)
{
    PyObject *list = PyList_New((Py_ssize_t)count);
    for (size_t i = 0; list != NULL && i < count; i++) {
        PyObject *tuple = event_tuple(&events[i]);
        if (tuple == NULL)
            Py_CLEAR(list);
        else
            PyList_SET_ITEM(list, (Py_ssize_t)i, tuple);
    }
    return list;
}

/* Reads into memory that must be given back with PyMem_Free. Tasks that still run may add an event
 * between the two calls; it is left out. */
static ps_status read_events(ps_engine *engine, ps_trace_event **events, size_t *count,
                             uint64_t *lost)
{
    size_t room = 0;
    *events = NULL;
    ps_status status = ps_trace_read(engine, NULL, 0, &room, lost);
    if (status != PS_OK)
        return status;
    *events = PyMem_Calloc(room + 1, sizeof **events);
    if (*events == NULL)
        return PS_ERR_MEMORY;
    status = ps_trace_read(engine, *events, room, count, lost);
    *count = *count < room ? *count : room;
    return status;
}

/* (events in time order, how many were overwritten) */
static PyObject *trace_read(PyObject *module, PyObject *unused)
{
    (void)module;
    (void)unused;
    ps_engine *engine = pyps_engine();
    if (engine == NULL)
        return NULL;
    ps_trace_event *events;
    size_t count;
    uint64_t lost;
    ps_status status = read_events(engine, &events, &count, &lost);
    PyObject *list = NULL, *result = NULL;
    if (status == PS_OK)
        list = event_list(events, count);
    else if (events == NULL && status == PS_ERR_MEMORY)
        PyErr_NoMemory();
    else
        pyps_raise(NULL, status);
    PyMem_Free(events);
    if (list != NULL)
        result = Py_BuildValue("(NK)", list, (unsigned long long)lost);
    return result;
}

static PyMethodDef functions[] = {{"_trace_start", trace_start, METH_O, NULL},
                                  {"_trace_stop", trace_stop, METH_NOARGS, NULL},
                                  {"_trace_read", trace_read, METH_NOARGS, NULL},
                                  {NULL, NULL, 0, NULL}};

int pyps_trace_setup(PyObject *module)
{
    return PyModule_AddFunctions(module, functions);
}
