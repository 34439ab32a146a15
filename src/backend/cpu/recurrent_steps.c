/* The steps of a track by tiles of products (kernels.h): see recurrent.h.
 *
 * Rows of a tile are sequences, its columns hidden units. For each group of units the weights of all
 * gates are packed, once for all steps; the operands of a step are packed as it comes. A group's products
 * stay in the first-level cache until its cells have used them.
 *
 * Sequences do not meet, so threads take blocks of them through all steps, without waiting for each
 * other. Where there are too few of them, they take groups of units of each step. */
#include "backend/cpu/recurrent.h"

#include "memory/memory.h"

#include <string.h>

#define MIN(x, y) ((x) < (y) ? (x) : (y))
#define MAX(x, y) ((x) > (y) ? (x) : (y))

enum {
    LEAST_ROWS = 4,  /* sequences that are worth a thread for all steps */
    PIECE = 1 << 19, /* multiplications that are worth one in a step */
    PACKED = 1 << 15 /* elements, of weights that are packed */
};

/* ---- where things lie ---------------------------------------------------------------------- */

static int64_t weight_elements(const ps__steps *h)
{
    return h->sides * h->depth * h->tiles->columns;
}

static int64_t sent_elements(const ps__steps *h)
{
    return PS__TILE_ROWS * h->sides * h->tiles->columns;
}

static char *weight_at(const ps__steps *h, int64_t group)
{
    return h->weight + group * weight_elements(h) * h->track->item;
}

static char *packed_at(const ps__steps *h, int64_t block)
{
    return h->packed + block * h->blocks.step * h->depth * h->track->item;
}

/* ---- packing ------------------------------------------------------------------------------- */

static ps_status pack_groups(size_t begin, size_t end, void *arg)
{
    const ps__steps *h = arg;
    const ps__track *t = h->track;
    int64_t columns = h->tiles->columns, item = t->item;
    size_t panel = (size_t)(h->depth * columns * item);
    for (int64_t group = (int64_t)begin; group < (int64_t)end; group++) {
        char *to = weight_at(h, group);
        int64_t first = group * columns, units = MIN(columns, t->w->hidden - first);
        for (int64_t side = 0; side < h->sides; side++, to += panel) {
            if (units < columns)
                memset(to, 0, panel);
            t->kernels->copy2d[h->log]((size_t)h->depth, (size_t)units, to, columns * item, item,
                                       t->weights[1] + (side * t->w->hidden * t->w->hidden +
                                                        first * h->unit_step) *
                                                           item,
                                       h->depth_step * item, h->unit_step * item);
        }
    }
    return PS_OK;
}

/* The rows that are packed for a block begin before it where they would end behind `end`: whole lines
 * are copied faster. */
static int64_t packed_first(const ps__steps *h, int64_t block, int64_t begin, int64_t end)
{
    return MIN(block * h->blocks.each, MAX(begin, end - h->blocks.step));
}

/* ---- products ------------------------------------------------------------------------------ */

/* Blocks [begin, end), which are rows [first, last), and groups of units. */
typedef struct area {
    int64_t begin, end, first, last;
    int64_t group, groups_end;
    char *sent;
} area;

static area area_of(const ps__steps *h, int64_t begin, int64_t end)
{
    const ps__panels *blocks = &h->blocks;
    return (area){.begin = begin,
                  .end = end,
                  .first = begin * blocks->each,
                  .last = MIN(end * blocks->each, blocks->rows),
                  .groups_end = h->groups,
                  .sent = h->sent};
}

static void pack_blocks(const ps__steps *h, const area *a, ps__rows from)
{
    int64_t item = h->track->item, step = h->blocks.step;
    for (int64_t block = a->begin; block < a->end && from.data != NULL; block++) {
        int64_t first = packed_first(h, block, a->first, a->last);
        h->track->kernels->copy2d[h->log]((size_t)MIN(step, a->last - first), (size_t)h->depth,
                                          packed_at(h, block), item, step * item,
                                          from.data + first * from.stride * item,
                                          from.stride * item, item);
    }
}

static void multiply(const ps__steps *h, const area *a, int64_t block, int64_t group)
{
    int64_t item = h->track->item, columns = h->tiles->columns;
    int64_t shift = block * h->blocks.each - packed_first(h, block, a->first, a->last);
    for (int64_t side = 0; side < h->sides; side++)
        h->tiles->run[ps__panel_rows(&h->blocks, block) - 1](&(ps__tile){
            .depth = h->depth,
            .a = packed_at(h, block) + shift * item,
            .a_row = 1,
            .a_step = h->blocks.step,
            .b = weight_at(h, group) + side * h->depth * columns * item,
            .at = h->at,
            .c = a->sent + side * columns * item,
            .c_row = h->sides * columns,
        });
}

static void run_area(const ps__steps *h, const area *a, int64_t index)
{
    int64_t columns = h->tiles->columns;
    bool sends = h->from(h->arg, index).data != NULL;
    ps__step step = {.index = index,
                     .sent = a->sent,
                     .sent_row = h->sides * columns,
                     .sent_apart = columns};
    for (int64_t group = a->group; group < a->groups_end; group++)
        for (int64_t block = a->begin; block < a->end; block++) {
            step.row = block * h->blocks.each;
            step.rows = ps__panel_rows(&h->blocks, block);
            step.unit = group * columns;
            step.units = MIN(columns, h->track->w->hidden - step.unit);
            if (sends)
                multiply(h, a, block, group);
            h->step(h->arg, &step);
        }
}

