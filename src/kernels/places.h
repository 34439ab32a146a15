/* Where the largest of several lines is, element by element: kernels over elements that lie side by
 * side, of float32 or float64. Places are int32 or int64, as wide as the elements. What comes out for an
 * element depends on that alone. `out` is one of the operands or overlaps none. */
#ifndef PS_KERNELS_PLACES_H
#define PS_KERNELS_PLACES_H

#include "kernels/kernels.h"

typedef struct ps__place_kernels {
    /* Where `next` is larger than `most`, or NaN and `most` is not: it takes its place there. */
    void (*larger)(size_t n, const void *next, int64_t place, void *most, void *places);
    /* `from` where the place is this one, else 0. */
    void (*only)(size_t n, const void *from, int64_t place, const void *places, void *out);
    /* `from` where the place is this one, else `out` as it was. */
    void (*choose)(size_t n, const void *from, int64_t place, const void *places, void *out);
    /* Two elements for each of `from`: it where the place is this one, and where it is the next one;
     * else 0. */
    void (*pairs)(size_t n, const void *from, int64_t place, const void *places, void *out);
    /* Windows of two by two, side by side in elements without gaps: the largest of each; and one
     * element of `from` for each at the place of that, else 0. A line has room for two elements, or
     * four, for each window. */
    void (*squares_largest)(size_t rows, size_t columns, const void *x, void *line, void *out);
    void (*squares_spread)(size_t rows, size_t columns, const void *x, const void *from, void *line,
                           void *out);
} ps__place_kernels;

const ps__place_kernels *ps__place_kernels_of(const ps__kernel_set *set, ps_dtype dtype);

#endif
