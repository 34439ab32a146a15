/* Debug builds (PENSTOCK_DEBUG) stop at a block freed twice, freed with a size of another class,
 * or never allocated. Other builds compile none of this. */
#ifndef PS_MEMORY_CHECK_H
#define PS_MEMORY_CHECK_H

#include "memory/pool.h"

#ifdef PENSTOCK_DEBUG
enum { PS__CHECKED = 1 };

/* Stops the process. Broken invariants do so in debug builds only. */
void ps__check_failed(const char *what, const char *file, int line);
#define ps__check(condition)                                                                       \
    ((condition) ? (void)0 : ps__check_failed(#condition, __FILE__, __LINE__))

/* A block of the class goes to the user; comes back. The caller holds no lock. */
void ps__check_out(ps__pool *pool, unsigned class, void *block);
void ps__check_in(ps__pool *pool, unsigned class, void *block);

/* Around fork: take and give back the lock of the table of large blocks. */
void ps__check_fork_prepare(void);
void ps__check_fork_done(void);

#else
enum { PS__CHECKED = 0 };

#define ps__check(condition) ((void)0)

static inline void ps__check_out(ps__pool *pool, unsigned class, void *block)
{
    (void)pool;
    (void)class;
    (void)block;
}

static inline void ps__check_in(ps__pool *pool, unsigned class, void *block)
{
    (void)pool;
    (void)class;
    (void)block;
}

static inline void ps__check_fork_prepare(void) {}
static inline void ps__check_fork_done(void) {}
#endif

#endif
