/* Products that are made of others: outer, inner, kron, vecdot, cross, matrix_power. */
#include "base/error.h"
#include "ops/compose.h"
#include "ops/rows.h"

#include <inttypes.h>
#include <string.h>

static ps_dtype product_type(const ps_tensor *a, const ps_tensor *b)
{
    return ps__promote((ps_dtype)a->dtype, (ps_dtype)b->dtype);
}

ps_status ps__op_outer(const ps__bound_call *call)
{
    ps__compose c;
    ps__compose_begin(&c, call);
    ps_tensor *x1 = ps__compose_tensor(&c, 0), *x2 = ps__compose_tensor(&c, 1);
    if (ps__compose_fine(&c)) {
        int64_t shape[2] = {x1->count, x2->count}, upright[2] = {x1->count, 1}, count;
        ps_dtype dtype = product_type(x1, x2);
        c.status = ps__shape_check("outer", dtype, 2, shape, &count);
        if (ps__compose_result(&c, dtype, 2, shape)) {
            ps_tensor *a = PS__MAKE(&c, "reshape", ps__arg_tensor(x1), ps__arg_ints(2, upright));
            ps_tensor *b = PS__MAKE(&c, "reshape", ps__arg_tensor(x2), ps__arg_int(x2->count));
            PS__GIVE(&c, "multiply", ps__arg_tensor(a), ps__arg_tensor(b));
        }
    }
    return ps__compose_end(&c);
}

ps_status ps__op_inner(const ps__bound_call *call)
{
    ps__compose c;
    const ps_arg last = ps__arg_int(-1);
    ps__compose_begin(&c, call);
    const ps_tensor *x1 = ps__compose_tensor(&c, 0), *x2 = ps__compose_tensor(&c, 1);
    if (ps__compose_fine(&c) && (x1->ndim == 0 || x2->ndim == 0))
        PS__GIVE(&c, "multiply", call->args[0], call->args[1]);
    else if (ps__compose_fine(&c))
        PS__GIVE(&c, "tensordot", call->args[0], call->args[1], last, last);
    return ps__compose_end(&c);
}

/* ---- kron -------------------------------------------------------------------------------- */

/* Length of an axis, with 1 put before the shape of a tensor that has fewer than `ndim`. */
static int64_t length_of(const ps_tensor *x, int ndim, int axis)
{
    int at = axis - (ndim - x->ndim);
    return at < 0 ? 1 : ps__shape(x)[at];
}

static ps_status block_shape(const ps_tensor *x1, const ps_tensor *x2, int ndim, int64_t *shape)
{
    if (2 * ndim > PS_DIMS_MAX)
        return ps__fail(PS_ERR_ARGUMENT, "kron: %d dimensions are more than %d", ndim,
                        PS_DIMS_MAX / 2);
    for (int i = 0; i < ndim; i++) {
        int64_t outside = length_of(x1, ndim, i), inside = length_of(x2, ndim, i);
        if (__builtin_mul_overflow(outside, inside, &shape[i]))
            return ps__fail(PS_ERR_ARGUMENT, "kron: %" PRId64 " times %" PRId64 " is too long",
                            outside, inside);
    }
    return PS_OK;
}

/* Not in line, as the next two: the shapes take stack that what follows needs. */
static __attribute__((noinline)) bool kron_begin(ps__compose *c, int *ndim)
{
    int64_t shape[PS_DIMS_MAX], count;
    const ps_tensor *x1 = ps__compose_tensor(c, 0), *x2 = ps__compose_tensor(c, 1);
    if (c->status != PS_OK)
        return false;
    *ndim = x1->ndim > x2->ndim ? x1->ndim : x2->ndim;
    c->status = block_shape(x1, x2, *ndim, shape);
    if (c->status == PS_OK)
        c->status = ps__shape_check("kron", product_type(x1, x2), *ndim, shape, &count);
    return c->status == PS_OK && ps__compose_result(c, product_type(x1, x2), *ndim, shape);
}

