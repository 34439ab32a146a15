/* How far a result is from what is expected. */
#ifndef PS_TESTS_KERNELS_COMPARE_H
#define PS_TESTS_KERNELS_COMPARE_H

#include "kernels/kernels.h"

/* The same bits; any NaN is any NaN, in each part of a complex value. */
bool same_bits(ps_dtype dtype, const void *a, const void *b);

/* In units in the last place: the number of steps between two real floats; of complex ones the
 * larger difference of the parts in units of the last place of the larger expected part. Infinite
 * where no number says it: NaN or a zero of the other sign against anything else, and any difference
 * of integers. `free` says what may differ (see vectors.h). */
double error_ulp(ps_dtype dtype, const void *expected, const void *got, unsigned free);

/* An element's bits as text, for messages. */
const char *element_text(ps_dtype dtype, const void *element, char *text, size_t size);

#endif
