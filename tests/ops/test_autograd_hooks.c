/* Hooks: when they run, what they may change, when they go. */
#include "autograd_help.h"

#include "base/alloc.h"

#include <pthread.h>
#include <stdatomic.h>
#include <sys/wait.h>

/* What a hook does, and what became of it. */
typedef struct watch {
    const char *name; /* goes into the log */
    double factor;    /* not 0: it replaces the gradient by so many times itself */
    ps_status (*more)(struct watch *w, ps_tensor *gradient);
    ps_tensor *other;
    ps_hook *hook;
    double seen; /* the first element of the last gradient */
    int calls, drops;
} watch;

static char trail[64]; /* the names of hooks that ran */

static ps_status run(void *context, ps_tensor *gradient, ps_tensor **replacement)
{
    watch *w = context;
    w->calls++;
    if (w->name != NULL)
        strncat(trail, w->name, sizeof trail - strlen(trail) - 1);
    double *values = values_of(gradient);
    w->seen = values[0];
    free(values);
    if (w->more != NULL)
        return w->more(w, gradient);
    return w->factor != 0 ? call_into("multiply", ARGS(T(gradient), F(w->factor)), replacement)
                          : PS_OK;
}

static void dropped(void *context)
{
    ((watch *)context)->drops++;
}

static ps_hook_spec spec_of(watch *w)
{
    return (ps_hook_spec){.size = sizeof(ps_hook_spec), .run = run, .context = w, .drop = dropped};
}

static void add(watch *w, ps_tensor *tensor, ps_hook_kind kind)
{
    ps_hook_spec spec = spec_of(w);
    spec.kind = kind;
    CHECK_OK(ps_tensor_hook(tensor, &spec, &w->hook));
}

static void observed(void **state)
{
    (void)state;
    watch a = {.name = "a"}, b = {.name = "b"}, c = {.name = "c"}, l = {.name = "l"};
    ps_tensor *x = leaf(SHAPE(3));
    record();
    ps_tensor *h = CALL("multiply", T(x), F(3)), *y = CALL("multiply", T(h), T(h));
    ps_tensor *s = CALL("add", T(y), T(h));
    pause_it();
    add(&l, x, PS_HOOK_GRADIENT);
    add(&a, h, PS_HOOK_GRADIENT);
    add(&b, h, PS_HOOK_GRADIENT);
    add(&c, y, PS_HOOK_GRADIENT);
    trail[0] = 0;
    backward(s);
    assert_string_equal(trail, "cabl"); /* from the head back; in the order in which they came */
    assert_true(c.seen == 1 && a.seen == 1 && b.seen == 1 && l.seen == 3);
    CHECK_GRAD(x, 3, 21, 39);
    ps_hook_release(c.hook); /* it stays, with the value */
    assert_int_equal(c.drops, 0);
    RELEASE_ALL(h, y, s);
    assert_int_equal(c.drops, 1);
    assert_int_equal(a.drops, 0); /* the value is gone, the handle is there */
    ps_hook_remove(a.hook);
    assert_int_equal(a.drops, 1);
    ps_hook_release(b.hook);
    assert_int_equal(b.drops, 1);
    ps_hook_remove(l.hook);
    assert_int_equal(l.drops, 1);
    ps_hook_remove(NULL);
    ps_hook_release(NULL);
    ps_tensor_release(x);
    nothing_is_left();
}

static void replaced(void **state)
{
    (void)state;
    watch a = {.factor = 10}, b = {.factor = 2}, l = {.factor = 0.5};
    ps_tensor *x = leaf(SHAPE(2)), *dx[2];
    record();
    ps_tensor *h = CALL("multiply", T(x), F(3)), *s = CALL("sum", T(h));
    pause_it();
    add(&a, h, PS_HOOK_GRADIENT);
    add(&b, h, PS_HOOK_GRADIENT);
    add(&l, x, PS_HOOK_GRADIENT);
    ps_backward_options retain = {.size = sizeof retain, .retain = true};
    CHECK_OK(ps_grad(&s, 1, (ps_tensor *[]){h, x}, 2, &retain, dx)); /* what was asked for too */
    CHECK_VALUES(dx[0], 20, 20);
    CHECK_VALUES(dx[1], 30, 30);
    assert_true(b.seen == 10 && l.seen == 60);
    ps_hook_remove(a.hook);
    backward(s);
    CHECK_GRAD(x, 3, 3);
    ps_hook_release(b.hook);
    ps_hook_release(l.hook);
    RELEASE_ALL(x, h, s, dx[0], dx[1]);
    assert_int_equal(a.drops + b.drops + l.drops, 3);
    nothing_is_left();
}

