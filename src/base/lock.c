#include "base/lock.h"

enum { SPINS = 200 };

void ps__lock_slow(ps__lock *lock)
{
    for (int i = 0; i < SPINS; i++) {
        if (ps__load(&lock->state) == 0 && ps__lock_try(lock))
            return;
        ps__pause();
    }
    /* From here on the lock is taken as 2: this thread cannot know whether others sleep. */
    while (ps__exchange(&lock->state, 2) != 0)
        ps__futex_wait(&lock->state, 2, -1);
}
