/* softmax_cross_entropy, and the rows for integers along the last axis that it is made of: one task
 * forward and one back. */
#include "base/error.h"
#include "engine/origin.h"
#include "ops/compose.h"

#include <inttypes.h>
#include <string.h>

/* ---- rows -------------------------------------------------------------------------------- */

enum { X, LABELS, FLOW }; /* operands of rows */

/* What a call of the rows says; the flow is that of the way back. */
typedef struct crossing {
    ps_tensor *operands[3];
    ps_dtype dtype;
    int64_t classes;
    const ps_arg *ignored;
    double smoothing;
} crossing;

static ps_status check_labels(const char *name, const ps_tensor *x, const ps_tensor *labels,
                              int axis)
{
    bool fits = labels->ndim == x->ndim - 1;
    for (int i = 0; fits && i < labels->ndim; i++)
        fits = ps__shape(labels)[i] == ps__shape(x)[i + (i >= axis)];
    if (!fits)
        return ps__fail(PS_ERR_ARGUMENT,
                        "%s: labels of shape %s do not fit x of shape %s without axis %" PRId64,
                        name, ps__shape_text(labels->ndim, ps__shape(labels)),
                        ps__shape_text(x->ndim, ps__shape(x)), ps__stated(axis));
    if (!ps__dtype_is_integer((ps_dtype)labels->dtype))
        return ps__fail(PS_ERR_TYPE, "%s: labels of %s, they must be integers", name,
                        ps__dtypes[labels->dtype].name);
    return PS_OK;
}

static ps_status check_classes(const char *name, const ps_tensor *x, int axis, double smoothing)
{
    if (ps__shape(x)[axis] == 0)
        return ps__fail(PS_ERR_ARGUMENT, "%s: no classes along axis %" PRId64 " of shape %s", name,
                        ps__stated(axis), ps__shape_text(x->ndim, ps__shape(x)));
    if (!(smoothing >= 0 && smoothing <= 1))
        return ps__fail(PS_ERR_ARGUMENT, "%s: smoothing is %g, not in [0, 1]", name, smoothing);
    return PS_OK;
}

/* Checks a call of one of the rows; there may be a flow. The optional arguments are the last ones. */
static bool rows_begin(ps__compose *c, crossing *d, ps_tensor *flow)
{
    const ps_op *op = c->call->op;
    ps_tensor *x = ps__compose_tensor(c, X), *labels = ps__compose_tensor(c, LABELS);
    *d = (crossing){.operands = {x, labels, flow},
                    .ignored = &c->call->args[op->nargs - 2],
                    .smoothing = c->call->args[op->nargs - 1].as.number};
    if (c->status == PS_OK && x->ndim == 0)
        c->status = ps__fail(PS_ERR_ARGUMENT, "%s: x has no dimensions", op->row.name);
    if (!ps__compose_type(c, 2, (ps_tensor *[]){x, flow}, &d->dtype))
        return false;
    d->classes = ps__shape(x)[x->ndim - 1];
    c->status = check_classes(op->row.name, x, x->ndim - 1, d->smoothing);
    if (c->status == PS_OK)
        c->status = check_labels(op->row.name, x, labels, x->ndim - 1);
    return c->status == PS_OK;
}

static void submit_rows(ps__compose *c, const crossing *d, unsigned inputs, int ndim)
{
    const ps_tensor *x = d->operands[X];
    ps__work_cross_entropy work = {.head = PS__WORK_HEAD(CROSS_ENTROPY, ps__work_cross_entropy),
                                   .back = inputs > 2,
                                   .ignores = d->ignored->kind == PS_ARG_INT,
                                   .smoothing = d->smoothing};
    work.ignored = work.ignores ? d->ignored->as.integer : 0;
    ps_tensor *packed[3];
    for (unsigned i = 0; i < inputs; i++) {
        ps_dtype dtype = i == LABELS ? PS_INT64 : d->dtype;
        ps_tensor *typed = ps__compose_cast(c, d->operands[i], dtype);
        packed[i] = ps__compose_packed(c, typed);
    }
    ps__job job = {.call = c->call,
                   .work = &work.head,
                   .input = packed,
                   .inputs = inputs,
                   .cost_ns = 100 + 2 * (uint64_t)x->count};
    if (c->status == PS_OK)
        c->status = ps__submit_output(&job, c->home, d->dtype, ndim, ps__shape(x));
}

ps_status ps__op_cross_entropy_rows(const ps__bound_call *call)
{
    ps__compose c;
    crossing d;
    ps__compose_begin(&c, call);
    if (rows_begin(&c, &d, NULL))
        submit_rows(&c, &d, 2, d.operands[X]->ndim - 1);
    return ps__compose_end(&c);
}

/* ---- back -------------------------------------------------------------------------------- */

