/* Layers of images, channels first or last: convolutions, pools, and their ends. */
#include "training.h"

/* Places of options: lengths for H and W. */
enum { KERNEL, STRIDE = 2, PADDING = 4, DILATION = 6, EXTRA = 8, GROUPS = 10, FLAGS };

static ps_arg pair(const train_layer *layer, int at)
{
    return train_ints(2, layer->options + at);
}

static ps_arg layout(const train_layer *layer)
{
    return layer->in.form == TRAIN_IMAGES_LAST ? S("NHWC") : NONE;
}

static int height_axis(const train_shape *shape)
{
    return shape->form == TRAIN_IMAGES_LAST ? 1 : 2;
}

/* Windows that fit into the layer's images. */
static void draw_windows(training *t, train_layer *layer, bool dilated)
{
    for (int i = 0; i < 2; i++) {
        int64_t length = layer->in.sizes[height_axis(&layer->in) + i], *o = layer->options;
        o[KERNEL + i] = train_pick(t, 1, length < 3 ? length : 3);
        o[STRIDE + i] = train_pick(t, 1, 2);
        o[PADDING + i] = train_pick(t, 0, o[KERNEL + i] / 2);
        o[DILATION + i] = dilated && 2 * (o[KERNEL + i] - 1) < length ? train_pick(t, 1, 2) : 1;
    }
}

static int64_t windows_in(const train_layer *layer, int i)
{
    const int64_t *o = layer->options;
    int64_t length = layer->in.sizes[height_axis(&layer->in) + i] + 2 * o[PADDING + i];
    return (length - o[DILATION + i] * (o[KERNEL + i] - 1) - 1) / o[STRIDE + i] + 1;
}

static bool set_lengths(train_layer *layer, int64_t height, int64_t width)
{
    int64_t *sizes = layer->out.sizes + height_axis(&layer->out);
    sizes[0] = height;
    sizes[1] = width;
    return height > 0 && width > 0;
}

/* ---- convolutions --------------------------------------------------------------------------- */

static int64_t draw_groups(training *t, int64_t channels)
{
    return channels % 2 == 0 && train_one_in(t, 2) ? 2 : 1;
}

/* `first` and `second` channels of weights; those of the result. */
static bool draw_filters(training *t, train_layer *layer, int64_t first, int64_t second,
                         int64_t results)
{
    const int64_t *o = layer->options, shape[] = {first, second, o[KERNEL], o[KERNEL + 1]};
    double inputs = (double)(train_features(&layer->in) * shape[2] * shape[3]);
    layer->weights[0] = train_add_weight(t, 4, shape, 0, 1 / sqrt(inputs));
    if (train_one_in(t, 2))
        layer->weights[1] = train_add_weight(t, 1, &results, 0, 0.1);
    layer->out.sizes[train_feature_axis(&layer->out)] = results;
    return layer->weights[0] >= 0;
}

static bool draw_conv(training *t, train_layer *layer)
{
    int64_t channels = train_features(&layer->in);
    draw_windows(t, layer, true);
    int64_t groups = layer->options[GROUPS] = draw_groups(t, channels);
    int64_t results = groups * train_pick(t, 1, t->large ? 8 : 3);
    return set_lengths(layer, windows_in(layer, 0), windows_in(layer, 1)) &&
           draw_filters(t, layer, results, channels / groups, results);
}

static ps_tensor *run_conv(train_run *r, const train_layer *layer, ps_tensor *x)
{
    return TRAIN(r, "conv2d", T(x), train_arg(r, layer, 0), train_arg(r, layer, 1),
                 pair(layer, STRIDE), pair(layer, PADDING), pair(layer, DILATION),
                 I(layer->options[GROUPS]), layout(layer));
}

/* How long the result is of which there would be that many windows. */
static int64_t length_before(const train_layer *layer, int i)
{
    const int64_t *o = layer->options;
    int64_t length = layer->in.sizes[height_axis(&layer->in) + i];
    return (length - 1) * o[STRIDE + i] - 2 * o[PADDING + i] +
           o[DILATION + i] * (o[KERNEL + i] - 1) + 1 + o[EXTRA + i];
}

static bool draw_transpose(training *t, train_layer *layer)
{
    int64_t channels = train_features(&layer->in);
    draw_windows(t, layer, true);
    for (int i = 0; i < 2; i++)
        layer->options[EXTRA + i] = train_pick(t, 0, layer->options[STRIDE + i] - 1);
    int64_t groups = layer->options[GROUPS] = draw_groups(t, channels);
    int64_t results = train_pick(t, 1, 3);
    return set_lengths(layer, length_before(layer, 0), length_before(layer, 1)) &&
           draw_filters(t, layer, channels, results, results * groups);
}

