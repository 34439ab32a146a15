/* The end of the program: what is cheap and can fail still runs; errors that nobody saw, and what is
 * dropped, are told through sys.unraisablehook.
 *
 * Told are the first error with its line and the number of the others, and the first operation that
 * is dropped with its line and the number of all. Nothing dear is waited for; the library, which has
 * an exit handler of its own, drops it. Other handlers, and what the interpreter frees later, may
 * still use arrays. */
#include "core.h"

#include "engine.h"

/* The public function came with 3.13, in the place of this one. */
static void report(PyObject *error, const char *place)
{
    PyErr_SetObject((PyObject *)Py_TYPE(error), error);
#if PY_VERSION_HEX >= 0x030D0000
    PyErr_FormatUnraisable("Exception ignored %s", place);
#else
    _PyErr_WriteUnraisableMsg(place, NULL);
#endif
}

/* What is to be told, collected before the hook is called: that may use the library. */
typedef struct telling {
    PyObject *error, *dropped; /* the first of each, or NULL */
    uint64_t more_errors;      /* than the first, and than those that its text counts */
    char operation[100];       /* that the first error was met in */
} telling;

static void collect(telling *t, ps_status status)
{
    ps_error_info info = {.size = sizeof info};
    if (ps_last_error_info(&info) != PS_OK || info.status == PS_ERR_FORKED)
        return; /* the parent has the result; a child that wants it too has waited for it */
    if (status != PS_ERR_DROPPED && t->error != NULL) {
        t->more_errors += 1 + info.more;
        return;
    }
    if (status != PS_ERR_DROPPED)
        PyOS_snprintf(t->operation, sizeof t->operation, "%s",
                      info.operation != NULL ? info.operation : "the engine");
    PyObject *error = pyps_error_object(NULL, status);
    if (error == NULL)
        PyErr_WriteUnraisable(NULL);
    else
        Py_XSETREF(*(status == PS_ERR_DROPPED ? &t->dropped : &t->error), error);
}

static void tell(telling *t)
{
    char place[200], more[60] = "";
    if (t->more_errors != 0)
        PyOS_snprintf(more, sizeof more, " (and %llu further error%s)",
                      (unsigned long long)t->more_errors, t->more_errors == 1 ? "" : "s");
    PyOS_snprintf(place, sizeof place, "in %s, whose result nobody waited for%s", t->operation,
                  more);
    if (t->error != NULL)
        report(t->error, place);
    if (t->dropped != NULL)
        report(t->dropped, "at the end of the program");
    Py_CLEAR(t->error);
    Py_CLEAR(t->dropped);
}

static PyObject *report_unseen(PyObject *module, PyObject *unused)
{
    (void)module;
    (void)unused;
    ps_engine *engine;
    telling t = {0};
    if (!pyps_library_used || ps_engine_default(&engine) != PS_OK)
        Py_RETURN_NONE; /* then nothing was queued */
    pyps_enter();
    ps_status status = ps_engine_leave(engine);
    if (status != PS_OK)
        collect(&t, status);
    while ((status = ps_engine_take_error(engine)) != PS_OK)
        collect(&t, status);
    tell(&t);
    Py_RETURN_NONE;
}

static PyMethodDef at_exit =
    {"_report_unseen", report_unseen, METH_NOARGS,
     "Run what can fail; report errors that nobody has seen, and what is dropped."};

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
