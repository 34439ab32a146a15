/* Thousands of random programs against the serial oracle (support/program.h), for 1 to 64
 * workers and both modes, with yields injected at the engine's atomic steps.
 *
 * The seed decides all about a program but the order in which threads meet. To run one again:
 *
 *     PENSTOCK_TEST_SEED=<seed> PENSTOCK_TEST_PROGRAMS=1 test_random_programs
 *
 * and with more programs to run it and those after it. A meeting that is rare needs patience:
 * PENSTOCK_TEST_REPEAT=1000 runs each that often. */
#include "support/program.h"

static uint64_t setting(const char *name, uint64_t otherwise)
{
    const char *text = getenv(name);
    return text != NULL && *text != '\0' ? strtoull(text, NULL, 10) : otherwise;
}

/* What came up over all programs: a checker that never meets the hard cases checks nothing. */
static struct {
    uint64_t programs, crowds, tasks, executed, skipped, failed, held_back, helped, issued,
        deadlocks, timeouts;
} met;

static void count_met(program *p)
{
    met.programs++;
    met.crowds += p->workers == PROGRAM_CROWD;
    for (unsigned i = 0; i < p->ntasks; i++) {
        met.tasks += p->tasks[i].pushed;
        met.deadlocks += p->tasks[i].wait_status == PS_ERR_DEADLOCK;
    }
    for (unsigned i = 0; i < p->npushers; i++)
        for (unsigned k = 0; k < p->pushers[i].nsteps; k++)
            met.timeouts += p->pushers[i].steps[k].status == PS_ERR_TIMEOUT;
    met.executed += p->stats.executed;
    met.skipped += p->stats.skipped;
    met.failed += p->stats.failed;
    met.held_back += p->stats.held_back;
    met.helped += p->stats.helped;
    met.issued += p->stats.released_issued;
}

static void random_programs_match_the_serial_oracle(void **state)
{
    (void)state;
    uint64_t first = setting("PENSTOCK_TEST_SEED", 1);
    uint64_t count = setting("PENSTOCK_TEST_PROGRAMS", FIXTURE_SANITIZED ? 2000 : 4000);
    uint64_t repeat = setting("PENSTOCK_TEST_REPEAT", 1);
    for (uint64_t i = 0; i < count; i++)
        for (uint64_t again = 0; again < repeat; again++)
            assert_true(program_run(first + i, count_met));
    print_message("%ju programs: %ju tasks, %ju executed, %ju skipped, %ju failed, %ju held back, "
                  "%ju helped, %ju released as issued, %ju waits refused, %ju timed out\n",
                  (uintmax_t)met.programs, (uintmax_t)met.tasks, (uintmax_t)met.executed,
                  (uintmax_t)met.skipped, (uintmax_t)met.failed, (uintmax_t)met.held_back,
                  (uintmax_t)met.helped, (uintmax_t)met.issued, (uintmax_t)met.deadlocks,
                  (uintmax_t)met.timeouts);
}

static void random_programs_met_the_hard_cases(void **state)
{
    (void)state;
    if (met.programs < 500)
        skip();
    assert_true(met.crowds > 0);
    assert_true(met.skipped > 0);
    assert_true(met.failed > 0);
    assert_true(met.held_back > 0);
    assert_true(met.helped > 0);
    assert_true(met.issued > 0);
    assert_true(met.deadlocks > 0);
    assert_true(met.timeouts > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_programs_match_the_serial_oracle),
        cmocka_unit_test(random_programs_met_the_hard_cases),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
