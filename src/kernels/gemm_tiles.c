/* Products by tiles: see gemm_tiles.h.
 *
 * A block of b, DEPTH rows of it and so many columns that the second-level cache holds it, is packed
 * into panels as wide as a tile. Then a few rows of a at a time, which the first-level cache holds, are
 * multiplied with one panel after the other. They are read where they lie, unless their lines would
 * share few places of the cache; and so is b where there are few rows. */
#include "kernels/gemm_tiles.h"

#include "dtype/dtype.h"
#include "kernels/kernels.h"

#include <string.h>

#define MIN(x, y) ((x) < (y) ? (x) : (y))

enum {
    DEPTH = 384, /* most of k at a time */
    BLOCK_BYTES = 768 << 10,
    FEW_ROWS = 64 /* up to which packing b costs more than it gains */
};

typedef struct tiling {
    const ps__gemm_part *part;
    const ps__kernel_set *kernels;
    const ps__tiles *tiles;
    int64_t item;
    unsigned log;           /* of the item */
    int64_t across, depth;  /* columns of a block, rows of b in it */
    int64_t high;           /* rows of a tile */
    bool b_there;           /* panels are read in b, but for one at the end of its rows */
    bool a_there;           /* rows are read in a */
    int64_t a_row, a_step;  /* from one row to the next, where they are read, and from one k */
    int64_t *at, *at_place; /* where the rows of a panel begin: packed, in place */
    char *panels, *rows, *edge;
} tiling;

bool ps__gemm_tiles_are(ps_dtype dtype)
{
    return dtype == PS_FLOAT32 && ps__kernels_get()->tiles[dtype].rows == PS__TILE_ROWS;
}

void ps__gemm_tiles_unit(ps_dtype dtype, int64_t *rows, int64_t *columns)
{
    const ps__tiles *tiles = &ps__kernels_get()->tiles[dtype];
    *rows = tiles->rows;
    *columns = tiles->columns;
}

/* The length of parts, at most `most`, that `all` falls into: about the same, multiples of `unit`. */
static int64_t part_length(int64_t all, int64_t most, int64_t unit)
{
    int64_t parts = (all + most - 1) / most, length = (all + parts - 1) / parts;
    return (length + unit - 1) / unit * unit;
}

/* ---- working memory ---------------------------------------------------------------------- */

static size_t aligned(int64_t bytes)
{
    return ((size_t)bytes + 63) & ~(size_t)63;
}

/* Most columns of a block. */
static int64_t most_columns(const tiling *t)
{
    return BLOCK_BYTES / (DEPTH * t->item) / t->tiles->columns * t->tiles->columns;
}

/* Elements from one packed row to the next: lines of several do not share places of the cache. */
static int64_t line_of(int64_t depth, int64_t item)
{
    int64_t line = (int64_t)aligned(depth * item) / item;
    return line * item % 1024 == 0 ? line + 64 / item : line;
}

/* Places in the room, if there is one; its size, which is no less for more columns or more depth. */
static size_t place(tiling *t, char *room, int64_t n, int64_t k)
{
    int64_t wide = t->tiles->columns;
    int64_t depth = MIN(k, DEPTH), across = MIN((n + wide - 1) / wide * wide, most_columns(t));
    size_t places = aligned(depth * (int64_t)sizeof(int64_t)), panels = 2 * places;
    size_t rows = panels + aligned(depth * across * t->item);
    size_t edge = rows + aligned(line_of(depth, t->item) * t->tiles->rows * t->item);
    if (room != NULL) {
        t->at = (int64_t *)(void *)room;
        t->at_place = (int64_t *)(void *)(room + places);
        t->panels = room + panels;
        t->rows = room + rows;
        t->edge = room + edge;
    }
    return edge + aligned(t->tiles->rows * wide * t->item);
}

static tiling tiling_of(ps_dtype dtype)
{
    const ps__kernel_set *kernels = ps__kernels_get();
    int64_t item = (int64_t)ps__dtype_bytes(dtype);
    return (tiling){.kernels = kernels,
                    .tiles = &kernels->tiles[dtype],
                    .item = item,
                    .log = item == 4 ? 2 : 3};
}

size_t ps__gemm_tiles_room(ps_dtype dtype, int64_t n, int64_t k)
{
    tiling t = tiling_of(dtype);
    return place(&t, NULL, n, k);
}

/* ---- what lies where ---------------------------------------------------------------------- */

static const char *a_at(const tiling *t, int64_t p, int64_t i)
{
    return t->part->a + (i * t->part->a_row + p * t->part->a_column) * t->item;
}

/* Whether elements side by side, in lines that far apart, can be read as they are: lines at distances
 * near a multiple of 4 KB push each other out of the cache. */
static bool is_there(const tiling *t, int64_t row, int64_t column)
{
    int64_t apart = (row == 1 ? column : row) * t->item, beyond = apart % 4096;
    return (row == 1 || column == 1) && apart > 0 &&
           (apart < 256 || (beyond >= 256 && beyond <= 4096 - 256));
}

/* ---- packing ------------------------------------------------------------------------------ */

