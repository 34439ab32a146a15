/* The gradients that the table states as expressions, against differences: of every elementwise row,
 * in float64 and complex128, for each argument by itself, at random points, at zeros, and with
 * arguments that are broadcast.
 *
 * All elements of an argument are moved by a step at the same time: an element of the result depends
 * on one of each argument. With the weight w an element contributes Re(conj(w) y) to a real number,
 * whose gradient the row gives for dy = w. Where the differences to the left and to the right differ
 * the function has a corner, and the gradient must lie between them. */
#include "ops/gradient.h"

#include <complex.h>
#undef I /* help.h has another */

#include "help.h"

#include <limits.h>

enum { POINTS = 24, ARGS_MOST = 4 };

typedef double complex number;

static const double STEP = 1e-6;

typedef struct domain {
    const char *name;
    double low, high; /* of the real part; the imaginary part has a fixed small range */
} domain;

static const domain domains[] = {
    {"sqrt", 0.2, 3},
    {"rsqrt", 0.2, 3},
    {"log", 0.2, 3},
    {"log2", 0.2, 3},
    {"log10", 0.2, 3},
    {"log1p", -0.8, 2},
    {"asin", -0.9, 0.9},
    {"acos", -0.9, 0.9},
    {"atanh", -0.9, 0.9},
    {"acosh", 1.2, 3},
    {"pow", 0.3, 2},
    {"divide", 0.3, 3},
    {"remainder", 0.3, 3},
    {"modulo", 0.3, 3},
    {"fmod", 0.3, 3},
    {"reciprocal", 0.3, 3},
    {"kl_divergence", 0.1, 2},
    {"bce_probabilities", 0.1, 0.9},
    {"bce_probabilities_weighted", 0.1, 0.9},
};

typedef struct trial {
    const ps_op *op, *gradient;
    ps_op_info info;
    ps_dtype dtype;
    int ndim[ARGS_MOST];
    int64_t shape[ARGS_MOST][2]; /* of each tensor */
    number x[ARGS_MOST][POINTS]; /* and its elements */
    number dy[POINTS];
    unsigned tensors;
} trial;

/* ---- points -------------------------------------------------------------------------------- */

static uint64_t chance = 1;

static double between(double low, double high)
{
    chance = chance * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return low + (high - low) * (double)(chance >> 11) * 0x1p-53;
}

static void choose_points(trial *t)
{
    double low = -2, high = 2;
    for (size_t i = 0; i < sizeof domains / sizeof domains[0]; i++)
        if (strcmp(domains[i].name, t->info.name) == 0) {
            low = domains[i].low;
            high = domains[i].high;
        }
    for (unsigned a = 0; a < t->tensors; a++)
        for (int i = 0; i < POINTS; i++)
            t->x[a][i] = between(low, high) +
                         (t->dtype == PS_COMPLEX128 ? _Complex_I * between(0.1, 0.9) : 0);
    for (int i = 0; i < POINTS; i++)
        t->dy[i] = between(-1, 1) + (t->dtype == PS_COMPLEX128 ? _Complex_I * between(-1, 1) : 0);
}

/* ---- calls --------------------------------------------------------------------------------- */

static ps_tensor *tensor_of(ps_dtype dtype, int ndim, const int64_t *shape, const number *from)
{
    double real[POINTS];
    bool truth[POINTS];
    ps_tensor *tensor;
    for (int i = 0; i < POINTS; i++) {
        real[i] = creal(from[i]);
        truth[i] = creal(from[i]) > 0;
    }
    const void *data = dtype == PS_COMPLEX128 ? (const void *)from
                       : dtype == PS_BOOL     ? (const void *)truth
                                              : (const void *)real;
    CHECK_OK(ps_tensor_from_host(dtype, ndim, shape, NULL, data, NULL, &tensor));
    return tensor;
}

static void read_numbers(ps_tensor *tensor, number *to)
{
    ps_tensor *wide = CALL("cast", T(tensor), D(PS_COMPLEX128));
    assert_int_equal(ps_tensor_count(wide), POINTS);
    CHECK_OK(ps_tensor_to_host(wide, to, POINTS * sizeof *to));
    ps_tensor_release(wide);
}

