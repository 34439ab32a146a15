/* Runs for AVX2. Without SLEEF exp is the reference's, so there are none. */
#include "kernels/cpu/fill.h"

#ifdef PENSTOCK_SLEEF
#include "kernels/cpu/vector_avx2.h"

#include "kernels/cpu/float_math.inc"
#include "kernels/cpu/runs.inc"

void ps__fill_runs_avx2(ps__kernel_set *set)
{
    set->run = run_floats;
}
#else
void ps__fill_runs_avx2(ps__kernel_set *set)
{
    set->run = NULL;
}
#endif
