/* What flows back to the weights of a convolution: see PS__WORK_CONVOLVE in work.h.
 *
 * It is a product of tiles (kernels.h) too: rows are channels of y, columns the channels of x at one
 * tap, and depth goes through the pixels of y, image by image. x is copied into planes with channels
 * last and a margin of zeros, so that a row of b, the channels of a pixel at a tap, lies side by side
 * with those at the next tap of the row, unless taps are further apart (dilation): columns are cut from
 * such segments. Where these fill little of their tiles, since there are few channels, all that the taps
 * read of a pixel is gathered into one. What flows to y is read where it lies, or packed by pixels.
 *
 * Images are packed some at a time, all threads together, then each thread goes through the tiles
 * that are its own. A sum is continued from image to image where the tile is kept: its order is
 * that of images and pixels, however many are packed at a time. */
#include "backend/cpu/convolve.h"

#include "memory/memory.h"

#include <string.h>

enum {
    CHUNK_BYTES = 16 << 20, /* of images that are packed at a time */
    SHARES = 16             /* that the tiles should fall into */
};

typedef struct weighing {
    ps__image out, x, dy;
    ps__windows windows;
    int64_t groups, channels; /* of x, in a group */
    size_t item;
    unsigned log; /* of the item */
    const ps__tiles *tiles;
    ps__panels panels;      /* channels of y, in a group */
    int64_t pixels;         /* of y */
    int64_t height, pitch;  /* pixels of a plane */
    int64_t plane;          /* elements of it, with room to read beyond its end */
    int64_t gathered;       /* where in it what was gathered begins, or 0 */
    int64_t together;       /* taps of a segment */
    int64_t segments;       /* of a plane, */
    int64_t segment, cuts;  /* their elements, and the tiles that these make */
    int64_t shares;         /* of the panels, so that threads have enough to share */
    int64_t first, images;  /* those that are packed */
    bool as_it_lies;        /* what flows to y is read where it is */
    int64_t *at;            /* where pixels are in a plane */
    char *planes, *flowing; /* x and dy, packed: by image, by group */
    char *sums;             /* tiles: by group, panel, cut */
} weighing;

static int64_t row_taps(const weighing *w)
{
    return w->out.shape[PS__IMAGE_W];
}

static int64_t all_taps(const weighing *w)
{
    return w->out.shape[PS__IMAGE_H] * row_taps(w);
}

static void cut_segments(weighing *w, int64_t together)
{
    w->together = together;
    w->segments = all_taps(w) / together;
    w->segment = together * w->channels;
    w->cuts = (w->segment + w->tiles->columns - 1) / w->tiles->columns;
}

/* Whether tiles of all taps would be less by a quarter, and need not much memory. */
static bool gathering_pays(const weighing *w)
{
    int64_t all = all_taps(w) * w->channels;
    int64_t tiles = (all + w->tiles->columns - 1) / w->tiles->columns;
    double bytes = (double)all * (double)w->pixels * (double)w->groups * (double)w->item;
    return 4 * w->segments * w->cuts >= 5 * tiles && bytes <= CHUNK_BYTES;
}

/* Whether what flows to y can be read where it is: its pixels follow one step, and rows at that distance
 * do not push each other out of the cache. */
static bool lies_well(const weighing *w)
{
    const int64_t *strides = w->dy.strides;
    int64_t step = strides[PS__IMAGE_W], row = strides[PS__IMAGE_C];
    return strides[PS__IMAGE_H] == w->dy.shape[PS__IMAGE_W] * step &&
           (step == 0 || row == (int64_t)w->item ||
            (step == (int64_t)w->item && !ps__is_crowded(row)));
}

