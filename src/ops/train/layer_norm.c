/* layer_norm, and the rows along the last axis that it is made of: one task forward and one back. */
#include "base/error.h"
#include "engine/origin.h"
#include "ops/compose.h"

#include <inttypes.h>
#include <string.h>

/* ---- rows -------------------------------------------------------------------------------- */

/* Arguments of a row: x, then gamma and beta or what flows and gamma. */
typedef struct rows {
    ps_tensor *x, *flow, *gamma, *beta; /* NULL: there is none */
    ps_dtype dtype;
    int64_t count, length;
} rows;

static void check_rows(ps__compose *c, const ps_tensor *x)
{
    const char *name = c->call->op->row.name;
    if (x->ndim == 0)
        c->status = ps__fail(PS_ERR_ARGUMENT, "%s: x has no dimensions", name);
    else if (ps__shape(x)[x->ndim - 1] == 0)
        c->status = ps__fail(PS_ERR_ARGUMENT, "%s: no elements along the last axis of shape %s",
                             name, ps__shape_text(x->ndim, ps__shape(x)));
}

/* Checks the tensors, and brings them into one type, side by side. */
static bool rows_begin(ps__compose *c, rows *r)
{
    ps_tensor **all[] = {&r->x, &r->flow, &r->gamma, &r->beta};
    ps_tensor *tensors[] = {r->x, r->flow, r->gamma, r->beta};
    if (!ps__compose_type(c, 4, tensors, &r->dtype))
        return false;
    check_rows(c, r->x);
    if (c->status != PS_OK)
        return false;
    r->length = ps__shape(r->x)[r->x->ndim - 1];
    r->count = r->x->count / r->length;
    ps__compose_line(c, "gamma", r->gamma, r->length);
    ps__compose_line(c, "beta", r->beta, r->length);
    for (int i = 0; i < 4; i++)
        if (*all[i] != NULL)
            *all[i] = ps__compose_packed(c, ps__compose_cast(c, *all[i], r->dtype));
    return c->status == PS_OK;
}

ps_status ps__op_layer_norm_rows(const ps__bound_call *call)
{
    ps__compose c;
    ps__compose_begin(&c, call);
    rows r = {.x = ps__compose_tensor(&c, 0),
              .gamma = ps__optional(call, 1),
              .beta = ps__optional(call, 2)};
    if (ps__compose_fine(&c) && rows_begin(&c, &r)) {
        ps_tensor *inputs[3] = {r.x, r.gamma != NULL ? r.gamma : r.beta,
                                r.gamma != NULL ? r.beta : NULL};
        ps__work_layer_norm work = {.head = PS__WORK_HEAD(LAYER_NORM, ps__work_layer_norm),
                                    .gamma = r.gamma != NULL ? 2 : 0,
                                    .beta = r.beta == NULL    ? 0
                                            : r.gamma != NULL ? 3
                                                              : 2,
                                    .eps = call->args[3].as.number};
        ps__job job = {.call = call,
                       .work = &work.head,
                       .input = inputs,
                       .inputs = 3,
                       .cost_ns = 100 + (uint64_t)r.x->count / 2};
        c.status = ps__submit_output(&job, c.home, r.dtype, r.x->ndim, ps__shape(r.x));
    }
    return ps__compose_end(&c);
}

/* ---- back -------------------------------------------------------------------------------- */

static ps_arg mean_of(ps__compose *c, ps_arg x)
{
    return PS__MADE(c, "mean", x, ps__arg_int(-1), ps__arg_bool(true));
}

/* What was normalised, and what it was divided by turned over. */
static ps_arg normalised(ps__compose *c, ps_tensor *given, double eps, ps_arg *scale)
{
    ps_arg x = ps__arg_tensor(given);
    ps_arg centred = PS__MADE(c, "subtract", x, mean_of(c, x));
    ps_arg spread = mean_of(c, PS__MADE(c, "square", centred));
    *scale = PS__MADE(c, "rsqrt", PS__MADE(c, "add", spread, ps__arg_double(eps)));
    return PS__MADE(c, "multiply", centred, *scale);
}

/* Added up over all rows. */
static ps_tensor *columns_of(ps__compose *c, const rows *r, ps_arg x)
{
    int64_t shape[2] = {r->count, r->length};
    ps_arg lines = PS__MADE(c, "reshape", x, ps__arg_ints(2, shape));
    return PS__MAKE(c, "sum", lines, ps__arg_int(0));
}

