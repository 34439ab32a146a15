/* Views and writes in place: see view.h. */
#include "autograd/view.h"

#include "autograd/leaf.h"
#include "base/error.h"
#include "engine/internal.h"

#include <stdlib.h>
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

/* How many elements of the type have that many bytes. */
static int64_t elements_in(size_t bytes, uint8_t dtype)
{
    return (int64_t)(bytes / ps__dtype_bytes((ps_dtype)dtype));
}

/* All of the storage in one dimension, as the type that its root made it of. */
static void part_of_root(ps__recorded *node, ps__part *to, const ps_tensor *tensor, ps__edge root)
{
    uint8_t dtype = ps__output_like(root.node, root.output).dtype;
    int64_t one = 1, extent = elements_in(tensor->storage->bytes, dtype);
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
        node->extent = elements_in(tensor->storage->bytes, dtype);
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

ps_status ps__edge_of(ps_tensor *tensor, ps__edge *edge)
{
    *edge = (ps__edge){NULL, 0};
    ps__lock_take(&ps__graph_lock);
    const ps__storage *storage = tensor->storage;
    bool current = tensor->generation == storage->generation;
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
    storage->generation += later;
    ps__unlock(&ps__graph_lock);
    if (before != NULL)
        ps__node_release(before);
}

void ps__made(ps_tensor *tensor, ps__node *node, uint32_t output)
{
    ps__node_retain(node);
    set_root(tensor, node, output, false);
    ps__edge_set(tensor, node, output);
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
        made = node_new(PS__NODE_WRITE, tensor, tensor->dtype, 2, 2 * tensor->ndim + 2, location);
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
    view->generation = base->generation == PS__DETACHED ? PS__DETACHED : base->storage->generation;
    if (!(ps_thread_state() & PS_STATE_RECORDING) || !ps__flows_to(base->dtype) ||
        !ps__flows_to(view->dtype))
        return PS_OK;
    ps_status status = ps__edge_of(base, &edge);
    if (status != PS_OK || edge.node == NULL)
        return status;
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

/* What lies side by side in one dimension, its bytes seen as elements of a type. */
static ps_tensor *seen_as(ps__compose *c, ps_tensor *flat, uint8_t dtype)
{
    ps_tensor *view = NULL;
    if (flat == NULL || flat->dtype == dtype)
        return flat;
    size_t bytes = ps__dtype_bytes((ps_dtype)flat->dtype);
    ps__layout to = {.offset = elements_in((size_t)flat->offset * bytes, dtype)};
    ps__layout_add(&to, elements_in((size_t)flat->count * bytes, dtype), 1);
    if (c->status == PS_OK)
        c->status = ps__view(flat, (ps_dtype)dtype, &to, &view);
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

static int64_t count_of(const ps__part *part)
{
    int64_t count = 1;
    for (int i = 0; i < part->ndim; i++)
        count *= part->shape[i];
    return count;
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
    int64_t step = 1, first = part->offset;
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
    return step == count_of(operand) && first == operand->offset && is_packed(operand);
}

/* As many elements of zeros as what the operand lies in, with dy in the place of the part. */
static ps_tensor *placed(ps__compose *c, const ps__part *part, const ps__part *operand,
                         int64_t extent, ps_tensor *dy)
{
    bool packed = is_packed(operand);
    int64_t count = packed ? count_of(operand) : extent, from = packed ? operand->offset : 0;
    size_t before = (size_t)from * ps__dtype_bytes((ps_dtype)operand->dtype);
    ps_tensor *whole =
        PS__MAKE(c, "zeros", ps__arg_ints(1, &count), ps__arg_dtype((ps_dtype)operand->dtype));
    ps_tensor *line = seen_as(c, whole, part->dtype);
    ps_tensor *region =
        line != NULL ? strided(c, line, part, elements_in(before, part->dtype)) : NULL;
    if (region != NULL)
        ps__compose_into(c, "assign", 1, (ps_arg[]){ps__arg_tensor(dy)}, region);
    return c->status == PS_OK ? strided(c, whole, operand, from) : NULL;
}

/* The part with only the first of the elements that a dimension repeats; `shape` has its lengths. */
static ps__part without_others(const ps__part *part, int64_t *shape)
{
    ps__part one = *part;
    for (int i = 0; i < part->ndim; i++)
        shape[i] = part->strides[i] == 0 && part->shape[i] > 1 ? 1 : part->shape[i];
    one.shape = shape;
    return one;
}

/* What flows to the first of the elements that a dimension of the part repeats: to the others nothing. */
static ps_tensor *with_others(ps__compose *c, const ps__part *part, ps_tensor *dx)
{
    ps__layout first;
    ps_tensor *view = NULL;
    if (dx == NULL || ps__shape_equal(dx->ndim, ps__shape(dx), part->ndim, part->shape))
        return dx;
    ps_tensor *all = PS__MAKE(c, "zeros", ps__arg_ints(part->ndim, part->shape),
                              ps__arg_dtype((ps_dtype)dx->dtype));
    if (all == NULL)
        return NULL;
    ps__layout_of(all, &first);
    memcpy(first.shape, ps__shape(dx), (size_t)part->ndim * sizeof first.shape[0]);
    c->status = ps__view(all, (ps_dtype)all->dtype, &first, &view);
    if (ps__compose_own(c, view) != NULL)
        ps__compose_into(c, "assign", 1, (ps_arg[]){ps__arg_tensor(dx)}, view);
    return c->status == PS_OK ? all : NULL;
}

/* Whether two parts have the same elements in the same order; dimensions of length 1 do not count. */
static bool is_same(const ps__part *a, const ps__part *b)
{
    int i = 0, k = 0;
    for (;; i++, k++) {
        while (i < a->ndim && a->shape[i] == 1)
            i++;
        while (k < b->ndim && b->shape[k] == 1)
            k++;
        if (i == a->ndim || k == b->ndim)
            break;
        if (a->shape[i] != b->shape[k] || a->strides[i] != b->strides[k])
            return false;
    }
    return i == a->ndim && k == b->ndim && a->offset == b->offset && a->dtype == b->dtype;
}

/* An operand may repeat elements, too: of a view of that only the elements are known. */
static ps_tensor *flow_to_base(ps__compose *c, const ps__view_node *node, ps_tensor *dy)
{
    int64_t order[PS_DIMS_MAX], flips[PS_DIMS_MAX], lengths[2][PS_DIMS_MAX];
    int nflips;
    ps_arg shape = ps__arg_ints(node->operand.ndim, node->operand.shape);
    if (is_same(&node->part, &node->operand))
        return PS__MAKE(c, "reshape", ps__arg_tensor(dy), shape);
    dy = without_repeats(c, &node->part, dy);
    if (dy == NULL)
        return NULL;
    ps__part part = without_others(&node->part, lengths[0]);
    ps__part operand = without_others(&node->operand, lengths[1]);
    if (part.dtype != operand.dtype || !is_rearranged(&part, &operand, order, flips, &nflips))
        return with_others(c, &node->operand, placed(c, &part, &operand, node->extent, dy));
    if (nflips > 0)
        dy = PS__MAKE(c, "flip", ps__arg_tensor(dy), ps__arg_ints(nflips, flips));
    dy = PS__MAKE(c, "permute", ps__arg_tensor(dy), ps__arg_ints(part.ndim, order));
    shape = ps__arg_ints(operand.ndim, operand.shape);
    return with_others(c, &node->operand, PS__MAKE(c, "reshape", ps__arg_tensor(dy), shape));
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
    const ps__edge *root = &node->r.edges[0];
    return c->status == PS_OK ? seen_as(c, flat, ps__output_like(root->node, root->output).dtype)
                              : NULL;
}
