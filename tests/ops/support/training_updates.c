/* Optimisers: rows of updates with numbers that are drawn, and what they need at each step. */
#include "training.h"

/* Letters of numbers:
 *   r rate   m momentum  f factor   g gain     G gain of squares   e epsilon  i inside
 *   a correct1  b correct2  d shrink  l l1  t beta   s rescale  c clip  w decay */
static const train_optimiser optimisers[] = {
    {"sgd_update", 0, "rscw"},
    {"momentum_update", 1, "rmfscw"},
    {"nesterov_update", 1, "rmfscw"},
    {"adam_update", 2, "rgGeiabdscw"},
    {"adagrad_update", 1, "reidscw"},
    {"adadelta_update", 2, "rGidscw"},
    {"rmsprop_update", 1, "rGeiscw"},
    {"rmsprop_momentum_update", 2, "rmfGeiscw"},
    {"rmsprop_centered_update", 3, "rmfGeiscw"},
    {"ftrl_update", 2, "rltscw"},
};

/* The values that a number may have. */
typedef struct range {
    char letter;
    double low, high;
} range;

static const range ranges[] = {
    {'r', 0.01, 0.2},   {'m', 0.5, 0.95},  {'f', 0.5, 1},   {'g', 0.05, 0.3}, {'G', 0.01, 0.3},
    {'e', 1e-4, 1e-2},  {'i', 1e-4, 1e-2}, {'a', 0.8, 1.5}, {'b', 0.8, 1.5},  {'d', 0, 0.1},
    {'l', 0.001, 0.05}, {'t', 0.5, 1.5},   {'s', 0.3, 1},   {'c', 0.05, 5},   {'w', 0, 0.1},
};

static double draw_number(training *t, char letter)
{
    const range *found = ranges;
    while (found->letter != letter)
        found++;
    return train_between(t, found->low, found->high);
}

static void draw_schedule(training *t, double rate)
{
    static const uint64_t milestones[] = {1, 3};
    uint64_t warmup = (uint64_t)train_pick(t, 0, 2);
    t->schedule = (ps_schedule){.size = sizeof t->schedule,
                                .kind = (uint64_t)train_pick(t, 0, PS_SCHEDULE_COSINE),
                                .base = rate,
                                .last = rate / 10,
                                .first = rate / 5,
                                .factor = 0.5,
                                .power = 2,
                                .period = warmup + (uint64_t)train_pick(t, 1, 3),
                                .warmup = warmup,
                                .steady = (uint64_t)train_pick(t, 0, 1),
                                .milestones = milestones,
                                .nmilestones = 2};
}

void train_draw_updates(training *t)
{
    t->optimiser = &optimisers[train_pick(t, 0, sizeof optimisers / sizeof optimisers[0] - 1)];
    for (size_t i = 0; i < strlen(t->optimiser->numbers); i++) {
        t->numbers[i].value = draw_number(t, t->optimiser->numbers[i]);
        t->numbers[i].way = train_one_in(t, 4)   ? TRAIN_FOR_EACH
                            : train_one_in(t, 4) ? TRAIN_AS_TENSOR
                                                 : TRAIN_FOR_ALL;
    }
    draw_schedule(t, t->numbers[0].value);
    t->clip = train_one_in(t, 2) ? train_between(t, 0.1, 2) : 0;
    t->adds = train_one_in(t, 3);
    t->retains = train_one_in(t, 4);
    t->reads_each_step = train_one_in(t, 4);
    t->penalised = train_one_in(t, 5) ? (int)train_pick(t, 0, t->nweights - 1) : -1;
    if (t->penalised >= 0 && t->weights[t->penalised].role != TRAIN_LEARNED)
        t->penalised = -1;
}

/* ---- a step --------------------------------------------------------------------------------- */

/* What one call of an update is made of. */
typedef struct update {
    unsigned count;                                    /* of sets */
    unsigned which[TRAIN_WEIGHTS];                     /* weights */
    ps_tensor *lists[TRAIN_STATES + 2][TRAIN_WEIGHTS]; /* weights, states, gradients */
    ps_arg args[TRAIN_STATES + 2 + TRAIN_NUMBERS];
    const double *numbers[TRAIN_STATES + 2 + TRAIN_NUMBERS];
    double each[TRAIN_NUMBERS][TRAIN_WEIGHTS];
    ps_tensor *made[TRAIN_NUMBERS]; /* numbers as tensors */
} update;

