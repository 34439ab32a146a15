/* Atomic operations as the library uses them.
 *
 * C11 atomics under short names, so that the testing build can give up the processor at random
 * before each of them (PENSTOCK_TESTING): most orders in which threads can meet then really
 * happen. Every use says beside it which access it pairs with. */
#ifndef PS_BASE_ATOMIC_H
#define PS_BASE_ATOMIC_H

#include "base/hints.h"
#include "base/virtual.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#ifdef PENSTOCK_TESTING
void ps__step(void);
/* One in `period` steps gives way; 0 turns it off. Each thread has a random sequence of its own. */
void ps__step_configure(uint32_t period, uint64_t seed);
#else
static inline void ps__step(void) {}
#endif

#define ps__load(p) (ps__step(), atomic_load_explicit((p), memory_order_relaxed))
#define ps__load_acquire(p) (ps__step(), atomic_load_explicit((p), memory_order_acquire))
#define ps__store(p, v) (ps__step(), atomic_store_explicit((p), (v), memory_order_relaxed))
#define ps__store_release(p, v) (ps__step(), atomic_store_explicit((p), (v), memory_order_release))
#define ps__add(p, v) (ps__step(), atomic_fetch_add_explicit((p), (v), memory_order_relaxed))
#define ps__add_acq_rel(p, v)                                                                      \
    (ps__step(), atomic_fetch_add_explicit((p), (v), memory_order_acq_rel))
#define ps__sub_acq_rel(p, v)                                                                      \
    (ps__step(), atomic_fetch_sub_explicit((p), (v), memory_order_acq_rel))
#define ps__or_acq_rel(p, v) (ps__step(), atomic_fetch_or_explicit((p), (v), memory_order_acq_rel))
#define ps__exchange(p, v) (ps__step(), atomic_exchange_explicit((p), (v), memory_order_acq_rel))
#define ps__cas(p, expected, desired)                                                              \
    (ps__step(),                                                                                   \
     atomic_compare_exchange_strong_explicit((p), (expected), (desired), memory_order_acq_rel,     \
                                             memory_order_acquire))

/* Gives up one of a count's; true: it was the last. A count of 1 is the caller's own: since only
 * those who have one can raise it, nobody does, and no exclusive access is needed. */
static inline bool ps__count_end(_Atomic uint32_t *count)
{
    /* Both pair with the releases of the others: the last one sees all that they did. */
    return ps__load_acquire(count) == 1 || ps__sub_acq_rel(count, 1u) == 1;
}

static inline void ps__pause(void)
{
#ifdef PENSTOCK_TESTING
    if (ps__virtual_on()) {
        ps__virtual_pause_slow();
        return;
    }
#endif
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

/* One turn, or in virtual time up to `most`, of a loop that waits for *word to change and looks at it
 * before each. Whoever changes it gives back a lock or calls ps__futex_wake. Returns how many. */
static inline unsigned ps__spin(const _Atomic uint32_t *word, unsigned most)
{
#ifdef PENSTOCK_TESTING
    if (ps__virtual_on())
        return ps__virtual_spin_slow(word, most);
#endif
    (void)word;
    (void)most;
    ps__pause();
    return 1;
}

#endif
