/* Normalised groups of channels and their gradients: see PS__WORK_GROUP_NORM in work.h. A group of one
 * place belongs to one thread, which finds it in its cache when it comes again. */
#include "backend/cpu/cpu.h"

#include "kernels/norm.h"
#include "memory/memory.h"

#include <math.h>
#include <string.h>

enum { PIECE = 1 << 14 }; /* elements; groups are divided among threads in pieces of about these */

typedef struct groups {
    const ps__norm_kernels *kernels;
    const ps__work_group_norm *work;
    ps_dtype dtype;
    size_t channels, inner, item;        /* of a group; elements of a channel; bytes of one */
    const char *x, *flow, *gamma, *beta; /* NULL: there is none */
    char *out;
    double *plain, *along; /* of each channel of each place: what flows to it, and to its scale */
} groups;

static groups groups_of(const ps__work_group_norm *work, const ps__operand *operands,
                        const ps__operand *x)
{
    ps_dtype dtype = (ps_dtype)operands[0].dtype;
    return (groups){.kernels = ps__norm_kernels_of(ps__kernels_get(), dtype),
                    .work = work,
                    .dtype = dtype,
                    .channels = (size_t)work->channels,
                    .inner = (size_t)work->inner,
                    .item = ps__dtype_bytes(dtype),
                    .x = x->data,
                    .gamma = work->gamma != 0 ? operands[work->gamma].data : NULL,
                    .beta = work->beta != 0 ? operands[work->beta].data : NULL,
                    .out = operands[0].data};
}

static ps_status split_groups(const ps__lane *lane, groups *g, ps_loop_fn body)
{
    size_t each = g->channels * g->inner, grain = each >= PIECE ? 1 : PIECE / each;
    return ps__split(lane, (size_t)(g->work->outer * g->work->groups), grain, body, g);
}

/* The number of channel `at` of all groups. */
static double number_at(const groups *g, const char *numbers, size_t at, double otherwise)
{
    double number;
    if (numbers == NULL)
        return otherwise;
    ps__kernels_get()->cast[g->dtype][PS_FLOAT64](1, &number, numbers + at * g->item);
    return number;
}

/* The elements of a group: `unit` counts through the groups of all places. */
static ps__norm_part normalise(const groups *g, size_t unit)
{
    size_t n = g->channels * g->inner;
    ps__norm_part part = {.n = n, .x = g->x + unit * n * g->item};
    part.mean = g->kernels->sum(n, part.x) / (double)n;
    part.scale = 1 / sqrt(g->kernels->squares(n, part.x, part.mean) / (double)n + g->work->eps);
    return part;
}

/* Channel k of it. */
static ps__norm_part channel_of(const groups *g, const ps__norm_part *whole, size_t k)
{
    ps__norm_part part = *whole;
    part.n = g->inner;
    part.x = (const char *)whole->x + k * g->inner * g->item;
    return part;
}

static ps_status norm_groups(size_t begin, size_t end, void *arg)
{
    const groups *g = arg;
    for (size_t unit = begin; unit < end; unit++) {
        ps__norm_part whole = normalise(g, unit);
        size_t first = unit % (size_t)g->work->groups * g->channels;
        for (size_t k = 0; k < g->channels; k++) {
            ps__norm_part part = channel_of(g, &whole, k);
            g->kernels->by_numbers(&part, number_at(g, g->gamma, first + k, 1),
                                   number_at(g, g->beta, first + k, 0),
                                   g->out + (unit * g->channels + k) * g->inner * g->item);
        }
    }
    return PS_OK;
}

PS__CPU_RUN(group_norm)
{
    (void)count;
    groups g = groups_of((const ps__work_group_norm *)work, operands, &operands[1]);
    return split_groups(lane, &g, norm_groups);
}

/* ---- back -------------------------------------------------------------------------------- */

static void back_group(const groups *g, size_t unit)
{
    ps__norm_part whole = normalise(g, unit);
    size_t first = unit % (size_t)g->work->groups * g->channels, at = unit * g->channels;
    double means[2] = {0, 0}, count = (double)whole.n;
    for (size_t k = 0; k < g->channels; k++) {
        ps__norm_part part = channel_of(g, &whole, k);
        double sums[2], gamma = number_at(g, g->gamma, first + k, 1);
        g->kernels->back_sums(&part, g->flow + (at + k) * g->inner * g->item, NULL, sums);
        g->plain[at + k] = sums[0];
        g->along[at + k] = sums[1];
        means[0] += gamma * sums[0] / count;
        means[1] += gamma * sums[1] / count;
    }
    for (size_t k = 0; k < g->channels; k++) {
        ps__norm_part part = channel_of(g, &whole, k);
        size_t place = (at + k) * g->inner * g->item;
        g->kernels->back_scaled(&part, g->flow + place, number_at(g, g->gamma, first + k, 1), means,
                                g->out + place);
    }
}

static ps_status back_groups(size_t begin, size_t end, void *arg)
{
    for (size_t unit = begin; unit < end; unit++)
        back_group(arg, unit);
    return PS_OK;
}

/* The numbers of each channel, added up over all places in order, at `sums` first. */
static void add_places(const groups *g, const double *numbers, double *sums, char *out)
{
    size_t channels = (size_t)g->work->groups * g->channels;
    memset(sums, 0, channels * sizeof *sums);
    for (size_t i = 0; i < (size_t)g->work->outer; i++)
        for (size_t k = 0; k < channels; k++)
            sums[k] += numbers[i * channels + k];
    ps__kernels_get()->cast[PS_FLOAT64][g->dtype](channels, out, sums);
}

PS__CPU_RUN(group_norm_back)
{
    (void)count;
    const ps__work_group_norm *w = (const ps__work_group_norm *)work;
    groups g = groups_of(w, operands, &operands[3]);
    size_t channels = (size_t)w->groups * g.channels, all = (size_t)w->outer * channels;
    size_t bytes = (size_t)work->scratch + channels * sizeof(double);
    void *room;
    if (ps_memory_alloc(bytes, &room) != PS_OK)
        return ps_task_fail(lane->self, PS_ERR_MEMORY, "%s: no memory for sums of %zu channels",
                            lane->name, channels);
    g.flow = operands[4].data;
    g.plain = (double *)room + channels;
    g.along = g.plain + all;
    ps_status status = split_groups(lane, &g, back_groups);
    if (status == PS_OK) {
        add_places(&g, g.along, room, operands[1].data);
        add_places(&g, g.plain, room, operands[2].data);
    }
    ps_memory_free(room, bytes);
    return status;
}