static void measure(weighing *w)
{
    const int64_t *y = w->dy.shape, *kernel = w->out.shape;
    const ps__windows *by = &w->windows;
    w->pixels = y[PS__IMAGE_H] * y[PS__IMAGE_W];
    w->height = (y[PS__IMAGE_H] - 1) * by->stride[0] + (kernel[PS__IMAGE_H] - 1) * by->dilation[0];
    w->pitch = (y[PS__IMAGE_W] - 1) * by->stride[1] + (kernel[PS__IMAGE_W] - 1) * by->dilation[1];
    w->height++;
    w->pitch++;
    w->plane = w->height * w->pitch * w->channels + w->tiles->columns;
    cut_segments(w, by->dilation[1] == 1 ? row_taps(w) : 1);
    if (gathering_pays(w)) {
        cut_segments(w, all_taps(w));
        w->gathered = w->plane;
        w->plane += w->pixels * w->segment + w->tiles->columns;
    }
    w->as_it_lies = lies_well(w);
    w->shares = MIN(w->panels.count, SHARES / MIN(SHARES, w->segments * w->cuts * w->groups) + 1);
}

/* ---- packing ----------------------------------------------------------------------------- */

/* Row `line` of the plane of a group's channels. */
static void pack_line(const weighing *w, const char *from, int64_t line, char *to)
{
    int64_t at = line - w->windows.padding[0], item = (int64_t)w->item;
    int64_t bytes = w->channels * item;
    int64_t begin = MIN(w->windows.padding[1], w->pitch);
    int64_t end = MAX(begin, MIN(w->pitch, begin + w->x.shape[PS__IMAGE_W]));
    if (at < 0 || at >= w->x.shape[PS__IMAGE_H])
        begin = end = 0;
    memset(to, 0, (size_t)(begin * bytes));
    if (begin < end)
        ps__kernels_get()->copy2d[w->log]((size_t)(end - begin), (size_t)w->channels,
                                          to + begin * bytes, bytes, item,
                                          from + at * w->x.strides[PS__IMAGE_H],
                                          w->x.strides[PS__IMAGE_W], w->x.strides[PS__IMAGE_C]);
    memset(to + end * bytes, 0, (size_t)((w->pitch - end) * bytes));
}

/* Channels of y by pixels. */
static void pack_flowing(const weighing *w, const char *from, int64_t rows, char *to)
{
    int64_t lines = w->dy.shape[PS__IMAGE_H], columns = w->dy.shape[PS__IMAGE_W];
    int64_t column = w->dy.strides[PS__IMAGE_W], item = (int64_t)w->item;
    if (w->dy.strides[PS__IMAGE_H] == columns * column) {
        columns *= lines;
        lines = 1;
    }
    for (int64_t i = 0; i < lines; i++)
        ps__kernels_get()->copy2d[w->log]((size_t)rows, (size_t)columns,
                                          to + i * columns * w->panels.step * item, item,
                                          w->panels.step * item,
                                          from + i * w->dy.strides[PS__IMAGE_H],
                                          w->dy.strides[PS__IMAGE_C], column);
}

/* What flows to the channels of a panel of a group of an image: where it lies; and packed. */
static const char *flowing_at(const weighing *w, int64_t image, int64_t group, int64_t panel)
{
    int64_t row = group * w->panels.rows + panel * w->panels.each;
    return ps__image_at(&w->dy, w->first + image, row);
}

static char *flowing_of(const weighing *w, int64_t index, int64_t panel)
{
    int64_t place = index * w->panels.count + panel;
    return w->flowing + place * w->panels.step * w->pixels * (int64_t)w->item;
}

/* Where a tap is in a plane, for the first pixel. */
static int64_t tap_begin(const weighing *w, int64_t tap)
{
    int64_t i = tap / row_taps(w), j = tap % row_taps(w);
    return (i * w->windows.dilation[0] * w->pitch + j * w->windows.dilation[1]) * w->channels;
}

/* Where a pixel is in a plane. */
static int64_t pixel_begin(const weighing *w, int64_t pixel)
{
    int64_t i = pixel / w->dy.shape[PS__IMAGE_W], j = pixel % w->dy.shape[PS__IMAGE_W];
    return (i * w->windows.stride[0] * w->pitch + j * w->windows.stride[1]) * w->channels;
}

