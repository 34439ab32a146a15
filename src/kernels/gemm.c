/* Products of matrices: how they are divided, prepared for BLAS or our own loops, and finished.
 *
 * Structure: a product has a plan, which follows from its shape and strides alone: the way it is
 * computed, and what must be copied first. A grid follows from the plan and the number of workers.
 * A block is: for each piece of k, stage the operands, multiply; then round, add the bias, apply
 * the activation.
 *
 * Invariants
 *   1. The plan is that of the whole product, never of a block.
 *   2. The grid depends on the number of workers only along directions in which cuts are neutral
 *      (ps__blas_cuts); our own loops are neutral everywhere.
 *   3. Pieces of k follow from k and the plan. They are summed in the type of computation. */
#include <limits.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "dtype/dtype.h"
#include "kernels/blas.h"
#include "kernels/gemm.h"
#include "kernels/gemm_tiles.h"
#include "kernels/kernels.h"

#define MIN(x, y) ((x) < (y) ? (x) : (y))
#define MAX(x, y) ((x) > (y) ? (x) : (y))

enum {
    /* Where m, n and k are all at most this, our loops are as fast as BLAS, see decision 004. */
    DIRECT_LENGTH = 16,
    DIRECT_LENGTH_COMPLEX = 24,
    TILES_DEPTH = 8,     /* below which tiles mostly load and store c */
    STAGED_DEPTH = 2048, /* most of k that is staged at a time */
    STAGED_ROWS = 768,   /* most rows and columns of a block that is staged */
    STAGED_COLUMNS = 2048,
    MOST_COLUMNS = 1 << 20,
    MOST_DEPTH = 1 << 30,
    /* Where cuts must not depend on the workers: as if there were so many. */
    NOMINAL_WORKERS = 8,
    /* Blocks of our own loops have at least so many multiplications: some 10 us. */
    DIRECT_BLOCK_WORK = 1 << 16,
    TILES_BLOCK_WORK = 1 << 19, /* likewise */
    TILE = 512                  /* elements that an epilogue treats at a time */
};

typedef enum way { WAY_ZERO, WAY_VECTOR, WAY_DIRECT, WAY_TILES, WAY_BLAS } way;

typedef struct plan {
    way way;
    ps_dtype compute;
    bool stage_a, stage_b, stage_c;
    int64_t pieces; /* of k */
} plan;

/* ---- Plan ------------------------------------------------------------------------------ */

static way way_of(const ps__gemm *g, ps_dtype compute)
{
    if (g->k == 0)
        return WAY_ZERO;
    if (g->m == 1 || g->n == 1)
        return WAY_VECTOR;
    bool complex = ps__dtype_kind_of(compute) == PS__KIND_COMPLEX;
    int64_t small = complex ? DIRECT_LENGTH_COMPLEX : DIRECT_LENGTH;
    if (!ps__dtype_is_inexact(compute) || (g->m <= small && g->n <= small && g->k <= small))
        return WAY_DIRECT;
    if (ps__gemm_tiles_are(compute) && g->k >= TILES_DEPTH && !ps__blas_wished())
        return WAY_TILES;
    return ps__blas_present() ? WAY_BLAS : WAY_DIRECT;
}

/* Whether BLAS can take rows x columns elements with these strides as they are; its stride and
 * whether they are by columns. */
static bool blas_takes(int64_t rows, int64_t columns, int64_t row, int64_t column,
                       ps__blas_operand *operand)
{
    bool by_rows = column == 1 || columns == 1;
    bool by_columns = row == 1 || rows == 1;
    if (by_rows && row >= columns && row <= INT_MAX) {
        *operand = (ps__blas_operand){.stride = (int)row};
        return true;
    }
    if (by_columns && column >= rows && column <= INT_MAX) {
        *operand = (ps__blas_operand){.stride = (int)column, .transposed = true};
        return true;
    }
    return false;
}

