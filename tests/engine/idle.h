/* Whether the threads of an engine do nothing at all: what each of them has used of the processor,
 * and how often it was put on one, stays the same, exactly, over a span of time.
 *
 * The engine's threads are those that were not there before it. A machine that is busy delays the
 * moment at which they fall asleep, so a few spans are tried; it cannot make a sleeping thread run. */
#ifndef PS_TESTS_ENGINE_IDLE_H
#define PS_TESTS_ENGINE_IDLE_H

#include "fixture.h"
#include "rest.h"

#include <dirent.h>

enum { IDLE_THREADS = 256, IDLE_SPANS = 20, IDLE_SETTLE_MS = 20 };

typedef struct crew {
    unsigned count;
    int ids[IDLE_THREADS];
    int64_t used_ns[IDLE_THREADS];
    uint64_t switches[IDLE_THREADS]; /* of its own accord or not */
} crew;

static inline bool crew_has(const crew *c, int id)
{
    for (unsigned i = 0; i < c->count; i++)
        if (c->ids[i] == id)
            return true;
    return false;
}

/* The kernel's name for the clock of any thread of this process. */
static inline int64_t idle_used_ns(int id)
{
    struct timespec used;
    clockid_t clock = (clockid_t)(~(unsigned)id << 3 | 6);
    if (clock_gettime(clock, &used) != 0)
        return -1;
    return (int64_t)used.tv_sec * 1000000000 + used.tv_nsec;
}

static inline uint64_t idle_switches(int id)
{
    char path[64], line[128];
    uint64_t all = 0;
    snprintf(path, sizeof path, "/proc/self/task/%d/status", id);
    FILE *file = fopen(path, "r");
    while (file != NULL && fgets(line, sizeof line, file) != NULL)
        if (strstr(line, "voluntary_ctxt_switches:") != NULL)
            all += strtoull(strchr(line, ':') + 1, NULL, 10);
    if (file != NULL)
        fclose(file);
    return all;
}

/* All threads that are not in `known`, and what each has done so far. */
static inline void crew_list(crew *c, const crew *known)
{
    DIR *folder = opendir("/proc/self/task");
    assert_non_null(folder);
    c->count = 0;
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        int id = atoi(entry->d_name);
        if (id == 0 || (known != NULL && crew_has(known, id)))
            continue;
        assert_true(c->count < IDLE_THREADS);
        c->ids[c->count] = id;
        c->used_ns[c->count] = idle_used_ns(id);
        c->switches[c->count++] = idle_switches(id);
    }
    closedir(folder);
}

static inline void *idle_nothing(void *arg)
{
    return arg;
}

/* The threads that are there now. A thread comes and goes first: some runtimes start one of their own
 * with it. */
static inline void crew_before(crew *c)
{
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, idle_nothing, NULL), 0);
    pthread_join(thread, NULL);
    crew_list(c, NULL);
}

static inline bool crew_same(const crew *a, const crew *b)
{
    return a->count == b->count && memcmp(a->ids, b->ids, a->count * sizeof a->ids[0]) == 0 &&
           memcmp(a->used_ns, b->used_ns, a->count * sizeof a->used_ns[0]) == 0 &&
           memcmp(a->switches, b->switches, a->count * sizeof a->switches[0]) == 0;
}

static inline void crew_print_change(const crew *a, const crew *b)
{
    for (unsigned i = 0; i < a->count && i < b->count; i++)
        if (a->used_ns[i] != b->used_ns[i] || a->switches[i] != b->switches[i])
            print_error("thread %d: %jd ns and %ju switches in the last span\n", b->ids[i],
                        (intmax_t)(b->used_ns[i] - a->used_ns[i]),
                        (uintmax_t)(b->switches[i] - a->switches[i]));
}

/* The threads that came after `before` do nothing for so long; at least `least` of them are there. */
static inline void assert_idle(const crew *before, unsigned least, int64_t span_ms)
{
    crew now, later;
    rest_ms(IDLE_SETTLE_MS);
    for (int i = 0; i < IDLE_SPANS; i++) {
        crew_list(&now, before);
        rest_ms(span_ms);
        crew_list(&later, before);
        if (crew_same(&now, &later)) {
            assert_true(now.count >= least);
            return;
        }
    }
    crew_print_change(&now, &later);
    fail_msg("%u threads are not at rest", later.count);
}

#endif
