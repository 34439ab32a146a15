/* Drawing training programs from a seed, and their text. */
#include "training.h"

enum { TRIES = 30 };

int64_t train_count(const train_shape *shape)
{
    int64_t count = 1;
    for (int i = 0; i < shape->ndim; i++)
        count *= shape->sizes[i];
    return count;
}

int train_feature_axis(const train_shape *shape)
{
    return shape->form == TRAIN_IMAGES ? 1 : shape->ndim - 1;
}

int64_t train_features(const train_shape *shape)
{
    return shape->sizes[train_feature_axis(shape)];
}

int train_add_weight(training *t, int ndim, const int64_t *shape, double mean, double spread)
{
    if (t->nweights == TRAIN_WEIGHTS)
        return -1;
    train_weight *w = &t->weights[t->nweights];
    *w = (train_weight){.ndim = ndim, .mean = mean, .spread = spread};
    memcpy(w->shape, shape, (size_t)ndim * sizeof shape[0]);
    w->role = train_one_in(t, 9) ? TRAIN_FROZEN : TRAIN_LEARNED;
    return (int)t->nweights++;
}

/* ---- inputs --------------------------------------------------------------------------------- */

static train_shape shape_of(train_form form, int ndim, const int64_t *sizes)
{
    train_shape shape = {.form = form, .ndim = ndim};
    memcpy(shape.sizes, sizes, (size_t)ndim * sizeof sizes[0]);
    return shape;
}

static train_shape image_input(training *t, train_form form)
{
    int64_t most = t->large ? 24 : 7, channels = train_pick(t, 1, t->large ? 16 : 4);
    int64_t height = train_pick(t, 3, most), width = train_pick(t, 3, most);
    if (form == TRAIN_IMAGES)
        return shape_of(form, 4, (int64_t[]){t->batch, channels, height, width});
    return shape_of(form, 4, (int64_t[]){t->batch, height, width, channels});
}

static train_shape draw_input(training *t, train_form form)
{
    int64_t features = train_pick(t, 1, t->large ? 600 : 9), steps = train_pick(t, 1, 5);
    switch (form) {
    case TRAIN_IMAGES:
    case TRAIN_IMAGES_LAST:
        return image_input(t, form);
    case TRAIN_SEQUENCE:
        return shape_of(form, 3, (int64_t[]){steps, t->batch, features});
    case TRAIN_IDS:
        return shape_of(form, 2, (int64_t[]){steps, t->batch});
    default:
        return shape_of(TRAIN_VECTORS, 2, (int64_t[]){t->batch, features});
    }
}

static train_form draw_form(training *t)
{
    static const train_form forms[] = {TRAIN_VECTORS,  TRAIN_IMAGES,   TRAIN_IMAGES_LAST,
                                       TRAIN_SEQUENCE, TRAIN_SEQUENCE, TRAIN_IDS};
    return forms[train_pick(t, 0, 5)];
}

/* ---- layers --------------------------------------------------------------------------------- */

static const train_kind *draw_kind(training *t)
{
    int64_t at =
        train_pick(t, 0,
                   (int64_t)(train_plain_count + train_image_count + train_sequence_count) - 1);
    if ((size_t)at < train_plain_count)
        return &train_plain_kinds[at];
    at -= (int64_t)train_plain_count;
    if ((size_t)at < train_image_count)
        return &train_image_kinds[at];
    return &train_sequence_kinds[at - (int64_t)train_image_count];
}

static train_layer new_layer(const training *t, const train_kind *kind)
{
    train_layer layer = {.kind = kind, .other = -1, .weights = {-1, -1, -1, -1}};
    layer.in = t->nlayers == 0 ? t->input : t->layers[t->nlayers - 1].out;
    layer.out = layer.in;
    return layer;
}

/* Adds the layer if it fits; else nothing of it is left. */
static bool add_layer(training *t, const train_kind *kind)
{
    train_layer layer = new_layer(t, kind);
    unsigned weights = t->nweights;
    int64_t most = t->large ? 300000 : 3000;
    if (t->nlayers == TRAIN_LAYERS || (kind->forms & layer.in.form) == 0 ||
        !kind->draw(t, &layer) || train_count(&layer.out) > most) {
        t->nweights = weights;
        return false;
    }
    layer.paused = kind->fresh && train_one_in(t, 12);
    t->layers[t->nlayers++] = layer;
    return true;
}

/* Whatever it ends with becomes vectors by one of the kinds. */
static void end_in_vectors(training *t)
{
    while (t->layers[t->nlayers - 1].out.form != TRAIN_VECTORS) {
        unsigned weights = t->nweights;
        const train_kind *kind = draw_kind(t);
        train_layer layer = new_layer(t, kind);
        if ((kind->forms & layer.in.form) != 0 && kind->draw(t, &layer) &&
            layer.out.form == TRAIN_VECTORS)
            t->layers[t->nlayers++] = layer;
        else
            t->nweights = weights;
    }
}

