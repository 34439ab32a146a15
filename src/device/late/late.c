/* The late device: two queues in order, one thread, a delay before each piece of work.
 *
 * What is put on a queue is an item: a function, a copy, or a wait for a ticket of the other
 * queue. Each item takes the next ticket of its queue. The device's thread takes items from the
 * fronts of the queues when they are due, runs them and calls what is to be notified. Nothing is
 * ever polled: the thread sleeps until the next item is due or until somebody wakes it. What
 * there is to know about one queue is in queue.c.
 *
 * Invariants:
 *   1. All fields of struct late are guarded by its lock, except `base` (see device.h) and the
 *      words of the conditions (changed only under the lock, compared by the kernel without).
 *   2. The items of a queue are the tickets reached + 1 ... put, in that order. The front item
 *      stays in place while it runs.
 *   3. Work functions and notifications are called on the device's thread alone, with the lock
 *      dropped and `busy` set. Nothing else sets `busy`.
 *   4. Notifications of a queue are sorted by ticket, among equals by age, and are called from
 *      the front: a later ticket never before an earlier one that was asked for in time.
 *   5. An item waits only for tickets that were there before it: no two queues wait for each
 *      other.
 *   6. While there is an item or a notification there is a thread, except in the child of a fork
 *      in which it could not be started again; then every call that puts something on, records,
 *      synchronises or resumes tries again.
 *
 * Lock order: the device's lock is the last one. Under it only the allocator and the thread
 * starter are called. */
#include "device/late/late.h"

#include <limits.h>
#include <string.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/lock.h"
#include "device/late/queue.h"

/* Something to sleep on under the device's lock. */
struct condition {
    ps__word turn;
    unsigned sleepers;
};

struct late {
    ps_device base;
    ps__lock lock;
    ps__late_queue queues[PS__LATE_QUEUES];
    unsigned turn; /* the queue that is looked at first: neither can starve the other */

    bool running; /* the thread was started */
    bool arrived; /* and has come to its loop */
    bool busy;    /* it is inside a work function, a copy or a notification */
    bool stopped;
    unsigned holds; /* threads that wait for it to be still before a fork */

    struct condition work;     /* the thread sleeps here */
    struct condition progress; /* others sleep here until an item is finished or it is still */
};

/* The device whose thread this is, NULL on all others. */
static _Thread_local struct late *own_device;

static struct late *late_of(ps_device *device)
{
    return (struct late *)device; /* `base` is its first member */
}

/* ---- Sleeping and waking --------------------------------------------------------------- */

/* Lets go of the lock, sleeps until woken or the deadline, and takes the lock again. May return
 * early. A wake between the load and the sleep changes the word, and the kernel, which compares
 * it with `turn`, does not let the thread sleep. */
static void sleep_on(struct late *late, struct condition *condition, int64_t deadline_ns)
{
    uint32_t turn = ps__load(&condition->turn); /* written under the lock, which is held */
    condition->sleepers++;
    ps__unlock(&late->lock);
    ps__futex_wait(&condition->turn, turn, deadline_ns);
    ps__lock_take(&late->lock);
    condition->sleepers--;
}

static void wake(struct condition *condition)
{
    if (condition->sleepers == 0)
        return;
    ps__add(&condition->turn, 1); /* under the lock; see sleep_on */
    ps__futex_wake(&condition->turn, INT_MAX);
}

/* ---- The device's thread --------------------------------------------------------------- */

static bool is_due(const struct late *late, const ps__late_item *item, int64_t now)
{
    if (item->kind == PS__LATE_WAIT)
        return late->queues[item->on].reached >= item->ticket;
    return item->due <= now;
}

/* The caller finishes the item, which wakes those who wait for the thread to be still. */
static void run_item(struct late *late, const ps__late_item *item)
{
    if (item->kind == PS__LATE_WAIT)
        return;
    late->busy = true;
    ps__unlock(&late->lock);
    if (item->kind == PS__LATE_WORK)
        item->work(item->arg);
    else if (item->bytes)
        memmove(item->to, item->from, item->bytes);
    ps__lock_take(&late->lock);
    late->busy = false;
}

