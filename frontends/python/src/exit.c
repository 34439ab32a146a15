/* The end of the program: errors that nobody saw are reported through sys.unraisablehook.
 *
 * Nothing is waited for. What is queued and has not run by then is dropped by the library, which has
 * an exit handler of its own. */
#include "core.h"

#include "engine.h"

/* The public function came with 3.13, in the place of this one. */
static void report(PyObject *error, const char *operation)
{
    PyErr_SetObject((PyObject *)Py_TYPE(error), error);
#if PY_VERSION_HEX >= 0x030D0000
    PyErr_FormatUnraisable("Exception ignored in %s, whose result nobody waited for", operation);
#else
    char place[160];
    PyOS_snprintf(place, sizeof place, "in %.100s, whose result nobody waited for", operation);
    _PyErr_WriteUnraisableMsg(place, NULL);
#endif
}

static void report_last(ps_status status)
{
    ps_error_info info = {.size = sizeof info};
    char operation[100] = "further operations";
    if (ps_last_error_info(&info) == PS_OK && info.operation != NULL)
        PyOS_snprintf(operation, sizeof operation, "%s", info.operation);
    if (info.status == PS_ERR_FORKED)
        return; /* the parent has the result; a child that wants it too has waited for it */
    PyObject *error = pyps_error_object(NULL, status);
    if (error == NULL) {
        PyErr_WriteUnraisable(NULL);
        return;
    }
    report(error, operation);
    Py_DECREF(error);
}

/* Ends also if a hook makes new errors for ever: it reports at most what is unseen now. */
static PyObject *report_unseen(PyObject *module, PyObject *unused)
{
    (void)module;
    (void)unused;
    ps_engine *engine;
    if (!pyps_library_used || ps_engine_default(&engine) != PS_OK)
        Py_RETURN_NONE; /* then nothing was queued */
    ps_engine_stats stats = {.size = sizeof stats};
    uint64_t left = ps_engine_get_stats(engine, &stats) == PS_OK ? stats.unseen_errors : 0;
    ps_status status;
    while (left-- > 0 && (status = ps_engine_take_error(engine)) != PS_OK)
        report_last(status);
    Py_RETURN_NONE;
}

static PyMethodDef at_exit = {"_report_unseen", report_unseen, METH_NOARGS,
                              "Report errors that nobody has seen."};

int pyps_exit_setup(PyObject *module)
{
    PyObject *function = PyCFunction_NewEx(&at_exit, NULL, NULL);
    PyObject *atexit = function != NULL ? PyImport_ImportModule("atexit") : NULL;
    PyObject *done = atexit != NULL ? PyObject_CallMethod(atexit, "register", "O", function) : NULL;
    int failed = done == NULL || PyModule_AddObjectRef(module, at_exit.ml_name, function) != 0;
    Py_XDECREF(done);
    Py_XDECREF(atexit);
    Py_XDECREF(function);
    return failed ? -1 : 0;
}
