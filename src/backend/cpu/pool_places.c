/* Pooling in which the places of maxima matter: see PS__WORK_POOL in work.h.
 *
 * A plane is worked on in blocks of rows of windows. For each place in a window, in order, the elements
 * that all windows of a block have there are brought side by side, and the largest so far is found for
 * all of them at once. Then, place by place again, elements are moved. Blocks depend on the number of
 * columns alone, and what is added to an element on the order of blocks and places. */
#include "backend/cpu/pool.h"

#include "kernels/places.h"
#include "memory/memory.h"

#include <math.h>
#include <string.h>

enum { BLOCK = 2048 }; /* windows that are worked on together, or one row of them */

/* Windows [first, first + rows) of a plane; lines have an element for each of them. */
typedef struct block {
    const ps__pooling *p;
    const ps__place_kernels *kernels;
    int64_t first, rows;
    char *most, *places, *next, *other;
} block;

/* The windows of a block whose element at one place is inside of the plane. */
typedef struct part {
    int64_t place;
    int64_t low[2], count[2]; /* windows, from the block's first row; how many */
    int64_t element[2];       /* of the first of them */
} part;

static bool part_at(const block *b, int64_t row, int64_t column, part *found)
{
    const ps__pooling *p = b->p;
    const int64_t within[2] = {row, column}, begin[2] = {b->first, 0};
    const int64_t end[2] = {b->first + b->rows, p->columns};
    found->place = row * p->w->kernel[1] + column;
    for (int a = 0; a < 2; a++) {
        int64_t stride = p->w->windows.stride[a], length = p->large.shape[PS__IMAGE_H + a];
        int64_t before = p->w->windows.padding[a] - within[a]; /* elements of window 0 */
        int64_t low = before > 0 ? (before + stride - 1) / stride : 0;
        int64_t high = length + before > 0 ? (length + before + stride - 1) / stride : 0;
        low = PS__POOL_MAX(low, begin[a]);
        high = PS__POOL_MIN(high, end[a]);
        if (low >= high)
            return false;
        found->low[a] = low - begin[a];
        found->count[a] = high - low;
        found->element[a] = low * stride - before;
    }
    return true;
}

/* Rows of elements of a plane, and of a line: `out` says to which of them they go. */
typedef struct move {
    size_t rows, columns;
    char *plane, *line;
    ptrdiff_t down, along; /* bytes from a row, and from a column, of the plane to the next */
    bool out;
} move;

static void move_rows(const ps__pooling *p, const move *m)
{
    const ps__kernel_set *kernels = ps__kernels_get();
    ptrdiff_t row = (ptrdiff_t)p->columns * (ptrdiff_t)p->item;
    for (size_t i = 0; i < m->rows; i++) {
        char *plane = m->plane + (ptrdiff_t)i * m->down, *line = m->line + (ptrdiff_t)i * row;
        if (m->along == (ptrdiff_t)p->item)
            memcpy(m->out ? plane : line, m->out ? line : plane, m->columns * p->item);
        else if (m->out)
            kernels->scatter[p->log](m->columns, plane, m->along, line);
        else
            kernels->gather[p->log](m->columns, line, plane, m->along);
    }
}

/* Elements at one place of windows. */
static void move_part(const block *b, const part *t, const ps__image *image, char *plane,
                      char *line, bool out)
{
    const ps__pooling *p = b->p;
    ptrdiff_t down = image->strides[PS__IMAGE_H], along = image->strides[PS__IMAGE_W];
    move m = {.rows = (size_t)t->count[0],
              .columns = (size_t)t->count[1],
              .plane = plane + t->element[0] * down + t->element[1] * along,
              .line = line + (t->low[0] * p->columns + t->low[1]) * (int64_t)p->item,
              .down = down * p->w->windows.stride[0],
              .along = along * p->w->windows.stride[1],
              .out = out};
    move_rows(p, &m);
}

