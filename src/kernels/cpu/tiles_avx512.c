/* Tiles of products for AVX-512. */
#include "kernels/cpu/fill.h"
#include "kernels/cpu/vector_avx512.h"

#define MOST 14
#define STEP 16 /* a whole line, which transposing copies are good at */
#include "kernels/cpu/tiles.inc"

void ps__fill_tiles_avx512(ps__kernel_set *set)
{
    set->tiles[PS_FLOAT32] = tiles_float;
    set->tiles[PS_FLOAT64] = tiles_double;
}
