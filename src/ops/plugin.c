/* Operations that a program adds with a rule and a kernel of its own. */
#include "base/error.h"
#include "ops/plugin.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { NUMBERS = PS__KERNEL_NUMBERS };

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

/* A number without what lies between and behind its members: equal ones have equal bytes. */
static void copy_number(const ps_scalar *from, ps_scalar *to)
{
    memset(to, 0, sizeof *to);
    to->tag = from->tag;
    if (from->tag == PS_SCALAR_BOOL)
        to->as.b = from->as.b;
    else if (from->tag == PS_SCALAR_COMPLEX)
        memcpy(&to->as, &from->as, sizeof to->as);
    else
        to->as.u = from->as.u; /* eight bytes, of whatever kind */
}

/* Arguments apart: tensors and numbers. */
static void sort_arguments(const ps__bound_call *call, ps_tensor **tensors, unsigned *count,
                           ps__work_kernel *work)
{
    *count = 0;
    for (unsigned i = 0; i < call->op->nargs; i++) {
        if (call->op->args[i].kind != PS_ARG_TENSOR)
            copy_number(&call->args[i].as.scalar, &work->numbers[work->nnumbers++]);
        else
            tensors[(*count)++] = call->args[i].as.tensor;
    }
}

static ps_status ask_rule(const ps_op *op, ps_tensor *const *tensors, unsigned count,
                          const ps__work_kernel *work, ps_dtype *dtype, int *ndim, int64_t *shape)
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
                           : ps__foreign_failed(op->row.name, "rule", texts, status);
}

ps_status ps__op_plugin(const ps__bound_call *call)
{
    ps_tensor *tensors[NUMBERS];
    ps__work_kernel work = {.head = PS__WORK_HEAD(KERNEL, ps__work_kernel),
                            .kernel = call->op->kernel,
                            .context = call->op->context};
    const ps__home *home;
    ps_dtype dtype = PS_FLOAT32;
    int ndim = 0;
    int64_t shape[PS_DIMS_MAX] = {0};
    unsigned count;
    sort_arguments(call, tensors, &count, &work);
    ps_status status = ask_rule(call->op, tensors, count, &work, &dtype, &ndim, shape);
    if (status == PS_OK)
        status = ps__common_home(call, &home);
    if (status != PS_OK)
        return status;
    ps__job job = {.call = call, .work = &work.head, .input = tensors, .inputs = count};
    return ps__submit_output(&job, home, dtype, ndim, shape);
}

ps_status ps__plugin_check(const ps_op *op)
{
    if (op->operands == op->nargs && op->nargs >= 1 && op->nargs <= NUMBERS)
        return PS_OK;
    return ps__fail(PS_ERR_ARGUMENT, "ps_op_register: %s: one to %d tensors or scalars, not \"%s\"",
                    op->row.name, NUMBERS, op->row.signature);
}
