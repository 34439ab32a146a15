/* Virtual time by itself: clocks, sleeps, locks and cores. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "base/lock.h"
#include "limit.h"

#define COSTS ps__virtual_measured

/* What a thread of a test does, and when, as it sees it, it had done so. All under the baton. */
typedef struct actor {
    ps__lock *lock;
    ps__word *word;
    int64_t first, held;
    int64_t began, ended;
    bool woken;
} actor;

static void start(void *(*body)(void *), actor *arg)
{
    assert_true(ps__thread_start(body, arg, "actor"));
}

/* ---- clocks ------------------------------------------------------------------------------ */

static void a_clock_moves_by_what_is_charged(void **state)
{
    (void)state;
    ps__virtual_begin(1, NULL);
    int64_t before = ps__now_ns();
    ps__virtual_charge(1000000000);
    assert_int_equal(ps__now_ns() - before, 1000000000 + COSTS.clock);
    for (int i = 0; i < 10; i++)
        ps__pause();
    assert_int_equal(ps__now_ns() - before, 1000000000 + 2 * COSTS.clock + 10 * COSTS.pause);
    ps__virtual_end();
}

static void a_sleep_ends_at_its_deadline(void **state)
{
    (void)state;
    ps__word word = 0;
    ps__virtual_begin(1, NULL);
    int64_t now = ps__now_ns();
    assert_true(ps__futex_wait(&word, 1, -1)); /* it is not 1 */
    assert_false(ps__futex_wait(&word, 0, now + 5000000));
    assert_int_equal(ps__virtual_time(), now + 5000000 + COSTS.timer);
    assert_false(ps__futex_wait(&word, 0, now)); /* it has passed */
    assert_int_equal(ps__virtual_counted().sleeps, 1);
    ps__virtual_end();
}

static void *sleep_on_word(void *arg)
{
    actor *self = arg;
    self->began = ps__virtual_time();
    self->woken = ps__futex_wait(self->word, 0, -1);
    self->ended = ps__virtual_time();
    return NULL;
}

/* Wakes a thread that has slept for `slept`; how long it took to run. */
static int64_t latency_after(int64_t slept)
{
    ps__word word = 0;
    actor sleeper = {.word = &word};
    ps__virtual_begin(2, NULL);
    start(sleep_on_word, &sleeper);
    ps__virtual_charge(COSTS.start_until + slept);
    int64_t now = ps__virtual_time();
    ps__futex_wake(&word, 1);
    assert_int_equal(ps__virtual_time() - now, COSTS.wake);
    ps__virtual_end();
    assert_true(sleeper.woken);
    return sleeper.ended - now;
}

static void a_wake_takes_its_time(void **state)
{
    (void)state;
    assert_int_equal(latency_after(20000), COSTS.wake_shallow);
    assert_int_equal(latency_after(20000000), COSTS.wake_deep);
}

/* ---- locks ------------------------------------------------------------------------------- */

static void *hold_lock(void *arg)
{
    actor *self = arg;
    ps__virtual_charge(self->first);
    ps__lock_take(self->lock);
    self->began = ps__virtual_time();
    ps__virtual_charge(self->held);
    ps__unlock(self->lock);
    self->ended = ps__virtual_time();
    return NULL;
}

/* Two threads want it at nearly the same time, the first for so long. When the second had it. */
static int64_t second_holder(int64_t held, actor actors[2])
{
    ps__lock lock = {0};
    actors[0] = (actor){.lock = &lock, .first = 30000, .held = held};
    actors[1] = (actor){.lock = &lock, .first = 10100, .held = 10};
    ps__virtual_begin(3, NULL);
    start(hold_lock, &actors[0]);
    start(hold_lock, &actors[1]); /* COSTS.start later */
    ps__virtual_end();
    assert_int_equal(lock.takes, 2);
    assert_int_equal(lock.contended, 1);
    assert_true(actors[1].began >= actors[0].began + held);
    return actors[1].began - actors[0].ended;
}

