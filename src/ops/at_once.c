/* Finding operands for operations that are done at the call: see at_once.h. */
#include "ops/at_once.h"

#include "engine/at_once.h"

/* A look without the lock, so that what cannot be done costs little. */
static inline bool worth_trying(unsigned count, const ps_tensor *const *operands)
{
    for (unsigned i = 0; i < count; i++)
        if (!ps__storage_is_settled(operands[i]->storage))
            return false;
    return true;
}

static inline char *first_element(const ps_tensor *tensor, const ps__buffer *buffer)
{
    return (char *)buffer->data + tensor->offset * (int64_t)ps__dtype_bytes(tensor->dtype);
}

/* Under the lock, with which a storage's buffer and the buffer's variable change only. */
static inline bool take_read(const ps_tensor *tensor, char **data)
{
    const ps__buffer *buffer = ps__load(&tensor->storage->buffer);
    *data = first_element(tensor, buffer);
    return PS_LIKELY(ps__at_once_reads(ps__load(&buffer->var))) && buffer->data != NULL;
}

static inline bool take_write(const ps_tensor *tensor, ps__use use, char **data)
{
    const ps__buffer *buffer = ps__load(&tensor->storage->buffer);
    *data = first_element(tensor, buffer);
    if (PS_LIKELY(use == PS__NEW)) /* a recycled variable may still have a write or a mark */
        return ps__at_once_reads(ps__load(&buffer->var));
    /* Pairs with the releases in ps__buffer_unpin and at a task's end: what they read is read. */
    return ps__load_acquire(&buffer->readers) == 0 && ps__at_once_writes(ps__load(&buffer->var)) &&
           buffer->data != NULL;
}

bool ps__at_once_open(unsigned count, const ps_tensor *const *operands, ps__use use, char **data)
{
    ps_engine *engine = ps__tensor_engine();
    ps__storage *written = operands[0]->storage;
    if (PS_UNLIKELY(engine == NULL || !worth_trying(count, operands)))
        return false;
    /* A new one is our own. What is allocated here serves the task if there must be one. */
    if ((use == PS__NEW && !ps__buffer_try(ps__load(&written->buffer))) ||
        !ps__at_once_begin(engine))
        return false;
    bool there = take_write(operands[0], use, &data[0]);
    for (unsigned i = 1; i < count && there; i++)
        there = take_read(operands[i], &data[i]);
    if (PS_LIKELY(there))
        written->version++;
    else
        ps__at_once_end(engine, false);
    return there;
}

void ps__at_once_close(const ps_tensor *written, ps__use use)
{
    ps__at_once_end(ps__tensor_engine(), true);
    if (use == PS__NEW)
        ps__buffer_filled(ps__load(&written->storage->buffer)); /* our own */
}
