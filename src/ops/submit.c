/* Queueing work: see submit.h. */
#include "ops/submit.h"

#include "base/error.h"
#include "ops/at_once.h"

#include <string.h>

uint64_t ps__copy_cost(const ps_tensor *result)
{
    return 50 + (uint64_t)((double)result->count * (double)ps__dtype_bytes(result->dtype) * 0.08);
}

enum { AT_ONCE_ROOM = 640 }; /* bytes for a task that is not queued: more is allocated */

/* ---- the block ---------------------------------------------------------------------------- */

static inline size_t aligned(size_t bytes)
{
    return (bytes + 15) & ~(size_t)15;
}

static inline const ps_tensor *job_operand(const ps__job *job, unsigned index)
{
    return index < job->outputs ? job->output[index].tensor : job->input[index - job->outputs];
}

static inline unsigned count_operands(const ps__job *job)
{
    unsigned inputs = job->inputs;
    while (inputs > 0 && job->input[inputs - 1] == NULL)
        inputs--;
    return job->outputs + inputs;
}

static size_t count_dims(const ps__job *job, unsigned count)
{
    if (job->spread != NULL)
        return (size_t)job->spread->ndim * (count + 1);
    size_t dims = 0;
    for (unsigned i = 0; i < count; i++)
        dims += 2 * (size_t)job_operand(job, i)->ndim;
    return dims;
}

/* By its own shape and strides. */
static int64_t *describe_own(const ps_tensor *tensor, ps__operand *operand, int64_t *dims)
{
    int64_t bytes = (int64_t)ps__dtype_bytes(tensor->dtype);
    int ndim = tensor->ndim;
    for (int i = 0; i < ndim; i++) {
        dims[i] = ps__shape(tensor)[i];
        dims[ndim + i] = ps__strides(tensor)[i] * bytes;
    }
    operand->shape = dims;
    operand->strides = dims + ndim;
    operand->ndim = (uint8_t)ndim;
    return dims + 2 * ndim;
}

static int64_t *describe_spread(const ps__spread *spread, unsigned index, const int64_t *shape,
                                ps__operand *operand, int64_t *dims)
{
    memcpy(dims, spread->strides[index], (size_t)spread->ndim * sizeof dims[0]);
    operand->shape = shape;
    operand->strides = dims;
    operand->ndim = (uint8_t)spread->ndim;
    return dims + spread->ndim;
}

static inline void hold_operand(const ps__job *job, ps__task *task, unsigned i,
                                const ps_tensor *tensor)
{
    task->operands[i].dtype = tensor->dtype;
    task->held[i].offset = tensor->offset * (int64_t)ps__dtype_bytes(tensor->dtype);
    task->held[i].old = NULL;
    task->held[i].use = (uint8_t)(i < job->outputs ? job->output[i].use : PS__READ);
}

/* All of them lie side by side in one dimension. */
static void describe_dense(const ps__job *job, ps__task *task, int64_t *dims)
{
    dims[0] = job->spread->shape[0];
    for (unsigned i = 0; i < task->count; i++) {
        const ps_tensor *tensor = job_operand(job, i);
        ps__operand *operand = &task->operands[i];
        hold_operand(job, task, i, tensor);
        dims[1 + i] = (int64_t)ps__dtype_bytes(tensor->dtype);
        operand->shape = dims;
        operand->strides = &dims[1 + i];
        operand->ndim = 1;
    }
}

static void describe_operands(const ps__job *job, ps__task *task, int64_t *dims)
{
    const int64_t *shape = dims;
    if (job->spread != NULL) {
        memcpy(dims, job->spread->shape, (size_t)job->spread->ndim * sizeof dims[0]);
        dims += job->spread->ndim;
    }
    for (unsigned i = 0; i < task->count; i++) {
        const ps_tensor *tensor = job_operand(job, i);
        ps__operand *operand = &task->operands[i];
        hold_operand(job, task, i, tensor);
        dims = job->spread != NULL ? describe_spread(job->spread, i, shape, operand, dims)
                                   : describe_own(tensor, operand, dims);
    }
}

/* Where the parts of a block lie, in bytes from its beginning. */
typedef struct block_plan {
    unsigned count; /* operands */
    size_t held, work, dims, bytes;
} block_plan;

static inline block_plan plan_block(const ps__job *job, size_t work_bytes)
{
    block_plan p;
    p.count = count_operands(job);
    p.held = aligned(sizeof(ps__task) + p.count * sizeof(ps__operand));
    p.work = p.held + aligned(p.count * sizeof(ps__held));
    p.dims = p.work + aligned(work_bytes);
    p.bytes = p.dims + count_dims(job, p.count) * sizeof(int64_t);
    return p;
}