/* One row of pixels, at so many bytes of taps that lie side by side. */
static void gather_line(const weighing *w, const char *from, int64_t bytes, char *to)
{
    int64_t item = (int64_t)w->item, step = w->windows.stride[1] * w->channels * item;
    for (int64_t j = 0; j < w->dy.shape[PS__IMAGE_W]; j++)
        memcpy(to + j * w->segment * item, from + j * step, (size_t)bytes);
}

/* One row of pixels at all rows of taps, of so many bytes each. `most` is a constant, and not less: what
 * is copied too much is overwritten by what comes next, or lies in the room behind the last. */
static inline __attribute__((always_inline)) void gather_short(const weighing *w, const char *from,
                                                               int64_t bytes, size_t most, char *to)
{
    int64_t pixel = w->windows.stride[1] * w->channels * (int64_t)w->item;
    int64_t row = w->windows.dilation[0] * w->pitch * w->channels * (int64_t)w->item;
    for (int64_t j = 0; j < w->dy.shape[PS__IMAGE_W]; j++, from += pixel)
        for (int64_t i = 0; i < w->out.shape[PS__IMAGE_H]; i++, to += bytes)
            memcpy(to, from + i * row, most);
}

/* Whether rows of taps were so short that they could be copied with what is behind them. */
static bool gather_all_short(const weighing *w, const char *plane, char *to)
{
    int64_t item = (int64_t)w->item, bytes = row_taps(w) * w->channels * item;
    int64_t width = w->dy.shape[PS__IMAGE_W], room = w->tiles->columns * item;
    if (w->windows.dilation[1] != 1 || bytes > MIN(room, 128))
        return false;
    for (int64_t first = 0; first < w->pixels; first += width, to += width * w->segment * item) {
        const char *from = plane + pixel_begin(w, first) * item;
        if (bytes <= 32)
            gather_short(w, from, bytes, 32, to);
        else if (bytes <= 64)
            gather_short(w, from, bytes, 64, to);
        else
            gather_short(w, from, bytes, 128, to);
    }
    return true;
}

/* What all taps read of each pixel, side by side. */
static void gather_taps(const weighing *w, const char *plane, char *to)
{
    int64_t together = w->windows.dilation[1] == 1 ? row_taps(w) : 1, item = (int64_t)w->item;
    int64_t bytes = together * w->channels * item, width = w->dy.shape[PS__IMAGE_W];
    if (gather_all_short(w, plane, to))
        return;
    for (int64_t first = 0; first < w->pixels; first += width)
        for (int64_t tap = 0; tap < all_taps(w); tap += together)
            gather_line(w, plane + (pixel_begin(w, first) + tap_begin(w, tap)) * item, bytes,
                        to + (first * w->segment + tap * w->channels) * item);
}

/* One group of one image. */
static void pack_image(const weighing *w, int64_t image, int64_t group)
{
    int64_t item = (int64_t)w->item, n = w->first + image, index = image * w->groups + group;
    const char *from = ps__image_at(&w->x, n, group * w->channels);
    char *plane = w->planes + index * w->plane * item;
    for (int64_t line = 0; line < w->height; line++)
        pack_line(w, from, line, plane + line * w->pitch * w->channels * item);
    if (w->gathered != 0)
        gather_taps(w, plane, plane + w->gathered * item);
    memset(plane + (w->plane - w->tiles->columns) * item, 0, (size_t)w->tiles->columns * w->item);
    for (int64_t panel = 0; panel < w->panels.count && !w->as_it_lies; panel++)
        pack_flowing(w, flowing_at(w, image, group, panel), ps__panel_taken(&w->panels, panel),
                     flowing_of(w, index, panel));
}

static ps_status pack_images(size_t begin, size_t end, void *arg)
{
    const weighing *w = arg;
    for (int64_t i = (int64_t)begin; i < (int64_t)end; i++)
        pack_image(w, i / w->groups, i % w->groups);
    return PS_OK;
}

/* ---- tiles ------------------------------------------------------------------------------- */

