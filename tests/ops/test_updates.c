/* Updates of many tensors at once: the formulas of the rows, how many tasks they are, that the bits are
 * those of single calls on any number of workers, that nothing is moved or waited for, what is refused;
 * the norm of many tensors. */
#include "device/late/late.h"
#include "tensor/tensor.h"

#include "engine_help.h"
#include "support/workers.h"

#include <inttypes.h>

enum { SETS = 6, LISTS = 5, MOST_NUMBERS = 12 };

/* Tasks queued so far. */
static uint64_t pushed(void)
{
    return stats().pushed;
}

/* ---- formulas, in double ------------------------------------------------------------------ */

/* One element: x[0] is the weight, then the states; n the row's numbers behind the gradient. */
typedef void (*formula)(double *x, double g, const double *n);

static double pulled(double w, double g, const double *last)
{
    double bounded = fmin(fmax(last[0] * g, -last[1]), last[1]);
    return bounded + last[2] * w;
}

/* With a decay, the first number, that is clipped too. */
static double pulled_early(double w, double g, const double *last)
{
    double rest[] = {1, last[2], last[3]};
    return pulled(w, last[1] * g + last[0] * w, rest);
}

static double bounded(double w, double bound)
{
    return fmin(fmax(w, -bound), bound);
}

static void sgd(double *x, double g, const double *n)
{
    x[0] -= n[0] * pulled(x[0], g, n + 1);
}

static void momentum(double *x, double g, const double *n)
{
    x[1] = n[1] * x[1] + n[2] * pulled(x[0], g, n + 3);
    x[0] -= n[0] * x[1];
}

static void nesterov(double *x, double g, const double *n)
{
    double h = pulled(x[0], g, n + 3);
    x[1] = n[1] * x[1] + n[2] * h;
    x[0] -= n[0] * (n[1] * x[1] + n[2] * h);
}

static void adam(double *x, double g, const double *n)
{
    double h = pulled_early(x[0], g, n + 8);
    x[1] = (1 - n[1]) * x[1] + n[1] * h;
    x[2] = (1 - n[2]) * x[2] + n[2] * h * h;
    x[0] -= n[0] * (n[7] * x[0] + n[5] * x[1] / (sqrt(n[6] * x[2] + n[4]) + n[3]));
}

static void adagrad(double *x, double g, const double *n)
{
    double h = pulled(x[0], g, n + 4);
    x[1] += h * h;
    x[0] -= n[0] * (n[3] * x[0] + h / (sqrt(x[1] + n[2]) + n[1]));
}

static void adadelta(double *x, double g, const double *n)
{
    double h = pulled(x[0], g, n + 4);
    x[1] = (1 - n[1]) * x[1] + n[1] * h * h;
    double step = sqrt(x[2] + n[2]) / sqrt(x[1] + n[2]) * h;
    x[2] = (1 - n[1]) * x[2] + n[1] * step * step;
    x[0] -= n[0] * (n[3] * x[0] + step);
}

static void rmsprop(double *x, double g, const double *n)
{
    double h = pulled_early(x[0], g, n + 5);
    x[1] = (1 - n[1]) * x[1] + n[1] * h * h;
    x[0] = bounded(x[0] - n[0] * h / (sqrt(x[1] + n[3]) + n[2]), n[4]);
}

static void rmsprop_momentum(double *x, double g, const double *n)
{
    double h = pulled_early(x[0], g, n + 7);
    x[1] = (1 - n[3]) * x[1] + n[3] * h * h;
    x[2] = n[1] * x[2] + n[2] * h / (sqrt(x[1] + n[5]) + n[4]);
    x[0] = bounded(x[0] - n[0] * x[2], n[6]);
}

static void rmsprop_centered(double *x, double g, const double *n)
{
    double h = pulled_early(x[0], g, n + 7);
    x[1] = (1 - n[3]) * x[1] + n[3] * h * h;
    x[2] = (1 - n[3]) * x[2] + n[3] * h;
    x[3] = n[1] * x[3] + n[2] * h / (sqrt(x[1] - x[2] * x[2] + n[5]) + n[4]);
    x[0] = bounded(x[0] - n[0] * x[3], n[6]);
}

static void ftrl(double *x, double g, const double *n)
{
    double h = fmin(fmax(n[3] * g, -n[4]), n[4]), k = x[2] + h * h;
    x[1] += h - (sqrt(k) - sqrt(x[2])) * x[0] / n[0];
    x[2] = k;
    double sign = x[1] > 0 ? 1 : -1;
    x[0] = fabs(x[1]) > n[1] ? (sign * n[1] - x[1]) / ((n[2] + sqrt(k)) / n[0] + n[5]) : 0;
}

typedef struct optimiser {
    const char *name;
    formula step;
    unsigned tensors; /* that are replaced */
    double numbers[MOST_NUMBERS];
    unsigned count; /* of these */
} optimiser;

/* Numbers that all matter: a clip that some gradients reach, and a bound some weights, decays of all
 * kinds, both epsilons. */
