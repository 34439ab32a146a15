/* Views and writes in place.
 *
 * A storage's root is what made all of its elements. A new result's is the node that made it; a write
 * makes a WRITE node the root, with edges to the root before, unless nothing of that is left, and to
 * what was written. With each write the storage's generation rises, and handles of an older one get a
 * node anew at their next use: a VIEW of the root.
 *
 * A storage keeps its root. With PS_GRAD_CHECK a node may keep its own result, so that storage has no
 * root at first: the first write finds it by the handle that is written, which is the result or a view
 * of it. A handle that is neither, being detached, writes what no graph knows of. */
#ifndef PS_AUTOGRAD_VIEW_H
#define PS_AUTOGRAD_VIEW_H

#include "autograd/node.h"
#include "ops/compose.h"

/* Elements of a storage, seen as a type; lengths and strides, in elements of it, lie in the node. */
typedef struct ps__part {
    uint8_t dtype;
    int ndim;
    int64_t offset;
    const int64_t *shape, *strides;
} ps__part;

/* VIEW: its value is some elements of a storage, of which its operand is some too. WRITE: its value is
 * all of a storage in one dimension; edge 0 is to what made all of it before, edge 1 to what was
 * written to a part. Views and writes of a part of complex numbers see the storage as real ones: a
 * gradient's bytes lie as those of the value, so there it is only seen as another type, too. */
typedef struct ps__view_node {
    ps__recorded r;
    int64_t extent;         /* of the storage, in elements of the operand; of WRITE: of the part */
    ps__part part, operand; /* of WRITE: what was written, and nothing */
    ps__like like;          /* of its value */
} ps__view_node;

/* How many elements of the type have that many bytes. */
static inline int64_t ps__elements_in(size_t bytes, uint8_t dtype)
{
    return (int64_t)(bytes / ps__dtype_bytes((ps_dtype)dtype));
}

/* A new tensor was made by an output of a node. */
void ps__made(ps_tensor *tensor, ps__node *node, uint32_t output);
/* The same, of a tensor and a node that only the caller knows: without a lock. False: the tensor's
 * elements have other handles, or a maker. */
bool ps__made_alone(ps_tensor *tensor, ps__node *node, uint32_t output);
/* An existing one was written by it, or by something that nothing flows to. */
ps_status ps__written(ps_tensor *tensor, ps__node *node, uint32_t output, uint64_t location);
/* Whether it may be written while this thread records; *recorded is set if that changes a graph. */
ps_status ps__check_write(ps_tensor *tensor, bool *recorded);
/* The hook of ps__view. */
ps_status ps__record_view(ps_tensor *base, const ps__layout *layout, ps_tensor *view);

/* Whether a VIEW has some elements of an operand that lies side by side: what flows to it can be added
 * to a part of what has flowed there. */
bool ps__view_adds(const ps__view_node *node);
/* Does that. `sum` is of the operand's shape, side by side, and nobody else's. */
void ps__view_add(ps__compose *c, const ps__view_node *node, ps_tensor *sum, ps_tensor *dy);
/* Whether ps__write_split serves: a WRITE whose storage has been of one type. */
bool ps__write_splits(const ps__view_node *node);
/* The rest of dy for operand 0 of a WRITE, whose part for operand 1 is copied to *part: what was written
 * is 0 then. dy is side by side, and nobody else's. */
void ps__write_split(ps__compose *c, const ps__view_node *node, ps_tensor *dy, ps_tensor **part);

/* What flows to operand `edge` of a VIEW or WRITE. */
ps_tensor *ps__view_flow(ps__compose *c, const ps__view_node *node, unsigned edge, ps_tensor *dy);

#endif
