/* Penstock: an asynchronous runtime for tensor programs, in C.
 *
 * This header is the whole public interface. Read it from top to bottom:
 *
 *   1. Status          every call returns one; the text of the last failure
 *   2. Engines         a queue of tasks with threads of its own
 *   3. Variables       what tasks read and write
 *   4. Tasks           describing and queueing work
 *   5. Inside a task   failing, finishing later, splitting a loop
 *   6. Waiting         for a variable, for everything, with time limits
 *   7. Being told      callbacks and a completion queue for event loops
 *   8. The bound       how far the queue may run ahead
 *   9. Threads         synchronous mode, hooks for language frontends
 *  10. Memory          pools, statistics, the hard limit
 *  11. Devices         queues that complete by themselves
 *  12. Tracing         when each task was queued, ready, started, finished
 *
 * The smallest program:
 *
 *     static ps_status hello(ps_task *self, void *arg) { puts(arg); return PS_OK; }
 *
 *     ps_engine *engine;
 *     ps_engine_default(&engine);
 *     ps_push(engine, &(ps_task_spec){.size = sizeof(ps_task_spec), .run = hello, .arg = "hello"});
 *     ps_wait_all(engine, NULL);
 *
 * Rules that hold everywhere:
 *   - A call that returns anything but PS_OK has queued nothing and kept nothing, except where
 *     its comment says otherwise. Results come back through pointers.
 *   - All handles are opaque. Releasing NULL does nothing.
 *   - Any object may be used from any thread.
 *   - Option structs begin with their size, so that they can grow: set it with sizeof and leave
 *     the fields that you do not know about zero.
 *   - The library never aborts, exits or prints.
 */
#ifndef PENSTOCK_H
#define PENSTOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(PENSTOCK_STATIC)
#define PS_API
#elif defined(__GNUC__)
#define PS_API __attribute__((visibility("default")))
#else
#define PS_API
#endif

#if defined(__GNUC__)
#define PS_PRINTF(format_index, first) __attribute__((format(printf, format_index, first)))
#else
#define PS_PRINTF(format_index, first)
#endif

#define PS_VERSION_MAJOR 0
#define PS_VERSION_MINOR 1
#define PS_VERSION_PATCH 0

/* ---- 1. Status ------------------------------------------------------------------------- */

/* Code, number, text. Numbers never change. */
#define PS_STATUS_LIST(X)                                                                          \
    X(OK, 0, "success")                                                                            \
    X(ERR_ARGUMENT, 1, "invalid argument")                                                         \
    X(ERR_MEMORY, 2, "out of memory")                                                              \
    X(ERR_THREAD, 3, "a thread could not be started")                                              \
    X(ERR_CLOSED, 4, "the engine is closed")                                                       \
    X(ERR_STATE, 5, "not allowed in this state")                                                   \
    X(ERR_DEADLOCK, 6, "the wait could never end")                                                 \
    X(ERR_TIMEOUT, 7, "timed out")                                                                 \
    X(ERR_INTERRUPTED, 8, "interrupted")                                                           \
    X(ERR_EMPTY, 9, "nothing is there yet")                                                        \
    X(ERR_TASK, 10, "a task failed")                                                               \
    X(ERR_FORKED, 11, "lost when the process was forked")                                          \
    X(ERR_ENVIRONMENT, 12, "malformed environment variable")                                       \
    X(ERR_SYSTEM, 13, "an operating system call failed")                                           \
    X(ERR_DROPPED, 14, "dropped at shutdown")                                                      \
    X(ERR_MORE, 15, "further errors were counted but not kept")                                    \
    X(ERR_DEVICE, 16, "a device failed")

typedef enum ps_status {
#define PS_STATUS_ENUM(name, number, text) PS_##name = number,
    PS_STATUS_LIST(PS_STATUS_ENUM)
#undef PS_STATUS_ENUM
} ps_status;

/* "PS_ERR_TIMEOUT" and "timed out"; a fixed text for numbers that are no status. */
PS_API const char *ps_status_name(ps_status status);
PS_API const char *ps_status_text(ps_status status);

/* What the last failed call on this thread had to say; "" if none has failed. For a task that
 * failed while running: its sequence number, operation and the source location that its pusher
 * gave. The pointers stay valid until the next failing call on this thread. */
