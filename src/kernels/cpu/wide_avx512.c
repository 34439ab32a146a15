/* ref/arithmetic.inc compiled for AVX-512. */
#include "kernels/cpu/independent.h"

#define FILL ps__fill_wide_avx512
#define WITH_WIDE
#include "kernels/ref/arithmetic.inc"
