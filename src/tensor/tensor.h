/* Tensor handles as the files of this layer and those above see them. */
#ifndef PS_TENSOR_TENSOR_H
#define PS_TENSOR_TENSOR_H

#include "tensor/above.h"
#include "tensor/graph.h"
#include "tensor/storage.h"

/* Constant but for the count and what graph.h says. Shape and strides follow the struct. Strides count elements;
 * `offset` is in elements of `dtype` too. Every element lies inside the storage's bytes. */
struct ps_tensor {
    _Atomic uint32_t handles;
    uint8_t dtype; /* a ps_dtype */
    uint8_t ndim;
    bool contiguous; /* elements lie side by side, the last dimension fastest */
    bool whole;      /* contiguous, and all of its storage */
    int64_t count;
    int64_t offset;
    ps__storage *storage;
    const ps__home *home;
    _Atomic(ps__node *) node; /* graph.h; NULL: in no graph */
    uint32_t generation;
    uint16_t output;
    bool alias;     /* what it writes is counted apart: see ps_tensor_alias */
    int64_t dims[]; /* shape, then strides */
};

static inline const int64_t *ps__shape(const ps_tensor *tensor)
{
    return tensor->dims;
}

static inline const int64_t *ps__strides(const ps_tensor *tensor)
{
    return tensor->dims + tensor->ndim;
}

/* settings.c: whether the environment variables that concern tensors are well formed. */
ps_status ps__settings_check(void);
/* Whether what this thread queues may be fused: its state says, else ps_fusion. */
bool ps__fusion_here(void);
/* Whether short operations are done at the call; on unless PENSTOCK_AT_ONCE is 0 or off. */
bool ps__at_once(void);
void ps__at_once_set(bool on);

/* tensor.c */
/* A new tensor on a storage of its own; nothing is queued. */
ps_status ps__tensor_create(const ps__home *home, ps_dtype dtype, int ndim, const int64_t *shape,
                            ps_tensor **tensor);
/* A tensor over a storage that the caller gives up, also on failure. */
ps_status ps__tensor_over(ps__storage *storage, const ps__home *home, ps_dtype dtype, int ndim,
                          const int64_t *shape, ps_tensor **tensor);

/* Which elements of its base's storage a view has: as in a handle. It is large, so it is filled in
 * as far as `ndim` says and passed by pointer. */
struct ps__layout {
    int ndim;
    int64_t offset;
    int64_t shape[PS_DIMS_MAX], strides[PS_DIMS_MAX];
};

static inline void ps__layout_add(ps__layout *to, int64_t length, int64_t stride)
{
    to->shape[to->ndim] = length;
    to->strides[to->ndim++] = stride;
}

/* layout.c. Sets of axes are masks; *to is undefined after a failure. */
/* A tensor's own layout; and that of `length` positions of an axis, from `first` on. */
void ps__layout_of(const ps_tensor *tensor, ps__layout *to);
void ps__layout_narrow(const ps_tensor *tensor, int axis, int64_t first, int64_t length,
                       ps__layout *to);
/* As many axes as dimensions; NULL: the reverse order. */
ps_status ps__layout_permute(const ps_tensor *tensor, const int *axes, ps__layout *to);
void ps__layout_flip(const ps_tensor *tensor, uint32_t axes, ps__layout *to);
/* The elements of two axes whose positions differ by `offset`, above INT64_MIN, as a last dimension;
 * none if there are none. */
void ps__layout_diagonal(const ps_tensor *tensor, int axis1, int axis2, int64_t offset,
                         ps__layout *to);
/* A dimension of length 1 before `axis`; and without those, which must have that length. */
ps_status ps__layout_expand(const ps_tensor *tensor, int64_t axis, ps__layout *to);
ps_status ps__layout_squeeze(const ps_tensor *tensor, uint32_t axes, ps__layout *to);
ps_status ps__layout_broadcast(const ps_tensor *tensor, int ndim, const int64_t *shape,
                               ps__layout *to);
/* One length may be -1. PS_ERR_STATE: the shape fits, but no strides express it. */
ps_status ps__layout_reshape(const ps_tensor *tensor, int ndim, const int64_t *shape,
                             ps__layout *to);

