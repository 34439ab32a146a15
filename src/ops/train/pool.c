/* Pooling of images: max_pool2d, avg_pool2d, what flows back through them, and global pools. */
#include "base/error.h"
#include "ops/train/windows.h"

#include <inttypes.h>

/* ---- reading ------------------------------------------------------------------------------- */

/* Where a row has its arguments: `kernel` is followed by stride, padding, ceil_mode; means have
 * count_include_pad next; the layout is last. */
typedef struct pool {
    const ps__bound_call *call;
    unsigned tensors, kernel;
    bool last, up;
    ps__lengths large, small; /* what windows lie over; one element for each */
    ps__work_pool work;
} pool;

static bool is_mean(ps__pool_pass pass)
{
    return pass == PS__POOL_AVERAGE || pass == PS__POOL_SHARE;
}

static ps_status read_windows(pool *p, ps__pool_pass pass)
{
    const ps__bound_call *call = p->call;
    unsigned stride = p->kernel + 1, padding = stride + 1, ceil = padding + 1, include = ceil + 1;
    ps__work_pool *work = &p->work;
    ps__windows *windows = &work->windows;
    p->last = ps__channels_last(&call->args[call->op->nargs - 1]);
    p->up = call->args[ceil].as.boolean;
    *work = (ps__work_pool){.head = PS__WORK_HEAD(POOL, ps__work_pool),
                            .pass = (int32_t)pass,
                            .channels_last = p->last,
                            .padded = is_mean(pass) && call->args[include].as.boolean,
                            .windows.dilation = {1, 1}};
    ps_status status = ps__pair_read(call, p->kernel, 1, 1, work->kernel);
    if (status == PS_OK)
        status = ps__pair_read(call, stride, 0, 1, windows->stride);
    if (status == PS_OK)
        status = ps__pair_read(call, padding, 0, 0, windows->padding);
    for (int i = 0; i < 2 && status == PS_OK; i++) {
        if (call->args[stride].kind == PS_ARG_NONE)
            windows->stride[i] = work->kernel[i];
        if (windows->padding[i] >= work->kernel[i])
            status = ps__fail(PS_ERR_ARGUMENT,
                              "%s: padding %" PRId64 " is not less than the kernel, %" PRId64,
                              call->op->row.name, windows->padding[i], work->kernel[i]);
    }
    for (unsigned i = 0; i < p->tensors && status == PS_OK; i++)
        status = ps__image_check(call, i, PS__IMAGE_NDIM);
    return status;
}

static ps_status find_small(pool *p)
{
    ps_status status = PS_OK;
    p->small = p->large;
    for (int i = 0; i < 2 && status == PS_OK; i++) {
        if (p->large.at[PS__H + i] == 0)
            status = ps__fail(PS_ERR_ARGUMENT, "%s: there are no pixels in shape %s",
                              p->call->op->row.name, ps__shape_text(PS__IMAGE_NDIM, p->large.at));
        else
            status = ps__window_count(p->call, &p->work.windows, i, p->large.at[PS__H + i],
                                      p->work.kernel[i], p->up, &p->small.at[PS__H + i]);
    }
    return status;
}

/* Windows over argument `index`. */
static ps_status read_pool(pool *p, ps__pool_pass pass, unsigned index)
{
    ps_status status = read_windows(p, pass);
    if (status != PS_OK)
        return status;
    p->large = ps__image_lengths(ps__shape(p->call->args[index].as.tensor), p->last);
    return find_small(p);
}

/* ---- submitting ---------------------------------------------------------------------------- */

