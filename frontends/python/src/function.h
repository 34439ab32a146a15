/* An operation of the table as a Python callable, and the short ways of calling it. */
#ifndef PENSTOCK_PYTHON_FUNCTION_H
#define PENSTOCK_PYTHON_FUNCTION_H

#include "names.h"
#include "signature.h"

enum { PYPS_SHORT_ARRAYS = 4 }; /* arguments of calls with arrays alone */

typedef struct pyps_function {
    PyObject_HEAD vectorcallfunc vectorcall;
    const ps_op *op;
    const pyps_names *row; /* NULL: all from the table */
    const pyps_dialect *dialect;
    const char *name; /* UTF-8 of name_object */
    PyObject *name_object, *module_name;
    PyObject *own_signature;   /* a str instead of the row's, or NULL */
    PyObject *numbers;         /* what is called when no argument is an array, or NULL */
    PyObject *unusual;         /* what is called when the arguments are not plain, or NULL */
    pyps_signature *signature; /* NULL until it is needed */
    int form;                  /* a pyps_form of its result, or -1 */
    bool variadic;
    bool arrays;    /* numbers are refused where the operation would take them for a tensor */
    int ndim;       /* how many dimensions arrays must have; -1: any number */
    bool alike;     /* arrays of one shape are usual */
    uint32_t types; /* a bit for each element type that is usual; 0: any */
    bool creates;   /* without an element type it is that of the numbers given */
    /* Short ways, set with the signature: with what it may be called alone (a shape, an array, a list
     * of some), and what may be alone behind an array (integers, an element type), or PS_ARG_NONE; and a
     * bit for each number of arrays with which it may be called, from 2 on. */
    ps_arg_kind alone, second;
    uint32_t by_arrays;
    PyObject *device_name; /* the keyword that a shape may have beside it, interned, or NULL */
    size_t noutputs;
} pyps_function;

/* functions.c: the form that the function gives its result, which is taken over. */
PyObject *pyps_function_form(const pyps_function *self, PyObject *result);

/* shortly.c: finds out, once there is a signature, which short ways there are. */
void pyps_shortly_ready(pyps_function *self);
/* Whether a call may have such a form, as far as the number of its arguments tells. */
static inline bool pyps_is_short(const pyps_function *self, Py_ssize_t nargs, PyObject *names)
{
    if (names != NULL)
        return nargs == 1 && PyTuple_GET_SIZE(names) == 1 &&
               PyTuple_GET_ITEM(names, 0) == self->device_name;
    if (nargs <= 1)
        return nargs == 1 && self->alone != PS_ARG_NONE;
    if (self->second != PS_ARG_NONE)
        return nargs == 2 ||
               (self->second == PS_ARG_INTS && self->variadic && self->signature->positional == 2);
    return nargs <= PYPS_SHORT_ARRAYS && self->by_arrays >> nargs & 1;
}
/* Such a call, or NULL if what is given is not usual; also, with an exception, if it fails. */
PyObject *pyps_call_shortly(const pyps_function *self, PyObject *const *args, Py_ssize_t nargs,
                            PyObject *names);

/* What the table has for an element type that is left out, as the dialect has it. */
static inline ps_arg pyps_standard_dtype(const pyps_dialect *dialect, const pyps_param *param)
{
    const pyps_policy *policy = &dialect->policy;
    return ps_arg_dtype(
        (ps_dtype)(param->standard == PS_INT64 ? policy->int_type : policy->float_type));
}

#endif
