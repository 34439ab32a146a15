/* Sleeping on a word: what ends a sleep, and that a wake is not lost. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <limits.h>
#include <pthread.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/futex.h"
#include "limit.h"

static void another_value_does_not_sleep(void **state)
{
    (void)state;
    ps__word word = 1;
    assert_true(ps__futex_wait(&word, 0, -1)); /* would hang if it slept */
    assert_true(ps__futex_wait(&word, 0, ps__now_ns() + INT64_C(3600000000000)));
}

static void a_deadline_ends_a_sleep(void **state)
{
    (void)state;
    ps__word word = 0;
    int64_t deadline = ps__now_ns() + 20000000;
    while (ps__futex_wait(&word, 0, deadline)) { /* early returns are allowed */
    }
    assert_true(ps__now_ns() >= deadline);
}

static void a_deadline_in_the_past_does_not_sleep(void **state)
{
    (void)state;
    ps__word word = 0;
    assert_false(ps__futex_wait(&word, 0, 0));
    assert_false(ps__futex_wait(&word, 0, ps__now_ns() - 1));
}

static void waking_nobody_is_harmless(void **state)
{
    (void)state;
    ps__word word = 0;
    ps__futex_wake(&word, 1);
    ps__futex_wake(&word, INT_MAX);
}

/* Two threads that hand a word to and fro, each asleep while it is the other's turn. */
struct game {
    ps__word turn; /* even: first player's; atomic, publishes `sum` */
    uint64_t sum;  /* whose turn it is may touch it */
};

enum { TURNS = 20000 };

static void play(struct game *game, uint32_t mine)
{
    for (uint32_t turn = mine; turn < TURNS; turn += 2) {
        uint32_t seen;
        while ((seen = ps__load_acquire(&game->turn)) != turn) /* pairs with the store below */
            ps__futex_wait(&game->turn, seen, -1);
        game->sum += turn;
        ps__store_release(&game->turn, turn + 1); /* pairs with the load above */
        ps__futex_wake(&game->turn, 1);
    }
}

static void *second_player(void *arg)
{
    play(arg, 1);
    return NULL;
}

static void no_wake_is_lost(void **state)
{
    (void)state;
    struct game game = {0};
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, second_player, &game), 0);
    play(&game, 0);
    pthread_join(thread, NULL);
    assert_int_equal(game.sum, (uint64_t)TURNS * (TURNS - 1) / 2);
}

/* Several sleepers, one wake for all. */
static void *sleep_while_shut(void *arg)
{
    ps__word *gate = arg;
    while (ps__load_acquire(gate) == 0) /* pairs with the store that opens it */
        ps__futex_wait(gate, 0, -1);
    return NULL;
}

static void one_call_wakes_all(void **state)
{
    (void)state;
    enum { SLEEPERS = 4, ROUNDS = 50 };
    for (int round = 0; round < ROUNDS; round++) {
        ps__word gate = 0;
        pthread_t threads[SLEEPERS];
        for (int i = 0; i < SLEEPERS; i++)
            assert_int_equal(pthread_create(&threads[i], NULL, sleep_while_shut, &gate), 0);
        ps__store_release(&gate, 1); /* pairs with sleep_while_shut */
        ps__futex_wake(&gate, INT_MAX);
        for (int i = 0; i < SLEEPERS; i++)
            pthread_join(threads[i], NULL);
    }
}

int main(void)
{
    alarm(LIMIT_S);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(another_value_does_not_sleep),
        cmocka_unit_test(a_deadline_ends_a_sleep),
        cmocka_unit_test(a_deadline_in_the_past_does_not_sleep),
        cmocka_unit_test(waking_nobody_is_harmless),
        cmocka_unit_test(no_wake_is_lost),
        cmocka_unit_test(one_call_wakes_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
