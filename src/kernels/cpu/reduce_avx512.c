/* Leaves of reductions, argmin and argmax for AVX-512. */
#include "kernels/cpu/fill.h"
#include "kernels/cpu/vector_avx512.h"

#include "kernels/cpu/reduce_types.inc"

void ps__fill_reduce_avx512(ps__kernel_set *set)
{
    enter_reductions(set);
}
