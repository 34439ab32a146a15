/* What the two ways through recurrent layers share. */
#ifndef PS_BACKEND_CPU_RECURRENT_H
#define PS_BACKEND_CPU_RECURRENT_H

#include "backend/cpu/cpu.h"
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

/* The rows of one step: as many as make up a piece that is worth a thread. */
size_t ps__track_grain(const ps__track *track);

/* The input of a layer: x, or the states of the layer below, which with a mask are multiplied by
 * it into `masked`. */
ps_status ps__track_input(const ps__track *track, const char *x, const char *reserve,
                          const char *mask, char *masked, const char **input);

#endif
