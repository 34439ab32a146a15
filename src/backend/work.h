/* Work: what an operation does, as data.
 *
 * The call of an operation ends in one of these descriptions and a list of operands. A device runs
 * the description by the table of its kind (backend.h), so nothing here knows how.
 *
 * Rules
 *   1. A description begins with a ps__work and is `bytes` long. It has no function pointers and no
 *      addresses of memory: elements are reached through operands, by their number. What it points
 *      to is a program, which is constant for as long as the description is. The one exception is
 *      KERNEL: a C function that a program has added, for devices that run C.
 *   2. It has no bytes that are not set, so that equal work has equal bytes; ps__work_hash is a
 *      number for caches.
 *   3. Operands come outputs first. Each has a shape and strides in bytes of its own, but for MAP
 *      and REDUCE, where they are strides over the space of the work.
 *   4. `scratch` is the memory beside the operands that the work itself asks for: positions that are
 *      looked at before anything is written, a row that is sorted. What a backend's way of doing it
 *      needs on top is its own affair.
 *   5. Outputs overlap no inputs, but where the same elements are updated: then they are an output
 *      alone, whose elements as they were are at `old`. */
#ifndef PS_BACKEND_WORK_H
#define PS_BACKEND_WORK_H

#include "backend/program.h"
#include "kernels/gemm.h"
#include "kernels/random.h"

typedef enum ps__work_kind {
#define WORK(kind, what, traits) PS__WORK_##kind,
#include "backend/work.def"
#undef WORK
    PS__WORK_KINDS
} ps__work_kind;

enum { PS__WORK_CAN_FAIL = 1, PS__WORK_FOREIGN = 2 }; /* traits: see work.def */

typedef struct ps__work_info {
    const char *what;
    uint32_t traits;
} ps__work_info;

extern const ps__work_info ps__work_infos[PS__WORK_KINDS];

typedef struct ps__work {
    uint32_t kind;    /* a ps__work_kind */
    uint32_t bytes;   /* of all of the description */
    uint64_t scratch; /* rule 4 */
} ps__work;

#define PS__WORK_HEAD(which, type)                                                                 \
    {                                                                                              \
        .kind = PS__WORK_##which, .bytes = sizeof(type)                                            \
    }

/* Equal for equal work, also in another process. */
uint64_t ps__work_hash(const ps__work *work);

/* ---- Elements in order ------------------------------------------------------------------ */

/* Inputs of a program: an operand, or a constant of the description. */
enum { PS__CONSTANT = 0x80 }; /* | which; else the number of an operand */

/* EMPTY: memory, whatever it holds. */

/* MAP: operand s receives store s of the program; operands [0, stores) are outputs. Operands' shapes
 * are the space, in which dimensions that can be walked as one are one. Constants follow. */
typedef struct ps__work_map {
    ps__work head;
    const ps__program *program;
    int64_t count;
    uint8_t dense;     /* every operand lies side by side */
    uint8_t constants; /* how many follow */
    uint8_t spare[6];
    uint8_t source[PS__INPUTS]; /* of each input; an output: its elements as they were */
} ps__work_map;

static inline const ps__element *ps__map_constants(const ps__work_map *work)
{
    return (const ps__element *)(const void *)(work + 1);
}

/* UPDATE: a program over each of some sets of tensors, one after the other or side by side. Operands are
 * the outputs of all sets, set by set, then what each set reads beside them, set by set, then what all
 * of them read: a single element each. Those of a set have the shape of its outputs, or one element.
 * Constants follow, set by set, then the sets. */
typedef struct ps__work_update {
    ps__work head;
    const ps__program *program;
    int64_t count; /* of the elements of all sets */
    uint32_t sets; /* how many */
    uint8_t own, common,
        constants; /* operands that each set reads, that all read; constants of each */
    uint8_t spare;
    uint8_t
        source[PS__INPUTS]; /* of each input: PS__CONSTANT | which; PS__COMMON | which; below the
                                   number of stores an output as it was; else one of its own */
} ps__work_update;

enum { PS__COMMON = 0x40 };

typedef struct ps__update_set {
    int64_t first; /* of its elements among those of all sets */
    int64_t dense; /* every operand lies side by side, or is one element */
} ps__update_set;

_Static_assert(sizeof(ps__work_update) % 16 == 0, "what follows is aligned");

static inline const ps__element *ps__update_constants(const ps__work_update *work, size_t set)
{
    return (const ps__element *)(const void *)(work + 1) + set * work->constants;
}