static void a_thread_spins_for_a_short_section(void **state)
{
    (void)state;
    actor actors[2];
    int64_t later = second_holder(1000, actors);
    assert_true(later >= COSTS.lock_handed + COSTS.lock_moved);
    assert_true(later <= COSTS.lock_handed + COSTS.lock_moved + COSTS.pause);
}

static void a_thread_sleeps_for_a_long_section(void **state)
{
    (void)state;
    actor actors[2];
    int64_t later = second_holder(40000, actors);
    /* The first has paid for the wake when it says that it has ended. */
    assert_int_equal(later, COSTS.wake_shallow - COSTS.wake + COSTS.lock_moved);
}

static void takes_are_counted_in_real_time_too(void **state)
{
    (void)state;
    ps__lock lock = {0};
    for (int i = 0; i < 5; i++) {
        ps__lock_take(&lock);
        ps__unlock(&lock);
    }
    assert_int_equal(lock.takes, 5);
    assert_int_equal(lock.contended, 0);
}

/* ---- cores ------------------------------------------------------------------------------- */

static void *work_in_parts(void *arg)
{
    actor *self = arg;
    for (int i = 0; i < 100; i++)
        ps__virtual_charge(self->held / 100);
    self->ended = ps__virtual_time();
    return NULL;
}

/* When the last of some threads is done that work for 10 ms each. */
static int64_t last_of(unsigned threads, unsigned cores)
{
    actor actors[8] = {{0}};
    ps__virtual_begin(cores, NULL);
    int64_t began = ps__virtual_time(), last = 0;
    for (unsigned i = 0; i < threads; i++) {
        actors[i].held = 10000000;
        start(work_in_parts, &actors[i]);
    }
    ps__word word = 0;
    assert_false(ps__futex_wait(&word, 0, began + 1000000000)); /* its core is free meanwhile */
    ps__virtual_end();
    for (unsigned i = 0; i < threads; i++)
        last = actors[i].ended > last ? actors[i].ended : last;
    return last - began;
}

static void threads_share_the_cores(void **state)
{
    (void)state;
    int64_t slack = COSTS.start_until + 8 * COSTS.start;
    for (unsigned cores = 1; cores <= 8; cores *= 2) {
        int64_t ideal = 10000000 * 8 / (int64_t)cores;
        int64_t took = last_of(8, cores);
        assert_true(took >= ideal);
        assert_true(took <= ideal + slack);
    }
}

static void nobody_has_a_core_for_long(void **state)
{
    (void)state;
    actor actors[2] = {{.held = 10000000}, {.held = 10000000}};
    ps__virtual_begin(1, NULL);
    start(work_in_parts, &actors[0]);
    start(work_in_parts, &actors[1]);
    ps__word word = 0;
    assert_false(ps__futex_wait(&word, 0, ps__virtual_time() + 1000000000));
    ps__virtual_end();
    int64_t apart = actors[1].ended - actors[0].ended;
    assert_true(apart > 0 && apart < COSTS.slice + COSTS.start);
}

/* ---- the end ----------------------------------------------------------------------------- */

static void a_lost_wake_stops_the_program(void **state)
{
    (void)state;
    pid_t child = fork();
    if (child == 0) {
        ps__word word = 0;
        close(STDERR_FILENO);     /* the text is for those who did not expect it */
        signal(SIGABRT, SIG_DFL); /* cmocka has a handler */
        ps__virtual_begin(1, NULL);
        ps__futex_wait(&word, 0, -1);
        _exit(0);
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_clock_moves_by_what_is_charged),
        cmocka_unit_test(a_sleep_ends_at_its_deadline),
        cmocka_unit_test(a_wake_takes_its_time),
        cmocka_unit_test(a_thread_spins_for_a_short_section),
        cmocka_unit_test(a_thread_sleeps_for_a_long_section),
        cmocka_unit_test(takes_are_counted_in_real_time_too),
        cmocka_unit_test(threads_share_the_cores),
        cmocka_unit_test(nobody_has_a_core_for_long),
        cmocka_unit_test(a_lost_wake_stops_the_program),
    };
    alarm(LIMIT_S);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
