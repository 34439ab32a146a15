/* Calls of the reductions that combine: sum, prod, min, max, mean, var, std, norm, any, all. */
#include "base/error.h"
#include "ops/calls.h"
#include "ops/map.h"
#include "ops/reduce.h"

#include <inttypes.h>
#include <string.h>

/* ---- programs ---------------------------------------------------------------------------- */

static int emit_unary(ps__program *program, ps__prim prim, int value, ps_dtype result)
{
    if (value < 0 || program->instructions == PS__INSTRUCTIONS)
        return -1;
    unsigned index = program->instructions++;
    program->instruction[index] = (ps__instruction){.prim = (uint8_t)prim,
                                                    .dtype = program->types[value],
                                                    .result = (uint8_t)result,
                                                    .arity = 1,
                                                    .args = {(uint8_t)value}};
    program->types[ps__program_value(program, index)] = (uint8_t)result;
    return ps__program_value(program, index);
}

bool ps__reduce_prologue(const ps__reduce_spec *spec, ps__program *program, int value)
{
    ps_dtype to = (ps_dtype)spec->accumulator;
    if (spec->square && ps__dtype_kind_of((ps_dtype)program->types[value]) == PS__KIND_COMPLEX)
        value = emit_unary(program, PS__PRIM_abs, value,
                           (ps_dtype)ps__dtypes[program->types[value]].real);
    value = ps__program_cast(program, value, to);
    if (spec->square)
        value = emit_unary(program, PS__PRIM_square, value, to);
    if (value < 0)
        return false;
    program->stores = 1;
    program->store[0] = (ps__store){.value = (uint8_t)value};
    return ps__program_finish(program);
}

static ps_status run(ps__task *task, ps_task *self)
{
    const ps__reduce_work *work = ps__reduce_of(task);
    const ps__operand *from = &task->operands[1];
    ps__program program = {.inputs = 1, .types = {from->dtype}};
    (void)ps__reduce_prologue(&work->spec, &program, 0); /* three steps at most: they fit */
    ps__memory input = {from->data, from->strides};
    ps_status status = ps__reduce_run(&work->spec, &program, from->ndim, from->shape, work->reduced,
                                      &input, task->operands[0].data);
    return status == PS_OK ? PS_OK : ps_task_fail(self, status, "%s", ps_last_error());
}

/* ---- queueing ---------------------------------------------------------------------------- */

typedef struct reducing {
    const ps__bound_call *call;
    ps_tensor *x;
    uint32_t axes;
    bool keepdims;
    int64_t length; /* elements combined for each output */
    int ndim;       /* of the result */
    int64_t shape[PS_DIMS_MAX];
} reducing;