static inline const ps__update_set *ps__update_sets(const ps__work_update *work)
{
    return (const ps__update_set *)(const void *)ps__update_constants(work, work->sets);
}

/* What is combined, how, and what is done at the end. */
typedef struct ps__reduce_spec {
    uint8_t reduce;      /* a ps__reduce */
    uint8_t accumulator; /* a ps_dtype */
    uint8_t result;      /* a ps_dtype */
    bool square;         /* squared absolute values are combined */
    bool root;           /* at the end, after dividing: the square root */
    bool divide;         /* at the end: by the divisor, which may be 0 */
    uint8_t spare[2];
    double divisor;
} ps__reduce_spec;

/* REDUCE: operand 0 is the result, side by side. What is reduced is the only store of the program,
 * over the space; without a program it is input 0, brought into the accumulator's type (and squared,
 * as the spec says). Constants follow, then the shape of the space. The order of combination is that
 * of kernels.h: it depends on the lengths of the reduced dimensions alone, not on strides, threads,
 * or what the program fuses. */
typedef struct ps__work_reduce {
    ps__work head;
    ps__reduce_spec spec;
    const ps__program *program; /* with the prologue of the spec; or NULL */
    uint32_t reduced;           /* a bit for each dimension that goes */
    uint8_t ndim, constants;    /* of the space; how many follow */
    uint8_t spare[10];
    uint8_t source[PS__INPUTS];
} ps__work_reduce;

_Static_assert(sizeof(ps__work_map) % 16 == 0 && sizeof(ps__work_reduce) % 16 == 0,
               "what follows is aligned");

static inline const ps__element *ps__reduce_constants(const ps__work_reduce *work)
{
    return (const ps__element *)(const void *)(work + 1);
}

static inline const int64_t *ps__reduce_shape(const ps__work_reduce *work)
{
    return (const int64_t *)(const void *)(ps__reduce_constants(work) + work->constants);
}

/* Ends a program, whose value `value` is what to reduce, with what the reduction does to each
 * element, and makes that its only store. False if it becomes too large. */
bool ps__reduce_prologue(const ps__reduce_spec *spec, ps__program *program, int value);
/* What the spec says of the end, done to n results in place; then they go to `to`, in the result's
 * type. That may be where they are, if their type stays. */
void ps__reduce_end(const ps__reduce_spec *spec, size_t n, char *results, char *to);

/* SIZE: operand 0, a single element, is the norm of the norms of all others: each and all of them reduced
 * as the spec says. The scratch has room for the norms. */
typedef struct ps__work_size {
    ps__work head;
    ps__reduce_spec spec;
} ps__work_size;

/* ARGREDUCE: operand 0 the first best place along the axis of operand 1, side by side. */
typedef struct ps__work_argreduce {
    ps__work head;
    int32_t axis, largest;
} ps__work_argreduce;

enum { PS__SCAN_ACROSS = 8 }; /* rows beside each other from which on it pays to pack operand 1 */

/* SCAN: operand 0, side by side, is operand 1 combined along the axis, each with all before it. */
typedef struct ps__work_scan {
    ps__work head;
    int32_t axis;
    uint16_t prim, compute; /* a ps__prim; the type that is combined in */
} ps__work_scan;

/* SOFTMAX: operand 0, float32 or float64 and side by side, is softmax of operand 1, which is not
 * complex, along its last dimension, or the logarithm of that. The largest element of each row, or 0
 * if that is not finite, is subtracted first; the order of addition is that of kernels.h. */
typedef struct ps__work_softmax {
    ps__work head;
    int64_t logarithm;
} ps__work_softmax;

/* DROPOUT: operand 0 is operand 1, both side by side, times `scale` where a random bit is true, else 0.
 * The bits are those of PS__RANDOM_BERNOULLI with this probability. */
typedef struct ps__work_dropout {
    ps__work head;
    ps__random state;
    int64_t count;
    double keep, scale; /* the probability of a true bit */
} ps__work_dropout;

/* CROSS_ENTROPY: of the rows of operand 1, its last dimension, which are float32 or float64, and their
 * labels, operand 2, of int64. All lie side by side. Operand 0 is for each row the logarithm of the sum of
 * exp(x) less the sum of t x; or with `back` its gradient by x times the row's number of operand 3:
 * t is 1 - smoothing at the label, and everywhere smoothing / length more. A label that is out of
 * range fails it. */
typedef struct ps__work_cross_entropy {
    ps__work head;
    int32_t back, ignores; /* ignores: rows with the label `ignored`, whose results are 0 */
    int64_t ignored;
    double smoothing;
} ps__work_cross_entropy;

