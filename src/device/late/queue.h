/* One queue of the late device: items in order, the tickets they take, who is to be told, and
 * which tickets have failed. Plain data: everything here is called under the device's lock. */
#ifndef PS_DEVICE_LATE_QUEUE_H
#define PS_DEVICE_LATE_QUEUE_H

#include "device/device.h"

typedef enum ps__late_kind { PS__LATE_WORK, PS__LATE_COPY, PS__LATE_WAIT } ps__late_kind;

typedef struct ps__late_item {
    struct ps__late_item *next;
    ps__late_kind kind;
    bool recorded; /* a ticket was given out for all up to here */
    int64_t delay; /* nanoseconds from reaching the front */
    int64_t due;   /* when it may run, once it is at the front; 0: at once */
    /* PS__LATE_WORK */
    ps__work_fn work;
    void *arg;
    /* PS__LATE_COPY */
    void *to;
    const void *from;
    size_t bytes;
    /* PS__LATE_WAIT: for `ticket` of queue `on`. A failed item keeps here which ticket it fails,
     * and with which status. */
    unsigned on;
    uint64_t ticket;
    ps_status status;
} ps__late_item;

typedef struct ps__late_notification {
    struct ps__late_notification *next;
    uint64_t ticket;
    ps__done_fn done;
    void *arg;
} ps__late_notification;

typedef struct ps__late_notifications {
    ps__late_notification *first, *last;
} ps__late_notifications;

typedef struct ps__late_items {
    ps__late_item *first, *last;
} ps__late_items;

/* Zeroed is empty. */
typedef struct ps__late_queue {
    ps__late_items items;
    ps__late_notifications notifications;
    uint64_t put;     /* ticket of the last item put on */
    uint64_t reached; /* ticket of the last item finished */
    int64_t delay;    /* for items put on from now on */

    unsigned fail_count; /* this many more pieces of work fail */
    ps_status fail_status;
    ps__late_item *unrecorded; /* the oldest failed item since the last recorded ticket, or NULL */
    ps__late_items failed;     /* items whose `status` waits for the notification of `ticket` */
} ps__late_queue;

/* Takes the item over. */
void ps__late_queue_put(ps__late_queue *queue, ps__late_item *item);
/* Takes the front item off, which has run. */
void ps__late_queue_finish(ps__late_queue *queue);

/* The ticket for all that is on the queue now. */
uint64_t ps__late_queue_record(ps__late_queue *queue);

/* Takes the notification over. */
void ps__late_queue_ask(ps__late_queue *queue, ps__late_notification *notification);
/* Gives the next notification whose ticket is reached, and its status; NULL if there is none. */
ps__late_notification *ps__late_queue_tell(ps__late_queue *queue, ps_status *status);

#endif
