/* Copies between devices.
 *
 * A copy is a task between the CPU and one other device: if that has a queue, the copy is put on it
 * and is ordered there as any other work; the CPU's buffer is read or written until the device is
 * done. Between two other devices it goes through the CPU. Elements are copied side by side: a view
 * with gaps is first made whole where it is.
 *
 * What comes from the null device is zeros; what goes there is not copied. */
#include "base/error.h"
#include "ops/calls.h"

#include <string.h>

typedef struct copy_work {
    size_t bytes;
} copy_work;

/* On a worker; the device does the work. */
static ps_status run_copy(ps__task *task, ps_task *self)
{
    const copy_work *copy = task->extra;
    ps_device *device = task->place->device;
    if (copy->bytes == 0)
        return PS_OK;
    ps_status status = device->table->copy(device, PS__PLACE_QUEUE, task->operands[0].data,
                                           task->operands[1].data, copy->bytes);
    return status == PS_OK ? PS_OK : ps_task_fail(self, status, "%s", ps_last_error());
}

static ps_status run_zeros(ps__task *task, ps_task *self)
{
    (void)self;
    memset(task->operands[0].data, 0, ((const copy_work *)task->extra)->bytes);
    return PS_OK;
}

static ps_status queue_copy(const ps_call *outer, ps_tensor *x, ps_tensor *result)
{
    ps__launch launch;
    int64_t *dims;
    const ps__place *cpu = ps__place_cpu(), *far = x->place != cpu ? x->place : result->place;
    bool zeros = x->place->skip;
    const ps_op *op;
    ps_status status = ps_op_find("to_device", &op);
    if (status == PS_OK)
        status = ps__task_new(op, zeros ? cpu : far, 1, 2, 4u * x->ndim, sizeof(copy_work), &launch,
                              &dims);
    if (status != PS_OK)
        return status;
    ps__task_operand(&launch, 0, result, PS__NEW, &dims);
    ps__task_operand(&launch, 1, x, PS__READ, &dims);
    copy_work *copy = launch.task->extra;
    copy->bytes = (size_t)x->count * ps__dtype_bytes(x->dtype);
    launch.task->run = zeros ? run_zeros : run_copy;
    launch.kind = PS_COPY;
    launch.location = outer->location;
    launch.cost_ns = 500 + copy->bytes / 8;
    return ps__task_push(&launch);
}

/* Between the CPU and another device; the elements of x lie side by side. */
static ps_status copy_straight(const ps_call *outer, ps_tensor *x, const ps__place *place,
                               ps_tensor **copy)
{
    ps_tensor *result;
    ps_status status = ps__tensor_create(place, (ps_dtype)x->dtype, x->ndim, ps__shape(x), &result);
    if (status != PS_OK)
        return status;
    status = queue_copy(outer, x, result);
    if (status == PS_OK)
        *copy = result;
    else
        ps_tensor_release(result);
    return status;
}

/* `x` is elsewhere. */
static ps_status copy_to(const ps_call *outer, ps_tensor *x, const ps__place *place,
                         ps_tensor **copy)
{
    const ps__place *cpu = ps__place_cpu();
    ps_tensor *between = NULL;
    ps_status status;
    if (!x->contiguous) {
        ps_arg arg = ps__arg_tensor(x);
        status = ps__call("copy", outer, &arg, 1, &between);
    } else if (x->place != cpu && place != cpu) {
        status = copy_straight(outer, x, cpu, &between);
    } else {
        return copy_straight(outer, x, place, copy);
    }
    if (status != PS_OK)
        return status;
    status = copy_to(outer, between, place, copy);
    ps_tensor_release(between);
    return status;
}

ps_status ps__tensor_to_place(ps_tensor *tensor, const ps__place *place, ps_tensor **copy)
{
    return copy_to(&(ps_call){.size = sizeof(ps_call)}, tensor, place, copy);
}

ps_status ps__op_to_device(const ps__bound_call *call)
{
    const ps__place *place;
    if (call->args[0].kind != PS_ARG_TENSOR)
        return ps__fail(PS_ERR_ARGUMENT, "to_device: a number is on no device");
    if (call->call->outputs[0] != NULL)
        return ps__fail(PS_ERR_ARGUMENT, "to_device makes a new tensor; none can be given");
    ps_tensor *x = call->args[0].as.tensor;
    ps_status status = ps__place_of(call->call->device, &place);
    if (status != PS_OK)
        return status;
    if (x->place == place) {
        call->call->outputs[0] = x;
        return ps_tensor_retain(x);
    }
    return copy_to(call->call, x, place, &call->call->outputs[0]);
}
