/* group_norm, instance_norm and rms_norm: made of other rows. */
#include "ops/train/group_norm.h"

#include "base/error.h"

#include <inttypes.h>

typedef struct groups {
    ps_tensor *x, *gamma, *beta; /* NULL: there is none */
    ps_dtype dtype, compute;     /* of the result; what is computed in */
    int64_t count;               /* of groups */
} groups;

enum { RUN = 8 }; /* elements side by side of a channel that are worth a task of its own */

ps_status ps__groups_check(const char *name, const ps_tensor *x, int64_t count)
{
    const char *shape = ps__shape_text(x->ndim, ps__shape(x));
    if (x->ndim < 2)
        return ps__fail(PS_ERR_ARGUMENT, "%s: x of shape %s has no channels", name, shape);
    if (count < 1 || ps__shape(x)[1] % count != 0)
        return ps__fail(PS_ERR_ARGUMENT, "%s: %" PRId64 " groups of %" PRId64 " channels", name,
                        count, ps__shape(x)[1]);
    for (int i = 1; i < x->ndim; i++)
        if (ps__shape(x)[i] == 0)
            return ps__fail(PS_ERR_ARGUMENT, "%s: no elements of channels in x of shape %s", name,
                            shape);
    return PS_OK;
}

static bool groups_begin(ps__compose *c, groups *g)
{
    ps_tensor *tensors[] = {g->x, g->gamma, g->beta};
    if (!ps__compose_type(c, 3, tensors, &g->dtype))
        return false;
    g->compute = (ps_dtype)ps__dtypes[g->dtype].compute;
    c->status = ps__groups_check(c->call->op->row.name, g->x, g->count);
    if (c->status != PS_OK)
        return false;
    ps__compose_line(c, "gamma", g->gamma, ps__shape(g->x)[1]);
    ps__compose_line(c, "beta", g->beta, ps__shape(g->x)[1]);
    return ps__compose_result(c, g->dtype, g->x->ndim, ps__shape(g->x));
}

int64_t ps__groups_inner(const ps_tensor *x)
{
    int64_t inner = 1;
    for (int i = 2; i < x->ndim; i++)
        inner *= ps__shape(x)[i];
    return inner;
}

ps_arg ps__groups_rows(ps__compose *c, ps_arg x, int64_t count)
{
    if (c->status != PS_OK)
        return ps__arg_none();
    const ps_tensor *given = x.as.tensor;
    int64_t shape[3] = {ps__shape(given)[0], count,
                        ps__shape(given)[1] / count * ps__groups_inner(given)};
    return PS__MADE(c, "reshape", x, ps__arg_ints(3, shape));
}

/* Not in line: the shape takes stack that what follows needs. */
__attribute__((noinline)) ps_arg ps__groups_spread(ps__compose *c, const ps_tensor *x,
                                                   ps_tensor *line)
{
    int64_t shape[PS_DIMS_MAX];
    for (int i = 0; i < x->ndim; i++)
        shape[i] = i == 1 ? ps__shape(x)[1] : 1;
    return PS__MADE(c, "reshape", ps__arg_tensor(line), ps__arg_ints(x->ndim, shape));
}

static ps_arg typed(ps__compose *c, const groups *g, ps_tensor *given)
{
    return given == NULL ? ps__arg_none() : ps__arg_tensor(ps__compose_cast(c, given, g->compute));
}

/* Where channels are short: groups as rows, then what differs from channel to channel. */
static ps_arg by_rows(ps__compose *c, const groups *g, ps_arg wide, ps_arg eps)
{
    const ps_tensor *x = g->x;
    ps_arg rows = ps__groups_rows(c, wide, g->count);
    ps_arg y = PS__MADE(c, "layer_norm_rows", rows, ps__arg_none(), ps__arg_none(), eps);
    y = PS__MADE(c, "reshape", y, ps__arg_ints(x->ndim, ps__shape(x)));
    if (g->gamma != NULL)
        y = PS__MADE(c, "multiply", y, ps__groups_spread(c, x, g->gamma));
    if (g->beta != NULL)
        y = PS__MADE(c, "add", y, ps__groups_spread(c, x, g->beta));
    return y;
}

static void normalise(ps__compose *c, const groups *g, ps_arg eps)
{
    ps_arg x = typed(c, g, g->x), y;
    if (ps__groups_inner(g->x) >= RUN)
        y = PS__MADE(c, "group_norm_channels", x, typed(c, g, g->gamma), typed(c, g, g->beta),
                     ps__arg_int(g->count), eps);
    else
        y = by_rows(c, g, x, eps);
    ps__compose_hand(c, ps__compose_cast(c, y.as.tensor, g->dtype));
}

ps_status ps__op_group_norm(const ps__bound_call *call)
{
    ps__compose c;
    ps__compose_begin(&c, call);
    groups g = {.x = ps__compose_tensor(&c, 0),
                .gamma = ps__optional(call, 1),
                .beta = ps__optional(call, 2),
                .count = call->args[3].as.integer};
    if (ps__compose_fine(&c) && groups_begin(&c, &g))
        normalise(&c, &g, call->args[4]);
    return ps__compose_end(&c);
}

/* Each channel is a group. */
ps_status ps__op_instance_norm(const ps__bound_call *call)
{
    ps__compose c;
    ps__compose_begin(&c, call);
    groups g = {.x = ps__compose_tensor(&c, 0),
                .gamma = ps__optional(call, 1),
                .beta = ps__optional(call, 2)};
    if (ps__compose_fine(&c)) {
        g.count = g.x->ndim > 1 && ps__shape(g.x)[1] > 0 ? ps__shape(g.x)[1] : 1;
        if (groups_begin(&c, &g))
            normalise(&c, &g, call->args[3]);
    }
    return ps__compose_end(&c);
}

/* ---- rms_norm ---------------------------------------------------------------------------- */

static bool rms_begin(ps__compose *c, groups *g)
{
    ps_tensor *tensors[] = {g->x, g->gamma};
    if (!ps__compose_type(c, 2, tensors, &g->dtype))
        return false;
    g->compute = (ps_dtype)ps__dtypes[g->dtype].compute;
    if (g->x->ndim == 0)
        c->status = ps__fail(PS_ERR_ARGUMENT, "rms_norm: x has no dimensions");
    if (c->status == PS_OK)
        ps__compose_line(c, "gamma", g->gamma, ps__shape(g->x)[g->x->ndim - 1]);
    return c->status == PS_OK && ps__compose_result(c, g->dtype, g->x->ndim, ps__shape(g->x));
}

ps_status ps__op_rms_norm(const ps__bound_call *call)
{
    ps__compose c;
    ps__compose_begin(&c, call);
    groups g = {.x = ps__compose_tensor(&c, 0), .gamma = ps__optional(call, 1)};
    if (ps__compose_fine(&c) && rms_begin(&c, &g)) {
        ps_arg x = ps__arg_tensor(ps__compose_cast(&c, g.x, g.compute));
        ps_arg size =
            PS__MADE(&c, "mean", PS__MADE(&c, "square", x), ps__arg_int(-1), ps__arg_bool(true));
        ps_arg scale = PS__MADE(&c, "rsqrt", PS__MADE(&c, "add", size, call->args[2]));
        ps_arg y = PS__MADE(&c, "multiply", x, scale);
        if (g.gamma != NULL)
            y = PS__MADE(&c, "multiply", y, ps__arg_tensor(g.gamma));
        ps__compose_hand(&c, ps__compose_cast(&c, y.as.tensor, g.dtype));
    }
    return ps__compose_end(&c);
}
