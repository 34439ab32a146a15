/* Convolutions of images, conv2d; what flows back through one, conv2d_data and conv2d_weight, each of
 * which is the gradient of the others; and what is made of them: conv2d_transpose, conv1d. */
#include "base/error.h"
#include "ops/train/windows.h"

#include <inttypes.h>
#include <string.h>

/* Arguments of conv2d; the others have a shape in the place of the bias. */
enum { FIRST, SECOND, BIAS, STRIDE, PADDING, DILATION, GROUPS, LAYOUT };

enum { O, I }; /* the first lengths of weights */

/* Shapes of a convolution, in the order N, C, H, W; and the work. */
typedef struct conv {
    const ps__bound_call *call;
    ps__lengths x, weight, y;
    bool last; /* images have channels last */
    ps__work_convolve work;
} conv;

/* ---- reading ------------------------------------------------------------------------------- */

static ps_status read_windows(conv *c, ps__convolve_pass pass)
{
    const ps__bound_call *call = c->call;
    ps__windows *windows = &c->work.windows;
    c->last = ps__channels_last(&call->args[LAYOUT]);
    c->work = (ps__work_convolve){.head = PS__WORK_HEAD(CONVOLVE, ps__work_convolve),
                                  .pass = (int32_t)pass,
                                  .channels_last = c->last,
                                  .groups = call->args[GROUPS].as.integer};
    ps_status status = ps__pair_read(call, STRIDE, 1, 1, windows->stride);
    if (status == PS_OK)
        status = ps__pair_read(call, PADDING, 0, 0, windows->padding);
    if (status == PS_OK)
        status = ps__pair_read(call, DILATION, 1, 1, windows->dilation);
    if (status == PS_OK)
        status = ps__image_check(call, FIRST, PS__IMAGE_NDIM);
    return status == PS_OK ? ps__image_check(call, SECOND, PS__IMAGE_NDIM) : status;
}

/* The shape of an operand that is images, or of one that is weights. */
static ps__lengths images_of(const conv *c, unsigned index)
{
    return ps__image_lengths(ps__shape(c->call->args[index].as.tensor), c->last);
}

static ps__lengths weights_of(const conv *c, unsigned index)
{
    return ps__image_lengths(ps__shape(c->call->args[index].as.tensor), false);
}

static ps_status check_groups(const conv *c)
{
    const char *name = c->call->op->row.name;
    int64_t groups = c->work.groups, channels = c->x.at[PS__C];
    if (groups < 1)
        return ps__fail(PS_ERR_ARGUMENT, "%s: groups is %" PRId64 ", it must be at least 1", name,
                        groups);
    if (channels % groups != 0 || c->weight.at[O] % groups != 0)
        return ps__fail(PS_ERR_ARGUMENT,
                        "%s: %" PRId64 " channels, and weights for %" PRId64
                        ", do not divide into %" PRId64 " groups",
                        name, channels, c->weight.at[O], groups);
    if (c->weight.at[I] != channels / groups)
        return ps__fail(PS_ERR_ARGUMENT,
                        "%s: weights of shape %s are for %" PRId64 " channels in each of %" PRId64
                        " groups, not for %" PRId64 " of %" PRId64,
                        name, ps__shape_text(PS__IMAGE_NDIM, c->weight.at), c->weight.at[I], groups,
                        channels / groups, channels);
    return PS_OK;
}

/* The shape of y, from those of x and the weights. */
static ps_status find_result(conv *c)
{
    ps_status status = check_groups(c);
    c->y.at[PS__N] = c->x.at[PS__N];
    c->y.at[PS__C] = c->weight.at[O];
    for (int i = 0; i < 2 && status == PS_OK; i++)
        status = ps__window_count(c->call, &c->work.windows, i, c->x.at[PS__H + i],
                                  c->weight.at[PS__H + i], false, &c->y.at[PS__H + i]);
    return status;
}

/* ---- submitting ---------------------------------------------------------------------------- */

