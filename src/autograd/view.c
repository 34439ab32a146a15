/* Views and writes in place: see view.h. */
#include "autograd/view.h"

#include "autograd/leaf.h"
#include "base/error.h"
#include "engine/internal.h"

#include <string.h>

/* ---- parts ------------------------------------------------------------------------------- */

static void part_set(ps__recorded *node, ps__part *to, uint8_t dtype, int ndim, int64_t offset,
                     const int64_t *shape, const int64_t *strides)
{
    size_t bytes = (size_t)ndim * sizeof(int64_t);
    *to = (ps__part){dtype, ndim, offset, node->room, node->room + ndim};
    memcpy(node->room, shape, bytes);
    memcpy(node->room + ndim, strides, bytes);
    node->room += 2 * ndim;
}

static void part_of(ps__recorded *node, ps__part *to, const ps_tensor *tensor)
{
    part_set(node, to, tensor->dtype, tensor->ndim, tensor->offset, ps__shape(tensor),
             ps__strides(tensor));
}

/* All of the storage in one dimension, as the type that its root made it of. */
static void part_of_root(ps__recorded *node, ps__part *to, const ps_tensor *tensor, ps__edge root)
{
    uint8_t dtype = ps__output_like(root.node, root.output).dtype;
    int64_t one = 1, extent = ps__elements_in(tensor->storage->bytes, dtype);
    part_set(node, to, dtype, 1, 0, &extent, &one);
}

/* ---- nodes ------------------------------------------------------------------------------- */

/* A node whose extent is in elements of the type. */
static ps__view_node *node_new(ps__node_kind kind, const ps_tensor *tensor, uint8_t dtype,
                               unsigned nedges, unsigned dims, uint64_t location)
{
    ps__view_node *node =
        (ps__view_node *)ps__node_new(sizeof(ps__view_node), kind, nedges, dims, location);
    if (node != NULL)
        node->extent = ps__elements_in(tensor->storage->bytes, dtype);
    return node;
}

/* A view of `base` with the layout; without a base, of all of the storage, made by the edge. Takes
 * over the edge. */
static ps_status view_node(const ps_tensor *view, const ps_tensor *base, ps__edge edge,
                           ps__node **result)
{
    unsigned dims = 4 * view->ndim + (base != NULL ? 2 * base->ndim : 2) + PS_DIMS_MAX;
    uint8_t dtype = ps__output_like(edge.node, edge.output).dtype;
    ps__view_node *node = node_new(PS__NODE_VIEW, view, dtype, 1, dims, 0);
    if (node == NULL) {
        ps__node_release(edge.node);
        return PS_ERR_MEMORY;
    }
    node->r.edges[0] = edge;
    node->r.location = ps__recorded_of(edge.node)->location;
    node->r.policy = ps__recorded_of(edge.node)->policy;
    part_of(&node->r, &node->part, view);
    if (base != NULL)
        part_of(&node->r, &node->operand, base);
    else
        part_of_root(&node->r, &node->operand, view, edge);
    node->like = (ps__like){view->dtype, view->ndim, node->part.shape, view->home};
    node->r.likes[0] =
        (ps__like){dtype, (uint8_t)node->operand.ndim, node->operand.shape, view->home};
    ps__node_ready(&node->r, 1);
    *result = &node->r.head;
    return PS_OK;
}

/* ---- edges ------------------------------------------------------------------------------- */

/* What made a handle is out of date: a view of the storage's root. */
static ps_status derive(ps_tensor *tensor, ps__edge root, ps__edge *edge)
{
    ps__node *node;
    *edge = (ps__edge){NULL, 0};
    if (root.node == NULL) {
        ps__edge_set(tensor, NULL, 0);
        return PS_OK;
    }
    ps_status status = view_node(tensor, NULL, root, &node);
    if (status != PS_OK)
        return status;
    ps__edge_set(tensor, node, 0);
    *edge = (ps__edge){node, 0};
    return PS_OK;
}

/* Whether a handle's own node is what made it. A leaf is made by nothing, and one that was detached is
 * in no graph, whatever is written to their elements. */
static bool is_current(const ps_tensor *tensor, ps__node *own)
{
    return tensor->generation == ps__load(&tensor->storage->generation) ||
           tensor->generation == PS__DETACHED ||
           (own != NULL && ps__recorded_of(own)->kind == PS__NODE_LEAF);
}