static plan plan_make(const ps__gemm *g)
{
    ps_dtype compute = (ps_dtype)ps__dtypes[g->dtype].compute;
    plan p = {.way = way_of(g, compute), .compute = compute, .pieces = 1};
    if (p.way == WAY_ZERO)
        return p;
    bool half = compute != g->dtype, blas = p.way == WAY_BLAS;
    ps__blas_operand unused;
    p.stage_a = half || (blas && !blas_takes(g->m, g->k, g->a_row, g->a_column, &unused));
    p.stage_b = half || (blas && !blas_takes(g->k, g->n, g->b_row, g->b_column, &unused));
    p.stage_c = half || (blas && g->c_row > INT_MAX);
    int64_t most = p.stage_a || p.stage_b ? STAGED_DEPTH : MOST_DEPTH;
    p.pieces = (g->k + most - 1) / most;
    return p;
}

static int64_t piece_begin(const ps__gemm *g, const plan *p, int64_t piece)
{
    return g->k / p->pieces * piece + MIN(g->k % p->pieces, piece);
}

static int64_t piece_most(const ps__gemm *g, const plan *p)
{
    return (g->k + p->pieces - 1) / p->pieces;
}

/* ---- Our own loops --------------------------------------------------------------------- */

/* An operand of a block: in place, or staged by rows or by columns. */
typedef struct operand {
    const char *data;
    int64_t row, column; /* strides */
    bool staged, by_columns;
} operand;

/* m x n elements of c as a vector times a matrix; where c is a column, that of the transposed
 * product. Which elements they are is up to the caller. */
static ps__gemm_vector vector_of(const ps__gemm *g, const plan *p, int64_t m, int64_t n, int64_t k,
                                 operand a, operand b)
{
    ps__gemm_vector v = {.dtype = p->compute, .k = k};
    if (g->m == 1) {
        v.n = n;
        v.x = a.data;
        v.x_stride = a.column;
        v.b = b.data;
        v.b_row = b.row;
        v.b_column = b.column;
    } else {
        v.n = m;
        v.x = b.data;
        v.x_stride = b.row;
        v.b = a.data;
        v.b_row = a.column;
        v.b_column = a.row;
    }
    return v;
}

/* Bytes that they need for a block of m x n elements and for smaller ones, which are vectors and
 * matrices where it is: units have several rows and columns. */
static size_t loops_room(const ps__gemm *g, const plan *p, int64_t m, int64_t n, int64_t k)
{
    if (p->way == WAY_DIRECT)
        return ps__gemm_direct_room(k);
    if (p->way == WAY_TILES)
        return ps__gemm_tiles_room(p->compute, n, k);
    if (p->way != WAY_VECTOR)
        return 0;
    operand a = {.row = g->a_row, .column = g->a_column};
    operand b = {.row = g->b_row, .column = g->b_column};
    ps__gemm_vector v = vector_of(g, p, m, n, k, a, b);
    /* If one is staged both are. The vector lies side by side then, and the matrix by rows or by
     * columns: rows need room. */
    if (p->stage_a) {
        v.x_stride = v.b_column = 1;
        v.b_row = v.n;
    }
    return ps__gemm_vector_room(&v);
}

/* ---- Grid ------------------------------------------------------------------------------ */

/* What the division has to keep to. Blocks are counted in units. */
typedef struct limits {
    int64_t row_unit, column_unit;
    int64_t row_units, column_units; /* in c, the last one longer; at least 1 */
    int64_t most_rows, most_columns; /* of a block */
    double work;                     /* a block that is not all of c has more */
    bool rows_free, columns_free;    /* whether these cuts may follow the workers */
} limits;

static limits limits_of(const ps__gemm *g, const plan *p)
{
    bool staged = p->stage_a || p->stage_b || p->stage_c;
    limits l = {.row_unit = 4, .column_unit = 64, .rows_free = true, .columns_free = true};
    l.most_rows = staged ? STAGED_ROWS : INT_MAX;
    l.most_columns = staged ? STAGED_COLUMNS : INT_MAX;
    l.work = DIRECT_BLOCK_WORK;
    if (p->way == WAY_TILES) {
        ps__gemm_tiles_unit(p->compute, &l.row_unit, &l.column_unit);
        l.work = TILES_BLOCK_WORK;
    }
    if (p->way == WAY_BLAS) {
        const ps__blas_cuts *cuts = ps__blas_cuts_get();
        l.rows_free = cuts->rows > 0;
        l.columns_free = cuts->columns > 0;
        l.row_unit = l.rows_free ? cuts->rows : 24;
        l.column_unit = l.columns_free ? cuts->columns : 192;
        l.most_rows = MIN(l.most_rows, cuts->most_rows);
        l.most_columns = MIN(l.most_columns, MOST_COLUMNS);
        l.work = cuts->work;
    }
    l.row_units = MAX(1, g->m / l.row_unit);
    l.column_units = MAX(1, g->n / l.column_unit);
    return l;
}

