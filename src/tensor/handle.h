/* Memory for handles. Two files make them: tensor.c for storages of their own, view.c for views. */
#ifndef PS_TENSOR_HANDLE_H
#define PS_TENSOR_HANDLE_H

#include "tensor/tensor.h"

static inline size_t ps__handle_bytes(int ndim)
{
    return sizeof(ps_tensor) + 2 * (size_t)ndim * sizeof(int64_t);
}

/* The storage is the caller's to retain. Dimensions, count and what follows from them are the
 * caller's to fill in. */
static inline ps_status ps__handle_new(ps__storage *storage, const ps__home *home, ps_dtype dtype,
                                       int ndim, ps_tensor **result)
{
    void *block;
    ps_status status = ps_memory_alloc(ps__handle_bytes(ndim), &block);
    if (PS_UNLIKELY(status != PS_OK))
        return status;
    ps_tensor *tensor = block;
    ps__store(&tensor->handles, 1u); /* nobody else knows it yet */
    tensor->dtype = (uint8_t)dtype;
    tensor->ndim = (uint8_t)ndim;
    tensor->storage = storage;
    tensor->home = home;
    ps__store(&tensor->node, NULL); /* likewise */
    tensor->generation = 0;
    tensor->alias = false;
    *result = tensor;
    return PS_OK;
}

#endif
