/* What libraries differ in about gradients: data of the tensor that one is attached to. */
#include "autograd_help.h"

static ps_tensor *leaf_with(uint32_t policy, size_t count, const double *values)
{
    ps_tensor *x;
    int64_t length = (int64_t)count;
    CHECK_OK(ps_tensor_from_host(PS_FLOAT64, 1, &length, NULL, values, NULL, &x));
    CHECK_OK(ps_grad_attach(x, PS_GRAD_WRITE | policy, NULL));
    return x;
}

#define LEAF(policy, ...)                                                                          \
    leaf_with(policy, sizeof((double[]){__VA_ARGS__}) / 8, (double[]){__VA_ARGS__})

static void set_bit(uint64_t bit, bool on)
{
    uint64_t state = ps_thread_state();
    CHECK_OK(ps_thread_set_state(on ? state | bit : state & ~bit));
}

/* ---- which calls are recorded ------------------------------------------------------------ */

static bool is_followed(ps_tensor *x)
{
    ps_tensor *y = CALL("exp", T(x)), *part;
    CHECK_OK(ps_tensor_permute(x, NULL, 0, &part));
    ps_tensor *kin = CALL("softmax", T(x));
    bool followed = ps_tensor_is_recorded(y);
    assert_int_equal(ps_tensor_is_recorded(part), followed);
    assert_int_equal(ps_tensor_is_recorded(kin), followed);
    RELEASE_ALL(y, part, kin);
    return followed;
}

static void when_it_is_recorded(void **state)
{
    (void)state;
    ps_tensor *told = LEAF(0, 1, 2), *always = LEAF(PS_GRAD_UNLESS_PAUSED, 1, 2);
    for (int bits = 0; bits < 4; bits++) {
        set_bit(PS_STATE_RECORDING, bits & 1);
        set_bit(PS_STATE_PAUSED, bits & 2);
        assert_int_equal(is_followed(told), (bits & 1) != 0);
        assert_int_equal(is_followed(always), (bits & 2) == 0);
    }
    set_bit(PS_STATE_RECORDING | PS_STATE_PAUSED, false);
    CHECK_OK(call_into("add", ARGS(T(told), F(1)), &told)); /* nobody records that */
    CHECK_FAILS(PS_ERR_STATE, "gradient attached",
                call_into("add", ARGS(T(always), F(1)), &always));
    RELEASE_ALL(told, always);
    nothing_is_left();
}

static void walks_without_recording(void **state)
{
    (void)state;
    ps_tensor *x = LEAF(PS_GRAD_UNLESS_PAUSED, 1, 2), *g, *h;
    ps_tensor *a = CALL("multiply", T(x), T(x)), *y = CALL("multiply", T(a), T(x));
    ps_backward_options options = {.size = sizeof options, .create = true};
    CHECK_OK(ps_grad(&y, 1, &x, 1, &options, &g)); /* 3 x^2 */
    assert_true(ps_tensor_is_recorded(g));
    CHECK_OK(ps_grad(&g, 1, &x, 1, NULL, &h)); /* 6 x */
    assert_false(ps_tensor_is_recorded(h));
    double *found = values_of(h);
    assert_true(found[0] == 6 && found[1] == 12);
    free(found);
    RELEASE_ALL(x, a, y, g, h);
    nothing_is_left();
}

static void graphs_do_not_mix(void **state)
{
    (void)state;
    ps_tensor *x = LEAF(0, 1, 2), *z = LEAF(PS_GRAD_TIES_EACH, 3, 4), *made = NULL;
    record();
    CHECK_FAILS(PS_ERR_STATE, "two libraries do not mix",
                call_into("add", ARGS(T(x), T(z)), &made));
    ps_tensor *detached;
    CHECK_OK(ps_tensor_detach(z, &detached));
    ps_tensor *y = CALL("add", T(x), T(detached));
    pause_it();
    backward(y);
    CHECK_GRAD(x, 1, 1);
    RELEASE_ALL(x, z, detached, y);
    nothing_is_left();
}

/* ---- what was saved ---------------------------------------------------------------------- */

