/* Queueing operations: see task.h. */
#include "ops/task.h"

#include "base/error.h"
#include "base/fpmode.h"
#include "engine/join.h"
#include "engine/memory_turn.h"
#include "ops/at_once.h"

#include <string.h>

/* ---- making ----------------------------------------------------------------------------- */

static inline size_t aligned(size_t bytes)
{
    return (bytes + 15) & ~(size_t)15;
}

ps_status ps__task_new(const ps_op *op, const ps__place *place, unsigned outputs, unsigned count,
                       unsigned dims, size_t extra, ps__launch *launch, int64_t **dims_at)
{
    size_t head = aligned(sizeof(ps__task) + count * sizeof(ps__operand));
    size_t bytes = head + aligned(extra) + dims * sizeof(int64_t);
    void *block;
    ps_status status = ps_memory_alloc(bytes, &block);
    if (PS_UNLIKELY(status != PS_OK))
        return status;
    ps__task *task = block;
    task->op = op;
    task->place = place;
    task->block_bytes = (uint32_t)bytes;
    task->count = (uint8_t)count;
    task->outputs = (uint8_t)outputs;
    task->map = task->reduce = false;
    task->extra = (char *)block + head;
    *dims_at = (int64_t *)((char *)block + head + aligned(extra));
    launch->task = task;
    launch->cost_ns = 0;
    launch->location = 0;
    launch->flags = 0;
    launch->kind = PS_COMPUTE;
    launch->brief = false;
    return PS_OK;
}

void ps__task_operand(ps__launch *launch, unsigned index, const ps_tensor *tensor, ps__use use,
                      int64_t **dims_at)
{
    ps__operand *operand = &launch->task->operands[index];
    int64_t bytes = (int64_t)ps__dtype_bytes(tensor->dtype);
    int64_t *dims = *dims_at;
    int ndim = tensor->ndim;
    for (int i = 0; i < ndim; i++) {
        dims[i] = ps__shape(tensor)[i];
        dims[ndim + i] = ps__strides(tensor)[i] * bytes;
    }
    *operand = (ps__operand){.offset = tensor->offset * bytes,
                             .shape = dims,
                             .strides = dims + ndim,
                             .dtype = tensor->dtype,
                             .ndim = (uint8_t)ndim,
                             .use = (uint8_t)use};
    launch->storages[index] = tensor->storage;
    *dims_at = dims + 2 * ndim;
}

void ps__task_discard(ps__task *task)
{
    ps_memory_free(task, task->block_bytes);
}

/* ---- running ---------------------------------------------------------------------------- */

/* A renamed part: all of the old elements first. */
static void copy_old(ps__operand *operand)
{
    if (operand->use == PS__PART && operand->old != NULL && operand->old->bytes != 0)
        memcpy(operand->buffer->data, operand->old->data, operand->old->bytes);
}

ps_status ps__task_prepare(ps__task *task, ps_task *self)
{
    for (unsigned i = 0; i < task->outputs; i++) {
        ps__operand *operand = &task->operands[i];
        ps_status status = ps__buffer_allocate(operand->buffer);
        if (PS_UNLIKELY(status != PS_OK))
            return self != NULL ? ps_task_fail(self, status, "%s", ps_last_error()) : status;
        if (PS_UNLIKELY(operand->old != NULL))
            copy_old(operand);
    }
    for (unsigned i = 0; i < task->count; i++) {
        ps__operand *operand = &task->operands[i];
        operand->data = (char *)operand->buffer->data + operand->offset;
    }
    return PS_OK;
}

static ps_status attempt(ps__task *task, ps_task *self)
{
    ps_status status = ps__task_prepare(task, self);
    if (PS_UNLIKELY(status != PS_OK))
        return status;
    uint64_t mode = ps__fpmode_enter();
    status = task->run(task, self);
    ps__fpmode_leave(mode);
    return status;
}

/* Run again it does the same: what it writes it does not read, and it is our own. */
static bool can_repeat(const ps__task *task)
{
    for (unsigned i = 0; i < task->outputs; i++)
        if (task->operands[i].use != PS__NEW)
            return false;
    return task->op->kernel == NULL && task->place->host;
}

/* The limit was hit. Unless it was alone it gives back what it has, and tries again in its turn. */
static ps_status attempt_in_turn(ps__task *task, ps_task *self)
{
    ps__memory_turn turn = {0};
    ps_status status = PS_ERR_MEMORY;
    while (status == PS_ERR_MEMORY) {
        for (unsigned i = 0; i < task->outputs; i++)
            ps__buffer_give_back(task->operands[i].buffer);
        if (!ps__memory_turn_next(self, &turn))
            break;
        status = attempt(task, self);
    }
    ps__memory_turn_end(self, &turn);
    return status;
}