/* An argument with axes of length 1 between its own: behind them, or, if it is the second, before. */
static __attribute__((noinline)) ps_arg spaced(ps__compose *c, int ndim, unsigned index)
{
    int64_t shape[PS_DIMS_MAX];
    ps_tensor *x = ps__compose_tensor(c, index);
    for (int i = 0; x != NULL && i < 2 * ndim; i++)
        shape[i] = i % 2 == (int)index ? length_of(x, ndim, i / 2) : 1;
    return PS__MADE(c, "reshape", ps__arg_tensor(x), ps__arg_ints(2 * ndim, shape));
}

/* Each two axes as one. */
static __attribute__((noinline)) void give_blocks(ps__compose *c, ps_tensor *x)
{
    int64_t shape[PS_DIMS_MAX];
    int ndim = x != NULL ? x->ndim / 2 : 0;
    for (int i = 0; i < ndim; i++)
        shape[i] = ps__shape(x)[2 * i] * ps__shape(x)[2 * i + 1];
    ps__compose_hand(c, PS__MAKE(c, "reshape", ps__arg_tensor(x), ps__arg_ints(ndim, shape)));
}

ps_status ps__op_kron(const ps__bound_call *call)
{
    ps__compose c;
    int ndim;
    ps__compose_begin(&c, call);
    if (kron_begin(&c, &ndim)) {
        ps_arg outside = spaced(&c, ndim, 0);
        give_blocks(&c, PS__MAKE(&c, "multiply", outside, spaced(&c, ndim, 1)));
    }
    return ps__compose_end(&c);
}

/* ---- along an axis ----------------------------------------------------------------------- */

/* Two tensors whose vectors lie along an axis, which is moved behind the others. */
typedef struct vectors {
    ps_tensor *x[2];   /* with the axis last */
    int64_t length[2]; /* along it */
    ps_dtype dtype;    /* of a product */
} vectors;

/* What the other axes are broadcast to. */
typedef struct others {
    int ndim;
    int64_t shape[PS_DIMS_MAX];
} others;

static ps_status refuse_shape(const ps__compose *c, const ps_tensor *x, int64_t axis)
{
    return ps__fail(PS_ERR_ARGUMENT, "%s: shape %s does not fit the other beside axis %" PRId64,
                    c->call->op->row.name, ps__shape_text(x->ndim, ps__shape(x)), axis);
}

/* False, with the failure noted, if there is no such axis, or the others do not fit. */
static bool vectors_begin(ps__compose *c, int64_t axis, vectors *v, others *o)
{
    o->ndim = 0;
    for (unsigned i = 0; i < 2; i++) {
        ps_tensor *x = ps__compose_tensor(c, i);
        bool last = c->status == PS_OK && x->ndim > 0 && (axis == -1 || axis == x->ndim - 1);
        v->x[i] =
            last ? x
                 : PS__MAKE(c, "moveaxis", ps__arg_tensor(x), ps__arg_int(axis), ps__arg_int(-1));
        if (c->status != PS_OK)
            return false;
        v->length[i] = ps__shape(v->x[i])[x->ndim - 1];
        if (!ps__shape_broadcast(&o->ndim, o->shape, x->ndim - 1, ps__shape(v->x[i])))
            c->status = refuse_shape(c, x, axis);
    }
    v->dtype = product_type(v->x[0], v->x[1]);
    if (c->status == PS_OK && v->dtype == PS_BOOL)
        c->status = ps__fail(PS_ERR_TYPE, "%s: no rule for bool", c->call->op->row.name);
    return c->status == PS_OK;
}

/* Not in line, as the next such: the shapes take stack that what follows needs. */
static __attribute__((noinline)) bool vecdot_begin(ps__compose *c, vectors *v)
{
    others o;
    if (!vectors_begin(c, c->call->args[2].as.integer, v, &o))
        return false;
    if (v->length[0] != v->length[1])
        c->status = ps__fail(PS_ERR_ARGUMENT,
                             "vecdot: lengths %" PRId64 " and %" PRId64 " differ along the axis",
                             v->length[0], v->length[1]);
    return ps__compose_result(c, v->dtype, o.ndim, o.shape);
}

