/* What the engine itself costs beside bare threads: the rows of the scaling benchmark that only a C
 * program can measure. Answers as ../common/answer.h says; the values are
 *
 *   sleep.US     percent: how many tasks that sleep US microseconds 16 workers complete in a second,
 *                of what 16 bare threads do that only sleep
 *   pair.N       ratio: small operations (x + 1 of N elements) of two threads together, each on
 *                tensors of its own, to those of one thread
 *   start.US     microseconds from the push of a dear task, on an engine that has been idle for US
 *                microseconds, until its function begins: the median
 *   idle         milliseconds of processor time that the process uses in 10 s without work
 *
 * Bare and engine take turns within a row. */
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <sys/prctl.h>
#include <sys/resource.h>

#include "../common/answer.h"
#include "../common/must.h"
#include "penstock_ops.h"

enum { SLEEPERS = 16, SLEEPS = 128 /* of each */, TURNS = 3 };

/* ---- Tasks that sleep ---------------------------------------------------------------------- */

/* Set while nothing is queued and no thread runs; pushes and thread starts order it with readers. */
static struct {
    struct timespec time;
    atomic_uint left; /* tasks that have not ended; the one that makes it 0 tells the pusher */
    sem_t all_done;
} sleeps;

/* Sleeps as exactly as the system can: the usual slack of a thread is 50 us. */
static void sleep_exactly(void)
{
    static _Thread_local bool exact;
    if (!exact)
        prctl(PR_SET_TIMERSLACK, 1UL);
    exact = true;
    clock_nanosleep(CLOCK_MONOTONIC, 0, &sleeps.time, NULL);
}

struct sleeper {
    pthread_t thread;
    pthread_barrier_t *start;
    int64_t began, ended;
};

static void *bare_thread(void *arg)
{
    struct sleeper *sleeper = arg;
    pthread_barrier_wait(sleeper->start);
    sleeper->began = now_ns();
    for (int i = 0; i < SLEEPS; i++)
        sleep_exactly();
    sleeper->ended = now_ns();
    return NULL;
}

/* From the first thread's begin to the last one's end. */
static int64_t bare_ns(void)
{
    struct sleeper sleepers[SLEEPERS];
    pthread_barrier_t start;
    int64_t began = INT64_MAX, ended = 0;
    pthread_barrier_init(&start, NULL, SLEEPERS);
    for (int i = 0; i < SLEEPERS; i++) {
        sleepers[i].start = &start;
        if (pthread_create(&sleepers[i].thread, NULL, bare_thread, &sleepers[i]) != 0)
            must(PS_ERR_THREAD);
    }
    for (int i = 0; i < SLEEPERS; i++) {
        pthread_join(sleepers[i].thread, NULL);
        began = sleepers[i].began < began ? sleepers[i].began : began;
        ended = sleepers[i].ended > ended ? sleepers[i].ended : ended;
    }
    pthread_barrier_destroy(&start);
    return ended - began;
}

static ps_status sleep_task(ps_task *self, void *arg)
{
    (void)self;
    (void)arg;
    sleep_exactly();
    if (atomic_fetch_sub_explicit(&sleeps.left, 1, memory_order_relaxed) == 1)
        sem_post(&sleeps.all_done);
    return PS_OK;
}

/* The pusher waits by itself: in a wait of the engine's it would run tasks, as a 17th thread. */
static int64_t engine_ns(ps_engine *engine)
{
    ps_task_spec spec = {.size = sizeof spec,
                         .run = sleep_task,
                         .name = "sleep",
                         .cost_ns = (uint64_t)sleeps.time.tv_nsec};
    int64_t start = now_ns();
    atomic_store_explicit(&sleeps.left, SLEEPERS * SLEEPS, memory_order_relaxed);
    for (int i = 0; i < SLEEPERS * SLEEPS; i++)
        must(ps_push(engine, &spec));
    while (sem_wait(&sleeps.all_done) != 0)
        continue;
    int64_t taken = now_ns() - start;
    must(ps_wait_all(engine, NULL));
    return taken;
}

static double measure_sleep(long microseconds)
{
    ps_engine *engine;
    double best_bare = INFINITY, best_engine = INFINITY;
    ps_engine_options options = {.size = sizeof options,
                                 .workers = SLEEPERS,
                                 .mode = PS_MODE_ASYNC};
    sleeps.time = (struct timespec){.tv_nsec = microseconds * 1000};
    sem_init(&sleeps.all_done, 0, 0);
    must(ps_engine_create(&options, &engine));
    engine_ns(engine); /* starts the workers */
    for (int i = 0; i < TURNS; i++) {
        best_bare = fmin(best_bare, (double)bare_ns());
        best_engine = fmin(best_engine, (double)engine_ns(engine));
    }
    must(ps_engine_destroy(engine));
    sem_destroy(&sleeps.all_done);
    return 100 * best_bare / best_engine;
}

/* ---- Two threads with small operations ----------------------------------------------------- */

enum { OPERATIONS = 256 /* between two looks at the clock */ };

struct caller {
    pthread_t thread;
    pthread_barrier_t *start;
    int64_t elements;
    double rate; /* operations in a nanosecond */
};

static ps_tensor *ones(int64_t elements)
{
    ps_tensor *x = NULL;
    float *values = malloc((size_t)elements * sizeof *values);
    if (values == NULL)
        must(PS_ERR_MEMORY);
    for (int64_t i = 0; i < elements; i++)
        values[i] = 1;
    must(ps_tensor_from_host(PS_FLOAT32, 1, &elements, NULL, values, NULL, &x));
    free(values);
    return x;
}