/* Rows [p, p + depth) and columns [j, j + columns) of b. What a panel has beyond them is 0. */
static void pack_panels(const tiling *t, int64_t p, int64_t depth, int64_t j, int64_t columns)
{
    const ps__gemm_part *g = t->part;
    int64_t wide = t->tiles->columns, line = wide * t->item;
    for (int64_t from = 0; from < columns; from += wide) {
        int64_t there = MIN(wide, columns - from);
        if (t->b_there && there == wide)
            continue;
        char *panel = t->panels + from * depth * t->item;
        if (there < wide)
            memset(panel, 0, (size_t)(depth * line));
        t->kernels->copy2d[t->log]((size_t)depth, (size_t)there, panel, line, t->item,
                                   g->b + (p * g->b_row + (j + from) * g->b_column) * t->item,
                                   g->b_row * t->item, g->b_column * t->item);
    }
}

/* In the order in which they lie: as rows, or else by columns. */
static void pack_rows(const tiling *t, int64_t p, int64_t depth, int64_t i, int64_t rows)
{
    const ps__gemm_part *g = t->part;
    for (int64_t r = 0; r < rows && t->a_step == 1; r++)
        memcpy(t->rows + r * t->a_row * t->item, a_at(t, p, i + r), (size_t)(depth * t->item));
    if (t->a_step != 1)
        t->kernels->copy2d[t->log]((size_t)depth, (size_t)rows, t->rows, t->a_step * t->item,
                                   t->item, a_at(t, p, i), g->a_column * t->item,
                                   g->a_row * t->item);
}

/* ---- tiles -------------------------------------------------------------------------------- */

/* At the end of a row there is no room for all columns of a tile. */
static void run_edge(const tiling *t, ps__tile *tile, int64_t rows, int64_t columns)
{
    int64_t wide = t->tiles->columns;
    char *c = tile->c;
    int64_t row = tile->c_row * t->item;
    size_t bytes = (size_t)(columns * t->item);
    for (int64_t r = 0; r < rows && tile->accumulate; r++)
        memcpy(t->edge + r * wide * t->item, c + r * row, bytes);
    tile->c = t->edge;
    tile->c_row = wide;
    t->tiles->run[rows - 1](tile);
    for (int64_t r = 0; r < rows; r++)
        memcpy(c + r * row, t->edge + r * wide * t->item, bytes);
}

/* The packed rows with all panels. */
static void run_rows(const tiling *t, int64_t p, int64_t depth, int64_t i, int64_t rows, int64_t j,
                     int64_t columns)
{
    const ps__gemm_part *g = t->part;
    int64_t wide = t->tiles->columns;
    for (int64_t from = 0; from < columns; from += wide) {
        ps__tile tile = {.depth = depth,
                         .a = t->a_there ? a_at(t, p, i) : t->rows,
                         .a_row = t->a_row,
                         .a_step = t->a_step,
                         .b = t->panels + from * depth * t->item,
                         .at = t->at,
                         .c = g->c + (i * g->c_row + j + from) * t->item,
                         .c_row = g->c_row,
                         .accumulate = p > 0 || g->accumulate};
        if (t->b_there && columns - from >= wide) {
            tile.b = g->b + (p * g->b_row + j + from) * t->item;
            tile.at = t->at_place;
        }
        if (columns - from < wide)
            run_edge(t, &tile, rows, columns - from);
        else
            t->tiles->run[rows - 1](&tile);
    }
}

static void run_block(const tiling *t, int64_t p, int64_t depth, int64_t j, int64_t columns)
{
    const ps__gemm_part *g = t->part;
    pack_panels(t, p, depth, j, columns);
    for (int64_t i = 0; i < g->m; i += t->high) {
        int64_t rows = MIN(t->high, g->m - i);
        if (!t->a_there)
            pack_rows(t, p, depth, i, rows);
        run_rows(t, p, depth, i, rows, j, columns);
        if (p + depth == g->k && g->done != NULL)
            g->done(g->arg, i, rows, j, columns);
    }
}

/* Where rows of a are read, and how they lie there. */
static void choose_rows(tiling *t)
{
    const ps__gemm_part *g = t->part;
    t->high = part_length(g->m, t->tiles->rows, 1);
    t->a_there = is_there(t, g->a_row, g->a_column);
    if (t->a_there) {
        t->a_row = g->a_row;
        t->a_step = g->a_column;
    } else {
        bool by_rows = g->a_column == 1;
        t->a_row = by_rows ? line_of(t->depth, t->item) : 1;
        t->a_step = by_rows ? 1 : t->high;
    }
}

void ps__gemm_tiles(const ps__gemm_part *part, char *room)
{
    tiling t = tiling_of(part->dtype);
    t.part = part;
    (void)place(&t, room, part->n, part->k);
    t.depth = part_length(part->k, DEPTH, 1);
    t.across = part_length(part->n, most_columns(&t), t.tiles->columns);
    t.b_there = part->b_column == 1 && part->m <= FEW_ROWS;
    choose_rows(&t);
    for (int64_t p = 0; p < t.depth; p++) {
        t.at[p] = p * t.tiles->columns;
        t.at_place[p] = p * part->b_row;
    }
    for (int64_t j = 0; j < part->n; j += t.across)
        for (int64_t p = 0; p < part->k; p += t.depth)
            run_block(&t, p, MIN(t.depth, part->k - p), j, MIN(t.across, part->n - j));
}
