/* Layers that any network has. */
#include "training.h"

/* ---- dense ---------------------------------------------------------------------------------- */

static const char *const epilogues[] = {"relu", "tanh", "sigmoid", "gelu"};

/* An earlier matrix of that shape, for weights that are shared; -1: none. */
static int same_matrix(const training *t, int64_t rows, int64_t columns)
{
    for (unsigned i = 0; i < t->nweights; i++)
        if (t->weights[i].ndim == 2 && t->weights[i].shape[0] == rows &&
            t->weights[i].shape[1] == columns)
            return (int)i;
    return -1;
}

bool train_draw_dense(training *t, train_layer *layer, int64_t outputs)
{
    int64_t inputs = train_features(&layer->in), shape[] = {outputs, inputs};
    layer->out.sizes[layer->out.ndim - 1] = outputs;
    layer->weights[0] = train_one_in(t, 2) ? same_matrix(t, outputs, inputs) : -1;
    if (layer->weights[0] < 0)
        layer->weights[0] = train_add_weight(t, 2, shape, 0, 1 / sqrt((double)inputs));
    if (!train_one_in(t, 3))
        layer->weights[1] = train_add_weight(t, 1, shape, 0, 0.1);
    return layer->weights[0] >= 0;
}

static bool draw_dense(training *t, train_layer *layer)
{
    int64_t inputs = train_features(&layer->in);
    bool square = train_one_in(t, 3);
    if (train_one_in(t, 2))
        layer->text = epilogues[train_pick(t, 0, 3)];
    return train_draw_dense(t, layer, square ? inputs : train_pick(t, 1, t->large ? 400 : 8));
}

static ps_tensor *run_dense(train_run *r, const train_layer *layer, ps_tensor *x)
{
    return TRAIN(r, "linear", T(x), train_arg(r, layer, 0), train_arg(r, layer, 1),
                 layer->text != NULL ? S(layer->text) : NONE);
}

const train_kind train_dense_kind = {"dense", TRAIN_VECTORS | TRAIN_SEQUENCE, true, draw_dense,
                                     run_dense};

/* ---- one value ------------------------------------------------------------------------------ */

static bool draw_activation(training *t, train_layer *layer)
{
    static const char *const names[] = {"relu",    "relu6",    "leaky_relu", "elu",
                                        "sigmoid", "softplus", "softsign",   "silu",
                                        "gelu",    "mish",     "hard_swish", "softmax"};
    layer->text = names[train_pick(t, 0, 11)];
    return true;
}

static ps_tensor *run_activation(train_run *r, const train_layer *layer, ps_tensor *x)
{
    return TRAIN(r, layer->text, T(x));
}

static bool draw_dropout(training *t, train_layer *layer)
{
    layer->number = train_between(t, 0.1, 0.7);
    layer->options[0] = train_one_in(t, 3) ? train_pick(t, 0, layer->in.ndim - 1) : -1;
    return true;
}

static ps_tensor *run_dropout(train_run *r, const train_layer *layer, ps_tensor *x)
{
    ps_arg generator = {.kind = PS_ARG_GENERATOR, .as.generator = r->generator};
    return TRAIN(r, "dropout", T(x), F(layer->number),
                 layer->options[0] < 0 ? NONE : INTS(layer->options[0]), generator);
}

/* Every other feature, or all but the first: a view. */
static bool draw_slice(training *t, train_layer *layer)
{
    int64_t *length = &layer->out.sizes[layer->in.ndim - 1];
    if (*length < 2 || (layer->in.form & TRAIN_PICTURES) != 0)
        return false;
    layer->options[0] = train_pick(t, 1, 2);
    *length = layer->options[0] == 1 ? *length - 1 : (*length + 1) / 2;
    return true;
}