/* Runs one item that is due; false if there is none. */
static bool run_late(struct late *late)
{
    int64_t now = ps__now_ns();
    for (unsigned i = 0; i < PS__LATE_QUEUES; i++) {
        unsigned index = (late->turn + i) % PS__LATE_QUEUES;
        ps__late_queue *queue = &late->queues[index];
        ps__late_item *item = queue->items.first;
        if (!item || !is_due(late, item, now))
            continue;
        run_item(late, item);
        ps__late_queue_finish(queue);
        wake(&late->progress);
        late->turn = index + 1;
        return true;
    }
    return false;
}

/* Calls one notification whose ticket is reached; false if there is none. */
static bool notify_one(struct late *late)
{
    for (unsigned i = 0; i < PS__LATE_QUEUES; i++) {
        ps_status status;
        ps__late_notification *notification = ps__late_queue_tell(&late->queues[i], &status);
        if (!notification)
            continue;
        late->busy = true;
        ps__unlock(&late->lock);
        notification->done(notification->arg, status);
        ps__lock_take(&late->lock);
        ps__free(notification);
        late->busy = false;
        wake(&late->progress);
        return true;
    }
    return false;
}

/* When the thread must look again by itself; -1: not before it is woken. */
static int64_t next_due(const struct late *late)
{
    int64_t due = -1;
    for (unsigned i = 0; i < PS__LATE_QUEUES; i++) {
        const ps__late_item *item = late->queues[i].items.first;
        if (item && item->kind != PS__LATE_WAIT && (due < 0 || item->due < due))
            due = item->due;
    }
    return due;
}

static void *thread_body(void *arg)
{
    struct late *late = arg;
    own_device = late;
    ps__lock_take(&late->lock);
    late->arrived = true;
    wake(&late->progress);
    for (;;) {
        bool held = late->stopped || late->holds;
        if (!held && (notify_one(late) || run_late(late)))
            continue;
        sleep_on(late, &late->work, held ? -1 : next_due(late));
    }
    return NULL;
}

static bool ensure_thread(struct late *late)
{
    if (!late->running)
        late->running = ps__thread_start(thread_body, late, "ps-late");
    return late->running;
}

static bool has_unfinished(const struct late *late)
{
    for (unsigned i = 0; i < PS__LATE_QUEUES; i++) {
        if (late->queues[i].items.first || late->queues[i].notifications.first)
            return true;
    }
    return false;
}

/* Still: there is no thread, or it is in its loop and in no work function or notification. One
 * that is only just starting may be inside the allocator (of a sanitizer, at least), whose locks
 * a fork would leave taken in the child. */
static bool is_still(const struct late *late)
{
    return !late->running || (late->arrived && !late->busy);
}

/* Under the lock. The thread itself is where it is: it may stop its device or fork from there. */
static void wait_until_still(struct late *late)
{
    while (!is_still(late) && own_device != late)
        sleep_on(late, &late->progress, -1);
}

/* ---- The table's functions ------------------------------------------------------------- */

static ps_status check_queue(ps_device *device, unsigned queue)
{
    if (queue < PS__LATE_QUEUES)
        return PS_OK;
    return ps__fail(PS_ERR_ARGUMENT, "device %s has %d queues: there is no queue %u", device->name,
                    PS__LATE_QUEUES, queue);
}

static ps_status no_thread(ps_device *device)
{
    return ps__fail(PS_ERR_THREAD, "the thread of device %s could not be started", device->name);
}

static ps_status no_memory_for_late(ps_device *device)
{
    return ps__fail(PS_ERR_MEMORY, "no memory for work on device %s", device->name);
}

static ps_status no_ticket(ps_device *device, unsigned queue, uint64_t ticket)
{
    return ps__fail(PS_ERR_ARGUMENT, "queue %u of device %s has not given out ticket %llu", queue,
                    device->name, (unsigned long long)ticket);
}

/* Under the lock. */
static void put_item(struct late *late, ps__late_queue *queue, ps__late_item *item)
{
    ps__late_queue_put(queue, item);
    if (queue->items.first == item)
        wake(&late->work);
}

