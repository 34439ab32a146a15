/* Who may use what a node has saved.
 *
 * The first walk that does not retain the saves claims them; those that came before it may still
 * be at work. The last of all of these to leave drops them, and nobody comes in any more. */
#ifndef PS_AUTOGRAD_SAVES_H
#define PS_AUTOGRAD_SAVES_H

#include "base/atomic.h"

/* How many walks use them, and in the top bit whether they are claimed. */
typedef _Atomic uint32_t ps__saves_word;

#define PS__SAVES_CLAIMED (UINT32_C(1) << 31)

/* False: they are gone, or about to. */
static inline bool ps__saves_enter(ps__saves_word *word, bool retain)
{
    uint32_t now = ps__load(word), claim = retain ? 0 : PS__SAVES_CLAIMED;
    do
        if (now & PS__SAVES_CLAIMED)
            return false;
    while (!ps__cas(word, &now, (now + 1) | claim)); /* pairs with the others' leaving */
    return true;
}

/* True: the caller drops them. */
static inline bool ps__saves_leave(ps__saves_word *word)
{
    return ps__sub_acq_rel(word, 1u) == PS__SAVES_CLAIMED + 1; /* the last one sees all they did */
}

#endif