ps_status ps__task_main(ps_task *self, void *arg)
{
    ps__task *task = arg;
    ps_status status = attempt(task, self);
    if (PS_UNLIKELY(status == PS_ERR_MEMORY) && can_repeat(task))
        status = attempt_in_turn(task, self);
    return status;
}

/* ---- running elsewhere ------------------------------------------------------------------ */

static ps_status allocate(ps__task *task, ps_task *self)
{
    for (unsigned i = 0; i < task->outputs; i++) {
        ps_status status = ps__buffer_allocate(task->operands[i].buffer);
        if (status != PS_OK)
            return ps_task_fail(self, status, "%s", ps_last_error());
    }
    return PS_OK;
}

/* On the null device: there is memory, but nothing is done with it. */
static ps_status run_not(ps_task *self, void *arg)
{
    return allocate(arg, self);
}

/* By the device, in the order of its queue: what a worker does for the CPU. The memory is there
 * already. The engine keeps the task, and so the operands, until the device says that it is done. */
static void work(void *arg)
{
    ps_task *self = arg;
    ps_status status = ps__task_main(self, ps__task_arg(self));
    if (status != PS_OK)
        ps__device_work_failed(self, status);
}

/* By a worker: the outputs are allocated now, so that what follows on the queue finds their
 * addresses; then the work is put on the device. */
static ps_status run_there(ps_task *self, void *arg)
{
    ps__task *task = arg;
    ps_device *device = task->place->device;
    ps_status status = allocate(task, self);
    if (status != PS_OK)
        return status;
    status = device->table->launch(device, PS__PLACE_QUEUE, work, self);
    return status == PS_OK ? PS_OK : ps_task_fail(self, status, "%s", ps_last_error());
}

/* A copy's function puts the copy on the device's queue itself: it is run by the worker. */
static inline ps_task_fn runner(const ps__launch *launch)
{
    const ps__place *place = launch->task->place;
    if (PS_LIKELY(place->queue == NULL))
        return PS_LIKELY(!place->skip) ? ps__task_main : run_not;
    return launch->kind == PS_COPY ? ps__task_main : run_there;
}

static void drop(void *arg)
{
    ps__task *task = arg;
    for (unsigned i = 0; i < task->count; i++) {
        ps__operand *operand = &task->operands[i];
        if (operand->use == PS__READ)
            /* Pairs with the acquire in capture_write: reading is over. */
            ps__sub_acq_rel(&operand->buffer->readers, 1u);
        else
            ps__buffer_filled(operand->buffer);
        if (PS_UNLIKELY(operand->old != NULL)) {
            ps__sub_acq_rel(&operand->old->readers, 1u); /* likewise */
            ps__buffer_release(operand->old);
        }
        ps__buffer_release(operand->buffer);
    }
    ps__task_discard(task);
}

typedef struct splitting {
    ps_loop_fn body;
    void *arg;
} splitting;

/* Pieces may run on a thread of the user's that waits for something else. */
static ps_status split_piece(size_t begin, size_t end, void *arg)
{
    const splitting *s = arg;
    uint64_t mode = ps__fpmode_enter();
    ps_status status = s->body(begin, end, s->arg);
    ps__fpmode_leave(mode);
    return status;
}

ps_status ps__split(size_t count, size_t grain, ps_loop_fn body, void *arg)
{
    if (count <= grain)
        return body(0, count, arg);
    splitting s = {body, arg};
    ps_engine *engine = ps__tensor_engine();
    return engine != NULL ? ps_parallel_for(engine, count, grain, split_piece, &s) : PS_ERR_CLOSED;
}

/* ---- capturing -------------------------------------------------------------------------- */

typedef struct capturing {
    ps__capture capture; /* first */
    ps__launch *launch;
    ps__buffer *spare; /* for a storage that moves on; NULL once it is used */
    ps__buffer *left;  /* the buffer that a storage left: its reference is released after */
    bool done;         /* registered: the engine has the task */
    ps_var *reads[PS__OPERANDS], *writes[PS__OPERANDS];
} capturing;

