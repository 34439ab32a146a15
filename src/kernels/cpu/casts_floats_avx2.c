/* Conversions from floats for AVX2. */
#include "kernels/cpu/independent.h"
#include "kernels/cpu/vector_avx2.h"

#define ENTER(name) name##_avx2
#include "kernels/cpu/casts_floats.inc"
