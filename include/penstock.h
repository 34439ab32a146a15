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
 *   9. Threads         synchronous mode, language frontends, where things were queued
 *  10. Memory          pools, statistics, the hard limit
 *  11. Devices         queues that complete by themselves
 *  12. Tracing         when each task was queued, ready, started, finished
 *  13. Element types   and numbers of the calling language
 *  14. Tensors         handles, views, host memory, text
 *  15. Operations      calling them, asking what there is
 *  16. Random generators   where random numbers come from, seeds, states
 *  17. Files           tensors in files: MXNet's `.params` format, safetensors
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
 *   - Structs that may grow begin with their size: set it with sizeof and leave the members that
 *     you do not know about zero.
 *   - The library never aborts, exits or prints.
 *   - What cannot be right, such as NULL, a number that is no constant of its enum or a length out
 *     of range, is PS_ERR_ARGUMENT or what the comment says, with a text. A handle that was
 *     released, or a pointer to something else, cannot be told from one that is valid.
 *
 * What may change without a program having to be rebuilt:
 *   - A struct that begins with its size may get members at its end. Zero in one of them always
 *     means what was so before it was there. A program may thus be older than the library: members
 *     that it does not have count as zero; those that it would be told are left out. It may also be
 *     newer: members that the library does not know must be zero, else PS_ERR_ARGUMENT says so;
 *     where the library fills a struct in, they stay as they are. Sizes above 4096 are refused: such
 *     a size was never set.
 *   - Structs without a size (ps_arg, ps_index, ps_scalar, ps_token, ps_view, ps_op_arg_info,
 *     ps_trace_event) keep their size. What is reserved in them must be zero, and may get a meaning.
 *   - Enums, flags and kinds may get more constants. Numbers never change their meaning.
 *   - Operations may get more arguments, which have defaults, at the end; there may be more
 *     operations and more functions.
 * All else changes PS_ABI_VERSION.
 */
#ifndef PENSTOCK_H
#define PENSTOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
#include <type_traits>
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
    X(ERR_DEVICE, 16, "a device failed")                                                           \
    X(ERR_TYPE, 17, "wrong element type")                                                          \
    X(ERR_INDEX, 18, "position out of range")                                                      \
    X(ERR_UNSUPPORTED, 19, "the device cannot do this")

typedef enum ps_status {
#define PS_STATUS_ENUM(name, number, text) PS_##name = number,
    PS_STATUS_LIST(PS_STATUS_ENUM)
#undef PS_STATUS_ENUM
} ps_status;

/* "PS_ERR_TIMEOUT" and "timed out"; a fixed text for numbers that are no status. */
PS_API const char *ps_status_name(ps_status status);
PS_API const char *ps_status_text(ps_status status);

/* Which kind of error a status is, for languages that have classes of them. */
typedef enum ps_error_kind {
    PS_ERROR_RUNTIME = 0, /* all others */
    PS_ERROR_VALUE = 1,
    PS_ERROR_TYPE = 2,
    PS_ERROR_INDEX = 3,
    PS_ERROR_MEMORY = 4,
    PS_ERROR_TIMEOUT = 5,
    PS_ERROR_AXIS =
        6 /* a dimension that there is not, which in most languages is a wrong value: only
                         ps_error_info says so, the status is PS_ERR_ARGUMENT */
} ps_error_kind;

PS_API ps_error_kind ps_status_kind(ps_status status);

/* What the last failed call on this thread had to say; "" if none has failed. For a task that
 * failed while running: its sequence number, operation and the source location that its pusher
 * gave. The pointers stay valid until the next failing call on this thread.
 *
 * `text` is what a program shows: the message, and for a task
 *     " (in OPERATION, queued at FILE, line N)", or, where the place cannot be found now,
 *     " (in OPERATION, queued in LANGUAGE)", or, where its pusher has given none,
 *     " (in OPERATION, queued operation NUMBER)"; of work that a backward queued
 *     " (in OPERATION, for the gradient of ROW, queued at FILE, line N; backward at FILE, line M)".
 * Axes and positions in a message count as the language does that queued the task, or called. */
typedef struct ps_error_info {
    size_t size;
    ps_status status;
    uint64_t sequence;     /* of the task that failed; 0 if the call itself failed */
    const char *operation; /* the task's name; NULL if the call itself failed */
    uint64_t location;     /* the task's source-location id */
    const char *message;   /* never NULL */
    uint64_t more;         /* failures that this one was returned for besides: see ps_wait_all */
    ps_error_kind kind;
    uint32_t line;        /* where the task was queued; 0 if that is not known */
    const char *file;     /* likewise; NULL if it is not known */
    const char *function; /* likewise */
    const char *place;    /* "program.py, line 12", as in `text`; NULL if it is not known */
    const char *text;     /* never NULL */
    /* Of work that ps_backward or ps_grad queued; `location`, `file` and so on are of the operation
     * whose gradient it is. */
    const char *gradient_of;    /* that operation; NULL: no such work */
    uint64_t backward;          /* the location of the call that asked for gradients */
    const char *backward_file;  /* as `file`, of that call */
    const char *backward_place; /* as `place` */
    uint64_t backward_line;
} ps_error_info;

PS_API const char *ps_last_error(void);
PS_API ps_status ps_last_error_info(ps_error_info *info);

/* "0.1.0"; and a number that changes when compiled programs must be rebuilt: one that finds the
 * library at run time can hold it against PS_ABI_VERSION. */
#define PS_ABI_VERSION 2u
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
    PS_TASK_ALWAYS = 1u << 2,       /* runs even if an input is marked; ps_task_error tells */
    PS_TASK_CAN_FAIL = 1u << 3      /* checks values: if that is cheap it runs even at exit */
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
    uint64_t location; /* where in the user's program: PS_HERE, or a frontend's: see "Threads" */
    uint64_t cost_ns;  /* an estimate of its run time; 0 if unknown */
    uint64_t bytes;    /* what it will allocate, for the bound */
    ps_queue *queue;   /* the device queue it works on; NULL for the CPU */
    int32_t priority;  /* higher runs earlier among what can run */
    uint32_t kind;     /* a ps_kind */
    uint64_t flags;    /* PS_TASK_* */
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
 * returned yet; call again for the next. Failures of one operation, pushed at one (known) place,
 * with one status are returned once, by the oldest: its text, and `more` of ps_last_error_info,
 * count the others. So are those that come when 64 such are unseen, by the newest one of their own
 * status. A loop that calls until PS_OK thus ends after few calls and meets each status that tasks
 * failed with, and no other. */
PS_API ps_status ps_wait_all(ps_engine *engine, const ps_wait_options *options);

/* The same without the wait: of tasks that are already complete, returns the oldest failure that no
 * wait has returned yet; PS_OK if there is none. Runs nothing; for reporting at the end of a
 * program. After ps_engine_leave, and in exit handlers that run after the engine's own (those that
 * were registered before the first engine was made), the last one is PS_ERR_DROPPED if tasks are
 * unfinished: ps_last_error_info has the oldest of them, and in `more` the number of the others. */
PS_API ps_status ps_engine_take_error(ps_engine *engine);

/* The end of a program, for a frontend that has to report while it still can; the library does the
 * same by itself when the process exits. Runs io tasks and, where that is cheap, tasks that can fail
 * (PS_TASK_CAN_FAIL), each with what it needs, on this thread: of the latter those that depend on
 * nothing without an estimate (`cost_ns`) and on no device, the oldest first, up to an estimate of
 * 20 ms in all; or everything, if that is no more than 5 ms. The rest is dropped if the process
 * exits before workers come to it. The engine stays open. PS_ERR_STATE inside a task. */
