/* Gradients that there are from the first walk on, and gradients that the program sets. */
#include "base/atomic.h" /* before help.h, which has short names of its own */

#include "autograd_help.h"
#include "support/sanitized.h"

#include <pthread.h>

enum { LAZY = PS_GRAD_ADD | PS_GRAD_LAZY };

/* 0, 1, 2, ... in the shape, with a gradient asked for. */
static ps_tensor *lazy(uint32_t request, int ndim, const int64_t *shape)
{
    ps_tensor *x = counted(PS_FLOAT64, ndim, shape);
    CHECK_OK(ps_grad_attach(x, request, NULL));
    return x;
}

static ps_tensor *grad_of(ps_tensor *x)
{
    ps_tensor *grad;
    CHECK_OK(ps_grad_get(x, &grad));
    return grad;
}

static void has_none(ps_tensor *x)
{
    assert_null(grad_of(x));
}

/* Adds so many times ones to the gradient of x, each by a walk. */
static void walk(ps_tensor *x, int times)
{
    for (int i = 0; i < times; i++) {
        record();
        ps_tensor *y = CALL("sum", T(x));
        pause_it();
        backward(y);
        ps_tensor_release(y);
    }
}

/* ---- the first walk ----------------------------------------------------------------------- */

static void there_is_none_before_a_walk(void **state)
{
    (void)state;
    ps_tensor *x = lazy(LAZY, SHAPE(3)), *unused = lazy(LAZY, SHAPE(3)), *dx;
    has_none(x);
    record();
    ps_tensor *y = CALL("multiply", T(x), T(x)), *s = CALL("sum", T(unused));
    pause_it();
    ps_backward_options retain = {.size = sizeof retain, .retain = true};
    CHECK_OK(ps_grad(&y, 1, &x, 1, &retain, &dx)); /* this goes elsewhere */
    has_none(x);
    backward(y);
    ps_tensor *first = grad_of(x);
    CHECK_VALUES(first, 0, 2, 4);
    assert_false(ps_tensor_is_recorded(first));
    has_none(unused);
    walk(x, 1);
    ps_tensor *again = grad_of(x);
    assert_ptr_equal(again, first);
    CHECK_VALUES(first, 1, 3, 5);
    RELEASE_ALL(x, unused, dx, y, s, first, again);
    nothing_is_left();
}

static void written_rather_than_added(void **state)
{
    (void)state;
    ps_tensor *x = lazy(PS_GRAD_WRITE | PS_GRAD_LAZY, SHAPE(2));
    has_none(x);
    walk(x, 1);
    ps_tensor *first = grad_of(x);
    walk(x, 2);
    CHECK_VALUES(first, 1, 1);
    CHECK_GRAD(x, 1, 1);
    RELEASE_ALL(x, first);
    nothing_is_left();
}

/* What the walk has not made for one leaf alone is copied. */
static void it_is_its_own(void **state)
{
    (void)state;
    ps_tensor *x = lazy(LAZY, SHAPE(2)), *u = lazy(LAZY, SHAPE(2)), *z = lazy(LAZY, SHAPE(2, 3));
    ps_tensor *given = counted(PS_FLOAT64, SHAPE(2)), *view;
    ps_backward_options options = {.size = sizeof options, .gradients = &given};
    record();
    ps_tensor *y = CALL("add", T(x), T(u)), *turned;
    CHECK_OK(ps_tensor_permute(z, NULL, 0, &turned));
    ps_tensor *w = CALL("multiply", T(turned), T(turned));
    pause_it();
    CHECK_OK(ps_backward(&y, 1, &options)); /* the same tensor flows to both */
    ps_tensor *dx = grad_of(x), *du = grad_of(u);
    assert_false(ps_tensor_shares(dx, du) || ps_tensor_shares(dx, given));
    assert_false(ps_tensor_shares(du, given));
    walk(x, 1);
    CHECK_VALUES(dx, 1, 2);
    CHECK_VALUES(du, 0, 1);
    CHECK_VALUES(given, 0, 1);
    CHECK_OK(ps_backward(&x, 1, &options)); /* a leaf as a head */
    CHECK_GRAD(x, 1, 3);
    backward(w);
    view = grad_of(z);
    CHECK_VALUES(view, 0, 2, 4, 6, 8, 10);
    assert_true(ps_tensor_strides(view)[0] == 3 && ps_tensor_strides(view)[1] == 1);
    RELEASE_ALL(x, u, z, given, view, y, turned, w, dx, du);
    nothing_is_left();
}

static ps_tensor *on(const char *name, ps_tensor *x)
{
    ps_device *device;
    ps_tensor *there = NULL;
    const ps_op *op;
    CHECK_OK(ps_device_find(name, &device));
    CHECK_OK(ps_op_find("to_device", &op));
    CHECK_OK(ps_op_call(op, &(ps_call){.size = sizeof(ps_call),
                                       .args = (ps_arg[]){T(x)},
                                       .nargs = 1,
                                       .outputs = &there,
                                       .noutputs = 1,
                                       .device = device}));
    return there;
}