static double count_of(const ps__lengths *shape)
{
    double count = 1;
    for (int i = 0; i < PS__IMAGE_NDIM; i++)
        count *= (double)shape->at[i];
    return count;
}

/* Estimated from the multiplications: some 50 in a nanosecond. */
static uint64_t cost_of(const conv *c)
{
    const int64_t *kernel = c->weight.at;
    double each = (double)(kernel[I] * kernel[PS__H] * kernel[PS__W]);
    return 2000 + (uint64_t)(count_of(&c->y) * each / 50 + count_of(&c->x) / 4);
}

static ps_status submit(const conv *c, const ps__lengths *result, unsigned inputs)
{
    const ps__bound_call *call = c->call;
    const ps__home *home;
    ps_tensor *input[3] = {NULL};
    int64_t count;
    ps_dtype dtype = ps__images_type(call, 2);
    ps_status status = ps__common_home(call, &home);
    if (status == PS_OK)
        status = ps__shape_check(call->op->row.name, dtype, PS__IMAGE_NDIM, result->at, &count);
    if (status != PS_OK)
        return status;
    if (ps__images_convert(call, 2))
        return ps__images_converted(call, 2, result);
    for (unsigned i = 0; i < inputs; i++)
        input[i] = call->args[i].kind == PS_ARG_TENSOR ? call->args[i].as.tensor : NULL;
    ps__job job = {.call = call,
                   .work = &c->work.head,
                   .input = input,
                   .inputs = inputs,
                   .cost_ns = cost_of(c)};
    return ps__submit_output(&job, home, dtype, PS__IMAGE_NDIM, result->at);
}

/* ---- conv2d -------------------------------------------------------------------------------- */

/* One number for each of so many channels. */
static ps_status check_bias(const ps__bound_call *call, unsigned tensors, int64_t channels)
{
    if (call->args[BIAS].kind == PS_ARG_NONE)
        return PS_OK;
    const ps_tensor *bias = call->args[BIAS].as.tensor;
    ps_dtype dtype = ps__images_type(call, tensors);
    ps_status status = ps__image_check(call, BIAS, 1);
    if (status == PS_OK && ps__shape(bias)[0] != channels)
        return ps__fail(PS_ERR_ARGUMENT, "%s: bias has shape %s, for %" PRId64 " channels",
                        call->op->row.name, ps__shape_text(1, ps__shape(bias)), channels);
    if (status == PS_OK && ps__promote(dtype, (ps_dtype)bias->dtype) != dtype)
        return ps__fail(PS_ERR_TYPE, "%s: bias of %s does not fit a result of %s",
                        call->op->row.name, ps__dtypes[bias->dtype].name, ps__dtypes[dtype].name);
    return status;
}

ps_status ps__op_conv2d(const ps__bound_call *call)
{
    conv c = {.call = call};
    ps_status status = read_windows(&c, PS__CONVOLVE_RESULT);
    if (status != PS_OK)
        return status;
    c.x = images_of(&c, FIRST);
    c.weight = weights_of(&c, SECOND);
    status = find_result(&c);
    if (status == PS_OK)
        status = check_bias(call, 2, c.weight.at[O]);
    ps__lengths result = ps__image_shape(&c.y, c.last);
    return status == PS_OK ? submit(&c, &result, 3) : status;
}

/* ---- what flows back ----------------------------------------------------------------------- */

ps_status ps__op_conv2d_data(const ps__bound_call *call)
{
    conv c = {.call = call};
    ps__lengths result, expected;
    ps_status status = read_windows(&c, PS__CONVOLVE_DATA);
    if (status == PS_OK)
        status = ps__lengths_read(call, BIAS, result.at);
    if (status != PS_OK)
        return status;
    c.x = ps__image_lengths(result.at, c.last);
    c.weight = weights_of(&c, SECOND);
    status = find_result(&c);
    expected = ps__image_shape(&c.y, c.last);
    if (status == PS_OK)
        status = ps__image_expect(call, FIRST, &expected);
    return status == PS_OK ? submit(&c, &result, 2) : status;
}

