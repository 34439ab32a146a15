/* What the files of the memory layer share. From the bottom up:
 *
 *   raw.c     raw memory: pieces of 64 KB and more from the device, the hard limit on them, and
 *             a bounded store of pieces kept for reuse. A large block is one piece.
 *   slab.c    a slab: one piece cut into blocks of one class, with a bit for each
 *   bin.c     a bin: all slabs of one class, and the blocks freed most recently
 *   cache.c   each thread's own store of small blocks, in front of the CPU pool's bins
 *   pool.c    a pool: bins and raw memory of one device behind alloc and free; statistics; fork
 *   memory.c  the public calls, over the CPU's pool
 *
 * Nothing about a block is kept inside it: the memory may be a device's that the host cannot
 * touch, and what is free can be poisoned. Freeing needs the size for that reason, and never
 * allocates, so it cannot fail.
 *
 * Locks, in the order in which they are taken:
 *   1. set-up (memory.c)   2. directory (pool.c)   3. a bin's   4. a device's (raw.device_lock)
 *   5. the store's (raw.lock)   6. check.c's, in debug builds
 * Two bins are held together only around fork, in the order of their classes. */
#ifndef PS_MEMORY_POOL_H
#define PS_MEMORY_POOL_H

#include "base/lock.h"
#include "memory/classes.h"
#include "memory/memory.h"

/* Why memory could not be had. */
typedef enum ps__refusal {
    PS__GRANTED = 0,
    PS__OVER_LIMIT, /* the hard limit */
    PS__NO_MEMORY   /* the device or the C allocator had none */
} ps__refusal;

/* ---- raw.c ----------------------------------------------------------------------------- */

enum { PS__STORE_ENTRIES = 4096 };

/* One stored piece, in the list of its class from the newest to the oldest. Numbers are places
 * in `entries`; 0 is none. */
typedef struct ps__stored {
    void *memory;
    uint64_t stamp; /* when it was stored: larger is later */
    uint32_t newer, older;
} ps__stored;

typedef struct ps__raw {
    ps__lock device_lock;   /* held around the device's allocate and release */
    _Atomic uint64_t held;  /* bytes taken from the device; written under device_lock */
    _Atomic uint64_t limit; /* on held; UINT64_MAX is none */
    uint64_t stored_max;    /* bound on `stored`; at least 2 MB; set before the pool is used */

    ps__lock lock;   /* guards all that follows */
    uint64_t stored; /* bytes in the store */
    uint64_t stamp;
    uint32_t unused; /* entries that were never used come after this many */
    uint32_t vacant; /* list of entries used before, linked by `older` */
    uint64_t occupied[(PS__CLASSES + 63) / 64]; /* which classes have stored pieces */
    uint32_t newest[PS__CLASSES], oldest[PS__CLASSES];
    ps__stored entries[PS__STORE_ENTRIES + 1];
} ps__raw;

/* A stored piece of the class's size, or NULL. */
void *ps__raw_reuse(ps__pool *pool, unsigned class);
/* The same, or a fresh piece: aligned to 2 MB if it is that large, else to 64 KB. */
ps__refusal ps__raw_take(ps__pool *pool, unsigned class, void **memory);
/* Stores a piece for reuse. True if the store is over its bound now: then call ps__raw_settle
 * once no bin's lock is held (giving back to the device may take long), which returns how many
 * bytes it gave back. */
bool ps__raw_give(ps__pool *pool, unsigned class, void *memory);
uint64_t ps__raw_settle(ps__pool *pool);
/* Gives stored pieces back to the device, oldest first, while more than `keep` bytes are stored
 * or `room` more bytes would be over the limit. Returns how many bytes went. */
uint64_t ps__raw_evict(ps__pool *pool, uint64_t keep, uint64_t room);

/* ---- slab.c ---------------------------------------------------------------------------- */

/* Guarded by the lock of the bin that it belongs to. */
typedef struct ps__slab ps__slab;
struct ps__slab {
    char *memory;
    uint32_t raw_class; /* of the piece of raw memory */
    uint32_t blocks;
    uint32_t vacant;           /* blocks that are neither handed out nor in any cache */
    uint32_t first;            /* no word of `map` before this one has a bit set */
    ps__slab *next, *previous; /* among the bin's slabs with vacant > 0 */
    uint64_t *handed;          /* debug builds: a bit for each block that the user has */
    uint64_t map[];            /* a bit for each vacant block */
};

