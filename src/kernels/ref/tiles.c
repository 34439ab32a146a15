/* Tiles of products by vectors of 16 bytes, which compilers make of plain C on any processor. */
#include "kernels/ref/fill.h"

#include <string.h>

#define MOST 4
#define STEP 4

/* As it lies in memory, at any address that an element can have. */
typedef float floats __attribute__((vector_size(16)));
typedef float floats_there __attribute__((vector_size(16), aligned(4), may_alias));
typedef double doubles __attribute__((vector_size(16)));
typedef double doubles_there __attribute__((vector_size(16), aligned(8), may_alias));

#define T float
#define V floats
#define LANES 4
#define NAME(x) x##_float
#define LOAD(p) (*(const floats_there *)(p))
#define STORE(p, v) (*(floats_there *)(p) = (v))
#define ONE(x) ((floats){0} + (x))
#define FUSED(x, y, z) ((x) * (y) + (z))
#include "kernels/ref/tiles.inc"

#define T double
#define V doubles
#define LANES 2
#define NAME(x) x##_double
#define LOAD(p) (*(const doubles_there *)(p))
#define STORE(p, v) (*(doubles_there *)(p) = (v))
#define ONE(x) ((doubles){0} + (x))
#define FUSED(x, y, z) ((x) * (y) + (z))
#include "kernels/ref/tiles.inc"

void ps__fill_tiles_ref(ps__kernel_set *set)
{
    memset(set->tiles, 0, sizeof set->tiles);
    set->tiles[PS_FLOAT32] = tiles_float;
    set->tiles[PS_FLOAT64] = tiles_double;
}
