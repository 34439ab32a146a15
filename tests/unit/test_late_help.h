/* What the tests of the late device share: a journal of what the device did, calls that must
 * succeed, work that is easy to be caught in. */
#ifndef PS_TEST_LATE_HELP_H
#define PS_TEST_LATE_HELP_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <limits.h>
#include <pthread.h>
#include <unistd.h>

#include "aside.h"
#include "base/alloc.h"
#include "base/clock.h"
#include "base/futex.h"
#include "device/late/late.h"
#include "limit.h"

#ifndef PENSTOCK_TESTING
#error "faults can be injected into the testing build only"
#endif

#define HOUR INT64_C(3600000000000) /* longer than any test */

#define LATE_RUN(tests) (alarm(LIMIT_S), cmocka_run_group_tests((tests), NULL, NULL))

/* ---- A journal and calls --------------------------------------------------------------- */

/* What the device did, in the order in which it did it. Entries are written by its thread. */
struct journal {
    ps__word count; /* atomic: publishes the entries before it */
    int entry[4000];
};

/* One piece of work, or one notification: what it writes into which journal. */
struct mark {
    struct journal *journal;
    int number;
    ps_status status; /* written by a notification before its entry */
    pthread_t thread; /* likewise, and by a piece of work */
};

static inline void journal_add(struct journal *journal, int number)
{
    uint32_t count = ps__load(&journal->count); /* written by this thread alone */
    journal->entry[count] = number;
    ps__store_release(&journal->count, count + 1); /* pairs with journal_count */
    ps__futex_wake(&journal->count, INT_MAX);
}

static inline uint32_t journal_count(struct journal *journal)
{
    return ps__load_acquire(&journal->count); /* pairs with journal_add */
}

static inline void journal_await(struct journal *journal, uint32_t count)
{
    uint32_t seen;
    while ((seen = journal_count(journal)) < count)
        ps__futex_wait(&journal->count, seen, -1);
}

static inline void do_mark(void *arg)
{
    struct mark *mark = arg;
    mark->thread = pthread_self();
    journal_add(mark->journal, mark->number);
}

static inline void done_mark(void *arg, ps_status status)
{
    struct mark *mark = arg;
    mark->status = status;
    do_mark(mark);
}

static inline ps_device *new_device(void)
{
    ps_device *device = NULL;
    assert_int_equal(ps__late_create(&device), PS_OK);
    return device;
}

static inline void launch(ps_device *device, unsigned queue, struct mark *mark)
{
    assert_int_equal(device->table->launch(device, queue, do_mark, mark), PS_OK);
}

static inline uint64_t record(ps_device *device, unsigned queue)
{
    uint64_t ticket = UINT64_MAX;
    assert_int_equal(device->table->record(device, queue, &ticket), PS_OK);
    return ticket;
}

static inline void notify(ps_device *device, unsigned queue, uint64_t ticket, struct mark *mark)
{
    assert_int_equal(device->table->notify(device, queue, ticket, done_mark, mark), PS_OK);
}

static inline void synchronise(ps_device *device, unsigned queue)
{
    assert_int_equal(device->table->synchronise(device, queue), PS_OK);
}

/* Gives other threads every chance to do what they should not do. */
static inline void let_others_run(void)
{
    for (int i = 0; i < 20; i++)
        step_aside();
}

/* ---- Work that takes its time ---------------------------------------------------------- */

struct stay {
    _Atomic int inside;
    _Atomic int visits;
};

static inline void stay_a_while(void *arg)
{
    struct stay *stay = arg;
    ps__add(&stay->inside, 1);
    for (int i = 0; i < 3; i++)
        step_aside();
    ps__add(&stay->visits, 1);
    ps__add(&stay->inside, -1);
}

static inline void stay_notified(void *arg, ps_status status)
{
    (void)status;
    stay_a_while(arg);
}

/* Puts work and notifications on both queues that are about to run. */
static inline void make_busy(ps_device *device, struct stay *stay, int pieces)
{
    for (int i = 0; i < pieces; i++) {
        unsigned queue = (unsigned)i % 2;
        assert_int_equal(device->table->launch(device, queue, stay_a_while, stay), PS_OK);
        assert_int_equal(device->table->notify(device, queue, record(device, queue), stay_notified,
                                               stay),
                         PS_OK);
    }
}

#endif
