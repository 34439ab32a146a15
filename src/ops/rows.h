/* Reductions of a few elements that lie side by side, which are done at the call: what is combined for an
 * output, a row, is one leaf. The results are those that a task would give, bit by bit. */
#ifndef PS_OPS_ROWS_H
#define PS_OPS_ROWS_H

#include "ops/output.h"

/* What rows are made of. */
typedef struct ps__rows {
    const ps_tensor *operands[3]; /* the result, then one tensor, or two that are multiplied */
    unsigned count;               /* of operands */
    ps__use use;                  /* of the result, whose elements lie side by side */
    int64_t length;               /* of a row */
    int64_t apart;                /* elements from one to the next in a row; as many rows lie beside
                                     each other */
} ps__rows;

/* Whether elements of such a tensor are few enough, and as the reduction needs them. */
bool ps__rows_are_short(const ps__reduce_spec *spec, const ps_tensor *x);
/* If it can be done now. What is read is short, and of one shape. */
bool ps__rows_at_once(const ps__reduce_spec *spec, const ps__rows *rows);

#endif