/* The same by rows that can be differentiated. */
static void back_by_parts(ps__compose *c, const rows *r, double eps, unsigned outputs)
{
    ps_arg scale, flow = ps__arg_tensor(r->flow);
    ps_arg x = normalised(c, r->x, eps, &scale);
    ps_arg g = flow;
    ps_tensor *made[3] = {NULL};
    if (outputs > 1) {
        made[1] = columns_of(c, r, PS__MADE(c, "multiply", flow, x));
        made[2] = columns_of(c, r, flow);
    }
    if (r->gamma != NULL)
        g = PS__MADE(c, "multiply", flow, ps__arg_tensor(r->gamma));
    ps_arg along = mean_of(c, PS__MADE(c, "multiply", g, x));
    ps_arg rest = PS__MADE(c, "subtract", g, mean_of(c, g));
    rest = PS__MADE(c, "subtract", rest, PS__MADE(c, "multiply", x, along));
    made[0] = PS__MAKE(c, "multiply", rest, scale);
    ps__compose_hand_all(c, made);
}

enum {
    GROUPS = 64,
    GROUP_ROWS = 16
}; /* of rows that are added up: at most; rows in one at least */

static void submit_back(ps__compose *c, const rows *r, double eps, unsigned outputs)
{
    ps__output output[3];
    ps_tensor *inputs[] = {r->x, r->flow, r->gamma};
    int64_t group = (r->count + GROUPS - 1) / GROUPS;
    ps__work_layer_norm_back work = {.head =
                                         PS__WORK_HEAD(LAYER_NORM_BACK, ps__work_layer_norm_back),
                                     .columns = outputs > 1,
                                     .gamma = r->gamma != NULL,
                                     .group = group < GROUP_ROWS ? GROUP_ROWS : group,
                                     .eps = eps};
    int64_t groups = (r->count + work.group - 1) / work.group;
    if (outputs > 1)
        work.head.scratch = (uint64_t)(2 * groups * r->length) * ps__dtype_bytes(r->dtype);
    unsigned begun = 0;
    for (; begun < outputs && c->status == PS_OK; begun += c->status == PS_OK)
        c->status = ps__output_begin(c->call, begun, c->home, r->dtype, begun == 0 ? r->x->ndim : 1,
                                     begun == 0 ? ps__shape(r->x) : &r->length, 0, &output[begun]);
    if (c->status == PS_OK)
        c->status = ps__submit(&(ps__job){.call = c->call,
                                          .work = &work.head,
                                          .output = output,
                                          .outputs = outputs,
                                          .input = inputs,
                                          .inputs = 3,
                                          .cost_ns = 200 + (uint64_t)r->x->count});
    c->status = ps__outputs_end(c->call, output, begun, c->status);
}

static ps_status back(const ps__bound_call *call, unsigned outputs)
{
    ps__compose c;
    double eps = call->args[3].as.number;
    ps__compose_begin(&c, call);
    rows r = {.x = ps__compose_tensor(&c, 0),
              .flow = ps__compose_tensor(&c, 1),
              .gamma = ps__optional(call, 2)};
    if (ps__compose_fine(&c) &&
        !ps__shape_equal(r.x->ndim, ps__shape(r.x), r.flow->ndim, ps__shape(r.flow)))
        c.status = ps__fail(PS_ERR_ARGUMENT, "%s: flow of shape %s for x of shape %s",
                            call->op->row.name, ps__shape_text(r.flow->ndim, ps__shape(r.flow)),
                            ps__shape_text(r.x->ndim, ps__shape(r.x)));
    if (ps__compose_fine(&c) && rows_begin(&c, &r) &&
        ps__compose_result(&c, r.dtype, r.x->ndim, ps__shape(r.x))) {
        if (ps__may_record())
            back_by_parts(&c, &r, eps, outputs);
        else
            submit_back(&c, &r, eps, outputs);
    }
    return ps__compose_end(&c);
}

ps_status ps__op_layer_norm_back(const ps__bound_call *call)
{
    return back(call, 1);
}

ps_status ps__op_layer_norm_back_all(const ps__bound_call *call)
{
    return back(call, 3);
}

/* ---- layer_norm -------------------------------------------------------------------------- */

typedef struct layer {
    ps_tensor *x, *gamma, *beta;
    ps_dtype dtype;
    int axis, count; /* the first axis, and how many */
} layer;

