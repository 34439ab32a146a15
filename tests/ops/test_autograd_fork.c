/* Forks while other threads record: the child finds no lock taken. */
#include "autograd_help.h"

#include <pthread.h>
#include <stdatomic.h>
#include <sys/wait.h>

enum { FORKS = 100, CHILD_S = 60 };

static _Atomic int stop;

static double slope_at(ps_tensor *x)
{
    record();
    ps_tensor *y = CALL("tanh", T(x)), *z = CALL("multiply", T(y), T(x)), *s = CALL("sum", T(z));
    pause_it();
    backward(s);
    ps_tensor *grad;
    CHECK_OK(ps_grad_get(x, &grad));
    double *found = values_of(grad), first = found[1];
    free(found);
    RELEASE_ALL(y, z, s, grad);
    return first;
}

static void *record_on_and_on(void *unused)
{
    (void)unused;
    ps_tensor *x = leaf(SHAPE(3));
    while (!atomic_load(&stop))
        (void)slope_at(x);
    ps_tensor_release(x);
    return NULL;
}

static void children_record(void **state)
{
    (void)state;
    pthread_t thread;
    ps_tensor *x = leaf(SHAPE(3));
    double wanted = slope_at(x);
    assert_int_equal(pthread_create(&thread, NULL, record_on_and_on, NULL), 0);
    for (int i = 0; i < FORKS; i++) {
        pid_t child = fork();
        if (child == 0) {
            alarm(CHILD_S);
            _exit(slope_at(x) == wanted ? 0 : 1);
        }
        int status = 0;
        assert_int_equal(waitpid(child, &status, 0), child);
        if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
            fail_msg("child %d: status 0x%x", i, (unsigned)status);
    }
    atomic_store(&stop, 1);
    assert_int_equal(pthread_join(thread, NULL), 0);
    ps_tensor_release(x);
    nothing_is_left();
}

int main(void)
{
    alarm(LIMIT_S);
    const struct CMUnitTest tests[] = {cmocka_unit_test(children_record)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
