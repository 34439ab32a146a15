/* What an alloc and free pair costs, against the C library's malloc and aligned_alloc (to the 64
 * bytes that ours always gives) in the same run.
 *
 *   pair    one block at a time, allocated and freed by one thread; its first byte is written
 *   burst   many blocks (up to 64 MB) are allocated, then freed in the order of allocation
 *   touch   a pair whose every page is written: what a task with a temporary really pays
 *   pass    one thread allocates, another frees
 *
 * Prints nanoseconds per pair, the best of several rounds; the allocators take turns within a
 * round, so that a noisy machine hits all alike. "--json FILE" writes the rows for machines,
 * "--quick" measures a fifth. Needs nothing of the library but ps_memory_alloc and
 * ps_memory_free. */
#include "penstock.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ROUNDS = 5, RING = 256, BURST_MAX = 512, PAGE = 4096 };

typedef struct allocator {
    const char *name;
    void *(*alloc)(size_t bytes);
    void (*release)(void *block, size_t bytes);
} allocator;

static void *ours_alloc(size_t bytes)
{
    void *block;
    return ps_memory_alloc(bytes, &block) == PS_OK ? block : NULL;
}

static void *aligned(size_t bytes)
{
    return aligned_alloc(64, (bytes + 63) & ~(size_t)63);
}

static void plain_free(void *block, size_t bytes)
{
    (void)bytes;
    free(block);
}

static const allocator allocators[] = {
    {"penstock", ours_alloc, ps_memory_free},
    {"malloc", malloc, plain_free},
    {"aligned_alloc", aligned, plain_free},
};
enum { ALLOCATORS = sizeof allocators / sizeof allocators[0] };

static double now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static void out_of_memory(void)
{
    fputs("bench_memory: out of memory\n", stderr);
    exit(1);
}

/* Volatile: the compiler knows malloc and would leave the pair out. */
static void *alloc_written(const allocator *a, size_t bytes)
{
    volatile char *block = a->alloc(bytes);
    if (!block)
        out_of_memory();
    block[0] = 1;
    return (void *)block;
}

static void run_pair(const allocator *a, size_t bytes, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        a->release(alloc_written(a, bytes), bytes);
}

static void run_burst(const allocator *a, size_t bytes, unsigned count)
{
    static void *blocks[BURST_MAX];
    size_t fit = ((size_t)64 << 20) / bytes;
    unsigned burst = fit < 2 ? 2 : fit < BURST_MAX ? (unsigned)fit : BURST_MAX;
    for (unsigned done = 0; done < count; done += burst) {
        for (unsigned i = 0; i < burst; i++)
            blocks[i] = alloc_written(a, bytes);
        for (unsigned i = 0; i < burst; i++)
            a->release(blocks[i], bytes);
    }
}

static void run_touch(const allocator *a, size_t bytes, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        volatile char *block = alloc_written(a, bytes);
        for (size_t at = 0; at < bytes; at += PAGE)
            block[at] = 1;
        a->release((void *)block, bytes);
    }
}

/* A ring between the two threads of a pass. Stores release and loads acquire each other. */
static struct {
    _Alignas(64) _Atomic unsigned head; /* blocks put in */
    _Alignas(64) _Atomic unsigned tail; /* blocks taken out */
    void *slots[RING];
    const allocator *allocator;
    size_t bytes;
    unsigned count;
} ring;

static void *pass_consumer(void *arg)
{
    (void)arg;
    for (unsigned i = 0; i < ring.count; i++) {
        while (atomic_load_explicit(&ring.head, memory_order_acquire) == i)
            sched_yield();
        ring.allocator->release(ring.slots[i % RING], ring.bytes);
        atomic_store_explicit(&ring.tail, i + 1, memory_order_release);
    }
    return NULL;
}

