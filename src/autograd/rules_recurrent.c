/* The rule of recurrent layers. A walk goes back through them by one row, for which the forward
 * way has kept the gates. A walk that is recorded makes a graph of the rows that they stand for,
 * and walks that. */
#include "autograd/rules.h"

#include "ops/train/recurrent.h"

enum { X, PARAMETERS, STATE, MODE, CELL, MASK, BIDIRECTIONAL };
enum { Y, LAST, LAST_CELL, RESERVE };
enum { HEADS = 3, FLOWS = 5 };

/* The arguments that something flows to, in the order of the outputs of rnn_backward. */
static const unsigned targets[FLOWS] = {X, PARAMETERS, STATE, CELL, MASK};

static bool is_given(const ps__flow *f, unsigned arg)
{
    return f->bound.args[arg].kind == PS_ARG_TENSOR;
}

/* What flowed to an output, unless that has no meaning. */
static ps_arg flowed(const ps__flow *f, unsigned output)
{
    bool flows = f->dys[output] != NULL && (output != LAST_CELL || is_given(f, CELL));
    return flows ? ps__arg_tensor(f->dys[output]) : ps__arg_none();
}

static void by_row(ps__flow *f)
{
    const ps_arg *args = f->bound.args;
    ps_tensor *made[FLOWS];
    ps__compose_several(&f->c, "rnn_backward",
                        PS__ARG_LIST(args[X], args[PARAMETERS], args[STATE],
                                     ps__arg_tensor(f->ys[RESERVE]), args[MODE], args[CELL],
                                     args[MASK], flowed(f, Y), flowed(f, LAST),
                                     flowed(f, LAST_CELL), args[BIDIRECTIONAL],
                                     ps__arg_bool(ps__flow_wants(f, X))),
                        FLOWS, made);
    for (unsigned i = 0; i < FLOWS; i++)
        if (ps__flow_wants(f, targets[i]))
            ps__flow_give(f, targets[i], made[i]);
}

/* ---- recorded ---------------------------------------------------------------------------- */

/* What is made of an operand here, and not before, flows to a copy of it. */
typedef struct operands {
    ps_tensor *copies[FLOWS]; /* NULL: nothing flows there */
    ps__recurrent layers;
} operands;

static ps_tensor *operand(ps__flow *f, operands *o, unsigned index)
{
    unsigned arg = targets[index];
    ps_tensor *x = is_given(f, arg) ? f->bound.args[arg].as.tensor : NULL;
    o->copies[index] = NULL;
    if (x == NULL || !ps__compose_fine(&f->c))
        return NULL;
    if (ps__flow_wants(f, arg) && x->count > 0)
        x = o->copies[index] = PS__MAKE(&f->c, "copy", ps__arg_tensor(x));
    bool half = x != NULL && PS__SET_HALF >> x->dtype & 1;
    return half ? ps__compose_cast(&f->c, x, PS_FLOAT32) : x;
}

static void operands_begin(ps__flow *f, operands *o)
{
    o->layers.x = operand(f, o, 0);
    o->layers.parameters = operand(f, o, 1);
    o->layers.state = operand(f, o, 2);
    o->layers.cell = operand(f, o, 3);
    o->layers.mask = operand(f, o, 4);
    if (ps__compose_fine(&f->c))
        f->c.status = ps__recurrent_read(&f->bound, f->bound.args[MODE].as.text,
                                         f->bound.args[BIDIRECTIONAL].as.boolean, &o->layers);
}

/* From the results, which something flows to, to the copies. */
static void walk_parts(ps__flow *f, ps__compose *c, const operands *o, ps_tensor *const *results)
{
    ps_tensor *heads[HEADS], *flows[HEADS], *wanted[FLOWS], *gradients[FLOWS] = {NULL};
    size_t count = 0, asked = 0;
    for (unsigned i = 0; i < HEADS && ps__compose_fine(c); i++)
        if (f->dys[i] != NULL && results[i] != NULL) {
            heads[count] = results[i];
            flows[count++] = ps__compose_cast(c, f->dys[i], (ps_dtype)results[i]->dtype);
        }
    for (unsigned i = 0; i < FLOWS; i++)
        if (o->copies[i] != NULL)
            wanted[asked++] = o->copies[i];
    if (ps__compose_fine(c) && asked > 0)
        c->status = ps_grad(heads, count, wanted, asked,
                            &(ps_backward_options){.size = sizeof(ps_backward_options),
                                                   .gradients = flows,
                                                   .create = true,
                                                   .location = f->call.location},
                            gradients);
    for (unsigned i = 0, k = 0; i < FLOWS && ps__compose_fine(c); i++)
        if (o->copies[i] != NULL)
            ps__flow_give(f, targets[i], ps__compose_own(&f->c, gradients[k++]));
}

static void by_parts(ps__flow *f)
{
    ps__compose c = f->c; /* with room of its own */
    operands o;
    ps_tensor *results[HEADS];
    c.count = 0;
    operands_begin(f, &o);
    c.status = f->c.status;
    ps__recurrent_by_parts(&c, &o.layers, results);
    walk_parts(f, &c, &o, results);
    ps_status status = ps__compose_end(&c);
    if (ps__compose_fine(&f->c))
        f->c.status = status;
}

void ps__rule_rnn(ps__flow *f)
{
    bool steps = f->bound.args[X].as.tensor != NULL && ps__shape(f->bound.args[X].as.tensor)[0] > 0;
    if (f->create && steps)
        by_parts(f);
    else
        by_row(f);
}
