/* Workers that stand still: what is queued meanwhile stays where it is until the thread that queued
 * it waits, or until they go on. Which operations meet in a window, and so which of them are joined,
 * is then a fact about the program and not about who was quicker. */
#ifndef PS_TEST_OPS_WORKERS_H
#define PS_TEST_OPS_WORKERS_H

#include "penstock.h"

/* All workers of the default engine are inside a task when it returns, and stay there. Loops go on
 * without them. Not for synchronous mode, where the task would run here. */
void workers_stop(void);
/* Lets them go on; returns when all have left their task. */
void workers_go_on(void);

#endif
