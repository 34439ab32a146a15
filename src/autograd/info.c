/* What is known of a tensor's place in a graph. */
#include "autograd/custom.h"
#include "autograd/view.h"
#include "base/error.h"
#include "base/sized.h"

bool ps_tensor_is_recorded(ps_tensor *tensor)
{
    ps__edge edge = {NULL, 0};
    if (tensor == NULL || ps__edge_of(tensor, &edge) != PS_OK || edge.node == NULL)
        return false;
    ps__node_release(edge.node);
    return true;
}

/* Whether a part of all that the tensor has was written, through it or another handle: its node is a
 * view of all elements after that. */
static bool was_written(const ps_tensor *tensor, const ps__recorded *node)
{
    size_t bytes = (size_t)tensor->count * ps__dtype_bytes((ps_dtype)tensor->dtype);
    return bytes == tensor->storage->bytes &&
           ps__recorded_of(node->edges[0].node)->kind == PS__NODE_WRITE;
}

/* The name of what made a tensor; a leaf was made by nothing. */
static const char *operation_of(const ps_tensor *tensor, const ps__recorded *node)
{
    switch (node->kind) {
    case PS__NODE_OP:
        return ((const ps__op_node *)node)->op->row.name;
    case PS__NODE_CUSTOM:
        return ((const ps__custom_node *)node)->name;
    case PS__NODE_VIEW:
        return was_written(tensor, node) ? "write" : "view";
    case PS__NODE_WRITE:
        return "write";
    default:
        return NULL;
    }
}

ps_status ps_grad_get_info(ps_tensor *tensor, ps_grad_info *info)
{
    ps__edge edge = {NULL, 0};
    ps_grad_info full = {.flows = false};
    if (tensor == NULL)
        return ps__fail(PS_ERR_ARGUMENT, "ps_grad_get_info: tensor is NULL");
    ps_status status = ps__edge_of(tensor, &edge);
    if (status != PS_OK)
        return status;
    if (edge.node != NULL) {
        const ps__recorded *node = ps__recorded_of(edge.node);
        full.flows = true;
        full.leaf = node->kind == PS__NODE_LEAF;
        full.operation = operation_of(tensor, node);
        ps__node_release(edge.node);
    }
    return ps__sized_write("ps_grad_get_info: info", info, &full, sizeof full);
}
