/* Cross-entropy of rows with few elements: see PS__WORK_CROSS_ENTROPY in work.h.
 *
 * A block of rows is turned, so that what is one behind the other in a row lies side by side for all of
 * them: a step of the sum, or of the search for the largest, is one map over the rows of the block. What
 * comes out of a row follows from its elements, in their order, alone. */
#include "backend/cpu/cross_entropy.h"

#include "memory/memory.h"

#include <string.h>

enum { TILE = 4096, ROWS = 64 }; /* elements and rows of a block, at most */

_Static_assert((int)TILE >= 16 * (int)PS__CROSSING_SHORT, "a block has rows for a vector");

typedef struct block {
    const ps__crossing *c;
    size_t first, rows; /* of all; of the block */
    size_t line;        /* bytes: an element of each row */
    char *tile;         /* a line for each place in a row */
} block;

static char *line_at(const block *b, size_t place)
{
    return b->tile + place * b->line;
}

static void map_one(const block *b, ps__prim prim, size_t n, void *out, const void *a)
{
    b->c->kernels->map[prim][b->c->dtype][PS__FORM_ALL](n, out, (const void *[]){a});
}

static void map_lines(const block *b, ps__prim prim, void *out, const void *a, const void *other)
{
    b->c->kernels->map[prim][b->c->dtype][PS__FORM_ALL](b->rows, out, (const void *[]){a, other});
}

/* All lines with one number, or with one for each row. */
static void map_number(const block *b, ps__prim prim, void *out, const void *a, double number)
{
    ps__element same = ps__crossing_element(b->c, number);
    b->c->kernels->map[prim][b->c->dtype][PS__FORM_SECOND_ONE](b->rows, out,
                                                               (const void *[]){a, &same});
}

static void map_tile(const block *b, ps__prim prim, const void *line)
{
    for (size_t k = 0; k < b->c->length; k++)
        map_lines(b, prim, line_at(b, k), line_at(b, k), line);
}

/* Joins the lines by a map, in order. */
static void fold(const block *b, ps__prim prim, void *out)
{
    memcpy(out, b->tile, b->line);
    for (size_t k = 1; k < b->c->length; k++)
        map_lines(b, prim, out, out, line_at(b, k));
}

/* The rows as lines, or with `back` the lines as rows. */
static void turn(const block *b, char *rows, bool back)
{
    const ps__crossing *c = b->c;
    unsigned log = (unsigned)__builtin_ctzll(c->item);
    ptrdiff_t item = (ptrdiff_t)c->item, row = (ptrdiff_t)(c->length * c->item);
    if (back)
        c->kernels->copy2d[log](b->rows, c->length, rows, row, item, b->tile, item,
                                (ptrdiff_t)b->line);
    else
        c->kernels->copy2d[log](c->length, b->rows, b->tile, (ptrdiff_t)b->line, item, rows, item,
                                row);
}

/* Less the largest of the row, unless that is infinite or NaN. */
static void shift(const block *b, char *room)
{
    const ps__crossing *c = b->c;
    _Alignas(64) char zeros[ROWS * sizeof(double)] = {0};
    bool finite[ROWS];
    fold(b, PS__PRIM_maximum, room);
    map_one(b, PS__PRIM_isfinite, b->rows, finite, room);
    c->kernels->map[PS__PRIM_where][c->dtype][PS__FORM_ALL](b->rows, room,
                                                            (const void *[]){finite, room, zeros});
    map_tile(b, PS__PRIM_subtract, room);
}

/* Where the element at a row's label is. */
static char *at_label(const block *b, size_t row)
{
    int64_t label = b->c->labels[b->first + row];
    size_t place = ps__crossing_ignores(b->c, label) ? 0 : (size_t)label;
    return line_at(b, place) + row * b->c->item;
}

static void take_labels(const block *b, char *line)
{
    for (size_t i = 0; i < b->rows; i++)
        memcpy(line + i * b->c->item, at_label(b, i), b->c->item);
}

/* log(sum of exp(x)) less the sum of t x. */
static void give_losses(const block *b, char *out)
{
    _Alignas(64) char picked[ROWS * sizeof(double)], line[ROWS * sizeof(double)];
    const ps__crossing *c = b->c;
    double smoothing = c->work->smoothing;
    take_labels(b, picked);
    if (smoothing != 0) {
        fold(b, PS__PRIM_add, line);
        map_number(b, PS__PRIM_multiply, line, line, smoothing / (double)c->length);
        map_number(b, PS__PRIM_multiply, picked, picked, 1 - smoothing);
        map_lines(b, PS__PRIM_add, picked, picked, line);
    }
    map_one(b, PS__PRIM_exp, c->length * b->rows, b->tile, b->tile);
    fold(b, PS__PRIM_add, line);
    map_one(b, PS__PRIM_log, b->rows, line, line);
    map_lines(b, PS__PRIM_subtract, out, line, picked);
}

/* (softmax(x) - t) * flow. */
static void give_gradients(const block *b, const char *flow, char *out)
{
    _Alignas(64) char own[ROWS * sizeof(double)], line[ROWS * sizeof(double)];
    const ps__crossing *c = b->c;
    double smoothing = c->work->smoothing;
    map_one(b, PS__PRIM_exp, c->length * b->rows, b->tile, b->tile);
    fold(b, PS__PRIM_add, line);
    map_lines(b, PS__PRIM_divide, line, flow, line);
    map_tile(b, PS__PRIM_multiply, line);
    if (smoothing != 0) {
        map_number(b, PS__PRIM_multiply, line, flow, smoothing / (double)c->length);
        map_tile(b, PS__PRIM_subtract, line);
    }
    take_labels(b, own);
    map_number(b, PS__PRIM_multiply, line, flow, 1 - smoothing);
    map_lines(b, PS__PRIM_subtract, own, own, line);
    for (size_t i = 0; i < b->rows; i++)
        memcpy(at_label(b, i), own + i * c->item, c->item);
    turn(b, out, true);
}

static void cross_block(const block *b)
{
    const ps__crossing *c = b->c;
    _Alignas(64) char room[ROWS * sizeof(double)];
    size_t row = c->length * c->item, step = c->work->back ? row : c->item;
    char *out = c->operands[0].data + b->first * step;
    turn(b, c->operands[1].data + b->first * row, false);
    shift(b, room);
    if (c->work->back)
        give_gradients(b, c->operands[3].data + b->first * c->item, out);
    else
        give_losses(b, out);
    for (size_t i = 0; i < b->rows; i++)
        if (ps__crossing_ignores(c, c->labels[b->first + i]))
            memset(out + i * step, 0, step);
}

ps_status ps__crossing_short(const ps__crossing *c, size_t begin, size_t end)
{
    size_t most = TILE / c->length < ROWS ? TILE / c->length : ROWS, bytes = TILE * c->item;
    void *tile;
    ps_status status = ps_memory_alloc(bytes, &tile);
    for (size_t i = begin; i < end && status == PS_OK; i += most) {
        size_t rows = end - i < most ? end - i : most;
        block b = {c, i, rows, rows * c->item, tile};
        cross_block(&b);
    }
    if (status == PS_OK)
        ps_memory_free(tile, bytes);
    return status;
}
