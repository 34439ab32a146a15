/* The baton, the clocks and the cores of virtual time: see virtual.h.
 *
 * Invariants
 *   1. All that is here is guarded by the baton, but for `turn`: the thread that runs has it, and
 *      hands it on by a release store to the other's `turn`, which that one acquires.
 *   2. The thread that runs has a core and is READY. Of all that are READY, or whose sleep or spin
 *      ends at a known time, it had the earliest time when it was chosen.
 *   3. A thread SLEEPS or SPINS on `word`, or is QUEUED for a core, only while another has the baton.
 *      Who is SPINNING has a core, who SLEEPS or is QUEUED has none.
 *   4. Cores are free only while nobody is QUEUED.
 *
 * Nothing here may use the macros of atomic.h, locks or futexes of the library: they come here. */
#include "base/virtual.h"

#ifdef PENSTOCK_TESTING

#include "base/virtual_records.h"

#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#define NEVER INT64_MAX
#define BEGINNING INT64_C(1000000000) /* clocks do not begin at 0, which may mean "not yet" */
#define CORE_BITS 11
#define CORES_MAX 1024u

typedef enum state { READY, SLEEPING, SPINNING, QUEUED } state;

struct ps__virtual_thread {
    _Atomic uint32_t turn; /* 1: it has the baton, and does not know it yet */
    state state;
    bool expired;    /* its sleep ended by the deadline */
    uint32_t core;   /* from 1 on; 0: none */
    uint32_t wanted; /* the core that it had last */
    unsigned rounds; /* of destructors: see leave_last */
    int64_t clock;   /* READY, QUEUED */
    int64_t since;   /* SLEEPING, SPINNING: when that began */
    int64_t until;   /* and when it ends by itself; or NEVER */
    int64_t slice;   /* when others may have its core */
    int64_t slept;   /* in all */
    int64_t spun;
    uint64_t arrival; /* orders those who sleep on a word, or wait for a core */
    const _Atomic uint32_t *word;
    void *(*body)(void *);
    void *arg;
    struct ps__virtual_thread *next; /* in the order in which they were started */
};

__thread ps__virtual_thread *ps__virtual_self __attribute__((tls_model("initial-exec")));

static ps__virtual_thread *threads, **threads_tail = &threads;
static ps__virtual_costs costs;
static ps__virtual_counts counts;
static unsigned queued;   /* threads that are */
static uint64_t arrivals; /* counter */
static uint32_t run;      /* counter: of ps__virtual_begin */
static bool core_taken[CORES_MAX + 1];
static unsigned cores;
static pthread_key_t leave_key;
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* ---- The baton ------------------------------------------------------------------------- */

static void stop(const char *why)
{
    static const char *const names[] = {"ready", "asleep", "spinning", "waiting for a core"};
    fprintf(stderr, "virtual time: %s\n", why);
    unsigned number = 0;
    for (const ps__virtual_thread *at = threads; at != NULL; at = at->next, number++)
        fprintf(stderr, "  thread %u: %s, clock %lld, core %u, word %p\n", number, names[at->state],
                (long long)at->clock, at->core, (const void *)at->word);
    abort();
}

