/* Indices with arrays and masks in them: what the files of indexing share.
 *
 *   index_pick.c       an index taken apart: which elements it means
 *   index_positions.c  several arrays of positions as one
 *   index_value.c      what is written
 *   index_get.c        ps_tensor_get; index_set.c ps_tensor_set
 *
 * Invariants
 *   1. What can be refused without looking at elements is refused before anything is queued.
 *   2. Positions in arrays are looked at when the operation runs: one that is out of range is an
 *      error of the result. A mask is waited for where the shape depends on it. */
#ifndef PS_OPS_INDEX_H
#define PS_OPS_INDEX_H

#include "ops/calls.h"

typedef struct ps__positions {
    ps_tensor *given; /* positions or a mask; the caller's */
    ps_tensor *at;    /* positions along the axis; owned, NULL until they are found */
    int axis;         /* of the view */
    int column;       /* of a mask: which of its dimensions */
} ps__positions;

enum { PS__KEPT_NEW = -1 };

/* The view is the tensor with the ranges and positions of the index applied. Its axes are those of
 * the tensor, so that errors name them: a position leaves an axis of length 1; a mask without
 * dimensions has one of its own.
 *
 * The result has the axes of the view that are kept and new ones, and among them those of `shape`,
 * to which all arrays are broadcast. */
typedef struct ps__pick {
    const ps_call *on; /* the device and the location of what is queued */
    ps_tensor *tensor; /* the caller's */
    ps_tensor *view;   /* owned */
    int narrays, nkept;
    ps__positions arrays[PS_DIMS_MAX];
    int8_t kept[PS_DIMS_MAX]; /* axes of the view, or PS__KEPT_NEW */
    int place;                /* how many of those stand before the arrays' dimensions */
    int ndim;                 /* of `shape` */
    int64_t shape[PS_DIMS_MAX];
} ps__pick;

/* Waits for masks. On failure there is nothing to end. */
ps_status ps__pick_begin(ps__pick *pick, ps_tensor *tensor, const ps_index *items, size_t count,
                         const ps__index_use *use, const ps_call *on);
void ps__pick_end(ps__pick *pick);

/* Whether the only item, but for an ellipsis behind it, is a mask with dimensions. */
bool ps__index_is_mask(const ps_index *items, size_t count);
/* Whether a mask has the lengths of the tensor from the axis on. */
ps_status ps__mask_check(const ps_tensor *tensor, const ps_tensor *mask, int axis);

static inline int ps__pick_first(const ps__pick *pick)
{
    return pick->arrays[0].axis;
}

static inline int ps__pick_last(const ps__pick *pick)
{
    return pick->arrays[pick->narrays - 1].axis;
}

static inline int ps__pick_ndim(const ps__pick *pick)
{
    return pick->nkept + pick->ndim;
}

/* Which of `kept` a dimension of the result is; -1 if it is one of the arrays'. */
static inline int ps__pick_kept(const ps__pick *pick, int dim)
{
    if (dim < pick->place)
        return dim;
    return dim < pick->place + pick->ndim ? -1 : dim - pick->ndim;
}

/* The shape of the result. */
void ps__pick_shape(const ps__pick *pick, int64_t *shape);
/* Whether only positions stand between the axes of the arrays: these make one without moving. */
bool ps__pick_adjacent(const ps__pick *pick);

/* Sums of positions times strides, one stride for each array, of the arrays' common shape. */
ps_status ps__pick_offsets(const ps__pick *pick, const int64_t *strides, ps_tensor **offsets);
/* Adds to a sum, which is NULL at first. Takes the summand over. */
ps_status ps__pick_add(const ps__pick *pick, ps_tensor **sum, ps_tensor *summand);

/* A value as the operations that write take it: a tensor, or a number that they take for what it is
 * worth in the tensor's element type. `made` is NULL or must be released. */
typedef struct ps__value {
    ps_arg arg;
    ps_tensor *made;
} ps__value;

ps_status ps__value_begin(ps__value *value, const ps_arg *given, const ps_tensor *tensor);
/* The same with elements of the tensor's type that it does not share, and of at most `ndim`
 * dimensions if those in front have length 1. */
ps_status ps__value_convert(const ps__value *value, const ps_tensor *tensor, int ndim,
                            const ps_call *on, ps__value *converted);
/* A tensor without dimensions of length 1 in front, as many as it has more than `ndim`. */
ps_status ps__value_strip(ps_tensor *tensor, int ndim, ps_tensor **view);

#endif
