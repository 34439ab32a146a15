/* Owning and claiming: see own.h. */
#include "engine/own.h"

#include "engine/internal.h"

#include <linux/membarrier.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
    TAKEN_MOST = 64, /* names of a thread that are taken before it makes shared storages */
    LOOKS = 1000     /* at a thread that is inside, before its processor is offered to it */
};

static bool have_barrier;   /* written once, before there is a thread's state */
static uint32_t names;      /* handed out; guarded by the registry of threads */
static uint64_t no_more[2]; /* operations of threads that have ended, of workers last; likewise */

static long membarrier(int command)
{
    return syscall(SYS_membarrier, command, 0, 0);
}

void ps__own_install(void)
{
    have_barrier = membarrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED) == 0;
}

/* A barrier in every thread of the process. */
static void barrier(void)
{
    if (membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED) == 0)
        return;
    /* In the child of a fork, where the kernel does not hand the registration on. */
    if (membarrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED) == 0 &&
        membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED) == 0)
        return;
    /* A filter of system calls that came later. To go on would be to compute something wrong. */
    fputs(
        "penstock: the system refuses membarrier, which it granted when the first tensor was made\n",
        stderr);
    abort();
}

/* ---- Names: with the registry of threads locked ------------------------------------------- */

static void set_name(ps__thread *thread, uint32_t name)
{
    ps__store(&thread->name, name); /* pairs with ps__own_enter: invariant 4 */
    ps__store(&thread->makes, name == PS__NOBODY ? PS__SHARED : name);
}

void ps__own_begin(ps__thread *thread)
{
    bool may = have_barrier && thread->taken < TAKEN_MOST && names < UINT32_MAX / 2 - 2;
    set_name(thread, may ? PS__NOBODY + 2 * ++names : PS__NOBODY);
}

void ps__own_end(ps__thread *thread)
{
    no_more[thread->worker] += ps__load(&thread->at_once); /* nobody adds any more */
}

/* After a barrier: until it has left what it was inside of. */
static void await_outside(const ps__thread *thread)
{
    uint32_t inside = ps__load_acquire(&thread->inside); /* pairs with ps__own_leave */
    if (inside % 2 == 0)
        return;
    for (int i = 0; ps__load_acquire(&thread->inside) == inside; i++) { /* likewise */
        if (i < LOOKS)
            ps__pause();
        else
            sched_yield();
    }
}

static void take_name(ps__thread *thread)
{
    thread->taken++;
    ps__own_begin(thread);
    barrier();
    await_outside(thread);
}

void ps__own_suspend(ps__thread *threads)
{
    if (!have_barrier)
        return;
    for (ps__thread *at = threads; at != NULL; at = at->next) {
        at->suspended = ps__load(&at->name);
        set_name(at, PS__NOBODY);
    }
    barrier();
    for (ps__thread *at = threads; at != NULL; at = at->next)
        if (at != ps__thread_current)
            await_outside(at);
}

void ps__own_resume(ps__thread *threads)
{
    if (!have_barrier)
        return;
    for (ps__thread *at = threads; at != NULL; at = at->next)
        set_name(at, at->suspended); /* nobody has claimed anything: the lock was held */
}

uint64_t ps__own_done(const ps__thread *threads, bool workers)
{
    uint64_t done = no_more[workers];
    for (const ps__thread *at = threads; at != NULL; at = at->next)
        if (at->worker == workers)
            done += ps__load(&at->at_once); /* a statistic */
    return done;
}

/* ---- The calling thread ------------------------------------------------------------------- */

uint32_t ps__own_new(void)
{
    const ps__thread *thread = ps__thread_get();
    /* A name that is taken away meanwhile is nobody's: the first to use it claims it. */
    return PS_LIKELY(thread != NULL) ? ps__load(&thread->makes) : PS__SHARED;
}

PS_HOT bool ps__own_enter(ps_engine *engine, uint32_t *name)
{
    ps__thread *thread = ps__thread_current;
    /* Hints: pair with nothing. */
    if (PS_UNLIKELY(thread == NULL || ps__load(&engine->over) | ps__load(&engine->closed) |
                                          ps__load(&engine->tracing)) ||
        ps__thread_is_sync(thread, engine))
        return false;
    ps__store(&thread->inside, ps__load(&thread->inside) + 1); /* its own: it is even */
    atomic_signal_fence(memory_order_seq_cst); /* the processor's part is the claimer's barrier */
    *name = ps__load(&thread->name);
    return true;
}

static inline void count(ps__thread *thread, bool done)
{
    ps__store(&thread->at_once, ps__load(&thread->at_once) + done); /* its own */
}

void ps__own_count(void)
{
    count(ps__thread_current, true); /* exists: it was inside, or had the lock */
}

PS_HOT void ps__own_leave(bool done)
{
    ps__thread *thread = ps__thread_current;
    count(thread, done);
    /* Pairs with await_outside: what was done inside is done. */
    ps__store_release(&thread->inside, ps__load(&thread->inside) + 1);
}

/* ---- Claiming ------------------------------------------------------------------------------- */

static void claim(ps__owner *owner, uint32_t found)
{
    ps__threads_lock();
    ps__thread *other = ps__threads_named(found & ~(uint32_t)PS__CLAIMED);
    if (other != NULL)
        take_name(other);
    const ps__thread *self = ps__thread_current;
    bool mine = !(found & PS__CLAIMED) && self != NULL && ps__load(&self->name) != PS__NOBODY;
    ps__store(owner, mine ? ps__load(&self->name) | PS__CLAIMED : PS__SHARED);
    ps__threads_unlock();
}

uint32_t ps__own_name(void)
{
    const ps__thread *self = ps__thread_current;
    return PS_LIKELY(self != NULL) ? ps__load(&self->name) : PS__NOBODY;
}

void ps__own_claim(ps__owner *owner)
{
    uint32_t found = ps__load(owner); /* changes under the lock only, which is held */
    if (PS_UNLIKELY(found != PS__SHARED && !ps__own_is(owner, ps__own_name())))
        claim(owner, found);
}
