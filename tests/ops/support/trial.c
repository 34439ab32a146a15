/* Gradients of a trial, and differences: see trial.h. */
#include "trial.h"

#include "ops/help.h"

static const double STEP = 1e-5, ROOM = 2e-6;

/* ---- gradients ----------------------------------------------------------------------------- */

static void start(void)
{
    CHECK_OK(ps_thread_set_state(ps_thread_state() | PS_STATE_RECORDING));
}

static void stop(void)
{
    CHECK_OK(ps_thread_set_state(ps_thread_state() & ~PS_STATE_RECORDING));
}

/* A refusal says of what. */
static void check(const trial *t, ps_status status)
{
    if (status != PS_OK)
        fail_msg("%s: %s", t->about, ps_last_error());
}

/* What is tried now, for messages. */
static void write_about(trial *t)
{
    size_t end = strcspn(t->about, ";");
    snprintf(t->about + end, sizeof t->about - end, "; %s, leaves %#x%s%s", t->form->name,
             t->wanted, t->same ? ", all the same" : "", t->numbers ? ", numbers" : "");
}

void trial_leaves(trial *t, bool weights, ps_tensor **leaves)
{
    write_about(t);
    memset(leaves, 0, (TRIAL_SLOTS + 1) * sizeof leaves[0]);
    for (unsigned i = 0; i < t->nslots; i++) {
        ps_tensor *value = t->slots[i].value;
        if (!trial_is_leaf(t, i))
            continue;
        leaves[i] = t->form->leaf != NULL ? t->form->leaf(value) : CALL("copy", T(value));
        CHECK_OK(ps_grad_attach(leaves[i], PS_GRAD_WRITE, NULL));
    }
    if (!weights)
        return;
    ps_tensor *y;
    check(t, trial_call(t, leaves, &y));
    leaves[TRIAL_SLOTS] = trial_weights(y);
    CHECK_OK(ps_grad_attach(leaves[TRIAL_SLOTS], PS_GRAD_WRITE, NULL));
    ps_tensor_release(y);
}

void trial_drop(ps_tensor **leaves)
{
    for (unsigned i = 0; i <= TRIAL_SLOTS; i++)
        ps_tensor_release(leaves[i]);
}

static ps_tensor *recorded(trial *t, ps_tensor *const *leaves)
{
    ps_tensor *y;
    start();
    ps_status status = trial_call(t, leaves, &y);
    stop();
    check(t, status);
    if (!ps_tensor_is_recorded(y))
        fail_msg("%s: not recorded", t->about);
    return y;
}

void trial_backward(trial *t, ps_tensor *const *leaves, ps_tensor **gradients)
{
    ps_tensor *y = recorded(t, leaves), *weights = trial_weights(y);
    ps_backward_options options = {.size = sizeof options, .gradients = &weights};
    memset(gradients, 0, (TRIAL_SLOTS + 1) * sizeof gradients[0]);
    check(t, ps_backward(&y, 1, &options));
    for (unsigned i = 0; i < t->nslots; i++)
        if (leaves[i] != NULL) {
            CHECK_OK(ps_grad_get(leaves[i], &gradients[i]));
            if (!trial_is_alike(gradients[i], leaves[i]))
                fail_msg("%s: slot %u: a gradient of another type or shape", t->about, i);
        }
    ps_tensor_release(weights);
    ps_tensor_release(y);
}

ps_tensor *trial_gradient(trial *t, ps_tensor *const *leaves, bool create)
{
    ps_tensor *y = recorded(t, leaves), *x = leaves[t->of], *made;
    ps_backward_options options = {.size = sizeof options,
                                   .gradients = &leaves[TRIAL_SLOTS],
                                   .create = create};
    check(t, ps_grad(&y, 1, &x, 1, &options, &made));
    ps_tensor_release(y);
    return made;
}

/* ---- differences --------------------------------------------------------------------------- */

static double weighted(ps_tensor *x)
{
    double *numbers = trial_numbers(x), sum = 0;
    for (int64_t i = 0; i < trial_count(x); i++)
        sum += numbers[i] * trial_weight(i);
    free(numbers);
    return sum;
}

