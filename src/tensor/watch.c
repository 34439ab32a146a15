/* Being told that a tensor is there: its variable in a completion queue.
 *
 * A watch reads the variable of the buffer that is current at the call. It holds no reference to
 * the buffer: it needs no elements, and the variable stays valid while a task reads it. */
#include "tensor/tensor.h"

#include "base/error.h"

ps_status ps_completions_watch_tensor(ps_completions *completions, ps_tensor *tensor, uint64_t tag)
{
    if (completions == NULL || tensor == NULL)
        return ps__fail(PS_ERR_ARGUMENT, "ps_completions_watch_tensor: %s is NULL",
                        tensor == NULL ? "tensor" : "completions");
    ps__buffer *buffer = ps__storage_hold(tensor->storage);
    ps_status status = ps_completions_watch(completions, buffer->var, tag);
    ps__buffer_release(buffer);
    return status;
}