/* Rows of the largest block when c is divided into so many; and columns. */
static int64_t block_rows(const ps__gemm *g, const limits *l, int64_t blocks)
{
    int64_t units = (l->row_units + blocks - 1) / blocks;
    return MIN(g->m, units * l->row_unit + (l->row_unit - 1));
}

static int64_t block_columns(const ps__gemm *g, const limits *l, int64_t blocks)
{
    int64_t units = (l->column_units + blocks - 1) / blocks;
    return MIN(g->n, units * l->column_unit + (l->column_unit - 1));
}

static int64_t least_row_blocks(const limits *l)
{
    int64_t most = MAX(1, (l->most_rows - l->row_unit) / l->row_unit);
    return (l->row_units + most - 1) / most;
}

static int64_t least_column_blocks(const limits *l)
{
    int64_t most = MAX(1, (l->most_columns - l->column_unit) / l->column_unit);
    return (l->column_units + most - 1) / most;
}

/* The most blocks along the rows, given those along the columns, that leave each its work. */
static int64_t most_row_blocks(const ps__gemm *g, const plan *p, const limits *l,
                               int64_t column_blocks)
{
    double columns = (double)MIN(g->n, l->column_units / column_blocks * l->column_unit);
    double depth = p->way == WAY_ZERO ? 1 : (double)(g->k / p->pieces);
    double units = l->work / (columns * depth * (double)l->row_unit);
    if (units >= (double)l->row_units)
        return 1;
    return l->row_units / ((int64_t)units + 1);
}

/* Blocks along the rows for so many workers. Where the least number exceeds what workers ask for,
 * every worker gets the same number of them. */
static int64_t choose_row_blocks(const ps__gemm *g, const plan *p, const limits *l,
                                 int64_t column_blocks, int64_t workers)
{
    int64_t share = (workers + column_blocks - 1) / column_blocks;
    int64_t least = least_row_blocks(l);
    int64_t blocks = (least + share - 1) / share * share;
    return MAX(least, MIN(blocks, most_row_blocks(g, p, l, column_blocks)));
}

/* The time of a division, in multiplications of one worker. To start on a row or a column costs
 * about 12 of its elements' (measured: a quarter of the rows of 1000 x 1000 costs 4 % more). */
static double grid_cost(const ps__gemm *g, const limits *l, int64_t rows, int64_t columns,
                        int64_t workers)
{
    double h = (double)block_rows(g, l, rows), w = (double)block_columns(g, l, columns);
    double rounds = (double)((rows * columns + workers - 1) / workers);
    return rounds * (h * w + 12 * (h + w));
}

/* Columns are cut by the shape alone where a cut is not neutral: into pieces of 512 or more, when
 * there are too few rows to keep workers busy. */
static int64_t fixed_column_blocks(const ps__gemm *g, const limits *l)
{
    int64_t wanted = (NOMINAL_WORKERS * 96 + g->m - 1) / g->m;
    int64_t most = MAX(1, MIN(g->n / 512, l->column_units));
    return MAX(least_column_blocks(l), MIN(wanted, most));
}

