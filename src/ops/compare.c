/* Whether tensors have the same elements, nearly the same, or such as another has: isclose,
 * allclose, array_equal, isin. */
#include "ops/compose.h"

/* ---- nearly the same --------------------------------------------------------------------- */

/* Two tensors in types that have distances: integers and bool as float64. */
typedef struct pair {
    ps_arg x1, x2;
} pair;

static ps_arg with_distances(ps__compose *c, ps_tensor *x)
{
    ps_dtype dtype = (ps_dtype)x->dtype;
    dtype = ps__dtype_is_inexact(dtype) ? dtype : PS_FLOAT64;
    return ps__arg_tensor(ps__compose_cast(c, x, dtype));
}

/* Whether |x1 - x2| <= atol + rtol * |x2| and x2 is finite. */
static ps_arg are_near(ps__compose *c, const pair *p)
{
    ps_arg apart = PS__MADE(c, "abs", PS__MADE(c, "subtract", p->x1, p->x2));
    ps_arg size = PS__MADE(c, "multiply", PS__MADE(c, "abs", p->x2), c->call->args[2]);
    ps_arg allowed = PS__MADE(c, "add", size, c->call->args[3]);
    ps_arg within = PS__MADE(c, "less_equal", apart, allowed);
    return PS__MADE(c, "logical_and", within, PS__MADE(c, "isfinite", p->x2));
}

/* Whether they are equal: infinities, too, and NaN if the call says so. */
static ps_arg are_same(ps__compose *c, const pair *p)
{
    ps_arg same = PS__MADE(c, "equal", p->x1, p->x2);
    if (!c->call->args[4].as.boolean)
        return same;
    ps_arg both =
        PS__MADE(c, "logical_and", PS__MADE(c, "isnan", p->x1), PS__MADE(c, "isnan", p->x2));
    return PS__MADE(c, "logical_or", same, both);
}

static pair pair_of(ps__compose *c)
{
    ps_tensor *x1 = ps__compose_tensor(c, 0),
              *x2 = ps__compose_tensor(c, 1); /* before either fails */
    return (pair){with_distances(c, x1), with_distances(c, x2)};
}

/* Whether they can be compared, for a result of each two elements or of all. Not in line: the shape
 * takes stack that what follows needs. */
static __attribute__((noinline)) bool close_begin(ps__compose *c, bool all)
{
    int ndim;
    int64_t shape[PS_DIMS_MAX];
    return ps__compose_broadcast(c, ps__compose_tensor(c, 0), ps__compose_tensor(c, 1), &ndim,
                                 shape) &&
           ps__compose_result(c, PS_BOOL, all ? 0 : ndim, shape);
}

ps_status ps__op_isclose(const ps__bound_call *call)
{
    ps__compose c;
    ps__compose_begin(&c, call);
    if (close_begin(&c, false)) {
        pair p = pair_of(&c);
        ps_arg near = are_near(&c, &p);
        PS__GIVE(&c, "logical_or", near, are_same(&c, &p));
    }
    return ps__compose_end(&c);
}

ps_status ps__op_allclose(const ps__bound_call *call)
{
    ps__compose c;
    ps__compose_begin(&c, call);
    if (close_begin(&c, true)) {
        pair p = pair_of(&c);
        ps_arg near = are_near(&c, &p);
        PS__GIVE(&c, "all", PS__MADE(&c, "logical_or", near, are_same(&c, &p)));
    }
    return ps__compose_end(&c);
}

/* ---- the same ---------------------------------------------------------------------------- */

ps_status ps__op_array_equal(const ps__bound_call *call)
{
    ps__compose c;
    ps__compose_begin(&c, call);
    const ps_tensor *x1 = ps__compose_tensor(&c, 0), *x2 = ps__compose_tensor(&c, 1);
    if (ps__compose_result(&c, PS_BOOL, 0, NULL)) {
        if (ps__shape_equal(x1->ndim, ps__shape(x1), x2->ndim, ps__shape(x2)))
            PS__GIVE(&c, "all", PS__MADE(&c, "equal", call->args[0], call->args[1]));
        else
            PS__GIVE(&c, "full", ps__arg_ints(0, NULL), ps__arg_bool(false),
                     ps__arg_dtype(PS_BOOL));
    }
    return ps__compose_end(&c);
}

/* ---- among others ------------------------------------------------------------------------ */

/* Each element of x1 beside the one of x2 that is found in its place. */
static void give_found(ps__compose *c, ps_tensor *x1, ps_tensor *x2)
{
    ps_dtype common = ps__promote((ps_dtype)x1->dtype, (ps_dtype)x2->dtype);
    ps_arg wanted = ps__arg_tensor(ps__compose_cast(c, x1, common));
    ps_arg given = ps__arg_tensor(ps__compose_cast(c, x2, common));
    ps_arg flat = PS__MADE(c, "reshape", given, ps__arg_int(x2->count));
    ps_arg sorted = PS__MADE(c, "sort", flat);
    ps_arg behind = PS__MADE(c, "searchsorted", sorted, wanted);
    ps_arg place = PS__MADE(c, "minimum", behind, ps__arg_int(x2->count - 1));
    PS__GIVE(c, c->call->args[2].as.boolean ? "not_equal" : "equal",
             PS__MADE(c, "take", sorted, place), wanted);
}

ps_status ps__op_isin(const ps__bound_call *call)
{
    ps__compose c;
    ps__compose_begin(&c, call);
    ps_tensor *x1 = ps__compose_tensor(&c, 0), *x2 = ps__compose_tensor(&c, 1);
    if (x1 != NULL && ps__compose_result(&c, PS_BOOL, x1->ndim, ps__shape(x1))) {
        if (x2->count > 0)
            give_found(&c, x1, x2);
        else
            PS__GIVE(&c, "full", ps__arg_ints(x1->ndim, ps__shape(x1)), call->args[2],
                     ps__arg_dtype(PS_BOOL));
    }
    return ps__compose_end(&c);
}