static void saved_values_are_checked(void **state)
{
    (void)state;
    ps_tensor *x = LEAF(PS_GRAD_CHECK, 1, 2), *part, *alias;
    record();
    ps_tensor *a = CALL("exp", T(x)), *y = CALL("multiply", T(a), T(a));
    ps_tensor *again = CALL("multiply", T(a), T(a)), *sum = CALL("sum", T(a));
    pause_it();
    CHECK_OK(ps_tensor_alias(a, &alias));
    assert_int_equal(ps_tensor_version(alias), 0);
    CHECK_OK(call_into("multiply", ARGS(T(alias), F(0)), &alias)); /* nobody counts that */
    assert_int_equal(ps_tensor_version(alias), 1);
    ps_backward_options retain = {.size = sizeof retain, .retain = true};
    CHECK_OK(ps_backward(&y, 1, &retain)); /* with the elements as they are now */
    CHECK_GRAD(x, 0, 0);
    CHECK_OK(ps_tensor_index(a, (ps_index[]){{.kind = PS_INDEX_AT, .start = 0}}, 1, &part));
    CHECK_OK(call_into("add", ARGS(T(part), F(1)), &part)); /* through a view: counted */
    CHECK_FAILS(PS_ERR_STATE, "x1 of multiply, which its gradient needs, was written in place",
                ps_backward(&again, 1, NULL));
    CHECK_FAILS(PS_ERR_STATE, "the result of exp", ps_backward(&sum, 1, NULL));
    RELEASE_ALL(x, a, y, again, sum, part, alias);
    nothing_is_left();
}

/* A node that keeps its own result goes with the last handle all the same, walked or not; and writes to
 * parts of that result, or to all of it, are in the graph. */
static void results_that_are_kept(void **state)
{
    (void)state;
    ps_tensor *x = LEAF(PS_GRAD_CHECK, 0, 0), *part, *again;
    record();
    ps_tensor *y = CALL("exp", T(x));
    ps_tensor_release(y); /* nobody walks it */
    y = CALL("exp", T(x));
    CHECK_OK(ps_tensor_index(y, (ps_index[]){{.kind = PS_INDEX_AT, .start = 0}}, 1, &part));
    CHECK_OK(ps_tensor_index(y, (ps_index[]){{.kind = PS_INDEX_AT, .start = 1}}, 1, &again));
    ps_tensor_release(y); /* views keep what made them */
    backward(again);
    CHECK_GRAD(x, 0, 1);
    RELEASE_ALL(part, again);
    y = CALL("add", T(x), F(1));
    ps_tensor *z = CALL("max", T(y)), *w = CALL("copy", T(z));
    CHECK_OK(ps_tensor_permute(z, NULL, 0, &part));
    CHECK_OK(call_into("multiply", ARGS(T(part), F(4)), &part)); /* through a view of a result */
    ps_tensor *s = CALL("multiply", T(z), F(10));
    assert_true(ps_tensor_is_recorded(s));
    pause_it();
    CHECK_FAILS(PS_ERR_STATE, "the result of max", ps_backward(&s, 1, NULL)); /* it came there */
    RELEASE_ALL(x, y, z, w, part, s);
    nothing_is_left();
}

/* What a call overwrites is kept as it was, and does not keep what made it. */
static void operands_that_are_overwritten(void **state)
{
    (void)state;
    ps_tensor *x = LEAF(PS_GRAD_CHECK, 2, 3);
    for (int walked = 0; walked < 2; walked++) {
        record();
        ps_tensor *y = CALL("multiply", T(x), F(2)), *z = CALL("multiply", T(x), F(1));
        CHECK_OK(call_into("multiply", ARGS(T(y), T(x)), &y)); /* 2 x x */
        CHECK_OK(call_into("exp", ARGS(T(z)), &z));
        pause_it();
        if (walked) {
            backward(y);
            CHECK_GRAD(x, 8, 12);
            backward(z);
            CHECK_GRAD(x, exp(2), exp(3));
        }
        RELEASE_ALL(y, z);
    }
    ps_tensor_release(x);
    nothing_is_left();
}

/* What is written through an alias of a result is no part of the graph that the result is in; nor is what
 * flows to it then part of the alias's. */
