/* The nodes that a walk has come to: found by address, and waiting for their turns by falling serial. */
#ifndef PS_AUTOGRAD_VISITS_H
#define PS_AUTOGRAD_VISITS_H

#include "autograd/node.h"

typedef struct ps__visit ps__visit;
struct ps__visit {
    ps__node *node;    /* a reference */
    ps_tensor **sums;  /* what has flowed to each output so far, or NULL; owned */
    size_t number;     /* in the order in which nodes were come to */
    bool leads;        /* to something that was asked for */
    ps__visit *higher; /* in a list by rising serial */
};

/* All zero at first. */
typedef struct ps__visits {
    ps__visit **slots; /* by the address of the node; open addressing */
    size_t room, count;
    ps__visit **heap; /* the highest serial first; of the same serial, who came first */
    size_t waiting;
} ps__visits;

/* The visit of a node, which waits for its turn from the first time on. NULL, with an error noted, if
 * there is no memory. */
ps__visit *ps__visits_add(ps__visits *visits, ps__node *node);
/* NULL if nobody has come to it. */
ps__visit *ps__visits_find(const ps__visits *visits, const ps__node *node);
/* Whose turn it is, of those that wait; and waiting once more. */
ps__visit *ps__visits_next(ps__visits *visits);
void ps__visits_wait(ps__visits *visits, ps__visit *visit);
/* Gives up all of them. */
void ps__visits_end(ps__visits *visits);

#endif
