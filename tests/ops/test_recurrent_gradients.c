/* Gradients of recurrent layers: against differences, of each operand; of walks that are
 * recorded the same, and theirs; where memory runs out; what is saved. */
#include "recurrent_help.h"

#include "base/alloc.h"

enum { HEADS = 3 };

/* Weights of the results, so that every element counts differently. */
static ps_tensor *weights_like(ps_tensor *y)
{
    ps_tensor *line = counted(PS_FLOAT64, ps_tensor_ndim(y), ps_tensor_shape(y));
    ps_tensor *turned = CALL("multiply", T(line), F(0.37)), *made = CALL("cos", T(turned));
    RELEASE_ALL(line, turned);
    return made;
}

/* The weighted sum of y, the last states and the last cells. */
static ps_tensor *total(const sizes *s, ps_tensor *const *operands)
{
    ps_tensor *results[RESULTS], *sum = NULL;
    rnn(s, operands, results);
    for (int i = 0; i < HEADS; i++) {
        ps_tensor *w = weights_like(results[i]), *p = CALL("multiply", T(results[i]), T(w));
        ps_tensor *part = CALL("sum", T(p)),
                  *more = sum != NULL ? CALL("add", T(sum), T(part)) : NULL;
        RELEASE_ALL(w, p);
        if (sum != NULL) {
            RELEASE_ALL(sum, part);
            sum = more;
        } else {
            sum = part;
        }
    }
    release_operands(results, RESULTS);
    return sum;
}

static double number(ps_tensor *x)
{
    double value;
    CHECK_OK(ps_tensor_to_host(x, &value, sizeof value));
    ps_tensor_release(x);
    return value;
}

/* What is differentiated: a number of the operands. */
typedef double (*function)(const sizes *s, ps_tensor *const *operands);

static double first_order(const sizes *s, ps_tensor *const *operands)
{
    return number(total(s, operands));
}

/* The slope of f by element `at` of an operand. */
static double slope(const sizes *s, ps_tensor **operands, int which, int64_t at, function f)
{
    const double step = 1e-5;
    ps_tensor *before = operands[which], *sides[2];
    double values[2], *elements = values_of(before), middle = elements[at];
    for (int i = 0; i < 2; i++) {
        elements[at] = middle + (i == 0 ? -step : step);
        CHECK_OK(ps_tensor_from_host(PS_FLOAT64, ps_tensor_ndim(before), ps_tensor_shape(before),
                                     NULL, elements, NULL, &sides[i]));
        operands[which] = sides[i];
        values[i] = f(s, operands);
        ps_tensor_release(sides[i]);
    }
    operands[which] = before;
    free(elements);
    return (values[1] - values[0]) / (2 * step);
}

/* Some elements of a gradient against differences. */
static void compare(const sizes *s, ps_tensor **operands, int which, ps_tensor *gradient,
                    function f)
{
    if (gradient == NULL)
        fail_msg("%s: nothing has flowed to operand %d", s->mode, which);
    double *found = values_of(gradient);
    int64_t count = ps_tensor_count(gradient), some = count > 24 ? count / 24 : 1;
    assert_int_equal(count, ps_tensor_count(operands[which]));
    for (int64_t at = 0; at < count; at += some) {
        double wanted = slope(s, operands, which, at, f);
        if (!(fabs(found[at] - wanted) <= 1e-6 * (1 + fabs(wanted))))
            fail_msg("%s, %lld layers, %lld directions: operand %d, element %lld: %.12g, not %.12g",
                     s->mode, (long long)s->layers, (long long)s->directions, which, (long long)at,
                     found[at], wanted);
    }
    free(found);
}

/* What has flowed to each operand. The function may attach other gradients. */
static void compare_all(const sizes *s, ps_tensor **operands, function f)
{
    ps_tensor *gradients[OPERANDS] = {NULL};
    for (int i = 0; i < OPERANDS; i++)
        if (operands[i] != NULL)
            CHECK_OK(ps_grad_get(operands[i], &gradients[i]));
    for (int i = 0; i < OPERANDS; i++)
        if (operands[i] != NULL)
            compare(s, operands, i, gradients[i], f);
    release_operands(gradients, OPERANDS);
}

static void attach(ps_tensor **operands)
{
    for (int i = 0; i < OPERANDS; i++)
        if (operands[i] != NULL)
            CHECK_OK(ps_grad_attach(operands[i], PS_GRAD_WRITE, NULL));
}

