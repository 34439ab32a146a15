/* The rows that group_norm is made of where channels are long: one task forward and one back. */
#include "ops/train/group_norm.h"

#include "base/error.h"

/* Arguments of a row. */
typedef struct norm {
    ps_tensor *x, *flow, *gamma, *beta; /* NULL: there is none */
    ps_dtype dtype;
    ps__work_group_norm work;
} norm;

/* Checks the tensors, and brings them into one type, side by side. `count`: of groups. */
static bool norm_begin(ps__compose *c, norm *n, int64_t count)
{
    ps_tensor **all[] = {&n->x, &n->flow, &n->gamma, &n->beta};
    ps_tensor *tensors[] = {n->x, n->flow, n->gamma, n->beta};
    if (!ps__compose_type(c, 4, tensors, &n->dtype))
        return false;
    c->status = ps__groups_check(c->call->op->row.name, n->x, count);
    if (c->status != PS_OK)
        return false;
    int64_t channels = ps__shape(n->x)[1];
    ps__compose_line(c, "gamma", n->gamma, channels);
    ps__compose_line(c, "beta", n->beta, channels);
    n->work.outer = ps__shape(n->x)[0];
    n->work.groups = count;
    n->work.channels = channels / count;
    n->work.inner = ps__groups_inner(n->x);
    for (int i = 0; i < 4; i++)
        if (*all[i] != NULL)
            *all[i] = ps__compose_packed(c, ps__compose_cast(c, *all[i], n->dtype));
    return c->status == PS_OK;
}

ps_status ps__op_group_norm_channels(const ps__bound_call *call)
{
    ps__compose c;
    ps__compose_begin(&c, call);
    norm n = {.x = ps__compose_tensor(&c, 0),
              .gamma = ps__optional(call, 1),
              .beta = ps__optional(call, 2),
              .work = {.head = PS__WORK_HEAD(GROUP_NORM, ps__work_group_norm),
                       .eps = call->args[4].as.number}};
    if (ps__compose_fine(&c) && norm_begin(&c, &n, call->args[3].as.integer)) {
        ps_tensor *inputs[] = {n.x, n.gamma != NULL ? n.gamma : n.beta,
                               n.gamma != NULL ? n.beta : NULL};
        n.work.gamma = n.gamma != NULL ? 2 : 0;
        n.work.beta = n.beta == NULL ? 0 : n.gamma != NULL ? 3 : 2;
        ps__job job = {.call = call,
                       .work = &n.work.head,
                       .input = inputs,
                       .inputs = 3,
                       .cost_ns = 100 + (uint64_t)n.x->count / 2};
        c.status = ps__submit_output(&job, c.home, n.dtype, n.x->ndim, ps__shape(n.x));
    }
    return ps__compose_end(&c);
}

/* ---- back -------------------------------------------------------------------------------- */

/* Added up for each channel. Not in line: the axes take stack that what follows needs. */
static __attribute__((noinline)) ps_tensor *added(ps__compose *c, const norm *n, ps_arg x)
{
    int64_t axes[PS_DIMS_MAX];
    int count = 0;
    for (int i = 0; i < n->x->ndim; i++)
        if (i != 1)
            axes[count++] = i;
    return PS__MAKE(c, "sum", x, ps__arg_ints(count, axes));
}

/* The same by rows that can be differentiated. */
static void back_by_parts(ps__compose *c, const norm *n)
{
    ps_tensor *made[3];
    ps_arg flow = ps__arg_tensor(n->flow), g = flow, eps = ps__arg_double(n->work.eps);
    ps_arg shape = ps__arg_ints(n->x->ndim, ps__shape(n->x));
    ps_arg rows = ps__groups_rows(c, ps__arg_tensor(n->x), n->work.groups);
    ps_arg x = PS__MADE(c, "layer_norm_rows", rows, ps__arg_none(), ps__arg_none(), eps);
    x = PS__MADE(c, "reshape", x, shape);
    made[1] = added(c, n, PS__MADE(c, "multiply", flow, x));
    made[2] = added(c, n, flow);
    if (n->gamma != NULL)
        g = PS__MADE(c, "multiply", flow, ps__groups_spread(c, n->x, n->gamma));
    g = ps__groups_rows(c, g, n->work.groups);
    ps_arg dx = PS__MADE(c, "layer_norm_back", rows, g, ps__arg_none(), eps);
    made[0] = PS__MAKE(c, "reshape", dx, shape);
    ps__compose_hand_all(c, made);
}

static void submit_back(ps__compose *c, norm *n)
{
    ps__output output[3];
    ps_tensor *inputs[] = {n->x, n->flow, n->gamma};
    int64_t channels = ps__shape(n->x)[1];
    unsigned begun = 0;
    n->work.head.scratch = (uint64_t)(2 * n->work.outer * channels) * sizeof(double);
    for (; begun < 3 && c->status == PS_OK; begun += c->status == PS_OK)
        c->status = ps__output_begin(c->call, begun, c->home, n->dtype, begun == 0 ? n->x->ndim : 1,
                                     begun == 0 ? ps__shape(n->x) : &channels, 0, &output[begun]);
    if (c->status == PS_OK)
        c->status = ps__submit(&(ps__job){.call = c->call,
                                          .work = &n->work.head,
                                          .output = output,
                                          .outputs = 3,
                                          .input = inputs,
                                          .inputs = 3,
                                          .cost_ns = 200 + (uint64_t)n->x->count});
    c->status = ps__outputs_end(c->call, output, begun, c->status);
}

/* Whether given outputs can take what flows. */
static bool back_outputs(ps__compose *c, const norm *n)
{
    int64_t channels = ps__shape(n->x)[1];
    return ps__compose_result_at(c, 1, n->dtype, 1, &channels) &&
           ps__compose_result_at(c, 2, n->dtype, 1, &channels) &&
           ps__compose_result(c, n->dtype, n->x->ndim, ps__shape(n->x));
}

ps_status ps__op_group_norm_back(const ps__bound_call *call)
{
    ps__compose c;
    ps__compose_begin(&c, call);
    norm n = {.x = ps__compose_tensor(&c, 0),
              .flow = ps__compose_tensor(&c, 1),
              .gamma = ps__optional(call, 2),
              .work = {.head = PS__WORK_HEAD(GROUP_NORM_BACK, ps__work_group_norm),
                       .eps = call->args[4].as.number}};
    if (ps__compose_fine(&c) &&
        !ps__shape_equal(n.x->ndim, ps__shape(n.x), n.flow->ndim, ps__shape(n.flow)))
        c.status = ps__fail(PS_ERR_ARGUMENT, "%s: flow of shape %s for x of shape %s",
                            call->op->row.name, ps__shape_text(n.flow->ndim, ps__shape(n.flow)),
                            ps__shape_text(n.x->ndim, ps__shape(n.x)));
    if (ps__compose_fine(&c) && norm_begin(&c, &n, call->args[3].as.integer) &&
        back_outputs(&c, &n)) {
        n.work.gamma = n.gamma != NULL ? 5 : 0;
        if (ps__may_record())
            back_by_parts(&c, &n);
        else
            submit_back(&c, &n);
    }
    return ps__compose_end(&c);
}
