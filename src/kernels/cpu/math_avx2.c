/* Vector math for AVX2: float32 and float64. Without SLEEF the reference's stays. */
#include "kernels/cpu/fill.h"

#ifdef PENSTOCK_SLEEF
#include "kernels/cpu/vector_avx2.h"

#include "kernels/cpu/math_types.inc"

void ps__fill_math_avx2(ps__kernel_set *set)
{
    float_fill_math(set);
    double_fill_math(set);
}
#else
void ps__fill_math_avx2(ps__kernel_set *set)
{
    (void)set;
}
#endif