static const optimiser optimisers[] = {
    {"sgd_update", sgd, 1, {0.1, 0.5, 0.4, 0.01}, 4},
    {"momentum_update", momentum, 2, {0.1, 0.9, 0.7, 0.5, 0.4, 0.01}, 6},
    {"nesterov_update", nesterov, 2, {0.1, 0.9, 0.7, 0.5, 0.4, 0.01}, 6},
    {"adam_update", adam, 3, {0.1, 0.1, 0.01, 0.01, 0.02, 3, 2, 0.1, 0.3, 0.5, 0.4, 0.01}, 12},
    {"adagrad_update", adagrad, 2, {0.1, 0.01, 0.02, 0.1, 0.5, 0.4, 0.01}, 7},
    {"adadelta_update", adadelta, 3, {0.9, 0.1, 0.01, 0.1, 0.5, 0.4, 0.01}, 7},
    {"rmsprop_update", rmsprop, 2, {0.1, 0.1, 0.01, 0.02, 0.8, 0.3, 0.5, 0.4, 0.01}, 9},
    {"rmsprop_momentum_update",
     rmsprop_momentum,
     3,
     {0.1, 0.9, 0.7, 0.1, 0.01, 0.02, 0.8, 0.3, 0.5, 0.4, 0.01},
     11},
    {"rmsprop_centered_update",
     rmsprop_centered,
     4,
     {0.1, 0.9, 0.7, 0.1, 0.01, 0.02, 0.8, 0.3, 0.5, 0.4, 0.01},
     11},
    {"ftrl_update", ftrl, 3, {0.1, 0.2, 1, 0.5, 0.4, 0.01}, 6},
};

enum { OPTIMISERS = sizeof optimisers / sizeof optimisers[0] };

static const ps_op *row(const char *name)
{
    const ps_op *op;
    CHECK_OK(ps_op_find(name, &op));
    return op;
}

static ps_status update_with(const char *name, size_t count, size_t nargs, const ps_arg *args)
{
    return ps_op_update(row(name), &(ps_update){.size = sizeof(ps_update),
                                                .count = count,
                                                .args = args,
                                                .nargs = nargs});
}

/* ---- sets ---------------------------------------------------------------------------------- */

/* Weights and states of a few shapes, and gradients behind them. */
typedef struct model {
    unsigned lists; /* of tensors: weights, states, gradients */
    unsigned sets;
    ps_tensor *tensors[LISTS][SETS];
} model;

static const int64_t lengths[SETS] = {1, 37, 0, 4099, 300, 40000};

/* An element of a list: states are positive, and the first is more than the square of others. */
static double element(unsigned list, unsigned set, int64_t index, bool state)
{
    double x = sin((double)(list * 7919 + set * 104729 + (unsigned)index * 31 + 1));
    return state ? 0.5 + 0.5 * x * x + (list == 1) : x;
}

/* A vector; if it is strided, every other element of a longer one. */
static ps_tensor *vector(ps_dtype dtype, int64_t length, unsigned list, unsigned set, bool state,
                         bool strided)
{
    int64_t step = strided ? 2 : 1;
    double *values = calloc((size_t)(length * step) + 1, sizeof *values);
    for (int64_t i = 0; i < length; i++)
        values[i * step] = element(list, set, i, state);
    ps_tensor *wide, *typed, *view;
    CHECK_OK(
        ps_tensor_from_host(PS_FLOAT64, 1, (int64_t[]){length * step}, NULL, values, NULL, &wide));
    free(values);
    typed = CALL("cast", T(wide), D(dtype));
    ps_tensor_release(wide);
    if (!strided)
        return typed;
    ps_index every = {.kind = PS_INDEX_RANGE, .start = 0, .stop = PS_INDEX_NONE, .step = 2};
    CHECK_OK(ps_tensor_index(typed, &every, 1, &view));
    ps_tensor_release(typed);
    return view;
}

static model model_make(const optimiser *o, ps_dtype dtype, bool strided)
{
    model m = {.lists = o->tensors + 1, .sets = SETS};
    for (unsigned l = 0; l < m.lists; l++)
        for (unsigned s = 0; s < SETS; s++)
            m.tensors[l][s] = vector(dtype, lengths[s], l, s, l > 0 && l < o->tensors,
                                     strided && (l + s) % 2 == 0);
    return m;
}

static void model_end(model *m)
{
    for (unsigned l = 0; l < m->lists; l++)
        for (unsigned s = 0; s < m->sets; s++)
            ps_tensor_release(m->tensors[l][s]);
}

static unsigned give_arguments(const optimiser *o, const model *m, ps_arg *args)
{
    for (unsigned l = 0; l < m->lists; l++)
        args[l] = ps_arg_tensors(m->tensors[l], m->sets);
    for (unsigned n = 0; n < o->count; n++)
        args[m->lists + n] = F(o->numbers[n]);
    return m->lists + o->count;
}

static ps_status update(const optimiser *o, model *m)
{
    ps_arg args[LISTS + MOST_NUMBERS];
    unsigned nargs = give_arguments(o, m, args);
    return update_with(o->name, m->sets, nargs, args);
}

/* The same by a call for each set. */
static void update_each(const optimiser *o, model *m)
{
    for (unsigned s = 0; s < m->sets; s++) {
        ps_arg args[LISTS + MOST_NUMBERS];
        ps_tensor *outputs[LISTS];
        for (unsigned l = 0; l < m->lists; l++) {
            args[l] = T(m->tensors[l][s]);
            outputs[l] = m->tensors[l][s];
        }
        for (unsigned n = 0; n < o->count; n++)
            args[m->lists + n] = F(o->numbers[n]);
        CHECK_OK(ps_op_call(row(o->name), &(ps_call){.size = sizeof(ps_call),
                                                     .args = args,
                                                     .nargs = m->lists + o->count,
                                                     .outputs = outputs,
                                                     .noutputs = o->tensors}));
    }
}