PS_API ps_status ps_engine_leave(ps_engine *engine);

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
 * plus what was reported with ps_engine_hold_bytes. Whatever is set, more than a quarter of the
 * memory limit (see ps_memory_set_limit) is too much, too. Environment: PENSTOCK_QUEUE_SOFT_BYTES,
 * PENSTOCK_QUEUE_BYTES, PENSTOCK_QUEUE_OPS. */
typedef struct ps_bound {
    size_t size;
    uint64_t soft_bytes;          /* default 48 MB */
    uint64_t soft_ops_per_worker; /* default 8 */
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

/* All settings of the calling thread as one word, so that a frontend can save it, restore it, and
 * bring a thread up to date with one call. 0 is a new thread's. ps_thread_mode is a part of it.
 * PS_ERR_ARGUMENT for bits that are none of these, and nothing is changed. */
#define PS_STATE_MODE UINT64_C(0x3)      /* a ps_mode */
#define PS_STATE_FUSION_ON UINT64_C(0x4) /* for what this thread queues; neither: as ps_fusion */
#define PS_STATE_FUSION_OFF UINT64_C(0x8)
#define PS_STATE_RECORDING UINT64_C(0x10)    /* operations are recorded: see ps_backward */
#define PS_STATE_TRAINING UINT64_C(0x20)     /* kept, without a meaning yet */
#define PS_STATE_PAUSED UINT64_C(0x40)       /* nor are those of PS_GRAD_UNLESS_PAUSED */
#define PS_STATE_DEVICE_SHIFT 16             /* where new tensors are made that name no device: */
#define PS_STATE_DEVICE UINT64_C(0xFFFF0000) /* ps_device_number of it; 0: the CPU */

PS_API uint64_t ps_thread_state(void);
PS_API ps_status ps_thread_set_state(uint64_t state);

/* What a language frontend gives for a thread of its own. Any pointer may be NULL. The struct is
 * copied; what `state` points to must stay valid while the thread uses it and while tasks that it
 * pushed with PS_TASK_FRONTEND_ARG are unreleased. A task on a waiting thread never takes the lock to
 * wait. */
typedef struct ps_hooks {
    size_t size;
    void *state;                           /* passed to each */
    void (*unlock)(void *state);           /* give up the interpreter's lock: before the thread */
    void (*relock)(void *state);           /*   blocks or runs queued work; take it again after */
    bool (*interrupted)(void *state);      /* polled during waits, with the lock held */
    void (*pressure)(void *state);         /* before a pusher blocks at the bound, lock held */
    void (*releases_pending)(void *state); /* from any thread, no lock held: arrange for
                                              ps_releases_run on a thread with the lock */
    uint64_t frontend; /* what ps_frontend_register gave: texts of errors count as it does; or 0 */
} ps_hooks;

PS_API ps_status ps_thread_set_hooks(const ps_hooks *hooks);

/* Calls `drop` for the arguments of finished PS_TASK_FRONTEND_ARG tasks. Call with the frontend's
 * lock held. Returns how many. */
PS_API size_t ps_releases_run(ps_engine *engine);

/* Locations: where in a program something was queued, for the texts of errors and for traces.
 *   0                it is not known
 *   the top bit set  a line of C or C++: PS_HERE. No table is kept, and nothing is allocated
 *   all others       the number of a language frontend, in the upper byte, and 56 bits that it alone
 *                    understands; the number 127 is the library's own, for work that ps_backward
 *                    queued: it stands for two lines, of which the first is resolved */
#define PS_HERE ps_location_literal(__FILE__, __LINE__)

/* `file` must be a literal. 0 for an address of more than 47 bits; line 0 for one above 65535. */
static inline uint64_t ps_location_literal(const char *file, unsigned line)
{
    uint64_t address = (uint64_t)(uintptr_t)file;
    if (address >> 47 != 0)
        return 0;
    return UINT64_C(1) << 63 | address << 16 | (line <= 0xFFFF ? line : 0);
}

typedef struct ps_place {
    size_t size;
    const char *file;
    const char *function; /* or NULL */
    const char *shown;    /* what a text says instead of the file: "Cell In[3]"; or NULL */
    uint64_t line;        /* from 1 on; 0: not known */
} ps_place;

/* A language, as the texts of errors need it. */
typedef struct ps_frontend {
    size_t size;
    const char *name; /* "Python": 1 to 31 bytes; copied */
    uint64_t origin;  /* how it counts positions and axes: from 0 or from 1 */
    /* Fills in the place of one of its ids (56 bits), of which it may know only some members:
     * `size` says how far the struct goes. What it points to must stay valid until this is called
     * again on the thread. False if the id is not known, or if the calling thread may not enter the
     * language now, whose texts then only name it. Called without locks of the library, when an
     * error is asked for. NULL: never. */
    bool (*resolve)(void *state, uint64_t id, ps_place *place);
    void *state;
} ps_frontend;

#define PS_FRONTENDS_MAX 126

/* Gives the frontend a number, for the life of the process: its locations are *base | id. Once more
 * with all the same gives the same; PS_ERR_STATE for another one of that name, and when
 * PS_FRONTENDS_MAX were registered. */
PS_API ps_status ps_frontend_register(const ps_frontend *frontend, uint64_t *base);
/* For one whose code is to be unloaded: `resolve` is not called any more when this returns, and texts
 * name the language and no more. The number is not given again; the name may be. Waits for calls of
 * `resolve` that other threads are in; PS_ERR_STATE from inside of it. */
PS_API ps_status ps_frontend_unregister(uint64_t base);

/* The place of a location; false if it cannot be found. The texts are the frontend's, valid until the
 * next call of this, or of ps_last_error_info, on the thread; or the literal of PS_HERE. */
PS_API bool ps_location_resolve(uint64_t location, ps_place *place);

/* ---- 10. Memory ------------------------------------------------------------------------ */

/* Blocks are aligned to 64 bytes and come from pools that keep what is freed. Zero bytes is a
 * valid size (such blocks share an address). Free takes the size that alloc was given.
 *
 * Over the hard limit, alloc trims the pools, then waits until its task runs alone, and only then
 * fails with PS_ERR_MEMORY; outside of tasks it helps to run what is queued until there is room or
 * nothing moves. Of tasks that hold memory and wait for each other's, the youngest fails; an
 * operation on tensors then gives back what it has and is run again in its turn. So a program whose
 * steps fit one by one, in half of the limit beside what its handles hold, does not fail. */
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
/* "cpu:0": what ps_device_find knows it by. NULL is the CPU. Valid for the process's life. */
PS_API const char *ps_device_name(const ps_device *device);
/* From 1 on; the same for the process's life. Of NULL 0. See ps_thread_set_state. */
PS_API unsigned ps_device_number(const ps_device *device);
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
    PS_TRACE_RESUME = 8,  /* and went on */
    PS_TRACE_LOOP = 9, /* a thread began to run pieces of a parallel loop of the task (sequence 0:
                             of no task); other: how many pieces the loop has, two at least */
    PS_TRACE_LOOP_END = 10 /* and ended; other: how many of them it ran, one at least */
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

/* ---- 13. Element types ----------------------------------------------------------------- */

/* Name, number, C text. Numbers never change. */
#define PS_DTYPE_LIST(X)                                                                           \
    X(BOOL, 0, "bool")                                                                             \
    X(INT8, 1, "int8")                                                                             \
    X(INT16, 2, "int16")                                                                           \
    X(INT32, 3, "int32")                                                                           \
    X(INT64, 4, "int64")                                                                           \
    X(UINT8, 5, "uint8")                                                                           \
    X(UINT16, 6, "uint16")                                                                         \
    X(UINT32, 7, "uint32")                                                                         \
    X(UINT64, 8, "uint64")                                                                         \
    X(FLOAT16, 9, "float16")                                                                       \
    X(BFLOAT16, 10, "bfloat16")                                                                    \
    X(FLOAT32, 11, "float32")                                                                      \
    X(FLOAT64, 12, "float64")                                                                      \
    X(COMPLEX64, 13, "complex64")                                                                  \
    X(COMPLEX128, 14, "complex128")

typedef enum ps_dtype {
#define PS_DTYPE_ENUM(name, number, text) PS_##name = number,
    PS_DTYPE_LIST(PS_DTYPE_ENUM)
#undef PS_DTYPE_ENUM
} ps_dtype;

/* "float32", or a fixed text for numbers that are no element type; bytes of one element, or 0. */
PS_API const char *ps_dtype_name(ps_dtype dtype);
PS_API size_t ps_dtype_bytes(ps_dtype dtype);
/* The type of that name. */
PS_API ps_status ps_dtype_find(const char *name, ps_dtype *dtype);
/* The smallest type that holds the values of both: that of an operation's result. Where no integer
 * type holds both it is float64; an integer beside a float or complex type gives that type. */
PS_API ps_status ps_dtype_promote(ps_dtype a, ps_dtype b, ps_dtype *result);

/* A number of the calling language. It is weak: beside a tensor it takes the tensor's element
 * type where that can hold its kind, and it costs no memory. */
typedef enum ps_scalar_tag {
    PS_SCALAR_BOOL = 0,
    PS_SCALAR_INT64 = 1,
    PS_SCALAR_UINT64 = 2,
    PS_SCALAR_DOUBLE = 3,
    PS_SCALAR_COMPLEX = 4
} ps_scalar_tag;

typedef struct ps_scalar {
    ps_scalar_tag tag;
    union {
        bool b;
        int64_t i;
        uint64_t u;
        double d;
        double z[2]; /* real and imaginary part */
    } as;
} ps_scalar;

/* ---- 14. Tensors ----------------------------------------------------------------------- */

/* A tensor is a handle on a view of a storage: element type, shape, strides, where it starts.
 * Views share their storage: a write through one is seen by all. Handles are counted.
 *
 * Nothing here waits unless its comment says so. Everything works on the default engine. */
typedef struct ps_tensor ps_tensor;

#define PS_DIMS_MAX 32

PS_API ps_status ps_tensor_retain(ps_tensor *tensor);
PS_API void ps_tensor_release(ps_tensor *tensor);

/* What is known without waiting. Strides count elements. The arrays live as long as the handle. Of
 * NULL they say 0, NULL or false. */
PS_API ps_dtype ps_tensor_dtype(const ps_tensor *tensor);
PS_API int ps_tensor_ndim(const ps_tensor *tensor);
PS_API const int64_t *ps_tensor_shape(const ps_tensor *tensor);
PS_API const int64_t *ps_tensor_strides(const ps_tensor *tensor);
PS_API int64_t ps_tensor_count(const ps_tensor *tensor); /* of elements */
PS_API ps_device *ps_tensor_device(const ps_tensor *tensor);
/* How many operations have been queued that write the storage in place, after the one that made it,
 * by others than aliases (see ps_tensor_alias); of an alias: by aliases. One that writes what is there
 * already counts, though nothing is queued for it. Views of one storage have one number. */
PS_API uint64_t ps_tensor_version(const ps_tensor *tensor);
/* True if both are views of one storage. */
PS_API bool ps_tensor_shares(const ps_tensor *a, const ps_tensor *b);
/* Where a tensor's elements are: for languages that show it. */
typedef struct ps_tensor_place {
    size_t size;
    uint64_t storage; /* a number that tensors of one storage share, and no others at that time */
    int64_t offset;   /* of the first element, in elements from the storage's beginning */
    uint64_t bytes;   /* of the storage */
} ps_tensor_place;
PS_API ps_status ps_tensor_get_place(const ps_tensor *tensor, ps_tensor_place *place);

/* A tensor with a copy of the caller's elements, taken before the call returns. `strides` (in
 * elements) may be NULL: then they lie side by side, the last dimension fastest. `device` may be
 * NULL for the CPU, here and everywhere, but for what is new: that is made where the state of the
 * thread says (ps_thread_set_state), on the CPU if it says nothing. */
PS_API ps_status ps_tensor_from_host(ps_dtype dtype, int ndim, const int64_t *shape,
                                     const int64_t *strides, const void *elements,
                                     ps_device *device, ps_tensor **tensor);
/* Waits, then copies the elements, the last dimension fastest; `bytes` is the room there, which
 * must be enough. */
PS_API ps_status ps_tensor_to_host(ps_tensor *tensor, void *elements, size_t bytes);
/* Waits; the only element of a tensor that has just one. */
PS_API ps_status ps_tensor_item(ps_tensor *tensor, ps_scalar *value);

/* Until the value is there. Returns the error that marks the tensor. */
PS_API ps_status ps_tensor_wait(ps_tensor *tensor, const ps_wait_options *options);
PS_API bool ps_tensor_is_ready(ps_tensor *tensor);
/* As ps_completions_watch, for the operations queued so far that write the tensor. The completions
 * must be the default engine's. The handle may be released before they are popped. */
PS_API ps_status ps_completions_watch_tensor(ps_completions *completions, ps_tensor *tensor,
                                             uint64_t tag);

/* Views. None copies anything. Axes may be negative: they count from the end. */
typedef enum ps_index_kind {
    PS_INDEX_RANGE = 0,    /* start, stop, step, as a slice in Python */
    PS_INDEX_AT = 1,       /* one position; the dimension goes */
    PS_INDEX_NEW = 2,      /* a new dimension of length 1 */
    PS_INDEX_ELLIPSIS = 3, /* all dimensions that the others leave */
    PS_INDEX_ARRAY = 4,    /* a tensor of integers: positions along one dimension */
    PS_INDEX_MASK = 5 /* a tensor of bool over as many dimensions as it has: where it is true */
} ps_index_kind;

#define PS_INDEX_NONE INT64_MIN /* a start, stop or step that was left out */

typedef struct ps_index {
    uint64_t kind;             /* a ps_index_kind; the other bits are 0 */
    int64_t start, stop, step; /* PS_INDEX_AT: start; arrays and masks: made by ps_index_tensor */
} ps_index;

/* An array or a mask as an item: `start` is the handle, which the item does not own. */
static inline ps_index ps_index_tensor(ps_index_kind kind, ps_tensor *tensor)
{
    ps_index item;
    item.kind = kind;
    item.start = (int64_t)(intptr_t)tensor;
    item.stop = item.step = 0;
    return item;
}

/* Of items without arrays and masks. */
PS_API ps_status ps_tensor_index(ps_tensor *tensor, const ps_index *indices, size_t count,
                                 ps_tensor **view);
PS_API ps_status ps_tensor_permute(ps_tensor *tensor, const int *axes, int count,
                                   ps_tensor **view); /* NULL and 0: all reversed */
PS_API ps_status ps_tensor_broadcast(ps_tensor *tensor, int ndim, const int64_t *shape,
                                     ps_tensor **view);
/* PS_ERR_STATE if the elements do not lie such that a view can have that shape (the operation
 * `reshape` copies then). One length may be -1. */
PS_API ps_status ps_tensor_view_as(ps_tensor *tensor, int ndim, const int64_t *shape,
                                   ps_tensor **view);
/* Parts of the given lengths, one behind the other along the axis; the lengths must add up. On
 * failure none is made. */
PS_API ps_status ps_tensor_split(ps_tensor *tensor, int64_t axis, const int64_t *lengths,
                                 size_t count, ps_tensor **views);
/* The real or the imaginary parts of a complex tensor. */
PS_API ps_status ps_tensor_part(ps_tensor *tensor, bool imaginary, ps_tensor **view);

/* As which library the elements are written. */
typedef enum ps_format_style {
    PS_FORMAT_NUMPY = 0, /* as NumPy's str(); after a prefix as its repr(), with commas */
    PS_FORMAT_TORCH = 1, /* as PyTorch, whose str() and repr() are the same */
    PS_FORMAT_PADDLE = 2 /* as PaddlePaddle: each number by itself, filled up behind */
} ps_format_style;

typedef struct ps_format_options {
    size_t size;
    int precision;     /* digits after the point, 100 at most; -1: NumPy as many as are needed, at
                          most 8 (without dimensions: all that are needed), PyTorch 4, Paddle 8 */
    int64_t threshold; /* more elements than this are summarised; -1: 1000 */
    int edge;          /* how many are shown at each end then; -1: 3 */
    int width;         /* of a line; -1: NumPy 75, PyTorch and Paddle 80 */
    ps_format_style style;
    int scientific;       /* 1.25e+01 for 12.5: 1 always, -1 never, 0 where the style wants it */
    const char *prefix;   /* what the text begins with, "tensor(": lines after the first are
                             indented by its last line, and ")" ends the text. NULL: neither */
    const char *suffixes; /* what follows the elements, "dtype=torch.int32\nrequires_grad=True":
                             each part between '\n' comes after a comma, and on a line of its own
                             where it does not fit. NULL: nothing */
} ps_format_options;

/* Waits, then writes the elements as text, nested in brackets, at most `capacity` bytes with the
 * final zero; *length is what the whole text needs without it. Without options as NumPy's str().
 * Texts in the options are UTF-8, of which characters are counted. */
PS_API ps_status ps_tensor_format(ps_tensor *tensor, const ps_format_options *options, char *text,
                                  size_t capacity, size_t *length);

/* DLPack, the versioned struct (version 1.x; <dlpack/dlpack.h> has its layout). The export waits;
 * it is a read-only snapshot: a later write through Penstock gives the tensor new memory. Its
 * deleter may be called from any thread. The import takes the struct over, and calls its deleter
 * when the elements are needed no more; with `copy` that is before this returns. Without `copy` the
 * caller promises not to write there while the tensor is used; writes through Penstock then go to
 * new memory. If the import fails, the struct still belongs to the caller. */
struct DLManagedTensorVersioned;
PS_API ps_status ps_tensor_to_dlpack(ps_tensor *tensor, struct DLManagedTensorVersioned **managed);
PS_API ps_status ps_tensor_from_dlpack(struct DLManagedTensorVersioned *managed, bool copy,
                                       ps_tensor **tensor);

/* ---- 15. Operations -------------------------------------------------------------------- */

/* All operations are called through ps_op_call. penstock_ops.h has a function for each, ps_add and
 * so on, generated from the table of operations. What can be known at the call (shapes, element
 * types, axes) is checked at the call. */
typedef struct ps_op ps_op;

typedef enum ps_arg_kind {
    PS_ARG_NONE = 0, /* the default */
    PS_ARG_TENSOR = 1,
    PS_ARG_SCALAR = 2,
    PS_ARG_BOOL = 3,
    PS_ARG_INT = 4,
    PS_ARG_DOUBLE = 5,
    PS_ARG_INTS = 6,
    PS_ARG_TENSORS = 7,
    PS_ARG_DTYPE = 8,
    PS_ARG_TEXT = 9,
    PS_ARG_GENERATOR = 11
} ps_arg_kind;

typedef struct ps_generator ps_generator;

/* One argument of a call. What it points to is used during the call only. New kinds find room in
 * `as`, and those without a count in that: it stays 32 bytes. */
typedef struct ps_arg {
    ps_arg_kind kind;
    uint32_t count; /* of ints or tensors; 0 for all other kinds */
    union {
        ps_tensor *tensor;
        ps_scalar scalar;
        bool boolean;
        int64_t integer;
        double number;
        const int64_t *ints;
        ps_tensor *const *tensors;
        ps_dtype dtype;
        const char *text;
        ps_generator *generator;
    } as;
} ps_arg;

/* Arguments from values of C and C++: PS_ARG(x) for a tensor, a number or a bool, and nothing else
 * compiles; PS_INTS(2, 3) for integers, which live as long as the expression around it. */
static inline ps_arg ps_arg_tensor(ps_tensor *tensor)
{
    ps_arg arg;
    arg.kind = PS_ARG_TENSOR;
    arg.count = 0;
    arg.as.tensor = tensor;
    return arg;
}

static inline ps_arg ps_arg_double(double number)
{
    ps_arg arg;
    arg.kind = PS_ARG_DOUBLE;
    arg.count = 0;
    arg.as.number = number;
    return arg;
}

static inline ps_arg ps_arg_int(int64_t integer)
{
    ps_arg arg;
    arg.kind = PS_ARG_INT;
    arg.count = 0;
    arg.as.integer = integer;
    return arg;
}

static inline ps_arg ps_arg_bool(bool boolean)
{
    ps_arg arg;
    arg.kind = PS_ARG_BOOL;
    arg.count = 0;
    arg.as.boolean = boolean;
    return arg;
}

static inline ps_arg ps_arg_dtype(ps_dtype dtype)
{
    ps_arg arg;
    arg.kind = PS_ARG_DTYPE;
    arg.count = 0;
    arg.as.dtype = dtype;
    return arg;
}

static inline ps_arg ps_arg_text(const char *text)
{
    ps_arg arg;
    arg.kind = PS_ARG_TEXT;
    arg.count = 0;
    arg.as.text = text;
    return arg;
}

static inline ps_arg ps_arg_ints(const int64_t *ints, size_t count)
{
    ps_arg arg;
    arg.kind = PS_ARG_INTS;
    arg.count = (uint32_t)count;
    arg.as.ints = ints;
    return arg;
}

static inline ps_arg ps_arg_tensors(ps_tensor *const *tensors, size_t count)
{
    ps_arg arg;
    arg.kind = PS_ARG_TENSORS;
    arg.count = (uint32_t)count;
    arg.as.tensors = tensors;
    return arg;
}

#if defined(__cplusplus)
extern "C++" { /* clang-format off */
template <typename T, bool integer> struct ps_arg_from; /* of no other types */
template <typename T> struct ps_arg_from<T, true> {
    static ps_arg make(T x) { return ps_arg_int(static_cast<int64_t>(x)); }
};
template <> struct ps_arg_from<bool, true> {
    static ps_arg make(bool x) { return ps_arg_bool(x); }
};
template <> struct ps_arg_from<float, false> {
    static ps_arg make(float x) { return ps_arg_double(static_cast<double>(x)); }
};
template <> struct ps_arg_from<double, false> {
    static ps_arg make(double x) { return ps_arg_double(x); }
};
template <> struct ps_arg_from<long double, false> {
    static ps_arg make(long double x) { return ps_arg_double(static_cast<double>(x)); }
};
template <> struct ps_arg_from<ps_tensor *, false> {
    static ps_arg make(ps_tensor *x) { return ps_arg_tensor(x); }
};
template <typename T> inline ps_arg ps_arg_of(T x)
{
    return ps_arg_from<T, std::is_integral<T>::value || std::is_enum<T>::value>::make(x);
}
template <typename... T> struct ps_ints_of {
    int64_t ints[sizeof...(T)];
    operator ps_arg() const { return ps_arg_ints(ints, sizeof...(T)); }
};
template <typename... T> inline ps_ints_of<T...> ps_ints(T... x)
{
    return {{static_cast<int64_t>(x)...}};
}
} /* clang-format on */
#define PS_ARG(x) ps_arg_of(x)
#define PS_INTS(...) ps_ints(__VA_ARGS__)
#elif defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L
/* clang-format off */
#define PS_ARG(x)                                                                                  \
    _Generic((x), ps_tensor *: ps_arg_tensor, bool: ps_arg_bool,                                   \
             float: ps_arg_double, double: ps_arg_double, long double: ps_arg_double,              \
             char: ps_arg_int, signed char: ps_arg_int, unsigned char: ps_arg_int,                 \
             short: ps_arg_int, unsigned short: ps_arg_int, int: ps_arg_int,                       \
             unsigned: ps_arg_int, long: ps_arg_int, unsigned long: ps_arg_int,                    \
             long long: ps_arg_int, unsigned long long: ps_arg_int)(x)
/* clang-format on */
#define PS_INTS(...)                                                                               \
    ps_arg_ints((const int64_t[]){__VA_ARGS__},                                                    \
                sizeof((const int64_t[]){__VA_ARGS__}) / sizeof(int64_t))
#endif

typedef struct ps_call {
    size_t size;
    const ps_arg *args; /* in the order of the signature; those left out at the end are defaults */
    size_t nargs;
    ps_tensor **outputs; /* if outputs[i] is not NULL the result is written into that tensor, which
                            must have its shape; else a new one is put there */
    size_t noutputs;
    ps_device *device; /* for operations without tensor arguments */
    uint64_t location; /* see ps_task_spec */
    uint64_t flags;    /* PS_CALL_* */
} ps_call;

enum {
    PS_CALL_CHECK_LATE = 1u << 0 /* numbers that make no sense (a negative deviation) are an error
                                    of the queued task rather than of the call */
};

PS_API ps_status ps_op_find(const char *name, const ps_op **op);
PS_API ps_status ps_op_call(const ps_op *op, const ps_call *call);

/* An elementwise operation on many sets of tensors, in place: what operation's output i gives replaces
 * the set's tensor for argument i. It is what optimisers do after each step, and is queued as a few
 * tasks, each with as many sets as have about 16 MB; the bits are those of a call for each set. It
 * never waits, and is never recorded. What others still read is not moved to fresh memory: the update
 * runs after them.
 *
 *     ps_op_find("momentum_update", &op);                    // w, m, g, rate, ...
 *     ps_op_update(op, &(ps_update){.size = sizeof(ps_update), .count = 3,
 *                                   .args = (ps_arg[]){ps_arg_tensors(weights, 3),
 *                                                      ps_arg_tensors(momenta, 3),
 *                                                      ps_arg_tensors(gradients, 3),
 *                                                      ps_arg_double(0.1)},
 *                                   .nargs = 4});
 *
 * Tensors of one set have one shape; what is not replaced may also have one element. No two tensors
 * of which one is replaced may share elements. If memory runs out after some of the tasks were
 * queued, the call fails and those stay. */
typedef struct ps_update {
    size_t size;
    size_t count;       /* of sets */
    const ps_arg *args; /* in the order of the signature. PS_ARG_TENSORS: one for each set; else for
                           all sets: a number, or a tensor of one element. Those left out at the end
                           are defaults */
    size_t nargs;
    const double *const *numbers; /* NULL; or for each of the args NULL, or a number for each set,
                                     which is used in its place */
    uint64_t location;            /* see ps_task_spec */
    ps_tensor *const *copies;     /* NULL; or for each set NULL, or a tensor of the shape of its
                                     first, which also gets the new elements of that, in its own
                                     type: weights of 16 bits beside a first argument that is exact */
} ps_update;

PS_API ps_status ps_op_update(const ps_op *op, const ps_update *update);

/* Learning rates as functions of the number of the step, from 0. During the first `warmup` steps the rate
 * grows from `first` to `base`, or stays `first`; after them
 *
 *     PS_SCHEDULE_CONSTANT      base
 *     PS_SCHEDULE_FACTOR        base, times `factor` after every `period` steps; at least `last`
 *     PS_SCHEDULE_MULTI_FACTOR  base, times `factor` from each of the milestones on
 *     PS_SCHEDULE_POLYNOMIAL    last + (base - last) (1 - t)^power
 *     PS_SCHEDULE_COSINE        last + (base - last) (1 + cos(pi t)) / 2
 *
 * where t goes from 0, after the warm-up, to 1 at step `period`, and stays 1. */
typedef enum ps_schedule_kind {
    PS_SCHEDULE_CONSTANT,
    PS_SCHEDULE_FACTOR,
    PS_SCHEDULE_MULTI_FACTOR,
    PS_SCHEDULE_POLYNOMIAL,
    PS_SCHEDULE_COSINE
} ps_schedule_kind;

typedef struct ps_schedule {
    size_t size;
    uint64_t kind; /* a ps_schedule_kind */
    double base, last, first;
    double factor, power;
    uint64_t period;            /* in steps */
    uint64_t warmup;            /* in steps; 0: none */
    uint64_t steady;            /* 1: the rate is `first` during the warm-up; 0: it grows */
    const uint64_t *milestones; /* rising */
    size_t nmilestones;
} ps_schedule;

PS_API ps_status ps_schedule_rate(const ps_schedule *schedule, uint64_t step, double *rate);

/* ---- Gradients --------------------------------------------------------------------------
 *
 * While the calling thread's state has PS_STATE_RECORDING, operations on tensors that a gradient was
 * asked for, and on what was made of these, are recorded. ps_backward then walks what was recorded
 * from some heads back, and only queues operations: it never waits. What operations saved is what they
 * read: later writes make new elements, or copy. */
enum {
    PS_GRAD_NULL,  /* none any more */
    PS_GRAD_WRITE, /* each backward writes it */
    PS_GRAD_ADD,   /* each backward adds to it */

    /* With one of these, what libraries differ in. It holds for all that is computed of the tensor;
     * operations on tensors of which different things hold are refused. */
    PS_GRAD_UNLESS_PAUSED = 1 << 8, /* recorded unless PS_STATE_PAUSED is set, rather than where
                                       PS_STATE_RECORDING is */
    PS_GRAD_CHECK = 1 << 9,       /* a value that a gradient needs and that was written since is an
                                       error of the walk, rather than kept as it was */
    PS_GRAD_NO_WRITES = 1 << 10,  /* what is recorded may not be written in place */
    PS_GRAD_INTEGERS = 1 << 11,   /* gradients of integers, too; what flows is rounded to 0 */
    PS_GRAD_TIES_FIRST = 1 << 12, /* of equal operands of maximum and minimum the first gets all,
                                       rather than each a half */
    PS_GRAD_TIES_EACH = 1 << 13,  /* every largest element of max, or smallest of min, gets all,
                                       rather than its share */
    PS_GRAD_BOUNDS_CUT = 1 << 14, /* what equals a bound of clip gets nothing, rather than all */
    PS_GRAD_NORM_NAN = 1 << 15,   /* where a norm is 0 its gradient is NaN, rather than 0 */
    PS_GRAD_ONCE = 1 << 16, /* a graph that was walked and not retained cannot be walked again,
                                       even if it saved nothing */

    /* The same, of the tensor itself: what is computed of it does not differ. */
    PS_GRAD_LAZY = 1 << 17 /* without a `grad` there is none until the first walk that comes to the
                                       tensor makes it, rather than zeros */
};

/* Asks for the gradient of a tensor, which is cut off from what it was computed of. `grad` is where it
 * goes, of the same type and shape; NULL: a new tensor of zeros. The state of the thread does not matter.
 *
 * While operations on it are recorded, such a tensor (a leaf) and views of it cannot be written in
 * place: PS_ERR_STATE. Otherwise they can. */
PS_API ps_status ps_grad_attach(ps_tensor *tensor, uint32_t request, ps_tensor *grad);
/* The gradient of a tensor that one was asked for, retained; NULL for others, and while there is none. */
PS_API ps_status ps_grad_get(ps_tensor *tensor, ps_tensor **grad);
/* From now on the gradient of a tensor that one was asked for (else PS_ERR_STATE) goes to `grad`, of the
 * same type and shape. NULL: there is none until the next walk makes it, whatever ps_grad_attach was
 * told. The first walk that comes there takes over what has arrived, or copies it; later ones write or
 * add to it, so that who has got it sees that. A walk that has come there goes on with what it found.
 *
 * A gradient that is in a graph itself (of a walk under `create`, for one) which leads to the tensor keeps
 * it, and is kept by it, until another one, or NULL, is set. */
PS_API ps_status ps_grad_set(ps_tensor *tensor, ps_tensor *grad);

typedef struct ps_grad_info {
    size_t size;
    bool flows;            /* gradients flow to it */
    bool leaf;             /* one was asked for it itself: ps_grad_attach */
    uint8_t spare[6];      /* 0 */
    const char *operation; /* what made it: the name of the operation, "view", "write" if a part of
                              it was written in place, or the name of a ps_node_spec, which lives
                              until the tensor is released, written or attached; NULL: nothing */
} ps_grad_info;

PS_API ps_status ps_grad_get_info(ps_tensor *tensor, ps_grad_info *info);
/* ps_grad_info.flows by itself. */
PS_API bool ps_tensor_is_recorded(ps_tensor *tensor);
/* A view of all of it that is part of no graph. */
PS_API ps_status ps_tensor_detach(ps_tensor *tensor, ps_tensor **detached);
/* The same, and what is written through it, or through views of it, is not counted by the versions of
 * other tensors: PS_GRAD_CHECK does not see it. All aliases of a storage count together. Other tensors
 * stay what they are in their graphs, also if what is written is recorded: that is the alias's. */
PS_API ps_status ps_tensor_alias(ps_tensor *tensor, ps_tensor **alias);

typedef struct ps_backward_options {
    size_t size;
    ps_tensor *const *gradients; /* of the heads; NULL, or NULL for one: ones */
    bool retain;                 /* what was saved stays, for another walk */
    bool create;                 /* the walk is recorded, and retains: for gradients of gradients */
    bool scalars;                /* a head of more than one element must have a gradient given */
    uint8_t spare[5];            /* 0 */
    uint64_t location;
} ps_backward_options;

/* Gradients of the sum of the heads to all that have one attached. `options` may be NULL. */
PS_API ps_status ps_backward(ps_tensor *const *heads, size_t count,
                             const ps_backward_options *options);
/* Gradients to what is wanted instead; NULL in results where nothing flows. */
PS_API ps_status ps_grad(ps_tensor *const *heads, size_t count, ps_tensor *const *wanted,
                         size_t nwanted, const ps_backward_options *options, ps_tensor **results);

typedef struct ps_graph_stats {
    size_t size;
    uint64_t nodes; /* that there are */
    uint64_t saves; /* values that they hold */
    uint64_t
        copied; /* bytes that were copied, up to now, because a part of a tensor was written while
                        elements of it that are needed, or were exported, had to stay as they were */
} ps_graph_stats;

PS_API ps_status ps_graph_get_stats(ps_graph_stats *stats);

/* Functions of the program's own. What it has computed, usually while recording was off, becomes
 * part of the graph with a function for its gradients:
 *
 *     static ps_status backward(void *context, ps_node_turn *turn)      // y = exp(x), y is saved
 *     {
 *         return ps_multiply(PS_ARG(turn->gradients[0]), PS_ARG(turn->saved[0]),
 *                            &turn->results[0]);
 *     }
 *     ...
 *     ps_node_create(&(ps_node_spec){.size = sizeof(ps_node_spec), .name = "exp", .inputs = &x,
 *                                    .ninputs = 1, .outputs = &y, .noutputs = 1, .saved = &y,
 *                                    .nsaved = 1, .backward = backward});
 *
 * It runs in the walk, on its thread, with recording off, or on if the walk is recorded. It may
 * call anything, also ps_backward; the thread's state is put back when it returns. The tensors
 * that it is given are its own until then: what it writes to them nobody sees. A status but
 * PS_OK ends the walk, with the text of ps_op_fail or of the call that failed. */
typedef struct ps_node_turn {
    size_t size;
    ps_tensor *const *gradients; /* of each output; NULL: nothing flows to it */
    size_t ngradients;
    ps_tensor *const *saved; /* if the walk is recorded, inputs and outputs are part of the graph */
    size_t nsaved;
    const bool *wanted;  /* of each input: whether its gradient is used */
    ps_tensor **results; /* NULLs: to be filled in with gradients of the types and shapes of the
                            inputs, as references that are the walk's then; NULL: nothing flows */
    size_t nresults;
    bool create; /* the walk is recorded */
    uint8_t spare[7];
} ps_node_turn;

typedef ps_status (*ps_node_fn)(void *context, ps_node_turn *turn);

typedef struct ps_node_spec {
    size_t size;
    const char *name; /* for texts of errors: copied; or NULL */
    ps_tensor *const *inputs;
    size_t ninputs;
    ps_tensor *const *outputs; /* new tensors: none shares its elements with an input */
    size_t noutputs;
    ps_tensor *const *saved; /* what the function needs, as it is now; `context` must not hold an
                                output, which would keep the graph that keeps the context */
    size_t nsaved;
    ps_node_fn backward;
    void *context;
    void (*drop)(void *context); /* or NULL; called exactly once: when no graph needs the context
                                    any more, on any thread, or before a call returns that fails */
    uint64_t location;           /* as in ps_call */
} ps_node_spec;

/* If no gradients flow to any input, only drops the context. If `spec` itself is refused, as
 * NULL or for its size, nothing is dropped. */
PS_API ps_status ps_node_create(const ps_node_spec *spec);

/* Hooks: functions that a walk calls with the gradient of a value. They run as the functions
 * above do, in the order in which they were added. They belong to the value that the tensor has
 * now: after it was written in place, or ps_grad_attach, it is another. */
typedef enum ps_hook_kind {
    PS_HOOK_GRADIENT = 0,   /* when the gradient is complete, before it is used */
    PS_HOOK_ACCUMULATED = 1 /* after ps_backward has made, written, or added to, the gradient of a
                               tensor that one was asked for: with that. It may call ps_grad_set */
} ps_hook_kind;

/* A gradient of the same type and shape in `replacement`, a reference that is the walk's then,
 * is used instead; not of PS_HOOK_ACCUMULATED. */
typedef ps_status (*ps_hook_fn)(void *context, ps_tensor *gradient, ps_tensor **replacement);
typedef struct ps_hook ps_hook;

typedef struct ps_hook_spec {
    size_t size;
    uint64_t kind; /* a ps_hook_kind */
    ps_hook_fn run;
    void *context;
    void (*drop)(void *context); /* as that of ps_node_spec: when the hook was removed, or its
                                    value is gone, and no walk is in it */
} ps_hook_spec;

/* `hook` may be NULL; what it is set to is given up by one of the two below. PS_ERR_STATE if no
 * gradients flow to the tensor; for PS_HOOK_ACCUMULATED, if none is attached to it. */
PS_API ps_status ps_tensor_hook(ps_tensor *tensor, const ps_hook_spec *spec, ps_hook **hook);
/* Takes the hook away; it may be running. Also inside of it. */
PS_API void ps_hook_remove(ps_hook *hook);
/* The hook stays. */
PS_API void ps_hook_release(ps_hook *hook);

/* Elements by a list of items, which mean what they mean in an index of NumPy's; `location` is as in
 * ps_call. Arrays are broadcast together; their dimensions stand where the first of them stands, or in
 * front of all others if something stands between them. Positions count from the end if they are
 * negative. One in an array that is out of range is found while running; a mask is waited for, unless
 * it is the only item of an index that is written.
 *
 * Reading gives a view where the items allow one, else new elements. */
PS_API ps_status ps_tensor_get(ps_tensor *tensor, const ps_index *items, size_t count,
                               uint64_t location, ps_tensor **result);
/* Writes a tensor, broadcast and converted, or a number, which must fit the element type. Of equal
 * positions the last counts. */
PS_API ps_status ps_tensor_set(ps_tensor *tensor, const ps_index *items, size_t count, ps_arg value,
                               uint64_t location);

/* What there is, for frontends and tools that are made from it. Valid for the process's life. */

/* What an argument means beyond its kind: languages that count from 1 convert axes and positions. */
typedef enum ps_arg_role {
    PS_ROLE_NONE,
    PS_ROLE_MASK,      /* TENSOR: taken as bool */
    PS_ROLE_POSITIONS, /* TENSOR: positions, from 0 */
    PS_ROLE_AXIS,      /* INT: a dimension, from 0, or from -1 backwards */
    PS_ROLE_AXES,      /* INTS: dimensions */
    PS_ROLE_CHOICE     /* TEXT: one of `choices` */
} ps_arg_role;

typedef struct ps_op_arg_info {
    const char *name;
    ps_arg_kind kind;
    bool required;            /* else it has a default */
    bool scalar;              /* TENSOR: a number may be given in its place */
    const char *default_text; /* as in the signature; NULL if required */
    const char *choices;      /* separated by blanks; NULL if it is no choice */
    ps_arg_role role;
    uint32_t reserved; /* 0 */
} ps_op_arg_info;

/* What is true of an operation, and where languages put it. */
enum {
    PS_OP_TO_FLOAT = 1u << 0,  /* integers and bool become floating-point numbers */
    PS_OP_VIEW = 1u << 1,      /* the result shares the first argument's elements where it can */
    PS_OP_COMPOSED = 1u << 2,  /* made of other operations */
    PS_OP_WAITS = 1u << 3,     /* waits for its arguments: the shape depends on values */
    PS_OP_POSITIONS = 1u << 4, /* the result is positions, from 0 */
    PS_OP_METHOD = 1u << 5,    /* also a method of arrays */
    PS_OP_MAIN = 1u << 8,      /* name spaces: the main one, */
    PS_OP_NN = 1u << 9,        /* neural networks, */
    PS_OP_LINALG = 1u << 10,   /* linear algebra, */
    PS_OP_RANDOM = 1u << 11,   /* random numbers, */
    PS_OP_OPTIM = 1u << 12     /* optimisers */
};

typedef struct ps_op_info {
    size_t size;
    const char *name;
    const char *signature; /* "x, axis: ints = none, keepdims: bool = false" */
    const char *doc;
    const char *group;      /* "elementwise", "reduction", ... */
    const char *dtypes;     /* which element types it takes: "numeric", "float", ... */
    const char *result;     /* how the result's type follows */
    const char *expression; /* of an elementwise operation or a reduction's elements; or NULL */
    const char *gradient;   /* expressions, "by NAME" or "no: WHY"; NULL: none was stated */
    bool exact;             /* the same bits on every instruction set */
    bool blocks;            /* PS_OP_WAITS */
    size_t nargs;
    size_t noutputs;
    const ps_op_arg_info *args;
    uint64_t flags;     /* PS_OP_... */
    const char *symbol; /* of an operator, over the names of its arguments: "x1 + x2"; or NULL */
} ps_op_info;

PS_API size_t ps_op_count(void);
PS_API const ps_op *ps_op_at(size_t index);
PS_API ps_status ps_op_get_info(const ps_op *op, ps_op_info *info);

/* Adds an operation at run time: it is called, listed and described as those of the table are, and
 * stays for the life of the process. The strings are copied. It is either
 *   - elementwise: an expression over the names of the signature, whose arguments are one to eleven
 *     tensors or scalars (docs/operations.md has the language); it is fused like any other. Several
 *     expressions, separated by ";", give as many outputs, up to six; an output that is given may
 *     be one of the operands, which is then updated in place; or
 *   - a rule and a kernel, for one to eight arguments that are tensors or numbers. The rule runs at
 *     the call and says what the result is; the kernel runs when the operands are there, on any
 *     thread. Numbers are passed in `numbers` in the order of the signature, tensors in `inputs`. */
typedef struct ps_view {
    void *data; /* the first element; NULL for the rule */
    ps_dtype dtype;
    int ndim;
    const int64_t *shape;
    const int64_t *strides; /* in bytes */
    uint64_t reserved[4];   /* 0 */
} ps_view;

/* Fills in the result's type, dimensions and shape, which has room for PS_DIMS_MAX. What it returns
 * but PS_OK is returned by the call, with `ps_op_fail` as the text. */
typedef ps_status (*ps_op_rule_fn)(void *context, const ps_view *inputs, size_t ninputs,
                                   const ps_scalar *numbers, size_t nnumbers, ps_dtype *dtype,
                                   int *ndim, int64_t *shape);
/* Writes all elements of the output, which lie side by side. A failure marks the result. */
typedef ps_status (*ps_op_kernel_fn)(void *context, const ps_view *inputs, size_t ninputs,
                                     const ps_scalar *numbers, size_t nnumbers,
                                     const ps_view *output);
/* In a rule or kernel: notes a text for the error and returns the status. */
PS_PRINTF(2, 3)
PS_API ps_status ps_op_fail(ps_status status, const char *format, ...);

typedef struct ps_op_def {
    size_t size;
    const char *name;       /* not one that exists */
    const char *signature;  /* "x, slope: scalar = 0.01" */
    const char *dtypes;     /* as in ps_op_info: "numeric", "real floating-point", ... */
    const char *result;     /* "same", "bool" or "real" */
    const char *expression; /* "where(x >= 0, x, slope * x)"; or NULL */
    const char *gradient;   /* or NULL */
    const char *doc;        /* or NULL */
    bool to_float;          /* integers and bool become float32 */
    ps_op_rule_fn rule;     /* these instead of dtypes, result and expression */
    ps_op_kernel_fn kernel;
    void *context; /* passed to both; must stay valid */
} ps_op_def;

PS_API ps_status ps_op_register(const ps_op_def *def, const ps_op **op);

/* Fusion of elementwise operations; on unless PENSTOCK_FUSION is 0 or off. */
PS_API void ps_fusion_set(bool on);
PS_API bool ps_fusion(void);

/* Which BLAS library the first matrix product loads: the file that PENSTOCK_BLAS names; else the one
 * proposed here, for a frontend that brings its own; else libopenblas.so.0. A proposal that
 * cannot be used is passed over; without any library, or with PENSTOCK_BLAS=none, the products use
 * our own kernels. If PENSTOCK_BLAS names what is no BLAS library every call of a product returns
 * PS_ERR_ENVIRONMENT. The file is a path or a name that dlopen finds, with the CBLAS interface and
 * 32-bit dimensions. The last proposal counts, NULL withdraws it. PS_ERR_STATE once a library was
 * looked for. */
PS_API ps_status ps_blas_propose(const char *file);
/* Loads it if that has not happened yet, and says what it is: "OpenBLAS 0.3.21 SkylakeX", a file,
 * "reference" and why there is none, or "none" and what is wrong with PENSTOCK_BLAS. Valid for the
 * process's life. */
PS_API const char *ps_blas_name(void);

/* The same with all that is known. Texts are valid for the process's life. */
typedef struct ps_blas_info {
    size_t size;
    const char *name;   /* as ps_blas_name */
    const char *file;   /* that was loaded; NULL: there is no library */
    const char *config; /* OpenBLAS's text about how it was built; NULL: another library */
    const char *core; /* the kind of processor whose kernels OpenBLAS uses; NULL: another library */
    unsigned threads; /* that the library uses for one call: 1; 0: not known */
    const char *reason; /* why this library and these kernels, in words */
} ps_blas_info;

/* PS_ERR_ENVIRONMENT if PENSTOCK_BLAS cannot be followed. */
PS_API ps_status ps_blas_get_info(ps_blas_info *info);

/* ---- 16. Random generators ------------------------------------------------------------- */

/* A generator has a key and a counter; the numbers of an operation follow from both, as they are
 * when it is called, and from the place of each element. The call moves the counter on by a function
 * of element type and shape alone. So what an operation gives does not depend on when it runs, nor
 * on how many threads run it, and nothing here waits. Calls of several threads get separate parts.
 *
 * NULL in the place of a generator is the default one. Handles are counted. */
PS_API ps_status ps_generator_create(uint64_t seed, ps_generator **generator);
PS_API ps_status ps_generator_retain(ps_generator *generator);
PS_API void ps_generator_release(ps_generator *generator);
/* The one that everybody shares. The system chooses its seed at the first use. */
PS_API ps_status ps_generator_default(ps_generator **generator);

/* From here on as if it had been created with this seed. */
PS_API ps_status ps_generator_seed(ps_generator *generator, uint64_t seed);

/* All there is to know about a generator: set it again, and the same numbers come again. */
typedef struct ps_generator_state {
    size_t size;
    uint64_t key;
    uint64_t counter[2]; /* low half first */
} ps_generator_state;

PS_API ps_status ps_generator_get_state(ps_generator *generator, ps_generator_state *state);
PS_API ps_status ps_generator_set_state(ps_generator *generator, const ps_generator_state *state);

/* ---- 17. Files ------------------------------------------------------------------------- */

/* Tensors in files of the format that MXNet calls `.params`: a list of dense arrays, and either no
 * names or one for each.
 *
 * PS_ERR_SYSTEM: the system could not read or write a file; errno says why. PS_ERR_ARGUMENT: what is
 * in the file is malformed, or of a kind that is refused. */
typedef enum ps_params_version {
    PS_PARAMS_V2 = 2, /* MXNet's nd arrays: at least one dimension */
    PS_PARAMS_V3 = 3  /* MXNet's np arrays: also without dimensions */
} ps_params_version;

/* Waits for the tensors, which may be views of any layout and live on any device, then writes the
 * file. `names` may be NULL. int16, the unsigned types but uint8, and complex types have no place in
 * the format: PS_ERR_TYPE.
 *
 * All is written to a new file in the same folder, which then takes the target's name: whenever
 * the program or the machine stops, the target is the old file or the new one, whole. A stop in
 * between may leave a file ".penstock-*.tmp" there. A target that is no ordinary file, such as a
 * device or a pipe, is written to as it is. */
PS_API ps_status ps_params_save(const char *path, const char *const *names,
                                ps_tensor *const *tensors, size_t count, ps_params_version version);

/* Reads a file, or its bytes in memory, onto the CPU, wherever its arrays were when they were saved.
 * All versions are read: V3, V2, V1 and the form before versions. Bytes after the end are ignored.
 * Nothing in the file is believed unchecked; memory is taken for what the file really holds. */
typedef struct ps_params ps_params;

enum {
    PS_PARAMS_REFUSE_V3 = 1u << 0,   /* as MXNet does for nd arrays */
    PS_PARAMS_REFUSE_OLDER = 1u << 1 /* all but V3, as MXNet does for np arrays */
};

PS_API ps_status ps_params_load(const char *path, uint32_t flags, ps_params **params);
PS_API ps_status ps_params_load_memory(const void *data, size_t bytes, uint32_t flags,
                                       ps_params **params);
PS_API void ps_params_free(ps_params *params);

/* How many arrays there are; the name of one, which lives as long as `params`: NULL if they have
 * none; and its tensor, a handle of the caller's own: NULL for an array that was saved before it had
 * a shape. */
PS_API size_t ps_params_count(const ps_params *params);
PS_API const char *ps_params_name(const ps_params *params, size_t index);
PS_API ps_status ps_params_tensor(const ps_params *params, size_t index, ps_tensor **tensor);

/* Tensors in files of the safetensors format: named ones, and texts about them. Element types are all
 * but complex128: PS_ERR_TYPE. Other statuses are as above.
 *
 * Saving waits for the tensors and replaces the file as ps_params_save does. Names are UTF-8, each
 * there once, and none "__metadata__". `metadata` has `npairs` keys, each followed by its value; it
 * may be NULL for none. */
PS_API ps_status ps_safetensors_save(const char *path, const char *const *names,
                                     ps_tensor *const *tensors, size_t count,
                                     const char *const *metadata, size_t npairs);

/* Opening reads the header and checks all of it, the places of tensors in the file too; no elements
 * are read. The header may have 100 MB, the tensors 32 dimensions; element types that are not
 * those here (the 8-bit floats) are refused by name. An open file may be used by several threads.
 *
 * With PS_SAFETENSORS_BORROW the file is mapped into memory, and tensors are read when their elements
 * are used, by whoever uses them: opening a file takes no longer for being large, and processes that
 * open one share its memory. Such tensors are like others; what writes to one gives it new memory. They
 * keep the mapping, not the open file, for as long as they live. The caller promises that the file
 * is neither written nor made shorter meanwhile: what is no longer there raises SIGBUS when it is
 * read. Replacing it, as saving does, is harmless. Without the flag there is no such promise: a
 * file that became shorter is an error.
 *
 * In memory, `data` must stay as it is until the file is closed. */
typedef struct ps_safetensors ps_safetensors;

enum {
    PS_SAFETENSORS_BORROW = 1u << 0 /* but for bool, and what is not aligned in the file: copied */
};

PS_API ps_status ps_safetensors_open(const char *path, uint32_t flags, ps_safetensors **file);
PS_API ps_status ps_safetensors_open_memory(const void *data, size_t bytes, ps_safetensors **file);
PS_API void ps_safetensors_close(ps_safetensors *file);

/* How many tensors there are, and what is known of each, in the order of the header. Of NULL, and of
 * tensors that are not there, these say 0 or NULL. Names and shapes live as long as `file` is open. */
PS_API size_t ps_safetensors_count(const ps_safetensors *file);
PS_API const char *ps_safetensors_name(const ps_safetensors *file, size_t index);
PS_API ps_dtype ps_safetensors_dtype(const ps_safetensors *file, size_t index);
PS_API int ps_safetensors_ndim(const ps_safetensors *file, size_t index);
PS_API const int64_t *ps_safetensors_shape(const ps_safetensors *file, size_t index);
/* Which tensor has that name: PS_ERR_INDEX if none has. */
PS_API ps_status ps_safetensors_find(const ps_safetensors *file, const char *name, size_t *index);
/* A tensor on the CPU, a handle of the caller's own. Each call reads it anew. */
PS_API ps_status ps_safetensors_tensor(const ps_safetensors *file, size_t index,
                                       ps_tensor **tensor);
/* Metadata by number, in the order of the keys; NULL behind the last. */
PS_API const char *ps_safetensors_metadata_key(const ps_safetensors *file, size_t index);
PS_API const char *ps_safetensors_metadata_value(const ps_safetensors *file, size_t index);

#ifdef __cplusplus
}
#endif
#endif
