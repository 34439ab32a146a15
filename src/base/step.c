/* Giving up the processor at random, before every atomic access of the testing build, so that
 * orders in which threads meet once in a million runs come up in every run.
 *
 * Off until ps__step_configure or PENSTOCK_TEST_STEP=period (read when the program starts;
 * anything but a whole number counts as off) turns it on. Nothing here may use the macros of
 * atomic.h: they call ps__step. */
#include "base/atomic.h"

#ifdef PENSTOCK_TESTING

#include <errno.h>
#include <stdlib.h>
#include <time.h>

/* Settings. A thread takes a new seed when it sees a new generation: the release increment in
 * ps__step_configure pairs with the acquire load in ps__step and publishes the seed. The
 * others stand alone: relaxed. */
static _Atomic uint32_t step_period;
static _Atomic uint32_t step_generation;
static _Atomic uint64_t step_seed;
static _Atomic uint64_t step_threads; /* how many seeds were handed out */

struct sequence {
    uint64_t state; /* never 0 once seeded */
    uint32_t generation;
};

/* Only ever touched by its own thread. */
static _Thread_local struct sequence own;

/* Spreads neighbouring seeds far apart (the finaliser of splitmix64). */
static uint64_t scramble(uint64_t x)
{
    x += UINT64_C(0x9E3779B97F4A7C15);
    x = (x ^ (x >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94D049BB133111EB);
    return x ^ (x >> 31);
}

static void take_seed(uint32_t current)
{
    uint64_t number = atomic_fetch_add_explicit(&step_threads, 1, memory_order_relaxed);
    uint64_t base = atomic_load_explicit(&step_seed, memory_order_relaxed);
    own.state = scramble(base ^ scramble(number)) | 1;
    own.generation = current;
}

static uint64_t next_random(void)
{
    own.state ^= own.state << 13;
    own.state ^= own.state >> 7;
    own.state ^= own.state << 17;
    return own.state;
}

static void nap(long nanoseconds)
{
    struct timespec length = {0, nanoseconds};
    nanosleep(&length, NULL);
}

/* Three lengths of being away: a change of threads, less than that, and more than that.
 *
 * The change of threads is the shortest nap there is, not sched_yield: that gives up the rest of a
 * time slice, milliseconds of it, to any program that wants the processor. A test that yields a
 * million times would end in a second on a quiet machine and in an hour beside busy programs. A
 * thread that comes back from a nap is owed the processor. */
static void give_way(uint64_t random)
{
    unsigned kind = random & 7;
    unsigned length = (unsigned)(random >> 3) & 511;
    if (kind < 4) {
        nap(1);
    } else if (kind < 7) {
        for (unsigned i = 0; i < length; i++)
            ps__pause();
    } else {
        nap(40 * (long)(length + 1));
    }
}

void ps__step(void)
{
    uint32_t one_in = atomic_load_explicit(&step_period, memory_order_relaxed);
    if (PS_LIKELY(one_in == 0))
        return;
    uint32_t current = atomic_load_explicit(&step_generation, memory_order_acquire);
    if (own.state == 0 || own.generation != current)
        take_seed(current);
    uint64_t random = next_random() >> 11; /* the low bits are the weak ones */
    if (random % one_in != 0)
        return;
    int kept = errno; /* a step may stand between a call and the look at its errno */
    give_way(random / one_in);
    errno = kept;
}

void ps__step_configure(uint32_t period, uint64_t seed)
{
    atomic_store_explicit(&step_seed, seed, memory_order_relaxed);
    atomic_store_explicit(&step_threads, 0, memory_order_relaxed);
    atomic_fetch_add_explicit(&step_generation, 1, memory_order_release);
    atomic_store_explicit(&step_period, period, memory_order_relaxed);
}

__attribute__((constructor)) static void configure_from_environment(void)
{
    const char *text = getenv("PENSTOCK_TEST_STEP");
    char *end = NULL;
    unsigned long one_in = text ? strtoul(text, &end, 10) : 0;
    if (text && *text && *end == '\0' && one_in <= UINT32_MAX)
        ps__step_configure((uint32_t)one_in, 1);
}

#endif