/* What arrives may be on another of the CPU's devices. */
static void it_is_where_the_tensor_is(void **state)
{
    (void)state;
    ps_tensor *z = counted(PS_FLOAT64, SHAPE(2)), *x = on("cpu:1", z);
    CHECK_OK(ps_grad_attach(x, LAZY, NULL));
    record();
    ps_tensor *y = CALL("multiply", T(z), T(x));
    pause_it();
    assert_ptr_not_equal(ps_tensor_device(y), ps_tensor_device(x));
    backward(y);
    ps_tensor *grad = grad_of(x);
    assert_ptr_equal(ps_tensor_device(grad), ps_tensor_device(x));
    CHECK_VALUES(grad, 0, 1);
    RELEASE_ALL(z, x, y, grad);
    nothing_is_left();
}

/* Leaves of both kinds are of one graph. */
static void beside_others(void **state)
{
    (void)state;
    ps_tensor *x = lazy(LAZY, SHAPE(2)), *u = leaf(SHAPE(2));
    record();
    ps_tensor *y = CALL("multiply", T(x), T(u));
    pause_it();
    backward(y);
    CHECK_GRAD(x, 0, 1);
    CHECK_GRAD(u, 0, 1);
    RELEASE_ALL(x, u, y);
    nothing_is_left();
}

/* The gradient of a walk that is recorded has a graph, which leads to the leaf that has it. */
static void of_a_recorded_walk(void **state)
{
    (void)state;
    ps_tensor *x = lazy(LAZY, SHAPE(2));
    record();
    ps_tensor *y = CALL("multiply", T(x), T(x));
    ps_backward_options create = {.size = sizeof create, .create = true};
    CHECK_OK(ps_backward(&y, 1, &create));
    ps_tensor *first = grad_of(x), *second;
    pause_it();
    assert_true(ps_tensor_is_recorded(first));
    CHECK_OK(ps_grad(&first, 1, &x, 1, NULL, &second));
    CHECK_VALUES(second, 2, 2);
    CHECK_OK(ps_grad_set(x, NULL)); /* else both would keep each other */
    RELEASE_ALL(x, y, first, second);
    nothing_is_left();
}

/* ---- setting it --------------------------------------------------------------------------- */

static void set_to_none(void **state)
{
    (void)state;
    for (int eager = 0; eager < 2; eager++) {
        ps_tensor *x = lazy(eager ? PS_GRAD_ADD : LAZY, SHAPE(2));
        walk(x, 2);
        ps_tensor *old = grad_of(x);
        CHECK_OK(ps_grad_set(x, NULL));
        CHECK_OK(ps_grad_set(x, NULL));
        has_none(x);
        assert_true(ps_tensor_is_recorded(x)); /* it is a leaf as before */
        walk(x, 3);
        CHECK_GRAD(x, 3, 3);
        CHECK_VALUES(old, 2, 2);
        RELEASE_ALL(x, old);
    }
    nothing_is_left();
}

static void set_to_a_tensor(void **state)
{
    (void)state;
    ps_tensor *x = lazy(LAZY, SHAPE(2)), *given = counted(PS_FLOAT64, SHAPE(2));
    CHECK_OK(ps_grad_set(x, given));
    ps_tensor *found = grad_of(x);
    assert_ptr_equal(found, given);
    walk(x, 2);
    CHECK_VALUES(given, 2, 3);
    RELEASE_ALL(x, given, found);
    nothing_is_left();
}

static void refused(void **state)
{
    (void)state;
    ps_tensor *x = lazy(LAZY, SHAPE(2)), *alone = counted(PS_FLOAT64, SHAPE(2));
    ps_tensor *longer = counted(PS_FLOAT64, SHAPE(3)), *narrow = counted(PS_FLOAT32, SHAPE(2));
    record();
    ps_tensor *y = CALL("exp", T(x));
    pause_it();
    CHECK_FAILS(PS_ERR_ARGUMENT, "ps_grad_set: tensor is NULL", ps_grad_set(NULL, alone));
    CHECK_FAILS(PS_ERR_ARGUMENT, "a gradient of float64 of shape (3,)", ps_grad_set(x, longer));
    CHECK_FAILS(PS_ERR_ARGUMENT, "a gradient of float32 of shape (2,)", ps_grad_set(x, narrow));
    CHECK_FAILS(PS_ERR_ARGUMENT, "its own gradient", ps_grad_set(x, x));
    CHECK_FAILS(PS_ERR_ARGUMENT, "its own gradient", ps_grad_attach(x, LAZY, x));
    CHECK_FAILS(PS_ERR_STATE, "no gradient was asked for", ps_grad_set(alone, NULL));
    CHECK_FAILS(PS_ERR_STATE, "no gradient was asked for", ps_grad_set(y, alone));
    CHECK_FAILS(PS_ERR_ARGUMENT, "is no request", ps_grad_attach(x, LAZY | 1 << 18, NULL));
    has_none(x);
    RELEASE_ALL(x, alone, longer, narrow, y);
    nothing_is_left();
}