static bool is_mask(const trial *t, unsigned a)
{
    return ps__is_mask(t->op, a);
}

/* The arguments, with `step` added to argument `moved`. */
static void make_args(const trial *t, unsigned moved, number step, ps_arg *args)
{
    for (unsigned a = 0; a < t->tensors; a++) {
        number x[POINTS];
        for (int i = 0; i < POINTS; i++)
            x[i] = t->x[a][i] + (a == moved ? step : 0);
        args[a] = T(tensor_of(is_mask(t, a) ? PS_BOOL : t->dtype, t->ndim[a], t->shape[a], x));
    }
    for (size_t a = t->tensors; a < t->info.nargs; a++)
        args[a] = NONE;
}

static void release_args(const trial *t, ps_arg *args)
{
    for (unsigned a = 0; a < t->tensors; a++)
        ps_tensor_release(args[a].as.tensor);
}

static ps_tensor *result_of(const trial *t, unsigned moved, number step)
{
    ps_arg args[ARGS_MOST + 4];
    ps_tensor *y = NULL;
    make_args(t, moved, step, args);
    CHECK_OK(ps_op_call(t->op, &(ps_call){.size = sizeof(ps_call),
                                          .args = args,
                                          .nargs = t->info.nargs,
                                          .outputs = &y,
                                          .noutputs = 1}));
    release_args(t, args);
    return y;
}

static void values_at(const trial *t, unsigned moved, number step, number *to)
{
    ps_tensor *y = result_of(t, moved, step);
    read_numbers(y, to);
    ps_tensor_release(y);
}

/* What the row says for each tensor; those that nothing flows to stay 0. */
static void stated(const trial *t, number (*g)[POINTS])
{
    ps_arg args[ARGS_MOST + 8];
    ps_tensor *outputs[ARGS_MOST] = {NULL}, *y = result_of(t, UINT_MAX, 0);
    size_t nargs = t->info.nargs, at = 0;
    memset(g, 0, ARGS_MOST * sizeof *g);
    if (t->gradient == NULL) {
        ps_tensor_release(y);
        return;
    }
    make_args(t, UINT_MAX, 0, args);
    ps_tensor *dy = tensor_of(ps_tensor_dtype(y), ps_tensor_ndim(y), ps_tensor_shape(y), t->dy);
    args[nargs] = T(y);
    args[nargs + 1] = T(dy);
    CHECK_OK(ps_op_call(t->gradient, &(ps_call){.size = sizeof(ps_call),
                                                .args = args,
                                                .nargs = nargs + 2,
                                                .outputs = outputs,
                                                .noutputs = (size_t)t->gradient->row.outputs}));
    for (unsigned a = 0; a < t->tensors; a++)
        if (t->gradient->flows >> a & 1)
            read_numbers(outputs[at++], g[a]);
    for (size_t i = 0; i < at; i++)
        ps_tensor_release(outputs[i]);
    release_args(t, args);
    ps_tensor_release(y);
    ps_tensor_release(dy);
}

/* ---- comparing ----------------------------------------------------------------------------- */

typedef struct slopes {
    number before[POINTS], here[POINTS], after[POINTS];
} slopes;

/* By the real part, or by the imaginary one, of argument `a`. */
static void find_slopes(const trial *t, unsigned a, number direction, slopes *s)
{
    values_at(t, a, -STEP * direction, s->before);
    values_at(t, UINT_MAX, 0, s->here);
    values_at(t, a, STEP * direction, s->after);
}

static double slope(const trial *t, int i, number from, number to)
{
    return creal(conj(t->dy[i]) * (to - from)) / STEP;
}

/* 1: compared; 0: the function jumps here, or is not finite. */
static int compare_at(const trial *t, unsigned a, const slopes *s, int i, double g)
{
    double left = slope(t, i, s->before[i], s->here[i]);
    double right = slope(t, i, s->here[i], s->after[i]);
    double both = slope(t, i, s->before[i], s->after[i]) / 2;
    double change = fmax(cabs(s->after[i] - s->here[i]), cabs(s->here[i] - s->before[i]));
    if (!isfinite(left) || !isfinite(right) || change > 300 * STEP)
        return 0;
    double room = 2e-5 * (1 + fabs(both) + fabs(g));
    bool fine = fabs(left - right) < 1e-3 * (1 + fabs(left))
                    ? fabs(g - both) < room + fabs(left - right)
                    : g > fmin(left, right) - room && g < fmax(left, right) + room;
    if (!fine)
        fail_msg("%s, argument %s, %s, element %d at %g%+gi, %g%+gi: %g, by differences %g (left "
                 "%g, right %g)",
                 t->info.name, t->info.args[a].name, ps_dtype_name(t->dtype), i, creal(t->x[0][i]),
                 cimag(t->x[0][i]), creal(t->x[1][i]), cimag(t->x[1][i]), g, both, left, right);
    return 1;
}

