/* cumulative_sum and cumulative_prod. */
#include "base/error.h"
#include "ops/calls.h"

static int64_t rows_side_by_side(const ps_tensor *x, int axis)
{
    int64_t inner = 1;
    for (int i = axis + 1; i < x->ndim; i++)
        inner *= ps__shape(x)[i];
    return inner;
}

static ps_status submit_scan(const ps__bound_call *call, ps_tensor *x, const ps__work_scan *work,
                             ps_dtype dtype)
{
    ps__output output;
    ps_tensor *packed = NULL;
    int64_t count;
    ps_status status = ps__shape_check(call->op->row.name, dtype, x->ndim, ps__shape(x), &count);
    if (status == PS_OK)
        status = ps__output_begin(call, 0, x->home, dtype, x->ndim, ps__shape(x), 0, &output);
    if (status != PS_OK)
        return status;
    if (rows_side_by_side(x, work->axis) >= PS__SCAN_ACROSS)
        status = ps__contiguous(call, x, &packed);
    if (status == PS_OK)
        status = ps__submit(&(ps__job){.call = call,
                                       .work = &work->head,
                                       .output = &output,
                                       .outputs = 1,
                                       .input = packed != NULL ? &packed : &x,
                                       .inputs = 1,
                                       .cost_ns = 60 + (uint64_t)x->count});
    ps_tensor_release(packed);
    return ps__output_end(call, &output, status);
}

/* As for sums: small integers grow, so that they rarely overflow. */
static ps_status result_type(const ps__bound_call *call, ps_dtype from, ps_dtype *result)
{
    const ps_arg *given = &call->args[2];
    if (given->kind == PS_ARG_DTYPE)
        *result = given->as.dtype;
    else if (from == PS_BOOL || PS__SET_SIGNED >> from & 1)
        *result = PS_INT64;
    else
        *result = PS__SET_UNSIGNED >> from & 1 ? PS_UINT64 : from;
    bool complex = ps__dtype_kind_of(from) == PS__KIND_COMPLEX;
    if (*result == PS_BOOL || (complex && ps__dtype_kind_of(*result) != PS__KIND_COMPLEX))
        return ps__fail(PS_ERR_TYPE, "%s: no rule for %s as %s", call->op->row.name,
                        ps__dtypes[from].name, ps__dtypes[*result].name);
    return PS_OK;
}

static ps_status cumulate(const ps__bound_call *call, ps__prim prim)
{
    ps_tensor *x = call->args[0].as.tensor, *flat = NULL;
    ps_dtype dtype;
    int axis = 0;
    bool whole = call->args[1].kind == PS_ARG_NONE;
    ps_status status = PS_OK;
    if (!whole)
        status = ps__axis(call->op->row.name, call->args[1].as.integer, x->ndim, &axis);
    if (status == PS_OK)
        status = result_type(call, (ps_dtype)x->dtype, &dtype);
    if (status != PS_OK)
        return status;
    ps__work_scan work = {.head = PS__WORK_HEAD(SCAN, ps__work_scan),
                          .axis = axis,
                          .prim = (uint16_t)prim,
                          .compute = ps__dtypes[dtype].compute};
    if (whole && x->ndim != 1)
        status = ps__flattened(call, x, &flat);
    if (status == PS_OK)
        status = submit_scan(call, flat != NULL ? flat : x, &work, dtype);
    ps_tensor_release(flat);
    return status;
}

ps_status ps__op_cumulative_sum(const ps__bound_call *call)
{
    return cumulate(call, PS__PRIM_add);
}

ps_status ps__op_cumulative_prod(const ps__bound_call *call)
{
    return cumulate(call, PS__PRIM_multiply);
}