/* ---- threads ------------------------------------------------------------------------------- */

static int64_t part_begin(int64_t count, int64_t pieces, size_t piece)
{
    return count * (int64_t)piece / pieces;
}

/* Blocks of sequences, through all steps. */
static ps_status run_blocks(size_t begin, size_t end, void *arg)
{
    const ps__steps *h = arg;
    for (size_t i = begin; i < end; i++) {
        area a = area_of(h, part_begin(h->blocks.count, h->pieces, i),
                         part_begin(h->blocks.count, h->pieces, i + 1));
        a.sent += (int64_t)i * sent_elements(h) * h->track->item;
        for (int64_t step = 0; step < h->count && a.begin < a.end; step++) {
            pack_blocks(h, &a, h->from(h->arg, step));
            run_area(h, &a, step);
        }
    }
    return PS_OK;
}

/* Groups of units, in one step. */
static ps_status run_groups(size_t begin, size_t end, void *arg)
{
    const ps__steps *h = arg;
    for (size_t i = begin; i < end; i++) {
        area a = area_of(h, 0, h->blocks.count);
        a.group = part_begin(h->groups, h->pieces, i);
        a.groups_end = part_begin(h->groups, h->pieces, i + 1);
        a.sent += (int64_t)i * sent_elements(h) * h->track->item;
        run_area(h, &a, h->now);
    }
    return PS_OK;
}

ps_status ps__steps_run(ps__steps *h)
{
    const ps__lane *lane = h->track->lane;
    if (h->blocks.rows == 0)
        return PS_OK;
    size_t together = (size_t)(PACKED / weight_elements(h) + 1);
    ps_status status = ps__split(lane, (size_t)h->groups, together, pack_groups, h);
    if (h->by_blocks && status == PS_OK)
        return ps__split(lane, (size_t)h->pieces, 1, run_blocks, h);
    area all = area_of(h, 0, h->blocks.count);
    for (h->now = 0; h->now < h->count && status == PS_OK; h->now++) {
        pack_blocks(h, &all, h->from(h->arg, h->now));
        status = ps__split(lane, (size_t)h->pieces, 1, run_groups, h);
    }
    return status;
}

/* ---- the beginning and the end ------------------------------------------------------------- */

static void cut(ps__steps *h, unsigned workers)
{
    const ps__work_recurrent *w = h->track->w;
    double work = (double)w->batch * (double)(h->sides * h->depth) * (double)w->hidden;
    double most = work / PIECE;
    h->by_blocks = w->batch >= LEAST_ROWS * (int64_t)workers;
    h->pieces = h->by_blocks ? (int64_t)workers : MIN((int64_t)workers, h->groups);
    if (h->by_blocks)
        most *= (double)w->steps;
    if (most < (double)h->pieces)
        h->pieces = most < 1 ? 1 : (int64_t)most;
    int64_t rows = h->by_blocks ? (w->batch + h->pieces - 1) / h->pieces : w->batch;
    h->blocks = ps__panels_of(MAX(rows, 1), h->tiles);
    h->blocks.rows = w->batch;
    h->blocks.count = (w->batch + h->blocks.each - 1) / h->blocks.each;
}

ps_status ps__steps_begin(ps__steps *h, const ps__track *track, ps__steps_way way)
{
    unsigned workers;
    size_t bytes = 0;
    int64_t hidden = track->w->hidden;
    bool back = way == PS__STEPS_BACK;
    ps_status status = ps_engine_workers(track->lane->engine, &workers);
    if (status != PS_OK)
        return status;
    *h = (ps__steps){.track = track,
                     .tiles = &track->kernels->tiles[track->dtype],
                     .log = (unsigned)__builtin_ctzll((unsigned long long)track->item),
                     .sides = back ? 1 : track->rows / hidden,
                     .depth = back ? track->rows : hidden,
                     .unit_step = back ? 1 : hidden,
                     .depth_step = back ? hidden : 1};
    h->groups = (hidden + h->tiles->columns - 1) / h->tiles->columns;
    cut(h, workers);
    size_t at = ps__part(&bytes, h->depth, sizeof *h->at), item = (size_t)track->item;
    size_t weight = ps__part(&bytes, h->groups * weight_elements(h), item);
    size_t packed = ps__part(&bytes, h->blocks.count * h->blocks.step * h->depth, item);
    size_t sent = ps__part(&bytes, h->pieces * sent_elements(h), item);
    status = ps_memory_alloc(bytes, &h->memory);
    if (status != PS_OK)
        return status;
    h->bytes = bytes;
    h->at = (int64_t *)(void *)((char *)h->memory + at);
    h->weight = (char *)h->memory + weight;
    h->packed = (char *)h->memory + packed;
    h->sent = (char *)h->memory + sent;
    for (int64_t k = 0; k < h->depth; k++)
        h->at[k] = k * h->tiles->columns;
    return PS_OK;
}

void ps__steps_end(ps__steps *h)
{
    ps_memory_free(h->memory, h->bytes);
}
