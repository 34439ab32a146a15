/* What one thread uses alone, it uses without the engine's lock.
 *
 * Nearly every tensor is used by the thread that made it, and by tasks. The lock then keeps nobody out
 * of anything: tasks are told by counts that can be read without it. So each storage names its owner,
 * and the owner does short work on it at the call (at_once.h) after a look at the name. A thread that
 * finds another's name has to take the lock and claim the storage first.
 *
 * Invariants
 *   1. An owner is PS__SHARED, which is for good, or a name. A name is one thread's until it is taken
 *      away, and nobody's after that: numbers are not used again.
 *   2. After a storage is made, its owner changes only under the engine's lock (ps__own_claim).
 *   3. A thread works on a storage without the lock only while its own `inside` is odd, and only if the
 *      storage's owner was, when it looked after that, the name that it had, when it looked after that.
 *   4. To take a name away is to give the thread another one, to put a memory barrier into every thread
 *      of the process, and to wait until the thread has left what it was inside of. Either it sees the
 *      new name, or it is seen to be inside. Its own path needs no barrier for that: that of the thread
 *      that claims is one for both.
 *   5. Who is inside takes no lock, waits for nothing, and calls nothing that may. So whoever claims,
 *      also with locks in hand, gets on.
 *   6. Under the lock everybody may use what is his own or shared, and must claim all else. What is his
 *      own stays so while he has the lock.
 *
 * A storage goes to the thread that claims it first, since tensors are often made by one thread for
 * another, and is shared when it is claimed again. A thread whose names are taken again and again makes
 * shared ones from then on. Where the system has no such barrier everything is shared. */
#ifndef PS_ENGINE_OWN_H
#define PS_ENGINE_OWN_H

#include "base/atomic.h"
#include "penstock.h"

typedef _Atomic uint32_t ps__owner; /* a name, PS__CLAIMED or not; or PS__SHARED */

enum {
    PS__SHARED = 0,
    PS__CLAIMED = 1, /* it is not who made it */
    PS__NOBODY = 2   /* a name that owns nothing */
};

/* The owner of what the calling thread makes now. */
uint32_t ps__own_new(void);

/* Goes inside, and tells this thread's name. False, and outside, where short work is not to be done at
 * the call now: see ps__at_once_begin. */
bool ps__own_enter(ps_engine *engine, uint32_t *name);
/* `done`: counts an operation. */
void ps__own_leave(bool done);
/* Counts one that was done outside. */
void ps__own_count(void);

static inline bool ps__own_is(const ps__owner *owner, uint32_t name)
{
    return (ps__load(owner) & ~(uint32_t)PS__CLAIMED) == name; /* pairs with ps__own_claim: 4 */
}

/* Under the engine's lock: makes sure that the calling thread may use it under the lock. */
void ps__own_claim(ps__owner *owner);
/* The same for several: the thread's name, which lasts as long as it has the lock, is asked for once. */
uint32_t ps__own_name(void);
static inline void ps__own_claim_as(ps__owner *owner, uint32_t name)
{
    if (PS_UNLIKELY(ps__load(owner) != PS__SHARED && !ps__own_is(owner, name)))
        ps__own_claim(owner);
}

#endif