/* ---- hooks -------------------------------------------------------------------------------- */

typedef struct watch {
    ps_tensor *x;
    double seen;
    int calls;
} watch;

/* Uses the gradient, and has the next walk make another. */
static ps_status use_up(void *context, ps_tensor *gradient, ps_tensor **replacement)
{
    watch *w = context;
    (void)replacement;
    double *values = values_of(gradient);
    w->seen = values[1];
    w->calls++;
    free(values);
    return ps_grad_set(w->x, NULL);
}

static void hooks_on_what_was_accumulated(void **state)
{
    (void)state;
    watch w = {.x = lazy(LAZY, SHAPE(2))};
    ps_hook_spec spec = {.size = sizeof spec,
                         .kind = PS_HOOK_ACCUMULATED,
                         .run = use_up,
                         .context = &w};
    CHECK_OK(ps_tensor_hook(w.x, &spec, NULL));
    walk(w.x, 3);
    assert_true(w.calls == 3 && w.seen == 1);
    has_none(w.x);
    ps_tensor_release(w.x);
    nothing_is_left();
}

/* ---- threads ------------------------------------------------------------------------------ */

enum { WALKERS = 4, ROUNDS = SANITIZED ? 20 : 200, WALKS = 5 };

static void run_walkers(void *(*body)(void *arg), void *arg)
{
    pthread_t threads[WALKERS];
    for (int i = 0; i < WALKERS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, body, arg), 0);
    for (int i = 0; i < WALKERS; i++)
        pthread_join(threads[i], NULL);
}

static void *walk_some(void *x)
{
    walk(x, WALKS);
    ps_tensor *grad = grad_of(x);
    assert_non_null(grad);
    ps_tensor_release(grad);
    return NULL;
}

/* Whoever comes first makes it; the others add to that. */
static void walks_that_come_first_together(void **state)
{
    (void)state;
    ps__step_configure(50, 11);
    ps_tensor *x = lazy(LAZY, SHAPE(2));
    for (int i = 0; i < ROUNDS; i++) {
        run_walkers(walk_some, x);
        CHECK_GRAD(x, WALKERS * WALKS, WALKERS * WALKS);
        CHECK_OK(ps_grad_set(x, NULL));
    }
    ps__step_configure(0, 0);
    ps_tensor_release(x);
    nothing_is_left();
}

typedef struct taken {
    ps_tensor *x;
    ps_tensor *all[WALKERS * WALKS + 1];
    _Atomic int running;
    int count;
} taken;

static void *walk_beside(void *arg)
{
    taken *t = arg;
    walk(t->x, WALKS);
    atomic_fetch_sub(&t->running, 1);
    return NULL;
}

/* Takes each gradient that there is away, until the walks are through. */
static void *take_away(void *arg)
{
    taken *t = arg;
    for (bool more = true; more;) {
        more = atomic_load(&t->running) != 0;
        ps_tensor *grad = grad_of(t->x);
        if (grad == NULL)
            continue;
        CHECK_OK(ps_grad_set(t->x, NULL));
        t->all[t->count++] = grad;
    }
    return NULL;
}

/* Nothing is lost: a walk adds to what it found, or makes another. */
static void what_is_taken_away_beside_walks(void **state)
{
    (void)state;
    ps__step_configure(50, 13);
    taken t = {.x = lazy(LAZY, SHAPE(1))};
    for (int i = 0; i < ROUNDS; i++) {
        pthread_t taker;
        double sum = 0;
        atomic_store(&t.running, WALKERS);
        assert_int_equal(pthread_create(&taker, NULL, take_away, &t), 0);
        run_walkers(walk_beside, &t);
        pthread_join(taker, NULL);
        for (; t.count > 0; ps_tensor_release(t.all[t.count])) {
            double *value = values_of(t.all[--t.count]);
            sum += value[0];
            free(value);
        }
        assert_true(sum == WALKERS * WALKS);
    }
    ps__step_configure(0, 0);
    ps_tensor_release(t.x);
    nothing_is_left();
}

int main(void)
{
    alarm(LIMIT_S);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(there_is_none_before_a_walk),
        cmocka_unit_test(written_rather_than_added),
        cmocka_unit_test(it_is_its_own),
        cmocka_unit_test(it_is_where_the_tensor_is),
        cmocka_unit_test(beside_others),
        cmocka_unit_test(of_a_recorded_walk),
        cmocka_unit_test(set_to_none),
        cmocka_unit_test(set_to_a_tensor),
        cmocka_unit_test(refused),
        cmocka_unit_test(hooks_on_what_was_accumulated),
        cmocka_unit_test(walks_that_come_first_together),
        cmocka_unit_test(what_is_taken_away_beside_walks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
