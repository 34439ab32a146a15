/* Locks that are held over a fork, so that no thread that the child does not have is inside.
 *
 * For locks of layers above the engine, which are leaves or are taken in the order of their ranks:
 * whoever has one takes no engine's lock and waits for nobody. Registered before the first use, by a
 * constructor that PS__FORK_LOCK makes. */
#ifndef PS_BASE_FORK_LOCK_H
#define PS_BASE_FORK_LOCK_H

#include "base/lock.h"

typedef struct ps__fork_lock {
    ps__lock lock; /* first */
    unsigned rank;
    struct ps__fork_lock *next; /* of a higher rank, or the same */
} ps__fork_lock;

/* Who takes one while it has another takes that of the higher rank second. */
enum {
    PS__RANK_GRADIENTS, /* gradients of rows */
    PS__RANK_TABLE,     /* rows, at the first use of the table */
    PS__RANK_ROWS,      /* rows that are added */
    PS__RANK_PLANS,     /* what rows compile to */
    PS__RANK_GRAPH,     /* which node made which tensor */
    PS__RANK_LOCATIONS  /* places of two lines */
};

void ps__fork_lock_register(ps__fork_lock *lock, unsigned rank);

void ps__fork_locks_take(void);
void ps__fork_locks_give(void);

#define PS__FORK_LOCK(name, rank)                                                                  \
    ps__fork_lock name;                                                                            \
    __attribute__((constructor)) static void name##_register(void)                                 \
    {                                                                                              \
        ps__fork_lock_register(&name, rank);                                                       \
    }

#endif