static inline ps__task *fill_block(const ps__job *job, const ps__home *home, const block_plan *p,
                                   void *block, const ps__work *work)
{
    ps__task *task = block;
    char *at = block;
    task->op = job->call->op;
    task->home = home;
    task->held = (ps__held *)(void *)(at + p->held);
    task->work = work;
    task->bytes = (uint32_t)p->bytes;
    task->count = p->count;
    task->outputs = job->outputs;
    int64_t *dims = (int64_t *)(void *)(at + p->dims);
    if (job->spread != NULL && job->spread->strides == NULL)
        describe_dense(job, task, dims);
    else
        describe_operands(job, task, dims);
    return task;
}

static ps_status task_new(const ps__job *job, const ps__home *home, ps__task **result)
{
    block_plan p = plan_block(job, job->work->bytes);
    void *block;
    ps_status status = ps_memory_alloc(p.bytes, &block);
    if (PS_UNLIKELY(status != PS_OK))
        return status;
    ps__work *work = (ps__work *)(void *)((char *)block + p.work);
    memcpy(work, job->work, job->work->bytes);
    *result = fill_block(job, home, &p, block, work);
    return PS_OK;
}

/* A task that is done before this returns needs no memory, and no copy of its description. Not in
 * line: the room is for this alone. */
static __attribute__((noinline)) bool do_at_once(const ps__job *job, const ps__home *home)
{
    _Alignas(16) char room[AT_ONCE_ROOM];
    block_plan p = plan_block(job, 0);
    void *block = room;
    if (PS_UNLIKELY(p.bytes > sizeof room) && ps_memory_alloc(p.bytes, &block) != PS_OK)
        return false;
    bool done = ps__at_once_task(job, fill_block(job, home, &p, block, job->work));
    if (PS_UNLIKELY(block != room))
        ps_memory_free(block, p.bytes);
    return done;
}

/* ---- capturing ---------------------------------------------------------------------------- */

enum { FEW = 8 }; /* operands; for more the lists are allocated */

/* Lists of a capture: for each operand room for what it reads, for each output for what it writes,
 * a spare buffer if its storage exists, and the buffer that its storage left. */
typedef struct lists {
    ps_var **reads, **writes;
    ps__buffer **spares, **left; /* NULL: none, or used; not set if every output is new */
    bool *pinned; /* of each of `left`: whether the storage had it pinned; likewise */
    void *block;  /* that they are in, or NULL */
    size_t bytes;
    void *few[3 * FEW + 3 * FEW];
} lists;

typedef struct capturing {
    ps__capture capture; /* first */
    const ps__job *job;
    ps__task *task;
    lists lists;
    uint32_t name; /* of the thread, while it has the lock: see own.h */
    bool done;     /* registered: the engine has the task */
} capturing;

static ps_status lists_begin(lists *l, unsigned count, unsigned outputs)
{
    size_t reads = count + (size_t)outputs; /* an update reads what it writes */
    void **at = l->few;
    l->block = NULL;
    if (PS_UNLIKELY(count > FEW)) {
        l->bytes = (reads + 3 * (size_t)outputs) * sizeof(void *) + outputs * sizeof(bool);
        ps_status status = ps_memory_alloc(l->bytes, &l->block);
        if (status != PS_OK)
            return status;
        at = l->block;
    }
    l->reads = (ps_var **)at;
    l->writes = l->reads + reads;
    l->spares = (ps__buffer **)(l->writes + outputs);
    l->left = l->spares + outputs;
    l->pinned = (bool *)(void *)(l->left + outputs);
    return PS_OK;
}

/* Each output that is an existing storage may have to move on to a fresh buffer. */
static ps_status get_spares(const ps__job *job, lists *l)
{
    ps_status status = PS_OK;
    for (unsigned i = 0; i < job->outputs; i++) {
        l->spares[i] = l->left[i] = NULL;
        l->pinned[i] = false;
    }
    for (unsigned i = 0; i < job->outputs && status == PS_OK; i++) {
        const ps_tensor *out = job->output[i].tensor;
        if (job->output[i].use != PS__NEW)
            status = ps__buffer_create(out->home, out->storage->bytes, &l->spares[i]);
    }
    return status;
}

static void end_spares(lists *l, unsigned outputs)
{
    for (unsigned i = 0; i < outputs; i++) {
        if (l->spares[i] != NULL)
            ps__buffer_release(l->spares[i]);
        if (l->left[i] != NULL)
            (l->pinned[i] ? ps__buffer_unpin : ps__buffer_orphan)(l->left[i]);
    }
}

