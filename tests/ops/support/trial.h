/* Trials: the gradient of one row, in some use of it, against differences.
 *
 *   trial_slots.c  operands, calls
 *   trial.c        gradients, differences
 *   trial_again.c  gradients of gradients
 *   trial_forms.c  uses: operands that are views, writes before and after the call, given outputs
 *   trial_walk.c   trials of every row of the table, found by what ps_op_get_info says of it
 *
 * What is differentiated is a sum of weighted numbers. A complex number is two of them, its parts:
 * with weights w of a result y the sum is that of Re(conj(w) y), and the gradient of an operand has as
 * its parts the slopes by the operand's parts. So real and complex rows are compared alike. */
#ifndef PS_TESTS_OPS_TRIAL_H
#define PS_TESTS_OPS_TRIAL_H

#include "table.h"

enum { TRIAL_SLOTS = 20 };

/* A place of a call that has a tensor of numbers. */
typedef struct trial_slot {
    unsigned arg;
    int member;       /* of a list; -1: the argument is the tensor */
    ps_tensor *value; /* what is given there; the trial's */
} trial_slot;

/* How a row is used. What makes an operand of a leaf is recorded, and is part of what is
 * differentiated. */
typedef struct trial_form {
    const char *name;
    ps_tensor *(*leaf)(ps_tensor *value);   /* NULL: a copy */
    ps_tensor *(*operand)(ps_tensor *leaf); /* NULL: the leaf itself */
    bool into;                              /* the output is given: a part of a larger tensor */
    bool onto;                              /* the output is the first operand */
    bool after;                             /* the operands are overwritten after the call */
} trial_form;

enum {
    TRIAL_PLAIN,
    TRIAL_TURNED,
    TRIAL_BACKWARD,
    TRIAL_STEP,
    TRIAL_WRITTEN_BEFORE,
    TRIAL_WRITTEN_AFTER,
    TRIAL_INTO,
    TRIAL_ONTO,
    TRIAL_PART,          /* for real operands */
    TRIAL_PARTS_WRITTEN, /* for complex ones */
    TRIAL_FORMS
};

extern const trial_form trial_forms[TRIAL_FORMS];

typedef struct trial {
    table_row row;
    ps_arg args[TABLE_ARGS];
    trial_slot slots[TRIAL_SLOTS];
    unsigned nslots;
    uint32_t wanted; /* slots that are leaves, a bit for each; the others are constants */
    bool same;       /* all slots have the tensor of slot 0 */
    bool numbers;    /* constants are numbers where the row takes one */
    bool corners;    /* numbers at which the slopes to both sides differ are not compared */
    const trial_form *form;
    unsigned of; /* trial_first: the slot whose gradient it is */
    char about[160];
} trial;

static inline bool trial_is_leaf(const trial *t, unsigned slot)
{
    return t->wanted >> slot & 1;
}

/* ---- numbers ------------------------------------------------------------------------------- */

/* How many numbers a tensor has; they themselves, which the caller frees. */
int64_t trial_count(const ps_tensor *tensor);
double *trial_numbers(ps_tensor *tensor);
/* A tensor of the type with these numbers. */
ps_tensor *trial_tensor(ps_dtype dtype, int ndim, const int64_t *shape, const double *numbers);
double trial_weight(int64_t index);
/* Weights of the numbers of a tensor, as one like it. */
ps_tensor *trial_weights(const ps_tensor *y);

/* ---- one trial ----------------------------------------------------------------------------- */

/* Makes a slot of each tensor of numbers among t->args, and all of them leaves; and their end. */
void trial_slots(trial *t);
void trial_slots_end(trial *t);
/* The value of a slot: of another type, and in another shape, for which its numbers are repeated. */
void trial_give(trial *t, unsigned slot, ps_dtype dtype, int ndim, const int64_t *shape);
/* The arguments with an operand in each slot; `list` has room for those of a list. */
void trial_arguments(const trial *t, ps_tensor *const *operands, ps_arg *args, ps_tensor **list);
/* The call as the form says; leaves has one for each slot that is wanted. */
ps_status trial_call(trial *t, ps_tensor *const *leaves, ps_tensor **y);
/* Of the same type and shape. */
bool trial_is_alike(const ps_tensor *a, const ps_tensor *b);
/* Whether the row takes what the slots have, and the form can be had of it. */
bool trial_fits(trial *t);

/* Leaves for the slots that are wanted, with gradients attached, and behind them one of the weights of
 * the result, if `weights`; and their end. */
void trial_leaves(trial *t, bool weights, ps_tensor **leaves);
void trial_drop(ps_tensor **leaves);

/* The gradients of all leaves by ps_backward, NULL for slots that are none. Fails unless the result is
 * recorded. */
void trial_backward(trial *t, ps_tensor *const *leaves, ps_tensor **gradients);
/* The gradient of slot t->of by ps_grad, for the weights behind the leaves; NULL if nothing flows. */
ps_tensor *trial_gradient(trial *t, ps_tensor *const *leaves, bool create);

/* Numbers to be differentiated: the weighted sum of the result; that of the gradient of slot t->of. */
typedef double (*trial_function)(trial *t, ps_tensor *const *leaves);
double trial_value(trial *t, ps_tensor *const *leaves);
double trial_first(trial *t, ps_tensor *const *leaves);

/* Holds gradients of the function, NULL: zeros, against its differences. Returns how many numbers were
 * compared. */
unsigned trial_compare(trial *t, trial_function f, ps_tensor **leaves, ps_tensor *const *gradients);
/* The first order of the slots that are wanted; how many numbers were compared. */
unsigned trial_check(trial *t);
/* The same for each slot by itself, the others being constants, and for all. */
unsigned trial_check_each(trial *t);

/* The second order: the gradient of slot t->of, which depends on the weights of the result, and perhaps
 * on operands: whether it does. */
bool trial_check_again(trial *t);

/* Nodes and saves of the graph are gone. */
void trial_nothing_is_left(void);

/* ---- all rows ------------------------------------------------------------------------------ */

bool trial_is_stated(const table_row *row); /* the row says that it has a gradient */

typedef struct trial_walk {
    ps_dtype dtype;
    int ndim;
    int64_t shape[2];
    bool variants;            /* each argument that has a default is given in turn, too */
    void (*visit)(trial *t);  /* of a row that takes its arguments */
    unsigned stated, visited; /* rows with a gradient; calls of them that were visited, */
    unsigned refused;         /* and those that do not take the type */
} trial_walk;

void trial_walk_rows(trial_walk *walk);

#endif
