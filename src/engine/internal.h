/* What the files of the engine share.
 *
 * The life of a task
 *   FREE -> (push) -> FRESH in its pusher's window, READY, or PENDING
 *   FRESH -> TAKEN as part of a piece, or READY / PENDING when the window is emptied
 *   PENDING -> READY when its last access is granted
 *   READY -> TAKEN
 *   TAKEN -> complete, or RETURNED (its function is done, its completion has not come)
 *   RETURNED -> COMPLETING -> complete
 *   complete -> FREE, or ERROR while somebody holds the error it failed with
 *
 * Invariants
 *   1. The graph (variables, accesses, task states, sequence numbers, errors) changes only under
 *      engine->lock. What is read without it is atomic and says so.
 *   2. A variable's queue holds its waiting accesses in sequence order. An access is granted when
 *      every earlier one that conflicts with it is complete, or issued on the device of its task.
 *   3. task->waiting counts its accesses that are not granted. READY means 0.
 *   4. A piece is a list of tasks in sequence order, run in that order by one thread. Each of its
 *      accesses is granted or waits only for earlier members of the piece.
 *   5. Nothing that can call user code (run, drop, hooks, callbacks) is called under the lock.
 *   6. Blocks (records, variables) are never returned to the system while the engine is open, so
 *      a stale pointer can be compared under the lock; a free record has sequence 0.
 *   7. While a window holds tasks or something is ready, a worker is busy, watching, or claimed
 *      to be woken (worker.c).
 *   8. While the lock is free, whoever has taken a task is counted in engine->running, and the task
 *      is in one of the frames of that thread: a member of its piece that is not published, or the
 *      device task that it issues. Taking, the frame and the count are one step under the lock. So
 *      frames tell, at any time, all that a thread holds and how far it got.
 *   9. While engine->parking, only threads that are inside of a task take more, or others on their
 *      behalf (worker.c). So `running` falls, and once it has come down to what the forking thread
 *      is inside of it stays there. Everybody else looks at `parking` under the lock, in the same
 *      step in which he takes.
 *  10. A worker that asks for a turn leaves its piece, frame and turn to whoever has the lock until it
 *      is answered, and takes the lock itself if it is not: turn.c.
 *
 * Lock order: fork registry -> engine->lock -> (trace, pool and device locks, and that of the list of
 * threads, each a leaf).
 */
#ifndef PS_ENGINE_INTERNAL_H
#define PS_ENGINE_INTERNAL_H

#include "base/alloc.h"
#include "base/atomic.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/lock.h"
#include "base/sized.h"
#include "device/device.h"
#include "engine/grouping.h"
#include "memory/memory.h"

#ifdef PENSTOCK_DEBUG
#include <assert.h>
#define PS_ASSERT(x) assert(x)
#else
#define PS_ASSERT(x) ((void)sizeof(x))
#endif

enum {
    PS__BLOCK = 256,          /* bytes of a record */
    PS__INLINE_ACCESSES = 4,  /* accesses kept in the record itself */
    PS__EXTRA_ACCESSES = 15,  /* accesses in each further block */
    PS__WINDOW = 1024,        /* tasks a window holds */
    PS__WINDOW_BUSY = 256,    /* and while its owner keeps on filling it: they stay in the cache */
    PS__WINDOW_ALONE = 32,    /* and while there is one processor: nobody takes any meanwhile */
    PS__PIECE = 64,           /* tasks a piece holds */
    PS__FRESH_FREE = 16,      /* fresh tasks whose bytes need not count toward the bound; */
    PS__FRESH_GATHERING = 48, /* and while a thread says that more are to come */
    PS__NEST = 256,           /* waits inside tasks, one on top of the other, on one thread */
    PS__UNSEEN = 64           /* errors kept for ps_wait_all: see error.c */
};

/* Estimated costs, in nanoseconds. */
#define PS__COST_GRAIN 5000u        /* work changes threads in pieces of at least this */
#define PS__COST_PIECE 20000u       /* and what others take from a window is about this, or */
#define PS__COST_PIECE_EACH 5000u   /* this for each thread that runs a piece, */
#define PS__COST_PIECE_MOST 100000u /* up to this: see ps__piece_enough */
#define PS__COST_STAYING 20000u /* what stays with its pusher is run by then: it is in the cache */
#define PS__COST_ALONE 50000u   /* what is waited for so soon had better be run by who waits */
#define PS__COST_BRIEF 60000u   /* who runs a piece up to this will soon look for another */
#define PS__COST_SMALL 250u     /* tasks below this are left to their pusher for longer */
/* Holds, in nanoseconds. */
#define PS__HOLD_SMALL                                                                             \
    80000u /* tasks that their pusher had better run itself: no others have this */
#define PS__HOLD_ALONE 8000u  /* tasks that cannot be grouped */
#define PS__HOLD_LEAST 12000u /* those that can: a chain of them takes so long to be queued */
#define PS__HOLD_MOST 75000u
#define PS__HOLD_PART 50u         /* of the estimated cost, where tasks may be grouped */
#define PS__HOLD_GATHERING 60000u /* those of a thread that says that more are to come */

#define PS__COST_UNKNOWN 20000u  /* what an unknown cost counts as */
#define PS__COST_DIRECT 20000u   /* what costs this much and cannot be grouped skips the window */
#define PS__COST_LOCKED 20000u   /* a piece up to this runs without giving up a frontend's lock */
#define PS__COST_POLITE 5000000u /* what a thread that can be interrupted is willing to run */
#define PS__COST_OWNER 100000u   /* a full window up to this is run by its owner */
#define PS__COST_PUSHER 1000000000u /* a pusher runs no piece above this: it is wanted elsewhere */

typedef struct ps_task ps__error; /* an error is the record of the failed task: see error.c */
typedef struct ps__thread ps__thread;
typedef struct ps__window ps__window;
typedef struct ps__waiter ps__waiter;
typedef struct ps__loop ps__loop;

/* ---- Accesses, tasks, variables -------------------------------------------------------- */

enum {
    PS__ACCESS_WRITE = 1,   /* else it reads */
    PS__ACCESS_GRANTED = 2, /* may go ahead */
    PS__ACCESS_READS = 4,   /* a write that also reads: inherits marks */
    PS__ACCESS_ISSUED = 8,  /* its task was issued on a device queue */
    PS__ACCESS_FLAGS = 15
};