static void choose_blocks(const ps__gemm *g, const plan *p, const limits *l, int64_t workers,
                          ps__gemm_grid *grid)
{
    int64_t row_workers = l->rows_free ? workers : NOMINAL_WORKERS;
    int64_t from = least_column_blocks(l), to = MAX(from, MIN(workers, l->column_units));
    if (!l->columns_free)
        from = to = fixed_column_blocks(g, l);
    double best = -1;
    for (int64_t columns = from; columns <= to; columns++) {
        /* A single row of blocks must have its work too. */
        if (columns > from && l->columns_free &&
            (double)g->m * (double)(l->column_units / columns * l->column_unit) *
                    (double)(p->way == WAY_ZERO ? 1 : g->k / p->pieces) <=
                l->work)
            break;
        int64_t rows = choose_row_blocks(g, p, l, columns, row_workers);
        double cost = grid_cost(g, l, rows, columns, row_workers);
        if (best < 0 || cost < best) {
            best = cost;
            grid->row_blocks = rows;
            grid->column_blocks = columns;
        }
    }
}

static size_t align64(size_t bytes)
{
    return (bytes + 63) & ~(size_t)63;
}

/* Bytes of a stage for rows x columns elements of the type of computation. */
static size_t stage_bytes(const plan *p, bool needed, int64_t rows, int64_t columns)
{
    if (!needed)
        return 0;
    return align64((size_t)rows * (size_t)columns * ps__dtype_bytes(p->compute));
}

void ps__gemm_grid_make(const ps__gemm *g, unsigned workers, ps__gemm_grid *grid)
{
    *grid = (ps__gemm_grid){.row_unit = 1, .column_unit = 1};
    if (g->m == 0 || g->n == 0)
        return;
    plan p = plan_make(g);
    limits l = limits_of(g, &p);
    grid->row_unit = l.row_unit;
    grid->column_unit = l.column_unit;
    choose_blocks(g, &p, &l, MAX(1, (int64_t)workers), grid);
    grid->count = (size_t)(grid->row_blocks * grid->column_blocks);
    int64_t rows = block_rows(g, &l, grid->row_blocks);
    int64_t columns = block_columns(g, &l, grid->column_blocks);
    int64_t depth = piece_most(g, &p);
    grid->scratch =
        stage_bytes(&p, p.stage_a, rows, depth) + stage_bytes(&p, p.stage_b, depth, columns) +
        stage_bytes(&p, p.stage_c, rows, columns) + loops_room(g, &p, rows, columns, depth);
}

/* The span of block `index` of `blocks` over n elements, in units. */
static void span(int64_t n, int64_t unit, int64_t blocks, int64_t index, int64_t *begin,
                 int64_t *length)
{
    int64_t units = MAX(1, n / unit), share = units / blocks, more = units % blocks;
    /* The longer blocks come first: the last one has the rest of n besides. */
    int64_t first = share * index + MIN(more, index);
    int64_t count = share + (index < more);
    *begin = first * unit;
    *length = index == blocks - 1 ? n - *begin : count * unit;
}

/* ---- One block ------------------------------------------------------------------------- */

typedef struct block {
    const ps__gemm *g;
    const plan *p;
    int64_t i, j, m, n;
    char *stage_a, *stage_b, *stage_c; /* NULL where they are not needed */
    char *c;                           /* the stage or the place in the result */
    int64_t c_row;
    char *room; /* for our own loops */
} block;

static const char *at(const void *data, ps_dtype dtype, int64_t element)
{
    return (const char *)data + element * (int64_t)ps__dtype_bytes(dtype);
}

static unsigned width_log(ps_dtype dtype)
{
    unsigned log = 0;
    for (size_t bytes = ps__dtype_bytes(dtype); bytes > 1; bytes /= 2)
        log++;
    return log;
}

/* ---- Finishing ------------------------------------------------------------------------- */

/* n elements of c, n at most TILE, in the type of computation. */
static void finish(const ps__gemm *g, ps_dtype compute, size_t n, void *c, const void *bias)
{
    const ps__kernel_set *kernels = ps__kernels_get();
    if (bias != NULL)
        kernels->map[PS__PRIM_add][compute][PS__FORM_ALL](n, c, (const void *[]){c, bias});
    ps__map_fn relu = kernels->map[PS__PRIM_relu][compute][PS__FORM_ALL];
    if (g->activation == PS__ACTIVATION_RELU && relu != NULL)
        relu(n, c, (const void *[]){c});
}

