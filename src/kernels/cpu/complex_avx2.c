/* ref/arithmetic.inc compiled for AVX2. */
#include "kernels/cpu/independent.h"

#define FILL ps__fill_complex_avx2
#define WITH_COMPLEX
#include "kernels/ref/arithmetic.inc"