typedef struct ps__access {
    uintptr_t bits;          /* the variable, and flags in the low bits */
    struct ps__access *next; /* in the variable's queue while it waits */
} ps__access;

static inline ps_var *ps__access_var(const ps__access *access)
{
    return (ps_var *)(access->bits & ~(uintptr_t)PS__ACCESS_FLAGS);
}

/* Further accesses of a task, in a block of its own. */
typedef struct ps__extra {
    ps_task *owner; /* first, as in ps_task: see ps__access_task */
    struct ps__extra *next;
    ps__access accesses[PS__EXTRA_ACCESSES];
} ps__extra;

typedef enum ps__state {
    PS__FREE,
    PS__FRESH,
    PS__PENDING,
    PS__READY,
    PS__TAKEN,
    PS__RETURNED,
    PS__COMPLETING,
    PS__ERROR
} ps__state;

/* task->flags above the public ones */
enum {
    PS__TASK_DEFERRED = 1u << 9,  /* has a token, or works on a device */
    PS__TASK_FIRED = 1u << 10,    /* its completion has come */
    PS__TASK_NEEDED = 1u << 11,   /* scratch of a window's scan */
    PS__TASK_FENCE = 1u << 12,    /* its write changes nothing: no new version */
    PS__TASK_CALLBACK = 1u << 13, /* runs a callback: may not wait; only workers run it */
    /* Cannot wait, and depends on nothing but what is before it on its one variable: waiting for
     * it, or running it on top of any other task, is always in order. */
    PS__TASK_PASSIVE = PS__TASK_FENCE | PS__TASK_CALLBACK,
    PS__TASK_HEAPED = 1u << 14,   /* in the heap of its ready list */
    PS__TASK_SEEN = 1u << 15,     /* an error that a wait has raised */
    PS__TASK_COUNTED = 1u << 8,   /* its bytes are in engine->bytes */
    PS__TASK_STAYS = 1u << 7,     /* moving it to another thread would cost more than it does */
    PS__TASK_ESTIMATED = 1u << 6, /* takes about what it is said to cost: the library's own code */
    PS__TASK_PASSED_ON = 1u << 5  /* the one after it in the window takes the place of its bytes */
};

/* A record: four cache lines. What push fills in before it takes the lock belongs to the pusher
 * until then; after that everything is guarded by the lock, except that the thread running a
 * TAKEN task reads what is constant, owns `message`, and sees marks from its own piece. */
struct ps_task {
    ps_task *owner; /* itself */
    ps_task_fn run;
    void *arg;
    void (*drop)(void *arg);
    ps__error *error; /* the mark it inherited; holds a reference */
    uint64_t sequence;
    union {
        uint32_t waiting;    /* accesses that are not granted */
        uint32_t references; /* of an error */
    };
    uint32_t accesses;
    uint16_t flags;
    uint8_t state; /* a ps__state */
    uint8_t kind;
    uint32_t generation; /* which wait_all count it is in */

    ps_task *next; /* in a list: free, ready, unseen errors */
    void *where;   /* FRESH: its window; READY: what is before it in list or heap */
    uint32_t cost; /* ns, saturated; 0 unknown */
    int32_t priority;
    uint64_t bytes;
    ps_queue *queue;
    const char *name;
    uint64_t location;
    ps_engine *engine;

    ps__access inline_accesses[PS__INLINE_ACCESSES];

    ps__extra *extra;
    ps_task *child; /* in the ready heap */
    ps__waiter *waiter;
    struct ps__release *release; /* where the argument goes: see PS_TASK_FRONTEND_ARG */
    char *message;               /* from ps_task_fail; owned */
    ps_status failure;           /* what ps_complete said; then what the task failed with */
    uint8_t issued;              /* a device task whose accesses were handed on as issued */
    uint8_t in_flight;           /* a device task that the device will complete */
    uint8_t listed;              /* an error in engine->unseen: PS__ALIKE or PS__MIXED */
    uint8_t counted;             /* an error that one in engine->unseen counts */
    union {
        uint64_t ticket;
        uint64_t batch; /* of an error: error.c */
    };
    union {
        void *runner;  /* the ps__thread that runs it, while TAKEN */
        uint64_t more; /* of an error that is listed: error.c */
    };
};

/* What an error in engine->unseen stands for besides itself. */
enum { PS__ALIKE = 1, PS__MIXED = 2 };

_Static_assert(sizeof(ps_task) == PS__BLOCK, "a record fills its block");
_Static_assert(sizeof(ps__extra) == PS__BLOCK, "so do further accesses");

/* Blocks are aligned to their size: the block of an access names the task. */
static inline ps_task *ps__access_task(const ps__access *access)
{
    return *(ps_task **)((uintptr_t)access & ~(uintptr_t)(PS__BLOCK - 1));
}

/* Accesses of a variable that are issued on a device and not complete there. */
typedef struct ps__issued {
    ps_device *device;       /* of all of them */
    struct ps__issued *next; /* of a list of spares: push.c */
    uint32_t reads, writes;
    uint64_t read_ticket[PS__DEVICE_QUEUES];
    uint64_t write_ticket[PS__DEVICE_QUEUES];
} ps__issued;

/* var->flags */
enum {
    PS__VAR_ORPHAN = 1,  /* no handle is left: goes when it is idle */
    PS__VAR_WAITERS = 2, /* waiters is not empty */
    PS__VAR_DEVICE = 4   /* issued is not NULL */
};

#define PS__VAR_MAGIC 0x56415231u
#define PS__VAR_DEAD 0xdeadf4eeu

struct ps_var {
    ps__access *head; /* queue of waiting accesses */
    ps__access **tail;
    ps__access *writer;         /* a granted write, neither issued nor complete */
    _Atomic(ps__error *) error; /* the mark; written under the lock; a NULL read after an acquire
                                    load of `writes` as 0 needs no lock */
    uint64_t version;           /* writes queued so far */
    ps__access *piece_next;     /* first of its queue that is not in `piece` */
    uint32_t reads;             /* granted reads, neither issued nor complete */
    _Atomic uint32_t writes;    /* writes queued and not complete; is_ready reads it without the
                                    lock: its release in complete pairs with acquire there */
    uint32_t piece;             /* the piece that piece_* speak of */
    uint16_t piece_reads;       /* granted reads in it */
    uint16_t flags;

