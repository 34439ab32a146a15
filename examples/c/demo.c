/* What the engine does, shown in numbers.
 *
 *   1. Queueing costs next to nothing; tasks on different variables run side by side, tasks on the
 *      same one in order.
 *   2. Waiting for one result does not wait for the others.
 *   3. A failure surfaces where its result is asked for, with the place that queued it.
 *   4. A program that never waits does not fill the memory. */
#include <penstock.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static void check(ps_status status)
{
    if (status == PS_OK)
        return;
    fprintf(stderr, "%s: %s\n", ps_status_name(status), ps_last_error());
    exit(1);
}

static double milliseconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

/* ---- Work: a sum that takes a few milliseconds ------------------------------------------ */

enum { STEPS = 2000000 };

typedef struct cell {
    double value;
} cell;

static ps_status grind(ps_task *self, void *arg)
{
    (void)self;
    cell *at = arg;
    double x = at->value;
    for (int i = 0; i < STEPS; i++)
        x = x * 0.999999 + 1e-6;
    at->value = x;
    return PS_OK;
}

static ps_status divide(ps_task *self, void *arg)
{
    cell *at = arg;
    if (at->value == 0)
        return ps_task_fail(self, PS_ERR_TASK, "division by zero");
    at->value = 1 / at->value;
    return PS_OK;
}

static void push(ps_engine *engine, ps_task_fn run, cell *at, ps_var *var, uint64_t location)
{
    check(ps_push(engine, &(ps_task_spec){.size = sizeof(ps_task_spec),
                                          .run = run,
                                          .arg = at,
                                          .reads = &var,
                                          .nreads = 1,
                                          .writes = &var,
                                          .nwrites = 1,
                                          .name = run == divide ? "divide" : "grind",
                                          .location = location,
                                          .cost_ns = 4000000}));
}

/* ---- The parts -------------------------------------------------------------------------- */

enum { CELLS = 8, ROUNDS = 6 };

static double queue_rounds(ps_engine *engine, cell *cells, ps_var **vars)
{
    double begin = milliseconds();
    for (int round = 0; round < ROUNDS; round++)
        for (int i = 0; i < CELLS; i++)
            push(engine, grind, &cells[i], vars[i], PS_HERE);
    return milliseconds() - begin;
}

static void show_asynchrony(ps_engine *engine, cell *cells, ps_var **vars)
{
    printf("1. %d tasks on %d variables, each task reads and writes one of them\n", CELLS * ROUNDS,
           CELLS);
    check(ps_thread_set_mode(PS_MODE_SYNC));
    double alone = queue_rounds(engine, cells, vars);
    check(ps_thread_set_mode(PS_MODE_DEFAULT));
    double begin = milliseconds();
    double queued = queue_rounds(engine, cells, vars);
    check(ps_wait_all(engine, NULL));
    double done = milliseconds() - begin;
    unsigned workers = 0;
    check(ps_engine_workers(engine, &workers));
    printf("   one after the other     %8.2f ms\n", alone);
    printf("   queued                  %8.2f ms\n", queued);
    printf("   done, %2u workers        %8.2f ms   (%.2f times as fast)\n\n", workers, done,
           alone / done);
}

static void show_waiting(ps_engine *engine, cell *cells, ps_var **vars)
{
    printf("2. waiting for one of %d results, then for all\n", CELLS);
    double begin = milliseconds();
    for (int i = 0; i < CELLS; i++)
        push(engine, grind, &cells[i], vars[i], PS_HERE);
    check(ps_wait_read(vars[0], NULL));
    double first = milliseconds() - begin;
    check(ps_wait_all(engine, NULL));
    printf("   the first is there after %7.2f ms\n", first);
    printf("   all are there after      %7.2f ms\n\n", milliseconds() - begin);
}

static void show_errors(ps_engine *engine, cell *cells, ps_var **vars)
{
    printf("3. a failure among other work\n");
    cells[1].value = 0;
    push(engine, divide, &cells[0], vars[0], PS_HERE);
    push(engine, divide, &cells[1], vars[1], PS_HERE);
    push(engine, grind, &cells[1], vars[1], PS_HERE); /* needs the one that fails */
    check(ps_wait_read(vars[0], NULL));
    printf("   variable 0 is fine: 1/x = %.3f\n", cells[0].value);
    if (ps_wait_read(vars[1], NULL) != PS_OK) {
        ps_error_info info = {.size = sizeof info};
        check(ps_last_error_info(&info));
        printf("   variable 1: %s\n\n", info.text);
    }
}

/* ---- Memory ----------------------------------------------------------------------------- */

enum { BLOCK = 1 << 20, BLOCKS = 20000 };

static ps_status allocate(ps_task *self, void *arg)
{
    (void)self;
    void **block = arg;
    ps_status status = ps_memory_alloc(BLOCK, block);
    if (status == PS_OK)
        memset(*block, 1, BLOCK);
    return status;
}

static void give_back(void *arg)
{
    void **block = arg;
    ps_memory_free(*block, *block != NULL ? BLOCK : 0);
    free(block);
}

static void show_memory(ps_engine *engine)
{
    printf("4. %d tasks that allocate, fill and drop 1 MB each, never waited for\n", BLOCKS);
    ps_memory_reset_peak();
    double begin = milliseconds();
    for (int i = 0; i < BLOCKS; i++) {
        void **block = calloc(1, sizeof *block);
        if (block == NULL)
            exit(1);
        check(ps_push(engine, &(ps_task_spec){.size = sizeof(ps_task_spec),
                                              .run = allocate,
                                              .arg = block,
                                              .drop = give_back,
                                              .name = "allocate",
                                              .cost_ns = 50000,
                                              .bytes = BLOCK}));
    }
    check(ps_wait_all(engine, NULL));
    double seconds = (milliseconds() - begin) / 1e3;
    ps_memory_stats memory = {.size = sizeof memory};
    ps_engine_stats engine_stats = {.size = sizeof engine_stats};
    check(ps_memory_get_stats(&memory));
    check(ps_engine_get_stats(engine, &engine_stats));
    printf("   %.1f GB passed through in %.2f s; the most at any time: %.0f MB\n",
           (double)BLOCKS * BLOCK / 1e9, seconds, (double)memory.peak / 1e6);
    printf("   the program was held back %llu times and helped with %llu tasks\n",
           (unsigned long long)engine_stats.held_back, (unsigned long long)engine_stats.helped);
}

int main(void)
{
    ps_engine *engine;
    check(ps_engine_default(&engine));
    cell cells[CELLS];
    ps_var *vars[CELLS];
    for (int i = 0; i < CELLS; i++) {
        cells[i].value = i + 1;
        check(ps_var_create(engine, &vars[i]));
    }
    printf("penstock %s\n\n", ps_version());
    show_asynchrony(engine, cells, vars);
    show_waiting(engine, cells, vars);
    show_errors(engine, cells, vars);
    show_memory(engine);
    for (int i = 0; i < CELLS; i++)
        ps_var_release(vars[i]);
    return 0;
}
