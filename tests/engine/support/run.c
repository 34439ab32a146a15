/* One program from its seed to the judgement. */
#include "program.h"

static void discard(program *p)
{
    for (unsigned i = 0; i < p->npushers; i++)
        for (unsigned k = 0; k < p->pushers[i].nsteps; k++)
            free(p->pushers[i].steps[k].loop);
    pthread_mutex_destroy(&p->lock);
    free(p);
}

static void report(program *p)
{
    char text[512];
    program_print(p, stderr);
    program_describe(p, text, sizeof text);
    fprintf(stderr,
            "%s\n%s\nagain: PENSTOCK_TEST_SEED=%ju PENSTOCK_TEST_PROGRAMS=1 "
            "test_random_programs\n",
            text, p->complaint, (uintmax_t)p->seed);
    fflush(stderr);
}

bool program_run(uint64_t seed, void (*look)(program *p))
{
    program *p = malloc(sizeof *p);
    program_generate(p, seed);
    program_execute(p);
    program_judge(p);
    bool right = !program_complained(p);
    if (!right)
        report(p);
    if (look != NULL)
        look(p);
    discard(p);
    return right;
}
