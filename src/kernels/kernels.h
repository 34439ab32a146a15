/* Kernels: functions that work on a range of CPU memory and know element types only. What splits
 * work over threads, walks strides and allocates is above.
 *
 * There is a plain C kernel for everything (ref/). Instruction sets override entries (cpu/): a set
 * starts as a copy of a lesser one and replaces what it does better. ps__kernels_get is the best set
 * that this processor has, or what PENSTOCK_ISA names (ref, avx2, avx512).
 *
 * Rules for every kernel here
 *   1. Elementwise kernels are independent of position: the bits of out[i] follow from the i-th
 *      elements alone, never from n, alignment or neighbours.
 *   2. Pointers may be unaligned down to the size of an element (of a complex one, of a part); where
 *      elements are only moved, to any address. n may be 0.
 *   3. `out` is one of the inputs or overlaps none of them.
 *   4. No expression is contracted (-ffp-contract=off); rounding is to nearest.
 *   5. Nothing traps: integer division by zero gives 0, its remainder 0; MIN / -1 gives MIN, its
 *      remainder 0; a shift by a negative count, or by the width or more, gives what shifting bit
 *      by bit for ever would (0, or -1 for a negative value shifted right; a negative count: 0);
 *      integer arithmetic wraps; NaN to an integer gives 0 and what is out of range saturates
 *      (float to integer); integer to integer keeps the low bits; anything to bool is != 0.
 *   6. Kernels do not touch floating-point modes; the caller has set them. */
#ifndef PS_KERNELS_KERNELS_H
#define PS_KERNELS_KERNELS_H

#include "dtype/dtype.h"

/* ---- Elementwise ----------------------------------------------------------------------- */

typedef enum ps__prim {
#define PRIM(name, arity, dtypes, result, exact) PS__PRIM_##name,
#include "kernels/prims.def"
#undef PRIM
    PS__PRIMS
} ps__prim;

typedef enum ps__prim_result {
    PS__RESULT_SAME, /* the operands' type */
    PS__RESULT_BOOL,
    PS__RESULT_REAL /* of complex operands the type of their parts */
} ps__prim_result;

typedef struct ps__prim_info {
    const char *name;
    uint8_t arity;        /* 1, 2 or 3 */
    uint8_t result;       /* a ps__prim_result */
    bool exact;           /* the same bits on every instruction set */
    ps__dtype_set dtypes; /* of its operands; never a 16-bit float, see ps__dtype_info.compute */
} ps__prim_info;

extern const ps__prim_info ps__prims[PS__PRIMS];
/* By name; false if there is none such. */
bool ps__prim_from_name(const char *name, size_t length, ps__prim *prim);

/* All operands have one type, but for the first of `where`, which is bool. An operand whose pointer
 * is to one element for all n is said by the choice of the entry below. */
typedef void (*ps__map_fn)(size_t n, void *out, const void *const *in);

/* Which operands of a binary primitive are one element for all. */
enum { PS__FORM_ALL = 0, PS__FORM_FIRST_ONE = 1, PS__FORM_SECOND_ONE = 2, PS__FORMS = 3 };

/* n elements of one type as another. Reading and writing the same memory is not allowed here. */
typedef void (*ps__cast_fn)(size_t n, void *out, const void *in);

/* ---- Runs ------------------------------------------------------------------------------ */

/* Several maps of float32 on elements that stay in registers from one to the next. A step has the
 * value so far, v, and perhaps another operand, o. */
typedef enum ps__run_code {
    PS__RUN_NONE,
    PS__RUN_NEGATIVE,
    PS__RUN_ABS,
    PS__RUN_SQUARE,
    PS__RUN_RELU,
    PS__RUN_EXP,
    PS__RUN_ALONE, /* those before have no o */
    PS__RUN_ADD,
    PS__RUN_SUBTRACT,
    PS__RUN_SUBTRACT_FROM, /* o - v */
    PS__RUN_MULTIPLY,
    PS__RUN_DIVIDE,
    PS__RUN_DIVIDE_INTO, /* o / v */
    PS__RUN_MINIMUM,
    PS__RUN_MAXIMUM,
    PS__RUN_GATE,       /* v where o > 0, else 0 */
    PS__RUN_GATE_FLOOR, /* v where o > 0, else floor(o): 0 or NaN of a relu */
    PS__RUN_KEEP        /* v, which goes to o too */
} ps__run_code;

typedef struct ps__run_step {
    void *o;
    float same;   /* o, where it is one element for all */
    uint8_t code; /* a ps__run_code */
    bool one;     /* it is */
} ps__run_step;

/* out[i] is what the steps make of first[i], which with `one` is one element for all: bit by bit as if
 * a map were called for each step, on all elements. `out` and what is kept may be where operands of
 * this step or of earlier ones are. */
typedef void (*ps__run_fn)(size_t n, void *out, const void *first, bool one,
                           const ps__run_step *steps, unsigned count);

/* ---- Reductions ------------------------------------------------------------------------ */

