/* A kind of device that runs nothing but kernels of its own, on a copy of memory of its own: the
 * addresses that it gives out cannot be touched, so whoever works on them as if they were the CPU's
 * is found out at once. It knows float32 and two kinds of work: elementwise programs of a few
 * primitives, and fills. */
#ifndef PS_TEST_OPS_TOY_H
#define PS_TEST_OPS_TOY_H

#include "penstock.h"

typedef struct toy_counts {
    unsigned maps, fills, copies, transfers;
} toy_counts;

ps_device *toy_device(void);
toy_counts toy_counted(void); /* so far */

#endif
