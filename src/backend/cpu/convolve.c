/* Convolutions, and what flows back to the images: see PS__WORK_CONVOLVE in work.h.
 *
 * Both are products of tiles (kernels.h): rows are channels of the result, columns its pixels, and
 * depth goes through the channels of the source and the taps of the kernel. Channels of the source
 * are copied into planes with a margin of zeros, in which all taps of a pixel lie at fixed distances:
 * a row of b is read where it lies, one tap further on. Pixels of one row and the next are counted
 * through the margin between them, which is the end of one and the beginning of the other, so tiles may
 * cross rows; what they make of the margin is dropped.
 *
 * Where windows are `stride` apart the source falls into as many planes along each axis, by the
 * remainder of the position: neighbours in a plane are what neighbouring windows need. What flows back
 * through such windows falls into as many phases of the result, each with those taps that reach it.
 *
 * Every element is one sum in the order of rows of taps, channels and columns, so its bits do not depend on how the
 * result is cut into blocks of rows, which follows the workers. */
#include "backend/cpu/convolve.h"

#include "memory/memory.h"

#include <string.h>

enum { BLOCK_TILES = 8 }; /* that blocks of rows have at least, unless memory says otherwise */

/* ---- axes -------------------------------------------------------------------------------- */

static int64_t divisor_of(int64_t a, int64_t b)
{
    while (b != 0) {
        int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a < 0 ? -a : a;
}

static void axis_end(ps__convolve_axis *a)
{
    a->phases = 1;
    a->low = a->reach = 0;
    if (a->taps == 0)
        return;
    a->phases = MIN(a->taps, a->stride / divisor_of(a->stride, a->from_step));
    int64_t first = ps__axis_shift(a, 0), last = ps__axis_shift(a, a->taps - 1);
    a->low = MIN(first, last);
    a->reach = MAX(first, last) - a->low;
}

static ps__convolve_axis axis_of_result(const ps__windows *w, int i, int64_t length, int64_t count,
                                        int64_t kernel)
{
    ps__convolve_axis a = {.length = length,
                           .count = count,
                           .step = 1,
                           .taps = kernel,
                           .tap_step = 1,
                           .from = -w->padding[i],
                           .from_step = w->dilation[i],
                           .stride = w->stride[i]};
    axis_end(&a);
    return a;
}

/* Positions `first`, first + stride, ... of an axis that windows were laid over: those taps reach them
 * whose distance from a window's beginning has the right remainder. */
static ps__convolve_axis axis_of_data(const ps__windows *w, int i, int64_t length, int64_t count,
                                      int64_t kernel, int64_t first)
{
    int64_t stride = w->stride[i], dilation = w->dilation[i], at = first + w->padding[i];
    int64_t step = stride / divisor_of(stride, dilation), end = MIN(step, kernel), tap = 0;
    while (tap < end && (at - tap * dilation) % stride != 0)
        tap++;
    bool reached = tap < end;
    ps__convolve_axis a = {.length = length,
                           .count = (count - first + stride - 1) / stride,
                           .first = first,
                           .step = stride,
                           .taps = reached ? (kernel - tap + step - 1) / step : 0,
                           .tap = tap,
                           .tap_step = step,
                           .from = reached ? (at - tap * dilation) / stride : 0,
                           .from_step = -(step * dilation / stride),
                           .stride = 1};
    axis_end(&a);
    return a;
}

/* ---- the work ---------------------------------------------------------------------------- */

static int64_t taps_of(const ps__convolving *c)
{
    return c->h.taps * c->w.taps;
}

/* Which elements of a plane's row, in the phase of a tap, the source has; the others are 0. */
static void span_of(const ps__convolving *c, int64_t tap, int64_t *begin, int64_t *end)
{
    const ps__convolve_axis *w = &c->w;
    int64_t last = ps__floor_of(w->length - 1 - ps__axis_phase(w, tap), w->stride) - w->low;
    *begin = MIN(MAX(0, -w->low), c->width);
    *end = MAX(*begin, MIN(c->width, last + 1));
}

/* Zeros at the end of a row that can be those before the next one. */
static int64_t shared_margin(const ps__convolving *c)
{
    int64_t begin, end, shared = c->w.reach;
    for (int64_t tap = 0; tap < MIN(c->w.phases, c->w.taps); tap++) {
        span_of(c, tap, &begin, &end);
        shared = MIN(shared, MIN(begin, c->width - end));
    }
    return shared;
}

/* Blocks of rows and shares of panels. Blocks have several tiles, since the last one of each is not
 * full; for each share the planes are packed again. */
static void cut(ps__convolving *c)
{
    double line = (double)(c->channels * c->planes) * (double)c->pitch * (double)c->item;
    double fit = PS__CONVOLVE_BYTES / MAX(line, 1) - (double)c->h.reach;
    int64_t rows = fit < 1 ? 1 : fit < (double)c->h.count ? (int64_t)fit : c->h.count;
    double work = (double)c->panels.rows * (double)c->depth * (double)c->pitch;
    int64_t wanted = MAX(1, c->wanted / MAX(1, c->out.shape[PS__IMAGE_N] * c->groups));
    double least = MAX(PS__CONVOLVE_PIECE / MAX(work, 1),
                       (double)(BLOCK_TILES * c->tiles->columns) / (double)c->pitch) +
                   1;
    if (least < (double)rows)
        rows = MIN(rows, MAX((int64_t)least, (c->h.count + wanted - 1) / wanted));
    c->blocks = (c->h.count + rows - 1) / rows;
    c->block = (c->h.count + c->blocks - 1) / c->blocks;
    c->shares = MIN(c->panels.count, wanted / c->blocks);
    if (c->shares < 1 || work * (double)c->block < PS__CONVOLVE_PIECE * (double)c->shares)
        c->shares = 1;
}

static void measure(ps__convolving *c)
{
    int64_t item = (int64_t)c->item;
    c->images = c->out.shape[PS__IMAGE_N];
    c->width = c->w.count + c->w.reach;
    c->pitch = c->width - shared_margin(c);
    c->planes = c->h.phases * c->w.phases;
    c->depth = c->channels * taps_of(c);
    cut(c);
    c->plane = (c->block + c->h.reach - 1) * c->pitch + c->width;
    if (ps__is_crowded(c->plane * item))
        c->plane += 512 / item;
}

/* Where in the planes each step of the depth reads, for the first pixel. */
static void find_steps(const ps__convolving *c)
{
    const ps__convolve_axis *h = &c->h, *w = &c->w;
    int64_t *at = c->at;
    for (int64_t i = 0; i < h->taps; i++)
        for (int64_t k = 0; k < c->channels; k++)
            for (int64_t j = 0; j < w->taps; j++) {
                int64_t plane = (k * h->phases + i % h->phases) * w->phases + j % w->phases;
                *at++ = plane * c->plane + (ps__axis_shift(h, i) - h->low) * c->pitch +
                        (ps__axis_shift(w, j) - w->low);
            }
}

/* ---- weights ----------------------------------------------------------------------------- */

/* By channels, rows and columns. Those that lie at even distances are one dimension. */
static void pack_panel(const ps__convolving *c, const char *from, int64_t rows, char *to)
{
    int64_t columns = c->w.taps, lines = c->h.taps, channels = c->channels;
    int64_t column = c->weight.strides[PS__IMAGE_W] * c->w.tap_step;
    int64_t line = c->weight.strides[PS__IMAGE_H] * c->h.tap_step;
    int64_t item = (int64_t)c->item;
    if (line == columns * column) {
        columns *= lines;
        lines = 1;
    }
    if (lines == 1 && (columns == 1 || c->in_row == columns * column)) {
        column = columns == 1 ? c->in_row : column;
        columns *= channels;
        channels = 1;
    }
    for (int64_t k = 0; k < channels; k++)
        for (int64_t i = 0; i < lines; i++) {
            ps__kernels_get()->copy2d[c->log]((size_t)rows, (size_t)columns, to, item,
                                              c->panels.step * item,
                                              from + k * c->in_row + i * line, c->out_row, column);
            to += c->panels.step * columns * item;
        }
}

/* The order of the depth has rows of taps first. */
static void sort_panel(const ps__convolving *c, const char *from, char *to)
{
    int64_t bytes = c->w.taps * c->panels.step * (int64_t)c->item;
    for (int64_t k = 0; k < c->channels; k++)
        for (int64_t i = 0; i < c->h.taps; i++, from += bytes)
            memcpy(to + (i * c->channels + k) * bytes, from, (size_t)bytes);
}

static void pack_panels(const ps__convolving *c, int64_t begin, int64_t end, char *spare)
{
    int64_t group = c->weight.shape[0] / c->groups * c->weight.strides[0];
    int64_t tap =
        c->h.tap * c->weight.strides[PS__IMAGE_H] + c->w.tap * c->weight.strides[PS__IMAGE_W];
    for (int64_t i = begin; i < end; i++) {
        int64_t g = i / c->panels.count, panel = i % c->panels.count;
        char *to = ps__panel_weights(c, g, panel);
        pack_panel(c, c->weight.data + g * group + panel * c->panels.each * c->out_row + tap,
                   ps__panel_taken(&c->panels, panel), spare != NULL ? spare : to);
        if (spare != NULL)
            sort_panel(c, spare, to);
    }
}

static ps_status pack_weights(size_t begin, size_t end, void *arg)
{
    const ps__convolving *c = arg;
    size_t bytes = (size_t)(c->panels.step * c->depth) * c->item;
    bool sorts = c->h.taps > 1 && c->channels > 1;
    void *spare = NULL;
    ps_status status = sorts ? ps_memory_alloc(bytes, &spare) : PS_OK;
    if (status != PS_OK)
        return status;
    pack_panels(c, (int64_t)begin, (int64_t)end, spare);
    if (sorts)
        ps_memory_free(spare, bytes);
    return PS_OK;
}

/* ---- planes ------------------------------------------------------------------------------ */

/* A row of a source, every stride-th element from the phase on, with a margin of zeros. */
static void pack_row(const ps__convolving *c, const char *row, int64_t tap, char *to)
{
    const ps__convolve_axis *w = &c->w;
    int64_t begin, end, item = (int64_t)c->item, column = c->in.strides[PS__IMAGE_W];
    int64_t step = w->stride * column;
    span_of(c, tap, &begin, &end);
    const char *from = row + ps__axis_phase(w, tap) * column + (w->low + begin) * step;
    memset(to, 0, (size_t)(begin * item));
    if (begin < end && step == item)
        memcpy(to + begin * item, from, (size_t)((end - begin) * item));
    else if (begin < end)
        ps__kernels_get()->gather[c->log]((size_t)(end - begin), to + begin * item, from,
                                          (ptrdiff_t)step);
    memset(to + end * item, 0, (size_t)((c->width - end) * item));
}

/* One plane: the rows that positions from `first` on need. */
static void pack_plane(const ps__convolving *c, const char *channel, int64_t i, int64_t j,
                       int64_t first, int64_t rows, char *to)
{
    const ps__convolve_axis *h = &c->h;
    int64_t item = (int64_t)c->item, at = ps__axis_phase(h, i) + (first + h->low) * h->stride;
    for (int64_t r = 0; r < rows; r++, at += h->stride, to += c->pitch * item)
        if (at >= 0 && at < h->length)
            pack_row(c, channel + at * c->in.strides[PS__IMAGE_H], j, to);
        else
            memset(to, 0, (size_t)(c->width * item));
}

static void pack_planes(const ps__convolving *c, int64_t n, int64_t group, int64_t first,
                        int64_t count, char *to)
{
    if (c->depth == 0)
        return;
    for (int64_t k = 0; k < c->channels; k++) {
        const char *channel = ps__image_at(&c->in, n, group * c->channels + k);
        for (int64_t i = 0; i < c->h.phases; i++)
            for (int64_t j = 0; j < c->w.phases; j++, to += c->plane * (int64_t)c->item)
                pack_plane(c, channel, i, j, first, count + c->h.reach, to);
    }
    memset(to, 0, (size_t)c->tiles->columns * c->item);
}

static int64_t planes_room(const ps__convolving *c)
{
    return c->channels * c->planes * c->plane + c->tiles->columns;
}

/* ---- tiles ------------------------------------------------------------------------------- */

/* A block of the result: rows of one group of channels of one image. */
typedef struct block {
    const ps__convolving *c;
    int64_t group;
    const char *planes;
    char *stage, *out; /* of a tile; where the group's first channel has the block's first pixel */
    int64_t pixels;    /* counted through margins */
} block;

/* The pixels of a tile, from the staged ones: as far as they are none of the margin. */
static void unstage(const block *b, int64_t first, int64_t rows, char *out)
{
    const ps__convolving *c = b->c;
    int64_t columns = c->tiles->columns, item = (int64_t)c->item;
    int64_t step = c->w.step * c->out.strides[PS__IMAGE_W];
    int64_t end = MIN(first + columns, b->pixels), next;
    for (int64_t at = first; at < end; at = next) {
        int64_t line = at / c->pitch, column = at % c->pitch;
        next = MIN((line + 1) * c->pitch, end);
        int64_t count = MIN(next - at, c->w.count - column);
        if (count > 0)
            ps__kernels_get()->copy2d[c->log]((size_t)rows, (size_t)count,
                                              out + line * c->h.step * c->out.strides[PS__IMAGE_H] +
                                                  column * step,
                                              c->out.strides[PS__IMAGE_C], step,
                                              b->stage + (at - first) * item, columns * item, item);
    }
}

/* Whether all pixels of the block lie in the result as tiles have them. */
static bool is_even(const ps__convolving *c)
{
    int64_t item = (int64_t)c->item;
    return c->w.reach == 0 && c->w.step == 1 && c->h.step == 1 &&
           c->out.strides[PS__IMAGE_W] == item && c->out.strides[PS__IMAGE_H] == c->w.count * item;
}

static void run_panel(const block *b, int64_t panel)
{
    const ps__convolving *c = b->c;
    int64_t columns = c->tiles->columns, item = (int64_t)c->item;
    int64_t rows = ps__panel_rows(&c->panels, panel);
    char *out = b->out + panel * c->panels.each * c->out.strides[PS__IMAGE_C];
    bool even = is_even(c);
    for (int64_t at = 0; at < b->pixels; at += columns) {
        bool straight = even && at + columns <= b->pixels;
        c->tiles->run[rows - 1](&(ps__tile){
            .depth = c->depth,
            .a = ps__panel_weights(c, b->group, panel),
            .a_row = 1,
            .a_step = c->panels.step,
            .b = b->planes + at * item,
            .at = c->at,
            .c = straight ? out + at * item : b->stage,
            .c_row = straight ? c->out.strides[PS__IMAGE_C] / item : columns,
            .start = ps__panel_start(c, b->group, panel),
        });
        if (!straight)
            unstage(b, at, rows, out);
    }
}

static void run_block(const ps__convolving *c, int64_t index, char *room, char *stage)
{
    int64_t share = index % c->shares, at = index / c->shares;
    int64_t first = at % c->blocks * c->block;
    int64_t group = at / c->blocks % c->groups, n = at / c->blocks / c->groups;
    int64_t count = MIN(c->block, c->h.count - first), channel = group * c->panels.rows;
    block b = {.c = c,
               .group = group,
               .planes = room,
               .stage = stage,
               .out = ps__image_at(&c->out, n, channel) +
                      (c->h.first + first * c->h.step) * c->out.strides[PS__IMAGE_H] +
                      c->w.first * c->out.strides[PS__IMAGE_W],
               .pixels = (count - 1) * c->pitch + c->w.count};
    pack_planes(c, n, group, first, count, room);
    for (int64_t panel = share; panel < c->panels.count; panel += c->shares)
        run_panel(&b, panel);
}

static ps_status run_blocks(size_t begin, size_t end, void *arg)
{
    const ps__convolving *c = arg;
    size_t bytes = 0;
    (void)ps__part(&bytes, c->gathered ? ps__gather_room(c) : planes_room(c), c->item);
    size_t stage = ps__part(&bytes, PS__TILE_ROWS * (int64_t)c->tiles->columns, c->item);
    void *scratch;
    ps_status status = ps_memory_alloc(bytes, &scratch);
    if (status != PS_OK)
        return status;
    for (size_t i = begin; i < end; i++)
        if (c->gathered)
            ps__gather_run(c, (int64_t)i, scratch, (char *)scratch + stage);
        else
            run_block(c, (int64_t)i, scratch, (char *)scratch + stage);
    ps_memory_free(scratch, bytes);
    return PS_OK;
}

/* ---- passes ------------------------------------------------------------------------------ */

static void pack_start(const ps__convolving *c, const ps__operand *bias)
{
    if (c->start != NULL)
        ps__kernels_get()->gather[c->log]((size_t)bias->shape[0], c->start, bias->data,
                                          (ptrdiff_t)bias->strides[0]);
}

/* Which way does not depend on the workers; how it is cut may. */
static void choose_way(ps__convolving *c)
{
    int64_t wanted = c->wanted;
    c->in_place = ps__gather_in_place(c);
    c->wanted = 1;
    measure(c);
    c->gathered = c->in_place || ps__gather_pays(c);
    c->wanted = wanted;
    if (c->gathered)
        ps__gather_measure(c);
    else
        measure(c);
}

/* The result, or one phase of it. */
static ps_status run_phase(const ps__lane *lane, ps__convolving *c, const ps__operand *bias)
{
    size_t bytes = 0;
    choose_way(c);
    int64_t rows = c->groups * c->panels.rows, panels = c->groups * c->panels.count;
    size_t at = ps__part(&bytes, 2 * c->depth, sizeof *c->at);
    size_t start = ps__part(&bytes, rows, c->item);
    size_t weights = ps__part(&bytes, panels * c->panels.step * c->depth, c->item);
    void *memory;
    ps_status status = ps_memory_alloc(bytes, &memory);
    if (status != PS_OK)
        return status;
    c->at = (int64_t *)(void *)((char *)memory + at);
    c->packed_at = c->at + c->depth;
    c->start = bias != NULL ? (char *)memory + start : NULL;
    c->weights = (char *)memory + weights;
    if (c->gathered)
        ps__gather_steps(c);
    else
        find_steps(c);
    pack_start(c, bias);
    double panel = (double)c->depth * (double)c->panels.each;
    status = ps__convolve_split(lane, panels, panel * 16, pack_weights, c);
    if (status == PS_OK)
        status = ps__convolve_split(lane, c->images * c->groups * c->blocks * c->shares,
                                    (double)c->panels.rows * (double)c->depth *
                                        (double)(c->pitch * c->block) / (double)c->shares,
                                    run_blocks, c);
    ps_memory_free(memory, bytes);
    return status;
}

static ps_status run_result(const ps__lane *lane, const ps__windows *windows, ps__convolving *c,
                            const ps__operand *bias)
{
    const int64_t *in = c->in.shape, *out = c->out.shape, *kernel = c->weight.shape;
    c->h = axis_of_result(windows, 0, in[PS__IMAGE_H], out[PS__IMAGE_H], kernel[PS__IMAGE_H]);
    c->w = axis_of_result(windows, 1, in[PS__IMAGE_W], out[PS__IMAGE_W], kernel[PS__IMAGE_W]);
    return run_phase(lane, c, bias);
}

/* One phase of the result: rows and columns from i and j on. */
static ps_status run_data_phase(const ps__lane *lane, const ps__windows *windows, ps__convolving *c,
                                int64_t i, int64_t j)
{
    const int64_t *in = c->in.shape, *out = c->out.shape, *kernel = c->weight.shape;
    ps__convolving phase = *c;
    phase.h = axis_of_data(windows, 0, in[PS__IMAGE_H], out[PS__IMAGE_H], kernel[PS__IMAGE_H], i);
    phase.w = axis_of_data(windows, 1, in[PS__IMAGE_W], out[PS__IMAGE_W], kernel[PS__IMAGE_W], j);
    return taps_of(&phase) > 0 ? run_phase(lane, &phase, NULL) : PS_OK;
}

/* Phases that no tap reaches are 0. */
static ps_status run_data(const ps__lane *lane, const ps__windows *windows, ps__convolving *c)
{
    const int64_t *stride = windows->stride, *out = c->out.shape;
    ps_status status = PS_OK;
    if (stride[0] > c->weight.shape[PS__IMAGE_H] || stride[1] > c->weight.shape[PS__IMAGE_W] ||
        windows->dilation[0] > 1 || windows->dilation[1] > 1)
        memset(c->out.data, 0, (size_t)ps__image_count(&c->out) * c->item);
    for (int64_t i = 0; i < MIN(stride[0], out[PS__IMAGE_H]); i++)
        for (int64_t j = 0; j < MIN(stride[1], out[PS__IMAGE_W]) && status == PS_OK; j++)
            status = run_data_phase(lane, windows, c, i, j);
    return status;
}

static ps_status convolve(const ps__lane *lane, const ps__work_convolve *w,
                          const ps__operand *operands, unsigned count)
{
    ps_dtype dtype = (ps_dtype)operands[0].dtype;
    bool data = w->pass == PS__CONVOLVE_DATA;
    ps__convolving c = {.out = ps__image_of(&operands[0], w->channels_last),
                        .in = ps__image_of(&operands[1], w->channels_last),
                        .weight = ps__image_of(&operands[2], false),
                        .groups = w->groups,
                        .item = ps__dtype_bytes(dtype),
                        .tiles = &ps__kernels_get()->tiles[dtype]};
    unsigned workers;
    ps_status status = ps_engine_workers(lane->engine, &workers);
    if (status != PS_OK || ps__image_count(&c.out) == 0)
        return status;
    if (ps__convolve_is_whole(w, data ? &c.out : &c.in, &c.weight))
        return data ? ps__convolve_whole(lane, PS__CONVOLVE_DATA, dtype, &c.weight, &c.in, &c.out)
                    : ps__convolve_whole_result(lane, dtype, &c.in, &c.weight, &c.out,
                                                count > 3 ? &operands[3] : NULL);
    c.wanted = workers > 1 ? 3 * (int64_t)workers : 1;
    c.log = (unsigned)__builtin_ctzll(c.item);
    c.out_row = c.weight.strides[data ? 1 : 0];
    c.in_row = c.weight.strides[data ? 0 : 1];
    c.channels = c.in.shape[PS__IMAGE_C] / c.groups;
    c.panels = ps__panels_of(c.out.shape[PS__IMAGE_C] / c.groups, c.tiles);
    return data ? run_data(lane, &w->windows, &c)
                : run_result(lane, &w->windows, &c, count > 3 ? &operands[3] : NULL);
}

PS__CPU_RUN(convolve)
{
    const ps__work_convolve *w = (const ps__work_convolve *)work;
    ps_status status = w->pass == PS__CONVOLVE_WEIGHT ? ps__convolve_weight(lane, w, operands)
                                                      : convolve(lane, w, operands, count);
    return status == PS_OK
               ? PS_OK
               : ps_task_fail(lane->self, status, "%s: %s", lane->name, ps_last_error());
}
