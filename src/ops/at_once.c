/* Finding operands for operations that are done at the call: see at_once.h. */
#include "ops/at_once.h"

#include "engine/at_once.h"
#include "tensor/tensor.h"

/* Nobody else knows a new one: it is there, and this thread's, whoever its storage names. */
static inline unsigned first_known(const ps__opening *o)
{
    return o->use == PS__NEW;
}

/* A look without the lock, so that what cannot be done costs little. */
static inline bool worth_trying(const ps__opening *o)
{
    for (unsigned i = first_known(o); i < o->count; i++)
        if (!ps__storage_is_settled(o->operands[i]->storage))
            return false;
    return true;
}

static inline char *first_element(const ps_tensor *tensor, const ps__buffer *buffer)
{
    return (char *)buffer->data + tensor->offset * (int64_t)ps__dtype_bytes(tensor->dtype);
}

/* That a buffer can be used at the call: what this thread has queued counts, as do marks. */
static inline bool is_there(const ps__buffer *buffer)
{
    return PS_LIKELY(ps__var_is_clean(ps__load(&buffer->var))) && buffer->data != NULL;
}

/* Of storages that this thread may use: its own, inside; or under the lock. */
static inline bool take_read(const ps_tensor *tensor, char **data)
{
    const ps__buffer *buffer = ps__load(&tensor->storage->buffer); /* changes under the lock only */
    if (PS_UNLIKELY(!is_there(buffer)))
        return false; /* its memory may be about to come */
    *data = first_element(tensor, buffer);
    return true;
}

static inline bool take_write(const ps_tensor *tensor, ps__use use, char **data)
{
    const ps__buffer *buffer = ps__load(&tensor->storage->buffer); /* likewise */
    /* Of a new one: a recycled variable may still have a write or a mark. */
    if (PS_UNLIKELY(!is_there(buffer) || (use != PS__NEW && ps__buffer_readers(buffer) != 0)))
        return false;
    *data = first_element(tensor, buffer);
    return true;
}

static inline __attribute__((always_inline)) bool take_all(ps__opening *o)
{
    bool there = take_write(o->operands[0], o->use, &o->data[0]);
    for (unsigned i = 1; i < o->count && there; i++)
        there = take_read(o->operands[i], &o->data[i]);
    return there;
}

static inline void count_write(const ps__opening *o)
{
    if (o->use != PS__NEW)
        ps__storage_count_write(o->operands[0]->storage, o->operands[0]->alias);
}

static inline bool all_own(const ps__opening *o, uint32_t name)
{
    bool own = true;
    for (unsigned i = first_known(o); i < o->count; i++)
        own &= ps__own_is(&o->operands[i]->storage->owner, name);
    return own;
}

typedef enum attempt { OPEN, QUEUE, LOCK } attempt;

static inline attempt open_own(ps_engine *engine, ps__opening *o)
{
    uint32_t name;
    if (PS_UNLIKELY(!ps__own_enter(engine, &name)))
        return QUEUE;
    bool own = all_own(o, name);
    if (PS_LIKELY(own && take_all(o))) {
        count_write(o);
        o->held = PS__OPEN_OWN;
        return OPEN;
    }
    ps__own_leave(false);
    return own ? QUEUE : LOCK;
}

/* Under the lock. */
static void pin_all(ps__opening *o)
{
    for (unsigned i = 1; i < o->count; i++) {
        o->pinned[i] = ps__load(&o->operands[i]->storage->buffer);
        ps__buffer_pin(o->pinned[i]);
    }
}

static __attribute__((noinline)) bool open_shared(ps_engine *engine, ps__opening *o)
{
    bool brief = o->cost_ns <= PS__AT_ONCE_LOCKED_NS;
    if ((!brief && o->use != PS__NEW) || !ps__at_once_begin(engine))
        return false;
    for (unsigned i = 0; i < o->count; i++)
        ps__storage_enter(o->operands[i]->storage);
    bool there = take_all(o);
    if (there)
        count_write(o);
    o->held = brief ? PS__OPEN_LOCKED : PS__OPEN_PINNED;
    if (there && brief)
        return true;
    if (there)
        pin_all(o);
    ps__at_once_end(engine, there);
    return there;
}

