/* arithmetic.inc for any processor. */
#define FILL ps__fill_floats_ref
#define WITH_FLOATS
#include "kernels/ref/arithmetic.inc"
