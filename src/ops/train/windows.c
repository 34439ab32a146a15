/* Images and windows as arguments: see windows.h. */
#include "ops/train/windows.h"

#include "base/error.h"

#include <inttypes.h>
#include <string.h>

enum { MOST = INT32_MAX }; /* of a stride, a padding, a dilation: so that no product overflows */

static const char *axis_name(int axis)
{
    return axis == 0 ? "H" : "W";
}

/* ---- layouts ------------------------------------------------------------------------------- */

bool ps__channels_last(const ps_arg *layout)
{
    return layout->kind == PS_ARG_TEXT && strcmp(layout->as.text, "NHWC") == 0;
}

static const uint8_t lie[2][PS__IMAGE_NDIM] = {{0, 1, 2, 3}, {0, 3, 1, 2}};

ps__lengths ps__image_lengths(const int64_t *shape, bool channels_last)
{
    ps__lengths image;
    for (int i = 0; i < PS__IMAGE_NDIM; i++)
        image.at[i] = shape[lie[channels_last][i]];
    return image;
}

ps__lengths ps__image_shape(const ps__lengths *image, bool channels_last)
{
    ps__lengths shape;
    for (int i = 0; i < PS__IMAGE_NDIM; i++)
        shape.at[lie[channels_last][i]] = image->at[i];
    return shape;
}

/* ---- integers ------------------------------------------------------------------------------ */

ps_status ps__number_check(const ps__bound_call *call, unsigned index, int64_t number,
                           int64_t least)
{
    if (number >= least && number <= MOST)
        return PS_OK;
    return ps__fail(PS_ERR_ARGUMENT, "%s: %s is %" PRId64 ", it must be %" PRId64 " to %d",
                    call->op->row.name, call->op->args[index].name, number, least, (int)MOST);
}

ps_status ps__pair_read(const ps__bound_call *call, unsigned index, int64_t otherwise,
                        int64_t least, int64_t *pair)
{
    const ps_arg *arg = &call->args[index];
    pair[0] = pair[1] = otherwise;
    if (arg->kind == PS_ARG_NONE)
        return PS_OK;
    if (arg->count != 1 && arg->count != 2)
        return ps__fail(PS_ERR_ARGUMENT, "%s: %s has %u numbers, it takes one, or two for H and W",
                        call->op->row.name, call->op->args[index].name, (unsigned)arg->count);
    ps_status status = PS_OK;
    for (unsigned i = 0; i < 2 && status == PS_OK; i++) {
        pair[i] = arg->as.ints[arg->count == 2 ? i : 0];
        status = ps__number_check(call, index, pair[i], least);
    }
    return status;
}

ps_status ps__lengths_read(const ps__bound_call *call, unsigned index, int64_t *shape)
{
    const ps_arg *arg = &call->args[index];
    bool fine = arg->count == PS__IMAGE_NDIM;
    for (unsigned i = 0; fine && i < PS__IMAGE_NDIM; i++) {
        shape[i] = arg->as.ints[i];
        fine = shape[i] >= 0;
    }
    if (fine)
        return PS_OK;
    int shown = arg->count < PS_DIMS_MAX ? (int)arg->count : PS_DIMS_MAX;
    return ps__fail(PS_ERR_ARGUMENT, "%s: %s is %s, it must have 4 lengths", call->op->row.name,
                    call->op->args[index].name, ps__shape_text(shown, arg->as.ints));
}

ps_status ps__window_count(const ps__bound_call *call, const ps__windows *windows, int axis,
                           int64_t length, int64_t kernel, bool up, int64_t *count)
{
    int64_t stride = windows->stride[axis], padding = windows->padding[axis], last, span;
    const char *name = call->op->row.name;
    if (kernel < 1)
        return ps__fail(PS_ERR_ARGUMENT, "%s: a kernel of %" PRId64 " along %s", name, kernel,
                        axis_name(axis));
    bool large = __builtin_mul_overflow(kernel - 1, windows->dilation[axis], &span) ||
                 __builtin_sub_overflow(length + 2 * padding - 1, span, &last);
    if (large || last < 0)
        return ps__fail(PS_ERR_ARGUMENT,
                        "%s: a kernel of %" PRId64 " with dilation %" PRId64
                        " is larger than the input of %" PRId64 " with padding %" PRId64
                        " along %s",
                        name, kernel, windows->dilation[axis], length, padding, axis_name(axis));
    *count = last / stride + 1;
    if (up && last % stride != 0 && *count * stride < length + padding)
        ++*count;
    return PS_OK;
}