/* Puts a copy of the item on the queue. */
static ps_status put_on_queue(ps_device *device, unsigned queue, const ps__late_item *model)
{
    struct late *late = late_of(device);
    ps__late_item *item = ps__calloc(1, sizeof *item);
    if (!item)
        return no_memory_for_late(device);
    *item = *model;
    ps__lock_take(&late->lock);
    bool started = ensure_thread(late);
    if (started)
        put_item(late, &late->queues[queue], item);
    ps__unlock(&late->lock);
    if (started)
        return PS_OK;
    ps__free(item);
    return no_thread(device);
}

static void *late_allocate(ps_device *device, size_t bytes, size_t alignment)
{
    (void)device;
    return ps__pages_map(bytes, alignment);
}

static void late_release(ps_device *device, void *memory, size_t bytes)
{
    (void)device;
    ps__pages_unmap(memory, bytes);
}

static ps_status late_copy(ps_device *device, unsigned queue, void *to, const void *from,
                           size_t bytes)
{
    ps_status status = check_queue(device, queue);
    if (status != PS_OK)
        return status;
    if (bytes && (!to || !from))
        return ps__fail(PS_ERR_ARGUMENT, "copy: %s is NULL", to ? "from" : "to");
    ps__late_item item = {.kind = PS__LATE_COPY, .to = to, .from = from, .bytes = bytes};
    return put_on_queue(device, queue, &item);
}

static ps_status late_launch(ps_device *device, unsigned queue, ps__work_fn work, void *arg)
{
    ps_status status = check_queue(device, queue);
    if (status != PS_OK)
        return status;
    if (!work)
        return ps__fail(PS_ERR_ARGUMENT, "launch: work is NULL");
    ps__late_item item = {.kind = PS__LATE_WORK, .work = work, .arg = arg};
    return put_on_queue(device, queue, &item);
}

static ps_status late_record(ps_device *device, unsigned index, uint64_t *ticket)
{
    ps_status status = check_queue(device, index);
    if (status != PS_OK)
        return status;
    if (!ticket)
        return ps__fail(PS_ERR_ARGUMENT, "record: ticket is NULL");
    struct late *late = late_of(device);
    ps__lock_take(&late->lock);
    bool served = !has_unfinished(late) || ensure_thread(late);
    if (served)
        *ticket = ps__late_queue_record(&late->queues[index]);
    ps__unlock(&late->lock);
    return served ? PS_OK : no_thread(device);
}

/* Whether the ticket was given out. */
static bool is_ticket(struct late *late, unsigned queue, uint64_t ticket)
{
    ps__lock_take(&late->lock);
    bool given = ticket <= late->queues[queue].put;
    ps__unlock(&late->lock);
    return given;
}

static ps_status late_wait_event(ps_device *device, unsigned queue, unsigned on, uint64_t ticket)
{
    ps_status status = check_queue(device, queue);
    if (status == PS_OK)
        status = check_queue(device, on);
    if (status != PS_OK)
        return status;
    if (!is_ticket(late_of(device), on, ticket)) /* once given out it stays so */
        return no_ticket(device, on, ticket);
    if (queue == on)
        return PS_OK; /* the queue's order says it already */
    ps__late_item item = {.kind = PS__LATE_WAIT, .on = on, .ticket = ticket};
    return put_on_queue(device, queue, &item);
}

/* Under the lock. */
static ps_status put_notification(ps_device *device, unsigned index,
                                  ps__late_notification *notification)
{
    struct late *late = late_of(device);
    ps__late_queue *queue = &late->queues[index];
    if (notification->ticket > queue->put)
        return no_ticket(device, index, notification->ticket);
    if (!ensure_thread(late))
        return no_thread(device);
    ps__late_queue_ask(queue, notification);
    if (notification->ticket <= queue->reached)
        wake(&late->work);
    return PS_OK;
}

static ps_status late_notify(ps_device *device, unsigned index, uint64_t ticket, ps__done_fn done,
                             void *arg)
{
    ps_status status = check_queue(device, index);
    if (status != PS_OK)
        return status;
    if (!done)
        return ps__fail(PS_ERR_ARGUMENT, "notify: done is NULL");
    ps__late_notification *notification = ps__calloc(1, sizeof *notification);
    if (!notification)
        return no_memory_for_late(device);
    notification->ticket = ticket;
    notification->done = done;
    notification->arg = arg;
    struct late *late = late_of(device);
    ps__lock_take(&late->lock);
    status = put_notification(device, index, notification);
    ps__unlock(&late->lock);
    if (status != PS_OK)
        ps__free(notification);
    return status;
}