typedef struct ps_error_info {
    size_t size;
    ps_status status;
    uint64_t sequence;     /* of the task that failed; 0 if the call itself failed */
    const char *operation; /* the task's name; NULL if the call itself failed */
    uint64_t location;     /* the task's source-location id */
    const char *message;   /* never NULL */
} ps_error_info;

PS_API const char *ps_last_error(void);
PS_API ps_status ps_last_error_info(ps_error_info *info);

/* "0.1.0"; and a number that changes when compiled programs must be rebuilt. */
PS_API const char *ps_version(void);
PS_API uint32_t ps_abi_version(void);

/* ---- 2. Engines ------------------------------------------------------------------------ */

typedef struct ps_engine ps_engine;
typedef struct ps_var ps_var;
typedef struct ps_task ps_task;
typedef struct ps_queue ps_queue;
typedef struct ps_device ps_device;

typedef enum ps_mode {
    PS_MODE_DEFAULT = 0, /* what PENSTOCK_ENGINE says; async if it is not set */
    PS_MODE_ASYNC = 1,
    PS_MODE_SYNC = 2 /* each push runs before it returns, and returns the task's error */
} ps_mode;

typedef struct ps_engine_options {
    size_t size;
    unsigned workers; /* 0: PENSTOCK_WORKERS, else the processors this process may use */
    ps_mode mode;
} ps_engine_options;

/* Creates an engine; options may be NULL. Its threads start with the first push. */
PS_API ps_status ps_engine_create(const ps_engine_options *options, ps_engine **engine);

/* The engine that everybody shares, created at the first call. */
PS_API ps_status ps_engine_default(ps_engine **engine);

/* Runs what is queued, stops the threads and closes the engine. Variables that are still held
 * stay valid handles; every later use of the engine or of them returns PS_ERR_CLOSED. Returns
 * PS_ERR_STATE for the default engine and from inside a task; PS_ERR_DEADLOCK, with the engine
 * left open, when what is left waits for a completion call that has not come. */
PS_API ps_status ps_engine_destroy(ps_engine *engine);

#define PS_WORKERS_MAX 1024u

PS_API ps_status ps_engine_workers(ps_engine *engine, unsigned *workers);
/* 0 means the default. Takes effect at once; surplus threads leave after their current task. If a
 * thread cannot be started the old number stays. */
PS_API ps_status ps_engine_set_workers(ps_engine *engine, unsigned workers);

typedef struct ps_engine_stats {
    size_t size;
    uint64_t pushed;          /* tasks queued since creation, those of ps_wait_write, callbacks and
                                 watches included */
    uint64_t executed;        /* tasks whose function ran, alone or in a group, failed ones too */
    uint64_t skipped;         /* tasks not run because an input was marked, or at shutdown */
    uint64_t failed;          /* tasks whose function failed */
    uint64_t unfinished;      /* tasks queued and not complete */
    uint64_t queued_bytes;    /* see "The bound" */
    uint64_t held_back;       /* pushes that met the bound */
    uint64_t helped;          /* tasks run by threads that are not workers */
    uint64_t groups;          /* groups run as one */
    uint64_t wakes;           /* wake calls made to sleeping workers */
    uint64_t released_issued; /* accesses handed on when a device task was issued */
    uint64_t device_round_trips; /* device completions that somebody had to wait for */
    uint64_t unseen_errors;      /* failures that no wait has raised yet */
} ps_engine_stats;

PS_API ps_status ps_engine_get_stats(ps_engine *engine, ps_engine_stats *stats);

/* ---- 3. Variables ---------------------------------------------------------------------- */

/* A variable stands for whatever tasks read and write: a tensor, a file, a counter. It holds no
 * data. Tasks that write the same variable, or of which one writes what the other reads, run in
 * the order in which they were pushed; all others may run at the same time.
 *
 * Releasing the last reference while tasks are queued is fine: they keep what they need. */
PS_API ps_status ps_var_create(ps_engine *engine, ps_var **var);
PS_API ps_status ps_var_retain(ps_var *var);
PS_API void ps_var_release(ps_var *var);

/* How many writes have been queued so far; and whether all of them are complete. */
PS_API ps_status ps_var_version(ps_var *var, uint64_t *version);
PS_API bool ps_var_is_ready(ps_var *var);

/* ---- 4. Tasks -------------------------------------------------------------------------- */

/* Does the work. Anything but PS_OK is a failure: it marks all that the task writes, and the mark
 * flows to everything computed from that. */
