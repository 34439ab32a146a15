/* Errors of gradients name two lines: the one that queued the operation, and that of the backward. */
#include "autograd_help.h"

static ps_tensor *call_at(uint64_t location, const char *name, size_t nargs, const ps_arg *args)
{
    const ps_op *op;
    ps_tensor *out = NULL;
    CHECK_OK(ps_op_find(name, &op));
    ps_call call = {.size = sizeof call,
                    .args = args,
                    .nargs = nargs,
                    .outputs = &out,
                    .noutputs = 1,
                    .location = location};
    CHECK_OK(ps_op_call(op, &call));
    return out;
}

static void check_text(const char *operation, unsigned forward, unsigned backward)
{
    ps_error_info info = {.size = sizeof info};
    char wanted[256];
    CHECK_OK(ps_last_error_info(&info));
    snprintf(wanted, sizeof wanted,
             "for the gradient of %s, queued at " __FILE__ ", line %u; backward at " __FILE__
             ", line %u)",
             operation, forward, backward);
    if (strstr(info.text, wanted) == NULL)
        fail_msg("\"%s\" is not in \"%s\"", wanted, info.text);
    assert_string_equal(info.gradient_of, operation);
    assert_int_equal(info.line, forward);
    assert_int_equal(info.backward_line, backward);
    assert_string_equal(info.backward_file, __FILE__);
}

/* The position is bad in the gradient alone: it is written in between. */
static void of_a_task(void **state)
{
    (void)state;
    int64_t two = 2;
    ps_tensor *x = leaf(SHAPE(3)), *at, *grad;
    CHECK_OK(ps_grad_attach(x, PS_GRAD_WRITE | PS_GRAD_CHECK, NULL));
    CHECK_OK(ps_tensor_from_host(PS_INT64, 1, &two, NULL, (int64_t[]){0, 1}, NULL, &at));
    record();
    unsigned forward = __LINE__ + 1;
    ps_tensor *y = call_at(PS_HERE, "take", ARGS(T(x), T(at)));
    pause_it();
    ps_engine *engine;
    CHECK_OK(ps_engine_default(&engine));
    CHECK_OK(ps_wait_all(engine, NULL));
    ps_tensor *alias;
    CHECK_OK(ps_tensor_alias(at, &alias));
    CHECK_OK(call_into("add", ARGS(T(alias), I(5)), &alias));
    ps_backward_options options = {.size = sizeof options};
    unsigned backward = __LINE__ + 1;
    options.location = PS_HERE;
    CHECK_OK(ps_backward(&y, 1, &options));
    CHECK_OK(ps_grad_get(x, &grad));
    assert_int_not_equal(ps_tensor_wait(grad, NULL), PS_OK);
    check_text("take", forward, backward);
    (void)ps_wait_all(engine, NULL); /* the error is known */
    RELEASE_ALL(x, at, y, alias, grad);
    nothing_is_left();
}

static void of_the_walk(void **state)
{
    (void)state;
    ps_tensor *x = leaf(SHAPE(3));
    record();
    unsigned forward = __LINE__ + 1;
    ps_tensor *y = call_at(PS_HERE, "multiply", ARGS(T(x), T(x)));
    pause_it();
    ps_backward_options options = {.size = sizeof options};
    unsigned backward = __LINE__ + 1;
    options.location = PS_HERE;
    CHECK_OK(ps_backward(&y, 1, &options));
    CHECK_FAILS(PS_ERR_STATE, "walked before", ps_backward(&y, 1, &options));
    check_text("multiply", forward, backward);
    RELEASE_ALL(x, y);
    nothing_is_left();
}

/* Of gradients of gradients, still the line of the program. */
static void of_the_second_walk(void **state)
{
    (void)state;
    ps_tensor *x = leaf(SHAPE(3)), *g;
    record();
    unsigned forward = __LINE__ + 1;
    ps_tensor *y = call_at(PS_HERE, "sin", ARGS(T(x)));
    ps_backward_options options = {.size = sizeof options, .create = true, .location = PS_HERE};
    CHECK_OK(ps_grad(&y, 1, &x, 1, &options, &g));
    pause_it();
    options.create = false;
    unsigned backward = __LINE__ + 1;
    options.location = PS_HERE;
    CHECK_OK(ps_backward(&g, 1, &options));
    CHECK_FAILS(PS_ERR_STATE, "walked before", ps_backward(&g, 1, &options));
    ps_error_info info = {.size = sizeof info};
    CHECK_OK(ps_last_error_info(&info));
    assert_int_equal(info.line, forward);
    assert_int_equal(info.backward_line, backward);
    RELEASE_ALL(x, y, g);
    nothing_is_left();
}