    ps_engine *engine; /* constant */
    ps__waiter *waiters;
    ps__issued *issued;
    uint64_t stamp;                /* last task registered here: finds duplicates */
    uint64_t need_any, need_write; /* scratch of a window's scan: see window.c */
    _Atomic uint32_t handles;
    uint32_t magic;
    uint64_t id; /* constant: names it in traces */
};

_Static_assert(sizeof(ps_var) == 128, "a variable is two cache lines");

/* An argument that only a thread with the frontend's lock may drop. */
typedef struct ps__release {
    struct ps__release *next;
    void *arg;
    void (*drop)(void *arg);
    void (*pending)(void *state); /* of the pusher's hooks, who may be gone by then; or NULL */
    void *state;
} ps__release;

/* A walk over the accesses of a task, block by block. */
typedef struct ps__walk {
    ps__access *at, *end;
    ps__extra *extra;
    uint32_t left;
} ps__walk;

static inline ps__walk ps__walk_begin(ps_task *task)
{
    uint32_t first = task->accesses < PS__INLINE_ACCESSES ? task->accesses : PS__INLINE_ACCESSES;
    return (ps__walk){task->inline_accesses, task->inline_accesses + first, task->extra,
                      task->accesses - first};
}

static inline ps__access *ps__walk_next(ps__walk *walk)
{
    if (PS_UNLIKELY(walk->at == walk->end)) {
        if (PS_LIKELY(walk->left == 0))
            return NULL;
        uint32_t here = walk->left < PS__EXTRA_ACCESSES ? walk->left : PS__EXTRA_ACCESSES;
        walk->at = walk->extra->accesses;
        walk->end = walk->at + here;
        walk->extra = walk->extra->next;
        walk->left -= here;
    }
    return walk->at++;
}

static inline uint64_t ps__task_cost(const ps_task *task)
{
    return task->cost != 0 ? task->cost : PS__COST_UNKNOWN;
}

/* ---- Lists ----------------------------------------------------------------------------- */

/* What is ready: oldest first within a priority. Tasks that come in order go to a plain list,
 * the rest to a pairing heap. */
typedef struct ps__ready {
    ps_task *first, *last; /* priority 0, ascending sequence */
    ps_task *heap;
    uint32_t count;
    uint64_t cost; /* sum of their estimates */
} ps__ready;

void ps__ready_add(ps__ready *ready, ps_task *task);
/* The one to run next, or NULL; and without removing it. */
ps_task *ps__ready_pop(ps__ready *ready);
ps_task *ps__ready_peek(const ps__ready *ready);
void ps__ready_remove(ps__ready *ready, ps_task *task);
/* The first that fits, by looking at all. */
ps_task *ps__ready_find(const ps__ready *ready, bool (*fits)(const ps_task *task, void *arg),
                        void *arg);

/* ---- Windows and threads --------------------------------------------------------------- */

/* The tasks a thread has pushed and nobody has taken. Windows live as long as their engine and
 * are handed on when a thread ends. Guarded by the lock, but for what is atomic: written under
 * it, read by the watching worker without it. */
struct ps__window {
    ps_engine *engine;
    _Atomic(ps__window *) next; /* of the engine; set before it is published, constant then */
    /* Apart from what every push writes: the watcher looks at them again and again. */
    _Atomic uint32_t occupied;  /* it is not empty */
    _Atomic uint32_t hold;      /* ns that others leave its tasks alone: see worth_taking */
    uint64_t seen;              /* the watcher's: the newest task anywhere when it first found it */
    int64_t seen_time;          /*   occupied, and when that was; 0: it is not */
    ps__thread *owner;          /* NULL: free to be used by a new thread */
    ps__window *next_of_thread; /* owner only */

    _Alignas(64) uint32_t head, tail; /* tasks[head .. tail) */
    uint32_t limit;                   /* the owner empties it when tail reaches this */
    uint32_t staying;                 /* how many of them have PS__TASK_STAYS */
    uint64_t cost;                    /* sum of their estimates */
    uint64_t left, usual; /* of what has left since its owner last waited; ps__window_since of the
                             time before */
    bool fusable;         /* some of them may be grouped */
    bool gathering;       /* more are to come: see ps__gathering */
    uint32_t free_count;
    ps_task *free; /* owner only: records */
    int64_t kept;  /* owner only: not yet in engine->kept_bytes */
    uint64_t ripe; /* tasks up to this number have passed their hold */
    ps_task *tasks[PS__WINDOW];
};

/* Tasks that one thread runs, in order: invariant 4. */
typedef struct ps__piece {
    ps_task *tasks[PS__PIECE];
    uint32_t count;
    uint64_t cost;
    bool windowed;  /* came from a window */
    bool groupable; /* neighbours may be grouped */
    bool estimated; /* all of its members have PS__TASK_ESTIMATED */
    /* Who is shown its members, or NULL; read under the lock when it is claimed. */
    ps__grouping_fn grouping;
    void *grouping_context;
    ps_status status[PS__PIECE];
} ps__piece;
static inline void ps__piece_clear(ps__piece *piece, bool windowed, bool groupable)
{
    piece->count = 0;
    piece->cost = 0;
    piece->windowed = windowed;
    piece->groupable = groupable;
    piece->estimated = true;
}

/* One piece that a thread is inside of. Owner only, but for the child of a fork, which finds here
 * how far a thread got that it does not have: members before `published` are complete, those before
 * `index` have ended, those before `begun` have begun, the rest has not been touched. It is linked
 * and unlinked, and `published` changes, under the lock. */
typedef struct ps__frame {
    struct ps__frame *below;
    ps_engine *engine;
    struct ps__piece *piece; /* NULL: a device task, alone */
    ps_task *task;           /* the one that runs */
    uint64_t sequence;       /* its number: what it may wait for is older */
    _Atomic uint32_t index;  /* of it in the piece; a release store, after the status of those
                                 before it: pairs, across fork, with ps__run_recover */
    _Atomic uint32_t begun;  /* where what runs ends: one more, or the end of a group; likewise */
    uint32_t published;      /* members before this are complete for all to see */
    uint32_t alone;          /* members before this run one by one: their group failed */
    bool deferred;           /* it called ps_task_defer */
    bool brief;              /* counted in engine->brief; changes under the lock */
    uint64_t newest;         /* of all tasks when it was taken */
    uint32_t executed, skipped, failed, groups; /* not yet in the engine's statistics */
    int64_t kept;                               /* not yet in engine->kept_bytes */
} ps__frame;