/* The same where c has 16-bit elements. To apply relu before the rounding changes no bit. */
static void finish_half(const ps__gemm *g, ps_dtype compute, size_t n, void *c, const void *bias)
{
    const ps__kernel_set *kernels = ps__kernels_get();
    float wide[TILE], wide_bias[TILE];
    kernels->cast[g->dtype][compute](n, wide, c);
    if (bias != NULL)
        kernels->cast[g->dtype][compute](n, wide_bias, bias);
    finish(g, compute, n, wide, bias ? wide_bias : NULL);
    kernels->cast[compute][g->dtype](n, c, wide);
}

/* Elements of a block, which are where they belong. */
static void block_finish(const block *b, int64_t row, int64_t rows, int64_t column, int64_t columns)
{
    const ps__gemm *g = b->g;
    ps_dtype compute = b->p->compute;
    if (g->bias == NULL && g->activation == PS__ACTIVATION_NONE)
        return;
    for (int64_t r = b->i + row; r < b->i + row + rows; r++) {
        for (int64_t j = column; j < column + columns; j += TILE) {
            size_t n = (size_t)MIN(TILE, column + columns - j);
            char *c = (char *)at(g->c, g->dtype, r * g->c_row + b->j + j);
            const char *bias = g->bias ? at(g->bias, g->dtype, b->j + j) : NULL;
            (compute == g->dtype ? finish : finish_half)(g, compute, n, c, bias);
        }
    }
}

/* Whether that is done while it is computed. */
static bool finishes_early(const block *b)
{
    return b->p->way == WAY_TILES && b->stage_c == NULL;
}

/* ---- Multiplying ----------------------------------------------------------------------- */

/* n elements a stride apart as contiguous ones of the type of computation. */
static void stage_row(const plan *p, ps_dtype dtype, int64_t n, const char *from, int64_t stride,
                      char *to)
{
    const ps__kernel_set *kernels = ps__kernels_get();
    const size_t bytes = ps__dtype_bytes(dtype);
    char gathered[TILE * 2];
    for (int64_t i = 0; i < n; i += TILE) {
        size_t count = (size_t)MIN(TILE, n - i);
        const char *source = gathered;
        if (stride == 1)
            source = from + i * (int64_t)bytes;
        else
            kernels->gather[width_log(dtype)](count, gathered, from + i * stride * (int64_t)bytes,
                                              stride * (int64_t)bytes);
        kernels->cast[dtype][p->compute](count, to + i * (int64_t)sizeof(float), source);
    }
}

/* rows x columns elements, converted, as contiguous rows. */
static void stage(const plan *p, ps_dtype dtype, int64_t rows, int64_t columns, const char *from,
                  int64_t row, int64_t column, char *to)
{
    int64_t bytes = (int64_t)ps__dtype_bytes(p->compute);
    if (p->compute == dtype) {
        ps__kernels_get()->copy2d[width_log(dtype)]((size_t)rows, (size_t)columns, to,
                                                    columns * bytes, bytes, from, row * bytes,
                                                    column * bytes);
        return;
    }
    for (int64_t r = 0; r < rows; r++)
        stage_row(p, dtype, columns, at(from, dtype, r * row), column, to + r * columns * bytes);
}

/* Staged in the order that it lies in, as far as it has one. */
static operand operand_stage(const block *b, operand from, int64_t rows, int64_t columns, char *to)
{
    ps_dtype dtype = b->g->dtype;
    if (to == NULL)
        return from;
    if (from.row == 1 && (from.column != 1 || columns == 1)) {
        stage(b->p, dtype, columns, rows, from.data, from.column, from.row, to);
        return (operand){to, 1, rows, true, true};
    }
    stage(b->p, dtype, rows, columns, from.data, from.row, from.column, to);
    return (operand){to, columns, 1, true, false};
}

/* What is in place is described by the whole's shape, not the block's: rows x columns. */
static ps__blas_operand operand_blas(const operand *o, int64_t rows, int64_t columns)
{
    ps__blas_operand result = {.stride = 1};
    if (o->staged) {
        result.stride = (int)(o->by_columns ? o->column : o->row);
        result.transposed = o->by_columns;
    } else {
        blas_takes(rows, columns, o->row, o->column, &result);
    }
    result.data = o->data;
    return result;
}

