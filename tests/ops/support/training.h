/* Random training programs: a network, a loss and an optimiser, drawn from a seed, and some steps.
 *
 *   training.c            draws a program; its text
 *   training_layers.c     the kinds of layers that any network has
 *   training_images.c     ... that have images
 *   training_sequences.c  ... that have sequences
 *   training_losses.c     losses, and what they compare with
 *   training_updates.c    optimisers and their numbers
 *   training_run.c        runs a program, step by step
 *   training_log.c        what a run has come to, bit by bit
 *
 * All about a program, sizes too, is known before it runs and does not depend on what it computes: its
 * course is the same however it is run. Nothing here asserts: a run notes the first call that fails and
 * does nothing from there on, so that it may be run with little memory and in forked children. */
#ifndef PS_TESTS_OPS_TRAINING_H
#define PS_TESTS_OPS_TRAINING_H

#include "ops/help.h"

#include "program.h"

enum {
    TRAIN_LAYERS = 9,
    TRAIN_VALUES = TRAIN_LAYERS + 1, /* the input, and what each layer makes */
    TRAIN_WEIGHTS = 40,
    TRAIN_STATES = 3,
    TRAIN_STEPS = 4,
    TRAIN_NUMBERS = 11, /* of an optimiser */
    TRAIN_OPTIONS = 12  /* of a layer */
};

/* What a value is; and sets of these. */
typedef enum train_form {
    TRAIN_VECTORS = 1,     /* (batch, features) */
    TRAIN_IMAGES = 2,      /* (batch, channels, height, width) */
    TRAIN_IMAGES_LAST = 4, /* (batch, height, width, channels) */
    TRAIN_SEQUENCE = 8,    /* (steps, batch, features) */
    TRAIN_IDS = 16,        /* (steps, batch), integers */
    TRAIN_PICTURES = TRAIN_IMAGES | TRAIN_IMAGES_LAST,
    TRAIN_REAL = TRAIN_VECTORS | TRAIN_PICTURES | TRAIN_SEQUENCE
} train_form;

typedef struct train_shape {
    train_form form;
    int ndim;
    int64_t sizes[4];
} train_shape;

typedef enum train_role {
    TRAIN_LEARNED,
    TRAIN_FROZEN,   /* has no gradient, and stays */
    TRAIN_STATISTIC /* has none; a layer moves it on */
} train_role;

typedef struct train_weight {
    train_role role;
    int ndim;
    int64_t shape[4];
    double mean, spread; /* of what it begins with */
} train_weight;

typedef struct train_layer train_layer;
typedef struct training training;
typedef struct train_run train_run;

/* A kind of layer. */
typedef struct train_kind {
    const char *name;
    unsigned forms; /* of values that it takes: train_form */
    bool fresh;     /* what it makes shares no elements with what it takes */
    /* Fills in what the layer makes of `in`: `out`, options, weights. False: it does not fit. */
    bool (*draw)(training *t, train_layer *layer);
    ps_tensor *(*run)(train_run *r, const train_layer *layer, ps_tensor *x);
} train_kind;

struct train_layer {
    const train_kind *kind;
    train_shape in, out;
    int weights[4]; /* numbers of weights; -1: none */
    int other;      /* number of another value, or -1 */
    bool paused;    /* not recorded */
    int64_t options[TRAIN_OPTIONS];
    double number;
    const char *text; /* NULL: none */
};

typedef struct train_loss train_loss;
typedef struct train_optimiser train_optimiser;

/* A number of an optimiser, and how it is given. */
typedef enum train_way { TRAIN_FOR_ALL, TRAIN_FOR_EACH, TRAIN_AS_TENSOR } train_way;
typedef struct train_number {
    double value;
    train_way way;
} train_number;

struct training {
    uint64_t seed, random; /* random: where drawing stands */
    ps_dtype dtype;
    bool large; /* enough elements for work that is divided */
    int64_t batch;
    unsigned nlayers, nweights, nsteps;
    train_shape input;
    train_layer layers[TRAIN_LAYERS];
    train_weight weights[TRAIN_WEIGHTS];
    int last_use[TRAIN_VALUES]; /* number of the last layer that reads a value */

    const train_loss *loss;
    int64_t classes;
    bool summed, whole; /* the loss is a sum, not a mean; the head is not reduced at all */
    int64_t ignored;    /* label; -1: none */
    double smoothing, parameter;

    const train_optimiser *optimiser;
    train_number numbers[TRAIN_NUMBERS];
    ps_schedule schedule;
    double clip;          /* of the global norm; 0: none */
    bool adds, retains;   /* gradients are added up over two batches; each is walked twice */
    bool reads_each_step; /* its loss */
    int penalised;        /* number of a weight whose gradient should be small; -1: none */
};

struct train_run {
    const training *t;
    ps_status status; /* of the first call that failed */
    const char *call; /* that one; NULL: none */
    ps_generator *generator;
    ps_tensor *weights[TRAIN_WEIGHTS], *states[TRAIN_STATES][TRAIN_WEIGHTS];
    ps_tensor *values[TRAIN_VALUES]; /* of the step that runs */
    ps_tensor *losses[TRAIN_STEPS];
    unsigned step;
    void (*before_walk)(train_run *r); /* NULL: none; called when a loss is queued */
};

