/* Leaves: see leaf.h. */
#include "autograd/leaf.h"

#include "autograd/view.h"
#include "base/error.h"

static void leaf_end(ps__recorded *node)
{
    ps_tensor_release(((ps__leaf_node *)node)->grad);
}

/* ---- where the gradient is --------------------------------------------------------------- */

ps_tensor *ps__leaf_grad(const ps__leaf_node *leaf)
{
    ps__lock_take(&ps__graph_lock.lock);
    ps_tensor *grad = leaf->grad;
    if (grad != NULL)
        (void)ps_tensor_retain(grad); /* it is not NULL */
    ps__unlock(&ps__graph_lock.lock);
    return grad;
}

/* Takes over the reference to a gradient, or NULL. */
static void set_grad(ps__leaf_node *leaf, ps_tensor *grad)
{
    ps__lock_take(&ps__graph_lock.lock);
    ps_tensor *before = leaf->grad;
    leaf->grad = grad;
    ps__unlock(&ps__graph_lock.lock);
    ps_tensor_release(before); /* outside: what made it may go with it */
}

/* Makes a tensor the first gradient, unless there is one by now: that is given then, retained. */
static ps_tensor *set_first(ps__leaf_node *leaf, ps_tensor *first)
{
    ps__lock_take(&ps__graph_lock.lock);
    ps_tensor *there = leaf->grad;
    if (there == NULL)
        leaf->grad = first;
    (void)ps_tensor_retain(leaf->grad); /* it is not NULL */
    ps__unlock(&ps__graph_lock.lock);
    return there;
}

/* ---- asking for one ---------------------------------------------------------------------- */

static ps_status check_grad(const char *what, const ps_tensor *tensor, const ps_tensor *grad)
{
    if (grad == NULL)
        return PS_OK;
    if (grad == tensor) /* it would keep itself */
        return ps__fail(PS_ERR_ARGUMENT, "%s: a tensor cannot be its own gradient", what);
    if (grad->dtype != tensor->dtype ||
        !ps__shape_equal(grad->ndim, ps__shape(grad), tensor->ndim, ps__shape(tensor)))
        return ps__fail(PS_ERR_ARGUMENT,
                        "%s: a gradient of %s of shape %s for a tensor of %s of shape %s", what,
                        ps__dtypes[grad->dtype].name, ps__shape_text(grad->ndim, ps__shape(grad)),
                        ps__dtypes[tensor->dtype].name,
                        ps__shape_text(tensor->ndim, ps__shape(tensor)));
    return PS_OK;
}

static ps_status check_attach(const ps_tensor *tensor, uint32_t policy, const ps_tensor *grad)
{
    if (!ps__flows_to(tensor->dtype, policy))
        return ps__fail(PS_ERR_TYPE, "ps_grad_attach: a tensor of %s has no gradient",
                        ps__dtypes[tensor->dtype].name);
    return check_grad("ps_grad_attach", tensor, grad);
}

/* The gradient that is given, retained; or zeros, or none until a walk makes it. */
static ps_status get_grad(ps_tensor *tensor, ps_tensor *given, bool lazy, ps_tensor **grad)
{
    *grad = given;
    if (given != NULL)
        return ps_tensor_retain(given);
    if (lazy)
        return PS_OK;
    ps_call on = {.size = sizeof on, .device = tensor->home->device};
    ps_arg args[] = {{.kind = PS_ARG_INTS, .count = tensor->ndim, .as.ints = ps__shape(tensor)},
                     {.kind = PS_ARG_DTYPE, .as.dtype = (ps_dtype)tensor->dtype}};
    return ps__call("zeros", &on, args, 2, grad);
}

ps_status ps_grad_attach(ps_tensor *tensor, uint32_t given, ps_tensor *grad)
{
    uint32_t request = given & PS__GRAD_REQUEST, policy = given & PS__GRAD_POLICY;
    bool lazy = given & PS_GRAD_LAZY; /* of this leaf alone: graphs do not differ by it */
    if (tensor == NULL)
        return ps__fail(PS_ERR_ARGUMENT, "ps_grad_attach: tensor is NULL");
    if (request > PS_GRAD_ADD || (request | policy) != (given & ~(uint32_t)PS_GRAD_LAZY))
        return ps__fail(PS_ERR_ARGUMENT, "ps_grad_attach: 0x%x is no request", (unsigned)given);
    if (request == PS_GRAD_NULL) {
        ps__edge_set(tensor, NULL, 0);
        return PS_OK;
    }
    ps_status status = check_attach(tensor, policy, grad);
    if (status != PS_OK)
        return status;
    ps__leaf_node *leaf =
        (ps__leaf_node *)ps__node_new(sizeof *leaf, PS__NODE_LEAF, 0, tensor->ndim, 0);
    if (leaf == NULL)
        return PS_ERR_MEMORY;
    leaf->request = request;
    leaf->r.policy = policy;
    leaf->r.end = leaf_end;
    ps__like_set(&leaf->r, &leaf->r.likes[0], tensor);
    leaf->r.head.outputs = 1; /* its serial stays 0: walks come to it last */
    status = get_grad(tensor, grad, lazy, &leaf->grad);
    ps__graph_begin();
    if (policy & PS_GRAD_UNLESS_PAUSED)
        ps__store(&ps__graph_eager, 1u); /* seen by who is handed the tensor */
    if (status == PS_OK)
        ps__edge_set(tensor, &leaf->r.head, 0);
    ps__node_release(&leaf->r.head);
    return status;
}

