/* Handles: making them, and what can be asked of them. */
#include "tensor/handle.h"

#include "base/error.h"
#include "base/sized.h"

/* Of elements in memory of their own; views that repeat them may have more. It is also what the
 * engine takes for the bytes of a task. */
#define BYTES_MAX (UINT64_C(1) << 60)

PS_HOT ps_status ps__tensor_over(ps__storage *storage, const ps__home *home, ps_dtype dtype,
                                 int ndim, const int64_t *shape, ps_tensor **result)
{
    ps_tensor *tensor;
    ps_status status = ps__handle_new(storage, home, dtype, ndim, &tensor);
    if (PS_UNLIKELY(status != PS_OK)) {
        ps__storage_release(storage);
        return status;
    }
    tensor->contiguous = tensor->whole = true;
    tensor->offset = 0;
    int64_t step = 1;
    for (int i = ndim - 1; i >= 0; i--) {
        tensor->dims[i] = shape[i];
        tensor->dims[ndim + i] = step;
        step *= shape[i];
    }
    tensor->count = step;
    if (PS_UNLIKELY(step == 0))
        ps__shape_strides(ndim, shape, tensor->dims + ndim);
    *result = tensor;
    return PS_OK;
}

PS_HOT ps_status ps__tensor_create(const ps__home *home, ps_dtype dtype, int ndim,
                                   const int64_t *shape, ps_tensor **tensor)
{
    uint64_t bytes = ps__dtype_bytes(dtype);
    for (int i = 0; i < ndim; i++)
        bytes *= (uint64_t)shape[i];
    if (PS_UNLIKELY(bytes > BYTES_MAX))
        return ps__fail(PS_ERR_ARGUMENT, "a tensor of shape %s of %s is too large",
                        ps__shape_text(ndim, shape), ps__dtypes[dtype].name);
    ps__storage *storage;
    ps_status status = ps__storage_create(home, bytes, &storage);
    if (PS_UNLIKELY(status != PS_OK))
        return status;
    return ps__tensor_over(storage, home, dtype, ndim, shape, tensor);
}

ps_status ps_tensor_retain(ps_tensor *tensor)
{
    if (tensor == NULL)
        return ps__fail(PS_ERR_ARGUMENT, "ps_tensor_retain: tensor is NULL");
    ps__add(&tensor->handles, 1u); /* the caller has one */
    return PS_OK;
}

PS_HOT void ps_tensor_release(ps_tensor *tensor)
{
    if (tensor == NULL || !ps__count_end(&tensor->handles))
        return;
    ps__node *node = ps__load(&tensor->node); /* nobody else has the handle */
    if (PS_UNLIKELY(node != NULL))
        ps__node_release(node);
    ps__storage_release(tensor->storage);
    ps_memory_free(tensor, ps__handle_bytes(tensor->ndim));
}

/* ---- asking: NULL has nothing of it ----------------------------------------------------- */

ps_dtype ps_tensor_dtype(const ps_tensor *tensor)
{
    return tensor != NULL ? (ps_dtype)tensor->dtype : (ps_dtype)0;
}

int ps_tensor_ndim(const ps_tensor *tensor)
{
    return tensor != NULL ? tensor->ndim : 0;
}

const int64_t *ps_tensor_shape(const ps_tensor *tensor)
{
    return tensor != NULL ? ps__shape(tensor) : NULL;
}

const int64_t *ps_tensor_strides(const ps_tensor *tensor)
{
    return tensor != NULL ? ps__strides(tensor) : NULL;
}

int64_t ps_tensor_count(const ps_tensor *tensor)
{
    return tensor != NULL ? tensor->count : 0;
}

ps_device *ps_tensor_device(const ps_tensor *tensor)
{
    return tensor != NULL ? tensor->home->device : NULL;
}

uint64_t ps_tensor_version(const ps_tensor *tensor)
{
    if (tensor == NULL)
        return 0;
    ps_engine *engine = ps__tensor_engine(); /* exists: a storage has a variable of it */
    ps__engine_lock(engine);
    ps__storage *storage = tensor->storage;
    ps__storage_enter(storage);
    uint64_t version = tensor->alias ? storage->aside : storage->version - storage->aside;
    ps__engine_unlock(engine);
    return version;
}

bool ps_tensor_shares(const ps_tensor *a, const ps_tensor *b)
{
    return a != NULL && b != NULL && a->storage == b->storage;
}

ps_status ps_tensor_get_place(const ps_tensor *tensor, ps_tensor_place *place)
{
    if (tensor == NULL)
        return ps__fail(PS_ERR_ARGUMENT, "ps_tensor_get_place: tensor is NULL");
    ps_tensor_place full = {.storage = (uint64_t)(uintptr_t)tensor->storage,
                            .offset = tensor->offset,
                            .bytes = tensor->storage->bytes};
    return ps__sized_write("ps_tensor_get_place: place", place, &full, sizeof full);
}

ps_status ps_tensor_wait(ps_tensor *tensor, const ps_wait_options *options)
{
    if (tensor == NULL)
        return ps__fail(PS_ERR_ARGUMENT, "ps_tensor_wait: tensor is NULL");
    if (options == NULL && ps__storage_is_settled(tensor->storage))
        return PS_OK;
    ps__buffer *buffer = ps__storage_hold(tensor->storage);
    ps_status status = ps_wait_read(buffer->var, options);
    ps__buffer_release(buffer);
    return status;
}

bool ps_tensor_is_ready(ps_tensor *tensor)
{
    if (tensor == NULL)
        return false;
    if (ps__storage_is_settled(tensor->storage))
        return true;
    ps__buffer *buffer = ps__storage_hold(tensor->storage);
    bool ready = ps_var_is_ready(buffer->var);
    ps__buffer_release(buffer);
    return ready;
}

void ps__tensor_extent(const ps_tensor *tensor, int64_t *first, int64_t *end)
{
    int64_t low = tensor->offset, high = low, bytes = (int64_t)ps__dtype_bytes(tensor->dtype);
    for (int i = 0; i < tensor->ndim; i++) {
        int64_t reach = (ps__shape(tensor)[i] - 1) * ps__strides(tensor)[i];
        low += reach < 0 ? reach : 0;
        high += reach > 0 ? reach : 0;
    }
    *first = low * bytes;
    *end = tensor->count == 0 ? *first : (high + 1) * bytes;
}

bool ps__tensor_same_view(const ps_tensor *a, const ps_tensor *b)
{
    if (a->storage != b->storage || a->dtype != b->dtype || a->offset != b->offset ||
        !ps__shape_equal(a->ndim, ps__shape(a), b->ndim, ps__shape(b)))
        return false;
    for (int i = 0; i < a->ndim; i++)
        if (ps__strides(a)[i] != ps__strides(b)[i] && ps__shape(a)[i] > 1)
            return false;
    return true;
}
