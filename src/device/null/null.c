/* The null device: see null.h. It has no queues, and its memory is address space only: the system
 * gives memory to a page when it is touched. */
#include "device/null/null.h"

#include <pthread.h>
#include <string.h>

#include "device/immediate.h"

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

static const ps__device_table null_table = {
    .kind = "null",
    .queues = 0,
    .backend = &ps__null_backend,
    .forgets = true,
    .allocate = ps__immediate_allocate,
    .release = ps__immediate_release,
    .copy = null_copy,
    .record = ps__immediate_record,
    .wait_event = ps__immediate_wait_event,
    .notify = ps__immediate_notify,
    .synchronise = ps__immediate_synchronise,
};

static ps_device null_device;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void add_null(void)
{
    (void)ps__device_add(&null_device, &null_table); /* its table is fine, and it is added once */
}

void ps__null_offer(const char *name)
{
    if (strcmp(name, "null") == 0 || strcmp(name, "null:0") == 0)
        pthread_once(&once, add_null);
}
