/* A pool: the memory of one device, behind alloc and free by size.
 *
 * Small blocks of the CPU pool go through the calling thread's cache; all other blocks of slabs
 * straight through the bins, large ones to and from raw memory. Nothing is kept about a block in
 * the user's hands but, in debug builds, that it is there.
 *
 * When memory is refused: by the limit, first the oldest stored pieces go until there is room;
 * then, or if the device refused, everything that can be trimmed goes, and the last attempt asks
 * for no more raw memory than the block needs.
 *
 * The counting: raw.held is what the device gave; live is what users have; cached is the
 * difference, by definition, so live + cached = held exactly. Blocks count with the size of their
 * class. Live is lowered before a block is given back and raised after it was taken, so that two
 * threads passing one block never make the peak too large. */
#include "memory/pool.h"

#include "base/alloc.h"
#include "base/error.h"
#include "base/topology.h"
#include "memory/cache.h"

#include <inttypes.h>

ps__pool ps__cpu_pool;
ps__lock ps__directory_lock;
static ps__pool *pools; /* all that are in use; guarded by the directory's lock */

/* What every block of zero bytes is: nobody may touch it. */
static _Alignas(PS__ALIGNMENT) char nothing[PS__ALIGNMENT];

/* ---- life ------------------------------------------------------------------------------ */

void ps__pool_prepare(ps__pool *pool, ps_device *device)
{
    pool->device = device;
    uint64_t eighth = ps__topology_memory() / 8;
    pool->raw.stored_max = eighth > PS__HUGE_BYTES ? eighth : PS__HUGE_BYTES;
    /* Published with the pool itself; pairs with nothing of its own. */
    ps__store(&pool->raw.limit, UINT64_MAX);
    ps__lock_take(&ps__directory_lock);
    pool->next = pools;
    pools = pool;
    ps__unlock(&ps__directory_lock);
}

ps_status ps__pool_create(ps_device *device, ps__pool **result)
{
    ps__pool *pool = ps__calloc_aligned(_Alignof(ps__pool), sizeof *pool);
    if (!pool)
        return ps__fail(PS_ERR_MEMORY, "no memory for the pool of device %s", device->name);
    ps__pool_prepare(pool, device);
    *result = pool;
    return PS_OK;
}

#ifdef PENSTOCK_TESTING
unsigned ps__pools_listed(void)
{
    unsigned count = 0;
    ps__lock_take(&ps__directory_lock);
    for (ps__pool *pool = pools; pool; pool = pool->next)
        count++;
    ps__unlock(&ps__directory_lock);
    return count;
}
#endif

/* ---- alloc ----------------------------------------------------------------------------- */

/* This thread's cache if blocks of the class go through it. */
static ps__cache *cache_for(const ps__pool *pool, unsigned class)
{
    return pool == &ps__cpu_pool && class < PS__SMALL_CLASSES ? ps__cache_get() : NULL;
}

/* Before live changes by anything that does not go through the cache: keeps the peak exact. */
static void fold_own(const ps__pool *pool)
{
    if (pool == &ps__cpu_pool && ps__thread_cache)
        ps__cache_fold(ps__thread_cache);
}

static ps__refusal take(ps__pool *pool, unsigned class, bool smallest, void **block)
{
    ps__refusal refusal;
    ps__cache *cache = cache_for(pool, class);
    if (cache) {
        *block = ps__cache_pop(cache, class);
        if (*block)
            return PS__GRANTED;
        refusal = ps__cache_fill(cache, class, smallest);
        if (!refusal)
            *block = ps__cache_pop(cache, class);
        return refusal;
    }
    if (class < PS__SLAB_CLASSES)
        ps__bin_take(pool, class, block, 1, smallest, &refusal);
    else
        refusal = ps__raw_take(pool, class, block);
    if (!refusal) {
        fold_own(pool);
        ps__pool_add_live(pool, (int64_t)ps__class_bytes(class));
    }
    return refusal;
}

static ps__refusal take_hard(ps__pool *pool, unsigned class, ps__refusal refusal, void **block)
{
    size_t room = class < PS__SLAB_CLASSES ? PS__HUGE_BYTES : ps__class_bytes(class);
    if (refusal == PS__OVER_LIMIT && ps__raw_evict(pool, UINT64_MAX, room)) {
        refusal = take(pool, class, false, block);
        if (!refusal)
            return PS__GRANTED;
    }
    ps__pool_trim(pool);
    return take(pool, class, true, block);
}

ps__refusal ps__pool_try(ps__pool *pool, size_t bytes, void **block)
{
    if (bytes == 0) {
        *block = nothing;
        return PS__GRANTED;
    }
    if (bytes > PS__BLOCK_BYTES_MAX)
        return PS__NO_MEMORY;
    unsigned class = ps__class_of(bytes);
    ps__refusal refusal = take(pool, class, false, block);
    if (PS_UNLIKELY(refusal))
        refusal = take_hard(pool, class, refusal, block);
    if (PS_UNLIKELY(refusal))
        return refusal;
    ps__check_out(pool, class, *block);
    ps__unguard(*block, bytes);
    return PS__GRANTED;
}

