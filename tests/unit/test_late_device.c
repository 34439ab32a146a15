/* The late device: order, delays, stopping, copies, bad arguments, faults, many threads. */
#include "test_late_help.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- Work ------------------------------------------------------------------------------ */

static void work_runs_in_order_on_another_thread(void **state)
{
    (void)state;
    enum { WORKS = 500 };
    ps_device *device = new_device();
    static struct journal journal;
    static struct mark marks[WORKS];
    for (int i = 0; i < WORKS; i++) {
        marks[i] = (struct mark){.journal = &journal, .number = i};
        launch(device, 0, &marks[i]);
    }
    synchronise(device, 0);
    assert_int_equal(journal_count(&journal), WORKS);
    for (int i = 0; i < WORKS; i++) {
        assert_int_equal(journal.entry[i], i);
        assert_false(pthread_equal(marks[i].thread, pthread_self()));
    }
}

static void nothing_moves_while_stopped(void **state)
{
    (void)state;
    ps_device *device = new_device();
    static struct journal journal;
    struct mark work = {.journal = &journal}, told = {.journal = &journal};
    for (uint32_t round = 0; round < 100; round++) {
        ps__late_stop(device);
        launch(device, 0, &work);
        launch(device, 1, &work);
        notify(device, 1, 0, &told); /* reached long ago, and still */
        let_others_run();
        assert_int_equal(journal_count(&journal), 3 * round);
        ps__late_resume(device);
        journal_await(&journal, 3 * (round + 1));
    }
}

static void stop_returns_when_the_device_is_still(void **state)
{
    (void)state;
    ps_device *device = new_device();
    static struct stay stay;
    for (int round = 0; round < 200; round++) {
        make_busy(device, &stay, 6);
        ps__late_stop(device);
        int visits = ps__load(&stay.visits);
        assert_int_equal(ps__load(&stay.inside), 0);
        let_others_run();
        assert_int_equal(ps__load(&stay.visits), visits);
        ps__late_resume(device);
    }
    synchronise(device, 0);
    synchronise(device, 1);
}

/* Each piece takes the delay from when it reaches the front. */
static void delays_add_up(void **state)
{
    (void)state;
    enum { WORKS = 4 };
    const int64_t delay = 50000000;
    ps_device *device = new_device();
    static struct journal journal;
    struct mark mark = {.journal = &journal};
    int64_t start = ps__now_ns();
    ps__late_set_delay(device, 0, delay);
    for (int i = 0; i < WORKS; i++)
        launch(device, 0, &mark);
    synchronise(device, 0);
    assert_true(ps__now_ns() - start >= WORKS * delay);
    assert_int_equal(journal_count(&journal), WORKS);
}

/* Whether all threads of this process but this one sleep. */
static bool others_sleep(void)
{
    DIR *threads = opendir("/proc/self/task");
    assert_non_null(threads);
    bool asleep = true;
    for (struct dirent *thread; (thread = readdir(threads)) != NULL;) {
        char path[64], state = 'S';
        int id = atoi(thread->d_name); /* 0: "." or ".." */
        snprintf(path, sizeof path, "/proc/self/task/%d/stat", id);
        FILE *file = id != 0 && id != gettid() ? fopen(path, "r") : NULL;
        if (file == NULL)
            continue;
        asleep &= fscanf(file, "%*d (%*[^)]) %c", &state) == 1 && state == 'S';
        fclose(file);
    }
    closedir(threads);
    return asleep;
}

/* The processor is free meanwhile. The test ends by the time limit if the device's thread looks at
 * the clock again and again. */
static void a_delay_is_slept_through(void **state)
{
    (void)state;
    ps_device *device = new_device();
    static struct journal journal;
    struct mark mark = {.journal = &journal};
    ps__late_set_delay(device, 0, HOUR);
    launch(device, 0, &mark); /* never comes to an end in this test */
    while (!others_sleep())
        step_aside();
    assert_int_equal(journal_count(&journal), 0);
}

