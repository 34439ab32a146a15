/* How near recorded programs come to the least that they can take on many cores: the time of their
 * pushes, their work shared by all workers, or their longest chain, whichever is most. And how often
 * they take the engine's lock.
 *
 * Virtual time repeats exactly, so the limits can be near: the aim is 125 % of the least. A limit above
 * that is what the scheduler needs at present. Whoever makes it better lowers it. */
#include "fixture.h"

#include "support/recorded.h"

typedef struct row {
    const char *program;
    unsigned workers;
    unsigned percent; /* of the least, at most */
    unsigned takes;   /* of the lock, for 100 steps, at most */
} row;

static const row rows[] = {
    /* clang-format off */
    {"chains-2000",   16, 125,   1}, {"chains-2000",   64, 125,   1},
    {"chains-20000",  16, 125, 103}, {"chains-20000",  64, 125, 103},
    {"chains-100000", 16, 225, 118}, {"chains-100000", 64, 175, 110}, /* at present: data moves */
    {"products-64",   16, 115, 102}, {"products-64",   64, 115, 102},
    {"products-200",  16, 120, 215}, {"products-200",  64, 155, 185}, /* the second at present */
    {"adds-queued",   16, 180, 122}, {"adds-queued",   64, 180, 122}, /* at present */
    {"adds-waited",   16, 125, 310}, {"adds-waited",   64, 125, 310},
    /* clang-format on */
};

static int64_t least_of(const recorded_times *times, unsigned workers)
{
    int64_t least = times->work / workers;
    if (least < times->push_least)
        least = times->push_least;
    return least < times->critical ? times->critical : least;
}

static bool holds(const row *at)
{
    const recorded_program *program = recorded_find(at->program);
    recorded_setting setting = {.workers = at->workers, .cores = at->workers, .rounds = 3};
    recorded_times times;
    assert_non_null(program);
    assert_true(recorded_run(program, &setting, &times));
    uint64_t steps = (uint64_t)program->chains * program->steps;
    uint64_t percent = (uint64_t)(100 * times.makespan / least_of(&times, at->workers));
    uint64_t takes = 100 * times.takes / steps;
    if (percent <= at->percent && takes <= at->takes)
        return true;
    print_error("%s, %u workers: %ju %% of the least, at most %u; %ju takes for 100 steps, at "
                "most %u\n",
                at->program, at->workers, (uintmax_t)percent, at->percent, (uintmax_t)takes,
                at->takes);
    return false;
}

static void every_row_holds(void **state)
{
    (void)state;
    bool all = true;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        all &= holds(&rows[i]);
    assert_true(all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_row_holds)};
    return FIXTURE_RUN(tests);
}
