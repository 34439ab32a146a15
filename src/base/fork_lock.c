/* The list of locks that a fork takes: see fork_lock.h. Constructors write it, before there are
 * threads of ours; then it is constant. */
#include "base/fork_lock.h"

#include <stddef.h>

static ps__fork_lock *first;

void ps__fork_lock_register(ps__fork_lock *lock, unsigned rank)
{
    ps__fork_lock **at = &first;
    while (*at != NULL && (*at)->rank <= rank)
        at = &(*at)->next;
    lock->rank = rank;
    lock->next = *at;
    *at = lock;
}

void ps__fork_locks_take(void)
{
    for (ps__fork_lock *each = first; each != NULL; each = each->next)
        ps__lock_take(&each->lock);
}

/* In the child somebody may be noted as asleep who is not there: waking nobody does no harm. */
void ps__fork_locks_give(void)
{
    for (ps__fork_lock *each = first; each != NULL; each = each->next)
        ps__unlock(&each->lock);
}
