/* The parts that the reference set is made of. */
#ifndef PS_KERNELS_REF_FILL_H
#define PS_KERNELS_REF_FILL_H

#include "kernels/kernels.h"

void ps__fill_same_ref(ps__kernel_set *set);   /* same.c */
void ps__fill_narrow_ref(ps__kernel_set *set); /* arithmetic.inc */
void ps__fill_wide_ref(ps__kernel_set *set);
void ps__fill_floats_ref(ps__kernel_set *set);
void ps__fill_complex_ref(ps__kernel_set *set);
void ps__fill_casts_integers_ref(ps__kernel_set *set); /* casts.inc */
void ps__fill_casts_floats_ref(ps__kernel_set *set);
void ps__fill_math_ref(ps__kernel_set *set);         /* math.c */
void ps__fill_complex_math_ref(ps__kernel_set *set); /* complex_math.c */
void ps__fill_move_ref(ps__kernel_set *set);         /* move.c */
void ps__fill_tiles_ref(ps__kernel_set *set);        /* tiles.c */

#endif