static void capture_read(capturing *c, ps__operand *operand, ps__storage *storage)
{
    operand->buffer = ps__load(&storage->buffer); /* this and its variable: under the lock */
    ps__buffer_retain(operand->buffer);
    /* Pairs with the acquire in capture_write, under the same lock. */
    ps__add(&operand->buffer->readers, 1u);
    c->capture.reads[c->capture.nreads++] = ps__load(&operand->buffer->var);
}

/* The storage moves on; what was there is read by this task if it needs it. */
static void rename_storage(capturing *c, ps__operand *operand, ps__storage *storage, bool keep)
{
    ps__buffer *old = ps__load(&storage->buffer);  /* this and the variables: under the lock */
    operand->buffer = c->spare;                    /* its reference is the storage's */
    ps__store_release(&storage->buffer, c->spare); /* pairs with ps__storage_is_settled */
    ps__buffer_retain(operand->buffer);
    c->spare = NULL;
    c->left = old;
    if (keep) {
        operand->old = old;
        ps__buffer_retain(old);
        ps__add(&old->readers, 1u); /* as in capture_read */
        c->capture.reads[c->capture.nreads++] = ps__load(&old->var);
    }
    c->capture.writes[c->capture.nwrites++] = ps__load(&operand->buffer->var);
}

static void capture_write(capturing *c, ps__operand *operand, ps__storage *storage)
{
    ps__buffer *current = ps__load(&storage->buffer); /* under the lock, as its variable */
    storage->version++;
    /* Pairs with the releases in drop and ps__buffer_unpin: what they read is read. */
    if (operand->use != PS__NEW && c->spare != NULL &&
        ps__load_acquire(operand->use == PS__PART ? &current->pins : &current->readers) != 0) {
        rename_storage(c, operand, storage, operand->use != PS__WHOLE);
        return;
    }
    operand->buffer = current;
    ps__buffer_retain(operand->buffer);
    c->capture.writes[c->capture.nwrites++] = ps__load(&operand->buffer->var);
    if (operand->use >= PS__UPDATE) /* what is not overwritten stays: so do marks */
        c->capture.reads[c->capture.nreads++] = ps__load(&operand->buffer->var);
}

/* Writes come last: what this task reads is what was there before. */
static void fill(ps__capture *capture)
{
    capturing *c = (capturing *)capture;
    ps__task *task = c->launch->task;
    for (unsigned i = task->outputs; i < task->count; i++)
        capture_read(c, &task->operands[i], c->launch->storages[i]);
    for (unsigned i = 0; i < task->outputs; i++)
        capture_write(c, &task->operands[i], c->launch->storages[i]);
    c->done = true;
}

static uint64_t fresh_bytes(const ps__launch *launch)
{
    uint64_t bytes = 0;
    for (unsigned i = 0; i < launch->task->outputs; i++)
        if (launch->task->operands[i].use == PS__NEW)
            bytes += launch->storages[i]->bytes;
    /* Small results are bounded by the number of queued tasks. */
    return bytes >= PS__BUFFER_COUNTED ? bytes : 0;
}

/* One output at most is an existing storage: a spare buffer for it. */
static ps_status get_spare(const ps__launch *launch, ps__buffer **spare)
{
    *spare = NULL;
    for (unsigned i = 0; i < launch->task->outputs; i++)
        if (launch->task->operands[i].use != PS__NEW)
            return ps__buffer_create(launch->task->place, launch->storages[i]->bytes, spare);
    return PS_OK;
}

ps_status ps__task_push(ps__launch *launch)
{
    ps__task *task = launch->task;
    if (launch->brief && ps__at_once_task(launch))
        return PS_OK;
    capturing c;
    c.capture = (ps__capture){.fill = fill, .reads = c.reads, .writes = c.writes};
    c.capture.most = task->count + (task->outputs != 0); /* an update reads what it writes */
    c.launch = launch;
    c.left = NULL;
    c.done = false;
    ps_engine *engine = ps__tensor_engine();
    ps_status status = engine != NULL ? get_spare(launch, &c.spare) : PS_ERR_MEMORY;
    if (PS_UNLIKELY(status != PS_OK)) {
        ps__task_discard(task);
        return status;
    }
    ps_task_spec spec = {.size = sizeof spec,
                         .run = runner(launch),
                         .arg = task,
                         .drop = drop,
                         .name = task->op->row.name,
                         .location = launch->location,
                         .cost_ns = launch->cost_ns,
                         .bytes = fresh_bytes(launch),
                         .queue = task->place->queue,
                         .kind = launch->kind,
                         .flags = launch->flags};
    if (PS_UNLIKELY(task->place->skip))
        spec.flags &= ~(uint32_t)PS_TASK_FUSABLE; /* a group would do the arithmetic */
    status = ps__push_capture(engine, &spec, &c.capture);
    if (PS_UNLIKELY(c.spare != NULL))
        ps__buffer_release(c.spare);
    if (PS_UNLIKELY(c.left != NULL))
        ps__buffer_orphan(c.left);
    if (PS_UNLIKELY(!c.done))
        ps__task_discard(task);
    return status;
}