static void a_delay_is_for_what_is_put_on_after_it(void **state)
{
    (void)state;
    ps_device *device = new_device();
    static struct journal journal;
    struct mark mark = {.journal = &journal};
    ps__late_stop(device);
    launch(device, 0, &mark);
    launch(device, 0, &mark);
    uint64_t quick = record(device, 0);
    ps__late_set_delay(device, 0, HOUR);
    launch(device, 0, &mark); /* never comes to an end in this test */
    struct mark told = {.journal = &journal, .number = 9};
    notify(device, 0, quick, &told);
    ps__late_resume(device);
    journal_await(&journal, 3);
    assert_int_equal(journal.entry[2], 9);
    ps__late_set_delay(device, 1, -5); /* no time machine */
    launch(device, 1, &mark);
    synchronise(device, 1);
    ps__late_set_delay(device, 1, INT64_MAX); /* must not overflow into the past */
    launch(device, 1, &mark);
    let_others_run();
    assert_int_equal(journal_count(&journal), 4);
    ps__late_stop(device); /* `journal` of the others outlives the test, `mark` does not */
}

/* The other queue is not held up, by a delay or by work that is always ready. */
static void queues_do_not_wait_for_each_other(void **state)
{
    (void)state;
    ps_device *device = new_device();
    static struct journal journal;
    static struct mark slow = {.journal = &journal, .number = 0};
    static struct mark quick = {.journal = &journal, .number = 1};
    ps__late_set_delay(device, 0, HOUR);
    launch(device, 0, &slow);
    for (int i = 0; i < 100; i++)
        launch(device, 1, &quick);
    synchronise(device, 1);
    assert_int_equal(journal_count(&journal), 100);
    for (int i = 0; i < 100; i++)
        assert_int_equal(journal.entry[i], 1);
}

struct endless {
    ps_device *device;
    _Atomic bool enough;
};

static void put_on_again(void *arg)
{
    struct endless *endless = arg;
    if (!ps__load(&endless->enough))
        endless->device->table->launch(endless->device, 0, put_on_again, endless);
}

static void a_queue_that_never_empties_starves_nobody(void **state)
{
    (void)state;
    ps_device *device = new_device();
    static struct endless endless;
    static struct journal journal;
    struct mark mark = {.journal = &journal};
    endless.device = device;
    assert_int_equal(device->table->launch(device, 0, put_on_again, &endless), PS_OK);
    for (int i = 0; i < 100; i++)
        launch(device, 1, &mark);
    synchronise(device, 1);
    synchronise(device, 0); /* what is put on meanwhile does not prolong it */
    ps__store(&endless.enough, true);
    synchronise(device, 0);
}

struct inside {
    ps_device *device;
    struct journal journal;
};

static void wait_for_oneself(void *arg)
{
    struct inside *inside = arg;
    journal_add(&inside->journal, (int)inside->device->table->synchronise(inside->device, 0));
    journal_add(&inside->journal, (int)inside->device->table->synchronise(inside->device, 1));
}

static void the_device_cannot_wait_for_itself(void **state)
{
    (void)state;
    static struct inside inside;
    inside.device = new_device();
    assert_int_equal(inside.device->table->launch(inside.device, 0, wait_for_oneself, &inside),
                     PS_OK);
    synchronise(inside.device, 0);
    assert_int_equal(inside.journal.entry[0], PS_ERR_DEADLOCK); /* it is not finished itself */
    assert_int_equal(inside.journal.entry[1], PS_OK);           /* nothing to wait for */
}

/* ---- Memory ---------------------------------------------------------------------------- */

static void copies_are_made_in_their_turn(void **state)
{
    (void)state;
    ps_device *device = new_device();
    const ps__device_table *table = device->table;
    char *memory = table->allocate(device, 5000, 1 << 14);
    assert_non_null(memory);
    assert_int_equal((uintptr_t)memory % (1 << 14), 0);
    char back[4] = "---";
    ps__late_stop(device);
    assert_int_equal(table->copy(device, 0, memory, "abc", 4), PS_OK);
    assert_int_equal(table->copy(device, 0, memory + 100, memory, 4), PS_OK);
    assert_int_equal(table->copy(device, 0, memory, "xyz", 4), PS_OK);
    assert_int_equal(table->copy(device, 0, back, memory + 100, 4), PS_OK);
    assert_int_equal(table->copy(device, 0, NULL, NULL, 0), PS_OK);
    assert_string_equal(back, "---");
    ps__late_resume(device);
    synchronise(device, 0);
    assert_string_equal(back, "abc");
    assert_string_equal(memory, "xyz");
    assert_int_equal(record(device, 0), 5);
    table->release(device, memory, 5000);
}