/* One output of a function of several; views by themselves. */
static ps_status both_backward(void *context, ps_node_turn *turn)
{
    (void)context;
    return call_into("add", ARGS(T(turn->gradients[0]), T(turn->gradients[1])), &turn->results[0]);
}

static void outputs_and_views(void **state)
{
    (void)state;
    watch first = {.factor = 10}, second = {.factor = 100}, part = {.factor = 7}, unused = {0};
    ps_tensor *x = leaf(SHAPE(2)), *y[] = {CALL("copy", T(x)), CALL("copy", T(x))}, *view;
    ps_node_spec spec = {.size = sizeof spec,
                         .inputs = &x,
                         .ninputs = 1,
                         .outputs = y,
                         .noutputs = 2,
                         .backward = both_backward};
    CHECK_OK(ps_node_create(&spec));
    add(&second, y[1], PS_HOOK_GRADIENT);
    add(&first, y[0], PS_HOOK_GRADIENT);
    CHECK_OK(ps_backward(y, 2, NULL));
    CHECK_GRAD(x, 110, 110);
    ps_index at = {.kind = PS_INDEX_AT, .start = 1};
    record();
    CHECK_OK(ps_tensor_index(x, &at, 1, &view));
    ps_tensor *other = CALL("copy", T(x)), *s = CALL("multiply", T(other), T(view));
    pause_it();
    add(&part, view, PS_HOOK_GRADIENT); /* what flows through the view alone */
    add(&unused, y[0], PS_HOOK_GRADIENT);
    backward(s);
    CHECK_GRAD(x, 1, 8); /* 1, and 1 + 7 (0 + 1) */
    assert_int_equal(unused.calls, 0);
    ps_hook_release(first.hook);
    ps_hook_release(second.hook);
    ps_hook_release(part.hook);
    ps_hook_release(unused.hook);
    RELEASE_ALL(x, y[0], y[1], view, other, s);
    nothing_is_left();
}

static ps_status halve(watch *w, ps_tensor *gradient)
{
    (void)w;
    return call_into("multiply", ARGS(T(gradient), F(0.5)), &gradient);
}

static void accumulated(void **state)
{
    (void)state;
    watch before = {.name = "b", .factor = 2}, after = {.name = "a", .more = halve};
    ps_tensor *x = leaf(SHAPE(2)), *dx;
    CHECK_OK(ps_grad_attach(x, PS_GRAD_ADD, NULL));
    add(&after, x, PS_HOOK_ACCUMULATED);
    add(&before, x, PS_HOOK_GRADIENT);
    trail[0] = 0;
    for (int i = 0; i < 2; i++) {
        record();
        ps_tensor *y = CALL("multiply", T(x), F(4));
        pause_it();
        backward(y);
        CHECK_OK(ps_grad(&y, 1, &x, 1, NULL, &dx)); /* nothing is accumulated */
        RELEASE_ALL(y, dx);
    }
    assert_string_equal(trail, "babbab");
    CHECK_GRAD(x, 6, 6); /* 8 / 2, (4 + 8) / 2 */
    assert_true(after.seen == 12);
    ps_hook_release(before.hook);
    ps_hook_release(after.hook);
    ps_tensor_release(x);
    nothing_is_left();
}

/* What a hook writes to its argument changes nothing for others. */
static void what_is_given_is_their_own(void **state)
{
    (void)state;
    watch w = {.more = halve};
    ps_tensor *x = leaf(SHAPE(2)), *u = leaf(SHAPE(2)), *one = CALL("ones", INTS(2), D(PS_FLOAT64));
    record();
    ps_tensor *y = CALL("add", T(x), T(u));
    pause_it();
    add(&w, x, PS_HOOK_GRADIENT);
    ps_backward_options options = {.size = sizeof options, .gradients = &one};
    CHECK_OK(ps_backward(&y, 1, &options));
    CHECK_GRAD(x, 1, 1);
    CHECK_GRAD(u, 1, 1);
    CHECK_VALUES(one, 1, 1);
    ps_hook_release(w.hook);
    RELEASE_ALL(x, u, one, y);
    nothing_is_left();
}

