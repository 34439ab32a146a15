/* Recipes: values that a way back needs are made again within its group, where that is cheaper than
 * keeping them, and are what they were. */
#include "autograd_help.h"
#include "engine_help.h"

#include "base/alloc.h"
#include "support/workers.h"

enum { LENGTH = 100000, BYTES = LENGTH * 4, STEPS = 8 };

/* ---- programs ------------------------------------------------------------------------------ */

static ps_tensor *numbers(void)
{
    float *values = malloc(BYTES);
    ps_tensor *made;
    for (int i = 0; i < LENGTH; i++)
        values[i] = (float)(i % 1000) / 250 - 2;
    CHECK_OK(ps_tensor_from_host(PS_FLOAT32, 1, (int64_t[]){LENGTH}, NULL, values, NULL, &made));
    free(values);
    return made;
}

static ps_tensor *new_leaf(void)
{
    ps_tensor *x = numbers();
    CHECK_OK(ps_grad_attach(x, PS_GRAD_WRITE, NULL));
    return x;
}

/* Takes over y. */
static ps_tensor *then(const char *name, ps_tensor *y, ps_arg second)
{
    ps_tensor *next = call(name, second.kind == PS_ARG_NONE ? 1 : 2, (ps_arg[]){T(y), second});
    ps_tensor_release(y);
    return next;
}

/* y = relu(b*b + 2) * 0.5 - b; y = exp(y * 0.01) + b */
static ps_tensor *chain(ps_tensor *b)
{
    ps_tensor *y = then("add", CALL("multiply", T(b), T(b)), F(2));
    y = then("multiply", then("relu", y, NONE), F(0.5));
    y = then("multiply", then("subtract", y, T(b)), F(0.01));
    return then("add", then("exp", y, NONE), T(b));
}

static ps_tensor *recorded_sum(ps_tensor *b, ps_tensor *(*program)(ps_tensor *b))
{
    record();
    ps_tensor *s = then("sum", program(b), NONE);
    pause_it();
    return s;
}

static void *gradient_of(ps_tensor *x)
{
    ps_tensor *grad;
    void *values = malloc(BYTES);
    CHECK_OK(ps_grad_get(x, &grad));
    CHECK_OK(ps_tensor_to_host(grad, values, BYTES));
    ps_tensor_release(grad);
    return values;
}

/* The gradient of the sum of a program, on a leaf of its own. */
static void *gradient_by(ps_tensor *(*program)(ps_tensor *b), bool fusion)
{
    ps_fusion_set(fusion);
    ps_tensor *b = new_leaf(), *s = recorded_sum(b, program);
    CHECK_OK(ps_backward(&s, 1, NULL));
    void *found = gradient_of(b);
    ps_fusion_set(true);
    ps_tensor_release(s);
    ps_tensor_release(b);
    return found;
}

/* Without fusion everything is kept. */
static void check_same_as_kept(ps_tensor *(*program)(ps_tensor *b))
{
    void *again = gradient_by(program, true), *kept = gradient_by(program, false);
    assert_memory_equal(again, kept, BYTES);
    free(again);
    free(kept);
}

static ps_graph_stats graph(void)
{
    ps_graph_stats found = {.size = sizeof found};
    CHECK_OK(ps_graph_get_stats(&found));
    return found;
}

/* ---- what is stored ------------------------------------------------------------------------ */

typedef struct used {
    uint64_t groups, executed, peak;
} used;

static uint64_t live_bytes(uint64_t *peak)
{
    ps_memory_stats memory = {.size = sizeof memory};
    CHECK_OK(ps_memory_get_stats(&memory));
    *peak = memory.peak;
    return memory.live;
}

/* What this thread's waiting for a tensor takes, when all of its work is queued by fn. */
static used use_of(ps_tensor *(*fn)(ps_tensor *x), ps_tensor *x, ps_tensor **made)
{
    uint64_t peak;
    wait_all();
    workers_stop();
    ps_memory_reset_peak();
    uint64_t live = live_bytes(&peak);
    ps_engine_stats before = stats();
    *made = fn(x);
    CHECK_OK(ps_tensor_wait(*made, NULL));
    ps_engine_stats after = stats();
    (void)live_bytes(&peak);
    workers_go_on();
    return (used){after.groups - before.groups, after.executed - before.executed, peak - live};
}

static ps_tensor *forward(ps_tensor *b)
{
    return recorded_sum(b, chain);
}

static ps_tensor *walked; /* the head for back */

static ps_tensor *back(ps_tensor *b)
{
    ps_tensor *grad;
    CHECK_OK(ps_backward(&walked, 1, NULL));
    CHECK_OK(ps_grad_get(b, &grad));
    return grad;
}

