/* What the engine's tests share: engines and variables that are there or the test fails, tasks
 * that a test holds still, counts that it can wait for, and an end to every hang.
 *
 *   gate      a task that stays inside its function until the test opens it
 *   tally     a number that tasks raise and that a test can wait for
 *   watchdog  ends the process, with a text and the engine's numbers, when a test takes too long
 *
 * Nothing here sleeps to put things in order: every wait is for a word that somebody changes.
 * Include this before anything else: cmocka wants its headers in one order. */
#ifndef PS_TESTS_ENGINE_FIXTURE_H
#define PS_TESTS_ENGINE_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "aside.h"
#include "base/clock.h"
#include "base/futex.h"
#include "limit.h"
#include "penstock.h"

/* Sanitizers make everything several times slower: tests that repeat do less under them. */
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
#define FIXTURE_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer) || __has_feature(address_sanitizer)
#define FIXTURE_SANITIZED 1
#endif
#endif
#ifndef FIXTURE_SANITIZED
#define FIXTURE_SANITIZED 0
#endif

/* How often a test repeats what it repeats. */
#define FIXTURE_SCALED(count) (FIXTURE_SANITIZED ? ((count) + 19) / 20 : (count))

/* cmocka's run of a whole program, ended by SIGALRM if it hangs: the one limit that needs neither
 * a thread of its own nor anybody's cooperation. */
#define FIXTURE_RUN(tests) (alarm(LIMIT_S), cmocka_run_group_tests(tests, NULL, NULL))

/* ---- calls that must succeed ------------------------------------------------------------- */

static inline void fixture_check(ps_status got, ps_status want, const char *call, const char *file,
                                 int line)
{
    if (got == want)
        return;
    print_error("%s: %s, not %s: %s\n", call, ps_status_name(got), ps_status_name(want),
                ps_last_error());
    _fail(file, line);
}

/* Fails the test with the call, both statuses and the error's text. For the test's own thread
 * only: cmocka leaves a failed test by a jump. */
#define CHECK_STATUS(call, want) fixture_check((call), (want), #call, __FILE__, __LINE__)
#define CHECK_OK(call) CHECK_STATUS(call, PS_OK)

static inline ps_engine *fixture_engine_in(unsigned workers, ps_mode mode)
{
    ps_engine *engine = NULL;
    CHECK_OK(ps_engine_create(&(ps_engine_options){.size = sizeof(ps_engine_options),
                                                   .workers = workers,
                                                   .mode = mode},
                              &engine));
    return engine;
}

static inline ps_engine *fixture_engine(unsigned workers)
{
    return fixture_engine_in(workers, PS_MODE_ASYNC);
}

static inline ps_var *fixture_var(ps_engine *engine)
{
    ps_var *var = NULL;
    CHECK_OK(ps_var_create(engine, &var));
    return var;
}

static inline ps_engine_stats fixture_stats(ps_engine *engine)
{
    ps_engine_stats stats = {.size = sizeof stats};
    CHECK_OK(ps_engine_get_stats(engine, &stats));
    return stats;
}

/* A task with at most one variable in each set: NULL for none. */
static inline ps_status fixture_push(ps_engine *engine, ps_task_fn run, void *arg, ps_var *read,
                                     ps_var *write)
{
    return ps_push(engine, &(ps_task_spec){.size = sizeof(ps_task_spec),
                                           .run = run,
                                           .arg = arg,
                                           .reads = &read,
                                           .nreads = read != NULL,
                                           .writes = &write,
                                           .nwrites = write != NULL});
}

/* Any task: PUSH(engine, .run = f, .arg = a, READS(x, y), WRITES(z)). */
#define PUSH(engine, ...)                                                                          \
    ps_push((engine), &(ps_task_spec){.size = sizeof(ps_task_spec), __VA_ARGS__})
/* clang-format off */
#define VARS(...) (ps_var *[]){__VA_ARGS__}
#define READS(...)                                                                                 \
    .reads = VARS(__VA_ARGS__), .nreads = sizeof(VARS(__VA_ARGS__)) / sizeof(ps_var *)
#define WRITES(...)                                                                                \
    .writes = VARS(__VA_ARGS__), .nwrites = sizeof(VARS(__VA_ARGS__)) / sizeof(ps_var *)
/* clang-format on */

/* Limits for a wait: a time, in milliseconds; 0 only looks. */
#define WITHIN_MS(ms)                                                                              \
    (&(ps_wait_options){.size = sizeof(ps_wait_options), .timeout_ns = (ms)*INT64_C(1000000)})
#define LOOK WITHIN_MS(0)
#define IN_TIME WITHIN_MS(PART_LIMIT_S * 1000) /* a limit that is not reached */

/* A task's function that does nothing. */
static inline ps_status fixture_nothing(ps_task *self, void *arg)
{
    (void)self;
    (void)arg;
    return PS_OK;
}

/* A task's function that fails. */
static inline ps_status fixture_failing(ps_task *self, void *arg)
{
    (void)arg;
    return ps_task_fail(self, PS_ERR_TASK, "on purpose");
}

/* Keeps the processor busy. */
static inline void fixture_spin(int64_t nanoseconds)
{
    int64_t end = ps__now_ns() + nanoseconds;
    while (ps__now_ns() < end)
        ps__pause();
}

/* ---- tally ------------------------------------------------------------------------------- */

typedef struct tally {
    ps__word count; /* atomic; sleepers of tally_wait sleep on it */
} tally;

