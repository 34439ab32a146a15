/* The set for AVX-512 (F, BW, DQ, VL). */
#include "kernels/cpu/fill.h"
#include "kernels/set.h"

void ps__kernels_fill_avx512(ps__kernel_set *set)
{
    ps__fill_narrow_avx512(set);
    ps__fill_wide_avx512(set);
    ps__fill_floats_avx512(set);
    ps__fill_complex_avx512(set);
    ps__fill_casts_integers_avx512(set);
    ps__fill_casts_floats_avx512(set);
    ps__fill_division_avx512(set);
    ps__fill_math_avx512(set);
    ps__fill_runs_avx512(set);
    ps__fill_reduce_avx512(set);
    ps__fill_tiles_avx512(set);
    ps__fill_move_avx2(set);
}
