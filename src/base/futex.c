#include "base/futex.h"

#include <errno.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

bool ps__futex_wait(ps__word *word, uint32_t expected, int64_t deadline_ns)
{
#ifdef PENSTOCK_TESTING
    if (ps__virtual_on())
        return ps__virtual_wait(word, expected, deadline_ns);
#endif
    struct timespec until, *limit = NULL;
    if (deadline_ns >= 0) {
        until.tv_sec = (time_t)(deadline_ns / 1000000000);
        until.tv_nsec = (long)(deadline_ns % 1000000000);
        limit = &until;
    }
    ps__step();
    /* FUTEX_WAIT_BITSET takes an absolute deadline on the monotonic clock. */
    long result = syscall(SYS_futex, word, FUTEX_WAIT_BITSET_PRIVATE, expected, limit, NULL,
                          FUTEX_BITSET_MATCH_ANY);
    return !(result == -1 && errno == ETIMEDOUT);
}

void ps__futex_wake(ps__word *word, int count)
{
    ps__step();
#ifdef PENSTOCK_TESTING
    /* What is left is for threads that take no part in virtual time. */
    if (ps__virtual_on() && (count -= ps__virtual_wake(word, count)) == 0)
        return;
#endif
    syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, count, NULL, NULL, 0);
}