double trial_value(trial *t, ps_tensor *const *leaves)
{
    ps_tensor *y;
    check(t, trial_call(t, leaves, &y));
    double sum = weighted(y);
    ps_tensor_release(y);
    return sum;
}

double trial_first(trial *t, ps_tensor *const *leaves)
{
    ps_tensor *gradient = trial_gradient(t, leaves, false);
    double sum = gradient != NULL ? weighted(gradient) : 0;
    ps_tensor_release(gradient);
    return sum;
}

/* The function with number `at` of a leaf moved. */
static double moved(trial *t, trial_function f, ps_tensor **leaves, unsigned slot, int64_t at,
                    double by)
{
    ps_tensor *before = leaves[slot];
    double *numbers = trial_numbers(before);
    numbers[at] += by;
    leaves[slot] = trial_tensor(ps_tensor_dtype(before), ps_tensor_ndim(before),
                                ps_tensor_shape(before), numbers);
    CHECK_OK(ps_grad_attach(leaves[slot], PS_GRAD_WRITE, NULL));
    double found = f(t, leaves);
    ps_tensor_release(leaves[slot]);
    leaves[slot] = before;
    free(numbers);
    return found;
}

/* Whether the function has one slope, and no jump, by its values at a point and to both sides. */
static bool is_smooth(double below, double here, double above)
{
    double left = (here - below) / STEP, right = (above - here) / STEP;
    return fabs(left - right) <= 1e-3 * (1 + fabs(left)) && fabs(left) < 1e-2 / STEP;
}

static unsigned compare_leaf(trial *t, trial_function f, ps_tensor **leaves, unsigned slot,
                             ps_tensor *gradient)
{
    int64_t count = trial_count(leaves[slot]), compared = 0;
    double here = t->corners ? f(t, leaves) : 0;
    double *found =
        gradient != NULL ? trial_numbers(gradient) : calloc((size_t)count + 1, sizeof *found);
    for (int64_t i = 0; i < count; i++) {
        double above = moved(t, f, leaves, slot, i, STEP);
        double below = moved(t, f, leaves, slot, i, -STEP);
        double wanted = (above - below) / (2 * STEP);
        if (t->corners && !is_smooth(below, here, above))
            continue;
        compared++;
        if (!(fabs(found[i] - wanted) <= ROOM * (1 + fabs(wanted) + fabs(above))))
            fail_msg("%s: by number %lld of slot %u the gradient is %.12g, differences are %.12g",
                     t->about, (long long)i, slot, found[i], wanted);
    }
    free(found);
    return (unsigned)compared;
}

unsigned trial_compare(trial *t, trial_function f, ps_tensor **leaves, ps_tensor *const *gradients)
{
    unsigned compared = 0;
    for (unsigned i = 0; i <= TRIAL_SLOTS; i++)
        if (leaves[i] != NULL)
            compared += compare_leaf(t, f, leaves, i, gradients[i]);
    return compared;
}

unsigned trial_check(trial *t)
{
    ps_tensor *leaves[TRIAL_SLOTS + 1], *gradients[TRIAL_SLOTS + 1];
    trial_leaves(t, false, leaves);
    trial_backward(t, leaves, gradients);
    unsigned compared = trial_compare(t, trial_value, leaves, gradients);
    trial_drop(gradients);
    trial_drop(leaves);
    return compared;
}

unsigned trial_check_each(trial *t)
{
    unsigned compared = 0;
    uint32_t all = (1u << t->nslots) - 1;
    for (unsigned i = 0; i < t->nslots && t->nslots > 1; i++) {
        t->wanted = 1u << i;
        compared += trial_fits(t) ? trial_check(t) : 0;
    }
    t->wanted = all;
    return compared + (trial_fits(t) ? trial_check(t) : 0);
}

void trial_nothing_is_left(void)
{
    ps_graph_stats stats = {.size = sizeof stats};
    CHECK_OK(ps_graph_get_stats(&stats));
    assert_int_equal(stats.nodes, 0);
    assert_int_equal(stats.saves, 0);
}