struct train_loss {
    const char *name;
    ps_tensor *(*run)(train_run *r, const train_loss *loss, ps_tensor *x);
    const char *before; /* a row that is applied to x first; NULL: none */
    ps_tensor *(*target)(train_run *r);
};

struct train_optimiser {
    const char *name;
    unsigned states;
    const char *numbers; /* a letter for each, by the signature: training_updates.c */
};

/* ---- drawing -------------------------------------------------------------------------------- */

void training_draw(training *t, uint64_t seed);
/* The same with the input of that form. */
void training_draw_of(training *t, uint64_t seed, train_form form);
void training_print(const training *t, FILE *out);

/* low .. high. */
static inline int64_t train_pick(training *t, int64_t low, int64_t high)
{
    return low + program_pick(&t->random, high - low + 1);
}

static inline bool train_one_in(training *t, int64_t count)
{
    return program_pick(&t->random, count) == 0;
}

static inline double train_between(training *t, double low, double high)
{
    return low + (high - low) * (double)program_pick(&t->random, 1 << 20) / (1 << 20);
}

/* The number of a new weight; -1 if there are too many. */
int train_add_weight(training *t, int ndim, const int64_t *shape, double mean, double spread);
int64_t train_count(const train_shape *shape);
/* The length of its features or channels, and their axis. */
int train_feature_axis(const train_shape *shape);
int64_t train_features(const train_shape *shape);

extern const train_kind train_plain_kinds[], train_image_kinds[], train_sequence_kinds[];
extern const size_t train_plain_count, train_image_count, train_sequence_count;
extern const train_kind train_dense_kind, train_embedding_kind;
bool train_draw_dense(training *t, train_layer *layer, int64_t outputs);
void train_draw_loss(training *t);
void train_draw_updates(training *t);

/* ---- running -------------------------------------------------------------------------------- */

void train_start(train_run *r, const training *t);
/* One step: batches, walks, update. */
void train_step(train_run *r);
void train_end(train_run *r);

/* Calls a row, unless something has failed; NULL then. */
ps_tensor *train_call(train_run *r, const char *name, size_t nargs, const ps_arg *args);
/* The same for a row with several outputs, some of which may be given. */
void train_call_several(train_run *r, const char *name, size_t nargs, const ps_arg *args,
                        size_t count, ps_tensor **outputs);
/* The same into a tensor. */
void train_call_into(train_run *r, const char *name, size_t nargs, const ps_arg *args,
                     ps_tensor *into);
#define TRAIN(r, name, ...) train_call(r, name, ARGS(__VA_ARGS__))

void train_note(train_run *r, const char *call, ps_status status);
ps_tensor *train_retained(train_run *r, ps_tensor *x);
ps_tensor *train_index(train_run *r, ps_tensor *x, size_t count, const ps_index *index);
/* Normal numbers, the same however the program is run. */
ps_tensor *train_normal(train_run *r, int ndim, const int64_t *shape, double mean, double spread);
/* Integers from 0 to one less than `end`. */
ps_tensor *train_integers(train_run *r, int ndim, const int64_t *shape, int64_t end);
ps_tensor *train_run_loss(train_run *r, ps_tensor *x);
void train_run_update(train_run *r);
/* The gradients of all that is learned, retained; how many. */
unsigned train_gradients(train_run *r, unsigned *which, ps_tensor **gradients);

static inline ps_arg train_ints(int count, const int64_t *ints)
{
    return (ps_arg){.kind = PS_ARG_INTS, .count = (uint32_t)count, .as.ints = ints};
}

/* The layer's weight of that place; none if it has none. */
static inline ps_arg train_arg(const train_run *r, const train_layer *layer, int place)
{
    int number = layer->weights[place];
    return number < 0 ? NONE : T(r->weights[number]);
}

/* ---- logs ----------------------------------------------------------------------------------- */

enum { TRAIN_ENTRIES = TRAIN_WEIGHTS * (TRAIN_STATES + 2) + TRAIN_STEPS };

typedef struct train_entry {
    char name[40];
    ps_status status; /* of reading it */
    size_t bytes, item;
    unsigned char *elements; /* `bytes` of them, or NULL */
} train_entry;

typedef struct train_log {
    unsigned count;
    train_entry entries[TRAIN_ENTRIES];
    ps_status status; /* of the run */
    char error[320];
} train_log;

/* Reads everything: weights, states, gradients, losses. */
void train_read(train_run *r, train_log *log);
void train_log_free(train_log *log);
bool train_entry_same(const train_entry *a, const train_entry *b);
/* False, with a text, if they differ, or if something failed. */
bool train_log_same(const train_log *a, const train_log *b, char *text, size_t room);
/* How many elements there are, and how many of them are no numbers. */
void train_log_tell(const train_log *log, ps_dtype dtype, uint64_t *all, uint64_t *strange);

#endif
