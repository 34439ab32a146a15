/* Recurrent layers, as calls describe them. */
#ifndef PS_OPS_RECURRENT_H
#define PS_OPS_RECURRENT_H

#include "backend/recurrent.h"
#include "ops/compose.h"

/* What a call of rnn or rnn_backward is about; cell and mask may be NULL. */
typedef struct ps__recurrent {
    ps_tensor *x, *parameters, *state, *cell, *mask;
    ps_dtype dtype;          /* the common type of these */
    ps__work_recurrent work; /* with the sizes */
} ps__recurrent;

/* The cell of a mode, which is one of those that the row lists. */
ps__cell_kind ps__recurrent_cell(const char *mode);

/* Reads the sizes from the tensors, which are set, and checks that they fit each other. */
ps_status ps__recurrent_read(const ps__bound_call *call, const char *mode, bool both,
                             ps__recurrent *r);

/* The rows that rnn stands for: y, the last states and the last cells (NULL: there are none), as
 * temporaries of the composition. */
void ps__recurrent_by_parts(ps__compose *c, const ps__recurrent *r, ps_tensor *results[3]);

#endif
