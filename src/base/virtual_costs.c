#include "base/virtual_costs.h"

#ifdef PENSTOCK_TESTING

const ps__virtual_costs ps__virtual_measured = {
    .push = 300,        /* x + 1 from Python, nobody interferes: 310 with what is next */
    .wait = 200,        /* 20,000 waits, each after a push, less what the pushes and tasks took */
    .push_locked = 40,  /* of the 65 that a push and a run of an empty task take in C */
    .lock = 15,         /* an exchange to take, one to give back, in the own cache */
    .lock_moved = 250,  /* two cores that call ps_engine_hold_bytes: 265 a call; one alone: 45 */
    .lock_handed = 300, /* fitted, with what is next, to chains of short steps on 16 cores */
    .lock_crowd = 20,   /* likewise */
    .record = 10,       /* as push_locked: the rest of the 65 */
    .record_moved = 80, /* a take of 59 tasks 4,800, their publishing 4,600 */
    .run = 30,          /* as push_locked */
    .run_moved = 250,   /* fitted to recorded programs on two cores, with busy loops for work */
    .wake = 5000,       /* the system call, with a sleeper */
    .wake_nobody = 300, /* and without */
    .wake_shallow = 25000, /* a pusher that sleeps on the lock, on the whole */
    .wake_deep = 80000,    /* a worker that is woken from idleness: 70,000 to 100,000 */
    .shallow = 50000,      /* between the lock's sleeps and the workers' */
    .timer = 5000,         /* a nap that ends by itself: its core looks at the timer */
    .sleep = 500,          /* the system call that returns at once */
    .pause = 13,           /* the instruction */
    .clock = 25,           /* clock_gettime */
    .start = 20000,        /* pthread_create */
    .start_until = 80000,  /* as a wake */
    .slice = 3000000,      /* the kernel's for threads that ask for nothing */
    .byte_moved_ps = 80,   /* rewriting 64 KB that the other core wrote: 6,800 instead of 900 */
};

#endif
