/* Elements between tensors and files. */
#include "files/elements.h"

#include "base/alloc.h"
#include "base/error.h"

#include <errno.h>

enum { PACK_BYTES = 1 << 16 }; /* at least one element of every type */

/* ---- the order of bytes ---------------------------------------------------------------- */

bool ps__elements_same_order(void)
{
    return __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;
}

/* From this machine's order into that of files, or back; `width` is that of a number. */
static void turn(void *numbers, size_t count, size_t width)
{
    if (ps__elements_same_order() || width == 1)
        return;
    for (char *at = numbers, *end = at + count * width; at < end; at += width)
        for (size_t i = 0; i < width / 2; i++) {
            char byte = at[i];
            at[i] = at[width - 1 - i];
            at[width - 1 - i] = byte;
        }
}

/* Of a complex number each part by itself. */
static void turn_elements(ps_dtype dtype, void *elements, size_t count)
{
    size_t item = ps__dtype_bytes(dtype), part = ps__dtype_bytes((ps_dtype)ps__dtypes[dtype].real);
    turn(elements, count * (item / part), part);
}

/* ---- out ------------------------------------------------------------------------------- */

ps_status ps__elements_begin(const char *what, ps_tensor *const *tensors, size_t count,
                             ps__elements *elements)
{
    *elements = (ps__elements){.what = what, .tensors = tensors, .count = count};
    elements->reads = ps__calloc(count + 1, sizeof *elements->reads);
    if (elements->reads == NULL)
        return ps__fail(PS_ERR_MEMORY, "%s: no memory for %zu arrays", what, count);
    ps_status status = PS_OK;
    for (size_t i = 0; i < count && status == PS_OK; i++) {
        status = ps__host_begin(tensors[i], &elements->reads[i]);
        elements->begun += status == PS_OK;
    }
    return status;
}

void ps__elements_end(ps__elements *elements)
{
    int code = errno;
    for (size_t i = 0; i < elements->begun; i++)
        ps__host_end(&elements->reads[i]);
    ps__free(elements->pack);
    ps__free(elements->reads);
    errno = code;
}

/* A block of elements of the given lengths, packed and written; it fits. */
static ps_status write_block(ps__elements *e, ps__sink *sink, ps_dtype dtype, int ndim,
                             const int64_t *shape, const char *data, const int64_t *strides)
{
    int64_t packed[PS_DIMS_MAX];
    size_t count = 1, item = ps__dtype_bytes(dtype);
    for (int i = 0; i < ndim; i++)
        count *= (size_t)shape[i];
    ps__shape_strides(ndim, shape, packed);
    ps__host_copy(item, ndim, shape, e->pack, packed, data, strides);
    turn_elements(dtype, e->pack, count);
    return ps__sink_write(sink, e->pack, count * item);
}

/* The dimensions from `axis` on: as many positions of it at once as fit, or one after the other. */
static ps_status write_dims(ps__elements *e, ps__sink *sink, const ps_tensor *tensor, int axis,
                            const char *data, const int64_t *strides)
{
    ps_dtype dtype = (ps_dtype)tensor->dtype;
    size_t item = ps__dtype_bytes(dtype), inner = item;
    int64_t shape[PS_DIMS_MAX] = {1}, length = axis < tensor->ndim ? ps__shape(tensor)[axis] : 1;
    int ndim = tensor->ndim - axis;
    for (int i = 1; i < ndim; i++) {
        shape[i] = ps__shape(tensor)[axis + i];
        inner *= (size_t)shape[i];
    }
    ps_status status = PS_OK;
    int64_t step = inner <= PACK_BYTES ? (int64_t)(PACK_BYTES / inner) : 1;
    for (int64_t i = 0; i < length && status == PS_OK; i += step) {
        const char *from = data + (ndim != 0 ? i * strides[axis] * (int64_t)item : 0);
        shape[0] = length - i < step ? length - i : step;
        status = inner <= PACK_BYTES
                     ? write_block(e, sink, dtype, ndim, shape, from, strides + axis)
                     : write_dims(e, sink, tensor, axis + 1, from, strides);
    }
    return status;
}

ps_status ps__elements_write(ps__elements *e, size_t index, ps__sink *sink)
{
    const ps_tensor *tensor = e->tensors[index];
    const ps__host_read *read = &e->reads[index];
    size_t item = ps__dtype_bytes((ps_dtype)tensor->dtype);
    if (tensor->count == 0)
        return PS_OK;
    if (ps__elements_same_order() &&
        ps__shape_contiguous(tensor->ndim, ps__shape(tensor), read->strides))
        return ps__sink_write(sink, read->data, (size_t)tensor->count * item);
    if (e->pack == NULL)
        e->pack = ps__calloc(PACK_BYTES, 1);
    if (e->pack == NULL)
        return ps__fail(PS_ERR_MEMORY, "%s: no memory for packing elements", e->what);
    return write_dims(e, sink, tensor, 0, read->data, read->strides);
}

/* ---- in -------------------------------------------------------------------------------- */

ps_status ps__elements_new(ps_dtype dtype, int ndim, const int64_t *shape, int64_t count,
                           ps_tensor **result, void **data)
{
    ps__storage *storage;
    ps_tensor *tensor;
    const ps__home *cpu = ps__home_cpu();
    ps_status status =
        ps__storage_create_filled(cpu, (uint64_t)count * ps__dtype_bytes(dtype), &storage);
    if (status == PS_OK)
        status = ps__tensor_over(storage, cpu, dtype, ndim, shape, &tensor);
    if (status != PS_OK)
        return status;
    ps__buffer *buffer = ps__load(&tensor->storage->buffer); /* nobody else knows it */
    status = ps__buffer_allocate(buffer);
    if (status != PS_OK) {
        ps_tensor_release(tensor);
        return status;
    }
    *result = tensor;
    *data = buffer->data;
    return PS_OK;
}

/* Any byte but 0 means true in a file, and 1 in our memory. */
static void settle_bools(unsigned char *elements, size_t count)
{
    for (size_t i = 0; i < count; i++)
        elements[i] = elements[i] != 0;
}

void ps__elements_settle(ps_tensor *tensor)
{
    ps__buffer *buffer = ps__load(&tensor->storage->buffer); /* nobody else knows it */
    if (tensor->dtype == PS_BOOL)
        settle_bools(buffer->data, (size_t)tensor->count);
    turn_elements((ps_dtype)tensor->dtype, buffer->data, (size_t)tensor->count);
    ps__buffer_filled(buffer);
}
