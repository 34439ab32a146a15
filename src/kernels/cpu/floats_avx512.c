/* ref/arithmetic.inc compiled for AVX-512. */
#include "kernels/cpu/independent.h"

#define FILL ps__fill_floats_avx512
#define WITH_FLOATS
#include "kernels/ref/arithmetic.inc"