PS_HOT bool ps__at_once_open(ps__opening *o)
{
    ps_engine *engine = ps__tensor_engine();
    if (PS_UNLIKELY(engine == NULL || !worth_trying(o)))
        return false;
    /* A new one is our own. What is allocated here serves the task if there must be one. */
    if (o->use == PS__NEW && !ps__buffer_try(ps__load(&o->operands[0]->storage->buffer)))
        return false;
    attempt found = open_own(engine, o);
    return PS_LIKELY(found == OPEN) || (found == LOCK && open_shared(engine, o));
}

PS_HOT void ps__at_once_close(ps__opening *o)
{
    if (PS_LIKELY(o->held == PS__OPEN_OWN))
        ps__own_leave(true);
    else if (o->held == PS__OPEN_LOCKED)
        ps__at_once_end(ps__tensor_engine(), true);
    else
        for (unsigned i = 1; i < o->count; i++)
            ps__buffer_unpin(o->pinned[i]);
    if (o->use == PS__NEW)
        ps__buffer_filled(ps__load(&o->operands[0]->storage->buffer)); /* our own */
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

/* Inside, or under the lock; how many operands, with the output, are ready. */
static unsigned pin(const ps__job *job, ps__task *task)
{
    unsigned i = 1;
    for (; i < task->count; i++) {
        ps__buffer *buffer = ps__load(&job->input[i - 1]->storage->buffer);
        if (!is_there(buffer))
            break;
        ps__buffer_pin(buffer);
        task->held[i].buffer = buffer;
    }
    return i;
}

static bool inputs_own(const ps__job *job, unsigned count, uint32_t name)
{
    bool own = true;
    for (unsigned i = 1; i < count; i++)
        own &= ps__own_is(&job->input[i - 1]->storage->owner, name);
    return own;
}

/* A recycled variable may still have a write or a mark. */
static unsigned pin_if_clean(const ps__job *job, ps__task *task)
{
    return ps__var_is_clean(ps__load(&task->held[0].buffer->var)) ? pin(job, task) : 0;
}

static attempt find_own(ps_engine *engine, const ps__job *job, ps__task *task, unsigned *ready)
{
    uint32_t name;
    if (!ps__own_enter(engine, &name))
        return QUEUE;
    bool own = inputs_own(job, task->count, name);
    *ready = own ? pin_if_clean(job, task) : 0;
    ps__own_leave(false);
    return !own ? LOCK : *ready == task->count ? OPEN : QUEUE;
}

static attempt find_shared(ps_engine *engine, const ps__job *job, ps__task *task, unsigned *ready)
{
    if (!ps__at_once_begin(engine))
        return QUEUE;
    for (unsigned i = 1; i < task->count; i++)
        ps__storage_enter(job->input[i - 1]->storage);
    *ready = pin_if_clean(job, task);
    ps__at_once_end(engine, false);
    return *ready == task->count ? OPEN : QUEUE;
}

/* False if something is not there, which is to be found by a task. */
static bool find_operands(ps_engine *engine, const ps__job *job, ps__task *task)
{
    ps__buffer *out = ps__load(&job->output[0].tensor->storage->buffer); /* new: our own */
    if (!ps__buffer_try(out))
        return false;
    unsigned ready = 0;
    task->held[0].buffer = out;
    attempt found = find_own(engine, job, task, &ready);
    if (found == LOCK)
        found = find_shared(engine, job, task, &ready);
    if (found != OPEN)
        unpin(task, ready);
    return found == OPEN;
}

bool ps__at_once_task(const ps__job *job, ps__task *task)
{
    ps_engine *engine = ps__tensor_engine();
    if (engine == NULL || !find_operands(engine, job, task))
        return false;
    ps_status status = ps__task_do(task, NULL);
    unpin(task, task->count);
    if (status != PS_OK)
        return false;
    ps__own_count();
    ps__buffer_filled(task->held[0].buffer);
    return true;
}