ps_status ps__op_conv2d_weight(const ps__bound_call *call)
{
    conv c = {.call = call};
    ps__lengths expected;
    ps_status status = read_windows(&c, PS__CONVOLVE_WEIGHT);
    if (status == PS_OK)
        status = ps__lengths_read(call, BIAS, c.weight.at);
    if (status != PS_OK)
        return status;
    c.x = images_of(&c, FIRST);
    status = find_result(&c);
    expected = ps__image_shape(&c.y, c.last);
    if (status == PS_OK)
        status = ps__image_expect(call, SECOND, &expected);
    return status == PS_OK ? submit(&c, &c.weight, 2) : status;
}

/* ---- conv2d_transpose ---------------------------------------------------------------------- */

/* Arguments, behind those that it has as conv2d has them. */
enum { OUTPUT_PADDING = 5, TRANSPOSE_DILATION, TRANSPOSE_GROUPS, TRANSPOSE_LAYOUT };

/* A length of the result: that of an image whose windows x has one element for. */
static ps_status find_length(const ps__bound_call *call, const ps__windows *windows, int axis,
                             int64_t length, int64_t kernel, int64_t more, int64_t *result)
{
    int64_t stride = windows->stride[axis], span, begin;
    const char *name = call->op->row.name;
    if (more >= stride)
        return ps__fail(PS_ERR_ARGUMENT,
                        "%s: output_padding is %" PRId64
                        ", it must be less than the stride, %" PRId64,
                        name, more, stride);
    if (!__builtin_mul_overflow(length - 1, stride, &begin) &&
        !__builtin_mul_overflow(kernel - 1, windows->dilation[axis], &span) &&
        !__builtin_add_overflow(begin, span, result)) {
        *result += more + 1 - 2 * windows->padding[axis];
        if (length > 0 && kernel > 0 && *result > 0)
            return PS_OK;
    }
    return ps__fail(PS_ERR_ARGUMENT,
                    "%s: a kernel of %" PRId64 " over a length of %" PRId64 " with stride %" PRId64
                    ", dilation %" PRId64 " and padding %" PRId64 " makes no image",
                    name, kernel, length, stride, windows->dilation[axis], windows->padding[axis]);
}

static ps_status transposed_shape(const ps__bound_call *call, bool last, ps__lengths *result)
{
    ps__windows windows;
    int64_t more[2], groups = call->args[TRANSPOSE_GROUPS].as.integer;
    ps_status status = ps__pair_read(call, STRIDE, 1, 1, windows.stride);
    if (status == PS_OK)
        status = ps__pair_read(call, PADDING, 0, 0, windows.padding);
    if (status == PS_OK)
        status = ps__pair_read(call, OUTPUT_PADDING, 0, 0, more);
    if (status == PS_OK)
        status = ps__pair_read(call, TRANSPOSE_DILATION, 1, 1, windows.dilation);
    if (status == PS_OK)
        status = ps__image_check(call, FIRST, PS__IMAGE_NDIM);
    if (status == PS_OK)
        status = ps__image_check(call, SECOND, PS__IMAGE_NDIM);
    if (status == PS_OK && groups < 1)
        status = ps__fail(PS_ERR_ARGUMENT, "%s: groups is %" PRId64 ", it must be at least 1",
                          call->op->row.name, groups);
    if (status != PS_OK)
        return status;
    const int64_t *weight = ps__shape(call->args[SECOND].as.tensor);
    ps__lengths x = ps__image_lengths(ps__shape(call->args[FIRST].as.tensor), last), y = x;
    if (__builtin_mul_overflow(weight[I], groups, &y.at[PS__C]))
        y.at[PS__C] = INT64_MAX;
    for (int i = 0; i < 2 && status == PS_OK; i++)
        status = find_length(call, &windows, i, x.at[PS__H + i], weight[PS__H + i], more[i],
                             &y.at[PS__H + i]);
    *result = ps__image_shape(&y, last);
    return status == PS_OK ? check_bias(call, 2, y.at[PS__C]) : status;
}

