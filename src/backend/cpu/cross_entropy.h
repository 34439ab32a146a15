/* What the files of cross-entropy share. */
#ifndef PS_BACKEND_CPU_CROSS_ENTROPY_H
#define PS_BACKEND_CPU_CROSS_ENTROPY_H

#include "backend/cpu/cpu.h"

#include <string.h>

typedef struct ps__crossing {
    const ps__work_cross_entropy *work;
    const ps__operand *operands;
    const int64_t *labels;
    const ps__kernel_set *kernels;
    ps_dtype dtype;
    size_t length, item; /* of a row; bytes of an element */
    ps__leaf_fn largest, total;
    ps__map_fn less, by, exp; /* less, by: one element for all */
} ps__crossing;

static inline bool ps__crossing_ignores(const ps__crossing *c, int64_t label)
{
    return c->work->ignores && label == c->work->ignored;
}

/* Elements as numbers, and the other way: float32 or float64. */
static inline double ps__crossing_number(const ps__crossing *c, const void *element)
{
    float single;
    double wide;
    if (c->dtype == PS_FLOAT32) {
        memcpy(&single, element, sizeof single);
        return (double)single;
    }
    memcpy(&wide, element, sizeof wide);
    return wide;
}

static inline ps__element ps__crossing_element(const ps__crossing *c, double number)
{
    ps__element element;
    float single = (float)number;
    if (c->dtype == PS_FLOAT32)
        memcpy(element.bytes, &single, sizeof single);
    else
        memcpy(element.bytes, &number, sizeof number);
    return element;
}

/* cross_entropy_short.c: rows [begin, end), of at most so many elements each. Asks for memory. */
enum { PS__CROSSING_SHORT = 64 };
ps_status ps__crossing_short(const ps__crossing *c, size_t begin, size_t end);

#endif
