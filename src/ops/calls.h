/* The functions that ops.def names, and what they share. */
#ifndef PS_OPS_CALLS_H
#define PS_OPS_CALLS_H

#include "ops/submit.h"

#define ROW(name, group, signature, takes, flags, gives, expression, call, outputs, gradient, doc) \
    PS__DECLARE_##gives(call)
#define PS__DECLARE_SAME(call)
#define PS__DECLARE_BOOL(call)
#define PS__DECLARE_REAL(call)
#define PS__DECLARE_OTHER(call) ps_status call(const ps__bound_call *bound);
#include "ops/ops.def"
#undef ROW
#undef PS__DECLARE_SAME
#undef PS__DECLARE_BOOL
#undef PS__DECLARE_REAL
#undef PS__DECLARE_OTHER

/* Writes `value`, converted and broadcast, over all of `to`, which may be any view. */
ps_status ps__assign(const ps__bound_call *call, ps_tensor *to, const ps_arg *value);
/* A contiguous tensor with x's elements: x itself, retained, if it is so already. */
ps_status ps__contiguous(const ps__bound_call *call, ps_tensor *x, ps_tensor **result);

/* x as one dimension, retained: a view if there is one. */
ps_status ps__flattened(const ps__bound_call *call, ps_tensor *x, ps_tensor **flat);

/* Sets of axes from an ints argument; all of them if it is left out. Errors name axes that are out
 * of range or given twice. */
ps_status ps__axes(const ps__bound_call *call, const ps_arg *arg, int ndim, uint32_t *set);

static inline ps_arg ps__arg_tensor(ps_tensor *tensor)
{
    return (ps_arg){.kind = PS_ARG_TENSOR, .as.tensor = tensor};
}

static inline ps_arg ps__arg_double(double number)
{
    return (ps_arg){.kind = PS_ARG_SCALAR, .as.scalar = {PS_SCALAR_DOUBLE, {.d = number}}};
}

static inline ps_arg ps__arg_int(int64_t number)
{
    return (ps_arg){.kind = PS_ARG_INT, .as.integer = number};
}

static inline ps_arg ps__arg_bool(bool truth)
{
    return (ps_arg){.kind = PS_ARG_BOOL, .as.boolean = truth};
}

static inline ps_arg ps__arg_dtype(ps_dtype dtype)
{
    return (ps_arg){.kind = PS_ARG_DTYPE, .as.dtype = dtype};
}

/* The integers must outlive the call. */
static inline ps_arg ps__arg_ints(int count, const int64_t *ints)
{
    return (ps_arg){.kind = PS_ARG_INTS, .count = (uint32_t)count, .as.ints = ints};
}

static inline ps_arg ps__arg_none(void)
{
    return (ps_arg){.kind = PS_ARG_NONE};
}

#endif