static void multiply_vector(const block *b, int64_t k, operand a, operand bb, bool accumulate)
{
    ps__gemm_vector v = vector_of(b->g, b->p, b->m, b->n, k, a, bb);
    v.accumulate = accumulate;
    v.c = b->c;
    v.c_stride = b->g->m == 1 ? 1 : b->c_row;
    ps__gemm_vector_run(&v, b->room);
}

/* What tiles have made of a block is finished while it is in the cache. */
static void finish_tiles(const void *arg, int64_t row, int64_t rows, int64_t column,
                         int64_t columns)
{
    block_finish(arg, row, rows, column, columns);
}

static void multiply_tiles(const block *b, int64_t k, operand a, operand bb, bool accumulate,
                           bool last)
{
    ps__gemm_tiles(&(ps__gemm_part){.dtype = b->p->compute,
                                    .accumulate = accumulate,
                                    .m = b->m,
                                    .n = b->n,
                                    .k = k,
                                    .a = a.data,
                                    .a_row = a.row,
                                    .a_column = a.column,
                                    .b = bb.data,
                                    .b_row = bb.row,
                                    .b_column = bb.column,
                                    .c = b->c,
                                    .c_row = b->c_row,
                                    .done = last && finishes_early(b) ? finish_tiles : NULL,
                                    .arg = b},
                   b->room);
}

static void multiply(const block *b, int64_t k, operand a, operand bb, bool accumulate, bool last)
{
    const ps__gemm *g = b->g;
    if (b->p->way == WAY_TILES) {
        multiply_tiles(b, k, a, bb, accumulate, last);
        return;
    }
    if (b->p->way == WAY_VECTOR) {
        multiply_vector(b, k, a, bb, accumulate);
        return;
    }
    if (b->p->way == WAY_DIRECT) {
        ps__gemm_direct(&(ps__gemm){.dtype = b->p->compute,
                                    .m = b->m,
                                    .n = b->n,
                                    .k = k,
                                    .a = a.data,
                                    .a_row = a.row,
                                    .a_column = a.column,
                                    .b = bb.data,
                                    .b_row = bb.row,
                                    .b_column = bb.column,
                                    .c = b->c,
                                    .c_row = b->c_row},
                        accumulate, b->room);
        return;
    }
    ps__blas_gemm(b->p->compute, (int)b->m, (int)b->n, (int)k, operand_blas(&a, g->m, g->k),
                  operand_blas(&bb, g->k, g->n), accumulate, b->c, (int)b->c_row);
}

static void block_multiply(const block *b)
{
    const ps__gemm *g = b->g;
    const plan *p = b->p;
    for (int64_t piece = 0; piece < p->pieces; piece++) {
        int64_t begin = piece_begin(g, p, piece), k = piece_begin(g, p, piece + 1) - begin;
        operand a = {at(g->a, g->dtype, b->i * g->a_row + begin * g->a_column), g->a_row,
                     g->a_column, false, false};
        operand bb = {at(g->b, g->dtype, begin * g->b_row + b->j * g->b_column), g->b_row,
                      g->b_column, false, false};
        multiply(b, k, operand_stage(b, a, b->m, k, b->stage_a),
                 operand_stage(b, bb, k, b->n, b->stage_b), piece > 0, piece + 1 == p->pieces);
    }
}

/* ---- Running --------------------------------------------------------------------------- */

/* From the stage of c to its place, rounded. */
static void block_unstage(const block *b)
{
    const ps__gemm *g = b->g;
    for (int64_t r = 0; r < b->m; r++) {
        char *to = (char *)at(g->c, g->dtype, (b->i + r) * g->c_row + b->j);
        const char *from = at(b->c, b->p->compute, r * b->c_row);
        if (b->p->compute == g->dtype)
            memcpy(to, from, (size_t)b->n * ps__dtype_bytes(g->dtype));
        else
            ps__kernels_get()->cast[b->p->compute][g->dtype]((size_t)b->n, to, from);
    }
}

