/* Rows that are made of other rows.
 *
 * A composition calls rows one after the other; each gives a temporary. After the first failure the
 * rest does nothing, so a row reads as if nothing could fail and asks once, at its end:
 *
 *     ps__compose c;
 *     ps__compose_begin(&c, call);
 *     ps_tensor *x = ps__compose_tensor(&c, 0);
 *     if (ps__compose_result(&c, dtype, ndim, shape)) {
 *         ps_tensor *e = PS__MAKE(&c, "exp", ps__arg_tensor(x));
 *         PS__GIVE(&c, "log", ps__arg_tensor(e));
 *     }
 *     return ps__compose_end(&c);
 *
 *  1. A composition checks what it is given before it calls anything: a call that fails has queued
 *     nothing, unless there is no memory.
 *  2. The last row writes the output of the call, by the rules of output.h.
 *  3. What a row has to say is said in the name of the composition. */
#ifndef PS_OPS_COMPOSE_H
#define PS_OPS_COMPOSE_H

#include "ops/calls.h"

enum { PS__COMPOSE_ROOM = 24 }; /* temporaries at a time */

typedef struct ps__compose {
    const ps__bound_call *call;
    const ps__home *home; /* of the operands */
    ps_call on;           /* for the rows that are called: on that device */
    ps_status status;     /* of the first failure */
    unsigned count;
    ps_tensor *made[PS__COMPOSE_ROOM]; /* references of ours */
} ps__compose;

void ps__compose_begin(ps__compose *c, const ps__bound_call *call);
/* Releases what was made; returns the status of the whole. */
ps_status ps__compose_end(ps__compose *c);

static inline bool ps__compose_fine(const ps__compose *c)
{
    return c->status == PS_OK;
}

/* Argument `index`, a tensor that may be left out: then NULL. */
static inline ps_tensor *ps__optional(const ps__bound_call *call, unsigned index)
{
    return call->args[index].kind == PS_ARG_TENSOR ? call->args[index].as.tensor : NULL;
}

/* Argument `index`, which must be a tensor. NULL after a failure, as all that follow. */
ps_tensor *ps__compose_tensor(ps__compose *c, unsigned index);
/* Whether all is well, and an output that is given can take such a result. */
bool ps__compose_result(ps__compose *c, ps_dtype dtype, int ndim, const int64_t *shape);

/* The same of output `index`. */
bool ps__compose_result_at(ps__compose *c, unsigned index, ps_dtype dtype, int ndim,
                           const int64_t *shape);

/* The result of a row, which lasts until the end. */
ps_tensor *ps__compose_make(ps__compose *c, const char *name, unsigned nargs, const ps_arg *args);
/* The same of a row with several outputs, all of which are temporaries; NULL after a failure. */
void ps__compose_several(ps__compose *c, const char *name, unsigned nargs, const ps_arg *args,
                         unsigned count, ps_tensor **made);
/* The same into an existing tensor. */
void ps__compose_into(ps__compose *c, const char *name, unsigned nargs, const ps_arg *args,
                      ps_tensor *out);
/* Takes over a tensor, or NULL, as a temporary; returns it, or NULL after a failure. */
ps_tensor *ps__compose_own(ps__compose *c, ps_tensor *tensor);
/* Makes the result of a row that of the call. */
void ps__compose_give(ps__compose *c, const char *name, unsigned nargs, const ps_arg *args);
/* Makes a temporary the result of the call. */
void ps__compose_hand(ps__compose *c, ps_tensor *made);
/* The same for all outputs of the call, or none after a failure. */
void ps__compose_hand_all(ps__compose *c, ps_tensor *const *made);
/* Keeps a reference of ours until the end, for which there must be room; NULL stays NULL. */
ps_tensor *ps__compose_keep(ps__compose *c, ps_tensor *tensor);
/* Gives up the temporaries that were made since there were `count`. */
void ps__compose_return(ps__compose *c, unsigned count);
/* Gives up a temporary before the end; one that is none, or NULL, is left alone. */
void ps__compose_drop(ps__compose *c, ps_tensor *tensor);

#define PS__ARG_LIST(...)                                                                          \
    (unsigned)(sizeof((ps_arg[]){__VA_ARGS__}) / sizeof(ps_arg)), (ps_arg[])                       \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }
#define PS__MAKE(c, name, ...) ps__compose_make(c, name, PS__ARG_LIST(__VA_ARGS__))
/* The same as an argument. */
#define PS__MADE(c, name, ...) ps__arg_tensor(PS__MAKE(c, name, __VA_ARGS__))
#define PS__GIVE(c, name, ...) ps__compose_give(c, name, PS__ARG_LIST(__VA_ARGS__))

/* `length` positions of an axis from `first` on, as a view. */
ps_tensor *ps__compose_narrow(ps__compose *c, ps_tensor *x, int axis, int64_t first,
                              int64_t length);
/* Position `at` of an axis, as a view without that axis. */
ps_tensor *ps__compose_at(ps__compose *c, ps_tensor *x, int axis, int64_t at);
/* x as another type, or itself. */
ps_tensor *ps__compose_cast(ps__compose *c, ps_tensor *x, ps_dtype dtype);
/* A tensor with x's elements side by side: x itself if they lie so. */
ps_tensor *ps__compose_packed(ps__compose *c, ps_tensor *x);
/* Whether all is well, and a tensor, or NULL, has one dimension of that length. */
bool ps__compose_line(ps__compose *c, const char *what, const ps_tensor *line, int64_t length);
/* The type that the row's arguments which are tensors have in common, by the row's rule. */
bool ps__compose_type(ps__compose *c, unsigned count, ps_tensor *const *tensors, ps_dtype *dtype);

/* The type in which functions of real numbers take a type: integers and bool as float32. */
static inline ps_dtype ps__float_of(ps_dtype dtype)
{
    return ps__dtype_is_inexact(dtype) ? dtype : PS_FLOAT32;
}

/* Whether all is well, and two tensors can be broadcast: to that shape. */
bool ps__compose_broadcast(ps__compose *c, const ps_tensor *x1, const ps_tensor *x2, int *ndim,
                           int64_t *shape);
/* Whether all is well, and an output that is given can take a reduction of x over the axes of an
 * ints argument, as a type. Refuses that there is nothing to combine, for those that need
 * `some`. */
bool ps__compose_reduced(ps__compose *c, const ps_tensor *x, const ps_arg *axis, bool keepdims,
                         bool some, ps_dtype dtype);

#endif