static ps_status submit(const pool *p, const ps__lengths *image)
{
    const ps__bound_call *call = p->call;
    const ps__home *home;
    ps_tensor *input[2] = {NULL};
    int64_t count;
    ps__lengths result = ps__image_shape(image, p->last);
    ps_dtype dtype = ps__images_type(call, p->tensors);
    ps_status status = ps__common_home(call, &home);
    if (status == PS_OK)
        status = ps__shape_check(call->op->row.name, dtype, PS__IMAGE_NDIM, result.at, &count);
    if (status != PS_OK)
        return status;
    if (ps__images_convert(call, p->tensors))
        return ps__images_converted(call, p->tensors, &result);
    double pixels = 1;
    for (int i = 0; i < PS__IMAGE_NDIM; i++)
        pixels *= (double)p->large.at[i];
    for (unsigned i = 0; i < p->tensors; i++)
        input[i] = call->args[i].as.tensor;
    ps__job job = {.call = call,
                   .work = &p->work.head,
                   .input = input,
                   .inputs = p->tensors,
                   .cost_ns = 2000 + (uint64_t)(2 * pixels)};
    return ps__submit_output(&job, home, dtype, PS__IMAGE_NDIM, result.at);
}

/* ---- maxima -------------------------------------------------------------------------------- */

ps_status ps__op_max_pool2d(const ps__bound_call *call)
{
    pool p = {.call = call, .tensors = 1, .kernel = 1};
    ps_status status = read_pool(&p, PS__POOL_LARGEST, 0);
    return status == PS_OK ? submit(&p, &p.small) : status;
}

ps_status ps__op_max_pool2d_pick(const ps__bound_call *call)
{
    pool p = {.call = call, .tensors = 2, .kernel = 2};
    ps_status status = read_pool(&p, PS__POOL_PICK, 1);
    ps__lengths expected = ps__image_shape(&p.large, p.last);
    if (status == PS_OK)
        status = ps__image_expect(call, 0, &expected);
    return status == PS_OK ? submit(&p, &p.small) : status;
}

ps_status ps__op_max_pool2d_data(const ps__bound_call *call)
{
    pool p = {.call = call, .tensors = 2, .kernel = 2};
    ps_status status = read_pool(&p, PS__POOL_SPREAD, 1);
    ps__lengths expected = ps__image_shape(&p.small, p.last);
    if (status == PS_OK)
        status = ps__image_expect(call, 0, &expected);
    return status == PS_OK ? submit(&p, &p.large) : status;
}

/* ---- means --------------------------------------------------------------------------------- */

ps_status ps__op_avg_pool2d(const ps__bound_call *call)
{
    pool p = {.call = call, .tensors = 1, .kernel = 1};
    ps_status status = read_pool(&p, PS__POOL_AVERAGE, 0);
    return status == PS_OK ? submit(&p, &p.small) : status;
}

ps_status ps__op_avg_pool2d_data(const ps__bound_call *call)
{
    pool p = {.call = call, .tensors = 1, .kernel = 2};
    ps__lengths shape, expected;
    ps_status status = read_windows(&p, PS__POOL_SHARE);
    if (status == PS_OK)
        status = ps__lengths_read(call, 1, shape.at);
    if (status != PS_OK)
        return status;
    p.large = ps__image_lengths(shape.at, p.last);
    status = find_small(&p);
    expected = ps__image_shape(&p.small, p.last);
    if (status == PS_OK)
        status = ps__image_expect(call, 0, &expected);
    return status == PS_OK ? submit(&p, &p.large) : status;
}

/* ---- all pixels of a channel ---------------------------------------------------------------- */

static ps_status pool_all(const ps__bound_call *call, const char *row)
{
    ps__compose c;
    bool last = ps__channels_last(&call->args[1]);
    int64_t axes[2] = {last ? 1 : 2, last ? 2 : 3};
    ps__compose_begin(&c, call);
    if (ps__compose_fine(&c))
        c.status = ps__image_check(call, 0, PS__IMAGE_NDIM);
    if (ps__compose_fine(&c))
        PS__GIVE(&c, row, call->args[0], ps__arg_ints(2, axes), ps__arg_bool(true));
    return ps__compose_end(&c);
}

ps_status ps__op_global_max_pool2d(const ps__bound_call *call)
{
    return pool_all(call, "max");
}

ps_status ps__op_global_avg_pool2d(const ps__bound_call *call)
{
    return pool_all(call, "mean");
}