static void gradients_of_gradients(void **state)
{
    (void)state;
    watch w = {.factor = 10};
    ps_tensor *x = leaf(SHAPE(2)), *first, *second;
    record();
    ps_tensor *y = CALL("multiply", T(x), T(x));
    add(&w, y, PS_HOOK_GRADIENT);
    ps_backward_options create = {.size = sizeof create, .create = true};
    CHECK_OK(ps_grad(&y, 1, &x, 1, &create, &first));
    pause_it();
    CHECK_VALUES(first, 0, 20);
    CHECK_OK(ps_grad(&first, 1, &x, 1, NULL, &second));
    CHECK_VALUES(second, 20, 20);
    ps_hook_release(w.hook);
    RELEASE_ALL(x, y, first, second);
    nothing_is_left();
}

/* ---- refused ------------------------------------------------------------------------------ */

static void refused(void **state)
{
    (void)state;
    watch w = {0};
    ps_hook *hook = NULL;
    ps_hook_spec spec = spec_of(&w);
    ps_tensor *x = leaf(SHAPE(2)), *alone = counted(PS_FLOAT64, SHAPE(2)), *y = NULL;
    CHECK_FAILS(PS_ERR_STATE, "in no graph", ps_tensor_hook(alone, &spec, &hook));
    assert_int_equal(w.drops, 1);
    CHECK_FAILS(PS_ERR_ARGUMENT, "tensor is NULL", ps_tensor_hook(NULL, &spec, &hook));
    spec.kind = 7;
    CHECK_FAILS(PS_ERR_ARGUMENT, "7 is no kind of hook", ps_tensor_hook(x, &spec, &hook));
    spec.kind = PS_HOOK_ACCUMULATED;
    record();
    y = CALL("exp", T(x));
    pause_it();
    CHECK_FAILS(PS_ERR_STATE, "no gradient attached", ps_tensor_hook(y, &spec, &hook));
    spec.run = NULL;
    CHECK_FAILS(PS_ERR_ARGUMENT, "run is NULL", ps_tensor_hook(x, &spec, &hook));
    assert_int_equal(w.drops, 5);
    CHECK_FAILS(PS_ERR_ARGUMENT, "spec is NULL", ps_tensor_hook(x, NULL, &hook));
    assert_null(hook);
    RELEASE_ALL(x, alone, y);
    assert_int_equal(w.drops, 5);
    nothing_is_left();
}

static ps_status give_other(void *context, ps_tensor *gradient, ps_tensor **replacement)
{
    (void)gradient;
    *replacement = ((watch *)context)->other;
    return ps_tensor_retain(*replacement);
}

static ps_status fail_quietly(void *context, ps_tensor *gradient, ps_tensor **replacement)
{
    (void)give_other(context, gradient, replacement); /* which is released */
    return PS_ERR_TIMEOUT;
}

static ps_status fail_aloud(void *context, ps_tensor *gradient, ps_tensor **replacement)
{
    (void)context;
    (void)gradient;
    (void)replacement;
    return ps_op_fail(PS_ERR_INDEX, "no more than %d", 3);
}