/* Where the columns of a cut begin in a plane, for the first pixel. */
static int64_t cut_begin(const weighing *w, int64_t segment, int64_t cut)
{
    int64_t begin = w->gathered != 0 ? w->gathered : tap_begin(w, segment * w->together);
    return begin + cut * w->tiles->columns;
}

static char *sums_of(const weighing *w, int64_t group, int64_t panel, int64_t cut)
{
    int64_t tile = (group * w->panels.count + panel) * w->segments * w->cuts + cut;
    return w->sums + tile * w->panels.each * w->tiles->columns * (int64_t)w->item;
}

static void run_tile(const weighing *w, int64_t image, int64_t group, int64_t panel, int64_t cut)
{
    int64_t index = image * w->groups + group, item = (int64_t)w->item;
    w->tiles->run[ps__panel_rows(&w->panels, panel) - 1](&(ps__tile){
        .depth = w->pixels,
        .a = w->as_it_lies ? flowing_at(w, image, group, panel) : flowing_of(w, index, panel),
        .a_row = w->as_it_lies ? w->dy.strides[PS__IMAGE_C] / item : 1,
        .a_step = w->as_it_lies ? w->dy.strides[PS__IMAGE_W] / item : w->panels.step,
        .b = w->planes + (index * w->plane + cut_begin(w, cut / w->cuts, cut % w->cuts)) * item,
        .at = w->at,
        .c = sums_of(w, group, panel, cut),
        .c_row = w->tiles->columns,
        .accumulate = w->first + image > 0,
    });
}

/* A share of the panels with one cut. Images go first: what was packed of one stays in the cache. */
static ps_status run_shares(size_t begin, size_t end, void *arg)
{
    const weighing *w = arg;
    int64_t cuts = w->segments * w->cuts;
    for (int64_t i = (int64_t)begin; i < (int64_t)end; i++) {
        int64_t share = i % w->shares, cut = i / w->shares % cuts, group = i / w->shares / cuts;
        for (int64_t image = 0; image < w->images; image++)
            for (int64_t panel = share; panel < w->panels.count; panel += w->shares)
                run_tile(w, image, group, panel, cut);
    }
    return PS_OK;
}

/* The columns of a tile to where they belong: so many channels of one tap, then of the next. */
static void unpack_tile(const weighing *w, int64_t group, int64_t panel, int64_t cut)
{
    const int64_t *strides = w->out.strides;
    int64_t item = (int64_t)w->item, columns = w->tiles->columns;
    int64_t segment = cut / w->cuts, first = cut % w->cuts * columns, next;
    int64_t end = MIN(w->segment, first + columns);
    char *out = ps__image_at(&w->out, group * w->panels.rows + panel * w->panels.each, 0);
    for (int64_t at = first; at < end; at = next) {
        int64_t tap = segment * w->together + at / w->channels, channel = at % w->channels;
        next = MIN(end, at + w->channels - channel);
        ps__kernels_get()->copy2d[w->log]((size_t)ps__panel_rows(&w->panels, panel),
                                          (size_t)(next - at),
                                          out + tap / row_taps(w) * strides[PS__IMAGE_H] +
                                              tap % row_taps(w) * strides[PS__IMAGE_W] +
                                              channel * strides[PS__IMAGE_C],
                                          strides[PS__IMAGE_N], strides[PS__IMAGE_C],
                                          sums_of(w, group, panel, cut) + (at - first) * item,
                                          columns * item, item);
    }
}

static ps_status unpack_panels(size_t begin, size_t end, void *arg)
{
    const weighing *w = arg;
    for (int64_t i = (int64_t)begin; i < (int64_t)end; i++)
        for (int64_t cut = 0; cut < w->segments * w->cuts; cut++)
            unpack_tile(w, i / w->panels.count, i % w->panels.count, cut);
    return PS_OK;
}

/* ---- the pass ---------------------------------------------------------------------------- */

/* Elements of what flows to a group of an image, packed. */
static int64_t flowing_room(const weighing *w)
{
    return w->as_it_lies ? 0 : w->panels.count * w->panels.step * w->pixels;
}

