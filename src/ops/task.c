/* Running queued operations: see task.h. */
#include "ops/task.h"

#include "base/error.h"
#include "base/fpmode.h"
#include "engine/memory_turn.h"

#include <string.h>

static ps_status task_failed(ps_task *self, ps_status status)
{
    return self != NULL ? ps_task_fail(self, status, "%s", ps_last_error()) : status;
}

static ps_status allocate_outputs(ps__task *task, ps_task *self)
{
    for (unsigned i = 0; i < task->outputs; i++) {
        ps_status status = ps__buffer_allocate(task->held[i].buffer);
        if (PS_UNLIKELY(status != PS_OK))
            return task_failed(self, status);
    }
    return PS_OK;
}

/* A renamed part: all of the old elements first. */
static ps_status copy_old(const ps__lane *lane, const ps__backend *backend, const ps__held *held)
{
    if (held->use != PS__PART || held->old == NULL || held->old->bytes == 0)
        return PS_OK;
    if (backend->copy != NULL)
        return backend->copy(lane, held->buffer->data, held->old->data, held->old->bytes);
    memcpy(held->buffer->data, held->old->data, held->old->bytes);
    return PS_OK;
}

static inline void set_addresses(ps__task *task)
{
    for (unsigned i = 0; i < task->count; i++) {
        const ps__held *held = &task->held[i];
        ps__operand *operand = &task->operands[i];
        operand->old = operand->data = (char *)held->buffer->data + held->offset;
        if (PS_UNLIKELY(held->old != NULL) && held->use != PS__PART)
            operand->old = (char *)held->old->data + held->offset;
    }
}

static inline ps__lane lane_of(const ps__home *home, const char *name, ps_task *self)
{
    return (ps__lane){.engine = ps__tensor_engine(), /* exists: there are tensors */
                      .self = self,
                      .name = name,
                      .device = home->device,
                      .queue = PS__HOME_QUEUE};
}

/* The copy is put on the queue of the one device that is not the CPU. */
static ps_status run_transfer(const ps__task *task)
{
    ps_device *device = task->home->device;
    uint64_t bytes = ((const ps__work_transfer *)task->work)->size;
    if (bytes == 0)
        return PS_OK;
    return device->table->copy(device, PS__HOME_QUEUE, task->operands[0].data,
                               task->operands[1].data, bytes);
}

/* Outputs get memory, and what they must keep of it. */
static ps_status prepare_outputs(const ps__lane *lane, ps__task *task)
{
    for (unsigned i = 0; i < task->outputs; i++) {
        const ps__held *held = &task->held[i];
        ps_status status = ps__buffer_allocate(held->buffer);
        if (PS_UNLIKELY(held->old != NULL) && status == PS_OK)
            status = copy_old(lane, task->home->backend, held);
        if (PS_UNLIKELY(status != PS_OK))
            return task_failed(lane->self, status);
    }
    return PS_OK;
}

ps_status ps__task_do(ps__task *task, ps_task *self)
{
    ps__lane lane = lane_of(task->home, task->op->row.name, self);
    ps_status status = prepare_outputs(&lane, task);
    if (PS_UNLIKELY(status != PS_OK))
        return status;
    set_addresses(task);
    if (PS_UNLIKELY(task->work->kind == PS__WORK_TRANSFER))
        return (status = run_transfer(task)) == PS_OK ? PS_OK : task_failed(self, status);
    uint64_t mode = ps__fpmode_enter();
    status =
        task->home->backend->run[task->work->kind](&lane, task->work, task->operands, task->count);
    ps__fpmode_leave(mode);
    return status;
}

ps_status ps__task_do_work(const ps__home *home, const char *name, const ps__work *work,
                           const ps__operand *operands, unsigned count)
{
    ps__lane lane = lane_of(home, name, NULL);
    uint64_t mode = ps__fpmode_enter();
    ps_status status = home->backend->run[work->kind](&lane, work, operands, count);
    ps__fpmode_leave(mode);
    return status;
}

/* Run again it does the same: what it writes it does not read, and it is our own. */
static bool can_repeat(const ps__task *task)
{
    for (unsigned i = 0; i < task->outputs; i++)
        if (task->held[i].use != PS__NEW)
            return false;
    return task->work->kind != PS__WORK_KERNEL && task->home->host;
}

/* The limit was hit. Unless it was alone it gives back what it has, and tries again in its turn. */
static ps_status repeat_in_turn(ps__task *task, ps_task *self)
{
    ps__memory_turn turn = {0};
    ps_status status = PS_ERR_MEMORY;
    while (status == PS_ERR_MEMORY) {
        for (unsigned i = 0; i < task->outputs; i++)
            ps__buffer_give_back(task->held[i].buffer);
        if (!ps__memory_turn_next(self, &turn))
            break;
        status = ps__task_do(task, self);
    }
    ps__memory_turn_end(self, &turn);
    return status;
}

ps_status ps__task_main(ps_task *self, void *arg)
{
    ps__task *task = arg;
    ps_status status = ps__task_do(task, self);
    if (PS_UNLIKELY(status == PS_ERR_MEMORY) && can_repeat(task))
        status = repeat_in_turn(task, self);
    return status;
}

/* ---- on a device's queue ----------------------------------------------------------------- */

/* By a device that runs C, in the order of its queue: what a worker does for the CPU. The engine
 * keeps the task, and so the operands, until the device says that it is done. */
static void run_on_device(void *arg)
{
    ps_task *self = arg;
    ps_status status = ps__task_main(self, ps__task_arg(self));
    if (status != PS_OK)
        ps__device_work_failed(self, status);
}

/* By a worker: the outputs are allocated now, so that what follows on the queue finds their
 * addresses; then the work is put on the device. */
ps_status ps__task_issue(ps_task *self, void *arg)
{
    ps__task *task = arg;
    ps_device *device = task->home->device;
    ps_status status = allocate_outputs(task, self);
    if (status != PS_OK)
        return status;
    if (device->table->launch == NULL || task->work->kind == PS__WORK_TRANSFER)
        return ps__task_do(task, self);
    status = device->table->launch(device, PS__HOME_QUEUE, run_on_device, self);
    return status == PS_OK ? PS_OK : task_failed(self, status);
}

/* ---- the end ------------------------------------------------------------------------------ */

void ps__task_discard(ps__task *task)
{
    ps_memory_free(task, task->bytes);
}

void ps__task_drop(void *arg)
{
    ps__task *task = arg;
    for (unsigned i = 0; i < task->count; i++) {
        ps__held *held = &task->held[i];
        if (PS_UNLIKELY(held->old != NULL))
            ps__buffer_release_reader(held->old);
        if (held->use == PS__READ) {
            ps__buffer_release_reader(held->buffer);
        } else {
            ps__buffer_filled(held->buffer);
            ps__buffer_release(held->buffer);
        }
    }
    ps__task_discard(task);
}
