/* What the files of indexing share.
 *
 *   index.c         the slots of the array type; keys without arrays; lengths, iteration
 *   index_key.c     a Python object as a key: a list of items
 *   index_pick.c    keys with arrays in them: which elements they mean
 *   index_arrays.c  reading through such keys; index_write.c writing
 *   index_value.c   what is written
 *
 * Keys mean what they mean in NumPy. What a key with arrays reads is a copy; positions in arrays
 * are looked at when the operation runs, so one that is out of range is an error of the result. A
 * mask is waited for where the shape depends on it. */
#ifndef PENSTOCK_PYTHON_INDEX_H
#define PENSTOCK_PYTHON_INDEX_H

#include "core.h"

/* An operation on the device of an array, with the current location. On failure an exception is
 * set, and *out is as it was. */
int pyps_index_call(PyObject *array, const char *name, const ps_arg *args, size_t nargs,
                    ps_tensor **out);
/* 0, or -1 and the exception of a status. */
int pyps_index_done(PyObject *array, ps_status status);
/* An IndexError, as the array's dialect has it. Returns -1. */
int pyps_index_error(PyObject *array, const char *format, ...);
/* The same for keys that are none. */
int pyps_key_error(PyObject *array, const char *format, ...);

/* ---- index_key.c ------------------------------------------------------------------------- */

enum { PYPS_KEY_ROOM = 2 * PS_DIMS_MAX };

/* Kinds of items besides those of ps_index_kind. */
enum {
    PYPS_KEY_ARRAY = PS_INDEX_ELLIPSIS + 1, /* positions along one dimension */
    PYPS_KEY_MASK                           /* booleans over as many dimensions as it has */
};

typedef struct pyps_key {
    unsigned count, arrays; /* items; those of them that are arrays or masks */
    int used, rest;         /* dimensions that the items stand for; those that are left */
    bool ellipsis, expands; /* has one; has None */
    ps_index items[PYPS_KEY_ROOM];
    ps_tensor *tensors[PYPS_KEY_ROOM]; /* of arrays and masks: owned; not set for others */
} pyps_key;

/* Checks positions, the number of dimensions and the shapes of masks. */
int pyps_key_begin(pyps_key *key, PyObject *array, PyObject *object);
void pyps_key_end(pyps_key *key);
/* A slice as an item. */
int pyps_key_slice(ps_index *item, PyObject *slice);
/* Whether it is a position along an axis of that length; an exception and -1 if not. */
int pyps_key_check(PyObject *array, int64_t at, int axis, int64_t length);
/* Whether the only item, but for an ellipsis behind it, is a mask with dimensions. */
bool pyps_key_is_mask(const pyps_key *key);

/* ---- index_pick.c ------------------------------------------------------------------------ */

/* What each step of a key does to the dimensions. */
typedef enum pyps_step {
    PYPS_STEP_KEEP,  /* a range: a dimension of the view and of the result */
    PYPS_STEP_DROP,  /* an integer: a dimension of length 1 in the view, none of the result */
    PYPS_STEP_NEW,   /* a dimension of length 1 of the result only */
    PYPS_STEP_ARRAY, /* a dimension of the view that an array of positions replaces */
} pyps_step;

typedef struct pyps_positions {
    ps_tensor *at; /* owned */
    int axis;      /* of the view */
    bool sure;     /* known to be in range */
} pyps_positions;

/* A key with arrays. The view is the array with the ranges of the key applied, so its axes are
 * those of the array (but for one of length 1 where the key has a mask without dimensions). The
 * arrays broadcast together to `shape`; those dimensions stand in the result where the first array
 * stood, or in front if something stands between the arrays. */
typedef struct pyps_pick {
    PyObject *array; /* borrowed */
    ps_tensor *view; /* owned */
    unsigned nsteps, narrays;
    uint8_t steps[PYPS_KEY_ROOM + PS_DIMS_MAX];
    pyps_positions arrays[PS_DIMS_MAX];
    int ndim;
    int64_t shape[PS_DIMS_MAX];
    bool front;
} pyps_pick;

int pyps_pick_begin(pyps_pick *pick, PyObject *array, const pyps_key *key);
void pyps_pick_end(pyps_pick *pick);
/* Sums of positions times strides, one stride for each array, of the arrays' common shape. */
int pyps_pick_offsets(const pyps_pick *pick, const int64_t *strides, ps_tensor **offsets);

/* The axes of the first and the last array. */
static inline int pyps_pick_first(const pyps_pick *pick)
{
    return pick->arrays[0].axis;
}

static inline int pyps_pick_last(const pyps_pick *pick)
{
    return pick->arrays[pick->narrays - 1].axis;
}

/* The step of each axis of the view. */
void pyps_pick_steps(const pyps_pick *pick, uint8_t *steps);
/* Whether only integers stand between the arrays' axes: these then make one without moving. */
bool pyps_pick_adjacent(const pyps_pick *pick);

typedef struct pyps_places {
    size_t count;
    ps_index list[PYPS_KEY_ROOM + 2 * PS_DIMS_MAX];
} pyps_places;

void pyps_places_add(pyps_places *places, ps_index_kind kind, int count);
/* What makes the result of what was taken at the positions, whose dimensions are where the result
 * has them: drops the dimensions of integers, adds new ones. */
void pyps_pick_places(const pyps_pick *pick, pyps_places *places);

/* ---- index_arrays.c, index_write.c --------------------------------------------------------- */

/* What a key with arrays selects: a tensor with elements of its own. */
__attribute__((noinline)) int pyps_arrays_read(PyObject *array, const pyps_key *key,
                                               ps_tensor **result);
/* Writes a value, a number or a tensor, to what a key with arrays selects. */
__attribute__((noinline)) int pyps_arrays_write(PyObject *array, const pyps_key *key,
                                                const ps_arg *value);

/* ---- index_value.c ----------------------------------------------------------------------- */

/* What is assigned, as an argument: a tensor, or a number that the array's element type holds.
 * *made is NULL or must be released. */
int pyps_value_take(PyObject *array, PyObject *value, ps_arg *arg, ps_tensor **made);
/* A tensor without dimensions of length 1 in front, as many as it has more than `ndim`. */
ps_status pyps_value_strip(ps_tensor *tensor, int ndim, ps_tensor **view);

#endif