static void check_same(const optimiser *o, model *a, model *b, const char *what)
{
    for (unsigned l = 0; l < o->tensors; l++)
        for (unsigned s = 0; s < a->sets; s++) {
            size_t count = (size_t)ps_tensor_count(a->tensors[l][s]);
            double *x = values_of(a->tensors[l][s]), *y = values_of(b->tensors[l][s]);
            if (memcmp(x, y, count * sizeof *x) != 0)
                fail_msg("%s, %s: list %u of set %u differs", o->name, what, l, s);
            free(x);
            free(y);
        }
}

/* ---- what the rows compute ----------------------------------------------------------------- */

/* Some steps of one element by the formula. */
static void follow(const optimiser *o, unsigned set, int64_t index, int steps, double *x)
{
    for (unsigned l = 0; l < o->tensors; l++)
        x[l] = element(l, set, index, l > 0);
    for (int i = 0; i < steps; i++)
        o->step(x, element(o->tensors, set, index, false), o->numbers);
}

static void check_formula(const optimiser *o, ps_dtype dtype, double tolerance)
{
    enum { STEPS = 3 };
    model m = model_make(o, dtype, true);
    for (int i = 0; i < STEPS; i++)
        CHECK_OK(update(o, &m));
    for (unsigned l = 0; l < o->tensors; l++)
        for (unsigned s = 0; s < SETS; s++) {
            double *found = values_of(m.tensors[l][s]), wanted[LISTS];
            for (int64_t i = 0; i < lengths[s]; i += 1 + lengths[s] / 50) {
                follow(o, s, i, STEPS, wanted);
                if (!(fabs(found[i] - wanted[l]) <= tolerance * (1 + fabs(wanted[l]))))
                    fail_msg("%s of %s: list %u of set %u, element %" PRId64 ": %.17g, not %.17g",
                             o->name, ps_dtype_name(dtype), l, s, i, found[i], wanted[l]);
            }
            free(found);
        }
    model_end(&m);
}

static void rows_follow_their_formulas(void **state)
{
    (void)state;
    for (unsigned i = 0; i < OPTIMISERS; i++) {
        check_formula(&optimisers[i], PS_FLOAT64, 1e-13);
        check_formula(&optimisers[i], PS_FLOAT32, 2e-5);
        if (optimisers[i].step != ftrl) /* jumps where |z| is l1, by a whole weight */
            check_formula(&optimisers[i], PS_BFLOAT16, 0.1);
    }
}

/* What is left out means that nothing is done. */
static void defaults_change_nothing(void **state)
{
    (void)state;
    ps_tensor *w = from_floats(SHAPE(3), (float[]){1, -INFINITY, 3});
    ps_tensor *g = from_floats(SHAPE(3), (float[]){2, 5, -INFINITY});
    ps_tensor *made = CALL("sgd_update", T(w), T(g), F(0.5), F(1), F(INFINITY));
    CHECK_VALUES(made, 0, NAN, INFINITY);
    ps_tensor *plain = CALL("sgd_update", T(w), T(g), F(0.5));
    CHECK_VALUES(plain, 0, NAN, INFINITY);
    ps_tensor_release(plain);
    ps_tensor_release(made);
    ps_tensor_release(w);
    ps_tensor_release(g);
}

/* A decay that is clipped together with the gradient, and one that is added to what was clipped: w = 2, g
 * = 3, clip = 1, and 0.5 * w of decay. With gain 1 and no epsilon the root is |h|. */
static void decays_before_and_after_the_clip(void **state)
{
    (void)state;
    ps_tensor *w = from_floats(SHAPE(1), (float[]){2}), *g = from_floats(SHAPE(1), (float[]){3});
    ps_tensor *zero = CALL("zeros", INTS(1));
    static const struct {
        double early, decay, bound, weight, square;
    } cases[] = {
        {0, 0.5, INFINITY, 1.5, 4},      /* h = 1 + 1 */
        {0.5, 0, INFINITY, 1.5, 1},      /* h = min(3 + 1, 1) */
        {-1.25, 0, INFINITY, 1.5, 0.25}, /* h = 3 - 2.5 */
        {0.5, 0, 1.25, 1.25, 1},
    };
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ps_arg args[] = {T(w),
                         T(zero),
                         T(g),
                         F(0.5),
                         F(1),
                         F(0),
                         F(0),
                         F(cases[i].bound),
                         F(cases[i].early),
                         F(1),
                         F(1),
                         F(cases[i].decay)};
        ps_tensor *made[2] = {NULL, NULL};
        CHECK_OK(ps_op_call(row("rmsprop_update"), &(ps_call){.size = sizeof(ps_call),
                                                              .args = args,
                                                              .nargs = 12,
                                                              .outputs = made,
                                                              .noutputs = 2}));
        CHECK_VALUES(made[0], cases[i].weight);
        CHECK_VALUES(made[1], cases[i].square);
        ps_tensor_release(made[0]);
        ps_tensor_release(made[1]);
    }
    ps_tensor_release(w);
    ps_tensor_release(g);
    ps_tensor_release(zero);
}

/* ---- tasks ------------------------------------------------------------------------------- */

static void many_are_one_task(void **state)
{
    (void)state;
    for (unsigned i = 0; i < OPTIMISERS; i++) {
        model m = model_make(&optimisers[i], PS_FLOAT32, true);
        uint64_t before = pushed();
        CHECK_OK(update(&optimisers[i], &m));
        assert_int_equal(pushed() - before, 1);
        model_end(&m);
    }
}

