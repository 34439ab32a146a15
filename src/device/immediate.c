/* See immediate.h. */
#include "device/immediate.h"

#include "base/alloc.h"
#include "base/error.h"

void *ps__immediate_allocate(ps_device *device, size_t bytes, size_t alignment)
{
    (void)device;
    return ps__pages_map(bytes, alignment);
}

void ps__immediate_release(ps_device *device, void *memory, size_t bytes)
{
    (void)device;
    ps__pages_unmap(memory, bytes);
}

ps_status ps__immediate_record(ps_device *device, unsigned queue, uint64_t *ticket)
{
    (void)device;
    (void)queue;
    if (!ticket)
        return ps__fail(PS_ERR_ARGUMENT, "record: ticket is NULL");
    *ticket = 0;
    return PS_OK;
}

ps_status ps__immediate_wait_event(ps_device *device, unsigned queue, unsigned on, uint64_t ticket)
{
    (void)device;
    (void)queue;
    (void)on;
    (void)ticket;
    return PS_OK;
}

ps_status ps__immediate_notify(ps_device *device, unsigned queue, uint64_t ticket, ps__done_fn done,
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

ps_status ps__immediate_synchronise(ps_device *device, unsigned queue)
{
    (void)device;
    (void)queue;
    return PS_OK;
}