/* The bias in a shape that is broadcast to the channels of images. */
static ps_arg spread_bias(ps__compose *c, bool last)
{
    const ps_arg *bias = &c->call->args[BIAS];
    int64_t shape[3] = {bias->as.tensor->count, 1, 1};
    if (last)
        return *bias;
    return PS__MADE(c, "reshape", *bias, ps__arg_ints(3, shape));
}

ps_status ps__op_conv2d_transpose(const ps__bound_call *call)
{
    ps__compose c;
    ps__lengths result;
    const ps_arg *args = call->args;
    bool last = ps__channels_last(&args[TRANSPOSE_LAYOUT]);
    ps__compose_begin(&c, call);
    if (ps__compose_fine(&c))
        c.status = transposed_shape(call, last, &result);
    if (ps__compose_fine(&c) &&
        ps__compose_result(&c, ps__images_type(call, 2), PS__IMAGE_NDIM, result.at)) {
        ps_arg data[] = {args[FIRST],
                         args[SECOND],
                         ps__arg_ints(PS__IMAGE_NDIM, result.at),
                         args[STRIDE],
                         args[PADDING],
                         args[TRANSPOSE_DILATION],
                         args[TRANSPOSE_GROUPS],
                         args[TRANSPOSE_LAYOUT]};
        if (args[BIAS].kind == PS_ARG_NONE)
            ps__compose_give(&c, "conv2d_data", 8, data);
        else
            PS__GIVE(&c, "add", ps__arg_tensor(ps__compose_make(&c, "conv2d_data", 8, data)),
                     spread_bias(&c, last));
    }
    return ps__compose_end(&c);
}

/* ---- conv1d -------------------------------------------------------------------------------- */

/* Lines as images of height 1. */
static ps_arg as_image(ps__compose *c, unsigned index)
{
    return PS__MADE(c, "expand_dims", c->call->args[index], ps__arg_int(2));
}

/* Whether all is well with what the shape of the result depends on, and an output that is given. */
static bool line_begin(ps__compose *c, const ps__windows *windows)
{
    const ps__bound_call *call = c->call;
    static const unsigned least[] = {1, 0, 1};
    const int64_t numbers[] = {windows->stride[1], windows->padding[1], windows->dilation[1]};
    int64_t shape[3];
    for (unsigned i = 0; i < 3 && ps__compose_fine(c); i++)
        c->status = ps__number_check(call, STRIDE + i, numbers[i], least[i]);
    for (unsigned i = 0; i < 2 && ps__compose_fine(c); i++)
        c->status = ps__image_check(call, i, 3);
    if (!ps__compose_fine(c))
        return false;
    const int64_t *x = ps__shape(call->args[FIRST].as.tensor);
    const int64_t *weight = ps__shape(call->args[SECOND].as.tensor);
    shape[0] = x[0];
    shape[1] = weight[O];
    c->status = ps__window_count(call, windows, 1, x[2], weight[2], false, &shape[2]);
    return ps__compose_result(c, ps__images_type(call, 2), 3, shape);
}

ps_status ps__op_conv1d(const ps__bound_call *call)
{
    ps__compose c;
    const ps_arg *args = call->args;
    ps__windows windows = {.stride = {1, args[STRIDE].as.integer},
                           .padding = {0, args[PADDING].as.integer},
                           .dilation = {1, args[DILATION].as.integer}};
    ps__compose_begin(&c, call);
    if (line_begin(&c, &windows)) {
        ps_arg x = as_image(&c, FIRST), weight = as_image(&c, SECOND);
        ps_tensor *y = PS__MAKE(&c, "conv2d", x, weight, args[BIAS],
                                ps__arg_ints(2, windows.stride), ps__arg_ints(2, windows.padding),
                                ps__arg_ints(2, windows.dilation), args[GROUPS]);
        ps__compose_hand(&c, PS__MAKE(&c, "squeeze", ps__arg_tensor(y), ps__arg_int(2)));
    }
    return ps__compose_end(&c);
}
