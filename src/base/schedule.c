#include "base/schedule.h"

#include <stdint.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define TIMER_SLACK_NS 1000
#define SLICE_NS 500000

/* As the kernel defines it; the C library does not. */
typedef struct attributes {
    uint32_t size, policy;
    uint64_t flags;
    int32_t nice;
    uint32_t priority;
    uint64_t runtime, deadline, period;
    uint32_t utilization_min, utilization_max;
} attributes;

void ps__schedule_promptly(void)
{
    /* Timed sleeps end when they should, not up to 50 us later. */
    prctl(PR_SET_TIMERSLACK, TIMER_SLACK_NS, 0, 0, 0);
#ifdef SYS_sched_setattr
    /* Linux 6.12 and newer: a woken thread with a shorter slice than the running one preempts it.
     * With the default slice it may wait for 3 ms behind a thread that never sleeps. */
    attributes now = {.size = sizeof now};
    if (syscall(SYS_sched_getattr, 0, &now, sizeof now, 0) != 0 || now.policy != 0)
        return;
    now.size = sizeof now;
    now.flags = 0;
    now.runtime = SLICE_NS;
    syscall(SYS_sched_setattr, 0, &now, 0);
#endif
}
