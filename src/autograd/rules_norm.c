/* Rules of distances: variances and norms. Nothing flows where a distance is 0, unless the library
 * wants NaN there. */
#include "autograd/rules.h"

#include <math.h>

/* x, but 1 where it is 0: to divide what is 0 there by. */
static ps_tensor *without_zeros(ps__flow *f, ps_tensor *x)
{
    ps_tensor *zero = PS__MAKE(&f->c, "equal", ps__arg_tensor(x), ps__arg_int(0));
    return PS__MAKE(&f->c, "where", ps__arg_tensor(zero), ps__arg_int(1), ps__arg_tensor(x));
}

static ps_tensor *divided(ps__flow *f, ps_tensor *a, ps_tensor *b)
{
    return PS__MAKE(&f->c, "divide", ps__arg_tensor(a), ps__arg_tensor(b));
}

/* ---- variances --------------------------------------------------------------------------- */

enum { AXES = 1, CORRECTION = 2, KEPT = 3 };

/* x less its mean over the axes. */
static ps_tensor *centred(ps__flow *f)
{
    ps_arg x = f->bound.args[0];
    ps_tensor *mean = PS__MAKE(&f->c, "mean", x, f->bound.args[AXES], ps__arg_bool(true));
    return PS__MAKE(&f->c, "subtract", x, ps__arg_tensor(mean));
}

static double freedom(const ps__flow *f)
{
    double left = (double)ps__reduced_count(f, AXES) - f->bound.args[CORRECTION].as.number;
    return left > 0 ? left : 0;
}

/* Distances from the mean, times what flows, times a number. */
static void give_centred(ps__flow *f, ps_tensor *dy, double factor)
{
    ps_tensor *scaled =
        PS__MAKE(&f->c, "multiply", ps__arg_tensor(dy), ps__arg_double(factor / freedom(f)));
    ps__flow_give(f, 0, ps__times(f, centred(f), scaled));
}

void ps__rule_var(ps__flow *f)
{
    give_centred(f, ps__dy_spread(f, AXES, f->bound.args[KEPT].as.boolean), 2);
}

void ps__rule_std(ps__flow *f)
{
    bool kept = f->bound.args[KEPT].as.boolean;
    ps_tensor *y = without_zeros(f, ps__unreduced(f, AXES, kept, f->y));
    give_centred(f, divided(f, ps__dy_spread(f, AXES, kept), y), 1);
}

/* ---- norms ------------------------------------------------------------------------------- */

/* x over the norm, times what flows. */
static void give_direction(ps__flow *f, unsigned axes, bool kept)
{
    ps_tensor *y = ps__unreduced(f, axes, kept, f->y);
    if (!(f->node->r.policy & PS_GRAD_NORM_NAN))
        y = without_zeros(f, y);
    ps_tensor *part = divided(f, ps__dy_spread(f, axes, kept), y);
    ps__flow_give(f, 0, ps__times(f, f->bound.args[0].as.tensor, part));
}

void ps__rule_norm(ps__flow *f)
{
    give_direction(f, 1, f->bound.args[2].as.boolean);
}

/* Of order p: (|x| / y) to the power of p - 1. */
static ps_tensor *by_power(ps__flow *f, ps_tensor *sizes, double order, bool kept)
{
    ps_tensor *y = without_zeros(f, ps__unreduced(f, 2, kept, f->y));
    ps_tensor *ratio = divided(f, without_zeros(f, sizes), y);
    ps_tensor *power = PS__MAKE(&f->c, "pow", ps__arg_tensor(ratio), ps__arg_double(order - 1));
    return ps__times(f, power, ps__dy_spread(f, 2, kept));
}

/* What flows to the absolute values, in the direction of x, which has none at 0. */
void ps__rule_vector_norm(ps__flow *f)
{
    double order = f->bound.args[1].as.number;
    bool kept = f->bound.args[3].as.boolean;
    if (order == 0)
        return; /* a number of elements */
    if (order == 2) {
        give_direction(f, 2, kept); /* which has no corner where only some elements are 0 */
        return;
    }
    ps_tensor *sizes = PS__MAKE(&f->c, "abs", f->bound.args[0]);
    ps_tensor *to = isinf(order) ? ps__shared(f, sizes, 2, kept) : by_power(f, sizes, order, kept);
    ps__flow_give(f, 0, ps__times(f, PS__MAKE(&f->c, "sign", f->bound.args[0]), to));
}
