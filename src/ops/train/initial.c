/* First values of parameters: xavier, msra_prelu, bilinear. They are random numbers, or weights,
 * whose size follows from the shape of the parameter. */
#include "base/error.h"
#include "ops/compose.h"

#include <math.h>
#include <string.h>

/* A call whose first argument is the shape; `dtype` is the place of the type among the
 * arguments. */
typedef struct initial {
    ps__compose c;
    int ndim;
    const int64_t *shape;
    int64_t count;
    ps_dtype dtype;
} initial;

static void initial_begin(initial *p, const ps__bound_call *call, unsigned dtype)
{
    const char *name = call->op->row.name;
    p->ndim = (int)call->args[0].count;
    p->shape = call->args[0].as.ints;
    p->dtype = ps__output_decides(call, dtype, call->args[dtype].as.dtype);
    ps__compose_begin(&p->c, call);
    if (!ps__compose_fine(&p->c))
        return;
    if (!(PS__SET_FLOAT >> p->dtype & 1))
        p->c.status = ps__fail(PS_ERR_TYPE, "%s: no rule for %s", name, ps__dtypes[p->dtype].name);
    else
        p->c.status = ps__shape_check(name, p->dtype, p->ndim, p->shape, &p->count);
    (void)ps__compose_result(&p->c, p->dtype, p->ndim, p->shape);
}

/* Whether the shape has enough dimensions. */
static bool check_ndim(initial *p, int least, int most)
{
    if (ps__compose_fine(&p->c) && (p->ndim < least || p->ndim > most))
        p->c.status = ps__fail(PS_ERR_ARGUMENT, "%s: shape %s has %d dimensions, %s %d are needed",
                               p->c.call->op->row.name, ps__shape_text(p->ndim, p->shape), p->ndim,
                               least == most ? "exactly" : "at least", least);
    return ps__compose_fine(&p->c);
}

/* ---- by the numbers of inputs and outputs ------------------------------------------------- */

/* How many numbers a unit of the layer takes, gives, or the mean of both: of a shape (outputs,
 * inputs, ...), in which what is behind belongs to each. */
static double fan(const initial *p, const ps_arg *factor)
{
    double rest = 1;
    for (int i = 2; i < p->ndim; i++)
        rest *= (double)p->shape[i];
    double in = (double)p->shape[1] * rest, out = (double)p->shape[0] * rest;
    if (factor->kind == PS_ARG_TEXT && strcmp(factor->as.text, "in") == 0)
        return in;
    if (factor->kind == PS_ARG_TEXT && strcmp(factor->as.text, "out") == 0)
        return out;
    return (in + out) / 2;
}

/* Numbers with a variance of about magnitude / fan. */
static void draw(initial *p, const ps_arg *factor, double magnitude, bool normal)
{
    const ps__bound_call *call = p->c.call;
    if (!(magnitude >= 0 && isfinite(magnitude)))
        p->c.status = ps__fail(PS_ERR_ARGUMENT, "%s: the magnitude is %g, not a number from 0 on",
                               call->op->row.name, magnitude);
    if (!ps__compose_fine(&p->c))
        return;
    double scale = p->count > 0 ? sqrt(magnitude / fan(p, factor)) : 0;
    PS__GIVE(&p->c, normal ? "random_normal" : "random_uniform", call->args[0],
             ps__arg_double(normal ? 0 : -scale), ps__arg_double(scale), ps__arg_dtype(p->dtype),
             call->args[call->op->nargs - 1]);
}

ps_status ps__op_xavier(const ps__bound_call *call)
{
    initial p;
    const ps_arg *kind = &call->args[1];
    initial_begin(&p, call, 4);
    if (check_ndim(&p, 2, PS_DIMS_MAX))
        draw(&p, &call->args[2], call->args[3].as.number,
             kind->kind == PS_ARG_TEXT && strcmp(kind->as.text, "gaussian") == 0);
    return ps__compose_end(&p.c);
}

ps_status ps__op_msra_prelu(const ps__bound_call *call)
{
    initial p;
    double slope = call->args[2].as.number;
    initial_begin(&p, call, 3);
    if (check_ndim(&p, 2, PS_DIMS_MAX))
        draw(&p, &call->args[1], 2 / (1 + slope * slope), true);
    return ps__compose_end(&p.c);
}

/* ---- bilinear ---------------------------------------------------------------------------- */

/* Along an axis: 1 - |i / f - c|, where f is half of `width`, rounded up. */
static ps_tensor *ramp(ps__compose *c, int64_t length, int64_t width)
{
    double f = (double)((width + 1) / 2), center = (2 * f - 1 - fmod(f, 2)) / (2 * f);
    ps_arg i = PS__MADE(c, "arange", ps__arg_int(0), ps__arg_int(length), ps__arg_int(1),
                        ps__arg_dtype(PS_FLOAT64));
    ps_arg at = PS__MADE(c, "divide", i, ps__arg_double(f));
    ps_arg far = PS__MADE(c, "abs", PS__MADE(c, "subtract", at, ps__arg_double(center)));
    return PS__MAKE(c, "subtract", ps__arg_double(1), far);
}

ps_status ps__op_bilinear(const ps__bound_call *call)
{
    initial p;
    initial_begin(&p, call, 1);
    if (!check_ndim(&p, 4, 4))
        return ps__compose_end(&p.c);
    if (p.count == 0) {
        PS__GIVE(&p.c, "zeros", call->args[0], ps__arg_dtype(p.dtype));
        return ps__compose_end(&p.c);
    }
    int64_t column[2] = {p.shape[2], 1};
    ps_arg across = ps__arg_tensor(ramp(&p.c, p.shape[3], p.shape[3]));
    ps_arg down = ps__arg_tensor(ramp(&p.c, p.shape[2], p.shape[3]));
    down = PS__MADE(&p.c, "reshape", down, ps__arg_ints(2, column));
    ps_tensor *plane = PS__MAKE(&p.c, "multiply", down, across);
    if (ps__compose_fine(&p.c)) {
        ps_arg one = ps__arg_tensor(ps__compose_cast(&p.c, plane, p.dtype));
        PS__GIVE(&p.c, "copy", PS__MADE(&p.c, "broadcast_to", one, call->args[0]));
    }
    return ps__compose_end(&p.c);
}
