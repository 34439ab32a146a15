/* arithmetic.inc for any processor. */
#define FILL ps__fill_wide_ref
#define WITH_WIDE
#include "kernels/ref/arithmetic.inc"
