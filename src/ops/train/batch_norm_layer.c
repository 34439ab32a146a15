/* batch_norm: any axis, any type, while a network is trained and when it is used. */
#include "base/error.h"
#include "engine/origin.h"
#include "ops/compose.h"

#include <inttypes.h>
#include <string.h>

enum { X, GAMMA, BETA, RUNNING_MEAN, RUNNING_VAR, MOMENTUM, EPS, AXIS, TRAINING, CORRECTION };
enum { RUN = 16 }; /* elements side by side of a channel, or channels, that are worth a vector */

typedef struct layer {
    ps_tensor *given[RUNNING_VAR + 1]; /* NULL: left out */
    ps_dtype dtype, compute;           /* of the result; what is computed in */
    int axis;
    int64_t channels, outer, inner;
    bool training;
} layer;

static ps_status check_layer(const ps__bound_call *call, layer *l)
{
    const ps_tensor *x = l->given[X];
    ps_status status = ps__axis("batch_norm", call->args[AXIS].as.integer, x->ndim, &l->axis);
    if (status != PS_OK)
        return status;
    l->channels = ps__shape(x)[l->axis];
    l->outer = l->inner = 1;
    for (int i = 0; i < x->ndim; i++)
        *(i < l->axis ? &l->outer : &l->inner) *= i == l->axis ? 1 : ps__shape(x)[i];
    if (l->training && l->channels > 0 && x->count == 0)
        return ps__fail(PS_ERR_ARGUMENT, "batch_norm: no elements of channels in x of shape %s",
                        ps__shape_text(x->ndim, ps__shape(x)));
    if ((l->given[RUNNING_MEAN] == NULL) != (l->given[RUNNING_VAR] == NULL))
        return ps__fail(PS_ERR_ARGUMENT, "batch_norm: running_mean and running_var go together");
    if (!l->training && l->given[RUNNING_MEAN] == NULL)
        return ps__fail(PS_ERR_ARGUMENT,
                        "batch_norm: without training the running statistics must be given");
    return PS_OK;
}

/* The type of the statistics to keep. */
static ps_dtype kept_type(const layer *l, unsigned index)
{
    const ps_tensor *running = l->given[index];
    if (running == NULL)
        return l->compute;
    return l->training ? ps__promote((ps_dtype)running->dtype, l->compute)
                       : (ps_dtype)running->dtype;
}

static bool layer_begin(ps__compose *c, layer *l)
{
    const ps_arg *args = c->call->args;
    for (unsigned i = X; i <= RUNNING_VAR; i++)
        l->given[i] = ps__optional(c->call, i);
    l->training = args[TRAINING].as.boolean;
    if (!ps__compose_type(c, BETA + 1, l->given, &l->dtype))
        return false;
    l->compute = (ps_dtype)ps__dtypes[l->dtype].compute;
    c->status = check_layer(c->call, l);
    for (unsigned i = GAMMA; i <= RUNNING_VAR; i++)
        ps__compose_line(c, c->call->op->args[i].name, l->given[i], l->channels);
    for (unsigned i = 1; i < 3; i++)
        if (c->status == PS_OK && c->call->call->outputs[i] != NULL)
            c->status = ps__output_check(c->call, i, c->home, kept_type(l, RUNNING_MEAN + i - 1), 1,
                                         &l->channels);
    return c->status == PS_OK &&
           ps__compose_result(c, l->dtype, l->given[X]->ndim, ps__shape(l->given[X]));
}

static ps_arg typed(ps__compose *c, const layer *l, unsigned index)
{
    if (l->given[index] == NULL)
        return ps__arg_none();
    return ps__arg_tensor(ps__compose_cast(c, l->given[index], l->compute));
}

/* ---- training ---------------------------------------------------------------------------- */

/* Whether elements of a channel are brought together first: neither those nor channels make vectors
 * where they are. */
static bool is_gathered(const layer *l)
{
    return l->outer > 1 && l->inner < RUN && (l->inner > 1 || l->channels < RUN);
}

/* x as outer x channels x inner, or gathered: with the channels first. */
static ps_arg laid_out(ps__compose *c, const layer *l)
{
    ps_arg x = typed(c, l, X);
    int64_t shape[3] = {l->outer, l->channels, l->inner};
    if (is_gathered(l)) {
        x = PS__MADE(c, "moveaxis", x, ps__arg_int(l->axis), ps__arg_int(0));
        shape[0] = 1;
        shape[2] = l->outer * l->inner;
    }
    return PS__MADE(c, "reshape", x, ps__arg_ints(3, shape));
}