/* Two tensors of one shape and type, whose vectors are short and lie side by side. */
static bool are_short_vectors(const ps__reduce_spec *spec, const ps_tensor *x1, const ps_tensor *x2,
                              int64_t axis)
{
    return x1->ndim > 0 && (axis == -1 || axis == x1->ndim - 1) && x1->dtype == x2->dtype &&
           x1->dtype != PS_BOOL && ps__dtype_kind_of((ps_dtype)x1->dtype) != PS__KIND_COMPLEX &&
           ps__shape_equal(x1->ndim, ps__shape(x1), x2->ndim, ps__shape(x2)) &&
           ps__rows_are_short(spec, x1) && x2->contiguous && ps__homes_meet(x1->home, x2->home);
}

/* With the bits of a product and its sum, which are what it is made of otherwise. */
static bool vecdot_at_once(const ps__bound_call *call, ps_status *status)
{
    const ps_tensor *x1 = call->args[0].as.tensor, *x2 = call->args[1].as.tensor;
    ps__reduce_spec spec = {.reduce = PS__REDUCE_SUM,
                            .accumulator = ps__dtypes[x1->dtype].compute,
                            .result = x1->dtype};
    if (call->call->outputs[0] != NULL ||
        !are_short_vectors(&spec, x1, x2, call->args[2].as.integer))
        return false;
    ps__output output;
    *status = ps__output_begin(call, 0, x1->home, (ps_dtype)x1->dtype, x1->ndim - 1, ps__shape(x1),
                               0, &output);
    if (*status != PS_OK)
        return true;
    ps__rows rows = {{output.tensor, x1, x2}, 3, PS__NEW, ps__shape(x1)[x1->ndim - 1], 1};
    bool done = ps__rows_at_once(&spec, &rows);
    *status = ps__output_end(call, &output, done ? PS_OK : PS_ERR_STATE); /* undone if it is not */
    return done;
}

ps_status ps__op_vecdot(const ps__bound_call *call)
{
    ps__compose c;
    vectors v;
    ps_status status;
    if (vecdot_at_once(call, &status))
        return status;
    ps__compose_begin(&c, call);
    if (vecdot_begin(&c, &v)) {
        ps_arg first = ps__arg_tensor(v.x[0]);
        if (ps__dtype_kind_of((ps_dtype)v.x[0]->dtype) == PS__KIND_COMPLEX)
            first = ps__arg_tensor(PS__MAKE(&c, "conj", first));
        ps_tensor *product = PS__MAKE(&c, "multiply", first, ps__arg_tensor(v.x[1]));
        PS__GIVE(&c, "sum", ps__arg_tensor(product), ps__arg_int(-1), ps__arg_bool(false),
                 ps__arg_dtype(v.dtype));
    }
    return ps__compose_end(&c);
}

/* ---- cross ------------------------------------------------------------------------------- */

/* Component `at` of the product. */
static __attribute__((noinline)) ps_tensor *cross_part(ps__compose *c, const vectors *v, int at)
{
    ps_arg parts[2][2];
    for (int i = 0; i < 4; i++) {
        ps_tensor *x = v->x[i % 2];
        int place = (at + 1 + (i / 2 + i % 2) % 2) % 3;
        parts[i / 2][i % 2] = ps__arg_tensor(ps__compose_at(c, x, x->ndim - 1, place));
    }
    ps_tensor *up = ps__compose_make(c, "multiply", 2, parts[0]);
    ps_tensor *down = ps__compose_make(c, "multiply", 2, parts[1]);
    for (int i = 0; i < 4; i++)
        ps__compose_drop(c, parts[i / 2][i % 2].as.tensor);
    return PS__MAKE(c, "subtract", ps__arg_tensor(up), ps__arg_tensor(down));
}

