/* ref/arithmetic.inc compiled for AVX2. */
#include "kernels/cpu/independent.h"

#define FILL ps__fill_floats_avx2
#define WITH_FLOATS
#include "kernels/ref/arithmetic.inc"