/* The result in the shape of x. Not in line: the shape takes stack that what follows needs. */
static __attribute__((noinline)) ps_arg laid_back(ps__compose *c, const layer *l, ps_arg y)
{
    const ps_tensor *x = l->given[X];
    int64_t shape[PS_DIMS_MAX];
    if (!is_gathered(l))
        return PS__MADE(c, "reshape", y, ps__arg_ints(x->ndim, ps__shape(x)));
    shape[0] = l->channels;
    for (int i = 0, at = 1; i < x->ndim; i++)
        if (i != l->axis)
            shape[at++] = ps__shape(x)[i];
    y = PS__MADE(c, "reshape", y, ps__arg_ints(x->ndim, shape));
    return PS__MADE(c, "moveaxis", y, ps__arg_int(0), ps__arg_int(l->axis));
}

/* momentum * running + (1 - momentum) * batch. */
static ps_tensor *moved_on(ps__compose *c, ps_tensor *running, ps_tensor *batch, double factor)
{
    double momentum = c->call->args[MOMENTUM].as.number;
    ps_arg fresh = ps__arg_tensor(batch);
    if (running == NULL && factor == 1)
        return batch;
    if (running == NULL)
        return PS__MAKE(c, "multiply", fresh, ps__arg_double(factor));
    ps_arg old = PS__MADE(c, "multiply", ps__arg_tensor(running), ps__arg_double(momentum));
    fresh = PS__MADE(c, "multiply", fresh, ps__arg_double((1 - momentum) * factor));
    return PS__MAKE(c, "add", old, fresh);
}

static void train(ps__compose *c, const layer *l, ps_tensor **made)
{
    ps_arg args[] = {laid_out(c, l), typed(c, l, GAMMA), typed(c, l, BETA), c->call->args[EPS]};
    double count = (double)(l->outer * l->inner),
           left = count - c->call->args[CORRECTION].as.number;
    ps__compose_several(c, "batch_norm_train", 4, args, 3, made);
    made[0] = laid_back(c, l, ps__arg_tensor(made[0])).as.tensor;
    made[1] = moved_on(c, l->given[RUNNING_MEAN], made[1], 1);
    made[2] = moved_on(c, l->given[RUNNING_VAR], made[2], left > 0 ? count / left : 1);
}

/* ---- use --------------------------------------------------------------------------------- */

/* A number for each channel in a shape that broadcasts against x. Not in line, as above. */
static __attribute__((noinline)) ps_arg spread(ps__compose *c, const layer *l, ps_arg line)
{
    int64_t shape[PS_DIMS_MAX];
    for (int i = 0; i < l->given[X]->ndim; i++)
        shape[i] = i == l->axis ? l->channels : 1;
    return PS__MADE(c, "reshape", line, ps__arg_ints(l->given[X]->ndim, shape));
}

static void use(ps__compose *c, const layer *l, ps_tensor **made)
{
    ps_arg var = PS__MADE(c, "add", typed(c, l, RUNNING_VAR), c->call->args[EPS]);
    ps_arg scale = PS__MADE(c, "rsqrt", var);
    if (l->given[GAMMA] != NULL)
        scale = PS__MADE(c, "multiply", scale, typed(c, l, GAMMA));
    ps_arg y = PS__MADE(c, "subtract", typed(c, l, X), spread(c, l, typed(c, l, RUNNING_MEAN)));
    y = PS__MADE(c, "multiply", y, spread(c, l, scale));
    if (l->given[BETA] != NULL)
        y = PS__MADE(c, "add", y, spread(c, l, typed(c, l, BETA)));
    made[0] = y.as.tensor;
    for (unsigned i = 1; i < 3; i++) {
        ps_tensor *running = l->given[RUNNING_MEAN + i - 1];
        bool there = c->call->call->outputs[i] != NULL;
        made[i] = there ? running : PS__MAKE(c, "copy", ps__arg_tensor(running));
    }
}

ps_status ps__op_batch_norm(const ps__bound_call *call)
{
    ps__compose c;
    layer l;
    ps_tensor *made[3];
    ps__compose_begin(&c, call);
    if (ps__compose_fine(&c) && layer_begin(&c, &l)) {
        (l.training ? train : use)(&c, &l, made);
        made[0] = ps__compose_cast(&c, made[0], l.dtype);
        ps__compose_hand_all(&c, made);
    }
    return ps__compose_end(&c);
}
