/* Each thread's own store of small blocks of the CPU pool, reached by one thread-local pointer.
 *
 * For each small class a stack of block addresses. It is filled from the shared bin in batches
 * when empty, and its older half goes back when it is full, so blocks that one thread allocates
 * and another frees flow back through the bins. A cache holds at most 64 blocks or 64 KB (but two
 * blocks) of a class, and PS__CACHE_BYTES together. It is emptied when its thread ends.
 *
 * The counting: the pool's `live` lags behind by what happened in the caches since each was last
 * folded in. Exactly, and whenever no thread is inside a call,
 *
 *     bytes handed out = pool->live + sum over caches of (published - bytes)
 *
 * Moving blocks between cache and bin changes bytes, low and published alike and so leaves the
 * sum alone. `low` is the least that bytes was since the last fold: folding raises the pool's
 * peak by it. The peak is thus exact for a program with one thread; with several it can be wrong
 * by the PS__CACHE_BYTES that each other thread may have handed out or taken back unseen. */
#ifndef PS_MEMORY_CACHE_H
#define PS_MEMORY_CACHE_H

#include "memory/check.h"
#include "memory/guard.h"

enum { PS__CACHE_BYTES = 1 << 20 };

/* The blocks of one class. Only the owner uses it; `count` is atomic because a forked child looks
 * at the caches of threads that it does not have, and must find the slots below it written. */
typedef struct ps__magazine {
    _Atomic uint32_t count;
    uint32_t capacity;
    uint32_t block_bytes;
    void **slots;
} ps__magazine;

typedef struct ps__cache ps__cache;
struct ps__cache {
    _Atomic int64_t bytes;      /* in all magazines; written by the owner, read for statistics */
    int64_t low;                /* owner only */
    _Atomic int64_t published;  /* written by the owner, read for statistics */
    ps__cache *next, *previous; /* among all caches; guarded by the directory's lock */
    ps__magazine magazines[PS__SMALL_CLASSES];
    void *slots[];
};

/* NULL: this thread has none yet, or is past its end, or there was no memory for one. */
extern __thread ps__cache *ps__thread_cache __attribute__((tls_model("initial-exec")));

/* Gives this thread a cache if it can have one. */
ps__cache *ps__cache_get(void);

/* Fills the empty magazine; afterwards ps__cache_pop succeeds. Blocks come as ps__bin_take says. */
ps__refusal ps__cache_fill(ps__cache *cache, unsigned class, bool smallest);
/* Makes room, then pushes. */
void ps__cache_shed(ps__cache *cache, unsigned class, void *block);
/* Gives all blocks to the bins; returns how many bytes went on from there to the device. */
uint64_t ps__cache_empty(ps__cache *cache);
/* Brings the pool's live and peak up to date with this cache. */
void ps__cache_fold(ps__cache *cache);

/* Called once at start; without it, or if the system refuses, no thread gets a cache. */
void ps__cache_prepare(void);
/* What the caches add to the pool's live. The caller holds the directory's lock. */
int64_t ps__cache_sum(void);
/* In a forked child: takes back what the caches of the other threads held. */
void ps__cache_adopt(void);

/* A block of the class, or NULL if the magazine is empty. */
static inline void *ps__cache_pop(ps__cache *cache, unsigned class)
{
    ps__magazine *magazine = &cache->magazines[class];
    uint32_t count = ps__load(&magazine->count); /* our own */
    if (PS_UNLIKELY(count == 0))
        return NULL;
    void *block = magazine->slots[count - 1];
    /* Pairs with the load in ps__cache_adopt, across fork. */
    ps__store_release(&magazine->count, count - 1);
    int64_t bytes = ps__load(&cache->bytes) - magazine->block_bytes; /* our own */
    ps__store(&cache->bytes, bytes); /* pairs with ps__cache_sum, which wants the number only */
    if (bytes < cache->low)
        cache->low = bytes;
    return block;
}

/* False if there is no room. */
static inline bool ps__cache_push(ps__cache *cache, unsigned class, void *block)
{
    ps__magazine *magazine = &cache->magazines[class];
    uint32_t count = ps__load(&magazine->count);                     /* our own */
    int64_t bytes = ps__load(&cache->bytes) + magazine->block_bytes; /* our own */
    if (PS_UNLIKELY(count == magazine->capacity || bytes > PS__CACHE_BYTES))
        return false;
    magazine->slots[count] = block;
    /* Pairs with the load in ps__cache_adopt, across fork. */
    ps__store_release(&magazine->count, count + 1);
    ps__store(&cache->bytes, bytes); /* pairs with ps__cache_sum, which wants the number only */
    return true;
}

/* The whole life of most small blocks: from this thread's cache to the user, and back. NULL if
 * the cache has none; both refuse when there is no cache or the size is not small. */
static inline void *ps__cache_alloc(size_t bytes)
{
    ps__cache *cache = ps__thread_cache;
    if (PS_UNLIKELY(bytes - 1 >= PS__SMALL_BYTES || !cache)) /* 0 wraps around */
        return NULL;
    unsigned class = ps__class_of(bytes);
    void *block = ps__cache_pop(cache, class);
    if (PS_UNLIKELY(!block))
        return NULL;
    ps__check_out(&ps__cpu_pool, class, block);
    ps__unguard(block, bytes);
    return block;
}

static inline bool ps__cache_free(void *block, size_t bytes)
{
    ps__cache *cache = ps__thread_cache;
    if (PS_UNLIKELY(bytes - 1 >= PS__SMALL_BYTES || !cache || !block)) /* 0 wraps around */
        return false;
    unsigned class = ps__class_of(bytes);
    ps__check_in(&ps__cpu_pool, class, block);
    ps__guard(block, ps__class_bytes(class));
    if (PS_UNLIKELY(!ps__cache_push(cache, class, block)))
        ps__cache_shed(cache, class, block);
    return true;
}

#endif
