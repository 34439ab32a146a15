/* The rows that batch_norm is made of while a network is trained: one task forward and one back. x is
 * outer x channels x inner elements: its first axis, its second one, and all others. */
#include "base/error.h"
#include "ops/compose.h"

#include <inttypes.h>

/* Blocks of rows: at most; elements and rows in one at least. */
enum { BLOCKS = 64, BLOCK_ELEMENTS = 1 << 15, BLOCK_ROWS = 32 };

/* Arguments of a row. */
typedef struct norm {
    ps_tensor *x, *flow, *mean, *var, *gamma, *beta; /* NULL: there is none */
    ps_dtype dtype;
    ps__work_batch_norm work;
} norm;

/* Rows of channels that lie side by side are added up in blocks. */
static void find_block(ps__work_batch_norm *work)
{
    if (work->inner != 1 || work->outer <= 1 || work->channels == 0)
        return;
    int64_t rows = (work->outer + BLOCKS - 1) / BLOCKS, some = BLOCK_ELEMENTS / work->channels;
    rows = rows < some ? some : rows;
    work->block = (rows + BLOCK_ROWS - 1) / BLOCK_ROWS * BLOCK_ROWS;
    int64_t blocks = (work->outer + work->block - 1) / work->block;
    work->head.scratch = (uint64_t)(2 * blocks * work->channels) * sizeof(double);
}

static void check_norm(ps__compose *c, norm *n)
{
    const ps_tensor *x = n->x;
    if (x->ndim < 2 || (x->count == 0 && ps__shape(x)[1] != 0)) {
        c->status =
            ps__fail(PS_ERR_ARGUMENT, "%s: x of shape %s; some elements of each channel are needed",
                     c->call->op->row.name, ps__shape_text(x->ndim, ps__shape(x)));
        return;
    }
    n->work.outer = ps__shape(x)[0];
    n->work.channels = ps__shape(x)[1];
    n->work.inner = 1;
    for (int i = 2; i < x->ndim; i++)
        n->work.inner *= ps__shape(x)[i];
    find_block(&n->work);
    ps__compose_line(c, "gamma", n->gamma, n->work.channels);
    ps__compose_line(c, "beta", n->beta, n->work.channels);
    ps__compose_line(c, "mean", n->mean, n->work.channels);
    ps__compose_line(c, "var", n->var, n->work.channels);
}

/* Checks the tensors and given outputs, and brings the tensors into one type, side by side. */
static bool norm_begin(ps__compose *c, norm *n)
{
    ps_tensor **all[] = {&n->x, &n->flow, &n->mean, &n->var, &n->gamma, &n->beta};
    ps_tensor *tensors[] = {n->x, n->flow, n->mean, n->var, n->gamma, n->beta};
    if (!ps__compose_type(c, 6, tensors, &n->dtype))
        return false;
    check_norm(c, n);
    for (unsigned i = 1; i < 3; i++)
        if (c->status == PS_OK && c->call->call->outputs[i] != NULL)
            c->status = ps__output_check(c->call, i, c->home, n->dtype, 1, &n->work.channels);
    if (!ps__compose_result(c, n->dtype, n->x->ndim, ps__shape(n->x)))
        return false;
    for (int i = 0; i < 6; i++)
        if (*all[i] != NULL)
            *all[i] = ps__compose_packed(c, ps__compose_cast(c, *all[i], n->dtype));
    return c->status == PS_OK;
}

/* Three outputs: like x, and two with a number for each channel. */
static void submit_norm(ps__compose *c, const norm *n, unsigned inputs, ps_tensor *const *input)
{
    ps__output output[3];
    unsigned begun = 0;
    for (; begun < 3 && c->status == PS_OK; begun += c->status == PS_OK)
        c->status =
            ps__output_begin(c->call, begun, c->home, n->dtype, begun == 0 ? n->x->ndim : 1,
                             begun == 0 ? ps__shape(n->x) : &n->work.channels, 0, &output[begun]);
    if (c->status == PS_OK)
        c->status = ps__submit(&(ps__job){.call = c->call,
                                          .work = &n->work.head,
                                          .output = output,
                                          .outputs = 3,
                                          .input = input,
                                          .inputs = inputs,
                                          .cost_ns = 200 + (uint64_t)n->x->count / 2});
    c->status = ps__outputs_end(c->call, output, begun, c->status);
}

