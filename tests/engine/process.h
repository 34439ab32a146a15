/* What tests about the whole process share: its memory, and children that run a part of a test.
 *
 * A child must not use cmocka: an assertion that failed there would jump into the parent's run of
 * the tests. It checks with CHILD_CHECK instead, and the parent looks at how it ended. */
#ifndef PS_TESTS_ENGINE_PROCESS_H
#define PS_TESTS_ENGINE_PROCESS_H

#include "fixture.h"

#include <signal.h>
#include <sys/wait.h>

/* A thread that forks while others are inside of ThreadSanitizer's own allocator leaves its spin
 * locks taken in the child (seen with clang 14: DenseSlabAlloc::Refill), which then hangs at its
 * first thread. Programs that fork under load meet that now and then: they are left to the other
 * builds. */
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define FORK_IS_UNSAFE "ThreadSanitizer does not keep its own locks across fork"
#endif
#endif
/* Nor does AddressSanitizer's allocator (seen with gcc 12: a child waits in GetFromAllocator). Forks
 * beside threads that push are left to the other builds; forks beside workers are made there too. */
#if defined(__SANITIZE_ADDRESS__)
#define FORK_BESIDE_PUSHERS_IS_UNSAFE "AddressSanitizer does not keep its own locks across fork"
#endif
#if defined(__SANITIZE_THREAD__)
#define FORK_IS_UNSAFE "ThreadSanitizer does not keep its own locks across fork"
#endif

/* Resident bytes of this process. */
static inline uint64_t process_resident(void)
{
    unsigned long long pages = 0, resident = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (file != NULL && fscanf(file, "%llu %llu", &pages, &resident) != 2)
        resident = 0;
    if (file != NULL)
        fclose(file);
    return resident * (uint64_t)sysconf(_SC_PAGESIZE);
}

enum { CHILD_FAILED = 99 };

#define CHILD_CHECK(condition)                                                                     \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s:%d: in a child: %s (last error: %s)\n", __FILE__, __LINE__,        \
                    #condition, ps_last_error());                                                  \
            fflush(stderr);                                                                        \
            _exit(CHILD_FAILED);                                                                   \
        }                                                                                          \
    } while (0)

/* The first thing that a child does: its own end to every hang, and crashes that show as what
 * they are instead of being caught by cmocka. */
static inline void child_begin(void)
{
    static const int crashes[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
    for (size_t i = 0; i < sizeof crashes / sizeof crashes[0]; i++)
        signal(crashes[i], SIG_DFL);
    alarm(PART_LIMIT_S);
}

/* Waits for a child; its exit code, or minus the signal that ended it. */
static inline int child_result(pid_t child)
{
    int status = 0;
    while (waitpid(child, &status, 0) < 0)
        continue;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

/* What is written stays with the parent. */
static inline pid_t fork_flushed(void)
{
    fflush(stdout);
    fflush(stderr);
    return fork();
}

/* Runs body(arg) in a child that leaves by exit() with what it returns. */
static inline pid_t child_start(int (*body)(void *arg), void *arg)
{
    pid_t child = fork_flushed();
    if (child == 0) {
        child_begin();
        exit(body(arg));
    }
    assert_true(child > 0);
    return child;
}

static inline int child_run(int (*body)(void *arg), void *arg)
{
    return child_result(child_start(body, arg));
}

#endif
