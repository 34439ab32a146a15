/* What the files about other libraries' arrays share.
 *
 *   import.c    which of the ways in an object takes; conversions on the way
 *   sequence.c  numbers and nested sequences
 *   buffer.c    the buffer protocol, in and out
 *   dlpack.c    DLPack, in and out
 *   release.c   giving foreign memory back on a thread that has the interpreter's lock
 *   export.c    values as Python objects and NumPy arrays; format.c as text
 *   pickle.c    pickle, copy, deepcopy */
#ifndef PENSTOCK_PYTHON_INTEROP_H
#define PENSTOCK_PYTHON_INTEROP_H

#include "core.h"
#include "dlpack.h"

/* ---- release.c --------------------------------------------------------------------------- */

/* Something to be done with the interpreter's lock held; part of a larger record. */
typedef struct pyps_release {
    struct pyps_release *next;
    void (*run)(struct pyps_release *self);
} pyps_release;

/* Before memory is borrowed: sees to it that there is a thread that can give it back. */
int pyps_release_prepare(void);
/* From any thread, with or without the interpreter's lock; takes no lock and never fails. */
void pyps_release_later(pyps_release *release);

/* ---- import.c ---------------------------------------------------------------------------- */

/* A tensor made for an import, as it was wanted: cast and moved. Takes the tensor over, NULL too. */
ps_tensor *pyps_import_finish(ps_tensor *tensor, const pyps_import *wanted);
/* 0 if elements of the type may be taken without a copy; else ValueError and -1. */
int pyps_import_uncopied(const pyps_import *wanted, ps_dtype dtype);
/* bool, signed and unsigned integer, float, complex, in this order. */
typedef enum pyps_class {
    PYPS_CLASS_BOOL,
    PYPS_CLASS_INTEGER,
    PYPS_CLASS_FLOAT,
    PYPS_CLASS_COMPLEX
} pyps_class;
pyps_class pyps_class_of(ps_dtype dtype);
/* True, False or None as 1, 0, -1; `what` begins the text of an error. */
int pyps_copy_parse(PyObject *object, int *copy, const char *what);

/* ---- sequence.c -------------------------------------------------------------------------- */

bool pyps_is_number(PyObject *object);   /* a Python number, or of a class derived from one */
bool pyps_is_sequence(PyObject *object); /* a list, tuple or range */
ps_tensor *pyps_import_number(PyObject *object, const pyps_import *wanted);
ps_tensor *pyps_import_sequence(PyObject *object, const pyps_import *wanted);

/* ---- buffer.c ---------------------------------------------------------------------------- */

/* `kind` is the element type to take the bytes for, or -1 for what the buffer says. */
ps_tensor *pyps_import_buffer(PyObject *object, const pyps_import *wanted, int kind);
/* The element type of an object that is a single element with a buffer, as NumPy's scalars are; -1,
 * without an exception, if it is no such thing. */
int pyps_buffer_scalar(PyObject *object);
/* Whether the last export was of this array and was interrupted: numpy.asarray drops that exception
 * and calls __array__ next. Forgets it. */
bool pyps_buffer_interrupted(PyObject *array);
int pyps_buffer_setup(PyObject *module);

/* ---- dlpack.c ---------------------------------------------------------------------------- */

/* Of an object with __dlpack__. */
ps_tensor *pyps_import_dlpack(PyObject *object, const pyps_import *wanted);

/* ---- export.c ---------------------------------------------------------------------------- */

/* A read-only snapshot that stays as it is until it is given back; waits. NULL and an exception. */
DLManagedTensorVersioned *pyps_snapshot(PyObject *array);
PyObject *pyps_scalar_object(const ps_scalar *value);
PyObject *pyps_shape_object(const ps_tensor *tensor); /* a tuple */

/* ---- pickle.c ---------------------------------------------------------------------------- */

int pyps_pickle_setup(PyObject *module);

/* ---- format.c ---------------------------------------------------------------------------- */

int pyps_format_setup(PyObject *module);

#endif
