/* The set for AVX2 with FMA and F16C. */
#include "kernels/cpu/fill.h"
#include "kernels/set.h"

void ps__kernels_fill_avx2(ps__kernel_set *set)
{
    ps__fill_narrow_avx2(set);
    ps__fill_wide_avx2(set);
    ps__fill_floats_avx2(set);
    ps__fill_complex_avx2(set);
    ps__fill_casts_integers_avx2(set);
    ps__fill_casts_floats_avx2(set);
    ps__fill_division_avx2(set);
    ps__fill_math_avx2(set);
    ps__fill_runs_avx2(set);
    ps__fill_reduce_avx2(set);
    ps__fill_tiles_avx2(set);
    ps__fill_move_avx2(set);
}
