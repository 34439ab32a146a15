/* How gradients flow through views and writes in place: see view.h. */
#include "autograd/view.h"

#include <stdlib.h>
#include <string.h>

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
    ps__layout to = {.offset = ps__elements_in((size_t)flat->offset * bytes, dtype)};
    ps__layout_add(&to, ps__elements_in((size_t)flat->count * bytes, dtype), 1);
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

/* Whether the part, which repeats none, has each element of the operand, which lies side by side: then `order` has
 * its axes from the outermost on, and `flips` those that run backwards. */
static bool is_rearranged(const ps__part *part, const ps__part *operand, int64_t *order,
                          int64_t *flips, int *nflips)
{
    dim dims[PS_DIMS_MAX];
    int64_t step = 1, first = part->offset;
    *nflips = 0;
    for (int i = 0; i < part->ndim; i++) {
        bool single = part->shape[i] == 1;
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
        line != NULL ? strided(c, line, part, ps__elements_in(before, part->dtype)) : NULL;
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

bool ps__view_adds(const ps__view_node *node)
{
    int64_t order[PS_DIMS_MAX], flips[PS_DIMS_MAX], lengths[PS_DIMS_MAX];
    int nflips;
    if (node->r.kind != PS__NODE_VIEW || node->part.dtype != node->operand.dtype ||
        !is_packed(&node->operand))
        return false;
    ps__part part = without_others(&node->part, lengths);
    return !is_rearranged(&part, &node->operand, order, flips, &nflips);
}

void ps__view_add(ps__compose *c, const ps__view_node *node, ps_tensor *sum, ps_tensor *dy)
{
    int64_t lengths[PS_DIMS_MAX];
    ps__part part = without_others(&node->part, lengths);
    dy = without_repeats(c, &node->part, dy);
    ps_tensor *region = dy != NULL ? strided(c, sum, &part, node->operand.offset) : NULL;
    if (region != NULL)
        ps__compose_into(c, "add", 2, (ps_arg[]){ps__arg_tensor(region), ps__arg_tensor(dy)},
                         region);
}

bool ps__write_splits(const ps__view_node *node)
{
    const ps__edge *root = &node->r.edges[0];
    return node->r.kind == PS__NODE_WRITE && root->node != NULL &&
           ps__output_like(root->node, root->output).dtype == node->part.dtype;
}

void ps__write_split(ps__compose *c, const ps__view_node *node, ps_tensor *dy, ps_tensor **part)
{
    ps_tensor *region = strided(c, dy, &node->part, 0);
    *part = region != NULL ? PS__MAKE(c, "copy", ps__arg_tensor(region)) : NULL;
    if (*part != NULL)
        ps__compose_into(c, "assign", 1, (ps_arg[]){ps__arg_int(0)}, region);
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