/* About 16 MB of elements make a task. */
static void large_ones_are_several(void **state)
{
    (void)state;
    enum { MEGA = 1 << 20 };
    ps_tensor *w[5], *g[5];
    for (int i = 0; i < 5; i++) {
        w[i] = CALL("zeros", INTS(MEGA));
        g[i] = CALL("ones", INTS(MEGA));
    }
    uint64_t before = pushed();
    ps_arg args[] = {ps_arg_tensors(w, 5), ps_arg_tensors(g, 5), F(1)};
    CHECK_OK(update_with("sgd_update", 5, 3, args));
    assert_int_equal(pushed() - before, 3);
    for (int i = 0; i < 5; i++) {
        ps_tensor *sum = CALL("sum", T(w[i]));
        CHECK_VALUES(sum, -MEGA);
        ps_tensor_release(sum);
        ps_tensor_release(w[i]);
        ps_tensor_release(g[i]);
    }
}

/* Sets of other element types are another task. */
static void types_may_differ_between_sets(void **state)
{
    (void)state;
    ps_dtype types[] = {PS_FLOAT32, PS_FLOAT64, PS_FLOAT16};
    ps_tensor *w[3], *g[3];
    for (int i = 0; i < 3; i++) {
        w[i] = CALL("ones", INTS(5), D(types[i]));
        g[i] = CALL("ones", INTS(5), D(types[i]));
    }
    uint64_t before = pushed();
    ps_arg args[] = {ps_arg_tensors(w, 3), ps_arg_tensors(g, 3), F(0.5)};
    CHECK_OK(update_with("sgd_update", 3, 3, args));
    assert_int_equal(pushed() - before, 3);
    for (int i = 0; i < 3; i++) {
        CHECK_VALUES(w[i], 0.5, 0.5, 0.5, 0.5, 0.5);
        ps_tensor_release(w[i]);
        ps_tensor_release(g[i]);
    }
}

/* ---- bits -------------------------------------------------------------------------------- */

static void check_bits(const optimiser *o, ps_dtype dtype, bool strided)
{
    static const unsigned workers[] = {1, 2, 3, 8};
    model each = model_make(o, dtype, strided);
    update_each(o, &each);
    update_each(o, &each);
    for (unsigned i = 0; i < 4; i++) {
        char what[64];
        snprintf(what, sizeof what, "%s, %u workers", ps_dtype_name(dtype), workers[i]);
        CHECK_OK(ps_engine_set_workers(engine(), workers[i]));
        model m = model_make(o, dtype, strided);
        CHECK_OK(update(o, &m));
        CHECK_OK(update(o, &m));
        check_same(o, &each, &m, what);
        model_end(&m);
    }
    CHECK_OK(ps_engine_set_workers(engine(), 0));
    model_end(&each);
}

static void bits_are_those_of_single_calls(void **state)
{
    (void)state;
    for (unsigned i = 0; i < OPTIMISERS; i++) {
        check_bits(&optimisers[i], PS_FLOAT32, i % 2 == 0);
        check_bits(&optimisers[i], PS_FLOAT64, i % 2 != 0);
        check_bits(&optimisers[i], PS_FLOAT16, false);
    }
}

/* Copies get what the first tensors get, rounded; all else is as without them. */
static void copies_are_rounded(void **state)
{
    (void)state;
    static const ps_dtype types[SETS] = {PS_FLOAT16,  PS_BFLOAT16, PS_FLOAT16,
                                         PS_BFLOAT16, PS_FLOAT32,  PS_FLOAT16};
    for (unsigned i = 0; i < OPTIMISERS; i++) {
        const optimiser *o = &optimisers[i];
        model plain = model_make(o, PS_FLOAT32, true), copied = model_make(o, PS_FLOAT32, true);
        ps_tensor *copies[SETS];
        for (unsigned s = 0; s < SETS; s++)
            copies[s] = s == 4 ? NULL : vector(types[s], lengths[s], 9, s, false, s % 2 == 1);
        ps_arg args[LISTS + MOST_NUMBERS];
        unsigned nargs = give_arguments(o, &copied, args);
        CHECK_OK(update(o, &plain));
        CHECK_OK(ps_op_update(row(o->name), &(ps_update){.size = sizeof(ps_update),
                                                         .count = SETS,
                                                         .args = args,
                                                         .nargs = nargs,
                                                         .copies = copies}));
        check_same(o, &plain, &copied, "with copies");
        for (unsigned s = 0; s < SETS; s++) {
            if (copies[s] == NULL)
                continue;
            ps_tensor *wanted = CALL("cast", T(copied.tensors[0][s]), D(types[s]));
            check_same_bits(wanted, copies[s], o->name);
            ps_tensor_release(wanted);
            ps_tensor_release(copies[s]);
        }
        model_end(&plain);
        model_end(&copied);
    }
}

static ps_status update_copied(ps_tensor *w, ps_tensor *g, ps_tensor *copy)
{
    ps_arg args[] = {ps_arg_tensors(&w, 1), ps_arg_tensors(&g, 1), F(1)};
    return ps_op_update(row("sgd_update"), &(ps_update){.size = sizeof(ps_update),
                                                        .count = 1,
                                                        .args = args,
                                                        .nargs = 3,
                                                        .copies = &copy});
}

