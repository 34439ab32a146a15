/* Running training programs, step by step. */
#include "training.h"

/* ---- calls ---------------------------------------------------------------------------------- */

void train_note(train_run *r, const char *call, ps_status status)
{
    if (r->status != PS_OK || status == PS_OK)
        return;
    r->status = status;
    r->call = call;
}

void train_call_several(train_run *r, const char *name, size_t nargs, const ps_arg *args,
                        size_t count, ps_tensor **outputs)
{
    const ps_op *op;
    if (r->status == PS_OK)
        train_note(r, name, ps_op_find(name, &op));
    if (r->status == PS_OK)
        train_note(r, name,
                   ps_op_call(op, &(ps_call){.size = sizeof(ps_call),
                                             .args = args,
                                             .nargs = nargs,
                                             .outputs = outputs,
                                             .noutputs = count}));
}

ps_tensor *train_call(train_run *r, const char *name, size_t nargs, const ps_arg *args)
{
    ps_tensor *made = NULL;
    train_call_several(r, name, nargs, args, 1, &made);
    return made;
}

void train_call_into(train_run *r, const char *name, size_t nargs, const ps_arg *args,
                     ps_tensor *into)
{
    train_call_several(r, name, nargs, args, 1, &into);
}

ps_tensor *train_retained(train_run *r, ps_tensor *x)
{
    if (r->status == PS_OK)
        train_note(r, "ps_tensor_retain", ps_tensor_retain(x));
    return r->status == PS_OK ? x : NULL;
}

ps_tensor *train_index(train_run *r, ps_tensor *x, size_t count, const ps_index *index)
{
    ps_tensor *view = NULL;
    if (r->status == PS_OK)
        train_note(r, "ps_tensor_index", ps_tensor_index(x, index, count, &view));
    return view;
}

static void set_state(train_run *r, uint64_t bits, bool on)
{
    uint64_t state = ps_thread_state();
    train_note(r, "ps_thread_set_state", ps_thread_set_state(on ? state | bits : state & ~bits));
}

/* ---- numbers -------------------------------------------------------------------------------- */

static ps_arg generator_of(const train_run *r)
{
    return (ps_arg){.kind = PS_ARG_GENERATOR, .as.generator = r->generator};
}

ps_tensor *train_normal(train_run *r, int ndim, const int64_t *shape, double mean, double spread)
{
    return TRAIN(r, "random_normal", train_ints(ndim, shape), F(mean), F(spread), D(r->t->dtype),
                 generator_of(r));
}

ps_tensor *train_integers(train_run *r, int ndim, const int64_t *shape, int64_t end)
{
    return TRAIN(r, "random_integers", train_ints(ndim, shape), I(0), I(end), D(PS_INT64),
                 generator_of(r));
}

static ps_tensor *input_of(train_run *r)
{
    const train_shape *in = &r->t->input;
    if (in->form == TRAIN_IDS)
        return train_integers(r, in->ndim, in->sizes, r->t->layers[0].options[0]);
    return train_normal(r, in->ndim, in->sizes, 0, 1);
}

/* ---- start and end -------------------------------------------------------------------------- */

static void start_weight(train_run *r, unsigned i)
{
    const training *t = r->t;
    const train_weight *w = &t->weights[i];
    r->weights[i] = train_normal(r, w->ndim, w->shape, w->mean, w->spread);
    if (r->status != PS_OK || w->role != TRAIN_LEARNED)
        return;
    train_note(r, "ps_grad_attach",
               ps_grad_attach(r->weights[i], t->adds ? PS_GRAD_ADD : PS_GRAD_WRITE, NULL));
    for (unsigned s = 0; s < t->optimiser->states; s++)
        r->states[s][i] = TRAIN(r, "zeros", train_ints(w->ndim, w->shape), D(t->dtype));
}

void train_start(train_run *r, const training *t)
{
    *r = (train_run){.t = t};
    train_note(r, "ps_generator_create", ps_generator_create(t->seed, &r->generator));
    for (unsigned i = 0; i < t->nweights; i++)
        start_weight(r, i);
}

void train_end(train_run *r)
{
    for (unsigned i = 0; i < TRAIN_WEIGHTS; i++) {
        ps_tensor_release(r->weights[i]);
        for (unsigned s = 0; s < TRAIN_STATES; s++)
            ps_tensor_release(r->states[s][i]);
    }
    for (unsigned i = 0; i < TRAIN_STEPS; i++)
        ps_tensor_release(r->losses[i]);
    ps_generator_release(r->generator);
    *r = (train_run){.t = r->t};
}

