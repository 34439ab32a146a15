/* What networks are made of beside activations and products: softmax, log_softmax, logsumexp,
 * one_hot, linear. */
#include "base/error.h"
#include "ops/compose.h"

#include <inttypes.h>
#include <string.h>

/* ---- exponentials over axes -------------------------------------------------------------- */

/* x, of a floating-point type, less its largest element along the axes: exp of that is safe. That
 * element is *most, with 0 in the place of infinities and NaN, which stay in the difference. */
static ps_tensor *shifted(ps__compose *c, ps_tensor *x, const ps_arg *axis, ps_tensor **most)
{
    x = ps__compose_cast(c, x, ps__float_of((ps_dtype)x->dtype));
    ps_arg top = ps__arg_tensor(PS__MAKE(c, "max", ps__arg_tensor(x), *axis, ps__arg_bool(true)));
    ps_arg finite = ps__arg_tensor(PS__MAKE(c, "isfinite", top));
    *most = PS__MAKE(c, "where", finite, top, ps__arg_bool(false));
    return PS__MAKE(c, "subtract", ps__arg_tensor(x), ps__arg_tensor(*most));
}

static ps_arg sum_of(ps__compose *c, ps_tensor *x, const ps_arg *axis, bool keepdims)
{
    return ps__arg_tensor(PS__MAKE(c, "sum", ps__arg_tensor(x), *axis, ps__arg_bool(keepdims)));
}

/* Checks a call whose result has the shape of x; NULL if something is wrong. */
static ps_tensor *soft_begin(ps__compose *c, const ps__bound_call *call, ps_arg *axis)
{
    int at;
    ps__compose_begin(c, call);
    ps_tensor *x = ps__compose_tensor(c, 0);
    *axis = call->args[1];
    if (c->status == PS_OK)
        c->status = ps__axis(call->op->row.name, axis->as.integer, x->ndim, &at);
    if (c->status == PS_OK && ps__shape(x)[at] == 0)
        c->status = ps__fail(PS_ERR_ARGUMENT, "%s: no elements along axis %d of shape %s",
                             call->op->row.name, at, ps__shape_text(x->ndim, ps__shape(x)));
    if (c->status != PS_OK)
        return NULL;
    ps_dtype dtype = ps__float_of((ps_dtype)x->dtype);
    return ps__compose_result(c, dtype, x->ndim, ps__shape(x)) ? x : NULL;
}

enum { SOFT_BYTES = 1 << 18 }; /* of a row that is worked on in the cache, at most */

/* Whether one task does it, in one pass over the rows. The bits are the same either way. */
static bool is_soft_work(const ps_tensor *x, const ps_arg *axis)
{
    ps_dtype dtype = ps__float_of((ps_dtype)x->dtype);
    if ((axis->as.integer != -1 && axis->as.integer != x->ndim - 1) || x->count == 0 ||
        (dtype != PS_FLOAT32 && dtype != PS_FLOAT64))
        return false;
    int64_t length = ps__shape(x)[x->ndim - 1];
    return length * (int64_t)ps__dtype_bytes(dtype) <= SOFT_BYTES;
}

static ps_status submit_soft(const ps__bound_call *call, ps_tensor *x, bool logarithm)
{
    ps__work_softmax work = {.head = PS__WORK_HEAD(SOFTMAX, ps__work_softmax),
                             .logarithm = logarithm};
    ps__job job = {.call = call,
                   .work = &work.head,
                   .input = &x,
                   .inputs = 1,
                   .cost_ns = 100 + 2 * (uint64_t)x->count};
    return ps__submit_output(&job, x->home, ps__float_of((ps_dtype)x->dtype), x->ndim,
                             ps__shape(x));
}

