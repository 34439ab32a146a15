/* Exit waits for calls of the BLAS library that are under way, and for nothing else. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kernels/blas_exit.h"
#include "limit.h"

enum { LEFT_ALONE = 98 };

static sem_t began, leaving;
static atomic_bool watched, ended;

/* Runs when the process takes itself apart, as OpenBLAS's own end does. */
__attribute__((destructor)) static void last(void)
{
    if (atomic_load(&watched) && !atomic_load(&ended))
        _exit(LEFT_ALONE);
}

static void note_leaving(void)
{
    sem_post(&leaving);
}

static void *multiply(void *arg)
{
    (void)arg;
    ps__blas_call_begin();
    sem_post(&began);
    sem_wait(&leaving);
    atomic_store(&ended, true);
    ps__blas_call_end();
    for (;;) { /* until one does not return */
        ps__blas_call_begin();
        atomic_store(&ended, false);
        atomic_store(&ended, true);
        ps__blas_call_end();
    }
    return NULL;
}

static void start_call(void)
{
    pthread_t thread;
    if (pthread_create(&thread, NULL, multiply, NULL) != 0)
        _exit(1);
    sem_wait(&began);
}

/* The exit status of a child that runs `body` and then exits. */
static int run_to_the_end(void (*body)(void))
{
    sem_init(&began, 0, 0);
    sem_init(&leaving, 0, 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        alarm(LIMIT_S);
        body();
        exit(0);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

static void a_call_under_way(void)
{
    atomic_store(&watched, true);
    atexit(note_leaving);
    start_call();
}

static void exit_waits_for_a_call(void **state)
{
    (void)state;
    for (int i = 0; i < 20; i++)
        assert_int_equal(run_to_the_end(a_call_under_way), 0);
}

/* A handler of a signal may exit in the middle of a call. */
static void an_own_call(void)
{
    ps__blas_call_begin();
}

static void exit_does_not_wait_for_its_own_call(void **state)
{
    (void)state;
    assert_int_equal(run_to_the_end(an_own_call), 0);
}

static void fork_beside_a_call(void)
{
    start_call();
    pid_t child = fork();
    if (child == 0)
        exit(0); /* there is nobody who could end the call */
    int status;
    if (waitpid(child, &status, 0) != child || status != 0)
        _exit(1);
    sem_post(&leaving);
}

static void a_child_has_no_calls_of_others(void **state)
{
    (void)state;
    assert_int_equal(run_to_the_end(fork_beside_a_call), 0);
}

int main(void)
{
    alarm(LIMIT_S);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exit_waits_for_a_call),
        cmocka_unit_test(exit_does_not_wait_for_its_own_call),
        cmocka_unit_test(a_child_has_no_calls_of_others),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