/* A slab of the class over a piece of raw memory of `bytes`; rather over a stored piece of half
 * that size, a quarter and so on down to `least`, than over a fresh one. */
ps__refusal ps__slab_create(ps__pool *pool, unsigned class, size_t bytes, size_t least,
                            ps__slab **slab);
/* Stores the memory of a slab whose blocks are all vacant; returns what ps__raw_give does. */
bool ps__slab_destroy(ps__pool *pool, ps__slab *slab);
/* Takes up to `count` vacant blocks; returns how many. */
unsigned ps__slab_take(ps__slab *slab, size_t block_bytes, void **blocks, unsigned count);
void ps__slab_give(ps__slab *slab, size_t block_bytes, void *block);
/* Which block of the slab this is. */
uint32_t ps__slab_index(const ps__slab *slab, size_t block_bytes, const void *block);

/* ---- bin.c ----------------------------------------------------------------------------- */

enum { PS__RECENT = 128 };

typedef struct ps__bin {
    _Alignas(64) ps__lock lock; /* guards all that follows */
    uint32_t recent_count;
    uint32_t slab_count, slab_capacity;
    ps__slab **slabs;         /* by address */
    ps__slab *open;           /* those with vacant blocks */
    uint64_t bytes;           /* of all slabs */
    void *recent[PS__RECENT]; /* freed blocks, the latest last */
} ps__bin;

/* Takes 1 .. count blocks of the class. A new slab is made only if there is no block at all;
 * with `smallest` it is no larger than one block needs. Returns how many; if none, why. */
unsigned ps__bin_take(ps__pool *pool, unsigned class, void **blocks, unsigned count, bool smallest,
                      ps__refusal *refusal);
/* Returns how many bytes went back to the device because of it. */
uint64_t ps__bin_give(ps__pool *pool, unsigned class, void *const *blocks, unsigned count);
/* Puts freed blocks back into their slabs and stores the memory of slabs that are then free. */
void ps__bin_trim(ps__pool *pool, unsigned class);
/* The slab with the block, or NULL. The caller holds the lock. */
ps__slab *ps__bin_find(const ps__bin *bin, const void *block);

/* ---- pool.c ---------------------------------------------------------------------------- */

struct ps__pool {
    ps_device *device;
    ps__pool *next; /* in the directory; guarded by its lock */
    /* Bytes handed out, but for what threads have not folded in yet (cache.h). */
    _Atomic int64_t live;
    _Atomic int64_t peak;
    ps__bin bins[PS__SLAB_CLASSES];
    ps__raw raw;
};

extern ps__pool ps__cpu_pool;

/* Guards the list of pools and the list of thread caches. */
extern ps__lock ps__directory_lock;

/* Called once, before the pool is used: lists it. */
void ps__pool_prepare(ps__pool *pool, ps_device *device);

#ifdef PENSTOCK_TESTING
/* How many pools there are. */
unsigned ps__pools_listed(void);
#endif

/* Take all locks but the first of the list above; give them back. */
void ps__pool_fork_prepare(void);
void ps__pool_fork_done(void);

/* As ps__pool_alloc but without an error text; and that text. */
ps__refusal ps__pool_try(ps__pool *pool, size_t bytes, void **block);
ps_status ps__pool_refuse(ps__pool *pool, size_t bytes, ps__refusal refusal);

static inline void ps__pool_raise_peak(ps__pool *pool, int64_t live)
{
    /* A statistic of its own: pairs with nothing. */
    int64_t peak = ps__load(&pool->peak);
    while (PS_UNLIKELY(live > peak) && !ps__cas(&pool->peak, &peak, live))
        ;
}

static inline void ps__pool_add_live(ps__pool *pool, int64_t bytes)
{
    /* A statistic of its own: pairs with nothing. */
    ps__pool_raise_peak(pool, ps__add(&pool->live, bytes) + bytes);
}

#endif