static void hand_to(ps__virtual_thread *other)
{
    counts.switches++;
    atomic_store_explicit(&other->turn, 1, memory_order_release); /* pairs with await_turn */
    syscall(SYS_futex, &other->turn, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

static void await_turn(ps__virtual_thread *self)
{
    while (atomic_load_explicit(&self->turn, memory_order_acquire) == 0) /* pairs with hand_to */
        syscall(SYS_futex, &self->turn, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0);
    atomic_store_explicit(&self->turn, 0, memory_order_relaxed); /* its own until it hands on */
}

/* ---- Cores ----------------------------------------------------------------------------- */

static void give_core(ps__virtual_thread *thread, uint32_t core, int64_t now)
{
    core_taken[core] = true;
    thread->core = thread->wanted = core;
    if (thread->clock < now)
        thread->clock = now;
    thread->slice = thread->clock + costs.slice;
    thread->state = READY;
}

static ps__virtual_thread *first_queued(void)
{
    ps__virtual_thread *first = NULL;
    for (ps__virtual_thread *at = threads; at != NULL; at = at->next)
        if (at->state == QUEUED && (first == NULL || at->arrival < first->arrival))
            first = at;
    return first;
}

static void leave_core(ps__virtual_thread *thread)
{
    uint32_t core = thread->core;
    thread->core = 0;
    core_taken[core] = false;
    if (queued == 0)
        return;
    queued--;
    give_core(first_queued(), core, thread->clock);
}

/* The one it had last, if that is free: what it touched is there. 0: none is. */
static uint32_t free_core(const ps__virtual_thread *thread)
{
    if (thread->wanted != 0 && !core_taken[thread->wanted])
        return thread->wanted;
    for (uint32_t core = 1; core <= cores; core++)
        if (!core_taken[core])
            return core;
    return 0;
}

static void join_queue(ps__virtual_thread *thread)
{
    thread->state = QUEUED;
    thread->arrival = ++arrivals;
    queued++;
    counts.queued++;
}

/* ---- Whose turn it is ------------------------------------------------------------------ */

static int64_t time_of(const ps__virtual_thread *thread)
{
    return thread->state == READY ? thread->clock : thread->state == QUEUED ? NEVER : thread->until;
}

static ps__virtual_thread *earliest(void)
{
    ps__virtual_thread *first = NULL;
    int64_t least = NEVER;
    for (ps__virtual_thread *at = threads; at != NULL; at = at->next) {
        int64_t time = time_of(at);
        if (time < least) {
            least = time;
            first = at;
        }
    }
    return first;
}

/* A sleep or a spin has come to its end. */
static void expire(ps__virtual_thread *thread)
{
    thread->clock = thread->until + (thread->state == SLEEPING ? costs.timer : 0);
    thread->expired = true;
    thread->state = READY;
}

/* The next to run, with a core. */
static ps__virtual_thread *choose(void)
{
    for (;;) {
        ps__virtual_thread *first = earliest();
        if (first == NULL)
            stop("nobody can go on: a wake was lost");
        if (first->state != READY) {
            expire(first);
        } else if (first->core != 0) {
            return first;
        } else {
            uint32_t core = free_core(first);
            if (core != 0)
                give_core(first, core, first->clock);
            else
                join_queue(first);
        }
    }
}

static void run_next(ps__virtual_thread *self)
{
    ps__virtual_thread *next = choose();
    if (next == self)
        return;
    hand_to(next);
    await_turn(self);
}

void ps__virtual_pass_slow(void)
{
    ps__virtual_thread *self = ps__virtual_self;
    if (self->clock >= self->slice) {
        self->slice = self->clock + costs.slice;
        if (queued != 0) {
            leave_core(self); /* somebody waits: gets it */
            join_queue(self);
        }
    }
    run_next(self);
}

/* ---- Time ------------------------------------------------------------------------------ */

static void spend(int64_t ns)
{
    ps__virtual_self->clock += ns;
}

int64_t ps__virtual_time(void)
{
    return ps__virtual_self->clock;
}

unsigned ps__virtual_core(void)
{
    return ps__virtual_self->core - 1;
}

void ps__virtual_charge(int64_t ns)
{
    spend(ns);
    ps__virtual_pass_slow();
}

int64_t ps__virtual_now_slow(void)
{
    ps__virtual_charge(costs.clock);
    return ps__virtual_self->clock;
}

void ps__virtual_pause_slow(void)
{
    ps__virtual_charge(costs.pause);
}

ps__virtual_counts ps__virtual_counted(void)
{
    ps__virtual_counts all = counts;
    all.slept = ps__virtual_self->slept;
    all.spun = ps__virtual_self->spun;
    return all;
}

/* ---- Spinning -------------------------------------------------------------------------- */

/* Turns of a loop that looks at the word and pauses, at most so many, until somebody says that the
 * word has changed. Only they count: nobody runs for each of them. */
unsigned ps__virtual_spin_slow(const _Atomic uint32_t *word, unsigned most)
{
    ps__virtual_thread *self = ps__virtual_self;
    self->since = self->clock;
    self->until = self->clock + (int64_t)most * costs.pause;
    self->word = word;
    self->state = SPINNING;
    run_next(self);
    self->word = NULL;
    self->spun += self->clock - self->since;
    return (unsigned)((self->clock - self->since) / costs.pause);
}

/* When a spinning thread looks next. */
static int64_t next_look(const ps__virtual_thread *thread, int64_t now)
{
    int64_t turns = now <= thread->since ? 1 : (now - thread->since) / costs.pause + 1;
    int64_t look = thread->since + turns * costs.pause;
    return look < thread->until ? look : thread->until;
}

static void end_spin(ps__virtual_thread *thread, int64_t now)
{
    thread->clock = next_look(thread, now);
    thread->state = READY;
}

static unsigned spinners(const _Atomic uint32_t *word)
{
    unsigned count = 0;
    for (const ps__virtual_thread *at = threads; at != NULL; at = at->next)
        count += at->state == SPINNING && at->word == word;
    return count;
}

/* ---- Locks ----------------------------------------------------------------------------- */

/* Locks outlive a run: what one has left in them means nothing to the next. */
void ps__virtual_taken_slow(uint32_t *last)
{
    uint32_t holder = run << CORE_BITS | ps__virtual_self->core;
    bool moved = *last != holder && *last >> CORE_BITS == run;
    spend(moved ? costs.lock_moved : costs.lock);
    *last = holder;
}

void ps__virtual_line_slow(void)
{
    spend(costs.record_moved);
    ps__virtual_pass_slow();
}

/* The first that looks gets it; the others would find it taken again. */
void ps__virtual_freed_slow(const _Atomic uint32_t *word)
{
    ps__virtual_thread *first = NULL;
    int64_t now = ps__virtual_self->clock, least = NEVER;
    for (ps__virtual_thread *at = threads; at != NULL; at = at->next) {
        if (at->state != SPINNING || at->word != word || next_look(at, now) >= least)
            continue;
        least = next_look(at, now);
        first = at;
    }
    if (first == NULL)
        return;
    int64_t handing = costs.lock_handed + costs.lock_crowd * (int64_t)(spinners(word) - 1);
    end_spin(first, now + handing);
}

/* ---- Sleeping -------------------------------------------------------------------------- */

bool ps__virtual_wait(const _Atomic uint32_t *word, uint32_t expected, int64_t deadline_ns)
{
    ps__virtual_thread *self = ps__virtual_self;
    ps__virtual_charge(costs.sleep);
    if (atomic_load_explicit(word, memory_order_relaxed) != expected)
        return true;
    if (deadline_ns >= 0 && deadline_ns <= self->clock)
        return false;
    counts.sleeps++;
    self->since = self->clock;
    self->until = deadline_ns >= 0 ? deadline_ns : NEVER;
    self->expired = false;
    self->word = word;
    self->arrival = ++arrivals;
    self->state = SLEEPING;
    leave_core(self);
    run_next(self);
    self->word = NULL;
    self->slept += self->clock - self->since;
    return !self->expired;
}

static ps__virtual_thread *first_asleep(const _Atomic uint32_t *word)
{
    ps__virtual_thread *first = NULL;
    for (ps__virtual_thread *at = threads; at != NULL; at = at->next)
        if (at->state == SLEEPING && at->word == word &&
            (first == NULL || at->arrival < first->arrival))
            first = at;
    return first;
}

/* Also ends the spins of those who look at the word before they sleep. Returns how many it woke. */
int ps__virtual_wake(const _Atomic uint32_t *word, int count)
{
    ps__virtual_pass_slow();
    int64_t now = ps__virtual_self->clock;
    for (ps__virtual_thread *at = threads; at != NULL; at = at->next)
        if (at->state == SPINNING && at->word == word)
            end_spin(at, now);
    int woken = 0;
    for (ps__virtual_thread *at; woken < count && (at = first_asleep(word)) != NULL; woken++) {
        spend(costs.wake);
        at->clock = now + (now - at->since <= costs.shallow ? costs.wake_shallow : costs.wake_deep);
        at->state = READY;
    }
    counts.wakes += (uint64_t)woken;
    if (woken == 0)
        spend(costs.wake_nobody);
    return woken;
}

unsigned ps__virtual_cores(void)
{
    return cores;
}

/* ---- Tasks ----------------------------------------------------------------------------- */

void ps__virtual_push_slow(const void *record)
{
    uint32_t core = ps__virtual_self->core;
    ps__virtual_record *entry = ps__virtual_record_find(record);
    spend(costs.push + costs.record); /* the record was fetched at the push before */
    entry->pusher = entry->last = core;
}

void ps__virtual_register_slow(void)
{
    spend(costs.push_locked);
}

void ps__virtual_run_slow(const void *record)
{
    const ps__virtual_record *entry = ps__virtual_record_find(record);
    spend(entry->pusher != ps__virtual_self->core ? costs.run_moved : costs.run);
}

void ps__virtual_waits_slow(void)
{
    spend(costs.wait);
}

void ps__virtual_look_slow(const void *record)
{
    uint32_t core = ps__virtual_self->core;
    ps__virtual_record *entry = ps__virtual_record_find(record);
    spend(entry->last != core ? costs.record_moved : costs.record);
    entry->last = core;
}

/* Whoever pushed it has the variables; and since it was taken, maybe the lines beside it. Unless they
 * were fetched. */
void ps__virtual_fetch_slow(const void *record)
{
    uint32_t core = ps__virtual_self->core;
    ps__virtual_record *entry = ps__virtual_record_find(record);
    if (entry->pusher != core)
        spend(costs.record_moved);
    entry->pusher = core;
}

void ps__virtual_publish_slow(const void *record)
{
    uint32_t core = ps__virtual_self->core;
    ps__virtual_record *entry = ps__virtual_record_find(record);
    spend(entry->pusher != core ? costs.record_moved : costs.record);
    entry->last = core;
}

/* ---- Threads --------------------------------------------------------------------------- */

static ps__virtual_thread *add_thread(int64_t clock)
{
    ps__virtual_thread *thread = calloc(1, sizeof *thread);
    if (thread == NULL)
        stop("no memory for a thread");
    thread->clock = clock;
    *threads_tail = thread;
    threads_tail = &thread->next;
    return thread;
}

static void remove_thread(ps__virtual_thread *thread)
{
    ps__virtual_thread **link = &threads;
    while (*link != thread)
        link = &(*link)->next;
    *link = thread->next;
    if (thread->next == NULL)
        threads_tail = link;
    if (thread->core != 0)
        leave_core(thread);
}

/* A thread takes part to its very end: what other destructors do is in order too. They all run in
 * the first round, this one again until the last. */
static void leave_last(void *arg)
{
    ps__virtual_thread *self = arg;
    if (++self->rounds < PTHREAD_DESTRUCTOR_ITERATIONS - 1) {
        pthread_setspecific(leave_key, self);
        return;
    }
    remove_thread(self);
    ps__virtual_self = NULL;
    free(self);
    hand_to(choose());
}

static void make_key(void)
{
    if (pthread_key_create(&leave_key, leave_last) != 0)
        stop("no key for the ends of threads");
}

static void *thread_main(void *arg)
{
    ps__virtual_thread *self = arg;
    await_turn(self);
    ps__virtual_self = self;
    pthread_setspecific(leave_key, self);
    return self->body(self->arg);
}

/* Its place among the others is settled here, whenever the system lets it begin. */
void ps__virtual_start(void *(**body)(void *), void **arg)
{
    ps__virtual_thread *thread = add_thread(ps__virtual_self->clock + costs.start_until);
    spend(costs.start);
    thread->body = *body;
    thread->arg = *arg;
    *body = thread_main;
    *arg = thread;
}

void ps__virtual_start_failed(void *arg)
{
    remove_thread(arg);
    free(arg);
}

/* ---- Beginning and end ----------------------------------------------------------------- */

void ps__virtual_begin(unsigned count, const ps__virtual_costs *given)
{
    pthread_once(&once, make_key);
    if (threads != NULL || count == 0 || count > CORES_MAX)
        stop("it is on already, or the number of cores is out of range");
    costs = given != NULL ? *given : ps__virtual_measured;
    counts = (ps__virtual_counts){0};
    cores = count;
    arrivals = 0;
    run++;
    ps__virtual_self = add_thread(BEGINNING);
    give_core(ps__virtual_self, 1, BEGINNING);
}

/* Others that are left must be on their way out. */
void ps__virtual_end(void)
{
    ps__virtual_thread *self = ps__virtual_self;
    while (threads != self || self->next != NULL) {
        bool leaving = false;
        for (const ps__virtual_thread *at = threads; at != NULL; at = at->next)
            leaving |= at != self && at->state != SLEEPING;
        if (!leaving)
            stop("threads sleep that should have ended");
        ps__virtual_charge(costs.sleep);
    }
    remove_thread(self);
    ps__virtual_self = NULL;
    free(self);
    ps__virtual_records_clear();
}

#endif
