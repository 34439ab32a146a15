/* The threads' caches: making, filling, emptying and ending them. cache.h has the picture and
 * the part that every alloc and free of a small block runs.
 *
 * Invariants:
 *   1. Only the owner changes a cache, but for its links, which the directory's lock guards.
 *   2. At every moment each block below `count` in a magazine is in that magazine only. A forked
 *      child can thus take over the magazines of threads that stopped anywhere; at worst it loses
 *      the one batch that such a thread was moving.
 *   3. bytes = sum over magazines of count * block_bytes whenever the owner is in no call.
 *   4. A cache is in the list from before its first block until after its last. */
#include "memory/cache.h"

#include "base/alloc.h"

#include <pthread.h>
#include <string.h>

__thread ps__cache *ps__thread_cache __attribute__((tls_model("initial-exec")));

/* Set when this thread's cache was emptied at its end: destructors that run later and use the
 * pool must not make a new one, which nobody would empty. */
static __thread bool ended __attribute__((tls_model("initial-exec")));

static pthread_key_t end_key; /* written before any thread gets a cache, see ps__cache_prepare */
static _Atomic bool have_key; /* the key exists */
static ps__cache *caches;     /* all; guarded by the directory's lock */

enum { MAGAZINE_MAX = 64, MAGAZINE_BYTES = 64 << 10, BATCH_MAX = 32, BATCH_BYTES = 16 << 10 };

static uint32_t capacity_of(size_t block_bytes)
{
    size_t count = MAGAZINE_BYTES / block_bytes;
    return count < MAGAZINE_MAX ? (uint32_t)count : MAGAZINE_MAX;
}

/* How many blocks are fetched at a time. */
static uint32_t batch_of(size_t block_bytes)
{
    size_t count = BATCH_BYTES / block_bytes;
    return count < 1 ? 1 : count < BATCH_MAX ? (uint32_t)count : BATCH_MAX;
}

/* ---- life ------------------------------------------------------------------------------ */

static void list_insert(ps__cache *cache)
{
    ps__lock_take(&ps__directory_lock);
    cache->next = caches;
    if (caches)
        caches->previous = cache;
    caches = cache;
    ps__unlock(&ps__directory_lock);
}

static void list_remove(ps__cache *cache)
{
    ps__lock_take(&ps__directory_lock);
    if (cache->previous)
        cache->previous->next = cache->next;
    else
        caches = cache->next;
    if (cache->next)
        cache->next->previous = cache->previous;
    ps__unlock(&ps__directory_lock);
}

/* Runs when the thread that owns the cache ends. */
static void end(void *arg)
{
    ps__cache *cache = arg;
    ended = true;
    ps__thread_cache = NULL;
    ps__cache_empty(cache);
    list_remove(cache);
    ps__free(cache);
}

void ps__cache_prepare(void)
{
    if (pthread_key_create(&end_key, end) == 0)
        ps__store_release(&have_key, true); /* pairs with ps__cache_get: the key is written */
}

static ps__cache *cache_new(void)
{
    size_t slots = 0;
    for (unsigned class = 0; class < PS__SMALL_CLASSES; class ++)
        slots += capacity_of(ps__class_bytes(class));
    ps__cache *cache = ps__calloc_aligned(64, sizeof *cache + slots * sizeof cache->slots[0]);
    if (!cache)
        return NULL;
    void **next = cache->slots;
    for (unsigned class = 0; class < PS__SMALL_CLASSES; class ++) {
        ps__magazine *magazine = &cache->magazines[class];
        magazine->block_bytes = (uint32_t)ps__class_bytes(class);
        magazine->capacity = capacity_of(magazine->block_bytes);
        magazine->slots = next;
        next += magazine->capacity;
    }
    return cache;
}

ps__cache *ps__cache_get(void)
{
    if (PS_LIKELY(ps__thread_cache != NULL))
        return ps__thread_cache;
    if (ended || !ps__load_acquire(&have_key)) /* pairs with ps__cache_prepare */
        return NULL;
    ps__cache *cache = cache_new();
    if (!cache)
        return NULL;
    if (pthread_setspecific(end_key, cache) != 0) {
        ps__free(cache);
        return NULL;
    }
    list_insert(cache);
    ps__thread_cache = cache;
    return cache;
}

/* ---- counting -------------------------------------------------------------------------- */

void ps__cache_fold(ps__cache *cache)
{
    ps__pool *pool = &ps__cpu_pool;
    int64_t bytes = ps__load(&cache->bytes); /* this and published: our own */
    int64_t published = ps__load(&cache->published);
    if (cache->low == published && bytes == published)
        return;
    /* Statistics: these pair with the reads in ps__pool_stats, which wants numbers only. */
    ps__pool_raise_peak(pool, ps__load(&pool->live) + published - cache->low);
    ps__add(&pool->live, published - bytes);
    ps__store(&cache->published, bytes);
    cache->low = bytes;
}

