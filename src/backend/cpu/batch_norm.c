/* Normalised channels and their gradients: see PS__WORK_BATCH_NORM in work.h. A channel belongs to one
 * thread, which finds most of it in its cache when it comes the second time. */
#include "backend/cpu/batch_norm.h"

#include "kernels/norm.h"

#include <math.h>
#include <string.h>

enum {
    PIECE = 1 << 15
}; /* elements; channels are divided among threads in pieces of about these */

typedef struct channels {
    const ps__norm_kernels *kernels;
    const ps__work_batch_norm *work;
    const ps__operand *operands;
    const char *gamma, *beta; /* NULL: there is none */
    ps_dtype dtype;
    size_t item, inner; /* bytes of an element; elements of a run */
} channels;

/* How many elements a channel has, their mean, and the sum of squared distances from it. */
typedef struct moments {
    double count, mean, squares;
} moments;

static channels channels_of(const ps__work_batch_norm *work, const ps__operand *operands)
{
    ps_dtype dtype = (ps_dtype)operands[0].dtype;
    return (channels){.kernels = ps__norm_kernels_of(ps__kernels_get(), dtype),
                      .work = work,
                      .operands = operands,
                      .gamma = work->gamma != 0 ? operands[work->gamma].data : NULL,
                      .beta = work->beta != 0 ? operands[work->beta].data : NULL,
                      .dtype = dtype,
                      .item = ps__dtype_bytes(dtype),
                      .inner = (size_t)work->inner};
}

static ps_status split_channels(const ps__lane *lane, channels *c, ps_loop_fn body)
{
    const ps__work_batch_norm *w = c->work;
    int64_t each = w->outer * w->inner; /* 0 only if there are no channels */
    size_t grain = each == 0 || each >= PIECE ? 1 : (size_t)(PIECE / each);
    return ps__split(lane, (size_t)w->channels, grain, body, c);
}

/* Where a run of a channel begins in an operand. */
static char *run_at(const channels *c, unsigned operand, int64_t outer, size_t channel)
{
    size_t run = (size_t)(outer * c->work->channels) + channel;
    return c->operands[operand].data + run * c->inner * c->item;
}

static double number_at(const channels *c, const char *numbers, size_t channel, double otherwise)
{
    if (numbers == NULL)
        return otherwise;
    return ps__scalar_load(c->dtype, numbers + channel * c->item).as.d;
}

static void put_number(const channels *c, unsigned operand, size_t channel, double number)
{
    ps__element element;
    ps__scalar_cast((ps_scalar){PS_SCALAR_DOUBLE, {.d = number}}, c->dtype, &element);
    memcpy(c->operands[operand].data + channel * c->item, &element, c->item);
}

/* Joins the moments of a run to those of all before it. */
static void join_run(const channels *c, const char *x, moments *all)
{
    double n = (double)c->inner, mean = c->kernels->sum(c->inner, x) / n;
    double squares = c->kernels->squares(c->inner, x, mean);
    double count = all->count + n, apart = mean - all->mean;
    all->squares += squares + apart * apart * all->count * n / count;
    all->mean += apart * n / count;
    all->count = count;
}

static ps_status norm_channels(size_t begin, size_t end, void *arg)
{
    enum { X = 3 };
    const channels *c = arg;
    for (size_t i = begin; i < end; i++) {
        moments all = {0, 0, 0};
        for (int64_t o = 0; o < c->work->outer; o++)
            join_run(c, run_at(c, X, o, i), &all);
        double variance = all.squares / all.count;
        double gamma = number_at(c, c->gamma, i, 1), beta = number_at(c, c->beta, i, 0);
        for (int64_t o = 0; o < c->work->outer; o++) {
            ps__norm_part part = {c->inner, run_at(c, X, o, i), all.mean,
                                  1 / sqrt(variance + c->work->eps)};
            c->kernels->by_numbers(&part, gamma, beta, run_at(c, 0, o, i));
        }
        put_number(c, 1, i, all.mean);
        put_number(c, 2, i, variance);
    }
    return PS_OK;
}

PS__CPU_RUN(batch_norm)
{
    (void)count;
    const ps__work_batch_norm *w = (const ps__work_batch_norm *)work;
    if (w->block != 0)
        return ps__batch_norm_columns(lane, w, operands);
    channels c = channels_of(w, operands);
    return split_channels(lane, &c, norm_channels);
}

/* ---- back -------------------------------------------------------------------------------- */

static void back_channel(const channels *c, size_t i)
{
    double variance = number_at(c, c->operands[PS__NORM_VAR].data, i, 0), sums[2] = {0, 0},
           means[2];
    double count = (double)(c->work->outer * c->work->inner);
    ps__norm_part part = {.n = c->inner,
                          .mean = number_at(c, c->operands[PS__NORM_MEAN].data, i, 0),
                          .scale = 1 / sqrt(variance + c->work->eps)};
    for (int64_t o = 0; o < c->work->outer; o++) {
        double run[2];
        part.x = run_at(c, PS__NORM_X, o, i);
        c->kernels->back_sums(&part, run_at(c, PS__NORM_FLOW, o, i), NULL, run);
        sums[0] += run[0];
        sums[1] += run[1];
    }
    means[0] = sums[0] / count;
    means[1] = sums[1] / count;
    double factor = number_at(c, c->gamma, i, 1) * part.scale;
    for (int64_t o = 0; o < c->work->outer; o++) {
        part.x = run_at(c, PS__NORM_X, o, i);
        c->kernels->back(&part, run_at(c, PS__NORM_FLOW, o, i), NULL, means, factor,
                         run_at(c, 0, o, i));
    }
    put_number(c, 1, i, sums[1]);
    put_number(c, 2, i, sums[0]);
}

static ps_status back_channels(size_t begin, size_t end, void *arg)
{
    for (size_t i = begin; i < end; i++)
        back_channel(arg, i);
    return PS_OK;
}

PS__CPU_RUN(batch_norm_back)
{
    (void)count;
    const ps__work_batch_norm *w = (const ps__work_batch_norm *)work;
    if (w->block != 0)
        return ps__batch_norm_columns_back(lane, w, operands);
    channels c = channels_of(w, operands);
    return split_channels(lane, &c, back_channels);
}