static ps_tensor *run_slice(train_run *r, const train_layer *layer, ps_tensor *x)
{
    ps_index index[3];
    int last = layer->in.ndim - 1;
    for (int i = 0; i <= last; i++)
        index[i] = (ps_index){PS_INDEX_RANGE, 0, PS_INDEX_NONE, 1};
    index[last].step = layer->options[0];
    index[last].start = layer->options[0] == 1;
    return train_index(r, x, (size_t)layer->in.ndim, index);
}

/* Written in place. */
static bool draw_scale(training *t, train_layer *layer)
{
    layer->number = train_between(t, 0.5, 1.5);
    return t->nlayers > 0;
}

static ps_tensor *run_scale(train_run *r, const train_layer *layer, ps_tensor *x)
{
    train_call_into(r, "multiply", ARGS(T(x), F(layer->number)), x);
    return train_retained(r, x);
}

/* ---- several values ------------------------------------------------------------------------- */

static train_shape value_shape(const training *t, int number)
{
    return number == 0 ? t->input : t->layers[number - 1].out;
}

static bool same_but(const train_shape *a, const train_shape *b, int axis)
{
    bool same = a->form == b->form && a->ndim == b->ndim;
    for (int i = 0; same && i < a->ndim; i++)
        same = i == axis || a->sizes[i] == b->sizes[i];
    return same;
}

/* An earlier value that is like the layer's in all axes but one (-1: in all); -1: none. */
static int earlier(const training *t, const train_layer *layer, int axis)
{
    for (int i = 0; i < (int)t->nlayers; i++) {
        train_shape shape = value_shape(t, i);
        if (same_but(&shape, &layer->in, axis))
            return i;
    }
    return -1;
}

static bool draw_residual(training *t, train_layer *layer)
{
    layer->other = earlier(t, layer, -1);
    return layer->other >= 0;
}

static ps_tensor *run_residual(train_run *r, const train_layer *layer, ps_tensor *x)
{
    return TRAIN(r, "add", T(x), T(r->values[layer->other]));
}

static bool draw_concatenation(training *t, train_layer *layer)
{
    int axis = train_feature_axis(&layer->in);
    layer->other = earlier(t, layer, axis);
    if (layer->other < 0)
        return false;
    train_shape shape = value_shape(t, layer->other);
    layer->out.sizes[axis] += shape.sizes[axis];
    return true;
}

static ps_tensor *run_concatenation(train_run *r, const train_layer *layer, ps_tensor *x)
{
    ps_tensor *both[] = {x, r->values[layer->other]};
    return TRAIN(r, "concatenate", ps_arg_tensors(both, 2), I(train_feature_axis(&layer->in)));
}

/* softmax(x x') x, of the last two axes. */
static bool draw_attention(training *t, train_layer *layer)
{
    (void)t;
    return train_count(&layer->in) <= 20000;
}

static ps_tensor *run_attention(train_run *r, const train_layer *layer, ps_tensor *x)
{
    static const int64_t axes[] = {1, 0, 0, 2, 1};
    const int64_t *order = layer->in.ndim == 2 ? axes : axes + 2;
    ps_tensor *turned = TRAIN(r, "permute", T(x), train_ints(layer->in.ndim, order));
    ps_tensor *scores = TRAIN(r, "matmul", T(x), T(turned));
    ps_tensor *shares = TRAIN(r, "softmax", T(scores));
    ps_tensor *made = TRAIN(r, "matmul", T(shares), T(x));
    ps_tensor_release(turned);
    ps_tensor_release(scores);
    ps_tensor_release(shares);
    return made;
}

/* ---- norms ---------------------------------------------------------------------------------- */

/* A factor and a summand for each feature, of which each may be missing. */
static void draw_scales(training *t, train_layer *layer, int64_t length)
{
    if (!train_one_in(t, 4))
        layer->weights[0] = train_add_weight(t, 1, &length, 1, 0.1);
    if (!train_one_in(t, 4))
        layer->weights[1] = train_add_weight(t, 1, &length, 0, 0.1);
    layer->number = train_one_in(t, 2) ? 1e-3 : 1e-5;
}

