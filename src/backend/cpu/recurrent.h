/* What the two ways through recurrent layers share. */
#ifndef PS_BACKEND_CPU_RECURRENT_H
#define PS_BACKEND_CPU_RECURRENT_H

#include "backend/cpu/cpu.h"
#include "backend/cpu/panels.h"
#include "backend/recurrent.h"

/* A layer in one direction. */
typedef struct ps__track {
    const ps__lane *lane;
    const ps__work_recurrent *w;
    const ps__kernel_set *kernels;
    const ps__cell_set *cells_of;
    ps_dtype dtype;
    int64_t item, rows,
        wide; /* bytes of an element; rows of a weight; elements of a layer's state */
    int64_t layer, direction;
    const char *weights[2], *biases[2]; /* of the input and of the state */
    char *gates, *cells;                /* in the reserve */
    char *states;                       /* of this direction; a row of the layer's is `wide` */
    const char *first, *first_cell;     /* state and cell */
} ps__track;

void ps__track_begin(ps__track *track, const ps__lane *lane, const ps__work_recurrent *w,
                     ps_dtype dtype);
/* The track of a layer and direction. first_cell: NULL, or all first cells. */
void ps__track_set(ps__track *track, int64_t layer, int64_t direction, const char *parameters,
                   char *reserve, const char *first, const char *first_cell);

/* Tells the task of a failure that the thread's last error is about. */
ps_status ps__track_fail(const ps__track *track, ps_status status);

/* The time of the s-th step, in the direction of the track. */
static inline int64_t ps__track_time(const ps__track *track, int64_t s)
{
    return track->direction == 0 ? s : track->w->steps - 1 - s;
}

/* Rows of a matrix, one for each sequence. */
typedef struct ps__rows {
    char *data;
    int64_t stride; /* in elements */
} ps__rows;

/* The states, or cells, before the s-th step; s may be behind the last. */
ps__rows ps__track_states(const ps__track *track, int64_t s);
ps__rows ps__track_cells(const ps__track *track, int64_t s);

/* c = a b, perhaps plus a bias, where b may be turned. c is m x n with `c_row` elements from a
 * row to the next, a is m x k, b is k x n. */
typedef struct ps__two {
    int64_t m, n, k;
    const char *a, *b;
    char *c;
    const char *bias;
    int64_t a_row, a_column, b_row, b_column, c_row;
} ps__two;

ps_status ps__track_multiply(const ps__track *track, const ps__two *two);

/* out = a (prim) b, of `count` elements that lie side by side, on the pool if they are many. */
ps_status ps__track_combine(const ps__track *track, ps__prim prim, int64_t count, char *out,
                            const char *a, const char *b);
/* batch rows of `hidden` elements. */
void ps__track_copy(const ps__track *track, ps__rows to, ps__rows from);

/* The input of a layer: x, or the states of the layer below, which with a mask are multiplied by
 * it into `masked`. */
ps_status ps__track_input(const ps__track *track, const char *x, const char *reserve,
                          const char *mask, char *masked, const char **input);

/* ---- recurrent_steps.c --------------------------------------------------------------------- */

/* A part of a step: some sequences and hidden units, and what the product has sent to them. */
typedef struct ps__step {
    int64_t index; /* in the order of the run */
    int64_t row, rows, unit, units;
    const char *sent;
    int64_t sent_row, sent_apart; /* elements between sequences, and between gates */
} ps__step;

/* All steps of a track. Before each comes a product with the weight of the state: forward what states
 * send to the gates, back what flows from the gates to the state. Each sum is one chain in the order of
 * its depth, so no cut changes bits. */
typedef struct ps__steps {
    const ps__track *track;
    /* Set by the caller: how many; the rows that are multiplied before a step, NULL: none are, and what
     * is sent means nothing; the step itself. Parts of one step may run at the same time. */
    int64_t count;
    ps__rows (*from)(const void *arg, int64_t index);
    void (*step)(const void *arg, const ps__step *step);
    const void *arg;
    /* The rest by ps__steps_begin. */
    const ps__tiles *tiles;
    unsigned log;                  /* of the item */
    int64_t sides, depth;          /* products for a unit, and how long they are */
    int64_t unit_step, depth_step; /* in the weight, in elements */
    int64_t groups;                /* of units, as wide as a tile */
    ps__panels blocks;             /* of sequences */
    int64_t pieces, now;          /* pieces for threads; the step under way, if they are of steps */
    bool by_blocks;               /* they go through all steps */
    int64_t *at;                  /* where rows of a panel begin */
    char *weight, *packed, *sent; /* in the memory */
    void *memory;
    size_t bytes;
} ps__steps;

typedef enum ps__steps_way { PS__STEPS_FORWARD, PS__STEPS_BACK } ps__steps_way;

/* Begins for all tracks, and runs through the one that is set. */
ps_status ps__steps_begin(ps__steps *steps, const ps__track *track, ps__steps_way way);
ps_status ps__steps_run(ps__steps *steps);
void ps__steps_end(ps__steps *steps);

#endif
