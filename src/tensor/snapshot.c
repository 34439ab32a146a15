/* Snapshots: handles on elements as they are at a moment. */
#include "tensor/handle.h"

#include <string.h>

ps_status ps__snapshot(ps_tensor *tensor, ps_tensor **result)
{
    ps__storage *storage;
    ps_tensor *made;
    int64_t first = 0, end = (int64_t)tensor->storage->bytes;
    if (!tensor->whole)
        ps__tensor_extent(tensor, &first, &end);
    ps_status status = ps__storage_snapshot(tensor->storage, first, end, &storage);
    if (status != PS_OK)
        return status;
    status = ps__handle_new(storage, tensor->home, (ps_dtype)tensor->dtype, tensor->ndim, &made);
    if (status != PS_OK) {
        ps__storage_release(storage);
        return status;
    }
    made->count = tensor->count;
    made->offset = tensor->offset;
    made->contiguous = tensor->contiguous;
    made->whole = tensor->whole;
    memcpy(made->dims, tensor->dims, 2 * (size_t)tensor->ndim * sizeof made->dims[0]);
    *result = made;
    return PS_OK;
}
