/* Tiles of products for AVX2. */
#include "kernels/cpu/fill.h"
#include "kernels/cpu/vector_avx2.h"

#define MOST 6
#define STEP 6
#include "kernels/cpu/tiles.inc"

void ps__fill_tiles_avx2(ps__kernel_set *set)
{
    set->tiles[PS_FLOAT32] = tiles_float;
    set->tiles[PS_FLOAT64] = tiles_double;
}
