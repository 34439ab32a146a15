/* casts.inc for any processor. */
#define FILL ps__fill_casts_floats_ref
#define FROM_FLOATS
#include "kernels/ref/casts.inc"
