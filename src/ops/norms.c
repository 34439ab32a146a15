/* Norms of vectors and of matrices, as far as they need no factorisation. */
#include "base/error.h"
#include "ops/compose.h"

#include <math.h>

/* The type of a norm: the parts' of a complex type; integers and bool as float32. */
static ps_dtype norm_type(const ps_tensor *x)
{
    return (ps_dtype)ps__dtypes[ps__float_of((ps_dtype)x->dtype)].real;
}

static ps_arg magnitudes(ps__compose *c, ps_tensor *x)
{
    x = ps__compose_cast(c, x, ps__float_of((ps_dtype)x->dtype));
    return ps__arg_tensor(PS__MAKE(c, "abs", ps__arg_tensor(x)));
}

/* ---- vectors ----------------------------------------------------------------------------- */

/* Any order that has no shorter way. */
static void norm_by_powers(ps__compose *c, ps_arg sizes, double order, const ps_arg *axis,
                           ps_arg keepdims)
{
    ps_arg powers = ps__arg_tensor(PS__MAKE(c, "pow", sizes, ps__arg_double(order)));
    ps_arg total = ps__arg_tensor(PS__MAKE(c, "sum", powers, *axis, keepdims));
    PS__GIVE(c, "pow", total, ps__arg_double(1 / order));
}

/* Not in line: the arguments of all these calls take stack that only one of them needs. */
static __attribute__((noinline)) void other_norm(ps__compose *c, ps_tensor *x, double order,
                                                 const ps_arg *axis, ps_arg keepdims)
{
    if (order == 0) {
        ps_tensor *some = PS__MAKE(c, "not_equal", ps__arg_tensor(x), ps__arg_bool(false));
        PS__GIVE(c, "sum", ps__arg_tensor(some), *axis, keepdims, ps__arg_dtype(norm_type(x)));
        return;
    }
    ps_arg sizes = magnitudes(c, x);
    if (order == 1)
        PS__GIVE(c, "sum", sizes, *axis, keepdims);
    else if (isinf(order))
        PS__GIVE(c, order > 0 ? "max" : "min", sizes, *axis, keepdims);
    else
        norm_by_powers(c, sizes, order, axis, keepdims);
}

ps_status ps__op_vector_norm(const ps__bound_call *call)
{
    ps__compose c;
    double order = call->args[1].as.number;
    const ps_arg *axis = &call->args[2];
    ps_arg keepdims = call->args[3];
    ps__compose_begin(&c, call);
    ps_tensor *x = ps__compose_tensor(&c, 0);
    if (x != NULL &&
        ps__compose_reduced(&c, x, axis, keepdims.as.boolean, isinf(order), norm_type(x))) {
        if (order == 2)
            PS__GIVE(&c, "norm", ps__arg_tensor(x), *axis, keepdims);
        else
            other_norm(&c, x, order, axis, keepdims);
    }
    return ps__compose_end(&c);
}

/* ---- matrices ---------------------------------------------------------------------------- */

/* The largest or smallest sum of a column (order 1, -1) or a row (inf, -inf). Not in line, as
 * above. */
static __attribute__((noinline)) void norm_of_sums(ps__compose *c, ps_tensor *x, double order,
                                                   const ps_arg *both, ps_arg keepdims)
{
    ps_arg axis = ps__arg_int(fabs(order) == 1 ? -2 : -1);
    ps_arg sums = ps__arg_tensor(PS__MAKE(c, "sum", magnitudes(c, x), axis, ps__arg_bool(true)));
    PS__GIVE(c, order > 0 ? "max" : "min", sums, *both, keepdims);
}

static bool check_matrix(ps__compose *c, const ps_tensor *x, const ps_arg *order)
{
    if (c->status != PS_OK)
        return false;
    double value = order->as.number;
    if (x->ndim < 2)
        c->status = ps__fail(PS_ERR_ARGUMENT,
                             "matrix_norm: two dimensions or more are needed, not %d", x->ndim);
    else if (order->kind != PS_ARG_NONE && fabs(value) != 1 && !isinf(value))
        c->status =
            ps__fail(PS_ERR_ARGUMENT,
                     "matrix_norm: ord must be 1, -1, inf or -inf, or left out, not %g: others "
                     "need singular values, which there are not yet",
                     value);
    return c->status == PS_OK;
}

ps_status ps__op_matrix_norm(const ps__bound_call *call)
{
    ps__compose c;
    const ps_arg *order = &call->args[1];
    const ps_arg both = ps__arg_ints(2, (const int64_t[]){-2, -1});
    bool by_sums = order->kind != PS_ARG_NONE;
    ps__compose_begin(&c, call);
    ps_tensor *x = ps__compose_tensor(&c, 0);
    if (check_matrix(&c, x, order) &&
        ps__compose_reduced(&c, x, &both, call->args[2].as.boolean, by_sums, norm_type(x))) {
        if (by_sums)
            norm_of_sums(&c, x, order->as.number, &both, call->args[2]);
        else
            PS__GIVE(&c, "norm", ps__arg_tensor(x), both, call->args[2]);
    }
    return ps__compose_end(&c);
}