static void wrong_copies_are_refused(void **state)
{
    (void)state;
    ps_tensor *w = CALL("ones", INTS(3)), *g = CALL("ones", INTS(3), D(PS_FLOAT16));
    ps_tensor *half = CALL("ones", INTS(3), D(PS_FLOAT16)), *longer = CALL("ones", INTS(4));
    ps_tensor *whole = CALL("ones", INTS(3), D(PS_INT32));
    CHECK_OK(update_copied(w, g, half));
    CHECK_VALUES(half, 0, 0, 0);
    CHECK_FAILS(PS_ERR_ARGUMENT, "tensor 0 of copies has shape (4,), that of w is (3,)",
                update_copied(w, g, longer));
    CHECK_FAILS(PS_ERR_TYPE, "tensor 0 of copies is int32", update_copied(w, g, whole));
    CHECK_FAILS(PS_ERR_ARGUMENT, "tensor 0 of w and tensor 0 of copies share elements",
                update_copied(w, g, w));
    CHECK_FAILS(PS_ERR_ARGUMENT, "tensor 0 of g and tensor 0 of copies share elements",
                update_copied(w, half, half));
    CHECK_VALUES(w, 0, 0, 0);
    ps_tensor *all[] = {w, g, half, longer, whole};
    for (int i = 0; i < 5; i++)
        ps_tensor_release(all[i]);
}

static void the_same_in_synchronous_mode(void **state)
{
    (void)state;
    const optimiser *o = &optimisers[3];
    model a = model_make(o, PS_FLOAT32, true), b = model_make(o, PS_FLOAT32, true);
    CHECK_OK(update(o, &a));
    CHECK_OK(ps_thread_set_mode(PS_MODE_SYNC));
    CHECK_OK(update(o, &b));
    CHECK_OK(ps_thread_set_mode(PS_MODE_DEFAULT));
    check_same(o, &a, &b, "synchronous");
    model_end(&a);
    model_end(&b);
}

/* ---- numbers ------------------------------------------------------------------------------- */

static void numbers_may_be_tensors_or_differ(void **state)
{
    (void)state;
    ps_tensor *w[2] = {from_floats(SHAPE(2), (float[]){1, 2}), from_floats(SHAPE(1), (float[]){3})};
    ps_tensor *g[2] = {CALL("ones", INTS(2)), CALL("ones", INTS(1))};
    ps_tensor *rate = from_floats(0, NULL, (float[]){0.5f});
    ps_tensor *scales[2] = {from_floats(0, NULL, (float[]){2}),
                            from_floats(SHAPE(1), (float[]){4})};
    const double decays[2] = {0, 1};
    ps_arg args[] = {ps_arg_tensors(w, 2),
                     ps_arg_tensors(g, 2),
                     T(rate),
                     ps_arg_tensors(scales, 2),
                     NONE,
                     NONE};
    const double *numbers[6] = {[5] = decays};
    uint64_t before = pushed();
    CHECK_OK(ps_op_update(row("sgd_update"), &(ps_update){.size = sizeof(ps_update),
                                                          .count = 2,
                                                          .args = args,
                                                          .nargs = 6,
                                                          .numbers = numbers}));
    assert_int_equal(pushed() - before, 1);
    CHECK_VALUES(w[0], 0, 1);
    CHECK_VALUES(w[1], 3 - 0.5 * (4 + 3));
    for (int i = 0; i < 2; i++) {
        ps_tensor_release(w[i]);
        ps_tensor_release(g[i]);
        ps_tensor_release(scales[i]);
    }
    ps_tensor_release(rate);
}

/* Any elementwise row: what clipping does. */
static void other_rows_update_too(void **state)
{
    (void)state;
    ps_tensor *x[2] = {counted(PS_FLOAT32, SHAPE(2, 2)), counted(PS_FLOAT32, SHAPE(3))};
    ps_arg args[] = {ps_arg_tensors(x, 2), F(2)};
    CHECK_OK(update_with("multiply", 2, 2, args));
    CHECK_VALUES(x[0], 0, 2, 4, 6);
    CHECK_VALUES(x[1], 0, 2, 4);
    CHECK_OK(update_with("multiply", 0, ARGS(ps_arg_tensors(x, 0), F(2))));
    ps_tensor_release(x[0]);
    ps_tensor_release(x[1]);
}

/* ---- in place, in order -------------------------------------------------------------------- */

static const void *buffer_of(const ps_tensor *x)
{
    return ps__load(&x->storage->buffer);
}

static ps_status step_one(ps_tensor *w, ps_tensor *g)
{
    ps_arg args[] = {ps_arg_tensors(&w, 1), ps_arg_tensors(&g, 1), F(1)};
    return update_with("sgd_update", 1, 3, args);
}

/* While queued tasks read the weight, an update stays where it is; the row with out= moves on. */
static void readers_do_not_move_it(void **state)
{
    (void)state;
    ps_tensor *w = CALL("ones", INTS(5000)), *g = CALL("ones", INTS(5000));
    CHECK_OK(ps_tensor_wait(w, NULL));
    CHECK_OK(ps_tensor_wait(g, NULL));
    workers_stop();
    const void *before = buffer_of(w);
    ps_tensor *read = CALL("multiply", T(w), F(3));
    CHECK_OK(step_one(w, g));
    assert_ptr_equal(buffer_of(w), before);
    assert_false(ps_tensor_is_ready(w)); /* nobody has waited */
    ps_tensor *again = CALL("multiply", T(w), F(3));
    ps_tensor *out = w;
    CHECK_OK(call_into("sgd_update", ARGS(T(w), T(g), F(1)), &out));
    assert_ptr_not_equal(buffer_of(w), before);
    workers_go_on();
    ps_tensor *sums[] = {CALL("mean", T(read)), CALL("mean", T(again)), CALL("mean", T(w))};
    CHECK_VALUES(sums[0], 3);
    CHECK_VALUES(sums[1], 0);
    CHECK_VALUES(sums[2], -1);
    for (int i = 0; i < 3; i++)
        ps_tensor_release(sums[i]);
    ps_tensor_release(read);
    ps_tensor_release(again);
    ps_tensor_release(w);
    ps_tensor_release(g);
}

