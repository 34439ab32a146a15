#include "base/lock.h"

#include "base/clock.h"

#ifdef PENSTOCK_TESTING
__thread uint64_t ps__lock_takes_here;
#endif

/* Longer than a lock is held at a time, and about what a sleep and a wake-up cost both sides: less
 * would be paid for by a change of threads, more would be lost where the holder is not running. */
#define SPIN_NS 20000

enum { LOOKS = 256 }; /* between two looks at the clock */

static bool spin(ps__lock *lock)
{
    for (unsigned i = 0; i < LOOKS; i += ps__spin(&lock->state, LOOKS - i))
        if (ps__load(&lock->state) == 0 && ps__lock_try(lock))
            return true;
    return false;
}

void ps__lock_slow(ps__lock *lock)
{
    if (spin(lock)) /* mostly: before the clock is asked */
        return;
    for (int64_t end = ps__now_ns() + SPIN_NS; ps__now_ns() < end;)
        if (spin(lock))
            return;
    /* From here on the lock is taken as 2: this thread cannot know whether others sleep. */
    while (ps__exchange(&lock->state, 2) != 0)
        ps__futex_wait(&lock->state, 2, -1);
}