/* The elements of an image that has one for each window. */
static void move_windows(const block *b, const ps__image *image, char *plane, char *line, bool out)
{
    ptrdiff_t down = image->strides[PS__IMAGE_H];
    move m = {.rows = (size_t)b->rows,
              .columns = (size_t)b->p->columns,
              .plane = plane + b->first * down,
              .line = line,
              .down = down,
              .along = image->strides[PS__IMAGE_W],
              .out = out};
    move_rows(b->p, &m);
}

static size_t count_of(const block *b)
{
    return (size_t)(b->rows * b->p->columns);
}

static bool is_whole(const block *b, const part *t)
{
    return t->count[0] == b->rows && t->count[1] == b->p->columns;
}

/* ---- places -------------------------------------------------------------------------------- */

static void fill_places(const block *b, int64_t from, int64_t count, int64_t place)
{
    int32_t narrow = (int32_t)place;
    const void *element = b->p->item == sizeof narrow ? (const void *)&narrow : &place;
    ps__kernels_get()->fill[b->p->log]((size_t)count, b->places + from * (int64_t)b->p->item,
                                       element);
}

/* The first place of each window that is inside of the plane. */
static void begin_places(const block *b)
{
    const ps__pooling *p = b->p;
    const ps__windows *w = &p->w->windows;
    for (int64_t i = 0; i < b->rows; i++) {
        int64_t above = PS__POOL_MAX(w->padding[0] - (b->first + i) * w->stride[0], 0);
        fill_places(b, i * p->columns, p->columns, above * p->w->kernel[1]);
        for (int64_t j = 0; j < p->columns && j * w->stride[1] < w->padding[1]; j++)
            fill_places(b, i * p->columns + j, 1,
                        above * p->w->kernel[1] + w->padding[1] - j * w->stride[1]);
    }
}

static void fill_lowest(const block *b, char *line)
{
    double low = -INFINITY;
    ps__element element;
    ps__kernels_get()->cast[PS_FLOAT64][b->p->dtype](1, &element, &low);
    ps__kernels_get()->fill[b->p->log](count_of(b), line, &element);
}

static void find_places(const block *b, char *x)
{
    const ps__pooling *p = b->p;
    part t;
    begin_places(b);
    fill_lowest(b, b->most);
    for (int64_t i = 0; i < p->w->kernel[0]; i++)
        for (int64_t j = 0; j < p->w->kernel[1]; j++) {
            if (!part_at(b, i, j, &t))
                continue;
            if (!is_whole(b, &t))
                fill_lowest(b, b->next);
            move_part(b, &t, &p->x, x, b->next, false);
            b->kernels->larger(count_of(b), b->next, t.place, b->most, b->places);
        }
}

/* ---- moving -------------------------------------------------------------------------------- */

/* From places to windows. */
static void pick(const block *b, char *in, char *out)
{
    const ps__pooling *p = b->p;
    part t;
    for (int64_t i = 0; i < p->w->kernel[0]; i++)
        for (int64_t j = 0; j < p->w->kernel[1]; j++)
            if (part_at(b, i, j, &t)) {
                move_part(b, &t, &p->in, in, b->next, false);
                b->kernels->choose(count_of(b), b->next, t.place, b->places, b->most);
            }
    move_windows(b, &p->out, out, b->most, true);
}

/* Whether windows are two elements wide and lie side by side in the rows of the result, all of them
 * inside: then both columns of a row of theirs can be written at once. */
static bool are_pairs(const ps__pooling *p)
{
    const ps__windows *w = &p->w->windows;
    return p->w->kernel[1] == 2 && w->stride[1] == 2 && w->padding[1] == 0 &&
           p->w->kernel[0] <= w->stride[0] && 2 * p->columns <= p->large.shape[PS__IMAGE_W] &&
           p->out.strides[PS__IMAGE_W] == (int64_t)p->item;
}

