/* What is known of a tensor's place in a graph. */
#include "autograd_help.h"

static ps_grad_info info_of(ps_tensor *x)
{
    ps_grad_info info = {.size = sizeof info};
    CHECK_OK(ps_grad_get_info(x, &info));
    assert_int_equal(info.flows, ps_tensor_is_recorded(x));
    return info;
}

static void is_made_by(ps_tensor *x, const char *name)
{
    ps_grad_info info = info_of(x);
    assert_true(info.flows && !info.leaf);
    assert_string_equal(info.operation, name);
}

static void is_in_no_graph(ps_tensor *x)
{
    ps_grad_info info = info_of(x);
    assert_true(!info.flows && !info.leaf && info.operation == NULL);
}

static void leaves(void **state)
{
    (void)state;
    ps_tensor *x = leaf(SHAPE(2)), *alone = counted(PS_FLOAT64, SHAPE(2));
    ps_grad_info info = info_of(x);
    assert_true(info.flows && info.leaf && info.operation == NULL);
    is_in_no_graph(alone);
    CHECK_OK(ps_grad_attach(x, PS_GRAD_NULL, NULL));
    is_in_no_graph(x);
    RELEASE_ALL(x, alone);
    nothing_is_left();
}

static void rows(void **state)
{
    (void)state;
    ps_tensor *x = leaf(SHAPE(2)), *quiet = CALL("exp", T(x)), *detached;
    record();
    ps_tensor *y = CALL("multiply", T(x), F(2)), *s = CALL("sum", T(y));
    ps_tensor *none = CALL("less", T(x), T(y)), *whole = CALL("cast", T(x), D(PS_INT32));
    pause_it();
    CHECK_OK(ps_tensor_detach(y, &detached));
    is_made_by(y, "multiply");
    is_made_by(s, "sum");
    is_in_no_graph(quiet);
    is_in_no_graph(none);
    is_in_no_graph(whole);
    is_in_no_graph(detached);
    RELEASE_ALL(x, quiet, y, s, none, whole, detached);
    nothing_is_left();
}

static void views_and_writes(void **state)
{
    (void)state;
    ps_tensor *x = leaf(SHAPE(2)), *part;
    record();
    ps_tensor *y = CALL("multiply", T(x), F(2));
    CHECK_OK(ps_tensor_index(y, (ps_index[]){{.kind = PS_INDEX_AT, .start = 0}}, 1, &part));
    is_made_by(part, "view");
    CHECK_OK(call_into("assign", ARGS(F(5)), &part));
    is_made_by(y, "write");
    is_in_no_graph(part);
    CHECK_OK(call_into("add", ARGS(T(y), F(1)), &y));
    is_made_by(y, "add");
    is_made_by(part, "view");
    pause_it();
    RELEASE_ALL(x, y, part);
    nothing_is_left();
}

static ps_status pass_on(void *context, ps_node_turn *turn)
{
    (void)context;
    turn->results[0] = turn->gradients[0];
    return ps_tensor_retain(turn->gradients[0]);
}

static void functions(void **state)
{
    (void)state;
    ps_tensor *x = leaf(SHAPE(2)), *y = CALL("copy", T(x));
    char name[] = "straight through";
    ps_node_spec spec = {.size = sizeof spec,
                         .name = name,
                         .inputs = &x,
                         .ninputs = 1,
                         .outputs = &y,
                         .noutputs = 1,
                         .backward = pass_on};
    CHECK_OK(ps_node_create(&spec));
    name[0] = 0; /* it was copied */
    is_made_by(y, "straight through");
    RELEASE_ALL(x, y);
    nothing_is_left();
}

static void refused(void **state)
{
    (void)state;
    ps_tensor *x = leaf(SHAPE(2));
    ps_grad_info info = {.size = sizeof info};
    CHECK_FAILS(PS_ERR_ARGUMENT, "tensor is NULL", ps_grad_get_info(NULL, &info));
    CHECK_FAILS(PS_ERR_ARGUMENT, "info is NULL", ps_grad_get_info(x, NULL));
    info.size = offsetof(ps_grad_info, operation); /* an older program's */
    info.operation = "as before";
    CHECK_OK(ps_grad_get_info(x, &info));
    assert_true(info.leaf);
    assert_string_equal(info.operation, "as before");
    ps_tensor_release(x);
    nothing_is_left();
}

int main(void)
{
    alarm(LIMIT_S);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(leaves),    cmocka_unit_test(rows),    cmocka_unit_test(views_and_writes),
        cmocka_unit_test(functions), cmocka_unit_test(refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