/* Checks the lengths, and what the result has with its components at the axis. */
static __attribute__((noinline)) bool cross_begin(ps__compose *c, vectors *v)
{
    others o;
    int at;
    int64_t axis = c->call->args[2].as.integer;
    if (!vectors_begin(c, axis, v, &o))
        return false;
    if (v->length[0] != 3 || v->length[1] != 3)
        c->status = ps__fail(PS_ERR_ARGUMENT,
                             "cross: length 3 is needed along the axis, not %" PRId64 ", %" PRId64,
                             v->length[0], v->length[1]);
    else
        c->status = ps__axis("cross", axis, o.ndim + 1, &at);
    if (c->status != PS_OK)
        return false;
    for (int i = o.ndim++; i > at; i--)
        o.shape[i] = o.shape[i - 1];
    o.shape[at] = 3;
    return ps__compose_result(c, v->dtype, o.ndim, o.shape);
}

ps_status ps__op_cross(const ps__bound_call *call)
{
    ps__compose c;
    vectors v;
    ps_tensor *parts[3];
    ps__compose_begin(&c, call);
    if (cross_begin(&c, &v)) {
        for (int i = 0; i < 3; i++)
            parts[i] = cross_part(&c, &v, i);
        ps_arg all = {.kind = PS_ARG_TENSORS, .count = 3, .as.tensors = parts};
        PS__GIVE(&c, "stack", all, call->args[2]);
    }
    return ps__compose_end(&c);
}

/* ---- powers ------------------------------------------------------------------------------ */

/* Matrices with 1 on the diagonal, in the shape of x. */
static void give_identity(ps__compose *c, ps_tensor *x)
{
    const ps_arg none = ps__arg_none();
    ps_arg length = ps__arg_int(ps__shape(x)[x->ndim - 1]);
    ps_tensor *one = PS__MAKE(c, "eye", length, none, none, ps__arg_dtype((ps_dtype)x->dtype));
    ps_tensor *all =
        PS__MAKE(c, "broadcast_to", ps__arg_tensor(one), ps__arg_ints(x->ndim, ps__shape(x)));
    PS__GIVE(c, "copy", ps__arg_tensor(all));
}

/* By squaring: `result` is the product of those powers of x that the bits so far ask for. */
static void give_power(ps__compose *c, ps_tensor *x, int64_t power)
{
    ps_tensor *square = x, *result = NULL;
    for (; power > 1; power >>= 1) {
        ps_tensor *before = square, *partial = result;
        if (power & 1) {
            result = square;
            if (partial != NULL)
                result = PS__MAKE(c, "matmul", ps__arg_tensor(partial), ps__arg_tensor(square));
        }
        square = PS__MAKE(c, "matmul", ps__arg_tensor(square), ps__arg_tensor(square));
        if (partial != result)
            ps__compose_drop(c, partial);
        if (before != result)
            ps__compose_drop(c, before);
    }
    if (result != NULL)
        PS__GIVE(c, "matmul", ps__arg_tensor(result), ps__arg_tensor(square));
    else if (square == x)
        PS__GIVE(c, "copy", ps__arg_tensor(x));
    else
        ps__compose_hand(c, square);
}

ps_status ps__op_matrix_power(const ps__bound_call *call)
{
    ps__compose c;
    int64_t power = call->args[1].as.integer;
    ps__compose_begin(&c, call);
    ps_tensor *x = ps__compose_tensor(&c, 0);
    if (x != NULL && (x->ndim < 2 || ps__shape(x)[x->ndim - 1] != ps__shape(x)[x->ndim - 2]))
        c.status =
            ps__fail(PS_ERR_ARGUMENT, "matrix_power: square matrices are needed, not shape %s",
                     ps__shape_text(x->ndim, ps__shape(x)));
    else if (x != NULL && power < 0)
        c.status = ps__fail(PS_ERR_ARGUMENT,
                            "matrix_power: the power must be at least 0, not %" PRId64
                            ": there is no inv yet",
                            power);
    if (x != NULL && ps__compose_result(&c, (ps_dtype)x->dtype, x->ndim, ps__shape(x))) {
        if (power == 0)
            give_identity(&c, x);
        else
            give_power(&c, x, power);
    }
    return ps__compose_end(&c);
}