static ps_tensor *run_transpose(train_run *r, const train_layer *layer, ps_tensor *x)
{
    return TRAIN(r, "conv2d_transpose", T(x), train_arg(r, layer, 0), train_arg(r, layer, 1),
                 pair(layer, STRIDE), pair(layer, PADDING), pair(layer, EXTRA),
                 pair(layer, DILATION), I(layer->options[GROUPS]), layout(layer));
}

/* ---- pools ---------------------------------------------------------------------------------- */

static bool draw_pool(training *t, train_layer *layer)
{
    draw_windows(t, layer, false);
    layer->options[FLAGS] = train_pick(t, 0, 1);
    layer->text = train_one_in(t, 2) ? "max_pool2d" : "avg_pool2d";
    return set_lengths(layer, windows_in(layer, 0), windows_in(layer, 1));
}

static ps_tensor *run_pool(train_run *r, const train_layer *layer, ps_tensor *x)
{
    ps_arg kernel = pair(layer, KERNEL), stride = pair(layer, STRIDE);
    if (strcmp(layer->text, "max_pool2d") == 0)
        return TRAIN(r, layer->text, T(x), kernel, stride, pair(layer, PADDING), B(false),
                     layout(layer));
    return TRAIN(r, layer->text, T(x), kernel, stride, pair(layer, PADDING), B(false),
                 B(layer->options[FLAGS] != 0), layout(layer));
}

/* ---- to vectors ----------------------------------------------------------------------------- */

static bool become_vectors(train_layer *layer, int64_t features)
{
    layer->out = (train_shape){TRAIN_VECTORS, 2, {layer->in.sizes[0], features}};
    return true;
}

static bool draw_global_pool(training *t, train_layer *layer)
{
    layer->text = train_one_in(t, 2) ? "global_max_pool2d" : "global_avg_pool2d";
    return become_vectors(layer, train_features(&layer->in));
}

static ps_tensor *as_vectors(train_run *r, const train_layer *layer, ps_tensor *x)
{
    return TRAIN(r, "reshape", T(x), train_ints(2, layer->out.sizes));
}

static ps_tensor *run_global_pool(train_run *r, const train_layer *layer, ps_tensor *x)
{
    ps_tensor *pixels = TRAIN(r, layer->text, T(x), layout(layer));
    ps_tensor *made = as_vectors(r, layer, pixels);
    ps_tensor_release(pixels);
    return made;
}

static bool draw_flatten(training *t, train_layer *layer)
{
    (void)t;
    return become_vectors(layer, train_count(&layer->in) / layer->in.sizes[0]);
}

/* Channels behind all else, or before it. */
static bool draw_turn(training *t, train_layer *layer)
{
    const int64_t *in = layer->in.sizes;
    (void)t;
    layer->out = layer->in.form == TRAIN_IMAGES
                     ? (train_shape){TRAIN_IMAGES_LAST, 4, {in[0], in[2], in[3], in[1]}}
                     : (train_shape){TRAIN_IMAGES, 4, {in[0], in[3], in[1], in[2]}};
    return true;
}

static ps_tensor *run_turn(train_run *r, const train_layer *layer, ps_tensor *x)
{
    bool last = layer->in.form == TRAIN_IMAGES_LAST;
    return TRAIN(r, "permute", T(x), last ? INTS(0, 3, 1, 2) : INTS(0, 2, 3, 1));
}

const train_kind train_image_kinds[] = {
    {"conv2d", TRAIN_PICTURES, true, draw_conv, run_conv},
    {"conv2d", TRAIN_PICTURES, true, draw_conv, run_conv},
    {"conv2d_transpose", TRAIN_PICTURES, true, draw_transpose, run_transpose},
    {"pool", TRAIN_PICTURES, true, draw_pool, run_pool},
    {"pool", TRAIN_PICTURES, true, draw_pool, run_pool},
    {"global pool", TRAIN_PICTURES, false, draw_global_pool, run_global_pool},
    {"flatten", TRAIN_PICTURES, false, draw_flatten, as_vectors},
    {"turn", TRAIN_PICTURES, false, draw_turn, run_turn},
};
const size_t train_image_count = sizeof train_image_kinds / sizeof train_image_kinds[0];
