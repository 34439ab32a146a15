/* Maxima over windows of two by two that lie side by side in planes without gaps: the common case, in
 * which the planes of all channels are one plane of many rows. */
#include "backend/cpu/pool.h"

#include "kernels/places.h"
#include "memory/memory.h"

enum { BLOCK = 1024 }; /* windows that are worked on together, or one row of them */

static bool is_dense(const ps__pooling *p, const ps__image *image)
{
    int64_t stride = (int64_t)p->item;
    for (int i = PS__IMAGE_DIMS - 1; i >= 0; i--) {
        if (image->strides[i] != stride && image->shape[i] != 1)
            return false;
        stride *= image->shape[i];
    }
    return true;
}

bool ps__pool_is_squares(const ps__pooling *p)
{
    const ps__windows *w = &p->w->windows;
    const int64_t *shape = &p->large.shape[PS__IMAGE_H];
    if (p->w->pass != PS__POOL_LARGEST && p->w->pass != PS__POOL_SPREAD)
        return false;
    for (int a = 0; a < 2; a++)
        if (p->w->kernel[a] != 2 || w->stride[a] != 2 || w->padding[a] != 0 ||
            shape[a] != 2 * (a == 0 ? p->rows : p->columns))
            return false;
    return (p->dtype == PS_FLOAT32 || p->dtype == PS_FLOAT64) && is_dense(p, &p->out) &&
           is_dense(p, &p->in) && is_dense(p, &p->x);
}

ps_status ps__pool_squares(const ps__pooling *p, size_t begin, size_t end)
{
    const ps__place_kernels *kernels = ps__place_kernels_of(ps__kernels_get(), p->dtype);
    size_t columns = (size_t)p->columns, rows = (size_t)p->rows;
    size_t most = columns < BLOCK ? BLOCK / columns : 1;
    size_t bytes = 4 * most * columns * p->item;
    void *line;
    ps_status status = ps_memory_alloc(bytes, &line);
    if (status != PS_OK)
        return status;
    for (size_t row = begin * rows; row < end * rows; row += most) {
        size_t count = PS__POOL_MIN(most, end * rows - row);
        size_t windows = row * columns * p->item; /* bytes before the first of them */
        if (p->w->pass == PS__POOL_LARGEST)
            kernels->squares_largest(count, columns, p->in.data + 4 * windows, line,
                                     p->out.data + windows);
        else
            kernels->squares_spread(count, columns, p->x.data + 4 * windows, p->in.data + windows,
                                    line, p->out.data + 4 * windows);
    }
    ps_memory_free(line, bytes);
    return PS_OK;
}
