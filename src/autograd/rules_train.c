/* Rules of what networks are trained with. */
#include "autograd/rules.h"

/* The same elements become 0. */
void ps__rule_dropout_by_key(ps__flow *f)
{
    const ps_arg *args = f->bound.args;
    ps__flow_give(f, 0,
                  PS__MAKE(&f->c, "dropout_by_key", ps__arg_tensor(f->dy), args[1], args[2],
                           args[3], args[4]));
}

void ps__rule_cross_entropy_rows(ps__flow *f)
{
    const ps_arg *args = f->bound.args;
    ps__flow_give(f, 0,
                  PS__MAKE(&f->c, "cross_entropy_back", args[0], args[1], ps__arg_tensor(f->dy),
                           args[2], args[3]));
}

/* x, gamma and beta are the first arguments. */
static void give_each(ps__flow *f, ps_tensor *const *made)
{
    for (unsigned i = 0; i < 3; i++)
        if (ps__flow_wants(f, i))
            ps__flow_give(f, i, made[i]);
}

void ps__rule_layer_norm_rows(ps__flow *f)
{
    const ps_arg *args = f->bound.args;
    ps_arg given[] = {args[0], ps__arg_tensor(f->dy), args[1], args[3]};
    ps_tensor *made[3] = {NULL};
    if (ps__flow_wants(f, 1) || ps__flow_wants(f, 2))
        ps__compose_several(&f->c, "layer_norm_back_all", 4, given, 3, made);
    else
        made[0] = ps__compose_make(&f->c, "layer_norm_back", 4, given);
    give_each(f, made);
}

void ps__rule_group_norm_channels(ps__flow *f)
{
    const ps_arg *args = f->bound.args;
    ps_arg given[] = {args[0], ps__arg_tensor(f->dy), args[1], args[3], args[4]};
    ps_tensor *made[3] = {NULL};
    ps__compose_several(&f->c, "group_norm_back", 5, given, 3, made);
    give_each(f, made);
}

/* ---- batch_norm -------------------------------------------------------------------------- */

/* A number for each channel as it broadcasts against x. */
static ps_arg spread(ps__flow *f, ps_tensor *line)
{
    const ps__like *x = ps__flow_like(f, 0);
    int64_t shape[PS_DIMS_MAX];
    for (int i = 0; i < x->ndim; i++)
        shape[i] = i == 1 ? x->shape[i] : 1;
    return PS__MADE(&f->c, "reshape", ps__arg_tensor(line), ps__arg_ints(x->ndim, shape));
}

/* The same times a factor, over the number of elements of a channel. */
static ps_arg share(ps__flow *f, ps_tensor *line, double factor)
{
    const ps__like *x = ps__flow_like(f, 0);
    int64_t count = 1;
    for (int i = 0; i < x->ndim; i++)
        count *= i == 1 ? 1 : x->shape[i];
    return PS__MADE(&f->c, "multiply", spread(f, line), ps__arg_double(factor / (double)count));
}

static ps_tensor *joined(ps__flow *f, ps_tensor *a, ps_tensor *b)
{
    return a == NULL ? b : PS__MAKE(&f->c, "add", ps__arg_tensor(a), ps__arg_tensor(b));
}

/* What flows to the mean and the variance, as it does where a gradient is differentiated, goes on
 * to x. */
static ps_tensor *from_statistics(ps__flow *f, ps_tensor *dx)
{
    if (f->dys[1] != NULL)
        dx = joined(f, dx,
                    PS__MAKE(&f->c, "broadcast_to", share(f, f->dys[1], 1),
                             ps__arg_shape(ps__flow_like(f, 0))));
    if (f->dys[2] != NULL) {
        ps_arg apart = PS__MADE(&f->c, "subtract", f->bound.args[0], spread(f, f->ys[1]));
        dx = joined(f, dx, PS__MAKE(&f->c, "multiply", apart, share(f, f->dys[2], 2)));
    }
    return dx;
}

void ps__rule_batch_norm_train(ps__flow *f)
{
    const ps_arg *args = f->bound.args;
    ps_tensor *made[3] = {NULL};
    if (f->dy != NULL) {
        ps_arg given[] = {args[0],
                          ps__arg_tensor(f->dy),
                          ps__arg_tensor(f->ys[1]),
                          ps__arg_tensor(f->ys[2]),
                          args[1],
                          args[3]};
        ps__compose_several(&f->c, "batch_norm_back", 6, given, 3, made);
    }
    made[0] = from_statistics(f, made[0]);
    give_each(f, made);
}