/* What a thread may run. */
typedef struct ps__permit {
    uint64_t limit;   /* tasks older than this */
    uint64_t dearest; /* with a known cost up to this; UINT64_MAX: whatever they cost */
    bool any_kind;    /* also what only workers run */
} ps__permit;

struct ps__thread {
    _Atomic uint32_t name; /* as which it owns storages: own.h; written with the registry locked, */
    _Atomic uint32_t makes;  /*   as is the owner of those that it makes: its name, or PS__SHARED */
    _Atomic uint32_t inside; /* odd: it works on what it owns; it alone writes this */
    uint32_t taken;          /* of its names; guarded by the registry's lock */
    uint32_t suspended;      /* its name, while there is a fork; likewise */
    _Atomic uint64_t at_once; /* operations that it did so; it alone writes this */
    ps__window *windows;      /* most recently used first; owner only */
    const ps_hooks *hooks;    /* own_hooks, or NULL if it has none; owner only */
    uint64_t state;           /* ps_thread_state; owner only */
    uint32_t id;
    ps__frame *frame;     /* owner only, or who serves it (turn.c); written under the lock of the
                              frame's engine */
    unsigned depth;       /* frames that wait; owner only */
    unsigned loops;       /* inside ps_parallel_for pieces; owner only */
    const ps__loop *loop; /* the innermost of these loops, or NULL; owner only */
    bool worker;
    bool callback;            /* inside a completion callback */
    ps__loop *shared;         /* the innermost loop of its own that others may join; owner only */
    struct ps__waiting *wait; /* the innermost wait that it is in, or NULL; owner only */
    ps_engine *joined; /* the engine whose loop it has joined as a worker, or NULL; owner only */
    ps_engine *ring_engine; /* trace.c; owner only */
    struct ps__ring *ring;
    ps__thread *next; /* registry; guarded by its lock */
    ps__thread **link;
    ps_hooks own_hooks; /* owner only; it is large, and read only when it is set */
    /* Apart from what the owner alone writes. */
    _Alignas(64) _Atomic uint32_t poke; /* others: publish what is done, give back the rest */
    _Atomic uint32_t running;           /* members left in its piece; read by idle workers */
};

/* ---- Waiting --------------------------------------------------------------------------- */

/* On the stack of a waiting thread; guarded by the lock, but for `word`. */
struct ps__waiter {
    ps__word word;       /* bit 0: done; the rest counts calls to look again. Release store under
                            the lock, acquire load by the owner */
    uint64_t remaining;  /* of a variable: writes still to complete */
    ps_task *task;       /* waits for this one; NULL once it is complete */
    ps__error *error;    /* that one's; a reference */
    uint32_t generation; /* of ps_wait_all: this and earlier ones */
    ps__waiter *next;    /* of the variable, or of engine->all_waiters */
    ps__waiter *next_helper;  /* in engine->sleeping_helpers */
    uint64_t limit;           /* its thread may wait for tasks older than this */
    const ps__permit *permit; /* while it sleeps inside a task: what it may help with */
    ps__thread *thread;       /* whose stack it is on */
    bool asleep;              /* counted in engine->asleep_in_tasks */
};

/* ---- The engine ------------------------------------------------------------------------ */

typedef struct ps__worker ps__worker;

/* Workers that are to be woken, once the lock is given back. */
typedef struct ps__calls {
    ps__worker *workers[3];
    unsigned count;
} ps__calls;

/* What a worker wants from whoever has the lock: turn.c. */
typedef struct ps__turn {
    _Alignas(64) ps__word answered; /* a release store; the worker's load acquires */
    bool woken;       /* it was called, and comes; else its piece is to be published first */
    bool begun;       /* that is done: what is left is another piece */
    bool given;       /* there is one */
    bool sleeps;      /* there is none, and it is listed among the sleepers */
    ps__worker *next; /* in engine->turns */
    ps__calls calls;  /* for it to wake */
} ps__turn;

struct ps__worker {
    ps__thread *thread;
    ps__word word; /* changed and woken to end a sleep or nap; under the lock */
    unsigned index;
    ps_engine *engine;
    struct ps__worker *next_sleeper;
    uint32_t sleeps_at; /* the word while it sleeps; written under the lock */
    bool watching;      /* it is the one counted in engine->watchers; under the lock */
    bool worked;        /* since it last looked for work in vain; its own */
    int64_t idle_since; /* its own */
    /* Its own, but as turn.c says. */
    ps__piece piece;
    ps__frame frame;
    ps__turn turn;
};

struct ps_queue {
    ps_engine *engine;
    ps_device *device;
    unsigned index;
    ps__ready ready;
    const ps__thread *issuer; /* who is issuing from it and does not wait meanwhile, or NULL */
    uint32_t issuers;         /* threads that are issuing from it, also those that wait meanwhile */
    bool listed;              /* in engine->lanes */
    uint64_t tasks;           /* queued and not complete */
    ps_queue *next;
};

#define PS__GENERATIONS 64u

struct ps_engine {
    /* Read by all without the lock, seldom written, and so apart from the rest. */
    _Alignas(64) _Atomic uint32_t closed; /* 1 destroyed, 2 left at exit; written under the lock */
    _Atomic uint32_t tracing; /* written under the lock; read anywhere: a late look is harmless */
    _Atomic uint32_t over;    /* the bound is exceeded: read by pushers without the lock */
    _Atomic uint32_t started; /* the pool is up: read by pushers without the lock */
    _Atomic uint32_t forked;  /* this is a child whose workers may have to be started again */
    _Atomic uint32_t workers_wanted; /* written under the lock */
    ps_mode mode;