static void aliases_are_apart(void **state)
{
    (void)state;
    ps_tensor *x = LEAF(PS_GRAD_UNLESS_PAUSED | PS_GRAD_CHECK, 1, 2), *alias, *part;
    ps_tensor *y = CALL("multiply", T(x), F(3));
    CHECK_OK(ps_tensor_alias(y, &alias));
    CHECK_OK(ps_tensor_index(alias, (ps_index[]){{.kind = PS_INDEX_AT, .start = 0}}, 1, &part));
    CHECK_OK(call_into("add", ARGS(T(part), F(1)), &part));
    CHECK_OK(call_into("multiply", ARGS(T(alias), F(2)), &alias));
    CHECK_VALUES(y, 8, 12);
    assert_true(ps_tensor_version(y) == 0 && ps_tensor_version(alias) == 2);
    assert_false(ps_tensor_is_recorded(alias) || ps_tensor_is_recorded(part));
    ps_tensor *w = CALL("multiply", T(y), F(10));
    backward(w);
    CHECK_GRAD(x, 30, 30);
    CHECK_OK(call_into("multiply", ARGS(T(alias), T(x)), &alias)); /* that is recorded */
    assert_true(ps_tensor_is_recorded(alias));
    CHECK_OK(ps_backward(&y, 1, NULL)); /* y is what it was, and saves nothing */
    CHECK_GRAD(x, 3, 3);
    CHECK_OK(call_into("add", ARGS(T(y), F(1)), &y)); /* a write in the graph of y alone */
    assert_true(ps_tensor_is_recorded(alias));
    CHECK_OK(call_into("assign", ARGS(F(0)), &alias));
    assert_false(ps_tensor_is_recorded(alias));
    CHECK_FAILS(PS_ERR_STATE, "elements of a tensor with a gradient attached, a leaf",
                call_into("add", ARGS(T(x), F(1)), &x));
    ps_tensor *first;
    CHECK_OK(ps_tensor_index(x, (ps_index[]){{.kind = PS_INDEX_AT, .start = 0}}, 1, &first));
    CHECK_FAILS(PS_ERR_STATE, "elements of a tensor with a gradient attached, a leaf",
                call_into("add", ARGS(T(first), F(1)), &first));
    RELEASE_ALL(x, y, alias, part, w, first);
    nothing_is_left();
}

static void writes_are_refused(void **state)
{
    (void)state;
    ps_tensor *x = LEAF(PS_GRAD_NO_WRITES, 1, 2);
    record();
    ps_tensor *a = CALL("exp", T(x)), *other = CALL("ones", INTS(2), D(PS_FLOAT64));
    CHECK_FAILS(PS_ERR_STATE, "part of a graph", call_into("add", ARGS(T(a), F(1)), &a));
    CHECK_OK(call_into("add", ARGS(T(other), F(1)), &other));
    pause_it();
    CHECK_OK(call_into("add", ARGS(T(a), F(1)), &a));
    RELEASE_ALL(x, a, other);
    nothing_is_left();
}

/* ---- ties and bounds --------------------------------------------------------------------- */

static void of_equal_operands(void **state)
{
    (void)state;
    for (int first = 0; first < 2; first++) {
        ps_tensor *x = LEAF(first ? PS_GRAD_TIES_FIRST : 0, 1, 2, 3);
        ps_tensor *z = LEAF(first ? PS_GRAD_TIES_FIRST : 0, 1, 1, 4);
        record();
        ps_tensor *y = CALL("maximum", T(x), T(z)), *g;
        ps_backward_options create = {.size = sizeof create, .retain = true, .create = true};
        CHECK_OK(ps_grad(&y, 1, &x, 1, &create, &g)); /* the rule as rows */
        pause_it();
        backward(y);
        double half = first ? 1 : 0.5, *found = values_of(g);
        CHECK_GRAD(x, half, 1, 0);
        CHECK_GRAD(z, 1 - half, 0, 1);
        assert_true(found[0] == half && found[1] == 1 && found[2] == 0);
        free(found);
        RELEASE_ALL(x, z, y, g);
    }
    nothing_is_left();
}

static void of_equal_elements(void **state)
{
    (void)state;
    ps_tensor *x = LEAF(0, 3, 1, 3), *z = LEAF(PS_GRAD_TIES_EACH, 3, 1, 3);
    record();
    ps_tensor *y = CALL("max", T(x)), *w = CALL("max", T(z));
    pause_it();
    backward(y);
    backward(w);
    CHECK_GRAD(x, 0.5, 0, 0.5);
    CHECK_GRAD(z, 1, 0, 1);
    RELEASE_ALL(x, z, y, w);
    nothing_is_left();
}

