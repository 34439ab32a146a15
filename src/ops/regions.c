/* Work that is made of regions: see regions.h. */
#include "ops/regions.h"

#include <string.h>

ps__layout_bytes ps__layout_bytes_of(const ps_tensor *tensor)
{
    ps__layout_bytes layout;
    int64_t bytes = (int64_t)ps__dtype_bytes(tensor->dtype);
    layout.ndim = tensor->ndim;
    layout.shape = ps__shape(tensor);
    for (int i = 0; i < tensor->ndim; i++)
        layout.strides[i] = ps__strides(tensor)[i] * bytes;
    return layout;
}

ps_status ps__regions_begin(ps__regions *regions, unsigned count, int ndim)
{
    size_t dims = 3 * (size_t)ndim * count * sizeof(int64_t);
    void *block;
    regions->block = sizeof(ps__work_regions) + count * sizeof(ps__region) + dims;
    ps_status status = ps_memory_alloc(regions->block, &block);
    if (status != PS_OK)
        return status;
    memset(block, 0, regions->block);
    regions->work = block;
    regions->work->head.kind = PS__WORK_REGIONS;
    regions->work->room = count;
    regions->dims = (int64_t *)(void *)((char *)block + regions->block - dims);
    regions->used = 0;
    return PS_OK;
}

ps__region_fill ps__regions_add(ps__regions *regions, unsigned source, int ndim)
{
    ps__work_regions *work = regions->work;
    ps__region *region = (ps__region *)(void *)(work + 1) + work->count++;
    int64_t *dims = regions->dims + regions->used;
    *region = (ps__region){.source = (int32_t)source, .ndim = ndim, .dims = regions->used};
    regions->used += 3 * ndim;
    return (ps__region_fill){region, dims, dims + ndim, dims + 2 * ndim};
}

ps_status ps__regions_submit(ps__regions *regions, const ps__bound_call *call,
                             const ps__output *output, ps_tensor *const *inputs, unsigned count)
{
    ps__work *work = &regions->work->head;
    work->bytes = (uint32_t)((char *)(regions->dims + regions->used) - (char *)work);
    ps_status status = ps__submit(&(ps__job){.call = call,
                                             .work = work,
                                             .output = output,
                                             .outputs = 1,
                                             .input = inputs,
                                             .inputs = count,
                                             .cost_ns = ps__copy_cost(output->tensor)});
    ps_memory_free(regions->work, regions->block);
    return status;
}
