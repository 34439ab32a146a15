/* Elements in the caller's memory: copied in at the call, copied out after a wait.
 *
 * A tensor made from host memory is complete at once: its buffer is filled by the calling thread
 * before anybody can see it. Its bytes count as live, not as queued, from the start. */
#include "tensor/tensor.h"

#include "base/error.h"
#include "kernels/kernels.h"

#include <inttypes.h>
#include <string.h>

static unsigned log2_of(size_t bytes)
{
    return (unsigned)__builtin_ctzll(bytes);
}

typedef struct copying {
    size_t bytes;
    int ndim;
    int64_t shape[PS_DIMS_MAX], to[PS_DIMS_MAX], from[PS_DIMS_MAX]; /* strides in bytes */
} copying;

/* The last two dimensions by one kernel call, the others by recursion: at most 32 deep. */
static void copy_dims(const copying *c, int axis, char *to, const char *from)
{
    const ps__kernel_set *kernels = ps__kernels_get();
    int left = c->ndim - axis;
    if (left <= 2) {
        int64_t rows = left == 2 ? c->shape[axis] : 1, columns = left ? c->shape[c->ndim - 1] : 1;
        kernels->copy2d[log2_of(c->bytes)]((size_t)rows, (size_t)columns, to,
                                           left == 2 ? (ptrdiff_t)c->to[axis] : 0,
                                           left ? (ptrdiff_t)c->to[c->ndim - 1]
                                                : (ptrdiff_t)c->bytes,
                                           from, left == 2 ? (ptrdiff_t)c->from[axis] : 0,
                                           left ? (ptrdiff_t)c->from[c->ndim - 1]
                                                : (ptrdiff_t)c->bytes);
        return;
    }
    for (int64_t i = 0; i < c->shape[axis]; i++)
        copy_dims(c, axis + 1, to + i * c->to[axis], from + i * c->from[axis]);
}

void ps__host_copy(size_t bytes, int ndim, const int64_t *shape, void *to,
                   const int64_t *to_strides, const void *from, const int64_t *from_strides)
{
    copying c = {.bytes = bytes, .ndim = ndim};
    int64_t count = 1;
    for (int i = 0; i < ndim; i++) {
        count *= shape[i];
        c.shape[i] = shape[i];
        c.to[i] = to_strides[i] * (int64_t)bytes;
        c.from[i] = from_strides[i] * (int64_t)bytes;
    }
    if (count == 0)
        return;
    if (ps__shape_contiguous(ndim, shape, to_strides) &&
        ps__shape_contiguous(ndim, shape, from_strides))
        memcpy(to, from, (size_t)count * bytes);
    else
        copy_dims(&c, 0, to, from);
}

/* ---- in -------------------------------------------------------------------------------- */

static ps_status check_from(ps_dtype dtype, int ndim, const int64_t *shape, const void *elements,
                            const void *result, int64_t *count)
{
    ps_status status = ps__shape_check("ps_tensor_from_host", dtype, ndim, shape, count);
    if (status != PS_OK)
        return status;
    if (result == NULL || (elements == NULL && *count != 0))
        return ps__fail(PS_ERR_ARGUMENT, "ps_tensor_from_host: %s is NULL",
                        result == NULL ? "tensor" : "elements");
    return PS_OK;
}

/* On the CPU: nobody sees the buffer yet, so the calling thread fills it. */
static ps_status fill_new(ps_tensor *tensor, const int64_t *strides, const void *elements)
{
    ps__buffer *buffer = tensor->storage->buffer;
    ps_status status = ps__buffer_allocate(buffer);
    if (status != PS_OK)
        return status;
    ps__host_copy(ps__dtype_bytes(tensor->dtype), tensor->ndim, ps__shape(tensor), buffer->data,
                  ps__strides(tensor), elements, strides ? strides : ps__strides(tensor));
    ps__buffer_filled(buffer);
    return PS_OK;
}

