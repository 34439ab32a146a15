/* How the sets of kernels are made, and whether the wish in PENSTOCK_ISA could be met. */
#ifndef PS_KERNELS_SET_H
#define PS_KERNELS_SET_H

#include "kernels/kernels.h"

/* PS_ERR_ENVIRONMENT if PENSTOCK_ISA names no set, or one that this processor or build does not
 * have; ps__kernels_get gives the best set then. */
ps_status ps__kernels_check(void);

/* Fills every entry of a set. */
void ps__kernels_fill_ref(ps__kernel_set *set);
/* Override entries of a set that is a copy of a lesser one. */
#ifdef __x86_64__
void ps__kernels_fill_avx2(ps__kernel_set *set);
void ps__kernels_fill_avx512(ps__kernel_set *set);
#endif

#endif
