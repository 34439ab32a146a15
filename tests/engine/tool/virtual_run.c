/* Runs a recorded program in virtual time, or in real time, and prints what it took.
 *
 *   virtual_run <program> <workers> [cores] [rounds]
 *
 * cores: virtual ones, 16 unless stated; 0 is real time. A program named "all" is each of them. */
#include "../support/recorded.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void print_row(const recorded_program *program, unsigned workers, unsigned cores,
                      unsigned rounds)
{
    recorded_times t;
    if (!recorded_run(program, workers, cores, rounds, &t)) {
        printf("%-14s failed\n", program->name);
        return;
    }
    double share = (double)t.work / (workers != 0 ? workers : 1) / 1e6;
    printf("%-14s workers %2u  makespan %8.3f ms  pushing %7.3f (least %7.3f)  work/W %7.3f  "
           "moving/W %7.3f  critical %6.3f  takes %7llu  contended %6llu  wakes %5llu  "
           "switches %llu%s\n",
           program->name, workers, (double)t.makespan / 1e6, (double)t.pushing / 1e6,
           (double)t.push_least / 1e6, share, (double)t.moving / workers / 1e6,
           (double)t.critical / 1e6, (unsigned long long)t.takes, (unsigned long long)t.contended,
           (unsigned long long)t.wakes, (unsigned long long)t.switches,
           t.in_order ? "" : "  OUT OF ORDER");
}

int main(int count, char **arguments)
{
    if (count < 3) {
        fprintf(stderr, "virtual_run <program> <workers> [cores] [rounds]\nprograms: all");
        for (size_t i = 0; i < recorded_program_count; i++)
            fprintf(stderr, " %s", recorded_programs[i].name);
        fprintf(stderr, "\n");
        return 2;
    }
    unsigned workers = (unsigned)atoi(arguments[2]);
    unsigned cores = count > 3 ? (unsigned)atoi(arguments[3]) : 16;
    unsigned rounds = count > 4 ? (unsigned)atoi(arguments[4]) : 3;
    for (size_t i = 0; i < recorded_program_count; i++)
        if (strcmp(arguments[1], "all") == 0 ||
            strcmp(arguments[1], recorded_programs[i].name) == 0)
            print_row(&recorded_programs[i], workers, cores, rounds);
    return 0;
}