static void capture_read(capturing *c, ps__held *held, ps__storage *storage)
{
    ps__own_claim_as(&storage->owner, c->name);
    held->buffer = ps__load(&storage->buffer); /* this and its variable: under the lock */
    ps__buffer_retain_reader(held->buffer);
    c->capture.reads[c->capture.nreads++] = ps__load(&held->buffer->var);
}

/* The storage moves on; what was there is read by this task if it needs it. */
static void rename_storage(capturing *c, unsigned index, ps__storage *storage, bool keep)
{
    ps__held *held = &c->task->held[index];
    ps__buffer *old = ps__load(&storage->buffer); /* this and the variables: under the lock */
    ps__buffer *fresh = c->lists.spares[index];
    held->buffer = fresh;                       /* its reference is the storage's */
    ps__store_release(&storage->buffer, fresh); /* pairs with ps__storage_is_settled */
    ps__buffer_retain(fresh);
    c->lists.spares[index] = NULL;
    c->lists.left[index] = old;
    if (PS_UNLIKELY(storage->pinned != PS__PINNED_NOT)) {
        c->lists.pinned[index] = true;
        ps__storage_forget_part(storage, old);
        storage->pinned = PS__PINNED_NOT; /* what is there now is its own */
    }
    if (keep) {
        held->old = old;
        if (held->use == PS__PART)
            ps__add(&ps__parts_copied, old->bytes); /* a statistic */
        ps__buffer_retain_reader(old);
        c->capture.reads[c->capture.nreads++] = ps__load(&old->var);
    }
    c->capture.writes[c->capture.nwrites++] = ps__load(&fresh->var);
}

/* Whether no pin of the buffer needs what is written. */
static bool is_free(const ps__buffer *buffer, const ps_tensor *written)
{
    int64_t first, end;
    ps__tensor_extent(written, &first, &end);
    return ps__buffer_has_free(buffer, first, end);
}

/* Whether somebody still needs what the buffer has now. */
static bool is_needed(const ps__buffer *buffer, ps__use use)
{
    /* Pairs with the release in ps__buffer_unpin: what the pin was for is read. */
    return (use >= PS__ADVANCE ? ps__load_acquire(&buffer->pins) : ps__buffer_readers(buffer)) != 0;
}

static void capture_write(capturing *c, unsigned index, const ps_tensor *tensor)
{
    ps__storage *storage = tensor->storage;
    ps__held *held = &c->task->held[index];
    ps__buffer *current = ps__load(&storage->buffer); /* under the lock, as its variable */
    if (PS_UNLIKELY(held->use != PS__NEW)) {          /* nobody else has a new one */
        ps__own_claim_as(&storage->owner, c->name);
        current = ps__load(&storage->buffer);
        ps__storage_count_write(storage, tensor->alias);
    }
    if (PS_UNLIKELY(held->use != PS__NEW) && c->lists.spares[index] != NULL &&
        is_needed(current, held->use) &&
        !(held->use == PS__PART && storage->pinned == PS__PINNED_NOT && is_free(current, tensor))) {
        rename_storage(c, index, storage, held->use != PS__WHOLE);
        return;
    }
    held->buffer = current;
    ps__buffer_retain(current);
    c->capture.writes[c->capture.nwrites++] = ps__load(&current->var);
    if (held->use >= PS__UPDATE) /* what is not overwritten stays: so do marks */
        c->capture.reads[c->capture.nreads++] = ps__load(&current->var);
}

/* Writes come last: what this task reads is what was there before. */
static void capture_all(ps__capture *capture)
{
    capturing *c = (capturing *)capture;
    ps__task *task = c->task;
    c->name = ps__own_name();
    for (unsigned i = task->outputs; i < task->count; i++)
        capture_read(c, &task->held[i], job_operand(c->job, i)->storage);
    for (unsigned i = 0; i < task->outputs; i++)
        capture_write(c, i, job_operand(c->job, i));
    c->done = true;
}

/* ---- pushing ------------------------------------------------------------------------------ */

/* Bytes of results that are new; and how many are not. */
static inline uint64_t fresh_bytes(const ps__job *job, unsigned *existing)
{
    uint64_t bytes = 0;
    *existing = 0;
    for (unsigned i = 0; i < job->outputs; i++)
        if (PS_LIKELY(job->output[i].use == PS__NEW))
            bytes += job->output[i].tensor->storage->bytes;
        else
            ++*existing;
    /* Small results are bounded by the number of queued tasks. */
    return bytes >= PS__BUFFER_COUNTED ? bytes : 0;
}

