/* Copies of strided elements.
 *
 * The order in which elements are copied is free, so dimensions are sorted by the distance of
 * their elements in the result, and what both sides walk as one becomes one. The kernels then do
 * blocks of two dimensions: the columns, which lie closest in the result, and the rows, which lie
 * closest in the source if the columns do not. */
#include "backend/cpu/cpu.h"

typedef struct copying {
    size_t item;
    unsigned log;
    int ndim;
    char *to;
    const char *from;
    int64_t shape[PS__COPY_DIMS], to_step[PS__COPY_DIMS], from_step[PS__COPY_DIMS];
    int64_t high, wide; /* of a block */
    int64_t row_blocks, column_blocks;
    bool stream;
} copying;

/* ---- dimensions ------------------------------------------------------------------------- */

static void put_dim(copying *c, int at, int64_t length, int64_t to_step, int64_t from_step)
{
    c->shape[at] = length;
    c->to_step[at] = to_step;
    c->from_step[at] = from_step;
}

/* Sorts dimensions in, the widest step of the result first. False if there is nothing to copy. */
static bool sort_dims(copying *c, int ndim, const int64_t *shape, const int64_t *to_strides,
                      const int64_t *from_strides)
{
    c->ndim = 0;
    for (int i = 0; i < ndim; i++) {
        int64_t to_step = to_strides[i], from_step = from_strides[i];
        if (shape[i] == 0)
            return false;
        if (shape[i] == 1)
            continue;
        if (to_step < 0) { /* from its other end */
            c->to += (shape[i] - 1) * to_step;
            c->from += (shape[i] - 1) * from_step;
            to_step = -to_step;
            from_step = -from_step;
        }
        int at = c->ndim++;
        for (; at > 0 && c->to_step[at - 1] < to_step; at--)
            put_dim(c, at, c->shape[at - 1], c->to_step[at - 1], c->from_step[at - 1]);
        put_dim(c, at, shape[i], to_step, from_step);
    }
    return true;
}

static void merge_dims(copying *c)
{
    int kept = 0;
    for (int i = 0; i < c->ndim; i++) {
        int64_t length = c->shape[i];
        if (kept > 0 && c->to_step[kept - 1] == c->to_step[i] * length &&
            c->from_step[kept - 1] == c->from_step[i] * length)
            length *= c->shape[--kept];
        put_dim(c, kept++, length, c->to_step[i], c->from_step[i]);
    }
    c->ndim = kept;
}

/* A few small elements side by side are one larger one. */
static void widen(copying *c)
{
    int last = c->ndim - 1;
    int64_t item = (int64_t)c->item;
    if (last >= 0 && c->to_step[last] == item && c->from_step[last] == item &&
        c->shape[last] * item <= 16 && (c->shape[last] & (c->shape[last] - 1)) == 0) {
        c->item *= (size_t)c->shape[last];
        c->ndim = last;
    }
    c->log = (unsigned)__builtin_ctzll(c->item);
}

static void swap_last(copying *c)
{
    int at = c->ndim - 2;
    int64_t length = c->shape[at], to_step = c->to_step[at], from_step = c->from_step[at];
    put_dim(c, at, c->shape[at + 1], c->to_step[at + 1], c->from_step[at + 1]);
    put_dim(c, at + 1, length, to_step, from_step);
}

/* Makes the last but one dimension that of the rows. */
static void choose_rows(copying *c)
{
    int rows = c->ndim - 2, last = c->ndim - 1;
    int64_t item = (int64_t)c->item;
    if (c->from_step[last] != item && c->from_step[last] != 0)
        for (int i = 0; i < last; i++)
            if (c->from_step[i] == item)
                rows = i;
    int64_t length = c->shape[rows], to_step = c->to_step[rows], from_step = c->from_step[rows];
    for (int i = rows; i < last - 1; i++)
        put_dim(c, i, c->shape[i + 1], c->to_step[i + 1], c->from_step[i + 1]);
    put_dim(c, last - 1, length, to_step, from_step);
    /* A few copies of each element: all first copies, then all second ones. */
    if (c->from_step[last] == 0 && c->shape[last] < 16 && c->from_step[last - 1] == item)
        swap_last(c);
}

/* At least two dimensions. Those added lie around the others, as kernels look at steps. */
static void pad_dims(copying *c)
{
    if (c->ndim == 0)
        put_dim(c, c->ndim++, 1, (int64_t)c->item, (int64_t)c->item);
    if (c->ndim == 1) {
        int64_t length = c->shape[0];
        put_dim(c, c->ndim++, length, c->to_step[0], c->from_step[0]);
        put_dim(c, 0, 1, (length + 1) * c->to_step[1], (length + 1) * c->from_step[1]);
    }
}

/* ---- blocks ----------------------------------------------------------------------------- */

static int64_t ceiling(int64_t count, int64_t by)
{
    return (count + by - 1) / by;
}

/* Rows of the source are columns of the result. */
static bool turns(const copying *c)
{
    int64_t item = (int64_t)c->item;
    return c->to_step[c->ndim - 1] == item && c->from_step[c->ndim - 2] == item &&
           c->from_step[c->ndim - 1] != item && c->from_step[c->ndim - 1] != 0;
}

/* A kernel that turns a block goes around the caches only if it has PS__COPY_STREAM bytes to do at
 * once and lines of the result stay whole: that is worth more than a second thread. */
