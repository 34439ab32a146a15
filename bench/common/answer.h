/* Answering questions: the other end of program.py, for programs in C and C++.
 *
 *   about        about <what it is>
 *   check ROW    ROW <digest of the result>
 *   time ROW     ROW <value>
 *
 * or "ROW -" where there is no such thing. What fails is said on standard error and ends the
 * program: it is started again for the next row. */
#ifndef BENCH_ANSWER_H
#define BENCH_ANSWER_H

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"

enum { SAMPLES_MIN = 3, SAMPLE_NS = 200000 };

/* What --seconds gives a row. */
static double seconds = 0.2;

static inline void parse_seconds(int argc, char **argv)
{
    if (argc == 3 && strcmp(argv[1], "--seconds") == 0)
        seconds = atof(argv[2]);
}

static inline int64_t time_runs(void (*run)(const void *), const void *row, int64_t runs)
{
    int64_t start = now_ns();
    for (int64_t i = 0; i < runs; i++)
        run(row);
    return now_ns() - start;
}

/* Nanoseconds of one run: the best sample. A sample is as many runs as make the clock's cost
 * negligible; the runs that find out how many also warm up. */
static inline double best_run_ns(void (*run)(const void *), const void *row)
{
    int64_t runs = 1;
    double best = INFINITY;
    run(row);
    while (time_runs(run, row, runs) < SAMPLE_NS)
        runs *= 2;
    int64_t end = now_ns() + (int64_t)(seconds * 1e9);
    for (int i = 0; i < SAMPLES_MIN || now_ns() < end; i++)
        best = fmin(best, (double)time_runs(run, row, runs) / (double)runs);
    return best;
}

/* Answers each line of standard input. `find_value` is false if there is no such row, or nothing to
 * check. */
static inline void answer_lines(const char *about,
                                bool (*find_value)(bool checks, const char *row, double *value))
{
    char line[256], command[16], row[128];
    double value;
    while (fgets(line, sizeof line, stdin) != NULL) {
        if (sscanf(line, "%15s %127s", command, row) != 2)
            printf("about %s\n", about);
        else if (find_value(strcmp(command, "check") == 0, row, &value))
            printf("%s %.9g\n", row, value);
        else
            printf("%s -\n", row);
        fflush(stdout);
    }
}

#endif
