/* Convolutions by tiles that are gathered: columns are the pixels of all images, one behind the other,
 * without margins, so that all tiles but the last are full. What each tap reads of them is copied into
 * the tile's own rows of b. That costs more than planes do and is worth it where the tile then meets
 * many channels of the result, or planes would leave much of their tiles empty: small images.
 *
 * Where each pixel is by itself (one tap, no padding, windows one pixel apart) and channels lie side by
 * side, a tile inside of one image reads it where it lies, unless channels lie at distances that
 * caches do not like. */
#include "backend/cpu/convolve.h"

#include <string.h>

enum {
    MOST_TAPS = 32,       /* along W, for gathering */
    GATHER_CYCLES = 32,   /* that a tile's row takes, beside the steps of its sums */
    MOST_BYTES = 4 << 20, /* of a tile */
    STEPS = 2             /* of vectors, in a row of a tile */
};

static int64_t pixels_of(const ps__convolving *c)
{
    return c->h.count * c->w.count;
}

static int64_t all_pixels(const ps__convolving *c)
{
    return c->out.shape[PS__IMAGE_N] * pixels_of(c);
}

static int64_t all_tiles(const ps__convolving *c)
{
    return (all_pixels(c) + c->tiles->columns - 1) / c->tiles->columns;
}

/* ---- whether ----------------------------------------------------------------------------- */

/* Whether the pixels of a channel lie side by side. */
static bool is_even(const ps__image *image, int64_t item)
{
    return image->strides[PS__IMAGE_W] == item &&
           image->strides[PS__IMAGE_H] == image->shape[PS__IMAGE_W] * item;
}

static bool is_alone(const ps__convolve_axis *a)
{
    return a->taps == 1 && a->from == 0 && a->stride == 1 && a->step == 1 && a->count == a->length;
}

/* All pixels of a channel become one row. */
static void join_rows(ps__image *image, ps__convolve_axis *h, ps__convolve_axis *w)
{
    image->shape[PS__IMAGE_W] *= image->shape[PS__IMAGE_H];
    image->shape[PS__IMAGE_H] = 1;
    h->count = h->length = 1;
    w->count = w->length = image->shape[PS__IMAGE_W];
}

bool ps__gather_in_place(ps__convolving *c)
{
    int64_t item = (int64_t)c->item;
    if (!is_alone(&c->h) || !is_alone(&c->w) || !is_even(&c->in, item) || !is_even(&c->out, item))
        return false;
    join_rows(&c->in, &c->h, &c->w);
    join_rows(&c->out, &c->h, &c->w);
    return true;
}

bool ps__gather_pays(const ps__convolving *c)
{
    int64_t rows = MIN(c->block, c->h.count) - 1;
    int64_t each = (rows * c->pitch + c->w.count + c->tiles->columns - 1) / c->tiles->columns;
    double planes = (double)(c->images * c->blocks) * (double)each;
    double sums = (double)(STEPS * c->panels.each * c->panels.count);
    double bytes = (double)c->depth * (double)c->tiles->columns * (double)c->item;
    return c->depth > 0 && c->w.taps <= MOST_TAPS && bytes <= MOST_BYTES &&
           (double)all_tiles(c) * (sums + GATHER_CYCLES) < planes * sums;
}

/* ---- how --------------------------------------------------------------------------------- */

void ps__gather_measure(ps__convolving *c)
{
    int64_t tiles = all_tiles(c);
    c->depth = c->channels * c->h.taps * c->w.taps;
    c->pitch = c->tiles->columns;
    c->images = 1;
    double tile = (double)c->depth * (double)c->tiles->columns;
    double fit = PS__CONVOLVE_BYTES / MAX(tile * (double)c->item, 1);
    int64_t most = fit < 1 ? 1 : fit < (double)tiles ? (int64_t)fit : tiles;
    double least = PS__CONVOLVE_PIECE / MAX(tile * (double)c->panels.rows, 1) + 1;
    int64_t wanted = MAX(1, c->wanted / c->groups), even = (tiles + wanted - 1) / wanted;
    c->block = least < (double)most ? MIN(most, MAX((int64_t)least, even)) : most;
    c->blocks = (tiles + c->block - 1) / c->block;
    c->shares = MAX(1, MIN(c->panels.count, wanted / c->blocks));
}

