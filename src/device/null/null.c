/* The null device: see null.h. It has no queues, so every ticket is reached when it is recorded,
 * as with the CPU. */
#include "device/null/null.h"

#include <pthread.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"

/* Address space only: the system gives memory to a page when it is touched. */
static void *null_allocate(ps_device *device, size_t bytes, size_t alignment)
{
    (void)device;
    return ps__pages_map(bytes, alignment);
}

static void null_release(ps_device *device, void *memory, size_t bytes)
{
    (void)device;
    ps__pages_unmap(memory, bytes);
}

static ps_status null_copy(ps_device *device, unsigned queue, void *to, const void *from,
                           size_t bytes)
{
    (void)device;
    (void)queue;
    (void)to;
    (void)from;
    (void)bytes;
    return PS_OK;
}

static ps_status null_launch(ps_device *device, unsigned queue, ps__work_fn work, void *arg)
{
    (void)device;
    (void)queue;
    (void)work;
    (void)arg;
    return PS_OK;
}

static ps_status null_record(ps_device *device, unsigned queue, uint64_t *ticket)
{
    (void)device;
    (void)queue;
    if (!ticket)
        return ps__fail(PS_ERR_ARGUMENT, "record: ticket is NULL");
    *ticket = 0;
    return PS_OK;
}

static ps_status null_wait_event(ps_device *device, unsigned queue, unsigned on, uint64_t ticket)
{
    (void)device;
    (void)queue;
    (void)on;
    (void)ticket;
    return PS_OK;
}

static ps_status null_notify(ps_device *device, unsigned queue, uint64_t ticket, ps__done_fn done,
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

static ps_status null_synchronise(ps_device *device, unsigned queue)
{
    (void)device;
    (void)queue;
    return PS_OK;
}

static const ps__device_table null_table = {
    .kind = "null",
    .queues = 0,
    .allocate = null_allocate,
    .release = null_release,
    .copy = null_copy,
    .launch = null_launch,
    .record = null_record,
    .wait_event = null_wait_event,
    .notify = null_notify,
    .synchronise = null_synchronise,
};

static ps_device null_device;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void add(void)
{
    (void)ps__device_add(&null_device, &null_table); /* its table is fine, and it is added once */
}

void ps__null_offer(const char *name)
{
    if (strcmp(name, "null") == 0 || strcmp(name, "null:0") == 0)
        pthread_once(&once, add);
}