/* view.c: the only function that makes a handle on a storage that has one already. The layout stays
 * inside of the storage. Takes over nothing, retains the storage. */
ps_status ps__view(ps_tensor *base, ps_dtype dtype, const ps__layout *layout, ps_tensor **view);

/* snapshot.c: a handle on the elements as they are now, whatever is written to the tensor later. It
 * shares their memory until then, or until it is written itself. */
ps_status ps__snapshot(ps_tensor *tensor, ps_tensor **snapshot);

/* index.c */
enum { PS__INDEX_ITEMS = 2 * PS_DIMS_MAX + 1 }; /* each dimension, as many new ones, the ellipsis */

typedef struct ps__index_use {
    int rest;   /* dimensions that the ellipsis, given or understood at the end, stands for */
    int arrays; /* items that are arrays or masks */
    int points; /* masks without dimensions */
} ps__index_use;

static inline ps_tensor *ps__index_tensor(const ps_index *item)
{
    return (ps_tensor *)(intptr_t)item->start;
}

/* Whether the items fit the tensor's dimensions, as far as that is known without looking at its
 * lengths; arrays and masks are refused unless `arrays`. */
ps_status ps__index_count(const ps_tensor *tensor, const ps_index *items, size_t count, bool arrays,
                          ps__index_use *use);
/* A range or a position of an axis: what the layout has of it. */
ps_status ps__index_add(ps__layout *to, const ps_tensor *tensor, const ps_index *index, int axis);
/* What ps_tensor_index does with items that were counted. */
ps_status ps__index_view(ps_tensor *tensor, const ps_index *items, size_t count, int rest,
                         ps_tensor **view);

/* shape.c */
/* Checks lengths and says how many elements: PS_ERR_ARGUMENT for negative lengths, too many
 * dimensions, or a product of lengths and element size over 2^62. `what` begins the text. */
ps_status ps__shape_check(const char *what, ps_dtype dtype, int ndim, const int64_t *shape,
                          int64_t *count);
/* Strides of elements side by side. */
void ps__shape_strides(int ndim, const int64_t *shape, int64_t *strides);
bool ps__shape_contiguous(int ndim, const int64_t *shape, const int64_t *strides);
/* Broadcasts `shape` of `ndim` into *result (its ndim and lengths); false if they do not fit. */
bool ps__shape_broadcast(int *result_ndim, int64_t *result, int ndim, const int64_t *shape);
/* "(2, 3)", in memory that lasts as long as the block around the use. */
enum { PS__SHAPE_ROOM = 192 };
const char *ps__shape_write(char *text, int ndim, const int64_t *shape);
#define ps__shape_text(ndim, shape) ps__shape_write((char[PS__SHAPE_ROOM]){0}, (ndim), (shape))
static inline bool ps__shape_equal(int andim, const int64_t *a, int bndim, const int64_t *b)
{
    if (andim != bndim)
        return false;
    for (int i = 0; i < andim; i++)
        if (a[i] != b[i])
            return false;
    return true;
}
/* An axis, perhaps negative, as 0 .. ndim - 1; an error that names it otherwise. */
ps_status ps__axis(const char *what, int64_t axis, int ndim, int *result);

/* The bytes that a view touches lie in [first, end) of its buffer; empty views touch none. */
void ps__tensor_extent(const ps_tensor *tensor, int64_t *first, int64_t *end);
/* The same elements of the same storage in the same order. */
bool ps__tensor_same_view(const ps_tensor *a, const ps_tensor *b);

/* host.c */
/* Waits for the elements of `tensor` in CPU memory. They stay as they are until ps__host_end. A view
 * with strides keeps them: *data is its first element. What lives on another device is copied. */
typedef struct ps__host_read {
    ps__buffer *buffer;
    ps_tensor *copy; /* on the CPU, of what is elsewhere; or NULL */
    const char *data;
    const int64_t *strides; /* in elements */
} ps__host_read;
ps_status ps__host_begin(ps_tensor *tensor, ps__host_read *read);
void ps__host_end(ps__host_read *read);
/* Copies elements between strided host memory; strides in elements. */
void ps__host_copy(size_t bytes, int ndim, const int64_t *shape, void *to,
                   const int64_t *to_strides, const void *from, const int64_t *from_strides);

#endif