static void add_head(training *t)
{
    train_layer layer = new_layer(t, &train_dense_kind);
    (void)train_draw_dense(t, &layer, t->classes);
    for (int i = 0; i < 2; i++)
        if (layer.weights[i] >= 0)
            t->weights[layer.weights[i]].role = TRAIN_LEARNED;
    t->layers[t->nlayers++] = layer;
}

static void find_last_uses(training *t)
{
    for (unsigned i = 0; i < t->nlayers; i++) {
        t->last_use[i] = (int)i;
        if (t->layers[i].other >= 0)
            t->last_use[t->layers[i].other] = (int)i;
    }
}

static void draw_network(training *t)
{
    unsigned body = (unsigned)train_pick(t, 1, TRAIN_LAYERS - 2);
    if (t->input.form == TRAIN_IDS)
        (void)add_layer(t, &train_embedding_kind);
    for (int i = 0; i < TRIES && t->nlayers < body; i++)
        (void)add_layer(t, draw_kind(t));
    if (t->nlayers == 0)
        (void)add_layer(t, &train_plain_kinds[0]);
    t->classes = train_pick(t, 2, 6);
    end_in_vectors(t);
    add_head(t);
    find_last_uses(t);
}

/* ---- programs ------------------------------------------------------------------------------- */

static ps_dtype draw_dtype(training *t)
{
    static const ps_dtype dtypes[] = {PS_FLOAT32, PS_FLOAT32, PS_FLOAT32,  PS_FLOAT32, PS_FLOAT32,
                                      PS_FLOAT64, PS_FLOAT64, PS_BFLOAT16, PS_FLOAT16};
    return dtypes[train_pick(t, 0, 8)];
}

void training_draw_of(training *t, uint64_t seed, train_form form)
{
    *t = (training){.seed = seed, .random = seed * UINT64_C(0x9e3779b97f4a7c15) + 1};
    t->dtype = draw_dtype(t);
    t->large = train_one_in(t, 5);
    t->batch = train_pick(t, 1, t->large ? 128 : 5);
    t->nsteps = (unsigned)train_pick(t, 2, TRAIN_STEPS);
    t->input = draw_input(t, form != 0 ? form : draw_form(t));
    draw_network(t);
    train_draw_loss(t);
    train_draw_updates(t);
}

void training_draw(training *t, uint64_t seed)
{
    training_draw_of(t, seed, 0);
}

/* ---- text ----------------------------------------------------------------------------------- */

static void print_shape(const train_shape *shape, FILE *out)
{
    fputc('(', out);
    for (int i = 0; i < shape->ndim; i++)
        fprintf(out, "%s%jd", i > 0 ? ", " : "", (intmax_t)shape->sizes[i]);
    fputc(')', out);
}

/* Those behind the last that is not 0 say nothing. */
static int options_of(const train_layer *layer)
{
    int count = TRAIN_OPTIONS;
    while (count > 0 && layer->options[count - 1] == 0)
        count--;
    return count;
}

static void print_layer(const training *t, unsigned i, FILE *out)
{
    const train_layer *layer = &t->layers[i];
    fprintf(out, "  %u: %s%s%s", i, layer->kind->name, layer->text != NULL ? " " : "",
            layer->text != NULL ? layer->text : "");
    for (int k = 0; k < options_of(layer); k++)
        fprintf(out, " %jd", (intmax_t)layer->options[k]);
    if (layer->number != 0)
        fprintf(out, " %g", layer->number);
    fputs(" -> ", out);
    print_shape(&layer->out, out);
    for (int k = 0; k < 4; k++)
        if (layer->weights[k] >= 0)
            fprintf(out, " w%d%s", layer->weights[k],
                    t->weights[layer->weights[k]].role == TRAIN_FROZEN ? " frozen" : "");
    if (layer->other >= 0)
        fprintf(out, " with value %d", layer->other);
    fputs(layer->paused ? " paused\n" : "\n", out);
}

void training_print(const training *t, FILE *out)
{
    fprintf(out, "seed %ju, %s, %u steps, input ", (uintmax_t)t->seed, ps_dtype_name(t->dtype),
            t->nsteps);
    print_shape(&t->input, out);
    fputc('\n', out);
    for (unsigned i = 0; i < t->nlayers; i++)
        print_layer(t, i, out);
    fprintf(out, "  %s%s%s, ignored %jd, smoothing %g, parameter %g\n  %s", t->loss->name,
            t->summed ? " summed" : "", t->whole ? " whole" : "", (intmax_t)t->ignored,
            t->smoothing, t->parameter, t->optimiser->name);
    for (size_t i = 0; i < strlen(t->optimiser->numbers); i++)
        fprintf(out, " %c=%g%s", t->optimiser->numbers[i], t->numbers[i].value,
                t->numbers[i].way == TRAIN_FOR_EACH    ? " each"
                : t->numbers[i].way == TRAIN_AS_TENSOR ? " tensor"
                                                       : "");
    fprintf(out, ", schedule %ju, clip %g%s%s", (uintmax_t)t->schedule.kind, t->clip,
            t->adds ? ", added up" : "", t->retains ? ", retained" : "");
    if (t->penalised >= 0)
        fprintf(out, ", gradient of w%d penalised", t->penalised);
    fputc('\n', out);
}