/* Asks for gradients of y, from the line that is returned. */
static unsigned walk_from(ps_tensor *y, ps_status *status)
{
    ps_backward_options options = {.size = sizeof options};
    unsigned line = __LINE__ + 1;
    options.location = PS_HERE;
    *status = ps_backward(&y, 1, &options);
    return line;
}

static ps_status failing_backward(void *context, ps_node_turn *turn)
{
    (void)context;
    (void)turn;
    return ps_op_fail(PS_ERR_TASK, "on purpose");
}

static void of_a_function_of_the_program(void **state)
{
    (void)state;
    ps_status status;
    ps_tensor *x = leaf(SHAPE(3)), *y = CALL("multiply", T(x), F(2));
    ps_node_spec spec = {.size = sizeof spec,
                         .inputs = &x,
                         .ninputs = 1,
                         .outputs = &y,
                         .noutputs = 1,
                         .backward = failing_backward};
    unsigned forward = __LINE__ + 1;
    spec.location = PS_HERE;
    record();
    CHECK_OK(ps_node_create(&spec));
    pause_it();
    unsigned backward = walk_from(y, &status);
    assert_int_equal(status, PS_ERR_TASK);
    check_text("a function of the program", forward, backward);
    RELEASE_ALL(x, y);
    nothing_is_left();
}

static ps_status failing_hook(void *context, ps_tensor *gradient, ps_tensor **replacement)
{
    (void)context;
    (void)gradient;
    (void)replacement;
    return ps_op_fail(PS_ERR_TASK, "on purpose");
}

static void of_a_hook(void **state)
{
    (void)state;
    ps_status status;
    ps_hook *hook;
    ps_hook_spec spec = {.size = sizeof spec, .kind = PS_HOOK_GRADIENT, .run = failing_hook};
    ps_tensor *x = leaf(SHAPE(3));
    record();
    unsigned forward = __LINE__ + 1;
    ps_tensor *y = call_at(PS_HERE, "multiply", ARGS(T(x), T(x)));
    pause_it();
    CHECK_OK(ps_tensor_hook(y, &spec, &hook));
    unsigned backward = walk_from(y, &status);
    assert_int_equal(status, PS_ERR_TASK);
    check_text("multiply", forward, backward);
    ps_hook_release(hook);
    RELEASE_ALL(x, y);
    nothing_is_left();
}

/* exp is called again for the gradient of what read it, and there is no memory for that. */
static void of_a_value_that_is_made_again(void **state)
{
    (void)state;
    ps_status status;
    ps_engine *engine;
    ps_memory_stats memory = {.size = sizeof memory};
    ps_tensor *x = leaf(SHAPE(1 << 20)), *grad;
    CHECK_OK(ps_engine_default(&engine));
    CHECK_OK(ps_tensor_wait(x, NULL));
    record();
    ps_tensor *e = call_at(PS_HERE, "exp", ARGS(T(x)));
    unsigned forward = __LINE__ + 1;
    ps_tensor *y = call_at(PS_HERE, "multiply", ARGS(T(e), T(x)));
    ps_tensor *sum = CALL("sum", T(y));
    pause_it();
    CHECK_OK(ps_wait_all(engine, NULL));
    RELEASE_ALL(e, y);
    ps_memory_trim();
    CHECK_OK(ps_memory_get_stats(&memory));
    CHECK_OK(ps_memory_set_limit(memory.live + (1 << 20)));
    uint64_t before = ps_thread_state();
    CHECK_OK(ps_thread_set_state(before | PS_STATE_FUSION_OFF)); /* each value is stored */
    unsigned backward = walk_from(sum, &status);
    CHECK_OK(ps_thread_set_state(before));
    CHECK_OK(status);
    CHECK_OK(ps_grad_get(x, &grad));
    assert_int_equal(ps_tensor_wait(grad, NULL), PS_ERR_MEMORY);
    check_text("multiply", forward, backward);
    CHECK_OK(ps_memory_set_limit(0));
    (void)ps_wait_all(engine, NULL); /* the error is known */
    RELEASE_ALL(x, sum, grad);
    nothing_is_left();
}

int main(void)
{
    alarm(LIMIT_S);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(of_a_task),          cmocka_unit_test(of_the_walk),
        cmocka_unit_test(of_the_second_walk), cmocka_unit_test(of_a_function_of_the_program),
        cmocka_unit_test(of_a_hook),          cmocka_unit_test(of_a_value_that_is_made_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