static void find_pixels(const weighing *w)
{
    for (int64_t i = 0; i < w->pixels; i++)
        w->at[i] = w->gathered != 0 ? i * w->segment : pixel_begin(w, i);
}

static ps_status run_chunks(const ps__lane *lane, weighing *w, int64_t chunk)
{
    int64_t count = w->x.shape[PS__IMAGE_N], tiles = w->groups * w->segments * w->cuts * w->shares;
    double packed = (double)w->plane + (double)flowing_room(w);
    double tile = (double)w->panels.rows * (double)w->pixels * w->tiles->columns;
    ps_status status = PS_OK;
    find_pixels(w);
    for (w->first = 0; w->first < count && status == PS_OK; w->first += w->images) {
        w->images = MIN(chunk, count - w->first);
        status = ps__convolve_split(lane, w->images * w->groups, packed * 16, pack_images, w);
        if (status == PS_OK)
            status = ps__convolve_split(lane, tiles, tile * (double)w->images / (double)w->shares,
                                        run_shares, w);
    }
    double panel = (double)(w->panels.each * w->tiles->columns * w->segments * w->cuts);
    if (status == PS_OK)
        status =
            ps__convolve_split(lane, w->groups * w->panels.count, panel * 16, unpack_panels, w);
    return status;
}

static ps_status run_images(const ps__lane *lane, weighing *w)
{
    size_t bytes = 0;
    measure(w);
    double image =
        (double)w->groups * (double)w->item * ((double)w->plane + (double)flowing_room(w));
    double fit = CHUNK_BYTES / image;
    int64_t count = w->x.shape[PS__IMAGE_N];
    int64_t chunk = fit < 1 ? 1 : fit < (double)count ? (int64_t)fit : count;
    size_t at = ps__part(&bytes, w->pixels, sizeof *w->at);
    size_t planes = ps__part(&bytes, chunk * w->groups * w->plane, w->item);
    size_t flowing = ps__part(&bytes, chunk * w->groups * flowing_room(w), w->item);
    size_t sums = ps__part(&bytes,
                           w->groups * w->panels.count * w->segments * w->cuts * w->panels.each *
                               w->tiles->columns,
                           w->item);
    void *memory;
    ps_status status = ps_memory_alloc(bytes, &memory);
    if (status != PS_OK)
        return status;
    w->at = (int64_t *)(void *)((char *)memory + at);
    w->planes = (char *)memory + planes;
    w->flowing = (char *)memory + flowing;
    w->sums = (char *)memory + sums;
    status = run_chunks(lane, w, chunk);
    ps_memory_free(memory, bytes);
    return status;
}

ps_status ps__convolve_weight(const ps__lane *lane, const ps__work_convolve *work,
                              const ps__operand *operands)
{
    ps_dtype dtype = (ps_dtype)operands[0].dtype;
    weighing w = {.out = ps__image_of(&operands[0], false),
                  .x = ps__image_of(&operands[1], work->channels_last),
                  .dy = ps__image_of(&operands[2], work->channels_last),
                  .windows = work->windows,
                  .groups = work->groups,
                  .item = ps__dtype_bytes(dtype),
                  .tiles = &ps__kernels_get()->tiles[dtype]};
    int64_t count = ps__image_count(&w.out);
    if (count == 0)
        return PS_OK;
    if (ps__image_count(&w.dy) == 0) {
        memset(operands[0].data, 0, (size_t)count * w.item);
        return PS_OK;
    }
    if (ps__convolve_is_whole(work, &w.x, &w.out))
        return ps__convolve_whole(lane, PS__CONVOLVE_WEIGHT, dtype, &w.x, &w.dy, &w.out);
    w.log = (unsigned)__builtin_ctzll(w.item);
    w.channels = w.x.shape[PS__IMAGE_C] / w.groups;
    w.panels = ps__panels_of(w.dy.shape[PS__IMAGE_C] / w.groups, w.tiles);
    return run_images(lane, &w);
}
