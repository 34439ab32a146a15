/* The late device: tickets, events between its queues, notifications, failures. */
#include "test_late_help.h"

/* ---- Tickets, events, notifications ---------------------------------------------------- */

static void tickets_grow_with_the_queue(void **state)
{
    (void)state;
    ps_device *device = new_device();
    static struct journal journal;
    struct mark mark = {.journal = &journal};
    uint64_t before = record(device, 0);
    launch(device, 0, &mark);
    uint64_t first = record(device, 0);
    assert_true(first > before);
    assert_int_equal(record(device, 0), first);
    launch(device, 0, &mark);
    assert_true(record(device, 0) > first);
    assert_int_equal(record(device, 1), before); /* each queue has its own */
    synchronise(device, 0);
}

static void an_event_orders_two_queues(void **state)
{
    (void)state;
    enum { ROUNDS = 30 };
    ps_device *device = new_device();
    static struct journal journal;
    static struct mark marks[2 * ROUNDS];
    ps__late_set_delay(device, 0, 300000); /* without the event queue 1 would run ahead */
    for (int i = 0; i < 2 * ROUNDS; i++) {
        unsigned queue = (unsigned)i % 2;
        marks[i] = (struct mark){.journal = &journal, .number = i};
        if (i > 0)
            assert_int_equal(device->table->wait_event(device, queue, 1 - queue,
                                                       record(device, 1 - queue)),
                             PS_OK);
        launch(device, queue, &marks[i]);
    }
    synchronise(device, 1);
    assert_int_equal(journal_count(&journal), 2 * ROUNDS);
    for (int i = 0; i < 2 * ROUNDS; i++)
        assert_int_equal(journal.entry[i], i);
}

/* A ticket recorded behind an event covers the event, and so does a synchronise. */
static void a_waiting_event_is_unfinished_work(void **state)
{
    (void)state;
    ps_device *device = new_device();
    static struct journal journal;
    struct mark work = {.journal = &journal, .number = 1},
                told = {.journal = &journal, .number = 2};
    ps__late_stop(device);
    launch(device, 0, &work);
    assert_int_equal(device->table->wait_event(device, 1, 0, record(device, 0)), PS_OK);
    notify(device, 1, record(device, 1), &told);
    ps__late_resume(device);
    synchronise(device, 1);
    assert_true(journal_count(&journal) >= 1);
    journal_await(&journal, 2);
    assert_int_equal(journal.entry[0], 1);
    assert_int_equal(journal.entry[1], 2);
}

static void events_that_are_past_or_its_own_hold_nothing_up(void **state)
{
    (void)state;
    ps_device *device = new_device();
    static struct journal journal;
    struct mark mark = {.journal = &journal};
    launch(device, 0, &mark);
    synchronise(device, 0);
    assert_int_equal(device->table->wait_event(device, 1, 0, record(device, 0)), PS_OK);
    launch(device, 1, &mark);
    assert_int_equal(device->table->wait_event(device, 1, 1, record(device, 1)), PS_OK);
    launch(device, 1, &mark);
    synchronise(device, 1);
    assert_int_equal(journal_count(&journal), 3);
}

static void notifications_come_in_ticket_order(void **state)
{
    (void)state;
    enum { WORKS = 50 };
    ps_device *device = new_device();
    static struct journal journal, works;
    static struct mark marks[WORKS], told[WORKS];
    uint64_t tickets[WORKS];
    ps__late_stop(device);
    for (int i = 0; i < WORKS; i++) {
        marks[i] = (struct mark){.journal = &works, .number = i};
        launch(device, 0, &marks[i]);
        tickets[i] = record(device, 0);
    }
    for (int i = 0; i < WORKS; i++) { /* asked for in another order: 0, 7, 14, ... */
        int which = i * 7 % WORKS;
        told[which] = (struct mark){.journal = &journal, .number = which, .status = PS_ERR_MORE};
        notify(device, 0, tickets[which], &told[which]);
    }
    ps__late_resume(device);
    journal_await(&journal, WORKS);
    for (int i = 0; i < WORKS; i++) {
        assert_int_equal(journal.entry[i], i);
        assert_int_equal(told[i].status, PS_OK);
        assert_true(pthread_equal(told[i].thread, marks[i].thread));
    }
}

