/* Pools of memory, what is counted about them, and the hard limit.
 *
 * The engine is above this layer, so what it must do when memory runs out hangs on a hook. */
#ifndef PS_MEMORY_MEMORY_H
#define PS_MEMORY_MEMORY_H

#include "device/device.h"

typedef struct ps__pool ps__pool;

/* A pool over the raw memory of a device; the CPU's exists from the start. Pools are never
 * destroyed: devices stay for the life of the process. The memory itself is never looked at, so
 * it may be out of the host's reach. Free pieces of raw memory, large blocks among them, are kept
 * for reuse up to an eighth of the machine's memory; beyond that the oldest go back first. */
ps_status ps__pool_create(ps_device *device, ps__pool **pool);
ps__pool *ps__pool_cpu(void);

/* Aligned to 64 bytes; zero bytes gives a valid address that takes no memory of its own, the
 * same each time. Fails with PS_ERR_MEMORY and a text that states the sizes. Never blocks. */
ps_status ps__pool_alloc(ps__pool *pool, size_t bytes, void **block);
/* NULL does nothing. `bytes` as given to alloc. Any thread. */
void ps__pool_free(ps__pool *pool, void *block, size_t bytes);

/* As ps_memory_alloc, but NULL where that would wait or fail. */
void *ps__memory_try(size_t bytes);

/* Gives cached blocks back: the shared ones, and the calling thread's own. Other threads' caches
 * are small and bounded (and emptied when the thread ends). */
uint64_t ps__pool_trim(ps__pool *pool);

/* Blocks count with the size of their class (classes.h): at most 12.5 % or 63 bytes more than was
 * asked for. cached is all that the device gave and nobody has, so live + cached is what the limit
 * is on. Both are exact whenever no other thread is inside a call. peak is exact for a program
 * with one thread; with several it may be off by the small blocks that pass through the caches of
 * the others unseen, at most 1 MB each. queued is left 0: it belongs to no pool. */
void ps__pool_stats(ps__pool *pool, ps_memory_stats *stats);
void ps__pool_reset_peak(ps__pool *pool);
/* 0 removes the limit. */
void ps__pool_set_limit(ps__pool *pool, uint64_t bytes);

/* The limit on the CPU's memory; UINT64_MAX if there is none. */
uint64_t ps__memory_limit(void);

/* Who tells, for the statistics, how many bytes are queued. */
void ps__memory_set_queued(uint64_t (*queued)(void));

/* Called by ps_memory_alloc (not by ps__pool_alloc) when the limit is hit even after a trim:
 * returns true if it is worth trying again, after waiting for memory to become free. */
typedef bool (*ps__memory_wait_fn)(void);
void ps__memory_set_wait(ps__memory_wait_fn wait);

/* Around fork: prepare takes all locks of this layer, the others give them back. The child then
 * takes over what other threads had in their caches. */
void ps__memory_fork_prepare(void);
void ps__memory_fork_parent(void);
void ps__memory_fork_child(void);

#endif