ps_status ps__edge_of(ps_tensor *tensor, ps__edge *edge)
{
    *edge = (ps__edge){NULL, 0};
    ps__storage *storage = tensor->storage;
    /* Most operands are in no graph, and were never written in one: no lock is needed to see that. What
     * another thread does to them at this moment comes before or after, as it would with the lock. */
    if (ps__load(&tensor->node) == NULL && ps__load(&storage->generation) == 0)
        return PS_OK;
    ps__lock_take(&ps__graph_lock.lock);
    ps__node *own = ps__load(&tensor->node); /* under the lock */
    bool current = is_current(tensor, own);
    ps__edge found =
        current ? (ps__edge){own, tensor->output} : (ps__edge){storage->root, storage->root_output};
    if (found.node != NULL)
        ps__node_retain(found.node);
    ps__unlock(&ps__graph_lock.lock);
    if (!current)
        return derive(tensor, found, edge);
    *edge = found;
    return PS_OK;
}

/* The storage's elements are what an output of a node made; takes over the reference to it. */
static void set_root(ps_tensor *tensor, ps__node *node, uint32_t output, bool later)
{
    ps__lock_take(&ps__graph_lock.lock);
    ps__storage *storage = tensor->storage;
    ps__node *before = storage->root;
    storage->root = node;
    storage->root_output = output;
    ps__store(&storage->generation, ps__load(&storage->generation) + later); /* under the lock */
    ps__unlock(&ps__graph_lock.lock);
    if (before != NULL)
        ps__node_release(before);
}

void ps__made(ps_tensor *tensor, ps__node *node, uint32_t output)
{
    ps__storage *storage = tensor->storage;
    ps__add(&node->references, 2u); /* the caller has one */
    ps__lock_take(&ps__graph_lock.lock);
    ps__node *root = storage->root, *before = ps__load(&tensor->node); /* under the lock */
    storage->root = node;
    storage->root_output = tensor->output = output;
    tensor->generation = ps__load(&storage->generation);
    ps__store(&tensor->node, node);
    ps__unlock(&ps__graph_lock.lock);
    if (root != NULL)
        ps__node_release(root);
    if (before != NULL)
        ps__node_release(before);
}

bool ps__made_alone(ps_tensor *tensor, ps__node *node, uint32_t output)
{
    ps__storage *storage = tensor->storage;
    if (ps__load_acquire(&storage->handles) != 1 || storage->root != NULL ||
        ps__load(&tensor->node) != NULL) /* nobody else has the handle */
        return false;
    ps__store(&node->references, ps__load(&node->references) + 2); /* nor the node */
    storage->root = node;
    storage->root_output = tensor->output = output;
    tensor->generation = ps__load(&storage->generation);
    ps__store(&tensor->node, node);
    return true;
}

/* ---- writes ------------------------------------------------------------------------------ */

/* The storage's root, with a reference. */
static ps__edge root_of(const ps__storage *storage)
{
    ps__lock_take(&ps__graph_lock.lock);
    ps__edge root = {storage->root, storage->root_output};
    if (root.node != NULL)
        ps__node_retain(root.node);
    ps__unlock(&ps__graph_lock.lock);
    return root;
}

/* The operation that made what a handle is, or is a view of, with a reference: the root of a storage that
 * has none because that operation keeps it. */
static ps_status kept_root(ps_tensor *tensor, ps__edge *root)
{
    ps__edge edge;
    ps_status status = ps__edge_of(tensor, &edge);
    *root = (ps__edge){NULL, 0};
    if (status != PS_OK || edge.node == NULL)
        return status;
    ps__edge made = edge;
    while (ps__recorded_of(made.node)->kind == PS__NODE_VIEW)
        made = ps__recorded_of(made.node)->edges[0];
    if (ps__recorded_of(made.node)->kind == PS__NODE_OP &&
        ((const ps__op_node *)made.node)->versions != NULL) {
        ps__node_retain(made.node);
        *root = made;
    }
    ps__node_release(edge.node);
    return PS_OK;
}