ps_status ps_tensor_from_host(ps_dtype dtype, int ndim, const int64_t *shape,
                              const int64_t *strides, const void *elements, ps_device *device,
                              ps_tensor **result)
{
    int64_t count;
    const ps__home *home, *first = NULL; /* where it goes, and where the elements are put first */
    ps_tensor *tensor;
    ps_status status = check_from(dtype, ndim, shape, elements, result, &count);
    if (status == PS_OK)
        status = ps__home_of_new(device, &home);
    ps__storage *storage;
    if (status == PS_OK)
        first = home->host ? home : ps__home_cpu();
    if (status == PS_OK)
        status =
            ps__storage_create_filled(first, (uint64_t)count * ps__dtype_bytes(dtype), &storage);
    if (status == PS_OK)
        status = ps__tensor_over(storage, first, dtype, ndim, shape, &tensor);
    if (status != PS_OK)
        return status;
    status = fill_new(tensor, strides, elements);
    if (status == PS_OK && home != first) {
        ps_tensor *there;
        status = ps__tensor_to_home(tensor, home, &there);
        ps_tensor_release(tensor);
        tensor = there;
    } else if (status != PS_OK) {
        ps_tensor_release(tensor);
    }
    if (status == PS_OK)
        *result = tensor;
    return status;
}

/* ---- out ------------------------------------------------------------------------------- */

ps_status ps__host_begin(ps_tensor *tensor, ps__host_read *read)
{
    *read = (ps__host_read){.strides = ps__strides(tensor)};
    if (!tensor->home->host) {
        ps_status status = ps__tensor_to_home(tensor, ps__home_cpu(), &read->copy);
        if (status != PS_OK)
            return status;
        tensor = read->copy;
        read->strides = ps__strides(tensor);
    }
    read->buffer = ps__storage_pin(tensor->storage);
    ps_status status = ps_wait_read(read->buffer->var, NULL);
    if (status != PS_OK) {
        ps__host_end(read);
        return status;
    }
    const char *data = read->buffer->data;
    read->data = data + tensor->offset * (int64_t)ps__dtype_bytes(tensor->dtype);
    return PS_OK;
}

void ps__host_end(ps__host_read *read)
{
    ps__buffer_unpin(read->buffer);
    ps_tensor_release(read->copy);
}

ps_status ps_tensor_to_host(ps_tensor *tensor, void *elements, size_t bytes)
{
    if (tensor == NULL)
        return ps__fail(PS_ERR_ARGUMENT, "ps_tensor_to_host: tensor is NULL");
    size_t item = ps__dtype_bytes(tensor->dtype), need = (size_t)tensor->count * item;
    if (need > bytes || (elements == NULL && need != 0))
        return ps__fail(PS_ERR_ARGUMENT, "ps_tensor_to_host: room for %zu bytes, %zu are needed",
                        elements == NULL ? 0 : bytes, need);
    ps__host_read read;
    ps_status status = ps__host_begin(tensor, &read);
    if (status != PS_OK)
        return status;
    int64_t strides[PS_DIMS_MAX];
    ps__shape_strides(tensor->ndim, ps__shape(tensor), strides);
    ps__host_copy(item, tensor->ndim, ps__shape(tensor), elements, strides, read.data,
                  read.strides);
    ps__host_end(&read);
    return PS_OK;
}

ps_status ps_tensor_item(ps_tensor *tensor, ps_scalar *value)
{
    if (tensor == NULL || value == NULL)
        return ps__fail(PS_ERR_ARGUMENT, "ps_tensor_item: %s is NULL",
                        tensor == NULL ? "tensor" : "value");
    if (tensor->count != 1)
        return ps__fail(PS_ERR_ARGUMENT,
                        "ps_tensor_item: shape %s has %" PRId64 " elements, not one",
                        ps__shape_text(tensor->ndim, ps__shape(tensor)), tensor->count);
    size_t item = ps__dtype_bytes(tensor->dtype);
    _Alignas(16) char element[16];
    if (tensor->home->host &&
        ps__storage_peek(tensor->storage, tensor->offset * (int64_t)item, item, element)) {
        *value = ps__scalar_load((ps_dtype)tensor->dtype, element);
        return PS_OK;
    }
    ps__host_read read;
    ps_status status = ps__host_begin(tensor, &read);
    if (status != PS_OK)
        return status;
    *value = ps__scalar_load((ps_dtype)tensor->dtype, read.data);
    ps__host_end(&read);
    return PS_OK;
}
