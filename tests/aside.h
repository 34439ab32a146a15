/* Letting other threads run. */
#ifndef PS_TESTS_ASIDE_H
#define PS_TESTS_ASIDE_H

#include <time.h>

/* In the middle of something, or between two looks at a thing that another thread changes. A nap
 * and not sched_yield: beside busy programs a yield costs a time slice (src/base/step.c). */
static inline void step_aside(void)
{
    nanosleep(&(struct timespec){0, 1}, NULL);
}

#endif
