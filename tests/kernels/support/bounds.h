/* How far from the true value a primitive's results may be. */
#ifndef PS_TESTS_KERNELS_BOUNDS_H
#define PS_TESTS_KERNELS_BOUNDS_H

#include "kernels/kernels.h"

/* In units in the last place, as error_ulp counts; 0: the very bits. */
double bound_of(ps__prim prim, ps_dtype dtype);

#endif
