/* Matrix products: see PS__WORK_PRODUCT in work.h. The gemm layer says into which pieces one falls. */
#include "backend/cpu/cpu.h"

#include "memory/memory.h"

#include <string.h>

typedef struct multiplying {
    ps__gemm_batch batch;
    ps__gemm_batch_grid grid;
} multiplying;

static ps_status multiply_pieces(size_t begin, size_t end, void *arg)
{
    const multiplying *m = arg;
    void *scratch = NULL;
    if (m->grid.scratch != 0) {
        ps_status status = ps_memory_alloc(m->grid.scratch, &scratch);
        if (status != PS_OK)
            return status;
    }
    ps_status status = PS_OK;
    for (size_t i = begin; i < end && status == PS_OK; i++)
        status = ps__gemm_batch_block(&m->batch, &m->grid, i, scratch);
    if (scratch != NULL)
        ps_memory_free(scratch, m->grid.scratch);
    return status;
}

static ps_status multiply_all(const ps__lane *lane, multiplying *m)
{
    unsigned workers;
    if (m->batch.rank == 0 && ps__gemm_small(&m->batch.one))
        return PS_OK;
    ps_status status = ps_engine_workers(lane->engine, &workers);
    if (status == PS_OK) {
        ps__gemm_batch_grid_make(&m->batch, workers, &m->grid);
        status = ps__split(lane, m->grid.count, 1, multiply_pieces, m);
        /* The pieces of a loop do not wait for memory, but here that can be done. */
        if (status == PS_ERR_MEMORY)
            status = multiply_pieces(0, m->grid.count, m);
    }
    return status == PS_OK
               ? PS_OK
               : ps_task_fail(lane->self, status, "%s: %s", lane->name, ps_last_error());
}

ps_status ps__multiply(const ps__lane *lane, const ps__gemm *gemm)
{
    multiplying m;
    m.batch.one = *gemm;
    m.batch.rank = 0;
    return multiply_all(lane, &m);
}

PS__CPU_RUN(product)
{
    multiplying m;
    memcpy(&m.batch, &((const ps__work_product *)work)->batch,
           work->bytes - offsetof(ps__work_product, batch));
    m.batch.one.c = operands[0].data;
    m.batch.one.a = operands[1].data;
    m.batch.one.b = operands[2].data;
    m.batch.one.bias = count > 3 ? operands[3].data : NULL;
    return multiply_all(lane, &m);
}