/* The order of combination of a sequence x[0 .. n) is fixed, on every instruction set:
 *   - leaves of PS__LEAF elements, the last one shorter;
 *   - in a leaf 16 lanes: lane j combines x[j], x[j + 16], ... in order, starting with the first of
 *     them (not with an identity, except that a lane without elements is left out);
 *   - lanes are combined 8 and 8, then 4 and 4, 2 and 2, 1 and 1: lane j with lane j + 8 and so on,
 *     the lower lane on the left; a lane that was left out leaves its partner as it is;
 *   - leaves are combined by ps__tree: neighbours in pairs, pairs of pairs, and so on. */
enum { PS__LANES = 16, PS__LEAF = 1024 };

typedef enum ps__reduce {
    PS__REDUCE_SUM,
    PS__REDUCE_PROD,
    PS__REDUCE_MIN, /* NaN wins */
    PS__REDUCE_MAX, /* NaN wins */
    PS__REDUCE_ANY, /* of bool */
    PS__REDUCE_ALL, /* of bool */
    PS__REDUCES
} ps__reduce;

/* The primitive that combines two values of the reduction: add, multiply, minimum, ... */
ps__prim ps__reduce_prim(ps__reduce reduce);

/* One leaf: combines x[0 .. n), 1 <= n <= PS__LEAF, into *out, of the same type. */
typedef void (*ps__leaf_fn)(size_t n, const void *x, void *out);

/* `count` leaves of n elements each, 16 <= n <= PS__LEAF, that begin `stride` bytes apart; the result
 * of each to out[i]: as that many leaf calls. */
typedef void (*ps__leaves_fn)(size_t count, size_t n, ptrdiff_t stride, const void *x, void *out);

/* The place of the first smallest (largest) of x[0 .. n), n >= 1; a NaN beats everything and the
 * first NaN wins. Also says its value. */
typedef void (*ps__arg_fn)(size_t n, const void *x, void *value, int64_t *position);

/* ---- Tiles of products ------------------------------------------------------------------ */

/* c[i][j] = the sum over k of a[k][i] * b[k][j], which stays in registers meanwhile: i is below the
 * rows that the function is for, j below the columns of the type's tiles. It is added up in the order
 * of k, each step with one rounding where the set can, so its bits follow from a[.][i] and b[.][j]
 * alone. Elements of b may be read where they are: its rows begin anywhere. */
typedef struct ps__tile {
    int64_t depth; /* how many k; may be 0 */
    const void *a;
    int64_t a_row, a_step; /* elements from one i to the next, and from one k */
    const void *b;         /* row k begins at element at[k]; all columns of it are read */
    const int64_t *at;
    void *c;           /* all columns of it are written */
    int64_t c_row;     /* elements from one row to the next */
    const void *start; /* what the sum of each row begins with; NULL: 0 */
    bool accumulate;   /* it begins with what c has instead */
} ps__tile;

enum { PS__TILE_ROWS = 14 };

typedef void (*ps__tile_fn)(const ps__tile *tile);

typedef struct ps__tiles {
    int32_t rows, columns;          /* the most rows of a tile, and its columns */
    int32_t step, spare;            /* of a, where tiles have many rows: what is packed best */
    ps__tile_fn run[PS__TILE_ROWS]; /* for 1, 2, ... rows */
} ps__tiles;

/* ---- The table ------------------------------------------------------------------------- */

typedef struct ps__kernel_set {
    const char *name; /* "ref", "avx2", "avx512" */
    /* NULL where ps__prims does not list the type. Unary and ternary: only PS__FORM_ALL. */
    ps__map_fn map[PS__PRIMS][PS__DTYPES][PS__FORMS];
    ps__cast_fn cast[PS__DTYPES][PS__DTYPES]; /* [from][to]; all */
    ps__run_fn run;                           /* NULL: there is none */
    ps__leaf_fn leaf[PS__REDUCES][PS__DTYPES];
    ps__leaves_fn leaves[PS__REDUCES][PS__DTYPES]; /* NULL where calling leaf does as well */
    ps__arg_fn argmin[PS__DTYPES], argmax[PS__DTYPES];

    /* Moving elements of 1, 2, 4, 8 or 16 bytes, by the logarithm of that: out[i] takes the element
     * at in + i * stride bytes; and out + i * stride takes in[i]; fill repeats one element. */
    void (*gather[5])(size_t n, void *out, const void *in, ptrdiff_t stride);
    void (*scatter[5])(size_t n, void *out, ptrdiff_t stride, const void *in);
    void (*fill[5])(size_t n, void *out, const void *element);
    /* rows x columns elements; element (r, c) is at in + r * in_row + c * in_column bytes and goes
     * to out + r * out_row + c * out_column. Fast whichever of the strides are one element. No
     * overlap. */
    void (*copy2d[5])(size_t rows, size_t columns, void *out, ptrdiff_t out_row,
                      ptrdiff_t out_column, const void *in, ptrdiff_t in_row, ptrdiff_t in_column);
    /* As map of a contiguous copy, for outputs too large for any cache: stores that go around the
     * caches. memcpy where there are none such. */
    void (*stream)(void *out, const void *in, size_t bytes);
    ps__tiles tiles[PS__DTYPES]; /* of float32 and float64; others have no rows */
} ps__kernel_set;

/* The chosen set; made at the first call. */
const ps__kernel_set *ps__kernels_get(void);
/* By name, or NULL if this build or processor has no such set: for tests. */
const ps__kernel_set *ps__kernels_find(const char *name);

#endif