/* What was given away stays as it was, for a view of the weight too. */
static void what_is_pinned_stays(void **state)
{
    (void)state;
    ps_tensor *all = counted(PS_FLOAT32, SHAPE(6)), *g = CALL("ones", INTS(6)), *seen;
    ps_index upper = {.kind = PS_INDEX_RANGE, .start = 3, .stop = 6, .step = 1};
    ps_tensor *part, *some;
    CHECK_OK(ps_tensor_index(all, &upper, 1, &part));
    CHECK_OK(ps_tensor_index(g, &upper, 1, &some));
    struct DLManagedTensorVersioned *given;
    for (int i = 0; i < 2; i++) {
        CHECK_OK(ps_tensor_to_dlpack(all, &given));
        CHECK_OK(ps_tensor_from_dlpack(given, false, &seen));
        const void *before = buffer_of(all);
        CHECK_OK(i == 0 ? step_one(all, g) : step_one(part, some));
        assert_ptr_not_equal(buffer_of(all), before);
        if (i == 0)
            CHECK_VALUES(seen, 0, 1, 2, 3, 4, 5);
        else
            CHECK_VALUES(seen, -1, 0, 1, 2, 3, 4);
        ps_tensor_release(seen);
    }
    CHECK_VALUES(all, -1, 0, 1, 1, 2, 3);
    ps_tensor_release(part);
    ps_tensor_release(some);
    ps_tensor_release(all);
    ps_tensor_release(g);
}

/* Parameters that are parts of one storage. */
static void parts_of_one_storage(void **state)
{
    (void)state;
    ps_tensor *flat = counted(PS_FLOAT32, SHAPE(6)), *slopes = CALL("ones", INTS(6));
    ps_tensor *w[3], *g[3];
    CHECK_OK(ps_tensor_split(flat, 0, (int64_t[]){1, 2, 3}, 3, w));
    CHECK_OK(ps_tensor_split(slopes, 0, (int64_t[]){1, 2, 3}, 3, g));
    ps_arg args[] = {ps_arg_tensors(w, 3), ps_arg_tensors(g, 3), F(1)};
    CHECK_OK(update_with("sgd_update", 3, 3, args));
    CHECK_VALUES(flat, -1, 0, 1, 2, 3, 4);
    for (int i = 0; i < 3; i++) {
        ps_tensor_release(w[i]);
        ps_tensor_release(g[i]);
    }
    ps_tensor_release(flat);
    ps_tensor_release(slopes);
}

/* A mark of the gradient, and what was computed of it. */
static void errors_flow(void **state)
{
    (void)state;
    ps_tensor *w = CALL("ones", INTS(3)), *x = CALL("ones", INTS(3));
    ps_tensor *far = CALL("arange", I(100)), *g = NULL;
    CHECK_OK(call_into("take", ARGS(T(x), T(far)), &g));
    ps_tensor *first = NULL;
    ps_index three = {.kind = PS_INDEX_RANGE, .start = 0, .stop = 3, .step = 1};
    CHECK_OK(ps_tensor_index(g, &three, 1, &first));
    CHECK_OK(step_one(w, first));
    CHECK_FAILS(PS_ERR_INDEX, "out of range", ps_tensor_wait(w, NULL));
    ps_tensor_release(first);
    ps_tensor_release(g);
    ps_tensor_release(far);
    ps_tensor_release(x);
    ps_tensor_release(w);
    (void)ps_wait_all(engine(), NULL);
}

/* What is advanced in place keeps its own mark too: it was computed of itself. */
static void errors_of_the_weight_stay(void **state)
{
    (void)state;
    ps_tensor *x = CALL("ones", INTS(3)), *far = CALL("arange", I(100)),
              *g = CALL("ones", INTS(100));
    ps_tensor *w = NULL, *half = CALL("ones", INTS(100), D(PS_FLOAT16));
    CHECK_OK(call_into("take", ARGS(T(x), T(far)), &w));
    CHECK_OK(step_one(w, g));
    CHECK_OK(update_copied(w, g, half));
    CHECK_FAILS(PS_ERR_INDEX, "out of range", ps_tensor_wait(w, NULL));
    CHECK_FAILS(PS_ERR_INDEX, "out of range", ps_tensor_wait(half, NULL));
    ps_tensor *all[] = {x, far, g, w, half};
    for (int i = 0; i < 5; i++)
        ps_tensor_release(all[i]);
    (void)ps_wait_all(engine(), NULL);
}

/* Neither the states nor the copies move on while the old ones are read: and readers have the old. */
static void readers_move_nothing(void **state)
{
    (void)state;
    enum { LENGTH = 5000, ALL = 3 };
    ps_tensor *w = CALL("ones", INTS(LENGTH)), *m = CALL("ones", INTS(LENGTH));
    ps_tensor *half = CALL("ones", INTS(LENGTH), D(PS_FLOAT16)), *g = CALL("ones", INTS(LENGTH));
    ps_tensor *advanced[ALL] = {w, m, half}, *read[ALL];
    const void *before[ALL];
    wait_all();
    workers_stop();
    for (int i = 0; i < ALL; i++) {
        before[i] = buffer_of(advanced[i]);
        read[i] = CALL("multiply", T(advanced[i]), F(3));
    }
    ps_arg args[] = {ps_arg_tensors(&w, 1), ps_arg_tensors(&m, 1), ps_arg_tensors(&g, 1), F(0.5),
                     F(2)};
    CHECK_OK(ps_op_update(row("momentum_update"), &(ps_update){.size = sizeof(ps_update),
                                                               .count = 1,
                                                               .args = args,
                                                               .nargs = 5,
                                                               .copies = &half}));
    for (int i = 0; i < ALL; i++)
        assert_ptr_equal(buffer_of(advanced[i]), before[i]);
    workers_go_on();
    static const double now[ALL] = {-0.5, 3, -0.5};
    for (int i = 0; i < ALL; i++) {
        ps_tensor *old = CALL("mean", T(read[i])), *new = CALL("mean", T(advanced[i]));
        CHECK_VALUES(old, 3);
        CHECK_VALUES(new, now[i]);
        ps_tensor *both[] = {old, new, read[i], advanced[i]};
        for (int j = 0; j < 4; j++)
            ps_tensor_release(both[j]);
    }
    ps_tensor_release(g);
}

