/* searchsorted: binary search, in the order of sort. */
#include "base/error.h"
#include "kernels/order.h"
#include "ops/strided.h"

#include <string.h>

enum { PIECE = 1 << 11 /* elements; work is divided among threads in pieces of these */ };

static ps_status search_piece(size_t begin, size_t end, void *arg)
{
    const ps__task *task = arg;
    const ps__operand *sorted = &task->operands[1], *x = &task->operands[2];
    ps_dtype dtype = (ps_dtype)x->dtype;
    ps__search(dtype, *(const bool *)task->extra, (size_t)sorted->shape[0], sorted->data,
               end - begin, x->data + begin * ps__dtype_bytes(dtype),
               (int64_t *)(void *)task->operands[0].data + begin);
    return PS_OK;
}

static ps_status run(ps__task *task, ps_task *self)
{
    (void)self;
    size_t count = 1;
    const ps__operand *x = &task->operands[2];
    for (int i = 0; i < x->ndim; i++)
        count *= (size_t)x->shape[i];
    return count == 0 ? PS_OK : ps__split(count, PIECE, search_piece, task);
}

static ps_status queue(const ps__bound_call *call, const ps__result *result,
                       const ps_tensor *sorted, const ps_tensor *x, bool behind)
{
    ps__launch launch;
    int64_t *dims;
    ps_status status =
        ps__task_new(call->op, x->place, 1, 3, 2u + 4u * x->ndim, sizeof behind, &launch, &dims);
    if (status != PS_OK)
        return status;
    ps__task_operand(&launch, 0, result->tensor, result->use, &dims);
    ps__task_operand(&launch, 1, sorted, PS__READ, &dims);
    ps__task_operand(&launch, 2, x, PS__READ, &dims);
    *(bool *)launch.task->extra = behind;
    launch.task->run = run;
    launch.location = call->call->location;
    launch.cost_ns = 60 + 30 * (uint64_t)x->count;
    return ps__task_push(&launch);
}

/* Argument `index` as the type, side by side, on the place; retained. */
static ps_status operand_of(const ps__bound_call *call, unsigned index, ps_dtype dtype,
                            const ps__place *place, ps_tensor **result)
{
    const ps_arg *arg = &call->args[index];
    *result = NULL;
    if (arg->kind != PS_ARG_TENSOR) {
        ps_call on = *call->call;
        ps_arg args[3] = {{.kind = PS_ARG_INTS}, *arg, {.kind = PS_ARG_DTYPE, .as.dtype = dtype}};
        on.device = place->device;
        return ps__call("full", &on, args, 3, result);
    }
    if (arg->as.tensor->dtype == (uint8_t)dtype)
        return ps__contiguous(call, arg->as.tensor, result);
    ps_arg args[2] = {*arg, {.kind = PS_ARG_DTYPE, .as.dtype = dtype}};
    return ps__call("cast", call->call, args, 2, result);
}

static ps_status common_type(const ps__bound_call *call, ps_dtype *dtype)
{
    ps__operand_type types[2];
    for (int i = 0; i < 2; i++) {
        const ps_arg *arg = &call->args[i];
        bool scalar = arg->kind != PS_ARG_TENSOR;
        types[i] = (ps__operand_type){scalar, (uint8_t)(scalar ? (int)arg->as.scalar.tag
                                                               : (int)arg->as.tensor->dtype)};
    }
    return ps__common_type(call->op, types, 2, dtype);
}

static ps_status check(const ps__bound_call *call, bool *behind)
{
    ps_tensor *sorted;
    const ps_arg *side = &call->args[2];
    ps_status status = ps__tensor_of(call, 0, &sorted);
    if (status != PS_OK)
        return status;
    if (sorted->ndim != 1)
        return ps__fail(PS_ERR_ARGUMENT, "searchsorted: x1 must have one dimension, not shape %s",
                        ps__shape_text(sorted->ndim, ps__shape(sorted)));
    *behind = side->kind == PS_ARG_TEXT && strcmp(side->as.text, "right") == 0;
    if (side->kind == PS_ARG_TEXT && !*behind && strcmp(side->as.text, "left") != 0)
        return ps__fail(PS_ERR_ARGUMENT, "searchsorted: side must be left or right, not \"%s\"",
                        side->as.text);
    return PS_OK;
}

static ps_status search(const ps__bound_call *call, const ps_tensor *sorted, const ps_tensor *x,
                        bool behind)
{
    ps__result result;
    int64_t count;
    ps_status status = ps__shape_check("searchsorted", PS_INT64, x->ndim, ps__shape(x), &count);
    if (status == PS_OK)
        status = ps__result_begin(call, 0, x->place, PS_INT64, x->ndim, ps__shape(x), &result);
    if (status != PS_OK)
        return status;
    return ps__result_end(&result, queue(call, &result, sorted, x, behind));
}

ps_status ps__op_searchsorted(const ps__bound_call *call)
{
    ps_tensor *sorted = NULL, *x = NULL;
    const ps__place *place;
    const ps_tensor *out = call->call->outputs[0];
    ps_dtype dtype;
    bool behind;
    ps_status status = check(call, &behind);
    if (status == PS_OK)
        status = ps__common_place(call, &place);
    if (status == PS_OK)
        status = common_type(call, &dtype);
    if (status != PS_OK)
        return status;
    if (ps__needs_detour(call, PS_INT64) || (out != NULL && !out->contiguous))
        return ps__detour(call);
    status = operand_of(call, 0, dtype, place, &sorted);
    if (status == PS_OK)
        status = operand_of(call, 1, dtype, place, &x);
    if (status == PS_OK)
        status = search(call, sorted, x, behind);
    ps_tensor_release(sorted);
    ps_tensor_release(x);
    return status;
}
