/* Finding operands for operations that are done at the call: see at_once.h. */
#include "ops/at_once.h"

#include "engine/at_once.h"
#include "tensor/tensor.h"

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
    return ps__buffer_readers(buffer) == 0 && ps__at_once_writes(ps__load(&buffer->var)) &&
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
        ps__storage_count_write(written, operands[0]->alias);
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

/* ---- tasks ------------------------------------------------------------------------------ */

/* A map that could be done was done before there was a job for it. */
bool ps__at_once_suits(const ps__job *job, const ps__home *home)
{
    uint32_t kind = job->work->kind;
    if (job->outputs != 1 || job->output[0].use != PS__NEW || !home->host || kind == PS__WORK_MAP ||
        (ps__work_infos[kind].traits & PS__WORK_FOREIGN) || !ps__at_once())
        return false;
    for (unsigned i = 0; i < job->inputs && job->input[i] != NULL; i++)
        if (!ps__storage_is_settled(job->input[i]->storage))
            return false;
    return true;
}

static void unpin(ps__task *task, unsigned end)
{
    for (unsigned i = 1; i < end; i++)
        ps__buffer_unpin(task->held[i].buffer);
}

/* Under the lock; how many operands, with the output, are ready. */
static unsigned pin(const ps__job *job, ps__task *task)
{
    unsigned i = 1;
    for (; i < task->count; i++) {
        ps__buffer *buffer = ps__load(&job->input[i - 1]->storage->buffer);
        if (!ps__at_once_reads(ps__load(&buffer->var)) || buffer->data == NULL)
            break;
        ps__buffer_pin(buffer);
        task->held[i].buffer = buffer;
    }
    return i;
}

/* False if something is not there, which is to be found by a task. */
static bool find_operands(ps_engine *engine, const ps__job *job, ps__task *task)
{
    ps__storage *storage = job->output[0].tensor->storage;
    ps__buffer *out = ps__load(&storage->buffer); /* new: our own */
    if (!ps__buffer_try(out) || !ps__at_once_begin(engine))
        return false;
    task->held[0].buffer = out;
    /* A recycled variable may still have a write or a mark. */
    bool clean = ps__at_once_reads(ps__load(&out->var));
    unsigned ready = clean ? pin(job, task) : 1;
    bool there = clean && ready == task->count;
    storage->version += there;
    ps__at_once_end(engine, there);
    if (!there)
        unpin(task, ready);
    return there;
}

bool ps__at_once_task(const ps__job *job, ps__task *task)
{
    ps_engine *engine = ps__tensor_engine();
    if (engine == NULL || !find_operands(engine, job, task))
        return false;
    ps_status status = ps__task_do(task, NULL);
    unpin(task, task->count);
    if (status != PS_OK) {
        job->output[0].tensor->storage->version--; /* our own yet */
        ps__at_once_withdraw(engine);
        return false;
    }
    ps__buffer_filled(task->held[0].buffer);
    return true;
}
