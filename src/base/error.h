/* The text of the last failed call, per thread. */
#ifndef PS_BASE_ERROR_H
#define PS_BASE_ERROR_H

#include "penstock.h"

/* How many statuses there are; their numbers have no gaps. */
enum {
#define PS__COUNT(name, number, text) +1
    PS__STATUSES = 0 PS_STATUS_LIST(PS__COUNT)
#undef PS__COUNT
};

/* What a function of the user's returned: a number that is no status counts as PS_ERR_TASK. */
static inline ps_status ps__status_checked(ps_status status)
{
    return (unsigned)status < PS__STATUSES ? status : PS_ERR_TASK;
}

/* Notes a text for this thread and returns `status`, so that a failing call is one line. Cold: what
 * leads to it is kept away from what runs. */
PS_PRINTF(2, 3)
__attribute__((cold)) ps_status ps__fail(ps_status status, const char *format, ...);

/* The same for a dimension that there is not: PS_ERR_ARGUMENT, of a kind of its own. */
PS_PRINTF(1, 2)
__attribute__((cold)) ps_status ps__fail_axis(const char *format, ...);

/* How often this thread has noted one: whether a function of the user's has done so. */
uint64_t ps__fail_count(void);
/* A function of the user's has failed, `what` of operation `name`: keeps the text that it noted since
 * there were `count`, or notes one. Returns a status that is one. */
ps_status ps__foreign_failed(const char *name, const char *what, uint64_t count, ps_status status);

/* Notes a failure with all its fields; the strings are copied. */
ps_status ps__fail_info(const ps_error_info *info);

/* Runs `body`, which may fail calls; what was noted last before it, and nobody has asked about yet, is
 * what was noted last after it. */
void ps__fail_apart(void (*body)(void *arg), void *arg);

/* Around a fork: nobody changes the list of notes, and the child keeps only this thread's. */
void ps__errors_fork_prepare(void);
void ps__errors_fork_parent(void);
void ps__errors_fork_child(void);

#endif