typedef ps_status (*ps_task_fn)(ps_task *self, void *arg);

typedef enum ps_kind {
    PS_COMPUTE = 0,
    PS_COPY = 1,
    PS_IO = 2,      /* has an effect outside the process: runs even at exit */
    PS_FRONTEND = 3 /* calls into a language frontend: only workers run it */
} ps_kind;

enum {
    PS_TASK_FUSABLE = 1u << 0,      /* may be joined with its neighbours (see join.h) */
    PS_TASK_FRONTEND_ARG = 1u << 1, /* `drop` needs the frontend's lock: see ps_releases_run */
    PS_TASK_ALWAYS = 1u << 2        /* runs even if an input is marked; ps_task_error tells */
};

typedef struct ps_task_spec {
    size_t size;
    ps_task_fn run;
    void *arg;
    void (*drop)(void *arg); /* called exactly once when the engine needs `arg` no more, before
                                the task counts as complete; never if the push failed */
    ps_var *const *reads;
    size_t nreads;
    ps_var *const *writes; /* overwritten completely; to update in place name it in both sets */
    size_t nwrites;
    const char *name;  /* must outlive the task: a literal or an interned string */
    uint64_t location; /* where in the user's program: an id only the frontend understands */
    uint64_t cost_ns;  /* an estimate of its run time; 0 if unknown */
    uint64_t bytes;    /* what it will allocate, for the bound */
    ps_queue *queue;   /* the device queue it works on; NULL for the CPU */
    int32_t priority;  /* higher runs earlier among what can run */
    uint8_t kind;      /* a ps_kind */
    uint8_t reserved[3];
    uint32_t flags;
} ps_task_spec;

/* Queues a task and returns. Repeated variables are harmless. From outside of tasks this may
 * first run queued work when the queue is too far ahead. In synchronous mode it runs the task and
 * returns its error; the task counts as queued all the same. */
PS_API ps_status ps_push(ps_engine *engine, const ps_task_spec *spec);

/* ---- 5. Inside a task ------------------------------------------------------------------ */

/* Returns `status`, after noting a text for the error. */
PS_PRINTF(3, 4)
PS_API ps_status ps_task_fail(ps_task *self, ps_status status, const char *format, ...);

PS_API uint64_t ps_task_sequence(const ps_task *self);

/* For PS_TASK_ALWAYS tasks: the status of the mark on their inputs, PS_OK if there is none. */
PS_API ps_status ps_task_error(ps_task *self);

/* Lets the task finish later than its function: it is complete once the function has returned
 * and ps_complete was called with the token, in either order, from any thread. The first failure
 * of the two is the task's. Completing twice returns PS_ERR_STATE. */
typedef struct ps_token {
    ps_engine *engine;
    ps_task *task;
    uint64_t sequence;
} ps_token;

PS_API ps_status ps_task_defer(ps_task *self, ps_token *token);
PS_API ps_status ps_complete(ps_token token, ps_status status, const char *message);

/* Calls body(begin, end, arg) for the pieces [0, grain), [grain, 2 grain), ... of [0, count) on
 * this thread and idle workers and returns when all are done. The pieces depend on count and
 * grain alone. All pieces run; the failure of the lowest one is returned. grain 0 means one
 * piece. Works inside and outside of tasks. */
typedef ps_status (*ps_loop_fn)(size_t begin, size_t end, void *arg);
PS_API ps_status ps_parallel_for(ps_engine *engine, size_t count, size_t grain, ps_loop_fn body,
                                 void *arg);

/* ---- 6. Waiting ------------------------------------------------------------------------ */

/* Limits on a wait; NULL means none. A wait that ends early has cancelled nothing. */
typedef struct ps_wait_options {
    size_t size;
    int64_t timeout_ns; /* negative: for ever; 0: only look */
} ps_wait_options;

/* Until all writes of the variable that were queued before are complete. Returns the error that
 * marks the variable, every time, until a task has overwritten it. */
PS_API ps_status ps_wait_read(ps_var *var, const ps_wait_options *options);

/* Until all reads and writes of the variable that were queued before are complete, so that the
 * caller may change what it stands for. */
PS_API ps_status ps_wait_write(ps_var *var, const ps_wait_options *options);

