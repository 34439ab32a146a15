/* Kernels that a program has added: see ps_op_register. */
#include "backend/cpu/cpu.h"

static ps_view view_of(const ps__operand *operand)
{
    return (ps_view){operand->data, (ps_dtype)operand->dtype, operand->ndim, operand->shape,
                     operand->strides};
}

PS__CPU_RUN(kernel)
{
    const ps__work_kernel *w = (const ps__work_kernel *)work;
    ps_view inputs[PS__KERNEL_NUMBERS], output = view_of(&operands[0]);
    for (unsigned i = 1; i < count; i++)
        inputs[i - 1] = view_of(&operands[i]);
    ps_status status =
        w->kernel(w->context, inputs, count - 1, w->numbers, (size_t)w->nnumbers, &output);
    return status == PS_OK ? PS_OK : ps_task_fail(lane->self, status, "%s", ps_last_error());
}
