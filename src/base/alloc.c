/* The C allocator, anonymous pages and threads; in the testing build, any of the calls that can
 * fail does so when told. */
#include "base/alloc.h"

#include "base/fpmode.h"

#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/atomic.h"

/* ---- Faults ---------------------------------------------------------------------------- */

#ifdef PENSTOCK_TESTING

/* Which of a series of calls fail. Relaxed throughout: a call that races with a change of the plan may
 * be counted before or after it, and nothing else is published through these. Atomics, not a lock: a
 * fork must find nothing held. */
typedef struct plan {
    _Atomic unsigned long at;    /* 0: off */
    _Atomic unsigned long calls; /* since it was set */
    _Atomic bool sticky;
} plan;

static plan all_calls, thread_starts;

static void set_plan(plan *p, unsigned long nth, bool sticky)
{
    ps__store(&p->at, 0);
    ps__store(&p->calls, 0);
    ps__store(&p->sticky, sticky);
    ps__store(&p->at, nth);
}

void ps__fault_set(unsigned long nth, bool sticky)
{
    set_plan(&all_calls, nth, sticky);
}

void ps__fault_set_threads(unsigned long nth, bool sticky)
{
    set_plan(&thread_starts, nth, sticky);
}

unsigned long ps__fault_count(void)
{
    return ps__load(&all_calls.calls);
}

/* Counts a call that can fail; true if it must. */
static bool is_due(plan *p)
{
    unsigned long call = ps__add(&p->calls, 1) + 1;
    unsigned long at = ps__load(&p->at);
    return at != 0 && (call == at || (call > at && ps__load(&p->sticky)));
}

static bool fails_now(void)
{
    return is_due(&all_calls);
}

static bool start_fails_now(void)
{
    bool due = is_due(&thread_starts);
    return fails_now() || due;
}

#else

static inline bool fails_now(void)
{
    return false;
}

static inline bool start_fails_now(void)
{
    return false;
}

#endif

/* ---- Records --------------------------------------------------------------------------- */

void *ps__calloc(size_t count, size_t bytes)
{
    if (fails_now())
        return NULL;
    /* Zero bytes may be NULL in C; here NULL means that there was no memory. */
    return count && bytes ? calloc(count, bytes) : calloc(1, 1);
}

void *ps__calloc_aligned(size_t alignment, size_t bytes)
{
    if (fails_now())
        return NULL;
    void *memory;
    if (alignment < sizeof(void *)) /* the least that posix_memalign takes */
        alignment = sizeof(void *);
    if (bytes == 0)
        bytes = 1;
    if (posix_memalign(&memory, alignment, bytes) != 0)
        return NULL;
    return memset(memory, 0, bytes);
}

void ps__free(void *memory)
{
    free(memory);
}

/* ---- Pages ----------------------------------------------------------------------------- */

static size_t page_bytes(void)
{
    return (size_t)sysconf(_SC_PAGESIZE);
}

/* Rounded up to whole pages; 0 if that is more than there can be, by wrapping around. */
static size_t whole_pages(size_t bytes)
{
    size_t mask = page_bytes() - 1;
    return (bytes + mask) & ~mask;
}

static void *map_anonymous(size_t bytes)
{
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

/* Unmapping can fail when it would split a mapping and the process has the most it may have. The
 * address range is then lost, but not the memory behind it. */
static void unmap(void *memory, size_t bytes)
{
    if (bytes && munmap(memory, bytes) != 0)
        (void)madvise(memory, bytes, MADV_DONTNEED);
}

/* Maps more than is asked for and gives back what lies outside of the aligned part. */
static void *map_aligned(size_t bytes, size_t alignment)
{
    size_t spare = alignment - page_bytes();
    if (bytes > SIZE_MAX - spare)
        return NULL;
    char *whole = map_anonymous(bytes + spare);
    if (!whole)
        return NULL;
    size_t before = (alignment - ((uintptr_t)whole & (alignment - 1))) & (alignment - 1);
    unmap(whole, before);
    unmap(whole + before + bytes, spare - before);
    return whole + before;
}

void *ps__pages_map(size_t bytes, size_t alignment)
{
    if (fails_now())
        return NULL;
    bytes = whole_pages(bytes);
    if (bytes == 0)
        return NULL;
    return alignment <= page_bytes() ? map_anonymous(bytes) : map_aligned(bytes, alignment);
}

void ps__pages_unmap(void *memory, size_t bytes)
{
    if (memory)
        unmap(memory, whole_pages(bytes));
}

/* ---- Threads --------------------------------------------------------------------------- */

/* Everything except what a thread's own instructions raise: POSIX leaves it undefined to block
 * those, and in practice the process would die without its crash handler (of a sanitizer, an
 * interpreter, a sandbox) being asked. */
static void signals_to_block(sigset_t *set)
{
    static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS};
    sigfillset(set);
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++)
        sigdelset(set, faults[i]);
}

bool ps__thread_start(void *(*body)(void *), void *arg, const char *name)
{
    if (start_fails_now())
        return false;
    char short_name[16]; /* what the kernel keeps */
    snprintf(short_name, sizeof short_name, "%s", name);

    /* A new thread begins with its maker's mask, so that not one signal can slip in. */
    sigset_t blocked, before;
    signals_to_block(&blocked);
    pthread_sigmask(SIG_SETMASK, &blocked, &before);
    uint64_t mode = ps__fpmode_enter(); /* likewise with its floating-point mode */
    pthread_t thread;
#ifdef PENSTOCK_TESTING
    if (ps__virtual_on())
        ps__virtual_start(&body, &arg);
#endif
    int result = pthread_create(&thread, NULL, body, arg);
#ifdef PENSTOCK_TESTING
    if (result != 0 && ps__virtual_on())
        ps__virtual_start_failed(arg);
#endif
    ps__fpmode_leave(mode);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (result != 0)
        return false;

    /* Detached only after it was named: until then its handle stays valid even if it ends. */
    pthread_setname_np(thread, short_name);
    pthread_detach(thread);
    return true;
}
