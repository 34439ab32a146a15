/* One queue of the late device.
 *
 * Failures: a piece of work chosen to fail runs all the same and then counts as failed. The
 * failure belongs to the first ticket that is recorded at or after that piece, since whoever
 * records a ticket does so after the last of the pieces that make up one task; of several the
 * oldest counts. The first notification for that ticket gets it.
 *
 * Invariants:
 *   1. The items are the tickets reached + 1 ... put, in that order.
 *   2. Notifications are sorted by ticket, among equals by age.
 *   3. Failed items are sorted by ticket, no two for the same one. */
#include "device/late/queue.h"

#include "base/alloc.h"
#include "base/clock.h"

/* ---- Items ----------------------------------------------------------------------------- */

static void append(ps__late_items *list, ps__late_item *item)
{
    item->next = NULL;
    if (list->last)
        list->last->next = item;
    else
        list->first = item;
    list->last = item;
}

static ps__late_item *take_first(ps__late_items *list)
{
    ps__late_item *item = list->first;
    list->first = item->next;
    if (!list->first)
        list->last = NULL;
    return item;
}

/* Starts the clock of the item that is now at the front. */
static void front_reached(ps__late_queue *queue)
{
    ps__late_item *item = queue->items.first;
    if (!item || item->delay <= 0)
        return;
    int64_t now = ps__now_ns();
    item->due = item->delay > INT64_MAX - now ? INT64_MAX : now + item->delay;
}

void ps__late_queue_put(ps__late_queue *queue, ps__late_item *item)
{
    item->delay = queue->delay;
    append(&queue->items, item);
    queue->put++;
    if (queue->items.first == item)
        front_reached(queue);
}

/* ---- Failures -------------------------------------------------------------------------- */

/* Gives the failure of the pieces since the last recorded ticket to the one recorded now. */
static void settle_failure(ps__late_queue *queue)
{
    ps__late_item *item = queue->unrecorded;
    if (!item)
        return;
    item->ticket = queue->reached;
    append(&queue->failed, item);
    queue->unrecorded = NULL;
}

static bool chosen_to_fail(ps__late_queue *queue, const ps__late_item *item)
{
    if (item->kind == PS__LATE_WAIT || queue->fail_count == 0)
        return false;
    queue->fail_count--;
    return true;
}

/* The status of a ticket that is reached. */
static ps_status take_failure(ps__late_queue *queue, uint64_t ticket)
{
    ps__late_item *before = NULL, *item = queue->failed.first;
    while (item && item->ticket < ticket) { /* they are in ticket order */
        before = item;
        item = item->next;
    }
    if (!item || item->ticket != ticket)
        return PS_OK;
    if (before)
        before->next = item->next;
    else
        queue->failed.first = item->next;
    if (queue->failed.last == item)
        queue->failed.last = before;
    ps_status status = item->status;
    ps__free(item);
    return status;
}

void ps__late_queue_finish(ps__late_queue *queue)
{
    ps__late_item *item = take_first(&queue->items);
    bool recorded = item->recorded;
    queue->reached++;
    if (chosen_to_fail(queue, item) && !queue->unrecorded) {
        item->status = queue->fail_status;
        queue->unrecorded = item;
    } else {
        ps__free(item);
    }
    if (recorded)
        settle_failure(queue);
    front_reached(queue);
}

/* ---- Tickets --------------------------------------------------------------------------- */

uint64_t ps__late_queue_record(ps__late_queue *queue)
{
    if (queue->items.last)
        queue->items.last->recorded = true;
    else
        settle_failure(queue);
    return queue->put;
}

/* Mostly for the last ticket of all: no search then. */
void ps__late_queue_ask(ps__late_queue *queue, ps__late_notification *notification)
{
    ps__late_notifications *list = &queue->notifications;
    ps__late_notification **at = &list->first;
    if (list->last && list->last->ticket <= notification->ticket)
        at = &list->last->next;
    while (*at && (*at)->ticket <= notification->ticket)
        at = &(*at)->next;
    notification->next = *at;
    *at = notification;
    if (!notification->next)
        list->last = notification;
}

ps__late_notification *ps__late_queue_tell(ps__late_queue *queue, ps_status *status)
{
    ps__late_notifications *list = &queue->notifications;
    ps__late_notification *notification = list->first;
    if (!notification || notification->ticket > queue->reached)
        return NULL;
    list->first = notification->next;
    if (!list->first)
        list->last = NULL;
    *status = take_failure(queue, notification->ticket);
    return notification;
}
