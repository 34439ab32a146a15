/* Python functions that walks call: see callback.h. */
#include "callback.h"

static __thread pyps_walk *current; /* the innermost that Python has asked for */

/* ---- Coming and going ---------------------------------------------------------------------- */

static void end(pyps_release *release)
{
    pyps_callback *self = (pyps_callback *)release;
    Py_CLEAR(self->function);
    Py_CLEAR(self->types);
    PyMem_RawFree(self);
}

pyps_callback *pyps_callback_new(PyObject *function, PyObject *types)
{
    pyps_callback *self =
        types != NULL && pyps_release_prepare() == 0 ? PyMem_RawCalloc(1, sizeof *self) : NULL;
    if (self == NULL) {
        Py_XDECREF(types);
        return PyErr_Occurred() ? NULL : (pyps_callback *)PyErr_NoMemory();
    }
    self->release.run = end;
    self->function = Py_NewRef(function);
    self->types = types;
    return self;
}

void pyps_callback_drop(void *context)
{
    pyps_callback *self = context;
    if (!Py_IsInitialized())
        return; /* nothing of Python is left */
    if (PyGILState_Check())
        end(&self->release);
    else
        pyps_release_later(&self->release);
}

PyObject *pyps_callback_wrap(const pyps_callback *self, Py_ssize_t index, ps_tensor *tensor)
{
    PyTypeObject *type = (PyTypeObject *)PyTuple_GET_ITEM(self->types, index);
    ps_status status = ps_tensor_retain(tensor);
    return status == PS_OK ? pyps_wrap(type, pyps_dialect_of(type), tensor)
                           : pyps_raise(NULL, status);
}

/* ---- What is raised ------------------------------------------------------------------------ */

/* Nobody of Python asked: the text is all that its caller gets. */
static ps_status tell(void)
{
    PyObject *type, *value, *traceback;
    PyErr_Fetch(&type, &value, &traceback);
    PyErr_NormalizeException(&type, &value, &traceback);
    PyObject *text = PyObject_Repr(value);
    const char *bytes = text != NULL ? PyUnicode_AsUTF8(text) : NULL;
    (void)ps_op_fail(PS_ERR_TASK, "%s", bytes != NULL ? bytes : "a Python function has failed");
    Py_XDECREF(text);
    Py_XDECREF(type);
    Py_XDECREF(value);
    Py_XDECREF(traceback);
    PyErr_Clear();
    return PS_ERR_TASK;
}

static void walk_clear(pyps_walk *walk)
{
    Py_CLEAR(walk->type);
    Py_CLEAR(walk->value);
    Py_CLEAR(walk->traceback);
}

ps_status pyps_callback_failed(void)
{
    if (current == NULL)
        return tell();
    walk_clear(current);
    PyErr_Fetch(&current->type, &current->value, &current->traceback);
    return ps_op_fail(PS_ERR_TASK, "a Python function has raised an exception");
}

void pyps_walk_begin(pyps_walk *walk)
{
    *walk = (pyps_walk){.outer = current};
    current = walk;
}

/* The program's own exception, with the lines of the walk. */
static void raise_again(pyps_walk *walk)
{
    PyErr_NormalizeException(&walk->type, &walk->value, &walk->traceback);
    if (walk->value != NULL)
        pyps_note_lines(walk->value);
    PyErr_Restore(walk->type, walk->value, walk->traceback);
}

bool pyps_walk_end(pyps_walk *walk, const pyps_dialect *dialect, ps_status status)
{
    current = walk->outer;
    if (status == PS_OK)
        walk_clear(walk);
    else if (walk->type != NULL)
        raise_again(walk);
    else
        pyps_raise(dialect, status);
    return status == PS_OK;
}
