/* casts.inc for any processor. */
#define FILL ps__fill_casts_integers_ref
#define FROM_INTEGERS
#include "kernels/ref/casts.inc"
