/* The calling thread as the library knows it: its hooks and its mode.
 *
 * Invariants
 *   1. `saved` is the thread's interpreter state while the library has it given up, else NULL. The
 *      hooks come in pairs on one thread, and are not nested: nothing of Python runs between them.
 *   2. A mode is a tuple (on, outer) in a context variable: so contexts, and with them coroutines
 *      and threads, have modes of their own. What a thread of the library has is only a copy of it,
 *      brought up to date before each call. */
#include "core.h"

#include "engine.h"

#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

__thread bool pyps_thread_known;
bool pyps_modes_used;
bool pyps_library_used;

static __thread PyThreadState *saved;
static PyObject *mode_variable;

/* ---- Hooks ------------------------------------------------------------------------------- */

static void unlock(void *state)
{
    (void)state;
    if (PyGILState_Check()) /* else the caller has given it up itself */
        saved = PyEval_SaveThread();
}

static void relock(void *state)
{
    (void)state;
    PyThreadState *mine = saved;
    if (mine != NULL) {
        saved = NULL;
        PyEval_RestoreThread(mine);
    }
}

static bool interrupted(void *state)
{
    (void)state;
    return PyGILState_Check() && PyErr_CheckSignals() != 0;
}

static const ps_hooks main_hooks = {.size = sizeof(ps_hooks),
                                    .unlock = unlock,
                                    .relock = relock,
                                    .interrupted = interrupted};
/* A thread that no signal interrupts may help with long work, and needs no look at the clock. */
static const ps_hooks other_hooks = {.size = sizeof(ps_hooks), .unlock = unlock, .relock = relock};

/* Python runs the handlers of signals on the main thread only. */
static bool is_main_thread(void)
{
    return syscall(SYS_gettid) == getpid();
}

/* Without memory nothing is kept: the operation that follows fails for the same reason. */
static void introduce(void)
{
    pyps_library_used = true;
    if (ps_thread_set_hooks(is_main_thread() ? &main_hooks : &other_hooks) == PS_OK)
        pyps_thread_known = true;
}

/* The thread that forks is the main one of the child. */
static void after_fork(void)
{
    pyps_thread_known = false;
}

/* ---- Modes ------------------------------------------------------------------------------- */

/* The current (on, outer): a new reference, NULL if the context has none. */
static PyObject *mode_current(void)
{
    PyObject *value = NULL;
    if (PyContextVar_Get(mode_variable, NULL, &value) != 0)
        PyErr_Clear();
    return value;
}

/* Also the part of the thread's state that contexts decide: PS_STATE_MODE. */
static ps_mode mode_of_context(void)
{
    PyObject *current = mode_current();
    PyObject *on = current != NULL ? PyTuple_GET_ITEM(current, 0) : Py_None;
    ps_mode mode = on == Py_True ? PS_MODE_SYNC : on == Py_False ? PS_MODE_ASYNC : PS_MODE_DEFAULT;
    Py_XDECREF(current);
    return mode;
}

static int mode_store(PyObject *on, PyObject *outer)
{
    if (on != Py_None && !PyBool_Check(on)) {
        pyps_error(PyExc_TypeError, "sync: on must be True, False or None, not %R", on);
        return -1;
    }
    PyObject *value = PyTuple_Pack(2, on, outer);
    PyObject *token = value != NULL ? PyContextVar_Set(mode_variable, value) : NULL;
    Py_XDECREF(value);
    if (token == NULL)
        return -1;
    Py_DECREF(token);
    pyps_modes_used = true;
    return 0;
}

static PyObject *mode_enter(PyObject *module, PyObject *on)
{
    (void)module;
    PyObject *outer = mode_current();
    int failed = mode_store(on, outer != NULL ? outer : Py_None);
    Py_XDECREF(outer);
    return failed ? NULL : Py_NewRef(Py_None);
}

static PyObject *mode_leave(PyObject *module, PyObject *unused)
{
    (void)module;
    (void)unused;
    PyObject *current = mode_current();
    if (current == NULL) {
        PyErr_SetString(PyExc_RuntimeError,
                        "sync: this context has not entered it; it was entered in another one");
        return NULL;
    }
    PyObject *outer = PyTuple_GET_ITEM(current, 1);
    int failed = outer == Py_None
                     ? mode_store(Py_None, Py_None)
                     : mode_store(PyTuple_GET_ITEM(outer, 0), PyTuple_GET_ITEM(outer, 1));
    Py_DECREF(current);
    return failed ? NULL : Py_NewRef(Py_None);
}

static PyObject *mode_set(PyObject *module, PyObject *on)
{
    (void)module;
    PyObject *current = mode_current();
    int failed = mode_store(on, current != NULL ? PyTuple_GET_ITEM(current, 1) : Py_None);
    Py_XDECREF(current);
    return failed ? NULL : Py_NewRef(Py_None);
}

/* What the engine does where no context says otherwise. */
static bool sync_by_default(void)
{
    const char *text = getenv("PENSTOCK_ENGINE");
    return text != NULL && strcmp(text, "sync") == 0;
}

static PyObject *mode_get(PyObject *module, PyObject *unused)
{
    (void)module;
    (void)unused;
    ps_mode mode = mode_of_context();
    return PyBool_FromLong(mode == PS_MODE_DEFAULT ? sync_by_default() : mode == PS_MODE_SYNC);
}

static void apply_context(void)
{
    uint64_t state = ps_thread_state(), wanted = (uint64_t)mode_of_context();
    if (wanted != (state & PS_STATE_MODE)) /* a failure is that of the call that follows */
        (void)ps_thread_set_state((state & ~PS_STATE_MODE) | wanted);
}

/* ---- For everybody ----------------------------------------------------------------------- */

void pyps_thread_begin(void)
{
    if (!pyps_thread_known)
        introduce();
    if (pyps_modes_used)
        apply_context();
}

ps_engine *pyps_engine(void)
{
    static ps_engine *engine;
    if (PYPS_UNLIKELY(engine == NULL)) {
        ps_status status = ps_engine_default(&engine);
        if (status != PS_OK) {
            engine = NULL;
            pyps_raise(NULL, status);
        }
    }
    return engine;
}

static PyMethodDef functions[] = {{"_mode_enter", mode_enter, METH_O, NULL},
                                  {"_mode_leave", mode_leave, METH_NOARGS, NULL},
                                  {"_mode_set", mode_set, METH_O, NULL},
                                  {"_mode_get", mode_get, METH_NOARGS, NULL},
                                  {NULL, NULL, 0, NULL}};

int pyps_thread_setup(PyObject *module)
{
    mode_variable = PyContextVar_New("penstock.sync", NULL);
    if (mode_variable == NULL || PyModule_AddFunctions(module, functions) != 0)
        return -1;
    if (pthread_atfork(NULL, NULL, after_fork) != 0) {
        PyErr_NoMemory();
        return -1;
    }
    return 0;
}
