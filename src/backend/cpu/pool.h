/* What the files of pooling share. */
#ifndef PS_BACKEND_CPU_POOL_H
#define PS_BACKEND_CPU_POOL_H

#include "backend/cpu/image.h"

#define PS__POOL_MIN(x, y) ((x) < (y) ? (x) : (y))
#define PS__POOL_MAX(x, y) ((x) > (y) ? (x) : (y))

typedef struct ps__pooling {
    const ps__work_pool *w;
    ps__image out, in, x;  /* x: that has places, or the same as `in` */
    ps__image large;       /* the one that windows lie over: its shape */
    int64_t rows, columns; /* of windows */
    size_t item;
    unsigned log; /* of the item */
    ps_dtype dtype;
    ps__map_fn combine, add, divide;
    ps__element neutral; /* what changes nothing */
    int64_t line;        /* elements of a line with its margins */
} ps__pooling;

/* pool_places.c: passes in which places matter, for the planes of channels [begin, end), counted through
 * all images. */
ps_status ps__pool_places(const ps__pooling *p, size_t begin, size_t end);

/* pool_squares.c: whether it can do the pass; and the same planes. */
bool ps__pool_is_squares(const ps__pooling *p);
ps_status ps__pool_squares(const ps__pooling *p, size_t begin, size_t end);

#endif
