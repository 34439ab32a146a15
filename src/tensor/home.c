/* Homes: for each device that tensors are used on, its pool of memory, its queue and its backend. */
#include "tensor/storage.h"

#include "base/alloc.h"
#include "base/error.h"
#include "backend/backend.h"
#include "base/lock.h"
#include "engine/state.h"

typedef struct entry {
    ps__home home;
    struct entry *next; /* set before it is published, constant then */
} entry;

static ps__lock homes_lock; /* guards additions */
static _Atomic(entry *) homes;
static ps__home cpu_home;
static _Atomic uint32_t cpu_ready;

static __attribute__((noinline)) void make_cpu_home(void)
{
    ps__lock_take(&homes_lock);
    cpu_home.device = ps__device_cpu();
    cpu_home.pool = ps__pool_cpu();
    cpu_home.backend = &ps__backend_cpu;
    cpu_home.host = true;
    ps__store_release(&cpu_ready, 1u); /* pairs with the acquire below */
    ps__unlock(&homes_lock);
}

const ps__home *ps__home_cpu(void)
{
    if (PS_UNLIKELY(!ps__load_acquire(&cpu_ready))) /* pairs with the release above */
        make_cpu_home();
    return &cpu_home;
}

static const ps__home *find_home(ps_device *device)
{
    /* Pairs with the release in add: an entry that is seen is written. */
    for (entry *at = ps__load_acquire(&homes); at != NULL; at = at->next)
        if (at->home.device == device)
            return &at->home;
    return NULL;
}

static ps_status add_home(ps_device *device, entry *fresh)
{
    ps_engine *engine = ps__tensor_engine();
    if (engine == NULL)
        return PS_ERR_MEMORY;
    fresh->home.device = device;
    fresh->home.backend =
        device->table->backend != NULL ? device->table->backend : &ps__backend_cpu;
    fresh->home.host = ps__device_is_host(device);
    ps_status status = PS_OK;
    if (device->table->queues != 0)
        status = ps_queue_create(engine, device, PS__HOME_QUEUE, &fresh->home.queue);
    if (status != PS_OK)
        return status;
    if (fresh->home.host)
        fresh->home.pool = ps__pool_cpu();
    else /* last: a pool is listed for good, the queue can be taken back */
        status = ps__pool_create(device, &fresh->home.pool);
    if (status != PS_OK) {
        (void)ps_queue_destroy(fresh->home.queue); /* nobody has used it: it goes */
        return status;
    }
    fresh->next = ps__load(&homes);   /* only changed under the lock that we hold */
    ps__store_release(&homes, fresh); /* pairs with the acquire in find */
    return PS_OK;
}

static __attribute__((noinline)) ps_status find_or_add(ps_device *device, const ps__home **home)
{
    *home = find_home(device);
    if (*home != NULL)
        return PS_OK;
    entry *fresh = ps__calloc(1, sizeof *fresh);
    if (fresh == NULL)
        return ps__fail(PS_ERR_MEMORY, "no memory for device %s", device->name);
    ps__lock_take(&homes_lock);
    *home = find_home(device); /* another thread may have been quicker */
    ps_status status = *home != NULL ? PS_OK : add_home(device, fresh);
    bool added = status == PS_OK && *home == NULL;
    if (added)
        *home = &fresh->home;
    ps__unlock(&homes_lock);
    if (!added)
        ps__free(fresh);
    return status;
}

ps_status ps__home_of(ps_device *device, const ps__home **home)
{
    *home = ps__home_cpu();
    return device == NULL || device == (*home)->device ? PS_OK : find_or_add(device, home);
}

ps_status ps__home_of_new(ps_device *device, const ps__home **home)
{
    return ps__home_of(device != NULL ? device : ps__thread_device(), home);
}
