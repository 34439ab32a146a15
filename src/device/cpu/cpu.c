/* The CPU as a device: it has no queues, everything is done by the calling thread before the
 * call returns. */
#include "base/error.h"
#include "device/immediate.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

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

static const ps__device_table cpu_table = {
    .kind = "cpu",
    .queues = 0,
    .allocate = ps__immediate_allocate,
    .release = ps__immediate_release,
    .copy = cpu_copy,
    .launch = cpu_launch,
    .record = ps__immediate_record,
    .wait_event = ps__immediate_wait_event,
    .notify = ps__immediate_notify,
    .synchronise = ps__immediate_synchronise,
};

/* The end of the registry's list: complete from the start, so that it needs no adding. */
static ps_device cpu_device = {.table = &cpu_table, .name = "cpu:0", .next = NULL};

ps_device *ps__device_cpu(void)
{
    return &cpu_device;
}

static ps_device others[PS__CPU_NAMES]; /* the first is not used */
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void name_others(void)
{
    for (unsigned i = 1; i < PS__CPU_NAMES; i++) {
        others[i].table = &cpu_table;
        snprintf(others[i].name, sizeof others[i].name, "cpu:%u", i);
    }
}

ps_device *ps__device_cpu_at(unsigned index)
{
    pthread_once(&once, name_others);
    return index == 0 ? &cpu_device : &others[index];
}

/* The number that a name ends with, written as numbers are; PS__CPU_NAMES if it is none of ours. */
static unsigned number_of(const char *digits)
{
    unsigned number = 0, count = 0;
    for (; digits[count] >= '0' && digits[count] <= '9' && number < PS__CPU_NAMES; count++)
        number = 10 * number + (unsigned)(digits[count] - '0');
    bool written_so = count > 0 && digits[count] == 0 && (digits[0] != '0' || count == 1);
    return written_so && number < PS__CPU_NAMES ? number : PS__CPU_NAMES;
}

ps_device *ps__device_cpu_named(const char *name)
{
    unsigned number = strncmp(name, "cpu:", 4) == 0 ? number_of(name + 4) : PS__CPU_NAMES;
    return number < PS__CPU_NAMES ? ps__device_cpu_at(number) : NULL;
}

unsigned ps__device_cpu_index(const ps_device *device)
{
    if (device->table != &cpu_table)
        return PS__CPU_NAMES;
    return device == &cpu_device ? 0 : (unsigned)(device - others);
}

bool ps__device_is_host(const ps_device *device)
{
    return device->table == &cpu_table;
}
