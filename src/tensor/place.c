/* Places: for each device that tensors are used on, its pool of memory and its queue. */
#include "tensor/storage.h"

#include "base/alloc.h"
#include "base/error.h"
#include "backend/backend.h"
#include "base/lock.h"

typedef struct entry {
    ps__place place;
    struct entry *next; /* set before it is published, constant then */
} entry;

static ps__lock places_lock; /* guards additions */
static _Atomic(entry *) places;
static ps__place cpu_place;
static _Atomic uint32_t cpu_ready;

const ps__place *ps__place_cpu(void)
{
    if (PS_LIKELY(ps__load_acquire(&cpu_ready))) /* pairs with the release below */
        return &cpu_place;
    ps__lock_take(&places_lock);
    cpu_place.device = ps__device_cpu();
    cpu_place.pool = ps__pool_cpu();
    cpu_place.backend = &ps__backend_cpu;
    cpu_place.host = true;
    ps__store_release(&cpu_ready, 1u); /* pairs with the acquire above */
    ps__unlock(&places_lock);
    return &cpu_place;
}

static const ps__place *find_home(ps_device *device)
{
    /* Pairs with the release in add: an entry that is seen is written. */
    for (entry *at = ps__load_acquire(&places); at != NULL; at = at->next)
        if (at->place.device == device)
            return &at->place;
    return NULL;
}

static ps_status add_home(ps_device *device, entry *fresh)
{
    ps_engine *engine = ps__tensor_engine();
    if (engine == NULL)
        return PS_ERR_MEMORY;
    fresh->place.device = device;
    fresh->place.backend =
        device->table->backend != NULL ? device->table->backend : &ps__backend_cpu;
    fresh->place.host = ps__device_is_host(device);
    ps_status status = PS_OK;
    if (device->table->queues != 0)
        status = ps_queue_create(engine, device, PS__PLACE_QUEUE, &fresh->place.queue);
    if (status != PS_OK)
        return status;
    if (fresh->place.host)
        fresh->place.pool = ps__pool_cpu();
    else /* last: a pool is listed for good, the queue can be taken back */
        status = ps__pool_create(device, &fresh->place.pool);
    if (status != PS_OK) {
        (void)ps_queue_destroy(fresh->place.queue); /* nobody has used it: it goes */
        return status;
    }
    fresh->next = ps__load(&places);   /* only changed under the lock that we hold */
    ps__store_release(&places, fresh); /* pairs with the acquire in find */
    return PS_OK;
}

ps_status ps__place_of(ps_device *device, const ps__place **place)
{
    const ps__place *cpu = ps__place_cpu();
    *place = device == NULL || device == cpu->device ? cpu : find_home(device);
    if (*place != NULL)
        return PS_OK;
    entry *fresh = ps__calloc(1, sizeof *fresh);
    if (fresh == NULL)
        return ps__fail(PS_ERR_MEMORY, "no memory for device %s", device->name);
    ps__lock_take(&places_lock);
    *place = find_home(device); /* another thread may have been quicker */
    ps_status status = *place != NULL ? PS_OK : add_home(device, fresh);
    bool added = status == PS_OK && *place == NULL;
    if (added)
        *place = &fresh->place;
    ps__unlock(&places_lock);
    if (!added)
        ps__free(fresh);
    return status;
}