static void equal_tickets_are_told_in_the_order_of_asking(void **state)
{
    (void)state;
    ps_device *device = new_device();
    static struct journal journal;
    struct mark work = {.journal = &journal, .number = -1}, told[3];
    ps__late_stop(device);
    launch(device, 1, &work);
    for (int i = 0; i < 3; i++) {
        told[i] = (struct mark){.journal = &journal, .number = i};
        notify(device, 1, record(device, 1), &told[i]);
    }
    ps__late_resume(device);
    journal_await(&journal, 4);
    assert_int_equal(journal.entry[0], -1);
    for (int i = 0; i < 3; i++)
        assert_int_equal(journal.entry[i + 1], i);
}

/* Never from inside the call: the caller may hold a lock that the notification takes. */
static void a_reached_ticket_is_told_by_the_device_too(void **state)
{
    (void)state;
    ps_device *device = new_device();
    static struct journal journal;
    for (uint32_t i = 0; i < 100; i++) {
        struct mark told = {.journal = &journal, .status = PS_ERR_MORE};
        notify(device, 0, 0, &told);
        journal_await(&journal, i + 1);
        assert_false(pthread_equal(told.thread, pthread_self()));
        assert_int_equal(told.status, PS_OK);
    }
}

struct chain {
    ps_device *device;
    int left; /* touched by the device's thread alone until `journal` has an entry */
    struct journal journal;
};

static void nothing(void *arg)
{
    (void)arg;
}

/* Uses the device from inside a notification. */
static void go_on(void *arg, ps_status status)
{
    struct chain *chain = arg;
    uint64_t ticket;
    const ps__device_table *table = chain->device->table;
    unsigned queue = (unsigned)chain->left % 2;
    if (status != PS_OK || chain->left-- == 0 ||
        table->launch(chain->device, queue, nothing, NULL) != PS_OK ||
        table->record(chain->device, queue, &ticket) != PS_OK ||
        table->notify(chain->device, queue, ticket, go_on, chain) != PS_OK)
        journal_add(&chain->journal, chain->left);
}

static void notifications_may_use_the_device(void **state)
{
    (void)state;
    static struct chain chain = {.left = 300};
    chain.device = new_device();
    assert_int_equal(chain.device->table->notify(chain.device, 0, 0, go_on, &chain), PS_OK);
    journal_await(&chain.journal, 1);
    assert_int_equal(chain.journal.entry[0], -1);
}

/* ---- Failures -------------------------------------------------------------------------- */

static void failures_reach_their_own_tickets(void **state)
{
    (void)state;
    ps_device *device = new_device();
    static struct journal journal, works;
    struct mark work = {.journal = &works}, told[4];
    ps__late_stop(device);
    ps__late_fail(device, 0, 2, PS_ERR_DEVICE);
    for (int i = 0; i < 4; i++) {
        told[i] = (struct mark){.journal = &journal, .number = i, .status = PS_ERR_MORE};
        launch(device, 0, &work);
        notify(device, 0, record(device, 0), &told[i]);
    }
    ps__late_resume(device);
    journal_await(&journal, 4);
    assert_int_equal(told[0].status, PS_ERR_DEVICE);
    assert_int_equal(told[1].status, PS_ERR_DEVICE);
    assert_int_equal(told[2].status, PS_OK);
    assert_int_equal(told[3].status, PS_OK);
    assert_int_equal(journal_count(&works), 4); /* a failing piece runs all the same */
}

static void the_other_queue_does_not_fail(void **state)
{
    (void)state;
    ps_device *device = new_device();
    static struct journal journal;
    struct mark work = {.journal = &journal}, told = {.journal = &journal, .status = PS_ERR_MORE};
    ps__late_fail(device, 1, 1, PS_ERR_DEVICE);
    launch(device, 0, &work);
    notify(device, 0, record(device, 0), &told);
    journal_await(&journal, 2);
    assert_int_equal(told.status, PS_OK);
}