/* The leaf that a tensor is, with a reference to the node; NULL if it is none. */
static ps_status leaf_of(ps_tensor *tensor, ps__leaf_node **leaf)
{
    ps__edge edge;
    ps_status status = ps__edge_of(tensor, &edge);
    *leaf = NULL;
    if (status != PS_OK || edge.node == NULL)
        return status;
    if (ps__recorded_of(edge.node)->kind == PS__NODE_LEAF)
        *leaf = (ps__leaf_node *)edge.node;
    else
        ps__node_release(edge.node);
    return PS_OK;
}

ps_status ps_grad_get(ps_tensor *tensor, ps_tensor **grad)
{
    ps__leaf_node *leaf;
    if (tensor == NULL || grad == NULL)
        return ps__fail(PS_ERR_ARGUMENT, "ps_grad_get: %s is NULL",
                        tensor == NULL ? "tensor" : "grad");
    ps_status status = leaf_of(tensor, &leaf);
    *grad = NULL;
    if (leaf == NULL)
        return status;
    *grad = ps__leaf_grad(leaf);
    ps__node_release(&leaf->r.head);
    return PS_OK;
}

ps_status ps_grad_set(ps_tensor *tensor, ps_tensor *grad)
{
    ps__leaf_node *leaf = NULL;
    ps_status status = PS_OK;
    if (tensor == NULL)
        status = ps__fail(PS_ERR_ARGUMENT, "ps_grad_set: tensor is NULL");
    if (status == PS_OK)
        status = check_grad("ps_grad_set", tensor, grad);
    if (status == PS_OK)
        status = leaf_of(tensor, &leaf);
    if (status == PS_OK && leaf == NULL)
        status = ps__fail(PS_ERR_STATE, "ps_grad_set: no gradient was asked for the tensor");
    if (status == PS_OK && grad != NULL)
        status = ps_tensor_retain(grad);
    if (status == PS_OK)
        set_grad(leaf, grad);
    if (leaf != NULL)
        ps__node_release(&leaf->r.head);
    return status;
}

/* ---- handles of no graph ------------------------------------------------------------------ */

static ps_status detach(const char *what, ps_tensor *tensor, ps_tensor **detached)
{
    ps__layout layout;
    if (tensor == NULL || detached == NULL)
        return ps__fail(PS_ERR_ARGUMENT, "%s: %s is NULL", what,
                        tensor == NULL ? "tensor" : "the place for the result");
    ps__layout_of(tensor, &layout);
    uint64_t state = ps_thread_state();
    ps_status status = ps_thread_set_state(ps__state_recording(state, false));
    if (status != PS_OK)
        return status;
    status = ps__view(tensor, (ps_dtype)tensor->dtype, &layout, detached);
    if (status == PS_OK)
        (*detached)->generation = PS__DETACHED;
    (void)ps_thread_set_state(state); /* it was so before */
    return status;
}

ps_status ps_tensor_detach(ps_tensor *tensor, ps_tensor **detached)
{
    return detach("ps_tensor_detach", tensor, detached);
}

ps_status ps_tensor_alias(ps_tensor *tensor, ps_tensor **alias)
{
    ps_status status = detach("ps_tensor_alias", tensor, alias);
    if (status == PS_OK)
        (*alias)->alias = true;
    return status;
}

/* ---- what flows there --------------------------------------------------------------------- */

bool ps__is_alone(const ps_tensor *tensor)
{
    const ps__storage *storage = tensor->storage;
    /* Both: a count of 1 is the walk's. */
    return !storage->pinned && ps__load_acquire(&tensor->handles) == 1 &&
           ps__load_acquire(&storage->handles) == 1 &&
           (uint64_t)tensor->count * ps__dtype_bytes(tensor->dtype) == storage->bytes;
}

bool ps__gradient_is_own(const ps_tensor *gradient)
{
    return gradient->whole && ps__is_alone(gradient);
}

/* Whether its elements need not be copied to their place. */
static bool can_be_taken(const ps_tensor *gradient, const ps_tensor *to)
{
    return to->whole && !to->storage->pinned && gradient->storage->bytes == to->storage->bytes &&
           gradient->home == to->home && ps__gradient_is_own(gradient);
}

/* The first gradient: what has arrived, if the walk alone has it, else a copy where the tensor is. */
static ps_tensor *first_grad(ps__compose *c, const ps__leaf_node *leaf, ps_tensor *gradient)
{
    const ps__home *home = leaf->r.likes[0].home;
    bool there = gradient->home == home;
    if (there && ps__gradient_is_own(gradient))
        return gradient;
    c->on.device = home->device;
    return PS__MAKE(c, there ? "copy" : "to_device", ps__arg_tensor(gradient));
}

static void write_grad(ps__compose *c, const ps__leaf_node *leaf, ps_tensor *grad,
                       ps_tensor *gradient)
{
    if (leaf->request == PS_GRAD_WRITE && can_be_taken(gradient, grad)) {
        ps__storage_take(grad->storage, gradient->storage);
        return;
    }
    ps_arg given = ps__arg_tensor(gradient);
    if (leaf->request == PS_GRAD_ADD)
        ps__compose_into(c, "add", 2, (ps_arg[]){ps__arg_tensor(grad), given}, grad);
    else
        ps__compose_into(c, "assign", 1, &given, grad);
}

void ps__leaf_receive(ps__compose *c, ps__leaf_node *leaf, ps_tensor *gradient)
{
    ps_tensor *grad = ps__leaf_grad(leaf);
    if (grad == NULL) {
        ps_tensor *first = first_grad(c, leaf, gradient);
        grad = first != NULL ? set_first(leaf, first) : NULL;
    }
    if (grad == NULL)
        return; /* what has arrived is the gradient now, or there was no memory */
    write_grad(c, leaf, grad, gradient);
    ps_tensor_release(grad);
}
