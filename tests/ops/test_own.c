/* Storages that one thread uses: what another thread sees of them when it comes along. Operations
 * that two threads do on one tensor happen one after the other, whoever made it, whoever had it last;
 * no element of another moment is among those that are read. */
#include "base/lock.h"
#include "tensor/tensor.h" /* before help.h, which has short names of its own */

#include "engine_help.h"

#include <linux/membarrier.h>
#include <pthread.h>
#include <sched.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/sanitized.h"

enum { THREADS = 4, ROUNDS = SANITIZED ? 300 : 3000, ELEMENTS = 500 };

static int set_up(void **state)
{
    (void)state;
    alarm(LIMIT_S);
    ps__step_configure(50, 7);
    return 0;
}

static ps_tensor *filled(int64_t count, double value)
{
    ps_tensor *made = CALL("full", INTS(count), F(value));
    CHECK_OK(ps_tensor_wait(made, NULL));
    return made;
}

static void add_to(ps_tensor *x, double value)
{
    CHECK_OK(call_into("add", ARGS(T(x), F(value)), &x));
}

/* All elements are the same; which. */
static double only_value(ps_tensor *x)
{
    double *values = values_of(x);
    for (int64_t i = 1; i < ps_tensor_count(x); i++)
        assert_true(values[i] == values[0]);
    double value = values[0];
    free(values);
    return value;
}

static void run_threads(void *(*body)(void *arg), void *arg)
{
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, body, arg), 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
}

/* ---- one tensor ----------------------------------------------------------------------------- */

static void *add_ones(void *arg)
{
    for (int i = 0; i < ROUNDS; i++)
        add_to(arg, 1);
    return NULL;
}

static void updates_of_several_threads_add_up(void **state)
{
    (void)state;
    ps_tensor *x = filled(ELEMENTS, 0);
    add_ones(x); /* it is this thread's until the others come */
    run_threads(add_ones, x);
    assert_true(only_value(x) == (THREADS + 1) * ROUNDS);
    assert_int_equal(ps_tensor_version(x), (THREADS + 1) * ROUNDS);
    ps_tensor_release(x);
}

/* A copy has what was there at one moment: short ones, longer ones, by a task that is pinned. */
static void *look(void *arg)
{
    double last = 0;
    for (int i = 0; i < ROUNDS / 10; i++) {
        ps_tensor *copy = CALL("add", T(arg), I(0));
        double now = only_value(copy);
        assert_true(now >= last);
        last = now;
        ps_tensor_release(copy);
        ps_tensor *sum = CALL("sum", T(arg));
        double *total = values_of(sum);
        assert_true(total[0] >= last * (double)ps_tensor_count(arg));
        free(total);
        ps_tensor_release(sum);
    }
    return NULL;
}

static void readers_see_one_moment(void **state)
{
    (void)state;
    for (int64_t count = 10; count <= 3000; count *= 17) {
        ps_tensor *x = filled(count, 0);
        pthread_t reader;
        assert_int_equal(pthread_create(&reader, NULL, look, x), 0);
        add_ones(x);
        pthread_join(reader, NULL);
        assert_true(only_value(x) == ROUNDS);
        ps_tensor_release(x);
    }
}

/* Each tensor is claimed once or twice, and a thread whose tensors are claimed again and again makes
 * shared ones: so there are many owners, each with some tensors, and both are at work on each. */
enum { OWNERS = SANITIZED ? 5 : 30, TENSORS = 40, UPDATES = 30, LONG = 3000 };

typedef struct meeting {
    _Atomic(ps_tensor *) tensor; /* the present one, or NULL: it was seen */
    _Atomic int met;             /* how many of them the other is done with */
} meeting;

static void *own_some(void *arg)
{
    meeting *m = arg;
    for (int i = 0; i < TENSORS; i++) {
        ps_tensor *x = filled(LONG, 0);
        atomic_store(&m->tensor, x);
        for (int k = 0; k < UPDATES; k++)
            add_to(x, 1);
        while (atomic_load(&m->met) <= i)
            sched_yield();
        assert_true(only_value(x) == UPDATES + UPDATES / 10);
        ps_tensor_release(x);
    }
    return NULL;
}