ps_status ps__op_batch_norm_train(const ps__bound_call *call)
{
    ps__compose c;
    ps__compose_begin(&c, call);
    norm n = {.x = ps__compose_tensor(&c, 0),
              .gamma = ps__optional(call, 1),
              .beta = ps__optional(call, 2),
              .work = {.head = PS__WORK_HEAD(BATCH_NORM, ps__work_batch_norm),
                       .eps = call->args[3].as.number}};
    if (ps__compose_fine(&c) && norm_begin(&c, &n)) {
        ps_tensor *inputs[] = {n.x, n.gamma != NULL ? n.gamma : n.beta,
                               n.gamma != NULL ? n.beta : NULL};
        n.work.gamma = n.gamma != NULL ? 4 : 0;
        n.work.beta = n.beta == NULL ? 0 : n.gamma != NULL ? 5 : 4;
        submit_norm(&c, &n, 3, inputs);
    }
    return ps__compose_end(&c);
}

/* ---- back -------------------------------------------------------------------------------- */

/* A number for each channel in a shape that broadcasts against x. Not in line: the shape takes stack
 * that what follows needs. */
static __attribute__((noinline)) ps_arg spread(ps__compose *c, const norm *n, ps_arg line)
{
    int64_t shape[PS_DIMS_MAX];
    for (int i = 0; i < n->x->ndim; i++)
        shape[i] = i == 1 ? n->work.channels : 1;
    return PS__MADE(c, "reshape", line, ps__arg_ints(n->x->ndim, shape));
}

/* Added up for each channel. */
static __attribute__((noinline)) ps_arg added(ps__compose *c, const norm *n, ps_arg x)
{
    int64_t axes[PS_DIMS_MAX];
    int count = 0;
    for (int i = 0; i < n->x->ndim; i++)
        if (i != 1)
            axes[count++] = i;
    return PS__MADE(c, "sum", x, ps__arg_ints(count, axes));
}

/* The mean of sums of channels, spread again. */
static ps_arg mean_of(ps__compose *c, const norm *n, ps_arg sums)
{
    double count = (double)(n->work.outer * n->work.inner);
    return spread(c, n, PS__MADE(c, "divide", sums, ps__arg_double(count)));
}

/* The same by rows that can be differentiated. */
static void back_by_parts(ps__compose *c, const norm *n)
{
    ps_tensor *made[3];
    ps_arg flow = ps__arg_tensor(n->flow), eps = ps__arg_double(n->work.eps);
    ps_arg scale = PS__MADE(c, "rsqrt", PS__MADE(c, "add", ps__arg_tensor(n->var), eps));
    ps_arg x = PS__MADE(c, "subtract", ps__arg_tensor(n->x), spread(c, n, ps__arg_tensor(n->mean)));
    x = PS__MADE(c, "multiply", x, spread(c, n, scale));
    ps_arg along = added(c, n, PS__MADE(c, "multiply", flow, x)), all = added(c, n, flow);
    ps_arg rest = PS__MADE(c, "subtract", flow, mean_of(c, n, all));
    rest = PS__MADE(c, "subtract", rest, PS__MADE(c, "multiply", x, mean_of(c, n, along)));
    if (n->gamma != NULL)
        scale = PS__MADE(c, "multiply", scale, ps__arg_tensor(n->gamma));
    made[0] = PS__MAKE(c, "multiply", rest, spread(c, n, scale));
    made[1] = along.as.tensor;
    made[2] = all.as.tensor;
    ps__compose_hand_all(c, made);
}

ps_status ps__op_batch_norm_back(const ps__bound_call *call)
{
    ps__compose c;
    ps__compose_begin(&c, call);
    norm n = {.x = ps__compose_tensor(&c, 0),
              .flow = ps__compose_tensor(&c, 1),
              .mean = ps__compose_tensor(&c, 2),
              .var = ps__compose_tensor(&c, 3),
              .gamma = ps__optional(call, 4),
              .work = {.head = PS__WORK_HEAD(BATCH_NORM_BACK, ps__work_batch_norm),
                       .eps = call->args[5].as.number}};
    if (ps__compose_fine(&c) &&
        !ps__shape_equal(n.x->ndim, ps__shape(n.x), n.flow->ndim, ps__shape(n.flow)))
        c.status = ps__fail(PS_ERR_ARGUMENT, "%s: flow of shape %s for x of shape %s",
                            call->op->row.name, ps__shape_text(n.flow->ndim, ps__shape(n.flow)),
                            ps__shape_text(n.x->ndim, ps__shape(n.x)));
    if (ps__compose_fine(&c) && norm_begin(&c, &n)) {
        ps_tensor *inputs[] = {n.x, n.flow, n.mean, n.var, n.gamma};
        n.work.gamma = n.gamma != NULL ? 7 : 0;
        if (ps__may_record())
            back_by_parts(&c, &n);
        else
            submit_norm(&c, &n, 5, inputs);
    }
    return ps__compose_end(&c);
}
