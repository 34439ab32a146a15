/* The late device across a fork: both sides do what was queued before it. */
#include "test_late_help.h"

#include <stdio.h>
#include <sys/wait.h>

/* As an engine forks: every device is prepared, also those that other tests have left. */
static void prepare(ps_device *device)
{
    if (device->table->fork_prepare)
        device->table->fork_prepare(device);
}

static void go_on_in_parent(ps_device *device)
{
    if (device->table->fork_parent)
        device->table->fork_parent(device);
}

static void go_on_in_child(ps_device *device)
{
    if (device->table->fork_child)
        device->table->fork_child(device);
}

/* With `faults`, no call that can fail succeeds in the child, from before it goes on. */
static pid_t fork_with_faults(bool faults)
{
    ps__device_each(prepare);
    pid_t child = fork();
    if (child == 0) {
        alarm(PART_LIMIT_S); /* the parent's is not inherited */
        ps__fault_set(faults, true);
        ps__device_each(go_on_in_child);
    } else {
        ps__device_each(go_on_in_parent);
    }
    return child;
}

static pid_t fork_with_devices(void)
{
    return fork_with_faults(false);
}

/* A child that fails an expectation leaves at once: cmocka's jump would go on with the
 * parent's tests. */
#define EXPECT(condition)                                                                          \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "child: line %d: %s\n", __LINE__, #condition);                         \
            _exit(1);                                                                              \
        }                                                                                          \
    } while (0)