unsigned train_gradients(train_run *r, unsigned *which, ps_tensor **gradients)
{
    unsigned count = 0;
    for (unsigned i = 0; i < r->t->nweights && r->status == PS_OK; i++) {
        if (r->t->weights[i].role != TRAIN_LEARNED)
            continue;
        train_note(r, "ps_grad_get", ps_grad_get(r->weights[i], &gradients[count]));
        which[count] = i;
        count += r->status == PS_OK;
    }
    return count;
}

/* ---- a step --------------------------------------------------------------------------------- */

static void run_layer(train_run *r, unsigned i)
{
    const training *t = r->t;
    const train_layer *layer = &t->layers[i];
    set_state(r, PS_STATE_RECORDING, !layer->paused);
    if (r->status == PS_OK)
        r->values[i + 1] = layer->kind->run(r, layer, r->values[i]);
    for (unsigned v = 0; v <= i; v++)
        if (t->last_use[v] == (int)i) {
            ps_tensor_release(r->values[v]);
            r->values[v] = NULL;
        }
}

/* What the network and the loss make of a batch. */
static ps_tensor *forward(train_run *r)
{
    unsigned count = r->t->nlayers;
    r->values[0] = input_of(r);
    for (unsigned i = 0; i < count; i++)
        run_layer(r, i);
    set_state(r, PS_STATE_RECORDING, true);
    ps_tensor *loss = train_run_loss(r, r->values[count]);
    set_state(r, PS_STATE_RECORDING, false);
    for (unsigned i = 0; i <= count; i++) {
        ps_tensor_release(r->values[i]);
        r->values[i] = NULL;
    }
    return loss;
}

/* The loss and a part of the square of a gradient of it, if anything flows there; takes over the loss. */
static ps_tensor *with_square(train_run *r, ps_tensor *loss, ps_tensor *gradient)
{
    if (gradient == NULL)
        return loss;
    ps_tensor *square = TRAIN(r, "multiply", T(gradient), T(gradient));
    ps_tensor *sum = TRAIN(r, "sum", T(square)), *part = TRAIN(r, "multiply", T(sum), F(0.1));
    ps_tensor *both = TRAIN(r, "add", T(loss), T(part)), *all[] = {square, sum, part, loss};
    for (int i = 0; i < 4; i++)
        ps_tensor_release(all[i]);
    return both;
}

static ps_tensor *penalised(train_run *r, ps_tensor *loss)
{
    ps_tensor *gradient = NULL;
    ps_backward_options create = {.size = sizeof create, .create = true};
    if (r->t->penalised < 0 || r->status != PS_OK)
        return loss;
    set_state(r, PS_STATE_RECORDING, true);
    train_note(r, "ps_grad",
               ps_grad(&loss, 1, &r->weights[r->t->penalised], 1, &create, &gradient));
    loss = with_square(r, loss, gradient);
    set_state(r, PS_STATE_RECORDING, false);
    ps_tensor_release(gradient);
    return loss;
}

static void walk(train_run *r, ps_tensor *loss, bool retain)
{
    ps_backward_options options = {.size = sizeof options, .retain = retain};
    if (r->status == PS_OK)
        train_note(r, "ps_backward", ps_backward(&loss, 1, &options));
}

/* A batch there and back; its loss, in no graph. */
static ps_tensor *run_batch(train_run *r)
{
    ps_tensor *loss = penalised(r, forward(r)), *kept = NULL;
    if (r->before_walk != NULL)
        r->before_walk(r);
    if (r->t->retains)
        walk(r, loss, true);
    walk(r, loss, false);
    if (r->status == PS_OK)
        train_note(r, "ps_tensor_detach", ps_tensor_detach(loss, &kept));
    ps_tensor_release(loss);
    return kept;
}

static void clear_gradients(train_run *r)
{
    unsigned which[TRAIN_WEIGHTS], count;
    ps_tensor *gradients[TRAIN_WEIGHTS];
    count = train_gradients(r, which, gradients);
    for (unsigned i = 0; i < count; i++) {
        train_call_into(r, "assign", ARGS(F(0)), gradients[i]);
        ps_tensor_release(gradients[i]);
    }
}

void train_step(train_run *r)
{
    const training *t = r->t;
    bool last = r->step + 1 == t->nsteps;
    for (int batch = 0; batch < 1 + t->adds; batch++) {
        ps_tensor_release(r->losses[r->step]);
        r->losses[r->step] = run_batch(r);
    }
    train_run_update(r);
    if (t->adds && !last) /* what was added up in the last step is looked at */
        clear_gradients(r);
    if (t->reads_each_step && r->status == PS_OK)
        train_note(r, "ps_tensor_wait", ps_tensor_wait(r->losses[r->step], NULL));
    r->step++;
}
