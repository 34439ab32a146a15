/* Kernels that a program has added: see ps_op_register. */
#include "backend/cpu/cpu.h"

#include "base/error.h"

static ps_view view_of_operand(const ps__operand *operand)
{
    return (ps_view){.data = operand->data,
                     .dtype = (ps_dtype)operand->dtype,
                     .ndim = operand->ndim,
                     .shape = operand->shape,
                     .strides = operand->strides};
}

PS__CPU_RUN(kernel)
{
    const ps__work_kernel *w = (const ps__work_kernel *)work;
    ps_view inputs[PS__KERNEL_NUMBERS], output = view_of_operand(&operands[0]);
    for (unsigned i = 1; i < count; i++)
        inputs[i - 1] = view_of_operand(&operands[i]);
    uint64_t texts = ps__fail_count();
    ps_status status =
        w->kernel(w->context, inputs, count - 1, w->numbers, (size_t)w->nnumbers, &output);
    if (status == PS_OK)
        return PS_OK;
    status = ps__foreign_failed(lane->name, "kernel", texts, status);
    return ps_task_fail(lane->self, status, "%s", ps_last_error());
}
