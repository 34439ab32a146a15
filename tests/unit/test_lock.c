/* The short lock: one holder at a time, nobody left asleep, with and without random yields at
 * every atomic step. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include "aside.h"
#include "base/lock.h"
#include "limit.h"

enum { THREADS = 4 };

static void a_taken_lock_is_not_taken_again(void **state)
{
    (void)state;
    ps__lock lock = {0};
    assert_true(ps__lock_try(&lock));
    assert_false(ps__lock_try(&lock));
    ps__unlock(&lock);
    ps__lock_take(&lock);
    assert_false(ps__lock_try(&lock));
    ps__unlock(&lock);
    assert_true(ps__lock_try(&lock));
    ps__unlock(&lock);
}

struct shared {
    ps__lock lock;
    uint64_t sum;     /* guarded by lock */
    unsigned holders; /* guarded by lock */
    unsigned clashes; /* guarded by lock */
    unsigned rounds;
    bool linger; /* stay long enough that the others go to sleep */
};

static void *contend(void *arg)
{
    struct shared *shared = arg;
    for (unsigned i = 0; i < shared->rounds; i++) {
        ps__lock_take(&shared->lock);
        shared->clashes += shared->holders++ != 0;
        if (shared->linger)
            step_aside();
        shared->sum++;
        shared->holders--;
        ps__unlock(&shared->lock);
    }
    return NULL;
}

static void run_contention(unsigned rounds, bool linger)
{
    struct shared shared = {.rounds = rounds, .linger = linger};
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, contend, &shared), 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    assert_int_equal(shared.clashes, 0);
    assert_int_equal(shared.sum, (uint64_t)THREADS * rounds);
    assert_int_equal(shared.lock.state, 0);
}

static void short_sections(void **state)
{
    (void)state;
    run_contention(50000, false);
}

static void long_sections_put_others_to_sleep(void **state)
{
    (void)state;
    run_contention(2000, true);
}

#ifdef PENSTOCK_TESTING

static void with_random_yields(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 3; seed++) {
        ps__step_configure(5, seed);
        run_contention(1500, seed == 2);
    }
    ps__step_configure(0, 0);
}

/* Signals interrupt naps, and an interrupted nap sets errno. */
struct pest {
    pthread_t victim;
    _Atomic bool enough;
};

static void ignore_signal(int number)
{
    (void)number;
}

static void *pester(void *arg)
{
    struct pest *pest = arg;
    while (!atomic_load(&pest->enough)) {
        pthread_kill(pest->victim, SIGUSR1);
        step_aside();
    }
    return NULL;
}

static void a_step_keeps_errno(void **state)
{
    (void)state;
    struct pest pest = {.victim = pthread_self()};
    struct sigaction handler = {.sa_handler = ignore_signal}, before;
    pthread_t thread;
    int changed = 0;
    assert_int_equal(sigaction(SIGUSR1, &handler, &before), 0);
    assert_int_equal(pthread_create(&thread, NULL, pester, &pest), 0);
    ps__step_configure(1, 7);
    for (int i = 1000; i < 4000; i++) {
        errno = i;
        ps__step();
        changed += errno != i;
    }
    ps__step_configure(0, 0);
    atomic_store(&pest.enough, true);
    pthread_join(thread, NULL);
    sigaction(SIGUSR1, &before, NULL);
    assert_int_equal(changed, 0);
}

#endif

int main(void)
{
    alarm(LIMIT_S);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_taken_lock_is_not_taken_again),
        cmocka_unit_test(short_sections),
        cmocka_unit_test(long_sections_put_others_to_sleep),
#ifdef PENSTOCK_TESTING
        cmocka_unit_test(with_random_yields),
        cmocka_unit_test(a_step_keeps_errno),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
