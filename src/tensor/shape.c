/* Shapes: lengths, strides, broadcasting, and how they read in messages. */
#include "tensor/tensor.h"

#include "base/error.h"
#include "engine/origin.h"

#include <inttypes.h>
#include <stdio.h>

#define BYTES_MAX ((int64_t)1 << 62)

/* Up to four lengths of 1 to 4096, of which nothing is too large: nearly all shapes. */
static inline bool has_small(int ndim, const int64_t *shape, int64_t *count)
{
    enum { DIMS = 4, LENGTH = 1 << 12 };
    uint64_t over = 0;
    int64_t product = 1;
    if ((unsigned)ndim > DIMS || shape == NULL)
        return false;
    for (int i = 0; i < ndim; i++) {
        over |= (uint64_t)shape[i] - 1; /* 0 and what is below wrap around */
        product = (int64_t)((uint64_t)product * (uint64_t)shape[i]);
    }
    *count = product;
    return over < LENGTH;
}

PS_HOT ps_status ps__shape_check(const char *what, ps_dtype dtype, int ndim, const int64_t *shape,
                                 int64_t *count)
{
    if (!ps__dtype_valid((int)dtype))
        return ps__fail(PS_ERR_ARGUMENT, "%s: %d is no element type", what, (int)dtype);
    if (PS_LIKELY(has_small(ndim, shape, count)))
        return PS_OK;
    if (ndim < 0 || ndim > PS_DIMS_MAX)
        return ps__fail(PS_ERR_ARGUMENT, "%s: %d dimensions, at most %d", what, ndim, PS_DIMS_MAX);
    if (ndim != 0 && shape == NULL)
        return ps__fail(PS_ERR_ARGUMENT, "%s: shape is NULL", what);
    /* Lengths beside a 0 must not overflow either: strides are made of them. */
    int64_t bytes = (int64_t)ps__dtype_bytes(dtype), nonzero = bytes;
    bool empty = false;
    for (int i = 0; i < ndim; i++) {
        if (shape[i] < 0)
            return ps__fail(PS_ERR_ARGUMENT, "%s: negative length in shape %s", what,
                            ps__shape_text(ndim, shape));
        empty |= shape[i] == 0;
        if (shape[i] != 0 &&
            (__builtin_mul_overflow(nonzero, shape[i], &nonzero) || nonzero >= BYTES_MAX))
            return ps__fail(PS_ERR_ARGUMENT, "%s: shape %s of %s is too large", what,
                            ps__shape_text(ndim, shape), ps__dtypes[dtype].name);
    }
    *count = empty ? 0 : nonzero >> __builtin_ctzll((unsigned long long)bytes); /* a power of two */
    return PS_OK;
}

void ps__shape_strides(int ndim, const int64_t *shape, int64_t *strides)
{
    int64_t step = 1;
    for (int i = ndim - 1; i >= 0; i--) {
        strides[i] = step;
        step *= shape[i] > 1 ? shape[i] : 1;
    }
}

bool ps__shape_contiguous(int ndim, const int64_t *shape, const int64_t *strides)
{
    int64_t step = 1;
    bool same = true;
    for (int i = ndim - 1; i >= 0; i--) {
        if (shape[i] == 0)
            return true;
        same &= shape[i] == 1 || strides[i] == step;
        step *= shape[i];
    }
    return same;
}

bool ps__shape_broadcast(int *result_ndim, int64_t *result, int ndim, const int64_t *shape)
{
    int old = *result_ndim;
    if (ndim > old) { /* make room at the front */
        for (int i = ndim - 1; i >= 0; i--)
            result[i] = i >= ndim - old ? result[i - (ndim - old)] : 1;
        *result_ndim = old = ndim;
    }
    for (int i = 0; i < ndim; i++) {
        int64_t *at = &result[old - ndim + i];
        if (*at == 1)
            *at = shape[i];
        else if (shape[i] != 1 && shape[i] != *at)
            return false;
    }
    return true;
}

const char *ps__shape_write(char *text, int ndim, const int64_t *shape)
{
    enum { ROOM = PS__SHAPE_ROOM };
    int at = snprintf(text, ROOM, "(");
    for (int i = 0; i < ndim && at < ROOM - 32; i++)
        at += snprintf(text + at, (size_t)(ROOM - at), "%s%" PRId64, i == 0 ? "" : ", ", shape[i]);
    if (ndim > 0 && at >= ROOM - 32)
        at += snprintf(text + at, (size_t)(ROOM - at), ", ...");
    snprintf(text + at, (size_t)(ROOM - at), ndim == 1 ? ",)" : ")");
    return text;
}

ps_status ps__axis(const char *what, int64_t axis, int ndim, int *result)
{
    if (axis < -ndim || axis >= ndim)
        return ps__fail_axis("%s: axis %" PRId64 " is out of range for %d dimensions", what,
                             ps__stated(axis), ndim);
    *result = (int)(axis < 0 ? axis + ndim : axis);
    return PS_OK;
}
