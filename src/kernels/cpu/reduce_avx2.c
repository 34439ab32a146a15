/* Leaves of reductions, argmin and argmax for AVX2. */
#include "kernels/cpu/fill.h"
#include "kernels/cpu/vector_avx2.h"

#include "kernels/cpu/reduce_types.inc"

void ps__fill_reduce_avx2(ps__kernel_set *set)
{
    enter_reductions(set);
}
