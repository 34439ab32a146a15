/* Sleeping on a word of memory (Linux futex, private to the process). */
#ifndef PS_BASE_FUTEX_H
#define PS_BASE_FUTEX_H

#include "base/atomic.h"

typedef _Atomic uint32_t ps__word;

/* Sleeps while *word is `expected`, until woken, a signal, or the monotonic time `deadline_ns`
 * (negative: for ever). May return early: callers loop. Returns false when the deadline passed. */
bool ps__futex_wait(ps__word *word, uint32_t expected, int64_t deadline_ns);

/* Wakes up to `count` sleepers. Safe on a word whose owner may be gone: the address is only
 * compared. */
void ps__futex_wake(ps__word *word, int count);

#endif
