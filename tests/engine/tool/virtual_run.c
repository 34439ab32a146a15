/* Runs a recorded program in virtual or in real time, and prints what it took.
 *
 *   virtual_run <program>|all <workers> [name=value ...]
 *
 * The names: cores (virtual ones; 16 unless stated, 0 is real time), rounds, step_ns, steps,
 * grouped_pct, and all costs of virtual_costs.h. */
#include "../support/recorded.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static ps__virtual_costs costs;
static recorded_setting setting = {.cores = 16, .rounds = 3, .costs = &costs};
static int64_t step_ns, steps, grouped_pct = -1;

/* clang-format off */
#define COST(name) {#name, &costs.name}
static const struct {
    const char *name;
    int64_t *value;
} names[] = {
    COST(push), COST(push_locked), COST(wait),
    COST(lock), COST(lock_moved), COST(lock_handed), COST(lock_crowd),
    COST(record), COST(record_moved), COST(run), COST(run_moved),
    COST(wake), COST(wake_nobody), COST(wake_shallow), COST(wake_deep), COST(shallow),
    COST(timer), COST(sleep), COST(pause), COST(clock), COST(start), COST(start_until),
    COST(slice), COST(byte_moved_ps),
    {"step_ns", &step_ns}, {"steps", &steps}, {"grouped_pct", &grouped_pct},
};
/* clang-format on */

static bool set(const char *text)
{
    const char *equals = strchr(text, '=');
    if (equals == NULL)
        return false;
    size_t length = (size_t)(equals - text);
    long long value = atoll(equals + 1);
    if (strncmp(text, "cores=", length + 1) == 0)
        return setting.cores = (unsigned)value, true;
    if (strncmp(text, "rounds=", length + 1) == 0)
        return setting.rounds = (unsigned)value, true;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strlen(names[i].name) == length && strncmp(names[i].name, text, length) == 0)
            return *names[i].value = value, true;
    return false;
}

static void print_run(const recorded_program *recorded)
{
    recorded_program program = *recorded;
    if (step_ns != 0)
        program.step_ns = step_ns;
    if (steps != 0)
        program.steps = (uint32_t)steps;
    if (grouped_pct >= 0)
        program.grouped_pct = (uint32_t)grouped_pct;
    recorded_times t;
    if (!recorded_run(&program, &setting, &t)) {
        printf("%-14s failed\n", program.name);
        return;
    }
    double workers = setting.workers;
    printf("%-14s workers %2u  makespan %8.3f ms  pushing %7.3f (least %7.3f)  work/W %7.3f  "
           "moving/W %7.3f  critical %6.3f  takes %7ju  contended %6ju  wakes %5ju  "
           "held back %ju  helped %ju  groups %ju  pusher slept %.3f  spun %.3f  switches %ju%s\n",
           program.name, setting.workers, (double)t.makespan / 1e6, (double)t.pushing / 1e6,
           (double)t.push_least / 1e6, (double)t.work / workers / 1e6,
           (double)t.moving / workers / 1e6, (double)t.critical / 1e6, (uintmax_t)t.takes,
           (uintmax_t)t.contended, (uintmax_t)t.wakes, (uintmax_t)t.held_back, (uintmax_t)t.helped,
           (uintmax_t)t.groups, (double)t.slept / 1e6, (double)t.spun / 1e6, (uintmax_t)t.switches,
           t.in_order ? "" : "  OUT OF ORDER");
}

static int usage(void)
{
    fprintf(stderr, "virtual_run <program>|all <workers> [name=value ...]\nprograms:");
    for (size_t i = 0; i < recorded_program_count; i++)
        fprintf(stderr, " %s", recorded_programs[i].name);
    fprintf(stderr, "\nnames: cores rounds");
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        fprintf(stderr, " %s", names[i].name);
    fprintf(stderr, "\n");
    return 2;
}

int main(int count, char **arguments)
{
    costs = ps__virtual_measured;
    if (count < 3 || (setting.workers = (unsigned)atoi(arguments[2])) == 0)
        return usage();
    for (int i = 3; i < count; i++)
        if (!set(arguments[i]))
            return usage();
    bool all = strcmp(arguments[1], "all") == 0;
    if (!all && recorded_find(arguments[1]) == NULL)
        return usage();
    for (size_t i = 0; i < recorded_program_count; i++)
        if (all || strcmp(arguments[1], recorded_programs[i].name) == 0)
            print_run(&recorded_programs[i]);
    return 0;
}