static void add_often(ps_tensor *x)
{
    for (int i = 0; i < OPERATIONS; i++) {
        ps_tensor *y = NULL;
        must(ps_add(PS_ARG(x), PS_ARG(1.0), &y));
        ps_tensor_release(y);
    }
}

static void *call_often(void *arg)
{
    struct caller *caller = arg;
    ps_tensor *x = ones(caller->elements);
    int64_t count = 0;
    add_often(x);
    pthread_barrier_wait(caller->start);
    int64_t start = now_ns(), end = start + (int64_t)(seconds * 1e9 / TURNS), now = start;
    for (; now < end; now = now_ns()) {
        add_often(x);
        count += OPERATIONS;
    }
    caller->rate = (double)count / (double)(now - start);
    ps_tensor_release(x);
    return NULL;
}

/* Of all together. */
static double call_rate(unsigned threads, int64_t elements)
{
    struct caller callers[2];
    pthread_barrier_t start;
    double rate = 0;
    pthread_barrier_init(&start, NULL, threads);
    for (unsigned i = 0; i < threads; i++) {
        callers[i] = (struct caller){.start = &start, .elements = elements};
        if (pthread_create(&callers[i].thread, NULL, call_often, &callers[i]) != 0)
            must(PS_ERR_THREAD);
    }
    for (unsigned i = 0; i < threads; i++) {
        pthread_join(callers[i].thread, NULL);
        rate += callers[i].rate;
    }
    pthread_barrier_destroy(&start);
    return rate;
}

static double measure_pair(long elements)
{
    double one = 0, two = 0;
    for (int i = 0; i < TURNS; i++) {
        one = fmax(one, call_rate(1, elements));
        two = fmax(two, call_rate(2, elements));
    }
    return two / one;
}

/* ---- An idle engine ------------------------------------------------------------------------ */

enum { STARTS = 200, DEAR_NS = 50000, BRIEF_US = 1000, IDLE_S = 10 };

/* Written by the task, read by the pusher: release and acquire. */
static _Atomic int64_t began;

static ps_status stamp_task(ps_task *self, void *arg)
{
    (void)self;
    (void)arg;
    atomic_store_explicit(&began, now_ns(), memory_order_release);
    return PS_OK;
}

/* A pause of the pusher, too; short ones would be long ones if it slept. */
static void be_idle(long microseconds)
{
    int64_t end = now_ns() + microseconds * INT64_C(1000);
    if (microseconds >= BRIEF_US)
        sleep_ns(microseconds * 1000);
    while (now_ns() < end)
        pause_briefly();
}

/* The pusher only looks at the stamp: it goes on with something else, as far as the engine knows. */
static double start_us(ps_engine *engine, long idle_us)
{
    ps_task_spec spec = {.size = sizeof spec,
                         .run = stamp_task,
                         .name = "start",
                         .cost_ns = DEAR_NS};
    be_idle(idle_us);
    atomic_store_explicit(&began, 0, memory_order_relaxed);
    int64_t start = now_ns();
    must(ps_push(engine, &spec));
    while (atomic_load_explicit(&began, memory_order_acquire) == 0)
        pause_briefly();
    int64_t found = atomic_load_explicit(&began, memory_order_relaxed);
    must(ps_wait_all(engine, NULL));
    return (double)(found - start) / 1e3;
}

static double measure_start(long idle_us)
{
    ps_engine *engine;
    double samples[STARTS];
    must(ps_engine_create(NULL, &engine));
    start_us(engine, idle_us); /* starts the workers */
    for (int i = 0; i < STARTS; i++)
        samples[i] = start_us(engine, idle_us);
    must(ps_engine_destroy(engine));
    return quantile(samples, STARTS, 0.5);
}

static double processor_ms(void)
{
    struct rusage used;
    getrusage(RUSAGE_SELF, &used);
    return (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) * 1e3 +
           (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec) / 1e3;
}

/* After work that has started the workers of the engine that all share. */
static double measure_idle(long unused)
{
    (void)unused;
    ps_engine *engine;
    must(ps_engine_default(&engine));
    for (int i = 0; i < STARTS; i++)
        start_us(engine, 0);
    sleep_ns(100000000); /* what just ended may come to rest */
    double before = processor_ms();
    sleep_ns(IDLE_S * 1000000000L);
    return processor_ms() - before;
}

/* ---- Answers ------------------------------------------------------------------------------- */

static const struct verb {
    const char *name;
    double (*measure)(long argument);
} verbs[] = {
    {"sleep", measure_sleep},
    {"pair", measure_pair},
    {"start", measure_start},
    {"idle", measure_idle},
};

static bool find_value(bool checks, const char *name, double *value)
{
    char verb[16];
    long argument = 0;
    if (checks || sscanf(name, "engine.%15[a-z].%ld", verb, &argument) < 1)
        return false;
    for (size_t i = 0; i < sizeof verbs / sizeof verbs[0]; i++) {
        if (strcmp(verbs[i].name, verb) == 0) {
            *value = verbs[i].measure(argument);
            return true;
        }
    }
    return false;
}

int main(int argc, char **argv)
{
    char about[64];
    parse_seconds(argc, argv);
    snprintf(about, sizeof about, "penstock %s, %u processors", ps_version(), processors());
    answer_lines(about, find_value);
    return 0;
}