static uint32_t flags_of(const ps__job *job, const ps__home *home)
{
    bool fuses = job->elements >= PS__FUSE_LEAST && home->queue == NULL && ps__fusion_here();
    bool can_fail = ps__work_infos[job->work->kind].traits & PS__WORK_CAN_FAIL;
    return (fuses ? PS_TASK_FUSABLE : 0) | (can_fail ? PS_TASK_CAN_FAIL : 0);
}

/* Whether it is done sooner than its operands are brought to another core, which takes 0.08 ns a byte
 * and 1 us for the task itself. What computes much for each byte may gain by that all the same. */
static bool stays(const ps__job *job, const ps__task *task)
{
    enum { LONGEST = 3000, MOVING = 1000 };
    if (job->cost_ns < MOVING || job->cost_ns >= LONGEST || job->work->kind != PS__WORK_MAP)
        return job->cost_ns < MOVING;
    uint64_t bytes = 0;
    for (unsigned i = 0; i < task->count; i++)
        bytes += (uint64_t)job->elements * ps__dtype_bytes(task->operands[i].dtype);
    return job->cost_ns < MOVING + bytes * 2 / 25;
}

static ps_status push_task(const ps__job *job, ps__task *task)
{
    capturing c; /* its lists are large, and mostly unused */
    unsigned existing;
    uint64_t fresh = fresh_bytes(job, &existing);
    c.job = job;
    c.task = task;
    c.done = false;
    ps_engine *engine = ps__tensor_engine();
    ps_status status =
        engine != NULL ? lists_begin(&c.lists, task->count, task->outputs) : PS_ERR_MEMORY;
    if (PS_UNLIKELY(status != PS_OK)) {
        ps__task_discard(task);
        return status;
    }
    c.capture =
        (ps__capture){.fill = capture_all,
                      .reads = c.lists.reads,
                      .writes = c.lists.writes,
                      .most = task->count + existing,
                      .stays = stays(job, task),
                      .estimated = !(ps__work_infos[job->work->kind].traits & PS__WORK_FOREIGN)};
    ps_task_spec spec = {.size = sizeof spec,
                         .run = task->home->queue == NULL ? ps__task_main : ps__task_issue,
                         .arg = task,
                         .drop = ps__task_drop,
                         .name = task->op->row.name,
                         .location = job->call->call->location,
                         .cost_ns = job->cost_ns,
                         .bytes = fresh,
                         .queue = task->home->queue,
                         .kind = task->work->kind == PS__WORK_TRANSFER ? PS_COPY : PS_COMPUTE,
                         .flags = flags_of(job, task->home)};
    if (PS_UNLIKELY(existing != 0))
        status = get_spares(job, &c.lists);
    if (PS_LIKELY(status == PS_OK))
        status = ps__push_capture(engine, &spec, &c.capture);
    if (PS_UNLIKELY(existing != 0))
        end_spares(&c.lists, job->outputs);
    if (PS_UNLIKELY(c.lists.block != NULL))
        ps_memory_free(c.lists.block, c.lists.bytes);
    if (PS_UNLIKELY(!c.done))
        ps__task_discard(task);
    return status;
}

static ps_status refuse_kind(const ps__job *job, const ps__home *home)
{
    return ps__fail(PS_ERR_UNSUPPORTED, "%s: device %s has no %s", job->call->op->row.name,
                    home->device->name, ps__work_infos[job->work->kind].what);
}

ps_status ps__submit(const ps__job *job)
{
    const ps__home *home = job->home != NULL ? job->home : job->output[0].tensor->home;
    if (PS_UNLIKELY(home->backend->run[job->work->kind] == NULL) &&
        job->work->kind != PS__WORK_TRANSFER)
        return refuse_kind(job, home);
    if (job->cost_ns <= PS__AT_ONCE_TASK_NS && ps__at_once_suits(job, home) &&
        do_at_once(job, home))
        return PS_OK;
    ps__task *task;
    ps_status status = task_new(job, home, &task);
    return PS_LIKELY(status == PS_OK) ? push_task(job, task) : status;
}

ps_status ps__submit_output(const ps__job *job, const ps__home *home, ps_dtype dtype, int ndim,
                            const int64_t *shape)
{
    ps__output output;
    ps_status status = ps__output_begin(job->call, 0, home, dtype, ndim, shape, 0, &output);
    if (status != PS_OK)
        return status;
    ps__job whole = *job;
    whole.home = home;
    whole.output = &output;
    whole.outputs = 1;
    return ps__output_end(job->call, &output, ps__submit(&whole));
}