static void meet_owner(meeting *m)
{
    for (int i = 0; i < TENSORS; i++) {
        ps_tensor *x;
        while ((x = atomic_exchange(&m->tensor, NULL)) == NULL)
            sched_yield();
        for (int k = 0; k < UPDATES / 10; k++) {
            ps_tensor *copy = CALL("add", T(x), I(0));
            (void)only_value(copy);
            ps_tensor_release(copy);
            add_to(x, 1);
        }
        atomic_fetch_add(&m->met, 1);
    }
}

static void claims_meet_the_owner_at_work(void **state)
{
    (void)state;
    for (int i = 0; i < OWNERS; i++) {
        meeting m = {.met = 0};
        pthread_t owner;
        assert_int_equal(pthread_create(&owner, NULL, own_some, &m), 0);
        meet_owner(&m);
        pthread_join(owner, NULL);
    }
}

/* ---- tensors that are handed on ---------------------------------------------------------------- */

typedef struct place {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    ps_tensor *tensor; /* or NULL: it was taken */
} place;

static void put(place *p, ps_tensor *tensor)
{
    pthread_mutex_lock(&p->lock);
    while (p->tensor != NULL)
        pthread_cond_wait(&p->changed, &p->lock);
    p->tensor = tensor;
    pthread_cond_broadcast(&p->changed);
    pthread_mutex_unlock(&p->lock);
}

static ps_tensor *get(place *p)
{
    pthread_mutex_lock(&p->lock);
    while (p->tensor == NULL)
        pthread_cond_wait(&p->changed, &p->lock);
    ps_tensor *tensor = p->tensor;
    p->tensor = NULL;
    pthread_cond_broadcast(&p->changed);
    pthread_mutex_unlock(&p->lock);
    return tensor;
}

static void *make_many(void *arg)
{
    for (int i = 0; i < ROUNDS; i++) {
        ps_tensor *made = filled(1 + i % 40, i);
        add_to(made, 1);
        put(arg, made);
    }
    return NULL;
}

/* More of them than a thread makes before it makes shared ones. */
static void what_a_thread_makes_for_another(void **state)
{
    (void)state;
    place p = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};
    pthread_t maker;
    assert_int_equal(pthread_create(&maker, NULL, make_many, &p), 0);
    for (int i = 0; i < ROUNDS; i++) {
        ps_tensor *given = get(&p);
        add_to(given, 1);
        assert_true(only_value(given) == i + 2);
        ps_tensor_release(given);
    }
    pthread_join(maker, NULL);
}

static void *make_one(void *arg)
{
    ps_tensor *made = filled(5, 3);
    add_to(made, 1);
    *(ps_tensor **)arg = made;
    return NULL;
}

static void what_an_ended_thread_left(void **state)
{
    (void)state;
    for (int i = 0; i < 20; i++) {
        ps_tensor *left;
        pthread_t maker;
        assert_int_equal(pthread_create(&maker, NULL, make_one, &left), 0);
        pthread_join(maker, NULL);
        add_to(left, 1);
        assert_true(only_value(left) == 5);
        ps_tensor_release(left);
    }
}

/* ---- fork ----------------------------------------------------------------------------------- */

typedef struct steady {
    ps_tensor *tensor;
    _Atomic int stop;
} steady;

static void *add_until_stopped(void *arg)
{
    steady *s = arg;
    while (!atomic_load(&s->stop))
        add_to(s->tensor, 1);
    return NULL;
}

/* The child finds the tensor as it is between two operations. */
static void a_fork_comes_between_operations(void **state)
{
    (void)state;
    steady s = {.tensor = filled(1000, 0)};
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, add_until_stopped, &s), 0);
    for (int i = 0; i < 20; i++) {
        pid_t child = fork();
        if (child == 0) {
            alarm(LIMIT_S);
            double first = only_value(s.tensor);
            add_to(s.tensor, 1);
            _exit(only_value(s.tensor) == first + 1 ? 0 : 1);
        }
        int status;
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_int_equal(status, 0);
    }
    atomic_store(&s.stop, 1);
    pthread_join(thread, NULL);
    ps_tensor_release(s.tensor);
}