static ps_arg is_ignored(ps__compose *c, ps_arg labels, const ps_arg *ignored)
{
    return PS__MADE(c, "equal", labels, *ignored);
}

/* The same by rows that can be differentiated. */
static void back_by_parts(ps__compose *c, const crossing *d)
{
    ps_arg labels = ps__arg_tensor(d->operands[LABELS]), last = ps__arg_int(-1);
    ps_arg classes = ps__arg_int(d->classes), type = ps__arg_dtype(d->dtype);
    ps_arg soft = PS__MADE(c, "softmax", ps__arg_tensor(d->operands[X]), last);
    ps_arg target = PS__MADE(c, "one_hot", labels, classes, last, type);
    if (d->smoothing != 0) {
        target = PS__MADE(c, "multiply", target, ps__arg_double(1 - d->smoothing));
        target = PS__MADE(c, "add", target, ps__arg_double(d->smoothing / (double)d->classes));
    }
    ps_arg flow = PS__MADE(c, "expand_dims", ps__arg_tensor(d->operands[FLOW]), last);
    if (d->ignored->kind == PS_ARG_INT) {
        ps_arg apart = PS__MADE(c, "expand_dims", is_ignored(c, labels, d->ignored), last);
        flow = PS__MADE(c, "where", apart, ps__arg_bool(false), flow);
    }
    PS__GIVE(c, "multiply", PS__MADE(c, "subtract", soft, target), flow);
}

static bool back_begin(ps__compose *c, crossing *d)
{
    const ps_tensor *x = ps__compose_tensor(c, X), *flow = ps__compose_tensor(c, FLOW);
    if (!rows_begin(c, d, ps__compose_tensor(c, FLOW)))
        return false;
    if (!ps__shape_equal(flow->ndim, ps__shape(flow), x->ndim - 1, ps__shape(x)))
        c->status = ps__fail(PS_ERR_ARGUMENT, "%s: flow of shape %s for x of shape %s",
                             c->call->op->row.name, ps__shape_text(flow->ndim, ps__shape(flow)),
                             ps__shape_text(x->ndim, ps__shape(x)));
    return ps__compose_result(c, d->dtype, x->ndim, ps__shape(x));
}

ps_status ps__op_cross_entropy_back(const ps__bound_call *call)
{
    ps__compose c;
    crossing d;
    ps__compose_begin(&c, call);
    if (back_begin(&c, &d)) {
        if (ps__may_record())
            back_by_parts(&c, &d);
        else
            submit_rows(&c, &d, 3, d.operands[X]->ndim);
    }
    return ps__compose_end(&c);
}

/* ---- softmax_cross_entropy --------------------------------------------------------------- */

typedef struct entropy {
    ps_tensor *x, *labels, *weights; /* weights: or NULL */
    const ps_arg *ignored;
    double smoothing;
    int axis;
    bool dense;
    int64_t classes;
    ps_dtype dtype; /* of the result */
} entropy;

static ps_status check_dense(const entropy *e)
{
    if (!ps__shape_equal(e->x->ndim, ps__shape(e->x), e->labels->ndim, ps__shape(e->labels)))
        return ps__fail(PS_ERR_ARGUMENT,
                        "softmax_cross_entropy: labels of %s must have the shape of x, %s, not %s",
                        ps__dtypes[e->labels->dtype].name,
                        ps__shape_text(e->x->ndim, ps__shape(e->x)),
                        ps__shape_text(e->labels->ndim, ps__shape(e->labels)));
    if (e->ignored->kind != PS_ARG_NONE)
        return ps__fail(PS_ERR_ARGUMENT,
                        "softmax_cross_entropy: ignore_label %" PRId64
                        " is for labels that are integers, not %s",
                        e->ignored->as.integer, ps__dtypes[e->labels->dtype].name);
    return PS_OK;
}

static ps_status check_entropy(const ps__bound_call *call, entropy *e)
{
    const char *name = call->op->row.name;
    ps_status status = ps__axis(name, call->args[2].as.integer, e->x->ndim, &e->axis);
    if (status != PS_OK)
        return status;
    e->classes = ps__shape(e->x)[e->axis];
    e->dense = ps__dtype_is_inexact((ps_dtype)e->labels->dtype);
    status = check_classes(name, e->x, e->axis, e->smoothing);
    if (status == PS_OK)
        status = e->dense ? check_dense(e) : check_labels(name, e->x, e->labels, e->axis);
    return status;
}