/* LAYER_NORM: operand 0 the rows of operand 1, its last dimension, less their mean, divided by the
 * square root of variance + eps, times gamma, plus beta. All are float32 or all float64, and lie side
 * by side; the order of addition is that of norm.h. */
typedef struct ps__work_layer_norm {
    ps__work head;
    int32_t gamma, beta; /* operands; 0: there is none */
    double eps;
} ps__work_layer_norm;

/* LAYER_NORM_BACK: the gradients of LAYER_NORM's result by its x, operand 0, and with `columns` by its
 * gamma and beta, operands 1 and 2; x, what flows to the result, and perhaps gamma follow. What flows
 * to a column is added up in groups of `group` rows, and the groups in order. */
typedef struct ps__work_layer_norm_back {
    ps__work head;
    int32_t columns, gamma; /* whether there is one */
    int64_t group;
    double eps;
} ps__work_layer_norm_back;

/* GROUP_NORM: operand 1 is outer x groups x channels x inner elements, side by side. Operand 0 is those of
 * each group less their mean, divided by the square root of variance + eps, times the gamma of the
 * channel, plus its beta; both have a number for each channel of all groups. All are float32 or all
 * float64; the order of addition is that of norm.h. */
typedef struct ps__work_group_norm {
    ps__work head;
    int64_t outer, groups, channels, inner;
    int32_t gamma, beta; /* operands; 0: there is none */
    double eps;
} ps__work_group_norm;

/* GROUP_NORM_BACK: the gradients of GROUP_NORM's result by its x, gamma and beta are operands 0 to 2; x,
 * what flows to the result, and perhaps gamma follow. What flows to channels is added up over the outer
 * places in order; the scratch has room for two float64 of each channel of each place. */
typedef ps__work_group_norm ps__work_group_norm_back;

/* BATCH_NORM: operand 3 is outer x channels x inner elements, side by side. Operand 0 is those of each
 * channel less their mean, divided by the square root of variance + eps, times gamma, plus beta;
 * operands 1 and 2 are the mean and the variance. All are float32 or all float64; means of the runs of
 * `inner` elements are joined in order. With a `block` channels lie side by side: then means of blocks of
 * so many rows are joined in order, for which the scratch has room. */
typedef struct ps__work_batch_norm {
    ps__work head;
    int64_t outer, channels, inner, block; /* block: 0, or where inner is 1 perhaps more */
    int32_t gamma, beta;                   /* operands; 0: there is none */
    double eps;
} ps__work_batch_norm;

/* BATCH_NORM_BACK: the gradients of BATCH_NORM's operand 0 by its x, gamma and beta are operands 0 to 2;
 * x, what flows to the result, the mean, the variance and perhaps gamma follow. */
typedef ps__work_batch_norm ps__work_batch_norm_back;

/* SORT: the rows of operand 1 along the axis in order, the first so many of them as operand 0 has
 * room for. Stable. */
typedef struct ps__work_sort {
    ps__work head;
    int32_t axis;
    uint16_t descending, positions; /* positions are wanted, not elements */
} ps__work_sort;

/* SEARCH: for each element of operand 2 its place in operand 1, which is in order; all side by
 * side. */
typedef struct ps__work_search {
    ps__work head;
    int64_t behind; /* those that are equal; else before them */
} ps__work_search;

/* PRODUCT: operand 0 = activation(operand 1 x operand 2 + operand 3); there may be no fourth. The
 * batch's pointers are NULL; of one product its shape and strides are left out. */
typedef struct ps__work_product {
    ps__work head;
    ps__gemm_batch batch;
} ps__work_product;

/* Images have the dimensions N, C, H, W, or with `channels_last` N, H, W, C. A window lies at
 * position i of its axis over the elements i * stride - padding + k * dilation, k below the kernel's
 * length; those outside of the image are 0. */
typedef struct ps__windows {
    int64_t stride[2], padding[2], dilation[2]; /* of H, W */
} ps__windows;

/* CONVOLVE: x are images of C channels, y those of O channels; weights are O x C / groups x H x W,
 * with O and C divided alike. Operands are float32, or float64.
 *   RESULT  operand 0 is y, of operand 1, x, operand 2, the weights, and what begins each sum of a
 *           channel: operand 3, if there is one
 *   DATA    operand 0 is what flows to x, of operand 1, which flows to y, and operand 2, the weights
 *   WEIGHT  operand 0 is what flows to the weights, of operand 1, x, and operand 2, which flows to y
 * Each element is added up in an order that shapes decide. */
