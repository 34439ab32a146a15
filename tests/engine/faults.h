/* Whole scenarios in which the Nth call for memory or a thread fails, for N = 1, 2, 3 ... until none is
 * left to fail. Each run is a child process, so that nothing is left over from the run before. */
#ifndef PS_TESTS_ENGINE_FAULTS_H
#define PS_TESTS_ENGINE_FAULTS_H

#include "engine/process.h"

#include "base/alloc.h"

/* Exit codes; 0: there was no Nth call. Not 1: that is what sanitizers leave with. */
enum { FAULT_MET = 42 };

typedef struct fault {
    unsigned long nth;
    bool sticky; /* all after it fail too */
    const void *scenario;
} fault;

/* A call under faults: it succeeds, or says what it lacked. */
static inline bool fine(ps_status status)
{
    CHILD_CHECK(status == PS_OK || status == PS_ERR_MEMORY || status == PS_ERR_THREAD);
    return status == PS_OK;
}

static inline void fault_begin(const fault *f)
{
    ps__fault_set(f->nth, f->sticky);
}

/* There is memory again; the exit code of the child. */
static inline int fault_end(const fault *f)
{
    int code = ps__fault_count() >= f->nth ? FAULT_MET : 0;
    ps__fault_set(0, false);
    return code;
}

/* Runs play(fault) in children until nothing fails; how many calls failed. */
static inline unsigned long faults_play(const char *name, int (*play)(void *fault),
                                        const void *scenario, bool sticky, unsigned long most)
{
    fault f = {1, sticky, scenario};
    int result;
    while ((result = child_run(play, &f)) == FAULT_MET && f.nth < most)
        f.nth++;
    if (result != 0) {
        print_error("%s: fault %lu%s: child ended with %d\n", name, f.nth,
                    sticky ? " and all after it" : "", result);
        _fail(__FILE__, __LINE__);
    }
    print_message("%lu calls failed%s\n", f.nth - 1, sticky ? ", with all after them" : "");
    return f.nth - 1;
}

#endif