/* One axis, or several last ones. */
static ps_status find_axes(const ps__bound_call *call, layer *l)
{
    uint32_t set;
    const ps_arg *axes = &call->args[3];
    int ndim = l->x->ndim;
    if (ndim == 0)
        return ps__fail(PS_ERR_ARGUMENT, "layer_norm: x has no dimensions");
    set = 1u << (ndim - 1);
    ps_status status = axes->kind == PS_ARG_INTS ? ps__axes(call, axes, ndim, &set) : PS_OK;
    if (status != PS_OK)
        return status;
    l->axis = set != 0 ? __builtin_ctz(set) : 0;
    l->count = __builtin_popcount(set);
    bool last = l->axis + l->count == ndim && set >> l->axis == (1u << l->count) - 1;
    if (l->count == 1 || (l->count > 1 && last))
        return PS_OK;
    return ps__fail(PS_ERR_ARGUMENT,
                    "layer_norm: %d axes of shape %s; there must be one, or the last ones",
                    l->count, ps__shape_text(ndim, ps__shape(l->x)));
}

static ps_status check_parameter(const layer *l, const char *what, const ps_tensor *given)
{
    const int64_t *shape = ps__shape(l->x) + l->axis;
    if (given == NULL || ps__shape_equal(given->ndim, ps__shape(given), l->count, shape))
        return PS_OK;
    return ps__fail(PS_ERR_ARGUMENT, "layer_norm: %s of shape %s for axes of shape %s", what,
                    ps__shape_text(given->ndim, ps__shape(given)), ps__shape_text(l->count, shape));
}

static ps_status check_layer(const ps__bound_call *call, layer *l)
{
    ps_status status = find_axes(call, l);
    for (int i = 0; status == PS_OK && i < l->count; i++)
        if (ps__shape(l->x)[l->axis + i] == 0)
            status = ps__fail(PS_ERR_ARGUMENT,
                              "layer_norm: no elements along axis %" PRId64 " of shape %s",
                              ps__stated(l->axis + i), ps__shape_text(l->x->ndim, ps__shape(l->x)));
    if (status == PS_OK)
        status = check_parameter(l, "gamma", l->gamma);
    return status == PS_OK ? check_parameter(l, "beta", l->beta) : status;
}

/* gamma or beta as the rows take it. */
static ps_arg parameter(ps__compose *c, const layer *l, ps_tensor *given, ps_dtype compute)
{
    static const int64_t line = -1;
    if (given == NULL)
        return ps__arg_none();
    ps_arg typed = ps__arg_tensor(ps__compose_cast(c, given, compute));
    return l->count == 1 ? typed : PS__MADE(c, "reshape", typed, ps__arg_ints(1, &line));
}

/* x with what is normalised as its last axis, or the result as it was. Not in line: the shape takes
 * stack that what follows needs. */
static __attribute__((noinline)) ps_arg turned(ps__compose *c, const layer *l, ps_arg x, bool back)
{
    ps_arg axis = ps__arg_int(l->axis), last = ps__arg_int(-1);
    if (l->count == 1 && l->axis == l->x->ndim - 1)
        return x;
    if (l->count == 1)
        return PS__MADE(c, "moveaxis", x, back ? last : axis, back ? axis : last);
    int64_t shape[PS_DIMS_MAX];
    memcpy(shape, ps__shape(l->x), (size_t)l->x->ndim * sizeof shape[0]);
    if (!back) {
        for (int i = 1; i < l->count; i++)
            shape[l->axis] *= shape[l->axis + i];
    }
    return PS__MADE(c, "reshape", x, ps__arg_ints(back ? l->x->ndim : l->axis + 1, shape));
}

ps_status ps__op_layer_norm(const ps__bound_call *call)
{
    ps__compose c;
    ps__compose_begin(&c, call);
    layer l =
        {ps__compose_tensor(&c, 0), ps__optional(call, 1), ps__optional(call, 2), PS_FLOAT32, 0, 0};
    ps_tensor *tensors[] = {l.x, l.gamma, l.beta};
    if (ps__compose_fine(&c) && ps__compose_type(&c, 3, tensors, &l.dtype))
        c.status = check_layer(call, &l);
    if (ps__compose_fine(&c) && ps__compose_result(&c, l.dtype, l.x->ndim, ps__shape(l.x))) {
        ps_dtype compute = (ps_dtype)ps__dtypes[l.dtype].compute;
        ps_arg x = ps__arg_tensor(ps__compose_cast(&c, l.x, compute));
        ps_arg y = PS__MADE(&c, "layer_norm_rows", turned(&c, &l, x, false),
                            parameter(&c, &l, l.gamma, compute), parameter(&c, &l, l.beta, compute),
                            call->args[4]);
        y = turned(&c, &l, y, true);
        ps__compose_hand(&c, ps__compose_cast(&c, y.as.tensor, l.dtype));
    }
    return ps__compose_end(&c);
}