static void what_hooks_give(void **state)
{
    (void)state;
    ps_tensor *x = leaf(SHAPE(2)), *dx = NULL;
    ps_tensor *longer = counted(PS_FLOAT64, SHAPE(3)), *narrow = counted(PS_FLOAT32, SHAPE(2));
    ps_tensor *right = counted(PS_FLOAT64, SHAPE(2));
    const struct {
        ps_hook_fn run;
        ps_hook_kind kind;
        ps_tensor *other;
        ps_status status;
        const char *text;
    } cases[] = {
        {give_other, PS_HOOK_GRADIENT, longer, PS_ERR_ARGUMENT,
         "hook: the replacement of a gradient is of float64 of shape (3,), not of float64 of shape "
         "(2,)"},
        {give_other, PS_HOOK_GRADIENT, narrow, PS_ERR_TYPE, "is of float32 of shape (2,)"},
        {give_other, PS_HOOK_ACCUMULATED, right, PS_ERR_ARGUMENT, "is not replaced"},
        {fail_quietly, PS_HOOK_GRADIENT, right, PS_ERR_TIMEOUT, "hook: its function failed"},
        {fail_aloud, PS_HOOK_GRADIENT, NULL, PS_ERR_INDEX, "no more than 3"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        watch w = {.other = cases[i].other};
        ps_hook_spec spec = spec_of(&w);
        spec.run = cases[i].run;
        spec.kind = cases[i].kind;
        CHECK_OK(ps_tensor_hook(x, &spec, &w.hook));
        record();
        ps_tensor *y = CALL("multiply", T(x), T(x));
        pause_it();
        CHECK_FAILS(cases[i].status, cases[i].text, ps_backward(&y, 1, NULL));
        ps_hook_remove(w.hook);
        CHECK_FAILS(PS_ERR_STATE, "saved is gone", ps_grad(&y, 1, &x, 1, NULL, &dx));
        ps_tensor_release(y);
        assert_int_equal(w.drops, 1);
    }
    RELEASE_ALL(x, longer, narrow, right);
    nothing_is_left();
}

/* ---- anything ----------------------------------------------------------------------------- */

static ps_status remove_both(watch *w, ps_tensor *gradient)
{
    watch *other = (watch *)(void *)w->other;
    (void)gradient;
    ps_hook_remove(other->hook);
    ps_hook_remove(w->hook);
    assert_int_equal(other->drops, 1);
    assert_int_equal(w->drops, 0); /* it runs */
    return PS_OK;
}

static ps_status add_more(watch *w, ps_tensor *gradient)
{
    (void)gradient;
    ps_hook_spec spec = spec_of(w);
    return ps_tensor_hook(w->other, &spec, NULL);
}

static void hooks_that_change_hooks(void **state)
{
    (void)state;
    watch a = {.more = remove_both}, b = {0}, c = {.more = add_more};
    ps_tensor *x = leaf(SHAPE(2)), *y;
    a.other = (ps_tensor *)(void *)&b;
    c.other = x;
    add(&a, x, PS_HOOK_GRADIENT);
    add(&b, x, PS_HOOK_GRADIENT);
    add(&c, x, PS_HOOK_GRADIENT);
    for (int i = 0; i < 3; i++) {
        record();
        y = CALL("multiply", T(x), T(x));
        pause_it();
        backward(y);
        ps_tensor_release(y);
    }
    assert_int_equal(a.calls, 1);
    assert_int_equal(b.calls, 0);         /* it was gone before its turn */
    assert_int_equal(c.calls, 1 + 2 + 4); /* one that is added runs from the next walk on */
    ps_hook_remove(c.hook);
    ps_tensor_release(x);
    assert_int_equal(a.drops, 1);
    assert_int_equal(c.drops, 1 + 7);
    nothing_is_left();
}

static ps_status walk_other(watch *w, ps_tensor *gradient)
{
    uint64_t state = ps_thread_state();
    (void)gradient;
    CHECK_OK(ps_thread_set_state(state | PS_MODE_SYNC | PS_STATE_TRAINING));
    ps_status status = ps_backward(&w->other, 1, NULL);
    ps_tensor_release(w->other);
    return status;
}

static void walks_inside_of_walks(void **state)
{
    (void)state;
    watch w = {.more = walk_other};
    ps_tensor *x = leaf(SHAPE(2)), *u = leaf(SHAPE(2));
    record();
    ps_tensor *y = CALL("multiply", T(x), T(x));
    w.other = CALL("multiply", T(u), F(3));
    pause_it();
    add(&w, y, PS_HOOK_GRADIENT);
    backward(y);
    assert_int_equal(ps_thread_state(), 0);
    CHECK_GRAD(x, 0, 2);
    CHECK_GRAD(u, 3, 3);
    ps_hook_release(w.hook);
    RELEASE_ALL(x, u, y);
    nothing_is_left();
}

static ps_status fork_here(watch *w, ps_tensor *gradient)
{
    (void)gradient;
    w->calls = (int)fork();
    return PS_OK;
}

static void forks(void **state)
{
    (void)state;
    int status;
    watch w = {.more = fork_here};
    ps_tensor *x = leaf(SHAPE(2));
    add(&w, x, PS_HOOK_GRADIENT);
    record();
    ps_tensor *y = CALL("multiply", T(x), T(x));
    pause_it();
    backward(y);
    CHECK_GRAD(x, 0, 2);
    if (w.calls == 0)
        _exit(0);
    assert_int_equal(waitpid(w.calls, &status, 0), w.calls);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    ps_hook_remove(w.hook);
    RELEASE_ALL(x, y);
    nothing_is_left();
}

/* ---- threads ------------------------------------------------------------------------------ */

typedef struct shared {
    ps_tensor *x;
    atomic_int calls, drops;
} shared;

static ps_status count_call(void *context, ps_tensor *gradient, ps_tensor **replacement)
{
    (void)gradient;
    (void)replacement;
    atomic_fetch_add(&((shared *)context)->calls, 1);
    return PS_OK;
}

static void count_drop(void *context)
{
    atomic_fetch_add(&((shared *)context)->drops, 1);
}

enum { ROUNDS = 200, THREADS = 4 };

static void *hook_and_walk(void *arg)
{
    shared *all = arg;
    for (int i = 0; i < ROUNDS; i++) {
        ps_hook *hook;
        ps_tensor *dx;
        ps_hook_spec spec = {.size = sizeof spec,
                             .run = count_call,
                             .context = all,
                             .drop = count_drop};
        CHECK_OK(ps_tensor_hook(all->x, &spec, &hook));
        record();
        ps_tensor *y = CALL("multiply", T(all->x), T(all->x));
        pause_it();
        CHECK_OK(ps_grad(&y, 1, &all->x, 1, NULL, &dx));
        CHECK_VALUES(dx, 0, 2);
        ps_hook_remove(hook);
        RELEASE_ALL(y, dx);
    }
    return NULL;
}

static void threads(void **state)
{
    (void)state;
    pthread_t thread[THREADS];
    shared all = {.x = leaf(SHAPE(2))};
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&thread[i], NULL, hook_and_walk, &all), 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(thread[i], NULL);
    assert_true(atomic_load(&all.calls) >= THREADS * ROUNDS); /* its own, at least */
    assert_int_equal(atomic_load(&all.drops), THREADS * ROUNDS);
    ps_tensor_release(all.x);
    nothing_is_left();
}

