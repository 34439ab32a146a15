/* Operations that a program adds with a rule and a kernel of its own. */
#include "base/error.h"
#include "ops/plugin.h"

#include <stdarg.h>
#include <stdio.h>

enum { NUMBERS = 8 };

typedef struct plugin_work {
    size_t nnumbers;
    ps_scalar numbers[NUMBERS];
} plugin_work;

ps_status ps_op_fail(ps_status status, const char *format, ...)
{
    char text[512];
    va_list list;
    status = ps__status_checked(status);
    if (format == NULL)
        return ps__fail(status, "%s", ps_status_text(status));
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    return ps__fail(status, "%s", text);
}

/* A rule or kernel has failed: its own text if it gave one with ps_op_fail. */
static ps_status own_text(const ps_op *op, const char *what, uint64_t texts, ps_status status)
{
    status = ps__status_checked(status);
    return ps__fail_count() != texts ? status
                                     : ps__fail(status, "%s: its %s failed: %s", op->row.name, what,
                                                ps_status_text(status));
}

static ps_status run(ps__task *task, ps_task *self)
{
    const plugin_work *work = task->extra;
    ps_view views[PS__OPERANDS];
    for (unsigned i = 0; i < task->count; i++) {
        const ps__operand *operand = &task->operands[i];
        views[i] = (ps_view){.data = operand->data,
                             .dtype = (ps_dtype)operand->dtype,
                             .ndim = operand->ndim,
                             .shape = operand->shape,
                             .strides = operand->strides};
    }
    uint64_t texts = ps__fail_count();
    ps_status status = task->op->kernel(task->op->context, views + 1, task->count - 1u,
                                        work->numbers, work->nnumbers, &views[0]);
    if (status == PS_OK)
        return PS_OK;
    status = own_text(task->op, "kernel", texts, status);
    return ps_task_fail(self, status, "%s", ps_last_error());
}

/* Arguments apart: tensors and numbers. */
static ps_status sort_arguments(const ps__bound_call *call, ps_tensor **tensors, unsigned *count,
                                plugin_work *work)
{
    *count = 0;
    for (unsigned i = 0; i < call->op->nargs; i++) {
        if (call->op->args[i].kind != PS_ARG_TENSOR)
            work->numbers[work->nnumbers++] = call->args[i].as.scalar;
        else if (call->args[i].kind == PS_ARG_TENSOR)
            tensors[(*count)++] = call->args[i].as.tensor;
        else
            return ps__fail(PS_ERR_TYPE, "%s: argument %s must be a tensor, not a number",
                            call->op->row.name, call->op->args[i].name);
    }
    return PS_OK;
}

static ps_status ask_rule(const ps_op *op, ps_tensor *const *tensors, unsigned count,
                          const plugin_work *work, ps_dtype *dtype, int *ndim, int64_t *shape)
{
    ps_view views[NUMBERS];
    int64_t strides[NUMBERS][PS_DIMS_MAX], elements;
    for (unsigned i = 0; i < count; i++) {
        const ps_tensor *t = tensors[i];
        for (int d = 0; d < t->ndim; d++)
            strides[i][d] = ps__strides(t)[d] * (int64_t)ps__dtype_bytes(t->dtype);
        views[i] = (ps_view){.dtype = (ps_dtype)t->dtype,
                             .ndim = t->ndim,
                             .shape = ps__shape(t),
                             .strides = strides[i]};
    }
    uint64_t texts = ps__fail_count();
    ps_status status =
        op->rule(op->context, views, count, work->numbers, work->nnumbers, dtype, ndim, shape);
    return status == PS_OK ? ps__shape_check(op->row.name, *dtype, *ndim, shape, &elements)
                           : own_text(op, "rule", texts, status);
}

static ps_status queue(const ps__bound_call *call, const ps__place *place,
                       ps_tensor *const *tensors, unsigned count, const plugin_work *work,
                       const ps__result *result)
{
    ps__launch launch;
    int64_t *dims;
    unsigned room = 2u * result->tensor->ndim;
    for (unsigned i = 0; i < count; i++)
        room += 2u * tensors[i]->ndim;
    ps_status status =
        ps__task_new(call->op, place, 1, 1 + count, room, sizeof *work, &launch, &dims);
    if (status != PS_OK)
        return status;
    ps__task_operand(&launch, 0, result->tensor, result->use, &dims);
    for (unsigned i = 0; i < count; i++)
        ps__task_operand(&launch, 1 + i, tensors[i], PS__READ, &dims);
    *(plugin_work *)launch.task->extra = *work;
    launch.task->run = run;
    launch.location = call->call->location;
    return ps__task_push(&launch);
}

ps_status ps__op_plugin(const ps__bound_call *call)
{
    ps_tensor *tensors[NUMBERS];
    plugin_work work = {0};
    const ps__place *place;
    ps_dtype dtype = PS_FLOAT32;
    int ndim = 0;
    int64_t shape[PS_DIMS_MAX] = {0};
    if (call->call->outputs[0] != NULL)
        return ps__fail(PS_ERR_ARGUMENT, "%s makes a new tensor; use assign to fill one",
                        call->op->row.name);
    unsigned count;
    ps_status status = sort_arguments(call, tensors, &count, &work);
    if (status == PS_OK)
        status = ask_rule(call->op, tensors, count, &work, &dtype, &ndim, shape);
    if (status == PS_OK)
        status = ps__common_place(call, &place);
    ps__result result;
    if (status == PS_OK)
        status = ps__result_begin(call, 0, place, dtype, ndim, shape, &result);
    if (status != PS_OK)
        return status;
    return ps__result_end(&result, queue(call, place, tensors, count, &work, &result));
}

ps_status ps__plugin_check(const ps_op *op)
{
    if (op->operands == op->nargs && op->nargs >= 1 && op->nargs <= NUMBERS)
        return PS_OK;
    return ps__fail(PS_ERR_ARGUMENT, "ps_op_register: %s: one to %d tensors or scalars, not \"%s\"",
                    op->row.name, NUMBERS, op->row.signature);
}
