/* What is shared with the graph's layer: see graph.h. */
#include "tensor/graph.h"

#include <pthread.h>

_Atomic(const ps__graph_table *) ps__graph_hooks;
ps__lock ps__graph_lock;

/* Nobody waits for anything while he has the lock, so the thread that forks gets it. */
static void before_fork(void)
{
    ps__lock_take(&ps__graph_lock);
}

static void after_fork(void)
{
    ps__unlock(&ps__graph_lock);
}

void ps__graph_hook(const ps__graph_table *table)
{
    static _Atomic bool begun;
    if (!ps__exchange(&begun, true)) /* pairs with itself */
        pthread_atfork(before_fork, after_fork, after_fork);
    ps__store_release(&ps__graph_hooks, table); /* pairs with the acquire where it is used */
}
