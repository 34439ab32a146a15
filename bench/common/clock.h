/* Time, processors and samples, for the programs in C and C++ of all benchmarks. */
#ifndef BENCH_CLOCK_H
#define BENCH_CLOCK_H

#include <sched.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

static inline int64_t now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static inline void sleep_ns(long nanoseconds)
{
    struct timespec t;
    t.tv_sec = nanoseconds / 1000000000;
    t.tv_nsec = nanoseconds % 1000000000;
    nanosleep(&t, NULL);
}

static inline void pause_briefly(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

static inline unsigned processors(void)
{
    cpu_set_t set;
    return sched_getaffinity(0, sizeof set, &set) == 0 ? (unsigned)CPU_COUNT(&set) : 1;
}

static inline int compare_numbers(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The value below which `fraction` of the samples lie. Sorts them. */
static inline double quantile(double *samples, size_t count, double fraction)
{
    qsort(samples, count, sizeof *samples, compare_numbers);
    size_t at = (size_t)(fraction * (double)count);
    return samples[at < count ? at : count - 1];
}

#endif
