/* take_along_axis: elements at positions that are given for each line along an axis.
 *
 * All is done with the axis last, so that a line lies side by side. */
#include "ops/along.h"

#include "base/error.h"

typedef struct lines {
    ps_tensor *indices;         /* with the axis last */
    int64_t lines, length;      /* how many of x, broadcast; elements of one */
    int64_t behind;             /* how many lines are behind the axis */
    int ndim;                   /* of both */
    int64_t shape[PS_DIMS_MAX]; /* of x, broadcast, with the axis last */
} lines;

static ps_tensor *move_axis(ps__compose *c, ps_tensor *x, int from, int to)
{
    if (c->status != PS_OK || from == to)
        return x;
    return PS__MAKE(c, "moveaxis", ps__arg_tensor(x), ps__arg_int(from), ps__arg_int(to));
}

/* False: the shapes of x and of the positions cannot be broadcast. */
static bool lines_begin(ps__compose *c, lines *l, const int64_t *shape, ps_tensor *indices,
                        int axis)
{
    int last = indices->ndim - 1, others = 0;
    int64_t own[PS_DIMS_MAX];
    for (int i = 0; i <= last; i++)
        if (i != axis)
            own[others++] = shape[i];
    l->ndim = 0;
    l->indices = move_axis(c, indices, axis, last);
    l->length = shape[axis];
    if (c->status != PS_OK || !ps__shape_broadcast(&l->ndim, l->shape, last, own) ||
        !ps__shape_broadcast(&l->ndim, l->shape, last, ps__shape(l->indices)))
        return false;
    l->lines = l->behind = 1;
    for (int i = 0; i < last; i++) {
        l->lines *= l->shape[i];
        l->behind *= i >= axis ? l->shape[i] : 1;
    }
    l->shape[l->ndim++] = l->length;
    return true;
}

/* x side by side in the shape of the lines, each of that length. */
static ps_tensor *spread(ps__compose *c, lines *l, ps_tensor *x, int64_t length)
{
    if (c->status != PS_OK)
        return NULL;
    l->shape[l->ndim - 1] = length;
    if (!ps__shape_equal(l->ndim, l->shape, x->ndim, ps__shape(x)))
        x = PS__MAKE(c, "broadcast_to", ps__arg_tensor(x), ps__arg_ints(l->ndim, l->shape));
    return ps__compose_packed(c, x);
}

ps_tensor *ps__along_take(ps__compose *c, ps_tensor *x, ps_tensor *indices, int axis)
{
    lines l;
    ps_tensor *made = NULL;
    if (c->status != PS_OK || !lines_begin(c, &l, ps__shape(x), indices, axis))
        return NULL;
    int last = l.ndim - 1;
    ps_tensor *at = spread(c, &l, l.indices, ps__shape(l.indices)[last]);
    x = spread(c, &l, move_axis(c, x, axis, last), l.length);
    if (c->status == PS_OK)
        c->status = ps__take_lines(c->call, x, at, axis, l.behind, &made);
    return move_axis(c, ps__compose_own(c, made), last, axis);
}

/* ---- the row ------------------------------------------------------------------------------ */

static ps_status refuse_lines(const ps_tensor *x, const ps_tensor *indices)
{
    return ps__fail(PS_ERR_ARGUMENT,
                    "take_along_axis: x of shape %s does not fit indices of shape %s",
                    ps__shape_text(x->ndim, ps__shape(x)),
                    ps__shape_text(indices->ndim, ps__shape(indices)));
}

/* Not in line: shapes take stack that what follows needs. */
static __attribute__((noinline)) bool check_shapes(ps__compose *c, const ps_tensor *x,
                                                   ps_tensor *indices, int axis)
{
    lines l;
    int64_t shape[PS_DIMS_MAX], count;
    if (!lines_begin(c, &l, ps__shape(x), indices, axis)) {
        if (c->status == PS_OK)
            c->status = refuse_lines(x, indices);
        return false;
    }
    c->status = ps__shape_check("take_along_axis", PS_INT64, l.ndim, l.shape, &count);
    for (int i = 0; i < l.ndim; i++)
        shape[i] = i == axis ? ps__shape(indices)[axis] : l.shape[i - (i > axis)];
    return ps__compose_result(c, (ps_dtype)x->dtype, l.ndim, shape);
}

static bool along_begin(ps__compose *c, int *axis)
{
    ps_tensor *x = ps__compose_tensor(c, 0), *indices = ps__compose_tensor(c, 1);
    if (c->status != PS_OK)
        return false;
    if (!ps__dtype_is_integer((ps_dtype)indices->dtype))
        c->status = ps__fail(PS_ERR_TYPE, "take_along_axis: indices must be integers, not %s",
                             ps__dtypes[indices->dtype].name);
    else if (x->ndim != indices->ndim)
        c->status = refuse_lines(x, indices);
    else
        c->status = ps__axis("take_along_axis", c->call->args[2].as.integer, x->ndim, axis);
    return c->status == PS_OK && check_shapes(c, x, indices, *axis);
}

ps_status ps__op_take_along_axis(const ps__bound_call *call)
{
    ps__compose c;
    int axis;
    ps__compose_begin(&c, call);
    if (along_begin(&c, &axis))
        ps__compose_hand(&c, ps__along_take(&c, call->args[0].as.tensor, call->args[1].as.tensor,
                                            axis));
    return ps__compose_end(&c);
}

/* ---- the way back ------------------------------------------------------------------------- */

static ps_arg made(ps__compose *c, const char *name, ps_arg a, ps_arg b)
{
    return ps__arg_tensor(PS__MAKE(c, name, a, b));
}

/* Positions among the elements of all lines. One that is out of range must not reach into another line:
 * it is made one that put refuses. */
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
    return ps__arg_tensor(PS__MAKE(c, "where", inside, made(c, "add", place, first), all));
}

ps_tensor *ps__along_add(ps__compose *c, int ndim, const int64_t *shape, ps_tensor *indices,
                         ps_tensor *dy, int axis)
{
    lines l;
    if (c->status != PS_OK || !lines_begin(c, &l, shape, indices, axis))
        return NULL;
    int64_t count = l.lines * l.length;
    ps_arg at = places(c, &l);
    ps_arg zeros = made(c, "zeros", ps__arg_ints(1, &count), ps__arg_dtype((ps_dtype)dy->dtype));
    ps_arg added = ps__arg_tensor(PS__MAKE(c, "put", zeros, at,
                                           ps__arg_tensor(move_axis(c, dy, axis, ndim - 1)),
                                           ps__arg_bool(true)));
    l.shape[ndim - 1] = l.length;
    return move_axis(c, PS__MAKE(c, "reshape", added, ps__arg_ints(ndim, l.shape)), ndim - 1, axis);
}
