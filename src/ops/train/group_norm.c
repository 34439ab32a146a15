/* group_norm, instance_norm and rms_norm: made of layer_norm's rows, and of others. */
#include "base/error.h"
#include "ops/compose.h"

#include <inttypes.h>

typedef struct groups {
    ps_tensor *x, *gamma, *beta; /* NULL: there is none */
    ps_dtype dtype, compute;     /* of the result; what is computed in */
    int64_t count;               /* of groups */
} groups;

static ps_status check_groups(const char *name, const ps_tensor *x, int64_t count)
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
    c->status = check_groups(c->call->op->row.name, g->x, g->count);
    if (c->status != PS_OK)
        return false;
    ps__compose_line(c, "gamma", g->gamma, ps__shape(g->x)[1]);
    ps__compose_line(c, "beta", g->beta, ps__shape(g->x)[1]);
    return ps__compose_result(c, g->dtype, g->x->ndim, ps__shape(g->x));
}

/* A number for each channel in a shape that broadcasts against x. Not in line: the shape takes stack
 * that what follows needs. */
static __attribute__((noinline)) ps_arg spread(ps__compose *c, const groups *g, ps_tensor *line)
{
    int64_t shape[PS_DIMS_MAX];
    for (int i = 0; i < g->x->ndim; i++)
        shape[i] = i == 1 ? line->count : 1;
    return PS__MADE(c, "reshape", ps__arg_tensor(line), ps__arg_ints(g->x->ndim, shape));
}

static void normalise(ps__compose *c, const groups *g, ps_arg eps)
{
    const ps_tensor *x = g->x;
    int64_t shape[3] = {ps__shape(x)[0], g->count, ps__shape(x)[1] / g->count};
    for (int i = 2; i < x->ndim; i++)
        shape[2] *= ps__shape(x)[i];
    ps_arg wide = ps__arg_tensor(ps__compose_cast(c, g->x, g->compute));
    ps_arg rows = PS__MADE(c, "reshape", wide, ps__arg_ints(3, shape));
    ps_arg y = PS__MADE(c, "layer_norm_rows", rows, ps__arg_none(), ps__arg_none(), eps);
    y = PS__MADE(c, "reshape", y, ps__arg_ints(x->ndim, ps__shape(x)));
    if (g->gamma != NULL)
        y = PS__MADE(c, "multiply", y, spread(c, g, g->gamma));
    if (g->beta != NULL)
        y = PS__MADE(c, "add", y, spread(c, g, g->beta));
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
