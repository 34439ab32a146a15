/* Rules of convolutions and pooling. A convolution is linear in the images and in the weights, so the
 * three rows of it are each other's gradients; so are the two of means, and the two that move
 * elements from and to the places of maxima. */
#include "autograd/rules.h"
#include "ops/train/windows.h"

#include <string.h>

/* ---- convolutions -------------------------------------------------------------------------- */

enum { FIRST, SECOND, BIAS, OPTIONS, ARGS = 8 }; /* OPTIONS: stride and what follows */

/* Another row of the convolution, with the options of this one. */
static ps_tensor *convolved(ps__flow *f, const char *row, ps_tensor *first, ps_tensor *second,
                            ps_arg shape)
{
    ps_arg args[ARGS] = {ps__arg_tensor(first), ps__arg_tensor(second), shape};
    memcpy(args + OPTIONS, f->bound.args + OPTIONS, (ARGS - OPTIONS) * sizeof args[0]);
    return ps__compose_make(&f->c, row, ARGS, args);
}

static ps_tensor *sum_of_channels(ps__flow *f)
{
    bool last = ps__channels_last(&f->bound.args[ARGS - 1]);
    int64_t axes[3] = {0, last ? 1 : 2, last ? 2 : 3};
    return PS__MAKE(&f->c, "sum", ps__arg_tensor(f->dy), ps__arg_ints(3, axes));
}

void ps__rule_conv2d(ps__flow *f)
{
    ps_tensor *x = f->bound.args[FIRST].as.tensor, *weight = f->bound.args[SECOND].as.tensor;
    if (ps__flow_wants(f, FIRST))
        ps__flow_give(f, FIRST,
                      convolved(f, "conv2d_data", f->dy, weight,
                                ps__arg_shape(ps__flow_like(f, FIRST))));
    if (ps__flow_wants(f, SECOND))
        ps__flow_give(f, SECOND,
                      convolved(f, "conv2d_weight", x, f->dy,
                                ps__arg_shape(ps__flow_like(f, SECOND))));
    if (f->bound.args[BIAS].kind == PS_ARG_TENSOR && ps__flow_wants(f, BIAS))
        ps__flow_give(f, BIAS, sum_of_channels(f));
}

void ps__rule_conv2d_data(ps__flow *f)
{
    ps_tensor *flowed = f->bound.args[FIRST].as.tensor, *weight = f->bound.args[SECOND].as.tensor;
    if (ps__flow_wants(f, FIRST))
        ps__flow_give(f, FIRST, convolved(f, "conv2d", f->dy, weight, ps__arg_none()));
    if (ps__flow_wants(f, SECOND))
        ps__flow_give(f, SECOND,
                      convolved(f, "conv2d_weight", f->dy, flowed,
                                ps__arg_shape(ps__flow_like(f, SECOND))));
}

void ps__rule_conv2d_weight(ps__flow *f)
{
    ps_tensor *x = f->bound.args[FIRST].as.tensor, *flowed = f->bound.args[SECOND].as.tensor;
    if (ps__flow_wants(f, FIRST))
        ps__flow_give(f, FIRST,
                      convolved(f, "conv2d_data", flowed, f->dy,
                                ps__arg_shape(ps__flow_like(f, FIRST))));
    if (ps__flow_wants(f, SECOND))
        ps__flow_give(f, SECOND, convolved(f, "conv2d", x, f->dy, ps__arg_none()));
}

/* ---- pooling ------------------------------------------------------------------------------- */

/* Another row of the pooling: two arguments, or one, then the options of this row, which begin at
 * `options`. */
static ps_tensor *pooled(ps__flow *f, const char *row, ps_arg first, const ps_arg *second,
                         unsigned options)
{
    ps_arg args[PS__ARGS] = {first};
    unsigned count = 1, more = f->bound.op->nargs - options;
    if (second != NULL)
        args[count++] = *second;
    memcpy(args + count, f->bound.args + options, more * sizeof args[0]);
    return ps__compose_make(&f->c, row, count + more, args);
}

void ps__rule_max_pool2d(ps__flow *f)
{
    ps__flow_give(f, 0, pooled(f, "max_pool2d_data", ps__arg_tensor(f->dy), &f->bound.args[0], 1));
}

/* Places are constant between jumps: nothing flows to what they are found in. */
void ps__rule_max_pool2d_data(ps__flow *f)
{
    if (ps__flow_wants(f, 0))
        ps__flow_give(f, 0,
                      pooled(f, "max_pool2d_pick", ps__arg_tensor(f->dy), &f->bound.args[1], 2));
}

void ps__rule_max_pool2d_pick(ps__flow *f)
{
    if (ps__flow_wants(f, 0))
        ps__flow_give(f, 0,
                      pooled(f, "max_pool2d_data", ps__arg_tensor(f->dy), &f->bound.args[1], 2));
}

void ps__rule_avg_pool2d(ps__flow *f)
{
    ps_arg shape = ps__arg_shape(ps__flow_like(f, 0));
    ps__flow_give(f, 0, pooled(f, "avg_pool2d_data", ps__arg_tensor(f->dy), &shape, 1));
}

void ps__rule_avg_pool2d_data(ps__flow *f)
{
    ps__flow_give(f, 0, pooled(f, "avg_pool2d", ps__arg_tensor(f->dy), NULL, 2));
}
