/* Forks in the middle of training programs (support/training.h), with steps queued, before a step or
 * between a loss and its walk: parent and child both come to the bits that the program comes to without
 * a fork. And forks beside threads that train. */
#include "engine/process.h"

#undef CHECK_OK
#include "support/training.h"

enum { PROGRAMS = FIXTURE_SANITIZED ? 60 : 250, THREADS = 2, FORKS = FIXTURE_SANITIZED ? 5 : 30 };

/* Where a program forks: before the step with that number, or behind its loss. */
typedef struct place {
    unsigned step;
    bool before_walk;
} place;

static place chosen;
static pid_t child; /* 0 in the child; -1 before the fork */

static void fork_here(void)
{
    child = fork_flushed();
    if (child == 0)
        child_begin();
}

/* At the first batch of the step. */
static void fork_before_walk(train_run *r)
{
    if (r->step == chosen.step && child == -1)
        fork_here();
}

static void play(const training *t, bool forks, train_log *log)
{
    train_run r;
    child = -1;
    train_start(&r, t);
    if (forks && chosen.before_walk)
        r.before_walk = fork_before_walk;
    for (unsigned i = 0; i < t->nsteps; i++) {
        if (forks && !chosen.before_walk && i == chosen.step)
            fork_here();
        train_step(&r);
    }
    train_read(&r, log);
    train_end(&r);
}

/* Where it goes on: here, or in the child, which ends. */
static void check_same(const training *t, const train_log *wanted, const train_log *log)
{
    char text[400];
    bool same = train_log_same(wanted, log, text, sizeof text);
    if (!same) {
        training_print(t, stderr);
        fprintf(stderr, "%s, forked %s step %u: %s\n", child == 0 ? "child" : "parent",
                chosen.before_walk ? "before the walk of" : "before", chosen.step, text);
    }
    if (child == 0)
        _exit(same ? 0 : CHILD_FAILED);
    assert_true(same);
    assert_int_equal(child_result(child), 0);
}

static void check_program(uint64_t seed)
{
    static training t;
    static train_log wanted, log;
    training_draw(&t, seed);
    play(&t, false, &wanted);
    chosen = (place){(unsigned)(seed / 2 % t.nsteps), seed % 2 != 0};
    play(&t, true, &log);
    check_same(&t, &wanted, &log);
    train_log_free(&wanted);
    train_log_free(&log);
}

static void both_come_to_the_same(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= PROGRAMS; seed++)
        check_program(seed);
}

/* ---- beside threads ------------------------------------------------------------------------- */

typedef struct trainer {
    const training *t;
    const train_log *wanted;
    tally *stop, *failed;
    pthread_t thread;
} trainer;

static bool learns_the_same(const training *t, const train_log *wanted)
{
    train_log *log = calloc(1, sizeof *log);
    train_run r;
    char text[400];
    train_start(&r, t);
    for (unsigned i = 0; i < t->nsteps; i++)
        train_step(&r);
    train_read(&r, log);
    train_end(&r);
    bool same = train_log_same(wanted, log, text, sizeof text);
    if (!same)
        fprintf(stderr, "seed %ju: %s\n", (uintmax_t)t->seed, text);
    train_log_free(log);
    free(log);
    return same;
}

static void *keep_training(void *arg)
{
    trainer *a = arg;
    while (tally_read(a->stop) == 0)
        if (!learns_the_same(a->t, a->wanted))
            tally_add(a->failed);
    return NULL;
}

static void fork_beside(const training *t, const train_log *wanted)
{
    for (int i = 0; i < FORKS; i++) {
        pid_t one = fork_flushed();
        if (one == 0) {
            child_begin();
            CHILD_CHECK(learns_the_same(t, wanted));
            _exit(0);
        }
        assert_int_equal(child_result(one), 0);
    }
}

static void beside_threads_that_train(void **state)
{
    (void)state;
#ifdef FORK_BESIDE_PUSHERS_IS_UNSAFE
    print_message("skipped: " FORK_BESIDE_PUSHERS_IS_UNSAFE "\n");
    skip();
#endif
    static training t[THREADS];
    static train_log wanted[THREADS];
    tally stop = {0}, failed = {0};
    trainer trainers[THREADS];
    for (unsigned i = 0; i < THREADS; i++) {
        training_draw(&t[i], 11 + i);
        play(&t[i], false, &wanted[i]);
        trainers[i] = (trainer){&t[i], &wanted[i], &stop, &failed, 0};
        assert_int_equal(pthread_create(&trainers[i].thread, NULL, keep_training, &trainers[i]), 0);
    }
    fork_beside(&t[0], &wanted[0]);
    tally_add(&stop);
    for (unsigned i = 0; i < THREADS; i++) {
        pthread_join(trainers[i].thread, NULL);
        train_log_free(&wanted[i]);
    }
    assert_int_equal(tally_read(&failed), 0);
}

int main(void)
{
#ifdef FORK_IS_UNSAFE
    print_message("skipped: " FORK_IS_UNSAFE "\n");
    return 0;
#endif
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_come_to_the_same),
        cmocka_unit_test(beside_threads_that_train),
    };
    return FIXTURE_RUN(tests);
}