    /* One line: what every push looks at. */
    _Alignas(64) ps__lock lock;
    uint32_t watchers;           /* idle workers that are awake or nap: 0 or 1 */
    _Atomic uint64_t sequence;   /* of the last task pushed; workers read it without the lock */
    _Atomic(ps__worker *) turns; /* who want something and do not wait for the lock: turn.c */
    ps__worker *patient;         /* the one that watches, if it waits to be given something */
    uint64_t ops;                /* queued and not complete */
    uint64_t bytes;              /* counted toward the bound */
    int64_t kept_bytes;   /* likewise: of results that only queued tasks keep. Threads tell of it
                                    late and in any order, so it may fall below 0: ps__bytes_counted */
    uint64_t fresh_bytes; /* of tasks in windows that may be grouped; not in bytes */

    _Alignas(64) ps__ready ready;
    _Atomic uint32_t hint; /* ready + lanes + loops: read by the watcher without the lock */
    uint32_t running;      /* threads inside a piece, lane or loop */
    uint32_t brief;        /* workers of them that will soon look for more */
    ps_queue *lanes;       /* queues with ready tasks and nobody issuing */
    ps__loop *loops;       /* parallel loops with pieces left */
    uint32_t piece;        /* counter */
    uint64_t need;         /* counter for window scans */
    uint64_t fresh;        /* tasks in windows */
    uint32_t generation;
    uint32_t gathering;   /* threads that say that more tasks are to come: see ps__gathering */
    uint32_t waking;      /* workers that are called and have not come yet */
    ps__worker *sleepers; /* idle workers that sleep until claimed */
    uint32_t in_flight;   /* issued device tasks */
    uint64_t outstanding[PS__GENERATIONS];
    uint32_t oldest_generation;
    ps__waiter *all_waiters;
    ps__waiter *sleeping_helpers;             /* waiters inside tasks that sleep */
    uint32_t asleep_in_tasks;                 /* how many of them sleep until they are called */
    struct ps__memory_waiter *memory_waiters; /* tasks that wait for memory: memory_wait.c */
    ps__word progress; /* changes when a task ends while somebody waits for that */
    uint32_t progress_waiters;
    ps__worker *napping; /* the watcher, while it naps */

    _Atomic(ps__window *) windows;
    ps_task *free; /* records: less than a batch */
    uint32_t free_count;
    ps_task *free_batches; /* whole ones, linked by `child` of their first: blocks.c */
    ps_var *free_vars;
    ps__extra *free_extras;
    void *record_slabs, *extra_slabs, *var_slabs;
    uint64_t live_vars;

    ps__error *unseen;        /* one of each batch, ascending sequence: error.c */
    uint32_t unseen_count;    /* of batches */
    uint64_t unseen_failures; /* of tasks */
    uint64_t batches;         /* counter */

    struct ps__release *releases; /* arguments that the frontend must drop */
    struct ps__release **releases_tail;
    uint32_t io_tasks;

    unsigned processors;      /* as many threads of this process can run at a time */
    unsigned workers_present; /* threads that exist */
    uint64_t worker_bits[PS_WORKERS_MAX / 64]; /* which, but for those that are leaving */
    bool exiting;                              /* the process ends: workers take nothing more */
    bool tell_left;     /* what is unfinished is dropped, and nobody was told: exit.c */
    uint64_t inherited; /* in the child of a fork: tasks up to this are its parent's too */
    bool stopping;      /* destroy: workers leave */
    bool emptied;       /* destroy: they have left, and nobody looks at windows any more */
    bool parking;       /* fork: nobody takes anything */
    ps__word park_word;

    ps_bound bound;
    ps__grouping_fn grouping;
    void *grouping_context;

    uint64_t executed, skipped, failed, helped, groups, wakes;
    uint64_t served; /* turns of workers that others have seen to: for tests */
    uint64_t held_back, released_issued, device_round_trips;
    uint64_t releasing; /* the task whose end or issue hands on accesses right now */
    bool issuing;       /* it is an issue */
    bool released;      /* it let somebody go on */
    uint64_t var_ids;
    uint64_t held_bytes; /* of bytes: what ps_engine_hold_bytes reported */

    bool is_default;
    ps_engine *next;             /* of the registry; guarded by its lock */
    ps_completions *completions; /* all of its completion queues; under the lock */
    ps__lock trace_lock;         /* guards rings and ring_events; a leaf */
    struct ps__ring *rings;      /* trace.c */
    size_t ring_events;
};

/* blocks.c: records and variables */
ps_task *ps__record_new_slow(ps__window *window);
/* NULL when memory is out. Not under the lock. */
static inline ps_task *ps__record_new(ps__window *window)
{
    ps_task *task = window->free;
    if (PS_UNLIKELY(task == NULL))
        return ps__record_new_slow(window);
    window->free = task->next;
    window->free_count--;
    /* The next one may be in the caches of who freed it: it comes meanwhile. */
    for (unsigned line = 0; line < PS__BLOCK; line += 64)
        __builtin_prefetch((const char *)window->free + line, 1);
    return task;
}
/* Under the lock, by the owner of the window; `window` may be NULL. */
void ps__record_free(ps_engine *engine, ps__window *window, ps_task *task);
ps__extra *ps__extra_new_locked(ps_engine *engine);
void ps__extra_free_locked(ps_engine *engine, ps__extra *extra);
ps_var *ps__var_new_locked(ps_engine *engine);
void ps__var_free_locked(ps_engine *engine, ps_var *var);
void ps__blocks_each_task(ps_engine *engine, void (*fn)(ps_task *task, void *arg), void *arg);
void ps__blocks_each_var(ps_engine *engine, void (*fn)(ps_var *var, void *arg), void *arg);
void ps__blocks_destroy(ps_engine *engine);

/* graph.c: all under the lock */
void ps__graph_register(ps_engine *engine, ps_task *task);
/* Frees the record, to `window` if that is not NULL, unless it lives on as an error. */
void ps__graph_complete(ps_engine *engine, ps__window *window, ps_task *task, ps_status status);
void ps__graph_issue(ps_engine *engine, ps_task *task);
void ps__graph_free_extras(ps_engine *engine, ps_task *task);
void ps__graph_make_ready(ps_engine *engine, ps_task *task);
void ps__graph_inherit(ps_task *task, ps__error *error);
/* No task uses it. */
bool ps__var_is_idle(const ps_var *var);
/* The i-th access of a task. */
ps__access *ps__task_access(ps_task *task, uint32_t index);

