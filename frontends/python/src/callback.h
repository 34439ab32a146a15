/* Python functions that walks over a graph call: what custom.c and hook.c share.
 *
 * A walk runs on the thread that asked for it, which has the interpreter's lock if that was
 * Python; a walk that another language asked for may come without. What a function raises ends
 * the walk, and is raised again where Python asked for it, with a note of the line that recorded
 * the function and of that which asked. */
#ifndef PENSTOCK_PYTHON_CALLBACK_H
#define PENSTOCK_PYTHON_CALLBACK_H

#include "interop.h"

/* The context of a function that the library was given. */
typedef struct pyps_callback {
    pyps_release release; /* first */
    PyObject *function;
    PyObject *types; /* a tuple of the classes of arrays that it is given */
} pyps_callback;

/* Takes over the types, also on failure: then NULL and an exception. */
pyps_callback *pyps_callback_new(PyObject *function, PyObject *types);
/* For the library: from any thread. */
void pyps_callback_drop(void *context);
/* An array of the class with that number around a tensor, retained. */
PyObject *pyps_callback_wrap(const pyps_callback *self, Py_ssize_t index, ps_tensor *tensor);
/* The function has raised: keeps that for the walk, and returns what the library is to be told. */
ps_status pyps_callback_failed(void);

/* autograd.c: the tensors of a list of arrays, borrowed. `what` and `noun` begin the text of an
 * error. */
int pyps_take_arrays(const char *what, const char *noun, PyObject *list, ps_tensor **to);

/* A walk that Python asks for, around the call of the library. */
typedef struct pyps_walk {
    struct pyps_walk *outer; /* on this thread */
    PyObject *type, *value, *traceback;
} pyps_walk;

void pyps_walk_begin(pyps_walk *walk);
/* Raises what a function has raised, if the walk failed; else what the library says. Returns
 * whether it succeeded. */
bool pyps_walk_end(pyps_walk *walk, const pyps_dialect *dialect, ps_status status);

#endif
