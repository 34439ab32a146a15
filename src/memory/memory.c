/* The public calls, over the CPU's pool; its set-up; what the engine hangs in.
 *
 * Set-up happens at the first call of anything here: PENSTOCK_MEMORY_LIMIT is read once. A
 * malformed value leaves the pool without a limit and makes ps_memory_alloc fail until somebody
 * says with ps_memory_set_limit what the limit is to be. */
#include "base/environment.h"
#include "base/error.h"
#include "base/sized.h"
#include "memory/cache.h"

#include <stdio.h>

enum { UNREAD = 0, FINE, MALFORMED };

static ps__lock setup_lock; /* guards the changes of `setup` and the text */
static _Atomic int setup;   /* one of the above */
static char malformed[512]; /* what ps__env_bytes said; written before MALFORMED is stored */

static _Atomic(uint64_t (*)(void)) queued_hook;
static _Atomic(ps__memory_wait_fn) wait_hook;

/* ---- set-up ---------------------------------------------------------------------------- */

static int read_environment(void)
{
    uint64_t limit = 0;
    if (ps__env_bytes("PENSTOCK_MEMORY_LIMIT", &limit) != PS_OK) {
        snprintf(malformed, sizeof malformed, "%s", ps_last_error());
        return MALFORMED;
    }
    ps__pool_set_limit(&ps__cpu_pool, limit);
    return FINE;
}

static int set_up_slow(void)
{
    ps__lock_take(&setup_lock);
    int state = ps__load(&setup); /* only written under the lock that we have */
    if (state == UNREAD) {
        ps__pool_prepare(&ps__cpu_pool, ps__device_cpu());
        ps__cache_prepare();
        state = read_environment();
        /* Pairs with set_up: whoever sees it finds the pool ready and the text written. */
        ps__store_release(&setup, state);
    }
    ps__unlock(&setup_lock);
    return state;
}

static inline int set_up(void)
{
    int state = ps__load_acquire(&setup); /* pairs with set_up_slow */
    return PS_LIKELY(state != UNREAD) ? state : set_up_slow();
}

ps__pool *ps__pool_cpu(void)
{
    set_up();
    return &ps__cpu_pool;
}

/* ---- alloc and free -------------------------------------------------------------------- */

static bool can_ever_fit(size_t bytes)
{
    /* Pairs with nothing: the limit is a number by itself. */
    return bytes <= PS__BLOCK_BYTES_MAX && bytes <= ps__load(&ps__cpu_pool.raw.limit);
}

static ps_status alloc_slow(size_t bytes, void **block)
{
    if (!block)
        return ps__fail(PS_ERR_ARGUMENT, "ps_memory_alloc: block is NULL");
    if (set_up() == MALFORMED)
        return ps__fail(PS_ERR_ENVIRONMENT, "%s", malformed);
    for (;;) {
        ps__refusal refusal = ps__pool_try(&ps__cpu_pool, bytes, block);
        if (!refusal)
            return PS_OK;
        /* Pairs with ps__memory_set_wait. The hook may run tasks on this thread and so change
         * its last error: the text is made after it. */
        ps__memory_wait_fn wait = ps__load_acquire(&wait_hook);
        if (!wait || !can_ever_fit(bytes) || !wait())
            return ps__pool_refuse(&ps__cpu_pool, bytes, refusal);
    }
}

PS_HOT ps_status ps_memory_alloc(size_t bytes, void **block)
{
    /* Pairs with set_up_slow. */
    if (PS_LIKELY(block && ps__load_acquire(&setup) == FINE)) {
        void *cached = ps__cache_alloc(bytes);
        if (PS_LIKELY(cached)) {
            *block = cached;
            return PS_OK;
        }
    }
    return alloc_slow(bytes, block);
}

PS_HOT void *ps__memory_try(size_t bytes)
{
    if (PS_UNLIKELY(set_up() == MALFORMED))
        return NULL;
    void *block = ps__cache_alloc(bytes);
    if (PS_LIKELY(block != NULL))
        return block;
    return ps__pool_try(&ps__cpu_pool, bytes, &block) == PS__GRANTED ? block : NULL;
}

PS_HOT void ps_memory_free(void *block, size_t bytes)
{
    if (PS_UNLIKELY(!ps__cache_free(block, bytes)))
        ps__pool_free(&ps__cpu_pool, block, bytes);
}

/* ---- the rest of the public calls ------------------------------------------------------ */

ps_status ps_memory_get_stats(ps_memory_stats *stats)
{
    ps_memory_stats full;
    ps__pool_stats(ps__pool_cpu(), &full);
    uint64_t (*queued)(void) =
        ps__load_acquire(&queued_hook); /* pairs with ps__memory_set_queued */
    full.queued = queued != NULL ? queued() : 0;
    return ps__sized_write("ps_memory_get_stats: stats", stats, &full, sizeof full);
}

void ps_memory_reset_peak(void)
{
    ps__pool_reset_peak(ps__pool_cpu());
}

uint64_t ps_memory_trim(void)
{
    return ps__pool_trim(ps__pool_cpu());
}

ps_status ps_memory_set_limit(uint64_t bytes)
{
    set_up();
    ps__pool_set_limit(&ps__cpu_pool, bytes);
    ps__lock_take(&setup_lock);
    ps__store_release(&setup, FINE); /* pairs with set_up */
    ps__unlock(&setup_lock);
    return PS_OK;
}

/* ---- for the engine -------------------------------------------------------------------- */

uint64_t ps__memory_limit(void)
{
    return ps__load(&ps__pool_cpu()->raw.limit); /* pairs with nothing: a number by itself */
}

void ps__memory_set_queued(uint64_t (*queued)(void))
{
    ps__store_release(&queued_hook, queued); /* pairs with ps_memory_get_stats */
}

void ps__memory_set_wait(ps__memory_wait_fn wait)
{
    ps__store_release(&wait_hook, wait); /* pairs with alloc_slow */
}

void ps__memory_fork_prepare(void)
{
    ps__lock_take(&setup_lock);
    ps__pool_fork_prepare();
}

void ps__memory_fork_parent(void)
{
    ps__pool_fork_done();
    ps__unlock(&setup_lock);
}

void ps__memory_fork_child(void)
{
    ps__pool_fork_done();
    ps__unlock(&setup_lock);
    ps__cache_adopt();
}
