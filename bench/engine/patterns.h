/* The work that every program of the engine benchmark declares.
 *
 * Ours and each peer include this file, so that all of them queue the same tasks with the same
 * reads and writes, in the same order, and run the same body:
 *
 *   1. the spin: work of a known duration
 *   2. patterns: what task number i reads and writes
 *   3. the body of every task
 *
 * A pattern is a pure function from a task's index to its accesses. A variable is a number below
 * VARIABLES; each runtime maps it to its own kind of handle or address. */
#ifndef BENCH_PATTERNS_H
#define BENCH_PATTERNS_H

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../common/clock.h"

#define ALWAYS_INLINE static inline __attribute__((always_inline))

/* ---- 1. The spin ------------------------------------------------------------------------- */

/* Keeps the processor from starting the next task's spin before this one has ended. */
static inline void finish_instructions(void)
{
#if defined(__x86_64__)
    __builtin_ia32_lfence();
#elif defined(__aarch64__)
    __asm__ volatile("isb" ::: "memory");
#endif
}

/* A chain of dependent multiplications, counted, not timed: a thread that loses its processor
 * makes no progress, so that oversubscription cannot pass for work. */
static inline void spin(uint64_t rounds)
{
    uint64_t x = rounds;
    for (uint64_t i = 0; i < rounds; i++) {
        x = x * 0x9E3779B97F4A7C15u + i;
        __asm__ volatile("" : "+r"(x));
    }
    finish_instructions();
}

enum { CALIBRATION_PIECES = 400, CALIBRATION_ROUNDS = 20000 };

/* Nanoseconds per round, on one thread of a calibration. */
static inline void *calibrate_thread(void *result)
{
    double samples[CALIBRATION_PIECES];
    for (int i = 0; i < CALIBRATION_PIECES; i++) {
        int64_t start = now_ns();
        spin(CALIBRATION_ROUNDS);
        samples[i] = (double)(now_ns() - start) / CALIBRATION_ROUNDS;
    }
    *(double *)result = quantile(samples, CALIBRATION_PIECES, 0.1);
    return NULL;
}

/* Nanoseconds per round when all processors spin at once, as they do in the measurements. The
 * low decile leaves out pieces that something else on the machine has interrupted. */
static inline double calibrate(unsigned threads)
{
    double sum = 0;
    double *results = calloc(threads, sizeof *results);
    pthread_t *ids = calloc(threads, sizeof *ids);
    if (results == NULL || ids == NULL)
        exit(1);
    for (unsigned i = 0; i < threads; i++)
        if (pthread_create(&ids[i], NULL, calibrate_thread, &results[i]) != 0)
            exit(1);
    for (unsigned i = 0; i < threads; i++) {
        pthread_join(ids[i], NULL);
        sum += results[i];
    }
    free(ids);
    free(results);
    return sum / threads;
}

/* ---- 2. Patterns ------------------------------------------------------------------------- */

enum {
    VARIABLES = 8192, /* twice our default bound: "own" variables do not collide */
    SHARED_VARIABLES = 1024,
    OWN_VARIABLES = 512, /* for each of up to 16 pushing threads */
    PUSHER_SHIFT = 24,   /* a task's index holds its pusher above this bit */
    FAN_READERS = 64,
    FAN_PERIOD = FAN_READERS + 2,
    READS_MAX = 3
};

/* Name as it appears in row names. */
#define PATTERN_LIST(X)                                                                            \
    X(BARE, "bare")               /* no variables at all */                                        \
    X(INDEPENDENT, "independent") /* each writes a variable of its own */                          \
    X(CHAIN, "chain")             /* each updates the same variable */                             \
    X(RANDOM, "random")           /* 1 read and 1 write over 1,024 variables */                    \
    X(OWN, "own")                 /* the same over 512 variables that belong to the pusher */      \
    X(FAN, "fan")                 /* 1 writer, 64 readers, 1 writer, again */                      \
    X(STENCIL, "stencil")         /* each reads 3 neighbours of the last step, writes its own */   \
    X(TREE, "tree")               /* from the root to the leaves and back, again */

enum pattern {
#define PATTERN_ENUM(id, name) PATTERN_##id,
    PATTERN_LIST(PATTERN_ENUM)
#undef PATTERN_ENUM
        PATTERN_COUNT
};

static const char *const pattern_names[PATTERN_COUNT] = {
#define PATTERN_NAME(id, name) name,
    PATTERN_LIST(PATTERN_NAME)
#undef PATTERN_NAME
};

struct access {
    unsigned nreads;
    unsigned nwrites; /* 0 or 1 */
    uint32_t reads[READS_MAX];
    uint32_t write;
};

/* Width of the stencil and number of leaves of the tree: a power of two, 16 per processor, so
 * that the patterns themselves leave no processor without work. Set once at start. */
static struct {
    uint32_t width;
    uint32_t width_log2;
    uint64_t tree_reciprocal;
} shape;

static inline uint32_t tree_period(void)
{
    return 3 * shape.width - 3;
}

static inline void shape_set(unsigned threads)
{
    shape.width_log2 = 5;
    while ((1u << shape.width_log2) < 16 * threads && (1u << shape.width_log2) < VARIABLES / 4)
        shape.width_log2++;
    shape.width = 1u << shape.width_log2;
    shape.tree_reciprocal = UINT64_MAX / tree_period() + 1;
}