ps_status ps__op_softmax(const ps__bound_call *call)
{
    ps__compose c;
    ps_arg axis;
    ps_tensor *most, *x = soft_begin(&c, call, &axis);
    if (x != NULL && is_soft_work(x, &axis)) {
        c.status = submit_soft(call, x, false);
    } else if (x != NULL) {
        ps_arg low = ps__arg_tensor(shifted(&c, x, &axis, &most));
        ps_tensor *power = PS__MAKE(&c, "exp", low);
        PS__GIVE(&c, "divide", ps__arg_tensor(power), sum_of(&c, power, &axis, true));
    }
    return ps__compose_end(&c);
}

ps_status ps__op_log_softmax(const ps__bound_call *call)
{
    ps__compose c;
    ps_arg axis;
    ps_tensor *most, *x = soft_begin(&c, call, &axis);
    if (x != NULL && is_soft_work(x, &axis)) {
        c.status = submit_soft(call, x, true);
    } else if (x != NULL) {
        ps_arg low = ps__arg_tensor(shifted(&c, x, &axis, &most));
        ps_tensor *power = PS__MAKE(&c, "exp", low);
        ps_tensor *total = PS__MAKE(&c, "log", sum_of(&c, power, &axis, true));
        PS__GIVE(&c, "subtract", low, ps__arg_tensor(total));
    }
    return ps__compose_end(&c);
}

ps_status ps__op_logsumexp(const ps__bound_call *call)
{
    ps__compose c;
    const ps_arg *axis = &call->args[1];
    bool keepdims = call->args[2].as.boolean;
    ps__compose_begin(&c, call);
    ps_tensor *most, *x = ps__compose_tensor(&c, 0);
    if (x != NULL &&
        ps__compose_reduced(&c, x, axis, keepdims, true, ps__float_of((ps_dtype)x->dtype))) {
        ps_arg low = ps__arg_tensor(shifted(&c, x, axis, &most));
        ps_tensor *power = PS__MAKE(&c, "exp", low);
        ps_tensor *total = PS__MAKE(&c, "log", sum_of(&c, power, axis, keepdims));
        if (!keepdims)
            most = PS__MAKE(&c, "squeeze", ps__arg_tensor(most), *axis);
        PS__GIVE(&c, "add", ps__arg_tensor(total), ps__arg_tensor(most));
    }
    return ps__compose_end(&c);
}

/* ---- one_hot ----------------------------------------------------------------------------- */

typedef struct hot_shape {
    int axis, ndim;
    int64_t result[PS_DIMS_MAX],
        classes[PS_DIMS_MAX]; /* of it, and of the classes along the axis */
} hot_shape;

static bool hot_begin(ps__compose *c, const ps_tensor *x, int64_t count, hot_shape *s)
{
    const ps__bound_call *call = c->call;
    if (c->status != PS_OK)
        return false;
    s->ndim = x->ndim + 1;
    if (!ps__dtype_is_integer((ps_dtype)x->dtype))
        c->status = ps__fail(PS_ERR_TYPE, "one_hot: integers are needed, not %s",
                             ps__dtypes[x->dtype].name);
    else if (count < 0 || s->ndim > PS_DIMS_MAX)
        c->status = ps__fail(PS_ERR_ARGUMENT, "one_hot: %" PRId64 " classes for %d dimensions",
                             count, x->ndim);
    else
        c->status = ps__axis("one_hot", call->args[2].as.integer, s->ndim, &s->axis);
    if (c->status != PS_OK)
        return false;
    for (int i = 0, from = 0; i < s->ndim; i++) {
        s->classes[i] = i == s->axis ? count : 1;
        s->result[i] = i == s->axis ? count : ps__shape(x)[from++];
    }
    return ps__compose_result(c, call->args[3].as.dtype, s->ndim, s->result);
}