/* ---- counts --------------------------------------------------------------------------------- */

static void they_are_counted(void **state)
{
    (void)state;
    ps_tensor *x = filled(3, 0);
    wait_all();
    ps_engine_stats before = stats();
    add_ones(x);
    ps_engine_stats after = stats();
    assert_int_equal(after.pushed - before.pushed, ROUNDS);
    assert_int_equal(after.executed - before.executed, ROUNDS);
    assert_int_equal(after.helped - before.helped, ROUNDS);
    ps_tensor *y = filled(3, 0);
    before = stats();
    run_threads(add_ones, y);
    wait_all();
    after = stats();
    assert_int_equal(after.pushed - before.pushed, THREADS * ROUNDS);
    assert_int_equal(after.executed - before.executed, THREADS * ROUNDS);
    ps_tensor_release(x);
    ps_tensor_release(y);
}

/* Elementwise, a reduction, a product, a copy of a region; new results and updates. */
static void work_alone(ps_tensor *x, ps_tensor *m)
{
    for (int i = 0; i < ROUNDS; i++) {
        ps_tensor *y = CALL("multiply", T(x), T(x)), *z = CALL("exp", T(y));
        add_to(y, 1);
        ps_tensor *sum = CALL("sum", T(z)), *product = CALL("matmul", T(m), T(m));
        ps_tensor_release(y);
        ps_tensor_release(z);
        ps_tensor_release(sum);
        ps_tensor_release(product);
    }
}

static void fork_and_forget(void)
{
    pid_t child = fork();
    if (child == 0)
        _exit(0);
    assert_int_equal(waitpid(child, NULL, 0), child);
}

typedef struct alone {
    uint64_t takes, executed; /* locks and operations of the work */
    uint64_t takes_after;     /* and with a call that does take one */
} alone;

static void *count_locks(void *arg)
{
    alone *counted = arg;
    ps_tensor *x = filled(100, 0.5), *m = CALL("ones", INTS(4, 4));
    work_alone(x, m); /* magazines are filled, plans are made */
    wait_all();
    fork_and_forget(); /* what is a thread's own stays so */
    ps_engine_stats before = stats();
    uint64_t takes = ps__lock_takes_here;
    work_alone(x, m);
    counted->takes = ps__lock_takes_here - takes;
    counted->executed = stats().executed - before.executed;
    counted->takes_after = ps__lock_takes_here - takes;
    ps_tensor_release(x);
    ps_tensor_release(m);
    return NULL;
}

#ifdef PENSTOCK_DEBUG
enum { CHECKS_BLOCKS = 1 }; /* each block takes the lock of its bin */
#else
enum { CHECKS_BLOCKS = 0 };
#endif

static bool can_do_without(void)
{
    long commands = syscall(SYS_membarrier, MEMBARRIER_CMD_QUERY, 0, 0);
    if (commands < 0 || !(commands & MEMBARRIER_CMD_PRIVATE_EXPEDITED))
        print_message("the system has no membarrier: every storage is shared\n");
    else if (CHECKS_BLOCKS)
        print_message("this build checks blocks of memory, under locks\n");
    else
        return true;
    return false;
}

/* By a thread whose tensors nobody has claimed. */
static void no_lock_is_taken(void **state)
{
    (void)state;
    alone counted;
    pthread_t thread;
    if (!can_do_without())
        skip();
    assert_int_equal(pthread_create(&thread, NULL, count_locks, &counted), 0);
    pthread_join(thread, NULL);
    assert_int_equal(counted.executed, 5 * ROUNDS);
    assert_int_equal(counted.takes, 0);
    assert_true(counted.takes_after > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(updates_of_several_threads_add_up),
        cmocka_unit_test(readers_see_one_moment),
        cmocka_unit_test(claims_meet_the_owner_at_work),
        cmocka_unit_test(what_a_thread_makes_for_another),
        cmocka_unit_test(what_an_ended_thread_left),
        cmocka_unit_test(a_fork_comes_between_operations),
        cmocka_unit_test(they_are_counted),
        cmocka_unit_test(no_lock_is_taken),
    };
    return cmocka_run_group_tests(tests, set_up, NULL);
}