/* ---- Bad arguments and faults ---------------------------------------------------------- */

static void bad_arguments_are_refused(void **state)
{
    (void)state;
    ps_device *device = new_device();
    const ps__device_table *table = device->table;
    static struct mark mark;
    uint64_t ticket = 0;
    char byte = 0;
    unsigned bad = PS__LATE_QUEUES;
    assert_int_equal(ps__late_create(NULL), PS_ERR_ARGUMENT);
    assert_int_equal(table->launch(device, bad, do_mark, &mark), PS_ERR_ARGUMENT);
    assert_int_equal(table->copy(device, UINT_MAX, &byte, &byte, 1), PS_ERR_ARGUMENT);
    assert_int_equal(table->record(device, bad, &ticket), PS_ERR_ARGUMENT);
    assert_int_equal(table->wait_event(device, bad, 0, 0), PS_ERR_ARGUMENT);
    assert_int_equal(table->wait_event(device, 0, bad, 0), PS_ERR_ARGUMENT);
    assert_int_equal(table->notify(device, bad, 0, done_mark, &mark), PS_ERR_ARGUMENT);
    assert_int_equal(table->synchronise(device, bad), PS_ERR_ARGUMENT);
    assert_int_equal(table->launch(device, 0, NULL, NULL), PS_ERR_ARGUMENT);
    assert_int_equal(table->copy(device, 0, NULL, &byte, 1), PS_ERR_ARGUMENT);
    assert_int_equal(table->copy(device, 0, &byte, NULL, 1), PS_ERR_ARGUMENT);
    assert_int_equal(table->record(device, 0, NULL), PS_ERR_ARGUMENT);
    assert_int_equal(table->notify(device, 0, 0, NULL, NULL), PS_ERR_ARGUMENT);
    assert_int_equal(table->notify(device, 0, 1, done_mark, &mark), PS_ERR_ARGUMENT);
    assert_int_equal(table->wait_event(device, 0, 1, 1), PS_ERR_ARGUMENT);
    ps__late_set_delay(device, bad, 1);
    ps__late_fail(device, bad, 1, PS_ERR_DEVICE);
    assert_int_equal(record(device, 0), 0); /* nothing was kept */
    synchronise(device, 0);
}

/* The first call on a fresh device allocates once and starts the thread: each can fail. */
static void what_cannot_be_had_is_refused_and_nothing_kept(void **state)
{
    (void)state;
    ps_device *device = new_device();
    const ps__device_table *table = device->table;
    static struct journal journal;
    static struct mark refused = {.journal = &journal, .number = 1};
    static struct mark taken = {.journal = &journal, .number = 2};
    static const ps_status expected[] = {PS_ERR_MEMORY, PS_ERR_THREAD};
    char byte = 0;
    for (unsigned long nth = 1; nth <= 2; nth++) {
        ps_status status = expected[nth - 1];
        ps__fault_set(nth, false);
        assert_int_equal(table->launch(device, 0, do_mark, &refused), status);
        ps__fault_set(nth, false);
        assert_int_equal(table->notify(device, 0, 0, done_mark, &refused), status);
        ps__fault_set(nth, false);
        assert_int_equal(table->copy(device, 0, &byte, &byte, 1), status);
        ps__fault_set(nth, false);
        assert_int_equal(table->wait_event(device, 0, 1, 0), status);
    }
    ps__fault_set(0, false);
    assert_int_equal(record(device, 0), 0);
    launch(device, 0, &taken);
    synchronise(device, 0);
    assert_int_equal(journal_count(&journal), 1);
    assert_int_equal(journal.entry[0], 2);
    ps__fault_set(1, false);
    ps_device *none = device;
    assert_int_equal(ps__late_create(&none), PS_ERR_MEMORY);
    assert_ptr_equal(none, device);
    ps__fault_set(0, false);
}

