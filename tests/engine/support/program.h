/* Random programs for the engine and the serial oracle that judges them.
 *
 *   generate.c  makes a program from a seed: all choices are made before anything runs
 *   task.c      what the function of a task does, wherever it runs
 *   execute.c   runs the program: pushing threads, their steps, the end
 *   oracle.c    replays it serially in sequence-number order and compares
 *   run.c       all of these for one seed
 *
 * Each variable stands for a cell with one number. A task mixes the numbers that it reads with
 * its own identity and writes the result to its cells. Cells are plain memory: the engine alone
 * keeps accesses apart, so a missing edge is a wrong number, an illegal meeting inside a cell or a
 * report of the thread sanitizer.
 *
 * Who pushes is a *context*: a pushing thread, or a task that pushes further tasks. Some variables
 * belong to one pushing thread; only there is the state after a wait exactly known. The others are
 * shared by all contexts.
 *
 * Invariants
 * 1. The plan of a task or step is written by program_generate only. What happened is written
 *    once, by the thread that runs it, and read after all has come to an end.
 * 2. Atomics that watch the engine (`stamp`, `inside`, `runs`, `drops`, ...) are relaxed, so that
 *    they order nothing that the engine should have ordered.
 * 3. A program in which tasks fail tells the order of skipped tasks, which never run, either by
 *    tracing or by sharing nothing between contexts.
 * 4. Nothing in a program can wait for ever: a deferred task is completed by a thread or task that
 *    never waits for it, and tasks do not wait in programs where tasks or pushers complete others.
 */
#ifndef PS_TESTS_ENGINE_PROGRAM_H
#define PS_TESTS_ENGINE_PROGRAM_H

#include "../fixture.h"

enum {
    PROGRAM_VARS = 12,
    PROGRAM_READS = 6,
    PROGRAM_WRITES = 3,
    PROGRAM_CHILDREN = 3,
    PROGRAM_DEPTH = 2, /* of tasks that push tasks that push tasks */
    PROGRAM_PUSHERS = 16,
    PROGRAM_CROWD = 64,    /* workers: far more than processors */
    PROGRAM_TASKS = 640,   /* more than a window holds */
    PROGRAM_STEPS = 640,   /* of one pusher */
    PROGRAM_PIECES = 32,   /* of one loop */
    PROGRAM_FAILURES = 60, /* fewer than the engine keeps */
    PROGRAM_DRAIN = 80     /* waits at the end: one for each failure and a few */
};

typedef struct program program;

/* ---- the plan and fate of a task --------------------------------------------------------- */

typedef enum finish {
    FINISH_RETURN, /* complete when its function returns */
    FINISH_INSIDE, /* deferred, completed before its function returns */
    FINISH_HELPER, /* deferred, completed by a thread that does nothing else */
    FINISH_TASK,   /* deferred, completed by a task pushed later */
    FINISH_PUSHER  /* deferred, completed by its pusher after further pushes */
} finish;

typedef enum failure {
    FAIL_NOT,
    FAIL_RETURN,   /* the function returns an error */
    FAIL_COMPLETE, /* the completion call reports one */
    FAIL_BOTH,     /* both, the completion first: its error is the task's */
    FAIL_DEVICE    /* the device reports one when the work is done */
} failure;

typedef struct loop {
    size_t count;
    size_t grain;
    uint32_t failing; /* a bit for each piece that returns an error */
    program *owner;
    _Atomic uint32_t calls[PROGRAM_PIECES]; /* atomic, relaxed: how often each piece ran */
    uint64_t hash[PROGRAM_PIECES];          /* each written by the one call of its piece */
} loop;

