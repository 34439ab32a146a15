/* Running a task again that failed because the memory limit was hit while others held memory: see
 * memory_wait.c. For tasks that can be run again, and that hold no memory between two attempts. */
#ifndef PS_ENGINE_MEMORY_TURN_H
#define PS_ENGINE_MEMORY_TURN_H

#include "penstock.h"

typedef struct ps__memory_turn {
    bool listed;
    uint64_t ended;     /* how many tasks had ended when the last attempt began */
    uint64_t waiter[6]; /* memory_wait.c */
} ps__memory_turn;

/* After an attempt failed with PS_ERR_MEMORY: true when it is worth another one, after a wait.
 * False: it was alone, or is not run by a worker or helper. `turn` begins as zeroes. */
bool ps__memory_turn_next(ps_task *self, ps__memory_turn *turn);
/* After the last attempt. */
void ps__memory_turn_end(ps_task *self, ps__memory_turn *turn);

#endif