ps_status ps__pool_refuse(ps__pool *pool, size_t bytes, ps__refusal refusal)
{
    ps_memory_stats stats;
    ps__pool_stats(pool, &stats);
    const char *why = refusal == PS__OVER_LIMIT ? "over the limit" : "the device has no more";
    if (stats.limit == UINT64_MAX)
        return ps__fail(PS_ERR_MEMORY,
                        "cannot allocate %zu bytes on %s: %s (%" PRIu64 " bytes live, no limit)",
                        bytes, pool->device->name, why, stats.live);
    return ps__fail(PS_ERR_MEMORY,
                    "cannot allocate %zu bytes on %s: %s (%" PRIu64 " bytes live, limit %" PRIu64
                    " bytes)",
                    bytes, pool->device->name, why, stats.live, stats.limit);
}

ps_status ps__pool_alloc(ps__pool *pool, size_t bytes, void **block)
{
    if (pool == &ps__cpu_pool && (*block = ps__cache_alloc(bytes)) != NULL)
        return PS_OK;
    ps__refusal refusal = ps__pool_try(pool, bytes, block);
    return PS_LIKELY(!refusal) ? PS_OK : ps__pool_refuse(pool, bytes, refusal);
}

/* ---- free ------------------------------------------------------------------------------ */

PS_HOT void ps__pool_free(ps__pool *pool, void *block, size_t bytes)
{
    if (pool == &ps__cpu_pool && ps__cache_free(block, bytes))
        return;
    if (!block || bytes == 0)
        return;
    ps__check(bytes <= PS__BLOCK_BYTES_MAX);
    if (bytes > PS__BLOCK_BYTES_MAX)
        return;
    unsigned class = ps__class_of(bytes);
    size_t block_bytes = ps__class_bytes(class);
    ps__check_in(pool, class, block);
    ps__guard(block, block_bytes);
    ps__cache *cache = cache_for(pool, class);
    if (cache) {
        if (!ps__cache_push(cache, class, block))
            ps__cache_shed(cache, class, block);
        return;
    }
    fold_own(pool);
    ps__pool_add_live(pool, -(int64_t)block_bytes);
    if (class < PS__SLAB_CLASSES)
        ps__bin_give(pool, class, &block, 1);
    else if (ps__raw_give(pool, class, block))
        ps__raw_settle(pool);
}

uint64_t ps__pool_trim(ps__pool *pool)
{
    uint64_t bytes = 0;
    if (pool == &ps__cpu_pool && ps__thread_cache)
        bytes += ps__cache_empty(ps__thread_cache);
    bytes += ps__raw_evict(pool, 0, 0);
    for (unsigned class = 0; class < PS__SLAB_CLASSES; class ++) {
        ps__bin_trim(pool, class);
        bytes += ps__raw_evict(pool, 0, 0);
    }
    return bytes;
}

/* ---- statistics and the limit ---------------------------------------------------------- */

static int64_t live_now(ps__pool *pool)
{
    fold_own(pool);
    ps__lock_take(&ps__directory_lock);
    int64_t live = ps__load(&pool->live); /* statistics, here and below: pair with nothing */
    if (pool == &ps__cpu_pool)
        live += ps__cache_sum();
    ps__unlock(&ps__directory_lock);
    return live < 0 ? 0 : live; /* below zero only while other threads are at work */
}

void ps__pool_stats(ps__pool *pool, ps_memory_stats *stats)
{
    int64_t live = live_now(pool);
    ps__pool_raise_peak(pool, live);
    uint64_t held = ps__load(&pool->raw.held);
    *stats = (ps_memory_stats){
        .size = sizeof *stats,
        .live = (uint64_t)live,
        .peak = (uint64_t)ps__load(&pool->peak),
        .cached = held > (uint64_t)live ? held - (uint64_t)live : 0,
        .limit = ps__load(&pool->raw.limit),
    };
}

void ps__pool_reset_peak(ps__pool *pool)
{
    ps__store(&pool->peak, live_now(pool)); /* a statistic: pairs with nothing */
}

void ps__pool_set_limit(ps__pool *pool, uint64_t bytes)
{
    /* Pairs with nothing: whoever allocates reads a number. */
    ps__store(&pool->raw.limit, bytes ? bytes : UINT64_MAX);
    if (ps__load(&pool->raw.held) > ps__load(&pool->raw.limit))
        ps__pool_trim(pool);
}

/* ---- fork ------------------------------------------------------------------------------ */

void ps__pool_fork_prepare(void)
{
    ps__lock_take(&ps__directory_lock);
    for (ps__pool *pool = pools; pool; pool = pool->next) {
        for (unsigned class = 0; class < PS__SLAB_CLASSES; class ++)
            ps__lock_take(&pool->bins[class].lock);
        ps__lock_take(&pool->raw.device_lock);
        ps__lock_take(&pool->raw.lock);
    }
    ps__check_fork_prepare();
}

void ps__pool_fork_done(void)
{
    ps__check_fork_done();
    for (ps__pool *pool = pools; pool; pool = pool->next) {
        ps__unlock(&pool->raw.lock);
        ps__unlock(&pool->raw.device_lock);
        for (unsigned class = 0; class < PS__SLAB_CLASSES; class ++)
            ps__unlock(&pool->bins[class].lock);
    }
    ps__unlock(&ps__directory_lock);
}
