/* A span of time that a test watches, or leaves to others. Nothing is put in order by it: whatever
 * happens meanwhile, or does not, the test is right. */
#ifndef PS_TESTS_REST_H
#define PS_TESTS_REST_H

#include <stdint.h>
#include <time.h>

static inline void rest_ms(int64_t milliseconds)
{
    nanosleep(&(struct timespec){milliseconds / 1000, milliseconds % 1000 * 1000000}, NULL);
}

#endif
