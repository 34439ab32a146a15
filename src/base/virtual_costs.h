/* What things cost in virtual time: one table, all in nanoseconds unless a name says otherwise.
 *
 * Most were measured on a machine with two cores of a server processor that have 2 MB of cache each,
 * with one pusher and two workers; virtual_costs.c says how. None is zero. */
#ifndef PS_BASE_VIRTUAL_COSTS_H
#define PS_BASE_VIRTUAL_COSTS_H

#include <stdint.h>

typedef struct ps__virtual_costs {
    int64_t push;         /* a push before it has the lock: a frontend's call, its checks */
    int64_t push_locked;  /* and with it: registering the task */
    int64_t wait;         /* a wait, besides the locks that it takes and the tasks that it runs */
    int64_t lock;         /* a take of a lock that this core was the last to hold */
    int64_t lock_moved;   /* of one that another core was: its line, and what it guards, move */
    int64_t lock_handed;  /* from when a lock is given back until a thread that spins sees it */
    int64_t lock_crowd;   /* more for each other one that spins on it: all of them read that line */
    int64_t record;       /* a task looked at by the core that did so last, or published by the one
                             that pushed it */
    int64_t record_moved; /* by another one: lines of the record and its variables move */
    int64_t run;          /* calling a task's function and dropping its argument, on the core that
                             pushed it */
    int64_t run_moved;    /* on another one: what the pusher wrote for it moves */
    int64_t wake;         /* a futex wake, for the caller, for each sleeper that it ends */
    int64_t wake_nobody;  /* one that ends no sleep */
    int64_t wake_shallow; /* from the wake until a sleeper runs that had just gone to sleep */
    int64_t wake_deep;    /* until one runs that has slept for longer */
    int64_t shallow;      /* the sleep that is no longer than this is the first of the two */
    int64_t timer;        /* from the end of a timed sleep until the sleeper runs */
    int64_t sleep;        /* the call that goes to sleep, or finds that it need not */
    int64_t pause;        /* one turn of a loop that spins */
    int64_t clock;        /* a look at the clock */
    int64_t start;        /* a new thread, for the one that starts it */
    int64_t start_until;  /* until the new thread runs */
    int64_t slice;        /* a thread has its core for this long while others wait for one */
    int64_t byte_moved_ps; /* picoseconds for a byte that another core was the last to touch: for
                              programs, which know their bytes */
} ps__virtual_costs;

extern const ps__virtual_costs ps__virtual_measured;

#endif
