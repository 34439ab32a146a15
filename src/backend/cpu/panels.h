/* Rows of a matrix as tiles of products (kernels.h) take them, and memory that is divided. */
#ifndef PS_BACKEND_CPU_PANELS_H
#define PS_BACKEND_CPU_PANELS_H

#include "kernels/kernels.h"

/* Rows of a matrix in panels for tiles: as many in each as can be, the last one may have less. */
typedef struct ps__panels {
    int64_t rows; /* of the matrix */
    int64_t each, count, step;
} ps__panels;

static inline ps__panels ps__panels_of(int64_t rows, const ps__tiles *tiles)
{
    int64_t count = (rows + tiles->rows - 1) / tiles->rows, each = (rows + count - 1) / count;
    return (ps__panels){.rows = rows,
                        .each = each,
                        .count = (rows + each - 1) / each,
                        .step = 2 * each > tiles->step ? tiles->step : each};
}

static inline int64_t ps__panel_rows(const ps__panels *panels, int64_t index)
{
    int64_t left = panels->rows - index * panels->each;
    return left < panels->each ? left : panels->each;
}

/* Rows that are packed: some of the next panel too, since whole lines are copied faster. */
static inline int64_t ps__panel_taken(const ps__panels *panels, int64_t index)
{
    int64_t left = panels->rows - index * panels->each;
    return left < panels->step ? left : panels->step;
}

/* The parts of one block of memory, one behind the other. */
static inline size_t ps__part(size_t *bytes, int64_t count, size_t item)
{
    size_t begin = *bytes;
    *bytes += ((size_t)count * item + 63) & ~(size_t)63;
    return begin;
}

#endif
