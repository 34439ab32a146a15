/* The reference set: plain C for every entry, on any processor. */
#include "kernels/ref/fill.h"

#include "kernels/set.h"

void ps__kernels_fill_ref(ps__kernel_set *set)
{
    ps__fill_same_ref(set);
    ps__fill_narrow_ref(set);
    ps__fill_wide_ref(set);
    ps__fill_floats_ref(set);
    ps__fill_complex_ref(set);
    ps__fill_casts_integers_ref(set);
    ps__fill_casts_floats_ref(set);
    ps__fill_math_ref(set);
    ps__fill_complex_math_ref(set);
    ps__fill_move_ref(set);
    ps__fill_tiles_ref(set);
}