/* ---- tensors ------------------------------------------------------------------------------- */

ps_status ps__image_check(const ps__bound_call *call, unsigned index, int ndim)
{
    const ps_tensor *x = call->args[index].as.tensor;
    const char *name = call->op->row.name, *what = call->op->args[index].name;
    if (!(PS__SET_FLOAT >> x->dtype & 1))
        return ps__fail(PS_ERR_TYPE, "%s: %s must be floating-point numbers, not %s", name, what,
                        ps__dtypes[x->dtype].name);
    if (x->ndim != ndim)
        return ps__fail(PS_ERR_ARGUMENT, "%s: %s has shape %s, it must have %d dimensions", name,
                        what, ps__shape_text(x->ndim, ps__shape(x)), ndim);
    return PS_OK;
}

ps_status ps__image_expect(const ps__bound_call *call, unsigned index, const ps__lengths *shape)
{
    const ps_tensor *x = call->args[index].as.tensor;
    if (ps__shape_equal(x->ndim, ps__shape(x), PS__IMAGE_NDIM, shape->at))
        return PS_OK;
    return ps__fail(PS_ERR_ARGUMENT, "%s: %s has shape %s, the others ask for %s",
                    call->op->row.name, call->op->args[index].name,
                    ps__shape_text(x->ndim, ps__shape(x)),
                    ps__shape_text(PS__IMAGE_NDIM, shape->at));
}

/* ---- types --------------------------------------------------------------------------------- */

ps_dtype ps__images_type(const ps__bound_call *call, unsigned tensors)
{
    ps_dtype dtype = (ps_dtype)call->args[0].as.tensor->dtype;
    for (unsigned i = 1; i < tensors; i++)
        dtype = ps__promote(dtype, (ps_dtype)call->args[i].as.tensor->dtype);
    return dtype;
}

static ps_dtype work_type(const ps__bound_call *call, unsigned tensors)
{
    return (ps_dtype)ps__dtypes[ps__images_type(call, tensors)].compute;
}

bool ps__images_convert(const ps__bound_call *call, unsigned tensors)
{
    ps_dtype work = work_type(call, tensors);
    for (unsigned i = 0; i < call->op->nargs; i++)
        if (call->args[i].kind == PS_ARG_TENSOR && call->args[i].as.tensor->dtype != (uint8_t)work)
            return true;
    return false;
}

ps_status ps__images_converted(const ps__bound_call *call, unsigned tensors,
                               const ps__lengths *result)
{
    ps__compose c;
    ps_arg args[PS__ARGS];
    const char *name = call->op->row.name;
    unsigned nargs = call->op->nargs;
    ps_dtype dtype = ps__images_type(call, tensors), work = work_type(call, tensors);
    ps__compose_begin(&c, call);
    if (!ps__compose_result(&c, dtype, PS__IMAGE_NDIM, result->at))
        return ps__compose_end(&c);
    memcpy(args, call->args, nargs * sizeof args[0]);
    for (unsigned i = 0; i < nargs; i++)
        if (args[i].kind == PS_ARG_TENSOR)
            args[i] = ps__arg_tensor(ps__compose_cast(&c, args[i].as.tensor, work));
    if (dtype == work) {
        ps__compose_give(&c, name, nargs, args);
    } else {
        ps_tensor *wide = ps__compose_make(&c, name, nargs, args);
        PS__GIVE(&c, "cast", ps__arg_tensor(wide), ps__arg_dtype(dtype));
    }
    return ps__compose_end(&c);
}