static bool draw_layer_norm(training *t, train_layer *layer)
{
    draw_scales(t, layer, layer->in.sizes[layer->in.ndim - 1]);
    return true;
}

static ps_tensor *run_layer_norm(train_run *r, const train_layer *layer, ps_tensor *x)
{
    return TRAIN(r, "layer_norm", T(x), train_arg(r, layer, 0), train_arg(r, layer, 1), NONE,
                 F(layer->number));
}

static ps_tensor *run_rms_norm(train_run *r, const train_layer *layer, ps_tensor *x)
{
    return TRAIN(r, "rms_norm", T(x), train_arg(r, layer, 0), F(layer->number));
}

static int statistic(training *t, int64_t length, double mean)
{
    int number = train_add_weight(t, 1, &length, mean, 0);
    if (number >= 0)
        t->weights[number].role = TRAIN_STATISTIC;
    return number;
}

static bool draw_batch_norm(training *t, train_layer *layer)
{
    int64_t length = train_features(&layer->in);
    draw_scales(t, layer, length);
    layer->weights[2] = statistic(t, length, 0);
    layer->weights[3] = statistic(t, length, 1);
    layer->options[0] = !train_one_in(t, 5); /* training */
    return layer->weights[3] >= 0;
}

static ps_tensor *run_batch_norm(train_run *r, const train_layer *layer, ps_tensor *x)
{
    ps_tensor *made[3] = {NULL, r->weights[layer->weights[2]], r->weights[layer->weights[3]]};
    train_call_several(r, "batch_norm",
                       ARGS(T(x), train_arg(r, layer, 0), train_arg(r, layer, 1), T(made[1]),
                            T(made[2]), F(0.8), F(layer->number), I(train_feature_axis(&layer->in)),
                            B(layer->options[0] != 0)),
                       3, made);
    return made[0];
}

static bool draw_group_norm(training *t, train_layer *layer)
{
    int64_t channels = layer->in.sizes[1];
    layer->options[0] = channels % 2 == 0 && train_one_in(t, 2) ? 2 : 1;
    layer->text = train_one_in(t, 3) ? "instance_norm" : "group_norm";
    draw_scales(t, layer, channels);
    return layer->in.form == TRAIN_IMAGES;
}

static ps_tensor *run_group_norm(train_run *r, const train_layer *layer, ps_tensor *x)
{
    ps_arg scale = train_arg(r, layer, 0), shift = train_arg(r, layer, 1), eps = F(layer->number);
    if (strcmp(layer->text, "instance_norm") == 0)
        return TRAIN(r, layer->text, T(x), scale, shift, eps);
    return TRAIN(r, layer->text, T(x), scale, shift, I(layer->options[0]), eps);
}

const train_kind train_plain_kinds[] = {
    {"activation", TRAIN_REAL, true, draw_activation, run_activation},
    {"dense", TRAIN_VECTORS | TRAIN_SEQUENCE, true, draw_dense, run_dense},
    {"dropout", TRAIN_REAL, true, draw_dropout, run_dropout},
    {"slice", TRAIN_REAL, false, draw_slice, run_slice},
    {"scale", TRAIN_REAL, false, draw_scale, run_scale},
    {"residual", TRAIN_REAL, true, draw_residual, run_residual},
    {"concatenation", TRAIN_REAL, true, draw_concatenation, run_concatenation},
    {"attention", TRAIN_VECTORS | TRAIN_SEQUENCE, true, draw_attention, run_attention},
    {"layer_norm", TRAIN_REAL, true, draw_layer_norm, run_layer_norm},
    {"rms_norm", TRAIN_REAL, true, draw_layer_norm, run_rms_norm},
    {"batch_norm", TRAIN_REAL, true, draw_batch_norm, run_batch_norm},
    {"group_norm", TRAIN_IMAGES, true, draw_group_norm, run_group_norm},
};
const size_t train_plain_count = sizeof train_plain_kinds / sizeof train_plain_kinds[0];