static int64_t rows_to_turn(const copying *c)
{
    int64_t rows = c->shape[c->ndim - 2], columns = c->shape[c->ndim - 1];
    int64_t pieces = rows * columns * (int64_t)c->item / (PS__COPY_STREAM + PS__COPY_STREAM / 8);
    if (rows * columns * (int64_t)c->item < PS__COPY_STREAM || c->item < 4 ||
        c->to_step[c->ndim - 2] % 64 != 0)
        return 0;
    return ceiling(rows, pieces > 0 ? pieces : 1);
}

/* Elements side by side: blocks as wide as they may be. Turned ones: high, so that lines of the
 * source are used up. */
static void choose_blocks(copying *c)
{
    int64_t rows = c->shape[c->ndim - 2], columns = c->shape[c->ndim - 1];
    int64_t piece = PS__COPY_PIECE / (int64_t)c->item, large = 0;
    if (turns(c) && (large = rows_to_turn(c)) != 0) {
        c->high = large;
        c->wide = columns;
    } else if (turns(c)) {
        c->high = rows < 512 ? rows : 512;
        c->wide = piece / c->high < columns ? piece / c->high : columns;
    } else {
        c->wide = columns < piece ? columns : piece;
        c->high = piece / c->wide < rows ? piece / c->wide : rows;
    }
    c->row_blocks = ceiling(rows, c->high);
    c->column_blocks = ceiling(columns, c->wide);
}

/* One row, of which one side at least lies side by side. */
static void copy_row(const copying *c, char *to, const char *from, int64_t columns)
{
    const ps__kernel_set *kernels = ps__kernels_get();
    int64_t item = (int64_t)c->item, to_step = c->to_step[c->ndim - 1];
    int64_t from_step = c->from_step[c->ndim - 1];
    if (to_step == item && from_step == 0)
        kernels->fill[c->log]((size_t)columns, to, from);
    else if (to_step == item && from_step == item)
        kernels->stream(to, from, (size_t)(columns * item));
    else if (to_step == item)
        kernels->gather[c->log]((size_t)columns, to, from, from_step);
    else
        kernels->scatter[c->log]((size_t)columns, to, to_step, from);
}

static bool row_by_row(const copying *c, int64_t columns)
{
    int64_t item = (int64_t)c->item;
    bool to_dense = c->to_step[c->ndim - 1] == item, from_dense = c->from_step[c->ndim - 1] == item;
    if (to_dense && from_dense)
        return c->stream && columns * item >= 4096;
    return (to_dense || from_dense) && columns >= 16 && !turns(c);
}

static void copy_block(const copying *c, char *to, const char *from, int64_t rows, int64_t columns)
{
    int last = c->ndim - 1;
    int64_t to_row = c->to_step[last - 1], from_row = c->from_step[last - 1];
    if (row_by_row(c, columns))
        for (int64_t r = 0; r < rows; r++)
            copy_row(c, to + r * to_row, from + r * from_row, columns);
    else
        ps__kernels_get()->copy2d[c->log]((size_t)rows, (size_t)columns, to, to_row,
                                          c->to_step[last], from, from_row, c->from_step[last]);
}

/* Where a block is: the index of every dimension but the last two, then of the block. */
typedef struct block {
    int64_t at[PS__COPY_DIMS];
} block;

static int64_t blocks_along(const copying *c, int dim)
{
    return dim == c->ndim - 1   ? c->column_blocks
           : dim == c->ndim - 2 ? c->row_blocks
                                : c->shape[dim];
}

static void find_block(const copying *c, size_t index, block *b)
{
    for (int i = c->ndim - 1; i >= 0; i--) {
        size_t length = (size_t)blocks_along(c, i);
        b->at[i] = (int64_t)(index % length);
        index /= length;
    }
}

static void next_block(const copying *c, block *b)
{
    for (int i = c->ndim - 1; i >= 0; i--) {
        if (++b->at[i] < blocks_along(c, i))
            return;
        b->at[i] = 0;
    }
}

static ps_status copy_piece(size_t begin, size_t end, void *arg)
{
    const copying *c = arg;
    int last = c->ndim - 1;
    block b;
    find_block(c, begin, &b);
    for (; begin < end; begin++, next_block(c, &b)) {
        int64_t row = b.at[last - 1] * c->high, column = b.at[last] * c->wide;
        int64_t to = row * c->to_step[last - 1] + column * c->to_step[last];
        int64_t from = row * c->from_step[last - 1] + column * c->from_step[last];
        for (int i = 0; i < last - 1; i++) {
            to += b.at[i] * c->to_step[i];
            from += b.at[i] * c->from_step[i];
        }
        int64_t rows = c->shape[last - 1] - row, columns = c->shape[last] - column;
        copy_block(c, c->to + to, c->from + from, rows < c->high ? rows : c->high,
                   columns < c->wide ? columns : c->wide);
    }
    return PS_OK;
}

ps_status ps__copy_strided(const ps__lane *lane, size_t item, int ndim, const int64_t *shape,
                           void *to, const int64_t *to_strides, const void *from,
                           const int64_t *from_strides)
{
    copying c;
    c.item = item;
    c.to = to;
    c.from = from;
    if (!sort_dims(&c, ndim, shape, to_strides, from_strides))
        return PS_OK;
    merge_dims(&c);
    widen(&c);
    pad_dims(&c);
    choose_rows(&c);
    choose_blocks(&c);
    int64_t blocks = 1, elements = 1;
    for (int i = 0; i < c.ndim; i++) {
        blocks *= blocks_along(&c, i);
        elements *= c.shape[i];
    }
    c.stream = elements * (int64_t)c.item >= PS__COPY_STREAM;
    int64_t grain = PS__COPY_PIECE / (c.high * c.wide * (int64_t)c.item);
    return ps__split(lane, (size_t)blocks, grain > 1 ? (size_t)grain : 1, copy_piece, &c);
}
