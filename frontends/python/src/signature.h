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
    bool axes;    /* integers are axes; else lengths or counts */
    bool fills;   /* something is given for it where it is left out */
    int standard; /* of an element type: the table's default, a ps_dtype; -1: none */
} pyps_param;

typedef struct pyps_signature {
    PyObject *text; /* "(x, /, axis=None)" */
    pyps_param params[PYPS_PARAMS];
    int count, positional_only, positional; /* the first of them */
    int nargs;                              /* arguments of the operation that it has a place for */
    int needed; /* those from here on may be left out, and nothing is given for them then */
    bool axes;  /* some are axes */
} pyps_signature;

/* Takes apart `text`, or what follows from the table if it is NULL. */
int pyps_signature_parse(const ps_op_info *op, const char *name, const char *text,
                         pyps_signature *signature);
/* One from PyMem_Calloc, also if it was not parsed to its end; NULL does nothing. */
void pyps_signature_free(pyps_signature *signature);
/* How many parameters there is something to be done for: those behind have no value. */
static inline int pyps_signature_known(const pyps_signature *signature, Py_ssize_t nargs,
                                       PyObject *names)
{
    if (names != NULL)
        return signature->count;
    int taken = nargs < signature->positional ? (int)nargs : signature->positional;
    return taken > signature->needed ? taken : signature->needed;
}
/* Distributes arguments over values[known], NULL where none is given; borrowed. Returns the first
 * keyword that has no place, or a second value for one; NULL if all fit. */
PyObject *pyps_signature_place(const pyps_signature *signature, PyObject *const *args,
                               Py_ssize_t nargs, PyObject *names, PyObject **values);
/* The same with exceptions for what does not fit, and for what is missing. `rest` is how many
 * positional ones are left over behind the last: 0 unless `variadic`. */
int pyps_signature_bind(const pyps_signature *signature, const char *name, PyObject *const *args,
                        Py_ssize_t nargs, PyObject *names, bool variadic, PyObject **values,
                        Py_ssize_t *rest);

/* What a function takes for plain arguments: arrays of its dialect, of so many dimensions unless
 * that is -1, and not without any beside an axis, nor without elements where there could be one; lists
 * and tuples of arrays of one element type; ints, or tuples and lists of some, of which lengths are
 * above 0 or -1; True and False; numbers, where that is said; None where it is the default. */
typedef struct pyps_plain {
    const pyps_dialect *dialect;
    int ndim;
    bool variadic;  /* its last integers may be given one by one */
    bool numbers;   /* Python's numbers may be where the operation takes them for tensors */
    bool alike;     /* all arrays are of one shape */
    uint32_t types; /* a bit for each element type that arrays may have; 0: any */
} pyps_plain;

/* plain.c: whether all arguments are plain, and have a place in the signature; then values[known] has
 * them, as pyps_signature_bind gives them. */
bool pyps_is_plain(const pyps_plain *plain, const pyps_signature *signature, PyObject *const *args,
                   Py_ssize_t nargs, PyObject *names, PyObject **values);

#endif
