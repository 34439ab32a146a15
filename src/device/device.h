/* What every kind of device provides: one table of functions.
 *
 * A queue of a device is named by its index. Work put on a queue runs in order; an event is a
 * point in a queue, named by a ticket: tickets of one queue grow, so waiting for one waits for
 * all earlier ones. All functions may be called from any thread. */
#ifndef PS_DEVICE_DEVICE_H
#define PS_DEVICE_DEVICE_H

#include "penstock.h"

#define PS__DEVICE_QUEUES 4u

/* How a kind of device does the work of operations: backend/backend.h. */
typedef struct ps__backend ps__backend;

typedef void (*ps__work_fn)(void *arg);
typedef void (*ps__done_fn)(void *arg, ps_status status);

typedef struct ps__device_table {
    const char *kind;
    unsigned queues;            /* 1 .. PS__DEVICE_QUEUES; 0: work is done by the calling thread */
    const ps__backend *backend; /* NULL: the CPU's */
    bool forgets;               /* what is written to its memory is not kept: it reads as zeros */

    /* Raw memory in large pieces, aligned to `alignment` (a power of two, at least 4096), for the
     * pools to divide; NULL when there is none. */
    void *(*allocate)(ps_device *device, size_t bytes, size_t alignment);
    void (*release)(ps_device *device, void *memory, size_t bytes);

    ps_status (*copy)(ps_device *device, unsigned queue, void *to, const void *from, size_t bytes);
    /* Puts a function on the queue. NULL: it runs no C functions, so its backend puts work there. */
    ps_status (*launch)(ps_device *device, unsigned queue, ps__work_fn work, void *arg);
    /* A ticket for all that is on the queue now. */
    ps_status (*record)(ps_device *device, unsigned queue, uint64_t *ticket);
    /* Work put on `queue` from now on waits for `ticket` of queue `on`. */
    ps_status (*wait_event)(ps_device *device, unsigned queue, unsigned on, uint64_t ticket);
    /* Calls done(arg, status) once, from a thread of the device, when the ticket is reached. If
     * one ticket was reached before another, of whichever queue, and was asked for before the
     * other's work was put on the device, its call returns before the other's begins. */
    ps_status (*notify)(ps_device *device, unsigned queue, uint64_t ticket, ps__done_fn done,
                        void *arg);
    /* Blocks until the queue is empty. */
    ps_status (*synchronise)(ps_device *device, unsigned queue);

    /* Around fork: hold still; go on in the parent; go on in the child, whose only thread is
     * the caller. NULL where there is nothing to do. */
    void (*fork_prepare)(ps_device *device);
    void (*fork_parent)(ps_device *device);
    void (*fork_child)(ps_device *device);
} ps__device_table;

struct ps_device {
    const ps__device_table *table;
    char name[32];
    ps_device *next; /* in the registry; set by ps__device_add, never changed after */
};

/* Adds a device to what ps_device_find knows; it stays for the life of the process. The first
 * device of a kind is found as "kind" and "kind:0", further ones as "kind:1", ... */
ps_status ps__device_add(ps_device *device, const ps__device_table *table);
/* The device of that number; NULL if there is none: see ps_device_number. */
ps_device *ps__device_numbered(unsigned number);
/* Calls fn for every known device. */
void ps__device_each(void (*fn)(ps_device *device));

/* The CPU: always there. It has further names, "cpu:1" and so on, for programs that tell several
 * apart: devices over the same memory. */
enum { PS__CPU_NAMES = 64 };
ps_device *ps__device_cpu(void);
ps_device *ps__device_cpu_named(const char *name);      /* "cpu:3"; NULL if it is none of these */
ps_device *ps__device_cpu_at(unsigned index);           /* below PS__CPU_NAMES */
unsigned ps__device_cpu_index(const ps_device *device); /* PS__CPU_NAMES if it is not the CPU */
bool ps__device_is_host(const ps_device *device);       /* whether it is the CPU, by any name */

#endif