static void check_peak(const char *what, uint64_t peak, uint64_t tensors)
{
    uint64_t most = tensors * BYTES * 5 / 4 + 65536; /* blocks have sizes of their own */
    if (peak > most)
        fail_msg("%s: the peak was %ju bytes", what, (uintmax_t)peak);
}

/* The way there and the way back are a group each. Of the first nothing is stored, of the second the
 * gradient. */
static void a_chain_keeps_its_leaf_alone(void **state)
{
    (void)state;
    ps_tensor *b = new_leaf(), *grad;
    used there = use_of(forward, b, &walked);
    assert_int_equal(there.groups, 1);
    assert_int_equal(there.executed, STEPS + 1);
    check_peak("forward", there.peak, 0);
    used way_back = use_of(back, b, &grad);
    assert_int_equal(way_back.groups, 1);
    /* The one for the head; the steps up to exp again; the gradients of exp, * 0.01, -, * 0.5, relu
     * and *; the three sums of what flows to b. */
    assert_int_equal(way_back.executed, 1 + 7 + 6 + 3);
    check_peak("backward", way_back.peak, 1);
    RELEASE_ALL(b, grad, walked);
    nothing_is_left();
}

/* Queued without a wait, beyond what the bound would allow if it were all stored. */
static ps_tensor *there_and_back(ps_tensor *b)
{
    walked = forward(b);
    return back(b);
}

static void a_chain_is_not_cut_by_the_bound(void **state)
{
    (void)state;
    ps_bound before = {.size = sizeof before}, few;
    ps_tensor *b = new_leaf(), *grad;
    CHECK_OK(ps_engine_bound(engine(), &before));
    few = before;
    few.soft_bytes = few.hard_bytes = 4 * BYTES;
    CHECK_OK(ps_engine_set_bound(engine(), &few));
    used all = use_of(there_and_back, b, &grad);
    assert_int_equal(all.groups, 1); /* nobody waits for the sum */
    check_peak("backward", all.peak, 1);
    CHECK_OK(ps_engine_set_bound(engine(), &before));
    RELEASE_ALL(b, grad, walked);
    nothing_is_left();
}

static void a_chain_has_the_same_bits(void **state)
{
    (void)state;
    check_same_as_kept(chain);
    nothing_is_left();
}

/* A value that is needed several times is made once: y = tanh(h) * h * b, h = b * 3. */
static ps_tensor *used_often(ps_tensor *b)
{
    ps_tensor *h = CALL("multiply", T(b), F(3)), *y = CALL("tanh", T(h));
    y = then("multiply", then("multiply", y, T(h)), T(b));
    ps_tensor_release(h);
    return y;
}

static ps_tensor *forward_often(ps_tensor *b)
{
    return recorded_sum(b, used_often);
}

static void a_value_is_made_again_once(void **state)
{
    (void)state;
    ps_tensor *b = new_leaf(), *grad;
    (void)use_of(forward_often, b, &walked);
    used way_back = use_of(back, b, &grad);
    /* The one for the head; h, tanh(h), their product; gradients of *, *, tanh and the first *; sums
     * to h and to b. */
    assert_int_equal(way_back.executed, 1 + 3 + 4 + 2);
    assert_int_equal(way_back.groups, 1);
    RELEASE_ALL(b, grad, walked);
    check_same_as_kept(used_often);
    nothing_is_left();
}

/* Of a long chain a value is kept after every so many steps. */
static ps_tensor *long_chain(ps_tensor *b)
{
    ps_tensor *y = b;
    CHECK_OK(ps_tensor_retain(b));
    for (int i = 0; i < 40; i++)
        y = then("abs", y, NONE);
    return y;
}

static void a_long_chain_keeps_some(void **state)
{
    (void)state;
    ps_tensor *b = new_leaf(), *s = recorded_sum(b, long_chain);
    assert_int_equal(graph().saves, 3); /* b, and what 17 and 34 steps have made */
    RELEASE_ALL(b, s);
    check_same_as_kept(long_chain);
    nothing_is_left();
}

/* What costs more than it saves is kept: here the second of three. */
static ps_tensor *dear(ps_tensor *b)
{
    return then("tanh", then("tanh", then("tanh", CALL("multiply", T(b), T(b)), NONE), NONE), NONE);
}

static void what_is_dear_is_kept(void **state)
{
    (void)state;
    ps_tensor *b = new_leaf(), *s = recorded_sum(b, dear);
    assert_int_equal(graph().saves, 4); /* b twice, for each operand; the second and third tanh */
    RELEASE_ALL(b, s);
    check_same_as_kept(dear);
    nothing_is_left();
}

/* ---- what is made again is what was read ----------------------------------------------------- */

