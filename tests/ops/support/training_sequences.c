/* Layers of sequences: embeddings, recurrent ones, convolutions of lines, and their ends. */
#include "training.h"

/* ---- embedding ------------------------------------------------------------------------------ */

static bool draw_embedding(training *t, train_layer *layer)
{
    int64_t words = train_pick(t, 2, t->large ? 300 : 9),
            features = train_pick(t, 1, t->large ? 300 : 8);
    layer->out =
        (train_shape){TRAIN_SEQUENCE, 3, {layer->in.sizes[0], layer->in.sizes[1], features}};
    layer->options[0] = words;
    layer->weights[0] = train_add_weight(t, 2, (int64_t[]){words, features}, 0, 1);
    return layer->weights[0] >= 0;
}

static ps_tensor *run_embedding(train_run *r, const train_layer *layer, ps_tensor *x)
{
    return TRAIN(r, "embedding", T(x), train_arg(r, layer, 0));
}

const train_kind train_embedding_kind = {"embedding", TRAIN_IDS, true, draw_embedding,
                                         run_embedding};

/* ---- recurrent layers ----------------------------------------------------------------------- */

/* Options. */
enum { HIDDEN, DEPTH, DIRECTIONS, GATES, MASKED };
/* Weights: those of the layer, and what it begins with. */
enum { PARAMETERS, STATE, CELL };

static int64_t parameters(const train_layer *layer)
{
    const int64_t *o = layer->options;
    int64_t rows = o[GATES] * o[HIDDEN], count = 0;
    for (int64_t i = 0; i < o[DEPTH]; i++) {
        int64_t inputs = i == 0 ? layer->in.sizes[2] : o[DIRECTIONS] * o[HIDDEN];
        count += o[DIRECTIONS] * rows * (inputs + o[HIDDEN] + 2);
    }
    return count;
}

static bool draw_recurrent(training *t, train_layer *layer)
{
    static const char *const modes[] = {"rnn_relu", "rnn_tanh", "lstm", "gru"};
    static const int64_t gates[] = {1, 1, 4, 3};
    int64_t mode = train_pick(t, 0, 3), *o = layer->options;
    layer->text = modes[mode];
    o[GATES] = gates[mode];
    o[HIDDEN] = train_pick(t, 1, t->large ? 60 : 6);
    o[DEPTH] = train_pick(t, 1, 2);
    o[DIRECTIONS] = train_pick(t, 1, 2);
    o[MASKED] = o[DEPTH] == 2 && train_one_in(t, 2);
    int64_t count = parameters(layer), *in = layer->in.sizes;
    int64_t states[] = {o[DEPTH] * o[DIRECTIONS], in[1], o[HIDDEN]};
    double spread = 1 / sqrt((double)(in[2] + o[HIDDEN]));
    layer->weights[PARAMETERS] = train_add_weight(t, 1, &count, 0, spread);
    layer->weights[STATE] = train_add_weight(t, 3, states, 0, 0.5);
    if (mode == 2)
        layer->weights[CELL] = train_add_weight(t, 3, states, 0, 0.5);
    layer->out.sizes[2] = o[DIRECTIONS] * o[HIDDEN];
    return layer->weights[mode == 2 ? CELL : STATE] >= 0;
}

/* What goes from the first layer to the second has gaps. */
static ps_tensor *mask_of(train_run *r, const train_layer *layer)
{
    if (layer->options[MASKED] == 0)
        return NULL;
    const int64_t *out = layer->out.sizes, shape[] = {1, out[0], out[1], out[2]};
    ps_arg generator = {.kind = PS_ARG_GENERATOR, .as.generator = r->generator};
    ps_tensor *ones = TRAIN(r, "ones", train_ints(4, shape), D(r->t->dtype));
    ps_tensor *mask = TRAIN(r, "dropout", T(ones), F(0.4), NONE, generator);
    ps_tensor_release(ones);
    return mask;
}

/* The sequence, with the last states added to all of its steps where they fit: gradients flow back
 * from both. */
static ps_tensor *with_last(train_run *r, const train_layer *layer, ps_tensor **made)
{
    ps_tensor *last = NULL, *sum = NULL;
    if (layer->options[DIRECTIONS] != 1)
        return train_retained(r, made[0]);
    ps_index end = {.kind = PS_INDEX_AT, .start = -1};
    last = train_index(r, made[1], 1, &end);
    sum = TRAIN(r, "add", T(made[0]), T(last));
    ps_tensor_release(last);
    return sum;
}