/* ---- what is refused ----------------------------------------------------------------------- */

static ps_status try_lists(const char *name, ps_tensor **w, size_t nw, ps_tensor **g, size_t ng)
{
    ps_arg args[] = {ps_arg_tensors(w, nw), ps_arg_tensors(g, ng), F(1)};
    return update_with(name, nw, 3, args);
}

static void wrong_tensors_are_refused(void **state)
{
    (void)state;
    ps_tensor *w[2] = {CALL("ones", INTS(2, 3)), CALL("ones", INTS(4))};
    ps_tensor *g[2] = {CALL("ones", INTS(2, 3)), CALL("ones", INTS(5))};
    ps_tensor *ints = CALL("ones", INTS(4), D(PS_INT32)),
              *wide = CALL("ones", INTS(4), D(PS_FLOAT64));
    uint64_t before = pushed();
    CHECK_FAILS(PS_ERR_ARGUMENT, "sgd_update: tensor 1 of g has shape (5,), that of w is (4,)",
                try_lists("sgd_update", w, 2, g, 2));
    CHECK_FAILS(PS_ERR_ARGUMENT, "sgd_update: 1 tensors are given for argument g of 2 sets",
                try_lists("sgd_update", w, 2, g, 1));
    CHECK_FAILS(PS_ERR_TYPE, "tensor 0 of w is int32, its new value float32",
                try_lists("sgd_update", &ints, 1, &ints, 1));
    CHECK_FAILS(PS_ERR_TYPE, "tensor 0 of w is float32, its new value float64",
                try_lists("sgd_update", &w[1], 1, &wide, 1));
    CHECK_FAILS(PS_ERR_ARGUMENT, "tensor 0 of w and tensor 1 of w share elements",
                try_lists("sgd_update", (ps_tensor *[]){w[0], w[0]}, 2, (ps_tensor *[]){g[0], g[0]},
                          2));
    CHECK_FAILS(PS_ERR_ARGUMENT, "tensor 0 of w and tensor 0 of g share elements",
                try_lists("sgd_update", w, 1, w, 1));
    assert_int_equal(pushed() - before, 0);
    ps_tensor *all[] = {w[0], w[1], g[0], g[1], ints, wide};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        ps_tensor_release(all[i]);
}

static void wrong_arguments_are_refused(void **state)
{
    (void)state;
    ps_tensor *w[] = {CALL("ones", INTS(4))}, *g[] = {CALL("ones", INTS(4))}, *spread;
    ps_tensor *one = CALL("ones", INTS(1));
    CHECK_FAILS(PS_ERR_ARGUMENT, "sum is not elementwise", try_lists("sum", w, 1, g, 1));
    CHECK_FAILS(PS_ERR_ARGUMENT, "sgd_update: argument rate is missing",
                update_with("sgd_update", 1, ARGS(ps_arg_tensors(w, 1), ps_arg_tensors(g, 1))));
    CHECK_FAILS(PS_ERR_TYPE, "argument w is replaced",
                update_with("sgd_update", 1, ARGS(F(1), ps_arg_tensors(g, 1), F(1))));
    CHECK_FAILS(PS_ERR_ARGUMENT, "one tensor for all sets, has shape (4,)",
                update_with("sgd_update", 1,
                            ARGS(ps_arg_tensors(w, 1), ps_arg_tensors(g, 1), T(g[0]))));
    CHECK_FAILS(PS_ERR_ARGUMENT, "op is NULL", ps_op_update(NULL, NULL));
    CHECK_FAILS(PS_ERR_ARGUMENT, "NULL", ps_op_update(row("sgd_update"), NULL));
    CHECK_OK(ps_tensor_broadcast(one, 1, (int64_t[]){4}, &spread));
    CHECK_FAILS(PS_ERR_ARGUMENT, "has elements that repeat",
                try_lists("sgd_update", &spread, 1, g, 1));
    ps_tensor *all[] = {w[0], g[0], spread, one};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        ps_tensor_release(all[i]);
}

static void devices_must_be_one(void **state)
{
    (void)state;
    ps_device *late;
    CHECK_OK(ps__late_create(&late));
    ps_tensor *w[2] = {CALL("ones", INTS(4)), CALL_ON(late, "ones", INTS(4))};
    ps_tensor *g[2] = {CALL("ones", INTS(4)), CALL_ON(late, "ones", INTS(4))};
    CHECK_FAILS(PS_ERR_ARGUMENT, "sgd_update: tensor 1 of w is on device late",
                try_lists("sgd_update", w, 2, g, 2));
    CHECK_OK(try_lists("sgd_update", &w[1], 1, &g[1], 1));
    CHECK_VALUES(w[1], 0, 0, 0, 0);
    for (int i = 0; i < 2; i++) {
        ps_tensor_release(w[i]);
        ps_tensor_release(g[i]);
    }
}

