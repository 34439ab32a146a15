/* Recorded programs: what a thread pushes, as numbers, run by the engine in virtual or in real time.
 *
 * A program is a number of chains. Each step of a chain reads the result of the one before and
 * writes one of its own; the handle of a result is gone when the next step is pushed, so that its
 * bytes are told to the engine by those functions, and as often, as tensors do it. In virtual time
 * a step charges its cost, in real time it keeps the processor busy for as long.
 *
 * Memory is modelled as the library's is: blocks that were freed last are used first, small ones by
 * the same thread, large ones by anybody. A block that another core touched last costs more. */
#ifndef PS_TESTS_ENGINE_RECORDED_H
#define PS_TESTS_ENGINE_RECORDED_H

#include "base/virtual.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct recorded_program {
    const char *name;
    uint32_t chains, steps;
    uint32_t at_call;     /* of the steps of each chain: done by the pusher at the call */
    int64_t step_ns;      /* of a step, its data at hand */
    uint64_t bytes;       /* of a result */
    uint32_t grouped_pct; /* what a step costs in a group; 0: steps are not grouped */
    bool stays;           /* moving a step to another thread would cost more than it does */
    bool waited;          /* for each step */
    bool kept;            /* the results of the chains are */
} recorded_program;

typedef struct recorded_times {
    int64_t makespan;          /* of the best round, ns */
    int64_t pushing;           /* of that: until the last push has returned */
    int64_t work;              /* what tasks charged in it, without moving data */
    int64_t moving;            /* what moving data took */
    int64_t push_least;        /* what the pushes alone take */
    int64_t critical;          /* the longest chain */
    int64_t slept, spun;       /* of it the pusher was asleep, and spinning; virtual time only */
    uint64_t takes, contended; /* of the engine's lock */
    uint64_t wakes, held_back, helped, groups; /* as the engine counts them */
    uint64_t switches;                         /* of the baton, in all rounds */
    bool in_order;                             /* each step ran once, after the one before */
} recorded_times;

extern const recorded_program recorded_programs[];
extern const size_t recorded_program_count;
/* NULL: there is none. */
const recorded_program *recorded_find(const char *name);

typedef struct recorded_setting {
    unsigned workers;
    unsigned cores;                 /* virtual ones; 0: in real time */
    unsigned rounds;                /* after a first one, which is not counted */
    const ps__virtual_costs *costs; /* NULL: as measured */
} recorded_setting;

/* False: a call failed. */
bool recorded_run(const recorded_program *program, const recorded_setting *setting,
                  recorded_times *times);

#endif
