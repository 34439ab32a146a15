/* Recurrent cells for AVX2. Without SLEEF there are none. */
#include "kernels/cells.h"

#ifdef PENSTOCK_SLEEF
#include "kernels/cpu/vector_avx2.h"

#define CELLS ps__cells_avx2
#include "kernels/cpu/cells.inc"
#endif