static void spread_pairs(const block *b, char *out)
{
    const ps__pooling *p = b->p;
    int64_t row = p->columns * (int64_t)p->item;
    part t;
    for (int64_t i = 0; i < p->w->kernel[0]; i++) {
        if (!part_at(b, i, 0, &t))
            continue;
        for (int64_t k = 0; k < t.count[0]; k++) {
            int64_t at = (t.low[0] + k) * row, line = t.element[0] + k * p->w->windows.stride[0];
            b->kernels->pairs((size_t)p->columns, b->most + at, t.place, b->places + at,
                              out + line * p->out.strides[PS__IMAGE_H]);
        }
    }
}

/* From windows to places; `apart`: no two windows share an element. */
static void spread(const block *b, char *in, char *out, bool apart)
{
    const ps__pooling *p = b->p;
    part t;
    move_windows(b, &p->in, in, b->most, false);
    if (are_pairs(p)) {
        spread_pairs(b, out);
        return;
    }
    for (int64_t i = 0; i < p->w->kernel[0]; i++)
        for (int64_t j = 0; j < p->w->kernel[1]; j++) {
            if (!part_at(b, i, j, &t))
                continue;
            b->kernels->only(count_of(b), b->most, t.place, b->places, b->next);
            if (!apart) {
                move_part(b, &t, &p->out, out, b->other, false);
                p->add(count_of(b), b->next, (const void *[]){b->other, b->next});
            }
            move_part(b, &t, &p->out, out, b->next, true);
        }
}

static void clear_plane(const ps__pooling *p, char *plane)
{
    const ps__image *image = &p->out;
    const ps__element zero = {{0}};
    const ps__kernel_set *kernels = ps__kernels_get();
    size_t width = (size_t)image->shape[PS__IMAGE_W];
    for (int64_t i = 0; i < image->shape[PS__IMAGE_H]; i++) {
        char *row = plane + i * image->strides[PS__IMAGE_H];
        if (image->strides[PS__IMAGE_W] == (int64_t)p->item)
            kernels->fill[p->log](width, row, &zero);
        else
            kernels->copy2d[p->log](1, width, row, 0, image->strides[PS__IMAGE_W], &zero, 0, 0);
    }
}

static void run_plane(const ps__pooling *p, int64_t n, int64_t c, int64_t most, block *b)
{
    char *x = ps__image_at(&p->x, n, c), *in = ps__image_at(&p->in, n, c);
    char *out = ps__image_at(&p->out, n, c);
    const int64_t *stride = p->w->windows.stride, *kernel = p->w->kernel;
    bool apart = kernel[0] <= stride[0] && kernel[1] <= stride[1];
    if (p->w->pass == PS__POOL_SPREAD)
        clear_plane(p, out);
    for (b->first = 0; b->first < p->rows; b->first += most) {
        b->rows = PS__POOL_MIN(most, p->rows - b->first);
        find_places(b, x);
        if (p->w->pass == PS__POOL_SPREAD)
            spread(b, in, out, apart);
        else
            pick(b, in, out);
    }
}

ps_status ps__pool_places(const ps__pooling *p, size_t begin, size_t end)
{
    int64_t most = PS__POOL_MAX(BLOCK / p->columns, 1), channels = p->out.shape[PS__IMAGE_C];
    size_t line = ((size_t)(most * p->columns) * p->item + 63) & ~(size_t)63;
    void *lines;
    ps_status status = ps_memory_alloc(4 * line, &lines);
    if (status != PS_OK)
        return status;
    block b = {.p = p,
               .kernels = ps__place_kernels_of(ps__kernels_get(), p->dtype),
               .most = lines,
               .places = (char *)lines + line,
               .next = (char *)lines + 2 * line,
               .other = (char *)lines + 3 * line};
    memset(lines, 0, 4 * line);
    for (int64_t i = (int64_t)begin; i < (int64_t)end; i++)
        run_plane(p, i / channels, i % channels, most, &b);
    ps_memory_free(lines, 4 * line);
    return PS_OK;
}