static inline uint32_t tally_read(tally *t)
{
    return ps__load_acquire(&t->count); /* pairs with tally_add */
}

static inline void tally_add(tally *t)
{
    ps__add_acq_rel(&t->count, 1); /* pairs with tally_read */
    ps__futex_wake(&t->count, 1 << 30);
}

/* Until the count is at least `count`; false after PART_LIMIT_S. Any thread may call it. */
static inline bool tally_reaches(tally *t, uint32_t count)
{
    int64_t deadline = ps__now_ns() + PART_LIMIT_S * INT64_C(1000000000);
    uint32_t seen;
    while ((seen = tally_read(t)) < count)
        if (!ps__futex_wait(&t->count, seen, deadline))
            return tally_read(t) >= count;
    return true;
}

#define tally_wait(t, count) assert_true(tally_reaches((t), (count)))

/* A task's function: raises the tally that is its argument. */
static inline ps_status tally_task(ps_task *self, void *arg)
{
    (void)self;
    tally_add(arg);
    return PS_OK;
}

/* A task's `drop`, likewise. */
static inline void tally_drop(void *arg)
{
    tally_add(arg);
}

/* ---- gate -------------------------------------------------------------------------------- */

typedef struct gate {
    tally inside; /* tasks that have come to the gate */
    tally opened; /* 0 shut, 1 open: it never shuts again */
} gate;

static inline void gate_open(gate *g)
{
    tally_add(&g->opened);
}

/* A task's function: blocks until the gate that is its argument is open. It fails, rather than
 * to hang, when nobody opens it. */
static inline ps_status gate_task(ps_task *self, void *arg)
{
    gate *g = arg;
    tally_add(&g->inside);
    if (!tally_reaches(&g->opened, 1))
        return ps_task_fail(self, PS_ERR_TIMEOUT, "nobody opened the gate");
    return PS_OK;
}

/* Until `tasks` tasks are inside. */
#define gate_wait_inside(g, tasks) tally_wait(&(g)->inside, (tasks))

/* ---- watchdog ---------------------------------------------------------------------------- */

/* One thread per test program, started at first use; a forked child has none. */
typedef struct watchdog {
    ps__word changes;            /* atomic; the thread sleeps on it */
    _Atomic int64_t deadline_ns; /* atomic; 0: nothing is watched */
    _Atomic(ps_engine *) engine; /* atomic; whose numbers to print, or NULL */
    char text[512];              /* written before, read after `deadline_ns`: see watchdog_start */
} watchdog;

static inline watchdog *watchdog_get(void)
{
    static watchdog dog;
    return &dog;
}

static inline void watchdog_bark(watchdog *dog)
{
    ps_engine *engine = ps__load_acquire(&dog->engine); /* pairs with watchdog_start */
    fprintf(stderr, "\nwatchdog: no end after its time limit: %s\n", dog->text);
    fflush(stderr);
    ps_engine_stats s = {.size = sizeof s};
    if (engine != NULL && ps_engine_get_stats(engine, &s) == PS_OK)
        fprintf(stderr,
                "watchdog: pushed %ju executed %ju skipped %ju failed %ju unfinished %ju "
                "held back %ju helped %ju wakes %ju unseen errors %ju\n",
                (uintmax_t)s.pushed, (uintmax_t)s.executed, (uintmax_t)s.skipped,
                (uintmax_t)s.failed, (uintmax_t)s.unfinished, (uintmax_t)s.held_back,
                (uintmax_t)s.helped, (uintmax_t)s.wakes, (uintmax_t)s.unseen_errors);
    fflush(stderr);
    abort();
}

static inline void *watchdog_body(void *arg)
{
    watchdog *dog = arg;
    for (;;) {
        uint32_t changes = ps__load_acquire(&dog->changes);     /* pairs with watchdog_set */
        int64_t deadline = ps__load_acquire(&dog->deadline_ns); /* pairs with watchdog_set */
        if (ps__futex_wait(&dog->changes, changes, deadline != 0 ? deadline : -1))
            continue;
        if (ps__load_acquire(&dog->deadline_ns) == deadline) /* pairs with watchdog_set */
            watchdog_bark(dog);
    }
    return NULL;
}

static inline void watchdog_set(int64_t deadline_ns)
{
    watchdog *dog = watchdog_get();
    ps__store_release(&dog->deadline_ns, deadline_ns); /* pairs with watchdog_body */
    ps__add_acq_rel(&dog->changes, 1);                 /* pairs with watchdog_body */
    ps__futex_wake(&dog->changes, 1);
}

static inline void watchdog_spawn(void)
{
    pthread_t thread;
    if (pthread_create(&thread, NULL, watchdog_body, watchdog_get()) == 0)
        pthread_detach(thread);
}

static inline void watchdog_stop(void)
{
    watchdog_set(0);
    ps__store_release(&watchdog_get()->engine, NULL); /* pairs with watchdog_bark */
}

/* From one thread at a time. Ends the process unless watchdog_stop or the next start comes within
 * `seconds`. `engine` may be NULL and must outlive the watch. */
static inline void watchdog_start(unsigned seconds, ps_engine *engine, const char *text)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    watchdog *dog = watchdog_get();
    pthread_once(&once, watchdog_spawn);
    watchdog_set(0); /* so that nobody reads the text while it changes */
    snprintf(dog->text, sizeof dog->text, "%s", text);
    ps__store_release(&dog->engine, engine); /* pairs with watchdog_bark */
    watchdog_set(ps__now_ns() + (int64_t)seconds * 1000000000);
}

#endif
