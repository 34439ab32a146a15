/* Calls of the reductions that combine: sum, prod, min, max, mean, var, std, norm, any, all. */
#include "base/error.h"
#include "ops/calls.h"
#include "ops/rows.h"

#include <inttypes.h>
#include <string.h>

typedef struct reducing {
    const ps__bound_call *call;
    ps_tensor *x;
    uint32_t axes;
    bool keepdims;
    int64_t length; /* elements combined for each output */
    int ndim;       /* of the result */
    int64_t shape[PS_DIMS_MAX];
} reducing;

static ps_status reduce_begin(reducing *r, const ps__bound_call *call, const ps_arg *axis,
                              bool keepdims)
{
    const ps_arg *x = &call->args[0];
    *r = (reducing){.call = call, .x = x->as.tensor, .keepdims = keepdims, .length = 1};
    ps_status status = ps__axes(call, axis, r->x->ndim, &r->axes);
    if (status != PS_OK)
        return status;
    for (int i = 0; i < r->x->ndim; i++) {
        bool goes = r->axes >> i & 1;
        if (goes)
            r->length *= ps__shape(r->x)[i];
        if (!goes || keepdims)
            r->shape[r->ndim++] = goes ? 1 : ps__shape(r->x)[i];
    }
    return PS_OK;
}

typedef struct reduce_room {
    ps__work_reduce reduce;
    int64_t shape[PS_DIMS_MAX];
} reduce_room;

_Static_assert(offsetof(reduce_room, shape) == sizeof(ps__work_reduce), "the shape follows");

/* Elements from one to the next of those that are combined, if the axes follow each other; else 0. Of a
 * tensor whose elements lie side by side. */
static int64_t distance(const reducing *r)
{
    int64_t apart = 1;
    int i = r->x->ndim - 1;
    for (; i >= 0 && !(r->axes >> i & 1); i--)
        apart *= ps__shape(r->x)[i];
    while (i >= 0 && r->axes >> i & 1)
        i--;
    uint32_t before = i < 0 ? 0 : (2u << i) - 1;
    return (r->axes & before) == 0 ? apart : 0;
}

static bool is_done_at_once(const reducing *r, const ps__reduce_spec *spec,
                            const ps__output *output)
{
    if (!ps__rows_are_short(spec, r->x))
        return false;
    int64_t apart = r->length > 1 ? distance(r) : 1;
    return apart != 0 && ps__rows_at_once(spec, &(ps__rows){.operands = {output->tensor, r->x},
                                                            .count = 2,
                                                            .use = output->use,
                                                            .length = r->length,
                                                            .apart = apart});
}

static ps_status queue_reduction(const reducing *r, const ps__reduce_spec *spec,
                                 const ps__output *output)
{
    reduce_room room;
    ps_tensor *x = r->x;
    size_t shape_bytes = x->ndim * sizeof room.shape[0];
    room.reduce = (ps__work_reduce){.head = {.kind = PS__WORK_REDUCE,
                                             .bytes = (uint32_t)(sizeof room.reduce + shape_bytes)},
                                    .spec = *spec,
                                    .reduced = r->axes,
                                    .ndim = x->ndim,
                                    .source = {1}};
    memcpy(room.shape, ps__shape(x), shape_bytes);
    double bytes = (double)ps__dtype_bytes(x->dtype);
    return ps__submit(
        &(ps__job){.call = r->call,
                   .work = &room.reduce.head,
                   .output = output,
                   .outputs = 1,
                   .input = &x,
                   .inputs = 1,
                   .cost_ns = 60 + (uint64_t)((double)x->count * (0.05 + 0.02 * bytes)),
                   .elements = x->count});
}

static ps_status submit_reduction(const reducing *r, const ps__reduce_spec *spec)
{
    ps__output output;
    ps_status status = ps__output_begin(r->call, 0, r->x->home, (ps_dtype)spec->result, r->ndim,
                                        r->shape, 0, &output);
    if (status != PS_OK)
        return status;
    if (!is_done_at_once(r, spec, &output))
        status = queue_reduction(r, spec, &output);
    return ps__output_end(r->call, &output, status);
}

/* ---- types ------------------------------------------------------------------------------- */

/* Sums and products: small integers grow, so that they rarely overflow. */
static ps_dtype sum_type(ps_dtype dtype)
{
    if (dtype == PS_BOOL || PS__SET_SIGNED >> dtype & 1)
        return PS_INT64;
    return PS__SET_UNSIGNED >> dtype & 1 ? PS_UINT64 : dtype;
}

static ps_status reduce_by(const ps__bound_call *call, ps__reduce reduce_by)
{
    reducing r;
    ps_status status = reduce_begin(&r, call, &call->args[1], call->args[2].as.boolean);
    if (status != PS_OK)
        return status;
    bool given = call->args[3].kind == PS_ARG_DTYPE;
    ps_dtype result = given ? call->args[3].as.dtype : sum_type((ps_dtype)r.x->dtype);
    ps__reduce_spec spec = {.reduce = (uint8_t)reduce_by,
                            .accumulator = ps__dtypes[result].compute,
                            .result = (uint8_t)result};
    if (result == PS_BOOL || (ps__dtype_kind_of((ps_dtype)r.x->dtype) == PS__KIND_COMPLEX &&
                              ps__dtype_kind_of(result) != PS__KIND_COMPLEX))
        return ps__fail(PS_ERR_TYPE, "%s: no rule for %s as %s", call->op->row.name,
                        ps__dtypes[r.x->dtype].name, ps__dtypes[result].name);
    return submit_reduction(&r, &spec);
}