ps_status ps__op_one_hot(const ps__bound_call *call)
{
    ps__compose c;
    hot_shape s;
    int64_t count = call->args[1].as.integer;
    ps__compose_begin(&c, call);
    ps_tensor *x = ps__compose_tensor(&c, 0);
    if (hot_begin(&c, x, count, &s)) {
        /* Classes may be more than x's type has numbers. */
        ps_dtype wide = x->dtype == PS_UINT64 ? PS_UINT64 : PS_INT64;
        ps_tensor *line = PS__MAKE(&c, "arange", ps__arg_int(0), ps__arg_int(count), ps__arg_int(1),
                                   ps__arg_dtype(wide));
        ps_tensor *classes = line; /* along the last axis as they are */
        if (s.axis != s.ndim - 1)
            classes =
                PS__MAKE(&c, "reshape", ps__arg_tensor(line), ps__arg_ints(s.ndim, s.classes));
        ps_tensor *apart = PS__MAKE(&c, "expand_dims", ps__arg_tensor(x), ps__arg_int(s.axis));
        ps_tensor *hot = PS__MAKE(&c, "equal", ps__arg_tensor(apart), ps__arg_tensor(classes));
        PS__GIVE(&c, "cast", ps__arg_tensor(hot), call->args[3]);
    }
    return ps__compose_end(&c);
}

/* ---- linear ------------------------------------------------------------------------------ */

/* An elementwise row of one tensor that keeps its type. */
static bool is_activation(const ps_op *op)
{
    return op->row.expression != NULL && op->row.call == NULL && op->row.outputs == 1 &&
           op->required == 1 && op->row.result == PS__GIVES_SAME && !ps__is_mask(op, 0);
}

/* The type that the activation makes of one. */
static ps_status activation_type(const char *name, ps_dtype from, ps_dtype *to)
{
    const ps_op *op;
    if (ps_op_find(name, &op) == PS_OK && is_activation(op))
        return ps__common_type(op, &(ps__operand_type){.type = (uint8_t)from}, 1, to);
    return ps__fail(PS_ERR_ARGUMENT, "linear: there is no activation \"%s\"", name);
}

static ps_status check_layer(const ps_tensor *x, const ps_tensor *weight)
{
    if (weight->ndim == 2 && x->ndim > 0)
        return PS_OK;
    return ps__fail(PS_ERR_ARGUMENT, "linear: a weight of shape %s, not of 2 dimensions, for %s",
                    ps__shape_text(weight->ndim, ps__shape(weight)),
                    ps__shape_text(x->ndim, ps__shape(x)));
}

/* Checks an activation that follows the product, and the result. */
static bool linear_begin(ps__compose *c, const char *activation)
{
    int64_t shape[PS_DIMS_MAX];
    const ps_tensor *x = ps__compose_tensor(c, 0), *weight = ps__compose_tensor(c, 1);
    if (c->status == PS_OK)
        c->status = check_layer(x, weight);
    if (c->status != PS_OK || activation == NULL)
        return c->status == PS_OK;
    ps_dtype dtype = ps__promote((ps_dtype)x->dtype, (ps_dtype)weight->dtype);
    c->status = activation_type(activation, dtype, &dtype);
    memcpy(shape, ps__shape(x), (size_t)x->ndim * sizeof shape[0]);
    shape[x->ndim - 1] = ps__shape(weight)[0];
    return ps__compose_result(c, dtype, x->ndim, shape);
}

ps_status ps__op_linear(const ps__bound_call *call)
{
    ps__compose c;
    const ps_arg *named = &call->args[3];
    const char *activation = named->kind == PS_ARG_TEXT ? named->as.text : NULL;
    ps_arg in_product = ps__arg_none();
    if (activation != NULL && strcmp(activation, "relu") == 0) {
        in_product = *named;
        activation = NULL;
    }
    ps__compose_begin(&c, call);
    if (linear_begin(&c, activation)) {
        unsigned nargs = 6;
        ps_arg product[] = {call->args[0],      call->args[1], ps__arg_bool(false),
                            ps__arg_bool(true), call->args[2], in_product};
        if (activation == NULL)
            ps__compose_give(&c, "matmul", nargs, product);
        else
            PS__GIVE(&c, activation,
                     ps__arg_tensor(ps__compose_make(&c, "matmul", nargs, product)));
    }
    return ps__compose_end(&c);
}
