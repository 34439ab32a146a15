/* Calls of gradients, on graphs that random calls have made. */
#include "hostile.h"

static ps_status grad_attach(void)
{
    ps_tensor *grad = below(4) ? NULL : any_tensor();
    uint32_t request = (uint32_t)below(3) | (below(4) ? 0 : (uint32_t)below(1 << 10) << 8);
    return ps_grad_attach(any_tensor(), wrong() ? (uint32_t)any_number() : request, grad);
}

static ps_status grad_get(void)
{
    ps_tensor *grad = NULL;
    ps_status status = ps_grad_get(any_tensor(), wrong() ? NULL : &grad);
    ps_tensor_release(grad);
    return status;
}

static ps_status grad_set(void)
{
    return ps_grad_set(any_tensor(), below(2) ? NULL : any_tensor());
}

static ps_status grad_get_info(void)
{
    SIZED(ps_grad_info, info);
    return ps_grad_get_info(any_tensor(), wrong() ? NULL : &info.it);
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

/* Gives what it was given, sometimes the wrong one, or fails. */
static ps_status any_backward(void *context, ps_node_turn *turn)
{
    (void)context;
    if (below(8) == 0)
        return (ps_status)any_number();
    (void)ps_thread_set_state(ps_thread_state() ^ PS_STATE_RECORDING);
    for (size_t i = 0; i < turn->nresults; i++) {
        ps_tensor *result = below(4) ? turn->gradients[below(turn->ngradients)] : any_tensor();
        if (ps_tensor_retain(result) == PS_OK)
            turn->results[i] = result;
    }
    return PS_OK;
}

/* What a function may have made of a tensor, or a view, which it may not give. */
static ps_tensor *any_output(ps_tensor *input)
{
    const ps_op *op;
    ps_tensor *made = NULL;
    ps_arg arg = ps_arg_tensor(input);
    ps_call call = {.size = sizeof call, .args = &arg, .nargs = 1, .outputs = &made, .noutputs = 1};
    if (input == NULL || ps_op_find("exp", &op) != PS_OK)
        return NULL;
    (void)(below(8) ? ps_op_call(op, &call) : ps_tensor_detach(input, &made));
    return made;
}

static ps_status node_create(void)
{
    ps_tensor *inputs[2] = {any_head(), any_tensor()};
    ps_tensor *outputs[2] = {any_output(inputs[0]), any_tensor()};
    SIZED(ps_node_spec, spec);
    spec.it.name = any_text();
    spec.it.inputs = wrong() ? NULL : inputs;
    spec.it.ninputs = below(3);
    spec.it.outputs = wrong() ? NULL : outputs;
    spec.it.noutputs = below(3);
    spec.it.saved = wrong() ? NULL : inputs;
    spec.it.nsaved = below(3);
    spec.it.backward = wrong() ? NULL : any_backward;
    spec.it.location = any_location();
    ps_status status = ps_node_create(wrong() ? NULL : &spec.it);
    ps_tensor_release(inputs[0]);
    ps_tensor_release(outputs[0]);
    return status;
}

static ps_status any_hook(void *context, ps_tensor *gradient, ps_tensor **replacement)
{
    (void)context;
    ps_tensor *instead = below(4) ? gradient : any_tensor();
    if (below(8) == 0)
        return (ps_status)any_number();
    if (below(2) && ps_tensor_retain(instead) == PS_OK)
        *replacement = instead;
    return PS_OK;
}

static ps_hook *kept_hook; /* of the last call that made one */

static ps_status tensor_hook(void)
{
    ps_hook *hook = NULL;
    SIZED(ps_hook_spec, spec);
    spec.it.kind = wrong() ? (uint64_t)any_number() : below(2);
    spec.it.run = wrong() ? NULL : any_hook;
    ps_status status =
        ps_tensor_hook(any_tensor(), wrong() ? NULL : &spec.it, below(4) ? &hook : NULL);
    if (hook != NULL) {
        ps_hook_release(kept_hook);
        kept_hook = hook;
    }
    return status;
}

static ps_status hook_remove(void)
{
    ps_hook_remove(kept_hook); /* NULL after another one */
    kept_hook = NULL;
    return PS_OK;
}

static ps_status hook_release(void)
{
    ps_hook_release(kept_hook); /* likewise */
    kept_hook = NULL;
    return PS_OK;
}

static ps_status graph_get_stats(void)
{
    SIZED(ps_graph_stats, stats);
    return ps_graph_get_stats(wrong() ? NULL : &stats.it);
}

const hostile_call hostile_grad_calls[] = {
    {"ps_grad_attach", grad_attach, 20},
    {"ps_grad_get", grad_get, 2},
    {"ps_grad_set", grad_set, 4},
    {"ps_grad_get_info", grad_get_info, 2},
    {"ps_tensor_is_recorded", is_recorded, 2},
    {"ps_tensor_detach", detach, 4},
    {"ps_tensor_alias", alias, 4},
    {"ps_backward", backward, 10},
    {"ps_grad", grad, 10},
    {"ps_graph_get_stats", graph_get_stats, 1},
    {"ps_node_create", node_create, 10},
    {"ps_tensor_hook", tensor_hook, 10},
    {"ps_hook_remove", hook_remove, 4},
    {"ps_hook_release", hook_release, 2},
    {NULL, NULL, 0},
};
