/* The monotonic clock, and a cheaper cycle counter for measuring short spans. */
#ifndef PS_BASE_CLOCK_H
#define PS_BASE_CLOCK_H

#include "base/virtual.h"

#include <stdint.h>
#include <time.h>

static inline int64_t ps__now_ns(void)
{
#ifdef PENSTOCK_TESTING
    if (ps__virtual_on())
        return ps__virtual_now_slow();
#endif
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

#endif
