/* The null device: memory that nobody touches and work that nobody does. Programs that use it run
 * in full but for the arithmetic: what is left is the cost of queueing. */
#ifndef PS_DEVICE_NULL_H
#define PS_DEVICE_NULL_H

#include "device/device.h"

/* Adds the device to the registry if this is its name, "null" or "null:0". There is one of it, made
 * when it is first asked for: a process that never asks has no such device in its list. */
void ps__null_offer(const char *name);

extern const ps__backend ps__null_backend; /* backend.c */

#endif
