/* Random training programs (support/training.h): whatever the number of workers, the mode and whether
 * operations are fused, weights, states of optimisers, gradients and losses are the same, bit by bit.
 *
 * The seed decides all about a program but the order in which threads meet. To run one again:
 *
 *     PENSTOCK_TEST_SEED=<seed> PENSTOCK_TEST_PROGRAMS=1 test_train_programs
 *
 * and with more programs to run it and those after it. PENSTOCK_TEST_REPEAT=100 runs each that often. */
#include "support/training.h"

#include "autograd_help.h"
#include "engine_help.h"
#include "support/sanitized.h"

enum {
    PARTS = 25 + 16 + 10 + 4
}; /* kinds of layers, losses, optimisers and types: all that are drawn */

static const setup plainest = {1, PS_MODE_SYNC, false, true};

static uint64_t setting(const char *name, uint64_t otherwise)
{
    const char *text = getenv(name);
    return text != NULL && *text != '\0' ? strtoull(text, NULL, 10) : otherwise;
}

static void play(const training *t, const setup *how, train_log *log)
{
    train_run r;
    setup_apply(how);
    train_start(&r, t);
    for (unsigned i = 0; i < t->nsteps; i++)
        train_step(&r);
    train_read(&r, log);
    train_end(&r);
    setup_apply(&(setup){how->workers, PS_MODE_DEFAULT, true, false});
    nothing_is_left();
}

static void report(const training *t, const setup *how, const char *text)
{
    training_print(t, stderr);
    print_error("%u workers, %s, %s, %s: %s\nagain: PENSTOCK_TEST_SEED=%ju "
                "PENSTOCK_TEST_PROGRAMS=1 test_train_programs\n",
                how->workers, how->mode == PS_MODE_SYNC ? "synchronous" : "asynchronous",
                how->fusion ? "fused" : "unfused", how->queued ? "queued" : "at once", text,
                (uintmax_t)t->seed);
    fail();
}

static void compare(const training *t, const train_log *wanted, const setup *how)
{
    static train_log log;
    char text[400];
    play(t, how, &log);
    if (!train_log_same(wanted, &log, text, sizeof text))
        report(t, how, text);
    train_log_free(&log);
}

/* How many numbers the programs came to, and how many of them were none; different things that they
 * were made of. */
static uint64_t numbers, strange;
static const char *met[200];
static unsigned nmet;

static void meet(const char *name)
{
    for (unsigned i = 0; i < nmet; i++)
        if (strcmp(met[i], name) == 0)
            return;
    met[nmet++] = name;
}

static void meet_all(const training *t)
{
    for (unsigned i = 0; i < t->nlayers; i++)
        meet(t->layers[i].kind->name);
    meet(t->loss->name);
    meet(t->optimiser->name);
    meet(ps_dtype_name(t->dtype));
}

static void run_program(uint64_t seed)
{
    static const unsigned workers[] = {1, 2, 3, 8};
    static training t;
    static train_log wanted;
    training_draw(&t, seed);
    meet_all(&t);
    play(&t, &plainest, &wanted);
    train_log_tell(&wanted, t.dtype, &numbers, &strange);
    for (int w = 0; w < 4; w++)
        for (int mode = 0; mode < 2; mode++)
            for (int fusion = 0; fusion < 2; fusion++)
                compare(&t, &wanted,
                        &(setup){workers[w], mode ? PS_MODE_SYNC : PS_MODE_ASYNC, fusion,
                                 (w + fusion) % 2 == 0});
    /* More than there are processors. */
    compare(&t, &wanted,
            &(setup){seed % 8 != 0 ? 16 : 64, PS_MODE_ASYNC, seed / 8 % 2 == 0,
                     seed / 16 % 2 == 0});
    train_log_free(&wanted);
}

static void however_they_run_programs_learn_the_same(void **state)
{
    (void)state;
    uint64_t count = setting("PENSTOCK_TEST_PROGRAMS", SANITIZED ? 50 : 250);
    uint64_t repeat = setting("PENSTOCK_TEST_REPEAT", 1), seed = setting("PENSTOCK_TEST_SEED", 1);
    for (uint64_t i = 0; i < count; i++)
        for (uint64_t again = 0; again < repeat; again++)
            run_program(seed + i);
    print_message("%ju programs of %u parts; %ju of %ju numbers are not finite\n", (uintmax_t)count,
                  nmet, (uintmax_t)strange, (uintmax_t)numbers);
    if (count < 50)
        return;
    assert_true(strange < numbers / 100); /* what is NaN does not differ */
    assert_true(SANITIZED || nmet >= PARTS);
}

int main(void)
{
    alarm(LIMIT_S);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(however_they_run_programs_learn_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