/* A fixed sequence of 32-bit numbers without visible order. */
ALWAYS_INLINE uint32_t scramble(uint64_t i)
{
    uint64_t x = (i + 1) * 0x9E3779B97F4A7C15u;
    x = (x ^ (x >> 32)) * 0xD6E8FEB86659FD93u;
    return (uint32_t)(x >> 32);
}

ALWAYS_INLINE struct access access_random(uint64_t i, uint32_t base, uint32_t variables)
{
    uint32_t r = scramble(i);
    return (struct access){.nreads = 1,
                           .nwrites = 1,
                           .reads = {base + (r & (variables - 1))},
                           .write = base + ((r >> 16) & (variables - 1))};
}

ALWAYS_INLINE struct access access_fan(uint64_t i)
{
    uint32_t k = (uint32_t)i % FAN_PERIOD;
    if (k == 0 || k == FAN_PERIOD - 1)
        return (struct access){.nwrites = 1, .write = 0};
    return (struct access){.nreads = 1, .reads = {0}};
}

/* Two fields of `width` values, written in turn; the ends are neighbours. */
ALWAYS_INLINE struct access access_stencil(uint64_t i)
{
    uint32_t mask = shape.width - 1, x = (uint32_t)i & mask;
    uint32_t now = ((uint32_t)i & shape.width), last = now ^ shape.width;
    return (struct access){.nreads = 3,
                           .nwrites = 1,
                           .reads = {last + ((x - 1) & mask), last + x, last + ((x + 1) & mask)},
                           .write = now + x};
}

__extension__ typedef unsigned __int128 wide;

/* Nodes numbered as in a heap, the root is 1. Down: 2, 3, ..., 2 width - 1 read their parent. Up:
 * width - 1, ..., 1 read their children. */
ALWAYS_INLINE struct access access_tree(uint64_t i)
{
    uint64_t low = shape.tree_reciprocal * (uint32_t)i; /* (uint32_t)i % period, no division */
    uint32_t k = (uint32_t)(((wide)low * tree_period()) >> 64);
    uint32_t down = 2 * shape.width - 2;
    if (k < down)
        return (struct access){.nreads = 1, .nwrites = 1, .reads = {(k + 2) / 2}, .write = k + 2};
    uint32_t n = tree_period() - k;
    return (struct access){.nreads = 2, .nwrites = 1, .reads = {2 * n, 2 * n + 1}, .write = n};
}

/* With a constant pattern this folds to the one line that it needs. */
ALWAYS_INLINE struct access pattern_access(enum pattern pattern, uint64_t i)
{
    switch (pattern) {
    case PATTERN_INDEPENDENT:
        return (struct access){.nwrites = 1, .write = (uint32_t)i % VARIABLES};
    case PATTERN_CHAIN:
        return (struct access){.nreads = 1, .nwrites = 1, .reads = {0}, .write = 0};
    case PATTERN_RANDOM:
        return access_random(i, 0, SHARED_VARIABLES);
    case PATTERN_OWN:
        return access_random(i, (uint32_t)(i >> PUSHER_SHIFT) * OWN_VARIABLES, OWN_VARIABLES);
    case PATTERN_FAN:
        return access_fan(i);
    case PATTERN_STENCIL:
        return access_stencil(i);
    case PATTERN_TREE:
        return access_tree(i);
    default:
        return (struct access){.nreads = 0};
    }
}

/* ---- 3. The body of every task ----------------------------------------------------------- */

enum body { BODY_EMPTY = 0, BODY_SPIN, BODY_STAMP, BODY_CHECK };

enum { EMPTY_COST_NS = 20 }; /* what a task with an empty body declares */

/* What tasks do. Set between measurements, while nothing is queued; the queue of each runtime
 * orders it with the tasks. */
static struct {
    enum body body;
    uint64_t rounds;  /* of a spin */
    uint64_t cost_ns; /* declared to runtimes that take an estimate */
    enum pattern pattern;
    uint64_t *results; /* of a check, one for each task */
} work = {.cost_ns = EMPTY_COST_NS};

/* Written by the one stamp task, read by the thread that waits for it: release and acquire. */
static _Atomic int64_t stamp;

/* The values that variables stand for; OpenMP's dependencies are on these addresses. One cache
 * line each, as in programs whose variables are objects. */
static struct {
    _Alignas(64) uint64_t value;
} values[VARIABLES];

/* Combines the task's index with all that it reads, so that the final results show whether each
 * task saw what it would have seen in a serial run. */
static inline void body_check(uint64_t index)
{
    struct access access = pattern_access(work.pattern, index);
    uint64_t x = index;
    for (unsigned i = 0; i < access.nreads; i++)
        x = (x ^ values[access.reads[i]].value) * 0x9E3779B97F4A7C15u;
    work.results[index] = x;
    if (access.nwrites)
        values[access.write].value = x;
}

static __attribute__((noinline)) void body_work(uint64_t index)
{
    if (work.body == BODY_SPIN)
        spin(work.rounds);
    else if (work.body == BODY_STAMP)
        atomic_store_explicit(&stamp, now_ns(), memory_order_release);
    else
        body_check(index);
}

ALWAYS_INLINE void body(uint64_t index)
{
    if (__builtin_expect(work.body != BODY_EMPTY, 0))
        body_work(index);
}

static inline void work_empty(void)
{
    work.body = BODY_EMPTY;
    work.cost_ns = EMPTY_COST_NS;
}

static inline void work_spin(double nanoseconds, double ns_per_round)
{
    work.body = BODY_SPIN;
    work.rounds = (uint64_t)(nanoseconds / ns_per_round + 0.5);
    work.cost_ns = (uint64_t)nanoseconds;
}

#endif