static ps_status begin(reducing *r, const ps__bound_call *call, const ps_arg *axis, bool keepdims)
{
    const ps_arg *x = &call->args[0];
    *r = (reducing){.call = call, .x = x->as.tensor, .keepdims = keepdims, .length = 1};
    if (x->kind != PS_ARG_TENSOR)
        return ps__fail(PS_ERR_TYPE, "%s: x must be a tensor, not a number", call->op->row.name);
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

static ps_status queue(const reducing *r, const ps__reduce_spec *spec, ps__result *result)
{
    ps__launch launch;
    int64_t *dims;
    ps_status status =
        ps__task_new(r->call->op, r->x->place, 1, 2, 2 * (unsigned)(r->ndim + r->x->ndim),
                     sizeof(ps__reduce_work), &launch, &dims);
    if (status != PS_OK)
        return status;
    ps__task_operand(&launch, 0, result->tensor, result->use, &dims);
    ps__task_operand(&launch, 1, r->x, PS__READ, &dims);
    *ps__reduce_of(launch.task) = (ps__reduce_work){*spec, r->axes};
    launch.task->run = run;
    launch.task->reduce = true;
    launch.brief = true;
    launch.location = r->call->call->location;
    launch.cost_ns =
        60 + (uint64_t)((double)r->x->count * (0.05 + 0.02 * (double)ps__dtype_bytes(r->x->dtype)));
    if (r->x->count >= PS__MAP_FUSE_LEAST && r->x->place->queue == NULL && ps_fusion())
        launch.flags = PS_TASK_FUSABLE;
    return ps__task_push(&launch);
}

/* The result lies side by side in a storage of its own, or goes through one. */
static ps_status reduce(const reducing *r, const ps__reduce_spec *spec)
{
    ps_tensor **slot = &r->call->call->outputs[0], *into = *slot;
    ps__result result;
    if (into == NULL) {
        ps_status status = ps__result_begin(r->call, 0, r->x->place, (ps_dtype)spec->result,
                                            r->ndim, r->shape, &result);
        return status == PS_OK ? ps__result_end(&result, queue(r, spec, &result)) : status;
    }
    if (!ps__shape_equal(into->ndim, ps__shape(into), r->ndim, r->shape))
        return ps__fail(PS_ERR_ARGUMENT, "%s: the output has shape %s, the result %s",
                        r->call->op->row.name, ps__shape_text(into->ndim, ps__shape(into)),
                        ps__shape_text(r->ndim, r->shape));
    ps_tensor *temporary = NULL;
    ps_status status = ps__check_into(r->call, (ps_dtype)spec->result, (ps_dtype)into->dtype);
    if (status == PS_OK)
        status =
            ps__tensor_create(r->x->place, (ps_dtype)spec->result, r->ndim, r->shape, &temporary);
    if (status != PS_OK)
        return status;
    result = (ps__result){.tensor = temporary, .use = PS__NEW};
    status = queue(r, spec, &result);
    ps_arg value = ps__arg_tensor(temporary);
    if (status == PS_OK)
        status = ps__assign(r->call, into, &value);
    ps_tensor_release(temporary);
    return status;
}

/* ---- types ------------------------------------------------------------------------------- */

/* Sums and products: small integers grow, so that they rarely overflow. */
static ps_dtype sum_type(ps_dtype dtype)
{
    if (dtype == PS_BOOL || PS__SET_SIGNED >> dtype & 1)
        return PS_INT64;
    return PS__SET_UNSIGNED >> dtype & 1 ? PS_UINT64 : dtype;
}

static ps_status combine(const ps__bound_call *call, ps__reduce reduce_by)
{
    reducing r;
    ps_status status = begin(&r, call, &call->args[1], call->args[2].as.boolean);
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
    return reduce(&r, &spec);
}

ps_status ps__op_sum(const ps__bound_call *call)
{
    return combine(call, PS__REDUCE_SUM);
}

ps_status ps__op_prod(const ps__bound_call *call)
{
    return combine(call, PS__REDUCE_PROD);
}

static ps_status extreme(const ps__bound_call *call, ps__reduce reduce_by)
{
    reducing r;
    ps_status status = begin(&r, call, &call->args[1], call->args[2].as.boolean);
    if (status != PS_OK)
        return status;
    ps_dtype dtype = (ps_dtype)r.x->dtype;
    if (ps__dtype_kind_of(dtype) == PS__KIND_COMPLEX)
        return ps__fail(PS_ERR_TYPE, "%s: %s has no order", call->op->row.name,
                        ps__dtypes[dtype].name);
    if (r.length == 0)
        return ps__fail(PS_ERR_ARGUMENT, "%s: no elements along the axes of shape %s",
                        call->op->row.name, ps__shape_text(r.x->ndim, ps__shape(r.x)));
    return reduce(&r, &(ps__reduce_spec){.reduce = (uint8_t)reduce_by,
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
    ps_status status = begin(&r, call, &call->args[1], call->args[2].as.boolean);
    if (status != PS_OK)
        return status;
    return reduce(&r, &(ps__reduce_spec){.reduce = (uint8_t)reduce_by,
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
    ps_status status = begin(&r, call, &call->args[1], call->args[2].as.boolean);
    if (status != PS_OK)
        return status;
    ps__reduce_spec spec = {.reduce = PS__REDUCE_SUM, .divide = true, .divisor = (double)r.length};
    mean_types((ps_dtype)r.x->dtype, &spec);
    return reduce(&r, &spec);
}

/* The distances from the mean, then the mean of their squares. Integers are taken as float64: float32
 * would round what is large before its distance is known. */
static ps_status spread_of(const ps__bound_call *call, bool root)
{
    reducing r;
    ps_status status = begin(&r, call, &call->args[1], call->args[3].as.boolean);
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
        status = reduce(&r, &spec);
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
    ps_status status = begin(&r, call, &call->args[1], call->args[2].as.boolean);
    if (status != PS_OK)
        return status;
    ps__reduce_spec spec = {.reduce = PS__REDUCE_SUM, .square = true, .root = true};
    mean_types((ps_dtype)ps__dtypes[r.x->dtype].real, &spec);
    return reduce(&r, &spec);
}
