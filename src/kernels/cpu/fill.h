/* The parts that ps__kernels_fill_avx2 and ps__kernels_fill_avx512 are made of, by what they
 * override. */
#ifndef PS_KERNELS_CPU_FILL_H
#define PS_KERNELS_CPU_FILL_H

#include "kernels/kernels.h"

/* ref/arithmetic.inc and ref/casts.inc, compiled once more */
void ps__fill_narrow_avx2(ps__kernel_set *set);
void ps__fill_wide_avx2(ps__kernel_set *set);
void ps__fill_floats_avx2(ps__kernel_set *set);
void ps__fill_complex_avx2(ps__kernel_set *set);
void ps__fill_casts_integers_avx2(ps__kernel_set *set);
void ps__fill_casts_floats_avx2(ps__kernel_set *set);
void ps__fill_narrow_avx512(ps__kernel_set *set);
void ps__fill_wide_avx512(ps__kernel_set *set);
void ps__fill_floats_avx512(ps__kernel_set *set);
void ps__fill_complex_avx512(ps__kernel_set *set);
void ps__fill_casts_integers_avx512(ps__kernel_set *set);
void ps__fill_casts_floats_avx512(ps__kernel_set *set);

/* Written for vectors; these come after. */
void ps__fill_division_avx2(ps__kernel_set *set);
void ps__fill_math_avx2(ps__kernel_set *set);
void ps__fill_division_avx512(ps__kernel_set *set);
void ps__fill_math_avx512(ps__kernel_set *set);
void ps__fill_runs_avx2(ps__kernel_set *set);
void ps__fill_runs_avx512(ps__kernel_set *set);
void ps__fill_reduce_avx2(ps__kernel_set *set);
void ps__fill_reduce_avx512(ps__kernel_set *set);
void ps__fill_tiles_avx2(ps__kernel_set *set);
void ps__fill_tiles_avx512(ps__kernel_set *set);
void ps__fill_move_avx2(ps__kernel_set *set); /* serves AVX-512 too */

#endif