static void block_zero(const block *b)
{
    const ps__gemm *g = b->g;
    for (int64_t r = 0; r < b->m; r++)
        memset((char *)at(g->c, g->dtype, (b->i + r) * g->c_row + b->j), 0,
               (size_t)b->n * ps__dtype_bytes(g->dtype));
}

static void block_place(block *b, char *scratch)
{
    const plan *p = b->p;
    int64_t depth = piece_most(b->g, p);
    if (p->stage_a)
        b->stage_a = scratch;
    scratch += stage_bytes(p, p->stage_a, b->m, depth);
    if (p->stage_b)
        b->stage_b = scratch;
    scratch += stage_bytes(p, p->stage_b, depth, b->n);
    b->c = (char *)at(b->g->c, b->g->dtype, b->i * b->g->c_row + b->j);
    b->c_row = b->g->c_row;
    if (p->stage_c) {
        b->stage_c = b->c = scratch;
        b->c_row = b->n;
    }
    b->room = scratch + stage_bytes(p, p->stage_c, b->m, b->n);
}

static void block_run(block *b, char *scratch)
{
    if (b->p->way == WAY_ZERO) {
        block_zero(b);
    } else {
        block_place(b, scratch);
        block_multiply(b);
        if (b->stage_c != NULL)
            block_unstage(b);
    }
    if (!finishes_early(b))
        block_finish(b, 0, b->m, 0, b->n);
}

/* Scratch from the caller or our own; *own is what is to be freed. */
static ps_status scratch_get(size_t bytes, void **scratch, void **own)
{
    *own = NULL;
    if (bytes == 0 || *scratch != NULL)
        return PS_OK;
    *scratch = *own = ps__calloc_aligned(64, bytes);
    if (*own == NULL)
        return ps__fail(PS_ERR_MEMORY, "no %zu bytes of working memory for a matrix product",
                        bytes);
    return PS_OK;
}

ps_status ps__gemm_block(const ps__gemm *g, const ps__gemm_grid *grid, size_t index, void *scratch)
{
    void *own;
    ps_status status = scratch_get(grid->scratch, &scratch, &own);
    if (status != PS_OK)
        return status;
    plan p = plan_make(g);
    block b = {.g = g, .p = &p};
    span(g->m, grid->row_unit, grid->row_blocks, (int64_t)index / grid->column_blocks, &b.i, &b.m);
    span(g->n, grid->column_unit, grid->column_blocks, (int64_t)index % grid->column_blocks, &b.j,
         &b.n);
    block_run(&b, scratch);
    ps__free(own);
    return PS_OK;
}

/* Its way is WAY_VECTOR. False if it needs working memory. */
static bool small_vector(const ps__gemm *g)
{
    plan p = {.compute = g->dtype};
    operand a = {.data = g->a, .row = g->a_row, .column = g->a_column};
    operand b = {.data = g->b, .row = g->b_row, .column = g->b_column};
    ps__gemm_vector v = vector_of(g, &p, g->m, g->n, g->k, a, b);
    if (ps__gemm_vector_room(&v) != 0)
        return false;
    v.c = g->c;
    v.c_stride = g->m == 1 ? 1 : g->c_row;
    ps__gemm_vector_run(&v, NULL);
    return true;
}

bool ps__gemm_small(const ps__gemm *g)
{
    bool small = g->k > 0 && g->m > 0 && g->n > 0 && g->m <= DIRECT_LENGTH &&
                 g->n <= DIRECT_LENGTH && g->k <= DIRECT_LENGTH;
    if (!small || g->bias != NULL || g->activation != PS__ACTIVATION_NONE ||
        ps__dtypes[g->dtype].compute != g->dtype)
        return false;
    if (g->m == 1 || g->n == 1)
        return small_vector(g);
    if (ps__gemm_direct_room(g->k) != 0)
        return false;
    ps__gemm_direct(g, false, NULL); /* its way is WAY_DIRECT */
    return true;
}

static ps_status run_blocks(const ps__gemm *g, const ps__gemm_grid *grid, void *scratch)
{
    ps_status status = PS_OK;
    for (size_t i = 0; i < grid->count && status == PS_OK; i++)
        status = ps__gemm_block(g, grid, i, scratch);
    return status;
}