/* ---- memory ------------------------------------------------------------------------------- */

static ps_status twice(void *context, ps_tensor *gradient, ps_tensor **replacement)
{
    (void)context;
    return call_into("multiply", ARGS(T(gradient), F(2)), replacement);
}

static void memory_that_is_not_there(void **state)
{
    (void)state;
    ps_tensor *x = leaf(SHAPE(2));
    for (unsigned long nth = 1, calls = nth; calls + 1 >= nth; nth++) {
        watch w = {0};
        ps_tensor *y = NULL, *dx = NULL;
        ps_hook_spec spec = spec_of(&w);
        spec.run = twice;
        record();
        ps__fault_set(nth, false);
        ps_status status = call_into("multiply", ARGS(T(x), T(x)), &y);
        if (status == PS_OK)
            status = ps_tensor_hook(y, &spec, NULL);
        if (status == PS_OK)
            status = ps_grad(&y, 1, &x, 1, NULL, &dx);
        calls = ps__fault_count();
        ps__fault_set(0, false);
        pause_it();
        if (status == PS_OK)
            CHECK_VALUES(dx, 0, 4);
        else
            assert_int_equal(status, PS_ERR_MEMORY);
        RELEASE_ALL(y, dx);
        assert_int_equal(w.drops, y != NULL);
    }
    ps_tensor_release(x);
    nothing_is_left();
}

int main(void)
{
    alarm(LIMIT_S);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(observed),
        cmocka_unit_test(replaced),
        cmocka_unit_test(outputs_and_views),
        cmocka_unit_test(accumulated),
        cmocka_unit_test(what_is_given_is_their_own),
        cmocka_unit_test(gradients_of_gradients),
        cmocka_unit_test(refused),
        cmocka_unit_test(what_hooks_give),
        cmocka_unit_test(hooks_that_change_hooks),
        cmocka_unit_test(walks_inside_of_walks),
        cmocka_unit_test(forks),
        cmocka_unit_test(threads),
        cmocka_unit_test(memory_that_is_not_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