static ps_status late_synchronise(ps_device *device, unsigned index)
{
    ps_status status = check_queue(device, index);
    if (status != PS_OK)
        return status;
    struct late *late = late_of(device);
    ps__late_queue *queue = &late->queues[index];
    ps__lock_take(&late->lock);
    /* What is put on during the wait does not prolong it. */
    uint64_t last = queue->put;
    if (queue->reached < last && own_device == late)
        status = ps__fail(PS_ERR_DEADLOCK, "device %s cannot wait for itself", device->name);
    else if (queue->reached < last && !ensure_thread(late))
        status = no_thread(device);
    while (status == PS_OK && queue->reached < last)
        sleep_on(late, &late->progress, -1);
    ps__unlock(&late->lock);
    return status;
}

/* ---- Fork ------------------------------------------------------------------------------ */

/* Returns with the lock held. The thread starts nothing new while somebody holds it. */
static void late_fork_prepare(ps_device *device)
{
    struct late *late = late_of(device);
    ps__lock_take(&late->lock);
    late->holds++;
    wait_until_still(late);
    late->holds--;
}

static void late_fork_parent(ps_device *device)
{
    struct late *late = late_of(device);
    wake(&late->work);
    ps__unlock(&late->lock);
}

/* Whoever slept or waited is not in this process; nor is the thread, unless it was the one that
 * forked, from inside a work function or a notification. */
static void late_fork_child(ps_device *device)
{
    struct late *late = late_of(device);
    late->work.sleepers = 0;
    late->progress.sleepers = 0;
    late->holds = 0;
    late->running = late->arrived = own_device == late;
    if (has_unfinished(late))
        ensure_thread(late); /* if it cannot start now, the next call tries again */
    ps__unlock(&late->lock);
}

/* ---- What tests use -------------------------------------------------------------------- */

static const ps__device_table late_table = {
    .kind = "late",
    .queues = PS__LATE_QUEUES,
    .allocate = late_allocate,
    .release = late_release,
    .copy = late_copy,
    .launch = late_launch,
    .record = late_record,
    .wait_event = late_wait_event,
    .notify = late_notify,
    .synchronise = late_synchronise,
    .fork_prepare = late_fork_prepare,
    .fork_parent = late_fork_parent,
    .fork_child = late_fork_child,
};

ps_status ps__late_create(ps_device **device)
{
    if (!device)
        return ps__fail(PS_ERR_ARGUMENT, "ps__late_create: device is NULL");
    struct late *late = ps__calloc(1, sizeof *late);
    if (!late)
        return ps__fail(PS_ERR_MEMORY, "no memory for a late device");
    ps_status status = ps__device_add(&late->base, &late_table);
    if (status != PS_OK) {
        ps__free(late);
        return status;
    }
    *device = &late->base;
    return PS_OK;
}

void ps__late_set_delay(ps_device *device, unsigned queue, int64_t nanoseconds)
{
    struct late *late = late_of(device);
    if (queue >= PS__LATE_QUEUES)
        return;
    ps__lock_take(&late->lock);
    late->queues[queue].delay = nanoseconds;
    ps__unlock(&late->lock);
}

void ps__late_stop(ps_device *device)
{
    struct late *late = late_of(device);
    ps__lock_take(&late->lock);
    late->stopped = true;
    wait_until_still(late);
    ps__unlock(&late->lock);
}

void ps__late_resume(ps_device *device)
{
    struct late *late = late_of(device);
    ps__lock_take(&late->lock);
    late->stopped = false;
    if (has_unfinished(late))
        ensure_thread(late);
    wake(&late->work);
    ps__unlock(&late->lock);
}

void ps__late_fail(ps_device *device, unsigned queue, unsigned count, ps_status status)
{
    struct late *late = late_of(device);
    if (queue >= PS__LATE_QUEUES)
        return;
    ps__lock_take(&late->lock);
    late->queues[queue].fail_count = count;
    late->queues[queue].fail_status = status;
    ps__unlock(&late->lock);
}
