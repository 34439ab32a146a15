/* Virtual time: the library's threads on any number of cores that are not there (testing build).
 *
 * Between ps__virtual_begin and ps__virtual_end the calling thread and all threads that the library
 * starts take part. Each has a clock of its own, which moves only by what the table of costs says
 * and by what tasks charge; ps__now_ns returns it. One of them runs at a time: the one whose clock
 * is the earliest, and of equals the one that was started first. It passes the baton where threads
 * can see each other's doings: where a lock is taken and given back, at futex calls, pauses, looks at
 * the clock and charges. So a program does the same in every run, on any machine, and how long it
 * takes on 64 cores can be asserted on two.
 *
 * A thread needs one of the cores to go on. A thread that sleeps gives up its own; those that find
 * none free get one in the order in which they asked, when a thread sleeps, ends, or has had its
 * core for a slice.
 *
 * What does not take part: threads that were there before or that others start (they use the real
 * clock and real sleeps, and must not wake those that do), and forks. If nobody can go on any more
 * the program is stopped with a text: a wake was lost.
 *
 * Outside of the testing build all of this is nothing. */
#ifndef PS_BASE_VIRTUAL_H
#define PS_BASE_VIRTUAL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef PENSTOCK_TESTING

#include "base/virtual_costs.h"

typedef struct ps__virtual_thread ps__virtual_thread;

/* The calling thread, if it takes part; else NULL. */
extern __thread ps__virtual_thread *ps__virtual_self __attribute__((tls_model("initial-exec")));

/* From one thread at a time, while the library has no other threads. `costs` NULL: as measured. */
void ps__virtual_begin(unsigned cores, const ps__virtual_costs *costs);
/* By the thread that began, when the engine's threads are about to end or have ended. */
void ps__virtual_end(void);

/* For those that take part. The clock, without cost; the core, from 0. */
int64_t ps__virtual_time(void);
unsigned ps__virtual_core(void);
/* How many there are. */
unsigned ps__virtual_cores(void);
/* Work: so much time passes for this thread; others may come first. */
void ps__virtual_charge(int64_t ns);

/* What happened since ps__virtual_begin. */
typedef struct ps__virtual_counts {
    uint64_t switches; /* changes of the running thread */
    uint64_t sleeps, wakes;
    uint64_t queued;     /* threads that had to wait for a core */
    int64_t slept, spun; /* of the calling thread: ns asleep, until it ran again, and spinning */
} ps__virtual_counts;
ps__virtual_counts ps__virtual_counted(void);

/* Behind the hooks below. */
void ps__virtual_pass_slow(void);
void ps__virtual_pause_slow(void);
int64_t ps__virtual_now_slow(void);
unsigned ps__virtual_spin_slow(const _Atomic uint32_t *word, unsigned most);
void ps__virtual_taken_slow(uint32_t *last);
void ps__virtual_line_slow(void);
void ps__virtual_freed_slow(const _Atomic uint32_t *word);
bool ps__virtual_wait(const _Atomic uint32_t *word, uint32_t expected, int64_t deadline_ns);
int ps__virtual_wake(const _Atomic uint32_t *word, int count);
void ps__virtual_start(void *(**body)(void *), void **arg);
void ps__virtual_start_failed(void *arg);
void ps__virtual_push_slow(const void *record);
void ps__virtual_register_slow(void);
void ps__virtual_waits_slow(void);
void ps__virtual_run_slow(const void *record);
void ps__virtual_look_slow(const void *record);
void ps__virtual_fetch_slow(const void *record);
void ps__virtual_publish_slow(const void *record);

static inline bool ps__virtual_on(void)
{
    return __builtin_expect(ps__virtual_self != NULL, 0);
}

/* Lets those go first whose clocks are earlier. */
static inline void ps__virtual_pass(void)
{
    if (ps__virtual_on())
        ps__virtual_pass_slow();
}

/* A lock was taken whose last holder is noted in *last; under it. And given back. */
static inline void ps__virtual_taken(uint32_t *last)
{
    if (ps__virtual_on())
        ps__virtual_taken_slow(last);
}

static inline void ps__virtual_freed(const _Atomic uint32_t *word)
{
    if (ps__virtual_on())
        ps__virtual_freed_slow(word);
}

/* A line comes that another core was the last to change. */
static inline void ps__virtual_line(void)
{
    if (ps__virtual_on())
        ps__virtual_line_slow();
}

/* A task is pushed: before the lock is taken, with its record; and under it. */
static inline void ps__virtual_push(const void *record)
{
    if (ps__virtual_on())
        ps__virtual_push_slow(record);
}

static inline void ps__virtual_register(void)
{
    if (ps__virtual_on())
        ps__virtual_register_slow();
}

/* Its function is called, or it is part of a group that is. */
static inline void ps__virtual_run(const void *record)
{
    if (ps__virtual_on())
        ps__virtual_run_slow(record);
}

/* A wait begins. */
static inline void ps__virtual_waits(void)
{
    if (ps__virtual_on())
        ps__virtual_waits_slow();
}

/* Under the lock: a task is looked at, maybe taken; or published. */
static inline void ps__virtual_look(const void *record)
{
    if (ps__virtual_on())
        ps__virtual_look_slow(record);
}

static inline void ps__virtual_publish(const void *record)
{
    if (ps__virtual_on())
        ps__virtual_publish_slow(record);
}

/* Before the lock is taken: what publishing the task is going to change is brought here. */
static inline void ps__virtual_fetch(const void *record)
{
    if (ps__virtual_on())
        ps__virtual_fetch_slow(record);
}

#else

static inline void ps__virtual_push(const void *record)
{
    (void)record;
}
static inline void ps__virtual_register(void) {}
static inline void ps__virtual_waits(void) {}
static inline void ps__virtual_line(void) {}
static inline void ps__virtual_freed(const _Atomic uint32_t *word)
{
    (void)word;
}
static inline void ps__virtual_run(const void *record)
{
    (void)record;
}
static inline void ps__virtual_look(const void *record)
{
    (void)record;
}
static inline void ps__virtual_publish(const void *record)
{
    (void)record;
}
static inline void ps__virtual_fetch(const void *record)
{
    (void)record;
}

#endif

#endif