typedef struct task {
    program *owner;

    /* The plan. */
    unsigned id;
    unsigned nreads, nwrites, nchildren;
    uint8_t reads[PROGRAM_READS];
    uint8_t writes[PROGRAM_WRITES];
    uint16_t children[PROGRAM_CHILDREN];
    uint16_t completes; /* id + 1 of the deferred task that this one completes; 0: none */
    uint32_t names;     /* a bit for each variable that its function uses a handle of */
    int parent;         /* the task that pushes it; -1: a pushing thread does */
    int queue;          /* of the late device; -1: the CPU */
    finish finish;
    failure failure;
    ps_status status; /* that it fails with */
    bool twice;       /* completes a second time, which must be refused */
    bool push_first;  /* pushes its children before it touches its cells */
    int wait_var;     /* waited for inside the function; -1: none */
    bool wait_for_write;
    int64_t wait_timeout_ns;
    bool loops;
    loop loop;
    unsigned spin_ns;
    bool yields;
    ps_task_spec spec; /* all but sets and argument */

    /* What happened. Written by the thread that pushes it: */
    bool pushed;
    bool push_sync; /* pushed in synchronous mode */
    ps_status push_status;
    uint64_t push_root; /* of the error that the push returned; 0: none */
    uint64_t push_begin, push_end;
    /* by the thread that runs it: */
    uint64_t sequence; /* 0: it did not run and there was no trace */
    ps_status mark;    /* ps_task_error */
    uint64_t hash;
    ps_status wait_status;
    uint64_t wait_root;
    uint64_t wait_begin, wait_end;
    ps_token token;
    /* and, atomic, by whoever: */
    _Atomic uint32_t runs, drops; /* relaxed */
    _Atomic uint64_t drop_stamp;  /* relaxed */
    ps__word box;                 /* 0 empty, 1 the token is there, 2 it may complete: see task.c */
    unsigned traced_ends;
} task;

/* ---- the steps of a pushing thread ------------------------------------------------------- */

typedef enum step_kind {
    STEP_PUSH,
    STEP_WAIT_READ,  /* and then, if the variable is its own, look at the cell */
    STEP_WAIT_WRITE, /* and then, if the variable is its own, change the cell */
    STEP_WAIT_ALL,
    STEP_IS_READY,
    STEP_VERSION,
    STEP_ON_READY,
    STEP_WATCH,
    STEP_POP,
    STEP_COMPLETE, /* the deferred tasks that this thread completes */
    STEP_WORKERS,
    STEP_LOOP,
    STEP_MODE,
    STEP_RELEASE
} step_kind;

typedef struct step {
    program *owner;

    /* The plan. */
    step_kind kind;
    unsigned var;
    unsigned task;
    unsigned argument; /* workers, or a ps_mode */
    int64_t timeout_ns;
    loop *loop;

    /* What happened. */
    bool done; /* false for a wait that timed out */
    ps_status status;
    uint64_t root;               /* sequence of the error that was returned; 0: none */
    uint64_t value;              /* found in the cell, or whatever the step returned */
    uint64_t begin, end;         /* stamps around the call */
    _Atomic uint32_t calls;      /* atomic, relaxed: callbacks, pops of its tag */
    _Atomic uint32_t told;       /* atomic, relaxed: the status it was told */
    _Atomic uint64_t told_stamp; /* atomic, relaxed */
} step;

typedef struct pusher {
    program *owner;
    unsigned index;
    pthread_t thread;
    unsigned nsteps;
    step steps[PROGRAM_STEPS];

    /* Used by the thread itself only. */
    bool sync;
    unsigned npending;
    uint16_t pending[PROGRAM_TASKS]; /* deferred tasks that it has to complete */
} pusher;

/* ---- the program ------------------------------------------------------------------------- */

typedef struct cell {
    uint64_t value;          /* guarded by the engine: that is what is tested */
    _Atomic uint32_t inside; /* atomic, relaxed: readers, plus CELL_WRITER for a writer */
    _Atomic uint32_t writer; /* atomic, relaxed: the task that wrote last, for messages */
    uint64_t start;          /* the value before the first task */
    ps_var *var;             /* set before the pushers start; each context holds a reference */
    int owner;               /* the only pusher that uses it; -1: shared by all contexts */
    bool released_first;     /* the creator's reference goes before the first push */
} cell;

struct program {
    uint64_t seed;

