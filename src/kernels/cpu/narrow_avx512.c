/* ref/arithmetic.inc compiled for AVX-512. */
#include "kernels/cpu/independent.h"

#define FILL ps__fill_narrow_avx512
#define WITH_NARROW
#include "kernels/ref/arithmetic.inc"