ps_status ps__op_sum(const ps__bound_call *call)
{
    return reduce_by(call, PS__REDUCE_SUM);
}

ps_status ps__op_prod(const ps__bound_call *call)
{
    return reduce_by(call, PS__REDUCE_PROD);
}

static ps_status extreme(const ps__bound_call *call, ps__reduce reduce_by)
{
    reducing r;
    ps_status status = reduce_begin(&r, call, &call->args[1], call->args[2].as.boolean);
    if (status != PS_OK)
        return status;
    ps_dtype dtype = (ps_dtype)r.x->dtype;
    if (ps__dtype_kind_of(dtype) == PS__KIND_COMPLEX)
        return ps__fail(PS_ERR_TYPE, "%s: %s has no order", call->op->row.name,
                        ps__dtypes[dtype].name);
    if (r.length == 0)
        return ps__fail(PS_ERR_ARGUMENT, "%s: no elements along the axes of shape %s",
                        call->op->row.name, ps__shape_text(r.x->ndim, ps__shape(r.x)));
    return submit_reduction(&r, &(ps__reduce_spec){.reduce = (uint8_t)reduce_by,
                                                   .accumulator = ps__dtypes[dtype].compute,
                                                   .result = (uint8_t)dtype});
}

ps_status ps__op_min(const ps__bound_call *call)
{
    return extreme(call, PS__REDUCE_MIN);
}

ps_status ps__op_max(const ps__bound_call *call)
{
    return extreme(call, PS__REDUCE_MAX);
}

static ps_status truth(const ps__bound_call *call, ps__reduce reduce_by)
{
    reducing r;
    ps_status status = reduce_begin(&r, call, &call->args[1], call->args[2].as.boolean);
    if (status != PS_OK)
        return status;
    return submit_reduction(&r, &(ps__reduce_spec){.reduce = (uint8_t)reduce_by,
                                                   .accumulator = PS_BOOL,
                                                   .result = PS_BOOL});
}

ps_status ps__op_any(const ps__bound_call *call)
{
    return truth(call, PS__REDUCE_ANY);
}

ps_status ps__op_all(const ps__bound_call *call)
{
    return truth(call, PS__REDUCE_ALL);
}

/* ---- means ------------------------------------------------------------------------------- */

/* The type of a mean: a float; integers are added up as float64. */
static void mean_types(ps_dtype dtype, ps__reduce_spec *spec)
{
    bool inexact = ps__dtype_is_inexact(dtype);
    spec->accumulator = inexact ? ps__dtypes[dtype].compute : PS_FLOAT64;
    spec->result = (uint8_t)(inexact ? dtype : PS_FLOAT32);
}

ps_status ps__op_mean(const ps__bound_call *call)
{
    reducing r;
    ps_status status = reduce_begin(&r, call, &call->args[1], call->args[2].as.boolean);
    if (status != PS_OK)
        return status;
    ps__reduce_spec spec = {.reduce = PS__REDUCE_SUM, .divide = true, .divisor = (double)r.length};
    mean_types((ps_dtype)r.x->dtype, &spec);
    return submit_reduction(&r, &spec);
}

/* The distances from the mean, then the mean of their squares. Integers are taken as float64: float32
 * would round what is large before its distance is known. */
static ps_status spread_of(const ps__bound_call *call, bool root)
{
    reducing r;
    ps_status status = reduce_begin(&r, call, &call->args[1], call->args[3].as.boolean);
    if (status != PS_OK)
        return status;
    ps_tensor *wide = NULL, *mean = NULL, *distance = NULL;
    bool integer = !ps__dtype_is_inexact((ps_dtype)r.x->dtype);
    ps_arg args[3] = {call->args[0], {.kind = PS_ARG_DTYPE, .as.dtype = PS_FLOAT64}};
    if (integer) {
        status = ps__call("cast", call->call, args, 2, &wide);
        args[0] = ps__arg_tensor(wide);
    }
    if (status == PS_OK) {
        args[1] = call->args[1];
        args[2] = (ps_arg){.kind = PS_ARG_BOOL, .as.boolean = true};
        status = ps__call("mean", call->call, args, 3, &mean);
    }
    if (status == PS_OK) {
        args[1] = ps__arg_tensor(mean);
        status = ps__call("subtract", call->call, args, 2, &distance);
    }
    if (status == PS_OK) {
        double count = (double)r.length - call->args[2].as.number;
        ps__reduce_spec spec = {.reduce = PS__REDUCE_SUM, .square = true, .root = root};
        mean_types((ps_dtype)ps__dtypes[distance->dtype].real, &spec);
        if (integer)
            spec.result = PS_FLOAT32;
        spec.divide = true;
        spec.divisor = count > 0 ? count : 0;
        r.x = distance;
        status = submit_reduction(&r, &spec);
    }
    ps_tensor_release(wide);
    ps_tensor_release(mean);
    ps_tensor_release(distance);
    return status;
}

ps_status ps__op_var(const ps__bound_call *call)
{
    return spread_of(call, false);
}

ps_status ps__op_std(const ps__bound_call *call)
{
    return spread_of(call, true);
}

ps_status ps__op_norm(const ps__bound_call *call)
{
    reducing r;
    ps_status status = reduce_begin(&r, call, &call->args[1], call->args[2].as.boolean);
    if (status != PS_OK)
        return status;
    ps__reduce_spec spec = {.reduce = PS__REDUCE_SUM, .square = true, .root = true};
    mean_types((ps_dtype)ps__dtypes[r.x->dtype].real, &spec);
    return submit_reduction(&r, &spec);
}
