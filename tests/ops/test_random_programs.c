/* Random programs over tensors (support/program.h): whatever the number of workers, the mode and
 * whether operations are fused, every value that is read is the same, bit by bit. And programs of
 * exact operations read the same on every instruction set.
 *
 * The seed decides all about a program but the order in which threads meet. To run one again:
 *
 *     PENSTOCK_TEST_SEED=<seed> PENSTOCK_TEST_PROGRAMS=1 test_random_programs
 *
 * and with more programs to run it and those after it. PENSTOCK_TEST_REPEAT=100 runs each that
 * often. */
#include "kernels/kernels.h" /* before help.h, which has short names of its own */

#include "engine_help.h"

#include <inttypes.h>
#include "support/program.h"
#include "support/sanitized.h"

static const setup plainest = {1, PS_MODE_SYNC, false, true};

static uint64_t setting(const char *name, uint64_t otherwise)
{
    const char *text = getenv(name);
    return text != NULL && *text != '\0' ? strtoull(text, NULL, 10) : otherwise;
}

static uint64_t first_seed(void)
{
    return setting("PENSTOCK_TEST_SEED", 1);
}

static void report(program *p, const setup *how, char *text, size_t room)
{
    program_shrink(p, &plainest, how, text, room);
    program_print(p, stderr);
    print_error(
        "%u workers, %s, %s, %s: %s\nagain: PENSTOCK_TEST_SEED=%ju PENSTOCK_TEST_PROGRAMS=1 "
        "test_random_programs\n",
        how->workers, how->mode == PS_MODE_SYNC ? "synchronous" : "asynchronous",
        how->fusion ? "fused" : "unfused", how->queued ? "queued" : "at once", text,
        (uintmax_t)p->seed);
    fail();
}

/* ---- every way to run -------------------------------------------------------------------- */

static void compare(program *p, const program_log *wanted, const setup *how)
{
    program_log log;
    char text[320];
    program_play(p, how, &log);
    bool same = program_log_same(wanted, &log, text, sizeof text);
    program_log_free(&log);
    if (!same)
        report(p, how, text, sizeof text);
}

static void run_program(uint64_t seed)
{
    static const unsigned workers[] = {1, 2, 3, 8};
    static program p;
    program_log wanted;
    program_generate(&p, seed, false);
    program_play(&p, &plainest, &wanted);
    for (int w = 0; w < 4; w++)
        for (int mode = 0; mode < 2; mode++)
            for (int fusion = 0; fusion < 2; fusion++)
                compare(&p, &wanted,
                        &(setup){workers[w], mode ? PS_MODE_SYNC : PS_MODE_ASYNC, fusion,
                                 (w + fusion) % 2 == 0});
    /* More than there are processors. */
    compare(&p, &wanted,
            &(setup){seed % 8 != 0 ? 16 : 64, PS_MODE_ASYNC, seed / 8 % 2 == 0,
                     seed / 16 % 2 == 0});
    program_log_free(&wanted);
    program_discard(&p);
}

static void however_they_run_programs_read_the_same(void **state)
{
    (void)state;
    uint64_t count = setting("PENSTOCK_TEST_PROGRAMS", SANITIZED ? 50 : 250);
    uint64_t repeat = setting("PENSTOCK_TEST_REPEAT", 1);
    ps_engine_stats before = stats();
    for (uint64_t i = 0; i < count; i++)
        for (uint64_t again = 0; again < repeat; again++)
            run_program(first_seed() + i);
    ps_engine_stats after = stats();
    uintmax_t executed = after.executed - before.executed, groups = after.groups - before.groups;
    print_message("%ju programs: %ju operations, %ju groups\n", (uintmax_t)count, executed, groups);
    if (count >= 50) /* a checker that never meets a group checks nothing */
        assert_true(groups > count);
}

static void nothing_is_left_in_memory(void **state)
{
    (void)state;
    ps_engine *engine;
    ps_memory_stats memory = {.size = sizeof memory};
    CHECK_OK(ps_engine_default(&engine));
    CHECK_OK(ps_wait_all(engine, NULL));
    CHECK_OK(ps_memory_get_stats(&memory));
    if (memory.live > 1 << 20)
        fail_msg("%ju bytes are live", (uintmax_t)memory.live);
}

/* ---- instruction sets -------------------------------------------------------------------- */

static uint64_t exact_count(void)
{
    return setting("PENSTOCK_TEST_PROGRAMS", SANITIZED ? 30 : 200);
}

static int print_hashes(void)
{
    static program p;
    for (uint64_t i = 0; i < exact_count(); i++) {
        program_log log;
        program_generate(&p, first_seed() + i, true);
        program_play(&p, &(setup){2, PS_MODE_ASYNC, true, false}, &log);
        printf("%016jx\n", (uintmax_t)program_log_hash(&log));
        program_log_free(&log);
        program_discard(&p);
    }
    return 0;
}

/* What a run of this program with that instruction set prints. */
static void hashes_of(const char *set, uint64_t *hashes)
{
    char self[4096], command[4300];
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    assert_true(length > 0);
    self[length] = '\0';
    snprintf(command, sizeof command, "PENSTOCK_ISA=%s '%s' hashes", set, self);
    FILE *pipe = popen(command, "r");
    assert_non_null(pipe);
    for (uint64_t i = 0; i < exact_count(); i++)
        assert_int_equal(fscanf(pipe, "%" SCNx64, &hashes[i]), 1);
    assert_int_equal(pclose(pipe), 0);
}

static void on_every_instruction_set_exact_programs_read_the_same(void **state)
{
    (void)state;
    static const char *const sets[] = {"avx2", "avx512"};
    uint64_t count = exact_count(), *wanted = calloc(count, 8), *got = calloc(count, 8);
    hashes_of("ref", wanted);
    for (int s = 0; s < 2; s++) {
        if (ps__kernels_find(sets[s]) == NULL)
            continue;
        hashes_of(sets[s], got);
        for (uint64_t i = 0; i < count; i++)
            if (wanted[i] != got[i])
                fail_msg("seed %ju: %s and ref differ; to see where, compare what "
                         "PENSTOCK_TEST_SEED=%ju PENSTOCK_ISA=... test_random_programs dump prints",
                         (uintmax_t)(first_seed() + i), sets[s], (uintmax_t)(first_seed() + i));
    }
    free(wanted);
    free(got);
}

/* The program of the seed and what each of its reads gives, as text: for looking at a difference
 * between instruction sets. */
static int dump(void)
{
    static program p;
    program_log log;
    program_generate(&p, first_seed(), true);
    program_print(&p, stdout);
    for (unsigned i = 0; i < p.nsteps; i++) { /* all that is ever made is read */
        program part = p;
        part.nsteps = i + 1;
        program_play(&part, &plainest, &log);
        printf("%u: %016jx\n", i, (uintmax_t)program_log_hash(&log));
        program_log_free(&log);
    }
    program_discard(&p);
    return 0;
}

int main(int count, char **arguments)
{
    if (count > 1 && strcmp(arguments[1], "hashes") == 0)
        return print_hashes();
    if (count > 1 && strcmp(arguments[1], "dump") == 0)
        return dump();
    alarm(LIMIT_S);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(however_they_run_programs_read_the_same),
        cmocka_unit_test(nothing_is_left_in_memory),
        cmocka_unit_test(on_every_instruction_set_exact_programs_read_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