static void assert_child_well(pid_t child)
{
    int status = 0;
    assert_true(child > 0);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

static void parent_and_child_both_finish_what_was_queued(void **state)
{
    (void)state;
    enum { WORKS = 20 };
    ps_device *device = new_device();
    static struct journal journal;
    static struct mark works[WORKS], told[WORKS];
    ps__late_stop(device);
    for (int i = 0; i < WORKS; i++) {
        unsigned queue = (unsigned)i % 2;
        works[i] = (struct mark){.journal = &journal, .number = i};
        told[i] = (struct mark){.journal = &journal, .number = 100 + i, .status = PS_ERR_MORE};
        launch(device, queue, &works[i]);
        notify(device, queue, record(device, queue), &told[i]);
    }
    pid_t child = fork_with_devices();
    ps__late_resume(device);
    journal_await(&journal, 2 * WORKS);
    if (child == 0) {
        for (int i = 0; i < WORKS; i++)
            EXPECT(told[i].status == PS_OK);
        struct mark more = {.journal = &journal, .number = 77};
        EXPECT(device->table->launch(device, 0, do_mark, &more) == PS_OK);
        EXPECT(device->table->synchronise(device, 0) == PS_OK);
        EXPECT(journal.entry[2 * WORKS] == 77);
        _exit(0);
    }
    assert_child_well(child);
    assert_int_equal(journal_count(&journal), 2 * WORKS);
}

/* The child only looks: its device must have a thread again without being called. */
static void a_child_goes_on_by_itself(void **state)
{
    (void)state;
    ps_device *device = new_device();
    static struct journal journal;
    static struct mark mark = {.journal = &journal};
    ps__late_set_delay(device, 0, 100000000); /* long enough for a fork to come before its end */
    launch(device, 0, &mark);
    pid_t child = fork_with_devices();
    journal_await(&journal, 1);
    if (child == 0)
        _exit(0);
    assert_child_well(child);
}

/* The device runs while the process forks: whatever it was doing, each side does the rest. */
static void fork_under_load(void **state)
{
    (void)state;
    enum { FORKS = 40, PIECES = 30 };
    ps_device *device = new_device();
    static struct stay stay;
    for (int round = 1; round <= FORKS; round++) {
        make_busy(device, &stay, PIECES);
        ps__late_set_delay(device, (unsigned)round % 2, round % 3 ? 0 : 20000);
        pid_t child = fork_with_devices();
        for (unsigned queue = 0; queue < 2; queue++) /* the last notifications too */
            if (device->table->notify(device, queue, 0, stay_notified, &stay) != PS_OK)
                _exit(2);
        if (child == 0) {
            EXPECT(device->table->synchronise(device, 0) == PS_OK);
            EXPECT(device->table->synchronise(device, 1) == PS_OK);
            while (ps__load(&stay.visits) < round * (2 * PIECES + 2))
                step_aside();
            _exit(0);
        }
        synchronise(device, 0);
        synchronise(device, 1);
        while (ps__load(&stay.visits) < round * (2 * PIECES + 2))
            step_aside();
        assert_child_well(child);
    }
    assert_int_equal(ps__load(&stay.visits), FORKS * (2 * PIECES + 2));
}

static void the_device_is_still_when_prepared(void **state)
{
    (void)state;
    ps_device *device = new_device();
    static struct stay stay;
    for (int round = 0; round < 200; round++) {
        make_busy(device, &stay, 6);
        device->table->fork_prepare(device);
        int visits = ps__load(&stay.visits);
        assert_int_equal(ps__load(&stay.inside), 0);
        let_others_run();
        assert_int_equal(ps__load(&stay.visits), visits);
        device->table->fork_parent(device);
    }
    synchronise(device, 0);
    synchronise(device, 1);
}

/* The child cannot start a thread at first: calls say so, lose nothing, and later ones work. */
static void a_child_without_a_thread_tries_again(void **state)
{
    (void)state;
    ps_device *device = new_device();
    const ps__device_table *table = device->table;
    static struct journal journal;
    static struct mark mark = {.journal = &journal};
    ps__late_set_delay(device, 0, 1000000);
    ps__late_stop(device);
    launch(device, 0, &mark);
    pid_t child = fork_with_faults(true);
    if (child == 0) {
        uint64_t ticket = 7;
        ps__late_resume(device);
        EXPECT(table->record(device, 0, &ticket) == PS_ERR_THREAD && ticket == 7);
        EXPECT(table->synchronise(device, 0) == PS_ERR_THREAD);
        ps__fault_set(2, false);
        EXPECT(table->launch(device, 0, do_mark, &mark) == PS_ERR_THREAD);
        ps__fault_set(2, false);
        EXPECT(table->notify(device, 0, 0, done_mark, &mark) == PS_ERR_THREAD);
        EXPECT(journal_count(&journal) == 0);
        ps__fault_set(0, false);
        EXPECT(table->synchronise(device, 0) == PS_OK);
        EXPECT(journal_count(&journal) == 1);
        _exit(0);
    }
    ps__late_resume(device);
    synchronise(device, 0);
    assert_int_equal(journal_count(&journal), 1);
    assert_child_well(child);
}

struct forking {
    ps_device *device;
    pid_t child; /* published by `journal` */
    pthread_t thread;
    _Atomic int visits;
    struct journal journal;
};

static void end_well(void *arg)
{
    struct forking *forking = arg;
    EXPECT(pthread_equal(forking->thread, pthread_self()));
    EXPECT(ps__load(&forking->visits) == 1);
    _exit(0);
}

/* In the child this thread is the only one: it must go on as the device's, without another. */
static void fork_inside(void *arg)
{
    struct forking *forking = arg;
    const ps__device_table *table = forking->device->table;
    if (ps__add(&forking->visits, 1) != 0)
        _exit(1);
    forking->thread = pthread_self();
    forking->child = fork_with_devices();
    if (forking->child != 0) {
        journal_add(&forking->journal, 0);
        return;
    }
    let_others_run();
    EXPECT(table->launch(forking->device, 1, end_well, forking) == PS_OK);
}

static void work_may_fork(void **state)
{
    (void)state;
    enum { ROUNDS = 5 };
    static struct forking forkings[ROUNDS];
    for (int i = 0; i < ROUNDS; i++) {
        struct forking *forking = &forkings[i];
        ps_device *device = forking->device = new_device();
        assert_int_equal(device->table->launch(device, 0, fork_inside, forking), PS_OK);
        journal_await(&forking->journal, 1);
        assert_child_well(forking->child);
        synchronise(device, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parent_and_child_both_finish_what_was_queued),
        cmocka_unit_test(a_child_goes_on_by_itself),
        cmocka_unit_test(fork_under_load),
        cmocka_unit_test(the_device_is_still_when_prepared),
        cmocka_unit_test(a_child_without_a_thread_tries_again),
        cmocka_unit_test(work_may_fork),
    };
    return LATE_RUN(tests);
}
