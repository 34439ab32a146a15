/* The devices of this process: a list that only grows.
 *
 * Invariants:
 *   1. The list is pushed at its head by compare-and-swap and never shortened, so it can be
 *      walked at any time without a lock, also in the child of a fork.
 *   2. A device's name and `next` are written before it is on the list and never after.
 *   3. The CPU is the end of every list; `first` is NULL until another device was added. */
#include "device/device.h"

#include <stdio.h>
#include <string.h>

#include "base/atomic.h"
#include "base/error.h"
#include "device/null/null.h"

/* The releasing exchange in ps__device_add publishes a device to the acquiring load in head. */
static _Atomic(ps_device *) first;

static ps_device *head(void)
{
    ps_device *device = ps__load_acquire(&first);
    return device ? device : ps__device_cpu();
}

static bool is_kind(const ps_device *device, const char *kind)
{
    return strcmp(device->table->kind, kind) == 0;
}

static bool is_listed(const ps_device *list, const ps_device *device)
{
    for (; list; list = list->next) {
        if (list == device)
            return true;
    }
    return false;
}

static unsigned count_kind(const ps_device *list, const char *kind)
{
    unsigned count = 0;
    for (; list; list = list->next)
        count += is_kind(list, kind);
    return count;
}

static ps_status check_device(const ps_device *device, const ps__device_table *table)
{
    if (!device || !table || !table->kind)
        return ps__fail(PS_ERR_ARGUMENT, "a device needs a table and a kind");
    size_t length = strlen(table->kind);
    /* Ten digits, the colon and the end must fit behind the kind. */
    if (length == 0 || length + 12 > sizeof device->name || strchr(table->kind, ':'))
        return ps__fail(PS_ERR_ARGUMENT, "\"%s\" cannot be a kind of device", table->kind);
    if (table->queues > PS__DEVICE_QUEUES)
        return ps__fail(PS_ERR_ARGUMENT, "a device may have %u queues, not %u", PS__DEVICE_QUEUES,
                        table->queues);
    return PS_OK;
}

ps_status ps__device_add(ps_device *device, const ps__device_table *table)
{
    ps_status status = check_device(device, table);
    if (status != PS_OK)
        return status;
    ps_device *before = ps__load_acquire(&first);
    do {
        ps_device *list = before ? before : ps__device_cpu();
        if (is_listed(list, device))
            return ps__fail(PS_ERR_STATE, "device %s was added before", device->name);
        device->table = table;
        device->next = list;
        snprintf(device->name, sizeof device->name, "%s:%u", table->kind,
                 count_kind(list, table->kind));
    } while (!ps__cas(&first, &before, device)); /* pairs with head */
    return PS_OK;
}

void ps__device_each(void (*fn)(ps_device *device))
{
    for (ps_device *device = head(); device; device = device->next)
        fn(device);
}

/* "late:0" is also "late". */
static bool is_named(const ps_device *device, const char *name)
{
    if (strcmp(device->name, name) == 0)
        return true;
    return is_kind(device, name) && strcmp(device->name + strlen(name), ":0") == 0;
}

/* "late:0, cpu:0", as far as it fits. */
static void list_names(char *text, size_t capacity)
{
    size_t used = 0;
    text[0] = '\0';
    for (ps_device *device = head(); device && used < capacity; device = device->next) {
        int length = snprintf(text + used, capacity - used, "%s%s", used ? ", " : "", device->name);
        used += length > 0 ? (size_t)length : 0;
    }
}

ps_status ps_device_find(const char *name, ps_device **device)
{
    if (!name || !device)
        return ps__fail(PS_ERR_ARGUMENT, "ps_device_find: %s is NULL", name ? "device" : "name");
    ps__null_offer(name);
    ps_device *named = ps__device_cpu_named(name);
    if (named != NULL) {
        *device = named;
        return PS_OK;
    }
    for (ps_device *at = head(); at; at = at->next) {
        if (is_named(at, name)) {
            *device = at;
            return PS_OK;
        }
    }
    char known[512];
    list_names(known, sizeof known);
    return ps__fail(PS_ERR_ARGUMENT, "there is no device \"%.80s\"; there are: %s", name, known);
}

const char *ps_device_name(const ps_device *device)
{
    return device ? device->name : ps__device_cpu()->name;
}

/* ---- Numbers ----------------------------------------------------------------------------- */

/* The CPU's names come first, then the others in the order in which they were added: how many are
 * behind a device in the list never changes. */
static unsigned count_behind(const ps_device *device)
{
    unsigned count = 0;
    for (const ps_device *at = device->next; at != NULL; at = at->next)
        count++;
    return count;
}

unsigned ps_device_number(const ps_device *device)
{
    if (device == NULL)
        return 0;
    unsigned name = ps__device_cpu_index(device);
    return name < PS__CPU_NAMES ? name + 1 : PS__CPU_NAMES + count_behind(device);
}

ps_device *ps__device_numbered(unsigned number)
{
    if (number >= 1 && number <= PS__CPU_NAMES)
        return ps__device_cpu_at(number - 1);
    for (ps_device *at = head(); number != 0 && at != NULL; at = at->next)
        if (ps_device_number(at) == number)
            return at;
    return NULL;
}