/* Until everything queued before is complete. Returns the oldest failure that no wait has
 * returned yet; call again for the next. Of many, 64 are kept; PS_ERR_MORE counts the rest. */
PS_API ps_status ps_wait_all(ps_engine *engine, const ps_wait_options *options);

/* Inside a task, a wait may only be for work queued before that task; anything else, and
 * ps_wait_all, returns PS_ERR_DEADLOCK at once. To go on after work that the task itself pushed:
 * ps_task_defer, and complete from that work. Callbacks must not wait at all. */

/* ---- 7. Being told --------------------------------------------------------------------- */

/* Calls fn on a worker when the writes queued so far are complete. It must not block. `status`
 * is the mark on the variable. If this call fails, fn is never called; otherwise exactly once. */
typedef void (*ps_ready_fn)(void *arg, ps_status status);
PS_API ps_status ps_var_on_ready(ps_var *var, ps_ready_fn fn, void *arg);

/* One file descriptor for any number of awaited variables: readable while ps_completions_pop
 * has something to give. */
typedef struct ps_completions ps_completions;

PS_API ps_status ps_completions_create(ps_engine *engine, ps_completions **completions);
/* What is watched and not yet popped is forgotten. */
PS_API void ps_completions_destroy(ps_completions *completions);
PS_API int ps_completions_fd(ps_completions *completions);
PS_API ps_status ps_completions_watch(ps_completions *completions, ps_var *var, uint64_t tag);
/* PS_OK and the tag and status of one completed watch, or PS_ERR_EMPTY. Does not block. */
PS_API ps_status ps_completions_pop(ps_completions *completions, uint64_t *tag, ps_status *status);

/* ---- 8. The bound ---------------------------------------------------------------------- */

/* A pusher outside of tasks is held back, and helps to run what is queued, while
 *     queued bytes > soft_bytes and unfinished tasks > soft_ops_per_worker * workers,
 *     or queued bytes > hard_bytes, or unfinished tasks > ops,
 * unless nothing is ready or running. Queued bytes are what unfinished tasks will allocate (`bytes`)
 * plus what was reported with ps_engine_hold_bytes. Environment: PENSTOCK_QUEUE_SOFT_BYTES,
 * PENSTOCK_QUEUE_BYTES, PENSTOCK_QUEUE_OPS. */
typedef struct ps_bound {
    size_t size;
    uint64_t soft_bytes;          /* default 48 MB */
    uint64_t soft_ops_per_worker; /* default 2 */
    uint64_t hard_bytes;          /* default an eighth of the memory */
    uint64_t ops;                 /* default 4096 */
} ps_bound;

PS_API ps_status ps_engine_bound(ps_engine *engine, ps_bound *bound);
PS_API ps_status ps_engine_set_bound(ps_engine *engine, const ps_bound *bound);

/* Counts bytes that only queued tasks keep alive (copied-in data); negative when they are gone. */
PS_API ps_status ps_engine_hold_bytes(ps_engine *engine, int64_t delta);

/* ---- 9. Threads ------------------------------------------------------------------------ */

/* The mode of the calling thread, over that of any engine it pushes to; PS_MODE_DEFAULT gives it
 * back to the engine. */
PS_API ps_mode ps_thread_mode(void);
PS_API ps_status ps_thread_set_mode(ps_mode mode);

/* What a language frontend gives for a thread of its own. Any pointer may be NULL. The struct
 * must stay valid while the thread uses it and while tasks that it pushed with
 * PS_TASK_FRONTEND_ARG are unreleased. */
typedef struct ps_hooks {
    size_t size;
    void *state;                           /* passed to each */
    void (*unlock)(void *state);           /* give up the interpreter's lock: before the thread */
    void (*relock)(void *state);           /*   blocks or runs queued work; take it again after */
    bool (*interrupted)(void *state);      /* polled during waits, with the lock held */
    void (*pressure)(void *state);         /* before a pusher blocks at the bound, lock held */
    void (*releases_pending)(void *state); /* from any thread, no lock held: arrange for
                                              ps_releases_run on a thread with the lock */
} ps_hooks;

PS_API ps_status ps_thread_set_hooks(const ps_hooks *hooks);

/* Calls `drop` for the arguments of finished PS_TASK_FRONTEND_ARG tasks. Call with the frontend's
 * lock held. Returns how many. */
PS_API size_t ps_releases_run(ps_engine *engine);

