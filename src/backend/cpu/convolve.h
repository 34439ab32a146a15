/* What the passes of convolutions share: see PS__WORK_CONVOLVE in work.h. */
#ifndef PS_BACKEND_CPU_CONVOLVE_H
#define PS_BACKEND_CPU_CONVOLVE_H

#include "backend/cpu/image.h"

/* Rows of a matrix in panels for tiles: as many in each as can be, the last one may have less. */
typedef struct ps__panels {
    int64_t rows; /* of the matrix */
    int64_t each, count;
} ps__panels;

static inline ps__panels ps__panels_of(int64_t rows, int64_t most)
{
    int64_t count = (rows + most - 1) / most, each = (rows + count - 1) / count;
    return (ps__panels){.rows = rows, .each = each, .count = (rows + each - 1) / each};
}

static inline int64_t ps__panel_rows(const ps__panels *panels, int64_t index)
{
    int64_t left = panels->rows - index * panels->each;
    return left < panels->each ? left : panels->each;
}

/* The parts of one block of memory, one behind the other. */
static inline size_t ps__part(size_t *bytes, int64_t count, size_t item)
{
    size_t begin = *bytes;
    *bytes += ((size_t)count * item + 63) & ~(size_t)63;
    return begin;
}

/* Pieces of less work than this, in multiplications, are not worth a thread's while. */
enum { PS__CONVOLVE_PIECE = 1 << 20 };

/* Runs the body over [0, count), where each takes so much work. */
static inline ps_status ps__convolve_split(const ps__lane *lane, int64_t count, double work,
                                           ps_loop_fn body, void *arg)
{
    double together = work > 0 ? PS__CONVOLVE_PIECE / work : 1;
    size_t grain = together < 1 ? 1 : together < (double)count ? (size_t)together : (size_t)count;
    return ps__split_or_wait(lane, (size_t)count, grain, body, arg);
}

/* convolve_weight.c */
ps_status ps__convolve_weight(const ps__lane *lane, const ps__work_convolve *work,
                              const ps__operand *operands);

#endif
