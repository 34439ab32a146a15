/* The engine benchmark on OpenMP tasks with dependencies: compiled by gcc for GNU's runtime and by
 * clang for LLVM's.
 *
 * The measuring thread is the `single` of a parallel region; the other threads of the team wait at
 * its end and run tasks meanwhile, and so does the measuring thread in taskwait. */
#include "patterns.h"

#include <omp.h>

static bool runtime_run(unsigned threads, void (*fn)(void *), void *arg)
{
    omp_set_dynamic(0);
#pragma omp parallel num_threads(threads)
#pragma omp single
    fn(arg);
    return true;
}

/* The number of dependencies is part of the directive, so each shape has its own. (Laid out by
 * hand: clang-format tears the pragmas apart.) */
/* clang-format off */
ALWAYS_INLINE void runtime_push(struct access a, uint64_t index)
{
    if (a.nwrites == 0 && a.nreads == 0) {
#pragma omp task firstprivate(index)
        body(index);
    } else if (a.nwrites == 0) {
#pragma omp task firstprivate(index) depend(in : values[a.reads[0]])
        body(index);
    } else if (a.nreads == 0) {
#pragma omp task firstprivate(index) depend(out : values[a.write])
        body(index);
    } else if (a.nreads == 1 && a.reads[0] == a.write) {
#pragma omp task firstprivate(index) depend(inout : values[a.write])
        body(index);
    } else if (a.nreads == 1) {
#pragma omp task firstprivate(index) depend(in : values[a.reads[0]]) depend(out : values[a.write])
        body(index);
    } else if (a.nreads == 2) {
#pragma omp task firstprivate(index) depend(in : values[a.reads[0]], values[a.reads[1]])           \
    depend(out : values[a.write])
        body(index);
    } else {
#pragma omp task firstprivate(index)                                                               \
    depend(in : values[a.reads[0]], values[a.reads[1]], values[a.reads[2]])                        \
    depend(out : values[a.write])
        body(index);
    }
}
/* clang-format on */

static void runtime_wait(void)
{
#pragma omp taskwait
}

static void runtime_wait_one(void)
{
#pragma omp taskwait
}

/* Dependencies hold between tasks of the same parent only: several pushers cannot share
 * variables. Each pusher is a task that queues its own children, which costs less here than a
 * team with more threads than processors. */
static bool runtime_pushers(enum pattern pattern, unsigned pushers, void (*fn)(unsigned))
{
    if (pattern == PATTERN_RANDOM && pushers > 1)
        return false;
    if (pushers == 1)
        fn(0);
    for (unsigned i = 0; pushers > 1 && i < pushers; i++) {
#pragma omp task firstprivate(i, fn)
        {
            fn(i);
#pragma omp taskwait
        }
    }
#pragma omp taskwait
    return true;
}

#include "measure.inc"

static const struct verb *runtime_verbs(void)
{
    static const struct verb none = {NULL, NULL};
    return &none;
}