static void on_a_bound(void **state)
{
    (void)state;
    ps_tensor *x = LEAF(0, 0, 1, 2, 3), *z = LEAF(PS_GRAD_BOUNDS_CUT, 0, 1, 2, 3);
    record();
    ps_tensor *y = CALL("clip", T(x), F(1), F(3)), *w = CALL("clip", T(z), F(1), F(3));
    pause_it();
    backward(y);
    backward(w);
    CHECK_GRAD(x, 0, 1, 1, 1);
    CHECK_GRAD(z, 0, 0, 1, 0);
    RELEASE_ALL(x, z, y, w);
    nothing_is_left();
}

static void a_norm_of_zero(void **state)
{
    (void)state;
    ps_tensor *x = LEAF(0, 0, 0), *z = LEAF(PS_GRAD_NORM_NAN, 0, 0), *grad;
    record();
    ps_tensor *y = CALL("norm", T(x)), *w = CALL("norm", T(z));
    pause_it();
    backward(y);
    backward(w);
    CHECK_GRAD(x, 0, 0);
    CHECK_OK(ps_grad_get(z, &grad));
    double *found = values_of(grad);
    assert_true(isnan(found[0]) && isnan(found[1]));
    free(found);
    RELEASE_ALL(x, z, y, w, grad);
    nothing_is_left();
}

static void once_only(void **state)
{
    (void)state;
    ps_backward_options retain = {.size = sizeof retain, .retain = true};
    ps_tensor *x = LEAF(PS_GRAD_ONCE, 1, 2), *z = LEAF(0, 1, 2);
    record();
    ps_tensor *y = CALL("add", T(x), F(1)), *w = CALL("add", T(z), F(1));
    pause_it();
    CHECK_OK(ps_backward(&y, 1, &retain));
    backward(y);
    CHECK_FAILS(PS_ERR_STATE, "walked before", ps_backward(&y, 1, NULL));
    CHECK_FAILS(PS_ERR_STATE, "walked before", ps_backward(&y, 1, &retain));
    backward(w);
    backward(w); /* nothing was saved */
    RELEASE_ALL(x, z, y, w);
    nothing_is_left();
}

/* ---- integers, heads --------------------------------------------------------------------- */

static void integers_too(void **state)
{
    (void)state;
    ps_tensor *x = counted(PS_INT32, SHAPE(3)), *grad, *part;
    CHECK_OK(ps_grad_attach(x, PS_GRAD_WRITE | PS_GRAD_INTEGERS, NULL));
    record();
    CHECK_OK(ps_tensor_permute(x, NULL, 0, &part));
    ps_tensor *y = CALL("multiply", T(part), T(x));
    ps_tensor *none = CALL("equal", T(x), T(x));
    pause_it();
    assert_int_equal(ps_tensor_dtype(y), PS_INT32);
    assert_false(ps_tensor_is_recorded(none));
    backward(y);
    CHECK_OK(ps_grad_get(x, &grad));
    assert_int_equal(ps_tensor_dtype(grad), PS_INT32);
    CHECK_GRAD(x, 0, 2, 4);
    RELEASE_ALL(x, y, none, grad, part);
    nothing_is_left();
}

static void heads_of_many_elements(void **state)
{
    (void)state;
    ps_tensor *x = LEAF(0, 1, 2);
    record();
    ps_tensor *y = CALL("exp", T(x)), *s = CALL("sum", T(y));
    pause_it();
    ps_backward_options options = {.size = sizeof options, .scalars = true};
    CHECK_FAILS(PS_ERR_ARGUMENT, "head 0 has shape (2,), no gradient is given",
                ps_backward(&y, 1, &options));
    CHECK_OK(ps_backward(&s, 1, &options));
    CHECK_GRAD(x, exp(1), exp(2));
    RELEASE_ALL(x, y, s);
    nothing_is_left();
}

int main(void)
{
    alarm(LIMIT_S);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(when_it_is_recorded),
        cmocka_unit_test(walks_without_recording),
        cmocka_unit_test(graphs_do_not_mix),
        cmocka_unit_test(saved_values_are_checked),
        cmocka_unit_test(results_that_are_kept),
        cmocka_unit_test(operands_that_are_overwritten),
        cmocka_unit_test(aliases_are_apart),
        cmocka_unit_test(writes_are_refused),
        cmocka_unit_test(of_equal_operands),
        cmocka_unit_test(of_equal_elements),
        cmocka_unit_test(on_a_bound),
        cmocka_unit_test(a_norm_of_zero),
        cmocka_unit_test(once_only),
        cmocka_unit_test(integers_too),
        cmocka_unit_test(heads_of_many_elements),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