typedef enum ps__convolve_pass {
    PS__CONVOLVE_RESULT,
    PS__CONVOLVE_DATA,
    PS__CONVOLVE_WEIGHT
} ps__convolve_pass;

typedef struct ps__work_convolve {
    ps__work head;
    int32_t pass, channels_last;
    int64_t groups;
    ps__windows windows;
} ps__work_convolve;

/* POOL: of each window of each channel one element. Operands are float32, or float64.
 *   LARGEST  operand 0 has the largest elements of operand 1; NaN is larger than all
 *   PICK     operand 0 has those elements of operand 1 that lie where operand 2 is largest: the
 *            first such place of the window
 *   SPREAD   operand 0 gets the elements of operand 1 at these places of operand 2, added up
 *   AVERAGE  operand 0 is the mean of the window of operand 1
 *   SHARE    operand 0 gets from each element of operand 1 its share in such a mean, added up
 * A mean is over the elements of the image, or with `padded` over those of the padding too. What is
 * added up is so in the order of windows. */
typedef enum ps__pool_pass {
    PS__POOL_LARGEST,
    PS__POOL_PICK,
    PS__POOL_SPREAD,
    PS__POOL_AVERAGE,
    PS__POOL_SHARE
} ps__pool_pass;

typedef struct ps__work_pool {
    ps__work head;
    int32_t pass, channels_last;
    int64_t padded, kernel[2];
    ps__windows windows; /* dilation is 1 */
} ps__work_pool;
/* RECURRENT: layers of cells over a sequence, perhaps in both directions. Everything lies side by
 * side. Operands:
 *
 *   out   y (steps, batch, directions x hidden), the last states (layers x directions, batch, hidden),
 *         the last cells, the reserve
 *   in    x (steps, batch, inputs), the parameters, the first states, of an LSTM the first cells,
 *         with PS__RECURRENT_MASK factors (layers - 1, steps, batch, directions x hidden) for what goes
 *         from a layer to the next
 *
 * RECURRENT_BACK: what flows back through it.
 *
 *   out   to x, the parameters, the first states, the first cells, the factors
 *   in    x, the parameters, the first states, the reserve, then as above; then what flows to y, the
 *         last states and the last cells, as the bits say: nothing flows to those that are not there
 *
 * Cells are those of an LSTM. Outputs that nobody wants (without PS__RECURRENT_INPUT that to x), or that
 * have no meaning, have no elements. Inputs that are not there are left out.
 *
 * recurrent.h has how parameters and the reserve are laid out. */
typedef struct ps__work_recurrent {
    ps__work head;
    uint32_t cell; /* a ps__cell_kind */
    uint32_t bits; /* PS__RECURRENT_... */
    int64_t steps, batch, inputs, hidden, layers, directions;
} ps__work_recurrent;

enum {
    PS__RECURRENT_MASK = 1,
    PS__RECURRENT_INPUT = 2,
    PS__RECURRENT_DY = 4,
    PS__RECURRENT_DSTATE = 8,
    PS__RECURRENT_DCELL = 16
};

/* ---- New elements ----------------------------------------------------------------------- */

/* Operand 0 lies side by side in all of these. */

typedef struct ps__work_random {
    ps__work head;
    ps__random state;
    int64_t count;
    ps__random_spec spec;
    int64_t
        permutation; /* of 0 .. count - 1; the spec only says how much of the stream that uses */
} ps__work_random;

/* ORTHOGONAL: scale times a matrix whose rows, or columns if these are fewer, are orthogonal and have
 * length 1: that of the QR decomposition of operand 1, float64 and side by side, of which the triangle
 * has a positive diagonal. */
typedef struct ps__work_orthogonal {
    ps__work head;
    int64_t rows, columns;
    double scale;
} ps__work_orthogonal;

typedef struct ps__work_fill {
    ps__work head;
    ps__element value;
    int64_t count, spare;
} ps__work_fill;

/* Integers are first + i step; others from + i by, but `to` at place `last`. */
typedef struct ps__work_series {
    ps__work head;
    int64_t count, first, step;
    double from, by, to;
    int64_t last; /* -1: none */
} ps__work_series;

typedef struct ps__work_eye {
    ps__work head;
    ps__element value;
    int64_t count, diagonal;
} ps__work_eye;

/* ---- Elements in other places ----------------------------------------------------------- */

/* Elements of an input, or the value for all, that go to a place in operand 0. */
typedef struct ps__region {
    int32_t source; /* an operand; 0: the value */
    int32_t ndim;
    int64_t to, from; /* bytes from the operands' first elements */
    int64_t dims;     /* where its lengths, strides in operand 0 and strides in the source begin */
} ps__region;