static int compare(const trial *t)
{
    number g[ARGS_MOST][POINTS];
    int compared = 0;
    slopes s;
    stated(t, g);
    for (unsigned a = 0; a < t->tensors; a++) {
        if (is_mask(t, a))
            continue;
        find_slopes(t, a, 1, &s);
        for (int i = 0; i < POINTS; i++)
            compared += compare_at(t, a, &s, i, creal(g[a][i]));
        if (t->dtype != PS_COMPLEX128)
            continue;
        find_slopes(t, a, _Complex_I, &s);
        for (int i = 0; i < POINTS; i++)
            compared += compare_at(t, a, &s, i, cimag(g[a][i]));
    }
    return compared;
}

/* ---- rows ---------------------------------------------------------------------------------- */

static bool begin(trial *t, const ps_op *op, ps_dtype dtype)
{
    memset(t, 0, sizeof *t);
    t->op = op;
    t->dtype = dtype;
    t->info.size = sizeof t->info;
    CHECK_OK(ps_op_get_info(op, &t->info));
    if (ps__gradient_kind_of(op) != PS__GRADIENT_EXPRESSION ||
        !(op->row.takes & PS__DTYPE_BIT(dtype)))
        return false;
    CHECK_OK(ps__gradient_op(op, ~0u, &t->gradient));
    while (t->tensors < t->info.nargs && t->info.args[t->tensors].kind == PS_ARG_TENSOR)
        t->tensors++;
    assert_in_range(t->tensors, 1, ARGS_MOST);
    for (unsigned a = 0; a < t->tensors; a++) {
        t->ndim[a] = 1;
        t->shape[a][0] = POINTS;
    }
    return true;
}

/* At a divisor of 0 the remainders jump from one end of their range to the other; a power of 0 with
 * a complex exponent turns ever faster. */
static bool singular_at_zero(const trial *t, unsigned a)
{
    static const char *const remainders[] = {"remainder", "modulo", "fmod"};
    for (int i = 0; i < 3; i++)
        if (a == 1 && strcmp(t->info.name, remainders[i]) == 0)
            return true;
    return a == 0 && t->dtype == PS_COMPLEX128 && strcmp(t->info.name, "pow") == 0;
}

/* Some of the elements, of each argument others, and of all arguments some. */
static void put_zeros(trial *t)
{
    for (unsigned a = 0; a < t->tensors; a++)
        for (int i = 0; i < POINTS && !singular_at_zero(t, a); i++)
            if (i % (int)(t->tensors + 1) == (int)a || i % 5 == 0)
                t->x[a][i] = 0;
}

/* Columns and rows: of the elements only the first ones count. */
static void make_broadcast(trial *t)
{
    for (unsigned a = 0; a < t->tensors; a++) {
        t->ndim[a] = 2;
        t->shape[a][0] = a % 2 == 0 ? 4 : 1;
        t->shape[a][1] = a % 2 == 0 ? 1 : POINTS / 4;
    }
}

typedef void (*change)(trial *t);

static int check_rows(change changed, unsigned least)
{
    static const ps_dtype dtypes[] = {PS_FLOAT64, PS_COMPLEX128};
    static trial t;
    int rows = 0;
    for (size_t r = 0; r < ps_op_count(); r++)
        for (int d = 0; d < 2; d++) {
            if (!begin(&t, ps_op_at(r), dtypes[d]) || t.tensors < least)
                continue;
            choose_points(&t);
            if (changed != NULL)
                changed(&t);
            int compared = compare(&t);
            if (changed == NULL && compared < POINTS / 2)
                fail_msg("%s: only %d of its points could be compared", t.info.name, compared);
            rows++;
        }
    return rows;
}

