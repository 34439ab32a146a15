/* The CPU's table. */
#include "backend/cpu/cpu.h"

static PS__CPU_RUN(empty)
{
    (void)lane;
    (void)work;
    (void)operands;
    (void)count;
    return PS_OK;
}

static PS__CPU_RUN(refuse)
{
    (void)operands;
    (void)count;
    const ps__work_refuse *w = (const ps__work_refuse *)work;
    return ps_task_fail(lane->self, (ps_status)w->status, "%s", w->text);
}

const ps__backend ps__backend_cpu = {
    .run =
        {
            [PS__WORK_EMPTY] = ps__cpu_empty,
            [PS__WORK_MAP] = ps__cpu_map,
            [PS__WORK_UPDATE] = ps__cpu_update,
            [PS__WORK_REDUCE] = ps__cpu_reduce,
            [PS__WORK_SIZE] = ps__cpu_size,
            [PS__WORK_ARGREDUCE] = ps__cpu_argreduce,
            [PS__WORK_PRODUCT] = ps__cpu_product,
            [PS__WORK_RANDOM] = ps__cpu_random,
            [PS__WORK_ORTHOGONAL] = ps__cpu_orthogonal,
            [PS__WORK_FILL] = ps__cpu_fill,
            [PS__WORK_SERIES] = ps__cpu_series,
            [PS__WORK_EYE] = ps__cpu_eye,
            [PS__WORK_REGIONS] = ps__cpu_regions,
            [PS__WORK_TAKE] = ps__cpu_take,
            [PS__WORK_PUT] = ps__cpu_put,
            [PS__WORK_MASKED_PUT] = ps__cpu_masked_put,
            [PS__WORK_PACK] = ps__cpu_pack,
            [PS__WORK_SELECT] = ps__cpu_select,
            [PS__WORK_NONZERO] = ps__cpu_nonzero,
            [PS__WORK_SCAN] = ps__cpu_scan,
            [PS__WORK_SOFTMAX] = ps__cpu_softmax,
            [PS__WORK_DROPOUT] = ps__cpu_dropout,
            [PS__WORK_CROSS_ENTROPY] = ps__cpu_cross_entropy,
            [PS__WORK_LAYER_NORM] = ps__cpu_layer_norm,
            [PS__WORK_LAYER_NORM_BACK] = ps__cpu_layer_norm_back,
            [PS__WORK_GROUP_NORM] = ps__cpu_group_norm,
            [PS__WORK_GROUP_NORM_BACK] = ps__cpu_group_norm_back,
            [PS__WORK_BATCH_NORM] = ps__cpu_batch_norm,
            [PS__WORK_BATCH_NORM_BACK] = ps__cpu_batch_norm_back,
            [PS__WORK_RECURRENT] = ps__cpu_recurrent,
            [PS__WORK_RECURRENT_BACK] = ps__cpu_recurrent_back,
            [PS__WORK_SORT] = ps__cpu_sort,
            [PS__WORK_SEARCH] = ps__cpu_search,
            [PS__WORK_CONVOLVE] = ps__cpu_convolve,
            [PS__WORK_POOL] = ps__cpu_pooling,
            [PS__WORK_KERNEL] = ps__cpu_kernel,
            [PS__WORK_REFUSE] = ps__cpu_refuse,
        },
};
