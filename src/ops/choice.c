/* random_choice: positions of things that are drawn, equally likely or as probabilities say.
 *
 * Everything is checked before anything is drawn: a call that fails leaves the generator alone. */
#include "base/error.h"
#include "ops/compose.h"

#include <inttypes.h>

typedef struct choice {
    const ps_arg *shape, *generator;
    int64_t things, wanted;
    bool again;   /* a thing may be drawn several times */
    ps_tensor *p; /* or NULL: all are equally likely */
} choice;

static ps_status refuse_weights(const choice *d)
{
    return ps__fail(PS_ERR_ARGUMENT,
                    "random_choice: p of shape %s and type %s for %" PRId64 " things",
                    ps__shape_text(d->p->ndim, ps__shape(d->p)), ps__dtypes[d->p->dtype].name,
                    d->things);
}

static ps_status check(const choice *d)
{
    if (d->things <= 0)
        return ps__fail(PS_ERR_ARGUMENT,
                        "random_choice: there is nothing to choose from: count is %" PRId64,
                        d->things);
    if (d->p != NULL && !d->again)
        return ps__fail(PS_ERR_ARGUMENT, "random_choice: p cannot be given with replace false");
    if (!d->again && d->wanted > d->things)
        return ps__fail(PS_ERR_ARGUMENT,
                        "random_choice: %" PRId64 " of %" PRId64 " things without repeating one",
                        d->wanted, d->things);
    bool fits = d->p == NULL ||
                (d->p->ndim == 1 && d->p->count == d->things && (PS__SET_REAL >> d->p->dtype & 1));
    return fits ? PS_OK : refuse_weights(d);
}

static bool choice_begin(ps__compose *c, const ps__bound_call *call, choice *d)
{
    const ps_arg *p = &call->args[3];
    ps__compose_begin(c, call);
    *d = (choice){.shape = &call->args[0],
                  .generator = &call->args[4],
                  .things = call->args[1].as.integer,
                  .again = call->args[2].as.boolean,
                  .p = p->kind == PS_ARG_TENSOR ? p->as.tensor : NULL};
    if (c->status == PS_OK)
        c->status = ps__shape_check("random_choice", PS_INT64, (int)d->shape->count,
                                    d->shape->as.ints, &d->wanted);
    if (c->status == PS_OK)
        c->status = check(d);
    return ps__compose_result(c, PS_INT64, (int)d->shape->count, d->shape->as.ints);
}

/* Numbers of [0, sum of p), each beside the sums of p up to each thing. */
static void draw_by_weights(ps__compose *c, const choice *d)
{
    ps_dtype wide = PS_FLOAT64;
    ps_tensor *sums =
        PS__MAKE(c, "cumulative_sum", ps__arg_tensor(d->p), ps__arg_int(0), ps__arg_dtype(wide));
    if (!ps__compose_fine(c))
        return;
    ps_arg all = ps__arg_tensor(ps__compose_at(c, sums, 0, d->things - 1));
    ps_arg even = PS__MADE(c, "random_uniform", *d->shape, ps__arg_double(0), ps__arg_double(1),
                           ps__arg_dtype(wide), *d->generator);
    ps_arg drawn = PS__MADE(c, "multiply", even, all);
    ps_arg right = {.kind = PS_ARG_TEXT, .as.text = "right"};
    ps_arg place = PS__MADE(c, "searchsorted", ps__arg_tensor(sums), drawn, right);
    PS__GIVE(c, "minimum", place, ps__arg_int(d->things - 1));
}

/* The first of all things in random order. */
static void draw_once(ps__compose *c, const choice *d)
{
    ps_tensor *order = PS__MAKE(c, "random_permutation", ps__arg_int(d->things), *d->generator);
    if (!ps__compose_fine(c))
        return;
    ps_arg first = ps__arg_tensor(ps__compose_narrow(c, order, 0, 0, d->wanted));
    ps__compose_hand(c, PS__MAKE(c, "reshape", first, *d->shape));
}

ps_status ps__op_random_choice(const ps__bound_call *call)
{
    ps__compose c;
    choice d;
    if (choice_begin(&c, call, &d)) {
        if (d.p != NULL)
            draw_by_weights(&c, &d);
        else if (!d.again)
            draw_once(&c, &d);
        else
            PS__GIVE(&c, "random_integers", *d.shape, ps__arg_int(0), ps__arg_int(d.things),
                     ps__arg_dtype(PS_INT64), *d.generator);
    }
    return ps__compose_end(&c);
}