int64_t ps__gather_room(const ps__convolving *c)
{
    return c->block * c->depth * c->tiles->columns;
}

void ps__gather_steps(const ps__convolving *c)
{
    int64_t channel = c->in.strides[PS__IMAGE_C] / (int64_t)c->item;
    for (int64_t k = 0; k < c->depth; k++) {
        c->at[k] = k * channel;
        c->packed_at[k] = k * c->tiles->columns;
    }
}

/* ---- pixels ------------------------------------------------------------------------------ */

/* Pixels of a tile that lie in one row of the result. */
typedef struct run {
    int64_t n, row, column, count;
} run;

/* The run at a pixel, of those before `end`. */
static run run_at(const ps__convolving *c, int64_t at, int64_t end)
{
    int64_t pixels = pixels_of(c), place = at % pixels;
    run r = {.n = at / pixels, .row = place / c->w.count, .column = place % c->w.count};
    r.count = MIN(end - at, c->w.count - r.column);
    return r;
}

/* A few elements, side by side; not worth a call. */
static inline void copy_few(unsigned log, int64_t count, char *to, const char *from, int64_t step)
{
    if (log == 2)
        for (int64_t i = 0; i < count; i++)
            memcpy(to + 4 * i, from + i * step, 4);
    else
        for (int64_t i = 0; i < count; i++)
            memcpy(to + 8 * i, from + i * step, 8);
}

/* Which elements of a run the source has at a tap: [low, high). */
typedef struct reach {
    int64_t low, high, from; /* from: the source's position of the first of the run */
} reach;

static reach reach_of(const ps__convolve_axis *w, int64_t tap, const run *r)
{
    reach s = {.from = w->from + tap * w->from_step + r->column * w->stride};
    s.low = s.from < 0 ? (-s.from + w->stride - 1) / w->stride : 0;
    s.high = s.from < w->length ? (w->length - 1 - s.from) / w->stride + 1 : 0;
    s.low = MIN(s.low, r->count);
    s.high = MAX(s.low, MIN(s.high, r->count));
    return s;
}

/* What the taps of a row of the kernel read of a row of the source, into rows of b. */
static void gather_row(const ps__convolving *c, const reach *reaches, const char *from, char *to)
{
    int64_t column = c->in.strides[PS__IMAGE_W], step = c->w.stride * column;
    int64_t item = (int64_t)c->item, bytes = c->tiles->columns * item;
    for (int64_t j = 0; j < c->w.taps; j++, to += bytes) {
        const reach *s = &reaches[j];
        copy_few(c->log, s->high - s->low, to + s->low * item,
                 from + s->from * column + s->low * step, step);
    }
}

static void gather_run(const ps__convolving *c, int64_t group, const run *r, char *to)
{
    reach reaches[MOST_TAPS];
    const ps__convolve_axis *h = &c->h;
    int64_t bytes = c->w.taps * c->tiles->columns * (int64_t)c->item;
    for (int64_t j = 0; j < c->w.taps; j++)
        reaches[j] = reach_of(&c->w, j, r);
    for (int64_t k = 0; k < c->channels; k++) {
        const char *channel = ps__image_at(&c->in, r->n, group * c->channels + k);
        for (int64_t i = 0; i < h->taps; i++, to += bytes) {
            int64_t row = h->from + i * h->from_step + r->row * h->stride;
            if (row >= 0 && row < h->length)
                gather_row(c, reaches, channel + row * c->in.strides[PS__IMAGE_H], to);
        }
    }
}

static void gather_tile(const ps__convolving *c, int64_t group, int64_t first, int64_t end,
                        char *to)
{
    memset(to, 0, (size_t)(c->depth * c->tiles->columns) * c->item);
    for (int64_t at = first; at < end;) {
        run r = run_at(c, at, end);
        gather_run(c, group, &r, to + (at - first) * (int64_t)c->item);
        at += r.count;
    }
}

/* Where a pixel of the result lies, in a channel. */
static char *result_at(const ps__convolving *c, const run *r, int64_t channel)
{
    return ps__image_at(&c->out, r->n, channel) +
           (c->h.first + r->row * c->h.step) * c->out.strides[PS__IMAGE_H] +
           (c->w.first + r->column * c->w.step) * c->out.strides[PS__IMAGE_W];
}