/* Blocks came from the bins (or went there, if negative): nothing became live or free. */
static void moved(ps__cache *cache, int64_t bytes)
{
    ps__store(&cache->bytes, ps__load(&cache->bytes) + bytes); /* as in ps__cache_fold */
    ps__store(&cache->published, ps__load(&cache->published) + bytes);
    cache->low += bytes;
}

int64_t ps__cache_sum(void)
{
    int64_t sum = 0;
    for (ps__cache *cache = caches; cache; cache = cache->next)
        /* Pairs with the owners' stores; exact only when they are quiet. */
        sum += ps__load(&cache->published) - ps__load(&cache->bytes);
    return sum;
}

/* ---- moving blocks --------------------------------------------------------------------- */

ps__refusal ps__cache_fill(ps__cache *cache, unsigned class, bool smallest)
{
    ps__magazine *magazine = &cache->magazines[class];
    ps__refusal refusal;
    unsigned taken = ps__bin_take(&ps__cpu_pool, class, magazine->slots,
                                  batch_of(magazine->block_bytes), smallest, &refusal);
    if (!taken)
        return refusal;
    ps__cache_fold(cache);
    moved(cache, (int64_t)taken * magazine->block_bytes);
    ps__store_release(&magazine->count, taken); /* pairs with ps__cache_adopt */
    return PS__GRANTED;
}

/* Gives the oldest `count` blocks of the class to its bin. This and the next return what
 * ps__bin_give does. */
static uint64_t give_oldest(ps__cache *cache, unsigned class, uint32_t count)
{
    ps__magazine *magazine = &cache->magazines[class];
    uint32_t left = ps__load(&magazine->count) - count; /* our own */
    void *blocks[MAGAZINE_MAX];
    /* The count covers no slot that is being moved: invariant 2. */
    memcpy(blocks, magazine->slots, count * sizeof blocks[0]);
    ps__store_release(&magazine->count, 0); /* pairs with ps__cache_adopt */
    memmove(magazine->slots, magazine->slots + count, left * sizeof blocks[0]);
    ps__store_release(&magazine->count, left); /* pairs with ps__cache_adopt */
    moved(cache, -(int64_t)count * magazine->block_bytes);
    return ps__bin_give(&ps__cpu_pool, class, blocks, count);
}

/* Leaves count / divisor blocks in each magazine; none for 0. */
static uint64_t reduce(ps__cache *cache, uint32_t divisor)
{
    uint64_t released = 0;
    for (unsigned class = 0; class < PS__SMALL_CLASSES; class ++) {
        uint32_t count = ps__load(&cache->magazines[class].count); /* our own */
        uint32_t surplus = divisor ? count - count / divisor : count;
        if (surplus)
            released += give_oldest(cache, class, surplus);
    }
    return released;
}

void ps__cache_shed(ps__cache *cache, unsigned class, void *block)
{
    ps__magazine *magazine = &cache->magazines[class];
    ps__cache_fold(cache);
    if (ps__load(&magazine->count) == magazine->capacity) /* our own */
        give_oldest(cache, class, (magazine->capacity + 1) / 2);
    if (ps__cache_push(cache, class, block))
        return;
    /* The bound on all magazines together, which a fill may have passed by one batch. */
    reduce(cache, 2);
    bool pushed = ps__cache_push(cache, class, block);
    ps__check(pushed);
    (void)pushed;
}

uint64_t ps__cache_empty(ps__cache *cache)
{
    ps__cache_fold(cache);
    return reduce(cache, 0);
}

/* ---- fork ------------------------------------------------------------------------------ */

/* The owners are not in this process and may have been anywhere in ps__cache_pop or push: the
 * counts of the magazines are right, `bytes` may not be. */
static int64_t true_bytes(ps__cache *cache)
{
    int64_t bytes = 0;
    for (unsigned class = 0; class < PS__SMALL_CLASSES; class ++) {
        ps__magazine *magazine = &cache->magazines[class];
        /* Pairs with the owner's release stores: the slots below the count are written. */
        bytes += (int64_t)ps__load_acquire(&magazine->count) * magazine->block_bytes;
    }
    return bytes;
}

void ps__cache_adopt(void)
{
    for (ps__cache *cache = caches, *next; cache; cache = next) {
        next = cache->next;
        if (cache == ps__thread_cache)
            continue;
        int64_t bytes = true_bytes(cache);
        ps__store(&cache->bytes, bytes); /* we are the only thread */
        cache->low = bytes;
        ps__cache_empty(cache);
        list_remove(cache);
        ps__free(cache);
    }
}
