/* A lock for very short critical sections: one atomic exchange to take it, one to give it back;
 * spins for longer than a section lasts, then sleeps.
 *
 * state: 0 free, 1 taken, 2 taken and somebody may sleep. Taking pairs with dropping: the
 * exchange in ps__unlock releases, the one in ps__lock_take acquires.
 *
 * The testing build counts, for each lock, how often it was taken and how often not at once. */
#ifndef PS_BASE_LOCK_H
#define PS_BASE_LOCK_H

#include "base/futex.h"

typedef struct ps__lock {
    ps__word state;
#ifdef PENSTOCK_TESTING
    uint32_t last;             /* the core that had it last, in virtual time; guarded by itself */
    uint64_t takes, contended; /* by ps__lock_take; guarded by itself */
#endif
} ps__lock;

void ps__lock_slow(ps__lock *lock);

#ifdef PENSTOCK_TESTING
/* How often the calling thread has taken any. */
extern __thread uint64_t ps__lock_takes_here __attribute__((tls_model("initial-exec")));
#endif

static inline bool ps__lock_try(ps__lock *lock)
{
    uint32_t free = 0;
    return ps__cas(&lock->state, &free, 1);
}

#ifdef PENSTOCK_TESTING

static inline void ps__lock_take(ps__lock *lock)
{
    ps__virtual_pass();
    bool at_once = ps__lock_try(lock);
    if (!at_once)
        ps__lock_slow(lock);
    lock->takes++;
    ps__lock_takes_here++;
    lock->contended += !at_once;
    ps__virtual_taken(&lock->last);
}

static inline void ps__unlock(ps__lock *lock)
{
    ps__virtual_pass();
    bool sleepers = ps__exchange(&lock->state, 0) == 2;
    ps__virtual_freed(&lock->state);
    if (sleepers)
        ps__futex_wake(&lock->state, 1);
}

#else

static inline void ps__lock_take(ps__lock *lock)
{
    if (PS_UNLIKELY(!ps__lock_try(lock)))
        ps__lock_slow(lock);
}

static inline void ps__unlock(ps__lock *lock)
{
    if (PS_UNLIKELY(ps__exchange(&lock->state, 0) == 2))
        ps__futex_wake(&lock->state, 1);
}

#endif

#endif
