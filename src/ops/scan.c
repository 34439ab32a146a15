/* cumulative_sum and cumulative_prod, perhaps with the sum or product of no elements before them. */
#include "base/error.h"
#include "ops/compose.h"

#include <string.h>

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

/* What the arguments of a call say. */
typedef struct scan {
    bool whole; /* all of x as one dimension */
    int axis;
    ps_dtype dtype;
} scan;

static ps_status read_scan(const ps__bound_call *call, scan *s)
{
    const ps_tensor *x = call->args[0].as.tensor;
    s->whole = call->args[1].kind == PS_ARG_NONE;
    s->axis = 0;
    ps_status status = PS_OK;
    if (!s->whole)
        status = ps__axis(call->op->row.name, call->args[1].as.integer, x->ndim, &s->axis);
    return status == PS_OK ? result_type(call, (ps_dtype)x->dtype, &s->dtype) : status;
}

static ps_status cumulate(const ps__bound_call *call, const scan *s, ps__prim prim)
{
    ps_tensor *x = call->args[0].as.tensor, *flat = NULL;
    ps_status status = PS_OK;
    ps__work_scan work = {.head = PS__WORK_HEAD(SCAN, ps__work_scan),
                          .axis = s->axis,
                          .prim = (uint16_t)prim,
                          .compute = ps__dtypes[s->dtype].compute};
    if (s->whole && x->ndim != 1)
        status = ps__flattened(call, x, &flat);
    if (status == PS_OK)
        status = submit_scan(call, flat != NULL ? flat : x, &work, s->dtype);
    ps_tensor_release(flat);
    return status;
}

/* Not in line: the shape takes stack that what follows needs. `first` is the element before. */
static __attribute__((noinline)) ps_tensor *initial(ps__compose *c, const scan *s, int64_t first)
{
    int64_t shape[PS_DIMS_MAX];
    const ps_tensor *x = c->call->args[0].as.tensor;
    int ndim = s->whole ? 1 : x->ndim;
    memcpy(shape, ps__shape(x), (size_t)x->ndim * sizeof shape[0]);
    shape[s->axis] = s->whole ? x->count + 1 : shape[s->axis] + 1;
    if (!ps__compose_result(c, s->dtype, ndim, shape))
        return NULL;
    shape[s->axis] = 1;
    return PS__MAKE(c, "full", ps__arg_ints(ndim, shape), ps__arg_int(first),
                    ps__arg_dtype(s->dtype));
}

static ps_status run_scan(const ps__bound_call *call, ps__prim prim, int64_t first)
{
    scan s;
    ps__compose c;
    ps_status status = read_scan(call, &s);
    if (status != PS_OK || !call->args[3].as.boolean)
        return status == PS_OK ? cumulate(call, &s, prim) : status;
    ps__compose_begin(&c, call);
    ps_tensor *before = initial(&c, &s, first);
    ps_tensor *sums =
        PS__MAKE(&c, call->op->row.name, call->args[0], call->args[1], ps__arg_dtype(s.dtype));
    ps_tensor *parts[2] = {before, sums};
    ps_arg both = {.kind = PS_ARG_TENSORS, .count = 2, .as.tensors = parts};
    PS__GIVE(&c, "concatenate", both, ps__arg_int(s.axis));
    return ps__compose_end(&c);
}

ps_status ps__op_cumulative_sum(const ps__bound_call *call)
{
    return run_scan(call, PS__PRIM_add, 0);
}

ps_status ps__op_cumulative_prod(const ps__bound_call *call)
{
    return run_scan(call, PS__PRIM_multiply, 1);
}
