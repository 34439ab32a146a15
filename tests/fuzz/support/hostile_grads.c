/* Calls of gradients, on graphs that random calls have made. */
#include "hostile.h"

static ps_status grad_attach(void)
{
    ps_tensor *grad = below(4) ? NULL : any_tensor();
    uint32_t request = (uint32_t)below(3) | (below(4) ? 0 : (uint32_t)below(256) << 8);
    return ps_grad_attach(any_tensor(), wrong() ? (uint32_t)any_number() : request, grad);
}

static ps_status grad_get(void)
{
    ps_tensor *grad = NULL;
    ps_status status = ps_grad_get(any_tensor(), wrong() ? NULL : &grad);
    ps_tensor_release(grad);
    return status;
}

static ps_status is_recorded(void)
{
    (void)ps_tensor_is_recorded(any_tensor());
    return PS_OK;
}

static ps_status detach(void)
{
    ps_tensor *made = NULL;
    ps_status status = ps_tensor_detach(any_tensor(), wrong() ? NULL : &made);
    keep(made);
    return status;
}

static ps_status alias(void)
{
    ps_tensor *made = NULL;
    ps_status status = ps_tensor_alias(any_tensor(), wrong() ? NULL : &made);
    keep(made);
    return status;
}

/* Some operations on one tensor, so that there is something to walk. */
static ps_tensor *any_head(void)
{
    static const char *const names[] = {"multiply", "sum", "exp", "relu", "softmax"};
    uint64_t state = ps_thread_state();
    ps_tensor *at = any_tensor();
    if (at == NULL || ps_tensor_retain(at) != PS_OK)
        return NULL;
    (void)ps_thread_set_state(state | PS_STATE_RECORDING);
    for (size_t i = below(4); i > 0; i--) {
        const ps_op *op;
        ps_tensor *made = NULL;
        ps_arg args[2] = {ps_arg_tensor(at), ps_arg_tensor(at)};
        size_t which = below(5);
        ps_call call = {.size = sizeof call,
                        .args = args,
                        .nargs = which == 0 ? 2 : 1,
                        .outputs = &made,
                        .noutputs = 1};
        if (ps_op_find(names[which], &op) != PS_OK || ps_op_call(op, &call) != PS_OK)
            break;
        ps_tensor_release(at);
        at = made;
    }
    (void)ps_thread_set_state(state);
    return at;
}

static ps_status backward(void)
{
    ps_tensor *heads[2] = {any_head(), wrong() ? NULL : any_head()};
    ps_tensor *gradients[2] = {below(4) ? NULL : any_tensor(), NULL};
    SIZED(ps_backward_options, options);
    options.it.gradients = below(3) ? NULL : gradients;
    options.it.retain = below(2) != 0;
    options.it.create = below(8) == 0;
    options.it.scalars = below(8) == 0;
    ps_status status = ps_backward(wrong() ? NULL : heads, below(3), wrong() ? NULL : &options.it);
    ps_tensor_release(heads[0]);
    ps_tensor_release(heads[1]);
    return status;
}

static ps_status grad(void)
{
    ps_tensor *head = any_head(), *wanted = any_tensor(), *result = NULL;
    SIZED(ps_backward_options, options);
    options.it.create = below(4) == 0;
    ps_status status = ps_grad(&head, below(8) ? 1 : 0, wrong() ? NULL : &wanted, 1,
                               wrong() ? NULL : &options.it, wrong() ? NULL : &result);
    if (status == PS_OK)
        keep(result);
    ps_tensor_release(head);
    return status;
}

static ps_status graph_get_stats(void)
{
    SIZED(ps_graph_stats, stats);
    return ps_graph_get_stats(wrong() ? NULL : &stats.it);
}

const hostile_call hostile_grad_calls[] = {
    {"ps_grad_attach", grad_attach, 20},
    {"ps_grad_get", grad_get, 2},
    {"ps_tensor_is_recorded", is_recorded, 2},
    {"ps_tensor_detach", detach, 4},
    {"ps_tensor_alias", alias, 4},
    {"ps_backward", backward, 10},
    {"ps_grad", grad, 10},
    {"ps_graph_get_stats", graph_get_stats, 1},
    {NULL, NULL, 0},
};
