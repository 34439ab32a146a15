/* Convolutions by tiles that are gathered: columns are the pixels of all images, one behind the other,
 * without margins, so that all tiles but the last are full. What each tap reads of them is copied into
 * the tile's own rows of b. That costs more than planes do and is worth it where the tile then meets
 * many channels of the result, or planes would leave much of their tiles empty: small images.
 *
 * Of low images with a padding the first rows of all come first, then the second ones, and so on: rows of
 * taps that are beyond the image for all pixels of a tile are left out.
 *
 * A tile falls into runs, pixels of one row of the result. What the taps of a row of the kernel read for
 * a run are lines: elements that neighbouring windows need lie side by side, beyond the image there are
 * zeros. Lines are made for a few channels at a time; then rows of b are pieces of lines, copied in steps
 * of whole vectors: what is written too much is the place of what comes next.
 *
 * Where each pixel is by itself (one tap, no padding, windows one pixel apart) and channels lie side by
 * side, a tile inside of one image reads it where it lies, unless channels lie at distances that
 * caches do not like. */
#include "backend/cpu/convolve.h"

#include <string.h>

enum {
    MOST_TAPS = 32,       /* along W, for gathering */
    MOST_RUNS = 32,       /* of a tile: no tile has more columns */
    CHANNELS = 8,         /* of which lines are there at a time */
    GATHER_CYCLES = 24,   /* that a tile's row takes, beside the steps of its sums */
    VECTOR = 32,          /* bytes that are copied at a time */
    MOST_MOVES = 40,      /* of vectors, for a tile's row: 128 bytes, and one for each run */
    LOW = 16,             /* rows of images that are taken by rows */
    MOST_BYTES = 4 << 20, /* of a tile, and of lines */
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

/* Elements of a line, of the lines of a run, and of those of a channel. */
static int64_t line_elements(const ps__convolving *c)
{
    return MIN(c->w.count, c->tiles->columns) + c->w.reach + VECTOR / (int64_t)c->item;
}

static int64_t run_elements(const ps__convolving *c)
{
    return c->h.taps * c->w.phases * line_elements(c);
}

static int64_t channel_elements(const ps__convolving *c)
{
    int64_t columns = c->tiles->columns;
    return MIN(columns, columns / c->w.count + 2) * run_elements(c);
}

/* ---- whether ----------------------------------------------------------------------------- */

/* Whether the pixels of a channel lie side by side. */
static bool is_even(const ps__image *image, int64_t item)
{
    return image->strides[PS__IMAGE_W] == item &&
           image->strides[PS__IMAGE_H] == image->shape[PS__IMAGE_W] * item;
}

/* Whether windows are the pixels themselves. */
static bool is_alone(const ps__convolve_axis *a)
{
    return a->taps == 1 && a->from == 0 && a->stride == 1 && a->count == a->length;
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
    if (!is_alone(&c->h) || !is_alone(&c->w) || !is_even(&c->in, item))
        return false;
    if (c->h.step == 1 && c->w.step == 1 && is_even(&c->out, item)) {
        join_rows(&c->in, &c->h, &c->w);
        join_rows(&c->out, &c->h, &c->w);
    }
    return true;
}

bool ps__gather_pays(const ps__convolving *c)
{
    int64_t rows = MIN(c->block, c->h.count) - 1;
    int64_t each = (rows * c->pitch + c->w.count + c->tiles->columns - 1) / c->tiles->columns;
    double planes = (double)(c->images * c->blocks) * (double)each;
    double sums = (double)(STEPS * c->panels.each * c->panels.count);
    double tile = (double)c->depth * (double)c->tiles->columns * (double)c->item;
    double lines = CHANNELS * (double)channel_elements(c) * (double)c->item;
    return c->depth > 0 && c->w.taps <= MOST_TAPS && tile <= MOST_BYTES && lines <= MOST_BYTES &&
           (double)all_tiles(c) * (sums + GATHER_CYCLES) < planes * sums;
}

/* ---- how --------------------------------------------------------------------------------- */

static bool is_padded(const ps__convolve_axis *a)
{
    int64_t far = (a->taps - 1) * a->from_step;
    return a->from + MIN(far, 0) < 0 ||
           a->from + MAX(far, 0) + (a->count - 1) * a->stride >= a->length;
}

void ps__gather_measure(ps__convolving *c)
{
    int64_t tiles = all_tiles(c);
    c->by_rows = c->h.count <= LOW && is_padded(&c->h);
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

/* Of a tile. Behind each row of taps there is room for a vector. */
static int64_t tile_elements(const ps__convolving *c)
{
    return c->depth * c->tiles->columns + c->h.taps * VECTOR / (int64_t)c->item;
}

static int64_t block_elements(const ps__convolving *c)
{
    return c->block * tile_elements(c);
}

/* The tiles of a block, and lines. */
int64_t ps__gather_room(const ps__convolving *c)
{
    return block_elements(c) + CHANNELS * channel_elements(c);
}

/* Where the rows of b for a row of taps begin. */
static int64_t rows_begin(const ps__convolving *c, int64_t tap)
{
    return tap * (c->channels * c->w.taps * c->tiles->columns + VECTOR / (int64_t)c->item);
}

void ps__gather_steps(const ps__convolving *c)
{
    int64_t channel = c->in.strides[PS__IMAGE_C] / (int64_t)c->item, *packed = c->packed_at;
    for (int64_t k = 0; k < c->depth; k++)
        c->at[k] = k * channel;
    for (int64_t i = 0; i < c->h.taps; i++)
        for (int64_t k = 0; k < c->channels * c->w.taps; k++)
            *packed++ = rows_begin(c, i) + k * c->tiles->columns;
}

/* ---- pixels ------------------------------------------------------------------------------ */

/* Pixels of a tile that lie in one row of the result. */
typedef struct run {
    int64_t n, row, column, count;
} run;

/* The run at a pixel, of those before `end`. */
static run run_at(const ps__convolving *c, int64_t at, int64_t end)
{
    int64_t wide = c->w.count, line = at / wide, images = c->out.shape[PS__IMAGE_N];
    run r = {.n = line / c->h.count, .row = line % c->h.count, .column = at % wide};
    if (c->by_rows) {
        r.n = line % images;
        r.row = line / images;
    }
    r.count = MIN(end - at, wide - r.column);
    return r;
}

/* Exactly so many bytes, 4 at least; few of them, which are not worth a call. */
static inline void copy_few(char *to, const char *from, int64_t bytes)
{
    int64_t i = 0;
    for (; i + 16 <= bytes; i += 16)
        memcpy(to + i, from + i, 16);
    for (; i + 4 <= bytes; i += 4)
        memcpy(to + i, from + i, 4);
}

/* ---- lines ------------------------------------------------------------------------------- */

/* Which elements of a line the source has: [low, high), and where the first of them is. */
typedef struct span {
    int64_t low, high, from;
} span;

static span span_of(const ps__convolving *c, const run *r, int64_t phase)
{
    const ps__convolve_axis *w = &c->w;
    int64_t count = r->count + w->reach;
    int64_t from = ps__axis_phase(w, phase) + (r->column + w->low) * w->stride;
    span s = {.low = from < 0 ? (-from + w->stride - 1) / w->stride : 0,
              .high = from < w->length ? (w->length - 1 - from) / w->stride + 1 : 0};
    s.low = MIN(s.low, count);
    s.high = MAX(s.low, MIN(s.high, count));
    s.from = from + s.low * w->stride;
    return s;
}

/* The lines of a channel that a run needs in one phase of the columns. */
static void fill_phase(const ps__convolving *c, const run *r, const span *s, const char *channel,
                       char *to)
{
    const ps__convolve_axis *h = &c->h;
    int64_t item = (int64_t)c->item, step = c->w.stride * c->in.strides[PS__IMAGE_W];
    int64_t row = h->from + r->row * h->stride, next = c->w.phases * line_elements(c) * item;
    to += s->low * item;
    channel += s->from * c->in.strides[PS__IMAGE_W];
    for (int64_t i = 0; i < h->taps; i++, row += h->from_step, to += next) {
        if (row < 0 || row >= h->length)
            continue;
        const char *from = channel + row * c->in.strides[PS__IMAGE_H];
        if (step == item)
            copy_few(to, from, (s->high - s->low) * item);
        else
            ps__kernels_get()->gather[c->log]((size_t)(s->high - s->low), to, from,
                                              (ptrdiff_t)step);
    }
}

/* The lines of channels [first, end) for a run. What is beyond the image is 0 already. */
static void fill_lines(const ps__convolving *c, const run *r, int64_t first, int64_t end,
                       char *lines)
{
    int64_t item = (int64_t)c->item;
    for (int64_t phase = 0; phase < c->w.phases; phase++) {
        span s = span_of(c, r, phase);
        char *to = lines + phase * line_elements(c) * item;
        for (int64_t k = first; k < end; k++, to += channel_elements(c) * item)
            fill_phase(c, r, &s, ps__image_at(&c->in, r->n, k), to);
    }
}

/* ---- tiles from lines ---------------------------------------------------------------------- */

/* The runs of a tile; from where to where vectors are moved for each of its rows, in bytes; where taps
 * are in lines. A vector may end behind its run, where the next one begins. */
typedef struct gathering {
    int64_t count, moves;
    run runs[MOST_RUNS];
    int64_t from[MOST_MOVES], to[MOST_MOVES], taps[MOST_TAPS];
} gathering;

static void find_moves(const ps__convolving *c, int64_t first, int64_t end, gathering *g)
{
    int64_t item = (int64_t)c->item;
    g->count = g->moves = 0;
    for (int64_t at = first; at < end; g->count++) {
        run r = run_at(c, at, end);
        g->runs[g->count] = r;
        for (int64_t i = 0; i < r.count * item; i += VECTOR, g->moves++) {
            g->from[g->moves] = g->count * run_elements(c) * item + i;
            g->to[g->moves] = (at - first) * item + i;
        }
        at += r.count;
    }
    for (int64_t j = 0; j < c->w.taps; j++)
        g->taps[j] =
            (j % c->w.phases * line_elements(c) + ps__axis_shift(&c->w, j) - c->w.low) * item;
}

/* The rows of b for one channel. */
static void move_channel(const ps__convolving *c, const gathering *g, const char *lines,
                         int64_t channel, char *tile)
{
    int64_t item = (int64_t)c->item, row = c->tiles->columns * item, moves = g->moves;
    int64_t line = c->w.phases * line_elements(c) * item;
    for (int64_t i = 0; i < c->h.taps; i++, lines += line) {
        char *to = tile + rows_begin(c, i) * item + channel * c->w.taps * row;
        for (int64_t j = 0; j < c->w.taps; j++, to += row)
            for (int64_t m = 0; m < moves; m++)
                memcpy(to + g->to[m], lines + g->taps[j] + g->from[m], VECTOR);
    }
}

static void gather_tile(const ps__convolving *c, int64_t group, int64_t first, int64_t end,
                        char *to, char *lines)
{
    gathering g;
    int64_t item = (int64_t)c->item, channel = channel_elements(c) * item;
    int64_t begin = group * c->channels;
    if (end - first < c->tiles->columns)
        memset(to, 0, (size_t)(tile_elements(c) * item));
    memset(lines, 0, (size_t)(CHANNELS * channel));
    find_moves(c, first, end, &g);
    for (int64_t k = 0; k < c->channels; k += CHANNELS) {
        int64_t stop = MIN(k + CHANNELS, c->channels);
        for (int64_t r = 0; r < g.count; r++)
            fill_lines(c, &g.runs[r], begin + k, begin + stop, lines + r * run_elements(c) * item);
        for (int64_t i = k; i < stop; i++)
            move_channel(c, &g, lines + (i - k) * channel, i, to);
    }
}

/* ---- results ------------------------------------------------------------------------------- */

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

/* Pixels [first, end) of a group of channels; where they are read, and by which steps: those of the depth
 * from `skip` on. */
typedef struct gathered {
    int64_t group, first, end, skip, depth;
    const char *data;
    const int64_t *at;
} gathered;

/* Whether all columns are pixels of one row. */
static bool is_whole(const ps__convolving *c, int64_t first)
{
    return first % c->w.count + c->tiles->columns <= c->w.count;
}

/* Whether they are pixels of one image. */
static bool is_inside(const ps__convolving *c, int64_t first)
{
    return first % pixels_of(c) + c->tiles->columns <= pixels_of(c);
}

/* Leaves out rows of taps that are beyond the image for all pixels. */
static void skip_taps(const ps__convolving *c, gathered *t)
{
    const ps__convolve_axis *h = &c->h;
    int64_t line = c->w.count * c->out.shape[PS__IMAGE_N], low = h->taps, high = 0;
    for (int64_t row = t->first / line; row <= (t->end - 1) / line; row++)
        for (int64_t i = 0; i < h->taps; i++) {
            int64_t at = h->from + i * h->from_step + row * h->stride;
            if (at >= 0 && at < h->length) {
                low = MIN(low, i);
                high = MAX(high, i + 1);
            }
        }
    t->skip = low * c->channels * c->w.taps;
    t->depth = MAX(high - low, 0) * c->channels * c->w.taps;
}

static gathered tile_of(const ps__convolving *c, int64_t group, int64_t first, const char *room)
{
    gathered t = {.group = group,
                  .first = first,
                  .end = MIN(first + c->tiles->columns, all_pixels(c)),
                  .depth = c->depth,
                  .data = room,
                  .at = c->packed_at};
    if (c->in_place && is_inside(c, first) && !ps__is_crowded(c->in.strides[PS__IMAGE_C])) {
        int64_t pixels = pixels_of(c);
        t.data = ps__image_at(&c->in, first / pixels, group * c->channels) +
                 first % pixels * (int64_t)c->item;
        t.at = c->at;
    }
    if (c->by_rows)
        skip_taps(c, &t);
    return t;
}

/* Whether the result has all columns side by side. */
static bool is_straight(const ps__convolving *c, int64_t first)
{
    int64_t item = (int64_t)c->item;
    if (c->w.step != 1 || c->out.strides[PS__IMAGE_W] != item)
        return false;
    bool even = !c->by_rows && c->h.step == 1 && is_even(&c->out, item);
    return is_whole(c, first) || (even && is_inside(c, first));
}

static void run_tile(const ps__convolving *c, const gathered *t, int64_t panel, char *stage)
{
    int64_t item = (int64_t)c->item, channel = ps__panel_first(c, t->group, panel);
    int64_t rows = ps__panel_rows(&c->panels, panel);
    run r = run_at(c, t->first, t->end);
    bool straight = is_straight(c, t->first);
    c->tiles->run[rows - 1](&(ps__tile){
        .depth = t->depth,
        .a = ps__panel_weights(c, t->group, panel) + t->skip * c->panels.step * item,
        .a_row = 1,
        .a_step = c->panels.step,
        .b = t->data,
        .at = t->at + t->skip,
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
    int64_t begin = block * c->block * columns, bytes = tile_elements(c) * (int64_t)c->item;
    int64_t end = MIN(begin + c->block * columns, all_pixels(c));
    char *lines = room + block_elements(c) * (int64_t)c->item;
    for (int64_t first = begin; first < end; first += columns) {
        char *to = room + (first - begin) / columns * bytes;
        gathered t = tile_of(c, group, first, to);
        if (t.data == to)
            gather_tile(c, group, first, t.end, to, lines);
    }
    for (int64_t panel = share; panel < c->panels.count; panel += c->shares)
        for (int64_t first = begin; first < end; first += columns) {
            gathered t = tile_of(c, group, first, room + (first - begin) / columns * bytes);
            run_tile(c, &t, panel, stage);
        }
}
