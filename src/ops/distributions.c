/* Random numbers that are made of others: random_lognormal, random_exponential, random_laplace,
 * random_gumbel, random_logistic.
 *
 * Everything is checked before anything is drawn: a call that fails leaves the generator alone. */
#include "base/error.h"
#include "ops/compose.h"

#include <math.h>

/* What the arguments of a row say. */
typedef struct drawing {
    const ps_arg *shape, *generator;
    double loc, scale;
    ps_dtype dtype, wide; /* half precision is too coarse for logarithms */
} drawing;

/* False, with the failure noted, if there are no such numbers. The type is the last but one
 * argument, the generator the last. */
static bool drawing_begin(ps__compose *c, const ps__bound_call *call, const char *scale, drawing *d)
{
    unsigned nargs = call->op->nargs;
    const char *name = call->op->row.name;
    int64_t count;
    ps__compose_begin(c, call);
    *d = (drawing){.shape = &call->args[0],
                   .generator = &call->args[nargs - 1],
                   .loc = nargs > 4 ? call->args[1].as.number : 0,
                   .scale = call->args[nargs - 3].as.number,
                   .dtype = ps__output_decides(call, nargs - 2, call->args[nargs - 2].as.dtype)};
    d->wide = ps__promote(d->dtype, PS_FLOAT32);
    if (c->status != PS_OK)
        return false;
    if (!(PS__SET_FLOAT >> d->dtype & 1))
        c->status = ps__fail(PS_ERR_TYPE, "%s: no rule for %s", name, ps__dtypes[d->dtype].name);
    else if (!isfinite(d->loc) || !isfinite(d->scale))
        c->status =
            ps__fail(PS_ERR_ARGUMENT, "%s: %g and %g must be finite", name, d->loc, d->scale);
    else if (d->scale < 0)
        c->status = ps__fail(PS_ERR_ARGUMENT, "%s: %s is %g, below 0", name, scale, d->scale);
    else
        c->status =
            ps__shape_check(name, d->dtype, (int)d->shape->count, d->shape->as.ints, &count);
    return ps__compose_result(c, d->dtype, (int)d->shape->count, d->shape->as.ints);
}

/* Standard exponential numbers, all above 0. */
static ps_tensor *exponential(ps__compose *c, const drawing *d)
{
    ps_arg even =
        ps__arg_tensor(PS__MAKE(c, "random_uniform", *d->shape, ps__arg_double(0),
                                ps__arg_double(1), ps__arg_dtype(d->wide), *d->generator));
    ps_arg below = ps__arg_tensor(PS__MAKE(c, "negative", even));
    ps_arg log = ps__arg_tensor(PS__MAKE(c, "log1p", below));
    ps_arg found = ps__arg_tensor(PS__MAKE(c, "negative", log));
    double least = d->wide == PS_FLOAT32 ? 0x1p-25 : 0x1p-54;
    return PS__MAKE(c, "maximum", found, ps__arg_double(least));
}

/* A row of two arguments for two such numbers, drawn one after the other. */
static ps_tensor *of_two(ps__compose *c, const drawing *d, const char *row)
{
    ps_arg first = ps__arg_tensor(exponential(c, d));
    ps_arg second = ps__arg_tensor(exponential(c, d));
    return PS__MAKE(c, row, first, second);
}

/* Standard numbers times the scale, plus loc, as the type. */
static ps_status drawing_end(ps__compose *c, const drawing *d, ps_tensor *drawn)
{
    if (d->scale != 1)
        drawn = PS__MAKE(c, "multiply", ps__arg_tensor(drawn), ps__arg_double(d->scale));
    if (d->loc != 0)
        drawn = PS__MAKE(c, "add", ps__arg_tensor(drawn), ps__arg_double(d->loc));
    ps__compose_hand(c, ps__compose_cast(c, drawn, d->dtype));
    return ps__compose_end(c);
}

ps_status ps__op_random_lognormal(const ps__bound_call *call)
{
    ps__compose c;
    drawing d;
    if (drawing_begin(&c, call, "sigma", &d)) {
        ps_tensor *normal = PS__MAKE(&c, "random_normal", *d.shape, ps__arg_double(d.loc),
                                     ps__arg_double(d.scale), ps__arg_dtype(d.dtype), *d.generator);
        PS__GIVE(&c, "exp", ps__arg_tensor(normal));
    }
    return ps__compose_end(&c);
}

ps_status ps__op_random_exponential(const ps__bound_call *call)
{
    ps__compose c;
    drawing d;
    if (!drawing_begin(&c, call, "scale", &d))
        return ps__compose_end(&c);
    return drawing_end(&c, &d, exponential(&c, &d));
}

ps_status ps__op_random_laplace(const ps__bound_call *call)
{
    ps__compose c;
    drawing d;
    if (!drawing_begin(&c, call, "scale", &d))
        return ps__compose_end(&c);
    return drawing_end(&c, &d, of_two(&c, &d, "subtract"));
}

ps_status ps__op_random_gumbel(const ps__bound_call *call)
{
    ps__compose c;
    drawing d;
    if (!drawing_begin(&c, call, "scale", &d))
        return ps__compose_end(&c);
    ps_arg log = ps__arg_tensor(PS__MAKE(&c, "log", ps__arg_tensor(exponential(&c, &d))));
    return drawing_end(&c, &d, PS__MAKE(&c, "negative", log));
}

ps_status ps__op_random_logistic(const ps__bound_call *call)
{
    ps__compose c;
    drawing d;
    if (!drawing_begin(&c, call, "scale", &d))
        return ps__compose_end(&c);
    ps_arg ratio = ps__arg_tensor(of_two(&c, &d, "divide"));
    return drawing_end(&c, &d, PS__MAKE(&c, "log", ratio));
}