static ps_tensor *run_recurrent(train_run *r, const train_layer *layer, ps_tensor *x)
{
    ps_tensor *made[4] = {NULL}, *mask = mask_of(r, layer);
    train_call_several(r, "rnn",
                       ARGS(T(x), train_arg(r, layer, PARAMETERS), train_arg(r, layer, STATE),
                            S(layer->text), train_arg(r, layer, CELL),
                            layer->options[MASKED] != 0 ? T(mask) : NONE,
                            B(layer->options[DIRECTIONS] == 2)),
                       4, made);
    ps_tensor *result = with_last(r, layer, made);
    for (int i = 0; i < 4; i++)
        ps_tensor_release(made[i]);
    ps_tensor_release(mask);
    return result;
}

/* One step of a cell: its gates are the layer's features, its cell a part of them. */
static bool draw_gates(training *t, train_layer *layer)
{
    (void)t;
    int64_t *length = &layer->out.sizes[layer->out.ndim - 1];
    bool fits = *length % 4 == 0 && layer->in.form == TRAIN_VECTORS;
    *length /= 4;
    return fits;
}

static ps_tensor *run_gates(train_run *r, const train_layer *layer, ps_tensor *x)
{
    ps_index part[2] = {{PS_INDEX_RANGE, 0, PS_INDEX_NONE, 1},
                        {PS_INDEX_RANGE, 0, layer->out.sizes[1], 1}};
    ps_tensor *cell = train_index(r, x, 2, part), *made[2] = {NULL, NULL};
    train_call_several(r, "lstm_gates", ARGS(T(x), T(cell)), 2, made);
    ps_tensor *sum = TRAIN(r, "multiply", T(made[0]), T(made[1]));
    ps_tensor_release(cell);
    ps_tensor_release(made[0]);
    ps_tensor_release(made[1]);
    return sum;
}

/* ---- lines ---------------------------------------------------------------------------------- */

/* Steps as images, the batch as channels. */
static bool draw_conv1d(training *t, train_layer *layer)
{
    const int64_t *in = layer->in.sizes;
    int64_t kernel = train_pick(t, 1, in[2] < 3 ? in[2] : 3), stride = train_pick(t, 1, 2);
    int64_t shape[] = {in[1], in[1], kernel};
    layer->options[0] = stride;
    layer->weights[0] = train_add_weight(t, 3, shape, 0, 1 / sqrt((double)(in[1] * kernel)));
    layer->out.sizes[2] = (in[2] - kernel) / stride + 1;
    return layer->weights[0] >= 0;
}

static ps_tensor *run_conv1d(train_run *r, const train_layer *layer, ps_tensor *x)
{
    return TRAIN(r, "conv1d", T(x), train_arg(r, layer, 0), NONE, I(layer->options[0]));
}

/* ---- to vectors ----------------------------------------------------------------------------- */

static bool draw_last_step(training *t, train_layer *layer)
{
    (void)t;
    layer->out = (train_shape){TRAIN_VECTORS, 2, {layer->in.sizes[1], layer->in.sizes[2]}};
    return true;
}

static ps_tensor *run_last_step(train_run *r, const train_layer *layer, ps_tensor *x)
{
    (void)layer;
    ps_index end = {.kind = PS_INDEX_AT, .start = -1};
    return train_index(r, x, 1, &end);
}

static ps_tensor *run_mean_step(train_run *r, const train_layer *layer, ps_tensor *x)
{
    (void)layer;
    return TRAIN(r, "mean", T(x), INTS(0));
}

static bool draw_unroll(training *t, train_layer *layer)
{
    (void)t;
    const int64_t *in = layer->in.sizes;
    layer->out = (train_shape){TRAIN_VECTORS, 2, {in[1], in[0] * in[2]}};
    return true;
}

static ps_tensor *run_unroll(train_run *r, const train_layer *layer, ps_tensor *x)
{
    ps_tensor *turned = TRAIN(r, "permute", T(x), INTS(1, 0, 2));
    ps_tensor *made = TRAIN(r, "reshape", T(turned), train_ints(2, layer->out.sizes));
    ps_tensor_release(turned);
    return made;
}

const train_kind train_sequence_kinds[] = {
    {"recurrent", TRAIN_SEQUENCE, true, draw_recurrent, run_recurrent},
    {"recurrent", TRAIN_SEQUENCE, true, draw_recurrent, run_recurrent},
    {"recurrent", TRAIN_SEQUENCE, true, draw_recurrent, run_recurrent},
    {"gates", TRAIN_VECTORS, true, draw_gates, run_gates},
    {"conv1d", TRAIN_SEQUENCE, true, draw_conv1d, run_conv1d},
    {"last step", TRAIN_SEQUENCE, false, draw_last_step, run_last_step},
    {"mean step", TRAIN_SEQUENCE, true, draw_last_step, run_mean_step},
    {"unroll", TRAIN_SEQUENCE, false, draw_unroll, run_unroll},
};
const size_t train_sequence_count = sizeof train_sequence_kinds / sizeof train_sequence_kinds[0];