static ps_tensor *recorded_total(const sizes *s, ps_tensor *const *operands)
{
    record();
    ps_tensor *y = total(s, operands);
    pause_it();
    return y;
}

/* ---- first order ----------------------------------------------------------------------------- */

static void check_first(const sizes *s)
{
    ps_tensor *o[OPERANDS];
    operands_of(s, PS_FLOAT64, o);
    attach(o);
    ps_tensor *y = recorded_total(s, o);
    backward(y);
    ps_tensor_release(y);
    compare_all(s, o, first_order);
    release_operands(o, OPERANDS);
    nothing_is_left();
}

static void gradients(void **state)
{
    (void)state;
    for (int i = 0; i < ALL_SIZES; i++)
        check_first(&all_sizes[i]);
}

/* Of one operand alone, the others being constants. */
static void one_operand(void **state)
{
    (void)state;
    const sizes *s = &all_sizes[3];
    for (int i = 0; i < OPERANDS; i++) {
        ps_tensor *o[OPERANDS], *gradient;
        operands_of(s, PS_FLOAT64, o);
        CHECK_OK(ps_grad_attach(o[i], PS_GRAD_WRITE, NULL));
        ps_tensor *y = recorded_total(s, o);
        backward(y);
        CHECK_OK(ps_grad_get(o[i], &gradient));
        compare(s, o, i, gradient, first_order);
        RELEASE_ALL(gradient, y);
        release_operands(o, OPERANDS);
    }
    nothing_is_left();
}

/* Sizes of 0: parameters get zeros, states what flows to them. */
static void nothing_flows_through_nothing(void **state)
{
    (void)state;
    static const sizes edges[] = {{"lstm", 0, 2, 3, 4, 1, 1, false},
                                  {"gru", 3, 0, 3, 4, 2, 2, false}};
    for (int i = 0; i < 2; i++) {
        ps_tensor *o[OPERANDS], *gradient;
        operands_of(&edges[i], PS_FLOAT64, o);
        attach(o);
        ps_tensor *y = recorded_total(&edges[i], o);
        backward(y);
        CHECK_OK(ps_grad_get(o[PARAMETERS], &gradient));
        double *found = values_of(gradient);
        for (int64_t k = 0; k < ps_tensor_count(gradient); k++)
            assert_true(found[k] == 0);
        free(found);
        RELEASE_ALL(gradient, y);
        release_operands(o, OPERANDS);
    }
    nothing_is_left();
}

/* What was read is what counts, also if it is overwritten before the walk. */
static void operands_that_are_overwritten(void **state)
{
    (void)state;
    const sizes *s = &all_sizes[7];
    ps_tensor *o[OPERANDS], *wanted, *found;
    operands_of(s, PS_FLOAT64, o);
    CHECK_OK(ps_grad_attach(o[PARAMETERS], PS_GRAD_WRITE, NULL));
    ps_tensor *y = recorded_total(s, o);
    CHECK_OK(ps_grad(&y, 1, &o[PARAMETERS], 1,
                     &(ps_backward_options){.size = sizeof(ps_backward_options), .retain = true},
                     &wanted));
    CHECK_OK(call_into("assign", ARGS(F(3)), &o[X]));
    CHECK_OK(call_into("assign", ARGS(F(2)), &o[STATE]));
    CHECK_OK(ps_grad(&y, 1, &o[PARAMETERS], 1, NULL, &found));
    double *a = values_of(wanted), *b = values_of(found);
    assert_memory_equal(a, b, (size_t)ps_tensor_count(wanted) * sizeof *a);
    free(a);
    free(b);
    RELEASE_ALL(y, wanted, found);
    release_operands(o, OPERANDS);
    nothing_is_left();
}

/* ---- second order ---------------------------------------------------------------------------- */

static const ps_backward_options create = {.size = sizeof create, .create = true};

/* The weighted sum of the gradient of an operand, which is recorded. */
static ps_tensor *gradient_total(const sizes *s, ps_tensor *const *operands, int which)
{
    ps_tensor *y = total(s, operands), *dx = NULL;
    CHECK_OK(ps_grad(&y, 1, (ps_tensor *const *)&operands[which], 1, &create, &dx));
    ps_tensor *w = weights_like(dx), *p = CALL("multiply", T(dx), T(w)), *sum = CALL("sum", T(p));
    RELEASE_ALL(y, dx, w, p);
    return sum;
}

static int of; /* the operand whose gradient is differentiated */