    /* The plan. */
    unsigned workers;
    bool sync;     /* the engine's mode */
    bool switches; /* pushers change their mode */
    bool traced;
    bool nested;
    bool waits_inside;
    bool destroys_undrained;
    unsigned npushers;
    unsigned failure_percent;
    unsigned finishes; /* a bit for each finish that occurs */
    bool device;
    int64_t delay_ns[2];
    uint64_t bound_ops;
    uint64_t bound_bytes;
    uint32_t step_period;
    unsigned nvars;
    unsigned nfailing;
    unsigned ntasks;
    task tasks[PROGRAM_TASKS];
    pusher pushers[PROGRAM_PUSHERS];

    cell cells[PROGRAM_VARS];
    ps_engine *engine;
    ps_queue *queues[2];
    ps_completions *completions;
    _Atomic uint64_t stamp; /* atomic, relaxed */
    tally callbacks;
    tally given, returned; /* to the helper of task.c, and what it is done with */

    /* What happened at the end; written by the thread that runs the program. */
    unsigned ndrain;
    step drain[PROGRAM_DRAIN];
    bool have_stats;
    ps_engine_stats stats;

    pthread_mutex_t lock;
    bool complained;     /* guarded by lock */
    char complaint[512]; /* guarded by lock */
};

#define CELL_WRITER (UINT32_C(1) << 16)

/* The first complaint is kept; any thread may complain. */
void program_complain(program *p, const char *format, ...) __attribute__((format(printf, 2, 3)));
bool program_complained(program *p);

void program_generate(program *p, uint64_t seed);
void program_execute(program *p);
/* After program_execute: complains about whatever a serial run would not have done. */
void program_judge(program *p);
/* One line about what can occur in the program, for messages. */
void program_describe(const program *p, char *text, size_t size);
/* All tasks and steps with what happened to them. */
void program_print(program *p, FILE *out);

/* All of the above for one seed: whether the program ended as its serial run. If not, says so on
 * stderr. `look`, if there is one, is then shown what happened. */
bool program_run(uint64_t seed, void (*look)(program *p));

/* ---- between the files ------------------------------------------------------------------- */

static inline uint64_t program_stamp(program *p)
{
    return ps__add(&p->stamp, 1) + 1; /* relaxed: see invariant 2 */
}

static inline uint64_t program_mix(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ (hash >> 29);
}

static inline uint32_t program_reads_mask(const task *t)
{
    uint32_t mask = 0;
    for (unsigned i = 0; i < t->nreads; i++)
        mask |= UINT32_C(1) << t->reads[i];
    return mask;
}

static inline uint32_t program_writes_mask(const task *t)
{
    uint32_t mask = 0;
    for (unsigned i = 0; i < t->nwrites; i++)
        mask |= UINT32_C(1) << t->writes[i];
    return mask;
}

static inline size_t loop_grain(const loop *l)
{
    return l->grain != 0 ? l->grain : l->count;
}

static inline unsigned loop_pieces(const loop *l)
{
    return l->count == 0 ? 0 : (unsigned)((l->count + loop_grain(l) - 1) / loop_grain(l));
}

/* What piece `piece` of any loop computes and returns. */
uint64_t loop_piece_hash(size_t begin, size_t end);
ps_status loop_piece_status(const loop *l, unsigned piece);
/* Runs the loop, complains if a piece was missed or repeated, and returns a hash of all pieces and
 * the status. */
uint64_t loop_run(loop *l);
/* What loop_run has to return. */
uint64_t loop_expected(const loop *l);

/* Queues a task; only the thread or task that is its context calls it. */
void task_push(task *t, bool sync);
/* Completes a deferred task, or lets it complete itself if it has not run yet. */
void task_complete(task *t);
/* Until the thread that completes FINISH_HELPER tasks has let go of them all. */
void task_wait_helper(program *p);
/* Enters and leaves a cell from outside of tasks; `who` is for messages. */
void cell_enter(program *p, unsigned var, bool write, const char *who, unsigned id);
void cell_leave(program *p, unsigned var, bool write);
/* Sequence number of the task whose error the last call on this thread returned; 0 when the call
 * itself failed. Checks name, location and text. */
uint64_t program_root(program *p, ps_status status);
/* The calling thread is one of the test's: neither a worker nor a device. */
void task_mark_test_thread(void);
/* What a pusher writes to a cell of its own after waiting for it. */
uint64_t step_written(const pusher *u, const step *s);
ps_device *program_device(void);

#endif
