/* How many nodes and saves there are, for ps_graph_stats.
 *
 * Everything that is recorded counts, and everything that goes: one number for all threads would cost
 * more than the rest of making a node. So a thread counts in a row of its own while there are rows, and
 * what there is in all is the sum.
 *
 * Invariants
 *   1. A row that has an owner is changed by that thread alone; row 0 by any, atomically.
 *   2. A thread that ends leaves its row to another, with the numbers in it: only the sum means
 *      something. In a forked child the rows of the threads that it does not have stay theirs. */
#ifndef PS_AUTOGRAD_COUNTS_H
#define PS_AUTOGRAD_COUNTS_H

#include "base/atomic.h"

#include <stddef.h>

enum { PS__COUNT_NODES, PS__COUNT_SAVES, PS__COUNTS };

typedef struct ps__count_row {
    _Alignas(64) _Atomic int64_t numbers[PS__COUNTS];
    _Atomic uint32_t owned;
} ps__count_row;

extern __thread ps__count_row *ps__count_own __attribute__((tls_model("initial-exec")));

/* Of a thread that has no row yet, or never will. */
void ps__count_slowly(unsigned what, int64_t by);

static inline void ps__count(unsigned what, int64_t by)
{
    ps__count_row *row = ps__count_own;
    if (PS_LIKELY(row != NULL)) /* pairs with ps__counted, which wants the number only */
        ps__store(&row->numbers[what], ps__load(&row->numbers[what]) + by);
    else
        ps__count_slowly(what, by);
}

/* How many there are; exact while no thread counts. */
int64_t ps__counted(unsigned what);

#endif
