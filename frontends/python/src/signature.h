/* A function's parameters as Python writes them, taken apart. */
#ifndef PENSTOCK_PYTHON_SIGNATURE_H
#define PENSTOCK_PYTHON_SIGNATURE_H

#include "core.h"

/* Parameters that are no arguments of the operation. */
enum { PYPS_TO_OUT = -1, PYPS_TO_DEVICE = -2, PYPS_TO_COPY = -3, PYPS_TO_NOTHING = -4 };
enum { PYPS_PARAMS = PYPS_ARGS + 4 };

typedef struct pyps_param {
    PyObject *name; /* interned */
    PyObject *what; /* "sum: axis", for errors */
    const char *what_text;
    PyObject *otherwise; /* its default if the table has none: an int; or NULL */
    int to;              /* index of the operation's argument, or PYPS_TO_* */
    ps_arg_kind kind;
    bool required;
    bool none;    /* None may be given: it is the default */
    bool lifts;   /* a number becomes an array: the operation takes none for a tensor */
    int standard; /* of an element type: the table's default, a ps_dtype; -1: none */
} pyps_param;

typedef struct pyps_signature {
    PyObject *text; /* "(x, /, axis=None)" */
    pyps_param params[PYPS_PARAMS];
    int count, positional_only, positional; /* the first of them */
} pyps_signature;

/* Takes apart `text`, or what follows from the table if it is NULL. */
int pyps_signature_parse(const ps_op_info *op, const char *name, const char *text,
                         pyps_signature *signature);
/* One from PyMem_Calloc, also if it was not parsed to its end; NULL does nothing. */
void pyps_signature_free(pyps_signature *signature);
/* Distributes arguments over values[count], NULL where none is given; borrowed. `rest` is how many
 * positional ones are left over behind the last: 0 unless `variadic`. */
int pyps_signature_bind(const pyps_signature *signature, const char *name, PyObject *const *args,
                        Py_ssize_t nargs, PyObject *names, bool variadic, PyObject **values,
                        Py_ssize_t *rest);

#endif
