/* What devices without queues share. Their work is done when a call returns, so every ticket is
 * reached when it is recorded and a notification comes at once; their memory is the host's. */
#ifndef PS_DEVICE_IMMEDIATE_H
#define PS_DEVICE_IMMEDIATE_H

#include "device/device.h"

void *ps__immediate_allocate(ps_device *device, size_t bytes, size_t alignment);
void ps__immediate_release(ps_device *device, void *memory, size_t bytes);
ps_status ps__immediate_record(ps_device *device, unsigned queue, uint64_t *ticket);
ps_status ps__immediate_wait_event(ps_device *device, unsigned queue, unsigned on, uint64_t ticket);
ps_status ps__immediate_notify(ps_device *device, unsigned queue, uint64_t ticket, ps__done_fn done,
                               void *arg);
ps_status ps__immediate_synchronise(ps_device *device, unsigned queue);

#endif
