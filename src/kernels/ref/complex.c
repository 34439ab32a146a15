/* arithmetic.inc for any processor. */
#define FILL ps__fill_complex_ref
#define WITH_COMPLEX
#include "kernels/ref/arithmetic.inc"
