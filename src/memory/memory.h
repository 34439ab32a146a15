/* Pools of memory, what is counted about them, and the hard limit.
 *
 * The engine is above this layer, so what it must do when memory runs out hangs on a hook. */
#ifndef PS_MEMORY_MEMORY_H
#define PS_MEMORY_MEMORY_H

#include "device/device.h"

typedef struct ps__pool ps__pool;

/* A pool over the raw memory of a device; the CPU's exists from the start. Pools are never
 * destroyed: devices stay for the life of the process. */
ps_status ps__pool_create(ps_device *device, ps__pool **pool);
ps__pool *ps__pool_cpu(void);

/* Aligned to 64 bytes; zero bytes gives a valid address that takes no memory of its own, the
 * same each time. Fails with PS_ERR_MEMORY and a text that states the sizes. Never blocks. */
ps_status ps__pool_alloc(ps__pool *pool, size_t bytes, void **block);
/* NULL does nothing. `bytes` as given to alloc. Any thread. */
void ps__pool_free(ps__pool *pool, void *block, size_t bytes);

/* Gives cached blocks back: the shared ones, and the calling thread's own. Other threads' caches
 * are small and bounded (and emptied when the thread ends). */
uint64_t ps__pool_trim(ps__pool *pool);

void ps__pool_stats(ps__pool *pool, ps_memory_stats *stats);
void ps__pool_reset_peak(ps__pool *pool);
/* 0 removes the limit. */
void ps__pool_set_limit(ps__pool *pool, uint64_t bytes);

/* The engine's queued bytes, for the statistics. */
void ps__memory_queued(int64_t delta);

/* Called by ps_memory_alloc (not by ps__pool_alloc) when the limit is hit even after a trim:
 * returns true if it is worth trying again, after waiting for memory to become free. */
typedef bool (*ps__memory_wait_fn)(void);
void ps__memory_set_wait(ps__memory_wait_fn wait);

/* Around fork. */
void ps__memory_fork_prepare(void);
void ps__memory_fork_parent(void);
void ps__memory_fork_child(void);

#endif