/* ---- 10. Memory ------------------------------------------------------------------------ */

/* Blocks are aligned to 64 bytes and come from pools that keep what is freed. Zero bytes is a
 * valid size (such blocks share an address). Free takes the size that alloc was given. Over the hard limit, alloc trims the
 * pools, then waits until its task runs alone, and only then fails with PS_ERR_MEMORY. */
PS_API ps_status ps_memory_alloc(size_t bytes, void **block);
PS_API void ps_memory_free(void *block, size_t bytes);

typedef struct ps_memory_stats {
    size_t size;
    uint64_t live;   /* bytes handed out now, rounded up to the pools' sizes */
    uint64_t peak;   /* the most that was ever handed out at once */
    uint64_t cached; /* bytes kept in pools for reuse */
    uint64_t queued; /* queued bytes of all engines */
    uint64_t limit;  /* the hard limit; UINT64_MAX if there is none */
} ps_memory_stats;

PS_API ps_status ps_memory_get_stats(ps_memory_stats *stats);
/* Sets peak back to what is live now. */
PS_API void ps_memory_reset_peak(void);
/* Gives cached blocks back to the system; returns how many bytes. */
PS_API uint64_t ps_memory_trim(void);
/* On live plus cached bytes; PENSTOCK_MEMORY_LIMIT sets it at start. 0 removes it. */
PS_API ps_status ps_memory_set_limit(uint64_t bytes);

/* ---- 11. Devices ----------------------------------------------------------------------- */

/* A device queue runs what is put on it in order and completes by itself. A task with a queue is
 * called on a worker to put its work there; it is *issued* when its function returns and
 * *complete* when the device has done the work. Tasks on the same queue follow as soon as it is
 * issued, on another queue of the device as soon as it is issued, behind an event; on the CPU
 * when it is complete. */
PS_API ps_status ps_device_find(const char *name, ps_device **device);
PS_API ps_status ps_queue_create(ps_engine *engine, ps_device *device, unsigned index,
                                 ps_queue **queue);
/* PS_ERR_STATE while tasks are queued on it. */
PS_API ps_status ps_queue_destroy(ps_queue *queue);
/* Until the device has done all that was put on the queue. */
PS_API ps_status ps_queue_synchronise(ps_queue *queue);

/* ---- 12. Tracing ----------------------------------------------------------------------- */

typedef enum ps_trace_kind {
    PS_TRACE_QUEUED = 0,  /* a push; other: its source location */
    PS_TRACE_DEPENDS = 1, /* found at the push; other: sequence of the task it follows */
    PS_TRACE_READY = 2,   /* nothing left to wait for; other: sequence of the last it waited for */
    PS_TRACE_START = 3,   /* other: why it had to wait after it was ready, a ps_trace_reason */
    PS_TRACE_ISSUED = 4,  /* on a device queue */
    PS_TRACE_END = 5,     /* complete; other: its status */
    PS_TRACE_GROUP = 6,   /* runs as a member of the group led by task `other` */
    PS_TRACE_WAIT = 7,    /* a thread began to wait; other: 0 read, 1 write, 2 all, 3 the bound */
    PS_TRACE_RESUME = 8   /* and went on */
} ps_trace_kind;

typedef enum ps_trace_reason {
    PS_TRACE_HELD = 1,     /* in its pusher's window, until somebody took it */
    PS_TRACE_NO_WORKER = 2 /* in the ready list, until a worker or helper was free */
} ps_trace_reason;

typedef struct ps_trace_event {
    uint64_t time_ns; /* on the monotonic clock */
    uint64_t sequence;
    uint64_t other;
    const char *name;
    uint32_t thread; /* workers: 1, 2, ...; other threads: from 0x10000 on */
    uint32_t kind;   /* a ps_trace_kind */
} ps_trace_event;

/* Records into a ring of `events` events per thread; the oldest are overwritten. */
PS_API ps_status ps_trace_start(ps_engine *engine, size_t events);
PS_API ps_status ps_trace_stop(ps_engine *engine);
/* Copies up to `capacity` events in time order and says how many there are and how many were
 * overwritten. Pass NULL and 0 to ask. Call after ps_trace_stop. */
PS_API ps_status ps_trace_read(ps_engine *engine, ps_trace_event *events, size_t capacity,
                               size_t *count, uint64_t *lost);

#ifdef __cplusplus
}
#endif
#endif
