/* Conversions from floats for AVX-512. */
#include "kernels/cpu/independent.h"
#include "kernels/cpu/vector_avx512.h"

#define ENTER(name) name##_avx512
#include "kernels/cpu/casts_floats.inc"