/* Counts what the task will allocate toward the bound, until it is complete. */
static inline void ps__bytes_count(ps_engine *engine, ps_task *task)
{
    engine->bytes += task->bytes;
    task->flags |= PS__TASK_COUNTED;
}

/* All that counts toward the bound. */
static inline uint64_t ps__bytes_counted(const ps_engine *engine)
{
    return engine->kept_bytes > 0 ? engine->bytes + (uint64_t)engine->kept_bytes : engine->bytes;
}

/* bound.c: moves on what a thread has noted with ps__engine_keep and not told yet; under the lock. */
void ps__kept_tell_slow(ps_engine *engine, int64_t *kept);
static inline void ps__kept_tell(ps_engine *engine, int64_t *kept)
{
    if (PS_UNLIKELY(*kept != 0))
        ps__kept_tell_slow(engine, kept);
}
/* Of a thread that runs nothing, or publishes first. */
static inline void ps__kept_tell_own(ps_engine *engine, ps__thread *thread)
{
    if (thread->windows != NULL && thread->windows->engine == engine)
        ps__kept_tell(engine, &thread->windows->kept);
}
/* The bound may not be exceeded any more; under the lock. */
void ps__bound_update(ps_engine *engine);

/* window.c: all under the lock */
/* A number for a piece that is begun; whether a task waits for nothing but members of it; adding it,
 * in any order: what is READY is out of its list already. */
uint32_t ps__piece_number(ps_engine *engine);
bool ps__piece_fits(ps_task *task, uint32_t number);
void ps__piece_add(ps_task *task, uint32_t number, ps__piece *piece);
void ps__window_add(ps__window *window, ps_task *task);
/* Counts the bytes of a task that was just added and may be grouped: until it leaves. */
void ps__window_count_bytes(ps__window *window, ps_task *task);
void ps__window_flush(ps__window *window);
void ps__windows_flush(ps_engine *engine); /* all of them */
/* Takes tasks in order until the cost reaches `enough` or the piece is full: up to a number, or by the
 * owner, for itself, whatever there is (UINT64_MAX). */
bool ps__window_take(ps__window *window, uint64_t newest, uint64_t enough, ps__piece *piece);
/* The estimates of all that was added since its owner last waited. A push adds to the cost alone. */
static inline uint64_t ps__window_since(const ps__window *window)
{
    return window->cost + window->left;
}
/* Its owner waits: what it does so for is known by then. */
static inline void ps__window_waited(ps__window *window)
{
    if (ps__window_since(window) != 0)
        window->usual = ps__window_since(window);
    window->left = 0 - window->cost;
}
/* How many tasks it is to hold from now on. */
static inline void ps__window_set_limit(ps__window *window, uint32_t limit)
{
    window->limit = window->engine->processors == 1 ? PS__WINDOW_ALONE : limit;
}
/* Moves its tasks to the front, so that there is room behind them. */
void ps__window_pack(ps__window *window);
/* Takes what `target`, which is in this window, needs, and the target; what is not permitted goes
 * to the ready list instead. */
bool ps__window_take_for(ps__window *window, ps_task *target, const ps__permit *permit,
                         ps__piece *piece);

/* Notes that what touched the variables of `task` before it is needed; and asks that. */
void ps__window_need(ps_task *task, uint64_t need);
bool ps__window_is_needed(ps_task *task, uint64_t need);
/* Whether it uses a variable that was noted. */
bool ps__window_touches(ps_task *task, uint64_t need);

/* For qsort of tasks. */
int ps__by_sequence(const void *a, const void *b);

/* connect.c: begins a piece with a task that is ready and may be grouped, and adds what it can be grouped
 * with. False, with all as it was, if some of that is too dear for the permit. */
bool ps__connect(ps_engine *engine, ps_task *first, const ps__permit *permit, ps__piece *piece);

/* It may be grouped with others; as in a window, nothing special is. */
static inline bool ps__connects(const ps_engine *engine, const ps_task *task)
{
    return (task->flags & PS_TASK_FUSABLE) && engine->grouping != NULL && task->queue == NULL &&
           task->priority == 0 && task->kind < PS_IO;
}

/* Others may take from it in pieces of the usual size; else its tasks stay together. */
_Static_assert(PS__HOLD_ALONE < PS__HOLD_SMALL && PS__HOLD_MOST < PS__HOLD_SMALL &&
                   PS__HOLD_GATHERING < PS__HOLD_SMALL,
               "a hold tells which it is");
static inline bool ps__window_worth_taking(const ps__window *window)
{
    return ps__load(&window->hold) != PS__HOLD_SMALL;
}

/* How much a worker takes. The more of them there are, the more: each take of the lock costs all others. */
static inline uint64_t ps__piece_enough(const ps_engine *engine)
{
    uint64_t enough = (uint64_t)PS__COST_PIECE_EACH * (engine->running + 1);
    return enough < PS__COST_PIECE        ? PS__COST_PIECE
           : enough > PS__COST_PIECE_MOST ? PS__COST_PIECE_MOST
                                          : enough;
}

/* Its owner is to empty it. */
static inline bool ps__window_is_full(const ps__window *window)
{
    uint32_t count = window->tail - window->head;
    return PS_UNLIKELY(window->tail >= window->limit) ||
           (PS_UNLIKELY(window->staying == count) && window->cost >= PS__COST_STAYING);
}

/* run.c: called with the lock held, return with it held */

/* In the same hold of the lock in which the piece was taken. `wait`, or NULL, gives up the
 * frontend's lock if the piece is dear. */
void ps__run_piece(ps_engine *engine, ps__thread *thread, ps__piece *piece,
                   struct ps__waiting *wait);
/* By a worker, without the lock: the piece that it has begun, and further ones as long as others find
 * some for it. True: it is to sleep now. False: the lock is held. */
bool ps__run_given(ps_engine *engine, ps__worker *worker);
/* The two ends of that: the piece is the thread's; and what it did is published. Records go to
 * `window`, the caller's, or NULL. */