/* min(1, clip / norm), which is found while running. */
static ps_tensor *clip_factor(train_run *r, const update *u, ps_tensor *const *gradients)
{
    ps_tensor *norm = TRAIN(r, "global_norm", ps_arg_tensors(gradients, u->count));
    ps_tensor *above = TRAIN(r, "add", T(norm), F(1e-6));
    ps_tensor *ratio = TRAIN(r, "divide", F(r->t->clip), T(above));
    ps_tensor *made = TRAIN(r, "minimum", T(ratio), F(1));
    ps_tensor_release(norm);
    ps_tensor_release(above);
    ps_tensor_release(ratio);
    return made;
}

static double number_now(train_run *r, char letter, double value)
{
    double done = (double)r->step + 1;
    if (letter == 'r')
        train_note(r, "ps_schedule_rate", ps_schedule_rate(&r->t->schedule, r->step, &value));
    if (letter == 'a' || letter == 'b') /* a correction that fades */
        value = 1 + (value - 1) / done;
    return value;
}

/* Number n of the optimiser, as the argument behind the lists. */
static void give_number(train_run *r, update *u, unsigned lists, unsigned n)
{
    const training *t = r->t;
    char letter = t->optimiser->numbers[n];
    double value = number_now(r, letter, t->numbers[n].value);
    u->args[lists + n] = F(value);
    if (letter == 's' && t->clip != 0) {
        u->made[n] = clip_factor(r, u, u->lists[lists - 1]);
        u->args[lists + n] = T(u->made[n]);
    } else if (t->numbers[n].way == TRAIN_AS_TENSOR) {
        u->made[n] = TRAIN(r, "full", train_ints(0, NULL), F(value), D(t->dtype));
        u->args[lists + n] = T(u->made[n]);
    } else if (t->numbers[n].way == TRAIN_FOR_EACH) {
        for (unsigned i = 0; i < u->count; i++)
            u->each[n][i] = value * (1 + 0.01 * (double)i);
        u->numbers[lists + n] = u->each[n];
    }
}

/* The lists of weights, states and gradients; how many. */
static unsigned give_lists(train_run *r, update *u)
{
    unsigned states = r->t->optimiser->states;
    u->count = train_gradients(r, u->which, u->lists[states + 1]);
    for (unsigned i = 0; i < u->count; i++) {
        u->lists[0][i] = r->weights[u->which[i]];
        for (unsigned s = 0; s < states; s++)
            u->lists[s + 1][i] = r->states[s][u->which[i]];
    }
    for (unsigned l = 0; l < states + 2; l++)
        u->args[l] = ps_arg_tensors(u->lists[l], u->count);
    return states + 2;
}

static void push(train_run *r, const update *u, unsigned nargs)
{
    const ps_op *op;
    if (r->status == PS_OK)
        train_note(r, "ps_op_find", ps_op_find(r->t->optimiser->name, &op));
    if (r->status == PS_OK)
        train_note(r, "ps_op_update",
                   ps_op_update(op, &(ps_update){.size = sizeof(ps_update),
                                                 .count = u->count,
                                                 .args = u->args,
                                                 .nargs = nargs,
                                                 .numbers = u->numbers}));
}

void train_run_update(train_run *r)
{
    update u = {.count = 0};
    unsigned lists = give_lists(r, &u), numbers = (unsigned)strlen(r->t->optimiser->numbers);
    for (unsigned n = 0; n < numbers && r->status == PS_OK; n++)
        give_number(r, &u, lists, n);
    push(r, &u, lists + numbers);
    for (unsigned n = 0; n < TRAIN_NUMBERS; n++)
        ps_tensor_release(u.made[n]);
    for (unsigned i = 0; i < u.count; i++)
        ps_tensor_release(u.lists[lists - 1][i]);
}
