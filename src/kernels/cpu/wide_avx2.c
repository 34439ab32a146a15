/* ref/arithmetic.inc compiled for AVX2. */
#include "kernels/cpu/independent.h"

#define FILL ps__fill_wide_avx2
#define WITH_WIDE
#include "kernels/ref/arithmetic.inc"