void ps__piece_begin(ps_engine *engine, ps__thread *thread, ps__piece *piece, ps__frame *frame);
void ps__piece_end(ps_engine *engine, ps__thread *thread, ps__window *window, ps__frame *frame);
/* In the child of a fork: what was in a frame of a thread that is not there. */
void ps__run_recover(ps_engine *engine, const ps__thread *gone, ps__frame *frame);
/* Publishes what is done of the piece around the running task and gives back the rest. */
void ps__run_give_back(ps_engine *engine, ps__thread *thread);
/* Members of a piece that was taken, from one on, go to the workers. */
void ps__piece_give_back(ps_engine *engine, ps__piece *piece, uint32_t from);
/* Takes ready tasks until the cost reaches the grain. */
bool ps__run_take_ready(ps_engine *engine, const ps__permit *permit, ps__piece *piece);
/* Drops the argument and completes; for tasks that finish outside of a piece. */
void ps__run_finish(ps_engine *engine, ps_task *task);
/* This thread is in the middle of that. */
bool ps__run_is_finishing(const ps_task *task);
bool ps__run_allowed(const ps_task *task, const ps__permit *permit);
/* The ready task that a thread with this permit would run next, or NULL. */
ps_task *ps__run_next(const ps_engine *engine, const ps__permit *permit);
/* And the next to issue on a device queue, where nobody does so already. */
ps_task *ps__run_next_issue(const ps_engine *engine, const ps__permit *permit);
extern const ps__permit ps__permit_all; /* a worker's */

/* worker.c */
ps_status ps__workers_ensure(ps_engine *engine);
ps_status ps__workers_set(ps_engine *engine, unsigned count);
/* Under the lock: if something can be run and nobody is about to look, claims a sleeper; the
 * caller wakes it after the unlock. `urgent` ends the watcher's nap too. */
ps__worker *ps__worker_claim(ps_engine *engine, bool urgent);
void ps__worker_wake(ps__worker *worker);
/* Under the lock: it is about to sleep, without the lock. */
void ps__worker_list_sleeper(ps_engine *engine, ps__worker *worker);
/* Under the lock: it need not look for anything but tasks. */
bool ps__worker_is_free(const ps_engine *engine, const ps__worker *worker);
/* Under the lock: begins a piece for the worker, if it is free and there is something for it. */
bool ps__worker_take(ps_engine *engine, ps__worker *worker);
/* Under the lock: notes who is to be woken after the unlock, because there is more to do. */
void ps__workers_call(ps_engine *engine, bool urgent, ps__calls *calls);
void ps__workers_wake(const ps__calls *calls);
/* unlock, then wake whoever was claimed. */
void ps__engine_unlock_and_wake(ps_engine *engine, bool urgent);
/* While a fork is under way. Lock held before and after. */
void ps__park_wait(ps_engine *engine);
/* Under the lock, while a fork is under way: those who park look again. */
void ps__park_call(ps_engine *engine);
void ps__running_begin(ps_engine *engine);
void ps__running_end(ps_engine *engine);

/* turn.c */
typedef enum ps__turned {
    PS__TURN_OWN,   /* nothing was done: the worker takes the lock and sees to it itself */
    PS__TURN_GIVEN, /* there is a piece, which it has begun */
    PS__TURN_ENDED, /* there is none; the lock is held */
    PS__TURN_SLEEP  /* there is none; it is to sleep until it is called */
} ps__turned;
/* Both without the lock. After a piece has run; after a sleep that a call has ended. */
ps__turned ps__turn_done(ps_engine *engine, ps__worker *worker);
ps__turned ps__turn_woken(ps_engine *engine, ps__worker *worker);
/* Under the lock, by a thread that has pushed to its window: for those who wait for their turn. */
void ps__turns_serve_some(ps_engine *engine, ps__window *window);
static inline void ps__turns_serve(ps_engine *engine, ps__window *window)
{
    /* A late look is harmless: who is not served helps himself. */
    if (PS_UNLIKELY(ps__load(&engine->turns) != NULL) ||
        PS_UNLIKELY(engine->patient != NULL && window->cost >= PS__COST_PIECE))
        ps__turns_serve_some(engine, window);
}

/* queue.c */
void ps__queue_add_ready(ps_queue *queue, ps_task *task);
/* With the lock held: issues from one lane; false if there is none. */
bool ps__queue_run_lane(ps_engine *engine, ps__thread *thread);
/* Issues one task that is ready on its queue; false if somebody else is issuing from that. */
bool ps__queue_issue_ready(ps_engine *engine, ps__thread *thread, ps_task *task);
/* The thread that issues from the queue is about to wait: let another one do it. */
void ps__queue_step_aside(ps_queue *queue);
/* That thread was issuing from it, and is not in this process. */
void ps__queue_forget_issuer(ps_queue *queue, const ps__thread *thread);
/* It goes on, once nobody else is issuing. */
void ps__queue_step_back(ps_queue *queue, const ps__thread *thread);

/* loop.c: with the lock held; false if there is no loop to join */
bool ps__loop_join(ps_engine *engine, ps__thread *thread);
/* In the child of a fork, under the lock; `self` is NULL for a thread that the engine never saw. */
void ps__loops_fork_child(ps_engine *engine, const ps__thread *self);

/* wait.c */
/* Until waiter->task, pushed with this waiter, is complete. */
ps_status ps__wait_task(ps_engine *engine, ps__thread *thread, ps__waiter *waiter,
                        const ps_wait_options *options);
ps_status ps__hold_back(ps_engine *engine, ps__thread *thread);
/* Runs what is queued until nothing is left, or what is left cannot move. */
ps_status ps__drain(ps_engine *engine, ps__thread *thread);
void ps__progress(ps_engine *engine); /* under the lock: wakes all who wait for some task's end */
bool ps__anything_moves(const ps_engine *engine, unsigned own);
/* Windows count as something that moves: sees to it that they do, or turn out not to. Under the
 * lock. False if there was nothing to open. */
bool ps__windows_open(ps_engine *engine);
/* Until some task ends, or the deadline. Lock held on entry and on return. */
void ps__progress_wait(ps_engine *engine, int64_t deadline);
void ps__waiters_notify_write(ps_engine *engine, ps_var *var);
void ps__waiters_notify_generation(ps_engine *engine);
/* A task became ready; or somebody who might have run what is ready is there no more. */
void ps__waiters_wake_helpers(ps_engine *engine, const ps_task *task);
void ps__waiters_offer(ps_engine *engine);
/* Something is ready, and there is a thread that will run or issue it: a worker that is not asleep
 * inside a task, or a sleeper that may. */
