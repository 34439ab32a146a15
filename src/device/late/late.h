/* The late device: two queues whose work is done by a thread of the device after a delay. It
 * stands in for a GPU wherever asynchronous completion is tested. */
#ifndef PS_DEVICE_LATE_H
#define PS_DEVICE_LATE_H

#include "device/device.h"

enum { PS__LATE_QUEUES = 2 };

/* A new late device. Its thread starts with the first work put on it. */
ps_status ps__late_create(ps_device **device);

/* How long each piece of work put on the queue from now on takes. Starts at 0. */
void ps__late_set_delay(ps_device *device, unsigned queue, int64_t nanoseconds);

/* While stopped nothing on the device makes progress: tests decide when it goes on. */
void ps__late_stop(ps_device *device);
void ps__late_resume(ps_device *device);

/* The next `count` pieces of work that the queue finishes run and then count as failed: the first
 * ticket recorded at or after such a piece is notified with `status`. */
void ps__late_fail(ps_device *device, unsigned queue, unsigned count, ps_status status);

#endif
