/* sort, argsort and topk. Sorting is stable: the result is one and only. */
#include "base/error.h"
#include "engine/origin.h"
#include "ops/calls.h"

#include <inttypes.h>
#include <string.h>

/* `wanted` of each row, or all if it is negative. */
static ps_status submit_sort(const ps__bound_call *call, ps_tensor *x, ps__work_sort *work,
                             int64_t wanted)
{
    int64_t shape[PS_DIMS_MAX], count;
    ps_dtype dtype = work->positions ? PS_INT64 : (ps_dtype)x->dtype;
    memcpy(shape, ps__shape(x), x->ndim * sizeof shape[0]);
    if (wanted >= 0)
        shape[work->axis] = wanted;
    ps_status status = ps__shape_check(call->op->row.name, dtype, x->ndim, shape, &count);
    if (status != PS_OK)
        return status;
    work->head.scratch = (uint64_t)ps__shape(x)[work->axis] * (ps__dtype_bytes(x->dtype) + 8);
    ps__job job = {.call = call,
                   .work = &work->head,
                   .input = &x,
                   .inputs = 1,
                   .cost_ns = 100 + 10 * (uint64_t)x->count};
    return ps__submit_output(&job, x->home, dtype, x->ndim, shape);
}

/* The tensor and the axis, which is argument `index`. */
static ps_status sort_begin(const ps__bound_call *call, unsigned index, ps_tensor **x,
                            int32_t *axis)
{
    *x = call->args[0].as.tensor;
    return ps__axis(call->op->row.name, call->args[index].as.integer, (*x)->ndim, axis);
}

/* All ways to sort here are stable: what is asked for beyond the order is granted anyway. */
static ps_status sort_whole(const ps__bound_call *call, bool positions)
{
    ps_tensor *x;
    ps__work_sort work = {.head = PS__WORK_HEAD(SORT, ps__work_sort),
                          .descending = call->args[2].as.boolean,
                          .positions = positions};
    ps_status status = sort_begin(call, 1, &x, &work.axis);
    return status == PS_OK ? submit_sort(call, x, &work, -1) : status;
}

ps_status ps__op_sort(const ps__bound_call *call)
{
    return sort_whole(call, false);
}

ps_status ps__op_argsort(const ps__bound_call *call)
{
    return sort_whole(call, true);
}

ps_status ps__op_topk(const ps__bound_call *call)
{
    ps_tensor *x;
    int64_t wanted = call->args[1].as.integer;
    ps__work_sort work = {.head = PS__WORK_HEAD(SORT, ps__work_sort),
                          .descending = call->args[3].as.boolean,
                          .positions = true};
    ps_status status = sort_begin(call, 2, &x, &work.axis);
    if (status != PS_OK)
        return status;
    if (wanted < 0 || wanted > ps__shape(x)[work.axis])
        return ps__fail(PS_ERR_ARGUMENT,
                        "topk: k is %" PRId64 ", must be from 0 to %" PRId64
                        ", the length of axis %" PRId64 " of shape %s",
                        wanted, ps__shape(x)[work.axis], ps__stated(work.axis),
                        ps__shape_text(x->ndim, ps__shape(x)));
    return submit_sort(call, x, &work, wanted);
}
