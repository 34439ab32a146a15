/* The CPU as a device: it has no queues, everything is done by the calling thread before the
 * call returns. So every ticket is reached when it is recorded, and a notification comes at
 * once. */
#include "base/alloc.h"
#include "base/error.h"
#include "device/device.h"

#include <string.h>

static void *cpu_allocate(ps_device *device, size_t bytes, size_t alignment)
{
    (void)device;
    return ps__pages_map(bytes, alignment);
}

static void cpu_release(ps_device *device, void *memory, size_t bytes)
{
    (void)device;
    ps__pages_unmap(memory, bytes);
}

static ps_status cpu_copy(ps_device *device, unsigned queue, void *to, const void *from,
                          size_t bytes)
{
    (void)device;
    (void)queue;
    if (bytes == 0)
        return PS_OK;
    if (!to || !from)
        return ps__fail(PS_ERR_ARGUMENT, "copy: %s is NULL", to ? "from" : "to");
    memmove(to, from, bytes);
    return PS_OK;
}

static ps_status cpu_launch(ps_device *device, unsigned queue, ps__work_fn work, void *arg)
{
    (void)device;
    (void)queue;
    if (!work)
        return ps__fail(PS_ERR_ARGUMENT, "launch: work is NULL");
    work(arg);
    return PS_OK;
}

static ps_status cpu_record(ps_device *device, unsigned queue, uint64_t *ticket)
{
    (void)device;
    (void)queue;
    if (!ticket)
        return ps__fail(PS_ERR_ARGUMENT, "record: ticket is NULL");
    *ticket = 0;
    return PS_OK;
}

static ps_status cpu_wait_event(ps_device *device, unsigned queue, unsigned on, uint64_t ticket)
{
    (void)device;
    (void)queue;
    (void)on;
    (void)ticket;
    return PS_OK;
}

static ps_status cpu_notify(ps_device *device, unsigned queue, uint64_t ticket, ps__done_fn done,
                            void *arg)
{
    (void)device;
    (void)queue;
    (void)ticket;
    if (!done)
        return ps__fail(PS_ERR_ARGUMENT, "notify: done is NULL");
    done(arg, PS_OK);
    return PS_OK;
}

static ps_status cpu_synchronise(ps_device *device, unsigned queue)
{
    (void)device;
    (void)queue;
    return PS_OK;
}

static const ps__device_table cpu_table = {
    .kind = "cpu",
    .queues = 0,
    .allocate = cpu_allocate,
    .release = cpu_release,
    .copy = cpu_copy,
    .launch = cpu_launch,
    .record = cpu_record,
    .wait_event = cpu_wait_event,
    .notify = cpu_notify,
    .synchronise = cpu_synchronise,
};

/* The end of the registry's list: complete from the start, so that it needs no adding. */
static ps_device cpu_device = {.table = &cpu_table, .name = "cpu:0", .next = NULL};

ps_device *ps__device_cpu(void)
{
    return &cpu_device;
}