static void at_random_points(void **state)
{
    (void)state;
    assert_in_range(check_rows(NULL, 1), 75, 1000); /* rows and types */
}

static void at_zeros(void **state)
{
    (void)state;
    assert_in_range(check_rows(put_zeros, 1), 75, 1000);
}

static void of_broadcast_arguments(void **state)
{
    (void)state;
    assert_in_range(check_rows(make_broadcast, 2), 12, 1000);
}

/* ---- ties, and what is no expression -------------------------------------------------------- */

/* Of `dy` to equal operands; `share` is the first one's, 0.5 if it is NONE. */
static void check_tie(const char *name, ps_arg share, float dy, float first, float second)
{
    const ps_op *op, *gradient;
    ps_tensor *x = from_floats(SHAPE(1), (float[]){3}), *outputs[2] = {NULL};
    ps_tensor *flow = from_floats(SHAPE(1), &dy);
    CHECK_OK(ps_op_find(name, &op));
    CHECK_OK(ps__gradient_op(op, ~0u, &gradient));
    ps_arg args[] = {T(x), T(x), T(x), T(flow), share};
    CHECK_OK(ps_op_call(gradient, &(ps_call){.size = sizeof(ps_call),
                                             .args = args,
                                             .nargs = 5,
                                             .outputs = outputs,
                                             .noutputs = 2}));
    CHECK_VALUES(outputs[0], first);
    CHECK_VALUES(outputs[1], second);
    ps_tensor_release(outputs[0]);
    ps_tensor_release(outputs[1]);
    ps_tensor_release(flow);
    ps_tensor_release(x);
}

static void the_share_at_a_tie_can_be_chosen(void **state)
{
    (void)state;
    static const char *const names[] = {"maximum", "minimum"};
    for (int n = 0; n < 2; n++) {
        check_tie(names[n], NONE, 3, 1.5F, 1.5F);
        check_tie(names[n], F(0), 3, 0, 3);
        check_tie(names[n], F(1), 3, 3, 0);
        check_tie(names[n], NONE, INFINITY, INFINITY, INFINITY);
        check_tie(names[n], F(0), INFINITY, 0, INFINITY);
        check_tie(names[n], F(1), INFINITY, INFINITY, 0);
    }
}

static void every_row_says_something(void **state)
{
    (void)state;
    for (size_t r = 0; r < ps_op_count(); r++) {
        const ps_op *op = ps_op_at(r);
        const char *text = op->row.gradient;
        assert_non_null(text);
        if (ps__gradient_kind_of(op) == PS__GRADIENT_NONE)
            assert_in_range(strlen(text), strlen("no: ") + 5, 200);
    }
}

static void rules_that_cannot_be_compiled_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *gradient, *part;
    } wrong[] = {{"dy", "1 gradients in \"dy\", its tensors are 2"},
                 {"dy; dy; dy", "3 gradients"},
                 {"dy * z; dy", "an unknown name"},
                 {"dy *; dy", "something unexpected"},
                 {"dy; sum(dy)", "an unknown function"},
                 {"dy)(; dy", "a missing ;"}};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        CHECK_FAILS(PS_ERR_ARGUMENT, wrong[i].part,
                    ps_op_register(&(ps_op_def){.size = sizeof(ps_op_def),
                                                .name = "never_added",
                                                .signature = "a, b",
                                                .dtypes = "numeric",
                                                .result = "same",
                                                .expression = "a * b",
                                                .gradient = wrong[i].gradient},
                                   NULL));
    const ps_op *op;
    CHECK_FAILS(PS_ERR_ARGUMENT, "never_added", ps_op_find("never_added", &op));
}

int main(void)
{
    alarm(LIMIT_S);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(at_random_points),
        cmocka_unit_test(at_zeros),
        cmocka_unit_test(of_broadcast_arguments),
        cmocka_unit_test(the_share_at_a_tie_can_be_chosen),
        cmocka_unit_test(every_row_says_something),
        cmocka_unit_test(rules_that_cannot_be_compiled_are_refused),
    };
    return cmocka_run_group_tests_name("gradients", tests, NULL, NULL);
}
