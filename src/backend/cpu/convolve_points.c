/* Convolutions in which each pixel is by itself: one tap, no padding, windows one pixel apart.
 *
 * They are products of matrices: rows are channels of the result, columns the pixels of all images, one
 * behind the other, so that small images fill their tiles. A tile inside of one image reads it
 * where it lies. One that has pixels of two is packed; so are all where channels lie at distances
 * that caches do not like. */
#include "backend/cpu/convolve.h"

#include <string.h>

static int64_t pixels_of(const ps__image *image)
{
    return image->shape[PS__IMAGE_H] * image->shape[PS__IMAGE_W];
}

static int64_t all_pixels(const ps__convolving *c)
{
    return c->in.shape[PS__IMAGE_N] * pixels_of(&c->in);
}

/* Whether the pixels of a channel lie side by side. */
static bool is_even(const ps__image *image, int64_t item)
{
    return image->strides[PS__IMAGE_W] == item &&
           image->strides[PS__IMAGE_H] == image->shape[PS__IMAGE_W] * item;
}

bool ps__points_suit(const ps__windows *windows, const ps__convolving *c)
{
    const int64_t *kernel = c->weight.shape;
    bool alone = kernel[PS__IMAGE_H] == 1 && kernel[PS__IMAGE_W] == 1 && windows->stride[0] == 1 &&
                 windows->stride[1] == 1 && windows->padding[0] == 0 && windows->padding[1] == 0;
    return alone && is_even(&c->in, (int64_t)c->item) && is_even(&c->out, (int64_t)c->item);
}

void ps__points_measure(ps__convolving *c)
{
    int64_t tiles = (all_pixels(c) + c->tiles->columns - 1) / c->tiles->columns;
    c->depth = c->channels;
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

int64_t ps__points_room(const ps__convolving *c)
{
    return c->block * c->depth * c->tiles->columns;
}

void ps__points_steps(const ps__convolving *c)
{
    int64_t channel = c->in.strides[PS__IMAGE_C] / (int64_t)c->item;
    for (int64_t k = 0; k < c->depth; k++) {
        c->at[k] = k * channel;
        c->packed_at[k] = k * c->tiles->columns;
    }
}

/* ---- tiles ------------------------------------------------------------------------------- */

/* The pixels of a tile, from `first` on. */
static int64_t tile_count(const ps__convolving *c, int64_t first)
{
    return MIN(c->tiles->columns, all_pixels(c) - first);
}

static bool is_inside(const ps__convolving *c, int64_t first)
{
    int64_t pixels = pixels_of(&c->in), columns = c->tiles->columns;
    return first % pixels + columns <= pixels;
}

/* Copies so many channels of the pixels between an image and a tile. */
static void copy_pixels(const ps__convolving *c, const ps__image *image, int64_t channel,
                        int64_t channels, int64_t first, char *tile, bool back)
{
    int64_t pixels = pixels_of(image), end = first + tile_count(c, first), next;
    int64_t item = (int64_t)c->item, row = c->tiles->columns * item;
    for (int64_t at = first; at < end; at = next) {
        next = MIN(end, (at / pixels + 1) * pixels);
        char *there = ps__image_at(image, at / pixels, channel) + at % pixels * item;
        char *here = tile + (at - first) * item;
        int64_t stride = image->strides[PS__IMAGE_C];
        ps__kernels_get()->copy2d[c->log]((size_t)channels, (size_t)(next - at),
                                          back ? there : here, back ? stride : row, item,
                                          back ? here : there, back ? row : stride, item);
    }
}

/* Where a tile is read, and how far its rows are apart. */
typedef struct point_tile {
    const char *data;
    const int64_t *at;
} point_tile;

static point_tile find_tile(const ps__convolving *c, int64_t group, int64_t first, char *room)
{
    int64_t channel = group * c->channels, pixels = pixels_of(&c->in);
    if (is_inside(c, first) && !ps__is_crowded(c->in.strides[PS__IMAGE_C]))
        return (point_tile){ps__image_at(&c->in, first / pixels, channel) +
                                first % pixels * (int64_t)c->item,
                            c->at};
    return (point_tile){room, c->packed_at};
}

static void run_tile(const ps__convolving *c, int64_t group, int64_t panel, int64_t first,
                     const point_tile *tile, char *stage)
{
    int64_t columns = c->tiles->columns, item = (int64_t)c->item, pixels = pixels_of(&c->out);
    int64_t rows = ps__panel_rows(&c->panels, panel), channel = ps__panel_first(c, group, panel);
    bool straight = is_inside(c, first);
    char *out = ps__image_at(&c->out, first / pixels, channel) + first % pixels * item;
    c->tiles->run[rows - 1](&(ps__tile){
        .depth = c->depth,
        .a = ps__panel_weights(c, group, panel),
        .a_step = c->panels.step,
        .b = tile->data,
        .at = tile->at,
        .c = straight ? out : stage,
        .c_row = straight ? c->out.strides[PS__IMAGE_C] / item : columns,
        .start = ps__panel_start(c, group, panel),
    });
    if (!straight)
        copy_pixels(c, &c->out, channel, rows, first, stage, true);
}

void ps__points_run(const ps__convolving *c, int64_t index, char *room, char *stage)
{
    int64_t share = index % c->shares, block = index / c->shares % c->blocks;
    int64_t group = index / c->shares / c->blocks, columns = c->tiles->columns;
    int64_t begin = block * c->block * columns;
    int64_t end = MIN(begin + c->block * columns, all_pixels(c));
    int64_t bytes = c->depth * columns * (int64_t)c->item;
    for (int64_t first = begin; first < end; first += columns) {
        char *tile = room + (first - begin) / columns * bytes;
        if (find_tile(c, group, first, tile).data != tile)
            continue;
        if (tile_count(c, first) < columns)
            memset(tile, 0, (size_t)bytes);
        copy_pixels(c, &c->in, group * c->channels, c->channels, first, tile, false);
    }
    for (int64_t panel = share; panel < c->panels.count; panel += c->shares)
        for (int64_t first = begin; first < end; first += columns) {
            point_tile tile = find_tile(c, group, first, room + (first - begin) / columns * bytes);
            run_tile(c, group, panel, first, &tile, stage);
        }
}
