/* What the files of indexing share.
 *
 *   index.c        the slots of the array type; lengths, iteration
 *   index_key.c    a Python object as a key: a list of items
 *   index_value.c  what is written
 *
 * Keys mean what they mean in NumPy: ps_tensor_get and ps_tensor_set know it. Here objects become
 * items, and a dialect has its say. */
#ifndef PENSTOCK_PYTHON_INDEX_H
#define PENSTOCK_PYTHON_INDEX_H

#include "core.h"

/* 0, or -1 and the exception of a status. */
int pyps_index_done(PyObject *array, ps_status status);
/* An operation on the device of an array, with the current location. On failure an exception is
 * set, and *out is as it was. */
int pyps_index_call(PyObject *array, const char *name, const ps_arg *args, size_t nargs,
                    ps_tensor **out);

/* ---- index_key.c ------------------------------------------------------------------------- */

enum { PYPS_KEY_ROOM = 2 * PS_DIMS_MAX };

typedef struct pyps_key {
    unsigned count, arrays; /* items; those of them that are arrays or masks: owned */
    bool selects, expands;  /* has integers or slices; has None */
    ps_index items[PYPS_KEY_ROOM];
} pyps_key;

int pyps_key_begin(pyps_key *key, PyObject *array, PyObject *object);
void pyps_key_end(pyps_key *key);
/* Whether the call refused a key with several arrays, which may not fit together: a dialect has a
 * class for keys that are none, and that exception is set. */
bool pyps_key_refused(const pyps_key *key, PyObject *array, ps_status status);
/* In dialects where integers select before arrays do: whether the key has both; then *view is what its
 * integers select, for the caller to release, and the key is what is left of it. -1 and an exception. */
int pyps_key_select(pyps_key *key, PyObject *array, ps_tensor **view);
/* A slice as an item of a key of the array. */
int pyps_key_slice(PyObject *array, ps_index *item, PyObject *slice);

/* ---- index_value.c ----------------------------------------------------------------------- */

/* What is assigned, as an argument: a tensor or a number. *made is NULL or must be released. */
int pyps_value_take(PyObject *array, PyObject *value, ps_arg *arg, ps_tensor **made);
/* The exception for an assignment that failed. Returns -1. */
int pyps_value_refuse(PyObject *array, PyObject *value, ps_status status);

#endif