static void run_pass(const allocator *a, size_t bytes, unsigned count)
{
    /* Large blocks: few at a time, so that memory stays small. */
    unsigned depth = bytes > (1u << 20) ? 4 : RING;
    pthread_t consumer;
    ring.allocator = a;
    ring.bytes = bytes;
    ring.count = count;
    atomic_store(&ring.head, 0);
    atomic_store(&ring.tail, 0);
    if (pthread_create(&consumer, NULL, pass_consumer, NULL) != 0)
        out_of_memory();
    for (unsigned i = 0; i < count; i++) {
        while (i - atomic_load_explicit(&ring.tail, memory_order_acquire) >= depth)
            sched_yield();
        ring.slots[i % RING] = alloc_written(a, bytes);
        atomic_store_explicit(&ring.head, i + 1, memory_order_release);
    }
    pthread_join(consumer, NULL);
}

typedef struct row {
    const char *name;
    void (*run)(const allocator *a, size_t bytes, unsigned count);
    size_t bytes;
    unsigned count;
    double target; /* ns; 0: none */
} row;

static const row rows[] = {
    {"pair 64 B", run_pair, 64, 2000000, 15},        {"pair 4 KB", run_pair, 4 << 10, 2000000, 15},
    {"pair 100 KB", run_pair, 100 << 10, 500000, 0}, {"pair 1 MB", run_pair, 1 << 20, 200000, 0},
    {"pair 64 MB", run_pair, 64 << 20, 2000, 0},     {"burst 64 B", run_burst, 64, 1000000, 0},
    {"burst 4 KB", run_burst, 4 << 10, 500000, 0},   {"burst 1 MB", run_burst, 1 << 20, 5000, 0},
    {"touch 1 MB", run_touch, 1 << 20, 2000, 0},     {"touch 64 MB", run_touch, 64 << 20, 20, 0},
    {"pass 64 B", run_pass, 64, 1000000, 0},         {"pass 4 KB", run_pass, 4 << 10, 500000, 0},
    {"pass 1 MB", run_pass, 1 << 20, 20000, 0},      {"pass 64 MB", run_pass, 64 << 20, 1000, 0},
};

static void measure(const row *r, unsigned count, double best[ALLOCATORS])
{
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < ALLOCATORS; i++) {
            if (round == 0)
                r->run(&allocators[i], r->bytes, count / 10 + 1);
            double start = now_ns();
            r->run(&allocators[i], r->bytes, count);
            double per_pair = (now_ns() - start) / count;
            if (round == 0 || per_pair < best[i])
                best[i] = per_pair;
        }
    }
}

static void write_json(FILE *json, const row *r, const double best[ALLOCATORS], const char *comma)
{
    fprintf(json, "%s{\"name\": \"memory %s\", \"unit\": \"ns\", \"ours\": %.1f, \"peers\": {",
            comma, r->name, best[0]);
    for (int i = 1; i < ALLOCATORS; i++)
        fprintf(json, "%s\"%s\": %.1f", i > 1 ? ", " : "", allocators[i].name, best[i]);
    fputs("}, \"target\": ", json);
    if (r->target > 0)
        fprintf(json, "%.1f}", r->target);
    else
        fputs("null}", json);
}

int main(int argc, char **argv)
{
    FILE *json = NULL;
    unsigned divisor = 1;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--quick") == 0)
            divisor = 5;
        else if (strcmp(argv[i], "--json") == 0 && i + 1 < argc)
            json = fopen(argv[++i], "w");
    }
    printf("%-14s %12s %12s %14s   ns per alloc and free\n", "", "penstock", "malloc",
           "aligned_alloc");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        double best[ALLOCATORS];
        measure(&rows[i], rows[i].count / divisor, best);
        printf("%-14s %12.1f %12.1f %14.1f\n", rows[i].name, best[0], best[1], best[2]);
        fflush(stdout);
        if (json)
            write_json(json, &rows[i], best, i ? ",\n " : "[");
    }
    if (json) {
        fputs("]\n", json);
        fclose(json);
    }
    return 0;
}
