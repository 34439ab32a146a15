/* take_along_axis: elements at positions that are given for each line along an axis.
 *
 * Both tensors are taken with the axis last. A position becomes one among all elements of x; one
 * that is out of range must not reach into another line: it is made one that take refuses. */
#include "base/error.h"
#include "ops/compose.h"

typedef struct lines {
    ps_tensor *x, *indices;     /* with the axis last */
    int64_t lines, length;      /* how many of x, broadcast; elements of one */
    int ndim;                   /* of both */
    int64_t shape[PS_DIMS_MAX]; /* of x, broadcast */
} lines;

static ps_status refuse_lines(const ps_tensor *x, const ps_tensor *indices)
{
    return ps__fail(PS_ERR_ARGUMENT,
                    "take_along_axis: x of shape %s does not fit indices of shape %s",
                    ps__shape_text(x->ndim, ps__shape(x)),
                    ps__shape_text(indices->ndim, ps__shape(indices)));
}

static ps_tensor *axis_last(ps__compose *c, ps_tensor *x)
{
    return PS__MAKE(c, "moveaxis", ps__arg_tensor(x), c->call->args[2], ps__arg_int(-1));
}

/* Broadcasts all axes but the last. */
static bool meet(lines *l)
{
    int others = l->x->ndim - 1, ndim = 0;
    bool fits = ps__shape_broadcast(&ndim, l->shape, others, ps__shape(l->x)) &&
                ps__shape_broadcast(&ndim, l->shape, others, ps__shape(l->indices));
    l->lines = 1;
    for (int i = 0; fits && i < others; i++)
        l->lines *= l->shape[i];
    l->ndim = others + 1;
    l->length = ps__shape(l->x)[others];
    l->shape[others] = l->length;
    return fits;
}

/* The shape of the result, with the axis where it was, fits a given output. Not in line: it takes
 * stack that what follows needs. */
static __attribute__((noinline)) bool check_result(ps__compose *c, const lines *l, int axis)
{
    int64_t shape[PS_DIMS_MAX];
    for (int i = 0; i < l->ndim; i++)
        shape[i] = i == axis ? ps__shape(l->indices)[l->ndim - 1] : l->shape[i - (i > axis)];
    return ps__compose_result(c, (ps_dtype)l->x->dtype, l->ndim, shape);
}

static bool lines_begin(ps__compose *c, lines *l)
{
    int axis;
    int64_t count;
    ps_tensor *x = ps__compose_tensor(c, 0), *indices = ps__compose_tensor(c, 1);
    if (c->status != PS_OK)
        return false;
    if (!ps__dtype_is_integer((ps_dtype)indices->dtype))
        c->status = ps__fail(PS_ERR_TYPE, "take_along_axis: indices must be integers, not %s",
                             ps__dtypes[indices->dtype].name);
    else if (x->ndim != indices->ndim)
        c->status = refuse_lines(x, indices);
    else
        c->status = ps__axis("take_along_axis", c->call->args[2].as.integer, x->ndim, &axis);
    l->x = axis_last(c, x);
    l->indices = axis_last(c, indices);
    if (c->status == PS_OK && !meet(l))
        c->status = refuse_lines(x, indices);
    if (c->status == PS_OK)
        c->status = ps__shape_check("take_along_axis", PS_INT64, l->ndim, l->shape, &count);
    return c->status == PS_OK && check_result(c, l, axis);
}

/* ---- positions --------------------------------------------------------------------------- */

static ps_arg made(ps__compose *c, const char *name, ps_arg a, ps_arg b)
{
    return ps__arg_tensor(PS__MAKE(c, name, a, b));
}

/* Positions among all elements. */
static ps_arg places(ps__compose *c, lines *l)
{
    int64_t count = l->lines * l->length;
    ps_arg given = ps__arg_tensor(ps__compose_cast(c, l->indices, PS_INT64));
    ps_arg length = ps__arg_int(l->length), all = ps__arg_int(count), zero = ps__arg_int(0);
    int64_t step = l->length > 0 ? l->length : 1; /* lines without elements are as many */
    ps_arg firsts = ps__arg_tensor(
        PS__MAKE(c, "arange", zero, ps__arg_int(l->lines * step), ps__arg_int(step)));
    l->shape[l->ndim - 1] = 1;
    ps_arg first = made(c, "reshape", firsts, ps__arg_ints(l->ndim, l->shape));
    ps_arg place = ps__arg_tensor(
        PS__MAKE(c, "where", made(c, "less", given, zero), made(c, "add", given, length), given));
    ps_arg inside = made(c, "logical_and", made(c, "greater_equal", place, zero),
                         made(c, "less", place, length));
    /* Below the first or above the last of all, on the side where it is. */
    ps_arg below =
        ps__arg_tensor(PS__MAKE(c, "where", made(c, "less", given, zero),
                                ps__arg_int(-1 - 2 * count), made(c, "add", given, all)));
    return ps__arg_tensor(PS__MAKE(c, "where", inside, made(c, "add", place, first), below));
}

ps_status ps__op_take_along_axis(const ps__bound_call *call)
{
    ps__compose c;
    lines l;
    ps__compose_begin(&c, call);
    if (lines_begin(&c, &l)) {
        ps_arg wide = made(&c, "broadcast_to", ps__arg_tensor(l.x), ps__arg_ints(l.ndim, l.shape));
        ps_arg flat = made(&c, "reshape", wide, ps__arg_int(l.lines * l.length));
        ps_arg taken = made(&c, "take", flat, places(&c, &l));
        ps_arg back =
            ps__arg_tensor(PS__MAKE(&c, "moveaxis", taken, ps__arg_int(-1), call->args[2]));
        ps__compose_hand(&c, back.as.tensor);
    }
    return ps__compose_end(&c);
}
