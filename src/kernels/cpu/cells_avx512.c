/* Recurrent cells for AVX-512. Without SLEEF there are none. */
#include "kernels/cells.h"

#ifdef PENSTOCK_SLEEF
#include "kernels/cpu/vector_avx512.h"

#define CELLS ps__cells_avx512
#include "kernels/cpu/cells.inc"
#endif