bool ps__ready_moves(const ps_engine *engine);
void ps__waiter_fire(ps_engine *engine, ps__waiter *waiter);
/* What a thread may wait for, given the tasks that it is inside of: older than this. */
uint64_t ps__wait_limit(const ps__thread *thread, const ps_engine *engine);
bool ps__bytes_over(const ps_engine *engine);

/* More is queued than the bound allows. */
static inline bool ps__engine_over(const ps_engine *engine)
{
    return PS_UNLIKELY(engine->ops > engine->bound.ops) ||
           (PS_UNLIKELY((engine->bytes | engine->fresh_bytes | (uint64_t)engine->kept_bytes) !=
                        0) &&
            ps__bytes_over(engine));
}

/* push.c */
ps_status ps__push_internal(ps_engine *engine, const ps_task_spec *spec, uint16_t flags,
                            ps__waiter *waiter);

/* error.c: all under the lock */
/* Turns a failed task into an error with one reference, the caller's. */
void ps__error_begin(ps_engine *engine, ps_task *task, ps_status status);
void ps__error_retain(ps__error *error);
void ps__error_release(ps_engine *engine, ps__error *error);
/* Marks it seen and copies it to the calling thread's last error; returns its status. */
ps_status ps__error_raise(ps_engine *engine, ps__error *error);
ps_status ps__error_raise_unseen(ps_engine *engine);

/* thread.c */
extern __thread ps__thread *ps__thread_current __attribute__((tls_model("initial-exec")));
ps__thread *ps__thread_create(void);
/* For a worker: made by the thread that starts it, so that a running worker always has one; then
 * entered, and ended, by the worker itself. */
ps__thread *ps__thread_prepare(void);
void ps__thread_enter_worker(ps__thread *thread, uint32_t id);
static inline ps__thread *ps__thread_get(void)
{
    ps__thread *thread = ps__thread_current;
    return PS_LIKELY(thread != NULL) ? thread : ps__thread_create();
}
ps__window *ps__thread_window_slow(ps__thread *thread, ps_engine *engine);
static inline ps__window *ps__thread_window(ps__thread *thread, ps_engine *engine)
{
    ps__window *window = thread->windows;
    if (PS_LIKELY(window != NULL && window->engine == engine))
        return window;
    return ps__thread_window_slow(thread, engine);
}
/* The one that it used last, or NULL. */
static inline ps__window *ps__thread_window_at_hand(const ps__thread *thread,
                                                    const ps_engine *engine)
{
    ps__window *window = thread->windows;
    return window != NULL && window->engine == engine ? window : NULL;
}
static inline bool ps__thread_is_sync(const ps__thread *thread, const ps_engine *engine)
{
    uint64_t mode = thread->state & PS_STATE_MODE;
    return (mode != PS_MODE_DEFAULT ? mode : (uint64_t)engine->mode) == PS_MODE_SYNC;
}
/* Asks threads that run pieces to publish and give back; 2 leaves them no choice. */
void ps__threads_poke(uint32_t how);
void ps__thread_end(ps__thread *thread);
void ps__threads_lock(void);
void ps__threads_unlock(void);
/* In the child of a fork, with the registry locked: for each thread that is not there; and then
 * forgets them. */
void ps__threads_each_gone(void (*fn)(ps__thread *gone, void *arg), void *arg);
void ps__threads_fork_child(void);

/* With the registry locked: the thread that has this name, or NULL; and all of them. */
ps__thread *ps__threads_named(uint32_t name);
ps__thread *ps__threads_all(void);

/* own.c: once, before any thread; the others with the registry locked */
void ps__own_install(void);
void ps__own_begin(ps__thread *thread);
void ps__own_end(ps__thread *thread);
/* Around a fork: nobody is inside of anything meanwhile, nor goes there. */
void ps__own_suspend(ps__thread *threads);
void ps__own_resume(ps__thread *threads);
/* How many operations workers, or others, have done so. */
uint64_t ps__own_done(const ps__thread *threads, bool workers);

/* notify.c: around fork, with the lock held */
void ps__completions_fork_prepare(ps_engine *engine);
void ps__completions_fork_parent(ps_engine *engine);
void ps__completions_fork_child(ps_engine *engine);

/* engine.c */
ps_status ps__engine_check_slow(ps_engine *engine);
static inline ps_status ps__engine_check(ps_engine *engine)
{
    /* A hint: whoever goes on to change something looks again under the lock. */
    if (PS_LIKELY(engine != NULL && ps__load(&engine->closed) == 0))
        return PS_OK;
    return ps__engine_check_slow(engine);
}
void ps__engine_fork_lock(void); /* that, and what is taken before it */
void ps__engine_fork_unlock(void);
void ps__engine_registry_lock(void);
void ps__engine_registry_unlock(void);
ps_engine *ps__engine_registry(void);
ps_engine *ps__engine_default_if_any(void); /* NULL if nobody has asked for it yet */

/* fork.c, exit.c, memory_wait.c */
void ps__fork_install(void);
void ps__exit_install(void);
/* Under the lock: PS_ERR_DROPPED, once, if a program has ended with tasks that are not finished. */
ps_status ps__exit_tell_left(ps_engine *engine);
bool ps__memory_wait(void);
/* How many of engine->running are this thread's own. */
unsigned ps__running_own(const ps_engine *engine);

/* trace.c */
void ps__trace_record(ps_engine *engine, ps_trace_kind kind, const ps_task *task, uint64_t other);
void ps__trace_access(ps_engine *engine, const ps_task *task, const ps__access *access);
/* For what a thread does in a loop of that task. */
void ps__trace_loop(ps_engine *engine, ps_trace_kind kind, uint64_t sequence, const char *name,
                    uint64_t other);
void ps__trace_destroy(ps_engine *engine);
void ps__trace_fork_child(ps_engine *engine);
static inline void ps__trace_event(ps_engine *engine, ps_trace_kind kind, const ps_task *task,
                                   uint64_t other)
{
    if (PS_UNLIKELY(ps__load(&engine->tracing)))
        ps__trace_record(engine, kind, task, other);
}

static inline void ps__hint_update(ps_engine *engine)
{
    /* Read by the watching worker, which then takes the lock: a stale value costs one look. */
    ps__store(&engine->hint,
              engine->ready.count + (engine->lanes != NULL) + (engine->loops != NULL));
}

#endif
