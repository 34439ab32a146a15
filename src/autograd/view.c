/* Views and writes in place: see view.h. */
#include "autograd/view.h"

#include "autograd/leaf.h"
#include "base/error.h"
#include "engine/internal.h"

#include <stdlib.h>
#include <string.h>

/* ---- parts ------------------------------------------------------------------------------- */

static void part_set(ps__recorded *node, ps__part *to, int ndim, int64_t offset,
                     const int64_t *shape, const int64_t *strides)
{
    size_t bytes = (size_t)ndim * sizeof(int64_t);
    *to = (ps__part){ndim, offset, node->room, node->room + ndim};
    memcpy(node->room, shape, bytes);
    memcpy(node->room + ndim, strides, bytes);
    node->room += 2 * ndim;
}

static void part_of(ps__recorded *node, ps__part *to, const ps_tensor *tensor)
{
    part_set(node, to, tensor->ndim, tensor->offset, ps__shape(tensor), ps__strides(tensor));
}

static int64_t extent_of(const ps_tensor *tensor)
{
    return (int64_t)(tensor->storage->bytes / ps__dtype_bytes((ps_dtype)tensor->dtype));
}

/* ---- nodes ------------------------------------------------------------------------------- */

static ps__view_node *node_new(ps__node_kind kind, const ps_tensor *tensor, unsigned nedges,
                               unsigned dims, uint64_t location)
{
    ps__view_node *node =
        (ps__view_node *)ps__node_new(sizeof(ps__view_node), kind, nedges, dims, location);
    if (node != NULL) {
        node->extent = extent_of(tensor);
        node->dtype = tensor->dtype;
    }
    return node;
}

/* A view of `base` with the layout; without a base, of all of the storage, made by the edge. Takes
 * over the edge. */
