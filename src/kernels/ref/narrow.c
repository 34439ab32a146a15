/* arithmetic.inc for any processor. */
#define FILL ps__fill_narrow_ref
#define WITH_NARROW
#include "kernels/ref/arithmetic.inc"