/* REGIONS: followed by the regions, then their dimensions. */
typedef struct ps__work_regions {
    ps__work head;
    ps__element value;
    int64_t count, room; /* regions that there are, and that there is room for */
} ps__work_regions;

static inline const ps__region *ps__region_at(const ps__work_regions *work, int64_t index)
{
    return (const ps__region *)(const void *)(work + 1) + index;
}

static inline const int64_t *ps__region_dims(const ps__work_regions *work, const ps__region *region)
{
    return (const int64_t *)(const void *)ps__region_at(work, work->room) + region->dims;
}

/* TAKE: operand 0, side by side, has what is at the positions of operand 2 along an axis of operand
 * 1. Positions are the same for all slices before the axis, or, single elements alone, `per` of them
 * for each line. A position that is out of range fails it. */
typedef struct ps__work_take {
    ps__work head;
    int32_t axis;              /* for messages; -1: operand 1 was flattened */
    int32_t slices;            /* what is at one position does not lie side by side */
    int64_t count;             /* of positions */
    int64_t length, step;      /* of the axis, step in bytes */
    int64_t outer, outer_step; /* slices before the axis */
    int64_t bytes;             /* side by side at each position; slices: in the result */
    int64_t per, line;         /* lines: positions of each, bytes from one to the next; else 0 */
    int64_t behind;            /* for messages: how many lines the user has behind the axis */
} ps__work_take;

/* PUT and MASKED_PUT: operand 0 is updated at the positions, or where the mask is true, of operand
 * 1 by the values of operand 2, both side by side. If a position is out of range, or the number of
 * values is wrong, nothing is written. What is written, and added, follows the order of the
 * positions.
 *
 * Some dimensions of operand 0, side by side, are counted through by a position; the others make up
 * the slice that is at it. The values are ordered by the dimensions before those, the positions, the
 * dimensions behind them. */
typedef struct ps__work_put {
    ps__work head;
    int32_t axis;       /* for messages; -1: positions count through all of operand 0 */
    int32_t accumulate; /* add to what is there */
    int64_t count;      /* of positions; of a mask: of its elements */
    int64_t length;     /* positions are less than that */
    int64_t given; /* masks: values that there are, one for each that is true; -1: one for all */
    int64_t step;  /* bytes from the values of one position to the next; 0: the same for all */

    int32_t counted, slice; /* dimensions that a position counts through; dimensions of a slice */
    int64_t counted_shape[PS_DIMS_MAX], counted_strides[PS_DIMS_MAX]; /* strides in bytes */
    int64_t shape[PS_DIMS_MAX], strides[2][PS_DIMS_MAX]; /* of a slice; in operand 0, in values */
} ps__work_put;

enum { PS__MASK_WORDS = 1024 }; /* of 64 bits: what `starts` of a packed mask counts by */

/* PACK: operand 0 the elements of the mask, operand 2, as bits, 64 in a word, what is beyond them 0;
 * operand 1 how many are true before each PS__MASK_WORDS words, then the number of all. All side by
 * side. */
typedef struct ps__work_pack {
    ps__work head;
    int64_t count; /* of the mask's elements */
} ps__work_pack;

/* SELECT: operand 0 has what lies under a packed mask, operands 1 and 2, of operand 3. NONZERO: the
 * positions that are true, a row for each. All side by side. */
typedef struct ps__work_select {
    ps__work head;
    int64_t count; /* of the mask's elements */
    int64_t bytes; /* for each element of the mask; NONZERO: of a row of the result */
    int64_t ndim;
    int64_t shape[PS_DIMS_MAX]; /* of the mask */
} ps__work_select;

/* TRANSFER: all of operand 1 to operand 0, which are on two devices, one of them the CPU. */
typedef struct ps__work_transfer {
    ps__work head;
    uint64_t size; /* in bytes */
} ps__work_transfer;

/* ---- What is not work of ours ----------------------------------------------------------- */

enum { PS__KERNEL_NUMBERS = 8 };

typedef struct ps__work_kernel {
    ps__work head;
    ps_op_kernel_fn kernel;
    void *context;
    uint64_t nnumbers;
    ps_scalar numbers[PS__KERNEL_NUMBERS];
} ps__work_kernel;

/* REFUSE: does nothing but fail. */
typedef struct ps__work_refuse {
    ps__work head;
    int64_t status; /* a ps_status */
    char text[200];
} ps__work_refuse;

#endif
