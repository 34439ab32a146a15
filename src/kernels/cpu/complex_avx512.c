/* ref/arithmetic.inc compiled for AVX-512. */
#include "kernels/cpu/independent.h"

#define FILL ps__fill_complex_avx512
#define WITH_COMPLEX
#include "kernels/ref/arithmetic.inc"