/* ---- Many threads, random yields ------------------------------------------------------- */

struct user {
    ps_device *device;
    unsigned number;
    unsigned pieces;
    _Atomic unsigned worked, told, disorder;
    uint64_t last[PS__LATE_QUEUES]; /* ticket of the last notification: the device's thread */
};

struct asked {
    struct user *user;
    unsigned queue;
    uint64_t ticket;
};

enum { USERS = 3, PIECES_MOST = 400 };

static struct asked asked[USERS][PIECES_MOST];

static void count_work(void *arg)
{
    struct user *user = arg;
    ps__add(&user->worked, 1);
}

static void check_order(void *arg, ps_status status)
{
    struct asked *ask = arg;
    struct user *user = ask->user;
    if (status != PS_OK || ask->ticket <= user->last[ask->queue])
        ps__add(&user->disorder, 1);
    user->last[ask->queue] = ask->ticket;
    ps__add_acq_rel(&user->told, 1); /* pairs with use_device */
}

static void *use_device(void *arg)
{
    struct user *user = arg;
    ps_device *device = user->device;
    for (unsigned i = 0; i < user->pieces; i++) {
        struct asked *ask = &asked[user->number][i];
        unsigned queue = (i + user->number) / 3 % 2, other = 1 - queue;
        uint64_t ticket = 0;
        bool good = device->table->launch(device, queue, count_work, user) == PS_OK &&
                    device->table->record(device, queue, &ticket) == PS_OK;
        *ask = (struct asked){user, queue, ticket};
        good &= device->table->notify(device, queue, ticket, check_order, ask) == PS_OK;
        if (i % 5 == 0)
            good &= device->table->wait_event(device, other, queue, ticket) == PS_OK;
        if (i % 50 == 49)
            good &= device->table->synchronise(device, other) == PS_OK;
        if (!good)
            ps__add(&user->disorder, 1);
    }
    device->table->synchronise(device, 0);
    device->table->synchronise(device, 1);
    while (ps__load_acquire(&user->told) < user->pieces) /* pairs with check_order */
        step_aside();
    return NULL;
}

static void run_users(unsigned pieces)
{
    ps_device *device = new_device();
    static struct user users[USERS];
    pthread_t threads[USERS];
    for (unsigned i = 0; i < USERS; i++) {
        users[i] = (struct user){.device = device, .number = i, .pieces = pieces};
        assert_int_equal(pthread_create(&threads[i], NULL, use_device, &users[i]), 0);
    }
    for (unsigned i = 0; i < USERS; i++) {
        pthread_join(threads[i], NULL);
        assert_int_equal(ps__load(&users[i].worked), pieces);
        assert_int_equal(ps__load(&users[i].told), pieces);
        assert_int_equal(ps__load(&users[i].disorder), 0);
    }
}

static void many_threads_use_one_device(void **state)
{
    (void)state;
    run_users(PIECES_MOST);
}

static void many_threads_with_random_yields(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 4; seed++) {
        ps__step_configure(6, seed);
        run_users(60);
    }
    ps__step_configure(0, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(work_runs_in_order_on_another_thread),
        cmocka_unit_test(nothing_moves_while_stopped),
        cmocka_unit_test(stop_returns_when_the_device_is_still),
        cmocka_unit_test(delays_add_up),
        cmocka_unit_test(a_delay_is_slept_through),
        cmocka_unit_test(a_delay_is_for_what_is_put_on_after_it),
        cmocka_unit_test(queues_do_not_wait_for_each_other),
        cmocka_unit_test(a_queue_that_never_empties_starves_nobody),
        cmocka_unit_test(the_device_cannot_wait_for_itself),
        cmocka_unit_test(copies_are_made_in_their_turn),
        cmocka_unit_test(bad_arguments_are_refused),
        cmocka_unit_test(what_cannot_be_had_is_refused_and_nothing_kept),
        cmocka_unit_test(many_threads_use_one_device),
        cmocka_unit_test(many_threads_with_random_yields),
    };
    return LATE_RUN(tests);
}