/* A value that was changed where nothing is recorded. */
static ps_tensor *changed(ps_tensor *b)
{
    ps_tensor *h = CALL("multiply", T(b), T(b));
    pause_it();
    CHECK_OK(call_into("add", ARGS(T(h), F(1)), &h));
    record();
    ps_tensor *y = CALL("multiply", T(h), T(h));
    ps_tensor_release(h);
    return y;
}

static void what_was_changed_is_kept(void **state)
{
    (void)state;
    check_same_as_kept(changed);
    nothing_is_left();
}

static void a_leaf_may_be_written_before_the_way_back(void **state)
{
    (void)state;
    ps_tensor *b = new_leaf(), *s = recorded_sum(b, chain);
    CHECK_OK(call_into("multiply", ARGS(T(b), F(0)), &b));
    CHECK_OK(ps_backward(&s, 1, NULL));
    void *found = gradient_of(b), *wanted = gradient_by(chain, false);
    assert_memory_equal(found, wanted, BYTES);
    free(found);
    free(wanted);
    RELEASE_ALL(b, s);
    nothing_is_left();
}

/* A walk that drops what nodes saved leaves what others need of it. */
static void another_way_back_is_still_there(void **state)
{
    (void)state;
    ps_tensor *b = new_leaf(), *dt;
    record();
    ps_tensor *t = then("add", CALL("multiply", T(b), T(b)), F(2));
    ps_tensor *first = CALL("multiply", T(t), T(t)), *second = CALL("exp", T(t));
    pause_it();
    CHECK_OK(ps_backward(&first, 1, NULL));
    CHECK_OK(ps_grad(&second, 1, &t, 1, NULL, &dt));
    float *found = malloc(BYTES), *wanted = malloc(BYTES);
    CHECK_OK(ps_tensor_to_host(dt, found, BYTES));
    CHECK_OK(ps_tensor_to_host(second, wanted, BYTES));
    assert_memory_equal(found, wanted, BYTES);
    CHECK_FAILS(PS_ERR_STATE, "walked before", ps_backward(&second, 1, NULL));
    free(found);
    free(wanted);
    RELEASE_ALL(b, t, first, second, dt);
    nothing_is_left();
}

/* The gradient of the gradient, through operands that were made again. */
static ps_tensor *slope(ps_tensor *b)
{
    ps_tensor *y = chain(b), *dy;
    ps_backward_options create = {.size = sizeof create, .create = true};
    CHECK_OK(ps_grad(&y, 1, &b, 1, &create, &dy));
    ps_tensor_release(y);
    return then("multiply", dy, T(b));
}

static void gradients_of_gradients(void **state)
{
    (void)state;
    check_same_as_kept(slope);
    nothing_is_left();
}

/* ---- faults ---------------------------------------------------------------------------------- */

/* sum(exp(b * b)), and the way back. */
static ps_status try_all(ps_tensor *b, ps_tensor **made)
{
    record();
    ps_status status = call_into("multiply", ARGS(T(b), T(b)), &made[0]);
    if (status == PS_OK)
        status = call_into("exp", ARGS(T(made[0])), &made[1]);
    if (status == PS_OK)
        status = call_into("sum", ARGS(T(made[1])), &made[2]);
    pause_it();
    return status == PS_OK ? ps_backward(&made[2], 1, NULL) : status;
}

static void memory_that_is_not_there(void **state)
{
    (void)state;
    ps_tensor *b = new_leaf();
    for (unsigned long nth = 1, calls = nth; calls + 1 >= nth; nth++) {
        ps_tensor *made[3] = {NULL};
        ps__fault_set(nth, false);
        ps_status status = try_all(b, made);
        calls = ps__fault_count();
        ps__fault_set(0, false);
        if (status != PS_OK)
            assert_int_equal(status, PS_ERR_MEMORY);
        RELEASE_ALL(made[0], made[1], made[2]);
        (void)ps_wait_all(engine(), NULL); /* tasks may have failed */
    }
    ps_tensor_release(b);
    nothing_is_left();
}

int main(void)
{
    alarm(LIMIT_S);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_chain_keeps_its_leaf_alone),
        cmocka_unit_test(a_chain_is_not_cut_by_the_bound),
        cmocka_unit_test(a_chain_has_the_same_bits),
        cmocka_unit_test(a_value_is_made_again_once),
        cmocka_unit_test(a_long_chain_keeps_some),
        cmocka_unit_test(what_is_dear_is_kept),
        cmocka_unit_test(what_was_changed_is_kept),
        cmocka_unit_test(a_leaf_may_be_written_before_the_way_back),
        cmocka_unit_test(another_way_back_is_still_there),
        cmocka_unit_test(gradients_of_gradients),
        cmocka_unit_test(memory_that_is_not_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
