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

/* The work is done by the device that is not the CPU; zeros by the CPU. */
static ps_status submit_copy(const ps__bound_call *call, ps_tensor *x, ps_tensor *copy)
{
    const ps__home *cpu = ps__home_cpu(), *far = x->home != cpu ? x->home : copy->home;
    uint64_t bytes = (uint64_t)x->count * ps__dtype_bytes(x->dtype);
    ps__output output = {.tensor = copy, .use = PS__NEW};
    ps__work_transfer transfer = {.head = PS__WORK_HEAD(TRANSFER, ps__work_transfer),
                                  .size = bytes};
    ps__work_fill zeros = {.head = PS__WORK_HEAD(FILL, ps__work_fill), .count = x->count};
    bool forgotten = x->home->device->table->forgets;
    return ps__submit(&(ps__job){.call = call,
                                 .home = forgotten ? cpu : far,
                                 .work = forgotten ? &zeros.head : &transfer.head,
                                 .output = &output,
                                 .outputs = 1,
                                 .input = &x,
                                 .inputs = 1,
                                 .cost_ns = 500 + bytes / 8});
}

/* Between the CPU and another device; the elements of x lie side by side. */
static ps_status copy_straight(const ps__bound_call *call, ps_tensor *x, const ps__home *home,
                               ps_tensor **copy)
{
    ps_tensor *result;
    ps_status status = ps__tensor_create(home, (ps_dtype)x->dtype, x->ndim, ps__shape(x), &result);
    if (status != PS_OK)
        return status;
    status = submit_copy(call, x, result);
    if (status == PS_OK)
        *copy = result;
    else
        ps_tensor_release(result);
    return status;
}

/* `x` is elsewhere. */
static ps_status copy_to(const ps__bound_call *call, ps_tensor *x, const ps__home *home,
                         ps_tensor **copy)
{
    const ps__home *cpu = ps__home_cpu();
    ps_tensor *between = NULL;
    ps_status status;
    if (!x->contiguous) {
        ps_arg arg = ps__arg_tensor(x);
        status = ps__call("copy", call->call, &arg, 1, &between);
    } else if (x->home != cpu && home != cpu) {
        status = copy_straight(call, x, cpu, &between);
    } else {
        return copy_straight(call, x, home, copy);
    }
    if (status != PS_OK)
        return status;
    status = copy_to(call, between, home, copy);
    ps_tensor_release(between);
    return status;
}

ps_status ps__tensor_to_home(ps_tensor *tensor, const ps__home *home, ps_tensor **copy)
{
    ps_call none = {.size = sizeof none};
    ps__bound_call call = {.call = &none};
    ps_status status = ps_op_find("to_device", &call.op);
    return status == PS_OK ? copy_to(&call, tensor, home, copy) : status;
}

ps_status ps__op_to_device(const ps__bound_call *call)
{
    const ps__home *home;
    if (call->call->outputs[0] != NULL)
        return ps__fail(PS_ERR_ARGUMENT, "to_device makes a new tensor; none can be given");
    ps_tensor *x = call->args[0].as.tensor;
    ps_status status = ps__home_of(call->call->device, &home);
    if (status != PS_OK)
        return status;
    if (x->home == home) {
        call->call->outputs[0] = x;
        return ps_tensor_retain(x);
    }
    return copy_to(call, x, home, &call->call->outputs[0]);
}
