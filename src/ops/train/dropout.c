/* dropout: elements that a generator chooses become 0. What it chooses follows from its key and
 * counter, which is all that the way back needs. */
#include "base/error.h"
#include "ops/compose.h"
#include "ops/generator.h"

#include <string.h>

/* What the elements that stay are multiplied by. */
static double scale_of(double p)
{
    return p < 1 ? 1 / (1 - p) : 0;
}

static bool dropout_begin(ps__compose *c, const ps_tensor *x, double p)
{
    const char *name = c->call->op->row.name;
    if (c->status == PS_OK && !(PS__SET_FLOAT >> x->dtype & 1))
        c->status = ps__fail(PS_ERR_TYPE, "%s: no rule for %s", name, ps__dtypes[x->dtype].name);
    else if (c->status == PS_OK && !(p >= 0 && p <= 1))
        c->status = ps__fail(PS_ERR_ARGUMENT, "%s: p is %g, not in [0, 1]", name, p);
    return c->status == PS_OK && ps__compose_result(c, (ps_dtype)x->dtype, x->ndim, ps__shape(x));
}

/* Each element by itself. */
static void drop_each(ps__compose *c, ps_tensor *x, double p, const ps_arg *generator)
{
    ps__random state = {0};
    bool given = generator->kind == PS_ARG_GENERATOR;
    uint64_t blocks = ps__random_blocks(PS__RANDOM_BERNOULLI, PS_BOOL, (uint64_t)x->count);
    c->status = ps__generator_take(given ? generator->as.generator : NULL, blocks, &state);
    PS__GIVE(c, "dropout_by_key", ps__arg_tensor(x), ps__arg_double(p),
             ps__arg_int((int64_t)state.key), ps__arg_int((int64_t)state.counter[0]),
             ps__arg_int((int64_t)state.counter[1]));
}

/* The same along some axes: what is drawn has length 1 there. */
static void drop_along(ps__compose *c, ps_tensor *x, double p, const ps_arg *axes,
                       const ps_arg *generator)
{
    uint32_t set;
    int64_t shape[PS_DIMS_MAX];
    c->status = ps__axes(c->call, axes, x->ndim, &set);
    if (c->status != PS_OK)
        return;
    for (int i = 0; i < x->ndim; i++)
        shape[i] = set >> i & 1 ? 1 : ps__shape(x)[i];
    ps_arg kept = PS__MADE(c, "random_bernoulli", ps__arg_ints(x->ndim, shape),
                           ps__arg_double(1 - p), *generator);
    ps_arg scaled = PS__MADE(c, "multiply", ps__arg_tensor(x), ps__arg_double(scale_of(p)));
    PS__GIVE(c, "where", kept, scaled, ps__arg_bool(false));
}

ps_status ps__op_dropout(const ps__bound_call *call)
{
    ps__compose c;
    double p = call->args[1].as.number;
    const ps_arg *axes = &call->args[2], *generator = &call->args[3];
    ps__compose_begin(&c, call);
    ps_tensor *x = ps__compose_tensor(&c, 0);
    if (dropout_begin(&c, x, p)) {
        if (axes->kind == PS_ARG_INTS && axes->count > 0)
            drop_along(&c, x, p, axes, generator);
        else
            drop_each(&c, x, p, generator);
    }
    return ps__compose_end(&c);
}

ps_status ps__op_dropout_by_key(const ps__bound_call *call)
{
    ps__compose c;
    double p = call->args[1].as.number;
    ps__compose_begin(&c, call);
    ps_tensor *x = ps__compose_tensor(&c, 0), *packed = NULL;
    if (dropout_begin(&c, x, p))
        packed = ps__compose_packed(&c, x);
    if (packed != NULL) {
        ps__work_dropout work = {.head = PS__WORK_HEAD(DROPOUT, ps__work_dropout),
                                 .state = {(uint64_t)call->args[2].as.integer,
                                           {(uint64_t)call->args[3].as.integer,
                                            (uint64_t)call->args[4].as.integer}},
                                 .count = x->count,
                                 .keep = 1 - p,
                                 .scale = scale_of(p)};
        ps__job job = {.call = call,
                       .work = &work.head,
                       .input = &packed,
                       .inputs = 1,
                       .cost_ns = 100 + (uint64_t)x->count};
        c.status = ps__submit_output(&job, c.home, (ps_dtype)x->dtype, x->ndim, ps__shape(x));
    }
    return ps__compose_end(&c);
}