static double second_order(const sizes *s, ps_tensor *const *operands)
{
    CHECK_OK(ps_grad_attach(operands[of], PS_GRAD_WRITE, NULL));
    record();
    ps_tensor *sum = gradient_total(s, operands, of);
    pause_it();
    CHECK_OK(ps_grad_attach(operands[of], PS_GRAD_NULL, NULL));
    return number(sum);
}

static void check_second(const sizes *s, int operand)
{
    ps_tensor *o[OPERANDS];
    of = operand;
    operands_of(s, PS_FLOAT64, o);
    attach(o);
    record();
    ps_tensor *sum = gradient_total(s, o, of);
    pause_it();
    backward(sum);
    ps_tensor_release(sum);
    compare_all(s, o, second_order);
    release_operands(o, OPERANDS);
    nothing_is_left();
}

static void gradients_of_gradients(void **state)
{
    (void)state;
    static const sizes small[] = {{"lstm", 2, 2, 2, 3, 1, 1, false},
                                  {"gru", 2, 1, 2, 2, 2, 2, true},
                                  {"rnn_tanh", 3, 1, 2, 2, 1, 2, false}};
    for (int i = 0; i < 3; i++) {
        check_second(&small[i], X);
        check_second(&small[i], PARAMETERS);
    }
    check_second(&small[0], STATE);
    check_second(&small[0], CELL);
    check_second(&small[1], MASK);
}

/* A walk that is recorded gives the same as one that is not. */
static void recorded_walks(void **state)
{
    (void)state;
    for (int i = 0; i < ALL_SIZES; i++) {
        const sizes *s = &all_sizes[i];
        ps_tensor *o[OPERANDS], *plain[2], *made[2];
        operands_of(s, PS_FLOAT64, o);
        attach(o);
        ps_tensor *y = recorded_total(s, o);
        CHECK_OK(ps_grad(&y, 1, o, 2, &create, made));
        CHECK_OK(ps_grad(&y, 1, o, 2, NULL, plain));
        for (int k = 0; k < 2; k++) {
            double *a = values_of(plain[k]), *b = values_of(made[k]);
            for (int64_t at = 0; at < ps_tensor_count(plain[k]); at++)
                if (!(fabs(a[at] - b[at]) <= 1e-12 * (1 + fabs(a[at]))))
                    fail_msg("%s: operand %d, element %lld: %.17g and %.17g", s->mode, k,
                             (long long)at, a[at], b[at]);
            free(a);
            free(b);
            RELEASE_ALL(plain[k], made[k]);
        }
        ps_tensor_release(y);
        release_operands(o, OPERANDS);
    }
    nothing_is_left();
}

/* ---- memory ---------------------------------------------------------------------------------- */

/* Each allocation fails in turn: calls say so, and nothing is left. */
static void memory_that_is_not_there(void **state)
{
    (void)state;
    const sizes *s = &all_sizes[3];
    ps_tensor *o[OPERANDS];
    operands_of(s, PS_FLOAT64, o);
    CHECK_OK(ps_grad_attach(o[PARAMETERS], PS_GRAD_WRITE, NULL));
    for (int again = 0; again < 2; again++)
        for (unsigned long nth = 1, calls = nth; calls + 1 >= nth; nth++) {
            ps_tensor *results[RESULTS] = {NULL}, *dx = NULL;
            record();
            ps__fault_set(nth, false);
            ps_status status = try_rnn(s, o, results);
            if (status == PS_OK)
                status = ps_grad(results, 1, &o[PARAMETERS], 1, again ? &create : NULL, &dx);
            ps_status waited = status == PS_OK ? ps_tensor_wait(dx, NULL) : PS_OK;
            calls = ps__fault_count();
            ps__fault_set(0, false);
            pause_it();
            assert_true(status == PS_OK || status == PS_ERR_MEMORY);
            assert_true(waited == PS_OK || waited == PS_ERR_MEMORY);
            release_operands(results, RESULTS);
            ps_tensor_release(dx);
            ps_engine *engine;
            CHECK_OK(ps_engine_default(&engine));
            (void)ps_wait_all(engine, NULL);
        }
    release_operands(o, OPERANDS);
    nothing_is_left();
}

int main(void)
{
    alarm(LIMIT_S);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gradients),
        cmocka_unit_test(one_operand),
        cmocka_unit_test(nothing_flows_through_nothing),
        cmocka_unit_test(operands_that_are_overwritten),
        cmocka_unit_test(gradients_of_gradients),
        cmocka_unit_test(recorded_walks),
        cmocka_unit_test(memory_that_is_not_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