static ps_status view_node(const ps_tensor *view, const ps_tensor *base, ps__edge edge,
                           ps__node **result)
{
    int64_t one = 1, extent = extent_of(view);
    unsigned dims = 4 * view->ndim + (base != NULL ? 2 * base->ndim : 2) + PS_DIMS_MAX;
    ps__view_node *node = node_new(PS__NODE_VIEW, view, 1, dims, 0);
    if (node == NULL) {
        ps__node_release(edge.node);
        return PS_ERR_MEMORY;
    }
    node->r.edges[0] = edge;
    node->r.location = ps__recorded_of(edge.node)->location;
    part_of(&node->r, &node->part, view);
    if (base != NULL)
        part_of(&node->r, &node->operand, base);
    else
        part_set(&node->r, &node->operand, 1, 0, &extent, &one);
    node->like = (ps__like){view->dtype, view->ndim, node->part.shape, view->home};
    node->r.likes[0] =
        (ps__like){view->dtype, (uint8_t)node->operand.ndim, node->operand.shape, view->home};
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

ps_status ps__edge_of(ps_tensor *tensor, ps__edge *edge)
{
    *edge = (ps__edge){NULL, 0};
    ps__storage *storage = tensor->storage;
    /* Most operands are in no graph, and were never written in one: no lock is needed to see that. What
     * another thread does to them at this moment comes before or after, as it would with the lock. */
    if (ps__load(&tensor->node) == NULL && ps__load(&storage->generation) == 0)
        return PS_OK;
    ps__lock_take(&ps__graph_lock);
    bool current = tensor->generation == ps__load(&storage->generation);
    bool detached = tensor->generation == PS__DETACHED;
    /* Under the lock. */
    ps__edge found = current || detached ? (ps__edge){ps__load(&tensor->node), tensor->output}
                                         : (ps__edge){storage->root, storage->root_output};
    if (found.node != NULL)
        ps__node_retain(found.node);
    ps__unlock(&ps__graph_lock);
    if (!current && !detached)
        return derive(tensor, found, edge);
    *edge = found;
    return PS_OK;
}

/* The storage's elements are what an output of a node made; takes over the reference to it. */
static void set_root(ps_tensor *tensor, ps__node *node, uint32_t output, bool later)
{
    ps__lock_take(&ps__graph_lock);
    ps__storage *storage = tensor->storage;
    ps__node *before = storage->root;
    storage->root = node;
    storage->root_output = output;
    ps__store(&storage->generation, ps__load(&storage->generation) + later); /* under the lock */
    ps__unlock(&ps__graph_lock);
    if (before != NULL)
        ps__node_release(before);
}

void ps__made(ps_tensor *tensor, ps__node *node, uint32_t output)
{
    ps__storage *storage = tensor->storage;
    ps__add(&node->references, 2u); /* the caller has one */
    ps__lock_take(&ps__graph_lock);
    ps__node *root = storage->root, *before = ps__load(&tensor->node); /* under the lock */
    storage->root = node;
    storage->root_output = tensor->output = output;
    tensor->generation = ps__load(&storage->generation);
    ps__store(&tensor->node, node);
    ps__unlock(&ps__graph_lock);
    if (root != NULL)
        ps__node_release(root);
    if (before != NULL)
        ps__node_release(before);
}

/* ---- writes ------------------------------------------------------------------------------ */

ps_status ps__check_write(ps_tensor *tensor, bool *recorded)
{
    ps__edge edge;
    ps_status status = ps__edge_of(tensor, &edge);
    if (status != PS_OK)
        return status;
    *recorded |= edge.node != NULL || tensor->storage->root != NULL;
    ps__node *node = edge.node;
    while (node != NULL && ps__recorded_of(node)->kind == PS__NODE_VIEW)
        node = ps__recorded_of(node)->edges[0].node;
    if (node != NULL && ps__recorded_of(node)->kind == PS__NODE_LEAF)
        status = ps__fail(PS_ERR_STATE, "a tensor with a gradient attached, or a view of one, is "
                                        "written while operations are recorded");
    if (edge.node != NULL)
        ps__node_release(edge.node);
    return status;
}

ps_status ps__written(ps_tensor *tensor, ps__node *node, uint32_t output, uint64_t location)
{
    ps__storage *storage = tensor->storage;
    ps__lock_take(&ps__graph_lock);
    ps__edge before = {storage->root, storage->root_output};
    if (before.node != NULL)
        ps__node_retain(before.node);
    ps__unlock(&ps__graph_lock);
    ps__view_node *made = NULL;
    if (before.node != NULL || node != NULL) {
        made = node_new(PS__NODE_WRITE, tensor, 2, 2 * tensor->ndim + 2, location);
        if (made == NULL) {
            if (before.node != NULL)
                ps__node_release(before.node);
            return PS_ERR_MEMORY;
        }
        made->r.edges[0] = before;
        made->r.edges[1] = (ps__edge){node, output};
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
    if (!(ps_thread_state() & PS_STATE_RECORDING) || !ps__flows_to(base->dtype))
        return PS_OK;
    ps_status status = ps__edge_of(base, &edge);
    if (status != PS_OK || edge.node == NULL)
        return status;
    if (view->dtype != base->dtype) {
        ps__node_release(edge.node);
        return ps__fail(PS_ERR_UNSUPPORTED,
                        "gradients do not flow through views of another type "
                        "(%s of %s)",
                        ps__dtypes[view->dtype].name, ps__dtypes[base->dtype].name);
    }
    status = view_node(view, base, edge, &node);
    if (status == PS_OK) {
        ps__edge_set(view, node, 0);
        ps__node_release(node);
    }
    return status;
}

/* ---- flowing ----------------------------------------------------------------------------- */

/* The elements of a tensor, in one dimension side by side, that a part of a storage has. */
static ps_tensor *strided(ps__compose *c, ps_tensor *flat, const ps__part *part, int64_t from)
{
    ps__layout to = {.ndim = 0, .offset = flat->offset + part->offset - from};
    ps_tensor *view = NULL;
    for (int i = 0; i < part->ndim; i++)
        ps__layout_add(&to, part->shape[i], part->strides[i]);
    if (c->status == PS_OK)
        c->status = ps__view(flat, (ps_dtype)flat->dtype, &to, &view);
    return ps__compose_own(c, view);
}

/* dy with the dimensions that repeat elements added up to length 1. */
static ps_tensor *without_repeats(ps__compose *c, const ps__part *part, ps_tensor *dy)
{
    int64_t axes[PS_DIMS_MAX];
    int count = 0;
    for (int i = 0; i < part->ndim; i++)
        if (part->strides[i] == 0 && part->shape[i] > 1)
            axes[count++] = i;
    if (count == 0)
        return dy;
    return PS__MAKE(c, "sum", ps__arg_tensor(dy), ps__arg_ints(count, axes), ps__arg_bool(true));
}

typedef struct dim {
    int axis;
    int64_t length, stride;
} dim;

static int by_stride(const void *a, const void *b)
{
    const dim *x = a, *y = b;
    int64_t s = x->stride < 0 ? -x->stride : x->stride, t = y->stride < 0 ? -y->stride : y->stride;
    return s != t ? (s < t) - (s > t) : x->axis - y->axis;
}

static bool is_packed(const ps__part *part)
{
    return ps__shape_contiguous(part->ndim, part->shape, part->strides);
}

/* Whether the part has each element of the operand, which lies side by side, once: then `order` has
 * its axes from the outermost on, and `flips` those that run backwards. */
static bool is_rearranged(const ps__part *part, const ps__part *operand, int64_t *order,
                          int64_t *flips, int *nflips)
{
    dim dims[PS_DIMS_MAX];
    int64_t step = 1, first = part->offset, all = 1;
    for (int i = 0; i < operand->ndim; i++)
        all *= operand->shape[i];
    *nflips = 0;
    for (int i = 0; i < part->ndim; i++) {
        bool single = part->shape[i] == 1 || part->strides[i] == 0;
        dims[i] = (dim){i, single ? 1 : part->shape[i], single ? 0 : part->strides[i]};
        if (dims[i].stride < 0) {
            first += dims[i].stride * (dims[i].length - 1);
            flips[(*nflips)++] = i;
        }
    }
    qsort(dims, (size_t)part->ndim, sizeof dims[0], by_stride);
    for (int i = part->ndim - 1; i >= 0; i--) {
        int64_t stride = dims[i].stride < 0 ? -dims[i].stride : dims[i].stride;
        if (dims[i].length != 1 && stride != step)
            return false;
        step *= dims[i].length;
        order[i] = dims[i].axis;
    }
    return step == all && first == operand->offset && is_packed(operand);
}

/* As many elements of zeros as what the operand lies in, with dy in the place of the part. */
static ps_tensor *placed(ps__compose *c, const ps__view_node *node, ps_tensor *dy)
{
    const ps__part *operand = &node->operand;
    int64_t count = 1, from = 0;
    for (int i = 0; i < operand->ndim; i++)
        count *= operand->shape[i];
    if (is_packed(operand))
        from = operand->offset;
    else
        count = node->extent;
    ps__part part = node->part;
    ps_tensor *whole = PS__MAKE(c, "zeros", ps__arg_ints(1, &count),
                                (ps_arg){.kind = PS_ARG_DTYPE, .as.dtype = (ps_dtype)dy->dtype});
    int64_t shape[PS_DIMS_MAX];
    for (int i = 0; i < part.ndim; i++)
        shape[i] = part.strides[i] == 0 && part.shape[i] > 1 ? 1 : part.shape[i];
    part.shape = shape;
    ps_tensor *region = whole != NULL ? strided(c, whole, &part, from) : NULL;
    if (region != NULL)
        ps__compose_into(c, "assign", 1, (ps_arg[]){ps__arg_tensor(dy)}, region);
    return c->status == PS_OK ? strided(c, whole, operand, from) : NULL;
}

static ps_tensor *flow_to_base(ps__compose *c, const ps__view_node *node, ps_tensor *dy)
{
    int64_t order[PS_DIMS_MAX], flips[PS_DIMS_MAX];
    int nflips;
    dy = without_repeats(c, &node->part, dy);
    if (dy == NULL)
        return NULL;
    if (!is_rearranged(&node->part, &node->operand, order, flips, &nflips))
        return placed(c, node, dy);
    if (nflips > 0)
        dy = PS__MAKE(c, "flip", ps__arg_tensor(dy), ps__arg_ints(nflips, flips));
    dy = PS__MAKE(c, "permute", ps__arg_tensor(dy), ps__arg_ints(node->part.ndim, order));
    return PS__MAKE(c, "reshape", ps__arg_tensor(dy),
                    ps__arg_ints(node->operand.ndim, node->operand.shape));
}

ps_tensor *ps__view_flow(ps__compose *c, const ps__view_node *node, unsigned edge, ps_tensor *dy)
{
    if (node->r.kind == PS__NODE_VIEW)
        return flow_to_base(c, node, dy);
    ps_tensor *flat = dy; /* of one dimension; it is changed below, or must lie side by side */
    if (edge == 0 || !dy->contiguous)
        flat = PS__MAKE(c, "copy", ps__arg_tensor(dy));
    if (flat == NULL)
        return NULL;
    ps_tensor *region = strided(c, flat, &node->part, 0);
    if (edge == 1 || region == NULL)
        return region;
    ps__compose_into(c, "assign", 1, (ps_arg[]){ps__arg_int(0)}, region);
    return c->status == PS_OK ? flat : NULL;
}