ps_status ps__gemm_run(const ps__gemm *g)
{
    ps__gemm_grid grid;
    ps__gemm_grid_make(g, 1, &grid);
    void *scratch = NULL, *own;
    ps_status status = scratch_get(grid.scratch, &scratch, &own);
    if (status == PS_OK)
        status = run_blocks(g, &grid, scratch);
    ps__free(own);
    return status;
}

/* ---- Batches --------------------------------------------------------------------------- */

/* Few products are divided among the workers; many are shared out whole, several pieces for each
 * worker so that none waits long for the last. */
void ps__gemm_batch_grid_make(const ps__gemm_batch *batch, unsigned workers,
                              ps__gemm_batch_grid *grid)
{
    const ps__gemm *g = &batch->one;
    *grid = (ps__gemm_batch_grid){.products = 1, .together = 1};
    for (int i = 0; i < batch->rank; i++)
        grid->products *= batch->shape[i];
    if (grid->products == 0)
        return;
    int64_t pieces = 4 * MAX(1, (int64_t)workers);
    bool few = grid->products < pieces;
    ps__gemm_grid_make(g, few ? workers : 1, &grid->grid);
    grid->scratch = grid->grid.scratch;
    if (grid->grid.count == 0)
        return;
    double work = (double)g->m * (double)g->n * (double)(g->k + 1), enough = DIRECT_BLOCK_WORK;
    if (!few)
        grid->together = grid->products / pieces;
    if (work * (double)grid->together < enough)
        grid->together = (int64_t)(enough / work) + 1;
    grid->together = MIN(grid->together, grid->products);
    if (grid->together > 1)
        grid->count = (size_t)((grid->products + grid->together - 1) / grid->together);
    else
        grid->count = (size_t)grid->products * grid->grid.count;
}

static ps__gemm batch_product(const ps__gemm_batch *batch, int64_t index)
{
    ps__gemm g = batch->one;
    int64_t a = 0, b = 0, c = 0;
    for (int i = batch->rank - 1; i >= 0; i--) {
        int64_t place = index % batch->shape[i];
        index /= batch->shape[i];
        a += place * batch->a_stride[i];
        b += place * batch->b_stride[i];
        c += place * batch->c_stride[i];
    }
    g.a = at(g.a, g.dtype, a);
    g.b = at(g.b, g.dtype, b);
    g.c = (char *)at(g.c, g.dtype, c);
    return g;
}

static ps_status batch_together(const ps__gemm_batch *batch, const ps__gemm_batch_grid *grid,
                                size_t index, void *scratch)
{
    int64_t begin = (int64_t)index * grid->together;
    int64_t end = MIN(begin + grid->together, grid->products);
    ps_status status = PS_OK;
    for (int64_t i = begin; i < end && status == PS_OK; i++) {
        ps__gemm g = batch_product(batch, i);
        status = run_blocks(&g, &grid->grid, scratch);
    }
    return status;
}

ps_status ps__gemm_batch_block(const ps__gemm_batch *batch, const ps__gemm_batch_grid *grid,
                               size_t index, void *scratch)
{
    void *own;
    ps_status status = scratch_get(grid->scratch, &scratch, &own);
    if (status != PS_OK)
        return status;
    if (grid->together > 1) {
        status = batch_together(batch, grid, index, scratch);
    } else {
        ps__gemm g = batch_product(batch, (int64_t)(index / grid->grid.count));
        status = ps__gemm_block(&g, &grid->grid, index % grid->grid.count, scratch);
    }
    ps__free(own);
    return status;
}

ps_status ps__gemm_batch_run(const ps__gemm_batch *batch)
{
    ps__gemm_batch_grid grid;
    ps__gemm_batch_grid_make(batch, 1, &grid);
    void *scratch = NULL, *own;
    ps_status status = scratch_get(grid.scratch, &scratch, &own);
    for (size_t i = 0; i < grid.count && status == PS_OK; i++)
        status = ps__gemm_batch_block(batch, &grid, i, scratch);
    ps__free(own);
    return status;
}