/* ---- results ---------------------------------------------------------------------------- */

/* Some element of the output is written more than once: a broadcast dimension. */
static bool repeats(const ps_tensor *out)
{
    for (int i = 0; i < out->ndim; i++)
        if (ps__shape(out)[i] > 1 && ps__strides(out)[i] == 0)
            return true;
    return false;
}

ps_status ps__result_begin(const ps__bound_call *call, unsigned index, const ps__place *place,
                           ps_dtype dtype, int ndim, const int64_t *shape, ps__result *result)
{
    const ps_call *c = call->call;
    const char *name = call->op->row.name;
    if (c->noutputs <= index || c->outputs == NULL)
        return ps__fail(PS_ERR_ARGUMENT, "%s: %zu outputs given, it has %d", name, c->noutputs,
                        call->op->row.outputs);
    result->slot = &c->outputs[index];
    result->tensor = *result->slot;
    result->made = result->tensor == NULL;
    if (result->made) {
        result->use = PS__NEW;
        return ps__tensor_create(place, dtype, ndim, shape, &result->tensor);
    }
    const ps_tensor *out = result->tensor;
    result->use = out->whole ? PS__WHOLE : PS__PART;
    if (!ps__places_meet(out->place, place))
        return ps__fail(PS_ERR_ARGUMENT, "%s: the output is on device %s, the operands on %s", name,
                        out->place->device->name, place->device->name);
    if (!ps__shape_equal(out->ndim, ps__shape(out), ndim, shape))
        return ps__fail(PS_ERR_ARGUMENT, "%s: the output has shape %s, the result %s", name,
                        ps__shape_text(out->ndim, ps__shape(out)), ps__shape_text(ndim, shape));
    if (repeats(out))
        return ps__fail(PS_ERR_ARGUMENT,
                        "%s: the output, of shape %s and strides %s, has elements that repeat",
                        name, ps__shape_text(ndim, shape), ps__shape_text(ndim, ps__strides(out)));
    return PS_OK;
}

ps_status ps__result_end(ps__result *result, ps_status status)
{
    if (result->made) {
        if (PS_LIKELY(status == PS_OK))
            *result->slot = result->tensor;
        else
            ps_tensor_release(result->tensor);
    }
    return status;
}

bool ps__may_write(const ps_tensor *out, const ps_tensor *input, ps__use *use)
{
    if (input == NULL || input->storage != out->storage)
        return true;
    if (ps__tensor_same_view(out, input)) {
        *use = out->whole ? PS__UPDATE : PS__PART;
        return true;
    }
    int64_t first, end, other_first, other_end;
    ps__tensor_extent(out, &first, &end);
    ps__tensor_extent(input, &other_first, &other_end);
    if (first < other_end && other_first < end)
        return false;
    *use = PS__PART; /* it overwrites the whole only if there is nothing beside it to read */
    return true;
}

ps_status ps__common_place(const ps__bound_call *call, const ps__place **place)
{
    const ps_tensor *first = NULL;
    for (unsigned i = 0; i < call->op->nargs; i++) {
        const ps_arg *arg = &call->args[i];
        unsigned count = arg->kind == PS_ARG_TENSORS ? arg->count : arg->kind == PS_ARG_TENSOR;
        for (unsigned t = 0; t < count; t++) {
            const ps_tensor *tensor =
                arg->kind == PS_ARG_TENSORS ? arg->as.tensors[t] : arg->as.tensor;
            if (first == NULL)
                first = tensor;
            if (!ps__places_meet(tensor->place, first->place))
                return ps__fail(PS_ERR_ARGUMENT, "%s: operands on devices %s and %s",
                                call->op->row.name, first->place->device->name,
                                tensor->place->device->name);
        }
    }
    if (first == NULL && call->call->outputs[0] != NULL)
        first = call->call->outputs[0];
    if (first == NULL)
        return ps__place_of(call->call->device, place);
    *place = first->place;
    return PS_OK;
}