/* ---- graphs -------------------------------------------------------------------------------- */

static void set_recording(bool on)
{
    uint64_t others = ps_thread_state() & ~(uint64_t)PS_STATE_RECORDING;
    CHECK_OK(ps_thread_set_state(others | (on ? PS_STATE_RECORDING : 0)));
}

static void leaves_are_updated_unrecorded(void **state)
{
    (void)state;
    ps_tensor *w = CALL("ones", INTS(3)), *g = NULL;
    CHECK_OK(ps_grad_attach(w, PS_GRAD_WRITE, NULL));
    CHECK_OK(ps_grad_get(w, &g));
    set_recording(true);
    ps_tensor *y = CALL("multiply", T(w), T(w));
    CHECK_FAILS(PS_ERR_STATE, "tensor 0 of w is part of what this thread records", step_one(w, g));
    set_recording(false);
    CHECK_OK(ps_backward(&y, 1, NULL));
    CHECK_OK(step_one(w, g));
    CHECK_VALUES(w, -1, -1, -1);
    ps_tensor_release(y);
    set_recording(true);
    y = CALL("multiply", T(w), T(w));
    set_recording(false);
    CHECK_OK(step_one(w, g)); /* what was saved is what was read */
    CHECK_OK(ps_backward(&y, 1, NULL));
    CHECK_VALUES(g, -2, -2, -2);
    CHECK_VALUES(w, -3, -3, -3);
    ps_tensor_release(y);
    ps_tensor_release(g);
    ps_tensor_release(w);
}

/* ---- norms --------------------------------------------------------------------------------- */

static ps_tensor *norm_of(ps_tensor *const *tensors, size_t count)
{
    ps_arg all = ps_arg_tensors(tensors, count);
    ps_tensor *out = NULL;
    CHECK_OK(call_into("global_norm", 1, &all, &out));
    return out;
}

static void norms_of_many(void **state)
{
    (void)state;
    ps_tensor *x[3] = {from_floats(SHAPE(2), (float[]){2, 4}), from_floats(0, NULL, (float[]){5}),
                       CALL("zeros", INTS(0, 4))};
    uint64_t before = pushed();
    ps_tensor *norm = norm_of(x, 3);
    assert_int_equal(pushed() - before, 1);
    assert_int_equal(ps_tensor_ndim(norm), 0);
    CHECK_VALUES(norm, (double)sqrtf(45));
    ps_tensor_release(norm);
    ps_tensor *wide = CALL("full", INTS(2), F(3), D(PS_FLOAT64));
    norm = norm_of((ps_tensor *[]){x[1], wide}, 2);
    assert_int_equal(ps_tensor_dtype(norm), PS_FLOAT64);
    double *value = values_of(norm);
    assert_true(fabs(*value - sqrt(43)) < 1e-12);
    free(value);
    ps_tensor_release(norm);
    ps_arg none = ps_arg_tensors(x, 0);
    norm = NULL;
    CHECK_FAILS(PS_ERR_ARGUMENT, "global_norm: no tensors are given",
                call_into("global_norm", 1, &none, &norm));
    ps_tensor_release(wide);
    for (int i = 0; i < 3; i++)
        ps_tensor_release(x[i]);
}

/* In one task or by rows, on any number of workers: the same bits. */
static void norms_have_one_value(void **state)
{
    (void)state;
    static const unsigned workers[] = {1, 2, 3, 8};
    const optimiser *o = &optimisers[0];
    model m = model_make(o, PS_FLOAT32, true);
    ps_tensor *first = norm_of(m.tensors[0], SETS);
    double *wanted = values_of(first);
    for (unsigned i = 0; i < 8; i++) {
        CHECK_OK(ps_engine_set_workers(engine(), workers[i % 4]));
        set_recording(i >= 4);
        ps_tensor *norm = norm_of(m.tensors[0], SETS);
        set_recording(false);
        double *found = values_of(norm);
        assert_true(*found == *wanted);
        free(found);
        ps_tensor_release(norm);
    }
    CHECK_OK(ps_engine_set_workers(engine(), 0));
    free(wanted);
    ps_tensor_release(first);
    model_end(&m);
}

int main(void)
{
    alarm(LIMIT_S);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_follow_their_formulas),
        cmocka_unit_test(defaults_change_nothing),
        cmocka_unit_test(decays_before_and_after_the_clip),
        cmocka_unit_test(many_are_one_task),
        cmocka_unit_test(large_ones_are_several),
        cmocka_unit_test(types_may_differ_between_sets),
        cmocka_unit_test(bits_are_those_of_single_calls),
        cmocka_unit_test(copies_are_rounded),
        cmocka_unit_test(wrong_copies_are_refused),
        cmocka_unit_test(the_same_in_synchronous_mode),
        cmocka_unit_test(numbers_may_be_tensors_or_differ),
        cmocka_unit_test(other_rows_update_too),
        cmocka_unit_test(readers_do_not_move_it),
        cmocka_unit_test(what_is_pinned_stays),
        cmocka_unit_test(parts_of_one_storage),
        cmocka_unit_test(errors_flow),
        cmocka_unit_test(errors_of_the_weight_stay),
        cmocka_unit_test(readers_move_nothing),
        cmocka_unit_test(wrong_tensors_are_refused),
        cmocka_unit_test(wrong_arguments_are_refused),
        cmocka_unit_test(devices_must_be_one),
        cmocka_unit_test(leaves_are_updated_unrecorded),
        cmocka_unit_test(norms_of_many),
        cmocka_unit_test(norms_have_one_value),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