/* Whether what a node made may be overwritten. */
static ps_status check_target(ps__node *node)
{
    if (ps__recorded_of(node)->policy & PS_GRAD_NO_WRITES)
        return ps__fail(PS_ERR_STATE, "a tensor that is part of a graph is written in place while "
                                      "operations are recorded");
    while (ps__recorded_of(node)->kind == PS__NODE_VIEW)
        node = ps__recorded_of(node)->edges[0].node;
    if (ps__recorded_of(node)->kind != PS__NODE_LEAF)
        return PS_OK;
    return ps__fail(PS_ERR_STATE, "elements of a tensor with a gradient attached, a leaf, are "
                                  "written in place while operations are recorded");
}

ps_status ps__check_write(ps_tensor *tensor, bool *recorded)
{
    ps__edge edge;
    ps_status status = ps__edge_of(tensor, &edge);
    if (status != PS_OK)
        return status;
    ps__edge root = tensor->alias ? (ps__edge){NULL, 0} : root_of(tensor->storage);
    if (edge.node != NULL && ps__records(edge.node)) {
        *recorded = true;
        status = check_target(edge.node);
    }
    *recorded |= root.node != NULL && ps__records(root.node);
    if (edge.node != NULL)
        ps__node_release(edge.node);
    if (root.node != NULL)
        ps__node_release(root.node);
    return status;
}

/* Whether a handle has all elements of its storage. */
static bool has_all(const ps_tensor *tensor)
{
    for (int i = 0; i < tensor->ndim; i++)
        if (ps__strides(tensor)[i] == 0 && ps__shape(tensor)[i] > 1)
            return false;
    return tensor->count == ps__elements_in(tensor->storage->bytes, tensor->dtype);
}

ps_status ps__written(ps_tensor *tensor, ps__node *node, uint32_t output, uint64_t location)
{
    if (tensor->alias) { /* other handles keep what they have */
        ps__edge_set(tensor, node, output);
        return PS_OK;
    }
    ps__edge before = root_of(tensor->storage);
    ps__view_node *made = NULL;
    ps_status status = before.node == NULL ? kept_root(tensor, &before) : PS_OK;
    if (status != PS_OK)
        return status;
    if (before.node != NULL && has_all(tensor)) { /* nothing of it is left */
        ps__node_release(before.node);
        before = (ps__edge){NULL, 0};
    }
    if (before.node != NULL || node != NULL) {
        made = node_new(PS__NODE_WRITE, tensor, tensor->dtype, 2, 2 * tensor->ndim + 2, location);
        if (made == NULL) {
            if (before.node != NULL)
                ps__node_release(before.node);
            return PS_ERR_MEMORY;
        }
        made->r.edges[0] = before;
        made->r.edges[1] = (ps__edge){node, output};
        made->r.policy = ps__recorded_of(node != NULL ? node : before.node)->policy;
        if (node != NULL)
            ps__node_retain(node);
        part_of(&made->r, &made->part, tensor);
        made->r.room[0] = made->extent;
        made->like = made->r.likes[0] = (ps__like){tensor->dtype, 1, made->r.room, tensor->home};
        made->r.likes[1] = (ps__like){tensor->dtype, tensor->ndim, made->part.shape, tensor->home};
        ps__node_ready(&made->r, 1);
    }
    set_root(tensor, made != NULL ? &made->r.head : NULL, 0, true);
    ps__edge_set(tensor, node, output);
    return PS_OK;
}

/* ---- the door ---------------------------------------------------------------------------- */

ps_status ps__record_view(ps_tensor *base, const ps__layout *layout, ps_tensor *view)
{
    ps__edge edge;
    ps__node *node;
    (void)layout;
    view->generation =
        base->generation == PS__DETACHED ? PS__DETACHED : ps__load(&base->storage->generation);
    if (!ps__may_record())
        return PS_OK;
    ps_status status = ps__edge_of(base, &edge);
    if (status != PS_OK || edge.node == NULL)
        return status;
    uint32_t policy = ps__recorded_of(edge.node)->policy;
    if (!ps__records(edge.node) || !ps__flows_to(view->dtype, policy)) {
        ps__node_release(edge.node);
        return PS_OK;
    }
    status = view_node(view, base, edge, &node);
    if (status == PS_OK) {
        ps__edge_set(view, node, 0);
        ps__node_release(node);
    }
    return status;
}