static void unstage(const ps__convolving *c, int64_t channel, int64_t channels, int64_t first,
                    int64_t end, const char *stage)
{
    int64_t item = (int64_t)c->item, step = c->w.step * c->out.strides[PS__IMAGE_W];
    for (int64_t at = first; at < end;) {
        run r = run_at(c, at, end);
        ps__kernels_get()->copy2d[c->log]((size_t)channels, (size_t)r.count,
                                          result_at(c, &r, channel), c->out.strides[PS__IMAGE_C],
                                          step, stage + (at - first) * item,
                                          c->tiles->columns * item, item);
        at += r.count;
    }
}

/* ---- tiles ------------------------------------------------------------------------------- */

/* Pixels [first, end) of a group of channels; where they are read, and by which steps. */
typedef struct gathered {
    int64_t group, first, end;
    const char *data;
    const int64_t *at;
} gathered;

/* Whether all columns are pixels of one row. */
static bool is_whole(const ps__convolving *c, int64_t first)
{
    return first % c->w.count + c->tiles->columns <= c->w.count;
}

static gathered tile_of(const ps__convolving *c, int64_t group, int64_t first, const char *room)
{
    gathered t = {.group = group,
                  .first = first,
                  .end = MIN(first + c->tiles->columns, all_pixels(c)),
                  .data = room,
                  .at = c->packed_at};
    if (c->in_place && is_whole(c, first) && !ps__is_crowded(c->in.strides[PS__IMAGE_C])) {
        run r = run_at(c, first, t.end);
        t.data = ps__image_at(&c->in, r.n, group * c->channels) + r.column * (int64_t)c->item;
        t.at = c->at;
    }
    return t;
}

/* Whether the result has all columns side by side. */
static bool is_straight(const ps__convolving *c, int64_t first)
{
    int64_t item = (int64_t)c->item, pixels = pixels_of(c);
    if (c->w.step != 1 || c->out.strides[PS__IMAGE_W] != item)
        return false;
    bool even = c->h.step == 1 && is_even(&c->out, item);
    return is_whole(c, first) || (even && first % pixels + c->tiles->columns <= pixels);
}

static void run_tile(const ps__convolving *c, const gathered *t, int64_t panel, char *stage)
{
    int64_t item = (int64_t)c->item, channel = ps__panel_first(c, t->group, panel);
    int64_t rows = ps__panel_rows(&c->panels, panel);
    run r = run_at(c, t->first, t->end);
    bool straight = is_straight(c, t->first);
    c->tiles->run[rows - 1](&(ps__tile){
        .depth = c->depth,
        .a = ps__panel_weights(c, t->group, panel),
        .a_row = 1,
        .a_step = c->panels.step,
        .b = t->data,
        .at = t->at,
        .c = straight ? result_at(c, &r, channel) : stage,
        .c_row = straight ? c->out.strides[PS__IMAGE_C] / item : c->tiles->columns,
        .start = ps__panel_start(c, t->group, panel),
    });
    if (!straight)
        unstage(c, channel, rows, t->first, t->end, stage);
}

void ps__gather_run(const ps__convolving *c, int64_t index, char *room, char *stage)
{
    int64_t share = index % c->shares, block = index / c->shares % c->blocks;
    int64_t group = index / c->shares / c->blocks, columns = c->tiles->columns;
    int64_t begin = block * c->block * columns, bytes = c->depth * columns * (int64_t)c->item;
    int64_t end = MIN(begin + c->block * columns, all_pixels(c));
    for (int64_t first = begin; first < end; first += columns) {
        char *to = room + (first - begin) / columns * bytes;
        gathered t = tile_of(c, group, first, to);
        if (t.data == to)
            gather_tile(c, group, first, t.end, to);
    }
    for (int64_t panel = share; panel < c->panels.count; panel += c->shares)
        for (int64_t first = begin; first < end; first += columns) {
            gathered t = tile_of(c, group, first, room + (first - begin) / columns * bytes);
            run_tile(c, &t, panel, stage);
        }
}