/* A piece that makes itself fail: it is the next that the queue finishes. */
static void fail_me(void *arg)
{
    ps__late_fail(arg, 0, 1, PS_ERR_DEVICE);
}

/* Several pieces, one ticket behind them: the failure of any of them is the ticket's. */
static void a_ticket_answers_for_all_pieces_since_the_last(void **state)
{
    (void)state;
    ps_device *device = new_device();
    static struct journal journal;
    for (uint32_t bad = 0; bad < 3; bad++) {
        struct mark first = {.journal = &journal, .status = PS_ERR_MORE}, second = first;
        ps__late_stop(device);
        for (uint32_t i = 0; i < 3; i++)
            assert_int_equal(device->table->launch(device, 0, i == bad ? fail_me : nothing, device),
                             PS_OK);
        notify(device, 0, record(device, 0), &first);
        assert_int_equal(device->table->launch(device, 0, nothing, NULL), PS_OK);
        notify(device, 0, record(device, 0), &second);
        ps__late_resume(device);
        journal_await(&journal, 2 * (bad + 1));
        assert_int_equal(first.status, PS_ERR_DEVICE);
        assert_int_equal(second.status, PS_OK);
    }
}

static void a_failure_waits_for_who_asks_late(void **state)
{
    (void)state;
    ps_device *device = new_device();
    static struct journal journal, works;
    struct mark work = {.journal = &works};
    struct mark told[3] = {{.journal = &journal, .status = PS_ERR_MORE},
                           {.journal = &journal, .status = PS_ERR_MORE},
                           {.journal = &journal, .status = PS_ERR_MORE}};
    ps__late_fail(device, 0, 2, PS_ERR_SYSTEM);
    launch(device, 0, &work);
    uint64_t first = record(device, 0); /* maybe before, maybe after it is finished */
    synchronise(device, 0);
    launch(device, 0, &work);
    synchronise(device, 0);
    uint64_t second = record(device, 0); /* certainly after */
    launch(device, 0, &work);
    uint64_t third = record(device, 0);
    synchronise(device, 0);
    notify(device, 0, third, &told[2]);
    notify(device, 0, second, &told[1]);
    notify(device, 0, first, &told[0]);
    journal_await(&journal, 3);
    assert_int_equal(told[0].status, PS_ERR_SYSTEM);
    assert_int_equal(told[1].status, PS_ERR_SYSTEM);
    assert_int_equal(told[2].status, PS_OK);
}

static void events_do_not_use_up_failures(void **state)
{
    (void)state;
    ps_device *device = new_device();
    static struct journal journal;
    struct mark work = {.journal = &journal}, told = {.journal = &journal, .status = PS_ERR_MORE};
    ps__late_fail(device, 0, 1, PS_ERR_DEVICE);
    assert_int_equal(device->table->wait_event(device, 0, 1, 0), PS_OK);
    (void)record(device, 0);
    launch(device, 0, &work);
    notify(device, 0, record(device, 0), &told);
    journal_await(&journal, 2);
    assert_int_equal(told.status, PS_ERR_DEVICE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tickets_grow_with_the_queue),
        cmocka_unit_test(an_event_orders_two_queues),
        cmocka_unit_test(a_waiting_event_is_unfinished_work),
        cmocka_unit_test(events_that_are_past_or_its_own_hold_nothing_up),
        cmocka_unit_test(notifications_come_in_ticket_order),
        cmocka_unit_test(equal_tickets_are_told_in_the_order_of_asking),
        cmocka_unit_test(a_reached_ticket_is_told_by_the_device_too),
        cmocka_unit_test(notifications_may_use_the_device),
        cmocka_unit_test(failures_reach_their_own_tickets),
        cmocka_unit_test(the_other_queue_does_not_fail),
        cmocka_unit_test(a_ticket_answers_for_all_pieces_since_the_last),
        cmocka_unit_test(a_failure_waits_for_who_asks_late),
        cmocka_unit_test(events_do_not_use_up_failures),
    };
    return LATE_RUN(tests);
}
