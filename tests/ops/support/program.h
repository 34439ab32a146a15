/* Random programs over a handful of tensors.
 *
 *   generate.c  makes a program from a seed, running it step by step in the plainest way
 *   play.c      runs one step, or a whole program, and logs what is read
 *   listing.c   programs as text; and making a failing one small
 *
 * A program works on slots, each empty or a handle. A step does one call on them. What a step can
 * do depends on shapes and types only, never on values, so a program takes the same course however
 * it is run: every number in its log must be the same.
 *
 * A step whose call is refused changes nothing. So steps can be left out: those that depended on
 * them are refused, or work on something else, alike in every run. */
#ifndef PS_TESTS_OPS_PROGRAM_H
#define PS_TESTS_OPS_PROGRAM_H

#include "penstock.h"

#include <stdio.h>

enum {
    PROGRAM_SLOTS = 8,
    PROGRAM_STEPS = 64,
    PROGRAM_ARGS = 3,
    PROGRAM_DIMS = 4,
    PROGRAM_ELEMENTS = 40000 /* of one tensor, at most */
};

typedef enum step_kind {
    STEP_MAKE,    /* to = elements from the host, by a seed */
    STEP_CALL,    /* to = op(args), or written into `to` */
    STEP_REDUCE,  /* to = op(a, axes, keepdims), likewise */
    STEP_CAST,    /* to = cast(a, dtype) */
    STEP_PRODUCT, /* to = matmul(a, b) */
    STEP_INDEX,   /* to = a[index], a view */
    STEP_PERMUTE, /* to = a with its dimensions in another order, a view */
    STEP_EXPAND,  /* to = a broadcast to a shape, a view */
    STEP_RESHAPE, /* to = a in another shape: a view or a copy */
    STEP_PART,    /* to = the real or imaginary parts of a, a view */
    STEP_SET,     /* a[index] = b or a number */
    STEP_ALIAS,   /* to = another handle on a */
    STEP_DROP,    /* the handle goes */
    STEP_READ     /* logs the elements */
} step_kind;

/* An argument: a slot, or a number. */
typedef struct step_arg {
    int slot; /* -1: the number */
    ps_scalar number;
} step_arg;

typedef struct step {
    step_kind kind;
    bool skipped; /* left out while a failing program is made small */
    bool into;    /* written into what `to` holds */
    int to, a, b; /* slots */
    const ps_op *op;
    const char *name; /* of op */
    size_t nargs;
    step_arg args[PROGRAM_ARGS];
    ps_dtype dtype;
    int ndim;
    int64_t shape[PROGRAM_DIMS];
    uint64_t seed;
    bool special;   /* elements may be NaN, infinite, subnormal, extreme */
    void *elements; /* that the seed gives; the step's own */
    size_t nints;   /* axes */
    int64_t ints[PROGRAM_DIMS];
    bool keepdims; /* of a part: the imaginary one */
    size_t nindex;
    ps_index index[PROGRAM_DIMS];
} step;

typedef struct program {
    uint64_t seed;
    bool exact; /* only operations whose bits do not depend on the instruction set */
    unsigned nsteps;
    step steps[PROGRAM_STEPS];
} program;

/* What a run has read, one entry after the other. */
typedef struct log_entry {
    unsigned step; /* PROGRAM_STEPS: at the end */
    int slot;
    ps_dtype dtype;
    size_t bytes, at;
} log_entry;

typedef struct program_log {
    log_entry entries[PROGRAM_STEPS + PROGRAM_SLOTS];
    unsigned count;
    unsigned char *bytes;
    size_t used, room;
    char complaint[256]; /* "" if none */
} program_log;

/* How to run. */
typedef struct setup {
    unsigned workers;
    ps_mode mode;
    bool fusion;
    bool queued; /* even what is short */
} setup;

void program_generate(program *p, uint64_t seed, bool exact);
void program_discard(program *p);
void program_play(program *p, const setup *how, program_log *log);
void program_log_free(program_log *log);
/* False, with a text, if they differ. */
bool program_log_same(const program_log *a, const program_log *b, char *text, size_t room);
uint64_t program_log_hash(const program_log *log);

/* Leaves out all steps without which the runs still differ; `text` says how they do then. */
void program_shrink(program *p, const setup *one, const setup *other, char *text, size_t room);
void program_print(const program *p, FILE *out);

/* ---- between the files ------------------------------------------------------------------- */

/* Fills in `elements` of a step that makes a tensor. */
void step_make_elements(step *s);
/* Runs one step. Refused: the status, and the slots are as before. */
ps_status step_play(const step *s, ps_tensor **slots);
void setup_apply(const setup *how);

static inline uint64_t program_random(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

/* 0 .. count - 1. */
static inline int64_t program_pick(uint64_t *state, int64_t count)
{
    return (int64_t)(program_random(state) % (uint64_t)count);
}

#endif