/* Not in line: the shape takes stack that what follows needs. */
static __attribute__((noinline)) bool entropy_begin(ps__compose *c, entropy *e)
{
    const ps_arg *args = c->call->args;
    int64_t shape[PS_DIMS_MAX];
    *e = (entropy){.x = ps__compose_tensor(c, 0),
                   .labels = ps__compose_tensor(c, 1),
                   .weights = ps__optional(c->call, 5),
                   .ignored = &args[3],
                   .smoothing = args[4].as.number};
    if (c->status == PS_OK)
        c->status = check_entropy(c->call, e);
    if (!ps__compose_line(c, "weights", e->weights, e->classes))
        return false;
    ps_tensor *typed[] = {e->x, e->weights, e->dense ? e->labels : NULL};
    for (int i = 0; i < e->x->ndim - 1; i++)
        shape[i] = ps__shape(e->x)[i + (i >= e->axis)];
    return ps__compose_type(c, 3, typed, &e->dtype) &&
           ps__compose_result(c, e->dtype, e->x->ndim - 1, shape);
}

/* The weight of each label; of those that are ignored any. */
static ps_arg taken_weights(ps__compose *c, const entropy *e, ps_arg labels)
{
    if (e->ignored->kind == PS_ARG_INT)
        labels = PS__MADE(c, "where", is_ignored(c, labels, e->ignored), ps__arg_int(0), labels);
    return PS__MADE(c, "take", ps__arg_tensor(e->weights), labels, ps__arg_int(0));
}

/* With weights: their share of the label, and the even one of all classes. */
static ps_tensor *weigh(ps__compose *c, const entropy *e, ps_arg x, ps_arg labels, ps_arg loss)
{
    ps_arg last = ps__arg_int(-1), weights = ps__arg_tensor(e->weights);
    loss = PS__MADE(c, "multiply", loss, taken_weights(c, e, labels));
    if (e->smoothing == 0)
        return loss.as.tensor;
    ps_arg logs = PS__MADE(c, "multiply", PS__MADE(c, "log_softmax", x, last), weights);
    ps_arg even = PS__MADE(c, "multiply", PS__MADE(c, "sum", logs, last),
                           ps__arg_double(e->smoothing / (double)e->classes));
    loss = PS__MADE(c, "multiply", loss, ps__arg_double(1 - e->smoothing));
    loss = PS__MADE(c, "subtract", loss, even);
    if (e->ignored->kind == PS_ARG_INT)
        loss = PS__MADE(c, "where", is_ignored(c, labels, e->ignored), ps__arg_bool(false), loss);
    return loss.as.tensor;
}

static ps_tensor *of_integers(ps__compose *c, const entropy *e, ps_tensor *typed)
{
    ps_arg x = ps__arg_tensor(typed), labels = ps__arg_tensor(e->labels);
    if (e->axis != e->x->ndim - 1)
        x = PS__MADE(c, "moveaxis", x, ps__arg_int(e->axis), ps__arg_int(-1));
    ps_arg smoothing = ps__arg_double(e->weights == NULL ? e->smoothing : 0);
    ps_arg loss = PS__MADE(c, "cross_entropy_rows", x, labels, *e->ignored, smoothing);
    return e->weights != NULL ? weigh(c, e, x, labels, loss) : loss.as.tensor;
}

/* Weights along the axis of as many dimensions as x has. Not in line, as above. */
static __attribute__((noinline)) ps_arg along_axis(ps__compose *c, const entropy *e)
{
    int64_t shape[PS_DIMS_MAX];
    for (int i = 0; i < e->x->ndim; i++)
        shape[i] = i == e->axis ? e->classes : 1;
    return PS__MADE(c, "reshape", ps__arg_tensor(e->weights), ps__arg_ints(e->x->ndim, shape));
}

static ps_tensor *of_shares(ps__compose *c, const entropy *e, ps_tensor *typed)
{
    ps_arg axis = ps__arg_int(e->axis), shares = ps__arg_tensor(e->labels);
    ps_arg logs = PS__MADE(c, "log_softmax", ps__arg_tensor(typed), axis);
    if (e->smoothing != 0) {
        shares = PS__MADE(c, "multiply", shares, ps__arg_double(1 - e->smoothing));
        shares = PS__MADE(c, "add", shares, ps__arg_double(e->smoothing / (double)e->classes));
    }
    if (e->weights != NULL)
        shares = PS__MADE(c, "multiply", shares, along_axis(c, e));
    ps_arg total = PS__MADE(c, "sum", PS__MADE(c, "multiply", shares, logs), axis);
    return PS__MAKE(c, "negative", total);
}

ps_status ps__op_softmax_cross_entropy(const ps__bound_call *call)
{
    ps__compose c;
    entropy e;
    ps__compose_begin(&c, call);
    if (entropy_begin(&c, &e)) {
        ps_tensor *x = ps__compose_cast(&c, e.x, (ps_dtype)ps__dtypes[e.dtype].compute);
        ps_tensor *loss = e.dense ? of_shares(&c, &e, x) : of_integers(&c, &e, x);
        loss = ps__compose_cast(&c, loss, e.dtype);
        ps__compose_hand(&c, loss);
    }
    return ps__compose_end(&c);
}
